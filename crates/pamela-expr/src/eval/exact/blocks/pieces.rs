//! Polynomials on ranges of indices: ranges of constant sign, sums and extremes.

use crate::expr::Relation;
use crate::ring::{Rational, Univariate};

/// A polynomial and the last index up to which it equals a term.
pub(super) struct Piece {
    pub polynomial: Univariate,
    pub last: i64,
}

pub(super) fn until(piece: Piece, last: i64) -> Piece {
    Piece {
        last: piece.last.min(last),
        ..piece
    }
}

/// The floor of a line: a line if the slope is whole, else a number.
pub(super) fn floor_of_line(line: &Univariate, from: i64, last: i64) -> Piece {
    let (slope, offset) = (line.coefficient(1), line.coefficient(0));
    if slope.is_integer() {
        let polynomial = Univariate::linear(slope, offset.floor());
        return Piece { polynomial, last };
    }
    let value = line.evaluate(&from.into()).floor();
    // The last index that is below the next whole number, or at least at this one.
    let end = if slope.is_positive() {
        (&(&value + &Rational::ONE) - &offset)
            .checked_div(&slope)
            .map(|x| x.ceil() - Rational::ONE)
    } else {
        (&value - &offset).checked_div(&slope).map(|x| x.floor())
    };
    let end = end.and_then(|end| end.to_i64()).unwrap_or(last);
    Piece {
        polynomial: Univariate::constant(value),
        last: last.min(end).max(from),
    }
}

/// The last index up to which the floor of a number over a line is constant; both are positive.
pub(super) fn end_of_quotient(number: &Rational, line: &Piece, from: i64) -> Option<i64> {
    let (slope, offset) = (
        line.polynomial.coefficient(1),
        line.polynomial.coefficient(0),
    );
    let here = line.polynomial.evaluate(&from.into());
    if !number.is_positive() || !here.is_positive() {
        return None;
    }
    let value = number.checked_div(&here)?.floor();
    let end = if !slope.is_positive() {
        // The line is more than the number over the next value.

        let next = number.checked_div(&(&value + &Rational::ONE))?;
        (&next - &offset).checked_div(&slope)?.ceil() - Rational::ONE
    } else if value.is_zero() {
        return Some(line.last);
    } else {
        // The line is at most the number over the value.
        (&number.checked_div(&value)? - &offset)
            .checked_div(&slope)?
            .floor()
    };
    Some(end.to_i64().unwrap_or(line.last).clamp(from, line.last))
}

/// A comparison of two pieces: 1 or 0, as long as it is constant.
pub(super) fn compared(relation: Relation, a: &Piece, b: &Piece, from: i64) -> Piece {
    let less = b.polynomial.minus(&a.polynomial);
    let more = a.polynomial.minus(&b.polynomial);
    let last = a.last.min(b.last);
    let here = less.evaluate(&from.into());
    let (holds, last) = match relation {
        Relation::Less if here.is_positive() => (1, not_below_0(&less, true, from, last)),
        Relation::Less => (0, not_below_0(&more, false, from, last)),
        Relation::LessEqual if here.is_negative() => (0, not_below_0(&more, true, from, last)),
        Relation::LessEqual => (1, not_below_0(&less, false, from, last)),
        Relation::Equal if less.is_zero() => (1, last),
        Relation::Equal if here.is_zero() => (1, from),
        Relation::Equal if here.is_positive() => (0, not_below_0(&less, true, from, last)),
        Relation::Equal => (0, not_below_0(&more, true, from, last)),
    };
    Piece {
        polynomial: Univariate::constant(Rational::from(holds)),
        last,
    }
}

/// The last index up to which a polynomial that is nonnegative (or positive, if `strictly`) at
/// `from` stays so.
///
/// Between its turning points it is monotone, and bisection finds the change of sign.
pub(super) fn not_below_0(p: &Univariate, strictly: bool, from: i64, last: i64) -> i64 {
    let holds = |at: i64| {
        let value = p.evaluate(&at.into());
        !(value.is_negative() || strictly && value.is_zero())
    };
    if p.degree().is_none_or(|degree| degree == 0) {
        return last;
    }
    let growth = p.shift(&Rational::ONE).minus(p);
    let mut here = from;
    while here < last {
        let falls = growth.evaluate(&here.into()).is_negative();
        let sign = Rational::from(if falls { -1 } else { 1 });
        let turn = not_below_0(&growth.scale(&sign), false, here, last - 1) + 1;
        if falls && !holds(turn) {
            let (mut yes, mut no) = (here, turn);
            while yes + 1 < no {
                let middle = yes + (no - yes) / 2;
                if holds(middle) {
                    yes = middle
                } else {
                    no = middle
                }
            }
            return yes;
        }
        here = turn;
    }
    last
}

/// The sum of a piece, by its differences at the first index: the j-th counts `binom(n, j + 1)`
/// times in n values.
pub(super) fn sum(piece: &Piece, from: i64) -> Rational {
    let count = Rational::from(piece.last - from + 1);
    let mut differences = piece.polynomial.clone();
    let (mut times, mut total) = (count.clone(), Rational::ZERO);
    let mut order = 1;
    while !differences.is_zero() {
        total += &times * &differences.evaluate(&from.into());
        differences = differences.shift(&Rational::ONE).minus(&differences);
        let next = &count - &Rational::from(order);
        order += 1;
        times = (&times * &next)
            .checked_div(&Rational::from(order))
            .unwrap_or_default();
    }
    total
}

/// The largest or smallest value of a piece: at an end or at a turning point.
pub(super) fn extreme(piece: &Piece, from: i64, largest: bool) -> Rational {
    let p = &piece.polynomial;
    let growth = p.shift(&Rational::ONE).minus(p);
    let mut best = p.evaluate(&from.into());
    let mut here = from;
    while here < piece.last {
        let falls = growth.evaluate(&here.into()).is_negative();
        let sign = Rational::from(if falls { -1 } else { 1 });
        here = not_below_0(&growth.scale(&sign), false, here, piece.last - 1) + 1;
        let value = p.evaluate(&here.into());
        best = if largest {
            best.max(value)
        } else {
            best.min(value)
        };
    }
    best
}
