//! Studies: measurements of this library beside other programs.
//!
//! The study of sums closes each sum of `corpus/studies/sums.txt`, compares the closed form with the definition at
//! degenerate and ordinary points, and does the same with installed peers. The studies of laws compare order
//! statistics with predictions of the papers. The study of rules counts the rules in derivations.

#[cfg(feature = "programs")]
pub mod branches;
pub mod codes;
pub mod contention;
pub mod costs;
mod densities;
pub mod distributions;
pub mod free;
pub mod giant;
pub mod laws;
pub mod mrm;
pub mod open;
mod ours;
mod peer;
mod points;
#[cfg(feature = "programs")]
pub mod predictions;
mod quicksort;
mod random;
pub mod report;
mod request;
pub mod rules;
mod sample;
pub mod sequential;
mod shapes;
mod side_by_side;
mod sorting;
pub mod sums;
mod table;
pub mod times;
mod verdict;
pub mod workloads;

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

pub use ours::Ours;
pub use verdict::{Verdict, Wrong};

use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::pipeline::Model;
use peer::{PROGRAMS, Peer, Program, Silence};
use sums::Sum;

/// All measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Seconds to read the rules, once.
    pub start_seconds: f64,
    pub sums: Vec<Measured>,
    pub peers: Vec<PeerSummary>,
}

/// One sum.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub name: String,
    pub family: String,
    /// The reason why the sum is not closed yet, if the list states one.
    pub known_open: Option<String>,
    pub ours: Ours,
    pub peers: BTreeMap<String, PeerResult>,
}

/// Result of a peer for a sum that its notation can express.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum PeerResult {
    Closed {
        seconds: f64,
        formula: String,
        verdict: Verdict,
    },
    Open {
        seconds: f64,
    },
    TimedOut,
    Failed {
        reason: String,
    },
}

/// A peer as a whole.
#[derive(Clone, Debug, Serialize)]
pub struct PeerSummary {
    pub name: String,
    pub title: String,
    /// Version of an installed peer.
    pub version: Option<String>,
    /// Reason why a peer cannot be used.
    pub absent: Option<String>,
    pub start_seconds: f64,
    /// Time for the whole list, including start-up and the evaluation of values.
    pub total_seconds: f64,
}

impl PeerResult {
    /// The time of a closed form.
    pub fn closed_seconds(&self) -> Option<f64> {
        match self {
            PeerResult::Closed { seconds, .. } => Some(*seconds),
            _ => None,
        }
    }

    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            PeerResult::Closed { verdict, .. } => Some(verdict),
            _ => None,
        }
    }
}

/// Closes each sum of a list `runs` times, to measure the time.
///
/// # Errors
/// Fails for a list or a model that cannot be parsed.
pub fn without_peers(list: &str, runs: usize) -> Result<Study, Error> {
    measure(list, runs, &[])
}

/// Like [`without_peers`], with the peers installed on this machine.
///
/// # Errors
/// Fails like [`without_peers`]. A missing or failing peer is not an error.
pub fn with_peers(list: &str, runs: usize) -> Result<Study, Error> {
    measure(list, runs, &PROGRAMS)
}

fn measure(list: &str, runs: usize, programs: &'static [Program]) -> Result<Study, Error> {
    let prepared = prepare(list)?;
    let start = Instant::now();
    let rules = crate::rules::standard()?;
    let start_seconds = start.elapsed().as_secs_f64();
    let mut peers: Vec<(PeerSummary, Option<Peer>)> = programs.iter().map(started).collect();
    let mut sums = Vec::new();
    for prepared in &prepared {
        // One after the other, so that all have the same share of a machine that does other work too.
        let mut measured = prepared.measure(&rules, runs)?;
        for (summary, peer) in &mut peers {
            let Some(peer) = peer else { continue };
            let start = Instant::now();
            let result = prepared.ask(&summary.name, peer);
            summary.total_seconds += start.elapsed().as_secs_f64();
            measured
                .peers
                .extend(result.map(|result| (summary.name.clone(), result)));
        }
        sums.push(measured);
    }
    Ok(Study {
        start_seconds,
        sums,
        peers: peers.into_iter().map(|(summary, _)| summary).collect(),
    })
}

/// A peer that runs, or why it is absent.
fn started(program: &'static Program) -> (PeerSummary, Option<Peer>) {
    let start = Instant::now();
    let (peer, absent) = match Peer::start(program) {
        Ok(peer) => (Some(peer), None),
        Err(reason) => (None, Some(reason)),
    };
    let start_seconds = start.elapsed().as_secs_f64();
    let summary = PeerSummary {
        name: program.name.to_string(),
        title: program.title.to_string(),
        version: peer.as_ref().map(|peer| peer.version.clone()),
        absent,
        start_seconds,
        total_seconds: start_seconds,
    };
    (summary, peer)
}

/// A sum with the points at which it is compared.
struct Prepared {
    sum: Sum,
    model: Model,
    points: Vec<points::Point>,
}

fn prepare(list: &str) -> Result<Vec<Prepared>, Error> {
    let sums = sums::read(list)?.into_iter();
    let prepared = sums.map(|sum| {
        let model = Model::read(&sum.name, &sum.model, &crate::syntax::NoFiles)?;
        let points = points::points(model.checked(), sums::EQUATION);
        Ok(Prepared { sum, model, points })
    });
    prepared.collect()
}

impl Prepared {
    fn measure(&self, rules: &RuleBase, runs: usize) -> Result<Measured, Error> {
        Ok(Measured {
            name: self.sum.name.clone(),
            family: self.sum.family.clone(),
            known_open: self.sum.open.clone(),
            ours: ours::ours(&self.sum, &self.points, rules, runs)?,
            peers: BTreeMap::new(),
        })
    }

    /// `None` where the peer cannot express the sum.
    fn ask(&self, name: &str, peer: &mut Peer) -> Option<PeerResult> {
        let text = self.sum.peers.get(name)?;
        let model = self.model.checked();
        let question = request::request(name, text, &self.sum.name, model, &self.points);
        Some(reply_of(peer, &question, &self.points))
    }
}

/// The answer of a peer, with its values compared at `points`.
fn reply_of(peer: &mut Peer, question: &str, points: &[points::Point]) -> PeerResult {
    match peer.ask(question) {
        Ok(reply) if reply.closed => PeerResult::Closed {
            seconds: reply.seconds,
            verdict: request::verdict(points, &reply.values),
            formula: reply.formula,
        },
        Ok(reply) => PeerResult::Open {
            seconds: reply.seconds,
        },
        Err(Silence::TimedOut) => PeerResult::TimedOut,
        Err(Silence::Failed(reason)) => PeerResult::Failed { reason },
    }
}
