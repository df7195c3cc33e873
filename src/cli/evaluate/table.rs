//! Values as a table for people: a row for each equation, and each note once, below.

use super::words::{BY_DEFINITION, method, verdict};
use crate::cli::estimates::Estimates;
use crate::cli::rows::{DIGITS, Row, lines, with_error};
use crate::cli::units::{Digits, Shows};
use crate::compiled::{Evaluated, EvaluatedEquation, LawValue, Method};
use crate::diagnostic::one_line;
use crate::eval::Value;
use crate::law::shortest::rounded;
use crate::pipeline::Shown;
use crate::timing::Origin;

/// The table of equations, followed by estimates and notes.
pub fn text(evaluated: &Evaluated, exact: bool, shown: &Shows, estimates: &Estimates) -> String {
    let digits = if exact {
        Digits::Fractions
    } else {
        Digits::Significant(DIGITS)
    };
    let equations = evaluated.equations.iter().filter(|own| !own.superseded);
    let rows = equations.map(|own| row(own, shown, digits));
    let unit = |process: &str| unit_of_time(evaluated, shown, process);
    let rows: Vec<Row> = rows.chain(estimates.rows(&unit)).collect();
    let mut lines = lines(&rows);
    let verdicts = evaluated.conditions.iter().filter_map(verdict);
    lines.extend(verdicts.map(|told| format!("note: {told}")));
    // Names of files in notes are anybody's words.
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    lines.join("\n")
}

fn row(equation: &EvaluatedEquation, shown: &Shows, digits: Digits) -> Row {
    let approximations = &equation.approximations;
    let standing = equation.standing.line(&equation.origin, approximations);
    let certificate = equation.told_certificate().map(ToString::to_string);
    let mut notes: Vec<String> = Vec::new();
    if equation.method == Method::Definition {
        notes.push(BY_DEFINITION.to_owned());
    }
    let own = equation
        .law
        .iter()
        .flat_map(|law| law.approximations.iter());
    notes.extend(approximations.iter().map(ToString::to_string));
    notes.extend(own.cloned());
    let bounds = equation.paths.iter().flat_map(|paths| &paths.bounds);
    notes.extend(bounds.flat_map(|bounds| bounds.notes.iter().cloned()));
    let (value, below) = match (&equation.value, &equation.law, equation.standard_error) {
        (Value::Law(_), Some(law), _) => law_text(law, equation, shown),
        (Value::Scalar(number), _, Some(error)) => {
            let scale = Scale::of(shown, equation, number.to_f64());
            (scale.with_error(number.to_f64(), error), None)
        }
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

/// The unit in which the numbers of a row are shown.
struct Scale(Option<Shown>);

impl Scale {
    /// The unit that shows a value of an equation, in base units, best.
    fn of(shown: &Shows, equation: &EvaluatedEquation, value: f64) -> Scale {
        Scale(shown.of(equation).map(|own| own.for_value(value)))
    }

    fn double(&self, value: f64) -> f64 {
        self.0.as_ref().map_or(value, |unit| unit.double(value))
    }

    fn text(&self, value: f64) -> String {
        rounded(self.double(value), DIGITS)
    }

    fn range(&self, [lower, upper]: [f64; 2]) -> String {
        format!("{} to {}", self.text(lower), self.text(upper))
    }

    /// A number with its error, and without its unit.
    fn bare(&self, value: f64, error: Option<f64>) -> String {
        match error {
            Some(error) => with_error(self.double(value), self.double(error)),
            None => self.text(value),
        }
    }

    fn with_error(&self, value: f64, error: f64) -> String {
        format!("{}{}", self.bare(value, Some(error)), self.suffix())
    }

    fn suffix(&self) -> String {
        self.0
            .as_ref()
            .map_or(String::new(), |unit| format!(" {}", unit.unit))
    }
}

/// The unit of the times of a process.
fn unit_of_time(evaluated: &Evaluated, shown: &Shows, process: &str) -> Option<Shown> {
    let mut equations = evaluated.equations.iter();
    let is_time = |own: &&EvaluatedEquation| match &own.origin {
        Origin::Time(of) | Origin::Execution(of) | Origin::Lower(of) => of == process,
        _ => false,
    };
    equations.find(is_time).and_then(|own| shown.of(own))
}

/// Moments and quantiles, and how they were found.
fn law_text(
    law: &LawValue,
    equation: &EvaluatedEquation,
    shown: &Shows,
) -> (String, Option<String>) {
    let paths = equation.paths.as_ref();
    let mean = law.cumulants.mean;
    let scale = Scale::of(shown, equation, mean);
    let unit = scale.suffix();
    let bounds = paths.and_then(|paths| paths.bounds.as_ref());
    if let (true, Some(bounds)) = (equation.has_bounds_alone(), bounds) {
        let quantiles = bounds.quantiles.iter();
        let quantiles =
            quantiles.map(|(p, ends)| format!("   {} {}", percent(*p), scale.range(*ends)));
        let mean = scale.range(bounds.mean);
        return (
            format!("mean {mean}{unit}{}", quantiles.collect::<String>()),
            None,
        );
    }
    let errors = paths.and_then(|paths| paths.errors.as_ref());
    let mut parts = vec![match law.moments {
        0 => "no mean".to_string(),
        _ => {
            let mean = scale.bare(mean, errors.map(|errors| errors.mean));
            format!("mean {mean}{unit}")
        }
    }];
    if law.moments > 1 {
        parts.push(format!("sd {}", scale.text(law.cumulants.deviation())));
    }
    let error_of = |p: f64| {
        let known = errors.and_then(|errors| errors.quantiles.iter().find(|(of, _)| *of == p));
        known.map(|(_, error)| *error)
    };
    parts.extend(
        law.quantiles
            .iter()
            .map(|(p, x)| format!("{} {}", percent(*p), scale.bare(*x, error_of(*p)))),
    );
    let below = method(law, paths).map(|by| {
        let support = scale.range([law.support.lower, law.support.upper]);
        let guaranteed = bounds.map(|bounds| {
            let [lower, upper] = bounds.mean.map(|end| scale.text(end));
            format!("; the mean is certainly between {lower} and {upper}")
        });
        format!(
            "by {by}; values from {support}{}",
            guaranteed.unwrap_or_default()
        )
    });
    (parts.join("   "), below)
}

/// `p99`, `p99.9`, with all decimals of the probability.
fn percent(p: f64) -> String {
    // A hundred times a decimal has two decimals less; further ones come from rounding.
    let decimals = p.to_string().len().saturating_sub(4);
    let text = format!("{:.*}", decimals, 100.0 * p);
    let text = match decimals {
        0 => text.as_str(),
        _ => text.trim_end_matches('0').trim_end_matches('.'),
    };
    format!("p{text}")
}
