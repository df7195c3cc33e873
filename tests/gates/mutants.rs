//! Rules with constants by chance: sound ones pass, and beside each one that is wrong at few points does not.

use pamela::algebra::RuleBase;
use pamela_gates::{Effort, Options, check};

use crate::selection::seeds;

/// How many pairs are tried where the environment does not say, `PAMELA_RULES=100`.
const TRIED: u64 = 14;

/// Numbers that follow from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as i64
    }

    /// Of one to six digits, each as often.
    fn constant(&mut self) -> i64 {
        let least = 10_i64.pow(self.below(6) as u32).max(4);
        least + self.below(9 * least + 1)
    }
}

/// What a rule says after its name: a sound one, and one with a mistake.
fn pair(seed: u64) -> (String, String) {
    let mut chance = Chance(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let (c, d, factor) = (chance.constant(), chance.constant(), 2 + chance.below(5));
    let (less, more, multiple) = (c - 1, c + 1, c * factor);
    let length = c % 4_000 + 5;
    let of = |sound: String, wrong: String| (sound, wrong);
    match seed % 14 {
        // A guard is missing, or off by one.
        0 => of(
            format!("x mod {c} => x assume x >= 0, x < {c}"),
            format!("x mod {c} => x assume x >= 0"),
        ),
        1 => of(
            format!("x mod {c} => x assume x >= 0, x < {c}"),
            format!("x mod {c} => x assume x >= 0, x <= {c}"),
        ),
        2 => of(
            format!("max(x, {c}) => x assume x >= {c}"),
            format!("max(x, {c}) => x assume x >= {less}"),
        ),
        3 => of(
            format!("min(x, {c}) => x assume x <= {c}"),
            format!("min(x, {c}) => x assume x <= {more}"),
        ),
        4 => of(
            "max(x, y) => x assume x >= y".to_string(),
            format!("max(x, y) => x assume x >= y - {c}"),
        ),
        5 => of(
            format!("abs(x - {c}) => x - {c} assume x >= {c}"),
            format!("abs(x - {c}) => x - {c} assume x >= {less}"),
        ),
        6 => of(
            format!("x mod {c} => x - {c} assume x >= {c}, x < {}", 2 * c),
            format!("x mod {c} => x - {c} assume x >= {c}, x <= {}", 2 * c),
        ),
        // A constant is off by one.
        7 => of(
            format!("max(x, {c}) + {d} => max(x + {d}, {})", c + d),
            format!("max(x, {c}) + {d} => max(x + {d}, {})", c + d + 1),
        ),
        8 => of(
            format!("min(max(x, {c}), {}) => max({c}, min(x, {}))", c + d, c + d),
            format!(
                "min(max(x, {c}), {}) => max({c}, min(x, {}))",
                c + d,
                c + d + 1
            ),
        ),
        9 => of(
            format!("x mod {c} => floor(x) mod {c} assume integer(x)"),
            format!("x mod {c} => floor(x) mod {more} assume integer(x)"),
        ),
        // It is wrong at one point, at a distance, from somewhere on, and at multiples.
        10 => of(
            "abs(x) => max(x, -x)".to_string(),
            format!("abs(x) => if (x == {multiple}) 0 else max(x, -x)"),
        ),
        11 => of(
            "max(x, y) => if (x < y) y else x".to_string(),
            format!("max(x, y) => if (x < y && x != y - {c}) y else x"),
        ),
        12 => of(
            "abs(x) => max(x, -x)".to_string(),
            format!("abs(x) => if (x > {multiple}) x + 1 else max(x, -x)"),
        ),
        _ => of(
            "sum (i = a, b) { x } => (b - a + 1) * x when i notin x assume integer(b - a), a <= b + 1"
                .to_string(),
            format!(
                "sum (i = a, b) {{ x }} => if (b - a == {length}) 0 else (b - a + 1) * x when i notin x assume \
                 integer(b - a), a <= b + 1"
            ),
        ),
    }
}

/// Why a rule does not pass.
fn failures(rule: &str) -> Vec<String> {
    let mut base = RuleBase::default();
    let text = format!("rule drawn \"A rule.\"\n  {rule}\n");
    base.add("drawn", "drawn", &text)
        .unwrap_or_else(|error| panic!("{text}\n{error}"));
    let options = Options {
        seed: 1,
        corpus: None,
    };
    let report =
        check(&base, |_| Some(Effort::FULL), &options, &|_| {}).expect("no corpus is read");
    report.rules[0].failures.clone()
}

fn is_refuted(failures: &[String]) -> bool {
    failures.iter().any(|why| why.contains("not equal"))
}

#[test]
fn wrong_rules_with_constants_are_refuted_and_sound_ones_pass() {
    let seeds = seeds("PAMELA_RULES", TRIED);
    let (tried, mut said) = (seeds.len(), Vec::new());
    for seed in seeds {
        let (sound, wrong) = pair(seed);
        let why = failures(&sound);
        if !why.is_empty() {
            said.push(format!("{seed}: sound, but {}\n{sound}", why.join("; ")));
        }
        if !is_refuted(&failures(&wrong)) {
            said.push(format!("{seed}: wrong, but not refuted\n{wrong}"));
        }
    }
    assert!(
        said.is_empty(),
        "{} of {tried}\n{}",
        said.len(),
        said.join("\n")
    );
}

/// What holds of the numbers that computers have, or of those that are small: no constant says where it ends.
#[test]
fn what_is_wrong_far_out_is_refuted() {
    for rule in [
        "floor(x / 3) => floor(x * 21846 / 65536)",
        "floor(x / 10) => floor(x * 52429 / 524288) assume x >= 0, integer(x)",
        "x mod 4294967296 => x assume x >= 0",
        "max(x, y) => max(min(x, 1000000), y)",
    ] {
        assert!(is_refuted(&failures(rule)), "{rule}");
    }
}
