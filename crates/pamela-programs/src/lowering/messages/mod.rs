//! Programs of ranks that send messages: calls of MPI by their names.
//!
//! Every rank runs the whole program. The walk goes through it once, with a symbol for the rank; `ranks` splits the
//! result at collective calls.

mod calls;
mod collectives;
mod grids;
mod groups;
mod requests;

pub use calls::Called;

use super::message::World;
use super::number::{Number, Symbol};
use super::part::{Parameter, ParameterKind};
use super::walker::{Role, Walker};

impl Walker<'_> {
    /// Marks the program as one of many ranks.
    pub fn of_ranks(&mut self) {
        let rank = self.symbol("rank", Role::Index);
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Ranks,
            facts: "integer >= 1".into(),
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

    /// True if a function that sends messages needs the exact value of a number: one in parameters and the rank.
    pub fn is_of_messages(&self, function: usize, number: &Number) -> bool {
        let is_known = self.is_of_parameters(number) || self.is_of_rank(number);
        is_known && self.world.is_some() && self.whole.sends_messages(function)
    }

    /// True if a number is the same throughout the program of one rank.
    fn is_of_rank(&self, number: &Number) -> bool {
        let Some(world) = &self.world else {
            return false;
        };
        let same = number.with(world.rank, &Number::constant(0));
        number.mentions(world.rank) && same.is_some_and(|same| self.is_of_parameters(&same))
    }
}
