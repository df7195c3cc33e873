//! Prints rules.

use std::fmt;

use super::list;
use crate::syntax::tree::{ExprKind, Guard, Rule};

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.builtin { "builtin" } else { "rule" };
        writeln!(f, "{word} {} \"{}\"", self.name, self.doc)?;
        write!(f, "  {} => {}", self.left, self.right)?;
        if !self.laws.is_empty() {
            f.write_str("\n  law    ")?;
            list(f, &self.laws)?;
        }
        if !self.truths.is_empty() {
            f.write_str("\n  truth  ")?;
            list(f, &self.truths)?;
        }
        for binding in &self.lets {
            match &binding.results[..] {
                [result] if matches!(result.kind, ExprKind::Name(_)) => {
                    write!(f, "\n  let    {result}")?;
                }
                results => {
                    f.write_str("\n  let    (")?;
                    list(f, results)?;
                    f.write_str(")")?;
                }
            }
            write!(f, " = {}", binding.value)?;
        }
        for (word, guards) in [("when", &self.when), ("assume", &self.assume)] {
            if !guards.is_empty() {
                write!(f, "\n  {word:6} ")?;
                list(f, guards)?;
            }
        }
        for kept in &self.kept {
            f.write_str("\n  kept   ")?;
            list(f, &kept.guards)?;
            write!(f, " \"{}\"", kept.reason)?;
        }
        for (mode, holds) in [("repeat", self.repeat), ("last", self.last)] {
            if holds {
                write!(f, "\n  {mode}")?;
            }
        }
        if !self.examples.is_empty() {
            f.write_str("\n  example ")?;
            list(f, &self.examples)?;
        }
        Ok(())
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guard::NotIn(name, expression) => write!(f, "{name} notin {expression}"),
            Guard::Holds(condition) => condition.fmt(f),
        }
    }
}
