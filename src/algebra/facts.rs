//! What holds: declared facts, assumptions, and what follows from the terms themselves.
//!
//! A query collects the facts of every atom that it meets (the range of an index, the bounds of a
//! floor, ...) and hands them to the ring's prover; where a `max`, a bracket or a conditional is in
//! the way, it proves each case. A positive answer is a proof, a negative one says nothing.

use std::collections::{BTreeSet, HashMap};

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Sort, SymbolKind};
use crate::ring::{self, Atom, Facts, Monomial, Polynomial, Rational};

use super::terms::{Terms, atom_of, expr_of};

/// How deep a proof may tell cases apart, or use facts that need a proof themselves.
const DEPTH: u32 = 3;
/// A query stops collecting facts after this many atoms.
const MOST_ATOMS: usize = 64;

/// The facts of a model with the assumptions made so far.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    /// Truth values that hold: comparisons, `integer(..)`, and complements of equalities.
    known: Vec<ExprId>,
    memo: HashMap<ExprId, bool>,
}

/// What a truth value says of polynomials.
#[derive(Clone, Debug)]
enum Statement {
    NonNegative(Polynomial),
    Positive(Polynomial),
    Zero(Polynomial),
    NonZero(Polynomial),
    Integer(Polynomial),
    Never,
    Always,
    Unknown,
}

impl Prover {
    pub fn new(known: Vec<ExprId>) -> Prover {
        Prover {
            known,
            memo: HashMap::new(),
        }
    }

    /// The same with further truth values that hold.
    pub fn with(&self, further: &[ExprId]) -> Prover {
        let mut known = self.known.clone();
        known.extend(further.iter().filter(|fact| !self.known.contains(fact)));
        Prover::new(known)
    }

    /// Whether a truth value is proved to be 1.
    pub fn holds(&mut self, terms: &mut Terms, guard: ExprId) -> bool {
        if let Some(&known) = self.memo.get(&guard) {
            return known;
        }
        let result = self.known.contains(&guard) || self.proves(terms, guard);
        self.memo.insert(guard, result);
        result
    }

    fn proves(&self, terms: &mut Terms, guard: ExprId) -> bool {
        if let Node::Mul(parts) = terms.arena.node(guard).clone() {
            return parts.iter().all(|&part| self.proves(terms, part));
        }
        match statement(terms, guard) {
            Statement::NonNegative(p) => self.nonnegative(terms, &p),
            Statement::Positive(p) => self.positive(terms, &p),
            Statement::Zero(p) => self.zero(terms, &p),
            Statement::NonZero(p) => self.nonzero(terms, &p),
            Statement::Integer(p) => self.integer(terms, &p),
            Statement::Always => true,
            Statement::Never | Statement::Unknown => false,
        }
    }

    /// Whether `p >= 0` is proved.
    pub fn nonnegative(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        self.by_cases(terms, p, &[], DEPTH, &Facts::nonneg)
    }

    /// Whether `p > 0` is proved.
    pub fn positive(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        self.by_cases(terms, p, &[], DEPTH, &Facts::positive)
    }

    /// Whether `p == 0` is proved.
    pub fn zero(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        p.is_zero() || self.by_cases(terms, p, &[], DEPTH, &Facts::zero)
    }

    /// Whether `p != 0` is proved.
    pub fn nonzero(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        if let Some(value) = p.as_constant() {
            return !value.is_zero();
        }
        if let Some((monomial, _)) = p.as_term()
            && monomial.powers().len() > 1
        {
            let factors: Vec<Atom> = monomial.powers().iter().map(|&(atom, _)| atom).collect();
            return factors
                .into_iter()
                .all(|atom| self.nonzero(terms, &Polynomial::atom(atom)));
        }
        let listed = self.known.iter().any(|&fact| match statement(terms, fact) {
            Statement::NonZero(q) => is_multiple(p, &q),
            _ => false,
        });
        listed || self.positive(terms, p) || self.positive(terms, &-p)
    }

    /// Whether the value of `p` is proved to be an integer.
    pub fn integer(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        let reduced = self.in_whole_quotients(terms, p);
        self.by_cases(terms, &reduced, &[], DEPTH, &Facts::integer)
    }

    /// Replaces parameters by the quotients that are known to be integers: `N = P*k` for `integer(N/P)`.
    fn in_whole_quotients(&self, terms: &mut Terms, p: &Polynomial) -> Polynomial {
        let mut result = p.clone();
        for (number, &fact) in self.known.iter().enumerate() {
            let Some(quotient) = whole_quotient(terms, fact) else {
                continue;
            };
            // The atoms of whole quotients are no expressions; they come from the other end.
            let whole = Atom(u32::MAX - number as u32);
            let Some((symbol, replacement)) = solve(terms, &quotient, whole) else {
                continue;
            };
            if let Some(substituted) =
                result.substitute(symbol, &replacement, super::terms::MAX_TERMS)
            {
                result = substituted;
            }
        }
        result
    }

    fn by_cases(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        extra: &[Statement],
        depth: u32,
        goal: &dyn Fn(&Facts, &Polynomial) -> bool,
    ) -> bool {
        let facts = self.collect(terms, p, extra, depth);
        if goal(&facts, p) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let Some(cases) = first_cases(terms, p) else {
            return false;
        };
        cases.into_iter().all(|(case, statements)| {
            let mut extra = extra.to_vec();
            extra.extend(statements);
            self.by_cases(terms, &case, &extra, depth - 1, goal)
        })
    }

    /// Everything that is known of the atoms of `p`, and of the atoms that come with it.
    fn collect(&self, terms: &mut Terms, p: &Polynomial, extra: &[Statement], depth: u32) -> Facts {
        let mut collector = Collector {
            facts: Facts::default(),
            seen: BTreeSet::new(),
            pending: Vec::new(),
        };
        collector.visit(p);
        for &fact in &self.known {
            let statement = statement(terms, fact);
            collector.state(&statement);
        }
        for statement in extra {
            collector.state(statement);
        }
        for number in 0..self.known.len() {
            collector
                .facts
                .assume_integer(Atom(u32::MAX - number as u32));
        }
        while let Some(atom) = collector.pending.pop() {
            if collector.seen.len() > MOST_ATOMS {
                break;
            }
            if atom.0 <= u32::MAX / 2 {
                self.describe(terms, atom, depth, &mut collector);
            }
        }
        collector.facts
    }

    /// States what is known of an atom from what it is.
    fn describe(&self, terms: &mut Terms, atom: Atom, depth: u32, collector: &mut Collector) {
        let id = expr_of(atom);
        let this = Polynomial::atom(atom);
        if terms.arena.is_boolean(id) {
            collector.facts.assume_integer(atom);
            collector.state(&Statement::NonNegative(this.clone()));
            collector.state(&Statement::NonNegative(&Polynomial::one() - &this));
            return;
        }
        match terms.arena.node(id).clone() {
            Node::Symbol(symbol) => {
                if let SymbolKind::Index { lower, upper, .. } = *terms.arena.symbol_kind(symbol) {
                    let (lower, upper) = (terms.polynomial(lower), terms.polynomial(upper));
                    collector.state(&Statement::NonNegative(&this - &*lower));
                    collector.state(&Statement::NonNegative(&*upper - &this));
                    if depth > 0 && self.lower_is_integer(terms, &lower, depth) {
                        collector.facts.assume_integer(atom);
                    }
                }
            }
            Node::Apply(function, operand) => {
                self.describe_function(terms, atom, function, operand, depth, collector)
            }
            Node::Mod(left, modulus) => {
                self.describe_modulo(terms, atom, left, modulus, depth, collector)
            }
            Node::Max(list) => {
                for &operand in list.iter() {
                    let operand = terms.polynomial(operand);
                    collector.state(&Statement::NonNegative(&this - &*operand));
                }
                self.describe_whole(terms, atom, &list, depth, collector);
            }
            Node::Min(list) => {
                for &operand in list.iter() {
                    let operand = terms.polynomial(operand);
                    collector.state(&Statement::NonNegative(&*operand - &this));
                }
                self.describe_least(terms, &list, &this, depth, collector);
                self.describe_whole(terms, atom, &list, depth, collector);
            }
            Node::If(_, then, otherwise) => {
                let both = [then, otherwise];
                self.describe_least(terms, &both, &this, depth, collector);
                self.describe_whole(terms, atom, &both, depth, collector);
            }
            Node::Pow(base, _) => {
                let base = terms.polynomial(base);
                if depth > 0 && self.deeper(terms, &base, depth, &Facts::positive) {
                    collector.state(&Statement::Positive(this));
                } else if depth > 0 && self.deeper(terms, &base, depth, &Facts::nonneg) {
                    collector.state(&Statement::NonNegative(this));
                }
            }
            Node::Add(_) => {
                // A sum that stands in a denominator.
                let sum =
                    terms
                        .arena
                        .operands(id)
                        .into_iter()
                        .fold(Polynomial::zero(), |sum, term| {
                            let term = terms.polynomial(term);
                            &sum + &*term
                        });
                if depth > 0 && self.deeper(terms, &sum, depth, &Facts::positive) {
                    collector.state(&Statement::Positive(this));
                } else if depth > 0 && self.deeper(terms, &-&sum, depth, &Facts::positive) {
                    collector.state(&Statement::Positive(-&this));
                }
            }
            Node::Reduce(r) if terms.arena.sort(id) == Sort::Scalar => {
                let body = terms.polynomial(r.body);
                let whole = matches!(r.kind, ReduceKind::Sum | ReduceKind::Product);
                if depth > 0 && self.deeper(terms, &body, depth, &Facts::nonneg) {
                    collector.state(&Statement::NonNegative(this));
                }
                if whole && depth > 0 && self.deeper(terms, &body, depth, &Facts::integer) {
                    collector.facts.assume_integer(atom);
                }
            }
            _ => {}
        }
    }

    fn lower_is_integer(&self, terms: &mut Terms, lower: &Polynomial, depth: u32) -> bool {
        if let Some(value) = lower.as_constant() {
            return value.is_integer();
        }
        let reduced = self.in_whole_quotients(terms, lower);
        self.deeper(terms, &reduced, depth, &Facts::integer)
    }

    fn deeper(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        depth: u32,
        goal: &dyn Fn(&Facts, &Polynomial) -> bool,
    ) -> bool {
        self.by_cases(terms, p, &[], depth - 1, goal)
    }

    /// The atom is one of the operands, all of which are integers.
    fn describe_whole(
        &self,
        terms: &mut Terms,
        atom: Atom,
        list: &[ExprId],
        depth: u32,
        collector: &mut Collector,
    ) {
        let whole = depth > 0
            && list.iter().all(|&operand| {
                let operand = terms.polynomial(operand);
                self.deeper(terms, &operand, depth, &Facts::integer)
            });
        if whole {
            collector.facts.assume_integer(atom);
        }
    }

    /// The atom is one of the operands, all of which are at least 0.
    fn describe_least(
        &self,
        terms: &mut Terms,
        list: &[ExprId],
        this: &Polynomial,
        depth: u32,
        collector: &mut Collector,
    ) {
        let nonnegative = depth > 0
            && list.iter().all(|&operand| {
                let operand = terms.polynomial(operand);
                self.deeper(terms, &operand, depth, &Facts::nonneg)
            });
        if nonnegative {
            collector.state(&Statement::NonNegative(this.clone()));
        }
    }

    fn describe_function(
        &self,
        terms: &mut Terms,
        atom: Atom,
        function: Function,
        operand: ExprId,
        depth: u32,
        collector: &mut Collector,
    ) {
        let this = Polynomial::atom(atom);
        let operand = terms.polynomial(operand);
        match function {
            Function::Floor | Function::Ceil => {
                collector.facts.assume_integer(atom);
                let floor = function == Function::Floor;
                let excess = if floor {
                    &*operand - &this
                } else {
                    &this - &*operand
                };
                let slack = &Polynomial::one() - &excess;
                for (polynomial, strict) in [(excess, false), (slack, true)] {
                    self.state_scaled(terms, &polynomial, strict, depth, collector);
                }
                self.lift_bounds(terms, &this, &operand, floor, depth, collector);
            }
            Function::Abs => {
                collector.state(&Statement::NonNegative(this.clone()));
                collector.state(&Statement::NonNegative(&this - &*operand));
                collector.state(&Statement::NonNegative(&this + &*operand));
            }
            Function::Sqrt => collector.state(&Statement::NonNegative(this)),
            Function::Exp => collector.state(&Statement::Positive(this)),
            Function::Log | Function::Integer => {}
        }
    }

    /// A floor is at least every integer that its operand is at least; a ceiling too, and it is
    /// above every integer that its operand is above.
    fn lift_bounds(
        &self,
        terms: &mut Terms,
        this: &Polynomial,
        operand: &Polynomial,
        floor: bool,
        depth: u32,
        collector: &mut Collector,
    ) {
        if depth == 0 {
            return;
        }
        let one = Polynomial::one();
        if !floor && self.deeper(terms, operand, depth, &Facts::positive) {
            collector.state(&Statement::NonNegative(this - &one));
        } else if floor && self.deeper(terms, &(operand - &one), depth, &Facts::nonneg) {
            collector.state(&Statement::NonNegative(this - &one));
        } else if self.deeper(terms, operand, depth, &Facts::nonneg) {
            collector.state(&Statement::NonNegative(this.clone()));
        }
    }

    /// States a bound as it is and, where it has positive denominators, multiplied by them.
    fn state_scaled(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        strict: bool,
        depth: u32,
        collector: &mut Collector,
    ) {
        let bound = |p: Polynomial| {
            if strict {
                Statement::Positive(p)
            } else {
                Statement::NonNegative(p)
            }
        };
        collector.state(&bound(p.clone()));
        let powers = p.monomial_content();
        let denominators: Vec<(Atom, i32)> = powers
            .powers()
            .iter()
            .copied()
            .filter(|&(_, e)| e < 0)
            .collect();
        if denominators.is_empty() || depth == 0 {
            return;
        }
        let mut factor = Monomial::one();
        for (atom, exponent) in denominators {
            if !self.deeper(terms, &Polynomial::atom(atom), depth, &Facts::positive) {
                return;
            }
            let Some(next) = factor.checked_mul(&Monomial::power(atom, -exponent)) else {
                return;
            };
            factor = next;
        }
        if let Some(scaled) = p.mul_term(&factor, &Rational::ONE) {
            collector.state(&bound(scaled));
        }
    }

    fn describe_modulo(
        &self,
        terms: &mut Terms,
        atom: Atom,
        left: ExprId,
        modulus: ExprId,
        depth: u32,
        collector: &mut Collector,
    ) {
        let this = Polynomial::atom(atom);
        let (left, modulus) = (terms.polynomial(left), terms.polynomial(modulus));
        collector.state(&Statement::NonNegative(this.clone()));
        collector.state(&Statement::Positive(&*modulus - &this));
        if depth == 0 {
            return;
        }
        let whole = self.deeper(terms, &left, depth, &Facts::integer);
        if whole && self.deeper(terms, &modulus, depth, &Facts::integer) {
            collector.facts.assume_integer(atom);
        }
        if self.deeper(terms, &left, depth, &Facts::nonneg) {
            collector.state(&Statement::NonNegative(&*left - &this));
        }
    }

    /// Whether `id` is proved to be defined for all values of its symbols that the facts allow.
    pub fn defined(&mut self, terms: &mut Terms, id: ExprId) -> bool {
        if terms.arena.is_total(id) {
            return true;
        }
        let operands = terms.arena.operands(id);
        if !operands.iter().all(|&operand| self.defined(terms, operand)) {
            return false;
        }
        match *terms.arena.node(id) {
            Node::Pow(base, exponent) => self.power_defined(terms, base, exponent),
            Node::Mod(_, modulus) => {
                let modulus = terms.polynomial(modulus);
                self.positive(terms, &modulus)
            }
            Node::Apply(Function::Sqrt, operand) => {
                let operand = terms.polynomial(operand);
                self.nonnegative(terms, &operand)
            }
            Node::Apply(Function::Log, operand) => {
                let operand = terms.polynomial(operand);
                self.positive(terms, &operand)
            }
            Node::Reduce(r) => !matches!(r.kind, ReduceKind::Kth(_)),
            _ => true,
        }
    }

    fn power_defined(&mut self, terms: &mut Terms, base: ExprId, exponent: ExprId) -> bool {
        let (base, exponent) = (terms.polynomial(base), terms.polynomial(exponent));
        if self.integer(terms, &exponent) {
            return self.nonnegative(terms, &exponent) || self.nonzero(terms, &base);
        }
        self.positive(terms, &base)
    }
}

struct Collector {
    facts: Facts,
    seen: BTreeSet<Atom>,
    pending: Vec<Atom>,
}

impl Collector {
    fn visit(&mut self, p: &Polynomial) {
        for atom in p.atoms() {
            if self.seen.insert(atom) {
                self.pending.push(atom);
            }
        }
    }

    fn state(&mut self, statement: &Statement) {
        match statement {
            Statement::NonNegative(p) => {
                self.facts.assume(p.clone(), ring::Relation::NonNegative);
                self.visit(p);
            }
            Statement::Positive(p) => {
                self.facts.assume(p.clone(), ring::Relation::Positive);
                self.visit(p);
            }
            Statement::Zero(p) => {
                self.facts.assume(p.clone(), ring::Relation::Zero);
                self.visit(p);
            }
            Statement::Integer(p) => {
                if let Some(atom) = p.as_atom() {
                    self.facts.assume_integer(atom);
                }
            }
            Statement::NonZero(_) | Statement::Always | Statement::Never | Statement::Unknown => {}
        }
    }
}

/// What a truth value says.
fn statement(terms: &mut Terms, guard: ExprId) -> Statement {
    let guard = terms.canonical(guard);
    if let Some(value) = terms.arena.as_number(guard) {
        return if value.is_zero() {
            Statement::Never
        } else {
            Statement::Always
        };
    }
    match *terms.arena.node(guard) {
        Node::Compare(relation, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            let difference = &*right - &*left;
            match relation {
                Relation::LessEqual => Statement::NonNegative(difference),
                Relation::Less => Statement::Positive(difference),
                Relation::Equal => Statement::Zero(difference),
            }
        }
        Node::Apply(Function::Integer, operand) => {
            Statement::Integer((*terms.polynomial(operand)).clone())
        }
        _ => match terms.complement(guard) {
            Some(inner) => negation(terms, inner),
            None => Statement::Unknown,
        },
    }
}

/// What it says that a truth value is 0.
fn negation(terms: &mut Terms, guard: ExprId) -> Statement {
    match *terms.arena.node(guard) {
        Node::Compare(relation, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            let difference = &*left - &*right;
            match relation {
                Relation::LessEqual => Statement::Positive(difference),
                Relation::Less => Statement::NonNegative(difference),
                Relation::Equal => Statement::NonZero(difference),
            }
        }
        _ => Statement::Unknown,
    }
}

/// `N/P` of the facts `integer(N/P)` and `N mod P == 0`.
fn whole_quotient(terms: &mut Terms, fact: ExprId) -> Option<Polynomial> {
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

/// Solves `quotient = whole` for a parameter that occurs once, in a numerator.
fn solve(terms: &Terms, quotient: &Polynomial, whole: Atom) -> Option<(Atom, Polynomial)> {
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

fn is_multiple(p: &Polynomial, q: &Polynomial) -> bool {
    let ratio = p.content().checked_div(&q.content());
    ratio
        .is_some_and(|ratio| !ratio.is_zero() && (*p == q.scale(&ratio) || *p == q.scale(&-&ratio)))
}

type Cases = Vec<(Polynomial, Vec<Statement>)>;

/// The cases of the first atom in `p` that has some: each with `p` as it is there, and what holds there.
fn first_cases(terms: &mut Terms, p: &Polynomial) -> Option<Cases> {
    let mut candidates: Vec<ExprId> = p
        .atoms()
        .into_iter()
        .filter(|a| a.0 <= u32::MAX / 2)
        .map(expr_of)
        .collect();
    candidates.retain(|&id| {
        terms.arena.is_boolean(id) && matches!(terms.arena.node(id), Node::Compare(..))
            || matches!(
                terms.arena.node(id),
                Node::Max(_) | Node::Min(_) | Node::If(..)
            )
            || matches!(terms.arena.node(id), Node::Apply(Function::Abs, _))
    });
    candidates.sort_by(|&a, &b| terms.arena.compare(a, b));
    candidates.into_iter().find_map(|id| cases_of(terms, p, id))
}

fn cases_of(terms: &mut Terms, p: &Polynomial, id: ExprId) -> Option<Cases> {
    let at = |value: &Polynomial| p.substitute(atom_of(id), value, super::terms::MAX_TERMS);
    match terms.arena.node(id).clone() {
        Node::Compare(..) => {
            let (yes, no) = (statement(terms, id), negation(terms, id));
            Some(vec![
                (at(&Polynomial::one())?, vec![yes]),
                (at(&Polynomial::zero())?, vec![no]),
            ])
        }
        Node::If(condition, then, otherwise) => {
            let (yes, no) = (statement(terms, condition), negation(terms, condition));
            let (then, otherwise) = (terms.polynomial(then), terms.polynomial(otherwise));
            Some(vec![(at(&then)?, vec![yes]), (at(&otherwise)?, vec![no])])
        }
        Node::Apply(Function::Abs, operand) => {
            let operand = terms.polynomial(operand);
            let mirrored = -&*operand;
            Some(vec![
                (
                    at(&operand)?,
                    vec![Statement::NonNegative((*operand).clone())],
                ),
                (
                    at(&mirrored)?,
                    vec![Statement::NonNegative(mirrored.clone())],
                ),
            ])
        }
        Node::Max(list) | Node::Min(list) => {
            let largest = matches!(terms.arena.node(id), Node::Max(_));
            let operands: Vec<_> = list
                .iter()
                .map(|&operand| terms.polynomial(operand))
                .collect();
            let case = |chosen: usize| {
                let others = operands.iter().enumerate().filter(|&(k, _)| k != chosen);
                let statements = others.map(|(_, other)| {
                    let lead = &*operands[chosen] - &**other;
                    Statement::NonNegative(if largest { lead } else { -&lead })
                });
                Some((at(&operands[chosen])?, statements.collect()))
            };
            (0..operands.len()).map(case).collect()
        }
        _ => None,
    }
}
