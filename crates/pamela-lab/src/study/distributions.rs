//! The study of distributions: distributions of data-parallel loops over any number of processors.
//!
//! Closes each model of `corpus/distributions/` and compares the closed form with the definition at degenerate and
//! ordinary points. A peer is asked if its notation can express the time, in a comment `% sympy: ...` of the model;
//! this comment names the busiest owner. A peer that takes a modulus only as a number is asked by
//! `% barvinok at P = 4: ...`, and compared where P has that value.

mod list;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use serde::Serialize;

use super::ours::{answer, median};
use super::peer::{PROGRAMS, Peer, Program};
use super::points::{self, Point};
use super::verdict::Verdict;
use super::{PeerResult, PeerSummary, reply_of, request, started};
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::formula::Notation;
use crate::pipeline::{Model, Options, Simplified};

pub use list::MODELS;

/// Closed forms with more operations do not count as closed.
pub const MOST_OPERATIONS: usize = 80;

/// All measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    pub patterns: Vec<Pattern>,
    pub peers: Vec<PeerSummary>,
}

/// One model.
#[derive(Clone, Debug, Serialize)]
pub struct Pattern {
    pub name: String,
    /// The reason why the time is not closed, if the model states one.
    pub known_open: Option<String>,
    /// True if no reduction and at most [`MOST_OPERATIONS`] operations remain.
    pub closed: bool,
    pub operations: usize,
    pub formula: String,
    pub conditions: Vec<String>,
    /// Median time from text to closed form, with rules loaded before.
    pub seconds: f64,
    pub verdict: Verdict,
    pub peers: BTreeMap<String, PeerResult>,
    /// Parameter values for peers that need numbers.
    pub numbers: BTreeMap<String, BTreeMap<String, i64>>,
}

/// Closes each model `runs` times, to measure the time.
///
/// # Errors
/// Fails for a model that cannot be parsed or states no closed form.
pub fn without_peers(runs: usize) -> Result<Study, Error> {
    measure(runs, &[])
}

/// Like [`without_peers`], with the peers installed on this machine.
///
/// # Errors
/// Fails like [`without_peers`]. A missing or failing peer is not an error.
pub fn with_peers(runs: usize) -> Result<Study, Error> {
    measure(runs, &PROGRAMS)
}

fn measure(runs: usize, programs: &'static [Program]) -> Result<Study, Error> {
    let rules = crate::rules::standard()?;
    let mut peers: Vec<(PeerSummary, Option<Peer>)> = programs.iter().map(started).collect();
    let mut patterns = Vec::new();
    for &(name, text) in MODELS {
        let mut asked = Case::read(name, text)?;
        let mut pattern = asked.measure(&rules, runs)?;
        for (summary, peer) in &mut peers {
            let Some(peer) = peer else { continue };
            let start = Instant::now();
            let answer = asked.ask(&summary.name, peer)?;
            summary.total_seconds += start.elapsed().as_secs_f64();
            let Some((result, numbers)) = answer else {
                continue;
            };
            pattern.peers.insert(summary.name.clone(), result);
            if !numbers.is_empty() {
                pattern.numbers.insert(summary.name.clone(), numbers);
            }
        }
        patterns.push(pattern);
    }
    Ok(Study {
        patterns,
        peers: peers.into_iter().map(|(summary, _)| summary).collect(),
    })
}

/// A model with its comments, and the points of comparison.
struct Case {
    name: &'static str,
    text: &'static str,
    /// The equation that is compared.
    equation: &'static str,
    model: Model,
    points: Vec<Point>,
}

impl Case {
    fn read(name: &'static str, text: &'static str) -> Result<Case, Error> {
        let missing = || Error::new(format!("`{name}` states no closed form"));
        let closed = comment(text, "closed").ok_or_else(missing)?;
        let (equation, _) = closed.split_once(" = ").ok_or_else(missing)?;
        let model = Model::read(name, text, &crate::syntax::NoFiles)?;
        let points = points::points(model.checked(), equation);
        Ok(Case {
            name,
            text,
            equation,
            model,
            points,
        })
    }

    fn measure(&mut self, rules: &RuleBase, runs: usize) -> Result<Pattern, Error> {
        let mut seconds = Vec::new();
        let mut simplified = self.simplify(rules, &mut seconds)?;
        for _ in 1..runs {
            simplified = self.simplify(rules, &mut seconds)?;
        }
        let missing = || Error::new(format!("`{}` has no `{}`", self.name, self.equation));
        let equation = simplified.equation(self.equation).ok_or_else(missing)?;
        let formula = &equation.formula;
        let mut verdict = Verdict::default();
        for point in &self.points {
            verdict.add(point, answer(formula, point));
        }
        let operations = formula.operations();
        Ok(Pattern {
            name: self.name.replace('_', " "),
            known_open: comment(self.text, "open").map(ToString::to_string),
            closed: formula.open_reductions() == 0 && operations <= MOST_OPERATIONS,
            operations,
            formula: formula.pamela(),
            conditions: formula.condition_texts(Notation::Pamela),
            seconds: median(&mut seconds),
            verdict,
            peers: BTreeMap::new(),
            numbers: BTreeMap::new(),
        })
    }

    fn simplify(&self, rules: &RuleBase, seconds: &mut Vec<f64>) -> Result<Simplified, Error> {
        let start = Instant::now();
        let simplified = Model::parse(self.text)?.simplify_with(rules.clone(), &Options::default());
        seconds.push(start.elapsed().as_secs_f64());
        simplified
    }

    /// The answer of the peer and the parameter values in the question; `None` if the peer cannot express the time.
    fn ask(&self, name: &str, peer: &mut Peer) -> Result<Option<(PeerResult, Numbers)>, Error> {
        let Some((numbers, text)) = question(self.text, name) else {
            return Ok(None);
        };
        let unread = || Error::new(format!("`{}` asks {name} at `{numbers}`", self.name));
        let numbers = values(numbers).ok_or_else(unread)?;
        let model = self.model.checked();
        let of_numbers =
            (!numbers.is_empty()).then(|| points::points_at(model, self.equation, &numbers));
        let points = of_numbers.as_ref().unwrap_or(&self.points);
        let question = request::request(name, text, self.name, model, points);
        Ok(Some((reply_of(peer, &question, points), numbers)))
    }
}

/// The comment `% key: ...` of a model.
fn comment<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, comment) = question(text, key).filter(|(numbers, _)| numbers.is_empty())?;
    Some(comment)
}

/// The comment `% key: ...` or `% key at P = 4: ...`, with the text after `at`.
fn question<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let mut lines = text.lines();
    lines.find_map(|line| {
        let rest = line.strip_prefix("% ")?.strip_prefix(key)?;
        match rest.strip_prefix(" at ") {
            Some(rest) => rest.split_once(": "),
            None => Some(("", rest.strip_prefix(": ")?)),
        }
    })
}

/// Values of parameters that a peer is asked for.
type Numbers = BTreeMap<String, i64>;

/// `P = 4, B = 3`; `None` where it is something else.
fn values(text: &str) -> Option<Numbers> {
    let parts = text.split(", ").filter(|part| !part.is_empty());
    let pairs = parts.map(|part| {
        let (name, value) = part.split_once(" = ")?;
        Some((name.to_string(), value.parse().ok()?))
    });
    pairs.collect()
}

/// Width of the column of names.
const NAME: usize = 28;
const COLUMN: usize = 14;

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let present: Vec<&PeerSummary> = (self.peers.iter())
            .filter(|peer| peer.version.is_some())
            .collect();
        let mut head = vec!["pamela".to_string(), "operations".to_string()];
        head.extend(present.iter().map(|peer| peer.title.clone()));
        row(f, "milliseconds", &head)?;
        for pattern in &self.patterns {
            let time = if pattern.closed {
                format!("{:.2}", pattern.seconds * 1e3)
            } else {
                "open".to_string()
            };
            let mut cells = vec![time, pattern.operations.to_string()];
            cells.extend(present.iter().map(|peer| pattern.of_peer(peer)));
            row(f, &pattern.name, &cells)?;
        }
        writeln!(
            f,
            "  (open: no closed form of {MOST_OPERATIONS} operations or fewer; -: not expressible; !: wrong at so many \
             points;\n   *: at numbers for some of the parameters, as the model says)\n"
        )?;
        self.summary(f)
    }
}

impl Study {
    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = self.patterns.iter().filter(|pattern| pattern.closed);
        let compared: usize = self.patterns.iter().map(|p| p.verdict.compared).sum();
        let wrong: usize = self.patterns.iter().map(|p| p.verdict.wrong.len()).sum();
        writeln!(
            f,
            "closed: {} of {}; wrong at {wrong} of {compared} points",
            closed.count(),
            self.patterns.len()
        )?;
        for pattern in self.patterns.iter().filter(|pattern| !pattern.closed) {
            let reason = pattern.known_open.as_deref().unwrap_or("not known");
            writeln!(f, "open, {}: {reason}", pattern.name)?;
        }
        for peer in &self.peers {
            match (&peer.absent, &peer.version) {
                (Some(reason), _) => writeln!(f, "{}: absent, {reason}", peer.title)?,
                (None, version) => {
                    let asked = self.patterns.iter().filter_map(|p| p.peers.get(&peer.name));
                    let closed = asked.clone().filter(|r| r.closed_seconds().is_some());
                    let (asked, closed) = (asked.count(), closed.count());
                    let version = version.as_deref().unwrap_or(&peer.title);
                    writeln!(
                        f,
                        "{version}: {asked} are expressible, {closed} of them close"
                    )?;
                }
            }
        }
        Ok(())
    }
}

impl Pattern {
    fn of_peer(&self, peer: &PeerSummary) -> String {
        match self.peers.get(&peer.name) {
            None => "-".to_string(),
            Some(PeerResult::Closed {
                seconds, verdict, ..
            }) => {
                let wrong = match verdict.wrong.len() {
                    0 => String::new(),
                    wrong => format!(" !{wrong}"),
                };
                let at_numbers = if self.numbers.contains_key(&peer.name) {
                    " *"
                } else {
                    ""
                };
                format!("{:.2}{wrong}{at_numbers}", seconds * 1e3)
            }
            Some(PeerResult::Open { .. }) => "open".to_string(),
            Some(PeerResult::TimedOut) => "no answer".to_string(),
            Some(PeerResult::Failed { .. }) => "failed".to_string(),
        }
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, cells: &[String]) -> fmt::Result {
    write!(f, "{name:<NAME$}")?;
    for cell in cells {
        write!(f, "{cell:>COLUMN$}")?;
    }
    writeln!(f)
}
