//! The indices that may have no value, which separate classes.
//!
//! An equation holds wherever the indices that its terms mention have values. If `a = f(i)` and `f(i) = b` were in
//! one class, `a = b` would follow, and would be used even for an empty range of `i`. So all terms of a class mention
//! the same indices. A class whose terms equal one with fewer indices has a link to the class of that term and uses
//! its best term.

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Symbol};

use super::scope::Scope;

/// A set of indices of one e-graph that may have no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indices(u32);

/// The sets of indices of an e-graph.
pub struct Ranges {
    /// Ascending; the first is empty.
    sets: Vec<Vec<Symbol>>,
    places: FxHashMap<Vec<Symbol>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    /// True if the range of an index has a value wherever the facts hold.
    inhabited: FxHashMap<Symbol, bool>,
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges {
            sets: vec![Vec::new()],
            places: FxHashMap::from_iter([(Vec::new(), 0)]),
            unions: FxHashMap::default(),
            inhabited: FxHashMap::default(),
        }
    }
}

impl Ranges {
    /// The indices that may have no value among those that a term mentions.
    pub fn of(&mut self, scope: &mut Scope, term: ExprId) -> Indices {
        if scope.terms.indices(term) == 0 {
            return Indices::default();
        }
        let free = scope.terms.arena.free(term).to_vec();
        let open = free
            .into_iter()
            .filter(|&symbol| !self.is_inhabited(scope, symbol));
        let open = open.collect();
        self.set(open)
    }

    pub fn union(&mut self, a: Indices, b: Indices) -> Indices {
        if a == b || b == Indices::default() {
            return a;
        }
        if a == Indices::default() {
            return b;
        }
        let pair = (a.0.min(b.0), a.0.max(b.0));
        if let Some(&known) = self.unions.get(&pair) {
            return Indices(known);
        }
        let mut all = [self.symbols(a), self.symbols(b)].concat();
        all.sort_unstable();
        all.dedup();
        let all = self.set(all);
        self.unions.insert(pair, all.0);
        all
    }

    pub fn without(&mut self, all: Indices, index: Symbol) -> Indices {
        if !self.symbols(all).contains(&index) {
            return all;
        }
        let others = self.symbols(all).iter().copied();
        let others = others.filter(|&other| other != index).collect();
        self.set(others)
    }

    /// True if all of `a` are in `b`.
    pub fn is_within(&self, a: Indices, b: Indices) -> bool {
        let b = self.symbols(b);
        self.symbols(a).iter().all(|index| b.contains(index))
    }

    fn symbols(&self, set: Indices) -> &[Symbol] {
        &self.sets[set.0 as usize]
    }

    /// `all` is ascending.
    fn set(&mut self, all: Vec<Symbol>) -> Indices {
        if let Some(&known) = self.places.get(&all) {
            return Indices(known);
        }
        let place = self.sets.len() as u32;
        self.places.insert(all.clone(), place);
        self.sets.push(all);
        Indices(place)
    }

    fn is_inhabited(&mut self, scope: &mut Scope, symbol: Symbol) -> bool {
        let Some((lower, upper)) = scope.terms.arena.range(symbol) else {
            return true;
        };
        if let Some(&known) = self.inhabited.get(&symbol) {
            return known;
        }
        let (lower, upper) = (scope.terms.polynomial(lower), scope.terms.polynomial(upper));
        let known = scope
            .prover
            .nonnegative(&mut scope.terms, &(&*upper - &*lower));
        self.inhabited.insert(symbol, known);
        known
    }
}
