//! The value of a law at a point: its moments, its quantiles, and how they were got.

use crate::eval::Value;
use crate::law::{self, Carrier, Cumulants, Law, Method, SHOWN_QUANTILES, Support};

/// A law as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct LawValue {
    pub cumulants: Cumulants,
    /// Probabilities with their quantiles.
    pub quantiles: Vec<(f64, f64)>,
    pub support: Support,
    pub method: Method,
    /// What the shape rests on.
    pub approximations: Vec<String>,
}

const FITTED: &str = "a family was fitted to four moments";

impl LawValue {
    /// The law of a value of an equation.
    ///
    /// # Errors
    /// No law has the four moments.
    pub fn of(law: &Law, carrier: Carrier) -> Result<LawValue, String> {
        let (distribution, method) = law.distribution(carrier)?;
        let quantile = |p: &f64| (*p, law::quantile(distribution.as_ref(), *p));
        let fitted = law.is_fitted() || matches!(method, Method::Fitted(_));
        Ok(LawValue {
            cumulants: law.cumulants(),
            quantiles: SHOWN_QUANTILES.iter().map(quantile).collect(),
            support: law.support(),
            method,
            approximations: if fitted {
                vec![FITTED.to_string()]
            } else {
                Vec::new()
            },
        })
    }

    /// The law in a value, if it is one.
    pub fn in_value(value: &Value, carrier: Carrier) -> Option<Result<LawValue, String>> {
        match value {
            Value::Law(law) => Some(LawValue::of(law, carrier)),
            _ => None,
        }
    }
}
