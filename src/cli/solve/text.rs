//! Answers as text.

use crate::compiled::Compiled;
use crate::eval::Number;
use crate::formula::Formula;
use crate::ring::Rational;
use crate::solve::{
    Answer, Case, Edge, End, FormulaBound, FormulaRange, Formulas, Problem, Range, Region, joined,
};
use crate::timing::Standing;

/// Ranges that are printed.
const MOST_RANGES: usize = 20;

/// The conditions, and the names in them that became parameters.
fn heading(problem: &Problem) -> Vec<String> {
    let conditions = format!("% {}", problem.texts.join(", "));
    let new = problem.introduced.iter();
    let new = new.map(|name| format!("% the model has no `{name}`: it stands for any number"));
    [conditions].into_iter().chain(new).collect()
}

/// The values of a parameter, with the compared values at the ends.
pub fn text(problem: &Problem, compiled: &Compiled, answer: &Answer) -> String {
    let name = &answer.name;
    let mut lines = heading(problem);
    let shown = answer.ranges.iter().take(MOST_RANGES);
    let unit = compiled
        .shown(name)
        .map_or(String::new(), |own| format!(" [{}]", own.unit));
    let number = |end: &End| in_own_unit(compiled, name, &end.value);
    let ranges: Vec<String> = shown
        .map(|range| range_text(range, answer.is_whole, &number))
        .collect();
    let ranges = ranges.join(", ");
    let left = answer.ranges.len().saturating_sub(MOST_RANGES);
    lines.push(match (answer.ranges.is_empty(), left) {
        (true, _) => format!("% no {name}: the condition never holds"),
        (false, 0) => format!("{name} in {ranges}{unit}"),
        (false, left) => {
            format!("{name} in {ranges}{unit}\n% and {left} more ranges, which --json prints")
        }
    });
    let edges = answer.edges.iter();
    lines.extend(edges.flat_map(|edge| edge_lines(compiled, name, edge)));
    lines.push(format!(
        "% {}",
        claim(&answer.standing, answer.is_evaluated)
    ));
    lines.join("\n")
}

fn whole_line(name: &str) -> String {
    format!("% {name} takes whole numbers only: the closed form holds for these")
}

/// What the answer says of runs.
fn claim(standing: &Standing, is_evaluated: bool) -> &'static str {
    match standing {
        Standing::Exact(_) if is_evaluated => {
            "certain for the values as evaluated, with laws in them"
        }
        Standing::Exact(_) => "certain",
        Standing::Lower => "certain for lower bounds of times; a run may take longer",
        Standing::Upper => "certain for upper bounds of times; a run may take less",
        Standing::Between | Standing::Unknown => {
            "certain for values computed from bounds of times; a run may differ"
        }
        Standing::Estimate(_) | Standing::Drawn { .. } => {
            "certain for estimates of times; a run may differ"
        }
    }
}

/// The compared values at one number.
fn edge_lines(compiled: &Compiled, name: &str, edge: &Edge) -> Vec<String> {
    let at = in_unit(compiled, name, &Number::Exact(edge.at.clone()));
    let outside = if edge.holds { "" } else { ", outside" };
    let line = |(equation, text, value): &(String, String, Number)| {
        let value = in_unit(compiled, equation, value);
        format!("% {text} = {value} at {name} = {at}{outside}")
    };
    edge.values.iter().map(line).collect()
}

/// A number in its unit, if it has one.
fn in_unit(compiled: &Compiled, name: &str, value: &Number) -> String {
    match compiled.shown(name) {
        Some(own) => {
            let own = own.for_value(value.to_f64());
            format!("{} [{}]", number_in(&own.scale, value), own.unit)
        }
        None => value.decimal_text(),
    }
}

fn in_own_unit(compiled: &Compiled, name: &str, value: &Rational) -> String {
    let value = Number::Exact(value.clone());
    match compiled.shown(name) {
        Some(own) => number_in(&own.scale, &value),
        None => value.decimal_text(),
    }
}

fn number_in(scale: &Rational, value: &Number) -> String {
    let inverse = scale.recip().unwrap_or(Rational::ONE);
    let scaled = value.multiply(&Number::Exact(inverse));
    scaled.map_or_else(|_| value.decimal_text(), |own| own.decimal_text())
}

/// `300:1200` for whole numbers, `[0.5, 2)` for real ones.
fn range_text(range: &Range, is_whole: bool, number: &dyn Fn(&End) -> String) -> String {
    let text = |end: &Option<End>, open: &str| end.as_ref().map_or(open.to_owned(), number);
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

/// The values of a parameter as formulas.
pub fn formulas(problem: &Problem, answer: &Formulas) -> String {
    let name = &answer.name;
    let mut lines = heading(problem);
    if answer.cases.is_empty() {
        lines.push(format!("% no {name}: the condition never holds"))
    } else {
        lines.extend(answer.cases.iter().map(|case| case_line(answer, case)))
    }
    if !answer.is_complete && !answer.cases.is_empty() {
        lines.push(format!("% no {name} otherwise"));
    }
    let domain: Vec<String> = answer.domain.iter().map(Formula::pamela).collect();
    let (facts, required) = domain.split_at(domain.len().saturating_sub(answer.required));
    if !facts.is_empty() {
        lines.push(format!(
            "% among the values of {name} in the model: {}",
            facts.join(", ")
        ));
    }
    if !required.is_empty() {
        lines.push(format!(
            "% where the closed form holds: {}",
            required.join(", ")
        ));
    }
    lines.extend(answer.is_taken_whole.then(|| whole_line(name)));
    lines.push(format!("% {}", claim(&answer.standing, false)));
    lines.join("\n")
}

fn case_line(answer: &Formulas, case: &Case) -> String {
    let ranges = case.ranges.iter();
    let ranges: Vec<String> = ranges.map(|range| formula_range(answer, range)).collect();
    let ranges = ranges.join(" or ");
    let when = when_texts(case);
    if when.is_empty() {
        ranges
    } else {
        format!("{ranges}  where {}", when.join(", "))
    }
}

/// The conditions of a case.
fn when_texts(case: &Case) -> Vec<String> {
    case.when.iter().map(Formula::pamela).collect()
}

/// `P in low .. high` for whole numbers, `low < x <= high` for real ones.
fn formula_range(answer: &Formulas, range: &FormulaRange) -> String {
    let name = &answer.name;
    let is_included = |bounds: &[FormulaBound]| bounds.iter().all(|own| own.is_included);
    let is_alike = |bounds: &[FormulaBound]| {
        bounds.iter().all(|own| own.is_included) || bounds.iter().all(|own| !own.is_included)
    };
    let low = joined(&range.lows, "max");
    let high = joined(&range.highs, "min");
    if !is_alike(&range.lows) || !is_alike(&range.highs) {
        let sides = [(&range.lows, ">", ">="), (&range.highs, "<", "<=")];
        let each = sides.into_iter().flat_map(|(bounds, strict, equal)| {
            bounds.iter().map(move |own| {
                let relation = if own.is_included { equal } else { strict };
                format!("{name} {relation} {}", own.formula.pamela())
            })
        });
        return each.collect::<Vec<_>>().join(" && ");
    }
    match (low, high) {
        (None, None) => format!("all {name}"),
        (Some(low), Some(high))
            if low == high && is_included(&range.lows) && is_included(&range.highs) =>
        {
            format!("{name} = {low}")
        }
        (Some(low), Some(high)) if answer.is_whole => format!("{name} in {low} .. {high}"),
        (low, high) => {
            let before = if is_included(&range.lows) { "<=" } else { "<" };
            let after = if is_included(&range.highs) { "<=" } else { "<" };
            let above = if is_included(&range.lows) { ">=" } else { ">" };
            match (low, high) {
                (Some(low), Some(high)) => format!("{low} {before} {name} {after} {high}"),
                (Some(low), None) => format!("{name} {above} {low}"),
                (_, high) => format!("{name} {after} {}", high.unwrap_or_default()),
            }
        }
    }
}

/// The ranges of a second parameter for each value of a first one, as CSV.
pub fn region(region: &Region) -> String {
    let [first, second] = &region.names;
    let mut lines = vec![format!("{first},{second}_first,{second}_last")];
    let end = |end: &Option<End>, open: &str| match end {
        Some(end) => Number::Exact(end.value.clone()).decimal_text(),
        None => open.to_owned(),
    };
    for (at, ranges) in &region.rows {
        let at = Number::Exact(at.clone()).decimal_text();
        let each = ranges.iter();
        lines.extend(each.map(|range| {
            format!(
                "{at},{},{}",
                end(&range.low, "-inf"),
                end(&range.high, "inf")
            )
        }));
    }
    lines.join("\n")
}
