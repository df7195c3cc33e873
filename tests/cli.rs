//! The command line, as its reader sees it.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn commands_print_what_the_cases_say() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() -> std::io::Result<()> {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["rules", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Ok(())
}

/// What the program prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("it prints text")
}

/// A rule's users are the models whose derivation takes it as a step.
#[test]
fn the_users_of_a_rule_are_those_whose_derivations_name_it() {
    let models = ["mrm.pam", "psrs.pam", "vector_scaling_stochastic.pam"];
    let corpus = Path::new(env!("CARGO_TARGET_TMPDIR")).join("few");
    fs::create_dir_all(corpus.join("papers")).expect("a directory for the models");
    let derivations = models.map(|model| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/papers");
        let (file, copy) = (file.join(model), corpus.join("papers").join(model));
        fs::copy(&file, &copy).expect("the model can be copied");
        let copy = copy.to_str().expect("a path is text");
        (model, printed(&["simplify", "--all", "--explain", copy]))
    });
    let rules = [
        "vector-max-single",
        "vector-max-cyclic",
        "sum-polynomial",
        "moment-copies",
        "max-parabola",
    ];
    let directory = corpus.to_str().expect("a path is text");
    let listed = printed(&["rules", "list", "--uses", "--corpus", directory]);
    let shown = printed(&["rules", "show", rules[0], "--uses", "--corpus", directory]);
    let users = |rule: &str| {
        let mut lines = listed.lines();
        lines.find(|line| line.split_whitespace().next() == Some(rule));
        let users = lines.next().expect("a line of models");
        users
            .rsplit("    used by ")
            .next()
            .expect("models")
            .to_owned()
    };
    let mut seen = [false, false];
    for rule in rules {
        let users = users(rule);
        for (model, derivation) in &derivations {
            // A rule is spelled out in its first step and only named in later ones.
            let takes = derivation
                .lines()
                .any(|line| line.contains(&format!(". {rule}: ")));
            let model = format!("papers/{model}");
            assert_eq!(users.contains(&model), takes, "{rule} in {model}: {users}");
            let line = format!("% used by {model}\n");
            assert!(
                rule != rules[0] || shown.contains(&line) == takes,
                "{shown}"
            );
            seen[usize::from(takes)] = true;
        }
    }
    assert_eq!(users("max-parabola"), "no model");
    assert_eq!(seen, [true, true]);
}

/// A directory with a copy of the program alone.
#[cfg(unix)]
fn lonely(name: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("path")).expect("a directory for the program");
    let program = directory.join("pamela");
    fs::copy(env!("CARGO_BIN_EXE_pamela"), &program).expect("the program can be copied");
    (directory, program)
}

/// Writes a program that prints its name and arguments, and ends with 3.
#[cfg(unix)]
fn echo(path: &Path, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let text = format!("#!/bin/sh\necho {name} \"$#\" \"$@\"\nexit 3\n");
    fs::write(path, text).expect("the program can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be run");
}

#[cfg(unix)]
#[test]
fn studies_run_in_the_program_beside_or_on_the_path() {
    let (directory, program) = lonely("handed");
    let run = |arguments: &[&str]| {
        let output = Command::new(&program)
            .args(arguments)
            .env("PATH", directory.join("path"))
            .output()
            .expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (code, printed, error) = run(&["study", "mrm"]);
    assert_eq!((code, printed.as_str()), (Some(1), ""));
    for part in [
        "`pamela study` needs the program `pamela-lab`",
        "on the PATH",
        "cargo install --path .",
    ] {
        assert!(error.contains(part), "{error}");
    }
    echo(&directory.join("path/pamela-lab"), "far");
    let (code, printed, _) = run(&["study", "mrm", "--json", "-x", "a b"]);
    assert_eq!(
        (code, printed.as_str()),
        (Some(3), "far 4 mrm --json -x a b\n")
    );
    echo(&directory.join("pamela-lab"), "near");
    for (given, expected) in [
        (&["study"][..], "near 0\n"),
        (&["study", "--help"], "near 1 --help\n"),
        (&["study", "--version"], "near 1 --version\n"),
        (&["help", "study"], "near 1 --help\n"),
        (&["help", "study", "mrm"], "near 2 mrm --help\n"),
        (&["study", "help", "mrm"], "near 2 help mrm\n"),
        (&["study", "--", "mrm"], "near 1 mrm\n"),
    ] {
        let (code, printed, error) = run(given);
        assert_eq!((code, printed.as_str()), (Some(3), expected), "{error}");
    }
}

/// What describes a study is in the program that runs it alone.
#[test]
fn the_program_holds_no_study() {
    let texts = [
        env!("CARGO_BIN_EXE_pamela"),
        env!("CARGO_BIN_EXE_pamela-lab"),
    ]
    .map(|path| {
        let bytes = fs::read(path).expect("the program can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let studies = printed(&["study"]);
    let about = studies
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(_, about)| about.trim());
    let about: Vec<&str> = about.step_by(6).collect();
    assert!(about.len() >= 3, "{studies}");
    for about in about {
        assert_eq!(
            texts.each_ref().map(|text| text.contains(about)),
            [false, true],
            "{about}"
        );
    }
}

/// `tests/findings.md` names a file, or a test in one, for each thing that once misled.
#[test]
fn every_finding_has_a_case() {
    let findings = fs::read_to_string("tests/findings.md").expect("the findings");
    let rows = findings.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<&str> = rows.filter(|line| !line.starts_with("| seen ")).collect();
    for row in &rows {
        let cases = row.rsplit_once(" | ").expect("a case").1;
        let cases: Vec<&str> = cases.split('`').skip(1).step_by(2).collect();
        assert!(!cases.is_empty(), "no case: {row}");
        for case in cases {
            let (file, test) = case.split_once("::").unwrap_or((case, ""));
            // A module of many files has the name of its folder.
            let folder = file.replace(".rs", "/mod.rs");
            let text = fs::read_to_string(file).or_else(|_| fs::read_to_string(folder));
            let text = text.unwrap_or_else(|_| panic!("no file {file}"));
            assert!(text.contains(test), "no test {test} in {file}");
        }
    }
    assert!(rows.len() > 40, "only {} findings", rows.len());
}
