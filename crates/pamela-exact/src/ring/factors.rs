//! Linear factors of a polynomial in one of its atoms.

use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;
use super::univariate::Univariate;

/// Polynomials of a higher degree are not factored.
const MAX_DEGREE: i32 = 24;
/// Maximum number of combinations of roots that are tried for a symbolic factor.
const MAX_TRIES: usize = 256;

/// `leading * (index + shift_1)^power_1 * ...`
#[derive(Clone, Debug)]
pub struct LinearFactors {
    /// Free of the index.
    pub leading: Polynomial,
    /// Distinct index-free shifts, with their powers.
    pub factors: Vec<(Polynomial, u32)>,
}

impl Polynomial {
    /// The factors in `index`, if all are linear with shifts that are rational or linear in other
    /// atoms.
    ///
    /// Otherwise returns `None`; also for a negative power of the index, and beyond degree 24.
    pub fn linear_factors(&self, index: Atom, max_terms: usize) -> Option<LinearFactors> {
        let degree = self.degree_in(index);
        if self.is_zero() || self.min_degree_in(index) < 0 || degree > MAX_DEGREE {
            return None;
        }
        let leading = self.coefficients_in(index).remove(&degree)?;
        let mut rest = self.divide_exact(&leading)?;
        let mut factors = Vec::new();
        let lowest = rest.min_degree_in(index);
        if lowest > 0 {
            rest = rest.mul_term(&Monomial::power(index, -lowest), &Rational::ONE)?;
            factors.push((Polynomial::zero(), lowest.unsigned_abs()));
        }
        while rest.degree_in(index) > 0 {
            let shift = linear_shift(&rest, index, max_terms)?;
            let factor = &Polynomial::atom(index) + &shift;
            let mut power = 0;
            while let Some(quotient) = rest.divide_exact(&factor) {
                (rest, power) = (quotient, power + 1);
            }
            if power == 0 {
                return None;
            }
            factors.push((shift, power));
        }
        (rest == Polynomial::one()).then_some(LinearFactors { leading, factors })
    }
}

/// Some `t`, not 0, for which `index + t` divides a polynomial that is monic in the index.
fn linear_shift(p: &Polynomial, index: Atom, max_terms: usize) -> Option<Polynomial> {
    let coefficients = p.coefficients_in(index);
    if let (1, Some(shift)) = (p.degree_in(index), coefficients.get(&0)) {
        return Some(shift.clone());
    }
    let atoms: Vec<Atom> = p.atoms().into_iter().filter(|&a| a != index).collect();
    // The root is linear: known from where all atoms are 0, and where one of them is 1.
    let at = |one: Option<Atom>| -> Option<Vec<Rational>> {
        let value = |atom| Rational::from(i64::from(Some(atom) == one));
        let univariate = specialise(p, index, value)?;
        let roots = univariate.rational_roots();
        Some(roots.into_iter().map(|(root, _)| root).collect())
    };
    let mut candidates: Vec<(Rational, Polynomial)> = at(None)?
        .into_iter()
        .map(|root| (root.clone(), Polynomial::constant(root)))
        .collect();
    for &atom in &atoms {
        let roots = at(Some(atom))?;
        let extended = candidates.iter().flat_map(|(origin, root)| {
            roots.iter().map(move |end| {
                let slope = end - origin;
                (origin.clone(), root + &Polynomial::atom(atom).scale(&slope))
            })
        });
        candidates = extended.take(MAX_TRIES).collect();
    }
    let is_root = |root: &Polynomial| {
        let value = p.substitute(index, root, max_terms);
        value.is_some_and(|value| value.is_zero())
    };
    candidates
        .into_iter()
        .map(|(_, root)| root)
        .find(is_root)
        .map(|root| -&root)
}

/// The polynomial in the index that is left when the other atoms have values.
fn specialise(p: &Polynomial, index: Atom, value: impl Fn(Atom) -> Rational) -> Option<Univariate> {
    let degree = usize::try_from(p.degree_in(index)).ok()?;
    let mut coefficients = vec![Rational::ZERO; degree + 1];
    for (power, coefficient) in p.coefficients_in(index) {
        coefficients[usize::try_from(power).ok()?] = coefficient.evaluate(&value)?;
    }
    Some(Univariate::new(coefficients))
}

impl Polynomial {
    /// The polynomial as univariate in `index`; `None` if it has other atoms or negative powers.
    pub fn univariate(&self, index: Atom) -> Option<Univariate> {
        if self.min_degree_in(index) < 0 || self.atoms().into_iter().any(|atom| atom != index) {
            return None;
        }
        specialise(self, index, |_| Rational::ZERO)
    }
}
