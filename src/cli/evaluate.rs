//! `pamela eval`

use super::estimates::{self, Contention, WithEstimates};
use super::shared::{ADVANCED, GraphMethod, Graphs, Input, Laws, RANDOM, RuleOptions, Values};
use super::units::{self, PREDEFINED_ARRAY, Shows};
use super::{Outcome, Subject, output, read_subject, rule_base, values};
use crate::compiled::{Evaluated, EvaluatedEquation, LawValue, Method, PathValue, Verdict};
use crate::diagnostic::{Error, listed, one_line};
use crate::effort::Effort;
use crate::eval::{Number, PathLaw, Value, Vector, real_text};
use crate::expr::Sort;
use crate::formula::json::{
    Component, Condition, EvaluatedEquation as JsonEquation, EvaluatedModel, JsonExact, JsonLaw,
    JsonValue,
};
use crate::law::{Carrier, Cumulants, Law};
use crate::pipeline::Options;
use crate::pipeline::Shown;
use crate::ring::Rational;
use crate::timing::Standing;
use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  pamela eval corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5
  pamela eval corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5 --bounds
  pamela eval corpus/papers/mrm_stochastic.pam -D P=8 -D N=100   distribution of a random time";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub values: Values,
    /// Add critical path phi_L, demand delta_L, bottleneck omega_L
    #[arg(long)]
    pub all: bool,
    /// Add bounds L_L and U_L of times; with --all also U1_L and U2_L
    #[arg(long)]
    pub bounds: bool,
    /// Print only these equations, for example T_main
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Add an estimate of the time under contention (not a bound)
    #[arg(
        long,
        value_enum,
        value_name = "mva|estimate",
        conflicts_with = "only",
        hide_possible_values = true
    )]
    pub contention: Option<Contention>,
    /// Split the time of each process by the labels of its parts
    #[arg(long)]
    pub by_label: bool,
    /// Unit of times in models with units [default: by the value]
    #[arg(long, value_name = "UNIT")]
    pub time_unit: Option<String>,
    /// Print fractions such as 1/3 (JSON always has both)
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = RANDOM
    )]
    pub laws: Laws,
    #[command(flatten)]
    pub graphs: Graphs,
    /// Work limit: low (1/16), normal or high (16 times)
    #[arg(
        long, value_enum, value_name = "EFFORT", default_value_t = Effort::Normal, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub effort: Effort,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rules: RuleOptions,
}

/// Longer vectors are written by components.
const MAX_JSON_LIST: usize = 100_000;

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut subject = read_subject(&arguments.input)?;
    subject.reach(&arguments.only);
    if arguments.by_label {
        subject = subject.with_labels()?;
    }
    let options = Options {
        all: arguments.all,
        times: true,
        bounds: arguments.bounds || arguments.contention == Some(Contention::Estimate),
        only: arguments.only.clone(),
        effort: arguments.effort,
        progress: output::progress(),
        without_moments: true,
        laws: arguments.laws.carrier(),
        graphs: arguments.graphs.options(GraphMethod::Auto),
        ..Options::default()
    };
    let values = values::given(&arguments.values, &subject.names())?;
    let evaluated = match &subject {
        Subject::Model(model) => model.evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) if arguments.rules.rules.is_some() => compiled
            .model()?
            .evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) => compiled.evaluate(&values, &options),
    };
    output::end_progress();
    let evaluated = evaluated?;
    let estimates = arguments.contention.map(|contention| {
        let rules = &arguments.rules;
        estimates::of(contention, &subject, &values, &evaluated, &options, rules)
    });
    let estimates = estimates.transpose()?;
    let shown = Shows::new(&subject, arguments.time_unit.as_deref())?;
    match (arguments.json, estimates) {
        (true, None) => output::json(&as_json(&evaluated, &shown))?,
        (true, Some(estimates)) => output::json(&WithEstimates {
            model: as_json(&evaluated, &shown),
            estimates,
        })?,
        (false, estimates) => {
            let more = estimates.map_or(Vec::new(), |estimates| estimates.lines());
            let text = pamela(&evaluated, arguments.exact, &shown);
            let lines: Vec<String> = std::iter::once(text).chain(more).collect();
            let text = lines.join("\n");
            if !text.is_empty() {
                output::line(&text)?;
            }
        }
    }
    if evaluated.equations.is_empty()
        && evaluated.failures.is_empty()
        && evaluated.unfinished.is_empty()
    {
        output::note(
            "note: nothing to evaluate: the model has no process and no numeric equation other than parameters",
        );
    }
    for name in &evaluated.unfinished {
        output::note(&format!(
            "note: `{name}` takes too many steps or digits here; use smaller values or `--effort high`"
        ));
    }
    output::failures(&evaluated.failures);
    output::missing(&evaluated.refuted);
    let without: Vec<&str> = evaluated.without_value.iter().map(String::as_str).collect();
    if !without.is_empty() {
        output::note(&format!("note: no value here: {}", listed(&without)));
    }
    Ok(
        match (
            evaluated.failures.is_empty(),
            evaluated.unfinished.is_empty(),
        ) {
            (false, _) => Outcome::Wrong,
            (true, true) => Outcome::Done,
            (true, false) => Outcome::Incomplete,
        },
    )
}

/// A model whose equations are values.
fn pamela(evaluated: &Evaluated, exact: bool, shown: &Shows) -> String {
    let note = |(condition, standing): &(String, Verdict)| match standing {
        Verdict::Holds => None,
        Verdict::Fails => Some(format!("% note: {condition} does not hold here")),
        Verdict::Undecided => Some(format!(
            "% note: {condition} was not decided here within the limits of steps and digits"
        )),
    };
    let mut lines: Vec<String> = evaluated.conditions.iter().filter_map(note).collect();
    for equation in &evaluated.equations {
        if equation.method == Method::Definition {
            lines.push("% note: evaluated by the definition, since no closed form applies".into());
        }
        lines.extend(equation.certificate().map(|told| format!("% {told}")));
        let standing = &equation.standing;
        let standing = standing.line(&equation.origin, &equation.approximations);
        lines.extend(standing.map(|words| format!("% {words}")));
        if !equation.has_bounds_alone() {
            let paths = equation.paths.as_ref().map(|paths| paths.law);
            lines.extend(equation.law.iter().map(|law| law_note(law, paths)));
        }
        lines.extend(equation.paths.iter().flat_map(path_notes));
        let notes = equation.approximations.iter();
        lines.extend(notes.map(|note| format!("% note: {note}")));
        if equation.has_bounds_alone() {
            lines.push(format!("% {}: a law between these bounds", equation.name));
            continue;
        }
        let heavy = equation.law.as_ref().and_then(known_moments);
        lines.push(match heavy {
            // There is no law of the language to say it by.
            Some(known) => format!("% {}: a law{known}", equation.name),
            None => format!(
                "numeric {} = {}",
                equation.name,
                shown.text(equation, exact)
            ),
        });
    }
    // Names of files in notes are anybody's words.
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    lines.join("\n")
}

/// What is not in the four moments.
fn law_note(law: &LawValue, paths: Option<PathLaw>) -> String {
    let quantiles: Vec<String> = law
        .quantiles
        .iter()
        .map(|(p, x)| format!("{p}: {}", real_text(*x)))
        .collect();
    let [lower, upper] = [law.support.lower, law.support.upper].map(|end| real_text(settled(end)));
    let notes: Vec<String> = law
        .approximations
        .iter()
        .map(|n| format!("; {n}"))
        .collect();
    let Some(method) = law.method else {
        return format!("% by its moments{}", notes.concat());
    };
    let by = match paths {
        Some(PathLaw::Normal) => "normal laws of paths".to_string(),
        Some(PathLaw::Lower | PathLaw::Upper) => "an upper bound of the law of paths".to_string(),
        Some(PathLaw::Samples) | None => method.to_string(),
    };
    let deviation = match law.moments {
        0 | 1 => String::new(),
        _ => format!(
            "standard deviation {}; ",
            real_text(law.cumulants.deviation())
        ),
    };
    format!(
        "% by {by}; {deviation}quantiles {}; values from {lower} to {upper}{}",
        quantiles.join(", "),
        notes.concat(),
    )
}

/// Without the last digits of a sum of doubles.
fn settled(value: f64) -> f64 {
    let rounded: f64 = format!("{value:.12e}").parse().unwrap_or(value);
    match (value - rounded).abs() <= 1e-14 * value.abs() {
        true => rounded,
        false => value,
    }
}

/// What is known of the errors of a law of graphs.
fn path_notes(paths: &PathValue) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(errors) = &paths.errors {
        let quantiles = errors.quantiles.iter();
        let all = quantiles.map(|(p, error)| format!(", {p}: {}", real_text(*error)));
        let all: String = all.collect();
        lines.push(format!(
            "% standard errors: mean {}{all}",
            real_text(errors.mean)
        ));
    }
    if let Some(bounds) = &paths.bounds {
        let range =
            |[lower, upper]: [f64; 2]| format!("{} to {}", real_text(lower), real_text(upper));
        let quantiles = bounds.quantiles.iter();
        let all: String = quantiles
            .map(|(p, ends)| format!(", {p}: {}", range(*ends)))
            .collect();
        lines.push(format!(
            "% guaranteed bounds: mean {}{all}",
            range(bounds.mean)
        ));
        lines.extend(bounds.notes.iter().map(|note| format!("% note: {note}")));
    }
    lines
}

/// The moments of a law of which some do not exist.
fn known_moments(law: &LawValue) -> Option<String> {
    let Cumulants { mean, variance, .. } = law.cumulants;
    let [mean, variance, skewness] = [mean, variance, law.cumulants.skewness()].map(real_text);
    let known = match law.moments {
        0 => String::new(),
        1 => format!(" of mean {mean}"),
        2 => format!(" of mean {mean} and variance {variance}"),
        3 => format!(" of mean {mean}, variance {variance} and skewness {skewness}"),
        _ => return None,
    };
    Some(known)
}

fn as_json(evaluated: &Evaluated, shown: &Shows) -> EvaluatedModel {
    let condition = |(condition, standing): &(String, Verdict)| Condition {
        condition: condition.clone(),
        holds: (*standing != Verdict::Undecided).then_some(*standing == Verdict::Holds),
    };
    EvaluatedModel {
        equations: evaluated
            .equations
            .iter()
            .map(|e| equation(e, shown.of(e)))
            .collect(),
        conditions: evaluated.conditions.iter().map(condition).collect(),
        errors: (evaluated.failures.iter().chain(&evaluated.refuted))
            .flat_map(Error::reports)
            .collect(),
        without_value: evaluated.without_value.clone(),
    }
}

fn equation(equation: &EvaluatedEquation, unit: Option<Shown>) -> JsonEquation {
    let (value, exact) = match &equation.value {
        Value::Scalar(number) if unit.is_some() => {
            let number = units::shown(number, unit.as_ref());
            let value = JsonValue::Scalar(number.to_f64());
            (Some(value), exact_text(&number).map(JsonExact::Scalar))
        }
        Value::Scalar(number) => (
            Some(JsonValue::Scalar(number.to_f64())),
            exact_text(number).map(JsonExact::Scalar),
        ),
        Value::Vector(vector) => {
            let (value, exact) = vector_json(vector);
            (Some(value), exact)
        }
        Value::Law(_) => (None, None),
    };
    // Readers of laws find the same fields where a law is one value.
    let certain = match (&equation.value, equation.sort) {
        (Value::Scalar(number), Sort::Law) => {
            let law = Law::constant(number.to_f64());
            Some(law_json(&LawValue::of(&law, Carrier::Grid)))
        }
        _ => None,
    };
    let method = match equation.method {
        Method::Closed if exact.is_some() => "exact",
        Method::Closed => "rounded",
        Method::Definition => "definition",
        Method::Run => "run",
    };
    let law = equation.law.as_ref();
    let own = law.map_or(&[][..], |law| &law.approximations);
    let shown = law.filter(|_| !equation.has_bounds_alone());
    let paths = equation.paths.as_ref();
    JsonEquation {
        name: equation.name.clone(),
        sort: equation.sort,
        unit: units::name(&equation.value, unit),
        value,
        exact,
        law: shown.map(law_json).or(certain),
        standard_errors: paths.and_then(|paths| paths.errors.as_ref()).map(|errors| {
            let quantiles = errors
                .quantiles
                .iter()
                .map(|(p, error)| (p.to_string(), *error));
            quantiles
                .chain([("mean".to_string(), errors.mean)])
                .collect()
        }),
        bounds: paths.and_then(|paths| paths.bounds.as_ref()).map(|bounds| {
            let quantiles = bounds
                .quantiles
                .iter()
                .map(|(p, ends)| (p.to_string(), *ends));
            quantiles
                .chain([("mean".to_string(), bounds.mean)])
                .collect()
        }),
        certificate: equation.certificate().map(Standing::certificate),
        standing: equation.standing.words(),
        method: match (law, paths.map(|paths| paths.law)) {
            (Some(_), Some(PathLaw::Samples)) => "simulated".to_string(),
            (Some(_), Some(PathLaw::Normal)) => "normal".to_string(),
            (Some(_), Some(PathLaw::Lower | PathLaw::Upper)) => "bounds".to_string(),
            (None, _) => method.to_string(),
            (Some(law), None) => law
                .method
                .map_or("moments".to_string(), |method| method.to_string()),
        },
        approximations: equation
            .approximations
            .iter()
            .map(ToString::to_string)
            .chain(own.iter().cloned())
            .collect(),
    }
}

fn law_json(law: &LawValue) -> JsonLaw {
    let quantiles = law.quantiles.iter();
    let told = |order: usize, value: f64| match law.moments >= order {
        true => value,
        false => f64::NAN,
    };
    JsonLaw {
        mean: told(1, law.cumulants.mean),
        variance: told(2, law.cumulants.variance),
        std: told(2, law.cumulants.deviation()),
        skewness: told(3, law.cumulants.skewness()),
        kurtosis: told(4, law.cumulants.kurtosis()),
        quantiles: quantiles.map(|(p, x)| (p.to_string(), *x)).collect(),
        support: [law.support.lower, law.support.upper],
    }
}

fn vector_json(vector: &Vector) -> (JsonValue, Option<JsonExact>) {
    if let Some(list) = vector.as_list(PREDEFINED_ARRAY, MAX_JSON_LIST) {
        let exact: Option<Vec<String>> = list.iter().map(exact_text).collect();
        let values = list.iter().map(Number::to_f64).collect();
        return (JsonValue::List(values), exact.map(JsonExact::List));
    }
    let components = vector.components().map(|(array, index, number)| Component {
        array: array.to_string(),
        index: index.to_string(),
        value: number.to_f64(),
        exact: exact_text(number),
    });
    (JsonValue::Components(components.collect()), None)
}

fn exact_text(number: &Number) -> Option<String> {
    number.as_exact().map(Rational::to_string)
}
