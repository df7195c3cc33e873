//! Sums of terms with exact factors.

use pamela_exact::ring::Rational;

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
    let factors = factors(terms, values, constant)?;
    let common = Rational::from(Rational::common_measure(factors.iter()).denominator());
    let common = common.to_i64().filter(|own| *own <= MOST_DIVISOR)?;
    let whole = |factor: &Rational| (factor * &Rational::from(common)).to_i64();
    let factors = factors.iter().map(whole).collect::<Option<Vec<i64>>>()?;
    let wide = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let fits = |at: usize| {
        let own = terms
            .iter()
            .zip(&factors)
            .map(|((_, column), factor)| wide(column[at], *factor));
        let rest: i128 = factors[terms.len()..width]
            .iter()
            .map(|own| i128::from(*own))
            .sum();
        own.sum::<i128>() + rest == wide(values[at], common)
    };
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

/// The only solution of the equations that the samples give, each a row of columns, perhaps 1, and the value.
fn factors(terms: &[&(Atom, Vec<i64>)], values: &[i64], constant: bool) -> Option<Vec<Rational>> {
    let width = terms.len() + usize::from(constant);
    // Each row has 1 at its place and 0 at those of the others.
    let mut fixed: Vec<(usize, Vec<Rational>)> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let own = terms.iter().map(|(_, column)| column[at]);
        let own = own.chain(constant.then_some(1)).chain([*value]);
        let mut own: Vec<Rational> = own.map(Rational::from).collect();
        for (place, other) in &fixed {
            clear(&mut own, other, *place);
        }
        let Some(place) = own.iter().position(|factor| !factor.is_zero()) else {
            continue;
        };
        // Nothing is left of the factors, but something of the value.
        let scale = own[place].recip().filter(|_| place < width)?;
        own.iter_mut()
            .for_each(|factor| *factor = &*factor * &scale);
        for (_, other) in &mut fixed {
            clear(other, &own, place);
        }
        fixed.push((place, own));
        if fixed.len() == width {
            break;
        }
    }
    fixed.sort_by_key(|(place, _)| *place);
    let found: Vec<Rational> = fixed
        .into_iter()
        .filter_map(|(_, mut row)| row.pop())
        .collect();
    (found.len() == width).then_some(found)
}

/// Subtracts as much of another row as leaves 0 at a place, where that one has 1.
fn clear(row: &mut [Rational], other: &[Rational], place: usize) {
    let by = row[place].clone();
    for (own, other) in row.iter_mut().zip(other) {
        *own = &*own - &(other * &by);
    }
}
