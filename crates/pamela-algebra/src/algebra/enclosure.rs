//! Closed forms on both sides of an equation that stays open.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

use super::closed::Closed;
use super::definedness::requirements_beyond;
use super::facts::Prover;
use super::relaxation::{Manner, Relaxation, Side, takes_a_loop};
use super::scope::{Clamping, Scope};
use super::simplify::Simplifier;
use super::terms::Terms;

/// How many attempts to prove something the relaxations of an equation may take.
const PROOFS: u64 = 4_000;

/// What is left out, as rounding, choices, rows, owners and loops; what is tried first gives the sharper bounds as a rule.
const MANNERS: [[bool; 5]; 12] = [
    [false, true, false, false, false],
    [true, false, false, false, false],
    [true, true, false, false, false],
    [false, false, true, false, false],
    [true, true, true, false, false],
    [false, false, false, true, false],
    [true, false, false, true, false],
    [true, true, false, true, false],
    [false, false, false, false, true],
    [false, true, false, false, true],
    [true, true, false, false, true],
    [true, true, false, true, true],
];

impl Simplifier {
    /// Closed forms that are never above, or never below, a closed form that still takes a loop; each `None` where none
    /// was found. They need what that one assumes, and may need more.
    pub fn enclosure(&mut self, open: &Closed) -> [(Side, Option<Closed>); 2] {
        [Side::Lower, Side::Upper].map(|side| (side, self.bound(open, side)))
    }

    fn bound(&mut self, open: &Closed, side: Side) -> Option<Closed> {
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let expr = arena.import(&self.results, open.expr, &mut copied);
        let assumed = arena.import_all(&self.results, &open.assumptions, &mut copied);
        let mut known = arena.import_all(&self.source, &self.facts, &mut FxHashMap::default());
        known.extend(assumed);
        let mut terms = Terms::new(arena);
        let known: Vec<ExprId> = known.iter().map(|&fact| terms.canonical(fact)).collect();
        let expr = terms.canonical(expr);
        let mut prover = Prover::new(known);
        prover.allow(self.options.effort.of(PROOFS));
        let mut scope = Scope::new(terms, prover, Clamping::Off);
        let mut tried = vec![expr];
        let more = self.options.effort.of(PROOFS);
        // That nothing takes less than no time is no bound, unless nothing else is known.
        let mut nothing = None;
        let found = MANNERS
            .into_iter()
            .find_map(|[rounding, choices, rows, owners, loops]| {
                if loops && scope.prover.is_exhausted() {
                    scope.prover.allow(more);
                }
                let manner = Manner {
                    rounding,
                    choices,
                    rows,
                    owners,
                    loops,
                };
                let mut relaxation = Relaxation {
                    scope: &mut scope,
                    manner,
                    assumed: Vec::new(),
                };
                let relaxed = relaxation.bound(expr, side);
                let assumed = relaxation.assumed;
                if tried.contains(&relaxed) {
                    return None;
                }
                tried.push(relaxed);
                let bound = self.closed_bound(&scope.terms.arena, relaxed, &assumed, open)?;
                let is_zero = self
                    .results
                    .as_number(bound.expr)
                    .is_some_and(Rational::is_zero);
                if side == Side::Lower && is_zero {
                    nothing = Some(bound);
                    return None;
                }
                Some(bound)
            });
        found.or(nothing)
    }

    /// The closed form of a relaxation that rests on what is assumed, if it has one.
    fn closed_bound(
        &mut self,
        arena: &Arena,
        relaxed: ExprId,
        assumed: &[ExprId],
        open: &Closed,
    ) -> Option<Closed> {
        let mut copied = FxHashMap::default();
        let relaxed = self.source.import(arena, relaxed, &mut copied);
        let mut known = self.source.import_all(arena, assumed, &mut copied);
        let own = self
            .results
            .import_all(arena, assumed, &mut FxHashMap::default());
        known.extend(self.source.import_all(
            &self.results,
            &open.assumptions,
            &mut FxHashMap::default(),
        ));
        let mut closed = self.close_under(relaxed, &known);
        if takes_a_loop(&self.results, closed.expr) {
            return None;
        }
        let own: Vec<ExprId> = own
            .into_iter()
            .chain(open.assumptions.iter().copied())
            .collect();
        let further = self.asked_beyond(open, &closed, &own);
        for assumption in own.into_iter().chain(further) {
            if !closed.assumptions.contains(&assumption) {
                closed.assumptions.push(assumption);
            }
        }
        let results = &self.results;
        closed.assumptions.sort_by(|&a, &b| results.compare(a, b));
        Some(closed)
    }

    /// What a bound asks for to have a value, beyond what the open form does, which has one wherever this is asked.
    fn asked_beyond(&mut self, open: &Closed, bound: &Closed, assumed: &[ExprId]) -> Vec<ExprId> {
        let mut arena = Arena::new();
        let mut known = arena.import_all(&self.source, &self.facts, &mut FxHashMap::default());
        let mut copied = FxHashMap::default();
        known.extend(arena.import_all(&self.results, assumed, &mut copied));
        known.extend(arena.import_all(&self.results, &bound.assumptions, &mut copied));
        let [of_open, of_bound] =
            [open.expr, bound.expr].map(|id| arena.import(&self.results, id, &mut copied));
        let mut terms = Terms::new(arena);
        let known: Vec<ExprId> = known.iter().map(|&fact| terms.canonical(fact)).collect();
        let of_open = terms.canonical(of_open);
        let asked = requirements_beyond(&mut terms, &known, of_open, of_bound);
        self.results
            .import_all(&terms.arena, &asked, &mut FxHashMap::default())
    }
}
