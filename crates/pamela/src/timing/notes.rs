//! Notes for readers of a value, beside its standing. The text of each note is in its `Display`.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::cost::Notes;
use crate::eval::PathLaw;

/// A note for readers of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`Display` says what each of them says")]
pub enum Note {
    LargestDemandOnly,
    LargestDemandOfLaws,
    DemandNotCounted,
    ByLowerBounds,
    ByBounds,
    IndependentDemand,
    IndependentCount,
    Weighed,
    SampledPaths,
    NormalPaths,
    BoundedPaths,
    /// Notes about bounds of runs begin here.
    WeighedMean,
    BoundOfMean,
    ManyBranches,
    LongestBranch,
    NoTimeOfAny,
    HeldInCircle,
    ElementsAsOne,
    HoldersWait,
    PointBetweenBounds,
    Equilibrium,
    FlowEquivalent,
    TakenAsExponential,
    ResidualService,
    /// The value is a closed bound of the named equation, which stays open.
    LowerBoundOf(String),
    UpperBoundOf(String),
    /// Laws that are assumed to be nonnegative.
    Assumes(Vec<String>),
    /// Moments of a law that have no closed form, with the reason.
    NoFormula(String),
    /// Rules of the user that led to a form, each with its location.
    OwnRules(Vec<String>),
    /// Notes about runs begin here.
    OtherOrdersNotTried {
        events: u64,
    },
    SameInOrders(usize),
    MeanOfRuns(usize),
    RangeOfOrders {
        least: String,
        greatest: String,
        orders: usize,
        in_text_order: String,
    },
    RunTooLong {
        process: String,
        events: u64,
    },
    NegativeTime {
        time: String,
        place: String,
    },
    /// Possible error of a closed form in which large terms cancel, as text.
    Cancelled(String),
    /// Note of an evaluator about a law.
    OfLaw(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::LowerBoundOf(name) => write!(f, "lower bound of {name}, which stays open"),
            Note::UpperBoundOf(name) => write!(f, "upper bound of {name}, which stays open"),
            Note::Assumes(laws) => write!(f, "assumes {}", laws.join(", ")),
            Note::NoFormula(why) | Note::OfLaw(why) => f.write_str(why),
            Note::OwnRules(rules) => {
                let rest = match &rules[..] {
                    [rule] => format!("rule {rule}, which is"),
                    _ => format!("rules {}, which are", rules.join(", ")),
                };
                write!(
                    f,
                    "rests on the {rest} not among those of pamela; `pamela rules check FILE` tries it"
                )
            }
            Note::OtherOrdersNotTried { events } => write!(
                f,
                "other orders of requests that come at one time were not tried: the run has {events} events"
            ),
            Note::SameInOrders(orders) => {
                write!(
                    f,
                    "the same in {orders} orders of requests that come at one time"
                )
            }
            Note::MeanOfRuns(runs) => write!(f, "the mean of {runs} runs"),
            Note::RangeOfOrders {
                least,
                greatest,
                orders,
                in_text_order,
            } => write!(
                f,
                "{least} .. {greatest} in {orders} orders of requests that come at one time (that of the text: \
                 {in_text_order})"
            ),
            Note::RunTooLong { process, events } => write!(
                f,
                "a run of `{process}` has more than {events} events here: `pamela simulate` runs it"
            ),
            Note::NegativeTime { time, place } => {
                write!(f, "a time is negative here: {time} at {place}")
            }
            Note::Cancelled(error) => {
                write!(
                    f,
                    "in the closed form large terms cancel: its error may be {error}"
                )
            }
            fixed => f.write_str(fixed.words()),
        }
    }
}

impl Note {
    /// The words of a note without parts.
    fn words(&self) -> &'static str {
        match self {
            Note::IndependentDemand => {
                "independence: the largest demand of a parallel section is taken as independent of its critical path"
            }
            Note::LargestDemandOnly => {
                "lower bound: of the waiting for shared resources only the largest demand is counted"
            }
            Note::LargestDemandOfLaws => {
                "approximation: of the waiting for shared resources only the largest demand is counted"
            }
            Note::ByLowerBounds => {
                "by times that are lower bounds: their processes in parallel share resources"
            }
            Note::ByBounds => "by bounds of times",
            Note::IndependentCount => {
                "independence: the demands of a loop of random length are taken as independent of one another"
            }
            Note::SampledPaths => {
                "estimate: the longest path of random tasks has the law of thousands of samples"
            }
            Note::NormalPaths => {
                "estimate: the longest path of random tasks has a normal law, by the moments of Clark's maxima"
            }
            Note::BoundedPaths => {
                "the longest path of random tasks has guaranteed bounds; of the law there is no estimate"
            }
            Note::Weighed => {
                "approximation: an `if` by a probability counts in a parallel section with the mean of its branches"
            }
            Note::DemandNotCounted => {
                "lower bound: the demand of or-parallel sections is not counted: their losers stop at an unknown point"
            }
            Note::BoundOfMean => "a bound of the mean: times are drawn",
            Note::WeighedMean => "a bound of the mean: an `if` or `switch` goes by probabilities",
            Note::LongestBranch => {
                "an `if` or `switch` by probabilities in a parallel section counts as its longest branch"
            }
            Note::ElementsAsOne => {
                "resources of one array that cannot be told apart are taken as one in what they make wait"
            }
            Note::ManyBranches => {
                "a parallel section of very many different branches counts all of their demands as waiting"
            }
            Note::NoTimeOfAny => {
                "an or-parallel section that goes by probabilities counts as taking no time"
            }
            Note::HoldersWait => {
                "who waits for what is held counts as waiting for all that its holders may wait for"
            }
            Note::HeldInCircle => {
                "resources are held in a circle: an upper bound only of runs without deadlock"
            }
            Note::PointBetweenBounds => "an estimate, no bound: L + 0.2 (U - L)",
            Note::Equilibrium => {
                "an estimate, no bound: the equilibrium of a closed network, and its last cycles"
            }
            Note::FlowEquivalent => {
                "what is held counts as one station, which serves as fast as the section inside is gone through"
            }
            Note::TakenAsExponential => {
                "services are taken as exponential: some resource has several servers, or is held"
            }
            Note::ResidualService => "services that are not exponential go by their variance alone",
            _ => "",
        }
    }

    /// True if the note says that its value is a bound or an estimate.
    pub fn says_standing(&self) -> bool {
        matches!(
            self,
            Note::LargestDemandOnly
                | Note::LargestDemandOfLaws
                | Note::DemandNotCounted
                | Note::IndependentDemand
                | Note::IndependentCount
                | Note::Weighed
                | Note::SampledPaths
                | Note::NormalPaths
                | Note::BoundedPaths
                | Note::OtherOrdersNotTried { .. }
                | Note::SameInOrders(_)
                | Note::MeanOfRuns(_)
                | Note::RangeOfOrders { .. }
        )
    }

    /// True if the note is about which formulas exist, not about a value.
    pub fn is_about_formula(&self) -> bool {
        matches!(self, Note::NoFormula(_))
    }
}

/// Serialises notes as texts.
pub(crate) fn as_texts<S: Serializer>(notes: &[Note], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(ToString::to_string))
}

/// Adds which law stands for longest paths, if the notes mention samples of them.
pub fn note_path_law(notes: &mut [Note], law: PathLaw) {
    let own = match law {
        PathLaw::Samples => Note::SampledPaths,
        PathLaw::Normal => Note::NormalPaths,
        PathLaw::Lower | PathLaw::Upper => Note::BoundedPaths,
    };
    let sampled = notes.iter_mut().filter(|note| **note == Note::SampledPaths);
    sampled.for_each(|note| *note = own.clone());
}

/// True if a law rests only on laws of longest paths. Then bounds of these are bounds of the law.
pub fn rests_on_paths_alone(notes: &[Note]) -> bool {
    notes.iter().all(|note| *note == Note::SampledPaths)
}

pub(super) fn of_demand(notes: Notes) -> Vec<Note> {
    let dropped = notes.demand_dropped.then_some(Note::DemandNotCounted);
    let shared = notes.shared_count.then_some(Note::IndependentCount);
    dropped.into_iter().chain(shared).collect()
}

pub(super) fn of_time(mut notes: Notes, random: bool) -> Vec<Note> {
    notes.shared_count = notes.shared_count_in_time;
    let contention = match random {
        true => Note::LargestDemandOfLaws,
        false => Note::LargestDemandOnly,
    };
    let own = [
        notes.contention.then_some(contention),
        notes.independence.then_some(Note::IndependentDemand),
        notes.sampled.then_some(Note::SampledPaths),
        notes.weighed_in_parallel.then_some(Note::Weighed),
    ];
    of_demand(notes)
        .into_iter()
        .chain(own.into_iter().flatten())
        .collect()
}
