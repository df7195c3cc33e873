//! Definitional evaluation of laws; each occurrence is an independent draw.

use super::chance::Chance;
use super::cumulants::Cumulants;
use super::distribution::Failure;
use super::evaluate::{Evaluator, at};
use super::families::cumulants_of;
use super::fraction::Fraction;
use super::laws::Law;
use super::number::{Fault, Number};
use super::scope::Scope;
use super::value::Value;
use super::{not_supported, predefined, truncated};
use crate::diagnostic::{Diagnostic, Span};
use crate::law::Sampled;
use crate::syntax::tree::{Expr, ExprKind, Name};

/// Draws of a truncated law that are thrown away before it counts as impossible.
const MAX_TRIES: usize = 100_000;

impl<'m> Evaluator<'m> {
    /// The value that `work` computes, and whether chance had a part in it.
    pub(super) fn drawing<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<(T, bool), Diagnostic> {
        let before = self.draws;
        let value = work(self)?;
        Ok((value, self.draws > before))
    }

    /// True if a law was drawn so far.
    pub fn has_drawn(&self) -> bool {
        self.draws > 0
    }

    /// A scalar that no chance has a part in.
    pub(super) fn fixed(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        match self.drawing(|evaluator| evaluator.scalar(expr, scope))? {
            (number, false) => Ok(number),
            (_, true) => Err(Diagnostic::error(
                "expected a scalar, found a law",
                expr.span,
                "this is random",
            )
            .hint("`E(X)` is the mean of a law")),
        }
    }

    /// A draw of the predefined law `name`.
    pub(super) fn law(
        &mut self,
        name: &'m Name,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        if is_mixture(name, arguments) {
            let parts = self.mixture(name, arguments, span, scope)?;
            let (weights, laws): (Vec<Number>, Vec<&Expr>) = parts.into_iter().unzip();
            self.draws += 1;
            let chosen = self
                .chance
                .choose(&weights)
                .map_err(|fault| random(fault, span))?;
            return Ok(self.scalar(laws[chosen], scope)?.into());
        }
        if name.text == "truncated" {
            return Ok(self.truncated(arguments, span, scope)?.into());
        }
        let draw = match self.samples(name, arguments)? {
            Some(samples) => {
                self.draws += 1;
                self.chance.draw_sample(samples)
            }
            None => {
                let law = self.predefined_law(name, arguments, span, scope)?;
                self.draws += 1;
                self.chance.draw(&law)
            }
        };
        Ok(draw.map_err(|fault| random(fault, span))?.into())
    }

    /// The cumulants of the predefined law `name`.
    pub(super) fn cumulants_of_law(
        &mut self,
        name: &'m Name,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        if let Some(samples) = self.samples(name, arguments)? {
            return Ok(Cumulants::of_samples(samples));
        }
        if name.text == "truncated" {
            return self.cumulants_between_bounds(arguments, span, scope);
        }
        if name.text == "residual" {
            let whole = self.cumulants(&arguments[0], scope)?;
            return at(whole.residual(), span);
        }
        if !is_mixture(name, arguments) {
            let law = self.predefined_law(name, arguments, span, scope)?;
            return at(cumulants_of(&law), span);
        }
        let mut parts = Vec::new();
        for (weight, law) in self.mixture(name, arguments, span, scope)? {
            parts.push((weight, self.cumulants(law, scope)?));
        }
        Ok(Cumulants::mixture(&parts))
    }

    /// The cumulants of `truncated(X, a, b)`, where X is a predefined law.
    fn cumulants_between_bounds(
        &mut self,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let unknown = || {
            not_supported("the cumulants of a truncated law", span)
                .hint("by definition they are known where the law has few values")
        };
        let ExprKind::Call(family, parameters) = &arguments[0].kind else {
            return Err(unknown());
        };
        if is_mixture(family, parameters) || predefined::law(&family.text).is_none() {
            return Err(unknown());
        }
        let law = self.predefined_law(family, parameters, arguments[0].span, scope)?;
        let bounds = arguments[1..].iter().map(|bound| self.fixed(bound, scope));
        let bounds = bounds.collect::<Result<Vec<Number>, Diagnostic>>()?;
        let found = truncated::cumulants(&law, &bounds[0], bounds.get(1)).map_err(|_| unknown())?;
        found.ok_or_else(|| never_between(span))
    }

    /// The samples of a call of `empirical` with a file.
    pub(super) fn samples(
        &self,
        name: &Name,
        arguments: &[Expr],
    ) -> Result<Option<&'m Sampled>, Diagnostic> {
        match arguments.first() {
            Some(file) if name.text == "empirical" && matches!(file.kind, ExprKind::Text(_)) => {
                let samples = self.model.samples(file.span);
                let unread = || not_supported("a file that was not read", file.span);
                samples.map(|s| Some(s.as_ref())).ok_or_else(unread)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn predefined_law(
        &mut self,
        name: &'m Name,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Law, Diagnostic> {
        let numbers: Result<Vec<Number>, _> =
            arguments.iter().map(|a| self.fixed(a, scope)).collect();
        match Law::new(&name.text, numbers?) {
            Some(Ok(law)) => Ok(law),
            Some(Err(misuse)) => {
                let place = arguments.get(misuse.argument).map_or(span, |a| a.span);
                let label = "outside of the domain of the law";
                Err(Diagnostic::error(misuse.message, place, label))
            }
            None => Err(not_supported(
                &format!("the law `{}`", name.text),
                name.span,
            )),
        }
    }

    /// A draw of `truncated(X, a, b)`: of X, given that it lies between a and b.
    fn truncated(
        &mut self,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let law = &arguments[0];
        let bounds = arguments[1..].iter().map(|bound| self.fixed(bound, scope));
        let bounds = bounds.collect::<Result<Vec<Number>, Diagnostic>>()?;
        let inside = |value: &Number| {
            bounds[0].order(value).is_le()
                && bounds.get(1).is_none_or(|upper| value.order(upper).is_le())
        };
        self.draws += 1;
        if matches!(self.chance, Chance::Enumeration(_)) {
            let all = self.enumerate(law.span, |evaluator| evaluator.scalar(law, scope));
            let all = match all {
                Ok(distribution) => distribution.outcomes,
                Err(failure) => {
                    if matches!(failure, Failure::NotEnumerable(_)) {
                        self.chance.refuse();
                    }
                    return Err(failure.into());
                }
            };
            let inside = all.into_iter().filter(|(value, _)| inside(value));
            let (mut values, masses): (Vec<Number>, Vec<Fraction>) = inside.unzip();
            let total: Fraction = masses.iter().sum();
            if values.is_empty() {
                return Err(never_between(span));
            }
            let weights = masses.into_iter().map(|mass| Number::Exact(mass / &total));
            let weights: Vec<Number> = weights.collect();
            let chosen = self.chance.choose(&weights);
            return Ok(values.swap_remove(chosen.map_err(|fault| random(fault, span))?));
        }
        for _ in 0..MAX_TRIES {
            let value = self.scalar(law, scope)?;
            if inside(&value) {
                return Ok(value);
            }
        }
        Err(never_between(span))
    }

    /// `mixture(w1, X1, ..., wn, Xn)`: weights, which add up to 1, and laws.
    pub(super) fn mixture(
        &mut self,
        name: &Name,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Vec<(Number, &'m Expr)>, Diagnostic> {
        if name.text == "empirical" {
            let share = Fraction::new(1, arguments.len() as i64);
            let parts = arguments.iter();
            return Ok(parts.map(|x| (Number::Exact(share.clone()), x)).collect());
        }
        let mut parts = Vec::new();
        let mut total = Number::zero();
        for pair in arguments.chunks_exact(2) {
            let weight = self.fixed(&pair[0], scope)?;
            if weight.order(&Number::zero()).is_lt() {
                let message =
                    format!("a weight of the `mixture` is {weight}, expected a number from 0 to 1");
                return Err(Diagnostic::error(message, pair[0].span, "below 0"));
            }
            total = at(total.add(&weight), span)?;
            parts.push((weight, &pair[1]));
        }
        if !adds_up(&total) {
            let message = format!("the weights of the `mixture` add up to {total}");
            return Err(Diagnostic::error(message, span, "they must add up to 1"));
        }
        Ok(parts)
    }
}

/// True if a call stands for one of several laws: a mixture, or samples that are equally likely.
pub(super) fn is_mixture(name: &Name, arguments: &[Expr]) -> bool {
    let text = |argument: &Expr| matches!(argument.kind, ExprKind::Text(_));
    match name.text.as_str() {
        "mixture" => true,
        "empirical" => !arguments.iter().any(text),
        _ => false,
    }
}

/// True if probabilities with this sum are all; those that are rounded may miss 1 by little.
fn adds_up(total: &Number) -> bool {
    match total {
        Number::Exact(_) => total.is_one(),
        Number::Real(total) => (total.value - 1.0).abs() < 1e-9,
    }
}

fn never_between(span: Span) -> Diagnostic {
    let message = "the law has no values between these bounds";
    Diagnostic::error(message, span, "truncated here")
}

fn random(fault: Fault, span: Span) -> Diagnostic {
    Diagnostic::error(fault, span, "this is random")
        .hint("a random value has a distribution and moments: `E(X)` is its mean")
}
