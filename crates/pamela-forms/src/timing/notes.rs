//! Notes for readers of a value, beside its standing. The text of each note is in its `Display`.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::cost::Notes;
use crate::eval::PathLaw;
use crate::model::Basis;

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
    ClosedSection,
    Equilibrium,
    FlowEquivalent,
    TakenAsExponential,
    ResidualService,
    /// Notes about open processes begin here.
    Stationary,
    SeveralServers,
    LaterStations,
    ParallelWaits,
    OvertakenWaits,
    RepeatedVisits,
    FittedResidual,
    StationaryCycles,
    WaitsOfRuns,
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
    MeanOfBounds,
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
                    "rests on the {rest} not part of pamela; test it with `pamela rules check FILE`"
                )
            }
            Note::OtherOrdersNotTried { events } => write!(
                f,
                "other orders of simultaneous requests were not tried: the run has {events} events"
            ),
            Note::SameInOrders(orders) => {
                write!(f, "the same in {orders} orders of simultaneous requests")
            }
            Note::MeanOfRuns(runs) => write!(f, "the mean of {runs} runs"),
            Note::RangeOfOrders {
                least,
                greatest,
                orders,
                in_text_order,
            } => write!(
                f,
                "{least} .. {greatest} in {orders} orders of simultaneous requests (in the order of the text: \
                 {in_text_order})"
            ),
            Note::RunTooLong { process, events } => write!(
                f,
                "a run of `{process}` has more than {events} events here; use `pamela simulate`"
            ),
            Note::NegativeTime { time, place } => {
                write!(f, "a time is negative here: {time} at {place}")
            }
            Note::Cancelled(error) => {
                write!(
                    f,
                    "large terms of the closed form cancel: the error may be {error}"
                )
            }
            fixed => f.write_str(fixed.words()),
        }
    }
}

impl Note {
    /// The words of a note without parts. One table, because each note has words of its own.
    fn words(&self) -> &'static str {
        match self {
            Note::IndependentDemand => {
                "independence: demand and critical path of a parallel section are treated as independent"
            }
            Note::LargestDemandOnly => {
                "lower bound: queueing is counted at the busiest resource only"
            }
            Note::LargestDemandOfLaws => {
                "approximation: queueing is counted at the busiest resource only"
            }
            Note::ByLowerBounds => {
                "computed from times that are lower bounds: parallel processes share resources"
            }
            Note::ByBounds => "computed from bounds of times",
            Note::IndependentCount => {
                "independence: the demands of a loop of random length are treated as independent"
            }
            Note::SampledPaths => "estimate: the law of the longest path is taken from samples",
            Note::NormalPaths => "estimate: the longest path has a normal law with Clark's moments",
            Note::BoundedPaths => {
                "the longest path of random tasks has guaranteed bounds, but no estimate of its law"
            }
            Note::Weighed => {
                "approximation: in a parallel section, an `if` with a probability counts with the mean of its branches"
            }
            Note::DemandNotCounted => {
                "lower bound: the work of losing branches of or-parallel sections is not counted"
            }
            Note::BoundOfMean => "bound of the mean: times are random",
            Note::MeanOfBounds => "the mean: its lower and its upper bound are equal",
            Note::WeighedMean => "bound of the mean: an `if` or `switch` is random",
            Note::LongestBranch => {
                "in a parallel section, a random `if` or `switch` counts as its longest branch"
            }
            Note::ElementsAsOne => {
                "resources of an array that cannot be distinguished queue as one resource"
            }
            Note::ManyBranches => {
                "in a parallel section of very many different branches, all their demand counts as waiting"
            }
            Note::NoTimeOfAny => "a random or-parallel section counts as taking no time",
            Note::HoldersWait => {
                "waiting for a held resource includes all that its holders may wait for"
            }
            Note::HeldInCircle => {
                "resources are held in a cycle: the upper bound holds only without deadlock"
            }
            Note::PointBetweenBounds => "estimate, not a bound: L + 0.2 (U - L)",
            Note::ClosedSection => {
                "estimate, not a bound: the largest of several approximations, within 2 % of the mean on average"
            }
            Note::Equilibrium => {
                "estimate, not a bound: the equilibrium of a closed network, plus its last cycles"
            }
            Note::FlowEquivalent => {
                "a held resource counts as one station that serves at the throughput of the section inside"
            }
            Note::TakenAsExponential => {
                "services are treated as exponential: some resource has several servers or is held"
            }
            Note::Stationary => "stationary: requests arrive by a Poisson process, for ever",
            Note::SeveralServers => {
                "approximation: waits for several servers with services that are not exponential"
            }
            Note::LaterStations => {
                "approximation: arrivals at later resources, by their mean and variance"
            }
            Note::ParallelWaits => {
                "approximation: waits in parallel branches are treated as independent"
            }
            Note::OvertakenWaits => {
                "approximation: waits are treated as independent where requests overtake each other"
            }
            Note::RepeatedVisits => {
                "mean only: a request visits a resource more than once, and its waits are not independent"
            }
            Note::FittedResidual => {
                "approximation: the residual of a service has a gamma law with its mean and variance"
            }
            Note::StationaryCycles => {
                "estimate: the stationary wait of exponential services, by mean value analysis"
            }
            Note::WaitsOfRuns => {
                "estimate: the mean wait of runs; of 100 cycles or more with exponential services, by mean value analysis"
            }
            Note::ResidualService => {
                "services that are not exponential enter by their variance only"
            }
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
                | Note::SeveralServers
                | Note::LaterStations
                | Note::ParallelWaits
                | Note::OvertakenWaits
                | Note::RepeatedVisits
                | Note::FittedResidual
                | Note::StationaryCycles
                | Note::WaitsOfRuns
        )
    }

    /// True if the note is about which formulas exist, not about a value.
    pub fn is_about_formula(&self) -> bool {
        matches!(self, Note::NoFormula(_))
    }
}

/// Serialises notes as texts.
pub fn as_texts<S: Serializer>(notes: &[Note], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(ToString::to_string))
}

/// Adds the law that replaces the law of longest paths, if the notes mention samples of it.
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
    let contention = if random {
        Note::LargestDemandOfLaws
    } else {
        Note::LargestDemandOnly
    };
    let own = [
        notes.contention.then_some(contention),
        notes.independence.then_some(Note::IndependentDemand),
        notes.sampled.then_some(Note::SampledPaths),
        notes.weighed_in_parallel.then_some(Note::Weighed),
    ];
    let open = notes.open.map(of_open).unwrap_or_default();
    of_demand(notes)
        .into_iter()
        .chain(own.into_iter().flatten())
        .chain(open)
        .collect()
}

/// What the time of an open process rests on.
fn of_open(basis: Basis) -> Vec<Note> {
    let own = [
        (basis.cyclic, Note::StationaryCycles),
        (basis.by_runs, Note::WaitsOfRuns),
        (basis.stationary, Note::Stationary),
        (basis.several_servers, Note::SeveralServers),
        (basis.flows, Note::LaterStations),
        (basis.in_parallel, Note::ParallelWaits),
        (basis.overtaking, Note::OvertakenWaits),
        (basis.repeated, Note::RepeatedVisits),
        (basis.fitted, Note::FittedResidual),
    ];
    let own = own.into_iter().filter(|(holds, _)| *holds);
    own.map(|(_, note)| note).collect()
}
