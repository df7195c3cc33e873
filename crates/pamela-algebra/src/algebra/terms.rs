//! Canonical terms: every expression as a Laurent polynomial over atoms, and back.
//!
//! Expressions that are equal in every commutative ring have the same canonical term. Anything
//! other than a sum, product or integer power is an *atom*. It is a canonical term itself, so atoms
//! compare by identity. The e-graph carries the polynomial as its analysis, in place of rules for
//! commutativity, associativity and distributivity.

mod bases;
mod factors;
mod functions;

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Function, Node, Sort, root_of_number};
use crate::ring::{Answers, Atom, Monomial, Polynomial, Rational};

use super::cost::Cost;
use super::points::Points;
use crate::with_stack;

pub(super) use bases::over_bases;
pub use bases::{bases, content, degree, with_bases};
pub use factors::Product;

/// Limit of the terms of an expanded product; larger ones stay factored.
///
/// Products of parameters alone have a lower limit, unless a sum needs their terms.
pub const MAX_TERMS: usize = 4_000;
const MAX_PRODUCT_TERMS: usize = 60;
/// A power of more terms stays a power: its coefficients grow with the exponent.
const MAX_POWER_TERMS: usize = 400;

/// Higher powers of sums with exponentials stay as they are: `(1 - exp(-t))^64` loses all digits as a sum.
const MAX_EXPANDED_POWER: i32 = 4;

/// The arena, with cached polynomials of expressions.
#[derive(Default)]
pub struct Terms {
    pub arena: Arena,
    polynomials: Vec<Option<Rc<Polynomial>>>,
    /// Cached expressions of polynomials.
    expressions: FxHashMap<Rc<Polynomial>, ExprId>,
    pub(super) costs: Vec<Option<Cost>>,
    /// Cached answers of the prover.
    pub(super) answers: Answers,
    /// Points at which facts hold.
    pub(super) points: Points,
}

/// The atom that stands for an expression.
pub fn atom_of(id: ExprId) -> Atom {
    Atom(id.index())
}

/// The expression that an atom stands for.
pub fn expr_of(atom: Atom) -> ExprId {
    ExprId::from_index(atom.0)
}

impl AsMut<Terms> for Terms {
    fn as_mut(&mut self) -> &mut Terms {
        self
    }
}

impl Terms {
    pub fn new(arena: Arena) -> Terms {
        Terms {
            arena,
            ..Terms::default()
        }
    }

    /// The canonical term that equals `id` wherever `id` is defined.
    pub fn canonical(&mut self, id: ExprId) -> ExprId {
        let polynomial = self.polynomial(id);
        if polynomial.is_zero() && self.arena.sort(id) == Sort::Vector {
            return self.arena.zero_vector();
        }
        self.expression(&polynomial)
    }

    /// The polynomial over atoms that equals `id` wherever `id` is defined.
    pub fn polynomial(&mut self, id: ExprId) -> Rc<Polynomial> {
        let index = id.index() as usize;
        if let Some(Some(known)) = self.polynomials.get(index) {
            return known.clone();
        }
        let polynomial = Rc::new(with_stack(|| self.derive(id)));
        self.remember(id, polynomial.clone());
        polynomial
    }

    fn remember(&mut self, id: ExprId, polynomial: Rc<Polynomial>) {
        let index = id.index() as usize;
        if self.polynomials.len() <= index {
            self.polynomials
                .resize(self.arena.len().max(index + 1), None);
        }
        self.polynomials[index] = Some(polynomial);
    }

    /// The sum of monomials as an expression, in canonical order.
    pub fn expression(&mut self, polynomial: &Polynomial) -> ExprId {
        if let Some(atom) = polynomial.as_atom() {
            return expr_of(atom);
        }
        if let Some((known, &id)) = self.expressions.get_key_value(polynomial) {
            let known = known.clone();
            self.remember(id, known);
            return id;
        }
        let mut powers = polynomial.terms().flat_map(|(m, _)| m.powers());
        let vector = powers.any(|&(a, _)| self.arena.sort(expr_of(a)) == Sort::Vector);
        let terms: Vec<ExprId> = polynomial
            .terms()
            .map(|(m, c)| self.monomial_expression(m, c))
            .collect();
        let id = if terms.is_empty() && vector {
            self.arena.zero_vector()
        } else {
            self.arena.add(&terms)
        };
        let polynomial = Rc::new(polynomial.clone());
        self.expressions.insert(polynomial.clone(), id);
        self.remember(id, polynomial);
        id
    }

    fn monomial_expression(&mut self, monomial: &Monomial, coefficient: &Rational) -> ExprId {
        let mut factors = Vec::with_capacity(monomial.powers().len() + 1);
        for &(atom, exponent) in monomial.powers() {
            let base = expr_of(atom);
            factors.push(match exponent {
                1 => base,
                _ => {
                    let exponent = self.arena.number(i64::from(exponent));
                    self.arena.pow(base, exponent)
                }
            });
        }
        factors.push(self.arena.number(coefficient.clone()));
        self.arena.mul(&factors)
    }

    fn derive(&mut self, id: ExprId) -> Polynomial {
        match self.arena.node(id).clone() {
            Node::Number(value) => Polynomial::constant(value),
            Node::Symbol(_) => Polynomial::atom(atom_of(id)),
            Node::Add(list) => self.sum(&list),
            Node::Mul(list) => self.product(id, &list),
            Node::Pow(base, exponent) => self.power(base, exponent),
            Node::Vector(components) => self.vector(&components),
            Node::Compare(relation, left, right) => self.comparison(relation, left, right),
            Node::Apply(function, operand) => self.application(function, operand),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            _ => {
                let mapped = self.map_canonical(id);
                if mapped == id {
                    Polynomial::atom(atom_of(id))
                } else {
                    (*self.polynomial(mapped)).clone()
                }
            }
        }
    }

    /// The operator applied to canonical operands.
    fn map_canonical(&mut self, id: ExprId) -> ExprId {
        if let Node::Reduce(r) = *self.arena.node(id) {
            let (lower, upper) = (self.canonical(r.lower), self.canonical(r.upper));
            let kind = match r.kind.quorum() {
                Some(quorum) => r.kind.with_quorum(self.canonical(quorum)),
                None => r.kind,
            };
            let body = self.canonical(r.body);
            return self.arena.reduce(kind, r.index, lower, upper, body);
        }
        let operands = self.arena.operands(id);
        let canonical: Vec<ExprId> = operands
            .iter()
            .map(|&operand| self.canonical(operand))
            .collect();
        if operands == canonical {
            return id;
        }
        let mut next = canonical.into_iter();
        self.arena
            .map_operands(id, &mut |_, operand| next.next().unwrap_or(operand))
    }

    pub(super) fn sum(&mut self, list: &[ExprId]) -> Polynomial {
        let parts: Vec<Rc<Polynomial>> = list.iter().map(|&term| self.polynomial(term)).collect();
        let terms = parts
            .iter()
            .flat_map(|part| part.terms().map(|(m, c)| (m.clone(), c.clone())));
        let mut sum = Polynomial::from_terms(terms.collect());
        let (mut has_sum_below, mut has_values) = (false, false);
        for &(atom, power) in sum.terms().flat_map(|(m, _)| m.powers()) {
            match self.arena.node(expr_of(atom)) {
                Node::Add(_) => has_sum_below |= power < 0,
                Node::Apply(Function::Harmonic(_) | Function::Log, _) => has_values = true,
                _ => {}
            }
        }
        if has_values {
            sum = self.cancel_values(sum);
        }
        if has_sum_below || has_values {
            self.cancel(sum)
        } else {
            sum
        }
    }

    fn product(&mut self, id: ExprId, list: &[ExprId]) -> Polynomial {
        let most = match self.indices(id) {
            0 => MAX_PRODUCT_TERMS,
            _ => MAX_TERMS,
        };
        let mut result = Polynomial::one();
        for &factor in list {
            let factor = self.polynomial(factor);
            let product = self.multiply(&result, &factor);
            // A single term only scales.
            let scaled = result.as_term().is_some() || factor.as_term().is_some();
            match product.filter(|product| scaled || product.len() <= most) {
                Some(product) => result = product,
                None => return self.factored(id, list),
            }
        }
        result
    }

    /// A product that is not expanded: one atom, of all sums without their contents, times what else there is.
    fn factored(&mut self, id: ExprId, list: &[ExprId]) -> Polynomial {
        let product = self.common_factors(list).unwrap_or_else(|| {
            let whole = Monomial::power(atom_of(id), 1);
            (Rational::ONE, Vec::new(), whole)
        });
        let (scale, sums, mut monomial) = product;
        // If all other terms cancel, a single sum remains, which is not an atom.
        if let [sum] = sums[..]
            && let Node::Add(_) = self.arena.node(sum)
            && let Some(whole) = self.polynomial(sum).mul_term(&monomial, &scale)
        {
            return whole;
        }
        let product = self.arena.mul(&sums);
        if !sums.is_empty() {
            let whole = Monomial::power(atom_of(product), 1);
            match monomial.checked_mul(&whole) {
                Some(all) => monomial = all,
                None => return Polynomial::atom(atom_of(id)),
            }
        }
        Polynomial::term(monomial, scale)
    }

    /// A product as a number, sums to a power that is positive, and a monomial of all else; `None` where an exponent
    /// overflows.
    fn common_factors(&mut self, list: &[ExprId]) -> Option<(Rational, Vec<ExprId>, Monomial)> {
        let (mut scale, mut monomial) = (Rational::ONE, Monomial::one());
        let mut sums: Vec<Atom> = Vec::new();
        for &factor in list {
            let factor = self.polynomial(factor);
            let (number, common, rest) = self.primitive(&factor)?;
            (scale, monomial) = (&scale * &number, monomial.checked_mul(&common)?);
            if rest.as_constant().is_none() {
                let sum = atom_of(self.expression(&rest));
                monomial = monomial.checked_mul(&Monomial::power(sum, 1))?;
                sums.push(sum);
            }
        }
        sums.sort_unstable();
        sums.dedup();
        let mut powers = Vec::new();
        for sum in sums {
            let exponent = monomial.exponent(sum);
            if exponent > 0 {
                monomial = monomial.without(sum);
                let exponent = self.arena.number(i64::from(exponent));
                powers.push(self.arena.pow(expr_of(sum), exponent));
            }
        }
        Some((scale, powers, monomial))
    }

    /// The product of two polynomials in canonical form; `None` beyond [`MAX_TERMS`] terms.
    pub fn multiply(&mut self, left: &Polynomial, right: &Polynomial) -> Option<Polynomial> {
        let product = left.checked_mul(right, MAX_TERMS)?;
        let special = product
            .atoms()
            .into_iter()
            .any(|atom| self.is_special(atom));
        if special {
            self.tidy(product)
        } else {
            Some(product)
        }
    }

    pub(super) fn power(&mut self, base: ExprId, exponent: ExprId) -> Polynomial {
        let exponent_polynomial = self.polynomial(exponent);
        let constant = exponent_polynomial.as_constant();
        if let Some(power) = constant
            .as_ref()
            .filter(|c| c.is_integer())
            .and_then(Rational::to_i64)
            && let Some(result) = self.integer_power(base, power)
        {
            return result;
        }
        let base = self.canonical(base);
        // Powers of 4 are powers of 2, so that they cancel.
        if constant.is_none()
            && let Some((root, power)) = self.arena.as_number(base).and_then(root_of_number)
        {
            let root = self.arena.number(root);
            let exponent = self.expression(&exponent_polynomial.scale(&power));
            return self.power(root, exponent);
        }
        let simpler = (self.split_exponent(base, &exponent_polynomial))
            .or_else(|| self.power_of_logarithm(base, &exponent_polynomial));
        if let Some(result) = simpler {
            return result;
        }
        let exponent = self.expression(&exponent_polynomial);
        let id = self.arena.pow(base, exponent);
        match self.arena.node(id) {
            Node::Pow(..) => Polynomial::atom(atom_of(id)),
            _ => (*self.polynomial(id)).clone(),
        }
    }

    /// `2^(i + 3) = 8 * 2^i`, for a number that is not 0.
    fn split_exponent(&mut self, base: ExprId, exponent: &Polynomial) -> Option<Polynomial> {
        let number = self.arena.as_number(base)?.clone();
        let shift = exponent.coefficient(&Monomial::one()).floor();
        if number.is_zero() || shift.is_zero() || exponent.as_constant().is_some() {
            return None;
        }
        let factor = number.pow(shift.to_i64()?)?;
        let rest = exponent - &Polynomial::constant(shift);
        let rest = self.expression(&rest);
        Some(self.power(base, rest).scale(&factor))
    }

    pub(super) fn integer_power(&mut self, base: ExprId, power: i64) -> Option<Polynomial> {
        let polynomial = self.polynomial(base);
        let exponent = i32::try_from(power).ok()?;
        if let Some((monomial, coefficient)) = polynomial.as_term() {
            let result = Polynomial::term(monomial.checked_pow(exponent)?, coefficient.pow(power)?);
            return self.tidy(result);
        }
        if polynomial.is_zero() {
            return None;
        }
        if exponent > MAX_EXPANDED_POWER && self.has_exponentials(&polynomial) {
            return None;
        }
        if exponent >= 0 {
            let result = polynomial.pow(exponent as u32, MAX_POWER_TERMS)?;
            return self.tidy(result);
        }
        let (scale, common, primitive) = self.primitive(&polynomial)?;
        let factor = Polynomial::term(common.checked_pow(exponent)?, scale.pow(power)?);
        if let Some(single) = primitive.as_constant().filter(Rational::is_one) {
            return Some(factor.scale(&single));
        }
        let atom = self.expression(&primitive);
        factor.mul_term(&Monomial::power(atom_of(atom), exponent), &Rational::ONE)
    }

    /// True if a sum has exponentials, or powers whose exponents are not numbers, in it.
    fn has_exponentials(&self, polynomial: &Polynomial) -> bool {
        polynomial.atoms().into_iter().any(|atom| {
            matches!(
                self.arena.node(expr_of(atom)),
                Node::Apply(Function::Exp, _) | Node::Pow(..)
            )
        })
    }

    /// Splits `polynomial = scale * common * primitive`.
    ///
    /// A primitive polynomial has coprime integer coefficients, a positive leading one (in the
    /// order of printing) and no common factor.
    pub fn primitive(
        &mut self,
        polynomial: &Polynomial,
    ) -> Option<(Rational, Monomial, Polynomial)> {
        let mut common = content(&self.arena, polynomial);
        let mut scale = polynomial.content().abs();
        let inverse = common.checked_pow(-1)?;
        if scale.is_zero() {
            return None;
        }
        let mut primitive = polynomial.mul_term(&inverse, &scale.recip()?)?;
        if let Some((root, rest)) = self.without_common_root(&primitive) {
            common = common.checked_mul(&root)?;
            primitive = rest;
        }
        // A sum whose negative power was common is no atom any more: `1 - 1/(x + 1)` is `x / (x + 1)`.
        let powers = primitive.terms().flat_map(|(m, _)| m.powers());
        let is_sum = |&(atom, power): &(Atom, i32)| {
            power > 0 && matches!(self.arena.node(expr_of(atom)), Node::Add(_))
        };
        if powers.into_iter().any(is_sum) {
            let expanded = self.tidy(primitive.clone())?;
            if expanded == primitive {
                return None;
            }
            let (number, further, rest) = self.primitive(&expanded)?;
            return Some((&scale * &number, common.checked_mul(&further)?, rest));
        }
        if self.leading_sign(&primitive) == Ordering::Less {
            primitive = -&primitive;
            scale = -&scale;
        }
        Some((scale, common, primitive))
    }

    /// The sign of the first printed term.
    pub fn leading_sign(&mut self, polynomial: &Polynomial) -> Ordering {
        let id = self.expression(polynomial);
        let first = match self.arena.node(id) {
            Node::Add(list) => list[0],
            _ => id,
        };
        let coefficient = match self.arena.node(first) {
            Node::Mul(factors) => self.arena.as_number(factors[0]),
            _ => self.arena.as_number(first),
        };
        match coefficient {
            Some(value) if value.is_negative() => Ordering::Less,
            Some(value) if value.is_zero() => Ordering::Equal,
            _ => Ordering::Greater,
        }
    }

    /// `c` for a condition `1 - c`.
    pub fn complement(&mut self, condition: ExprId) -> Option<ExprId> {
        let polynomial = self.polynomial(condition);
        let flipped = &Polynomial::one() - &*polynomial;
        let single = flipped.as_atom()?;
        Some(expr_of(single))
    }

    /// True if `symbol` is free in `id`.
    pub fn mentions(&self, id: ExprId, symbol: crate::expr::Symbol) -> bool {
        self.arena.mentions(id, symbol)
    }

    /// Number of free indices in `id`.
    pub fn indices(&self, id: ExprId) -> usize {
        let free = self.arena.free(id).iter();
        free.filter(|&&symbol| self.arena.range(symbol).is_some())
            .count()
    }

    /// True if `symbol` is free in some atom of `polynomial`.
    pub fn polynomial_mentions(
        &self,
        polynomial: &Polynomial,
        symbol: crate::expr::Symbol,
    ) -> bool {
        polynomial
            .atoms()
            .into_iter()
            .any(|atom| self.arena.mentions(expr_of(atom), symbol))
    }
}
