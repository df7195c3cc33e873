use std::fs;
use std::path::Path;

use pamela::algebra::{Derivation, Options, Simplifier, Step, Terms, replaced};
use pamela::expr::{Arena, ExprId, Function};
use pamela::model::Model;
use pamela::syntax::{FileLoader, parse_model};
use pamela::timing::{Fact, lower};

/// The derivations of a model with their closed forms, and the arena of both.
fn derivations(path: &Path) -> (Vec<(Derivation, ExprId)>, Terms) {
    let text = fs::read_to_string(path).expect("a model can be read");
    let parsed = parse_model(&path.to_string_lossy(), &text, &FileLoader);
    let (tree, sources) = parsed.expect("the model parses");
    let checked = Model::check(tree, sources, &FileLoader).expect("the model is one");
    let mut arena = Arena::new();
    let lowered = lower(&checked, &mut arena).expect("the model has a time");
    let mut facts = Vec::new();
    for fact in &lowered.facts {
        facts.push(match *fact {
            Fact::Integer(expr) => arena.apply(Function::Integer, expr),
            Fact::Holds(relation) => relation,
        });
    }
    let options = Options {
        explain: true,
        ..Options::default()
    };
    let base = pamela::rules::standard().expect("the rules are rules");
    let mut simplifier = Simplifier::new(arena, &facts, base, options);
    let mut found = Vec::new();
    for equation in &lowered.equations {
        let closed = simplifier.close(equation.expr);
        found.push((closed.derivation.expect("it was asked for"), closed.expr));
    }
    (found, Terms::new(simplifier.into_arena()))
}

/// What a reader gets who replaces left sides by right ones wherever they stand.
///
/// Not where a step speaks of an enclosing index: the name of an index depends on what is inside its
/// binder, for the arena if not for the reader.
fn replayed(terms: &mut Terms, derivation: &Derivation, closed: ExprId) -> Option<ExprId> {
    let mut term = terms.canonical(derivation.start);
    let steps = &derivation.steps;
    for (number, step) in steps.iter().enumerate() {
        let sides = step.left.iter().chain([&step.right]);
        let mut symbols = sides.flat_map(|&side| terms.arena.free(side));
        if symbols.any(|&symbol| terms.arena.range(symbol).is_some()) {
            return None;
        }
        let before = term;
        term = taken(terms, term, step);
        // What was told once may be needed again.
        if term == before {
            term = all_taken(terms, term, &steps[..=number]);
        }
    }
    if term == closed {
        Some(term)
    } else {
        Some(all_taken(terms, term, steps))
    }
}

fn all_taken(terms: &mut Terms, term: ExprId, steps: &[Step]) -> ExprId {
    steps
        .iter()
        .fold(term, |term, step| taken(terms, term, step))
}

fn taken(terms: &mut Terms, term: ExprId, step: &Step) -> ExprId {
    match step.left[..] {
        [left] => replaced(terms, term, left, step.right),
        // A sum is collected without being told.
        _ => term,
    }
}

#[test]
fn the_steps_lead_from_the_definition_to_the_closed_form() {
    let (mut led, mut astray) = (0, Vec::new());
    for room in ["papers", "algebra", "issues"] {
        let room = format!("{}/corpus/{room}", env!("CARGO_MANIFEST_DIR"));
        for entry in fs::read_dir(room).expect("the corpus is there") {
            let path = entry.expect("an entry of the corpus").path();
            if path.extension().is_none_or(|extension| extension != "pam") {
                continue;
            }
            let (derivations, mut terms) = derivations(&path);
            for (derivation, closed) in derivations {
                let closed = terms.canonical(closed);
                match replayed(&mut terms, &derivation, closed) {
                    Some(end) if end == closed => led += 1,
                    Some(_) => astray.push(path.display().to_string()),
                    None => {}
                }
            }
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
    assert!(led > 200, "only {led} derivations were repeated");
}
