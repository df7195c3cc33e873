//! Expressions compiled once and evaluated exactly at many points.
//!
//! Each cell stores its value with the stamp of the innermost index that it mentions, so a value is computed once for
//! each value of that index. [`Evaluation`](crate::eval::Evaluation) gives the same values, but takes ten times as
//! long at a single point, because it rebuilds its tables for each point.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node, ReduceKind, Sort, Symbol, SymbolKind};
use crate::ring::Rational;
use crate::with_stack;

use super::state::{Budget, Cell, Fault, Fold, LEAF, Loop, OUTERMOST, Op, Slot, State};

/// Expressions of one arena, with the values of parameters and indices.
pub struct Program<'a> {
    arena: &'a Arena,
    ops: Vec<Op>,
    places: FxHashMap<ExprId, Option<u32>>,
    slot_of: FxHashMap<Symbol, usize>,
    parameters: Vec<Symbol>,
    /// The cell of each parameter.
    parameter_cells: Vec<usize>,
    state: State,
}

impl<'a> Program<'a> {
    pub fn new(arena: &'a Arena) -> Program<'a> {
        Program {
            arena,
            ops: Vec::new(),
            places: FxHashMap::default(),
            slot_of: FxHashMap::default(),
            parameters: Vec::new(),
            parameter_cells: Vec::new(),
            state: State {
                cells: Vec::new(),
                slots: Vec::new(),
                stamp: 0,
                outermost: 0,
                budget: Budget {
                    iterations: 0,
                    steps: 0,
                },
                cases: 0,
            },
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
            let cell = self.leaf(Rational::ZERO);
            self.parameter_cells.push(cell);
            self.parameters.len() - 1
        })
    }

    /// Moves to the point with these values of the parameters.
    pub fn begin(&mut self, values: &[Rational]) {
        let state = &mut self.state;
        for (&cell, value) in self.parameter_cells.iter().zip(values) {
            state.cells[cell].value.clone_from(value);
        }
        state.stamp += 1;
        state.outermost = state.stamp;
    }

    /// Sets a free index at the present point.
    pub fn set_index(&mut self, index: Symbol, value: Rational) {
        let slot = self.slot(index);
        self.state.move_to(slot, &value);
    }

    /// The current value of a free index.
    pub fn index_value(&self, index: Symbol) -> Rational {
        let cell = self
            .slot_of
            .get(&index)
            .map(|&slot| self.state.slots[slot].cell);
        cell.map_or(Rational::ZERO, |cell| self.state.cells[cell].value.clone())
    }

    /// Returns and resets the hash of the cases taken since the last call.
    pub fn take_cases(&mut self) -> u64 {
        std::mem::take(&mut self.state.cases)
    }

    /// The value at the current point. The budget is reduced by the work done.
    ///
    /// # Errors
    /// Fails with the [`Fault`] of the expression.
    pub fn value(&mut self, id: ExprId, budget: &mut Budget) -> Result<Rational, Fault> {
        let place = self.compile(id).ok_or(Fault::Irrational)?;
        self.state.budget = *budget;
        let value = self.state.get(&self.ops, place).cloned();
        *budget = self.state.budget;
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
        let cell = self.leaf(Rational::ZERO);
        let slots = &mut self.state.slots;
        slots.push(Slot {
            cell,
            height,
            stamp: 0,
        });
        self.slot_of.insert(symbol, slots.len() - 1);
        slots.len() - 1
    }

    /// A cell with a value that is always there.
    fn leaf(&mut self, value: Rational) -> usize {
        self.add(Op::Leaf, LEAF, value)
    }

    fn add(&mut self, op: Op, home: usize, value: Rational) -> usize {
        self.ops.push(op);
        self.state.cells.push(Cell {
            home,
            stamp: 0,
            value,
        });
        self.ops.len() - 1
    }

    fn compile_symbol(&mut self, symbol: Symbol) -> Option<usize> {
        match self.arena.symbol_kind(symbol) {
            SymbolKind::Index { .. } => {
                let slot = self.slot(symbol);
                Some(self.state.slots[slot].cell)
            }
            SymbolKind::Named(_) | SymbolKind::Definition(_) => {
                let own = self.add_parameter(symbol);
                Some(self.parameter_cells[own])
            }
            // Equations that are mentioned by name are taken to have a value.
            SymbolKind::HasValue(_) => Some(self.leaf(Rational::ONE)),
            _ => None,
        }
    }

    fn compile_node(&mut self, id: ExprId) -> Option<u32> {
        let arena = self.arena;
        if arena.sort(id) != Sort::Scalar {
            return None;
        }
        let op = match arena.node(id) {
            Node::Number(value) => return place_of(self.leaf(value.clone())),
            Node::Symbol(symbol) => return place_of(self.compile_symbol(*symbol)?),
            Node::Add(list) => Op::Add(self.compile_all(list)?),
            Node::Mul(list) => Op::Mul(self.compile_all(list)?),
            Node::Max(list) => Op::Extreme(Ordering::Greater, self.compile_all(list)?),
            Node::Min(list) => Op::Extreme(Ordering::Less, self.compile_all(list)?),
            Node::Pow(base, exponent) => Op::Pow(self.compile(*base)?, self.compile(*exponent)?),
            Node::Apply(function, operand) => Op::Apply(*function, self.compile(*operand)?),
            Node::Mod(a, b) => Op::Mod(self.compile(*a)?, self.compile(*b)?),
            Node::Operate(operation, list) => Op::Operate(*operation, self.compile_all(list)?),
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
        let home = indices.min_by_key(|&&slot| self.state.slots[slot].height);
        let home = home.copied().unwrap_or(OUTERMOST);
        place_of(self.add(op, home, Rational::ZERO))
    }
}

fn place_of(cell: usize) -> Option<u32> {
    u32::try_from(cell).ok()
}
