//! Derivations: the steps from an equation to its closed form.
//!
//! While an equation is simplified, each scope records its start, its result and every rule that
//! fired. The relevant applications are selected later, and only on request.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::expr::{ExprId, Node};

use super::chain::{chain, replaced};
use super::graph::Firing;
use super::grounds::{Basis, Grounds, Status};
use super::pattern::{Binding, Matcher};
use super::rule::{Guard, PatternRule, Rule};
use super::rulebase::RuleBase;
use super::terms::Terms;

/// The derivation of a closed form.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The original equation.
    pub start: ExprId,
    /// The steps in order, innermost scopes first. Each starts from the result of earlier steps.
    pub steps: Vec<Step>,
}

/// One rewriting: `left` equals `right` for all values of parameters and indices at which the
/// premises hold.
#[derive(Clone, Debug)]
pub struct Step {
    /// The rule. Several rules if it is not known which of them lead from left to right; empty if ring arithmetic
    /// suffices.
    pub rules: Vec<Arc<Rule>>,
    /// One term, or the terms of a sum after the earlier steps.
    pub left: Vec<ExprId>,
    pub right: ExprId,
    pub premises: Vec<Premise>,
}

/// A truth value that justifies a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The premise as in the rule.
    pub asked: ExprId,
    /// The premise in canonical form.
    pub condition: ExprId,
    pub basis: Basis,
}

impl Step {
    /// Maps every expression of the step, for example into another arena.
    pub fn map(self, map: &mut dyn FnMut(ExprId) -> ExprId) -> Step {
        let premise = |premise: Premise| Premise {
            asked: map(premise.asked),
            condition: map(premise.condition),
            basis: Basis {
                grounds: premise.basis.grounds.into_iter().map(&mut *map).collect(),
                ..premise.basis
            },
        };
        Step {
            premises: self.premises.into_iter().map(premise).collect(),
            left: self.left.into_iter().map(&mut *map).collect(),
            right: map(self.right),
            rules: self.rules,
        }
    }
}

/// Record of one scope of an equation.
#[derive(Clone, Debug)]
pub struct ScopeRecord {
    /// The scopes that this one was made from.
    pub parts: Vec<Place>,
    /// The terms of a sum, before they were collected into the start.
    pub terms: Vec<ExprId>,
    pub start: ExprId,
    pub best: ExprId,
    pub fired: Vec<Firing>,
    /// Assumptions while the rules fired.
    pub assumed: Rc<[ExprId]>,
    /// Conditions of the enclosing branches.
    pub cases: Rc<[ExprId]>,
}

/// Index of a record in its equation.
pub type Place = usize;

/// Records of one equation; each record comes after the records of its parts.
#[derive(Debug, Default)]
pub struct Records(Vec<ScopeRecord>);

impl Records {
    pub fn add(&mut self, record: ScopeRecord) -> Place {
        self.0.push(record);
        self.0.len() - 1
    }

    /// The places that `root` is made from, innermost first, each once.
    fn in_order(&self, root: Place) -> Vec<Place> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![(root, false)];
        while let Some((place, finished)) = pending.pop() {
            if finished {
                order.push(place);
            } else if seen.insert(place) {
                pending.push((place, true));
                pending.extend(self.0[place].parts.iter().rev().map(|&part| (part, false)));
            }
        }
        order
    }
}

/// Builds derivations from records.
pub struct Narrator<'a> {
    pub terms: &'a mut Terms,
    pub base: &'a RuleBase,
    pub grounds: Grounds,
}

impl Narrator<'_> {
    /// The steps of an equation in order, innermost scopes first, each once.
    pub fn steps(&mut self, records: &Records, root: Place) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut told = HashSet::new();
        for place in records.in_order(root) {
            for step in self.scope_steps(&records.0[place]) {
                if told.insert((
                    step.left.clone(),
                    step.right,
                    records.0[place].cases.clone(),
                )) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    fn scope_steps(&mut self, record: &ScopeRecord) -> Vec<Step> {
        self.grounds.within(&record.cases);
        let mut steps = Vec::new();
        if record.terms.len() > 1 {
            steps.push(rearranged(record.terms.clone(), record.start));
        }
        if record.start == record.best {
            return steps;
        }
        match chain(self.terms, record.start, record.best, &record.fired) {
            Some(firings) => {
                let firings: Vec<&Firing> = firings.iter().map(|&k| &record.fired[k]).collect();
                steps.extend(firings.iter().map(|f| self.step(f, &record.assumed)));
                steps.extend(self.collected(record, &firings));
            }
            None => steps.push(self.leap(record)),
        }
        steps
    }

    /// The terms that a sum was taken apart into, each rewritten by itself, put together again.
    fn collected(&mut self, record: &ScopeRecord, firings: &[&Firing]) -> Option<Step> {
        let mut term = record.start;
        let mut rest = firings.iter();
        let mut terms = loop {
            term = self.rewritten(term, rest.next()?);
            if let Node::Add(list) = self.terms.arena.node(term) {
                break list.to_vec();
            }
        };
        let before = terms.clone();
        for firing in rest {
            let rewritten = terms.iter().map(|&term| self.rewritten(term, firing));
            terms = rewritten.collect();
        }
        // One alone is seen in its place without help.
        if before.iter().zip(&terms).filter(|(a, b)| a != b).count() < 2 {
            return None;
        }
        let sum = self.terms.arena.add(&terms);
        let complete = self.terms.canonical(sum) == record.best;
        complete.then(|| rearranged(terms, record.best))
    }

    fn rewritten(&mut self, term: ExprId, firing: &Firing) -> ExprId {
        let left = self.terms.canonical(firing.left);
        replaced(self.terms, term, left, firing.right)
    }

    fn step(&mut self, firing: &Firing, assumed: &[ExprId]) -> Step {
        let rule = self.base.rules()[firing.rule].clone();
        let mut conditions = self.declared(&rule, firing, assumed);
        conditions.extend(self.ensured(firing, assumed));
        conditions.extend(&firing.guards);
        Step {
            rules: vec![rule],
            left: vec![self.terms.canonical(firing.left)],
            right: firing.right,
            premises: self.premises(conditions),
        }
    }

    /// From start to best at once, by rules of which it is not known how they work together.
    fn leap(&mut self, record: &ScopeRecord) -> Step {
        let mut numbers: Vec<usize> = record.fired.iter().map(|firing| firing.rule).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let conditions = record.fired.iter().flat_map(|firing| &firing.guards);
        let conditions = conditions.copied().collect();
        Step {
            rules: numbers
                .into_iter()
                .map(|number| self.base.rules()[number].clone())
                .collect(),
            left: vec![record.start],
            right: record.best,
            premises: self.premises(conditions),
        }
    }

    /// The premises that need a reason, without duplicates.
    fn premises(&mut self, conditions: Vec<ExprId>) -> Vec<Premise> {
        let mut premises: Vec<Premise> = self.grounds.cases().into_iter().map(case).collect();
        let mut known: HashSet<ExprId> = self.grounds.cases().into_iter().collect();
        for asked in conditions {
            let condition = self.terms.canonical(asked);
            if self.terms.arena.as_number(condition).is_none() && known.insert(condition) {
                premises.push(Premise {
                    asked,
                    condition,
                    basis: self.grounds.basis(self.terms, condition),
                });
            }
        }
        premises
    }

    /// The `when` guards of the rule as written, for the term that it was applied to.
    ///
    /// A builtin may prove something else instead, so of its guards those stand here that are proved.
    fn declared(&mut self, rule: &Rule, firing: &Firing, assumed: &[ExprId]) -> Vec<ExprId> {
        let Some(pattern) = rule.pattern() else {
            return Vec::new();
        };
        let Some(binding) = self.binding(pattern, firing) else {
            return Vec::new();
        };
        let mut prover = self.grounds.with(assumed);
        let mut guards = Vec::new();
        for guard in &pattern.when {
            if let Guard::Holds(pattern) = guard
                && let Some(guard) = pattern.instantiate(self.terms, &binding)
            {
                let canonical = self.terms.canonical(guard);
                if prover.holds(self.terms, canonical) {
                    guards.push(guard);
                }
            }
        }
        guards
    }

    /// Truth values that functions guarantee for their results, if these can be proved separately.
    fn ensured(&mut self, firing: &Firing, assumed: &[ExprId]) -> Vec<ExprId> {
        let mut found = Vec::new();
        for called in &firing.calls {
            let statements = called.statements(self.terms).into_iter();
            let truths = statements.filter(|(_, _, right)| right.is_none());
            found.extend(truths.map(|(_, truth, _)| self.terms.canonical(truth)));
        }
        if found.is_empty() {
            return found;
        }
        let mut prover = self.grounds.with(assumed);
        found.retain(|&truth| prover.holds(self.terms, truth));
        found
    }

    /// The binding of the rule's variables, if its left and right sides equal those of the application.
    fn binding(&mut self, rule: &PatternRule, firing: &Firing) -> Option<Binding> {
        let mut matcher = Matcher {
            scope: self.terms,
            independent: &rule.independent,
        };
        let bindings = matcher.matches(&rule.left, firing.left, rule.variables);
        bindings.into_iter().find(|binding| {
            let right = rule.right.instantiate(self.terms, binding);
            right.is_some_and(|right| self.terms.canonical(right) == firing.right)
        })
    }
}

fn case(condition: ExprId) -> Premise {
    Premise {
        asked: condition,
        condition,
        basis: Basis {
            status: Status::Case,
            grounds: Vec::new(),
        },
    }
}

/// A step that only rearranges.
fn rearranged(terms: Vec<ExprId>, right: ExprId) -> Step {
    Step {
        rules: Vec::new(),
        left: terms,
        right,
        premises: Vec::new(),
    }
}
