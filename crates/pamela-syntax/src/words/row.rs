//! A row of the table of predefined names.

use std::ops::RangeInclusive;

/// Kind of a predefined name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A function; no equation may have its name.
    Function,
    /// A function whose name a model may redefine.
    Special,
    /// A number computed from a law; a model may redefine the name.
    Moment,
    /// A function of a process; a model may redefine the name.
    Measure,
    /// A law.
    Law,
    /// A resource.
    Resource,
}

/// A predefined name.
#[derive(Clone, Debug)]
pub struct Word {
    pub name: &'static str,
    /// Allowed numbers of arguments.
    pub arguments: RangeInclusive<usize>,
    pub sort: Sort,
    /// A description in one line.
    pub says: &'static str,
    /// Names of the arguments; `..` stands for more of them. Those beyond the least number may be
    /// omitted.
    pub formals: &'static [&'static str],
    /// A call, in a model with numbers `N`, `P`, `a` and `b` and a process `main`.
    pub example: &'static str,
}

impl Word {
    /// `log(x, base)`
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.formals.join(", "))
    }
}

pub(super) const fn word(
    name: &'static str,
    arguments: RangeInclusive<usize>,
    sort: Sort,
    says: &'static str,
    formals: &'static [&'static str],
    example: &'static str,
) -> Word {
    Word {
        name,
        arguments,
        sort,
        says,
        formals,
        example,
    }
}
