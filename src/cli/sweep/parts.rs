//! `pamela sweep --parts`

use std::path::{Path, PathBuf};

use clap::Args;

use super::watch::{watch, watched};
use super::{Arguments, best, script};
use crate::cli::{Outcome, merge, output};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::sweep::{Form, Parts, Sweep, SweepRequest};

#[derive(Debug, Args)]
pub struct Options {
    /// Compute in parts, into this directory: what is there already is not computed again, and `pamela merge` puts
    /// them together; with -o so does this command
    #[arg(long, value_name = "DIR", conflicts_with_all = ["shard", "resume", "dry_run"])]
    pub parts: Option<PathBuf>,
    /// Only this part, counted from 0
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "parts",
        conflicts_with = "output"
    )]
    pub part: Option<u64>,
    /// Cut into so many parts, or a few less [default: parts of 16777216 rows, of 67108864 points of which figures
    /// are kept, or of 4096 points that take long]
    #[arg(long, value_name = "NUMBER", requires = "parts", value_parser = clap::value_parser!(u64).range(1..))]
    pub into: Option<u64>,
    /// Only print the numbers of the parts that are missing, one a line
    #[arg(long, requires = "parts", conflicts_with_all = ["part", "output", "emit"])]
    pub missing: bool,
    /// Print a script for a cluster: jobs that compute the parts, and one that merges them
    #[arg(long, value_enum, requires = "parts", conflicts_with = "part")]
    pub emit: Option<script::Script>,
    /// Compute the parts with an engine, which the program of the Python package does
    #[arg(long, value_name = "ADDRESS")]
    pub engine: Option<String>,
}

/// # Errors
/// What can be told before the model is read.
pub fn check(arguments: &Arguments) -> Result<(), Error> {
    if let Some(engine) = &arguments.parts.engine {
        let message = format!("`--engine {engine}` is in the Python package");
        let hint = "`pip install pamela[dask]` installs it, with a program `pamela` that takes the same options";
        return Err(Error::new(message).hint(hint));
    }
    let directory = arguments.parts.parts.as_deref().and_then(Path::to_str);
    if let Some(number) = directory.filter(|name| name.parse::<u64>().is_ok()) {
        let message = format!("`--parts` takes a directory, and `{number}` is a number");
        let hint = format!(
            "`--parts DIR --into {number}` cuts into so many parts; `--parts ./{number}` is a directory"
        );
        return Err(Error::new(message).hint(hint));
    }
    Ok(())
}

pub fn run(
    arguments: &Arguments,
    directory: &Path,
    compiled: &Compiled,
    sweep: &Sweep,
    form: Form,
) -> Result<Outcome, Error> {
    let wanted = wanted(arguments, form);
    let range = (0, sweep.grid.len());
    let into = arguments.parts.into;
    if let Some(kind) = arguments.parts.emit {
        let division = crate::sweep::Division::of(sweep, range, &wanted, into)?;
        let script = script::text(kind, arguments, directory, division, form)?;
        return output::line(script.trim_end()).map(|()| Outcome::Done);
    }
    let parts = Parts::begin(directory, compiled, sweep, range, wanted, into)?;
    if arguments.parts.missing {
        let missing = parts.missing().into_iter().map(|part| format!("{part}\n"));
        output::print(&missing.collect::<String>())?;
        return Ok(Outcome::Done);
    }
    let missing = match arguments.parts.part {
        Some(part) if parts.has(part) => Vec::new(),
        Some(part) => vec![part],
        None => parts.missing(),
    };
    let watch = watch();
    for &part in &missing {
        let work = || parts.write(sweep, part, &watch);
        if !watched(&watch, parts.division().range(part), work)? {
            let message = "note: interrupted; parts that are whole stay, and the same command computes the others";
            output::note(message);
            return Ok(Outcome::Incomplete);
        }
    }
    if let Some(part) = arguments.parts.part {
        if missing.is_empty() {
            output::note(&format!("note: part {part} is there already"));
        }
        return Ok(Outcome::Done);
    }
    parts.finish()?;
    let (all, new) = (parts.division().count(), missing.len());
    output::note(&format!(
        "note: {all} parts in `{}`, {new} of them computed now",
        directory.display()
    ));
    if arguments.output.is_some() {
        merge::merge(&parts, form, arguments.file())?;
    }
    Ok(Outcome::Done)
}

fn wanted(arguments: &Arguments, form: Form) -> SweepRequest {
    if !arguments.aggregate.is_empty() {
        return SweepRequest::Figures {
            figures: arguments
                .aggregate
                .iter()
                .map(|figure| figure.of())
                .collect(),
            by: arguments.group_by.clone(),
            form,
        };
    }
    match (arguments.top, &arguments.by) {
        (Some(count), Some(by)) => {
            let (by, best) = best(count, by);
            SweepRequest::Best {
                count: best.count,
                by: by.to_string(),
                smallest: best.smallest,
                form,
            }
        }
        _ => SweepRequest::Rows { form },
    }
}
