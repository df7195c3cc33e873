//! Potentials: for each family a greatest or a least of affine forms of its indices that is never before its tasks end.

use std::collections::{BTreeMap, BTreeSet};

use crate::algebra::families::affine::{Affine, Region};
use crate::algebra::families::problem::{Family, Instances, Problem, Reference};

/// A potential of more forms is not looked for.
const MOST_PARTS: usize = 5;

/// So many choices of potentials are tried.
const MOST_CHOICES: usize = 16;

/// So many slopes along an axis are tried where a point has no neighbour.
const MOST_SLOPES: usize = 4;

/// The greatest or the least of some forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Potential {
    pub is_greatest: bool,
    pub forms: Vec<Affine>,
}

impl Potential {
    fn map(&self, map: impl Fn(&Affine) -> Affine) -> Potential {
        Potential {
            is_greatest: self.is_greatest,
            forms: self.forms.iter().map(map).collect(),
        }
    }

    fn value(&self, values: &[i64]) -> i64 {
        let all = self.forms.iter().map(|form| form.value(values));
        let chosen = match self.is_greatest {
            true => all.max(),
            false => all.min(),
        };
        chosen.unwrap_or(0)
    }

    /// Whether it is proved to be at most another one.
    fn is_at_most(&self, region: &mut Region, other: &Potential) -> bool {
        let reached = |form: &Affine| match other.is_greatest {
            true => is_reached(region, &other.forms, form),
            false => other
                .forms
                .iter()
                .all(|part| region.proves(&part.plus(form, -1))),
        };
        match (self.is_greatest, other.is_greatest) {
            (true, _) => self.forms.iter().all(reached),
            (false, true) => self.forms.iter().any(reached),
            (false, false) => other.forms.iter().all(|more| {
                let less = self.forms.iter();
                less.into_iter()
                    .any(|form| region.proves(&more.plus(form, -1)))
            }),
        }
    }
}

impl From<Affine> for Potential {
    fn from(form: Affine) -> Potential {
        Potential {
            is_greatest: true,
            forms: vec![form],
        }
    }
}

/// Whether a potential is of what comes before the end of a task, or of what comes from its beginning on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// Potentials by which the longest path is at most `whole`, for these times.
pub fn bounds(
    problem: &Problem,
    samples: &[&(Vec<i64>, Instances)],
    facts: &[Affine],
    times: &[i64],
    whole: &Affine,
) -> Option<(Direction, Vec<Potential>)> {
    let proves = |direction: Direction, potentials: Vec<Potential>| {
        let proof = Proof {
            problem,
            facts,
            times,
            direction,
            potentials,
        };
        let proved = proof.bounds(whole);
        proved.then_some((direction, proof.potentials))
    };
    let ends = numbers(problem, samples, &|_, one| one.ends(problem, times));
    let tails = numbers(problem, samples, &|_, one| one.tails(problem, times));
    let greatest = |list: &[Numbers]| -> Option<Vec<Potential>> {
        let families = problem.families.iter().zip(list);
        families
            .map(|(family, own)| greatest_between(&axes(problem, family), own, own))
            .collect()
    };
    let forward = greatest(&ends).and_then(|ends| proves(Direction::Forward, ends));
    let backward = || greatest(&tails).and_then(|tails| proves(Direction::Backward, tails));
    if let Some(found) = forward.or_else(backward) {
        return Some(found);
    }
    // A task may end at any time between the earliest and the latest.
    let latest = numbers(problem, samples, &|point, one| {
        latest(problem, times, whole, point, one)
    });
    let families = problem.families.iter().zip(ends.iter().zip(&latest));
    let choices = families.map(|(family, (first, last))| {
        let axes = axes(problem, family);
        let pairs = [(first, last), (last, last), (first, first)].into_iter();
        let mut own: Vec<Potential> = Vec::new();
        for (lower, upper) in pairs {
            let greatest = greatest_between(&axes, lower, upper);
            let least = least_between(&axes, lower, upper);
            for potential in greatest.into_iter().chain(least) {
                if !own.contains(&potential) {
                    own.push(potential);
                }
            }
        }
        own
    });
    let mut chosen: Vec<Vec<Potential>> = vec![Vec::new()];
    for own in choices {
        let longer = chosen.iter().flat_map(|before| {
            let with =
                |potential: &Potential| [&before[..], std::slice::from_ref(potential)].concat();
            own.iter().map(with).collect::<Vec<_>>()
        });
        chosen = longer.take(MOST_CHOICES).collect();
    }
    chosen.into_iter().find_map(|chosen| {
        let fits = |(point, one): &&(Vec<i64>, Instances)| {
            is_potential(problem, &chosen, times, point, one)
        };
        let fits = samples.iter().all(fits);
        fits.then(|| proves(Direction::Forward, chosen)).flatten()
    })
}

/// Whether potentials grow by the time of each task along each precedence of an instance.
fn is_potential(
    problem: &Problem,
    potentials: &[Potential],
    times: &[i64],
    point: &[i64],
    instances: &Instances,
) -> bool {
    let mut values = vec![0; problem.next as usize];
    for (&size, &value) in problem.sizes.iter().zip(point) {
        values[size as usize] = value;
    }
    let tasks = instances.tasks.iter();
    let ends: Vec<i64> = tasks
        .map(|(family, indices)| {
            let ranges = problem.families[*family].ranges.iter();
            for (range, &index) in ranges.zip(indices) {
                values[range.index as usize] = index;
            }
            potentials[*family].value(&values)
        })
        .collect();
    instances.before.iter().enumerate().all(|(task, waits)| {
        let begin = ends[task] - weight(&problem.families[instances.tasks[task].0], times);
        begin >= 0 && waits.iter().all(|&u| ends[u as usize] <= begin)
    })
}

/// When each task ends at the latest, where the whole takes so long.
fn latest(
    problem: &Problem,
    times: &[i64],
    whole: &Affine,
    point: &[i64],
    instances: &Instances,
) -> Vec<i64> {
    let mut values = vec![0; problem.next as usize];
    for (&size, &value) in problem.sizes.iter().zip(point) {
        values[size as usize] = value;
    }
    let whole = whole.value(&values);
    let tails = instances.tails(problem, times);
    let tasks = instances.tasks.iter().zip(tails);
    tasks
        .map(|((family, _), tail)| whole - tail + weight(&problem.families[*family], times))
        .collect()
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
            let weight = Potential::from(Affine::constant(weight(family, self.times)));
            // A task takes its time, and does so within the whole.
            weight.is_at_most(&mut region, potential)
                && potential.is_at_most(&mut region, &whole.clone().into())
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
        let other = self.potentials[reference.family].map(|part| part.substituted(&value));
        let (less, more, weight) = match self.direction {
            Direction::Forward => (&other, own, weight(family, self.times)),
            Direction::Backward => (own, &other, weight(before, self.times)),
        };
        let less = less.map(|part| part.shifted(weight));
        less.is_at_most(&mut region, more)
    }
}

fn weight(family: &Family, times: &[i64]) -> i64 {
    family.weight.1 * times[family.weight.0]
}

/// Whether the greatest of the forms is proved to be at least another.
fn is_reached(region: &mut Region, forms: &[Affine], other: &Affine) -> bool {
    if forms
        .iter()
        .any(|part| region.proves(&part.plus(other, -1)))
    {
        return true;
    }
    // Where neither is, their mean may be.
    let pairs = forms.iter().enumerate();
    pairs.into_iter().any(|(place, a)| {
        forms[..place]
            .iter()
            .any(|b| region.proves(&a.plus(b, 1).plus(other, -2)))
    })
}

/// Numbers of the tasks of a family, by their indices and the sizes.
type Numbers = BTreeMap<Vec<i64>, i64>;

/// For each family what `known` has of all tasks of small instances.
fn numbers(
    problem: &Problem,
    samples: &[&(Vec<i64>, Instances)],
    known: &dyn Fn(&[i64], &Instances) -> Vec<i64>,
) -> Vec<Numbers> {
    let mut numbers: Vec<Numbers> = vec![BTreeMap::new(); problem.families.len()];
    for (point, instances) in samples {
        let known = known(point, instances);
        for ((family, indices), number) in instances.tasks.iter().zip(known) {
            let place = indices.iter().chain(point).copied().collect();
            numbers[*family].insert(place, number);
        }
    }
    numbers
}

/// What the numbers of a family may depend on.
fn axes(problem: &Problem, family: &Family) -> Vec<u32> {
    let indices = family.ranges.iter().map(|range| range.index);
    indices.chain(problem.sizes.iter().copied()).collect()
}

/// The least of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn least_between(axes: &[u32], lower: &Numbers, upper: &Numbers) -> Option<Potential> {
    let negative = |numbers: &Numbers| -> Numbers {
        let negative = numbers.iter().map(|(point, value)| (point.clone(), -value));
        negative.collect()
    };
    let greatest = greatest_between(axes, &negative(upper), &negative(lower))?;
    Some(Potential {
        is_greatest: false,
        ..greatest.map(|form| form.scaled(-1))
    })
}

/// The greatest of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn greatest_between(axes: &[u32], lower: &Numbers, upper: &Numbers) -> Option<Potential> {
    let grids = [lower, upper].map(|values| Grid::new(axes, values));
    let [grid, _] = &grids;
    let mut open: Vec<(&Vec<i64>, i64)> = lower.iter().map(|(p, &v)| (p, v)).collect();
    // Where a point has neighbours on all sides, its slopes are those of the form.
    open.sort_by_key(|(point, _)| std::cmp::Reverse(grid.neighbours(point)));
    let mut forms = Vec::new();
    while let Some(&(point, _)) = open.first() {
        if forms.len() == MOST_PARTS {
            return None;
        }
        let supports = |form: &Affine| {
            let form = grid.flat(form);
            upper.iter().all(|(p, &v)| form.at(p) <= v)
        };
        let reached = |form: &Affine| {
            let form = grid.flat(form);
            open.iter().filter(|(p, v)| form.at(p) >= *v).count()
        };
        let mut tangents: Vec<Affine> = Vec::new();
        for value in [lower, upper]
            .into_iter()
            .filter_map(|values| values.get(point))
        {
            for grid in &grids {
                tangents.extend(grid.tangents(point, *value));
            }
        }
        tangents.sort();
        tangents.dedup();
        let best = tangents
            .into_iter()
            .filter(supports)
            .max_by_key(|form| (reached(form), form.clone()))?;
        let flat = grid.flat(&best);
        open.retain(|(p, v)| flat.at(p) < *v);
        forms.push(best);
    }
    Some(Potential {
        is_greatest: true,
        forms,
    })
}

/// An affine form by the axes of a grid.
struct Flat {
    constant: i64,
    slopes: Vec<i64>,
}

impl Flat {
    fn at(&self, point: &[i64]) -> i64 {
        let terms = self.slopes.iter().zip(point);
        self.constant + terms.map(|(slope, value)| slope * value).sum::<i64>()
    }
}

/// Numbers at points of a grid.
struct Grid<'g> {
    axes: &'g [u32],
    values: &'g Numbers,
    /// Along each axis all slopes between neighbours.
    slopes: Vec<Vec<i64>>,
}

impl<'g> Grid<'g> {
    fn new(axes: &'g [u32], values: &'g Numbers) -> Grid<'g> {
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

    fn flat(&self, form: &Affine) -> Flat {
        let slopes = self.axes.iter().map(|&axis| form.coefficient(axis));
        Flat {
            constant: form.constant,
            slopes: slopes.collect(),
        }
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
