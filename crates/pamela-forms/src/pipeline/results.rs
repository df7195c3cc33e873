//! Results of simplification.

use std::collections::{HashMap, HashSet};

use super::mentions::Order;
use super::regimes::Regimes;
use crate::algebra::{MOST_REGIMES, Stop};
use crate::diagnostic::{Error, listed};
use crate::expr::{ExprId, Sort};
use crate::formula::{Derivation, Formula};
use crate::ring::Rational;
use crate::timing::{Note, Origin, Proof, Standing};

/// The closed forms of a model.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The equations in the order of the model; those of a process in the order of
    /// [`timing`](crate::timing).
    pub equations: Vec<SimplifiedEquation>,
    /// Declared and assumed facts of the parameters; each is 1 wherever the model has values.
    pub facts: Vec<Formula>,
    /// The facts from `assume` equations, rather than from the declaration of one parameter.
    pub assumptions: Vec<Formula>,
    /// Errors of equations, and of requested derivatives, that have no closed form.
    pub failures: Vec<Error>,
    /// Parts whose closed forms differed from their definitions; they stay unchanged.
    pub refuted: Vec<Error>,
    /// Number of points at which closed forms were compared with their definitions.
    pub points: usize,
    /// Reason why the search ended; the worst of all equations.
    pub stop: Stop,
    /// Number of scopes searched.
    pub scopes: usize,
    /// Number of nodes in the largest scope's e-graph.
    pub nodes: usize,
    /// Wall-clock time in seconds; the only result that differs between runs.
    pub seconds: f64,
}

/// An equation with its closed form.
#[derive(Clone, Debug)]
pub struct SimplifiedEquation {
    /// Name in the model, or name of a result such as `T_main`.
    pub name: String,
    /// Sort of the value: number, vector or law.
    pub sort: Sort,
    /// Arguments of an equation that others call.
    pub formals: Vec<String>,
    /// True for a part that others mention and that has no name in the model.
    pub auxiliary: bool,
    /// True if other closed forms mention the equation by name.
    pub kept: bool,
    /// The part of the model that the equation comes from.
    pub origin: Origin,
    /// The closed form with its conditions.
    pub formula: Formula,
    /// How the value relates to the time of a run.
    pub standing: Standing,
    /// True for the papers' estimate of a process whose exact time is among the results.
    ///
    /// Data holds it, but documents do not print it.
    pub superseded: bool,
    /// Names of the rules that led to the formula. Without a derivation, includes rules of
    /// alternatives.
    pub rules: Vec<String>,
    /// Rules of the user among them, each with its location: `far-mod (mine/far.rules:3)`.
    pub own_rules: Vec<String>,
    /// The regimes, if requested and if the formula has cases.
    pub regimes: Option<Regimes>,
    /// True if regimes were requested and there are too many.
    pub regimes_cut: bool,
    /// The derivation, if [`Options::explain`](super::Options::explain) is set.
    pub derivation: Option<Derivation>,
    /// Reason why the search for this formula ended; the worst of its parts.
    pub stop: Stop,
}

impl Simplified {
    /// Replaces the symbols of base units by 1.
    pub fn without_units(&self) -> Simplified {
        let mut all = self.clone();
        let equations = all.equations.iter_mut().map(|e| &mut e.formula);
        let formulas = equations.chain(&mut all.facts).chain(&mut all.assumptions);
        let mut formulas: Vec<&mut Formula> = formulas.collect();
        Formula::drop_units(&mut formulas);
        // Facts that units are positive are left out.
        let says = |fact: &Formula| {
            let value = fact.arena().as_number(fact.root());
            !value.is_some_and(Rational::is_one)
        };
        all.facts.retain(says);
        all
    }

    /// The equation with this name.
    pub fn equation(&self, name: &str) -> Option<&SimplifiedEquation> {
        self.equations.iter().find(|e| e.name == name)
    }

    /// The equations that documents print: one answer for each process.
    pub fn shown(&self) -> impl Iterator<Item = &SimplifiedEquation> {
        self.equations.iter().filter(|own| !own.superseded)
    }

    /// Lower bound, upper bound and the papers' estimate of a process's time.
    ///
    /// Returns `None` if one of them is not printed, or if the exact time is.
    pub fn enclosure_of(&self, process: &str) -> Option<[&SimplifiedEquation; 3]> {
        let find = |origin: Origin| self.shown().find(|own| own.origin == origin);
        let ends = [
            find(Origin::Lower(process.to_owned()))?,
            find(Origin::Upper(process.to_owned()))?,
            find(Origin::Time(process.to_owned()))?,
        ];
        find(Origin::Execution(process.to_owned()))
            .is_none()
            .then_some(ends)
    }

    /// Caveats to print wherever numbers appear without conditions.
    ///
    /// They name rules of the user, and limits that stopped the search before a form was closed.
    pub fn caveats(&self) -> Vec<String> {
        let mut all: Vec<(String, Vec<&str>)> = Vec::new();
        for equation in &self.equations {
            let by_rules = by_own_rules(&equation.own_rules).map(|note| note.to_string());
            let open = equation.formula.open_reductions() > 0;
            let cut_short = equation.cut_short().filter(|_| open);
            for text in by_rules.into_iter().chain(cut_short) {
                match all.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, names)) => names.push(&equation.name),
                    None => all.push((text, vec![&equation.name])),
                }
            }
        }
        let caveat = |(text, names): (String, Vec<&str>)| format!("{}: {text}", listed(&names));
        all.into_iter().map(caveat).collect()
    }

    /// True if every scalar is closed and no closed form was refuted.
    pub fn is_closed(&self) -> bool {
        let open = |e: &SimplifiedEquation| e.formula.open_reductions() > 0;
        self.refuted.is_empty() && !self.equations.iter().any(open)
    }

    /// Indices of all equations, each after those that its formula mentions.
    pub fn callees_first(&self) -> Vec<usize> {
        let named = self.equations.iter().enumerate();
        let by_name: HashMap<&str, usize> = named.map(|(at, e)| (e.name.as_str(), at)).collect();
        let mentions = |position: usize| {
            let formula = &self.equations[position].formula;
            let names = formula.mentions().into_iter();
            names
                .filter_map(|name| by_name.get(name.as_str()).copied())
                .collect()
        };
        let all: Vec<usize> = (0..self.equations.len()).collect();
        Order::new(&all, mentions).positions
    }
}

impl SimplifiedEquation {
    /// The proof that the value is the exact time of a run; `None` for `T` and for other equations.
    pub fn proof(&self) -> Option<&Proof> {
        let proof = self.standing.proof()?;
        let is_time = match &self.origin {
            Origin::Execution(_) => true,
            Origin::Moment { .. } => !proof.applications.is_empty(),
            _ => false,
        };
        is_time.then_some(proof)
    }

    /// The proof; `None` if nothing waits.
    pub fn told_proof(&self) -> Option<&Proof> {
        self.proof().filter(|proof| !proof.is_trivial())
    }

    /// The limit that stopped the search for the closed form, if any.
    pub fn cut_short(&self) -> Option<String> {
        let budget = self.stop.budget()?;
        let left = match (self.formula.open_reductions(), self.formula.operations()) {
            // There is no shorter form.
            (0, 0) => return None,
            (0, _) => "may not be the shortest form",
            _ => "is kept as written",
        };
        Some(format!(
            "{left}: the budget of {budget} is spent, {FURTHER}"
        ))
    }

    /// Notes about limits that stopped the search.
    pub fn budget_notes(&self) -> Vec<String> {
        let regimes = self.regimes_cut.then(|| {
            format!("its regimes are not separated: there are more than {MOST_REGIMES}, or they take too much work")
        });
        self.cut_short().into_iter().chain(regimes).collect()
    }
}

/// Advice for a budget that is spent.
const FURTHER: &str = "`--effort high` allows 16 times as much";

/// A note that the result used rules of the user, which no test of the library covers.
pub(super) fn by_own_rules(rules: &[String]) -> Option<Note> {
    (!rules.is_empty()).then(|| Note::OwnRules(rules.to_vec()))
}

/// Marks the papers' estimates of the processes whose exact time is among the results; if estimates are shown, only those of
/// the same form.
pub(crate) fn supersede_estimates(equations: &mut [SimplifiedEquation], are_shown: bool) {
    let exact = |own: &SimplifiedEquation| match &own.origin {
        Origin::Execution(process) if !own.auxiliary => Some((process.clone(), own.formula.root())),
        _ => None,
    };
    let exact: HashMap<String, ExprId> = equations.iter().filter_map(exact).collect();
    let is_superseded = |own: &SimplifiedEquation| match &own.origin {
        Origin::Time(process) => exact
            .get(process)
            .is_some_and(|form| !are_shown || *form == own.formula.root()),
        _ => false,
    };
    let estimates = equations.iter().filter(|own| is_superseded(own));
    let estimates: HashSet<String> = estimates.map(|own| own.name.clone()).collect();
    for own in equations {
        // Moments, slopes and bounds of an estimate go with it.
        let estimate = own.origin.of().unwrap_or(&own.name);
        own.superseded = estimates.contains(estimate);
    }
}
