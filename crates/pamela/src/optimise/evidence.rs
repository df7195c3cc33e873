//! Evidence from other bounds and from runs, for an optimum of a bound.

use super::runs::{BestRun, best_run};
use super::{MOST_POINTS, Optimum, Place, Question, best_point, equation};
use crate::compiled::{Compiled, decimal};
use crate::diagnostic::Result;
use crate::simulate::{Basis, End, Options, Watch, simulate};
use crate::sweep;
use crate::timing::Origin;

/// Longer runs are left to those who ask for them.
const MOST_EVENTS: u64 = 20_000;

/// Evidence about the time of the process whose bound was optimised.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The best points of the other bounds.
    pub bounds: Vec<Best>,
    /// The point at which a run is best.
    pub best_run: Option<BestRun>,
    /// Runs at the optimum, then beside it, at the ends of the range, and at the best points of
    /// other bounds.
    pub runs: Vec<Run>,
    /// True if a run was omitted because it is too long.
    pub is_cut: bool,
}

/// The best point of an equation.
#[derive(Clone, Debug)]
pub struct Best {
    /// Name of the equation, such as `L_main`.
    pub name: String,
    /// The first point with the best value.
    pub at: Place,
    /// The least or the greatest value, as requested.
    pub value: f64,
}

/// A simulated run of a process at a point.
#[derive(Clone, Debug)]
pub struct Run {
    /// The point of the run.
    pub at: Place,
    /// Mean of the replications.
    pub mean: f64,
    /// A confidence interval of the mean, or the least and the greatest time over several orders of
    /// requests.
    pub interval: Option<[f64; 2]>,
    /// The kind of evidence for the mean.
    pub basis: Basis,
    /// Number of runs.
    pub replications: usize,
}

/// Collects evidence for an optimum; `None` if it does not optimise a bound of a time.
///
/// A bound without closed form and a point without a run are not errors.
///
/// # Errors
/// Fails if a compiled file contains a model that cannot be read.
pub fn evidence(
    compiled: &Compiled,
    question: &Question,
    optimum: &Optimum,
) -> Result<Option<Evidence>> {
    let objective = equation(compiled, &question.objective);
    let Some(objective) = objective.filter(|objective| !objective.standing.is_exact()) else {
        return Ok(None);
    };
    let (Origin::Time(process) | Origin::Lower(process) | Origin::Upper(process)) =
        &objective.origin
    else {
        return Ok(None);
    };
    if question.is_continuous() {
        return Ok(None);
    }
    let bounds = if question.grid.len() <= MOST_POINTS {
        bounds(compiled, question, process)
    } else {
        Vec::new()
    };
    let mut places = vec![optimum.at.clone()];
    if question.subject_to.is_empty() {
        places.extend(beside(question, optimum));
    }
    places.extend(bounds.iter().map(|best| best.at.clone()));
    let best_run = best_run(compiled, question, process)?;
    places.extend(best_run.iter().map(|best| best.at.clone()));
    let mut found = Evidence {
        bounds,
        best_run,
        runs: Vec::new(),
        is_cut: false,
    };
    for (position, place) in places.iter().enumerate() {
        if places[..position].contains(place) {
            continue;
        }
        match run(compiled, question, process, place)? {
            Simulated::Run(run) => found.runs.push(run),
            Simulated::TooLong => found.is_cut = true,
            Simulated::Nowhere => {}
        }
    }
    Ok(Some(found))
}

/// The best points of `L` and `U`, where they have closed forms.
fn bounds(compiled: &Compiled, question: &Question, process: &str) -> Vec<Best> {
    // Conditions may be about other equations.
    let others: Vec<String> = if question.subject_to.is_empty() {
        Vec::new()
    } else {
        compiled
            .equations()
            .iter()
            .filter(|e| !e.auxiliary && !e.origin.is_bound())
            .map(|e| e.name.clone())
            .collect()
    };
    let Ok(bounds) = compiled.bounds_of(process, &others) else {
        return Vec::new();
    };
    let of = |origin: Origin| {
        let own = bounds.equations().iter().find(|e| e.origin == origin)?;
        let asked = Question {
            objective: own.name.clone(),
            ..question.clone()
        };
        let (at, best) = best_point(&bounds, &asked, &sweep::Watch::default()).ok()??;
        let name = asked.objective;
        (name != question.objective).then_some(Best {
            name,
            at,
            value: best.value,
        })
    };
    let process = process.to_owned();
    let both = [Origin::Lower(process.clone()), Origin::Upper(process)];
    both.into_iter().filter_map(of).collect()
}

/// For a search over one parameter: the neighbours of the optimum and the ends of the range.
fn beside(question: &Question, optimum: &Optimum) -> Vec<Place> {
    let [axis] = question.grid.axes.as_slice() else {
        return Vec::new();
    };
    let ([name], [values]) = (axis.names.as_slice(), axis.values.as_slice()) else {
        return Vec::new();
    };
    let ends = [0, values.len() - 1].map(|place| values.doubles(place, 1)[0]);
    let neighbours = optimum.neighbours.iter().map(|beside| beside.place);
    let places = neighbours.chain(ends);
    places.map(|place| vec![(name.clone(), place)]).collect()
}

enum Simulated {
    Run(Run),
    TooLong,
    /// The process cannot run there.
    Nowhere,
}

fn run(
    compiled: &Compiled,
    question: &Question,
    process: &str,
    place: &Place,
) -> Result<Simulated> {
    let mut model = compiled.model()?.clone();
    let given = question.grid.constants.iter();
    let mut given: Vec<_> = given.map(|(n, v)| (n, Some(v.clone()))).collect();
    given.extend(place.iter().map(|(name, value)| (name, decimal(*value))));
    for (name, value) in given {
        let defined = value.is_some_and(|value| model.define_number(name, &value).is_ok());
        if !defined {
            return Ok(Simulated::Nowhere);
        }
    }
    let options = Options {
        process: Some(process.to_owned()),
        max_events: MOST_EVENTS,
        threads: Some(question.threads).filter(|&threads| threads > 0),
        ..Options::default()
    };
    let Ok(report) = simulate(model.checked(), &options, &Watch::default()) else {
        return Ok(Simulated::Nowhere);
    };
    let main = report.processes.into_iter().next();
    Ok(match (report.end, main) {
        (End::Complete, Some(main)) => Simulated::Run(Run {
            at: place.clone(),
            mean: main.mean,
            interval: main.interval,
            basis: main.basis,
            replications: main.replications,
        }),
        _ => Simulated::TooLong,
    })
}
