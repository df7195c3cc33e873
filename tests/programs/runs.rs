//! Programs with counters, built by the system's compiler and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::counted::Case;

/// Statements that a run may count before it is given up.
const MOST_STEPS: u64 = 3_000_000;

/// The program with counters, and beside it what prints them.
pub fn instrumented(case: &Case, text: &str, lines: &[usize]) -> (String, String) {
    let counted = text.lines().enumerate().map(|(at, line)| {
        if lines.contains(&(at + 1)) {
            format!("pamela_step({}), {line}\n", at + 1)
        } else {
            format!("{line}\n")
        }
    });
    let program = "int pamela_step(int);\n".to_string() + &counted.collect::<String>();
    let size = text.lines().count() + 2;
    let mut driver = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nstatic long count[{size}], steps;\n\
         int pamela_step(int line) {{ count[line]++; if (++steps > {MOST_STEPS}) _exit(9); return 0; }}\n\
         static void show(void) {{ for (int k = 1; k < {size}; k++) if (count[k]) fprintf(stderr, \"%d %ld\\n\", k, count[k]); }}\n\
         __attribute__((constructor)) static void begin(void) {{ atexit(show); alarm(2); }}\n"
    );
    // What the programs of benchmarks call for any value.
    for name in [
        "nondet",
        "__VERIFIER_nondet_int",
        "__VERIFIER_nondet_uint",
        "unknown",
        "nondet_bool",
    ] {
        driver.push_str(&format!(
            "__attribute__((weak)) int {name}() {{ return (count[0] = (count[0] * 37 + 11) % 101) % 7 - 1; }}\n"
        ));
    }
    if let Some(entry) = case.entry {
        let given: Vec<String> = (1..=case.arguments.len())
            .map(|at| format!("atol(argv[{at}])"))
            .collect();
        driver.push_str(&format!(
            "long {entry}();\nint main(int argc, char **argv) {{ {entry}({}); return 0; }}\n",
            given.join(", ")
        ));
    }
    (program, driver)
}

/// What a run counts, by lines; none where it does not end.
pub fn run(binary: &Path, point: &[i64], input: &Path) -> Option<BTreeMap<usize, i64>> {
    let output = Command::new(binary)
        .args(point.iter().map(ToString::to_string))
        .stdin(fs::File::open(input).expect("what is read"))
        .output()
        .expect("the program runs");
    // A program may return what it likes.
    output.status.code().filter(|code| *code != 9)?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Some(
        pairs
            .filter_map(|(line, count)| Some((line.parse().ok()?, count.parse().ok()?)))
            .collect(),
    )
}

/// Compiles the program that counts.
pub fn built(at: &Path) -> Output {
    Command::new("cc")
        .args([
            "-O1",
            "-w",
            "-std=gnu17",
            // What a program does where numbers overflow means nothing: it ends by a signal.
            "-fsanitize=signed-integer-overflow",
            "-fsanitize-undefined-trap-on-error",
            "-o",
            "counted",
            "counted.c",
            "driver.c",
            "-lm",
        ])
        .current_dir(at)
        .output()
        .expect("there is a C compiler")
}

/// True if there is a C compiler; says aloud where there is none.
pub fn has_compiler() -> bool {
    let found = Command::new("cc")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("not run: there is no C compiler `cc`");
    }
    found
}
