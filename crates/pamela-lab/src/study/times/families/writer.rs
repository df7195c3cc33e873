//! Parts of random processes.

use std::fmt::Write;

use super::TIMES;
use crate::gates::random::Random;

/// Writes a process, and the resources that it visits.
pub struct Writer {
    pub random: Random,
    pub resources: String,
    count: usize,
}

impl Writer {
    pub fn new(random: Random) -> Writer {
        Writer {
            random,
            resources: String::new(),
            count: 0,
        }
    }

    /// A new array of resources with this many servers.
    pub fn array(&mut self, servers: &str) -> String {
        self.count += 1;
        let name = format!("r{}", self.count);
        let _ = writeln!(self.resources, "resource {name}(i) = servers({servers})");
        name
    }

    pub fn time(&mut self) -> String {
        let pair = (*self.random.pick(&TIMES), *self.random.pick(&TIMES));
        match self.random.below(4) {
            0 => format!("{} + {}", pair.0, pair.1),
            1 => format!("2 * {}", pair.0),
            2 => format!("{} / 2 + 1", pair.0),
            _ => pair.0.to_string(),
        }
    }

    /// A delay, or none.
    pub fn delay(&mut self, chance: usize) -> Option<String> {
        let time = self.time();
        self.random
            .chance(chance, 4)
            .then(|| format!("delay({time})"))
    }

    /// Visits to this many resources with delays between them.
    pub fn chain(&mut self, stations: usize) -> String {
        let mut steps = Vec::new();
        for _ in 0..stations {
            steps.extend(self.delay(2));
            let (array, place) = (self.array("1"), self.random.below(3));
            let time = self.time();
            steps.push(format!("use({array}({place}), {time})"));
        }
        steps.extend(self.delay(2));
        steps.join(" ; ")
    }

    pub fn stations(&mut self) -> usize {
        1 + self.random.below(4)
    }
}

/// A loop with parts before and after it.
pub fn around(writer: &mut Writer, inner: String) -> String {
    let parts = [writer.delay(1), Some(inner), writer.delay(1)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" ; ")
}
