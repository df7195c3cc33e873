//! Lengths of models: long ones are shortened as far as needed, and derived times stay the same.

use std::fmt::Write as _;
use std::fs;

use super::{directory, pamela};

/// Lines beside parameters and notes.
fn lines(model: &str) -> usize {
    let lines = model.lines().map(str::trim);
    let is_body = |line: &&str| {
        !line.is_empty() && !line.starts_with('%') && !line.starts_with("numeric parameter ")
    };
    lines.filter(is_body).count()
}

/// Many functions of straight code and of loops, called several times with equal and with other arguments. Each body is
/// followed by `rest`.
fn program(rest: &str) -> String {
    let mut text = String::from("double work[100];\n");
    for k in 0..14 {
        let _ = write!(
            text,
            "void step{k}(int n, int twice) {{ work[0] += {k}; if (twice) work[1] += {k};\
             for (int i = 0; i < n; i++) work[i % 7] += i; {rest} }}\n\
             void straight{k}(void) {{ work[2] += {k}; for (int i = 0; i < 3; i++) work[i] = 1; }}\n"
        );
    }
    text.push_str(
        "int main(int argc, char **argv) { int n = atoi(argv[1]); int m = atoi(argv[2]);\n",
    );
    for k in 0..14 {
        let _ = write!(
            text,
            "step{k}(n, {}); straight{k}(); step{k}(m, {}); straight{k}();",
            k % 2,
            k % 2
        );
    }
    text + "return 0; }\n"
}

/// The parameters of a model with different values, and sizes with these.
fn values(model: &str, sizes: &[(&str, i64)]) -> Vec<String> {
    let declared = model
        .lines()
        .filter_map(|line| line.strip_prefix("numeric parameter "));
    let names = declared.filter_map(|line| line.split_whitespace().next());
    names
        .map(|name| {
            let size = sizes.iter().find(|(own, _)| *own == name);
            // A time depends on its name alone, as models have other ones.
            let time = || {
                name.bytes()
                    .fold(7_i64, |sum, byte| (31 * sum + i64::from(byte)) % 1009)
            };
            format!("{name}={}", size.map_or_else(time, |(_, value)| *value))
        })
        .collect()
}

#[test]
fn a_shorter_model_of_derived_counts_takes_the_same_time() {
    let at = directory("sizes/exact");
    fs::write(at.join("program.c"), program("")).expect("a program");
    let model = |more: &[&str]| {
        let own = [
            "model",
            "program.c",
            "--param",
            "n=argv[1]",
            "--param",
            "m=argv[2]",
        ];
        let (model, errors, status) = pamela(&[&own[..], more].concat(), &at);
        assert_eq!(status, Some(0), "{errors}");
        model
    };
    let (short, whole) = (model(&[]), model(&["--lines", "0"]));
    assert!(lines(&short) <= 150, "{} lines:\n{short}", lines(&short));
    assert!(lines(&whole) > 150, "{} lines", lines(&whole));
    assert_eq!(model(&["--counts"]), model(&["--counts", "--lines", "0"]));
    for sizes in [
        [("n", 0), ("m", 0)],
        [("n", 1), ("m", 5)],
        [("n", 12), ("m", 12)],
    ] {
        let time = |name: &str, model: &str| {
            fs::write(at.join(name), model).expect("a model");
            let given = values(model, &sizes);
            let mut words = vec!["eval", "--emit", "pamela", name];
            given.iter().for_each(|given| words.extend(["-D", given]));
            let (output, errors, status) = pamela(&words, &at);
            assert_eq!(status, Some(0), "{errors}");
            let time = output
                .lines()
                .find_map(|line| line.strip_prefix("numeric time_main = "));
            time.expect("a time").to_string()
        };
        assert_eq!(
            time("short.pam", &short),
            time("whole.pam", &whole),
            "{sizes:?}"
        );
    }
}

#[test]
fn branches_and_loops_on_data_are_mean_times_where_models_are_long() {
    let at = directory("sizes/means");
    let rest =
        "if (work[3] > 1) work[4] = 2; else { work[5] = 1; while (work[6] > 1) work[6] /= 2; }";
    fs::write(at.join("program.c"), program(rest)).expect("a program");
    let model = |more: &[&str]| {
        let own = [
            "model",
            "program.c",
            "--param",
            "n=argv[1]",
            "--param",
            "m=argv[2]",
        ];
        let (model, errors, status) = pamela(&[&own[..], more].concat(), &at);
        assert_eq!(status, Some(3), "{errors}");
        (model, errors)
    };
    let ((short, said), (whole, _)) = (model(&[]), model(&["--lines", "0"]));
    assert!(lines(&short) <= 150, "{} lines:\n{short}", lines(&short));
    assert!(said.contains("--lines 0"), "{said}");
    // Loops over sizes stay.
    assert!(short.contains("seq (i = 0, n"), "{short}");
    assert!(whole.contains("p_step7_if2") && !short.contains("p_step7_if2"));
    let (counts, whole) = (model(&["--counts"]), model(&["--counts", "--lines", "0"]));
    assert_eq!(counts.0, whole.0);
}
