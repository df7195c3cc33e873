//! Kinds of relaxation of a form.

/// A choice of relaxations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// `x - 1 < floor(x) <= x`, `0 <= x mod m < m`.
    pub rounding: bool,
    /// The maximum is at least each operand and at most the sum of the nonnegative ones; a truth value is 0 or 1.
    pub choices: bool,
    /// The largest demand of all iterations is at most the sum of the largest ones of each.
    pub rows: bool,
    /// The largest demand is at least the mean over all resources, and at most the sum.
    pub owners: bool,
    /// The largest demand is at least the demand of one iteration.
    pub alone: bool,
    /// The largest of several amounts is at most their sum, also if it is attained at an end of a range.
    pub together: bool,
    /// An extreme is at least as extreme as either end of its range, and no value is beyond its bound.
    pub loops: bool,
}

impl Manner {
    const NOTHING: Manner = Manner {
        rounding: false,
        choices: false,
        rows: false,
        owners: false,
        alone: false,
        together: false,
        loops: false,
    };
    pub const ROUNDING: Manner = Manner {
        rounding: true,
        ..Manner::NOTHING
    };
    pub const CHOICES: Manner = Manner {
        choices: true,
        ..Manner::NOTHING
    };
    pub const ROWS: Manner = Manner {
        rows: true,
        ..Manner::NOTHING
    };
    pub const OWNERS: Manner = Manner {
        owners: true,
        ..Manner::NOTHING
    };
    pub const ALONE: Manner = Manner {
        alone: true,
        ..Manner::NOTHING
    };
    pub const TOGETHER: Manner = Manner {
        together: true,
        ..Manner::NOTHING
    };
    pub const LOOPS: Manner = Manner {
        loops: true,
        ..Manner::NOTHING
    };

    /// Both relaxations together.
    pub const fn and(self, other: Manner) -> Manner {
        Manner {
            rounding: self.rounding || other.rounding,
            choices: self.choices || other.choices,
            rows: self.rows || other.rows,
            owners: self.owners || other.owners,
            alone: self.alone || other.alone,
            together: self.together || other.together,
            loops: self.loops || other.loops,
        }
    }
}
