//! What the premises of a derivation follow from.

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Symbol};

use super::facts::Prover;
use super::terms::Terms;

/// What a premise follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The model's facts and the ranges of the indices are not enough.
    pub assumed: bool,
    /// The facts, and conditions of the closed form, that it follows from; none where it is one itself,
    /// or where the ranges are enough.
    pub grounds: Vec<ExprId>,
}

/// The facts of a model, and the conditions of a closed form.
pub struct Grounds {
    facts: Vec<ExprId>,
    conditions: Vec<ExprId>,
    known: FxHashMap<ExprId, Basis>,
}

impl Grounds {
    pub fn new(facts: Vec<ExprId>, conditions: Vec<ExprId>) -> Grounds {
        Grounds {
            facts,
            conditions,
            known: FxHashMap::default(),
        }
    }

    /// A prover that knows the facts and `further` truth values.
    pub fn with(&self, further: &[ExprId]) -> Prover {
        Prover::new(self.facts.clone()).with(further)
    }

    /// What a canonical truth value that was proved rests on.
    pub fn basis(&mut self, terms: &mut Terms, condition: ExprId) -> Basis {
        if let Some(known) = self.known.get(&condition) {
            return known.clone();
        }
        let assumed = !proves(terms, &self.facts, condition);
        let mut all = self.facts.clone();
        if assumed {
            all.extend(&self.conditions);
        }
        let basis = Basis {
            assumed,
            grounds: fewest(terms, all, condition),
        };
        self.known.insert(condition, basis.clone());
        basis
    }
}

fn proves(terms: &mut Terms, facts: &[ExprId], condition: ExprId) -> bool {
    Prover::new(facts.to_vec()).holds(terms, condition)
}

/// Those of `facts` that are enough to prove the condition, none of which can be left out.
fn fewest(terms: &mut Terms, facts: Vec<ExprId>, condition: ExprId) -> Vec<ExprId> {
    if facts.contains(&condition) {
        return Vec::new();
    }
    let mut kept = related(terms, &facts, condition);
    if !proves(terms, &kept, condition) {
        kept = facts;
    }
    for position in (0..kept.len()).rev() {
        let mut rest = kept.clone();
        rest.remove(position);
        if proves(terms, &rest, condition) {
            kept = rest;
        }
    }
    match proves(terms, &kept, condition) {
        true => kept,
        false => Vec::new(),
    }
}

/// The facts that speak of nothing but the symbols of the condition and of the ranges of its indices.
fn related(terms: &Terms, facts: &[ExprId], condition: ExprId) -> Vec<ExprId> {
    let arena = &terms.arena;
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut pending = vec![condition];
    while let Some(term) = pending.pop() {
        for &symbol in arena.free(term) {
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
                let bounds = arena.range(symbol);
                pending.extend(bounds.into_iter().flat_map(<[ExprId; 2]>::from));
            }
        }
    }
    let known = |fact: &ExprId| arena.free(*fact).iter().all(|s| symbols.contains(s));
    facts.iter().copied().filter(known).collect()
}
