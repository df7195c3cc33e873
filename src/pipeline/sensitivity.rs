//! Derivatives and elasticities of closed forms, as equations of their own.

use super::{Model, Options, plain_error, unused_name};
use crate::algebra::{self, Simplifier};
use crate::diagnostic::{Diagnostic, Result};
use crate::expr::Sort;
use crate::timing::{LoweredEquation, Origin};

impl Model {
    /// The derivatives and elasticities that were asked for.
    pub(super) fn sensitivities(
        &self,
        simplifier: &mut Simplifier,
        equation: &LoweredEquation,
        closed: &algebra::Closed,
        options: &Options,
    ) -> Result<Vec<(LoweredEquation, algebra::Closed)>> {
        let mut derived = Vec::new();
        for parameter in &options.sensitivity {
            if !self.checked.parameters().any(|p| p.name.text == *parameter) {
                return Err(plain_error(format!(
                    "`{parameter}` is no parameter of the model: a sensitivity is by a parameter"
                )));
            }
            if equation.sort != Sort::Scalar {
                continue;
            }
            let slope = simplifier.derivative(closed, parameter).map_err(|why| {
                let message = format!("`{}` has no derivative by `{parameter}`", equation.name);
                self.error(Diagnostic::error(message, equation.span, why))
            })?;
            let elasticity = simplifier.elasticity(closed, &slope, parameter);
            let name = &equation.name;
            let derivative = Origin::Derivative {
                of: name.clone(),
                by: parameter.clone(),
            };
            let relative = Origin::Elasticity {
                of: name.clone(),
                by: parameter.clone(),
            };
            for (name, form, origin) in [
                (format!("d{name}_d{parameter}"), slope, derivative),
                (
                    format!("elasticity_{name}_{parameter}"),
                    elasticity,
                    relative,
                ),
            ] {
                let equation = LoweredEquation {
                    name: unused_name(&self.checked, name),
                    origin,
                    notes: Vec::new(),
                    ..equation.clone()
                };
                derived.push((equation, form));
            }
        }
        Ok(derived)
    }
}
