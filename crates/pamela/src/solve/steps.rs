//! Divides a cell where an expression has steps or kinks: `max`, `abs`, `if`, `floor`, `mod`.

use std::cmp::Ordering;

use super::lattice::{Cell, Lattice, Pieces};
use super::signs::{MOST_CELLS, Obstacle, Sign, Signs};
use super::terms::Quotient;
use super::truth::{Truth, holds, within_each, written};
use crate::eval::Number;
use crate::expr::{ExprId, Function, Node};
use crate::ring::Rational;

/// Blocks of a rounding that are found one by one.
const MOST_BLOCKS: usize = 20_000;

impl Signs {
    /// The signs of an expression in a cell, with the obstacle where a sign is not known.
    pub fn of_difference(&mut self, id: ExprId, cell: Cell) -> Pieces<Result<Sign, Obstacle>> {
        let id = self.without_remainders(id);
        let roundings = self.roundings(id);
        let within = if roundings.is_empty() {
            vec![(cell, None)]
        } else {
            self.bounded(id, &roundings, cell)
        };
        let mut all = Vec::new();
        for (cell, known) in within {
            match known {
                Some(sign) => all.push((cell, Ok(Some(sign)))),
                None => self.by_pieces(id, cell, &mut all),
            }
        }
        if all.iter().all(|(_, sign)| sign.is_ok()) {
            return all;
        }
        // Bounds decide some of what is left.
        let mut bounded = Vec::new();
        for (cell, sign) in all {
            match sign {
                Err(obstacle) => self.of_defined(id, cell, &obstacle, &mut bounded),
                sign => bounded.push((cell, sign)),
            }
        }
        bounded
    }

    /// The signs of an expression by bounds, where it is defined.
    fn of_defined(
        &mut self,
        id: ExprId,
        cell: Cell,
        obstacle: &Obstacle,
        all: &mut Pieces<Result<Sign, Obstacle>>,
    ) {
        let mut parts = vec![(cell, Truth::Yes)];
        for condition in self.arena.domain(id) {
            parts = within_each(&parts, |cell| self.truth_of(condition, cell));
        }
        for (cell, is_defined) in parts {
            match is_defined {
                Truth::Yes => {
                    let signs = self.by_bounds(id, cell).into_iter();
                    // The first obstacle names the part that is in the way.
                    let signs = signs.map(|(cell, own)| (cell, own.map_err(|_| obstacle.clone())));
                    all.extend(signs);
                }
                Truth::No | Truth::Undefined => all.push((cell, Ok(None))),
                Truth::Open(obstacle) => all.push((cell, Err(obstacle))),
            }
        }
    }

    pub fn by_pieces(&mut self, id: ExprId, cell: Cell, all: &mut Pieces<Result<Sign, Obstacle>>) {
        for (part, smooth) in self.smooth(id, cell) {
            match smooth {
                Ok(Some(smooth)) => match self.of_smooth(smooth, part) {
                    Ok(signs) => all.extend(signs.into_iter().map(|(cell, own)| (cell, Ok(own)))),
                    Err(obstacle) => all.push((part, Err(obstacle))),
                },
                Ok(None) => all.push((part, Ok(None))),
                Err(obstacle) => all.push((part, Err(obstacle))),
            }
        }
    }

    /// The signs of an expression without steps.
    fn of_smooth(&mut self, id: ExprId, cell: Cell) -> Result<Pieces<Sign>, Obstacle> {
        if self.lattice.is_point(cell) {
            return Ok(vec![(cell, self.sign(id, cell.first)?)]);
        }
        let quotient = self.reader().quotient(id).ok_or(Obstacle::Form(id))?;
        self.of_quotient(&quotient, cell)
    }

    /// The expression in each part of the cell without steps; `None` where it is undefined.
    fn smooth(&mut self, id: ExprId, cell: Cell) -> Pieces<Result<Option<ExprId>, Obstacle>> {
        let mut done = Vec::new();
        let mut pending = vec![(cell, Ok(Some(id)))];
        while let Some((cell, own)) = pending.pop() {
            let Ok(Some(own)) = own else {
                done.push((cell, own));
                continue;
            };
            if done.len() + pending.len() > MOST_CELLS {
                done.push((cell, Err(Obstacle::TooMany(own))));
                continue;
            }
            let Some(step) = self.first_step(own) else {
                done.push((cell, Ok(Some(own))));
                continue;
            };
            let parts = match self.without(step, cell) {
                Ok(parts) => parts,
                Err(obstacle) => vec![(cell, Err(obstacle))],
            };
            // The first part is taken next, so that the results are in order.
            for (part, by) in parts.into_iter().rev() {
                let next = by.map(|by| by.map(|by| self.replaced(own, step, by)));
                pending.push((part, next));
            }
        }
        done
    }

    pub fn replaced(&mut self, id: ExprId, old: ExprId, new: ExprId) -> ExprId {
        self.arena
            .replace(id, &|_, own| (own == old).then_some(new))
    }

    /// A step whose operands have none; the condition of an `if` before its branches.
    pub fn first_step(&self, id: ExprId) -> Option<ExprId> {
        if !self.arena.mentions(id, self.variable) {
            return None;
        }
        crate::with_stack(|| {
            if let Node::If(condition, ..) = self.arena.node(id) {
                return Some(self.first_step(*condition).unwrap_or(id));
            }
            let mut operands = self.arena.operands(id).into_iter();
            operands
                .find_map(|operand| self.first_step(operand))
                .or_else(|| self.is_step(id).then_some(id))
        })
    }

    fn is_step(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Max(_) | Node::Min(_) | Node::Mod(..) | Node::Compare(..) | Node::If(..) => true,
            Node::Apply(function, _) => matches!(
                function,
                Function::Floor | Function::Ceil | Function::Abs | Function::Integer
            ),
            _ => false,
        }
    }

    /// What stands for a step in each part of the cell; `None` where it is undefined.
    #[allow(
        clippy::type_complexity,
        reason = "an expression, none, or an obstacle in each cell"
    )]
    fn without(
        &mut self,
        step: ExprId,
        cell: Cell,
    ) -> Result<Pieces<Result<Option<ExprId>, Obstacle>>, Obstacle> {
        let known = |pieces: Pieces<Option<ExprId>>| {
            pieces
                .into_iter()
                .map(|(cell, own)| (cell, Ok(own)))
                .collect()
        };
        Ok(match self.arena.node(step).clone() {
            Node::Max(list) => known(self.extreme(&list, true, cell)?),
            Node::Min(list) => known(self.extreme(&list, false, cell)?),
            Node::Apply(Function::Abs, of) => {
                let negated = self.arena.negate(of);
                known(self.extreme(&[of, negated], true, cell)?)
            }
            Node::Apply(Function::Integer, of) => {
                let floor = self.arena.apply(Function::Floor, of);
                let equal = self.arena.relate(crate::expr::Relation::Equal, of, floor);
                vec![(cell, Ok(Some(equal)))]
            }
            Node::Apply(Function::Floor, of) => self.rounded(of, false, cell)?,
            Node::Apply(_, of) => self.rounded(of, true, cell)?,
            Node::Compare(relation, a, b) => {
                let difference = self.arena.subtract(a, b);
                let signs = self.of_smooth(difference, cell)?;
                let mut truth = |own: bool| self.arena.number(i64::from(own));
                let pieces = signs.into_iter();
                let pieces = pieces.map(|(cell, sign)| {
                    (cell, sign.map(|sign| truth(holds(written(relation), sign))))
                });
                known(pieces.collect())
            }
            Node::If(condition, then, otherwise) => {
                // Its condition has no steps left: it is a constant, or a product of others.
                let signs = self.of_smooth(condition, cell)?;
                let pieces = signs.into_iter().map(|(cell, sign)| {
                    let chosen = |sign: Ordering| if sign.is_eq() { otherwise } else { then };
                    (cell, sign.map(chosen))
                });
                known(pieces.collect())
            }
            Node::Mod(a, b) => {
                let signs = self.of_smooth(b, cell)?;
                let rest = self.remainder(a, b);
                let pieces = signs.into_iter();
                known(
                    pieces
                        .map(|(cell, sign)| (cell, sign.filter(|own| own.is_gt()).map(|_| rest)))
                        .collect(),
                )
            }
            _ => return Err(Obstacle::Form(step)),
        })
    }

    /// `a - b * floor(a / b)`
    fn remainder(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let floor = self.arena.floor_divide(a, b);
        let times = self.arena.mul(&[b, floor]);
        self.arena.subtract(a, times)
    }

    /// Remainders by positive constants, written by `floor`.
    fn without_remainders(&mut self, id: ExprId) -> ExprId {
        let mut now = id;
        while let Some((node, a, b)) = self.first_remainder(now) {
            let rest = self.remainder(a, b);
            now = self.replaced(now, node, rest);
        }
        now
    }

    fn first_remainder(&self, id: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        if !self.arena.mentions(id, self.variable) {
            return None;
        }
        crate::with_stack(|| {
            let mut operands = self.arena.operands(id).into_iter();
            let inner = operands.find_map(|operand| self.first_remainder(operand));
            inner.or_else(|| match *self.arena.node(id) {
                Node::Mod(a, b) => {
                    let modulus = self.arena.as_number(b)?;
                    modulus.is_positive().then_some((id, a, b))
                }
                _ => None,
            })
        })
    }

    /// The largest or the smallest of several values.
    fn extreme(
        &mut self,
        list: &[ExprId],
        largest: bool,
        cell: Cell,
    ) -> Result<Pieces<Option<ExprId>>, Obstacle> {
        let Some((&first, rest)) = list.split_first() else {
            return Ok(vec![(cell, None)]);
        };
        let mut now = vec![(cell, Some(first))];
        for &other in rest {
            let mut next = Vec::new();
            for (cell, own) in now {
                let Some(own) = own else {
                    next.push((cell, None));
                    continue;
                };
                let difference = self.arena.subtract(other, own);
                for (part, sign) in self.of_smooth(difference, cell)? {
                    let better = if largest {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    };
                    let chosen = |sign: Ordering| if sign == better { other } else { own };
                    next.push((part, sign.map(chosen)));
                }
            }
            now = self.lattice.joined(next);
        }
        Ok(now)
    }

    /// A rounded value, constant in each part of the cell.
    fn rounded(
        &mut self,
        of: ExprId,
        up: bool,
        cell: Cell,
    ) -> Result<Pieces<Result<Option<ExprId>, Obstacle>>, Obstacle> {
        if self.lattice.is_point(cell) {
            let value = self.rounded_at(of, up, cell.first)?;
            let value = value.map(|value| self.arena.number(value));
            return Ok(vec![(cell, Ok(value))]);
        }
        let quotient = self.reader().quotient(of).ok_or(Obstacle::Form(of))?;
        if self.is_whole(&quotient) {
            return Ok(vec![(cell, Ok(Some(of)))]);
        }
        let poles = self.of_terms(&quotient.below, cell)?;
        let mut all = Vec::new();
        for (part, sign) in poles {
            if sign.is_eq() {
                all.push((part, Ok(None)));
                continue;
            }
            let slope = self
                .reader()
                .slope_of(&quotient)
                .ok_or(Obstacle::Form(of))?;
            for (part, _) in self.of_terms(&slope, part)? {
                self.blocks(of, &quotient, up, part, &mut all)?;
            }
        }
        Ok(all)
    }

    /// True for a polynomial with whole coefficients at whole numbers.
    fn is_whole(&self, quotient: &Quotient) -> bool {
        let whole = |factor: ExprId| {
            self.arena
                .as_number(factor)
                .is_some_and(Rational::is_integer)
        };
        let mut above = quotient.above.0.iter();
        self.lattice == Lattice::Whole
            && self.is_one(&quotient.below)
            && above.all(|((power, logs), &factor)| {
                *logs == 0 && power.is_integer() && !power.is_negative() && whole(factor)
            })
    }

    fn rounded_at(
        &mut self,
        of: ExprId,
        up: bool,
        index: i64,
    ) -> Result<Option<Rational>, Obstacle> {
        let undecided = || Obstacle::Undecided(of);
        let round = |value: &Rational| if up { value.ceil() } else { value.floor() };
        Ok(match self.number(of, index)? {
            None => None,
            Some(Number::Exact(value)) => Some(round(&value)),
            Some(Number::Real(real)) => {
                let floor = real.floor().map_err(|_| undecided())?;
                let is_whole = real.is_integer().map_err(|_| undecided())?;
                let floor = Rational::from(floor);
                Some(if up && !is_whole {
                    floor + Rational::ONE
                } else {
                    floor
                })
            }
        })
    }

    /// The blocks of a cell in which a monotone value is rounded to the same number.
    fn blocks(
        &mut self,
        of: ExprId,
        quotient: &Quotient,
        up: bool,
        cell: Cell,
        all: &mut Pieces<Result<Option<ExprId>, Obstacle>>,
    ) -> Result<(), Obstacle> {
        let mut from = cell.first;
        let is_open = self.lattice.is_unbounded(cell) || self.lattice.reaches_zero(cell);
        if is_open && !self.settles(of, quotient, up, cell)? {
            all.push((cell, Err(Obstacle::Form(of))));
            return Ok(());
        }
        let last = self.rounded_at(of, up, cell.last)?;
        let begun = all.len();
        while from <= cell.last {
            let now = self.rounded_at(of, up, from)?;
            // Blocks are often as long as the one before, so that steps are doubled.
            let (mut low, mut high) = (from, cell.last);
            if now == last {
                low = high;
            } else {
                let mut step = 1;
                while low < high.saturating_sub(step) && self.rounded_at(of, up, low + step)? == now
                {
                    low += step;
                    step *= 2;
                }
                high = high.min(low.saturating_add(step));
            }
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if self.rounded_at(of, up, middle)? == now {
                    low = middle
                } else {
                    high = middle
                }
            }
            let value = now.map(|value| self.arena.number(value));
            let own = Cell {
                first: from,
                last: low,
            };
            all.push((own, Ok(value)));
            if all.len() - begun > MOST_BLOCKS {
                all.truncate(begun);
                all.push((cell, Err(Obstacle::TooMany(of))));
                return Ok(());
            }
            from = low + 1;
        }
        Ok(())
    }

    /// True if beyond the outermost points a monotone value is rounded as there.
    fn settles(
        &mut self,
        of: ExprId,
        quotient: &Quotient,
        up: bool,
        cell: Cell,
    ) -> Result<bool, Obstacle> {
        if self.lattice.reaches_zero(cell) {
            return Ok(false);
        }
        let (Some((p, a)), Some((q, b))) = (
            quotient.above.0.last_key_value(),
            quotient.below.0.last_key_value(),
        ) else {
            return Ok(true);
        };
        let limit = match p.cmp(q) {
            Ordering::Greater => return Ok(false),
            Ordering::Less => Rational::ZERO,
            Ordering::Equal => {
                let down = self.arena.reciprocal(*b);
                let ratio = self.arena.mul(&[*a, down]);
                let Some(Number::Exact(limit)) = self.number(ratio, cell.last)? else {
                    return Ok(false);
                };
                limit
            }
        };
        let Some(Number::Exact(there)) = self.number(of, cell.last)? else {
            return Ok(false);
        };
        // The value moves from `there` to the limit, which it does not reach unless it is constant.
        let round = |value: &Rational| if up { value.ceil() } else { value.floor() };
        let beside = match (there.cmp(&limit), up) {
            (Ordering::Equal, _) => return Ok(true),
            (Ordering::Less, false) => limit.ceil() - Rational::ONE,
            (Ordering::Greater, true) => limit.floor() + Rational::ONE,
            _ => round(&limit),
        };
        Ok(round(&there) == beside)
    }
}
