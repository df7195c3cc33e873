//! Derivatives and elasticities of closed forms, as equations of their own.

use super::closed::ClosedEquation;
use super::model::Model;
use super::names::{unknown_name, unused_name};
use super::options::Options;
use crate::algebra::{Closed, Simplifier};
use crate::diagnostic::{Diagnostic, Result};
use crate::expr::Sort;
use crate::timing::{LoweredEquation, Origin, of_derived};

impl Model {
    /// Finds the requested derivatives and elasticities.
    ///
    /// A derivative that does not exist adds an error to `failures` and changes nothing else.
    pub(super) fn sensitivities(
        &self,
        simplifier: &mut Simplifier,
        equation: &LoweredEquation,
        closed: &Closed,
        options: &Options,
        failures: &mut Vec<Diagnostic>,
    ) -> Result<Vec<ClosedEquation>> {
        let mut derived = Vec::new();
        for parameter in &options.sensitivity {
            if !self.checked.parameters().any(|p| p.name.text == *parameter) {
                let names = self.checked.parameters().map(|p| p.name.text.as_str());
                return Err(unknown_name(
                    format!(
                        "`{parameter}` is no parameter of the model: a sensitivity is by a parameter"
                    ),
                    parameter,
                    &names.collect::<Vec<_>>(),
                ));
            }
            if equation.sort != Sort::Scalar {
                continue;
            }
            // A wait of runs depends on other parameters, and nobody knows how.
            let mut waits = self.checked.parameters().map(|own| own.name.text.as_str());
            let is_known = !waits.any(|own| {
                self.checked.wait_by_runs(own).is_some() && simplifier.mentions(closed, own)
            });
            let slope = if is_known {
                simplifier.derivative(closed, parameter)
            } else {
                Err("it has a wait that is known at points only".to_owned())
            };
            let slope = match slope {
                Ok(slope) => slope,
                Err(why) => {
                    let message = format!("`{}` has no derivative by `{parameter}`", equation.name);
                    failures.push(Diagnostic::error(message, equation.span, why));
                    continue;
                }
            };
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
                    notes: of_derived(&equation.origin, &equation.standing, &equation.notes),
                    standing: equation.standing.of_derived(&origin),
                    origin,
                    ..equation.clone()
                };
                derived.push(ClosedEquation::new(equation, form));
            }
        }
        Ok(derived)
    }
}
