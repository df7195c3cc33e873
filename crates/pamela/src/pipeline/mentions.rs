//! Equations that mention others by name: in which order they are closed, and which are told.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::Simplified;
use super::close::ClosedEquation;
use crate::expr::Arena;
use crate::timing::LoweredEquation;

/// What is closed, in this order: each equation after those that it mentions.
pub(super) struct Order {
    pub(super) positions: Vec<usize>,
    /// What each of them mentions.
    pub(super) mentions: HashMap<usize, Vec<usize>>,
}

impl Order {
    /// `wanted` with all that they mention directly or not.
    pub(super) fn new(wanted: &[usize], mentions_of: impl Fn(usize) -> Vec<usize>) -> Order {
        let mut order = Order {
            positions: Vec::new(),
            mentions: HashMap::new(),
        };
        // A search with a path of its own: chains of names may be long.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for &root in wanted {
            order.enter(root, &mentions_of, &mut path);
            while let Some((position, followed)) = path.last_mut() {
                let (position, next) = (*position, *followed);
                *followed += 1;
                match order.mentions[&position].get(next).copied() {
                    Some(mentioned) => order.enter(mentioned, &mentions_of, &mut path),
                    None => {
                        order.positions.push(position);
                        path.pop();
                    }
                }
            }
        }
        order
    }

    fn enter(
        &mut self,
        position: usize,
        mentions_of: &impl Fn(usize) -> Vec<usize>,
        path: &mut Vec<(usize, usize)>,
    ) {
        if let Entry::Vacant(new) = self.mentions.entry(position) {
            new.insert(mentions_of(position));
            path.push((position, 0));
        }
    }

    /// The positions that another one mentions.
    pub(super) fn mentioned(&self) -> HashSet<usize> {
        self.mentions.values().flatten().copied().collect()
    }
}

/// The equations that each equation mentions, as positions.
pub(super) fn of_equations(
    arena: &Arena,
    equations: &[LoweredEquation],
) -> impl Fn(usize) -> Vec<usize> {
    let named = equations.iter().enumerate();
    let by_name: HashMap<&str, usize> = named.map(|(at, e)| (e.name.as_str(), at)).collect();
    move |position| {
        let equation = &equations[position];
        let roots = equation.conditions.iter().chain([&equation.expr]);
        let names = roots.flat_map(|&root| arena.mentioned(root));
        let mut found: Vec<usize> = names
            .filter_map(|defined| by_name.get(defined.name.as_str()).copied())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The equations at the positions that are wanted, and those that they mention; each with what is derived of it.
pub(super) fn told(
    mut closed: BTreeMap<usize, Vec<ClosedEquation>>,
    results: &Arena,
    wanted: Vec<usize>,
) -> Vec<ClosedEquation> {
    let first = |(&position, group): (&usize, &Vec<ClosedEquation>)| {
        Some((group.first()?.equation.name.clone(), position))
    };
    let by_name: HashMap<String, usize> = closed.iter().filter_map(first).collect();
    let mut found = HashSet::new();
    let mut pending = wanted;
    while let Some(position) = pending.pop() {
        if !found.insert(position) {
            continue;
        }
        let group = closed.get(&position).into_iter().flatten();
        let names = group.flat_map(|told| told.mentions(results));
        pending.extend(names.filter_map(|name| by_name.get(&name)));
    }
    closed.retain(|position, _| found.contains(position));
    closed.into_values().flatten().collect()
}

impl ClosedEquation {
    /// The equations that the closed form and its conditions mention, and those that it rests on.
    fn mentions(&self, results: &Arena) -> Vec<String> {
        let roots = self.closed.assumptions.iter().chain([&self.closed.expr]);
        let mentioned = roots.flat_map(|&root| results.mentioned(root));
        let mut names: Vec<String> = mentioned.map(|defined| defined.name.clone()).collect();
        names.extend(self.rests_on.iter().cloned());
        names
    }
}

impl Simplified {
    /// Positions of all equations, each after those that its formula mentions.
    pub(crate) fn callees_first(&self) -> Vec<usize> {
        let named = self.equations.iter().enumerate();
        let by_name: HashMap<&str, usize> = named.map(|(at, e)| (e.name.as_str(), at)).collect();
        let mentions = |position: usize| {
            let formula = &self.equations[position].formula;
            let names = formula.mentions().into_iter();
            names
                .filter_map(|name| by_name.get(name.as_str()).copied())
                .collect()
        };
        let all: Vec<usize> = (0..self.equations.len()).collect();
        Order::new(&all, mentions).positions
    }
}
