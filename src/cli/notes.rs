//! Notes on the standing of values in tables and pictures, which have no room for them.

use super::output;
use crate::compiled::Compiled;
use crate::timing::Order;

/// Prints each note once on standard error: equations that are bounds of times or rest on bounds, and times that hold
/// in one order of requests only.
pub fn of_bounds(compiled: &Compiled) {
    let shown = || compiled.equations().iter().filter(|e| !e.auxiliary);
    for equation in shown() {
        let proof = equation.proof();
        if let Some(proof) = proof.filter(|proof| proof.order == Order::Text) {
            output::note(&format!("note: {}: {proof}", equation.name));
        }
    }
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for equation in shown().filter(|e| !e.standing.is_exact()) {
        let notes = equation.formula.approximations();
        let line = equation.standing.line(&equation.origin, notes);
        let notes = notes.iter().map(ToString::to_string);
        for note in line.map(str::to_string).into_iter().chain(notes) {
            match told.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(&equation.name),
                None => told.push((note, vec![&equation.name])),
            }
        }
    }
    for (note, names) in told {
        output::note(&format!("note: {}: {note}", names.join(", ")));
    }
}
