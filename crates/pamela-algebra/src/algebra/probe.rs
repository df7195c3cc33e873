//! Applies one rule to one term, outside of any e-graph, for the checks of rules.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, ReduceKind, Relation, Sort};

use super::application::FunctionAnswers;
use super::attempts::traced;
use super::facts::Prover;
use super::rule::{Called, Rule};
use super::saturation::Limits;
use super::scope::{Clamping, Scope};
use super::terms::Terms;

/// The result of a rule on a term, with its conditions.
#[derive(Clone, Debug)]
pub struct Application {
    pub right: ExprId,
    /// Guards that the rule did not prove, as truth values.
    pub guards: Vec<ExprId>,
    /// Index of each guard in the rule's text; guards made by code have none.
    pub asked: Vec<usize>,
    /// Properties that the called functions ensure.
    pub ensured: Vec<Ensured>,
    /// Conditions under which `right` is defined, beyond those of the term, as truth values.
    pub automatic: Vec<ExprId>,
}

/// An equation, or a truth value, that a function ensures for its results.
#[derive(Clone, Debug)]
pub struct Ensured {
    pub text: String,
    pub left: ExprId,
    /// The right side of an equation.
    pub right: Option<ExprId>,
}

/// Applies rules to terms over parameters, given facts.
pub struct Probe {
    scope: Scope,
}

impl Probe {
    /// Starts with these `facts`, truth values of `arena` that hold.
    pub fn new(arena: Arena, facts: &[ExprId]) -> Probe {
        let mut terms = Terms::new(arena);
        let facts = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let mut prover = Prover::new(facts);
        prover.allow(Limits::default().work);
        // Rules that repair a range fire only where that is asked for.
        Probe {
            scope: Scope::new(terms, prover, Clamping::Everything),
        }
    }

    /// The arena of the results.
    pub fn arena(&self) -> &Arena {
        &self.scope.terms.arena
    }

    /// The canonical form of a term, as rules make it.
    pub fn canonical(&mut self, term: ExprId) -> ExprId {
        self.scope.terms.canonical(term)
    }

    /// True if a truth value of another arena is proved from the facts.
    pub fn holds(&mut self, source: &Arena, condition: ExprId) -> bool {
        let terms = &mut self.scope.terms;
        let own = terms
            .arena
            .import(source, condition, &mut FxHashMap::default());
        let own = terms.canonical(own);
        self.scope.prover.holds(terms, own)
    }

    /// All results of the rule on a term.
    pub fn apply(&mut self, rule: &Rule, term: ExprId) -> Vec<Application> {
        let left = self.scope.terms.canonical(term);
        let made = traced(rule, &mut self.scope, left, &mut FunctionAnswers::default());
        made.into_iter()
            .map(|made| {
                let candidate = made.candidate;
                let ensured = made
                    .calls
                    .iter()
                    .flat_map(|called| self.ensured(called))
                    .collect();
                let right = self.scope.terms.canonical(candidate.right);
                let automatic = self.scope.new_requirements(left, right, false);
                let mut everywhere = |guards: Vec<ExprId>| {
                    let guards = guards.into_iter();
                    guards.map(|guard| self.over_its_ranges(guard)).collect()
                };
                Application {
                    right,
                    ensured,
                    asked: made.asked,
                    guards: everywhere(candidate.guards),
                    automatic: everywhere(automatic),
                }
            })
            .collect()
    }

    /// The guarantees of a function for the results of one call.
    fn ensured(&mut self, called: &Called) -> Vec<Ensured> {
        let statements = called.statements(&mut self.scope.terms).into_iter();
        let statements = statements.map(|(text, left, right)| self.statement(&text, left, right));
        statements.collect()
    }

    /// One of scalars for all values of the indices that it mentions.
    fn statement(&mut self, text: &str, left: ExprId, right: Option<ExprId>) -> Ensured {
        let arena = &mut self.scope.terms.arena;
        let text = text.to_string();
        let scalar = |arena: &Arena, id| arena.sort(id) == Sort::Scalar;
        match right {
            Some(right) if !scalar(arena, left) || !scalar(arena, right) => Ensured {
                text,
                left,
                right: Some(right),
            },
            _ => {
                let truth = match right {
                    Some(right) => arena.relate(Relation::Equal, left, right),
                    None => left,
                };
                Ensured {
                    text,
                    left: self.over_its_ranges(truth),
                    right: None,
                }
            }
        }
    }

    /// Automatic guards for replacing `left` by `right`.
    pub fn automatic_guards(&mut self, left: ExprId, right: ExprId) -> Vec<ExprId> {
        let left = self.scope.terms.canonical(left);
        let right = self.scope.terms.canonical(right);
        let guards = self.scope.new_requirements(left, right, false);
        guards
            .into_iter()
            .map(|guard| self.over_its_ranges(guard))
            .collect()
    }

    /// A truth value for all values of the indices that it mentions, as it must be proved.
    fn over_its_ranges(&mut self, guard: ExprId) -> ExprId {
        let arena = &mut self.scope.terms.arena;
        let mut guard = guard;
        loop {
            let ranges: Vec<_> = arena
                .free(guard)
                .iter()
                .filter_map(|&symbol| Some((symbol, arena.range(symbol)?)))
                .collect();
            // The innermost first: the ranges of the others do not speak of it.
            let innermost = ranges.iter().find(|(index, _)| {
                let mut others = ranges.iter();
                !others.any(|(_, (lower, upper))| {
                    arena.mentions(*lower, *index) || arena.mentions(*upper, *index)
                })
            });
            let Some(&(index, (lower, upper))) = innermost else {
                return guard;
            };
            guard = arena.reduce(ReduceKind::Product, index, lower, upper, guard);
        }
    }
}
