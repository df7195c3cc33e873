//! Writes the calls of all ranks as one program in C, whose counts are those that were recorded.

use std::collections::{BTreeMap, BTreeSet};

use super::Trace;
use super::atoms::{Guard, Names, RANKS, Values};
use super::conditions::guard;
use super::events::{Meaning, NOBODY};
use super::fit::Role;
use super::fold::Call;
use super::groups::{Colour, colour};
use super::merge::{Merged, Who, merge};
use super::nest::nest;
use super::numbers::{Around, Field, Number};
use super::samples::{Sample, Space};
use crate::callpaths::growth;
use crate::problem::{Problem, six_digits};
use crate::profile;

/// Work between two calls with a smaller share of the time is left out.
const LEAST_SHARE: f64 = 0.01;
/// Values of a parameter that show how times grow with it.
const ENOUGH: usize = 3;
/// Times of points that differ by a smaller factor are equal.
const NOISE: f64 = 2.0;
/// Names of the program itself.
const TAKEN: &str = "rank b q argc argv main auto break case char const continue default do double else enum extern float for goto
if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while";

/// Counters of loops are called i1, i2, ..
fn is_counter(name: &str) -> bool {
    let number = name.strip_prefix('i');
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// A program with the names of its arguments.
pub struct Skeleton {
    pub text: String,
    pub arguments: Vec<(String, usize)>,
    /// Where the formulas were found.
    pub measured: String,
    /// What is not as it was recorded.
    pub missing: Vec<Problem>,
}

/// # Errors
/// Fails if the calls come in no order that is common to the ranks, or if the name of a parameter is taken.
pub fn write(trace: &Trace) -> Result<Skeleton, Problem> {
    let first = trace.points.first();
    let sizes = first
        .into_iter()
        .flat_map(|point| point.point.keys().cloned());
    let sizes: Vec<String> = sizes.filter(|name| name != profile::RANKS).collect();
    let is_name = |name: &str| {
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic());
        first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let is_free = |name: &str| {
        is_name(name) && TAKEN.split_whitespace().all(|taken| taken != name) && !is_counter(name)
    };
    if let Some(name) = sizes.iter().find(|name| !is_free(name)) {
        return Err(
            Problem::new(format!("`{name}` cannot be the name of a parameter here"))
                .hint("choose another one in --points and in the arguments"),
        );
    }
    let mut trees = Vec::new();
    let mut bases = BTreeMap::new();
    for (at, point) in trace.points.iter().enumerate() {
        let mut ranks = point.ranks.clone();
        nest(&mut ranks);
        for (rank, nodes) in ranks.into_iter().enumerate() {
            trees.push(((at, rank), nodes));
            let own = sizes
                .iter()
                .filter_map(|name| point.point.get(name).copied());
            let mut values = vec![rank as i64, point.ranks.len() as i64];
            values.extend(own);
            bases.insert((at, rank), values);
        }
    }
    let merged = merge(trees)?;
    let mut names = vec!["rank".to_string(), profile::RANKS.to_string()];
    names.extend(sizes.iter().cloned());
    let mut writer = Writer {
        trace,
        space: Space::new(names.len()),
        names: Names(names),
        text: String::new(),
        depth: 1,
        total: gaps(&merged),
        inexact: 0,
        colours: Vec::new(),
        bases,
    };
    let all: Vec<Who> = writer.bases.keys().copied().collect();
    writer.list(&merged, &all, &mut Vec::new());
    writer
        .text
        .push_str("    MPI_Finalize();\n    return 0;\n}\n");
    let (measured, missing) = (writer.measured(), writer.missing());
    Ok(Skeleton {
        text: head(&sizes) + &writer.made() + &writer.text,
        arguments: sizes.into_iter().zip(1..).collect(),
        measured,
        missing,
    })
}

fn head(sizes: &[String]) -> String {
    let mut text = "int main(int argc, char **argv)\n{\n    int rank, P;\n".to_string();
    for (size, place) in sizes.iter().zip(1..) {
        text.push_str(&format!("    long {size} = atol(argv[{place}]);\n"));
    }
    text.push_str("    char b[1];\n    MPI_Request q[1];\n    MPI_Init(&argc, &argv);\n");
    text.push_str(
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &P);\n",
    );
    text
}

/// The nanoseconds between all calls of all ranks.
fn gaps(merged: &[Merged]) -> f64 {
    let of = |node: &Merged| match node {
        Merged::Call(calls) => calls.values().map(|call| call.gaps as f64).sum(),
        Merged::Loop { body, .. } => gaps(body),
    };
    merged.iter().map(of).sum()
}

struct Writer<'t> {
    trace: &'t Trace,
    space: Space,
    names: Names,
    text: String,
    depth: usize,
    /// `rank`, `P` and sizes of each rank at each point.
    bases: BTreeMap<Who, Values>,
    total: f64,
    /// Numbers without a formula.
    inexact: usize,
    /// Communicators of some ranks.
    colours: Vec<Colour>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Parts that ranks `all` come to.
    fn list<'m>(&mut self, nodes: &'m [Merged], all: &[Who], around: &mut Around<'m>) {
        let mut open: Option<Option<Guard>> = None;
        for node in nodes {
            let who = node.who();
            let samples = all.iter().filter_map(|own| {
                let value = i64::from(who.contains(own));
                Some(Sample {
                    values: self.bases.get(own)?.clone(),
                    value,
                })
            });
            let samples: Vec<Sample> = samples.collect();
            let guard = if who.len() < all.len() {
                let found = guard(&self.space, &samples);
                self.inexact += usize::from(found.is_none());
                found
            } else {
                None
            };
            // Parts of the same ranks stand in one block.
            if open.as_ref() != Some(&guard) {
                self.close(&mut open);
                if let Some(guard) = &guard {
                    let text = format!("if ({}) {{", guard.text(&self.names));
                    self.line(&text);
                    self.depth += 1;
                }
                open = Some(guard);
            }
            let who: Vec<Who> = who.into_iter().collect();
            self.node(node, &who, around);
        }
        self.close(&mut open);
    }

    fn close(&mut self, open: &mut Option<Option<Guard>>) {
        if let Some(Some(_)) = open.take() {
            self.depth -= 1;
            self.line("}");
        }
    }

    fn node<'m>(&mut self, node: &'m Merged, who: &[Who], around: &mut Around<'m>) {
        match node {
            Merged::Call(calls) => self.call(calls, around),
            Merged::Loop { times, body } => {
                // A loop that never repeats is no loop of the program.
                let is_loop = times.values().any(|times| times.constant() != Some(1));
                let counter = format!("i{}", around.len() + 1);
                if is_loop {
                    let number = Number {
                        all: times.iter().map(|(who, series)| (*who, series)).collect(),
                        role: Role::Amount,
                        partners: None,
                    };
                    let count = self.number(&number, around);
                    let head =
                        format!("for (long {counter} = 0; {counter} < {count}; {counter}++) {{");
                    self.line(&head);
                    self.depth += 1;
                }
                self.names.0.push(counter);
                around.push(times);
                self.list(body, who, around);
                around.pop();
                self.names.0.pop();
                if is_loop {
                    self.depth -= 1;
                    self.line("}");
                }
            }
        }
    }

    /// The formula of a number, as text; its mean if there is none. Numbers of messages to nobody do not matter.
    fn number(&mut self, number: &Number, around: &Around) -> String {
        match number.formula(&self.space, &self.bases, around) {
            Some(found) => found.text(&self.names),
            None => {
                self.inexact += 1;
                let sum: i128 = number.all.values().map(|own| own.sum()).sum();
                let count: u64 = number.all.values().map(|own| own.len()).sum();
                match number.role {
                    Role::Amount => (sum / i128::from(count.max(1))).to_string(),
                    // Any partner that is another rank.
                    Role::Partner => "(rank + 1) % P".to_string(),
                }
            }
        }
    }

    fn call(&mut self, calls: &BTreeMap<Who, Call>, around: &Around) {
        self.work(calls);
        let Some(first) = calls.values().next() else {
            return;
        };
        let name = &first.call;
        let end = if name.starts_with('I') { ", q);" } else { ");" };
        let text = match Meaning::of(name) {
            Meaning::End => return,
            Meaning::Wait => "MPI_Wait(q, MPI_STATUS_IGNORE);".to_string(),
            Meaning::Message => match self.message(calls, name, end, around) {
                Some(text) => text,
                None => return,
            },
            Meaning::Together(kind) => {
                let number = |field, role| Number::of(calls, field, role);
                let bytes = self.number(&number(|call| &call.sent, Role::Amount), around);
                let has_root = ["bcast", "reduce", "gather", "scatter"].contains(&kind);
                let root = if has_root {
                    self.number(&number(|call| &call.to, Role::Partner), around)
                } else {
                    String::new()
                };
                let communicator = self.communicator(calls);
                together(kind, name, &bytes, &root, &communicator) + end
            }
        };
        self.line(&text);
    }

    /// A call that sends or receives; none if it does neither.
    fn message(
        &mut self,
        calls: &BTreeMap<Who, Call>,
        name: &str,
        end: &str,
        around: &Around,
    ) -> Option<String> {
        let mut side = |partner: Field, bytes: Field| {
            let partners = Number::of(calls, partner, Role::Partner);
            let mut all = partners.all.values();
            if all.all(|series| series.constant() == Some(NOBODY)) {
                return None;
            }
            let partner = self.number(&partners, around);
            let bytes = Number {
                partners: Some(partners.all),
                ..Number::of(calls, bytes, Role::Amount)
            };
            let bytes = self.number(&bytes, around);
            Some(format!("b, {bytes}, MPI_BYTE, {partner}, 0"))
        };
        let sent = side(|call| &call.to, |call| &call.sent);
        let received = side(|call| &call.from, |call| &call.received);
        match (sent, received) {
            (None, None) => None,
            (Some(sent), Some(received)) => Some(format!(
                "MPI_Sendrecv({sent}, {received}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            )),
            (Some(sent), None) => {
                let plain = if name == "Sendrecv" { "Send" } else { name };
                Some(format!("MPI_{plain}({sent}, MPI_COMM_WORLD{end}"))
            }
            (None, Some(received)) if name == "Irecv" => {
                Some(format!("MPI_Irecv({received}, MPI_COMM_WORLD, q);"))
            }
            (None, Some(received)) => Some(format!(
                "MPI_Recv({received}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            )),
        }
    }

    /// The communicator of a collective call, in C. One of some ranks is made at the beginning.
    fn communicator(&mut self, calls: &BTreeMap<Who, Call>) -> String {
        const UNKNOWN: &str = "some_ranks";
        let trace = self.trace;
        let ranks = |(who, call): (&Who, &Call)| {
            let point = trace.points.get(who.0)?;
            let ranks = point.communicators.get(call.communicator?)?;
            Some((*who, &ranks[..]))
        };
        let members: Option<BTreeMap<Who, &[i64]>> = calls.iter().map(ranks).collect();
        let Some(members) = members else {
            return UNKNOWN.to_string();
        };
        let all = |who: &Who| trace.points.get(who.0).map_or(0, |point| point.ranks.len());
        if members.iter().all(|(who, ranks)| ranks.len() == all(who)) {
            return "MPI_COMM_WORLD".to_string();
        }
        let Some(colour) = colour(&self.space, &self.bases, &members) else {
            return UNKNOWN.to_string();
        };
        let known = self.colours.iter().position(|own| *own == colour);
        let number = known.unwrap_or_else(|| {
            self.colours.push(colour);
            self.colours.len() - 1
        });
        format!("c{}", number + 1)
    }

    /// The communicators of some ranks.
    fn made(&self) -> String {
        let mut text = String::new();
        for (number, colour) in (1..).zip(&self.colours) {
            let operator = if colour.is_block { "/" } else { "%" };
            let by = colour.by.text(&self.names);
            text.push_str(&format!(
                "    MPI_Comm c{number};\n    MPI_Comm_split(MPI_COMM_WORLD, rank {operator} ({by}), rank, &c{number});\n"
            ));
        }
        text
    }

    /// The mean time since the calls before, if it matters: how it grows is fitted.
    fn work(&mut self, calls: &BTreeMap<Who, Call>) {
        let own: f64 = calls.values().map(|call| call.gaps as f64).sum();
        if own < LEAST_SHARE * self.total {
            return;
        }
        let used = self.growing(calls);
        let mut means: BTreeMap<Vec<i64>, (f64, u64)> = BTreeMap::new();
        for (who, call) in calls {
            let Some(base) = self.bases.get(who) else {
                continue;
            };
            let point = used.iter().map(|place| base[*place]).collect();
            let mean = means.entry(point).or_default();
            mean.0 += call.gap() * call.to.len() as f64;
            mean.1 += call.to.len();
        }
        let seconds = means
            .values()
            .map(|(sum, count)| 1e-9 * sum / (*count).max(1) as f64);
        let seconds: Vec<f64> = seconds.collect();
        let point = |point: &Vec<i64>| point.iter().map(|value| *value as f64).collect();
        let points: Vec<Vec<f64>> = means.keys().map(point).collect();
        let names: Vec<String> = used
            .iter()
            .map(|place| self.names.0[*place].clone())
            .collect();
        let most = seconds.iter().copied().fold(0.0, f64::max);
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let found = if most <= NOISE * least {
            let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
            growth::Growth::constant(mean)
        } else {
            growth::fit(&points, &seconds)
        };
        let terms = found.terms.iter().map(|(term, coefficient)| {
            let number = format!("{:?}", six_digits(*coefficient));
            match growth::written(term, &names) {
                text if text.is_empty() => number,
                text => format!("{number} * {text}"),
            }
        });
        let terms: Vec<String> = terms.collect();
        if !terms.is_empty() {
            let text = format!("#pragma pamela cost({})", terms.join(" + "));
            self.line(&text);
            self.line(";");
        }
    }

    /// The places of parameters with enough values for a growth, which are positive.
    fn growing(&self, calls: &BTreeMap<Who, Call>) -> Vec<usize> {
        let has_enough = |place: &usize| {
            let known = calls.keys().filter_map(|who| self.bases.get(who));
            let values: BTreeSet<i64> = known.map(|values| values[*place]).collect();
            values.len() >= ENOUGH && values.iter().all(|value| *value > 0)
        };
        (RANKS..self.space.counters).filter(has_enough).collect()
    }

    /// Where the formulas were found.
    fn measured(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for (place, name) in self.names.0.iter().enumerate().skip(1) {
            let mut values: Vec<i64> = self.bases.values().map(|values| values[place]).collect();
            values.sort_unstable();
            values.dedup();
            let texts: Vec<String> = values.iter().map(i64::to_string).collect();
            names.push(format!("{name} = {}", texts.join(", ")));
        }
        format!("the formulas were found at {}", names.join(" and at "))
    }

    /// What the program does not make as it was recorded.
    fn missing(&self) -> Vec<Problem> {
        let mut missing = Vec::new();
        if self.inexact > 0 {
            missing.push(
                Problem::new(format!(
                    "{} numbers of calls follow no formula of ranks, sizes and loop counters: their mean is taken",
                    self.inexact
                ))
                .hint("record more points, or numbers of ranks that are of one kind"),
            );
        }
        let unknown: u64 = self.trace.points.iter().map(|point| point.unknown).sum();
        if unknown > 0 {
            let message = format!(
                "{unknown} calls that are one-sided, between groups of ranks, or of unknown requests"
            );
            missing.push(Problem::new(format!("{message}, are not modelled")));
        }
        missing
    }
}

/// A collective call, without its end.
fn together(kind: &str, name: &str, bytes: &str, root: &str, communicator: &str) -> String {
    let prefix = if name.starts_with('I') {
        "MPI_I"
    } else {
        "MPI_"
    };
    let title = |name: &str| {
        let mut letters = name.chars();
        let first = letters.next().map(|c| match prefix {
            "MPI_I" => c,
            _ => c.to_ascii_uppercase(),
        });
        first.into_iter().chain(letters).collect::<String>()
    };
    let data = format!("b, {bytes}, MPI_BYTE");
    let arguments = match kind {
        "barrier" => String::new(),
        "bcast" => format!("{data}, {root}, "),
        "reduce" => format!("b, {data}, MPI_SUM, {root}, "),
        "allreduce" | "scan" => format!("b, {data}, MPI_SUM, "),
        "reduce_scatter" => format!("b, {data}, MPI_SUM, "),
        "gather" | "scatter" => format!("{data}, {data}, {root}, "),
        _ => format!("{data}, {data}, "),
    };
    let function = match kind {
        "reduce_scatter" => "reduce_scatter_block".to_string(),
        other => other.to_string(),
    };
    format!("{prefix}{}({arguments}{communicator}", title(&function))
}
