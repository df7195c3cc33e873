//! Values of parameters over a grid.

use pamela::compiled::decimal;
use pamela::sweep::{Axis, Values, of_value};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::convert::{Subject, rational};
use crate::error::{raise, refuse};

type Constants = Vec<(String, pamela::ring::Rational)>;
/// Axes that vary together, with the number of their group.
type Group = (Option<usize>, Vec<Axis>);

/// Splits the given values into axes and constants, in order.
pub fn axes_of(
    py: Python<'_>,
    subject: &Subject<'_>,
    given: &[(String, Bound<'_, PyAny>)],
    zipped: &[Vec<String>],
) -> PyResult<(Vec<Axis>, Constants)> {
    let (mut axes, mut constants): (Vec<Group>, Constants) = Default::default();
    for name in zipped.iter().flatten() {
        if given.iter().all(|(own, _)| own != name) {
            let message =
                format!("`{name}` is in a group that advances together, but has no values");
            return Err(refuse(py, message));
        }
    }
    for (name, value) in given {
        let Some(values) = values_of(subject, name, value)? else {
            constants.push((name.clone(), rational(subject, name, value)?));
            continue;
        };
        let axis = Axis {
            names: vec![name.clone()],
            values: vec![values],
            ..Axis::default()
        };
        let group = zipped.iter().position(|group| group.contains(name));
        let known = axes
            .iter_mut()
            .find(|(own, _)| group.is_some() && *own == group);
        match known {
            Some((_, members)) => members.push(axis),
            None => axes.push((group, vec![axis])),
        }
    }
    let axes = axes.into_iter().map(|(_, members)| Axis::zip(members));
    let axes = axes.collect::<pamela::Result<Vec<Axis>>>();
    Ok((axes.map_err(|error| raise(py, &error))?, constants))
}

/// Several values: a text of the language, or a list of numbers. `None` for a single value.
fn values_of(
    subject: &Subject<'_>,
    name: &str,
    given: &Bound<'_, PyAny>,
) -> PyResult<Option<Values>> {
    let py = given.py();
    if let Ok(text) = given.extract::<String>() {
        let unit = subject.unit_of(name);
        let values = py.detach(|| Values::parse_in(&text, &unit));
        return values.map_err(|error| raise(py, &of_value(name, error)));
    }
    match given.cast::<PyList>() {
        Ok(list) => {
            let doubles: Vec<f64> = list.extract()?;
            let Some(scale) = subject.scale_of(name) else {
                return Ok(Some(Values::list(doubles)));
            };
            let base = |value: f64| {
                let own = decimal(value).map(|own| &own * &scale);
                own.ok_or_else(|| {
                    refuse(
                        py,
                        format!("`{name}` has the value {value}, which is not a number here"),
                    )
                })
            };
            let values = doubles.into_iter().map(base).collect::<PyResult<_>>()?;
            Ok(Some(Values::exact_list(values)))
        }
        Err(_) => Ok(None),
    }
}
