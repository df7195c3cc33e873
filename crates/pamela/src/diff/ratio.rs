//! The greatest quotient of both values.

use super::compare::{Forms, order};
use super::sides::{Pair, Sides};
use super::{GrowthChange, Ratio, RatioKind};
use crate::claims::{Axis, Goal, Place};
use crate::eval::Number;
use crate::expr::ExprId;
use crate::ring::Rational;

/// Where limits are looked for.
const FAR: i64 = 1 << 44;
/// A limit is a fraction with no greater denominator, from which values differ by no more.
const MOST_DENOMINATOR: i64 = 1_000;
const NEAR: f64 = 1e-6;
/// Points with the largest quotients that are compared exactly.
const MOST_EXACT: usize = 8;

impl Sides<'_> {
    /// The supremum of the quotient of the second value by the first, where the first is positive.
    pub(super) fn ratio(
        &self,
        name: &str,
        forms: &mut Forms,
        pairs: &[Pair],
        (axes, growth): (&[Axis], &[GrowthChange]),
    ) -> Option<Ratio> {
        let positive = pairs
            .iter()
            .filter(|pair| pair.values[0] > 0.0 && pair.values[1] >= 0.0);
        let mut positive: Vec<&Pair> = positive.collect();
        positive.sort_by(|a, b| quotient(b).total_cmp(&quotient(a)));
        let (largest, place) = self.largest(name, &positive)?;
        let sampled = |kind, at: Option<&Place>| Ratio {
            value: largest.to_f64(),
            exact: largest.as_exact().map(ToString::to_string),
            kind,
            at: at.map(|place| self.shown(name, place)),
        };
        if let Some(constant) = constant(forms) {
            return Some(Ratio {
                value: constant.to_f64(),
                exact: Some(constant.to_string()),
                kind: RatioKind::Constant,
                at: None,
            });
        }
        if growth.iter().any(|own| own.faster) {
            return Some(Ratio {
                value: f64::INFINITY,
                exact: None,
                kind: RatioKind::Unbounded,
                at: None,
            });
        }
        if let Some(exact) = largest.as_exact().filter(|own| own.bits() < 128).cloned()
            && is_bound(forms, &exact)
        {
            return Some(sampled(RatioKind::Greatest, Some(&place)));
        }
        for limit in limits(self, name, (axes, &place), largest.to_f64()) {
            if is_bound(forms, &limit) {
                return Some(Ratio {
                    value: limit.to_f64(),
                    exact: Some(limit.to_string()),
                    kind: RatioKind::Limit,
                    at: None,
                });
            }
        }
        Some(sampled(RatioKind::Sampled, Some(&place)))
    }

    /// The largest quotient at a point, exactly if possible.
    fn largest(&self, name: &str, pairs: &[&Pair]) -> Option<(Number, Place)> {
        let mut best: Option<(Number, Place)> = None;
        for pair in pairs.iter().take(MOST_EXACT) {
            let Some([old, new]) = self.exact(name, &pair.place) else {
                continue;
            };
            let quotient = match (old.as_exact(), new.as_exact()) {
                (Some(old), Some(new)) => new.checked_div(old).map(Number::Exact),
                _ => crate::real::Real::within(new.to_f64() / old.to_f64(), 0.0)
                    .ok()
                    .map(Number::Real),
            };
            let Some(quotient) = quotient else { continue };
            let is_larger =
                |(known, _): &(Number, Place)| order([known.clone(), quotient.clone()]).is_gt();
            if best.as_ref().is_none_or(is_larger) {
                best = Some((quotient, pair.place.clone()));
            }
        }
        best
    }
}

/// Simple fractions near the quotient far out along each axis, not below the largest quotient found.
fn limits(
    sides: &Sides<'_>,
    name: &str,
    (axes, place): (&[Axis], &Place),
    largest: f64,
) -> Vec<Rational> {
    let mut far: Vec<Place> = Vec::new();
    let mut all = place.clone();
    for (number, axis) in axes.iter().enumerate() {
        if axis.high.is_some() {
            continue;
        }
        let mut there = place.clone();
        there[number] = Rational::from(FAR.min(axis.far));
        all[number] = there[number].clone();
        far.push(there);
    }
    far.push(all);
    let mut found: Vec<Rational> = Vec::new();
    for place in far {
        let Some([old, new]) = sides.exact(name, &place) else {
            continue;
        };
        let quotient = new.to_f64() / old.to_f64();
        let near = simple(quotient).filter(|own| own.to_f64() >= largest);
        found.extend(near.filter(|own| !found.contains(own)));
    }
    found.sort();
    found
}

fn quotient(pair: &Pair) -> f64 {
    pair.values[1] / pair.values[0]
}

/// A fraction with a small denominator near a number.
fn simple(value: f64) -> Option<Rational> {
    if !value.is_finite() || value.abs() > 1e9 {
        return None;
    }
    (1..=MOST_DENOMINATOR).find_map(|denominator| {
        let numerator = (value * denominator as f64).round();
        let is_near = (numerator / denominator as f64 - value).abs() <= NEAR * value.abs();
        is_near
            .then(|| Rational::new(numerator as i64, denominator))
            .flatten()
    })
}

/// The quotient, if it is the same number everywhere.
fn constant(forms: &mut Forms) -> Option<Rational> {
    let [old, new] = forms.closed();
    let arena = forms.ground.results();
    let quotient = arena.divide(new, old);
    let quotient = forms.ground.reclosed(quotient)?;
    forms.ground.results().as_number(quotient).cloned()
}

/// True if the second value is proved to be at most the first one times a number.
fn is_bound(forms: &mut Forms, factor: &Rational) -> bool {
    let [old, new] = forms.closed();
    let arena = forms.ground.results();
    let factor = arena.number(factor.clone());
    let most = arena.mul(&[factor, old]);
    let left: ExprId = arena.subtract(most, new);
    forms.ground.has_sign(left, Goal::NonNegative, &[])
}
