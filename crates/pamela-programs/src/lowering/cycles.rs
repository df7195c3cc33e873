//! How often a loop takes the same way in turn, where its conditions do not come nearer to their end by the same amount each
//! time: the first iteration at which one fails, of values that are solved.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::changes::Form;
use super::graph::Way;
use super::growth::Limit;
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
    /// True if a loop may be searched through that may never end.
    pub is_last: bool,
}

/// The value of a form in a state.
pub fn value_in(form: &Form, state: &State) -> Option<Number> {
    let mut terms = form.variables.iter();
    terms.try_fold(form.rest.clone(), |sum, (name, factor)| {
        sum.plus(&state.get(name)?.scaled(*factor)?)
    })
}

impl Cycle {
    pub fn from(sequences: Vec<BTreeMap<String, Sequence>>) -> Cycle {
        Cycle { sequences }
    }

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
    pub fn count(&self, guards: &[Form], search: &Search) -> Option<Ended> {
        let values = |sequences: &BTreeMap<String, Sequence>| {
            let of = |guard: &Form| {
                let rest = Sequence::constant(guard.rest.clone());
                let mut terms = guard.variables.iter();
                terms.try_fold(rest, |sum, (name, factor)| {
                    sum.plus(sequences.get(name)?, *factor)
                })
            };
            guards.iter().map(of).collect::<Option<Vec<Sequence>>>()
        };
        let groups = self.sequences.iter().map(values);
        let groups = groups.collect::<Option<Vec<Vec<Sequence>>>>()?;
        let steady = groups.iter().map(|values| search.steady(values));
        if let Some(steady) = steady.collect::<Option<Vec<Number>>>() {
            let count = of_groups(&steady)?;
            return Some(Ended { count, ends: None });
        }
        let open = groups.iter().map(|values| search.open(values));
        first(
            &open.collect::<Option<Vec<Open>>>()?,
            search.facts,
            search.most,
        )
    }
}

/// A number of iterations.
pub struct Ended {
    pub count: Number,
    /// Where this is below 0, they never end.
    pub ends: Option<Number>,
}

/// Iterations that end with the first of the groups that ends, by how often each of them goes on.
fn of_groups(rounds: &[Number]) -> Option<Number> {
    let together = i64::try_from(rounds.len()).ok()?;
    let all = (0..)
        .zip(rounds)
        .map(|(at, own)| own.scaled(together)?.plus_constant(at));
    let all = all.collect::<Option<Vec<Number>>>()?;
    all.into_iter().reduce(|a, b| a.smaller(&b))
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

    /// The search for the first time that one of the values is below 0.
    fn open(&self, values: &[Sequence]) -> Option<Open> {
        let (index, rest) = self.indices.get().split_first()?;
        self.indices.set(rest);
        let at = Number::symbol(*index);
        let mut open = Open {
            index: *index,
            holds: Condition::Constant(true),
            settles: Limit::at(0),
            kept: values.iter().cloned().map(Some).collect(),
        };
        for value in values {
            open.holds = open.holds.and(value.compared(Comparison::LessEqual, &at)?);
            if self.most.is_none() {
                self.is_last.then_some(())?;
                open.settles = open.settles.and(&value.settles(self.facts)?, self.facts)?;
            }
        }
        Some(open)
    }
}

/// A condition that iterations go on with, in one of the groups.
pub struct Open {
    pub index: Symbol,
    /// The condition, in the index.
    pub holds: Condition,
    /// From this iteration on, it does not change.
    pub settles: Limit,
    /// What is at least 0 where it holds; nothing for a part that is not known as such a value.
    pub kept: Vec<Option<Sequence>>,
}

/// The first iteration at which the condition of a group fails, one of the first `most` if that is known. Where all go on
/// holding once they hold, it is the first one or there is none.
pub fn first(groups: &[Open], facts: &Facts, most: Option<&Number>) -> Option<Ended> {
    let mut falls = most.is_some();
    let mut rises = most.is_none();
    let mut begun = facts.clone();
    for (at, open) in groups.iter().enumerate() {
        let kept = || open.kept.iter().flatten();
        let at_first = kept().map(|kept| kept.at(&Number::default()));
        let at_first: Vec<Number> = at_first.collect::<Option<_>>()?;
        if at == 0 {
            begun.known.extend(at_first.iter().cloned());
        }
        rises &= kept().count() == open.kept.len()
            && kept().all(|kept| kept.rises(&begun))
            && at_first.iter().all(|value| begun.nonnegative(value));
        let mut facts = facts.clone();
        facts.known.extend(at_first);
        falls |= kept().any(|kept| kept.falls(&facts));
    }
    if rises {
        // Where one of them fails at first, there are none.
        let kept = groups.first()?.kept.iter().flatten();
        let fails = kept.map(|kept| kept.at(&Number::default())?.scaled(-1)?.plus_constant(-1));
        let fails = fails.collect::<Option<Vec<Number>>>()?;
        return Some(Ended {
            count: Number::default(),
            ends: fails.into_iter().reduce(|a, b| a.larger(&b)),
        });
    }
    // A group that goes on is not the first one that ends.
    let (most, longer) = match most {
        Some(most) => (most.clone(), most.clone()),
        None => {
            let mut settles = groups.iter().map(|open| &open.settles);
            let limit = settles
                .try_fold(Limit::at(1), |all, own| all.and(own, facts))?
                .number()?;
            let more = i64::from(groups.len() > 1);
            (limit.clone(), limit.plus_constant(more)?)
        }
    };
    let least = |value: &dyn Fn(&Open) -> Number| {
        let own = groups
            .iter()
            .map(|open| search(open.index, &most, value(open)));
        own.collect::<Vec<Number>>()
    };
    let rounds = least(&|open| {
        Number::choose(
            open.holds.clone(),
            longer.clone(),
            Number::symbol(open.index),
        )
    });
    // Where it is 0 for one of them, the iterations end.
    let always =
        least(&|open| Number::choose(open.holds.clone(), Number::constant(1), Number::default()));
    let always = always.into_iter().reduce(|a, b| a.smaller(&b))?;
    Some(Ended {
        count: of_groups(&rounds)?,
        ends: if falls {
            None
        } else {
            Some(always.scaled(-1)?)
        },
    })
}

/// The least value of an expression for an index from 0 to `most`.
fn search(index: Symbol, most: &Number, value: Number) -> Number {
    if value.as_constant().is_some() {
        return value;
    }
    let text = |text: &str| Piece::Text(text.to_string());
    Number::atom(Atom::Written(vec![
        text("min ("),
        Piece::Value(Number::symbol(index)),
        text(" = 0, "),
        Piece::Value(most.clone()),
        text(") { "),
        Piece::Value(value),
        text(" }"),
    ]))
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
