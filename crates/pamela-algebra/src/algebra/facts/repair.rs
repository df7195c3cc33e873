//! A point at which many facts hold, found by moving one parameter at a time.
//!
//! Random points hardly ever satisfy chains of facts such as `x1 < x2`, `x2 < x3`, ... The search starts with all
//! values 1. For the first violated fact, it makes the move that leaves the fewest violated facts, and repeats this.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Node, Relation, Symbol};
use crate::ring::Rational;

use super::witness::Witness;
use crate::algebra::terms::Terms;

/// Moves for each fact.
const MOVES: usize = 8;
/// Values tried where no line leads to one.
const TRIED: [i64; 6] = [0, 1, 2, 3, -1, 12];

/// A point at which all facts hold, if the search finds one.
pub fn point(terms: &Terms, facts: &[ExprId]) -> Option<Witness> {
    let mut search = Search::new(terms, facts)?;
    for _ in 0..MOVES * facts.len() {
        let Some(&first) = search.failing.first() else {
            return Some(search.point);
        };
        search.meet(first)?;
    }
    search.failing.is_empty().then_some(search.point)
}

struct Search<'t> {
    terms: &'t Terms,
    facts: &'t [ExprId],
    mentioning: FxHashMap<Symbol, Vec<usize>>,
    values: FxHashMap<Symbol, Rational>,
    point: Witness,
    failing: BTreeSet<usize>,
}

impl<'t> Search<'t> {
    /// `None` where a fact speaks of more than parameters.
    fn new(terms: &'t Terms, facts: &'t [ExprId]) -> Option<Search<'t>> {
        let mut search = Search {
            terms,
            facts,
            mentioning: FxHashMap::default(),
            values: FxHashMap::default(),
            point: Witness::of_ones(),
            failing: BTreeSet::new(),
        };
        for (position, &fact) in facts.iter().enumerate() {
            for &symbol in terms.arena.free(fact) {
                if terms.arena.range(symbol).is_some() {
                    return None;
                }
                search.mentioning.entry(symbol).or_default().push(position);
                search.values.insert(symbol, Rational::ONE);
            }
            if !search.holds(position) {
                search.failing.insert(position);
            }
        }
        Some(search)
    }

    fn holds(&mut self, position: usize) -> bool {
        self.point.satisfies(self.terms, &[self.facts[position]])
    }

    /// Makes the best move that satisfies a fact; `None` if there is no such move.
    fn meet(&mut self, position: usize) -> Option<()> {
        let mut best: Option<(i64, Symbol, Rational)> = None;
        let symbols = self.terms.arena.free(self.facts[position]);
        // Symbols later in a chain are moved first.
        for &symbol in symbols.iter().rev() {
            let before = self.values[&symbol].clone();
            for value in self.candidates(self.facts[position], symbol, &before) {
                self.point.set(symbol, value.clone());
                if self.holds(position) {
                    let change = self.change(symbol);
                    if best.as_ref().is_none_or(|(least, ..)| change < *least) {
                        best = Some((change, symbol, value));
                    }
                }
            }
            self.point.set(symbol, before);
        }
        let (_, symbol, value) = best?;
        self.point.set(symbol, value.clone());
        self.values.insert(symbol, value);
        for position in self.mentioning[&symbol].clone() {
            if self.holds(position) {
                self.failing.remove(&position)
            } else {
                self.failing.insert(position)
            };
        }
        Some(())
    }

    /// Change in the number of violated facts that mention the parameter, after its move.
    fn change(&mut self, symbol: Symbol) -> i64 {
        let positions = self.mentioning[&symbol].clone();
        let failed = positions
            .iter()
            .filter(|p| self.failing.contains(p))
            .count() as i64;
        let fail = positions.into_iter().filter(|&p| !self.holds(p)).count() as i64;
        fail - failed
    }

    /// Values near the one at which the two sides of a comparison are equal, and some that are often right.
    fn candidates(&mut self, fact: ExprId, symbol: Symbol, value: &Rational) -> Vec<Rational> {
        let others = TRIED.into_iter().map(Rational::from);
        let Some((equal, slope)) = self.crossing(fact, symbol, value) else {
            return others.collect();
        };
        let step = if slope.is_negative() {
            Rational::from(-1)
        } else {
            Rational::ONE
        };
        let whole = if slope.is_negative() {
            equal.floor()
        } else {
            equal.ceil()
        };
        let near = [equal, whole.clone(), &whole + &step];
        near.into_iter().chain(others).collect()
    }

    /// The zero of `right - left` of a comparison if the difference is linear, and its slope.
    fn crossing(
        &mut self,
        fact: ExprId,
        symbol: Symbol,
        value: &Rational,
    ) -> Option<(Rational, Rational)> {
        let Node::Compare(relation, left, right) = *self.terms.arena.node(fact) else {
            return None;
        };
        let difference = |search: &mut Search<'_>, at: &Rational| {
            search.point.set(symbol, at.clone());
            let left = search.point.value(search.terms, left)?;
            Some(search.point.value(search.terms, right)? - left)
        };
        let here = difference(self, value)?;
        let slope = difference(self, &(value + Rational::ONE))? - &here;
        self.point.set(symbol, value.clone());
        let equal = value - here.checked_div(&slope)?;
        let downwards = relation == Relation::Equal && slope.is_negative();
        Some((equal, if downwards { -slope } else { slope }))
    }
}
