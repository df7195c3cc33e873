//! Operands of maxima and minima that no point needs: `x + y` of `max(2 * x, x + y, 2 * y)`.

use rustc_hash::FxHashMap;

use crate::ring::{Monomial, Polynomial, Rational};

use super::super::pattern::Value;
use super::super::scope::Scope;
use super::{flattened, one};

/// Of more operands none is left out.
const MOST_OPERANDS: usize = 24;

/// The operands of a maximum, and of those inside of it, without such as are nowhere alone the largest.
pub fn needed_max(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(without_idle(scope, values, true))
}

/// The same of a minimum.
pub fn needed_min(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(without_idle(scope, values, false))
}

fn without_idle(scope: &mut Scope, values: &[Value], greatest: bool) -> Option<Vec<Value>> {
    let operands = values.first()?.as_list()?;
    let (terms, prover) = (&mut scope.terms, &scope.prover);
    let flat = flattened(terms, prover, operands, greatest, MOST_OPERANDS)?;
    if flat.len() < 3 {
        return None;
    }
    let forms: Vec<_> = flat.iter().map(|&o| terms.polynomial(o)).collect();
    let lead = |own: usize| {
        let beyond = |other: &std::rc::Rc<Polynomial>| match greatest {
            true => &*forms[own] - &**other,
            false => &**other - &*forms[own],
        };
        forms.iter().map(beyond).collect()
    };
    let lead: Vec<Vec<Polynomial>> = (0..flat.len()).map(lead).collect();
    let needed = needed(&lead);
    // What stands in maxima inside may be one operand there and several here.
    let is_shorter = needed.len() < flat.len() && needed.len() <= operands.len() + 1;
    is_shorter.then(|| vec![Value::list(needed.into_iter().map(|operand| flat[operand]))])
}

/// The operands that are somewhere alone the greatest, by how much each is beyond each other one.
pub fn needed(lead: &[Vec<Polynomial>]) -> Vec<usize> {
    let mut needed: Vec<usize> = (0..lead.len()).collect();
    for chosen in 0..lead.len() {
        if conditions_of(chosen, lead, &needed).is_none() {
            needed.retain(|&operand| operand != chosen);
        }
    }
    needed
}

/// Where an operand is the greatest of all that are needed, and where it is greater than those before it; `None` where
/// these exclude each other, so that the maximum needs it nowhere.
pub fn conditions_of(
    chosen: usize,
    lead: &[Vec<Polynomial>],
    needed: &[usize],
) -> Option<[Strictest; 2]> {
    let (mut when, mut alone) = (Strictest::default(), Strictest::default());
    for &other in needed.iter().filter(|&&other| other != chosen) {
        let beyond = &lead[chosen][other];
        let number = beyond.coefficient(&Monomial::one());
        let form = beyond - &Polynomial::constant(number.clone());
        let Some(scale) = form.content().abs().recip() else {
            match number.is_negative() || number.is_zero() && other < chosen {
                true => return None,
                false => continue,
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

/// Of conditions `form + number >= 0` the one with the least number for each form, which implies the others.
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

    /// Whether a condition says that a form is above a number, and one of the others that it is not.
    fn excludes(&self, others: &Strictest) -> bool {
        self.numbers.iter().any(|(form, number)| {
            let opposite = others.places.get(&-form);
            opposite.is_some_and(|&place| !(number + &others.numbers[place].1).is_positive())
        })
    }
}
