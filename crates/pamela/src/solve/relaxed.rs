//! Signs of expressions with roundings, by bounds of these.

use std::cmp::Ordering;

use super::lattice::{Cell, Pieces, overlaid};
use super::signs::{Obstacle, Sign, Signs};
use crate::expr::{ExprId, Function, Node};
use crate::ring::Rational;

/// Roundings that are bounded from both sides before they are divided into blocks.
const MOST_BOUNDED: usize = 3;

/// Bounds of Euler's constant, times 10^15.
const EULER: (i64, i64) = (577_215_664_901_532, 577_215_664_901_533);

impl Signs {
    /// The outermost roundings of an expression, if it lies between its values at their bounds.
    ///
    /// That holds for a sum of products in which no rounding occurs twice in a product, because it is affine in each. It
    /// also holds with `max` and `min` if each rounding occurs once, because the expression is then monotone in each.
    pub fn roundings(&self, id: ExprId) -> Vec<ExprId> {
        let (mut found, mut has_extremes) = (Vec::new(), false);
        let is_bounded = self.collect_roundings(id, &mut found, &mut has_extremes);
        let occurrences = found.len();
        found.sort_unstable();
        found.dedup();
        let is_bounded = is_bounded && found.len() <= MOST_BOUNDED;
        if is_bounded && (!has_extremes || occurrences == found.len()) {
            found
        } else {
            Vec::new()
        }
    }

    fn collect_roundings(
        &self,
        id: ExprId,
        found: &mut Vec<ExprId>,
        has_extremes: &mut bool,
    ) -> bool {
        if !self.arena.mentions(id, self.variable) {
            return true;
        }
        match self.arena.node(id) {
            Node::Apply(Function::Floor | Function::Ceil | Function::Harmonic(1), of) => {
                found.push(id);
                self.first_step(*of).is_none()
            }
            Node::Max(list) | Node::Min(list) => {
                *has_extremes = true;
                let mut list = list.iter();
                list.all(|&own| self.collect_roundings(own, found, has_extremes))
            }
            Node::Add(list) => {
                let mut list = list.iter();
                list.all(|&own| self.collect_roundings(own, found, has_extremes))
            }
            Node::Mul(list) => {
                let mut all = Vec::new();
                for &factor in list {
                    let mut own = Vec::new();
                    if !self.collect_roundings(factor, &mut own, has_extremes)
                        || own.iter().any(|one| all.contains(one))
                    {
                        return false;
                    }
                    all.extend(own);
                }
                found.extend(all);
                true
            }
            _ => self.first_step(id).is_none(),
        }
    }

    /// One of two bounds of a rounding, or of a harmonic number.
    fn bound_of(&mut self, function: Function, of: ExprId, is_second: bool) -> ExprId {
        let moved = match (is_second, function) {
            (_, Function::Harmonic(_)) => return self.bound_of_harmonic(of, is_second),
            (false, _) => 0,
            (true, Function::Floor) => -1,
            (true, _) => 1,
        };
        let moved = self.arena.number(moved);
        self.arena.add(&[of, moved])
    }

    /// `log(n) + 1/(2n)` and Euler's constant bound `H(n)` from above; without `1/(12n^2)` from below, for `n >= 1`.
    fn bound_of_harmonic(&mut self, of: ExprId, is_upper: bool) -> ExprId {
        let constant = if is_upper { EULER.1 } else { EULER.0 };
        let constant = Rational::new(constant, 1_000_000_000_000_000);
        let mut terms = vec![self.arena.apply(Function::Log, of)];
        terms.push(self.arena.number(constant.unwrap_or_default()));
        for (power, factor) in [(-1, (1, 2)), (-2, (-1, 12))]
            .into_iter()
            .take(if is_upper { 1 } else { 2 })
        {
            let factor = self
                .arena
                .number(Rational::new(factor.0, factor.1).unwrap_or_default());
            let power = self.arena.number(power);
            let power = self.arena.pow(of, power);
            terms.push(self.arena.mul(&[factor, power]));
        }
        self.arena.add(&terms)
    }

    /// The sign of an expression where it is the same for all values between bounds of its roundings; `None` elsewhere.
    ///
    /// The expression is affine in each rounding, so that it lies between its values at the bounds.
    pub fn bounded(
        &mut self,
        id: ExprId,
        roundings: &[ExprId],
        cell: Cell,
    ) -> Pieces<Option<Ordering>> {
        let mut known: Option<Pieces<Option<Ordering>>> = None;
        for corner in 0..1_usize << roundings.len() {
            let mut own = id;
            for (place, &rounding) in roundings.iter().enumerate() {
                let Node::Apply(function, of) = *self.arena.node(rounding) else {
                    return vec![(cell, None)];
                };
                let bound = self.bound_of(function, of, corner >> place & 1 == 1);
                own = self.replaced(own, rounding, bound);
            }
            let mut signs = Vec::new();
            self.by_pieces(own, cell, &mut signs);
            let strict =
                |sign: Result<Sign, Obstacle>| sign.ok().flatten().filter(|own| own.is_ne());
            let signs = signs.into_iter().map(|(cell, sign)| (cell, strict(sign)));
            let signs: Pieces<Option<Ordering>> = signs.collect();
            known = Some(match known {
                None => signs,
                Some(known) => overlaid(&known, &signs, |&a, &b| a.filter(|_| a == b)),
            });
        }
        self.lattice
            .joined(known.unwrap_or_else(|| vec![(cell, None)]))
    }
}
