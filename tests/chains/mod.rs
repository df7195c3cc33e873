//! Chains of equations that mention each other: what is printed is a model with the same values, and it is as long as
//! what was read.

mod kinds;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use num_rational::BigRational;
use pamela::model::{Evaluator, Limits, Model, Value};
use pamela::syntax::tree::Type;
use pamela::syntax::{NoFiles, parse_model};

use crate::selection::selected;
use kinds::Kind;

fn read(text: &str) -> Model {
    let checked = parse_model("chain.pam", text, &NoFiles)
        .and_then(|(tree, sources)| Model::check(tree, sources, &NoFiles));
    checked.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What the program prints for a model.
fn printed(name: &str, text: &str, arguments: &[&str]) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pam"));
    fs::write(&file, text).expect("a temporary file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(&arguments[..1])
        .arg(&file)
        .args(&arguments[1..])
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 3)),
        "{name}: {errors}"
    );
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Points of the parameters of a model, the same in every run.
fn points(model: &Model) -> Vec<BTreeMap<String, Value>> {
    let value = |name: &str, point: usize, number: usize| -> BigRational {
        let text = match (name, point) {
            ("N", _) => ["1", "2", "5"][point],
            ("y", _) => ["0", "1/2", "3"][point],
            _ => ["0", "2", "-3/2", "7/3", "1", "12"][(point * 2 + number) % 6],
        };
        text.parse().expect("a rational")
    };
    let of = |point: usize| {
        let numbered = model.parameters().enumerate();
        numbered
            .map(|(number, p)| {
                (
                    p.name.text.clone(),
                    value(&p.name.text, point, number).into(),
                )
            })
            .collect()
    };
    (0..3).map(of).collect()
}

fn definition(model: &Model, name: &str, point: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut evaluator = Evaluator::new(model, point, Limits { steps: 2_000_000 });
    evaluator
        .equation(name)
        .map_err(|diagnostic| diagnostic.message)
}

/// The equations of a model that have values.
fn names(model: &Model) -> Vec<String> {
    let own = |e: &pamela::syntax::tree::Equation| match e.kind {
        _ if e.parameter || !e.formals.is_empty() => None,
        Type::Numeric => Some(e.name.text.clone()),
        Type::Process => Some(format!("T_{}", e.name.text)),
        Type::Resource => None,
    };
    model.equations().iter().filter_map(own).collect()
}

/// What is printed is read back, and has the values of the definition, exactly, wherever that has any.
fn agrees(kind: &Kind, links: usize) {
    println!("{}", kind.name);
    let text = (kind.model)(links);
    let results = printed(&format!("{}_{links}", kind.name), &text, &["simplify"]);
    let (model, results) = (read(&text), read(&results));
    if kind.laws {
        return;
    }
    let mut compared = 0;
    for point in points(&model) {
        for name in names(&model) {
            let Ok(expected) = definition(&model, &name, &point) else {
                continue;
            };
            // A time that every run takes stands for the `T` of the same form.
            let printed = match results.lookup(&name) {
                Some(_) => name.clone(),
                None => name.replacen("T_", "time_", 1),
            };
            let found = definition(&results, &printed, &point);
            if matches!(&found, Err(reason) if reason.contains("too long") || reason.contains("steps"))
            {
                continue;
            }
            assert_eq!(found, Ok(expected), "{}: {name} at {point:?}", kind.name);
            compared += 1;
        }
    }
    assert!(compared > 0, "{}: nothing was compared", kind.name);
}

#[test]
fn short_chains_have_the_values_of_the_definition() {
    for kind in selected(kinds::all()) {
        agrees(&kind, 9);
    }
}

#[test]
fn long_chains_have_the_values_of_the_definition() {
    for kind in selected(kinds::all()) {
        // Each of these calls asks for a value of its own: the definition takes twice as long with every link.
        let links = match kind.name {
            "calls" | "calls_linear" | "calls_guarded" => 12,
            name if name.starts_with("routines") => 12,
            _ => 24,
        };
        agrees(&kind, links);
    }
}

/// Three times as many links are printed in less than five times as many bytes, but for longer numbers. The first
/// hundred links or so are small with every name written out, so that they are.
#[test]
fn what_is_printed_grows_with_what_is_read() {
    for kind in selected(kinds::all()) {
        let size = |links: usize| {
            let name = format!("{}_{links}", kind.name);
            without_digits(&printed(&name, &(kind.model)(links), &["simplify"]))
        };
        // Nothing about the links of this kind is known by itself, so that each takes longer than the one before it.
        let links = match kind.name {
            "max_related" => 40,
            _ => 120,
        };
        let (short, long) = (size(links), size(3 * links));
        assert!(
            long < 5 * short,
            "{}: {short} bytes, then {long}",
            kind.name
        );
    }
}

/// How long a text is where a number takes one byte.
fn without_digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let pairs = bytes.windows(2);
    let inside = pairs.filter(|pair| pair.iter().all(u8::is_ascii_digit));
    bytes.len() - inside.count()
}
