//! The facts relevant to a question: those connected to it by common parameters.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Symbol};

/// Up to `FEW` facts are all used. Of more, the nearest ones are used, up to `MOST`; proofs need far fewer.
const FEW: usize = 32;
const MOST: usize = 96;

/// Facts with an index of the parameters that they mention.
#[derive(Clone, Debug)]
pub struct Cones {
    facts: Vec<ExprId>,
    mentioning: FxHashMap<Symbol, Vec<usize>>,
    /// Positions of facts without parameters.
    constant: Vec<usize>,
}

impl Cones {
    pub fn new(arena: &Arena, facts: &[ExprId]) -> Cones {
        let mut mentioning: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        let mut constant = Vec::new();
        for (position, &fact) in facts.iter().enumerate() {
            let symbols = parameters(arena, fact);
            if symbols.is_empty() {
                constant.push(position);
            }
            for symbol in symbols {
                mentioning.entry(symbol).or_default().push(position);
            }
        }
        Cones {
            facts: facts.to_vec(),
            mentioning,
            constant,
        }
    }

    /// All facts that are connected to `root`, in the order in which they are stated.
    pub fn all(&self, arena: &Arena, root: ExprId) -> Vec<ExprId> {
        let chosen = self.positions(arena, [root], usize::MAX);
        chosen
            .into_iter()
            .map(|position| self.facts[position])
            .collect()
    }

    /// The positions of the facts nearest to `roots`, ascending.
    pub fn nearest(&self, arena: &Arena, roots: impl IntoIterator<Item = ExprId>) -> Vec<usize> {
        self.positions(arena, roots, MOST).into_iter().collect()
    }

    /// All facts in groups without common parameters, each group in order; few facts form one group.
    pub fn groups(&self, arena: &Arena) -> Vec<Vec<usize>> {
        if self.facts.len() <= FEW {
            return vec![(0..self.facts.len()).collect()];
        }
        let mut grouped = FxHashSet::default();
        let mut groups = Vec::new();
        for (position, &fact) in self.facts.iter().enumerate() {
            if !grouped.contains(&position) {
                let mut group = self.positions(arena, [fact], usize::MAX);
                group.insert(position);
                grouped.extend(group.iter().copied());
                groups.push(group.into_iter().collect());
            }
        }
        groups
    }

    fn positions(
        &self,
        arena: &Arena,
        roots: impl IntoIterator<Item = ExprId>,
        most: usize,
    ) -> BTreeSet<usize> {
        if self.facts.len() <= FEW {
            return (0..self.facts.len()).collect();
        }
        let mut chosen: BTreeSet<usize> = self.constant.iter().copied().collect();
        let roots = roots.into_iter();
        let mut queue: VecDeque<Symbol> = roots.flat_map(|root| parameters(arena, root)).collect();
        let mut seen: FxHashSet<Symbol> = queue.iter().copied().collect();
        while let Some(symbol) = queue.pop_front() {
            for &position in self.mentioning.get(&symbol).into_iter().flatten() {
                if chosen.len() >= most {
                    return chosen;
                }
                if chosen.insert(position) {
                    let others = parameters(arena, self.facts[position]).into_iter();
                    queue.extend(others.filter(|&other| seen.insert(other)));
                }
            }
        }
        chosen
    }
}

/// The parameters that an expression mentions, itself or in the range of an index.
fn parameters(arena: &Arena, id: ExprId) -> Vec<Symbol> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = arena.free(id).to_vec();
    while let Some(symbol) = pending.pop() {
        if !seen.insert(symbol) {
            continue;
        }
        match arena.range(symbol) {
            Some((lower, upper)) => {
                pending.extend(arena.free(lower));
                pending.extend(arena.free(upper));
            }
            None => found.push(symbol),
        }
    }
    found.sort_unstable();
    found
}
