//! Selects the nearest of several bounds by their values at points where the facts hold.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

use crate::algebra::facts::some_witnesses;
use crate::algebra::relaxation::Side;
use crate::algebra::terms::Terms;

/// Number of points at which bounds are compared.
const POINTS: usize = 40;
/// The most that one point says, as a logarithm.
const MOST_OF_A_POINT: f64 = 3.0;
/// A bound joins a combination if it improves the combination by this much in the mean for each `SHORT` operations.
/// At most `MOST_TOGETHER` bounds are combined.
const WORTH_ONE_MORE: f64 = 0.1;
const SHORT: f64 = 60.0;
/// Value of one operation less, as a logarithm of the gain: a long bound must be clearly nearer.
const WORTH_OF_A_NODE: f64 = 0.000_1;
const MOST_TOGETHER: usize = 3;

/// Indices of the best bound, which comes first, and of the bounds that are better at enough points.
pub fn sharpest(arena: &Arena, known: &[ExprId], bounds: &[ExprId], side: Side) -> Vec<usize> {
    let (mut own, mut copied) = (Arena::new(), FxHashMap::default());
    let known = own.import_all(arena, known, &mut copied);
    let bounds = own.import_all(arena, bounds, &mut copied);
    let sizes: Vec<u32> = bounds.iter().map(|&bound| own.size(bound)).collect();
    let terms = Terms::new(own);
    let mut points = some_witnesses(&terms, &known, POINTS);
    let values: Vec<Vec<Option<Rational>>> = bounds
        .iter()
        .map(|&bound| {
            let points = points.iter_mut();
            points.map(|point| point.value(&terms, bound)).collect()
        })
        .collect();
    // The mean gain of one bound over others, at points where it is better than all of them.
    let gain = |better: usize, others: &[usize]| -> f64 {
        let gains = (0..points.len()).filter_map(|point| {
            let better = values[better][point].as_ref()?;
            let others = others.iter().map(|&other| {
                let other = values[other][point].as_ref()?;
                Some(gained(better, other, side))
            });
            others
                .collect::<Option<Vec<f64>>>()?
                .into_iter()
                .reduce(f64::min)
        });
        let gains: Vec<f64> = gains.collect();
        gains.iter().sum::<f64>() / gains.len().max(1) as f64
    };
    let worth = |place: usize| WORTH_ONE_MORE * (f64::from(sizes[place]) / SHORT).max(1.0);
    let cost = |place: usize| WORTH_OF_A_NODE * f64::from(sizes[place]);
    let all = 0..bounds.len();
    let ahead = |place: usize| -> f64 {
        let others = all.clone();
        others
            .map(|other| gain(place, &[other]) - gain(other, &[place]) + cost(other) - cost(place))
            .sum()
    };
    // Among equal bounds, the first one, which is usually shorter.
    let best = all
        .clone()
        .rev()
        .max_by(|&a, &b| ahead(a).total_cmp(&ahead(b)));
    let mut chosen: Vec<usize> = best.into_iter().collect();
    while chosen.len() < MOST_TOGETHER {
        let others = all.clone().filter(|place| !chosen.contains(place));
        let gains = others.map(|place| (gain(place, &chosen), place));
        match gains.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((gain, place)) if gain > worth(place) => chosen.push(place),
            _ => break,
        }
    }
    chosen
}

/// By how much, as a logarithm, the first of two bounds is nearer at a point; 0 where it is not.
fn gained(better: &Rational, worse: &Rational, side: Side) -> f64 {
    let (larger, smaller) = match side {
        Side::Lower => (better, worse),
        Side::Upper => (worse, better),
    };
    if larger <= smaller {
        return 0.0;
    }
    // From below, nothing that is known of a time is worse than that it is not negative.
    match (larger.is_positive(), smaller.is_positive()) {
        (true, true) => (larger.to_f64() / smaller.to_f64())
            .ln()
            .min(MOST_OF_A_POINT),
        (true, false) => MOST_OF_A_POINT,
        (false, _) => 0.0,
    }
}
