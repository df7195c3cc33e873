//! Random models with contention: distances of the bounds from simulated times.

mod generator;

use std::sync::atomic::{AtomicU64, Ordering};

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use serde::Serialize;

use super::report::{Report, Table, Unit};
use crate::diagnostic::Error;
use crate::model::{Evaluator, Limits, Number, Value};
use crate::pipeline::Model;
use crate::simulate::{Arbitration, Options, Replications, Watch, simulate};
pub use generator::{Generated, generated, generated_with_holding};

/// The compared bounds: equations of the process `main`.
pub const BOUNDS: [&str; 5] = ["T_main", "L_main", "U_main", "U2_main", "U1_main"];

/// Orders of simultaneous requests, with a seed for random ones.
const ARBITRATIONS: [(Arbitration, u64); 3] = [
    (Arbitration::Source, 1),
    (Arbitration::Seeded, 1),
    (Arbitration::Seeded, 2),
];

/// The steps that a definition may take.
const STEPS: u64 = 2_000_000;
/// The events that a simulation may have.
const EVENTS: u64 = 200_000;

/// Comparison for one model.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    pub seed: u64,
    /// The time without waiting.
    pub phi: f64,
    /// The largest demand.
    pub omega: f64,
    /// The bounds, in the order of [`BOUNDS`].
    pub bounds: [f64; 5],
    /// Simulated times, for each order of requests.
    pub simulated: Vec<f64>,
    /// For each order, the violated bounds.
    pub violations: Vec<String>,
}

impl Compared {
    /// True if anybody has waited.
    fn is_contended(&self) -> bool {
        self.simulated.iter().any(|&time| time > self.phi)
    }
}

/// Compares the bounds of the model of this seed with simulations, exactly. `None` for a model that is too large.
///
/// # Errors
/// Fails if the model is invalid, which is a defect of the generator.
pub fn compared(seed: u64) -> Result<Option<Compared>, Error> {
    compared_in(seed, &generated(seed))
}

/// Like [`compared`], for a given model.
///
/// # Errors
/// Fails if the model is invalid.
pub fn compared_in(seed: u64, generated: &Generated) -> Result<Option<Compared>, Error> {
    let Generated { text, values } = generated;
    let mut model = Model::parse(text)?;
    for (name, value) in values {
        model.define(name, value)?;
    }
    let none = Default::default();
    let mut evaluator = Evaluator::new(model.checked(), &none, Limits { steps: STEPS });
    let mut value = |name: &str| match evaluator.equation(name) {
        Ok(Value::Scalar(Number::Exact(value))) => Some(value.into_big()),
        _ => None,
    };
    let Some(bounds) = BOUNDS
        .iter()
        .map(|name| value(name))
        .collect::<Option<Vec<_>>>()
    else {
        return Ok(None);
    };
    let (Some(phi), Some(omega)) = (value("phi_main"), value("omega_main")) else {
        return Ok(None);
    };
    let (mut simulated, mut violations) = (Vec::new(), Vec::new());
    for (arbitration, order) in ARBITRATIONS {
        let options = Options {
            arbitration,
            seed: order,
            replications: Replications::Exactly(1),
            max_events: EVENTS,
            threads: Some(1),
            ..Options::default()
        };
        let report = simulate(model.checked(), &options, &Watch::default())?;
        let exact = report
            .processes
            .first()
            .and_then(|main| main.fraction.as_ref());
        let Some(time) = exact.and_then(|text| text.parse::<BigRational>().ok()) else {
            return Ok(None);
        };
        for (name, bound) in BOUNDS.iter().zip(&bounds) {
            let holds = if name.starts_with('U') {
                time <= *bound
            } else {
                *bound <= time
            };
            if !holds {
                violations.push(format!(
                    "{name} is {bound}, simulated {time} ({arbitration:?})"
                ));
            }
        }
        simulated.push(double(&time));
    }
    let bounds: Vec<f64> = bounds.iter().map(double).collect();
    Ok(<[f64; 5]>::try_from(bounds).ok().map(|bounds| Compared {
        seed,
        phi: double(&phi),
        omega: double(&omega),
        bounds,
        simulated,
        violations,
    }))
}

fn double(value: &BigRational) -> f64 {
    if value.is_zero() {
        0.0
    } else {
        value.to_f64().unwrap_or(f64::NAN)
    }
}

/// Compares this many models.
///
/// # Errors
/// Fails if a bound is violated; the error has the model.
pub fn contention(models: u64) -> Result<Report, Error> {
    let all = each(models)?;
    if let Some(wrong) = all.iter().find(|one| !one.violations.is_empty()) {
        let text = generated(wrong.seed).text;
        let what = wrong.violations.join("; ");
        return Err(Error::new(format!(
            "a bound does not hold, of model {}: {what}\n{text}",
            wrong.seed
        )));
    }
    let contended: Vec<&Compared> = all.iter().filter(|one| one.is_contended()).collect();
    let closed = all
        .iter()
        .filter(|one| one.bounds[1] == one.bounds[2])
        .count();
    let notes = [
        format!(
            "{} models, each simulated in {} orders of simultaneous requests; in {} of them there is queueing",
            all.len(),
            ARBITRATIONS.len(),
            contended.len()
        ),
        "L and T are never above, U, U2 and U1 never below the simulated time, exactly".to_string(),
        format!(
            "L and U are equal in {:.0} % of all models",
            100.0 * closed as f64 / all.len().max(1) as f64
        ),
        "ratios: to the simulated time, if there is queueing; exact: the share of ratios that are 1".to_string(),
        "estimates: the mean of the relative error in %".to_string(),
    ];
    let mut tables = Vec::new();
    for (title, odd) in [
        ("without or-parallel sections", 0),
        ("with or-parallel sections", 1),
    ] {
        let of = contended.iter().filter(|one| one.seed % 2 == odd);
        let points = of.flat_map(|one| one.simulated.iter().map(move |&time| (*one, time)));
        let points: Vec<(&Compared, f64)> = points.filter(|(_, time)| *time > 0.0).collect();
        tables.push(ratios(title, &points));
        tables.push(errors(title, &points));
    }
    Ok(Report {
        title: "Bounds of times with contention and simulations of random models".to_string(),
        notes: notes.to_vec(),
        tables,
        drawings: Vec::new(),
    })
}

/// The models of the first seeds, side by side.
fn each(models: u64) -> Result<Vec<Compared>, Error> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= models {
                return Ok(found);
            }
            found.extend(compared(seed)?);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Result<Vec<Vec<Compared>>, Error> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = running.into_iter().map(|thread| thread.join());
        ended
            .map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut all: Vec<Compared> = found?.into_iter().flatten().collect();
    all.sort_by_key(|one| one.seed);
    Ok(all)
}

type Point<'c> = (&'c Compared, f64);

/// Reads a bound of a model that was compared with its simulated time.
type BoundOf = fn(&Compared) -> f64;

fn ratios(models: &str, points: &[Point<'_>]) -> Table {
    let columns = [
        "mean",
        "5 %",
        "50 %",
        "95 %",
        "99 %",
        "extreme",
        "exact in %",
    ];
    let mut table = Table::new(
        format!("{models}: ratio to the simulated time"),
        "bound",
        &columns,
    );
    let bounds: [(&str, bool, BoundOf); 6] = [
        ("max(phi, omega)", false, |c| c.phi.max(c.omega)),
        ("T", false, |c| c.bounds[0]),
        ("L", false, |c| c.bounds[1]),
        ("U", true, |c| c.bounds[2]),
        ("U2", true, |c| c.bounds[3]),
        ("U1", true, |c| c.bounds[4]),
    ];
    for (name, upper, of) in bounds {
        let mut all: Vec<f64> = points.iter().map(|(c, time)| of(c) / time).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = all.len().checked_sub(1)?;
            all.get((share * last as f64).round() as usize).copied()
        };
        let count = all.len() as f64;
        let mean = (count > 0.0).then(|| all.iter().sum::<f64>() / count);
        let exact = all.iter().filter(|&&ratio| ratio == 1.0).count() as f64;
        let exact = (count > 0.0).then(|| 100.0 * exact / count);
        let extreme = at(if upper { 1.0 } else { 0.0 });
        let values = vec![mean, at(0.05), at(0.5), at(0.95), at(0.99), extreme, exact];
        table.add(name, "", Unit::Value, values);
    }
    table
}

fn errors(models: &str, points: &[Point<'_>]) -> Table {
    let mut table = Table::new(
        format!("{models}: mean of the relative error"),
        "estimate",
        &["in %"],
    );
    let estimates: [(&str, BoundOf); 4] = [
        ("T", |c| c.bounds[0]),
        ("L", |c| c.bounds[1]),
        ("U", |c| c.bounds[2]),
        ("L + 0.2 (U - L)", |c| {
            c.bounds[1] + 0.2 * (c.bounds[2] - c.bounds[1])
        }),
    ];
    for (name, of) in estimates {
        let sum: f64 = points
            .iter()
            .map(|(c, time)| (of(c) / time - 1.0).abs())
            .sum();
        let mean = (!points.is_empty()).then(|| 100.0 * sum / points.len() as f64);
        table.add(name, "", Unit::Value, vec![mean]);
    }
    table
}
