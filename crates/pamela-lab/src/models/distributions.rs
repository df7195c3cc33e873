//! Random data distributions.
//!
//! Random models with one to three loops over rectangles, triangles and chunks. Elements are distributed by digits of
//! their indices, with conditions on digits, over one or two resources.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Parameters that all models declare.
pub const PARAMETERS: &str = "numeric parameter N : integer >= 0
numeric parameter M : integer >= 0
numeric parameter B : integer >= 1
numeric parameter P : integer >= 1
numeric parameter Q : integer >= 1
numeric parameter A : integer >= 0
numeric parameter t : >= 0
numeric parameter u : >= 0
resource parameter disk(k)
";

struct Grower {
    random: Pcg64,
}

impl Grower {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.choose(&mut self.random).copied().unwrap_or("0")
    }

    fn chance(&mut self, parts: u32, whole: u32) -> bool {
        self.random.random_ratio(parts, whole)
    }

    /// The text of a model.
    fn model(&mut self) -> String {
        let (loops, indices) = self.loops();
        let owner = self.owner(&indices);
        let mut body = format!("use(fcfs({owner}, 1), {})", self.amount(&indices[0]));
        if self.chance(1, 4) {
            let index = indices.last().cloned().unwrap_or_default();
            let condition = match self.random.random_range(0..3) {
                0 => format!("{index} mod 2 == 0"),
                1 => format!("{index} mod B == 0"),
                _ => format!("{index} < B"),
            };
            body = if self.chance(1, 2) {
                format!("{{ if ({condition}) {body} }}")
            } else {
                format!("{{ if ({condition}) {body} else use(disk(0, 1), u) }}")
            };
        } else if self.chance(1, 6) {
            body = format!("{{ {body} ; use(disk(0, 1), u) }}");
        }
        format!("{PARAMETERS}process main = {loops} {body}\n")
    }

    /// The heads of one to three loops, and their indices.
    fn loops(&mut self) -> (String, Vec<String>) {
        let kind = self.pick(&["par", "par", "par", "seq"]);
        match self.random.random_range(0..10) {
            0..=3 => {
                let range = self.pick(&["0, N - 1", "1, N", "A, A + N - 1", "2, N + 1"]);
                (format!("{kind} (i = {range})"), vec!["i".into()])
            }
            4..=5 => {
                let rows = self.pick(&["0, N - 1", "1, N"]);
                let columns = self.pick(&["0, M - 1", "1, M"]);
                let heads = format!("{kind} (i = {rows}) par (j = {columns})");
                (heads, vec!["i".into(), "j".into()])
            }
            6 => {
                let columns = self.pick(&["i, N - 1", "0, i", "0, i - 1", "i + 1, N - 1"]);
                let heads = format!("{kind} (i = 0, N - 1) par (j = {columns})");
                (heads, vec!["i".into(), "j".into()])
            }
            7..=8 => {
                let chunk = self.pick(&[
                    "p * B, min(N, (p + 1) * B) - 1",
                    "p * B + 1, min(N, (p + 1) * B)",
                    "p * ceil(N / P), min(N, (p + 1) * ceil(N / P)) - 1",
                    "p * N div P, (p + 1) * N div P - 1",
                ]);
                let heads = format!("par (p = 0, P - 1) seq (i = {chunk})");
                (heads, vec!["i".into(), "p".into()])
            }
            _ => {
                let heads = "seq (k = 0, N - 1) par (i = k, N - 1) par (j = k, N - 1)";
                (heads.into(), vec!["i".into(), "j".into()])
            }
        }
    }

    fn owner(&mut self, indices: &[String]) -> String {
        if indices.iter().any(|index| index == "p") {
            return self.pick(&["p", "p", "p + 1"]).into();
        }
        let i = self.digit(&indices[0]);
        match indices.get(1) {
            None => i,
            Some(j) => match self.random.random_range(0..5) {
                0 => format!("({} mod P) * Q + {j} mod Q", indices[0]),
                1 => format!("({} div B mod P) * Q + {j} mod Q", indices[0]),
                2 => format!("({} + {j}) mod P", indices[0]),
                3 => self.digit(j),
                _ => i,
            },
        }
    }

    fn digit(&mut self, index: &str) -> String {
        let shape = self.pick(&[
            "i",
            "i mod P",
            "(i + 1) mod P",
            "i div B",
            "i div B mod P",
            "(i + A) mod P",
            "2 * i mod P",
            "(N - i) mod P",
        ]);
        shape
            .replace("div", "/")
            .replace('i', index)
            .replace('/', "div")
    }

    fn amount(&mut self, index: &str) -> String {
        let shape = self.pick(&["t", "t", "t", "1", "t * i", "t * i + u"]);
        shape.replace('i', index)
    }
}

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let random = Pcg64::seed_from_u64(seed);
    Grower { random }.model()
}
