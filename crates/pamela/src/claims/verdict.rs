//! What was found out about a claim.

use crate::ring::Rational;
use crate::syntax::tree::Assertion;

/// An assertion with what was found out about it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The claim and its condition.
    pub assertion: Assertion,
    /// Name of the file, and line and column: `model.pam:7:1`.
    pub place: String,
    /// The answer.
    pub verdict: Verdict,
}

/// The answer for a claim.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds wherever the facts and its condition do.
    Proved(Proof),
    /// It is false at a point.
    Refuted(Counterexample),
    /// Neither a proof nor a counterexample was found.
    Undecided {
        /// Why no proof was possible, if there is a reason to name.
        reason: Option<String>,
        /// Conditions of regions in which it was proved.
        proved_where: Vec<String>,
    },
}

/// How a claim was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// From facts, the condition and closed forms.
    ByFacts,
    /// From bounds of times.
    ByBounds,
    /// By induction over a whole parameter.
    ByInduction,
    /// At each value of a whole parameter, whatever the others are.
    ByValues {
        /// The parameter.
        parameter: String,
        /// The number of its values.
        count: u64,
    },
    /// The condition holds nowhere.
    NeverApplies,
    /// By evaluation of all points.
    ByPoints(u64),
}

/// A point at which a claim is false.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The values of the parameters on which the claim depends, in base units.
    pub point: Vec<(String, Rational)>,
    /// The same with units, as they are printed.
    pub shown: Vec<(String, String)>,
    /// True if no point with a smaller sum of whole numbers is a counterexample, or an earlier one with the same sum.
    pub is_smallest: bool,
    /// Both sides of the comparison that is false, if the claim is one comparison.
    pub sides: Option<[Side; 2]>,
}

/// One side of a comparison at a counterexample.
#[derive(Clone, Debug)]
pub struct Side {
    /// As it is written in the model.
    pub text: String,
    /// Its value, in decimals.
    pub value: String,
}

impl Verdict {
    /// `proved`, `refuted` or `not decided`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Refuted(_) => "refuted",
            Verdict::Undecided { .. } => "not decided",
        }
    }
}

impl Counterexample {
    /// `P = 101, N = 2`; empty if the claim depends on nothing.
    pub fn at(&self) -> String {
        let pairs = self.shown.iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        pairs.join(", ")
    }
}

impl Judged {
    /// The answer in lines of text, the first of which names it.
    pub fn lines(&self) -> Vec<String> {
        match &self.verdict {
            Verdict::Proved(proof) => vec![match proof {
                Proof::ByFacts => "proved".to_owned(),
                Proof::ByBounds => "proved: by bounds of the time".to_owned(),
                Proof::ByInduction => "proved: by induction".to_owned(),
                Proof::ByValues { parameter, count } => {
                    format!("proved: for each of {count} values of {parameter}")
                }
                Proof::NeverApplies => "proved: its condition never holds".to_owned(),
                Proof::ByPoints(1) => "proved: by its value".to_owned(),
                Proof::ByPoints(count) => format!("proved: at all {count} points"),
            }],
            Verdict::Refuted(found) => {
                let mut lines = vec![if found.shown.is_empty() {
                    "refuted everywhere".to_owned()
                } else {
                    format!("refuted at {}", found.at())
                }];
                for side in found.sides.iter().flatten() {
                    if side.text != side.value {
                        lines.push(format!("  {} = {}", side.text, side.value));
                    }
                }
                lines
            }
            Verdict::Undecided {
                reason,
                proved_where,
            } => {
                let mut lines = vec![match reason {
                    Some(reason) => format!("not decided: {reason}"),
                    None => "not decided".to_owned(),
                }];
                let regions = proved_where.iter();
                lines.extend(regions.map(|region| format!("  proved where {region}")));
                lines
            }
        }
    }
}
