//! The machine repair model, half a million visits, against SimPy; and replications by one and two threads.

use std::io;
use std::time::Instant;

use pamela::Model;
use pamela::simulate::{Options, Replications, Watch, simulate};

const CLIENTS: u32 = 500;
const ITERATIONS: u32 = 1_000;
const REPEATS: usize = 5;

pub fn table() -> io::Result<()> {
    println!("\n{CLIENTS} clients, {ITERATIONS} iterations each: seconds");
    for (law, local, service) in [
        ("constant", "10", "0.1"),
        ("exponential", "exponential(10)", "exponential(0.1)"),
    ] {
        let text = format!(
            "resource s = fcfs(0, 1)
             process main = par (p = 1, {CLIENTS}) seq (i = 1, {ITERATIONS}) {{
                 delay({local}) ; use(s, {service}) }}"
        );
        let model = Model::parse(&text).expect("the model is right");
        let (ours, time) = best(&model, 1, 1);
        let [one, two] = [1, 2].map(|threads| best(&model, 8, threads).0);
        print!("{law:<12} ours {ours:.3}, its time {time:.1}");
        match simpy(law)? {
            Some((theirs, their_time)) => {
                print!(
                    " | SimPy {theirs:.2}, its time {their_time:.1}: ours is {:.0} times faster",
                    theirs / ours
                );
            }
            None => print!(" | SimPy not found"),
        }
        println!(
            " | 8 replications: {one:.2} by one thread, {two:.2} by two, {:.2} times faster",
            one / two
        );
    }
    Ok(())
}

/// The shortest time of some runs, and the mean time of the model.
fn best(model: &Model, replications: usize, threads: usize) -> (f64, f64) {
    let options = Options {
        replications: Replications::Exactly(replications),
        threads: Some(threads),
        ..Options::default()
    };
    let run = |_| {
        let start = Instant::now();
        let report = simulate(model.checked(), &options, &Watch::default());
        let mean = report.expect("nothing goes wrong").processes[0].mean;
        (start.elapsed().as_secs_f64(), mean)
    };
    let runs = (0..REPEATS).map(run);
    runs.min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are some")
}

fn simpy(law: &str) -> io::Result<Option<(f64, f64)>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/simpy_peer.py");
    let size = [CLIENTS, ITERATIONS].map(|n| n.to_string());
    let output = super::python().arg(script).args(size).arg(law).output();
    let Ok(output) = output else { return Ok(None) };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text
        .split_whitespace()
        .filter_map(|number| number.parse().ok());
    Ok(numbers.next().zip(numbers.next()))
}
