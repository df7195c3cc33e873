//! Data for the bounds of each process.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::expr::{ExprId, Symbol};
use crate::timing::argument::{Binder, Instance, Provisos, Resource};
use crate::timing::certificate::Application;
use crate::timing::notes::Note;

/// Context of a process that affects its bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Context {
    /// Outside of parallel sections.
    Top,
    /// In a parallel section, where nothing waits for other branches.
    Apart,
    /// Inside a parallel section, with its crowded resources.
    Within(Rc<[Idle]>),
}

/// State of the lowering of bounds.
pub(in crate::timing) struct Bounds {
    pub(super) upper: Known<Upper>,
    pub(super) lower: Known<Lower>,
    pub(super) exact: Known<Exact>,
    pub(super) context: Context,
    /// Binders around the current process.
    pub(super) binders: Vec<Binder>,
    /// Number of nodes of the processes so far.
    pub(super) nodes: u64,
    /// Index by which windows refer to an element of an array.
    pub(super) element: Option<Symbol>,
}

pub(super) type Known<T> = HashMap<(Instance, Context), (T, Provisos)>;

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            upper: HashMap::new(),
            lower: HashMap::new(),
            exact: HashMap::new(),
            context: Context::Top,
            binders: Vec::new(),
            nodes: 0,
            element: None,
        }
    }
}

/// Notes for the reader of a bound.
pub(super) type Remarks = BTreeSet<Note>;

/// Upper bound of a process.
#[derive(Clone, Debug)]
pub(super) struct Upper {
    /// The critical path, without the part of each service that is counted as work.
    pub(super) path: ExprId,
    /// The longest chain of work outside of single servers.
    pub(super) outside: ExprId,
    /// The work at all resources, divided by their servers.
    pub(super) work: ExprId,
    /// The bound if servers are first come, first served; meaningless for random times in parallel
    /// sections.
    pub(super) fcfs: ExprId,
    /// The bound for services in any order.
    pub(super) unordered: ExprId,
    /// In a parallel section, the work that others may have to wait for.
    pub(super) uses: Rc<[Use]>,
    /// True if the bound depends on laws.
    pub(super) random: bool,
    pub(super) remarks: Remarks,
}

/// Lower bound of a process.
#[derive(Clone, Debug)]
pub(super) struct Lower {
    /// The time without waiting.
    pub(super) phi: ExprId,
    /// The time with waiting; the mean if it is random.
    pub(super) time: ExprId,
    /// The mean demand for each resource.
    pub(super) demand: ExprId,
    /// True if the largest component of `demand` is at least `time`.
    pub(super) covered: bool,
    /// Known times of visits to resources.
    pub(super) reach: Rc<[Reach]>,
    pub(super) chance: Chance,
    pub(super) remarks: Remarks,
}

/// Role of randomness in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chance {
    None,
    /// The process depends on probabilities or laws.
    Some,
    /// The critical path is not known as a law.
    Blind,
}

/// Exact time of a process that nothing disturbs.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) time: Option<ExprId>,
    /// Sections to which theorems were applied.
    pub(super) applications: Rc<BTreeSet<Application>>,
    /// The resources that it visits.
    pub(super) places: Rc<[Spot]>,
    pub(super) crowd: Option<Crowd>,
    pub(super) burst: Option<Burst>,
    /// Set if the process is one visit with a random time.
    pub(super) task: Option<(Resource, ExprId)>,
}

/// An element of an array, or the elements for a range of indices, taken as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) index: ExprId,
    /// Index of the range, with its least and greatest value.
    pub(super) over: Option<(Symbol, ExprId, ExprId)>,
}

/// Use of a resource by a process; times are divided by the number of servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) array: Symbol,
    /// Elements of the array; `None` means any.
    pub(super) place: Option<Place>,
    pub(super) servers: ExprId,
    /// Total work of all visits.
    pub(super) work: ExprId,
    /// Work of visits on one chain, one after another.
    pub(super) visits: ExprId,
    /// Maximal work of simultaneous visits.
    pub(super) together: ExprId,
    /// Maximal number of simultaneous visits.
    pub(super) number: ExprId,
}

/// Resources of a section that may have more simultaneous visits than servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Idle {
    pub(super) array: Symbol,
    pub(super) place: Option<Place>,
    /// 1 where somebody may have to wait.
    pub(super) crowded: ExprId,
    /// 1 where the resource has one server.
    pub(super) single: ExprId,
}

impl Use {
    pub(super) fn is_several(&self) -> bool {
        are_several(self.place)
    }
}

impl Idle {
    /// True if a use belongs to these resources.
    pub(super) fn is_of(&self, own: &Use) -> bool {
        self.array == own.array && (self.place.is_none() || self.place == own.place)
    }

    pub(super) fn is_several(&self) -> bool {
        are_several(self.place)
    }
}

/// True if several elements are taken as one.
fn are_several(place: Option<Place>) -> bool {
    place.is_none_or(|place| place.over.is_some())
}

/// Visits of a process to a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) array: Symbol,
    pub(super) place: Element,
    pub(super) servers: ExprId,
    /// 1 where the process visits it.
    pub(super) visits: ExprId,
    pub(super) windows: [Window; 3],
}

/// Elements of an array that a process visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    At(ExprId),
    /// All elements of a range; windows refer to an element by one index, see `elements`.
    Each {
        lower: ExprId,
        upper: ExprId,
    },
}

/// A set of visits: all of them, some first ones, or some last ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Time before which no visit begins.
    pub(super) head: ExprId,
    /// Work of the visits, divided by the number of servers.
    pub(super) work: ExprId,
    /// Time that follows each visit.
    pub(super) tail: ExprId,
    /// Number of visits.
    pub(super) count: ExprId,
    /// Duration of each visit, if all are equal.
    pub(super) service: Option<ExprId>,
}

/// Branches that each visit one single-server resource, with the same time before and the same time
/// after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    pub(super) head: ExprId,
    pub(super) tail: ExprId,
    pub(super) demand: ExprId,
    /// 1 where there is a branch.
    pub(super) some: ExprId,
}

/// Copies of one chain that begin at the same time.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) count: ExprId,
    pub(super) steps: Rc<[Step]>,
    /// Arrays in which each copy has an element of its own. Visits there are delays in `steps`.
    pub(super) private: Rc<[Symbol]>,
}

/// A step of a chain.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A process that takes a fixed time, independent of other processes.
    Delay(ExprId),
    Visit(Resource, ExprId),
    /// Runs the steps while holding a server of the resource.
    Hold(Resource, Rc<[Step]>),
    /// Runs the steps once for each index of a range.
    Loop(Binder, Rc<[Step]>),
}

/// Elements of an array; `None` means any.
pub(super) type Spot = (Symbol, Option<Place>);
