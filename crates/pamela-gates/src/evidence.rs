//! Evidence about a rule from samples: points where it applies, points where it is wrong, and the guards responsible.

use serde::Serialize;

use super::guards::Declared;
use super::points::Point;
use super::value::Outcome;

/// A sample at which left and right differ.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    pub left: String,
    pub right: String,
    /// The values of the parameters.
    pub at: String,
    pub left_value: String,
    pub right_value: String,
}

/// A guard, and the samples in which it fails.
#[derive(Clone, Debug, Serialize)]
pub struct GuardEvidence {
    pub guard: String,
    /// The need for the guard.
    pub status: Status,
    /// A point at which the rule would be wrong without the guard.
    pub needed: Option<Counterexample>,
    /// True if the right side would be undefined somewhere without the guard, but an automatic guard covers this.
    pub automatic: bool,
    /// Number of points at which only this guard failed.
    pub tried: usize,
}

/// Purpose of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Equality.
    Needed,
    /// The guard has another purpose, which the rule states.
    Kept,
    /// Equality needs the guard, and code proves it.
    Proved,
    /// Equality needs the guard, which is stated in words and tested by code.
    Words,
    /// The code requires the guard, and the text does not.
    Undeclared,
}

/// Results of the samples of one rule.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Evidence {
    pub points: usize,
    /// Number of points at which the left side is defined and all guards hold.
    pub applicable: usize,
    /// Number of applicable points on the degenerate grid.
    pub degenerate: usize,
    /// Number of points at which only an automatic guard prevented an error.
    pub automatic: usize,
    /// Number of points at which the evaluator of formulas and the definition disagree on the left side.
    pub disputed: usize,
    pub guards: Vec<GuardEvidence>,
    /// A point at which the right side has another value.
    pub unequal: Option<Counterexample>,
    /// A point at which the right side has no value.
    pub undefined: Option<Counterexample>,
    /// A point at which a function breaks its guarantee.
    pub broken: Option<Counterexample>,
    /// Number of points at which guarantees of functions held.
    pub ensured: usize,
}

impl GuardEvidence {
    fn new(guard: String, status: Status) -> GuardEvidence {
        GuardEvidence {
            guard,
            status,
            needed: None,
            automatic: false,
            tried: 0,
        }
    }
}

/// One instance of a rule at one point.
pub struct Sample<'a> {
    pub point: &'a Point,
    pub left: &'a Outcome,
    /// Value of each guard.
    pub guards: &'a [bool],
}

impl Evidence {
    /// No evidence yet.
    ///
    /// `tested`: also test guards that the rule must prove. `words`: skip guards that are not expressions in the
    /// variables of the left side.
    pub fn of_guards(guards: &[Declared], tested: bool, words: bool) -> Evidence {
        let guard = |declared: &Declared| {
            let status = match declared {
                Declared { needed: false, .. } => Status::Kept,
                Declared { plain: false, .. } if words => Status::Words,
                Declared { proved: true, .. } if !tested => Status::Proved,
                _ => Status::Needed,
            };
            GuardEvidence::new(declared.guard.to_string(), status)
        };
        Evidence {
            guards: guards.iter().map(guard).collect(),
            ..Evidence::default()
        }
    }

    /// Evidence for guards that are not declared; `text` is an example.
    pub fn undeclared(&mut self, text: impl FnOnce() -> String) -> usize {
        let known = |guard: &GuardEvidence| guard.status == Status::Undeclared;
        match self.guards.iter().position(known) {
            Some(position) => position,
            None => {
                self.guards
                    .push(GuardEvidence::new(text(), Status::Undeclared));
                self.guards.len() - 1
            }
        }
    }

    /// Records the value of a guarantee; for an equation, the values of both sides.
    pub fn ensure(&mut self, sample: &Sample, text: &str, left: &Outcome, right: Option<&Outcome>) {
        if !left.is_defined() || right.is_some_and(|right| !right.is_defined()) {
            return;
        }
        if right.map_or_else(|| left.holds(), |right| left.equals(right)) {
            self.ensured += 1;
        } else if self.broken.is_none() {
            self.broken = Some(Counterexample {
                left: text.to_string(),
                right: String::new(),
                at: shown(sample.point),
                left_value: left.to_string(),
                right_value: right.map(ToString::to_string).unwrap_or_default(),
            });
        }
    }

    /// Records one sample.
    ///
    /// Records a point. `right` is evaluated if at most one guard fails, `automatic` (the automatic guards hold) and
    /// `sides` (both sides as text) if the right side is wrong.
    pub fn record(
        &mut self,
        sample: &Sample,
        right: impl FnOnce() -> Outcome,
        automatic: impl FnOnce() -> bool,
        sides: impl FnOnce() -> (String, String),
    ) {
        self.points += 1;
        if !sample.left.is_defined() {
            return;
        }
        let mut failing = (0..sample.guards.len()).filter(|&number| !sample.guards[number]);
        let (first, second) = (failing.next(), failing.next());
        if second.is_some() {
            return;
        }
        let right = right();
        if matches!(right, Outcome::Unknown) {
            return;
        }
        let wrong = !right.equals(sample.left);
        let blocked = wrong && !automatic();
        let counterexample = || {
            let (left, right_text) = sides();
            Counterexample {
                left,
                right: right_text,
                at: shown(sample.point),
                left_value: sample.left.to_string(),
                right_value: right.to_string(),
            }
        };
        match first {
            Some(number) => {
                let guard = &mut self.guards[number];
                guard.tried += 1;
                guard.automatic |= blocked;
                if wrong && !blocked && guard.needed.is_none() {
                    guard.needed = Some(counterexample());
                }
            }
            None if blocked => self.automatic += 1,
            None => {
                self.applicable += 1;
                self.degenerate += usize::from(sample.point.degenerate);
                let found = if right.is_defined() {
                    &mut self.unequal
                } else {
                    &mut self.undefined
                };
                if wrong && found.is_none() {
                    *found = Some(counterexample());
                }
            }
        }
    }
}

/// `a = 1, b = 1/2`
fn shown(point: &Point) -> String {
    let values = point
        .values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    values.collect::<Vec<_>>().join(", ")
}
