//! Services of the evaluator for one running process: values, decisions, resources and callees.
//!
//! Here a law is a draw with a numeric key: the same key gives the same draw. A law given by
//! moments is drawn from its fitted family, and a share of a law is a trial.

use super::fraction::Fraction;
use super::scope::{Local, Scope, bind};

use super::chance::Chance;
use super::evaluate::Evaluator;
use super::number::Number;
use super::random::is_mixture;
use super::resources::Resource;
use super::simulation::Simulation;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, ExprKind, Graph, Name, Process, Type, Value as Definition};

/// The names that a running process sees beside the model's: indices and arguments.
#[derive(Clone, Default)]
pub struct Names<'m>(Scope<'m>);

impl<'m> Names<'m> {
    /// Adds an index, which hides others with its name.
    pub fn with_index(&self, name: &'m str, index: i64) -> Names<'m> {
        Names(bind(name, Local::Index(index.into()), &self.0))
    }
}

/// The tasks of a graph.
pub struct Tasks<'m> {
    /// Index of the family of each task, and the names that the task sees.
    pub instances: Vec<(u32, Names<'m>)>,
    /// Names such as `label(1, 2)`, if requested.
    pub names: Vec<String>,
    /// Predecessors of each task.
    pub before: Vec<Vec<u32>>,
    /// Successors of each task.
    pub after: Vec<Vec<u32>>,
}

/// Outcome of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    Truth(bool),
    /// A trial with this probability of success.
    Trial(f64),
}

/// Outcome of the conditions of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Index of the case.
    Case(usize),
    /// Probability of each case.
    Weights(Vec<f64>),
}

/// An element of an array of resources, with its number of servers as written.
#[derive(Clone, Debug)]
pub struct Element<'m> {
    pub array: &'m str,
    pub index: Fraction,
    pub multiplicity: Number,
}

impl<'m> Evaluator<'m> {
    /// Switches to execution: from now on, every law is a draw.
    pub fn executing(mut self) -> Evaluator<'m> {
        self.chance = Chance::Simulation(Simulation::of_execution());
        self
    }

    /// Draws that differ from the model: laws given by moments, drawn from their fitted families.
    pub fn approximations(&self) -> Vec<String> {
        match &self.chance {
            Chance::Simulation(simulation) => simulation.approximations(),
            _ => Vec::new(),
        }
    }

    fn keyed(&mut self, key: u64) {
        self.restart();
        if let Chance::Simulation(simulation) = &mut self.chance {
            simulation.restart(key);
        }
    }

    /// The value of a scalar or a draw of a law; the flag is true if it is random.
    pub fn draw(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        key: u64,
    ) -> Result<(Number, bool), Diagnostic> {
        self.keyed(key);
        self.drawing(|evaluator| evaluator.scalar(expr, &names.0))
    }

    /// The value of a scalar that is not random.
    pub fn scalar_of(&mut self, expr: &'m Expr, names: &Names<'m>) -> Result<Number, Diagnostic> {
        self.restart();
        self.fixed(expr, &names.0)
    }

    /// The outcome of a condition; the flag is true if it is random.
    ///
    /// A value that is not a truth value is the probability of a trial, even if it was drawn.
    pub fn decision(
        &mut self,
        condition: &'m Expr,
        names: &Names<'m>,
        key: u64,
    ) -> Result<(Decision, bool), Diagnostic> {
        let (value, random) = self.draw(condition, names, key)?;
        let sides = random && (value.is_zero() || value.is_one());
        if sides || self.is_truth_value(condition, &names.0) {
            return Ok((Decision::Truth(!value.is_zero()), random));
        }
        let probability = self.probability(&value, condition.span)?;
        Ok((Decision::Trial(probability), random))
    }

    fn probability(&self, value: &Number, span: Span) -> Result<f64, Diagnostic> {
        let (low, high) = (value.order(&Number::zero()), value.order(&Number::one()));
        if low.is_ge() && high.is_le() {
            return Ok(value.to_f64());
        }
        let message = format!("the probability of a condition is {value}");
        Err(Diagnostic::error(message, span, "must be from 0 to 1")
            .hint("a comparison is a truth value: write `c > 0` for `c`"))
    }

    /// The outcome of the conditions of a `switch`; the flag is true if it is random.
    pub fn choice(
        &mut self,
        conditions: &[&'m Expr],
        span: Span,
        names: &Names<'m>,
        key: u64,
    ) -> Result<(Choice, bool), Diagnostic> {
        self.keyed(key);
        let scope = &names.0;
        let (choice, random) =
            self.drawing(|evaluator| evaluator.switch(conditions, span, scope))?;
        Ok(match choice {
            Ok(case) => (Choice::Case(case), random),
            Err(weights) => {
                let places = conditions.iter().map(|c| c.span);
                let weights: Result<Vec<f64>, Diagnostic> = weights
                    .iter()
                    .zip(places)
                    .map(|(w, place)| self.probability(w, place))
                    .collect();
                (Choice::Weights(weights?), random)
            }
        })
    }

    /// The resource that an expression denotes.
    pub fn element(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
    ) -> Result<Element<'m>, Diagnostic> {
        self.restart();
        let resource = self.resource(expr, &names.0)?;
        let Resource {
            array,
            index,
            multiplicity,
        } = resource;
        Ok(Element {
            array,
            index,
            multiplicity,
        })
    }

    /// The tasks of a graph with their predecessors; with their names if `named`.
    pub fn tasks_of(
        &mut self,
        graph: &'m Graph<Process>,
        span: Span,
        names: &Names<'m>,
        named: bool,
    ) -> Result<Tasks<'m>, Diagnostic> {
        self.restart();
        let instances = self.instances(graph, span, &names.0)?;
        let mut after = vec![Vec::new(); instances.tasks.len()];
        for (task, waits) in instances.before.iter().enumerate() {
            waits
                .iter()
                .for_each(|&u| after[u as usize].push(task as u32));
        }
        let tasks = instances.tasks;
        Ok(Tasks {
            names: if named {
                tasks.iter().map(|task| task.name()).collect()
            } else {
                Vec::new()
            },
            instances: tasks
                .into_iter()
                .map(|task| (task.number, Names(task.scope)))
                .collect(),
            before: instances.before,
            after,
        })
    }

    /// The process of a call, with the names that it sees.
    pub fn called(
        &mut self,
        name: &'m Name,
        arguments: &'m [Expr],
        names: &Names<'m>,
    ) -> Result<(&'m Process, Names<'m>), Diagnostic> {
        self.restart();
        let (process, scope) = self.callee(&name.text, arguments, name.span, &names.0)?;
        Ok((process, Names(scope)))
    }

    /// The predefined law of an expression without indices and arguments: its name and fixed
    /// arguments.
    ///
    /// Returns `None` for anything else.
    pub fn plain_law(&mut self, expr: &'m Expr) -> Option<(&'m str, Vec<Number>)> {
        let model = self.model;
        match &expr.kind {
            ExprKind::Name(name) => {
                let equation = model.lookup(name)?;
                let plain = equation.kind == Type::Numeric && equation.formals.is_empty();
                match &equation.value {
                    Some(Definition::Numeric(value)) if plain => {
                        super::with_stack(|| self.plain_law(value))
                    }
                    _ => None,
                }
            }
            ExprKind::Call(name, arguments) if model.callee(&name.text).is_none() => {
                if is_mixture(name, arguments) || self.samples(name, arguments).ok()?.is_some() {
                    return None;
                }
                self.restart();
                // Errors in the law are reported when it is drawn.
                let law = self
                    .predefined_law(name, arguments, expr.span, &None)
                    .ok()?;
                Some((name.text.as_str(), law.arguments))
            }
            _ => None,
        }
    }
}
