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

#[test]
fn functions_of_old_have_models() {
    let text = of_text(
        "void use(int);\nint sum(n) int n; { for (int i = 0; i < n; i++) use(i); }\n\
         main(argc, argv) int argc; char **argv; { int n = atoi(argv[1]); sum(n); sum(2 * n); }\n",
    );
    // `sum` is a word of the language.
    assert!(text.contains("sum_2(n)"), "{text}");
    assert!(text.contains("sum_2(2 * n)"), "{text}");
}

#[test]
fn a_loop_that_is_mapped_needs_known_bounds() {
    let mapped = |head: &str, owner: &str| {
        let text = format!(
            "void use(int);\nint main(int argc, char **argv) {{\nint n = atoi(argv[1]), b = atoi(argv[2]); int x[9];\n\
             #pragma pamela {owner}\n{head} use(i);\n}}\n"
        );
        let unit = source::parse("text.c", text).expect("the program can be read");
        let model = model(&[unit], &Options::default());
        model
            .map(|model| model.model)
            .map_err(|error| error.to_string())
    };
    let found = mapped("for (int i = 1; i < n; i++)", "map(cyclic)").expect("a model");
    assert!(found.contains("par (i = 1, n - 1)"), "{found}");
    assert!(found.contains("use(cpu(i mod P), t_main_"), "{found}");
    let found = mapped("for (int i = 1; i <= n; i++)", "map(block)").expect("a model");
    assert!(
        found.contains("use(cpu((i - 1) div ceil(n / P)), "),
        "{found}"
    );
    let found = mapped("for (int i = 0; i < n; i++)", "map((i + 1) mod b)").expect("a model");
    assert!(found.contains("cpu((i + 1) mod b)"), "{found}");
    for (head, owner) in [
        ("for (int i = 0; x[i] < n; i++)", "map(cyclic)"),
        ("for (int i = 0; i < n; i += 2)", "map(cyclic)"),
        ("for (int i = 0; i < n; i++)", "map"),
        ("for (int i = 0; i < n; i++)", "map(i mod nobody)"),
        ("int i = 0;", "map(i)"),
    ] {
        let error = mapped(head, owner).expect_err("it is refused");
        assert!(error.starts_with("text.c:"), "{error}");
    }
}
