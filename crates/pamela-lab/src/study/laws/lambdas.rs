//! The generalized lambda distribution in the parameters of the papers.

use crate::law::{Cumulants, Distribution, Probability, Support, quadrature};

/// `R(F) = lambda1 + (F^lambda3 - (1 - F)^lambda4) / lambda2` (thesis 5.7), not below a bound.
pub struct Lambdas {
    parameters: [f64; 4],
    lower: f64,
}

/// Logits between which probabilities are doubles of their own.
const REACH: f64 = 700.0;

impl Lambdas {
    /// The law of this name in Table 5.1, with its errata: uniform on (0, 1), exponential of mean 1, standard normal.
    pub fn printed(name: &str) -> Option<Lambdas> {
        let parameters = match name {
            "uniform" => [0.5, 2.0, 1.0, 1.0],
            "exponential" => [7.1e-3, -1.081e-3, -4.070e-6, -1.076e-3],
            "normal" => [0.0, 0.1975, 0.1349, 0.1349],
            _ => return None,
        };
        Some(Lambdas {
            parameters,
            lower: f64::NEG_INFINITY,
        })
    }

    pub fn parameters(&self) -> [f64; 4] {
        self.parameters
    }

    /// The law of the larger of the variable and `lower`.
    pub fn bounded(self, lower: f64) -> Lambdas {
        Lambdas { lower, ..self }
    }

    fn at(&self, p: Probability) -> f64 {
        let [location, inverse_scale, left, right] = self.parameters;
        let rise = (left * p.ln()).exp_m1() - (right * p.complement().ln()).exp_m1();
        location + rise / inverse_scale
    }
}

impl Distribution for Lambdas {
    fn cumulants(&self) -> Cumulants {
        let about = |c: f64| {
            let integral = quadrature::unit(|p| {
                let x = self.quantile(p) - c;
                [x, x * x, x.powi(3), x.powi(4)]
            });
            Cumulants::from_raw_moments(integral.value).shifted(c)
        };
        about(about(0.0).mean)
    }

    fn support(&self) -> Support {
        let end = |p: Probability| self.quantile(p);
        Support::new(end(Probability::below(0.0)), end(Probability::above(0.0)))
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.at(p).max(self.lower)
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < self.lower {
            return Probability::below(0.0);
        }
        let (mut low, mut high) = (-REACH, REACH);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if self.at(Probability::from_logit(middle)) <= x {
                low = middle
            } else {
                high = middle
            }
        }
        match 0.5 * (low + high) {
            t if t > REACH - 1.0 => Probability::above(0.0),
            t if t < 1.0 - REACH => Probability::below(0.0),
            t => Probability::from_logit(t),
        }
    }
}
