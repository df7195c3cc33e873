//! Evaluates long reductions by blocks of indices on which the body is one polynomial in the index.
//!
//! With numbers for all parameters, a body of sums, products, maxima, comparisons and quotients is
//! piecewise polynomial. A floor changes where its operand passes a whole number, a maximum where
//! its operands cross. `sum (i = 1, N) { N div i }` has about `2 * sqrt(N)` pieces. The sum over a
//! piece follows from its differences at the first index, its largest value from its turning
//! points. Anything else is a piece of one index. Bodies of whole numbers are first tried in
//! machine integers.

mod native;
mod pieces;

use super::{EvalError, Evaluator, Frame};
use crate::eval::{Number, Value};
use crate::expr::{ExprId, Function, Node, ReduceKind, Reduction, Symbol};
use crate::ring::{Rational, Univariate};
use crate::with_stack;
use pieces::{Piece, compared, end_of_quotient, extreme, floor_of_line, not_below_0, sum, until};

/// Shorter ranges are looped over.
const SHORTEST: i64 = 4096;
/// Pieces of a higher degree are taken index by index.
const MOST_DEGREE: usize = 8;
/// Number of pieces tried before the cost is checked.
const TRIED: i64 = 64;
/// Indices that a piece has in the mean where it is.
const WORTH: i64 = 4;

/// An evaluation that gives nothing where a term is not an exact number.
pub(super) type Attempt<T> = Result<Option<T>, EvalError>;

/// A range, whose indices are counted from 0.
struct Blocks<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    index: Symbol,
    lower: Rational,
    end: i64,
}

impl Evaluator<'_> {
    /// The sum, or the extreme value, over a long range; `None` if pieces are short or inexact.
    pub(super) fn by_blocks(
        &mut self,
        reduction: &Reduction,
        lower: &Number,
        count: &Rational,
    ) -> Attempt<Value> {
        let known = matches!(
            reduction.kind,
            ReduceKind::Sum | ReduceKind::Max | ReduceKind::Min
        );
        let (Some(lower), Some(count), true) = (lower.as_exact(), count.to_i64(), known) else {
            return Ok(None);
        };
        if count < SHORTEST {
            return Ok(None);
        }
        if let Some(value) = self.by_native_blocks(reduction, lower, count, WORTH) {
            return Ok(Some(value.into()));
        }
        self.frames.push(Frame {
            index: Some((reduction.index, Number::Exact(lower.clone()))),
            ..Frame::default()
        });
        let found = Blocks {
            index: reduction.index,
            lower: lower.clone(),
            end: count - 1,
            evaluator: &mut *self,
        }
        .reduced(reduction);
        self.frames.pop();
        Ok(found?.map(Value::from))
    }
}

impl Blocks<'_, '_> {
    fn reduced(&mut self, reduction: &Reduction) -> Attempt<Rational> {
        let patience = TRIED + 2 * (self.end as f64).sqrt() as i64;
        let (mut total, mut from, mut pieces) = (None, 0, 0);
        while from <= self.end {
            pieces += 1;
            if pieces > patience && from < WORTH * pieces {
                return Ok(None);
            }
            let Some(piece) = self.piece(reduction.body, from)? else {
                return Ok(None);
            };
            let value = match reduction.kind {
                ReduceKind::Sum => sum(&piece, from),
                kind => extreme(&piece, from, kind == ReduceKind::Max),
            };
            total = Some(match (total, reduction.kind) {
                (None, _) => value,
                (Some(total), ReduceKind::Sum) => total + value,
                (Some(total), ReduceKind::Max) => value.max(total),
                (Some(total), _) => value.min(total),
            });
            from = piece.last + 1;
        }
        Ok(total)
    }

    fn constant(&self, value: Rational) -> Piece {
        Piece {
            polynomial: Univariate::constant(value),
            last: self.end,
        }
    }

    fn moves(&self, id: ExprId) -> bool {
        self.evaluator.arena.mentions(id, self.index)
    }

    /// The value of a term at an index.
    fn value_at(&mut self, id: ExprId, at: i64) -> Attempt<Rational> {
        let index = &self.lower + &Rational::from(at);
        if let Some(frame) = self.evaluator.frames.last_mut() {
            frame.known.clear();
            frame.index = Some((self.index, Number::Exact(index)));
        }
        Ok(self.evaluator.number(id)?.as_exact().cloned())
    }

    /// A piece of one index.
    fn point(&mut self, id: ExprId, at: i64) -> Attempt<Piece> {
        let value = self.value_at(id, at)?;
        Ok(value.map(|value| Piece {
            polynomial: Univariate::constant(value),
            last: at,
        }))
    }

    /// The form of a term from an index on.
    fn piece(&mut self, id: ExprId, from: i64) -> Attempt<Piece> {
        if !self.moves(id) {
            let value = self.evaluator.number(id)?.as_exact().cloned();
            return Ok(value.map(|value| self.constant(value)));
        }
        self.evaluator.step()?;
        with_stack(|| self.moving(id, from))
    }

    fn moving(&mut self, id: ExprId, from: i64) -> Attempt<Piece> {
        let arena = self.evaluator.arena;
        match arena.node(id) {
            Node::Symbol(_) => Ok(Some(Piece {
                polynomial: Univariate::linear(Rational::ONE, self.lower.clone()),
                last: self.end,
            })),
            Node::Add(list) => self.folded(id, list, from, Univariate::plus),
            Node::Mul(list) => self.folded(id, list, from, Univariate::times),
            Node::Pow(base, exponent) => {
                let power = arena.as_number(*exponent).and_then(Rational::to_i64);
                match power.and_then(|power| u32::try_from(power).ok()) {
                    Some(power) if power as usize <= MOST_DEGREE => {
                        let base = self.piece(*base, from)?;
                        let raised = base.map(|base| Piece {
                            polynomial: base.polynomial.pow(power),
                            ..base
                        });
                        self.bounded(id, raised, from)
                    }
                    _ => self.point(id, from),
                }
            }
            Node::Max(list) => self.winner(list, from, true),
            Node::Min(list) => self.winner(list, from, false),
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.piece(*a, from)?, self.piece(*b, from)?);
                Ok(a.zip(b).map(|(a, b)| compared(*relation, &a, &b, from)))
            }
            Node::If(condition, then, otherwise) => {
                let Some(condition) = self.piece(*condition, from)? else {
                    return Ok(None);
                };
                let holds = !condition.polynomial.is_zero();
                // A truth value is constant on its piece; beyond it the branch may have no value.
                let end = std::mem::replace(&mut self.end, condition.last);
                let branch = self.piece(if holds { *then } else { *otherwise }, from);
                self.end = end;
                branch
            }
            Node::Mod(dividend, modulus) if !self.moves(*modulus) => {
                self.remainder(id, *dividend, *modulus, from)
            }
            Node::Apply(Function::Abs, operand) => {
                let operand = self.piece(*operand, from)?;
                Ok(operand.map(|piece| {
                    let turned = piece.polynomial.evaluate(&from.into()).is_negative();
                    let factor = Rational::from(if turned { -1 } else { 1 });
                    let polynomial = piece.polynomial.scale(&factor);
                    let last = not_below_0(&polynomial, false, from, piece.last);
                    Piece { polynomial, last }
                }))
            }
            Node::Apply(Function::Floor | Function::Ceil, operand) => {
                self.rounded(id, *operand, from)
            }
            _ => self.point(id, from),
        }
    }

    fn folded(
        &mut self,
        id: ExprId,
        list: &[ExprId],
        from: i64,
        combine: fn(&Univariate, &Univariate) -> Univariate,
    ) -> Attempt<Piece> {
        let mut whole: Option<Piece> = None;
        for &operand in list {
            let Some(piece) = self.piece(operand, from)? else {
                return Ok(None);
            };
            whole = Some(match whole {
                None => piece,
                Some(known) => Piece {
                    polynomial: combine(&known.polynomial, &piece.polynomial),
                    last: known.last.min(piece.last),
                },
            });
        }
        self.bounded(id, whole, from)
    }

    /// A piece of a low degree, or else of one index.
    fn bounded(&mut self, id: ExprId, piece: Option<Piece>, from: i64) -> Attempt<Piece> {
        let degree = piece.as_ref().and_then(|piece| piece.polynomial.degree());
        if degree.is_some_and(|degree| degree > MOST_DEGREE) {
            self.point(id, from)
        } else {
            Ok(piece)
        }
    }

    /// The largest or smallest of several operands, and how long it stays so.
    fn winner(&mut self, list: &[ExprId], from: i64, largest: bool) -> Attempt<Piece> {
        let mut best: Option<Piece> = None;
        for &operand in list {
            let Some(piece) = self.piece(operand, from)? else {
                return Ok(None);
            };
            best = Some(match best {
                None => piece,
                Some(known) => {
                    let lead = known.polynomial.minus(&piece.polynomial);
                    let lead = if largest {
                        lead
                    } else {
                        lead.scale(&Rational::from(-1))
                    };
                    let behind = lead.evaluate(&from.into()).is_negative();
                    let lead = if behind {
                        lead.scale(&Rational::from(-1))
                    } else {
                        lead
                    };
                    let last = known.last.min(piece.last);
                    let last = not_below_0(&lead, false, from, last);
                    let polynomial = if behind {
                        piece.polynomial
                    } else {
                        known.polynomial
                    };
                    Piece { polynomial, last }
                }
            });
        }
        Ok(best)
    }

    /// `x mod m` of a line: less m for each whole round.
    fn remainder(&mut self, id: ExprId, x: ExprId, modulus: ExprId, from: i64) -> Attempt<Piece> {
        let modulus = self.evaluator.number(modulus)?.as_exact().cloned();
        let (Some(line), Some(modulus)) = (self.piece(x, from)?, modulus) else {
            return Ok(None);
        };
        let rounds = modulus.recip().filter(|_| modulus.is_positive());
        let rounds = rounds.map(|inverse| line.polynomial.scale(&inverse));
        let Some(rounds) = rounds.filter(|line| line.degree() <= Some(1)) else {
            return self.point(id, from);
        };
        let whole = floor_of_line(&rounds, from, line.last);
        Ok(Some(Piece {
            polynomial: line.polynomial.minus(&whole.polynomial.scale(&modulus)),
            last: whole.last,
        }))
    }

    /// A floor or a ceiling: of a line, of a number over a line, or of anything that moves one way.
    fn rounded(&mut self, id: ExprId, operand: ExprId, from: i64) -> Attempt<Piece> {
        let arena = self.evaluator.arena;
        let up = matches!(arena.node(id), Node::Apply(Function::Ceil, _));
        let minus = Rational::from(-1);
        if let Some(quotient) = self.quotient(operand, from)? {
            let (number, line) = quotient;
            if !up && let Some(last) = end_of_quotient(&number, &line, from) {
                let value = self.value_at(id, from)?;
                return Ok(value.map(|value| until(self.constant(value), last)));
            }
        } else if let Some(piece) = self.piece(operand, from)?
            && piece.polynomial.degree() <= Some(1)
            && (piece.last > from || from == self.end)
        {
            let sign = if up { minus } else { Rational::ONE };
            let whole = floor_of_line(&piece.polynomial.scale(&sign), from, piece.last);
            return Ok(Some(Piece {
                polynomial: whole.polynomial.scale(&sign),
                last: whole.last,
            }));
        }
        match self.one_way(operand, from)? {
            Some(last) if last > from => self.level(id, from, last),
            _ => self.point(id, from),
        }
    }

    /// A number over a line that is not 0 here, where the term is that.
    fn quotient(&mut self, id: ExprId, from: i64) -> Attempt<(Rational, Piece)> {
        let arena = self.evaluator.arena;
        let factors = match arena.node(id) {
            Node::Mul(list) => list.to_vec(),
            _ => vec![id],
        };
        let (moving, still): (Vec<ExprId>, Vec<ExprId>) =
            factors.into_iter().partition(|&factor| self.moves(factor));
        let &[moving] = moving.as_slice() else {
            return Ok(None);
        };
        let Node::Pow(base, exponent) = *arena.node(moving) else {
            return Ok(None);
        };
        if arena.as_number(exponent) != Some(&Rational::from(-1)) {
            return Ok(None);
        }
        let mut number = Rational::ONE;
        for factor in still {
            match self.evaluator.number(factor)?.as_exact() {
                Some(value) => number = &number * value,
                None => return Ok(None),
            }
        }
        let line = self.piece(base, from)?;
        let line = line.filter(|line| line.polynomial.degree() == Some(1));
        let here = |line: &Piece| !line.polynomial.evaluate(&from.into()).is_zero();
        Ok(line.filter(here).map(|line| (number, line)))
    }

    /// Up to which index a term never falls, or never rises, and has a value.
    fn one_way(&mut self, id: ExprId, from: i64) -> Attempt<i64> {
        if !self.moves(id) {
            return Ok(Some(self.end));
        }
        let arena = self.evaluator.arena;
        match arena.node(id) {
            Node::Add(list) | Node::Mul(list) => {
                let mut moving = list.iter().filter(|&&part| self.moves(part));
                let (Some(&part), None) = (moving.next(), moving.next()) else {
                    return self.line_until(id, from);
                };
                self.one_way(part, from)
            }
            Node::Pow(base, exponent) => {
                let Some(exponent) = arena.as_number(*exponent) else {
                    return Ok(None);
                };
                let line = self.piece(*base, from)?;
                let line = line.filter(|line| line.polynomial.degree() == Some(1));
                Ok(line.and_then(|line| {
                    let positive = line.polynomial.evaluate(&from.into()).is_positive();
                    let fraction = !exponent.is_integer() || exponent.is_negative();
                    let last = not_below_0(&line.polynomial, true, from, line.last);
                    (positive && fraction).then_some(last)
                }))
            }
            Node::Apply(
                Function::Sqrt | Function::Log | Function::Exp | Function::Floor | Function::Ceil,
                operand,
            ) => self.one_way(*operand, from),
            _ => self.line_until(id, from),
        }
    }

    fn line_until(&mut self, id: ExprId, from: i64) -> Attempt<i64> {
        let line = self.piece(id, from)?;
        let line = line.filter(|line| line.polynomial.degree() <= Some(1));
        Ok(line.map(|line| line.last))
    }

    /// The piece on which a term that moves one way up to `end` has the value that it has here: the distance is doubled
    /// as long as it has, and then halved.
    fn level(&mut self, id: ExprId, from: i64, end: i64) -> Attempt<Piece> {
        let Some(value) = self.value_at(id, from)? else {
            return Ok(None);
        };
        let (mut same, mut step) = (from, 1);
        let mut other = end + 1;
        while same < end {
            let next = same.saturating_add(step).min(end);
            match self.value_at(id, next)? {
                None => return Ok(None),
                Some(found) if found == value => same = next,
                Some(_) => {
                    other = next;
                    break;
                }
            }
            step = step.saturating_mul(2);
        }
        while same + 1 < other {
            let middle = same + (other - same) / 2;
            match self.value_at(id, middle)? {
                None => return Ok(None),
                Some(found) if found == value => same = middle,
                Some(_) => other = middle,
            }
        }
        Ok(Some(until(self.constant(value), same)))
    }
}
