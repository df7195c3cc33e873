//! Units in which numbers are given and displayed: declared units, or else base units.

use serde::{Deserialize, Serialize};

use super::Model;
use crate::diagnostic::{Error, Result};
use crate::eval::{Number, decimal};
use crate::expr::Moment;
use crate::model::Dimension;
use crate::ring::Rational;
use crate::syntax::parse_expression;
use crate::syntax::tree::{ExprKind, Unit};
use crate::timing::Origin;

/// The display unit of a number. Internally, all numbers are in base units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The unit as written in brackets.
    pub unit: String,
    /// The base units of which it is a multiple.
    pub base: String,
    /// Number of base units in one of this unit.
    pub scale: Rational,
    /// True if the unit was declared or requested; then no other unit replaces it.
    pub declared: bool,
    /// True for units of time.
    pub time: bool,
}

/// Prefixes of a time that is shown in the largest unit below it, with the power of ten.
const TIMES: [(&str, i64); 4] = [("", 0), ("m", -3), ("u", -6), ("n", -9)];

/// The unit of times that takes these.
const SECOND: &str = "s";

impl Shown {
    fn of_unit(unit: &Unit) -> Option<Shown> {
        let meaning = unit.meaning.as_ref()?;
        let scale = meaning.scale.clone();
        let base = Dimension::from(&**meaning).to_string();
        let text = unit.to_string();
        let unit = text.trim_matches(['[', ']']).to_owned();
        let declared = true;
        (unit != "1").then_some(Shown {
            unit,
            base,
            scale,
            declared,
            time: false,
        })
    }

    fn of_dimension(dimension: &Dimension) -> Option<Shown> {
        (!dimension.is_none()).then(|| Shown {
            unit: dimension.to_string(),
            base: dimension.to_string(),
            scale: Rational::ONE,
            declared: false,
            time: false,
        })
    }

    /// Converts a number from base units to this unit.
    pub fn exact(&self, value: &Rational) -> Rational {
        value.checked_div(&self.scale).unwrap_or_default()
    }

    /// Converts a number given without a unit to base units.
    pub fn of_base(&self, value: &Rational) -> Rational {
        value * &self.scale
    }

    /// Like [`Shown::exact`], for the decimal that a double stands for.
    pub fn double(&self, value: f64) -> f64 {
        match decimal(value) {
            Some(exact) if !self.scale.is_one() => self.exact(&exact).to_f64(),
            _ => value,
        }
    }

    /// Converts a number from this unit to base units.
    pub fn base(&self, value: f64) -> f64 {
        match decimal(value) {
            Some(exact) if !self.scale.is_one() => (&exact * &self.scale).to_f64(),
            _ => value,
        }
    }

    /// Converts a number from base units to this unit.
    pub fn number(&self, value: &Number) -> Number {
        match value {
            Number::Exact(value) => Number::Exact(self.exact(value)),
            number if self.scale.is_one() => number.clone(),
            number => {
                let share = Number::Exact(self.scale.recip().unwrap_or(Rational::ONE));
                number.multiply(&share).unwrap_or_else(|_| number.clone())
            }
        }
    }

    /// A heading with the unit, such as `hop [us]`.
    pub fn head(&self, name: &str) -> String {
        format!("{name} [{}]", self.unit)
    }

    /// The unit for one value: for a time, the largest unit below it, unless one was requested.
    pub fn for_value(&self, value: f64) -> Shown {
        let fixed = self.declared || !self.time || self.unit != SECOND;
        if fixed || value == 0.0 || !value.is_finite() {
            return self.clone();
        }
        let power = |exponent: i64| Rational::from(10).pow(exponent).unwrap_or(Rational::ONE);
        let fits = |(_, exponent): &&(&str, i64)| value.abs() >= power(*exponent).to_f64();
        let last = &TIMES[TIMES.len() - 1];
        let (prefix, exponent) = TIMES.iter().find(fits).unwrap_or(last);
        Shown {
            unit: format!("{prefix}{}", self.unit),
            scale: power(*exponent),
            ..self.clone()
        }
    }
}

impl Model {
    /// The unit in which a parameter, or another numeric equation without arguments, is given.
    pub fn shown_number(&self, name: &str) -> Option<Shown> {
        let units = self.checked.units();
        if !units.is_used() {
            return None;
        }
        let equation = self.checked.lookup(name)?;
        if let Some(unit) = equation.unit() {
            return Shown::of_unit(unit);
        }
        let mut shown = Shown::of_dimension(units.dimension(name)?)?;
        shown.time = units.dimension(name) == Some(units.time());
        Some(shown)
    }

    /// The unit in which a result is displayed.
    pub fn shown(&self, origin: &Origin, name: &str) -> Option<Shown> {
        let units = self.checked.units();
        if !units.is_used() {
            return None;
        }
        let time = units.time();
        match origin {
            Origin::Equation => self.shown_number(name),
            Origin::Part => None,
            Origin::Moment { moment, of } => {
                let power = Rational::from(match moment {
                    Moment::Mean => 1,
                    Moment::Variance => 2,
                    Moment::Skewness | Moment::Kurtosis => return None,
                });
                Shown::of_dimension(&Dimension::default().times(&self.dimension_of(of), &power))
            }
            Origin::Derivative { of, by } => {
                let minus_one = Rational::from(-1);
                let by = self.dimension_of(by);
                Shown::of_dimension(&self.dimension_of(of).times(&by, &minus_one))
            }
            Origin::Elasticity { .. } => None,
            Origin::Least { of } | Origin::Most { of } => {
                Shown::of_dimension(&self.dimension_of(of))
            }
            _ => Shown::of_dimension(time).map(|shown| Shown {
                time: true,
                ..shown
            }),
        }
    }

    /// The dimension of the result called `name`.
    fn dimension_of(&self, name: &str) -> Dimension {
        let units = self.checked.units();
        let own = units.dimension(name).cloned();
        own.unwrap_or_else(|| units.time().clone())
    }

    /// The unit of all times: `asked` if given, else the base unit; `None` if the model has no
    /// units.
    ///
    /// # Errors
    /// Fails like [`Model::time_unit`].
    pub fn unit_of_times(&self, asked: Option<&str>) -> Result<Option<Shown>> {
        let units = self.checked.units();
        match asked {
            Some(name) => self.time_unit(name).map(Some),
            None if !units.is_used() => Ok(None),
            None => Ok(Shown::of_dimension(units.time()).map(|shown| Shown {
                time: true,
                ..shown
            })),
        }
    }

    /// Microseconds in one unit of time. Trace viewers know no other unit.
    pub fn microseconds(&self) -> f64 {
        let units = self.checked.units();
        if units.is_used() && units.time().to_string() == SECOND {
            1e6
        } else {
            1.0
        }
    }

    /// The unit of times called `name`.
    ///
    /// # Errors
    /// Fails if `name` is not a unit of time, or if the model has no units.
    pub fn time_unit(&self, name: &str) -> Result<Shown> {
        let units = self.checked.units();
        let wrong = |reason: String| Err(Error::new(format!("`--time-unit {name}`: {reason}")));
        if !units.is_used() {
            return wrong("nothing in the model has a unit".to_owned());
        }
        let (mut value, _) = parse_expression("the unit of times", &format!("1 [{name}]"))?;
        let mut own = units.clone();
        if let Err(error) = own.look_up(&mut value) {
            return Err(Error {
                diagnostics: error,
                sources: Default::default(),
            });
        }
        let ExprKind::Quantity(quantity) = &value.kind else {
            return wrong("expected the name of a unit, for example ms".to_owned());
        };
        let meaning = quantity.unit.meaning.as_deref();
        match Shown::of_unit(&quantity.unit) {
            Some(shown) if meaning.map(Dimension::from).as_ref() == Some(units.time()) => {
                Ok(Shown {
                    time: true,
                    ..shown
                })
            }
            _ => wrong(format!("times are in [{}]", units.time())),
        }
    }
}
