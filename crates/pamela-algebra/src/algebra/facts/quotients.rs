//! Quotients that are known to be integers.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use crate::algebra::terms::{Terms, expr_of};

/// For example `N/P`, from the facts `integer(N/P)` and `N mod P == 0`.
pub fn whole_quotient(terms: &mut Terms, fact: ExprId) -> Option<Polynomial> {
    match *terms.arena.node(fact) {
        Node::Apply(Function::Integer, operand) => Some((*terms.polynomial(operand)).clone()),
        Node::Compare(Relation::Equal, left, right) => {
            let (zero, other) = match terms.arena.as_number(left) {
                Some(_) => (left, right),
                None => (right, left),
            };
            let Node::Mod(dividend, modulus) = *terms.arena.node(other) else {
                return None;
            };
            if !terms.arena.as_number(zero).is_some_and(Rational::is_zero) {
                return None;
            }
            let quotient = terms.arena.divide(dividend, modulus);
            Some((*terms.polynomial(quotient)).clone())
        }
        _ => None,
    }
}

/// Maximum number of multiples of whole quotients that are tried in one proof.
const MOST_MULTIPLES: u32 = 200;

/// True if `p` is a sum of whole quotients, each times a whole number, and of whole numbers: `n / p` of `n / (p * v)`
/// with a whole `v`.
pub fn is_made_of(
    p: &Polynomial,
    quotients: &[Polynomial],
    is_whole: impl Fn(Atom) -> bool,
) -> bool {
    let mut search = Search {
        quotients,
        is_whole,
        left: MOST_MULTIPLES,
    };
    search.is_made(p)
}

struct Search<'a, W> {
    quotients: &'a [Polynomial],
    is_whole: W,
    left: u32,
}

impl<W: Fn(Atom) -> bool> Search<'_, W> {
    /// Each step takes one of the multiples that are left, which bounds the recursion.
    fn is_made(&mut self, p: &Polynomial) -> bool {
        let open = p.terms().filter(|&(m, c)| !self.is_whole_term(m, c));
        let open = Polynomial::from_terms(open.map(|(m, c)| (m.clone(), c.clone())).collect());
        let Some((monomial, coefficient)) = open.terms().next() else {
            return true;
        };
        let quotients = self.quotients;
        let mut terms = quotients
            .iter()
            .flat_map(|q| q.terms().map(move |term| (q, term)));
        terms.any(|(quotient, (m, c))| {
            let multiple = monomial.checked_div(m).zip(coefficient.checked_div(c));
            let Some((ratio, factor)) = multiple else {
                return false;
            };
            if self.left == 0 || fractions(&ratio, &factor) >= fractions(monomial, coefficient) {
                return false;
            }
            self.left -= 1;
            let Some(part) = quotient.mul_term(&ratio, &factor) else {
                return false;
            };
            self.is_made(&Polynomial::term(ratio, factor)) && self.is_made(&(&open - &part))
        })
    }

    fn is_whole_term(&self, monomial: &Monomial, coefficient: &Rational) -> bool {
        let mut powers = monomial.powers().iter();
        coefficient.is_integer()
            && powers.all(|&(atom, exponent)| exponent > 0 && (self.is_whole)(atom))
    }
}

/// The denominator of a term.
fn fractions(monomial: &Monomial, coefficient: &Rational) -> i64 {
    let below = monomial
        .powers()
        .iter()
        .map(|&(_, exponent)| i64::from(-exponent.min(0)));
    below.sum::<i64>() + i64::from(!coefficient.is_integer())
}

/// Solves `quotient = whole` for a parameter that occurs once, in a numerator.
pub fn solve(terms: &Terms, quotient: &Polynomial, whole: Atom) -> Option<(Atom, Polynomial)> {
    for (monomial, coefficient) in quotient.terms() {
        for &(atom, exponent) in monomial.powers() {
            let single = exponent == 1
                && quotient
                    .coefficients_in(atom)
                    .keys()
                    .all(|&e| e == 0 || e == 1);
            let alone = quotient
                .terms()
                .filter(|(m, _)| m.exponent(atom) != 0)
                .count()
                == 1;
            let parameter = matches!(terms.arena.node(expr_of(atom)), Node::Symbol(_));
            if !(single && alone && parameter) || quotient.as_atom().is_some() {
                continue;
            }
            let rest = quotient - &Polynomial::term(monomial.clone(), coefficient.clone());
            let divisor = monomial.without(atom).checked_pow(-1)?;
            let numerator = &Polynomial::atom(whole) - &rest;
            return Some((atom, numerator.mul_term(&divisor, &coefficient.recip()?)?));
        }
    }
    None
}
