//! Random loops over pointers: counts of their models equal those of the programs that are run.
//!
//! `PAMELA_POINTERS=300 cargo test --test all programs::pointers` tries 300.

use std::fs;

use super::random::Random;
use super::weights::{HEAD, TAIL, compile, modelled, parameters, run};
use super::{directory, pamela};
use crate::selection;

const POINTS: [(i64, i64); 5] = [(0, 0), (1, 3), (6, 4), (11, 2), (3, 9)];

const STARTS: [&str; 7] = ["a", "a + m", "&a[1]", "x", "x + 2", "y", "all"];
const LENGTHS: [&str; 5] = ["n", "m", "n + 1", "2 * m", "5"];

/// COUNT counts, START and SIZE are chosen anew in each loop.
const LOOPS: [&str; 15] = [
    "for (p = START; p < START + SIZE; p++) COUNT",
    "for (p = START; p != START + SIZE; ++p) COUNT",
    "p = START; e = p + SIZE; while (p < e) { *p++ = 1; COUNT }",
    "for (p = START + SIZE; p > START; p--) COUNT",
    "for (p = START + SIZE; p-- > START;) COUNT",
    "p = START + SIZE; while (p != START) { --p; COUNT }",
    "for (p = START; p < START + SIZE; p += 3) COUNT",
    "for (double *q = START; q < START + 4 * n; q += 4) for (p = q; p < q + 4; p++) COUNT",
    "p = START; do { COUNT p++; } while (p < START + SIZE);",
    "p = START; e = p + SIZE; k = e - p; for (int i = 0; i < k; i++) COUNT",
    "e = x + SIZE; x += 3; while (x < e) { x++; COUNT }",
    "for (p = START; p + 1 < START + SIZE; p++) COUNT",
    "p = START; for (int i = 0; i < SIZE; i++) { for (double *q = p; q < p + i; q++) COUNT p++; }",
    "for (struct pair *s = pairs + m; s != &pairs[m] + SIZE; s++) COUNT",
    "p = START; e = START + SIZE; if (n > m) p++; k = n > m; for (int i = 0; i < k; i++) COUNT",
];

/// What happens to the pointers between two loops.
const CHANGES: [&str; 12] = [
    "",
    "x++;",
    "x = a;",
    "y = x + m;",
    "if (n > m) x += 2;",
    "y = p;",
    "x = n > 3 ? a : a + 1;",
    "move(&y);",
    "y--;",
    "x = y; y = a;",
    "if (n > m) y = x; else y = a;",
    "for (int i = 0; i < m; i++) x++;",
];

fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut body = String::new();
    for counter in 0..3 {
        let text = random.one_of(&LOOPS);
        let text = text.replace("START", random.one_of(&STARTS));
        let text = text.replace("SIZE", random.one_of(&LENGTHS));
        let change = random.one_of(&CHANGES);
        body.push_str(&text.replace("COUNT", &format!("COUNT{counter}")));
        body.push_str(&format!("\n{change}\n"));
    }
    format!(
        "{HEAD}struct pair {{ int first, second; }};\nstatic struct pair pairs[400];\nstatic double all[400];\n\
         static void move(double **p) {{ *p += 2; }}\n\
         static void kernel(double *x, int n, int m)\n{{\ndouble a[400], *y = a + 7, *p = a, *e;\nint k;\n{body}}}\n\
         int main(int argc, char **argv)\n{{\nint n = atoi(argv[1]), m = atoi(argv[2]);\n\
         double *x = malloc(4000);\nkernel(x, n, m);\n{TAIL}return 0;\n}}\n"
    )
}

/// Whether all loops of a program are understood, and then counted as they run; or what is wrong.
fn check(seed: u64) -> Result<bool, String> {
    let text = program(seed + 1);
    let directory = directory("pointers");
    let (file, binary) = (directory.join("f.c"), directory.join("f"));
    fs::write(&file, &text).expect("the program can be written");
    compile(&text, &file, &binary);
    let (model, errors, _) = pamela(&["model", "f.c"], &directory);
    fs::write(directory.join("f.pam"), &model).expect("the model can be written");
    if parameters(&model).any(|name| name.starts_with("K_") || name.starts_with("p_")) {
        return Ok(false);
    }
    for (n, m) in POINTS {
        let wrong = |found: String| format!("{seed}: n = {n}, m = {m}: {found}; {errors}\n{text}");
        let found = modelled("f.pam", &model, &directory, &[("n", n), ("m", m)]).map_err(wrong)?;
        let counted = run(&binary, &[n, m]);
        if found != counted {
            return Err(wrong(format!("{found:?}, counted {counted:?}")));
        }
    }
    Ok(true)
}

#[test]
fn counts_of_loops_over_pointers_are_those_of_the_program() {
    let seeds = selection::seeds("PAMELA_POINTERS", 64);
    let count = seeds.len();
    let results: Vec<Result<bool, String>> = seeds.into_iter().map(check).collect();
    let wrong: Vec<&String> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{} wrong\n{wrong:#?}", wrong.len());
    let understood = results.iter().filter(|r| **r == Ok(true)).count();
    assert!(
        2 * understood > count,
        "{understood} of {count} are understood"
    );
}
