//! Collects the ranges of all parts of the line, and evaluates their ends.

use super::condition::{Problem, Side};
use super::lattice::{Cell, Lattice};
use super::numeric::{Answered, Line, Part, value_of};
use super::range::{End, Range};
use super::truth::Truth;
use crate::compiled::{Compiled, Point};
use crate::eval::{Number, Value};
use crate::ring::Rational;

/// Ranges whose ends are evaluated.
const MOST_EDGES: usize = 3;

/// The compared values at a number.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The number.
    pub at: Rational,
    /// The compared equations with their texts and values.
    pub values: Vec<(String, String, Number)>,
    /// True if the condition holds there.
    pub holds: bool,
}

/// The ranges where the condition holds, in ascending order.
pub fn ranges(line: &Line<'_>, answers: &[Answered]) -> Vec<Range> {
    let mut all: Vec<Range> = Vec::new();
    for answer in answers {
        let own = |(cell, truth): &(Cell, Truth)| (*truth == Truth::Yes).then_some(*cell);
        let cells = answer.pieces.iter().filter_map(own);
        let mut ranges: Vec<Range> = match (line.lattice, answer.part) {
            (Lattice::Whole, _) | (_, Part::Zero) => {
                cells.map(|cell| of_cell(line, answer.part, cell)).collect()
            }
            (Lattice::Real, part) => answer
                .ranges
                .iter()
                .map(|own| {
                    if part == Part::Negative {
                        negated(own)
                    } else {
                        own.clone()
                    }
                })
                .collect(),
        };
        if answer.part == Part::Negative {
            ranges.reverse();
        }
        for range in ranges {
            match all.last_mut() {
                Some(last) if is_next(line.lattice, last, &range) => last.high = range.high,
                _ => all.push(range),
            }
        }
    }
    all
}

fn negated(range: &Range) -> Range {
    Range {
        low: range.high.clone().map(End::negated),
        high: range.low.clone().map(End::negated),
    }
}

fn of_cell(line: &Line<'_>, part: Part, cell: Cell) -> Range {
    let lattice = line.lattice;
    let end = |index: i64| {
        let is_open = part != Part::Zero && index == lattice.whole().last;
        (!is_open).then(|| End::exact(value_of(part, lattice, index), true))
    };
    let [low, high] = match part {
        Part::Negative => [cell.last, cell.first],
        _ => [cell.first, cell.last],
    };
    Range {
        low: end(low),
        high: end(high),
    }
}

/// True if a range goes on where another ends.
fn is_next(lattice: Lattice, last: &Range, next: &Range) -> bool {
    match (&last.high, &next.low, lattice) {
        (Some(high), Some(low), Lattice::Whole) => &high.value + &Rational::ONE == low.value,
        (Some(high), Some(low), Lattice::Real) => {
            high.value == low.value && (high.is_included || low.is_included)
        }
        _ => false,
    }
}

/// Values at the ends of the first ranges, and just outside them where the model has values.
pub fn edges(
    compiled: &Compiled,
    problem: &Problem,
    line: &Line<'_>,
    ranges: &[Range],
) -> Vec<Edge> {
    let mut places: Vec<(Rational, bool)> = Vec::new();
    let one = Rational::ONE;
    for range in ranges.iter().take(MOST_EDGES) {
        for (end, outwards) in [(&range.low, -&one), (&range.high, one.clone())] {
            let Some(end) = end else { continue };
            if line.lattice == Lattice::Whole {
                places.push((&end.value + &outwards, false));
            }
            places.push((end.value.clone(), end.is_included));
        }
    }
    places.sort();
    places.dedup();
    let each = places.into_iter();
    each.filter_map(|(at, holds)| edge(compiled, problem, line, at, holds))
        .collect()
}

fn edge(
    compiled: &Compiled,
    problem: &Problem,
    line: &Line<'_>,
    at: Rational,
    holds: bool,
) -> Option<Edge> {
    let mut point = Point::default();
    for (name, value) in &line.known {
        point = point.with(name, value.clone());
    }
    if !holds && !line.is_in_domain(&at) {
        return None;
    }
    let evaluated = compiled.at(point.with(&line.name, at.clone())).ok()?;
    let mut values: Vec<(String, String, Number)> = Vec::new();
    for (_, left, right) in problem.condition.comparisons() {
        for side in [left, right] {
            let Side::Equation { name, text } = side else {
                continue;
            };
            // A value that does not change says nothing of the range.
            if *text == line.name || !line.depends(name) {
                continue;
            }
            let found = evaluated.equations.iter().find(|own| own.name == *name);
            let number = found.and_then(|own| match &own.value {
                Value::Scalar(number) => Some(number.clone()),
                _ => None,
            });
            if let Some(number) = number
                && !values.iter().any(|(_, own, _)| own == text)
            {
                values.push((name.clone(), text.clone(), number));
            }
        }
    }
    Some(Edge { at, values, holds })
}
