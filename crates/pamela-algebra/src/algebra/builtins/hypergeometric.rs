//! Sums of hypergeometric terms by Gosper's algorithm.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Function, Node, ReduceKind};
use crate::ring::{Monomial, Polynomial, Rational, RationalFunction, Univariate, gosper};

use super::super::scope::{Candidate, Scope};
use super::super::terms::{MAX_TERMS, Terms, expr_of};
use super::geometric::linear_in;
use super::{Loop, at_most};

/// Exponents of factorials, slopes and distances between shifts beyond this are left alone.
const MAX_SIZE: i64 = 16;
/// Powers of a higher degree are not taken.
const MAX_DEGREE: usize = 64;
/// Poles are not looked for further away.
const MAX_POLE: i64 = 1_000;

/// `outside * rational(i) * powers * factorials`
struct Term {
    outside: Monomial,
    rational: RationalFunction,
    kernel: Kernel,
}

/// The part of a term that is not rational in the index.
#[derive(Clone, Default, PartialEq, Eq)]
struct Kernel {
    /// Powers `r^(s*i + t)` as atoms with their exponents.
    powers: Vec<(ExprId, i32)>,
    /// The exponents of factorials of `s*i + t`, by `s` and `t`.
    factorials: BTreeMap<(i64, i64), i64>,
}

/// A body whose ratio of consecutive elements is a rational function with rational coefficients.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    close(terms, &parts).unwrap_or_default()
}

/// `T(b + 1) - T(a)`, and `T(b) + t(b) - T(a)`, which often is shorter.
fn close(terms: &mut Terms, parts: &Loop) -> Option<Vec<Candidate>> {
    let term = recognise(terms, parts)?;
    if term.kernel == Kernel::default() {
        return Some(vec![without_kernel(terms, parts, &term)?]);
    }
    let ratio = term
        .rational
        .next()
        .times(&inverse(&term.rational)?)?
        .times(&step(terms, parts, &term.kernel)?)?;
    let antidifference = gosper(&ratio)?.times(&term.rational)?;
    let mut guards = parts.sum_guards(terms);
    if let Some(pole) = last_pole(&antidifference.denominator)? {
        // Between a pole and the range nothing telescopes.
        let first = Polynomial::from(pole + 1);
        guards.push(at_most(terms, &first, &parts.lower));
    }
    let start = value(terms, parts, &term, &antidifference, &parts.lower)?;
    defined(terms, &term.kernel, &parts.lower, &mut guards);
    let included = plus(&antidifference, &term.rational)?;
    let beyond = &parts.upper + &Polynomial::one();
    let mut candidates = Vec::new();
    for (f, last) in [(&antidifference, &beyond), (&included, &parts.upper)] {
        let end = value(terms, parts, &term, f, last)?;
        let mut guards = guards.clone();
        defined(terms, &term.kernel, last, &mut guards);
        candidates.push(Candidate {
            right: terms.arena.subtract(end, start),
            guards,
        });
    }
    Some(candidates)
}

/// Guards that the factorials are defined at `x`: a factor 0 would hide that they are not.
fn defined(terms: &mut Terms, kernel: &Kernel, x: &Polynomial, guards: &mut Vec<ExprId>) {
    for &(s, t) in kernel.factorials.keys() {
        let n = &x.scale(&Rational::from(s)) + &Polynomial::from(t);
        guards.push(at_most(terms, &Polynomial::zero(), &n));
    }
}

/// The sum of the rational function that is left where factorials cancel.
fn without_kernel(terms: &mut Terms, parts: &Loop, term: &Term) -> Option<Candidate> {
    let index = Polynomial::atom(parts.index);
    let body = value(terms, parts, term, &term.rational, &index)?;
    Some(Candidate {
        right: parts.over(terms, &parts.lower, &parts.upper, body),
        guards: Vec::new(),
    })
}

fn inverse(f: &RationalFunction) -> Option<RationalFunction> {
    RationalFunction::new(f.denominator.clone(), f.numerator.clone())
}

/// The body as one hypergeometric term with a kernel that is not rational.
fn recognise(terms: &mut Terms, parts: &Loop) -> Option<Term> {
    let plain =
        |atom| atom == parts.index || matches!(terms.arena.node(expr_of(atom)), Node::Add(_));
    if parts.body.atoms().into_iter().all(plain) {
        return None;
    }
    let mut all = Vec::new();
    for (monomial, coefficient) in parts.body.terms() {
        all.push(term_of(terms, parts, monomial, coefficient)?);
    }
    let mut lowest: BTreeMap<i64, i64> = BTreeMap::new();
    for &(s, t) in all.iter().flat_map(|term| term.kernel.factorials.keys()) {
        let least = lowest.entry(s).or_insert(t);
        *least = t.min(*least);
    }
    let mut sum: Option<Term> = None;
    for term in all {
        let term = on_lowest(term, &lowest)?;
        sum = Some(match sum {
            None => term,
            Some(sum) if sum.outside == term.outside && sum.kernel == term.kernel => Term {
                rational: plus(&sum.rational, &term.rational)?,
                ..sum
            },
            Some(_) => return None,
        });
    }
    sum.filter(|term| !term.rational.numerator.is_zero())
}

fn plus(f: &RationalFunction, g: &RationalFunction) -> Option<RationalFunction> {
    let left = f.numerator.times(&g.denominator);
    let right = g.numerator.times(&f.denominator);
    RationalFunction::new(left.plus(&right), f.denominator.times(&g.denominator))
}

fn term_of(
    terms: &mut Terms,
    parts: &Loop,
    monomial: &Monomial,
    coefficient: &Rational,
) -> Option<Term> {
    let mut outside = Monomial::one();
    let mut kernel = Kernel::default();
    let mut rational =
        RationalFunction::new(Univariate::constant(coefficient.clone()), Univariate::one())?;
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        if !parts.depends(&terms.arena, id) {
            outside = outside.checked_mul(&Monomial::power(atom, exponent))?;
            continue;
        }
        match terms.arena.node(id).clone() {
            Node::Symbol(_) => {
                let index = Univariate::linear(Rational::ONE, Rational::ZERO);
                rational = rational.times(&power(&index, exponent)?)?;
            }
            Node::Add(list) => {
                let base = terms.sum(&list).univariate(parts.index)?;
                rational = rational.times(&power(&base, exponent)?)?;
            }
            Node::Pow(base, _) if terms.arena.as_number(base).is_some() => {
                kernel.powers.push((id, exponent));
            }
            Node::Apply(Function::Factorial, operand) => {
                let (slope, shift) = linear_in(terms, parts, operand)?;
                let small =
                    |p: Polynomial| p.as_constant()?.to_i64().filter(|n| n.abs() <= MAX_SIZE);
                let key = (small(slope)?, small(shift)?);
                *kernel.factorials.entry(key).or_default() += i64::from(exponent);
            }
            _ => return None,
        }
    }
    Some(Term {
        outside,
        rational,
        kernel,
    })
}

fn power(base: &Univariate, exponent: i32) -> Option<RationalFunction> {
    let degree = base.degree()?.max(1);
    if degree.saturating_mul(exponent.unsigned_abs() as usize) > MAX_DEGREE {
        return None;
    }
    let raised = base.pow(exponent.unsigned_abs());
    match exponent < 0 {
        true => RationalFunction::new(Univariate::one(), raised),
        false => RationalFunction::new(raised, Univariate::one()),
    }
}

/// All factorials of one slope by that of the least shift: `(n + 2)! = (n + 1) (n + 2) n!`.
fn on_lowest(mut term: Term, lowest: &BTreeMap<i64, i64>) -> Option<Term> {
    let mut joined: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (&(s, t), &exponent) in &term.kernel.factorials {
        let least = *lowest.get(&s)?;
        let factors = rising(s, least, t - least);
        term.rational = term
            .rational
            .times(&power(&factors, i32::try_from(exponent).ok()?)?)?;
        *joined.entry((s, least)).or_default() += exponent;
    }
    joined.retain(|_, exponent| *exponent != 0);
    term.kernel.factorials = joined;
    Some(term)
}

/// `(s*i + t + count)! / (s*i + t)!`, for `count >= 0`.
fn rising(s: i64, t: i64, count: i64) -> Univariate {
    let factor = |j: i64| Univariate::linear(Rational::from(s), Rational::from(t + j));
    (1..=count).fold(Univariate::one(), |product, j| product.times(&factor(j)))
}

/// The quotient of the kernel from one index to the next.
fn step(terms: &mut Terms, parts: &Loop, kernel: &Kernel) -> Option<RationalFunction> {
    let mut ratio = RationalFunction::new(Univariate::one(), Univariate::one())?;
    for &(id, exponent) in &kernel.powers {
        let Node::Pow(base, of_index) = *terms.arena.node(id) else {
            return None;
        };
        let base = terms.arena.as_number(base)?.clone();
        let (slope, _) = linear_in(terms, parts, of_index)?;
        let slope = slope
            .as_constant()?
            .to_i64()
            .filter(|s| s.abs() <= MAX_SIZE)?;
        let factor = Univariate::constant(base.pow(slope * i64::from(exponent))?);
        ratio = ratio.times(&RationalFunction::new(factor, Univariate::one())?)?;
    }
    for (&(s, t), &exponent) in &kernel.factorials {
        // Downwards, (s*i + t)! is divided by the factors that (s*i + t + s)! lacks.
        let (factors, exponent) = match s > 0 {
            true => (rising(s, t, s), exponent),
            false => (rising(s, t + s, -s), -exponent),
        };
        ratio = ratio.times(&power(&factors, i32::try_from(exponent).ok()?)?)?;
    }
    Some(ratio)
}

/// The greatest integer at which the denominator is 0, if there is one; `None` where that is not known.
fn last_pole(denominator: &Univariate) -> Option<Option<i64>> {
    let roots = denominator.rational_roots();
    let found: u32 = roots.iter().map(|(_, multiplicity)| multiplicity).sum();
    // The remaining factor has no integer root only if no rational root was missed.
    if found as usize != denominator.degree()? {
        return None;
    }
    let whole = roots.into_iter().filter(|(root, _)| root.is_integer());
    let last = whole.map(|(root, _)| root.to_i64()).max().flatten();
    match last {
        Some(pole) if pole.abs() > MAX_POLE => None,
        last => Some(last),
    }
}

/// `outside * f(x) * kernel(x)`
fn value(
    terms: &mut Terms,
    parts: &Loop,
    term: &Term,
    f: &RationalFunction,
    x: &Polynomial,
) -> Option<ExprId> {
    let at = terms.expression(x);
    let outside = Polynomial::term(term.outside.clone(), Rational::ONE);
    let numerator = evaluate(&f.numerator, x)?;
    let mut product = vec![terms.expression(&outside), terms.expression(&numerator)];
    let roots = f.denominator.rational_roots();
    let degree: u32 = roots.iter().map(|(_, multiplicity)| multiplicity).sum();
    if degree as usize != f.denominator.degree()? {
        return None;
    }
    for (root, multiplicity) in roots {
        let factor = x - &Polynomial::constant(root);
        let factor = terms.expression(&factor);
        let exponent = terms.arena.number(-i64::from(multiplicity));
        product.push(terms.arena.pow(factor, exponent));
    }
    for &(id, exponent) in &term.kernel.powers {
        let moved = terms.arena.substitute(id, parts.reduction.index, at);
        let exponent = terms.arena.number(i64::from(exponent));
        product.push(terms.arena.pow(moved, exponent));
    }
    for (&(s, t), &exponent) in &term.kernel.factorials {
        let n = &x.scale(&Rational::from(s)) + &Polynomial::from(t);
        let n = terms.expression(&n);
        let factorial = terms.arena.apply(Function::Factorial, n);
        let exponent = terms.arena.number(exponent);
        product.push(terms.arena.pow(factorial, exponent));
    }
    Some(terms.arena.mul(&product))
}

/// The value at a polynomial (Horner).
fn evaluate(p: &Univariate, x: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::zero();
    for coefficient in p.coefficients().iter().rev() {
        sum = sum.checked_mul(x, MAX_TERMS)? + Polynomial::constant(coefficient.clone());
    }
    Some(sum)
}
