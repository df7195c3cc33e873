//! The walk of loops that are counted by phases.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::changes::Form;
use super::cycles::Search;
use super::invariants::invariants;
use super::number::*;
use super::part::*;
use super::phases::{Finder, Phase, Phases};
use super::proofs::split;
use super::sequences::State;
use super::shape::{Shape, returns};
use super::totals::value_of;
use super::walker::{List, Role, Walker};
use crate::problem::Problem;
use crate::source::tree::Statement;

/// Searches for the end of a phase.
const MOST_SEARCHES: usize = 8;

/// True if a pragma is in a statement.
fn is_directed(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| found |= !inner.pragmas.is_empty());
    found
}

impl Walker<'_> {
    /// The walk of a loop by phases; false where there are none, and nothing has changed.
    pub fn phased(
        &mut self,
        shape: &Shape,
        most: Option<&Number>,
        list: &mut List,
    ) -> Result<bool, Problem> {
        if returns(shape.body) || is_directed(shape.body) {
            return Ok(false);
        }
        let Some(phases) = self.phases(shape, most)? else {
            return Ok(false);
        };
        let (facts, assumed) = (self.facts.known.len(), self.assumptions.len());
        for number in &phases.ends {
            if self.assume_nonnegative(number).is_none() {
                self.facts.known.truncate(facts);
                self.assumptions.truncate(assumed);
                return Ok(false);
            }
        }
        self.ends.extend(phases.ends);
        for phase in &phases.list {
            if !self.facts.nonnegative(&phase.count) {
                self.facts.known.push(phase.count.clone());
            }
        }
        let changed: Vec<String> = self.changed(shape).into_iter().collect();
        let before = self.values.clone();
        for phase in &phases.list {
            self.values = before.clone();
            self.forget_all(&changed);
            let part = self.phase(shape, phase)?;
            list.parts
                .push(Part::choice(phase.holds.clone(), part, Part::nothing()));
        }
        self.values = before;
        let is_open = |name: &&String| !phases.behind.contains_key(*name);
        let open: Vec<String> = changed.iter().filter(is_open).cloned().collect();
        if !open.is_empty() {
            self.begin_nest(shape).ok();
        }
        self.forget(&open, shape.span);
        self.bound_behind(&open, shape);
        for name in changed.iter().filter(|name| !is_open(name)) {
            self.set(name, phases.behind.get(name).cloned());
        }
        self.asked_last(shape, list)?;
        Ok(true)
    }

    fn phases(&mut self, shape: &Shape, most: Option<&Number>) -> Result<Option<Phases>, Problem> {
        let flow = self.flow(shape.statement)?;
        let Some(mut flow) = flow.filter(|flow| flow.inside.len() == 1) else {
            return Ok(None);
        };
        let before = |name: &str| self.now(name);
        let initial = |form: &Form| value_of(form, &flow.unset, &before);
        let known = invariants(&self.facts, &flow, shape.span.start, &initial);
        for way in &mut flow.ways {
            way.learn(known.get(&way.from));
        }
        let names = self
            .changed(shape)
            .into_iter()
            .filter(|name| self.is_plain(name));
        let state = names.filter_map(|name| {
            let value = self.now(&name).filter(Number::is_short)?;
            Some((name, value))
        });
        let state: State = state.collect();
        let indices: Vec<Symbol> = (0..MOST_SEARCHES)
            .map(|_| self.symbol("k", Role::Bound))
            .collect();
        let facts = &self.facts;
        // The whole first: where the sign of a change decides, one way becomes two. Last of all, ways that may never end.
        let whole = flow.clone();
        let found = [(0, false), (1, false), (2, false), (0, true)];
        let found = found.into_iter().find_map(|(splits, is_last)| {
            if splits > 0 {
                let ways = flow.ways.iter().flat_map(|way| split(facts, way));
                flow.ways = ways.collect();
            }
            let finder = Finder {
                facts,
                flow: if is_last { &whole } else { &flow },
                search: Search {
                    facts,
                    indices: Cell::new(&indices),
                    most,
                    is_last,
                },
            };
            finder.phases(State::clone(&state))
        });
        Ok(found)
    }

    /// The iterations of a phase.
    fn phase(&mut self, shape: &Shape, phase: &Phase) -> Result<Part, Problem> {
        let index = self.symbol("k", Role::Index);
        let range = Range {
            index,
            first: Number::constant(1),
            last: phase.count.clone(),
            step: Number::constant(1),
        };
        let gone = Number::symbol(index).plus_constant(-1).unwrap_or_default();
        for (name, (first, step)) in &phase.values {
            let value = gone.times(step).and_then(|gone| first.plus(&gone));
            self.set(name, value);
        }
        let facts = self.facts.clone();
        self.learn(&range);
        self.around.push(None);
        self.loops += 1;
        let iterations = phase.decisions.iter();
        let part: Result<Vec<Part>, Problem> = iterations
            .map(|decisions| self.on_way(shape, decisions, phase.leaves))
            .collect();
        self.loops -= 1;
        self.around.pop();
        let least = std::mem::replace(&mut self.facts, facts).least;
        self.facts.least.extend(least);
        let mut part = Part::sequence(part?);
        if part.is_nothing() {
            // A loop takes time even if it contains only its condition.
            let mut body = List::default();
            self.straight(&mut body, shape.span, shape.span.start);
            part = Part::sequence(body.parts);
        }
        Ok(if phase.count == Number::constant(1) {
            part
        } else {
            Part::repeated(range, part)
        })
    }

    /// One iteration in which branches decide like this.
    fn on_way(
        &mut self,
        shape: &Shape,
        decisions: &BTreeMap<usize, bool>,
        leaves: bool,
    ) -> Result<Part, Problem> {
        let function = self.function;
        let own = decisions.iter();
        self.decided
            .extend(own.map(|(at, holds)| ((function, *at), *holds)));
        // What leaves a loop comes to no update.
        let shape = Shape {
            update: shape.update.filter(|_| !leaves || !shape.tests_first),
            ..*shape
        };
        let part = self.once(false, |walker| walker.body(&shape));
        for at in decisions.keys() {
            self.decided.remove(&(function, *at));
        }
        part
    }
}
