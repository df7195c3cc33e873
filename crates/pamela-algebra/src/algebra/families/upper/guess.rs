//! Guesses potentials from the tasks of small instances.

use rustc_hash::FxHashMap;

use super::potential::{Direction, Potential};
use super::precedences::Precedences;
use crate::algebra::families::affine::Affine;
use crate::algebra::families::grid::{Flat, Grid, Others, Tasks};
use crate::algebra::families::problem::Problem;

/// A potential of more parts is not looked for.
const MOST_PARTS: usize = 5;

/// Limits on the choices of potentials, and on the potentials tried within them.
const MOST_CHOICES: usize = 16;
const MOST_STEPS: usize = 64;

/// Potentials that prove that the longest path is at most `whole`, for these times.
pub fn bounds(
    problem: &Problem,
    tasks: &Tasks,
    precedences: &Precedences,
    times: &[i64],
    whole: &Affine,
) -> Option<(Direction, Vec<Potential>)> {
    let proves = |direction: Direction, potentials: Vec<Potential>| {
        let met = precedences.are_met(times, whole, direction, &potentials);
        met.then_some((direction, potentials))
    };
    let greatest = |values: &[Vec<i64>]| -> Option<Vec<Potential>> {
        let families = tasks.grids.iter().zip(values);
        families
            .map(|(grid, own)| greatest_between(grid, own, own))
            .collect()
    };
    let ends = tasks.values(&|_, one| one.ends(problem, times));
    let tails = || tasks.values(&|_, one| one.tails(problem, times));
    let forward = greatest(&ends).and_then(|ends| proves(Direction::Forward, ends));
    let backward = || greatest(&tails()).and_then(|tails| proves(Direction::Backward, tails));
    if let Some(found) = forward.or_else(backward) {
        return Some(found);
    }
    // A task may end at any time between the earliest and the latest.
    let mut search = Search {
        problem,
        tasks,
        times,
        whole,
        chosen: vec![None; problem.families.len()],
        ends: vec![None; problem.families.len()],
        steps: MOST_STEPS,
        choices: MOST_CHOICES,
    };
    search.complete(&mut |chosen| proves(Direction::Forward, chosen))
}

/// Search for one potential for each family such that no potential precedes the requirements of the others.
struct Search<'s> {
    problem: &'s Problem,
    tasks: &'s Tasks,
    times: &'s [i64],
    whole: &'s Affine,
    chosen: Vec<Option<Potential>>,
    /// End values of the chosen potentials.
    ends: Vec<Option<Vec<i64>>>,
    /// Remaining steps.
    steps: usize,
    choices: usize,
}

impl Search<'_> {
    /// The depth is the number of families.
    fn complete<T>(&mut self, visit: &mut dyn FnMut(Vec<Potential>) -> Option<T>) -> Option<T> {
        let [first, last] = self.room();
        let room = first.iter().zip(&last);
        let mut room = room.flat_map(|(first, last)| first.iter().zip(last));
        if room.any(|(first, last)| first > last) {
            return None;
        }
        // The family with the fewest candidates is chosen first.
        let fixed = |family: usize| {
            let pairs = first[family].iter().zip(&last[family]);
            let fixed = pairs.filter(|(first, last)| first == last).count();
            fixed * 1_000 / first[family].len().max(1)
        };
        let open = (0..self.chosen.len()).filter(|&family| self.chosen[family].is_none());
        let Some(family) = open.max_by_key(|&family| (fixed(family), std::cmp::Reverse(family)))
        else {
            self.choices = self.choices.checked_sub(1)?;
            return visit(self.chosen.iter().flatten().cloned().collect());
        };
        for potential in candidates(&self.tasks.grids[family], &first[family], &last[family]) {
            self.steps = self.steps.checked_sub(1)?;
            let ends = self.tasks.grids[family].values_of(&potential.parts);
            self.ends[family] = Some(ends);
            self.chosen[family] = Some(potential);
            if self.is_met(family)
                && let Some(found) = self.complete(visit)
            {
                return Some(found);
            }
        }
        self.ends[family] = None;
        self.chosen[family] = None;
        None
    }

    /// When tasks end at the earliest and at the latest, by family, where some families are chosen.
    fn room(&self) -> [Vec<Vec<i64>>; 2] {
        let known = self.tasks.known(&self.ends);
        let first = known.iter().map(|own| {
            let instances = own.instances;
            instances.earliest(self.problem, self.times, &own.values)
        });
        let last = known.iter().map(|own| {
            let mut values = vec![0; self.problem.next as usize];
            for (&size, &value) in self.problem.sizes.iter().zip(own.sizes) {
                values[size as usize] = value;
            }
            let whole = self.whole.value(&values);
            let instances = own.instances;
            instances.latest(self.problem, self.times, whole, &own.values)
        });
        let all: [Vec<Vec<i64>>; 2] = [first.collect(), last.collect()];
        all.map(|known| self.tasks.by_family(&known))
    }

    /// True if the tasks of a chosen family do not end before those of families that are chosen, which they wait for.
    fn is_met(&self, family: usize) -> bool {
        let time = |family: usize| self.problem.families[family].time(self.times);
        self.tasks.known(&self.ends).iter().all(|own| {
            let tasks = own.instances.tasks.iter().enumerate();
            tasks.into_iter().all(|(task, &(of, _))| {
                let Some(end) = own.values[task] else {
                    return true;
                };
                let before = own.instances.before.of(task as u32);
                let mut before = before.iter().filter_map(|&u| own.values[u as usize]);
                of != family || end >= time(of) && before.all(|other| other + time(of) <= end)
            })
        })
    }
}

/// Potentials between the earliest and the latest end of the tasks of a family.
fn candidates(grid: &Grid, first: &[i64], last: &[i64]) -> Vec<Potential> {
    let mut all: Vec<Potential> = Vec::new();
    for (lower, upper) in [(first, last), (last, last), (first, first)] {
        let simple = [
            greatest_between(grid, lower, upper),
            least_between(grid, lower, upper),
        ];
        let mut found: Vec<Potential> = simple.into_iter().flatten().collect();
        if found.is_empty() {
            found.extend(mixed_between(grid, lower, upper));
        }
        for potential in found {
            if !all.contains(&potential) {
                all.push(potential);
            }
        }
    }
    all
}

/// The least of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn least_between(grid: &Grid, lower: &[i64], upper: &[i64]) -> Option<Potential> {
    let negative = |values: &[i64]| values.iter().map(|value| -value).collect::<Vec<i64>>();
    let parts = Cover::new(grid, &negative(upper), &negative(lower)).parts(false)?;
    let forms = parts.into_iter().flatten();
    let forms = forms.map(|form| grid.affine(&form).scaled(-1));
    Some(Potential::least(forms.collect()))
}

/// The greatest of a few forms that is nowhere below the first numbers, and nowhere above the others.
fn greatest_between(grid: &Grid, lower: &[i64], upper: &[i64]) -> Option<Potential> {
    let parts = Cover::new(grid, lower, upper).parts(false)?;
    let forms = parts.into_iter().flatten();
    Some(Potential::greatest(
        forms.map(|form| grid.affine(&form)).collect(),
    ))
}

/// A potential between the bounds with parts that may be the minimum of two forms.
fn mixed_between(grid: &Grid, lower: &[i64], upper: &[i64]) -> Option<Potential> {
    let parts = Cover::new(grid, lower, upper).parts(true)?.into_iter();
    let parts = parts.map(|part| part.iter().map(|form| grid.affine(form)).collect());
    Some(Potential {
        parts: parts.collect(),
    })
}

/// The search for forms that are at some points at least the first numbers, and nowhere above the others.
struct Cover<'g> {
    grid: &'g Grid,
    lower: &'g [i64],
    upper: &'g [i64],
    /// The point at which most of the forms that are too high are too high.
    witness: usize,
    /// The slopes of both.
    slopes: [Others; 2],
}

impl<'g> Cover<'g> {
    fn new(grid: &'g Grid, lower: &'g [i64], upper: &'g [i64]) -> Cover<'g> {
        Cover {
            grid,
            lower,
            upper,
            witness: 0,
            slopes: [Vec::new(), Vec::new()],
        }
    }

    /// Parts that together are nowhere below the first numbers, each one form, or the least of two.
    fn parts(mut self, pairs: bool) -> Option<Vec<Vec<Flat>>> {
        let grid = self.grid;
        let mut open = grid.by_neighbours();
        let mut parts = Vec::new();
        while let Some(&first) = open.first() {
            if parts.len() == MOST_PARTS {
                return None;
            }
            let tangents = self.tangents(first);
            let alone = tangents.iter().map(|form| vec![form.clone()]);
            let mut found: Vec<Vec<Flat>> = alone.filter(|part| self.supports(part)).collect();
            if found.is_empty() && pairs {
                found = self.pairs(first, &tangents);
            }
            let reached = |part: &[Flat]| {
                let reached = |&&number: &&usize| at(grid, part, number) >= self.lower[number];
                open.iter().filter(reached).count()
            };
            let best = found
                .into_iter()
                .max_by_key(|part| (reached(part), part.clone()))?;
            open.retain(|&number| at(grid, &best, number) < self.lower[number]);
            parts.push(best);
        }
        Some(parts)
    }

    fn tangents(&mut self, number: usize) -> Vec<Flat> {
        let mut values = vec![self.lower[number], self.upper[number]];
        values.dedup();
        let [low, high] = &mut self.slopes;
        let mut slopes = vec![
            self.grid.slopes_at(self.lower, number, low),
            self.grid.slopes_at(self.upper, number, high),
        ];
        slopes.dedup();
        let pairs = values
            .iter()
            .flat_map(|value| slopes.iter().map(move |slopes| (value, slopes)));
        let tangents = pairs.flat_map(|(&value, own)| self.grid.tangents(number, value, own));
        let mut tangents: Vec<Flat> = tangents.collect();
        tangents.sort_unstable();
        tangents.dedup();
        tangents
    }

    /// True if a part is nowhere above the numbers.
    fn supports(&mut self, part: &[Flat]) -> bool {
        let is_above = |&number: &usize| at(self.grid, part, number) > self.upper[number];
        let above = [self.witness].into_iter().chain(0..self.grid.len());
        let above = above.into_iter().find(is_above);
        self.witness = above.unwrap_or(self.witness);
        above.is_none()
    }

    /// Pairs of forms through a point: the second is a tangent where the first is highest above the numbers.
    fn pairs(&mut self, first: usize, tangents: &[Flat]) -> Vec<Vec<Flat>> {
        let grid = self.grid;
        let mut found = Vec::new();
        let mut known: FxHashMap<usize, Vec<Flat>> = FxHashMap::default();
        for form in tangents {
            let over = |number: &usize| form.at(grid.point(*number)) - self.upper[*number];
            let Some(highest) = (0..grid.len()).max_by_key(over) else {
                continue;
            };
            let seconds = known.entry(highest);
            for second in seconds.or_insert_with(|| self.tangents(highest)) {
                if second.at(grid.point(first)) < self.lower[first] {
                    continue;
                }
                let pair = vec![form.clone(), second.clone()];
                if self.supports(&pair) {
                    found.push(pair);
                }
            }
        }
        found
    }
}

/// The least of forms at a point.
fn at(grid: &Grid, part: &[Flat], number: usize) -> i64 {
    let point = grid.point(number);
    let values = part.iter().map(|form| form.at(point));
    values.min().unwrap_or(i64::MAX)
}
