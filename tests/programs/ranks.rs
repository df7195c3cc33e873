//! Programs of MPI that are run: ranks are counted apart, the longest is the time, and messages are measured.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{STARTING, directory, pamela};

const RUN: &str = "mpirun --allow-run-as-root --oversubscribe --bind-to none -n {P}";

/// True if there is an MPI to compile and to run with; says where there is none.
fn is_installed() -> bool {
    let found = ["mpirun", "mpicc"].map(|program| Command::new(program).arg("--version").output());
    let found = found.into_iter().all(|output| output.is_ok());
    if !found {
        eprintln!("skipped: no MPI is installed, which mpirun and mpicc would show");
    }
    found
}

/// What the last rank is late, in milliseconds.
const LATE: f64 = 400.0;

/// Rank r turns round 3 + 2 r times in each of n iterations, comes to the region 400 ms late if it is the last, and in the
/// region takes 10 (r + 1) ms.
const UNEVEN: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void pause_for(long ms)
{
    struct timespec t = { 0, ms * 1000000 };
    nanosleep(&t, 0);
}
int main(int argc, char **argv)
{
    int rank, size, turns = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    if (rank == size - 1)
        pause_for(400);
#pragma pamela region
    {
        for (int i = 0; i < n; i++) {
            int left = atoi("3") + 2 * rank;
            while (left * atoi("1") > 0) {
                left--;
                turns++;
            }
        }
        pause_for(10 * (rank + 1));
    }
    printf("%d\n", turns);
    MPI_Finalize();
    return 0;
}
"#;

fn profiled(directory: &Path, more: &[&str]) -> (String, Option<i32>) {
    let _ = fs::remove_file(directory.join("p.json"));
    fs::write(directory.join("uneven.c"), UNEVEN).expect("a program");
    let words = ["profile", "uneven.c", "--points", "n=5", "-o", "p.json"];
    let words = [&words[..], more, &["--", "{n}"]].concat();
    let (_, errors, status) = pamela(&words, directory);
    (errors, status)
}

#[test]
fn ranks_are_counted_apart_and_the_longest_is_the_time() {
    if !is_installed() {
        return;
    }
    let _alone = STARTING.lock();
    let directory = directory("ranks");
    let ranks = [
        "--points",
        "P=1,3",
        "--runs",
        "3",
        "--cc",
        "mpicc -O1",
        "--run",
        RUN,
    ];
    let (errors, status) = profiled(&directory, &ranks);
    assert_eq!(status, Some(0), "{errors}");
    let text = fs::read_to_string(directory.join("p.json")).expect("the profile");
    let profile: Value = serde_json::from_str(&text).expect("JSON");
    for (point, size) in profile["points"]
        .as_array()
        .expect("points")
        .iter()
        .zip([1, 3])
    {
        assert_eq!(point["point"]["P"].as_f64(), Some(f64::from(size)));
        let times = point["time_ns"].as_array().expect("times").iter();
        let times = times.map(|time| time.as_f64().expect("a time") * 1e-6);
        // That of the last rank; nobody waits in it for the one that comes late, however busy the machine is in some runs.
        let (least, longest) = (times.fold(f64::INFINITY, f64::min), 10.0 * f64::from(size));
        assert!(
            least >= longest && least < longest + LATE / 2.0,
            "{least} ms with {size} ranks"
        );
        let runs = point["runs"].as_array().expect("runs");
        assert_eq!(runs.len(), size as usize, "{text}");
        for (rank, run) in (0..).zip(runs) {
            assert_eq!(run["rank"].as_u64().unwrap_or(0), rank);
            let site = &run["sites"]["main/while1"];
            assert_eq!(site["calls"].as_u64(), Some(5));
            let turns = 5 * (3 + 2 * rank);
            assert_eq!(site["trips"][0], turns.to_string(), "{text}");
        }
    }
}

#[test]
fn what_is_lacking_to_run_ranks_is_said() {
    let _alone = STARTING.lock();
    let directory = directory("lacking_ranks");
    let (alone, status) = profiled(&directory, &[]);
    assert_eq!(status, Some(1));
    assert!(
        alone.contains("--run 'mpirun -n {P}' with --points P=1,2"),
        "{alone}"
    );
    let run = ["--points", "P=2", "--run", "no_such_launcher -n {P}"];
    let no_compiler = [&run[..], &["--cc", "no_such_mpicc"]].concat();
    let (errors, _) = profiled(&directory, &no_compiler);
    assert!(errors.contains("cannot run `no_such_mpicc`"), "{errors}");
    assert!(errors.contains("libopenmpi-dev"), "{errors}");
    let half = ["--points", "P=1.5", "--run", RUN];
    let (errors, _) = profiled(&directory, &half);
    assert!(
        errors.contains("`P` is a number of ranks, from 1 to 4096"),
        "{errors}"
    );
    let open = ["--points", "P=2", "--run", "mpirun -n {Q}"];
    let (errors, _) = profiled(&directory, &open);
    assert!(
        errors.contains("`P` is not an argument of the program"),
        "{errors}"
    );
    let (_, errors, status) = pamela(&["machine", "--mpi", "--cc", "no_such_mpicc"], &directory);
    assert_eq!(status, Some(1));
    assert!(errors.contains("libopenmpi-dev"), "{errors}");
    if is_installed() {
        let installed = [&run[..], &["--cc", "mpicc"]].concat();
        let (errors, _) = profiled(&directory, &installed);
        assert!(errors.contains("cannot run `no_such_launcher`"), "{errors}");
        assert!(
            errors.contains("--run is the command that starts the program"),
            "{errors}"
        );
        let (_, errors, _) = pamela(
            &[
                "machine",
                "--mpi",
                "--ranks",
                "3",
                "--run",
                &RUN.replace("{P}", "2"),
            ],
            &directory,
        );
        assert!(errors.contains("starts 2 ranks, not 3"), "{errors}");
        // Open MPI asks for options, and says so in the middle of much else.
        let (_, errors, status) = pamela(&["machine", "--mpi", "--ranks", "64"], &directory);
        if status == Some(1) {
            assert!(
                errors.contains("start it with --run 'mpirun --"),
                "{errors}"
            );
        }
    }
}

#[test]
fn the_machine_tells_what_messages_take() {
    if !is_installed() {
        return;
    }
    let _alone = STARTING.lock();
    let directory = directory("machine_mpi");
    let (text, errors, status) = pamela(&["machine", "--mpi", "--run", RUN], &directory);
    assert_eq!(status, Some(0), "{errors}");
    let value = |name: &str| -> f64 {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} = ")));
        let value = line.and_then(|line| line.split_whitespace().next());
        value
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(|| panic!("{name}: {text}"))
    };
    let (startup, word, op) = (value("t_startup"), value("t_word"), value("t_op"));
    assert!(startup >= 0.0 && word >= 0.0 && op > 0.0, "{text}");
    assert_eq!(
        text.matches("t_startup").count(),
        2,
        "a short and a long regime: {text}"
    );
    // The first size of each table, of one word: what the formulas of the table in docs/how-to/programs.md say, by hand.
    let first = |what: &str| -> f64 {
        let heads = [format!("# {what}"), format!("# {what}, 2 ranks")];
        let mut lines = text
            .lines()
            .skip_while(|line| !heads.iter().any(|head| head == line));
        let line = lines.nth(2).unwrap_or_default();
        let value = line.split_whitespace().last();
        value
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(|| panic!("{what}: {line}"))
    };
    for (what, wanted) in [
        ("message", startup + word),
        ("barrier", startup),
        ("bcast", startup + word),
        ("reduce", startup + word + op),
        ("allreduce", startup + word + op),
        ("gather", startup + word),
        ("alltoall", startup + word),
    ] {
        let found = first(what);
        assert!(
            (found - wanted).abs() <= 2e-3 * wanted,
            "{what}: {found} for {wanted}"
        );
    }
}

/// Rank r sends r + k + 1 numbers of 4 bytes to rank k, and 3 (r + 1) numbers of 8 bytes to the next one.
const COUNTED: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, counts[8], coming[8], from[8], to[8], a[64], b[64], held[2], calls = 0, total;
    double c[64], d[64], all = atoi("0");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < size; k++) {
        counts[k] = coming[k] = rank + k + 1;
        from[k] = to[k] = 8 * k;
    }
    MPI_Alltoallv(a, counts, from, MPI_INT, b, coming, to, MPI_INT, MPI_COMM_WORLD);
    held[atoi("0")] = 3 * (rank + 1);
    MPI_Sendrecv(c, (calls++, held[atoi("0")]), MPI_DOUBLE, (rank + 1) % size, 0, d, 64, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    total = (int)(all + rank + 5);
    for (int k = 0; k < total; k++)
        d[k] = k;
    printf("%d\n", calls);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn words_that_rest_on_data_are_counted() {
    if !is_installed() {
        return;
    }
    let _alone = STARTING.lock();
    let directory = directory("words");
    let _ = fs::remove_file(directory.join("p.json"));
    fs::write(directory.join("words.c"), COUNTED).expect("a program");
    let command = "profile words.c -o p.json --runs 1 --points P=1,2,4 --cc";
    let mut words: Vec<&str> = command.split(' ').collect();
    words.extend(["mpicc -O1", "--run", RUN, "--"]);
    let (_, errors, status) = pamela(&words, &directory);
    assert_eq!(status, Some(0), "{errors}");
    let text = fs::read_to_string(directory.join("p.json")).expect("the profile");
    let profile: Value = serde_json::from_str(&text).expect("JSON");
    let sites = &profile["sites"];
    assert_eq!(sites["main/message1"], "words_main", "{text}");
    assert_eq!(sites["main/message2"], "words_main_2", "{text}");
    // The constants of an MPI that is installed are no places of values.
    let mut named = sites.as_object().expect("sites").iter();
    let total = named.find(|(_, name)| *name == "total").expect("a value").0;
    let points = profile["points"].as_array().expect("points").iter();
    for (point, size) in points.zip([1_u64, 2, 4]) {
        let runs = point["runs"].as_array().expect("runs").iter();
        for (rank, run) in (0..size).zip(runs) {
            let site = |name: &str| {
                let site = &run["sites"][name];
                (site["calls"].as_u64(), site["bytes"].as_u64())
            };
            assert_eq!(run["sites"][total]["sum"], rank + 5, "{text}");
            let others = (0..size).filter(|other| *other != rank);
            let bytes: u64 = others.map(|other| 4 * (rank + other + 1)).sum();
            let wanted = (size > 1).then_some(size - 1);
            assert_eq!(
                site("main/message1"),
                (wanted, wanted.map(|_| bytes)),
                "{text}"
            );
            assert_eq!(
                site("main/message2"),
                (Some(1), Some(24 * (rank + 1))),
                "{text}"
            );
        }
    }
    // The model has their means, where all points have the same.
    let first = ["model", "words.c", "--profile", "p.json"];
    let (model, errors, _) = pamela(&first, &directory);
    assert!(!errors.contains("depends on data"), "{errors}");
    assert!(model.contains("alltoall(words_main)"), "{model}");
    let at = [&first[..], &["--at", "P=4"]].concat();
    let (model, _, _) = pamela(&at, &directory);
    // Of 12 pairs the mean of (r + k + 1) / 2, which is 2, and of 4 ranks that of 3 (r + 1).
    let has = |name: &str, value: &str| {
        let start = format!("numeric parameter {name} : >= 0 = {value} ");
        model.lines().any(|line| line.starts_with(&start))
    };
    assert!(
        has("words_main", "2") && has("words_main_2", "7.5"),
        "{model}"
    );
}

#[test]
fn a_value_of_the_root_is_not_averaged_over_ranks() {
    if !is_installed() {
        return;
    }
    let _alone = STARTING.lock();
    let directory = directory("root");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mpi");
    // Other ranks have no value in front of the broadcast.
    for (name, arguments) in [("bcast_arg", "{m}"), ("sizes", "{m} 3")] {
        let _ = fs::remove_file(directory.join("p.json"));
        let path = sources.join(format!("{name}.c"));
        let path = path.to_string_lossy();
        let mut command = vec!["profile", &path, "-o", "p.json", "--runs", "1"];
        command.extend(["--points", "P=1,4", "--points", "m=10", "--cc", "mpicc -O1"]);
        command.extend(["--run", RUN, "--"]);
        command.extend(arguments.split(' '));
        let (_, errors, status) = pamela(&command, &directory);
        assert_eq!(status, Some(0), "{errors}");
        let (model, errors, status) = pamela(&["model", &path, "--profile", "p.json"], &directory);
        assert_eq!(status, Some(0), "{errors}");
        let values: Vec<&str> = model
            .lines()
            .filter(|line| line.starts_with("numeric parameter n "))
            .collect();
        let [value] = values[..] else {
            panic!("one parameter n: {model}")
        };
        assert!(
            value.starts_with("numeric parameter n : integer >= 0 = 10 "),
            "{value}"
        );
    }
}
