//! Sums of independent variables by their Fourier transforms.

use super::body::{self, Body};
use super::lattice::{self, BINS};
use super::saddlepoint::generator;
use super::whole::Whole;
use super::{Grid, expansion, integral};
use crate::law::{Cumulants, Support};
use rustfft::num_complex::Complex64;

impl Grid {
    /// The sum of independent variables; 0 of none.
    pub fn sum(laws: &[&Grid]) -> Grid {
        let constants: f64 = laws.iter().filter_map(|law| law.as_constant()).sum();
        let random: Vec<&Grid> = (laws.iter().copied())
            .filter(|law| law.as_constant().is_none())
            .collect();
        let whole = match random.as_slice() {
            [] => return Grid::constant(constants),
            [law] => (*law).clone(),
            laws => copies(laws, 1.0),
        };
        whole.shifted(constants)
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
            count => copies(&[self], count),
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

/// The sum of one copy of each of several laws, or of `count` copies of a single one; none is constant.
fn copies(laws: &[&Grid], count: f64) -> Grid {
    let one = laws.iter().fold(Cumulants::constant(0.0), |all, law| {
        all.plus(&law.cumulants)
    });
    let cumulants = one.repeated(count);
    let end =
        |end: fn(&Support) -> f64| count * laws.iter().map(|law| end(&law.support)).sum::<f64>();
    let support = Support::new(end(|s| s.lower), end(|s| s.upper));
    if expansion::applies(&cumulants) {
        return expansion::grid(cumulants, support);
    }
    let layout = body::layout(laws, count, &cumulants, [support.lower, support.upper]);
    let width = layout.width;
    let mut spectrum = vec![Complex64::new(1.0, 0.0); BINS];
    let mut lost = [0.0; 2];
    let mut inside = Cumulants::constant(0.0);
    for (law, anchor) in laws.iter().zip(&layout.anchors) {
        let one = lattice::transform(lattice::bins(law, *anchor, width));
        spectrum.iter_mut().zip(one).for_each(|(z, w)| *z *= w);
        let left_out = body::left_out(law, *anchor, width);
        inside = inside.plus(&body::inside(law, left_out, *anchor, width).repeated(count));
        lost = [0, 1].map(|i| lost[i] + count * left_out[i]);
    }
    body::power(&mut spectrum, count);
    let discrete = body::span(laws).is_some_and(|span| span == width);
    let half = 0.5 * width;
    let least: f64 = layout.anchors.iter().map(|anchor| anchor + half).sum();
    let start = count * least - half;
    let mut body = Body::new(spectrum, start, layout.low, width, lost, !discrete);
    if !discrete {
        body.fit(&inside);
    }
    let sketches: Vec<_> = (laws.iter())
        .map(|law| integral::sketch(&law.pieces, law.cumulants.deviation()))
        .collect();
    let log_generator = |s: f64| {
        let mut sum = [0.0; 4];
        for sketch in &sketches {
            let one = generator(sketch, s);
            (0..4).for_each(|i| sum[i] += count * one[i]);
        }
        sum
    };
    let atom = |first: bool| {
        let log: f64 = laws.iter().map(|law| law.ln_end_atom(first)).sum();
        (count * log).exp()
    };
    Whole {
        terms: laws.iter().map(|law| (count, *law)).collect(),
        generator: &log_generator,
        atoms: [atom(true), atom(false)],
        discrete,
        cumulants,
        support,
    }
    .grid(body)
}
