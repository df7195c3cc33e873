//! Rules whose right side is computed by code. Each is declared as `builtin` in a rule file under the same name, with
//! its statement, guards and checks.

mod blocks;
mod chains;
mod digits;
pub mod families;
mod geometric;
mod grids;
mod harmonic;
mod interchange;
mod linear;
mod logarithms;
pub(super) mod monotone;
mod nonnegative;
mod order_statistics;
mod overlap;
mod periods;
mod points;
mod powers;
mod products;
mod rational;
mod rounding_sums;
pub(super) mod shares;
mod slopes;
mod split;
mod sums;
pub(super) mod vectors;

use std::fmt;

use crate::expr::{Arena, ExprId, Node, ReduceKind, Reduction, Relation};
use crate::ring::{Atom, Polynomial};

use super::scope::{Candidate, Scope};
use super::terms::{Terms, atom_of};

type Apply = fn(&mut Scope, ExprId) -> Vec<Candidate>;

/// The code of a rule.
#[derive(Clone, Copy)]
pub struct Builtin {
    name: &'static str,
    apply: Apply,
}

impl fmt::Debug for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "builtin {}", self.name)
    }
}

impl Builtin {
    /// All results of the rule for `term`.
    pub fn apply(&self, scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
        (self.apply)(scope, term)
    }
}

const ALL: &[(&str, Apply)] = &[
    ("sum-clamp", sums::clamp),
    ("sum-periods", periods::residues),
    ("sum-blocks", blocks::sum),
    ("sum-residue", rounding_sums::residue),
    ("sum-rational", rational::sum),
    ("sum-two-ratios", geometric::two_ratios),
    ("sum-harmonic", harmonic::sum),
    ("sum-logarithm", logarithms::sum),
    ("product-rational", products::rational),
    ("sum-rounding", rounding_sums::sum),
    ("sum-split", split::sum),
    ("sum-slopes", slopes::sum),
    ("sum-peel", points::peel),
    ("sum-digits", chains::digits),
    ("sum-levels", powers::levels),
    ("sum-rounded-powers", powers::rounded),
    ("max-split", split::max),
    ("max-even-chunks", shares::even),
    ("vector-max-period", overlap::periodic),
    ("vector-max-triangle", grids::triangle),
    ("vector-max-ranges", overlap::ranges),
    ("vector-max-met", overlap::met_at_point),
    ("vector-max-grid", digits::two_dimensions),
    ("vector-max-moved", digits::moved),
    ("vector-max-interchange", interchange::binders),
    ("longest-path-families", families::longest_path),
    ("order-merge", order_statistics::merge),
    ("order-zero", order_statistics::zero),
    ("order-of-demands", order_statistics::of_demands),
];

/// The applier of the builtin rule called `name`.
pub fn find(name: &str) -> Option<Builtin> {
    let &(name, apply) = ALL.iter().find(|(known, _)| *known == name)?;
    Some(Builtin { name, apply })
}

/// A reduction taken apart, its bounds and body as polynomials.
struct Loop {
    reduction: Reduction,
    /// The index as an atom.
    index: Atom,
    lower: Polynomial,
    upper: Polynomial,
    body: Polynomial,
}

impl Loop {
    fn of(terms: &mut Terms, term: ExprId, kind: ReduceKind) -> Option<Loop> {
        let Node::Reduce(reduction) = *terms.arena.node(term) else {
            return None;
        };
        if reduction.kind != kind {
            return None;
        }
        let symbol = terms.arena.symbol(reduction.index);
        Some(Loop {
            reduction,
            index: atom_of(symbol),
            lower: (*terms.polynomial(reduction.lower)).clone(),
            upper: (*terms.polynomial(reduction.upper)).clone(),
            body: (*terms.polynomial(reduction.body)).clone(),
        })
    }

    /// `upper >= lower - 1` and `upper - lower` integral: what a sum needs to be closed.
    fn sum_guards(&self, terms: &mut Terms) -> Vec<ExprId> {
        vec![self.at_least_empty(terms), self.aligned(terms)]
    }

    /// `upper >= lower - 1`.
    fn at_least_empty(&self, terms: &mut Terms) -> ExprId {
        let before = &self.lower - &Polynomial::one();
        at_most(terms, &before, &self.upper)
    }

    /// The range is not empty.
    fn nonempty(&self, terms: &mut Terms) -> ExprId {
        at_most(terms, &self.lower, &self.upper)
    }

    /// `upper - lower` is integral.
    fn aligned(&self, terms: &mut Terms) -> ExprId {
        let length = &self.upper - &self.lower;
        integral(terms, &length)
    }

    /// True if a term of the body mentions the index.
    fn depends(&self, arena: &Arena, id: ExprId) -> bool {
        arena.mentions(id, self.reduction.index)
    }

    /// The reduction with another body and another range.
    fn over(
        &self,
        terms: &mut Terms,
        lower: &Polynomial,
        upper: &Polynomial,
        body: ExprId,
    ) -> ExprId {
        let (lower, upper) = (terms.expression(lower), terms.expression(upper));
        terms.arena.reduce(
            self.reduction.kind,
            self.reduction.index,
            lower,
            upper,
            body,
        )
    }
}

/// The truth value `left <= right`.
fn at_most(terms: &mut Terms, left: &Polynomial, right: &Polynomial) -> ExprId {
    compare(terms, Relation::LessEqual, left, right)
}

fn compare(terms: &mut Terms, relation: Relation, left: &Polynomial, right: &Polynomial) -> ExprId {
    let (left, right) = (terms.expression(left), terms.expression(right));
    terms.arena.relate(relation, left, right)
}

/// The truth value `integer(p)`, without the parts of `p` that are whole numbers.
fn integral(terms: &mut Terms, p: &Polynomial) -> ExprId {
    let whole = p.coefficient(&crate::ring::Monomial::one()).floor();
    let rest = p - &Polynomial::constant(whole);
    let rest = terms.expression(&rest);
    terms.arena.apply(crate::expr::Function::Integer, rest)
}
