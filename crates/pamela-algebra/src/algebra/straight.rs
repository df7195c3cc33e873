//! Closes a whole term by the rules for its head alone.
//!
//! The parts of a term are closed before it. If its rules agree on a result that is made of such parts, an e-graph would
//! hold nothing else.

use rustc_hash::FxHashSet;

use crate::expr::{ExprId, Function, GraphPart, Node, ReduceKind, Reduction};

use super::attempts::{ByHead, attempt};
use super::graph::{Attempt, Search};
use super::terms::{Terms, expr_of};

/// Results in a row that are whole terms with rules of their own.
const MOST_STEPS: usize = 4;
/// Sums of more terms are not looked through for floors, roots and truth values.
const MOST_REREAD: usize = 8;
/// Sums of more terms are not searched for quotients and their remainders.
const MOST_SEARCHED: usize = 60;

/// The result for `root` that its rules agree on; what they made is kept in `search`.
pub fn straight(search: &mut Search, rules: &ByHead, root: ExprId) -> Option<ExprId> {
    let mut term = root;
    for _ in 0..MOST_STEPS {
        let result = agreed(tried(search, rules, term)?)?;
        if search.scope.prover.is_exhausted() || !search.is_better(result, term) {
            return None;
        }
        let terms = &mut search.scope.terms;
        let new = new_parts(terms, result, root);
        if new.is_empty() {
            return Some(result);
        }
        let operands = new.iter().flat_map(|&part| terms.arena.operands(part));
        let operands: Vec<ExprId> = operands.collect();
        if !(operands.into_iter()).all(|operand| new_parts(terms, operand, root).is_empty()) {
            return None;
        }
        if new != [result] {
            let is_left =
                |part| tried(search, rules, part).is_none_or(|made| made.accepted.is_empty());
            return new.into_iter().all(is_left).then_some(result);
        }
        term = result;
    }
    None
}

/// What the rules for the head of a term make of it; `None` if there are no such rules, or if they were tried before.
fn tried<'s>(search: &'s mut Search, rules: &ByHead, term: ExprId) -> Option<&'s Attempt> {
    let (head, own) = rules.of(&search.scope.terms, term)?;
    let made = attempt(search, own, head, term)?;
    search.made.push((term, made));
    search.made.last().map(|(_, made)| made)
}

/// The only result, or the one that no further rule would improve.
fn agreed(made: &Attempt) -> Option<ExprId> {
    let first = made.accepted.first()?.1;
    let is_alone = made.accepted.iter().all(|&(_, result)| result == first);
    made.settled.or(is_alone.then_some(first))
}

/// The parts of a term that have rules of their own, and that no rule has seen when `root` was made.
fn new_parts(terms: &mut Terms, term: ExprId, root: ExprId) -> Vec<ExprId> {
    if terms.has_rules(term) {
        let is_known = is_part(terms, term, root);
        return if is_known { Vec::new() } else { vec![term] };
    }
    let atoms = terms.polynomial(term).atoms();
    let mut new: Vec<ExprId> = atoms.into_iter().map(expr_of).collect();
    new.retain(|&atom| !terms.is_plain(atom) && !is_part(terms, atom, root));
    new
}

/// True if a term occurs within another one.
fn is_part(terms: &Terms, part: ExprId, whole: ExprId) -> bool {
    let arena = &terms.arena;
    let least = arena.size(part);
    let mut seen = FxHashSet::default();
    let mut pending = arena.operands(whole);
    while let Some(id) = pending.pop() {
        if id == part {
            return true;
        }
        if arena.size(id) > least && seen.insert(id) {
            pending.extend(arena.operands(id));
        }
    }
    false
}

impl Terms {
    /// Powers are the ring's business, and sums and products but for some of their parts; all else has rules.
    pub fn has_rules(&mut self, expr: ExprId) -> bool {
        match self.arena.node(expr) {
            Node::Number(_)
            | Node::Symbol(_)
            | Node::Pow(..)
            | Node::Vector(_)
            | Node::UnitVector(..)
            | Node::Call(..)
            | Node::Graph(GraphPart::Task | GraphPart::After(_) | GraphPart::AfterAll(_), _)
            | Node::Reduce(Reduction {
                kind: ReduceKind::Each,
                ..
            }) => false,
            Node::Add(list) if list.len() > MOST_SEARCHED => false,
            // A root may have become one of a square.
            Node::Mul(_) => {
                self.has_atom(expr, |node| matches!(node, Node::Apply(Function::Sqrt, _)))
            }
            Node::Add(list) => {
                let is_short = list.len() <= MOST_REREAD;
                let is_fixed = is_short && self.indices(expr) == 0;
                self.has_atom(expr, |node| match node {
                    Node::Mod(..) => true,
                    Node::Compare(..) | Node::Apply(Function::Floor | Function::Sqrt, _) => {
                        is_short
                    }
                    Node::Max(pair) | Node::Min(pair) => is_fixed && pair.len() == 2,
                    _ => false,
                })
            }
            _ => true,
        }
    }

    /// True if some atom of a polynomial is a node of this kind.
    fn has_atom(&mut self, expr: ExprId, is_wanted: impl Fn(&Node) -> bool) -> bool {
        let atoms = self.polynomial(expr).atoms().into_iter();
        let mut nodes = atoms.map(|atom| self.arena.node(expr_of(atom)));
        nodes.any(is_wanted)
    }
}
