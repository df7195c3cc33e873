//! Measured points for `pamela plot`.

use std::path::Path;

use crate::cli::{output, read_file};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::law::table::time_column;
use crate::pipeline::SimplifiedEquation;
use crate::plot;
use crate::sweep::Grid;
use crate::timing::Origin;

/// A measured time in the unit of the vertical axis: that of the option, or else of the model.
fn of_seconds(seconds: f64, equation: &str, unit: Option<&str>, compiled: &Compiled) -> f64 {
    let name = unit.map(|unit| format!("time[{unit}]"));
    let unit = name.and_then(|name| Some(time_column(&name, &[]).ok()??.1));
    match (unit, compiled.shown(equation)) {
        (Some(unit), _) => seconds / unit,
        (None, Some(shown)) => shown.double(seconds),
        (None, None) => seconds,
    }
}

/// The measured points of a file, in the unit of the vertical axis.
///
/// # Errors
/// Fails if the file cannot be read, or has no points of what is drawn.
pub fn runs(
    path: &Path,
    grid: &Grid,
    compiled: &Compiled,
    unit: Option<&str>,
) -> Result<Vec<plot::Runs>, Error> {
    let drawn = compiled
        .equations()
        .iter()
        .filter(|e| !e.origin.is_bound() && !e.auxiliary);
    let mut names: Vec<&str> = drawn.clone().map(|e| e.name.as_str()).collect();
    // What was measured is the time, also where a table calls it by its lower bound.
    let other_name = |e: &SimplifiedEquation| match &e.origin {
        Origin::Execution(process) => Origin::Time(process.clone()).process_equation(),
        _ => None,
    };
    let other_names: Vec<(String, String)> = drawn
        .filter_map(|e| Some((other_name(e)?, e.name.clone())))
        .filter(|(other, _)| !names.contains(&other.as_str()))
        .collect();
    names.extend(other_names.iter().map(|(other, _)| other.as_str()));
    let text = read_file(path)?;
    let mut file = plot::measured(&path.display().to_string(), &text, grid, &names)?;
    for runs in &mut file.runs {
        if let Some((_, time)) = other_names.iter().find(|(name, _)| *name == runs.equation) {
            runs.equation.clone_from(time);
        }
        if runs.in_seconds {
            for (_, value, error) in &mut runs.points {
                let on_axis = |seconds| of_seconds(seconds, &runs.equation, unit, compiled);
                (*value, *error) = (on_axis(*value), error.map(on_axis));
            }
        }
    }
    if file.others > 0 {
        let rows = match file.others {
            1 => "1 row".to_string(),
            more => format!("{more} rows"),
        };
        output::note(&format!(
            "note: {} of `{}` left out, measured at other values of the parameters",
            rows,
            path.display()
        ));
    }
    Ok(file.runs)
}
