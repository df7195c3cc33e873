//! References whose indices are affine in the surrounding indices, the usual case; evaluated in
//! whole numbers.

use super::family::Family;
use crate::eval::exact::Evaluator;
use crate::expr::{ExprId, GraphPart, Node, ReduceKind, Symbol};

/// An affine function of indices, which are given by their positions.
pub struct Affine {
    constant: i64,
    factors: Vec<(usize, i64)>,
}

/// A reference to predecessors.
pub enum Reference {
    Nothing,
    /// The task of a family with these indices, if it exists.
    One(u32, Vec<Affine>),
    /// All tasks of a family.
    All(u32),
    /// The reference for each value of one more index.
    Each([Affine; 2], Box<Reference>),
}

impl Affine {
    fn constant(constant: i64) -> Affine {
        Affine {
            constant,
            factors: Vec::new(),
        }
    }

    /// None where it is too large to be the index of a task.
    fn at(&self, indices: &[i64]) -> Option<i64> {
        let mut factors = self.factors.iter();
        factors.try_fold(self.constant, |sum, &(place, factor)| {
            sum.checked_add(factor.checked_mul(indices[place])?)
        })
    }

    fn plus(mut self, other: Affine) -> Option<Affine> {
        self.constant = self.constant.checked_add(other.constant)?;
        self.factors.extend(other.factors);
        Some(self)
    }

    fn times(mut self, factor: i64) -> Option<Affine> {
        self.constant = self.constant.checked_mul(factor)?;
        for (_, own) in &mut self.factors {
            *own = own.checked_mul(factor)?;
        }
        Some(self)
    }
}

impl Reference {
    /// Adds the referenced tasks and counts the steps; `None` if these exceed `most`.
    pub fn add(
        &self,
        indices: &mut Vec<i64>,
        known: &[Family],
        waits: &mut Vec<u32>,
        most: u64,
    ) -> Option<u64> {
        match self {
            Reference::Nothing => Some(1),
            Reference::One(family, arguments) => {
                let outer = indices.len();
                for argument in arguments {
                    match argument.at(&indices[..outer]) {
                        Some(index) => indices.push(index),
                        None => {
                            indices.truncate(outer);
                            return Some(1);
                        }
                    }
                }
                let family = known.get(*family as usize);
                waits.extend(family.and_then(|family| family.find(&indices[outer..])));
                indices.truncate(outer);
                Some(1)
            }
            Reference::All(family) => {
                let family = known.get(*family as usize)?;
                if u64::from(family.count) > most {
                    return None;
                }
                waits.extend(family.first..family.first + family.count);
                Some(1 + u64::from(family.count))
            }
            Reference::Each([lower, upper], each) => {
                let (lower, upper) = (lower.at(indices)?, upper.at(indices)?);
                let mut steps = 1;
                for index in lower..=upper {
                    indices.push(index);
                    steps += each.add(indices, known, waits, most.checked_sub(steps)?)?;
                    indices.pop();
                }
                Some(steps)
            }
        }
    }
}

impl Evaluator<'_> {
    /// Reads a reference of a task with these indices as affine, if it is.
    ///
    /// Values that depend on the model alone are computed once.
    pub(super) fn reference(
        &mut self,
        reference: ExprId,
        indices: &mut Vec<Symbol>,
    ) -> Option<Reference> {
        let arena = self.arena;
        match arena.node(reference) {
            Node::Reduce(r) if r.kind == ReduceKind::Each => {
                let ends = [
                    self.affine(r.lower, indices)?,
                    self.affine(r.upper, indices)?,
                ];
                indices.push(r.index);
                let each = self.reference(r.body, indices);
                indices.pop();
                Some(Reference::Each(ends, Box::new(each?)))
            }
            Node::Graph(part, operands) => {
                let (condition, arguments) = operands.split_first()?;
                if self.affine(*condition, indices)?.at(&[])? == 0 {
                    return Some(Reference::Nothing);
                }
                match *part {
                    GraphPart::After(family) => {
                        let arguments = arguments.iter().map(|&id| self.affine(id, indices));
                        Some(Reference::One(family, arguments.collect::<Option<_>>()?))
                    }
                    GraphPart::AfterAll(family) => Some(Reference::All(family)),
                    GraphPart::LongestPath(_) | GraphPart::Task => None,
                }
            }
            _ => None,
        }
    }

    fn affine(&mut self, id: ExprId, indices: &[Symbol]) -> Option<Affine> {
        let arena = self.arena;
        if !indices.iter().any(|&index| arena.mentions(id, index)) {
            let number = self.number(id).ok()?;
            return Some(Affine::constant(number.as_exact()?.to_i64()?));
        }
        match arena.node(id) {
            Node::Symbol(symbol) => {
                let place = indices.iter().rposition(|index| index == symbol)?;
                Some(Affine {
                    constant: 0,
                    factors: vec![(place, 1)],
                })
            }
            Node::Add(terms) => {
                let mut sum = Affine::constant(0);
                for &term in terms {
                    sum = sum.plus(self.affine(term, indices)?)?;
                }
                Some(sum)
            }
            Node::Mul(factors) => {
                let mut product = Affine::constant(1);
                for &factor in factors {
                    let factor = self.affine(factor, indices)?;
                    product = match (&product.factors[..], &factor.factors[..]) {
                        (_, []) => product.times(factor.constant)?,
                        ([], _) => factor.times(product.constant)?,
                        _ => return None,
                    };
                }
                Some(product)
            }
            _ => None,
        }
    }
}
