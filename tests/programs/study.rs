//! The study of programs: those of a list are built, run, and stand beside their models.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{directory, pamela};

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    volatile double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        int k = i % 3;
        while (k > 0) {
            sum += k;
            k--;
        }
    }
    printf("%g\n", sum);
    return 0;
}
"#;

fn rounded(number: &Value) -> i64 {
    (1000.0 * number.as_f64().expect("a number")).round() as i64
}

/// Of two runs a tenth is below the first tenth of the way between them: mean over the points with 1 and with 2 threads.
fn spreads(directory: &std::path::Path) -> [i64; 2] {
    let text = fs::read_to_string(directory.join("kept/good.json")).expect("the profile");
    let profile: Value = serde_json::from_str(&text).expect("JSON");
    [1, 2].map(|threads| {
        let points = profile["points"].as_array().expect("points").iter();
        let points =
            points.filter(|point| point["point"]["P"].as_f64() == Some(f64::from(threads)));
        let spread = points.map(|point| {
            let times = point["time_ns"].as_array().expect("times");
            let [a, b] = [&times[0], &times[1]].map(|time| time.as_f64().expect("a time"));
            80.0 * (a - b).abs() / (a + b)
        });
        let spread: Vec<f64> = spread.collect();
        (1000.0 * spread.iter().sum::<f64>() / spread.len() as f64).round() as i64
    })
}

#[test]
fn each_program_of_a_list_is_measured_or_named_with_the_reason() {
    let directory = directory("study");
    let _ = fs::remove_dir_all(directory.join("kept"));
    fs::write(directory.join("good.c"), PROGRAM).expect("a program");
    fs::write(directory.join("bad.c"), "int main(void) { return f(; }").expect("a program");
    let list = r#"{"programs": [
        {"name": "good", "files": ["good.c"], "points": {"n": [2000, 5000, 9000], "P": [1, 2]},
         "arguments": ["{n}"], "runs": 2, "asked": 5},
        {"name": "bad", "files": ["bad.c"], "points": {"n": [1]}, "arguments": ["{n}"]}]}"#;
    fs::write(directory.join("programs.json"), list).expect("a list");
    let command = [
        "study",
        "programs",
        "--sources",
        ".",
        "--profiles",
        "kept",
        "--json",
    ];
    let (text, errors, status) = pamela(&command, &directory);
    assert_eq!(status, Some(3), "{text}{errors}");
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let rows = found[0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2, "{text}");
    for (row, threads) in rows.iter().zip([1.0, 2.0]) {
        assert_eq!(row["threads"].as_f64(), Some(threads));
        assert_eq!(row["points"].as_u64(), Some(3));
        let error = row["fit"]["mean"].as_f64().expect("an error");
        assert!(error.is_finite() && error >= 0.0, "{text}");
    }
    assert_eq!(
        spreads(&directory),
        [0, 1].map(|row| rounded(&rows[row]["spread"]["mean"]))
    );
    assert!(found[0]["order"]["pairs"].as_u64().is_some(), "{text}");
    assert!(
        found[1]["problem"]
            .as_str()
            .is_some_and(|problem| problem.contains("bad.c:1")),
        "{text}"
    );
    // What was measured is kept, and not measured again.
    let kept = fs::read_to_string(directory.join("kept/good.json")).expect("the profile");
    let (table, _, _) = pamela(&command[..6], &directory);
    assert!(table.starts_with("program"), "{table}");
    assert!(table.contains("spread"), "{table}");
    assert_eq!(
        fs::read_to_string(directory.join("kept/good.json")).expect("it"),
        kept
    );
}

#[test]
fn lists_that_are_none_are_errors() {
    let directory = directory("lists");
    let error = |list: &str| {
        fs::write(directory.join("programs.json"), list).expect("a list");
        let (_, errors, status) = pamela(&["study", "programs", "--sources", "."], &directory);
        assert_eq!(status, Some(1), "{errors}");
        errors
    };
    assert!(error("{").contains("not a list of programs"));
    assert!(
        error(r#"{"programs": [{"name": "a/b", "files": ["a.c"], "points": {}}]}"#)
            .contains("`a/b` is no name")
    );
    assert!(
        error(r#"{"programs": [{"name": "a", "files": [], "points": {}}]}"#)
            .contains("has no file")
    );
    assert!(
        error(r#"{"programs": [{"name": "a", "files": ["a.c"], "point": {}}]}"#)
            .contains("unknown field")
    );
    fs::write(directory.join("programs.json"), r#"{"programs": []}"#).expect("a list");
    let (_, errors, status) = pamela(
        &["study", "programs", "--sources", ".", "--only", "a"],
        &directory,
    );
    assert_eq!(status, Some(1));
    assert!(errors.contains("no program named `a`"), "{errors}");
    let (_, errors, _) = pamela(&["study", "programs", "--sources", "nowhere"], &directory);
    assert!(
        errors.contains("cannot read `nowhere/programs.json`"),
        "{errors}"
    );
}

#[test]
fn the_table_of_programs_is_of_what_was_recorded() {
    if !crate::selection::is_due() {
        return;
    }
    if Command::new("mpicc").arg("--version").output().is_err() {
        eprintln!("skipped: mpicc is not installed");
        return;
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (table, errors, status) = pamela(&["study", "programs", "--recorded"], root);
    assert_eq!(status, Some(0), "{errors}");
    let page = fs::read_to_string(root.join("docs/evidence/studies.md")).expect("the page");
    let shown: String = table.lines().map(|line| format!("    {line}\n")).collect();
    assert!(page.contains(&shown), "{table}");
    let (text, _, _) = pamela(&["study", "programs", "--recorded", "--json"], root);
    let programs: Value = serde_json::from_str(&text).expect("JSON");
    let programs = programs.as_array().expect("programs");
    let of_ranks = [
        "halo",
        "cg",
        "transpose",
        "sample_sort",
        "farm",
        "particles",
    ];
    let is_near = |program: &&Value| {
        let name = program["name"].as_str().expect("a name");
        let mut rows = program["rows"].as_array().expect("rows").iter();
        rows.all(|row| {
            let is_alone = row["threads"].as_f64().is_none_or(|threads| threads == 1.0);
            let most = if is_alone && !of_ranks.contains(&name) {
                5.0
            } else {
                10.0
            };
            row["fit"]["mean"].as_f64().expect("an error") <= most
        })
    };
    let (near, all) = (programs.iter().filter(is_near).count(), programs.len());
    let last = table.lines().last().unwrap_or_default();
    assert!(
        last.starts_with(&format!("{near} of {all} programs")),
        "{last}"
    );
    assert!(12 * near >= 10 * all, "{last}");
}
