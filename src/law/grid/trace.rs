//! Where to put the nodes of a quantile function: wherever the cubic between two misses it.

use super::segment::{Node, Segment};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Logits beyond this are extrapolated: `e^-200` is far below what the largest of 1e12 copies asks for.
pub const REACH: f64 = 200.0;

/// Segments that one smooth piece may take.
const MOST: usize = 256;

/// Segments that a law of many pieces may take in all, unless that leaves a piece too few.
const ALL: usize = 1024;

/// How many segments each of `pieces` smooth pieces may take.
pub fn budget(pieces: usize) -> usize {
    (ALL / pieces.max(1)).clamp(24, MOST)
}

/// The error that a cubic may have in the middle, beside how far the coordinate goes in the body of the law.
const TOLERANCE: f64 = 3e-8;

/// A segment between two parameters, with what the middle one says of it.
struct Cell {
    from: f64,
    to: f64,
    start: Node,
    end: Node,
    middle: Node,
    segment: Segment,
    error: f64,
}

impl Cell {
    fn new(from: f64, to: f64, start: Node, end: Node, point: &mut dyn FnMut(f64) -> Node) -> Cell {
        let mut cell = Cell {
            from,
            to,
            start,
            end,
            middle: point(0.5 * (from + to)),
            segment: Segment::new(start, end),
            error: 0.0,
        };
        cell.error = cell.weighted_error();
        cell
    }

    /// The distance of the middle node from the cubic; a narrow cell weighs little, for it holds few draws,
    /// and one that spans unlike probabilities must be split whatever its middle says.
    fn weighted_error(&self) -> f64 {
        let Segment { start, end } = self.segment;
        let inside = 0.5 * (self.from + self.to);
        if inside <= self.from || inside >= self.to || !self.middle.y.is_finite() {
            return 0.0;
        }
        if (end.t / 2.0).asinh() - (start.t / 2.0).asinh() > 0.5 {
            return f64::INFINITY;
        }
        let miss = (self.segment.at(self.middle.t).0 - self.middle.y).abs();
        let far = start.t.abs().min(end.t.abs());
        miss * (self.segment.width() / 0.1).min(1.0) * (45.0 / far).min(1.0)
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        (self.error.total_cmp(&other.error)).then(other.from.total_cmp(&self.from))
    }
}

/// The segments of the curve that `point` draws, from the first to the last of increasing parameters: the
/// worst cell is split first, until all are good or `budget` segments stand.
pub fn trace(
    parameters: &[f64],
    budget: usize,
    point: &mut dyn FnMut(f64) -> Node,
) -> Vec<Segment> {
    let nodes: Vec<Node> = parameters.iter().map(|u| point(*u)).collect();
    let mut cells = BinaryHeap::new();
    for i in 1..nodes.len() {
        let (from, to) = (parameters[i - 1], parameters[i]);
        cells.push(Cell::new(from, to, nodes[i - 1], nodes[i], point));
    }
    let mut tolerance = None;
    while cells.len() < budget {
        let Some(worst) = cells.peek() else { break };
        if worst.error.is_finite() {
            let limit = *tolerance.get_or_insert_with(|| TOLERANCE * spread(&cells));
            if worst.error <= limit {
                break;
            }
        }
        if let Some(cell) = cells.pop() {
            let Cell { from, to, .. } = cell;
            let half = 0.5 * (from + to);
            cells.push(Cell::new(from, half, cell.start, cell.middle, point));
            cells.push(Cell::new(half, to, cell.middle, cell.end, point));
        }
    }
    let mut cells = cells.into_vec();
    cells.sort_by(|a, b| a.from.total_cmp(&b.from));
    cells.into_iter().map(|cell| cell.segment).collect()
}

/// How far the coordinate goes between the logits -2 and 2, at most 1; of a piece outside of them, in all.
fn spread(cells: &BinaryHeap<Cell>) -> f64 {
    let range = |inside: &dyn Fn(&Node) -> bool| {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for cell in cells {
            for node in [cell.segment.start, cell.segment.end] {
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
