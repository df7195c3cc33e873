//! Data of a law on the cells of a grid: the probability beyond the end of each cell, and the integrals of that
//! probability.

use std::collections::HashMap;

use pamela_law::Probability;
use rayon::prelude::*;

use super::Grid;
use crate::times::{Time, Times};

/// If the probability beyond is smaller, areas have fewer digits.
pub(crate) const RARE: f64 = 1e-13;

/// Steps in the logits of the quantiles between which laws are smooth, from the median on: how many of which.
const KNOTS: [(i32, f64); 3] = [(8, 0.5), (4, 1.0), (16, 2.0)];

/// The tail of a law on a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// The number of the first cell.
    pub first: usize,
    /// `P(X > x)` at the ends of cells, from the lower end of the first cell on.
    pub tails: Vec<f64>,
    /// The integral of `P(X > x)` over each cell; one entry less than `tails`. Slightly too large where the
    /// probability is below the requested precision.
    pub areas: Vec<f64>,
    /// The integral beyond the last cell of the grid.
    pub beyond: f64,
}

/// The profiles of tasks on one grid; those of equal times are one.
pub(crate) struct Profiles {
    profiles: Vec<Profile>,
    /// Index of the profile of each task.
    places: Vec<u32>,
}

impl Profiles {
    /// If the probability beyond is less than `least`, areas are upper bounds.
    pub fn new(times: &Times, grid: Grid, least: f64) -> Profiles {
        let mut known: HashMap<(Option<u32>, u64, u64), u32> = HashMap::new();
        let mut firsts: Vec<u32> = Vec::new();
        let mut places = Vec::with_capacity(times.len());
        for task in 0..times.len() as u32 {
            let Time { law, factor, shift } = times.of(task);
            let place = known
                .entry((law, factor.to_bits(), shift.to_bits()))
                .or_insert_with(|| {
                    firsts.push(task);
                    firsts.len() as u32 - 1
                });
            places.push(*place);
        }
        let cutter = Cutter::new(times, grid, least);
        let profiles = firsts
            .par_iter()
            .map_init(Profile::default, |scratch, &task| {
                cutter.profile(task, scratch)
            })
            .collect();
        Profiles { profiles, places }
    }

    /// The profile of a task's time.
    pub fn of(&self, task: u32) -> &Profile {
        &self.profiles[self.places[task as usize] as usize]
    }
}

/// Cuts laws into cells.
struct Cutter<'a> {
    times: &'a Times,
    grid: Grid,
    least: f64,
    /// For each law, values between which it is smooth.
    knots: Vec<Vec<f64>>,
}

impl<'a> Cutter<'a> {
    fn new(times: &'a Times, grid: Grid, least: f64) -> Cutter<'a> {
        let knots = times.laws().par_iter().map(|law| {
            let steps = KNOTS
                .iter()
                .flat_map(|&(count, step)| (0..count).map(move |_| step));
            let logits = steps.scan(0.0, |logit, step| {
                *logit += step;
                Some(*logit)
            });
            let both = logits.flat_map(|logit| [-logit, logit]).chain([0.0]);
            let mut knots: Vec<f64> = both
                .map(|logit| law.quantile(Probability::from_logit(logit)))
                .collect();
            // The knots of a discrete law are its values, between which its cdf is constant.
            knots.extend(law.breaks());
            knots.retain(|x| x.is_finite());
            knots.sort_by(f64::total_cmp);
            knots.dedup();
            knots
        });
        Cutter {
            times,
            grid,
            least,
            knots: knots.collect(),
        }
    }

    fn profile(&self, task: u32, scratch: &mut Profile) -> Profile {
        let time = self.times.of(task);
        match time.law {
            Some(law) if !self.times.is_number(task) => {
                self.of_law(law, time, self.times.mean(task), scratch);
                scratch.clone()
            }
            _ => self.of_number(self.times.mean(task)),
        }
    }

    fn of_number(&self, value: f64) -> Profile {
        let Grid { cells, width } = self.grid;
        let first = self.grid.below(value);
        if first >= cells {
            let beyond = value - cells as f64 * width;
            let tail = if beyond > 0.0 { 1.0 } else { 0.0 };
            return Profile {
                first: cells,
                tails: vec![tail],
                areas: Vec::new(),
                beyond,
            };
        }
        let inside = value - first as f64 * width;
        if inside > 0.0 {
            Profile {
                first,
                tails: vec![1.0, 0.0],
                areas: vec![inside],
                beyond: 0.0,
            }
        } else {
            Profile {
                first,
                tails: vec![0.0],
                areas: Vec::new(),
                beyond: 0.0,
            }
        }
    }

    /// Into a profile whose room exists already: how many cells there are turns out last.
    fn of_law(&self, number: u32, time: Time, mean: f64, profile: &mut Profile) {
        let Grid { cells, width } = self.grid;
        let law = &self.times.laws()[number as usize];
        let tails = law.tails();
        let tail = |x: f64| tails((x - time.shift) / time.factor);
        let lower = time.shift + time.factor * law.support().lower;
        let first = self.grid.below(lower);
        profile.first = first;
        profile.areas.clear();
        profile.tails.clear();
        profile.tails.push(tail(first as f64 * width));
        // The integral so far, from 0 on.
        let mut whole = first as f64 * width;
        let knots = &self.knots[number as usize];
        let mut knot =
            knots.partition_point(|x| time.shift + time.factor * x <= first as f64 * width);
        for cell in first..cells {
            let (begin, end) = (cell as f64 * width, (cell + 1) as f64 * width);
            let before = profile.tails[profile.tails.len() - 1];
            if before <= 0.0 {
                break;
            }
            let next = tail(end);
            let mut area = width * before;
            if before > self.least {
                let rule = if before > RARE { &SIX[..] } else { &THREE };
                let from_knot_to_knot = |x: f64, y: f64| integral(x, y, rule, &tail);
                (area, knot) = by_knots([begin, end], knots, knot, time, &from_knot_to_knot);
            }
            profile.areas.push(area.clamp(width * next, width * before));
            profile.tails.push(next);
            whole += area;
        }
        let last = profile.tails[profile.tails.len() - 1];
        profile.beyond = if last > 1e-9 {
            // The mean is known exactly.
            f64::max(mean - whole, 0.0)
        } else {
            far(cells as f64 * width, width, &tail)
        };
    }
}

/// The integral over a cell, from knot to knot; the first knot beyond it.
fn by_knots(
    [begin, end]: [f64; 2],
    knots: &[f64],
    mut knot: usize,
    time: Time,
    integral: &impl Fn(f64, f64) -> f64,
) -> (f64, usize) {
    let (mut area, mut from) = (0.0, begin);
    while let Some(x) = knots
        .get(knot)
        .map(|x| time.shift + time.factor * x)
        .filter(|&x| x < end)
    {
        area += integral(from, x);
        from = x.max(from);
        knot += 1;
    }
    (area + integral(from, end), knot)
}

/// The integral of a small tail from a value on.
fn far(from: f64, width: f64, tail: &impl Fn(f64) -> f64) -> f64 {
    const PANELS: usize = 48;
    let (mut sum, mut begin, mut length) = (0.0, from, 8.0 * width);
    for _ in 0..PANELS {
        if tail(begin) <= 0.0 {
            break;
        }
        sum += integral(begin, begin + length, &SIX, tail);
        (begin, length) = (begin + length, 1.6 * length);
    }
    sum
}

/// Nodes above the middle of [-1, 1], and their weights; those below are their mirror images.
type Rule = [(f64, f64)];

/// Legendre's rule of 6 points.
const SIX: [(f64, f64); 3] = [
    (0.238_619_186_083_196_9, 0.467_913_934_572_691),
    (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (0.932_469_514_203_152, 0.171_324_492_379_170_35),
];

/// The Gauss rule with 3 points. The middle point is its own mirror image, so its weight is halved.
const THREE: [(f64, f64); 2] = [(0.0, 4.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

fn integral(from: f64, to: f64, rule: &Rule, f: &impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    if half <= 0.0 {
        return 0.0;
    }
    let pairs = rule.iter().map(|&(node, weight)| {
        let both = if node > 0.0 {
            f(middle - half * node) + f(middle + half * node)
        } else {
            2.0 * f(middle)
        };
        weight * both
    });
    half * pairs.sum::<f64>()
}
