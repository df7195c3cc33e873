//! The papers' synthetic workloads: parallel composition of laws, measured by exact integration, beside predictions
//! by the papers' methods.

mod binary;
mod lambdas;
mod nary;
mod parameters;
mod series;
#[cfg(test)]
mod tests;

pub use binary::binary;
pub use nary::nary;
pub use parameters::parameters;
pub use series::series;

use crate::law::{Distribution, Gld, Named};

/// The laws that the papers study.
const WORKLOADS: [(&str, &[f64]); 3] = [
    ("uniform", &[0.0, 1.0]),
    ("exponential", &[1.0]),
    ("normal", &[0.0, 1.0]),
];

/// The variable that ends a parallel composition: the largest or the smallest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Largest,
    Smallest,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Largest => "largest (and-parallel)",
            Side::Smallest => "smallest (or-parallel)",
        }
    }
}

fn law(name: &str, arguments: &[f64]) -> Result<Named, String> {
    Named::new(name, arguments)
}

/// The law in the notation of models.
fn title(name: &str, arguments: &[f64]) -> String {
    let arguments: Vec<String> = arguments.iter().map(f64::to_string).collect();
    format!("{name}({})", arguments.join(", "))
}

/// The generalized lambda distribution with a law's four moments.
fn fitted(law: &dyn Distribution) -> Result<Gld, String> {
    let cumulants = law.cumulants();
    Gld::fit(&cumulants).ok_or_else(|| {
        format!(
            "no generalized lambda distribution has skewness {} and kurtosis {}",
            cumulants.skewness(),
            cumulants.kurtosis()
        )
    })
}
