//! A scope: its terms and the facts that hold in it.

use rustc_hash::FxHashMap;

use crate::expr::ExprId;

use super::facts::Prover;
use super::terms::Terms;

/// Treatment of guards that cannot be proved: which ones the result meets by clamping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clamping {
    /// No guard: a rule with an unproved guard is blocked.
    Off,
    /// Guards that mention an index.
    Indices,
    /// All.
    Everything,
}

/// State that rules need when they are applied: terms and prover.
pub struct Scope {
    pub terms: Terms,
    pub prover: Prover,
    /// Provers under further truth values, by these truth values.
    pub beneath: FxHashMap<Vec<ExprId>, Prover>,
    pub clamping: Clamping,
}

/// A result of a rule for a term: equal to the term if the guards hold.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub right: ExprId,
    pub guards: Vec<ExprId>,
}

impl Candidate {
    /// A single result, equal wherever the term is defined.
    pub fn always(right: ExprId) -> Vec<Candidate> {
        let guards = Vec::new();
        vec![Candidate { right, guards }]
    }
}

impl Scope {
    /// A scope without attempts.
    pub fn new(terms: Terms, prover: Prover, clamping: Clamping) -> Scope {
        Scope {
            terms,
            prover,
            beneath: FxHashMap::default(),
            clamping,
        }
    }

    /// An empty scope, without terms and facts.
    pub fn empty() -> Scope {
        Scope::new(Terms::default(), Prover::default(), Clamping::Off)
    }

    /// True if a term mentions an index of a range that is proved to be empty. Everything is equal there, so results
    /// for such a term must not be used elsewhere.
    pub fn is_nowhere(&mut self, term: ExprId) -> bool {
        let free: Vec<_> = self.terms.arena.free(term).to_vec();
        free.into_iter().any(|symbol| {
            let Some((lower, upper)) = self.terms.arena.range(symbol) else {
                return false;
            };
            let (lower, upper) = (self.terms.polynomial(lower), self.terms.polynomial(upper));
            self.prover.positive(&mut self.terms, &(&*lower - &*upper))
        })
    }

    /// True if a guard is proved.
    pub fn holds(&mut self, guard: ExprId) -> bool {
        self.prover.holds(&mut self.terms, guard)
    }
}

impl AsMut<Terms> for Scope {
    fn as_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }
}

/// True if an unproved guard is met by changing the result.
pub fn clamps(scope: &Scope, guard: ExprId) -> bool {
    match scope.clamping {
        Clamping::Off => false,
        Clamping::Indices => mentions_index(&scope.terms, guard),
        Clamping::Everything => true,
    }
}

/// True if an index is free in `id`.
pub fn mentions_index(terms: &Terms, id: ExprId) -> bool {
    terms.indices(id) > 0
}
