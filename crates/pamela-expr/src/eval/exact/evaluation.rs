//! Several expressions at one point.

use std::collections::HashMap;

use super::{EvalError, Evaluator, Frame, Limits};
use crate::eval::paths::{PathBounds, PathLaws, StandardErrors};
use crate::eval::value::{Bindings, Number, Value};
use crate::expr::{Arena, ExprId};
use crate::law::Carrier;

/// Values of expressions of one arena at one point; what several of them share is computed once.
pub struct Evaluation<'a>(Evaluator<'a>);

impl<'a> Evaluation<'a> {
    pub fn new(arena: &'a Arena, bindings: &'a Bindings, carrier: Carrier) -> Evaluation<'a> {
        Evaluation(Evaluator {
            arena,
            bindings,
            limits: Limits { steps: 0 },
            carrier,
            paths: PathLaws::default(),
            known_paths: HashMap::new(),
            steps: 0,
            frames: vec![Frame::default()],
            arrays: HashMap::new(),
        })
    }

    /// The same, where longest paths of random tasks have their laws in this way.
    pub fn with_paths(mut self, paths: PathLaws) -> Evaluation<'a> {
        self.0.paths = paths;
        self
    }

    /// The standard errors of a law that was found by samples of longest paths, once it has its value.
    pub fn standard_errors(&mut self, id: ExprId) -> Option<StandardErrors> {
        self.0.standard_errors(id)
    }

    /// Bounds of a law in which there are longest paths of random tasks; none where there are none, or where it may
    /// fall as they grow.
    ///
    /// # Errors
    /// As [`evaluate`](super::evaluate).
    pub fn bounds(&mut self, id: ExprId, limits: Limits) -> Result<Option<PathBounds>, EvalError> {
        self.0.steps = 0;
        self.0.limits = limits;
        self.0.frames.truncate(1);
        self.0.path_bounds(id)
    }

    /// Of which arena expressions are evaluated.
    pub fn arena(&self) -> &'a Arena {
        self.0.arena
    }

    /// The steps that the last value took.
    pub fn steps(&self) -> u64 {
        self.0.steps
    }

    /// The value of `id`, in as many steps as the limits say.
    ///
    /// # Errors
    /// As [`evaluate`](super::evaluate).
    pub fn value(&mut self, id: ExprId, limits: Limits) -> Result<Value, EvalError> {
        self.0.steps = 0;
        self.0.limits = limits;
        self.0.frames.truncate(1); // an error leaves the scopes in which it arose
        Ok(match self.0.value(id)? {
            Value::Law(law) => match law.as_certain().map(Number::real) {
                Some(Ok(number)) => Value::Scalar(number),
                _ => Value::Law(law),
            },
            value => value,
        })
    }
}
