//! `pamela solve`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::shared::{ADVANCED, Input, Laws, RuleOptions, parse_definition};
use super::{Outcome, Subject, compiling, output, read_subject, sweep_values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::eval::Number;
use crate::pipeline::Options;
use crate::ring::Rational;
use crate::solve::{self, Answer, End, Problem, Range, Unknown};
use crate::sweep::{Values, of_value};

pub const EXAMPLES: &str = "\
Examples:
  pamela solve corpus/papers/mrm.pam 'time_main <= 600' --for P -D N=100 -D tl=10 -D ts=0.5
  pamela solve corpus/papers/mrm.pam 'time_main <= x' --for N";

pub const NOTES: &str = "\
The answer is exact. A parameter that is declared `integer` takes whole numbers, another one real numbers.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Comparisons that must hold: 'time_main <= 15', 'T(main) < x, P >= 2'
    #[arg(value_name = "CONDITION", required = true)]
    conditions: Vec<String>,
    /// Solve for this parameter; a range restricts it: P, P=1:1000
    #[arg(long = "for", value_name = "NAME[=FIRST:LAST]", required = true)]
    unknown: String,
    /// Set another parameter (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
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
    let unknown = unknown(&subject, &arguments.unknown)?;
    let given = sweep_values::given(
        &subject,
        &arguments.define,
        arguments.params.as_deref(),
        false,
    )?;
    if let Some(axis) = given.axes.first() {
        return Err(Error::new(format!(
            "`{}` has several values; give it one",
            axis.names[0]
        )));
    }
    let options = Options {
        laws: arguments.laws.carrier(),
        ..problem.options.clone()
    };
    let (compiled, given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let answer = solve::solve(&compiled, &problem, &unknown, &given.constants)?;
    match arguments.json {
        true => output::json(&json_of(&answer))?,
        false => output::line(&text_of(&problem, &compiled, &answer))?,
    }
    Ok(Outcome::Done)
}

fn unknown(subject: &Subject, text: &str) -> Result<Unknown, Error> {
    let (name, range) = match text.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range)),
        None => (text.trim(), None),
    };
    subject.names().require(name, "`--for`")?;
    let name = subject.names().own(name);
    let within = match range {
        None => None,
        Some(range) => {
            let unit = sweep_values::unit_of(subject, &name);
            let ends = Values::interval_in(range, &unit).map_err(|error| of_value(&name, error))?;
            let Some(ends) = ends else {
                return Err(Error::new(format!(
                    "`{range}` is not a range; write `FIRST:LAST`"
                )));
            };
            Some(ends)
        }
    };
    Ok(Unknown { name, within })
}

fn number(value: &Rational) -> String {
    Number::Exact(value.clone()).decimal_text()
}

/// `300:1200` for whole numbers, `[0.5, 2)` for real ones.
fn range_text(range: &Range, is_whole: bool) -> String {
    let text = |end: &Option<End>, open: &str| match end {
        Some(end) => number(&end.value),
        None => open.to_owned(),
    };
    let (low, high) = (text(&range.low, "-inf"), text(&range.high, "inf"));
    if range.low.is_some() && range.low == range.high {
        return low;
    }
    if is_whole {
        return format!("{low}:{high}");
    }
    let is_included = |end: &Option<End>| end.as_ref().is_some_and(|end| end.is_included);
    let before = if is_included(&range.low) { '[' } else { '(' };
    let after = if is_included(&range.high) { ']' } else { ')' };
    format!("{before}{low}, {high}{after}")
}

fn text_of(problem: &Problem, _compiled: &Compiled, answer: &Answer) -> String {
    let name = &answer.name;
    let mut lines = vec![format!("% {}", problem.texts.join(", "))];
    let ranges: Vec<String> = answer.ranges.iter().map(|range| range_text(range, answer.is_whole)).collect();
    lines.push(match ranges.is_empty() {
        true => format!("{name} in nothing: it never holds"),
        false => format!("{name} in {}", ranges.join(", ")),
    });
    for edge in &answer.edges {
        for (text, value) in &edge.values {
            let outside = if edge.holds { "" } else { " (outside)" };
            lines.push(format!(
                "% {text} = {} at {name} = {}{outside}",
                value.decimal_text(),
                number(&edge.at)
            ));
        }
    }
    lines.push("% certain".to_owned());
    lines.join("\n")
}

fn json_of(answer: &Answer) -> serde_json::Value {
    let end = |end: &Option<End>| match end {
        None => serde_json::Value::Null,
        Some(end) => match end.value.to_i64() {
            Some(whole) => json!(whole),
            None => json!(end.value.to_f64()),
        },
    };
    let ranges: Vec<_> = answer
        .ranges
        .iter()
        .map(|own| json!([end(&own.low), end(&own.high)]))
        .collect();
    json!({ "for": answer.name, "ranges": ranges, "certain": true })
}
