//! `pamela sweep` to Parquet and Arrow files, where the program was built with them.

use super::Arguments;
use crate::diagnostic::Error;

#[cfg(feature = "columns")]
pub use built::run;
#[cfg(not(feature = "columns"))]
pub use not_built::run;

/// # Errors
/// Fails if an option does not apply to columnar files.
pub fn check(arguments: &Arguments) -> Result<(), Error> {
    if !arguments.aggregate.is_empty() {
        let message = "aggregates can only be written as CSV or JSON lines: omit the format or change the file name";
        return Err(Error::new(message.to_string()));
    }
    if arguments.resume {
        let message = "a columnar file cannot be continued, since its footer is written last; write CSV or \
                       JSON lines, or parts";
        return Err(Error::new(message.to_string()));
    }
    Ok(())
}

#[cfg(feature = "columns")]
mod built {
    use std::fs::File;
    use std::io::{BufWriter, Write};

    use crate::cli::output::cannot_write;
    use crate::cli::progress::watch;
    use crate::cli::sweep::watch::{Pipe, ended, watched};
    use crate::cli::sweep::{Arguments, best, of_output};
    use crate::cli::{Outcome, output};
    use crate::diagnostic::Error;
    use crate::sweep::{Form, Sweep, Watch};
    use pamela_columns::Format;

    pub fn run(
        arguments: &Arguments,
        sweep: &Sweep,
        range: (u64, u64),
        form: Form,
    ) -> Result<Outcome, Error> {
        let format = form.columns().unwrap_or(Format::Parquet);
        if arguments.dry_run {
            return output::line(&estimate(sweep, range, format)?).map(|()| Outcome::Done);
        }
        let watch = watch();
        let out: Box<dyn Write + Send> = match arguments.file() {
            Some(path) => Box::new(File::create(path).map_err(|e| cannot_write(path, &e))?),
            None => Box::new(Pipe(watch.clone())),
        };
        let out = BufWriter::with_capacity(1 << 20, out);
        let best = match (arguments.top, &arguments.by) {
            (Some(count), Some(by)) => Some(best(count, by)),
            _ => None,
        };
        let work = || sweep.columns(range, best, format, &watch, out);
        watched(&watch, range, work).map_err(|error| of_output(arguments, error))?;
        Ok(ended(&watch, range, ""))
    }

    /// Estimates the number of points and bytes from the first points.
    fn estimate(sweep: &Sweep, (start, end): (u64, u64), format: Format) -> Result<String, Error> {
        const TRIED: u64 = 1 << 14;
        let size = |points: u64| {
            let mut bytes = Vec::new();
            let range = (start, start + points);
            let done = sweep.columns(range, None, format, &Watch::default(), &mut bytes);
            done.map(|()| bytes.len() as f64)
        };
        let tried = TRIED.min(end - start);
        let (none, some) = (size(0)?, size(tried)?);
        let bytes = none + (some - none) * (end - start) as f64 / tried.max(1) as f64;
        Ok(format!("{} points, about {bytes:.3e} bytes", end - start))
    }
}

#[cfg(not(feature = "columns"))]
mod not_built {
    use crate::cli::Outcome;
    use crate::cli::columns::not_built;
    use crate::cli::sweep::Arguments;
    use crate::diagnostic::Error;
    use crate::sweep::{Form, Sweep};

    pub fn run(_: &Arguments, _: &Sweep, _: (u64, u64), _: Form) -> Result<Outcome, Error> {
        Err(not_built())
    }
}
