//! Laws that are too costly to combine, or whose closed form does not apply.

use super::*;
use crate::formula::Notation;
use crate::pipeline::GraphOptions;

impl<'c> PointEvaluation<'c> {
    /// Checks that a double can hold the mean of the law in `value`.
    ///
    /// # Errors
    /// Fails if the mean has no double near it.
    pub(super) fn require_range(&self, name: &str, value: &Value) -> Result<()> {
        match value {
            Value::Law(law) if law.moments() > 0 && law.moments_in_range() == 0 => {
                let reason = "its mean is outside the range of doubles; use another unit";
                Err(self.no_law(name, reason))
            }
            _ => Ok(()),
        }
    }

    /// Replaces unfinished laws by the closed forms of their moments.
    pub(super) fn finish_by_moments(&self, unfinished: &[usize], evaluated: &mut Evaluated) {
        for &position in unfinished {
            let equation = &self.compiled.simplified.equations[position];
            let is_law = equation.sort == Sort::Law;
            match is_law
                .then(|| self.law_by_moments(&equation.name))
                .flatten()
            {
                Some(law) => evaluated.equations.push(EvaluatedEquation {
                    name: equation.name.clone(),
                    origin: equation.origin.clone(),
                    sort: Sort::Law,
                    law: Some(LawValue::of(&law, self.carrier())),
                    paths: None,
                    value: Value::Law(Box::new(law)),
                    method: Method::Closed,
                    standing: equation.standing.clone(),
                    superseded: equation.superseded,
                    standard_error: None,
                    approximations: Vec::new(),
                }),
                None => evaluated.unfinished.push(equation.name.clone()),
            }
        }
    }

    /// `None` where one of the moments has no closed form, or it does not apply.
    fn law_by_moments(&self, name: &str) -> Option<Law> {
        let simplified = self.compiled.with_moments()?;
        let mut evaluation = None;
        let mut moment = |moment: Moment| {
            let of = name.to_owned();
            let origin = Origin::Moment { moment, of };
            let equation = simplified.equations.iter().find(|e| e.origin == origin)?;
            let applies = self.conditions(&equation.formula, &self.bindings);
            let applies = applies.iter().all(|holds| matches!(holds, Ok(true)));
            match applies.then(|| self.value(&origin, &equation.formula, &mut evaluation))? {
                Ok(Value::Scalar(number)) => Some(number.to_f64()),
                _ => None,
            }
        };
        let [mean, variance, skewness, kurtosis] = Moment::ALL.map(&mut moment);
        let moments = [mean?, variance?, skewness?, kurtosis?];
        let calculus = Calculus {
            carrier: self.carrier(),
        };
        calculus.named("moments", &moments).ok()
    }

    /// The lowered equations, used if a closed form does not apply.
    pub(super) fn lowered(&self) -> Result<(Arena, Vec<LoweredEquation>)> {
        let mut arena = Arena::new();
        let lowered = timing::lower(self.definition()?, &mut arena)?;
        Ok((arena, lowered.equations))
    }

    /// Evaluates the lowered form of an equation.
    pub(super) fn by_lowered(
        &self,
        lowered: &Result<(Arena, Vec<LoweredEquation>)>,
        name: &str,
        mentioned: &Bindings,
    ) -> Result<Value> {
        let (arena, equations) = lowered.as_ref().map_err(Clone::clone)?;
        let Some(equation) = equations.iter().find(|equation| equation.name == name) else {
            return Err(self.no_law(name, &self.why_none(name)));
        };
        let limits = self.budget.limits();
        let mut bindings = self.bindings.clone().into_owned();
        bindings.extend(mentioned.clone());
        let value = self
            .evaluation(arena, &bindings)
            .value(equation.expr, limits);
        value.map_err(|reason| self.no_law(name, &reason.to_string()))
    }

    /// Why an equation that has a closed form alone has no law here: the conditions that do not hold.
    fn why_none(&self, name: &str) -> String {
        let equations = &self.compiled.simplified.equations;
        let Some(equation) = equations.iter().find(|own| own.name == name) else {
            return "the model does not define it".to_owned();
        };
        let formula = &equation.formula;
        let texts = formula.condition_texts(Notation::Pamela).into_iter();
        let failed = texts
            .zip(self.conditions(formula, &self.bindings))
            .filter(|(_, holds)| !matches!(holds, Ok(true)));
        let failed: Vec<String> = failed.map(|(text, _)| text).collect();
        format!("it is defined where {}", failed.join(" and "))
    }

    /// Errors of the law that `evaluation` has just computed.
    pub(super) fn paths<'a>(
        &'a self,
        formula: &'a Formula,
        evaluation: &mut Option<Evaluation<'a>>,
    ) -> Option<PathValue> {
        let (arena, root) = (formula.arena(), formula.root());
        let evaluation = evaluation.as_mut()?;
        if !is_raised_by_paths(arena, root) {
            return None;
        }
        let GraphOptions { paths, bounds } = self.compiled.graphs;
        let errors = evaluation.standard_errors(root);
        let bounds = bounds && timing::rests_on_paths_alone(formula.approximations());
        // A bound that takes too long is omitted.
        let bounds = bounds.then(|| evaluation.bounds(root, self.budget.limits()));
        self.budget.spend(evaluation.steps());
        Some(PathValue {
            law: paths.law,
            errors,
            bounds: bounds.and_then(|bounds| bounds.ok().flatten()),
        })
    }

    pub(super) fn no_law(&self, name: &str, reason: &str) -> Error {
        let message = format!("`{name}` has no law here: {reason}");
        let Ok(model) = self.definition() else {
            return Error::new(message);
        };
        let own = model.equations().iter().find(|e| {
            let text = &e.name.text;
            name == text || name.split_once('_').is_some_and(|(_, of)| of == text)
        });
        match own {
            Some(equation) => {
                let place = equation.name.span;
                error(model, Diagnostic::error(message, place, "defined here"))
            }
            None => Error::new(message),
        }
    }
}
