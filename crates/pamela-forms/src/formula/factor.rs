//! Writes a sum as a product, or as a sum of products.

mod divisors;
mod frequent;
mod kernels;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use self::divisors::{ordered_atoms, sums_of};
use self::frequent::frequent_atoms;
use self::kernels::{Kernel, kernels};
use super::sum::{Sum, build_sum, build_term};
use super::weight::Weights;
use crate::algebra::{bases, with_bases};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::{Atom, CompletedSquare, Monomial, Polynomial, Rational};
use crate::with_stack;

/// Sums of more terms are not tried for factors.
const MAX_TERMS: usize = 100;
/// Number of atoms tried for the first grouping of terms.
const GROUPINGS: usize = 3;

/// What was found of the sums of one arena.
#[derive(Default)]
pub(super) struct Factors {
    pub weights: Weights,
    /// Groupings; different factorings can leave the same terms.
    grouped: FxHashMap<(Polynomial, usize), ExprId>,
    /// Sums written as products.
    products: FxHashMap<(Polynomial, bool, usize), ExprId>,
}

/// The lightest product found for the sum, or for the sum over its [`proportions`].
pub(super) fn factored(factors: &mut Factors, arena: &mut Arena, sum: &Sum) -> ExprId {
    let mut search = Search {
        known: factors,
        arena,
    };
    let reduced = reduced(search.arena, &sum.polynomial);
    let polynomial = reduced.as_ref().unwrap_or(&sum.polynomial);
    let best = search.factored_as_it_is(polynomial);
    match proportions(search.arena, polynomial) {
        Some(over) => {
            let other = search.factored_as_it_is(&over);
            search.lighter(best, other)
        }
        None => best,
    }
}

/// Rewrites the polynomial in sums as atoms: `(a + 2*b)^2 * c` in `a + 2*b` and `c`.
///
/// It is a function of `a + 2*b` where its derivative by `b` is twice that by `a`.
fn proportions(arena: &mut Arena, polynomial: &Polynomial) -> Option<Polynomial> {
    if polynomial.len() > MAX_TERMS {
        return None;
    }
    let mut groups: Vec<(Polynomial, Vec<(Atom, Rational)>)> = Vec::new();
    let has_bases = !bases(arena, polynomial).is_empty();
    for atom in ordered_atoms(arena, polynomial) {
        let of_base = has_bases && is_logarithm(arena, atom);
        if polynomial.min_degree_in(atom) < 0 || of_base {
            continue;
        }
        let slope = polynomial.derivative(atom)?;
        let share = slope.content();
        let slope = slope.scale(&share.recip()?);
        if slope.as_constant().is_some() {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == slope) {
            Some((_, atoms)) => atoms.push((atom, share)),
            None => groups.push((slope, vec![(atom, share)])),
        }
    }
    groups.retain(|(_, atoms)| atoms.len() > 1);
    let mut result = (!groups.is_empty()).then(|| polynomial.clone())?;
    for (_, atoms) in groups {
        result = over_one(arena, &result, &atoms)?;
    }
    Some(result)
}

/// A polynomial over the sum of `atoms` in their shares, of which it is a function.
fn over_one(
    arena: &mut Arena,
    polynomial: &Polynomial,
    atoms: &[(Atom, Rational)],
) -> Option<Polynomial> {
    let linear = atoms.iter().map(|(atom, share)| {
        let unit = Monomial::power(*atom, 1);
        (unit, share.clone())
    });
    let linear = Polynomial::from_terms(linear.collect());
    let mut unit = linear.content();
    if atoms[0].1.is_negative() != unit.is_negative() {
        unit = -unit;
    }
    let sum = build_sum(arena, &linear.scale(&unit.recip()?));
    // If the other atoms are 0, the sum is a multiple of the first one.
    let ((first, share), others) = atoms.split_first()?;
    let multiple = &unit / share;
    let mut terms = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        if others.iter().any(|(atom, _)| monomial.exponent(*atom) != 0) {
            continue;
        }
        let power = monomial.exponent(*first);
        let monomial = monomial
            .without(*first)
            .checked_mul(&Monomial::power(Atom(sum.index()), power))?;
        terms.push((monomial, coefficient * &multiple.pow(i64::from(power))?));
    }
    Some(Polynomial::from_terms(terms))
}

/// The search for the lightest product.
struct Search<'a> {
    known: &'a mut Factors,
    arena: &'a mut Arena,
}

impl Search<'_> {
    fn factored_as_it_is(&mut self, polynomial: &Polynomial) -> ExprId {
        let best = self.product(polynomial, false, GROUPINGS);
        if !has_mixed_exponents(polynomial) {
            return best;
        }
        let fraction = self.product(polynomial, true, GROUPINGS);
        self.lighter(best, fraction)
    }

    /// The first where they tie.
    fn lighter(&mut self, first: ExprId, second: ExprId) -> ExprId {
        if self.known.weights.of(self.arena, second) < self.known.weights.of(self.arena, first) {
            second
        } else {
            first
        }
    }

    /// The lightest of three forms: content, linear factors and the rest grouped; the same without linear factors;
    /// only the number taken out. `common_denominator` also takes out denominators that not every term has.
    fn product(
        &mut self,
        polynomial: &Polynomial,
        common_denominator: bool,
        groupings: usize,
    ) -> ExprId {
        let key = (polynomial.clone(), common_denominator, groupings);
        if let Some(&known) = self.known.products.get(&key) {
            return known;
        }
        let best = self.lightest_product(polynomial, common_denominator, groupings);
        self.known.products.insert(key, best);
        best
    }

    fn lightest_product(
        &mut self,
        polynomial: &Polynomial,
        common_denominator: bool,
        groupings: usize,
    ) -> ExprId {
        let monomial = common_monomial(self.arena, polynomial, common_denominator);
        let coefficient = number_content(polynomial);
        let quotient = |unit: &Monomial| {
            let inverse = Monomial::one().checked_div(unit)?;
            polynomial.mul_term(&inverse, &coefficient.recip()?)
        };
        let (Some(primitive), Some(plain)) = (quotient(&monomial), quotient(&Monomial::one()))
        else {
            return build_sum(self.arena, polynomial);
        };
        let (linear, rest) = sums_of(self.arena, primitive.clone());
        let outer = Outer {
            monomial: &monomial,
            coefficient: &coefficient,
        };
        let rest = (rest, groupings);
        let mut best = self.around(&outer, linear.clone(), rest);
        if !linear.is_empty() {
            let whole = self.around(&outer, Vec::new(), (primitive, 0));
            best = self.lighter(best, whole);
        }
        // `6 * x + 3`, not `3 * (2 * x + 1)`
        let constant = polynomial.coefficient(&Monomial::one());
        let alone = linear.is_empty() && coefficient.is_integer() && !coefficient.is_one();
        if alone && !constant.is_zero() && groupings > 0 {
            let none = Outer {
                monomial: &Monomial::one(),
                coefficient: &Rational::ONE,
            };
            let whole = self.around(&none, Vec::new(), (polynomial.clone(), groupings));
            let weight = self.known.weights.of(self.arena, whole);
            if weight + 1 < self.known.weights.of(self.arena, best) {
                best = whole;
            }
        }
        if !monomial.is_one() {
            let number = Outer {
                monomial: &Monomial::one(),
                coefficient: &coefficient,
            };
            let whole = self.around(&number, Vec::new(), (plain, 0));
            best = self.lighter(best, whole);
        }
        best
    }

    /// The product with linear factors and a rest, which is grouped in some ways.
    fn around(
        &mut self,
        outer: &Outer,
        mut linear: Vec<Polynomial>,
        (mut rest, groupings): (Polynomial, usize),
    ) -> ExprId {
        let minus_one = Rational::from(-1);
        let mut coefficient = outer.coefficient.clone();
        if rest.terms().all(|(_, c)| c.is_negative()) {
            rest = rest.scale(&minus_one);
            coefficient = -coefficient;
        }
        // A minus sign is better spent on turning a difference around.
        if coefficient.is_negative()
            && let Some(turned) = odd_difference(&linear)
        {
            let equal = linear.iter_mut().filter(|factor| **factor == turned);
            equal.for_each(|factor| *factor = factor.scale(&minus_one));
            coefficient = -coefficient;
        }
        let (mut monomial, mut rest) = (outer.monomial.clone(), rest);
        if let Some((product, number)) = one_term(&monomial, &rest) {
            coefficient *= &number;
            (monomial, rest) = (product, Polynomial::one());
        }
        let mut factors = vec![build_term(self.arena, &monomial, &coefficient)];
        factors.extend(self.powers_of(&linear, groupings));
        factors.push(self.group(rest, groupings));
        self.arena.mul(&factors)
    }

    /// Equal factors as powers.
    fn powers_of(&mut self, factors: &[Polynomial], groupings: usize) -> Vec<ExprId> {
        let mut counts: BTreeMap<ExprId, i64> = BTreeMap::new();
        for factor in factors {
            let sum = self.group(factor.clone(), groupings);
            *counts.entry(sum).or_insert(0) += 1;
        }
        let power = |(base, count)| {
            let exponent = self.arena.number(count);
            self.arena.pow(base, exponent)
        };
        counts.into_iter().map(power).collect()
    }

    /// A sum in which terms with a common factor stand together where that is lighter.
    fn group(&mut self, polynomial: Polynomial, groupings: usize) -> ExprId {
        if polynomial.len() < 3 || groupings == 0 {
            return build_sum(self.arena, &polynomial);
        }
        let key = (polynomial, groupings);
        if let Some(&known) = self.known.grouped.get(&key) {
            return known;
        }
        let best = with_stack(|| self.grouped_by_atoms(&key.0, groupings));
        self.known.grouped.insert(key, best);
        best
    }

    fn grouped_by_atoms(&mut self, polynomial: &Polynomial, groupings: usize) -> ExprId {
        let mut best = build_sum(self.arena, polynomial);
        for square in polynomial.completed_squares() {
            let Some(candidate) = self.square(&square) else {
                continue;
            };
            best = self.lighter(best, candidate);
        }
        for atom in frequent_atoms(&mut self.known.weights, self.arena, polynomial, groupings) {
            let (with, without): (Vec<_>, Vec<_>) = polynomial
                .terms()
                .map(|(monomial, c)| (monomial.clone(), c.clone()))
                .partition(|(monomial, _)| monomial.exponent(atom) != 0);
            let without = Polynomial::from_terms(without);
            let with = self.product(&Polynomial::from_terms(with), false, 1);
            let split = self.product(&without, false, 1);
            let plain = self.group(without, 1);
            let parts = [with, self.lighter(plain, split)];
            let candidate = self.arena.add(&parts);
            best = self.lighter(best, candidate);
        }
        for parts in kernels(self.arena, polynomial, stays_apart, GROUPINGS) {
            let candidate = self.around_kernel(parts);
            best = self.lighter(best, candidate);
        }
        best
    }

    fn around_kernel(&mut self, parts: Kernel) -> ExprId {
        let kernel = self.product(&parts.kernel, false, 1);
        let quotient = self.product(&parts.quotient, false, 1);
        let product = self.arena.mul(&[kernel, quotient]);
        let rest = self.group(parts.rest, 1);
        self.arena.add(&[product, rest])
    }
}

impl Search<'_> {
    /// `(1 - p) * (x - y)^2 + y^2`: the square of a difference or sum of two parameters, plus the rest. Other
    /// squares, such as `(x + 1/2)^2 - 1/4`, are not used, since a reader would not recognise them.
    fn square(&mut self, square: &CompletedSquare) -> Option<ExprId> {
        let negative = |p: &Polynomial| p.terms().all(|(_, c)| c.is_negative());
        if negative(&square.factor) && negative(&square.rest) {
            let opposite = CompletedSquare {
                factor: -&square.factor,
                rest: -&square.rest,
                ..square.clone()
            };
            let opposite = self.square(&opposite)?;
            let minus_one = self.arena.number(-1);
            return Some(self.arena.mul(&[minus_one, opposite]));
        }
        let is_parameter =
            |atom: Atom| matches!(self.arena.node(ExprId::from_index(atom.0)), Node::Symbol(_));
        let (shift, number) = square.shift.as_term()?;
        let plain =
            is_parameter(square.atom) && shift.powers().iter().all(|&(atom, _)| is_parameter(atom));
        let is_added =
            !negative(&square.factor) && square.rest.terms().all(|(_, c)| c.is_positive());
        if !plain || !is_added || shift.is_one() || !number.is_integer() {
            return None;
        }
        let base = &Polynomial::atom(square.atom) + &square.shift;
        let base = self.group(base, 1);
        let two = self.arena.number(2);
        let factor = self.product(&square.factor, false, 1);
        let power = self.arena.pow(base, two);
        let product = self.arena.mul(&[factor, power]);
        let rest = self.product(&square.rest, false, 1);
        Some(self.arena.add(&[product, rest]))
    }
}

/// `b / (a + b)^2` for `1 / (a + b) - a / (a + b)^2`: over one denominator, sums are their terms, where that leaves fewer
/// of them: those that are added alone, or all.
fn reduced(arena: &Arena, polynomial: &Polynomial) -> Option<Polynomial> {
    let is_sum = |atom: Atom| matches!(arena.node(ExprId::from_index(atom.0)), Node::Add(_));
    let mut denominator = Monomial::one();
    for (atom, (least, _)) in polynomial.exponents() {
        if least < 0 && is_sum(atom) {
            denominator = denominator.checked_mul(&Monomial::power(atom, -least))?;
        }
    }
    let whole = polynomial.mul_term(&denominator, &Rational::ONE)?;
    let exponents = whole.exponents().into_iter();
    let plain = exponents.filter(|&(atom, (_, degree))| is_sum(atom) && degree == 1);
    let plain: Vec<Atom> = plain.map(|(atom, _)| atom).collect();
    let alone = |atom: &Atom| !whole.coefficient(&Monomial::power(*atom, 1)).is_zero();
    let added: Vec<Atom> = plain.iter().copied().filter(alone).collect();
    let inverse = Monomial::one().checked_div(&denominator)?;
    let mut ways = vec![added];
    if !denominator.is_one() {
        ways.push(plain);
    }
    ways.into_iter().find_map(|sums| {
        let mut whole = whole.clone();
        for atom in sums {
            let sum = Sum::read(arena, ExprId::from_index(atom.0))?.polynomial;
            whole = whole.substitute(atom, &sum, MAX_TERMS)?;
        }
        let whole = whole.mul_term(&inverse, &Rational::ONE)?;
        (!whole.is_zero() && whole.len() < polynomial.len()).then_some(whole)
    })
}

/// The factors in front of a sum.
struct Outer<'a> {
    monomial: &'a Monomial,
    coefficient: &'a Rational,
}

/// `monomial * rest` where `rest` is a single term and nothing cancels: that would lose a place where
/// the product is undefined.
fn one_term(monomial: &Monomial, rest: &Polynomial) -> Option<(Monomial, Rational)> {
    let (other, coefficient) = rest.as_term()?;
    let cancels = other
        .powers()
        .iter()
        .any(|&(atom, power)| monomial.exponent(atom).signum() * power.signum() < 0);
    if cancels {
        return None;
    }
    Some((monomial.checked_mul(other)?, coefficient.clone()))
}

/// A factor with a minus sign in it whose power is odd.
fn odd_difference(factors: &[Polynomial]) -> Option<Polynomial> {
    let odd =
        |factor: &&Polynomial| factors.iter().filter(|other| other == factor).count() % 2 == 1;
    let differences = factors
        .iter()
        .filter(|factor| factor.terms().any(|(_, c)| c.is_negative()));
    differences.into_iter().find(odd).cloned()
}

fn has_mixed_exponents(polynomial: &Polynomial) -> bool {
    let mut exponents = polynomial.exponents().into_values();
    exponents.any(|(least, greatest)| least < 0 && greatest >= 0)
}

/// Each atom with the power that every term has; with the least exponent of any term if
/// `common_denominator`.
fn common_monomial(arena: &Arena, polynomial: &Polynomial, common_denominator: bool) -> Monomial {
    let mut common = Monomial::one();
    let several = polynomial.len() > 1;
    for (atom, (least, greatest)) in polynomial.exponents() {
        // Each number keeps its unit.
        if several && is_unit(arena, atom) {
            continue;
        }
        let exponent = match (least.min(0), greatest.max(0)) {
            (0, _) => least,
            (_, 0) if greatest < 0 && !common_denominator => greatest,
            _ if common_denominator => least,
            _ => 0,
        };
        if let Some(product) = common.checked_mul(&Monomial::power(atom, exponent)) {
            common = product;
        }
    }
    if several {
        with_bases(arena, polynomial, common)
    } else {
        common
    }
}

fn is_logarithm(arena: &Arena, atom: Atom) -> bool {
    matches!(
        arena.node(ExprId::from_index(atom.0)),
        Node::Apply(Function::Log, _)
    )
}

/// True if an atom is the symbol of a base unit.
pub(super) fn is_unit(arena: &Arena, atom: Atom) -> bool {
    arena.as_unit(ExprId::from_index(atom.0)).is_some()
}

/// Each number keeps its unit, and `log(x) / log(2)` is read as `log2(x)`.
fn stays_apart(arena: &Arena, atom: Atom) -> bool {
    let is_base = match *arena.node(ExprId::from_index(atom.0)) {
        Node::Apply(Function::Log, operand) => arena.as_number(operand).is_some(),
        _ => false,
    };
    is_base || is_unit(arena, atom)
}

/// The positive number to take out. Not the greatest common measure of decimals, which no reader would take out.
fn number_content(polynomial: &Polynomial) -> Rational {
    let mut sizes = polynomial.terms().map(|(_, c)| c.abs());
    let first = sizes.next().unwrap_or_default();
    if sizes.clone().all(|size| size == first) {
        return first;
    }
    let content = polynomial.content().abs();
    let binary =
        content.denominator().bits() - 1 == content.denominator().trailing_zeros().unwrap_or(0);
    if content.is_integer() || binary || content.to_decimal().is_none() {
        content
    } else {
        Rational::ONE
    }
}
