//! Finds the closed forms of a model's equations.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::effort::Effort;
use crate::expr::{Arena, ExprId, Relation};
use crate::ring::Rational;

use super::closed::{Closed, Options, Statistics};
use super::definitions::Definitions;
use super::demands;
use super::derivation::{Derivation, Step};
use super::facts::{Cones, PROOF, contradiction};
use super::requirements::Requirements;
use super::rulebase::RuleBase;
use super::saturation::{Rewrites, Stop};
use super::session::{PointByName, Refuted, Session, Shared, Validated};
use super::terms::Terms;
use super::validation::{Claim, Counterexample, LAW_OPERATIONS, Verdict, validate_where};

/// Work limit for the proofs of all equations of a model together.
///
/// Work that earlier equations leave goes to later ones; each equation has some.
struct Work {
    left: u64,
    all: u64,
    /// Work taken. Each equation has a share that others cannot take.
    taken: u64,
    /// Limit for one equation, if lower than that of others.
    most: Option<u64>,
    effort: Effort,
}

impl Work {
    /// About a second's worth, of a model that is not large.
    const OF_A_MODEL: u64 = 3_800 * PROOF;
    const OF_AN_EQUATION: u64 = 2_850 * PROOF;
    /// More for each node, of an equation and of the model: what is long is not hard for that.
    const OF_A_NODE: u64 = 3 * PROOF;
    /// These are for each equation, whatever others took.
    const ALWAYS: u64 = 200 * PROOF;

    /// Work limit for a model with this many nodes.
    fn new(effort: Effort, nodes: usize) -> Work {
        let all = effort.of(Work::OF_A_MODEL + Work::OF_A_NODE * nodes as u64);
        Work {
            left: all,
            all,
            taken: 0,
            most: None,
            effort,
        }
    }

    /// Work limit for an equation with this many nodes.
    fn of(&self, nodes: usize) -> u64 {
        let own = Work::OF_AN_EQUATION + Work::OF_A_NODE * nodes as u64;
        let always = self.effort.of(Work::ALWAYS);
        let own = self.effort.of(own).min(self.left.saturating_add(always));
        own.min(self.most.unwrap_or(u64::MAX))
    }

    /// Counts those that an equation took.
    fn spend(&mut self, taken: u64) {
        self.taken += taken;
        let shared = taken.saturating_sub(self.effort.of(Work::ALWAYS));
        self.left = self.left.saturating_sub(shared);
    }
}

/// Simplifies the equations of one model, each separately.
///
/// An equation is copied into an arena of its own, in structural order. So its closed form depends only on the
/// equation and the facts, and not on other equations, on names, or on the order of the text. The exception is an
/// equation whose predecessors used up the whole budget.
pub struct Simplifier {
    pub(super) source: Arena,
    pub(super) facts: Vec<ExprId>,
    cones: Cones,
    base: RuleBase,
    rewrites: Arc<Rewrites>,
    pub(super) options: Options,
    pub(super) results: Arena,
    pub(super) definitions: Definitions,
    /// What follows from the facts alone, once it was asked.
    pub(super) requirements: Option<Requirements>,
    /// Closed forms of the source arena. Several names may share one process time.
    closed: FxHashMap<ExprId, Closed>,
    /// Closed forms of bounds, by additional conditions; one relaxation may bound several
    /// equations.
    bounds: FxHashMap<(ExprId, Vec<ExprId>), Closed>,
    work: Work,
    statistics: Statistics,
    refuted: Vec<Refuted>,
    /// Remaining operations on laws for validation.
    law_operations: usize,
    /// Closed scopes of all equations.
    shared: RefCell<Shared>,
}

impl Simplifier {
    /// Starts with `facts`, truth values over the parameters that hold.
    pub fn new(source: Arena, facts: &[ExprId], base: RuleBase, options: Options) -> Simplifier {
        let mut facts = facts.to_vec();
        facts.sort_by(|&a, &b| source.compare(a, b));
        facts.dedup();
        Simplifier {
            cones: Cones::new(&source, &facts),
            work: Work::new(options.effort, source.len()),
            source,
            facts,
            rewrites: base.rewrites(),
            base,
            options,
            results: Arena::new(),
            definitions: Definitions::default(),
            requirements: None,
            closed: FxHashMap::default(),
            bounds: FxHashMap::default(),
            statistics: Statistics::default(),
            refuted: Vec::new(),
            law_operations: LAW_OPERATIONS,
            shared: RefCell::default(),
        }
    }

    /// The index of a fact that contradicts earlier ones.
    pub fn contradiction(source: &Arena, facts: &[ExprId]) -> Option<usize> {
        let mut arena = Arena::new();
        let facts = arena.import_all(source, facts, &mut FxHashMap::default());
        let mut terms = Terms::new(arena);
        let facts: Vec<ExprId> = facts.iter().map(|&f| terms.canonical(f)).collect();
        contradiction(&mut terms, &facts)
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Scopes that stay open because their closed forms were wrong, in the arena of results.
    pub fn refuted(&self) -> &[Refuted] {
        &self.refuted
    }

    /// Compares a lower with an upper bound at points inside of the domain, where both hold.
    ///
    /// A violation is added to the refuted scopes.
    pub fn validate_order(
        &mut self,
        lower: &Closed,
        upper: &Closed,
        is_inside: &mut dyn FnMut(&PointByName) -> bool,
    ) {
        let facts = self.facts_in_results();
        let arena = &mut self.results;
        let (is_ordered, holds) = (
            arena.relate(Relation::LessEqual, lower.expr, upper.expr),
            arena.number(1),
        );
        let conditions = [&lower.assumptions[..], &upper.assumptions].concat();
        let claim = Claim {
            facts: &facts,
            conditions: &conditions,
            left: is_ordered,
            right: holds,
        };
        let arena = &self.results;
        let mut is_inside = |found: &Counterexample| is_inside(&found.named(arena));
        if let Verdict::Refuted(found) =
            validate_where(arena, claim, &mut self.law_operations, &mut is_inside)
        {
            let refuted = Refuted::new(&mut self.results, is_ordered, *found);
            self.refute(vec![refuted]);
        }
    }

    /// Keeps what was refuted. A rule of the user's own may be wrong; where one that comes with the library is, tests end.
    fn refute(&mut self, refuted: Vec<Refuted>) {
        assert!(
            refuted.is_empty() || !cfg!(validation_panics) || !self.base.is_shipped(),
            "a closed form differs from its definition: {refuted:?}"
        );
        self.refuted.extend(refuted);
    }

    /// The source arena.
    pub(super) fn source_mut(&mut self) -> &mut Arena {
        &mut self.source
    }

    /// The facts, in the arena of the closed forms.
    pub fn facts_in_results(&mut self) -> Vec<ExprId> {
        let mut copied = FxHashMap::default();
        self.results
            .import_all(&self.source, &self.facts, &mut copied)
    }

    /// The arena of the closed forms.
    pub fn results_mut(&mut self) -> &mut Arena {
        &mut self.results
    }

    /// The arena of the closed forms.
    pub fn into_arena(self) -> Arena {
        self.results
    }

    /// The truth values under which `condition`, of the source arena, holds; empty if it is proved.
    ///
    /// Adds what its simplification rests on to the closed form `of`.
    pub(super) fn require(&mut self, condition: ExprId, of: &mut Closed) -> Vec<ExprId> {
        let closed = self.close_among(condition);
        let simple = self.results.as_number(closed.expr);
        let proved = simple.is_some_and(Rational::is_one);
        of.assumptions.extend(closed.assumptions);
        of.stop = of.stop.max(closed.stop);
        let own = self.own_rules(&closed.rules);
        of.resting_on_rules(&own);
        if proved {
            Vec::new()
        } else {
            self.conjuncts(closed.expr)
        }
    }

    /// The laws in the demands of `expr`, of the source arena, that are assumed to be nonnegative.
    pub fn taken_for_times(&mut self, expr: ExprId) -> Vec<ExprId> {
        let laws = demands::taken_for_times(&mut self.source, expr);
        self.results
            .import_all(&self.source, &laws, &mut FxHashMap::default())
    }

    /// The closed form of `expr`, an expression of the source arena whose free symbols are
    /// parameters.
    ///
    /// If the assumptions that would close it hold nowhere, nothing is assumed.
    pub fn close(&mut self, expr: ExprId) -> Closed {
        if let Some(known) = self.closed.get(&expr) {
            return known.clone();
        }
        let closed = self.close_under(expr, &[]);
        self.closed.insert(expr, closed.clone());
        closed
    }

    /// Like [`Simplifier::close`], where further truth values of the source arena hold.
    pub(super) fn close_under(&mut self, expr: ExprId, further: &[ExprId]) -> Closed {
        let closed = self.close_by(expr, further, self.options);
        closed.unwrap_or_else(|| self.close_strictly(expr, further))
    }

    /// Like [`Simplifier::close_under`], for a bound, which is closed only once.
    pub(super) fn close_bound(&mut self, expr: ExprId, further: Vec<ExprId>) -> Closed {
        let asked = (expr, further);
        if let Some(known) = self.bounds.get(&asked) {
            return known.clone();
        }
        let closed = self.close_under(expr, &asked.1);
        self.bounds.insert(asked, closed.clone());
        closed
    }

    /// The closed form that needs no assumptions.
    pub fn close_assuming_nothing(&mut self, expr: ExprId) -> Closed {
        self.close_strictly(expr, &[])
    }

    pub(super) fn close_strictly(&mut self, expr: ExprId, further: &[ExprId]) -> Closed {
        let strict = Options {
            strict: true,
            ..self.options
        };
        let closed = self.close_by(expr, further, strict);
        closed.unwrap_or_else(|| Closed {
            expr: self
                .results
                .import(&self.source, expr, &mut FxHashMap::default()),
            assumptions: Vec::new(),
            rules: Vec::new(),
            derivation: None,
            stop: Stop::Saturated,
        })
    }

    /// `None` where what was assumed holds nowhere.
    fn close_by(&mut self, expr: ExprId, further: &[ExprId], options: Options) -> Option<Closed> {
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let facts = self.cones.all(&self.source, expr);
        let mut facts = arena.import_all(&self.source, &facts, &mut copied);
        facts.extend(arena.import_all(&self.source, further, &mut copied));
        let expr = arena.import(&self.source, expr, &mut copied);
        self.close_session(arena, &facts, expr, options)
    }

    /// Work done so far.
    pub(super) fn work_taken(&self) -> u64 {
        self.work.taken
    }

    /// Remaining work of a model.
    pub(super) fn work_left(&self) -> u64 {
        self.work.all.saturating_sub(self.work.taken)
    }

    /// Sets the limit of work for each following equation; `None` restores the usual share.
    pub(super) fn allow_each(&mut self, most: Option<u64>) {
        self.work.most = most;
    }

    pub(super) fn close_session(
        &mut self,
        arena: Arena,
        facts: &[ExprId],
        expr: ExprId,
        options: Options,
    ) -> Option<Closed> {
        let work = self.work.of(arena.len());
        let mut session = Session::new(arena, facts, &self.rewrites, options, work, &self.shared);
        let Validated {
            outcome,
            points,
            refuted,
        } = session.close_validated(expr, facts, &mut self.law_operations);
        self.statistics.points += points;
        self.work.spend(work - session.work);
        let steps = if self.options.explain {
            Some(session.derivation(&outcome, &self.base))
        } else {
            None
        };
        self.statistics.include(session.statistics);
        if !outcome.assumptions.is_empty() {
            let all: Vec<ExprId> = [facts, &outcome.assumptions].concat();
            if contradiction(&mut session.terms, &all).is_some() {
                return None;
            }
        }
        let rules = self.names(&outcome.rules, steps.as_deref());
        let mut copied = FxHashMap::default();
        let mut result = |id| self.results.import(&session.terms.arena, id, &mut copied);
        let refuted = refuted.into_iter().map(|refuted| Refuted {
            scope: result(refuted.scope),
            ..refuted
        });
        let refuted = refuted.collect();
        let closed = Closed {
            expr: result(outcome.expr),
            assumptions: outcome.assumptions.into_iter().map(&mut result).collect(),
            rules,
            stop: session.statistics.stop,
            derivation: steps.map(|steps| Derivation {
                start: result(expr),
                steps: steps
                    .into_iter()
                    .map(|step| step.map(&mut result))
                    .collect(),
            }),
        };
        self.refute(refuted);
        Some(closed)
    }

    /// The rules among `names` that belong to the user.
    pub fn own_rules(&self, names: &[String]) -> Vec<String> {
        let own = |name: &&String| self.base.find(name).is_some_and(|rule| !rule.shipped);
        if self.base.is_shipped() {
            return Vec::new();
        }
        names.iter().filter(own).cloned().collect()
    }

    /// Location of a rule: `FILE:LINE`.
    pub fn place_of(&self, rule: &str) -> Option<&str> {
        self.base.find(rule).map(|rule| rule.source.as_str())
    }

    /// Names of the rules in the steps, or else of the applied rules.
    fn names(&self, fired: &[usize], steps: Option<&[Step]>) -> Vec<String> {
        let occurs = |number: usize| match steps {
            Some(steps) => {
                let rule = &self.base.rules()[number];
                let mut rules = steps.iter().flat_map(|step| &step.rules);
                rules.any(|known| known.name == rule.name)
            }
            None => fired.binary_search(&number).is_ok(),
        };
        let rules = self.base.rules().iter().enumerate();
        rules
            .filter(|&(number, _)| occurs(number))
            .map(|(_, rule)| rule.name.clone())
            .collect()
    }
}
