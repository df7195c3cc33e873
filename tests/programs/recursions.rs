//! Random functions that call themselves: counts of their models equal those of the programs that are run, at all sizes
//! where nothing is said, and at powers where a note says that the parts of a level may differ. Where it says that they are
//! bounds, they are below and above those of the programs at all sizes.
//!
//! `PAMELA_RECURSIONS=300 cargo test --test all programs::recursions` tries 300.

use std::fs;

use super::random::Random;
use super::weights::{HEAD, TAIL, compile, modelled, run};
use super::{directory, pamela};
use crate::selection;

/// A program, and the sizes at which its levels are equal.
struct Program {
    text: String,
    powers: Vec<i64>,
    sizes: Vec<i64>,
    /// True if the size is an argument of the function, `n`.
    is_of_size: bool,
}

/// One long function, because it chooses one part of the program after the other.
fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut pick = |list: &[&'static str]| list[random.below(list.len() as u64) as usize];
    let form = pick(&[
        "size",
        "size",
        "pointer",
        "between",
        "inclusive",
        "around",
        "minus",
        "minus",
        "two steps",
    ]);
    let by: i64 = pick(&["2", "2", "3", "4"]).parse().expect("a number");
    let threshold: i64 = pick(&["1", "1", "2", "5"]).parse().expect("a number");
    let calls: i64 = pick(&["1", "2", "3"]).parse().expect("a number");
    let in_loop = pick(&["no", "yes"]) == "yes";
    let guard = pick(&["return", "if"]);
    let first = pick(&[
        "for (int i = 0; i < SIZE; i++)",
        "for (int i = 1; i < SIZE; i *= 2)",
        "",
    ]);
    let second = pick(&[
        "for (int i = 0; i < SIZE; i += 3)",
        "for (int i = 0; i < 2 * SIZE; i++)",
        "",
    ]);
    let end = pick(&["COUNT2", "for (int i = 0; i < SIZE; i++) COUNT2", ""]);
    let (formals, size, start, call): (&str, &str, &str, String) = match form {
        "size" => ("int n", "n", "n", format!("f(n / {by});")),
        "pointer" => (
            "int *a, int n",
            "n",
            "a, n",
            format!("f(a + n / {by}, n / {by});"),
        ),
        "between" => (
            "int l, int h",
            "(h - l)",
            "0, n",
            "f(l, (l + h) / 2); f((l + h) / 2, h);".to_string(),
        ),
        "inclusive" => (
            "int *a, int l, int h",
            "(h - l + 1)",
            "a, 0, n - 1",
            "f(a, l, l + (h - l) / 2); f(a, l + (h - l) / 2 + 1, h);".to_string(),
        ),
        "around" => (
            "int *a, int l, int h",
            "(h - l + 1)",
            "a, 0, n - 1",
            "f(a, l, l + (h - l) / 2 - 1); f(a, l + (h - l) / 2 + 1, h);".to_string(),
        ),
        "two steps" => {
            let steps = pick(&[
                "f(n - 1); f(n - 2);",
                "f(n - 2); f(n - 1); f(n - 2);",
                "f(n - 1); f(n - 1); f(n - 2);",
                "f(n - 4); f(n - 2);",
                "f(n - 1); f(n - 3);",
            ]);
            ("int n", "n", "n", steps.to_string())
        }
        _ => ("int n", "n", "n", format!("f(n - {});", by - 1)),
    };
    let is_pair = ["between", "inclusive", "around"].contains(&form);
    let is_once = is_pair || form == "two steps";
    let calls = if is_once { 1 } else { calls };
    let again = if in_loop && !is_once {
        format!("for (int c = 0; c < {calls}; c++) {call}")
    } else {
        call.repeat(calls as usize)
    };
    let body = format!("{first} COUNT0\n{again}\n{second} COUNT1").replace("SIZE", size);
    let end = end.replace("SIZE", size);
    let body = match guard {
        "return" => format!("if ({size} <= {threshold}) {{ {end} return; }}\n{body}"),
        _ => format!("if ({size} > {threshold}) {{\n{body}\n}} else {{ {end} }}"),
    };
    let text = format!(
        "{HEAD}static void f({formals})\n{{\n{body}\n}}\n\
         int main(int argc, char **argv)\n{{\nint n = atoi(argv[1]);\nint *a = calloc(n + 1, sizeof(int));\n\
         f({start});\n{TAIL}return a == 0;\n}}\n"
    );
    let divisor = if is_pair { 2 } else { by };
    let powers = (1..=4)
        .map(|k| divisor.pow(k) - i64::from(form == "around"))
        .filter(|n| *n <= 64)
        .collect();
    // Levels that grow with each step are few.
    let most = match form {
        "minus" => 8,
        "two steps" => 13,
        _ => 30,
    };
    let sizes = [0, 1, 2, 3, 5, 8, 13, 21, 30];
    Program {
        text,
        is_of_size: ["size", "pointer", "minus", "two steps"].contains(&form),
        powers,
        sizes: sizes.into_iter().filter(|n| *n <= most).collect(),
    }
}

/// What is wrong with a program's model; whether all of it was understood.
fn check(seed: u64) -> Result<bool, String> {
    let program = program(seed + 1);
    let directory = directory("recursions");
    fs::write(directory.join("f.c"), &program.text).expect("the program can be written");
    let binary = directory.join("f");
    compile(&program.text, &directory.join("f.c"), &binary);
    let whole = counts_are_equal(&program, &["model", "f.c"]);
    // Of the function alone its arguments are parameters.
    let alone = if program.is_of_size {
        counts_are_equal(&program, &["model", "f.c", "--entry", "f"])
    } else {
        Ok(true)
    };
    let shown = |wrong: String| format!("{seed}: {wrong}\n{}", program.text);
    Ok(whole.map_err(shown)? && alone.map_err(shown)?)
}

/// Whether a model of the program is understood, and then has the counts of the program that is run.
fn counts_are_equal(program: &Program, command: &[&str]) -> Result<bool, String> {
    let directory = directory("recursions");
    let binary = directory.join("f");
    let (model, notes, _) = pamela(command, &directory);
    fs::write(directory.join("f.pam"), &model).expect("the model can be written");
    if notes.contains("calls itself:") {
        return Ok(false);
    }
    let is_bound = notes.contains("a lower bound;");
    let is_exact = !is_bound && !notes.contains("exact where all parts");
    let sizes = if is_exact {
        program.sizes.clone()
    } else {
        program.powers.clone()
    };
    for n in sizes {
        let found = modelled("f.pam", &model, &directory, &[("n", n)])?;
        let counted = run(&binary, &[n]);
        if found != counted {
            return Err(format!(
                "{command:?}: n = {n}: {found:?}, counted {counted:?}; {notes}"
            ));
        }
    }
    if is_bound {
        counts_are_between(program, command, &model)?;
    }
    Ok(true)
}

/// Whether the counts of a program are between those of its model and of the one with the largest parts.
fn counts_are_between(program: &Program, command: &[&str], least: &str) -> Result<(), String> {
    let directory = directory("recursions");
    let largest = [command, &["--parts", "largest"]].concat();
    let (most, notes, _) = pamela(&largest, &directory);
    if !notes.contains("an upper bound") {
        return Err(format!("{largest:?} is no bound: {notes}"));
    }
    fs::write(directory.join("most.pam"), &most).expect("the model can be written");
    for n in program.powers.iter().chain(&program.sizes) {
        let below = modelled("f.pam", least, &directory, &[("n", *n)])?;
        let above = modelled("most.pam", &most, &directory, &[("n", *n)])?;
        let counted = run(&directory.join("f"), &[*n]);
        let mut counts = counted.iter().zip(below.iter().zip(&above));
        let are_between =
            counts.all(|(counted, (below, above))| below <= counted && counted <= above);
        if !are_between || program.powers.contains(n) && below != above {
            return Err(format!(
                "{command:?}: n = {n}: {below:?} to {above:?}, counted {counted:?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn counts_of_levels_are_those_of_the_program() {
    let seeds = selection::seeds("PAMELA_RECURSIONS", 40);
    let count = seeds.len();
    let mut understood = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        match check(seed) {
            Ok(whole) => understood += usize::from(whole),
            Err(text) => wrong.push(text),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        2 * understood > count,
        "{understood} of {count} are understood"
    );
}
