//! What holds in a model: declared facts, assumptions, and facts that follow from the terms.
//!
//! A query collects the facts of every atom that it meets (the range of an index, the bounds of a floor, ...) and
//! passes them to the ring's prover. Expressions with a `max`, a bracket or a conditional are proved case by case. A
//! positive answer is a proof, a negative one says nothing.

mod cases;
mod collector;
mod columns;
mod cone;
mod contradiction;
mod defined;
mod describe;
mod functions;
mod parts;
mod quotients;
mod repair;
mod statement;
mod witness;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Node};
use crate::ring::{self, Atom, Facts, Monomial, Polynomial, Rational};

use super::terms::{MAX_TERMS, Terms, expr_of};

use cases::first_cases;
use collector::Collector;
use columns::Columns;
pub use cone::Cones;
pub use contradiction::contradiction;
use quotients::{is_made_of, solve, whole_quotient};
use statement::{Statement, statement};
pub use witness::some as some_witnesses;

/// Maximum depth of case distinctions, and of facts that need a proof themselves.
const DEPTH: u32 = 3;
/// Typical work of a proof. Work is counted in terms examined; some proofs take a thousand times as much.
pub const PROOF: u64 = 1_600;
/// Work of collecting the facts for one attempt, before any term is examined.
const FACTS_OF_AN_ATTEMPT: u64 = 200;
/// A query stops collecting facts after this many atoms.
const MOST_ATOMS: usize = 64;
/// A polynomial of more terms is not evaluated to refute a statement about it.
const MOST_EVALUATED: usize = 400;

/// Facts about atoms from their structure, by the depth of proofs that was used.
type Descriptions = FxHashMap<(Atom, u32), Rc<[Statement]>>;

/// The facts of a model with the assumptions made so far.
#[derive(Clone, Default)]
pub struct Prover {
    /// Truth values that hold: comparisons, `integer(..)`, and complements of equalities.
    known: Vec<ExprId>,
    /// Cached answers to guards.
    guards: FxHashMap<ExprId, bool>,
    answers: RefCell<[FxHashMap<Polynomial, bool>; Goal::COUNT]>,
    /// Collected facts by depth and by the positions of known facts, and facts that follow from other atoms.
    bases: RefCell<FxHashMap<(u32, Vec<usize>), Collector>>,
    /// The known facts that are relevant to a question, computed on the first question.
    cones: RefCell<Option<Cones>>,
    descriptions: RefCell<Descriptions>,
    /// Parameters as multiples of integers, once they were looked for.
    whole_quotients: RefCell<Option<Vec<(Atom, Polynomial)>>>,
    /// Whole quotients that are not single atoms, computed on first use.
    quotients: RefCell<Option<Rc<[Polynomial]>>>,
    /// Work since the budget was set.
    spent: Cell<u64>,
    budget: u64,
    /// Points at which the facts hold, once they were looked for.
    points: RefCell<Option<Columns>>,
}

/// The claim to prove about a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    NonNegative,
    Positive,
    Zero,
    Integer,
}

impl Goal {
    const COUNT: usize = 4;

    fn proved(self, facts: &Facts, p: &Polynomial) -> bool {
        match self {
            Goal::NonNegative => facts.nonneg(p),
            Goal::Positive => facts.positive(p),
            Goal::Zero => facts.zero(p),
            Goal::Integer => facts.integer(p),
        }
    }

    fn holds_for(self, value: &Rational) -> bool {
        match self {
            Goal::NonNegative => !value.is_negative(),
            Goal::Positive => value.is_positive(),
            Goal::Zero => value.is_zero(),
            Goal::Integer => value.is_integer(),
        }
    }
}

impl Prover {
    pub fn new(known: Vec<ExprId>) -> Prover {
        Prover {
            known,
            budget: u64::MAX,
            ..Prover::default()
        }
    }

    /// Sets the work budget, in terms examined. Questions after the budget is spent remain unproved.
    pub fn allow(&mut self, work: u64) {
        self.spent.set(0);
        self.budget = work;
    }

    /// Remaining work.
    pub fn left(&self) -> u64 {
        self.budget.saturating_sub(self.spent.get())
    }

    /// True if the work budget is spent, so some question may remain unanswered.
    pub fn is_exhausted(&self) -> bool {
        self.spent.get() >= self.budget
    }

    /// Adds work done elsewhere.
    pub fn charge(&self, work: u64) {
        self.spent.set(self.spent.get().saturating_add(work));
    }

    /// Work done since [`Prover::allow`].
    pub fn work(&self) -> u64 {
        self.spent.get()
    }

    /// A prover with further truth values that hold.
    pub fn with(&self, further: &[ExprId]) -> Prover {
        let mut known = self.known.clone();
        known.extend(further.iter().filter(|fact| !self.known.contains(fact)));
        Prover::new(known)
    }

    /// True if a truth value is proved to be 1.
    pub fn holds(&mut self, terms: &mut Terms, guard: ExprId) -> bool {
        if let Some(&known) = self.guards.get(&guard) {
            return known;
        }
        let result = self.known.contains(&guard) || self.proves(terms, guard);
        if !self.is_exhausted() {
            self.guards.insert(guard, result);
        }
        result
    }

    /// Like [`Prover::holds`], with a separate work limit. An unproved guard is not tried again, since that would
    /// cost as much.
    pub fn holds_within(&mut self, terms: &mut Terms, guard: ExprId, work: u64) -> bool {
        self.allow(work);
        let result = self.holds(terms, guard);
        self.guards.insert(guard, result);
        result
    }

    fn proves(&self, terms: &mut Terms, guard: ExprId) -> bool {
        if let Node::Mul(parts) = terms.arena.node(guard).clone() {
            return parts.iter().all(|&part| self.proves(terms, part));
        }
        match statement(terms, guard) {
            Statement::NonNegative(p) => self.nonnegative(terms, &p),
            Statement::Positive(p) => self.positive(terms, &p),
            Statement::Zero(p) => self.zero(terms, &p),
            Statement::NonZero(p) => self.nonzero(terms, &p),
            Statement::Integer(p) => self.integer(terms, &p),
            Statement::Always => true,
            Statement::Never | Statement::Unknown => false,
        }
    }

    /// True if `p >= 0` is proved.
    pub fn nonnegative(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        self.ask(terms, p, Goal::NonNegative)
    }

    /// True if `p > 0` is proved.
    pub fn positive(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        self.ask(terms, p, Goal::Positive)
    }

    /// True if `p == 0` is proved.
    pub fn zero(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        p.is_zero() || self.ask(terms, p, Goal::Zero)
    }

    /// True if `p != 0` is proved.
    pub fn nonzero(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        if let Some(value) = p.as_constant() {
            return !value.is_zero();
        }
        let (factors, rest) = factors_of(p);
        if factors.len() + usize::from(rest.as_constant().is_none()) > 1 {
            let mut parts = factors.into_iter().map(Polynomial::atom).chain([rest]);
            return parts.all(|part| self.nonzero(terms, &part));
        }
        let near = self.cone(terms, p, &[]).into_iter();
        let mut rest = p.clone();
        for position in near {
            let Statement::NonZero(known) = statement(terms, self.known[position]) else {
                continue;
            };
            let (atoms, sum) = factors_of(&known);
            if p.as_term()
                .is_some_and(|(m, _)| atoms.iter().any(|&atom| m.exponent(atom) > 0))
            {
                return true;
            }
            while sum.len() > 1
                && let Some(quotient) = rest.divide_exact(&sum)
            {
                rest = quotient;
            }
        }
        if rest != *p {
            return self.nonzero(terms, &rest);
        }
        self.positive(terms, p) || self.positive(terms, &-p)
    }

    /// True if the value of `p` is proved to be an integer.
    pub fn integer(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        if let Some(value) = p.as_constant() {
            return value.is_integer();
        }
        self.ask(terms, p, Goal::Integer)
    }

    /// Replaces parameters by the quotients that are known to be integers: `N = P*k` for `integer(N/P)`.
    fn in_whole_quotients(&self, terms: &mut Terms, p: &Polynomial) -> Polynomial {
        let mut whole = self.whole_quotients.borrow_mut();
        let whole = whole.get_or_insert_with(|| {
            let numbered = self.known.iter().enumerate();
            let solved = numbered.filter_map(|(number, &fact)| {
                let quotient = whole_quotient(terms, fact)?;
                solve(terms, &quotient, whole_atom(number))
            });
            solved.collect()
        });
        let mut result = p.clone();
        for (symbol, replacement) in whole.iter() {
            if let Some(substituted) = result.substitute(*symbol, replacement, MAX_TERMS) {
                result = substituted;
            }
        }
        result
    }

    /// True if `p` is whole because quotients of the known facts are, or of its denominators.
    fn is_whole_by_quotients(
        &self,
        terms: &mut Terms,
        facts: &Facts,
        p: &Polynomial,
        depth: u32,
    ) -> bool {
        let known = self.quotients.borrow().clone();
        let known = known.unwrap_or_else(|| {
            let quotients = self
                .known
                .iter()
                .filter_map(|&fact| whole_quotient(terms, fact));
            let found: Rc<[Polynomial]> = quotients.filter(|q| q.as_atom().is_none()).collect();
            *self.quotients.borrow_mut() = Some(found.clone());
            found
        });
        let mut quotients = known.to_vec();
        for atom in p.atoms() {
            if p.min_degree_in(atom) < 0 {
                let described = self.description(terms, atom, depth);
                quotients.extend(described.iter().filter_map(|statement| match statement {
                    Statement::Integer(q) if q.as_atom().is_none() => Some(q.clone()),
                    _ => None,
                }));
            }
        }
        !quotients.is_empty() && is_made_of(p, &quotients, |atom| facts.is_integer(atom))
    }

    /// A whole number is not below 0 where it is above -1.
    fn is_next_to_zero(
        &self,
        terms: &mut Terms,
        facts: &Facts,
        p: &Polynomial,
        depth: u32,
    ) -> bool {
        // If all coefficients are whole, the facts cannot prove more.
        let of_whole = |(_, coefficient): (&Monomial, &Rational)| coefficient.is_integer();
        if p.terms().all(of_whole) && facts.integer_as_it_stands(p) {
            return false;
        }
        let own = p.coefficient(&Monomial::one());
        own.is_integer()
            && (Goal::Integer.proved(facts, p)
                || self.is_whole_by_quotients(terms, facts, p, depth))
            && facts.positive(&(p + &Polynomial::one()))
    }

    fn ask(&self, terms: &mut Terms, p: &Polynomial, goal: Goal) -> bool {
        if let Some(&known) = self.answers.borrow()[goal as usize].get(p) {
            return known;
        }
        let by_parts = goal == Goal::NonNegative && !self.refuted(terms, p, &[], goal);
        let answer = by_parts && self.by_steps(terms, p)
            || (by_parts.then(|| self.by_amounts(terms, p)).flatten())
                .unwrap_or_else(|| self.by_cases(terms, p, &[], DEPTH, goal));
        if self.is_exhausted() {
            return answer;
        }
        self.answers.borrow_mut()[goal as usize].insert(p.clone(), answer);
        answer
    }

    /// True if at some point the facts hold and the claim does not.
    fn refuted(&self, terms: &Terms, p: &Polynomial, extra: &[Statement], goal: Goal) -> bool {
        if p.len() > MOST_EVALUATED {
            return false;
        }
        let mut points = self.points.borrow_mut();
        let points = points.get_or_insert_with(|| Columns::new(terms, &self.known));
        let (looked_at, refuted) = points.refuted(terms, p, extra, goal);
        self.charge((looked_at * p.len()) as u64);
        refuted
    }

    fn by_cases(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        extra: &[Statement],
        depth: u32,
        goal: Goal,
    ) -> bool {
        if let Some(value) = p.as_constant() {
            return goal.holds_for(&value) || self.is_impossible(terms, extra, depth);
        }
        if self.refuted(terms, p, extra, goal) {
            return false;
        }
        let asked = p;
        let p = &match goal {
            Goal::Integer => self.in_whole_quotients(terms, p),
            _ => p.clone(),
        };
        if self.is_exhausted() {
            return false;
        }
        self.charge(FACTS_OF_AN_ATTEMPT);
        let facts = self.collect(terms, p, extra, depth);
        let proved = goal.proved(&facts, p);
        self.charge(terms.answers.take_work());
        let mut by_quotients = || match goal {
            Goal::Integer => self.is_whole_by_quotients(terms, &facts, asked, depth),
            Goal::NonNegative => self.is_next_to_zero(terms, &facts, asked, depth),
            Goal::Positive | Goal::Zero => false,
        };
        let proved = proved || by_quotients();
        self.charge(terms.answers.take_work());
        if proved {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let Some(mut cases) = first_cases(terms, p) else {
            return false;
        };
        cases.all(|case| {
            let Some((p, statements)) = case else {
                return false;
            };
            let mut extra = extra.to_vec();
            extra.extend(statements);
            self.by_cases(terms, &p, &extra, depth - 1, goal)
        })
    }

    /// True if the last of the statements that make a case contradicts the facts and those before it.
    fn is_impossible(&self, terms: &mut Terms, case: &[Statement], depth: u32) -> bool {
        let Some((last, others)) = case.split_last() else {
            return false;
        };
        let (opposite, goal) = match last {
            Statement::NonNegative(p) => (-p, Goal::Positive),
            Statement::Positive(p) => (-p, Goal::NonNegative),
            _ => return false,
        };
        depth > 0 && self.by_cases(terms, &opposite, others, depth - 1, goal)
    }

    /// The positions of the known facts that have to do with a question.
    fn cone(&self, terms: &Terms, p: &Polynomial, extra: &[Statement]) -> Vec<usize> {
        let mut cones = self.cones.borrow_mut();
        let cones = cones.get_or_insert_with(|| Cones::new(&terms.arena, &self.known));
        let polynomials = extra.iter().filter_map(Statement::polynomial).chain([p]);
        let atoms = polynomials.flat_map(Polynomial::atoms);
        let roots = atoms.filter(|&atom| !is_whole_atom(atom)).map(expr_of);
        cones.nearest(&terms.arena, roots)
    }
}

/// The atoms that divide a polynomial or occur in its denominator, and the remaining polynomial.
pub fn factors_of(p: &Polynomial) -> (Vec<Atom>, Polynomial) {
    let content = p.monomial_content();
    let atoms = content.powers().iter().map(|&(atom, _)| atom).collect();
    let inverse = content.checked_pow(-1);
    match inverse.and_then(|inverse| p.mul_term(&inverse, &Rational::ONE)) {
        Some(rest) => (atoms, rest),
        None => (Vec::new(), p.clone()),
    }
}

/// The integer that the whole quotient of a known fact is. No expression has this atom.
fn whole_atom(number: usize) -> Atom {
    Atom(u32::MAX - number as u32)
}

fn is_whole_atom(atom: Atom) -> bool {
    atom.0 > u32::MAX / 2
}
