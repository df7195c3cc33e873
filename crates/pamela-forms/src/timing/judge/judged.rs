//! How operations change standings and signs.

use crate::timing::standing::Standing;

/// Standing of a value, and the signs of the value and of the exact value.
#[derive(Clone, Debug)]
pub(in crate::timing) struct Judged {
    pub(super) standing: Standing,
    pub(super) sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nonnegative.
    Positive,
    /// Nonpositive.
    Negative,
    Unknown,
}

impl Judged {
    pub(super) fn exact(sign: Sign) -> Judged {
        let standing = Standing::exact();
        Judged { standing, sign }
    }

    pub(super) fn negated(self) -> Judged {
        Judged {
            standing: self.standing.reversed(),
            sign: match self.sign {
                Sign::Positive => Sign::Negative,
                Sign::Negative => Sign::Positive,
                Sign::Unknown => Sign::Unknown,
            },
        }
    }

    pub(super) fn reciprocal(self) -> Judged {
        let standing = match self.sign {
            Sign::Unknown => self.standing.through_any(),
            // Only of values on one side of 0 the reciprocal falls.
            _ => self.standing.reversed(),
        };
        Judged { standing, ..self }
    }

    pub(super) fn times(self, other: Judged) -> Judged {
        use Sign::{Negative, Positive, Unknown};
        let sign = match (self.sign, other.sign) {
            (Unknown, _) | (_, Unknown) => Unknown,
            (own, other) if own == other => Positive,
            _ => Negative,
        };
        // A factor moves the product up or down with it by the sign of the other one.
        let part = |own: Standing, other: Sign| match other {
            Positive => own,
            Negative => own.reversed(),
            Unknown => own.through_any(),
        };
        let standing = part(self.standing, other.sign).join(part(other.standing, self.sign));
        Judged { standing, sign }
    }

    /// The standing of a sum, a maximum or a minimum.
    pub(super) fn with(self, other: Judged) -> Judged {
        let sign = if self.sign == other.sign {
            self.sign
        } else {
            Sign::Unknown
        };
        let standing = self.standing.join(other.standing);
        Judged { standing, sign }
    }

    pub(super) fn through_any(self) -> Judged {
        Judged {
            standing: self.standing.through_any(),
            sign: Sign::Unknown,
        }
    }

    pub(super) fn unknown() -> Judged {
        Judged {
            standing: Standing::Unknown,
            sign: Sign::Unknown,
        }
    }
}
