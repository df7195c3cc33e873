//! Messages and collective operations in the parts of a program.

use super::number::{Atom, Condition, Number, Symbol};
use crate::problem::Place;

/// Constant for no rank: messages to it are not sent.
pub const NOBODY: i64 = -2;
/// Any rank.
pub const ANYBODY: i64 = -1;

/// Network that messages use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Messages never wait for the network.
    #[default]
    Free,
    /// One network, which has one message at a time.
    Shared,
    /// A link to each rank.
    Links,
}

/// The ranks of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    pub ranks: Number,
    pub rank: Symbol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Sends,
    Receives,
}

/// One message of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    pub way: Way,
    /// The other rank; `None` if it depends on data.
    pub partner: Option<Number>,
    pub tag: Option<Number>,
    pub words: Number,
}

/// The messages of a call, each to or from some rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    pub ends: Vec<End>,
    /// True if the call returns at once, and the words go on their way until a wait.
    pub at_once: bool,
    pub place: Place,
}

impl Transfer {
    /// Number of words of the longest message.
    pub fn words(&self) -> Number {
        let words = self.ends.iter().map(|end| end.words.clone());
        words.reduce(|a, b| a.larger(&b)).unwrap_or_default()
    }

    /// The rank to which it sends.
    pub fn destination(&self) -> Option<&Number> {
        let sent = self.ends.iter().find(|end| end.way == Way::Sends);
        sent.and_then(|end| end.partner.as_ref())
    }

    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        for end in &self.ends {
            end.words.symbols(visit);
            end.partner
                .iter()
                .for_each(|partner| partner.symbols(visit));
        }
    }

    pub fn map(&self, number: &dyn Fn(&Number) -> Number) -> Transfer {
        let ends = self.ends.iter().map(|end| End {
            way: end.way,
            partner: end.partner.as_ref().map(number),
            tag: end.tag.as_ref().map(number),
            words: number(&end.words),
        });
        Transfer {
            ends: ends.collect(),
            at_once: self.at_once,
            place: self.place.clone(),
        }
    }
}

/// The ranks of a communicator that are not all: `first`, `first + stride`, ..
#[derive(Clone, Debug, PartialEq)]
pub struct Subgroup {
    pub size: Number,
    /// The own rank in it.
    pub rank: Number,
    pub first: Number,
    pub stride: Number,
}

/// The condition that a number is a rank and not the constant for no partner.
pub fn is_somebody(partner: &Number) -> Condition {
    if let Some(constant) = partner.as_constant() {
        return Condition::Constant(constant != NOBODY);
    }
    match partner.as_atom() {
        Some(Atom::If(condition, then, otherwise)) => {
            let holds = (**condition).clone();
            match (is_somebody(then), is_somebody(otherwise)) {
                (a, b) if a == b => a,
                (Condition::Constant(true), b) => holds.or(b),
                (Condition::Constant(false), b) => holds.negated().and(b),
                (a, Condition::Constant(true)) => holds.negated().or(a),
                (a, Condition::Constant(false)) => holds.and(a),
                (a, b) => holds.clone().and(a).or(holds.negated().and(b)),
            }
        }
        _ => Condition::Constant(true),
    }
}

/// The rank given by a number, if it is one.
pub fn somebody(partner: Number) -> Number {
    match partner.as_atom() {
        Some(Atom::If(_, then, otherwise)) => match (then.as_constant(), otherwise.as_constant()) {
            (Some(NOBODY), _) => somebody(otherwise.clone()),
            (_, Some(NOBODY)) => somebody(then.clone()),
            _ => partner,
        },
        _ => partner,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Barrier,
    Broadcast,
    Reduce,
    Allreduce,
    /// For many words: the ranks pass parts on in a ring.
    AllreduceRing,
    Scan,
    ReduceScatter,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Barrier => "barrier",
            Kind::Broadcast => "bcast",
            Kind::Reduce => "reduce",
            Kind::Allreduce => "allreduce",
            Kind::AllreduceRing => "allreduce_ring",
            Kind::Scan => "scan",
            Kind::ReduceScatter => "reduce_scatter",
            Kind::Gather => "gather",
            Kind::Scatter => "scatter",
            Kind::Allgather => "allgather",
            Kind::Alltoall => "alltoall",
        }
    }

    /// The name of the process among some ranks.
    pub fn name_among(self) -> &'static str {
        match self {
            Kind::Barrier => "barrier_among",
            Kind::Broadcast => "bcast_among",
            Kind::Reduce => "reduce_among",
            Kind::Allreduce => "allreduce_among",
            Kind::AllreduceRing => "allreduce_ring_among",
            Kind::Scan => "scan_among",
            Kind::ReduceScatter => "reduce_scatter_among",
            Kind::Gather => "gather_among",
            Kind::Scatter => "scatter_among",
            Kind::Allgather => "allgather_among",
            Kind::Alltoall => "alltoall_among",
        }
    }

    pub fn algorithm(self) -> &'static str {
        match self {
            Kind::Barrier => "all ranks wait for each other, by doubling",
            Kind::Broadcast => "a tree of ranks hands w words on",
            Kind::Reduce => "a tree of ranks combines w words",
            Kind::Allreduce => "w words are combined by recursive doubling",
            Kind::AllreduceRing => {
                "w words are combined and handed on in a ring, a part by each rank"
            }
            Kind::Scan => "w words are combined up to each rank, by doubling",
            Kind::ReduceScatter => "w words for each rank are combined",
            Kind::Gather => "w words of each rank go to one",
            Kind::Scatter => "w words go from one rank to each",
            Kind::Allgather => "w words of each rank go to all",
            Kind::Alltoall => "w words go from each rank to each, one rank after the other",
        }
    }
}

/// A call that all ranks make together.
#[derive(Clone, Debug, PartialEq)]
pub struct Collective {
    pub kind: Kind,
    /// The process with the time of the operation.
    pub instance: usize,
    pub words: Number,
    /// The number of ranks, where it is not that of all.
    pub among: Option<Number>,
    pub place: Place,
}

impl Collective {
    pub fn arguments(&self) -> Vec<Number> {
        let words = (self.kind != Kind::Barrier).then(|| self.words.clone());
        words.into_iter().chain(self.among.clone()).collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub extents: Vec<Number>,
    /// True if neighbours go round.
    pub periodic: Vec<bool>,
}

impl Grid {
    /// Distance in ranks between neighbours in a dimension.
    pub fn stride(&self, dimension: usize) -> Option<Number> {
        let behind = self.extents.iter().skip(dimension + 1);
        behind
            .into_iter()
            .try_fold(Number::constant(1), |product, e| product.times(e))
    }

    pub fn coordinate(&self, rank: &Number, dimension: usize) -> Option<Number> {
        let row = rank.div(&self.stride(dimension)?);
        Some(match dimension {
            0 => row,
            _ => row.modulo(self.extents.get(dimension)?),
        })
    }
}
