//! Errors of equations that have no value.

use std::collections::HashSet;
use std::sync::Arc;

use super::PointEvaluation;
use crate::diagnostic::{Diagnostic, Error};
use crate::pipeline::SimplifiedEquation;

impl PointEvaluation<'_> {
    /// Adds the name of the equation without a value to an error that points into another equation.
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

/// Removes errors that another equation already reports for the same part.
///
/// Returns how many of the `first` errors stay.
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
