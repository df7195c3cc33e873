//! Contradictory facts.

use crate::expr::{ExprId, Node};

use super::quotients::{solve, whole_quotient};
use super::{Cones, PROOF, Prover, repair, witness};
use crate::algebra::terms::{Terms, atom_of, expr_of};

/// Work to show that one fact contradicts others.
const WORK_OF_CONTRADICTION: u64 = 100 * PROOF;
/// Work limit for all facts together.
const MOST_WORK_OF_CONTRADICTION: u64 = 4_000 * PROOF;

/// The first of the given truth values that provably contradicts the earlier ones.
pub fn contradiction(terms: &mut Terms, facts: &[ExprId]) -> Option<usize> {
    let groups = Cones::new(&terms.arena, facts).groups(&terms.arena);
    let mut work = MOST_WORK_OF_CONTRADICTION;
    let of_group = |group: Vec<usize>| {
        let own: Vec<ExprId> = group.iter().map(|&position| facts[position]).collect();
        contradiction_within(terms, &own, &mut work).map(|position| group[position])
    };
    groups.into_iter().filter_map(of_group).min()
}

fn contradiction_within(terms: &mut Terms, facts: &[ExprId], work: &mut u64) -> Option<usize> {
    if holds_somewhere(terms, facts) {
        return None;
    }
    if let Some(position) = refuted(terms, facts, work) {
        return Some(position);
    }
    let (multiples, last) = in_whole_quotients(terms, facts)?;
    if holds_somewhere(terms, &multiples) {
        return None;
    }
    refuted(terms, &multiples, work).map(|position| position.max(last))
}

fn holds_somewhere(terms: &Terms, facts: &[ExprId]) -> bool {
    witness::exists(terms, facts) || repair::point(terms, facts).is_some()
}

fn refuted(terms: &mut Terms, facts: &[ExprId], work: &mut u64) -> Option<usize> {
    (0..facts.len()).find(|&position| {
        let opposite = terms.arena.not(facts[position]);
        let opposite = terms.canonical(opposite);
        let mut prover = Prover::new(facts[..position].to_vec());
        prover.allow(WORK_OF_CONTRADICTION.min(*work));
        let refuted = prover.holds(terms, opposite);
        *work = work.saturating_sub(prover.work());
        refuted
    })
}

/// The facts where parameters are written as the multiples that they are, `N` as `P * k` for `integer(N / P)`, and the
/// last position of a fact that says so. Whole parts leave floors by it, which proofs do not see otherwise.
fn in_whole_quotients(terms: &mut Terms, facts: &[ExprId]) -> Option<(Vec<ExprId>, usize)> {
    let (mut multiples, mut last) = (facts.to_vec(), None);
    for position in 0..facts.len() {
        let Some(quotient) = whole_quotient(terms, multiples[position]) else {
            continue;
        };
        let whole = terms.arena.parameter(&format!("quotient {position}"));
        let Some((atom, multiple)) = solve(terms, &quotient, atom_of(whole)) else {
            continue;
        };
        let Node::Symbol(symbol) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let multiple = terms.expression(&multiple);
        for fact in &mut multiples {
            let replaced = terms.arena.substitute(*fact, symbol, multiple);
            *fact = terms.canonical(replaced);
        }
        last = Some(position);
    }
    Some((multiples, last?))
}
