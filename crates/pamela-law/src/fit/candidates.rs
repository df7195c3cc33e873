//! Candidate laws for samples.

use super::{Atom, Candidate, Goodness, shown};
use crate::named::Sorted;
use crate::shortest;
use crate::{Cumulants, Distribution, Gld, Johnson, LawName, Named, Support};

const LIKELIHOOD: &str = "maximum likelihood";
const MOMENTS: &str = "moments";

/// All laws that can have these samples, in increasing order, without the single values.
pub fn of(sorted: &[f64], cumulants: &Cumulants, atoms: &[Atom]) -> Vec<Candidate> {
    let samples = Sorted {
        samples: sorted,
        cumulants: *cumulants,
    };
    let mut laws = named(&samples);
    let four = shown(cumulants);
    if let Some(law) = Gld::fit(cumulants) {
        laws.push(fitted("gld", &law, &four, |x| law.density(x).ln(), sorted));
    }
    if let Some(law) = Johnson::fit(cumulants) {
        laws.push(fitted(
            "johnson",
            &law,
            &four,
            |x| law.density(x).ln(),
            sorted,
        ));
    }
    for law in &mut laws {
        law.expression = beside(atoms, &law.expression);
    }
    laws
}

/// The mixture of single values with a law.
fn beside(atoms: &[Atom], law: &str) -> String {
    if atoms.is_empty() {
        return law.to_string();
    }
    let mut rest = 1.0;
    let parts = atoms.iter().map(|Atom { value, share }| {
        rest -= share;
        format!("{}, {}", shortest::text(*share), shortest::text(*value))
    });
    let parts: Vec<String> = parts.collect();
    format!(
        "mixture({}, {}, {law})",
        parts.join(", "),
        shortest::text(rest)
    )
}

/// The expression of a law in a model.
pub fn expression(name: &str, arguments: &[f64]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|x| shortest::text(*x)).collect();
    format!("{name}({})", arguments.join(", "))
}

/// The logarithm of the density at a sample, or, among whole numbers, of the probability to be rounded to it: so are
/// continuous laws compared with discrete ones.
fn log_likelihood(law: &dyn Distribution, log_density: impl Fn(f64) -> f64, sorted: &[f64]) -> f64 {
    let whole = sorted.iter().all(|x| x.fract() == 0.0);
    let of = |x: f64| {
        if whole {
            let (low, high) = (law.cdf(x - 0.5), law.cdf(x + 0.5));
            let mass = if high.below <= 0.5 {
                high.below - low.below
            } else {
                low.above - high.above
            };
            mass.max(0.0).ln()
        } else {
            log_density(x)
        }
    };
    sorted.iter().map(|x| of(*x)).sum()
}

fn fitted(
    name: &str,
    law: &dyn Distribution,
    moments: &[f64],
    log_density: impl Fn(f64) -> f64,
    sorted: &[f64],
) -> Candidate {
    Candidate {
        law: name.to_string(),
        expression: expression("moments", moments),
        parameters: moments.to_vec(),
        by: MOMENTS,
        goodness: Goodness::of(
            law,
            log_likelihood(law, log_density, sorted),
            sorted,
            4,
            false,
        ),
    }
}

fn named(samples: &Sorted) -> Vec<Candidate> {
    let Support { lower, upper } = samples.ends();
    if lower == upper {
        let single = candidate(LawName::Deterministic, vec![lower], LIKELIHOOD, samples);
        return single.into_iter().collect();
    }
    let laws = LawName::ALL.iter();
    let estimated = laws.filter_map(|&law| {
        let estimate = law.row().estimate.as_ref()?;
        candidate(law, (estimate.arguments)(samples)?, estimate.by, samples)
    });
    estimated.collect()
}

fn candidate(
    name: LawName,
    parameters: Vec<f64>,
    by: &'static str,
    samples: &Sorted,
) -> Option<Candidate> {
    let law = Named::new(name.name(), &parameters).ok()?;
    let goodness = Goodness::of(
        &law,
        log_likelihood(&law, |x| law.log_density(x), samples.samples),
        samples.samples,
        parameters.len(),
        !law.is_continuous(),
    );
    Some(Candidate {
        law: name.name().to_string(),
        expression: expression(name.name(), &parameters),
        parameters,
        by,
        goodness,
    })
}
