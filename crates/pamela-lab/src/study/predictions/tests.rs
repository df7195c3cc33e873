//! Tables that are made from formulas which stand here, and what is predicted of them.

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

/// Configurations of two accelerators whose constants differ, with errors up to `error` on either side.
fn training(error: f64, seed: u64) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut text = String::from("gpu,N,s,lh,tok,accum,gpus,peak,ckpt,layers,time\n");
    for (gpu, peak, [product, attention, weight, layer, activation]) in [
        ("a", 3e14, [1.2, 3.0, 0.05, 2.0, 200.0]),
        ("b", 1e15, [1.5, 6.0, 0.02, 0.0, 100.0]),
    ] {
        for weights in [1e9, 3e9, 7e9, 3e10] {
            for s in [512.0, 2048.0, 8192.0, 65536.0] {
                for (accum, ckpt) in [(1.0, 0.0), (4.0, 1.0), (2.0, 1.0)] {
                    let layers = 24.0 + (weights / 1e9_f64).round();
                    let (lh, tok) = (layers * 4096.0, s * accum * 4.0);
                    let work = (6.0 + 2.0 * ckpt) * tok / peak;
                    let time = product * work * weights
                        + attention * work * lh * s
                        + weight * 1e-9 * weights * accum
                        + layer * 1e-3 * layers * accum
                        + activation * 1e-12 * lh * tok;
                    let time = time * (1.0 + error * random.random_range(-1.0..1.0));
                    let _ = writeln!(
                        text,
                        "{gpu},{weights},{s},{lh},{tok},{accum},8,{peak},{ckpt},{layers},{time}"
                    );
                }
            }
        }
    }
    text
}

fn time(train: &str, test: Option<&str>) -> Scores {
    let found = predictions(
        &TRAINING,
        ("train.csv", train),
        test.map(|test| ("test.csv", test)),
    );
    found.expect("the tables are tables").0["time"].clone()
}

fn refusal(text: &str) -> String {
    let found = predictions(&TRAINING, ("train.csv", text), None);
    found.expect_err("the table is wrong").to_string()
}

#[test]
fn exact_measurements_are_predicted_exactly() {
    let table = training(0.0, 1);
    for scores in [time(&table, None), time(&table, Some(&table))] {
        assert_eq!(scores.all.rows, 96);
        // Constants of relatives pull a little.
        assert!(scores.all.mean_error < 2e-3, "{scores:?}");
        assert!(scores.by["by_system"]["a"].rows == 48);
    }
}

#[test]
fn intervals_hold_nine_of_ten_measurements() {
    let (train, test) = (training(0.1, 2), training(0.1, 3));
    for scores in [time(&train, None), time(&train, Some(&test))] {
        // The mean distance of a uniform error, and what the constants miss.
        assert!((0.04..0.07).contains(&scores.all.mean_error), "{scores:?}");
        assert!(
            (0.82..=0.98).contains(&scores.all.coverage_90),
            "{scores:?}"
        );
    }
}

#[test]
fn a_group_that_was_not_fitted_is_predicted_by_the_others() {
    let table = training(0.0, 1);
    let only = |gpu: &str| {
        let is_shown = |line: &&str| line.starts_with(gpu) || line.starts_with("gpu");
        table
            .lines()
            .filter(is_shown)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let scores = time(&only("a"), Some(&only("b")));
    assert_eq!(scores.all.rows, 48);
    assert!((0.01..1.0).contains(&scores.all.mean_error), "{scores:?}");
}

#[test]
fn what_is_wrong_with_a_table_is_told_with_its_line() {
    let table = training(0.0, 1);
    let renamed = refusal(&table.replace(",peak", ",pk"));
    assert!(
        renamed.contains("train.csv:1: there is no column `peak`"),
        "{renamed}"
    );
    let first = table.lines().nth(1).expect("there are rows");
    let word = table.replacen(first, &first.replacen("1000000000,", "many,", 1), 1);
    assert!(refusal(&word).contains("train.csv:2: `N` is `many`"));
    let (rest, _) = first.rsplit_once(',').expect("there are columns");
    let negative = table.replacen(first, &format!("{rest},-1"), 1);
    assert!(refusal(&negative).contains("train.csv:2: `time` is -1"));
    assert!(refusal("").contains("no column"));
    let header = table.lines().next().expect("there is a line");
    assert!(refusal(header).contains("no rows"));
    assert!(refusal(&format!("{header}\n{first}\n")).contains("one configuration"));
}
