//! The best point where parameters go through all numbers of an interval: boxes are cut until bounds of the closed form over
//! each say that none has a better value.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::interval::{Interval, Named, Program};
use super::{Argument, Certainty, Optimum, Question, argument, equation};
use crate::compiled::{Column, Compiled, Input, Point, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::{Number, Value};
use crate::expr::Sort;
use crate::formula::Formula;
use crate::pipeline::SimplifiedEquation;
use crate::ring::Rational;
use crate::sweep::{Axis, Filter, Grid, Units, Watch};

/// Boxes that are looked at, all combinations of other values together.
const MOST_BOXES: u64 = 300_000;
/// Combinations of values of the parameters that have lists.
const MOST_COMBINATIONS: u64 = 4096;
/// Values that differ by less are not told apart.
const TOLERANCE: f64 = 1e-9;

/// Whether all numbers between the ends of an axis are meant: the parameter is no whole number, and has two ends alone.
pub(super) fn is_interval(compiled: &Compiled, axis: &Axis) -> bool {
    let [name] = axis.names.as_slice() else {
        return false;
    };
    let mut parameters = compiled.parameters().iter();
    let is_whole = parameters.any(|own| own.name == *name && own.whole);
    axis.interval.is_some() && !is_whole
}

/// The best point over intervals, crossed with lists of values.
///
/// # Errors
/// A value whose bounds are not known; a closed form that does not hold everywhere; no point with a value.
pub(super) fn by_boxes(compiled: &Compiled, question: &Question, watch: &Watch) -> Result<Optimum> {
    let axes = question.grid.axes.iter().cloned();
    let (intervals, lists): (Vec<Axis>, Vec<Axis>) =
        axes.partition(|axis| is_interval(compiled, axis));
    let lists = Grid::new(lists, question.grid.constants.clone())?;
    if lists.len() > MOST_COMBINATIONS {
        let message = format!(
            "there are {} combinations of values beside an interval, and at most {MOST_COMBINATIONS} are looked at",
            lists.len()
        );
        return Err(Error::new(message).hint("give fewer values"));
    }
    let names: Vec<String> = intervals
        .iter()
        .flat_map(|axis| axis.names.clone())
        .collect();
    let ends = intervals.iter().filter_map(|axis| axis.interval.clone());
    let whole: Vec<Interval> = ends.map(|[first, last]| between(&first, &last)).collect();
    let objective = equation(compiled, &question.objective);
    let Some(objective) = objective.filter(|own| own.sort == Sort::Scalar) else {
        return Err(no_bounds(
            question,
            "it is a law, or there is no such equation",
        ));
    };
    let filters = filters(compiled, question)?;
    let mut best: Option<Best> = None;
    let (mut boxes, mut bound) = (0, f64::INFINITY);
    for number in 0..lists.len() {
        let fixed = lists.batch(number, 1);
        let fixed = fixed
            .into_iter()
            .filter_map(|(name, input)| Some((name.to_owned(), input.exact(0)?)));
        let mut search = Search {
            compiled,
            question,
            objective,
            filters: &filters,
            names: &names,
            fixed: fixed.collect(),
            watch,
            sign: if question.greatest { -1.0 } else { 1.0 },
            best,
            boxes,
        };
        bound = bound.min(search.run(&whole)?);
        (best, boxes) = (search.best, search.boxes);
    }
    let Some(best) = best else {
        let (objective, conditions) = (&question.objective, question.subject_to.join(" and "));
        return Err(Error::new(match question.subject_to.is_empty() {
            true => format!("{objective} has no value at any of the points that were tried"),
            false => format!(
                "no point was found at which {conditions} holds and {objective} has a value"
            ),
        }));
    };
    let sign = if question.greatest { -1.0 } else { 1.0 };
    let bound = sign * bound.min(best.value);
    if !bound.is_finite() {
        return Err(no_bounds(
            question,
            "it may grow beyond all bounds in the interval",
        ));
    }
    let mut optimum = Optimum {
        at: question
            .grid
            .names()
            .filter_map(|name| Some((name.to_owned(), best.at(name)?)))
            .collect(),
        value: sign * best.value,
        certainty: Certainty::Bounds {
            boxes,
            bound,
            is_tight: (bound - sign * best.value).abs() <= 2.0 * tolerance(best.value, best.spread),
        },
        neighbours: Vec::new(),
        argument: None,
    };
    if let ([name], []) = (names.as_slice(), lists.axes.as_slice()) {
        explain(compiled, question, objective, name, whole[0], &mut optimum)?;
    }
    Ok(optimum)
}

fn between(first: &Rational, last: &Rational) -> Interval {
    let (low, high) = if first <= last {
        (first, last)
    } else {
        (last, first)
    };
    Interval {
        low: low.to_f64(),
        high: high.to_f64(),
    }
}

fn no_bounds(question: &Question, reason: &str) -> Error {
    let message = format!(
        "the best {} over an interval is found by bounds of its closed form, and {reason}",
        question.objective
    );
    Error::new(message).hint(
        "give a step, `0.1:0.01:10`, or a list, `log(0.1, 10, 1000)`: all its values are looked at",
    )
}

/// What has to hold, over parameters and values.
fn filters(compiled: &Compiled, question: &Question) -> Result<Vec<Filter>> {
    let parameters = compiled.parameters().iter().map(|own| own.name.as_str());
    let equations = compiled
        .equations()
        .iter()
        .filter(|own| own.sort == Sort::Scalar);
    let names: Vec<&str> = parameters
        .chain(equations.map(|own| own.name.as_str()))
        .collect();
    let declared = compiled.declared_units();
    let units = Units {
        of: &|name| compiled.shown(name).cloned(),
        declared: &declared,
    };
    let conditions = question.subject_to.iter();
    conditions
        .map(|text| Filter::new(text, &names, &units))
        .collect()
}

/// What the place is, and the double next to it where it is known as a formula.
fn explain(
    compiled: &Compiled,
    question: &Question,
    objective: &SimplifiedEquation,
    name: &str,
    whole: Interval,
    optimum: &mut Optimum,
) -> Result<()> {
    let place = optimum.at[0].1;
    let known = super::known(question);
    let slack = 1e-6 * place.abs();
    let found = argument::of(
        compiled,
        objective,
        (name, place),
        &known,
        [whole.low, whole.high],
        slack,
    )?;
    if let Some(Argument::Stationary { value, .. } | Argument::Crossing { value, .. }) = found {
        let inside = whole.low <= value && value <= whole.high;
        let there = super::value_at(compiled, question, &known, name, value).filter(|_| inside);
        let is_same = |own: &f64| (own - optimum.value).abs() <= 1e-14 * own.abs();
        if let Some(own) = there
            .filter(is_same)
            .filter(|_| question.subject_to.is_empty())
        {
            (optimum.at[0].1, optimum.value) = (value, own);
        }
    }
    optimum.argument = found;
    Ok(())
}

/// The best point up to now; of the greatest value its negative.
#[derive(Clone)]
struct Best {
    names: Vec<String>,
    place: Vec<f64>,
    fixed: Vec<(String, Rational)>,
    value: f64,
    /// How far the first values are from each other.
    spread: f64,
}

impl Best {
    fn at(&self, name: &str) -> Option<f64> {
        let own = self.names.iter().position(|own| own == name);
        let fixed = || self.fixed.iter().find(|(own, _)| own == name);
        own.map(|place| self.place[place])
            .or_else(|| fixed().map(|(_, value)| value.to_f64()))
    }
}

fn tolerance(value: f64, spread: f64) -> f64 {
    TOLERANCE * value.abs().max(1e-3 * spread)
}

/// A box with what no value in it is below.
struct Cell {
    sides: Vec<Interval>,
    low: f64,
    /// Which side is cut next.
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

struct Search<'s> {
    compiled: &'s Compiled,
    question: &'s Question,
    objective: &'s SimplifiedEquation,
    filters: &'s [Filter],
    /// The parameters that have intervals.
    names: &'s [String],
    fixed: Vec<(String, Rational)>,
    watch: &'s Watch,
    sign: f64,
    best: Option<Best>,
    boxes: u64,
}

/// The numbers of the results of a program.
struct Places {
    objective: usize,
    /// Where the closed form is one.
    domain: Vec<usize>,
    /// What else has to hold: facts of the model, and conditions of the question.
    wanted: Vec<usize>,
    /// All that has to hold is among these.
    is_all: bool,
}

impl<'s> Search<'s> {
    /// What no value is below, by boxes that leave none out.
    fn run(&mut self, whole: &[Interval]) -> Result<f64> {
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
                        &format!("{reason} {name} = {middle}"),
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
            // Where one is not known to be false, its points are looked at.
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
            // Where it only rises, the least value is at the lower end.
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
        if self.best.as_ref().is_none_or(|best| here.low < best.value) {
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

    fn signed(&self, value: Interval) -> Interval {
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

    fn value(&self, place: &[f64]) -> Option<f64> {
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

    /// Moves the best point to where the slope changes its sign, and to a near number of few digits.
    fn polish(&mut self, program: &mut Program, places: &Places, whole: &[Interval]) {
        let Some(best) = self.best.clone().filter(|best| best.fixed == self.fixed) else {
            return;
        };
        let mut place = best.place;
        for _ in 0..if place.len() == 1 { 1 } else { 20 } {
            for side in 0..place.len() {
                if let Some(found) = self.turning(program, places, &place, (side, whole[side])) {
                    place[side] = found;
                }
            }
        }
        let value = self.value(&place).map(|value| self.sign * value);
        if let (Some(best), Some(value)) = (&mut self.best, value)
            && value <= best.value
        {
            (best.place, best.value) = (place, value);
        }
        for side in 0..whole.len() {
            for digits in 0..12_usize {
                let Some(best) = self.best.clone() else {
                    return;
                };
                let mut place = best.place.clone();
                place[side] = format!("{:.digits$e}", place[side])
                    .parse()
                    .unwrap_or(place[side]);
                let inside = whole[side].low <= place[side] && place[side] <= whole[side].high;
                let Some(value) = self.value(&place).filter(|_| inside) else {
                    continue;
                };
                let value = self.sign * value;
                if value < best.value || digits < 3 && value == best.value {
                    self.best = Some(Best {
                        place,
                        value,
                        ..best
                    });
                    break;
                }
            }
        }
    }

    /// Near a place the number at which the slope along one side changes from falling to rising.
    fn turning(
        &self,
        program: &mut Program,
        places: &Places,
        place: &[f64],
        (side, whole): (usize, Interval),
    ) -> Option<f64> {
        let mut slope = |x: f64| {
            let mut there: Vec<Interval> = place.iter().map(|x| Interval::at(*x)).collect();
            there[side] = Interval::at(x);
            let found = self.signed(program.run(&there)[places.objective].slopes[side]);
            found.low.is_finite().then(|| found.middle())
        };
        let mut step = 1e-7 * whole.width();
        let (mut low, mut high) = (place[side], place[side]);
        while slope(low)? > 0.0 || slope(high)? < 0.0 {
            if step > whole.width() {
                return None;
            }
            (low, high) = (
                (place[side] - step).max(whole.low),
                (place[side] + step).min(whole.high),
            );
            step *= 2.0;
        }
        for _ in 0..200 {
            let middle = low / 2.0 + high / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            match slope(middle)? < 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(high)
    }
}
