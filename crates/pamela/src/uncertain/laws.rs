//! What a model says of numbers that are not known.

use std::collections::BTreeMap;

use super::{Factor, Kind};
use crate::diagnostic::{Error, Result};
use crate::eval::Value;
use crate::law::{Carrier, Named};
use crate::model::{self, Evaluator, Limits, Part, parts_of_expr, predefined};
use crate::pipeline::{Model, Options};
use crate::syntax::FileLoader;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp, Value as Definition};

/// A law may be nested so deeply.
const MOST_DEPTH: usize = 16;

/// The numbers that a model declares as unknown, with their laws there: its other parameters, if a law depends on them, have
/// values.
///
/// # Errors
/// Fails if the law of a number depends on a parameter without a value, or on another unknown number.
pub fn of_model(model: &Model) -> Result<Vec<Factor>> {
    let unknown = model.checked().parameters().filter_map(|equation| {
        let law = equation.unknown().filter(|_| equation.value.is_none())?;
        Some((equation.name.text.clone(), law))
    });
    let factor = |(name, law): (String, &Expr)| {
        let law = law_of(model, &name, law)?;
        Ok(Factor {
            kind: Kind::Law {
                parameter: name.clone(),
                law,
            },
            name,
        })
    };
    unknown.map(factor).collect()
}

/// The quantile of the standard normal law.
pub fn standard_normal(p: f64) -> f64 {
    match Named::new("normal", &[0.0, 1.0]) {
        Ok(normal) => crate::law::quantile(&normal, p),
        Err(_) => f64::NAN,
    }
}

fn law_of(
    model: &Model,
    name: &str,
    law: &Expr,
) -> Result<std::sync::Arc<dyn crate::law::Distribution>> {
    let wrong = |error: Error| {
        let reason = error.first_message();
        Error::new(format!("the law of the unknown `{name}`: {reason}"))
    };
    let given = BTreeMap::new();
    let mut text = Text {
        model: model.checked(),
        evaluator: Evaluator::new(model.checked(), &given, Limits::default()),
    };
    // The law by itself, with numbers for all names, is a model.
    let text = format!("numeric x = {}", text.of(law, 0).map_err(wrong)?);
    let alone = Model::read(name, &text, &FileLoader).map_err(wrong)?;
    let evaluated = alone.evaluate(&[], crate::rules::standard()?, &Options::default());
    let mut equations = evaluated.map_err(wrong)?.equations.into_iter();
    let found = equations.find(|equation| equation.name == "x");
    let law = match found.map(|equation| equation.value) {
        Some(Value::Law(law)) => law,
        Some(Value::Scalar(number)) => Box::new(crate::law::Law::constant(number.to_f64())),
        _ => return Err(wrong(Error::new("it has no value"))),
    };
    let (distribution, _) = law
        .distribution(Carrier::Grid)
        .map_err(|reason| wrong(Error::new(reason)))?;
    Ok(distribution)
}

/// Writes laws with numbers for all names.
struct Text<'m> {
    model: &'m model::Model,
    evaluator: Evaluator<'m>,
}

impl<'m> Text<'m> {
    fn of(&mut self, expr: &'m Expr, depth: usize) -> Result<String> {
        if depth > MOST_DEPTH {
            return Err(Error::new("it is nested too deeply"));
        }
        if !self.is_random(expr, depth) {
            return self.number(expr);
        }
        let mut part = |own: &'m Expr| self.of(own, depth + 1);
        Ok(match &expr.kind {
            ExprKind::Name(name) => match self.value(name) {
                Some(value) => self.of(value, depth + 1)?,
                None => return Err(Error::new(format!("`{name}` is no law"))),
            },
            ExprKind::Call(law, arguments) => {
                let parts = arguments.iter().map(part).collect::<Result<Vec<_>>>()?;
                format!("{law}({})", parts.join(", "))
            }
            ExprKind::Negate(own) => format!("(-{})", part(own)?),
            ExprKind::Sum(first, rest) => {
                let mut text = part(first)?;
                for (sign, own) in rest {
                    let sign = if *sign == AddOp::Add { "+" } else { "-" };
                    text.push_str(&format!(" {sign} {}", part(own)?));
                }
                format!("({text})")
            }
            ExprKind::Product(first, rest) => {
                let mut text = part(first)?;
                for (sign, own) in rest {
                    let sign = match sign {
                        MulOp::Multiply => "*",
                        MulOp::Divide => "/",
                        _ => return Err(Error::new("`div` and `mod` of a law")),
                    };
                    text.push_str(&format!(" {sign} {}", part(own)?));
                }
                format!("({text})")
            }
            ExprKind::Text(file) => format!("\"{file}\""),
            _ => {
                return Err(Error::new(
                    "write it as a law, or a sum or a multiple of laws",
                ));
            }
        })
    }

    /// True if a law is in it.
    fn is_random(&self, expr: &'m Expr, depth: usize) -> bool {
        if depth > MOST_DEPTH {
            return true;
        }
        let own = match &expr.kind {
            ExprKind::Text(_) => true,
            ExprKind::Call(name, _) => predefined::law(&name.text).is_some(),
            ExprKind::Name(name) => {
                let value = self.value(name);
                value.is_some_and(|value| self.is_random(value, depth + 1))
            }
            _ => false,
        };
        let mut found = own;
        parts_of_expr(expr, &mut |part, _| {
            if let Part::Expr(inner) = part {
                found = found || self.is_random(inner, depth + 1);
            }
        });
        found
    }

    fn value(&self, name: &str) -> Option<&'m Expr> {
        match &self.model.lookup(name)?.value {
            Some(Definition::Numeric(value)) => Some(value),
            _ => None,
        }
    }

    /// A number in base units.
    fn number(&mut self, expr: &'m Expr) -> Result<String> {
        let value = self.evaluator.evaluate_expression(expr);
        let value = value.map_err(|diagnostic| Error::new(diagnostic.message.clone()))?;
        match value {
            model::Value::Scalar(model::Number::Exact(value)) => Ok(format!("({value})")),
            model::Value::Scalar(model::Number::Real(value)) => {
                Ok(format!("({:e})", model::Number::Real(value).to_f64()))
            }
            model::Value::Vector(_) => Err(Error::new("a vector is no number")),
        }
    }
}
