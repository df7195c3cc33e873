//! Facts about atoms, and the questions that they answer.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::answers::{Answers, Question};
use super::fact::{Fact, Goal, Relation};
use super::integrality::integer_valued;
use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::prover::{learn_denominators, without_unit};
use super::rational::Rational;
use super::signs::{Signs, bounds};

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
    recent: Vec<Fact>,
    recent_integers: Vec<Atom>,
    answers: Answers,
}

#[derive(Clone, Default)]
struct Base {
    facts: Vec<Fact>,
    by_atom: FxHashMap<Atom, Vec<usize>>,
    integers: FxHashSet<Atom>,
}

impl Base {
    fn push(&mut self, fact: Fact) {
        for atom in fact.polynomial.atoms() {
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
        self.recent.push(Fact {
            polynomial,
            relation,
        });
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
            self.recent.drain(..).for_each(|fact| base.push(fact));
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
        for fact in self.relevant(polynomial) {
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
        bounds(&[fact]).iter().find_map(|bound| {
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
        let relevant = self.relevant(polynomial).into_iter();
        let (facts, work) = prepare(relevant.map(|fact| self.tighten(fact)));
        self.answers.charge(work);
        let contradicts = |(position, fact): (usize, &Fact)| {
            fact.is_absurd() || facts[..position].iter().any(|other| fact.excludes(other))
        };
        if facts.iter().enumerate().any(contradicts) {
            return true;
        }
        let goal = Goal {
            polynomial: polynomial.clone(),
            strict,
        };
        // A proof of the weaker goal also proves the original one.
        let goal = self.weaken(&goal).unwrap_or(goal);
        self.answers.to(Question { goal, facts })
    }

    /// The facts that are connected to the polynomial by common atoms, nearest first up to the
    /// limit, then in the order in which they were stated.
    fn relevant(&self, polynomial: &Polynomial) -> Vec<Fact> {
        let mut atoms = polynomial.atoms();
        let mut queue = VecDeque::from_iter(atoms.iter().copied());
        let mut chosen = BTreeSet::new();
        while let Some(atom) = queue.pop_front() {
            for position in self.positions(atom) {
                if chosen.len() < MAX_FACTS && chosen.insert(position) {
                    let others = self.fact(position).polynomial.atoms();
                    queue.extend(others.into_iter().filter(|other| atoms.insert(*other)));
                }
            }
        }
        chosen
            .into_iter()
            .map(|position| self.fact(position).clone())
            .collect()
    }

    /// The positions of the facts that mention the atom, in the order in which they were stated.
    fn positions(&self, atom: Atom) -> impl Iterator<Item = usize> {
        let indexed = self.base.by_atom.get(&atom).into_iter().flatten().copied();
        let recent = self.recent.iter().enumerate();
        let recent = recent.filter(move |(_, fact)| fact.polynomial.contains(atom));
        indexed.chain(recent.map(|(position, _)| self.base.facts.len() + position))
    }

    fn fact(&self, position: usize) -> &Fact {
        match position.checked_sub(self.base.facts.len()) {
            None => &self.base.facts[position],
            Some(position) => &self.recent[position],
        }
    }

    /// The strongest non-strict form of an inequality between integers: `2 n > 1` is `n - 1 >= 0`.
    fn tighten(&self, fact: Fact) -> Fact {
        if fact.relation == Relation::Zero {
            return fact;
        }
        let Some((integer, constant)) = self.integer_and_constant(&fact.polynomial) else {
            return fact;
        };
        let constant = match fact.relation {
            Relation::Positive => constant.ceil() - Rational::ONE,
            _ => constant.floor(),
        };
        Fact {
            polynomial: integer + Polynomial::constant(constant),
            relation: Relation::NonNegative,
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
        let constant = polynomial.coefficient(&Monomial::one());
        let rest = polynomial - &Polynomial::constant(constant.clone());
        let factor = rest.content().abs().recip()?;
        let rest = rest.scale(&factor);
        self.integer_as_it_stands(&rest)
            .then(|| (rest, constant * factor))
    }
}

/// The facts without denominators, as far as signs allow, and without what says nothing; and how many terms were looked
/// at for that.
fn prepare(facts: impl Iterator<Item = Fact>) -> (Vec<Fact>, u64) {
    let facts: Vec<Fact> = facts.collect();
    let terms = facts.iter().map(|fact| fact.polynomial.len());
    let terms = terms.sum::<usize>() as u64;
    let (mut facts, work) = without_denominators(facts);
    facts.retain(|fact| fact.polynomial.as_constant().is_none() || fact.is_absurd());
    let mut seen = FxHashSet::default();
    facts.retain(|fact| seen.insert(fact.clone()));
    (facts, work + terms)
}

fn without_denominators(facts: Vec<Fact>) -> (Vec<Fact>, u64) {
    if facts.iter().all(is_proper) {
        return (facts, 0);
    }
    // Each fact is read as a bound of each of its atoms, and these are gone through until they say nothing new.
    let terms_read = |fact: &Fact| fact.polynomial.len() * fact.polynomial.atoms().len();
    let work = facts.iter().map(terms_read).sum::<usize>() as u64;
    let mut signs = Signs::infer(&facts, &bounds(&facts));
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
