//! Sums of independent variables: the body through a transform, the tails by asymptotics matched to it.

use super::body::{self, Body};
use super::chart::Chart;
use super::lattice::{self, BINS};
use super::piece::{Piece, Shape};
use super::saddlepoint::{TailPoint, generator};
use super::segment::{Node, Segment};
use super::tail::{self, Summands};
use super::trace::{budget, trace};
use super::{Grid, expansion, integral};
use crate::law::{Cumulants, Support};
use rustfft::num_complex::Complex64;

/// The least probability that the transform tells to four digits or so.
const LEAST: f64 = 1e-9;

/// A discrete sum of more values is smoothed.
const ATOMS: usize = 256;

impl Grid {
    /// The sum of independent variables; 0 of none.
    pub fn sum(laws: &[&Grid]) -> Grid {
        let constants: f64 = laws.iter().filter_map(|law| law.as_constant()).sum();
        let random: Vec<&Grid> = (laws.iter().copied())
            .filter(|law| law.as_constant().is_none())
            .collect();
        let whole = match random.as_slice() {
            [] => return Grid::constant(constants),
            [law] => (*law).clone(),
            laws => copies(laws, 1.0),
        };
        whole.shifted(constants)
    }

    /// The sum of `n` independent copies; 0 of none. The cumulants are those of `n`, the shape is that of the
    /// whole number next to it.
    pub fn repeated(&self, n: f64) -> Grid {
        if n.is_nan() || n <= 0.0 {
            return Grid::constant(0.0);
        }
        if let Some(value) = self.as_constant() {
            return Grid::constant(n * value);
        }
        let count = n.round().max(1.0);
        let whole = match count {
            1.0 => self.clone(),
            count => copies(&[self], count),
        };
        match n == count {
            true => whole,
            false => whole.fitted_to(self.cumulants.repeated(n)),
        }
    }

    /// Moved and scaled to a mean and variance, with these cumulants.
    fn fitted_to(&self, cumulants: Cumulants) -> Grid {
        let factor = cumulants.deviation() / self.cumulants.deviation();
        let amount = cumulants.mean - factor * self.cumulants.mean;
        self.moved(factor, amount).with_cumulants(cumulants)
    }
}

/// The sum of one copy of each of several laws, or of `count` copies of a single one; none is constant.
fn copies(laws: &[&Grid], count: f64) -> Grid {
    let one = laws.iter().fold(Cumulants::constant(0.0), |all, law| {
        all.plus(&law.cumulants)
    });
    let cumulants = one.repeated(count);
    let end =
        |end: fn(&Support) -> f64| count * laws.iter().map(|law| end(&law.support)).sum::<f64>();
    let support = Support::new(end(|s| s.lower), end(|s| s.upper));
    if expansion::applies(&cumulants) {
        return expansion::grid(cumulants, support);
    }
    let layout = body::layout(laws, count, &cumulants, [support.lower, support.upper]);
    let width = layout.width;
    let draws: Vec<_> = laws
        .iter()
        .map(|law| integral::draws(&law.pieces))
        .collect();
    let mut spectrum = vec![Complex64::new(1.0, 0.0); BINS];
    let mut lost = [0.0; 2];
    let mut inside = Cumulants::constant(0.0);
    for ((law, anchor), draws) in laws.iter().zip(&layout.anchors).zip(&draws) {
        inside = inside.plus(&body::inside(draws, *anchor, width).repeated(count));
        let one = lattice::transform(lattice::bins(law, *anchor, width));
        spectrum.iter_mut().zip(one).for_each(|(z, w)| *z *= w);
        let [below, above] = body::left_out(law, *anchor, width);
        lost = [lost[0] + count * below, lost[1] + count * above];
    }
    body::power(&mut spectrum, count);
    let discrete = body::span(laws).is_some_and(|span| span == width);
    let half = 0.5 * width;
    let least: f64 = layout.anchors.iter().map(|anchor| anchor + half).sum();
    let start = count * least - half;
    let mut body = Body::new(spectrum, start, layout.low, width, lost, !discrete);
    if !discrete {
        body.fit(&inside);
    }
    let sketches: Vec<_> = (laws.iter())
        .map(|law| integral::sketch(&law.pieces, law.cumulants.deviation()))
        .collect();
    let log_generator = |s: f64| {
        let mut sum = [0.0; 4];
        for sketch in &sketches {
            let one = generator(sketch, s);
            (0..4).for_each(|i| sum[i] += count * one[i]);
        }
        sum
    };
    let atom = |first: bool| {
        let log: f64 = laws.iter().map(|law| law.ln_end_atom(first)).sum();
        (count * log).exp()
    };
    Whole {
        terms: laws.iter().map(|law| (count, *law)).collect(),
        generator: &log_generator,
        atoms: [atom(true), atom(false)],
        discrete,
        cumulants,
        support,
    }
    .grid(body)
}

/// What is known of a sum beside its body.
pub struct Whole<'a> {
    pub terms: Vec<(f64, &'a Grid)>,
    pub generator: &'a dyn Fn(f64) -> [f64; 4],
    /// Probabilities of the least and of the largest value.
    pub atoms: [f64; 2],
    /// Whether every bin is a value of the sum.
    pub discrete: bool,
    pub cumulants: Cumulants,
    pub support: Support,
}

impl Whole<'_> {
    pub fn grid(&self, body: Body) -> Grid {
        let values = body.masses.iter().filter(|mass| **mass > 1e-13).count();
        if self.discrete && values <= ATOMS {
            return self.discrete_grid(&body);
        }
        let pieces = self.pieces(&body);
        Grid::from_pieces(pieces, self.support).with_cumulants(self.cumulants)
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
        Grid::from_pieces(pieces, self.support).with_cumulants(self.cumulants)
    }

    /// Atoms at the ends, if any, and one smooth piece between them.
    fn pieces(&self, body: &Body) -> Vec<Piece> {
        let Support { lower, upper } = self.support;
        let has_atom = self.atoms.map(|p| p > 1e-12);
        let end = |i: usize, x: f64| (!has_atom[i] && x.is_finite()).then_some(x);
        let (mean, deviation) = (self.cumulants.mean, self.cumulants.deviation());
        let chart = Chart::new(end(0, lower), end(1, upper), mean, deviation);
        let (mut first, mut last) = body.range(LEAST);
        // The first bins of a sum that starts at a finite end are coarse beside what they hold.
        while first < last && body.edge(first as f64) < lower + self.margin(body, 0) {
            first += 1;
        }
        while first < last && body.edge(last as f64) > upper - self.margin(body, 1) {
            last -= 1;
        }
        let at = |j: f64| node(&chart, body, j);
        let step = ((last - first) / 64).max(1);
        let mut marks: Vec<f64> = (first..last).step_by(step).map(|j| j as f64).collect();
        marks.push(last as f64);
        let middle = trace(&marks, budget(1), &mut |j| at(j));
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

    /// How far from an end of the support the body begins.
    fn margin(&self, body: &Body, end: usize) -> f64 {
        match self.atoms[end] > 1e-12 {
            true => 0.25 * body.width,
            false => 16.0 * body.width,
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
        let mirrored: Vec<Grid> = self.terms.iter().map(|(_, law)| law.mirrored()).collect();
        let counts = self.terms.iter().map(|(count, _)| *count);
        let generator = |s: f64| {
            let [k, first, second, third] = (self.generator)(-s);
            [k, -first, second, -third]
        };
        let summands = Summands {
            generator: &generator,
            terms: counts.zip(&mirrored).collect(),
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
    match last {
        true => Segment::new(inner, outer),
        false => Segment::new(outer, inner),
    }
}

fn tail_start(point: body::Point) -> TailPoint {
    let above = super::order::ln_below(-point.t);
    TailPoint {
        x: point.x,
        ln_above: above,
        hazard: point.rate * (1.0 - above.exp()),
    }
}
