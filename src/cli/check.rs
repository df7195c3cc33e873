//! `pamela check`

use super::shared::Input;
use super::{Outcome, output, read_model};
use crate::diagnostic::Error;

pub const EXAMPLES: &str = "\
Examples:
  pamela check model.pam
  cat model.pam | pamela check -";

pub fn run(input: &Input) -> Result<Outcome, Error> {
    let model = read_model(input)?;
    model.check()?;
    let equations = match model.checked().equations().len() {
        1 => "1 equation".to_string(),
        count => format!("{count} equations"),
    };
    output::line(&format!("{}: {equations}, no errors", model.name()))?;
    Ok(Outcome::Done)
}
