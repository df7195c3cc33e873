//! Several expressions at one point.

use std::collections::HashMap;

use super::{EvalError, Evaluator, Frame, Limits};
use crate::eval::value::{Bindings, Value};
use crate::expr::{Arena, ExprId};
use crate::law::Carrier;

/// Values of expressions of one arena at one point; what several of them share is computed once.
pub struct Evaluation<'a>(Evaluator<'a>);

impl<'a> Evaluation<'a> {
    pub fn new(
        arena: &'a Arena,
        bindings: &'a Bindings,
        limits: Limits,
        carrier: Carrier,
    ) -> Evaluation<'a> {
        Evaluation(Evaluator {
            arena,
            bindings,
            limits,
            carrier,
            steps: 0,
            frames: vec![Frame::default()],
            arrays: HashMap::new(),
        })
    }

    /// Of which arena expressions are evaluated.
    pub fn arena(&self) -> &'a Arena {
        self.0.arena
    }

    /// The value of `id`; each expression may take as many steps as the limits say.
    ///
    /// # Errors
    /// As [`evaluate`](super::evaluate).
    pub fn value(&mut self, id: ExprId) -> Result<Value, EvalError> {
        self.0.steps = 0;
        self.0.frames.truncate(1); // an error leaves the scopes in which it arose
        self.0.value(id)
    }
}
