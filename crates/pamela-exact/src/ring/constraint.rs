//! Constraints over integers, evaluated at points.

use smallvec::SmallVec;

use super::fact::Relation;

/// Fractions have this denominator: halves, thirds and quarters are among them.
pub(super) const DENOMINATOR: i64 = 12;

/// A sum of integer multiples of powers of variables, each by its number.
pub(super) struct Constraint {
    pub terms: Vec<(i64, Powers)>,
    /// Variables of its terms.
    pub variables: Vec<usize>,
    pub relation: Relation,
}

/// Powers of variables, by their numbers.
pub(super) type Powers = SmallVec<[(usize, u32); 3]>;

impl Constraint {
    pub fn new(terms: Vec<(i64, Powers)>, relation: Relation) -> Constraint {
        let powers = terms.iter().flat_map(|(_, powers)| powers);
        let mut variables: Vec<usize> = powers.map(|&(variable, _)| variable).collect();
        variables.sort_unstable();
        variables.dedup();
        Constraint {
            terms,
            variables,
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
            variables: self.variables.clone(),
            relation: self.relation,
        })
    }

    pub fn total(&self, point: &[i64]) -> Option<i64> {
        self.terms
            .iter()
            .try_fold(0i64, |total, (coefficient, powers)| {
                total.checked_add(product(*coefficient, powers.iter(), point)?)
            })
    }

    pub fn holds(&self, total: i64) -> bool {
        match self.relation {
            Relation::NonNegative => total >= 0,
            Relation::Positive => total > 0,
            Relation::Zero => total == 0,
        }
    }

    /// The factor of each power of a variable, with the exponent.
    fn factors<'a>(
        &'a self,
        variable: usize,
        point: &'a [i64],
    ) -> impl Iterator<Item = Option<(i64, u32)>> + 'a {
        self.terms.iter().filter_map(move |(coefficient, powers)| {
            let &(_, exponent) = powers.iter().find(|&&(other, _)| other == variable)?;
            let others = powers.iter().filter(move |&&(other, _)| other != variable);
            Some(product(*coefficient, others, point).map(|factor| (factor, exponent)))
        })
    }

    /// The total after a variable has moved to another value; most terms do not mention it.
    pub fn moved(&self, total: i64, point: &[i64], variable: usize, value: i64) -> Option<i64> {
        let before = point[variable];
        self.factors(variable, point)
            .try_fold(total, |total, factor| {
                let (factor, exponent) = factor?;
                let step = match exponent {
                    1 => value.checked_sub(before)?,
                    _ => value
                        .checked_pow(exponent)?
                        .checked_sub(before.checked_pow(exponent)?)?,
                };
                total.checked_add(factor.checked_mul(step)?)
            })
    }

    /// The slope in a variable and the value where that is 0; `None` where it is not linear in it.
    pub fn linear_in(&self, variable: usize, total: i64, point: &[i64]) -> Option<(i64, i64)> {
        let mut slope = 0i64;
        for factor in self.factors(variable, point) {
            let (factor, exponent) = factor?;
            if exponent != 1 {
                return None;
            }
            slope = slope.checked_add(factor)?;
        }
        let own = slope.checked_mul(point[variable])?;
        Some((slope, total.checked_sub(own)?))
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
