//! Recurrences of textbooks: their values are those of direct recursion, and they grow as the textbook says.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The value at `n` by the values of smaller sizes.
type Step = fn(f64, &mut dyn FnMut(f64) -> f64) -> f64;
/// The textbook's order of growth.
type Order = fn(f64) -> f64;

fn half(n: f64) -> f64 {
    (n / 2.0).floor()
}

fn log2(n: f64) -> f64 {
    n.log2()
}

/// The name, the recurrence as a model writes it, the recurrence for direct recursion, and the order of those that are
/// bounded by a polynomial.
const RECURRENCES: [(&str, &str, Step, Option<Order>); 22] = [
    (
        "merge",
        "if (n <= 1) 0 else merge(n div 2) + merge(n - n div 2) + n",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                t(half(n)) + t(n - half(n)) + n
            }
        },
        Some(|n| n * log2(n)),
    ),
    (
        "karatsuba",
        "if (n <= 1) 1 else 3 * karatsuba(n div 2) + n",
        |n, t| if n <= 1.0 { 1.0 } else { 3.0 * t(half(n)) + n },
        Some(|n| n.powf(3_f64.log2())),
    ),
    (
        "strassen",
        "if (n <= 1) 1 else 7 * strassen(n div 2) + 18 * (n div 2)^2",
        |n, t| {
            if n <= 1.0 {
                1.0
            } else {
                7.0 * t(half(n)) + 18.0 * half(n) * half(n)
            }
        },
        Some(|n| n.powf(7_f64.log2())),
    ),
    (
        "bisect",
        "if (n <= 0) 0 else bisect((n - 1) div 2) + 1",
        |n, t| {
            if n <= 0.0 {
                0.0
            } else {
                t(half(n - 1.0)) + 1.0
            }
        },
        Some(log2),
    ),
    (
        "hanoi",
        "if (n <= 0) 0 else 2 * hanoi(n - 1) + 1",
        |n, t| {
            if n <= 0.0 {
                0.0
            } else {
                2.0 * t(n - 1.0) + 1.0
            }
        },
        None,
    ),
    (
        "fibonacci",
        "if (n <= 0) 0 else if (n == 1) 1 else fibonacci(n - 1) + fibonacci(n - 2)",
        |n, t| {
            if n <= 1.0 {
                n.max(0.0)
            } else {
                t(n - 1.0) + t(n - 2.0)
            }
        },
        None,
    ),
    (
        "calls",
        "if (n > 1) calls(n - 1) + calls(n - 2) + 1 else 1",
        |n, t| {
            if n <= 1.0 {
                1.0
            } else {
                t(n - 1.0) + t(n - 2.0) + 1.0
            }
        },
        None,
    ),
    (
        "jacobsthal",
        "switch { n <= 0: 0, n == 1: 1, 1: jacobsthal(n - 1) + 2 * jacobsthal(n - 2) }",
        |n, t| {
            if n <= 1.0 {
                n.max(0.0)
            } else {
                t(n - 1.0) + 2.0 * t(n - 2.0)
            }
        },
        None,
    ),
    (
        "pell",
        "if (n <= 1) n else 2 * pell(n - 1) + pell(n - 2)",
        |n, t| {
            if n <= 1.0 {
                n
            } else {
                2.0 * t(n - 1.0) + t(n - 2.0)
            }
        },
        None,
    ),
    (
        "quicksort",
        "if (n <= 1) 0 else n - 1 + 2 / n * sum (i = 0, n - 1) { quicksort(i) }",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                n - 1.0 + 2.0 / n * (0..n as i64).map(|i| t(i as f64)).sum::<f64>()
            }
        },
        Some(|n| n * log2(n)),
    ),
    (
        "select",
        "if (n <= 1) 0 else n + sum (i = 1, n - 1) { select(i) } / n",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                n + (1..n as i64).map(|i| t(i as f64)).sum::<f64>() / n
            }
        },
        Some(|n| n),
    ),
    (
        "partition",
        "if (n <= 1) 0 else n - 1 + sum (i = 1, n) { partition(i - 1) + partition(n - i) } / n",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                n - 1.0
                    + (1..=n as i64)
                        .map(|i| t(i as f64 - 1.0) + t(n - i as f64))
                        .sum::<f64>()
                        / n
            }
        },
        Some(|n| n * log2(n)),
    ),
    (
        "insertion",
        "if (n <= 1) 0 else insertion(n - 1) + n - 1",
        |n, t| if n <= 1.0 { 0.0 } else { t(n - 1.0) + n - 1.0 },
        Some(|n| n * n),
    ),
    (
        "permutations",
        "if (n <= 0) 1 else n * permutations(n - 1)",
        |n, t| if n <= 0.0 { 1.0 } else { n * t(n - 1.0) },
        None,
    ),
    (
        "tournament",
        "if (n <= 1) 0 else tournament(n div 2) + tournament(ceil(n / 2)) + 1",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                t(half(n)) + t((n / 2.0).ceil()) + 1.0
            }
        },
        Some(|n| n),
    ),
    (
        "levels",
        "if (n <= 1) 0 else 2 * levels(n div 2) + log2(max(n, 1))",
        |n, t| {
            if n <= 1.0 {
                0.0
            } else {
                2.0 * t(half(n)) + log2(n)
            }
        },
        Some(|n| n),
    ),
    (
        "thirds",
        "if (n <= 1) 1 else thirds(n / 3) + thirds(2 * n / 3) + n",
        |n, t| {
            if n <= 1.0 {
                1.0
            } else {
                t(n / 3.0) + t(2.0 * n / 3.0) + n
            }
        },
        Some(|n| n * log2(n)),
    ),
    (
        "median",
        "if (n <= 1) 1 else median(n / 5) + median(7 * n / 10) + n",
        |n, t| {
            if n <= 1.0 {
                1.0
            } else {
                t(n / 5.0) + t(0.7 * n) + n
            }
        },
        Some(|n| n),
    ),
    (
        "quadtree",
        "if (n <= 1) 1 else 4 * quadtree(n / 2) + n^2",
        |n, t| {
            if n <= 1.0 {
                1.0
            } else {
                4.0 * t(n / 2.0) + n * n
            }
        },
        Some(|n| n * n * log2(n)),
    ),
    (
        "growth",
        "if (n <= 0) 1 else 3 * growth(n - 1) - 2 * growth(n - 2) + n",
        |n, t| {
            if n <= 0.0 {
                1.0
            } else {
                3.0 * t(n - 1.0) - 2.0 * t(n - 2.0) + n
            }
        },
        None,
    ),
    (
        "strides",
        "if (n < 4) n else strides(n - 3) + 2",
        |n, t| if n < 4.0 { n } else { t(n - 3.0) + 2.0 },
        Some(|n| n),
    ),
    (
        "fourth",
        "if (1 >= n) 3 else fourth(n div 4) * 2 - n / 5",
        |n, t| {
            if n <= 1.0 {
                3.0
            } else {
                2.0 * t((n / 4.0).floor()) - n / 5.0
            }
        },
        None,
    ),
];

fn direct(step: Step, n: f64, known: &mut HashMap<u64, f64>) -> f64 {
    if let Some(value) = known.get(&n.to_bits()) {
        return *value;
    }
    let value = step(n, &mut |n| direct(step, n, known));
    known.insert(n.to_bits(), value);
    value
}

fn model(file: &str, is_own: fn(&Option<Order>) -> bool) -> PathBuf {
    let own = RECURRENCES.iter().filter(|(.., order)| is_own(order));
    let equations = own.map(|(name, value, ..)| {
        format!("numeric {name}(n) = {value}\nnumeric of_{name} = {name}(n)\n")
    });
    let text = "numeric parameter n : integer\n".to_owned() + &equations.collect::<String>();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, text).expect("a model");
    path
}

/// The columns of a sweep by name.
fn sweep(model: &Path, n: &str) -> Vec<HashMap<String, f64>> {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["sweep", &model.to_string_lossy(), "-D", &format!("n={n}")])
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let row = |line: &str| {
        let cells = names.iter().zip(line.split(','));
        cells
            .filter_map(|(name, cell)| Some((name.to_string(), cell.parse().ok()?)))
            .collect()
    };
    lines.map(row).collect()
}

#[test]
fn recurrences_of_textbooks_have_the_values_of_direct_recursion() {
    let mut wrong = Vec::new();
    let rows = sweep(&model("recurrences.pam", |_| true), "-3:64");
    assert_eq!(rows.len(), 68);
    for (name, _, step, _) in RECURRENCES {
        let mut known = HashMap::new();
        for row in &rows {
            let n = row["n"];
            let wanted = direct(step, n, &mut known);
            match row.get(&format!("of_{name}")) {
                // Whole values below 2^53 are exact in both; others are rounded differently.
                Some(found)
                    if *found == wanted || (found - wanted).abs() < 2e-14 * wanted.abs() => {}
                found => wrong.push(format!("{name}({n}) is {wanted}, not {found:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recurrences_of_textbooks_grow_as_the_textbook_says() {
    let rows = sweep(&model("orders.pam", Option::is_some), "2048,4096");
    for (name, .., order) in RECURRENCES {
        let Some(order) = order else { continue };
        let ratios: Vec<f64> = rows
            .iter()
            .map(|row| row[&format!("of_{name}")] / order(row["n"]))
            .collect();
        let change = ratios[1] / ratios[0];
        assert!((0.85..1.15).contains(&change), "{name}: {ratios:?}");
    }
}

/// By hand: 2^64 - 1, (2^64 - 1) / 3, and the 64th number of Fibonacci.
#[test]
fn large_values_are_exact() {
    let model = model("large.pam", Option::is_none);
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args([
            "eval",
            "--emit=pamela",
            &model.to_string_lossy(),
            "-D",
            "n=64",
        ])
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for (name, value) in [
        ("hanoi", "18446744073709551615"),
        ("jacobsthal", "6148914691236517205"),
        ("fibonacci", "10610209857723"),
    ] {
        assert!(
            text.contains(&format!("numeric of_{name} = {value}\n")),
            "{name}: {text}"
        );
    }
}

#[test]
fn recurrences_that_are_not_solved_say_why() {
    for (recurrence, reason) in [
        (
            "T(m, n) = if (m <= 0) n + 1 else if (n <= 0) T(m - 1, 1) else T(m - 1, T(m, n - 1))",
            "itself recursive",
        ),
        (
            "T(m, n) = if (m <= 0) n else T(m - 1, n + 1)",
            "several arguments: `m`, `n`",
        ),
        ("T(n) = if (n <= 0) 0 else T(n + 1)", "smaller than `n`"),
        (
            "T(n) = if (n <= 0) 0 else T(n / 2)",
            "must end at a number above 0",
        ),
        ("T(n) = if (n == 0) 0 else T(n - 1)", "write `n <= 0`"),
        (
            "T(n) = if (n <= 0) 0 else if (n == 2) 1 else T(n - 1)",
            "the calls go on",
        ),
        ("T(n) = if (n <= 0) 1 else T(n - 1)^2", "not linear"),
        ("T(n) = if (n <= 0) 1 else 1 / T(n - 1)", "not linear"),
        ("T(n) = if (n <= 0) 1 else max(T(n - 1), 2)", "not linear"),
        ("T(n) = if (n <= 0) 1 else T(ceil(n / 2))", "never ends"),
        (
            "T(n) = if (n <= 1) 1 else T(n - 1) + T(n div 2)",
            "several kinds",
        ),
        (
            "T(n) = if (n <= 1) 1 else 2 * T(n div 2) + T(n - n div 2)",
            "not two halves",
        ),
        (
            "T(n) = if (n <= 1) 1 else sum (i = 0, n - 2) { T(i) }",
            "sum of all smaller parts",
        ),
        ("T(n) = T(n - 1)", "no branch is without calls"),
        ("T(n) = if (n <= 1) 1 else T(n)", "never ends"),
    ] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unsolved.pam");
        std::fs::write(
            &file,
            format!("numeric parameter n : integer >= 0\nnumeric {recurrence}\n"),
        )
        .expect("a model");
        let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
            .arg("check")
            .arg(&file)
            .output()
            .expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{recurrence}: {errors}");
        assert!(
            errors.contains("the recurrence `T` is not solved") && errors.contains(reason),
            "{recurrence}: {errors}"
        );
    }
}
