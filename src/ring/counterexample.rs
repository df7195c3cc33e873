//! The search for a counterexample: integers at which all facts hold and a goal does not.
//!
//! Where there is one, no proof exists, and none has to be looked for. Atoms take integer values,
//! which are real ones too. The search is local: it starts somewhere and moves one atom at a time,
//! so that a violated constraint is met and as few others as possible are violated. It is
//! deterministic, and exact: what overflows is no counterexample.

use num_traits::ToPrimitive;

use super::facts::{Fact, Relation};
use super::monomial::Atom;
use super::polynomial::Polynomial;
use super::prover::Goal;

/// So many starts, and moves from each.
const STARTS: u64 = 6;
const MOVES: usize = 24;

/// Whether a point was found at which the facts hold, and the goal is defined and does not.
pub(super) fn exists(goal: &Goal, facts: &[Fact]) -> bool {
    let relation = match goal.strict {
        true => Relation::NonNegative,
        false => Relation::Positive,
    };
    let mut system = System::default();
    let opposite = system.state(&-&goal.polynomial, relation);
    let stated = facts
        .iter()
        .all(|fact| system.state(&fact.polynomial, fact.relation).is_some());
    opposite.is_some() && stated && (0..STARTS).any(|start| system.search(start))
}

/// A sum of integer multiples of powers of variables, each by its number.
struct Constraint {
    terms: Vec<(i128, Vec<(usize, u32)>)>,
    relation: Relation,
}

#[derive(Default)]
struct System {
    atoms: Vec<Atom>,
    /// Of each atom, whether it must not be 0.
    nonzero: Vec<bool>,
    constraints: Vec<Constraint>,
}

impl System {
    /// Adds a constraint without denominators; `None` where a number is too large.
    fn state(&mut self, polynomial: &Polynomial, relation: Relation) -> Option<()> {
        let mut denominator = 1i128;
        for (_, coefficient) in polynomial.terms() {
            let other = coefficient.denominator().to_i64()?;
            denominator = num_integer::lcm(denominator, other.into());
            i64::try_from(denominator).ok()?;
        }
        // Even powers of what is not 0 are positive.
        let clearing = |atom| {
            let least = i64::from(polynomial.min_degree_in(atom)).min(0);
            least.abs() + least.rem_euclid(2)
        };
        let atoms: Vec<(Atom, i64)> = polynomial
            .atoms()
            .into_iter()
            .map(|atom| (atom, clearing(atom)))
            .collect();
        let mut terms = Vec::with_capacity(polynomial.len());
        for (monomial, coefficient) in polynomial.terms() {
            let numerator = i128::from(coefficient.numerator().to_i64()?);
            let divisor = i128::from(coefficient.denominator().to_i64()?);
            let mut powers = Vec::with_capacity(atoms.len());
            for &(atom, clearing) in &atoms {
                let exponent = i64::from(monomial.exponent(atom)) + clearing;
                let variable = self.variable(atom);
                self.nonzero[variable] |= clearing > 0;
                if exponent > 0 {
                    powers.push((variable, u32::try_from(exponent).ok()?));
                }
            }
            terms.push((numerator.checked_mul(denominator / divisor)?, powers));
        }
        self.constraints.push(Constraint { terms, relation });
        Some(())
    }

    fn variable(&mut self, atom: Atom) -> usize {
        let known = self.atoms.iter().position(|&other| other == atom);
        known.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.nonzero.push(false);
            self.atoms.len() - 1
        })
    }

    fn search(&self, start: u64) -> bool {
        let mut random = Random(start);
        let mut point: Vec<i128> = self
            .nonzero
            .iter()
            .map(|&nonzero| {
                let value = match start {
                    0 => 1,
                    1 => random.below(4),
                    2 => 3 + random.below(6),
                    _ => random.below(40) - 4 * i128::from(start % 2),
                };
                if nonzero && value == 0 { 1 } else { value }
            })
            .collect();
        let mut moves = Vec::new();
        for _ in 0..MOVES {
            let Some(violated) = self.violated(&point) else {
                return false;
            };
            if violated.is_empty() {
                return true;
            }
            let chosen = violated[random.below(violated.len()) as usize];
            moves.clear();
            self.repairs(&self.constraints[chosen], &point, &mut random, &mut moves);
            if moves.is_empty() {
                return false;
            }
            let (variable, value) = match random.below(5) {
                0 => moves[random.below(moves.len()) as usize],
                _ => self.best(&moves, &mut point),
            };
            point[variable] = value;
        }
        self.violated(&point)
            .is_some_and(|violated| violated.is_empty())
    }

    /// The constraints that do not hold; `None` where a number is too large.
    fn violated(&self, point: &[i128]) -> Option<Vec<usize>> {
        let mut violated = Vec::new();
        for (position, constraint) in self.constraints.iter().enumerate() {
            if !constraint.holds(point)? {
                violated.push(position);
            }
        }
        Some(violated)
    }

    /// The move after which the fewest constraints are violated, the first of several.
    fn best(&self, moves: &[(usize, i128)], point: &mut [i128]) -> (usize, i128) {
        let mut best = (usize::MAX, moves[0]);
        for &(variable, value) in moves {
            let before = std::mem::replace(&mut point[variable], value);
            let holds = |constraint: &&Constraint| constraint.holds(point) != Some(true);
            let violated = self.constraints.iter().filter(holds).count();
            point[variable] = before;
            if violated < best.0 {
                best = (violated, (variable, value));
            }
        }
        best.1
    }

    /// Values of single variables for which a violated constraint holds, or nearly so.
    fn repairs(
        &self,
        constraint: &Constraint,
        point: &[i128],
        random: &mut Random,
        moves: &mut Vec<(usize, i128)>,
    ) {
        for variable in constraint.variables() {
            let value = point[variable];
            let mut push = |other: i128| {
                if other != value && !(self.nonzero[variable] && other == 0) {
                    moves.push((variable, other));
                }
            };
            let Some((slope, rest)) = constraint.linear_in(variable, point) else {
                [0, 1, value + 1, value - 1, 2 * value + 1, -value]
                    .into_iter()
                    .for_each(push);
                continue;
            };
            if slope == 0 {
                continue;
            }
            let wanted = i128::from(constraint.relation == Relation::Positive) - rest;
            if constraint.relation == Relation::Zero {
                if wanted.checked_rem(slope) == Some(0) {
                    push(wanted / slope);
                }
                continue;
            }
            let nearest = match slope > 0 {
                true => num_integer::Integer::div_ceil(&wanted, &slope),
                false => num_integer::Integer::div_floor(&wanted, &slope),
            };
            push(nearest);
            push(nearest + slope.signum() * (1 + random.below(4)));
        }
    }
}

impl Constraint {
    fn variables(&self) -> Vec<usize> {
        let powers = self.terms.iter().flat_map(|(_, powers)| powers);
        let mut variables: Vec<usize> = powers.map(|&(variable, _)| variable).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    fn holds(&self, point: &[i128]) -> Option<bool> {
        let mut total = 0i128;
        for (coefficient, powers) in &self.terms {
            total = total.checked_add(term(*coefficient, powers, point)?)?;
        }
        Some(match self.relation {
            Relation::NonNegative => total >= 0,
            Relation::Positive => total > 0,
            Relation::Zero => total == 0,
        })
    }

    /// The slope in a variable and the value where that is 0; `None` where it is not linear in it.
    fn linear_in(&self, variable: usize, point: &[i128]) -> Option<(i128, i128)> {
        let (mut slope, mut rest) = (0i128, 0i128);
        for (coefficient, powers) in &self.terms {
            let position = powers.iter().position(|&(other, _)| other == variable);
            match position.map(|position| powers[position].1) {
                None => rest = rest.checked_add(term(*coefficient, powers, point)?)?,
                Some(1) => {
                    let others = powers.iter().filter(|&&(other, _)| other != variable);
                    slope = slope.checked_add(product(*coefficient, others, point)?)?;
                }
                Some(_) => return None,
            }
        }
        Some((slope, rest))
    }
}

fn term(coefficient: i128, powers: &[(usize, u32)], point: &[i128]) -> Option<i128> {
    product(coefficient, powers.iter(), point)
}

fn product<'a>(
    coefficient: i128,
    mut powers: impl Iterator<Item = &'a (usize, u32)>,
    point: &[i128],
) -> Option<i128> {
    powers.try_fold(coefficient, |product, &(variable, exponent)| {
        let power = match exponent {
            1 => point[variable],
            _ => point[variable].checked_pow(exponent)?,
        };
        product.checked_mul(power)
    })
}

/// SplitMix64
struct Random(u64);

impl Random {
    /// One of 0, 1, ... below `count`, which is small.
    fn below(&mut self, count: usize) -> i128 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i128::from((mixed ^ (mixed >> 31)) % count as u64)
    }
}
