//! Random models: processes of all kinds that share resources, with times that are multiples of a quarter.

use std::fmt::Write;

use crate::gates::random::Random;

/// A model with the values of its parameters. Only odd seeds give models with or-parallel sections.
#[derive(Clone, Debug)]
pub struct Generated {
    pub text: String,
    pub values: Vec<(String, String)>,
}

/// Ends of `delay`s and `use`s that one run may have, about.
const MOST_TASKS: u64 = 3_000;

/// Deeper compositions end with one task.
const MOST_DEPTH: u32 = 6;

/// The model of a seed.
pub fn generated(seed: u64) -> Generated {
    model(seed, Chance(Random::new(seed, "contention")), false)
}

/// The model of a seed with held resources: arrays are taken in one order, so no deadlock occurs.
pub fn generated_with_holding(seed: u64) -> Generated {
    model(seed, Chance(Random::new(seed, "holding")), true)
}

fn model(seed: u64, mut random: Chance, holds: bool) -> Generated {
    let arrays: Vec<u64> = (0..1 + random.below(4))
        .map(|_| servers(&mut random))
        .collect();
    let mut writer = Writer {
        clients: 1 + random.below(9),
        cycles: 1 + random.below(6),
        random,
        arrays,
        text: String::new(),
        indices: Vec::new(),
        helpers: 0,
        stops: seed % 2 == 1,
        left: MOST_TASKS,
        holds,
        asked: 0,
    };
    let mut text =
        "numeric parameter P : integer >= 1\nnumeric parameter N : integer >= 1\n".to_string();
    for (number, servers) in writer.arrays.iter().enumerate() {
        // Writing into a string does not fail.
        let _ = writeln!(text, "resource r{number}(i) = servers({servers})");
    }
    if writer.random.below(3) == 0 {
        writer.helpers = 1;
        writer.indices = vec!["n".to_string()];
        writer.process(MOST_DEPTH - 2, 1 << 4);
        let body = std::mem::take(&mut writer.text);
        let _ = writeln!(text, "process part(n) = {body}");
        writer.indices.clear();
        writer.helpers = 2;
    }
    writer.process(0, 1);
    let _ = writeln!(text, "process main = {}", writer.text);
    let values = [("P", writer.clients), ("N", writer.cycles)];
    Generated {
        text,
        values: values
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .to_vec(),
    }
}

struct Chance(Random);

impl Chance {
    /// One of `0, ..., count - 1`.
    fn below(&mut self, count: u64) -> u64 {
        self.0.below(count as usize) as u64
    }
}

/// Most resources have one server.
fn servers(random: &mut Chance) -> u64 {
    match random.below(3) {
        0 => 2 + random.below(7),
        _ => 1,
    }
}

struct Writer {
    random: Chance,
    /// The servers of each element of each array.
    arrays: Vec<u64>,
    text: String,
    /// The indices in scope.
    indices: Vec<String>,
    /// The values of the parameters `P` and `N`.
    clients: u64,
    cycles: u64,
    /// 2 where `part` may be called.
    helpers: u32,
    /// True if there are or-parallel sections.
    stops: bool,
    /// Number of tasks that may still be drawn.
    left: u64,
    /// True if resources are held.
    holds: bool,
    /// The first array that may be asked for: those before it may be held.
    asked: usize,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A process that is executed `times` times; on top it is seldom a task.
    fn process(&mut self, depth: u32, times: u64) {
        let composed = depth < MOST_DEPTH && times.saturating_mul(4) <= self.left;
        if self.holds && composed && self.asked < self.arrays.len() && self.random.below(4) == 0 {
            return self.hold(depth, times);
        }
        match self.random.below(if depth < 2 { 12 } else { 18 }) {
            0..=1 if composed => self.list(" ; ", depth, times),
            2..=3 if composed => self.list(" || ", depth, times),
            4 if composed && self.stops => self.list(" <> ", depth, times),
            5..=6 if composed => self.replicated("seq", depth, times),
            7..=9 if composed => self.replicated("par", depth, times),
            10 if composed && self.stops => self.quorum(depth, times),
            11 if composed => self.choice(depth, times),
            12 if self.helpers == 2 && self.asked == 0 && times.saturating_mul(64) <= self.left => {
                self.left = self.left.saturating_sub(times * 16);
                let argument = self.index();
                self.push(&format!("part({argument})"));
            }
            _ => self.task(times),
        }
    }

    fn task(&mut self, times: u64) {
        self.left = self.left.saturating_sub(times);
        let time = self.time();
        let arrays = (self.arrays.len() - self.asked) as u64;
        match self.random.below(4) {
            0 => self.push(&format!("delay({time})")),
            _ if arrays == 0 => self.push(&format!("delay({time})")),
            _ => {
                let array = self.asked as u64 + self.random.below(arrays);
                let place = self.place();
                self.push(&format!("use(r{array}({place}), {time})"));
            }
        }
    }

    fn hold(&mut self, depth: u32, times: u64) {
        let outer = self.asked;
        let array = outer + self.random.below((self.arrays.len() - outer) as u64) as usize;
        let place = self.place();
        self.push(&format!("use(r{array}({place})) {{ "));
        self.asked = array + 1;
        self.process(depth + 1, times);
        self.asked = outer;
        self.push(" }");
    }

    fn list(&mut self, sign: &str, depth: u32, times: u64) {
        self.push("{ ");
        for part in 0..2 + self.random.below(3) {
            if part > 0 {
                self.push(sign);
            }
            self.process(depth + 1, times);
        }
        self.push(" }");
    }

    /// A range: how it is written, and how many indices it has at most.
    fn range(&mut self) -> (String, u64) {
        match self.random.below(6) {
            0 | 1 => ("1, P".to_string(), self.clients),
            2 => ("1, N".to_string(), self.cycles),
            3 => ("0, N - 1".to_string(), self.cycles),
            4 => match self.indices.last().cloned() {
                Some(outer) => (format!("1, {outer}"), 9),
                None => ("1, 2".to_string(), 2),
            },
            _ => {
                let count = 2 + self.random.below(5);
                (format!("1, {count}"), count)
            }
        }
    }

    fn replicated(&mut self, kind: &str, depth: u32, times: u64) {
        let index = format!("i{}", self.indices.len());
        let (mut range, count) = self.range();
        if kind == "seq" && self.random.below(4) == 0 {
            let (first, last) = range.split_once(", ").unwrap_or(("1", "2"));
            range = format!("{last}, {first}, -1");
        }
        self.push(&format!("{kind} ({index} = {range}) {{ "));
        self.indices.push(index);
        self.process(depth + 1, times.saturating_mul(count));
        self.indices.pop();
        self.push(" }");
    }

    fn quorum(&mut self, depth: u32, times: u64) {
        let index = format!("i{}", self.indices.len());
        let count = 2 + self.random.below(4);
        let enough = 1 + self.random.below(count);
        self.push(&format!("any ({enough} of {index} = 1, {count}) {{ "));
        self.indices.push(index);
        self.process(depth + 1, times.saturating_mul(count));
        self.indices.pop();
        self.push(" }");
    }

    fn choice(&mut self, depth: u32, times: u64) {
        let index = self.index();
        let than = self.random.below(4);
        self.push(&format!("if ({index} > {than}) {{ "));
        self.process(depth + 1, times);
        self.push(" } else { ");
        self.process(depth + 1, times);
        self.push(" }");
    }

    /// An index in scope, or a parameter.
    fn index(&mut self) -> String {
        match self.indices.len() as u64 {
            0 => "N".to_string(),
            count => self.indices[self.random.below(count) as usize].clone(),
        }
    }

    fn place(&mut self) -> String {
        let index = self.index();
        match self.random.below(9) {
            0 | 1 => self.random.below(3).to_string(),
            2 => index,
            3 => format!("{index} + 1"),
            6 => format!("4 - {index}"),
            4 => format!("{index} mod 2"),
            5 => format!("2 * {index}"),
            _ => "0".to_string(),
        }
    }

    fn time(&mut self) -> String {
        let index = self.index();
        match self.random.below(8) {
            0 => index,
            1 => format!("1 + {index} mod 3"),
            2 => format!("{}/4", self.random.below(30)),
            3 => format!("abs({index} - 3)"),
            4 => "0".to_string(),
            _ => (1 + self.random.below(10)).to_string(),
        }
    }
}
