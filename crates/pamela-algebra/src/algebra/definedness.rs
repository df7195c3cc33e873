//! Conditions under which a term is defined.

use crate::expr::{
    Domain, ExprId, Function, LawKind, Node, ReduceKind, Reduction, Relation, Symbol,
};

use super::facts::{PROOF, Prover};
use super::scope::Scope;
use super::terms::Terms;

/// Limit on the work of proving the requirements of a branch of a conditional.
const MOST_WORK: u64 = 20 * PROOF;

/// How requirements treat the body of a reduction over a possibly empty range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    /// Bodies count only if the range is known to be nonempty: parts that are certainly evaluated.
    Certain,
    /// Bodies always count: parts that may be evaluated.
    Possible,
}

/// A truth value that definedness asks for, where all these conditions hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Requirement {
    guard: ExprId,
    under: Vec<ExprId>,
    /// The power for which the guard is enough, but more than it needs: `0 ^ n` has a value for some n.
    enough_for: Option<ExprId>,
}

impl Requirement {
    fn mentions(&self, scope: &Scope, index: Symbol) -> bool {
        let mentions = |&id: &ExprId| scope.terms.mentions(id, index);
        mentions(&self.guard) || self.under.iter().any(mentions)
    }
}

impl Scope {
    /// Truth values that the definedness of `id` asks for.
    ///
    /// Requirements of parts that are certainly evaluated are each necessary. Requirements of parts that may be
    /// evaluated are together sufficient.
    fn requirements(&mut self, id: ExprId, bodies: Bodies) -> Vec<Requirement> {
        let mut found = Vec::new();
        self.collect_requirements(id, bodies, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// True if it depends on an index where `id` is defined.
    pub fn is_partial_in(&mut self, id: ExprId, index: Symbol) -> bool {
        let found = self.requirements(id, Bodies::Possible);
        found
            .iter()
            .any(|requirement| requirement.mentions(self, index))
    }

    fn collect_requirements(&mut self, id: ExprId, bodies: Bodies, found: &mut Vec<Requirement>) {
        if self.terms.arena.is_total(id) {
            return;
        }
        match *self.terms.arena.node(id) {
            Node::Reduce(r) => {
                self.collect_requirements(r.lower, bodies, found);
                self.collect_requirements(r.upper, bodies, found);
                if let Some(quorum) = r.kind.quorum() {
                    self.collect_requirements(quorum, bodies, found);
                    found.extend(self.quorum_requirements(quorum, r.lower, r.upper));
                }
                if self.terms.arena.is_total(r.body) {
                    return;
                }
                if bodies == Bodies::Possible {
                    self.collect_requirements(r.body, bodies, found);
                } else if self.is_nonempty(r.lower, r.upper) {
                    let mut inner = self.requirements(r.body, bodies);
                    inner.retain(|requirement| !requirement.mentions(self, r.index));
                    found.extend(inner);
                }
                return;
            }
            Node::If(condition, then, otherwise) => {
                self.collect_requirements(condition, bodies, found);
                let negated = self.terms.arena.not(condition);
                for (branch, condition) in [(then, condition), (otherwise, negated)] {
                    let condition = self.terms.canonical(condition);
                    let mut inner = self.requirements(branch, bodies);
                    for requirement in &mut inner {
                        requirement.under.push(condition);
                    }
                    found.extend(inner);
                }
                return;
            }
            _ => {}
        }
        for operand in self.terms.arena.operands(id) {
            self.collect_requirements(operand, bodies, found);
        }
        if let Some(guard) = self.own_requirement(id) {
            let enough_for = self.is_more_than_needed(id).then_some(id);
            found.push(Requirement {
                enough_for,
                ..self.unconditional(guard)
            });
        }
        if let Node::Apply(Function::Harmonic(_) | Function::Factorial, n) =
            *self.terms.arena.node(id)
        {
            let whole = self.terms.arena.apply(Function::Integer, n);
            let whole = self.unconditional(whole);
            found.push(whole);
        }
        if let Node::Quantile(_, q) = *self.terms.arena.node(id) {
            for guard in self.terms.arena.domain_of_quantile(q) {
                let guard = self.unconditional(guard);
                found.push(guard);
            }
        }
        if let Node::Operate(operation, operands) = self.terms.arena.node(id) {
            let (operation, operands) = (*operation, operands.clone());
            for guard in self.terms.arena.domain_of_operation(operation, &operands) {
                let guard = self.unconditional(guard);
                found.push(guard);
            }
        }
    }

    fn unconditional(&mut self, guard: ExprId) -> Requirement {
        Requirement {
            guard: self.terms.canonical(guard),
            under: Vec::new(),
            enough_for: None,
        }
    }

    /// A quorum is one of 1, 2, ... up to the number of elements.
    fn quorum_requirements(
        &mut self,
        quorum: ExprId,
        lower: ExprId,
        upper: ExprId,
    ) -> Vec<Requirement> {
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
            .map(|guard| self.unconditional(guard))
            .collect()
    }

    /// The requirement that the operator itself puts on its operands.
    fn own_requirement(&mut self, id: ExprId) -> Option<ExprId> {
        let zero = self.terms.arena.number(0);
        match *self.terms.arena.node(id) {
            Node::Symbol(_) | Node::Law(LawKind::Parameter(_), _) | Node::Call(..) => {
                self.terms.arena.has_value(id)
            }
            Node::Mod(_, modulus) => Some(self.terms.arena.relate(Relation::Less, zero, modulus)),
            Node::Apply(function, operand) => match function.row().domain {
                Domain::All => None,
                Domain::Positive => Some(self.terms.arena.relate(Relation::Less, zero, operand)),
                Domain::NotNegative | Domain::Counts => {
                    Some(self.terms.arena.relate(Relation::LessEqual, zero, operand))
                }
            },
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

    /// True if what an operator asks for is enough, but not known to be needed.
    fn is_more_than_needed(&mut self, id: ExprId) -> bool {
        let Node::Pow(_, exponent) = *self.terms.arena.node(id) else {
            return false;
        };
        let power = self.terms.polynomial(exponent);
        let negative = -&*power;
        !(self.prover.integer(&mut self.terms, &power)
            && self.prover.positive(&mut self.terms, &negative))
    }

    fn is_nonempty(&mut self, lower: ExprId, upper: ExprId) -> bool {
        let nonempty = self.terms.arena.relate(Relation::LessEqual, lower, upper);
        let nonempty = self.terms.canonical(nonempty);
        self.holds(nonempty)
    }

    /// Guards needed to replace `left` by `right`: conditions under which `right` is defined, beyond those under
    /// which `left` is defined and those that are proved. With `nonempty`, only for a nonempty range of `left`.
    pub fn new_requirements(&mut self, left: ExprId, right: ExprId, nonempty: bool) -> Vec<ExprId> {
        let mut wanted = self.requirements(right, Bodies::Possible);
        if !nonempty {
            wanted.extend(self.cancelled(left, right));
        }
        wanted.retain(|requirement| !self.is_met(requirement));
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut given = self.requirements(left, Bodies::Certain);
        if let Node::Reduce(r) = *self.terms.arena.node(left) {
            // Element by element both sides evaluate the same.
            let mut inner = self.requirements(r.body, Bodies::Possible);
            inner.retain(|requirement| nonempty || requirement.mentions(self, r.index));
            given.extend(self.at_ends(&r, &inner, nonempty));
            given.extend(inner);
        }
        wanted.retain(|requirement| !self.is_given(requirement, &given));
        let mut guards: Vec<ExprId> = wanted.into_iter().map(|r| r.guard).collect();
        guards.dedup();
        guards
    }

    /// Requires that equations which a body mentions by name have values at the first and at the last index.
    fn at_ends(
        &mut self,
        r: &Reduction,
        inner: &[Requirement],
        nonempty: bool,
    ) -> Vec<Requirement> {
        let by_name = inner.iter().filter(|own| {
            let is_certain = own.under.is_empty() && own.enough_for.is_none();
            is_certain && self.terms.arena.is_has_value(own.guard)
        });
        let guards: Vec<ExprId> = by_name.map(|own| own.guard).collect();
        if guards.is_empty() || !(nonempty || self.is_nonempty(r.lower, r.upper)) {
            return Vec::new();
        }
        let steps = self.terms.arena.subtract(r.upper, r.lower);
        let steps = self.terms.polynomial(steps);
        let mut ends = vec![r.lower];
        if self.prover.integer(&mut self.terms, &steps) {
            ends.push(r.upper);
        }
        let mut found = Vec::new();
        for guard in guards {
            for &end in &ends {
                let there = self.terms.arena.substitute(guard, r.index, end);
                found.push(self.unconditional(there));
            }
        }
        found
    }

    /// Requirements of the body of a reduction in every iteration that the right side may have cancelled:
    /// `sum (i = B, -1) { 1 / B }` is `-B / B` for `B != 0`, but 0 for `B == 0`, where nothing is evaluated.
    fn cancelled(&mut self, left: ExprId, right: ExprId) -> Vec<Requirement> {
        let Node::Reduce(r) = *self.terms.arena.node(left) else {
            return Vec::new();
        };
        let of_nothing = match r.kind {
            ReduceKind::Product => 1,
            _ => 0,
        };
        if self.terms.arena.is_total(r.body) || right == self.terms.arena.number(of_nothing) {
            return Vec::new();
        }
        let mut asked = self.requirements(r.body, Bodies::Certain);
        asked.retain(|requirement| !requirement.mentions(self, r.index));
        asked
    }

    /// True if a requirement is proved, of the values at which it is asked for.
    fn is_met(&mut self, requirement: &Requirement) -> bool {
        if self.holds(requirement.guard) {
            return true;
        }
        if requirement.under.is_empty() || self.prover.is_exhausted() {
            return false;
        }
        let known = self.beneath.remove(&requirement.under);
        let mut there = known.unwrap_or_else(|| self.prover.with(&requirement.under));
        // A proof that used up its budget would be repeated for each question at the same cost.
        let met = !there.is_exhausted() && {
            let met = there.holds_within(&mut self.terms, requirement.guard, MOST_WORK);
            self.prover.charge(there.work());
            met
        };
        self.beneath.insert(requirement.under.clone(), there);
        met
    }

    /// True if one of `given` asks for the same, under no more conditions.
    fn is_given(&mut self, wanted: &Requirement, given: &[Requirement]) -> bool {
        given.iter().any(|given| {
            let mut conditions = given.under.iter();
            let needed = given.enough_for.is_none() || given.enough_for == wanted.enough_for;
            given.guard == wanted.guard
                && needed
                && conditions.all(|&c| wanted.under.contains(&c) || self.holds(c))
        })
    }
}

/// Requirements for `right` to be defined where `left` is defined and `known` holds.
pub fn requirements_beyond(
    terms: &mut Terms,
    known: &[ExprId],
    left: ExprId,
    right: ExprId,
) -> Vec<ExprId> {
    let mut scope = Scope {
        terms: std::mem::take(terms),
        prover: Prover::new(known.to_vec()),
        ..Scope::empty()
    };
    let right = scope.terms.canonical(right);
    let requires = scope.new_requirements(left, right, false);
    *terms = scope.terms;
    requires
}
