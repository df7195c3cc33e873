//! Searches for a counterexample: numbers at which all facts hold and a goal does not.
//!
//! If there is one, no proof exists, so none is searched for. Atoms take integer values, then multiples of a
//! fraction. The search is local: it moves one atom at a time, so that a violated constraint becomes satisfied and as
//! few others as possible become violated. It is deterministic and exact; an overflow is not a counterexample.
//!
//! The search only saves time: an answer `true` means that a sound prover proves nothing here.

mod constraint;

use std::cell::Cell;
use std::rc::Rc;

use smallvec::SmallVec;

#[cfg(test)]
use super::fact::Fact;
use super::fact::{Goal, Relation};
use super::monomial::Atom;
use super::polynomial::Polynomial;
use constraint::Constraint;

/// Variables are not moved beyond this, so that a step further is a number still.
const FARTHEST: i64 = 1 << 40;

/// Number of starts from integers and from fractions, and of moves from each; the first start is cheap.
const STARTS: u64 = 3;
const FRACTIONAL_STARTS: u64 = 1;
const MOVES: usize = 32;
const FIRST_MOVES: usize = 8;
/// For longer goals none is looked for.
const MOST_TERMS: usize = 60;
/// Fractions have this denominator: halves, thirds and quarters are among them.
const DENOMINATOR: i64 = 12;

/// Powers of variables, by their numbers.
type Powers = SmallVec<[(usize, u32); 3]>;

/// The constraints of a counterexample.
#[derive(Default)]
pub(super) struct System {
    atoms: Vec<Atom>,
    /// For each atom, true if it must be nonzero.
    nonzero: Vec<bool>,
    constraints: Vec<Constraint>,
    /// For each atom, the constraints that mention it, each with the place of the occurrence there.
    mentioning: Vec<Vec<(usize, usize)>>,
    /// Denominator of the values of atoms.
    denominator: i64,
    /// Number of terms in all constraints.
    terms: u64,
    /// Number of terms evaluated so far.
    work: Cell<u64>,
}

impl System {
    /// The constraints: the facts hold, and the goal is defined and false.
    ///
    /// Returns `None` if a number is too large or the goal too long.
    pub fn new(goal: &Goal, known: &[Rc<Stated>]) -> Option<System> {
        if goal.polynomial.len() > MOST_TERMS {
            return None;
        }
        let relation = if goal.strict {
            Relation::NonNegative
        } else {
            Relation::Positive
        };
        let mut system = System {
            denominator: 1,
            ..System::default()
        };
        system.state(&Stated::new(&-&goal.polynomial, relation)?);
        for stated in known {
            system.state(stated);
        }
        let lengths = system.constraints.iter().map(|c| c.terms.len() as u64);
        system.terms = lengths.sum();
        system.mentioning = vec![Vec::new(); system.atoms.len()];
        for (position, constraint) in system.constraints.iter().enumerate() {
            for (place, occurrence) in constraint.occurrences.iter().enumerate() {
                system.mentioning[occurrence.variable].push((position, place));
            }
        }
        Some(system)
    }

    /// Number of terms evaluated so far.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    fn charge(&self, terms: u64) {
        self.work.set(self.work.get() + terms);
    }

    /// True if a point was found immediately.
    pub fn is_easy(&self) -> bool {
        self.search(0, FIRST_MOVES)
    }

    /// True if a point was found.
    pub fn is_satisfied_somewhere(&self) -> bool {
        (1..STARTS).any(|start| self.search(start, MOVES))
            || self.in_fractions().is_some_and(|system| {
                let found = (0..FRACTIONAL_STARTS).any(|start| system.search(start, MOVES));
                self.charge(system.work());
                found
            })
    }

    /// The system in numbers divided by [`DENOMINATOR`]; `None` if a number is too large.
    fn in_fractions(&self) -> Option<System> {
        let constraints = self.constraints.iter();
        Some(System {
            atoms: self.atoms.clone(),
            nonzero: self.nonzero.clone(),
            constraints: constraints
                .map(Constraint::in_fractions)
                .collect::<Option<_>>()?,
            mentioning: self.mentioning.clone(),
            denominator: DENOMINATOR,
            terms: self.terms,
            work: Cell::new(0),
        })
    }

    /// Adds a constraint.
    fn state(&mut self, stated: &Stated) {
        let variables: SmallVec<[usize; 8]> = stated
            .atoms
            .iter()
            .map(|&(atom, nonzero)| {
                let variable = self.variable(atom);
                self.nonzero[variable] |= nonzero;
                variable
            })
            .collect();
        let renamed = |powers: &Powers| powers.iter().map(|&(v, e)| (variables[v], e)).collect();
        let terms = stated
            .terms
            .iter()
            .map(|(number, powers)| (*number, renamed(powers)));
        self.constraints
            .push(Constraint::new(terms.collect(), stated.relation));
    }

    fn variable(&mut self, atom: Atom) -> usize {
        let known = self.atoms.iter().position(|&other| other == atom);
        known.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.nonzero.push(false);
            self.atoms.len() - 1
        })
    }

    fn search(&self, start: u64, steps: usize) -> bool {
        let mut random = Random(start);
        let mut point: Vec<i64> = self
            .nonzero
            .iter()
            .map(|&nonzero| {
                let value = match start {
                    0 => self.denominator,
                    1 => random.below(4),
                    2 => 3 + random.below(6),
                    _ => random.below(1 << (1 + start % 6)) - 2 * (start % 2) as i64,
                };
                if nonzero && value == 0 { 1 } else { value }
            })
            .collect();
        self.walk(&mut point, &mut random, steps).unwrap_or(false)
    }

    /// Moves a point until all constraints hold there, or until the step limit; `None` if a number is too large.
    fn walk(&self, point: &mut [i64], random: &mut Random, steps: usize) -> Option<bool> {
        let (mut moves, mut violated) = (Vec::new(), Vec::new());
        self.charge(self.terms);
        let constraints = self.constraints.iter();
        let mut totals: Vec<i64> = (constraints.map(|c| c.total(point))).collect::<Option<_>>()?;
        for _ in 0..steps {
            violated.clear();
            let constraints = self.constraints.iter().zip(&totals).enumerate();
            let fails = constraints.filter(|(_, (constraint, total))| !constraint.allows(**total));
            violated.extend(fails.map(|(position, _)| position));
            if violated.is_empty() {
                return Some(true);
            }
            let chosen = violated[random.below(violated.len()) as usize];
            moves.clear();
            self.repairs(chosen, totals[chosen], point, random, &mut moves);
            if moves.is_empty() {
                return Some(false);
            }
            let (variable, value) = match random.below(5) {
                0 => moves[random.below(moves.len()) as usize],
                _ => self.best(&moves, &totals, point, random),
            };
            for &(position, place) in &self.mentioning[variable] {
                let constraint = &self.constraints[position];
                self.charge(constraint.terms.len() as u64);
                let slope = constraint.slope(&constraint.occurrences[place], point);
                totals[position] =
                    constraint.moved(totals[position], slope, (variable, value), point)?;
            }
            point[variable] = value;
        }
        let mut constraints = self.constraints.iter().zip(&totals);
        Some(constraints.all(|(constraint, &total)| constraint.allows(total)))
    }

    /// The move by which the fewest constraints become violated and the most met, one of several.
    fn best(
        &self,
        moves: &[(usize, i64)],
        totals: &[i64],
        point: &mut [i64],
        random: &mut Random,
    ) -> (usize, i64) {
        let mut best = (i64::MAX, moves[0]);
        // Moves of one variable follow each other.
        for moves in moves.chunk_by(|one, other| one.0 == other.0) {
            let mentioning = self.mentioning[moves[0].0].iter();
            let slopes: SmallVec<[(usize, Option<i64>); 8]> = mentioning
                .map(|&(position, place)| {
                    let constraint = &self.constraints[position];
                    let slope = constraint.slope(&constraint.occurrences[place], point);
                    (position, slope)
                })
                .collect();
            for &step in moves {
                let mut change = 0;
                for &(position, slope) in &slopes {
                    let (constraint, total) = (&self.constraints[position], totals[position]);
                    self.charge(constraint.terms.len() as u64);
                    let next = constraint.moved(total, slope, step, point);
                    let holds = next.is_some_and(|next| constraint.allows(next));
                    change += i64::from(!holds) - i64::from(!constraint.allows(total));
                }
                // Ties are broken at random.
                let change = 4 * change + random.below(4);
                if change < best.0 {
                    best = (change, step);
                }
            }
        }
        best.1
    }

    /// Values of single variables for which a violated constraint holds, or nearly so.
    fn repairs(
        &self,
        violated: usize,
        total: i64,
        point: &[i64],
        random: &mut Random,
        moves: &mut Vec<(usize, i64)>,
    ) {
        let constraint = &self.constraints[violated];
        for occurrence in &constraint.occurrences {
            let variable = occurrence.variable;
            let value = point[variable];
            let mut push = |other: i64| {
                let near = (-FARTHEST..=FARTHEST).contains(&other);
                if near && other != value && !(self.nonzero[variable] && other == 0) {
                    moves.push((variable, other));
                }
            };
            let slope = constraint.slope(occurrence, point);
            let rest = slope.and_then(|slope| total.checked_sub(slope.checked_mul(value)?));
            let (Some(slope), Some(rest)) = (slope, rest) else {
                [0, 1, value + 1, value - 1, 2 * value + 1, -value]
                    .into_iter()
                    .for_each(push);
                continue;
            };
            if slope == 0 {
                continue;
            }
            let least = i64::from(constraint.relation == Relation::Positive);
            let wanted = least.saturating_sub(rest);
            if constraint.relation == Relation::Zero {
                if wanted.checked_rem(slope) == Some(0) {
                    push(wanted / slope);
                }
                continue;
            }
            let nearest = if slope > 0 {
                num_integer::Integer::div_ceil(&wanted, &slope)
            } else {
                num_integer::Integer::div_floor(&wanted, &slope)
            };
            push(nearest);
            push(nearest.saturating_add(slope.signum() * (1 + random.below(4))));
        }
    }
}

/// A constraint over atoms of its own.
pub(super) struct Stated {
    /// Each with whether it must not be 0.
    atoms: SmallVec<[(Atom, bool); 8]>,
    /// Powers of its own atoms, by their places.
    terms: Vec<(i64, Powers)>,
    relation: Relation,
}

impl Stated {
    /// A constraint without denominators; `None` if a number is too large.
    pub fn new(polynomial: &Polynomial, relation: Relation) -> Option<Stated> {
        let mut denominator = 1i64;
        for (_, coefficient) in polynomial.terms() {
            let (_, other) = coefficient.to_small()?;
            denominator =
                (denominator / num_integer::gcd(denominator, other)).checked_mul(other)?;
        }
        // Even powers of nonzero values are positive.
        let clearing = |(atom, (least, _)): (Atom, (i32, i32))| {
            let least = i64::from(least).min(0);
            (atom, least.abs() + least.rem_euclid(2))
        };
        let atoms: SmallVec<[(Atom, i64); 8]> =
            polynomial.exponents().into_iter().map(clearing).collect();
        let mut terms = Vec::with_capacity(polynomial.len());
        for (monomial, coefficient) in polynomial.terms() {
            let (numerator, divisor) = coefficient.to_small()?;
            let mut powers = Powers::new();
            for (place, &(atom, clearing)) in atoms.iter().enumerate() {
                let exponent = i64::from(monomial.exponent(atom)) + clearing;
                if exponent > 0 {
                    powers.push((place, u32::try_from(exponent).ok()?));
                }
            }
            terms.push((numerator.checked_mul(denominator / divisor)?, powers));
        }
        let atoms = atoms
            .into_iter()
            .map(|(atom, clearing)| (atom, clearing > 0));
        Some(Stated {
            atoms: atoms.collect(),
            terms,
            relation,
        })
    }
}

/// SplitMix64
struct Random(u64);

impl Random {
    /// One of 0, 1, ... below `count`, which is small.
    fn below(&mut self, count: usize) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % count as u64) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{Monomial, Rational};

    fn atom(number: u32) -> Polynomial {
        Polynomial::atom(Atom(number))
    }

    fn is_refuted(goal: Polynomial, strict: bool, facts: &[(Polynomial, Relation)]) -> bool {
        let fact = |(polynomial, relation): &(Polynomial, Relation)| Fact {
            polynomial: polynomial.clone(),
            relation: *relation,
        };
        let facts: Vec<Fact> = facts.iter().map(fact).collect();
        let polynomial = goal;
        let stated = |fact: &Fact| Stated::new(&fact.polynomial, fact.relation).map(Rc::new);
        let known: Option<Vec<Rc<Stated>>> = facts.iter().map(stated).collect();
        known
            .and_then(|known| System::new(&Goal { polynomial, strict }, &known))
            .is_some_and(|system| system.is_easy() || system.is_satisfied_somewhere())
    }

    #[test]
    fn a_bound_that_is_missed_by_one_is_refuted() {
        // 1 <= i <= n does not give i + 1 <= n.
        let (i, n) = (atom(0), atom(1));
        let facts = [
            (&i - &Polynomial::one(), Relation::NonNegative),
            (&n - &i, Relation::NonNegative),
        ];
        assert!(is_refuted(&n - &i - Polynomial::one(), false, &facts));
        assert!(is_refuted(&n - &i, true, &facts));
        assert!(!is_refuted(&n - &i, false, &facts));
        assert!(!is_refuted(n, true, &facts));
    }

    #[test]
    fn equations_between_products_have_points() {
        // n = p * q + r and 0 <= r < p do not give r = 0, nor q >= 1.
        let [n, p, q, r] = [0, 1, 2, 3].map(atom);
        let product = p.checked_mul(&q, 10).unwrap();
        let facts = [
            (&n - &product - r.clone(), Relation::Zero),
            (r.clone(), Relation::NonNegative),
            (&p - &r, Relation::Positive),
            (q.clone(), Relation::NonNegative),
        ];
        assert!(is_refuted(-&r, false, &facts));
        assert!(is_refuted(q, true, &facts));
        assert!(!is_refuted(n, false, &facts));
        assert!(!is_refuted(p, true, &facts));
    }

    #[test]
    fn a_divisor_is_not_0() {
        // x^-2 > 0 holds wherever it is defined; p / x > 0 for p >= x >= 0 too.
        let (x, p) = (atom(0), atom(1));
        let inverse = Monomial::power(Atom(0), -1);
        let over_x = |p: &Polynomial| p.mul_term(&inverse, &Rational::ONE).unwrap();
        let facts = [
            (x.clone(), Relation::NonNegative),
            (&p - &x, Relation::NonNegative),
        ];
        assert!(!is_refuted(over_x(&over_x(&Polynomial::one())), true, &[]));
        assert!(!is_refuted(over_x(&p), true, &facts));
        assert!(is_refuted(p, true, &facts));
    }
}
