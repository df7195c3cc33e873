//! Decides if a closed form is convex in a positive parameter, at given values of the others.

use std::collections::BTreeMap;

use crate::eval::{Bindings, Limits, Number, Value, evaluate};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::formula::Formula;
use crate::pipeline::{Simplified, SimplifiedEquation};
use crate::ring::Rational;

/// Curvature of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// Linear or constant.
    Straight,
    Convex,
    Concave,
}

impl Curvature {
    fn of_sum(self, other: Curvature) -> Option<Curvature> {
        match (self, other) {
            (Curvature::Straight, other) | (other, Curvature::Straight) => Some(other),
            (one, other) => (one == other).then_some(one),
        }
    }

    fn times(self, factor: &Rational) -> Curvature {
        match (self, factor.is_negative()) {
            _ if factor.is_zero() => Curvature::Straight,
            (Curvature::Convex, true) => Curvature::Concave,
            (Curvature::Concave, true) => Curvature::Convex,
            (same, _) => same,
        }
    }
}

/// Larger expansions are given up.
const MOST_TERMS: usize = 100;

struct Shape<'a> {
    arena: &'a Arena,
    name: &'a str,
    known: &'a Bindings,
}

/// Curvature of a formula in `name` over all positive values; `None` if not known.
pub fn curvature(formula: &Formula, name: &str, known: &Bindings) -> Option<Curvature> {
    if !formula.mentions().is_empty() {
        return None;
    }
    let shape = Shape {
        arena: formula.arena(),
        name,
        known,
    };
    shape.of(formula.root())
}

/// True if the conditions hold between any two points where they hold.
///
/// Each condition must be linear in the parameter, independent of it, or say that a number is
/// whole.
pub fn applies_between(
    equation: &SimplifiedEquation,
    simplified: &Simplified,
    name: &str,
    known: &Bindings,
) -> bool {
    let formula = &equation.formula;
    let holds = |arena: &Arena, root: ExprId| {
        let shape = Shape { arena, name, known };
        shape.holds_between(root)
    };
    let own = formula
        .conditions()
        .iter()
        .all(|&c| holds(formula.arena(), c));
    own && simplified
        .facts
        .iter()
        .all(|fact| holds(fact.arena(), fact.root()))
}

impl Shape<'_> {
    fn depends(&self, id: ExprId) -> bool {
        let names = self.arena.free(id).iter();
        names
            .into_iter()
            .any(|&symbol| self.arena.symbol_name(symbol) == Some(self.name))
    }

    fn value(&self, id: ExprId) -> Option<Rational> {
        match evaluate(self.arena, id, self.known, Limits::default()).ok()? {
            Value::Scalar(Number::Exact(value)) => Some(value),
            _ => None,
        }
    }

    fn holds_between(&self, id: ExprId) -> bool {
        if !self.depends(id) {
            return true;
        }
        match self.arena.node(id) {
            // The places are whole.
            Node::Apply(Function::Integer, of) => self.is_parameter(*of),
            Node::Compare(crate::expr::Relation::Equal, ..) => false,
            Node::Compare(_, a, b) => [a, b]
                .into_iter()
                .all(|&side| self.of(side) == Some(Curvature::Straight)),
            Node::Mul(list) => list.iter().all(|&factor| self.holds_between(factor)),
            _ => false,
        }
    }

    fn is_parameter(&self, id: ExprId) -> bool {
        matches!(self.arena.node(id), Node::Symbol(symbol) if self.arena.symbol_name(*symbol) == Some(self.name))
    }

    fn of(&self, id: ExprId) -> Option<Curvature> {
        if !self.depends(id) {
            return Some(Curvature::Straight);
        }
        if let Some(terms) = self.terms(id) {
            let all = terms
                .iter()
                .map(|(power, factor)| of_power(power).times(factor));
            return { all }.try_fold(Curvature::Straight, Curvature::of_sum);
        }
        let each = |list: &[ExprId]| {
            list.iter()
                .map(|&id| self.of(id))
                .collect::<Option<Vec<_>>>()
        };
        match self.arena.node(id) {
            Node::Add(list) => each(list)?
                .into_iter()
                .try_fold(Curvature::Straight, Curvature::of_sum),
            Node::Max(list) => {
                let convex = each(list)?.into_iter().all(|c| c != Curvature::Concave);
                convex.then_some(Curvature::Convex)
            }
            Node::Min(list) => {
                let concave = each(list)?.into_iter().all(|c| c != Curvature::Convex);
                concave.then_some(Curvature::Concave)
            }
            Node::Mul(list) => {
                let (factors, rest): (Vec<ExprId>, Vec<ExprId>) =
                    list.iter().partition(|&&f| !self.depends(f));
                let [only] = rest[..] else { return None };
                let factors: Option<Vec<Rational>> =
                    factors.into_iter().map(|f| self.value(f)).collect();
                let factor = factors?.iter().fold(Rational::from(1), |all, f| &all * f);
                Some(self.of(only)?.times(&factor))
            }
            _ => None,
        }
    }

    /// A sum of powers of the parameter, each with its factor.
    fn terms(&self, id: ExprId) -> Option<BTreeMap<Rational, Rational>> {
        let one = |power: Rational, factor: Rational| Some(BTreeMap::from([(power, factor)]));
        if !self.depends(id) {
            return one(Rational::from(0), self.value(id)?);
        }
        match self.arena.node(id) {
            Node::Symbol(_) => one(Rational::from(1), Rational::from(1)),
            Node::Add(list) => {
                let mut all = BTreeMap::new();
                for &term in list {
                    for (power, factor) in self.terms(term)? {
                        let sum = all.entry(power).or_insert(Rational::from(0));
                        *sum = &*sum + &factor;
                    }
                }
                Some(all)
            }
            Node::Mul(list) => {
                let start = BTreeMap::from([(Rational::from(0), Rational::from(1))]);
                list.iter()
                    .try_fold(start, |all, &factor| product(&all, &self.terms(factor)?))
            }
            Node::Pow(base, exponent) => {
                let exponent = self.value(*exponent).filter(|_| !self.depends(*exponent))?;
                let base = self.terms(*base)?;
                if let (1, Some((power, factor))) = (base.len(), base.iter().next())
                    && factor.is_one()
                {
                    return one(power * &exponent, Rational::from(1));
                }
                let times = exponent.to_i64().filter(|n| (1..=8).contains(n))?;
                let start = BTreeMap::from([(Rational::from(0), Rational::from(1))]);
                (0..times).try_fold(start, |all, _| product(&all, &base))
            }
            _ => None,
        }
    }
}

/// The curvature of a power of a positive number.
fn of_power(power: &Rational) -> Curvature {
    let one = Rational::from(1);
    match power {
        _ if power.is_zero() || *power == one => Curvature::Straight,
        _ if power.is_negative() || *power > one => Curvature::Convex,
        _ => Curvature::Concave,
    }
}

fn product(
    a: &BTreeMap<Rational, Rational>,
    b: &BTreeMap<Rational, Rational>,
) -> Option<BTreeMap<Rational, Rational>> {
    let mut all = BTreeMap::new();
    for (p, x) in a {
        for (q, y) in b {
            let sum = all.entry(p + q).or_insert(Rational::from(0));
            *sum = &*sum + &(x * y);
        }
    }
    (all.len() <= MOST_TERMS).then_some(all)
}
