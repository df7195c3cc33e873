//! Branches whose probability depends on the number of the iteration.

use crate::lowering::{Known, KnownValue};
use crate::profile::record::Site;

/// The positions of some trials: the first and the last, trials, and those that hold.
struct Bin {
    first: f64,
    last: f64,
    calls: f64,
    taken: f64,
    /// Growth of the number of trials per position, relative to their mean.
    slope: f64,
}

/// `constant + slope / (j + offset)`, and the standard errors of both.
#[derive(Clone, Copy)]
struct Line {
    constant: f64,
    slope: f64,
    errors: [f64; 2],
    offset: u32,
}

/// Trials with the probability `a + b / (j + c)` at the j-th iteration of the surrounding loop, if it is not constant.
pub fn by_position(site: &Site, runs: &[Vec<Site>], trials: &str) -> Option<Known> {
    let bins = bins(site);
    let calls: f64 = bins.iter().map(|bin| bin.calls).sum();
    let p = bins.iter().map(|bin| bin.taken).sum::<f64>() / calls;
    if bins.len() < 4 || p <= 0.0 || p >= 1.0 {
        return None;
    }
    let spread = spread(&bins, runs);
    if misfit(&bins, |_| p) <= spread * limit(bins.len() as f64 - 1.0) {
        return None;
    }
    let mut best: Option<(f64, Line)> = None;
    for offset in 0..=16 {
        for constant in [false, true] {
            let Some(line) = line(&bins, offset, constant) else {
                continue;
            };
            let wrong = misfit(&bins, |bin| line.at(bin));
            // A constant must be worth its place, as Akaike has it.
            let price = wrong + if constant { 2.0 * spread } else { 0.0 };
            let first = line.constant + line.slope / (1.0 + f64::from(offset));
            let is_share = |share: f64| (0.0..=1.0 + 1e-9).contains(&share);
            let is_best = best.as_ref().is_none_or(|(least, _)| price < *least);
            if is_share(first) && is_share(line.constant) && is_best {
                best = Some((price, line));
            }
        }
    }
    let (wrong, line) = best?;
    let errors = line.errors.map(|error| error * spread.sqrt());
    (wrong <= spread * limit(bins.len() as f64 - 2.0)).then(|| Known {
        note: format!("{trials}, by the number of the iteration"),
        value: KnownValue::Position {
            constant: few_digits(line.constant, errors[0]),
            slope: few_digits(line.slope, errors[1]),
            offset: i64::from(line.offset),
        },
    })
}

/// The bins whose positions all came up: fewer trials lie at the later ones, as loops end, and how many follows from the
/// mean position. Bins in which all loops ended early are left out.
fn bins(site: &Site) -> Vec<Bin> {
    let bins = site.position.iter().enumerate();
    let bins = bins.map(|(k, [calls, taken, positions])| {
        let (first, count) = ((1_u64 << k) as f64, (1_u64 << k) as f64);
        let middle = first + (count - 1.0) / 2.0;
        let variance = (count * count - 1.0) / 12.0;
        let apart = *positions as f64 / *calls as f64 - middle;
        Bin {
            first,
            last: first + count - 1.0,
            calls: *calls as f64,
            taken: *taken as f64,
            slope: if count > 1.0 { apart / variance } else { 0.0 },
        }
    });
    let is_whole = |bin: &Bin| bin.slope.abs() * (bin.last - bin.first) / 2.0 <= 1.0;
    bins.take_while(is_whole).collect()
}

/// Variance of the counts over runs relative to independent trials: consecutive loops are seldom independent. Runs
/// with one seed belong together, whatever their sizes.
fn spread(bins: &[Bin], runs: &[Vec<Site>]) -> f64 {
    let seeds = runs.iter().map(Vec::len).max().unwrap_or(0);
    if seeds < 5 {
        return 1.0;
    }
    let of_seed = |seed: usize, bin: usize| {
        let runs = runs
            .iter()
            .filter_map(|runs| runs.get(seed)?.position.get(bin));
        runs.fold((0.0, 0.0), |sum, [calls, taken, _]| {
            (sum.0 + *calls as f64, sum.1 + *taken as f64)
        })
    };
    let one = |(place, bin): (usize, &Bin)| {
        let p = bin.taken / bin.calls;
        let squares = (0..seeds).map(|seed| {
            let (calls, taken) = of_seed(seed, place);
            (taken - p * calls).powi(2)
        });
        let expected = bin.calls * p * (1.0 - p) * (1.0 - 1.0 / seeds as f64);
        if expected > 0.0 {
            squares.sum::<f64>() / expected
        } else {
            1.0
        }
    };
    let all: f64 = bins.iter().enumerate().map(one).sum();
    (all / bins.len() as f64).max(1.0)
}

/// Limit of a sum of squares of this many normal variables; greater sums are not due to chance.
fn limit(freedom: f64) -> f64 {
    freedom + 4.0 * (2.0 * freedom).sqrt() + 4.0
}

/// The squared distances from these shares, by their deviations.
fn misfit(bins: &[Bin], share: impl Fn(&Bin) -> f64) -> f64 {
    let one = |bin: &Bin| {
        let p = share(bin).clamp(1e-12, 1.0 - 1e-12);
        (bin.taken - p * bin.calls).powi(2) / (p * (1.0 - p) * bin.calls)
    };
    bins.iter().map(one).sum()
}

/// The mean of `1 / (j + c)` over a bin: of `1 + slope (j - middle)` trials at j.
fn mean_reciprocal(bin: &Bin, c: f64) -> f64 {
    let count = bin.last - bin.first + 1.0;
    let middle = (bin.first + bin.last) / 2.0;
    let sum = if count <= 4096.0 {
        (0..count as u64)
            .map(|k| 1.0 / (bin.first + k as f64 + c))
            .sum()
    } else {
        ((bin.last + c + 0.5) / (bin.first + c - 0.5)).ln()
    };
    (sum + bin.slope * (count - (middle + c) * sum)) / count
}

impl Line {
    fn at(&self, bin: &Bin) -> f64 {
        self.constant + self.slope * mean_reciprocal(bin, f64::from(self.offset))
    }
}

/// By weighted least squares of the bins' shares, with a constant or without.
fn line(bins: &[Bin], offset: u32, constant: bool) -> Option<Line> {
    let (mut s, mut sx, mut sxx, mut sy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for bin in bins {
        let x = mean_reciprocal(bin, f64::from(offset));
        // A share that was never or always taken is not certain either.
        let p = (bin.taken + 0.5) / (bin.calls + 1.0);
        let weight = bin.calls / (p * (1.0 - p));
        let y = bin.taken / bin.calls;
        s += weight;
        sx += weight * x;
        sxx += weight * x * x;
        sy += weight * y;
        sxy += weight * x * y;
    }
    if !constant {
        return Some(Line {
            constant: 0.0,
            slope: sxy / sxx,
            errors: [0.0, sxx.powf(-0.5)],
            offset,
        });
    }
    let determinant = s * sxx - sx * sx;
    (determinant > 1e-12 * s * sxx).then(|| Line {
        constant: (sy * sxx - sx * sxy) / determinant,
        slope: (s * sxy - sx * sy) / determinant,
        errors: [(sxx / determinant).sqrt(), (s / determinant).sqrt()],
        offset,
    })
}

/// The shortest number within two standard errors.
fn few_digits(value: f64, error: f64) -> f64 {
    let rounded = |digits: usize| format!("{value:.digits$}").parse().unwrap_or(value);
    let is_near = |number: &f64| (number - value).abs() <= 2.0 * error;
    (0..6)
        .map(rounded)
        .find(is_near)
        .unwrap_or_else(|| rounded(6))
}
