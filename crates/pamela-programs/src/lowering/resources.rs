//! Resources as a model declares and names them.

use std::collections::BTreeSet;

use super::number::Number;
use super::process::Resource;
use super::writer::Writer;

impl Writer<'_, '_> {
    /// The declarations of those that are no families of processors.
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
