//! Messages between two ranks, as one of them has them.

use super::super::number::{Atom, Condition, Number, Symbol};
use super::NOBODY;
use crate::problem::Place;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Sends,
    Receives,
}

/// One message of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    pub way: Way,
    /// The other rank; none where it rests on data.
    pub partner: Option<Number>,
    pub tag: Option<Number>,
    pub words: Number,
}

/// The messages of a call, each to or from some rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    pub ends: Vec<End>,
    /// Whether the call returns at once, and the words go on their way until a wait.
    pub at_once: bool,
    pub place: Place,
}

impl Transfer {
    /// The words of the longest.
    pub fn words(&self) -> Number {
        let words = self.ends.iter().map(|end| end.words.clone());
        words.reduce(|a, b| a.larger(&b)).unwrap_or_default()
    }

    /// To whom it sends.
    pub fn destination(&self) -> Option<&Number> {
        let sent = self.ends.iter().find(|end| end.way == Way::Sends);
        sent.and_then(|end| end.partner.as_ref())
    }

    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        for end in &self.ends {
            end.words.symbols(visit);
            end.partner
                .iter()
                .for_each(|partner| partner.symbols(visit));
        }
    }

    pub fn map(&self, number: &dyn Fn(&Number) -> Number) -> Transfer {
        let ends = self.ends.iter().map(|end| End {
            way: end.way,
            partner: end.partner.as_ref().map(number),
            tag: end.tag.as_ref().map(number),
            words: number(&end.words),
        });
        Transfer {
            ends: ends.collect(),
            at_once: self.at_once,
            place: self.place.clone(),
        }
    }
}

/// Where a number is a rank: not where it is the constant for none.
pub fn is_somebody(partner: &Number) -> Condition {
    if let Some(constant) = partner.as_constant() {
        return Condition::Constant(constant != NOBODY);
    }
    match partner.as_atom() {
        Some(Atom::If(condition, then, otherwise)) => {
            let holds = (**condition).clone();
            match (is_somebody(then), is_somebody(otherwise)) {
                (a, b) if a == b => a,
                (Condition::Constant(true), b) => holds.or(b),
                (Condition::Constant(false), b) => holds.negated().and(b),
                (a, Condition::Constant(true)) => holds.negated().or(a),
                (a, Condition::Constant(false)) => holds.and(a),
                (a, b) => holds.clone().and(a).or(holds.negated().and(b)),
            }
        }
        _ => Condition::Constant(true),
    }
}

/// The rank that a number is, where it is one.
pub fn somebody(partner: Number) -> Number {
    match partner.as_atom() {
        Some(Atom::If(_, then, otherwise)) => match (then.as_constant(), otherwise.as_constant()) {
            (Some(NOBODY), _) => somebody(otherwise.clone()),
            (_, Some(NOBODY)) => somebody(then.clone()),
            _ => partner,
        },
        _ => partner,
    }
}
