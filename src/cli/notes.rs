//! What tables and pictures have no room for: how their values stand to what a run takes.

use std::collections::BTreeMap;

use super::output;
use crate::compiled::Compiled;
use crate::timing::Certificate;

/// Tells on standard error which equations are bounds of what a run takes, or rest on some, each note once; and which are
/// the time in one order of requests only.
pub fn of_bounds(compiled: &Compiled) {
    for equation in compiled.equations().iter().filter(|e| !e.auxiliary) {
        let evidence = equation.evidence.as_ref();
        let in_one_order = evidence.filter(|e| e.certificate == Certificate::ExactInTextOrder);
        if let Some(evidence) = in_one_order {
            output::note(&format!("note: {}: {evidence}", equation.name));
        }
    }
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
