//! Loops: numbers of iterations, and values of variables in each iteration.

use super::assigned::{labels_in, leaves_early};
use super::number::*;
use super::part::*;
use super::shape::{Change, Induction, Shape, returns};
use super::state::Nest;
use super::walker::{Flow, List, Role, Walker};
use crate::problem::Problem;
use crate::source::Family;
use crate::source::tree::*;

impl Walker<'_> {
    /// A `for`, `while` or `do`.
    pub fn repetition(&mut self, statement: &Statement, list: &mut List) -> Result<Flow, Problem> {
        let Some(shape) = Shape::of(statement) else {
            return Ok(Flow::Next);
        };
        self.values.open();
        let is_around = self.nest.is_none();
        let result = self.repeated(statement, &shape, list);
        if is_around {
            self.nest = None;
        }
        self.values.close();
        result
    }

    fn repeated(
        &mut self,
        statement: &Statement,
        shape: &Shape,
        list: &mut List,
    ) -> Result<Flow, Problem> {
        if let StatementKind::For { first, .. } = &statement.kind {
            self.initialize(first, list)?;
        }
        let mut is_nest = false;
        shape
            .body
            .walk(&mut |inner| is_nest |= Shape::of(inner).is_some());
        if is_nest {
            self.begin_nest(shape)?;
        }
        if !shape.tests_first && self.never_again(shape)? {
            // `do { } while (0)` is a block.
            return Ok(match self.list(std::slice::from_ref(shape.body), list)? {
                Flow::Leaves(_) => Flow::Next,
                flow => flow,
            });
        }
        let stated = statement
            .pragmas
            .iter()
            .find(|p| p.is(Family::Pamela, "trips"));
        let stated = match stated {
            Some(pragma) => Some(self.written(pragma, "trips")?),
            None => None,
        };
        let returns = returns(shape.body);
        let flow = if returns { Flow::Maybe } else { Flow::Next };
        if stated.is_none() && !leaves_early(shape.body) && self.written_out(shape, list)? {
            return Ok(flow);
        }
        if stated.is_none()
            && !leaves_early(shape.body)
            && let Some(induction) = self.induction(shape)?
            && self.counted(shape, induction, list)?
        {
            return Ok(flow);
        }
        self.measured_loop(shape, stated, list)?;
        Ok(flow)
    }

    /// The first part of a `for`: its code belongs to the loop's control.
    pub fn initialize(&mut self, first: &Statement, list: &mut List) -> Result<(), Problem> {
        // The initial value of a loop variable is not a size: it may be negative.
        let before = std::mem::replace(&mut self.may_be_negative, true);
        let result = self.begin(first, list);
        self.may_be_negative = before;
        result
    }

    fn begin(&mut self, first: &Statement, list: &mut List) -> Result<(), Problem> {
        match &first.kind {
            StatementKind::Expression(expression) => {
                self.value(expression)?;
                list.parts.append(&mut self.pending);
            }
            _ => {
                self.statement(first, list)?;
            }
        }
        Ok(())
    }

    /// Finds the bounds of the outermost loop and of those in it, in values before it.
    pub fn begin_nest(&mut self, shape: &Shape) -> Result<(), Problem> {
        if self.nest.is_none() && self.stack.len() == 1 {
            self.nest = Some(self.nest(shape)?);
        }
        Ok(())
    }

    /// Bounds the parameters of values behind the outermost loop.
    pub fn bound_behind(&mut self, changed: &[String], shape: &Shape) {
        let Some(nest) = &self.nest else { return };
        if !nest.most.contains_key(&shape.span.start) || self.loops > 0 {
            return;
        }
        let bounds: Vec<(Number, Trips)> = changed
            .iter()
            .filter_map(|name| {
                let value = self.now(name)?;
                let told = value.as_symbol()?;
                let is_told = self.opaque.iter().any(|own| own.name == Some(told));
                is_told.then_some((value, nest.behind.get(name)?.clone()))
            })
            .collect();
        for (value, bounds) in bounds {
            self.bound(&value, Some(bounds));
        }
    }

    fn never_again(&mut self, shape: &Shape) -> Result<bool, Problem> {
        Ok(match shape.condition {
            Some(Expression {
                kind: ExpressionKind::Number(text),
                ..
            }) => text.trim_matches(['u', 'l', 'U', 'L']) == "0",
            _ => false,
        })
    }

    /// The walk of a loop whose range is known; false where its variable turns out to change otherwise.
    fn counted(
        &mut self,
        shape: &Shape,
        induction: Induction,
        list: &mut List,
    ) -> Result<bool, Problem> {
        let before = self.values.clone();
        let part = self.numbered(shape, &induction)?;
        if !self.goes_on(&induction) {
            self.values = before;
            return Ok(false);
        }
        let (part, ended) = match self.peeled(shape, &induction, &before, &part)? {
            Some(peeled) => peeled,
            None if part.is_nothing() => (part, self.values_at_end(shape, &induction)),
            None => {
                let ended = self.values_at_end(shape, &induction);
                (Part::repeated(induction.range.clone(), part), ended)
            }
        };
        let count = self.count_of(&induction.range);
        if !part.is_nothing() && count != Some(Number::default()) {
            let guard = induction.guard.clone().unwrap_or(Condition::Constant(true));
            list.parts.push(Part::choice(guard, part, Part::nothing()));
        }
        self.after_loop(shape, &induction, before, ended);
        self.asked_last(shape, list)?;
        Ok(true)
    }

    /// Adds the facts about an index inside its loop.
    pub fn learn(&mut self, range: &Range) {
        let index = Number::symbol(range.index);
        let is_up = range.step.as_constant().is_none_or(|step| step > 0);
        let (low, high) = if is_up {
            (&range.first, &range.last)
        } else {
            (&range.last, &range.first)
        };
        if let Some(low) = low.as_constant() {
            self.facts.least.insert(range.index, low);
        }
        let bounds = [index.minus(low), high.minus(&index)];
        self.facts.known.extend(bounds.into_iter().flatten());
    }

    /// The number of iterations; without `max(.., 0)` if the facts show that it is never negative, or never above 0.
    pub fn count_of(&self, range: &Range) -> Option<Number> {
        let count = range.count()?;
        Some(match count.as_atom() {
            Some(Atom::Max(a, zero)) if zero.as_constant() == Some(0) => {
                let opposite = a.scaled(-1);
                if self.facts.nonnegative(a) {
                    a.clone()
                } else if opposite.is_some_and(|own| self.facts.nonnegative_by_cases(&own)) {
                    Number::default()
                } else {
                    count
                }
            }
            _ => count,
        })
    }

    /// The condition, the body and the update, in their order.
    pub fn body(&mut self, shape: &Shape) -> Result<Part, Problem> {
        let labels = std::mem::replace(&mut self.labels, labels_in(shape.body));
        let in_switch = std::mem::replace(&mut self.in_switch, false);
        let part = self.body_of(shape);
        self.labels = labels;
        self.in_switch = in_switch;
        part
    }

    fn body_of(&mut self, shape: &Shape) -> Result<Part, Problem> {
        let mut list = List::default();
        let control = |walker: &mut Self, expression: Option<&Expression>, list: &mut List| {
            if let Some(expression) = expression {
                walker.condition(expression)?;
                list.parts.append(&mut walker.pending);
            }
            Ok::<(), Problem>(())
        };
        if shape.tests_first {
            control(self, shape.condition, &mut list)?;
        }
        self.list(std::slice::from_ref(shape.body), &mut list)?;
        control(self, shape.update, &mut list)?;
        if !shape.tests_first {
            control(self, shape.condition, &mut list)?;
        }
        Ok(Part::sequence(list.parts))
    }

    /// True if the variable of a loop has its next value after an iteration.
    pub fn goes_on(&self, induction: &Induction) -> bool {
        let now = self.now(&induction.name);
        let next = match &induction.change {
            Change::Plus(by) => induction.value.plus(by),
            Change::Times(factor) => induction.value.scaled(*factor),
            Change::Over(factor) => Some(induction.value.div(&Number::constant(*factor))),
        };
        match (&induction.change, now, next) {
            // The update is the only one, and it is of this form.
            (Change::Over(_), Some(_), _) => true,
            (_, Some(now), Some(next)) => now == next,
            _ => false,
        }
    }

    pub fn set(&mut self, name: &str, value: Option<Number>) {
        if let Some(binding) = self.values.get_mut(name) {
            binding.value = value;
            binding.is_unset = false;
            if binding.is_pointer {
                binding.object = None;
                self.point_anew(name);
            }
        }
    }

    /// The values behind a loop.
    fn after_loop(
        &mut self,
        shape: &Shape,
        induction: &Induction,
        before: super::state::Values,
        ended: Vec<(String, Number)>,
    ) {
        let changed: Vec<String> = self.changed(shape).into_iter().collect();
        self.values = before;
        let secondary = self
            .secondary(shape, induction, &changed)
            .unwrap_or_default();
        self.pending.clear();
        if secondary.len() + 1 < changed.len() {
            // A nest that is too large has no bounds here; its parameters get notes where they are made.
            self.begin_nest(shape).ok();
        }
        let count = self
            .count_of(&induction.range)
            .filter(|_| secondary.len() + 1 < changed.len());
        let count = count.map(|count| {
            let guard = induction.guard.clone().unwrap_or(Condition::Constant(true));
            Number::choose(guard, count, Number::default())
        });
        let mut solved = count.as_ref().map_or(Vec::new(), |count| {
            self.solved_values(shape, count).unwrap_or_default()
        });
        solved.extend(
            count
                .iter()
                .flat_map(|count| self.last_values(induction, count, &ended)),
        );
        self.forget(&changed, shape.span);
        self.bound_behind(&changed, shape);
        for (name, value) in solved {
            self.set(&name, Some(value));
        }
        for (name, _, last) in secondary {
            if last.is_some() {
                self.set(&name, last);
            }
        }
        if induction.last.is_some() {
            self.count_on(&induction.name, induction.last.clone());
        }
    }

    /// Bounds of the number of iterations: of parameters where the loops around allow it.
    fn trips_in_nest(&mut self, shape: &Shape) -> Result<Option<Trips>, Problem> {
        self.begin_nest(shape)?;
        let own = self.trips(shape)?;
        let is_kept = own.as_ref().is_some_and(|own| {
            own.exact().is_some()
                || self.is_of_parameters(&own.least) && self.is_of_parameters(&own.most)
        });
        let nest = self
            .nest
            .as_ref()
            .filter(|_| !is_kept && self.stack.len() == 1);
        let is_reached =
            |nest: &&Nest| nest.reached.is_empty() || nest.reached.contains(&shape.span.start);
        if nest.is_some_and(|nest| !is_reached(&nest)) {
            let (least, most) = Default::default();
            return Ok(Some(Trips { least, most }));
        }
        let most = nest.and_then(|nest| nest.most.get(&shape.span.start).cloned());
        let least = Number::constant(i64::from(!shape.tests_first));
        Ok(most.map(|most| Trips { least, most }).or(own))
    }

    /// A loop of which only a measurement can say how often it runs.
    fn measured_loop(
        &mut self,
        shape: &Shape,
        stated: Option<Number>,
        list: &mut List,
    ) -> Result<(), Problem> {
        let bounds = match stated {
            Some(_) => None,
            None => self.trips_in_nest(shape)?,
        };
        let exact = bounds.as_ref().and_then(|bounds| bounds.exact().cloned());
        let decides = exact.is_none() || has_branches(shape.body);
        if stated.is_none()
            && decides
            && self.phased(shape, bounds.as_ref().map(|bounds| &bounds.most), list)?
        {
            return Ok(());
        }
        let exact = match exact.filter(|_| stated.is_none()) {
            None if stated.is_none() => self.solved(shape, bounds.as_ref().map(|own| &own.most))?,
            exact => exact,
        };
        let trips = match stated.clone().or(exact.clone()) {
            Some(trips) => trips,
            None => {
                let snippet = self.whole.snippet(self.function, shape.head());
                let what = format!("iterations of {snippet}");
                let changed = self.changed(shape);
                let condition = shape.condition;
                let told =
                    condition.and_then(|condition| self.explain_members(condition, &changed));
                let trips = self.measured(ParameterKind::Trips, shape.span, &what);
                if let (Some(problem), Some(symbol)) = (told, trips.as_symbol()) {
                    // Replaces the general reason by this one.
                    let mut all = self.opaque.iter_mut();
                    if let Some(known) = all.find(|known| known.name == Some(symbol)) {
                        known.problem = problem;
                    }
                }
                self.bound(&trips, bounds);
                trips
            }
        };
        let changed: Vec<String> = self.changed(shape).into_iter().collect();
        // A variable that counts is known from the number of the iteration.
        let index = self.symbol("k", Role::Index);
        let numbering = Induction::numbered(index, trips);
        let before = self.values.clone();
        let mut part = self.numbered(shape, &numbering)?;
        if part.is_nothing() {
            // A measured loop takes time even if it contains only its condition.
            let mut body = List::default();
            self.straight(&mut body, shape.span, shape.span.start);
            part = Part::sequence(body.parts);
        }
        self.values = before;
        let behind = match exact {
            Some(count) => self.solved_values(shape, &count)?,
            None => Vec::new(),
        };
        list.parts.push(Part::repeated(numbering.range, part));
        self.forget(&changed, shape.span);
        self.bound_behind(&changed, shape);
        for (name, value) in behind {
            self.set(&name, Some(value));
        }
        if stated.is_none() {
            self.asked_last(shape, list)
        } else {
            Ok(())
        }
    }

    /// The calls in the condition when it fails: one evaluation more than iterations.
    pub fn asked_last(&mut self, shape: &Shape, list: &mut List) -> Result<(), Problem> {
        let Some(condition) = shape.condition else {
            return Ok(());
        };
        if !shape.tests_first || leaves_early(shape.body) {
            return Ok(());
        }
        let before = self.values.clone();
        let once = self.once(false, |walker| walker.condition(condition));
        once?;
        self.values = before;
        list.parts.append(&mut self.pending);
        Ok(())
    }
}

/// True if a branch is in a statement.
fn has_branches(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| found |= matches!(inner.kind, StatementKind::If { .. }));
    found
}
