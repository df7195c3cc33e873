//! Bounds of iterations that are not derived: what the program does is between them.

use super::counted::{Case, Outcome, check, has_compiler};

const NONDET: &str = "static unsigned seed = 5; static int nondet(void) { seed = seed * 1103515245u + 12345u; return seed >> 16 & 1; }\nextern int drawn(void);\nextern int rand(void);\n";

/// Bodies of functions of n, m and k, of which each has a bound.
const BODIES: [(&str, &str); 28] = [
    // Two parts that take from each other.
    (
        "lexicographic",
        "while (n > 0 || m > 0) { if (n > 0 && nondet()) { n--; m += 3; } else if (m > 0) { m--; } else { n--; } }",
    ),
    // The inner loop undoes what the outer one did.
    (
        "amortised",
        "int s = 0; for (int i = 0; i < n; i++) { if (nondet()) s++; else while (s > 0) s--; }",
    ),
    (
        "shared",
        "int x = 0; while (x < n) { x++; while (x < n && nondet()) x++; }",
    ),
    // First it rises.
    ("phases", "while (n > 0) { n += m; m--; }"),
    ("three_phases", "while (n > 0) { n += m; m += k; k--; }"),
    // Values go round.
    ("swapped", "while (n > 0) { int t = n - 1; n = m; m = t; }"),
    // What never changes says which way it is.
    (
        "exclusive",
        "while (n > 0 && n < m) { if (k > 2) n++; else n--; }",
    ),
    ("towards", "while (n != m) { if (n > m) n--; else n++; }"),
    // Each iteration sets the inner bound.
    (
        "reset",
        "while (n > 0) { n--; int j = m; while (j > 0) { j--; if (nondet()) break; } }",
    ),
    (
        "unset",
        "int j; for (int i = 0; i < n; i++) { j = 0; while (j < m) { j++; if (nondet()) j++; } }",
    ),
    (
        "behind",
        "int x = 0; while (n-- > 0) { if (nondet()) x += m; else x += 2; } while (x > 0) x--;",
    ),
    (
        "invariant",
        "int y = m + 1; while (n > 0) { n -= y; if (nondet()) y += k; }",
    ),
    (
        "left",
        "while (n > 0) { n--; if (m == n) break; int i = k; do { i--; } while (i > 0 && nondet()); }",
    ),
    (
        "equal",
        "int d = n; while (m > 0) { d = d + n - m; m = m - 1; if (d < 0) return; }",
    ),
    // The inner loop begins anew each time that x falls.
    (
        "turns",
        "int x = n; int y = 0; while (x >= 0 && y >= 0) { if (y < 1 || nondet() + nondet() + nondet() + nondet() + nondet() < 1) { while (y <= n) y++; x--; } y--; }",
    ),
    (
        "flag",
        "int b = 0; int x = n; int y = 0; while (x >= 0 && 0 <= y && y <= m) { if (b == 0) { y++; if (nondet()) b = 1; } else { y--; if (nondet()) { x--; b = 0; } } }",
    ),
    // What comes behind an iteration, and what comes in front of one, is bounded.
    (
        "behind_it",
        "int y = n; while (n == y && n > m) { k++; while (y > m) { n--; y--; } }",
    ),
    (
        "in_front",
        "while (n > 0 && m > 0) { int t = n; while (t >= m) t -= m; n = m; m = t; }",
    ),
    // A value is one of two.
    (
        "pieces",
        "while (n > 0) { int most = n < 4 ? n : 4; int c = most; do { k++; } while (--c > 0); n -= most; }",
    ),
    (
        "always",
        "if (n > 0 && m > 0) while (n != m) { if (n > m) n -= m; else m -= n; }",
    ),
    (
        "filled",
        "int c = m; while (n-- > 0) { k--; while (c > 0 && nondet()) c--; c = k; }",
    ),
    // What comes nearer to the end is another form in the inner loop.
    (
        "offset",
        "while (n >= 0) { n++; m = 1; while (n >= m) m++; n -= 2; }",
    ),
    (
        "taken_over",
        "int i = 0; while (i < n) { for (int j = 0; j < m; j++) { int x = i; while (x < k && nondet()) x++; i = x; } i++; }",
    ),
    // Quotients and squares.
    (
        "halved",
        "for (int i = 1; i < n; i++) { int j = i; while (j > 0 && nondet()) j = (j + 1) / 2 - 1; }",
    ),
    ("squared", "int y = 2; while (n > y) y = y * y;"),
    // A value is one of two that data choose.
    (
        "chosen",
        "int x; if (rand() % 2) x = n; else x = m; while (x > 0) x--;",
    ),
    // Values go into each other.
    (
        "doubled",
        "while (n > 0) { n--; if (nondet()) m = m + k; else k = m - 1; } while (m > 0) m--;",
    ),
    (
        "fibonacci",
        "while (n > 0) { n--; int t = m; m = k + t; k = t; } while (m > 0) m--;",
    ),
];

#[test]
fn what_a_program_does_is_between_the_bounds_of_its_model() {
    if !has_compiler() {
        return;
    }
    // 0, 1, negative and equal ones.
    const VALUES: [i64; 8] = [0, 1, 3, 3, 9, -2, 17, 4];
    let points: Vec<Vec<i64>> = (0..24_usize)
        .map(|row| {
            (0..3)
                .map(|k| VALUES[(row * (2 * k + 1) + k) % 8])
                .collect()
        })
        .collect();
    for (name, body) in BODIES {
        let text = format!("{NONDET}void run(int n, int m, int k) {{ {body} }}\n");
        let case = Case {
            name: &format!("bounds_{name}"),
            text: &text,
            entry: Some("run"),
            arguments: &["n", "m", "k"],
            points: points.clone(),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Bounded(run) | Outcome::Counted(run)) => {
                assert!(run >= 5, "{name} ran at {run} points");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn loops_without_an_end_have_no_bound() {
    for (name, body) in [
        ("up", "while (n > 0) n++;"),
        ("still", "while (n > 0) { if (m > 0) n--; }"),
        ("refilled", "while (n > 0) { n--; if (nondet()) n += 2; }"),
        ("by_zero", "while (n > 0) n -= m;"),
        // A value that is drawn again is another one.
        (
            "drawn",
            "while (n > 1 && n >= 2 * m) { m = n; n = drawn(); }",
        ),
        ("squares", "while (n > 1 || n < -1) n = n * n;"),
        ("rounded", "while (n < 0) n = (n + 1) / 2 - 1;"),
        (
            "for_ever",
            "int x = n; while (x <= 0) x += 2; while (x >= 0) { x--; x++; }",
        ),
        // That x is never below 0 follows from a count that is searched for.
        (
            "behind",
            "int x = 0; int y = 2; while (y <= n) { if (y > m) y = n; else x += 2; y = 2 * y + 1; } while (x >= 0) x += 3;",
        ),
    ] {
        let text = format!("{NONDET}void run(int n, int m, int k) {{ {body} }}\n");
        let case = Case {
            name: &format!("unbounded_{name}"),
            text: &text,
            entry: Some("run"),
            arguments: &["n", "m", "k"],
            points: Vec::new(),
            input: "",
        };
        let at = super::directory(&format!("unbounded/{name}"));
        std::fs::write(at.join("program.c"), case.text).expect("a program");
        let (model, errors, status) = super::pamela(&["model", "program.c", "--entry", "run"], &at);
        assert!(matches!(status, Some(0 | 3)), "{errors}");
        let bounded = model
            .lines()
            .find(|line| line.contains(" K_") && line.contains("<="));
        assert_eq!(bounded, None, "{name}:\n{model}");
    }
}

/// Counts hold where the model does, and no further: from n = 2 on this loop has no end.
#[test]
fn counts_say_what_they_assume() {
    let at = super::directory("counts_assume");
    let text = "void run(int n, int m) { int y = n; while (y >= m) y = 2 * y - 1; }\n";
    std::fs::write(at.join("program.c"), text).expect("a program");
    let arguments = [
        "model",
        "program.c",
        "--entry",
        "run",
        "--counts",
        "-o",
        "counts.pam",
    ];
    let (_, errors, status) = super::pamela(&arguments, &at);
    assert_eq!(status, Some(0), "{errors}");
    let counts = |n: &str| super::pamela(&["eval", "counts.pam", "-D", n, "-D", "m=0"], &at);
    let (values, _, status) = counts("n=0");
    assert!(
        status == Some(0) && values.trim_end().ends_with(" 1"),
        "{values}"
    );
    let (values, errors, status) = counts("n=2");
    assert!(status == Some(1) && values.is_empty(), "{values}{errors}");
}
