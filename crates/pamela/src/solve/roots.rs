//! Roots of sums of powers with symbols as coefficients.

use std::cmp::Ordering;

use super::symbolic::{Below, Result, Symbolic, Unsolved};
use super::terms::{Quotient, Terms};
use super::tree::{Bound, Tree};
use crate::expr::{ExprId, Function, Relation};
use crate::ring::Rational;

impl Symbolic {
    /// Where a quotient is below 0.
    pub fn quotient_below(
        &mut self,
        id: ExprId,
        quotient: &Quotient,
        below: Below,
    ) -> Result<Tree> {
        let negated = self.reader().scaled(&quotient.above, &Rational::from(-1));
        if let Some(((power, logs), factor)) = quotient.below.single()
            && *logs == 0
        {
            if !power.is_zero() && !self.is_positive_variable() {
                return Err(Unsolved(id));
            }
            return self.cases_of_sign(factor, &mut |own, sign| match sign {
                Ordering::Less => own.terms_below(id, &negated, below),
                Ordering::Greater => own.terms_below(id, &quotient.above, below),
                Ordering::Equal => Ok(Tree::never()),
            });
        }
        let own = self.terms_below(id, &quotient.above, below)?;
        let whole = self.reader().expression(&quotient.below);
        if self.known_sign(whole) == Some(Ordering::Greater) {
            return Ok(own);
        }
        let downs = self.reader().scaled(&quotient.below, &Rational::from(-1));
        let is_positive = self.terms_below(id, &downs, Below::Strictly)?;
        let is_negative = self.terms_below(id, &quotient.below, Below::Strictly)?;
        let other = self.terms_below(id, &negated, below)?;
        let first = own.and(&is_positive).ok_or(Unsolved(id))?;
        let second = other.and(&is_negative).ok_or(Unsolved(id))?;
        first.or(&second).ok_or(Unsolved(id))
    }

    fn is_positive_variable(&mut self) -> bool {
        let variable = self.arena.symbol(self.variable);
        let positive = self.arena.positive(variable);
        self.proves(positive)
    }

    /// Where a sum of powers is below 0.
    fn terms_below(&mut self, id: ExprId, terms: &Terms, below: Below) -> Result<Tree> {
        let mut terms = terms.clone();
        let is_positive = self.is_positive_variable();
        if is_positive && let Some(lowest) = terms.0.keys().map(|(power, _)| power.clone()).min() {
            terms = terms.lowered(&lowest);
        }
        let zero = self.arena.number(0);
        let mut powers: Vec<((Rational, u32), ExprId)> = terms.0.into_iter().collect();
        let constant = match powers.first() {
            Some(((power, 0), factor)) if power.is_zero() => {
                let factor = *factor;
                powers.remove(0);
                factor
            }
            _ => zero,
        };
        let is_plain = |power: &Rational, logs: u32| power.is_one() && logs == 0;
        match &powers[..] {
            [] => {
                let holds = self.is_below(constant, below);
                Ok(self.decided(holds, Tree::always(), Tree::never()))
            }
            [((power, logs), factor)] if is_positive || is_plain(power, *logs) => {
                let (power, logs, factor) = (power.clone(), *logs, *factor);
                self.power_below(id, (power, logs), [factor, constant], below)
            }
            [((p, 0), b), ((q, 0), a)] if *q == p + p && (is_positive || p.is_one()) => {
                let (p, a, b) = (p.clone(), *a, *b);
                Ok(self.quadratic_below(&p, [a, b, constant], below))
            }
            _ => Err(Unsolved(id)),
        }
    }

    fn low(&mut self, value: ExprId, is_included: bool) -> Bound {
        self.bound(value, is_included, true)
    }

    fn high(&mut self, value: ExprId, is_included: bool) -> Bound {
        self.bound(value, is_included, false)
    }

    /// A bound, rounded to a whole number for a whole variable.
    fn bound(&mut self, value: ExprId, is_included: bool, is_low: bool) -> Bound {
        if !self.is_whole {
            return Bound { value, is_included };
        }
        let whole = self.arena.apply(Function::Integer, value);
        let is_whole = self.proves(whole);
        let function = if is_low == is_included {
            Function::Ceil
        } else {
            Function::Floor
        };
        let rounded = if is_whole {
            value
        } else {
            self.arena.apply(function, value)
        };
        let moved = match (is_included, is_low) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => -1,
        };
        let moved = self.arena.number(moved);
        Bound {
            value: self.arena.add(&[rounded, moved]),
            is_included: true,
        }
    }

    /// Where `a x^p log(x)^j + c` is below 0, for one power or one logarithm.
    fn power_below(
        &mut self,
        id: ExprId,
        (power, logs): (Rational, u32),
        [a, c]: [ExprId; 2],
        below: Below,
    ) -> Result<Tree> {
        let is_included = below != Below::Strictly;
        let y = self.quotient_of(c, a);
        let constant = self.is_below(c, below);
        let at_zero = self.decided(constant, Tree::always(), Tree::never());
        let (value, is_defined) = match (power.is_zero(), logs) {
            (true, 1) => (self.arena.apply(Function::Exp, y), None),
            (false, 0) if power.is_one() => (y, None),
            (false, 0) => {
                let inverse = power.recip().ok_or(Unsolved(id))?;
                let inverse = self.arena.number(inverse);
                let zero = self.arena.number(0);
                let defined = if is_included {
                    self.relate(Relation::LessEqual, zero, y)
                } else {
                    self.relate(Relation::Less, zero, y)
                };
                (self.arena.pow(y, inverse), Some(defined))
            }
            _ => return Err(Unsolved(id)),
        };
        let (high, low) = (self.high(value, is_included), self.low(value, is_included));
        if below == Below::Equal {
            let point = Tree::between(low, high);
            let point = match is_defined {
                Some(defined) => self.decided(defined, point, Tree::never()),
                None => point,
            };
            return Ok(self.by_sign(a, [point.clone(), at_zero, point]));
        }
        let (mut positive, mut negative) = (Tree::to(high), Tree::from(low));
        if let Some(defined) = is_defined {
            // A power of a positive number is positive: it is above each negative number.
            positive = self.decided(defined, positive, Tree::never());
            let zero = self.arena.number(0);
            let defined = self.relate(Relation::LessEqual, zero, y);
            negative = self.decided(defined, negative, Tree::always());
        }
        Ok(self.by_sign(a, [negative, at_zero, positive]))
    }

    /// Where `a t^2 + b t + c` is below 0, with `t = x^p`.
    fn quadratic_below(&mut self, power: &Rational, [a, b, c]: [ExprId; 3], below: Below) -> Tree {
        let is_included = below != Below::Strictly;
        let (two, four) = (self.arena.number(2), self.arena.number(4));
        let minus_b = self.negated(b);
        let size = if self.is_written_negative(b) {
            minus_b
        } else {
            b
        };
        let square = self.arena.pow(size, two);
        let product = self.arena.mul(&[four, a, c]);
        let discriminant = self.arena.subtract(square, product);
        let zero = self.arena.number(0);
        let has_roots = if is_included {
            self.relate(Relation::LessEqual, product, square)
        } else {
            self.relate(Relation::Less, product, square)
        };
        let root = self.arena.apply(Function::Sqrt, discriminant);
        // The lower root first where `a` is positive; with few minus signs.
        let is_negative = self.is_written_negative(a);
        let (above, a_size) = if is_negative {
            (b, self.negated(a))
        } else {
            (minus_b, a)
        };
        let down = self.arena.mul(&[two, a_size]);
        let [lower, upper] = [-1, 1].map(|sign| {
            let sign = self.arena.number(sign);
            let own = self.arena.mul(&[sign, root]);
            let sum = self.arena.add(&[above, own]);
            self.arena.divide(sum, down)
        });
        let [first, second] = if is_negative {
            [upper, lower]
        } else {
            [lower, upper]
        };
        if below == Below::Equal {
            return self.two_points([first, second], power, has_roots, a, [b, c]);
        }
        let inner = self.inside([first, second], power, is_included);
        let positive = self.decided(has_roots, inner, Tree::never());
        // With a negative factor it is above 0 between the roots, of which the second is then the lower one.
        let outer = self.outside([second, first], power, is_included);
        // A double root is outside of a strict comparison, too.
        let touches = self.relate(Relation::LessEqual, product, square);
        let negative = self.decided(touches, outer, Tree::always());
        let linear = self.power_below(zero, (power.clone(), 0), [b, c], below);
        let linear = linear.unwrap_or_else(|_| Tree::never());
        self.by_sign(a, [negative, linear, positive])
    }

    /// The numbers whose power is one of two roots.
    fn two_points(
        &mut self,
        roots: [ExprId; 2],
        power: &Rational,
        has_roots: ExprId,
        a: ExprId,
        [b, c]: [ExprId; 2],
    ) -> Tree {
        let mut points = Tree::never();
        let values = self.roots(roots, power);
        for (value, root) in values.into_iter().zip(roots) {
            let (low, high) = (self.low(value, true), self.high(value, true));
            let mut own = Tree::between(low, high);
            if !power.is_one() {
                let zero = self.arena.number(0);
                let is_reached = self.relate(Relation::LessEqual, zero, root);
                own = self.decided(is_reached, own, Tree::never());
            }
            points = points.or(&own).unwrap_or_else(Tree::never);
        }
        let points = self.decided(has_roots, points, Tree::never());
        let zero = self.arena.number(0);
        let linear = self.power_below(zero, (power.clone(), 0), [b, c], Below::Equal);
        let linear = linear.unwrap_or_else(|_| Tree::never());
        self.by_sign(a, [points.clone(), linear, points])
    }

    /// The numbers whose power is between two roots.
    fn inside(&mut self, roots: [ExprId; 2], power: &Rational, is_included: bool) -> Tree {
        let [low, high] = self.roots(roots, power);
        let (low, high) = (self.low(low, is_included), self.high(high, is_included));
        let between = Tree::between(low, high);
        if power.is_one() {
            return between;
        }
        let zero = self.arena.number(0);
        let is_reached = if is_included {
            self.relate(Relation::LessEqual, zero, roots[1])
        } else {
            self.relate(Relation::Less, zero, roots[1])
        };
        self.decided(is_reached, between, Tree::never())
    }

    /// The numbers whose power is not between two roots.
    fn outside(&mut self, roots: [ExprId; 2], power: &Rational, is_included: bool) -> Tree {
        let [low, high] = self.roots(roots, power);
        let (low, high) = (self.high(low, is_included), self.low(high, is_included));
        let (below, above) = (Tree::to(low), Tree::from(high));
        let zero = self.arena.number(0);
        let [below, above] = if power.is_one() {
            [below, above]
        } else {
            let first = if is_included {
                self.relate(Relation::LessEqual, zero, roots[0])
            } else {
                self.relate(Relation::Less, zero, roots[0])
            };
            let second = self.relate(Relation::LessEqual, zero, roots[1]);
            [
                self.decided(first, below, Tree::never()),
                self.decided(second, above, Tree::always()),
            ]
        };
        below.or(&above).unwrap_or_else(Tree::never)
    }

    fn roots(&mut self, roots: [ExprId; 2], power: &Rational) -> [ExprId; 2] {
        if power.is_one() {
            return roots;
        }
        let zero = self.arena.number(0);
        let inverse = power.recip().unwrap_or(Rational::ONE);
        let inverse = self.arena.number(inverse);
        roots.map(|root| {
            let root = self.arena.max(&[zero, root]);
            self.arena.pow(root, inverse)
        })
    }
}
