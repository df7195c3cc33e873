//! Evaluates several expressions at one point.

use rustc_hash::FxHashMap;

use super::{EvalError, Evaluator, Frame, Limits};
use crate::eval::paths::{PathBounds, PathLaws, StandardErrors};
use crate::eval::{Bindings, Number, Value};
use crate::expr::{Arena, ExprId};
use crate::law::Carrier;

/// Evaluates expressions of one arena at one point; shared parts are computed once.
pub struct Evaluation<'a>(Evaluator<'a>);

impl<'a> Evaluation<'a> {
    pub fn new(arena: &'a Arena, bindings: &'a Bindings, carrier: Carrier) -> Evaluation<'a> {
        Evaluation(Evaluator {
            arena,
            bindings,
            limits: Limits { steps: 0 },
            carrier,
            paths: PathLaws::default(),
            known_paths: FxHashMap::default(),
            steps: 0,
            frames: vec![Frame::default()],
            arrays: FxHashMap::default(),
        })
    }

    /// Sets how longest paths of random tasks are evaluated.
    pub fn with_paths(mut self, paths: PathLaws) -> Evaluation<'a> {
        self.0.paths = paths;
        self
    }

    /// The standard errors of a law that was estimated by samples of longest paths, once it has a
    /// value.
    pub fn standard_errors(&mut self, id: ExprId) -> Option<StandardErrors> {
        self.0.standard_errors(id)
    }

    /// Bounds of a law that contains longest paths of random tasks.
    ///
    /// Returns `None` if the law contains no longest paths, or if it may decrease when they increase.
    ///
    /// # Errors
    /// Fails like [`evaluate`](super::evaluate).
    pub fn bounds(&mut self, id: ExprId, limits: Limits) -> Result<Option<PathBounds>, EvalError> {
        self.0.steps = 0;
        self.0.limits = limits;
        self.0.frames.truncate(1);
        self.0.path_bounds(id)
    }

    /// The arena of the expressions.
    pub fn arena(&self) -> &'a Arena {
        self.0.arena
    }

    /// Number of steps of the last value.
    pub fn steps(&self) -> u64 {
        self.0.steps
    }

    /// Evaluates `id` within the limits.
    ///
    /// # Errors
    /// Fails like [`evaluate`](super::evaluate).
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
