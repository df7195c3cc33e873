//! Facts about an atom from its structure: the range of an index, the bounds of a floor, ...

use crate::expr::{
    ExprId, Function, LawKind, Node, Operation, ReduceKind, Reduction, Side, Sort, Symbol,
    SymbolKind,
};
use crate::ring::{Atom, Monomial, Polynomial, Rational};
use pamela_law::{Density, Least};

use super::statement::Statement;
use super::{Goal, Prover};
use crate::algebra::terms::{Terms, expr_of};

impl Prover {
    /// States the facts about an atom that follow from its structure.
    ///
    /// `depth` bounds the proofs that this takes.
    ///
    /// One long function, because it is a table with an arm for each kind of expression.
    pub(super) fn describe(
        &self,
        terms: &mut Terms,
        atom: Atom,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let id = expr_of(atom);
        let this = Polynomial::atom(atom);
        if terms.arena.is_boolean(id) {
            known.push(Statement::Integer(Polynomial::atom(atom)));
            known.push(Statement::NonNegative(this.clone()));
            known.push(Statement::NonNegative(&Polynomial::one() - &this));
            return;
        }
        match terms.arena.node(id).clone() {
            Node::Symbol(symbol) => {
                if let SymbolKind::Index { lower, upper, .. } = *terms.arena.symbol_kind(symbol) {
                    let (lower, upper) = (terms.polynomial(lower), terms.polynomial(upper));
                    known.push(Statement::NonNegative(&this - &*lower));
                    known.push(Statement::NonNegative(&*upper - &this));
                    if self.lower_is_integer(terms, &lower, depth) {
                        known.push(Statement::Integer(Polynomial::atom(atom)));
                    }
                }
            }
            Node::Call(function, _) => describe_call(terms, function, &this, known),
            Node::Apply(function, operand) => {
                self.describe_function(terms, atom, function, operand, depth, known)
            }
            Node::Mod(left, modulus) => {
                self.describe_modulo(terms, atom, left, modulus, depth, known)
            }
            Node::Operate(Operation::CommonDivisor, list) => {
                self.describe_divisor(terms, atom, [list[0], list[1]], depth, known)
            }
            Node::Operate(operation, _) if operation.row().is_whole => {
                known.push(Statement::Integer(this))
            }
            Node::Max(list) => {
                for &operand in list.iter() {
                    let operand = terms.polynomial(operand);
                    known.push(Statement::NonNegative(&this - &*operand));
                }
                self.describe_whole(terms, atom, &list, depth, known);
            }
            Node::Min(list) => {
                for &operand in list.iter() {
                    let operand = terms.polynomial(operand);
                    known.push(Statement::NonNegative(&*operand - &this));
                }
                self.describe_least(terms, &list, &this, depth, known);
                self.describe_whole(terms, atom, &list, depth, known);
            }
            Node::If(_, then, otherwise) => {
                let both = [then, otherwise];
                self.describe_least(terms, &both, &this, depth, known);
                self.describe_whole(terms, atom, &both, depth, known);
            }
            Node::Quantile(law, _) if terms.arena.is_between_0_and_1(law) => {
                known.push(Statement::Positive(&Polynomial::one() - &this));
                known.push(Statement::Positive(this));
            }
            Node::Probability(side, law, t) => {
                known.push(Statement::NonNegative(&Polynomial::one() - &this));
                let below = matches!(side, Side::Less | Side::LessEqual);
                if below && depth > 0 && self.begins_before(terms, law, t, depth) {
                    known.push(Statement::Positive(this));
                } else {
                    known.push(Statement::NonNegative(this));
                }
            }
            Node::Pow(base, exponent) => {
                let (base, exponent) = (terms.polynomial(base), terms.polynomial(exponent));
                let counts = [
                    (&base, Goal::Integer),
                    (&exponent, Goal::Integer),
                    (&exponent, Goal::NonNegative),
                ];
                if depth > 0
                    && counts
                        .into_iter()
                        .all(|(p, goal)| self.deeper(terms, p, depth, goal))
                {
                    known.push(Statement::Integer(Polynomial::atom(atom)));
                }
                if depth > 0 && self.deeper(terms, &base, depth, Goal::Positive) {
                    known.push(Statement::Positive(this.clone()));
                } else if depth > 0 && self.deeper(terms, &base, depth, Goal::NonNegative) {
                    known.push(Statement::NonNegative(this.clone()));
                }
                if depth > 0 && self.is_falling_power(terms, [&base, &exponent], depth) {
                    known.push(Statement::NonNegative(&*base - &this));
                }
                match base.as_constant() {
                    Some(number) if depth > 0 && number > Rational::ONE => {
                        self.describe_power_of_number(terms, [&base, &exponent], depth, known);
                    }
                    Some(number) if number.is_positive() && number < Rational::ONE => {
                        self.describe_beside_one(terms, &this, &-&*exponent, depth, known);
                    }
                    None if depth > 0 => {
                        let above = &*base - &Polynomial::one();
                        if self.deeper(terms, &above, depth, Goal::Positive) {
                            self.describe_beside_one(terms, &this, &exponent, depth, known);
                        } else if self.deeper(terms, &base, depth, Goal::Positive)
                            && self.deeper(terms, &-&above, depth, Goal::Positive)
                        {
                            self.describe_beside_one(terms, &this, &-&*exponent, depth, known);
                        }
                    }
                    _ => {}
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
                if depth > 0 && self.deeper(terms, &sum, depth, Goal::Positive) {
                    known.push(Statement::Positive(this));
                } else if depth > 0 && self.deeper(terms, &-&sum, depth, Goal::Positive) {
                    known.push(Statement::Positive(-&this));
                }
            }
            Node::Reduce(r) if terms.arena.sort(id) == Sort::Scalar => {
                let body = terms.polynomial(r.body);
                if self.is_positive_sum(terms, &r, &body, depth) {
                    known.push(Statement::Positive(this));
                } else if depth > 0 && self.deeper(terms, &body, depth, Goal::NonNegative) {
                    known.push(Statement::NonNegative(this));
                }
                if depth > 0 && self.deeper(terms, &body, depth, Goal::Integer) {
                    known.push(Statement::Integer(Polynomial::atom(atom)));
                }
            }
            _ => {}
        }
    }

    /// True if the law surely has values below `t`: it has a density from 0 on, and `t` is above.
    fn begins_before(&self, terms: &mut Terms, law: ExprId, t: ExprId, depth: u32) -> bool {
        let Node::Law(LawKind::Named(name), arguments) = terms.arena.node(law) else {
            return false;
        };
        let row = name.row();
        let width = match row.density {
            _ if row.least != Some(Least::Number(0)) => return false,
            Density::Always => None,
            Density::Positive(position) => Some(arguments[position]),
            Density::Increasing(_) | Density::Unknown => return false,
        };
        width.into_iter().chain([t]).all(|positive| {
            let positive = terms.polynomial(positive);
            self.deeper(terms, &positive, depth, Goal::Positive)
        })
    }

    /// Terms that are positive add up to a positive number where there are any.
    fn is_positive_sum(
        &self,
        terms: &mut Terms,
        sum: &Reduction,
        body: &Polynomial,
        depth: u32,
    ) -> bool {
        if depth == 0 || sum.kind != ReduceKind::Sum {
            return false;
        }
        let steps = &*terms.polynomial(sum.upper) - &*terms.polynomial(sum.lower);
        self.deeper(terms, &steps, depth, Goal::NonNegative)
            && self.deeper(terms, body, depth, Goal::Positive)
    }

    /// Powers of a base from 0 to 1 never rise: from the first power on, each is at most the base.
    fn is_falling_power(
        &self,
        terms: &mut Terms,
        [base, exponent]: [&Polynomial; 2],
        depth: u32,
    ) -> bool {
        let one = Polynomial::one();
        [&(exponent - &one), base, &(&one - base)]
            .into_iter()
            .all(|p| self.deeper(terms, p, depth, Goal::NonNegative))
    }

    /// Powers of a number above 1 rise with their exponents: each is compared with the one whose exponent has one term
    /// less, or has it once less.
    fn describe_power_of_number(
        &self,
        terms: &mut Terms,
        [base, exponent]: [&Polynomial; 2],
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        const MOST_TERMS: usize = 3;
        if exponent.len() > MOST_TERMS {
            return;
        }
        let base = terms.expression(base);
        let power = |terms: &mut Terms, exponent: &Polynomial| {
            let exponent = terms.expression(exponent);
            terms.power(base, exponent)
        };
        let this = power(terms, exponent);
        for (monomial, coefficient) in exponent.terms() {
            let coefficient = if coefficient.abs() <= Rational::ONE {
                coefficient.clone()
            } else if coefficient.is_negative() {
                -Rational::ONE
            } else {
                Rational::ONE
            };
            let part = Polynomial::term(monomial.clone(), coefficient);
            let less = power(terms, &(exponent - &part));
            let rise = &this - &less;
            if self.deeper(terms, &part, depth, Goal::Positive) {
                known.push(Statement::Positive(rise));
            } else if self.deeper(terms, &part, depth, Goal::NonNegative) {
                known.push(Statement::NonNegative(rise));
            } else if self.deeper(terms, &-&part, depth, Goal::Positive) {
                known.push(Statement::Positive(-&rise));
            } else if self.deeper(terms, &-&part, depth, Goal::NonNegative) {
                known.push(Statement::NonNegative(-&rise));
            }
        }
    }

    /// An index is an integer if its lower bound is. In a chain of bounds, each follows from the next.
    fn lower_is_integer(&self, terms: &mut Terms, lower: &Polynomial, depth: u32) -> bool {
        self.is_plainly_whole(terms, lower)
            || depth > 0 && self.deeper(terms, lower, depth, Goal::Integer)
    }

    /// Whole numbers times integers: parameters that are known to be, roundings, truth values, and
    /// indices from such a bound on.
    fn is_plainly_whole(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        p.terms().all(|(monomial, coefficient)| {
            let plain = |&(atom, exponent): &(Atom, i32)| {
                exponent > 0 && self.is_whole_term(terms, expr_of(atom))
            };
            coefficient.is_integer() && monomial.powers().iter().all(plain)
        })
    }

    fn is_whole_term(&self, terms: &mut Terms, id: ExprId) -> bool {
        if terms.arena.is_boolean(id) {
            return true;
        }
        match *terms.arena.node(id) {
            Node::Apply(Function::Floor | Function::Ceil | Function::Factorial, _) => true,
            Node::Operate(operation, _) => operation.row().is_whole,
            Node::Symbol(symbol) => match terms.arena.range(symbol) {
                Some((lower, _)) => {
                    let lower = terms.polynomial(lower);
                    self.is_plainly_whole(terms, &lower)
                }
                None => {
                    let whole = terms.arena.apply(Function::Integer, id);
                    self.known.contains(&whole)
                }
            },
            _ => false,
        }
    }

    pub(super) fn deeper(&self, terms: &mut Terms, p: &Polynomial, depth: u32, goal: Goal) -> bool {
        self.by_cases(terms, p, &[], depth - 1, goal)
    }

    /// The atom is one of the operands, all of which are integers.
    fn describe_whole(
        &self,
        terms: &mut Terms,
        atom: Atom,
        list: &[ExprId],
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let whole = depth > 0
            && list.iter().all(|&operand| {
                let operand = terms.polynomial(operand);
                self.deeper(terms, &operand, depth, Goal::Integer)
            });
        if whole {
            known.push(Statement::Integer(Polynomial::atom(atom)));
        }
    }

    /// The atom is one of the operands, all of which are at least 0.
    fn describe_least(
        &self,
        terms: &mut Terms,
        list: &[ExprId],
        this: &Polynomial,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let nonnegative = depth > 0
            && list.iter().all(|&operand| {
                let operand = terms.polynomial(operand);
                self.deeper(terms, &operand, depth, Goal::NonNegative)
            });
        if nonnegative {
            known.push(Statement::NonNegative(this.clone()));
        }
    }

    /// The gcd is whole and divides both operands. If an operand is not 0, the gcd is at least 1 and at most that
    /// operand.
    fn describe_divisor(
        &self,
        terms: &mut Terms,
        atom: Atom,
        pair: [ExprId; 2],
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let this = Polynomial::atom(atom);
        known.push(Statement::Integer(this.clone()));
        known.push(Statement::NonNegative(this.clone()));
        let operands = pair.map(|operand| terms.polynomial(operand));
        let positive = (operands.each_ref())
            .map(|p| depth > 0 && self.deeper(terms, p, depth, Goal::Positive));
        if positive == [false, false] {
            return;
        }
        known.push(Statement::NonNegative(&this - &Polynomial::one()));
        for (operand, positive) in operands.iter().zip(positive) {
            if positive {
                known.push(Statement::NonNegative(&**operand - &this));
            }
            let quotient = operand.mul_term(&Monomial::power(atom, -1), &Rational::ONE);
            known.extend(quotient.map(Statement::Integer));
        }
    }
}

/// Facts declared for a function hold for each of its calls.
fn describe_call(terms: &Terms, function: Symbol, this: &Polynomial, known: &mut Vec<Statement>) {
    let Some(defined) = terms.arena.defined(function) else {
        return;
    };
    for limit in &defined.limits {
        let number = Polynomial::constant(limit.number.clone());
        let beyond = if limit.is_least {
            this - &number
        } else {
            &number - this
        };
        known.push(if limit.is_strict {
            Statement::Positive(beyond)
        } else {
            Statement::NonNegative(beyond)
        });
    }
}
