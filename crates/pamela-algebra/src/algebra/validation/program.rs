//! Expressions compiled once and evaluated exactly at many points.
//!
//! Each cell stores its value with the stamp of the innermost index that it mentions, so a value is computed once for
//! each value of that index. [`Evaluation`](crate::eval::Evaluation) gives the same values, but takes ten times as
//! long at a single point, because it rebuilds its tables for each point.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Relation, Sort, Symbol, SymbolKind};
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
enum Op {
    Number(Rational),
    Parameter(usize),
    Index(usize),
    Add(Box<[u32]>),
    Mul(Box<[u32]>),
    /// The largest or the smallest, depending on the ordering.
    Extreme(Ordering, Box<[u32]>),
    Pow(u32, u32),
    Apply(Function, u32),
    Mod(u32, u32),
    CommonDivisor(u32, u32),
    FloorSum([u32; 6]),
    Compare(Relation, u32, u32),
    If(u32, u32, u32),
    Reduce(Box<Loop>),
}

struct Loop {
    kind: Fold,
    slot: usize,
    lower: u32,
    upper: u32,
    body: u32,
}

#[derive(Clone, Copy)]
enum Fold {
    Sum,
    Product,
    Extreme(Ordering),
    Kth(u32),
}

/// Home of cells that mention no index.
const OUTERMOST: usize = usize::MAX;

struct Cell {
    op: Op,
    /// The slot of the innermost index that it mentions.
    home: usize,
    stamp: u64,
    value: Rational,
}

/// The present value of an index.
struct Slot {
    height: u32,
    stamp: u64,
    value: Rational,
}

/// Budget left for an evaluation.
#[derive(Clone, Copy)]
pub struct Budget {
    pub iterations: u64,
    pub steps: u64,
}

/// Expressions of one arena, with the values of parameters and indices.
pub struct Program<'a> {
    arena: &'a Arena,
    cells: Vec<Cell>,
    places: FxHashMap<ExprId, Option<u32>>,
    slots: Vec<Slot>,
    slot_of: FxHashMap<Symbol, usize>,
    parameters: Vec<Symbol>,
    values: Vec<Rational>,
    stamp: u64,
    /// The stamp of the present point.
    outermost: u64,
    budget: Budget,
    /// A hash of the cases that were taken since the last call of [`Program::take_cases`].
    cases: u64,
}

impl<'a> Program<'a> {
    pub fn new(arena: &'a Arena) -> Program<'a> {
        Program {
            arena,
            cells: Vec::new(),
            places: FxHashMap::default(),
            slots: Vec::new(),
            slot_of: FxHashMap::default(),
            parameters: Vec::new(),
            values: Vec::new(),
            stamp: 0,
            outermost: 0,
            budget: Budget {
                iterations: 0,
                steps: 0,
            },
            cases: 0,
        }
    }

    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The parameters in the order of their values.
    pub fn parameters(&self) -> &[Symbol] {
        &self.parameters
    }

    /// Adds a parameter that will have a value.
    pub fn add_parameter(&mut self, symbol: Symbol) -> usize {
        let known = self.parameters.iter().position(|&p| p == symbol);
        known.unwrap_or_else(|| {
            self.parameters.push(symbol);
            self.values.push(Rational::ZERO);
            self.parameters.len() - 1
        })
    }

    /// Moves to the point with these values of the parameters.
    pub fn begin(&mut self, values: &[Rational]) {
        self.values.clone_from_slice(values);
        self.stamp += 1;
        self.outermost = self.stamp;
    }

    /// Sets a free index at the present point.
    pub fn set_index(&mut self, index: Symbol, value: Rational) {
        let slot = self.slot(index);
        self.stamp += 1;
        let slot = &mut self.slots[slot];
        (slot.stamp, slot.value) = (self.stamp, value);
    }

    /// The current value of a free index.
    pub fn index_value(&self, index: Symbol) -> Rational {
        let slot = self.slot_of.get(&index).map(|&slot| &self.slots[slot]);
        slot.map_or(Rational::ZERO, |slot| slot.value.clone())
    }

    /// Returns and resets the hash of the cases taken since the last call.
    pub fn take_cases(&mut self) -> u64 {
        std::mem::take(&mut self.cases)
    }

    /// The value at the current point. The budget is reduced by the work done.
    ///
    /// # Errors
    /// Fails with the [`Fault`] of the expression.
    pub fn value(&mut self, id: ExprId, budget: &mut Budget) -> Result<Rational, Fault> {
        let place = self.compile(id).ok_or(Fault::Irrational)?;
        self.budget = *budget;
        let value = self.get(place);
        *budget = self.budget;
        value
    }

    fn compile(&mut self, id: ExprId) -> Option<u32> {
        if let Some(&known) = self.places.get(&id) {
            return known;
        }
        let place = with_stack(|| self.compile_node(id));
        self.places.insert(id, place);
        place
    }

    fn compile_all(&mut self, list: &[ExprId]) -> Option<Box<[u32]>> {
        list.iter().map(|&operand| self.compile(operand)).collect()
    }

    fn slot(&mut self, symbol: Symbol) -> usize {
        if let Some(&slot) = self.slot_of.get(&symbol) {
            return slot;
        }
        let height = match self.arena.symbol_kind(symbol) {
            SymbolKind::Index { height, .. } => *height,
            _ => u32::MAX,
        };
        self.slots.push(Slot {
            height,
            stamp: 0,
            value: Rational::ZERO,
        });
        self.slot_of.insert(symbol, self.slots.len() - 1);
        self.slots.len() - 1
    }

    fn compile_node(&mut self, id: ExprId) -> Option<u32> {
        let arena = self.arena;
        if arena.sort(id) != Sort::Scalar {
            return None;
        }
        let op = match arena.node(id) {
            Node::Number(value) => Op::Number(value.clone()),
            Node::Symbol(symbol) => match arena.symbol_kind(*symbol) {
                SymbolKind::Index { .. } => Op::Index(self.slot(*symbol)),
                SymbolKind::Named(_) | SymbolKind::Definition(_) => {
                    Op::Parameter(self.add_parameter(*symbol))
                }
                // Equations that are mentioned by name are taken to have a value.
                SymbolKind::HasValue(_) => Op::Number(Rational::ONE),
                _ => return None,
            },
            Node::Add(list) => Op::Add(self.compile_all(list)?),
            Node::Mul(list) => Op::Mul(self.compile_all(list)?),
            Node::Max(list) => Op::Extreme(Ordering::Greater, self.compile_all(list)?),
            Node::Min(list) => Op::Extreme(Ordering::Less, self.compile_all(list)?),
            Node::Pow(base, exponent) => Op::Pow(self.compile(*base)?, self.compile(*exponent)?),
            Node::Apply(function, operand) => Op::Apply(*function, self.compile(*operand)?),
            Node::Mod(a, b) => Op::Mod(self.compile(*a)?, self.compile(*b)?),
            Node::CommonDivisor([a, b]) => Op::CommonDivisor(self.compile(*a)?, self.compile(*b)?),
            Node::FloorSum(list) => Op::FloorSum(self.compile_all(list)?.as_ref().try_into().ok()?),
            Node::Compare(relation, a, b) => {
                Op::Compare(*relation, self.compile(*a)?, self.compile(*b)?)
            }
            Node::If(condition, then, otherwise) => Op::If(
                self.compile(*condition)?,
                self.compile(*then)?,
                self.compile(*otherwise)?,
            ),
            Node::Reduce(reduction) => {
                let kind = match reduction.kind {
                    ReduceKind::Sum => Fold::Sum,
                    ReduceKind::Product => Fold::Product,
                    ReduceKind::Max => Fold::Extreme(Ordering::Greater),
                    ReduceKind::Min => Fold::Extreme(Ordering::Less),
                    ReduceKind::Kth(quorum) => Fold::Kth(self.compile(quorum)?),
                    _ => return None,
                };
                Op::Reduce(Box::new(Loop {
                    kind,
                    slot: self.slot(reduction.index),
                    lower: self.compile(reduction.lower)?,
                    upper: self.compile(reduction.upper)?,
                    body: self.compile(reduction.body)?,
                }))
            }
            _ => return None,
        };
        let indices = arena.free(id).iter();
        let indices = indices.filter_map(|symbol| self.slot_of.get(symbol));
        let home = indices.min_by_key(|&&slot| self.slots[slot].height);
        self.cells.push(Cell {
            op,
            home: home.copied().unwrap_or(OUTERMOST),
            stamp: 0,
            value: Rational::ZERO,
        });
        u32::try_from(self.cells.len() - 1).ok()
    }

    fn get(&mut self, place: u32) -> Result<Rational, Fault> {
        let cell = &self.cells[place as usize];
        match &cell.op {
            Op::Number(value) => return Ok(value.clone()),
            Op::Parameter(own) => return Ok(self.values[*own].clone()),
            Op::Index(slot) => return Ok(self.slots[*slot].value.clone()),
            _ => {}
        }
        let current = match cell.home {
            OUTERMOST => self.outermost,
            // A free index that was not set has no value.
            slot if self.slots[slot].stamp == 0 => return Err(Fault::GivenUp),
            slot => self.slots[slot].stamp.max(self.outermost),
        };
        if cell.stamp == current {
            return Ok(cell.value.clone());
        }
        self.budget.steps = self.budget.steps.checked_sub(1).ok_or(Fault::GivenUp)?;
        // The operation is taken out while it is computed: no operand is the cell itself.
        let op = std::mem::replace(&mut self.cells[place as usize].op, Op::Index(0));
        let value = with_stack(|| self.compute(&op));
        let cell = &mut self.cells[place as usize];
        cell.op = op;
        let value = value?;
        if value.bits() > MOST_BITS {
            return Err(Fault::GivenUp);
        }
        cell.value = value.clone();
        cell.stamp = current;
        Ok(value)
    }

    /// Notes which case was taken at a place.
    fn take(&mut self, place: u64, case: u64) {
        self.cases = self
            .cases
            .wrapping_add(mixed(place.wrapping_mul(31).wrapping_add(case)));
    }

    fn extreme(&mut self, wanted: Ordering, list: &[u32]) -> Result<Rational, Fault> {
        let mut best = self.get(list[0])?;
        let mut case = 0;
        for (number, &next) in list.iter().enumerate().skip(1) {
            let next = self.get(next)?;
            let order = next.cmp(&best);
            if order == wanted {
                best = next;
                case = 2 * number as u64;
            } else if order.is_eq() {
                case += 1;
            }
        }
        self.take(pair(list[0], list[1]), case);
        Ok(best)
    }

    fn compute(&mut self, op: &Op) -> Result<Rational, Fault> {
        match op {
            Op::Number(value) => Ok(value.clone()),
            Op::Parameter(own) => Ok(self.values[*own].clone()),
            Op::Index(slot) => Ok(self.slots[*slot].value.clone()),
            Op::Add(list) => {
                (list.iter()).try_fold(Rational::ZERO, |sum, &term| Ok(sum + self.get(term)?))
            }
            Op::Mul(list) => (list.iter()).try_fold(Rational::ONE, |product, &factor| {
                Ok(product * self.get(factor)?)
            }),
            Op::Extreme(wanted, list) => self.extreme(*wanted, list),
            Op::Pow(base, exponent) => power(self.get(*base)?, &self.get(*exponent)?),
            Op::Apply(function, operand) => apply(*function, &self.get(*operand)?),
            Op::Mod(a, b) => {
                let (a, b) = (self.get(*a)?, self.get(*b)?);
                if !b.is_positive() {
                    return Err(Fault::Undefined);
                }
                let quotient = a.checked_div(&b).ok_or(Fault::Undefined)?;
                Ok(a - b * quotient.floor())
            }
            Op::CommonDivisor(a, b) => {
                let (a, b) = (self.get(*a)?, self.get(*b)?);
                a.common_divisor(&b).ok_or(Fault::Undefined)
            }
            Op::FloorSum([n, m, a, b, p, q]) => {
                let mut value = |place: &u32| self.get(*place);
                let operands = [
                    value(n)?,
                    value(m)?,
                    value(a)?,
                    value(b)?,
                    value(p)?,
                    value(q)?,
                ];
                Rational::floor_sum(operands.each_ref()).ok_or(Fault::Undefined)
            }
            Op::Compare(relation, a, b) => {
                let place = pair(*a, *b) | 1 << 63;
                let order = self.get(*a)?.cmp(&self.get(*b)?);
                self.take(place, order as i64 as u64);
                let holds = match relation {
                    Relation::Less => order.is_lt(),
                    Relation::LessEqual => order.is_le(),
                    Relation::Equal => order.is_eq(),
                };
                Ok(truth(holds))
            }
            Op::If(condition, then, otherwise) => {
                let fails = self.get(*condition)?.is_zero();
                self.get(if fails { *otherwise } else { *then })
            }
            Op::Reduce(reduction) => self.reduce(reduction),
        }
    }

    fn reduce(&mut self, reduction: &Loop) -> Result<Rational, Fault> {
        let upper = self.get(reduction.upper)?;
        let mut index = self.get(reduction.lower)?;
        let quorum = match reduction.kind {
            Fold::Kth(quorum) => Some(self.get(quorum)?),
            _ => None,
        };
        let (mut all, mut ranked): (Option<Rational>, Vec<Rational>) = (None, Vec::new());
        while index <= upper {
            let left = self.budget.iterations.checked_sub(1);
            self.budget.iterations = left.ok_or(Fault::GivenUp)?;
            self.stamp += 1;
            let slot = &mut self.slots[reduction.slot];
            slot.value.clone_from(&index);
            slot.stamp = self.stamp;
            let value = self.get(reduction.body)?;
            index += Rational::ONE;
            if quorum.is_some() {
                ranked.push(value);
                continue;
            }
            let joined = match (all, reduction.kind) {
                (None, _) => value,
                (Some(all), Fold::Sum) => all + value,
                (Some(all), Fold::Product) => all * value,
                (Some(all), Fold::Extreme(wanted)) if value.cmp(&all) == wanted => value,
                (Some(all), _) => all,
            };
            if joined.bits() > MOST_BITS {
                return Err(Fault::GivenUp);
            }
            all = Some(joined);
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

fn power(base: Rational, exponent: &Rational) -> Result<Rational, Fault> {
    if exponent.is_zero() {
        return Ok(Rational::ONE);
    }
    if base.is_zero() {
        return match exponent.is_negative() {
            true => Err(Fault::Undefined),
            false => Ok(Rational::ZERO),
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
    match function {
        Function::Floor => Ok(x.floor()),
        Function::Ceil => Ok(x.ceil()),
        Function::Abs => Ok(x.abs()),
        Function::Integer => Ok(truth(x.is_integer())),
        Function::Harmonic(_) | Function::Factorial if x.is_negative() || !x.is_integer() => {
            Err(Fault::Undefined)
        }
        Function::Sqrt if x.is_negative() => Err(Fault::Undefined),
        Function::Log | Function::LogGamma if !x.is_positive() => Err(Fault::Undefined),
        _ => function.exact(x).ok_or(Fault::Irrational),
    }
}

/// A hash of one number (the finaliser of splitmix64).
pub fn mixed(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
