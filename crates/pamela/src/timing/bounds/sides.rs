//! What is known of each process for its bounds.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::expr::{ExprId, Symbol};
use crate::timing::argument::{Binder, Instance, Provisos, Resource};
use crate::timing::certificate::Application;
use crate::timing::notes::Note;

/// Where a process stands, as far as its bounds depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Context {
    /// In no parallel section.
    Top,
    /// In a parallel section, where nothing waits for what runs beside.
    Apart,
    /// In a parallel section, with what is known of its resources.
    Within(Rc<[Idle]>),
}

/// What the lowering of bounds remembers.
pub(in crate::timing) struct Bounds {
    pub(super) upper: Known<Upper>,
    pub(super) lower: Known<Lower>,
    pub(super) exact: Known<Exact>,
    pub(super) context: Context,
    /// The binders around the process that is being lowered.
    pub(super) binders: Vec<Binder>,
    /// The nodes of the processes so far.
    pub(super) nodes: u64,
    /// The index by which windows mention an element of an array.
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

/// What the reader of a bound should know.
pub(super) type Remarks = BTreeSet<Note>;

/// How long a process takes at most.
#[derive(Clone, Debug)]
pub(super) struct Upper {
    /// The critical path without the part of each service that its servers' work counts.
    pub(super) path: ExprId,
    /// The longest chain of what is not done at a single server.
    pub(super) outside: ExprId,
    /// The work at all resources, over their servers.
    pub(super) work: ExprId,
    /// With services first come, first served. In a parallel section where times are drawn it means nothing.
    pub(super) fcfs: ExprId,
    /// With services in any order.
    pub(super) unordered: ExprId,
    /// In a parallel section: what others may have to wait for.
    pub(super) uses: Rc<[Use]>,
    /// Whether it goes by laws.
    pub(super) random: bool,
    pub(super) remarks: Remarks,
}

/// How long a process takes at least.
#[derive(Clone, Debug)]
pub(super) struct Lower {
    /// Without any waiting.
    pub(super) phi: ExprId,
    /// With waiting; of what is drawn, the mean.
    pub(super) time: ExprId,
    /// The mean demand for each resource.
    pub(super) demand: ExprId,
    /// Whether the largest component of `demand` is never below `time`.
    pub(super) covered: bool,
    /// When it visits resources, as far as that is known.
    pub(super) reach: Rc<[Reach]>,
    pub(super) chance: Chance,
    pub(super) remarks: Remarks,
}

/// What a process has to do with chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chance {
    None,
    /// It goes by probabilities or laws.
    Some,
    /// Its critical path is not known as a law.
    Blind,
}

/// The time of a process that nobody disturbs.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) time: Option<ExprId>,
    /// The sections that theorems were applied to.
    pub(super) applications: Rc<BTreeSet<Application>>,
    /// What it visits.
    pub(super) places: Rc<[Spot]>,
    pub(super) crowd: Option<Crowd>,
    pub(super) burst: Option<Burst>,
    /// It is one visit whose time is drawn.
    pub(super) task: Option<(Resource, ExprId)>,
}

/// An element of an array, or those for the indices of a range, which are taken as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) index: ExprId,
    /// The index of the range, its least and greatest value.
    pub(super) over: Option<(Symbol, ExprId, ExprId)>,
}

/// What a process wants of a resource; its times are divided by the number of servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) array: Symbol,
    /// Which elements of the array; `None`: any.
    pub(super) place: Option<Place>,
    pub(super) servers: ExprId,
    /// Of all visits.
    pub(super) work: ExprId,
    /// On one chain of visits, one after the other.
    pub(super) visits: ExprId,
    /// Of visits at one time, at most.
    pub(super) together: ExprId,
    /// How many visits there are at one time, at most.
    pub(super) number: ExprId,
}

/// Resources of a section at which there may be more visits at one time than servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Idle {
    pub(super) array: Symbol,
    pub(super) place: Option<Place>,
    /// 1 where somebody may have to wait.
    pub(super) crowded: ExprId,
    /// 1 where it has one server.
    pub(super) single: ExprId,
}

impl Use {
    pub(super) fn is_several(&self) -> bool {
        are_several(self.place)
    }
}

impl Idle {
    /// Whether a use is one of these resources.
    pub(super) fn is_of(&self, own: &Use) -> bool {
        self.array == own.array && (self.place.is_none() || self.place == own.place)
    }

    pub(super) fn is_several(&self) -> bool {
        are_several(self.place)
    }
}

/// Whether several elements are taken as one.
fn are_several(place: Option<Place>) -> bool {
    place.is_none_or(|place| place.over.is_some())
}

/// When a process visits a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) array: Symbol,
    pub(super) place: Element,
    pub(super) servers: ExprId,
    /// 1 where it does.
    pub(super) visits: ExprId,
    pub(super) windows: [Window; 3],
}

/// Which elements of an array a process visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    At(ExprId),
    /// Each of these: windows mention it by one index, which `elements` knows.
    Each {
        lower: ExprId,
        upper: ExprId,
    },
}

/// A set of visits: all, some first ones, some last ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// None of them begins earlier.
    pub(super) head: ExprId,
    /// Over the number of servers.
    pub(super) work: ExprId,
    /// Each of them is followed by as much.
    pub(super) tail: ExprId,
    /// How many they are.
    pub(super) count: ExprId,
    /// How long each of them takes, if all take the same.
    pub(super) service: Option<ExprId>,
}

/// Branches that each visit one resource, with one server, after the same time and before the same time.
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
    /// Arrays of which each copy has an element of its own, whose visits are delays in `steps`.
    pub(super) private: Rc<[Symbol]>,
}

/// A part of a chain.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Takes its time whatever runs beside it.
    Delay(ExprId),
    Visit(Resource, ExprId),
    /// A server of the resource is held for the steps.
    Hold(Resource, Rc<[Step]>),
    /// The steps once for each index of a range.
    Loop(Binder, Rc<[Step]>),
}

/// Elements of an array; `None`: any.
pub(super) type Spot = (Symbol, Option<Place>);
