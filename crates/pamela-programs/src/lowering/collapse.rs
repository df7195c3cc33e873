//! Shared loops: one index over the loops that `collapse` combines.

use super::number::*;
use super::part::*;
use super::shape::{Induction, Shape};
use super::state::Facts;
use super::walker::{List, Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// The iterations of one or more loops, by one index with step 1, and the body.
    pub fn collapsed(
        &mut self,
        statement: &Statement,
        depth: usize,
    ) -> Result<(Range, Part), Problem> {
        let mut inductions = Vec::new();
        let mut statement = statement;
        let facts = self.facts.clone();
        for level in 0..depth {
            let Some(shape) = Shape::of(statement) else {
                break;
            };
            let mut list = List::default();
            if let StatementKind::For { first, .. } = &statement.kind {
                self.initialize(first, &mut list)?;
            }
            let found = self
                .induction(&shape)?
                .filter(|found| found.range.count().is_some());
            let Some(found) = found else {
                if level == 0 {
                    return self.uncounted(&shape);
                }
                break;
            };
            let rests_on = |outer: &(Induction, &Statement)| {
                let mut found_it = false;
                found
                    .range
                    .symbols(&mut |symbol| found_it |= symbol == outer.0.range.index);
                found_it
            };
            if inductions.iter().any(rests_on) {
                // Rows of different lengths: their number is no product.
                self.note("collapsed loops whose bounds use an outer index are dealt out by outer iterations");
                break;
            }
            if level + 1 < depth {
                self.set(&found.name, Some(found.value.clone()));
            }
            inductions.push((found, statement));
            let StatementKind::For { body, .. } = &statement.kind else {
                break;
            };
            statement = only(body);
        }
        let Some((last, at)) = inductions.last() else {
            return Ok((self.nothing(), Part::nothing()));
        };
        let Some(shape) = Shape::of(at) else {
            return Ok((self.nothing(), Part::nothing()));
        };
        let by_one = last.range.step.as_constant() == Some(1);
        if inductions.len() == 1 && by_one {
            let range = last.range.clone();
            let part = self.shared_iteration(&shape, last)?;
            return Ok((range, part));
        }
        self.by_one_index(&inductions, &shape, last, facts)
    }

    /// One index over all of several loops, of which the innermost runs fastest; `facts` are those in front of them.
    fn by_one_index(
        &mut self,
        inductions: &[(Induction, &Statement)],
        shape: &Shape,
        last: &Induction,
        facts: Facts,
    ) -> Result<(Range, Part), Problem> {
        let index = self.symbol("q", Role::Index);
        let mut rest = Number::symbol(index);
        let mut total = Number::constant(1);
        let mut values = Vec::new();
        let counts: Vec<Number> = inductions
            .iter()
            .filter_map(|(i, _)| self.count_of(&i.range))
            .collect();
        for (place, (induction, _)) in inductions.iter().enumerate().rev() {
            let count = &counts[place];
            // Without iterations nothing is divided, but a quotient by 0 would be undefined everywhere.
            let divisor = self.above_zero(count);
            let own = if place == 0 {
                rest.clone()
            } else {
                rest.modulo(&divisor)
            };
            rest = rest.div(&divisor);
            let value = own
                .times(&induction.range.step)
                .and_then(|way| induction.range.first.plus(&way));
            values.push((induction.range.index, value));
            total = total.times(count).unwrap_or_default();
        }
        let range = Range {
            index,
            first: Number::constant(0),
            last: total.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        };
        for (induction, _) in inductions {
            self.learn(&induction.range);
        }
        let mut part = self.shared_iteration(shape, last)?;
        self.facts.known = facts.known;
        for (symbol, value) in values {
            if let Some(value) = value {
                part = part.with(symbol, &value);
            }
        }
        Ok((range, part))
    }

    /// A number of iterations, and 1 where it may be 0.
    fn above_zero(&self, count: &Number) -> Number {
        let one = Number::constant(1);
        if count
            .minus(&one)
            .is_some_and(|less| self.facts.nonnegative(&less))
        {
            return count.clone();
        }
        match count.as_atom() {
            Some(Atom::Max(count, zero)) if zero.as_constant() == Some(0) => count.larger(&one),
            _ => count.larger(&one),
        }
    }

    fn nothing(&mut self) -> Range {
        Range {
            index: self.symbol("i", Role::Index),
            first: Number::constant(1),
            last: Number::constant(0),
            step: Number::constant(1),
        }
    }

    /// A shared loop whose iterations have to be measured.
    fn uncounted(&mut self, shape: &Shape) -> Result<(Range, Part), Problem> {
        let snippet = self.whole.snippet(self.function, shape.head());
        let what = format!("iterations of {snippet}");
        let last = self.measured(ParameterKind::Trips, shape.span, &what);
        let index = self.symbol("k", Role::Index);
        let numbering = Induction::numbered(index, last);
        let part = self.shared_iteration(shape, &numbering)?;
        Ok((numbering.range, part))
    }
}

/// The one statement of a block.
fn only(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block(list) if list.len() == 1 => only(&list[0]),
        _ => statement,
    }
}
