//! Programs of MPI in the style of many: messages and words of their models equal those that the profiling interface counts.
//!
//! Each day another part of the numbers of ranks is tried. `mpi/counts.txt` holds what was counted, so that no MPI is needed; where it is installed,
//! `PAMELA_MPI=check cargo test --test all programs::mpi` runs the programs again and compares, `PAMELA_MPI=write` writes the
//! table anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{STARTING, directory, pamela};
use crate::selection::is_selected;

const RANKS: [i64; 5] = [1, 2, 3, 4, 6];
const SIZE: i64 = 24;
const STEPS: i64 = 3;

/// Programs with branches or values that depend on data.
const TOLD: [&str; 2] = ["heat", "kmeans"];

/// Programs that are not understood in all, with what a note says of them.
const NOTES: [(&str, &str); 5] = [
    (
        "buckets",
        "the number of words of `MPI_Alltoallv` depends on data",
    ),
    ("cg", "ranks wait for later messages of other ranks"),
    ("farm", "a master gives work to the next free worker"),
    ("ring", "ranks wait for later messages of other ranks"),
    (
        "samplesort",
        "the number of words of `MPI_Alltoallv` depends on data",
    ),
];

pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mpi")
}

/// The names of the programs.
pub fn programs() -> Vec<String> {
    let files = fs::read_dir(sources()).expect("the programs are there");
    let names = files.filter_map(|file| {
        let name = file.ok()?.file_name().into_string().ok()?;
        name.strip_suffix(".c").map(String::from)
    });
    let mut names: Vec<String> = names.filter(|name| name != "count").collect();
    names.sort();
    names
}

/// Counts and words by what is counted.
pub type Counted = BTreeMap<String, (f64, f64)>;

/// What was counted, by program and number of ranks.
pub fn table() -> BTreeMap<(String, i64), Counted> {
    let text = fs::read_to_string(sources().join("counts.txt")).expect("counts.txt");
    let mut table = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [program, ranks, what, calls, sent] = words[..] else {
            panic!("five columns: {line}")
        };
        let key = (program.to_string(), ranks.parse().expect("ranks"));
        let counted: &mut Counted = table.entry(key).or_default();
        if what != "nothing" {
            let number = |text: &str| text.parse::<f64>().expect("a number");
            counted.insert(what.to_string(), (number(calls), number(sent)));
        }
    }
    table
}

/// Processes of a grid in each dimension, as MPI chooses them.
fn extents(ranks: i64, dimensions: usize) -> Vec<i64> {
    match (ranks, dimensions) {
        (4, 2) => vec![2, 2],
        (4, _) => vec![2, 2, 1],
        (6, 2) => vec![3, 2],
        (6, _) => vec![3, 2, 1],
        (ranks, 2) => vec![ranks, 1],
        (ranks, _) => vec![ranks, 1, 1],
    }
}

/// What the model says of a number of ranks.
fn modelled(model: &str, names: &[String], ranks: i64, directory: &Path) -> Counted {
    let dimensions = names
        .iter()
        .filter(|name| name.starts_with("dims_"))
        .count();
    let extents = extents(ranks, dimensions);
    let definitions: Vec<String> = names
        .iter()
        .map(|name| {
            let value = match name.as_str() {
                "P" => ranks,
                "n" => SIZE,
                "steps" => STEPS,
                "Threads" => 1,
                name if name.starts_with("dims_") => {
                    extents[name[5..].parse::<usize>().expect("a number")]
                }
                _ => 0,
            };
            format!("{name}={value}")
        })
        .collect();
    let mut arguments = vec!["eval", "--emit", "pamela", model];
    for definition in &definitions {
        arguments.extend(["-D", definition]);
    }
    let (text, errors, status) = pamela(&arguments, directory);
    assert_eq!(status, Some(0), "{model}: {errors}");
    counted(&text)
}

/// The counts among evaluated equations.
pub fn counted(text: &str) -> Counted {
    let values: BTreeMap<&str, f64> = text
        .lines()
        .filter_map(|line| line.strip_prefix("numeric ")?.split_once(" = "))
        .filter_map(|(name, value)| Some((name, number(value)?)))
        .collect();
    let value = |name: String| values.get(name.as_str()).copied();
    let mut counted = Counted::new();
    for way in ["sent", "received"] {
        if let Some(messages) = value(format!("messages_{way}")) {
            let words = value(format!("words_{way}")).expect("words of messages");
            counted.insert(way.to_string(), (messages, words));
        }
    }
    for (name, calls) in &values {
        if let Some(kind) = name.strip_prefix("calls_of_") {
            let words = value(format!("words_of_{kind}")).unwrap_or(0.0);
            // Those of a function are in that of the program.
            if !kind.contains("_in_") {
                counted.insert(kind.to_string(), (*calls, words));
            }
        }
    }
    counted.retain(|_, (calls, _)| *calls != 0.0);
    counted
}

/// `7 / 2` and `3.5`.
fn number(text: &str) -> Option<f64> {
    let text = text.split('%').next()?.trim();
    match text.split_once('/') {
        Some((a, b)) => Some(a.trim().parse::<f64>().ok()? / b.trim().parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

#[test]
fn messages_and_words_are_those_that_were_counted() {
    let table = table();
    let directory = directory("mpi");
    let all = programs();
    assert!(all.len() >= 20);
    let mut wrong = Vec::new();
    for (place, name) in all.iter().enumerate() {
        let file = sources().join(format!("{name}.c"));
        let file = file.to_string_lossy();
        let base = [
            "model",
            &file,
            "--param",
            "n=argv[1]",
            "--param",
            "steps=argv[2]",
        ];
        let (_, notes, status) = pamela(&base, &directory);
        let note = NOTES.iter().find(|(program, _)| program == name);
        // What depends on data is told, and says nothing of messages.
        let is_told = TOLD.contains(&name.as_str());
        let wanted = if note.is_some() || is_told {
            Some(3)
        } else {
            Some(0)
        };
        if status != wanted || note.is_some_and(|(_, note)| !notes.contains(note)) {
            wrong.push(format!("{name}: {status:?} {notes}"));
            continue;
        }
        let (json, _, _) = pamela(&[&base[..], &["--counts", "--json"]].concat(), &directory);
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let text = json["model"].as_str().expect("a model");
        let model = format!("{name}.pam");
        fs::write(directory.join(&model), text).expect("the model can be written");
        let names: Vec<String> = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix("numeric parameter ")?
                    .split_whitespace()
                    .next()
            })
            .map(String::from)
            .collect();
        for ranks in due(place) {
            let mut found = modelled(&model, &names, ranks, &directory);
            let counted = &table[&(name.clone(), ranks)];
            if ["buckets", "samplesort"].contains(&name.as_str()) {
                // How many words go to whom is a parameter.
                let words = counted["alltoall"].1;
                if let Some(alltoall) = found.get_mut("alltoall") {
                    alltoall.1 = words;
                }
            }
            if name != "farm" && found != *counted {
                wrong.push(format!(
                    "{name}, {ranks} ranks: {found:?}, counted {counted:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The numbers of ranks that are tried with a program.
fn due(program: usize) -> Vec<i64> {
    let numbered = (program as u64..).zip(RANKS);
    let mine =
        numbered.filter(|(number, _)| is_selected(*number) || std::env::var("PAMELA_MPI").is_ok());
    mine.map(|(_, ranks)| ranks).collect()
}

/// What the profiling interface counts.
fn run(binary: &Path, ranks: i64) -> Counted {
    let output = Command::new("mpirun")
        .args(["--oversubscribe", "-n", &ranks.to_string()])
        .arg(binary)
        .args([SIZE.to_string(), STEPS.to_string()])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMP_NUM_THREADS", "1")
        .output()
        .expect("mpirun runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", binary.display());
    let counted = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.strip_prefix("counted ")?.split_whitespace().collect();
        let [what, calls, sent] = words[..] else {
            return None;
        };
        Some((what.to_string(), (calls.parse().ok()?, sent.parse().ok()?)))
    });
    counted.collect()
}

#[test]
fn what_was_counted_is_counted_again() {
    let Ok(wish) = std::env::var("PAMELA_MPI") else {
        eprintln!("not run: PAMELA_MPI=check runs the programs where MPI is installed");
        return;
    };
    let _alone = STARTING.lock();
    let directory = directory("mpi_runs");
    let mut text =
        String::from("# program, ranks, what, how often, words of 8 bytes; n = 24, 3 steps\n");
    for name in programs() {
        let binary = directory.join(&name);
        let status = Command::new("mpicc")
            .args(["-O1", "-fopenmp", "-w", "-o"])
            .arg(&binary)
            .arg(sources().join(format!("{name}.c")))
            .arg(sources().join("count.c"))
            .arg("-lm")
            .status();
        let Ok(status) = status else {
            eprintln!("skipped: mpicc is not installed");
            return;
        };
        assert!(status.success(), "{name} compiles");
        for ranks in RANKS {
            let counted = run(&binary, ranks);
            if counted.is_empty() {
                text.push_str(&format!("{name} {ranks} nothing 0 0\n"));
            }
            for (what, (calls, words)) in counted {
                text.push_str(&format!("{name} {ranks} {what} {calls} {words}\n"));
            }
        }
    }
    let file = sources().join("counts.txt");
    match wish.as_str() {
        "write" => fs::write(file, text).expect("counts.txt can be written"),
        _ => assert_eq!(text, fs::read_to_string(file).expect("counts.txt")),
    }
}

/// The time of a program's model at a point; what is not given is 0.
fn time(program: &str, point: &[(&str, f64)]) -> f64 {
    let directory = directory("mpi");
    let file = sources().join(format!("{program}.c"));
    let (model, errors, _) = pamela(
        &[
            "model",
            &file.to_string_lossy(),
            "--param",
            "n=argv[1]",
            "--param",
            "steps=argv[2]",
        ],
        &directory,
    );
    assert!(!model.is_empty(), "{errors}");
    let name = format!("{program}_time.pam");
    fs::write(directory.join(&name), &model).expect("the model can be written");
    let mut arguments = vec![
        "eval".to_string(),
        "--emit=pamela".to_string(),
        "--only=T_main".to_string(),
        name,
    ];
    for line in model.lines() {
        if let Some(name) = line
            .strip_prefix("numeric parameter ")
            .and_then(|l| l.split(' ').next())
        {
            let given = point.iter().find(|(known, _)| *known == name);
            let value = given.map_or(0.0, |(_, value)| *value);
            arguments.extend(["-D".to_string(), format!("{name}={value}")]);
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (text, errors, status) = pamela(&arguments, &directory);
    assert_eq!(status, Some(0), "{errors}");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("numeric T_main = "));
    line.and_then(number)
        .unwrap_or_else(|| panic!("a time: {text}"))
}

#[test]
fn a_halo_exchange_takes_what_is_derived_by_hand() {
    // Two messages of a row each way, but on one rank; then the sum by doubling.
    let (n, steps, startup, word, op, cell) = (12.0, 3.0, 5.0, 0.25, 0.5, 2.0);
    for ranks in [1.0_f64, 2.0, 3.0, 5.0] {
        let found = time(
            "jacobi",
            &[
                ("P", ranks),
                ("n", n),
                ("steps", steps),
                ("t_startup", startup),
                ("t_word", word),
                ("t_op", op),
                ("t_main_3", cell),
            ],
        );
        let messages = if ranks > 1.0 {
            2.0 * (startup + n * word)
        } else {
            0.0
        };
        let cells = (n / ranks).floor() * (n - 2.0) * cell;
        let sum = ranks.log2().ceil() * (startup + word + op);
        assert_eq!(found, steps * (messages + cells + sum), "{ranks} ranks");
    }
}

#[test]
fn work_goes_on_beside_messages_that_were_posted() {
    // Four messages are posted; the words of one take as long as those of all, beside the work on the interior.
    let (n, steps, startup) = (10.0, 3.0, 5.0);
    for (word, cell) in [(0.25, 2.0), (100.0, 2.0), (8.0, 1.25)] {
        let point = [
            ("P", 4.0),
            ("n", n),
            ("steps", steps),
            ("t_startup", startup),
            ("t_word", word),
            ("t_interior_1", cell),
        ];
        let work = (n - 2.0) * (n - 2.0) * cell;
        let wanted = steps * (4.0 * startup + f64::max(n * word, work));
        assert_eq!(time("overlap", &point), wanted, "{word} a word");
    }
}

#[test]
fn a_master_serves_all_messages_that_were_counted() {
    // Each worker has as many tasks. A message takes 1, all else nothing: the master has one after the other.
    for ranks in [2, 3, 4] {
        let counted = &table()[&("farm".to_string(), ranks)];
        let point = [("P", ranks as f64), ("n", SIZE as f64), ("t_startup", 1.0)];
        assert_eq!(time("farm", &point), counted["sent"].0, "{ranks} ranks");
    }
}

#[test]
fn a_pipeline_takes_what_its_recurrence_says() {
    let (items, startup, word, work) = (4, 7.0, 0.5, 0.25);
    for ranks in [1_usize, 2, 3, 5] {
        let point = [
            ("P", ranks as f64),
            ("n", f64::from(items)),
            ("t_startup", startup),
            ("t_word", word),
            ("t_stage_1", work),
        ];
        // When each rank has its last item done, and has handed it on.
        let (mut done, mut sent) = (vec![0.0_f64; ranks], vec![0.0_f64; ranks]);
        for _ in 0..items {
            for rank in 0..ranks {
                let there = if rank > 0 { sent[rank - 1] } else { 0.0 };
                done[rank] = there.max(done[rank]).max(sent[rank]) + 100.0 * work;
                if rank + 1 < ranks {
                    sent[rank] = done[rank] + startup + 100.0 * word;
                }
            }
        }
        // The barrier behind it doubles.
        let barrier = (ranks as f64).log2().ceil() * startup;
        assert_eq!(
            time("pipeline", &point),
            done[ranks - 1] + barrier,
            "{ranks} ranks"
        );
    }
}
