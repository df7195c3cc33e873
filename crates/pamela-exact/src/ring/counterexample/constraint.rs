//! One constraint of a counterexample, and how its value changes as variables move.

use smallvec::SmallVec;

use super::{DENOMINATOR, Powers};
use crate::ring::fact::Relation;

/// A sum of integer multiples of powers of variables, each by its number.
pub(super) struct Constraint {
    pub terms: Vec<(i64, Powers)>,
    /// By variables, ascending.
    pub occurrences: Vec<Occurrence>,
    pub relation: Relation,
}

/// Where a variable occurs in a constraint.
#[derive(Clone)]
pub(super) struct Occurrence {
    pub variable: usize,
    /// The places of the terms that contain it.
    terms: SmallVec<[usize; 4]>,
    is_linear: bool,
}

impl Constraint {
    pub fn new(terms: Vec<(i64, Powers)>, relation: Relation) -> Constraint {
        let mut occurrences: Vec<Occurrence> = Vec::new();
        for (place, (_, powers)) in terms.iter().enumerate() {
            for &(variable, exponent) in powers {
                let known = occurrences
                    .iter_mut()
                    .find(|known| known.variable == variable);
                match known {
                    Some(known) => {
                        known.terms.push(place);
                        known.is_linear &= exponent == 1;
                    }
                    None => occurrences.push(Occurrence {
                        variable,
                        terms: SmallVec::from_slice(&[place]),
                        is_linear: exponent == 1,
                    }),
                }
            }
        }
        occurrences.sort_unstable_by_key(|occurrence| occurrence.variable);
        Constraint {
            terms,
            occurrences,
            relation,
        }
    }

    /// Every variable divided by [`DENOMINATOR`], then all terms multiplied by a power of it.
    pub fn in_fractions(&self) -> Option<Constraint> {
        let degree = |powers: &[(usize, u32)]| powers.iter().map(|(_, exponent)| exponent).sum();
        let degrees = self.terms.iter().map(|(_, powers)| degree(powers));
        let highest: u32 = degrees.max()?;
        let terms = self.terms.iter().map(|(coefficient, powers)| {
            let factor = DENOMINATOR.checked_pow(highest - degree(powers))?;
            Some((coefficient.checked_mul(factor)?, powers.clone()))
        });
        Some(Constraint {
            terms: terms.collect::<Option<_>>()?,
            occurrences: self.occurrences.clone(),
            relation: self.relation,
        })
    }

    pub fn total(&self, point: &[i64]) -> Option<i64> {
        let mut terms = self.terms.iter();
        terms.try_fold(0i64, |total, (coefficient, powers)| {
            total.checked_add(product(*coefficient, powers.iter(), point)?)
        })
    }

    pub fn allows(&self, total: i64) -> bool {
        match self.relation {
            Relation::NonNegative => total >= 0,
            Relation::Positive => total > 0,
            Relation::Zero => total == 0,
        }
    }

    /// The slope in a variable; `None` where the constraint is not linear in it, or a number is too large.
    pub fn slope(&self, of: &Occurrence, point: &[i64]) -> Option<i64> {
        if !of.is_linear {
            return None;
        }
        of.terms.iter().try_fold(0i64, |slope, &place| {
            let (coefficient, powers) = &self.terms[place];
            let others = powers.iter().filter(|&&(other, _)| other != of.variable);
            slope.checked_add(product(*coefficient, others, point)?)
        })
    }

    /// The total where a variable has another value; `None` if a number is too large.
    pub fn moved(
        &self,
        total: i64,
        slope: Option<i64>,
        (variable, value): (usize, i64),
        point: &mut [i64],
    ) -> Option<i64> {
        match slope {
            Some(slope) => total.checked_add(slope.checked_mul(value - point[variable])?),
            None => {
                let before = std::mem::replace(&mut point[variable], value);
                let total = self.total(point);
                point[variable] = before;
                total
            }
        }
    }
}

fn product<'a>(
    coefficient: i64,
    mut powers: impl Iterator<Item = &'a (usize, u32)>,
    point: &[i64],
) -> Option<i64> {
    powers.try_fold(coefficient, |product, &(variable, exponent)| {
        let power = match exponent {
            1 => point[variable],
            _ => point[variable].checked_pow(exponent)?,
        };
        product.checked_mul(power)
    })
}
