//! Draws figures of plain numbers: curves, bands, named regions, marks, measured points, and heat
//! maps.
//!
//! Output formats are SVG, PDF, PNG, text for terminals, and Vega-Lite. `layout` and `map` place a
//! picture on a [`sheet`], from which files are written. `terminal` has a coarse layout of its own.
//!
//! The crate does not know where the numbers come from. It uses the colours of Okabe and Ito, which
//! colour-blind readers can distinguish. Lines also differ in their dashes, so they survive
//! printing.

mod font;
mod layout;
mod legend;
mod map;
mod pdf;
mod png;
mod scale;
mod scene;
pub mod sheet;
mod svg;
mod tasks;
mod terminal;
mod ticks;
mod vega;

pub use scale::Scale;
pub use terminal::Ink;
pub use ticks::plain;

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Picture {
    Figure(Figure),
    /// One below the other: values of several kinds have an axis each.
    Panels(Vec<Figure>),
    HeatMap(HeatMap),
    Tasks(TaskGraph),
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
    /// The curve that the regions belong to, where there are others.
    pub regimes_of: Option<String>,
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
    /// The curve that they belong to, whose colour they have.
    pub curve: Option<usize>,
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

/// Tasks that wait for each other.
#[derive(Clone, Debug)]
pub struct TaskGraph {
    pub title: String,
    /// What is said below the title.
    pub label: String,
    pub arrangement: Arrangement,
    pub tasks: Vec<Task>,
    /// Pairs of positions, of which the second waits for the first.
    pub precedences: Vec<(usize, usize)>,
    /// The critical path, from its first task on.
    pub path: Vec<usize>,
}

/// How tasks are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Each to the right of what it waits for.
    Layers,
    /// As bars over time.
    Time,
}

/// A task, from when to when it runs.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    /// What its name begins with, if other tasks share it: `gemm` of `gemm(0, 2, 1)`.
    pub family: String,
    pub from: f64,
    pub to: f64,
    /// How often it is on a longest path, from 0 to 1.
    pub criticality: f64,
}

impl Picture {
    /// The picture with its layout done.
    pub fn sheet(&self) -> sheet::Sheet {
        match self {
            Picture::Figure(figure) => layout::sheet(std::slice::from_ref(figure)),
            Picture::Panels(figures) => layout::sheet(figures),
            Picture::HeatMap(map) => map::sheet(map),
            Picture::Tasks(graph) => tasks::sheet(graph),
        }
    }

    /// A file of vector graphics, whose text is set in a font of the reader.
    pub fn svg(&self) -> String {
        svg::svg(&self.sheet())
    }

    /// A page of the width of a column of a paper.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::pdf(&self.sheet())
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// What the encoder says.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        png::png(&self.sheet())
    }
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
