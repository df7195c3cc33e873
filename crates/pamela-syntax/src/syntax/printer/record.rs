//! Prints records and tables.

use std::fmt;

use super::{INDENT, heads, list};
use crate::syntax::tree::{Record, Table};

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} {{", self.name)?;
        for (number, field) in self.fields.iter().enumerate() {
            write!(f, "{}{}", if number == 0 { " " } else { ", " }, field.name)?;
            heads::write_facts(f, &field.facts)?;
        }
        f.write_str(" }")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}", self.name)?;
        if let Some(record) = &self.record {
            write!(f, " : {record}")?;
        }
        if let Some(file) = &self.file {
            return write!(f, " = \"{file}\"");
        }
        f.write_str(" {")?;
        for row in &self.rows {
            write!(f, "\n{INDENT}{}: ", row.name)?;
            list(f, &row.values)?;
        }
        f.write_str("\n}")
    }
}
