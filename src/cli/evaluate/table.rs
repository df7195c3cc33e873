//! Values as a table for people: a row for each equation, and each note once, below.

use super::super::estimates::Estimates;
use super::super::units::{Digits, Shows};
use crate::compiled::{Evaluated, EvaluatedEquation, LawValue, Method, PathValue, Verdict};
use crate::diagnostic::one_line;
use crate::eval::{PathLaw, Value};
use crate::law::shortest::rounded;

/// Significant digits of numbers that are not known by a standard error.
const DIGITS: usize = 6;

/// One equation.
#[derive(Default)]
pub struct Row {
    /// Name of the equation.
    pub name: String,
    /// Its value, with its unit.
    pub value: String,
    /// How the value relates to what a run takes, beside it.
    pub standing: Option<String>,
    /// A second line, below the value.
    pub below: Option<String>,
    /// Notes, which rows share.
    pub notes: Vec<String>,
}

/// The table of the equations, the estimates beside them, and the notes.
pub fn text(evaluated: &Evaluated, exact: bool, shown: &Shows, estimates: &Estimates) -> String {
    let digits = match exact {
        true => Digits::Fractions,
        false => Digits::Significant(DIGITS),
    };
    let equations = evaluated.equations.iter().filter(|own| !own.superseded);
    let rows = equations.map(|own| row(own, shown, digits));
    let rows: Vec<Row> = rows.chain(estimates.rows()).collect();
    let mut lines = lines(&rows);
    let verdicts = evaluated.conditions.iter().filter_map(verdict);
    lines.extend(verdicts.map(|told| format!("note: {told}")));
    // Names of files in notes are anybody's words.
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    lines.join("\n")
}

fn verdict((condition, verdict): &(String, Verdict)) -> Option<String> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Fails => Some(format!("{condition} does not hold here")),
        Verdict::Undecided => Some(format!(
            "{condition} was not decided here within the limits of steps and digits"
        )),
    }
}

/// Rows with their columns aligned, then the notes by number.
fn lines(rows: &[Row]) -> Vec<String> {
    let width = |text: &dyn Fn(&Row) -> usize| rows.iter().map(text).max().unwrap_or(0);
    let names = width(&|row| row.name.chars().count());
    let values = width(
        &|row| match row.standing.is_some() || !row.notes.is_empty() {
            true => row.value.chars().count(),
            false => 0,
        },
    );
    let mut notes: Vec<&String> = Vec::new();
    let mut lines = Vec::new();
    for row in rows {
        let mut beside: Vec<String> = row.standing.iter().cloned().collect();
        let numbers = row.notes.iter().map(|note| {
            let known = notes.iter().position(|known| *known == note);
            let at = known.unwrap_or_else(|| {
                notes.push(note);
                notes.len() - 1
            });
            format!("[{}]", at + 1)
        });
        beside.extend(numbers);
        let beside = beside.join(" ");
        let (name, value) = (&row.name, &row.value);
        let (line, below) = match &row.below {
            None => (format!("{name:names$}  {value:values$}  {beside}"), None),
            Some(below) => (
                format!("{name:names$}  {value}"),
                Some(format!("{:names$}  {below}  {beside}", "")),
            ),
        };
        let both = std::iter::once(line).chain(below);
        lines.extend(both.map(|line| line.trim_end().to_owned()));
    }
    if !notes.is_empty() {
        lines.push(String::new());
    }
    let numbered = notes.iter().enumerate();
    lines.extend(numbered.map(|(at, note)| format!("[{}] {note}", at + 1)));
    lines
}

fn row(equation: &EvaluatedEquation, shown: &Shows, digits: Digits) -> Row {
    let approximations = &equation.approximations;
    let standing = equation.standing.line(&equation.origin, approximations);
    let certificate = equation.certificate().map(ToString::to_string);
    let mut notes: Vec<String> = Vec::new();
    if equation.method == Method::Definition {
        notes.push("by the model's definition: no closed form applies here".into());
    }
    let own = equation
        .law
        .iter()
        .flat_map(|law| law.approximations.iter());
    notes.extend(approximations.iter().map(ToString::to_string));
    notes.extend(own.cloned());
    let bounds = equation.paths.iter().flat_map(|paths| &paths.bounds);
    notes.extend(bounds.flat_map(|bounds| bounds.notes.iter().cloned()));
    let (value, below) = match (&equation.value, &equation.law) {
        (Value::Law(_), Some(law)) => law_text(law, equation, shown),
        (Value::Scalar(number), _) => match equation.standard_error {
            Some(error) => (with_error(number.to_f64(), error), None),
            None => (shown.plain(equation, digits), None),
        },
        _ => (shown.plain(equation, digits), None),
    };
    Row {
        name: equation.name.clone(),
        value,
        standing: certificate.or_else(|| standing.map(str::to_owned)),
        below,
        notes,
    }
}

/// Moments and quantiles, and how they were got.
fn law_text(
    law: &LawValue,
    equation: &EvaluatedEquation,
    shown: &Shows,
) -> (String, Option<String>) {
    let paths = equation.paths.as_ref();
    let unit = shown.unit_of_laws(equation);
    let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
    if equation.has_bounds_alone() {
        let value = paths.and_then(|paths| paths.bounds.as_ref()).map(|bounds| {
            let range = |[lower, upper]: [f64; 2]| {
                format!("{} to {}", rounded(lower, DIGITS), rounded(upper, DIGITS))
            };
            let quantiles = bounds.quantiles.iter();
            let quantiles =
                quantiles.map(|(p, ends)| format!("   {} {}", percent(*p), range(*ends)));
            format!(
                "mean {}{unit}{}",
                range(bounds.mean),
                quantiles.collect::<String>()
            )
        });
        return (value.unwrap_or_default(), None);
    }
    let errors = paths.and_then(|paths| paths.errors.as_ref());
    let cumulants = &law.cumulants;
    let mut parts = Vec::new();
    match (law.moments, errors) {
        (0, _) => parts.push("no mean".to_string()),
        (_, Some(errors)) => parts.push(format!(
            "mean {}{unit}",
            with_error(cumulants.mean, errors.mean)
        )),
        _ => parts.push(format!("mean {}{unit}", rounded(cumulants.mean, DIGITS))),
    }
    if law.moments > 1 {
        parts.push(format!("sd {}", rounded(cumulants.deviation(), DIGITS)));
    }
    let error_of = |p: f64| {
        let known = errors.and_then(|errors| errors.quantiles.iter().find(|(of, _)| *of == p));
        known.map(|(_, error)| *error)
    };
    parts.extend(law.quantiles.iter().map(|(p, x)| match error_of(*p) {
        Some(error) => format!("{} {}", percent(*p), with_error(*x, error)),
        None => format!("{} {}", percent(*p), rounded(*x, DIGITS)),
    }));
    let below = law
        .method
        .map(|method| below(law, &method.to_string(), paths));
    (parts.join("   "), below)
}

fn below(law: &LawValue, method: &str, paths: Option<&PathValue>) -> String {
    let by = match paths.map(|paths| paths.law) {
        Some(PathLaw::Normal) => "normal laws of paths",
        Some(PathLaw::Lower | PathLaw::Upper) => "a law that is larger than that of paths",
        Some(PathLaw::Samples) | None => method,
    };
    let [least, most] = [law.support.lower, law.support.upper].map(|end| rounded(end, DIGITS));
    let guaranteed = paths.and_then(|paths| paths.bounds.as_ref()).map(|bounds| {
        let [lower, upper] = bounds.mean.map(|end| rounded(end, DIGITS));
        format!("; the mean is certainly between {lower} and {upper}")
    });
    format!(
        "by {by}; values from {least} to {most}{}",
        guaranteed.unwrap_or_default()
    )
}

/// `p99`, `p99.9`
fn percent(p: f64) -> String {
    format!("p{}", rounded(100.0 * p, DIGITS))
}

/// `2.876 ± 0.005`: two digits of the error at most, and as many decimals of the value.
fn with_error(value: f64, error: f64) -> String {
    let is_known = error > 0.0 && error.is_finite() && value.is_finite();
    if !is_known {
        return rounded(value, DIGITS);
    }
    let decimals = 1 - error.log10().floor() as i32;
    match usize::try_from(decimals) {
        Ok(decimals @ 0..=12) => format!("{value:.decimals$} ± {error:.decimals$}"),
        Ok(_) => format!("{} ± {}", rounded(value, 15), rounded(error, 2)),
        Err(_) => {
            let unit = 10f64.powi(-decimals);
            let nearest = |x: f64| rounded((x / unit).round() * unit, 15);
            format!("{} ± {}", nearest(value), nearest(error))
        }
    }
}
