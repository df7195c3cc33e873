//! Finds the reasons for the premises of a derivation.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Symbol};

use super::facts::Prover;
use super::terms::Terms;

/// Reasons for a premise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    pub status: Status,
    /// The facts and conditions that imply the premise; empty if it is one of them, or if ranges suffice.
    pub grounds: Vec<ExprId>,
}

/// Status of a premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The premise is the case of a conditional around the step.
    Case,
    /// The premise follows from the facts of the model, the ranges of the indices and the cases.
    Proved,
    /// The premise also needs the conditions of the closed form.
    Assumed,
}

/// The facts of a model, and the conditions of a closed form.
pub struct Grounds {
    facts: Vec<ExprId>,
    conditions: Vec<ExprId>,
    known: FxHashMap<ExprId, Basis>,
    /// Conditions of the current branches.
    cases: Rc<[ExprId]>,
}

impl Grounds {
    pub fn new(facts: Vec<ExprId>, conditions: Vec<ExprId>) -> Grounds {
        Grounds {
            facts,
            conditions,
            known: FxHashMap::default(),
            cases: Rc::new([]),
        }
    }

    /// Sets the conditions of the current branches.
    pub fn within(&mut self, cases: &Rc<[ExprId]>) {
        if self.cases != *cases {
            self.facts.truncate(self.facts.len() - self.cases.len());
            self.facts.extend(cases.iter());
            self.cases = cases.clone();
            self.known.clear();
        }
    }

    /// The conditions of the current branches.
    pub fn cases(&self) -> Vec<ExprId> {
        self.cases.to_vec()
    }

    /// A prover with the facts and `further` truth values.
    pub fn with(&self, further: &[ExprId]) -> Prover {
        Prover::new(self.facts.clone()).with(further)
    }

    /// The facts that a proved canonical truth value rests on.
    pub fn basis(&mut self, terms: &mut Terms, condition: ExprId) -> Basis {
        if let Some(known) = self.known.get(&condition) {
            return known.clone();
        }
        let mut all = self.facts.clone();
        let status = if proves(terms, &self.facts, condition) {
            Status::Proved
        } else {
            Status::Assumed
        };
        if status == Status::Assumed {
            all.extend(&self.conditions);
        }
        let basis = Basis {
            status,
            grounds: fewest(terms, all, condition),
        };
        self.known.insert(condition, basis.clone());
        basis
    }
}

fn proves(terms: &mut Terms, facts: &[ExprId], condition: ExprId) -> bool {
    Prover::new(facts.to_vec()).holds(terms, condition)
}

/// A minimal subset of `facts` that proves the condition.
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
    if proves(terms, &kept, condition) {
        kept
    } else {
        Vec::new()
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
