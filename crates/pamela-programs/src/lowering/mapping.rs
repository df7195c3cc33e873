//! Loops of data-parallel programs: the processor that owns the result of an iteration executes it.

use super::number::*;
use super::part::*;
use super::shape::Shape;
use super::walker::{List, Walker};
use crate::problem::Problem;
use crate::source::Pragma;
use crate::source::tree::*;

impl Walker<'_> {
    /// `#pragma pamela map(cyclic)`, `map(block)`, the owner of an iteration, `map(j div B)`, or `map(all)`: all
    /// iterations at once, with the owners in pragmas in the body.
    pub fn mapped(&mut self, statement: &Statement, pragma: &Pragma) -> Result<Part, Problem> {
        let wrong = |message: &str| {
            Problem::new(message).at(pragma.place.clone()).hint(
                "for example #pragma pamela map(cyclic), map(block), map(j div B), or map(all), in front of a for loop",
            )
        };
        let StatementKind::For { first, .. } = &statement.kind else {
            return Err(wrong("`map` stands in front of a `for` loop"));
        };
        let before = self.values.clone();
        self.values.open();
        let walked = self.owned(statement, first, pragma);
        self.values.close();
        self.forget(&before.differing(&self.values), statement.span);
        match walked? {
            Some(part) => Ok(part),
            None => Err(wrong(
                "`map` needs a loop from one known bound to another, by 1",
            )),
        }
    }

    /// The loop, where its range is known and its step is 1.
    fn owned(
        &mut self,
        statement: &Statement,
        first: &Statement,
        pragma: &Pragma,
    ) -> Result<Option<Part>, Problem> {
        let Some(shape) = Shape::of(statement) else {
            return Ok(None);
        };
        self.initialize(first, &mut List::default())?;
        let found = self
            .induction(&shape)?
            .filter(|found| found.guard.is_none() && found.range.step.as_constant() == Some(1));
        let Some(found) = found else {
            return Ok(None);
        };
        let body = self.shared_iteration(&shape, &found)?;
        let range = found.range;
        let owner = match pragma.argument("map") {
            Some("all") => None,
            _ => Some(self.owner(&found.name, &range, pragma)?),
        };
        Ok(Some(if body.is_nothing() {
            body
        } else {
            Part::Mapped(Box::new(Mapped { range, owner, body }))
        }))
    }

    /// The processor that does an iteration.
    fn owner(&mut self, name: &str, range: &Range, pragma: &Pragma) -> Result<Number, Problem> {
        let index = Number::symbol(range.index);
        match pragma.argument("map") {
            Some("cyclic") => {
                let processors = self.default_threads();
                Ok(index.modulo(&processors))
            }
            Some("block") => {
                let processors = self.default_threads();
                let from = index.minus(&range.first).unwrap_or(index);
                // Without iterations, nobody asks for the owner.
                let last = range.last.minus(&range.first);
                let count = last
                    .and_then(|last| last.plus_constant(1))
                    .unwrap_or_default();
                let share = Number::atom(Atom::Quotient(count, processors));
                let block = Number::atom(Atom::Function("ceil", vec![share]));
                Ok(from.div(&block))
            }
            _ => {
                self.values.open();
                let kind = Kind::INT;
                self.values.declare(name, kind, Some(index));
                let owner = self.written(pragma, "map");
                self.values.close();
                owner
            }
        }
    }
}
