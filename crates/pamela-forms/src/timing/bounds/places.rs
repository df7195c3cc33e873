//! Resources that processes visit, and processes that may use the same resource.

use std::rc::Rc;

use super::sides::{Place, Spot};
use crate::expr::ExprId;
use crate::timing::argument::Binder;
use crate::timing::process::contention::is_shifted;
use crate::timing::scope::Lowering;

/// Branches of more sections are not compared with each other.
const MOST_BRANCHES: usize = 256;
/// If a process uses more elements of an array, it is assumed to use any of them.
const MOST_PLACES: usize = 32;

impl Lowering<'_, '_> {
    /// Groups branches that may visit a common resource, directly or through others.
    pub(super) fn components(&mut self, parts: &[Rc<[Spot]>]) -> Vec<Vec<usize>> {
        let mut components: Vec<Vec<usize>> = Vec::new();
        if parts.len() > MOST_BRANCHES {
            return vec![(0..parts.len()).collect()];
        }
        for (number, part) in parts.iter().enumerate() {
            let meets = |lowering: &mut Self, component: &Vec<usize>| {
                component
                    .iter()
                    .any(|&other| lowering.may_meet(&parts[other], part))
            };
            let mut own = vec![number];
            let mut others = Vec::new();
            for component in components {
                if meets(self, &component) {
                    own.extend(component)
                } else {
                    others.push(component)
                }
            }
            own.sort_unstable();
            others.push(own);
            components = others;
        }
        components.sort();
        components
    }

    /// True if both may visit a common resource.
    pub(super) fn may_meet(&mut self, a: &[Spot], b: &[Spot]) -> bool {
        a.iter().any(|(array, place)| {
            let of_array = b.iter().filter(|(other, _)| other == array);
            of_array
                .into_iter()
                .any(|(_, other)| place == other || !self.are_all_apart(&[*place, *other]))
        })
    }

    /// True if no two copies visit a common resource.
    pub(super) fn are_copies_apart(&self, places: &[Spot], binder: Binder) -> bool {
        let single = binder.lower == binder.upper;
        single
            || places.iter().all(|(array, place)| {
                let several = places.iter().filter(|(other, _)| other == array).count() > 1;
                let alone = place.is_some_and(|place| {
                    place.over.is_none() && is_shifted(self.arena, place.index, binder.index)
                });
                alone && !several
            })
    }
}

/// The resources that several processes visit.
pub(super) fn places_of<'p>(parts: impl Iterator<Item = &'p Rc<[Spot]>>) -> Rc<[Spot]> {
    let mut all: Vec<Spot> = Vec::new();
    for spot in parts.flat_map(|part| part.iter()) {
        insert(&mut all, *spot);
    }
    all.into()
}

pub(super) fn insert(all: &mut Vec<Spot>, (array, place): Spot) {
    if all.contains(&(array, None)) || all.contains(&(array, place)) {
        return;
    }
    let many = all.iter().filter(|(other, _)| *other == array).count() >= MOST_PLACES;
    if place.is_none() || many {
        all.retain(|(other, _)| *other != array);
        all.push((array, None));
        return;
    }
    all.push((array, place));
}

/// The resources that all copies of a process visit.
pub(super) fn places_of_copies(
    lowering: &Lowering<'_, '_>,
    places: &[Spot],
    binder: Binder,
) -> Rc<[Spot]> {
    let moves = |id: ExprId| lowering.arena.mentions(id, binder.index);
    let mut all = Vec::new();
    for &(array, place) in places {
        let own = place.and_then(|place| match place.over {
            None if moves(place.index) => Some(Place {
                over: Some((binder.index, binder.lower, binder.upper)),
                ..place
            }),
            Some((_, lower, upper)) if moves(place.index) || moves(lower) || moves(upper) => None,
            _ => Some(place),
        });
        insert(&mut all, (array, own));
    }
    all.into()
}
