//! The variable that counts the iterations of a loop, and variables that change with it.

use std::collections::BTreeSet;

use super::assigned::{assigned_by, assigned_in, labels_in, leaves_early, varies};
use super::number::*;
use super::shape::{Change, Induction, Shape, changes, is_at_top};
use super::walker::{Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// Names of variables that an iteration may change.
    pub fn changed(&self, shape: &Shape) -> BTreeSet<String> {
        let mut names = assigned_in(self, std::iter::once(shape.body));
        for expression in shape.condition.iter().chain(&shape.update) {
            names.extend(assigned_by(self, expression));
        }
        names
    }

    /// Finds the variable that counts a loop's iterations, and its range.
    pub fn induction(&mut self, shape: &Shape) -> Result<Option<Induction>, Problem> {
        let Some(condition) = shape.condition else {
            return Ok(None);
        };
        let changed = self.changed(shape);
        let mut names = BTreeSet::new();
        condition.walk(&mut |part| names.extend(part.name().map(String::from)));
        // Calls in the condition happen in each iteration.
        let before = self.values.clone();
        let once = std::mem::replace(&mut self.once, false);
        let found = self.induction_among(shape, condition, &names, &changed);
        self.once = once;
        if has_effects(condition) {
            self.values = before;
        }
        found
    }

    pub fn induction_among(
        &mut self,
        shape: &Shape,
        condition: &Expression,
        names: &BTreeSet<String>,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Induction>, Problem> {
        for name in names.intersection(changed) {
            let Some(first) = self.now(name) else {
                continue;
            };
            let Some(change) = self.change(shape, name, changed)? else {
                continue;
            };
            let found = self.range_of(shape, condition, name, first, change, changed)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Change of a variable in an iteration: by one statement of the body, by the update, or by the condition.
    pub fn change(
        &mut self,
        shape: &Shape,
        name: &str,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Change>, Problem> {
        // A name that the body declares is another variable there.
        if declares(shape.body, name) {
            return Ok(None);
        }
        let mut updates = Vec::new();
        for expression in shape.condition.iter().chain(&shape.update) {
            expression.walk(&mut |part| updates.extend(changes(part, name).then_some(part)));
        }
        let at_top = updates.len();
        shape
            .body
            .walk_expressions(&mut |part| updates.extend(changes(part, name).then_some(part)));
        let [update] = updates[..] else {
            return Ok(None);
        };
        if at_top == 0 && !is_at_top(shape.body, update) {
            return Ok(None);
        }
        let (operator, by) = match &update.kind {
            ExpressionKind::Update { by, .. } => {
                return Ok(Some(Change::Plus(Number::constant(i64::from(*by)))));
            }
            ExpressionKind::Assign(operator, _, value) if operator == "=" => match &value.kind {
                ExpressionKind::Binary(operator, a, b) if a.name() == Some(name) => {
                    (operator.clone(), &**b)
                }
                ExpressionKind::Binary(operator, a, b)
                    if b.name() == Some(name) && (operator == "+" || operator == "*") =>
                {
                    (operator.clone(), &**a)
                }
                _ => return Ok(None),
            },
            ExpressionKind::Assign(operator, _, value) => {
                (operator.trim_end_matches('=').to_string(), &**value)
            }
            _ => return Ok(None),
        };
        // Calls in the change belong to the loop.
        if has_effects(by) {
            return Ok(None);
        }
        let varies = varies(by, changed);
        // Calls in it are those of the body.
        let pending = std::mem::take(&mut self.pending);
        let by = self.value(by);
        self.pending = pending;
        let by = by?;
        let Some(by) = by.number.filter(|_| !varies && !by.real) else {
            return Ok(None);
        };
        let constant = by.as_constant();
        Ok(match (operator.as_str(), constant) {
            ("+", _) => Some(Change::Plus(by)),
            ("-", _) => by.scaled(-1).map(Change::Plus),
            ("*", Some(factor)) if factor >= 2 => Some(Change::Times(factor)),
            ("/", Some(factor)) if factor >= 2 => Some(Change::Over(factor)),
            ("<<", Some(bits)) if (1..62).contains(&bits) => Some(Change::Times(1 << bits)),
            (">>", Some(bits)) if (1..62).contains(&bits) => Some(Change::Over(1 << bits)),
            _ => None,
        })
    }

    /// Variables that grow by a constant in each iteration: their values in each iteration and after the loop.
    pub fn secondary(
        &mut self,
        shape: &Shape,
        induction: &Induction,
        changed: &[String],
    ) -> Result<Vec<(String, Number, Option<Number>)>, Problem> {
        let names: BTreeSet<String> = changed.iter().cloned().collect();
        let mut found = Vec::new();
        let (Some(step), Change::Plus(_)) = (induction.range.step.as_constant(), &induction.change)
        else {
            return Ok(found);
        };
        for name in changed.iter().filter(|name| **name != induction.name) {
            let first = self.values.get(name).and_then(|b| b.value.clone());
            let (Some(first), Some(Change::Plus(by))) = (first, self.change(shape, name, &names)?)
            else {
                continue;
            };
            let by = match by.as_constant() {
                Some(constant) if constant % step == 0 => Number::constant(constant / step),
                // A step of 1 or -1 divides any number.
                None if step.abs() == 1 => match by.scaled(step) {
                    Some(by) => by,
                    None => continue,
                },
                _ => continue,
            };
            let is_whole = self.values.get(name).is_some_and(|b| b.kind != Kind::Real);
            if !is_whole {
                continue;
            }
            let index = Number::symbol(induction.range.index);
            let gone = index.minus(&induction.range.first);
            let value = gone.and_then(|gone| first.plus(&gone.times(&by)?));
            let count = self.count_of(&induction.range);
            let last = count.and_then(|count| first.plus(&count.times(&by)?.scaled(step)?));
            found.extend(value.map(|value| (name.clone(), value, last)));
        }
        Ok(found)
    }

    /// Variables that may have the same value at the beginning of all iterations, because each iteration ends by giving it to
    /// them again.
    pub fn kept(
        &mut self,
        shape: &Shape,
        changed: &[String],
    ) -> Result<Vec<(String, Number)>, Problem> {
        let jumps = jumps(shape.body);
        let StatementKind::Block(list) = &shape.body.kind else {
            return Ok(Vec::new());
        };
        let names: BTreeSet<String> = changed.iter().cloned().collect();
        let mut found = Vec::new();
        for statement in list.iter().filter(|_| !jumps) {
            let StatementKind::Expression(expression) = &statement.kind else {
                continue;
            };
            let ExpressionKind::Assign(operator, place, given) = &expression.kind else {
                continue;
            };
            let Some(name) = place
                .name()
                .filter(|name| operator == "=" && self.is_plain(name))
            else {
                continue;
            };
            let now = self.now(name).filter(|_| names.contains(name));
            if let Some(now) = now
                && !varies(given, &names)
                && !has_effects(given)
                && self.value(given)?.number.as_ref() == Some(&now)
            {
                found.retain(|(other, _)| other != name);
                found.push((name.to_string(), now));
            }
        }
        Ok(found)
    }

    /// The variables to which each iteration adds the same value, with this value and the value before the loop.
    pub fn sums(&mut self, shape: &Shape) -> Result<Vec<(String, Number, Number)>, Problem> {
        let changed = self.changed(shape);
        let mut found = Vec::new();
        for name in &changed {
            let first = self.values.get(name).and_then(|b| b.value.clone());
            if let (Some(first), Some(Change::Plus(by))) =
                (first, self.change(shape, name, &changed)?)
            {
                found.push((name.clone(), first, by));
            }
        }
        Ok(found)
    }

    /// The values at the end of the iteration that was walked, of variables in which nothing stands that is told, or that only
    /// an inner loop knows.
    pub fn values_at_end(&self, shape: &Shape, induction: &Induction) -> Vec<(String, Number)> {
        if jumps(shape.body) || leaves_early(shape.body) {
            return Vec::new();
        }
        let changed = self.changed(shape).into_iter();
        let values = changed
            .filter(|name| self.is_plain(name))
            .filter_map(|name| {
                let value = self.now(&name).filter(Number::is_short)?;
                let is_told =
                    |symbol: Symbol| self.opaque.iter().any(|own| own.name == Some(symbol));
                let is_inner = |symbol: Symbol| {
                    symbol > induction.range.index
                        && self.names[symbol.0 as usize].role == Role::Index
                };
                let mut all = true;
                value.symbols(&mut |symbol| all &= !is_told(symbol) && !is_inner(symbol));
                all.then_some((name, value))
            });
        values.collect()
    }

    /// The values behind a loop of so many iterations, by those at the end of an iteration: the ones of the last iteration.
    pub fn last_values(
        &self,
        induction: &Induction,
        count: &Number,
        ended: &[(String, Number)],
    ) -> Vec<(String, Number)> {
        let index = induction.range.index;
        let Some(last) = count.plus_constant(-1).and_then(|gone| {
            induction
                .range
                .first
                .plus(&gone.times(&induction.range.step)?)
        }) else {
            return Vec::new();
        };
        let is_begun = count
            .plus_constant(-1)
            .is_some_and(|more| self.facts.nonnegative(&more));
        let values = ended.iter().filter_map(|(name, value)| {
            let value = value.with(index, &last)?;
            let value = if is_begun {
                value
            } else {
                let begins = Condition::compare(Comparison::Less, Number::default(), count.clone());
                Number::choose(begins, value, self.now(name)?)
            };
            value.is_short().then(|| (name.clone(), value))
        });
        values.collect()
    }
}

/// True if control may jump in a statement, but for the ends of its loops.
pub fn jumps(statement: &Statement) -> bool {
    let mut found = !labels_in(statement).is_empty();
    statement.walk(&mut |inner| {
        found |= matches!(inner.kind, StatementKind::Continue | StatementKind::Goto(_));
    });
    found
}

/// True if an expression calls or assigns something.
pub fn has_effects(expression: &Expression) -> bool {
    let mut found = false;
    expression.walk(&mut |part| {
        found |= matches!(
            part.kind,
            ExpressionKind::Call(..) | ExpressionKind::Assign(..) | ExpressionKind::Update { .. }
        );
    });
    found
}

/// True if a statement declares a variable of this name inside.
fn declares(statement: &Statement, name: &str) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| {
        if let StatementKind::Declaration(variables) = &inner.kind {
            found |= variables.iter().any(|variable| variable.name == name);
        }
    });
    found
}
