//! Counts of loop nests: those of the model equal those of the program that is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::selection::seeds;

use super::random::{Program, Random, program};
use super::{directory, pamela};

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

/// The values of the equations of a model: most are found with little effort.
fn values(
    model: &str,
    definitions: &[String],
    directory: &Path,
) -> Result<BTreeMap<String, String>, String> {
    let mut last = String::new();
    for effort in ["low", "normal", "high"] {
        let mut arguments = vec!["eval", "--emit", "pamela", "--effort", effort, model];
        for definition in definitions {
            arguments.extend(["-D", definition]);
        }
        let (text, errors, status) = pamela(&arguments, directory);
        match status {
            Some(0) => {
                return Ok(text
                    .lines()
                    .filter_map(|line| line.strip_prefix("numeric ")?.split_once(" = "))
                    .map(|(name, value)| (name.to_string(), value.to_string()))
                    .collect());
            }
            _ => last = format!("{status:?} {errors}"),
        }
        // What is no matter of effort stays as it is.
        if !last.contains("--effort") {
            break;
        }
    }
    Err(last)
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
///
/// One long function, because each step needs what the one before it wrote.
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
    let parameters = parameters(&json);
    let lines = lines(program);
    let of_line = |line: &u64| {
        let time = parameters
            .iter()
            .find(|(_, kind, first)| kind == "time" && first == line);
        time.map(|(name, _, _)| name.clone())
    };
    let times: Vec<Option<String>> = lines.iter().map(of_line).collect();
    // Who takes a chunk first is not told.
    let is_exact = !program.text.contains("dynamic") && !program.text.contains("guided");
    let with_times = is_exact && !is_dealt_otherwise(&json);
    let counts = fs::read_to_string(directory.join("counts.pam")).expect("the counts are there");
    fs::write(
        directory.join("all.pam"),
        at_points(model, &counts, &parameters, &times, with_times),
    )
    .expect("a model");
    // Another point is no matter: what is evaluated says its own.
    let (n, m, threads) = POINTS[0];
    let sizes = [("n", n), ("m", m), ("P", threads)];
    let value = |name: &str| {
        sizes
            .iter()
            .find(|(size, _)| *size == name)
            .map_or(0, |s| s.1)
    };
    let definitions: Vec<String> = parameters
        .iter()
        .map(|(name, _, _)| format!("{name}={}", value(name)))
        .collect();
    let shown = |wrong: String| format!("{wrong}\n{}\n{model}", program.text);
    let values = values("all.pam", &definitions, &directory).map_err(shown)?;
    let mut compared = 0;
    for (number, point) in POINTS.into_iter().enumerate() {
        let measured = run(&binary, point);
        let holds = (0..assumptions(model).len()).all(|k| {
            values
                .get(&format!("holds{k}_{number}"))
                .is_some_and(|v| v == "1")
        });
        for (counter, (all, most)) in measured.into_iter().enumerate() {
            let line = lines[counter];
            // Where a condition never holds, nothing is left.
            if times[counter].is_none() && all == 0 {
                continue;
            }
            let found = values.get(&format!("all{counter}_{number}"));
            if found != Some(&all.to_string()) {
                return Err(shown(format!(
                    "line {line} runs {all} times at {point:?}, not {found:?}"
                )));
            }
            if holds && with_times {
                let found = values.get(&format!("most{counter}_{number}"));
                if found != Some(&most.to_string()) {
                    return Err(shown(format!(
                        "line {line}: the busiest thread has {most} at {point:?}, not {found:?}"
                    )));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

/// The relations that a model assumes: `a mod b == 0`, or `a >= 0`.
fn assumptions(model: &str) -> Vec<String> {
    let mut relations = Vec::new();
    for line in model
        .lines()
        .filter_map(|line| line.strip_prefix("assume "))
    {
        let (mut depth, mut start) = (0, 0);
        for (at, letter) in line.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    relations.push(line[start..at].trim().to_string());
                    start = at + 1;
                }
                _ => {}
            }
        }
        relations.push(line[start..].trim().to_string());
    }
    relations
}

/// The model with equations for all counts, and for the time where one piece of code alone takes any, at each point.
fn at_points(
    model: &str,
    counts: &str,
    parameters: &[(String, String, u64)],
    times: &[Option<String>],
    with_times: bool,
) -> String {
    let free = model.lines().filter(|line| !line.starts_with("assume "));
    let mut text: String = free.map(|line| format!("{line}\n")).collect();
    let counted = counts
        .lines()
        .filter(|line| line.starts_with("numeric count_"));
    text.extend(counted.map(|line| format!("{line}\n")));
    let declared = |name: &str| parameters.iter().any(|(known, _, _)| known == name);
    for (number, (n, m, threads)) in POINTS.into_iter().enumerate() {
        let sizes = [("n", n), ("m", m), ("P", threads)];
        let sizes = sizes.iter().filter(|(name, _)| declared(name));
        let point: String = sizes
            .map(|(name, value)| format!(", {name}, {value}"))
            .collect();
        for (counter, time) in times.iter().enumerate() {
            let Some(time) = time else { continue };
            text.push_str(&format!(
                "numeric all{counter}_{number} = at(count_{time} + 0{point})\n"
            ));
            if with_times {
                text.push_str(&format!(
                    "numeric most{counter}_{number} = at(T(main), {time}, 1{point})\n"
                ));
            }
        }
        for (k, relation) in assumptions(model).iter().enumerate() {
            text.push_str(&format!(
                "numeric holds{k}_{number} = at(if ({relation}) 1 else 0{point})\n"
            ));
        }
    }
    text
}

/// True if the model says that it deals out iterations in another way than the program.
fn is_dealt_otherwise(json: &Value) -> bool {
    json["notes"].to_string().contains("dealt out")
}

fn try_many(seeds: Vec<u64>) {
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

/// `PAMELA_NESTS=300` tries as many, and with `PAMELA_SEED=37` from that one on.
#[test]
fn counts_of_random_nests_are_those_of_the_programs() {
    try_many(seeds("PAMELA_NESTS", 14));
}
