//! Domains of expressions: the conditions of operators on their operands, as truth values.
//!
//! The conditions of a branch apply where the branch is chosen; those of a reduction body apply in
//! each iteration. A truth value may itself be undefined where another one does not hold.

use std::collections::HashMap;

use super::{Arena, ExprId, Function, Node, Operation, ReduceKind, Relation, Symbol};
use crate::operators::{Condition, Domain};
use crate::ring::Rational;
use crate::with_stack;

impl Arena {
    /// `x != 0`
    pub fn nonzero(&mut self, x: ExprId) -> ExprId {
        let zero = self.number(0);
        let equal = self.relate(Relation::Equal, x, zero);
        self.not(equal)
    }

    /// `x > 0`
    pub fn positive(&mut self, x: ExprId) -> ExprId {
        let zero = self.number(0);
        self.relate(Relation::Less, zero, x)
    }

    fn not_negative(&mut self, x: ExprId) -> ExprId {
        let zero = self.number(0);
        self.relate(Relation::LessEqual, zero, x)
    }

    /// Conjunction of two conditions; the second is evaluated only where the first holds.
    pub fn both(&mut self, first: ExprId, second: ExprId) -> ExprId {
        if self.is_total(second) {
            return self.mul(&[first, second]);
        }
        let zero = self.number(0);
        self.if_else(first, second, zero)
    }

    /// True where the first condition holds and the second, evaluated there, does not.
    pub fn but_not(&mut self, first: ExprId, second: ExprId) -> ExprId {
        let refuted = self.not(second);
        self.both(first, refuted)
    }

    /// The conditions of a function on its operand.
    pub fn domain_of_function(&mut self, function: Function, x: ExprId) -> Vec<ExprId> {
        match function.row().domain {
            Domain::All => Vec::new(),
            Domain::Positive => vec![self.positive(x)],
            Domain::NotNegative => vec![self.not_negative(x)],
            Domain::Counts => vec![self.not_negative(x), self.apply(Function::Integer, x)],
        }
    }

    /// The conditions of an operation on its operands, without those that hold.
    pub fn domain_of_operation(&mut self, operation: Operation, list: &[ExprId]) -> Vec<ExprId> {
        let mut asked = Vec::new();
        for condition in operation.row().domain {
            asked.push(match *condition {
                Condition::Whole(place) => self.apply(Function::Integer, list[place]),
                Condition::NotNegative(place) => self.not_negative(list[place]),
                Condition::Positive(place) => self.positive(list[place]),
                Condition::AtMost(pair, most) => {
                    let (sum, most) = (self.add(&pair.map(|place| list[place])), self.number(most));
                    self.relate(Relation::LessEqual, sum, most)
                }
            });
        }
        asked.retain(|&condition| !self.as_number(condition).is_some_and(Rational::is_one));
        asked
    }

    /// The conditions of a power: 0 has no negative powers, and negative numbers only whole ones.
    pub fn domain_of_power(&mut self, base: ExprId, exponent: ExprId) -> Vec<ExprId> {
        let exponential = matches!(self.node(base), Node::Apply(Function::Exp, _));
        if exponential || self.as_number(base).is_some_and(Rational::is_positive) {
            return Vec::new();
        }
        if let Some(power) = self.as_number(exponent).cloned() {
            return match (power.is_integer(), power.is_negative()) {
                (true, false) => Vec::new(),
                (true, true) => vec![self.nonzero(base)],
                (false, false) => vec![self.not_negative(base)],
                (false, true) => vec![self.positive(base)],
            };
        }
        let zero = self.number(0);
        let (at_zero, below) = (
            self.relate(Relation::Equal, base, zero),
            self.relate(Relation::Less, base, zero),
        );
        let whole = self.apply(Function::Integer, exponent);
        let (negative, broken) = (self.relate(Relation::Less, exponent, zero), self.not(whole));
        let failures = [self.mul(&[at_zero, negative]), self.mul(&[below, broken])];
        failures
            .into_iter()
            .map(|failure| self.not(failure))
            .collect()
    }

    /// The condition of the quorum `k` of a range: it is the number of an iteration, if there are
    /// any.
    pub fn domain_of_quorum(&mut self, k: ExprId, lower: ExprId, upper: ExprId) -> Vec<ExprId> {
        let (one, steps) = (self.number(1), self.subtract(upper, lower));
        let last = self.apply(Function::Floor, steps);
        let count = self.add(&[last, one]);
        let runs = self.relate(Relation::LessEqual, lower, upper);
        let asked = [
            self.relate(Relation::LessEqual, one, k),
            self.relate(Relation::LessEqual, k, count),
            self.apply(Function::Integer, k),
        ];
        asked
            .into_iter()
            .map(|c| self.asked_where(runs, c))
            .collect()
    }

    /// A condition that applies only where `condition` holds.
    pub fn asked_where(&mut self, condition: ExprId, asked: ExprId) -> ExprId {
        if self.is_total(asked) {
            let failure = self.not(asked);
            let failure = self.mul(&[condition, failure]);
            return self.not(failure);
        }
        let one = self.number(1);
        self.if_else(condition, asked, one)
    }

    /// A condition in each iteration: the number of iterations in which it fails is 0.
    pub fn asked_in_each(
        &mut self,
        asked: ExprId,
        (index, lower, upper): (Symbol, ExprId, ExprId),
    ) -> ExprId {
        if !self.mentions(asked, index) && self.is_total(asked) {
            let runs = self.relate(Relation::LessEqual, lower, upper);
            return self.asked_where(runs, asked);
        }
        let failure = match self.failures(asked) {
            Some(failures) => failures,
            None => self.not(asked),
        };
        let failures = self.reduce(ReduceKind::Sum, index, lower, upper, failure);
        let zero = self.number(0);
        self.relate(Relation::Equal, failures, zero)
    }

    /// The number of failures that is asked to be 0.
    fn failures(&self, asked: ExprId) -> Option<ExprId> {
        let Node::Compare(Relation::Equal, a, b) = *self.node(asked) else {
            return None;
        };
        let number = |x| self.as_number(x).is_some_and(Rational::is_zero);
        let counts = |x| matches!(self.node(x), Node::Reduce(r) if r.kind == ReduceKind::Sum);
        match (number(a), number(b)) {
            (true, _) if counts(b) => Some(b),
            (_, true) if counts(a) => Some(a),
            _ => None,
        }
    }

    /// All conditions under which `id` has a value.
    pub fn domain(&mut self, id: ExprId) -> Vec<ExprId> {
        let mut known = HashMap::new();
        self.domain_within(id, &mut known)
    }

    fn domain_within(
        &mut self,
        id: ExprId,
        known: &mut HashMap<ExprId, Vec<ExprId>>,
    ) -> Vec<ExprId> {
        if self.is_total(id) {
            return Vec::new();
        }
        if let Some(found) = known.get(&id) {
            return found.clone();
        }
        let mut found = with_stack(|| self.domain_here(id, known));
        found.retain(|&asked| !self.as_number(asked).is_some_and(Rational::is_one));
        found.sort_unstable();
        found.dedup();
        known.insert(id, found.clone());
        found
    }

    fn domain_here(&mut self, id: ExprId, known: &mut HashMap<ExprId, Vec<ExprId>>) -> Vec<ExprId> {
        let mut found = Vec::new();
        match *self.node(id) {
            Node::If(condition, then, otherwise) => {
                found.extend(self.domain_within(condition, known));
                let refuted = self.not(condition);
                for (chosen, branch) in [(condition, then), (refuted, otherwise)] {
                    let asked = self.domain_within(branch, known);
                    found.extend(asked.into_iter().map(|c| self.asked_where(chosen, c)));
                }
            }
            Node::Reduce(r) => {
                found.extend(self.domain_within(r.lower, known));
                found.extend(self.domain_within(r.upper, known));
                if let Some(quorum) = r.kind.quorum() {
                    found.extend(self.domain_within(quorum, known));
                    found.extend(self.domain_of_quorum(quorum, r.lower, r.upper));
                }
                let binder = (r.index, r.lower, r.upper);
                let asked = self.domain_within(r.body, known);
                found.extend(asked.into_iter().map(|c| self.asked_in_each(c, binder)));
            }
            _ => {
                for operand in self.operands(id) {
                    found.extend(self.domain_within(operand, known));
                }
                found.extend(match *self.node(id) {
                    Node::Mod(_, modulus) => vec![self.positive(modulus)],
                    Node::Operate(operation, ref operands) => {
                        let operands = operands.clone();
                        self.domain_of_operation(operation, &operands)
                    }
                    Node::Apply(function, operand) => self.domain_of_function(function, operand),
                    Node::Pow(base, exponent) => self.domain_of_power(base, exponent),
                    Node::Quantile(_, q) => self.domain_of_quantile(q).to_vec(),
                    _ => Vec::new(),
                });
            }
        }
        found
    }
}
