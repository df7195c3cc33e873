//! Where a condition holds.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::condition::Condition;
use super::lattice::{Cell, Pieces, overlaid};
use super::signs::{Obstacle, Sign, Signs};
use crate::expr::{ExprId, Node};
use crate::syntax::tree::Relation;

/// Truth of a condition in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    No,
    Yes,
    Undefined,
    /// Not known without evaluating each point.
    Open(Obstacle),
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }
}

/// True if a number with this sign compares so with 0.
pub fn holds(relation: Relation, sign: Ordering) -> bool {
    match relation {
        Relation::Less => sign.is_lt(),
        Relation::LessEqual => sign.is_le(),
        Relation::Greater => sign.is_gt(),
        Relation::GreaterEqual => sign.is_ge(),
        Relation::Equal => sign.is_eq(),
        Relation::NotEqual => sign.is_ne(),
    }
}

/// The comparison of the language for one of an expression.
pub fn written(relation: crate::expr::Relation) -> Relation {
    match relation {
        crate::expr::Relation::Less => Relation::Less,
        crate::expr::Relation::LessEqual => Relation::LessEqual,
        crate::expr::Relation::Equal => Relation::Equal,
    }
}

/// From left to right: both hold.
pub fn both(a: &Truth, b: &Truth) -> Truth {
    match (a, b) {
        (Truth::Yes, other) => other.clone(),
        (Truth::Open(_), Truth::No) => Truth::No,
        (own, _) => own.clone(),
    }
}

/// From left to right: one holds.
pub fn either(a: &Truth, b: &Truth) -> Truth {
    match (a, b) {
        (Truth::No, other) => other.clone(),
        (own, _) => own.clone(),
    }
}

/// Divides further the cells in which all conditions up to now hold.
pub fn within_each(
    pieces: &Pieces<Truth>,
    mut next: impl FnMut(Cell) -> Pieces<Truth>,
) -> Pieces<Truth> {
    let mut all = Vec::new();
    for (cell, truth) in pieces {
        match truth {
            Truth::Yes => all.extend(next(*cell)),
            other => all.push((*cell, other.clone())),
        }
    }
    all
}

impl Signs {
    /// Where `difference` compares so with 0.
    pub fn truths(&mut self, relation: Relation, difference: ExprId, cell: Cell) -> Pieces<Truth> {
        let signs = self.of_difference(difference, cell);
        let truth = |sign: Result<Sign, Obstacle>| match sign {
            Ok(sign) => sign.map_or(Truth::Undefined, |sign| holds(relation, sign).into()),
            Err(obstacle) => Truth::Open(obstacle),
        };
        let each = signs.into_iter().map(|(cell, sign)| (cell, truth(sign)));
        let all: Pieces<Truth> = each.collect();
        self.lattice.joined(all)
    }

    /// Where a truth value of the arena is 1.
    pub fn truth_of(&mut self, id: ExprId, cell: Cell) -> Pieces<Truth> {
        match self.arena.node(id).clone() {
            Node::Number(value) => vec![(cell, Truth::from(!value.is_zero()))],
            Node::Compare(relation, a, b) => {
                let difference = self.arena.subtract(a, b);
                self.truths(written(relation), difference, cell)
            }
            Node::Mul(list) => {
                let start = vec![(cell, Truth::Yes)];
                list.iter().fold(start, |all, &own| {
                    within_each(&all, |cell| self.truth_of(own, cell))
                })
            }
            _ => self.truths(Relation::NotEqual, id, cell),
        }
    }

    /// Where a condition holds.
    pub fn truth(
        &mut self,
        condition: &Condition,
        sides: &BTreeMap<&str, ExprId>,
        cell: Cell,
    ) -> Pieces<Truth> {
        match condition {
            Condition::Compare(relation, left, right) => {
                let difference = self.difference(left, right, sides);
                self.truths(*relation, difference, cell)
            }
            Condition::All(list) => {
                let start = vec![(cell, Truth::Yes)];
                list.iter().fold(start, |all, own| {
                    let own = self.truth(own, sides, cell);
                    overlaid(&all, &own, both)
                })
            }
            Condition::Any(list) => {
                let start = vec![(cell, Truth::No)];
                list.iter().fold(start, |all, own| {
                    let own = self.truth(own, sides, cell);
                    overlaid(&all, &own, either)
                })
            }
        }
    }
}
