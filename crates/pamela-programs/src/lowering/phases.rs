//! Loops whose branches change their decisions in one order: `while (x < n) { if (y < m) y++; else x++; }` counts with y
//! first, and then with x. Each way through the body is taken several times in turn, and then never again, so that all
//! of it is counted exactly.

use std::collections::BTreeMap;

use super::changes::Form;
use super::cycles::{Cycle, Search, at_least_0, value_in};
use super::graph::{Flow, Way, variable};
use super::number::*;
use super::proofs::{DEEPEST, proves};
use super::sequences::State;
use super::state::Facts;

/// Ways of a loop that are put in order.
const MOST_WAYS: usize = 16;
/// Names in a number of iterations.
const MOST_NAMES: usize = 64;
/// Ways of a loop of which some take turns.
const MOST_JOINED: usize = 6;

/// A way through the body of a loop, and how often it is taken in turn.
pub struct Phase {
    /// What the branches decide, in each of the iterations that are taken together.
    pub decisions: Vec<BTreeMap<usize, bool>>,
    /// Where this fails, it is never taken.
    pub holds: Condition,
    pub count: Number,
    /// The values of variables before it, and how much each iteration adds.
    pub values: BTreeMap<String, (Number, Number)>,
    /// True if it leaves the loop.
    pub leaves: bool,
}

/// The phases of a loop with the values behind it.
pub struct Phases {
    pub list: Vec<Phase>,
    pub behind: BTreeMap<String, Number>,
    /// Without these, the loop never ends: each is at least 0.
    pub ends: Vec<Number>,
}

/// Where a way is taken.
struct Taken {
    holds: Condition,
    count: Number,
    /// Where this is below 0, it is taken for ever.
    endless: Option<Number>,
}

impl Taken {
    fn once(holds: Condition) -> Taken {
        Taken {
            holds,
            count: Number::constant(1),
            endless: None,
        }
    }
}

impl Phase {
    /// The iterations on a way that begin with this state and change its variables by these steps.
    fn new(way: &Way, taken: Taken, state: &State, steps: BTreeMap<String, Number>) -> Phase {
        let values = steps.into_iter().filter_map(|(name, step)| {
            let first = state.get(&name)?.clone();
            Some((name, (first, step)))
        });
        Phase {
            decisions: way.decisions.clone(),
            holds: taken.holds,
            count: taken.count,
            values: values.collect(),
            leaves: way.to.is_none(),
        }
    }
}

/// Finds the phases of a loop.
pub struct Finder<'f> {
    pub facts: &'f Facts,
    pub flow: &'f Flow,
    pub search: Search<'f>,
}

impl Finder<'_> {
    /// True if one way may follow another.
    fn may_follow(&self, way: &Way, next: &Way) -> bool {
        !next.guards.iter().any(|guard| {
            let below = guard
                .after(way)
                .and_then(|after| Form::constant(-1).plus(&after, -1));
            below.is_some_and(|below| proves(self.facts, way, &below, DEEPEST - 1))
        })
    }

    /// The ways that go round, each before those that may follow it; nothing where some take turns.
    fn ordered<'w>(&self, ways: Vec<&'w Way>) -> Option<Vec<&'w Way>> {
        let follows = |way: &&'w Way| {
            let own = (0..ways.len()).filter(|at| self.may_follow(way, ways[*at]));
            own.collect::<Vec<usize>>()
        };
        let follows: Vec<Vec<usize>> = ways.iter().map(follows).collect();
        let mut open: Vec<usize> = (0..ways.len()).collect();
        let mut ordered = Vec::new();
        while !open.is_empty() {
            let is_first = |at: &usize| {
                let mut others = open.iter().filter(|other| **other != open[*at]);
                !others.any(|other| follows[*other].contains(&open[*at]))
            };
            let first = (0..open.len()).find(is_first)?;
            ordered.push(ways[open.remove(first)]);
        }
        Some(ordered)
    }

    /// The condition that forms are at least 0 in a state; without what always is.
    fn holds(&self, guards: &[Number]) -> Condition {
        let open = guards
            .iter()
            .filter(|guard| !self.facts.nonnegative_by_cases(guard));
        open.fold(Condition::Constant(true), |all, guard| {
            let own = if self.facts.is_negative(guard) {
                Condition::Constant(false)
            } else {
                at_least_0(guard)
            };
            all.and(own)
        })
    }

    /// How often a way is taken in turn from a state.
    fn taken(&self, way: &Way, state: &State) -> Option<Taken> {
        self.taken_evenly(way, state).or_else(|| {
            let names = way.guards.iter().flat_map(|guard| guard.variables.keys());
            let cycle = Cycle::of(way, state, names)?;
            let found = cycle.count(&way.guards, &self.search);
            let found = found.filter(|found| found.count.names() <= MOST_NAMES)?;
            let is_endless = found.count == Number::default();
            Some(Taken {
                holds: Condition::Constant(!is_endless),
                count: found.count,
                endless: found.ends,
            })
        })
    }

    /// Like `taken`, where each iteration comes nearer to the end by the same amount.
    fn taken_evenly(&self, way: &Way, state: &State) -> Option<Taken> {
        let values = way.guards.iter().map(|guard| value_in(guard, state));
        let values: Vec<Number> = values.collect::<Option<_>>()?;
        if !self.may_follow(way, way) {
            return Some(Taken::once(self.holds(&values)));
        }
        let (mut kept, mut count): (Vec<Number>, Option<Number>) = (Vec::new(), None);
        let mut is_above = true;
        for (guard, value) in way.guards.iter().zip(&values) {
            let change = guard.after(way)?.plus(guard, -1)?;
            if proves(self.facts, way, &change, DEEPEST) {
                kept.push(value.clone());
                continue;
            }
            let falls = Form::constant(-1).plus(&change, -1)?;
            let is_steady = change.after(way)? == change;
            if !is_steady || !proves(self.facts, way, &falls, DEEPEST) {
                return None;
            }
            let by = value_in(&Form::default().plus(&change, -1)?, state)?;
            let own = value.div(&by).plus_constant(1)?;
            is_above &= self.facts.nonnegative_by_cases(value);
            count = Some(count.map_or(own.clone(), |count| count.smaller(&own)));
        }
        let holds = self.holds(&kept);
        let Some(count) = count else {
            // One of the conditions that go on holding fails at first, or the loop never ends.
            let fails = kept
                .iter()
                .filter(|value| !self.facts.nonnegative_by_cases(value));
            let fails = fails.filter_map(|value| value.scaled(-1)?.plus_constant(-1));
            let fails = fails.reduce(|a, b| a.larger(&b));
            let is_taken = holds != Condition::Constant(false);
            return Some(Taken {
                holds: Condition::Constant(false),
                count: Number::default(),
                endless: is_taken.then(|| fails.unwrap_or(Number::constant(-1))),
            });
        };
        let count = if is_above || self.facts.nonnegative(&count) {
            count
        } else {
            count.larger(&Number::default())
        };
        Some(Taken {
            holds,
            count,
            endless: None,
        })
    }

    /// The state after a way is taken so often, and how much each time adds to the variables.
    fn after(&self, way: &Way, taken: &Taken, state: &State) -> (State, BTreeMap<String, Number>) {
        let (mut next, mut steps) = (state.clone(), BTreeMap::new());
        let choose = |then: Number, otherwise: &Number| {
            let chosen = Number::choose(taken.holds.clone(), then, otherwise.clone());
            Some(chosen).filter(Number::is_short)
        };
        let is_once = taken.count == Number::constant(1);
        let changed = |form: &Form| {
            form.variables
                .keys()
                .any(|name| way.next.contains_key(name))
        };
        for name in state.keys().filter(|name| !way.next.contains_key(*name)) {
            steps.insert(name.clone(), Number::default());
        }
        for (name, form) in &way.next {
            let old = state.get(name);
            let value = || {
                let value = value_in(form, state)?;
                if is_once {
                    return match old {
                        Some(old) => choose(value, old),
                        None => Some(value).filter(|_| taken.holds == Condition::Constant(true)),
                    };
                }
                let old = old?;
                let own = variable(name);
                let step = form.clone().plus(&own, -1)?;
                let least =
                    Condition::compare(Comparison::Less, Number::default(), taken.count.clone());
                match (changed(&step), changed(form)) {
                    (false, _) => {
                        let gone = taken.count.times(&value_in(&step, state)?)?;
                        choose(old.plus(&gone)?, old)
                    }
                    // Each time gives it the same value.
                    (true, false) => choose(Number::choose(least, value, old.clone()), old),
                    (true, true) => {
                        let cycle = Cycle::of(way, state, std::iter::once(name))?;
                        choose(cycle.value(name, &taken.count)?, old)
                    }
                }
            };
            let value = value();
            if let Some(step) = form.clone().plus(&variable(name), -1)
                && !is_once
                && !changed(&step)
            {
                steps.extend(value_in(&step, state).map(|step| (name.clone(), step)));
            }
            match value {
                Some(value) => next.insert(name.clone(), value),
                None => next.remove(name),
            };
        }
        if is_once {
            // There is one iteration, which begins with these values.
            steps.extend(state.keys().map(|name| (name.clone(), Number::default())));
        }
        (next, steps)
    }

    /// All phases from the values before the loop.
    pub fn phases(&self, state: State) -> Option<Phases> {
        let is_read = |way: &&Way| {
            let mut names = way.guards.iter().flat_map(|guard| guard.variables.keys());
            !way.is_open && !names.any(|name| self.flow.fresh.contains(name))
        };
        if self.flow.ways.len() > MOST_WAYS || !self.flow.ways.iter().all(|way| is_read(&way)) {
            return None;
        }
        let (round, out): (Vec<&Way>, Vec<&Way>) =
            self.flow.ways.iter().partition(|way| way.to.is_some());
        match self.ordered(round.clone()) {
            Some(ordered) => self.in_order(&ordered, &out, state),
            // Ways that take turns are taken together.
            None if round.len() > MOST_JOINED => None,
            None => (0..round.len()).find_map(|at| {
                let joined = self.joined(round[at], &round, &out)?;
                let others = round.iter().filter(|way| !std::ptr::eq(**way, round[at]));
                let all: Vec<&Way> = others.copied().chain(&joined).collect();
                let ordered = Some(all).filter(|all| all.len() <= MOST_WAYS);
                self.in_order(&self.ordered(ordered?)?, &out, state.clone())
            }),
        }
    }

    /// A way by what comes next: together with another one, or alone where it comes again or is the last.
    fn joined(&self, way: &Way, round: &[&Way], out: &[&Way]) -> Option<Vec<Way>> {
        let mut all = Vec::new();
        for next in round.iter().chain(out) {
            // A value of which nothing else is known is another one the next time.
            let is_apart = !way.shares(next, &self.flow.fresh);
            let both = is_apart.then(|| way.then(self.facts, next))??;
            let is_alone = std::ptr::eq(*next, way) || next.to.is_none();
            all.extend(both.map(|both| {
                if is_alone {
                    Way {
                        guards: both.guards,
                        ..way.clone()
                    }
                } else {
                    both
                }
            }));
        }
        Some(all)
    }

    /// The phases of ways that follow each other in this order.
    fn in_order(&self, round: &[&Way], out: &[&Way], mut state: State) -> Option<Phases> {
        let (mut list, mut ends) = (Vec::new(), Vec::new());
        for way in round {
            let taken = self.taken(way, &state)?;
            ends.extend(taken.endless.clone());
            if taken.holds == Condition::Constant(false) || taken.count == Number::default() {
                continue;
            }
            let (next, steps) = self.after(way, &taken, &state);
            list.push(Phase::new(way, taken, &state, steps));
            state = next;
        }
        let mut ended: Vec<State> = Vec::new();
        for way in out {
            let values = way.guards.iter().map(|guard| value_in(guard, &state));
            let values: Option<Vec<Number>> = values.collect();
            // The condition matters only if the loop does something on this way.
            let holds = match values.map(|values| self.holds(&values)) {
                Some(Condition::Constant(false)) => continue,
                Some(holds) => holds,
                None if way.begins => return None,
                None => Condition::Constant(true),
            };
            let (behind, steps) = self.after(way, &Taken::once(Condition::Constant(true)), &state);
            ended.push(behind);
            if way.begins {
                list.push(Phase::new(way, Taken::once(holds), &state, steps));
            }
        }
        // A loop that never ends once it begins is not one that never begins.
        if list.is_empty() && !ends.is_empty() {
            return None;
        }
        let (first, others) = ended.split_first()?;
        let mut behind = first.clone();
        behind.retain(|name, value| others.iter().all(|other| other.get(name) == Some(value)));
        Some(Phases { list, behind, ends })
    }
}
