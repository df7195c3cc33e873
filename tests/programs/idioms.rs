//! Programs as people write them: counts of the model are those of the program with counters, or a note or an error says what
//! is not derived. Each class of faults has its files, and variants of them.

use std::fs;
use std::path::Path;

use crate::selection::is_selected;

use super::counted::{Case, Outcome, check, has_compiler};
use super::exits::EXITS_AND_TABLES;

/// What is to be of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Counted,
    Told,
    Refused,
}
use Wanted::{Counted, Refused, Told};

/// Files of `idioms/`.
const FILES: [(&str, Wanted); 27] = [
    ("alias_writes_bound", Told),
    ("array_bounds_table", Counted),
    ("call_in_conditional", Told),
    ("cast_minus", Counted),
    ("continue_on_index", Counted),
    ("exit_success_branch", Counted),
    ("fallthrough", Counted),
    ("fgets_loop", Told),
    ("float_loop", Told),
    ("function_pointer", Counted),
    ("getopt_args", Told),
    ("goto_loop", Refused),
    ("index_changed_in_body", Counted),
    ("list_walk", Told),
    ("macro_min_grid", Counted),
    ("memo_global_kernel", Counted),
    ("memo_global_old_value", Counted),
    ("memo_global_zero", Counted),
    ("nqueens", Told),
    ("qsort_compare_loops", Told),
    ("scanf_scalar", Counted),
    ("setjmp_loop", Refused),
    ("sieve", Told),
    ("static_once", Told),
    ("true_false_names", Counted),
    ("two_counters", Counted),
    ("unsigned_down", Told),
];

/// Bodies of `main`, in which n and m are arguments, and what stands in front of it.
const VARIANTS: [(&str, Wanted, &str, &str); 58] = [
    // Calls by what passes through.
    (
        "memo_nested",
        Counted,
        "static int g, h; static void in(void) { h = h + 1; } static void out(void) { in(); printf(\"o\"); }",
        "g = 2; out(); g = n; out(); for (int i = 0; i < g; i++) s += 1;",
    ),
    (
        "memo_pointer",
        Counted,
        "static int g; static void mark(void) { printf(\"x\"); } static void set(int *p, int v) { *p = v; }",
        "g = 1; mark(); int k = 3; set(&k, n); mark(); for (int i = 0; i < g; i++) s += 1;",
    ),
    (
        "memo_array",
        Counted,
        "static int size[2]; static void mark(void) { printf(\"x\"); }",
        "size[0] = n; mark(); size[0] = m; mark(); for (int i = 0; i < size[0]; i++) s += 1;",
    ),
    (
        "memo_member",
        Counted,
        "static struct { int n; } g; static void mark(void) { printf(\"x\"); }",
        "g.n = n; mark(); g.n = m; mark(); for (int i = 0; i < g.n; i++) s += 1;",
    ),
    (
        "memo_returned",
        Counted,
        "static int g; static int two(void) { return 2; }",
        "g = n; int a = two(); g = m; int b = two(); for (int i = 0; i < g * a + b; i++) s += 1;",
    ),
    (
        "stored_address",
        Told,
        "static int g = 4; static int *kept; static void keep(int *p) { kept = p; }",
        "keep(&g); g = n; *kept = m; for (int i = 0; i < g; i++) s += 1;",
    ),
    (
        "stored_local",
        Told,
        "static int *kept; static void keep(int *p) { kept = p; }",
        "int k = n; keep(&k); *kept = m; for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "two_names",
        Told,
        "static int g; static int twice(int *p) { int k = g; *p = 3; return k + g; }",
        "g = n; int k = twice(&g); for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "aliased_array",
        Told,
        "",
        "int a[2]; int *p = a; a[0] = n; p[0] = m; for (int i = 0; i < a[0]; i++) s += 1;",
    ),
    (
        "by_address",
        Told,
        "static int g; static void add(void) { g = g + 3; } static void (*act)(void) = add;",
        "g = n; act(); for (int i = 0; i < g; i++) s += 1;",
    ),
    // Names of the library.
    (
        "own_pow",
        Counted,
        "static long pow(long b, long e) { long r = 1; for (long i = 0; i < e; i++) r *= b; return r; }",
        "s += pow(2, n);",
    ),
    (
        "own_log2",
        Counted,
        "static int log2(int n) { int k = 0; for (int i = 0; i < n; i++) k += 1; return 3; }",
        "int k = log2(n); for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "own_exp",
        Counted,
        "static double exp(int n) { double t = 0; for (int i = 0; i < 2 * n; i++) t += 1; return t; }",
        "s = exp(m); for (int i = 0; i < n; i++) s += exp(1);",
    ),
    (
        "own_err",
        Counted,
        "static void err(int n) { for (int i = 0; i < n; i++) printf(\"e\"); }",
        "if (n > 3) err(n); for (int i = 0; i < m; i++) s += 1;",
    ),
    // Casts.
    (
        "cast_sum",
        Counted,
        "typedef int idx_t; typedef long word;",
        "for (int i = m + (idx_t) -n; i < (word)(m); i++) s += 1;",
    ),
    (
        "cast_call",
        Counted,
        "typedef unsigned long u64; static int half(int n) { return n / 2; }",
        "u64 k = (u64)(half(n)) + (u64) half(m); for (u64 i = 0; i < k; i++) s += 1;",
    ),
    (
        "cast_pointer",
        Told,
        "typedef int real_t;",
        "int k = n; int *p = &k; for (int i = 0; i < (real_t) *p; i++) s += 1;",
    ),
    (
        "hidden_type",
        Counted,
        "typedef int count;",
        "int count = n; for (int i = (count) - m; i < 0; i++) s += 1;",
    ),
    (
        "cast_short",
        Told,
        "",
        "unsigned char k = (unsigned char) (n * 100); for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "cast_negative",
        Counted,
        "typedef int idx_t;",
        "for (int i = (idx_t) -n; i < (idx_t) +m; i++) s += 1;",
    ),
    // Signs and widths.
    (
        "unsigned_wrap",
        Counted,
        "",
        "unsigned k = n; for (unsigned i = 0; i < k - 1; i++) s += 1;",
    ),
    (
        "unsigned_mixed",
        Told,
        "",
        "unsigned k = n; int w = -1; if (w < k) s += 1; else s += 2;",
    ),
    (
        "short_index",
        Told,
        "",
        "for (unsigned char i = 0; i < n * 100; i++) { s += 1; if (s > 2000) break; }",
    ),
    (
        "hash",
        Told,
        "",
        "unsigned h = 42; h = h * 1103515245 + 12345; if (h % 2 == 0) s += 1; h = h * n * 1103515245; if (h % 2 == 0) s += 2;",
    ),
    (
        "bool_value",
        Counted,
        "",
        "_Bool b = n; for (int i = 0; i < b; i++) s += 1;",
    ),
    (
        "not_equal",
        Counted,
        "",
        "for (int i = m; i != n; i++) s += 1;",
    ),
    (
        "minus_until",
        Counted,
        "",
        "int k = n - m; while (k--) s += 1;",
    ),
    // Fractions.
    (
        "half_bound",
        Counted,
        "",
        "for (int i = 0; i < n / 2.0; i++) s += 1;",
    ),
    (
        "root_bound",
        Counted,
        "",
        "for (int i = 0; i < sqrt(n); i++) s += 1;",
    ),
    (
        "real_index",
        Told,
        "",
        "for (double t = 0.5; t < n; t += 1) s += 1;",
    ),
    (
        "decimal",
        Told,
        "",
        "int k = n * 0.1; for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "logarithms",
        Told,
        "",
        "int k = log(n + 1) / log(10); for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "real_function",
        Counted,
        "static double half(int n) { return n; }",
        "int k = half(n) / 2 * 2; for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "square_negative",
        Counted,
        "",
        "for (int i = -3; i * i < n; i++) s += 1;",
    ),
    // Names used again.
    (
        "linear_state",
        Counted,
        "",
        "int a = n, b = m, c = 5; while (a > 0) { a--; b += c * c * c; } while (b > 0) b--;",
    ),
    (
        "other_quantity",
        Told,
        "",
        "int b = m; while (b > 0) { b = b / 2 - n % 3; s += 1; } for (int i = 0; i < b + 7; i++) s += 1;",
    ),
    // Contradictions.
    (
        "never_ends_up",
        Told,
        "",
        "int x = n, y = m; while (x > 0) { x = x + y; s += 1; if (s > 50) x = 0; }",
    ),
    (
        "either_way",
        Counted,
        "",
        "int x = n; while (x > 0) { x -= m; s += 1; if (m == 0) x = 0; }",
    ),
    (
        "both_ways",
        Told,
        "",
        "for (int i = 0; i < 50; i += n - m) { s += 1; if (i < 0 || s > 9) break; }",
    ),
    // Jumps.
    (
        "goto_next",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { if (i % 2) goto next; s += 1; next: t += 1; }",
    ),
    (
        "goto_end",
        Counted,
        "",
        "if (n > 5) goto end; s += 1; for (int i = 0; i < n; i++) s += 2; end: t += 1;",
    ),
    (
        "goto_work",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { if (i > m) { s += 3; goto next; } s += 1; next: t += 1; }",
    ),
    (
        "goto_nested",
        Told,
        "",
        "for (int i = 0; i < n; i++) { if (i > 1) { if (i > m) goto next; s += 1; } s += 2; next: t += 1; }",
    ),
    (
        "continue_twice",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { if (i % 3 == 1) continue; s += 1; if (i > m) continue; t += 1; }",
    ),
    (
        "return_inside",
        Told,
        "static int find(int n, int m) { for (int i = 0; i < n; i++) { if (i == m) return i; } return n; }",
        "int k = find(n, m); for (int i = 0; i < k; i++) s += 1;",
    ),
    (
        "switch_break",
        Told,
        "",
        "for (int i = 0; i < n; i++) { switch (i % 3) { case 0: if (i > m) break; s += 1; break; default: s += 2; } t += 1; }",
    ),
    (
        "ended_early",
        Counted,
        "",
        "if (n < 4) { s += 1; exit(0); } for (int i = 0; i < n; i++) s += 2; if (n < 6) { s += 3; exit(EXIT_SUCCESS); } t += 1;",
    ),
    (
        "arguments",
        Told,
        "",
        "if (argc > 1) { for (int i = 0; i < n; i++) s += 1; } t += 1;",
    ),
    // Evaluated once.
    (
        "once_in_place",
        Counted,
        "",
        "int i = 0; int a[99] = { 0 }; a[i++] += 1; a[i++]++; for (int j = 0; j < n - i; j++) s += 1;",
    ),
    (
        "call_in_bound",
        Told,
        "static int calls; static int size(int n) { calls += 1; return n; }",
        "for (int i = 0; i < size(n); i++) s += 1; for (int i = 0; i < calls; i++) t += 1;",
    ),
    (
        "second_operand",
        Counted,
        "static int f(int n) { for (int i = 0; i < n; i++) printf(\"f\"); return n; }",
        "if (n > 2 && f(n) > 3) s += 1; if (m > 4 || f(m) > 1) s += 2;",
    ),
    // Recursion.
    (
        "linear_recursion",
        Counted,
        "static int ack(int m, int n) { printf(\"a\"); if (m == 0) return n + 1; return ack(m - 1, n); }",
        "s = ack(n, m);",
    ),
    (
        "steps_over",
        Told,
        "static int down(int n) { if (n == 0 || n < 0) return 1; return down(n - 2); }",
        "s = down(n); s += 1;",
    ),
    (
        "odd_recursion",
        Told,
        "static int down(int n) { printf(\"d\"); if (n != 0) return down(n % 2 == 0 ? n - 2 : n - 1); return 0; }",
        "s = down(n);",
    ),
    // Of the rest.
    (
        "truths",
        Counted,
        "",
        "int true = 1, false = 0; for (int i = false; i < n + true; i++) s += 1;",
    ),
    (
        "shadowed",
        Counted,
        "",
        "int k = n; for (int i = 0; i < 2; i++) { int k = 1; k++; s += k; } for (int i = 0; i < k; i++) t += 1;",
    ),
    (
        "constant_table",
        Counted,
        "static const int table[3] = { 1, 4, 2 };",
        "for (int l = 0; l < 3; l++) for (int i = 0; i < table[l]; i++) s += 1;",
    ),
    (
        "static_counter",
        Told,
        "static int next(void) { static int k = 0; k = k + 1; return k; }",
        "for (int j = 0; j < n; j++) for (int i = 0; i < next(); i++) s += 1;",
    ),
];

/// Zeros, ones, equal and neighbouring values, and larger ones.
fn points() -> Vec<Vec<i64>> {
    let few = [0, 1, 2, 3, 5, 9];
    let pairs = few
        .iter()
        .flat_map(|n| few.iter().map(move |m| vec![*n, *m]));
    pairs.chain([vec![17, 4], vec![30, 31]]).collect()
}

fn compare(case: &Case, wanted: Wanted) -> Option<String> {
    let found = check(case);
    let fits = match (&found, wanted) {
        (Ok(Outcome::Counted(points)), Counted) => *points > 0,
        (Ok(Outcome::Told(_) | Outcome::Bounded(_)), Told) | (Ok(Outcome::Refused), Refused) => {
            true
        }
        _ => false,
    };
    (!fits).then(|| format!("{}: {wanted:?} is wanted, {found:?}", case.name))
}

#[test]
fn programs_are_counted_or_told() {
    if !has_compiler() {
        return;
    }
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/idioms");
    let mut wrong = Vec::new();
    for (name, wanted) in FILES {
        let text =
            fs::read_to_string(files.join(format!("{name}.c"))).expect("the program is there");
        let entry = (!text.contains("int main")).then_some("f");
        // What these read or hold at first is what it is.
        let points: Vec<Vec<i64>> = match name {
            "scanf_scalar" => vec![vec![7, 2]],
            "memo_global_kernel" => vec![vec![8]],
            _ => [0, 1, 2, 3, 7, 16].map(|n| vec![n]).to_vec(),
        };
        let case = Case {
            name,
            text: &text,
            entry,
            arguments: match name {
                "scanf_scalar" => &["r", "k"],
                "memo_global_kernel" => &["m"],
                _ => &["n"],
            },
            points,
            input: "7 2",
        };
        wrong.extend(compare(&case, wanted));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// One in four, or all in full runs.
#[test]
fn variants_are_counted_or_told() {
    if !has_compiler() {
        return;
    }
    let mut wrong = Vec::new();
    let variants = (0..).zip(VARIANTS.into_iter().chain(EXITS_AND_TABLES));
    for (_, (name, wanted, before, body)) in variants.filter(|(n, _)| is_selected(4 * n)) {
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\ndouble sqrt(double), log(double);\n{before}\n\
             int main(int argc, char **argv)\n{{\nint n = atoi(argv[1]), m = atoi(argv[2]);\ndouble s = 0, t = 0;\n{body}\n\
             printf(\"%g %g\\n\", s, t);\nreturn 0;\n}}\n"
        );
        let case = Case {
            name,
            text: &text,
            entry: None,
            arguments: &["n", "m"],
            points: points(),
            input: "",
        };
        wrong.extend(compare(&case, wanted));
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}
