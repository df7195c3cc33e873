//! Chains: processes that do one thing after the other, whatever runs beside them.

use std::rc::Rc;

use super::super::process::contention::is_shifted;
use super::super::scope::{Binder, Lowering, Resource};
use super::uses::Place;
use crate::expr::{ExprId, ReduceKind, Symbol};
use crate::ring::Rational;

/// Longer chains are not looked at.
pub(super) const MOST_STEPS: usize = 512;

/// A part of a chain.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Takes its time whatever runs beside it.
    Delay(ExprId),
    Visit(Resource, ExprId),
    /// The steps once for each index of a range.
    Loop(Binder, Rc<[Step]>),
}

/// The stations that the passes through a chain visit: how long the longest visit is, and what is known of servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stations {
    pub(super) longest: ExprId,
    /// Where there is a single station that is visited once: its servers and its service.
    pub(super) only: Option<(ExprId, ExprId)>,
    /// Whether each has one server.
    pub(super) single: bool,
}

impl Lowering<'_, '_> {
    /// The chain of parts one after the other.
    pub(super) fn chain_of<'c>(
        &mut self,
        parts: impl IntoIterator<Item = &'c Rc<[Step]>>,
    ) -> Option<Rc<[Step]>> {
        let mut steps: Vec<Step> = Vec::new();
        for step in parts.into_iter().flat_map(|part| part.iter()) {
            self.push_step(&mut steps, step.clone());
            if steps.len() > MOST_STEPS {
                return None;
            }
        }
        Some(steps.into())
    }

    /// Delays one after the other are one.
    fn push_step(&mut self, steps: &mut Vec<Step>, step: Step) {
        match (steps.last_mut(), step) {
            (_, Step::Delay(time)) if self.is_zero(time) => {}
            (Some(Step::Delay(before)), Step::Delay(time)) => *before = self.add(&[*before, time]),
            (_, step) => steps.push(step),
        }
    }

    fn is_zero(&self, time: ExprId) -> bool {
        self.arena.as_number(time).is_some_and(Rational::is_zero)
    }

    /// The chain of a loop over another one.
    pub(super) fn loop_of(&mut self, binder: Binder, body: &Rc<[Step]>) -> Rc<[Step]> {
        match body[..] {
            [] => [].into(),
            [Step::Delay(time)] => [Step::Delay(self.sum_over(binder, time))].into(),
            _ => [Step::Loop(binder, body.clone())].into(),
        }
    }

    pub(super) fn sum_over(&mut self, binder: Binder, body: ExprId) -> ExprId {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        self.arena
            .reduce(ReduceKind::Sum, index, lower, upper, body)
    }

    /// How many indices a range has.
    pub(super) fn count(&mut self, binder: Binder) -> ExprId {
        let one = self.arena.number(1);
        self.sum_over(binder, one)
    }

    /// How long a chain takes where nobody waits.
    pub(super) fn length(&mut self, steps: &[Step]) -> ExprId {
        let times: Vec<ExprId> = steps
            .iter()
            .map(|step| match step {
                Step::Delay(time) | Step::Visit(_, time) => *time,
                Step::Loop(binder, body) => {
                    let length = self.length(body);
                    self.sum_over(*binder, length)
                }
            })
            .collect();
        self.add(&times)
    }

    /// `None` where no resource is visited.
    pub(super) fn stations(&mut self, steps: &[Step]) -> Option<Stations> {
        let mut all: Vec<Stations> = Vec::new();
        for step in steps {
            match step {
                Step::Delay(_) => {}
                Step::Visit(resource, time) => all.push(Stations {
                    longest: *time,
                    only: Some((resource.multiplicity, *time)),
                    single: self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE),
                }),
                Step::Loop(binder, body) => {
                    let Binder {
                        index,
                        lower,
                        upper,
                        ..
                    } = *binder;
                    let Some(inner) = self.stations(body) else {
                        continue;
                    };
                    let longest =
                        self.arena
                            .reduce(ReduceKind::Max, index, lower, upper, inner.longest);
                    all.push(Stations {
                        longest,
                        only: None,
                        single: inner.single,
                    });
                }
            }
        }
        let longest: Vec<ExprId> = all.iter().map(|s| s.longest).collect();
        Some(Stations {
            longest: self.arena.max(&longest),
            only: match all[..] {
                [] => return None,
                [one] => one.only,
                _ => None,
            },
            single: all.iter().all(|s| s.single),
        })
    }

    /// Whether each resource that a chain visits is visited once in it.
    pub(super) fn is_without_return(&mut self, steps: &[Step]) -> bool {
        let mut places: Vec<(Symbol, Place)> = Vec::new();
        for step in steps {
            match step {
                Step::Delay(_) => {}
                Step::Visit(resource, _) => {
                    let Resource { array, index, .. } = *resource;
                    places.push((array, Place { index, over: None }));
                }
                Step::Loop(binder, body) => {
                    for inner in body.iter() {
                        match inner {
                            Step::Delay(_) => {}
                            Step::Visit(resource, _)
                                if is_shifted(self.arena, resource.index, binder.index) =>
                            {
                                let over = Some((binder.index, binder.lower, binder.upper));
                                let index = resource.index;
                                places.push((resource.array, Place { index, over }));
                            }
                            _ => return false,
                        }
                    }
                }
            }
        }
        let mut arrays: Vec<Symbol> = places.iter().map(|(array, _)| *array).collect();
        arrays.dedup();
        arrays.into_iter().all(|array| {
            let own = places.iter().filter(|(other, _)| *other == array);
            let own: Vec<Option<Place>> = own.map(|(_, place)| Some(*place)).collect();
            self.are_all_apart(&own)
        })
    }

    /// The arrays of which each copy has an element of its own, where copies differ by `index`.
    pub(super) fn private_arrays(&self, steps: &[Step], index: Symbol) -> Vec<Symbol> {
        let mut visited: Vec<(Symbol, ExprId)> = Vec::new();
        each_visit(steps, &mut |resource, _| {
            let place = (resource.array, resource.index);
            if !visited.contains(&place) {
                visited.push(place);
            }
        });
        let alone = |&&(array, place): &&(Symbol, ExprId)| {
            let several = visited.iter().filter(|other| other.0 == array).count() > 1;
            !several && is_shifted(self.arena, place, index)
        };
        visited.iter().filter(alone).map(|place| place.0).collect()
    }

    /// The chain where nobody else visits resources of these arrays.
    pub(super) fn alone_at(&mut self, steps: &Rc<[Step]>, arrays: &[Symbol]) -> Rc<[Step]> {
        if arrays.is_empty() {
            return steps.clone();
        }
        let mut own = Vec::new();
        for step in steps.iter() {
            match step {
                Step::Visit(resource, time) if arrays.contains(&resource.array) => {
                    self.push_step(&mut own, Step::Delay(*time));
                }
                Step::Loop(binder, body) => {
                    let body = self.alone_at(body, arrays);
                    for step in self.loop_of(*binder, &body).iter() {
                        self.push_step(&mut own, step.clone());
                    }
                }
                step => self.push_step(&mut own, step.clone()),
            }
        }
        own.into()
    }

    /// Whether a chain is the same for all values of an index.
    pub(super) fn is_same_for_all(&self, steps: &[Step], index: Symbol) -> bool {
        let free = |id: ExprId| !self.arena.mentions(id, index);
        steps.iter().all(|step| match step {
            Step::Delay(time) => free(*time),
            Step::Visit(resource, time) => {
                free(*time) && free(resource.index) && free(resource.multiplicity)
            }
            Step::Loop(binder, body) => {
                free(binder.lower) && free(binder.upper) && self.is_same_for_all(body, index)
            }
        })
    }

    /// Whether two chains are the same, whatever their indices are called.
    pub(super) fn are_same(&mut self, a: &[Step], b: &[Step]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|pair| match pair {
                (Step::Delay(a), Step::Delay(b)) => a == b,
                (Step::Visit(a, s), Step::Visit(b, t)) => a == b && s == t,
                (Step::Loop(a, own), Step::Loop(b, other)) => {
                    let index = self.arena.symbol(a.index);
                    let renamed = self.with_index(other, b.index, index);
                    a.lower == b.lower && a.upper == b.upper && self.are_same(own, &renamed)
                }
                _ => false,
            })
    }

    /// The chain for one value of an index.
    pub(super) fn with_index(
        &mut self,
        steps: &[Step],
        index: Symbol,
        value: ExprId,
    ) -> Rc<[Step]> {
        let mut of = |id: ExprId| self.arena.substitute(id, index, value);
        let steps: Vec<Step> = steps
            .iter()
            .map(|step| match step {
                Step::Delay(time) => Step::Delay(of(*time)),
                Step::Visit(resource, time) => {
                    let resource = Resource {
                        array: resource.array,
                        index: of(resource.index),
                        multiplicity: of(resource.multiplicity),
                    };
                    Step::Visit(resource, of(*time))
                }
                Step::Loop(binder, body) => {
                    let binder = Binder {
                        lower: of(binder.lower),
                        upper: of(binder.upper),
                        ..*binder
                    };
                    Step::Loop(binder, body.clone())
                }
            })
            .collect();
        let inner = |step: Step| match step {
            Step::Loop(binder, body) => Step::Loop(binder, self.with_index(&body, index, value)),
            step => step,
        };
        steps.into_iter().map(inner).collect()
    }
}

/// Calls `see` for each visit of a chain as it is written.
pub(super) fn each_visit(steps: &[Step], see: &mut impl FnMut(&Resource, ExprId)) {
    for step in steps {
        match step {
            Step::Delay(_) => {}
            Step::Visit(resource, time) => see(resource, *time),
            Step::Loop(_, body) => each_visit(body, see),
        }
    }
}
