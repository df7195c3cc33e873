//! Chains: processes whose actions follow one another, regardless of other processes.

use std::rc::Rc;

use super::sides::{Place, Step};
use crate::expr::{ExprId, ReduceKind, Symbol};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::process::contention::is_shifted;
use crate::timing::scope::Lowering;

/// Limit of the number of steps; longer chains are skipped.
pub(super) const MOST_STEPS: usize = 512;

/// The stations on a pass through a chain.
#[derive(Clone, Debug)]
pub(super) struct Stations {
    /// The longest visit to a station with a single server; 0 if there is none.
    pub(super) longest: ExprId,
    /// Servers and service time of each other station.
    pub(super) several: Vec<(ExprId, ExprId)>,
}

impl Lowering<'_, '_> {
    /// Joins parts in sequence.
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

    pub(super) fn is_zero(&self, time: ExprId) -> bool {
        self.arena.as_number(time).is_some_and(Rational::is_zero)
    }

    /// A loop over a chain, as a chain.
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

    /// Number of indices in a range.
    pub(super) fn count(&mut self, binder: Binder) -> ExprId {
        let one = self.arena.number(1);
        self.sum_over(binder, one)
    }

    /// Duration of a chain without waiting.
    pub(super) fn length(&mut self, steps: &[Step]) -> ExprId {
        let times: Vec<ExprId> = steps
            .iter()
            .map(|step| match step {
                Step::Delay(time) | Step::Visit(_, time) => *time,
                Step::Hold(_, body) => self.length(body),
                Step::Loop(binder, body) => {
                    let length = self.length(body);
                    self.sum_over(*binder, length)
                }
            })
            .collect();
        self.add(&times)
    }

    /// The stations of a chain.
    ///
    /// Returns `None` if no resource is visited, or if a loop visits a resource with several
    /// servers.
    pub(super) fn stations(&mut self, steps: &[Step]) -> Option<Stations> {
        let mut singles: Vec<ExprId> = Vec::new();
        let mut several: Vec<(ExprId, ExprId)> = Vec::new();
        for step in steps {
            match step {
                Step::Delay(_) => {}
                Step::Visit(resource, time) => {
                    if self.is_single(*resource) {
                        singles.push(*time)
                    } else {
                        several.push((resource.multiplicity, *time))
                    }
                }
                Step::Hold(resource, body) => {
                    let length = self.length(body);
                    if self.is_single(*resource) {
                        singles.push(length)
                    } else {
                        several.push((resource.multiplicity, length))
                    }
                    if let Some(inner) = self.stations(body) {
                        singles.push(inner.longest);
                        several.extend(inner.several);
                    }
                }
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
                    if !inner.several.is_empty() {
                        return None;
                    }
                    let max = ReduceKind::Max;
                    singles.push(self.arena.reduce(max, index, lower, upper, inner.longest));
                }
            }
        }
        let zero = self.arena.number(0);
        (!singles.is_empty() || !several.is_empty()).then(|| Stations {
            longest: if singles.is_empty() {
                zero
            } else {
                self.arena.max(&singles)
            },
            several,
        })
    }

    fn is_single(&self, resource: Resource) -> bool {
        self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE)
    }

    /// True if a chain visits each of its resources once.
    pub(super) fn is_without_return(&mut self, steps: &[Step]) -> bool {
        let mut places: Vec<(Symbol, Place)> = Vec::new();
        if !self.collect_places(steps, &mut places) {
            return false;
        }
        let mut arrays: Vec<Symbol> = places.iter().map(|(array, _)| *array).collect();
        arrays.dedup();
        arrays.into_iter().all(|array| {
            let own = places.iter().filter(|(other, _)| *other == array);
            let own: Vec<Place> = own.map(|(_, place)| *place).collect();
            self.are_distinct(&own)
        })
    }

    /// The places that a chain visits; whether its loops visit another one each time.
    fn collect_places(&self, steps: &[Step], places: &mut Vec<(Symbol, Place)>) -> bool {
        for step in steps {
            match step {
                Step::Delay(_) => {}
                Step::Visit(resource, _) | Step::Hold(resource, _) => {
                    let Resource { array, index, .. } = *resource;
                    places.push((array, Place { index, over: None }));
                    if let Step::Hold(_, body) = step
                        && !self.collect_places(body, places)
                    {
                        return false;
                    }
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
        true
    }

    /// Arrays in which each copy has an element of its own; copies differ by `index`.
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

    /// Replaces visits to these arrays by delays, as if nobody else visited them.
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
                Step::Hold(resource, body) => {
                    let body = self.alone_at(body, arrays);
                    if arrays.contains(&resource.array) {
                        body.iter()
                            .for_each(|s| self.push_step(&mut own, s.clone()))
                    } else {
                        own.push(Step::Hold(*resource, body))
                    }
                }
                step => self.push_step(&mut own, step.clone()),
            }
        }
        own.into()
    }

    /// True if the chain does not depend on an index.
    pub(super) fn is_same_for_all(&self, steps: &[Step], index: Symbol) -> bool {
        let free = |id: ExprId| !self.arena.mentions(id, index);
        steps.iter().all(|step| match step {
            Step::Delay(time) => free(*time),
            Step::Visit(resource, time) => {
                free(*time) && free(resource.index) && free(resource.multiplicity)
            }
            Step::Hold(resource, body) => {
                free(resource.index)
                    && free(resource.multiplicity)
                    && self.is_same_for_all(body, index)
            }
            Step::Loop(binder, body) => {
                free(binder.lower) && free(binder.upper) && self.is_same_for_all(body, index)
            }
        })
    }

    /// True if two chains are equal up to the names of indices.
    pub(super) fn are_same(&mut self, a: &[Step], b: &[Step]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|pair| match pair {
                (Step::Delay(a), Step::Delay(b)) => a == b,
                (Step::Visit(a, s), Step::Visit(b, t)) => a == b && s == t,
                (Step::Hold(a, own), Step::Hold(b, other)) => a == b && self.are_same(own, other),
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
        let mut own = Vec::new();
        for step in steps {
            let mut of = |id: ExprId| self.arena.substitute(id, index, value);
            let mut moved = |resource: &Resource| Resource {
                array: resource.array,
                index: of(resource.index),
                multiplicity: of(resource.multiplicity),
            };
            own.push(match step {
                Step::Visit(resource, time) => {
                    let resource = moved(resource);
                    Step::Visit(resource, of(*time))
                }
                Step::Delay(time) => Step::Delay(of(*time)),
                Step::Hold(resource, body) => {
                    let resource = moved(resource);
                    Step::Hold(resource, self.with_index(body, index, value))
                }
                Step::Loop(binder, body) => {
                    let (lower, upper) = (of(binder.lower), of(binder.upper));
                    let binder = Binder {
                        lower,
                        upper,
                        ..*binder
                    };
                    Step::Loop(binder, self.with_index(body, index, value))
                }
            });
        }
        own.into()
    }
}

/// Calls `see` for each visit of a chain, as written.
pub(super) fn each_visit(steps: &[Step], see: &mut impl FnMut(&Resource, Option<ExprId>)) {
    for step in steps {
        match step {
            Step::Delay(_) => {}
            Step::Visit(resource, time) => see(resource, Some(*time)),
            Step::Hold(resource, body) => {
                see(resource, None);
                each_visit(body, see);
            }
            Step::Loop(_, body) => each_visit(body, see),
        }
    }
}
