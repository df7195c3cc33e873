//! The closed forms of a model, as they are handed on.

use std::collections::HashMap;

use super::mentions::Order;
use super::regimes::Regimes;
use crate::algebra::{MOST_REGIMES, Stop};
use crate::diagnostic::{Error, listed};
use crate::expr::Sort;
use crate::formula::{Derivation, Formula};
use crate::ring::Rational;
use crate::timing::{Note, Origin, Proof, Standing};

/// The closed forms of a model.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// In the order of the model; the equations of a process in the order of [`timing`](crate::timing).
    pub equations: Vec<SimplifiedEquation>,
    /// What is declared and assumed of the parameters: each is 1 wherever the model has values.
    pub facts: Vec<Formula>,
    /// Those of them that the model assumes, rather than declares of one parameter.
    pub assumptions: Vec<Formula>,
    /// What is wrong with the other equations, and with derivatives that were asked for, which have no closed form.
    pub failures: Vec<Error>,
    /// Parts whose closed forms differed from their definitions, and which stay as they are.
    pub refuted: Vec<Error>,
    /// Points at which closed forms were compared with their definitions.
    pub points: usize,
    /// Why the search ended, at worst.
    pub stop: Stop,
    /// How many scopes were searched, and the nodes of the largest.
    pub scopes: usize,
    /// The nodes of the largest scope.
    pub nodes: usize,
    /// How long it took by the clock, the one figure that is not the same each time.
    pub seconds: f64,
}

/// An equation with its closed form.
#[derive(Clone, Debug)]
pub struct SimplifiedEquation {
    /// Its name in the model, or that of a result such as `T_main`.
    pub name: String,
    /// A number, a list of numbers, or a law.
    pub sort: Sort,
    /// The arguments of an equation that others call.
    pub formals: Vec<String>,
    /// A part that others mention, which has no name in the model itself.
    pub auxiliary: bool,
    /// Others mention it by its name.
    pub kept: bool,
    /// What it is of the model.
    pub origin: Origin,
    /// The closed form with its conditions.
    pub formula: Formula,
    /// How its value relates to what a run takes.
    pub standing: Standing,
    /// The rules that led to the formula; without a derivation also those that led to alternatives.
    pub rules: Vec<String>,
    /// Those of them that do not come with the library, each with its place: `far-mod (mine/far.rules:3)`.
    pub own_rules: Vec<String>,
    /// Where they were asked for, and the formula decides something.
    pub regimes: Option<Regimes>,
    /// They were asked for, and are too many to be told apart.
    pub regimes_cut: bool,
    /// How it was derived, where [`Options::explain`](super::Options::explain) is set.
    pub derivation: Option<Derivation>,
    /// Why the search for the formula ended, at worst.
    pub stop: Stop,
}

impl Simplified {
    /// The same over numbers of base units, whose symbols are gone.
    pub fn without_units(&self) -> Simplified {
        let mut all = self.clone();
        let equations = all.equations.iter_mut().map(|e| &mut e.formula);
        let formulas = equations.chain(&mut all.facts).chain(&mut all.assumptions);
        let mut formulas: Vec<&mut Formula> = formulas.collect();
        Formula::drop_units(&mut formulas);
        // That units are positive says nothing any more.
        let says = |fact: &Formula| {
            let value = fact.arena().as_number(fact.root());
            !value.is_some_and(Rational::is_one)
        };
        all.facts.retain(says);
        all
    }

    /// The equation of this name.
    pub fn equation(&self, name: &str) -> Option<&SimplifiedEquation> {
        self.equations.iter().find(|e| e.name == name)
    }

    /// The equations that are printed: without the `T` of a process whose exact time has the same form.
    pub fn shown(&self) -> impl Iterator<Item = &SimplifiedEquation> {
        let exact = |process: &String| {
            let of = |e: &&SimplifiedEquation| e.origin == Origin::Execution(process.clone());
            self.equations.iter().find(of)
        };
        self.equations
            .iter()
            .filter(move |equation| match &equation.origin {
                Origin::Time(process) => {
                    let own = equation.formula.root();
                    exact(process).is_none_or(|exact| exact.formula.root() != own)
                }
                _ => true,
            })
    }

    /// What has to be known of the results beside their conditions, wherever numbers alone are shown: rules that are not
    /// the library's, and budgets that were spent before a form was closed.
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

    /// Whether no scalar is left that takes looping, and no closed form was refuted.
    pub fn is_closed(&self) -> bool {
        let open = |e: &SimplifiedEquation| e.formula.open_reductions() > 0;
        self.refuted.is_empty() && !self.equations.iter().any(open)
    }

    /// Positions of all equations, each after those that its formula mentions.
    pub(crate) fn callees_first(&self) -> Vec<usize> {
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
    /// Why it is what every run takes, of the times of processes beside `T`.
    pub fn proof(&self) -> Option<&Proof> {
        let proof = self.standing.proof()?;
        let is_time = match &self.origin {
            Origin::Execution(_) => true,
            Origin::Moment { .. } => !proof.applications.is_empty(),
            _ => false,
        };
        is_time.then_some(proof)
    }

    /// Which budget ended the search for its closed form, if one did.
    pub fn cut_short(&self) -> Option<String> {
        let budget = self.stop.budget()?;
        let left = match (self.formula.open_reductions(), self.formula.operations()) {
            // Nothing is shorter.
            (0, 0) => return None,
            (0, _) => "may not be the shortest form",
            _ => "is kept as written",
        };
        Some(format!(
            "{left}: the budget of {budget} is spent, {FURTHER}"
        ))
    }

    /// What budgets cut off.
    pub fn budget_notes(&self) -> Vec<String> {
        let regimes = self.regimes_cut.then(|| {
            format!("its regimes are not separated: there are more than {MOST_REGIMES}, or they take too much work")
        });
        self.cut_short().into_iter().chain(regimes).collect()
    }
}

/// What helps where a budget was spent.
const FURTHER: &str = "`--effort high` allows 16 times as much";

/// What a reader has to know of a result that no gate of the library stands for.
pub(super) fn by_own_rules(rules: &[String]) -> Option<Note> {
    (!rules.is_empty()).then(|| Note::OwnRules(rules.to_vec()))
}
