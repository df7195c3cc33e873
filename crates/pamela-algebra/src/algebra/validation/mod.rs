//! Translation validation: compares each closed form with the expression that it replaces, exactly.
//!
//! It uses a few points where mistakes are most likely. It proves nothing and shares no code with the rules.

mod describe;
mod points;
mod program;
mod state;
mod tolerance;

use crate::expr::{Arena, ExprId, LawKind, Node, Sort, Symbol, SymbolKind};
use crate::ring::Rational;
use pamela_expr::eval::{Bindings, EvalError, Evaluation, Limits, Number, Value};

use describe::{moments, text};
use points::{Draws, Points, indices, nodes};
use program::Program;
use state::{Budget, Fault};
use tolerance::{
    LAWS_WITHIN, PARTS_OF_COPIES_WITHIN, cumulant_within, has_parts_of_copies, is_near,
    same_numbers,
};

/// Points per claim: twice as many would find a twentieth more errors.
const POINTS: usize = 48;
/// Points of a claim about laws: a sum of two takes as long as thousands of numbers.
const POINTS_OF_LAWS: usize = 2;
/// Limit on operations on laws for all claims of one model together.
pub const LAW_OPERATIONS: usize = 16;
/// An operation on alternatives takes as long as this many others.
const CHOICE: usize = 16;
/// Points after which a claim counts as checked, for each combination of cases seen.
const POINTS_OF_A_CASE: usize = 24;
/// Limits on loop iterations: at one point, and at all points of a claim.
const ITERATIONS_OF_A_POINT: u64 = 500;
const ITERATIONS: u64 = 4_000;
/// Points that may take too long beyond those that are compared: loops over large constants are long at all points.
const MOST_GIVEN_UP: usize = 4;
/// Limit on the operations of one side at one point.
const STEPS_OF_A_POINT: u64 = 20_000;
/// Values that are not rational, each of which takes as long as a hundred others.
const MOST_IRRATIONAL: usize = 16;

/// The claim that two expressions have one value where facts and conditions hold.
#[derive(Clone, Copy)]
pub struct Claim<'c> {
    pub facts: &'c [ExprId],
    pub conditions: &'c [ExprId],
    pub left: ExprId,
    pub right: ExprId,
}

/// A point at which a claim is wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Values of the parameters, then of the free indices.
    pub parameters: Vec<(Symbol, Rational)>,
    pub indices: Vec<(Symbol, Rational)>,
    /// The value by the definition.
    pub expected: String,
    /// Value of the closed form; `None` if it has none.
    pub found: Option<String>,
}

impl Counterexample {
    /// The values of parameters by name.
    pub fn named(&self, arena: &Arena) -> Vec<(String, Rational)> {
        let named = self.parameters.iter().filter_map(|(symbol, value)| {
            Some((arena.symbol_name(*symbol)?.to_string(), value.clone()))
        });
        named.collect()
    }
}

/// Result of checking a claim.
pub enum Verdict {
    /// No point refutes the claim; both sides have a value at this many points.
    Agrees {
        points: usize,
    },
    Refuted(Box<Counterexample>),
}

/// Searches for a point that refutes a claim; subtracts its operations on laws from `law_operations`.
pub fn validate(arena: &Arena, claim: Claim<'_>, law_operations: &mut usize) -> Verdict {
    validate_where(arena, claim, law_operations, &mut |_| true)
}

/// Like [`validate`], for a claim that need not hold outside a domain. The domain is tested only if both sides
/// differ.
pub fn validate_where(
    arena: &Arena,
    claim: Claim<'_>,
    law_operations: &mut usize,
    is_inside: &mut dyn FnMut(&Counterexample) -> bool,
) -> Verdict {
    if claim.left == claim.right {
        return Verdict::Agrees { points: 0 };
    }
    match Comparison::new(arena, claim) {
        Some(comparison) => comparison.run(law_operations, is_inside),
        None => Verdict::Agrees { points: 0 },
    }
}

/// Values at the current point: by compiled code if they are rational, else by the general evaluator.
pub struct Evaluator<'a> {
    program: Program<'a>,
    names: Vec<String>,
    values: Vec<Rational>,
    has_laws: bool,
    /// Relative tolerance for values that are computed from laws, their means among them.
    tolerance: f64,
    /// Relative tolerance for variances of laws.
    variance_tolerance: f64,
    /// Number of values that the compiled program could not compute.
    irrational: usize,
}

impl<'a> Evaluator<'a> {
    fn arena(&self) -> &'a Arena {
        self.program.arena()
    }

    fn begin(&mut self, values: &[Rational]) {
        self.values = values.to_vec();
        self.program.begin(values);
    }

    fn value(&mut self, id: ExprId, iterations: &mut u64) -> Result<Value, Fault> {
        match self.rational_within(id, iterations) {
            Err(Fault::Irrational) => {}
            other => return other.map(Value::from),
        }
        let bindings = self.bindings();
        let mut evaluation = Evaluation::new(self.arena(), &bindings, Default::default());
        self.evaluated(&mut evaluation, id, iterations)
    }

    /// The value by compiled code.
    fn rational_within(&mut self, id: ExprId, iterations: &mut u64) -> Result<Rational, Fault> {
        let mut budget = Budget {
            iterations: *iterations,
            steps: STEPS_OF_A_POINT,
        };
        let value = self.program.value(id, &mut budget);
        *iterations = budget.iterations;
        value
    }

    fn bindings(&self) -> Bindings {
        let named = self.names.iter().cloned();
        named
            .zip(self.values.iter().cloned().map(Value::from))
            .collect()
    }

    /// The value by the evaluator of everything.
    fn evaluated(
        &mut self,
        evaluation: &mut Evaluation,
        id: ExprId,
        iterations: &mut u64,
    ) -> Result<Value, Fault> {
        self.irrational += 1;
        let limits = Limits {
            steps: if self.has_laws {
                STEPS_OF_A_POINT / 20
            } else {
                STEPS_OF_A_POINT
            },
        };
        let value = evaluation.value(id, limits);
        // What the program counts as iterations.
        *iterations = iterations.saturating_sub(evaluation.steps() / 10);
        value.map_err(|error| match error {
            EvalError::Undefined(_) => Fault::Undefined,
            _ => Fault::GivenUp,
        })
    }

    /// The values of two sides; no second one if the first one fails. What both sides contain is computed once.
    fn sides(
        &mut self,
        [left, right]: [ExprId; 2],
        iterations: &mut u64,
    ) -> (Result<Value, Fault>, Option<Result<Value, Fault>>) {
        if !self.has_laws {
            match self.rational_within(left, iterations) {
                Err(Fault::Irrational) => {}
                Err(fault) => return (Err(fault), None),
                Ok(expected) => {
                    let _ = self.program.take_cases();
                    return (Ok(expected.into()), Some(self.value(right, iterations)));
                }
            }
        }
        let bindings = self.bindings();
        let mut evaluation = Evaluation::new(self.arena(), &bindings, Default::default());
        let expected = self.evaluated(&mut evaluation, left, iterations);
        let found = (expected.is_ok()).then(|| self.evaluated(&mut evaluation, right, iterations));
        (expected, found)
    }

    fn holds(&mut self, condition: ExprId) -> bool {
        match self.value(condition, &mut ITERATIONS_OF_A_POINT.clone()) {
            Ok(Value::Scalar(number)) => !number.is_zero(),
            _ => false,
        }
    }

    fn rational(&mut self, id: ExprId) -> Option<Rational> {
        match self.value(id, &mut ITERATIONS_OF_A_POINT.clone()) {
            Ok(Value::Scalar(Number::Exact(value))) => Some(value),
            _ => None,
        }
    }
}

/// One claim while it is looked at.
struct Comparison<'a, 'c> {
    claim: Claim<'c>,
    evaluator: Evaluator<'a>,
    points: Points,
    /// Free indices, outermost first.
    indices: Vec<Symbol>,
    /// Facts about single parameters, which candidates fulfil.
    alone: Vec<ExprId>,
    /// Other facts and conditions on parameters, and those that mention free indices.
    outer: Vec<ExprId>,
    inner: Vec<ExprId>,
    compared: usize,
    /// Loop iterations left for all points.
    iterations: u64,
    /// Operations on laws at each point.
    law_operations: usize,
    /// Hashes of the combinations of cases seen.
    cases: rustc_hash::FxHashSet<u64>,
}

/// Result of comparing the two sides at one point.
enum Comparand {
    /// Conditions do not hold, or the left side has no value.
    Outside,
    GivenUp,
    Equal,
    Different {
        expected: Value,
        found: Option<Value>,
    },
}

impl<'a, 'c> Comparison<'a, 'c> {
    /// `None` if the claim mentions something that cannot be evaluated here.
    fn new(arena: &'a Arena, claim: Claim<'c>) -> Option<Comparison<'a, 'c>> {
        let sides = [claim.left, claim.right];
        let all = [&sides, claim.facts, claim.conditions].concat();
        let all = nodes(arena, &all);
        let mut program = Program::new(arena);
        let mut has_laws = false;
        let (mut tolerance, mut variance_tolerance) = (LAWS_WITHIN, LAWS_WITHIN);
        let mut has_variances = false;
        let mut law_operations = 0;
        for &id in &all {
            if arena.is_law(id) {
                has_laws = true;
                law_operations += operations(arena, id);
            }
            match arena.node(id) {
                Node::Symbol(symbol) => match arena.symbol_kind(*symbol) {
                    SymbolKind::Named(_) => {
                        program.add_parameter(*symbol);
                    }
                    SymbolKind::Definition(defined) if defined.sort == Sort::Scalar => {
                        program.add_parameter(*symbol);
                    }
                    SymbolKind::Index { .. } | SymbolKind::HasValue(_) | SymbolKind::Samples(_) => {
                    }
                    _ => return None,
                },
                Node::Call(..) => return None,
                Node::Cumulant(order, _) => {
                    has_laws = true;
                    has_variances |= *order > 1;
                    tolerance = tolerance.max(cumulant_within(*order));
                }
                Node::Law(..) | Node::Graph(..) | Node::Quantile(..) | Node::Probability(..) => {
                    has_laws = true;
                }
                _ if has_parts_of_copies(arena, id) => {
                    variance_tolerance = PARTS_OF_COPIES_WITHIN;
                }
                _ => {}
            }
        }
        if has_variances {
            tolerance = tolerance.max(variance_tolerance);
        }
        let name = |&symbol: &Symbol| arena.symbol_name(symbol).unwrap_or_default().to_string();
        let names: Vec<String> = program.parameters().iter().map(name).collect();
        let draws = Draws::of(arena, claim.left, &names);
        let mut evaluator = Evaluator {
            values: Vec::new(),
            names,
            program,
            has_laws,
            tolerance,
            variance_tolerance,
            irrational: 0,
        };
        let points = Points::new(&mut evaluator, claim.facts, sides, draws)?;
        let indices = indices(arena, &sides);
        evaluator.irrational = 0;
        let on_parameters = |&id: &ExprId| indices.iter().all(|&i| !arena.mentions(id, i));
        let is_alone = |&id: &ExprId| arena.free(id).len() == 1 && on_parameters(&id);
        let facts = claim.facts.iter().copied();
        let (alone, facts): (Vec<_>, Vec<_>) = facts.partition(is_alone);
        let conditions = facts.into_iter().chain(claim.conditions.iter().copied());
        let (outer, inner) = conditions.partition(on_parameters);
        Some(Comparison {
            claim,
            evaluator,
            points,
            indices,
            alone,
            outer,
            inner,
            compared: 0,
            iterations: ITERATIONS,
            law_operations,
            cases: Default::default(),
        })
    }

    fn run(
        mut self,
        law_operations: &mut usize,
        is_inside: &mut dyn FnMut(&Counterexample) -> bool,
    ) -> Verdict {
        let wanted = match (self.evaluator.has_laws, self.law_operations) {
            (false, _) => POINTS,
            (true, 0) => POINTS_OF_LAWS,
            (true, of_a_point) => POINTS_OF_LAWS.min(*law_operations / of_a_point),
        };
        // Few points are all looked at.
        let attempts = match self.points.count() {
            Some(count) if count <= wanted && self.indices.is_empty() => count,
            _ => 4 * wanted,
        };
        let mut given_up = 0;
        for number in 0..attempts {
            let values = self.points.draw(&mut self.evaluator, number);
            self.evaluator.begin(&values);
            let comparand = self.compare();
            if !matches!(comparand, Comparand::Outside) {
                *law_operations = law_operations.saturating_sub(self.law_operations);
            }
            match comparand {
                Comparand::Outside => {}
                // If laws take too long at one point, they do at other points as well.
                Comparand::GivenUp if self.evaluator.has_laws => break,
                Comparand::GivenUp => given_up += 1,
                Comparand::Equal => self.compared += 1,
                Comparand::Different { expected, found } => {
                    let counterexample = self.counterexample(&expected, found.as_ref());
                    if is_inside(&counterexample) {
                        return Verdict::Refuted(Box::new(counterexample));
                    }
                }
            }
            if self.compared >= wanted
                || self.compared >= POINTS_OF_A_CASE * self.cases.len().max(1)
                || self.iterations == 0
                || given_up > self.compared + MOST_GIVEN_UP
                || self.evaluator.irrational >= MOST_IRRATIONAL
            {
                break;
            }
        }
        Verdict::Agrees {
            points: self.compared,
        }
    }

    /// Gives the free indices values of their ranges; `None` where one is empty.
    fn draw_indices(&mut self) -> Option<()> {
        for &index in &self.indices {
            let (lower, upper) = self.evaluator.arena().range(index)?;
            let lower = self.evaluator.rational(lower)?;
            let last = (self.evaluator.rational(upper)? - &lower)
                .floor()
                .to_i64()?;
            let count = usize::try_from(last.min(5) + 1)
                .ok()
                .filter(|&count| count > 0)?;
            let distance = Rational::from(self.points.draws.below(count) as i64);
            self.evaluator.program.set_index(index, lower + distance);
        }
        Some(())
    }

    fn compare(&mut self) -> Comparand {
        let alone = self.alone.iter().filter(|_| self.points.is_moved);
        if !(alone.chain(&self.outer)).all(|&c| self.evaluator.holds(c))
            || self.draw_indices().is_none()
            || !self.inner.iter().all(|&c| self.evaluator.holds(c))
        {
            return Comparand::Outside;
        }
        let mut allowed = ITERATIONS_OF_A_POINT.min(self.iterations);
        let before = allowed;
        let sides = [self.claim.left, self.claim.right];
        let (expected, found) = self.evaluator.sides(sides, &mut allowed);
        self.iterations -= before - allowed;
        let cases = self.evaluator.program.take_cases();
        match (expected, found) {
            (Err(Fault::Undefined), _) => Comparand::Outside,
            (Ok(expected), Some(Ok(found))) => {
                self.cases.insert(cases);
                if self.evaluator.is_same(&expected, &found) {
                    Comparand::Equal
                } else {
                    Comparand::Different {
                        expected,
                        found: Some(found),
                    }
                }
            }
            (Ok(expected), Some(Err(Fault::Undefined))) if !self.evaluator.has_laws => {
                Comparand::Different {
                    expected,
                    found: None,
                }
            }
            _ => Comparand::GivenUp,
        }
    }

    fn counterexample(&self, expected: &Value, found: Option<&Value>) -> Counterexample {
        let parameters = self.evaluator.program.parameters().iter().copied();
        let index = |&index: &Symbol| (index, self.evaluator.program.index_value(index));
        Counterexample {
            parameters: parameters
                .zip(self.evaluator.values.iter().cloned())
                .collect(),
            indices: self.indices.iter().map(index).collect(),
            expected: text(expected),
            found: found.map(text),
        }
    }
}

/// Number of operations on laws that a law takes, apart from those of its operands; sums of alternatives are integrated.
fn operations(arena: &Arena, law: ExprId) -> usize {
    let weigh = |own: usize| {
        let is_choice = |&id: &ExprId| {
            matches!(
                arena.node(id),
                Node::Law(LawKind::Mixture | LawKind::Choice, _)
            )
        };
        let has_choices = nodes(arena, &[law]).iter().any(is_choice);
        if has_choices { CHOICE * own } else { own }
    };
    match arena.node(law) {
        Node::Law(..) | Node::Symbol(_) => 0,
        Node::Add(list) | Node::Mul(list) | Node::Max(list) | Node::Min(list) => {
            let laws = list.iter().filter(|&&operand| arena.is_law(operand));
            weigh(laws.count().saturating_sub(1).max(1))
        }
        _ => weigh(1),
    }
}

impl Evaluator<'_> {
    fn is_same(&self, a: &Value, b: &Value) -> bool {
        let near = |a, b| is_near(a, b, self.tolerance);
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) if self.has_laws => near(a.to_f64(), b.to_f64()),
            (Value::Scalar(a), Value::Scalar(b)) => same_numbers(a, b),
            (Value::Vector(a), Value::Vector(b)) => {
                let (a, b): (Vec<_>, Vec<_>) = (a.components().collect(), b.components().collect());
                let mut pairs = a.iter().zip(&b);
                a.len() == b.len()
                    && pairs.all(|(a, b)| (a.0, a.1) == (b.0, b.1) && same_numbers(a.2, b.2))
            }
            // No component, and the 0 of an empty range.
            (Value::Scalar(zero), Value::Vector(none))
            | (Value::Vector(none), Value::Scalar(zero)) => {
                zero.is_zero() && none.components().next().is_none()
            }
            (a, b) => match (moments(a), moments(b)) {
                (Some(a), Some(b)) => near(a.0, b.0) && is_near(a.1, b.1, self.variance_tolerance),
                _ => false,
            },
        }
    }
}
