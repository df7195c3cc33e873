//! Intervals of doubles, rounded outwards.

use crate::ring::Rational;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const WHOLE: Interval = Interval {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    pub const ZERO: Interval = Interval::at(0.0);
    pub const ONE: Interval = Interval::at(1.0);
    const TRUTH: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    pub const fn at(value: f64) -> Interval {
        Interval {
            low: value,
            high: value,
        }
    }

    /// The doubles around a number; a single point if a double equals it.
    pub fn of(value: &Rational) -> Interval {
        let near = value.to_f64();
        if Rational::from_f64(near).as_ref() == Some(value) {
            Interval::at(near)
        } else {
            Interval::at(near).wider(1)
        }
    }

    pub fn of_truth(value: Option<bool>) -> Interval {
        match value {
            Some(true) => Interval::ONE,
            Some(false) => Interval::ZERO,
            None => Interval::TRUTH,
        }
    }

    /// Moves both ends outwards by this many doubles; the whole line if an end is NaN.
    fn wider(self, steps: usize) -> Interval {
        if self.low.is_nan() || self.high.is_nan() {
            return Interval::WHOLE;
        }
        (0..steps).fold(self, |own, _| Interval {
            low: own.low.next_down(),
            high: own.high.next_up(),
        })
    }

    pub fn plus(self, other: Interval) -> Interval {
        let (low, high) = (self.low + other.low, self.high + other.high);
        Interval { low, high }.wider(1)
    }

    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    pub fn negated(self) -> Interval {
        Interval {
            low: -self.high,
            high: -self.low,
        }
    }

    pub fn times(self, other: Interval) -> Interval {
        // No end that is infinite is attained, so that 0 times it is 0.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let all = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        Interval {
            low: all.into_iter().fold(f64::INFINITY, f64::min),
            high: all.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
        .wider(1)
    }

    /// The reciprocals; all numbers if the interval contains 0.
    pub fn reciprocal(self) -> Interval {
        if self.low > 0.0 || self.high < 0.0 {
            let (low, high) = (1.0 / self.high, 1.0 / self.low);
            return Interval { low, high }.wider(1);
        }
        match (self.low == 0.0, self.high == 0.0) {
            (true, false) => Interval {
                low: (1.0 / self.high).next_down(),
                high: f64::INFINITY,
            },
            (false, true) => Interval {
                low: f64::NEG_INFINITY,
                high: (1.0 / self.low).next_up(),
            },
            _ => Interval::WHOLE,
        }
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The intersection of two intervals that overlap.
    pub fn meet(self, other: Interval) -> Interval {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high {
            Interval { low, high }
        } else {
            self
        }
    }

    pub fn middle(self) -> f64 {
        let middle = self.low / 2.0 + self.high / 2.0;
        middle.clamp(self.low, self.high)
    }

    pub fn width(self) -> f64 {
        self.high - self.low
    }

    pub fn is_true(self) -> bool {
        self.low > 0.0
    }

    pub fn is_false(self) -> bool {
        self == Interval::ZERO
    }

    /// Applies an increasing function to each end. Its error is at most a few units of the last
    /// place.
    pub fn rising(self, function: impl Fn(f64) -> f64) -> Interval {
        let (low, high) = (function(self.low), function(self.high));
        Interval { low, high }.wider(4)
    }

    /// Raises nonnegative numbers to a positive exponent.
    pub fn root(self, exponent: f64) -> Interval {
        let found = Interval {
            low: self.low.max(0.0),
            high: self.high.max(0.0),
        };
        let found = found.rising(|x| x.powf(exponent));
        Interval {
            low: found.low.max(0.0),
            ..found
        }
    }

    pub fn whole_power(self, exponent: u32) -> Interval {
        let size = |x: f64| x.abs().powf(f64::from(exponent));
        let [low, high] = [self.low, self.high].map(size);
        let apart = self.low > 0.0 || self.high < 0.0;
        let found = if exponent.is_multiple_of(2) {
            Interval {
                low: if apart { low.min(high) } else { 0.0 },
                high: low.max(high),
            }
        } else {
            Interval {
                low: low.copysign(self.low),
                high: high.copysign(self.high),
            }
        };
        let wide = found.wider(4);
        if exponent.is_multiple_of(2) {
            Interval {
                low: wide.low.max(0.0),
                ..wide
            }
        } else {
            wide
        }
    }
}
