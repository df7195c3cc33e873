//! Values of options: exact numbers, units, and places of errors, the same in all commands.

use std::path::PathBuf;
use std::process::{Command, Output};

fn pamela(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = pamela(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(arguments: &[&str]) -> String {
    let output = pamela(arguments);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}\n{printed}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file for the test");
    path.to_string_lossy().into_owned()
}

/// The cells of a column of a table without quoted ones.
fn column(table: &str, name: &str) -> Vec<String> {
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let place = head.iter().position(|own| *own == name);
    let place = place.unwrap_or_else(|| panic!("no column {name}: {table}"));
    lines.map(|cells| cells[place].to_owned()).collect()
}

/// By hand: floor(3 * 1/3) = 1, and floor(3 * 0.3333333333333333) = 0.
#[test]
fn axes_are_as_exact_as_single_values() {
    let model = file(
        "thirds.pam",
        "numeric parameter x\nnumeric parameter y = 1\nnumeric T = floor(3 * x) * y\nnumeric U = floor(7 * x)",
    );
    assert!(printed(&["eval", "--emit=pamela", &model, "-D", "x=1/3"]).contains("numeric T = 1"));
    for (given, found) in [
        ("x=1/3", "1"),
        ("x=1/3,2/3", "1 2"),
        ("x=[1/3, 1]", "1 3"),
        ("x=0:1/3:1", "0 1 2 3"),
        ("x=1:-1/3:0", "3 2 1 0"),
        ("x=(0:3)/3", "0 1 2 3"),
        ("x=1/(1:3)", "3 1 1"),
        ("x=log(1/3, 27, 2)", "1 81"),
    ] {
        let table = printed(&["sweep", &model, "-D", given, "-D", "y=1,1"]);
        let values = column(&table, "T");
        let every_other: Vec<&str> = values.iter().step_by(2).map(String::as_str).collect();
        assert_eq!(every_other.join(" "), found, "{given}");
    }
    // Where x is the outer axis, or too long an axis to be kept, and in parts.
    let table = printed(&[
        "sweep",
        &model,
        "-D",
        "y=1:2000",
        "-D",
        "x=1/7,2/7",
        "--by=U",
        "--top=1",
    ]);
    assert_eq!(column(&table, "U"), ["2"]);
    let sevenths = file(
        "sevenths.pam",
        "numeric parameter x\nnumeric U = floor(7 * x)",
    );
    let table = printed(&[
        "sweep",
        &sevenths,
        "-D",
        "x=0:1/7:160000",
        "--aggregate",
        "sum",
    ]);
    // The sum of 0 to 1,120,000.
    assert_eq!(column(&table, "U_sum"), ["627200560000"]);
    let best = printed(&["optimise", &model, "--over", "x=1/3,2/3", "--maximise", "T"]);
    assert!(best.contains("numeric T = 2"), "{best}");
}

/// By hand: 1/7 of a millisecond is not a double, and 0.5 is.
#[test]
fn numbers_that_no_double_tells_are_written_as_they_are_read() {
    let model = file(
        "sevenths.pam",
        "numeric parameter t : [ms] >= 0\nnumeric parameter n : integer\nnumeric T : [ms] = 7 * t * n\n",
    );
    let given = ["sweep", &model, "-D", "t=1/7,0.5", "-D", "n=1:2"];
    for (name, expected) in [
        (
            "sevenths.csv",
            "t [ms],n,T [ms],regime,note\n1/7,1,1,,\n1/7,2,2,,\n0.5,1,3.5,,\n0.5,2,7,,\n",
        ),
        (
            "sevenths.jsonl",
            "{\"t [ms]\":\"1/7\",\"n\":1,\"T [ms]\":1,\"regime\":null,\"note\":null}\n",
        ),
    ] {
        let path = file(name, "");
        let own = [&given[..], &["-o", &path]].concat();
        printed(&own);
        let whole = std::fs::read_to_string(&path).expect("a table");
        assert!(whole.starts_with(expected), "{whole}");
        for (end, _) in whole.match_indices('\n') {
            std::fs::write(&path, &whole[..=end]).expect("cut off");
            printed(&[&own[..], &["--resume"]].concat());
            assert_eq!(std::fs::read_to_string(&path).expect("a table"), whole);
        }
    }
}

/// 2^53 = 9007199254740992: doubles beyond skip the odd numbers.
#[test]
fn whole_numbers_above_2_53_are_exact_or_refused() {
    let model = file(
        "odd.pam",
        "numeric parameter P : integer >= 1\nnumeric odd = P mod 2\nnumeric back = P - 9007199254740992\n\
         numeric rest = P mod 1000",
    );
    for given in [
        "P=9007199254740992:9007199254740995",
        "P=9007199254740991,9007199254740993",
        "P=9007199254740990:3:9007199254740999",
        "P=3^(1:40)",
        "P=1:9007199254740991:3e16",
        "P=log(1, 9007199254740993, 3)",
    ] {
        for command in [
            &["sweep", &model, "-D", given][..],
            &["plot", &model, "-D", given],
            &["optimise", &model, "--over", given, "--minimise", "odd"],
        ] {
            let message = error(command);
            assert!(
                message.contains("above 2^53") && message.contains("eval"),
                "{given} {message}"
            );
        }
    }
    let table = printed(&[
        "sweep",
        &model,
        "-D",
        "P=9007199254740992:2:9007199254740996",
    ]);
    assert_eq!(column(&table, "back"), ["0", "2", "4"]);
    // 2^60 = 1152921504606846976, whose shortest decimal ends in 7000.
    let table = printed(&["sweep", &model, "-D", "P=2^(59:61)"]);
    assert_eq!(column(&table, "rest"), ["488", "976", "952"]);
    let points = file("large.csv", "P\n9007199254740992\n9007199254740993\n");
    let message = error(&["sweep", &model, "--params", &points]);
    assert!(
        message.contains("line 3") && message.contains("`9007199254740993`"),
        "{message}"
    );
    // One value, which is printed as it is.
    let given = ["-D", "P=9007199254740993"];
    let table = printed(&[&["sweep", &model][..], &given].concat());
    assert_eq!(column(&table, "P"), ["9007199254740993"]);
    assert_eq!(column(&table, "odd"), ["1"]);
    assert!(
        printed(&[&["eval", "--emit=pamela", &model][..], &given].concat())
            .contains("numeric odd = 1")
    );
}

#[test]
fn all_numbers_of_a_list_have_units_or_none() {
    let model = file(
        "list_of_units.pam",
        "numeric parameter S : [B] >= 0\nnumeric t : [s] = S / 1 [GB/s]",
    );
    let both = printed(&["sweep", &model, "-D", "S=1 [GB],2 [GB]"]);
    assert_eq!(column(&both, "t [s]"), ["1", "2"]);
    for given in [
        "S=1,2 [GB]",
        "S=[1, 2 [GB]]",
        "S=1:2 [GB]",
        "S=1 [GB]:1:3 [GB]",
        "S=log(1, 2 [GB], 3)",
    ] {
        let message = error(&["sweep", &model, "-D", given]);
        assert!(
            message.contains("`1` has no unit, but `"),
            "{given} {message}"
        );
    }
    // 0 is the same in any unit; the step of a range is one of its own unit.
    for (given, values) in [
        ("S=0 , 2 [GB]", "0 2"),
        ("S=1 [GB]:3 [GB]", "1 2 3"),
        ("S=1 [GB]:500 [MB]:2 [GB]", "1 1.5 2"),
        ("S=1 [GB] * 2^(0:2)", "1 2 4"),
    ] {
        let table = printed(&["sweep", &model, "-D", given]);
        assert_eq!(column(&table, "t [s]").join(" "), values, "{given}");
    }
    let message = error(&["sweep", &model, "-D", "S=1 [s] * 2^(0:2)"]);
    assert!(message.contains("[s]"), "{message}");
}

/// The place is that of the value, in whatever file the model says what.
#[test]
fn units_that_are_unknown_are_told_at_the_value() {
    let model = file(
        "place.pam",
        "% a comment\nnumeric parameter S : [B] > 0\nnumeric double : [B] = 2 * S",
    );
    for (given, place) in [
        ("S=8 [Gb]", "value of S:1:4"),
        ("S=1 + 2 * 8 [kB/foo]", "value of S:1:15"),
        ("S=max(1 [B], 3 [Bq])", "value of S:1:15"),
    ] {
        let message = error(&["eval", &model, "-D", given]);
        assert!(
            message.contains(place) && !message.contains("place.pam"),
            "{given} {message}"
        );
    }
}

/// The measured times are made by hand: t = 5 us a step, 2 ns a byte, and forks that depend on P.
#[cfg(feature = "programs")]
#[test]
fn calibrated_values_read_back_with_their_units() {
    let model = file(
        "us.pam",
        "numeric parameter t : [us]\nnumeric parameter n : integer >= 0\nprocess main = seq (i = 1, n) delay(t)",
    );
    let table = file("us.csv", "n,time\n1,5e-6\n2,1e-5\n4,2e-5\n");
    let params = file("us.toml", "");
    let text = printed(&["calibrate", &model, &table, "--fit", "t"]);
    assert!(text.contains("t = \"5e-6 [s]\""), "{text}");
    // It may be a time, so that nobody has to name it.
    printed(&["calibrate", &model, &table, "-o", &params]);
    let found = printed(&[
        "eval",
        "--emit=pamela",
        &model,
        "--params",
        &params,
        "-D",
        "n=2",
    ]);
    assert_eq!(found.trim(), "numeric time_main = 10 [us]");
    let compared = printed(&["compare", &model, "--measured", &table, "--params", &params]);
    assert!(compared.contains("mean 0 %"), "{compared}");

    // Columns of the table are in the declared units of their parameters.
    let model = file(
        "rate.pam",
        "numeric parameter w : [ns/B]\nnumeric parameter S : [KiB]\nprocess main = delay(S * w)",
    );
    let table = file("rate.csv", "S,time[us]\n1,2.048\n2,4.096\n4,8.192\n");
    let params = file("rate.toml", "");
    printed(&["calibrate", &model, &table, "--fit", "w", "-o", &params]);
    let found = printed(&[
        "eval",
        "--emit=pamela",
        &model,
        "--params",
        &params,
        "-D",
        "S=3",
    ]);
    assert_eq!(found.trim(), "numeric time_main = 6.144 [us]");

    let model = file(
        "forks.pam",
        "numeric parameter t_fork : [us]\nnumeric parameter n : integer >= 0\nnumeric parameter P : integer >= 1\n\
         process main = seq (i = 1, n) delay(t_fork)",
    );
    let table = file(
        "forks.csv",
        "n,P,time\n1,1,1e-6\n2,1,2e-6\n1,4,3e-6\n2,4,6e-6\n",
    );
    let params = file("forks.toml", "");
    printed(&["calibrate", &model, &table, "--by", "P", "-o", &params]);
    for (threads, time) in [("P=1", "10 [us]"), ("P=4", "30 [us]")] {
        let found = printed(&[
            "eval",
            "--emit=pamela",
            &model,
            "--params",
            &params,
            "-D",
            "n=10",
            "-D",
            threads,
        ]);
        assert_eq!(found.trim(), format!("numeric time_main = {time}"));
    }
    let cycles = file(
        "cycles.pam",
        "numeric parameter t : [cycle]\nprocess main = delay(t)",
    );
    let message = error(&["calibrate", &cycles, &table, "--fit", "t"]);
    assert!(
        message.contains("are in cycle, and measured times are in seconds"),
        "{message}"
    );
}

/// The place `x` and the value of what is best over an interval, which has a bound as good.
fn best(text: &str, more: &[&str]) -> (f64, f64) {
    let name = std::thread::current()
        .name()
        .unwrap_or_default()
        .replace("::", "_");
    let model = file(
        &format!("{name}.pam"),
        &format!("numeric parameter x : > 0\n{text}"),
    );
    let found = printed(&[&["optimise", &model, "--json", "--over"][..], more].concat());
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["certainty"], "enclosure", "{text} {found}");
    let bound = found["no_better_than"].as_f64().unwrap();
    let value = found["value"].as_f64().unwrap();
    assert!(
        (bound - value).abs() <= 1e-8 * value.abs().max(1.0),
        "{found}"
    );
    (found["at"]["x"].as_f64().unwrap(), value)
}

fn near((x, value): (f64, f64), at: f64, least: f64) {
    assert!(
        (x - at).abs() < 1e-7 * at.abs() && (value - least).abs() < 1e-12,
        "{x} {value}, {at} {least}"
    );
}

/// Minima by calculus: x + 2/x at sqrt 2, x^2/20 + 5/x at 50^(1/3), and so on.
#[test]
fn an_interval_is_not_ten_points() {
    let minimise = ["x=0.1:10", "--minimise", "T"];
    near(
        best("numeric T = x + 2 / x", &minimise),
        2f64.sqrt(),
        8f64.sqrt(),
    );
    near(
        best("numeric T = x + 20 / x", &["x=1:10", "--minimise", "T"]),
        20f64.sqrt(),
        80f64.sqrt(),
    );
    let cube = 50f64.cbrt();
    near(
        best("numeric T = x ^ 2 / 20 + 5 / x", &minimise),
        cube,
        cube * cube / 20.0 + 5.0 / cube,
    );
    // Two valleys: the derivative of (x^2 - 4)^2 / 4 + x is x^3 - 4 x + 1, whose middle root in 0.1:10 is a maximum; the minimum lies
    // at 1.8608058531117033 (by Newton's steps on paper, and by mpmath).
    let root = 1.860_805_853_111_703_3_f64;
    near(
        best("numeric T = (x ^ 2 - 4) ^ 2 / 4 + x", &minimise),
        root,
        (root * root - 4.0).powi(2) / 4.0 + root,
    );
    // A crossing, an end, and a jump.
    near(
        best("numeric T = max(x, 12 / x)", &minimise),
        12f64.sqrt(),
        12f64.sqrt(),
    );
    near(best("numeric T = 3 * x + 1", &minimise), 0.1, 1.3);
    near(
        best("numeric T = if (x <= 3) 5 - x else x", &minimise),
        3.0,
        2.0,
    );
    near(
        best("numeric T = x * (7 - x)", &["x=0.5:6", "--maximise", "T"]),
        3.5,
        12.25,
    );
}

/// By hand: on the edge of a condition, beside a list, and over two intervals.
#[test]
fn an_interval_has_conditions_and_other_axes() {
    // On the edge of a condition.
    let more = ["x=0.1:10", "--minimise", "T", "--subject-to", "x * T >= 18"];
    near(best("numeric T = x + 2 / x", &more), 4.0, 4.5);
    // Beside a list: y = 3 is best, at sqrt(2 * 3).
    let more = ["x=0.1:10", "--over", "y=5,3,4", "--minimise", "T"];
    let two = "numeric parameter y\nnumeric T = x + 2 * y / x";
    near(best(two, &more), 6f64.sqrt(), 24f64.sqrt());
    // Two intervals: x + y + 8 / (x y) is least at x = y = 2.
    let more = ["x=0.5:5", "--over", "y=0.5:5", "--minimise", "T"];
    let (x, value) = best(
        "numeric parameter y : > 0\nnumeric T = x + y + 8 / (x * y)",
        &more,
    );
    assert!(
        (x - 2.0).abs() < 1e-4 && (value - 6.0).abs() < 1e-8,
        "{x} {value}"
    );
}

/// Whole numbers and steps are points, and what has no bounds is an error: nothing is certain by some of the points.
#[test]
fn points_are_looked_at_where_they_are_asked_for() {
    let model = file(
        "points.pam",
        "numeric parameter x : > 0\nnumeric parameter n : integer >= 1 = 1\nnumeric T = x + 2 / x\n\
         numeric W = n + 2 / n\nnumeric H = H(n) + fact(n) * x",
    );
    let found = printed(&[
        "optimise",
        &model,
        "--over",
        "x=0.1:0.1:10",
        "--minimise",
        "T",
    ]);
    assert!(
        found.contains("numeric x = 1.4") && found.contains("all 100 points"),
        "{found}"
    );
    let found = printed(&[
        "optimise",
        &model,
        "--over",
        "n=1:10",
        "-D",
        "x=1",
        "--minimise",
        "W",
    ]);
    assert!(
        found.contains("numeric n = 1") && found.contains("all 10 points"),
        "{found}"
    );
    let message = error(&["optimise", &model, "--over", "x=0:10", "--maximise", "T"]);
    assert!(message.contains("bounds"), "{message}");
    let random = file(
        "law.pam",
        "numeric parameter x : > 0\nprocess main = par (i = 1, 2) delay(exponential(x))",
    );
    let message = error(&[
        "optimise",
        &random,
        "--over",
        "x=0.1:10",
        "--minimise",
        "T_main",
    ]);
    assert!(message.contains("give a step"), "{message}");
}
