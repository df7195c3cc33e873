//! Facts prepared for proofs: signs, bounds, and goals without denominators.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use super::fact::{Fact, Goal, Relation};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::rational::Rational;
use super::signs::{Bound, Sign, Signs};

/// Facts with the signs and bounds that follow from them, for any goal.
pub struct Context {
    pub facts: Vec<Rc<Fact>>,
    /// Bounds of atoms by each fact.
    pub bounds: Vec<Rc<[Bound]>>,
    pub signs: Signs,
    order: OnceCell<Vec<(usize, usize)>>,
}

impl Context {
    pub fn new(facts: Vec<Rc<Fact>>, bounds: Vec<Rc<[Bound]>>) -> Context {
        let relations: Vec<Relation> = facts.iter().map(|fact| fact.relation).collect();
        let signs = Signs::infer(&relations, &bounds);
        Context {
            facts,
            bounds,
            signs,
            order: OnceCell::new(),
        }
    }

    /// The facts and their bounds in order of promise: equations first, because they lose nothing; then the facts stated last,
    /// because the bounds of an inner index mention outer ones; for each fact the last atom first.
    pub fn order(&self) -> &[(usize, usize)] {
        self.order.get_or_init(|| {
            let of_fact = |(fact, of): (usize, &Rc<[Bound]>)| {
                (0..of.len())
                    .map(move |bound| (fact, bound))
                    .collect::<Vec<_>>()
            };
            let all = self.bounds.iter().enumerate().flat_map(of_fact);
            let mut order: Vec<(usize, usize)> = all.collect();
            order.sort_by_key(|&(fact, bound)| {
                let equation = self.facts[fact].relation == Relation::Zero;
                std::cmp::Reverse((equation, fact, self.bounds[fact][bound].atom))
            });
            order
        })
    }
}

/// The signs where the denominators of the polynomial are not 0.
pub fn signs_beside<'a>(signs: &'a Signs, polynomial: &Polynomial) -> Cow<'a, Signs> {
    let mut powers = polynomial
        .terms()
        .flat_map(|(monomial, _)| monomial.powers());
    if powers.all(|&(_, exponent)| exponent > 0) {
        return Cow::Borrowed(signs);
    }
    let mut signs = signs.clone();
    learn_denominators(&mut signs, polynomial);
    Cow::Owned(signs)
}

/// A goal with a negative power of an atom speaks of points only where the atom is not 0.
pub fn learn_denominators(signs: &mut Signs, polynomial: &Polynomial) {
    for (monomial, _) in polynomial.terms() {
        for (atom, exponent) in monomial.powers() {
            if *exponent < 0 {
                let nonzero = Sign {
                    nonzero: true,
                    ..Sign::default()
                };
                signs.learn(*atom, nonzero);
            }
        }
    }
}

/// An equivalent or stronger goal without denominators, and without common factors that do not
/// affect its sign, so that only one of its multiples is pursued. `None` if an exponent overflows.
pub fn without_unit(goal: &Goal, signs: &Signs) -> Option<Goal> {
    freed_of_unit(goal.clone(), signs)
}

/// Like [`without_unit`], of a goal that is given away.
pub fn freed_of_unit(goal: Goal, signs: &Signs) -> Option<Goal> {
    let mut factor = Monomial::one();
    for (atom, exponent) in goal.polynomial.monomial_content().powers() {
        let sign = signs.of_atom(*atom);
        let droppable = if *exponent > 0 && goal.strict && !sign.nonzero {
            0
        } else if sign.nonnegative {
            *exponent
        } else {
            // Even, and at most the exponent.
            exponent.checked_sub(exponent.rem_euclid(2))?
        };
        factor = factor.checked_mul(&Monomial::power(*atom, droppable.checked_neg()?))?;
    }
    let unit = goal.polynomial.content().abs().recip();
    if factor.is_one() && unit.as_ref().is_none_or(Rational::is_one) {
        return Some(goal);
    }
    Some(Goal {
        polynomial: goal
            .polynomial
            .mul_term(&factor, &unit.unwrap_or(Rational::ONE))?,
        strict: goal.strict,
    })
}
