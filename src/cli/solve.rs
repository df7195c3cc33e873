//! `pamela solve`

mod text;

use clap::Args;

use super::shared::{ADVANCED, Input, Laws, RuleOptions, Values};
use super::{Outcome, Subject, compiling, output, read_subject, sweep_values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::pipeline::Options;
use crate::ring::Rational;
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

/// What was found, with what was asked.
enum Found {
    Ranges(solve::Answer),
    Formulas(solve::Formulas),
    Region(solve::Region),
}

/// Solves a problem for one parameter or two.
fn find(
    problem: &Problem,
    compiled: &Compiled,
    unknowns: &[Unknown],
    constants: &[(String, Rational)],
) -> Result<Found, Error> {
    match unknowns {
        [first, second] => {
            solve::solve_region(compiled, problem, [first, second], constants).map(Found::Region)
        }
        [unknown, ..] if solve::free_parameters(compiled, &unknown.name, constants)?.is_empty() => {
            solve::solve(compiled, problem, unknown, constants).map(Found::Ranges)
        }
        [unknown, ..] => {
            solve::solve_formulas(compiled, problem, unknown, constants).map(Found::Formulas)
        }
        [] => Err(Error::new("nothing is solved for".to_string())),
    }
}

fn found_text(problem: &Problem, compiled: &Compiled, found: &Found) -> String {
    match found {
        Found::Ranges(answer) => text::text(problem, compiled, answer),
        Found::Formulas(answer) => text::formulas(problem, answer),
        Found::Region(region) => text::region(region),
    }
}

/// The conditions over the names of a model.
fn problem(subject: &mut Subject, conditions: &[String]) -> Result<Problem, Error> {
    let conditions = subject.own_conditions(conditions);
    match subject {
        Subject::Model(model) => Problem::new(model, &conditions),
        Subject::Compiled(compiled) => Problem::new(compiled.model()?, &conditions),
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut subject = read_subject(&arguments.input)?;
    let problem = problem(&mut subject, &arguments.conditions)?;
    let subject = Subject::Model(Box::new(problem.model.clone()));
    let unknowns = unknowns(&subject, &arguments.unknown)?;
    let given = given(&subject, arguments, &unknowns)?;
    let options = Options {
        laws: arguments.laws.carrier(),
        ..problem.options.clone()
    };
    let (compiled, given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let found = find(&problem, &compiled, &unknowns, &given.constants)?;
    match (arguments.json, &found) {
        (false, _) => output::line(&found_text(&problem, &compiled, &found))?,
        (true, Found::Ranges(answer)) => output::json(&solve::json(&compiled, answer))?,
        (true, Found::Formulas(answer)) => output::json(&solve::json_of_formulas(answer))?,
        (true, Found::Region(region)) => output::json(&solve::json_of_region(region))?,
    }
    Ok(Outcome::Done)
}

/// The answer as text, where other parameters have the numbers that are given; those with several are free.
///
/// # Errors
/// Fails like [`run`].
pub fn answer(
    mut subject: Subject,
    (conditions, unknown): (&[String], &str),
    mut given: sweep_values::SweepInputs,
    rules: &RuleOptions,
) -> Result<String, Error> {
    let problem = problem(&mut subject, conditions)?;
    let subject = Subject::Model(Box::new(problem.model.clone()));
    let unknowns = unknowns(&subject, unknown)?;
    let names = subject.names();
    given.axes.clear();
    given
        .constants
        .retain(|(name, _)| unknowns.iter().all(|own| own.name != names.own(name)));
    let (compiled, given) = compiling::compile(subject, given, &problem.options, rules)?;
    let found = find(&problem, &compiled, &unknowns, &given.constants)?;
    Ok(found_text(&problem, &compiled, &found))
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
