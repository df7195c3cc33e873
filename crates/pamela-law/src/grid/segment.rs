//! Monotone cubic pieces of a quantile function over the logit of the probability.

/// A point of a quantile function: coordinate `y` with slope `slope` at logit `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    pub t: f64,
    pub y: f64,
    pub slope: f64,
}

/// The cubic through two nodes with their slopes, which are limited so that it increases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub start: Node,
    pub end: Node,
}

impl Segment {
    /// Limits slopes to three times the secant, which suffices for an increasing cubic (Fritsch and
    /// Carlson 1980).
    pub fn new(start: Node, end: Node) -> Segment {
        let (width, rise) = (end.t - start.t, end.y - start.y);
        let limit = if width > 0.0 { 3.0 * rise / width } else { 0.0 };
        let limited = |node: Node| Node {
            slope: if node.slope.is_nan() {
                limit
            } else {
                node.slope.clamp(0.0, limit.max(0.0))
            },
            ..node
        };
        Segment {
            start: limited(start),
            end: limited(end),
        }
    }

    pub fn width(&self) -> f64 {
        self.end.t - self.start.t
    }

    /// The coordinate and its slope at logit `t`; linear outside of the segment.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let Segment { start, end } = self;
        if t <= start.t {
            return (start.y + start.slope * (t - start.t), start.slope);
        }
        if t >= end.t {
            return (end.y + end.slope * (t - end.t), end.slope);
        }
        let width = self.width();
        self.inside((t - start.t) / width)
    }

    /// At the fraction `s` of the way.
    fn inside(&self, s: f64) -> (f64, f64) {
        let Segment { start, end } = self;
        let width = self.width();
        let rise = end.y - start.y;
        let (a, b) = (start.slope * width, end.slope * width);
        let (square, cube) = (3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise);
        let y = start.y + s * (a + s * (square + s * cube));
        let slope = (a + s * (2.0 * square + 3.0 * s * cube)) / width;
        (y, slope.max(0.0))
    }

    /// The logit with coordinate `y`, on the segment or on the line along its end, and the slope
    /// there.
    pub fn logit(&self, y: f64) -> (f64, f64) {
        let Segment { start, end } = self;
        let beyond = |node: &Node| {
            if y == node.y {
                (node.t, node.slope)
            } else {
                (node.t + (y - node.y) / node.slope, node.slope)
            }
        };
        if y <= start.y {
            return beyond(start);
        }
        if y >= end.y {
            return beyond(end);
        }
        let width = self.width();
        let (mut low, mut high) = (0.0, 1.0);
        let mut s = (y - start.y) / (end.y - start.y);
        for _ in 0..60 {
            let (here, slope) = self.inside(s);
            if here < y {
                low = s;
            } else {
                high = s;
            }
            let newton = s + (y - here) / (slope * width);
            // A step of Newton's leaves an error of its square.
            if (newton - s).abs() <= 1e-8 || high - low <= 1e-15 {
                s = if newton.is_finite() { newton } else { s };
                break;
            }
            let inside = newton > low && newton < high;
            s = if inside { newton } else { 0.5 * (low + high) };
        }
        (start.t + s * width, self.inside(s).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logit_is_the_inverse_of_the_coordinate_on_a_segment_and_beyond() {
        let node = |t, y, slope| Node { t, y, slope };
        let segment = Segment::new(node(1.0, 2.0, 0.1), node(3.0, 5.0, 4.0));
        for i in -5..30 {
            let t = 0.2 * f64::from(i);
            let (y, _) = segment.at(t);
            assert!((segment.logit(y).0 - t).abs() < 1e-12, "{t}");
        }
    }

    #[test]
    fn slopes_that_would_overshoot_are_cut() {
        let node = |t, y, slope| Node { t, y, slope };
        let segment = Segment::new(node(0.0, 0.0, 50.0), node(1.0, 1.0, f64::INFINITY));
        let ys = (0..=100).map(|i| segment.at(f64::from(i) / 100.0).0);
        assert!(ys.collect::<Vec<_>>().is_sorted());
    }
}
