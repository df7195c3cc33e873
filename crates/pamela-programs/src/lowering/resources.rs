//! Declarations and names of resources.

use std::collections::BTreeSet;

use super::number::Number;
use super::part::Range;
use super::process::{Chain, Process, Resource};
use super::writer::Writer;

impl Writer<'_, '_> {
    /// Declarations of the resources that are not arrays of processors.
    pub fn resources(&self, all: &BTreeSet<Resource>) -> String {
        let mut lines: Vec<String> = Vec::new();
        for resource in all {
            let (own, index) = match resource {
                Resource::OfRank(own, _) => (&**own, "(rank)"),
                own => (own, ""),
            };
            let line = match own {
                Resource::Pool(number) => {
                    let name = self.pool(number, all);
                    format!(
                        "resource {name}{index} = servers({})\n",
                        self.number(number)
                    )
                }
                Resource::Lock(name) => format!("resource {}{index}\n", self.names.free(name)),
                _ => continue,
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.concat()
    }

    /// The work of ranks that run one after the other, with the messages between them.
    pub fn chain(&self, chain: &Chain, depth: usize, all: &BTreeSet<Resource>) -> String {
        let margin = "    ".repeat(depth + 1);
        let names: Vec<String> = chain
            .ranges
            .iter()
            .map(|r| self.names.of(r.index))
            .collect();
        let head = |last: Option<Number>| {
            let ranges = chain
                .ranges
                .iter()
                .enumerate()
                .map(|(k, range)| match (k, &last) {
                    (0, Some(last)) => self.range(&Range {
                        last: last.clone(),
                        ..range.clone()
                    }),
                    _ => self.range(range),
                });
            ranges.collect::<Vec<String>>().join("; ")
        };
        let (work, send) = (self.names.free("work"), self.names.free("send"));
        let mut before = vec![format!("{send}({} - 1{})", names[0], following(&names))];
        // Its own before: in the innermost loop, or at its end in the iteration before of the loop around.
        for k in 1..names.len() {
            let at = names.iter().enumerate().map(|(j, name)| match j.cmp(&k) {
                std::cmp::Ordering::Less => name.clone(),
                std::cmp::Ordering::Equal => format!("{name} - 1"),
                std::cmp::Ordering::Greater => self.number(&chain.ranges[j].last),
            });
            let at = at.collect::<Vec<String>>().join(", ");
            let begins = (k + 1..names.len())
                .map(|j| format!("{} == {}", names[j], self.number(&chain.ranges[j].first)));
            let begins = begins.collect::<Vec<String>>().join(" && ");
            let only = if begins.is_empty() {
                begins
            } else {
                format!(" if ({begins})")
            };
            before.extend([&send, &work].map(|name| format!("{name}({at}){only}")));
        }
        let body = |process: &Process| match process {
            Process::Delay(_) | Process::Use(..) | Process::Call(..) => {
                self.process(process, depth + 1, all)
            }
            Process::Sequence(_) => self.process(process, depth + 1, all),
            other => {
                let text = self.process(other, depth + 2, all);
                format!("{{\n    {margin}{text}\n{margin}}}")
            }
        };
        let last = chain.ranges[0].last.plus_constant(-1);
        format!(
            "graph {{\n{margin}{work}({}): {} after {} ;\n{margin}{send}({}): {} after {work}({})\n{}}}",
            head(None),
            body(&chain.work),
            before.join(", "),
            head(last),
            body(&chain.message),
            names.join(", "),
            "    ".repeat(depth)
        )
    }

    pub fn resource(&self, resource: &Resource, all: &BTreeSet<Resource>) -> String {
        match resource {
            Resource::Thread(number) => format!("thread({})", self.number(number)),
            Resource::Processor(number) => format!("cpu({})", self.number(number)),
            Resource::Link(number) => format!("link({})", self.number(number)),
            Resource::Lock(name) => self.names.free(name),
            Resource::Pool(number) => self.pool(number, all),
            Resource::OfRank(own, rank) => {
                format!("{}({})", self.resource(own, all), self.number(rank))
            }
        }
    }

    /// Pools of different sizes have names of their own.
    fn pool(&self, size: &Number, all: &BTreeSet<Resource>) -> String {
        let pools = all.iter().filter_map(|resource| match resource {
            Resource::Pool(number) => Some(number),
            Resource::OfRank(own, _) => match &**own {
                Resource::Pool(number) => Some(number),
                _ => None,
            },
            _ => None,
        });
        match pools.take_while(|other| *other != size).count() {
            0 => "threads".to_string(),
            before => format!("threads_{}", before + 1),
        }
    }
}

/// `, t, k` behind the first.
fn following(names: &[String]) -> String {
    names
        .iter()
        .skip(1)
        .map(|name| format!(", {name}"))
        .collect()
}
