//! The moments of a law.

use serde::{Deserialize, Serialize};

/// Moments that describe a law; the kurtosis of a normal law is 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    Mean,
    Variance,
    Skewness,
    Kurtosis,
}

impl Moment {
    pub const ALL: [Moment; 4] = [
        Moment::Mean,
        Moment::Variance,
        Moment::Skewness,
        Moment::Kurtosis,
    ];

    /// The operator in the language.
    pub fn name(self) -> &'static str {
        match self {
            Moment::Mean => "E",
            Moment::Variance => "Var",
            Moment::Skewness => "Skw",
            Moment::Kurtosis => "Kur",
        }
    }

    /// The name of the moment of the equation `name`: `E_name`.
    pub fn of(self, name: &str) -> String {
        format!("{}_{name}", self.name())
    }
}
