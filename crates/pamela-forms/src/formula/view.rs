//! Reads expressions for printing.
//!
//! The intermediate representation has no subtraction, division, `>` or `&&`; a [`View`] restores
//! them. A view becomes a tree of the language, or LaTeX.

mod dense;
mod interval;

use super::law::{copies, demand};
pub(super) use super::product::{Exponent, Factor, Product, product};
use super::term::{OwnedTerm, split, term};
use crate::expr::{
    Arena, ExprId, Function, LawKind, Node, Operation, Reduction, Relation, Side, Symbol,
    SymbolKind,
};
use crate::law::Sampled;
use crate::ring::Rational;
pub(super) use crate::syntax::tree::Relation as Sign;
use crate::with_stack;
use dense::dense;
pub(super) use dense::is_list;
pub(super) use interval::intervals;

/// The array whose components `[e0, e1, ...]` denotes.
pub(super) const PREDEFINED_ARRAY: &str = "fcfs";

pub(super) enum View<'a> {
    Number(&'a Rational),
    Name(Symbol),
    Sum(Vec<Term<'a>>),
    Product(Product),
    Power(ExprId, ExprId),
    Max(&'a [ExprId]),
    Min(&'a [ExprId]),
    Apply(Function, ExprId),
    /// A logarithm to a base: operand, base.
    LogTo(ExprId, ExprId),
    /// `numerator div denominator`.
    FloorDivide(Product),
    Modulo(ExprId, ExprId),
    Truth(Truth),
    If(ExprId, ExprId, ExprId),
    Reduce(&'a Reduction),
    /// The longest path of families of tasks: the graph and its families.
    Graph(ExprId, &'a [ExprId]),
    /// Components 0, 1, ... of the predefined array, each a sum.
    Dense(Vec<Vec<OwnedTerm>>),
    UnitVector(Symbol, ExprId),
    VectorMax(ExprId),
    /// A sum of laws and scalars.
    LawSum(&'a [ExprId]),
    /// Independent copies of a law, with their number.
    Copies(OwnedTerm, ExprId),
    /// Copies of a law at the positions of a vector, with their number.
    Demand(OwnedTerm, ExprId, ExprId),
    /// One copy of a law times a factor.
    Scale(ExprId, ExprId),
    /// A product of independent laws.
    LawProduct(&'a [ExprId]),
    /// The law of samples in a file.
    Samples(&'a Sampled),
    /// A law, a moment or `gcd`, by name.
    Call(&'static str, &'a [ExprId]),
    /// The least value that a law does not exceed with a probability.
    Quantile([ExprId; 2]),
    /// The probability that a law lies on a side of a number.
    Probability(Sign, ExprId, ExprId),
    /// An equation of the model, with arguments.
    Equation(Symbol, &'a [ExprId]),
    /// The sum of a random number of copies.
    RandomSum(ExprId, ExprId),
    /// A choice with a random condition.
    Choice(ExprId, ExprId, ExprId),
}

/// `coefficient * factors`.
#[derive(Clone, Debug)]
pub(super) struct Term<'a> {
    pub coefficient: Rational,
    pub factors: &'a [ExprId],
}

impl Term<'_> {
    pub fn is_negative(&self) -> bool {
        self.coefficient.is_negative()
    }
}

/// An expression of value 0 or 1, as a logical formula.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    Relation(Sign, ExprId, ExprId),
    /// `integer(e)`, or another expression of value 0 or 1.
    Atom(ExprId),
    Not(Box<Truth>),
    /// `lower above of below upper`; each of the two signs is `<` or `<=`.
    Between {
        lower: ExprId,
        above: Sign,
        of: ExprId,
        below: Sign,
        upper: ExprId,
    },
    And(Vec<Truth>),
    Or(Vec<Truth>),
}

/// The view of `id` that reads best.
pub(super) fn view(arena: &Arena, id: ExprId) -> View<'_> {
    if let Some(components) = dense(arena, id) {
        return View::Dense(components);
    }
    if let Some(truth) = truth(arena, id) {
        return View::Truth(truth);
    }
    if let Some((count, law)) = copies(arena, id) {
        return View::Copies(count, law);
    }
    if let Some((count, law, vector)) = demand(arena, id) {
        return View::Demand(count, law, vector);
    }
    match arena.node(id) {
        Node::Number(value) => View::Number(value),
        Node::Symbol(symbol) => View::Name(*symbol),
        Node::Add(list) if arena.is_random(id) => View::LawSum(list),
        Node::Law(LawKind::Empirical(symbol), operands) => match arena.samples(*symbol) {
            Some(samples) => View::Samples(samples),
            None => View::Call("empirical", operands),
        },
        Node::Law(kind, operands) => law(*kind, operands),
        Node::Call(function, list) => View::Equation(*function, list),
        Node::Cumulant(order, law) => View::Call(
            CUMULANTS[usize::from(*order - 1) % 4],
            std::slice::from_ref(law),
        ),
        Node::Quantile(law, q) => View::Quantile([*law, *q]),
        Node::Probability(side, law, t) => View::Probability(sign_of(*side), *law, *t),
        Node::Add(_) => View::Sum(sum(arena, id)),
        Node::Mul(_) => product_or_logarithm(arena, id),
        Node::Pow(base, exponent) => match arena.as_number(*exponent) {
            Some(power) if power.is_integer() && power.is_negative() => {
                View::Product(product(arena, &Rational::from(1), &[id]))
            }
            _ => View::Power(*base, *exponent),
        },
        Node::Max(list) => View::Max(list),
        Node::Min(list) => View::Min(list),
        Node::Apply(Function::Floor, quotient) => {
            let quotient = quotient_of(arena, *quotient);
            quotient.map_or_else(|| apply(arena, id), View::FloorDivide)
        }
        Node::Apply(function, operand) => View::Apply(*function, *operand),
        Node::Mod(a, b) => View::Modulo(*a, *b),
        Node::Operate(operation, operands) => {
            View::Call(operation.row().name, written(arena, *operation, operands))
        }
        Node::Compare(relation, a, b) => View::Truth(compare(arena, *relation, *a, *b)),
        Node::If(condition, then, otherwise) => View::If(*condition, *then, *otherwise),
        Node::Reduce(reduction) => View::Reduce(reduction),
        Node::Graph(_, families) => View::Graph(id, families),
        Node::Vector(list) => View::Dense(list.iter().map(|&e| terms_of(arena, e)).collect()),
        Node::UnitVector(array, index) => View::UnitVector(*array, *index),
        Node::VectorMax(vector) => View::VectorMax(*vector),
    }
}

fn sign_of(side: Side) -> Sign {
    match side {
        Side::Less => Sign::Less,
        Side::LessEqual => Sign::LessEqual,
        Side::Greater => Sign::Greater,
        Side::GreaterEqual => Sign::GreaterEqual,
    }
}

fn product_or_logarithm(arena: &Arena, id: ExprId) -> View<'_> {
    let product = product_of(arena, &term(arena, id));
    let alone = !product.negative && product.multiplier.is_one() && product.divisor.is_one();
    match (&product.factors[..], &product.divisors[..]) {
        ([factor], []) if alone => match factor.logarithm(arena) {
            Some((operand, base, power)) if power.is_one() => View::LogTo(operand, base),
            _ => View::Product(product),
        },
        _ => View::Product(product),
    }
}

/// The moments of the language that are cumulants, by order.
const CUMULANTS: [&str; 4] = ["E", "Var", "K3", "K4"];

fn law(kind: LawKind, operands: &[ExprId]) -> View<'_> {
    match (kind, operands) {
        (LawKind::Parameter(symbol), _) => View::Name(symbol),
        (LawKind::Scale, &[factor, law]) => View::Scale(factor, law),
        (LawKind::Product, list) => View::LawProduct(list),
        (LawKind::RandomSum, &[count, law]) => View::RandomSum(count, law),
        (LawKind::Choice, &[condition, then, otherwise]) => {
            View::Choice(condition, then, otherwise)
        }
        (LawKind::Named(name), list) => View::Call(name.name(), list),
        (LawKind::Min, list) => View::Call("min", list),
        (LawKind::Mixture, list) => View::Call("mixture", list),
        (LawKind::Truncated, list) => View::Call("truncated", list),
        (_, list) => View::Call("max", list),
    }
}

fn apply(arena: &Arena, id: ExprId) -> View<'_> {
    match arena.node(id) {
        Node::Apply(function, operand) => View::Apply(*function, *operand),
        _ => View::Product(product_of(arena, &term(arena, id))),
    }
}

fn terms_of(arena: &Arena, id: ExprId) -> Vec<OwnedTerm> {
    match arena.node(id) {
        Node::Number(value) if value.is_zero() => Vec::new(),
        Node::Add(list) => list.iter().map(|&t| term(arena, t)).collect(),
        _ => vec![term(arena, id)],
    }
}

/// The terms of an `Add`, a positive one first where there is one.
fn sum(arena: &Arena, id: ExprId) -> Vec<Term<'_>> {
    let Node::Add(list) = arena.node(id) else {
        return Vec::new();
    };
    let mut terms: Vec<Term> = list
        .iter()
        .map(|part| match arena.node(*part) {
            Node::Number(value) => Term {
                coefficient: value.clone(),
                factors: &[],
            },
            Node::Mul(factors) => {
                let (coefficient, factors) = split(arena, factors);
                Term {
                    coefficient,
                    factors,
                }
            }
            _ => Term {
                coefficient: Rational::from(1),
                factors: std::slice::from_ref(part),
            },
        })
        .collect();
    if terms[0].is_negative()
        && let Some(first) = terms.iter().position(|t| !t.is_negative())
    {
        terms[..=first].rotate_right(1);
    }
    terms
}

pub(super) fn product_of(arena: &Arena, term: &OwnedTerm) -> Product {
    product(arena, &term.coefficient, &term.factors)
}

/// The fraction under a floor, if it is one.
fn quotient_of(arena: &Arena, id: ExprId) -> Option<Product> {
    if !matches!(arena.node(id), Node::Mul(_) | Node::Pow(..)) {
        return None;
    }
    let term = term(arena, id);
    let mut quotient = product_of(arena, &term);
    if quotient.has_literal() {
        return (!quotient.divisors.is_empty()).then_some(quotient);
    }
    let size = term.coefficient.abs();
    quotient.divisor = Rational::from(size.denominator());
    quotient.multiplier = Rational::from(size.numerator());
    (!quotient.divisor.is_one() || !quotient.divisors.is_empty()).then_some(quotient)
}

/// The logical reading of an expression known to be 0 or 1; `None` for numbers.
pub(super) fn truth(arena: &Arena, id: ExprId) -> Option<Truth> {
    if !arena.is_boolean(id) {
        return None;
    }
    match arena.node(id) {
        Node::Compare(relation, a, b) => Some(compare(arena, *relation, *a, *b)),
        Node::Mul(list) => conjunction(arena, list),
        Node::Add(list) => complement(arena, list)
            .and_then(|factors| factors_truth(arena, factors))
            .map(negate),
        _ => None,
    }
}

pub(super) fn truth_or_atom(arena: &Arena, id: ExprId) -> Truth {
    with_stack(|| truth(arena, id).unwrap_or(Truth::Atom(id)))
}

fn factors_truth(arena: &Arena, factors: &[ExprId]) -> Option<Truth> {
    match factors {
        [one] => Some(truth_or_atom(arena, *one)),
        _ => conjunction(arena, factors),
    }
}

/// The right side of `&&` is only evaluated if the left side holds. A product becomes a conjunction if it is defined
/// whatever the left side is, so the factor that may be undefined comes first.
fn conjunction(arena: &Arena, factors: &[ExprId]) -> Option<Truth> {
    let (total, partial): (Vec<ExprId>, Vec<ExprId>) =
        factors.iter().partition(|&&factor| arena.is_total(factor));
    let ordered = partial.iter().chain(&total);
    let truths = ordered
        .map(|&factor| truth_or_atom(arena, factor))
        .collect();
    (partial.len() <= 1).then_some(Truth::And(truths))
}

fn compare(arena: &Arena, relation: Relation, a: ExprId, b: ExprId) -> Truth {
    let sign = match relation {
        Relation::Less => Sign::Less,
        Relation::LessEqual => Sign::LessEqual,
        Relation::Equal => Sign::Equal,
    };
    if arena.as_number(a).is_some() && arena.as_number(b).is_none() {
        Truth::Relation(sign.mirrored(), b, a)
    } else {
        Truth::Relation(sign, a, b)
    }
}

/// The factors of `c` in `1 - c`, all of them 0 or 1.
fn complement<'a>(arena: &'a Arena, terms: &'a [ExprId]) -> Option<&'a [ExprId]> {
    let [a, b] = terms else { return None };
    let (one, other) = if arena.as_number(*a).is_some() {
        (a, b)
    } else {
        (b, a)
    };
    if !arena.as_number(*one).is_some_and(Rational::is_one) {
        return None;
    }
    let Node::Mul(list) = arena.node(*other) else {
        return None;
    };
    let (coefficient, factors) = split(arena, list);
    let booleans = factors.iter().all(|&f| arena.is_boolean(f));
    (coefficient == Rational::from(-1) && booleans).then_some(factors)
}

fn negate(truth: Truth) -> Truth {
    match truth {
        Truth::Relation(sign, a, b) => Truth::Relation(sign.negated(), a, b),
        Truth::Not(inner) => *inner,
        Truth::And(list) => Truth::Or(list.into_iter().map(negate).collect()),
        Truth::Or(list) => Truth::And(list.into_iter().map(negate).collect()),
        atom => Truth::Not(Box::new(atom)),
    }
}

pub(super) fn is_predefined(arena: &Arena, array: Symbol) -> bool {
    matches!(arena.symbol_kind(array), SymbolKind::Named(name) if name == PREDEFINED_ARRAY)
}

/// The operands of an operation without those at the end that are what they are where left out, if all of these are.
fn written<'a>(arena: &Arena, operation: Operation, operands: &'a [ExprId]) -> &'a [ExprId] {
    let defaults = operation.row().defaults;
    let (given, last) = operands.split_at(operands.len() - defaults.len());
    let is_usual =
        |(&operand, &usual): (&ExprId, &i64)| arena.as_number(operand) == Some(&usual.into());
    if last.iter().zip(defaults).all(is_usual) {
        given
    } else {
        operands
    }
}
