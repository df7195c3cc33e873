//! Collects the facts of every atom in a question.

use std::collections::BTreeSet;

use super::*;
use crate::expr::Function;
use crate::syntax::tree::Direction;

#[derive(Clone, Default)]
pub(super) struct Collector {
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

    /// A whole quotient of positive numbers is at least 1: what is divided is not the smaller one.
    fn state_whole_quotient(&mut self, quotient: &Polynomial) {
        let Some((monomial, coefficient)) = quotient.as_term() else {
            return;
        };
        let is_positive = |&(atom, _): &(Atom, i32)| self.facts.positive(&Polynomial::atom(atom));
        if !coefficient.is_positive() || !monomial.powers().iter().all(is_positive) {
            return;
        }
        let mut below = monomial.powers().iter().filter(|(_, power)| *power < 0);
        let divisor = below.try_fold(Monomial::one(), |product, &(atom, power)| {
            product.checked_mul(&Monomial::power(atom, power.checked_neg()?))
        });
        if let Some(divisor) = divisor.filter(|divisor| *divisor != Monomial::one())
            && let Some(dividend) = quotient.mul_term(&divisor, &Rational::ONE)
        {
            let excess = &dividend - &Polynomial::term(divisor, Rational::ONE);
            self.state(&Statement::NonNegative(excess));
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

impl Prover {
    /// Everything that is known of the atoms of `p`, and of the atoms that come with it.
    pub(super) fn collect(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        extra: &[Statement],
        depth: u32,
    ) -> Facts {
        let positions = self.cone(terms, p, extra);
        let mut collector = self.base(terms, positions, depth);
        collector.visit(p);
        for statement in extra {
            collector.state(statement);
        }
        self.follow(terms, &mut collector, depth);
        // For a whole number the square is at least the number, so `n * (n - 1) / 2` is nonnegative.
        for (atom, (_, greatest)) in p.exponents() {
            if greatest > 1 && collector.facts.is_integer(atom) {
                let square = Polynomial::term(Monomial::power(atom, 2), Rational::ONE);
                let pairs = &square - &Polynomial::atom(atom);
                collector.facts.assume(pairs, ring::Relation::NonNegative);
            }
        }
        self.compare_values(terms, p, depth, &mut collector.facts);
        self.compare_calls(terms, p, depth, &mut collector.facts);
        collector.facts
    }

    /// Values of a function that rises are in the order of its operands.
    fn compare_values(&self, terms: &mut Terms, p: &Polynomial, depth: u32, facts: &mut Facts) {
        let mut values = Vec::new();
        for atom in p.atoms().into_iter().filter(|&atom| !is_whole_atom(atom)) {
            if let Node::Apply(
                function @ (Function::Harmonic(_) | Function::Log | Function::Sqrt | Function::Exp),
                operand,
            ) = *terms.arena.node(expr_of(atom))
            {
                values.push((atom, function, terms.polynomial(operand)));
            }
        }
        for (one, function, above) in &values {
            for (other, _, below) in values.iter().filter(|(o, f, _)| o != one && f == function) {
                let rise = &**above - &**below;
                let difference = &Polynomial::atom(*one) - &Polynomial::atom(*other);
                if depth > 0 && self.deeper(terms, &rise, depth, Goal::Positive) {
                    facts.assume(difference, ring::Relation::Positive);
                } else if depth > 0 && self.deeper(terms, &rise, depth, Goal::NonNegative) {
                    facts.assume(difference, ring::Relation::NonNegative);
                }
            }
        }
    }

    /// Compares two calls of a function that is declared monotone in its arguments.
    fn compare_calls(&self, terms: &mut Terms, p: &Polynomial, depth: u32, facts: &mut Facts) {
        if depth == 0 {
            return;
        }
        let mut calls = Vec::new();
        for atom in p.atoms().into_iter().filter(|&atom| !is_whole_atom(atom)) {
            if let Node::Call(function, arguments) = terms.arena.node(expr_of(atom))
                && let Some(defined) = terms.arena.defined(*function)
                && !defined.directions.is_empty()
            {
                calls.push((atom, *function, defined.clone(), arguments.clone()));
            }
        }
        for (one, function, defined, greater) in &calls {
            let others = calls
                .iter()
                .filter(|call| call.0 != *one && call.1 == *function);
            for (other, _, _, less) in others {
                let mut arguments = defined
                    .directions
                    .iter()
                    .zip(greater.iter().zip(less.iter()));
                let is_least = arguments.all(|(direction, (&above, &below))| {
                    let rise = &*terms.polynomial(above) - &*terms.polynomial(below);
                    match direction {
                        _ if rise.is_zero() => true,
                        Some(Direction::Increasing) => {
                            self.deeper(terms, &rise, depth, Goal::NonNegative)
                        }
                        Some(Direction::Decreasing) => {
                            self.deeper(terms, &-&rise, depth, Goal::NonNegative)
                        }
                        None => false,
                    }
                });
                if is_least {
                    let difference = &Polynomial::atom(*one) - &Polynomial::atom(*other);
                    facts.assume(difference, ring::Relation::NonNegative);
                }
            }
        }
    }

    /// The known facts at these positions, with everything that is known of their atoms.
    fn base(&self, terms: &mut Terms, positions: Vec<usize>, depth: u32) -> Collector {
        let key = (depth, positions);
        if let Some(base) = self.bases.borrow().get(&key) {
            return base.clone();
        }
        let mut collector = Collector {
            facts: Facts::sharing(terms.answers.clone()),
            ..Collector::default()
        };
        for &number in &key.1 {
            let statement = statement(terms, self.known[number]);
            collector.state(&statement);
            collector.facts.assume_integer(whole_atom(number));
        }
        self.follow(terms, &mut collector, depth);
        for &number in &key.1 {
            if let Some(quotient) = whole_quotient(terms, self.known[number]) {
                collector.state_whole_quotient(&quotient);
            }
        }
        if !self.is_exhausted() {
            self.bases.borrow_mut().insert(key, collector.clone());
        }
        collector
    }

    /// States the known facts of the atoms met so far, and of the atoms that these facts mention.
    fn follow(&self, terms: &mut Terms, collector: &mut Collector, depth: u32) {
        while let Some(atom) = collector.pending.pop() {
            if collector.seen.len() > MOST_ATOMS {
                return;
            }
            for statement in self.description(terms, atom, depth).iter() {
                collector.state(statement);
            }
        }
    }

    pub(super) fn description(&self, terms: &mut Terms, atom: Atom, depth: u32) -> Rc<[Statement]> {
        if let Some(known) = self.descriptions.borrow().get(&(atom, depth)) {
            return known.clone();
        }
        let mut known = Vec::new();
        if !is_whole_atom(atom) {
            self.describe(terms, atom, depth, &mut known);
        }
        let known: Rc<[Statement]> = known.into();
        if self.is_exhausted() {
            return known;
        }
        self.descriptions
            .borrow_mut()
            .insert((atom, depth), known.clone());
        known
    }
}
