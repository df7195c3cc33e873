//! Programs of ranks that send messages: calls of MPI by their names.
//!
//! Every rank runs the whole program. The walk goes through it once, with the number of the rank as a name; `ranks` cuts
//! what it finds at the calls that all ranks make together. Communicators and types are whole numbers, which are followed
//! like others: a communicator of all ranks is 1, a type is the number of its bytes.

mod calls;
mod collectives;
mod grids;
mod table;
pub mod transfer;
mod types;

pub use calls::Called;
pub use collectives::Collective;
pub use grids::Grid;
pub use table::{is_of_messages, only_reads};
pub use transfer::{Transfer, Way};
pub use types::constant;

use super::number::{Number, Symbol};
use super::part::{Parameter, ParameterKind, Range};
use super::walker::{Role, Walker};

/// The communicator of all ranks.
const ALL: i64 = 1;
/// The communicator of one rank alone.
const SELF: i64 = 2;
/// Communicators of grids of processes are numbered from here on.
const FIRST_GRID: i64 = 16;
/// Extents of grids are looked up to this many dimensions.
const MOST_DIMENSIONS: i64 = 8;
/// No rank: what is sent there is not sent.
pub const NOBODY: i64 = -2;
/// Any rank.
pub const ANYBODY: i64 = -1;

/// What messages go through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nothing that they have to wait for.
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

impl World {
    /// All ranks.
    pub fn range(&self) -> Range {
        Range {
            index: self.rank,
            first: Number::constant(0),
            last: self.ranks.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        }
    }
}

impl Walker<'_> {
    /// Takes the program for one of many ranks.
    pub fn of_ranks(&mut self) {
        let rank = self.symbol("rank", Role::Index);
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Ranks,
            facts: "integer >= 1".to_string(),
            place: None,
            what: "number of ranks".to_string(),
            default: None,
            site: None,
        };
        let ranks = self.parameter(("ranks".to_string(), 0), parameter, "P");
        self.facts.least.insert(ranks, 1);
        self.facts.least.insert(rank, 0);
        let ranks = Number::symbol(ranks);
        let above = ranks.plus_constant(-1);
        let above = above.and_then(|last| last.minus(&Number::symbol(rank)));
        self.facts.known.extend(above);
        self.world = Some(World { ranks, rank });
    }

    /// Whether a function that sends messages has to know a number as it is: what parameters and the rank say.
    pub fn is_of_messages(&self, function: usize, number: &Number) -> bool {
        let is_known = self.is_of_parameters(number) || self.is_of_rank(number);
        is_known && self.world.is_some() && self.whole.sends_messages(function)
    }

    /// Whether a number is the same throughout the program of one rank.
    fn is_of_rank(&self, number: &Number) -> bool {
        let Some(world) = &self.world else {
            return false;
        };
        let same = number.with(world.rank, &Number::constant(0));
        number.mentions(world.rank) && same.is_some_and(|same| self.is_of_parameters(&same))
    }
}
