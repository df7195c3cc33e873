//! All of a simplified model as a text: PAMELA, LaTeX, MathML, JSON.

mod data;
mod latex;
mod pamela;

use crate::algebra::Stop;
use crate::diagnostic::Error;
use crate::emit;
use crate::pipeline::{Model, Simplified};

pub use data::data;
pub use latex::{latex, latex_quantity};
pub use pamela::pamela;

/// Displays of LaTeX as MathML, one a line.
pub fn mathml(model: &Model, simplified: &Simplified) -> Result<String, Error> {
    let displays = latex(model, simplified);
    let all = displays
        .split("\\[ ")
        .filter_map(|rest| rest.split(" \\]").next());
    let all = all.filter(|display| !display.trim().is_empty());
    let written: Result<Vec<String>, Error> =
        all.map(|display| emit::mathml(display, true)).collect();
    Ok(written?.join("\n"))
}

/// What helps where a limit was met.
pub const FURTHER: &str = "`--effort high` goes 16 times as far";

/// Which limit the search for a closed form has met.
pub fn limit(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::Saturated => None,
        Stop::IterationLimit => Some("the search was long"),
        Stop::NodeLimit => Some("the search grew too large"),
        Stop::ProofLimit => Some("too many proofs were tried"),
    }
}
