//! `pamela sweep` as a process: shards, files that go on, errors.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn pamela(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs")
}

fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn error(arguments: &[&str]) -> String {
    let output = pamela(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory.join(name)
}

const MODEL: &str = "corpus/papers/mrm.pam";
const FIXED: [&str; 4] = ["-D", "tl=10", "-D", "ts=0.1"];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", MODEL], &FIXED[..], more].concat()
}

#[test]
fn values_beyond_the_largest_double_are_infinite_and_noted() {
    let model = file("beyond.pam");
    fs::write(&model, "numeric parameter n : integer\nnumeric T = -10^n").expect("a model");
    let sweep = |more: &[&str]| {
        let model = model.to_str().expect("a path");
        text(&pamela(
            &[&["sweep", model, "-D", "n=1,400"], more].concat(),
        ))
    };
    let rows = "n,T,regime,note\n1,-10,,\n400,-inf,,T is beyond the largest double\n";
    assert_eq!(sweep(&[]), rows);
    assert_eq!(
        sweep(&["--aggregate", "min,argmin,max"]),
        "T_min,T_argmin_n,T_max\n-inf,400,-10\n"
    );
    let json = sweep(&["--format", "jsonl"]);
    let last: serde_json::Value =
        serde_json::from_str(json.lines().last().expect("a row")).expect("JSON");
    assert!(last["T"].is_null(), "{last}");
    assert_eq!(last["note"], "T is beyond the largest double");
}

/// `T_main` is `N * max(10.1, P / 10)`, to the last decimal.
#[test]
fn conditions_on_values_are_decided_where_both_sides_are_equal() {
    for (condition, rows) in [
        ("T_main == 10.1", 101),
        ("T_main > 10.1 * N", 19 * 20),
        ("T_main <= 20.2", 120 + 101),
        ("floor(T_main / 10.1) == N && P <= 101", 101 * 20),
    ] {
        let grid = ["-D", "P=1:120", "-D", "N=1:20", "--where", condition];
        let table = text(&pamela(&sweep(&grid)));
        assert_eq!(table.lines().count(), rows + 1, "{condition}");
    }
}

#[test]
fn every_row_is_what_eval_says() {
    let table = text(&pamela(&sweep(&["-D", "P=99:103", "-D", "N=0,7,1e6"])));
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("P,N,tl,ts,time_main,T_main,regime,note"));
    let mut compared = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let (p, n) = (format!("P={}", cells[0]), format!("N={}", cells[1]));
        let point = [
            &["eval", "--emit=pamela", "--all", MODEL],
            &FIXED[..],
            &["-D", &p, "-D", &n],
        ]
        .concat();
        let eval = text(&pamela(&point));
        for (name, cell) in [("time_main", cells[4]), ("T_main", cells[5])] {
            let line = format!("numeric {name} = {cell}");
            assert!(eval.lines().any(|own| own == line), "{eval}\n{line}");
        }
        compared += 1;
    }
    assert_eq!(compared, 15);
}

#[test]
fn shards_and_threads_change_no_byte() {
    let whole = ["-D", "P=1:90", "-D", "N=1:50"];
    let expected = text(&pamela(&sweep(&whole)));
    assert_eq!(expected.lines().count(), 4501);
    let parts = ["1/3", "2/3", "3/3"].map(|part| {
        let own = [&whole[..], &["--shard", part, "--threads", "1"]].concat();
        text(&pamela(&sweep(&own)))
    });
    assert_eq!(parts.concat(), expected);
}

#[test]
fn a_file_that_was_cut_off_goes_on() {
    for (name, more) in [("all.csv", &[][..]), ("some.csv", &["--where", "N > P"])] {
        let path = file(name).to_string_lossy().into_owned();
        let own = [&["-D", "P=1:60", "-D", "N=1:40", "-o", &path], more].concat();
        text(&pamela(&sweep(&own)));
        let expected = fs::read(&path).expect("a table");
        for length in [0, 10, 29, 40, 1234, expected.len() - 1, expected.len()] {
            fs::write(&path, &expected[..length]).expect("cut off");
            text(&pamela(&sweep(&[&own[..], &["--resume"]].concat())));
            assert_eq!(
                fs::read(&path).expect("a table"),
                expected,
                "from {length} bytes"
            );
        }
        let other = [
            &["-D", "P=2:60", "-D", "N=1:40", "-o", &path, "--resume"],
            more,
        ]
        .concat();
        assert!(error(&sweep(&other)).contains("another sweep"));
        assert_eq!(fs::read(&path).expect("a table"), expected);
    }
}

/// Two stages that branches pass in the order of the text: no theorem gives what a run takes.
const OPEN: &str = "\
numeric parameter P : integer >= 1
resource r
resource s
process main = par (p = 1, P) { use(r, 2 * p); use(s, p); use(r, 1) }
";

#[test]
fn a_time_without_a_formula_is_told() {
    let (model, compiled) = (file("open.pam"), file("open.pamc"));
    fs::write(&model, OPEN).expect("a file");
    let [model, compiled] = [model, compiled].map(|path| path.to_string_lossy().into_owned());
    text(&pamela(&[
        "simplify", &model, "--emit", "compiled", "-o", &compiled,
    ]));
    for file in [&model, &compiled] {
        for more in [
            &["--only", "time_main"][..],
            &["--where", "time_main > 2"],
            &["--top", "1", "--by", "-time_main"],
        ] {
            let told = error(&[&["sweep", file, "-D", "P=1:2"], more].concat());
            assert!(
                told.contains("no formula gives the time of a run"),
                "{told}"
            );
            assert!(
                told.contains("`L_main` and `U_main` are its bounds"),
                "{told}"
            );
        }
        let table = text(&pamela(&["sweep", file, "-D", "P=1:2"]));
        assert_eq!(
            table.lines().next(),
            Some("P,T_main,regime,note"),
            "{table}"
        );
    }
}

#[test]
fn compiled_models_stand_for_models() {
    let path = file("mrm.pamc").to_string_lossy().into_owned();
    text(&pamela(&[
        "simplify", MODEL, "--emit", "compiled", "-o", &path,
    ]));
    let whole = ["-D", "P=99:103", "-D", "N=1:9"];
    let compiled = [&["sweep", &path], &FIXED[..], &whole].concat();
    assert_eq!(text(&pamela(&compiled)), text(&pamela(&sweep(&whole))));
    for command in [
        &["eval", "-D", "P=3", "-D", "N=9", "--all"][..],
        &["simplify", "--all"],
    ] {
        let fixed = if command[0] == "eval" {
            &FIXED[..]
        } else {
            &[]
        };
        let [own, model] = [path.as_str(), MODEL]
            .map(|file| text(&pamela(&[command, &[file][..], fixed].concat())));
        assert_eq!(own, model);
    }
    let broken = fs::read_to_string(&path).expect("a text");
    fs::write(&path, &broken[..broken.len() - 9]).expect("cut off");
    assert!(error(&["eval", &path]).contains("damaged"));
}

#[test]
fn the_best_rows_and_figures() {
    let whole = ["-D", "P=1:200", "-D", "N=1:20"];
    let best = [&whole[..], &["--top", "2", "--by", "T_main"]].concat();
    let best = text(&pamela(&sweep(&best)));
    let rows: Vec<&str> = best.lines().skip(1).collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows[0].starts_with("200,20,10,0.1,410,400,")
            && rows[1].starts_with("199,20,10,0.1,408,398,")
    );
    let whole = [&whole[..], &["--only", "T_main"]].concat();
    let figures = [
        &whole[..],
        &["--aggregate", "min,max,argmax,count", "--group-by", "P"],
    ]
    .concat();
    let figures = text(&pamela(&sweep(&figures)));
    let rows: Vec<&str> = figures.lines().collect();
    assert_eq!(
        rows[0],
        "P,T_main_min,T_main_max,T_main_argmax_N,T_main_count"
    );
    assert_eq!(
        (rows[1], rows[200]),
        ("1,10.1,202,20,20", "200,20,400,20,20")
    );
    let figures = [
        "--aggregate",
        "min,argmax",
        "--group-by",
        "P",
        "--format",
        "jsonl",
    ];
    let figures = text(&pamela(&sweep(&[&whole[..], &figures].concat())));
    let first = r#"{"P":1,"T_main_min":10.1,"T_main_argmax_N":20}"#;
    assert_eq!(
        (figures.lines().next(), figures.lines().count()),
        (Some(first), 200)
    );
}

#[test]
fn what_is_wrong_is_told_before_anything_is_written() {
    let told = |more: &[&str]| error(&sweep(more));
    assert!(told(&["-D", "P=1:1e8", "-D", "N=1:1e7"]).contains("1e15 points"));
    assert!(told(&["-D", "P=1:4", "-D", "N=1", "-D", "Q=1:2"]).contains("`Q`"));
    assert!(told(&["-D", "P=1:4"]).contains("`N` has no value"));
    assert!(told(&["-D", "P=4:1", "-D", "N=1"]).contains("is empty"));
    assert!(told(&["-D", "P=1:4", "-D", "N=1", "-o", "/nowhere/x.csv"]).contains("/nowhere/x.csv"));
    let params = file("params.csv");
    fs::write(&params, "P,N\n1,2\n3,many\n").expect("a file");
    let params = params.to_string_lossy().into_owned();
    assert!(told(&["--params", &params]).contains("line 3, column `N`: `many`"));
    if cfg!(target_os = "linux") {
        assert!(told(&["-D", "P=1:4", "-D", "N=1", "-o", "/dev/full"]).contains("No space left"));
    }
}

#[cfg(not(feature = "columns"))]
#[test]
fn without_columnar_files_it_says_how_to_have_them() {
    let path = file("none.parquet").to_string_lossy().into_owned();
    let points = ["-D", "P=1:4", "-D", "N=1"];
    let told = error(&sweep(&[&points[..], &["-o", &path]].concat()));
    assert!(told.contains("--features columns"), "{told}");
    assert!(error(&sweep(&["--params", &path])).contains("--features columns"));
}

/// `cargo test --features columns --test all sweep`
#[cfg(feature = "columns")]
mod columns {
    use std::path::Path;

    use super::*;
    use pamela_columns::{Field, Format, Writer, numbers, read};

    fn points(name: &str, format: Format) -> String {
        let path = file(name);
        let field = |name: &str| Field {
            name: name.to_string(),
            texts: false,
            repeats: true,
        };
        let out = fs::File::create(&path).expect("a file");
        let fields = [field("P"), field("N")];
        let mut writer = Writer::new(out, format, &fields).expect("a table");
        let rows = [numbers([1.0, 7.0, 200.0]), numbers([0.0, 5.0, 1e6])];
        writer.write(&rows).expect("rows");
        writer.finish().expect("an end");
        path.to_string_lossy().into_owned()
    }

    #[test]
    fn points_come_from_columnar_files_as_from_csv() {
        let params = file("same.csv");
        fs::write(&params, "P,N\n1,0\n7,5\n200,1e6\n").expect("a file");
        let expected = text(&pamela(&sweep(&["--params", &params.to_string_lossy()])));
        assert_eq!(expected.lines().count(), 4);
        for (name, format) in [
            ("same.parquet", Format::Parquet),
            ("same.feather", Format::Arrow),
        ] {
            let params = points(name, format);
            assert_eq!(text(&pamela(&sweep(&["--params", &params]))), expected);
        }
    }

    /// Of the table without its texts, all cells are those of CSV.
    #[test]
    fn columns_hold_the_values_of_csv() {
        let points = ["-D", "P=1:90", "-D", "N=1:50", "--where", "T_main > 40"];
        let csv = text(&pamela(&sweep(&points)));
        let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
        for (name, format) in [
            ("out.parquet", Format::Parquet),
            ("out.arrow", Format::Arrow),
        ] {
            let path = file(name).to_string_lossy().into_owned();
            text(&pamela(&sweep(&[&points[..], &["-o", &path]].concat())));
            let found = read(file(name).as_path(), format).expect("columns");
            let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["P", "N", "tl", "ts", "time_main", "T_main"]);
            for (column, (_, values)) in found.iter().enumerate() {
                let cells = rows[1..]
                    .iter()
                    .map(|row| row[column].parse().expect("a number"));
                assert_eq!(*values, cells.collect::<Vec<f64>>());
            }
        }
    }

    #[test]
    fn the_best_rows_are_put_into_columns_too() {
        let points = [
            "-D", "P=1:200", "-D", "N=1:20", "--top", "2", "--by", "T_main",
        ];
        let path = file("best.parquet").to_string_lossy().into_owned();
        text(&pamela(&sweep(&[&points[..], &["-o", &path]].concat())));
        let found = read(file("best.parquet").as_path(), Format::Parquet).expect("columns");
        assert_eq!(found[0], ("P".to_string(), vec![200.0, 199.0]));
        assert_eq!(found[4], ("time_main".to_string(), vec![410.0, 408.0]));
        assert_eq!(found[5], ("T_main".to_string(), vec![400.0, 398.0]));
    }

    /// More rows than stand together in a file, of which a condition leaves some out.
    #[test]
    fn parts_are_merged_to_the_whole_file_in_every_format() {
        let points = [
            "-D",
            "P=1:600",
            "-D",
            "N=1:500",
            "--where",
            "P + N mod 7 > 0",
        ];
        for form in ["parquet", "arrow"] {
            let directory = file(&format!("parts-{form}"));
            let _ = fs::remove_dir_all(&directory);
            let directory = directory.to_string_lossy().into_owned();
            let parts = ["--parts", &directory, "--into", "5", "--format", form];
            text(&pamela(&sweep(&[&points[..], &parts].concat())));
            for ending in ["parquet", "arrow", "arrows", "csv", "jsonl"] {
                let [whole, merged] = ["whole", "merged"].map(|name| {
                    let path = file(&format!("{name}-{form}.{ending}"));
                    path.to_string_lossy().into_owned()
                });
                text(&pamela(&sweep(&[&points[..], &["-o", &whole]].concat())));
                text(&pamela(&["merge", &directory, "-o", &merged]));
                let [whole, merged] = [whole, merged].map(|path| fs::read(path).expect("a table"));
                assert!(whole == merged && whole.len() > 1000, "{form} as {ending}");
            }
        }
    }

    #[test]
    fn a_pipe_is_given_a_stream() {
        let points = ["-D", "P=1:90", "-D", "N=1:50"];
        let path = file("stream.arrows").to_string_lossy().into_owned();
        text(&pamela(&sweep(&[&points[..], &["-o", &path]].concat())));
        for output in [&[][..], &["-o", "-"]] {
            let own = [&points[..], &["--format", "arrow"], output].concat();
            let piped = pamela(&sweep(&own));
            assert!(piped.status.success());
            assert!(piped.stdout == fs::read(&path).expect("a stream"));
        }
        let found = read(Path::new(&path), Format::Stream).expect("columns");
        assert_eq!(found[0].1.len(), 4500);
    }

    #[test]
    fn what_columnar_files_cannot_do_is_told() {
        let path = file("no.parquet").to_string_lossy().into_owned();
        let told = |more: &[&str]| {
            let points = ["-D", "P=1:4", "-D", "N=1", "-o", &path];
            error(&sweep(&[&points[..], more].concat()))
        };
        assert!(told(&["--resume"]).contains("CSV"));
        assert!(told(&["--aggregate", "max"]).contains("CSV"));
        fs::write(&path, "P,N\n1,2\n").expect("a file");
        assert!(error(&sweep(&["--params", &path])).contains("no.parquet"));
        if cfg!(target_os = "linux") {
            let full = ["-D", "P=1:4", "-D", "N=1", "--format", "parquet"];
            let told = error(&sweep(&[&full[..], &["-o", "/dev/full"]].concat()));
            assert!(told.contains("No space left"), "{told}");
        }
    }
}

/// Single values are those that the row shows, as values of lists are.
#[test]
fn every_value_is_that_of_eval_at_the_printed_values_of_its_row() {
    let directory = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = directory.join("printed_values.pam");
    let model = "numeric parameter x : > 0\nnumeric steps = floor(3 * x)\nnumeric n = ceil(100 / (300 * x))\n";
    std::fs::write(&path, model).expect("a file for the test");
    let path = path.to_string_lossy();
    let third = [
        "1/3",
        "1/3,2/3",
        "1/3:1/3:1",
        "[1/3]",
        "0.3333333333333333333",
    ];
    for value in third
        .into_iter()
        .chain(["4503599627370497.5", "2/7", "1e-3/3"])
    {
        let given = format!("x={value}");
        let table = text(&pamela(&["sweep", &path, "-D", &given]));
        for row in table.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let shown = format!("x={}", cells[0]);
            let eval = text(&pamela(&["eval", "--emit=pamela", &path, "-D", &shown]));
            for (name, cell) in [("steps", cells[1]), ("n", cells[2])] {
                let line = format!("numeric {name} = {cell}");
                assert!(eval.lines().any(|l| l == line), "{value}: {row}: {eval}");
            }
        }
    }
}

/// Two tasks after two, of exponential times: by the recursion over sets of finished tasks, a mean of 23/8.
#[test]
fn graphs_of_random_tasks_have_columns_of_bounds() {
    let model = file("graph.pam");
    let text_of_model = "
numeric parameter m : > 0
process main = graph {
    a: delay(exponential(m)) ; b: delay(exponential(m)) ;
    c: delay(exponential(m)) after a ; d: delay(exponential(m)) after a, b
}
";
    std::fs::write(&model, text_of_model).expect("a file for the test");
    let model = model.to_string_lossy();
    let table = text(&pamela(&[
        "sweep", &model, "-D", "m=1,2,8", "--graph", "auto",
    ]));
    let mut rows = table.lines();
    let header: Vec<&str> = rows.next().expect("a header").split(',').collect();
    let place = |name: &str| header.iter().position(|own| *own == name).expect(name);
    let names = ["m", "T_main_lower", "T_main_mean", "T_main_upper"];
    let places = names.map(place);
    let mut seen = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let value = |at: usize| cells[at].parse::<f64>().expect("a number");
        let [m, lower, mean, upper] = places.map(value);
        let exact = m * 23.0 / 8.0;
        assert!(
            lower < exact && exact < upper && upper < 1.1 * exact,
            "{row}"
        );
        assert!((mean / exact - 1.0).abs() < 4e-3, "{row}");
        seen += 1;
    }
    assert_eq!(seen, 3);
    // Samples alone have no bounds.
    let table = text(&pamela(&["sweep", &model, "-D", "m=1,2"]));
    assert!(!table.contains("T_main_lower"), "{table}");
}
