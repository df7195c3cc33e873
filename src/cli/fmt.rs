//! `pamela fmt`

use std::path::{Path, PathBuf};

use clap::Args;
use diffy::DiffOptions;

use super::{Outcome, output, read_file, standard_input};
use crate::diagnostic::Error;
use crate::layout::format;

pub const EXAMPLES: &str = "\
Examples:
  pamela fmt model.pam           lay out a model in place
  pamela fmt models/             lay out all models in a directory
  pamela fmt --check models/     print a diff; exit with 1 unless the layout is right
  pamela fmt - < model.pam       print the result";

pub const NOTES: &str = "\
Line breaks, comments and the text of a model stay; indentation, spaces and empty lines change. An equation with a \
syntax error is left as it is.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Model files, or directories with files named *.pam; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Change no file; print a diff and exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
    /// Name of standard input in messages
    #[arg(long, value_name = "NAME", default_value = "standard input")]
    pub stdin_name: String,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut outcome = Outcome::Done;
    for given in &arguments.files {
        if given == "-" {
            let text = standard_input()?;
            let laid_out = format(&text);
            if arguments.check {
                outcome = outcome.max(compare(&arguments.stdin_name, &text, &laid_out)?);
            } else {
                output::print(&laid_out)?
            }
            continue;
        }
        for path in model_files(Path::new(given))? {
            let own = one_file(&path, arguments.check);
            match own {
                Ok(own) => outcome = outcome.max(own),
                // The other files are laid out.
                Err(error) => {
                    output::failures(&[error]);
                    outcome = Outcome::Wrong;
                }
            }
        }
    }
    Ok(outcome)
}

fn one_file(path: &Path, check: bool) -> Result<Outcome, Error> {
    let text = read_file(path)?;
    let laid_out = format(&text);
    if check {
        return compare(&path.display().to_string(), &text, &laid_out);
    }
    if laid_out != text {
        let written = std::fs::write(path, laid_out);
        written.map_err(|error| output::cannot_write(path, &error))?;
        output::note(&format!("{}: laid out", path.display()));
    }
    Ok(Outcome::Done)
}

fn compare(name: &str, text: &str, laid_out: &str) -> Result<Outcome, Error> {
    if text == laid_out {
        return Ok(Outcome::Done);
    }
    let mut options = DiffOptions::new();
    options
        .set_original_filename(name.to_owned())
        .set_modified_filename(name.to_owned());
    output::print(&options.create_patch(text, laid_out).to_string())?;
    Ok(Outcome::Wrong)
}

/// A file, or the models in a directory and below it, in alphabetical order.
pub fn model_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(directory) = pending.pop() {
        let cannot_read = |error: std::io::Error| {
            Error::new(format!("cannot read `{}`: {error}", directory.display()))
        };
        for entry in std::fs::read_dir(&directory).map_err(cannot_read)? {
            let entry = entry.map_err(cannot_read)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(cannot_read)?);
            let name = entry.file_name();
            let is_hidden = name.to_string_lossy().starts_with('.');
            if kind.is_dir() && !is_hidden {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pam") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        let message = format!(
            "no models in `{}`: no file in it ends in .pam",
            path.display()
        );
        return Err(Error::new(message));
    }
    files.sort();
    Ok(files)
}
