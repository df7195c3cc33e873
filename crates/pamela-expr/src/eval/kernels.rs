//! The inner loops of programs: one operation over a column of points.
//!
//! What is undefined becomes "not a number", and what that enters does too.

use crate::expr::{Function, Relation};
use crate::special;

#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Column(&'a [f64]),
    Constant(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Floor,
    Ceil,
    Abs,
    Sqrt,
    Log,
    Exp,
    Integer,
    Harmonic(u32),
    Factorial,
    LogGamma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Max,
    Min,
    Power,
    /// `log(a) / log(b)`
    LogTo,
    /// `a^(1/b)` for whole `b >= 2`.
    Root,
    Modulo,
    CommonDivisor,
    Less,
    LessEqual,
    Equal,
}

/// The first operation of two that are done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Add,
    Subtract,
    Multiply,
}

/// What is done with its value and a third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Second {
    Add,
    Subtract,
    /// From the third operand.
    SubtractFrom,
    Multiply,
}

impl Unary {
    pub fn of(function: Function) -> Unary {
        match function {
            Function::Floor => Unary::Floor,
            Function::Ceil => Unary::Ceil,
            Function::Abs => Unary::Abs,
            Function::Sqrt => Unary::Sqrt,
            Function::Log => Unary::Log,
            Function::Exp => Unary::Exp,
            Function::Integer => Unary::Integer,
            Function::Harmonic(order) => Unary::Harmonic(order),
            Function::Factorial => Unary::Factorial,
            Function::LogGamma => Unary::LogGamma,
        }
    }
}

impl Binary {
    pub fn of(relation: Relation) -> Binary {
        match relation {
            Relation::Less => Binary::Less,
            Relation::LessEqual => Binary::LessEqual,
            Relation::Equal => Binary::Equal,
        }
    }
}

/// 2^52: from here on every double is an integer. Adding it to a smaller one leaves no bits for a
/// fraction, so that subtracting it again gives the nearest integer.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// Without a call, so that it vectorises on every machine.
#[inline(always)]
fn floor(x: f64) -> f64 {
    let nearest = ((x.abs() + INTEGERS) - INTEGERS).copysign(x);
    let floor = if nearest > x { nearest - 1.0 } else { nearest };
    if x.abs() < INTEGERS { floor } else { x }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn unary(operator: Unary, a: Operand, out: &mut [f64]) {
    match operator {
        Unary::Floor => map(a, out, floor),
        Unary::Ceil => map(a, out, |x| -floor(-x)),
        Unary::Abs => map(a, out, f64::abs),
        // The square root of a negative number is no number already.
        Unary::Sqrt => map(a, out, f64::sqrt),
        Unary::Log => map(a, out, |x| if x > 0.0 { x.ln() } else { f64::NAN }),
        Unary::Exp => map(a, out, f64::exp),
        Unary::Harmonic(order) => map(a, out, |x| special::harmonic(x, order)),
        Unary::Factorial => map(a, out, special::factorial),
        Unary::LogGamma => map(a, out, special::ln_gamma),
        Unary::Integer => map(
            a,
            out,
            |x| if x.is_nan() { x } else { truth(floor(x) == x) },
        ),
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn binary(operator: Binary, a: Operand, b: Operand, out: &mut [f64]) {
    match operator {
        Binary::Add => zip(a, b, out, |x, y| x + y),
        Binary::Subtract => zip(a, b, out, |x, y| x - y),
        Binary::Multiply => zip(a, b, out, |x, y| x * y),
        Binary::Divide => zip(a, b, out, |x, y| if y == 0.0 { f64::NAN } else { x / y }),
        // The second is taken where either is no number, so only the first is looked at.
        Binary::Max => zip(a, b, out, |x, y| if x > y || x.is_nan() { x } else { y }),
        Binary::Min => zip(a, b, out, |x, y| if x < y || x.is_nan() { x } else { y }),
        Binary::Power => zip(a, b, out, power),
        Binary::LogTo => zip(a, b, out, log_to),
        Binary::Root => zip(a, b, out, root),
        Binary::Modulo => zip(a, b, out, |x, y| {
            if y > 0.0 {
                x - y * floor(x / y)
            } else {
                f64::NAN
            }
        }),
        Binary::CommonDivisor => zip(a, b, out, common_divisor),
        Binary::Less => zip(a, b, out, |x, y| relation(x, y, x < y)),
        Binary::LessEqual => zip(a, b, out, |x, y| relation(x, y, x <= y)),
        Binary::Equal => zip(a, b, out, |x, y| relation(x, y, x == y)),
    }
}

/// Two operations, each rounded: what is between them stays in a register of the machine.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn pair(first: First, second: Second, operands: [Operand; 3], out: &mut [f64]) {
    match first {
        First::Add => then(second, operands, out, |x, y| x + y),
        First::Subtract => then(second, operands, out, |x, y| x - y),
        First::Multiply => then(second, operands, out, |x, y| x * y),
    }
}

#[inline(always)]
fn then(second: Second, operands: [Operand; 3], out: &mut [f64], first: impl Fn(f64, f64) -> f64) {
    match second {
        Second::Add => zip3(operands, out, |x, y, z| first(x, y) + z),
        Second::Subtract => zip3(operands, out, |x, y, z| first(x, y) - z),
        Second::SubtractFrom => zip3(operands, out, |x, y, z| z - first(x, y)),
        Second::Multiply => zip3(operands, out, |x, y, z| first(x, y) * z),
    }
}

/// The second operand where the first is not 0, else the third.
pub(super) fn select([condition, then, otherwise]: [Operand; 3], out: &mut [f64]) {
    for (position, out) in out.iter_mut().enumerate() {
        let at = |operand: Operand| match operand {
            Operand::Column(values) => values[position],
            Operand::Constant(value) => value,
        };
        let condition = at(condition);
        *out = if condition.is_nan() {
            condition
        } else if condition != 0.0 {
            at(then)
        } else {
            at(otherwise)
        };
    }
}

/// Of whole numbers; remainders of doubles are exact.
pub(super) fn common_divisor(a: f64, b: f64) -> f64 {
    if floor(a) != a || floor(b) != b || !(a - b).is_finite() {
        return f64::NAN;
    }
    let (mut a, mut b) = (a.abs(), b.abs());
    while b > 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

fn power(base: f64, exponent: f64) -> f64 {
    let pole = base == 0.0 && exponent < 0.0;
    if pole || base.is_nan() || exponent.is_nan() {
        return f64::NAN;
    }
    base.powf(exponent)
}

/// Whole where the operand is that power of the base, and only there.
fn log_to(x: f64, base: f64) -> f64 {
    if !(x > 0.0 && base > 0.0) || base == 1.0 {
        return f64::NAN;
    }
    let value = x.ln() / base.ln();
    let direction = if base > 1.0 { 1.0 } else { -1.0 };
    let nearest = value.round();
    beside(value, nearest, (x - base.powf(nearest)) * direction)
}

/// A number with few digits where its power is the operand, and only there.
fn root(x: f64, order: f64) -> f64 {
    let (value, short) = match order == 2.0 {
        true => (x.sqrt(), x.sqrt().round()),
        false => (x.powf(1.0 / order), f64::from(x.powf(1.0 / order) as f32)),
    };
    beside(value, short, x - short.powf(order))
}

/// `value` where it is far from `candidate`, else on that side of it on which `excess` says.
fn beside(value: f64, candidate: f64, excess: f64) -> f64 {
    if (value - candidate).abs() > NEAR * candidate.abs().max(1.0) {
        value
    } else if excess > 0.0 {
        value.max(candidate.next_up())
    } else if excess < 0.0 {
        value.min(candidate.next_down())
    } else {
        candidate
    }
}

/// How near to a short value another is looked at.
const NEAR: f64 = 1e-13;

#[inline(always)]
fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

#[inline(always)]
fn relation(x: f64, y: f64, holds: bool) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else {
        truth(holds)
    }
}

#[inline(always)]
fn map(a: Operand, out: &mut [f64], operation: impl Fn(f64) -> f64) {
    match a {
        Operand::Column(a) => {
            for (out, &x) in out.iter_mut().zip(a) {
                *out = operation(x);
            }
        }
        Operand::Constant(x) => out.fill(operation(x)),
    }
}

#[inline(always)]
fn zip(a: Operand, b: Operand, out: &mut [f64], operation: impl Fn(f64, f64) -> f64) {
    match (a, b) {
        (Operand::Column(a), Operand::Column(b)) => {
            for ((out, &x), &y) in out.iter_mut().zip(a).zip(b) {
                *out = operation(x, y);
            }
        }
        (Operand::Column(a), Operand::Constant(y)) => {
            for (out, &x) in out.iter_mut().zip(a) {
                *out = operation(x, y);
            }
        }
        (Operand::Constant(x), Operand::Column(b)) => {
            for (out, &y) in out.iter_mut().zip(b) {
                *out = operation(x, y);
            }
        }
        (Operand::Constant(x), Operand::Constant(y)) => out.fill(operation(x, y)),
    }
}

#[inline(always)]
fn zip3(operands: [Operand; 3], out: &mut [f64], operation: impl Fn(f64, f64, f64) -> f64) {
    use Operand::{Column, Constant};
    match operands {
        [Column(a), Column(b), Column(c)] => {
            for (((out, &x), &y), &z) in out.iter_mut().zip(a).zip(b).zip(c) {
                *out = operation(x, y, z);
            }
        }
        [a, b, Constant(z)] => zip(a, b, out, |x, y| operation(x, y, z)),
        [a, Constant(y), c] => zip(a, c, out, |x, z| operation(x, y, z)),
        [Constant(x), b, c] => zip(b, c, out, |y, z| operation(x, y, z)),
    }
}
