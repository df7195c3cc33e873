//! Scripts that have a cluster compute the parts of a sweep.

use std::ffi::OsString;
use std::path::Path;

use clap::{Parser, ValueEnum};

use super::Arguments;
use crate::cli::arguments::{Arguments as Program, Command};
use crate::diagnostic::Error;
use crate::sweep::{Division, Form};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Script {
    /// A shell script that submits an array of jobs, and a job that depends on it.
    Slurm,
}

/// Returns a job script that runs the same command, once for each part.
pub fn text(
    kind: Script,
    arguments: &Arguments,
    directory: &Path,
    division: Division,
    form: Form,
) -> Result<String, Error> {
    let Script::Slurm = kind;
    if arguments.input.file == "-" {
        let message = "jobs cannot read a model from standard input: name a file";
        return Err(Error::new(message));
    }
    let mut sweep = repeated(arguments)?;
    let directory = quoted(directory.as_os_str())?;
    let table = match &arguments.output {
        Some(path) => quoted(path.as_os_str())?,
        None => format!("{directory}.{}", form.ending()),
    };
    let (count, size) = (division.count(), division.size);
    if count == 0 {
        return Err(Error::new("no point to compute"));
    }
    let threads = match arguments.threads {
        Some(threads) => threads,
        None => {
            sweep.push_str(" --threads \"$SLURM_CPUS_PER_TASK\"");
            1
        }
    };
    // In names of logs, per cent is a sign of its own.
    let logs = directory.replace('%', "%%");
    let last = count - 1;
    let large = match count {
        ..=1000 => String::new(),
        _ => format!("# The cluster must allow arrays of this size: MaxArraySize above {last}.\n"),
    };
    Ok(format!(
        "#!/bin/sh
# Submits an array of jobs, one for each of {count} parts of {size} points, and a job that merges them. Parts that are
# there already are not computed again.
{large}set -eu
mkdir -p {directory}
array=$(sbatch --parsable --output={logs}/_job-%a.log <<'JOB'
#!/bin/sh
#SBATCH --job-name=pamela-sweep
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={threads}
#SBATCH --requeue
#SBATCH --open-mode=append
exec {sweep} --part \"$SLURM_ARRAY_TASK_ID\"
JOB
)
sbatch --dependency=\"afterok:${{array%%;*}}\" --kill-on-invalid-dep=yes --output={logs}/_merge.log <<'JOB'
#!/bin/sh
#SBATCH --job-name=pamela-merge
#SBATCH --open-mode=append
exec pamela merge {directory} -o {table}
JOB
"
    ))
}

/// The command as it was given, but for where its table goes and that it is a script.
fn repeated(arguments: &Arguments) -> Result<String, Error> {
    let mut kept: Vec<OsString> = Vec::new();
    let mut given = arguments.given.iter().skip(1);
    while let Some(word) = given.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            kept.push(word.clone());
            kept.extend(given.by_ref().cloned());
        } else if ["--emit", "-o", "--output"].contains(&text.as_ref()) {
            given.next();
        } else if !["--emit=", "--output=", "-o"]
            .iter()
            .any(|own| text.starts_with(own))
        {
            kept.push(word.clone());
        }
    }
    // A value may look like what was left out: the command has to be the same.
    let again = Program::try_parse_from([OsString::from("pamela")].iter().chain(&kept));
    let same = again.is_ok_and(|again| match again.command {
        Command::Sweep(mut again) => {
            again.output.clone_from(&arguments.output);
            again.parts.emit = arguments.parts.emit;
            again.given.clone_from(&arguments.given);
            format!("{again:?}") == format!("{arguments:?}")
        }
        _ => false,
    });
    if !same {
        let message = "the command line cannot be repeated in a script";
        let hint = "write `--emit slurm` and `-o FILE` once each at the end, with a blank before each value";
        return Err(Error::new(message).hint(hint));
    }
    let words = kept.iter().map(|word| quoted(word));
    Ok(format!(
        "pamela {}",
        words.collect::<Result<Vec<_>, _>>()?.join(" ")
    ))
}

/// A word of a shell.
fn quoted(word: &std::ffi::OsStr) -> Result<String, Error> {
    let text = word
        .to_str()
        .filter(|text| !text.contains(['\n', '\r', '\0']));
    let Some(text) = text else {
        let message = format!("`{}` cannot be written in a script", word.to_string_lossy());
        return Err(Error::new(message));
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        Ok(text.to_string())
    } else {
        Ok(format!("'{}'", text.replace('\'', "'\\''")))
    }
}
