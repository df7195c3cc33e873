//! Tails of sums beyond the reach of a transform.
//!
//! Light tails use saddlepoints; heavy tails are dominated by the one largest summand. Each tail is scaled to meet
//! the body. Near a finite end, sums of few terms are integrated.

use super::Grid;
use super::chart::Chart;
use super::end::End;
use super::saddlepoint::{Generator, TailPoint, solve, tail_point};
use super::segment::{Node, Segment};
use super::trace::trace;
use crate::Probability;

/// Tails are traced up to this logit and are straight beyond.
const REACH: f64 = 60.0;

const BUDGET: usize = 12;

/// A sum as seen by its upper tail: `count` copies of each law, and the mean of the rest without
/// one copy.
pub struct Summands<'a> {
    pub generator: Generator<'a>,
    pub terms: Vec<(f64, &'a Grid)>,
    pub mean: f64,
    pub deviation: f64,
}

/// The segments of the upper tail from the point `start` on.
pub fn upper(summands: &Summands, chart: &Chart, start: TailPoint) -> Vec<Segment> {
    if let Some(segments) = beside_end(summands, chart, start) {
        return segments;
    }
    let heavy = (summands.terms.iter()).any(|(_, law)| is_heavy(law));
    let segments = if heavy {
        None
    } else {
        light(summands, chart, start)
    };
    (segments.or_else(|| great_summand(summands, chart, start)))
        .unwrap_or_else(|| exponential(summands.deviation, chart, start))
}

/// By direct integration, of few summands with a greatest value.
fn beside_end(summands: &Summands, chart: &Chart, start: TailPoint) -> Option<Vec<Segment>> {
    let first = chart.coordinate(start.x);
    let end = End::of(&summands.terms, chart.below_upper(first)?)?;
    let mut draw = |y: f64| {
        let distance = chart.below_upper(y).unwrap_or(f64::NAN);
        let (ln_above, slope) = end.log(distance.ln());
        let x = chart.value(y);
        let point = TailPoint {
            x,
            ln_above,
            hazard: slope / distance,
        };
        Node {
            y,
            ..node(chart, point)
        }
    };
    // In coordinates, which are logarithms of distances but for a constant.
    let span = chart.below_upper(first)?.ln() - end.least(-REACH);
    let last = first + span;
    let mut segments = trace(&[first, 0.5 * (first + last), last], 4 * BUDGET, &mut draw);
    segments.first_mut()?.start.t = node(chart, start).t;
    segments.iter().all(rises).then_some(segments)
}

/// True if the quantile grows faster than that of an exponential far out in the upper tail.
fn is_heavy(law: &Grid) -> bool {
    let (near, far) = (law.at(20.0).1, law.at(70.0).1);
    law.support.upper.is_infinite() && far > 1.05 * near
}

fn node(chart: &Chart, point: TailPoint) -> Node {
    let above = point.ln_above.exp();
    let y = chart.coordinate(point.x);
    let rate = point.hazard / (1.0 - above);
    Node {
        t: (-above).ln_1p() - point.ln_above,
        y,
        slope: 1.0 / (rate * chart.stretch(y)),
    }
}

/// By saddlepoints, if there is one at the start.
fn light(summands: &Summands, chart: &Chart, start: TailPoint) -> Option<Vec<Segment>> {
    let generator = summands.generator;
    let offset = |s: f64| {
        let [_, x, variance, _] = generator(s);
        (x - summands.mean, variance)
    };
    let beyond = start.x - summands.mean;
    let guess = beyond / (summands.deviation * summands.deviation);
    let first = solve(&offset, beyond, guess, 1e-10)?;
    let shift = start.ln_above - tail_point(generator, first).0.ln_above;
    let moved = |s: f64| {
        let (point, rise) = tail_point(generator, s);
        let ln_above = point.ln_above + shift;
        (TailPoint { ln_above, ..point }, rise)
    };
    let drop = |s: f64| {
        let (point, rise) = moved(s.max(first));
        (-point.ln_above, point.hazard * rise)
    };
    let last = solve(&drop, REACH, 1.5 * first, 1e-2)?;
    let mut draw = |log: f64| node(chart, moved(log.exp()).0);
    let middle = 0.5 * (first.ln() + last.ln());
    let segments = trace(&[first.ln(), middle, last.ln()], BUDGET, &mut draw);
    (shift.is_finite() && segments.iter().all(rises)).then_some(segments)
}

/// The tail if one summand alone is large and all others are at their means.
fn great_summand(summands: &Summands, chart: &Chart, start: TailPoint) -> Option<Vec<Segment>> {
    let tail = |x: f64| {
        let (mut above, mut density) = (0.0, 0.0);
        for (count, law) in &summands.terms {
            let (t, rate) = law.logit(x - (summands.mean - law.cumulants.mean));
            let p = Probability::from_logit(t);
            above += count * p.above;
            density += count * p.above * p.below * rate;
        }
        TailPoint {
            x,
            ln_above: above.ln(),
            hazard: density / above,
        }
    };
    let shift = start.ln_above - tail(start.x).ln_above;
    let moved = |x: f64| {
        let point = tail(x);
        TailPoint {
            ln_above: point.ln_above + shift,
            ..point
        }
    };
    let first = chart.coordinate(start.x);
    let beyond = |step: f64| {
        let y = first + step;
        let point = moved(chart.value(y));
        (-point.ln_above, point.hazard * chart.stretch(y))
    };
    let last = solve(&beyond, REACH, 1.0, 1e-2).filter(|_| shift.is_finite())?;
    let mut draw = |y: f64| node(chart, moved(chart.value(y)));
    let segments = trace(
        &[first, first + 0.5 * last, first + last],
        BUDGET,
        &mut draw,
    );
    segments.iter().all(rises).then_some(segments)
}

/// An exponential tail that continues the hazard at its start.
fn exponential(deviation: f64, chart: &Chart, start: TailPoint) -> Vec<Segment> {
    let steep = start.hazard * deviation;
    let hazard = if steep > 1e-3 && steep < 1e6 {
        start.hazard
    } else {
        1.0 / deviation
    };
    let mut draw = |share: f64| {
        let drop = share * (REACH + start.ln_above).max(1.0);
        let x = start.x + drop / hazard;
        let ln_above = start.ln_above - drop;
        node(
            chart,
            TailPoint {
                x,
                ln_above,
                hazard,
            },
        )
    };
    let mut segments = trace(&[0.0, 0.5, 1.0], BUDGET, &mut draw);
    // Beyond a finite end there is nothing.
    let end = segments.iter().position(|segment| !rises(segment));
    segments.truncate(end.unwrap_or(segments.len()));
    segments
}

fn rises(segment: &Segment) -> bool {
    let Segment { start, end } = segment;
    let finite = [end.t, end.y].iter().all(|x| x.is_finite());
    finite && end.t >= start.t && end.y >= start.y
}
