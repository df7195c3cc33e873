//! Sizes of recursive calls, level by level, and the number of calls of each size.

use crate::lowering::Parts;
use crate::lowering::number::*;

/// The change of the size from one level to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    /// The next sizes lie between `(m + low) div by` and `(m + high) div by`.
    Over {
        by: i64,
        low: i64,
        high: i64,
    },
    Minus(i64),
    /// Decreases by this amount in some calls, and by twice this amount in others.
    Pair {
        by: i64,
        near: i64,
        far: i64,
    },
}

impl Descent {
    /// True if sizes never step over this one.
    pub fn comes_to(self, size: i64) -> bool {
        match self {
            Descent::Minus(by) => by == 1,
            Descent::Over { by, low, high } => {
                (low, high) == (0, 0) && (size == 0 || size == 1 && by == 2)
            }
            Descent::Pair { .. } => false,
        }
    }

    /// The number of calls on a level if each call makes `calls` calls; `None` if no formula is known.
    pub fn calls_at(self, calls: i64, level: &Number) -> Option<Number> {
        match self {
            Descent::Pair { near, far, .. } => recurrence(near, far, level),
            _ => Some(power(calls, level)),
        }
    }
}

pub fn power(base: i64, exponent: &Number) -> Number {
    match (base, exponent.as_constant()) {
        (_, Some(0)) => Number::constant(1),
        _ => Number::atom(Atom::Power(Number::constant(base), exponent.clone())),
    }
}

/// `c(0) = 1`, `c(j) = near * c(j - 1) + far * c(j - 2)` where `c(-1)` is 0: `(r^(j + 1) - q^(j + 1)) / (r - q)` with
/// the roots of `x^2 = near * x + far`. If r and q are not whole and q is between -1 and 0, the result is the first
/// term, rounded.
fn recurrence(near: i64, far: i64, level: &Number) -> Option<Number> {
    let next = level.plus_constant(1)?;
    let square = near.checked_mul(near)?.checked_add(far.checked_mul(4)?)?;
    let root = square.isqrt();
    if root * root == square {
        let above = power((near + root) / 2, &next);
        let below = power((near - root) / 2, &next);
        return Some(above.minus(&below)?.div(&Number::constant(root)));
    }
    if far > near {
        return None;
    }
    let root = Number::atom(Atom::Function("sqrt", vec![Number::constant(square)]));
    let twice = root.plus_constant(near)?;
    let largest = Number::atom(Atom::Quotient(twice, Number::constant(2)));
    let term = Number::atom(Atom::Power(largest, next));
    let rounded = term.scaled(2)?.plus(&root)?;
    let rounded = Number::atom(Atom::Quotient(rounded, root.scaled(2)?));
    Some(Number::atom(Atom::Function("floor", vec![rounded])))
}

/// Simplified quotients: `(2 * a + b) div 2` is `a + b div 2`.
pub fn split(number: &Number) -> Option<Number> {
    let mut sum = Number::default();
    for (monomial, coefficient) in number.terms() {
        let term = match &monomial[..] {
            [(Atom::Div(a, by), 1)] => {
                let a = split(a)?;
                match by.as_constant() {
                    Some(constant) if constant > 0 => {
                        let whole = a.multiples_of(constant);
                        let rest = a.minus(&whole)?;
                        whole.div(by).plus(&rest.div(by))?
                    }
                    _ => a.div(by),
                }
            }
            _ => monomial
                .iter()
                .try_fold(Number::constant(1), |product, (atom, exponent)| {
                    (0..*exponent).try_fold(product, |product, _| {
                        product.times(&Number::atom(atom.clone()))
                    })
                })?,
        };
        sum = sum.plus(&term.scaled(coefficient)?)?;
    }
    Some(sum)
}

/// The descent from a size `m` to `next`.
pub fn descent_of(next: &Number, m: &Number) -> Option<Descent> {
    if let Some(less) = m.minus(next)?.as_constant() {
        return (less > 0).then_some(Descent::Minus(less));
    }
    let quotient = |number: &Number| match number.as_atom() {
        Some(Atom::Div(a, by)) => {
            let shift = a.minus(m)?.as_constant()?;
            Some((by.as_constant()?, shift))
        }
        _ => None,
    };
    // `m div 2`, `m - m div 2`, and these less a few.
    let more = next.constant_part();
    let plain = next.minus(&Number::constant(more))?;
    let rest = m.minus(&plain)?;
    match (quotient(&plain), quotient(&rest)) {
        (Some((by, shift)), _) if by >= 2 => over(by, shift.checked_add(by.checked_mul(more)?)?),
        // `m - (m + s) div 2` is `(m - s + 1) div 2`.
        (_, Some((2, shift))) => over(2, more.checked_mul(2)?.checked_add(1)?.checked_sub(shift)?),
        _ => None,
    }
}

/// From m to `(m + shift) div by`.
fn over(by: i64, shift: i64) -> Option<Descent> {
    // Sizes and shifts are added.
    const MOST: i64 = 1 << 32;
    (by.abs() <= MOST && shift.abs() <= MOST).then_some(Descent::Over {
        by,
        low: shift,
        high: shift,
    })
}

impl Descent {
    /// The fixed point f in `(m - f) div by^level + f`, the size of the smallest or the largest parts of a level, if
    /// the size after m is `(m + (by - 1) * f) div by`.
    pub fn fixed(self, parts: Parts) -> i64 {
        match (self, parts) {
            (Descent::Over { by, low, .. }, Parts::Smallest) => low.div_euclid(by - 1),
            (Descent::Over { by, high, .. }, Parts::Largest) => -(-high).div_euclid(by - 1),
            _ => 0,
        }
    }

    /// True if all parts of a level have one size, for any initial size.
    pub fn is_exact(self) -> bool {
        match self {
            Descent::Over { by, low, high } => low == high && low % (by - 1) == 0,
            _ => true,
        }
    }

    /// The descent of a function with `calls` recursive calls at run time; `each` has the descents of the calls in
    /// its text.
    pub fn of_all(each: &[Descent], calls: i64) -> Option<Descent> {
        let (first, rest) = each.split_first()?;
        let alike = rest.iter().try_fold(*first, |all, own| all.and(*own));
        alike.or_else(|| {
            let less = |descent: &Descent| match descent {
                Descent::Minus(less) => Some(*less),
                _ => None,
            };
            let all: Vec<i64> = each.iter().map(less).collect::<Option<_>>()?;
            let by = *all.iter().min()?;
            let count = |less: i64| all.iter().filter(|own| **own == less).count();
            let (near, far) = (count(by), count(2 * by));
            // Each call in the text is one call.
            let is_pair = near + far == all.len() && i64::try_from(all.len()) == Ok(calls);
            is_pair.then_some(Descent::Pair {
                by,
                near: near as i64,
                far: far as i64,
            })
        })
    }

    fn and(self, other: Descent) -> Option<Descent> {
        match (self, other) {
            (
                Descent::Over { by, low, high },
                Descent::Over {
                    by: b,
                    low: l,
                    high: h,
                },
            ) if by == b => Some(Descent::Over {
                by,
                low: low.min(l),
                high: high.max(h),
            }),
            (a, b) => (a == b).then_some(a),
        }
    }
}
