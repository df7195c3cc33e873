//! Orders equations that mention others by name.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::expr::Arena;
use crate::timing::LoweredEquation;

/// Equations to close, each after those that it mentions.
pub(super) struct Order {
    pub(super) positions: Vec<usize>,
    /// The equations that each one mentions.
    pub(super) mentions: HashMap<usize, Vec<usize>>,
}

impl Order {
    /// Orders `wanted` with all equations that they mention, directly or not.
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

    /// Positions of equations that others mention.
    pub(super) fn mentioned(&self) -> HashSet<usize> {
        self.mentions.values().flatten().copied().collect()
    }
}

/// The positions of the equations that each equation mentions.
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
