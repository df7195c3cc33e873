//! Values that only a run can tell: what the probes see is what the program prints itself.

#![allow(clippy::expect_used, clippy::panic, reason = "what a test needs")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use pamela_programs::Options;
use pamela_programs::profile::{Plan, Profile, known};
use pamela_programs::source::{self, Compiler};
use support::{directory, run, run_part};

/// What a program prints, `name value` on each line.
fn printed(directory: &Path, arguments: &[&str]) -> BTreeMap<String, i64> {
    let built = std::process::Command::new("cc")
        .args(["-fopenmp", "-w", "-o", "program", "program.c", "-lm"])
        .current_dir(directory)
        .status();
    assert!(built.expect("there is a C compiler").success());
    let output = std::process::Command::new(directory.join("program"))
        .args(arguments)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let values = text.lines().filter_map(|line| line.split_once(' '));
    values
        .map(|(name, value)| (name.to_string(), value.parse().expect("a number")))
        .collect()
}

/// The parameters that the profile knows, by their names in the model, at its only point.
fn measured(profile: &Profile) -> BTreeMap<String, f64> {
    let sites = profile.sites.iter();
    let means = sites.filter_map(|(site, name)| {
        let found = profile.points[0].site(site)?;
        Some((name.clone(), found.sum.map(|_| found.mean())?))
    });
    means.collect()
}

/// Compares all that a program prints with what the probes see. A value that two branches set is the third of its name.
fn check(name: &str, text: &str, options: &Options, arguments: &[&str]) {
    let directory = directory(name);
    std::fs::write(directory.join("sizes"), "31 17 5 9 12").expect("a file");
    let file = directory.join("sizes").to_string_lossy().into_owned();
    let arguments: Vec<&str> = arguments.iter().copied().chain([&*file]).collect();
    let ran = run_part(&directory, text, options, |plan| {
        plan.arguments = arguments.iter().map(ToString::to_string).collect();
        plan.axes.clear();
        plan.compiler.options.push("-fopenmp".to_string());
    });
    let profile = ran.result.expect("it runs");
    assert_eq!(ran.runs, 2, "one for counts, one for times");
    let measured = measured(&profile);
    let printed = printed(&directory, &arguments);
    assert!(!printed.is_empty());
    for (name, value) in printed {
        let sites = &profile.sites;
        assert_eq!(
            measured.get(&name),
            Some(&(value as f64)),
            "{name}: {sites:?}"
        );
    }
}

const COUNTED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int count_nonzero(int n, const double *a)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        if (a[i] != 0)
            c++;
    return c;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = malloc(n * sizeof(double)), sum = 0, error = 1;
    for (int i = 0; i < n; i++)
        a[i] = i * i % 7 == 2;
    int first = count_nonzero(n, a), second, odd = 0, most = -1, third, fourth;
    a[0] = a[1] = 1;
    second = count_nonzero(n, a);
    int iterations = 0;
    while (error > 1e-6) {
        error *= 0.7;
        iterations++;
    }
    if (a[3] > a[4])
        odd = rand() % 5 + 7;
    else
        odd = (int)(a[5] * 9) + 4;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            most = i;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < first; i++)
        sum += a[i];
    for (int i = 0; i < second; i++)
        sum *= a[i];
    if ((third = count_nonzero(n / 2, a)) > 1)
        sum++;
    fourth = third, fourth = count_nonzero(n / 3, a), fourth = fourth + 1;
    for (int i = 0; i < third; i++)
        sum -= a[i];
    for (int i = 0; i < fourth; i++)
        sum -= 2 * a[i];
    for (int i = 0; i < odd; i++)
        sum += 1;
    for (int i = 0; i < most; i++)
        sum += 2;
    for (int k = 0; k < iterations; k++)
        sum += k;
    int fifth;
    switch (fifth = count_nonzero(n / 5, a)) {
    case 1:
        sum++;
        break;
    default:
        if (a[7] > 2)
            sum--;
    }
    for (int i = 0; i < fifth; i++)
        sum -= 3 * a[i];
    printf("n %d\nfirst %d\nsecond %d\niterations %d\nodd_3 %d\nmost %d\nthird %d\nfourth %d\nfifth %d\n", n, first, second, iterations,
           odd, most, third, fourth - 1, fifth);
    return 0;
}
"#;

#[test]
fn what_is_counted_in_data_is_seen() {
    check("counted", COUNTED, &Options::default(), &["500"]);
}

const READ: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct grid { int rows; unsigned cols : 9; double *v; };
static void read_grid(FILE *f, struct grid *g)
{
    unsigned cols;
    if (fscanf(f, "%d %u", &g->rows, &cols) != 2)
        exit(1);
    g->cols = cols | 1;
    g->v = calloc(g->rows * g->cols, sizeof(double));
}
static void next(FILE *f, long *to)
{
    *to = 0;
    fscanf(f, "%ld", to);
}
int main(int argc, char **argv)
{
    struct grid g;
    int m, k;
    long steps;
    double s = 0;
    FILE *f = fopen(argv[1], "r");
    if (fscanf(f, "%d", &m) != 1)
        return 1;
    if (argc > 1 && fscanf(f, "%d", &k) == 1)
        puts("read");
    next(f, &steps);
    read_grid(f, &g);
    for (int i = 0; i < m; i++)
        s += i;
    for (int i = 0; i < k; i++)
        s *= i;
    for (long t = 0; t < steps; t++)
        s -= t;
#pragma omp parallel for
    for (int i = 0; i < g.rows; i++)
        for (int j = 0; j < g.cols; j++)
            g.v[i * g.cols + j] += s;
    printf("m %d\nk %d\nsteps %ld\ng_rows %d\ng_cols %d\n", m, k, steps, g.rows, g.cols);
    return 0;
}
"#;

#[test]
fn what_is_read_from_a_file_is_seen() {
    check("read", READ, &Options::default(), &[]);
}

const ENTERED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int width = 3;
static void sort(int low, int high)
{
    if (high - low < 1)
        return;
    int middle = (low + high) / 2;
    sort(low, middle);
    sort(middle + 1, high);
}
void work(int n, int half, long *v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            v[i] += j;
    for (int i = 0; i < half; i++)
        v[i]--;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    long *v = calloc(n, sizeof *v);
    width = n / 7;
    work(n, n / 2, v);
    sort(0, n - 1);
    printf("n %d\nhalf %d\nwidth %d\n", n, n / 2, width);
    return 0;
}
"#;

#[test]
fn arguments_and_globals_of_a_part_are_seen() {
    let options = Options {
        entry: Some("work".to_string()),
        ..Options::default()
    };
    check("entered", ENTERED, &options, &["43"]);
    // Of a function that calls itself, the first call counts.
    let recursive = ENTERED.replace(
        "n %d\\nhalf %d\\nwidth %d\\n\", n, n / 2, width",
        "low 0\\nhigh %d\\n\", n - 1",
    );
    let options = Options {
        entry: Some("sort".to_string()),
        ..Options::default()
    };
    check("recursive", &recursive, &options, &["43"]);
}

/// The model of a program with what its profile knows.
fn modelled(directory: &Path, profile: &Profile) -> pamela_programs::Model {
    let path = directory.join("program.c");
    let unit = source::read(&path, &Compiler::default(), &[]).expect("it is read");
    let options = Options {
        known: known(profile),
        ..Options::default()
    };
    pamela_programs::model(&[unit], &options).expect("it has a model")
}

const DRAWN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), below = -3;
    double x = n / 10 + atoi(argv[2]) % 3, s = 0;
    int m = 0, least = 0;
    while (m < x)
        m++;
    while (least > below * x)
        least -= 2;
    for (int i = 0; i < m; i++)
        s += i;
    for (int i = least; i < n; i++)
        s -= i;
    printf("%g\n", s);
    return 0;
}
"#;

#[test]
fn values_of_a_profile_stand_in_the_model() {
    let directory = directory("drawn");
    let ran_with = |program: &str, sizes: &[f64], seeds: u64| {
        let ran = run(&directory, program, |plan: &mut Plan| {
            plan.axes[0].1 = sizes.to_vec();
            plan.seeds = seeds;
        });
        let _ = std::fs::remove_file(&ran.file);
        ran.result.expect("it runs")
    };
    let at = |sizes: &[f64], seeds: u64| ran_with(DRAWN, sizes, seeds);
    let parameter = |profile: &Profile, name: &str| {
        let model = modelled(&directory, profile);
        let found = model.parameters.iter().find(|p| p.name == name).cloned();
        let notes: Vec<String> = model.opaque.iter().map(|o| o.reason.clone()).collect();
        (found.expect("a parameter"), notes)
    };
    // One run: 100 / 10 + 1.
    let (m, _) = parameter(&at(&[100.0], 1), "m");
    assert_eq!(m.default.as_deref(), Some("11"), "{m:?}");
    assert!(m.what.contains("always, in 1 runs"), "{m:?}");
    // It counts down to -34: what a loop leaves may be of any sign.
    let (least, notes) = parameter(&at(&[100.0], 1), "least");
    assert_eq!(least.facts, "integer".into());
    assert_eq!(least.default.as_deref(), Some("-34"), "{least:?}");
    let is_told = |note: &String| note.contains("`least` is -34 in the profile");
    assert!(!notes.iter().any(is_told), "{notes:?}");
    // Stated to be at least 0, it is told that the profile has less.
    let stated = "#pragma pamela param(least >= 0)\n    int m = 0, least = 0;";
    let stated = DRAWN.replace("    int m = 0, least = 0;", stated);
    let (least, notes) = parameter(&ran_with(&stated, &[100.0], 1), "least");
    assert_eq!(least.default, None);
    assert!(notes.iter().any(is_told), "{notes:?}");
    // The seeds 1, 2, 3, 4 have 11, 12, 10, 11.
    let (m, _) = parameter(&at(&[100.0], 4), "m");
    assert_eq!(m.default.as_deref(), Some("11"), "{m:?}");
    assert!(m.what.contains("from 10 to 12 in 4 runs"), "{m:?}");
    // Different at each point: it stays a parameter, with a column of its own.
    let profile = at(&[100.0, 200.0], 1);
    let (m, _) = parameter(&profile, "m");
    assert_eq!(m.default, None);
    assert!(m.what.contains("from 11 to 21"), "{m:?}");
    let table = profile.table().expect("it has times");
    let column = table.parameters.iter().position(|name| name == "m");
    let column = column.expect("a column");
    let values: Vec<f64> = table.points.iter().map(|p| p.values[column]).collect();
    assert_eq!(values, [11.0, 21.0]);
    // What the points say has no second column.
    assert_eq!(
        table.parameters.iter().filter(|name| *name == "n").count(),
        1
    );
}
