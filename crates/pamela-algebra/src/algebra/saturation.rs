//! Saturates one scope.

use std::sync::Arc;
use std::time::Duration;

use egg::{
    Applier, Id, Rewrite, Runner, SearchMatches, Searcher, SimpleScheduler, StopReason, Subst,
    Symbol, Var,
};

use quanta::Clock;
use rustc_hash::FxHashMap;

use crate::effort::Effort;
use crate::expr::{self, ExprId};

use super::attempts::{ByHead, HeadRules, attempt};
use super::facts::{PROOF, Prover};
use super::graph::{Blocked, DeadEnds, Firing, Graph, Search, add_term, join, node_term};
use super::language::{ENode, Head};
use super::rule::Rule;
use super::scope::{Clamping, Scope};
use super::straight::straight;
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
pub struct Rewrites {
    by_head: ByHead,
    rewrites: Vec<Rewrite<ENode, Search>>,
}

impl std::fmt::Debug for Rewrites {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let heads = self.by_head.iter().map(|(head, _)| head);
        f.debug_list().entries(heads).finish()
    }
}

impl Rewrites {
    pub fn new(rules: &[Arc<Rule>]) -> Rewrites {
        let by_head = ByHead::new(rules);
        let rewrite = |(head, rules): (Head, &HeadRules)| {
            let rules = rules.clone();
            // The searcher has no variables, so that every applier is accepted.
            Rewrite::new(
                format!("{head:?}"),
                HeadSearcher(head),
                RulesApplier { head, rules },
            )
            .ok()
        };
        let rewrites = by_head.iter().filter_map(rewrite).collect();
        Rewrites { by_head, rewrites }
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
    let mut search = Search {
        dead_ends: experience.dead_ends,
        ..Search::new(scope)
    };
    if let Some(best) = straight(&mut search, &rewrites.by_head, root) {
        return finished(terms, search, root, best, (Stop::Saturated, 1));
    }
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
        (class, runner.run(&rewrites.rewrites))
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
    finished(terms, search, root, best, (stop, nodes))
}

/// The result of a search that found `best` for `root`; gives the terms back.
fn finished(
    terms: &mut Terms,
    search: Search,
    root: ExprId,
    best: ExprId,
    (stop, nodes): (Stop, usize),
) -> Saturation {
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

/// Tries rules of one head.
struct RulesApplier {
    head: Head,
    rules: HeadRules,
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
            let before = &mut graph.analysis.made;
            let attempt = match before.iter().position(|&(known, _)| known == term) {
                Some(place) => Some(before.swap_remove(place).1),
                None => attempt(&mut graph.analysis, &self.rules, self.head, term),
            };
            for (rule, right) in attempt.into_iter().flat_map(|attempt| attempt.accepted) {
                let other = add_term(graph, right);
                if join(graph, class, other, rule) {
                    changed.push(other);
                }
            }
        }
        changed
    }
}
