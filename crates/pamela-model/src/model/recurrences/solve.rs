//! Solutions of recurrences as sums over the levels of their parts.

use super::Unsolved;
use super::differences;
use super::read::Recurrence;
use super::sizes::Size;
use crate::model::build::{Builder, literal, mentions, unused, with};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, MulOp, ReduceKind, Relation};

/// The value without calls.
///
/// # Errors
/// Fails if the sizes of the parts are not of one kind.
pub fn solution(recurrence: Recurrence) -> Result<Expr, Unsolved> {
    let mut recurrence = recurrence;
    if let Some(history) = recurrence.history.take() {
        recurrence = differences::with_one_part(recurrence, history)?;
    }
    let solver = Solver::new(&recurrence);
    let sizes: Vec<&Size> = recurrence.parts.iter().map(|(_, size)| size).collect();
    let value = match sizes[..] {
        [Size::Minus(by)] => solver.steps(by),
        [Size::Share(ratio)] => solver.shares(ratio)?,
        [Size::Floor { by, shift }] => solver.levels(*by, *shift)?,
        [
            Size::Floor { by: 2, shift: a },
            Size::Floor { by: 2, shift: b },
        ] => solver.halves(*a, *b)?,
        [Size::Minus(a), Size::Minus(b)] => match solver.pair(a, b) {
            Some(value) => value,
            None => solver.paths()?,
        },
        [Size::Minus(_), Size::Minus(_), Size::Minus(_)] | [Size::Share(_), Size::Share(_)] => {
            solver.paths()?
        }
        _ => return Err(solver.wrong("the sizes of these parts are of several kinds, or too many")),
    };
    Ok(solver.for_whole(value))
}

/// Writes the solution of one recurrence.
pub struct Solver<'r> {
    pub own: &'r Recurrence<'r>,
    pub b: Builder,
    /// Names of indices.
    pub level: String,
    pub inner: String,
    pub third: String,
}

impl<'r> Solver<'r> {
    fn new(own: &'r Recurrence<'r>) -> Solver<'r> {
        let name = |wanted| unused(wanted, own.value, &own.head.formals);
        Solver {
            own,
            b: own.build,
            level: name("level"),
            inner: name("part"),
            third: name("other"),
        }
    }

    pub fn wrong(&self, label: &str) -> Unsolved {
        Unsolved::new(self.own.value.span, label)
    }

    pub fn n(&self) -> Expr {
        self.b.name(self.own.head.n)
    }

    pub fn at(&self, expr: &Expr, size: &Expr) -> Expr {
        with(expr, self.own.head.n, size)
    }

    /// A value that exists for whole sizes only.
    fn for_whole(&self, value: Expr) -> Expr {
        let own = self.own;
        if !own.is_whole
            && !own
                .parts
                .iter()
                .any(|(_, size)| matches!(size, Size::Floor { .. }))
        {
            return value;
        }
        let b = self.b;
        let fraction = b.product(self.n(), MulOp::Modulo, b.whole(1));
        let is_whole = b.compare(fraction, Relation::Equal, b.whole(0));
        let nothing = b.call("log", vec![b.whole(0)]);
        // It has the unit of the value.
        let unit = [&own.base, &own.work]
            .into_iter()
            .find(|e| literal(e).is_none());
        let nothing = unit.map_or(nothing.clone(), |unit| b.times(unit.clone(), nothing));
        b.choice(is_whole, value, nothing)
    }

    /// `max(floor(x) + 1, 0)` or `max(ceil(x), 0)`: the steps until the end is reached.
    pub fn rounded(&self, x: Expr) -> Expr {
        let b = self.b;
        let steps = if self.own.end.is_strict {
            b.add(b.call("floor", vec![x]), b.whole(1))
        } else {
            b.call("ceil", vec![x])
        };
        b.call("max", vec![steps, b.whole(0)])
    }

    /// `T(n) = a * T(n - by) + f`
    fn steps(&self, by: &Rational) -> Expr {
        let b = self.b;
        let varies = mentions(&self.own.parts[0].0, self.own.head.n);
        if let Some(last) = self
            .own
            .end
            .last_whole()
            .filter(|_| self.own.is_whole && varies && by.is_one())
        {
            return self.upwards(last);
        }
        let distance = b.subtract(self.n(), self.own.end.at.clone());
        let count = self.rounded(b.over(distance, b.number(by)));
        let size = |level: &Expr| b.subtract(self.n(), b.times(level.clone(), b.number(by)));
        self.chain(count, &size)
    }

    /// `T(n) = a(n) * T(n - 1) + f(n)` for whole `n`: the products of `a` over the sizes above each one.
    fn upwards(&self, last: i64) -> Expr {
        let b = self.b;
        let (factor, _) = &self.own.parts[0];
        let size = b.name(&self.level);
        let products = |first: Expr| {
            let one = self.at(factor, &b.name(&self.inner));
            b.reduce(ReduceKind::Product, &self.inner, (first, self.n()), one)
        };
        let above = b.add(size.clone(), b.whole(1));
        let one = b.times(self.at(&self.own.work, &size), products(above));
        let first = b.whole(last.saturating_add(1));
        let work = b.reduce(ReduceKind::Sum, &self.level, (first.clone(), self.n()), one);
        let end = b.call("min", vec![self.n(), b.whole(last)]);
        b.add(
            work,
            b.times(products(first), self.at(&self.own.base, &end)),
        )
    }

    /// `T(n) = a * T(n * ratio) + f`
    fn shares(&self, ratio: &Rational) -> Result<Expr, Unsolved> {
        let b = self.b;
        let base = self.base_of(ratio)?;
        let count = self.share_count(self.n(), &base);
        let size = |level: &Expr| b.over(self.n(), b.power(b.number(&base), level.clone()));
        Ok(self.chain(count, &size))
    }

    /// Steps until a size that is divided by `base` each time has ended.
    pub fn share_count(&self, size: Expr, base: &Rational) -> Expr {
        let b = self.b;
        let end = self.own.end.at.clone();
        let times = b.call("max", vec![b.over(size.clone(), end.clone()), b.whole(1)]);
        let steps = self.logarithm(times, base);
        if !self.own.end.is_strict {
            return b.call("ceil", vec![steps]);
        }
        // At the end itself it goes on.
        let steps = b.add(b.call("floor", vec![steps]), b.whole(1));
        b.choice(
            b.compare(size, Relation::GreaterEqual, end),
            steps,
            b.whole(0),
        )
    }

    /// `1 / ratio`, where the recurrence ends above 0.
    pub fn base_of(&self, ratio: &Rational) -> Result<Rational, Unsolved> {
        let ends = self.own.end.literal().is_some_and(Rational::is_positive);
        let label =
            "with a part `n / b` or `n * r` it must end at a number above 0, such as `n <= 1`";
        ratio
            .recip()
            .filter(|_| ends)
            .ok_or_else(|| self.wrong(label))
    }

    fn logarithm(&self, of: Expr, base: &Rational) -> Expr {
        match base.to_i64() {
            Some(2) if base.is_integer() => self.b.call("log2", vec![of]),
            _ => self.b.call("log", vec![of, self.b.number(base)]),
        }
    }

    /// The shift of the sizes `(n - shift) div by^level + shift`, and the number of levels.
    fn of_floors(&self, by: i64, shift: i64) -> Result<(i64, Expr), Unsolved> {
        let b = self.b;
        if shift.rem_euclid(by - 1) != 0 {
            let label = "the sizes of a level are not known: the shift must be a multiple of the divisor less 1";
            return Err(self.wrong(label));
        }
        let fixed = shift.div_euclid(by - 1);
        let last = self
            .own
            .end
            .last_whole()
            .and_then(|last| last.checked_sub(fixed));
        let Some(last) = last.filter(|last| *last >= 0) else {
            let label = format!(
                "this never ends: a size of {fixed} has a part of this size; end it at `<= {fixed}` or later"
            );
            return Err(self.wrong(&label));
        };
        let ratio = last.checked_add(1).and_then(|next| Rational::new(by, next));
        let ratio = ratio.ok_or_else(|| self.wrong("this number is too large"))?;
        let size = b.subtract(self.n(), b.whole(fixed));
        let times = b.call("max", vec![b.times(size, b.number(&ratio)), b.whole(1)]);
        let count = b.call("floor", vec![self.logarithm(times, &Rational::from(by))]);
        Ok((fixed, count))
    }

    /// `T(n) = a * T((n + shift) div by) + f`
    fn levels(&self, by: i64, shift: i64) -> Result<Expr, Unsolved> {
        let b = self.b;
        let (fixed, count) = self.of_floors(by, shift)?;
        let whole = b.subtract(self.n(), b.whole(fixed));
        let size = |level: &Expr| {
            let divisor = b.power(b.whole(by), level.clone());
            let part = b.product(whole.clone(), MulOp::FloorDivide, divisor);
            b.add(part, b.whole(fixed))
        };
        Ok(self.chain(count, &size))
    }

    /// One part on each level: the work of all levels, and of the end.
    fn chain(&self, count: Expr, size: &dyn Fn(&Expr) -> Expr) -> Expr {
        let b = self.b;
        let factor = &self.own.parts[0].0;
        let (level, inner) = (b.name(&self.level), b.name(&self.inner));
        let up_to = |last: Expr| (b.whole(0), b.subtract(last, b.whole(1)));
        let factors = |level: &Expr| {
            if mentions(factor, self.own.head.n) {
                let one = self.at(factor, &size(&inner));
                b.reduce(ReduceKind::Product, &self.inner, up_to(level.clone()), one)
            } else {
                b.power(factor.clone(), level.clone())
            }
        };
        let work = b.times(factors(&level), self.at(&self.own.work, &size(&level)));
        let work = if literal(&self.own.work).is_some_and(Rational::is_zero) {
            b.whole(0)
        } else {
            b.reduce(ReduceKind::Sum, &self.level, up_to(count.clone()), work)
        };
        let end = match literal(&self.own.base) {
            Some(zero) if zero.is_zero() => b.whole(0),
            _ => b.times(factors(&count), self.at(&self.own.base, &size(&count))),
        };
        b.add(work, end)
    }

    /// `T(n) = a * T(n div 2) + a * T(n - n div 2) + f`: a level has `n mod 2^level` parts that are one larger.
    fn halves(&self, one: i64, other: i64) -> Result<Expr, Unsolved> {
        let b = self.b;
        let [(a, _), (c, _)] = &self.own.parts[..] else {
            return Err(self.wrong("these are no two parts"));
        };
        let (low, is_pair) = (one.min(other), (one - other).abs() == 1);
        let same = literal(a).zip(literal(c)).filter(|(a, c)| a == c);
        let Some((factor, _)) = same.filter(|_| is_pair) else {
            return Err(self.wrong(
                "these parts are not two halves, one rounded down and one up, equally often",
            ));
        };
        // With the shift: T(m + low) where m halves into `m div 2` and `m - m div 2`.
        let (_, count) = self.of_floors(2, low)?;
        let last = self
            .own
            .end
            .last_whole()
            .and_then(|last| last.checked_sub(low));
        let Some(last) = last.filter(|last| *last >= 1) else {
            return Err(self.wrong(
                "this never ends: a size of 1 has a part of this size; end it at `<= 1` or later",
            ));
        };
        let whole = b.subtract(self.n(), b.whole(low));
        let calls = |level: &Expr| b.power(b.whole(2), level.clone());
        let small = |level: &Expr| b.product(whole.clone(), MulOp::FloorDivide, calls(level));
        let larger = |level: &Expr| b.product(whole.clone(), MulOp::Modulo, calls(level));
        let both = |level: &Expr, of_small: Expr, of_large: Expr| {
            let few = b.subtract(calls(level), larger(level));
            let sum = b.add(b.times(few, of_small), b.times(larger(level), of_large));
            b.times(b.power(b.number(factor), level.clone()), sum)
        };
        let shifted = |expr: &Expr, size: Expr| self.at(expr, &b.add(size, b.whole(low)));
        let next = |size: Expr| b.add(size, b.whole(1));
        let level = b.name(&self.level);
        let (own, end) = (&self.own.work, &self.own.base);
        let work = both(
            &level,
            shifted(own, small(&level)),
            shifted(own, next(small(&level))),
        );
        let bounds = (b.whole(0), b.subtract(count.clone(), b.whole(1)));
        let work = b.reduce(ReduceKind::Sum, &self.level, bounds, work);
        // The larger parts of the last level may have one level more.
        let more = last + 1;
        let ends = [more / 2, more - more / 2].map(|size| shifted(end, b.whole(size)));
        let [first, second] = ends.map(|e| b.times(b.number(factor), e));
        let goes_on = b.add(shifted(own, b.whole(more)), b.add(first, second));
        let large = next(small(&count));
        let has_ended = b.compare(large.clone(), Relation::LessEqual, b.whole(last));
        let large = b.choice(has_ended, shifted(end, large), goes_on);
        let rest = both(&count, shifted(end, small(&count)), large);
        Ok(b.add(work, rest))
    }
}
