//! Bounds of how often a way of a nest is taken by a linear form for each loop, which Farkas' lemma finds: the way makes it
//! smaller, no other one makes it larger by more than a number, and it is at least 0 where the way is taken. (Alias, Darte,
//! Feautrier and Gonnord, Multi-dimensional rankings, program termination, and complexity bounds of flowchart programs.)

use std::collections::{BTreeMap, BTreeSet};

use pamela_exact::ring::Rational;

use super::changes::Form;
use super::graph::Way;
use super::linear::cheapest;
use super::number::{Atom, Number};
use super::proofs::above;
use super::totals::Scope;

/// Entries of the equations that are solved.
const MOST_ENTRIES: usize = 20_000;
/// What one more of another way costs, beside coefficients.
const DEAR: i64 = 1_000;
/// Searches for a form, each without a way that the one before needs, and that has no bound.
const MOST_TRIES: usize = 4;

/// What a form is a sum of: variables of the nest, and products that never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'p> {
    Variable(&'p str),
    Fixed(&'p [(Atom, u32)]),
}

fn parts(form: &Form) -> impl Iterator<Item = (Part<'_>, i64)> {
    let variables = form.variables.iter();
    let variables = variables.map(|(name, factor)| (Part::Variable(name), *factor));
    let fixed = form.rest.terms();
    variables.chain(fixed.map(|(product, factor)| (Part::Fixed(product), factor)))
}

/// A form of the outermost loop times a divisor, and how much other ways add to it.
struct Ranking {
    form: Form,
    divisor: i64,
    more: Vec<(usize, i64)>,
}

/// The unknown numbers: the coefficients of the forms, of which each is a difference, then increases by ways, and the factors
/// of the conditions.
struct Unknowns<'p> {
    forms: BTreeMap<(usize, Part<'p>), usize>,
    more: BTreeMap<usize, usize>,
    costs: Vec<i64>,
}

impl<'p> Unknowns<'p> {
    fn add(&mut self, cost: i64) -> usize {
        self.costs.push(cost);
        self.costs.len() - 1
    }
}

/// An equation for each part.
#[derive(Default)]
struct Equations<'p> {
    all: BTreeMap<Part<'p>, BTreeMap<usize, i64>>,
    right: BTreeMap<Part<'p>, i64>,
}

impl<'p> Equations<'p> {
    fn add(&mut self, part: Part<'p>, unknown: usize, factor: i64) {
        *self
            .all
            .entry(part)
            .or_default()
            .entry(unknown)
            .or_default() += factor;
    }

    /// The form of a loop.
    fn form(&mut self, unknowns: &Unknowns<'p>, at: usize) {
        for ((place, part), unknown) in &unknowns.forms {
            if *place == at {
                self.add(*part, *unknown, 1);
                self.add(*part, unknown + 1, -1);
            }
        }
    }

    /// Conditions, each times a factor from 0 on, and a number from 0 on.
    fn less(&mut self, unknowns: &mut Unknowns<'p>, conditions: &[&'p Form]) {
        for condition in conditions {
            let factor = unknowns.add(1);
            for (part, own) in parts(condition) {
                self.add(part, factor, -own);
            }
        }
        let rest = unknowns.add(0);
        self.add(Part::Fixed(&[]), rest, -1);
    }
}

impl Scope<'_> {
    /// A bound of how often a way is taken, by forms of the loops.
    pub fn by_ranking(&self, at: usize, open: &mut Vec<usize>) -> Option<Number> {
        let mut banned: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..MOST_TRIES {
            self.searches.set(self.searches.get().checked_sub(1)?);
            let Ranking {
                form,
                divisor,
                more,
            } = self.ranking(at, &banned)?;
            let first = (self.first)(&form, open.len())?.div(&Number::constant(divisor));
            let mut sum = above(self.facts, &first.plus_constant(1)?);
            let mut failed = None;
            for (other, by) in more {
                match self.times(other, open).filter(Number::is_short) {
                    Some(times) => sum = sum.plus(&times.scaled(by)?)?,
                    None => failed = Some(other),
                }
            }
            match failed {
                Some(other) => banned.insert(other),
                None => return Some(sum),
            };
        }
        None
    }

    fn ranking(&self, at: usize, banned: &BTreeSet<usize>) -> Option<Ranking> {
        let facts = self.fixed();
        let mut variables: BTreeSet<&str> = BTreeSet::new();
        let mut fixed: BTreeSet<Part> = BTreeSet::from([Part::Fixed(&[])]);
        let conditions = |way: &&'_ Way| way.guards.len() + way.known.len();
        for way in &self.ways {
            let forms = way.guards.iter().chain(&way.known).chain(way.next.values());
            for (part, _) in forms.flat_map(parts) {
                match part {
                    Part::Variable(name) => variables.extend(Some(name)),
                    Part::Fixed(_) => fixed.extend(Some(part)),
                }
            }
            variables.extend(way.next.keys().map(String::as_str));
        }
        variables.retain(|name| !self.fresh.contains(*name));
        let mut unknowns = Unknowns {
            forms: BTreeMap::new(),
            more: BTreeMap::new(),
            costs: Vec::new(),
        };
        let places: BTreeSet<usize> = self.ways.iter().map(|way| way.from).collect();
        for place in places {
            let own = variables.iter().map(|name| Part::Variable(name));
            for part in own.chain(fixed.iter().copied()) {
                let is_unset = |name: &str| place == self.head && self.unset.contains(name);
                if matches!(part, Part::Variable(name) if is_unset(name)) {
                    continue;
                }
                let first = unknowns.add(1);
                unknowns.add(1);
                unknowns.forms.insert((place, part), first);
            }
        }
        let rows = self.ways.len() * (variables.len() + fixed.len() + self.fresh.len());
        let columns: usize = self.ways.iter().map(conditions).sum();
        if rows * (columns + unknowns.costs.len()) > MOST_ENTRIES {
            return None;
        }
        let mut systems = Vec::new();
        for (other, way) in self.ways.iter().enumerate() {
            let mut own = Equations::default();
            own.form(&unknowns, way.from);
            self.after(&mut own, &unknowns, way);
            if other == at {
                own.right.insert(Part::Fixed(&[]), 1);
            } else if !banned.contains(&other) {
                let more = unknowns.add(DEAR);
                unknowns.more.insert(other, more);
                own.add(Part::Fixed(&[]), more, 1);
            }
            let known: Vec<&Form> = way.guards.iter().chain(&way.known).chain(&facts).collect();
            own.less(&mut unknowns, &known);
            systems.push(own);
            if other == at {
                let mut own = Equations::default();
                own.form(&unknowns, way.from);
                own.less(&mut unknowns, &known);
                systems.push(own);
            }
        }
        let found = cheapest(dense(&systems, unknowns.costs.len()), &costs(&unknowns))?;
        self.read(&unknowns, &found)
    }

    /// The form of a loop after a way, subtracted.
    fn after<'p>(&self, equations: &mut Equations<'p>, unknowns: &Unknowns<'p>, way: &'p Way) {
        let Some(to) = way.to else { return };
        for ((place, part), unknown) in &unknowns.forms {
            let next = match part {
                Part::Variable(name) => way.next.get(*name),
                Part::Fixed(_) => None,
            };
            if *place != to {
                continue;
            }
            let mut add = |part: Part<'p>, factor: i64| {
                equations.add(part, *unknown, -factor);
                equations.add(part, unknown + 1, factor);
            };
            match next {
                Some(next) => parts(next).for_each(|(part, factor)| add(part, factor)),
                None => add(*part, 1),
            }
        }
    }

    /// What is known of products that never change, as forms that are at least 0.
    fn fixed(&self) -> Vec<Form> {
        let mut found: Vec<Form> = Vec::new();
        let mut add = |rest: Number| {
            let form = Form {
                rest,
                ..Form::default()
            };
            if !found.contains(&form) {
                found.push(form);
            }
        };
        for way in &self.ways {
            for form in way.guards.iter().chain(&way.known).chain(way.next.values()) {
                for (product, _) in form.rest.terms().filter(|(own, _)| !own.is_empty()) {
                    let own =
                        product
                            .iter()
                            .try_fold(Number::constant(1), |all, (atom, exponent)| {
                                (0..*exponent)
                                    .try_fold(all, |all, _| all.times(&Number::atom(atom.clone())))
                            });
                    if let Some(own) = own.filter(|own| self.facts.nonnegative(own)) {
                        add(own);
                    }
                }
            }
        }
        let is_linear = |number: &&Number| number.is_short() && number.terms().count() < 4;
        self.facts
            .known
            .iter()
            .filter(is_linear)
            .take(8)
            .cloned()
            .for_each(add);
        found
    }

    fn read(&self, unknowns: &Unknowns, found: &[Rational]) -> Option<Ranking> {
        let own = unknowns
            .forms
            .iter()
            .filter(|((place, _), _)| *place == self.head);
        let own = own.map(|((_, part), at)| (*part, found[*at].clone() - found[at + 1].clone()));
        let own: Vec<(Part, Rational)> = own.filter(|(_, factor)| !factor.is_zero()).collect();
        let mut divisor = Rational::ONE;
        for (_, factor) in &own {
            let denominator = Rational::from(factor.denominator());
            let shared = divisor.gcd(&denominator);
            divisor *= denominator.checked_div(&shared)?;
        }
        let mut form = Form::default();
        for (part, factor) in own {
            let factor = (factor * divisor.clone()).to_i64()?;
            match part {
                Part::Variable(name) => {
                    form.variables.insert(name.to_string(), factor);
                }
                Part::Fixed(product) => {
                    let mut value = Number::constant(factor);
                    for (atom, exponent) in product {
                        for _ in 0..*exponent {
                            value = value.times(&Number::atom(atom.clone()))?;
                        }
                    }
                    form.rest = form.rest.plus(&value)?;
                }
            }
        }
        let more = unknowns
            .more
            .iter()
            .map(|(way, at)| Some((*way, found[*at].ceil().to_i64()?)));
        let more: Vec<(usize, i64)> = more.collect::<Option<_>>()?;
        let more = more.into_iter().filter(|(_, by)| *by != 0).collect();
        Some(Ranking {
            form,
            divisor: divisor.to_i64()?,
            more,
        })
    }
}

fn costs(unknowns: &Unknowns) -> Vec<Rational> {
    unknowns
        .costs
        .iter()
        .map(|cost| Rational::from(*cost))
        .collect()
}

/// The rows of all equations, each with its right side.
fn dense(systems: &[Equations], columns: usize) -> Vec<Vec<Rational>> {
    let rows = systems.iter().flat_map(|system| {
        system.all.iter().map(|(part, row)| {
            let mut all = vec![Rational::ZERO; columns + 1];
            for (at, factor) in row {
                all[*at] = Rational::from(*factor);
            }
            let right = system.right.get(part).copied().unwrap_or(0);
            all[columns] = Rational::from(right);
            all
        })
    });
    rows.collect()
}
