//! Models whose names are words of other languages, or nearly.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::OnceLock;

use pamela::words::RESERVED;

use super::{installed, run};

const WORDS: &str = "\
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while sin log log2 pow
exp gamma lgamma y0 y1 yn j0 j1 jn floor fabs NAN INFINITY HUGE_VAL M_PI signgam main isnan isinf scalb drem sinf logl
fminf nanl errno abs labs div exit index remove rename signal time rand read write printf puts log_ exp_ pow_
as async await crate dyn enum fn impl in let loop match mod move mut pub ref self Self static super trait true type
unsafe use where abstract become box final macro override priv try typeof unsized virtual yield f64 f32 u8 usize bool
str char i64 Some None Ok Err Vec Box Option Result String std core drop gen union
and assert class def del elif except finally from global import is lambda nonlocal not or pass raise with
math np numpy sympy print len range float int max min sum any all
delete export extends function instanceof new this throw typeof var debugger interface package module exports require
process Math Number Infinity NaN undefined globalThis window document arguments eval null Object constructor prototype
__proto__ hasOwnProperty toString valueOf
begin baremodule end local macro quote
select table from where order group by union join left right outer values limit having distinct create drop index
primary user current_date rowid oid _rowid_ row rows filter window over between natural cross full null case when
points step_0 step_1 step_2 step_ part part_ part1 part_1 part2 part_if_1 partif_1 x_ x__ _ __ _x __x _X
pamela_floor pamela_max pamela_facts_hold pamela_ pamela_quotient model_floor floor_ xfloor_ result result_ key hash
T_holds x_holds x_holds_ holds _holds int_holds step_0_holds E I S N O Q pi e i j inf nan Inf";

/// A generator of numbers, the same everywhere.
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, range: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % range
    }
}

/// What languages that are installed say their words are, beside those above.
fn words() -> &'static [String] {
    static ALL: OnceLock<Vec<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: BTreeSet<String> = WORDS.split_whitespace().map(str::to_owned).collect();
        let mut add = |text: String| all.extend(text.split_whitespace().map(str::to_owned));
        let python = "import keyword, builtins, math\nprint(*keyword.kwlist, *dir(builtins), *dir(math))";
        if installed("python3", &["--version"]) {
            add(run(Command::new("python3").args(["-c", python])));
        }
        let node = "console.log(Object.getOwnPropertyNames(globalThis).join(' '), Object.getOwnPropertyNames(Math).join(' '))";
        if installed("node", &["--version"]) {
            add(run(Command::new("node").args(["-e", node])));
        }
        let duckdb = "import duckdb\nfor r in duckdb.sql('select keyword_name from duckdb_keywords()').fetchall(): print(r[0])";
        if installed("python3", &["-c", "import duckdb"]) {
            add(run(Command::new("python3").args(["-c", duckdb])));
        }
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        all.into_iter()
            .filter(|name| is_name(name) && !RESERVED.contains(&name.as_str()))
            .collect()
    })
}

/// A word, or what is nearly one.
fn near(chance: &mut Chance, word: &str) -> String {
    match chance.below(12) {
        0 => format!("{word}_"),
        1 => format!("_{word}"),
        2 => format!("x{word}_"),
        3 => format!("{word}_holds"),
        4 => word.to_uppercase(),
        5 => word.to_lowercase(),
        6 => format!("step_{word}"),
        7 => format!("{word}_0"),
        8 => format!("pamela_{word}"),
        9 => format!("{word}_holds_"),
        _ => word.to_string(),
    }
}

/// Names in twos and threes that are alike, the first half of them parameters.
pub fn model(chance: &mut Chance) -> String {
    let words = words();
    let mut names: Vec<String> = Vec::new();
    while names.len() < 24 {
        let word = &words[chance.below(words.len())];
        for _ in 0..1 + chance.below(3) {
            let name = near(chance, word);
            if !names.contains(&name) && !RESERVED.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    for k in (1..names.len()).rev() {
        names.swap(k, chance.below(k + 1));
    }
    let (parameters, equations) = names.split_at(names.len() / 2);
    let mut text = String::new();
    for parameter in parameters {
        text.push_str(&format!("numeric parameter {parameter} : integer >= 1\n"));
    }
    for (k, equation) in equations.iter().enumerate() {
        let mut pick = || &parameters[chance.below(parameters.len())];
        let (a, b, c) = (pick(), pick(), pick());
        let tail = match k % 5 {
            0 => format!("max({a}, {b} + {c} / 3)"),
            1 => format!("{c} mod {a} + log({b} + 1)"),
            2 if k > 2 => format!("if ({a} > {b}) {} else {c}", equations[k - 1]),
            3 => format!("cbrt({a}) + {b}^5"),
            _ => format!("ceil(log2({a})) / ({b} + 2)"),
        };
        text.push_str(&format!(
            "numeric {equation} = {} * {a} + floor({b} / {c}) + {tail}\n",
            k + 2
        ));
    }
    text
}
