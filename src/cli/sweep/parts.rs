//! `pamela sweep --parts`

use std::path::{Path, PathBuf};

use clap::Args;

use super::watch::watched;
use super::{Arguments, best, script};
use crate::cli::progress::watch;
use crate::cli::{Outcome, merge, output};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::sweep::{Form, Parts, Sweep, SweepRequest};

/// The heading of options for long sweeps.
pub const HEADING: &str = "Long sweeps";

#[derive(Debug, Args)]
pub struct Options {
    /// Compute in parts in this directory and skip finished parts; -o merges them
    #[arg(
        long, value_name = "DIR", conflicts_with_all = ["shard", "resume", "dry_run"], help_heading = HEADING
    )]
    pub parts: Option<PathBuf>,
    /// Compute only this part, from 0
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "parts",
        conflicts_with = "output",
        help_heading = HEADING
    )]
    pub part: Option<u64>,
    /// Number of parts, at most [default: parts of 2^24 rows or 2^12 slow points]
    #[arg(
        long, value_name = "NUMBER", requires = "parts", value_parser = clap::value_parser!(u64).range(1..),
        help_heading = HEADING
    )]
    pub into: Option<u64>,
    /// Print the numbers of missing parts, one a line
    #[arg(
        long, requires = "parts", conflicts_with_all = ["part", "output", "emit"], help_heading = HEADING
    )]
    pub missing: bool,
    /// Print a SLURM script that computes the parts as jobs and merges them
    #[arg(
        long, value_enum, value_name = "slurm", requires = "parts", conflicts_with = "part",
        hide_possible_values = true, help_heading = HEADING
    )]
    pub emit: Option<script::Script>,
    /// Compute on dask://HOST:PORT (needs the program of the Python package)
    #[arg(long, value_name = "ADDRESS", help_heading = HEADING)]
    pub engine: Option<String>,
}

/// # Errors
/// Fails if an option is invalid for every model.
pub fn check(arguments: &Arguments) -> Result<(), Error> {
    if let Some(engine) = &arguments.parts.engine {
        let message = format!("`--engine {engine}` needs the Python package");
        let hint = "install it with `pip install pamelaplus[dask]`; its program `pamela` takes the same options";
        return Err(Error::new(message).hint(hint));
    }
    let directory = arguments.parts.parts.as_deref().and_then(Path::to_str);
    if let Some(number) = directory.filter(|name| name.parse::<u64>().is_ok()) {
        let message = format!("`--parts` takes a directory, not the number `{number}`");
        let hint = format!(
            "use `--parts DIR --into {number}` for {number} parts, or `--parts ./{number}` for a directory of this name"
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
            let message = "note: interrupted; finished parts are kept, and the same command computes the others";
            output::note(message);
            return Ok(Outcome::Incomplete);
        }
    }
    if let Some(part) = arguments.parts.part {
        if missing.is_empty() {
            output::note(&format!("note: part {part} exists already"));
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
