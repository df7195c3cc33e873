//! Places the nodes of a quantile function where the cubic between two nodes is inaccurate.

use super::segment::{Node, Segment};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Limit of tabulated logits; beyond it, values are extrapolated.
///
/// `e^-200` is far below the probabilities that the largest of 1e12 copies needs.
pub const REACH: f64 = 200.0;

/// Segments that one smooth piece may take.
const MOST: usize = 320;

/// Segments that a law of many pieces may take in all, unless that leaves a piece too few.
const ALL: usize = 1024;

/// Number of segments for each of `pieces` smooth pieces.
pub fn budget(pieces: usize) -> usize {
    (ALL / pieces.max(1)).clamp(24, MOST)
}

/// Like [`budget`], for a piece of probability `mass`.
///
/// Among many cuts a likely piece still needs a law's worth of segments. In total, the number is at
/// most the square root of the number of pieces times the usual one.
pub fn budget_of_likely(pieces: usize, mass: f64) -> usize {
    let likely = (MOST as f64 * mass.clamp(0.0, 1.0).sqrt()) as usize;
    budget(pieces).max(likely)
}

/// The error that a cubic may have in the middle, beside how far the coordinate goes in the body of the law.
const TOLERANCE: f64 = 3e-8;

/// A cubic that departs so far beside its middle is a wave, up to these logits.
const WAVE: f64 = 1e-5;
const BODY: f64 = 20.0;

/// Factor by which the error of a cubic falls if its cell is halved.
const GAIN: f64 = 8.0;

/// A segment between two parameters, with the values at the middle one.
#[derive(Clone, Copy)]
struct Cell {
    from: f64,
    to: f64,
    start: Node,
    end: Node,
    middle: Node,
}

impl Cell {
    fn segment(&self) -> Segment {
        Segment::new(self.start, self.end)
    }

    /// True if the middle node can be one of two segments.
    fn is_divisible(&self) -> bool {
        let inside = 0.5 * (self.from + self.to);
        let apart = self.middle != self.start && self.middle != self.end;
        inside > self.from && inside < self.to && apart && self.middle.y.is_finite()
    }

    /// One segment to the middle and one from there on.
    fn segments(&self) -> [Option<Segment>; 2] {
        if self.is_divisible() {
            let ends = [(self.start, self.middle), (self.middle, self.end)];
            ends.map(|(start, end)| Some(Segment::new(start, end)))
        } else {
            [Some(self.segment()), None]
        }
    }

    /// The distance of the middle node from the cubic; a narrow cell weighs little, for it holds few draws,
    /// and one that spans unlike probabilities must be split whatever its middle says.
    fn error(&self) -> f64 {
        let Cell { start, end, .. } = self;
        if !self.is_divisible() {
            return 0.0;
        }
        if spans_unlike(start.t, end.t) {
            return f64::INFINITY;
        }
        let segment = self.segment();
        let (y, slope) = segment.at(self.middle.t);
        let far = start.t.abs().min(end.t.abs());
        // A wave may pass the middle node by chance, but not with its slope. Slopes have small errors of their own, which in the
        // long segments of tails are great.
        let turn = (slope - self.middle.slope).abs() * segment.width() / 8.0;
        let is_wave = turn > WAVE && turn.is_finite() && far < BODY;
        let miss = (y - self.middle.y)
            .abs()
            .max(if is_wave { turn } else { 0.0 });
        miss * (segment.width() / 0.1).min(1.0) * (45.0 / far).min(1.0)
    }
}

/// True if `asinh(to / 2) - asinh(from / 2)` is above a half, by the hyperbolic sine of the difference.
fn spans_unlike(from: f64, to: f64) -> bool {
    let cosh = |sinh: f64| (1.0 + sinh * sinh).sqrt();
    let (a, b) = (0.5 * from, 0.5 * to);
    b * cosh(a) - a * cosh(b) > SINH_HALF
}

const SINH_HALF: f64 = 0.521_095_305_493_747_4;

/// A cell in the queue: the greatest error comes first, of equal ones the least parameter.
struct Entry {
    error: f64,
    from: f64,
    cell: usize,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        (self.error.total_cmp(&other.error)).then(other.from.total_cmp(&self.from))
    }
}

/// Approximates the curve `point` by segments, from the first to the last of increasing parameters.
///
/// Splits the worst cell first, until all are good or `budget` segments exist. A cell is two
/// segments, because the search for the worst one evaluates its middle.
pub fn trace(
    parameters: &[f64],
    budget: usize,
    point: &mut dyn FnMut(f64) -> Node,
) -> Vec<Segment> {
    let cells = cells(parameters, budget / 2, GAIN * TOLERANCE, point);
    cells.iter().flat_map(Cell::segments).flatten().collect()
}

/// Like [`trace`], for a cheap curve that may have steps; each cell is one segment.
pub fn trace_finely(
    parameters: &[f64],
    budget: usize,
    point: &mut dyn FnMut(f64) -> Node,
) -> Vec<Segment> {
    let cells = cells(parameters, budget, TOLERANCE, point);
    cells.iter().map(Cell::segment).collect()
}

/// Cells in order of their parameters, until the middles of all come as near as `tolerance` or `budget` of them stand.
fn cells(
    parameters: &[f64],
    budget: usize,
    tolerance: f64,
    point: &mut dyn FnMut(f64) -> Node,
) -> Vec<Cell> {
    let nodes: Vec<Node> = parameters.iter().map(|u| point(*u)).collect();
    let mut cells: Vec<Cell> = Vec::with_capacity(budget.max(nodes.len()));
    let mut queue = BinaryHeap::with_capacity(budget.max(nodes.len()));
    let entry = |cell: &Cell, place: usize| Entry {
        error: cell.error(),
        from: cell.from,
        cell: place,
    };
    for (ends, nodes) in parameters.windows(2).zip(nodes.windows(2)) {
        cells.push(Cell {
            from: ends[0],
            to: ends[1],
            start: nodes[0],
            end: nodes[1],
            middle: point(0.5 * (ends[0] + ends[1])),
        });
    }
    queue.extend((0..).zip(&cells).map(|(place, cell)| entry(cell, place)));
    let mut limit = None;
    while cells.len() < budget {
        let Some(worst) = queue.peek() else { break };
        if worst.error.is_finite() {
            let limit = *limit.get_or_insert_with(|| tolerance * spread(&cells));
            if worst.error <= limit {
                break;
            }
        }
        if let Some(Entry { cell: place, .. }) = queue.pop() {
            let last = cells.len();
            let left = &mut cells[place];
            let half = 0.5 * (left.from + left.to);
            let right = Cell {
                from: half,
                to: left.to,
                start: left.middle,
                end: left.end,
                middle: point(0.5 * (half + left.to)),
            };
            (left.to, left.end) = (half, left.middle);
            left.middle = point(0.5 * (left.from + half));
            queue.push(entry(left, place));
            queue.push(entry(&right, last));
            cells.push(right);
        }
    }
    // Cells are large, and sorting moves what it sorts.
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by(|a, b| cells[*a].from.total_cmp(&cells[*b].from));
    order.into_iter().map(|place| cells[place]).collect()
}

/// The range of the coordinate between the logits -2 and 2, at most 1; for a piece outside them, the whole range.
fn spread(cells: &[Cell]) -> f64 {
    let range = |inside: &dyn Fn(&Node) -> bool| {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for cell in cells {
            for node in [cell.start, cell.end] {
                if inside(&node) && node.y.is_finite() {
                    range = (range.0.min(node.y), range.1.max(node.y));
                }
            }
        }
        range.1 - range.0
    };
    let body = range(&|node| node.t.abs() <= 2.0);
    let spread = if body > 0.0 { body } else { range(&|_| true) };
    if spread > 0.0 { spread.min(1.0) } else { 1.0 }
}

/// The logit nearest to `limit`, from `middle` on, up to which `good` holds.
pub fn furthest(middle: f64, limit: f64, good: &dyn Fn(f64) -> bool) -> f64 {
    if good(limit) {
        return limit;
    }
    let (mut inside, mut outside) = (middle, limit);
    for _ in 0..30 {
        let half = 0.5 * (inside + outside);
        if good(half) {
            inside = half
        } else {
            outside = half
        }
    }
    inside
}
