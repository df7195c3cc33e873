//! The four moments of a law in symbols.

use crate::expr::{ExprId, LawKind, Node, Relation};
use crate::ring::Rational;

use super::simplify::{Closed, Simplifier};
use super::terms::Terms;

impl Simplifier {
    /// Mean, variance, skewness and kurtosis (3 for the normal) of `law`, an expression of the source
    /// arena; of a constant 0 and 3. The last two assume that the variance is not 0 elsewhere. `None` where an
    /// order statistic is left in one of them.
    pub fn moments(&mut self, law: ExprId) -> Option<[Closed; 4]> {
        let cumulants = [1, 2, 3, 4].map(|order| self.source_mut().cumulant(order, law));
        let [mean, variance, third, fourth] = cumulants.map(|cumulant| self.close(cumulant));
        let known = [&mean, &variance, &third, &fourth];
        if !known.iter().all(|closed| self.is_known(closed.expr)) {
            return None;
        }
        let mut spread = variance.assumptions.clone();
        let positive = self.is_positive(cumulants[1]);
        self.require(positive, &mut spread);
        let arena = self.results_mut();
        let constant = arena
            .as_number(variance.expr)
            .is_some_and(Rational::is_zero);
        let (three, two) = (arena.number(3), arena.number(2));
        let zero = arena.number(0);
        let (skewness, kurtosis) = match constant {
            true => (zero, three),
            false => {
                let half = arena.divide(three, two);
                let exponent = arena.negate(half);
                let power = arena.pow(variance.expr, exponent);
                let skewness = arena.mul(&[third.expr, power]);
                let exponent = arena.number(-2);
                let power = arena.pow(variance.expr, exponent);
                let excess = arena.mul(&[fourth.expr, power]);
                (skewness, arena.add(&[three, excess]))
            }
        };
        if constant {
            spread.clone_from(&variance.assumptions);
        }
        let (skewness, kurtosis) = (self.canonical(skewness), self.canonical(kurtosis));
        let standardised = |expr: ExprId, closed: Closed| {
            let mut assumptions = [spread.clone(), closed.assumptions].concat();
            assumptions.sort_by(|&a, &b| self.results.compare(a, b));
            assumptions.dedup();
            Closed {
                expr,
                assumptions,
                rules: closed.rules,
                derivation: None,
                stop: closed.stop,
            }
        };
        let (skewness, kurtosis) = (
            standardised(skewness, third),
            standardised(kurtosis, fourth),
        );
        Some([mean, variance, skewness, kurtosis])
    }

    /// The truth value `0 < expr`, in the source arena.
    fn is_positive(&mut self, expr: ExprId) -> ExprId {
        let arena = self.source_mut();
        let zero = arena.number(0);
        arena.relate(Relation::Less, zero, expr)
    }

    /// The canonical term of a closed form.
    fn canonical(&mut self, expr: ExprId) -> ExprId {
        let mut terms = Terms::new(std::mem::take(self.results_mut()));
        let canonical = terms.canonical(expr);
        *self.results_mut() = terms.arena;
        canonical
    }

    /// Whether all cumulants that are left are those of parameters, and no reduction is.
    fn is_known(&mut self, expr: ExprId) -> bool {
        let arena = self.results_mut();
        let mut pending = vec![expr];
        while let Some(id) = pending.pop() {
            match *arena.node(id) {
                Node::Cumulant(_, law) => {
                    if !matches!(arena.node(law), Node::Law(LawKind::Parameter(_), _)) {
                        return false;
                    }
                }
                Node::Law(..) => return false,
                _ => pending.extend(arena.operands(id)),
            }
        }
        true
    }
}
