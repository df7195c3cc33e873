//! Powers, and floors of logarithms; exact if they reduce to products of whole numbers.

use super::CertifiedDouble;
use super::elementary::{log_to_base, real_power};
use super::kernels::{ceil, divide, floor, integer, multiply, truth};

/// A power; exact products if the exponent is whole and at most 1024 in absolute value.
pub(super) fn power(base: CertifiedDouble, exponent: CertifiedDouble) -> CertifiedDouble {
    let whole = exponent.error == 0.0 && exponent.low == 0.0 && exponent.high.fract() == 0.0;
    if !whole || exponent.high.abs() > 1024.0 {
        return real_power(base, exponent);
    }
    let mut rest = exponent.high.abs() as u32;
    let (mut square, mut result) = (base, CertifiedDouble::from(1.0));
    while rest > 0 {
        if rest % 2 == 1 {
            result = multiply(result, square);
        }
        rest /= 2;
        if rest > 0 {
            square = multiply(square, square);
        }
    }
    if exponent.high < 0.0 {
        divide(CertifiedDouble::from(1.0), result)
    } else {
        result
    }
}

/// The greatest power of `base` that is at most `x`, with its exponent; `None` where doubles do not tell.
fn power_below(x: CertifiedDouble, base: CertifiedDouble) -> Option<(f64, f64)> {
    const LIMIT: f64 = (1u64 << 53) as f64;
    let exact = x.error == 0.0 && base.error == 0.0 && base.low == 0.0;
    let sized = x.high >= 1.0 && x.high < LIMIT && base.high >= 2.0 && base.high < LIMIT;
    if !(exact && sized && base.high.fract() == 0.0) {
        return None;
    }
    let above = |power: f64| power > x.high || (power == x.high && x.low < 0.0);
    let mut exponent = (x.high.ln() / base.high.ln()).floor().max(0.0);
    let mut power = base.high.powi(exponent as i32);
    if above(power) {
        exponent -= 1.0;
        power = base.high.powi(exponent as i32);
    }
    if !above(power * base.high) {
        exponent += 1.0;
        power *= base.high;
    }
    (exponent >= 0.0).then_some((power, exponent))
}

/// The floor of the logarithm of `x` to a whole base.
pub(super) fn floor_log(x: CertifiedDouble, base: CertifiedDouble) -> CertifiedDouble {
    match power_below(x, base) {
        Some((_, exponent)) => CertifiedDouble::from(exponent),
        None => floor(log_to_base(x, base)),
    }
}

pub(super) fn ceil_log(x: CertifiedDouble, base: CertifiedDouble) -> CertifiedDouble {
    match power_below(x, base) {
        Some((power, exponent)) if power == x.high && x.low == 0.0 => {
            CertifiedDouble::from(exponent)
        }
        Some((_, exponent)) => CertifiedDouble::from(exponent + 1.0),
        None => ceil(log_to_base(x, base)),
    }
}

/// 1 if the logarithm of `x` is whole, else 0.
pub(super) fn is_power(x: CertifiedDouble, base: CertifiedDouble) -> CertifiedDouble {
    match power_below(x, base) {
        Some((power, _)) => truth(power == x.high && x.low == 0.0, true),
        None => integer(log_to_base(x, base)),
    }
}
