//! Laurent polynomials: sums of rational multiples of monomials, in canonical form.

mod operators;
mod squares;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::monomial::{Atom, Monomial};
use super::rational::Rational;
pub use squares::CompletedSquare;

/// A multiplication is given up after this many products of terms for each term that its result
/// may have.
const PRODUCTS_PER_TERM: usize = 64;

/// Each further block of this many bits in the coefficients increases the cost of a product of terms by one.
const BITS_PER_PRODUCT: usize = 256;
/// A power of two or more terms with coefficients of more bits stays a power.
const MAX_POWER_BITS: u64 = 4_096;

/// A Laurent polynomial over [`Atom`]s with rational coefficients.
///
/// Canonical: monomials in descending order, each once, no coefficient 0. Equal polynomials therefore have equal
/// representations and hashes.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polynomial {
    terms: Vec<(Monomial, Rational)>,
}

impl Polynomial {
    pub fn zero() -> Polynomial {
        Polynomial::default()
    }

    pub fn one() -> Polynomial {
        Polynomial::from(Rational::ONE)
    }

    /// The polynomial that is `value` everywhere.
    pub fn constant(value: Rational) -> Polynomial {
        Polynomial::term(Monomial::one(), value)
    }

    /// The polynomial that is the atom.
    pub fn atom(atom: Atom) -> Polynomial {
        Polynomial::term(Monomial::power(atom, 1), Rational::ONE)
    }

    /// `coefficient * monomial`
    pub fn term(monomial: Monomial, coefficient: Rational) -> Polynomial {
        let terms = if coefficient.is_zero() {
            Vec::new()
        } else {
            vec![(monomial, coefficient)]
        };
        Polynomial { terms }
    }

    /// The sum of terms in any order, in O(n log n).
    pub fn from_terms(mut terms: Vec<(Monomial, Rational)>) -> Polynomial {
        terms.sort_unstable_by(|(left, _), (right, _)| right.cmp(left));
        terms.dedup_by(|(monomial, coefficient), (kept, total)| {
            let same = monomial == kept;
            if same {
                *total += &*coefficient;
            }
            same
        });
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Polynomial { terms }
    }

    /// Terms that are already canonical.
    pub(super) fn from_canonical(terms: Vec<(Monomial, Rational)>) -> Polynomial {
        if cfg!(any(test, debug_assertions)) {
            assert!(terms.is_sorted_by(|(left, _), (right, _)| left > right));
        }
        Polynomial { terms }
    }

    /// The monomials in descending order with their nonzero coefficients.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> + Clone {
        self.terms
            .iter()
            .map(|(monomial, coefficient)| (monomial, coefficient))
    }

    /// The terms by value, in the same order.
    pub(super) fn into_terms(self) -> impl Iterator<Item = (Monomial, Rational)> {
        self.terms.into_iter()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if it has no terms, like [`Polynomial::is_zero`].
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a polynomial without atoms.
    pub fn as_constant(&self) -> Option<Rational> {
        match self.terms.as_slice() {
            [] => Some(Rational::ZERO),
            [(monomial, coefficient)] if monomial.is_one() => Some(coefficient.clone()),
            _ => None,
        }
    }

    /// The only term of a polynomial that has exactly one.
    pub fn as_term(&self) -> Option<(&Monomial, &Rational)> {
        match self.terms.as_slice() {
            [(monomial, coefficient)] => Some((monomial, coefficient)),
            _ => None,
        }
    }

    /// The atom, if the polynomial is a single atom.
    pub fn as_atom(&self) -> Option<Atom> {
        match (self.terms.as_slice(), self.terms.first()?.0.powers()) {
            ([(_, coefficient)], [(atom, 1)]) if coefficient.is_one() => Some(*atom),
            _ => None,
        }
    }

    /// The coefficient of a monomial; 0 if it does not occur.
    pub fn coefficient(&self, monomial: &Monomial) -> Rational {
        match self
            .terms
            .binary_search_by(|(other, _)| monomial.cmp(other))
        {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    /// All atoms that occur.
    pub fn atoms(&self) -> BTreeSet<Atom> {
        let powers = self
            .terms
            .iter()
            .flat_map(|(monomial, _)| monomial.powers());
        powers.map(|(atom, _)| *atom).collect()
    }

    /// The least and the greatest exponent of each atom; 0 counts for terms without it.
    ///
    /// Faster than [`Polynomial::min_degree_in`] and [`Polynomial::degree_in`] for each atom.
    pub fn exponents(&self) -> BTreeMap<Atom, (i32, i32)> {
        let mut found: BTreeMap<Atom, (i32, i32, usize)> = BTreeMap::new();
        let powers = self
            .terms
            .iter()
            .flat_map(|(monomial, _)| monomial.powers());
        for &(atom, exponent) in powers {
            let (least, greatest, terms) = found.entry(atom).or_insert((exponent, exponent, 0));
            *least = exponent.min(*least);
            *greatest = exponent.max(*greatest);
            *terms += 1;
        }
        let of_all = |(atom, (least, greatest, terms)): (Atom, (i32, i32, usize))| match terms {
            _ if terms == self.len() => (atom, (least, greatest)),
            _ => (atom, (least.min(0), greatest.max(0))),
        };
        found.into_iter().map(of_all).collect()
    }

    /// True if their sum is a number.
    pub(super) fn is_opposite_of(&self, other: &Polynomial) -> bool {
        let own = self.terms.iter().filter(|(monomial, _)| !monomial.is_one());
        let mut others = other
            .terms
            .iter()
            .filter(|(monomial, _)| !monomial.is_one());
        let mut own = own.map(|(monomial, coefficient)| {
            let opposite = others.next();
            opposite.is_some_and(|(m, c)| m == monomial && (c + coefficient).is_zero())
        });
        own.all(|is_opposite| is_opposite) && others.next().is_none()
    }

    pub fn contains(&self, atom: Atom) -> bool {
        self.terms
            .iter()
            .any(|(monomial, _)| monomial.exponent(atom) != 0)
    }

    /// The greatest exponent of `atom` in any term; 0 for the zero polynomial.
    pub fn degree_in(&self, atom: Atom) -> i32 {
        let exponents = self
            .terms
            .iter()
            .map(|(monomial, _)| monomial.exponent(atom));
        exponents.max().unwrap_or(0)
    }

    /// The least exponent of `atom` in any term; 0 for the zero polynomial.
    pub fn min_degree_in(&self, atom: Atom) -> i32 {
        let exponents = self
            .terms
            .iter()
            .map(|(monomial, _)| monomial.exponent(atom));
        exponents.min().unwrap_or(0)
    }

    /// The polynomial as univariate in `atom`: exponents with nonzero coefficients that are free of
    /// `atom`.
    pub fn coefficients_in(&self, atom: Atom) -> BTreeMap<i32, Polynomial> {
        let mut coefficients = BTreeMap::<i32, Polynomial>::new();
        for (monomial, coefficient) in &self.terms {
            // Among terms of equal exponent, leaving out the atom keeps the order.
            let of_exponent = coefficients.entry(monomial.exponent(atom)).or_default();
            of_exponent
                .terms
                .push((monomial.without(atom), coefficient.clone()));
        }
        coefficients
    }

    /// The factor of an atom that occurs with the exponents 0 and 1 only, and the terms without this atom.
    pub(super) fn split_by(&self, atom: Atom) -> (Polynomial, Polynomial) {
        let (mut factor, mut rest) = (Polynomial::zero(), Polynomial::zero());
        for (monomial, coefficient) in &self.terms {
            let coefficient = coefficient.clone();
            match monomial.exponent(atom) {
                0 => rest.terms.push((monomial.clone(), coefficient)),
                _ => factor.terms.push((monomial.without(atom), coefficient)),
            }
        }
        (factor, rest)
    }

    /// The product with a number.
    pub fn scale(&self, factor: &Rational) -> Polynomial {
        if factor.is_zero() {
            return Polynomial::zero();
        }
        let scaled = |(monomial, coefficient): &(Monomial, Rational)| {
            (monomial.clone(), coefficient * factor)
        };
        Polynomial::from_canonical(self.terms.iter().map(scaled).collect())
    }

    /// The product with one term, in linear time; `None` when an exponent overflows.
    pub fn mul_term(&self, monomial: &Monomial, factor: &Rational) -> Option<Polynomial> {
        if factor.is_zero() {
            return Some(Polynomial::zero());
        }
        let product = |(other, coefficient): &(Monomial, Rational)| {
            Some((other.checked_mul(monomial)?, coefficient * factor))
        };
        let terms = self.terms.iter().map(product).collect::<Option<_>>()?;
        Some(Polynomial::from_canonical(terms))
    }

    /// Subtracts a multiple of another polynomial in linear time; `None` if an exponent overflows.
    pub(super) fn minus_multiple(
        &self,
        other: &Polynomial,
        monomial: &Monomial,
        factor: &Rational,
    ) -> Option<Polynomial> {
        let mut terms = Vec::with_capacity(self.len() + other.len());
        let mut own = self.terms.iter().peekable();
        for (theirs, coefficient) in &other.terms {
            let product = theirs.checked_mul(monomial)?;
            while let Some(term) = own.next_if(|(kept, _)| *kept > product) {
                terms.push(term.clone());
            }
            let taken = coefficient * factor;
            match own.next_if(|(kept, _)| *kept == product) {
                Some((_, kept)) => {
                    let left = kept - &taken;
                    if !left.is_zero() {
                        terms.push((product, left));
                    }
                }
                None => terms.push((product, -taken)),
            }
        }
        terms.extend(own.cloned());
        Some(Polynomial::from_canonical(terms))
    }

    /// The product.
    ///
    /// Returns `None` if it has more than `max_terms` terms, if computing it takes more than `64 * max_terms` products
    /// of terms (long coefficients count more), or if an exponent overflows.
    pub fn checked_mul(&self, other: &Polynomial, max_terms: usize) -> Option<Polynomial> {
        let (short, long) = if self.len() <= other.len() {
            (self, other)
        } else {
            (other, self)
        };
        let product = match short.terms.as_slice() {
            [] => Polynomial::zero(),
            [(monomial, coefficient)] => long.mul_term(monomial, coefficient)?,
            rows => {
                let bits = self.longest_coefficient() + other.longest_coefficient();
                let weight = 1 + bits as usize / BITS_PER_PRODUCT;
                let products = rows.len().checked_mul(long.len())?.checked_mul(weight)?;
                if products > max_terms.saturating_mul(PRODUCTS_PER_TERM) {
                    return None;
                }
                multiply_rows(rows, long)?
            }
        };
        (product.len() <= max_terms).then_some(product)
    }

    /// `self ^ exponent`, with `0 ^ 0 = 1`.
    ///
    /// Returns `None` as [`Polynomial::checked_mul`], and for a power of two or more terms with an
    /// exponent above `max_terms` whose result could have more terms or coefficients of more than
    /// 4,096 bits. Also for a single term with a coefficient of more than a million bits.
    pub fn pow(&self, exponent: u32, max_terms: usize) -> Option<Polynomial> {
        if let Some((monomial, coefficient)) = self.as_term() {
            let coefficient = coefficient.pow(exponent.into())?;
            let monomial = if monomial.is_one() {
                Monomial::one()
            } else {
                monomial.checked_pow(exponent.try_into().ok()?)?
            };
            return Some(Polynomial::term(monomial, coefficient));
        }
        if exponent == 0 {
            return Some(Polynomial::one());
        }
        if self.is_zero() || exponent == 1 {
            return Some(self.clone());
        }
        if exponent as usize > max_terms || self.is_long_power(exponent, max_terms) {
            return None;
        }
        let mut power = self.clone();
        for bit in (0..exponent.ilog2()).rev() {
            power = power.checked_mul(&power, max_terms)?;
            if exponent >> bit & 1 == 1 {
                power = power.checked_mul(self, max_terms)?;
            }
        }
        Some(power)
    }

    /// True if `self ^ exponent` may have more terms, or coefficients of more bits, than is worth their
    /// while: found by counting, before anything is multiplied.
    fn is_long_power(&self, exponent: u32, max_terms: usize) -> bool {
        let bits = self.longest_coefficient() + u64::from(self.len().ilog2()) + 1;
        if bits * u64::from(exponent) > MAX_POWER_BITS {
            return true;
        }
        // Ways to choose the terms: binomial(exponent + t - 1, t - 1).
        let others = self.len() as u64 - 1;
        let choices = (1..=others).try_fold(1_u64, |count, k| {
            Some(count.checked_mul(u64::from(exponent) + k)? / k)
        });
        // Exponents of each atom: a dense polynomial has no more monomials than these.
        let mut ranges = self.exponents().into_values();
        let dense = ranges.try_fold(1_u64, |count, (least, greatest)| {
            count.checked_mul(u64::from(greatest.abs_diff(least)) * u64::from(exponent) + 1)
        });
        let most = max_terms as u64;
        choices.is_none_or(|count| count > most) && dense.is_none_or(|count| count > most)
    }

    /// The bits of the longest coefficient.
    fn longest_coefficient(&self) -> u64 {
        let bits = self.terms.iter().map(|(_, coefficient)| coefficient.bits());
        bits.max().unwrap_or(0)
    }

    /// Substitutes `replacement` for `atom`.
    ///
    /// Returns `None` if `atom` has a negative exponent and the replacement is not a single term,
    /// and as [`Polynomial::pow`].
    pub fn substitute(
        &self,
        atom: Atom,
        replacement: &Polynomial,
        max_terms: usize,
    ) -> Option<Polynomial> {
        if let Some((monomial, coefficient)) = replacement.as_term() {
            let replaced = |(other, factor): &(Monomial, Rational)| {
                let exponent = other.exponent(atom);
                let power = monomial.checked_pow(exponent)?;
                let factor = factor * coefficient.pow(exponent.into())?;
                Some((other.without(atom).checked_mul(&power)?, factor))
            };
            let terms = self.terms.iter().map(replaced).collect::<Option<_>>()?;
            return Some(Polynomial::from_terms(terms));
        }
        let coefficients = self.coefficients_in(atom);
        // Horner's scheme, skipping the powers that do not occur.
        let mut result = Polynomial::zero();
        let mut above = None;
        for (exponent, coefficient) in coefficients.into_iter().rev() {
            result = raise(result, replacement, above, exponent, max_terms)? + coefficient;
            above = Some(exponent);
        }
        raise(result, replacement, above, 0, max_terms)
    }

    /// The derivative by `atom`; `None` when an exponent overflows.
    pub fn derivative(&self, atom: Atom) -> Option<Polynomial> {
        let lower = Monomial::power(atom, -1);
        let mut terms = Vec::with_capacity(self.len());
        for (monomial, coefficient) in &self.terms {
            let exponent = monomial.exponent(atom);
            if exponent != 0 {
                let factor = Rational::from(i64::from(exponent));
                terms.push((monomial.checked_mul(&lower)?, coefficient * factor));
            }
        }
        Some(Polynomial::from_canonical(terms))
    }

    /// The value at values of the atoms.
    ///
    /// Returns `None` for a negative power of 0, or a number of more than a million bits.
    pub fn evaluate(&self, mut value: impl FnMut(Atom) -> Rational) -> Option<Rational> {
        let mut total = Rational::ZERO;
        for (monomial, coefficient) in &self.terms {
            let mut product = coefficient.clone();
            for (atom, exponent) in monomial.powers() {
                product *= value(*atom).pow((*exponent).into())?;
            }
            total += product;
        }
        Some(total)
    }
}

/// One step of Horner's scheme: `result * base ^ (above - exponent)`, where `result` stands for
/// coefficients from exponent `above` on.
fn raise(
    result: Polynomial,
    base: &Polynomial,
    above: Option<i32>,
    exponent: i32,
    max_terms: usize,
) -> Option<Polynomial> {
    let Some(above) = above else {
        return Some(result);
    };
    let gap = u32::try_from(above.checked_sub(exponent)?).ok()?;
    result.checked_mul(&base.pow(gap, max_terms)?, max_terms)
}

/// The product of some rows with all of `other`, halving the rows so that each term takes part in
/// few merges.
fn multiply_rows(rows: &[(Monomial, Rational)], other: &Polynomial) -> Option<Polynomial> {
    const SORTED_DIRECTLY: usize = 64;
    if rows.len() * other.len() <= SORTED_DIRECTLY {
        let mut terms = Vec::with_capacity(rows.len() * other.len());
        for (left, a) in rows {
            for (right, b) in &other.terms {
                terms.push((left.checked_mul(right)?, a * b));
            }
        }
        return Some(Polynomial::from_terms(terms));
    }
    if let [(monomial, coefficient)] = rows {
        return other.mul_term(monomial, coefficient);
    }
    // The depth is logarithmic in the number of rows.
    let (first, second) = rows.split_at(rows.len() / 2);
    Some(multiply_rows(first, other)? + multiply_rows(second, other)?)
}

/// `3*x0^2 + -1/2*x1`, where `x1` is `Atom(1)`.
impl fmt::Debug for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (position, (monomial, coefficient)) in self.terms.iter().enumerate() {
            let plus = if position == 0 { "" } else { " + " };
            match (monomial.is_one(), coefficient.is_one()) {
                (true, _) => write!(f, "{plus}{coefficient}")?,
                (false, true) => write!(f, "{plus}{monomial:?}")?,
                (false, false) => write!(f, "{plus}{coefficient}*{monomial:?}")?,
            }
        }
        Ok(())
    }
}
