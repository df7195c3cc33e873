//! Words about values that the table and the model form share.

use crate::compiled::{LawValue, PathValue, Verdict};
use crate::eval::PathLaw;

/// Reason why a value does not come from a closed form.
pub const BY_DEFINITION: &str = "by the model's definition: no closed form applies here";

/// The condition's failure at the point; `None` if it holds.
pub fn verdict((condition, verdict): &(String, Verdict)) -> Option<String> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Fails => Some(format!("{condition} does not hold here")),
        Verdict::Undecided => Some(format!(
            "{condition} was not decided here within the limits of steps and digits"
        )),
    }
}

/// The method that gave the law of a value; `None` if only its moments are known.
pub fn method(law: &LawValue, paths: Option<&PathValue>) -> Option<String> {
    let method = law.method?;
    Some(match paths.map(|paths| paths.law) {
        Some(PathLaw::Normal) => "normal laws of paths".to_string(),
        Some(PathLaw::Lower | PathLaw::Upper) => {
            "a law that is larger than that of paths".to_string()
        }
        Some(PathLaw::Samples) | None => method.to_string(),
    })
}
