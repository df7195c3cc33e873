//! Functions that call themselves on a part of their input: `f(n) { .. f(n / 2) .. f(n / 2) .. }`. The calls of one
//! depth form a level. All calls of a level have the same size, so the time is a sum over levels. If sizes differ,
//! the smallest or the largest size gives a bound.

mod descent;
mod rising;

use descent::{Descent, descent_of, power, split};
use rising::rises;

use super::Parts;
use super::number::*;
use super::part::{Part, Range};
use super::walker::{List, Role, Walker};
use crate::problem::Problem;
use crate::source::tree::Variable;

/// The work of a level.
struct Levels {
    /// The size, in the formals of the function.
    size: Number,
    descent: Descent,
    /// Calls that each call makes.
    calls: i64,
    /// The function calls itself where its size is above this.
    threshold: i64,
    /// The work of a call beside its calls: where it goes on, and where it ends.
    work: Part,
    end: Part,
    symbol: Symbol,
}

impl Walker<'_> {
    /// True if a function calls itself, and by no other one, and alone.
    pub fn may_recur(&self, function: usize) -> bool {
        let whole = self.whole;
        let is_direct = whole.calls_itself(function) && !whole.is_recursive_by_others(function);
        is_direct && !whole.is_of_threads(function) && !whole.sends_messages(function)
    }

    /// Adds the facts that hold in every call of such a function.
    pub fn begin_again(&mut self, function: usize) {
        let span = self.whole.functions[function].function.span;
        self.forget_assigned(function, span);
    }

    /// Adds a note that recursive calls of a region are not in its model.
    pub fn note_calls_of_itself(&mut self, region: &Part) {
        if holds_calls(region) {
            let name = self.function_name();
            let problem = Problem::new(format!(
                "the region calls `{name}`, which contains it: the time of these calls is left out"
            ));
            let place = self.whole.functions[self.function].function.place.clone();
            let hint = "choose the function as `entry`";
            self.unsure(problem.at(place).hint(format!("{hint} {name}")));
        }
    }

    /// The body of a recursive function as a sum over levels, or a measured time.
    pub fn of_levels(&mut self, function: usize, body: &Part, values: &[Option<Number>]) -> Part {
        let caller = std::mem::replace(&mut self.function, function);
        let part = self.levels_or_time(body, values);
        self.function = caller;
        part
    }

    fn levels_or_time(&mut self, body: &Part, values: &[Option<Number>]) -> Part {
        let function = self.whole.functions[self.function].function;
        let mut list = List::default();
        let goes_on = guarded(body)
            .map(|(_, then, otherwise)| if holds_calls(&then) { then } else { otherwise });
        let is_nothing = |part: &Part| without(part).is_nothing();
        let around = surroundings(body).unwrap_or((Part::nothing(), Part::nothing()));
        if is_nothing(goes_on.as_ref().unwrap_or(body))
            && is_nothing(&around.0)
            && is_nothing(&around.1)
        {
            // Calls take time, even where nothing else does.
            self.straight(&mut list, function.span, function.span.start);
        }
        list.parts.push(body.clone());
        let body = Part::sequence(list.parts);
        if let Some(part) = self.by_levels(&body, &function.formals, values) {
            return part;
        }
        let message = format!("{} calls itself", function.name);
        let problem = Problem::new(message).at(function.place.clone());
        let hint = "give its cost in front of it: #pragma pamela cost(a * n * log(n))";
        self.opaque(function.span, problem.hint(hint))
    }

    /// The body of a function that calls itself, by levels; nothing where sizes do not go down alike.
    fn by_levels(
        &mut self,
        body: &Part,
        arguments: &[Variable],
        values: &[Option<Number>],
    ) -> Option<Part> {
        let mut again = Vec::new();
        body.walk(&mut |part| {
            if let Part::Again(arguments) = part {
                again.push(arguments.clone());
            }
        });
        let changing: Vec<usize> = (0..arguments.len())
            .filter(|k| values[*k].is_some())
            .filter(|k| again.iter().any(|list| list.get(*k) != values.get(*k)))
            .collect();
        let symbol = self.symbol("m", Role::Formal);
        let mut found = None;
        for measure in measures(&changing, values) {
            found = self.levels(body, &again, values, &measure, symbol);
            if found.is_some() {
                break;
            }
        }
        let levels = found?;
        let part = levels.part(self)?;
        if let Descent::Over { by, .. } = levels.descent
            && !levels.descent.is_exact()
        {
            let name = self.function_name();
            let bound = match (levels.is_bounded(), self.parts) {
                (false, _) => "exact where all parts of a level are equal",
                (true, Parts::Smallest) => {
                    "each is taken as the smallest of its level, a lower bound; --parts largest gives an upper bound"
                }
                (true, Parts::Largest) => {
                    "each is taken as the largest of its level, an upper bound"
                }
            };
            let problem = Problem::new(format!(
                "{name} calls itself on parts of about 1/{by}: {bound}"
            ));
            let place = self.whole.functions[self.function].function.place.clone();
            self.unsure(problem.at(place));
        }
        Some(part)
    }

    fn levels(
        &self,
        body: &Part,
        again: &[Vec<Option<Number>>],
        values: &[Option<Number>],
        measure: &Measure,
        symbol: Symbol,
    ) -> Option<Levels> {
        let size = measure.size(values)?;
        let m = Number::symbol(symbol);
        let descent = |arguments: &Vec<Option<Number>>| {
            let next = measure.in_size(&measure.size(arguments)?, values, &m)?;
            descent_of(&next, &m)
        };
        let descents: Vec<Descent> = again.iter().map(descent).collect::<Option<_>>()?;
        let body = measure.part_in_size(body, values, &m)?;
        let (condition, then, otherwise) = guarded(&body)?;
        let (condition, goes_on, ends) = if holds_calls(&then) {
            (condition.clone(), then, otherwise)
        } else {
            (condition.clone().negated(), otherwise, then)
        };
        let threshold = above(&condition, symbol)?;
        if holds_calls(&ends) || threshold < 0 {
            return None;
        }
        let calls = count(&goes_on)?;
        let descent = Descent::of_all(&descents, calls)?;
        // If the recursion ends at one size only, it must hit this size.
        let is_at_one = matches!(condition, Condition::Compare(Comparison::NotEqual, ..));
        if is_at_one && !descent.comes_to(threshold) {
            return None;
        }
        let rest = surroundings(&body)?;
        let with_rest =
            |part: &Part| Part::sequence(vec![rest.0.clone(), without(part), rest.1.clone()]);
        Some(Levels {
            size,
            descent,
            calls,
            threshold,
            work: with_rest(&goes_on),
            end: with_rest(&ends),
            symbol,
        })
    }
}

impl Levels {
    /// True if more or larger parts never take less.
    fn is_bounded(&self) -> bool {
        rises(&self.work, self.symbol) && !self.end.mentions(self.symbol)
    }

    fn part(&self, walker: &mut Walker) -> Option<Part> {
        let level = walker.symbol("level", Role::Index);
        let at = Number::symbol(level);
        let fixed = self.descent.fixed(walker.parts);
        let shrinking = self.size.plus_constant(-fixed)?;
        let size_at = |level: &Number| match self.descent {
            Descent::Over { by, .. } => shrinking.div(&power(by, level)).plus_constant(fixed),
            Descent::Minus(by) | Descent::Pair { by, .. } => self.size.minus(&level.scaled(by)?),
        };
        let count = match self.descent {
            Descent::Over { by, .. } => {
                // Otherwise parts of this size have parts of the same size.
                let above = self.threshold.checked_add(1)?.checked_sub(fixed)?;
                let ratio = match above {
                    ..=0 => return None,
                    1 => shrinking.clone(),
                    _ => Number::atom(Atom::Quotient(shrinking.clone(), Number::constant(above))),
                };
                let logarithm = match by {
                    2 => Atom::Function("log2", vec![ratio]),
                    _ => Atom::Function("log", vec![ratio, Number::constant(by)]),
                };
                let floor = Atom::Function("floor", vec![Number::atom(logarithm)]);
                Number::atom(floor).plus_constant(1)?
            }
            Descent::Minus(by) | Descent::Pair { by, .. } => {
                let rest = self.size.plus_constant(by - 1 - self.threshold)?;
                rest.div(&Number::constant(by))
            }
        };
        let mut many = |part: Part, calls: Number| match calls.as_constant() {
            Some(1) => part,
            _ => {
                let index = walker.symbol("call", Role::Index);
                Part::repeated(range(index, Number::constant(1), calls), part)
            }
        };
        let calls_at = |level: &Number| match self.calls {
            1 => Some(Number::constant(1)),
            calls => self.descent.calls_at(calls, level),
        };
        let work = self.work.with(self.symbol, &size_at(&at)?);
        let work = many(work, calls_at(&at)?);
        let end = self.end.with(self.symbol, &size_at(&count)?);
        let mut ends = vec![many(end, calls_at(&count)?)];
        if let Descent::Pair { far, .. } = self.descent {
            // Calls of the last level that continue, and whose size decreases by twice as much.
            let end = self
                .end
                .with(self.symbol, &size_at(&count.plus_constant(1)?)?);
            let before = calls_at(&count.plus_constant(-1)?)?;
            ends.push(many(end, before.scaled(far)?));
        }
        let work = Part::repeated(
            range(level, Number::default(), count.plus_constant(-1)?),
            work,
        );
        let goes_on = Condition::compare(
            Comparison::Less,
            Number::constant(self.threshold),
            self.size.clone(),
        );
        let alone = self.end.with(self.symbol, &self.size);
        Some(Part::choice(
            goes_on,
            Part::sequence([vec![work], ends].concat()),
            alone,
        ))
    }
}

fn range(index: Symbol, first: Number, last: Number) -> Range {
    Range {
        index,
        first,
        last,
        step: Number::constant(1),
    }
}

/// The argument, or difference of arguments, that is the size.
#[derive(Clone, Copy, Debug)]
enum Measure {
    One(usize),
    /// The difference between the first argument and the second.
    Between(usize, usize),
}

/// Candidates for the size: an argument that changes, or the difference of two.
fn measures(changing: &[usize], values: &[Option<Number>]) -> Vec<Measure> {
    let mut list: Vec<Measure> = changing.iter().map(|k| Measure::One(*k)).collect();
    let known: Vec<usize> = (0..values.len()).filter(|k| values[*k].is_some()).collect();
    for low in &known {
        let highs = known.iter().filter(|high| high != &low);
        let pairs = highs.filter(|high| changing.contains(low) || changing.contains(high));
        list.extend(pairs.map(|high| Measure::Between(*low, *high)));
    }
    list
}

impl Measure {
    fn size(self, values: &[Option<Number>]) -> Option<Number> {
        match self {
            Measure::One(k) => values.get(k)?.clone(),
            Measure::Between(low, high) => values
                .get(high)?
                .as_ref()?
                .minus(values.get(low)?.as_ref()?),
        }
    }

    /// A number in terms of the size: nothing where it rests on more.
    fn in_size(self, number: &Number, values: &[Option<Number>], m: &Number) -> Option<Number> {
        let (number, low) = match self {
            Measure::One(k) => (number.with(values.get(k)?.as_ref()?.as_symbol()?, m)?, None),
            Measure::Between(low, high) => {
                let low = values.get(low)?.as_ref()?.as_symbol()?;
                let high = values.get(high)?.as_ref()?.as_symbol()?;
                let above = Number::symbol(low).plus(m)?;
                (split(&number.with(high, &above)?)?, Some(low))
            }
        };
        low.is_none_or(|low| !number.mentions(low))
            .then_some(number)
    }

    fn part_in_size(self, part: &Part, values: &[Option<Number>], m: &Number) -> Option<Part> {
        let part = match self {
            Measure::One(k) => part.with(values.get(k)?.as_ref()?.as_symbol()?, m),
            Measure::Between(low, high) => {
                let low = values.get(low)?.as_ref()?.as_symbol()?;
                let high = values.get(high)?.as_ref()?.as_symbol()?;
                let above = Number::symbol(low).plus(m)?;
                let part = from_zero(&part.with(high, &above), low)?;
                let mentions = without(&part).mentions(low);
                (!mentions).then_some(part)?
            }
        };
        Some(part)
    }
}

/// Loops that begin at `low`, or something behind it, count from 0.
fn from_zero(part: &Part, low: Symbol) -> Option<Part> {
    let inner = |part: &Part| from_zero(part, low);
    Some(match part {
        Part::Loop(range, body) => {
            let shift = |number: &Number| split(&number.minus(&Number::symbol(low))?);
            let (mut range, mut body) = ((**range).clone(), (**body).clone());
            if range.first.mentions(low) {
                range.first = shift(&range.first)?;
                range.last = shift(&range.last)?;
                let index = Number::symbol(range.index).plus(&Number::symbol(low))?;
                body = body.with(range.index, &index);
            }
            Part::Loop(Box::new(range), Box::new(inner(&body)?))
        }
        Part::Sequence(parts) => Part::Sequence(parts.iter().map(inner).collect::<Option<_>>()?),
        Part::If(condition, then, otherwise) => {
            let condition = match condition {
                Condition::Compare(comparison, a, b) => {
                    let difference = split(&a.minus(b)?)?;
                    Condition::compare(*comparison, difference, Number::default())
                }
                other => other.clone(),
            };
            Part::If(
                condition,
                Box::new(inner(then)?),
                Box::new(inner(otherwise)?),
            )
        }
        other => other.clone(),
    })
}

fn holds_calls(part: &Part) -> bool {
    let mut found = false;
    part.walk(&mut |part| found |= matches!(part, Part::Again(_)));
    found
}

/// The branch in which the function calls itself.
fn guarded(body: &Part) -> Option<(&Condition, Part, Part)> {
    match body {
        Part::If(condition, then, otherwise) if !matches!(condition, Condition::Share(_)) => {
            Some((condition, (**then).clone(), (**otherwise).clone()))
        }
        Part::Sequence(parts) => {
            let mut found = parts.iter().filter(|part| holds_calls(part));
            let (first, none) = (found.next()?, found.next());
            none.is_none().then(|| guarded(first))?
        }
        _ => None,
    }
}

/// The code before and after that branch.
fn surroundings(body: &Part) -> Option<(Part, Part)> {
    match body {
        Part::If(..) => Some((Part::nothing(), Part::nothing())),
        Part::Sequence(parts) => {
            let at = parts.iter().position(holds_calls)?;
            Some((
                Part::sequence(parts[..at].to_vec()),
                Part::sequence(parts[at + 1..].to_vec()),
            ))
        }
        _ => None,
    }
}

/// The number that a size is above where a condition holds.
fn above(condition: &Condition, symbol: Symbol) -> Option<i64> {
    let Condition::Compare(comparison, a, b) = condition else {
        return None;
    };
    let difference = b.minus(a)?;
    let slope = difference.coefficient(symbol)?;
    let rest = difference
        .minus(&Number::symbol(symbol).scaled(slope)?)?
        .as_constant()?;
    match (comparison, slope) {
        (Comparison::Less, 1) => Some(-rest),
        (Comparison::LessEqual, 1) => rest.checked_add(1).map(|rest| -rest),
        // Sizes are not below 0, and come to this one.
        (Comparison::NotEqual, 1) => Some(-rest),
        (Comparison::NotEqual, -1) => Some(rest),
        _ => None,
    }
}

/// Number of recursive calls in a call.
fn count(part: &Part) -> Option<i64> {
    match part {
        Part::Again(_) => Some(1),
        Part::Sequence(parts) => parts
            .iter()
            .try_fold(0_i64, |sum, part| sum.checked_add(count(part)?)),
        Part::If(Condition::Share(_), then, otherwise) => {
            let (then, otherwise) = (count(then)?, count(otherwise)?);
            (then == otherwise).then_some(then)
        }
        Part::Loop(range, body) if holds_calls(body) => {
            count(body)?.checked_mul(range.count()?.as_constant()?)
        }
        part => (!holds_calls(part)).then_some(0),
    }
}

/// A part without the calls of itself.
fn without(part: &Part) -> Part {
    match part {
        Part::Again(_) => Part::nothing(),
        Part::Sequence(parts) => Part::sequence(parts.iter().map(without).collect()),
        Part::If(condition, then, otherwise) => {
            Part::choice(condition.clone(), without(then), without(otherwise))
        }
        Part::Loop(range, body) => Part::repeated((**range).clone(), without(body)),
        other => other.clone(),
    }
}
