//! Questions about random contention, as a user may ask them.

use std::path::Path;
use std::process::Command;

use super::number;
use crate::selection::is_selected;

/// The time of `main`, as `eval` answers it: the mean of runs.
fn mean_of_runs(text: &str, place: u64) -> f64 {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("question{place}.pam"));
    std::fs::write(&file, text).expect("the question can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["eval", "--json"])
        .arg(&file)
        .output()
        .expect("pamela runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let equations = answer["equations"].as_array().expect("equations");
    let time = equations.iter().find(|own| own["name"] == "time_main");
    let mean = |own: &serde_json::Value| own["value"].as_f64().or(own["mean"].as_f64());
    time.and_then(mean)
        .unwrap_or_else(|| panic!("no time_main of\n{text}"))
}

/// Questions as a user may ask them, each with the answer of a long simulation: at least nine in ten are answered within 5 %.
#[test]
fn questions_about_random_contention_are_answered() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service/questions.txt");
    let text = std::fs::read_to_string(file).expect("the questions are there");
    let questions: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(questions.len(), 30);
    let mut missed = Vec::new();
    let mut asked = 0;
    for (place, block) in (0..).zip(questions) {
        if !is_selected(place) {
            continue;
        }
        asked += 1;
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{block}\nhas no {name}"))
        };
        let (asks, simulated) = (field("% asks: "), field("% simulated: "));
        let simulated: f64 = simulated.parse().expect("a number");
        let found = match asks {
            "time_main" => mean_of_runs(block, place),
            asks => number(&format!("{block}\nnumeric answer = {asks}\n"), "answer"),
        };
        let error = found / simulated - 1.0;
        if error.abs() > 0.05 {
            missed.push(format!(
                "{} {:+.1} %",
                block.lines().next().unwrap_or(""),
                100.0 * error
            ));
        }
    }
    let answered = asked - missed.len();
    println!("{answered} of {asked} questions are answered within 5 %; not: {missed:#?}");
    assert!(missed.len() <= asked / 10, "{missed:#?}");
}
