//! Conditions under which doubles decide floors, comparisons and remainders as exact numbers do.
//!
//! Each operand has an error bound, and a number of which it is a multiple. A decision is certain
//! if the operand is farther from the step than its error. It is also certain if the operand lies
//! on the step and no other multiple is within the error.

mod bounds;
mod functions;
mod texts;

use super::bound::Bound;
use super::expression::Writer;
use super::notation::{Divisor, Obstacle};
use crate::expr::{ExprId, Function, Node, Relation, Sign, SymbolKind};
use crate::ring::Rational;

type Bounded = Result<Bound, Obstacle>;

/// Larger than all grids on which anything is decided.
const NO_GRID: f64 = 1e300;
/// Parameters that are not declared whole are exact if they are multiples of 1 / `FINE`.
const FINE: i64 = 1024;
/// Bits that a rounding keeps, less one.
const DIGITS: u32 = 52;
/// The digits kept by library functions, and by long calculations.
const FUNCTION_DIGITS: u32 = 49;
const LONG_DIGITS: u32 = 38;

impl Writer<'_> {
    /// The conditions under which all decisions in the expressions equal those of exact numbers.
    pub fn decisions(&mut self, roots: &[ExprId]) -> Result<Vec<String>, Obstacle> {
        let mut found: Vec<String> = Vec::new();
        let mut pending = roots.to_vec();
        let mut seen = std::collections::HashSet::new();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            pending.extend(self.arena.operands(id));
            if let Some(text) = self.decision(id)?
                && !found.contains(&text)
            {
                found.push(text);
            }
        }
        Ok(found)
    }

    fn decision(&mut self, id: ExprId) -> Result<Option<String>, Obstacle> {
        let arena = self.arena;
        match *arena.node(id) {
            Node::Apply(
                Function::Floor
                | Function::Ceil
                | Function::Integer
                | Function::Factorial
                | Function::Harmonic(_),
                operand,
            ) => {
                let bound = self.bound(operand)?;
                let value = self.number(operand)?;
                self.beside_whole(&value, &bound)
            }
            Node::Mod(a, b) => {
                let (above, below) = (self.bound(a)?, self.bound(b)?);
                if above.error.is_none() && below.error.is_none() {
                    return Ok(None);
                }
                let (a, b) = (self.number(a)?, self.number(b)?);
                let quotient = self.notation.quotient(&a, &b, Divisor::Any);
                let bound = self.over(&above, &below, &b);
                self.beside_whole(&quotient, &bound)
            }
            Node::Operate(_, ref operands) => {
                let mut errors = Vec::new();
                for &operand in operands {
                    errors.extend(self.bound(operand)?.error);
                }
                let zero = self.text(0.0);
                Ok((!errors.is_empty()).then(|| {
                    let all = self.total(&errors);
                    self.notation.relation(Relation::LessEqual, &all, &zero)
                }))
            }
            Node::Compare(_, a, b) if !self.is_plain(a, b) => self.comparison(a, b),
            Node::If(condition, ..) if !arena.is_boolean(condition) => {
                let bound = self.bound(condition)?;
                let value = self.number(condition)?;
                self.decided(&value, bound.error.as_ref(), &bound.grid)
            }
            _ => Ok(None),
        }
    }

    fn beside_whole(&mut self, value: &str, bound: &Bound) -> Result<Option<String>, Obstacle> {
        if bound.beside_whole.is_none() {
            return Ok(None);
        }
        let value = self.short(value.to_string());
        let distance = self.notation.distance(&value);
        let distance = self.short(distance);
        let (error, grid) = (bound.beside_whole.clone(), bound.grid.clone());
        Ok(error.map(|error| self.notation.decided(&distance, &error, &grid)))
    }

    fn comparison(&mut self, a: ExprId, b: ExprId) -> Result<Option<String>, Obstacle> {
        let (left, right) = (self.bound(a)?, self.bound(b)?);
        let is_exact = |bound: &Bound| bound.whole && bound.error.is_none();
        let errors = match (is_exact(&left), is_exact(&right)) {
            (_, true) => vec![left.beside_whole.clone()],
            (true, _) => vec![right.beside_whole.clone()],
            _ => vec![left.error.clone(), right.error.clone()],
        };
        let errors: Vec<String> = errors.into_iter().flatten().collect();
        if errors.is_empty() {
            return Ok(None);
        }
        let error = self.total(&errors);
        let (a, b) = (self.number(a)?, self.number(b)?);
        let difference = self.notation.sum(&[a], &[b]);
        let grid = self.times(&[left.grid, right.grid]);
        self.decided(&difference, Some(&error), &grid)
    }

    fn decided(
        &mut self,
        difference: &str,
        error: Option<&String>,
        grid: &str,
    ) -> Result<Option<String>, Obstacle> {
        let Some(error) = error else {
            return Ok(None);
        };
        let difference = self.short(difference.to_string());
        let distance = self.absolute(&difference)?;
        Ok(Some(self.notation.decided(&distance, error, grid)))
    }

    /// Parameters and numbers are compared as they are, and so is the sign of a product of them.
    fn is_plain(&self, a: ExprId, b: ExprId) -> bool {
        let leaf = |id| matches!(self.arena.node(id), Node::Number(_)) || self.is_parameter(id);
        let zero = |id| self.arena.as_number(id).is_some_and(Rational::is_zero);
        (leaf(a) && leaf(b))
            || (zero(a) && self.has_sure_sign(b))
            || (zero(b) && self.has_sure_sign(a))
    }

    fn is_parameter(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Symbol(symbol) => {
                matches!(self.arena.symbol_kind(*symbol), SymbolKind::Named(_))
            }
            _ => false,
        }
    }

    fn has_sure_sign(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Number(_) | Node::Mod(..) | Node::Compare(..) => true,
            Node::Operate(operation, _) => operation.row().is_whole,
            Node::Symbol(_) => self.is_parameter(id),
            Node::Apply(function, operand) => match function.row().sign {
                Sign::Sure => true,
                Sign::OfOperand => self.has_sure_sign(*operand),
                Sign::Unsure => false,
            },
            Node::Pow(base, _) => self.has_sure_sign(*base),
            Node::Mul(list) | Node::Max(list) | Node::Min(list) => {
                list.iter().all(|&id| self.has_sure_sign(id))
            }
            _ => false,
        }
    }
}
