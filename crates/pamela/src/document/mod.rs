//! Writes a simplified model as text: PAMELA, LaTeX, MathML or JSON.

mod assertions;
mod checked;
mod data;
mod latex;
mod lines;
mod pamela;

use crate::diagnostic::Error;
use crate::emit;
use crate::pipeline::{Model, Simplified};

pub use assertions::{assertion_data, assertions};
pub use checked::{Change, Checked, Place, Related, Reported};
pub use data::data;
pub use latex::{latex, latex_quantity};
pub use pamela::pamela;

/// Writes the LaTeX displays as MathML, one to a line.
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
