//! Random `while` loops of linear changes: of one way that adds, multiplies or swaps values, and of several that are taken in
//! turn, and of products. What their models count, and the bounds of what they do not count, are compared with the programs
//! that are run.
//!
//! `PAMELA_PHASES=300 cargo test --test all programs::phases` tries 300.

use crate::selection::seeds;

use super::counted::{Case, Outcome, check, has_compiler};
use super::random::Random;

const POINTS: [[i64; 3]; 16] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [2, 1, 3],
    [3, 3, 0],
    [5, 5, 5],
    [7, 2, 4],
    [2, 9, 4],
    [4, 3, 11],
    [13, 1, 2],
    [20, 7, 0],
    [6, 17, 1],
    [31, 30, 29],
    [10, 0, 25],
];

const NAMES: [&str; 3] = ["x", "y", "z"];

/// A sum of a few names: a third of all are 0, 1 or a single name.
fn side(random: &mut Random) -> String {
    let (a, b) = (random.one_of(&NAMES), random.one_of(&NAMES));
    let number = random.below(5);
    match random.below(9) {
        0 | 1 => "0".to_string(),
        2 => "1".to_string(),
        3 => number.to_string(),
        4 => format!("{a} + {b}"),
        5 => format!("{a} - {number}"),
        6 => format!("2 * {a}"),
        _ => b.to_string(),
    }
}

fn condition(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.below(3) == 0 {
        let sign = random.one_of(&["&&", "||", "&&"]);
        let (a, b) = (condition(random, depth - 1), condition(random, depth - 1));
        return format!("({a}) {sign} ({b})");
    }
    let sign = random.one_of(&["<", "<=", ">", ">=", ">", "<", "!=", "=="]);
    format!("{} {sign} {}", random.one_of(&NAMES), side(random))
}

fn change(random: &mut Random) -> String {
    let (a, b) = (random.one_of(&NAMES), random.one_of(&NAMES));
    let number = 1 + random.below(3);
    match random.below(16) {
        0..4 => format!("{a}++;"),
        4..8 => format!("{a}--;"),
        8 => format!("{a} -= {number};"),
        9 => format!("{a} += {b};"),
        10 => format!("{a} -= {b};"),
        11 => format!("{a} = {b} - {number};"),
        12 => format!("{a} = {};", random.below(2)),
        13 => format!("{a} = -{a} + {};", random.below(3)),
        14 => format!("t = {a}; {a} = {b}; {b} = t;"),
        _ => format!("{a} = 2 * {a} - {number};"),
    }
}

fn changes(random: &mut Random, most: u64) -> String {
    (0..=random.below(most)).map(|_| change(random)).collect()
}

fn body(random: &mut Random, depth: usize) -> String {
    let before = if random.below(3) == 0 {
        changes(random, 1)
    } else {
        String::new()
    };
    let after = if random.below(3) == 0 {
        changes(random, 1)
    } else {
        String::new()
    };
    let leaves = ["break;", "continue;"];
    let inner = match random.below(8) {
        _ if depth == 0 => changes(random, 3),
        0 => changes(random, 3),
        1 => format!("if ({}) {}", condition(random, 0), random.one_of(&leaves)),
        2 => format!(
            "if ({}) {{ {} }}",
            condition(random, 1),
            body(random, depth - 1)
        ),
        _ => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            condition(random, 1),
            body(random, depth - 1),
            body(random, depth - 1)
        ),
    };
    before + &inner + &after
}

/// Loops one after the other, so that what is behind one is where the next begins.
fn program(random: &mut Random) -> String {
    let few = 1 + random.below(2);
    let loops = (0..few).map(|_| {
        let depth = random.below(3) as usize;
        let (body, condition) = (body(random, depth), condition(random, 1));
        match random.below(8) {
            0 => format!("do {{ {body} }} while ({condition});"),
            1 => format!("for (int i = 0; i < y; i++) {{ {body} }}"),
            2 => format!(
                "if ({}) while ({condition}) {{ {body} }}",
                self::condition(random, 0)
            ),
            _ => format!("while ({condition}) {{ {body} }}"),
        }
    });
    let loops: String = loops.collect();
    format!("void run(int x, int y, int z) {{ int t = 0; {loops} while (x > 0) x--; }}\n")
}

/// A condition with products.
fn curve(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.below(2) == 0 {
        let sign = random.one_of(&["&&", "||", "&&"]);
        let (a, b) = (curve(random, depth - 1), curve(random, depth - 1));
        return format!("({a}) {sign} ({b})");
    }
    let [a, b, c] = [0; 3].map(|_| random.one_of(&NAMES));
    match random.below(7) {
        0 => format!("{a} < {b} * {c}"),
        1 => format!("{a} * {b} > 0"),
        2 => format!("{a} * {a} < {b} + 40"),
        3 => format!("{a} != {}", random.below(2)),
        4 => format!("{a} < {b}"),
        _ => format!("{a} > 0"),
    }
}

/// A change by products: where all are of one list, all values can be solved.
fn growth(random: &mut Random) -> String {
    let [a, b, c] = [0; 3].map(|_| random.one_of(&NAMES));
    let (factor, number) = (2 + random.below(3), random.below(4));
    match random.below(18) {
        0..3 => format!("{a} = {factor} * {a};"),
        3 => format!("{a} = {number} - {factor} * {a};"),
        4 | 5 => format!("{a} += {b} * {c};"),
        6 => format!("{a} -= {b} * {b};"),
        7 => format!("{a} = {factor} * {a} - {b};"),
        8 | 9 => format!("{a}--;"),
        10 => format!("{a}++;"),
        11 => format!("t = {a}; {a} = 3 * t + 2 * {b}; {b} = -5 * t - 3 * {b};"),
        12 => format!("t = {a}; {a} = {b}; {b} = t - {number};"),
        // What is not solved, or by itself.
        13 => format!("{a} -= {b} > {number} ? {b} : 1;"),
        14 => format!("for (int j = {number}; j < 2; j++) {a} -= {factor};"),
        15 => format!("{{ int {b} = {number}; {b}++; {a} -= {b}; }}"),
        16 => format!("{a} -= {b} / {factor} + 1;"),
        _ => format!("if ({c} > 2) {a} -= {b}; else {a} = {a} - {b};"),
    }
}

/// A loop of products: alone, or in another one.
fn curved(random: &mut Random) -> String {
    let condition = curve(random, 1);
    let body: String = (0..=random.below(3)).map(|_| growth(random)).collect();
    let own = format!("while ({condition}) {{ {body} }}");
    let own = if random.below(3) == 0 {
        let inner = [("x", "u"), ("y", "v"), ("z", "w")];
        let inner = inner
            .iter()
            .fold(own, |text, (name, other)| text.replace(name, other));
        format!("for (int i = 0; i < y; i++) {{ int u = i, v = x, w = z; {inner} }}")
    } else {
        own
    };
    format!("void run(int x, int y, int z) {{ int t = 0; {own} while (x > 0) x--; }}\n")
}

/// A loop of which each iteration begins where the one before ended, with loops in it.
fn begun(random: &mut Random) -> String {
    let mut step = || {
        let names = ["y", "z", "t", "z"];
        let (a, b) = (random.one_of(&names), random.one_of(&names));
        let number = random.below(3);
        match random.below(14) {
            0..3 => format!("while ({a} > 0) {a}--;"),
            3 => format!("while ({a} > {b}) {a}--;"),
            4 => format!("while ({a} < x) {a} += {};", number + 1),
            5 => format!("for (int j = 0; j < {a}; j++) {b} = j;"),
            6 => format!("{a} = {b};"),
            7 => format!("{a} = {number};"),
            8 => format!("{a} = i + {number};"),
            9 => format!("{a} += {number};"),
            10 => format!("if (i > {number}) {a} = {b};"),
            11 => format!("if (i == {number}) continue;"),
            12 => format!("if ({a} > {b}) {a} = {number};"),
            _ => format!("{a} = 2 * {b};"),
        }
    };
    let body: String = (0..3).map(|_| step()).collect();
    format!(
        "void run(int x, int y, int z) {{ int t = 1; for (int i = 0; i < x; i++) {{ {body} }} \
         while (y > 0) y--; while (z > 0) z--; while (t > 0) t--; }}\n"
    )
}

/// What brings loops to an end in most cases.
fn step(random: &mut Random) -> String {
    let (a, b) = (random.one_of(&NAMES), random.one_of(&NAMES));
    match random.below(14) {
        0..5 => format!("{a}--;"),
        5 | 6 => format!("{a}++;"),
        7 => format!("{a} -= 2;"),
        8 => format!("{a} = {b};"),
        9 => format!("{a} = 0;"),
        10 => format!("{a} = {a} < {b} ? {a} : {b};"),
        11 => format!("{a} = {b} > 0 ? {b} - 1 : {a};"),
        12 => format!("{{ int least = {a} < 4 ? {a} : 4; {a} -= least; }}"),
        _ => format!("if (nondet() > 0) {a}--; else {b}--;"),
    }
}

fn steps(random: &mut Random) -> String {
    (0..=random.below(2)).map(|_| step(random)).collect()
}

/// A condition that most steps bring to its end.
fn bound(random: &mut Random) -> String {
    let (a, b) = (random.one_of(&NAMES), random.one_of(&NAMES));
    let own = match random.below(7) {
        0 => format!("{a} > {b}"),
        1 => format!("{a} >= 0 && {b} > 0"),
        2 => format!("{a} < {b}"),
        3 => format!("{a} == {b} && {a} > 0"),
        _ => format!("{a} > 0"),
    };
    if random.below(3) == 0 {
        format!("{own} && nondet() > 0")
    } else {
        own
    }
}

/// A nest of loops that take from each other.
fn nest(random: &mut Random, depth: usize) -> String {
    let (before, after) = (steps(random), steps(random));
    let (condition, leaves) = (bound(random), random.below(6) == 0);
    let inner = match random.below(5) {
        _ if depth == 0 => String::new(),
        0 => format!(
            "if (nondet() > 0) {{ {} }} else {{ {} }}",
            steps(random),
            nest(random, depth - 1)
        ),
        1 => format!("{} {}", nest(random, depth - 1), nest(random, depth - 1)),
        _ => nest(random, depth - 1),
    };
    let end = if leaves {
        "if (nondet() > 3) break;"
    } else {
        ""
    };
    match random.below(6) {
        0 => format!("do {{ {before} {inner} {end} }} while ({condition});"),
        1 => format!("while ({condition}) {{ {inner} {after} {end} }}"),
        _ => format!("while ({condition}) {{ {before} {inner} {after} {end} }}"),
    }
}

/// `PAMELA_PHASES=300` tries 300 nests as well.
#[test]
fn what_random_nests_do_is_between_their_bounds() {
    if !has_compiler() {
        return;
    }
    let seeds = seeds("PAMELA_PHASES", 64);
    let number = seeds.len();
    let (mut wrong, mut bounded) = (Vec::new(), 0);
    for seed in seeds {
        let mut random = Random::new(seed ^ 0x2b99_1f03);
        let depth = 1 + random.below(2) as usize;
        let text = format!(
            "extern int nondet(void);\nvoid run(int x, int y, int z) {{ {} while (x > 0) x--; }}\n",
            nest(&mut random, depth)
        );
        let case = Case {
            name: &format!("nest{seed}"),
            text: &text,
            entry: Some("run"),
            arguments: &NAMES,
            points: POINTS.map(|point| point.to_vec()).to_vec(),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Bounded(points) | Outcome::Counted(points)) => {
                bounded += usize::from(points > 3)
            }
            Ok(_) => {}
            Err(error) => wrong.push(format!("seed {seed}: {error}")),
        }
    }
    eprintln!("{number} nests: {bounded} bounded");
    let shown: Vec<&str> = wrong.iter().take(3).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} of {number} wrong:\n{}",
        wrong.len(),
        shown.join("\n\n")
    );
    assert!(8 * bounded >= number, "few are bounded");
}

#[test]
fn counts_of_linear_loops_are_those_of_the_programs_or_told() {
    compared("phase", 96, 0x51ed_2701, program, 8);
}

#[test]
fn counts_of_polynomial_loops_are_those_of_the_programs_or_told() {
    compared("curve", 96, 0x3c6e_f372, curved, 6);
}

#[test]
fn counts_of_loops_that_go_on_from_others_are_those_of_the_programs_or_told() {
    compared("begun", 160, 0x1f83_d9ab, begun, 6);
}

/// Loops of which each is counted.
const CURVES: [(&str, &str); 18] = [
    ("powers", "while (x > 0 && x < y) { x = 3 * x; y = 2 * y; }"),
    (
        "parabola",
        "while (x > 0 && x < y * y) { x = 5 * x + z * z; y = 2 * y; }",
    ),
    ("signs", "while (x > 0) x = -2 * x + 10;"),
    ("product", "while (x * y > 0) { x--; y -= 2; }"),
    (
        "either",
        "while ((z < x || z < y) && z > 0) { x = 2 * x; y = 3 * y; z = 4 * z; }",
    ),
    (
        "unequal",
        "while (x != 0 && x * x < z) { x = -2 * x; z = 3 * z - y; }",
    ),
    ("cubes", "while (x < 30) { x += y * y; y++; }"),
    // Values go round, or two of them go into each other.
    (
        "round",
        "while (z > 0) { z--; t = x; x = 3 * t + 2 * y; y = -5 * t - 3 * y; } while (x + y > 0) { x--; y--; }",
    ),
    (
        "eigenvalues",
        "while (3 * x < 2 * y && y < 2 * x) { t = x; x = 4 * t - y; y = 2 * t + y; }",
    ),
    // An inner loop begins anew each time.
    (
        "anew",
        "t = y; while (z > 0) { while (t < x * x && t > 0) { t = 4 * t; x = x + 1; } t = y; x = 7; z--; }",
    ),
    (
        "inner",
        "for (int i = 0; i < y; i++) { int u = i, v = x; while (u > 0 && u < v) { u = 3 * u; v = v + 2; } }",
    ),
    // The first iteration is another one than all that follow.
    ("first", "while (z > 0) { while (y > 0) y--; z--; }"),
    ("down_to", "while (x > z) { while (y > z) y--; x--; }"),
    (
        "once",
        "for (int i = 0; i < x; i++) { for (int j = 0; j < y; j++) z++; y = 0; } while (z > 0) z--;",
    ),
    // What is behind a loop is what its last iteration gives.
    (
        "last",
        "for (int i = 0; i < x; i++) { y = 2 * i; z = y + 1; } while (z > 0) z--;",
    ),
    (
        "unreached",
        "while (x > 0) { t = x; x--; if (t <= 0) while (t < 0) t++; }",
    ),
    (
        "unknown",
        "while (x > 0) { int d = x < 5 ? x : 5; y = d; x--; z += 2; } while (z > 0) z--;",
    ),
    // Some values never end it.
    ("swapped", "while (x >= 7) { t = x; x = y; y = t + 1; }"),
];

#[test]
fn loops_of_products_are_counted() {
    if !has_compiler() {
        return;
    }
    for (name, body) in CURVES {
        let text = format!("void run(int x, int y, int z) {{ int t = 0; {body} }}\n");
        let case = Case {
            name: &format!("curve_{name}"),
            text: &text,
            entry: Some("run"),
            arguments: &NAMES,
            points: POINTS.map(|point| point.to_vec()).to_vec(),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Counted(run)) => assert!(run >= 5, "{name} ran at {run} points"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Compares a few programs, or the number in `PAMELA_PHASES`: a fifth of them is counted, and each counted one ends at
/// `points` points or more on average.
fn compared(name: &str, few: u64, seed: u64, program: fn(&mut Random) -> String, points: usize) {
    if !has_compiler() {
        return;
    }
    let seeds = seeds("PAMELA_PHASES", few);
    let number = seeds.len();
    let (mut wrong, mut counted, mut bounded, mut run) = (Vec::new(), 0, 0, 0);
    for own in seeds {
        let text = program(&mut Random::new(own ^ seed));
        let case = Case {
            name: &format!("{name}{own}"),
            text: &text,
            entry: Some("run"),
            arguments: &NAMES,
            points: POINTS.map(|point| point.to_vec()).to_vec(),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Counted(ended)) => {
                counted += 1;
                run += ended;
            }
            Ok(Outcome::Bounded(_)) => bounded += 1,
            Ok(_) => {}
            Err(error) => wrong.push(format!("seed {own}: {error}")),
        }
    }
    eprintln!("{number} programs: {counted} counted, at {run} points, {bounded} bounded");
    let shown: Vec<&str> = wrong.iter().take(3).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} of {number} wrong:\n{}",
        wrong.len(),
        shown.join("\n\n")
    );
    assert!(run >= points * counted, "few points end");
    assert!(5 * counted >= number, "few are counted");
}
