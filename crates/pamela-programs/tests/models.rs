//! The models of small programs that use what there is to translate; each has been read line by line.

use std::path::Path;

use pamela_programs::source;
use pamela_programs::{Options, model};

fn modelled(name: &str, counts: bool) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let text = std::fs::read_to_string(directory.join(name)).expect("the program is there");
    let unit = source::parse(name, text).expect("the program can be read");
    let options = Options {
        counts,
        ..Options::default()
    };
    let model = model(&[unit], &options).expect("the program has a model");
    let opaque = model.opaque.iter().map(|part| {
        let place = part
            .place
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let hint = part.hint.as_deref().unwrap_or_default();
        format!(
            "% not understood: {}, {place}: {}; {hint}\n",
            part.name, part.reason
        )
    });
    model.model + &opaque.collect::<String>()
}

#[test]
fn serial_loops_and_branches() {
    insta::assert_snapshot!(modelled("serial.c", false));
}

#[test]
fn constructs_of_openmp() {
    insta::assert_snapshot!(modelled("threads.c", false));
}

#[test]
fn counts_under_openmp() {
    insta::assert_snapshot!(modelled("threads.c", true));
}

#[test]
fn calls_and_globals() {
    insta::assert_snapshot!(modelled("calls.c", false));
}

#[test]
fn what_the_user_says_by_pragmas() {
    insta::assert_snapshot!(modelled("pragmas.c", false));
}

/// The model of a program in a text.
fn of_text(text: &str) -> String {
    let unit = source::parse("text.c", text.to_string()).expect("the program can be read");
    model(&[unit], &Options::default())
        .expect("it has a model")
        .model
}

#[test]
fn tiles_have_steps_that_the_caller_knows() {
    let text = of_text(
        "void use(int);\n\
         static void tiles(int n, int b) {\n\
         for (int kk = 0; kk < n; kk += b)\n\
         for (int k = kk; k < kk + b && k < n; k++)\n\
         use(k);\n}\n\
         int main(int argc, char **argv) { int n = atoi(argv[1]), b = atoi(argv[2]); tiles(n, b); tiles(n, 16); }\n",
    );
    assert!(text.contains("seq (kk = 0, n_2 - 1, b)"), "{text}");
    assert!(text.contains("seq (kk = 0, n_2 - 1, 16)"), "{text}");
    assert!(text.contains("min("), "{text}");
    assert!(text.contains("assume b - 1 >= 0"), "{text}");
    assert!(!text.contains("K_tiles"), "{text}");
}

#[test]
fn two_bounds_are_one_only_to_the_same_side() {
    let loops = |condition: &str| {
        of_text(&format!(
            "void use(int);\nint main(int argc, char **argv) {{\n\
             int n = atoi(argv[1]), m = atoi(argv[2]); int x[9];\n\
             for (int i = 0; {condition}; i++)\nuse(i);\n}}\n"
        ))
    };
    assert!(loops("i < n && i <= m").contains("seq (i = 0, min(n, m + 1) - 1)"));
    assert!(loops("i < n && i + 2 < m && 5 > i").contains("min("));
    assert!(loops("i < n && i > m").contains("K_main_for1"));
    assert!(loops("i < n && x[i] != 3").contains("K_main_for1"));
    assert!(loops("i < n || i < m").contains("K_main_for1"));
}
