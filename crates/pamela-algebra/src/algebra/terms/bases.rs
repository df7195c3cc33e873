//! Logarithms of numbers as bases of others: `log(x) / log(2)` is `log2(x)`.

use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

/// The operand of a logarithm.
fn logarithm(arena: &Arena, atom: Atom) -> Option<ExprId> {
    match *arena.node(ExprId::from_index(atom.0)) {
        Node::Apply(Function::Log, operand) => Some(operand),
        _ => None,
    }
}

fn is_base(arena: &Arena, atom: Atom) -> bool {
    logarithm(arena, atom).is_some_and(|operand| arena.as_number(operand).is_some())
}

/// The logarithms of numbers among the factors of a sum with other logarithms.
pub fn bases(arena: &Arena, sum: &Polynomial) -> Vec<Atom> {
    let (mut found, mut has_others) = (Vec::new(), false);
    for &(atom, _) in sum.terms().flat_map(|(monomial, _)| monomial.powers()) {
        if !is_base(arena, atom) {
            has_others |= logarithm(arena, atom).is_some();
        } else if !found.contains(&atom) {
            found.push(atom);
        }
    }
    if has_others { found } else { Vec::new() }
}

/// Number of factors that are logarithms of non-numeric operands.
fn logarithms(arena: &Arena, monomial: &Monomial) -> i32 {
    let powers = monomial.powers().iter();
    let of_others =
        powers.filter(|&&(atom, _)| logarithm(arena, atom).is_some() && !is_base(arena, atom));
    of_others.map(|&(_, power)| power).sum()
}

/// The power of a base that remains in each term when all other logarithms are taken to that base: 0 for `log(2)` in
/// `P + a * log(n) / log(2)`. `None` if terms differ in it.
pub fn degree(arena: &Arena, sum: &Polynomial, base: Atom) -> Option<i32> {
    let mut degrees = sum.terms().map(|(monomial, _)| {
        let others = logarithms(arena, monomial);
        monomial.exponent(base).saturating_add(others)
    });
    let first = degrees.next()?;
    degrees.all(|degree| degree == first).then_some(first)
}

/// The greatest common monomial of the terms of a sum. Each logarithm keeps its base, in the monomial and in the
/// quotient.
pub fn content(arena: &Arena, sum: &Polynomial) -> Monomial {
    with_bases(arena, sum, sum.monomial_content())
}

/// The monomial `taken` with the bases of its own logarithms only.
pub fn with_bases(arena: &Arena, sum: &Polynomial, taken: Monomial) -> Monomial {
    let mut result = taken.clone();
    for base in bases(arena, sum) {
        if let Some(degree) = degree(arena, sum, base) {
            let power = degree.saturating_sub(logarithms(arena, &taken));
            let own = result.without(base);
            let own = own.checked_mul(&Monomial::power(base, power));
            result = own.unwrap_or(result);
        }
    }
    result
}

/// A quotient of two sums without the powers of bases that remain in the dividend.
pub fn over_bases(arena: &Arena, quotient: [Polynomial; 2]) -> [Polynomial; 2] {
    let mut left = Monomial::one();
    for base in bases(arena, &quotient[0]) {
        let degree = degree(arena, &quotient[0], base).unwrap_or(0);
        left = (left.checked_mul(&Monomial::power(base, -degree))).unwrap_or(left);
    }
    let both = quotient
        .iter()
        .map(|side| side.mul_term(&left, &Rational::ONE));
    let both: Option<Vec<Polynomial>> = both.collect();
    match both.and_then(|both| <[Polynomial; 2]>::try_from(both).ok()) {
        Some(both) => both,
        None => quotient,
    }
}
