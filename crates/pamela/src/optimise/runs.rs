//! Finds the point at which a run is best.
//!
//! If the time has no formula, points are run in the order of a bound, until no remaining point can
//! be better.

use super::{MOST_POINTS, Place, Question, best_point, equation};
use crate::compiled::Compiled;
use crate::diagnostic::Result;
use crate::sweep::{Best, Sweep, Watch, run_at};
use crate::timing::{Order, Origin, Standing};

/// No more points are run, and runs have no more events together.
const MOST_RUNS: usize = 4096;
const MOST_EVENTS: u64 = 4_000_000;

/// The point at which a run of a process is best.
#[derive(Clone, Debug)]
pub struct BestRun {
    /// Name of the equation, such as `time_main`.
    pub name: String,
    /// The point.
    pub at: Place,
    /// The time of a run that serves simultaneous requests in the order of the text.
    pub value: f64,
    /// Least and greatest time at the point, over other orders of simultaneous requests.
    pub orders: [f64; 2],
    /// How the value relates to the time of a run.
    pub standing: Standing,
    /// Number of runs; 0 if the time has a formula.
    pub runs: usize,
    /// No point that was not run is better than this; `None` if no such point can be better.
    pub rest: Option<f64>,
}

/// Finds the best run; `None` if the process has no usable bound or cannot be run.
///
/// # Errors
/// Fails if a compiled file contains a model that cannot be read.
pub fn best_run(
    compiled: &Compiled,
    question: &Question,
    process: &str,
) -> Result<Option<BestRun>> {
    if question.grid.len() > MOST_POINTS || question.is_continuous() {
        return Ok(None);
    }
    let Ok(times) = compiled.times_of(process) else {
        return Ok(None);
    };
    let exact = Origin::Execution(process.to_owned());
    let bound = if question.greatest {
        Origin::Upper(process.to_owned())
    } else {
        Origin::Lower(process.to_owned())
    };
    let of = |origin: &Origin| times.equations().iter().find(|e| e.origin == *origin);
    let exact = of(&exact).and_then(|e| Some((e, e.standing.proof()?)));
    match (exact, of(&bound)) {
        (Some((time, proof)), _) => {
            let asked = Question {
                objective: time.name.clone(),
                ..question.clone()
            };
            let best = best_point(&times, &asked, &Watch::default()).ok().flatten();
            Ok(best.map(|(at, best)| {
                let mut left = MOST_EVENTS;
                let run = match proof.order {
                    Order::Any => None,
                    Order::Text => run_at(&times, &question.grid, process, best.point, &mut left),
                };
                BestRun {
                    name: time.name.clone(),
                    at,
                    value: best.value,
                    orders: run.map_or([best.value; 2], |(_, [_, least, most])| [least, most]),
                    standing: Standing::Exact(proof.clone()),
                    runs: 0,
                    rest: None,
                }
            }))
        }
        (None, Some(bound)) => by_bound(&times, question, process, &bound.name),
        (None, None) => Ok(None),
    }
}

fn by_bound(
    times: &Compiled,
    question: &Question,
    process: &str,
    bound: &str,
) -> Result<Option<BestRun>> {
    let plan = times.plan(&[])?;
    let Ok(sweep) = Sweep::new(
        plan,
        question.grid.clone(),
        &question.subject_to,
        question.threads,
    ) else {
        return Ok(None);
    };
    let best_runs = Best::new(MOST_RUNS + 1, !question.greatest);
    let range = (0, sweep.grid.len());
    let points = sweep.best_points(range, bound, best_runs, &Watch::default())?;
    let mut left = MOST_EVENTS;
    let mut best: Option<BestRun> = None;
    for (number, &(value, point)) in points.iter().enumerate() {
        let decided = best.as_ref().is_some_and(|best| {
            if question.greatest {
                value <= best.value
            } else {
                value >= best.value
            }
        });
        if decided {
            break;
        }
        let run = (number < MOST_RUNS && left > 0)
            .then(|| run_at(times, &question.grid, process, point, &mut left));
        let Some(Some((at, run))) = run else {
            // The points that are left, and those before that could not be run, are no better than the bound.
            return Ok(best.map(|best| BestRun {
                rest: Some(value),
                ..best
            }));
        };
        let runs = number + 1;
        let better = best.as_ref().is_none_or(|best| {
            if question.greatest {
                run[0] > best.value
            } else {
                run[0] < best.value
            }
        });
        best = Some(match best {
            Some(best) if !better => BestRun { runs, ..best },
            _ => BestRun {
                name: format!("time_{process}"),
                at,
                value: run[0],
                orders: [run[1], run[2]],
                standing: Standing::Drawn { draws: 1 },
                runs,
                rest: None,
            },
        });
    }
    Ok(best)
}

/// The process whose run time an objective names, if no equation has that name.
pub fn process_of(compiled: &Compiled, objective: &str) -> Option<String> {
    let process = objective.strip_prefix("time_")?;
    let time = Origin::Time(process.to_owned());
    let has_time = compiled.equations().iter().any(|e| e.origin == time);
    (equation(compiled, objective).is_none() && has_time).then(|| process.to_owned())
}
