//! Attempts of rules on one term.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expr::{ExprId, Node, ReduceKind, Relation};

use super::application::{self, Application, FunctionAnswers};
use super::graph::{Attempt, Blocked, Firing, Search};
use super::guards::settled;
use super::language::{Head, head_of, operator_of};
use super::rule::{Body, Rule};
use super::scope::{Scope, clamps};
use super::terms::Terms;

/// Work of creating an expression.
const WORK_OF_A_NODE: u64 = 120;

/// Rules of one head in the order in which they are tried, each with its position in the rule base.
pub type HeadRules = Arc<[(usize, Arc<Rule>)]>;

/// All rules, by the heads of the terms that they are tried on.
pub struct ByHead(BTreeMap<Head, HeadRules>);

impl ByHead {
    pub fn new(rules: &[Arc<Rule>]) -> ByHead {
        let mut lists: BTreeMap<Head, Vec<(usize, Arc<Rule>)>> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            let list = lists.entry(rule.head).or_default();
            list.push((number, rule.clone()));
        }
        let shared = lists.into_iter().map(|(head, list)| (head, list.into()));
        ByHead(shared.collect())
    }

    /// The head of a term, with its rules if it has some.
    pub fn of(&self, terms: &Terms, term: ExprId) -> Option<(Head, &HeadRules)> {
        let head = head_of(operator_of(terms.arena.node(term), term));
        Some((head, self.0.get(&head)?))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Head, &HeadRules)> {
        self.0.iter().map(|(&head, rules)| (head, rules))
    }
}

/// Tries the rules of a head on a term; `None` where that would make nothing new.
pub fn attempt(
    search: &mut Search,
    rules: &HeadRules,
    head: Head,
    term: ExprId,
) -> Option<Attempt> {
    let by_clamping = (search.scope.clamping, head, term);
    if !search.tried.insert((head, term))
        || search.dead_ends.contains(&by_clamping)
        || search.scope.is_nowhere(term)
    {
        return None;
    }
    let mut is_barren = true;
    let mut answers = FunctionAnswers::default();
    let before = search.scope.terms.arena.len();
    let contents = search.scope.terms.arena.contents(term);
    let mut accepted = Vec::new();
    let mut settled = None;
    for (number, rule) in &**rules {
        if !contents.includes(rule.needs) {
            continue;
        }
        // Without proofs, most results of a rule would be rejected, so none are made.
        if search.scope.prover.is_exhausted() {
            break;
        }
        for made in traced(rule, &mut search.scope, term, &mut answers) {
            is_barren = false;
            let Some(right) = accept(search, *number, term, made) else {
                continue;
            };
            if settles(&mut search.scope.terms, term, right) {
                settled = settled.or(Some(right));
            }
            accepted.push((rule.name.as_str().into(), right));
        }
        if settled.is_some() {
            break;
        }
    }
    let scope = &search.scope;
    let made = (scope.terms.arena.len() - before) as u64;
    scope.prover.charge(made * WORK_OF_A_NODE);
    if is_barren && !scope.prover.is_exhausted() {
        search.dead_ends.insert(by_clamping);
    }
    Some(Attempt { accepted, settled })
}

/// True if other rules would only find the same result in a longer way: an elementary result is as short as possible, and
/// a largest element found at its position needs no other derivation.
fn settles(terms: &mut Terms, term: ExprId, right: ExprId) -> bool {
    match *terms.arena.node(term) {
        Node::Reduce(r) if r.kind == ReduceKind::Sum => terms.is_plain(right),
        Node::Reduce(_) => terms.is_elementary(right) || terms.cost(right).open == 0,
        Node::VectorMax(_) => match *terms.arena.node(right) {
            Node::Reduce(r) => terms.is_elementary(r.body),
            _ => terms.is_elementary(right),
        },
        Node::Max(_) | Node::Min(_) | Node::Compare(..) | Node::If(..) => {
            terms.is_elementary(right)
        }
        _ => false,
    }
}

/// The results of a rule on a term, before its assumptions are checked, with the functions called.
pub fn traced(
    rule: &Rule,
    scope: &mut Scope,
    term: ExprId,
    answers: &mut FunctionAnswers,
) -> Vec<Application> {
    match &rule.body {
        Body::Builtin(builtin, _) => {
            let made = builtin.apply(scope, term).into_iter();
            let made = made.map(|candidate| Application {
                candidate,
                calls: Vec::new(),
                asked: Vec::new(),
            });
            made.collect()
        }
        Body::Pattern(pattern) => application::made(pattern, scope, term, answers),
    }
}

/// The right side as it may be united with the left one; `None` where a guard is open, which is noted.
fn accept(search: &mut Search, rule: usize, left: ExprId, made: Application) -> Option<ExprId> {
    let scope = &mut search.scope;
    let Application {
        candidate, calls, ..
    } = made;
    let mut right = candidate.right;
    let mut cases = None;
    let mut open = Vec::new();
    let mut impossible = false;
    let mut guards = candidate.guards;
    // Guards that are met by case distinctions are not required of the step.
    guards.retain(|&asked| {
        let mut by_cases = false;
        if impossible {
            return false;
        }
        for guard in settled(scope, asked) {
            if scope.terms.arena.as_number(guard).is_some() {
                impossible = true;
                return false;
            }
            if tells_apart(scope, left, guard) {
                cases = Some(guard);
                by_cases = true;
            } else {
                open.push(guard);
            }
        }
        !by_cases
    });
    if impossible {
        return None;
    }
    right = scope.terms.canonical(right);
    open.extend(requirements_under(
        scope,
        &open,
        left,
        right,
        cases.is_some(),
    ));
    // A result that is undefined everywhere would have impossible guards. The definedness of another equation is not
    // assumed.
    let arena = &scope.terms.arena;
    if open
        .iter()
        .any(|&guard| arena.as_number(guard).is_some() || arena.is_has_value(guard))
    {
        return None;
    }
    if let Some(nonempty) = cases {
        let zero = scope.terms.arena.number(0);
        right = scope.terms.arena.if_else(nonempty, right, zero);
        right = scope.terms.canonical(right);
    }
    if !open.is_empty() {
        open.sort_by(|&a, &b| scope.terms.arena.compare(a, b));
        open.dedup();
        search.blocked.push(Blocked {
            rule,
            left,
            guards: open,
        });
        return None;
    }
    if right != left {
        search.fired.push(Firing {
            rule,
            left,
            right,
            guards,
            calls,
        });
    }
    Some(right)
}

/// Guards needed for the right side to be defined, beyond those that are open already.
fn requirements_under(
    scope: &mut Scope,
    open: &[ExprId],
    left: ExprId,
    right: ExprId,
    nonempty: bool,
) -> Vec<ExprId> {
    let wanted = scope.new_requirements(left, right, nonempty);
    if wanted.is_empty() || open.is_empty() {
        return wanted;
    }
    let mut assuming = scope.prover.with(open);
    assuming.allow(scope.prover.left());
    let proved = std::mem::replace(&mut scope.prover, assuming);
    let wanted = scope.new_requirements(left, right, nonempty);
    let assuming = std::mem::replace(&mut scope.prover, proved);
    scope.prover.charge(assuming.work());
    wanted
}

/// True if a guard only says that the range of a largest or smallest element is not empty, and is met by
/// telling cases apart: over an empty range it is 0.
fn tells_apart(scope: &mut Scope, left: ExprId, guard: ExprId) -> bool {
    let Node::Reduce(r) = *scope.terms.arena.node(left) else {
        return false;
    };
    if !matches!(r.kind, ReduceKind::Max | ReduceKind::Min) || !clamps(scope, guard) {
        return false;
    }
    let nonempty = scope
        .terms
        .arena
        .relate(Relation::LessEqual, r.lower, r.upper);
    scope.terms.canonical(nonempty) == guard
}
