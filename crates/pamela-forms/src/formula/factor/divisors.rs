//! Finds sums that divide a sum.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::MAX_TERMS;
use crate::algebra::{bases, degree};
use crate::expr::{Arena, ExprId};
use crate::formula::sum::{Sum, build_sum};
use crate::ring::{Atom, Monomial, PRIME, Polynomial, Rational};
use crate::ring::{quotient_of, residue_of, value_at};

/// Sums over more atoms are not tried for linear factors.
const MAX_ATOMS: usize = 8;
/// Coefficients up to this are tried as parts of rational roots.
const MAX_ROOT_PART: i64 = 5_000;

/// Splits off factors found as common divisors, and factors such as `N + 1`, `N - P`, `2*N - 1`.
pub(super) fn sums_of(arena: &mut Arena, polynomial: Polynomial) -> (Vec<Polynomial>, Polynomial) {
    let atoms = ordered_atoms(arena, &polynomial);
    if polynomial.len() > MAX_TERMS {
        return (Vec::new(), polynomial);
    }
    // Powers below 0 would take most of the time of the many trials.
    let denominator = atoms.iter().try_fold(Monomial::one(), |product, &atom| {
        let least = polynomial.min_degree_in(atom).min(0);
        product.checked_div(&Monomial::power(atom, least))
    });
    let one = Rational::ONE;
    let whole =
        denominator.and_then(|monomial| Some((polynomial.mul_term(&monomial, &one)?, monomial)));
    let Some((rest, denominator)) = whole else {
        return (Vec::new(), polynomial);
    };
    let mut factors = Vec::new();
    let candidates = match atoms.len() {
        ..=MAX_ATOMS => candidates(&atoms, &rest),
        _ => Vec::new(),
    };
    let mut dividend = Dividend {
        atoms: &atoms,
        rest,
        residues: None,
    };
    for candidate in candidates {
        while let Some(divisor) = dividend.divide(&candidate) {
            factors.push(divisor);
        }
    }
    let mut rest = dividend.rest;
    let parts = rest.split().unwrap_or_default();
    let whole = matches!(parts[..], [] | [(_, 1)]);
    for (factor, power) in parts.into_iter().filter(|_| !whole) {
        let factor = with_fewer_minuses(arena, factor);
        for _ in 0..power {
            let Some(quotient) = rest.divide_exact(&factor) else {
                break;
            };
            rest = quotient;
            factors.push(factor.clone());
        }
    }
    let inverse = Monomial::one().checked_div(&denominator);
    let rest = inverse.and_then(|inverse| rest.mul_term(&inverse, &one));
    match rest.and_then(|rest| with_bases(arena, &polynomial, factors, rest)) {
        Some(product) => product,
        None => (Vec::new(), polynomial),
    }
}

/// The factors of a sum, each with the bases of its logarithms.
fn with_bases(
    arena: &Arena,
    sum: &Polynomial,
    mut factors: Vec<Polynomial>,
    mut rest: Polynomial,
) -> Option<(Vec<Polynomial>, Polynomial)> {
    for base in bases(arena, sum) {
        for factor in &mut factors {
            let degree = degree(arena, factor, base).unwrap_or(0);
            let power = Monomial::power(base, degree);
            *factor = factor.mul_term(&power.checked_pow(-1)?, &Rational::ONE)?;
            rest = rest.mul_term(&power, &Rational::ONE)?;
        }
    }
    Some((factors, rest))
}

/// Returns the sum or its negative, whichever has fewer minus signs; on a tie, the one that starts
/// without one.
pub(super) fn with_fewer_minuses(arena: &mut Arena, sum: Polynomial) -> Polynomial {
    let opposite = sum.scale(&Rational::from(-1));
    let minuses = sum.terms().filter(|(_, c)| c.is_negative()).count();
    match (2 * minuses).cmp(&sum.len()) {
        Ordering::Less => sum,
        Ordering::Greater => opposite,
        Ordering::Equal => {
            let shown = build_sum(arena, &sum);
            let first = arena.operands(shown).first().copied();
            let first = first.and_then(|first| Sum::read(arena, first));
            if first.is_some_and(|f| f.polynomial.terms().any(|(_, c)| c.is_negative())) {
                opposite
            } else {
                sum
            }
        }
    }
}

pub(super) fn ordered_atoms(arena: &Arena, polynomial: &Polynomial) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = polynomial.atoms().into_iter().collect();
    atoms.sort_by(|a, b| arena.compare(ExprId::from_index(a.0), ExprId::from_index(b.0)));
    atoms
}

/// `slope * x + sign * y + constant`; without a `y`, `slope * x + constant`.
#[derive(Clone, Copy)]
struct Candidate {
    x: Atom,
    slope: i64,
    y: Option<(Atom, i64)>,
    constant: i64,
}

impl Candidate {
    fn of_one(x: Atom, slope: i64, constant: i64) -> Candidate {
        Candidate {
            x,
            slope,
            y: None,
            constant,
        }
    }

    fn polynomial(&self) -> Polynomial {
        let of = |(atom, factor): (Atom, i64)| {
            Polynomial::term(Monomial::power(atom, 1), Rational::from(factor))
        };
        let constant = Polynomial::from(Rational::from(self.constant));
        let sum = &of((self.x, self.slope)) + &self.y.map(of).unwrap_or_default();
        &sum + &constant
    }

    /// The value of `x` at which it is 0, modulo [`PRIME`].
    fn root(&self, atoms: &[Atom]) -> Option<u64> {
        let of = |number: i64| residue_of(&Rational::from(number));
        let rest = match self.y {
            Some((y, 1)) => value_of(atoms, y),
            Some((y, _)) => PRIME - value_of(atoms, y),
            None => 0,
        };
        let rest = (rest + of(self.constant)?) % PRIME;
        quotient_of(PRIME - rest, of(self.slope)?)
    }
}

fn candidates(atoms: &[Atom], polynomial: &Polynomial) -> Vec<Candidate> {
    let mut list = match atoms {
        [only] => rational_roots(*only, polynomial),
        _ => Vec::new(),
    };
    for (position, &x) in atoms.iter().enumerate() {
        list.extend([1, -1, 2, -2].map(|constant| Candidate::of_one(x, 1, constant)));
        list.extend([1, -1].map(|constant| Candidate::of_one(x, 2, constant)));
        for &y in &atoms[position + 1..] {
            for constant in [0, 1, -1] {
                list.extend([1, -1].map(|sign| Candidate {
                    y: Some((y, sign)),
                    ..Candidate::of_one(x, 1, constant)
                }));
            }
        }
    }
    list
}

/// `q*x - p` for the rational roots `p/q` whose parts divide the outer coefficients.
fn rational_roots(x: Atom, polynomial: &Polynomial) -> Vec<Candidate> {
    let coefficients = polynomial.coefficients_in(x);
    let outer = |entry: Option<(&i32, &Polynomial)>| entry?.1.as_constant()?.abs().to_i64();
    let (Some(last), Some(first)) = (
        outer(coefficients.first_key_value()),
        outer(coefficients.last_key_value()),
    ) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    for q in divisors(first) {
        for p in divisors(last) {
            list.extend([-p, p].map(|p| Candidate::of_one(x, q, p)));
        }
    }
    list
}

fn divisors(number: i64) -> Vec<i64> {
    if !(1..=MAX_ROOT_PART).contains(&number) {
        return Vec::new();
    }
    (1..=number).filter(|d| number % d == 0).collect()
}

/// Different values that are large enough not to be roots by chance.
fn value_of(atoms: &[Atom], atom: Atom) -> u64 {
    let position = atoms.iter().position(|a| *a == atom).unwrap_or(0);
    1_000_003_u64 + 100_003 * position as u64
}

/// A sum that is divided, with its residues over the atom that was asked for last: most failures are seen at one point.
struct Dividend<'a> {
    atoms: &'a [Atom],
    rest: Polynomial,
    residues: Option<(Atom, Option<BTreeMap<i32, u64>>)>,
}

impl Dividend<'_> {
    fn may_be_divided(&mut self, candidate: &Candidate) -> bool {
        let x = candidate.x;
        if self.residues.as_ref().is_none_or(|(atom, _)| *atom != x) {
            let value = |atom: Atom| value_of(self.atoms, atom);
            self.residues = Some((x, self.rest.residues_in(x, value)));
        }
        let residues = (self.residues.as_ref()).and_then(|(_, residues)| residues.as_ref());
        let root = candidate.root(self.atoms);
        residues
            .zip(root)
            .and_then(|(residues, root)| value_at(residues, root))
            == Some(0)
    }

    /// Divides by the candidate, if that leaves nothing.
    fn divide(&mut self, candidate: &Candidate) -> Option<Polynomial> {
        if self.rest.len() <= 1 || !self.may_be_divided(candidate) {
            return None;
        }
        let divisor = candidate.polynomial();
        self.rest = self.rest.divide_exact(&divisor)?;
        self.residues = None;
        Some(divisor)
    }
}
