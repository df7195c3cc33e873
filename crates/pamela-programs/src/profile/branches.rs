//! What counts say of branches and loops: independent trials, trials that depend on their number, runs, and how often
//! loops run.
//!
//! Of windows of m trials, `v(m)` is the mean of `(count - m p)^2 / m`. Independent trials have `v(m) = p (1 - p)` at
//! every m; of runs in alternation it comes to `Var((1 - p) U - p D) / E(U + D)`, where U and D are the lengths of a run
//! that holds and of the one behind it; of trials whose share is drawn once a run it grows as m does.

use std::collections::BTreeMap;

use super::record::{Profile, Site};
use crate::lowering::{Known, KnownValue};
use crate::problem::short;

/// Fewer windows say nothing of a variance.
const FEW: f64 = 30.0;
/// Deviations that are chance.
const CHANCE: f64 = 3.0;

/// What a profile knows of its sites.
pub fn known(profile: &Profile) -> BTreeMap<String, Known> {
    let mut all = BTreeMap::new();
    for site in profile.sites.keys() {
        let points = profile.points.iter().filter_map(|point| point.site(site));
        let points: Vec<Site> = points.filter(|site| site.calls > 0).collect();
        let runs = profile.points.iter().map(|point| {
            let runs = point.runs.iter().filter_map(|run| run.sites.get(site));
            runs.cloned().collect::<Vec<Site>>()
        });
        let runs: Vec<Vec<Site>> = runs.filter(|runs| !runs.is_empty()).collect();
        if points.is_empty() {
            continue;
        }
        let known = match points.iter().any(Site::is_loop) {
            true => of_loop(&points),
            false => of_branch(&points, &runs),
        };
        // Cases of a switch are taken one after the other: only their shares are put in.
        let is_case = site.split('/').count() > 2;
        all.insert(
            site.clone(),
            if is_case { without_law(known) } else { known },
        );
    }
    all
}

fn without_law(known: Known) -> Known {
    match known.value {
        KnownValue::Same { mean, .. } => Known {
            value: KnownValue::Same {
                law: mean.clone(),
                mean,
            },
            ..known
        },
        _ => known,
    }
}

fn digits(value: f64) -> String {
    let rounded = format!("{value:.5e}").parse::<f64>().unwrap_or(value);
    rounded.to_string()
}

fn unknown(note: String) -> Known {
    Known {
        value: KnownValue::Unknown,
        note,
    }
}

fn span(points: &[Site]) -> String {
    let means = points.iter().map(Site::mean);
    let least = means.clone().fold(f64::INFINITY, f64::min);
    let most = means.fold(f64::NEG_INFINITY, f64::max);
    format!(
        "from {} to {} at the points of the profile",
        short(least),
        short(most)
    )
}

fn merged(points: &[Site]) -> Site {
    let mut all = Site::default();
    points.iter().for_each(|point| all.add(point));
    all
}

/// Cumulants of the iterations: k-statistics, from the sums of powers.
fn iterations(site: &Site) -> [f64; 4] {
    let n = site.calls as f64;
    let sum = |k: usize| site.trips.get(k).map_or(0.0, |sum| *sum as f64);
    let mean = sum(0) / n;
    // Central sums by doubles are good where numbers of iterations are of one order.
    let second = (sum(1) - n * mean * mean).max(0.0);
    let third = sum(2) - 3.0 * mean * sum(1) + 2.0 * n * mean.powi(3);
    let fourth = sum(3) - 4.0 * mean * sum(2) + 6.0 * mean * mean * sum(1) - 3.0 * n * mean.powi(4);
    if n < 4.0 {
        return [mean, second / (n - 1.0).max(1.0), 0.0, 0.0];
    }
    let k2 = second / (n - 1.0);
    let k3 = n * third / ((n - 1.0) * (n - 2.0));
    let k4 = (n * (n + 1.0) * fourth - 3.0 * (n - 1.0) * second * second)
        / ((n - 1.0) * (n - 2.0) * (n - 3.0));
    [mean, k2, k3, k4]
}

fn of_loop(points: &[Site]) -> Known {
    let each: Vec<[f64; 4]> = points.iter().map(iterations).collect();
    let all = merged(points);
    let exact = |site: &Site| {
        // All numbers are the same where the square of the sum is n times the sum of the squares.
        let [sum, squares, ..] = site.trips[..] else {
            return true;
        };
        sum.checked_mul(sum) == squares.checked_mul(u128::from(site.calls))
    };
    if exact(&all) {
        let value = digits(all.mean());
        return Known {
            value: KnownValue::Same {
                law: value.clone(),
                mean: value,
            },
            note: format!("always, in {} loops", all.calls),
        };
    }
    let [mean, k2, k3, k4] = iterations(&all);
    let agrees = |(own, site): (&[f64; 4], &Site)| {
        let error = (k2 / site.calls as f64).sqrt();
        (own[0] - mean).abs() <= CHANCE * error + 1e-9 * mean
    };
    if !each.iter().zip(points).all(agrees) {
        return unknown(span(points));
    }
    let has_moments = all.calls as f64 >= FEW && k2 > 0.0;
    let law = match has_moments {
        true => moments(mean, k2, k3, k4),
        false => digits(mean),
    };
    Known {
        note: match has_moments {
            true => format!("{} loops", all.calls),
            false => format!("{} loops: too few for a law", all.calls),
        },
        value: KnownValue::Same {
            law,
            mean: digits(mean),
        },
    }
}

/// `moments(mean, variance, skewness, kurtosis)`, the last two as far apart as a law has them.
fn moments(mean: f64, k2: f64, k3: f64, k4: f64) -> String {
    let skewness = k3 / k2.powf(1.5);
    let kurtosis = (3.0 + k4 / (k2 * k2)).max(skewness * skewness + 1.0 + 1e-6);
    format!(
        "moments({}, {}, {}, {})",
        digits(mean),
        digits(k2),
        digits(skewness),
        digits(kurtosis)
    )
}

/// Which model of a branch fits.
fn of_branch(points: &[Site], runs: &[Vec<Site>]) -> Known {
    let all = merged(points);
    let (calls, taken) = (all.calls as f64, all.taken as f64);
    let p = taken / calls;
    let trials = format!("{} trials", all.calls);
    if all.taken == 0 || all.taken == all.calls {
        let value = digits(p);
        return Known {
            value: KnownValue::Same {
                law: value.clone(),
                mean: value,
            },
            note: format!("always the same, in {trials}"),
        };
    }
    if let Some(known) = by_position(&all, &trials) {
        return known;
    }
    let agrees = |site: &Site| {
        // Runs in alternation vary more than independent trials.
        let rate = rates(&all).map_or(p * (1.0 - p), |rates| rates[1].max(p * (1.0 - p)));
        (site.mean() - p).abs() <= CHANCE * (rate / site.calls as f64).sqrt()
    };
    if points.len() > 1 && !points.iter().all(agrees) {
        return unknown(span(points));
    }
    let mean = digits(p);
    let curve = curve(&all, p);
    let mut known = if is_flat(&curve, p) {
        Known {
            note: format!("{trials}, independent of each other"),
            value: KnownValue::Same {
                law: format!("bernoulli({mean})"),
                mean,
            },
        }
    } else if let Some([_, k2, k3, k4]) = rates(&all).filter(|rates| is_level(&curve, rates[1])) {
        Known {
            note: format!(
                "{trials}, in runs: a variance of {} each, for {}",
                short(k2),
                short(p * (1.0 - p))
            ),
            value: KnownValue::Same {
                law: moments(p, k2, k3, k4),
                mean,
            },
        }
    } else {
        let note = match drawn_once(&curve, runs, p) {
            Some(variance) => format!(
                "{trials}; another share in each run, of variance {}: its mean",
                short(variance)
            ),
            None => format!("{trials}, neither independent nor in runs: its mean"),
        };
        Known {
            note,
            value: KnownValue::Same {
                law: mean.clone(),
                mean,
            },
        }
    };
    if let Some(more) = carried(&known, runs, p) {
        known.note.push_str(&more);
    }
    known
}

/// The width of a window, how many there were, and v.
type Curve = Vec<(f64, f64, f64)>;

fn curve(site: &Site, p: f64) -> Curve {
    let windows = site.windows.iter().enumerate();
    windows
        .map(|(k, [number, sum, squares])| {
            let (m, n) = ((1_u64 << k) as f64, *number as f64);
            let total = *squares as f64 - 2.0 * m * p * *sum as f64 + n * (m * p) * (m * p);
            (m, n, total.max(0.0) / (n * m))
        })
        .filter(|(_, n, _)| *n >= FEW)
        .collect()
}

/// Whether v is that of independent trials at all widths, but for chance.
fn is_flat(curve: &Curve, p: f64) -> bool {
    let q = 1.0 - p;
    curve.iter().all(|(m, n, v)| {
        let kurtosis = 3.0 + (1.0 - 6.0 * p * q) / (m * p * q);
        (v / (p * q) - 1.0).abs() <= CHANCE * ((kurtosis - 1.0).max(0.0) / n).sqrt() + 1e-9
    })
}

/// Whether v comes to this value, within 10 % and chance, over the last three octaves.
fn is_level(curve: &Curve, rate: f64) -> bool {
    let last = &curve[curve.len().saturating_sub(3)..];
    last.len() == 3
        && last
            .iter()
            .all(|(_, n, v)| (v / rate - 1.0).abs() <= 0.1 + CHANCE * (2.0 / n).sqrt())
}

/// The share, and the second to fourth cumulants of what is taken, each trial: the series of theta(s), where
/// `E exp(s U - theta(s) (U + D)) = 1`.
fn rates(site: &Site) -> Option<[f64; 4]> {
    let (first, sums) = site.cycles.split_first()?;
    let n = *first as f64;
    if n < FEW || sums.len() < 14 {
        return None;
    }
    // E(U^a D^b), of which the sums of each degree stand in the order of b.
    let e = |a: usize, b: usize| {
        let degree = a + b;
        let start = (1..degree).map(|d| d + 1).sum::<usize>();
        if degree == 0 {
            1.0
        } else {
            sums[start + b] as f64 / n
        }
    };
    let p = e(1, 0) / (e(1, 0) + e(0, 1));
    let q = 1.0 - p;
    // X = U - p (U + D) = q U - p D, C = U + D: E(X^r C^s) by the binomial theorem.
    let mixed = |r: usize, s: usize| {
        let mut total = 0.0;
        for i in 0..=r {
            for j in 0..=s {
                let factor =
                    binomial(r, i) * binomial(s, j) * q.powi((r - i) as i32) * (-p).powi(i as i32);
                total += factor * e(r - i + s - j, i + j);
            }
        }
        total
    };
    let cycle = e(1, 0) + e(0, 1);
    let k2 = mixed(2, 0) / cycle;
    let k3 = (mixed(3, 0) - 3.0 * k2 * mixed(1, 1)) / cycle;
    let k4 = (mixed(4, 0) - 6.0 * k2 * mixed(2, 1) + 3.0 * k2 * k2 * mixed(0, 2)
        - 4.0 * k3 * mixed(1, 1))
        / cycle;
    (k2 > 0.0).then_some([p, k2, k3, k4])
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// Where v grows as the width does: the variance of the shares of the runs beyond that of their trials.
fn drawn_once(curve: &Curve, runs: &[Vec<Site>], p: f64) -> Option<f64> {
    let last = &curve[curve.len().saturating_sub(4)..];
    let grows = |pair: &[(f64, f64, f64)]| pair[1].2 / pair[0].2 > 1.6;
    if last.len() < 4 || !last.windows(2).all(grows) {
        return None;
    }
    let runs: Vec<&Site> = runs.iter().flatten().collect();
    let (count, trials) = (runs.len() as f64, runs[0].calls as f64);
    if count < 5.0 || runs.iter().any(|run| run.calls != runs[0].calls) || trials < 2.0 {
        return None;
    }
    let squares: f64 = runs
        .iter()
        .map(|run| (run.taken as f64 - trials * p).powi(2))
        .sum();
    let variance = (squares / (count - 1.0) - trials * p * (1.0 - p)) / (trials * (trials - 1.0));
    Some(variance).filter(|variance| *variance > 0.0)
}

/// Where the variance over runs is more than 20 % from that of the model, and it is not chance.
fn carried(known: &Known, runs: &[Vec<Site>], p: f64) -> Option<String> {
    let KnownValue::Same { law, mean } = &known.value else {
        return None;
    };
    if law == mean {
        return None;
    }
    let rate = match law.strip_prefix("moments(") {
        Some(rest) => rest.split(", ").nth(1)?.parse().ok()?,
        None => p * (1.0 - p),
    };
    let (mut squares, mut freedom, mut expected) = (0.0, 0.0, 0.0);
    for runs in runs {
        let mean = runs.iter().map(|run| run.taken as f64).sum::<f64>() / runs.len() as f64;
        squares += runs
            .iter()
            .map(|run| (run.taken as f64 - mean).powi(2))
            .sum::<f64>();
        let trials = runs.iter().map(|run| run.calls as f64).sum::<f64>() / runs.len() as f64;
        expected += (runs.len() as f64 - 1.0) * trials * rate;
        freedom += runs.len() as f64 - 1.0;
    }
    let ratio = squares / expected;
    let is_off = freedom >= 5.0 && (ratio - 1.0).abs() > 0.2 + CHANCE * (2.0 / freedom).sqrt();
    is_off.then(|| format!("; over runs its variance is {} of that", short(ratio)))
}

/// Trials whose share is `a + b / (j + c)` at the j-th since the loop around began, where it is no constant.
fn by_position(site: &Site, trials: &str) -> Option<Known> {
    let bins: Vec<(f64, f64, f64, f64)> = site
        .position
        .iter()
        .enumerate()
        .map(|(k, [calls, taken])| {
            let first = (1_u64 << k) as f64;
            // Loops are left before the bin ends: those of its positions that came up as often as the last whole bin.
            (first, 2.0 * first - 1.0, *calls as f64, *taken as f64)
        })
        .filter(|(_, _, calls, _)| *calls > 0.0)
        .collect();
    // The last bins are reached by some loops only, so that where in them trials lie is not known.
    let full = bins.iter().zip(bins.iter().skip(1));
    let full = full.take_while(|(bin, next)| next.2 >= 1.7 * bin.2).count() + 1;
    let bins = &bins[..full.min(bins.len())];
    let (calls, taken): (f64, f64) = bins
        .iter()
        .fold((0.0, 0.0), |sum, bin| (sum.0 + bin.2, sum.1 + bin.3));
    let p = taken / calls;
    if bins.len() < 4 || p <= 0.0 || p >= 1.0 {
        return None;
    }
    let limit = |freedom: f64| freedom + 4.0 * (2.0 * freedom).sqrt() + 4.0;
    let misfit = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        bins.iter()
            .map(|(first, last, calls, taken)| {
                let p = f(*first, *last).clamp(1e-12, 1.0 - 1e-12);
                (taken - p * calls).powi(2) / (p * (1.0 - p) * calls)
            })
            .sum()
    };
    if misfit(&|_, _| p) <= limit(bins.len() as f64 - 1.0) {
        return None;
    }
    let mut best: Option<(f64, f64, f64, u32)> = None;
    for offset in 0..=16 {
        for constant in [false, true] {
            let (a, b) = line(bins, f64::from(offset), constant)?;
            let wrong =
                misfit(&|first, last| a + b * mean_reciprocal(first, last, f64::from(offset)));
            // A constant must be worth its place, as Akaike has it.
            let price = wrong + if constant { 2.0 } else { 0.0 };
            let is_share = (0.0..=1.0).contains(&(a + b / (1.0 + f64::from(offset))))
                && (0.0..=1.0).contains(&a);
            if is_share && best.is_none_or(|(least, ..)| price < least) {
                best = Some((price, a, b, offset));
            }
        }
    }
    let (wrong, a, b, offset) = best?;
    if wrong > limit(bins.len() as f64 - 2.0) {
        return None;
    }
    let constant = if a == 0.0 {
        "0".to_string()
    } else {
        format!("{a:.4}")
    };
    let slope = format!("{b:.4}");
    Some(Known {
        note: format!("{trials}, by the number of the iteration"),
        value: KnownValue::Position {
            constant,
            slope,
            offset: offset.to_string(),
        },
    })
}

/// The mean of `1 / (j + c)` over a bin.
fn mean_reciprocal(first: f64, last: f64, c: f64) -> f64 {
    if last - first < 4096.0 {
        let count = (last - first) as u64 + 1;
        return (0..count)
            .map(|k| 1.0 / (first + k as f64 + c))
            .sum::<f64>()
            / count as f64;
    }
    ((last + c + 0.5) / (first + c - 0.5)).ln() / (last - first + 1.0)
}

/// `a` and `b` by weighted least squares of the bins' shares; a is 0 without a constant.
fn line(bins: &[(f64, f64, f64, f64)], c: f64, constant: bool) -> Option<(f64, f64)> {
    let (mut s, mut sx, mut sxx, mut sy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (first, last, calls, taken) in bins {
        let x = mean_reciprocal(*first, *last, c);
        // A share that was never or always taken is not certain either.
        let p = (taken + 0.5) / (calls + 1.0);
        let weight = calls / (p * (1.0 - p));
        let y = taken / calls;
        s += weight;
        sx += weight * x;
        sxx += weight * x * x;
        sy += weight * y;
        sxy += weight * x * y;
    }
    if !constant {
        return Some((0.0, sxy / sxx));
    }
    let determinant = s * sxx - sx * sx;
    (determinant.abs() > 1e-12 * s * sxx).then(|| {
        (
            (sy * sxx - sx * sxy) / determinant,
            (s * sxy - sx * sy) / determinant,
        )
    })
}
