//! Ranges of numbers, and the values at their ends.

use super::condition::{Problem, Side};
use super::lattice::{Cell, Lattice};
use super::numeric::{Answered, Line, Part, value_of};
use super::steps::Truth;
use crate::compiled::{Compiled, Point};
use crate::diagnostic::Result;
use crate::eval::{Number, Value};
use crate::ring::Rational;

/// Ranges whose ends are evaluated.
const MOST_EDGES: usize = 8;

/// An end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The number, exactly or as the nearest double.
    pub value: Rational,
    /// True if the number is exact.
    pub is_exact: bool,
    /// True if the number is in the range.
    pub is_included: bool,
}

/// All numbers from one to another: whole numbers for a parameter that is declared so.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// `None` if there is no lower end.
    pub low: Option<End>,
    /// `None` if there is no upper end.
    pub high: Option<End>,
}

/// The compared values at a number.
#[derive(Clone, Debug)]
pub struct Edge {
    pub at: Rational,
    /// Texts of the compared expressions with their values.
    pub values: Vec<(String, Number)>,
    /// True if the condition holds there.
    pub holds: bool,
}

impl End {
    fn whole(value: Rational) -> End {
        End {
            value,
            is_exact: true,
            is_included: true,
        }
    }
}

/// The ranges where the condition holds, in ascending order.
pub fn ranges(line: &Line<'_>, answers: &[Answered]) -> Result<Vec<Range>> {
    let mut all: Vec<Range> = Vec::new();
    for answer in answers {
        let own = |(cell, truth): &(Cell, Truth)| (*truth == Truth::Yes).then_some(*cell);
        let mut cells: Vec<Cell> = answer.pieces.iter().filter_map(own).collect();
        if answer.part == Part::Negative {
            cells.reverse();
        }
        for cell in cells {
            let range = of_cell(line, answer.part, cell);
            match all.last_mut() {
                Some(last) if is_next(last, &range) => last.high = range.high,
                _ => all.push(range),
            }
        }
    }
    Ok(all)
}

fn of_cell(line: &Line<'_>, part: Part, cell: Cell) -> Range {
    let lattice = line.lattice;
    let end = |index: i64| {
        let is_open = part != Part::Zero && index == lattice.whole().last;
        (!is_open).then(|| End::whole(value_of(part, lattice, index)))
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

/// True if a range of whole numbers goes on where another ends.
fn is_next(last: &Range, next: &Range) -> bool {
    match (&last.high, &next.low) {
        (Some(high), Some(low)) => &high.value + &Rational::ONE == low.value,
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
    let evaluated = compiled.at(point.with(&line.name, at.clone())).ok()?;
    let mut values: Vec<(String, Number)> = Vec::new();
    for (_, left, right) in problem.condition.comparisons() {
        for side in [left, right] {
            let Side::Equation { name, text } = side else {
                continue;
            };
            let found = evaluated.equations.iter().find(|own| own.name == *name);
            let number = found.and_then(|own| match &own.value {
                Value::Scalar(number) => Some(number.clone()),
                _ => None,
            });
            if let Some(number) = number
                && !values.iter().any(|(own, _)| own == text)
            {
                values.push((text.clone(), number));
            }
        }
    }
    Some(Edge { at, values, holds })
}
