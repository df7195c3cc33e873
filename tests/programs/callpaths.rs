//! Models of measured call trees. The measured values are those of functions that are known.

use std::fs;
use std::path::Path;

use super::{directory, pamela};

/// A region, and its seconds at p processes and size n.
type TimedRegion = (&'static str, fn(f64, f64) -> f64);

const REGIONS: [TimedRegion; 4] = [
    ("main", |_, _| 0.5),
    ("main->solve<double>", |p, n| 1e-3 * n * n / p),
    ("main->solve<double>->MPI_Allreduce", |p, _| 0.25 * p.log2()),
    ("main->write", |_, n| 2e-2 * n * n.log2()),
];

fn points() -> Vec<(f64, f64)> {
    let sizes = [64.0, 128.0, 256.0, 512.0, 1024.0];
    let all = [2.0, 4.0, 8.0, 16.0]
        .into_iter()
        .flat_map(|p| sizes.map(|n| (p, n)));
    all.collect()
}

/// Deterministic noise of 1 %.
fn noisy(value: f64, k: usize) -> f64 {
    value * (1.0 + 0.01 * [0.3, -0.8, 0.6, -0.2, 0.9, -0.5, 0.1][k % 7])
}

fn evaluated(at: &Path, file: &str, given: &[&str]) -> f64 {
    let mut words = vec!["eval", file];
    given.iter().for_each(|given| words.extend(["-D", given]));
    let (output, errors, status) = pamela(&words, at);
    assert_eq!(status, Some(0), "{errors}");
    let line = output
        .lines()
        .find(|line| line.starts_with("time_main "))
        .expect("a time");
    line.split_whitespace()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .expect("a number")
}

/// The largest point, which is left out, is predicted; the tree is the structure of the model.
#[test]
fn measured_call_trees_become_models() {
    let at = directory("callpaths");
    let points = points();
    let shown: Vec<String> = points.iter().map(|(p, n)| format!("({p} {n})")).collect();
    let mut text = format!("PARAMETER p n\nPOINTS {}\n", shown.join(" "));
    let mut lines = String::new();
    for (k, (region, time)) in REGIONS.iter().enumerate() {
        text.push_str(&format!("REGION {region}\nMETRIC time\n"));
        for (j, (p, n)) in points.iter().enumerate() {
            let runs = [0, 3].map(|run| noisy(time(*p, *n), k + j + run));
            text.push_str(&format!("DATA {} {}\n", runs[0], runs[1]));
            for run in runs {
                lines.push_str(&format!(
                    "{{\"params\":{{\"p\":{p},\"n\":{n}}},\"callpath\":\"{region}\",\"metric\":\"time\",\"value\":{run}}}\n"
                ));
            }
        }
    }
    fs::write(at.join("runs.txt"), text).expect("a file");
    fs::write(at.join("runs.jsonl"), lines).expect("a file");
    let wanted: f64 = REGIONS.iter().map(|(_, time)| time(32.0, 2048.0)).sum();
    for file in ["runs.txt", "runs.jsonl"] {
        let (_, errors, status) = pamela(&["model", file, "-o", "runs.pam"], &at);
        assert_eq!(status, Some(0), "{errors}");
        let model = fs::read_to_string(at.join("runs.pam")).expect("a model");
        for process in [
            "process main = delay(",
            "process solve_double = ",
            "process MPI_Allreduce = ",
            "process write = ",
        ] {
            assert!(model.contains(process), "{process}: {model}");
        }
        let found = evaluated(&at, "runs.pam", &["p=32", "n=2048"]);
        assert!(
            (found / wanted - 1.0).abs() < 0.02,
            "{found} for {wanted}: {model}"
        );
        let (closed, errors, status) = pamela(&["simplify", "runs.pam"], &at);
        assert_eq!(status, Some(0), "{errors}");
        assert!(closed.contains("numeric time_main = "), "{closed}");
    }
    let (_, errors, status) = pamela(
        &["model", "runs.txt", "--depth", "1", "-o", "flat.pam"],
        &at,
    );
    assert_eq!(status, Some(0), "{errors}");
    let flat = fs::read_to_string(at.join("flat.pam")).expect("a model");
    assert_eq!(flat.matches("process ").count(), 1, "{flat}");
}

/// Regions and parameters that are called like words, functions and laws of the language.
#[test]
fn words_of_the_language_are_no_names_of_regions() {
    let at = directory("words");
    let regions = ["kth", "max", "gamma", "rayleigh", "seq", "floor", "time"];
    let mut lines = String::new();
    for sum in [1, 2, 4, 8, 16] {
        for region in regions {
            lines.push_str(&format!(
                "{{\"params\":{{\"sum\":{sum}}},\"callpath\":\"main->{region}\",\"metric\":\"time\",\"value\":{sum}}}\n"
            ));
        }
    }
    fs::write(at.join("runs.jsonl"), lines).expect("a file");
    let (_, errors, status) = pamela(&["model", "runs.jsonl", "-o", "runs.pam"], &at);
    assert_eq!(status, Some(0), "{errors}");
    let model = fs::read_to_string(at.join("runs.pam")).expect("a model");
    let found = evaluated(&at, "runs.pam", &["sum_2=16"]);
    let wanted = 16.0 * regions.len() as f64;
    assert!(
        (found / wanted - 1.0).abs() < 1e-6,
        "{found} for {wanted}: {model}"
    );
}

/// Files of one run each, of two ranks; the size is a value of the run, or stands in the name of the file.
#[test]
fn profiles_of_caliper_become_models() {
    let at = directory("caliper");
    let mut files = Vec::new();
    for n in [10, 20, 40, 80, 160] {
        let (main, inner) = (1000 * n, 10 * n * n);
        let text = format!(
            "{{\"data\": [[{main}, 0, 0, 1], [{main}, 1, 0, 1], [{inner}, 0, 1, {n}], [{inner}, 1, 1, {n}], [7, 0, null, 1]],
             \"columns\": [\"time.duration\", \"mpi.rank\", \"path\", \"count\"],
             \"column_metadata\": [{{\"is_value\": true}}, {{\"is_value\": true}}, {{\"is_value\": false}}, {{\"is_value\": true}}],
             \"nodes\": [{{\"label\": \"main\", \"column\": \"path\"}}, {{\"label\": \"std::sort(int*)\", \"column\": \"path\", \"parent\": 0}}],
             \"problem_size\": \"{n}\", \"cali.caliper.version\": \"2.9.0\"}}"
        );
        let file = format!("run.n{n}.json");
        fs::write(at.join(&file), text).expect("a file");
        files.push(file);
    }
    for parameter in ["n", "problem_size"] {
        let mut words = vec!["model", "--param", parameter, "-o", "runs.pam"];
        words.extend(files.iter().map(String::as_str));
        let (_, errors, status) = pamela(&words, &at);
        assert_eq!(status, Some(0), "{errors}");
        let given = format!("{parameter}=320");
        let found = evaluated(&at, "runs.pam", &[&given]);
        // Microseconds: 1000 * 320 + 10 * 320^2.
        assert!((found / 1.344 - 1.0).abs() < 1e-3, "{found}");
        let model = fs::read_to_string(at.join("runs.pam")).expect("a model");
        assert!(model.contains("numeric visits_std_sort_int = "), "{model}");
    }
}

#[test]
fn what_is_wrong_with_call_trees_is_told() {
    let at = directory("wrong_callpaths");
    let says = |text: &str, more: &[&str], wanted: &str| {
        fs::write(at.join("wrong.json"), text).expect("a file");
        let (_, errors, status) = pamela(&[&["model", "wrong.json"], more].concat(), &at);
        assert_eq!(status, Some(1), "{text}: {errors}");
        assert!(errors.contains(wanted), "{text}: {errors}");
    };
    let tree =
        "{\"data\": [[1, 5]], \"columns\": [\"time\", \"path\"], \"nodes\": [{\"label\": \"a\"}]}";
    says(tree, &[], "a region that it does not have");
    says(&tree.replace("[1, 5]", "[0, 0]"), &[], "no times above 0");
    says(
        &tree.replace("\"time\"", "\"hits\""),
        &[],
        "no column of times",
    );
    says(
        &tree.replace("[1, 5]", "[1, 0]"),
        &["--param", "n"],
        "no parameter `n`",
    );
    says(
        &tree.replace("[1, 5]", "[1, 0]"),
        &["--entry", "a"],
        "cannot be combined",
    );
    says("{\"a\": 1}", &[], "neither a profile nor measurements");
    says("{\"params\": {\"n\": 1}, \"value\": -1}", &[], "below 0");
}

/// `PAMELA_EXTRAP=DIR`, `tests/data` of Extra-P, of which nothing is kept here: the largest point of each of its files is
/// predicted from the others. Extra-P 4.2.5 is off by 7.6 % in the mean and by 0.0044 % in the median for the 60 metrics that it
/// reads, each modelled without the largest point.
#[test]
fn the_largest_points_of_extra_p_are_predicted_as_well() {
    let Ok(from) = std::env::var("PAMELA_EXTRAP") else {
        return eprintln!("not run: PAMELA_EXTRAP names no directory with the data of Extra-P");
    };
    let at = directory("extra_p");
    let mut errors = Vec::new();
    for folder in [
        "input",
        "input/experiments_SP",
        "input/experiments_MP",
        "jsonlines",
        "json",
        "json/new",
    ] {
        let entries = fs::read_dir(Path::new(&from).join(folder)).expect("a directory");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            let text = fs::read_to_string(path).unwrap_or_default();
            let Ok(measured) = pamela_programs::measured::regions("measured", &text) else {
                continue;
            };
            errors.extend(left_out(&at, &measured));
        }
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let median = errors[errors.len() / 2];
    eprintln!(
        "{} metrics: off by {:.2} % in the mean, {:.4} % in the median",
        errors.len(),
        100.0 * mean,
        100.0 * median
    );
    assert!(
        errors.len() >= 50 && mean <= 0.0757 && median <= 5e-5,
        "{mean} {median}"
    );
}

/// The relative error at the largest point of each region and metric, predicted from the others.
fn left_out(at: &Path, measured: &pamela_programs::measured::Rows) -> Vec<f64> {
    let mut names: Vec<(&str, &str)> = measured
        .rows
        .iter()
        .map(|row| (row.region.as_str(), row.metric.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut errors = Vec::new();
    for (region, metric) in names {
        let own = measured
            .rows
            .iter()
            .filter(|row| row.region == region && row.metric == metric);
        let mut points: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for row in own {
            match points.iter_mut().find(|(values, _)| *values == row.values) {
                Some((_, times)) => times.push(row.time),
                None => points.push((row.values.clone(), vec![row.time])),
            }
        }
        let medians = points.iter_mut().map(|(values, times)| {
            times.sort_by(f64::total_cmp);
            let middle = times.len() / 2;
            let median = if times.len() % 2 == 1 {
                times[middle]
            } else {
                0.5 * (times[middle - 1] + times[middle])
            };
            (values.clone(), median)
        });
        let mut medians: Vec<(Vec<f64>, f64)> = medians.collect();
        medians.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("numbers"));
        let Some((largest, wanted)) = medians.pop().filter(|_| medians.len() >= 4) else {
            continue;
        };
        if wanted <= 0.0 || medians.iter().any(|(_, time)| *time <= 0.0) {
            continue;
        }
        let line = |(values, time): &(Vec<f64>, f64)| {
            let params = measured
                .parameters
                .iter()
                .zip(values)
                .map(|(name, value)| format!("\"{name}\":{value}"));
            format!(
                "{{\"params\":{{{}}},\"value\":{time}}}\n",
                params.collect::<Vec<_>>().join(",")
            )
        };
        fs::write(
            at.join("rest.jsonl"),
            medians.iter().map(line).collect::<String>(),
        )
        .expect("a file");
        let (_, said, status) = pamela(&["model", "rest.jsonl", "-o", "rest.pam"], at);
        assert_eq!(status, Some(0), "{said}");
        let model = fs::read_to_string(at.join("rest.pam")).expect("a model");
        let given = measured
            .parameters
            .iter()
            .zip(&largest)
            .map(|(name, value)| format!("{name}={value}"));
        // Constant ones have no parameters that vary.
        let given: Vec<String> = given
            .filter(|given| {
                model.contains(&format!(
                    "parameter {} ",
                    given.split('=').next().unwrap_or_default()
                ))
            })
            .collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        errors.push((evaluated(at, "rest.pam", &given) / wanted - 1.0).abs());
    }
    errors
}
