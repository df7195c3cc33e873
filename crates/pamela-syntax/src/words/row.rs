//! A row of the table of predefined names.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use pamela_law::Row;

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
    pub formals: Cow<'static, [&'static str]>,
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
        formals: Cow::Borrowed(formals),
        example,
    }
}

impl From<&'static Row> for Word {
    fn from(law: &'static Row) -> Word {
        let formals: Vec<&str> = law.arguments.iter().map(|own| own.name).collect();
        Word {
            name: law.name,
            arguments: formals.len()..=formals.len(),
            sort: Sort::Law,
            says: law.says,
            formals: formals.into(),
            example: law.example,
        }
    }
}
