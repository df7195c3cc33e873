//! Proofs that expressions are defined.

use super::Prover;
use crate::algebra::terms::Terms;
use crate::expr::{Domain, ExprId, GraphPart, LawKind, Node};

impl Prover {
    /// True if `id` is proved to be defined for all values of its symbols that satisfy the facts.
    pub fn defined(&mut self, terms: &mut Terms, id: ExprId) -> bool {
        if terms.arena.is_total(id) {
            return true;
        }
        if let Node::If(condition, then, otherwise) = *terms.arena.node(id) {
            let refuted = terms.arena.not(condition);
            let (chosen, refuted) = (terms.canonical(condition), terms.canonical(refuted));
            return self.defined(terms, condition)
                && self.with(&[chosen]).defined(terms, then)
                && self.with(&[refuted]).defined(terms, otherwise);
        }
        let operands = terms.arena.operands(id);
        if !operands.iter().all(|&operand| self.defined(terms, operand)) {
            return false;
        }
        match *terms.arena.node(id) {
            Node::Symbol(_) | Node::Law(LawKind::Parameter(_), _) | Node::Call(..) => {
                let has_value = terms.arena.has_value(id);
                has_value.is_none_or(|guard| self.holds(terms, guard))
            }
            Node::Pow(base, exponent) => self.power_defined(terms, base, exponent),
            Node::Mod(_, modulus) => {
                let modulus = terms.polynomial(modulus);
                self.positive(terms, &modulus)
            }
            Node::Apply(function, operand) => {
                let domain = function.row().domain;
                let operand = terms.polynomial(operand);
                match domain {
                    Domain::All => true,
                    Domain::NotNegative => self.nonnegative(terms, &operand),
                    Domain::Positive => self.positive(terms, &operand),
                    Domain::Counts => {
                        self.nonnegative(terms, &operand) && self.integer(terms, &operand)
                    }
                }
            }
            Node::Quantile(_, q) => {
                let asked = terms.arena.domain_of_quantile(q);
                asked.into_iter().all(|guard| {
                    let guard = terms.canonical(guard);
                    self.holds(terms, guard)
                })
            }
            Node::Operate(operation, ref operands) => {
                let operands = operands.clone();
                let asked = terms.arena.domain_of_operation(operation, &operands);
                asked.into_iter().all(|guard| self.holds(terms, guard))
            }
            Node::Reduce(r) => r.kind.quorum().is_none(),
            // Tasks may wait for each other in a cycle.
            Node::Graph(part, _) => !matches!(part, GraphPart::LongestPath(_)),
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
