//! Time in whole ticks while all times are rational, so that simultaneity is exact; otherwise in
//! doubles.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::model::Number;

/// Reason why a clock cannot represent a time.
#[derive(Clone, Debug, PartialEq)]
pub enum Escape {
    /// The tick is too long; it must also divide one over this.
    Denominator(BigInt),
    /// The time has too many ticks for a number.
    Overflow,
    /// The time is only known as a double.
    Real,
}

/// Representation of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    pub kind: Kind,
    /// Number of ticks in one unit of time.
    pub ticks: BigInt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    Short,
    Long,
    Real,
}

/// Ticks of one unit of time with more bits are not counted.
const MAX_BITS: u64 = 100;

impl Default for Clock {
    fn default() -> Clock {
        Clock {
            kind: Kind::Short,
            ticks: 1.into(),
        }
    }
}

impl Clock {
    /// The next clock, which can represent the time that this one cannot.
    pub fn after(&self, escape: Escape) -> Clock {
        let kind = match (&escape, self.kind) {
            (Escape::Real, _) | (Escape::Overflow, Kind::Long) => Kind::Real,
            (Escape::Overflow, _) => Kind::Long,
            (Escape::Denominator(_), kind) => kind,
        };
        let ticks = match escape {
            Escape::Denominator(denominator) => self.ticks.lcm(&denominator),
            _ => self.ticks.clone(),
        };
        if kind == Kind::Real || ticks.bits() > MAX_BITS {
            return Clock {
                kind: Kind::Real,
                ticks: 1.into(),
            };
        }
        Clock { kind, ticks }
    }

    /// Number of ticks in one unit of time, as a double.
    pub fn rate(&self) -> f64 {
        self.ticks.to_f64().unwrap_or(1.0)
    }

    fn of_number(&self, value: &Number) -> Result<BigInt, Escape> {
        let Number::Exact(value) = value else {
            return Err(Escape::Real);
        };
        let (parts, rest) = self.ticks.div_rem(&value.denom());
        if rest != BigInt::ZERO {
            return Err(Escape::Denominator(value.denom()));
        }
        Ok(value.numer() * parts)
    }
}

/// A nonnegative time, measured by a [`Clock`].
pub trait Time: Copy + Ord + Send {
    const ZERO: Self;

    fn plus(self, duration: Self) -> Result<Self, Escape>;

    /// The ticks since an earlier time.
    fn since(self, earlier: Self) -> Self;

    /// The time of a nonnegative value.
    fn of_number(value: &Number, clock: &Clock) -> Result<Self, Escape>;

    /// The time of a nonnegative double.
    fn of_real(value: f64) -> Result<Self, Escape>;

    /// In ticks.
    fn to_f64(self) -> f64;

    /// In ticks, exactly, where they are counted.
    fn to_exact(self) -> Option<BigInt>;

    /// The time as two numbers that a frame can store.
    fn to_slots(self) -> [i64; 2];

    fn of_slots(slots: [i64; 2]) -> Self;
}

macro_rules! ticks {
    ($kind:ty) => {
        impl Time for $kind {
            const ZERO: $kind = 0;

            fn plus(self, duration: $kind) -> Result<$kind, Escape> {
                self.checked_add(duration).ok_or(Escape::Overflow)
            }

            fn since(self, earlier: $kind) -> $kind {
                self - earlier
            }

            fn of_number(value: &Number, clock: &Clock) -> Result<$kind, Escape> {
                <$kind>::try_from(clock.of_number(value)?).map_err(|_| Escape::Overflow)
            }

            fn of_real(_: f64) -> Result<$kind, Escape> {
                Err(Escape::Real)
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn to_exact(self) -> Option<BigInt> {
                Some(self.into())
            }

            fn to_slots(self) -> [i64; 2] {
                let ticks = u128::from(self);
                [(ticks >> 64) as i64, ticks as i64]
            }

            fn of_slots([high, low]: [i64; 2]) -> $kind {
                (u128::from(high as u64) << 64 | u128::from(low as u64)) as $kind
            }
        }
    };
}

ticks!(u64);
ticks!(u128);

/// A time in doubles.
#[derive(Clone, Copy, Debug)]
pub struct Real(f64);

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Time for Real {
    const ZERO: Real = Real(0.0);

    fn plus(self, duration: Real) -> Result<Real, Escape> {
        Ok(Real(self.0 + duration.0))
    }

    fn since(self, earlier: Real) -> Real {
        Real(self.0 - earlier.0)
    }

    fn of_number(value: &Number, _: &Clock) -> Result<Real, Escape> {
        Ok(Real(value.to_f64().abs()))
    }

    fn of_real(value: f64) -> Result<Real, Escape> {
        Ok(Real(value.abs()))
    }

    fn to_f64(self) -> f64 {
        self.0
    }

    fn to_exact(self) -> Option<BigInt> {
        None
    }

    fn to_slots(self) -> [i64; 2] {
        [self.0.to_bits() as i64, 0]
    }

    fn of_slots([bits, _]: [i64; 2]) -> Real {
        Real(f64::from_bits(bits as u64))
    }
}

/// The time of a number of ticks.
pub fn exact(ticks: BigInt, clock: &Clock) -> BigRational {
    BigRational::new(ticks, clock.ticks.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse::<BigRational>().expect("a fraction").into()
    }

    #[test]
    fn a_clock_becomes_finer_longer_and_at_last_real() {
        let clock = Clock::default();
        let escape = u64::of_number(&number("1/6"), &clock);
        assert_eq!(escape, Err(Escape::Denominator(6.into())));
        let clock = clock.after(Escape::Denominator(6.into()));
        let clock = clock.after(Escape::Denominator(4.into()));
        assert_eq!(clock.ticks, 12.into());
        assert_eq!(u64::of_number(&number("7/6"), &clock), Ok(14));
        assert_eq!(u64::MAX.plus(1), Err(Escape::Overflow));
        let long = clock.after(Escape::Overflow);
        assert_eq!((long.kind, &long.ticks), (Kind::Long, &12.into()));
        assert_eq!(long.after(Escape::Overflow).kind, Kind::Real);
        let fine = Escape::Denominator(BigInt::from(3).pow(70));
        assert_eq!(clock.after(fine).kind, Kind::Real);
        assert_eq!(
            u64::of_number(&Number::double(0.5), &clock),
            Err(Escape::Real)
        );
    }
}
