//! `pamela model` of measured call trees.

use std::path::{Path, PathBuf};

use pamela_programs::callpaths;

use super::measured::told;
use super::{Outcome, output, read_file};
use crate::diagnostic::Error;
use crate::pipeline::Model;
use crate::syntax::FileLoader;

/// Endings of the names of files with measurements.
const ENDINGS: [&str; 5] = ["txt", "json", "jsonl", "csv", "extra-p"];

/// True if a file has measurements and is no program.
pub fn is_measured(file: &Path) -> bool {
    let ending = file
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// Prints the model of measured call trees, or writes it to a file.
pub fn run(
    files: &[PathBuf],
    options: &callpaths::Options,
    to: Option<&Path>,
    json: bool,
) -> Result<Outcome, Error> {
    let texts: Result<Vec<(String, String)>, Error> = files
        .iter()
        .map(|file| Ok((file.to_string_lossy().into_owned(), read_file(file)?)))
        .collect();
    let model = callpaths::model(&texts?, options).map_err(told)?;
    Model::read("the model", &model.text, &FileLoader)?.check()?;
    for note in &model.notes {
        output::note(&format!("note: {note}"));
    }
    let text = if json {
        format!(
            "{:#}",
            serde_json::json!({ "model": model.text, "notes": model.notes })
        )
    } else {
        model.text
    };
    match to {
        Some(file) => {
            std::fs::write(file, text).map_err(|error| output::cannot_write(file, &error))?
        }
        None => output::line(text.trim_end())?,
    }
    Ok(Outcome::Done)
}
