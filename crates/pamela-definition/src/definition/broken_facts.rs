//! Finds facts and assumptions that do not hold at the values of the parameters.

use super::Sort;
use super::distribution::Failure;
use super::evaluate::Evaluator;
use super::random::is_mixture;
use super::support::{Support, support_of};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{Equation, ExprKind, ParameterFact, Value as Definition};

/// The message for a false assumption.
pub const BROKEN_ASSUMPTION: &str = "an assumption does not hold";

impl<'m> Evaluator<'m> {
    /// Declared or assumed facts that do not hold at these values.
    ///
    /// A fact of a law applies to all its values. These are known for predefined laws. Facts of
    /// laws given by moments, and of other combinations with infinitely many values, are not
    /// checked.
    ///
    /// # Errors
    /// Fails if a fact has no value.
    pub fn broken_facts(&mut self) -> Result<Vec<Diagnostic>, Diagnostic> {
        let model = self.model;
        let mut broken = Vec::new();
        for (position, equation) in model.equations().iter().enumerate() {
            // Declared facts of a function are tested where it is called.
            let is_function = !equation.formals.is_empty();
            if is_function
                || equation.facts.is_empty()
                || self.sorts.of_equation(position) == Sort::Vector
            {
                continue;
            }
            if let Some(support) = self.support(position, equation)? {
                for fact in &equation.facts {
                    broken.extend(self.broken_fact(&support, equation, fact)?);
                }
            }
        }
        for relation in model.assumptions() {
            self.restart();
            if self.scalar(relation, &None)?.is_zero() {
                broken.push(Diagnostic::error(
                    BROKEN_ASSUMPTION,
                    relation.span,
                    "false here",
                ));
            }
        }
        Ok(broken)
    }

    /// Between what the values of an equation lie, as far as it is known.
    fn support(
        &mut self,
        position: usize,
        equation: &'m Equation,
    ) -> Result<Option<Support>, Diagnostic> {
        self.restart();
        let span = equation.name.span;
        let distribution = self.enumerate(span, |evaluator| {
            let value = evaluator.global(position, span)?;
            let vector = || Diagnostic::error("expected a scalar", span, "this is a vector");
            value.as_scalar().cloned().ok_or_else(vector)
        });
        match (distribution, &equation.value) {
            (Ok(distribution), _) => Ok(Support::of(&distribution)),
            (Err(Failure::Wrong(diagnostic)), _) => Err(diagnostic),
            (Err(Failure::NotEnumerable(_)), Some(Definition::Numeric(value))) => match &value.kind
            {
                ExprKind::Call(name, arguments)
                    if self.model.callee(&name.text).is_none()
                        && !is_mixture(name, arguments)
                        && name.text != "truncated" =>
                {
                    if let Some(samples) = self.samples(name, arguments)? {
                        return Ok(Some(Support::of_samples(samples)));
                    }
                    let law = self.predefined_law(name, arguments, value.span, &None)?;
                    Ok(support_of(&law))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn broken_fact(
        &mut self,
        support: &Support,
        equation: &'m Equation,
        fact: &'m ParameterFact,
    ) -> Result<Option<Diagnostic>, Diagnostic> {
        self.restart();
        let (holds, span) = match fact {
            ParameterFact::Integer(span) => (support.whole, *span),
            ParameterFact::Bound(relation, e) => {
                let bound = self.scalar(e, &None)?;
                (support.within(*relation, &bound), e.span)
            }
            ParameterFact::Law(span) => (true, *span),
            ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => (true, own.span),
            ParameterFact::Row(table) => (true, table.span),
            ParameterFact::Unit(unit) => (true, unit.span),
            // Only of functions.
            ParameterFact::Monotone(own) => (true, own.span),
        };
        let name = &equation.name.text;
        let unit = match self.model.units().dimension(name) {
            Some(dimension) if !dimension.is_none() => format!(" [{dimension}]"),
            _ => String::new(),
        };
        let message = format!("`{name}` is {support}{unit}, which contradicts its declaration");
        Ok((!holds).then(|| Diagnostic::error(message, span, "does not hold")))
    }
}
