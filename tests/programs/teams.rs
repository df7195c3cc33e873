//! Programs of OpenMP: how often each piece of code runs is what a run counts, whatever thread does it.
//!
//! The run is that of the same program in which each statement that the model has a time for counts itself, by thread:
//! gcov leaves out what threads share.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{directory, pamela};

/// Sizes n and numbers of threads.
const POINTS: [(i64, i64); 4] = [(0, 3), (1, 2), (7, 3), (20, 4)];

/// Programs with the function that is modelled, and a `main` where they have none.
const PROGRAMS: [(&str, &str, &str); 18] = [
    ("chunk_not_dividing", "f", "f(a)"),
    ("critical_cond_bound", "main", ""),
    ("exit_success_branch", "main", ""),
    ("exits", "main", ""),
    ("free_threads", "main", ""),
    ("known_sizes", "main", ""),
    ("macro_min_grid", "main", ""),
    ("master_in_callee", "main", ""),
    ("omp_loop_directive", "main", ""),
    ("parallel_if_clause", "main", ""),
    ("pragma_operator", "main", ""),
    ("reduction_bound", "main", ""),
    ("sums", "main", ""),
    ("thread_in_callee", "main", ""),
    ("thread_numbers", "main", ""),
    ("threadprivate_cyclic", "main", ""),
    ("tid_in_dynamic", "sweep", "sweep(n, a)"),
    ("tid_static_counts", "f", "f(n, a)"),
];

/// Programs in which a condition or a value depends on data or on the threads that are free, or a clause is left out.
const TOLD_TOO: [&str; 8] = [
    "critical_cond_bound",
    "free_threads",
    "known_sizes",
    "master_in_callee",
    "parallel_if_clause",
    "sums",
    "tid_in_dynamic",
    "tid_static_counts",
];

/// `g` is another function of the same file.
const OTHER: (&str, &str, &str) = ("tid_static_counts", "g", "g(n, a)");

/// Counts by thread and line, and prints them when the program ends.
const COUNTER: &str = r#"
#include <omp.h>
#include <stdio.h>
static long pamela_hits[8][1000];
static inline int hit(int line)
{
    return __atomic_fetch_add(&pamela_hits[omp_get_thread_num()][line], 1, __ATOMIC_RELAXED) & 0;
}
__attribute__((destructor)) static void pamela_print(void)
{
    for (int thread = 0; thread < 8; thread++)
        for (int line = 0; line < 1000; line++)
            if (pamela_hits[thread][line])
                fprintf(stderr, "hit %d %d %ld\n", thread, line, pamela_hits[thread][line]);
}
"#;

fn file(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/openmp");
    directory.join(format!("{name}.c"))
}

/// True if a line is one statement with nothing else.
fn is_statement(line: &str) -> bool {
    let first = line.split([' ', '(']).next().unwrap_or_default();
    let is_other = ["int", "double", "for", "if", "while", "return", "#pragma"];
    line.ends_with(';') && !is_other.contains(&first)
}

/// By line, what each thread counted.
type Hits = BTreeMap<u64, BTreeMap<i64, f64>>;

/// A program in which lines count themselves, those that are one statement with nothing else.
struct Counted {
    binary: PathBuf,
    lines: Vec<u64>,
}

impl Counted {
    fn new(name: &str, driver: &str, lines: &[u64], directory: &Path) -> Counted {
        let text = fs::read_to_string(file(name)).expect("the program");
        let mut text: Vec<String> = text.lines().map(String::from).collect();
        let mut counted = Vec::new();
        for number in lines {
            let at = usize::try_from(*number).expect("a line") - 1;
            // What stands behind `atomic` has to stay as it is.
            if is_statement(text[at].trim()) && !text[at - 1].contains("atomic") {
                text[at] = format!("hit({number}), {}", text[at].trim());
                counted.push(*number);
            }
        }
        if !driver.is_empty() {
            let main =
                "#include <stdlib.h>\nint main(int argc, char **argv) { int n = atoi(argv[1]);";
            let array = "double *a = calloc(n + 100, sizeof *a);";
            text.push(format!("{main} {array} {driver}; }}"));
        }
        let source = directory.join(format!("{name}.c"));
        fs::write(&source, format!("{COUNTER}{}\n", text.join("\n"))).expect("a program");
        let binary = directory.join(name);
        let status = Command::new("cc")
            .args(["-O0", "-w", "-fopenmp", "-o"])
            .args([&binary, &source])
            .arg("-lm")
            .status()
            .expect("a C compiler");
        assert!(status.success(), "{name} compiles");
        Counted {
            binary,
            lines: counted,
        }
    }

    fn run(&self, n: i64, threads: i64) -> Hits {
        let output = Command::new(&self.binary)
            .arg(n.to_string())
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("OMP_DYNAMIC", "false")
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut hits: Hits = self.lines.iter().map(|l| (*l, BTreeMap::new())).collect();
        for line in text.lines().filter_map(|line| line.strip_prefix("hit ")) {
            let words: Vec<i64> = line.split(' ').filter_map(|w| w.parse().ok()).collect();
            let [thread, line, count] = words[..] else {
                panic!("three numbers: {text}")
            };
            let line = u64::try_from(line).expect("a line");
            hits.entry(line).or_default().insert(thread, count as f64);
        }
        hits
    }
}

/// What the program itself says of a parameter that its model has; by hand, or a share that rests on which thread is free.
fn given(name: &str, parameter: &str, n: f64, threads: f64, hits: &Hits) -> f64 {
    let all = |line: u64| hits[&line].values().sum::<f64>();
    let share = |of: u64, line: u64| {
        if all(of) > 0.0 {
            all(line) / all(of)
        } else {
            0.0
        }
    };
    match (name, parameter) {
        (_, "n") => n,
        (_, "P") => threads,
        // All numbers of `rand` pass; all elements are 1.
        ("critical_cond_bound" | "master_in_callee", "cnt" | "found_2") => n,
        ("critical_cond_bound" | "master_in_callee", "p_main_if1" | "p_scan_if1") => 1.0,
        ("known_sizes", "count") => 3.0,
        ("sums", "seen") => threads,
        ("tid_static_counts", "p_g_if1") => all(20) / n.max(1.0),
        ("free_threads", "p_main_if1") => share(13, 15),
        ("free_threads", "p_main_if2") => share(21, 23),
        ("free_threads", "p_main_if3") => share(33, 35),
        // What no count that is compared rests on.
        (_, other) => {
            let is_value = !["t_", "p_", "sizeof_"]
                .iter()
                .any(|kind| other.starts_with(kind));
            assert!(!is_value, "{name}: what is `{other}` of its model?");
            0.0
        }
    }
}

fn number(text: &str) -> Option<f64> {
    let text = text.split('%').next()?.trim();
    match text.split_once('/') {
        Some((a, b)) => Some(a.trim().parse::<f64>().ok()? / b.trim().parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

/// A model with the names that it declares, and the times of it by line.
struct Model {
    name: String,
    declared: Vec<String>,
    times: Vec<(String, u64)>,
}

fn modelled(name: &str, entry: &str, counts: bool, directory: &Path) -> Model {
    let path = file(name);
    let path = path.to_string_lossy();
    let kind = if counts { "--counts" } else { "--strict" };
    let arguments = ["model", &path, "--entry", entry, "--param", "n=argv[1]"];
    let arguments = [&arguments[..], &["--json"], &[kind][..usize::from(counts)]].concat();
    let (json, errors, status) = pamela(&arguments, directory);
    let is_told = TOLD_TOO.contains(&name) && status == Some(3);
    assert!(is_told || status == Some(0), "{name}: {status:?} {errors}");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let text = json["model"].as_str().expect("a model");
    let model = format!("{name}_{entry}_{counts}.pam");
    fs::write(directory.join(&model), text).expect("the model can be written");
    let declared = text
        .lines()
        .filter_map(|line| line.strip_prefix("numeric parameter ")?.split(' ').next());
    let source = fs::read_to_string(file(name)).expect("the program");
    let source: Vec<&str> = source.lines().map(str::trim).collect();
    let list = json["parameters"].as_array().expect("parameters").iter();
    let times = list.filter(|parameter| parameter["kind"] == "time");
    let times = times.filter_map(|parameter| {
        // Straight code may begin with a condition.
        let lines = ["first", "last"].map(|end| parameter["place"][end].as_u64());
        let [first, last] = [lines[0]?, lines[1].or(lines[0])?];
        let at = |line: u64| source.get(usize::try_from(line).ok()? - 1);
        let line = if is_statement(at(first)?) {
            first
        } else {
            last
        };
        Some((parameter["name"].as_str()?.to_string(), line))
    });
    Model {
        name: model,
        declared: declared.map(String::from).collect(),
        times: times.collect(),
    }
}

fn evaluated(
    model: &Model,
    value: impl Fn(&str) -> f64,
    directory: &Path,
) -> BTreeMap<String, f64> {
    let mut arguments = ["eval", "--emit", "pamela", "--effort", "low", &model.name]
        .map(String::from)
        .to_vec();
    for name in &model.declared {
        arguments.extend(["-D".to_string(), format!("{name}={}", value(name))]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (text, errors, status) = pamela(&arguments, directory);
    assert_eq!(status, Some(0), "{}: {errors}", model.name);
    let lines = text.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix("numeric ")?.split_once(" = ")?;
        Some((name.to_string(), number(value)?))
    });
    lines.collect()
}

#[test]
fn counts_are_those_of_the_run() {
    let directory = directory("teams");
    let mut wrong = Vec::new();
    for (name, entry, driver) in PROGRAMS.into_iter().chain([OTHER]) {
        let model = modelled(name, entry, true, &directory);
        let lines: Vec<u64> = model.times.iter().map(|(_, line)| *line).collect();
        let counted = Counted::new(name, driver, &lines, &directory);
        assert!(!counted.lines.is_empty(), "{name}: nothing is counted");
        for (n, threads) in POINTS {
            let hits = counted.run(n, threads);
            let value = |parameter: &str| given(name, parameter, n as f64, threads as f64, &hits);
            let values = evaluated(&model, value, &directory);
            for (time, line) in model
                .times
                .iter()
                .filter(|(_, line)| hits.contains_key(line))
            {
                let ran = hits[line].values().sum::<f64>();
                let found = values[&format!("count_{time}")];
                if (found - ran).abs() > 1e-6 * ran.max(1.0) {
                    wrong.push(format!(
                        "{name}:{line}, n = {n}, {threads} threads: {found}, the run has {ran}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_sizes_take_the_time_of_the_busiest_thread() {
    // Times of 1 for one statement alone: the largest of what the threads of the run counted.
    let directory = directory("teams_times");
    let busiest = |name: &str, entry: &str, driver: &str, lines: &[u64]| {
        let model = modelled(name, entry, false, &directory);
        let counted = Counted::new(name, driver, lines, &directory);
        for (n, threads) in [(5, 3), (6, 4), (6, 7)] {
            let hits = counted.run(n, threads);
            for line in lines {
                let time = model.times.iter().find(|(_, own)| own == line);
                let (time, _) = time.expect("a time");
                let value = |parameter: &str| match parameter {
                    "n" => n as f64,
                    "P" => threads as f64,
                    other => f64::from(u8::from(other == time)),
                };
                let found = evaluated(&model, value, &directory)["time_main"];
                let most = hits[line].values().copied().fold(0.0, f64::max);
                assert_eq!(found, most, "{name}:{line}, {threads} threads");
            }
        }
    };
    // Threads have 6, 6, 5 and 3 iterations.
    busiest("chunk_not_dividing", "f", "f(a)", &[6]);
    busiest("known_sizes", "main", "", &[16, 20, 37]);
    busiest("thread_in_callee", "main", "", &[27, 35, 39]);
}

/// Programs that are not understood in all, with the lines that the notes name.
const TOLD: [(&str, &[u64]); 5] = [
    ("nested_tasks", &[3]),
    ("partner_else_if", &[13]),
    ("persistent", &[16]),
    ("split_rows", &[12, 13, 14]),
    ("tree_reduce", &[14]),
];

#[test]
fn what_is_not_modelled_is_told_with_its_place() {
    let directory = directory("told");
    for (name, lines) in TOLD {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/told");
        let path = path.join(format!("{name}.c"));
        let path = path.to_string_lossy();
        for counts in [false, true] {
            let arguments = ["model", &path, "--counts"];
            let arguments = &arguments[..2 + usize::from(counts)];
            let (model, errors, status) = pamela(arguments, &directory);
            assert_eq!(status, Some(3), "{name}: {errors}");
            for line in lines {
                assert!(errors.contains(&format!("{name}.c:{line}")), "{errors}");
            }
            fs::write(directory.join("told.pam"), model).expect("the model can be written");
            let (_, errors, status) = pamela(&["check", "told.pam"], &directory);
            assert_eq!(status, Some(0), "{name}: {errors}");
        }
    }
}

#[test]
fn an_end_with_success_that_is_left_out_is_told() {
    let directory = directory("ends");
    let model = |body: &str| {
        let text = format!(
            "#include <stdlib.h>\ndouble a[100];\nvoid work(void) {{ for (int i = 0; i < 9; i++) a[i]++; }}\n\
             int main(int argc, char **argv) {{ int n = atoi(argv[1]);\n{body}\nwork(); }}\n"
        );
        fs::write(directory.join("end.c"), text).expect("a program");
        let (_, errors, status) = pamela(&["model", "end.c"], &directory);
        (errors, status)
    };
    for told in [
        "for (int i = 0; i < n; i++) { a[i]++; if (a[i] > 9) exit(0); }",
        "if (a[0] > 1) { work(); exit(n); }",
    ] {
        let (errors, status) = model(told);
        assert_eq!(status, Some(3), "{told}: {errors}");
        assert!(errors.contains("end.c:5"), "{errors}");
    }
    // An error, a condition on sizes, a share that is stated.
    for plain in [
        "#pragma pamela prob(0)\nif (a[0] > 1) { work(); exit(1); }",
        "if (n > 100) { work(); exit(0); }",
        "#pragma pamela prob(1 / 2)\nif (a[0] > 1) { work(); exit(0); }",
    ] {
        let (errors, status) = model(plain);
        assert_eq!(status, Some(0), "{plain}: {errors}");
    }
}

#[test]
fn pragmas_that_a_compiler_ignores_are_left_out() {
    let directory = directory("pragmas");
    let model = |pragma: &str| {
        let text = format!(
            "void f(int n, double *a)\n{{\n{pragma}\n    for (int i = 0; i < n; i++)\n        a[i] += 1.0;\n}}\n"
        );
        fs::write(directory.join("pragma.c"), text).expect("a program");
        pamela(&["model", "pragma.c", "--entry", "f"], &directory)
    };
    let (plain, _, _) = model("");
    for silent in [
        "#pragma scop",
        "#pragma endscop",
        "#pragma live-out a",
        "#pragma ivdep",
        "#pragma GCC ivdep",
        "#pragma GCC unroll 4",
        "#pragma unroll(8)",
        "#pragma once",
        "#pragma vector aligned",
        "#pragma simd",
        "#pragma clang loop vectorize(enable)",
        "#pragma STDC FP_CONTRACT OFF",
        "_Pragma(\"ivdep\")",
        "_Pragma(\"GCC unroll 2\")",
    ] {
        let (text, errors, status) = model(silent);

        assert_eq!((status, &*errors), (Some(0), ""), "{silent}");
        assert_eq!(text, plain, "{silent}");
    }
    for noted in ["#pragma something else", "_Pragma(\"something\")"] {
        let (text, errors, status) = model(noted);
        assert_eq!(status, Some(0), "{noted}: {errors}");
        let (note, rest) = text.split_once('\n').expect("lines");
        assert!(
            note.starts_with("% note: pragma.c:3: `#pragma something`"),
            "{note}"
        );
        assert_eq!(rest, plain, "{noted}");
    }
    for moving in [
        "#pragma acc parallel loop",
        "_Pragma(\"acc kernels\")",
        "#pragma omp target",
        "#pragma omp target teams distribute parallel for",
        "#pragma offload target(mic)",
    ] {
        let (text, errors, status) = model(moving);
        assert_eq!(status, Some(3), "{moving}: {text}{errors}");
        assert!(errors.contains("pragma.c:3"), "{errors}");
    }
}
