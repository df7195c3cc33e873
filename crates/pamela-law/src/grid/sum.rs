//! Sums of independent variables by their Fourier transforms.

use super::body::{self, Body};
use super::lattice::{self, HALF};
use super::saddlepoint::generator;
use super::whole::SumDescription;
use super::{Grid, expansion, integral};
use crate::{Cumulants, Support};
use rustfft::num_complex::Complex64;
use std::borrow::Cow;

/// Deviations beside that of the sum, of which bins are some 1/400.
const FINE: f64 = 0.02;

impl Grid {
    /// The sum of independent variables; 0 of none.
    pub fn sum(laws: &[&Grid]) -> Grid {
        let terms: Vec<(f64, &Grid)> = laws.iter().map(|law| (1.0, *law)).collect();
        Grid::sum_of_copies(&terms)
    }

    /// The sum of whole numbers of independent copies of each law; 0 of none.
    pub fn sum_of_copies(terms: &[(f64, &Grid)]) -> Grid {
        let constants = terms
            .iter()
            .filter_map(|(n, law)| Some(n * law.as_constant()?));
        let constants: f64 = constants.sum();
        let random: Vec<(f64, &Grid)> = (terms.iter().copied())
            .filter(|(n, law)| law.as_constant().is_none() && *n >= 1.0)
            .collect();
        let whole = match random.as_slice() {
            [] => return Grid::constant(constants),
            [(1.0, law)] => (*law).clone(),
            terms => Grid::sum_of_mixed(terms).unwrap_or_else(|| Grid::sum_by_transform(terms)),
        };
        whole.shifted(constants)
    }

    /// The sum of copies of laws that are not constant.
    pub(super) fn sum_by_transform(terms: &[(f64, &Grid)]) -> Grid {
        if let Some(sum) = Grid::sum_of_values(terms) {
            return sum;
        }
        let terms = resolved(terms);
        let terms = terms.iter().map(|(n, law)| (*n, law.as_ref()));
        copies(&terms.collect::<Vec<_>>())
    }

    /// The sum of `n` independent copies; 0 of none. The cumulants are those of `n`, the shape is that of the
    /// whole number next to it.
    pub fn repeated(&self, n: f64) -> Grid {
        if n.is_nan() || n <= 0.0 {
            return Grid::constant(0.0);
        }
        if let Some(value) = self.as_constant() {
            return Grid::constant(n * value);
        }
        let count = n.round().max(1.0);
        let whole = match count {
            1.0 => self.clone(),
            count => Grid::sum_of_copies(&[(count, self)]),
        };
        match n == count {
            true => whole,
            false => whole.fitted_to(self.cumulants.repeated(n)),
        }
    }

    /// Moved and scaled to a mean and variance, with these cumulants.
    fn fitted_to(&self, cumulants: Cumulants) -> Grid {
        let factor = cumulants.deviation() / self.cumulants.deviation();
        let amount = cumulants.mean - factor * self.cumulants.mean;
        self.moved(factor, amount).with_cumulants(cumulants)
    }
}

/// Terms whose copies have several bins to their deviation in the layout of the sum; of others, their own sum first.
/// Copies of a single law are that sum.
fn resolved<'a>(terms: &[(f64, &'a Grid)]) -> Vec<(f64, Cow<'a, Grid>)> {
    if let [(n, law)] = *terms {
        return vec![(n, Cow::Borrowed(law))];
    }
    let variances = terms.iter().map(|(n, law)| n * law.cumulants.variance);
    let deviation = variances.sum::<f64>().sqrt();
    let term = |&(n, law): &(f64, &'a Grid)| match law.cumulants.deviation() < FINE * deviation {
        true if n > 1.0 => (1.0, Cow::Owned(law.repeated(n))),
        _ => (n, Cow::Borrowed(law)),
    };
    terms.iter().map(term).collect()
}

/// The sum of some copies of each of several laws, none of them constant.
fn copies(terms: &[(f64, &Grid)]) -> Grid {
    let cumulants = terms
        .iter()
        .fold(Cumulants::constant(0.0), |all, (n, law)| {
            all.plus(&law.cumulants.repeated(*n))
        });
    let end = |end: fn(&Support) -> f64| terms.iter().map(|(n, law)| n * end(&law.support)).sum();
    let support = Support::new(end(|s| s.lower), end(|s| s.upper));
    if expansion::applies(&cumulants) {
        return expansion::grid(cumulants, support);
    }
    let layout = body::layout(terms, &cumulants, [support.lower, support.upper]);
    let width = layout.width;
    let mut spectrum = vec![Complex64::new(1.0, 0.0); HALF + 1];
    let mut lost = [0.0; 2];
    let mut inside = Cumulants::constant(0.0);
    for ((count, law), anchor) in terms.iter().zip(&layout.anchors) {
        let mut one = lattice::transform(&lattice::bins(law, *anchor, width));
        body::power(&mut one, *count);
        spectrum.iter_mut().zip(one).for_each(|(z, w)| *z *= w);
        let left_out = body::left_out(law, *anchor, width);
        inside = inside.plus(&body::inside(law, left_out, *anchor, width).repeated(*count));
        lost = [0, 1].map(|i| lost[i] + count * left_out[i]);
    }
    let laws: Vec<&Grid> = terms.iter().map(|(_, law)| *law).collect();
    let discrete = body::span(&laws).is_some_and(|span| span == width);
    let half = 0.5 * width;
    let least = terms.iter().zip(&layout.anchors);
    let least: f64 = least.map(|((n, _), anchor)| n * (anchor + half)).sum();
    let start = least - half;
    let mut body = Body::new(&spectrum, start, layout.low, width, lost, !discrete);
    if !discrete {
        body.fit(&inside);
    }
    let sketch = |law: &Grid| integral::sketch(&law.pieces, law.cumulants.deviation());
    let sketches: Vec<_> = terms.iter().map(|(n, law)| (n, sketch(law))).collect();
    let log_generator = |s: f64| {
        let mut sum = [0.0; 4];
        for (count, sketch) in &sketches {
            let one = generator(sketch, s);
            (0..4).for_each(|i| sum[i] += *count * one[i]);
        }
        sum
    };
    let atom = |first: bool| {
        let log: f64 = terms
            .iter()
            .map(|(n, law)| n * law.ln_end_atom(first))
            .sum();
        log.exp()
    };
    SumDescription {
        terms: terms.to_vec(),
        generator: &log_generator,
        atoms: [atom(true), atom(false)],
        discrete,
        cumulants,
        support,
    }
    .grid(body)
}
