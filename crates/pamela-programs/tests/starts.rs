//! How programs that are profiled are started, and from where to where they are timed.

#![allow(clippy::expect_used, reason = "what a test needs")]

use std::path::Path;
use std::time::Duration;

use pamela_programs::Options;
use pamela_programs::profile::{Plan, Profile, profile};
use pamela_programs::source::{self, Compiler};

/// The profile of a program of which a function is timed, for the values of n.
fn profiled(name: &str, text: &str, entry: Option<&str>, plan: Plan) -> Profile {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    let path = directory.join("program.c");
    std::fs::write(&path, text).expect("the program can be written");
    let unit = source::read(&path, &Compiler::default(), &[]).expect("it is read");
    let options = Options {
        entry: entry.map(String::from),
        ..Options::default()
    };
    let file = directory.join("profile.json");
    let result = profile(&[unit], &options, &plan, &file, &mut |_, _, _| {});
    result.expect("it runs");
    let text = std::fs::read_to_string(&file).expect("the profile");
    Profile::read("profile.json", &text).expect("it is one")
}

fn plan(n: &[f64], run: &[&str], arguments: &[&str]) -> Plan {
    let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    Plan {
        compiler: Compiler::default(),
        link: Vec::new(),
        files: vec!["program.c".to_string()],
        arguments: owned(arguments),
        run: owned(run),
        axes: vec![("n".to_string(), n.to_vec())],
        seeds: 1,
        runs: 1,
        timeout: Duration::from_secs(20),
        stdin: None,
        check_output: true,
    }
}

#[test]
fn what_starts_a_program_is_given_the_values_of_its_point() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = atoi(getenv("PAMELA_TEST_SIZE")), k = 0;
    double sum = 0;
    while (sum < n) sum += ++k;
    printf("%d\n", k);
    return 0;
}
"#;
    let run = ["env", "PAMELA_TEST_SIZE={n}"];
    let profile = profiled("started", text, None, plan(&[100.0, 401.0], &run, &[]));
    let means = profile.points.iter();
    let means = means.filter_map(|point| Some(point.site("main/while1")?.mean()));
    // The least k with k (k + 1) / 2 >= n.
    assert_eq!(means.collect::<Vec<_>>(), [14.0, 28.0]);
    assert_eq!(profile.program.run, run);
}

#[test]
fn a_function_that_calls_itself_is_timed_from_its_first_call() {
    // Of 2^n - 1 calls each waits for 2 ms.
    let text = r#"
#include <stdlib.h>
#include <time.h>
void halve(int n)
{
    struct timespec t = { 0, 2000000 };
    if (n == 0)
        return;
    halve(n - 1);
    nanosleep(&t, 0);
    halve(n - 1);
}
int main(int argc, char **argv) { halve(atoi(argv[1])); return 0; }
"#;
    let profile = profiled("again", text, Some("halve"), plan(&[4.0], &[], &["{n}"]));
    let ms = profile.points[0].time_ns[0] * 1e-6;
    assert!(ms >= 30.0, "{ms} ms");
}
