//! Simulations of the machine repair model.

use pamela::Model;
use pamela::simulate::{Options, Replications, Watch, simulate};

fn main() {
    divan::main();
}

/// Times of clients and of the server; each of `clients` does `iterations`.
fn machine_repair(clients: u32, iterations: u32, [tl, ts]: [&str; 2]) -> Model {
    let text = format!(
        "resource s = fcfs(0, 1)
         process main = par (p = 1, {clients}) seq (i = 1, {iterations}) {{ delay({tl}) ; use(s, {ts}) }}"
    );
    Model::parse(&text).expect("the model is right")
}

fn once(model: &Model) -> f64 {
    let options = Options {
        replications: Replications::Exactly(1),
        threads: Some(1),
        ..Options::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default());
    report.expect("nothing goes wrong").processes[0].mean
}

fn times(law: &str) -> [&'static str; 2] {
    match law {
        "constant" => ["10", "0.1"],
        _ => ["exponential(10)", "exponential(0.1)"],
    }
}

/// Half a million visits.
#[divan::bench(args = ["constant", "exponential"], sample_count = 20)]
fn visits(bencher: divan::Bencher, law: &str) {
    let model = machine_repair(500, 1000, times(law));
    bencher.bench(|| once(&model));
}

/// A million clients.
#[divan::bench(args = ["constant", "exponential"], sample_count = 3)]
fn clients(bencher: divan::Bencher, law: &str) {
    let model = machine_repair(1_000_000, 1, times(law));
    bencher.bench(|| once(&model));
}
