//! Heat maps.

use pamela_plot::{HeatMap, Picture};

use super::table::Table;
use super::{Drawn, Request, axes, kind, on_axis, table, units, with_unit};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::expr::Sort;

/// Draws the values of the first equation over two axes.
///
/// # Errors
/// Fails like [`curves`].
pub fn heat_map(compiled: &Compiled, request: &Request) -> Result<Drawn> {
    let (across, Some(up)) = axes(&request.grid, 2)? else {
        return Err(Error::new(
            "a heat map takes two parameters with several values".to_string(),
        ));
    };
    let table = Table::new(compiled, &request.grid, &[])?;
    let equation = &table.equations[0];
    let facts = kind::facts(compiled);
    let instead = facts.get(&equation.name).and_then(|facts| facts.instead);
    let mut label = equation.name.clone();
    if equation.sort == Sort::Law {
        label.push_str(", mean");
    }
    if let Some(what) = instead {
        label.push_str(&format!(" ({what})"));
    }
    let (columns, rows) = (table::doubles(across), table::doubles(up));
    let [own, of_columns, of_rows] =
        [&equation.name, &across.names[0], &up.names[0]].map(|name| compiled.shown(name).cloned());
    let value =
        |row: usize, column: usize| on_axis(&own, equation.values[column * rows.len() + row]);
    let row = |row: usize| {
        (0..columns.len())
            .map(|column| value(row, column))
            .collect()
    };
    let picture = Picture::HeatMap(HeatMap {
        title: request.title.clone(),
        x: units::label(compiled, &across.names[0]),
        y: units::label(compiled, &up.names[0]),
        values: (0..rows.len()).map(row).collect(),
        label: with_unit(&label, own.as_ref(), request),
        columns: columns.iter().map(|x| on_axis(&of_columns, *x)).collect(),
        rows: rows.iter().map(|x| on_axis(&of_rows, *x)).collect(),
    });
    Ok(Drawn {
        picture,
        gaps: table.gaps,
    })
}
