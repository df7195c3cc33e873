//! Assembles the law of a sum: the body from a transform, the tails from matching asymptotics.

use super::Grid;
use super::body::{self, Body};
use super::chart::Chart;
use super::end;
use super::order::ln_below;
use super::piece::{Piece, Shape};
use super::saddlepoint::TailPoint;
use super::segment::{Node, Segment};
use super::tail::{self, Summands};
use super::trace::{budget, trace_finely};
use crate::{Cumulants, Support};

/// The least probability that the transform tells to four digits or so.
const LEAST: f64 = 1e-9;

/// Smaller probabilities may be given by the asymptotics of a tail.
const LITTLE: f64 = 1e-3;

/// Within this many bins of a finite end, bins are coarse.
const COARSE: f64 = 16.0;

/// A discrete sum of more values is smoothed.
const ATOMS: usize = 512;

/// Data of a sum beside its body.
pub struct SumDescription<'a> {
    pub terms: Vec<(f64, &'a Grid)>,
    pub generator: &'a dyn Fn(f64) -> [f64; 4],
    /// Probabilities of the least and of the largest value.
    pub atoms: [f64; 2],
    /// True if every bin is a value of the sum.
    pub discrete: bool,
    pub cumulants: Cumulants,
    pub support: Support,
}

/// True if a sum has almost no probability in the coarse bins near a finite end.
///
/// Considers four times as many bins, so that the least likely values are as accurate as with
/// narrower bins.
pub fn is_clear_of_ends(body: &Body, support: Support) -> bool {
    let (first, last) = body.range(LEAST);
    let margin = 4.0 * COARSE * body.width;
    let [low, high] = [first, last].map(|j| body.edge(j as f64));
    low >= support.lower + margin && high <= support.upper - margin
}

impl SumDescription<'_> {
    pub fn grid(&self, body: Body) -> Grid {
        let values = || body.masses.iter().filter(|mass| **mass > 1e-13).count();
        if self.discrete && values() <= ATOMS {
            return self.discrete_grid(&body);
        }
        let pieces = self.pieces(&body);
        Grid::with_known(pieces, self.support, self.cumulants.mean, self.cumulants)
    }

    fn discrete_grid(&self, body: &Body) -> Grid {
        let mut pieces: Vec<Piece> = Vec::new();
        for (j, mass) in body.masses.iter().enumerate() {
            if *mass > 1e-13 {
                pieces.push(Piece {
                    from: pieces.last().map_or(f64::NEG_INFINITY, |piece| piece.to),
                    to: body.point(j as f64 + 1.0).t,
                    shape: Shape::Atom(body.edge(j as f64 + 0.5)),
                });
            }
        }
        Grid::with_known(pieces, self.support, self.cumulants.mean, self.cumulants)
    }

    /// Atoms at the ends, if any, and one smooth piece between them.
    fn pieces(&self, body: &Body) -> Vec<Piece> {
        let Support { lower, upper } = self.support;
        let has_atom = self.atoms.map(|p| p > 1e-12);
        let end = |i: usize, x: f64| (!has_atom[i] && x.is_finite()).then_some(x);
        let (mean, deviation) = (self.cumulants.mean, self.cumulants.deviation());
        let chart = Chart::new(end(0, lower), end(1, upper), mean, deviation);
        let (mut first, mut last) = body.range(LEAST);
        // The first bins of a sum that starts at a finite end are coarse relative to their probability while this is
        // small; with few summands, integrals are used.
        let (low, high) = body.range(LITTLE);
        let [below, above] = [0, 1].map(|end| self.margin(body, end));
        let [few_below, few_above] = self.are_few(has_atom);
        while first < low.min(last) && (few_below || body.edge(first as f64) < lower + below) {
            first += 1;
        }
        while high.max(first) < last && (few_above || body.edge(last as f64) > upper - above) {
            last -= 1;
        }
        // Integration is as accurate for likely values, so it replaces coarse bins up to the median.
        let fine = 4.0 * COARSE * body.width;
        let (middle, _) = body.range(0.5);
        while few_below && first < middle && body.edge(first as f64) < lower + fine {
            first += 1;
        }
        while few_above && middle.max(first) < last && body.edge(last as f64) > upper - fine {
            last -= 1;
        }
        let at = |j: f64| node(&chart, body, j);
        let step = (last.saturating_sub(first) / 64).max(1);
        let mut marks: Vec<f64> = (first..last).step_by(step).map(|j| j as f64).collect();
        marks.push(last as f64);
        let middle = trace_finely(&marks, budget(1), &mut |j| at(j));
        let start = body.point(first as f64);
        let stop = body.point(last as f64);
        let mut pieces = Vec::new();
        let mut segments = Vec::new();
        let mut from = f64::NEG_INFINITY;
        if has_atom[0] {
            from = (self.atoms[0] / (1.0 - self.atoms[0])).ln();
            pieces.push(atom(f64::NEG_INFINITY, from, lower));
            segments.push(joint(&chart, (from, lower), at(first as f64), false));
        } else {
            segments.extend(self.lower_tail(&chart, start));
        }
        segments.extend(middle);
        let mut to = f64::INFINITY;
        if has_atom[1] {
            to = ((1.0 - self.atoms[1]) / self.atoms[1]).ln();
            segments.push(joint(&chart, (to, upper), at(last as f64), true));
        } else {
            segments.extend(self.upper_tail(&chart, stop));
        }
        pieces.push(Piece {
            from,
            to,
            shape: Shape::Smooth(chart, segments),
        });
        if has_atom[1] {
            pieces.push(atom(to, f64::INFINITY, upper));
        }
        pieces
    }

    /// For each end: true if the extreme values of the sum are integrated.
    fn are_few(&self, has_atom: [bool; 2]) -> [bool; 2] {
        let mirrored = self.mirrored_terms();
        let mirrored: Vec<(f64, &Grid)> = mirrored.iter().map(|(n, law)| (*n, law)).collect();
        [
            !has_atom[0] && end::applies(&mirrored),
            !has_atom[1] && end::applies(&self.terms),
        ]
    }

    fn mirrored_terms(&self) -> Vec<(f64, Grid)> {
        let terms = self.terms.iter();
        terms.map(|(n, law)| (*n, law.mirrored())).collect()
    }

    /// Distance of the body from an end of the support.
    fn margin(&self, body: &Body, end: usize) -> f64 {
        if self.atoms[end] > 1e-12 {
            0.25 * body.width
        } else {
            COARSE * body.width
        }
    }

    fn upper_tail(&self, chart: &Chart, stop: body::Point) -> Vec<Segment> {
        let summands = Summands {
            generator: self.generator,
            terms: self.terms.clone(),
            mean: self.cumulants.mean,
            deviation: self.cumulants.deviation(),
        };
        tail::upper(&summands, chart, tail_start(stop))
    }

    /// The upper tail of the mirror image, mirrored.
    fn lower_tail(&self, chart: &Chart, start: body::Point) -> Vec<Segment> {
        let mirrored = self.mirrored_terms();
        let generator = |s: f64| {
            let [k, first, second, third] = (self.generator)(-s);
            [k, -first, second, -third]
        };
        let summands = Summands {
            generator: &generator,
            terms: mirrored.iter().map(|(n, law)| (*n, law)).collect(),
            mean: -self.cumulants.mean,
            deviation: self.cumulants.deviation(),
        };
        let start = body::Point {
            x: -start.x,
            t: -start.t,
            ..start
        };
        let chart = chart.mirrored();
        let mirror = |node: Node| Node {
            t: -node.t,
            y: -node.y,
            ..node
        };
        let segments = tail::upper(&summands, &chart, tail_start(start));
        let back = segments.iter().rev().map(|segment| Segment {
            start: mirror(segment.end),
            end: mirror(segment.start),
        });
        back.collect()
    }
}

fn atom(from: f64, to: f64, value: f64) -> Piece {
    Piece {
        from,
        to,
        shape: Shape::Atom(value),
    }
}

fn node(chart: &Chart, body: &Body, j: f64) -> Node {
    let body::Point { x, t, rate } = body.point(j);
    let y = chart.coordinate(x);
    Node {
        t,
        y,
        slope: 1.0 / (rate * chart.stretch(y)),
    }
}

/// The segment between an atom at an end and the body, at the slope of the body.
fn joint(chart: &Chart, (t, x): (f64, f64), inner: Node, last: bool) -> Segment {
    let y = chart.coordinate(x);
    let outer = Node {
        t,
        y,
        slope: inner.slope,
    };
    if last {
        Segment::new(inner, outer)
    } else {
        Segment::new(outer, inner)
    }
}

fn tail_start(point: body::Point) -> TailPoint {
    let above = ln_below(-point.t);
    TailPoint {
        x: point.x,
        ln_above: above,
        hazard: point.rate * (1.0 - above.exp()),
    }
}
