//! Potentials: for each family a greatest of affine forms of its indices that is never before its tasks end.

use std::collections::{BTreeMap, BTreeSet};

use crate::algebra::families::affine::{Affine, Region};
use crate::algebra::families::problem::{Family, Instances, Problem, Reference};

/// A potential of more forms is not looked for.
const MOST_PARTS: usize = 5;

/// So many slopes along an axis are tried where a point has no neighbour.
const MOST_SLOPES: usize = 4;

/// The forms of which the potential of a family is the greatest.
type Potential = Vec<Affine>;

/// Whether a potential is of what comes before the end of a task, or of what comes from its beginning on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// Whether the longest path is proved to be at most `whole`, for these times.
pub fn bounds(
    problem: &Problem,
    samples: &[&(Vec<i64>, Instances)],
    facts: &[Affine],
    times: &[i64],
    whole: &Affine,
) -> bool {
    let mut directions = [Direction::Forward, Direction::Backward].into_iter();
    directions.any(|direction| {
        potentials(problem, samples, times, direction).is_some_and(|potentials| {
            let proof = Proof {
                problem,
                facts,
                times,
                direction,
                potentials,
            };
            proof.bounds(whole)
        })
    })
}

/// Potentials, and what is to be proved of them.
struct Proof<'p> {
    problem: &'p Problem,
    facts: &'p [Affine],
    times: &'p [i64],
    direction: Direction,
    potentials: Vec<Potential>,
}

impl Proof<'_> {
    fn bounds(&self, whole: &Affine) -> bool {
        let families = self.problem.families.iter().zip(&self.potentials);
        families.into_iter().all(|(family, potential)| {
            let facts: Vec<Affine> = self.facts.iter().cloned().chain(family.facts()).collect();
            let mut region = Region::new(facts.iter().cloned());
            if region.is_empty(&facts) {
                return true;
            }
            let weight = Affine::constant(weight(family, self.times));
            // A task takes its time, and does so within the whole.
            reaches(&mut region, potential, &weight)
                && potential
                    .iter()
                    .all(|part| region.proves(&whole.plus(part, -1)))
                && family
                    .after
                    .iter()
                    .all(|reference| self.follows(family, potential, reference))
        })
    }

    /// Whether the potentials differ enough where a task waits by a reference.
    fn follows(&self, family: &Family, own: &Potential, reference: &Reference) -> bool {
        let before = &self.problem.families[reference.family];
        let spans = reference.ranges.iter().flat_map(|range| range.facts());
        let facts = self
            .facts
            .iter()
            .cloned()
            .chain(family.facts())
            .chain(spans);
        let facts = facts.chain(reference.conditions.iter().cloned());
        let indices: Vec<Affine> = match &reference.arguments {
            Some(arguments) => arguments.clone(),
            None if std::ptr::eq(before, family) => return false,
            None => before
                .ranges
                .iter()
                .map(|r| Affine::variable(r.index))
                .collect(),
        };
        let facts: Vec<Affine> = facts.chain(before.within(&indices)).collect();
        let mut region = Region::new(facts.iter().cloned());
        if region.is_empty(&facts) {
            return true;
        }
        let value = |variable| {
            let place = before.ranges.iter().position(|r| r.index == variable)?;
            indices.get(place).cloned()
        };
        let other: Potential = self.potentials[reference.family]
            .iter()
            .map(|part| part.substituted(&value))
            .collect();
        let (less, more, weight) = match self.direction {
            Direction::Forward => (&other, own, weight(family, self.times)),
            Direction::Backward => (own, &other, weight(before, self.times)),
        };
        less.iter()
            .all(|part| reaches(&mut region, more, &part.shifted(weight)))
    }
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

/// Potentials that small instances suggest: when tasks end, or how much there is from their beginning on.
fn potentials(
    problem: &Problem,
    samples: &[&(Vec<i64>, Instances)],
    times: &[i64],
    direction: Direction,
) -> Option<Vec<Potential>> {
    let mut ends: Vec<BTreeMap<Vec<i64>, i64>> = vec![BTreeMap::new(); problem.families.len()];
    for (point, instances) in samples {
        let known = match direction {
            Direction::Forward => instances.ends(problem, times),
            Direction::Backward => instances.tails(problem, times),
        };
        for ((family, indices), end) in instances.tasks.iter().zip(known) {
            let place = indices.iter().chain(point).copied().collect();
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

/// Numbers at points of a grid.
struct Grid<'g> {
    axes: &'g [u32],
    values: &'g BTreeMap<Vec<i64>, i64>,
    /// Along each axis all slopes between neighbours.
    slopes: Vec<Vec<i64>>,
}

/// Numbers on a grid as the greatest of a few affine forms, each of which is reached somewhere.
fn greatest_of(axes: &[u32], values: &BTreeMap<Vec<i64>, i64>) -> Option<Potential> {
    let grid = Grid::new(axes, values);
    let mut open: Vec<(&Vec<i64>, i64)> = values.iter().map(|(p, &v)| (p, v)).collect();
    // Where a point has neighbours on all sides, its slopes are those of the form.
    open.sort_by_key(|(point, _)| std::cmp::Reverse(grid.neighbours(point)));
    let mut parts = Vec::new();
    while let Some(&(point, value)) = open.first() {
        if parts.len() == MOST_PARTS {
            return None;
        }
        let supports = |part: &Affine| grid.values.iter().all(|(p, &v)| grid.at(part, p) <= v);
        let reached = |part: &Affine| open.iter().filter(|(p, v)| grid.at(part, p) == *v).count();
        let tangents = grid.tangents(point, value).into_iter();
        let best = tangents
            .filter(supports)
            .max_by_key(|part| (reached(part), part.clone()))?;
        open.retain(|(p, v)| grid.at(&best, p) != *v);
        parts.push(best);
    }
    Some(parts)
}

impl<'g> Grid<'g> {
    fn new(axes: &'g [u32], values: &'g BTreeMap<Vec<i64>, i64>) -> Grid<'g> {
        let mut grid = Grid {
            axes,
            values,
            slopes: Vec::new(),
        };
        let along = |place: usize| {
            let mut slopes = BTreeSet::new();
            for point in values.keys() {
                slopes.extend(grid.slopes_at(point, place));
            }
            slopes.into_iter().take(MOST_SLOPES).collect()
        };
        let slopes = (0..axes.len()).map(along).collect();
        grid.slopes = slopes;
        grid
    }

    fn at(&self, part: &Affine, point: &[i64]) -> i64 {
        let terms = self.axes.iter().zip(point);
        let terms = terms.map(|(&axis, value)| part.coefficient(axis) * value);
        part.constant + terms.sum::<i64>()
    }

    /// The slopes along an axis to the neighbours of a point.
    fn slopes_at(&self, point: &[i64], place: usize) -> Vec<i64> {
        let Some(&here) = self.values.get(point) else {
            return Vec::new();
        };
        let slope = |step: i64| {
            let mut beside = point.to_vec();
            beside[place] += step;
            self.values.get(&beside).map(|there| (there - here) * step)
        };
        [1, -1].into_iter().filter_map(slope).collect()
    }

    fn neighbours(&self, point: &[i64]) -> usize {
        (0..self.axes.len())
            .map(|place| self.slopes_at(point, place).len())
            .sum()
    }

    /// The affine forms through a point with its slopes towards its neighbours; where it has none along an axis, with
    /// those that others have.
    fn tangents(&self, point: &[i64], value: i64) -> Vec<Affine> {
        let mut all = vec![Affine::constant(value)];
        for (place, &axis) in self.axes.iter().enumerate() {
            let mut slopes = self.slopes_at(point, place);
            slopes.sort_unstable();
            slopes.dedup();
            if slopes.is_empty() {
                slopes.clone_from(&self.slopes[place]);
            }
            if slopes.is_empty() {
                slopes.push(0);
            }
            let tilted = |part: &Affine| {
                let part = part.clone();
                let tilt = move |slope: i64| {
                    part.clone()
                        .with(axis, slope)
                        .shifted(-slope * point[place])
                };
                slopes.clone().into_iter().map(tilt)
            };
            all = all.iter().flat_map(tilted).collect();
        }
        all
    }
}
