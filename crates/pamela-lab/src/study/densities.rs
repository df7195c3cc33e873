//! Densities of counts and of laws, as tables.

use super::report::{Table, Unit};
use super::sample::Sample;
use crate::law::{Distribution, Empirical};

/// Laws for comparison with the counts, with the names of their columns.
pub type Beside<'a> = [(&'a str, &'a dyn Distribution)];

/// Maximum number of intervals of a histogram.
const INTERVALS: f64 = 40.0;

/// The density from -4 to 4 of a count with its mean moved to 0 and its deviation scaled to 1, beside the normal
/// density and that of the law fitted to four moments.
///
/// # Errors
/// Fails if no law has the moments, which does not happen for counts.
pub fn normalized(title: String, sample: &Sample, width: f64) -> Result<Table, String> {
    let cumulants = sample.cumulants();
    let laws = [
        &sample.law()? as &dyn Distribution,
        &sample.normal()?,
        &sample.fitted()?,
    ];
    let mut table = Table::new(title, "x", &["counted", "normal", "gld"]);
    for bin in 0..(8.0 / width).round() as usize {
        let x = -4.0 + width * (bin as f64 + 0.5);
        let end = |x: f64| cumulants.mean + x * cumulants.deviation();
        let ends = [end(x - width / 2.0), end(x + width / 2.0)];
        let values = laws.map(|law| Some(share(law, ends) / width));
        table.add(&format!("{x:.2}"), "", Unit::Value, values.to_vec());
    }
    Ok(table)
}

/// The density of counts beside densities of laws. Each interval contains a whole number of counts.
///
/// # Errors
/// Fails if there are no counts.
pub fn histogram(
    title: String,
    varied: &str,
    counted: &[(&str, &Sample)],
    laws: &Beside,
) -> Result<Table, String> {
    let empirical = counted
        .iter()
        .map(|(name, sample)| Ok((*name, sample.law()?)));
    let empirical: Vec<(&str, Empirical)> = empirical.collect::<Result<_, String>>()?;
    let supports = empirical.iter().map(|(_, law)| law.support());
    let (from, to) = supports.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), support| {
        (from.min(support.lower), to.max(support.upper))
    });
    let width = ((to - from + 1.0) / INTERVALS).ceil();
    let all = empirical
        .iter()
        .map(|(name, law)| (*name, law as &dyn Distribution));
    let all: Vec<(&str, &dyn Distribution)> = all.chain(laws.iter().copied()).collect();
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let mut table = Table::new(title, varied, &names);
    let mut start = from;
    while start <= to {
        let ends = [start - 0.5, start + width - 0.5];
        let values = all.iter().map(|(_, law)| Some(share(*law, ends) / width));
        let middle = start + (width - 1.0) / 2.0;
        table.add(&middle.to_string(), "", Unit::Value, values.collect());
        start += width;
    }
    Ok(table)
}

/// The probability between two ends.
fn share(law: &dyn Distribution, [from, to]: [f64; 2]) -> f64 {
    law.cdf(from).until(law.cdf(to))
}
