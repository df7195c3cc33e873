//! Workloads of programs (thesis 5.6): programs of this study count operations, so counts are the same on every
//! machine. The largest of several counts is predicted from the first four moments of one count.

mod copies;
mod embarrassing;
mod ocean;
mod paths;
mod pipeline;
mod routes;
mod schools;
mod sections;
#[cfg(test)]
mod tests;

use copies::{Fit, Part};

use super::report::{Report, Table, Unit};

/// The programs by name, for `--only`.
pub const PROGRAMS: [&str; 5] = ["ep", "sssp", "psrs", "wator", "pipeline"];

const NOTES: [&str; 10] = [
    "counted: operations, comparisons or fish, by programs with fixed seeds",
    "noise: the standard error of what was counted; all other rows are errors in per cent of the counted value",
    "gld: the largest of N independent copies of the generalized lambda distribution with the four moments of a \
     processor's count (thesis 5.18); where no such distribution exists, Johnson's",
    "empirical: of N independent draws of the counts themselves, as `pamela eval` takes `empirical(..)`",
    "Gumbel: E[X] + Std[X] sqrt(2 ln(0.4 N)) (5.44)",
    "of EP and APSP the largest of N is that of all ways to choose N runs; of the others, of N processors in one run; X \
     is the count of any processor",
    "x: deviations from the mean; densities are those of intervals",
    "5.6.1 prints 10^20 pairs: its mean is that of 2^20. Table 5.7 prints 1.06e3 as Var[X1] of N = 60,000, where X1 is a sum \
     of N/2 geometric variables: 1.04e4",
    "the thesis does not describe all of its programs: sharks are on a fifth of the places, and breed after 10 steps, fish after \
     3; sharks starve in 3; processors merge part after part",
    "Table 5.9 takes the thresholds of 5 % for as many intervals as there are counts for; it prints 1.6e-1 as e2 of PSRS \
     (N = 2), where e3 and e4 are three and four times e1",
];

/// Table 5.9: the four errors, chi-square and its threshold, as printed.
const PRINTED: [(&str, [f64; 6]); 22] = [
    ("NAS-EP (N = 2)", [1.2e-4, 2.4e-4, 3.8e-4, 5e-4, 50.0, 67.5]),
    (
        "NAS-EP (N = 4)",
        [5.9e-4, 1.2e-3, 1.8e-3, 2.4e-3, 80.7, 90.5],
    ),
    (
        "NAS-EP (N = 8)",
        [6.4e-4, 1.3e-3, 1.9e-3, 2.5e-3, 55.1, 55.8],
    ),
    (
        "NAS-EP (N = 16)",
        [3.1e-3, 6.1e-3, 9.2e-3, 1.2e-2, 170.1, 55.8],
    ),
    (
        "PSRS (N = 2, sort)",
        [5.7e-2, 1.6e-1, 1.8e-1, 2.4e-1, 22.7, 35.2],
    ),
    (
        "PSRS (N = 4, sort)",
        [6.4e-2, 1.3e-1, 1.9e-1, 2.5e-1, 33.0, 43.8],
    ),
    (
        "PSRS (N = 8, sort)",
        [5.9e-2, 1.2e-1, 1.8e-1, 2.5e-1, 27.7, 37.7],
    ),
    (
        "PSRS (N = 16, sort)",
        [1.7e-1, 3.5e-1, 5.2e-1, 7e-1, 40.9, 28.9],
    ),
    (
        "PSRS (N = 32, sort)",
        [2.4e-1, 4.7e-1, 7.1e-1, 9.6e-1, 32.3, 25.0],
    ),
    (
        "WATOR (N = 2, t = 0)",
        [3.8e-3, 7.3e-3, 1e-2, 1.2e-2, 88.1, 90.5],
    ),
    (
        "WATOR (N = 2, t = 4)",
        [3.8e-1, 7.4e-1, 1.1, 1.4, 183.2, 79.1],
    ),
    (
        "WATOR (N = 4, t = 0)",
        [1.6e-2, 3.2e-2, 4.7e-2, 6e-2, 75.7, 79.1],
    ),
    (
        "WATOR (N = 4, t = 4)",
        [2.6e-1, 5.1e-1, 7.7e-1, 1.0, 132.8, 55.8],
    ),
    (
        "WATOR (N = 8, t = 0)",
        [1.1e-2, 2.2e-2, 3.3e-2, 4.5e-2, 75.3, 79.1],
    ),
    (
        "WATOR (N = 8, t = 4)",
        [2.5e-1, 5e-1, 7.4e-1, 9.6e-1, 160.8, 79.1],
    ),
    (
        "WATOR (N = 16, t = 0)",
        [5.7e-2, 1.1e-1, 1.7e-1, 2.3e-1, 93.9, 101.9],
    ),
    (
        "WATOR (N = 16, t = 4)",
        [2.1e-1, 4.2e-1, 6.2e-1, 8e-1, 134.1, 90.5],
    ),
    (
        "WATOR (N = 32, t = 0)",
        [9.1e-2, 1.8e-1, 2.7e-1, 3.6e-1, 110.5, 79.1],
    ),
    (
        "WATOR (N = 32, t = 4)",
        [3.6e-2, 4.8e-2, 3.5e-2, 5.9e-3, 141.7, 67.5],
    ),
    (
        "WATOR (N = 64, t = 0)",
        [1.3e-2, 2.7e-2, 4.2e-2, 5.8e-2, 78.4, 43.8],
    ),
    (
        "WATOR (N = 64, t = 4)",
        [2e-2, 6e-2, 1.2e-1, 2.1e-1, 153.8, 43.8],
    ),
    (
        "WATOR (N = 128, t = 0)",
        [1.7e-1, 3.4e-1, 5.2e-1, 6.9e-1, 224.1, 67.5],
    ),
];

/// All programs, or the named ones, with `runs` runs each (fewer for slow programs).
///
/// # Errors
/// Fails if no law has the moments, or for too few runs for a test.
pub fn workloads(runs: usize, only: &[String]) -> Result<Report, String> {
    type Experiment = fn(usize) -> Result<Part, String>;
    let experiments: [Experiment; PROGRAMS.len()] = [
        embarrassing::part,
        routes::part,
        sections::part,
        schools::part,
        pipeline::part,
    ];
    let asked = PROGRAMS.iter().zip(experiments);
    let asked = asked.filter(|(name, _)| only.is_empty() || only.iter().any(|only| only == *name));
    let parts: Vec<Result<Part, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = asked
            .map(|(_, experiment)| scope.spawn(move || experiment(runs)))
            .collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    });
    let mut report = Report {
        title: "Workloads of programs, and the largest of N of them (thesis 5.6)".to_string(),
        notes: NOTES.map(str::to_string).to_vec(),
        tables: Vec::new(),
        drawings: Vec::new(),
    };
    let mut fits = Vec::new();
    for part in parts {
        let part = part?;
        report.tables.extend(part.tables);
        report.drawings.extend(part.drawings);
        fits.extend(part.fits);
    }
    if !fits.is_empty() {
        report.tables.push(table_5_9(&fits));
    }
    Ok(report)
}

fn table_5_9(fits: &[Fit]) -> Table {
    let columns = [
        "e1 [%]",
        "e2 [%]",
        "e3 [%]",
        "e4 [%]",
        "chi-square",
        "threshold",
    ];
    let mut table = Table::new(
        "Table 5.9: the law of the largest, predicted by gld",
        "experiment",
        &columns,
    );
    for fit in fits {
        let test = [fit.chi_square.value, fit.chi_square.threshold].map(Some);
        let errors = fit.errors.map(|error| error.map(f64::abs));
        table.add(
            &fit.experiment,
            "counted",
            Unit::Value,
            [errors.to_vec(), test.to_vec()].concat(),
        );
        let printed = PRINTED.iter().find(|(name, _)| *name == fit.experiment);
        if let Some((_, values)) = printed {
            table.add(
                &fit.experiment,
                "Table 5.9",
                Unit::Value,
                values.map(Some).to_vec(),
            );
        }
    }
    table
}
