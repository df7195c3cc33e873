//! Branch and bound over boxes: splits the most promising box until no other can be better.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::best::{Best, no_bounds, tolerance};
use super::boxes::{Named, Program};
use super::interval::Interval;
use super::{Question, equation};
use crate::compiled::{Column, Compiled, Input, Point, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::{Number, Value};
use crate::formula::Formula;
use crate::pipeline::SimplifiedEquation;
use crate::ring::Rational;
use crate::sweep::{Filter, Watch};

/// Boxes that are looked at, all combinations of other values together.
const MOST_BOXES: u64 = 300_000;

/// A box with a lower bound of its values.
struct Cell {
    sides: Vec<Interval>,
    low: f64,
    /// Index of the side to split next.
    longest: usize,
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
    /// The lowest one is the greatest, which a heap gives first.
    fn cmp(&self, other: &Cell) -> Ordering {
        other.low.total_cmp(&self.low)
    }
}

pub(super) struct Search<'s> {
    pub compiled: &'s Compiled,
    pub question: &'s Question,
    pub objective: &'s SimplifiedEquation,
    pub filters: &'s [Filter],
    /// Parameters with intervals.
    pub names: &'s [String],
    pub fixed: Vec<(String, Rational)>,
    pub watch: &'s Watch,
    pub sign: f64,
    pub best: Option<Best>,
    pub boxes: u64,
}

/// Indices of the results of a program.
pub(super) struct Places {
    pub objective: usize,
    /// Conditions of the closed form.
    pub domain: Vec<usize>,
    /// Further conditions: facts of the model and constraints of the question.
    pub wanted: Vec<usize>,
    /// True if the conditions here are all that must hold.
    pub is_all: bool,
}

impl<'s> Search<'s> {
    /// Returns a bound below all values, from boxes that cover the whole space.
    pub fn run(&mut self, whole: &[Interval]) -> Result<f64> {
        let compiled = self.compiled;
        let fixed = self.fixed.clone();
        let plan = compiled.plan_of_values(&[])?;
        let named = move |name: &str| {
            if let Some((_, value)) = fixed.iter().find(|(own, _)| own == name) {
                return Some(Named::Number(value.clone()));
            }
            if let Some(value) = plan.default(name) {
                return Some(Named::Number(value));
            }
            let own = equation(compiled, name).filter(|own| own.formals.is_empty())?;
            Some(Named::Formula(&own.formula))
        };
        let mut program = Program::new(self.names, &named);
        let places = self.places(&mut program)?;
        self.try_corners(whole);
        let mut cells = BinaryHeap::new();
        let mut settled = f64::INFINITY;
        cells.extend(self.cell(&mut program, &places, whole.to_vec()));
        while let Some(cell) = cells.pop() {
            let (best, spread) = self
                .best
                .as_ref()
                .map_or((f64::INFINITY, 0.0), |own| (own.value, own.spread));
            if cell.low >= best - tolerance(best, spread)
                || self.boxes >= MOST_BOXES
                || self.watch.interrupted()
            {
                settled = settled.min(cell.low);
                break;
            }
            let side = cell.sides[cell.longest];
            let middle = side.middle();
            if middle <= side.low || middle >= side.high {
                if cell.low == f64::NEG_INFINITY {
                    let (name, reason) = (
                        &self.names[cell.longest],
                        "its closed form is not known to hold near",
                    );
                    return Err(no_bounds(
                        self.question,
                        &format!("{reason} {name} = {middle:?}"),
                    ));
                }
                settled = settled.min(cell.low);
                continue;
            }
            for half in [
                Interval {
                    high: middle,
                    ..side
                },
                Interval {
                    low: middle,
                    ..side
                },
            ] {
                let mut sides = cell.sides.clone();
                sides[cell.longest] = half;
                cells.extend(self.cell(&mut program, &places, sides));
            }
        }
        if self.watch.interrupted() {
            return Err(Error::new("interrupted"));
        }
        self.polish(&mut program, &places, whole);
        Ok(settled)
    }

    fn places(&self, program: &mut Program<'s>) -> Result<Places> {
        let unknown = || {
            no_bounds(
                self.question,
                "it has a loop, or a function, whose bounds are not known",
            )
        };
        let formula = &self.objective.formula;
        let objective = program
            .add(formula.arena(), formula.root())
            .ok_or_else(unknown)?;
        let mut mentioned: Vec<&Formula> = vec![formula];
        let mut next = 0;
        while next < mentioned.len() {
            for name in mentioned[next].mentions() {
                let own = equation(self.compiled, &name).ok_or_else(unknown)?;
                if !mentioned
                    .iter()
                    .any(|known| std::ptr::eq(*known, &own.formula))
                {
                    mentioned.push(&own.formula);
                }
            }
            next += 1;
        }
        let (mut domain, mut wanted) = (Vec::new(), Vec::new());
        for own in mentioned {
            for &condition in own.conditions() {
                domain.push(program.add(own.arena(), condition).ok_or_else(unknown)?);
            }
        }
        let facts = self.compiled.simplified().facts.iter();
        let conditions = self.filters.iter().flat_map(Filter::formulas);
        let mut is_all = true;
        for own in facts.chain(conditions) {
            // A condition that cannot be compiled is not known to fail, so its points are evaluated.
            let place = program.add(own.arena(), own.root());
            is_all &= place.is_some();
            wanted.extend(place);
        }
        Ok(Places {
            objective,
            domain,
            wanted,
            is_all,
        })
    }

    /// A box, unless it has no better value; its middle is tried.
    fn cell(
        &mut self,
        program: &mut Program,
        places: &Places,
        mut sides: Vec<Interval>,
    ) -> Option<Cell> {
        self.boxes += 1;
        let all = program.run(&sides);
        let value = |place: usize| all[place].value;
        if places.wanted.iter().any(|&place| value(place).is_false()) {
            return None;
        }
        let mut wanted = places.wanted.iter();
        let everywhere = places.is_all && wanted.all(|&place| value(place).is_true());
        let is_form = places.domain.iter().all(|&place| value(place).is_true());
        let over = all[places.objective].clone();
        let slopes: Vec<Interval> = over
            .slopes
            .iter()
            .map(|slope| self.signed(*slope))
            .collect();
        if is_form && everywhere {
            // If the value only rises, the least value is at the lower end.
            for (side, slope) in sides.iter_mut().zip(&slopes) {
                if slope.low >= 0.0 && slope.high.is_finite() {
                    *side = Interval::at(side.low);
                } else if slope.high <= 0.0 && slope.low.is_finite() {
                    *side = Interval::at(side.high);
                }
            }
        }
        let middle: Vec<f64> = sides.iter().map(|side| side.middle()).collect();
        let there: Vec<Interval> = middle.iter().map(|x| Interval::at(*x)).collect();
        let here = self.signed(program.run(&there)[places.objective].value);
        let parts = sides.iter().zip(&there).zip(&slopes);
        let moved = parts.map(|((side, middle), slope)| match side.minus(*middle) {
            _ if side.low == side.high => Interval::ZERO,
            step => slope.times(step),
        });
        let linear = moved.fold(here, Interval::plus);
        let bound = self.signed(over.value).meet(linear);
        let low = if is_form {
            bound.low
        } else {
            f64::NEG_INFINITY
        };
        // Exact values take long: those that are hardly better are left to `polish`.
        let is_better =
            |best: &Best| here.middle() < best.value - 0.1 * tolerance(best.value, best.spread);
        if self.best.as_ref().is_none_or(is_better) {
            self.try_at(&middle);
        }
        let weight = |place: usize| {
            let slope = slopes[place].low.abs().max(slopes[place].high.abs());
            sides[place].width()
                * if slope.is_finite() {
                    slope.max(1e-300)
                } else {
                    1e300
                }
        };
        let longest = (0..sides.len()).max_by(|a, b| weight(*a).total_cmp(&weight(*b)))?;
        let kept = self.best.as_ref().is_none_or(|best| low < best.value);
        kept.then_some(Cell {
            sides,
            low,
            longest,
        })
    }

    pub fn signed(&self, value: Interval) -> Interval {
        if self.sign < 0.0 {
            value.negated()
        } else {
            value
        }
    }

    fn try_corners(&mut self, whole: &[Interval]) {
        let mut values = Vec::new();
        for corner in 0..1_usize << whole.len().min(6) {
            let ends = whole.iter().enumerate();
            let place: Vec<f64> = ends
                .map(|(side, own)| {
                    if corner >> side & 1 == 0 {
                        own.low
                    } else {
                        own.high
                    }
                })
                .collect();
            values.extend(self.try_at(&place));
        }
        let middle: Vec<f64> = whole.iter().map(|side| side.middle()).collect();
        values.extend(self.try_at(&middle));
        let spread = values.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b))
            - values.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        if let Some(best) = &mut self.best {
            best.spread = best.spread.max(spread);
        }
    }

    /// The value at a point, if there is one and the point is allowed; the best one is kept.
    fn try_at(&mut self, place: &[f64]) -> Option<f64> {
        let value = self.sign * self.value(place)?;
        if self.best.as_ref().is_none_or(|best| value < best.value) {
            self.best = Some(Best {
                names: self.names.to_vec(),
                place: place.to_vec(),
                fixed: self.fixed.clone(),
                value,
                spread: self.best.as_ref().map_or(0.0, |best| best.spread),
            });
        }
        Some(value)
    }

    pub fn value(&self, place: &[f64]) -> Option<f64> {
        let mut point = Point::default();
        let mut given: Vec<(&str, Rational)> = Vec::new();
        for (name, value) in &self.fixed {
            given.push((name, value.clone()));
        }
        for (name, value) in self.names.iter().zip(place) {
            given.push((name, decimal(*value)?));
        }
        for (name, value) in &given {
            point = point.with(name, value.clone());
        }
        let evaluated = self.compiled.at(point).ok()?;
        let of = |name: &str| evaluated.equations.iter().find(|own| own.name == name);
        let number = |name: &str| match &of(name)?.value {
            Value::Scalar(number) => Some(number.clone()),
            _ => None,
        };
        let found = number(&self.question.objective)?.to_f64();
        let named = |name: &str| {
            let own = given.iter().find(|(own, _)| *own == name);
            match own
                .map(|(_, value)| Number::Exact(value.clone()))
                .or_else(|| number(name))?
            {
                Number::Exact(value) => Some(Input::Constant(value)),
                number => {
                    let column = Column::of_results(vec![number.to_f64()]);
                    Some(Input::Column(column.into(), 0))
                }
            }
        };
        let holds = |filter: &Filter| !filter.kept(&named, 1, &mut filter.workspace()).is_empty();
        (found.is_finite() && self.filters.iter().all(holds)).then_some(found)
    }
}
