//! Solves comparisons for a variable where other parameters stay symbols.

use std::cmp::Ordering;

use super::condition::{Condition, Side};
use super::terms::Reader;
use super::tree::Tree;
use crate::algebra::Probe;
use crate::expr::{Arena, ExprId, Function, Node, Relation, Symbol};
use crate::ring::Rational;
use crate::syntax::tree as syntax;

/// The part that no method solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved(pub ExprId);

pub type Result<T> = std::result::Result<T, Unsolved>;

/// Solves comparisons of expressions in an arena.
pub struct Symbolic {
    pub arena: Arena,
    pub variable: Symbol,
    pub is_whole: bool,
    /// Proves conditions from the facts of the model.
    pub probe: Probe,
}

/// A comparison with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// `d < 0`
    Strictly,
    /// `d <= 0`
    OrEqual,
    /// `d = 0`
    Equal,
}

impl Symbolic {
    pub fn reader(&mut self) -> Reader<'_> {
        Reader {
            arena: &mut self.arena,
            variable: self.variable,
            prover: Some(&mut self.probe),
        }
    }

    fn depends(&self, id: ExprId) -> bool {
        self.arena.mentions(id, self.variable)
    }

    /// True if a condition is proved.
    pub fn proves(&mut self, condition: ExprId) -> bool {
        match self.arena.as_number(condition) {
            Some(value) => !value.is_zero(),
            None => self.probe.holds(&self.arena, condition),
        }
    }

    pub fn relate(&mut self, relation: Relation, a: ExprId, b: ExprId) -> ExprId {
        self.arena.relate(relation, a, b)
    }

    /// The answer of a condition; `side` gives the expression of a side.
    pub fn solve(
        &mut self,
        condition: &Condition,
        side: &dyn Fn(&mut Arena, &Side) -> ExprId,
    ) -> Result<Tree> {
        match condition {
            Condition::Compare(relation, left, right) => {
                let left = side(&mut self.arena, left);
                let right = side(&mut self.arena, right);
                self.compared(*relation, left, right)
            }
            Condition::All(list) => list.iter().try_fold(Tree::always(), |all, part| {
                let own = self.solve(part, side)?;
                all.and(&own).ok_or_else(|| self.too_many())
            }),
            Condition::Any(list) => list.iter().try_fold(Tree::never(), |all, part| {
                let own = self.solve(part, side)?;
                all.or(&own).ok_or_else(|| self.too_many())
            }),
        }
    }

    fn too_many(&mut self) -> Unsolved {
        Unsolved(self.arena.symbol(self.variable))
    }

    /// Where two values compare so.
    fn compared(
        &mut self,
        relation: syntax::Relation,
        left: ExprId,
        right: ExprId,
    ) -> Result<Tree> {
        use syntax::Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let own = self.minus(left, right);
        let opposite = self.minus(right, left);
        match relation {
            Less => self.below(own, Below::Strictly),
            LessEqual => self.below(own, Below::OrEqual),
            Greater => self.below(opposite, Below::Strictly),
            GreaterEqual => self.below(opposite, Below::OrEqual),
            Equal => self.below(own, Below::Equal),
            NotEqual => {
                let other = self.below(opposite, Below::Strictly)?;
                let own = self.below(own, Below::Strictly)?;
                own.or(&other).ok_or(Unsolved(left))
            }
        }
    }

    fn minus(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let right = self.negated(right);
        self.arena.add(&[left, right])
    }

    /// The negative of an expression; of a sum that of each term.
    pub fn negated(&mut self, id: ExprId) -> ExprId {
        let minus = self.arena.number(-1);
        self.times(minus, id)
    }

    /// A product; a sum is multiplied out.
    fn times(&mut self, factor: ExprId, id: ExprId) -> ExprId {
        match self.arena.node(id).clone() {
            Node::Add(list) => {
                let each: Vec<ExprId> = list
                    .iter()
                    .map(|&own| self.arena.mul(&[factor, own]))
                    .collect();
                self.arena.add(&each)
            }
            _ => self.arena.mul(&[factor, id]),
        }
    }

    /// True for a product with a negative number, and for a sum of such products.
    pub fn is_written_negative(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Number(value) => value.is_negative(),
            Node::Mul(list) => list
                .iter()
                .any(|&own| self.arena.as_number(own).is_some_and(Rational::is_negative)),
            Node::Add(list) => list.iter().all(|&own| self.is_written_negative(own)),
            _ => false,
        }
    }

    /// `-c / a`, with few minus signs.
    pub fn quotient_of(&mut self, c: ExprId, a: ExprId) -> ExprId {
        let [above, below] = if self.is_written_negative(a) {
            [c, self.negated(a)]
        } else {
            [self.negated(c), a]
        };
        self.arena.divide(above, below)
    }

    /// Where a value is below 0.
    fn below(&mut self, id: ExprId, below: Below) -> Result<Tree> {
        crate::with_stack(|| self.below_here(id, below))
    }

    fn below_here(&mut self, id: ExprId, below: Below) -> Result<Tree> {
        if !self.depends(id) {
            let holds = self.is_below(id, below);
            return Ok(self.decided(holds, Tree::always(), Tree::never()));
        }
        if let Some((factor, step, rest)) = self.outermost_step(id) {
            return self.by_step(id, (factor, step, rest), below);
        }
        let quotient = self.reader().quotient(id).ok_or(Unsolved(id))?;
        self.quotient_below(id, &quotient, below)
    }

    /// The condition that a value is below 0; negative terms stand on the other side.
    pub fn is_below(&mut self, id: ExprId, below: Below) -> ExprId {
        let terms = match self.arena.node(id) {
            Node::Add(list) => list.to_vec(),
            _ => vec![id],
        };
        let (right, left): (Vec<ExprId>, Vec<ExprId>) = terms
            .into_iter()
            .partition(|&own| self.is_written_negative(own));
        let right: Vec<ExprId> = right.into_iter().map(|own| self.negated(own)).collect();
        let (left, right) = (self.arena.add(&left), self.arena.add(&right));
        match below {
            Below::Strictly => self.relate(Relation::Less, left, right),
            Below::OrEqual => self.relate(Relation::LessEqual, left, right),
            Below::Equal => self.relate(Relation::Equal, left, right),
        }
    }

    /// A tree for a condition, without a split if the facts decide it.
    pub fn decided(&mut self, condition: ExprId, then: Tree, otherwise: Tree) -> Tree {
        if self.proves(condition) {
            return then;
        }
        let opposite = self.opposite(condition);
        if self.proves(opposite) {
            return otherwise;
        }
        Tree::split(&self.arena, condition, then, otherwise)
    }

    /// The negation of a condition.
    pub fn opposite(&mut self, condition: ExprId) -> ExprId {
        match *self.arena.node(condition) {
            Node::Compare(Relation::Less, a, b) => self.relate(Relation::LessEqual, b, a),
            Node::Compare(Relation::LessEqual, a, b) => self.relate(Relation::Less, b, a),
            _ => self.arena.not(condition),
        }
    }

    /// The sign of a value if the facts decide it: `None` if several are possible.
    pub fn known_sign(&mut self, id: ExprId) -> Option<Ordering> {
        let zero = self.arena.number(0);
        let each = [
            (Relation::Less, id, zero, Ordering::Less),
            (Relation::Less, zero, id, Ordering::Greater),
            (Relation::Equal, id, zero, Ordering::Equal),
        ];
        each.into_iter().find_map(|(relation, a, b, sign)| {
            let condition = self.relate(relation, a, b);
            self.proves(condition).then_some(sign)
        })
    }

    /// A tree by the sign of a value, of which only the possible parts are made.
    pub fn cases_of_sign(
        &mut self,
        id: ExprId,
        make: &mut dyn FnMut(&mut Symbolic, Ordering) -> Result<Tree>,
    ) -> Result<Tree> {
        match self.known_sign(id) {
            Some(sign) => make(self, sign),
            None => {
                let negative = make(self, Ordering::Less)?;
                let zero = make(self, Ordering::Equal)?;
                let positive = make(self, Ordering::Greater)?;
                Ok(self.by_sign(id, [negative, zero, positive]))
            }
        }
    }

    /// A tree by the sign of a value: negative, zero, positive.
    pub fn by_sign(&mut self, id: ExprId, [negative, zero, positive]: [Tree; 3]) -> Tree {
        if self.is_written_negative(id) {
            let id = self.negated(id);
            return self.by_sign(id, [positive, zero, negative]);
        }
        let nothing = self.arena.number(0);
        let is_positive = self.relate(Relation::Less, nothing, id);
        let is_negative = self.relate(Relation::Less, id, nothing);
        let rest = self.decided(is_negative, negative, zero);
        self.decided(is_positive, positive, rest)
    }

    /// A term `factor * step` of a sum in which only the step depends on the variable, and the rest of the sum.
    fn outermost_step(&mut self, id: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        let terms = match self.arena.node(id) {
            Node::Add(list) => list.to_vec(),
            _ => vec![id],
        };
        for &term in &terms {
            let factors = match self.arena.node(term) {
                Node::Mul(list) => list.to_vec(),
                _ => vec![term],
            };
            let (own, others): (Vec<ExprId>, Vec<ExprId>) = factors
                .into_iter()
                .partition(|&factor| self.depends(factor));
            let [step] = own[..] else { continue };
            let is_step = match self.arena.node(step) {
                Node::Max(_) | Node::Min(_) => true,
                Node::Apply(function, _) => matches!(
                    function,
                    Function::Floor
                        | Function::Ceil
                        | Function::Abs
                        | Function::Exp
                        | Function::Log
                ),
                Node::Pow(base, _) => !self.depends(*base),
                _ => false,
            };
            let rest: Vec<ExprId> = terms.iter().copied().filter(|&own| own != term).collect();
            let rest = self.arena.add(&rest);
            // Extremes may have other terms beside them.
            let is_alone = !self.depends(rest);
            let is_extreme = matches!(
                self.arena.node(step),
                Node::Max(_) | Node::Min(_) | Node::Apply(Function::Abs, _)
            );
            if is_step && (is_alone || is_extreme) {
                return Some((self.arena.mul(&others), step, rest));
            }
        }
        None
    }

    /// Where `factor * step + rest` is below 0.
    fn by_step(
        &mut self,
        id: ExprId,
        (factor, step, rest): (ExprId, ExprId, ExprId),
        below: Below,
    ) -> Result<Tree> {
        match self.arena.node(step).clone() {
            Node::Max(list) => self.extreme(id, (factor, &list, rest), true, below),
            Node::Min(list) => self.extreme(id, (factor, &list, rest), false, below),
            Node::Apply(Function::Abs, of) => {
                let negated = self.negated(of);
                self.extreme(id, (factor, &[of, negated], rest), true, below)
            }
            other => {
                // `step` compared with `y`, from both sides as the sign of the factor says.
                let y = self.quotient_of(rest, factor);
                self.cases_of_sign(factor, &mut |own, sign| match sign {
                    Ordering::Less => own.inverse(&other, y, below, false),
                    Ordering::Greater => own.inverse(&other, y, below, true),
                    Ordering::Equal => {
                        let nothing = own.is_below(rest, below);
                        Ok(own.decided(nothing, Tree::always(), Tree::never()))
                    }
                })
            }
        }
    }

    fn extreme(
        &mut self,
        id: ExprId,
        (factor, list, rest): (ExprId, &[ExprId], ExprId),
        largest: bool,
        below: Below,
    ) -> Result<Tree> {
        if below == Below::Equal {
            return self.both_sides((factor, list, rest), id, largest);
        }
        let (mut all, mut any) = (Tree::always(), Tree::never());
        for &own in list {
            let term = self.times(factor, own);
            let sum = self.arena.add(&[term, rest]);
            let own = self.below(sum, below)?;
            all = all.and(&own).ok_or(Unsolved(id))?;
            any = any.or(&own).ok_or(Unsolved(id))?;
        }
        let (falling, rising) = if largest { (any, all) } else { (all, any) };
        // With a factor of 0 the extreme does not matter, and both are right.
        self.cases_of_sign(factor, &mut |_, sign| match sign {
            Ordering::Less => Ok(falling.clone()),
            _ => Ok(rising.clone()),
        })
    }

    /// Where `factor * extreme + rest` is 0: neither above nor below it.
    fn both_sides(
        &mut self,
        (factor, list, rest): (ExprId, &[ExprId], ExprId),
        id: ExprId,
        largest: bool,
    ) -> Result<Tree> {
        let own = self.extreme(id, (factor, list, rest), largest, Below::OrEqual)?;
        let (factor, rest) = (self.negated(factor), self.negated(rest));
        let other = self.extreme(id, (factor, list, rest), largest, Below::OrEqual)?;
        own.and(&other).ok_or(Unsolved(id))
    }

    /// Where `step <= y`, or `step >= y` if it is not `at_most`; strictly as `below` says.
    fn inverse(&mut self, step: &Node, y: ExprId, below: Below, at_most: bool) -> Result<Tree> {
        if below == Below::Equal {
            let own = self.inverse(step, y, Below::OrEqual, true)?;
            let other = self.inverse(step, y, Below::OrEqual, false)?;
            return own.and(&other).ok_or_else(|| self.too_many());
        }
        let is_strict = below == Below::Strictly;
        let one = self.arena.number(1);
        match *step {
            Node::Apply(function @ (Function::Floor | Function::Ceil), of) => {
                let whole = self.arena.apply(Function::Integer, y);
                let is_whole = self.proves(whole);
                let [up, down] = [Function::Ceil, Function::Floor].map(|function| {
                    if is_whole {
                        y
                    } else {
                        self.arena.apply(function, y)
                    }
                });
                let (bound, strict) = match (function, at_most, is_strict) {
                    (Function::Ceil, true, false) => (down, false),
                    (Function::Ceil, true, true) => (self.arena.subtract(up, one), false),
                    (Function::Ceil, false, false) => (self.arena.subtract(up, one), true),
                    (Function::Ceil, false, true) => (down, true),
                    (_, true, false) => (self.arena.add(&[down, one]), true),
                    (_, true, true) => (up, true),
                    (_, false, false) => (up, false),
                    (_, false, true) => (self.arena.add(&[down, one]), false),
                };
                self.between(of, bound, strict, at_most)
            }
            Node::Apply(Function::Log, of) => {
                let bound = self.arena.apply(Function::Exp, y);
                let own = self.between(of, bound, is_strict, at_most)?;
                let zero = self.arena.number(0);
                let defined = self.between(of, zero, true, false)?;
                own.and(&defined).ok_or(Unsolved(of))
            }
            Node::Apply(Function::Exp, of) => self.exponential(of, y, is_strict, at_most),
            Node::Pow(base, exponent) => {
                // The base is constant: `exponent * log(base)` compared with `log(y)`.
                let id = self.arena.pow(base, exponent);
                let positive = self.arena.positive(base);
                if !self.proves(positive) {
                    return Err(Unsolved(id));
                }
                let log = self.arena.apply(Function::Log, base);
                let product = self.arena.mul(&[log, exponent]);
                self.exponential(product, y, is_strict, at_most)
            }
            _ => Err(self.too_many()),
        }
    }

    /// Where `exp(exponent)`, which is positive, is at most, or at least, `y`.
    fn exponential(
        &mut self,
        exponent: ExprId,
        y: ExprId,
        is_strict: bool,
        at_most: bool,
    ) -> Result<Tree> {
        let bound = self.arena.apply(Function::Log, y);
        let own = self.between(exponent, bound, is_strict, at_most)?;
        let rest = if at_most {
            Tree::never()
        } else {
            Tree::always()
        };
        let positive = self.arena.positive(y);
        Ok(self.decided(positive, own, rest))
    }

    /// Where an expression is at most, or at least, a bound.
    fn between(
        &mut self,
        of: ExprId,
        bound: ExprId,
        is_strict: bool,
        at_most: bool,
    ) -> Result<Tree> {
        let difference = if at_most {
            self.minus(of, bound)
        } else {
            self.minus(bound, of)
        };
        let below = if is_strict {
            Below::Strictly
        } else {
            Below::OrEqual
        };
        self.below(difference, below)
    }
}
