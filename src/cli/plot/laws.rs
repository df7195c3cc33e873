//! Laws at one point, beside measured samples.

use std::path::Path;

use pamela_plot::Picture;

use super::Arguments;
use crate::cli::{read_file, sweep_values};
use crate::compiled::{Compiled, Point};
use crate::diagnostic::Error;
use crate::law::Samples;
use crate::plot::{self, Shape};

/// The distribution of a law at the one point that is given.
pub fn law(
    arguments: &Arguments,
    compiled: &Compiled,
    given: sweep_values::SweepInputs,
    title: &str,
) -> Result<Picture, Error> {
    if let Some(axis) = given.axes.first() {
        return Err(Error::new(format!(
            "a law is drawn at one point, but `{}` has several values",
            axis.names[0]
        )));
    }
    let point = given.constants.into_iter();
    let point = point.fold(Point::default(), |point, (name, value)| {
        point.with(&name, value)
    });
    let shape = match (arguments.tail, arguments.cdf) {
        (true, _) => Shape::Tail,
        (false, true) => Shape::Cdf,
        (false, false) => Shape::Density,
    };
    let samples = match &arguments.measured {
        Some(path) => samples(path, compiled)?,
        None => Vec::new(),
    };
    let carrier = arguments.laws.carrier();
    plot::law(compiled, &point, carrier, shape, &samples, title)
}

/// The samples that are drawn beside laws: the only column of a file, or the one that is called as an equation.
fn samples(path: &Path, compiled: &Compiled) -> Result<Vec<f64>, Error> {
    let text = read_file(path)?;
    let names = compiled.equations().iter().map(|e| Some(e.name.as_str()));
    let mut tried = std::iter::once(None)
        .chain(names)
        .map(|column| Samples::read(&text, column));
    let mut last = tried.next();
    while let Some(Err(_)) = last
        && let Some(next) = tried.next()
    {
        last = Some(next);
    }
    let samples = last.unwrap_or_else(|| Err("there is no column".to_string()));
    let samples = samples.map_err(|error| Error::new(format!("`{}`: {error}", path.display())))?;
    Ok(samples.values)
}
