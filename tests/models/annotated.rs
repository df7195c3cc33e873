//! The corpus with units: nothing in it is taken for a slip, and all values are those without units.

use pamela::compiled::{Compiled, Point};
use pamela::effort::Effort;
use pamela::pipeline::{Model, Options};
use pamela::ring::Rational;

use super::support::corpus::deterministic;
use crate::selection::{SHARE, is_full, selected};

/// Points of each model.
const POINTS: u64 = 10;

/// What makes a model one with units, in which those of parameters follow from their use.
const USED: &str = "\nnumeric units_ : [s] = 1 [s]\n";

/// A unit behind each number that stands alone for a time.
fn with_literals(text: &str) -> String {
    let mut annotated = String::new();
    let mut rest = text;
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    while let Some(at) = rest.find(')') {
        let before = &rest[..at];
        let number = before
            .trim_end()
            .rfind(|c: char| !is_part(c))
            .map_or(0, |last| last + 1);
        let (head, literal) = before.split_at(number);
        let called = head.trim_end();
        let is_time = called.ends_with("delay(") || called.ends_with(',') && is_use(called);
        annotated.push_str(head);
        annotated.push_str(literal);
        if is_time && literal.chars().any(|c| c.is_ascii_digit()) {
            annotated.push_str(" [s]");
        }
        annotated.push(')');
        rest = &rest[at + 1..];
    }
    annotated + rest
}

/// True if the last bracket that is open is one of `use`.
fn is_use(text: &str) -> bool {
    let mut open = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => open += 1,
            '(' if open == 0 => return text[..at].ends_with("use"),
            '(' => open -= 1,
            _ => {}
        }
    }
    false
}

/// The same with times in milliseconds where they are declared, and how many these are.
fn with_declarations(text: &str, model: &Model) -> (String, usize) {
    let units = model.checked().units();
    let mut declared = 0;
    let line = |line: &str| -> String {
        let code = line.split('%').next().unwrap_or_default();
        let name = code.strip_prefix("numeric parameter ").map(str::trim);
        let Some((name, facts)) = name.map(|all| all.split_once(':').unwrap_or((all, ""))) else {
            return line.to_owned();
        };
        // A number beside it would be one of milliseconds.
        let is_plain = matches!(facts.trim(), "" | "> 0" | ">= 0");
        let is_time = units.dimension(name.trim()) == Some(units.time());
        if is_plain && is_time {
            declared += 1;
            format!("numeric parameter {} : [ms] {facts}", name.trim())
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    (lines.join("\n"), declared)
}

fn compiled(text: &str) -> Option<Compiled> {
    let options = Options {
        effort: Effort::Low,
        ..Options::default()
    };
    Model::parse(text).ok()?.compile(&options).ok()
}

/// Small numbers, mostly whole ones, another for each parameter and point.
fn point(compiled: &Compiled, number: u64) -> Point {
    let mut point = Point::default();
    for (place, parameter) in (1u64..).zip(compiled.parameters()) {
        let random = (number * 31 + place * 17).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let divisor = if parameter.whole || !random.is_multiple_of(3) {
            1
        } else {
            4
        };
        let value = Rational::new((1 + random % 9) as i64, divisor);
        point = point.with(&parameter.name, value.expect("the divisor is positive"));
    }
    point
}

/// The values at a point, or that it has none.
fn values(compiled: &Compiled, point: Point) -> Option<Vec<(String, String)>> {
    let equations = compiled.at(point).ok()?.equations.into_iter();
    let own = equations.filter(|equation| equation.name != "units_");
    Some(own.map(|e| (e.name, format!("{:?}", e.value))).collect())
}

#[test]
fn the_corpus_has_no_slip_and_the_same_values_in_units() {
    let (mut models, mut points, mut declared) = (0, 0, 0);
    for own in selected(deterministic()) {
        let has_times = own.text.contains("delay(") || own.text.contains("use(");
        let Some(plain) = has_times.then(|| compiled(&own.text)).flatten() else {
            continue;
        };
        let text = with_literals(&own.text) + USED;
        let model = match Model::parse(&text) {
            Ok(model) => model,
            // Sums of numbers that are times.
            Err(error) => {
                let message = &error.diagnostics[0].message;
                assert!(
                    message.starts_with("the time of a `"),
                    "{}\n{error}",
                    own.name
                );
                continue;
            }
        };
        let (text, times) = with_declarations(&text, &model);
        let with = compiled(&text).unwrap_or_else(|| panic!("{}\n{text}", own.name));
        (models, declared) = (models + 1, declared + times);
        for number in 0..POINTS {
            let expected = values(&plain, point(&plain, number));
            let found = values(&with, point(&plain, number));
            assert_eq!(found, expected, "{} at {number}\n{text}", own.name);
            points += u32::from(expected.is_some());
        }
    }
    println!("{models} models, {declared} declarations, {points} points");
    // The models that are selected may have half as many declarations as others.
    let share = if is_full() { 1 } else { 2 * SHARE as u32 };
    assert!(models * share >= 100 && declared * share as usize >= 100 && points * share >= 1000);
}
