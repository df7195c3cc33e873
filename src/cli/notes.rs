//! What tables and pictures have no room for: how their values stand to what a run takes.

use std::collections::BTreeMap;

use super::output;
use crate::compiled::Compiled;

/// Tells on standard error which equations are bounds of what a run takes, or rest on some; each note once.
pub fn of_bounds(compiled: &Compiled) {
    let mut order: Vec<&str> = Vec::new();
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let shown = compiled.equations().iter();
    for equation in shown.filter(|e| !e.auxiliary && e.bound().is_some()) {
        for note in equation.formula.approximations() {
            let own = names.entry(note).or_default();
            if own.is_empty() {
                order.push(note);
            }
            own.push(&equation.name);
        }
    }
    for note in order {
        output::note(&format!("note: {}: {note}", names[note].join(", ")));
    }
}
