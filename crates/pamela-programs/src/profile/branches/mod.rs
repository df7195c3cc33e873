//! Models of branches, loops and values from counts: independent trials, trials that depend on their number, runs,
//! and iteration counts.
//!
//! For windows of m trials, `v(m)` is the mean of `(count - m p)^2 / m`. Independent trials have `v(m) = p (1 - p)`
//! for every m. For alternating runs it tends to `Var((1 - p) U - p D) / E(U + D)`, where U and D are the lengths of
//! a run that holds and of the next one. If the share is drawn once per run, `v(m)` grows like m.

mod iterations;
mod position;
mod rates;

use std::collections::BTreeMap;

use super::record::{Profile, Site};
use crate::lowering::{Known, KnownLaw, KnownValue};
use crate::problem::{short, six_digits};
use iterations::{of_loop, of_messages, of_values};
use position::by_position;
use rates::{Curve, curve, is_flat, is_level, rates};

/// Fewer windows say nothing of a variance.
const FEW: f64 = 30.0;
/// Deviations that are chance.
const CHANCE: f64 = 3.0;

/// Facts about the sites of a profile.
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
        let known = if points.iter().any(|site| site.sum.is_some()) {
            of_values(&points, &runs)
        } else if points.iter().any(|site| site.bytes > 0) {
            of_messages(&points)
        } else if points.iter().any(Site::is_loop) {
            of_loop(&points, &runs)
        } else {
            of_branch(&points, &runs)
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
        KnownValue::Same { mean, .. } | KnownValue::Drawn { mean, .. } => Known {
            value: KnownValue::constant(mean),
            ..known
        },
        _ => known,
    }
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

/// The variance of a sum over runs, relative to the variance with this much per call, and its degrees of freedom.
fn over_runs(runs: &[Vec<Site>], each: f64, sum: impl Fn(&Site) -> f64) -> (f64, f64) {
    let (mut squares, mut freedom, mut expected) = (0.0, 0.0, 0.0);
    for runs in runs {
        let count = runs.len() as f64;
        let mean = runs.iter().map(&sum).sum::<f64>() / count;
        squares += runs
            .iter()
            .map(|run| (sum(run) - mean).powi(2))
            .sum::<f64>();
        let calls = runs.iter().map(|run| run.calls as f64).sum::<f64>() / count;
        expected += (count - 1.0) * calls * each;
        freedom += count - 1.0;
    }
    (squares / expected, freedom)
}

/// More than 20 % from 1, and it is not chance.
fn is_off(ratio: f64, freedom: f64) -> bool {
    (ratio - 1.0).abs() > 0.2 + CHANCE * (2.0 / freedom).sqrt()
}

/// The law of four moments, the last two as far apart as a law has them.
fn moments(mean: f64, k2: f64, k3: f64, k4: f64) -> KnownLaw {
    let skewness = k3 / k2.powf(1.5);
    let kurtosis = (3.0 + k4 / (k2 * k2)).max(skewness * skewness + 1.0 + 1e-6);
    KnownLaw::Moments {
        mean: six_digits(mean),
        variance: six_digits(k2),
        skewness: six_digits(skewness),
        kurtosis: six_digits(kurtosis),
    }
}

/// The model that fits a branch.
fn of_branch(points: &[Site], runs: &[Vec<Site>]) -> Known {
    let all = merged(points);
    let (calls, taken) = (all.calls as f64, all.taken as f64);
    let p = taken / calls;
    let trials = format!("{} trials", all.calls);
    if all.taken == 0 || all.taken == all.calls {
        return Known {
            value: KnownValue::constant(six_digits(p)),
            note: format!("always the same, in {trials}"),
        };
    }
    if let Some(known) = by_position(&all, runs, &trials) {
        return known;
    }
    let curve = curve(&all, p);
    // Runs in alternation vary more than independent trials.
    let rate = rates(&all).map_or(p * (1.0 - p), |rates| rates[1].max(p * (1.0 - p)));
    let drawn = drawn_once(&curve, runs);
    let agrees = |(place, site): (usize, &Site)| {
        let of_runs = drawn.as_ref().zip(runs.get(place));
        let of_runs = of_runs.map_or(0.0, |(drawn, runs)| drawn.variance / runs.len() as f64);
        (site.mean() - p).abs() <= CHANCE * (rate / site.calls as f64 + of_runs).sqrt()
    };
    if points.len() > 1 && !points.iter().enumerate().all(agrees) {
        return unknown(span(points));
    }
    let mean = six_digits(p);
    let mut known = if is_flat(&curve, p) {
        Known {
            note: format!("{trials}, independent of each other"),
            value: KnownValue::Same {
                law: KnownLaw::Bernoulli(mean),
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
    } else if let Some(drawn) = drawn {
        return Known {
            note: format!("{trials}; another share in each of {} runs", drawn.runs),
            value: KnownValue::Drawn {
                law: drawn.law,
                mean,
            },
        };
    } else {
        Known {
            note: format!("{trials}, neither independent nor in runs: its mean"),
            value: KnownValue::constant(mean),
        }
    };
    if let Some(more) = carried(&known, runs, p) {
        known.note.push_str(&more);
    }
    known
}

/// A share that is another one in each run.
struct VaryingShare {
    runs: usize,
    variance: f64,
    /// The Beta law of this mean and variance.
    law: KnownLaw,
}

/// If v grows with the width: the variance of the shares of runs at one point, beyond that of their trials.
fn drawn_once(curve: &Curve, runs: &[Vec<Site>]) -> Option<VaryingShare> {
    let last = &curve[curve.len().saturating_sub(4)..];
    let grows = |pair: &[(f64, f64, f64)]| pair[1].2 / pair[0].2 > 1.6;
    if last.len() < 4 || !last.windows(2).all(grows) {
        return None;
    }
    let count = runs.iter().map(Vec::len).sum::<usize>();
    let freedom = count.saturating_sub(runs.len()) as f64;
    let all = || runs.iter().flatten();
    if freedom < 5.0 || all().any(|run| run.calls < 2) {
        return None;
    }
    let mean = |runs: &[Site]| runs.iter().map(Site::mean).sum::<f64>() / runs.len() as f64;
    let squares = runs.iter().map(|runs| {
        let mean = mean(runs);
        let squares = runs.iter().map(|run| (run.mean() - mean).powi(2));
        squares.sum::<f64>()
    });
    // With N trials, the share has the variance `(E P (1 - E P) + (N - 1) Var P) / N`.
    let p = all().map(Site::mean).sum::<f64>() / count as f64;
    let q = 1.0 - p;
    let trials = all().map(|run| 1.0 / run.calls as f64).sum::<f64>() / count as f64;
    let variance = (squares.sum::<f64>() / freedom - p * q * trials) / (1.0 - trials);
    // The variance of a law between 0 and 1, whose parameters are positive.
    let both = p * q / variance - 1.0;
    let has_law = variance > 0.0 && both > 0.0;
    has_law.then(|| VaryingShare {
        runs: count,
        variance,
        law: KnownLaw::Beta(six_digits(p * both), six_digits(q * both)),
    })
}

/// A note if the variance over runs differs from the model by more than 20 % and not by chance.
fn carried(known: &Known, runs: &[Vec<Site>], p: f64) -> Option<String> {
    let KnownValue::Same { law, .. } = &known.value else {
        return None;
    };
    let rate = match law {
        KnownLaw::Constant(_) => return None,
        KnownLaw::Moments { variance, .. } => *variance,
        _ => p * (1.0 - p),
    };
    let (ratio, freedom) = over_runs(runs, rate, |site| site.taken as f64);
    let is_off = freedom >= 5.0 && is_off(ratio, freedom);
    is_off.then(|| format!("; over runs its variance is {} of that", short(ratio)))
}
