//! The range of a loop, from its condition and the change of its variable.

use std::collections::BTreeSet;

use super::assigned::varies;
use super::number::*;
use super::part::Range;
use super::shape::{Change, Induction, Shape};
use super::walker::{Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// `x < bound`, with the variable on the left.
struct Test {
    operator: Operator,
    bound: Number,
    /// The variable is squared: `x * x < bound`.
    squared: bool,
    /// The change of the variable in the condition after the comparison.
    shift: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    NotEqual,
}

impl Operator {
    fn read(text: &str) -> Option<Operator> {
        Some(match text {
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            "!=" => Operator::NotEqual,
            _ => return None,
        })
    }

    fn mirrored(self) -> Operator {
        match self {
            Operator::Less => Operator::Greater,
            Operator::LessEqual => Operator::GreaterEqual,
            Operator::Greater => Operator::Less,
            Operator::GreaterEqual => Operator::LessEqual,
            Operator::NotEqual => Operator::NotEqual,
        }
    }
}

impl Test {
    /// Both tests as one, where they are to the same side.
    fn and(self, other: Test) -> Option<Test> {
        use Operator::*;
        let is_plain = |test: &Test| !test.squared && test.shift == 0;
        if !is_plain(&self) || !is_plain(&other) {
            return None;
        }
        // Between whole numbers `x <= b` is `x < b + 1`.
        let strict = |test: &Test| match test.operator {
            LessEqual => test.bound.plus_constant(1),
            GreaterEqual => test.bound.plus_constant(-1),
            _ => Some(test.bound.clone()),
        };
        let (a, b) = (strict(&self)?, strict(&other)?);
        let (operator, bound) = match (self.operator, other.operator) {
            (Less | LessEqual, Less | LessEqual) => (Less, a.smaller(&b)),
            (Greater | GreaterEqual, Greater | GreaterEqual) => (Greater, a.larger(&b)),
            _ => return None,
        };
        Some(Test {
            operator,
            bound,
            squared: false,
            shift: 0,
        })
    }
}

impl Walker<'_> {
    /// The range of a loop whose condition compares the variable with a loop-invariant value.
    pub fn range_of(
        &mut self,
        shape: &Shape,
        condition: &Expression,
        name: &str,
        first: Number,
        change: Change,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Induction>, Problem> {
        let Some(test) = self.tests(condition, name, changed)? else {
            return Ok(None);
        };
        let kind = self.values.get(name).map(|binding| binding.kind);
        let is_unsigned = matches!(kind, Some(Kind::Integer { signed: false, .. }));
        if !self.may_count(kind, &first, &test) {
            return Ok(None);
        }
        Ok(match &change {
            Change::Plus(by) => {
                let by = by.clone();
                self.steps(shape, &test, name, first, by, is_unsigned)
            }
            Change::Times(factor) => self.grows(shape, &test, name, first, *factor),
            Change::Over(factor) => self.shrinks(shape, &test, name, first, *factor),
        })
    }

    /// True if a variable of this kind takes whole values, up to the bound.
    fn may_count(&self, kind: Option<Kind>, first: &Number, test: &Test) -> bool {
        match kind {
            Some(Kind::Real) => !first.is_real(),
            // A short integer may wrap around before the bound.
            Some(Kind::Integer { signed, bits }) if bits < 32 => {
                let most = 1_i64 << bits.saturating_sub(u8::from(signed));
                test.bound
                    .as_constant()
                    .is_some_and(|bound| (1 - most..most).contains(&bound))
            }
            _ => true,
        }
    }

    /// A test, or two that hold both: `i < n && i < m` is `i < min(n, m)`.
    fn tests(
        &mut self,
        condition: &Expression,
        name: &str,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Test>, Problem> {
        let (a, b) = match &condition.kind {
            ExpressionKind::Binary(operator, a, b) if operator == "&&" => (a, b),
            _ => return self.test(condition, name, changed),
        };
        if !mentions(a, name) || !mentions(b, name) {
            return Ok(None);
        }
        let (a, b) = (self.tests(a, name, changed)?, self.tests(b, name, changed)?);
        Ok(match (a, b) {
            (Some(a), Some(b)) => a.and(b),
            _ => None,
        })
    }

    fn test(
        &mut self,
        condition: &Expression,
        name: &str,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Test>, Problem> {
        if let Some(shift) = counts(condition, name) {
            return Ok(Some(Test {
                operator: Operator::NotEqual,
                bound: Number::constant(0),
                squared: false,
                shift,
            }));
        }
        let ExpressionKind::Binary(operator, a, b) = &condition.kind else {
            return Ok(None);
        };
        let Some(operator) = Operator::read(operator) else {
            return Ok(None);
        };
        let (side, bound, operator) = if mentions(a, name) {
            (a, b, operator)
        } else {
            (b, a, operator.mirrored())
        };
        let varies = varies(bound, changed);
        let value = if self.is_address(name) {
            self.address(bound)?
        } else {
            self.bound_of(name, bound, operator)?
        };
        self.pending.clear();
        let Some(value) = value.filter(|_| !varies) else {
            return Ok(None);
        };
        // `i + 1 < n` is `i < n - 1`.
        let (squared, shift, offset) = match &side.kind {
            ExpressionKind::Binary(operator, x, y)
                if operator == "*" && x.name() == Some(name) && y.name() == Some(name) =>
            {
                (true, 0, Some(Number::constant(0)))
            }
            _ => match counts(side, name) {
                Some(shift) => (false, shift, Some(Number::constant(0))),
                None => (false, before_it(side), self.offset(side, name, changed)?),
            },
        };
        let bound = offset.and_then(|offset| value.minus(&offset));
        Ok(bound.map(|bound| Test {
            operator,
            bound,
            squared,
            shift,
        }))
    }

    /// The whole number that a variable is compared with, in the place of a real one; none where signs differ and it matters.
    fn bound_of(
        &mut self,
        name: &str,
        bound: &Expression,
        operator: Operator,
    ) -> Result<Option<Number>, Problem> {
        let value = self.value(bound)?;
        let kind = self.values.get(name).map(|binding| binding.kind);
        let wraps = kind.is_some_and(Kind::wraps);
        let Some(number) = value.number else {
            return Ok(None);
        };
        if value.real {
            let is_whole = number.as_constant().is_some();
            let function = match operator {
                _ if is_whole => return Ok(Some(number)),
                Operator::Less | Operator::GreaterEqual => "ceil",
                Operator::LessEqual | Operator::Greater => "floor",
                Operator::NotEqual => return Ok(None),
            };
            let rounded = Number::atom(Atom::Function(function, vec![number.clone()]));
            return Ok((!number.is_rounded()).then_some(rounded));
        }
        let first = self.now(name);
        let with_sign = match (wraps, value.wraps) {
            (true, false) => Some(number.clone()),
            // A variable that goes up from 0 is never below it.
            (false, true) => first,
            _ => None,
        };
        let fits = with_sign.is_none_or(|number| self.assume_nonnegative(&number).is_some());
        Ok(Some(number).filter(|_| fits))
    }

    /// The constant added to a variable in an expression.
    fn offset(
        &mut self,
        side: &Expression,
        name: &str,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Number>, Problem> {
        let mut varies = false;
        side.walk(&mut |part| {
            varies |= part
                .name()
                .is_some_and(|n| n != name && changed.contains(n))
        });
        if varies {
            return Ok(None);
        }
        let before = self.now(name);
        let index = self.symbol(name, Role::Index);
        self.count_on(name, Some(Number::symbol(index)));
        let value = self.measured_by(name, side)?;
        self.pending.clear();
        self.count_on(name, before);
        let offset = value.and_then(|value| value.minus(&Number::symbol(index)));
        Ok(offset.filter(|offset| !offset.mentions(index)))
    }

    /// `x += by`
    ///
    /// One long function, because the assumptions about step and bound decide the range.
    fn steps(
        &mut self,
        shape: &Shape,
        test: &Test,
        name: &str,
        first: Number,
        by: Number,
        is_unsigned: bool,
    ) -> Option<Induction> {
        let up = match by.as_constant() {
            Some(0) => return None,
            Some(step) => step > 0,
            None => match test.operator {
                Operator::Greater | Operator::GreaterEqual => {
                    // A range knows the way of its step by the signs in it.
                    if by.terms().any(|(_, factor)| factor > 0) {
                        return None;
                    }
                    self.assume_positive(&by.scaled(-1)?)?;
                    false
                }
                _ if by.terms().all(|(_, factor)| factor < 0) => return None,
                _ => {
                    self.assume_positive(&by)?;
                    true
                }
            },
        };
        let bound = if !test.squared {
            test.bound.clone()
        } else if !self.facts.nonnegative(&first) {
            return None;
        } else {
            root(test)?
        };
        // The index of a loop over addresses begins at 0.
        let start = first.scaled(i64::from(self.is_address(name)))?;
        let (first, bound) = (first.minus(&start)?, bound.minus(&start)?);
        if self.mentions_address(&bound) {
            return None;
        }
        // A loop that ends at equality must hit its bound.
        if test.operator == Operator::NotEqual {
            let first = if shape.tests_first {
                first.clone()
            } else {
                first.plus(&by)?
            };
            let ahead = if up {
                bound.minus(&first)?
            } else {
                first.minus(&bound)?
            };
            self.assume_nonnegative(&ahead)?;
        }
        let last = match (test.operator, up) {
            (Operator::Less, true) => bound.plus_constant(-1)?,
            (Operator::LessEqual, true) => bound.clone(),
            (Operator::Greater, false) => bound.plus_constant(1)?,
            // Without a sign nothing is below 0: such a loop never ends.
            (Operator::GreaterEqual, false) if is_unsigned && bound.as_constant() == Some(0) => {
                return None;
            }
            (Operator::GreaterEqual, false) => bound.clone(),
            (Operator::NotEqual, true) if by.as_constant() == Some(1) => bound.plus_constant(-1)?,
            (Operator::NotEqual, false) if by.as_constant() == Some(-1) => {
                bound.plus_constant(1)?
            }
            _ => return None,
        };
        // After the first iteration of a `do` the condition is asked of the next value.
        let (last, shift) = match (shape.tests_first, up) {
            (true, _) => (last, test.shift),
            (false, true) => (first.larger(&last.plus_constant(test.shift)?), 0),
            (false, false) => (first.smaller(&last.plus_constant(test.shift)?), 0),
        };
        let index = self.symbol(name, Role::Index);
        let range = Range {
            index,
            first: first.clone(),
            last,
            step: by.clone(),
        };
        let gone = self.count_of(&range).and_then(|count| count.times(&by));
        let end = gone.and_then(|gone| first.plus(&gone)?.plus(&start)?.plus_constant(shift));
        Some(Induction {
            name: name.to_string(),
            value: start.plus(&Number::symbol(index))?,
            last: end,
            guard: None,
            change: Change::Plus(by),
            range,
        })
    }

    /// `x *= factor`: the number of iterations is a logarithm.
    fn grows(
        &mut self,
        shape: &Shape,
        test: &Test,
        name: &str,
        first: Number,
        factor: i64,
    ) -> Option<Induction> {
        if !shape.tests_first || test.squared || test.shift != 0 {
            return None;
        }
        let start = first.as_constant().filter(|start| *start >= 1)?;
        // x reaches the bound: first * factor^r >= bound.
        let bound = match test.operator {
            Operator::Less => test.bound.clone(),
            Operator::LessEqual => test.bound.plus_constant(1)?,
            _ => return None,
        };
        let ratio = match start {
            1 => bound.clone(),
            _ => Number::atom(Atom::Quotient(bound.clone(), first.clone())),
        };
        let count = Number::atom(Atom::Function("ceil", vec![logarithm(ratio, factor)]));
        let index = self.symbol("r", Role::Index);
        let power = Number::atom(Atom::Power(Number::constant(factor), Number::symbol(index)));
        let value = first.times(&power)?;
        Some(Induction {
            name: name.to_string(),
            range: Range {
                index,
                first: Number::constant(0),
                last: count.plus_constant(-1)?,
                step: Number::constant(1),
            },
            value,
            last: None,
            guard: Some(Condition::compare(Comparison::Less, first, bound)),
            change: Change::Times(factor),
        })
    }

    /// `x /= factor`, as long as it is above a number.
    fn shrinks(
        &mut self,
        shape: &Shape,
        test: &Test,
        name: &str,
        first: Number,
        factor: i64,
    ) -> Option<Induction> {
        if !shape.tests_first || test.squared || test.shift != 0 {
            return None;
        }
        let least = match test.operator {
            Operator::Greater => test.bound.plus_constant(1)?,
            Operator::GreaterEqual => test.bound.clone(),
            Operator::NotEqual
                if test.bound.as_constant() == Some(0) && self.facts.nonnegative(&first) =>
            {
                Number::constant(1)
            }
            _ => return None,
        };
        // x div factor^r >= least as long as factor^r <= x / least.
        let start = least.as_constant().filter(|least| *least >= 1)?;
        let ratio = match start {
            1 => first.clone(),
            _ => Number::atom(Atom::Quotient(first.clone(), least.clone())),
        };
        let count = Number::atom(Atom::Function("floor", vec![logarithm(ratio, factor)]));
        let index = self.symbol("r", Role::Index);
        let power = Number::atom(Atom::Power(Number::constant(factor), Number::symbol(index)));
        Some(Induction {
            name: name.to_string(),
            range: Range {
                index,
                first: Number::constant(0),
                last: count,
                step: Number::constant(1),
            },
            value: Number::atom(Atom::Div(first.clone(), power)),
            last: None,
            guard: Some(Condition::compare(Comparison::LessEqual, least, first)),
            change: Change::Over(factor),
        })
    }
}

fn logarithm(number: Number, base: i64) -> Number {
    match base {
        2 => Number::atom(Atom::Function("log2", vec![number])),
        _ => Number::atom(Atom::Function("log", vec![number, Number::constant(base)])),
    }
}

/// The bound of x where that of `x * x` is given; x is not below 0.
fn root(test: &Test) -> Option<Number> {
    let root = Number::atom(Atom::Function("sqrt", vec![test.bound.clone()]));
    let function = match test.operator {
        Operator::Less => "ceil",
        Operator::LessEqual => "floor",
        _ => return None,
    };
    Some(Number::atom(Atom::Function(function, vec![root])))
}

/// The change of i after the comparison, by `i--`, `--i` or `i` as a condition.
fn counts(side: &Expression, name: &str) -> Option<i64> {
    match &side.kind {
        ExpressionKind::Name(other) if other == name => Some(0),
        ExpressionKind::Update {
            by,
            after: true,
            place,
        } if place.name() == Some(name) => Some(i64::from(*by)),
        _ => None,
    }
}

/// The change of i before the comparison, by `--i`.
fn before_it(side: &Expression) -> i64 {
    match &side.kind {
        ExpressionKind::Update {
            by, after: false, ..
        } => i64::from(*by),
        _ => 0,
    }
}

fn mentions(expression: &Expression, name: &str) -> bool {
    let mut found = false;
    expression.walk(&mut |part| found |= part.name() == Some(name));
    found
}
