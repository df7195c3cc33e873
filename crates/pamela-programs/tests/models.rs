//! The models of small programs that use what there is to translate; each has been read line by line.

#![allow(clippy::expect_used, clippy::panic, reason = "what a test needs")]

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
            part.name.as_deref().unwrap_or("-"),
            part.reason
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
fn sizes_in_globals_and_members() {
    insta::assert_snapshot!(modelled("objects.c", false));
}

#[test]
fn calls_and_pragmas_that_are_not_understood() {
    insta::assert_snapshot!(modelled("outside.c", false));
}

#[test]
fn functions_that_call_themselves() {
    insta::assert_snapshot!(modelled("recursions.c", false));
}

#[test]
fn what_the_user_says_by_pragmas() {
    insta::assert_snapshot!(modelled("pragmas.c", false));
}

#[test]
fn an_atomic_operation_is_a_lock_where_it_has_one_address() {
    let lock = |operation: &str| {
        let text = format!(
            "int *at, x, v, h[9], k[9];\nvoid f(int n) {{\n#pragma omp parallel for\n\
             for (int i = 0; i < n; i++) {{ int own;\n{operation}\n}}\n}}\n"
        );
        let unit = source::parse("text.c", text).expect("the program can be read");
        let options = Options {
            entry: Some("f".to_string()),
            ..Options::default()
        };
        let model = model(&[unit], &options).expect("it has a model");
        assert_eq!(
            model.opaque.is_empty(),
            model.model.contains("resource lock_")
        );
        let lock = model
            .model
            .lines()
            .find_map(|l| l.strip_prefix("resource lock_"));
        lock.map(String::from)
    };
    for (operation, wanted) in [
        ("#pragma omp atomic\nx++;", Some("atomic_x")),
        ("#pragma omp atomic\nx = x + i;", Some("atomic_x")),
        ("#pragma omp atomic\nh[3] += i;", Some("atomic_h_3")),
        ("#pragma omp atomic capture\nown = x++;", Some("atomic_x")),
        (
            "#pragma omp atomic capture\n{ own = x; x += 2; }",
            Some("atomic_x"),
        ),
        ("#pragma omp atomic read\nown = x;", Some("atomic_x")),
        ("#pragma omp atomic write\nx = i;", Some("atomic_x")),
        ("#pragma omp atomic\n*at += i;", Some("atomic_at")),
        ("#pragma omp atomic\nh[i]++;", None),
        ("#pragma omp atomic\nh[k[i]] += 2;", None),
        ("#pragma omp atomic capture\nown = h[k[i]]++;", None),
        ("#pragma omp atomic read\nown = h[i];", None),
        ("#pragma omp atomic write\nh[i] = 2;", None),
    ] {
        assert_eq!(lock(operation).as_deref(), wanted, "{operation}");
    }
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
    // A size is not below 0, where the loop begins.
    assert!(!loops("i < n && i > m").contains("seq ("));
    assert!(loops("i < n && x[i] != 3").contains("K_main_for1"));
    // First up to one bound, then up to the other.
    let either = loops("i < n || i < m");
    assert!(
        !either.contains("min(") && either.matches("seq (").count() == 2,
        "{either}"
    );
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

#[test]
fn steps_by_a_power_are_known_to_be_above_zero() {
    let text = of_text(
        "int main(int argc, char **argv) { int n = atoi(argv[1]); int *a = malloc(n);\n\
         for (int d = 1; d < n; d <<= 1) {\n#pragma omp parallel for\n\
         for (int i = 2 * d - 1; i < n; i += 2 * d)\na[i] += a[i - d];\n}\n\
         for (int d = n / 2; d >= 1; d >>= 1)\nfor (int i = d; i < n; i += 2 * d)\na[i] += a[i - d]; }\n",
    );
    assert!(!text.contains("K_main"), "{text}");
    assert!(text.contains("(2 * (2^r))"), "{text}");
}

#[test]
fn loops_that_threads_go_through_without_a_barrier_are_theirs() {
    let team = |clause: &str| {
        of_text(&format!(
            "int main(int argc, char **argv) {{ int n = atoi(argv[1]); int *a = malloc(n);\n\
             #pragma omp parallel\nfor (int t = 0; t < 5; t++) {{\n#pragma omp for {clause}\n\
             for (int i = 0; i < n; i++)\na[i] += t;\n}}\n}}\n"
        ))
    };
    let apart = team("nowait");
    assert!(
        apart.contains("par (p = 0, P - 1)\n        seq (t = 0, 4)"),
        "{apart}"
    );
    assert_eq!(apart.matches("t_barrier").count(), 2, "{apart}");
    let together = team("");
    assert!(
        together.contains("seq (t = 0, 4) {\n        par (p = 0, P - 1)"),
        "{together}"
    );
}

#[test]
fn rows_of_different_lengths_are_shared_by_the_outer_loop() {
    let collapsed = |bound: &str| {
        of_text(&format!(
            "int main(int argc, char **argv) {{ int n = atoi(argv[1]); int *a = malloc(n);\n\
             #pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++)\n\
             for (int j = 0; j < {bound}; j++)\na[j] += i;\n}}\n"
        ))
    };
    let text = collapsed("i");
    assert!(text.contains("% note: collapsed loops"), "{text}");
    assert!(text.contains("seq (j = 0, i - 1)"), "{text}");
    let text = collapsed("n");
    assert!(text.contains("ceil((n^2) / P)"), "{text}");
}

/// The process `main` of a program whose function `f` makes tasks.
fn tasks_of(body: &str) -> String {
    let text = format!(
        "static double a[1000];\n\
         static void work(int n) {{ for (int k = 0; k < n; k++) a[k] += 1; }}\n\
         static void make(int n) {{ for (int i = 0; i < n; i++) {{\n#pragma omp task\nwork(i);\n}} }}\n\
         void f(int n) {{\n{body}\n}}\n"
    );
    let unit = source::parse("f.c", text).expect("the program can be read");
    let options = Options {
        entry: Some("f".to_string()),
        ..Options::default()
    };
    let model = model(&[unit], &options)
        .expect("the program has a model")
        .model;
    let main = model.split_once("process main = ").expect("a process").1;
    main.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn tasks_of_a_loop_a_function_or_a_master_are_done_by_any_thread() {
    const LOOP: &str = "for (int i = 0; i < n; i++) work(i);";
    let loops = [
        format!("#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop\n{LOOP}"),
        format!("#pragma omp parallel\n{{\n#pragma omp master taskloop\n{LOOP}\n}}"),
        format!("#pragma omp parallel masked taskloop\n{LOOP}"),
        "#pragma omp parallel\n#pragma omp single\nmake(n);".to_string(),
        "#pragma omp parallel master\nmake(n);".to_string(),
        "#pragma omp parallel\nif (omp_get_thread_num() == 0)\nmake(n);".to_string(),
        "#pragma omp parallel\nif (!omp_get_thread_num())\nmake(n);".to_string(),
        "#pragma omp parallel\n{\nint me = omp_get_thread_num();\nif (me > 0) { } else\nmake(n);\n}".to_string(),
    ];
    for program in loops {
        assert_eq!(
            tasks_of(&program),
            "{ delay(t_fork) ; par (i = 0, n - 1) { use(threads, t_task) ; \
             seq (k = 0, i - 1) use(threads, t_work_1) } ; delay(t_barrier) }",
            "{program}"
        );
    }
}

#[test]
fn what_stands_behind_a_task_runs_beside_it_until_it_is_waited_for() {
    let text = tasks_of(
        "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task\nwork(n);\n\
         #pragma omp task\nwork(2 * n);\nwork(3 * n);\n#pragma omp taskwait\nwork(4 * n);\n}",
    );
    let task = |n: &str| {
        format!("{{ use(threads, t_task) ; seq (k = 0, {n} - 1) use(threads, t_work_1) }}")
    };
    assert!(
        text.contains(&format!(
            "{{ {} || {} || work(3 * n) }} ; work(4 * n)",
            task("n"),
            task("2 * n")
        )),
        "{text}"
    );
}

#[test]
fn a_structure_that_is_handed_over_by_value_keeps_its_sizes() {
    let unit = source::parse(
        "f.c",
        "struct s { int n; struct { int m; } in; };\nstatic double a[9];\n\
         static void g(struct s s) { for (int i = 0; i < s.n; i++) for (int j = 0; j < s.in.m; j++) a[j] += i; }\n\
         void f(struct s s) { g(s); s.n = 3; g(s); }\n"
            .to_string(),
    );
    let options = Options {
        entry: Some("f".to_string()),
        ..Options::default()
    };
    let model = model(&[unit.expect("it can be read")], &options).expect("it has a model");
    assert!(model.opaque.is_empty(), "{:?}", model.opaque);
    let text = model.model;
    assert!(text.contains("seq (i = 0, s_n - 1)"), "{text}");
    assert!(text.contains("seq (i = 0, 2)"), "{text}");
    assert_eq!(text.matches("seq (j = 0, s_in_m - 1)").count(), 2, "{text}");
}

#[test]
fn tasks_in_tasks_are_made_at_once() {
    let text = of_text(
        "int main(int argc, char **argv) { int n = atoi(argv[1]); int *a = malloc(n);\n\
         #pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < n; i++) {\n#pragma omp task\n{\n\
         for (int j = 0; j < 4; j++) {\n#pragma omp task\na[j] += i;\n}\n}\n}\n}\n",
    );
    assert!(
        text.contains("par (j = 0, 3)\n            use(threads, "),
        "{text}"
    );
    assert_eq!(text.matches("t_task").count(), 3, "{text}");
}

#[test]
fn words_and_types_of_compilers_are_understood() {
    let text = of_text(
        "typedef double real; typedef struct { int n; } pair;\n\
         int main(int argc, char **argv) { double _Complex *x = malloc(9); int n = atoi(argv[1]);\n\
         int a[9] __attribute__((aligned(32))); __typeof__(n) m = n; real half = n / 2.0; __typeof__(1 + n) k = 3;\n\
         for (int i = 0; i < m; i++) x[i] = i; for (int i = 0; i < k; i++) a[i] = half; }\n",
    );
    assert!(text.contains("seq (i = 0, n - 1)"), "{text}");
    assert!(text.contains("seq (i = 0, 2)"), "{text}");
}
