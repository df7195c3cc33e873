//! Counts of loop nests: those of the model equal those of the program that is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::random::{Program, Random, program};
use crate::{directory, pamela};

/// Sizes n and m, and a number of threads.
const POINTS: [(i64, i64, i64); 3] = [(12, 7, 2), (24, 30, 3), (5, 48, 2)];

/// All counts of a program, by all threads together and by the busiest.
fn run(binary: &Path, point: (i64, i64, i64)) -> Vec<(i64, i64)> {
    let output = Command::new(binary)
        .args([point.0.to_string(), point.1.to_string()])
        .env("OMP_NUM_THREADS", point.2.to_string())
        .env("OMP_DYNAMIC", "false")
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", binary.display());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let numbers = |line: &str| {
        let (all, most) = line.split_once(' ').expect("two numbers");
        (
            all.parse().expect("a number"),
            most.parse().expect("a number"),
        )
    };
    text.lines().map(numbers).collect()
}

/// The values of the equations of a model at a point.
fn values(
    model: &str,
    definitions: &[String],
    directory: &Path,
) -> Result<BTreeMap<String, String>, String> {
    let mut arguments = vec!["eval", model];
    for definition in definitions {
        arguments.extend(["-D", definition]);
    }
    let (text, errors, status) = pamela(&arguments, directory);
    match status {
        Some(0) => Ok(text
            .lines()
            .filter_map(|line| line.strip_prefix("numeric ")?.split_once(" = "))
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect()),
        _ => Err(format!("{status:?} {errors}")),
    }
}

/// Parameters of a model by the line of C that they stand for; what else it declares.
fn parameters(json: &Value) -> Vec<(String, String, u64)> {
    let parameters = json["parameters"].as_array().expect("a list of parameters");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    parameters
        .iter()
        .map(|p| {
            (
                text(&p["name"]),
                text(&p["kind"]),
                p["place"]["first"].as_u64().unwrap_or(0),
            )
        })
        .collect()
}

/// The line of each counter in the program.
fn lines(program: &Program) -> Vec<u64> {
    let line = |counter: usize| {
        let wanted = format!("COUNT({counter});");
        let at = program.text.lines().position(|line| line.trim() == wanted);
        1 + at.expect("each counter has a line") as u64
    };
    (0..program.counters).map(line).collect()
}

/// What is wrong with the model of a program, if anything is; and how many busiest threads were compared.
fn check(program: &Program, name: &str) -> Result<usize, String> {
    let directory = directory(name);
    let source = directory.join("nest.c");
    fs::write(&source, &program.text).expect("the program can be written");
    let binary = directory.join("nest");
    let status = Command::new("cc")
        .args(["-O1", "-fopenmp", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .expect("there is a C compiler");
    assert!(status.success(), "{}", program.text);
    let (json, errors, status) = pamela(&["model", "nest.c", "--json"], &directory);
    if status != Some(0) {
        return Err(format!("{status:?} {errors}\n{}", program.text));
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let model = json["model"].as_str().expect("the model's text");
    fs::write(directory.join("nest.pam"), model).expect("the model can be written");
    let (counts, errors, status) = pamela(
        &["model", "nest.c", "--counts", "-o", "counts.pam"],
        &directory,
    );
    if status != Some(0) {
        return Err(format!("{counts} {errors}\n{}", program.text));
    }
    let mut compared = 0;
    for point in POINTS {
        let measured = run(&binary, point);
        compared += counted(program, &json, &measured, point, &directory)
            .map_err(|wrong| format!("{wrong} at {point:?}\n{}\n{model}", program.text))?;
    }
    Ok(compared)
}

fn counted(
    program: &Program,
    json: &Value,
    measured: &[(i64, i64)],
    point: (i64, i64, i64),
    directory: &Path,
) -> Result<usize, String> {
    let parameters = parameters(json);
    let sizes = [("n", point.0), ("m", point.1), ("P", point.2)];
    let declared = |name: &str| parameters.iter().any(|(known, _, _)| known == name);
    let given: Vec<String> = sizes
        .iter()
        .filter(|(name, _)| declared(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let text = fs::read_to_string(directory.join("counts.pam")).expect("the counts are there");
    let is_counted = |definition: &&String| {
        let name = definition.split('=').next().unwrap_or_default();
        text.contains(&format!("numeric parameter {name} "))
    };
    let of_counts: Vec<String> = given.iter().filter(is_counted).cloned().collect();
    let counts = values("counts.pam", &of_counts, directory)?;
    let mut compared = 0;
    for (counter, line) in lines(program).into_iter().enumerate() {
        let (all, most) = measured[counter];
        let time = parameters
            .iter()
            .find(|(_, kind, first)| kind == "time" && *first == line);
        let Some((time, _, _)) = time else {
            // Where a condition never holds, nothing is left.
            match all {
                0 => continue,
                _ => {
                    return Err(format!(
                        "nothing stands for line {line}, which runs {all} times"
                    ));
                }
            }
        };
        let found = counts.get(&format!("count_{time}"));
        if found != Some(&all.to_string()) {
            return Err(format!(
                "line {line} runs {all} times, count_{time} is {found:?}"
            ));
        }
        // The time of the program where only this code takes any: that of the busiest thread.
        let mut definitions = given.clone();
        for (name, kind, _) in &parameters {
            if kind != "value" && kind != "threads" {
                definitions.push(format!("{name}={}", u8::from(name == time)));
            }
        }
        let is_exact = !program.text.contains("dynamic") && !program.text.contains("guided");
        match values("nest.pam", &definitions, directory) {
            Ok(found) if is_exact => {
                let found = found.get("T_main");
                if found != Some(&most.to_string()) && !is_dealt_otherwise(json) {
                    return Err(format!(
                        "the busiest thread runs line {line} {most} times, T_main is {found:?}"
                    ));
                }
                compared += 1;
            }
            Ok(_) => {}
            // Sizes that are no multiples of what the model assumes.
            Err(errors) if errors.contains("assum") => {}
            Err(errors) => return Err(errors),
        }
    }
    Ok(compared)
}

/// Whether the model says that it deals out iterations in another way than the program.
fn is_dealt_otherwise(json: &Value) -> bool {
    json["notes"].to_string().contains("dealt out in turn")
}

fn try_many(seeds: std::ops::Range<u64>) {
    let mut wrong = Vec::new();
    let (mut compared, mut programs) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let program = program(&mut random, seed % 2 == 1);
        match check(&program, &format!("nest{seed}")) {
            Ok(more) => compared += more,
            Err(error) => wrong.push(format!("seed {seed}: {error}")),
        }
        programs += 1;
    }
    let shown: Vec<&String> = wrong.iter().take(3).collect();
    let shown: Vec<&str> = shown.into_iter().map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} of {programs}:\n{}",
        wrong.len(),
        shown.join("\n\n")
    );
    assert!(compared >= programs, "only {compared} times were compared");
}

/// `PAMELA_NESTS=300` tries as many.
#[test]
fn counts_of_random_nests_are_those_of_the_programs() {
    let number = std::env::var("PAMELA_NESTS")
        .ok()
        .and_then(|n| n.parse().ok());
    try_many(0..number.unwrap_or(12));
}
