//! Facts about atoms, and the questions that they answer.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::answers::Answers;
use super::fact::{Fact, Goal, Relation};
use super::integrality::integer_valued;
use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;
use super::signs::bounds_of;
use super::store::{FactId, integer_and_constant};

/// Maximum number of facts in one proof: those nearest to the question by common atoms.
const MAX_FACTS: usize = 24;
/// After this many additions to a shared set, the added facts get a separate index.
const MAX_RECENT: usize = 64;

/// A set of facts about atoms, which take real values unless they are known to be integers.
///
/// Every answer `true` is a proof. It holds at each point where all facts hold and the polynomial
/// is defined (no negative power of 0). `false` only means that no proof was found. Contradictory
/// facts prove everything.
///
/// A question takes microseconds if the signs of terms, or one or two facts, decide it. The search
/// stops after some 400 operations on polynomials of at most 200 terms. Answers are deterministic,
/// but may depend on the order of the facts: state outer atoms before inner ones.
///
/// A clone shares the facts; adding to it leaves the original unchanged.
#[derive(Clone, Default)]
pub struct Facts {
    base: Arc<Base>,
    recent: Vec<FactId>,
    recent_integers: Vec<Atom>,
    answers: Answers,
}

#[derive(Clone, Default)]
struct Base {
    facts: Vec<FactId>,
    by_atom: FxHashMap<Atom, Vec<usize>>,
    integers: FxHashSet<Atom>,
}

impl Base {
    fn push(&mut self, fact: FactId, atoms: &[Atom]) {
        for &atom in atoms {
            self.by_atom.entry(atom).or_default().push(self.facts.len());
        }
        self.facts.push(fact);
    }
}

impl Facts {
    /// Creates an empty set of facts.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// Creates an empty set of facts that shares cached answers.
    pub fn sharing(answers: Answers) -> Facts {
        Facts {
            answers,
            ..Facts::default()
        }
    }

    /// Adds a fact about a polynomial.
    pub fn assume(&mut self, polynomial: Polynomial, relation: Relation) {
        if polynomial.as_constant().is_some() {
            return;
        }
        let fact = Fact {
            polynomial,
            relation,
        };
        self.recent
            .push(self.answers.store.borrow_mut().number(fact));
        self.settle();
    }

    /// Adds that the atom is an integer.
    pub fn assume_integer(&mut self, atom: Atom) {
        self.recent_integers.push(atom);
        self.settle();
    }

    /// Adds that the atom is at least 0.
    pub fn assume_nonnegative(&mut self, atom: Atom) {
        self.assume(Polynomial::atom(atom), Relation::NonNegative);
    }

    /// Adds that the atom lies in [0, 1], as a probability or a bracket does.
    pub fn assume_unit(&mut self, atom: Atom) {
        self.assume_nonnegative(atom);
        let complement = &Polynomial::one() - &Polynomial::atom(atom);
        self.assume(complement, Relation::NonNegative);
    }

    /// These facts and one more.
    pub fn with(&self, polynomial: Polynomial, relation: Relation) -> Facts {
        let mut facts = self.clone();
        facts.assume(polynomial, relation);
        facts
    }

    /// These facts and that the atom is an integer.
    pub fn with_integer(&self, atom: Atom) -> Facts {
        let mut facts = self.clone();
        facts.assume_integer(atom);
        facts
    }

    /// Moves recent facts into the index, at once where nobody shares it, else when they are many.
    fn settle(&mut self) {
        let many = self.recent.len() + self.recent_integers.len() > MAX_RECENT;
        if many || Arc::get_mut(&mut self.base).is_some() {
            let base = Arc::make_mut(&mut self.base);
            let store = self.answers.store.borrow();
            (self.recent.drain(..)).for_each(|fact| base.push(fact, store.atoms(fact)));
            base.integers.extend(self.recent_integers.drain(..));
        }
    }

    /// True if the atom was stated to be an integer.
    pub fn is_integer(&self, atom: Atom) -> bool {
        self.base.integers.contains(&atom) || self.recent_integers.contains(&atom)
    }

    /// A proof of `polynomial >= 0`.
    pub fn nonneg(&self, polynomial: &Polynomial) -> bool {
        match polynomial.as_constant() {
            Some(value) => !value.is_negative(),
            None => self.prove(polynomial, false),
        }
    }

    /// A proof of `polynomial > 0`.
    pub fn positive(&self, polynomial: &Polynomial) -> bool {
        match polynomial.as_constant() {
            Some(value) => value.is_positive(),
            None => self.prove(polynomial, true),
        }
    }

    /// A proof of `polynomial == 0`.
    pub fn zero(&self, polynomial: &Polynomial) -> bool {
        self.nonneg(polynomial) && self.nonneg(&-polynomial)
    }

    /// A proof of `polynomial != 0`.
    pub fn nonzero(&self, polynomial: &Polynomial) -> bool {
        if let Some((monomial, _)) = polynomial.as_term() {
            let base = |atom| Polynomial::atom(atom);
            let mut atoms = monomial.powers().iter().map(|(atom, _)| base(*atom));
            return atoms.all(|atom| self.positive(&atom) || self.positive(&-atom));
        }
        self.positive(polynomial) || self.positive(&-polynomial)
    }

    /// A proof that the polynomial takes an integer value, as `N*(N+1)/2` does for integer `N`.
    ///
    /// Atoms are replaced by equations `coefficient * atom == ...` where the coefficient is one
    /// term, so that `N/P` is an integer under `N == P*q`.
    pub fn integer(&self, polynomial: &Polynomial) -> bool {
        if self.integer_as_it_stands(polynomial) {
            return true;
        }
        let mut current = polynomial.clone();
        for id in self.relevant(polynomial) {
            let fact = self.answers.store.borrow().fact(id).clone();
            if fact.relation != Relation::Zero {
                continue;
            }
            if let Some(replaced) = self.solve_for_contained(&fact.polynomial, &current) {
                current = replaced;
                if self.integer_as_it_stands(&current) {
                    return true;
                }
            }
        }
        false
    }

    /// Like `integer`, without using equations.
    pub fn integer_as_it_stands(&self, polynomial: &Polynomial) -> bool {
        let mut powers = polynomial
            .terms()
            .flat_map(|(monomial, _)| monomial.powers());
        powers.all(|(atom, _)| self.is_integer(*atom)) && integer_valued(polynomial)
    }

    /// The polynomial without an atom for which the equation can be solved by one term.
    fn solve_for_contained(
        &self,
        equation: &Polynomial,
        polynomial: &Polynomial,
    ) -> Option<Polynomial> {
        let fact = Fact {
            polynomial: equation.clone(),
            relation: Relation::Zero,
        };
        bounds_of(&fact).iter().find_map(|bound| {
            let (divisor, coefficient) = bound.coefficient.as_term()?;
            let constant = divisor.is_one() || self.nonzero(&bound.coefficient);
            if !constant || !polynomial.contains(bound.atom) {
                return None;
            }
            let inverse = Monomial::one().checked_div(divisor)?;
            let value = (-&bound.rest).mul_term(&inverse, &coefficient.recip()?)?;
            polynomial.substitute(bound.atom, &value, 200)
        })
    }

    fn prove(&self, polynomial: &Polynomial, strict: bool) -> bool {
        let relevant = self.relevant(polynomial);
        let mut store = self.answers.store.borrow_mut();
        let tight = relevant.into_iter().map(|fact| {
            let mut atoms = store.atoms(fact).iter();
            if atoms.all(|&atom| self.is_integer(atom)) {
                store.tightened(fact)
            } else {
                fact
            }
        });
        let tight = tight.collect();
        let set = store.set(tight);
        drop(store);
        self.answers.charge(set.work);
        if set.is_contradictory {
            return true;
        }
        let goal = Goal {
            polynomial: polynomial.clone(),
            strict,
        };
        // A proof of the weaker goal also proves the original one.
        let goal = self.weaken(&goal).unwrap_or(goal);
        self.answers.to(goal, &set)
    }

    /// The facts that are connected to the polynomial by common atoms, nearest first up to the
    /// limit, then in the order in which they were stated.
    fn relevant(&self, polynomial: &Polynomial) -> Vec<FactId> {
        let store = self.answers.store.borrow();
        let atoms = polynomial.atoms();
        let mut seen: FxHashSet<Atom> = atoms.iter().copied().collect();
        let mut queue = VecDeque::from_iter(atoms);
        let mut is_chosen = vec![false; self.base.facts.len() + self.recent.len()];
        let mut chosen = 0;
        while let Some(atom) = queue.pop_front() {
            if chosen == MAX_FACTS {
                break;
            }
            let indexed = self.base.by_atom.get(&atom).into_iter().flatten().copied();
            let recent = self.recent.iter().enumerate();
            let recent =
                recent.filter(|&(_, &fact)| store.atoms(fact).binary_search(&atom).is_ok());
            let recent = recent.map(|(position, _)| self.base.facts.len() + position);
            for position in indexed.chain(recent) {
                if chosen < MAX_FACTS && !is_chosen[position] {
                    is_chosen[position] = true;
                    chosen += 1;
                    let others = store.atoms(self.fact(position)).iter();
                    queue.extend(others.filter(|&&other| seen.insert(other)));
                }
            }
        }
        (0..is_chosen.len())
            .filter(|&position| is_chosen[position])
            .map(|position| self.fact(position))
            .collect()
    }

    fn fact(&self, position: usize) -> FactId {
        match position.checked_sub(self.base.facts.len()) {
            None => self.base.facts[position],
            Some(position) => self.recent[position],
        }
    }

    /// The weakest strict form of a goal between integers: `n >= 0` is `n + 1 > 0`.
    fn weaken(&self, goal: &Goal) -> Option<Goal> {
        let (integer, constant) = self.integer_and_constant(&goal.polynomial)?;
        let constant = if goal.strict {
            constant.ceil()
        } else {
            constant.floor() + Rational::ONE
        };
        Some(Goal {
            polynomial: integer + Polynomial::constant(constant),
            strict: true,
        })
    }

    /// A positive multiple of the polynomial as an integer-valued polynomial and a constant.
    fn integer_and_constant(&self, polynomial: &Polynomial) -> Option<(Polynomial, Rational)> {
        let mut powers = (polynomial.terms()).flat_map(|(monomial, _)| monomial.powers());
        if powers.all(|&(atom, _)| self.is_integer(atom)) {
            integer_and_constant(polynomial)
        } else {
            None
        }
    }
}
