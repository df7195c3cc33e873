//! Symbolic moments of a law.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{ExprId, LawKind, Moment, Node, Relation};
use crate::ring::Rational;

use super::closed::Closed;
use super::facts::Prover;
use super::simplify::Simplifier;
use super::skewness::standardised;
use super::terms::Terms;

/// The moments of a law that have a formula without order statistics.
pub struct Moments {
    /// The moments found, in the order of [`Moment::ALL`].
    pub found: Vec<(Moment, Closed)>,
    /// The first law without known moments, if a moment is missing.
    pub unknown: Option<ExprId>,
}

impl Moments {
    /// The moments that were not found.
    pub fn missing(&self) -> Vec<Moment> {
        let known = |moment: &Moment| self.found.iter().any(|(found, _)| found == moment);
        let all = Moment::ALL.into_iter();
        all.filter(|moment| !known(moment)).collect()
    }
}

impl Simplifier {
    /// Mean, variance, skewness and kurtosis (3 for a normal law) of `law`, an expression of the
    /// source arena.
    ///
    /// A constant has skewness 0 and kurtosis 3. Otherwise the last two assume a nonzero variance.
    pub fn moments(&mut self, law: ExprId) -> Moments {
        let cumulants = [1, 2, 3, 4].map(|order| self.source_mut().cumulant(order, law));
        let mut closed = cumulants.map(|cumulant| self.close(cumulant));
        for further in &mut closed[2..] {
            self.settle(further);
        }
        let unknown: Vec<Option<ExprId>> = closed.iter().map(|c| self.unknown(c.expr)).collect();
        let known = |which: &[usize]| which.iter().all(|&k| unknown[k].is_none());
        let mut found = Vec::new();
        let (skewness, kurtosis) = if known(&[1]) && (known(&[2]) || known(&[3])) {
            self.standardised(cumulants[1], &closed)
        } else {
            (closed[2].clone(), closed[3].clone())
        };
        let [mean, variance, ..] = closed;
        let all = [
            (Moment::Mean, mean, &[0][..]),
            (Moment::Variance, variance, &[1]),
            (Moment::Skewness, skewness, &[1, 2]),
            (Moment::Kurtosis, kurtosis, &[1, 3]),
        ];
        for (moment, form, needs) in all {
            if known(needs) {
                found.push((moment, form));
            }
        }
        Moments {
            found,
            unknown: unknown.into_iter().flatten().next(),
        }
    }

    /// Closes once more what rules of laws have made where a choice is left in it: these are long, and such a choice may be
    /// one of a parameter and its own bound.
    fn settle(&mut self, closed: &mut Closed) {
        let arena = self.results_mut();
        let (mut pending, mut seen) = (vec![closed.expr], FxHashSet::default());
        let mut has_choice = false;
        while let Some(id) = pending.pop() {
            if seen.insert(id) {
                has_choice |= matches!(arena.node(id), Node::Max(_) | Node::Min(_));
                pending.extend(arena.operands(id));
            }
        }
        if !has_choice {
            return;
        }
        let results = std::mem::take(self.results_mut());
        let mut copied = FxHashMap::default();
        let expr = self.source_mut().import(&results, closed.expr, &mut copied);
        *self.results_mut() = results;
        let again = self.close(expr);
        if again.stop == closed.stop {
            closed.expr = again.expr;
            closed.assumptions.extend(again.assumptions);
            closed.resting_on_rules(&again.rules);
        }
    }

    /// Skewness and kurtosis from the closed cumulants; `spread` is the variance in the source arena.
    fn standardised(&mut self, spread: ExprId, closed: &[Closed; 4]) -> (Closed, Closed) {
        let [_, variance, third, fourth] = closed;
        let mut spread_is_positive = variance.clone();
        let positive = self.is_positive(spread);
        let stated = self.require(positive, &mut spread_is_positive);
        spread_is_positive.assumptions.extend(stated);
        let arena = self.results_mut();
        let constant = arena
            .as_number(variance.expr)
            .is_some_and(Rational::is_zero);
        let (zero, three) = (arena.number(0), arena.number(3));
        let (skewness, kurtosis) = if constant {
            (zero, three)
        } else {
            let excess = self.over_spread(fourth, &spread_is_positive, 4);
            let kurtosis = self.results_mut().add(&[three, excess]);
            (self.over_spread(third, &spread_is_positive, 3), kurtosis)
        };
        let spread = &mut spread_is_positive.assumptions;
        if constant {
            spread.clone_from(&variance.assumptions);
        }
        let (skewness, kurtosis) = (self.canonical(skewness), self.canonical(kurtosis));
        let standardised = |expr: ExprId, closed: &Closed| {
            let mut assumptions = [spread.clone(), closed.assumptions.clone()].concat();
            assumptions.sort_by(|&a, &b| self.results.compare(a, b));
            assumptions.dedup();
            Closed {
                expr,
                assumptions,
                rules: closed.rules.clone(),
                derivation: None,
                stop: closed.stop,
            }
        };
        (
            standardised(skewness, third),
            standardised(kurtosis, fourth),
        )
    }

    /// A cumulant over the variance to the power of `twice / 2`.
    fn over_spread(&mut self, cumulant: &Closed, spread: &Closed, twice: i32) -> ExprId {
        let (mut terms, known, variance) = self.reopened(spread);
        let cumulant = terms
            .arena
            .import(&self.results, cumulant.expr, &mut FxHashMap::default());
        let cumulant = terms.canonical(cumulant);
        let found = standardised(&mut terms, &Prover::new(known), cumulant, variance, twice);
        let mut copied = FxHashMap::default();
        self.results_mut().import(&terms.arena, found, &mut copied)
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

    /// A law that is left, of which nothing is known: no parameter's, and none that a cumulant closed.
    fn unknown(&mut self, expr: ExprId) -> Option<ExprId> {
        let arena = self.results_mut();
        let (mut pending, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(id) = pending.pop() {
            match *arena.node(id) {
                _ if !seen.insert(id) => {}
                Node::Cumulant(_, law) => {
                    if !matches!(arena.node(law), Node::Law(LawKind::Parameter(_), _)) {
                        return Some(law);
                    }
                }
                // Values of the functions that those of these laws are.
                Node::Quantile(law, at) | Node::Probability(_, law, at)
                    if arena.has_special_functions(law) =>
                {
                    pending.push(at);
                    pending.extend(arena.operands(law));
                }
                Node::Quantile(law, _) | Node::Probability(_, law, _) => return Some(law),
                Node::Law(..) => return Some(id),
                _ => pending.extend(arena.operands(id)),
            }
        }
        None
    }
}
