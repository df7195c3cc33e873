//! Replications that are made elsewhere give the report of one process, to the byte.

use std::ops::Range;

use super::*;
use crate::simulate::{replications, simulate_elsewhere};

/// The report as JSON, with the replications made in parts of so many, the last part first.
fn in_parts(text: &str, options: &Options, size: usize) -> String {
    let model = model(text);
    let mut ask = |known: &str, numbers: Range<usize>| {
        let starts: Vec<usize> = numbers.clone().step_by(size).collect();
        let made = starts.iter().rev().map(|&start| {
            let part = start..numbers.end.min(start + size);
            replications(&model, options, known, part, &Watch::default())
        });
        let mut made = made.collect::<Result<Vec<String>, Error>>()?;
        made.reverse();
        Ok(made)
    };
    let report = simulate_elsewhere(&model, options, &Watch::default(), &mut ask);
    serde_json::to_string(&report.unwrap_or_else(|error| panic!("{text}\n{error}"))).expect("JSON")
}

#[test]
fn the_report_is_that_of_one_process() {
    let cycles = Options {
        cycles: true,
        ..replicated(40)
    };
    let seeded = Options {
        arbitration: crate::simulate::Arbitration::Seeded,
        ..replicated(9)
    };
    let within = Options {
        replications: Replications::UntilRelativeError(0.05),
        ..Options::default()
    };
    let few_events = Options {
        max_events: 50,
        ..replicated(5)
    };
    let queue = "resource s(i) = fcfs(0, 2) process task = use(s(1 / 2), exponential(2))
        process main = par (p = 1, 8) seq (i = 1, 5) { delay(uniform(0, 1)) ; task }";
    let orders = "resource r resource s process main = par (p = 1, 3) { use(r, 2 * p); use(s, p); use(r, 1) }";
    let exact = "process main = seq (i = 1, 10) delay(1 / 3)";
    for options in [&Options::default(), &cycles, &seeded, &within, &few_events] {
        for text in [queue, orders, exact] {
            let whole = serde_json::to_string(&run(text, options)).expect("JSON");
            for size in [1, 7, 1000] {
                assert_eq!(in_parts(text, options, size), whole, "{text}");
            }
        }
    }
}

#[test]
fn what_is_no_replication_is_refused() {
    let model = model("process main = delay(exponential(1))");
    let options = replicated(5);
    for answer in ["", "[]", "[{}]", "nothing"] {
        let mut ask = |_: &str, _: Range<usize>| Ok(vec![answer.to_string()]);
        let report = simulate_elsewhere(&model, &options, &Watch::default(), &mut ask);
        assert!(
            report.is_err_and(|error| error.to_string().contains("replications cannot be read"))
        );
    }
    assert!(replications(&model, &options, "{}", 1..2, &Watch::default()).is_err());
}
