//! Times of runs as formulas, family by family: beside runs by the definition and simulations in other orders.

mod families;

use std::time::Instant;

use num_rational::BigRational;

use super::report::{Report, Table, Unit};
use crate::diagnostic::Error;
use crate::eval;
use crate::gates::random::Random;
use crate::model::{Evaluator, Limits, Number, Value};
use crate::pipeline::{Model, Options};
use crate::ring::Rational;
use crate::simulate::{self, Arbitration, Replications, Watch, simulate};
use crate::timing::{Certificate, Origin};
pub use families::{FAMILIES, Family};
use pamela::compiled::Point;

/// Points at which one model is compared.
const POINTS: u64 = 10;
/// Orders that are drawn at each point.
const ORDERS: u64 = 10;

/// What was found of one family.
#[derive(Clone, Debug)]
pub struct Found {
    pub name: &'static str,
    /// Formulas, and the points at which they were compared.
    pub models: u64,
    pub points: u64,
    /// Models whose time has a closed form.
    pub closed: u64,
    /// Milliseconds of a closed form, in the mean and at most.
    pub mean: f64,
    pub slowest: f64,
    /// What is wrong, with its model.
    pub wrong: Vec<String>,
    /// Models without a formula.
    pub without: Vec<String>,
}

/// Compares so many models of a family.
///
/// # Errors
/// A model that cannot be read.
pub fn compared(family: &Family, models: u64) -> Result<Found, Error> {
    let mut found = Found {
        name: family.name,
        models,
        points: 0,
        closed: 0,
        mean: 0.0,
        slowest: 0.0,
        wrong: Vec::new(),
        without: Vec::new(),
    };
    for seed in 0..models {
        let text = family.model(seed);
        let model = Model::parse(&text)?;
        let options = Options {
            times: true,
            only: vec!["time_main".to_string()],
            ..Options::default()
        };
        let start = Instant::now();
        let Ok(compiled) = model.compile(&options) else {
            found.without.push(text);
            continue;
        };
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        found.mean += milliseconds / models as f64;
        found.slowest = found.slowest.max(milliseconds);
        let own = Origin::Execution("main".to_string());
        let Some(time) = compiled.equations().iter().find(|e| e.origin == own) else {
            found.without.push(text);
            continue;
        };
        let certificate = time.evidence.as_ref().map(|e| e.certificate);
        let in_order = certificate == Some(Certificate::ExactInTextOrder);
        if in_order && !family.ordered {
            found
                .wrong
                .push(format!("rests on the order of the text\n{text}"));
        }
        found.closed += u64::from(time.formula.open_reductions() == 0);
        for point in 0..POINTS {
            let mut random = Random::new(seed * POINTS + point, "point");
            let values = families::values(&mut random);
            let mut at = Point::default();
            for (name, value) in &values {
                at = at.with(name, value.clone());
            }
            let evaluated = compiled.at(&at)?;
            let formula = evaluated.equations.iter().find(|e| e.origin == own);
            let Some(eval::Value::Scalar(formula)) = formula.map(|e| &e.value) else {
                found
                    .wrong
                    .push(format!("has no value at {values:?}\n{text}"));
                continue;
            };
            let formula = formula
                .as_exact()
                .map(ToString::to_string)
                .unwrap_or_default();
            for (order, run) in runs(&model, &values, in_order)? {
                if run != formula {
                    let place = format!("at {values:?} {order}");
                    found
                        .wrong
                        .push(format!("is {formula}, {run} {place}\n{text}"));
                }
            }
            found.points += 1;
        }
    }
    Ok(found)
}

/// The time by the definition, and by simulations in the order of the text and in drawn ones, as fractions.
fn runs(
    model: &Model,
    values: &[(&str, Rational)],
    in_order: bool,
) -> Result<Vec<(String, String)>, Error> {
    let mut model = model.clone();
    for (name, value) in values {
        model.define(name, &value.to_string())?;
    }
    let none = Default::default();
    let mut evaluator = Evaluator::new(model.checked(), &none, Limits::default());
    let defined = match evaluator.equation("time_main") {
        Ok(Value::Scalar(Number::Exact(value))) => value.into_big(),
        other => return Err(Error::new(format!("the definition says {other:?}"))),
    };
    let mut all = vec![("by definition".to_string(), defined.to_string())];
    let orders = if in_order { 0 } else { ORDERS };
    for seed in 0..=orders {
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
        let time = report
            .processes
            .first()
            .and_then(|main| main.fraction.clone());
        let time = time.and_then(|text| text.parse::<BigRational>().ok());
        let time = time.map_or_else(|| "no fraction".to_string(), |time| time.to_string());
        all.push((format!("in order {seed}"), time));
    }
    Ok(all)
}

/// Compares so many models of each family.
///
/// # Errors
/// A formula that is not what a run takes, with its model.
pub fn times(models: u64) -> Result<Report, Error> {
    let columns = [
        "models",
        "points",
        "with a time in %",
        "closed in %",
        "mean ms",
        "slowest ms",
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
            return Err(Error::new(format!("{}: time_main {wrong}", family.name)));
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
        ];
        table.add(family.name, "", Unit::Value, values);
    }
    let notes = [
        format!(
            "{POINTS} points a model; each time beside a run by the definition, a simulation in the order of the text"
        ),
        format!(
            "and {ORDERS} in drawn orders, exactly (the last three families: the order of the text alone)"
        ),
    ];
    Ok(Report {
        title: "Times of runs as formulas, beside runs of random models".to_string(),
        notes: notes.into_iter().chain(without).collect(),
        tables: vec![table],
    })
}
