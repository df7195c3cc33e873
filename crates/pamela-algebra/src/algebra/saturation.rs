//! Saturates one scope.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use egg::{
    Applier, Id, Rewrite, Runner, SearchMatches, Searcher, SimpleScheduler, StopReason, Subst,
    Symbol, Var,
};

use quanta::Clock;
use rustc_hash::FxHashMap;

use crate::effort::Effort;
use crate::expr::{self, ExprId, Node, ReduceKind, Relation};

use super::application::{self, Application, FunctionAnswers};
use super::facts::{PROOF, Prover};
use super::graph::{Blocked, DeadEnds, Firing, Graph, Search, add_term, join, node_term};
use super::guards::settled;
use super::language::{ENode, Head};
use super::rule::{Body, Rule};
use super::scope::{Clamping, Scope, clamps};
use super::terms::Terms;

/// Further nodes for each of the term that is saturated.
const NODES_PER_OWN: usize = 4;

/// Limits of saturation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub nodes: usize,
    pub iterations: usize,
    /// Work of proofs in one scope, in terms examined.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: 5_000,
            iterations: 24,
            work: 1_500 * PROOF,
        }
    }
}

impl Limits {
    /// The limits of one scope, if this much work is left.
    pub fn with(effort: Effort, work: u64) -> Limits {
        let limits = Limits::default();
        Limits {
            nodes: effort.of(limits.nodes as u64) as usize,
            iterations: limits.iterations,
            work: effort.of(limits.work).min(work),
        }
    }
}

/// Work of creating an expression.
const WORK_OF_A_NODE: u64 = 120;

/// Reason why saturation stopped.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    Saturated,
    IterationLimit,
    NodeLimit,
    /// A guard was not proved because the limit of work was reached.
    ProofLimit,
}

impl Stop {
    /// The limit that was reached.
    pub fn budget(self) -> Option<&'static str> {
        match self {
            Stop::Saturated => None,
            Stop::IterationLimit => Some("rounds"),
            Stop::NodeLimit => Some("nodes"),
            Stop::ProofLimit => Some("proofs"),
        }
    }
}

/// Results shared between scopes with equal facts.
#[derive(Default)]
pub struct Experience {
    pub prover: Prover,
    /// Provers by assumptions, as in a scope.
    pub beneath: FxHashMap<Vec<ExprId>, Prover>,
    pub dead_ends: DeadEnds,
}

impl Experience {
    /// Empty experience under these truth values.
    pub fn under(known: &[ExprId]) -> Experience {
        Experience {
            prover: Prover::new(known.to_vec()),
            ..Experience::default()
        }
    }
}

/// The result of saturation.
pub struct Saturation {
    /// Updated shared results.
    pub experience: Experience,
    /// The cheapest equal term.
    pub best: ExprId,
    /// Rules that would fire under assumptions, in structural order.
    pub blocked: Vec<Blocked>,
    pub fired: Vec<Firing>,
    pub stop: Stop,
    pub nodes: usize,
}

/// The rules in egg's form: one rewrite for all rules with a common head, tried in order.
pub struct Rewrites(Vec<Rewrite<ENode, Search>>);

impl std::fmt::Debug for Rewrites {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|rewrite| rewrite.name))
            .finish()
    }
}

impl Rewrites {
    pub fn new(rules: &[Arc<Rule>]) -> Rewrites {
        let mut by_head: BTreeMap<Head, Vec<(usize, Arc<Rule>)>> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            by_head
                .entry(rule.head)
                .or_default()
                .push((number, rule.clone()));
        }
        let rewrite = |(head, rules): (Head, Vec<(usize, Arc<Rule>)>)| {
            // The searcher has no variables, so that every applier is accepted.
            Rewrite::new(
                format!("{head:?}"),
                HeadSearcher(head),
                RulesApplier { head, rules },
            )
            .ok()
        };
        Rewrites(by_head.into_iter().filter_map(rewrite).collect())
    }
}

/// Saturates `root` and extracts the best term; the graph borrows `terms` and returns it.
pub fn saturate(
    terms: &mut Terms,
    experience: Experience,
    clamping: Clamping,
    rewrites: &Rewrites,
    root: ExprId,
    limits: Limits,
) -> Saturation {
    let mut prover = experience.prover;
    prover.allow(limits.work);
    let scope = Scope {
        beneath: experience.beneath,
        ..Scope::new(std::mem::take(terms), prover, clamping)
    };
    let search = Search {
        dead_ends: experience.dead_ends,
        ..Search::new(scope)
    };
    // Saturation never stops on time. A clock that stands still also spares the process the
    // milliseconds that it takes to calibrate a real one.
    let (standing_still, _) = Clock::mock();
    let (class, mut runner) = quanta::with_clock(&standing_still, || {
        let mut graph = Graph::new(search);
        let class = add_term(&mut graph, root);
        graph.rebuild();
        // A long `max` takes a part for each operand.
        let own = graph.total_number_of_nodes();
        let runner: Runner<ENode, Search> = Runner::new(Search::new(Scope::empty()))
            .with_egraph(graph)
            .with_scheduler(SimpleScheduler)
            .with_time_limit(Duration::MAX)
            .with_node_limit(limits.nodes + NODES_PER_OWN * own)
            .with_iter_limit(limits.iterations);
        (class, runner.run(&rewrites.0))
    });
    let best = runner.egraph[class].data.term;
    let nodes = runner.egraph.total_number_of_nodes();
    let stop = match runner.stop_reason {
        Some(StopReason::NodeLimit(_)) => Stop::NodeLimit,
        Some(StopReason::IterationLimit(_)) => Stop::IterationLimit,
        _ if runner.egraph.analysis.scope.prover.is_exhausted() => Stop::ProofLimit,
        _ => Stop::Saturated,
    };
    let empty = Search::new(Scope::empty());
    let search = std::mem::replace(&mut runner.egraph.analysis, empty);
    *terms = search.scope.terms;
    let experience = Experience {
        prover: search.scope.prover,
        beneath: search.scope.beneath,
        dead_ends: search.dead_ends,
    };
    // No index may leave its scope.
    let outside = terms.arena.free(root);
    let escaped = |&symbol: &expr::Symbol| {
        terms.arena.range(symbol).is_some() && outside.binary_search(&symbol).is_err()
    };
    let found = if search.contradictory || terms.arena.free(best).iter().any(escaped) {
        (root, Vec::new(), Vec::new())
    } else {
        (best, search.blocked, search.fired)
    };
    let (best, mut blocked, fired) = found;
    blocked.sort_by(|a, b| {
        let by_rule = a.rule.cmp(&b.rule);
        by_rule.then_with(|| terms.arena.compare(a.left, b.left))
    });
    blocked.dedup();
    Saturation {
        experience,
        best,
        blocked,
        fired,
        stop,
        nodes,
    }
}

/// Finds the classes that hold a node with the head of a rule.
struct HeadSearcher(Head);

impl Searcher<ENode, Search> for HeadSearcher {
    fn search_eclass_with_limit(
        &self,
        _: &Graph,
        eclass: Id,
        _: usize,
    ) -> Option<SearchMatches<'_, ENode>> {
        Some(SearchMatches {
            eclass,
            substs: vec![Subst::default()],
            ast: None,
        })
    }

    fn search_with_limit(&self, graph: &Graph, limit: usize) -> Vec<SearchMatches<'_, ENode>> {
        let Some(classes) = graph.classes_for_op(&self.0) else {
            return Vec::new();
        };
        classes
            .filter_map(|class| self.search_eclass_with_limit(graph, class, limit))
            .collect()
    }

    fn vars(&self) -> Vec<Var> {
        Vec::new()
    }
}

/// Tries rules of one head, each known by its position in the rule base.
struct RulesApplier {
    head: Head,
    rules: Vec<(usize, Arc<Rule>)>,
}

impl Applier<ENode, Search> for RulesApplier {
    fn apply_one(
        &self,
        graph: &mut Graph,
        class: Id,
        _: &Subst,
        _: Option<&egg::PatternAst<ENode>>,
        _: Symbol,
    ) -> Vec<Id> {
        let of_head = |node: &&ENode| egg::Language::discriminant(*node) == self.head;
        let nodes: Vec<ENode> = graph[class].nodes.iter().filter(of_head).cloned().collect();
        let mut changed = Vec::new();
        for node in nodes {
            let term = node_term(graph, &node);
            let by_clamping = (graph.analysis.scope.clamping, self.head, term);
            if !graph.analysis.tried.insert((self.head, term))
                || graph.analysis.dead_ends.contains(&by_clamping)
                || graph.analysis.scope.is_nowhere(term)
            {
                continue;
            }
            let mut is_barren = true;
            let mut answers = FunctionAnswers::default();
            let before = graph.analysis.scope.terms.arena.len();
            let contents = graph.analysis.scope.terms.arena.contents(term);
            for (number, rule) in &self.rules {
                if !contents.includes(rule.needs) {
                    continue;
                }
                // Without proofs, most results of a rule would be rejected, so none are made.
                if graph.analysis.scope.prover.is_exhausted() {
                    return changed;
                }
                let mut settled = false;
                for made in traced(rule, &mut graph.analysis.scope, term, &mut answers) {
                    is_barren = false;
                    let accepted = accept(&mut graph.analysis, *number, term, made);
                    let Some(right) = accepted else { continue };
                    settled |= settles(&mut graph.analysis.scope.terms, term, right);
                    let other = add_term(graph, right);
                    if join(graph, class, other, rule.name.as_str().into()) {
                        changed.push(other);
                    }
                }
                if settled {
                    break;
                }
            }
            let scope = &graph.analysis.scope;
            let made = (scope.terms.arena.len() - before) as u64;
            scope.prover.charge(made * WORK_OF_A_NODE);
            if is_barren && !scope.prover.is_exhausted() {
                graph.analysis.dead_ends.insert(by_clamping);
            }
        }
        changed
    }
}

/// True if other rules for a reduction would only find the same result in a longer way: an elementary result is as
/// short as possible, and a largest element found at its position needs no other derivation.
fn settles(terms: &mut Terms, term: ExprId, right: ExprId) -> bool {
    match *terms.arena.node(term) {
        Node::Reduce(r) if r.kind == ReduceKind::Sum => terms.is_elementary(right),
        Node::Reduce(_) => terms.is_elementary(right) || terms.cost(right).open == 0,
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
