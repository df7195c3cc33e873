//! The units of columns.

use super::Plan;
use crate::pipeline::Shown;

impl Plan {
    /// As [`Compiled::declared_units`](crate::Compiled::declared_units).
    pub fn declared_units(&self) -> String {
        self.compiled.declared_units()
    }

    /// The unit in which a parameter or an equation is shown.
    pub fn unit(&self, name: &str) -> Option<Shown> {
        self.compiled.shown(name).cloned()
    }

    /// The head of a column of what is called `name`, which has its unit.
    pub(crate) fn head(&self, name: &str, column: &str) -> String {
        let has_none = ["_skewness", "_kurtosis"].iter().any(|part| {
            let of = column.strip_suffix(part);
            of == Some(name)
        });
        match self.compiled.shown(name).filter(|_| !has_none) {
            Some(shown) => shown.head(column),
            None => column.to_owned(),
        }
    }
}
