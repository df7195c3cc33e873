//! Sums of a random number of variables, and laws given only by cumulants.

use super::body::{self, Body};
use super::lattice::{self, BINS};
use super::piece::{Piece, Shape};
use super::saddlepoint::generator;
use super::whole::SumDescription;
use super::{Grid, expansion, integral};
use crate::{Cumulants, Discrete, Family, Fitted, Probability, Support};
use rustfft::num_complex::Complex64;

/// Numbers of terms are told apart up to this logit,
const REACH: f64 = 36.0;

/// all of them where they are fewer than this,
const ALL: f64 = 512.0;

/// else at twice as many as this.
const NODES: i32 = 128;

/// A term narrower than this many bins is represented badly by them.
const RESOLVED: f64 = 32.0;

/// If the number of terms varies much more than their sum for a given number, each term is replaced by its mean.
const NEGLIGIBLE: f64 = 0.02;

impl Grid {
    /// A law with these cumulants and values in these bounds, with the fitted family.
    ///
    /// # Errors
    ///
    /// Fails if no law has these cumulants; the message says why.
    pub fn from_cumulants(
        cumulants: Cumulants,
        bounds: Support,
        first: Family,
    ) -> Result<(Grid, Family), String> {
        let fitted = Fitted::new(cumulants, bounds, first)?;
        let grid = Grid::of(&fitted).with_cumulants(cumulants);
        Ok((grid, fitted.family()))
    }

    /// The sum of a random number, at least 0, of independent copies of `term`; its cumulants are exact.
    ///
    /// A number with more than some hundred values, or one that is not discrete, is evaluated at
    /// some of its values.
    pub fn random_sum(count: &Grid, term: &Grid) -> Grid {
        if let Some(count) = count.as_constant() {
            return term.repeated(count);
        }
        if let Some(term) = term.as_constant() {
            return count.scaled(term);
        }
        let cumulants = Cumulants::random_sum(&count.cumulants, &term.cumulants);
        let support = count.support.random_sum(term.support);
        if expansion::applies(&cumulants) {
            return expansion::grid(cumulants, support);
        }
        if let Some(sum) = Grid::random_sum_of_few(count, term) {
            return sum.within(support).with_cumulants(cumulants);
        }
        random_sum_of_many(count, term, cumulants, support)
    }

    /// Sums of few terms one by one, in bins of their own, beside those of more, where one transform would smooth them;
    /// none of other sums.
    fn random_sum_of_few(count: &Grid, term: &Grid) -> Option<Grid> {
        let numbers = whole_numbers(count)?;
        let (few, many) = numbers.split_at(numbers.partition_point(|(_, n)| *n <= FEW_TERMS));
        let chance = term.chance_of_atoms();
        let seen = |(p, n): &(f64, f64)| p * chance.powf(*n) > SEEN;
        let wanted = if is_narrow(term, numbers.last()?.1) {
            few.iter().map(|(p, _)| p).sum::<f64>() > SEEN
        } else {
            chance > 0.0 && few.iter().any(seen)
        };
        if !wanted {
            return None;
        }
        let mut parts: Vec<(f64, Grid)> = Vec::new();
        let (mut sum, mut so_far) = (Grid::constant(0.0), 0.0);
        for (p, n) in few {
            while so_far < *n {
                sum = sum.plus(term);
                so_far += 1.0;
            }
            parts.push((*p, sum.clone()));
        }
        let rest: f64 = many.iter().map(|(p, _)| p).sum();
        let given: Vec<(f64, f64)> = many.iter().map(|(p, n)| (*n, p / rest)).collect();
        if let [(n, _)] = given[..] {
            parts.push((rest, term.repeated(n)));
        } else if let Some(given) = Discrete::new(&given) {
            let count = Grid::of_discrete(&given);
            let cumulants = Cumulants::random_sum(&count.cumulants, &term.cumulants);
            let bounds = count.support.random_sum(term.support);
            parts.push((rest, random_sum_of_many(&count, term, cumulants, bounds)));
        }
        let total: f64 = parts.iter().map(|(p, _)| p).sum();
        let parts: Vec<(f64, &Grid)> = parts.iter().map(|(p, sum)| (p / total, sum)).collect();
        Some(Grid::mixture(&parts))
    }
}

/// True if the bins of sums of up to `most` terms are wide beside a term.
fn is_narrow(term: &Grid, most: f64) -> bool {
    let Cumulants { mean, variance, .. } = term.cumulants;
    let range = most * mean.abs() + 9.5 * (most * variance).sqrt();
    variance.sqrt() < RESOLVED * range / BINS as f64
}

/// By a transform, or where the number of terms varies much more than their sum for a given number, each as its mean.
fn random_sum_of_many(count: &Grid, term: &Grid, cumulants: Cumulants, support: Support) -> Grid {
    let spread_of_terms = (count.cumulants.mean * term.cumulants.variance).sqrt();
    let spread_of_number = count.cumulants.deviation() * term.cumulants.mean.abs();
    if spread_of_terms < NEGLIGIBLE * spread_of_number {
        count.scaled(term.cumulants.mean).with_cumulants(cumulants)
    } else {
        compound(count, term, cumulants, support)
    }
}

/// Sums of at most this many terms are computed one by one.
const FEW_TERMS: f64 = 12.0;

/// where there are so few of them, or these are single values, this often.
const SEEN: f64 = 1e-6;

/// All values of a law with their probabilities, if they are whole numbers, by increasing value.
fn whole_numbers(count: &Grid) -> Option<Vec<(f64, f64)>> {
    let number = |piece: &Piece| match piece.shape {
        Shape::Atom(n) if n.fract() == 0.0 => Some((integral::mass(piece.from, piece.to), n)),
        _ => None,
    };
    count.pieces.iter().map(number).collect()
}

/// Whole numbers with their probabilities: all values of a discrete law, else some that stand for those
/// around them.
fn numbers(count: &Grid) -> Vec<(f64, f64)> {
    if let Some(numbers) = whole_numbers(count) {
        return numbers;
    }
    let at = |i: i32| {
        let t = REACH * (f64::from(i) / 32.0).sinh() / (f64::from(NODES) / 32.0).sinh();
        count.at(t).0.round().max(0.0)
    };
    let (first, last) = (at(-NODES), at(NODES));
    let mut nodes: Vec<f64> = if last - first < ALL {
        (0..=(last - first) as u32)
            .map(|n| first + f64::from(n))
            .collect()
    } else {
        (-NODES..=NODES).map(at).collect()
    };
    nodes.dedup();
    let mut from = f64::NEG_INFINITY;
    let next = nodes.iter().skip(1).map(Some).chain([None]);
    let weigh = |(n, next): (&f64, Option<&f64>)| {
        let to = next.map_or(f64::INFINITY, |next| halfway(count, 0.5 * (n + next)));
        let mass = integral::mass(from, to);
        from = to;
        (mass, *n)
    };
    nodes.iter().zip(next).map(weigh).collect()
}

/// The logit of the probability below `x` plus half the probability of `x`: a value between two nodes counts for
/// both.
fn halfway(count: &Grid, x: f64) -> f64 {
    let [before, after] = [count.logit_before(x).0, count.logit(x).0].map(Probability::from_logit);
    let middle = Probability {
        below: 0.5 * (before.below + after.below),
        above: 0.5 * (before.above + after.above),
    };
    middle.logit()
}

/// The law of the sum: the generating function of the number at the transform of the term.
fn compound(count: &Grid, term: &Grid, cumulants: Cumulants, support: Support) -> Grid {
    let numbers = &numbers(count);
    let most = numbers.last().map_or(0.0, |(_, n)| *n);
    let mean = numbers.iter().map(|(p, n)| p * n).sum::<f64>();
    // The greatest number likely at all makes a sum as great as the greatest term does.
    let upper = support
        .upper
        .min(most * term.cumulants.mean.max(0.0) + 9.5 * (most * term.cumulants.variance).sqrt());
    let layout = body::layout(
        &[(mean.max(1.0), term)],
        &cumulants,
        [support.lower, support.upper],
        false,
    );
    let inside = (BINS - body::MARGIN) as f64;
    let high = (layout.low + inside * layout.width).max(upper);
    let width = (high - layout.low) / inside;
    // All values are taken as multiples of the width, so that sums of any number share their bins.
    let offset = (term.support.lower.max(layout.anchors[0]).min(0.0) / width).floor();
    let anchor = (offset - 0.5) * width;
    let mut spectrum = lattice::transform(&lattice::bins(term, anchor, width, BINS, false));
    for (k, z) in spectrum.iter_mut().enumerate() {
        let turn = -2.0 * std::f64::consts::PI * k as f64 / BINS as f64 * offset;
        *z = generating(numbers, *z * Complex64::from_polar(1.0, turn));
    }
    let end = anchor + BINS as f64 * width;
    let left_out = body::left_out(term, anchor, end);
    let lost = left_out.map(|chance| mean * chance);
    let steepest = body::STEEPEST;
    let mut body = Body::new(&spectrum, -0.5 * width, layout.low, width, lost, steepest);
    body.fit(&Cumulants::random_sum(
        &count.cumulants,
        &body::inside(term, left_out, anchor, end),
    ));
    let sketch = integral::sketch(&term.pieces, term.cumulants.deviation());
    let log_generator = |s: f64| {
        let [k, first, second, third] = generator(&sketch, s);
        let [whole, d1, d2, d3] = generator(numbers, k);
        [
            whole,
            d1 * first,
            d2 * first * first + d1 * second,
            d3 * first.powi(3) + 3.0 * d2 * first * second + d1 * third,
        ]
    };
    SumDescription {
        terms: vec![(mean, term)],
        generator: &log_generator,
        atoms: [end_atom(numbers, term, support), 0.0],
        discrete: false,
        cumulants,
        support,
    }
    .grid(body)
}

/// `sum p_n z^n`, up to where the powers vanish; `n` increases.
fn generating(numbers: &[(f64, f64)], z: Complex64) -> Complex64 {
    let mut sum = Complex64::default();
    let (mut power, mut before) = (Complex64::new(1.0, 0.0), 0.0);
    for (p, n) in numbers {
        power *= raised(z, n - before);
        before = *n;
        if power.norm_sqr() < 1e-40 {
            break;
        }
        sum += power * p;
    }
    sum
}

fn raised(z: Complex64, n: f64) -> Complex64 {
    match n {
        1.0 => z,
        n if n < 64.0 => z.powu(n as u32),
        n => z.powf(n),
    }
}

/// The probability of the least sum, for terms that are not negative.
fn end_atom(numbers: &[(f64, f64)], term: &Grid, support: Support) -> f64 {
    let least = term.ln_end_atom(true);
    let chance = |(p, n): &(f64, f64)| if *n == 0.0 { *p } else { p * (n * least).exp() };
    match term.support.lower {
        0.0 => numbers.iter().map(chance).sum(),
        lower if lower > 0.0 && support.lower.is_finite() => numbers.first().map_or(0.0, chance),
        _ => 0.0,
    }
}
