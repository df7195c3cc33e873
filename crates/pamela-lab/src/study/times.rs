//! Times of runs as formulas, family by family: compared with runs by the definition and with simulations in other
//! orders.

mod families;

use std::time::Instant;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::report::{Report, Table, Unit};
use crate::diagnostic::Error;
use crate::eval;
use crate::gates::random::Random;
use crate::model::{Evaluator, Limits, Number, Value};
use crate::pipeline::{Model, Options};
use crate::ring::Rational;
use crate::simulate::{self, Arbitration, Replications, Watch, simulate};
use crate::timing::{Order, Origin};
pub use families::{FAMILIES, Family};
use pamela::compiled::{Compiled, Point};

/// Points at which one model is compared.
const POINTS: u64 = 10;
/// Orders that are drawn at each point.
const ORDERS: u64 = 10;
/// The first runs of a point keep the order of the text.
const IN_TEXT_ORDER: usize = 2;

/// Parameters with their values.
type Values = [(&'static str, Rational)];

/// Findings about one family.
#[derive(Clone, Debug, Default)]
pub struct FamilySummary {
    /// Formulas, and the points at which they were compared.
    pub models: u64,
    pub points: u64,
    /// Models whose time has a closed form.
    pub closed: u64,
    /// Milliseconds for a closed form: mean and maximum.
    pub mean: f64,
    pub slowest: f64,
    /// Points at which bounds were compared with nonzero times of runs.
    pub enclosed: u64,
    /// Sums of ratios over these points: lower bound to shortest run, and upper bound to longest run.
    pub lower: f64,
    pub upper: f64,
    /// Errors with their models.
    pub wrong: Vec<String>,
    /// Models without a formula.
    pub without: Vec<String>,
}

/// Compares this many models of a family.
///
/// # Errors
/// Fails for a model that cannot be parsed.
pub fn compared(family: &Family, models: u64) -> Result<FamilySummary, Error> {
    let mut found = FamilySummary {
        models,
        ..FamilySummary::default()
    };
    for seed in 0..models {
        let text = family.model(seed);
        let model = Model::parse(&text)?;
        let time = time_of(&model, &text, family, &mut found);
        let options = Options {
            bounds: true,
            only: vec!["L_main".to_string(), "U_main".to_string()],
            ..Options::default()
        };
        let bounds = model.compile(&options)?;
        for point in 0..POINTS {
            let mut random = Random::new(seed * POINTS + point, "point");
            let values = families::values(&mut random);
            let runs = runs(&model, &values)?;
            let mut failures = Vec::new();
            if let Some((compiled, order)) = &time {
                failures.extend(wrong_time(compiled, *order, &values, &runs)?);
                found.points += 1;
            }
            failures.extend(wrong_bounds(&bounds, &values, &runs, &mut found)?);
            let place = format!("at {values:?}\n{text}");
            found
                .wrong
                .extend(failures.iter().map(|failure| format!("{failure} {place}")));
        }
    }
    Ok(found)
}

/// The time of `main` as a formula, where there is one.
fn time_of(
    model: &Model,
    text: &str,
    family: &Family,
    found: &mut FamilySummary,
) -> Option<(Compiled, Order)> {
    let options = Options {
        times: true,
        only: vec!["time_main".to_string()],
        ..Options::default()
    };
    let start = Instant::now();
    let compiled = model.compile(&options).ok();
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let own = Origin::Execution("main".to_string());
    let time = compiled
        .as_ref()
        .and_then(|compiled| compiled.equations().iter().find(|e| e.origin == own));
    let Some(order) = time
        .and_then(|e| e.standing.proof())
        .map(|proof| proof.order)
    else {
        found.without.push(text.to_string());
        return None;
    };
    found.mean += milliseconds / found.models as f64;
    found.slowest = found.slowest.max(milliseconds);
    let open = time.map(|time| time.formula.open_reductions());
    found.closed += u64::from(open == Some(0));
    if order == Order::Text && !family.ordered {
        let wrong = format!("time_main depends on the order of the text\n{text}");
        found.wrong.push(wrong);
    }
    Some((compiled?, order))
}

/// The value of an equation at a point, as a fraction.
fn value(compiled: &Compiled, origin: &Origin, at: &Values) -> Result<Option<BigRational>, Error> {
    let mut point = Point::default();
    for (name, value) in at {
        point = point.with(name, value.clone());
    }
    let evaluated = compiled.at(&point)?;
    let equation = evaluated.equations.iter().find(|e| e.origin == *origin);
    Ok(match equation.map(|e| &e.value) {
        Some(eval::Value::Scalar(value)) => value
            .as_exact()
            .and_then(|value| value.to_string().parse().ok()),
        _ => None,
    })
}

/// Runs that take another time than the formula.
fn wrong_time(
    compiled: &Compiled,
    order: Order,
    at: &Values,
    runs: &[(String, BigRational)],
) -> Result<Vec<String>, Error> {
    let Some(time) = value(compiled, &Origin::Execution("main".to_string()), at)? else {
        return Ok(vec!["time_main has no value".to_string()]);
    };
    let any_order = order == Order::Any;
    let wrong = runs.iter().enumerate();
    let wrong = wrong.filter(|(k, (_, run))| (any_order || *k < IN_TEXT_ORDER) && *run != time);
    Ok(wrong
        .map(|(_, (how, run))| format!("time_main is {time}, {run} {how}"))
        .collect())
}

/// Runs that are not between the bounds.
fn wrong_bounds(
    bounds: &Compiled,
    at: &Values,
    runs: &[(String, BigRational)],
    found: &mut FamilySummary,
) -> Result<Vec<String>, Error> {
    let main = || "main".to_string();
    let lower = value(bounds, &Origin::Lower(main()), at)?;
    let upper = value(bounds, &Origin::Upper(main()), at)?;
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return Ok(vec!["a bound has no value".to_string()]);
    };
    let times = || runs.iter().map(|(_, run)| run);
    if let (Some(shortest), Some(longest)) = (times().min(), times().max())
        && !shortest.is_zero()
    {
        let ratio = |bound: &BigRational, run: &BigRational| (bound / run).to_f64().unwrap_or(0.0);
        found.enclosed += 1;
        found.lower += ratio(&lower, shortest);
        found.upper += ratio(&upper, longest);
    }
    let outside = runs.iter().filter(|(_, run)| *run < lower || *run > upper);
    Ok(outside
        .map(|(order, run)| format!("{run} {order} is not between {lower} and {upper}"))
        .collect())
}

/// The time by the definition, and by simulations in the order of the text and in drawn ones.
fn runs(model: &Model, at: &Values) -> Result<Vec<(String, BigRational)>, Error> {
    let mut model = model.clone();
    for (name, value) in at {
        model.define(name, &value.to_string())?;
    }
    let none = Default::default();
    let mut evaluator = Evaluator::new(model.checked(), &none, Limits::default());
    let defined = match evaluator.equation("time_main") {
        Ok(Value::Scalar(Number::Exact(value))) => value.into_big(),
        other => return Err(Error::new(format!("the definition says {other:?}"))),
    };
    let mut all = vec![("by definition".to_string(), defined)];
    for seed in 0..=ORDERS {
        let arbitration = match seed {
            0 => Arbitration::Source,
            _ => Arbitration::Seeded,
        };
        let options = simulate::Options {
            arbitration,
            seed,
            replications: Replications::Exactly(1),
            threads: Some(1),
            ..simulate::Options::default()
        };
        let report = simulate(model.checked(), &options, &Watch::default())?;
        let main = report.processes.first();
        let time = main.and_then(|main| main.fraction.clone());
        let time = time.and_then(|text| text.parse::<BigRational>().ok());
        let time =
            time.ok_or_else(|| Error::new("a simulated time is not a fraction".to_string()))?;
        all.push((format!("in order {seed}"), time));
    }
    Ok(all)
}

/// Compares this many models of each family.
///
/// # Errors
/// Fails if a formula differs from the time of a run; the error has the model.
pub fn times(models: u64) -> Result<Report, Error> {
    let columns = [
        "models",
        "points",
        "with a time in %",
        "closed in %",
        "mean ms",
        "slowest ms",
        "L by the run",
        "U by the run",
    ];
    let mut table = Table::new("times of runs", "family", &columns);
    let mut without = Vec::new();
    for family in &FAMILIES {
        let found = compared(family, models)?;
        without.extend(found.without.first().map(|text| {
            let process = text.lines().last().unwrap_or_default();
            format!("{}: no time of {process}", family.name)
        }));
        if let Some(wrong) = found.wrong.first() {
            return Err(Error::new(format!("{}: {wrong}", family.name)));
        }
        let share = |count: u64| Some(100.0 * count as f64 / models.max(1) as f64);
        let with = models - found.without.len() as u64;
        let values = vec![
            Some(models as f64),
            Some(found.points as f64),
            share(with),
            share(found.closed),
            Some(found.mean),
            Some(found.slowest),
            Some(found.lower / found.enclosed.max(1) as f64),
            Some(found.upper / found.enclosed.max(1) as f64),
        ];
        table.add(family.name, "", Unit::Value, values);
    }
    let notes = [
        format!(
            "{POINTS} points a model; times and bounds beside a run by the definition, a simulation in the order of the text"
        ),
        format!(
            "and {ORDERS} in drawn orders, exactly; times that depend on the order of the text: beside the first two alone"
        ),
    ];
    Ok(Report {
        title: "Exact formulas of run times, checked against runs of random models".to_string(),
        notes: notes.into_iter().chain(without).collect(),
        tables: vec![table],
        drawings: Vec::new(),
    })
}
