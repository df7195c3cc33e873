//! Operations of compiled expressions, and their exact values at one point.

use std::cmp::Ordering;

use crate::expr::{Function, Operation, Relation};
use crate::ring::Rational;
use crate::with_stack;

/// Longer numbers are given up.
const MOST_BITS: u64 = 4096;

/// Reason why an expression has no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The expression is undefined at the point.
    Undefined,
    /// Too many steps, too long a number, or a comparison that cannot be decided.
    GivenUp,
    /// The value is not rational, or the expression is not compiled.
    Irrational,
}

/// One operation; operands are positions of cells.
pub enum Op {
    /// A number, a parameter or an index.
    Leaf,
    Add(Box<[u32]>),
    Mul(Box<[u32]>),
    /// The largest or the smallest, depending on the ordering.
    Extreme(Ordering, Box<[u32]>),
    Pow(u32, u32),
    Apply(Function, u32),
    Mod(u32, u32),
    Operate(Operation, Box<[u32]>),
    Compare(Relation, u32, u32),
    If(u32, u32, u32),
    Reduce(Box<Loop>),
}

pub struct Loop {
    pub kind: Fold,
    pub slot: usize,
    pub lower: u32,
    pub upper: u32,
    pub body: u32,
}

#[derive(Clone, Copy)]
pub enum Fold {
    Sum,
    Product,
    Extreme(Ordering),
    Kth(u32),
}

/// Home of cells that mention no index.
pub const OUTERMOST: usize = usize::MAX;
/// Home of numbers, parameters and indices, whose values are always there.
pub const LEAF: usize = usize::MAX - 1;

/// The value of an operation, as of a stamp.
pub struct Cell {
    /// The slot of the innermost index that it mentions.
    pub home: usize,
    pub stamp: u64,
    pub value: Rational,
}

/// The present value of an index.
pub struct Slot {
    /// The cell of the index.
    pub cell: usize,
    pub height: u32,
    pub stamp: u64,
}

/// Budget left for an evaluation.
#[derive(Clone, Copy)]
pub struct Budget {
    pub iterations: u64,
    pub steps: u64,
}

/// Values at the present point.
pub struct State {
    pub cells: Vec<Cell>,
    pub slots: Vec<Slot>,
    pub stamp: u64,
    /// The stamp of the present point.
    pub outermost: u64,
    pub budget: Budget,
    /// A hash of the cases that were taken since the last call of [`Program::take_cases`].
    pub cases: u64,
}

impl State {
    /// Moves to the next value of an index.
    pub fn move_to(&mut self, slot: usize, value: &Rational) {
        self.stamp += 1;
        let slot = &mut self.slots[slot];
        slot.stamp = self.stamp;
        self.cells[slot.cell].value.clone_from(value);
    }

    /// The value of the operation at a place.
    pub fn get(&mut self, ops: &[Op], place: u32) -> Result<&Rational, Fault> {
        self.ensure(ops, place)?;
        Ok(self.known(place))
    }

    /// A value that was computed since the last move.
    fn known(&self, place: u32) -> &Rational {
        &self.cells[place as usize].value
    }

    fn ensure(&mut self, ops: &[Op], place: u32) -> Result<(), Fault> {
        let cell = &self.cells[place as usize];
        let current = match cell.home {
            LEAF => return Ok(()),
            OUTERMOST => self.outermost,
            // A free index that was not set has no value.
            slot if self.slots[slot].stamp == 0 => return Err(Fault::GivenUp),
            slot => self.slots[slot].stamp.max(self.outermost),
        };
        if cell.stamp == current {
            return Ok(());
        }
        self.budget.steps = self.budget.steps.checked_sub(1).ok_or(Fault::GivenUp)?;
        let value = with_stack(|| self.compute(ops, &ops[place as usize]))?;
        if value.bits() > MOST_BITS {
            return Err(Fault::GivenUp);
        }
        let cell = &mut self.cells[place as usize];
        cell.value = value;
        cell.stamp = current;
        Ok(())
    }

    fn both(&mut self, ops: &[Op], a: u32, b: u32) -> Result<(&Rational, &Rational), Fault> {
        self.ensure(ops, a)?;
        self.ensure(ops, b)?;
        Ok((self.known(a), self.known(b)))
    }

    /// Notes which case was taken at a place.
    fn take(&mut self, place: u64, case: u64) {
        self.cases = self
            .cases
            .wrapping_add(mixed(place.wrapping_mul(31).wrapping_add(case)));
    }

    fn extreme(&mut self, ops: &[Op], wanted: Ordering, list: &[u32]) -> Result<Rational, Fault> {
        self.ensure(ops, list[0])?;
        let (mut best, mut case) = (list[0], 0);
        for (number, &next) in list.iter().enumerate().skip(1) {
            self.ensure(ops, next)?;
            let order = self.known(next).cmp(self.known(best));
            if order == wanted {
                best = next;
                case = 2 * number as u64;
            } else if order.is_eq() {
                case += 1;
            }
        }
        self.take(pair(list[0], list[1]), case);
        Ok(self.known(best).clone())
    }

    fn compute(&mut self, ops: &[Op], op: &Op) -> Result<Rational, Fault> {
        match op {
            Op::Leaf => Err(Fault::GivenUp),
            Op::Add(list) => {
                let mut sum = Rational::ZERO;
                for &term in list {
                    sum += self.get(ops, term)?;
                }
                Ok(sum)
            }
            Op::Mul(list) => {
                let mut product = Rational::ONE;
                for &factor in list {
                    product *= self.get(ops, factor)?;
                }
                Ok(product)
            }
            Op::Extreme(wanted, list) => self.extreme(ops, *wanted, list),
            Op::Pow(base, exponent) => {
                let (base, exponent) = self.both(ops, *base, *exponent)?;
                power(base, exponent)
            }
            Op::Apply(function, operand) => apply(*function, self.get(ops, *operand)?),
            Op::Mod(a, b) => {
                let (a, b) = self.both(ops, *a, *b)?;
                if !b.is_positive() {
                    return Err(Fault::Undefined);
                }
                let quotient = a.checked_div(b).ok_or(Fault::Undefined)?;
                Ok(a - b * quotient.floor())
            }
            Op::Operate(operation, places) => {
                for &place in places {
                    self.ensure(ops, place)?;
                }
                let operands: Vec<&Rational> =
                    places.iter().map(|&place| self.known(place)).collect();
                operation.exact(&operands).ok_or(Fault::Undefined)
            }
            Op::Compare(relation, a, b) => {
                let place = pair(*a, *b) | 1 << 63;
                let (a, b) = self.both(ops, *a, *b)?;
                let order = a.cmp(b);
                self.take(place, order as i64 as u64);
                Ok(truth(relation.holds(order)))
            }
            Op::If(condition, then, otherwise) => {
                let fails = self.get(ops, *condition)?.is_zero();
                self.get(ops, if fails { *otherwise } else { *then })
                    .cloned()
            }
            Op::Reduce(reduction) => self.reduce(ops, reduction),
        }
    }

    fn reduce(&mut self, ops: &[Op], reduction: &Loop) -> Result<Rational, Fault> {
        let upper = self.get(ops, reduction.upper)?.clone();
        let mut index = self.get(ops, reduction.lower)?.clone();
        let quorum = match reduction.kind {
            Fold::Kth(quorum) => Some(self.get(ops, quorum)?.clone()),
            _ => None,
        };
        let (mut all, mut ranked): (Option<Rational>, Vec<Rational>) = (None, Vec::new());
        while index <= upper {
            let left = self.budget.iterations.checked_sub(1);
            self.budget.iterations = left.ok_or(Fault::GivenUp)?;
            self.move_to(reduction.slot, &index);
            let value = self.get(ops, reduction.body)?;
            index += &Rational::ONE;
            if quorum.is_some() {
                ranked.push(value.clone());
                continue;
            }
            let Some(known) = &mut all else {
                all = Some(value.clone());
                continue;
            };
            match reduction.kind {
                Fold::Sum => *known += value,
                Fold::Product => *known *= value,
                Fold::Extreme(wanted) if value.cmp(known) == wanted => known.clone_from(value),
                _ => {}
            }
            if known.bits() > MOST_BITS {
                return Err(Fault::GivenUp);
            }
        }
        let Some(quorum) = quorum else {
            return Ok(all.unwrap_or(match reduction.kind {
                Fold::Product => Rational::ONE,
                _ => Rational::ZERO,
            }));
        };
        if ranked.is_empty() {
            return Ok(Rational::ZERO);
        }
        ranked.sort();
        let rank = quorum.to_i64().and_then(|k| usize::try_from(k - 1).ok());
        let ranked = rank.and_then(|rank| ranked.get(rank).cloned());
        ranked.ok_or(Fault::Undefined)
    }
}

fn truth(holds: bool) -> Rational {
    Rational::from(i64::from(holds))
}

fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

fn power(base: &Rational, exponent: &Rational) -> Result<Rational, Fault> {
    if exponent.is_zero() {
        return Ok(Rational::ONE);
    }
    if base.is_zero() {
        return if exponent.is_negative() {
            Err(Fault::Undefined)
        } else {
            Ok(Rational::ZERO)
        };
    }
    if !exponent.is_integer() {
        return Err(Fault::Irrational);
    }
    let exponent = exponent.to_i64().ok_or(Fault::GivenUp)?;
    let bits = base.bits().saturating_mul(exponent.unsigned_abs());
    if !base.abs().is_one() && bits > 2 * MOST_BITS {
        return Err(Fault::GivenUp);
    }
    base.pow(exponent).ok_or(Fault::GivenUp)
}

fn apply(function: Function, x: &Rational) -> Result<Rational, Fault> {
    if function.row().domain.has(x) {
        function.exact(x).ok_or(Fault::Irrational)
    } else {
        Err(Fault::Undefined)
    }
}

/// A hash of one number (the finaliser of splitmix64).
pub fn mixed(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
