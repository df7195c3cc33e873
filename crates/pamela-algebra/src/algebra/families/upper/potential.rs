//! Potentials: for each family a greatest of affine forms of its indices that is never before its tasks end.

use std::collections::BTreeMap;

use crate::algebra::families::affine::{Affine, Region};
use crate::algebra::families::forms::{largest, points};
use crate::algebra::families::problem::{Family, Problem, Reference};

/// A potential of more forms is not looked for.
const MOST_PARTS: usize = 5;

/// The forms of which the potential of a family is the greatest.
type Potential = Vec<Affine>;

/// Whether the longest path is proved to be at most `whole`, for these times.
pub fn bounds(
    problem: &Problem,
    from: &[i64],
    facts: &[Affine],
    times: &[i64],
    whole: &Affine,
) -> bool {
    let Some(potentials) = potentials(problem, from, times) else {
        return false;
    };
    let families = problem.families.iter().zip(&potentials);
    families.clone().all(|(family, potential)| {
        let mut region = Region::new(facts.iter().cloned().chain(family.facts()));
        let weight = Affine::constant(weight(family, times));
        // A task takes its time, and ends in time.
        reaches(&mut region, potential, &weight)
            && potential
                .iter()
                .all(|part| region.proves(&whole.plus(part, -1)))
            && family.after.iter().all(|reference| {
                follows(
                    problem,
                    facts,
                    family,
                    reference,
                    &potentials,
                    (potential, times),
                )
            })
    })
}

fn weight(family: &Family, times: &[i64]) -> i64 {
    family.weight.1 * times[family.weight.0]
}

/// Whether the greatest of the forms is proved to be at least another.
fn reaches(region: &mut Region, potential: &Potential, other: &Affine) -> bool {
    if potential
        .iter()
        .any(|part| region.proves(&part.plus(other, -1)))
    {
        return true;
    }
    // Where neither is, their mean may be.
    let pairs = potential.iter().enumerate();
    pairs.into_iter().any(|(place, a)| {
        potential[..place]
            .iter()
            .any(|b| region.proves(&a.plus(b, 1).plus(other, -2)))
    })
}

/// Whether a task that waits by a reference ends its time later, by the potentials.
fn follows(
    problem: &Problem,
    facts: &[Affine],
    family: &Family,
    reference: &Reference,
    potentials: &[Potential],
    (potential, times): (&Potential, &[i64]),
) -> bool {
    let before = &problem.families[reference.family];
    let spans = reference.ranges.iter().flat_map(|range| range.facts());
    let own = family
        .facts()
        .chain(spans)
        .chain(reference.conditions.iter().cloned());
    let mut region = Region::new(facts.iter().cloned().chain(own));
    let indices: Vec<Affine> = match &reference.arguments {
        Some(arguments) => arguments.clone(),
        None if std::ptr::eq(before, family) => return false,
        None => before
            .ranges
            .iter()
            .map(|r| Affine::variable(r.index))
            .collect(),
    };
    before
        .within(&indices)
        .iter()
        .for_each(|fact| region.assume(fact));
    let value = |variable| {
        let place = before.ranges.iter().position(|r| r.index == variable)?;
        indices.get(place).cloned()
    };
    potentials[reference.family].iter().all(|part| {
        let end = part.substituted(&value).shifted(weight(family, times));
        reaches(&mut region, potential, &end)
    })
}

/// Potentials that small instances suggest: when their tasks end.
fn potentials(problem: &Problem, from: &[i64], times: &[i64]) -> Option<Vec<Potential>> {
    let sizes = problem.sizes.len();
    let to = vec![largest(sizes)?; sizes];
    let mut ends: Vec<BTreeMap<Vec<i64>, i64>> = vec![BTreeMap::new(); problem.families.len()];
    for point in points(from, &to) {
        let instances = problem.instances(&point)?;
        let known = instances.ends(problem, times);
        for ((family, indices), end) in instances.tasks.iter().zip(known) {
            let place = indices.iter().chain(&point).copied().collect();
            ends[*family].insert(place, end);
        }
    }
    let families = problem.families.iter().zip(&ends);
    let potential = |(family, ends): (&Family, &BTreeMap<Vec<i64>, i64>)| {
        let indices = family.ranges.iter().map(|range| range.index);
        let axes: Vec<u32> = indices.chain(problem.sizes.iter().copied()).collect();
        greatest_of(&axes, ends)
    };
    families.map(potential).collect()
}

/// Numbers on a grid as the greatest of a few affine forms, each of which is reached somewhere.
fn greatest_of(axes: &[u32], values: &BTreeMap<Vec<i64>, i64>) -> Option<Potential> {
    let mut open: Vec<(&Vec<i64>, i64)> = values.iter().map(|(p, &v)| (p, v)).collect();
    let mut parts = Vec::new();
    while let Some(&(point, _)) = open.first() {
        if parts.len() == MOST_PARTS {
            return None;
        }
        let supports = |part: &Affine| values.iter().all(|(p, &v)| at(part, axes, p) <= v);
        let reached = |part: &Affine| {
            let reached = open.iter().filter(|(p, v)| at(part, axes, p) == *v);
            reached.count()
        };
        let tangents = tangents(axes, values, point).into_iter();
        let best = tangents
            .filter(supports)
            .max_by_key(|part| (reached(part), part.clone()))?;
        open.retain(|(p, v)| at(&best, axes, p) != *v);
        parts.push(best);
    }
    Some(parts)
}

fn at(part: &Affine, axes: &[u32], point: &[i64]) -> i64 {
    let terms = axes.iter().zip(point);
    part.constant
        + terms
            .map(|(&axis, value)| part.coefficient(axis) * value)
            .sum::<i64>()
}

/// The affine forms through a point with its slopes towards its neighbours.
fn tangents(axes: &[u32], values: &BTreeMap<Vec<i64>, i64>, point: &[i64]) -> Vec<Affine> {
    let Some(&here) = values.get(point) else {
        return Vec::new();
    };
    let mut all = vec![Affine::constant(here)];
    for (place, &axis) in axes.iter().enumerate() {
        let mut slopes = Vec::new();
        for step in [1, -1] {
            let mut beside = point.to_vec();
            beside[place] += step;
            let there = values.get(&beside);
            slopes.extend(there.map(|there| (there - here) * step));
        }
        // Along an edge of the range a task has no neighbour, and any slope may do.
        if slopes.is_empty() {
            slopes.push(0);
        }
        slopes.dedup();
        let tilted = |part: &Affine| {
            let part = part.clone();
            let slopes = slopes.clone();
            slopes.into_iter().map(move |slope| {
                part.clone()
                    .with(axis, slope)
                    .shifted(-slope * point[place])
            })
        };
        all = all.iter().flat_map(tilted).collect();
    }
    all
}
