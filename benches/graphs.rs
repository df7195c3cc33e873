//! Graphs of a million tasks that take numbers, and of ten thousand random ones: the whole command, process start included,
//! and of it the method itself. `cargo bench --bench graphs`

mod command;

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Instant;

use pamela::law::Named;
use pamela_graph::files::{Options, Source, parse};
use pamela_graph::{Graph, Paths, Samples, Time, Times, bounds, families, sample};

const RECORDED: &str = "process main = graph (w in \"tasks.csv\") delay(w)\n";
const RANDOM_RECORDED: &str =
    "process main = graph (w in \"tasks.csv\") delay(w * exponential(1))\n";
const FAMILY: &str = "numeric parameter n : integer >= 1
process main = graph { a(i = 1, n; j = 1, n): delay(i mod 7 + j mod 5) after a(i-1, j), a(i, j-1) }
";
const RANDOM_FAMILY: &str = "numeric parameter n : integer >= 1
process main = graph { a(i = 1, n; j = 1, n): delay(exponential(1)) after a(i-1, j), a(i, j-1) }
";

fn main() -> io::Result<()> {
    let directory = std::env::temp_dir().join(format!("pamela-graphs-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let simulate = ["--graph", "simulate", "--samples", "1024"];
    let family = ["-D", "n=100", "--graph", "simulate", "--samples", "1024"];
    println!("seconds of processor time of commands, and that passed of methods");
    let million = table(1_000);
    commands(
        &directory,
        &million,
        "1,000,000 tasks from a file",
        RECORDED,
        &[],
    )?;
    commands(
        &directory,
        &million,
        "1,000,000 tasks of a family",
        FAMILY,
        &["-D", "n=1000"],
    )?;
    recorded(&million);
    let some = table(100);
    commands(
        &directory,
        &some,
        "10,000 random tasks from a file, 1,024 samples",
        RANDOM_RECORDED,
        &simulate,
    )?;
    commands(
        &directory,
        &some,
        "10,000 random tasks of a family, 1,024 samples",
        RANDOM_FAMILY,
        &family,
    )?;
    commands(
        &directory,
        &some,
        "the same, bounds",
        RANDOM_FAMILY,
        &["-D", "n=100", "--graph", "bounds"],
    )?;
    random();
    fs::remove_dir_all(directory)
}

/// A wavefront of so many rows and columns as a table of tasks.
fn table(size: u32) -> String {
    let mut text = "task,after,time\n".to_owned();
    for i in 0..size {
        for j in 0..size {
            let above = (i > 0).then(|| format!("t{}_{j}", i - 1));
            let left = (j > 0).then(|| format!("t{i}_{}", j - 1));
            let after: Vec<String> = above.into_iter().chain(left).collect();
            let time = f64::from((7 * i + j) % 11) + 0.5;
            let written = writeln!(text, "t{i}_{j},{},{time}", after.join(" "));
            written.expect("a text takes all that is written");
        }
    }
    text
}

fn commands(
    directory: &Path,
    table: &str,
    what: &str,
    model: &str,
    arguments: &[&str],
) -> io::Result<()> {
    let path = directory.join("model.pam");
    fs::write(&path, model)?;
    fs::write(directory.join("tasks.csv"), table)?;
    let mut least = f64::INFINITY;
    let mut peak = String::new();
    for _ in 0..3 {
        let measured = command::measure("eval", &path, arguments, Stdio::null())?;
        assert_eq!(measured.exit_code, Some(0), "{what}");
        least = least.min(measured.seconds());
        peak = measured.peak();
    }
    println!("command  {what}: {least:.3} s, {peak} MB");
    Ok(())
}

fn timed<T>(what: &str, work: impl Fn() -> T) -> T {
    let mut least = f64::INFINITY;
    for _ in 0..2 {
        let start = Instant::now();
        drop(work());
        least = least.min(start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    let result = work();
    least = least.min(start.elapsed().as_secs_f64());
    println!("method   {what}: {least:.3} s");
    result
}

fn recorded(table: &str) {
    let source = Source {
        name: "tasks.csv",
        text: table,
    };
    let read = || parse(&[source], &Options::default()).expect("it is a table");
    let tasks = timed("1,000,000 tasks, the file is read", read).tasks;
    let graph = timed("1,000,000 tasks, their order", || {
        Graph::of(&tasks).expect("there is no round")
    });
    let times = Times::recorded(&tasks, None).expect("all tasks have times");
    let weights = times.means();
    timed("1,000,000 tasks, heads, tails and the longest path", || {
        Paths::new(&graph, &weights).length()
    });
}

fn random() {
    let law = Named::new("exponential", &[1.0]).expect("the mean is above 0");
    let family = families::wavefront(100, 100).expect("it is a graph");
    let times = vec![Time::scaled(0, 1.0); family.graph.tasks()];
    let times = Times::new(vec![Arc::new(law)], times).expect("times are at least 0");
    let graph = &family.graph;
    timed("10,000 random tasks, 1,024 samples", || {
        sample(graph, &times, 1, Samples::Exactly(1_024)).expect("each task has a time")
    });
    timed("10,000 random tasks, bounds", || {
        bounds(graph, &times, &Default::default()).expect("each task has a time")
    });
}
