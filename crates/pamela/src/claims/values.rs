//! Facts and values of closed forms at points.

use super::points::{Axis, Place, bindings};
use crate::compiled::{Column, Compiled, Point};
use crate::eval::Value;
use crate::formula::Formula;
use crate::pipeline::Options;

/// True if the facts hold at a point. Facts about units and laws have no value there.
pub(crate) fn is_inside<'f>(
    axes: &[Axis],
    mut facts: impl Iterator<Item = &'f Formula>,
    place: &Place,
) -> bool {
    let bindings = bindings(axes, place);
    facts.all(|fact| match fact.evaluate(&bindings) {
        Ok(Value::Scalar(number)) => !number.is_zero(),
        _ => true,
    })
}

/// The values of an equation at points, NaN where it has none. `axes` are the parameters, each with its place in a point.
pub(crate) fn values_at(
    compiled: &Compiled,
    name: &str,
    axes: &[(usize, &str)],
    places: &[Place],
) -> Vec<f64> {
    let unknown = vec![f64::NAN; places.len()];
    if places.is_empty() {
        return unknown;
    }
    let only = Options {
        only: vec![name.to_owned()],
        ..Options::default()
    };
    let Ok(compiled) = compiled.restricted(&only) else {
        return unknown;
    };
    if axes.is_empty() {
        let value = compiled.at(Point::default());
        let value = value.ok().and_then(|found| found.number(name).ok());
        return vec![value.unwrap_or(f64::NAN); places.len()];
    }
    let column = |&(axis, name): &(usize, _)| {
        let values = places.iter().map(|place| Some(place[axis].clone()));
        (name, Column::of_exact(values.collect()))
    };
    let columns: Vec<(&str, Column)> = axes.iter().map(column).collect();
    let found = compiled.batch(&columns, &[]).ok();
    let values = found.and_then(|found| Some(found.equation(name)?.values.clone()));
    values.unwrap_or(unknown)
}
