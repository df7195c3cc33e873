//! Figures of plain numbers: curves, bands, named regions, marks, measured points, and heat maps. They become SVG,
//! PNG, text for terminals, or Vega-Lite.
//!
//! It knows nothing of where the numbers come from. Colours are those of Okabe and Ito, which the colour-blind tell
//! apart, and lines differ in dashes too, so that they survive print.

mod draw;
mod scale;
mod vega;

pub use scale::Scale;

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Picture {
    Figure(Figure),
    HeatMap(HeatMap),
}

/// Curves over one axis.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
    pub bands: Vec<Band>,
    pub regions: Vec<Region>,
    pub marks: Vec<Mark>,
    pub measured: Vec<Measured>,
}

/// What is said of an axis; its scale follows from the data where it is not given.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    pub label: String,
    pub scale: Option<Scale>,
}

/// Points that are joined; the line is cut where one is not a finite number.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// What others are compared with: thin and grey.
    pub ideal: bool,
}

/// What lies between two curves, of the colour of the curve at this place.
#[derive(Clone, Debug)]
pub struct Band {
    pub name: String,
    pub curve: usize,
    /// Each with the lower and the upper value.
    pub points: Vec<(f64, f64, f64)>,
}

/// A part of the horizontal axis.
#[derive(Clone, Debug)]
pub struct Region {
    pub name: String,
    pub from: f64,
    pub to: f64,
}

/// A place on the horizontal axis.
#[derive(Clone, Debug)]
pub struct Mark {
    pub label: String,
    pub at: f64,
}

/// Points with the half of their error bars.
#[derive(Clone, Debug)]
pub struct Measured {
    pub name: String,
    pub points: Vec<(f64, f64, Option<f64>)>,
}

/// Values over two parameters.
#[derive(Clone, Debug)]
pub struct HeatMap {
    pub title: String,
    pub x: String,
    pub y: String,
    pub columns: Vec<f64>,
    pub rows: Vec<f64>,
    /// A row for each of `rows`, with a value for each of `columns`.
    pub values: Vec<Vec<f64>>,
    /// What the values are.
    pub label: String,
}

/// A number as a reader writes it: few digits, no rounding of what is short.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => digits,
        };
        return format!("{digits}e{power}");
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}
