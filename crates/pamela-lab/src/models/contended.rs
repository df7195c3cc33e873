//! Random contended sections: pools with a parameter as the number of servers, which may be 1; resources that are
//! held around a section that requests them again; and one resource under several names.
//!
//! The generator is independent of the others, so their errors do not coincide.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A model with a process `main`, and points at which it is compared.
#[derive(Clone, Debug)]
pub struct Contended {
    /// The model.
    pub text: String,
    /// Values of the parameters of the model.
    pub points: Vec<Vec<(&'static str, i64)>>,
}

/// Number of points for each model.
const POINTS: usize = 4;
/// The resources by all of their names: `door` and `first` are elements of arrays, `x` is the argument of a process.
const NAMES: [&str; 8] = [
    "pool", "lock", "desk(1)", "desk(n)", "gate(1)", "gate(c)", "door", "first",
];
const HEAD: &str = "numeric parameter c : integer >= 1
numeric parameter n : integer >= 0
numeric parameter t : >= 0
numeric parameter v : >= 0
resource pool = servers(c)
resource lock
resource desk(i) = servers(c)
resource gate(i)
resource door = gate(1)
resource first = desk(1)
";

struct Writer {
    random: Pcg64,
    /// The statements that are left to write.
    left: u32,
}

/// The model of a seed.
pub fn contended(seed: u64) -> Contended {
    let mut writer = Writer {
        random: Pcg64::seed_from_u64(seed),
        left: 7,
    };
    let visit = match writer.below(3) {
        0 => format!("use(x, {})", writer.time()),
        1 => format!("use(x) {{ {} }}", writer.step(false)),
        _ => format!("use(x, {}) ; {}", writer.time(), writer.step(false)),
    };
    let main = match writer.below(4) {
        // A resource held around the section is requested in it.
        0 => format!("use({}) {{ {} }}", writer.name(), writer.section(1)),
        _ => writer.section(2),
    };
    let points = (0..POINTS).map(|_| writer.point()).collect();
    Contended {
        text: format!("{HEAD}process visit(x) = {visit}\nprocess main = {main}\n"),
        points,
    }
}

impl Writer {
    fn below(&mut self, count: u32) -> u32 {
        self.random.random_range(0..count)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len() as u32) as usize]
    }

    fn name(&mut self) -> &'static str {
        self.pick(&NAMES)
    }

    /// 0, 1, or equal times in every other case.
    fn time(&mut self) -> &'static str {
        self.pick(&["0", "1", "t", "t", "v", "t + v", "2", "3 * t"])
    }

    /// A section of branches in parallel.
    fn section(&mut self, depth: u32) -> String {
        let count = self.pick(&["n", "c", "2", "3", "1", "n + 1"]);
        let body = self.chain(depth);
        match self.below(4) {
            0 | 1 => format!("par (i = 1, {count}) {{ {body} }}"),
            2 => format!("{{ {body} }} || {{ {} }}", self.chain(depth)),
            _ => format!(
                "{{ {body} }} || par (i = 1, {count}) {{ {} }}",
                self.chain(depth)
            ),
        }
    }

    fn chain(&mut self, depth: u32) -> String {
        let parts: Vec<String> = (0..1 + self.below(3)).map(|_| self.part(depth)).collect();
        parts.join(" ; ")
    }

    fn part(&mut self, depth: u32) -> String {
        self.left = self.left.saturating_sub(1);
        match self.below(6) {
            0 if depth > 0 && self.left > 0 => format!("{{ {} }}", self.section(depth - 1)),
            1 if depth > 0 && self.left > 0 => {
                format!("use({}) {{ {} }}", self.name(), self.chain(depth - 1))
            }
            2 => format!("visit({})", self.name()),
            3 => format!(
                "seq (j = 1, {}) use({}, {})",
                self.pick(&["n", "2", "c"]),
                self.name(),
                self.time()
            ),
            _ => self.step(true),
        }
    }

    fn step(&mut self, visits: bool) -> String {
        match self.below(3) {
            0 if visits => format!("use({}, {})", self.name(), self.time()),
            1 => format!(
                "use({}, {})",
                self.pick(&["gate(2)", "lock", "pool"]),
                self.time()
            ),
            _ => format!("delay({})", self.time()),
        }
    }

    /// Boundaries and equal values more often than not.
    fn point(&mut self) -> Vec<(&'static str, i64)> {
        let small = |writer: &mut Writer| i64::from(writer.below(4));
        let c = if self.below(2) == 0 {
            1
        } else {
            1 + small(self)
        };
        let n = if self.below(3) == 0 { c } else { small(self) };
        let t = i64::from(self.below(3));
        let v = if self.below(3) == 0 { t } else { small(self) };
        vec![("c", c), ("n", n), ("t", t), ("v", v)]
    }
}
