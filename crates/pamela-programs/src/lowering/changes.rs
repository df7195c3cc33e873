//! Linear forms of the variables of a loop, and how much an iteration changes them.

use std::collections::{BTreeMap, BTreeSet};

use super::assigned::{labels_in, varies};
use super::induction::has_effects;
use super::number::Number;
use super::shape::Shape;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

/// `coefficients * variables + rest`, for variables that the loop changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    pub variables: BTreeMap<String, i64>,
    pub rest: Number,
}

impl Form {
    pub fn plus(mut self, other: &Form, sign: i64) -> Option<Form> {
        for (name, coefficient) in &other.variables {
            let sum = self.variables.entry(name.clone()).or_default();
            *sum = sum.checked_add(coefficient.checked_mul(sign)?)?;
        }
        self.variables.retain(|_, coefficient| *coefficient != 0);
        self.rest = self.rest.plus(&other.rest.scaled(sign)?)?;
        Some(self)
    }

    fn scaled(&self, factor: i64) -> Option<Form> {
        Form::default().plus(self, factor)
    }
}

/// The least and the greatest change, if they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    pub least: Option<i64>,
    pub most: Option<i64>,
}

impl Change {
    const NONE: Change = Change::by(0);
    const ANY: Change = Change {
        least: None,
        most: None,
    };

    const fn by(amount: i64) -> Change {
        Change {
            least: Some(amount),
            most: Some(amount),
        }
    }

    fn then(self, other: Change) -> Change {
        let sum = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Change {
            least: sum(self.least, other.least),
            most: sum(self.most, other.most),
        }
    }

    fn or(self, other: Change) -> Change {
        let least = self.least.zip(other.least).map(|(a, b)| a.min(b));
        Change {
            least,
            most: self.most.zip(other.most).map(|(a, b)| a.max(b)),
        }
    }

    fn scaled(self, factor: i64) -> Change {
        let by = |end: Option<i64>| end?.checked_mul(factor);
        match factor {
            0 => Change::NONE,
            1.. => Change {
                least: by(self.least),
                most: by(self.most),
            },
            _ => Change {
                least: by(self.most),
                most: by(self.least),
            },
        }
    }

    /// Any number of times, also never.
    fn repeated(self) -> Change {
        Change {
            least: self.least.filter(|least| *least >= 0).map(|_| 0),
            most: self.most.filter(|most| *most <= 0).map(|_| 0),
        }
    }
}

/// Changes on the ways through a statement, by where they lead; none where no way leads there.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    on: Option<Change>,
    continues: Option<Change>,
    breaks: Option<Change>,
}

fn either(a: Option<Change>, b: Option<Change>) -> Option<Change> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (a, b) => a.or(b),
    }
}

impl Ways {
    fn on(change: Change) -> Ways {
        Ways {
            on: Some(change),
            ..Ways::default()
        }
    }

    fn then(self, next: impl FnOnce() -> Option<Ways>) -> Option<Ways> {
        let Some(before) = self.on else {
            return Some(self);
        };
        let next = next()?;
        let after = |change: Option<Change>| change.map(|change| before.then(change));
        Some(Ways {
            on: after(next.on),
            continues: either(self.continues, after(next.continues)),
            breaks: either(self.breaks, after(next.breaks)),
        })
    }

    fn or(self, other: Ways) -> Ways {
        Ways {
            on: either(self.on, other.on),
            continues: either(self.continues, other.continues),
            breaks: either(self.breaks, other.breaks),
        }
    }
}

impl Walker<'_> {
    /// An expression as a form; nothing if it is none.
    pub fn form(
        &mut self,
        expression: &Expression,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Form>, Problem> {
        if !varies(expression, changed) {
            if has_effects(expression) {
                return Ok(None);
            }
            let value = self.value(expression)?;
            let number = value.number.filter(|_| !value.real);
            return Ok(number.map(|rest| Form {
                rest,
                ..Form::default()
            }));
        }
        let both = |walker: &mut Self, a, b, sign| {
            let (a, b) = (walker.form(a, changed)?, walker.form(b, changed)?);
            Ok::<Option<Form>, Problem>(a.zip(b).and_then(|(a, b): (Form, Form)| a.plus(&b, sign)))
        };
        match &expression.kind {
            ExpressionKind::Name(name) => Ok(Some(Form {
                variables: BTreeMap::from([(name.clone(), 1)]),
                rest: Number::default(),
            })),
            ExpressionKind::Unary(operator, inner) if operator == "-" => {
                Ok(self.form(inner, changed)?.and_then(|form| form.scaled(-1)))
            }
            ExpressionKind::Binary(operator, a, b) => match operator.as_str() {
                "+" => both(self, a, b, 1),
                "-" => both(self, a, b, -1),
                "*" => {
                    let (a, b) = (self.form(a, changed)?, self.form(b, changed)?);
                    Ok(a.zip(b).and_then(|(a, b)| {
                        let constant = |form: &Form| {
                            form.rest
                                .as_constant()
                                .filter(|_| form.variables.is_empty())
                        };
                        match (constant(&a), constant(&b)) {
                            (Some(factor), _) => b.scaled(factor),
                            (_, Some(factor)) => a.scaled(factor),
                            _ => None,
                        }
                    }))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The change of a form in an iteration that another one may follow.
    pub fn change_of(
        &mut self,
        form: &Form,
        shape: &Shape,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Change>, Problem> {
        let mut change = Changes {
            walker: self,
            form,
            changed,
            labels: labels_in(shape.body),
            problem: None,
        };
        // What the condition changes it may change before or after it is tested.
        let asked = shape
            .condition
            .map(|condition| change.expression(condition));
        let body = change.statement(shape.body);
        let update = shape.update.map(|update| change.expression(update));
        if let Some(problem) = change.problem {
            return Err(problem);
        }
        if asked.is_some_and(|asked| asked != Change::NONE) {
            return Ok(None);
        }
        let all = body.and_then(|ways| either(ways.on, ways.continues));
        Ok(all.map(|all| all.then(update.unwrap_or(Change::NONE))))
    }
}

/// Finds the changes of a form.
struct Changes<'w, 'a> {
    walker: &'w mut Walker<'a>,
    form: &'w Form,
    changed: &'w BTreeSet<String>,
    /// The labels inside the loop.
    labels: BTreeSet<String>,
    problem: Option<Problem>,
}

impl Changes<'_, '_> {
    /// None where it is not known where control goes on.
    fn statement(&mut self, statement: &Statement) -> Option<Ways> {
        match &statement.kind {
            StatementKind::Block(list) => list
                .iter()
                .try_fold(Ways::on(Change::NONE), |ways, statement| {
                    ways.then(|| self.statement(statement))
                }),
            StatementKind::Expression(expression) => Some(Ways::on(self.expression(expression))),
            StatementKind::Declaration(variables) => {
                if variables
                    .iter()
                    .any(|own| self.form.variables.contains_key(&own.name))
                {
                    return None;
                }
                let values = variables.iter().filter_map(|own| own.value.as_ref());
                Some(Ways::on(
                    values.fold(Change::NONE, |sum, e| sum.then(self.expression(e))),
                ))
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let then = self.statement(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.statement(otherwise)?,
                    None => Ways::on(Change::NONE),
                };
                Ways::on(self.expression(condition)).then(|| Some(then.or(otherwise)))
            }
            StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. } => {
                let shape = Shape::of(statement)?;
                let first = match &statement.kind {
                    StatementKind::For { first, .. } => self.statement(first)?,
                    _ => Ways::on(Change::NONE),
                };
                let body = self.statement(shape.body)?;
                let around = shape.condition.iter().chain(&shape.update);
                let around = around.fold(Change::NONE, |sum, e| sum.then(self.expression(e)));
                // The condition is asked once more than the body runs.
                let one = either(body.on, body.continues)
                    .unwrap_or(Change::NONE)
                    .then(around);
                let rounds = one.repeated().then(around.repeated());
                let all = body
                    .breaks
                    .map_or(rounds, |breaks| rounds.then(breaks.or(Change::NONE)));
                first.then(|| Some(Ways::on(all)))
            }
            StatementKind::Break => Some(Ways {
                breaks: Some(Change::NONE),
                ..Ways::default()
            }),
            StatementKind::Continue => Some(Ways {
                continues: Some(Change::NONE),
                ..Ways::default()
            }),
            StatementKind::Return(_) => Some(Ways::default()),
            StatementKind::Goto(label) if !self.labels.contains(label) => Some(Ways::default()),
            StatementKind::Empty => Some(Ways::on(Change::NONE)),
            StatementKind::Switch { .. }
            | StatementKind::Goto(_)
            | StatementKind::Label(_)
            | StatementKind::Broken => None,
        }
    }

    /// The change by the assignments of an expression, of which some may not be made.
    fn expression(&mut self, expression: &Expression) -> Change {
        let own = match &expression.kind {
            ExpressionKind::Update { by, place, .. } => {
                self.assigned(place, Change::by(i64::from(*by)))
            }
            ExpressionKind::Assign(operator, place, value) => {
                let change = self.change_by(operator, place, value);
                self.assigned(place, change)
            }
            _ => Change::NONE,
        };
        let parts = expression.parts();
        let is_choice = match &expression.kind {
            ExpressionKind::Conditional(..) => true,
            ExpressionKind::Binary(operator, ..) => operator == "&&" || operator == "||",
            _ => false,
        };
        parts.iter().enumerate().fold(own, |sum, (at, part)| {
            let change = self.expression(part);
            sum.then(if is_choice && at > 0 {
                change.or(Change::NONE)
            } else {
                change
            })
        })
    }

    /// The change of the form, if a variable changes like this.
    fn assigned(&self, place: &Expression, change: Change) -> Change {
        let coefficient = place.name().and_then(|name| self.form.variables.get(name));
        coefficient.map_or(Change::NONE, |coefficient| change.scaled(*coefficient))
    }

    fn change_by(&mut self, operator: &str, place: &Expression, value: &Expression) -> Change {
        let Some(name) = place
            .name()
            .filter(|name| self.form.variables.contains_key(*name))
        else {
            return Change::ANY;
        };
        let found = match self.walker.form(value, self.changed) {
            Ok(found) => found,
            Err(problem) => {
                self.problem = Some(problem);
                return Change::ANY;
            }
        };
        let old = Form {
            variables: BTreeMap::from([(name.to_string(), 1)]),
            rest: Number::default(),
        };
        let change = found.and_then(|form| match operator {
            "=" => form.plus(&old, -1),
            "+=" => Some(form),
            "-=" => form.scaled(-1),
            _ => None,
        });
        match change {
            Some(Form { variables, rest }) if variables.is_empty() => self.signed(&rest),
            _ => Change::ANY,
        }
    }

    fn signed(&self, rest: &Number) -> Change {
        if let Some(constant) = rest.as_constant() {
            return Change::by(constant);
        }
        let facts = &self.walker.facts;
        let at_least = |value: i64| {
            rest.plus_constant(-value)
                .is_some_and(|more| facts.nonnegative(&more))
        };
        let at_most = |value: i64| {
            let less = rest.scaled(-1).and_then(|less| less.plus_constant(value));
            less.is_some_and(|less| facts.nonnegative(&less))
        };
        Change {
            least: [1, 0].into_iter().find(|value| at_least(*value)),
            most: [-1, 0].into_iter().find(|value| at_most(*value)),
        }
    }
}
