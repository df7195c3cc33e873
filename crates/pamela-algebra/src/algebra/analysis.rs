//! Analyses of a closed form: regimes and derivatives.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Relation};

use super::closed::Closed;
use super::definedness::requirements_beyond;
use super::derivative::derivative;
use super::facts::Prover;
use super::regimes::{Crossing, Regime, Regimes, TooManyRegimes, regimes};
use super::simplify::Simplifier;
use super::terms::Terms;

impl Simplifier {
    /// The regimes of a closed form; crossings are solved for the first of `parameters` that they are
    /// linear in. `None` if the closed form contains no decisions.
    ///
    /// # Errors
    /// Fails like [`regimes`].
    pub fn regimes(
        &mut self,
        closed: &Closed,
        parameters: &[String],
    ) -> Result<Option<Regimes>, TooManyRegimes> {
        let (mut terms, known, expr) = self.reopened(closed);
        let Some(found) = regimes(&mut terms, &known, expr, parameters)? else {
            return Ok(None);
        };
        let mut copied = FxHashMap::default();
        let mut result = |id| self.results.import(&terms.arena, id, &mut copied);
        Ok(Some(Regimes {
            regimes: found
                .regimes
                .into_iter()
                .map(|regime| Regime {
                    expr: result(regime.expr),
                    when: regime.when.into_iter().map(&mut result).collect(),
                })
                .collect(),
            crossings: found
                .crossings
                .into_iter()
                .map(|crossing| Crossing {
                    parameter: crossing.parameter,
                    at: result(crossing.at),
                    requires: crossing.requires.into_iter().map(&mut result).collect(),
                })
                .collect(),
        }))
    }

    /// The derivative of a closed form by a parameter, valid where the form is valid, except at jumps and kinks.
    ///
    /// # Errors
    /// Fails with a description of the part that has no derivative.
    pub fn derivative(&mut self, closed: &Closed, parameter: &str) -> Result<Closed, String> {
        let (mut terms, known, expr) = self.reopened(closed);
        let symbol = terms.arena.named(parameter);
        let found = derivative(&mut terms.arena, expr, symbol)?;
        let mut requires = requirements_beyond(&mut terms, &known, expr, found.expr);
        let mut prover = Prover::new(known.clone());
        for condition in found.requires {
            let condition = terms.canonical(condition);
            if !prover.holds(&mut terms, condition) {
                requires.push(condition);
            }
        }
        requires.sort_by(|&a, &b| terms.arena.compare(a, b));
        requires.dedup();
        let mut copied = FxHashMap::default();
        let requires = self
            .results
            .import_all(&terms.arena, &requires, &mut copied);
        let mut simple = self
            .close_session(terms.arena, &known, found.expr, self.options)
            .ok_or("its conditions contradict each other")?;
        simple
            .assumptions
            .extend(closed.assumptions.iter().chain(&requires));
        // A condition that only the derivative needs is stated: a reader expects a derivative wherever the function
        // is smooth.
        let beside = self.own_domain(closed.expr);
        self.essential(&mut simple.assumptions, &beside);
        Ok(simple)
    }

    /// The part of a label in a time: the slope of the time in the label's factor, where all factors are 1. At kinks
    /// it is the slope on one side, the same side for all factors.
    ///
    /// # Errors
    /// Fails with a description of the part that has no slope.
    pub fn part(
        &mut self,
        closed: &Closed,
        factor: &str,
        all: &[String],
    ) -> Result<Closed, String> {
        let (mut terms, _, expr) = self.reopened(closed);
        let symbol = terms.arena.named(factor);
        let slope = derivative(&mut terms.arena, expr, symbol)?.expr;
        let mut copied = FxHashMap::default();
        let slope = self.results.import(&terms.arena, slope, &mut copied);
        let ones: Vec<(String, i64)> = all.iter().map(|name| (name.clone(), 1)).collect();
        self.with_factors(closed, slope, &ones)
    }

    /// True if a closed form depends on a parameter.
    pub fn mentions(&mut self, closed: &Closed, parameter: &str) -> bool {
        let symbol = self.results.named(parameter);
        self.results.mentions(closed.expr, symbol)
    }

    /// The difference of two result expressions that do not mention label factors.
    ///
    /// # Errors
    /// Fails if the conditions contradict each other.
    pub fn difference(&mut self, closed: &Closed, a: ExprId, b: ExprId) -> Result<Closed, String> {
        let difference = self.results.subtract(a, b);
        let free = Closed {
            assumptions: Vec::new(),
            ..closed.clone()
        };
        self.with_factors(&free, difference, &[])
    }

    /// A time, given as a result expression, at these values of the label factors.
    ///
    /// # Errors
    /// Fails if the conditions contradict each other.
    pub fn with_factors(
        &mut self,
        closed: &Closed,
        expr: ExprId,
        values: &[(String, i64)],
    ) -> Result<Closed, String> {
        let mut at = |id: ExprId| {
            let mut id = id;
            for (name, value) in values {
                let symbol = self.results.named(name);
                let value = self.results.number(*value);
                id = self.results.substitute(id, symbol, value);
            }
            id
        };
        let mut there = closed.clone();
        there.expr = at(expr);
        there.assumptions = closed.assumptions.iter().map(|&c| at(c)).collect();
        let (terms, known, expr) = self.reopened(&there);
        let simple = self
            .close_session(terms.arena, &known, expr, self.options)
            .ok_or("its conditions contradict each other")?;
        there.expr = simple.expr;
        self.essential(&mut there.assumptions, &[]);
        Ok(there)
    }

    /// `parameter * derivative / value`: the percentage by which the value grows if the parameter grows by 1 %.
    pub fn elasticity(&mut self, closed: &Closed, derivative: &Closed, parameter: &str) -> Closed {
        let symbol = self.results.parameter(parameter);
        let rise = self.results.mul(&[symbol, derivative.expr]);
        let mut elasticity = Closed {
            expr: self.results.divide(rise, closed.expr),
            ..derivative.clone()
        };
        let (zero, value) = (self.results.number(0), closed.expr);
        let vanishes = self.results.relate(Relation::Equal, value, zero);
        let mut nonzero = vec![self.results.not(vanishes)];
        elasticity.assumptions.extend(&nonzero);
        self.essential(&mut elasticity.assumptions, &[]);
        let (terms, known, expr) = self.reopened(&elasticity);
        if let Some(simple) = self.close_session(terms.arena, &known, expr, self.options) {
            elasticity.expr = simple.expr;
        }
        // The quotient shows its divisor, so the condition that the divisor is not 0 is not repeated.
        let mut beside = self.own_domain(elasticity.expr);
        beside.extend(&derivative.assumptions);
        self.essential(&mut nonzero, &beside);
        elasticity.assumptions.clone_from(&derivative.assumptions);
        elasticity.assumptions.extend(nonzero);
        self.essential(&mut elasticity.assumptions, &[]);
        elasticity
    }

    /// A copy of a closed form in a separate arena, with its facts and assumptions.
    pub(super) fn reopened(&self, closed: &Closed) -> (Terms, Vec<ExprId>, ExprId) {
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let mut known = arena.import_all(&self.source, &self.facts, &mut copied);
        copied.clear();
        known.extend(arena.import_all(&self.results, &closed.assumptions, &mut copied));
        let expr = arena.import(&self.results, closed.expr, &mut copied);
        let mut terms = Terms::new(arena);
        let known = known.iter().map(|&fact| terms.canonical(fact)).collect();
        let expr = terms.canonical(expr);
        (terms, known, expr)
    }
}
