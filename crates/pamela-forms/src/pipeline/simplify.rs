//! Simplifies a model: lowers, orders, closes, bounds and presents its equations.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use super::close;
use super::mentions::{self, Order};
use super::model::Model;
use super::names::{Asked, no_equation, no_formula, process_of_run, unknown_name};
use super::options::{Keep, Options};
use super::ordered::validate_order;
use super::presented::{Ground, formulas};
use super::results::{Simplified, SimplifiedEquation, supersede_estimates};
use crate::algebra::{Refuted, RuleBase, Simplifier};
use crate::diagnostic::{Code, Diagnostic, Error, Result, Span};
use crate::expr::{Arena, ExprId, Function};
use crate::formula::Formula;
use crate::syntax::tree::{Equation, Type};
use crate::timing::{
    self, Fact, Lowered, LoweredEquation, Origin, wants_bounds, without_repetitions,
};

impl Model {
    /// Finds the closed forms of the model's equations, with the standard rules.
    ///
    /// # Errors
    /// Fails if facts contradict each other, or if no equation has a closed form. Errors of single
    /// equations, such as unsupported constructs or invalid probabilities, are in
    /// [`Simplified::failures`].
    pub fn simplify(&self, options: &Options) -> Result<Simplified> {
        self.simplify_with(crate::rules::standard()?, options)
    }

    /// Finds the closed forms with the given rules.
    ///
    /// # Errors
    /// Fails like [`Model::simplify`].
    pub fn simplify_with(&self, rules: RuleBase, options: &Options) -> Result<Simplified> {
        let start = Instant::now();
        let options = &self.with_own_names(options);
        let mut arena = Arena::new();
        let lowered = self.lowered_for(options, &mut arena)?;
        let wanted = match self.wanted_equations(&lowered.equations, options) {
            // The requested equation may be the one that is wrong.
            Err(error) => return Err(self.failures(lowered.failures).pop().unwrap_or(error)),
            Ok(wanted) => wanted,
        };
        let facts = self.facts(&mut arena, &lowered)?;
        // In the order in which they come back.
        let mut spans: Vec<(ExprId, Span)> =
            facts.iter().copied().zip(lowered.fact_spans).collect();
        spans.sort_by(|(a, _), (b, _)| arena.compare(*a, *b));
        spans.dedup_by_key(|(fact, _)| *fact);
        let settling = self.settling(&lowered.equations, &wanted);
        let closing = [&wanted[..], &settling].concat();
        let order = Order::new(&closing, mentions::of_equations(&arena, &lowered.equations));
        let mut simplifier = Simplifier::new(arena, &facts, rules, options.of_algebra());
        let mut failures = lowered.failures;
        let mut closed = self.close_all(
            &mut simplifier,
            &lowered.equations,
            &order,
            options,
            &mut failures,
        )?;
        if options.enclose {
            self.enclose(&mut simplifier, &mut closed);
        }
        validate_order(&self.checked, &mut simplifier, &closed);
        let closed = close::with_mentioned(closed, simplifier.results_mut(), wanted, &settling);
        let failures = self.failures(failures);
        if let (true, Some(error)) = (closed.is_empty(), failures.first()) {
            return Err(error.clone());
        }
        let annotated = closed
            .into_iter()
            .map(|closed| self.annotated(&mut simplifier, &lowered.equations, closed, options))
            .collect();
        let statistics = simplifier.statistics();
        let refuted = self.refuted(&mut simplifier);
        let names = self.checked.equations().iter().map(|e| e.name.text.clone());
        let ground = Ground {
            facts: simplifier.facts_in_results(),
            whole: self.whole_parameters(),
            names: names.collect(),
            mentions: self.mentions_of_numbers(),
            collect: self.collected_by(options)?,
        };
        let (mut equations, mut facts) = formulas(simplifier.into_arena(), annotated, ground);
        let assumptions = facts.iter().zip(&spans);
        let assumptions = assumptions.filter(|(_, (_, span))| self.is_assumed(*span));
        let assumptions = assumptions.map(|(fact, _)| fact.clone()).collect();
        let labels = self.checked.labels();
        facts.retain(|fact| !fact.parameters().iter().any(|name| labels.is_factor(name)));
        equations
            .iter_mut()
            .for_each(|equation| set_aside(equation, options));
        if options.only.is_empty() {
            let is_shown = options.all || self.checked.quotes_estimates();
            supersede_estimates(&mut equations, is_shown);
        }
        Ok(Simplified {
            equations,
            facts,
            assumptions,
            failures,
            refuted,
            points: statistics.points,
            stop: statistics.stop,
            scopes: statistics.scopes,
            nodes: statistics.nodes,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// The positions of the times that decide whether the `wanted` ones are bounds, independent of other requests.
    fn settling(&self, equations: &[LoweredEquation], wanted: &[usize]) -> Vec<usize> {
        let mut processes: HashSet<&str> = HashSet::new();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut pending: Vec<usize> = Vec::new();
        let inexact = wanted.iter().map(|&position| &equations[position]);
        for own in inexact.filter(|own| !own.standing.is_exact()) {
            match &own.origin {
                Origin::Time(process) => {
                    processes.insert(process);
                }
                Origin::Equation => pending.extend(self.checked.position(&own.name)),
                _ => {}
            }
        }
        while let Some(position) = pending.pop() {
            let equation = &self.checked.equations()[position];
            if equation.kind == Type::Process {
                processes.insert(&equation.name.text);
            } else if seen.insert(position) {
                pending.extend(self.checked.mentions(position));
            }
        }
        let is_one = |own: &LoweredEquation| match &own.origin {
            Origin::Time(process) | Origin::Execution(process) => {
                processes.contains(process.as_str())
            }
            _ => false,
        };
        let numbered = equations.iter().enumerate();
        let found = numbered.filter(|(position, own)| is_one(own) && !wanted.contains(position));
        found.map(|(position, _)| position).collect()
    }

    /// Each numeric equation with the numbers and processes that it mentions, after those of them that are numbers.
    fn mentions_of_numbers(&self) -> Vec<(String, Vec<String>)> {
        let equations = self.checked.equations();
        let is_number = |at: usize| equations[at].kind == Type::Numeric;
        let numbers: Vec<usize> = (0..equations.len()).filter(|&at| is_number(at)).collect();
        let order = Order::new(&numbers, |at| {
            if is_number(at) {
                self.checked.mentions(at)
            } else {
                Vec::new()
            }
        });
        let name = |at: usize| equations[at].name.text.clone();
        let numbers = order.positions.iter().filter(|&&at| is_number(at));
        let mentioned = numbers.map(|&at| {
            let others = order.mentions[&at].iter();
            let others = others.filter(|&&other| equations[other].kind != Type::Resource);
            (name(at), others.map(|&other| name(other)).collect())
        });
        mentioned.collect()
    }

    /// The expressions of the equations and facts, with names where the options ask for them.
    fn lowered_for(&self, options: &Options, arena: &mut Arena) -> Result<Lowered> {
        let mut expanded = self.expanded(options)?;
        if !self.checked.labels().factors.is_empty() {
            // Slopes are those of expanded expressions.
            expanded.extend(0..self.checked.equations().len());
        }
        let kept = self.kept(options)?;
        if !kept.is_empty() {
            self.require_declarations()?;
        }
        let names = timing::Names {
            written_out: &expanded,
            kept: &kept,
        };
        timing::lower_with(&self.checked, arena, self.wanted_times(options), names)
    }

    /// The options with the model's own names for the equations of libraries.
    fn with_own_names(&self, options: &Options) -> Options {
        let mut options = options.clone();
        let named = [&mut options.only, &mut options.expand];
        for name in named.into_iter().flatten() {
            if let Some(own) = self.checked.name_of_path(name) {
                let kind = self.checked.lookup(&own).map(|equation| equation.kind);
                *name = match kind {
                    Some(Type::Process) => format!("T_{own}"),
                    _ => own,
                };
            }
        }
        for name in &mut options.sensitivity {
            *name = self.own_name(name);
        }
        options
    }

    /// The times to compute beside `T`: those requested by an option or by name.
    fn wanted_times(&self, options: &Options) -> timing::ProcessEquations {
        let own = |name: &String| self.checked.lookup(name).is_some();
        let named = |is_asked: fn(Asked) -> bool| {
            let mut only = options.only.iter();
            only.any(|name| is_asked(Asked::by(name)) && !own(name))
        };
        timing::ProcessEquations {
            bounds: options.bounds || named(Asked::is_bound),
            times: options.times || named(|asked| asked == Asked::Time),
            exact_times: options.exact_times,
            settling: true,
            contention: options.contention,
        }
    }

    /// The parameters by which sums are collected.
    ///
    /// # Errors
    /// Fails for a name that is not a parameter.
    fn collected_by(&self, options: &Options) -> Result<Vec<String>> {
        let own = |name: &String| {
            let name = self.own_name(name);
            let mut parameters = self.checked.parameters();
            if parameters.any(|parameter| parameter.name.text == name) {
                Ok(name)
            } else {
                let message = format!("the model has no parameter `{name}` to collect by");
                let all = self.checked.parameters().map(|e| e.name.text.as_str());
                Err(unknown_name(message, &name, &all.collect::<Vec<_>>()))
            }
        };
        options.collect.iter().map(own).collect()
    }

    /// The positions of the equations that are written out wherever they are mentioned.
    ///
    /// # Errors
    /// Fails for a name that no equation has.
    fn expanded(&self, options: &Options) -> Result<Vec<usize>> {
        let position = |name: &String| {
            let unknown = || {
                let message = format!("the model has no equation `{name}` to expand");
                let all = self.checked.equations().iter();
                let names: Vec<&str> = all.map(|e| e.name.text.as_str()).collect();
                unknown_name(message, name, &names)
            };
            self.checked.position(name).ok_or_else(unknown)
        };
        options.expand.iter().map(position).collect()
    }

    /// The positions of the equations that stay names.
    ///
    /// # Errors
    /// Fails for a name that no equation has.
    fn kept(&self, options: &Options) -> Result<Vec<usize>> {
        let equations = self.checked.equations();
        let own = |equation: &Equation| equation.kind != Type::Resource && !equation.parameter;
        let positions = |wanted: &dyn Fn(&Equation) -> bool| {
            let numbered = equations.iter().enumerate();
            let found = numbered.filter(|(_, e)| own(e) && wanted(e));
            found.map(|(position, _)| position).collect()
        };
        let names = match &options.keep {
            Keep::Nothing => return Ok(Vec::new()),
            Keep::All => return Ok(positions(&|_| true)),
            Keep::Named(names) => names,
        };
        let names: Vec<String> = names.iter().map(|name| self.own_name(name)).collect();
        if let Some(unknown) = names
            .iter()
            .find(|name| self.checked.lookup(name).is_none())
        {
            let message = format!("the model has no equation `{unknown}` to keep");
            let all: Vec<&str> = equations.iter().map(|e| e.name.text.as_str()).collect();
            return Err(unknown_name(message, unknown, &all));
        }
        Ok(positions(&|e| e.kept || names.contains(&e.name.text)))
    }

    /// The positions of the equations that are asked for.
    ///
    /// # Errors
    /// Fails for a name that no equation has.
    fn wanted_equations(
        &self,
        equations: &[LoweredEquation],
        options: &Options,
    ) -> Result<Vec<usize>> {
        let has = |name: &str| equations.iter().any(|equation| equation.name == name);
        let times = || {
            let times = equations.iter().filter(|e| wants_bounds(e));
            times.map(|e| &e.origin)
        };
        let mut only = options.only.clone();
        for name in only.iter_mut().filter(|name| !has(name)) {
            if let (true, Some(process)) = (options.runs, process_of_run(name, times())) {
                let bound = Origin::Lower(process.clone());
                let bound = equations.iter().find(|equation| equation.origin == bound);
                if let Some(bound) = bound {
                    name.clone_from(&bound.name);
                }
            }
        }
        if let Some(unknown) = only.iter().find(|name| !has(name)) {
            if let Some(error) = no_formula(unknown, times()) {
                return Err(error);
            }
            let named = equations.iter().filter(|equation| !equation.auxiliary);
            let names: Vec<&str> = named.map(|e| e.name.as_str()).collect();
            return Err(no_equation(unknown, &names));
        }
        let of_labels = |equation: &LoweredEquation| {
            let process = self.by_label(&equation.origin);
            process.map(|process| options.chooses(&format!("T_{process}")))
        };
        let asked = equations.iter().filter(|e| only.contains(&e.name));
        let processes: Vec<&String> = asked.filter_map(|e| e.origin.process()).collect();
        // The estimates that an option adds belong to the times that are named.
        let is_beside = |e: &LoweredEquation| {
            let process = e.origin.process().filter(|_| e.origin.is_estimate());
            process.is_some_and(|process| processes.contains(&process))
        };
        let wanted = |equation: &LoweredEquation| {
            if let Some(is_wanted) = of_labels(equation) {
                is_wanted
            } else if equation.origin == Origin::Part {
                // One of a library, where it is asked for.
                false
            } else if options.only.is_empty() {
                !equation.auxiliary && (options.all || equation.origin.is_result())
            } else {
                only.contains(&equation.name) || is_beside(equation)
            }
        };
        let estimates = || equations.iter().filter(|e| e.origin.is_estimate());
        if let Some(first) = estimates().find(|e| !matches!(e.origin, Origin::Cycle(_)))
            && !estimates().any(wanted)
        {
            let message = format!(
                "`{}` estimates the time of a process, but no process is asked for",
                first.name
            );
            return Err(Error::new(message).hint(format!("also name `{}`", first.name)));
        }
        let numbered = equations.iter().enumerate();
        let wanted = numbered.filter(|(_, equation)| wanted(equation));
        Ok(wanted.map(|(position, _)| position).collect())
    }

    /// Collects the declared and assumed facts of the parameters.
    ///
    /// # Errors
    /// Fails if a fact contradicts earlier ones.
    pub(super) fn facts(&self, arena: &mut Arena, lowered: &Lowered) -> Result<Vec<ExprId>> {
        let as_relation = |fact: &Fact| match *fact {
            Fact::Integer(expr) => arena.apply(Function::Integer, expr),
            Fact::Holds(relation) => relation,
        };
        let facts: Vec<ExprId> = lowered.facts.iter().map(as_relation).collect();
        match Simplifier::contradiction(arena, &facts) {
            Some(position) => Err(self.impossible(lowered.fact_spans[position])),
            None => Ok(facts),
        }
    }

    /// True if a fact stands in an assumption.
    fn is_assumed(&self, fact: Span) -> bool {
        let mut assumptions = self.checked.assumptions().iter();
        assumptions.any(|all| all.span.start <= fact.start && fact.end <= all.span.end)
    }

    fn error(&self, diagnostic: Diagnostic) -> Error {
        Error {
            diagnostics: vec![diagnostic],
            sources: self.checked.sources().clone(),
        }
    }

    fn impossible(&self, fact: Span) -> Error {
        self.error(
            Diagnostic::error(
                "declarations and assumptions about parameters contradict each other",
                fact,
                "contradicts an earlier fact",
            )
            .hint("remove it: no point satisfies all statements of the model")
            .code(Code::FactsContradict),
        )
    }

    /// The parts whose closed forms were wrong.
    fn refuted(&self, simplifier: &mut Simplifier) -> Vec<Error> {
        let refuted = simplifier.refuted().to_vec();
        if refuted.is_empty() {
            return Vec::new();
        }
        let arena = Arc::new(simplifier.results_mut().clone());
        let message = |refuted: Refuted| {
            let scope = Formula::new(arena.clone(), refuted.scope, Vec::new()).pamela();
            let point = refuted.point.iter();
            let point: Vec<String> = point
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let found = refuted.found.as_deref().unwrap_or("undefined");
            format!(
                "a closed form was wrong and is not used: at {}, `{scope}` is {}, but the closed form is {found}",
                point.join(", "),
                refuted.expected,
            )
        };
        let mut messages: Vec<String> = refuted.into_iter().map(message).collect();
        messages.dedup();
        let hint = "this part stays unsimplified, so all values are right; please report the model, unless you use \
                    rules of your own";
        let errors = messages.into_iter().map(|text| Error::new(text).hint(hint));
        errors.collect()
    }

    /// The errors of equations, without repetitions.
    fn failures(&self, diagnostics: Vec<Diagnostic>) -> Vec<Error> {
        let diagnostics = without_repetitions(diagnostics);
        if diagnostics.is_empty() {
            Vec::new()
        } else {
            vec![Error {
                diagnostics,
                sources: self.checked.sources().clone(),
            }]
        }
    }
}

/// An equation that is only mentioned, or that was not requested, is auxiliary.
fn set_aside(equation: &mut SimplifiedEquation, options: &Options) {
    let chosen = options.chooses(equation.origin.of().unwrap_or(&equation.name));
    let named = chosen && !options.only.is_empty() && equation.origin != Origin::Part;
    equation.auxiliary = !named && (equation.auxiliary || !chosen);
}
