//! The sums that divide a sum.

use std::cmp::Ordering;

use super::MAX_TERMS;
use crate::algebra::{bases, degree};
use crate::expr::{Arena, ExprId};
use crate::formula::sum::{Sum, build_sum};
use crate::ring::{Atom, Monomial, PRIME, Polynomial, Rational, quotient_of, residue_of};

/// Sums over more atoms are not tried for linear factors.
const MAX_ATOMS: usize = 8;
/// Coefficients up to this are tried as parts of rational roots.
const MAX_ROOT_PART: i64 = 5_000;

/// Splits off factors as long as there are any: what common divisors tell apart, and such as `N + 1`, `N - P`,
/// `2*N - 1`.
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
    let Some((mut rest, denominator)) = whole else {
        return (Vec::new(), polynomial);
    };
    let mut factors = Vec::new();
    let candidates = match atoms.len() {
        ..=MAX_ATOMS => candidates(&atoms, &rest),
        _ => Vec::new(),
    };
    for candidate in candidates {
        while rest.len() > 1
            && let Some(quotient) = divided(&rest, &candidate, &atoms)
        {
            rest = quotient;
            factors.push(candidate.clone());
        }
    }
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

/// A sum or its negative: the one with fewer minus signs, or else the one that begins without one.
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
            match first.is_some_and(|f| f.polynomial.terms().any(|(_, c)| c.is_negative())) {
                true => opposite,
                false => sum,
            }
        }
    }
}

pub(super) fn ordered_atoms(arena: &Arena, polynomial: &Polynomial) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = polynomial.atoms().into_iter().collect();
    atoms.sort_by(|a, b| arena.compare(ExprId::from_index(a.0), ExprId::from_index(b.0)));
    atoms
}

fn candidates(atoms: &[Atom], polynomial: &Polynomial) -> Vec<Polynomial> {
    let number = |value: i64| Polynomial::from(Rational::from(value));
    let mut list = match atoms {
        [only] => rational_roots(*only, polynomial),
        _ => Vec::new(),
    };
    for (position, &x) in atoms.iter().enumerate() {
        let x = Polynomial::atom(x);
        let twice = x.scale(&Rational::from(2));
        for constant in [1, -1, 2, -2] {
            list.push(&x + &number(constant));
        }
        list.extend([&twice + &number(1), &twice + &number(-1)]);
        for &y in &atoms[position + 1..] {
            let y = Polynomial::atom(y);
            for constant in [0, 1, -1] {
                list.push(&(&x + &y) + &number(constant));
                list.push(&(&x - &y) + &number(constant));
            }
        }
    }
    list
}

/// `q*x - p` for the rational roots `p/q` whose parts divide the outer coefficients.
fn rational_roots(x: Atom, polynomial: &Polynomial) -> Vec<Polynomial> {
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
            for p in [-p, p] {
                let monomial = Monomial::power(x, 1);
                let linear = Polynomial::term(monomial, Rational::from(q));
                list.push(&linear + &Polynomial::from(Rational::from(p)));
            }
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

/// The quotient, if the division leaves nothing; most failures are seen at one point.
fn divided(dividend: &Polynomial, divisor: &Polynomial, atoms: &[Atom]) -> Option<Polynomial> {
    let (leading, coefficient) = divisor.terms().next()?;
    let &(pivot, _) = leading.powers().first()?;
    // Different values that are large enough not to be roots by chance.
    let value = |atom: Atom| {
        let position = atoms.iter().position(|a| *a == atom).unwrap_or(0);
        1_000_003_u64 + 100_003 * position as u64
    };
    let rest = divisor.residue(|atom| if atom == pivot { 0 } else { value(atom) })?;
    let slope = residue_of(coefficient)?;
    let root = quotient_of(PRIME - rest, slope)?;
    let at_root = dividend.residue(|atom| if atom == pivot { root } else { value(atom) })?;
    if at_root == 0 {
        dividend.divide_exact(divisor)
    } else {
        None
    }
}
