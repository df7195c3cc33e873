//! The two ways of a branch: ways that end the program, targets of jumps, and the known values where the ways meet.

use super::endings::{Outcome, ending};
use super::jumps::{is_label, label_of};
use super::number::*;
use super::objects::Content;
use super::part::{Part, Trips};
use super::state::Values;
use super::walker::{Flow, List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// The work on one way, with the values and the control flow after it.
pub struct Way {
    /// True if the condition holds on it.
    holds: bool,
    pub values: Values,
    pub list: List,
    pub flow: Flow,
}

impl Way {
    pub fn new(holds: bool, values: Values) -> Way {
        Way {
            holds,
            values,
            list: List::default(),
            flow: Flow::Next,
        }
    }

    pub fn part(&mut self) -> Part {
        Part::sequence(std::mem::take(&mut self.list.parts))
    }
}

/// Position, in the statements after a branch, of the label that the end of a way jumps to.
pub fn jumps_to(way: &Statement, rest: &[Statement]) -> Option<usize> {
    match &way.kind {
        StatementKind::Goto(label) => rest.iter().position(|next| is_label(next, label)),
        StatementKind::Block(list) => jumps_to(list.last()?, rest),
        _ => None,
    }
}

/// The control flow after two ways; a known condition chooses between them.
pub fn joined(known: &Option<Condition>, flow: Flow, other: Flow) -> Flow {
    match (flow, other) {
        (Flow::Leaves(a), Flow::Leaves(b)) => Flow::Leaves(match (known, a, b) {
            (Some(condition), Some(a), Some(b)) => Some(Number::choose(condition.clone(), a, b)),
            _ => None,
        }),
        (Flow::Next, Flow::Next) => Flow::Next,
        (Flow::Ends(a), Flow::Ends(b)) => Flow::Ends(a.min(b)),
        (Flow::Ends(_), flow) | (flow, Flow::Ends(_)) => flow,
        _ => Flow::Maybe,
    }
}

impl Walker<'_> {
    /// Records labels of later statements in a list; returns the number of labels known before.
    pub fn look_ahead(&mut self, rest: &[Statement]) -> usize {
        let before = self.ahead.len();
        let labels = rest.iter().filter_map(label_of).map(String::from);
        self.ahead.extend(labels);
        before
    }

    /// Walks statements on a way, from the values there.
    pub fn walk_on(
        &mut self,
        known: &Option<Condition>,
        way: &mut Way,
        statements: &[Statement],
    ) -> Result<(), Problem> {
        std::mem::swap(&mut self.values, &mut way.values);
        let flow = self.given_that(known, way.holds, |walker| {
            walker.list(statements, &mut way.list)
        });
        std::mem::swap(&mut self.values, &mut way.values);
        way.flow = flow?;
        Ok(())
    }

    /// Walks the code after a branch if only one of the ways leads there, up to the label that the other way jumps
    /// to. Returns the number of statements.
    pub fn go_on(
        &mut self,
        known: &Option<Condition>,
        ways: &mut [Way; 2],
        statements: [Option<&Statement>; 2],
        rest: &[Statement],
    ) -> Result<usize, Problem> {
        let leaves = |way: &Way| matches!(way.flow, Flow::Leaves(_));
        let targets = statements.map(|way| way.and_then(|way| jumps_to(way, rest)));
        for (at, other) in [(0, 1), (1, 0)] {
            if !leaves(&ways[at]) {
                continue;
            }
            let skipped = targets[at].unwrap_or(rest.len());
            if ways[other].flow == Flow::Next {
                self.walk_on(known, &mut ways[other], &rest[..skipped])?;
                if targets[at].is_none() {
                    return Ok(skipped);
                }
                ways[at].flow = Flow::Next;
                if !leaves(&ways[other]) {
                    return Ok(skipped);
                }
            } else if !leaves(&ways[other]) || targets[at].is_none() {
                continue;
            } else if targets[other] == targets[at] {
                ways.iter_mut().for_each(|way| way.flow = Flow::Next);
                return Ok(skipped);
            }
            // Only the jump leads to its label.
            self.walk_on(known, &mut ways[at], &rest[skipped..])?;
            return Ok(rest.len());
        }
        Ok(0)
    }

    /// The outcome if an expression ends the program. Functions of the program may have the names of library
    /// functions.
    pub fn ending(&self, expression: &Expression) -> Option<Outcome> {
        let ExpressionKind::Call(function, arguments) = &expression.kind else {
            return None;
        };
        let own = function
            .name()
            .and_then(|name| self.whole.function(name, self.function));
        let outcome = ending(expression).filter(|_| own.is_none())?;
        let status = arguments
            .first()
            .filter(|_| outcome == Outcome::Unknown)
            .and_then(|status| self.known_number(status)?.as_constant());
        Some(match status {
            Some(0) => Outcome::Success,
            Some(_) => Outcome::Failure,
            None => outcome,
        })
    }

    /// The control flow after the program ends: for a success in `main`, as after a return.
    pub fn ended(&mut self, outcome: Outcome, span: Span) -> Flow {
        let is_main = self.stack.len() == 1;
        if outcome == Outcome::Success && (!is_main || self.loops > 0) {
            let problem =
                Problem::new("the program may end here: the part that it then skips is counted");
            self.unsure(problem.at(self.place(span)));
        }
        if outcome == Outcome::Success && is_main {
            Flow::Leaves(None)
        } else {
            Flow::Ends(outcome)
        }
    }

    /// True if a way on which the program ends is omitted, given the control flow of the other way.
    pub fn is_left_out(&mut self, way: &Way, other: &Flow, span: Span) -> bool {
        let Flow::Ends(outcome) = way.flow else {
            return false;
        };
        if let Flow::Ends(other) = *other {
            return outcome == Outcome::Failure && other != Outcome::Failure;
        }
        let is_work = |part: &Part| !matches!(part, Part::Block(_));
        if outcome == Outcome::Unknown && way.list.parts.iter().any(is_work) {
            let problem = Problem::new(
                "the program may end here with success: this path is left out as an error",
            );
            let hint = "give its cost in front of the branch: #pragma pamela cost(a * n)";
            self.unsure(problem.at(self.place(span)).hint(hint));
        }
        true
    }

    /// Joins the values after two ways of a condition. A variable without a value on one way gets the value of the
    /// other: a program that reads it otherwise is undefined.
    pub fn join(&mut self, condition: &Option<Condition>, after: Values, span: Span) {
        self.join_for(condition, after, span, false);
    }

    /// Like `join`, for values that may come from outside on one way.
    pub fn join_for(
        &mut self,
        condition: &Option<Condition>,
        after: Values,
        span: Span,
        outside: bool,
    ) {
        let members = self.members_of_both(condition, &after);
        for name in after.differing(&self.values) {
            let value = |values: &Values| values.get(&name).and_then(|b| b.value.clone());
            let is_unset = |values: &Values| values.get(&name).is_some_and(|b| b.is_unset);
            let (a, b) = (value(&after), value(&self.values));
            let chosen = match (condition, a.clone(), b.clone()) {
                (Some(condition), Some(a), Some(b)) => {
                    Some(Number::choose(condition.clone(), a, b))
                }
                (_, Some(a), None) if is_unset(&self.values) => Some(a),
                (_, None, Some(b)) if is_unset(&after) => Some(b),
                _ => None,
            };
            match (chosen, a, b) {
                (Some(chosen), ..) => self.set(&name, Some(chosen)),
                (None, a, b) => {
                    self.forget_for(std::slice::from_ref(&name), span, outside);
                    if let (false, Some(a), Some(b)) = (outside, a, b) {
                        self.bound_between(&name, &a, &b);
                    }
                }
            }
        }
        for (path, number) in members {
            self.values.objects.store(&path, Some(number));
        }
    }

    /// Bounds the parameter of a value that is one of two.
    fn bound_between(&mut self, name: &str, a: &Number, b: &Number) {
        let told = self.now(name).and_then(|value| value.as_symbol());
        let is_told = |symbol: &Symbol| self.opaque.iter().any(|own| own.name == Some(*symbol));
        let Some(symbol) = told.filter(is_told).filter(|_| self.is_plain(name)) else {
            return;
        };
        let value = Number::symbol(symbol);
        let trips = Trips {
            least: a.smaller(b),
            most: a.larger(b),
        };
        if self.is_of_parameters(a) && self.is_of_parameters(b) {
            self.facts.known.extend(value.minus(&trips.least));
            self.facts.known.extend(trips.most.minus(&value));
            if self.facts.nonnegative(a) && self.facts.nonnegative(b) {
                self.facts.known.push(value.clone());
            }
        }
        self.bound(&value, Some(trips));
    }

    /// The members whose values are known on both ways, with those behind them.
    fn members_of_both(
        &self,
        condition: &Option<Condition>,
        after: &Values,
    ) -> Vec<(String, Number)> {
        let chosen = |(path, a): (&String, &Number)| {
            let Content::Value(Some(b)) = self.values.objects.get(path) else {
                return None;
            };
            let number = match condition {
                _ if *a == b => b,
                Some(condition) => Number::choose(condition.clone(), a.clone(), b),
                None => return None,
            };
            Some((path.clone(), number))
        };
        after.objects.known().filter_map(chosen).collect()
    }
}
