//! The machine repair model of the papers: `P` clients think and are served by one server, `N` times (thesis 6.2.2,
//! Table 6.2).

mod printed;

use super::report::{Report, Table, Unit};
use crate::diagnostic::Error;
use crate::law::{Carrier, Cumulants};
use crate::pipeline::{Model, Options};

/// Mean times.
const THINK: f64 = 10.0;
const SERVICE: f64 = 0.1;
const CYCLES: f64 = 1000.0;

const MODEL: &str = "\
numeric parameter P : integer >= 1
numeric parameter N : integer >= 1
numeric tl = exponential(10)
numeric ts = exponential(0.1)
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
";

/// By simulation of `CYCLES` cycles with exponential times: clients, makespan/N, its standard error, its standard
/// deviation.
const SIMULATED: [(f64, f64, f64, f64); 6] = [
    (1.0, 10.1085, 0.0049, 0.312),
    (10.0, 10.6043, 0.0030, 0.192),
    (50.0, 10.9044, 0.0024, 0.151),
    (100.0, 11.5627, 0.0021, 0.133),
    (200.0, 20.3565, 0.0014, 0.086),
    (500.0, 50.1377, 0.0038, 0.077),
];

const COLUMNS: [&str; 5] = [
    "mean cycle",
    "makespan/N",
    "its std. error",
    "its deviation",
    "its error in %",
];

/// The study for 1 to 500 clients.
///
/// # Errors
/// Fails if the model cannot be evaluated, which does not happen.
pub fn mrm() -> Result<Report, Error> {
    let model = Model::parse(MODEL)?;
    let mut table = Table::new("think 10, service 0.1, N = 1000", "P", &COLUMNS);
    for (clients, makespan, standard_error, deviation) in SIMULATED {
        let point = clients.to_string();
        let mut add = |method: &str, values: [Option<f64>; 5]| {
            table.add(&point, method, Unit::Value, values.to_vec());
        };
        let miss = |mean: f64| Some(100.0 * (mean / makespan - 1.0));
        let whole = [
            None,
            Some(makespan),
            Some(standard_error),
            Some(deviation),
            None,
        ];
        add("simulated", whole);
        add("MVA", [Some(mean_cycle(clients)), None, None, None, None]);
        add("bound", [Some(bound(clients)), None, None, None, None]);
        let constant = constant_makespan(clients);
        add(
            "constant",
            [None, Some(constant), None, None, miss(constant)],
        );
        for (method, carrier) in [("grid", Carrier::Grid), ("gld", Carrier::Gld)] {
            let settings = Settings {
                clients,
                cycles: CYCLES,
                carrier,
            };
            let law = predicted(&model, &settings)?;
            let (mean, deviation) = (law.mean / CYCLES, law.deviation() / CYCLES);
            add(
                method,
                [None, Some(mean), None, Some(deviation), miss(mean)],
            );
        }
    }
    let notes = [
        "mean cycle: the time from one thinking phase to the next, in steady state",
        "makespan/N: the time until the last client has ended its N-th cycle, divided by N; for exponential times \
         it exceeds the mean cycle, since the slowest client counts",
        "simulated: of exponential times, by another program; the rows below have errors in % of it",
        "MVA: exact mean value analysis (thesis 6.11 with its errata)",
        "bound: max(tl + ts, P ts) (thesis 6.9)",
        "constant: exact makespan of constant times, 10.1 + 0.1 (P - 1)/N for P up to 101, 0.1 P + 10/N above",
        "grid, gld: what `pamela eval` predicts for exponential times; it treats the clients and the server as \
         independent",
        "Table 6.2: as printed, where T_MVA is the mean cycle, and T_MOM the makespan/N by fitted moments",
    ];
    Ok(Report {
        title: "The machine repair model (thesis, Table 6.2)".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables: vec![table, printed::table(&model)?],
        drawings: Vec::new(),
    })
}

/// Mean cycle of the closed network, from that of one client less: who arrives sees the others' mean queue.
fn mean_cycle(clients: f64) -> f64 {
    let mut queue = 0.0;
    let mut response = 0.0;
    for n in 1..=clients as u32 {
        response = (1.0 + queue) * SERVICE;
        queue = f64::from(n) * response / (THINK + response);
    }
    THINK + response
}

fn bound(clients: f64) -> f64 {
    (THINK + SERVICE).max(clients * SERVICE)
}

/// The makespan for constant times, divided by the number of cycles.
fn constant_makespan(clients: f64) -> f64 {
    let cycle = THINK + SERVICE;
    if clients * SERVICE <= cycle {
        cycle + SERVICE * (clients - 1.0) / CYCLES
    } else {
        clients * SERVICE + THINK / CYCLES
    }
}

/// Settings of a prediction.
struct Settings {
    clients: f64,
    cycles: f64,
    carrier: Carrier,
}

/// The law of the makespan by fitted moments, from the text of the model on.
///
/// # Errors
/// Fails like [`mrm`].
pub fn by_moments(clients: f64, cycles: f64) -> Result<Cumulants, Error> {
    let settings = Settings {
        clients,
        cycles,
        carrier: Carrier::Gld,
    };
    predicted(&Model::parse(MODEL)?, &settings)
}

/// The law of the makespan.
fn predicted(model: &Model, settings: &Settings) -> Result<Cumulants, Error> {
    let values = [("P", settings.clients), ("N", settings.cycles)];
    let values = values.map(|(name, value)| (name.to_string(), value.to_string()));
    let options = Options {
        laws: settings.carrier,
        ..Options::default()
    };
    let evaluated = model.evaluate(&values, crate::rules::standard()?, &options)?;
    let mut equations = evaluated.equations.iter();
    let time = equations.find(|equation| equation.name == "T_main");
    let law = time.and_then(|equation| equation.law.as_ref());
    let law = law.ok_or_else(|| Error::new("the time of the model is not a law".to_string()))?;
    Ok(law.cumulants)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the equilibrium of the birth and death of the queue: the server is idle with probability
    /// 1 / sum of P!/(P - n)! (service / think)^n, and P cycles take place while it serves as many.
    #[test]
    fn mean_value_analysis_agrees_with_the_equilibrium() {
        for clients in [1, 10, 100, 200] {
            let mut weight = 1.0;
            let mut sum = 1.0;
            for n in 0..clients {
                weight *= f64::from(clients - n) * SERVICE / THINK;
                sum += weight;
            }
            let served = (1.0 - 1.0 / sum) / SERVICE;
            let expected = f64::from(clients) / served;
            let found = mean_cycle(f64::from(clients));
            assert!((found / expected - 1.0).abs() < 1e-11, "{found} {expected}");
        }
    }

    /// Each request is served in the order of arrival, one after the other.
    #[test]
    fn constant_times_have_the_makespan_of_the_queue() {
        for (clients, _, _, _) in SIMULATED {
            let mut ready = vec![THINK; clients as usize];
            let mut free = 0.0;
            for _ in 0..CYCLES as u32 {
                for ready in &mut ready {
                    free = f64::max(free, *ready) + SERVICE;
                    *ready = free + THINK;
                }
            }
            let expected = free / CYCLES;
            let found = constant_makespan(clients);
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }

    /// The sum of `2 N` exponential times, for one client.
    #[test]
    fn one_client_waits_for_nobody() {
        let report = mrm().unwrap();
        let deviation = ((THINK * THINK + SERVICE * SERVICE) / CYCLES).sqrt();
        for method in ["grid", "gld"] {
            let values = report.tables[0].values("1", method).unwrap();
            assert!((values[1].unwrap() - 10.1).abs() < 1e-6, "{values:?}");
            assert!((values[3].unwrap() - deviation).abs() < 1e-5, "{values:?}");
        }
        let values = report.tables[0].rows.iter().flat_map(|row| &row.values);
        assert!(values.flatten().all(|value| value.is_finite()));
    }
}
