//! Answers with conditions on other parameters.

use crate::expr::{Arena, ExprId};

/// Cases that are given up.
const MOST_CASES: usize = 64;

/// A bound of the variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub value: ExprId,
    pub is_included: bool,
}

/// All numbers that meet several bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Between {
    pub lows: Vec<Bound>,
    pub highs: Vec<Bound>,
}

/// Combines the ranges of two leaves.
type Combine = dyn Fn(Vec<Between>, &[Between]) -> Vec<Between>;

/// Conditions, each with whether it must hold, and the ranges where they do.
pub type PathToLeaf = (Vec<(ExprId, bool)>, Vec<Between>);

/// A union of ranges for each case of conditions.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(Vec<Between>),
    /// A condition on other parameters, the answer where it holds, and the answer where it does not.
    Split(ExprId, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// No number.
    pub fn never() -> Tree {
        Tree::Leaf(Vec::new())
    }

    /// All numbers.
    pub fn always() -> Tree {
        Tree::Leaf(vec![Between::default()])
    }

    /// The numbers from a bound on.
    pub fn from(low: Bound) -> Tree {
        Tree::Leaf(vec![Between {
            lows: vec![low],
            highs: Vec::new(),
        }])
    }

    /// The numbers up to a bound.
    pub fn to(high: Bound) -> Tree {
        Tree::Leaf(vec![Between {
            lows: Vec::new(),
            highs: vec![high],
        }])
    }

    /// The numbers from a bound to another.
    pub fn between(low: Bound, high: Bound) -> Tree {
        Tree::Leaf(vec![Between {
            lows: vec![low],
            highs: vec![high],
        }])
    }

    /// The tree where a condition holds, and another one where it does not.
    pub fn split(arena: &Arena, condition: ExprId, then: Tree, otherwise: Tree) -> Tree {
        match arena.as_number(condition) {
            Some(value) if value.is_zero() => otherwise,
            Some(_) => then,
            None => Tree::Split(condition, Box::new(then), Box::new(otherwise)),
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Split(_, then, otherwise) => then.leaves() + otherwise.leaves(),
        }
    }

    fn combined(self, other: &Tree, combine: &Combine) -> Tree {
        match (self, other) {
            (Tree::Leaf(own), Tree::Leaf(list)) => Tree::Leaf(combine(own, list)),
            (own @ Tree::Leaf(_), Tree::Split(condition, then, otherwise)) => Tree::Split(
                *condition,
                Box::new(own.clone().combined(then, combine)),
                Box::new(own.combined(otherwise, combine)),
            ),
            (Tree::Split(condition, then, otherwise), other) => {
                let [yes, no] = [true, false].map(|holds| other.assuming(condition, holds));
                Tree::Split(
                    condition,
                    Box::new(then.combined(&yes, combine)),
                    Box::new(otherwise.combined(&no, combine)),
                )
            }
        }
    }

    /// The tree where a condition is known to hold or not to hold.
    fn assuming(&self, known: ExprId, holds: bool) -> Tree {
        match self {
            Tree::Leaf(_) => self.clone(),
            Tree::Split(condition, then, otherwise) if *condition == known => {
                let chosen = if holds { then } else { otherwise };
                chosen.assuming(known, holds)
            }
            Tree::Split(condition, then, otherwise) => Tree::Split(
                *condition,
                Box::new(then.assuming(known, holds)),
                Box::new(otherwise.assuming(known, holds)),
            ),
        }
    }

    /// The numbers in both answers; `None` if there are too many cases.
    pub fn and(self, other: &Tree) -> Option<Tree> {
        let both = self.combined(other, &|own, list| {
            let pairs = own.iter().flat_map(|a| list.iter().map(move |b| (a, b)));
            pairs
                .map(|(a, b)| {
                    let mut both = a.clone();
                    for bound in &b.lows {
                        if !both.lows.contains(bound) {
                            both.lows.push(*bound);
                        }
                    }
                    for bound in &b.highs {
                        if !both.highs.contains(bound) {
                            both.highs.push(*bound);
                        }
                    }
                    both
                })
                .collect()
        });
        (both.leaves() <= MOST_CASES).then_some(both)
    }

    /// The numbers in one of two answers; `None` if there are too many cases.
    pub fn or(self, other: &Tree) -> Option<Tree> {
        let either = self.combined(other, &|mut own, list| {
            if own.contains(&Between::default()) {
                return own;
            }
            own.extend(
                list.iter()
                    .filter(|part| !own.contains(part))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            own
        });
        (either.leaves() <= MOST_CASES).then_some(either)
    }

    /// The answers with their conditions, each with whether it must hold.
    pub fn cases(&self) -> Vec<PathToLeaf> {
        let mut all = Vec::new();
        let mut pending = vec![(self, Vec::new())];
        while let Some((tree, path)) = pending.pop() {
            match tree {
                Tree::Leaf(ranges) => all.push((path, ranges.clone())),
                Tree::Split(condition, then, otherwise) => {
                    pending.push((otherwise, [&path[..], &[(*condition, false)]].concat()));
                    pending.push((then, [&path[..], &[(*condition, true)]].concat()));
                }
            }
        }
        all
    }
}
