//! The two branch patterns in Tables 4.1 to 4.3 of the thesis.

use crate::study::report::{Table, Unit};

const PATTERNS: [&str; 2] = [
    "110010011000111101100011110010",
    "111111100000000111111100000000",
];

/// The trials, the true ones among them, and the lengths of runs.
pub fn table() -> Table {
    let columns = ["N", "T", "p", "E[U]", "Var[U]", "E[D]", "Var[D]"];
    let mut table = Table::new(
        "Tables 4.1, 4.2 and 4.3: two patterns of a branch",
        "data set",
        &columns,
    );
    let mut taken = 0;
    for (number, pattern) in (1..).zip(PATTERNS) {
        let ones = pattern.matches('1').count();
        taken += ones;
        let values = [
            Some(pattern.len() as f64),
            Some(ones as f64),
            None,
            None,
            None,
            None,
            None,
        ];
        table.add(&number.to_string(), "counted", Unit::Value, values.to_vec());
    }
    let p = taken as f64 / PATTERNS.concat().len() as f64;
    let [up, down] = [true, false].map(moments);
    let values = [p, up.0, up.1, down.0, down.1].map(Some);
    table.add(
        "both",
        "counted",
        Unit::Value,
        [vec![None; 2], values.to_vec()].concat(),
    );
    let printed = [0.5, 3.3, 4.9, 3.3, 6.7].map(Some);
    table.add(
        "both",
        "printed",
        Unit::Value,
        [vec![None; 2], printed.to_vec()].concat(),
    );
    table
}

/// Mean and variance of the lengths of runs that hold, or do not, in both.
fn moments(holds: bool) -> (f64, f64) {
    let other = if holds { '0' } else { '1' };
    let runs = PATTERNS.iter().flat_map(|pattern| pattern.split(other));
    let lengths: Vec<f64> = runs
        .map(|run| run.len() as f64)
        .filter(|length| *length > 0.0)
        .collect();
    let n = lengths.len() as f64;
    let mean = lengths.iter().sum::<f64>() / n;
    (
        mean,
        lengths
            .iter()
            .map(|length| (length - mean).powi(2))
            .sum::<f64>()
            / n,
    )
}
