//! Recurrences with parts of several sizes: by the roots of their equation, or over the numbers of steps of each kind.

use super::Unsolved;
use super::sizes::Size;
use super::solve::Solver;
use crate::model::build::{literal, mentions};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, MulOp, ReduceKind, Relation};

impl Solver<'_> {
    /// `T(n) = p * T(n - d) + q * T(n - 2 * d) + f`, where `p` and `q` are numbers: with `U(k) = p * U(k - 1) + q * U(k - 2)`,
    /// `U(0) = 0` and `U(1) = 1`, the part after `l` steps of `d` is called `U(l + 1)` times.
    pub fn pair(&self, a: &Rational, b: &Rational) -> Option<Expr> {
        let parts = &self.own.parts;
        let (near, far) = if a < b { (0, 1) } else { (1, 0) };
        let by = a.min(b);
        if a.max(b) != &(by + by) {
            return None;
        }
        let (p, q) = (literal(&parts[near].0)?, literal(&parts[far].0)?);
        let build = self.b;
        let count = self.count_of(&self.n(), by);
        let size =
            |level: &Expr| build.subtract(self.n(), build.times(level.clone(), build.number(by)));
        let level = build.name(&self.level);
        let next = |e: &Expr| build.add(e.clone(), build.whole(1));
        let work = if literal(&self.own.work).is_some_and(Rational::is_zero) {
            build.whole(0)
        } else {
            let bounds = (
                build.whole(0),
                build.subtract(count.clone(), build.whole(1)),
            );
            let one = build.times(
                self.calls(p, q, &next(&level))?,
                self.at(&self.own.work, &size(&level)),
            );
            build.reduce(ReduceKind::Sum, &self.level, bounds, one)
        };
        let ended =
            |calls: Expr, level: &Expr| build.times(calls, self.at(&self.own.base, &size(level)));
        let first = ended(self.calls(p, q, &next(&count))?, &count);
        let second = ended(self.calls(p, q, &count)?, &next(&count));
        let ends = build.add(first, build.times(build.number(q), second));
        Some(build.add(work, ends))
    }

    /// `U(k)`: `(r^k - s^k) / (r - s)` with the roots of `x^2 = p * x + q`, or without them if they are irrational.
    fn calls(&self, p: &Rational, q: &Rational, k: &Expr) -> Option<Expr> {
        let b = self.b;
        let four = Rational::from(4);
        let square = &(p * p) + &(q * &four);
        let half = |sum: Rational| sum.checked_div(&Rational::from(2));
        if let Some(root) = root(&square) {
            let (r, s) = (half(p + &root)?, half(p - &root)?);
            if root.is_zero() {
                let power = b.power(b.number(&r), b.subtract(k.clone(), b.whole(1)));
                return Some(b.times(k.clone(), power));
            }
            let power = |base: &Rational| b.power(b.number(base), k.clone());
            return Some(b.over(b.subtract(power(&r), power(&s)), b.number(&root)));
        }
        // Odd powers of the root of `square` are what remains of the difference of both powers.
        let i = b.name(&self.inner);
        let odd = b.add(b.times(b.whole(2), i.clone()), b.whole(1));
        let even = b.subtract(k.clone(), odd.clone());
        let orders = b.orders(odd, even.clone());
        let one = b.times(
            b.times(orders, b.power(b.number(p), even)),
            b.power(b.number(&square), i),
        );
        let less = b.subtract(k.clone(), b.whole(1));
        let last = b.product(less.clone(), MulOp::FloorDivide, b.whole(2));
        let sum = b.reduce(ReduceKind::Sum, &self.inner, (b.whole(0), last), one);
        Some(b.over(sum, b.power(b.whole(2), less)))
    }

    /// Steps of `by` until a size has ended.
    fn count_of(&self, size: &Expr, by: &Rational) -> Expr {
        let b = self.b;
        let distance = b.subtract(size.clone(), self.own.end.at.clone());
        self.rounded(b.over(distance, b.number(by)))
    }

    /// The sum over all numbers of steps of each kind that lead to a part that goes on.
    ///
    /// # Errors
    /// Fails if the numbers of parts depend on the size.
    pub fn paths(&self) -> Result<Expr, Unsolved> {
        let b = self.b;
        let parts = &self.own.parts;
        if parts
            .iter()
            .any(|(factor, _)| mentions(factor, self.own.head.n))
        {
            return Err(
                self.wrong("with parts of several sizes their numbers must not depend on the size")
            );
        }
        let indices = [&self.level, &self.inner, &self.third];
        let mut size = self.n();
        let mut bounds = Vec::new();
        let mut calls = b.whole(1);
        let mut steps: Option<Expr> = None;
        for ((factor, kind), index) in parts.iter().zip(indices) {
            let at = b.name(index);
            bounds.push((
                b.whole(0),
                b.subtract(self.steps_of(&size, kind)?, b.whole(1)),
            ));
            size = self.after(&size, kind, at.clone());
            calls = b.times(calls, b.power(factor.clone(), at.clone()));
            if let Some(before) = &steps {
                calls = b.times(calls, b.orders(before.clone(), at.clone()));
            }
            steps = Some(steps.map_or(at.clone(), |before| b.add(before, at)));
        }
        let mut one = self.at(&self.own.work, &size);
        for (factor, kind) in parts {
            let part = self.after(&size, kind, b.whole(1));
            let ended = b.times(factor.clone(), self.at(&self.own.base, &part));
            one = b.add(one, b.choice(self.has_ended(&part), ended, b.whole(0)));
        }
        let sum = bounds
            .into_iter()
            .zip(indices)
            .rev()
            .fold(b.times(calls, one), |body, (bounds, index)| {
                b.reduce(ReduceKind::Sum, index, bounds, body)
            });
        Ok(b.choice(self.has_ended(&self.n()), self.own.base.clone(), sum))
    }

    fn has_ended(&self, size: &Expr) -> Expr {
        let relation = if self.own.end.is_strict {
            Relation::Less
        } else {
            Relation::LessEqual
        };
        self.b
            .compare(size.clone(), relation, self.own.end.at.clone())
    }

    fn steps_of(&self, size: &Expr, kind: &Size) -> Result<Expr, Unsolved> {
        let b = self.b;
        match kind {
            Size::Minus(by) => Ok(self.count_of(size, by)),
            Size::Share(ratio) => {
                let base = self.base_of(ratio)?;
                Ok(self.share_count(size.clone(), &base))
            }
            Size::Floor { .. } => Err(self.wrong("parts that are rounded must have one divisor")),
        }
        .map(|count| b.call("max", vec![count, b.whole(0)]))
    }

    fn after(&self, size: &Expr, kind: &Size, steps: Expr) -> Expr {
        let b = self.b;
        match kind {
            Size::Minus(by) => b.subtract(size.clone(), b.times(steps, b.number(by))),
            Size::Share(ratio) => b.times(size.clone(), b.power(b.number(ratio), steps)),
            Size::Floor { .. } => size.clone(),
        }
    }
}

/// The square root, if it is rational.
fn root(square: &Rational) -> Option<Rational> {
    let whole = |number: &Rational| {
        let number = number.to_i64().filter(|number| *number >= 0)?;
        let root = number.isqrt();
        (root * root == number).then_some(Rational::from(root))
    };
    let (above, below) = (square.numerator(), square.denominator());
    whole(&Rational::from(above))?.checked_div(&whole(&Rational::from(below))?)
}
