//! Where an expression of one positive variable is negative, zero and positive.

use std::cmp::Ordering;

use super::lattice::{Cell, Lattice, Pieces, overlaid};
use super::terms::{Quotient, Reader, Terms, sign};
use crate::eval::{Bindings, EvalError, Limits, Number, Value, evaluate};
use crate::expr::{Arena, ExprId, Symbol};
use crate::ring::Rational;

/// Limits of the points evaluated and of the cells made for one condition.
const MOST_EVALUATIONS: u64 = 2_000_000;
pub const MOST_CELLS: usize = 100_000;

/// Deeper chains of derivatives are given up.
const MOST_SLOPES: usize = 64;

/// Why the sign of a part is not known in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The part has a form for which no method is known.
    Form(ExprId),
    /// The numbers at a point are too close to decide.
    Undecided(ExprId),
    /// The sign changes beyond all numbers that are looked at.
    TooFar(ExprId),
    /// There are too many cells or points.
    TooMany(ExprId),
    /// A condition of the closed form does not hold.
    Unproved(ExprId),
}

impl Obstacle {
    /// The part that is in the way.
    pub fn part(&self) -> ExprId {
        match self {
            Obstacle::Form(id)
            | Obstacle::Undecided(id)
            | Obstacle::TooFar(id)
            | Obstacle::TooMany(id)
            | Obstacle::Unproved(id) => *id,
        }
    }
}

/// Sign of a value; `None` where it is undefined.
pub type Sign = Option<Ordering>;

/// Decides signs of expressions in one variable, where all other parameters have numbers.
pub struct Signs {
    pub arena: Arena,
    pub variable: Symbol,
    /// The variable as a name.
    pub name: String,
    pub lattice: Lattice,
    evaluations: u64,
}

impl Signs {
    pub fn new(mut arena: Arena, name: &str, lattice: Lattice) -> Signs {
        Signs {
            variable: arena.named(name),
            arena,
            name: name.to_owned(),
            lattice,
            evaluations: 0,
        }
    }

    pub fn reader(&mut self) -> Reader<'_> {
        Reader {
            arena: &mut self.arena,
            variable: self.variable,
            prover: None,
        }
    }

    /// Counts evaluations.
    pub fn charge(&mut self, evaluations: usize) {
        self.evaluations = self.evaluations.saturating_add(evaluations as u64);
    }

    /// Number of evaluations that are left.
    pub fn evaluations_left(&self) -> usize {
        usize::try_from(MOST_EVALUATIONS.saturating_sub(self.evaluations)).unwrap_or(usize::MAX)
    }

    /// The value at a point; the error says if it is undefined or not known.
    pub fn number(&mut self, id: ExprId, index: i64) -> Result<Option<Number>, Obstacle> {
        let value = self.lattice.value(index);
        self.number_at(id, &value)
    }

    /// The value at any number; `None` where it is undefined.
    pub fn number_at(&mut self, id: ExprId, at: &Rational) -> Result<Option<Number>, Obstacle> {
        self.evaluations += 1;
        if self.evaluations > MOST_EVALUATIONS {
            return Err(Obstacle::TooMany(id));
        }
        number_at(&self.arena, id, &self.name, at)
    }

    /// The sign at a point.
    pub fn sign(&mut self, id: ExprId, index: i64) -> Result<Sign, Obstacle> {
        let value = self.lattice.value(index);
        self.sign_at(id, &value)
    }

    pub fn sign_at(&mut self, id: ExprId, at: &Rational) -> Result<Sign, Obstacle> {
        match self.number_at(id, at)? {
            Some(number) => sign(&number).map(Some).ok_or(Obstacle::Undecided(id)),
            None => Ok(None),
        }
    }

    fn defined_sign(&mut self, id: ExprId, index: i64) -> Result<Ordering, Obstacle> {
        self.sign(id, index)?.ok_or(Obstacle::Undecided(id))
    }

    /// True for the number 1.
    pub fn is_one(&self, terms: &Terms) -> bool {
        terms.single().is_some_and(|((power, logs), factor)| {
            let is_one = self.arena.as_number(factor).is_some_and(Rational::is_one);
            power.is_zero() && *logs == 0 && is_one
        })
    }

    /// The signs of a quotient in a cell; undefined where the denominator is 0.
    pub fn of_quotient(
        &mut self,
        quotient: &Quotient,
        cell: Cell,
    ) -> Result<Pieces<Sign>, Obstacle> {
        let above = self.of_terms(&quotient.above, cell)?;
        if self.is_one(&quotient.below) {
            return Ok(above
                .into_iter()
                .map(|(cell, own)| (cell, Some(own)))
                .collect());
        }
        let below = self.of_terms(&quotient.below, cell)?;
        Ok(overlaid(&above, &below, |&above, &below| match below {
            Ordering::Equal => None,
            Ordering::Greater => Some(above),
            Ordering::Less => Some(above.reverse()),
        }))
    }

    /// The signs of a sum in a cell. Neighbouring cells may have equal signs: the sum is monotone in each.
    ///
    /// The sum is divided by its lowest power of `x`, so that its derivative has fewer logarithms without a power; after
    /// finitely many steps one term is left. Between the places where the derivative changes its sign, the sum is
    /// monotone, and bisection finds where its own sign changes.
    pub fn of_terms(&mut self, terms: &Terms, cell: Cell) -> Result<Pieces<Ordering>, Obstacle> {
        if !terms.has_logarithms() {
            return self.of_terms_within(terms, cell, 0);
        }
        // Logarithms change their sign at 1.
        let one = self.lattice.one();
        let parts = [
            (cell.first, cell.last.min(one - 1)),
            (cell.first.max(one), cell.last.min(one)),
            (cell.first.max(one + 1), cell.last),
        ];
        let mut all = Vec::new();
        for (first, last) in parts.into_iter().filter(|(first, last)| first <= last) {
            all.extend(self.of_terms_within(terms, Cell { first, last }, 0)?);
        }
        Ok(all)
    }

    fn of_terms_within(
        &mut self,
        terms: &Terms,
        cell: Cell,
        depth: usize,
    ) -> Result<Pieces<Ordering>, Obstacle> {
        let lowest = terms.0.keys().map(|(power, _)| power.clone()).min();
        let Some(lowest) = lowest else {
            return Ok(vec![(cell, Ordering::Equal)]);
        };
        let terms = terms.lowered(&lowest);
        let id = self.reader().expression(&terms);
        if self.lattice.is_point(cell) {
            return Ok(vec![(cell, self.defined_sign(id, cell.first)?)]);
        }
        if terms.single().is_some() {
            // Its sign is that of the coefficient and of the logarithm, which is the same in the cell.
            return Ok(vec![(cell, self.defined_sign(id, cell.first)?)]);
        }
        if depth > MOST_SLOPES {
            return Err(Obstacle::Form(id));
        }
        let slope = self.reader().slope(&terms);
        let slopes = self.of_terms_within(&slope, cell, depth + 1)?;
        let mut all = Vec::new();
        for (part, _) in slopes {
            all.extend(self.of_monotone(&terms, id, part)?);
            if all.len() > MOST_CELLS {
                return Err(Obstacle::TooMany(id));
            }
        }
        Ok(all)
    }

    /// The signs of a sum in a cell in which it is monotone.
    fn of_monotone(
        &mut self,
        terms: &Terms,
        id: ExprId,
        cell: Cell,
    ) -> Result<Pieces<Ordering>, Obstacle> {
        let first = self.defined_sign(id, cell.first)?;
        if self.lattice.is_point(cell) {
            return Ok(vec![(cell, first)]);
        }
        let last = self.defined_sign(id, cell.last)?;
        self.require_limits(terms, id, cell, [first, last])?;
        if first == last {
            return Ok(vec![(cell, first)]);
        }
        let mut all = Vec::new();
        let mut from = cell.first;
        let mut now = first;
        while from <= cell.last {
            let end = if now == last {
                cell.last
            } else {
                self.last_with(id, now, from, cell.last)?
            };
            let own = Cell {
                first: from,
                last: end,
            };
            all.push((own, now));
            from = end + 1;
            if from <= cell.last {
                now = self.defined_sign(id, from)?;
            }
        }
        Ok(all)
    }

    /// The last point from `first` on with a sign, which `first` has and `last` has not.
    fn last_with(
        &mut self,
        id: ExprId,
        wanted: Ordering,
        first: i64,
        last: i64,
    ) -> Result<i64, Obstacle> {
        let (mut low, mut high) = (first, last);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.defined_sign(id, middle)? == wanted {
                low = middle
            } else {
                high = middle
            }
        }
        Ok(low)
    }

    /// Checks that the signs at the outermost points are those of all numbers beyond.
    fn require_limits(
        &mut self,
        terms: &Terms,
        id: ExprId,
        cell: Cell,
        [first, last]: [Ordering; 2],
    ) -> Result<(), Obstacle> {
        if self.lattice.is_unbounded(cell) {
            let leading = terms.0.last_key_value().map(|(_, &factor)| factor);
            if let Some(leading) = leading
                && self.defined_sign(leading, cell.last)? != last
            {
                return Err(Obstacle::TooFar(id));
            }
        }
        if self.lattice.reaches_zero(cell) {
            let lowest = terms.0.keys().next().map(|(power, _)| power.clone());
            let mut near = terms
                .0
                .iter()
                .filter(|((power, _), _)| Some(power) == lowest.as_ref());
            if let Some(((_, logs), &factor)) = near.next_back() {
                let own = self.defined_sign(factor, cell.first)?;
                let own = if logs % 2 == 1 { own.reverse() } else { own };
                if own != first {
                    return Err(Obstacle::TooFar(id));
                }
            }
        }
        Ok(())
    }
}

/// The value of an expression of one variable; `None` where it is undefined.
fn number_at(
    arena: &Arena,
    id: ExprId,
    name: &str,
    at: &Rational,
) -> Result<Option<Number>, Obstacle> {
    let value = Value::Scalar(Number::Exact(at.clone()));
    let there = Bindings::from([(name.to_owned(), value)]);
    match evaluate(arena, id, &there, Limits::default()) {
        Ok(Value::Scalar(number)) => Ok(Some(number)),
        Err(EvalError::Undefined(_)) => Ok(None),
        Ok(_) | Err(_) => Err(Obstacle::Undecided(id)),
    }
}

/// The sign of an expression of one variable; `None` where it is undefined.
pub fn sign_at(arena: &Arena, id: ExprId, name: &str, at: &Rational) -> Result<Sign, Obstacle> {
    match number_at(arena, id, name, at)? {
        Some(number) => sign(&number).map(Some).ok_or(Obstacle::Undecided(id)),
        None => Ok(None),
    }
}
