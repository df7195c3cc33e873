//! How often a loop takes the same way in turn, where its conditions do not come nearer to their end by the same amount each
//! time: the first iteration at which one fails, of values that are solved.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::changes::Form;
use super::graph::Way;
use super::number::*;
use super::sequences::{Sequence, State, solved};
use super::state::Facts;

/// Iterations that are taken together: values that go round come back in a few of them.
const MOST_TOGETHER: i64 = 4;

/// Iterations on one way, in groups of the same size, each of which makes changes that can be solved.
pub struct Cycle {
    /// The values at the first, second, .. of the iterations that are taken together, by how often all of them are.
    sequences: Vec<BTreeMap<String, Sequence>>,
}

/// What the search for a first iteration needs.
pub struct Search<'s> {
    pub facts: &'s Facts,
    /// Indices of searches, of which none is used yet.
    pub indices: Cell<&'s [Symbol]>,
    /// An upper bound of the iterations of the loop.
    pub most: Option<&'s Number>,
}

/// The value of a form in a state.
pub fn value_in(form: &Form, state: &State) -> Option<Number> {
    let mut terms = form.variables.iter();
    terms.try_fold(form.rest.clone(), |sum, (name, factor)| {
        sum.plus(&state.get(name)?.scaled(*factor)?)
    })
}

impl Cycle {
    /// The iterations from a state, with values of all these variables.
    pub fn of<'n>(
        way: &Way,
        state: &State,
        wanted: impl Iterator<Item = &'n String> + Clone,
    ) -> Option<Cycle> {
        let mut next = way.next.clone();
        for times in 1..=MOST_TOGETHER {
            let mut begin = state.clone();
            let mut sequences = Vec::new();
            for _ in 0..times {
                sequences.push(solved(&next, &begin));
                let after = begin.keys().filter_map(|name| {
                    let value = match way.next.get(name) {
                        Some(form) => value_in(form, &begin)?,
                        None => begin[name].clone(),
                    };
                    Some((name.clone(), value))
                });
                begin = after.collect();
            }
            let has_all = |own: &BTreeMap<String, Sequence>| {
                let mut wanted = wanted.clone();
                wanted.all(|name| own.contains_key(name))
            };
            if sequences.iter().all(has_all) {
                return Some(Cycle { sequences });
            }
            let more = next.iter();
            next = more
                .map(|(name, form)| Some((name.clone(), form.after(way)?)))
                .collect::<Option<_>>()?;
        }
        None
    }

    fn together(&self) -> i64 {
        i64::try_from(self.sequences.len()).unwrap_or(i64::MAX)
    }

    /// The value of a variable after `count` iterations.
    pub fn value(&self, name: &str, count: &Number) -> Option<Number> {
        let together = Number::constant(self.together());
        let (rounds, rest) = (count.div(&together), count.modulo(&together));
        let mut own = self.sequences.iter().enumerate().rev();
        let (_, last) = own.next()?;
        own.try_fold(last.get(name)?.at(&rounds)?, |others, (at, sequences)| {
            let at = Number::constant(i64::try_from(at).ok()?);
            let is_own = Condition::compare(Comparison::Equal, rest.clone(), at);
            let value = sequences.get(name)?.at(&rounds)?;
            Some(Number::choose(is_own, value, others))
        })
    }

    /// How often all of these stay at least 0 in turn.
    pub fn count(&self, guards: &[Form], search: &Search) -> Option<Number> {
        let mut least: Option<Number> = None;
        for (at, sequences) in self.sequences.iter().enumerate() {
            let of = |guard: &Form| {
                let rest = Sequence::constant(guard.rest.clone());
                let mut terms = guard.variables.iter();
                terms.try_fold(rest, |sum, (name, factor)| {
                    sum.plus(sequences.get(name)?, *factor)
                })
            };
            let values: Vec<Sequence> = guards.iter().map(of).collect::<Option<_>>()?;
            let rounds = match search.steady(&values) {
                Some(rounds) => rounds,
                None => search.first(&values)?,
            };
            let own = rounds
                .scaled(self.together())?
                .plus_constant(i64::try_from(at).ok()?)?;
            least = Some(least.map_or(own.clone(), |least| least.smaller(&own)));
        }
        least
    }
}

impl Search<'_> {
    /// How often all values stay at least 0, where each changes by the same amount each time and one of them falls.
    fn steady(&self, values: &[Sequence]) -> Option<Number> {
        let (mut holds, mut count): (_, Option<Number>) = (Condition::Constant(true), None);
        for value in values {
            let (first, step) = value.steady()?;
            if self.facts.nonnegative(&step) {
                if !self.facts.nonnegative_by_cases(&first) {
                    holds = holds.and(at_least_0(&first));
                }
                continue;
            }
            if !self.facts.is_negative(&step) {
                return None;
            }
            let own = first.div(&step.scaled(-1)?).plus_constant(1)?;
            count = Some(count.map_or(own.clone(), |count| count.smaller(&own)));
        }
        let count = count?.larger(&Number::default());
        Some(Number::choose(holds, count, Number::default()))
    }

    /// The first time that one of the values is below 0, of those that come before the end of the loop.
    fn first(&self, values: &[Sequence]) -> Option<Number> {
        let most = self.most?;
        let (index, rest) = self.indices.get().split_first()?;
        self.indices.set(rest);
        let at = Number::symbol(*index);
        let values = values.iter().map(|value| value.at(&at));
        let values = values.collect::<Option<Vec<Number>>>()?;
        let holds = values.iter().fold(Condition::Constant(true), |all, value| {
            all.and(at_least_0(value))
        });
        let found = Number::choose(holds, most.clone(), at.clone());
        let text = |text: &str| Piece::Text(text.to_string());
        Some(Number::atom(Atom::Written(vec![
            text("min ("),
            Piece::Value(at),
            text(" = 0, "),
            Piece::Value(most.clone()),
            text(") { "),
            Piece::Value(found),
            text(" }"),
        ])))
    }
}

/// The condition `number >= 0`, with the subtracted terms on the other side.
pub fn at_least_0(number: &Number) -> Condition {
    let constant = number.constant_part();
    let (more, less) = number.sides();
    let compared = |comparison, by: i64| {
        let more = more.plus_constant(by)?;
        Some(Condition::compare(comparison, less.clone(), more))
    };
    let own = match constant {
        ..=-1 => compared(Comparison::Less, constant.saturating_add(1)),
        0.. => compared(Comparison::LessEqual, constant),
    };
    own.unwrap_or_else(|| {
        Condition::compare(Comparison::LessEqual, Number::default(), number.clone())
    })
}
