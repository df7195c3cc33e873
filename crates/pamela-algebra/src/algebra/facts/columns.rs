//! Claims held against all points of a set of facts at once.

use rustc_hash::FxHashMap;

use crate::algebra::terms::{Terms, expr_of};
use crate::expr::ExprId;
use crate::ring::{Atom, Polynomial, Rational};

use super::statement::Statement;
use super::witness::{self, WANTED, Witness};
use super::{Goal, is_whole_atom};

/// A value for each point; not a number where there is none.
type Column = [f64; WANTED];

/// A double decides a sign only where it is larger than this part of the terms that it is the sum of; else the exact value
/// does.
const NEAR_ZERO: f64 = 1e-9;

/// Points at which facts hold, with the values of atoms there.
#[derive(Clone, Debug)]
pub struct Columns {
    points: Vec<Witness>,
    known: FxHashMap<Atom, Column>,
}

impl Columns {
    /// Points at which all of `facts` hold.
    pub fn new(terms: &Terms, facts: &[ExprId]) -> Columns {
        Columns {
            points: witness::find(terms, facts),
            known: FxHashMap::default(),
        }
    }

    /// The number of points up to the first one at which the further statements hold and the claim does not, and whether
    /// there is one.
    pub fn refuted(
        &mut self,
        terms: &Terms,
        p: &Polynomial,
        further: &[Statement],
        goal: Goal,
    ) -> (usize, bool) {
        let (values, sizes) = self.values(terms, p);
        for (place, point) in self.points.iter_mut().enumerate() {
            let fails = match decided(goal, values[place], sizes[place]) {
                Some(holds) => !holds,
                None if values[place].is_nan() => false,
                None => (point.evaluate(terms, p)).is_some_and(|value| !goal.holds_for(&value)),
            };
            if fails && further.iter().all(|further| further.holds_at(terms, point)) {
                return (place + 1, true);
            }
        }
        (self.points.len(), false)
    }

    /// The values of a polynomial, and the sums of the absolute values of its terms.
    fn values(&mut self, terms: &Terms, p: &Polynomial) -> (Column, Column) {
        let (mut values, mut sizes) = ([0.0; WANTED], [0.0; WANTED]);
        for (monomial, coefficient) in p.terms() {
            let mut products = [coefficient.to_f64(); WANTED];
            for &(atom, exponent) in monomial.powers() {
                let column = self.column(terms, atom);
                for (product, value) in products.iter_mut().zip(column) {
                    *product *= value.powi(exponent);
                }
            }
            for (place, product) in products.into_iter().enumerate() {
                values[place] += product;
                sizes[place] += product.abs();
            }
        }
        (values, sizes)
    }

    fn column(&mut self, terms: &Terms, atom: Atom) -> Column {
        let points = &mut self.points;
        *self.known.entry(atom).or_insert_with(|| {
            let mut column = [f64::NAN; WANTED];
            if !is_whole_atom(atom) {
                for (value, point) in column.iter_mut().zip(points) {
                    let exact = point.value(terms, expr_of(atom));
                    *value = exact.as_ref().map_or(f64::NAN, Rational::to_f64);
                }
            }
            column
        })
    }
}

/// Whether the claim holds of a value; `None` where its double does not tell.
fn decided(goal: Goal, value: f64, size: f64) -> Option<bool> {
    let margin = size * NEAR_ZERO;
    let distance = match goal {
        Goal::Integer => (value - value.round()).abs(),
        _ => value.abs(),
    };
    if !(margin.is_finite() && distance > margin) {
        return None;
    }
    Some(match goal {
        Goal::NonNegative | Goal::Positive => value > 0.0,
        Goal::Zero | Goal::Integer => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::terms::atom_of;
    use crate::ring::Monomial;

    /// Each claim by doubles and by the exact values at the same points, those that meet with equality among them.
    #[test]
    fn claims_are_refuted_where_exact_values_refute_them() {
        let mut terms = Terms::default();
        let [x, y] = ["x", "y"].map(|name| Polynomial::atom(atom_of(terms.arena.parameter(name))));
        let of = |p: i64, q: i64| Polynomial::constant(Rational::new(p, q).expect("not over 0"));
        let over = |p: &Polynomial, atom: &Polynomial| {
            let inverse = Monomial::power(atom.as_atom().expect("an atom"), -1);
            p.mul_term(&inverse, &Rational::ONE).expect("small")
        };
        let squared = x.checked_mul(&x, 10).expect("short");
        let claims = [
            of(0, 1),
            &x - &y,
            &x - &x,
            &squared - &x,
            squared.scale(&Rational::from(-1)),
            over(&y, &x),
            over(&x, &x) - of(1, 3),
            x.scale(&Rational::new(1, 3).expect("a third")),
            &x + &of(1, 1_000_000_000_000),
            &squared - &(&x + &of(1, 2)),
        ];
        let goals = [Goal::NonNegative, Goal::Positive, Goal::Zero, Goal::Integer];
        let mut columns = Columns::new(&terms, &[]);
        assert_eq!(columns.points.len(), WANTED);
        for (claim, goal) in claims.iter().flat_map(|p| goals.map(|goal| (p, goal))) {
            let exact = columns.points.clone().into_iter().position(|mut point| {
                let value = point.evaluate(&terms, claim);
                value.is_some_and(|value| !goal.holds_for(&value))
            });
            let expected = exact.map_or((WANTED, false), |place| (place + 1, true));
            let found = columns.refuted(&terms, claim, &[], goal);
            assert_eq!(found, expected, "{claim:?} {goal:?}");
        }
    }
}
