//! Terms `a (t - theta)^k e^(-rate (t - theta))` of densities, as the theorems have them.

use std::collections::BTreeSet;

use crate::law::{Distribution, Named};
use crate::study::report::{Table, Unit, errors};

/// A term.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub a: f64,
    pub k: u32,
    pub rate: f64,
    pub theta: f64,
}

/// The example in the erratum of theorem 2.
pub(super) const EXAMPLE: Term = Term {
    a: 1.3,
    k: 3,
    rate: 0.7,
    theta: 2.0,
};

impl Term {
    /// The density of an Erlang law.
    pub fn erlang(stages: u32, rate: f64) -> Term {
        let k = stages - 1;
        Term {
            a: rate.powi(stages as i32) / factorial(k),
            k,
            rate,
            theta: 0.0,
        }
    }

    /// `a k! / rate^(k + 1)`, the integral over all times.
    fn whole(&self) -> f64 {
        self.a * factorial(self.k) / self.rate.powi(self.k as i32 + 1)
    }

    /// The integral to `t`, by the cdf of an Erlang law.
    pub fn measured(&self, t: f64) -> Option<f64> {
        let stages = f64::from(self.k + 1);
        let erlang = Named::new("erlang", &[stages, stages / self.rate]).ok()?;
        Some(self.whole() * erlang.cdf(t - self.theta).below)
    }

    /// Theorem 2 with its errata.
    pub fn corrected(&self, t: f64) -> f64 {
        let x = t - self.theta;
        let sum = |l: u32| {
            let power = self.rate.powi((self.k + 1 - l) as i32);
            self.a * factorial(self.k) / (power * factorial(l)) * x.powi(l as i32)
        };
        self.whole() - (-self.rate * x).exp() * (0..=self.k).map(sum).sum::<f64>()
    }

    /// Theorem 2 as printed.
    pub fn printed(&self, t: f64) -> f64 {
        let x = t - self.theta;
        let sum = |l: u32| self.whole() / factorial(l) * x.powi(l as i32);
        (-self.rate * x).exp() * (0..=self.k).map(sum).sum::<f64>() + self.whole()
    }

    /// The last line of its proof.
    pub fn by_its_proof(&self, t: f64) -> f64 {
        let x = t - self.theta;
        let sum = |l: u32| (self.rate * x).powi(l as i32) / factorial(l);
        self.whole() * (1.0 - (-self.rate * x).exp()) * (0..=self.k).map(sum).sum::<f64>()
    }

    fn at(&self, t: f64) -> f64 {
        let x = t - self.theta;
        if x < 0.0 {
            0.0
        } else {
            self.a * x.powi(self.k as i32) * (-self.rate * x).exp()
        }
    }

    /// Theorem 4 in doubles, for different rates.
    pub fn convolved(&self, other: &Term, t: f64) -> f64 {
        let x = t - self.theta - other.theta;
        let part = |own: &Term, other: &Term| {
            let sum = |l: u32| {
                let sign = if l.is_multiple_of(2) { 1.0 } else { -1.0 };
                let difference = (other.rate - own.rate).powi((other.k + l + 1) as i32);
                sign * binomial(other.k + l, l)
                    * own.a
                    * factorial(own.k)
                    * other.a
                    * factorial(other.k)
                    / (factorial(own.k - l) * difference)
                    * x.powi((own.k - l) as i32)
            };
            (-own.rate * x).exp() * (0..=own.k).map(sum).sum::<f64>()
        };
        part(self, other) + part(other, self)
    }

    /// The integral by Simpson's rule, with an error below 1e-12 for these terms.
    pub fn integrated(&self, other: &Term, t: f64) -> f64 {
        const PANELS: u32 = 4_096;
        let width = t / f64::from(PANELS);
        let weight = |panel: u32| match panel {
            0 | PANELS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let value = |panel: u32| {
            let s = f64::from(panel) * width;
            weight(panel) * self.at(s) * other.at(t - s)
        };
        (0..=PANELS).map(value).sum::<f64>() * width / 3.0
    }
}

fn factorial(n: u32) -> f64 {
    (1..=n).map(f64::from).product()
}

fn binomial(n: u32, k: u32) -> f64 {
    factorial(n) / (factorial(k) * factorial(n - k))
}

/// Theorem 2.
pub(super) fn integrals() -> Table {
    let mut table = Table::new("theorem 2: the integral of a term", "t", &["integral"]);
    for t in [3.0, 5.0, 7.0, 12.0] {
        let point = t.to_string();
        let measured = vec![EXAMPLE.measured(t)];
        table.add(&point, "measured", Unit::Value, measured.clone());
        for (method, value) in [
            ("corrected", EXAMPLE.corrected(t)),
            ("as printed", EXAMPLE.printed(t)),
            ("its proof", EXAMPLE.by_its_proof(t)),
        ] {
            let errors = errors(&[Some(value)], &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        }
    }
    table
}

/// Theorem 4.
pub(super) fn sums() -> Table {
    let title = "theorem 4: the density of a sum at 8";
    let mut table = Table::new(title, "second rate", &["density"]);
    let first = Term::erlang(4, 1.0);
    for rate in [2.0, 1.1, 1.03, 1.01, 1.003] {
        let second = Term::erlang(4, rate);
        let measured = vec![Some(first.integrated(&second, 8.0))];
        let point = rate.to_string();
        table.add(&point, "measured", Unit::Value, measured.clone());
        let errors = errors(&[Some(first.convolved(&second, 8.0))], &measured);
        table.add(&point, "theorem 4", Unit::ErrorInPercent, errors);
    }
    table
}

/// The stages and rates of the terms of a cdf; a rate is a sum of numbered rates.
pub(super) type Triples = BTreeSet<(u32, Vec<u8>)>;

/// The triples of an Erlang law with a numbered rate.
pub(super) fn erlang(stages: u32, rate: u8) -> Triples {
    let constant = (0, Vec::new());
    let terms = (0..stages).map(|k| (k, vec![rate]));
    terms.chain([constant]).collect()
}

/// Theorem 5: those of the larger of two.
pub(super) fn larger(a: &Triples, b: &Triples) -> Triples {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let product = pairs.map(|((k, rate), (l, other))| {
        let mut sum = [&rate[..], &other[..]].concat();
        sum.sort_unstable();
        (k + l, sum)
    });
    product.collect()
}

/// Numbers of terms of the larger of two Erlang laws.
pub(super) fn triples() -> Table {
    let columns = ["of one", "larger of two", "of equal rates"];
    let mut table = Table::new("triples of Erlang laws of mean 10", "stages", &columns);
    for (point, stages) in [("2", 2), ("10", 10), ("100", 100), ("8 and 4", 4)] {
        let [one, other] = [0, 1].map(|rate| erlang(stages, rate));
        let counts = [
            one.len(),
            larger(&one, &other).len(),
            larger(&one, &one).len(),
        ];
        let counts = counts.map(|count| Some(count as f64)).to_vec();
        table.add(point, "triples", Unit::Value, counts);
    }
    table
}

/// Numbers of terms of the largest of several laws.
pub(super) fn maxima() -> Table {
    let title = "triples of the largest of n Erlang laws of 2 stages";
    let mut table = Table::new(title, "n", &["different rates", "equal rates"]);
    let (mut different, mut equal) = (erlang(2, 0), erlang(2, 0));
    for n in 1..=12_u8 {
        if [1, 2, 4, 8, 12].contains(&n) {
            let counts = [different.len(), equal.len()].map(|count| Some(count as f64));
            table.add(&n.to_string(), "triples", Unit::Value, counts.to_vec());
        }
        different = larger(&different, &erlang(2, n));
        equal = larger(&equal, &erlang(2, 0));
    }
    table
}
