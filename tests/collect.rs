//! Sums that are collected by parameters have the values of the model.

use std::process::Command;

fn pamela(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The value of an equation in a table of values.
fn value(table: &str, name: &str) -> f64 {
    let line = table.lines().find_map(|line| line.strip_prefix(name));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("no {name}: {table}"))
}

#[test]
fn collected_forms_begin_with_their_parameters_and_have_the_same_values() {
    const POINTS: [[&str; 2]; 4] = [
        ["N=720", "P=4"],
        ["N=1000", "P=1"],
        ["N=64", "P=8"],
        ["N=2", "P=1"],
    ];
    let file = "corpus/papers/psrs.pam";
    let model = pamela(&["simplify", file, "--only", "T_main", "--collect", "tf,tm"]);
    let form = model.lines().last().unwrap_or_default();
    assert!(form.starts_with("numeric T_main = tf * ("), "{form}");
    assert!(form.contains(" + tm * ("), "{form}");
    let saved = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("collected.pam");
    std::fs::write(&saved, &model).expect("the form can be written");
    let saved = saved.to_string_lossy().into_owned();
    let fixed = ["tf=3", "tm=7", "c1=0.5", "c2=0.25", "c3=0"];
    for point in POINTS {
        let given = point.iter().chain(&fixed).flat_map(|value| ["-D", value]);
        let given: Vec<&str> = given.collect();
        let whole = pamela(&[&["eval", file, "--only", "T_main"][..], &given].concat());
        let collected = pamela(&[&["eval", &saved, "--only", "T_main"][..], &given].concat());
        assert_eq!(
            value(&collected, "T_main"),
            value(&whole, "T_main"),
            "{point:?}"
        );
    }
}
