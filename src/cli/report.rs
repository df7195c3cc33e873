//! `pamela report`

use std::path::PathBuf;

use clap::Args;

use super::shared::{Input, RuleOptions, parse_definition};
use super::{Outcome, compiling, output, read_file, read_subject, sweep_values, uncertain};

use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::document;
use crate::pipeline::Options;
use crate::report::{Heading, Texts, page_at};
use crate::sweep::{Axis, Values as Spread};

pub const EXAMPLES: &str = "\
Examples:
  pamela report corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5 -o report.html
  pamela report corpus/papers/mrm.pam -D P='2^(0:10)' -D N=10,100 -D tl=10 -D ts=0.5 -o report.html";

pub const NOTES: &str = "\
Each parameter gets a slider over the given values, or around a single value. Pictures follow the sliders. Their \
horizontal axis is the first parameter with several values; the page can switch to another one.";

/// A slider has no more positions.
const MOST_POSITIONS: u64 = 1000;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Set a parameter: 16, 1:64, 1,2,4, log(1, 1e9, 10) (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// Add critical path phi_L, demand delta_L, bottleneck omega_L
    #[arg(long)]
    all: bool,
    /// Show where a condition holds: 'time_main <= 15' (repeatable)
    #[arg(long, value_name = "CONDITION", requires = "unknown")]
    solve: Vec<String>,
    /// Solve for this parameter, or for two: P, P=1:1000, P=1:64,N
    #[arg(long = "for", value_name = "NAME[=FIRST:LAST]", requires = "solve")]
    unknown: Option<String>,
    /// Title [default: the first comment of the model, else its file name]
    #[arg(long)]
    title: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let subject = read_subject(&arguments.input)?;
    let mut given = sweep_values::given(
        &subject,
        &arguments.define,
        arguments.params.as_deref(),
        false,
    )?;
    for note in thin_out(&mut given.axes)? {
        output::note(&format!("note: {note}"));
    }
    let swept = given.axes.iter().flat_map(|axis| axis.names.clone());
    let options = Options {
        all: arguments.all,
        times: true,
        explain: true,
        regimes: true,
        sensitivity: swept.collect(),
        ..Options::default()
    };
    let command = command(&arguments.input.file, &given.definitions);
    let answers = answers(arguments)?;
    let (compiled, mut given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let factors = uncertain::factors_of(&compiled, &given.constants, &given.factors)?;
    uncertain::at_centres(&factors, &mut given.constants, false);
    let file = arguments.input.file.as_str();
    let model = match file {
        "-" => compiled.model()?.texts().text().to_string(),
        _ if Compiled::is_saved(&read_file(file.as_ref())?) => {
            document::pamela(compiled.model()?, compiled.simplified())
        }
        _ => read_file(file.as_ref())?,
    };
    let mut heading = Heading::of(file, &model);
    if let Some(title) = &arguments.title {
        heading.title.clone_from(title);
        heading.lead.clear();
    }
    let values = (given.axes.as_slice(), given.constants.as_slice());
    let texts = Texts {
        model,
        heading,
        command,
        answers,
    };
    let text = page_at(&compiled, values, texts, &factors)?;
    match &arguments.output {
        Some(path) => output::file(path, text.trim_end())?,
        None => output::line(text.trim_end())?,
    }
    Ok(Outcome::Done)
}

/// Leaves each slider at most so many of its values, evenly spread and with both ends; names those that lost some.
///
/// # Errors
/// Several rows of a table.
pub fn thin_out(axes: &mut [Axis]) -> Result<Vec<String>, Error> {
    if let Some(row) = axes.iter().find_map(|axis| axis.rows.first()) {
        let name = &row.parameter;
        let message = format!("a page shows one row of a table, but `{name}` has several");
        let hint = format!("give one of them, for example `{name}={}`", row.rows[0]);
        return Err(Error::new(message).hint(hint));
    }
    let mut notes = Vec::new();
    for axis in axes {
        let (name, count) = (axis.names[0].clone(), axis.len());
        if count <= MOST_POSITIONS {
            continue;
        }
        let place = |k: u64| {
            (u128::from(k) * u128::from(count - 1) / u128::from(MOST_POSITIONS - 1)) as u64
        };
        for values in &mut axis.values {
            let kept = (0..MOST_POSITIONS).map(|k| values.doubles(place(k), 1)[0]);
            *values = Spread::list(kept.collect());
        }
        notes.push(format!(
            "the slider of `{name}` has {MOST_POSITIONS} of its {count} values"
        ));
    }
    Ok(notes)
}

/// The answers to the questions of the command line; sliders do not move them.
fn answers(arguments: &Arguments) -> Result<Vec<String>, Error> {
    let unknown = arguments.unknown.as_deref().unwrap_or_default();
    let answer = |condition: &String| {
        let subject = read_subject(&arguments.input)?;
        let params = arguments.params.as_deref();
        let given = sweep_values::given(&subject, &arguments.define, params, false)?;
        let question = (std::slice::from_ref(condition), unknown);
        super::solve::answer(subject, question, given, &arguments.rules)
    };
    arguments.solve.iter().map(answer).collect()
}

/// The command that gives the values of the page, without the values of parameters.
fn command(file: &str, definitions: &[(String, String)]) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-+=/,:".contains(c);
        if text.chars().all(plain) {
            text.to_string()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    if file == "-" {
        return String::new();
    }
    let given = definitions.iter();
    let given = given.map(|(name, value)| format!(" -D {}", quoted(&format!("{name}={value}"))));
    format!("pamela eval {}{}", quoted(file), given.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Axis, MOST_POSITIONS, Spread, thin_out};

    #[test]
    fn sliders_keep_the_ends_of_long_axes() {
        let axis = |count: u32| Axis {
            names: vec!["P".to_string()],
            values: vec![Spread::list((1..=count).map(f64::from).collect())],
            rows: Vec::new(),
            interval: None,
        };
        let mut axes = [axis(1000), axis(1999), axis(4096)];
        let notes = thin_out(&mut axes).expect("no rows");
        assert_eq!(notes.len(), 2);
        let values = axes.map(|axis| axis.values[0].doubles(0, axis.len() as usize));
        assert!(
            values
                .iter()
                .all(|values| values.len() as u64 == MOST_POSITIONS)
        );
        // Of 1999 values every second one is kept.
        assert!(
            values[1]
                .iter()
                .zip(0..)
                .all(|(value, k)| *value == f64::from(2 * k + 1))
        );
        assert_eq!((values[2][0], values[2][999]), (1.0, 4096.0));
        assert!(values[2].is_sorted_by(|a, b| a < b));
    }
}
