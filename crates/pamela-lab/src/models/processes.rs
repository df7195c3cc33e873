//! Random processes over declared sizes, similar to models that people write.
//!
//! Sections and loops of sections; one in three servers is assigned cyclically; times contain at most one operation
//! or one reduction.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Parameters that all models declare.
pub const PARAMETERS: &str = "numeric parameter N : integer >= 0
numeric parameter M : integer
numeric parameter P : integer >= 1
numeric parameter x : >= 0
";

/// Maximum nesting of sections.
const DEPTH: usize = 3;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let random = Pcg64::seed_from_u64(seed);
    let body = Grower { random }.process(0, DEPTH);
    format!("{PARAMETERS}process main = {body}\n")
}

struct Grower {
    random: Pcg64,
}

impl Grower {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.choose(&mut self.random).copied().unwrap_or("0")
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    /// A process within `loops` loops.
    fn process(&mut self, loops: usize, depth: usize) -> String {
        if depth == 0 || depth < DEPTH && self.below(4) == 0 {
            return self.section(loops);
        }
        match self.below(7) {
            0..=3 => {
                let name = self.pick(&["seq", "seq", "seq", "par", "par", "par", "any"]);
                let [lower, upper] = [(); 2].map(|()| self.bound(loops));
                let body = self.process(loops + 1, depth - 1);
                format!("{name} (i{loops} = {lower}, {upper}) {{ {body} }}")
            }
            4..=5 => {
                let sign = self.pick(&[";", "||"]);
                let [left, right] = [(); 2].map(|()| self.process(loops, depth - 1));
                format!("{{ {left} {sign} {right} }}")
            }
            _ => {
                let relation = self.pick(&["<", "<=", "=="]);
                let condition = match self.below(4) {
                    0 => "0.5".to_string(),
                    _ => format!("{} {relation} {}", self.leaf(loops), self.leaf(loops)),
                };
                let [yes, no] = [(); 2].map(|()| self.process(loops, depth - 1));
                format!("if ({condition}) {{ {yes} }} else {{ {no} }}")
            }
        }
    }

    fn section(&mut self, loops: usize) -> String {
        let time = self.number(loops);
        match self.below(3) {
            0 => format!("delay({time})"),
            1 => format!("use(fcfs(0, 1), max(0, {time}))"),
            _ => format!("use(fcfs({} mod P, 1), max(0, {time}))", self.leaf(loops)),
        }
    }

    fn leaf(&mut self, loops: usize) -> String {
        match self.below(12) {
            0..=2 => self.pick(&["0", "1", "2", "3"]).to_string(),
            3 => "0.5".to_string(),
            4..=6 => self.pick(&["N", "M", "P", "x"]).to_string(),
            _ if loops == 0 => "M".to_string(),
            _ => format!("i{}", self.below(loops)),
        }
    }

    fn bound(&mut self, loops: usize) -> String {
        let offset = self.pick(&["-1", "0", "1", "2"]);
        let of = match self.below(8) {
            0..=1 => return offset.to_string(),
            5..=7 if loops > 0 => format!("i{}", self.below(loops)),
            _ => self.pick(&["N", "M", "P"]).to_string(),
        };
        let factor = self.pick(&["", "", "", "", "", "2 * ", "-"]);
        format!("{factor}{of} + {offset}")
    }

    /// A leaf, or one operation or reduction of leaves.
    fn number(&mut self, loops: usize) -> String {
        let operation = self.below(28);
        if operation < 10 {
            return self.leaf(loops);
        }
        if operation >= 23 {
            let name = self.pick(&["sum", "sum", "sum", "sum", "max", "max", "min"]);
            let [lower, upper] = [(); 2].map(|()| self.bound(loops));
            let body = self.leaf(loops + 1);
            return format!("{name} (i{loops} = {lower}, {upper}) {{ {body} }}");
        }
        let [x, y] = [(); 2].map(|()| self.leaf(loops));
        match operation {
            10..=11 => format!("({x} + {y})"),
            12 => format!("({x} - {y})"),
            13..=14 => format!("({x} * {y})"),
            15 => format!("max({x}, {y})"),
            16 => format!("min({x}, {y})"),
            17..=18 => {
                let sign = self.pick(&["mod", "div"]);
                let divisor = self.pick(&["P", "2", "3"]);
                format!("({x} {sign} {divisor})")
            }
            19..=20 => {
                let relation = self.pick(&["<", "<=", "==", "!=", ">="]);
                format!("({x} {relation} {y})")
            }
            _ => {
                let relation = self.pick(&["<", "<=", "=="]);
                let [left, right] = [(); 2].map(|()| self.leaf(loops));
                format!("(if ({left} {relation} {right}) {x} else {y})")
            }
        }
    }
}
