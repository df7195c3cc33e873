//! What readers of an equation should know: in the same words wherever it is printed.

use serde::{Deserialize, Serialize};

use super::cost::Notes;
use super::origin::Origin;
use crate::eval::PathLaw;

const INDEPENDENCE: &str = "independence: the largest demand of a parallel section is taken as independent of its \
     critical path";

const CONTENTION: &str =
    "lower bound: of the waiting for shared resources only the largest demand is counted";

/// What is random is no bound.
const CONTENTION_BY_LAWS: &str =
    "approximation: of the waiting for shared resources only the largest demand is counted";

/// Of what is made of such times.
pub(super) const BY_LOWER_BOUND: &str =
    "by times that are lower bounds: their processes in parallel share resources";

const SHARED_COUNT: &str =
    "independence: the demands of a loop of random length are taken as independent of one another";

/// The note that says so, if it is among these.
pub fn by_lower_bounds(notes: &[String]) -> Option<&String> {
    notes.iter().find(|note| *note == BY_LOWER_BOUND)
}

/// Of the law of a graph that has no closed form.
const SAMPLED: &str =
    "estimate: the longest path of random tasks has the law of thousands of samples";

const WEIGHED: &str = "approximation: an `if` by a probability counts in a parallel section with the mean of its branches";

const DEMAND_NOT_COUNTED: &str = "lower bound: the demand of or-parallel sections is not counted: their losers stop at an unknown point";

const BY_NORMAL_LAWS: &str =
    "estimate: the longest path of random tasks has a normal law, by the moments of Clark's maxima";

const BY_BOUNDS: &str =
    "the longest path of random tasks has guaranteed bounds; of the law there is no estimate";

/// Says which law stands for those of longest paths, where the notes have that of samples.
pub fn note_path_law(notes: &mut [String], law: PathLaw) {
    let own = match law {
        PathLaw::Samples => SAMPLED,
        PathLaw::Normal => BY_NORMAL_LAWS,
        PathLaw::Lower | PathLaw::Upper => BY_BOUNDS,
    };
    let sampled = notes.iter_mut().filter(|note| *note == SAMPLED);
    sampled.for_each(|note| *note = own.to_owned());
}

/// Whether a law rests on nothing but the laws of longest paths, so that bounds of these are bounds of it.
pub fn rests_on_paths_alone(notes: &[String]) -> bool {
    notes.iter().all(|note| note == SAMPLED)
}

/// Of what is made of `L` and `U`.
const BY_BOUND: &str = "by bounds of times";

/// The notes of what is derived of an equation: slopes, and bounds of what stays open.
pub fn of_derived(origin: &Origin, notes: &[String]) -> Vec<String> {
    match (origin, Bound::of(origin, notes)) {
        (_, None) => Vec::new(),
        (Origin::Lower(_), _) | (_, Some(Bound::Upper)) => vec![BY_BOUND.to_owned()],
        (_, Some(Bound::Lower | Bound::ByLower)) => vec![BY_LOWER_BOUND.to_owned()],
        (_, Some(Bound::Estimate)) => notes.to_vec(),
    }
}

/// The notes of a time that is what every run takes.
pub fn without_contention(notes: &mut Vec<String>) {
    notes.retain(|note| note != CONTENTION);
}

/// The notes of what is made of times that every run takes.
pub fn without_lower_bounds(notes: &mut Vec<String>) {
    notes.retain(|note| note != BY_LOWER_BOUND);
}

pub(super) fn of_demand(notes: Notes) -> Vec<String> {
    let dropped = notes.demand_dropped.then(|| DEMAND_NOT_COUNTED.to_owned());
    let shared = notes.shared_count.then(|| SHARED_COUNT.to_owned());
    dropped.into_iter().chain(shared).collect()
}

pub(super) fn of_time(mut notes: Notes, random: bool) -> Vec<String> {
    notes.shared_count = notes.shared_count_in_time;
    let contention = match random {
        true => CONTENTION_BY_LAWS,
        false => CONTENTION,
    };
    let contention = notes.contention.then(|| contention.to_owned());
    let independence = notes.independence.then(|| INDEPENDENCE.to_owned());
    let sampled = notes.sampled.then(|| SAMPLED.to_owned());
    let weighed = notes.weighed_in_parallel.then(|| WEIGHED.to_owned());
    let own = contention
        .into_iter()
        .chain(independence)
        .chain(sampled)
        .chain(weighed);
    of_demand(notes).into_iter().chain(own).collect()
}

/// Whether notes say that of the waiting for shared resources only a part is counted, of laws.
pub(super) fn counts_no_waiting(notes: &[String]) -> bool {
    notes.iter().any(|note| note == CONTENTION_BY_LAWS)
}

/// Whether an `if` by a probability counts in a parallel section with a mean.
pub(super) fn is_weighed_in_parallel(notes: &[String]) -> bool {
    notes.iter().any(|note| note == WEIGHED)
}

/// How a value stands to what a run takes, where it is not that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// No run takes less.
    Lower,
    /// No run takes more.
    Upper,
    /// It is made of times that are lower bounds: their quotients and differences are on no side.
    ByLower,
    /// Near the mean of runs, on no side.
    Estimate,
}

impl Bound {
    /// That of an equation with these notes; `None` where the value is that of the model.
    pub fn of(origin: &Origin, notes: &[String]) -> Option<Bound> {
        let has = |text: &str| notes.iter().any(|note| note == text);
        let is_lower = has(CONTENTION) || has(DEMAND_NOT_COUNTED);
        match origin {
            Origin::Lower(_) => Some(Bound::Lower),
            Origin::Upper(_) | Origin::UpperUnordered(_) | Origin::UpperByWork(_) => {
                Some(Bound::Upper)
            }
            origin if origin.is_estimate() => Some(Bound::Estimate),
            _ if has(CONTENTION_BY_LAWS)
                || has(INDEPENDENCE)
                || has(SHARED_COUNT)
                || has(SAMPLED)
                || has(WEIGHED) =>
            {
                Some(Bound::Estimate)
            }
            Origin::Time(_) | Origin::CriticalPath(_) | Origin::Bottleneck(_) if is_lower => {
                Some(Bound::Lower)
            }
            _ => (is_lower || has(BY_LOWER_BOUND)).then_some(Bound::ByLower),
        }
    }
}
