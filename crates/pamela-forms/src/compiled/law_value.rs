//! The value of a law at a point: its moments, its quantiles, and how they were computed.

use crate::eval::Value;
use crate::law::{self, Carrier, Cumulants, Law, Method, SHOWN_QUANTILES, Support};

/// A law as it is displayed.
#[derive(Clone, Debug, PartialEq)]
pub struct LawValue {
    /// Mean, variance, and third and fourth cumulants.
    pub cumulants: Cumulants,
    /// Pairs of probability and quantile.
    pub quantiles: Vec<(f64, f64)>,
    /// The smallest interval known to contain all values.
    pub support: Support,
    /// Number of the first four moments that exist and fit into doubles.
    pub moments: usize,
    /// How the quantiles were computed; `None` if no law has these moments.
    pub method: Option<Method>,
    /// Approximations that the shape rests on.
    pub approximations: Vec<String>,
}

const FITTED: &str = "fitted to four moments";
const BOUND_MISSED: &str =
    "inaccurate near a bound that the fitted family misses: use `--laws grid`";

impl LawValue {
    /// Summarises a law; if no law has its moments, keeps the moments alone.
    pub fn of(law: &Law, carrier: Carrier) -> LawValue {
        let (distribution, method) = match law.distribution(carrier) {
            Ok(found) => found,
            Err(reason) => {
                return LawValue {
                    cumulants: law.cumulants(),
                    quantiles: Vec::new(),
                    support: law.support(),
                    moments: law.moments_in_range(),
                    method: None,
                    approximations: vec![match law.moments_in_range() {
                        4 => format!("no law has these moments: {reason}"),
                        _ => reason,
                    }],
                };
            }
        };
        let quantile = |p: &f64| (*p, law::quantile(distribution.as_ref(), *p));
        let fitted = law.is_fitted() || matches!(method, Method::Fitted(_));
        LawValue {
            cumulants: law.cumulants(),
            quantiles: SHOWN_QUANTILES.iter().map(quantile).collect(),
            support: law.support(),
            moments: law.moments_in_range(),
            method: Some(method),
            approximations: [(fitted, FITTED), (law.misses_bound(), BOUND_MISSED)]
                .into_iter()
                .filter(|(applies, _)| *applies)
                .map(|(_, note)| note.to_string())
                .chain(law.missing())
                .collect(),
        }
    }

    /// With the quantiles of these probabilities; without any if no law has these moments.
    pub fn with_quantiles(
        mut self,
        law: &Law,
        carrier: Carrier,
        probabilities: &[f64],
    ) -> LawValue {
        if let Ok((distribution, _)) = law.distribution(carrier) {
            let quantile = |p: &f64| (*p, law::quantile(distribution.as_ref(), *p));
            self.quantiles = probabilities.iter().map(quantile).collect();
        }
        self
    }

    /// The law in `value`, if it is one.
    pub fn in_value(value: &Value, carrier: Carrier) -> Option<LawValue> {
        match value {
            Value::Law(law) => Some(LawValue::of(law, carrier)),
            _ => None,
        }
    }
}
