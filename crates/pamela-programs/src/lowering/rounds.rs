//! Loops whose iterations all make the same polynomial changes: `while (a < b * b) { a = 5 * a + c; b = 2 * b; }`. All values
//! after j iterations are solved, and so is the number of iterations: the first at which the condition fails, searched for
//! up to one from which on no comparison in it changes.

use std::collections::{BTreeMap, BTreeSet};

use super::assigned::{assigned_by, assigned_in, labels_in, leaves_early, varies};
use super::cycles::{Cycle, Ended, Open, first};
use super::growth::Limit;
use super::induction::has_effects;
use super::number::*;
use super::sequences::{Sequence, polynomial, solved_polynomials};
use super::shape::Shape;
use super::state::Facts;
use super::walker::{Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// Iterations that are taken together: values that go round come back in a few of them, and a base below 0 has a square.
const MOST_TOGETHER: usize = 4;
/// Names in a number of iterations, or in a value behind a loop.
const MOST_NAMES: usize = 96;

/// One iteration: the values after it, in symbols of those before it.
struct Round {
    symbols: BTreeMap<String, Symbol>,
    next: BTreeMap<Symbol, Number>,
    /// The values before the loop.
    first: BTreeMap<Symbol, Number>,
    condition: Option<Condition>,
}

/// Evaluates one iteration.
struct Evaluator<'w, 'a> {
    walker: &'w mut Walker<'a>,
    changed: BTreeSet<String>,
    /// The variables that only assignments to their names change; nothing where the value is not known.
    values: BTreeMap<String, Option<Number>>,
    /// What the declarations of the surrounding blocks hide.
    hidden: Vec<(String, Option<Option<Number>>)>,
    problem: Option<Problem>,
}

impl Evaluator<'_, '_> {
    /// False where control may go elsewhere.
    fn statement(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Block(list) => {
                let around = self.hidden.len();
                let all = list.iter().all(|inner| self.statement(inner));
                for (name, value) in self.hidden.split_off(around).into_iter().rev() {
                    match value {
                        Some(value) => self.values.insert(name, value),
                        None => self.values.remove(&name),
                    };
                }
                all
            }
            StatementKind::Expression(expression) => {
                self.value(expression);
                true
            }
            StatementKind::Declaration(variables) => {
                for variable in variables {
                    let value = variable.value.as_ref().and_then(|value| self.value(value));
                    let name = &variable.name;
                    let is_plain = is_wide(variable.kind)
                        && !variable.is_static
                        && !variable.is_volatile
                        && !self.walker.whole.is_addressed(self.walker.function, name);
                    let before = self.values.insert(name.clone(), value.filter(|_| is_plain));
                    self.hidden.push((name.clone(), before));
                    self.changed.insert(name.clone());
                }
                true
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(condition);
                let before = self.values.clone();
                let mut all = self.statement(then);
                let after = std::mem::replace(&mut self.values, before);
                all &= otherwise.as_ref().is_none_or(|other| self.statement(other));
                for (name, value) in &mut self.values {
                    // Both ways give it this value.
                    *value = value
                        .take()
                        .filter(|own| after.get(name) == Some(&Some(own.clone())));
                }
                all
            }
            StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. } => {
                for name in assigned_in(self.walker, std::iter::once(statement)) {
                    self.forget(&name);
                }
                !leaves_through(statement)
            }
            StatementKind::Empty => true,
            _ => false,
        }
    }

    fn forget(&mut self, name: &str) {
        if let Some(value) = self.values.get_mut(name) {
            *value = None;
        }
    }

    fn value(&mut self, expression: &Expression) -> Option<Number> {
        if !varies(expression, &self.changed) && !has_effects(expression) {
            return match self.walker.value(expression) {
                Ok(value) => {
                    let is_whole = !value.real && !value.wraps;
                    value.number.filter(|number| is_whole && number.is_short())
                }
                Err(problem) => {
                    self.problem = Some(problem);
                    None
                }
            };
        }
        match &expression.kind {
            ExpressionKind::Name(name) => self.values.get(name)?.clone(),
            ExpressionKind::Unary(operator, inner) if operator == "-" => {
                self.value(inner)?.scaled(-1)
            }
            ExpressionKind::Update { by, after, place } => {
                let before = self.value(place);
                let next = before.as_ref();
                let next = next.and_then(|value| value.plus_constant(i64::from(*by)));
                self.set(place, next.clone());
                if *after { before } else { next }
            }
            ExpressionKind::Assign(operator, place, given) => {
                let value = self.value(given);
                let before = self.value(place);
                let value = match operator.strip_suffix('=') {
                    Some("") => value,
                    Some(operator) => {
                        let both = before.zip(value);
                        both.and_then(|(a, b)| calculated(operator, &a, &b))
                    }
                    None => None,
                };
                self.set(place, value.clone());
                value
            }
            ExpressionKind::Binary(operator, a, b) if operator != "&&" && operator != "||" => {
                let (a, b) = (self.value(a), self.value(b));
                calculated(operator, &a?, &b?)
            }
            ExpressionKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExpressionKind::Cast(kind, inner) if is_wide(*kind) => self.value(inner),
            _ => {
                for name in assigned_by(self.walker, expression) {
                    self.forget(&name);
                }
                None
            }
        }
    }

    fn set(&mut self, place: &Expression, value: Option<Number>) {
        match place.name() {
            Some(name) => {
                if let Some(own) = self.values.get_mut(name) {
                    *own = value;
                }
            }
            None => {
                for part in place.parts() {
                    self.value(part);
                }
            }
        }
    }

    fn condition(&mut self, condition: &Expression) -> Option<Condition> {
        if has_effects(condition) {
            return None;
        }
        match &condition.kind {
            ExpressionKind::Binary(operator, a, b) => {
                let comparison = match operator.as_str() {
                    "&&" => return Some(self.condition(a)?.and(self.condition(b)?)),
                    "||" => return Some(self.condition(a)?.or(self.condition(b)?)),
                    "<" | ">" => Comparison::Less,
                    "<=" | ">=" => Comparison::LessEqual,
                    "==" => Comparison::Equal,
                    "!=" => Comparison::NotEqual,
                    _ => {
                        let value = self.value(condition)?;
                        return Some(Condition::compare(
                            Comparison::NotEqual,
                            value,
                            Number::default(),
                        ));
                    }
                };
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(if operator.starts_with('>') {
                    Condition::compare(comparison, b, a)
                } else {
                    Condition::compare(comparison, a, b)
                })
            }
            ExpressionKind::Unary(operator, inner) if operator == "!" => {
                Some(self.condition(inner)?.negated())
            }
            _ => {
                let value = self.value(condition)?;
                Some(Condition::compare(
                    Comparison::NotEqual,
                    value,
                    Number::default(),
                ))
            }
        }
    }
}

/// An integer with a sign that is no narrower than `int`.
fn is_wide(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Integer {
            signed: true,
            bits: 32..
        }
    )
}

fn calculated(operator: &str, a: &Number, b: &Number) -> Option<Number> {
    match operator {
        "+" => a.plus(b),
        "-" => a.minus(b),
        "*" => a.times(b),
        _ => None,
    }
}

/// True if control may leave a loop in the body for a place outside of it.
fn leaves_through(statement: &Statement) -> bool {
    let mut found = !labels_in(statement).is_empty();
    statement.walk(&mut |inner| {
        found |= matches!(
            inner.kind,
            StatementKind::Return(_) | StatementKind::Goto(_)
        );
    });
    found
}

impl Walker<'_> {
    /// The number of iterations of a loop of polynomial changes, with the assumption that it ends; nothing where there is none.
    ///
    /// # Errors
    /// Fails if the program is too large.
    pub fn solved(
        &mut self,
        shape: &Shape,
        most: Option<&Number>,
    ) -> Result<Option<Number>, Problem> {
        let Some(round) = self.round(shape)? else {
            return Ok(None);
        };
        let facts = self.facts.clone();
        let found = (1..=MOST_TOGETHER).find_map(|together| {
            let index = self.symbol("k", Role::Bound);
            round.count(&facts, together, index, most)
        });
        let Some(found) = found else {
            return Ok(None);
        };
        if let Some(ends) = found.ends {
            if self.assume_nonnegative(&ends).is_none() {
                return Ok(None);
            }
            self.ends.insert(ends);
        }
        Ok(Some(found.count))
    }

    /// The values behind a loop after so many iterations, of those that are solved and short.
    ///
    /// # Errors
    /// Fails if the program is too large.
    pub fn solved_values(
        &mut self,
        shape: &Shape,
        count: &Number,
    ) -> Result<Vec<(String, Number)>, Problem> {
        let Some(round) = self.round(shape)? else {
            return Ok(Vec::new());
        };
        let all: Vec<Cycle> = (1..=MOST_TOGETHER).map(|n| round.cycle(n)).collect();
        let names = round.symbols.keys();
        let values = names.filter_map(|name| {
            let value = all.iter().find_map(|cycle| cycle.value(name, count))?;
            (value.names() <= MOST_NAMES).then(|| (name.clone(), value))
        });
        Ok(values.collect())
    }

    fn round(&mut self, shape: &Shape) -> Result<Option<Round>, Problem> {
        if !shape.tests_first || leaves_early(shape.body) {
            return Ok(None);
        }
        let mut changed = self.changed(shape);
        changed.retain(|name| !name.starts_with("->"));
        let names: Vec<&String> = changed.iter().filter(|name| self.is_plain(name)).collect();
        let symbols: BTreeMap<String, Symbol> = names
            .into_iter()
            .map(|name| (name.clone(), self.symbol(name, Role::Index)))
            .collect();
        let first = symbols
            .iter()
            .filter_map(|(name, symbol)| Some((*symbol, self.now(name).filter(Number::is_short)?)));
        let first = first.collect();
        let (facts, assumed) = (self.facts.clone(), self.assumptions.len());
        let pending = std::mem::take(&mut self.pending);
        let own = symbols.iter();
        let values = own.map(|(name, symbol)| (name.clone(), Some(Number::symbol(*symbol))));
        let mut evaluator = Evaluator {
            changed: self.changed(shape),
            values: values.collect(),
            hidden: Vec::new(),
            problem: None,
            walker: self,
        };
        let condition = shape
            .condition
            .and_then(|condition| evaluator.condition(condition));
        let is_straight = evaluator.statement(shape.body);
        if let Some(update) = shape.update {
            evaluator.value(update);
        }
        let (values, problem) = (evaluator.values, evaluator.problem);
        self.pending = pending;
        self.assumptions.truncate(assumed);
        self.facts = facts;
        if let Some(problem) = problem {
            return Err(problem);
        }
        let next = values
            .into_iter()
            .filter_map(|(name, value)| Some((*symbols.get(&name)?, value?)));
        Ok(is_straight.then_some(Round {
            next: next.collect(),
            first,
            condition,
            symbols,
        }))
    }
}

impl Round {
    /// False for a variable of the loop.
    fn is_known(&self, symbol: Symbol) -> bool {
        !self.symbols.values().any(|own| *own == symbol)
    }

    fn sequence(&self, number: &Number, values: &BTreeMap<Symbol, Sequence>) -> Option<Sequence> {
        polynomial(number, values, &|symbol| self.is_known(symbol))
    }

    /// The values after an iteration in which they begin with these.
    fn after(&self, values: &BTreeMap<Symbol, Number>) -> BTreeMap<Symbol, Number> {
        let begin = values.iter();
        let begin = begin.map(|(symbol, value)| (*symbol, Sequence::constant(value.clone())));
        let begin: BTreeMap<Symbol, Sequence> = begin.collect();
        let next = self.next.iter().filter_map(|(symbol, value)| {
            let value = self.sequence(value, &begin)?.at(&Number::default())?;
            Some((*symbol, value))
        });
        next.collect()
    }

    /// The values before the first, second, .. iteration of each group of so many.
    fn sequences(&self, together: usize) -> Vec<BTreeMap<Symbol, Sequence>> {
        let mut next = self.next.clone();
        for _ in 1..together {
            next = self.after(&next);
        }
        let mut begin = self.first.clone();
        let mut found = Vec::new();
        for _ in 0..together {
            found.push(solved_polynomials(&next, &begin, &|symbol| {
                self.is_known(symbol)
            }));
            begin = self.after(&begin);
        }
        found
    }

    /// The iterations in groups of so many.
    fn cycle(&self, together: usize) -> Cycle {
        let by_name = |found: BTreeMap<Symbol, Sequence>| {
            let own = self.symbols.iter();
            own.filter_map(|(name, symbol)| Some((name.clone(), found.get(symbol)?.clone())))
                .collect()
        };
        let all = self.sequences(together).into_iter().map(by_name);
        Cycle::from(all.collect())
    }

    fn count(
        &self,
        facts: &Facts,
        together: usize,
        index: Symbol,
        most: Option<&Number>,
    ) -> Option<Ended> {
        let condition = self.condition.as_ref()?;
        let mut guards = Vec::new();
        conjuncts(condition, &mut guards);
        let groups = self.sequences(together);
        let open = groups.iter().map(|values| {
            let (holds, settles) = self.compared(condition, values, facts, index)?;
            Some(Open {
                index,
                holds,
                settles,
                kept: guards
                    .iter()
                    .map(|guard| self.kept(guard, values))
                    .collect(),
            })
        });
        let found = first(&open.collect::<Option<Vec<Open>>>()?, facts, most);
        // A loop that never ends once it begins is not one that never begins.
        let is_counted = |found: &Ended| found.count != Number::default() || found.ends.is_none();
        found.filter(|found| is_counted(found) && found.count.names() <= MOST_NAMES)
    }

    /// A condition in the number of the iteration, and from which one on it does not change.
    fn compared(
        &self,
        condition: &Condition,
        values: &BTreeMap<Symbol, Sequence>,
        facts: &Facts,
        index: Symbol,
    ) -> Option<(Condition, Limit)> {
        let inner = |condition: &Condition| self.compared(condition, values, facts, index);
        let both = |a: &Condition, b: &Condition, join: fn(Condition, Condition) -> Condition| {
            let ((a, settles), (b, limit)) = (inner(a)?, inner(b)?);
            Some((join(a, b), settles.and(&limit, facts)?))
        };
        match condition {
            Condition::Constant(_) => Some((condition.clone(), Limit::at(1))),
            Condition::Compare(comparison, a, b) => {
                let more = self.sequence(&b.minus(a)?, values)?;
                let holds = more.compared(*comparison, &Number::symbol(index))?;
                Some((holds, more.settles(facts)?))
            }
            Condition::Not(a) => {
                let (holds, settles) = inner(a)?;
                Some((holds.negated(), settles))
            }
            Condition::And(a, b) => both(a, b, Condition::and),
            Condition::Or(a, b) => both(a, b, Condition::or),
            Condition::Share(_) => None,
        }
    }

    /// A value that is at least 0 where a guard holds, and below where it fails.
    fn kept(&self, guard: &Condition, values: &BTreeMap<Symbol, Sequence>) -> Option<Sequence> {
        let Condition::Compare(comparison, a, b) = guard else {
            return None;
        };
        let more = match comparison {
            Comparison::Less => b.minus(a)?.plus_constant(-1)?,
            Comparison::LessEqual => b.minus(a)?,
            _ => return None,
        };
        self.sequence(&more, values)
    }
}

/// The parts of a condition that all hold where it does.
fn conjuncts<'c>(condition: &'c Condition, found: &mut Vec<&'c Condition>) {
    match condition {
        Condition::And(a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        other => found.push(other),
    }
}
