//! Slips of units in models whose quantities are all declared: each that changes a dimension is found at its line, and
//! nothing else is.
//!
//! Which do is told without the dimensions of the program: with base units of another size, results of a model without
//! units change as their units say, or something in the model is not of the dimension that it is declared to be.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use pamela::diagnostic::Error;
use pamela::model::{Evaluator, Limits, Value};
use pamela::pipeline;

use super::support::corpus::{CorpusModel, corpus};
use super::support::{as_double, read};
use crate::selection;

/// Base units have sizes that are powers of 2 to these, each its own.
const SIZES: [i32; 6] = [3, -7, 11, -13, 5, -2];

/// A change of one line.
#[derive(Clone, Debug)]
struct Slip {
    kind: &'static str,
    /// From 0.
    line: usize,
    text: String,
}

/// The code of a line, without its comment.
fn code(line: &str) -> &str {
    line.split('%').next().unwrap_or_default()
}

/// Where units stand in a line, with their brackets.
fn units_in(line: &str) -> Vec<std::ops::Range<usize>> {
    let code = code(line);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = code[from..].find('[').map(|at| from + at) {
        let end = code[start..]
            .find(']')
            .map_or(code.len(), |at| start + at + 1);
        found.push(start..end);
        from = end;
    }
    found
}

fn replaced(line: &str, range: std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &line[..range.start], &line[range.end..])
}

/// `s/B` for `B/s`
fn inverse(unit: &str) -> String {
    match unit.split_once('/') {
        Some((above, below)) if !below.contains('/') => format!("[{}/{}]", below, above),
        None => format!("[1/{unit}]"),
        Some((above, below)) => format!("[{}/{above}]", below.replace('/', "*")),
    }
}

/// Units of one line, each taken for another one, for its inverse, or left out.
fn of_units(number: usize, line: &str, slips: &mut Vec<Slip>) {
    for range in units_in(line) {
        let unit = &line[range.start + 1..range.end - 1];
        let mut add = |kind, with: &str| {
            let text = replaced(line, range.clone(), with);
            slips.push(Slip {
                kind,
                line: number,
                text,
            });
        };
        for other in ["us", "KiB", "GFLOP", "GB/s", "1/s"] {
            add("another unit", &format!("[{other}]"));
        }
        add("rate for its inverse", &inverse(unit));
        add("a unit times itself", &format!("[{unit}*{unit}]"));
        // These have the same dimension.
        if let Some(rest) = unit.strip_prefix("ms") {
            add("s for ms", &format!("[s{rest}]"));
        }
        if let Some(at) = unit.find('B') {
            let bits = format!("[{}bit{}]", &unit[..at], &unit[at + 1..]);
            add("bit for byte", &bits);
        }
        let is_literal = line[..range.start]
            .trim_end()
            .ends_with(|c: char| c.is_ascii_digit());
        if is_literal {
            add("no unit", "");
        }
    }
}

/// Signs of one equation: a product for a quotient and the reverse, and a factor that is left out.
fn of_signs(number: usize, line: &str, slips: &mut Vec<Slip>) {
    let Some(equals) = code(line).find(" = ") else {
        return;
    };
    for (sign, other, kind) in [(" * ", " / ", "divided"), (" / ", " * ", "multiplied")] {
        let places = code(line)[equals..].match_indices(sign);
        for (at, _) in places.map(|(at, sign)| (equals + at, sign)) {
            let end = at + sign.len();
            let text = replaced(line, at..end, other);
            slips.push(Slip {
                kind,
                line: number,
                text,
            });
            let factor = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let length = line[end..].find(|c| !factor(c)).unwrap_or(line.len() - end);
            let follows = line[end + length..].trim_start();
            if length > 0 && !follows.starts_with(['(', '[', '^']) {
                let text = replaced(line, at..end + length, "");
                slips.push(Slip {
                    kind: "a factor is missing",
                    line: number,
                    text,
                });
            }
        }
    }
}

/// Calls with two arguments in the other order.
fn of_arguments(number: usize, line: &str, functions: &[String], slips: &mut Vec<Slip>) {
    for name in functions {
        for (at, _) in code(line).match_indices(&format!("{name}(")) {
            let start = at + name.len() + 1;
            let (mut depth, mut comma, mut end) = (0, None, line.len());
            for (place, c) in line[start..].char_indices() {
                match c {
                    '(' | '[' => depth += 1,
                    ')' if depth == 0 => {
                        end = start + place;
                        break;
                    }
                    ')' | ']' => depth -= 1,
                    ',' if depth == 0 => comma = Some(start + place),
                    _ => {}
                }
            }
            let is_declared = code(line)[end..]
                .trim_start_matches(')')
                .starts_with(" : [");
            if let (Some(comma), false) = (comma, is_declared) {
                let swapped = format!("{}, {}", line[comma + 1..end].trim(), &line[start..comma]);
                let text = replaced(line, start..end, &swapped);
                slips.push(Slip {
                    kind: "arguments are swapped",
                    line: number,
                    text,
                });
            }
        }
    }
}

/// All slips of a model.
fn slips(text: &str) -> Vec<Slip> {
    let head = |line: &str| {
        let name = line.strip_prefix("numeric ")?;
        let (name, rest) = name.split_once('(')?;
        let is_name = !name.contains([' ', '=', ':']) && rest.contains(',');
        is_name.then(|| name.to_owned())
    };
    let functions: Vec<String> = text.lines().filter_map(head).collect();
    let mut slips = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("unit ") {
            continue;
        }
        of_units(number, line, &mut slips);
        of_signs(number, line, &mut slips);
        of_arguments(number, line, &functions, &mut slips);
    }
    slips
}

fn with(text: &str, slip: &Slip) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[slip.line] = &slip.text;
    lines.join("\n")
}

/// What a unit is: a number, and powers of base units.
type Meaning = (f64, BTreeMap<String, i32>);

/// The units of the test, by their own definition.
fn meaning(unit: &str, own: &BTreeMap<String, Meaning>) -> Meaning {
    let mut whole: Meaning = (1.0, BTreeMap::new());
    let mut sign = 1;
    for part in unit.split_inclusive(['*', '/']) {
        let name = part.trim_end_matches(['*', '/']);
        let (name, power) = name.split_once('^').unwrap_or((name, "1"));
        let power = sign * power.parse::<i32>().expect("a power");
        let (scale, bases) = single(name, own);
        whole.0 *= scale.powi(power);
        for (base, exponent) in bases {
            *whole.1.entry(base).or_insert(0) += power * exponent;
        }
        sign = if part.ends_with('/') { -1 } else { 1 };
    }
    whole
}

fn single(name: &str, own: &BTreeMap<String, Meaning>) -> Meaning {
    let one = |base: &str, scale: f64| (scale, BTreeMap::from([(base.to_owned(), 1)]));
    if let Some(own) = own.get(name) {
        return own.clone();
    }
    match name {
        "1" => return (1.0, BTreeMap::new()),
        "min" => return one("s", 60.0),
        "h" => return one("s", 3600.0),
        "d" => return one("s", 86400.0),
        "W" => return (1.0, BTreeMap::from([("J".into(), 1), ("s".into(), -1)])),
        _ => {}
    }
    let binary = [
        ("Ki", 1024.0),
        ("Mi", 1024.0_f64.powi(2)),
        ("Gi", 1024.0_f64.powi(3)),
    ];
    let decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
    let decimal = (-3..)
        .zip(decimal)
        .map(|(power, prefix)| (prefix, 1000.0_f64.powi(power)));
    for (prefix, scale) in binary.into_iter().chain(decimal) {
        match name.strip_prefix(prefix) {
            Some("bit") => return one("B", scale / 8.0),
            Some(base @ ("s" | "B" | "FLOP" | "J" | "USD" | "cycle")) => return one(base, scale),
            _ => {}
        }
    }
    panic!("the test does not know `{name}`")
}

/// The units that a model declares.
fn declared(text: &str) -> BTreeMap<String, Meaning> {
    let mut own = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("unit [")) {
        let (name, value) = line.split_once(']').expect("a unit ends");
        let meaning = match value.trim().strip_prefix("= ") {
            None => (1.0, BTreeMap::from([(name.to_owned(), 1)])),
            Some(value) => {
                let (number, unit) = value.split_once(" [").expect("a multiple");
                let (scale, bases) = meaning(unit.trim_end_matches(']'), &own);
                (scale * number.parse::<f64>().expect("a number"), bases)
            }
        };
        own.insert(name.to_owned(), meaning);
    }
    own
}

/// A model without units, in which base units have sizes; and what is known of its names.
struct Plain {
    text: String,
    /// What is given, with its unit and whether it is a whole number.
    parameters: Vec<(String, Meaning, bool)>,
    /// What is asked for, with its unit.
    results: Vec<(String, Meaning)>,
}

impl Plain {
    fn of(text: &str, sizes: &dyn Fn(&str) -> f64) -> Plain {
        let own = declared(text);
        let none: Meaning = (1.0, BTreeMap::new());
        let mut plain = Plain {
            text: String::new(),
            parameters: Vec::new(),
            results: Vec::new(),
        };
        let time = if text.contains("[cycle") {
            "cycle"
        } else {
            "s"
        };
        plain
            .results
            .push(("T_main".to_owned(), meaning(time, &own)));
        let lines = text.lines().filter(|line| !line.starts_with("unit "));
        for line in lines.map(code) {
            let unit_after = |head: &str| {
                let rest = head.split_once(": [").map(|(_, rest)| rest)?;
                Some(meaning(rest.split(']').next()?, &own))
            };
            if let Some(parameter) = line.strip_prefix("numeric parameter ") {
                let (declared, default) = parameter.split_once(" = ").unwrap_or((parameter, ""));
                let (name, facts) = declared.split_once(':').unwrap_or((declared, ""));
                let (name, unit) = (name.trim(), unit_after(declared));
                let unit = unit.unwrap_or_else(|| none.clone());
                plain.text += &format!("numeric parameter {name}\n");
                if !default.is_empty() {
                    let value = without_units(default, &own, sizes);
                    plain.text += &format!("numeric {name}_default_ = {value}\n");
                    let result = (format!("{name}_default_"), unit.clone());
                    plain.results.push(result);
                }
                let is_whole = facts.contains("integer");
                plain.parameters.push((name.to_owned(), unit, is_whole));
                continue;
            }
            let written = without_declarations(line);
            plain.text += &without_units(&written, &own, sizes);
            plain.text.push('\n');
            let Some((head, _)) = line
                .strip_prefix("numeric ")
                .and_then(|l| l.split_once(" = "))
            else {
                continue;
            };
            match head.split_once('(') {
                None => {
                    let name = head.split(" :").next().unwrap_or_default();
                    let unit = unit_after(head).unwrap_or_else(|| none.clone());
                    plain.results.push((name.trim().to_owned(), unit));
                }
                Some((name, rest)) => plain.probe(name, rest, &own),
            }
        }
        plain
    }

    /// A function of its own, whose arguments are as they are declared.
    fn probe(&mut self, name: &str, rest: &str, own: &BTreeMap<String, Meaning>) {
        let unit = |declared: Option<(&str, &str)>| {
            let unit = declared.map(|(_, unit)| unit.trim().trim_matches(['[', ']']));
            unit.map_or_else(|| (1.0, BTreeMap::new()), |unit| meaning(unit, own))
        };
        let (formals, result) = rest.rsplit_once(')').expect("arguments end");
        let mut arguments = Vec::new();
        for (number, formal) in formals.split(',').enumerate() {
            let argument = format!("{name}_{number}_");
            let unit = unit(formal.split_once(':'));
            let is_whole = unit.1.is_empty();
            self.text += &format!("numeric parameter {argument}\n");
            self.parameters.push((argument.clone(), unit, is_whole));
            arguments.push(argument);
        }
        self.text += &format!("numeric {name}_ = {name}({})\n", arguments.join(", "));
        self.results
            .push((format!("{name}_"), unit(result.split_once(':'))));
    }

    /// The results at a point; none where there is no value.
    fn values(&self, point: u64, sizes: &dyn Fn(&str) -> f64) -> Vec<Option<f64>> {
        let model = read("a model without units", &self.text);
        let given: BTreeMap<String, Value> = (self.parameters.iter().zip(1_u64..))
            .map(|((name, (scale, bases), is_whole), number)| {
                let random = (point * 37 + number * 101).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                let value = if *is_whole {
                    (2 + random % 7) as f64
                } else if bases.is_empty() {
                    (1 + random % 8) as f64 / 9.0
                } else {
                    (1 + random % 97) as f64 * scale * sized(bases, sizes)
                };
                let value = BigRational::from_float(value).expect("it is finite");
                (name.clone(), Value::from(value))
            })
            .collect();
        let mut evaluator = Evaluator::new(&model, &given, Limits { steps: 300_000 });
        let value = |(name, _): &(String, Meaning)| match evaluator.equation(name).ok()? {
            Value::Scalar(number) => Some(as_double(&number)),
            Value::Vector(_) => None,
        };
        self.results.iter().map(value).collect()
    }
}

fn sized(bases: &BTreeMap<String, i32>, sizes: &dyn Fn(&str) -> f64) -> f64 {
    let factors = bases.iter().map(|(base, power)| sizes(base).powi(*power));
    factors.product()
}

/// A text in which units are the numbers that they are.
fn without_units(
    text: &str,
    own: &BTreeMap<String, Meaning>,
    sizes: &dyn Fn(&str) -> f64,
) -> String {
    let mut written = text.to_owned();
    while let Some(range) = units_in(&written).first().cloned() {
        let (scale, bases) = meaning(&written[range.start + 1..range.end - 1], own);
        let size = scale * sized(&bases, sizes);
        let number = written[..range.start].trim_end();
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let start = number.rfind(|c| !is_digit(c)).map_or(0, |at| at + 1);
        let quantity = format!("({} * {size:?})", &number[start..]);
        written = replaced(&written, start..range.end, &quantity);
    }
    written
}

/// A line without the units that it declares of what it defines.
fn without_declarations(line: &str) -> String {
    let mut written = line.to_owned();
    while let Some(at) = written.find(" : [") {
        let end = written[at..]
            .find(']')
            .map_or(written.len(), |end| at + end + 1);
        written = replaced(&written, at..end, "");
    }
    written
}

/// True if results change as their units say when base units have other sizes, at several points.
fn is_consistent(text: &str) -> bool {
    let plain = Plain::of(text, &|_| 1.0);
    let all: BTreeSet<&String> = (plain.parameters.iter().map(|(_, unit, _)| unit))
        .chain(plain.results.iter().map(|(_, unit)| unit))
        .flat_map(|(_, bases)| bases.keys())
        .collect();
    let place = |base: &str| all.iter().position(|own| *own == base).unwrap_or(all.len());
    [(1, 1), (2, -1), (3, 2), (4, -3)]
        .into_iter()
        .all(|(point, power)| {
            let size = |base: &str| 2.0_f64.powi(power * SIZES[place(base) % SIZES.len()]);
            let expected = plain.values(point, &|_| 1.0);
            let found = Plain::of(text, &size).values(point, &size);
            let pairs = plain.results.iter().zip(expected.into_iter().zip(found));
            pairs.into_iter().all(|((_, (_, bases)), pair)| match pair {
                (Some(expected), Some(found)) => {
                    let expected = expected * sized(bases, &size);
                    (found - expected).abs() <= 1e-9 * expected.abs()
                }
                (None, None) => true,
                _ => false,
            })
        })
}

/// True if an error names a line, by a label or in one.
fn names(error: &Error, text: &str, line: usize) -> bool {
    let labels = error
        .diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.labels);
    labels.into_iter().any(|(place, label)| {
        let at = text[..place.start as usize].matches('\n').count();
        let mut named = label.split("in line ").skip(1);
        let is_it = |rest: &str| {
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..digits] == (line + 1).to_string()
        };
        at == line || named.any(is_it)
    })
}

fn models() -> Vec<CorpusModel> {
    let mut models = corpus();
    models.retain(|model| model.name.starts_with("units/"));
    models
}

#[test]
fn slips_are_found_at_their_lines_and_nothing_else_is() {
    let (mut models_tried, mut found, mut right) = (0, BTreeMap::new(), 0);
    let mut hidden = Vec::new();
    for model in models() {
        assert!(is_consistent(&model.text), "{}", model.name);
        let whole = pipeline::Model::parse(&model.text);
        whole.unwrap_or_else(|error| panic!("a false alarm: {error}"));
        models_tried += 1;
        let slips = slips(&model.text).into_iter();
        let slips =
            slips.filter(|slip| Some(slip.text.as_str()) != model.text.lines().nth(slip.line));
        for slip in selection::selected(slips) {
            let text = with(&model.text, &slip);
            let told = pipeline::Model::parse(&text);
            let about = || format!("{} {}: {}", model.name, slip.kind, slip.text);
            match (is_consistent(&text), told) {
                (false, Err(error)) => {
                    assert!(names(&error, &text, slip.line), "{}\n{error}", about());
                    *found.entry(slip.kind).or_insert(0) += 1;
                }
                (false, Ok(_)) => panic!("not found: {}", about()),
                (true, Ok(_)) => right += 1,
                // It makes no difference at the points that are tried.
                (true, Err(error)) => {
                    let is_hidden = !["s for ms", "bit for byte"].contains(&slip.kind);
                    assert!(is_hidden, "{error}");
                    hidden.push(about());
                }
            }
        }
    }
    let all: usize = found.values().sum();
    println!(
        "{models_tried} models, {all} slips of dimension: {found:?}; {right} of none; {hidden:#?}"
    );
    assert!(models_tried >= 20 && all >= 100 && hidden.len() * 20 < all);
}
