//! Formulas that give measured whole numbers exactly, at every rank, point and iteration.

use super::atoms::*;
use super::events::NOBODY;

/// Pieces of a formula, and values of a variable that tell them apart.
const MOST_PIECES: usize = 16;
const DEPTH: usize = 3;
/// Samples that a formula is sought for; it is then checked at all.
const FIRST: usize = 200;
const ROUNDS: usize = 30;
/// Divisors of sums, such as that of triangles.
const MOST_DIVISOR: i64 = 2;

#[derive(Clone, Debug)]
pub struct Sample {
    pub values: Values,
    pub value: i64,
}

/// What a number is, which says how its formula may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Amount,
    Partner,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `(constant + a * atom + ..) / divisor`
    Linear {
        constant: i64,
        terms: Vec<(i64, Atom)>,
        divisor: i64,
    },
    /// The rest by the number of ranks.
    Around(Box<Formula>),
    /// The rank with other bits.
    Flipped(Box<Formula>),
    If(Guard, Box<Formula>, Box<Formula>),
}

impl Formula {
    fn constant(constant: i64) -> Formula {
        Formula::Linear {
            constant,
            terms: Vec::new(),
            divisor: 1,
        }
    }

    pub fn at(&self, values: &[i64]) -> Option<i64> {
        match self {
            Formula::Linear {
                constant,
                terms,
                divisor,
            } => {
                let mut sum = i128::from(*constant);
                for (factor, atom) in terms {
                    sum += i128::from(*factor) * i128::from(atom.at(values)?);
                }
                let divisor = i128::from(*divisor);
                let exact = sum % divisor == 0;
                exact.then(|| i64::try_from(sum / divisor).ok()).flatten()
            }
            Formula::Around(inner) => Some(inner.at(values)?.rem_euclid(values[RANKS])),
            Formula::Flipped(inner) => Some(inner.at(values)? ^ values[RANK]),
            Formula::If(guard, yes, no) if guard.holds(values) => yes.at(values),
            Formula::If(_, _, no) => no.at(values),
        }
    }

    /// The rank at this distance in one direction or the other, before it is taken by the number of ranks; never below 0.
    fn beyond(self, direction: i64) -> Option<Formula> {
        let Formula::Linear {
            constant,
            terms,
            divisor: 1,
        } = self
        else {
            return None;
        };
        let mut all = vec![(1, Atom::One(RANK))];
        all.extend((direction < 0).then_some((1, Atom::One(RANKS))));
        let turned = terms
            .into_iter()
            .map(|(factor, atom)| (direction * factor, atom));
        all.extend(turned);
        Some(Formula::Linear {
            constant: direction * constant,
            terms: all,
            divisor: 1,
        })
    }

    fn pieces(&self) -> usize {
        match self {
            Formula::If(_, yes, no) => yes.pieces() + no.pieces(),
            _ => 1,
        }
    }

    /// Text in C.
    pub fn text(&self, names: &Names) -> String {
        match self {
            Formula::Linear {
                constant, terms, ..
            } if terms.is_empty() && *constant == NOBODY => "MPI_PROC_NULL".to_string(),
            Formula::Linear {
                constant,
                terms,
                divisor,
            } => linear_text(*constant, terms, *divisor, names),
            Formula::Around(inner) => format!("({}) % {}", inner.text(names), names.0[RANKS]),
            Formula::Flipped(inner) => format!("({} ^ ({}))", names.0[RANK], inner.text(names)),
            Formula::If(guard, yes, no) => format!(
                "({} ? {} : {})",
                guard.text(names),
                yes.text(names),
                no.text(names)
            ),
        }
    }
}

fn linear_text(constant: i64, terms: &[(i64, Atom)], divisor: i64, names: &Names) -> String {
    let mut text = String::new();
    for (factor, atom) in terms {
        let sign = match (text.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let factor = match factor.unsigned_abs() {
            1 => String::new(),
            other => format!("{other} * "),
        };
        text.push_str(&format!("{sign}{factor}{}", atom.text(names)));
    }
    match constant {
        _ if text.is_empty() => text = constant.to_string(),
        0 => {}
        1.. => text.push_str(&format!(" + {constant}")),
        _ => text.push_str(&format!(" - {}", constant.unsigned_abs())),
    }
    match divisor {
        1 => text,
        _ => format!("(({text}) / {divisor})"),
    }
}

/// The variables of samples: those from `counters` on are counters of loops.
pub struct Space {
    pub counters: usize,
}

/// A formula that holds at all samples.
pub fn formula(space: &Space, samples: &[Sample], role: Role) -> Option<Formula> {
    let step = samples.len().div_ceil(FIRST).max(1);
    let mut some: Vec<&Sample> = samples.iter().step_by(step).collect();
    for _ in 0..ROUNDS {
        let found = pieces(space, &some, role, DEPTH)?;
        let wrong = |sample: &&Sample| found.at(&sample.values) != Some(sample.value);
        let mut wrong = samples.iter().filter(wrong).peekable();
        if wrong.peek().is_none() {
            return Some(found).filter(|found| found.pieces() <= MOST_PIECES);
        }
        some.extend(wrong.take(10));
    }
    None
}

/// A condition that holds at the samples of value 1 alone.
pub fn guard(space: &Space, samples: &[Sample]) -> Option<Guard> {
    let all: Vec<&Sample> = samples.iter().collect();
    condition(&all, space, DEPTH)
}

fn pieces(space: &Space, samples: &[&Sample], role: Role, depth: usize) -> Option<Formula> {
    if let Some(found) = simple(space, samples, role) {
        return Some(found);
    }
    if depth == 0 {
        return None;
    }
    two(space, samples, role).or_else(|| by_value(space, samples, role, depth))
}

/// Two formulas, told apart by a condition.
fn two(space: &Space, samples: &[&Sample], role: Role) -> Option<Formula> {
    let both = |guard: Guard| {
        let (yes, no) = split(samples, |sample| guard.holds(&sample.values));
        if yes.is_empty() || no.is_empty() {
            return None;
        }
        // The smaller part is the less likely to have a formula.
        let yes = simple(space, &yes, role)?;
        Some(Formula::If(
            guard,
            Box::new(yes),
            Box::new(simple(space, &no, role)?),
        ))
    };
    if role == Role::Partner && samples.iter().any(|sample| sample.value == NOBODY) {
        let somebody: Vec<Sample> = samples
            .iter()
            .map(|sample| Sample {
                values: sample.values.clone(),
                value: i64::from(sample.value != NOBODY),
            })
            .collect();
        return guard(space, &somebody).and_then(both);
    }
    comparisons(samples)
        .into_iter()
        .find_map(|own| both(Guard(vec![vec![own]])))
}

/// A formula for each value of a variable.
fn by_value(space: &Space, samples: &[&Sample], role: Role, depth: usize) -> Option<Formula> {
    let count = samples.first()?.values.len();
    let order = (RANKS..count).chain([RANK]);
    for variable in order {
        let Some(known) = few(samples, variable) else {
            continue;
        };
        let mut found: Option<Formula> = None;
        let mut parts = known.iter().rev();
        let fits = parts.all(|value| {
            let (own, _) = split(samples, |sample| sample.values[variable] == *value);
            let Some(part) = pieces(space, &own, role, depth - 1) else {
                return false;
            };
            found = Some(match found.take() {
                // The largest value stands for all others.
                None => part,
                Some(other) if other == part => other,
                Some(other) => Formula::If(
                    Guard(vec![vec![equal(variable, *value)]]),
                    Box::new(part),
                    Box::new(other),
                ),
            });
            true
        });
        if let Some(found) = found.filter(|found| fits && found.pieces() <= MOST_PIECES) {
            return Some(found);
        }
    }
    None
}

fn equal(variable: usize, number: i64) -> Comparison {
    Comparison {
        side: Side::One(variable),
        relation: Relation::Equal,
        base: None,
        number,
    }
}

/// The values of a variable, if they are few.
fn few(samples: &[&Sample], variable: usize) -> Option<Vec<i64>> {
    let mut known: Vec<i64> = samples
        .iter()
        .map(|sample| sample.values[variable])
        .collect();
    known.sort_unstable();
    known.dedup();
    (2..=MOST_PIECES).contains(&known.len()).then_some(known)
}

fn split<'s>(
    samples: &[&'s Sample],
    is_first: impl Fn(&Sample) -> bool,
) -> (Vec<&'s Sample>, Vec<&'s Sample>) {
    samples.iter().copied().partition(|sample| is_first(sample))
}

/// A formula without cases.
fn simple(space: &Space, samples: &[&Sample], role: Role) -> Option<Formula> {
    let values: Vec<i64> = samples.iter().map(|sample| sample.value).collect();
    let first = *values.first()?;
    if values.iter().all(|value| *value == first) {
        return Some(Formula::constant(first));
    }
    if values.contains(&NOBODY) && role == Role::Partner {
        return None;
    }
    let mut table = Table::of(space, samples);
    if role == Role::Amount {
        return table.linear(&values, 2);
    }
    // Partners are ranks at some distance.
    table.atoms.retain(|(atom, _)| matches!(atom, Atom::One(_)));
    let moved = |by: fn(i64, i64, i64) -> i64| -> Vec<i64> {
        let moved = |sample: &&Sample| by(sample.value, sample.values[RANK], sample.values[RANKS]);
        samples.iter().map(moved).collect()
    };
    let around = || {
        let forth = moved(|value, rank, ranks| (value - rank).rem_euclid(ranks));
        let back = moved(|value, rank, ranks| (rank - value).rem_euclid(ranks));
        let forth = table.linear(&forth, 1).and_then(|found| found.beyond(1));
        let back = table.linear(&back, 1).and_then(|found| found.beyond(-1));
        let length = |found: &Formula| match found {
            Formula::Linear { terms, .. } => terms.len(),
            _ => 0,
        };
        let shorter = forth.into_iter().chain(back).min_by_key(length);
        shorter.map(|found| Formula::Around(Box::new(found)))
    };
    let flipped = || {
        let found = table.linear(&moved(|value, rank, _| value ^ rank), 0)?;
        Some(Formula::Flipped(Box::new(found)))
    };
    table
        .linear(&values, 1)
        .or_else(around)
        .or_else(flipped)
        .or_else(|| table.linear(&values, 2))
}

/// The values of all terms at some samples.
struct Table {
    atoms: Vec<(Atom, Vec<i64>)>,
}

impl Table {
    fn of(space: &Space, samples: &[&Sample]) -> Table {
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
    fn linear(&self, values: &[i64], terms: usize) -> Option<Formula> {
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
    let mut common = 1_i128;
    for (_, down) in &known {
        common = common / divisor(common, *down) * down;
    }
    let common = i64::try_from(common)
        .ok()
        .filter(|own| *own <= MOST_DIVISOR)?;
    let whole = |(up, down): &(i128, i128)| i64::try_from(up * (i128::from(common) / down)).ok();
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

/// Comparisons that some samples meet, the likeliest first.
fn comparisons(samples: &[&Sample]) -> Vec<Comparison> {
    let most = samples
        .iter()
        .map(|sample| sample.values[RANKS])
        .max()
        .unwrap_or(1)
        .min(64);
    let of = |side, relation, base, number| Comparison {
        side,
        relation,
        base,
        number,
    };
    use Relation::{AtLeast, Equal, Less, Unequal};
    let rank = Side::One(RANK);
    let mut all = Vec::new();
    for number in 1..most {
        let ranks = |relation| of(Side::One(RANKS), relation, None, number + 1);
        all.extend([ranks(Equal), ranks(Less), ranks(AtLeast)]);
    }
    for number in 0..most {
        for relation in [Equal, Unequal] {
            all.push(of(rank, relation, None, number));
            all.push(of(rank, relation, Some(RANKS), number + 1));
        }
        for relation in [Less, AtLeast] {
            all.push(of(rank, relation, None, number + 1));
            all.push(of(rank, relation, Some(RANKS), number + 1));
        }
    }
    for by in 2..most {
        for number in [0, by - 1] {
            all.push(of(Side::Rest(RANK, by), Equal, None, number));
            all.push(of(Side::Rest(RANK, by), Unequal, None, number));
        }
        for number in 1..most.div_euclid(by) {
            all.push(of(Side::Quotient(RANK, by), Equal, None, number));
        }
    }
    let count = samples.first().map_or(0, |sample| sample.values.len());
    for variable in 2..count {
        for value in few(samples, variable).unwrap_or_default() {
            all.push(equal(variable, value));
            all.push(of(Side::One(variable), Less, None, value));
        }
    }
    // Those that hold everywhere or nowhere say nothing.
    all.retain(|own| {
        let holds = samples
            .iter()
            .filter(|sample| own.holds(&sample.values))
            .count();
        (1..samples.len()).contains(&holds)
    });
    all
}

fn condition(samples: &[&Sample], space: &Space, depth: usize) -> Option<Guard> {
    let is = |sample: &&Sample, holds: bool| holds == (sample.value == 1);
    let all = comparisons(samples);
    let column = |own: &Comparison| -> Vec<bool> {
        samples
            .iter()
            .map(|sample| own.holds(&sample.values))
            .collect()
    };
    let columns: Vec<Vec<bool>> = all.iter().map(column).collect();
    let fits = |holds: &dyn Fn(usize) -> bool| {
        samples
            .iter()
            .enumerate()
            .all(|(at, sample)| is(sample, holds(at)))
    };
    for (at, own) in all.iter().enumerate() {
        if fits(&|sample| columns[at][sample]) {
            return Some(Guard(vec![vec![*own]]));
        }
    }
    for (a, first) in all.iter().enumerate() {
        for (b, second) in all.iter().enumerate().skip(a + 1) {
            if fits(&|sample| columns[a][sample] && columns[b][sample]) {
                return Some(Guard(vec![vec![*first, *second]]));
            }
            if fits(&|sample| columns[a][sample] || columns[b][sample]) {
                return Some(Guard(vec![vec![*first], vec![*second]]));
            }
        }
    }
    if depth == 0 {
        return None;
    }
    let count = samples.first()?.values.len();
    for variable in (RANKS..count).chain([RANK]) {
        let Some(known) = few(samples, variable) else {
            continue;
        };
        let mut lists = Vec::new();
        let fits = known.iter().all(|value| {
            let (own, _) = split(samples, |sample| sample.values[variable] == *value);
            let ones = own.iter().filter(|sample| sample.value == 1).count();
            let here = equal(variable, *value);
            if ones == own.len() {
                lists.push(vec![here]);
            } else if ones > 0 {
                let Some(inner) = condition(&own, space, depth - 1) else {
                    return false;
                };
                lists.extend(inner.0.into_iter().map(|mut list| {
                    list.insert(0, here);
                    list
                }));
            }
            true
        });
        if fits && lists.len() <= MOST_PIECES {
            return Some(Guard(lists));
        }
    }
    None
}
