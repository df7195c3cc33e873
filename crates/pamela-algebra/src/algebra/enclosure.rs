//! Closed forms on both sides of an equation that stays open.

mod sharpness;

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

use super::closed::Closed;
use super::definedness::requirements_beyond;
use super::facts::{PROOF, Prover};
use super::relaxation::{Manner, Relaxation, Side, speaks_of_owners, takes_a_loop};
use super::scope::{Clamping, Scope};
use super::simplify::Simplifier;
use super::terms::Terms;
use sharpness::sharpest;

/// Work limit for all relaxations of one equation.
const WORK: u64 = 500 * PROOF;

/// Maximum number of closed bounds that are compared, for a form and for a definition.
const MOST_BOUNDS: usize = 4;
/// The bounds of a form on one side may take this share of the work that the equations of a model have left, and so much at
/// least and at most. Half of it is for more than one.
const SHARE_OF_A_SIDE: u64 = 4;
const LEAST_WORK_OF_A_SIDE: u64 = 180 * PROOF;
const MOST_WORK_OF_A_SIDE: u64 = 900 * PROOF;
/// Work limit for one bound.
const WORK_OF_A_BOUND: u64 = 700 * PROOF;
/// Work limit for one bound of a large relaxation: it closes quickly or to a formula too long to read.
const WORK_OF_A_LONG_BOUND: u64 = 100 * PROOF;
const LONG: u32 = 400;
/// A bound may take this many times its equal share of the remaining work.
const SHARES_OF_A_BOUND: u64 = 4;
/// A larger definition is not looked at.
const MOST_NODES: u32 = 100;

/// Relaxations of a closed form, in the order in which they are tried: the first ones usually give the sharpest
/// bounds.
const OF_FORMS: [Manner; 15] = {
    use Manner as M;
    let both = M::ROUNDING.and(M::CHOICES);
    [
        M::CHOICES.and(M::TOGETHER),
        M::CHOICES,
        M::ROUNDING,
        both.and(M::TOGETHER),
        both,
        M::ROWS,
        both.and(M::ROWS),
        M::OWNERS,
        M::ROUNDING.and(M::OWNERS),
        both.and(M::OWNERS),
        M::LOOPS,
        M::LOOPS.and(M::CHOICES),
        M::LOOPS.and(both).and(M::TOGETHER),
        M::LOOPS.and(both),
        M::LOOPS.and(both).and(M::OWNERS),
    ]
};

/// Relaxations of a definition, whose owners are not known.
const OF_DEFINITIONS: [Manner; 3] = [
    Manner::OWNERS,
    Manner::ALONE,
    Manner::OWNERS.and(Manner::CHOICES).and(Manner::ROUNDING),
];

/// A bound, the relaxation whose closed form it is, and its assumptions.
struct Candidate {
    relaxed: ExprId,
    assumed: Vec<ExprId>,
    bound: Closed,
}

/// The manners in which a closed form and its definition are relaxed, with each of them.
fn manners(expr: ExprId, definition: Option<ExprId>) -> Vec<(ExprId, Vec<Manner>)> {
    let of_definition = definition.map(|definition| (definition, OF_DEFINITIONS.to_vec()));
    let of_form = (expr, OF_FORMS.to_vec());
    of_definition.into_iter().chain([of_form]).collect()
}

impl Simplifier {
    /// Closed bounds of a closed form that still contains a loop: a lower and an upper one, each `None` if none was
    /// found. They need the assumptions of that form and may need more. `definition` is the expression of the source
    /// arena that it is a form of.
    pub fn enclosure(&mut self, open: &Closed, definition: ExprId) -> [(Side, Option<Closed>); 2] {
        let effort = self.options.effort;
        let (least, most) = (LEAST_WORK_OF_A_SIDE, MOST_WORK_OF_A_SIDE);
        let of_a_side = self.work_left() / SHARE_OF_A_SIDE;
        let of_a_side = of_a_side.clamp(effort.of(least), effort.of(most));
        let sides = [Side::Lower, Side::Upper];
        let found = sides.map(|side| (side, self.bound(open, definition, side, of_a_side)));
        self.allow_each(None);
        found
    }

    /// Each form may take about `most` work.
    fn bound(
        &mut self,
        open: &Closed,
        definition: ExprId,
        side: Side,
        most: u64,
    ) -> Option<Closed> {
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let expr = arena.import(&self.results, open.expr, &mut copied);
        let assumed = arena.import_all(&self.results, &open.assumptions, &mut copied);
        let mut copied = FxHashMap::default();
        let mut known = arena.import_all(&self.source, &self.facts, &mut copied);
        known.extend(assumed);
        let has_owners = self.source.size(definition) <= MOST_NODES
            && speaks_of_owners(&self.source, definition);
        let definition = has_owners.then(|| arena.import(&self.source, definition, &mut copied));
        let mut terms = Terms::new(arena);
        let known: Vec<ExprId> = known.iter().map(|&fact| terms.canonical(fact)).collect();
        let expr = terms.canonical(expr);
        let definition = definition.map(|definition| terms.canonical(definition));
        let mut prover = Prover::new(known);
        prover.allow(self.options.effort.of(WORK));
        let mut scope = Scope::new(terms, prover, Clamping::Off);
        let mut more = self.options.effort.of(WORK);
        // The bound 0 of a time is used only if no other bound is known.
        let (mut found, mut nothing) = (Vec::new(), None);
        let mut tried = vec![expr];
        for (from, manners) in manners(expr, definition) {
            let (before, earlier) = (found.len(), self.work_taken());
            let count = manners.len() as u64;
            for (manner, left) in manners.into_iter().zip((1..=count).rev()) {
                let spent = self.work_taken() - earlier;
                let some = found.len() - before;
                if some == MOST_BOUNDS || 2 * spent >= most && some > 0 {
                    break;
                }
                // The last one leaves out most: it is tried whatever the others took.
                if spent >= most && left > 1 {
                    continue;
                }
                if manner.loops && more > 0 && scope.prover.is_exhausted() {
                    scope.prover.allow(std::mem::take(&mut more));
                }
                let mut relaxation = Relaxation {
                    scope: &mut scope,
                    manner,
                    assumed: Vec::new(),
                };
                let relaxed = relaxation.bound(from, side);
                let assumed = relaxation.assumed;
                if tried.contains(&relaxed) {
                    continue;
                }
                tried.push(relaxed);
                let is_long = scope.terms.arena.size(relaxed) > LONG;
                let work = self.work_of_a_bound(is_long, most.saturating_sub(spent), left);
                self.allow_each(Some(work));
                let arena = &scope.terms.arena;
                let Some(bound) = self.closed_bound(arena, relaxed, &assumed, open) else {
                    continue;
                };
                if side == Side::Lower && self.is_zero(bound.expr) {
                    nothing = Some(bound);
                    continue;
                }
                let known = |other: &Candidate| other.bound.expr == bound.expr;
                if !found.iter().any(known) {
                    found.push(Candidate {
                        relaxed,
                        assumed,
                        bound,
                    });
                }
            }
        }
        // Several together are closed with as much as one.
        self.allow_each(Some(self.options.effort.of(WORK_OF_A_BOUND)));
        self.sharpest(&mut scope, found, open, side).or(nothing)
    }

    /// Work limit for one bound if `left` bounds share the remaining work `rest`.
    fn work_of_a_bound(&self, is_long: bool, rest: u64, left: u64) -> u64 {
        let effort = self.options.effort;
        let most = effort.of(if is_long {
            WORK_OF_A_LONG_BOUND
        } else {
            WORK_OF_A_BOUND
        });
        // The last relaxations close fastest, so earlier ones leave them a reserve.
        let share = rest.min(SHARES_OF_A_BOUND * rest / left);
        let reserve = match left {
            1 => effort.of(WORK_OF_A_LONG_BOUND),
            _ => 0,
        };
        most.min(share.max(reserve))
    }

    fn is_zero(&self, id: ExprId) -> bool {
        let number = self.results.as_number(id);
        number.is_some_and(Rational::is_zero)
    }

    /// The best of some bounds, or several together where each is better than the others somewhere.
    fn sharpest(
        &mut self,
        scope: &mut Scope,
        mut found: Vec<Candidate>,
        open: &Closed,
        side: Side,
    ) -> Option<Closed> {
        if found.len() < 2 {
            return found.pop().map(|found| found.bound);
        }
        let mut known = self.facts_in_results();
        known.extend(found.iter().flat_map(|found| &found.bound.assumptions));
        let bounds: Vec<ExprId> = found.iter().map(|found| found.bound.expr).collect();
        let chosen = sharpest(&self.results, &known, &bounds, side);
        if chosen.len() > 1 {
            let assumed = chosen.iter().flat_map(|&place| &found[place].assumed);
            let assumed: Vec<ExprId> = assumed.copied().collect();
            let relaxed: Vec<ExprId> = chosen.iter().map(|&place| found[place].relaxed).collect();
            let all = match side {
                Side::Lower => scope.terms.arena.max(&relaxed),
                Side::Upper => scope.terms.arena.min(&relaxed),
            };
            let all = scope.terms.canonical(all);
            let all = self.closed_bound(&scope.terms.arena, all, &assumed, open);
            if let Some(all) = all {
                return Some(all);
            }
        }
        Some(found.swap_remove(chosen[0]).bound)
    }

    /// The closed form of a relaxation under the assumptions `assumed`, if there is one.
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
        let mut closed = self.close_bound(relaxed, known);
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

    /// Conditions under which a bound has a value, beyond those of the open form, which has a value wherever these
    /// conditions are evaluated.
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
