//! Random programs made of what models get wrong: globals written between calls, casts, early exits, signed starts, steps and
//! bounds of either sign. Counts are those of the program with counters, or told. Written without a look at the other
//! generators.

use crate::day::seeds;

use super::counted::{Case, Outcome, check, has_compiler};
use super::random::Random;

const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\ntypedef int idx_t; typedef unsigned long word_t; typedef idx_t other_t;\n\
    static int g, h = 3; int visible = 2; static double s;\n\
    static void mark(void) { s += 1; }\n\
    static void bump(int by) { g = g + by; s += 2; }\n\
    static void set(int *to, int value) { *to = value; }\n\
    static int clip(int x, int most) { return x < most ? x : most; }\n\
    static void kernel(void) { for (int q = 0; q < g; q++) s += 3; }\n\
    static int rest(int x) { if (x < 0) return 0; s += 4; return x; }\n\
    static int down(int x) { if (x <= 0) return 0; s += 5; return down(x - 1); }\n";

/// A value: a third of them are 0, 1 or a boundary.
fn value(random: &mut Random) -> String {
    const EDGES: [&str; 6] = ["0", "1", "-1", "n", "m", "n - n"];
    const VALUES: [&str; 16] = [
        "n - m",
        "m + 2",
        "(idx_t) -n",
        "m + (other_t) -1",
        "(idx_t)(n / 2)",
        "2 * n - 3",
        "g",
        "h",
        "visible",
        "clip(n, m)",
        "n % 3",
        "(n - m) / 2",
        "-(m)",
        "(int)(word_t)(n)",
        "n < m ? n : 4",
        "(m > 2) + n",
    ];
    match random.below(3) {
        0 => random.one_of(&EDGES).to_string(),
        _ => random.one_of(&VALUES).to_string(),
    }
}

fn condition(random: &mut Random) -> String {
    let sign = random.one_of(&["<", "<=", ">", ">=", "==", "!="]);
    format!("{} {sign} {}", value(random), value(random))
}

/// A loop from or to something, which may be below 0.
fn head(random: &mut Random, index: &str) -> String {
    let (from, to) = (value(random), value(random));
    match random.below(6) {
        0 => format!("for (int {index} = {from}; {index} < {to}; {index}++)"),
        1 => format!("for (int {index} = {from}; {index} >= {to}; {index}--)"),
        2 => format!("for (int {index} = {from}; {index} <= {to}; {index} += 2)"),
        3 => format!("for (int {index} = {from}; {index} > {to}; {index} -= 3)"),
        4 => format!(
            "for (unsigned {index} = {}; {index}-- > 0; )",
            random.one_of(&["n", "m", "1", "0", "n + m"])
        ),
        _ => format!("for (int {index} = 1; {index} < {to}; {index} *= 2)"),
    }
}

fn statement(random: &mut Random, depth: usize, inside: &str) -> String {
    let leave = ["continue;", "break;", "if (h > 50) exit(1);"];
    let text = match random.below(14) {
        0 => format!("g = {};", value(random)),
        1 => format!("h = {};", value(random)),
        2 => format!("visible = {};", value(random)),
        3 => "mark();".to_string(),
        4 => format!("bump({});", value(random)),
        5 => format!(
            "set(&{}, {});",
            random.one_of(&["g", "h", "k"]),
            value(random)
        ),
        6 => "kernel();".to_string(),
        7 => format!("k = rest({});", value(random)),
        8 => "down(n);".to_string(),
        9 if !inside.is_empty() && depth > 0 => {
            let index = inside;
            format!(
                "if ({index} % 2 == {}) {}",
                random.below(2),
                random.one_of(&leave)
            )
        }
        9 => format!("if ({}) exit(0);", condition(random)),
        10 | 11 => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            condition(random),
            block(random, depth, inside),
            block(random, depth, inside)
        ),
        _ if depth < 2 => {
            let index = ["i", "j"][depth];
            format!(
                "{} {{ {} }}",
                head(random, index),
                block(random, depth + 1, index)
            )
        }
        _ => format!("k = {};", value(random)),
    };
    format!("{text}\n")
}

fn block(random: &mut Random, depth: usize, inside: &str) -> String {
    let few = 1 + random.below(2);
    let own = format!("s += {};", 6 + random.below(90));
    let all: String = (0..few).map(|_| statement(random, depth, inside)).collect();
    format!("{all}{own}\n")
}

fn program(random: &mut Random) -> String {
    let few = 4 + random.below(4);
    let body: String = (0..few).map(|_| statement(random, 0, "")).collect();
    format!(
        "{HEAD}int main(int argc, char **argv) {{\nint n = atoi(argv[1]), m = atoi(argv[2]), k = 2;\n{body}\
         for (int i = 0; i < g; i++) s += 100;\nfor (int i = 0; i < h + k + visible; i++) s += 101;\n\
         printf(\"%g\\n\", s);\nreturn 0;\n}}\n"
    )
}

/// `PAMELA_HAZARDS=300` tries as many, and with `PAMELA_SEED=7` from that one on.
#[test]
fn counts_of_hazards_are_those_of_the_programs_or_told() {
    if !has_compiler() {
        return;
    }
    let seeds = seeds("PAMELA_HAZARDS", 84);
    let number = seeds.len();
    let (mut wrong, mut counted, mut told) = (Vec::new(), 0, 0);
    for seed in seeds {
        let text = program(&mut Random::new(seed ^ 0x9e37_79b9));
        let case = Case {
            name: &format!("hazard{seed}"),
            text: &text,
            entry: None,
            arguments: &["n", "m", "g", "h", "visible"],
            points: [
                [0, 0],
                [0, 1],
                [1, 0],
                [1, 1],
                [2, 2],
                [3, 7],
                [7, 3],
                [4, 5],
                [12, 2],
                [0, 9],
            ]
            .map(|[n, m]| vec![n, m, 0, 3, 2])
            .to_vec(),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Counted(_)) => counted += 1,
            Ok(_) => told += 1,
            Err(error) => wrong.push(format!("seed {seed}: {error}")),
        }
    }
    eprintln!("{number} programs: {counted} counted, {told} told");
    let shown: Vec<&str> = wrong.iter().take(3).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} of {number} wrong:\n{}",
        wrong.len(),
        shown.join("\n\n")
    );
}
