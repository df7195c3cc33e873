//! Where a term is defined.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};

use super::language::Scope;

/// Whether what a reduction evaluates counts where its range may be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    /// Only where the range is known not to be empty: what certainly is evaluated.
    Certain,
    /// Always: what may be evaluated.
    Possible,
}

impl Scope {
    /// Truth values that the definedness of `id` asks for.
    ///
    /// Of what certainly is evaluated, each is asked for; of what may be evaluated, all are enough.
    fn requirements(&mut self, id: ExprId, bodies: Bodies) -> Vec<ExprId> {
        let mut found = Vec::new();
        self.collect_requirements(id, bodies, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect_requirements(&mut self, id: ExprId, bodies: Bodies, found: &mut Vec<ExprId>) {
        if self.terms.arena.is_total(id) {
            return;
        }
        match *self.terms.arena.node(id) {
            Node::Reduce(r) => {
                self.collect_requirements(r.lower, bodies, found);
                self.collect_requirements(r.upper, bodies, found);
                if let ReduceKind::Kth(quorum) = r.kind {
                    self.collect_requirements(quorum, bodies, found);
                    found.extend(self.quorum_requirements(quorum, r.lower, r.upper));
                }
                if self.terms.arena.is_total(r.body) {
                    return;
                }
                if bodies == Bodies::Possible {
                    self.collect_requirements(r.body, bodies, found);
                } else if self.is_nonempty(r.lower, r.upper) {
                    let inner = self.requirements(r.body, bodies);
                    found.extend(
                        inner
                            .into_iter()
                            .filter(|&guard| !self.terms.mentions(guard, r.index)),
                    );
                }
                return;
            }
            Node::If(condition, ..) if bodies == Bodies::Certain => {
                return self.collect_requirements(condition, bodies, found);
            }
            _ => {}
        }
        for operand in self.terms.arena.operands(id) {
            self.collect_requirements(operand, bodies, found);
        }
        if let Some(guard) = self.own_requirement(id) {
            found.push(self.terms.canonical(guard));
        }
        if let Node::Apply(Function::Harmonic(_) | Function::Factorial, n) =
            *self.terms.arena.node(id)
        {
            let whole = self.terms.arena.apply(Function::Integer, n);
            found.push(self.terms.canonical(whole));
        }
    }

    /// A quorum is one of 1, 2, ... up to the number of elements.
    fn quorum_requirements(&mut self, quorum: ExprId, lower: ExprId, upper: ExprId) -> Vec<ExprId> {
        let arena = &mut self.terms.arena;
        let steps = arena.subtract(upper, lower);
        let steps = arena.apply(Function::Floor, steps);
        let one = arena.number(1);
        let count = arena.add(&[steps, one]);
        let guards = [
            arena.relate(Relation::LessEqual, one, quorum),
            arena.relate(Relation::LessEqual, quorum, count),
            arena.apply(Function::Integer, quorum),
        ];
        guards
            .into_iter()
            .map(|guard| self.terms.canonical(guard))
            .collect()
    }

    /// What the operator asks of its operands.
    fn own_requirement(&mut self, id: ExprId) -> Option<ExprId> {
        let zero = self.terms.arena.number(0);
        match *self.terms.arena.node(id) {
            Node::Mod(_, modulus) => Some(self.terms.arena.relate(Relation::Less, zero, modulus)),
            Node::Apply(Function::Log | Function::LogGamma, operand) => {
                Some(self.terms.arena.relate(Relation::Less, zero, operand))
            }
            Node::Apply(Function::Sqrt | Function::Harmonic(_) | Function::Factorial, operand) => {
                Some(self.terms.arena.relate(Relation::LessEqual, zero, operand))
            }
            Node::Pow(base, exponent) => {
                let power = self.terms.polynomial(exponent);
                let whole = self.prover.integer(&mut self.terms, &power);
                if whole && self.prover.nonnegative(&mut self.terms, &power) {
                    return None;
                }
                if !whole {
                    return Some(self.terms.arena.relate(Relation::Less, zero, base));
                }
                let equal = self.terms.arena.relate(Relation::Equal, base, zero);
                Some(self.terms.arena.not(equal))
            }
            _ => None,
        }
    }

    fn is_nonempty(&mut self, lower: ExprId, upper: ExprId) -> bool {
        let nonempty = self.terms.arena.relate(Relation::LessEqual, lower, upper);
        let nonempty = self.terms.canonical(nonempty);
        self.holds(nonempty)
    }

    /// What must be guarded when `left` is replaced by `right`: where `right` is defined, beyond where
    /// `left` is and what is proved. With `nonempty`, only where the range of `left` is not empty.
    pub fn new_requirements(&mut self, left: ExprId, right: ExprId, nonempty: bool) -> Vec<ExprId> {
        if self.terms.arena.is_total(right) {
            return Vec::new();
        }
        let mut wanted = self.requirements(right, Bodies::Possible);
        wanted.retain(|&guard| !self.holds(guard));
        if wanted.is_empty() {
            return wanted;
        }
        let mut given = self.requirements(left, Bodies::Certain);
        if let Node::Reduce(r) = *self.terms.arena.node(left) {
            // Element by element both sides evaluate the same.
            let inner = self.requirements(r.body, Bodies::Possible);
            given.extend(
                inner
                    .into_iter()
                    .filter(|&guard| nonempty || self.terms.mentions(guard, r.index)),
            );
        }
        wanted.retain(|guard| !given.contains(guard));
        wanted
    }
}
