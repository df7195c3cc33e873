//! Upper bounds of how often the ways of a nest of loops are taken, and of values in it: a form that is at least 0 where a
//! way is taken, and that this way makes smaller, is taken as often as its first value and what other ways add to it say.
//! (Sinn, Zuleger and Veith, Complexity and resource bound analysis of imperative programs using difference constraints.)

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::changes::Form;
use super::graph::{Flow, Way, variable};
use super::invariants::invariants;
use super::number::Number;
use super::part::Trips;
use super::proofs::{
    DEEPEST, above, below, candidates, is_exclusive, is_impossible, larger, largest, proves, split,
};
use super::shape::Shape;
use super::state::{Facts, Nest};
use super::walker::Walker;
use crate::problem::Problem;

/// Steps of one analysis before it is given up.
const MOST_STEPS: usize = 800;
/// Searches for forms in one nest.
const MOST_SEARCHES: usize = 24;
/// Ways and values that rest on each other.
const MOST_NESTED: usize = 6;
/// Forms that always hold, of which sums of two are tried as well.
const MOST_KNOWN: usize = 6;
/// Ways of a nest, where those whose change has no known sign are split.
const MOST_WAYS: usize = 40;

/// The ways inside a loop, with the values where it begins.
pub struct Scope<'s> {
    pub facts: &'s Facts,
    pub unset: &'s BTreeSet<String>,
    pub fresh: &'s BTreeSet<String>,
    /// The loop, and what leaves it.
    pub head: usize,
    exits: Vec<&'s Way>,
    pub ways: Vec<&'s Way>,
    reach: Reach,
    pub first: &'s dyn Fn(&Form, usize) -> Option<Number>,
    steps: &'s Cell<usize>,
    /// Searches for forms that are left to the nest.
    pub searches: &'s Cell<usize>,
    /// What was proved of a form on a way, by the address of the way.
    proved: &'s Proved,
}

/// What bounds a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Its conditions.
    Conditions,
    /// Forms that always hold, too.
    Known,
    /// Values that go into each other may be bounded by powers.
    Growth,
    /// Forms that are searched for.
    Ranking,
}

type Proved = RefCell<BTreeMap<(usize, Form), bool>>;

/// Bounds of the loops of a nest.
pub struct Totals<'t> {
    facts: &'t Facts,
    flow: Flow,
    /// The loop around all.
    head: usize,
    /// Values before it.
    before: &'t dyn Fn(&str) -> Option<Number>,
    steps: Cell<usize>,
    searches: Cell<usize>,
    reach: Cell<Reach>,
    proved: Proved,
}

impl<'t> Totals<'t> {
    pub fn new(
        facts: &'t Facts,
        mut flow: Flow,
        head: usize,
        before: &'t dyn Fn(&str) -> Option<Number>,
    ) -> Totals<'t> {
        let initial = |form: &Form| value_of(form, &flow.unset, before);
        let known = invariants(facts, &flow, head, &initial);
        for way in &mut flow.ways {
            way.learn(known.get(&way.from));
        }
        flow.ways
            .retain(|way| !is_impossible(facts, way, &way.guards));
        for _ in 0..2 {
            let ways = flow.ways.iter().flat_map(|way| split(facts, way)).collect();
            if Vec::len(&ways) > MOST_WAYS {
                break;
            }
            flow.ways = ways;
        }
        Totals {
            facts,
            flow,
            head,
            before,
            steps: Cell::new(0),
            searches: Cell::new(MOST_SEARCHES),
            reach: Cell::new(Reach::Conditions),
            proved: Proved::default(),
        }
    }

    /// The value of a form before the nest.
    fn initial(&self, form: &Form) -> Option<Number> {
        value_of(form, &self.flow.unset, self.before)
    }

    /// Calls `ask` with the ways inside a loop and an upper bound of each form where the loop begins.
    fn within(&self, head: usize, ask: &dyn Fn(&Scope) -> Option<Number>) -> Option<Number> {
        let inside = self.flow.inside.get(&head);
        let is_inside = |at: usize| inside.is_some_and(|inside| inside.contains(&at));
        let ways = self.flow.ways.iter();
        let ways = ways.filter(|way| is_inside(way.from) && way.to.is_some_and(is_inside));
        let first = |form: &Form, depth: usize| {
            if head == self.head {
                return self.initial(form);
            }
            let entries = self.flow.ways.iter();
            let entries = entries.filter(|way| way.to == Some(head) && !is_inside(way.from));
            let values = entries.map(|way| {
                let value = form.after(way)?;
                self.within(self.head, &|all| all.most_on(way, &value, depth))
            });
            largest(self.facts, values)
        };
        let exits = self.flow.ways.iter();
        let exits = exits.filter(|way| is_inside(way.from) && !way.to.is_some_and(is_inside));
        ask(&Scope {
            facts: self.facts,
            unset: &self.flow.unset,
            fresh: &self.flow.fresh,
            head,
            exits: exits.collect(),
            ways: ways.collect(),
            reach: self.reach.get(),
            first: &first,
            steps: &self.steps,
            searches: &self.searches,
            proved: &self.proved,
        })
    }

    /// The greatest number of iterations of a loop, each time that it begins.
    pub fn iterations(&self, head: usize) -> Option<Number> {
        let all = [
            Reach::Conditions,
            Reach::Known,
            Reach::Growth,
            Reach::Ranking,
        ];
        all.into_iter().find_map(|reach| {
            self.reach.set(reach);
            self.steps.set(0);
            self.iterations_by(head)
        })
    }

    fn iterations_by(&self, head: usize) -> Option<Number> {
        let inside = self.flow.inside.get(&head)?;
        let is_entry = |way: &Way| way.to == Some(head) && !inside.contains(&way.from);
        if head != self.head && !self.flow.ways.iter().any(is_entry) {
            // No way leads there.
            return Some(Number::default());
        }
        let sum = self.within(head, &|scope| {
            let mut sum = Number::default();
            for (at, way) in scope.ways.iter().enumerate() {
                if way.from == head && way.begins {
                    sum = sum.plus(&scope.times(at, &mut Vec::new())?)?;
                }
            }
            Some(sum)
        })?;
        // An iteration that leaves the loop is one more.
        let leaves = self.flow.ways.iter().any(|way| {
            let is_out = way.to.is_none_or(|to| !inside.contains(&to));
            inside.contains(&way.from) && is_out && (way.begins || way.from != head)
        });
        sum.plus_constant(i64::from(leaves))
    }

    /// The greatest value of a form behind the nest.
    pub fn behind(&self, form: &Form) -> Option<Number> {
        [Reach::Conditions, Reach::Growth]
            .into_iter()
            .find_map(|reach| {
                self.reach.set(reach);
                self.steps.set(0);
                let ends = self.flow.ways.iter().filter(|way| way.to.is_none());
                let values = ends.map(|way| {
                    let value = form.after(way)?;
                    self.within(self.head, &|all| all.most_on(way, &value, 0))
                });
                largest(self.facts, values)
            })
    }
}

/// The value of a form where variables have these.
pub fn value_of(
    form: &Form,
    unset: &BTreeSet<String>,
    before: &dyn Fn(&str) -> Option<Number>,
) -> Option<Number> {
    // Nothing reads it before it has a value.
    if form.variables.keys().any(|name| unset.contains(name)) {
        return Some(Number::constant(-1));
    }
    let mut value = form.rest.clone();
    for (name, factor) in &form.variables {
        let own = before(name).filter(Number::is_short)?;
        value = value.plus(&own.scaled(*factor)?)?;
    }
    Some(value)
}

impl Scope<'_> {
    fn step(&self) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        let most = if self.reach == Reach::Conditions {
            MOST_STEPS
        } else {
            2 * MOST_STEPS
        };
        (self.steps.get() <= most).then_some(())
    }

    /// False where a variable that first gets a value may have had any before.
    fn is_change_known(&self, form: &Form, change: &Form) -> bool {
        let mut names = form.variables.keys();
        change.variables.is_empty() || !names.any(|name| self.unset.contains(name))
    }

    /// How often a way is taken at most, in all.
    pub fn times(&self, at: usize, open: &mut Vec<usize>) -> Option<Number> {
        self.step()?;
        if open.contains(&at) || open.len() >= MOST_NESTED {
            return None;
        }
        open.push(at);
        let way = self.ways[at];
        let mut forms = candidates(&way.guards);
        if self.reach != Reach::Conditions {
            forms.extend(candidates(
                way.known.get(..MOST_KNOWN).unwrap_or(&way.known),
            ));
        }
        let found = forms
            .into_iter()
            .find_map(|form| self.by_form(at, &form, open).filter(Number::is_short))
            .or_else(|| {
                (self.reach != Reach::Conditions).then_some(())?;
                let found = self.by_turns(at, open).filter(Number::is_short);
                found.or_else(|| self.by_others(at, open).filter(Number::is_short))
            })
            .or_else(|| {
                (self.reach == Reach::Ranking).then_some(())?;
                self.by_ranking(at, open).filter(Number::is_short)
            });
        open.pop();
        found
    }

    /// True if a form is at least 0 where a way is taken; each form is proved once.
    fn proves(&self, way: &Way, form: &Form) -> bool {
        let key = (std::ptr::from_ref(way).addr(), form.clone());
        if let Some(known) = self.proved.borrow().get(&key) {
            return *known;
        }
        let found = proves(self.facts, way, form, DEEPEST);
        self.proved.borrow_mut().insert(key, found);
        found
    }

    /// True if one way may follow another.
    fn follows(&self, way: &Way, next: &Way) -> bool {
        let is_impossible = |guard: &Form| {
            let below = guard
                .after(way)
                .and_then(|after| Form::constant(-1).plus(&after, -1));
            below.is_some_and(|below| self.proves(way, &below))
        };
        way.to == Some(next.from) && !next.guards.iter().any(is_impossible)
    }

    /// A way that is taken in turn is taken as often as its form says, each time that another way leads there.
    fn by_turns(&self, at: usize, open: &mut Vec<usize>) -> Option<Number> {
        let way = self.ways[at];
        let most = candidates(&way.guards).into_iter().find_map(|form| {
            let change = form.after(way)?.plus(&form, -1)?;
            let less = Form::constant(-1).plus(&change, -1)?;
            self.proves(way, &less).then_some(())?;
            self.most_on(way, &form, open.len() + 1)?.plus_constant(1)
        })?;
        let first = Number::constant(i64::from(way.from == self.head));
        let mut before = (0..self.ways.len())
            .filter(|other| *other != at && self.follows(self.ways[*other], way));
        let turns = before.try_fold(first, |sum, other| sum.plus(&self.times(other, open)?))?;
        turns.times(&above(self.facts, &most))
    }

    /// A way is taken as often as what comes behind it, and as often as what comes in front of it.
    fn by_others(&self, at: usize, open: &mut Vec<usize>) -> Option<Number> {
        let way = self.ways[at];
        let mut all = |is_one: &dyn Fn(&Way) -> bool, once: bool| {
            let first = Number::constant(i64::from(once));
            let mut own = (0..self.ways.len()).filter(|other| is_one(self.ways[*other]));
            own.try_fold(first, |sum, other| sum.plus(&self.times(other, open)?))
        };
        let is_last = self.exits.iter().any(|exit| self.follows(way, exit));
        all(&|next| self.follows(way, next), is_last)
            .or_else(|| all(&|before| self.follows(before, way), way.from == self.head))
    }

    fn by_form(&self, at: usize, form: &Form, open: &mut Vec<usize>) -> Option<Number> {
        let way = self.ways[at];
        let change = form.after(way)?.plus(form, -1)?;
        let less = Form::constant(-1).plus(&change, -1)?;
        self.step()?;
        if !self.proves(way, &less) {
            return None;
        }
        let first = (self.first)(form, open.len())?.plus_constant(1)?;
        let mut sum = above(self.facts, &first);
        let mut is_alone = true;
        for (other, way) in self.ways.iter().enumerate() {
            if other == at || is_exclusive(self.facts, self.ways[at], way) {
                continue;
            }
            let next = form.after(way)?;
            let change = next.clone().plus(form, -1)?;
            let falls = Form::default().plus(&change, -1)?;
            let is_below = Form::constant(-1).plus(&next, -1);
            if self.proves(way, &falls) || is_below.is_some_and(|form| self.proves(way, &form)) {
                continue;
            }
            is_alone = false;
            let by = self.is_change_known(form, &change);
            let by = by.then(|| self.most_on(way, &change, open.len() + 1));
            let by = match by.flatten() {
                Some(by) => by,
                None => self.most_on(way, &next, open.len() + 1)?.plus_constant(1)?,
            };
            let times = self.times(other, open)?;
            sum = sum.plus(&times.times(&above(self.facts, &by))?)?;
        }
        match change
            .rest
            .as_constant()
            .filter(|_| change.variables.is_empty())
        {
            Some(by) if is_alone && by < -1 => {
                Some(sum.plus_constant(-by - 1)?.div(&Number::constant(-by)))
            }
            _ => Some(sum),
        }
    }

    /// The greatest value of a form at the beginning of a way.
    fn most_on(&self, way: &Way, form: &Form, depth: usize) -> Option<Number> {
        self.step()?;
        below(way, form, DEEPEST).or_else(|| self.most(form, depth, &mut Vec::new()))
    }

    /// The greatest value of a form, wherever a way begins.
    fn most(
        &self,
        form: &Form,
        depth: usize,
        open: &mut Vec<BTreeMap<String, i64>>,
    ) -> Option<Number> {
        self.step()?;
        if form.variables.is_empty() {
            return Some(form.rest.clone());
        }
        if depth >= MOST_NESTED || open.contains(&form.variables) {
            return None;
        }
        open.push(form.variables.clone());
        let found = self.most_open(form, depth, open);
        open.pop();
        let found = found.filter(Number::is_short);
        found.or_else(|| {
            (self.reach >= Reach::Growth).then_some(())?;
            self.by_growth(form, depth).filter(Number::is_short)
        })
    }

    fn most_open(
        &self,
        form: &Form,
        depth: usize,
        open: &mut Vec<BTreeMap<String, i64>>,
    ) -> Option<Number> {
        let mut most = (self.first)(form, depth + 1)?;
        let mut more = Number::default();
        for (at, way) in self.ways.iter().enumerate() {
            let next = form.after(way)?;
            let change = next.clone().plus(form, -1)?;
            let falls = Form::default().plus(&change, -1)?;
            if self.proves(way, &falls) {
                continue;
            }
            if let Some(value) = below(way, &next, DEEPEST) {
                most = larger(self.facts, &most, &value);
            } else if next.variables.len() <= change.variables.len()
                && let Some(value) = self.most(&next, depth + 1, open)
            {
                most = larger(self.facts, &most, &value);
            } else {
                self.is_change_known(form, &change).then_some(())?;
                let by = match below(way, &change, DEEPEST) {
                    Some(by) => by,
                    None => self.most(&change, depth + 1, open)?,
                };
                // How often the way is taken may not rest on this value.
                let mut others = vec![usize::MAX; depth + 1];
                let times = self.times(at, &mut others)?;
                more = more.plus(&times.times(&above(self.facts, &by))?)?;
            }
        }
        most.plus(&more)
    }
}

impl Walker<'_> {
    /// The bounds of a nest that begins here.
    ///
    /// # Errors
    /// Fails if the program is too large.
    pub fn nest(&mut self, shape: &Shape) -> Result<Nest, Problem> {
        let Some(flow) = self.flow(shape.statement)? else {
            return Ok(Nest::default());
        };
        let before = |name: &str| self.now(name);
        let reached: BTreeSet<usize> = flow.inside.keys().copied().collect();
        let changed = self.changed(shape);
        let names = changed.into_iter().filter(|name| self.is_plain(name));
        let head = shape.span.start;
        let single = (reached.len() == 1).then(|| flow.clone());
        let totals = Totals::new(&self.facts, flow, head, &before);
        let most = reached.iter();
        let most = most.filter_map(|head| Some((*head, totals.iterations(*head)?)));
        let mut most: BTreeMap<usize, Number> = most.collect();
        if let Some(single) = single.filter(|_| most.is_empty()) {
            // Values that go round come back in a few iterations.
            let found = [2_i64, 3].into_iter().find_map(|times| {
                let flow = single.repeated(self, usize::try_from(times).ok()?)?;
                let own = Totals::new(&self.facts, flow, head, &before);
                own.iterations(head)?
                    .scaled(times)?
                    .plus_constant(times - 1)
            });
            most.extend(found.map(|found| (head, found)));
        }
        let behind = names.filter_map(|name| {
            let form = variable(&name);
            let most = totals.behind(&form)?;
            let least = totals
                .behind(&Form::default().plus(&form, -1)?)?
                .scaled(-1)?;
            Some((name, Trips { least, most }))
        });
        Ok(Nest {
            reached,
            most,
            behind: behind.collect(),
        })
    }
}
