//! Values as a model that can be read back.

use super::words::{BY_DEFINITION, method, verdict};
use crate::cli::units::{Digits, Shows};
use crate::compiled::{Evaluated, LawValue, Method, PathValue};
use crate::diagnostic::one_line;
use crate::eval::real_text;
use crate::law::Cumulants;

/// A model whose equations are values.
pub fn text(evaluated: &Evaluated, exact: bool, shown: &Shows) -> String {
    let digits = if exact {
        Digits::Fractions
    } else {
        Digits::All
    };
    let verdicts = evaluated.conditions.iter().filter_map(verdict);
    let mut lines: Vec<String> = verdicts.map(|told| format!("% note: {told}")).collect();
    for equation in evaluated.equations.iter().filter(|e| !e.superseded) {
        if equation.method == Method::Definition {
            lines.push(format!("% note: {BY_DEFINITION}"));
        }
        lines.extend(equation.told_certificate().map(|told| format!("% {told}")));
        let standing = &equation.standing;
        let standing = standing.line(&equation.origin, &equation.approximations);
        lines.extend(standing.map(|words| format!("% {words}")));
        if !equation.has_bounds_alone() {
            let paths = equation.paths.as_ref();
            lines.extend(equation.law.iter().map(|law| law_note(law, paths)));
        }
        lines.extend(equation.paths.iter().flat_map(path_notes));
        let error = equation.standard_error.map(real_text);
        lines.extend(error.map(|error| format!("% standard error: {error}")));
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
                shown.text(equation, digits)
            ),
        });
    }
    // Names of files in notes are anybody's words.
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    lines.join("\n")
}

/// Deviation, quantiles and support, and how they were found.
fn law_note(law: &LawValue, paths: Option<&PathValue>) -> String {
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
    let Some(by) = method(law, paths) else {
        return format!("% by its moments{}", notes.concat());
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
    if (value - rounded).abs() <= 1e-14 * value.abs() {
        rounded
    } else {
        value
    }
}

/// Standard errors and guaranteed bounds of the law of a graph.
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
