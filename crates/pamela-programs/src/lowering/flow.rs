//! A nest of loops as a graph: its loops, and the ways from one to the next with their conditions and what they assign, as
//! linear forms in the variables at the beginning of the way.

use std::collections::{BTreeMap, BTreeSet};

use super::assigned::{assigned_by, labels_in};
use super::changes::Form;
use super::choices::{Choice, Place};
use super::graph::{Flow, MOST_WAYS, Way, compared, variable};
use super::induction::has_effects;
use super::operations::calculated;
use super::shape::Shape;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

/// Steps of building a graph before it counts as too large.
const MOST_STEPS: usize = 2_000;
/// Branches and loops on one way.
const DEEPEST: usize = 48;

/// What comes next on a way.
#[derive(Clone)]
enum Next<'e> {
    Statements(&'e [Statement]),
    /// A loop begins.
    Enter(&'e Statement),
    /// An iteration ends.
    Again(&'e Statement),
}

struct Builder<'w, 'a> {
    walker: &'w mut Walker<'a>,
    changed: BTreeSet<String>,
    /// Whole variables that only assignments to their names change.
    tracked: BTreeSet<String>,
    /// The labels inside.
    labels: BTreeSet<String>,
    flow: Flow,
    steps: usize,
    depth: usize,
    problem: Option<Problem>,
}

impl Walker<'_> {
    /// The graph of a loop with the loops inside of it; nothing where jumps or too many ways are in it. The walk goes on from here.
    pub fn flow(&mut self, statement: &Statement) -> Result<Option<Flow>, Problem> {
        let (facts, assumed) = (self.facts.clone(), self.assumptions.len());
        let pending = std::mem::take(&mut self.pending);
        let flow = self.flow_of(statement);
        self.pending = pending;
        self.assumptions.truncate(assumed);
        self.facts = facts;
        flow
    }

    fn flow_of(&mut self, statement: &Statement) -> Result<Option<Flow>, Problem> {
        let Some(shape) = Shape::of(statement) else {
            return Ok(None);
        };
        let mut changed = self.changed(&shape);
        let is_tracked = |name: &&String| self.is_plain(name);
        let mut tracked: BTreeSet<String> = changed.iter().filter(is_tracked).cloned().collect();
        let is_unset = |name: &&String| self.values.get(name).is_some_and(|own| own.is_unset);
        let mut unset: BTreeSet<String> = tracked.iter().filter(is_unset).cloned().collect();
        let mut declared = BTreeSet::new();
        if !self.declares_apart(shape.body, &mut Vec::new(), &mut declared) {
            return Ok(None);
        }
        for (name, is_plain) in declared {
            if is_plain {
                tracked.insert(name.clone());
            }
            unset.insert(name.clone());
            changed.insert(name);
        }
        let mut builder = Builder {
            walker: self,
            changed,
            tracked,
            labels: labels_in(statement),
            flow: Flow {
                unset,
                ..Flow::default()
            },
            steps: 0,
            depth: 0,
            problem: None,
        };
        let built = builder.explore(statement, &[]);
        match builder.problem {
            Some(problem) => Err(problem),
            None => Ok(built.map(|()| builder.flow)),
        }
    }

    /// Collects the variables that a statement declares; false where one hides another.
    fn declares_apart(
        &self,
        statement: &Statement,
        around: &mut Vec<String>,
        found: &mut BTreeSet<(String, bool)>,
    ) -> bool {
        let before = around.len();
        if let StatementKind::Declaration(variables) = &statement.kind {
            return variables.iter().all(|variable| {
                let name = &variable.name;
                let is_plain = matches!(
                    variable.kind,
                    Kind::Integer {
                        signed: true,
                        bits: 32..
                    }
                ) && !variable.is_static
                    && !variable.is_volatile
                    && !self.whole.is_addressed(self.function, name);
                let hides = around.contains(name) || self.values.get(name).is_some();
                around.push(name.clone());
                !hides && !found.contains(&(name.clone(), !is_plain)) && {
                    found.insert((name.clone(), is_plain));
                    true
                }
            });
        }
        let mut inner = statement.inner().into_iter();
        let all = inner.all(|inner| self.declares_apart(inner, around, found));
        // A declaration in a block is in scope until its end.
        if matches!(
            statement.kind,
            StatementKind::Block(_) | StatementKind::For { .. }
        ) {
            around.truncate(before);
        }
        all
    }
}

impl<'e> Builder<'_, '_> {
    /// The ways that begin at a loop.
    fn explore(&mut self, statement: &'e Statement, frames: &[Next<'e>]) -> Option<()> {
        let head = statement.span.start;
        if self.flow.inside.contains_key(&head) {
            return Some(());
        }
        self.flow.inside.insert(head, BTreeSet::from([head]));
        for frame in frames {
            if let Next::Again(around) = frame {
                self.flow.inside.get_mut(&around.span.start)?.insert(head);
            }
        }
        let shape = Shape::of(statement)?;
        let way = Way {
            from: head,
            to: None,
            begins: true,
            guards: Vec::new(),
            known: Vec::new(),
            next: BTreeMap::new(),
            decisions: vec![BTreeMap::new()],
            is_open: false,
        };
        let body = [
            frames,
            &[
                Next::Again(statement),
                Next::Statements(std::slice::from_ref(shape.body)),
            ],
        ]
        .concat();
        let Some(condition) = shape.condition.filter(|_| shape.tests_first) else {
            return self.run(way, body);
        };
        for way in self.decide(way.clone(), condition, true)? {
            self.run(way, body.clone())?;
        }
        let way = Way {
            begins: false,
            ..way
        };
        for way in self.decide(way, condition, false)? {
            self.run(way, frames.to_vec())?;
        }
        Some(())
    }

    /// Follows a way to the next loop.
    fn run(&mut self, way: Way, frames: Vec<Next<'e>>) -> Option<()> {
        self.depth += 1;
        let found = (self.depth <= DEEPEST).then(|| self.follow(way, frames));
        self.depth -= 1;
        found?
    }

    /// One long function, because it is a table with an arm for each kind of statement.
    fn follow(&mut self, mut way: Way, mut frames: Vec<Next<'e>>) -> Option<()> {
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.flow.ways.len() > MOST_WAYS {
                return None;
            }
            let statement = match frames.pop() {
                None => {
                    self.flow.ways.push(Way { to: None, ..way });
                    return Some(());
                }
                Some(Next::Statements([])) => continue,
                Some(Next::Statements([first, rest @ ..])) => {
                    frames.push(Next::Statements(rest));
                    first
                }
                Some(Next::Enter(statement)) => {
                    let to = Some(statement.span.start);
                    self.flow.ways.push(Way { to, ..way });
                    return self.explore(statement, &frames);
                }
                Some(Next::Again(statement)) => return self.again(way, statement, frames),
            };
            if let Some(choice) = Choice::of(&statement.kind) {
                for (holds, value) in [(true, choice.then), (false, choice.otherwise)] {
                    for mut way in self.decide(way.clone(), choice.condition, holds)? {
                        match choice.place {
                            Place::Assigned(operator, place) => {
                                self.assign(&mut way, operator, place, value);
                            }
                            Place::Declared(name) => {
                                let value = self.value(&mut way, value);
                                self.set(&mut way, name, value);
                            }
                        }
                        self.run(way, frames.clone())?;
                    }
                }
                return Some(());
            }
            match &statement.kind {
                StatementKind::Block(list) => frames.push(Next::Statements(list)),
                StatementKind::Expression(expression) => {
                    if self.walker.ending(expression).is_some() {
                        self.flow.ways.push(Way { to: None, ..way });
                        return Some(());
                    }
                    self.value(&mut way, expression);
                }
                StatementKind::Declaration(variables) => {
                    for variable in variables {
                        let value = variable.value.as_ref();
                        let value = value.and_then(|value| self.value(&mut way, value));
                        self.set(&mut way, &variable.name, value);
                    }
                }
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    for (holds, taken) in [(true, Some(&**then)), (false, otherwise.as_deref())] {
                        for mut way in self.decide(way.clone(), condition, holds)? {
                            // Two branches of one macro have one place.
                            let own = way.decisions.last_mut()?;
                            way.is_open |= own.insert(statement.span.start, holds).is_some();
                            let mut frames = frames.clone();
                            frames.extend(
                                taken.map(|taken| Next::Statements(std::slice::from_ref(taken))),
                            );
                            self.run(way, frames)?;
                        }
                    }
                    return Some(());
                }
                StatementKind::For { first, .. } => {
                    frames.push(Next::Enter(statement));
                    frames.push(Next::Statements(std::slice::from_ref(first)));
                }
                StatementKind::While { .. } | StatementKind::DoWhile { .. } => {
                    frames.push(Next::Enter(statement));
                }
                StatementKind::Break => while !matches!(frames.pop()?, Next::Again(_)) {},
                StatementKind::Continue => {
                    while !matches!(frames.last()?, Next::Again(_)) {
                        frames.pop();
                    }
                }
                StatementKind::Return(_) => {
                    self.flow.ways.push(Way { to: None, ..way });
                    return Some(());
                }
                StatementKind::Goto(label) if !self.labels.contains(label) => {
                    self.flow.ways.push(Way { to: None, ..way });
                    return Some(());
                }
                // Jumps inside are not followed.
                StatementKind::Empty | StatementKind::Label(_) => {}
                StatementKind::Switch { .. } | StatementKind::Goto(_) | StatementKind::Broken => {
                    return None;
                }
            }
        }
    }

    /// The end of an iteration.
    fn again(
        &mut self,
        mut way: Way,
        statement: &'e Statement,
        frames: Vec<Next<'e>>,
    ) -> Option<()> {
        let shape = Shape::of(statement)?;
        if let Some(update) = shape.update {
            self.value(&mut way, update);
        }
        let to = Some(statement.span.start);
        let Some(condition) = shape.condition.filter(|_| !shape.tests_first) else {
            self.flow.ways.push(Way { to, ..way });
            return Some(());
        };
        for way in self.decide(way.clone(), condition, true)? {
            self.flow.ways.push(Way { to, ..way });
        }
        for way in self.decide(way, condition, false)? {
            self.run(way, frames.clone())?;
        }
        Some(())
    }

    /// The ways on which a condition holds, or on which it fails.
    fn decide(&mut self, way: Way, condition: &Expression, holds: bool) -> Option<Vec<Way>> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        match &condition.kind {
            ExpressionKind::Binary(operator, a, b) if operator == "&&" || operator == "||" => {
                // Both are evaluated where the first does not decide.
                let goes_on = operator == "&&";
                let mut ways = Vec::new();
                for way in self.decide(way.clone(), a, goes_on)? {
                    ways.extend(self.decide(way, b, holds)?);
                }
                if holds != goes_on {
                    ways.extend(self.decide(way, a, holds)?);
                }
                Some(ways)
            }
            ExpressionKind::Unary(operator, inner) if operator == "!" => {
                self.decide(way, inner, !holds)
            }
            ExpressionKind::Binary(operator, a, b)
                if matches!(operator.as_str(), "<" | ">" | "<=" | ">=" | "==" | "!=") =>
            {
                let mut way = way;
                let (a, b) = (self.value(&mut way, a), self.value(&mut way, b));
                let Some(more) = a.zip(b).and_then(|(a, b)| a.plus(&b, -1)) else {
                    way.is_open = true;
                    return Some(vec![way]);
                };
                Some(compared(self.walker, &way, operator, &more, holds))
            }
            _ => {
                let mut way = way;
                let Some(value) = self.value(&mut way, condition) else {
                    way.is_open = true;
                    return Some(vec![way]);
                };
                Some(compared(self.walker, &way, "!=", &value, holds))
            }
        }
    }

    fn set(&mut self, way: &mut Way, name: &str, value: Option<Form>) {
        if !self.tracked.contains(name) {
            return;
        }
        let value = value.unwrap_or_else(|| {
            // No variable of C has such a name.
            let fresh = format!("{name} {}", self.flow.fresh.len());
            self.flow.fresh.insert(fresh.clone());
            variable(&fresh)
        });
        way.next.insert(name.to_string(), value);
    }

    /// The value that an assignment gives to a variable.
    fn assign(
        &mut self,
        way: &mut Way,
        operator: &str,
        place: &Expression,
        given: &Expression,
    ) -> Option<Form> {
        let value = self.value(way, given);
        let Some(name) = place.name() else {
            for part in place.parts() {
                self.value(way, part);
            }
            return None;
        };
        let before = self.value(way, place);
        let value = match operator {
            "=" => value,
            _ => {
                let operator = operator.strip_suffix('=').unwrap_or_default();
                before
                    .zip(value)
                    .and_then(|(a, b)| self.calculated(way, operator, &a, &b))
            }
        };
        self.set(way, name, value.clone());
        value
    }

    fn calculated(&mut self, way: &mut Way, operator: &str, a: &Form, b: &Form) -> Option<Form> {
        calculated(
            &self.walker.facts,
            &mut self.flow.fresh,
            way,
            operator,
            [a, b],
        )
    }

    /// Evaluates an expression, with its assignments; nothing where the value is not linear.
    fn value(&mut self, way: &mut Way, expression: &Expression) -> Option<Form> {
        self.steps += 1;
        if !super::assigned::varies(expression, &self.changed) && !has_effects(expression) {
            let found = self.walker.form(expression, &self.changed);
            let found = found.unwrap_or_else(|problem| {
                self.problem = Some(problem);
                None
            });
            return found.filter(|form| form.rest.is_short());
        }
        match &expression.kind {
            ExpressionKind::Name(name) => match way.next.get(name) {
                Some(value) => Some(value.clone()),
                None => self.tracked.contains(name).then(|| variable(name)),
            },
            ExpressionKind::Unary(operator, inner) if operator == "-" => {
                let value = self.value(way, inner)?;
                Form::default().plus(&value, -1)
            }
            ExpressionKind::Update { by, after, place } => {
                let before = self.value(way, place)?;
                let next = before.clone().plus(&Form::constant(i64::from(*by)), 1)?;
                self.set(way, place.name()?, Some(next.clone()));
                Some(if *after { before } else { next })
            }
            ExpressionKind::Assign(operator, place, given) => {
                self.assign(way, operator, place, given)
            }
            ExpressionKind::Binary(operator, a, b) if operator != "&&" && operator != "||" => {
                let (a, b) = (self.value(way, a), self.value(way, b));
                let (a, b) = a.zip(b)?;
                self.calculated(way, operator, &a, &b)
            }
            ExpressionKind::Comma(a, b) => {
                self.value(way, a);
                self.value(way, b)
            }
            ExpressionKind::Binary(..) | ExpressionKind::Conditional(..) => {
                // Not all of it is evaluated.
                for name in assigned_by(self.walker, expression) {
                    self.set(way, &name, None);
                }
                None
            }
            _ => {
                for part in expression.parts() {
                    self.value(way, part);
                }
                None
            }
        }
    }
}
