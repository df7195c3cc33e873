//! The tasks of a family in small instances, as points of a grid: their indices, and then the sizes.

use std::collections::BTreeSet;

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

/// The grid of each family.
pub fn grids(problem: &Problem, samples: &[&(Vec<i64>, Instances)]) -> Vec<Grid> {
    let mut tasks: Vec<Vec<(Vec<i64>, (u32, u32))>> = vec![Vec::new(); problem.families.len()];
    for (sample, (sizes, instances)) in (0..).zip(samples) {
        for (task, (family, indices)) in (0..).zip(&instances.tasks) {
            let point = indices.iter().chain(sizes).copied().collect();
            tasks[*family].push((point, (sample, task)));
        }
    }
    let families = problem.families.iter().zip(tasks);
    families
        .map(|(family, tasks)| Grid::new(problem, family, tasks))
        .collect()
}

impl Grid {
    fn new(problem: &Problem, family: &Family, mut all: Vec<(Vec<i64>, (u32, u32))>) -> Grid {
        all.sort_unstable();
        let indices = family.ranges.iter().map(|range| range.index);
        let axes: Vec<Variable> = indices.chain(problem.sizes.iter().copied()).collect();
        let points = all.iter().zip(0..).map(|((point, _), number)| (&point[..], number));
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
        Grid {
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

    pub fn point(&self, number: usize) -> &[i64] {
        let width = self.axes.len();
        &self.coordinates[number * width..][..width]
    }

    fn beside(&self, number: usize) -> &[[Option<u32>; 2]] {
        let width = self.axes.len();
        &self.neighbours[number * width..][..width]
    }

    /// What there is of each point, of what there is of the tasks of each instance.
    pub fn values<T: Clone>(&self, known: &[Vec<T>]) -> Vec<T> {
        let tasks = self.tasks.iter();
        tasks
            .map(|&(sample, task)| known[sample as usize][task as usize].clone())
            .collect()
    }

    pub fn affine(&self, flat: &Flat) -> Affine {
        let terms = self.axes.iter().zip(&flat.slopes);
        terms.fold(Affine::constant(flat.constant), |sum, (&axis, &slope)| {
            sum.with(axis, slope)
        })
    }

    /// How many neighbours a point has.
    pub fn degree(&self, number: usize) -> usize {
        self.beside(number).iter().flatten().flatten().count()
    }

    /// The slopes along an axis from a point to its neighbours.
    fn slopes(&self, values: &[i64], number: usize, place: usize) -> impl Iterator<Item = i64> {
        let here = values[number];
        let steps = self.beside(number)[place].into_iter().zip([1, -1]);
        let slopes: Vec<i64> = steps
            .filter_map(|(beside, step)| Some((values[beside? as usize] - here) * step))
            .collect();
        slopes.into_iter()
    }

    /// Along each axis some of all slopes between neighbours.
    pub fn all_slopes(&self, values: &[i64]) -> Vec<Vec<i64>> {
        let along = |place: usize| {
            let all = (0..self.len()).flat_map(|number| self.slopes(values, number, place));
            let all: BTreeSet<i64> = all.collect();
            all.into_iter().take(MOST_SLOPES).collect()
        };
        (0..self.axes()).map(along).collect()
    }

    /// The affine forms through a point and `value` there, with the slopes of `values` towards its neighbours; where it
    /// has none along an axis, with those that other points have.
    pub fn tangents(
        &self,
        number: usize,
        value: i64,
        values: &[i64],
        others: &[Vec<i64>],
    ) -> Vec<Flat> {
        let point = self.point(number);
        let mut all = vec![Flat {
            constant: value,
            slopes: vec![0; self.axes()],
        }];
        for (place, others) in others.iter().enumerate() {
            let mut slopes: Vec<i64> = self.slopes(values, number, place).collect();
            slopes.sort_unstable();
            slopes.dedup();
            let slopes = match (slopes.is_empty(), others.is_empty()) {
                (false, _) => &slopes,
                (true, false) => others,
                (true, true) => continue,
            };
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
