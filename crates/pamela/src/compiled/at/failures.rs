//! What is wrong with equations that have no value.

use std::collections::HashSet;
use std::sync::Arc;

use super::PointEvaluation;
use crate::diagnostic::{Diagnostic, Error};
use crate::pipeline::SimplifiedEquation;

impl PointEvaluation<'_> {
    /// An error with the equation that has no value for it, where its place is in another one.
    pub(super) fn asked_by(&self, equation: &SimplifiedEquation, mut error: Error) -> Error {
        let Ok(model) = self.definition() else {
            return error;
        };
        let own = equation.origin.process().unwrap_or(&equation.name);
        let Some(own) = model.lookup(own) else {
            return error;
        };
        if !Arc::ptr_eq(&error.sources, model.sources()) {
            return error;
        }
        for diagnostic in &mut error.diagnostics {
            let place = diagnostic.labels.first().map(|(place, _)| *place);
            let is_elsewhere = place.is_some_and(|place| {
                let within = own.span.start <= place.start && place.end <= own.span.end;
                place.file != own.span.file || !within
            });
            if is_elsewhere {
                let label = format!("`{}` has no value for it", equation.name);
                diagnostic.labels.push((own.name.span, label));
            }
        }
        error
    }
}

/// Leaves out errors that another equation with the same part has already, and says how many of the first ones stay.
pub(super) fn without_repetitions(failures: &mut Vec<Error>, first: usize) -> usize {
    let mut seen = HashSet::new();
    for error in failures.iter_mut() {
        let place = |d: &Diagnostic| d.labels.first().map(|(span, _)| *span);
        error
            .diagnostics
            .retain(|d| seen.insert((d.message.clone(), place(d))));
    }
    let stays = |error: &Error| !error.diagnostics.is_empty();
    let kept = failures[..first]
        .iter()
        .filter(|error| stays(error))
        .count();
    failures.retain(stays);
    kept
}
