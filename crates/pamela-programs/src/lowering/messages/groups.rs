//! Communicators of some of the ranks, where the rank alone decides: rows and columns of a grid, blocks, every q-th rank.

use super::calls::Called;
use crate::lowering::message::{Collective, Grid, Kind, Subgroup};
use crate::lowering::mpi::{Call, FIRST_GRID, FIRST_GROUP};
use crate::lowering::number::{Atom, Condition, Number};
use crate::lowering::part::{Instance, Part};
use crate::lowering::walker::{Role, Walker};

impl Walker<'_> {
    /// The communicator of a call that makes one of some ranks.
    pub fn group_of(&mut self, called: &Called, call: Call) -> Option<Number> {
        let group = match call {
            Call::Split => self.split(called)?,
            _ => self.sub_grid(called)?,
        };
        // Each rank is one of its communicator.
        let last = group.size.plus_constant(-1)?;
        self.facts.known.push(last);
        self.groups.push(group);
        let number = i64::try_from(self.groups.len()).ok()?;
        Some(Number::constant(FIRST_GROUP + number - 1))
    }

    /// `MPI_Comm_split` of all ranks, by `rank / q` or `rank % q`, in the order of the ranks.
    fn split(&mut self, called: &Called) -> Option<Subgroup> {
        let world = self.world.clone()?;
        if !called.is_of_all(0) {
            return None;
        }
        let own = Number::symbol(world.rank);
        let (colour, key) = (called.number(1)?, called.number(2)?);
        let (is_block, by) = match colour.as_atom()? {
            Atom::Symbol(rank) if *rank == world.rank => (true, Number::constant(1)),
            Atom::Div(rank, by) if *rank == own => (true, by.clone()),
            Atom::Mod(rank, by) if *rank == own => (false, by.clone()),
            _ => return None,
        };
        let [block, place] = [own.div(&by), own.modulo(&by)];
        let is_in_order = key.as_constant().is_some() || [&own, &block, &place].contains(&&key);
        if by.mentions(world.rank) || !is_in_order {
            return None;
        }
        self.assume_positive(&by)?;
        if is_block {
            let first = block.times(&by)?;
            let left = world.ranks.minus(&first)?;
            return Some(Subgroup {
                size: by.smaller(&left),
                rank: place,
                first,
                stride: Number::constant(1),
            });
        }
        // Rounded up.
        let last = world.ranks.plus_constant(-1)?.minus(&place)?;
        Some(Subgroup {
            size: last.div(&by).plus_constant(1)?,
            rank: block,
            first: place,
            stride: by,
        })
    }

    /// `MPI_Cart_sub` that keeps one dimension.
    fn sub_grid(&self, called: &Called) -> Option<Subgroup> {
        let number = called.number(0)?.as_constant()?.checked_sub(FIRST_GRID)?;
        let grid: &Grid = self.grids.get(usize::try_from(number).ok()?)?;
        let kept = called.arguments.get(1)?.name()?;
        let is_kept = |k: usize| {
            let value = self.values.get(&format!("{kept}[{k}]"))?.value.clone();
            Some(value?.as_constant()? != 0)
        };
        let flags = (0..grid.extents.len()).map(is_kept);
        let flags = flags.collect::<Option<Vec<bool>>>()?;
        let mut kept = flags.iter().enumerate().filter(|(_, kept)| **kept);
        let (Some((dimension, _)), None) = (kept.next(), kept.next()) else {
            return None;
        };
        let own = Number::symbol(self.world.as_ref()?.rank);
        let rank = grid.coordinate(&own, dimension)?;
        let stride = grid.stride(dimension)?;
        Some(Subgroup {
            size: grid.extents.get(dimension)?.clone(),
            first: own.minus(&rank.times(&stride)?)?,
            rank,
            stride,
        })
    }

    /// The process of a collective operation of some ranks, whose number it is given last.
    pub fn collective_among(&mut self, kind: Kind) -> Option<usize> {
        if let Some(instance) = self.collectives.get(kind.name_among()) {
            return Some(*instance);
        }
        let name = self.symbol(kind.name_among(), Role::Function);
        let [words, ranks] = ["w", "ranks"].map(|name| self.symbol(name, Role::Formal));
        let time = self.time_of(kind, &Number::symbol(ranks), words)?;
        let formals = match kind {
            Kind::Barrier => vec![ranks],
            _ => vec![words, ranks],
        };
        self.instances.push(Instance {
            name,
            formals,
            body: Part::Cost(time),
            place: None,
            comment: format!(
                "among some ranks, taken to come together: {}",
                kind.algorithm()
            ),
            team: None,
        });
        let instance = self.instances.len() - 1;
        self.collectives.insert(kind.name_among(), instance);
        Some(instance)
    }

    /// A collective operation of the ranks of a communicator.
    pub fn among(&mut self, called: &Called, kind: Kind, words: Number, group: usize) {
        let size = self.groups.get(group).map(|group| group.size.clone());
        let place = self.place(called.span);
        if let (Some(size), Some(instance)) = (size, self.collective_among(kind)) {
            self.pending.push(Part::Collective(Box::new(Collective {
                kind,
                instance,
                words,
                among: Some(size),
                place,
            })));
        }
    }
}

impl Subgroup {
    /// The rank of all of a rank of the communicator; numbers below 0 are constants of MPI.
    pub fn world(&self, partner: &Number) -> Option<Number> {
        if partner.as_constant().is_some_and(|partner| partner < 0) {
            return Some(partner.clone());
        }
        if let Some(Atom::If(condition, then, otherwise)) = partner.as_atom() {
            let condition: &Condition = condition;
            let (then, otherwise) = (self.world(then)?, self.world(otherwise)?);
            return Some(Number::choose(condition.clone(), then, otherwise));
        }
        self.first.plus(&partner.times(&self.stride)?)
    }
}
