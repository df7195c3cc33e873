//! Interned facts, and sets of facts: each is prepared once.
//!
//! Most questions concern few sets of facts. The signs and bounds of a set, and its constraints on counterexamples, do not
//! depend on the question.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{Context, learn_denominators, without_unit};
use super::counterexample::Stated;
use super::fact::{Fact, Goal, Relation};
use super::integrality::integer_valued;
use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;
use super::signs::{Bound, Signs, bounds, bounds_of};

/// The number of a fact.
pub(super) type FactId = u32;

/// All facts stated so far, and the sets that were asked.
#[derive(Default)]
pub(super) struct Store {
    ids: FxHashMap<Rc<Fact>, FactId>,
    entries: Vec<Entry>,
    /// By the facts in order.
    sets: FxHashMap<Vec<FactId>, Rc<Set>>,
    /// Numbers of sets, by the prepared facts.
    contents: FxHashMap<Vec<FactId>, u32>,
}

struct Entry {
    fact: Rc<Fact>,
    /// Ascending.
    atoms: Rc<[Atom]>,
    /// The fact between integers, once asked for.
    tightened: Option<FactId>,
    /// Bounds of its atoms, once asked for.
    bounds: Option<Rc<[Bound]>>,
    /// The constraint over integers, once asked for; none if a number is too large.
    stated: Option<Option<Rc<Stated>>>,
}

/// Facts that answer questions together.
pub(super) struct Set {
    /// Equal for equal facts.
    pub number: u32,
    pub context: Context,
    /// Constraints that a counterexample satisfies beside the goal.
    pub known: Option<Vec<Rc<Stated>>>,
    pub is_contradictory: bool,
    /// Number of terms examined to prepare it.
    pub work: u64,
}

impl Store {
    pub fn number(&mut self, fact: Fact) -> FactId {
        if let Some(&known) = self.ids.get(&fact) {
            return known;
        }
        let id = self.entries.len() as FactId;
        let fact = Rc::new(fact);
        let atoms: Vec<Atom> = fact.polynomial.atoms().into_iter().collect();
        self.entries.push(Entry {
            fact: fact.clone(),
            atoms: atoms.into(),
            tightened: None,
            bounds: None,
            stated: None,
        });
        self.ids.insert(fact, id);
        id
    }

    pub fn fact(&self, id: FactId) -> &Rc<Fact> {
        &self.entries[id as usize].fact
    }

    pub fn atoms(&self, id: FactId) -> &Rc<[Atom]> {
        &self.entries[id as usize].atoms
    }

    /// The fact where all its atoms are integers.
    pub fn tightened(&mut self, id: FactId) -> FactId {
        if let Some(known) = self.entries[id as usize].tightened {
            return known;
        }
        let tight = tighten(self.fact(id));
        let tight = tight.map_or(id, |fact| self.number(fact));
        self.entries[id as usize].tightened = Some(tight);
        tight
    }

    pub fn set(&mut self, facts: Vec<FactId>) -> Rc<Set> {
        if let Some(known) = self.sets.get(&facts) {
            return known.clone();
        }
        let (prepared, work) = self.prepare(&facts);
        let all: Vec<Rc<Fact>> = prepared.iter().map(|&id| self.fact(id).clone()).collect();
        let contradicts = |(position, fact): (usize, &Rc<Fact>)| {
            fact.is_absurd() || all[..position].iter().any(|other| fact.excludes(other))
        };
        let is_contradictory = all.iter().enumerate().any(contradicts);
        let bounds = prepared.iter().map(|&id| self.bounds(id)).collect();
        let known = prepared.iter().map(|&id| self.stated(id)).collect();
        let next = self.contents.len() as u32;
        let number = *self.contents.entry(prepared).or_insert(next);
        let set = Rc::new(Set {
            number,
            context: Context::new(all, bounds),
            known,
            is_contradictory,
            work,
        });
        self.sets.insert(facts, set.clone());
        set
    }

    fn bounds(&mut self, id: FactId) -> Rc<[Bound]> {
        let entry = &mut self.entries[id as usize];
        let bounds = entry.bounds.get_or_insert_with(|| bounds_of(&entry.fact));
        bounds.clone()
    }

    fn stated(&mut self, id: FactId) -> Option<Rc<Stated>> {
        let entry = &mut self.entries[id as usize];
        let stated = entry.stated.get_or_insert_with(|| {
            Stated::new(&entry.fact.polynomial, entry.fact.relation).map(Rc::new)
        });
        stated.clone()
    }

    /// The facts without denominators, as far as signs allow, and without trivial ones; and the number of terms examined.
    fn prepare(&mut self, facts: &[FactId]) -> (Vec<FactId>, u64) {
        let terms = facts.iter().map(|&id| self.fact(id).polynomial.len());
        let terms = terms.sum::<usize>() as u64;
        let (mut facts, work) = if facts.iter().all(|&id| is_proper(self.fact(id))) {
            (facts.to_vec(), 0)
        } else {
            let all = facts.iter().map(|&id| (**self.fact(id)).clone()).collect();
            let (cleared, work) = without_denominators(all);
            (
                cleared.into_iter().map(|fact| self.number(fact)).collect(),
                work,
            )
        };
        facts.retain(|&id| {
            let fact = self.fact(id);
            fact.polynomial.as_constant().is_none() || fact.is_absurd()
        });
        let mut seen = FxHashSet::default();
        facts.retain(|&id| seen.insert(id));
        (facts, work + terms)
    }
}

/// The strongest non-strict form of an inequality between integers: `2 n > 1` is `n - 1 >= 0`. `None` if there is none.
fn tighten(fact: &Fact) -> Option<Fact> {
    if fact.relation == Relation::Zero {
        return None;
    }
    let (integer, constant) = integer_and_constant(&fact.polynomial)?;
    let constant = match fact.relation {
        Relation::Positive => constant.ceil() - Rational::ONE,
        _ => constant.floor(),
    };
    Some(Fact {
        polynomial: integer + Polynomial::constant(constant),
        relation: Relation::NonNegative,
    })
}

/// A positive multiple of the polynomial, all of whose atoms are integers, as an integer-valued polynomial and a constant.
pub(super) fn integer_and_constant(polynomial: &Polynomial) -> Option<(Polynomial, Rational)> {
    let constant = polynomial.coefficient(&Monomial::one());
    let rest = polynomial - &Polynomial::constant(constant.clone());
    let factor = rest.content().abs().recip()?;
    let rest = rest.scale(&factor);
    integer_valued(&rest).then(|| (rest, constant * factor))
}

fn without_denominators(facts: Vec<Fact>) -> (Vec<Fact>, u64) {
    // Each fact is read as a bound of each of its atoms, until no bound changes.
    let terms_read = |fact: &Fact| fact.polynomial.len() * fact.polynomial.atoms().len();
    let work = facts.iter().map(terms_read).sum::<usize>() as u64;
    let relations: Vec<Relation> = facts.iter().map(|fact| fact.relation).collect();
    let mut signs = Signs::infer(&relations, &bounds(&facts));
    for fact in &facts {
        learn_denominators(&mut signs, &fact.polynomial);
    }
    let cleared = facts.into_iter().filter_map(|fact| {
        // A fact without denominators is kept unchanged: without its positive factors, `t > 0` would say nothing.
        if is_proper(&fact) {
            return Some(fact);
        }
        // Only factors that are known to be positive go for a strict goal, which makes the two
        // forms equivalent.
        let goal = Goal {
            polynomial: fact.polynomial,
            strict: true,
        };
        Some(Fact {
            polynomial: without_unit(&goal, &signs)?.polynomial,
            relation: fact.relation,
        })
    });
    (cleared.collect(), work)
}

fn is_proper(fact: &Fact) -> bool {
    let mut powers = (fact.polynomial.terms()).flat_map(|(monomial, _)| monomial.powers());
    powers.all(|(_, exponent)| *exponent > 0)
}
