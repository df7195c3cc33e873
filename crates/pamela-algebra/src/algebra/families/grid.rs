//! The tasks of a family in small instances, as points of a grid: their indices, and then the sizes.

use rustc_hash::FxHashMap;

use super::affine::{Affine, Variable};
use super::problem::{Family, Instances, Problem};

/// So many slopes along an axis are tried where a point has no neighbour.
const MOST_SLOPES: usize = 4;

/// The points of a family, in order.
pub struct Grid {
    axes: Vec<Variable>,
    /// The coordinates of all points, one point after the other.
    coordinates: Vec<i64>,
    /// Of each point and axis the next point and the one before.
    neighbours: Vec<[Option<u32>; 2]>,
    /// The points, those with most neighbours first.
    by_neighbours: Vec<usize>,
    /// Of each point its instance, and its task there.
    tasks: Vec<(u32, u32)>,
}

/// An affine form by the axes of a grid.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flat {
    constant: i64,
    slopes: Vec<i64>,
}

impl Flat {
    pub fn at(&self, point: &[i64]) -> i64 {
        let terms = self.slopes.iter().zip(point);
        self.constant + terms.map(|(slope, value)| slope * value).sum::<i64>()
    }

    fn tilted(&self, place: usize, slope: i64, point: &[i64]) -> Flat {
        let mut tilted = self.clone();
        tilted.slopes[place] += slope;
        tilted.constant -= slope * point[place];
        tilted
    }
}

/// A point, and its instance and its task there.
type Located = (Vec<i64>, (u32, u32));

/// The tasks of small instances, by family.
pub struct Tasks<'s> {
    samples: Vec<&'s (Vec<i64>, Instances)>,
    pub grids: Vec<Grid>,
}

impl<'s> Tasks<'s> {
    pub fn new(problem: &Problem, samples: Vec<&'s (Vec<i64>, Instances)>) -> Tasks<'s> {
        let mut all: Vec<Vec<Located>> = vec![Vec::new(); problem.families.len()];
        for (sample, (sizes, instances)) in (0..).zip(&samples) {
            for (task, (family, indices)) in (0..).zip(&instances.tasks) {
                let point = indices.iter().chain(sizes).copied().collect();
                all[*family].push((point, (sample, task)));
            }
        }
        let families = problem.families.iter().zip(all);
        let grids: Vec<Grid> = families
            .map(|(family, tasks)| Grid::new(problem, family, tasks))
            .collect();
        Tasks { samples, grids }
    }

    /// Of each family and each of its points what a function has of the tasks of an instance with these sizes.
    pub fn values<T: Clone>(&self, of: &dyn Fn(&[i64], &Instances) -> Vec<T>) -> Vec<Vec<T>> {
        let known = self.samples.iter().map(|(point, one)| of(point, one));
        let known: Vec<Vec<T>> = known.collect();
        self.by_family(&known)
    }

    /// Of each instance, with its sizes, and each of its tasks what is known of the points of some families.
    pub fn known(&self, families: &[Option<Vec<i64>>]) -> Vec<Known<'s>> {
        let all = self.samples.iter().map(|(sizes, instances)| Known {
            sizes,
            instances,
            values: vec![None; instances.tasks.len()],
        });
        let mut all: Vec<Known> = all.collect();
        for (grid, values) in self.grids.iter().zip(families) {
            for (&(sample, task), &value) in grid.tasks.iter().zip(values.iter().flatten()) {
                all[sample as usize].values[task as usize] = Some(value);
            }
        }
        all
    }

    /// By families, what there is by instances.
    pub fn by_family<T: Clone>(&self, known: &[Vec<T>]) -> Vec<Vec<T>> {
        let own = |&(sample, task): &(u32, u32)| known[sample as usize][task as usize].clone();
        let grids = self.grids.iter();
        grids
            .map(|grid| grid.tasks.iter().map(own).collect())
            .collect()
    }
}

/// An instance, and what is known of some of its tasks.
pub struct Known<'s> {
    pub sizes: &'s [i64],
    pub instances: &'s Instances,
    pub values: Vec<Option<i64>>,
}

impl Grid {
    fn new(problem: &Problem, family: &Family, mut all: Vec<Located>) -> Grid {
        all.sort_unstable();
        let indices = family.ranges.iter().map(|range| range.index);
        let axes: Vec<Variable> = indices.chain(problem.sizes.iter().copied()).collect();
        let points = all
            .iter()
            .zip(0..)
            .map(|((point, _), number)| (&point[..], number));
        let numbers: FxHashMap<&[i64], u32> = points.collect();
        let mut neighbours = Vec::with_capacity(all.len() * axes.len());
        for (point, _) in &all {
            let mut beside = point.clone();
            for place in 0..axes.len() {
                neighbours.push([1, -1].map(|step| {
                    beside[place] = point[place] + step;
                    numbers.get(&beside[..]).copied()
                }));
                beside[place] = point[place];
            }
        }
        let width = axes.len();
        let degree = |&number: &usize| {
            let own = &neighbours[number * width..][..width];
            std::cmp::Reverse(own.iter().flatten().flatten().count())
        };
        let mut by_neighbours: Vec<usize> = (0..all.len()).collect();
        by_neighbours.sort_by_cached_key(degree);
        Grid {
            by_neighbours,
            coordinates: all.iter().flat_map(|(point, _)| point.clone()).collect(),
            tasks: all.iter().map(|&(_, task)| task).collect(),
            axes,
            neighbours,
        }
    }

    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    pub fn axes(&self) -> usize {
        self.axes.len()
    }

    /// All points; where one has neighbours on all sides, its slopes are those of a form.
    pub fn by_neighbours(&self) -> Vec<usize> {
        self.by_neighbours.clone()
    }

    pub fn point(&self, number: usize) -> &[i64] {
        let width = self.axes.len();
        &self.coordinates[number * width..][..width]
    }

    fn beside(&self, number: usize) -> &[[Option<u32>; 2]] {
        let width = self.axes.len();
        &self.neighbours[number * width..][..width]
    }

    /// The greatest of what is the least of some forms each, at all points.
    pub fn values_of(&self, parts: &[Vec<Affine>]) -> Vec<i64> {
        let flat = |form: &Affine| Flat {
            constant: form.constant,
            slopes: self
                .axes
                .iter()
                .map(|&axis| form.coefficient(axis))
                .collect(),
        };
        let parts = parts.iter().map(|part| part.iter().map(flat).collect());
        let parts: Vec<Vec<Flat>> = parts.collect();
        let value = |number: usize| {
            let least =
                |part: &Vec<Flat>| part.iter().map(|form| form.at(self.point(number))).min();
            parts.iter().filter_map(least).max().unwrap_or(0)
        };
        (0..self.len()).map(value).collect()
    }

    pub fn affine(&self, flat: &Flat) -> Affine {
        let terms = self.axes.iter().zip(&flat.slopes);
        terms.fold(Affine::constant(flat.constant), |sum, (&axis, &slope)| {
            sum.with(axis, slope)
        })
    }

    /// The slopes along an axis from a point to its neighbours.
    fn slopes(&self, values: &[i64], number: usize, place: usize) -> impl Iterator<Item = i64> {
        let here = values[number];
        let [next, last] = self.beside(number)[place].map(|beside| Some(values[beside? as usize]));
        let slopes = [next.map(|next| next - here), last.map(|last| here - last)];
        slopes.into_iter().flatten()
    }

    /// The least of all slopes along an axis between neighbours.
    fn other_slopes(&self, values: &[i64], place: usize) -> Vec<i64> {
        let mut least: Vec<i64> = Vec::with_capacity(MOST_SLOPES + 1);
        for (number, here) in values.iter().enumerate() {
            let [Some(next), _] = self.beside(number)[place] else {
                continue;
            };
            let slope = values[next as usize] - here;
            if let Err(rank) = least.binary_search(&slope)
                && rank < MOST_SLOPES
            {
                least.insert(rank, slope);
                least.truncate(MOST_SLOPES);
            }
        }
        least
    }

    /// The affine forms through a point and `value` there, with the slopes of `values` towards its neighbours; where it
    /// has none along an axis, with those that other points have.
    pub fn tangents(&self, number: usize, value: i64, values: &[i64]) -> Vec<Flat> {
        let point = self.point(number);
        let mut all = vec![Flat {
            constant: value,
            slopes: vec![0; self.axes()],
        }];
        for place in 0..self.axes() {
            let mut slopes: Vec<i64> = self.slopes(values, number, place).collect();
            slopes.sort_unstable();
            slopes.dedup();
            if slopes.is_empty() {
                slopes = self.other_slopes(values, place);
            }
            if slopes.is_empty() {
                continue;
            }
            let tilted = |flat: &Flat| {
                let flat = flat.clone();
                let slopes = slopes.iter();
                slopes.map(move |&slope| flat.tilted(place, slope, point))
            };
            all = all.iter().flat_map(tilted).collect();
        }
        all
    }

    /// What affine form the values are of.
    pub fn fitted(&self, values: &[i64]) -> Option<Flat> {
        let first = (self.len() > 0).then_some(0)?;
        let mut flat = Flat {
            constant: values[first],
            slopes: vec![0; self.axes()],
        };
        for place in 0..self.axes() {
            let mut slopes = (0..self.len()).flat_map(|number| self.slopes(values, number, place));
            let slope = slopes.next().unwrap_or(0);
            flat = flat.tilted(place, slope, self.point(first));
        }
        let mut points = (0..self.len()).zip(values);
        points
            .all(|(number, &value)| flat.at(self.point(number)) == value)
            .then_some(flat)
    }
}
