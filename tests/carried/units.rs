//! Slips in the units of libraries: each is an error.

use std::collections::HashMap;
use std::path::Path;

use pamela::Model;

use crate::selection::selected;

/// Fewer slips would leave lines of a library untried.
const LEAST: [(&str, usize); 4] = [
    ("machines", 100),
    ("serving", 500),
    ("training", 60),
    ("transformer", 100),
];

/// A replaced part of a text.
struct Slip {
    start: usize,
    end: usize,
    text: String,
}

/// The text with spaces in place of comments.
fn code(text: &str) -> String {
    let line = |line: &str| match line.split_once('%') {
        Some((code, comment)) => format!("{code}{}", " ".repeat(comment.len() + 1)),
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// Another unit in the place of each one, and none after each literal but 0, which fits everywhere.
fn units(code: &str) -> Vec<Slip> {
    let mut slips = Vec::new();
    for (start, _) in code.match_indices('[') {
        let line = code[..start].rsplit('\n').next().unwrap_or_default();
        let Some(length) = code[start..].find(']') else {
            continue;
        };
        if line.trim_start().starts_with("unit") {
            continue;
        }
        let end = start + length + 1;
        slips.push(Slip {
            start,
            end,
            text: "[J]".to_owned(),
        });
        let before = code[..start].trim_end();
        let literal = &before[before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..];
        if literal.parse().is_ok_and(|number: f64| number != 0.0) {
            slips.push(Slip {
                start,
                end,
                text: String::new(),
            });
        }
    }
    slips
}

/// An energy beside each number of a library where an equation, a fact or an argument mentions it.
fn factors(code: &str) -> Vec<Slip> {
    let declared = |line: &&str| line.starts_with("numeric");
    let lines = code.lines().map(str::trim_start).filter(declared);
    let names: Vec<&str> = lines
        .filter_map(|line| {
            let mut words = line.split(|c| !is_word(c)).filter(|word| !word.is_empty());
            words.find(|word| !["numeric", "parameter"].contains(word))
        })
        .collect();
    let mut slips = Vec::new();
    let mut at = 0;
    while let Some(found) = code[at..].find(is_word) {
        let start = at + found;
        let end = code[start..]
            .find(|c| !is_word(c))
            .map_or(code.len(), |length| start + length);
        at = end;
        let word = &code[start..end];
        let base = word.split('.').next().unwrap_or_default();
        let rest = code[end..].trim_start();
        let is_defined = code[..start].trim_end().ends_with("numeric")
            || code[..start].trim_end().ends_with("parameter");
        let is_named = rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("=="));
        let is_unit = code[..start].rfind('[') > code[..start].rfind(']');
        // The default of an argument is checked where a call leaves the argument out.
        let is_default = code[..start].ends_with("[1] = ");
        let is_called = code[end..].starts_with('(');
        if names.contains(&base) && !(is_defined || is_named || is_unit || is_default || is_called)
        {
            slips.push(Slip {
                start,
                end,
                text: format!("({word} * 1 [J])"),
            });
        }
    }
    slips
}

#[test]
fn each_slip_in_a_unit_is_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("std");
    let mut texts: HashMap<String, String> = HashMap::new();
    for name in [
        "machines",
        "serving",
        "training",
        "transformer",
        "collectives",
    ] {
        let file = format!("{name}.pam");
        let text = std::fs::read_to_string(directory.join(&file)).expect("the library is there");
        texts.insert(file, text);
    }
    for (name, least) in LEAST {
        let file = format!("{name}.pam");
        let text = texts[&file].clone();
        Model::read(&file, &text, &texts).unwrap_or_else(|error| panic!("{error}"));
        let code = code(&text);
        assert_eq!(code.len(), text.len());
        let slips: Vec<Slip> = units(&code).into_iter().chain(factors(&code)).collect();
        assert!(slips.len() >= least, "{name}: {}", slips.len());
        let missed: Vec<String> = selected(slips)
            .iter()
            .filter_map(|slip| {
                let changed = format!("{}{}{}", &text[..slip.start], slip.text, &text[slip.end..]);
                let line = text[..slip.start].matches('\n').count() + 1;
                let read = Model::read(&file, &changed, &texts);
                read.is_ok()
                    .then(|| format!("line {line}: `{}`", slip.text))
            })
            .collect();
        assert!(missed.is_empty(), "{name}: {missed:?}");
    }
}
