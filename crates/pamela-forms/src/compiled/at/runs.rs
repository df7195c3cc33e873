//! Runs processes at a point if no formula gives their time.

use super::*;
use crate::eval::Number;
use crate::real::Real;
use crate::ring::Rational;
use crate::simulate::{
    ExecutionTime, Options as Runs, Replications, Time, Watch, WithoutTime, execution_time,
    simulate,
};
use crate::timing::{Note, Proof, Standing};

/// The draws whose mean is the time of a random process.
const DRAWS: usize = 30;

/// The ends of delays and services that the runs of all processes may have together.
const MOST_EVENTS: u64 = 1_000_000;

impl PointEvaluation<'_> {
    /// Adds the time of a run for each process of which only bounds are known.
    ///
    /// `only` restricts the processes to these names; empty means all.
    pub(in crate::compiled) fn add_runs(
        &self,
        evaluated: &mut Evaluated,
        only: &[String],
    ) -> Result<()> {
        let equations = &self.compiled.simplified.equations;
        let known = |origin: &Origin| equations.iter().any(|e| e.origin == *origin);
        let mut left = MOST_EVENTS;
        for equation in equations {
            let Origin::Lower(process) = &equation.origin else {
                continue;
            };
            let origin = Origin::Execution(process.clone());
            let Some(name) = origin.process_equation().filter(|_| !known(&origin)) else {
                continue;
            };
            let model = self.definition()?;
            let name = crate::pipeline::unused_name(model, name);
            let is_wanted = if only.is_empty() {
                !equation.auxiliary
            } else {
                only.contains(&name)
            };
            if !is_wanted {
                continue;
            }
            let run = match run_of(model, process, &mut left, evaluated) {
                Ok(run) => run,
                Err(error) => {
                    // A process that cannot be run keeps its bounds.
                    if !only.is_empty() {
                        evaluated.failures.push(error.hint(HINT));
                        evaluated.without_value.push(name);
                    }
                    continue;
                }
            };
            let told = equation.formula.approximations();
            let by_bounds = told
                .contains(&Note::ByLowerBounds)
                .then_some(Note::ByLowerBounds);
            // If parts are bounds, runs of the model are not runs of the process.
            let standing = match by_bounds {
                Some(_) => Standing::Unknown,
                None => run.standing,
            };
            let own = EvaluatedEquation {
                name,
                origin,
                sort: Sort::Scalar,
                value: Value::Scalar(run.time),
                law: None,
                paths: None,
                method: match &run.note {
                    Some(Note::MeanOfBounds) => Method::Closed,
                    _ => Method::Run,
                },
                standing,
                superseded: false,
                standard_error: run.error,
                approximations: by_bounds.into_iter().chain(run.note).collect(),
            };
            let results = &evaluated.equations;
            let place = results
                .iter()
                .position(|e| e.origin.process() == Some(process));
            evaluated
                .equations
                .insert(place.unwrap_or(results.len()), own);
        }
        Ok(())
    }
}

/// Advice on how to make a run of any length.
const HINT: &str = "use `pamela simulate`";

/// Result of the runs of a process.
struct TimeOfRuns {
    time: Number,
    standing: Standing,
    note: Option<Note>,
    /// Standard error of a mean.
    error: Option<f64>,
}

/// The time of a process by running it, which takes from the events that are `left`.
///
/// # Errors
/// Fails with the reason why no time was found.
fn run_of(
    model: &model::Model,
    process: &str,
    left: &mut u64,
    evaluated: &mut Evaluated,
) -> Result<TimeOfRuns> {
    if let Some(mean) = mean_of_bounds(process, evaluated) {
        return Ok(mean);
    }
    let mut too_long = |left: &mut u64| {
        let reason = format!("a run of `{process}` has more than {left} events here");
        note_too_long(evaluated, process, *left);
        // Others still have a chance, and all of them an end.
        *left /= 2;
        Error::new(reason)
    };
    let run = match execution_time(model, process, &BTreeMap::new(), *left) {
        Ok(run) => run,
        Err(WithoutTime::Wrong(error)) => return Err(error),
        Err(WithoutTime::TooLong) => return Err(too_long(left)),
    };
    if run.is_random {
        let events = run.events.saturating_mul(2 * DRAWS as u64);
        if events > *left {
            return Err(too_long(left));
        }
        *left -= events;
        return mean_of_draws(model, process, *left);
    }
    *left = left.saturating_sub(run.events * run.orders as u64);
    let no_number = || Error::new(format!("a run of `{process}` has no time"));
    Ok(TimeOfRuns {
        time: number(&run.in_text_order).ok_or_else(no_number)?,
        standing: standing(&run),
        note: orders(&run),
        error: None,
    })
}

/// The mean of a random time whose two bounds are equal.
fn mean_of_bounds(process: &str, evaluated: &Evaluated) -> Option<TimeOfRuns> {
    let mean = |origin: Origin| {
        let mut equations = evaluated.equations.iter();
        let own = equations.find(|own| own.origin == origin)?;
        let is_mean = own
            .approximations
            .iter()
            .any(|note| matches!(note, Note::BoundOfMean | Note::WeighedMean));
        match &own.value {
            Value::Scalar(number) if is_mean => Some(number.clone()),
            _ => None,
        }
    };
    let least = mean(Origin::Lower(process.to_owned()))?;
    let most = mean(Origin::Upper(process.to_owned()))?;
    let apart = (most.to_f64() - least.to_f64()).abs();
    (apart <= 1e-12 * least.to_f64().abs()).then_some(TimeOfRuns {
        time: least,
        standing: Standing::exact(),
        note: Some(Note::MeanOfBounds),
        error: None,
    })
}

/// The mean of the times that a random process takes in some runs.
fn mean_of_draws(model: &model::Model, process: &str, max_events: u64) -> Result<TimeOfRuns> {
    let runs = Runs {
        process: Some(process.to_owned()),
        replications: Replications::Exactly(DRAWS),
        max_events,
        threads: Some(1),
        ..Runs::default()
    };
    let report = simulate(model, &runs, &Watch::default())?;
    let no_time = || Error::new(format!("runs of `{process}` did not end"));
    let drawn = report.processes.first().ok_or_else(no_time)?;
    let deviation = drawn.deviation.unwrap_or(0.0);
    let error = deviation / (drawn.replications.max(1) as f64).sqrt();
    let mean = Real::within(drawn.mean, drawn.mean.abs() * 1e-12).map_err(|_| no_time())?;
    Ok(TimeOfRuns {
        time: Number::Real(mean),
        standing: Standing::Drawn {
            draws: drawn.replications as u64,
        },
        note: Some(Note::MeanOfRuns(drawn.replications)),
        error: Some(error),
    })
}

/// Says at the time of a process why no run stands beside it.
fn note_too_long(evaluated: &mut Evaluated, process: &str, events: u64) {
    let mut times = evaluated.equations.iter_mut();
    let time = times.find(|e| matches!(&e.origin, Origin::Time(own) if own == process));
    if let Some(time) = time {
        time.approximations.push(Note::RunTooLong {
            process: process.to_owned(),
            events,
        });
    }
}

fn number(time: &Time) -> Option<Number> {
    match &time.exact {
        Some(exact) => Some(Number::Exact(Rational::from(exact.clone()))),
        None => Real::within(time.value, time.value.abs() * 1e-12)
            .ok()
            .map(Number::Real),
    }
}

fn standing(run: &ExecutionTime) -> Standing {
    match (run.is_contended, run.orders) {
        (false, _) => Standing::exact(),
        (true, 1) => Standing::Exact(Proof::in_text_order()),
        (true, orders) => Standing::Drawn {
            draws: orders as u64,
        },
    }
}

/// The note about other orders of simultaneous requests.
fn orders(run: &ExecutionTime) -> Option<Note> {
    let text = |time: &Time| number(time).map(|number| number.decimal_text());
    match run.orders {
        1 if run.is_contended => Some(Note::OtherOrdersNotTried { events: run.events }),
        1 => None,
        orders if run.least == run.greatest => Some(Note::SameInOrders(orders)),
        orders => Some(Note::RangeOfOrders {
            least: text(&run.least)?,
            greatest: text(&run.greatest)?,
            orders,
            in_text_order: text(&run.in_text_order)?,
        }),
    }
}
