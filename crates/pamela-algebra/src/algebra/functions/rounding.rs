//! Whole parts, fractions and remainders.

use rustc_hash::FxHashSet;

use crate::expr::{Arena, ExprId, Function, Node, Operation, Relation, Symbol};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::{one, term_and_index, terms_of};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// The terms that are proved to be integers, alone or all together, and the others.
pub fn whole(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let p = scope.terms.polynomial(term);
    let mut whole = Polynomial::zero();
    if scope.prover.integer(&mut scope.terms, &p) {
        whole = (*p).clone();
    } else {
        for (monomial, coefficient) in p.terms() {
            let term = Polynomial::term(monomial.clone(), coefficient.clone());
            if scope.prover.integer(&mut scope.terms, &term) {
                whole = &whole + &term;
            }
        }
    }
    if whole.is_zero() {
        return Vec::new();
    }
    let rest = &*p - &whole;
    let parts = [whole, rest].map(|part| Value::Term(scope.terms.expression(&part)));
    vec![parts.to_vec()]
}

/// `y` and `s` of `y - 1 / s`, for each term that is the negative of a reciprocal, up to whole numbers.
pub fn before(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let whole = terms.polynomial(term);
    let mut found = Vec::new();
    for (monomial, coefficient) in whole.terms() {
        let missing = if monomial.is_one() {
            coefficient.ceil() - coefficient.clone()
        } else {
            -coefficient.clone()
        };
        let divides = monomial.powers().iter().all(|&(_, power)| power < 0);
        let parts = missing
            .recip()
            .filter(|parts| parts.is_positive() && parts.is_integer());
        let (true, Some(parts), Some(inverse)) = (divides, parts, monomial.checked_pow(-1)) else {
            continue;
        };
        let next = &*whole + &Polynomial::term(monomial.clone(), missing);
        let parts = Polynomial::term(inverse, parts);
        let pair = [next, parts].map(|part| Value::Term(terms.expression(&part)));
        found.push(pair.to_vec());
    }
    found
}

/// For each floor in a sum: its operand and the rest of the sum. A ceiling with a negative sign is a floor of the
/// negated operand.
pub fn floor_beside(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    rounded_beside(scope, values, [Function::Floor, Function::Ceil])
}

/// Like `floor_beside`, for each ceiling.
pub fn ceil_beside(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    rounded_beside(scope, values, [Function::Ceil, Function::Floor])
}

/// Roundings `own` with a positive sign and `opposite` with a negative one.
fn rounded_beside(
    scope: &mut Scope,
    values: &[Value],
    [own, opposite]: [Function; 2],
) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let sum = terms.polynomial(term);
    let mut found = Vec::new();
    for (monomial, coefficient) in sum.terms() {
        let [(atom, 1)] = *monomial.powers() else {
            continue;
        };
        let Node::Apply(function, operand) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let sign = Rational::from(if function == own { 1 } else { -1 });
        if ![own, opposite].contains(&function) || *coefficient != sign {
            continue;
        }
        let rest = &*sum - &Polynomial::term(monomial.clone(), sign.clone());
        let operand = terms.polynomial(operand).scale(&sign);
        found.push(
            [operand, rest]
                .map(|p| Value::Term(terms.expression(&p)))
                .to_vec(),
        );
    }
    found
}

/// A floor or ceiling of `z - (y mod b) / b` by the quotient of `b*z` and the comparison of the remainders.
pub fn unborrowed(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let Node::Apply(function @ (Function::Floor | Function::Ceil), operand) =
        *scope.terms.arena.node(term)
    else {
        return Vec::new();
    };
    let parts = borrowed(scope, &[Value::Term(operand)]).pop();
    let parts = parts.and_then(|parts| terms_of(&parts));
    let found = parts.and_then(|parts| {
        let [rest, dividend, modulus] = *parts.as_slice() else {
            return None;
        };
        let arena = &mut scope.terms.arena;
        let whole = arena.mul(&[modulus, rest]);
        let quotient = arena.floor_divide(whole, modulus);
        let (own, taken) = (
            arena.modulo(whole, modulus),
            arena.modulo(dividend, modulus),
        );
        let value = match function {
            Function::Floor => {
                let borrow = arena.relate(Relation::Less, own, taken);
                arena.subtract(quotient, borrow)
            }
            _ => {
                let carry = arena.relate(Relation::Less, taken, own);
                arena.add(&[quotient, carry])
            }
        };
        Some(vec![Value::Term(scope.terms.canonical(value))])
    });
    one(found)
}

/// `z`, `y` and `b` of `z - (y mod b) / b`.
pub fn borrowed(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let p = scope.terms.polynomial(term);
    let found = p.terms().find_map(|(monomial, coefficient)| {
        let (dividend, modulus) = remainder_over_modulus(scope, monomial)?;
        (*coefficient == Rational::from(-1)).then(|| (monomial.clone(), dividend, modulus))
    });
    one(found.map(|(monomial, dividend, modulus)| {
        let rest = &*p + &Polynomial::term(monomial, Rational::ONE);
        let rest = scope.terms.expression(&rest);
        [rest, dividend, modulus].map(Value::Term).to_vec()
    }))
}

/// `y` and `b` of `(y mod b) / b`.
fn remainder_over_modulus(scope: &Scope, monomial: &Monomial) -> Option<(ExprId, ExprId)> {
    let [first, second] = *monomial.powers() else {
        return None;
    };
    let pairs = [(first, second), (second, first)];
    pairs
        .into_iter()
        .find_map(|((remainder, power), (modulus, inverse))| {
            let Node::Mod(dividend, expected) = *scope.terms.arena.node(expr_of(remainder)) else {
                return None;
            };
            let over = power == 1 && inverse == -1 && expr_of(modulus) == expected;
            over.then_some((dividend, expected))
        })
}

/// For each remainder in a sum of products: the remainder, and the sum with a new index in its place.
pub fn remainder(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    atoms_apart(scope, values, |terms, id| {
        matches!(terms.arena.node(id), Node::Mod(..))
    })
}

/// For each index-free floor in a sum of products: the floor, and the sum with a new index in its place.
pub fn floors(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    atoms_apart(scope, values, |terms, id| {
        matches!(terms.arena.node(id), Node::Apply(Function::Floor, _)) && terms.indices(id) == 0
    })
}

fn atoms_apart(
    scope: &mut Scope,
    values: &[Value],
    is_wanted: impl Fn(&Terms, ExprId) -> bool,
) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let p = terms.polynomial(term);
    let mut found = Vec::new();
    for atom in p.atoms() {
        if !is_wanted(terms, expr_of(atom)) {
            continue;
        }
        let fresh = terms.arena.fresh_index();
        let index = terms.arena.symbol(fresh);
        let place = Polynomial::atom(atom_of(index));
        if let Some(moved) = p.substitute(atom, &place, MAX_TERMS) {
            let moved = terms.expression(&moved);
            found.push([moved, index, expr_of(atom)].map(Value::Term).to_vec());
        }
    }
    found
}

/// For each floor and each ceiling that mentions the index: the rounding, and the body with a new index in its place.
pub fn rounding(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let arena = &mut scope.terms.arena;
    let Some((body, index)) = term_and_index(arena, values) else {
        return Vec::new();
    };
    let (mut found, mut seen, mut pending) = (Vec::new(), FxHashSet::default(), vec![body]);
    while let Some(id) = pending.pop() {
        // A position is no part of an amount.
        let is_position = matches!(arena.node(id), Node::UnitVector(..));
        if is_position || !arena.mentions(id, index) || !seen.insert(id) {
            continue;
        }
        if let Node::Apply(Function::Floor | Function::Ceil, _) = arena.node(id) {
            let fresh = arena.fresh_index();
            let place = arena.symbol(fresh);
            let moved = arena.replace(body, &|_, part| (part == id).then_some(place));
            found.push([moved, place, id].map(Value::Term).to_vec());
        }
        pending.extend(arena.operands(id));
    }
    found
}

/// The divisors of a greater number are not looked for.
const LARGEST: i64 = 1_000;

/// The greatest common divisor of a number and a whole term: the sum of `phi(d)` over the divisors `d` of both. This
/// sum has a value for other numbers too, but no meaning there.
pub fn common_divisor(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let found = terms_of(values).and_then(|operands| {
        let [one, other] = *operands.as_slice() else {
            return None;
        };
        let number = scope.terms.arena.as_number(one).and_then(Rational::to_i64);
        let small = number
            .and_then(i64::checked_abs)
            .filter(|number| (1..=LARGEST).contains(number));
        let whole = scope.terms.polynomial(other);
        let divisor = match small {
            Some(number) if scope.prover.integer(&mut scope.terms, &whole) => {
                by_remainders(&mut scope.terms.arena, number, other)
            }
            _ => scope
                .terms
                .arena
                .operate(Operation::CommonDivisor, &[one, other]),
        };
        Some(vec![Value::Term(divisor)])
    });
    one(found)
}

fn by_remainders(arena: &mut Arena, number: i64, other: ExprId) -> ExprId {
    let zero = arena.number(0);
    let mut parts = vec![arena.number(1)];
    for divisor in (2..=number).filter(|d| number % d == 0) {
        let coprime = (1..=divisor).filter(|&k| num_integer::gcd(k, divisor) == 1);
        let weight = arena.number(coprime.count() as i64);
        let divisor = arena.number(divisor);
        let left = arena.modulo(other, divisor);
        let divides = arena.relate(Relation::Equal, left, zero);
        parts.push(arena.mul(&[weight, divides]));
    }
    arena.add(&parts)
}

/// The term with a greatest common divisor in place of remainders that determine it, inside roundings along the
/// index.
pub fn by_divisor(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((term, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let atoms = terms.polynomial(term).atoms().into_iter().map(expr_of);
    let rounded = atoms.filter_map(|part| match *terms.arena.node(part) {
        Node::Apply(Function::Floor | Function::Ceil, x) if terms.mentions(x, index) => Some(x),
        _ => None,
    });
    let rounded: Vec<ExprId> = rounded.collect();
    let found = rounded.into_iter().find_map(|operand| {
        let by_divisor = with_divisor(terms, operand, index)?;
        let arena = &mut terms.arena;
        let whole = arena.replace(term, &|_, id| (id == operand).then_some(by_divisor));
        Some(vec![Value::Term(terms.canonical(whole))])
    });
    one(found)
}

fn with_divisor(terms: &mut Terms, operand: ExprId, index: Symbol) -> Option<ExprId> {
    let whole = terms.polynomial(operand);
    whole.atoms().into_iter().find_map(|mark| {
        let [dividend, modulus, left] = residue(terms, mark, index)?;
        let number = terms.arena.as_number(modulus).and_then(Rational::to_i64)?;
        let divides = terms.arena.as_number(left).is_some_and(Rational::is_zero);
        if !divides || !(2..=LARGEST).contains(&number) || terms.mentions(dividend, index) {
            return None;
        }
        let divisor = by_remainders(&mut terms.arena, number, dividend);
        let divisor = terms.polynomial(divisor);
        let quotient = whole.divide_exact(&divisor)?;
        let quotient = terms.expression(&quotient);
        let divisor = terms
            .arena
            .operate(Operation::CommonDivisor, &[modulus, dividend]);
        Some(terms.arena.mul(&[quotient, divisor]))
    })
}

/// `y`, `z`, `x`, `h` and `r` of `y + z * (x mod h == r)`, where only `x` contains the index.
pub fn marked(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let p = terms.polynomial(term);
    let mut moving = p.atoms().into_iter();
    let mut moving = moving
        .by_ref()
        .filter(|&a| terms.mentions(expr_of(a), index));
    let (Some(mark), None) = (moving.next(), moving.next()) else {
        return Vec::new();
    };
    let parts = residue(terms, mark, index);
    let mut by_mark = p.coefficients_in(mark);
    let (more, all) = (by_mark.remove(&1), by_mark.remove(&0).unwrap_or_default());
    let (Some(parts), Some(more), true) = (parts, more, by_mark.is_empty()) else {
        return Vec::new();
    };
    let [all, more] = [all, more].map(|part| terms.expression(&part));
    let found = [all, more].into_iter().chain(parts).map(Value::Term);
    vec![found.collect()]
}

/// `x`, `h` and `r` of a truth value `x mod h == r`, where the index is in `x` at most.
fn residue(terms: &mut Terms, mark: Atom, index: Symbol) -> Option<[ExprId; 3]> {
    let Node::Compare(Relation::Equal, left, right) = *terms.arena.node(expr_of(mark)) else {
        return None;
    };
    let sides = [(left, right), (right, left)].into_iter();
    let mut found = sides.filter_map(|(remainder, other)| match *terms.arena.node(remainder) {
        Node::Mod(dividend, modulus) => Some([dividend, modulus, other]),
        _ => None,
    });
    found.find(|&[_, modulus, other]| {
        !terms.mentions(modulus, index) && !terms.mentions(other, index)
    })
}

/// `z`, `x`, `h` and `r` of `z * (x mod h == r)`, where `x` contains the index.
pub fn masked(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let p = terms.polynomial(term);
    let content = p.monomial_content();
    let atoms = content.powers().iter().filter(|&&(_, power)| power > 0);
    let masks = atoms.filter_map(|&(atom, _)| {
        let parts = residue(terms, atom, index).filter(|&[x, ..]| terms.mentions(x, index))?;
        let mut by_mask = p.coefficients_in(atom);
        let rest = by_mask.remove(&1).filter(|_| by_mask.is_empty())?;
        let rest = terms.expression(&rest);
        Some([rest].into_iter().chain(parts).map(Value::Term).collect())
    });
    masks.collect()
}

/// `x`, `h`, `r`, and the value of the term if `x mod h == r` and otherwise; `x` contains the index.
pub fn told_apart(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let told = |terms: &mut Terms, mark| {
        residue(terms, mark, index).filter(|&[x, ..]| terms.mentions(x, index))
    };
    if let Node::If(condition, yes, no) = *terms.arena.node(term) {
        let parts = told(terms, atom_of(condition));
        let found = parts.map(|[x, h, r]| [x, h, r, yes, no].map(Value::Term).to_vec());
        return one(found);
    }
    let p = terms.polynomial(term);
    let marks = p.atoms().into_iter().filter_map(|mark| {
        let parts = told(terms, mark)?;
        let mut by_mark = p.coefficients_in(mark);
        let (more, all) = (by_mark.remove(&1)?, by_mark.remove(&0).unwrap_or_default());
        let both = [&all + &more, all].map(|part| terms.expression(&part));
        let found = parts.into_iter().chain(both).map(Value::Term).collect();
        by_mark.is_empty().then_some(found)
    });
    marks.collect()
}

/// A fresh index.
pub fn new_index(scope: &mut Scope, _: &[Value]) -> Vec<Vec<Value>> {
    vec![vec![Value::Term(scope.terms.arena.fresh_index_term())]]
}
