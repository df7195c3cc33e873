//! Closes one equation, scope by scope, innermost first.

mod assumptions;
mod cases;
mod first_values;
mod shared;
mod validated;

use std::cell::RefCell;
use std::rc::Rc;

use validated::Closing;
pub use validated::{PointByName, Refuted, Validated};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Node};

use super::closed::{Options, Statistics};
use super::derivation::{Narrator, Place, Records, ScopeRecord, Step};
use super::facts::{Cones, PROOF, Prover};
use super::grounds::Grounds;
use super::rulebase::RuleBase;
use super::saturation::{Experience, Limits, Rewrites, Saturation, saturate};
use super::scope::Clamping;
use super::terms::Terms;
use crate::ring::Rational;
use crate::with_stack;
use shared::Exchange;
pub use shared::Shared;

/// The result for an equation.
pub struct Outcome {
    pub expr: ExprId,
    /// Assumptions in structural order.
    pub assumptions: Vec<ExprId>,
    /// Indices of rules, ascending.
    pub rules: Vec<usize>,
    /// Record of how the closed form was found, if anything was done.
    record: Option<Place>,
}

/// A simplified expression, and the assumptions that it needs, ascending.
#[derive(Clone)]
struct Result {
    expr: ExprId,
    assumed: Rc<[ExprId]>,
    rules: Rc<[usize]>,
    record: Option<Place>,
}

/// Assumptions and notes gathered from simplified operands.
#[derive(Default)]
struct Gathered {
    assumed: Vec<Rc<[ExprId]>>,
    rules: Vec<Rc<[usize]>>,
    records: Vec<Place>,
    /// The terms of a sum.
    terms: Vec<ExprId>,
}

/// Simplifies the expressions of one arena under the facts of one model.
pub struct Session<'a> {
    pub terms: Terms,
    rewrites: &'a Rewrites,
    facts: Vec<ExprId>,
    /// Facts that are conditions of the current branches.
    cases: Vec<ExprId>,
    /// Shared results, by the facts of a scope.
    experience: FxHashMap<Rc<[ExprId]>, Experience>,
    memo: FxHashMap<ExprId, Result>,
    options: Options,
    pub statistics: Statistics,
    /// Remaining work of the proofs.
    pub work: u64,
    /// Number of reductions closed case by case.
    splits: u32,
    records: Records,
    /// Results of scopes, with the conditions there.
    closings: Vec<Closing>,
    /// Scopes that stay open because their closed forms were wrong.
    left_open: FxHashSet<ExprId>,
    exchange: Exchange<'a>,
    /// True if scopes of other equations are reused; not during the search for the smallest wrong scope.
    shares: bool,
}

/// Minimum work of a scope even if earlier scopes used up the budget, so a simple scope next to a hard one still
/// closes.
const WORK_OF_A_SCOPE: u64 = 10 * PROOF;

impl<'a> Session<'a> {
    /// Starts a session with `facts`, truth values over the parameters that hold; its proofs may
    /// take this much `work`.
    pub fn new(
        arena: Arena,
        facts: &[ExprId],
        rewrites: &'a Rewrites,
        options: Options,
        work: u64,
        shared: &'a RefCell<Shared>,
    ) -> Session<'a> {
        let mut terms = Terms::new(arena);
        terms.points = shared.borrow().points.elsewhere();
        let facts = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        Session {
            terms,
            rewrites,
            facts,
            cases: Vec::new(),
            experience: FxHashMap::default(),
            memo: FxHashMap::default(),
            options,
            statistics: Statistics::default(),
            work,
            splits: 0,
            records: Records::default(),
            closings: Vec::new(),
            left_open: FxHashSet::default(),
            exchange: Exchange::new(shared),
            shares: true,
        }
    }

    /// The closed form of `expr`, whose free symbols are parameters.
    pub fn close(&mut self, expr: ExprId) -> Outcome {
        let result = self.with_first_values(expr);
        Outcome {
            expr: result.expr,
            assumptions: self.needed(&result.assumed),
            rules: result.rules.to_vec(),
            record: result.record,
        }
    }

    /// The derivation of a closed form; no steps unless [`Options::explain`] is set.
    pub fn derivation(&mut self, outcome: &Outcome, base: &RuleBase) -> Vec<Step> {
        let Some(record) = outcome.record else {
            return Vec::new();
        };
        let mut narrator = Narrator {
            terms: &mut self.terms,
            base,
            grounds: Grounds::new(self.facts.clone(), outcome.assumptions.clone()),
        };
        narrator.steps(&self.records, record)
    }

    /// The assumptions that do not follow from the facts and the others, in structural order.
    fn needed(&mut self, assumed: &[ExprId]) -> Vec<ExprId> {
        let mut kept = assumed.to_vec();
        kept.sort_by(|&a, &b| self.terms.arena.compare(a, b));
        let mut known = self.facts.clone();
        known.extend(&kept);
        let cones = Cones::new(&self.terms.arena, &known);
        let mut dropped = FxHashSet::default();
        // First what follows from the facts alone: that `integer(floor(1 / x))` holds says that x is not 0, but only as
        // long as it is stated.
        for others in [self.facts.len(), known.len()] {
            for own in (self.facts.len()..known.len()).rev() {
                let near = cones.nearest(&self.terms.arena, [known[own]]).into_iter();
                let near = near.filter(|&position| position < others && position != own);
                let near = near.filter(|position| !dropped.contains(position));
                let near = near.map(|position| known[position]).collect();
                if !dropped.contains(&own) && Prover::new(near).holds(&mut self.terms, known[own]) {
                    dropped.insert(own);
                }
            }
        }
        let left = (self.facts.len()..known.len()).filter(|position| !dropped.contains(position));
        left.map(|position| known[position]).collect()
    }

    fn simplify(&mut self, expr: ExprId) -> Result {
        if let Some(known) = self.memo.get(&expr) {
            return known.clone();
        }
        let result = with_stack(|| self.simplify_node(expr));
        self.memo.insert(expr, result.clone());
        self.memo
            .entry(result.expr)
            .or_insert_with(|| result.clone());
        result
    }

    fn simplify_node(&mut self, expr: ExprId) -> Result {
        let mut gathered = Gathered::default();
        let rebuilt = match *self.terms.arena.node(expr) {
            Node::Number(_) | Node::Symbol(_) => expr,
            Node::Reduce(r) => {
                let lower = self.part(r.lower, &mut gathered);
                let upper = self.part(r.upper, &mut gathered);
                let kind = match r.kind.quorum() {
                    Some(quorum) => r.kind.with_quorum(self.part(quorum, &mut gathered)),
                    None => r.kind,
                };
                // The index gets the name that belongs to its simplified range before its body is looked at.
                let opened = self.terms.arena.reduce(kind, r.index, lower, upper, r.body);
                let Node::Reduce(r) = *self.terms.arena.node(opened) else {
                    return self.plain(opened);
                };
                let body = self.part(r.body, &mut gathered);
                self.terms
                    .arena
                    .reduce(kind, r.index, r.lower, r.upper, body)
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.part(condition, &mut gathered);
                let decided = self.terms.arena.as_number(condition).map(Rational::is_zero);
                match decided {
                    // The assumptions of the other branch do not matter.
                    Some(fails) => self.part(if fails { otherwise } else { then }, &mut gathered),
                    None => {
                        let refuted = self.terms.arena.not(condition);
                        let then = self.branch(condition, then, &mut gathered);
                        let otherwise = self.branch(refuted, otherwise, &mut gathered);
                        self.terms.arena.if_else(condition, then, otherwise)
                    }
                }
            }
            _ => {
                let operands = self.terms.arena.operands(expr);
                let simple = operands
                    .into_iter()
                    .map(|o| self.part(o, &mut gathered))
                    .collect::<Vec<_>>();
                if self.options.explain && matches!(self.terms.arena.node(expr), Node::Add(_)) {
                    gathered.terms.clone_from(&simple);
                }
                let mut simple = simple.into_iter();
                self.terms
                    .arena
                    .map_operands(expr, &mut |_, operand| simple.next().unwrap_or(operand))
            }
        };
        let canonical = self.terms.canonical(rebuilt);
        let start = Result {
            expr: canonical,
            assumed: union(gathered.assumed),
            rules: union(gathered.rules),
            record: self.together(gathered.records, gathered.terms, canonical),
        };
        let is_sum = |arena: &Arena, id| matches!(arena.node(id), Node::Add(_) | Node::Mul(_));
        // The parts of a sum such as `floor(x + 3) = floor(x) + 3` have not been simplified yet.
        if is_sum(&self.terms.arena, canonical) && !is_sum(&self.terms.arena, rebuilt) {
            let again = self.simplify(canonical);
            let records = start.record.into_iter().chain(again.record).collect();
            return Result {
                expr: again.expr,
                assumed: union(vec![start.assumed, again.assumed]),
                rules: union(vec![start.rules, again.rules]),
                record: self.together(records, Vec::new(), again.expr),
            };
        }
        if !self.terms.has_rules(canonical) || self.left_open.contains(&canonical) {
            return start;
        }
        self.close_noted(start)
    }

    fn plain(&self, expr: ExprId) -> Result {
        Result {
            expr,
            assumed: Rc::new([]),
            rules: Rc::new([]),
            record: None,
        }
    }

    fn part(&mut self, expr: ExprId, gathered: &mut Gathered) -> ExprId {
        let result = self.simplify(expr);
        if !result.assumed.is_empty() && gathered.assumed.last() != Some(&result.assumed) {
            gathered.assumed.push(result.assumed);
        }
        if !result.rules.is_empty() && gathered.rules.last() != Some(&result.rules) {
            gathered.rules.push(result.rules);
        }
        gathered.records.extend(result.record);
        result.expr
    }

    /// One record for those of the operands of `expr`, or of the `terms` that it is the sum of.
    fn together(
        &mut self,
        mut parts: Vec<Place>,
        terms: Vec<ExprId>,
        expr: ExprId,
    ) -> Option<Place> {
        parts.dedup();
        if parts.is_empty() || (parts.len() == 1 && terms.is_empty()) {
            return parts.pop();
        }
        Some(self.records.add(ScopeRecord {
            parts,
            terms,
            start: expr,
            best: expr,
            fired: Vec::new(),
            assumed: Rc::new([]),
            cases: self.cases.clone().into(),
        }))
    }

    /// First by proof alone; where reductions stay open, under assumptions on parameters; where an
    /// index is in the way, with clamped bounds.
    fn close_scope(&mut self, start: Result) -> Result {
        let proved_clamping = if self.options.strict {
            Clamping::Everything
        } else {
            Clamping::Off
        };
        let mut first = self.saturate(&start, proved_clamping);
        let mut best = self.adopt(&start, &mut first);
        if self.options.strict || !self.is_open(best.expr) {
            return best;
        }
        if best.expr != start.expr && self.has_open_branch(best.expr) {
            let again = self.simplify(best.expr);
            let records: Vec<Place> = best.record.into_iter().chain(again.record).collect();
            let again = Result {
                expr: again.expr,
                assumed: union(vec![best.assumed.clone(), again.assumed]),
                rules: union(vec![best.rules.clone(), again.rules]),
                record: self.together(records, Vec::new(), again.expr),
            };
            best = self.better(best, Some(again));
        }
        if !self.is_open(best.expr) {
            return best;
        }
        let found = self.assume(start.clone(), first.blocked, Clamping::Off);
        best = self.better(best, found);
        if self.is_open(best.expr) {
            let mut clamped = self.saturate(&start, Clamping::Indices);
            let adopted = self.adopt(&start, &mut clamped);
            let found = if self.is_open(adopted.expr) {
                self.assume(start, clamped.blocked, Clamping::Indices)
            } else {
                Some(adopted)
            };
            best = self.better(best, found);
        }
        best
    }

    fn is_open(&mut self, expr: ExprId) -> bool {
        self.terms.cost(expr).open > 0
    }

    fn better(&mut self, known: Result, found: Option<Result>) -> Result {
        match found {
            Some(found) => {
                let (ours, theirs) = (self.terms.cost(known.expr), self.terms.cost(found.expr));
                if (theirs.depth, theirs.open) < (ours.depth, ours.open) {
                    found
                } else {
                    known
                }
            }
            None => known,
        }
    }

    fn saturate(&mut self, start: &Result, clamping: Clamping) -> Saturation {
        let known = self.known_of(start);
        let experience = self.experience.remove(&known);
        let experience = experience.unwrap_or_else(|| Experience::under(&known));
        let work = self.work.max(self.options.effort.of(WORK_OF_A_SCOPE));
        let mut saturation = saturate(
            &mut self.terms,
            experience,
            clamping,
            self.rewrites,
            start.expr,
            Limits::with(self.options.effort, work),
        );
        let experience = std::mem::take(&mut saturation.experience);
        self.work = (self.work).saturating_sub(experience.prover.work());
        self.experience.insert(known, experience);
        self.statistics.scopes += 1;
        self.statistics.nodes = self.statistics.nodes.max(saturation.nodes);
        self.statistics.stop = self.statistics.stop.max(saturation.stop);
        saturation
    }

    /// The facts and assumptions that have to do with a start.
    fn known_of(&self, start: &Result) -> Rc<[ExprId]> {
        let mut known = self.facts.clone();
        let further = start.assumed.iter();
        known.extend(further.filter(|fact| !self.facts.contains(fact)));
        let cones = Cones::new(&self.terms.arena, &known);
        cones.all(&self.terms.arena, start.expr).into()
    }

    /// The extracted term with the assumptions of its start.
    fn adopt(&mut self, start: &Result, saturation: &mut Saturation) -> Result {
        let mut fired: Vec<usize> = saturation.fired.iter().map(|firing| firing.rule).collect();
        fired.sort_unstable();
        fired.dedup();
        let rules = union(vec![start.rules.clone(), fired.into()]);
        let record = if self.options.explain && saturation.best != start.expr {
            Some(self.records.add(ScopeRecord {
                parts: start.record.into_iter().collect(),
                terms: Vec::new(),
                start: start.expr,
                best: saturation.best,
                fired: std::mem::take(&mut saturation.fired),
                assumed: start.assumed.clone(),
                cases: self.cases.clone().into(),
            }))
        } else {
            start.record
        };
        Result {
            expr: saturation.best,
            assumed: start.assumed.clone(),
            rules,
            record,
        }
    }
}

/// The union of ascending sets.
fn union<T: Ord + Copy>(sets: Vec<Rc<[T]>>) -> Rc<[T]> {
    let mut sets = sets.into_iter();
    let Some(first) = sets.next() else {
        return Rc::new([]);
    };
    let rest: Vec<Rc<[T]>> = sets.collect();
    if rest.is_empty() {
        let mut only = first.to_vec();
        only.sort_unstable();
        return only.into();
    }
    let mut all: Vec<T> = first.iter().copied().collect();
    all.extend(rest.iter().flat_map(|set| set.iter().copied()));
    all.sort_unstable();
    all.dedup();
    all.into()
}
