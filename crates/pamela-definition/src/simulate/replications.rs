//! Replications: their number, and their parallel execution.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::code::{Code, compile};
use super::machine::Halt;
use super::orders::{MOST_EVENTS_OF_ORDERS, ORDERS, drawn_orders, is_order_sensitive};
use super::report::{End, Report};
use super::run::{Run, run};
use super::statistics::summary;
use super::time::Clock;
use super::{Options, Replications, Watch};
use crate::diagnostic::{Diagnostic, Error, Result, Span};
use crate::model::{Evaluator, Limits, Model, Value, nearest, not_supported};
use crate::syntax::tree::{Equation, Type};

/// Default number of replications if something is random.
const DEFAULT: usize = 30;

/// Replications past which no error is too large.
const MOST: usize = 1 << 20;

/// If only the order of simultaneous requests is drawn, the default number of runs is limited to this many events in
/// all.
const EVENTS: u64 = 10_000_000;

/// Number of replications between two checks for errors.
const BATCH: usize = 1 << 10;

/// Simulates in this process; `measured` is a named process, with the number of its first executions that do not count.
pub(super) fn run_here<'m>(
    model: &'m Model,
    options: &Options,
    watch: &Watch,
    measured: Option<(&str, u64)>,
) -> Result<Report> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0));
    let pool = threads.build().map_err(|reason| {
        let message = format!("cannot start threads: {reason}");
        error_of(model, vec![Diagnostic::error(message, Span::default(), "")])
    })?;
    let drawn = drawn_orders(options);
    let more = |code: &Code<'m>, numbers: Range<usize>, clock: &Clock, in_orders: bool| {
        let options = if in_orders { &drawn } else { options };
        let all = || {
            let numbers = numbers.into_par_iter();
            let runs = numbers.map(|number| one(model, code, options, watch, number, clock));
            runs.collect::<std::result::Result<Vec<Run>, _>>()
        };
        pool.install(all)
            .map_err(|diagnostic| error_of(model, vec![*diagnostic]))
    };
    reported(model, options, watch, measured, more)
}

pub(super) fn error_of(model: &Model, diagnostics: Vec<Diagnostic>) -> Error {
    Error {
        diagnostics,
        sources: model.sources().clone(),
    }
}

/// The process that is run, of a model whose parameters have values that it allows.
pub(super) fn checked_process<'m>(model: &'m Model, options: &Options) -> Result<&'m Equation> {
    let wrong = wrong_values(model, &NO_BINDINGS).unwrap_or_else(|diagnostic| vec![diagnostic]);
    if !wrong.is_empty() {
        return Err(error_of(model, wrong));
    }
    let wrong = |diagnostic| error_of(model, vec![diagnostic]);
    let found = process(model, options.process.as_deref()).map_err(wrong)?;
    if model.open(&found.name.text).is_some() {
        let what = "an open process on several machines";
        return Err(wrong(not_supported(what, found.name.span)));
    }
    Ok(found)
}

/// Report of replications. `more` makes all but the first: it gets their numbers, their initial clock, and whether
/// they draw the order of simultaneous requests.
pub(super) fn reported<'m>(
    model: &'m Model,
    options: &Options,
    watch: &Watch,
    measured: Option<(&str, u64)>,
    more: impl FnMut(&Code<'m>, Range<usize>, &Clock, bool) -> Result<Vec<Run<'m>>>,
) -> Result<Report> {
    let process = checked_process(model, options)?;
    let mut code = compile(model, process, options.cycles);
    if let Some((request, skipped)) = measured {
        let place = code.processes.iter().position(|own| *own == request);
        code.measured = place.map(|place| (place as u32, skipped));
    }
    let (runs, end) = replicate(model, &code, options, watch, more)?;
    Ok(Report::new(model, &code, options, runs, end))
}

/// One replication.
pub(super) fn one<'m>(
    model: &'m Model,
    code: &Code<'m>,
    options: &Options,
    watch: &Watch,
    number: usize,
    clock: &Clock,
) -> std::result::Result<Run<'m>, Box<Diagnostic>> {
    let (bindings, number) = (&NO_BINDINGS, number as u64);
    let run = run(model, bindings, code, options, watch, number, clock.clone());
    watch.count();
    run
}

/// Values are given to a model, not beside it.
static NO_BINDINGS: BTreeMap<String, Value> = BTreeMap::new();

/// Parameters without a value, and facts that do not hold.
pub(super) fn wrong_values(
    model: &Model,
    bindings: &BTreeMap<String, Value>,
) -> std::result::Result<Vec<Diagnostic>, Diagnostic> {
    let is_missing = |p: &&Equation| {
        let name = &p.name.text;
        p.value.is_none() && !bindings.contains_key(name) && model.wait_by_runs(name).is_none()
    };
    let missing = model.parameters().filter(is_missing);
    let missing: Vec<Diagnostic> = missing
        .map(|parameter| {
            let name = &parameter.name;
            let message = format!("the parameter `{}` has no value", name.text);
            let diagnostic = Diagnostic::error(message, name.span, "declared here without a value");
            diagnostic.lacks(model.row_of_field(&name.text).unwrap_or(&name.text))
        })
        .collect();
    if !missing.is_empty() {
        return Ok(missing);
    }
    Evaluator::new(model, bindings, Limits::default()).broken_facts()
}

/// The process that is run.
pub(super) fn process<'m>(
    model: &'m Model,
    asked: Option<&str>,
) -> std::result::Result<&'m Equation, Diagnostic> {
    let plain = |e: &&Equation| e.kind == Type::Process && e.formals.is_empty();
    let found = match asked {
        Some(name) => model.lookup(name).filter(plain),
        None => model.main_process().map(|at| &model.equations()[at]),
    };
    found.ok_or_else(|| {
        let message = match asked {
            Some(name) => format!("`{name}` is not a process without arguments"),
            None => "the model has no process without arguments".to_string(),
        };
        let names = model.equations().iter().filter(plain);
        let names: Vec<&str> = names.map(|e| e.name.text.as_str()).collect();
        let own = asked.and_then(|name| model.lookup(name));
        let near = asked.and_then(|name| nearest(name, names.iter().copied()));
        let mut diagnostic = Diagnostic::error(message, Span::default(), "");
        diagnostic.labels = own
            .map(|own| (own.name.span, "declared here".to_string()))
            .into_iter()
            .collect();
        match (near, names.is_empty()) {
            (_, true) => diagnostic.hint("write `process main = ...`"),
            (Some(near), _) => diagnostic.hint(format!("did you mean `{near}`?")),
            (None, false) => diagnostic.hint(format!("there are {}", names.join(", "))),
        }
    })
}

/// The first alone, which tells whether anything is random, and by which clock.
fn replicate<'m>(
    model: &'m Model,
    code: &Code<'m>,
    options: &Options,
    watch: &Watch,
    mut more: impl FnMut(&Code<'m>, Range<usize>, &Clock, bool) -> Result<Vec<Run<'m>>>,
) -> Result<(Vec<Run<'m>>, End)> {
    watch.plan(1);
    let first = one(model, code, options, watch, 0, &Clock::default());
    let mut runs = vec![first.map_err(|diagnostic| error_of(model, vec![*diagnostic]))?];
    let clock = runs[0].clock.clone();
    let in_orders = is_order_sensitive(&runs[0], options);
    let mut wanted = match options.replications {
        Replications::Exactly(count) => count,
        _ if in_orders && runs[0].events > MOST_EVENTS_OF_ORDERS => 1,
        _ if in_orders => ORDERS,
        _ if runs[0].random => DEFAULT,
        _ if runs[0].is_drawn(options) => {
            let affordable = EVENTS / runs[0].events.max(1);
            DEFAULT.min(affordable.max(1) as usize)
        }
        _ => 1,
    };
    loop {
        watch.plan(wanted);
        while runs.len() < wanted && ended(&runs) == End::Complete {
            let numbers = runs.len()..wanted.min(runs.len() + BATCH);
            runs.extend(more(code, numbers, &clock, in_orders)?);
        }
        let end = ended(&runs);
        let Replications::UntilRelativeError(error) = options.replications else {
            return Ok((runs, end));
        };
        if end != End::Complete || is_within(error, &runs, options) {
            return Ok((runs, end));
        }
        if wanted >= MOST {
            return Ok((runs, End::Replications));
        }
        wanted *= 2;
    }
}

/// Reason why the replications ended.
fn ended(runs: &[Run<'_>]) -> End {
    let halts = runs.iter().filter_map(|run| run.halt.as_ref());
    halts.fold(End::Complete, |end, halt| match halt {
        Halt::Events if end == End::Complete => End::Events,
        Halt::Interrupted => End::Interrupted,
        _ => end,
    })
}

fn is_within(error: f64, runs: &[Run<'_>], options: &Options) -> bool {
    if runs.iter().all(|run| !run.is_drawn(options)) {
        return true;
    }
    let times: Vec<f64> = runs.iter().map(|run| run.time).collect();
    let summary = summary(&times, options.confidence);
    summary
        .interval
        .is_some_and(|[lower, upper]| (upper - lower) / 2.0 <= error * summary.mean.abs())
}
