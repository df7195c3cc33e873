//! Searches for a proof that a polynomial is nonnegative or positive.
//!
//! A goal is proved if each of its terms has the right sign. There are two moves: subtract a
//! multiple of a fact, which removes a term of wrong or unknown sign, or replace an atom by a bound
//! plus a nonnegative distance. Both only strengthen the goal, so any order of moves gives a valid
//! proof. The number of moves is limited.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::context::{Context, freed_of_unit, signs_beside, without_unit};
use super::counterexample::System;
use super::fact::{Fact, Goal, Relation};
use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::rational::Rational;
use super::replacement::{MAX_TERMS, Replacement};
use super::signs::{Sign, Signs, bounds_of, multiplied};
use super::store::Set;

/// Moves in one search, and those between two replacements.
const MAX_MOVES: usize = 400;
const MAX_SUBTRACTIONS: usize = 48;
/// Moves that are tried before a counterexample is looked for: most proofs take fewer.
const FIRST_SUBTRACTIONS: usize = 8;
/// Replacements in a row.
const MAX_REPLACEMENT_DEPTH: usize = 5;
/// Terms that are looked at in one search.
const MAX_WORK: u64 = 12_000;
/// Cost of comparing a term, and of evaluating it at numbers, relative to subtracting or multiplying one.
const READ_OF_A_TERM: u64 = 2;
const EVALUATED_OF_A_TERM: u64 = 32;
/// Squares are completed in sums of no more terms.
const MAX_TERMS_WITH_SQUARE: usize = 12;

/// Returns true if a proof of the goal from the facts was found, and the number of terms examined.
pub(super) fn prove(goal: &Goal, set: &Set) -> (bool, u64) {
    let mut search = Search {
        moves: MAX_MOVES,
        work: 0,
        is_refuted: false,
    };
    let proved =
        search.prove_from(goal, set) || !search.is_refuted && search.prove_by_square(goal, set);
    (proved, search.work)
}

struct Search {
    moves: usize,
    /// Terms that were looked at, at most [`MAX_WORK`] but for the last move.
    work: u64,
    /// True if the question has a counterexample.
    is_refuted: bool,
}

impl Search {
    /// Where a square is completed: by its factor and by what is added to it. All squares share the moves of one search.
    fn prove_by_square(&mut self, goal: &Goal, set: &Set) -> bool {
        if goal.polynomial.len() > MAX_TERMS_WITH_SQUARE {
            return false;
        }
        self.moves = MAX_MOVES;
        let squares = goal.polynomial.completed_squares().into_iter();
        // A reader sees squares of differences and sums of two.
        let mut squares = squares.filter(|square| square.shift.len() == 1);
        squares.any(|square| {
            let factor = Goal {
                polynomial: square.factor,
                strict: false,
            };
            let rest = Goal {
                polynomial: square.rest,
                strict: goal.strict,
            };
            let mut parts = [factor, rest].into_iter();
            parts.all(|part| self.prove_from(&part, set))
        })
    }
}

impl Search {
    fn prove_from(&mut self, asked: &Goal, set: &Set) -> bool {
        let context = &set.context;
        self.work += context.signs.work;
        let signs = signs_beside(&context.signs, &asked.polynomial);
        let Some(goal) = without_unit(asked, &signs) else {
            return false;
        };
        if is_evident(asked, &signs) || is_evident(&goal, &signs) {
            return true;
        }
        // Most of what is asked and not evident has a counterexample, of what was asked: the goal
        // without denominators also speaks of points where these are 0.
        let known = set.known.as_ref();
        let opposite = known.and_then(|known| System::new(asked, known));
        if let Some(opposite) = opposite {
            let refuted = opposite.is_easy();
            if !refuted && self.subtract(&goal, &context.facts, &signs, FIRST_SUBTRACTIONS) {
                return true;
            }
            let refuted = refuted || opposite.is_satisfied_somewhere();
            self.work += opposite.work() / EVALUATED_OF_A_TERM;
            if refuted {
                self.is_refuted = true;
                return false;
            }
        }
        self.search(&goal, context, &signs, MAX_REPLACEMENT_DEPTH)
    }

    /// The depth of recursion is bounded by [`MAX_REPLACEMENT_DEPTH`].
    fn prove(&mut self, asked: &Goal, facts: Vec<Rc<Fact>>, depth: usize) -> bool {
        let bounds = facts.iter().map(|fact| bounds_of(fact)).collect();
        let context = Context::new(facts, bounds);
        self.work += context.signs.work;
        let signs = signs_beside(&context.signs, &asked.polynomial);
        let Some(goal) = without_unit(asked, &signs) else {
            return false;
        };
        is_evident(asked, &signs)
            || is_evident(&goal, &signs)
            || self.search(&goal, &context, &signs, depth)
    }

    fn search(&mut self, goal: &Goal, context: &Context, signs: &Signs, depth: usize) -> bool {
        let facts = &context.facts;
        if self.subtract(goal, facts, signs, MAX_SUBTRACTIONS) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        for &(fact, bound) in context.order() {
            let bound = &context.bounds[fact][bound];
            if self.moves == 0 || self.work >= MAX_WORK {
                return false;
            }
            let divisor = signs.of_polynomial(&bound.coefficient);
            if !divisor.nonzero || !goal.polynomial.contains(bound.atom) {
                continue;
            }
            self.moves -= 1;
            let replacement = Replacement::new(bound, facts[fact].relation, divisor);
            if let Some(stronger) = replacement.apply(&goal.polynomial, &mut self.work) {
                let goal = Goal {
                    polynomial: stronger,
                    strict: goal.strict,
                };
                let facts = replacement.apply_to_facts(facts, fact, &mut self.work);
                if self.prove(&goal, facts, depth - 1) {
                    return true;
                }
            }
        }
        false
    }

    fn subtract(&mut self, goal: &Goal, facts: &[Rc<Fact>], signs: &Signs, moves: usize) -> bool {
        let available = moves.min(self.moves);
        let facts = facts.iter();
        let subtrahends: Vec<Subtrahend> = facts.map(|fact| Subtrahend::new(fact, signs)).collect();
        let mut subtraction = Subtraction {
            subtrahends: &subtrahends,
            signs,
            visited: FxHashSet::default(),
            open: BTreeMap::new(),
            degree: 0,
            moves: available,
            work: 0,
            read: 0,
            most_work: MAX_WORK.saturating_sub(self.work),
        };
        let proved = subtraction.prove(goal.clone());
        self.work += subtraction.all_work();
        self.moves -= available - subtraction.moves;
        proved
    }
}

/// A fact of which multiples are subtracted.
struct Subtrahend<'a> {
    fact: &'a Fact,
    degree: i64,
    /// For each term, the atoms that a term must contain to be divisible by it.
    wanted: Vec<u64>,
}

impl<'a> Subtrahend<'a> {
    fn new(fact: &'a Fact, signs: &Signs) -> Subtrahend<'a> {
        let terms = fact.polynomial.terms();
        Subtrahend {
            fact,
            degree: degree(&fact.polynomial),
            wanted: terms.map(|(monomial, _)| signs.wanted(monomial)).collect(),
        }
    }
}

/// The search for multiples of facts that add up to the goal, most promising goal first.
struct Subtraction<'a> {
    subtrahends: &'a [Subtrahend<'a>],
    signs: &'a Signs,
    visited: FxHashSet<Rc<Goal>>,
    /// Goals yet to be pursued; ties go to the one found first.
    open: BTreeMap<(Promise, usize), Rc<Goal>>,
    moves: usize,
    /// Terms that were subtracted from each other.
    work: u64,
    /// Terms of facts that were held against a term of the goal.
    read: u64,
    most_work: u64,
    degree: i64,
}

/// Fewer wrong terms are better, then a lower degree, then fewer terms.
type Promise = (usize, i64, usize);

impl Subtraction<'_> {
    fn prove(&mut self, goal: Goal) -> bool {
        self.degree = degree(&goal.polynomial);
        if self.settled(goal) {
            return true;
        }
        while self.all_work() < self.most_work
            && let Some((_, goal)) = self.open.pop_first()
        {
            let wrong = self.wrong_terms(&goal.polynomial).next();
            let proved = match wrong {
                Some(term) => {
                    let mut subtrahends = self.subtrahends.iter();
                    subtrahends.any(|subtrahend| self.remove(&goal, term, subtrahend))
                }
                None => self.remove_for_strictness(&goal),
            };
            if proved {
                return true;
            }
        }
        false
    }

    fn all_work(&self) -> u64 {
        self.work + self.read / READ_OF_A_TERM
    }

    /// True if the signs of terms prove the goal; if not, it is kept for later.
    fn settled(&mut self, goal: Goal) -> bool {
        let Some(goal) = freed_of_unit(goal, self.signs) else {
            return false;
        };
        if is_evident(&goal, self.signs) {
            return true;
        }
        let goal = Rc::new(goal);
        let wrong = self.wrong_terms(&goal.polynomial).count();
        if self.visited.insert(goal.clone()) {
            let promise = (wrong, degree(&goal.polynomial), goal.polynomial.len());
            self.open.insert((promise, self.visited.len()), goal);
        }
        false
    }

    fn wrong_terms<'p>(&self, polynomial: &'p Polynomial) -> impl Iterator<Item = Term<'p>> {
        let signs = self.signs;
        let terms = polynomial.terms();
        terms.filter(|(monomial, coefficient)| !signs.of_term(monomial, coefficient).nonnegative)
    }

    /// All terms are right, but none is known to be positive: only a strict fact can help.
    fn remove_for_strictness(&mut self, goal: &Goal) -> bool {
        let strict = |subtrahend: &&Subtrahend| subtrahend.fact.relation == Relation::Positive;
        self.subtrahends.iter().filter(strict).any(|subtrahend| {
            let mut terms = goal.polynomial.terms();
            terms.any(|term| self.remove(goal, term, subtrahend))
        })
    }

    /// Subtracts multiples of the fact that remove the term; true when that leaves nothing to do.
    fn remove(&mut self, goal: &Goal, term: Term, subtrahend: &Subtrahend) -> bool {
        let multiplied = multiplied(term.0);
        let terms = subtrahend.fact.polynomial.terms();
        let mut terms = terms.zip(&subtrahend.wanted);
        terms.any(|(other, wanted)| {
            if wanted & !multiplied != 0 {
                return false;
            }
            let next = self.subtract(goal, subtrahend, term, other);
            next.is_some_and(|next| self.settled(next))
        })
    }

    /// `goal - multiple * fact`, where the multiple makes a term of the fact that of the goal.
    /// `None` where it is not known to be non-negative and defined, and past the limits.
    fn subtract(
        &mut self,
        goal: &Goal,
        subtrahend: &Subtrahend,
        term: Term,
        other: Term,
    ) -> Option<Goal> {
        let fact = subtrahend.fact;
        self.read += 1;
        // Most pairs of terms fail by their signs, which are known before anything is divided.
        let sign = self.signs.of_quotient(term.0, other.0)?;
        let sign = sign.times(Sign::of(term.1)).times(Sign::of(other.1));
        if !(sign.nonnegative || fact.relation == Relation::Zero) {
            return None;
        }
        let multiple = term.1.checked_div(other.1)?;
        let ratio = term.0.checked_div(other.0)?;
        self.moves = self.moves.checked_sub(1)?;
        // Higher degrees lead away from the goal, but those that a fact brings along.
        let risen = subtrahend.degree + total(&ratio);
        if risen > self.degree.max(subtrahend.degree) {
            return None;
        }
        self.work += (goal.polynomial.len() + fact.polynomial.len()) as u64;
        let polynomial = (goal.polynomial).minus_multiple(&fact.polynomial, &ratio, &multiple)?;
        let strict = goal.strict && !(fact.relation == Relation::Positive && sign.nonzero);
        (polynomial.len() <= MAX_TERMS).then_some(Goal { polynomial, strict })
    }
}

/// True if the signs of terms prove the goal.
fn is_evident(goal: &Goal, signs: &Signs) -> bool {
    let sign = signs.of_polynomial(&goal.polynomial);
    sign.nonnegative && (sign.nonzero || !goal.strict)
}

type Term<'p> = (&'p Monomial, &'p Rational);

/// The greatest sum of exponents in any term.
fn degree(polynomial: &Polynomial) -> i64 {
    let terms = polynomial.terms();
    terms
        .map(|(monomial, _)| total(monomial))
        .max()
        .unwrap_or(0)
}

fn total(monomial: &Monomial) -> i64 {
    let powers = monomial.powers().iter();
    powers.map(|(_, exponent)| i64::from(*exponent)).sum()
}
