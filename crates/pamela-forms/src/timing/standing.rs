//! Relations of values to the time of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::certificate::Proof;
use super::cost::Notes;
use super::notes::Note;
use super::origin::Origin;
use crate::eval::PathLaw;

/// How a value relates to the time of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Every run takes this time, or the value is not a time and follows from the model alone.
    Exact(Proof),
    /// No run takes less.
    Lower,
    /// No run takes more.
    Upper,
    /// Only bounds of the value are known.
    Between,
    /// An estimate of the mean of runs, neither above nor below it for certain.
    Estimate(Method),
    /// Runs took this time.
    Drawn {
        /// Number of runs.
        draws: u64,
    },
    /// Computed from inexact values, so that it is not a bound on either side.
    Unknown,
}

/// How an estimate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Queueing is counted at the busiest resource only, for laws.
    LargestDemand,
    /// Dependent laws are treated as independent.
    Independence,
    /// A choice by probability counts with the mean of its branches.
    MeanOfBranches,
    /// Samples of a longest path.
    Samples,
    /// A normal law for a longest path.
    NormalLaw,
    /// Mean value analysis of a closed queueing network.
    MeanValueAnalysis,
    /// A point between the lower and the upper bound.
    PointBetweenBounds,
    /// The largest of several approximations of a closed section.
    ClosedSection,
    /// Stationary waits of an open process, some of them approximated.
    StationaryWaits,
}

impl Standing {
    /// The standing of a value that follows from the model alone.
    pub fn exact() -> Standing {
        Standing::Exact(Proof::default())
    }

    /// True if every run takes the value, or if it is not a time.
    pub fn is_exact(&self) -> bool {
        matches!(self, Standing::Exact(_))
    }

    /// The proof, if the value is exact.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Standing::Exact(proof) => Some(proof),
            _ => None,
        }
    }

    /// The standing of a function that increases with two values: a sum, a maximum, a minimum.
    pub fn join(self, other: Standing) -> Standing {
        use Standing::{Drawn, Estimate, Exact, Unknown};
        match (self, other) {
            (Unknown, _) | (_, Unknown) => Unknown,
            (Exact(own), Exact(other)) => Exact(own.and(other)),
            (Exact(_), other) | (other, Exact(_)) => other,
            (Estimate(method), _) | (_, Estimate(method)) => Estimate(method),
            (Drawn { draws }, Drawn { draws: other }) => Drawn {
                draws: draws.min(other),
            },
            (own, other) if own == other => own,
            _ => Unknown,
        }
    }

    /// Joins the standings of several values.
    pub fn of_all(standings: impl IntoIterator<Item = Standing>) -> Standing {
        let all = standings.into_iter();
        all.fold(Standing::exact(), Standing::join)
    }

    /// The standing of a decreasing function of the value: its negative, its reciprocal.
    pub fn reversed(self) -> Standing {
        match self {
            Standing::Lower => Standing::Upper,
            Standing::Upper => Standing::Lower,
            other => other,
        }
    }

    /// The standing of a function that is not monotone in the value.
    pub fn through_any(self) -> Standing {
        match self {
            Standing::Exact(_) | Standing::Estimate(_) | Standing::Drawn { .. } => self,
            _ => Standing::Unknown,
        }
    }

    /// The standing of a lower bound of the value.
    pub fn from_below(self) -> Standing {
        match self {
            Standing::Exact(_) | Standing::Lower => Standing::Lower,
            _ => Standing::Unknown,
        }
    }

    /// The standing of an upper bound of the value.
    pub fn from_above(self) -> Standing {
        self.reversed().from_below().reversed()
    }

    /// The standing of an equation derived from one with this standing.
    pub(crate) fn of_derived(&self, origin: &Origin) -> Standing {
        let own = self.clone();
        match origin {
            Origin::Least { .. } => own.from_below(),
            Origin::Most { .. } => own.from_above(),
            Origin::Moment { .. } => own,
            _ => own.through_any(),
        }
    }

    /// The standing of a law after its longest paths are evaluated in another way.
    pub(crate) fn with_path_law(self, law: PathLaw) -> Standing {
        match (self, law) {
            (Standing::Estimate(Method::Samples), PathLaw::Normal) => {
                Standing::Estimate(Method::NormalLaw)
            }
            (Standing::Estimate(Method::Samples), PathLaw::Lower | PathLaw::Upper) => {
                Standing::Between
            }
            (own, _) => own,
        }
    }

    /// The standing in a few words, as in JSON, plots and reports.
    pub fn words(&self) -> &'static str {
        match self {
            Standing::Exact(proof) => proof.order.words(),
            Standing::Lower => "lower bound",
            Standing::Upper => "upper bound",
            Standing::Between => "between bounds",
            Standing::Estimate(_) => "estimate",
            Standing::Drawn { .. } => "drawn",
            Standing::Unknown => "unknown",
        }
    }
}

impl Standing {
    /// A label printed beside a name or a number; `None` for exact values.
    pub fn label(&self) -> Option<&'static str> {
        match self {
            Standing::Exact(_) => None,
            Standing::Unknown => Some("rests on bounds"),
            other => Some(other.words()),
        }
    }

    /// A line printed above the value, unless its name or a note already says it.
    pub fn line(&self, origin: &Origin, notes: &[Note]) -> Option<&'static str> {
        let said = origin.is_bound()
            || origin.is_estimate()
            || matches!(origin, Origin::Least { .. } | Origin::Most { .. })
            || notes.iter().any(Note::says_standing);
        self.label().filter(|_| !said)
    }

    /// How a printed time relates to the time of a run, in the words of
    /// `docs/explanation/bounds.md`.
    pub fn certificate(&self) -> &'static str {
        match self {
            Standing::Drawn { .. } => "run",
            Standing::Between => "between",
            other => other.words(),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Exact(proof) => proof.fmt(f),
            other => f.write_str(other.certificate()),
        }
    }
}

/// The notes of a derived equation: derivatives, and bounds of open expressions.
pub(crate) fn of_derived(origin: &Origin, standing: &Standing, notes: &[Note]) -> Vec<Note> {
    match standing {
        Standing::Exact(_) => Vec::new(),
        Standing::Estimate(_) | Standing::Drawn { .. } => notes.to_vec(),
        Standing::Upper | Standing::Between => vec![Note::ByBounds],
        Standing::Lower | Standing::Unknown => {
            if origin.is_bound() {
                vec![Note::ByBounds]
            } else {
                vec![Note::ByLowerBounds]
            }
        }
    }
}

impl Notes {
    /// The standing of a process's time with these notes.
    pub(super) fn of_time(self, random: bool) -> Standing {
        let estimate = [
            (self.contention && random, Method::LargestDemand),
            (self.independence, Method::Independence),
            (self.shared_count_in_time, Method::Independence),
            (self.sampled, Method::Samples),
            (self.weighed_in_parallel, Method::MeanOfBranches),
            (
                self.open.is_some_and(|open| !open.is_exact()),
                Method::StationaryWaits,
            ),
        ];
        match estimate.into_iter().find(|(is_so, _)| *is_so) {
            Some((_, method)) => Standing::Estimate(method),
            None if self.contention || self.demand_dropped => Standing::Lower,
            None => Standing::exact(),
        }
    }

    /// The standing of a process's demand with these notes.
    pub(super) fn of_demand(self) -> Standing {
        match (self.shared_count, self.demand_dropped) {
            (true, _) => Standing::Estimate(Method::Independence),
            (false, true) => Standing::Lower,
            (false, false) => Standing::exact(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values `x <= t` and functions of them, over small numbers: whatever `join` and `reversed` claim holds of each.
    #[test]
    fn a_bound_of_parts_is_a_bound_of_the_whole() {
        use Standing::{Lower, Unknown, Upper};
        // The value that stands for `truth`, by its standing.
        let seen = |standing: &Standing, truth: i32, slack: i32| match standing {
            Lower => truth - slack,
            Upper => truth + slack,
            _ => truth,
        };
        let functions: [fn(i32, i32) -> i32; 3] = [|a, b| a + b, |a, b| a.max(b), |a, b| a.min(b)];
        let all = [Standing::exact(), Lower, Upper];
        for (own, other) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let joined = own.clone().join(other.clone());
            for (t, u) in (-2..=2).flat_map(|t| (-2..=2).map(move |u| (t, u))) {
                for (s, r) in (0..=2).flat_map(|s| (0..=2).map(move |r| (s, r))) {
                    for f in functions {
                        let (truth, value) = (f(t, u), f(seen(own, t, s), seen(other, u, r)));
                        match joined {
                            Lower => assert!(value <= truth),
                            Upper => assert!(value >= truth),
                            Unknown => {}
                            _ => assert_eq!(value, truth),
                        }
                        let reversed = joined.clone().reversed();
                        assert!(reversed != Lower || -value <= -truth);
                        assert!(reversed != Upper || -value >= -truth);
                    }
                }
            }
        }
        assert_eq!(Lower.join(Upper), Unknown);
        assert_eq!(Standing::exact().join(Lower), Lower);
    }
}
