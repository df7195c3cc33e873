//! Potentials: for each family a greatest or a least of affine forms of its indices that is never before its tasks end.

use crate::algebra::families::affine::{Affine, Region};
use crate::algebra::families::grid::{Flat, Grid};
use crate::algebra::families::problem::{Family, Instances, Problem, Reference};

/// A potential of more forms is not looked for.
const MOST_PARTS: usize = 5;

/// So many choices of potentials are tried.
const MOST_CHOICES: usize = 16;

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
    (samples, grids): (&[&(Vec<i64>, Instances)], &[Grid]),
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
    let of_tasks = |of: &dyn Fn(&[i64], &Instances) -> Vec<i64>| -> Vec<Vec<i64>> {
        let known = samples.iter().map(|(point, one)| of(point, one));
        let known: Vec<Vec<i64>> = known.collect();
        grids.iter().map(|grid| grid.values(&known)).collect()
    };
    let greatest = |values: &[Vec<i64>]| -> Option<Vec<Potential>> {
        let families = grids.iter().zip(values);
        families
            .map(|(grid, own)| greatest_between(grid, own, own))
            .collect()
    };
    let ends = of_tasks(&|_, one| one.ends(problem, times));
    let tails = || of_tasks(&|_, one| one.tails(problem, times));
    let forward = greatest(&ends).and_then(|ends| proves(Direction::Forward, ends));
    let backward = || greatest(&tails()).and_then(|tails| proves(Direction::Backward, tails));
    if let Some(found) = forward.or_else(backward) {
        return Some(found);
    }
    // A task may end at any time between the earliest and the latest.
    let latest = of_tasks(&|point, one| latest(problem, times, whole, point, one));
    let families = grids.iter().zip(ends.iter().zip(&latest));
    let choices = families.map(|(grid, (first, last))| {
        let pairs = [(first, last), (last, last), (first, first)].into_iter();
        let mut own: Vec<Potential> = Vec::new();
        for (lower, upper) in pairs {
            let greatest = greatest_between(grid, lower, upper);
            let least = least_between(grid, lower, upper);
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

/// The least of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn least_between(grid: &Grid, lower: &[i64], upper: &[i64]) -> Option<Potential> {
    let negative = |values: &[i64]| values.iter().map(|value| -value).collect::<Vec<i64>>();
    let greatest = greatest_between(grid, &negative(upper), &negative(lower))?;
    Some(Potential {
        is_greatest: false,
        ..greatest.map(|form| form.scaled(-1))
    })
}

/// The greatest of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn greatest_between(grid: &Grid, lower: &[i64], upper: &[i64]) -> Option<Potential> {
    let slopes = [lower, upper].map(|values| grid.all_slopes(values));
    let mut open: Vec<usize> = (0..grid.len()).collect();
    // Where a point has neighbours on all sides, its slopes are those of the form.
    open.sort_by_key(|&number| std::cmp::Reverse(grid.degree(number)));
    let mut forms = Vec::new();
    // Where most forms that are no tangents are above the values.
    let mut witness = 0;
    while let Some(&first) = open.first() {
        if forms.len() == MOST_PARTS {
            return None;
        }
        let mut tangents: Vec<Flat> = Vec::new();
        for value in [lower[first], upper[first]] {
            for (values, slopes) in [lower, upper].into_iter().zip(&slopes) {
                tangents.extend(grid.tangents(first, value, values, slopes));
            }
        }
        tangents.sort_unstable();
        tangents.dedup();
        let mut supports = |form: &Flat| {
            let is_above = |number: &usize| form.at(grid.point(*number)) > upper[*number];
            let above = [witness].into_iter().chain(0..grid.len()).find(is_above);
            witness = above.unwrap_or(witness);
            above.is_none()
        };
        let reached = |form: &Flat| {
            let reached = |number: &&usize| form.at(grid.point(**number)) >= lower[**number];
            open.iter().filter(reached).count()
        };
        tangents.retain(&mut supports);
        let best = tangents
            .into_iter()
            .max_by_key(|form| (reached(form), form.clone()))?;
        open.retain(|&number| best.at(grid.point(number)) < lower[number]);
        forms.push(grid.affine(&best));
    }
    Some(Potential {
        is_greatest: true,
        forms,
    })
}
