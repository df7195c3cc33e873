//! Walks of single iterations: of any one of a loop, and of the first one apart from the others.

use std::collections::{BTreeMap, BTreeSet};

use super::induction::jumps;
use super::number::*;
use super::part::*;
use super::shape::{Change, Induction, Shape};
use super::state::Values;
use super::walker::Walker;
use crate::problem::Problem;

/// Loops around one whose first iteration is walked apart.
const MOST_AROUND: usize = 2;

type Ended = (Part, Vec<(String, Number)>);

/// The bounds and assumptions before a walk.
struct Tried {
    bounds: BTreeMap<Symbol, Option<Trips>>,
    ends: BTreeSet<Number>,
    assumptions: usize,
}

impl Walker<'_> {
    /// Walks the body once, where what is inside may depend on the number of the iteration.
    pub fn numbered(&mut self, shape: &Shape, induction: &Induction) -> Result<Part, Problem> {
        let changed: Vec<String> = self.changed(shape).into_iter().collect();
        let mut kept = self.kept(shape, &changed)?;
        self.numbered_from(shape, induction, &mut kept)
    }

    /// Like `numbered`, where iterations may begin with some values again and again: those that they do begin with are kept.
    fn numbered_from(
        &mut self,
        shape: &Shape,
        induction: &Induction,
        kept: &mut Vec<(String, Number)>,
    ) -> Result<Part, Problem> {
        let index = Number::symbol(induction.range.index);
        let gone = match induction.range.step.as_constant() {
            Some(1) => index.minus(&induction.range.first),
            Some(-1) => induction.range.first.minus(&index),
            _ => None,
        };
        self.around
            .push(gone.and_then(|gone| gone.plus_constant(1)));
        let part = self.iteration(shape, induction, Some(kept));
        self.around.pop();
        part
    }

    /// Like `iteration`, for iterations that threads share.
    pub fn shared_iteration(
        &mut self,
        shape: &Shape,
        induction: &Induction,
    ) -> Result<Part, Problem> {
        self.around.push(None);
        let part = self.iteration(shape, induction, None);
        self.around.pop();
        part
    }

    /// Walks the body once with the values of one iteration. If threads share the iterations, the values of variables
    /// are not known: other iterations may have come before.
    fn iteration(
        &mut self,
        shape: &Shape,
        induction: &Induction,
        kept: Option<&mut Vec<(String, Number)>>,
    ) -> Result<Part, Problem> {
        let changed: Vec<String> = self.changed(shape).into_iter().collect();
        let secondary = match kept {
            Some(_) => self.secondary(shape, induction, &changed)?,
            None => Vec::new(),
        };
        let mut none = Vec::new();
        let kept = kept.unwrap_or(&mut none);
        loop {
            self.forget_all(&changed);
            for (name, value) in kept.iter() {
                self.set(name, Some(value.clone()));
            }
            for (name, value, _) in &secondary {
                self.set(name, Some(value.clone()));
            }
            self.count_on(&induction.name, Some(induction.value.clone()));
            let facts = self.facts.clone();
            self.learn(&induction.range);
            if let Change::Over(_) = induction.change {
                // It goes on as long as the value is at least 1.
                self.facts.known.extend(induction.value.plus_constant(-1));
            }
            let tried = self.tried();
            self.loops += 1;
            let result = self.once(false, |walker| walker.body(shape));
            self.loops -= 1;
            let least = std::mem::replace(&mut self.facts, facts).least;
            self.facts.least.extend(least);
            // A value with which all iterations begin is the one with which this one ends.
            let before = kept.len();
            kept.retain(|(name, value)| self.now(name).as_ref() == Some(value));
            if result.is_err() || kept.len() == before {
                return result;
            }
            self.forget_tried(tried);
        }
    }

    /// The first iteration of a loop and then all others, where that leaves nothing open: `while (i-- > 0) while (j > 0) j--;`
    /// runs its inner loop in the first one only. Also the values at the end of each iteration.
    pub fn peeled(
        &mut self,
        shape: &Shape,
        induction: &Induction,
        before: &Values,
        part: &Part,
    ) -> Result<Option<Ended>, Problem> {
        if !self.is_open(part) || jumps(shape.body) || self.loops > MOST_AROUND {
            return Ok(None);
        }
        let after = std::mem::replace(&mut self.values, before.clone());
        let tried = self.tried();
        let found = self.peel(shape, induction);
        if !matches!(found, Ok(Some(_))) {
            self.values = after;
            self.forget_tried(tried);
        }
        found
    }

    /// What a walk adds that may be of no use.
    fn tried(&self) -> Tried {
        Tried {
            bounds: self.bounds.clone(),
            ends: self.ends.clone(),
            assumptions: self.assumptions.len(),
        }
    }

    /// Takes back what was added since.
    fn forget_tried(&mut self, tried: Tried) {
        self.bounds = tried.bounds;
        self.ends = tried.ends;
        self.assumptions.truncate(tried.assumptions);
    }

    fn peel(&mut self, shape: &Shape, induction: &Induction) -> Result<Option<Ended>, Problem> {
        let range = &induction.range;
        let (Some(begin), Some(second), Some(count)) = (
            induction.value.with(range.index, &range.first),
            range.first.plus(&range.step),
            self.count_of(range),
        ) else {
            return Ok(None);
        };
        self.count_on(&induction.name, Some(begin));
        let facts = self.facts.clone();
        self.facts.known.extend(count.plus_constant(-1));
        self.around.push(None);
        self.loops += 1;
        let first = self.once(false, |walker| walker.body(shape));
        self.loops -= 1;
        self.around.pop();
        let least = std::mem::replace(&mut self.facts, facts).least;
        self.facts.least.extend(least);
        let first = first?;
        if self.is_open(&first) {
            return Ok(None);
        }
        let rest = Induction {
            name: induction.name.clone(),
            range: Range {
                first: second,
                ..range.clone()
            },
            value: induction.value.clone(),
            last: None,
            guard: None,
            change: induction.change.clone(),
        };
        let mut kept = self.values_at_end(shape, &rest);
        kept.retain(|(name, value)| *name != rest.name && !value.mentions(range.index));
        let others = self.numbered_from(shape, &rest, &mut kept)?;
        if !self.goes_on(&rest) || self.is_open(&others) {
            return Ok(None);
        }
        let mut list = vec![first];
        if !others.is_nothing() {
            list.push(Part::repeated(rest.range, others));
        }
        let is_begun = Condition::compare(Comparison::Less, Number::default(), count);
        let part = Part::choice(is_begun, Part::sequence(list), Part::nothing());
        Ok(Some((part, kept)))
    }

    /// True if a number of iterations or a value in a part is told.
    fn is_open(&self, part: &Part) -> bool {
        let is_open = |symbol: Symbol| {
            let mut own = self.parameters.iter().filter(|own| own.symbol == symbol);
            let is_number =
                own.any(|own| matches!(own.kind, ParameterKind::Trips | ParameterKind::Value));
            is_number && self.opaque.iter().any(|own| own.name == Some(symbol))
        };
        let mut found = false;
        part.symbols(&mut |symbol| found |= is_open(symbol));
        found
    }
}
