//! The parts of a law: single values with a probability of their own, and smooth stretches.

use super::chart::Chart;
use super::segment::{Node, Segment};

/// Part of a quantile function, over the logits from `from` to `to` (infinite at the ends of the law).
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub from: f64,
    pub to: f64,
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One value, taken with the probability between the two logits.
    Atom(f64),
    /// An increasing function in the coordinates of a chart; at least one segment.
    Smooth(Chart, Vec<Segment>),
}

impl Piece {
    /// The value at the logit `t` and its derivative by `t`.
    pub fn at(&self, t: f64) -> (f64, f64) {
        match &self.shape {
            Shape::Atom(value) => (*value, 0.0),
            Shape::Smooth(chart, segments) => {
                let (y, slope) = coordinate(segments, t);
                let (x, stretch) = chart.value_and_stretch(y);
                (x, slope * stretch)
            }
        }
    }

    /// The least and the largest value.
    pub fn range(&self) -> (f64, f64) {
        (self.least(), self.largest())
    }

    pub fn least(&self) -> f64 {
        match &self.shape {
            Shape::Atom(value) => *value,
            Shape::Smooth(chart, segments) => match segments[0].start {
                Node { slope, .. } if self.from.is_infinite() && slope > 0.0 => {
                    chart.value(self.from)
                }
                Node { y, .. } => chart.value(y),
            },
        }
    }

    pub fn largest(&self) -> f64 {
        match &self.shape {
            Shape::Atom(value) => *value,
            Shape::Smooth(chart, segments) => match segments[segments.len() - 1].end {
                Node { slope, .. } if self.to.is_infinite() && slope > 0.0 => chart.value(self.to),
                Node { y, .. } => chart.value(y),
            },
        }
    }

    /// The first piece of a law, from probability 0 on. One that began later had others before it, too unlikely to be carried:
    /// it goes on with its least value, since the line along its end leads beyond what the law can be.
    pub fn begin_all(&mut self) {
        if self.from.is_finite()
            && let Shape::Smooth(_, segments) = &mut self.shape
        {
            let end = Node {
                slope: 0.0,
                ..segments[0].start
            };
            let start = Node {
                t: end.t - 1.0,
                ..end
            };
            segments.insert(0, Segment { start, end });
        }
        self.from = f64::NEG_INFINITY;
    }

    /// The last piece of a law, up to probability 1, as [`Piece::begin_all`] has the first.
    pub fn end_all(&mut self) {
        if self.to.is_finite()
            && let Shape::Smooth(_, segments) = &mut self.shape
        {
            let start = Node {
                slope: 0.0,
                ..segments[segments.len() - 1].end
            };
            let end = Node {
                t: start.t + 1.0,
                ..start
            };
            segments.push(Segment { start, end });
        }
        self.to = f64::INFINITY;
    }

    /// The logit of the probability of values up to `x`, which lies in the range, and its derivative by `x`;
    /// of an atom its lower end.
    pub fn logit(&self, x: f64) -> (f64, f64) {
        match &self.shape {
            Shape::Atom(_) => (self.from, 0.0),
            Shape::Smooth(chart, segments) => {
                let y = chart.coordinate(x);
                let last = segments.len() - 1;
                let i = segments.partition_point(|s| s.end.y < y).min(last);
                let (t, slope) = segments[i].logit(y);
                let slope = slope * chart.stretch(y);
                (within(t, self.from, self.to), 1.0 / slope)
            }
        }
    }

    /// The piece of `factor * X + amount`, with `factor > 0`.
    pub fn moved(&self, factor: f64, amount: f64) -> Piece {
        let shape = match &self.shape {
            Shape::Atom(value) => Shape::Atom(factor * value + amount),
            Shape::Smooth(chart, segments) => {
                let (chart, rise) = chart.moved(factor, amount);
                let raised = |node: Node| Node {
                    y: node.y + rise,
                    ..node
                };
                let segments = segments.iter().map(|s| Segment {
                    start: raised(s.start),
                    end: raised(s.end),
                });
                Shape::Smooth(chart, segments.collect())
            }
        };
        Piece { shape, ..*self }
    }

    /// The piece of `-X`.
    pub fn mirrored(&self) -> Piece {
        let shape = match &self.shape {
            Shape::Atom(value) => Shape::Atom(-value),
            Shape::Smooth(chart, segments) => {
                let mirrored = |node: Node| Node {
                    t: -node.t,
                    y: -node.y,
                    ..node
                };
                let segments = segments.iter().rev().map(|s| Segment {
                    start: mirrored(s.end),
                    end: mirrored(s.start),
                });
                Shape::Smooth(chart.mirrored(), segments.collect())
            }
        };
        Piece {
            from: -self.to,
            to: -self.from,
            shape,
        }
    }
}

/// The coordinate and its slope at the logit `t`, which may lie beyond the first or last segment.
pub fn coordinate(segments: &[Segment], t: f64) -> (f64, f64) {
    let last = segments.len() - 1;
    let i = segments.partition_point(|s| s.end.t < t).min(last);
    segments[i].at(t)
}

/// `t`, or the end of the interval that it lies beyond; what is not a number stays none.
pub fn within(t: f64, from: f64, to: f64) -> f64 {
    match t {
        t if t < from => from,
        t if t > to => to,
        t => t,
    }
}
