//! The definitional evaluator: exact values by the definitions of the language, by looping.
//!
//! Every closed form is tested against this evaluator. It therefore shares no code with the algebra, and evaluates
//! processes themselves, not the equations that they are compiled to.

use std::collections::{BTreeMap, HashMap};

use super::chance::Chance;
use super::memory::{Calls, Duration};
use super::number::{Fault, Number};
use super::scope::Replaced;
use super::value::{Value, Vector};
use super::{BOUNDS, Model, PREFIXES, Sorts};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, Type};

/// Limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of visits of a node or an iteration, for one equation.
    pub steps: u64,
}

impl Default for Limits {
    /// Some ten seconds.
    fn default() -> Limits {
        Limits { steps: 20_000_000 }
    }
}

/// Evaluates the equations of a model at given values of its parameters.
///
/// A law stands for a distribution. It has no single value, but a
/// [`Distribution`](super::Distribution).
///
/// Errors are those of the model or of the values: a parameter without a value, a division by zero,
/// a law where a single value is required, too many steps. They point into the model's sources.
pub struct Evaluator<'m> {
    pub(super) model: &'m Model,
    pub(super) bindings: &'m BTreeMap<String, Value>,
    limits: Limits,
    pub(super) steps: u64,
    pub(super) numbers: HashMap<usize, Value>,
    pub(super) durations: HashMap<(usize, Duration), Number>,
    pub(super) demands: HashMap<usize, Vector>,
    /// Calls with arguments that were evaluated before.
    pub(super) calls: Calls,
    /// Replacements of names within an `at`.
    pub(super) replaced: Replaced<'m>,
    pub(super) sorts: Sorts<'m>,
    pub(super) chance: Chance,
    /// Number of uses of chance so far; results that use none are cached.
    pub(super) draws: u64,
    /// The first negative time of a `delay` or `use` that was met.
    pub(super) negative: Option<(Number, Span)>,
    /// References in graphs that named no task.
    pub(super) outside: u64,
    /// Ranges that had no index.
    pub(super) empty: u64,
}

pub(super) fn at<T>(result: Result<T, Fault>, span: Span) -> Result<T, Diagnostic> {
    result.map_err(|fault| Diagnostic::error(fault, span, "in the value of this"))
}

impl<'m> Evaluator<'m> {
    /// Creates an evaluator of `model` with values for its parameters by name.
    ///
    /// A given value replaces whatever the model says of the name. Other parameters take their
    /// defaults.
    pub fn new(
        model: &'m Model,
        bindings: &'m BTreeMap<String, Value>,
        limits: Limits,
    ) -> Evaluator<'m> {
        Evaluator {
            model,
            bindings,
            limits,
            steps: 0,
            numbers: HashMap::new(),
            durations: HashMap::new(),
            demands: HashMap::new(),
            calls: Calls::default(),
            replaced: None,
            sorts: Sorts::new(model),
            chance: Chance::None,
            draws: 0,
            negative: None,
            outside: 0,
            empty: 0,
        }
    }

    /// Evaluates a numeric equation without arguments, or a result such as `T_main`.
    pub fn equation(&mut self, name: &str) -> Result<Value, Diagnostic> {
        self.restart();
        self.value_of(name)
    }

    /// Number of steps of the last evaluation.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of empty ranges so far, in all evaluations.
    pub fn empty_ranges(&self) -> u64 {
        self.empty
    }

    /// Counts steps from 0.
    pub(super) fn restart(&mut self) {
        self.steps = 0;
    }

    /// Location of the definition of the equation `name`, or of the process of the result `name`.
    pub(super) fn place(&self, name: &str) -> Span {
        let processes = PREFIXES
            .iter()
            .chain(&BOUNDS)
            .filter_map(|prefix| name.strip_prefix(prefix));
        std::iter::once(name)
            .chain(processes)
            .find_map(|name| self.model.lookup(name))
            .map_or_else(Span::default, |equation| equation.name.span)
    }

    pub(super) fn value_of(&mut self, name: &str) -> Result<Value, Diagnostic> {
        if let Some(position) = self.model.position(name)
            && self.model.equations()[position].kind == Type::Numeric
        {
            return self.global(position, self.model.equations()[position].name.span);
        }
        for prefix in PREFIXES {
            let process = name
                .strip_prefix(prefix)
                .and_then(|p| self.position_of_process(p));
            if let Some(position) = process {
                return Ok(match prefix {
                    "T_" => self.duration_of(Duration::Time, position)?.into(),
                    "phi_" => self.duration_of(Duration::Path, position)?.into(),
                    "omega_" => self.demand_of(position)?.largest().into(),
                    _ => Value::Vector(self.demand_of(position)?),
                });
            }
        }
        for prefix in BOUNDS {
            // A name that the model has already is followed by underscores.
            let process = name.strip_prefix(prefix).and_then(|p| {
                self.position_of_process(p)
                    .or_else(|| self.position_of_process(p.trim_end_matches('_')))
            });
            if let Some(position) = process {
                return Ok(self.bound(prefix, position)?.into());
            }
        }
        Err(Diagnostic::error(
            format!("`{name}` is not a numeric equation"),
            Span::default(),
            "asked for",
        ))
    }

    /// A bound of the time of a process without arguments, by its prefix of [`BOUNDS`].
    fn bound(&mut self, prefix: &str, position: usize) -> Result<Number, Diagnostic> {
        match prefix {
            "time_" => {
                let process = self.process_at(position)?;
                return self.run_time(process, &None);
            }
            "L_" => return Ok(self.at_least(position)?.time),
            _ => {}
        }
        let most = self.at_most(position)?;
        match prefix {
            "U_" => Ok(most.fcfs),
            "U2_" => Ok(most.unordered),
            _ => most.by_work(self.model.equations()[position].name.span),
        }
    }

    pub(super) fn position_of_process(&self, name: &str) -> Option<usize> {
        let is_process = |&position: &usize| self.model.equations()[position].kind == Type::Process;
        self.model.position(name).filter(is_process)
    }

    /// Finds a negative time of a `delay` or `use` in the process, within the limit of steps.
    pub fn negative_time(&mut self, process: &str) -> Option<(Number, Span)> {
        self.restart();
        let position = self.position_of_process(process)?;
        // Even a process without a time may contain a negative time.
        let _ = self.duration_of(Duration::Path, position);
        self.negative.clone()
    }

    /// Evaluates an expression over the model's names and the bound ones.
    pub fn evaluate_expression(&mut self, expr: &'m Expr) -> Result<Value, Diagnostic> {
        self.steps = 0;
        self.expr(expr, &None)
    }

    pub(super) fn steps_left(&self) -> u64 {
        self.limits.steps.saturating_sub(self.steps)
    }

    pub(super) fn step(&mut self, span: Span, cost: u64) -> Result<(), Diagnostic> {
        self.steps = self.steps.saturating_add(cost);
        if self.steps <= self.limits.steps {
            return Ok(());
        }
        let message = format!("the evaluation takes more than {} steps", self.limits.steps);
        Err(Diagnostic::error(message, span, "stopped here")
            .hint("the definition is evaluated by looping: use smaller values, or allow more with `--effort high`"))
    }
}
