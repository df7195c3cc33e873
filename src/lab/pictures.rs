//! The figures of a study as files.

use std::path::Path;

use pamela_plot::{Axis, Curve, Figure, Measured, Picture};

use pamela::Error;
use pamela_cli::cli::output;
use pamela_lab::study::report::{Drawing, Report};

/// Writes each drawing to an SVG file in a directory, which is created if it does not exist.
///
/// # Errors
/// Fails for a study without drawings, or if a file cannot be written.
pub fn write(report: &Report, directory: &Path) -> Result<(), Error> {
    if report.drawings.is_empty() {
        return Err(Error::new(
            "this study has no pictures; leave out `--pictures`",
        ));
    }
    let failed = |path: &Path, error: std::io::Error| {
        Error::new(format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    for drawing in &report.drawings {
        let path = directory.join(format!("{}.svg", drawing.name));
        std::fs::write(&path, picture(drawing).svg()).map_err(|error| failed(&path, error))?;
    }
    let count = report.drawings.len();
    output::line(&format!("\n{count} pictures in {}", directory.display()))
}

fn picture(drawing: &Drawing) -> Picture {
    let axis = |label: &str| Axis {
        label: label.to_string(),
        scale: None,
    };
    let (joined, apart): (Vec<_>, Vec<_>) =
        drawing.series.iter().partition(|series| series.is_joined);
    let curves = joined.into_iter().map(|series| Curve {
        name: series.name.clone(),
        points: series.points.clone(),
        ideal: false,
    });
    let measured = apart.into_iter().map(|series| Measured {
        name: series.name.clone(),
        curve: None,
        points: series.points.iter().map(|(x, y)| (*x, *y, None)).collect(),
    });
    Picture::Figure(Figure {
        title: drawing.title.clone(),
        x: axis(&drawing.horizontal),
        y: axis(&drawing.vertical),
        curves: curves.collect(),
        measured: measured.collect(),
        ..Figure::default()
    })
}
