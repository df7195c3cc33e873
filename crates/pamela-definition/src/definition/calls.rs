//! Caches calls of an equation with equal arguments.
//!
//! An argument is evaluated on first use, and an unused one may have no value. A call is therefore cached only if the
//! form of the callee shows that it needs all arguments.

use super::fraction::Fraction;
use super::memory::{Calls, Quantity, Results};
use super::scope::{Local, Scope, find, locals};

use super::MOST_FORMALS;
use super::chance::Chance;
use super::evaluate::Evaluator;
use super::number::Number;
use super::value::Value;
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::Type;

/// More calls are not kept.
const MOST_KEPT: usize = 500_000;

impl<'m> Evaluator<'m> {
    /// The quantity `asked` of the equation at `position`, called with the arguments of `scope`. `work` evaluates it
    /// unless the result is cached.
    pub(super) fn call_of<T: Clone>(
        &mut self,
        (asked, position, scope): (Quantity, usize, &Scope<'m>),
        kept: impl Fn(&mut Calls) -> &mut Results<T>,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let Some(arguments) = self.needed_arguments(asked, position, scope)? else {
            return work(self);
        };
        let call = (asked, position, arguments);
        if let Some(known) = kept(&mut self.calls).get(&call) {
            return Ok(known.clone());
        }
        let (value, drawn) = self.drawing(work)?;
        let kept = kept(&mut self.calls);
        if !drawn && kept.len() < MOST_KEPT {
            kept.insert(call, value.clone());
        }
        Ok(value)
    }

    /// The arguments of a call that is kept; `None` for another one.
    fn needed_arguments(
        &mut self,
        asked: Quantity,
        position: usize,
        scope: &Scope<'m>,
    ) -> Result<Option<Vec<(Fraction, bool)>>, Diagnostic> {
        // Random values are drawn for each call.
        if !matches!(self.chance, Chance::None) {
            return Ok(None);
        }
        let model = self.model;
        let needs = match asked {
            Quantity::Demand => model.needs(position).demand,
            _ => model.needs(position).other,
        };
        let formals = model.equations()[position].formals.len();
        if formals > MOST_FORMALS || (1_u64 << formals) - 1 != u64::from(needs) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(formals);
        for local in locals(scope) {
            let (value, truth) = match local {
                Local::Index(index) => (index.clone(), false),
                Local::Argument(argument) => {
                    let Value::Scalar(value) = self.argument(&argument)? else {
                        return Ok(None);
                    };
                    (value, self.is_true_or_false(&argument))
                }
            };
            match value {
                Number::Exact(value) => values.push((value, truth)),
                Number::Real(_) => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// The equation that a call of a process in `scope` refers to.
    pub(super) fn called_process(&self, name: &str, scope: &Scope<'m>) -> Option<usize> {
        let position = self.model.position(name)?;
        let is_process = self.model.equations()[position].kind == Type::Process;
        (is_process && find(scope, name).is_none()).then_some(position)
    }
}
