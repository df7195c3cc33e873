//! Several expressions at one point.

use std::collections::HashMap;

use super::{EvalError, Evaluator, Frame, Limits};
use crate::eval::value::{Bindings, Value};
use crate::expr::{Arena, ExprId};
use crate::law::Carrier;

/// Values of expressions of one arena at one point; what several of them share is computed once.
pub struct Evaluation<'a> {
    arena: &'a Arena,
    bindings: &'a Bindings,
    limits: Limits,
    carrier: Carrier,
    known: HashMap<ExprId, Value>,
}

impl<'a> Evaluation<'a> {
    pub fn new(
        arena: &'a Arena,
        bindings: &'a Bindings,
        limits: Limits,
        carrier: Carrier,
    ) -> Evaluation<'a> {
        Evaluation {
            arena,
            bindings,
            limits,
            carrier,
            known: HashMap::new(),
        }
    }

    /// Of which arena expressions are evaluated.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The value of `id`; each expression may take as many steps as the limits say.
    ///
    /// # Errors
    /// As [`evaluate`].
    pub fn value(&mut self, id: ExprId) -> Result<Value, EvalError> {
        let outermost = Frame {
            index: None,
            known: std::mem::take(&mut self.known),
        };
        let mut evaluator = Evaluator {
            arena: self.arena,
            bindings: self.bindings,
            limits: self.limits,
            carrier: self.carrier,
            steps: 0,
            frames: vec![outermost],
            arrays: HashMap::new(),
        };
        let value = evaluator.value(id);
        self.known = evaluator.frames.swap_remove(0).known;
        value
    }
}
