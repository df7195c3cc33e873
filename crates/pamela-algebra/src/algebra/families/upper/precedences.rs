//! The condition to prove for potentials: along each precedence they grow by the time of the task, for all sizes.

use super::potential::{Direction, Potential};
use crate::algebra::families::affine::Affine;
use crate::algebra::families::problem::{Family, Problem, Reference};
use crate::algebra::families::region::Region;

/// Regions of the tasks of a problem and of their precedences.
pub struct Precedences<'p> {
    problem: &'p Problem,
    families: Vec<Region>,
    waits: Vec<Waits>,
}

/// Tasks that wait by one reference.
struct Waits {
    family: usize,
    before: usize,
    /// The indices of the task before.
    indices: Vec<Affine>,
    /// Region in which these tasks exist.
    region: Region,
}

impl<'p> Precedences<'p> {
    /// `None` if a family waits for all of its own tasks.
    pub fn new(problem: &'p Problem, facts: &[Affine]) -> Option<Precedences<'p>> {
        let region = |family: &Family| Region::new(facts.iter().cloned().chain(family.facts()));
        let mut waits = Vec::new();
        for (number, family) in problem.families.iter().enumerate() {
            for reference in &family.after {
                if reference.arguments.is_none() && reference.family == number {
                    return None;
                }
                let waiting = Waits::new(problem, facts, number, reference);
                waits.extend((!waiting.region.is_empty()).then_some(waiting));
            }
        }
        Some(Precedences {
            problem,
            families: problem.families.iter().map(region).collect(),
            waits,
        })
    }

    /// True if by these potentials the longest path is at most `whole`.
    pub fn are_met(
        &self,
        times: &[i64],
        whole: &Affine,
        direction: Direction,
        potentials: &[Potential],
    ) -> bool {
        let families = self.problem.families.iter().zip(&self.families);
        let within = families.zip(potentials).all(|((family, region), own)| {
            let time = Potential::from(Affine::constant(family.time(times)));
            // A task takes its time, and does so within the whole.
            region.is_empty()
                || time.is_at_most(region, own) && own.is_at_most(region, &whole.clone().into())
        });
        let grows = |waits: &Waits| {
            let before = &self.problem.families[waits.before];
            let value = |variable| {
                let place = before.ranges.iter().position(|r| r.index == variable)?;
                waits.indices.get(place).cloned()
            };
            let own = &potentials[waits.family];
            let other = potentials[waits.before].map(|part| part.substituted(&value));
            let family = &self.problem.families[waits.family];
            let (less, more, time) = match direction {
                Direction::Forward => (&other, own, family.time(times)),
                Direction::Backward => (own, &other, before.time(times)),
            };
            let less = less.map(|part| part.shifted(time));
            less.is_at_most(&waits.region, more)
        };
        within && self.waits.iter().all(grows)
    }
}

impl Waits {
    fn new(problem: &Problem, facts: &[Affine], family: usize, reference: &Reference) -> Waits {
        let before = &problem.families[reference.family];
        let own = before.ranges.iter();
        let indices = match &reference.arguments {
            Some(arguments) => arguments.clone(),
            None => own.map(|range| Affine::variable(range.index)).collect(),
        };
        let spans = reference.ranges.iter().flat_map(|range| range.facts());
        let facts = facts.iter().cloned();
        let facts = facts.chain(problem.families[family].facts()).chain(spans);
        let facts = facts.chain(reference.conditions.iter().cloned());
        let facts = facts.chain(before.within(&indices));
        Waits {
            family,
            before: reference.family,
            region: Region::new(facts),
            indices,
        }
    }
}
