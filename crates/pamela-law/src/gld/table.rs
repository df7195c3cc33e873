//! Tabulates the quantile function of a generalized lambda distribution, to compute its cdf at
//! hundreds of values.

use std::cell::Cell;

use super::{LAST_LOGIT, Shape};
use crate::Probability;
use crate::root::halley_step;

/// Logits of the table: so far out, and so far apart that one step of Halley's method refines what it says.
const REACH: f64 = 40.0;
const STEP: f64 = 1.0;
/// A step so short leaves an error of its third power.
const SHORT: f64 = 1e-4;

/// Number of following nodes that are tried before a full search.
const NEIGHBOURS: usize = 8;

/// Standard values at equal steps of the logit.
pub struct Table {
    shape: Shape,
    nodes: Vec<Node>,
    /// Position of the last result; the next one is often near.
    last: Cell<usize>,
}

/// A value with its logit, and the first two derivatives of the logit by the value.
#[derive(Clone, Copy)]
struct Node {
    x: f64,
    t: f64,
    rate: f64,
    bend: f64,
}

impl Table {
    pub fn new(shape: Shape) -> Table {
        let last = (REACH / STEP) as i32;
        let node = |i: i32| {
            let t = STEP * f64::from(i);
            let [x, slope, bend] = shape.at_logit(t);
            Node {
                x,
                t,
                rate: 1.0 / slope,
                bend: -bend / slope.powi(3),
            }
        };
        Table {
            shape,
            nodes: (-last..=last).map(node).collect(),
            last: Cell::new(last as usize),
        }
    }

    pub fn cdf(&self, x: f64) -> Probability {
        let i = self.find(x);
        let refined = match i.checked_sub(1).zip(self.nodes.get(i)) {
            Some((before, after)) => self.refine(x, quintic(self.nodes[before], *after, x)),
            None => None,
        };
        refined.unwrap_or_else(|| self.shape.cdf(x))
    }

    /// Number of nodes below `x`.
    fn find(&self, x: f64) -> usize {
        let nodes = &self.nodes;
        let mut i = self.last.get();
        for _ in 0..NEIGHBOURS {
            if i > 0 && nodes[i - 1].x >= x {
                i -= 1;
            } else if i < nodes.len() && nodes[i].x < x {
                i += 1;
            } else {
                self.last.set(i);
                return i;
            }
        }
        let i = nodes.partition_point(|node| node.x < x);
        self.last.set(i);
        i
    }

    /// The probability of `x` from a logit that is near; none where it is not.
    fn refine(&self, x: f64, near: f64) -> Option<Probability> {
        if near.is_nan() || near.abs() > LAST_LOGIT {
            return None;
        }
        let (p, [value, slope, bend]) = self.shape.with_probability(near);
        let step = halley_step([value - x, slope, bend]);
        (step.abs() < SHORT).then(|| moved(p, step))
    }
}

/// The probability at a logit that is a short step further on, by the derivatives of the logistic function.
fn moved(p: Probability, step: f64) -> Probability {
    let (u, v) = (p.below, p.above);
    let bend = v - u;
    let (square, third) = (step * step / 2.0, step * step * step / 6.0);
    // Relative to each tail, so that both keep their digits.
    let rise = step + bend * square + (1.0 - 6.0 * u * v) * third;
    Probability {
        below: u * (1.0 + v * rise),
        above: v * (1.0 - u * rise),
    }
}

/// The polynomial with the values and derivatives of both nodes.
fn quintic(a: Node, b: Node, x: f64) -> f64 {
    let width = b.x - a.x;
    let s = (x - a.x) / width;
    let (r, r_end) = (a.rate * width, b.rate * width);
    let (c, c_end) = (0.5 * a.bend * width * width, 0.5 * b.bend * width * width);
    // Residuals of value, slope and half the second derivative at `b`, after the parabola at `a`.
    let value = b.t - a.t - r - c;
    let slope = r_end - r - 2.0 * c;
    let bend = c_end - c;
    let third = 10.0 * value - 4.0 * slope + bend;
    let fourth = -15.0 * value + 7.0 * slope - 2.0 * bend;
    let fifth = 6.0 * value - 3.0 * slope + bend;
    a.t + s * (r + s * (c + s * (third + s * (fourth + s * fifth))))
}
