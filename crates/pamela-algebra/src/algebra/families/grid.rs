//! The tasks of a family in small instances, as points of a grid: their indices, and then the sizes.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::affine::{Affine, Variable};
use super::problem::{Family, Instances, Problem, Sample};

/// Number of slopes tried along an axis if a point has no neighbour.
const MOST_SLOPES: usize = 4;

/// The points of a family, in order.
pub struct Grid {
    axes: Vec<Variable>,
    /// The coordinates of all points, one point after the other.
    coordinates: Vec<i64>,
    /// The next and the previous point along each axis, for each point.
    neighbours: Vec<[Option<u32>; 2]>,
    /// The points, those with most neighbours first.
    by_neighbours: Vec<usize>,
    /// The instance and the task of each point.
    tasks: Vec<(u32, u32)>,
}

/// An affine form by the axes of a grid.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flat {
    constant: i64,
    slopes: SmallVec<[i64; 6]>,
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

/// Slopes along an axis, in order.
pub type Slopes = SmallVec<[i64; MOST_SLOPES + 1]>;

/// Known slopes of values between neighbours, along each axis.
pub type Others = Vec<Option<Slopes>>;

/// A point, and its instance and its task there.
type Located = (SmallVec<[i64; 6]>, (u32, u32));

/// The tasks of small instances, by family.
pub struct Tasks {
    samples: Vec<Rc<Sample>>,
    pub grids: Vec<Grid>,
}

impl Tasks {
    pub fn new(problem: &Problem, samples: Vec<Rc<Sample>>) -> Tasks {
        let mut all: Vec<Vec<Located>> = vec![Vec::new(); problem.families.len()];
        for (sample, known) in (0..).zip(&samples) {
            let (sizes, instances) = &**known;
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

    /// Values of a function of the tasks at each point, by family. `of` maps an instance with its sizes to a value
    /// for each task.
    pub fn values<T: Clone>(&self, of: &dyn Fn(&[i64], &Instances) -> Vec<T>) -> Vec<Vec<T>> {
        let known = self.samples.iter().map(|known| of(&known.0, &known.1));
        let known: Vec<Vec<T>> = known.collect();
        self.by_family(&known)
    }

    /// Known values of the tasks of each instance, by instance with its sizes; `families` has the values at the
    /// points of some families.
    pub fn known(&self, families: &[Option<Vec<i64>>]) -> Vec<PartialInstance<'_>> {
        let all = self.samples.iter().map(|known| PartialInstance {
            sizes: &known.0,
            instances: &known.1,
            values: vec![None; known.1.tasks.len()],
        });
        let mut all: Vec<PartialInstance> = all.collect();
        for (grid, values) in self.grids.iter().zip(families) {
            for (&(sample, task), &value) in grid.tasks.iter().zip(values.iter().flatten()) {
                all[sample as usize].values[task as usize] = Some(value);
            }
        }
        all
    }

    /// Rearranges values by instance into values by family.
    pub fn by_family<T: Clone>(&self, known: &[Vec<T>]) -> Vec<Vec<T>> {
        let own = |&(sample, task): &(u32, u32)| known[sample as usize][task as usize].clone();
        let grids = self.grids.iter();
        grids
            .map(|grid| grid.tasks.iter().map(own).collect())
            .collect()
    }
}

/// An instance with known values for some of its tasks.
pub struct PartialInstance<'s> {
    pub sizes: &'s [i64],
    pub instances: &'s Instances,
    pub values: Vec<Option<i64>>,
}

impl Grid {
    fn new(problem: &Problem, family: &Family, mut all: Vec<Located>) -> Grid {
        all.sort_unstable();
        let indices = family.ranges.iter().map(|range| range.index);
        let axes: Vec<Variable> = indices.chain(problem.sizes.iter().copied()).collect();
        let width = axes.len();
        let mut neighbours = vec![[None; 2]; all.len() * width];
        for place in 0..width {
            // Points that are all moved along an axis stay in order.
            let mut next = 0;
            for (number, (point, _)) in all.iter().enumerate() {
                let moved = |other: &Located| {
                    let (before, after) = (&other.0[..place], &other.0[place + 1..]);
                    let beside = other.0[place].cmp(&(point[place] + 1));
                    let beside = before.cmp(&point[..place]).then(beside);
                    beside.then_with(|| after.cmp(&point[place + 1..]))
                };
                while all.get(next).is_some_and(|other| moved(other).is_lt()) {
                    next += 1;
                }
                if all.get(next).is_some_and(|other| moved(other).is_eq()) {
                    neighbours[number * width + place][0] = Some(next as u32);
                    neighbours[next * width + place][1] = Some(number as u32);
                }
            }
        }
        let mut by_degree: Vec<Vec<usize>> = vec![Vec::new(); 2 * width + 1];
        for number in 0..all.len() {
            let own = &neighbours[number * width..][..width];
            let degree = own.iter().flatten().flatten().count();
            by_degree[degree].push(number);
        }
        let by_neighbours = by_degree.into_iter().rev().flatten().collect();
        Grid {
            by_neighbours,
            coordinates: all.iter().flat_map(|(point, _)| point).copied().collect(),
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

    /// Indices of all points, those with neighbours on all sides first: their slopes are those of a form.
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

    /// The maximum over `parts` of the minimum over the forms of each part, at all points.
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
    fn other_slopes(&self, values: &[i64], place: usize) -> Slopes {
        let mut least = Slopes::new();
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

    /// Along each axis, the slopes of values from a point to its neighbours. If a point has no neighbour along an
    /// axis, the slopes at other points are used, which are computed once.
    pub fn slopes_at(&self, values: &[i64], number: usize, others: &mut Others) -> Vec<Slopes> {
        others.resize(self.axes(), None);
        let at = |(place, others): (usize, &mut Option<Slopes>)| {
            let mut slopes: Slopes = self.slopes(values, number, place).collect();
            slopes.sort_unstable();
            slopes.dedup();
            if slopes.is_empty() {
                let others = others.get_or_insert_with(|| self.other_slopes(values, place));
                slopes.extend_from_slice(others);
            }
            slopes
        };
        others.iter_mut().enumerate().map(at).collect()
    }

    /// The affine forms that have `value` at a point, with one of the slopes along each axis.
    pub fn tangents(&self, number: usize, value: i64, slopes: &[Slopes]) -> Vec<Flat> {
        let point = self.point(number);
        let mut all = vec![Flat {
            constant: value,
            slopes: smallvec![0; self.axes()],
        }];
        for (place, slopes) in slopes.iter().enumerate() {
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

    /// The affine form that takes these values, if there is one.
    pub fn fitted(&self, values: &[i64]) -> Option<Flat> {
        let first = (self.len() > 0).then_some(0)?;
        let mut flat = Flat {
            constant: values[first],
            slopes: smallvec![0; self.axes()],
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
