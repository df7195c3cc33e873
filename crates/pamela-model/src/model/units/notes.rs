//! Warns about literals in a unit other than the declared one if a slip is likely: bits for bytes,
//! powers of 1024 for powers of 1000.

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, Unit, Value};

impl Model {
    /// Warnings about defaults of parameters with units.
    pub(in crate::model) fn doubtful_units(&self) -> Vec<Diagnostic> {
        let given = self.equations.iter().filter_map(|equation| {
            let Some(Value::Numeric(Expr {
                kind: ExprKind::Quantity(quantity),
                span,
            })) = &equation.value
            else {
                return None;
            };
            Some((equation.unit()?, &quantity.unit, *span))
        });
        let doubtful = given.filter_map(|(declared, own, span)| {
            let what = confused(declared, own)?;
            let message = format!("{own} mixed with {declared}: {what}");
            let warning = Diagnostic::warning(message, span, "converted exactly");
            Some(warning.also(declared.span, "declared here"))
        });
        doubtful.collect()
    }
}

/// The difference through which two units may be confused.
fn confused(declared: &Unit, own: &Unit) -> Option<&'static str> {
    let (a, b) = (declared.meaning.as_ref()?, own.meaning.as_ref()?);
    let ratio = a.scale.checked_div(&b.scale)?;
    let inverse = ratio.recip()?;
    let either = |value: &Rational| ratio == *value || inverse == *value;
    if either(&Rational::from(8)) {
        return Some("one is in bits, the other in bytes");
    }
    let step = Rational::new(1024, 1000)?;
    let mut powers = (1..=6).filter_map(|power| step.pow(power));
    let binary = powers.any(|power| either(&power));
    binary.then_some("one uses powers of 1024, the other of 1000")
}
