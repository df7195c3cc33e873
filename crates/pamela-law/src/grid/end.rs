//! Sums of few variables near a finite end of their support, where bins are coarse: by direct
//! integration.
//!
//! Everything is expressed by distances `D = upper - X` from the greatest value: `P(D1 + D2 <= d)`
//! is the integral of `P(D1 <= d - e)` by the density of `D2` at `e`. Logarithms are tabulated over
//! the logarithm of the distance, where they are nearly straight.

use std::f64::consts::PI;

use super::piece::Shape;
use super::{Grid, integral};
use crate::Probability;

/// For more copies, saddlepoints give the tail.
const COPIES: f64 = 4.0;

/// The step of the table, in the logarithm of the distance.
const STEP: f64 = 0.125;

/// Entries that the table has at most, and at least: between fewer ones the logarithms bend.
const ENTRIES: usize = 1200;
const LEAST_ENTRIES: usize = 18;

/// Probabilities below `e^-DEPTH` are not tabulated.
const DEPTH: f64 = 80.0;

/// The double-exponential rule: its step, and how many steps it goes to either side.
const RULE_STEP: f64 = 0.125;
const RULE_REACH: i32 = 36;

/// Logarithm of the probability that a sum lies within a distance of its greatest value.
pub struct End {
    /// Logarithm of the greatest distance.
    furthest: f64,
    /// Values at `furthest`, `furthest - STEP`, ...; at least two.
    logs: Vec<f64>,
}

/// True if the method applies to a sum of the given copies.
pub fn applies(terms: &[(f64, &Grid)]) -> bool {
    let copies: f64 = terms.iter().map(|(n, _)| n).sum();
    let with_atoms = terms.iter().filter(|(_, law)| law.chance_of_atoms() > 0.0);
    let with_atoms: f64 = with_atoms.map(|(n, _)| n).sum();
    let whole = terms.iter().all(|(n, _)| n.fract() == 0.0);
    let bounded = terms.iter().all(|(_, law)| law.support.upper.is_finite());
    whole && bounded && copies <= COPIES && with_atoms <= 1.0 && with_atoms < copies
}

impl End {
    /// Tabulates up to the distance `furthest`; `None` if it does not apply, or if the laws have no
    /// values there.
    pub fn of(terms: &[(f64, &Grid)], furthest: f64) -> Option<End> {
        if !(applies(terms) && furthest > 0.0 && furthest.is_finite()) {
            return None;
        }
        let mut laws: Vec<&Grid> = (terms.iter())
            .flat_map(|&(n, law)| std::iter::repeat_n(law, n as usize))
            .collect();
        // The first is smooth, so that all partial sums are.
        laws.sort_by(|a, b| a.chance_of_atoms().total_cmp(&b.chance_of_atoms()));
        let (first, others) = laws.split_first()?;
        let kinks: Vec<f64> = (first.ends.iter())
            .flat_map(|(least, largest)| {
                [first.support.upper - largest, first.support.upper - least]
            })
            .collect();
        let own = |d: f64| within(first, d);
        let (second, others) = others.split_first()?;
        let mut sum = End::table(furthest, |d| plus(&own, &kinks, second, d))?;
        for law in others {
            let before = sum;
            let so_far = |d: f64| before.log(d.ln()).0.exp();
            sum = End::table(furthest, |d| plus(&so_far, &[], law, d))?;
        }
        Some(sum)
    }

    fn table(furthest: f64, probability: impl Fn(f64) -> f64) -> Option<End> {
        // Two more, for derivatives are best between entries.
        let furthest = furthest.ln() + 2.0 * STEP;
        let mut logs = Vec::new();
        for place in 0..ENTRIES {
            let log = probability((furthest - place as f64 * STEP).exp()).ln();
            if !log.is_finite() {
                break;
            }
            logs.push(log);
            if log < -DEPTH {
                break;
            }
        }
        let falls = logs.windows(2).all(|pair| pair[1] < pair[0]);
        (logs.len() > LEAST_ENTRIES && falls).then_some(End { furthest, logs })
    }

    /// Logarithm of the probability at the logarithm of a distance, with its derivative.
    ///
    /// Interpolates by a cubic between four entries, and by a line below the last.
    pub fn log(&self, log_distance: f64) -> (f64, f64) {
        let last = self.logs.len() - 1;
        let at = |i: usize| self.logs[i];
        let place = (self.furthest - log_distance) / STEP;
        if place.is_nan() || place >= last as f64 {
            let slope = (at(last - 1) - at(last)) / STEP;
            return (at(last) - (place - last as f64) * STEP * slope, slope);
        }
        let i = (place.max(0.0) as usize).min(last - 1);
        let part = place - i as f64;
        let inner = |i: usize| match i {
            0 => 0.5 * (4.0 * at(1) - 3.0 * at(0) - at(2)),
            i if i == last => at(last) - at(last - 1),
            i => 0.5 * (at(i + 1) - at(i - 1)),
        };
        let (a, b) = (at(i), at(i + 1));
        let (from, to) = (inner(i), inner(i + 1));
        let (c, d) = (3.0 * (b - a) - 2.0 * from - to, 2.0 * (a - b) + from + to);
        let value = a + part * (from + part * (c + part * d));
        let slope = from + part * (2.0 * c + part * 3.0 * d);
        (value, -slope / STEP)
    }

    /// Logarithm of the least distance whose probability exceeds `e^log`.
    pub fn least(&self, log: f64) -> f64 {
        let place = self.logs.partition_point(|entry| *entry >= log);
        self.furthest - place.saturating_sub(1) as f64 * STEP
    }
}

/// `P(D <= d)`.
fn within(law: &Grid, d: f64) -> f64 {
    Probability::from_logit(law.logit_before(law.support.upper - d).0).above
}

/// `P(D1 + D2 <= d)`, from that of `D1`, which bends at the `kinks`, and the law of `upper - D2`.
fn plus(first: &dyn Fn(f64) -> f64, kinks: &[f64], law: &Grid, d: f64) -> f64 {
    let upper = law.support.upper;
    let mut sum = 0.0;
    for (piece, (least, largest)) in law.pieces.iter().zip(&law.ends) {
        let (near, far) = ((upper - largest).max(0.0), (upper - least).min(d));
        match piece.shape {
            Shape::Atom(_) if near <= d => {
                sum += integral::mass(piece.from, piece.to) * first(d - near);
            }
            Shape::Smooth(..) if near < far => {
                let inside = |e: &f64| near < *e && *e < far;
                let mut cuts: Vec<f64> = kinks.iter().map(|kink| d - kink).filter(inside).collect();
                cuts.extend([near, far]);
                cuts.sort_by(f64::total_cmp);
                for ends in cuts.windows(2) {
                    sum += smooth(first, law, d, [ends[0], ends[1]]);
                }
            }
            _ => {}
        }
    }
    sum
}

/// The part of the integral over distances of the second variable between two.
fn smooth(first: &dyn Fn(f64) -> f64, law: &Grid, d: f64, [from, to]: [f64; 2]) -> f64 {
    let width = to - from;
    let mut sum = 0.0;
    for step in -RULE_REACH..=RULE_REACH {
        let s = f64::from(step) * RULE_STEP;
        let share = Probability::from_logit(PI * s.sinh());
        let (t, rate) = law.logit(law.support.upper - (from + width * share.below));
        let p = Probability::from_logit(t);
        let density = p.below * p.above * rate;
        let weight = PI * s.cosh() * share.below * share.above;
        if weight > 0.0 && density.is_finite() {
            sum += weight * density * first((d - to) + width * share.above);
        }
    }
    sum * width * RULE_STEP
}
