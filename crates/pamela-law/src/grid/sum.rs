//! Sums of independent variables by their Fourier transforms.

use super::body::{self, Body, Layout};
use super::lattice;
use super::saddlepoint::generator;
use super::whole::{self, SumDescription};
use super::{Grid, expansion, integral};
use crate::{Cumulants, Support};
use rustfft::num_complex::Complex64;
use std::borrow::Cow;

/// Deviations beside that of the sum, of which bins are some 1/400.
const FINE: f64 = 0.02;

impl Grid {
    /// The sum of independent variables; 0 for none.
    pub fn sum(laws: &[&Grid]) -> Grid {
        let terms: Vec<(f64, &Grid)> = laws.iter().map(|law| (1.0, *law)).collect();
        Grid::sum_of_copies(&terms)
    }

    /// The sum of whole numbers of independent copies of each law; 0 for none.
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

    /// The sum of `n` independent copies; 0 for `n = 0`.
    ///
    /// The cumulants are for `n`; the shape is for the nearest whole number.
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
        if n == count {
            whole
        } else {
            whole.fitted_to(self.cumulants.repeated(n))
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
    let term = |&(n, law): &(f64, &'a Grid)| {
        if law.cumulants.deviation() < FINE * deviation && n > 1.0 {
            (1.0, Cow::Owned(law.repeated(n)))
        } else {
            (n, Cow::Borrowed(law))
        }
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
    let (body, discrete) = body_of(terms, &cumulants, support);
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

/// The body of the sum, and whether every bin is a value of it. Uses as few bins as the body needs; if it is smooth
/// enough, the bins of a single law need not be positive.
fn body_of(terms: &[(f64, &Grid)], cumulants: &Cumulants, support: Support) -> (Body, bool) {
    let ends = [support.lower, support.upper];
    let few = body::layout(terms, cumulants, ends, true);
    let count: f64 = terms.iter().map(|(n, _)| n).sum();
    let laws: Vec<&Grid> = terms.iter().map(|(_, law)| *law).collect();
    let discrete = body::span(&laws).is_some_and(|span| span == few.width);
    if !discrete && (few.bins < lattice::BINS || count >= MANY) {
        let sum = Transformed::new(terms, &few, true);
        if sum.is_smooth() {
            let body = sum.body(&few, 1.0);
            if whole::is_clear_of_ends(&body, support) {
                return (body, false);
            }
        }
    }
    let layout = if few.bins < lattice::BINS {
        body::layout(terms, cumulants, ends, false)
    } else {
        few
    };
    let sum = Transformed::new(terms, &layout, false);
    let steepest = if discrete { 0.0 } else { body::STEEPEST };
    (sum.body(&layout, steepest), discrete)
}

/// The sum of at least this many laws is likely to be smooth.
const MANY: f64 = 16.0;

/// The transform of a sum in bins.
struct Transformed {
    spectrum: Vec<Complex64>,
    /// Lower edge of the first bin.
    start: f64,
    /// Probability outside of the bins, below and above.
    lost: [f64; 2],
    /// Cumulants of the part inside of the bins.
    inside: Cumulants,
}

impl Transformed {
    fn new(terms: &[(f64, &Grid)], layout: &Layout, signed: bool) -> Transformed {
        let Layout { width, bins, .. } = *layout;
        let mut sum = Transformed {
            spectrum: vec![Complex64::new(1.0, 0.0); bins / 2 + 1],
            start: -0.5 * width,
            lost: [0.0; 2],
            inside: Cumulants::constant(0.0),
        };
        for ((count, law), anchor) in terms.iter().zip(&layout.anchors) {
            let end = anchor + bins as f64 * width;
            let mut one = lattice::transform(&lattice::bins(law, *anchor, width, bins, signed));
            body::power(&mut one, *count);
            sum.spectrum.iter_mut().zip(one).for_each(|(z, w)| *z *= w);
            let left_out = body::left_out(law, *anchor, end);
            let inside = body::inside(law, left_out, *anchor, end);
            sum.inside = sum.inside.plus(&inside.repeated(*count));
            sum.lost = [0, 1].map(|i| sum.lost[i] + count * left_out[i]);
            sum.start += count * (anchor + 0.5 * width);
        }
        sum
    }

    /// True if nothing is left of it at half of the frequencies, so that bins of twice the width would do.
    fn is_smooth(&self) -> bool {
        let high = &self.spectrum[self.spectrum.len() / 2..];
        high.iter().all(|z| z.norm_sqr() < 1e-24)
    }

    /// `steepest` is 0 of single values.
    fn body(&self, layout: &Layout, steepest: f64) -> Body {
        let Layout { low, width, .. } = *layout;
        let mut body = Body::new(&self.spectrum, self.start, low, width, self.lost, steepest);
        if steepest > 0.0 {
            body.fit(&self.inside);
        }
        body
    }
}
