//! The papers' synthetic workloads: parallel composition of laws, measured by exact integration, beside what the
//! papers' methods predict.

mod nary;
#[cfg(test)]
mod tests;

pub use nary::nary;

use crate::law::{Distribution, Family, Fitted, Gld, Named};

fn law(name: &str, arguments: &[f64]) -> Result<Named, String> {
    Named::new(name, arguments)
}

/// How the law is written in models.
fn title(name: &str, arguments: &[f64]) -> String {
    let arguments: Vec<String> = arguments.iter().map(f64::to_string).collect();
    format!("{name}({})", arguments.join(", "))
}

/// The generalized lambda distribution with a law's moments, and the same within the law's support.
fn by_gld(law: &dyn Distribution) -> Result<(Gld, Fitted), String> {
    let cumulants = law.cumulants();
    let fitted = Gld::fit(&cumulants).ok_or_else(|| {
        format!(
            "no generalized lambda distribution has skewness {} and kurtosis {}",
            cumulants.skewness(),
            cumulants.kurtosis()
        )
    })?;
    Ok((fitted, Fitted::new(cumulants, law.support(), Family::Gld)?))
}

/// Whether a fitted law has values at which the law itself has none.
fn reach(fitted: &Gld, law: &dyn Distribution) -> bool {
    let (of_fitted, of_law) = (fitted.support(), law.support());
    let slack = 1e-9 * law.cumulants().deviation();
    of_fitted.lower < of_law.lower - slack || of_fitted.upper > of_law.upper + slack
}
