//! Models of recorded MPI calls: their counts are those that the preloaded library wrote, and those of another library.
//!
//! `tests/cli/samples` and `tests/programs/recorded` hold recorded calls, so that no MPI is needed. Where it is installed,
//! programs in C and Fortran are recorded; `PAMELA_MPI=check` records all programs of `tests/programs/mpi`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::mpi::{Counted, counted, programs, sources, table};
use super::{STARTING, directory, pamela};

const WORD: f64 = 8.0;
const RUN: &str = "mpirun --oversubscribe -n {P}";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What was counted before anything was folded, by the values of the parameters.
fn recorded(text: &str) -> Vec<(BTreeMap<String, i64>, Counted)> {
    let trace: Value = serde_json::from_str(text).expect("JSON");
    let points = trace["points"].as_array().expect("points");
    let point = |point: &Value| {
        let values = point["point"].as_object().expect("a point").iter();
        let values = values.map(|(name, value)| (name.clone(), value.as_i64().expect("a value")));
        let counted = point["counted"].as_object().expect("counts").iter();
        let number = |value: &Value| value.as_f64().expect("a number");
        let counted =
            counted.map(|(what, two)| (what.clone(), (number(&two[0]), number(&two[1]) / WORD)));
        (values.collect(), counted.collect())
    };
    points.iter().map(point).collect()
}

/// The counts of a model of recorded calls at a point.
fn modelled(model: &str, point: &BTreeMap<String, i64>, at: &Path) -> Counted {
    let text = fs::read_to_string(at.join(model)).expect("the model");
    let is_parameter = |name: &String| text.contains(&format!("numeric parameter {name} "));
    let given: Vec<String> = point
        .iter()
        .filter(|(name, _)| is_parameter(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut words = vec!["eval", "--emit", "pamela", model];
    given.iter().for_each(|given| words.extend(["-D", given]));
    let (text, errors, status) = pamela(&words, at);
    assert_eq!(status, Some(0), "{model}: {errors}");
    counted(&text)
}

/// Writes the model with the counts of recorded calls beside them.
fn write_model(trace: &Path, at: &Path) -> String {
    let model = trace.with_extension("pam");
    let name = model.file_name().expect("a name").to_string_lossy();
    let trace = trace.to_string_lossy();
    let (_, errors, status) = pamela(&["model", &trace, "--counts", "-o", &name], at);
    assert!(matches!(status, Some(0 | 3)), "{trace}: {errors}");
    name.into_owned()
}

#[test]
fn counts_of_recorded_calls_are_those_of_their_models() {
    let at = directory("recorded");
    let folder = root().join("tests/programs/recorded");
    let files = fs::read_dir(folder).expect("the recorded calls are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.push(root().join("tests/cli/samples/relax.json"));
    assert!(files.len() >= 4);
    for file in files {
        let model = write_model(&file, &at);
        let text = fs::read_to_string(&file).expect("recorded calls");
        for (point, counted) in recorded(&text) {
            let found = modelled(&model, &point, &at);
            assert_eq!(found, counted, "{} at {point:?}", file.display());
        }
    }
}

/// The formulas of a trace hold at points that were not recorded: counts by hand.
#[test]
fn counts_are_predicted_at_other_points() {
    let at = directory("recorded_elsewhere");
    let model = write_model(&root().join("tests/cli/samples/relax.json"), &at);
    for (ranks, n, steps) in [(1, 30, 7), (3, 99, 1), (16, 1600, 9)] {
        let point = [("P", ranks), ("n", n), ("steps", steps)];
        let point = point.map(|(name, value)| (name.to_string(), value));
        let found = modelled(&model, &BTreeMap::from(point), &at);
        // Each step, n words go between neighbours in both directions, and all ranks combine one word.
        let messages = (2 * (ranks - 1) * steps) as f64;
        let mut expected = Counted::new();
        if ranks > 1 {
            expected.insert("sent".to_string(), (messages, messages * n as f64));
            expected.insert("received".to_string(), (messages, messages * n as f64));
        }
        let calls = (ranks * steps) as f64;
        expected.insert("allreduce".to_string(), (calls, calls));
        assert_eq!(found, expected, "{ranks} ranks, n = {n}, {steps} steps");
    }
}

#[test]
fn wrong_traces_and_plans_are_told() {
    let at = directory("recorded_wrongly");
    let text = fs::read_to_string(root().join("tests/cli/samples/relax.json"));
    let text = text.expect("recorded calls");
    let cases = [
        text.replace("\"P\":2", "\"P\":3"),
        text.replace("\"times\":[[", "\"times\":[[9"),
        text.replace("\"times\":[[", "\"times\":[[-1,1],["),
        text[..text.len() / 2].to_string(),
        "{\"format\":\"pamela-messages/1\"}".to_string(),
    ];
    for (number, case) in cases.iter().enumerate() {
        fs::write(at.join("wrong.json"), case).expect("a file");
        let (_, errors, status) = pamela(&["model", "wrong.json"], &at);
        assert_eq!(status, Some(1), "case {number}: {errors}");
        assert!(errors.contains("has no recorded calls of MPI"), "{errors}");
    }
    let profile = |program: &str, compiler: &str, points: &str| {
        let words = ["profile", "--mpi", program, "--cc", compiler, "--points"];
        let words = [&words[..], &[points, "-o", "out.json"]].concat();
        let (_, errors, status) = pamela(&words, &at);
        assert_eq!(status, Some(1), "{errors}");
        errors
    };
    let errors = profile("nothing", "mpicc", "P=2");
    assert!(errors.contains("there is no program `nothing`"), "{errors}");
    let errors = profile("wrong.json", "no-such-compiler", "P=2");
    assert!(errors.contains("cannot run `no-such-compiler`"), "{errors}");
    assert!(errors.contains("libopenmpi-dev"), "{errors}");
    let errors = profile("wrong.json", "mpicc", "P=0");
    assert!(errors.contains("`P` is a number of ranks"), "{errors}");
}

/// True if a program of MPI is installed; says so if it is not.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

/// Builds a program, and records it at these points.
fn record(compiler: &str, source: &Path, points: &[&str], words: &[&str], at: &Path) -> PathBuf {
    let name = source.file_stem().expect("a name").to_string_lossy();
    let status = Command::new(compiler)
        .args(["-O1", "-w", "-o"])
        .arg(at.join(&*name))
        .arg(source)
        .arg("-lm")
        .status();
    assert!(status.expect("the compiler runs").success(), "{name}");
    let trace = format!("{name}.json");
    let mut arguments = vec!["profile", "--mpi", &name, "--run", RUN, "-o", &trace];
    points
        .iter()
        .for_each(|own| arguments.extend(["--points", own]));
    arguments.push("--");
    arguments.extend(words);
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(&arguments)
        .current_dir(at)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMP_NUM_THREADS", "1")
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    at.join(trace)
}

/// A program in Fortran, whose calls are counted by hand.
#[test]
fn a_program_in_fortran_is_recorded() {
    if !has("mpicc") || !has("mpif90") || !has("mpirun") {
        return;
    }
    let _alone = STARTING.lock();
    let at = directory("recorded_fortran");
    let source = root().join("tests/cli/samples/relax.f90");
    let points = ["P=1,2,3", "n=12,18", "steps=2,3"];
    let trace = record("mpif90", &source, &points, &["{n}", "{steps}"], &at);
    let text = fs::read_to_string(trace).expect("recorded calls");
    let all = recorded(&text);
    assert_eq!(all.len(), 12);
    for (point, counted) in all {
        let [ranks, n, steps] = ["P", "n", "steps"].map(|name| point[name] as f64);
        let messages = 2.0 * (ranks - 1.0) * steps;
        assert_eq!(
            counted["allreduce"],
            (ranks * steps, ranks * steps),
            "{point:?}"
        );
        let sent = counted.get("sent").copied().unwrap_or_default();
        assert_eq!(sent, (messages, messages * n), "{point:?}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args([
            "profile",
            "--mpi",
            "/bin/true",
            "--run",
            RUN,
            "--points",
            "P=2",
            "-o",
            "no.json",
        ])
        .current_dir(&at)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(
        errors.contains("must be linked dynamically with the MPI"),
        "{errors}"
    );
}

/// All programs: the library counts what the one of `mpi/count.c` counted, and so do the models.
#[test]
fn all_programs_are_recorded_as_they_were_counted() {
    if std::env::var("PAMELA_MPI").is_err() {
        eprintln!("not run: PAMELA_MPI=check records the programs where MPI is installed");
        return;
    }
    if !has("mpicc") || !has("mpirun") {
        return;
    }
    let _alone = STARTING.lock();
    let at = directory("recorded_all");
    let table = table();
    let mut wrong = Vec::new();
    for name in programs() {
        let source = sources().join(format!("{name}.c"));
        let points = ["P=1,2,3,4,6", "n=12,24,36", "steps=3"];
        let trace = record("mpicc", &source, &points, &["{n}", "{steps}"], &at);
        let text = fs::read_to_string(&trace).expect("recorded calls");
        let model = write_model(&trace, &at);
        for (point, counted) in recorded(&text) {
            if (point["n"], point["steps"]) == (24, 3) {
                let mut other = table[&(name.clone(), point["P"])].clone();
                if ["buckets", "samplesort"].contains(&name.as_str()) {
                    // `mpi/count.c` does not count the words of `MPI_Alltoallv`.
                    other.insert("alltoall".to_string(), counted["alltoall"]);
                }
                if counted != other {
                    wrong.push(format!("{name} {point:?}: {counted:?}, counted {other:?}"));
                }
            }
            // The run decides which worker does a job.
            let found = modelled(&model, &point, &at);
            if name != "farm" && found != counted {
                wrong.push(format!("{name} {point:?}: {found:?}, recorded {counted:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
