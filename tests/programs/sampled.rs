//! What perf and gprof say of the time of functions is read beside a program, and kept in its profile.

use std::fs;

use super::{directory, pamela};

const PROGRAM: &str = "#include <stdlib.h>\nstatic double sum(int n) {\n    double s = 0;\n\
    for (int i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n\
    int main(int argc, char **argv) {\n    int n = atoi(argv[1]);\n    return sum(n) < 0;\n}\n";

/// As `perf report --stdio` prints it, shortened.
const REPORT: &str = "# Samples: 3K of event 'cpu-clock:pppH'\n# Event count (approx.): 973250000\n#\n\
    # Overhead  Command  Shared Object         Symbol\n# ........  .......  ....................  ......\n#\n\
    \x20   60.00%  a        a                     [.] sum.constprop.0\n\
    \x20   25.00%  a        libgomp.so.1.0.0      [.] 0x000000000001f7da\n\
    \x20   15.00%  a        a                     [.] main\n";

const NOTE: &str = "% note: the time by perf report: sum 60 %, main 15 %; outside of the program: libgomp.so.1.0.0 25 %";

#[test]
fn shares_of_functions_stand_at_the_head_of_the_model() {
    let directory = directory("sampled");
    fs::write(directory.join("a.c"), PROGRAM).expect("a program");
    fs::write(directory.join("report.txt"), REPORT).expect("a report");
    let model = ["model", "a.c", "--profile", "report.txt"];
    let (text, errors, status) = pamela(&model, &directory);
    assert_eq!(status, Some(0), "{errors}");
    assert!(text.starts_with(NOTE), "{text}");
    let _ = fs::remove_file(directory.join("a.json"));
    let profile = [
        "profile",
        "a.c",
        "--points",
        "n=1000000",
        "--runs",
        "1",
        "--sampled",
        "report.txt",
        "-o",
        "a.json",
        "--",
        "{n}",
    ];
    let (_, errors, status) = pamela(&profile, &directory);
    assert_eq!(status, Some(0), "{errors}");
    let kept = fs::read_to_string(directory.join("a.json")).expect("a profile");
    assert!(
        kept.contains("\"sampled\":{\"by\":\"perf report\""),
        "{kept}"
    );
    let (text, errors, status) = pamela(&["model", "a.c", "--profile", "a.json"], &directory);
    assert_eq!(status, Some(0), "{errors}");
    assert!(text.starts_with(NOTE), "{text}");
    fs::write(
        directory.join("other.txt"),
        REPORT.replace("sum", "product").replace("main", "go"),
    )
    .expect("a report");
    let (_, errors, status) = pamela(&["model", "a.c", "--profile", "other.txt"], &directory);
    assert_eq!(status, Some(1));
    assert!(
        errors.contains("names no function of the program"),
        "{errors}"
    );
}
