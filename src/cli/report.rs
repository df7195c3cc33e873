//! `pamela report`

use std::path::PathBuf;

use clap::Args;

use super::shared::{Input, RuleOptions, parse_definition};
use super::{Outcome, compiling, output, read_file, read_subject, sweep_values, uncertain};
use std::collections::BTreeMap;

use crate::compiled::{Compiled, Parameter, decimal};
use crate::diagnostic::Error;
use crate::document;
use crate::eval::{Bindings, Number, Value};
use crate::formula::Formula;
use crate::model;
use crate::pipeline::Options;
use crate::report::{self, Heading, Page, Slider};
use crate::ring::Rational;
use crate::sweep::{Axis, Values as Spread};
use crate::uncertain::{Factor, Sampling, Spread as Distribution, spread};

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
    let text = page(&compiled, values, texts, &factors)?;
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

/// Values of parameters: axes with several values, and single values.
type Values<'a> = (&'a [Axis], &'a [(String, Rational)]);

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

/// What a page is about, in words.
pub struct Texts {
    /// The text of the model.
    pub model: String,
    pub heading: Heading,
    /// The command that prints the values of the page, if there is one.
    pub command: String,
    /// Answers to questions.
    pub answers: Vec<String>,
}

/// The page about a compiled model.
///
/// # Errors
/// Fails for a parameter without a value.
pub fn page(
    compiled: &Compiled,
    (axes, constants): Values,
    texts: Texts,
    factors: &[Factor],
) -> Result<String, Error> {
    let mut sliders = sliders(compiled, (axes, constants))?;
    begin_where_facts_hold(compiled, &mut sliders, axes);
    let first = axes.iter().find(|axis| axis.len() > 1);
    let first = first.map(|axis| &axis.names[0]);
    let axis = sliders.iter().position(|s| Some(&s.name) == first);
    let several = || sliders.iter().position(|s| s.values.len() > 1);
    let Texts {
        model,
        heading,
        command,
        answers,
    } = texts;
    let page = Page {
        unknown: unknown(compiled, &sliders, factors)?,
        heading,
        model,
        axis: axis.or_else(several).unwrap_or(0),
        sliders,
        command,
        answers,
    };
    Ok(report::page(compiled, &page))
}

/// The laws of the results that are shown, at the first values of the sliders.
fn unknown(
    compiled: &Compiled,
    sliders: &[Slider],
    factors: &[Factor],
) -> Result<Vec<(Distribution, String)>, Error> {
    if factors.is_empty() {
        return Ok(Vec::new());
    }
    let known = sliders
        .iter()
        .map(|slider| (slider.name.as_str(), slider.values[slider.start]));
    let known: Vec<(&str, f64)> = known.collect();
    let spreads = spread(
        &compiled.plan_of_values(&[])?,
        &known,
        factors,
        &Sampling::default(),
    )?;
    let is_shown = |own: &Distribution| {
        let mut equations = compiled
            .equations()
            .iter()
            .filter(|own| !own.auxiliary && !own.superseded);
        equations.any(|equation| equation.name == own.name && !equation.origin.is_bound())
    };
    let shown = spreads.into_iter().filter(is_shown).map(|own| {
        let unit = compiled.shown(&own.name);
        let name = unit.map_or(String::new(), |unit| unit.unit.clone());
        (uncertain::in_unit(own, unit), name)
    });
    Ok(shown.collect())
}

/// The command that gives the values of the page, without the values of parameters.
fn command(file: &str, definitions: &[(String, String)]) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-+=/,:".contains(c);
        match text.chars().all(plain) {
            true => text.to_string(),
            false => format!("'{}'", text.replace('\'', "'\\''")),
        }
    };
    if file == "-" {
        return String::new();
    }
    let given = definitions.iter();
    let given = given.map(|(name, value)| format!(" -D {}", quoted(&format!("{name}={value}"))));
    format!("pamela eval {}{}", quoted(file), given.collect::<String>())
}

/// One for each parameter, in the order of the model.
fn sliders(compiled: &Compiled, (axes, constants): Values) -> Result<Vec<Slider>, Error> {
    let parameters: Vec<&Parameter> = compiled.parameters().iter().filter(|p| !p.law).collect();
    let starts = starts(compiled, (axes, constants), &parameters)?;
    let mut missing = Vec::new();
    let mut sliders = Vec::new();
    for parameter in parameters {
        let name = &parameter.name;
        let axis = axes.iter().find_map(|axis| values(axis, name));
        let axis = axis.filter(|values| values.len() > 1);
        let slider = match (axis, starts.get(name)) {
            (Some(values), _) => Slider::of_list(name, values),
            (None, Some(value)) => {
                let whole = is_whole(compiled, parameter, value);
                let allowed = |x: f64| is_allowed(compiled, name, x);
                Slider::around(name, value.to_f64(), whole, allowed)
            }
            (None, None) => {
                missing.push(name.as_str());
                continue;
            }
        };
        sliders.push(Slider {
            meaning: parameter.comment.clone().unwrap_or_default(),
            unit: compiled.shown(name).map(|shown| shown.base.clone()),
            ..slider
        });
    }
    match missing.as_slice() {
        [] => Ok(sliders),
        [name] => Err(Error::new(format!(
            "`{name}` has no value; set it or give a range for its slider, for example `{name}=1:100`"
        ))),
        [name, ..] => Err(Error::new(format!(
            "`{}` have no values; set them or give ranges for their sliders, for example `{name}=1:100`",
            missing.join("`, `")
        ))),
    }
}

/// The values of a parameter along an axis that it is on.
fn values(axis: &Axis, name: &str) -> Option<Vec<f64>> {
    let place = axis.names.iter().position(|own| own == name)?;
    Some(axis.values[place].doubles(0, axis.len() as usize))
}

/// The values that parameters have at first, as far as they are given or the model says.
fn starts(
    compiled: &Compiled,
    (axes, constants): Values,
    parameters: &[&Parameter],
) -> Result<BTreeMap<String, Rational>, Error> {
    let mut starts: BTreeMap<String, Rational> = constants.iter().cloned().collect();
    for axis in axes {
        for name in &axis.names {
            let values = values(axis, name).unwrap_or_default();
            let middle = values.get(values.len() / 2).copied();
            starts.extend(middle.and_then(decimal).map(|value| (name.clone(), value)));
        }
    }
    // The values of sliders are used for the computation as they are shown.
    for value in starts.values_mut() {
        *value = decimal(value.to_f64()).unwrap_or_else(|| value.clone());
    }
    if parameters.iter().all(|p| starts.contains_key(&p.name)) {
        return Ok(starts);
    }
    let mut model = compiled.model()?.clone();
    for (name, value) in &starts {
        model.define_number(name, value)?;
    }
    let (values, limits) = (BTreeMap::new(), model::Limits::default());
    for parameter in parameters.iter().filter(|p| p.default) {
        let mut evaluator = model::Evaluator::new(model.checked(), &values, limits);
        let value = evaluator.equation(&parameter.name).ok();
        if let Some(model::Value::Scalar(value)) = value {
            let value = decimal(value.to_f64());
            let own = value.map(|value| (parameter.name.clone(), value));
            starts.extend(own.filter(|(name, _)| !constants.iter().any(|(c, _)| c == name)));
        }
    }
    Ok(starts)
}

/// True if the parameter is declared whole, is used as whole by a closed form, or has a large whole value.
fn is_whole(compiled: &Compiled, parameter: &Parameter, value: &Rational) -> bool {
    let used = || {
        let mut forms = compiled.equations().iter().map(|e| &e.formula);
        forms.any(|formula| {
            formula
                .whole_parameters()
                .any(|name| name == parameter.name)
        })
    };
    parameter.whole || value.is_integer() && (value.to_f64() >= 100.0 || used())
}

/// True if all that the model states of this parameter alone holds.
fn is_allowed(compiled: &Compiled, name: &str, value: f64) -> bool {
    let values = bindings([(name, value)].into_iter());
    values.is_some_and(|values| facts_hold(compiled, &values))
}

/// Exact values; `None` where one is not finite.
fn bindings<'a>(values: impl Iterator<Item = (&'a str, f64)>) -> Option<Bindings> {
    let exact = |(name, value): (&str, f64)| {
        let value = Value::Scalar(Number::Exact(decimal(value)?));
        Some((name.to_string(), value))
    };
    values.map(exact).collect()
}

/// True if all that the model states of no other parameters holds.
fn facts_hold(compiled: &Compiled, values: &Bindings) -> bool {
    let known = |fact: &&Formula| {
        let parameters = fact.parameters();
        !parameters.is_empty() && parameters.iter().all(|name| values.contains_key(name))
    };
    let mut facts = compiled.simplified().facts.iter().filter(known);
    facts.all(|fact| match fact.evaluate(values) {
        Ok(Value::Scalar(number)) => !number.is_zero(),
        _ => true,
    })
}

/// Moves a slider with several given values to the nearest one at which the model has values, if the middle one has
/// none: a page should begin with numbers.
fn begin_where_facts_hold(compiled: &Compiled, sliders: &mut [Slider], axes: &[Axis]) {
    let at = |sliders: &[Slider]| {
        let values = sliders.iter();
        let at = |slider: &Slider| slider.values.get(slider.start).copied().unwrap_or(f64::NAN);
        bindings(values.map(|slider| (slider.name.as_str(), at(slider))))
    };
    let holds = |sliders: &[Slider]| at(sliders).is_none_or(|at| facts_hold(compiled, &at));
    if holds(sliders) {
        return;
    }
    for axis in axes.iter().flat_map(|axis| &axis.names) {
        let Some(place) = sliders.iter().position(|slider| slider.name == *axis) else {
            continue;
        };
        let middle = sliders[place].start;
        let mut positions: Vec<usize> = (0..sliders[place].values.len()).collect();
        positions.sort_by_key(|position| position.abs_diff(middle));
        for position in positions {
            sliders[place].start = position;
            if holds(sliders) {
                return;
            }
        }
        sliders[place].start = middle;
    }
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
