//! Operands of maxima and minima that are never needed: `x + y` of `max(2 * x, x + y, 2 * y)`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ring::{Monomial, Polynomial, Rational};

use super::{flattened, one};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;

/// Maxima of more operands are left unchanged.
const MOST_OPERANDS: usize = 24;

/// The operands of a maximum and of nested maxima, without those that are never strictly the largest.
pub fn needed_max(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(without_idle(scope, values, true))
}

fn without_idle(scope: &mut Scope, values: &[Value], greatest: bool) -> Option<Vec<Value>> {
    let operands = values.first()?.as_list()?;
    let (terms, prover) = (&mut scope.terms, &scope.prover);
    let forms = flattened(terms, prover, operands, greatest, MOST_OPERANDS)?;
    if forms.len() < 3 {
        return None;
    }
    let mut needed: Vec<usize> = (0..forms.len()).collect();
    for chosen in between(&forms) {
        let beyond = |other: &Rc<Polynomial>| {
            if greatest {
                &*forms[chosen] - &**other
            } else {
                &**other - &*forms[chosen]
            }
        };
        let lead: Vec<Polynomial> = forms.iter().map(beyond).collect();
        leave_out_if_idle(chosen, &lead, &mut needed);
    }
    // Operands of inner maxima may be one operand there and several here.
    let is_shorter = needed.len() < forms.len() && needed.len() <= operands.len() + 1;
    let needed = needed.into_iter();
    is_shorter.then(|| vec![Value::list(needed.map(|o| terms.expression(&forms[o])))])
}

/// The forms that may lie between two others: of no monomial do they alone have the most or the least.
fn between(forms: &[Rc<Polynomial>]) -> Vec<usize> {
    let monomials = forms.iter().flat_map(|form| form.terms());
    let monomials: FxHashSet<&Monomial> = monomials.map(|(monomial, _)| monomial).collect();
    let mut is_apart = vec![false; forms.len()];
    for monomial in monomials.into_iter().filter(|monomial| !monomial.is_one()) {
        let amounts: Vec<Rational> = forms.iter().map(|f| f.coefficient(monomial)).collect();
        for extreme in [amounts.iter().max(), amounts.iter().min()] {
            let mut there = (0..forms.len()).filter(|&form| Some(&amounts[form]) == extreme);
            if let (Some(form), None) = (there.next(), there.next()) {
                is_apart[form] = true;
            }
        }
    }
    (0..forms.len()).filter(|&form| !is_apart[form]).collect()
}

/// The operands that are strictly the greatest somewhere, with their differences to all others.
pub fn needed(lead: &[Vec<Polynomial>]) -> Vec<usize> {
    let mut needed: Vec<usize> = (0..lead.len()).collect();
    for (chosen, lead) in lead.iter().enumerate() {
        leave_out_if_idle(chosen, lead, &mut needed);
    }
    needed
}

fn leave_out_if_idle(chosen: usize, lead: &[Polynomial], needed: &mut Vec<usize>) {
    if conditions_of(chosen, lead, needed).is_none() {
        needed.retain(|&operand| operand != chosen);
    }
}

/// The conditions under which the operand `chosen` is the greatest of all needed operands and greater than the
/// earlier ones, from its differences `lead` to the others. `None` if the conditions contradict each other, so the
/// maximum never needs the operand.
pub fn conditions_of(
    chosen: usize,
    lead: &[Polynomial],
    needed: &[usize],
) -> Option<[Strictest; 2]> {
    let (mut when, mut alone) = (Strictest::default(), Strictest::default());
    for &other in needed.iter().filter(|&&other| other != chosen) {
        let beyond = &lead[other];
        let number = beyond.coefficient(&Monomial::one());
        let form = beyond - &Polynomial::constant(number.clone());
        let Some(scale) = form.content().abs().recip() else {
            if number.is_negative() || number.is_zero() && other < chosen {
                return None;
            } else {
                continue;
            }
        };
        let (form, number) = (form.scale(&scale), &number * &scale);
        if other < chosen {
            alone.add(form.clone(), number.clone());
        }
        when.add(form, number);
    }
    (!alone.excludes(&when)).then_some([when, alone])
}

/// For conditions `form + number >= 0`, the least number for each form: that condition implies the others.
#[derive(Default)]
pub struct Strictest {
    pub numbers: Vec<(Polynomial, Rational)>,
    places: FxHashMap<Polynomial, usize>,
}

impl Strictest {
    fn add(&mut self, form: Polynomial, number: Rational) {
        let place = *self
            .places
            .entry(form.clone())
            .or_insert(self.numbers.len());
        match self.numbers.get_mut(place) {
            Some((_, least)) if number < *least => *least = number,
            Some(_) => {}
            None => self.numbers.push((form, number)),
        }
    }

    /// True if a condition says that a form is above a number, and one of the others that it is not.
    fn excludes(&self, others: &Strictest) -> bool {
        self.numbers.iter().any(|(form, number)| {
            let opposite = others.places.get(&-form);
            opposite.is_some_and(|&place| !(number + &others.numbers[place].1).is_positive())
        })
    }
}
