//! Pieces in machine integers.
//!
//! A body of whole numbers, lines and their quotients has pieces with whole bounds and sums. If a
//! number does not fit, or a part has no such piece, the caller uses pieces of rational numbers.

use num_bigint::BigInt;
use num_integer::Integer as _;

use crate::eval::exact::Evaluator;
use crate::expr::{ExprId, Function, Node, ReduceKind, Reduction, Symbol};
use crate::ring::Rational;

/// Coefficients of a polynomial in the index, the constant first.
const COEFFICIENTS: usize = 4;
/// Larger bodies are left to the pieces of rational numbers.
const MOST_PARTS: usize = 60;
/// Number of pieces tried before the cost is checked.
const TRIED: i128 = 64;

/// A body over whole numbers.
enum Body {
    Number(i128),
    Index,
    Sum(Vec<Body>),
    Product(Vec<Body>),
    Max(Vec<Body>),
    Min(Vec<Body>),
    /// The floor of a line divided by a number.
    Rounded(Box<Body>, i128),
    /// The floor of a number divided by a line.
    Quotient(i128, Box<Body>),
}

/// The form of a body from one index to another.
struct Piece {
    by_power: [i128; COEFFICIENTS],
    last: i128,
}

impl Piece {
    fn constant(value: i128, last: i128) -> Piece {
        let mut by_power = [0; COEFFICIENTS];
        by_power[0] = value;
        Piece { by_power, last }
    }

    fn line(&self) -> Option<(i128, i128)> {
        let higher = self.by_power[2..].iter().all(|&c| c == 0);
        higher.then_some((self.by_power[1], self.by_power[0]))
    }

    fn plus(&self, other: &Piece) -> Option<Piece> {
        let mut by_power = self.by_power;
        for (own, more) in by_power.iter_mut().zip(&other.by_power) {
            *own = own.checked_add(*more)?;
        }
        let last = self.last.min(other.last);
        Some(Piece { by_power, last })
    }

    fn times(&self, other: &Piece) -> Option<Piece> {
        let mut by_power = [0_i128; COEFFICIENTS];
        for (i, &a) in self.by_power.iter().enumerate().filter(|(_, a)| **a != 0) {
            for (j, &b) in other.by_power.iter().enumerate().filter(|(_, b)| **b != 0) {
                let place = by_power.get_mut(i + j)?;
                *place = place.checked_add(a.checked_mul(b)?)?;
            }
        }
        let last = self.last.min(other.last);
        Some(Piece { by_power, last })
    }

    /// The sum from one index up to the last.
    fn sum(&self, from: i128) -> Option<i128> {
        let sums_to = |n: i128| -> Option<[i128; COEFFICIENTS]> {
            let pairs = n.checked_mul(n + 1)?;
            let triangle = pairs / 2;
            let squares = match self.by_power[2] {
                0 => 0,
                _ => pairs.checked_mul(2 * n + 1)? / 6,
            };
            let cubes = match self.by_power[3] {
                0 => 0,
                _ => triangle.checked_mul(triangle)?,
            };
            Some([n, triangle, squares, cubes])
        };
        let (up_to, before) = (sums_to(self.last)?, sums_to(from - 1)?);
        let mut total = 0_i128;
        for (power, &coefficient) in self.by_power.iter().enumerate() {
            if coefficient != 0 {
                let times = up_to[power] - before[power];
                total = total.checked_add(coefficient.checked_mul(times)?)?;
            }
        }
        Some(total)
    }

    /// The larger, or smaller, of the values at both ends of a line.
    fn extreme(&self, from: i128, largest: bool) -> Option<i128> {
        let (slope, offset) = self.line()?;
        let at = |index: i128| slope.checked_mul(index)?.checked_add(offset);
        let (first, last) = (at(from)?, at(self.last)?);
        Some(if largest {
            first.max(last)
        } else {
            first.min(last)
        })
    }
}

impl Body {
    /// The form of the body from an index on, up to `end` at most.
    fn piece(&self, from: i128, end: i128) -> Option<Piece> {
        match self {
            Body::Number(value) => Some(Piece::constant(*value, end)),
            Body::Index => {
                let mut piece = Piece::constant(0, end);
                piece.by_power[1] = 1;
                Some(piece)
            }
            Body::Sum(list) => list.iter().try_fold(Piece::constant(0, end), |sum, part| {
                sum.plus(&part.piece(from, end)?)
            }),
            Body::Product(list) => list
                .iter()
                .try_fold(Piece::constant(1, end), |product, part| {
                    product.times(&part.piece(from, end)?)
                }),
            Body::Max(list) => winner(list, from, end, true),
            Body::Min(list) => winner(list, from, end, false),
            Body::Rounded(body, divisor) => rounded(&body.piece(from, end)?, *divisor, from),
            Body::Quotient(number, body) => quotient(*number, &body.piece(from, end)?, from),
        }
    }

    fn parts(&self) -> usize {
        match self {
            Body::Number(_) | Body::Index => 1,
            Body::Sum(list) | Body::Product(list) | Body::Max(list) | Body::Min(list) => {
                1 + list.iter().map(Body::parts).sum::<usize>()
            }
            Body::Rounded(body, _) | Body::Quotient(_, body) => 1 + body.parts(),
        }
    }
}

/// The largest or smallest of several lines, and how long it stays so.
fn winner(list: &[Body], from: i128, end: i128, largest: bool) -> Option<Piece> {
    let (first, others) = list.split_first()?;
    let mut best = first.piece(from, end)?;
    for other in others {
        let other = other.piece(from, end)?;
        let last = best.last.min(other.last);
        let ((a, b), (c, d)) = (best.line()?, other.line()?);
        let (mut slope, mut offset) = (a.checked_sub(c)?, b.checked_sub(d)?);
        if !largest {
            (slope, offset) = (slope.checked_neg()?, offset.checked_neg()?);
        }
        let behind = slope.checked_mul(from)?.checked_add(offset)? < 0;
        if behind {
            (slope, offset) = (slope.checked_neg()?, offset.checked_neg()?);
            best = other;
        }
        // It leads as long as `slope * i + offset >= 0`.
        best.last = if slope < 0 {
            last.min(offset.div_euclid(-slope))
        } else {
            last
        };
    }
    Some(best)
}

/// The floor of a line over a number above 0.
fn rounded(line: &Piece, divisor: i128, from: i128) -> Option<Piece> {
    let (slope, offset) = line.line()?;
    if slope % divisor == 0 {
        let mut piece = Piece::constant(offset.div_euclid(divisor), line.last);
        piece.by_power[1] = slope / divisor;
        return Some(piece);
    }
    let value = slope
        .checked_mul(from)?
        .checked_add(offset)?
        .div_euclid(divisor);
    let reached = value.checked_mul(divisor)?;
    let last = if slope > 0 {
        reached
            .checked_add(divisor - 1)?
            .checked_sub(offset)?
            .div_euclid(slope)
    } else {
        offset.checked_sub(reached)?.div_euclid(-slope)
    };
    Some(Piece::constant(value, last.min(line.last)))
}

/// The floor of a number that is not below 0 over a line that is above 0.
fn quotient(number: i128, line: &Piece, from: i128) -> Option<Piece> {
    let (slope, offset) = line.line()?;
    let here = slope.checked_mul(from)?.checked_add(offset)?;
    if here <= 0 || number < 0 {
        return None;
    }
    let value = number / here;
    let last = match (slope > 0, value) {
        (true, 0) => line.last,
        (true, _) => (number / value).checked_sub(offset)?.div_euclid(slope),
        (false, _) if slope == 0 => line.last,
        (false, _) => offset
            .checked_sub(number / (value + 1) + 1)?
            .div_euclid(-slope),
    };
    Some(Piece::constant(value, last.min(line.last)))
}

impl Evaluator<'_> {
    /// A sum or an extreme over whole indices.
    ///
    /// Returns `None` if that needs other numbers, or if pieces have fewer indices on average than
    /// `worth`.
    pub(super) fn by_native_blocks(
        &mut self,
        reduction: &Reduction,
        lower: &Rational,
        count: i64,
        worth: i64,
    ) -> Option<Rational> {
        let from = i128::from(lower.to_i64()?);
        let end = from + i128::from(count) - 1;
        let (body, divisor) = self.whole_body(reduction.body, reduction.index)?;
        let parts = body.parts();
        if parts > MOST_PARTS {
            return None;
        }
        let mut total: Option<i128> = None;
        let (mut here, mut pieces) = (from, 0);
        let patience = TRIED + 2 * (count as f64).sqrt() as i128;
        while here <= end {
            pieces += 1;
            if pieces > patience && here - from < i128::from(worth) * pieces {
                return None;
            }
            self.charge_steps(parts as u64).ok()?;
            let piece = body.piece(here, end)?;
            let value = match reduction.kind {
                ReduceKind::Sum => piece.sum(here)?,
                kind => piece.extreme(here, kind == ReduceKind::Max)?,
            };
            total = Some(match (total, reduction.kind) {
                (None, _) => value,
                (Some(total), ReduceKind::Sum) => total.checked_add(value)?,
                (Some(total), ReduceKind::Max) => total.max(value),
                (Some(total), _) => total.min(value),
            });
            here = piece.last + 1;
        }
        let divisor = Rational::from(BigInt::from(divisor));
        Rational::from(BigInt::from(total?)).checked_div(&divisor)
    }

    /// A body times a number above 0, in whole numbers.
    fn whole_body(&mut self, id: ExprId, index: Symbol) -> Option<(Body, i128)> {
        let arena = self.arena;
        if !arena.mentions(id, index) {
            let value = self.number(id).ok()?.as_exact()?.clone();
            let denominator = i128::try_from(value.denominator()).ok()?;
            let numerator = i128::try_from(value.numerator()).ok()?;
            return Some((Body::Number(numerator), denominator));
        }
        match arena.node(id) {
            Node::Symbol(symbol) => (*symbol == index).then_some((Body::Index, 1)),
            Node::Add(list) => {
                let (parts, divisor) = self.over_common(list, index)?;
                Some((Body::Sum(parts), divisor))
            }
            Node::Max(list) => {
                let (parts, divisor) = self.over_common(list, index)?;
                Some((Body::Max(parts), divisor))
            }
            Node::Min(list) => {
                let (parts, divisor) = self.over_common(list, index)?;
                Some((Body::Min(parts), divisor))
            }
            Node::Mul(list) => {
                let (mut parts, mut divisor) = (Vec::new(), 1_i128);
                for &factor in list.iter() {
                    let (part, own) = self.whole_body(factor, index)?;
                    parts.push(part);
                    divisor = divisor.checked_mul(own)?;
                }
                Some((Body::Product(parts), divisor))
            }
            Node::Pow(base, exponent) => {
                let power = arena.as_number(*exponent)?.to_i64()?;
                let power = usize::try_from(power).ok().filter(|p| *p < COEFFICIENTS)?;
                let (mut parts, mut divisor) = (Vec::new(), 1_i128);
                for _ in 0..power {
                    let (part, own) = self.whole_body(*base, index)?;
                    parts.push(part);
                    divisor = divisor.checked_mul(own)?;
                }
                Some((Body::Product(parts), divisor))
            }
            Node::Mod(x, modulus) if !arena.mentions(*modulus, index) => {
                self.remainder_of(*x, *modulus, index)
            }
            Node::Apply(Function::Floor, operand) => self.whole_floor(*operand, index, false),
            Node::Apply(Function::Ceil, operand) => self.whole_floor(*operand, index, true),
            _ => None,
        }
    }

    /// Bodies times one number.
    fn over_common(&mut self, list: &[ExprId], index: Symbol) -> Option<(Vec<Body>, i128)> {
        let mut parts = Vec::new();
        let mut common = 1_i128;
        for &part in list {
            let (body, divisor) = self.whole_body(part, index)?;
            common = common.checked_mul(divisor / common.gcd(&divisor))?;
            parts.push((body, divisor));
        }
        let scaled = parts
            .into_iter()
            .map(|(body, divisor)| match common / divisor {
                1 => body,
                factor => Body::Product(vec![Body::Number(factor), body]),
            });
        Some((scaled.collect(), common))
    }

    /// `x mod m` is x less m for each whole round.
    fn remainder_of(&mut self, x: ExprId, modulus: ExprId, index: Symbol) -> Option<(Body, i128)> {
        let (Body::Number(modulus), divisor) = self.whole_body(modulus, index)? else {
            return None;
        };
        let mut line = || self.whole_body(x, index);
        let (own, by) = line()?;
        let (again, _) = line()?;
        let length = modulus.checked_mul(by).filter(|length| *length > 0)?;
        let scaled = |body| Body::Product(vec![Body::Number(divisor), body]);
        let rounds = Body::Rounded(Box::new(scaled(again)), length);
        let taken = Body::Product(vec![Body::Number(length.checked_neg()?), rounds]);
        Some((
            Body::Sum(vec![scaled(own), taken]),
            by.checked_mul(divisor)?,
        ))
    }

    fn whole_floor(&mut self, id: ExprId, index: Symbol, up: bool) -> Option<(Body, i128)> {
        if let Some((number, line)) = self.over_a_line(id, index) {
            let body = if up {
                // For whole numbers, `ceil(n / d)` is `floor((n - 1) / d) + 1`.
                let less = Body::Quotient(number.checked_sub(1)?, Box::new(line));
                Body::Sum(vec![less, Body::Number(1)])
            } else {
                Body::Quotient(number, Box::new(line))
            };
            return Some((body, 1));
        }
        let (body, divisor) = self.whole_body(id, index)?;
        let minus = |body| Body::Product(vec![Body::Number(-1), body]);
        let body = match (divisor, up) {
            (1, _) => body,
            (_, false) => Body::Rounded(Box::new(body), divisor),
            (_, true) => minus(Body::Rounded(Box::new(minus(body)), divisor)),
        };
        Some((body, 1))
    }

    /// A whole number and a line, where a term is the one over the other.
    fn over_a_line(&mut self, id: ExprId, index: Symbol) -> Option<(i128, Body)> {
        let arena = self.arena;
        let factors = match arena.node(id) {
            Node::Mul(list) => list.to_vec(),
            _ => vec![id],
        };
        let (moving, still): (Vec<ExprId>, Vec<ExprId>) = factors
            .into_iter()
            .partition(|&factor| arena.mentions(factor, index));
        let &[moving] = moving.as_slice() else {
            return None;
        };
        let Node::Pow(base, exponent) = *arena.node(moving) else {
            return None;
        };
        if arena.as_number(exponent) != Some(&Rational::from(-1)) {
            return None;
        }
        let (mut number, mut divisor) = (1_i128, 1_i128);
        for factor in still {
            let (Body::Number(own), by) = self.whole_body(factor, index)? else {
                return None;
            };
            number = number.checked_mul(own)?;
            divisor = divisor.checked_mul(by)?;
        }
        let (line, by) = self.whole_body(base, index)?;
        let line = Body::Product(vec![Body::Number(divisor), line]);
        Some((number.checked_mul(by)?, line))
    }
}
