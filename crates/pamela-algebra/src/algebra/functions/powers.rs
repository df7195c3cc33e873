//! Powers of index-free terms, and factors of bodies.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{self, Monomial, Polynomial, Rational};

use super::{one, term_and_index};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// `p`, `r`, `s` and `t` of `p * r^(s*i + t)`, with a polynomial `p` in the index; `r`, `s` and `t` do not mention
/// it, and `r^s` is not 1 by its form. Powers of several bases are combined if their exponents rise alike.
pub fn geometric(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let body = term_and_index(&terms.arena, values);
    one(body.and_then(|(body, index)| recognised(terms, body, index)))
}

fn recognised(terms: &mut Terms, body: ExprId, index: Symbol) -> Option<Vec<Value>> {
    let own = atom_of(terms.arena.symbol(index));
    let body = terms.polynomial(body);
    let (monomial, coefficient) = body.as_term()?;
    let mut factor = Polynomial::constant(coefficient.clone());
    let mut powers = Vec::new();
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        if atom == own && exponent > 0 || !terms.mentions(id, index) {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            continue;
        }
        let Node::Pow(base, exponent_term) = *terms.arena.node(id) else {
            return None;
        };
        if exponent != 1 || terms.mentions(base, index) {
            return None;
        }
        powers.push((base, exponent_term));
    }
    let symbol = terms.arena.symbol(index);
    let mut bases = Vec::new();
    let mut common = None;
    for (base, exponent) in powers {
        let operands = [exponent, symbol].map(Value::Term);
        let [slope, offset] = super::sums::linear_parts(terms, &operands)?;
        let [first_slope, first_offset] = *common.get_or_insert([slope, offset]);
        if slope != first_slope {
            return None;
        }
        let beyond = terms.arena.subtract(offset, first_offset);
        let outside = terms.arena.pow(base, beyond);
        let outside = terms.polynomial(outside);
        factor = terms.multiply(&factor, &outside)?;
        bases.push(base);
    }
    let [slope, offset] = common?;
    let base = terms.arena.mul(&bases);
    let base = terms.canonical(base);
    let ratio = terms.arena.pow(base, slope);
    let ratio = terms.polynomial(ratio);
    if *ratio == Polynomial::one() {
        return None;
    }
    let factor = terms.expression(&factor);
    Some([factor, base, slope, offset].map(Value::Term).to_vec())
}

/// The antidifference of a polynomial times a power of `x` whose exponent is the index.
pub fn antidifference(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let found = term_and_index(&terms.arena, values).and_then(|(body, index)| {
        let ratio = terms.polynomial(values.get(2)?.as_term()?);
        let less_one = terms.expression(&(&*ratio - &Polynomial::one()));
        let reciprocal = terms.arena.reciprocal(less_one);
        let reciprocal = terms.polynomial(reciprocal);
        let own = atom_of(terms.arena.symbol(index));
        let body = terms.polynomial(body);
        let found = ring::geometric_antidifference(&body, own, &reciprocal, MAX_TERMS)?;
        Some(vec![Value::Term(terms.expression(&found))])
    });
    one(found)
}

/// Largest whole number whose square is tried as a factor of a number.
const LARGEST_ROOT: i64 = 32;

/// The greatest known factor whose square divides a term, and the other factors.
pub fn squared(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let found = values.first().and_then(Value::as_term).and_then(|term| {
        let whole = scope.terms.polynomial(term);
        let product = scope.terms.product_of_sums(&whole)?;
        let mut root = Polynomial::constant(root_of_square(&product.scale)?);
        for &(atom, power) in product.monomial.powers() {
            root = root.mul_term(&Monomial::power(atom, power / 2), &Rational::ONE)?;
        }
        for (sum, power) in &product.sums {
            let power = sum.pow(power / 2, MAX_TERMS)?;
            root = scope.terms.multiply(&root, &power)?;
        }
        if root == Polynomial::one() {
            return None;
        }
        let root = scope.terms.expression(&root);
        let below = scope.terms.integer_power(root, -2)?;
        let rest = scope.terms.multiply(&whole, &below)?;
        Some(
            [root, scope.terms.expression(&rest)]
                .map(Value::Term)
                .to_vec(),
        )
    });
    one(found)
}

/// The root of a square that divides the numerator, over that of one that divides the denominator.
fn root_of_square(number: &Rational) -> Option<Rational> {
    let root = |of: Rational| {
        let whole = |k: &i64| {
            let square = Rational::from(k * k);
            of.checked_div(&square)
                .is_some_and(|rest| rest.is_integer())
        };
        (1..=LARGEST_ROOT).rev().find(whole).map(Rational::from)
    };
    let above = root(Rational::from(number.numerator()))?;
    above.checked_div(&root(Rational::from(number.denominator()))?)
}
