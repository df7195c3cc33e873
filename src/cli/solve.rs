//! `pamela solve`

mod text;

use clap::Args;

use super::shared::{ADVANCED, Input, Laws, RuleOptions, Values};
use super::{Outcome, Subject, compiling, output, read_subject, sweep_values};
use crate::diagnostic::Error;
use crate::pipeline::Options;
use crate::solve::{self, Problem, Unknown};
use crate::sweep::{self, of_value};

pub const EXAMPLES: &str = "\
Examples:
  pamela solve corpus/patterns/speedup.pam 'time_main <= 8' --for P -D a=1 -D b=1000 -D c=0.01
  pamela solve corpus/patterns/speedup.pam 'time_main <= target' --for P";

pub const NOTES: &str = "\
The answer is exact: `P in 200:501` holds for these numbers and for no others. A parameter that is declared `integer` \
takes whole numbers, another one real numbers. With numbers for all other parameters the answer is a union of ranges. \
Otherwise it is a formula with conditions. Where no method decides a condition, up to a million whole numbers are \
evaluated one by one, and larger questions are refused.

With two names, the first one takes the whole numbers of its range, and the answer is a table (CSV): `--for P=1:64,N`.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Comparisons that must hold: 'time_main <= 15', 'T(main) < x, P >= 2'
    #[arg(value_name = "CONDITION", required = true)]
    conditions: Vec<String>,
    /// Solve for this parameter, or for two: P, P=1:1000, P=1:64,N
    #[arg(long = "for", value_name = "NAME[=FIRST:LAST]", required = true)]
    unknown: String,
    #[command(flatten)]
    values: Values,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    laws: Laws,
    #[command(flatten)]
    rules: RuleOptions,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut subject = read_subject(&arguments.input)?;
    let conditions = subject.own_conditions(&arguments.conditions);
    let problem = match &subject {
        Subject::Model(model) => Problem::new(model, &conditions)?,
        Subject::Compiled(compiled) => Problem::new(compiled.model()?, &conditions)?,
    };
    let subject = Subject::Model(Box::new(problem.model.clone()));
    let unknowns = unknowns(&subject, &arguments.unknown)?;
    let given = given(&subject, arguments, &unknowns)?;
    let options = Options {
        laws: arguments.laws.carrier(),
        ..problem.options.clone()
    };
    let (compiled, given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let constants = &given.constants;
    match &unknowns[..] {
        [unknown] if solve::free_parameters(&compiled, &unknown.name, constants)?.is_empty() => {
            let answer = solve::solve(&compiled, &problem, unknown, constants)?;
            match arguments.json {
                true => output::json(&solve::json(&compiled, &answer))?,
                false => output::line(&text::text(&problem, &compiled, &answer))?,
            }
        }
        [unknown] => {
            let answer = solve::solve_formulas(&compiled, &problem, unknown, constants)?;
            match arguments.json {
                true => output::json(&solve::json_of_formulas(&answer))?,
                false => output::line(&text::formulas(&problem, &answer))?,
            }
        }
        [first, second, ..] => {
            let region = solve::solve_region(&compiled, &problem, [first, second], constants)?;
            match arguments.json {
                true => output::json(&solve::json_of_region(&region))?,
                false => output::line(&text::region(&region))?,
            }
        }
        [] => {}
    }
    Ok(Outcome::Done)
}

/// The numbers of the other parameters.
fn given(
    subject: &Subject,
    arguments: &Arguments,
    unknowns: &[Unknown],
) -> Result<sweep_values::SweepInputs, Error> {
    let given = sweep_values::given(
        subject,
        &arguments.values.define,
        arguments.values.params.as_deref(),
        false,
    )?;
    if let Some(axis) = given.axes.first() {
        let name = &axis.names[0];
        return Err(Error::new(format!(
            "`{name}` has several values; give it one"
        )));
    }
    let names = subject.names();
    let mut flags = arguments
        .values
        .define
        .iter()
        .map(|(name, _)| names.own(name));
    if let Some(name) = flags.find(|name| unknowns.iter().any(|own| own.name == *name)) {
        let message = format!("`{name}` is solved for, and -D gives it a value");
        return Err(Error::new(message).hint("leave one of them out"));
    }
    Ok(given)
}

/// One or two parameters, each with a range: `P`, `P=1:64,N`.
fn unknowns(subject: &Subject, text: &str) -> Result<Vec<Unknown>, Error> {
    let all: Vec<Unknown> = text
        .split(',')
        .map(|part| unknown(subject, part))
        .collect::<Result<_, Error>>()?;
    match &all[..] {
        [_] => Ok(all),
        [first, second] if first.name != second.name => Ok(all),
        _ => Err(Error::new(format!(
            "`--for {text}` must name one parameter, or two different ones"
        ))),
    }
}

fn unknown(subject: &Subject, text: &str) -> Result<Unknown, Error> {
    let (name, range) = match text.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range)),
        None => (text.trim(), None),
    };
    subject.names().require(name, "`--for`")?;
    let name = subject.names().own(name);
    if !subject.scalar_parameters().contains(&name) {
        let message =
            format!("`{name}` cannot be solved for: it is not a parameter that is a number");
        return Err(Error::new(message));
    }
    let within = match range {
        None => None,
        Some(range) => {
            let unit = sweep_values::unit_of(subject, &name);
            let ends =
                sweep::Values::interval_in(range, &unit).map_err(|error| of_value(&name, error))?;
            let Some(ends) = ends else {
                return Err(Error::new(format!(
                    "`{range}` is not a range; write `FIRST:LAST`"
                )));
            };
            if ends[0] > ends[1] {
                let message =
                    format!("`{range}` is empty: its first number is greater than its last");
                return Err(Error::new(message));
            }
            Some(ends)
        }
    };
    Ok(Unknown { name, within })
}
