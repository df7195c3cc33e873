//! Mean and variance of the larger of two variables with exponential phases.

use crate::Cumulants;
use crate::special::ln_gamma;

/// The sum of `stages` exponential variables with equal rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erlang {
    /// Number of exponential variables.
    pub stages: u32,
    /// Rate of each variable.
    pub rate: f64,
}

/// An exponential variable with the first rate with probability `p`, else with the second rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperexponential {
    /// Probability of the first rate.
    pub p: f64,
    /// The two rates.
    pub rates: [f64; 2],
}

impl Erlang {
    fn moments(self) -> [f64; 2] {
        let stages = f64::from(self.stages);
        let mean = stages / self.rate;
        [mean, mean * (stages + 1.0) / self.rate]
    }
}

impl Hyperexponential {
    fn branches(self) -> [(f64, f64); 2] {
        [(self.p, self.rates[0]), (1.0 - self.p, self.rates[1])]
    }

    fn moments(self) -> [f64; 2] {
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.branches().iter().map(|&(l, rate)| l * f(rate)).sum()
        };
        [sum(&|rate| 1.0 / rate), sum(&|rate| 2.0 / (rate * rate))]
    }
}

fn mean_and_variance([first, second]: [f64; 2]) -> [f64; 2] {
    [first, second - first * first]
}

/// Mean and variance for two Erlang laws (thesis 2.11).
pub fn erlangs(x: Erlang, y: Erlang) -> [f64; 2] {
    let total = x.rate + y.rate;
    // lambda1^r1 / total^(r1 + d) sum_k (lambda2 / total)^k (r1 + k + d - 1)! / ((r1 - 1)! k!)
    let overlap = |x: Erlang, y: Erlang, d: u32| {
        let share = y.rate / total;
        let terms = (0..y.stages).map(|k| {
            let factorials = ln_gamma(f64::from(x.stages + k + d))
                - ln_gamma(f64::from(x.stages))
                - ln_gamma(f64::from(k + 1));
            (f64::from(k) * share.ln() + factorials).exp()
        });
        (x.rate / total).powi(x.stages as i32) / total.powi(d as i32) * terms.sum::<f64>()
    };
    let ([x1, x2], [y1, y2]) = (x.moments(), y.moments());
    mean_and_variance([
        x1 + y1 - overlap(x, y, 1) - overlap(y, x, 1),
        x2 + y2 - overlap(x, y, 2) - overlap(y, x, 2),
    ])
}

/// Mean and variance for two hyperexponential laws (thesis 2.12 with its errata: minus signs,
/// squared denominators).
pub fn hyperexponentials(x: Hyperexponential, y: Hyperexponential) -> [f64; 2] {
    let ([x1, x2], [y1, y2]) = (x.moments(), y.moments());
    let (mut first, mut second) = (x1 + y1, x2 + y2);
    for (l, lambda) in x.branches() {
        for (m, mu) in y.branches() {
            first -= l * m / (lambda + mu);
            second -= 2.0 * l * m / (lambda + mu).powi(2);
        }
    }
    mean_and_variance([first, second])
}

/// Mean and variance for a hyperexponential and an Erlang law (thesis 2.13 with its errata).
pub fn hyperexponential_and_erlang(x: Hyperexponential, y: Erlang) -> [f64; 2] {
    let [mut first, mut second] = y.moments();
    let stages = f64::from(y.stages);
    for (l, lambda) in x.branches() {
        let q = y.rate / (lambda + y.rate);
        let power = q.powi(y.stages as i32);
        first += l / lambda * power;
        second += 2.0 * l / (lambda * lambda) * power;
        second += 2.0 * stages / y.rate * l / lambda * power * q;
    }
    mean_and_variance([first, second])
}

impl From<Erlang> for Cumulants {
    fn from(law: Erlang) -> Cumulants {
        let stages = f64::from(law.stages);
        Cumulants::from_moments(1.0, 1.0, 2.0, 9.0)
            .scaled(1.0 / law.rate)
            .repeated(stages)
    }
}
