//! Prints units.

use std::fmt::{self, Write};

use crate::syntax::number::number_text;
use crate::syntax::tree::{DeclaredUnit, Quantity, Unit};

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        if self.parts.first().is_none_or(|part| part.power < 0) {
            f.write_char('1')?;
        }
        for (number, part) in self.parts.iter().enumerate() {
            f.write_str(match (number, part.power < 0) {
                (_, true) => "/",
                (0, false) => "",
                (_, false) => "*",
            })?;
            part.name.fmt(f)?;
            if part.power.abs() != 1 {
                write!(f, "^{}", part.power.abs())?;
            }
        }
        f.write_char(']')
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", number_text(&self.number), self.unit)
    }
}

impl fmt::Display for DeclaredUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unit [{}]", self.name)?;
        match &self.value {
            Some(value) => write!(f, " = {value}"),
            None => Ok(()),
        }
    }
}
