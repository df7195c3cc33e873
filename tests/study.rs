//! The study of sums without peers: what the list claims of our closed forms. The studies of laws beside the numbers
//! of the papers, and as JSON.

use std::sync::OnceLock;

use crate::selection::{is_full, is_selected};
use pamela_lab::study::{
    Measured, Study, distributions, mrm, open, predictions, sums, without_peers,
};

/// Fewer points would not tell a sum from another one.
const LEAST_POINTS: usize = 6;

fn study() -> &'static Study {
    static STUDY: OnceLock<Study> = OnceLock::new();
    STUDY.get_or_init(|| without_peers(sums::LIST, 1).unwrap_or_else(|error| panic!("{error}")))
}

/// What is to be said of the sums of which something is.
fn faults(fault: impl Fn(&Measured) -> Option<String>) -> String {
    let sums = study().sums.iter();
    let faults: Vec<String> = sums
        .filter_map(|sum| Some(format!("{}: {}", sum.name, fault(sum)?)))
        .collect();
    faults.join("\n")
}

#[test]
fn the_study_of_distributions_has_each_of_them_and_finds_nothing_wrong() {
    if !crate::selection::is_due() {
        return;
    }
    let mut files: Vec<String> = std::fs::read_dir("corpus/distributions")
        .expect("the directory can be read")
        .map(|file| file.expect("a file").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.replace('_', " ")))
        .collect();
    files.sort();
    let study = distributions::without_peers(1).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = study.patterns.iter().map(|p| p.name.as_str()).collect();
    let mut listed = names.clone();
    listed.sort_unstable();
    assert_eq!(listed, files);
    let closed = study.patterns.iter().filter(|pattern| pattern.closed);
    assert!(closed.count() >= 77, "{study}");
    for pattern in &study.patterns {
        assert!(pattern.verdict.wrong.is_empty(), "{pattern:?}");
    }
}

#[test]
fn each_sum_is_closed_or_known_to_be_open() {
    let faults = faults(|sum| match (&sum.known_open, sum.ours.closed) {
        (None, false) => Some(format!("is open: {}", sum.ours.formula)),
        (Some(_), true) => Some(format!(
            "closes; remove its line `% open: ...` from corpus/studies/sums.txt: {}",
            sum.ours.formula
        )),
        _ => None,
    });
    assert_eq!(faults, "");
}

#[test]
fn each_sum_has_the_value_of_its_definition_where_its_conditions_hold() {
    let faults = faults(|sum| {
        let wrong = sum.ours.verdict.wrong.first()?;
        Some(format!(
            "{} instead of {} at {}, by {}",
            wrong.found, wrong.expected, wrong.point, sum.ours.formula
        ))
    });
    assert_eq!(faults, "");
}

#[test]
fn each_closed_sum_is_compared_at_more_than_a_few_points() {
    let faults = faults(|sum| {
        let compared = sum.ours.verdict.compared;
        (compared < LEAST_POINTS).then(|| format!("compared at {compared} points"))
    });
    assert_eq!(faults, "");
}

#[test]
fn a_wrong_claim_of_the_list_is_told() {
    let list = "% name: wrong\n% family: none\n% open: a claim\nnumeric parameter N : integer >= 0\nnumeric f = sum (i = 1, N) { i }";
    let study = without_peers(list, 1).unwrap_or_else(|error| panic!("{error}"));
    let sum = &study.sums[0];
    assert!(sum.ours.closed && sum.known_open.is_some());
    assert!(sum.ours.verdict.compared >= LEAST_POINTS);
}

#[test]
fn a_malformed_list_is_an_error() {
    for (list, expected) in [
        ("% family: none\nnumeric f = 1", "no `% name: ...`"),
        ("% name: a\nnumeric f = 1", "no `% family: ...`"),
        (
            "% name: a\n% family: b\n% c: d\nnumeric f = 1",
            "unknown key `c`",
        ),
        ("% name: a\n% family: b\nnumeric g = 1", "no equation `f`"),
        (
            "% name: a\n% family: b\nnumeric f = 1\n\n% name: a\n% family: b\nnumeric f = 2",
            "two sums",
        ),
    ] {
        let error = without_peers(list, 1).map(|_| ()).expect_err(list);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// The row T_MOM of Table 6.2 of the thesis, which has two decimals: P, T.
#[test]
fn the_machine_repair_model_has_the_cycle_times_of_the_thesis() {
    let printed = [
        ("1", 10.10),
        ("2", 10.11),
        ("5", 10.12),
        ("10", 10.12),
        ("20", 10.12),
        ("50", 10.12),
        ("100", 10.13),
        ("200", 20.0),
        ("500", 50.0),
    ];
    let report = mrm::mrm().unwrap_or_else(|error| panic!("{error}"));
    let table = &report.tables[1];
    for (clients, expected) in printed {
        for method in ["gld", "grid"] {
            let values = table.values(clients, method).expect(clients);
            let found = values[2].expect(clients);
            assert!(
                (found - expected).abs() <= 0.01,
                "{clients} {method}: {found}"
            );
        }
    }
}

/// What `pamela study NAME --json` prints.
fn json(study: &str) -> serde_json::Value {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["study", study, "--json"])
        .output()
        .unwrap_or_else(|error| panic!("{study}: {error}"));
    assert!(output.status.success(), "{study}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{study}: {error}"))
}

/// The value in one column of the row of `method` at `point`, of the first table with such a row.
fn cell(report: &serde_json::Value, point: &str, method: &str, column: &str) -> Option<f64> {
    let tables = report["tables"].as_array()?;
    tables.iter().find_map(|table| {
        let columns = table["columns"].as_array()?;
        let column = columns.iter().position(|name| name == column)?;
        let mut rows = table["rows"].as_array()?.iter();
        let row = rows.find(|row| row["point"] == point && row["method"] == method)?;
        assert_eq!(row["values"].as_array()?.len(), columns.len());
        row["values"][column].as_f64()
    })
}

/// One number of each study, derived by hand.
#[test]
fn studies_of_laws_are_told_as_json() {
    let close = |found: Option<f64>, expected: f64| {
        let found = found.unwrap_or(f64::NAN);
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    };
    for study in ["gld", "nary", "binary", "series", "giant", "mrm"] {
        let report = json(study);
        assert!(report["title"].is_string() && report["notes"].is_array());
        match study {
            // Beta(1, 10).
            "gld" => close(
                cell(&report, "1 of 10", "measured", "Var"),
                10.0 / (121.0 * 12.0),
            ),
            // Beta(2, 1).
            "nary" => close(cell(&report, "2", "measured", "Var"), 1.0 / 18.0),
            // Of U(0, 10) and U(1, 3/2): the second is larger below 1, the first above 3/2, and between them both are
            // uniform.
            "binary" => close(
                cell(&report, "0.1", "measured", "E"),
                0.1 * 1.25 + 0.05 * (1.0 + 1.0 / 3.0) + 0.85 * 5.75,
            ),
            "series" => close(
                cell(&report, "normal(0, 1)", "measured", "E[Y]"),
                1.0 / std::f64::consts::PI.sqrt(),
            ),
            // On one processor, 64 tasks of mean 2 between two more.
            "giant" => close(cell(&report, "1", "measured", "E of (b)"), 132.0),
            // One client is never kept waiting: all its times add up.
            _ => close(
                cell(&report, "1", "gld", "its deviation"),
                ((100.0 + 0.01) / 1000.0_f64).sqrt(),
            ),
        }
    }
}

#[test]
fn the_study_of_sums_is_told_as_json() {
    let json = serde_json::to_value(study()).unwrap_or_else(|error| panic!("{error}"));
    let told = json["sums"].as_array().map_or(0, Vec::len);
    let listed = sums::LIST
        .lines()
        .filter(|line| line.starts_with("% name:"));
    assert_eq!(told, listed.count());
    let integers = json["sums"].as_array().into_iter().flatten();
    let integers: Vec<_> = integers
        .filter(|sum| sum["name"] == "first integers")
        .collect();
    assert_eq!(integers.len(), 1);
    let formula = integers[0]["ours"]["formula"].as_str().unwrap_or_default();
    let text = format!("numeric parameter N numeric f = {formula}");
    let model = pamela::Model::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rules = pamela::rules::standard().expect("the rules are rules");
    let at = [("N".to_string(), "100".to_string())];
    let evaluated = model.evaluate(&at, rules, &pamela::Options::default());
    let evaluated = evaluated.unwrap_or_else(|error| panic!("{error}"));
    let value = evaluated
        .equations
        .iter()
        .find(|equation| equation.name == "f");
    assert_eq!(
        value.map(|equation| equation.value.clone()),
        Some(pamela::eval::Value::from(5050))
    );
}

/// The standard error of a variance over 6,000 runs is 1.8 %.
#[cfg(feature = "programs")]
#[test]
fn variances_of_branches_are_predicted_within_a_twentieth() {
    let table = pamela_lab::study::branches::variances(6000, is_selected);
    // A run that holds is as long as the next one: nothing grows with the number of trials.
    let is_special = |point: &str| point == "selection sort" || point.starts_with("equal");
    assert!(!table.rows.is_empty());
    let mut compared = 0;
    for row in table.rows.iter().filter(|row| !is_special(&row.point)) {
        let ours = *row.values.last().expect("a column");
        match row.method.as_str() {
            "error" => {
                assert!(
                    ours.is_some_and(|error| error.abs() <= 5.0),
                    "{}: {table}",
                    row.point
                );
                compared += 1;
            }
            "predicted" => assert!(ours.is_none_or(|variance| variance < 1.0), "{table}"),
            _ => {}
        }
    }
    let error = |point: &str, column: usize| table.values(point, "error")?[column];
    if is_full() {
        assert!(compared >= 16, "{table}");
        assert!(error("uniform 2, 2", 2).is_some() && error("selection sort", 1).is_some());
    }
    // What the thesis prints of whole numbers misses short runs by more than half.
    assert!(error("uniform 2, 2", 2).is_none_or(|error| error < -50.0));
    // Table 4.4: 2.2e4, of which Bernoulli misses 76 % and 4.14b 32 %.
    if let Some(simulated) = table.values("selection sort", "simulated") {
        let variance = simulated[0].expect("a variance");
        assert!((variance / 2.2e4 - 1.0).abs() < 0.1, "{table}");
        let misses = |column, by: f64, off| {
            error("selection sort", column).is_some_and(|error| (error + by).abs() < off)
        };
        assert!(misses(1, 76.0, 3.0) && misses(3, 32.0, 5.0), "{table}");
    }
}

#[test]
fn the_census_tells_what_stays_open_and_what_is_narrowed() {
    let corpus = std::env::temp_dir().join(format!("pamela-census-{}", std::process::id()));
    let room = corpus.join("room");
    std::fs::create_dir_all(&room).expect("a directory can be made");
    let models = [
        // The number of divisors of all numbers up to N has no closed form.
        (
            "open",
            "numeric parameter N : integer >= 1\nnumeric f = sum (i = 1, N) { N div i }\n",
        ),
        // Every second index is dealt out in blocks of B, which are of B / 2 such indices where that is whole.
        (
            "narrowed",
            "numeric parameter N : integer >= 1\nnumeric parameter B : integer >= 1\n\
             numeric parameter P : integer >= 1\n\
             numeric f = max(sum (i = 0, N - 1) { (i mod 2 == 0) * unitvec(i div B mod P) })\n",
        ),
        (
            "closed",
            "numeric parameter N : integer >= 0\nnumeric f = sum (i = 1, N) { i }\n",
        ),
    ];
    for (name, text) in models {
        std::fs::write(room.join(format!("{name}.pam")), text).expect("a file can be written");
    }
    let rules = pamela::rules::standard().expect("the rules of the library compile");
    let request = open::Request {
        models: 2,
        first: 7_000,
        corpus: Some(&corpus),
    };
    let census = open::census(&rules, &request, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_dir_all(&corpus).expect("what was made can be removed");
    let families: Vec<(&str, usize)> = census
        .families
        .iter()
        .map(|family| (family.name.as_str(), family.models))
        .collect();
    let all = [
        ("processes", 2),
        ("distributions", 2),
        ("graphs", 2),
        ("corpus", 3),
    ];
    assert_eq!(families, all);
    let own = &census.families[3];
    assert_eq!((own.results, own.open, own.narrowed), (3, 1, 1), "{census}");
    let shape = census
        .shapes
        .iter()
        .find(|shape| shape.example == "room/open.pam");
    let shape = shape.unwrap_or_else(|| panic!("{census}"));
    assert_eq!(shape.what, "sum (i) { floor((i)^-1) }");
    let narrowed = census
        .narrowed
        .iter()
        .find(|group| group.example == "room/narrowed.pam");
    let narrowed = narrowed.unwrap_or_else(|| panic!("{census}"));
    assert_eq!(narrowed.what, "integer(B / 2)");
}

#[test]
fn results_of_random_models_are_compared_with_their_definition() {
    let rules = pamela::rules::standard().expect("the rules of the library compile");
    let compared = open::compare(&rules, 600, 7_000, &|_| {});
    let compared = compared.unwrap_or_else(|error| panic!("{error}"));
    assert!(compared.compared >= 600, "{compared}");
    let kinds = [compared.degenerate, compared.zero, compared.large];
    assert!(kinds.iter().all(|&points| points > 0), "{compared}");
    assert!(compared.differences.is_empty(), "{compared}");
}

/// Tables of public measurements are not part of the repository: `PAMELA_MEASUREMENTS` names the directory with
/// `training.csv` and `serving.csv`. The limits are what repeated measurements and the field's planner reach.
#[test]
fn measured_systems_are_predicted_from_other_configurations() {
    let Ok(directory) = std::env::var("PAMELA_MEASUREMENTS") else {
        println!("skipped: PAMELA_MEASUREMENTS names no directory of measured tables");
        return;
    };
    let scores = |subject, file: &str, column: &str| {
        let file = format!("{directory}/{file}");
        let text = std::fs::read_to_string(&file).expect("the table can be read");
        let found = predictions::predictions(subject, (&file, &text), None);
        found.expect("the table is one").0[column].clone()
    };
    let training = scores(&predictions::TRAINING, "training.csv", "time");
    assert!(training.all.mean_error < 0.05, "{training:?}");
    let serving = scores(&predictions::SERVING, "serving.csv", "tpot_ms");
    assert!(serving.by["by_kind"]["dense"].mean_error < 0.08);
    assert!(serving.all.mean_error < 0.13);
    for scores in [training, serving] {
        assert!((0.85..0.95).contains(&scores.all.coverage_90));
    }
}
