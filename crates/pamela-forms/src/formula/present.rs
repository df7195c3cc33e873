//! Rewrites an expression into the equal one that is shortest to read.
//!
//! The algebra works on expanded polynomials; a reader prefers `N * (N + 1) / 2`. Every rewriting
//! is exact and keeps the points where the expression is undefined. The result depends only on the
//! structure of the expression, not on the order in which expressions were made.

use rustc_hash::{FxHashMap, FxHashSet};

use super::factor::{Factors, factored, is_unit};
use super::path::{Path, Tests};
use super::powers::{
    as_root, with_exponential_divided, with_power_in_base, with_power_in_exponent,
    without_common_parameters,
};
use super::shares::Shares;
use super::signs::{is_zero, with_fewer_signs};
use super::sum::{Sum, build_term};
use crate::expr::{Arena, ExprId, Function, Node, Relation, Sort};
use crate::ring::{Monomial, Polynomial, Rational};
use crate::with_stack;

/// Returns an equal expression with no more operations and no longer text.
pub fn present(arena: &mut Arena, id: ExprId) -> ExprId {
    Presenter::default().shown(arena, id)
}

/// Sums over more brackets are not told apart by cases.
const MOST_BRACKETS: usize = 4;
/// Maximum number of sums that are tried by cases.
const MOST_SPLITS: u32 = 100;
/// Sums of more terms are not.
const MOST_TERMS: usize = 30;

/// Replaces a symbol by a number where a condition fixes it: `if (x == 1) 11 * x` becomes `if (x == 1) 11`. A term
/// without a value there stays unchanged, since `1 / 0` would be unreadable.
fn with_value(arena: &mut Arena, condition: ExprId, id: ExprId) -> ExprId {
    let Node::Compare(Relation::Equal, left, right) = *arena.node(condition) else {
        return id;
    };
    let (symbol, value) = match (arena.as_number(left), arena.as_number(right)) {
        (Some(_), None) => (right, left),
        (None, Some(_)) => (left, right),
        _ => return id,
    };
    if !matches!(arena.node(symbol), Node::Symbol(_)) {
        return id;
    }
    let replaced = arena.replace(id, &|_, other| (other == symbol).then_some(value));
    let asked = arena.domain(replaced);
    let has_value = !asked.iter().any(|&asked| is_zero(arena, asked));
    if has_value { replaced } else { id }
}

/// Permitted length of cases compared with the sum over brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Longer {
    Never,
    ByHalf,
    Always,
}

/// Presents the expressions of one arena, and remembers what was presented.
#[derive(Default)]
pub struct Presenter {
    /// Parameters that are at most 1: `1 - h` is written rather than `h - 1`.
    shares: Shares,
    shown: FxHashMap<ExprId, ExprId>,
    factors: Factors,
    present: Present,
}

/// The expression that is being presented.
#[derive(Default)]
struct Present {
    done: FxHashMap<(ExprId, Path), ExprId>,
    tests: Tests,
    /// Number of sums that were split into cases.
    splits: u32,
    /// Conditions on the path to the current expression.
    path: Path,
}

impl Presenter {
    /// Starts with the parameters that are at most 1.
    pub fn new(shares: Shares) -> Presenter {
        Presenter {
            shares,
            ..Presenter::default()
        }
    }

    /// Returns an equal expression with no more operations and no longer text.
    pub fn shown(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        if let Some(&known) = self.shown.get(&id) {
            return known;
        }
        self.present = Present {
            tests: Tests::new(arena, id),
            ..Present::default()
        };
        let best = self.present(arena, id);
        let best = with_fewer_signs(arena, best, &self.shares);
        self.shown.insert(id, best);
        best
    }

    fn present(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        let path = self.present.tests.within(arena, &self.present.path, id);
        self.present_on(arena, path, id)
    }

    /// `id` where the conditions of `path` hold.
    fn present_on(&mut self, arena: &mut Arena, path: Path, id: ExprId) -> ExprId {
        let key = (id, path.clone());
        if let Some(&done) = self.present.done.get(&key) {
            return done;
        }
        let outside = std::mem::replace(&mut self.present.path, path);
        let best = with_stack(|| self.present_node(arena, id));
        self.present.path = outside;
        self.present.done.insert(key, best);
        best
    }

    fn present_node(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        if !self.present.path.is_empty()
            && arena.is_boolean(id)
            && let Some(holds) = self.present.tests.decided(arena, &self.present.path, id)
        {
            return arena.number(i64::from(holds));
        }
        match *arena.node(id) {
            Node::If(condition, then, otherwise) => {
                self.conditional(arena, condition, then, otherwise)
            }
            Node::Max(ref list) | Node::Min(ref list) if !self.present.path.is_empty() => {
                let (list, largest) = (list.clone(), matches!(arena.node(id), Node::Max(_)));
                let list = self
                    .present
                    .tests
                    .contenders(arena, &self.present.path, &list, largest);
                let list: Vec<ExprId> = list.iter().map(|&o| self.present(arena, o)).collect();
                if largest {
                    arena.max(&list)
                } else {
                    arena.min(&list)
                }
            }
            Node::Compare(relation, left, right) => self.comparison(arena, relation, left, right),
            Node::Add(_) if arena.is_boolean(id) => self.operands(arena, id),
            Node::Add(_) if arena.sort(id) == Sort::Scalar => {
                let mapped = self.operands(arena, id);
                let best = self.sum(arena, mapped);
                match self.by_cases(arena, id) {
                    Some((cases, longer)) if self.is_shorter(arena, cases, best, longer) => cases,
                    _ => best,
                }
            }
            Node::Add(ref terms) => {
                let terms = terms.clone();
                self.vector_sum(arena, arena.sort(id), &terms)
            }
            Node::Apply(Function::Integer, operand) => {
                let fraction = without_integer(arena, operand);
                let fraction = self.present(arena, fraction);
                arena.apply(Function::Integer, fraction)
            }
            Node::Pow(..) => {
                let power = self.operands(arena, id);
                let power = with_power_in_exponent(arena, power);
                let power = with_power_in_base(arena, power);
                as_root(arena, power)
            }
            Node::Mul(_) => {
                let product = self.operands(arena, id);
                let product = with_plain_divisor(arena, product).unwrap_or(product);
                let product =
                    without_common_parameters(arena, product, &self.shares).unwrap_or(product);
                match with_exponential_divided(arena, product) {
                    Some(divided)
                        if self.factors.weights.of(arena, divided)
                            < self.factors.weights.of(arena, product) =>
                    {
                        divided
                    }
                    _ => product,
                }
            }
            _ => self.operands(arena, id),
        }
    }

    /// Each branch where it is evaluated; what has no cases itself comes first.
    fn conditional(
        &mut self,
        arena: &mut Arena,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> ExprId {
        let shown = self.present(arena, condition);
        let then = with_value(arena, condition, then);
        let mut branch = |holds: bool, id: ExprId| {
            let path = self.present.path.clone();
            let path = self
                .present
                .tests
                .assume(arena, &path, condition, holds, id);
            self.present_on(arena, path, id)
        };
        let (then, otherwise) = (branch(true, then), branch(false, otherwise));
        let is_cases = |id: ExprId| matches!(arena.node(id), Node::If(..));
        if is_cases(then) && !is_cases(otherwise) {
            let opposite = match *arena.node(shown) {
                Node::Compare(Relation::Less, a, b) => arena.relate(Relation::LessEqual, b, a),
                Node::Compare(Relation::LessEqual, a, b) => arena.relate(Relation::Less, b, a),
                _ => arena.not(shown),
            };
            return arena.if_else(opposite, otherwise, then);
        }
        arena.if_else(shown, then, otherwise)
    }

    fn operands(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        arena.map_operands(id, &mut |arena, operand| self.present(arena, operand))
    }

    /// The lightest way to write a sum; on a tie, the factored one.
    fn sum(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        let Some(sum) = Sum::read(arena, id) else {
            return id;
        };
        let candidate = factored(&mut self.factors, arena, &sum);
        if self.factors.weights.of(arena, candidate) <= self.factors.weights.of(arena, id) {
            candidate
        } else {
            id
        }
    }

    /// True if cases are shorter to read than a sum, or not longer than this ratio allows.
    fn is_shorter(&mut self, arena: &Arena, cases: ExprId, sum: ExprId, longer: Longer) -> bool {
        let [cases, sum] = [cases, sum].map(|id| self.factors.weights.of(arena, id));
        match longer {
            Longer::Always => true,
            Longer::Never => cases < sum,
            Longer::ByHalf => 2 * cases <= 3 * sum,
        }
    }

    /// A sum over brackets as a conditional: `[c] * (a - b) + b` is `if (c) a else b`. A term that may be undefined
    /// stays outside the branches. Also returns how much longer the result may be than the sum.
    fn by_cases(&mut self, arena: &mut Arena, id: ExprId) -> Option<(ExprId, Longer)> {
        let sum = Sum::read(arena, id)?;
        let brackets = sum.brackets(arena);
        let few = (1..=MOST_BRACKETS).contains(&brackets.len());
        if !few || self.present.splits >= MOST_SPLITS || sum.polynomial.len() > MOST_TERMS {
            return None;
        }
        self.present.splits += 1;
        let condition = ExprId::from_index(brackets[0].0);
        let otherwise = sum.at(arena, brackets[0], 0, &self.shares)?;
        let then = sum.at(arena, brackets[0], 1, &self.shares)?;
        let cases = self.conditional(arena, condition, then, otherwise);
        // One after the other, as sizes are told apart: conditions that hold together would double the branches.
        let values = branches(arena, cases);
        let one_by_one = values.len() <= brackets.len() + 1
            && !values.iter().any(|&value| has_brackets(arena, value));
        // A single choice says more than a bracket.
        let longer = match brackets.len() {
            _ if one_by_one && sum.tells_apart(&brackets) => Longer::Always,
            1 => Longer::ByHalf,
            _ => Longer::Never,
        };
        Some((cases, longer))
    }

    /// Multiples of the same vector, and copies of the same law, stand together.
    fn vector_sum(&mut self, arena: &mut Arena, sort: Sort, terms: &[ExprId]) -> ExprId {
        let mut vectors: Vec<(ExprId, Vec<ExprId>)> = Vec::new();
        let mut places: FxHashMap<ExprId, usize> = FxHashMap::default();
        for &term in terms {
            let factors = match arena.node(term) {
                Node::Mul(factors) => factors.to_vec(),
                _ => vec![term],
            };
            let (own, scalars): (Vec<_>, Vec<_>) = factors
                .into_iter()
                .partition(|&factor| arena.sort(factor) == sort);
            let (vector, coefficient) = (arena.mul(&own), arena.mul(&scalars));
            let place = *places.entry(vector).or_insert(vectors.len());
            match vectors.get_mut(place) {
                Some((_, coefficients)) => coefficients.push(coefficient),
                None => vectors.push((vector, vec![coefficient])),
            }
        }
        let multiples: Vec<ExprId> = vectors
            .into_iter()
            .map(|(vector, coefficients)| {
                let coefficient = arena.add(&coefficients);
                let coefficient = self.present(arena, coefficient);
                let vector = self.present(arena, vector);
                arena.mul(&[coefficient, vector])
            })
            .collect();
        arena.add(&multiples)
    }

    /// Moves negative terms to the other side, so that `0 <= N - P` reads `P <= N`, or all to one where that is much
    /// shorter: the square of a sum beside another.
    fn comparison(
        &mut self,
        arena: &mut Arena,
        relation: Relation,
        left: ExprId,
        right: ExprId,
    ) -> ExprId {
        let sides = (self.present(arena, left), self.present(arena, right));
        let original = arena.relate(relation, sides.0, sides.1);
        let Some((lower, upper)) = positive_sides(arena, left, right) else {
            return original;
        };
        let (lower, upper) = (self.present(arena, lower), self.present(arena, upper));
        let moved = arena.relate(relation, lower, upper);
        let units = [lower, upper].iter().any(|&side| has_unit(arena, side));
        if units {
            return moved;
        }
        let (zero, difference) = (arena.number(0), difference(arena, left, right));
        let difference = self.present(arena, difference);
        let together = arena.relate(relation, zero, difference);
        let [original_weight, moved_weight, weight] =
            [original, moved, together].map(|side| self.factors.weights.of(arena, side));
        if 4 * weight < 3 * original_weight.min(moved_weight) {
            together
        } else if moved_weight < original_weight {
            moved
        } else {
            original
        }
    }
}

/// Without the integer that is added: it does not matter to being one.
fn without_integer(arena: &mut Arena, operand: ExprId) -> ExprId {
    let Node::Add(terms) = arena.node(operand) else {
        return operand;
    };
    let is_integer = |&term: &ExprId| arena.as_number(term).is_some_and(Rational::is_integer);
    let rest: Vec<ExprId> = terms.iter().copied().filter(|t| !is_integer(t)).collect();
    arena.add(&rest)
}

/// `right - left`, as one sum.
fn difference(arena: &mut Arena, left: ExprId, right: ExprId) -> ExprId {
    let terms = |arena: &Arena, side| match arena.node(side) {
        Node::Add(list) => list.to_vec(),
        _ => vec![side],
    };
    let mut all = terms(arena, right);
    for term in terms(arena, left) {
        all.push(arena.negate(term));
    }
    arena.add(&all)
}

/// Two sums with positive coefficients only, whose difference has the sign of `right - left`.
fn positive_sides(arena: &mut Arena, left: ExprId, right: ExprId) -> Option<(ExprId, ExprId)> {
    if arena.sort(left) != Sort::Scalar || arena.sort(right) != Sort::Scalar {
        return None;
    }
    let difference = arena.subtract(right, left);
    let polynomial = Sum::read(arena, difference)?.polynomial;
    let (with, without): (Vec<_>, Vec<_>) = polynomial
        .terms()
        .map(|(monomial, c)| (monomial.clone(), c.clone()))
        .partition(|(monomial, _)| monomial.powers().iter().any(|(a, _)| is_unit(arena, *a)));
    // A number with a unit is as it was written where nothing else has a factor.
    let scale = match (with.is_empty(), without.is_empty()) {
        (false, false) => Polynomial::from_terms(without).content(),
        (false, true) => Rational::ONE,
        (true, _) => polynomial.content(),
    };
    let scale = scale.abs().recip()?;
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (monomial, coefficient) in polynomial.scale(&scale).terms() {
        let term = build_term(arena, monomial, &coefficient.abs());
        if coefficient.is_negative() {
            lower.push(term);
        } else {
            upper.push(term);
        }
    }
    Some((arena.add(&lower), arena.add(&upper)))
}

/// A quotient without the factor that its number has in common with the terms of the divisor that have no unit, as one with a
/// unit takes any number: `3 * n / (2 * n - 1 [us] * bw)`, not a million times both.
fn with_plain_divisor(arena: &mut Arena, product: ExprId) -> Option<ExprId> {
    let Node::Mul(factors) = arena.node(product) else {
        return None;
    };
    let factors = factors.clone();
    let number = factors
        .iter()
        .find_map(|&factor| arena.as_number(factor))?
        .clone();
    let divisor = |&factor: &ExprId| match *arena.node(factor) {
        Node::Pow(base, exponent) if arena.as_number(exponent)?.to_i64()? == -1 => {
            (matches!(arena.node(base), Node::Add(_)) && has_unit(arena, base))
                .then_some((factor, base))
        }
        _ => None,
    };
    let (reciprocal, base) = factors.iter().find_map(divisor)?;
    let polynomial = Sum::read(arena, base)?.polynomial;
    let has_no_unit = |monomial: &Monomial| {
        !monomial
            .powers()
            .iter()
            .any(|(atom, _)| is_unit(arena, *atom))
    };
    let plain = polynomial
        .terms()
        .filter(|(monomial, _)| has_no_unit(monomial));
    let mut plain = plain.map(|(_, coefficient)| coefficient).peekable();
    plain.peek()?;
    let shared = Rational::common_measure(plain.chain([&number]));
    // A small one may be of a number with a unit as it was written.
    let scale = shared.recip().filter(|_| shared >= Rational::from(1000))?;
    let terms: Vec<ExprId> = polynomial
        .scale(&scale)
        .terms()
        .map(|(monomial, c)| build_term(arena, monomial, c))
        .collect();
    let minus_one = arena.number(-1);
    let (sum, number) = (arena.add(&terms), arena.number(&number * &scale));
    let others = factors.iter().copied();
    let others = others.filter(|&f| f != reciprocal && arena.as_number(f).is_none());
    let mut factors: Vec<ExprId> = others.collect();
    factors.extend([number, arena.pow(sum, minus_one)]);
    Some(arena.mul(&factors))
}

/// True if a unit is a factor of a term.
fn has_unit(arena: &Arena, side: ExprId) -> bool {
    let is_unit = |&part: &ExprId| arena.as_unit(part).is_some();
    let in_term = |term: &ExprId| is_unit(term) || arena.operands(*term).iter().any(is_unit);
    in_term(&side) || arena.operands(side).iter().any(in_term)
}

/// The values that a conditional chooses among.
fn branches(arena: &Arena, id: ExprId) -> Vec<ExprId> {
    match *arena.node(id) {
        Node::If(_, then, otherwise) => {
            let mut values = branches(arena, then);
            values.extend(branches(arena, otherwise));
            values
        }
        _ => vec![id],
    }
}

/// True if a truth value is counted in `id`.
fn has_brackets(arena: &Arena, id: ExprId) -> bool {
    let mut pending = vec![id];
    let mut seen = FxHashSet::default();
    while let Some(id) = pending.pop() {
        match *arena.node(id) {
            _ if !seen.insert(id) => {}
            Node::If(_, then, otherwise) => pending.extend([then, otherwise]),
            _ if arena.is_boolean(id) && arena.as_number(id).is_none() => return true,
            _ => pending.extend(arena.operands(id)),
        }
    }
    false
}
