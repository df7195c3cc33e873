//! Signs of the differences of a term along an index, at points where the facts hold.

use crate::expr::{ExprId, Symbol};
use crate::ring::Rational;

use super::super::terms::Terms;
use super::Prover;
use super::witness;

/// Indices tried from the beginning of a range on.
const TRIED: usize = 7;

/// Which signs were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub positive: bool,
    pub negative: bool,
}

impl Prover {
    /// The signs of the first or the second differences of a term between neighbouring indices of a range. A sign that
    /// was seen refutes a claim without any proof.
    pub fn differences_seen(
        &self,
        terms: &Terms,
        term: ExprId,
        index: Symbol,
        order: usize,
    ) -> Seen {
        let mut seen = Seen::default();
        let Some((lower, upper)) = terms.arena.range(index) else {
            return seen;
        };
        let along: Vec<ExprId> = (self.known.iter().copied())
            .filter(|&fact| terms.arena.mentions(fact, index))
            .collect();
        let mut witnesses = self.witnesses.borrow_mut();
        let witnesses = witnesses.get_or_insert_with(|| witness::find(terms, &self.known));
        for witness in witnesses {
            let bounds = [lower, upper].map(|bound| witness.value(terms, bound));
            let [Some(first), Some(last)] = bounds else {
                continue;
            };
            let mut point = witness.anew();
            let mut before: Vec<Rational> = Vec::new();
            let mut place = first;
            for _ in 0..TRIED {
                if place > last {
                    break;
                }
                point.set(index, place.clone());
                place += &Rational::ONE;
                self.charge(u64::from(terms.arena.size(term)));
                let value = point.value(terms, term);
                let Some(value) = value.filter(|_| point.satisfies(terms, &along)) else {
                    before.clear();
                    continue;
                };
                before.push(value);
                if let Some(change) = difference(&before, order) {
                    seen.positive |= change.is_positive();
                    seen.negative |= change.is_negative();
                }
            }
            if seen.positive && seen.negative {
                break;
            }
        }
        seen
    }
}

/// The last difference of this order, if there are as many values.
fn difference(values: &[Rational], order: usize) -> Option<Rational> {
    match (order, values) {
        (1, [.., a, b]) => Some(b - a),
        (2, [.., a, b, c]) => Some(c - b - (b - a)),
        _ => None,
    }
}
