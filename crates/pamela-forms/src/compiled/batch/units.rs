//! Units of columns.

use super::Plan;
use crate::expr::Sort;
use crate::pipeline::Shown;

impl Plan {
    /// Like [`Compiled::declared_units`](crate::Compiled::declared_units).
    pub fn declared_units(&self) -> String {
        self.compiled.declared_units()
    }

    /// The display unit of a parameter or an equation.
    pub fn unit(&self, name: &str) -> Option<Shown> {
        self.compiled.shown(name).cloned()
    }

    /// The display units of the number columns, in the order of [`Plan::value_names`]; `None` for
    /// base units.
    pub fn value_units(&self) -> Vec<Option<Shown>> {
        let mut units = Vec::new();
        for output in &self.outputs {
            let own = self.unit(&output.name);
            let own = own.filter(|shown| !shown.scale.is_one());
            units.push(own.clone());
            if output.sort == Sort::Law {
                let parts = self.law_columns(&output.name).skip(1).enumerate();
                // Skewness and kurtosis have none.
                let unit = |(part, _)| own.clone().filter(|_| !matches!(part, 1 | 2));
                units.extend(parts.map(unit));
            }
        }
        units
    }

    /// The heading of a column for `name`, with its unit.
    pub fn head(&self, name: &str, column: &str) -> String {
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
