//! Profiles and their file format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lowering::Sampled;
use crate::measured::{Point, Table};
use crate::problem::Problem;

pub const FORMAT: &str = "pamela-profile/1";
/// The bytes of a word of the models.
const WORD: f64 = 8.0;

/// Counts and times of a program at some points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub format: String,
    pub program: Program,
    pub machine: Machine,
    /// Names of the sites in the model: `sort/if1` is `p_sort_if1`.
    pub sites: BTreeMap<String, String>,
    /// The shares of functions in the time, from a profiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Sampled>,
    pub points: Vec<Measured>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub files: Vec<String>,
    /// Fingerprint of the preprocessed text, which identifies the program.
    pub fingerprint: String,
    pub cc: String,
    pub arguments: Vec<String>,
    /// Command that starts the program: `mpirun -n {P}`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<String>,
    /// The modelled and timed function.
    pub entry: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
}

/// All runs at one point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub point: BTreeMap<String, f64>,
    /// Time of one call of the timed code, in nanoseconds, without probes.
    pub time_ns: Vec<f64>,
    pub runs: Vec<Run>,
}

/// A run with probes; with several ranks, the run of one rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub seed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rank: u64,
    pub sites: BTreeMap<String, Site>,
}

/// The counts of a branch, a loop, a message or a value. Sums are exact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// Number of executions of the branch, the loop or the assignment, or number of messages.
    pub calls: u64,
    /// Number of times that the condition holds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken: u64,
    /// Sums of the first four powers of the iterations of a loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "texts")]
    pub trips: Vec<u128>,
    /// Sum of the values of a variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<i64>,
    /// Total bytes of the messages of a call.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// Cycles of u true trials followed by d false trials: their number, then the sums of u, d, uu, ud, dd, uuu, ..
    /// dddd.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "texts")]
    pub cycles: Vec<u128>,
    /// By the number of the trial in the surrounding loop, 1, 2 to 3, 4 to 7, ..: trials, true trials, and the sum of
    /// the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub position: Vec<[u64; 3]>,
    /// Windows of 1, 2, 4, .. trials: their number, the sum of their counts, and the sum of the squared counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "triples")]
    pub windows: Vec<[u128; 3]>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Numbers beyond 2^53 as texts.
mod texts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(list: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = list.iter().map(u128::to_string).collect();
        texts.serialize(serializer)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<u128>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let number = |text: String| {
            text.parse()
                .map_err(|_| D::Error::custom("not a whole number"))
        };
        texts.into_iter().map(number).collect()
    }
}

mod triples {
    use serde::{Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(list: &[[u128; 3]], serializer: S) -> Result<S::Ok, S::Error> {
        super::texts::serialize(&list.concat(), serializer)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Vec<[u128; 3]>, D::Error> {
        let list = super::texts::deserialize(deserializer)?;
        match list.len() % 3 {
            0 => Ok(list.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()),
            _ => Err(D::Error::custom("windows come by three numbers")),
        }
    }
}

impl Site {
    /// Adds another run.
    pub fn add(&mut self, other: &Site) {
        self.calls += other.calls;
        self.taken += other.taken;
        self.bytes = self.bytes.saturating_add(other.bytes);
        let sum = other
            .sum
            .map(|sum| sum.saturating_add(self.sum.unwrap_or(0)));
        self.sum = sum.or(self.sum);
        add(&mut self.trips, &other.trips, |a, b| {
            *a = a.saturating_add(*b)
        });
        add(&mut self.cycles, &other.cycles, |a, b| {
            *a = a.saturating_add(*b)
        });
        add(&mut self.position, &other.position, |a, b| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        });
        add(&mut self.windows, &other.windows, |a, b| {
            a.iter_mut()
                .zip(b)
                .for_each(|(a, b)| *a = a.saturating_add(*b));
        });
    }

    pub fn is_loop(&self) -> bool {
        let is_other = self.sum.is_some() || self.taken > 0 || !self.windows.is_empty();
        self.trips.iter().any(|sum| *sum > 0) || !is_other
    }

    /// The share of a branch, the mean number of iterations of a loop, the mean words of a message, or the mean of a value.
    pub fn mean(&self) -> f64 {
        let sum = match self.trips.first() {
            _ if self.sum.is_some() => self.sum.unwrap_or(0) as f64,
            _ if self.bytes > 0 => self.bytes as f64 / WORD,
            Some(trips) if self.is_loop() => *trips as f64,
            _ => self.taken as f64,
        };
        sum / self.calls.max(1) as f64
    }
}

fn add<T: Clone>(own: &mut Vec<T>, other: &[T], join: impl Fn(&mut T, &T)) {
    for (place, value) in other.iter().enumerate() {
        match own.get_mut(place) {
            Some(own) => join(own, value),
            None => own.push(value.clone()),
        }
    }
}

impl Measured {
    /// The counts of a site over all runs.
    pub fn site(&self, name: &str) -> Option<Site> {
        let mut all: Option<Site> = None;
        for site in self.runs.iter().filter_map(|run| run.sites.get(name)) {
            match &mut all {
                Some(all) => all.add(site),
                None => all = Some(site.clone()),
            }
        }
        all
    }
}

impl Profile {
    /// True if a text begins as a profile does.
    pub fn is_one(text: &str) -> bool {
        let text = text.trim_start();
        let start = text.strip_prefix('{').map(str::trim_start);
        start.is_some_and(|start| start.starts_with("\"format\""))
    }

    /// # Errors
    /// Fails if the text is not a profile, or has another format.
    pub fn read(file: &str, text: &str) -> Result<Profile, Problem> {
        let profile: Profile = serde_json::from_str(text)
            .map_err(|error| Problem::new(format!("`{file}` is not a profile: {error}")))?;
        if profile.format != FORMAT {
            return Err(Problem::new(format!(
                "`{file}` has the form `{}`, not `{FORMAT}`",
                profile.format
            )));
        }
        // Nanoseconds, of which no run takes so few or so many.
        let possible = 1e-3..=1e21;
        let mut times = profile.points.iter().flat_map(|point| &point.time_ns);
        if times.any(|time| !possible.contains(time)) {
            return Err(Problem::new(format!(
                "`{file}` has a time that is not between 1e-3 and 1e21 nanoseconds"
            )));
        }
        Ok(profile)
    }

    /// # Errors
    /// Does not fail for any known profile.
    pub fn text(&self) -> Result<String, Problem> {
        let text = serde_json::to_string(self);
        let text = text.map_err(|error| Problem::new(format!("cannot write JSON: {error}")))?;
        // A line for each point and each run; quotes inside of strings are escaped.
        let text = text.replace("{\"point\"", "\n{\"point\"");
        Ok(text.replace("{\"seed\"", "\n {\"seed\"") + "\n")
    }

    /// The points with their times; the counts at each point are parameters too.
    pub fn table(&self) -> Result<Table, Problem> {
        let timed: Vec<&Measured> = self
            .points
            .iter()
            .filter(|p| !p.time_ns.is_empty())
            .collect();
        let Some(first) = timed.first() else {
            return Err(Problem::new("the profile has no times"));
        };
        let names: Vec<String> = first.point.keys().cloned().collect();
        // A site that is not come to at some point has any value there.
        let sites: Vec<(&String, &String)> = self
            .sites
            .iter()
            .filter(|(site, _)| timed.iter().any(|p| p.site(site).is_some()))
            .collect();
        let mut points = Vec::new();
        for (place, measured) in timed.iter().enumerate() {
            let value = |name: &String| measured.point.get(name).copied();
            let values: Option<Vec<f64>> = names.iter().map(value).collect();
            let mut values = values.ok_or_else(|| {
                Problem::new("the points of the profile have different parameters")
            })?;
            values.extend(
                sites
                    .iter()
                    .map(|(site, _)| measured.site(site).map_or(0.0, |site| site.mean())),
            );
            let mut times: Vec<f64> = measured.time_ns.iter().map(|time| time * 1e-9).collect();
            times.sort_by(f64::total_cmp);
            points.push(Point {
                values,
                times,
                line: place + 1,
                ..Point::default()
            });
        }
        let columns = sites.into_iter().map(|(_, name)| name.clone());
        Ok(Table {
            sizes: names.len(),
            counted: true,
            parameters: names.into_iter().chain(columns).collect(),
            points,
            ..Table::default()
        })
    }
}

/// The time of a call in nanoseconds, and counts by site number.
pub type Counted = (f64, BTreeMap<usize, Site>);

/// Parses the report of the probes: the time of a call in nanoseconds, and the counts by site number.
pub fn counts(text: &str) -> Option<Counted> {
    let mut lines = text.lines();
    let numbers = |line: &str, word: &str| -> Option<Vec<u128>> {
        let rest = line.strip_prefix(word)?;
        rest.split_whitespace().map(|n| n.parse().ok()).collect()
    };
    let small = |number: u128| u64::try_from(number).ok();
    let time = numbers(lines.next()?, "time")?;
    let [sum, calls] = time[..] else { return None };
    let mut sites = BTreeMap::new();
    loop {
        let line = lines.next()?;
        if line == "end" {
            break;
        }
        let head = numbers(line, "site")?;
        let [number, calls, taken] = head[..] else {
            return None;
        };
        let trips = numbers(lines.next()?, "trips")?;
        let cycles = numbers(lines.next()?, "cycles")?;
        let position = numbers(lines.next()?, "position")?;
        let windows = numbers(lines.next()?, "windows")?;
        let [bytes] = numbers(lines.next()?, "bytes")?[..] else {
            return None;
        };
        let sum = match lines.next()?.strip_prefix("sum")?.trim() {
            "" => None,
            sum => Some(sum.parse().ok()?),
        };
        let three = |c: &[u128]| Some([small(c[0])?, small(c[1])?, small(c[2])?]);
        let none = |list: Vec<u128>| {
            if list.iter().all(|n| *n == 0) {
                Vec::new()
            } else {
                list
            }
        };
        sites.insert(
            usize::try_from(number).ok()?,
            Site {
                calls: small(calls)?,
                taken: small(taken)?,
                bytes: small(bytes)?,
                sum,
                trips: none(trips),
                cycles: none(cycles),
                position: position.chunks_exact(3).map(three).collect::<Option<_>>()?,
                windows: windows
                    .chunks_exact(3)
                    .map(|c| [c[0], c[1], c[2]])
                    .collect(),
            },
        );
    }
    Some((sum as f64 / (calls.max(1)) as f64, sites))
}
