//! Sums of hypergeometric terms with parameters: telescoping sums, and sums with a first-order recurrence.
//!
//! After M. Petkovšek, H. S. Wilf, D. Zeilberger, *A = B*, chapters 5 and 6. All results are polynomial identities,
//! so they hold wherever their terms are defined.

use super::monomial::Atom;
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Sums with more terms have no result.
const MAX_TERMS: usize = 300;
/// Solutions of a higher degree are not looked for.
const MAX_DEGREE: i32 = 8;
/// Slopes of factorials and powers, and their exponents, beyond this are left alone.
const MAX_SIZE: i64 = 4;

/// `weight * base ^ exponent * ... * argument! ^ power * ...`, where exponents and arguments are linear.
#[derive(Clone, Debug)]
pub struct Hypergeometric {
    pub weight: Polynomial,
    /// Bases with their exponents.
    pub powers: Vec<(Polynomial, Polynomial)>,
    /// Arguments of factorials, with the powers of the factorials.
    pub factorials: Vec<(Polynomial, i64)>,
}

/// The antidifference `s(k - 1) * b(k) * K(k)` of `a * weight * K(k)`, where `K(k + 1) / K(k) = r(k) / s(k)` for the
/// powers and factorials.
#[derive(Clone, Debug)]
pub struct Antidifference {
    pub solution: Polynomial,
    pub rising: Polynomial,
    pub falling: Polynomial,
    pub factor: Polynomial,
}

/// `factor * S(n) + next * S(n + 1) = 0`
#[derive(Clone, Debug)]
pub struct Recurrence {
    pub factor: Polynomial,
    pub next: Polynomial,
}

impl Hypergeometric {
    /// The telescoping antidifference of the term (Gosper), if it has one.
    pub fn antidifference(&self, index: Atom) -> Option<Antidifference> {
        let [rising, falling] = self.ratio(index)?;
        let (solution, found) =
            telescope(index, &rising, &falling, std::slice::from_ref(&self.weight))?;
        let [factor] = <[Polynomial; 1]>::try_from(found).ok()?;
        Some(Antidifference {
            solution,
            rising,
            falling,
            factor,
        })
    }

    /// The first-order recurrence in `n` of the sum over all whole `index` (Zeilberger), if there is one.
    ///
    /// Factorials that depend on the index must be in the denominator, with both rising and falling arguments: then
    /// the term is 0 outside a range, and the telescoping sum leaves no boundary terms. Reciprocals of factorials of
    /// negative numbers count as 0, for which `(x + 1) / (x + 1)! = 1 / x!` holds as well.
    pub fn recurrence(&self, index: Atom, n: Atom) -> Option<Recurrence> {
        let mut ends = [false; 2];
        for (argument, power) in &self.factorials {
            let slope = slope(argument, index)?;
            if slope != 0 && *power > 0 {
                return None;
            }
            ends[0] |= slope > 0;
            ends[1] |= slope < 0;
        }
        if ends != [true, true] {
            return None;
        }
        let [above, below] = self.ratio(n)?;
        let shifted = |(argument, power): &(Polynomial, i64)| {
            let slope = slope(argument, n)?;
            let moved = argument + &Polynomial::from(slope);
            let moves = slope != 0 && (slope > 0) == (*power < 0);
            Some((if moves { moved } else { argument.clone() }, *power))
        };
        let common = Hypergeometric {
            weight: Polynomial::one(),
            powers: self.powers.clone(),
            factorials: (self.factorials.iter())
                .map(shifted)
                .collect::<Option<_>>()?,
        };
        let [rising, falling] = common.ratio(index)?;
        let next = shift(&self.weight, n, 1)?;
        let right = [
            next.checked_mul(&above, MAX_TERMS)?,
            self.weight.checked_mul(&below, MAX_TERMS)?,
        ];
        let (_, found) = telescope(index, &rising, &falling, &right)?;
        let [next, factor] = <[Polynomial; 2]>::try_from(found).ok()?;
        (!next.is_zero()).then_some(Recurrence { factor, next })
    }

    /// Numerator and denominator of the quotient of powers and factorials from one value of an atom to the next.
    pub fn ratio(&self, atom: Atom) -> Option<[Polynomial; 2]> {
        let mut sides = [Polynomial::one(), Polynomial::one()];
        let mut multiply = |factor: &Polynomial, power: i64| {
            let side = &mut sides[usize::from(power < 0)];
            let raised = factor.pow(u32::try_from(power.abs()).ok()?, MAX_TERMS)?;
            *side = side.checked_mul(&raised, MAX_TERMS)?;
            Some(())
        };
        for (base, exponent) in &self.powers {
            multiply(base, slope(exponent, atom)?)?;
        }
        for (argument, power) in &self.factorials {
            if power.abs() > MAX_SIZE {
                return None;
            }
            let slope = slope(argument, atom)?;
            for step in 0..slope.abs() {
                let (distance, power) = match slope > 0 {
                    true => (step + 1, *power),
                    false => (-step, -power),
                };
                multiply(&(argument + &Polynomial::from(distance)), power)?;
            }
        }
        Some(sides)
    }
}

/// The whole number by which a linear polynomial rises with an atom.
pub fn slope(p: &Polynomial, atom: Atom) -> Option<i64> {
    let mut by_power = p.coefficients_in(atom);
    by_power.remove(&0);
    let Some(slope) = by_power.remove(&1) else {
        return by_power.is_empty().then_some(0);
    };
    let slope = slope.as_constant()?.to_i64()?;
    (by_power.is_empty() && slope.abs() <= MAX_SIZE).then_some(slope)
}

/// `p` where an atom is greater by a number.
pub fn shift(p: &Polynomial, atom: Atom, distance: i64) -> Option<Polynomial> {
    let moved = &Polynomial::atom(atom) + &Polynomial::from(distance);
    p.substitute(atom, &moved, MAX_TERMS)
}

/// The polynomial `b`, and one index-free factor for each right side `c`, with
/// `r(k) b(k + 1) - s(k - 1) b(k) = x_1 c_1(k) + x_2 c_2(k) + ...`, all without a common divisor. Free coefficients
/// after the first are 0.
fn telescope(
    index: Atom,
    rising: &Polynomial,
    falling: &Polynomial,
    right: &[Polynomial],
) -> Option<(Polynomial, Vec<Polynomial>)> {
    let before = shift(falling, index, -1)?;
    let highest = right.iter().map(|c| c.degree_in(index)).max()?;
    let own = rising.degree_in(index).max(falling.degree_in(index));
    let degree = highest - own + 1;
    if !(0..=MAX_DEGREE).contains(&degree) || right.iter().any(|c| c.min_degree_in(index) < 0) {
        return None;
    }
    let mut columns = Vec::new();
    let mut basis = Vec::new();
    for power in 0..=u32::try_from(degree).ok()? {
        let term = Polynomial::atom(index).pow(power, MAX_TERMS)?;
        let next = shift(&term, index, 1)?;
        let up = rising.checked_mul(&next, MAX_TERMS)?;
        columns.push(&up - &before.checked_mul(&term, MAX_TERMS)?);
        basis.push(term);
    }
    columns.extend(right.iter().map(|c| -c));
    let rows = columns.iter().map(|c| c.degree_in(index)).max()?;
    let coefficients: Vec<_> = columns.iter().map(|c| c.coefficients_in(index)).collect();
    let row = |power: i32| {
        let of_column = coefficients.iter();
        let entries = of_column.map(|c| c.get(&power).cloned().unwrap_or_default());
        entries.collect()
    };
    let mut found = kernel((0..=rows).map(row).collect(), columns.len(), basis.len())?;
    let factors = found.split_off(basis.len());
    let mut solution = Polynomial::zero();
    for (term, coefficient) in basis.iter().zip(&found) {
        solution = &solution + &coefficient.checked_mul(term, MAX_TERMS)?;
    }
    Some((solution, factors))
}

/// A vector, not 0, that the matrix takes to 0: its last entries are those beyond the first column that depends on
/// the ones before it, which must not be one of the first `solved`. Without fractions (Bareiss).
fn kernel(
    mut matrix: Vec<Vec<Polynomial>>,
    columns: usize,
    solved: usize,
) -> Option<Vec<Polynomial>> {
    let mut pivot = Polynomial::one();
    let mut rank = 0;
    while rank < columns {
        let candidates = (rank..matrix.len()).filter(|&row| !matrix[row][rank].is_zero());
        let Some(best) = candidates.min_by_key(|&row| matrix[row][rank].len()) else {
            break;
        };
        matrix.swap(rank, best);
        let own = matrix[rank].clone();
        for (row, entries) in matrix.iter_mut().enumerate() {
            if row == rank {
                continue;
            }
            let factor = entries[rank].clone();
            for (entry, above) in entries.iter_mut().zip(&own) {
                let left = entry.checked_mul(&own[rank], MAX_TERMS)?;
                let right = factor.checked_mul(above, MAX_TERMS)?;
                *entry = (&left - &right).divide_exact(&pivot)?;
            }
        }
        pivot = own[rank].clone();
        rank += 1;
    }
    if rank < solved || rank == columns {
        return None;
    }
    // All pivots are the last one.
    let mut found: Vec<Polynomial> = (0..rank).map(|row| -&matrix[row][rank]).collect();
    found.push(pivot);
    found.resize(columns, Polynomial::zero());
    let found = Polynomial::without_common_divisor(&found)?;
    let content = Rational::common_measure(found.iter().flat_map(|p| p.terms().map(|(_, c)| c)));
    let inverse = content.recip()?;
    Some(found.iter().map(|p| p.scale(&inverse)).collect())
}
