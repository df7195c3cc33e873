//! Exact evaluation at one point.
//!
//! Each expression is computed once for each combination of the indices that it mentions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::EvalError;
use super::certified::Step;
use super::paths::{KnownPath, PathLaws};
use super::{Bindings, Number, Value, Vector};
use crate::expr::{
    Arena, ExprId, Function, GraphPart, Node, ReduceKind, Reduction, Symbol, SymbolKind, base_of,
};
use crate::law::Carrier;
use crate::operators::{Domain, modulo};
use crate::ring::Rational;
use crate::special::Halves;
use crate::with_stack;

mod blocks;
mod evaluation;
mod graphs;
mod powers;
mod reductions;

pub use evaluation::Evaluation;
use powers::cost_of_power;
use reductions::{join, larger, smaller};

/// The array whose components a list names.
const PREDEFINED_ARRAY: &str = "fcfs";

/// Limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of operations, counting each iteration.
    pub steps: u64,
}

impl Default for Limits {
    /// Some ten seconds.
    fn default() -> Limits {
        Limits { steps: 20_000_000 }
    }
}

/// Evaluates `id`; open reductions are looped over.
///
/// # Errors
/// Fails if the expression is undefined, if a parameter has no value, or if a limit is exceeded.
pub fn evaluate(
    arena: &Arena,
    id: ExprId,
    bindings: &Bindings,
    limits: Limits,
) -> Result<Value, EvalError> {
    evaluate_by(arena, id, bindings, limits, Carrier::default())
}

/// Like [`evaluate`], with this representation of laws.
///
/// # Errors
/// Fails like [`evaluate`].
pub fn evaluate_by(
    arena: &Arena,
    id: ExprId,
    bindings: &Bindings,
    limits: Limits,
    carrier: Carrier,
) -> Result<Value, EvalError> {
    Evaluation::new(arena, bindings, carrier).value(id, limits)
}

/// An operation on canonical forms takes as long as this many operations on fractions.
const IRRATIONAL_STEPS: u64 = 32;

/// The scope of one index, with results for its current value.
#[derive(Default)]
struct Frame {
    index: Option<(Symbol, Number)>,
    known: FxHashMap<ExprId, Value>,
}

pub(super) struct Evaluator<'a> {
    pub(super) arena: &'a Arena,
    bindings: &'a Bindings,
    limits: Limits,
    /// Representation of laws.
    pub(super) carrier: Carrier,
    pub(super) paths: PathLaws,
    /// Known longest paths of random tasks that depend on no index.
    pub(super) known_paths: FxHashMap<ExprId, KnownPath>,
    steps: u64,
    /// Frames of indices; the first has none.
    frames: Vec<Frame>,
    arrays: FxHashMap<Symbol, Arc<str>>,
}

fn sort_mismatch() -> EvalError {
    EvalError::Undefined("a vector where a scalar is expected, or the reverse".into())
}

impl Evaluator<'_> {
    pub(super) fn value(&mut self, id: ExprId) -> Result<Value, EvalError> {
        match self.arena.node(id) {
            Node::Number(value) => return Ok(value.clone().into()),
            Node::Symbol(symbol) => return self.symbol(*symbol),
            _ => {}
        }
        let frame = self.frame_of(id);
        if let Some(value) = self.frames[frame].known.get(&id) {
            return Ok(value.clone());
        }
        self.step()?;
        let value = with_stack(|| self.compute(id))?;
        self.frames[frame].known.insert(id, value.clone());
        Ok(value)
    }

    fn step(&mut self) -> Result<(), EvalError> {
        self.charge_steps(1)
    }

    /// Counts steps inside an operation.
    pub(super) fn charge_steps(&mut self, steps: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(EvalError::TooManySteps(self.limits.steps));
        }
        Ok(())
    }

    /// Counts the steps that are hidden in a special function.
    fn charge(&mut self, function: Function, operand: &Number) -> Result<(), EvalError> {
        if function.row().domain == Domain::Counts {
            self.charge_steps(operand.to_f64().min(1e5) as u64)?;
        }
        Ok(())
    }

    /// The floor or the ceiling of a root or of a logarithm of exact numbers, or whether it is whole, where doubles decide it: a
    /// hundred times as fast as canonical forms.
    fn decided_by_doubles(
        &mut self,
        function: Function,
        operand: ExprId,
    ) -> Result<Option<Number>, EvalError> {
        let Some(step) = Step::of(self.arena, function, operand) else {
            return Ok(None);
        };
        let mut values = Vec::with_capacity(2);
        for operand in step.operands() {
            match self.number(operand)? {
                Number::Exact(value) => values.push(value),
                Number::Real(_) => return Ok(None),
            }
        }
        Ok(step.value(&values).map(Number::Exact))
    }

    /// True if the expression mentions no index.
    pub(super) fn is_outermost(&self, id: ExprId) -> bool {
        self.frame_of(id) == 0
    }

    /// Forgets all values, so that they are computed in another way.
    pub(super) fn forget_values(&mut self) {
        self.frames.iter_mut().for_each(|frame| frame.known.clear());
    }

    /// The innermost scope whose index the expression mentions.
    fn frame_of(&self, id: ExprId) -> usize {
        let mentioned = |frame: &Frame| match &frame.index {
            Some((symbol, _)) => self.arena.mentions(id, *symbol),
            None => true,
        };
        self.frames.iter().rposition(mentioned).unwrap_or(0)
    }

    pub(super) fn symbol(&self, symbol: Symbol) -> Result<Value, EvalError> {
        let index = |frame: &Frame| {
            let (own, value) = frame.index.as_ref()?;
            (*own == symbol).then(|| Value::Scalar(value.clone()))
        };
        if let Some(value) = self.frames.iter().rev().find_map(index) {
            return Ok(value);
        }
        let Some(name) = self.arena.symbol_name(symbol) else {
            return Err(EvalError::Undefined("an index outside its range".into()));
        };
        if base_of(name).is_some() {
            return Ok(Rational::ONE.into());
        }
        let value = self.bindings.get(name).cloned();
        value.ok_or_else(|| EvalError::Unbound(name.to_owned()))
    }

    pub(super) fn number(&mut self, id: ExprId) -> Result<Number, EvalError> {
        match self.value(id)? {
            Value::Scalar(number) => Ok(number),
            Value::Vector(_) | Value::Law(_) => Err(sort_mismatch()),
        }
    }

    fn vector(&mut self, id: ExprId) -> Result<Vector, EvalError> {
        match self.value(id)? {
            Value::Vector(vector) => Ok(vector),
            Value::Scalar(_) | Value::Law(_) => Err(sort_mismatch()),
        }
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    fn compute(&mut self, id: ExprId) -> Result<Value, EvalError> {
        let arena = self.arena;
        if arena.is_law(id) {
            return self.compute_law(id);
        }
        let scalar = |number| Ok(Value::Scalar(number));
        match arena.node(id) {
            Node::Number(value) => Ok(value.clone().into()),
            Node::Symbol(symbol) => self.symbol(*symbol),
            Node::Add(list) => self.sum_of(list),
            Node::Max(list) => self.fold(list, larger),
            Node::Min(list) => self.fold(list, smaller),
            Node::Mul(list) => self.product(list),
            Node::Pow(base, exponent) => {
                let result = self.power_of(*base, *exponent)?;
                self.charge_steps(match &result {
                    Number::Exact(power) => cost_of_power(power),
                    Number::Real(_) => IRRATIONAL_STEPS,
                })?;
                scalar(result)
            }
            Node::Mod(a, b) => scalar(modulo(&self.number(*a)?, &self.number(*b)?)?),
            Node::Operate(operation, operands) => {
                let operands: Result<Vec<Number>, EvalError> = operands
                    .iter()
                    .map(|&operand| self.number(operand))
                    .collect();
                let (value, steps) = (operation.row().value)(&operands?)?;
                self.charge_steps(steps).and(scalar(value))
            }
            Node::Compare(relation, a, b) => {
                let order = self.number(*a)?.compare(&self.number(*b)?)?;
                Ok(i64::from(relation.holds(order)).into())
            }
            Node::Apply(function, operand) => {
                if let Some(known) = self.decided_by_doubles(*function, *operand)? {
                    return scalar(known);
                }
                match self.value(*operand)? {
                    Value::Scalar(number) => {
                        self.charge(*function, &number)?;
                        let result = function.value(&number)?;
                        if let (Number::Real(_), _) | (_, Number::Real(_)) = (&number, &result) {
                            self.charge_steps(IRRATIONAL_STEPS)?;
                        }
                        scalar(result)
                    }
                    Value::Vector(vector) => {
                        Ok(Value::Vector(vector.map(|number| function.value(number))?))
                    }
                    Value::Law(_) => Err(sort_mismatch()),
                }
            }
            Node::If(condition, then, otherwise) => {
                let holds = !self.number(*condition)?.is_zero();
                self.value(if holds { *then } else { *otherwise })
            }
            Node::Reduce(Reduction {
                kind: ReduceKind::Each,
                ..
            })
            | Node::Graph(GraphPart::Task | GraphPart::After(_) | GraphPart::AfterAll(_), _) => {
                Err(sort_mismatch())
            }
            Node::Graph(GraphPart::LongestPath(_), families) => {
                scalar(self.longest_path(families)?)
            }
            Node::Reduce(reduction) => self.reduction(reduction, arena.sort(id)),
            Node::Vector(list) => {
                let elements: Result<Vec<Number>, EvalError> =
                    list.iter().map(|&element| self.number(element)).collect();
                Ok(Value::Vector(Vector::list(
                    PREDEFINED_ARRAY.into(),
                    elements?,
                )))
            }
            Node::UnitVector(array, index) => {
                let index = self.position(*index)?;
                Ok(Value::Vector(Vector::unit(self.array(*array), index)))
            }
            Node::VectorMax(vector) => scalar(self.vector(*vector)?.largest()),
            Node::Law(..) => self.compute_law(id),
            Node::Call(function, _) => {
                let name = arena.symbol_name(*function).unwrap_or_default();
                Err(EvalError::Unbound(name.to_owned()))
            }
            Node::Cumulant(order, law) => self.cumulant(*order, *law),
            Node::Quantile(law, q) => self.quantile(*law, *q),
            Node::Probability(side, law, t) => self.probability(*side, *law, *t),
        }
    }

    /// Evaluates an index of an array.
    pub(super) fn position(&mut self, id: ExprId) -> Result<Rational, EvalError> {
        let undefined = || EvalError::Undefined("an index that has no exact value".into());
        self.number(id)?.as_exact().cloned().ok_or_else(undefined)
    }

    fn array(&mut self, symbol: Symbol) -> Arc<str> {
        let arena = self.arena;
        let name = || match arena.symbol_kind(symbol) {
            SymbolKind::Named(name) => name.as_str().into(),
            _ => PREDEFINED_ARRAY.into(),
        };
        self.arrays.entry(symbol).or_insert_with(name).clone()
    }

    fn fold(
        &mut self,
        list: &[ExprId],
        combine: fn(&Number, &Number) -> Result<Number, EvalError>,
    ) -> Result<Value, EvalError> {
        let mut values = Halves::default();
        for &operand in list {
            let value = self.value(operand)?;
            values.push(value, |a, b| self.joined(a, b, combine))?;
        }
        let result = values.finish(|a, b| self.joined(a, b, combine))?;
        Ok(result.unwrap_or_else(|| Rational::ZERO.into()))
    }

    fn product(&mut self, list: &[ExprId]) -> Result<Value, EvalError> {
        let mut scale = Number::Exact(Rational::ONE);
        let mut vector = None;
        for &factor in list {
            match self.value(factor)? {
                Value::Scalar(number) => {
                    scale = scale.multiply(&number)?;
                    self.charge_steps(scale.cost())?;
                }
                Value::Law(_) => return Err(sort_mismatch()),
                Value::Vector(own) => {
                    vector = Some(match vector {
                        None => own,
                        Some(other) => own.combine(other, Number::multiply)?,
                    });
                }
            }
        }
        Ok(match vector {
            None => Value::Scalar(scale),
            Some(vector) => Value::Vector(vector.map(|number| number.multiply(&scale))?),
        })
    }

    /// Combines two neighbours; long numbers and vectors count as many steps.
    fn joined(
        &mut self,
        left: Value,
        right: Value,
        combine: fn(&Number, &Number) -> Result<Number, EvalError>,
    ) -> Result<Value, EvalError> {
        let value = join(left, right, combine)?;
        self.charge_steps(value.cost())?;
        Ok(value)
    }
}
