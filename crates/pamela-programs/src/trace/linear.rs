//! Sums of terms with exact factors.

use super::atoms::Atom;
use super::formula::Formula;
use super::samples::{Sample, Space};

/// Divisors of sums, such as that of triangles.
const MOST_DIVISOR: i64 = 2;

/// The values of all terms at some samples.
pub struct Table {
    pub atoms: Vec<(Atom, Vec<i64>)>,
}

impl Table {
    pub fn of(space: &Space, samples: &[&Sample]) -> Table {
        let count = samples.first().map_or(0, |sample| sample.values.len());
        let column = |atom: Atom| {
            let column = samples.iter().map(|sample| atom.at(&sample.values));
            let column = column.collect::<Option<Vec<i64>>>()?;
            let varies = column.iter().any(|value| *value != column[0]);
            varies.then_some((atom, column))
        };
        let mut atoms: Vec<(Atom, Vec<i64>)> = Vec::new();
        for (atom, column) in Atom::all(count, space.counters)
            .into_iter()
            .filter_map(column)
        {
            // Of equal columns the simplest term stands for all.
            if atoms.iter().all(|(_, own)| *own != column) {
                atoms.push((atom, column));
            }
        }
        Table { atoms }
    }

    /// A sum of at most so many terms, and a constant.
    pub fn linear(&self, values: &[i64], terms: usize) -> Option<Formula> {
        let first = *values.first()?;
        if values.iter().all(|value| *value == first) {
            return Some(Formula::constant(first));
        }
        let one = |constant: bool| {
            self.atoms
                .iter()
                .find_map(|own| solve(&[own], values, constant))
        };
        let pairs = |constant: bool| {
            self.atoms.iter().enumerate().find_map(|(at, a)| {
                self.atoms[at + 1..]
                    .iter()
                    .find_map(|b| solve(&[a, b], values, constant))
            })
        };
        let mut found = None;
        if terms >= 1 {
            found = one(false).or_else(|| one(true));
        }
        if terms >= 2 {
            found = found.or_else(|| pairs(false)).or_else(|| pairs(true));
        }
        found
    }
}

/// The factors of terms, exactly.
fn solve(terms: &[&(Atom, Vec<i64>)], values: &[i64], constant: bool) -> Option<Formula> {
    let width = terms.len() + usize::from(constant);
    let row = |at: usize| -> Vec<i128> {
        let own = terms.iter().map(|(_, column)| i128::from(column[at]));
        own.chain(constant.then_some(1))
            .chain([i128::from(values[at])])
            .collect()
    };
    // Rows that fix the factors, in echelon form.
    let mut fixed: Vec<(usize, Vec<i128>)> = Vec::new();
    for at in 0..values.len() {
        let mut own = row(at);
        for (pivot, other) in &fixed {
            let (a, b) = (own[*pivot], other[*pivot]);
            for (own, other) in own.iter_mut().zip(other) {
                *own = own.checked_mul(b)?.checked_sub(other.checked_mul(a)?)?;
            }
        }
        reduce(&mut own);
        match own[..width].iter().position(|factor| *factor != 0) {
            None if own[width] != 0 => return None,
            None => {}
            Some(pivot) => fixed.push((pivot, own)),
        }
        if fixed.len() == width {
            break;
        }
    }
    if fixed.len() < width {
        return None;
    }
    let known = factors_of(&fixed, width)?;
    let mut common = 1_i128;
    for (_, down) in &known {
        common = common / divisor(common, *down) * down;
    }
    let common = i64::try_from(common)
        .ok()
        .filter(|own| *own <= MOST_DIVISOR)?;
    let whole =
        |(up, down): &(i128, i128)| i64::try_from(up.checked_mul(i128::from(common) / down)?).ok();
    let factors = known.iter().map(whole).collect::<Option<Vec<i64>>>()?;
    let found = |at: usize| -> Option<i128> {
        let own = terms
            .iter()
            .zip(&factors)
            .map(|((_, column), factor)| i128::from(column[at]).checked_mul(i128::from(*factor)));
        let sum = own.sum::<Option<i128>>()?;
        Some(if constant {
            sum + i128::from(factors[terms.len()])
        } else {
            sum
        })
    };
    let fits = |at: usize| found(at) == Some(i128::from(values[at]) * i128::from(common));
    if !(0..values.len()).all(fits) || factors[..terms.len()].contains(&0) {
        return None;
    }
    let own = factors
        .iter()
        .copied()
        .zip(terms.iter().map(|(atom, _)| *atom));
    Some(Formula::Linear {
        constant: if constant { factors[terms.len()] } else { 0 },
        terms: own.collect(),
        divisor: common,
    })
}

fn reduce(row: &mut [i128]) {
    let by = row.iter().fold(0, |by, own| divisor(by, *own));
    if by > 1 {
        row.iter_mut().for_each(|own| *own /= by);
    }
}

fn divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// The solution of rows in echelon form, as fractions.
fn factors_of(fixed: &[(usize, Vec<i128>)], width: usize) -> Option<Vec<(i128, i128)>> {
    // From the last row back: fractions with one divisor.
    let mut known: Vec<(i128, i128)> = vec![(0, 1); width];
    for (pivot, row) in fixed.iter().rev() {
        let (mut up, mut down) = (row[width], 1_i128);
        for (place, (own_up, own_down)) in known.iter().enumerate() {
            if place != *pivot && row[place] != 0 {
                up = up
                    .checked_mul(*own_down)?
                    .checked_sub(row[place].checked_mul(*own_up)?.checked_mul(down)?)?;
                down = down.checked_mul(*own_down)?;
            }
        }
        down = down.checked_mul(row[*pivot])?;
        let by = divisor(up, down) * down.signum();
        known[*pivot] = (up / by, down / by);
    }
    Some(known)
}
