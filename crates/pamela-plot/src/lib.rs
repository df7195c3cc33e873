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

/// A drawing.
#[derive(Clone, Debug)]
pub enum Picture {
    Figure(Figure),
    /// Panels below each other: each kind of values has its own axis.
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
    /// The curve that the regions belong to, if there are several.
    pub regimes_of: Option<String>,
    pub marks: Vec<Mark>,
    pub measured: Vec<Measured>,
}

/// Label and scale of an axis; without a scale, the data decide.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    pub label: String,
    pub scale: Option<Scale>,
}

/// Points of a line, which is interrupted at values that are not finite.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// True for a thin grey reference curve.
    pub ideal: bool,
}

/// The area between two curves, in the colour of the curve with this index.
#[derive(Clone, Debug)]
pub struct Band {
    pub name: String,
    pub curve: usize,
    /// Points of the band, each with the lower and the upper value.
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
    /// The curve whose colour the points have.
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
    /// Name of the values.
    pub label: String,
}

/// Tasks that wait for each other.
#[derive(Clone, Debug)]
pub struct TaskGraph {
    pub title: String,
    /// Text below the title.
    pub label: String,
    pub arrangement: Arrangement,
    pub tasks: Vec<Task>,
    /// Pairs of tasks by index; the second waits for the first.
    pub precedences: Vec<(usize, usize)>,
    /// The critical path, from its first task on.
    pub path: Vec<usize>,
}

/// Arrangement of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Each task to the right of its predecessors.
    Layers,
    /// Bars over time.
    Time,
}

/// A task with its start and end.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    /// What its name begins with, if other tasks share it: `gemm` of `gemm(0, 2, 1)`.
    pub family: String,
    pub from: f64,
    pub to: f64,
    /// Share of runs in which the task is on a longest path, from 0 to 1.
    pub criticality: f64,
}

impl Picture {
    /// The layout of the picture.
    pub fn sheet(&self) -> sheet::Sheet {
        match self {
            Picture::Figure(figure) => layout::sheet(std::slice::from_ref(figure)),
            Picture::Panels(figures) => layout::sheet(figures),
            Picture::HeatMap(map) => map::sheet(map),
            Picture::Tasks(graph) => tasks::sheet(graph),
        }
    }

    /// A vector graphics file whose text uses a font of the viewer.
    pub fn svg(&self) -> String {
        svg::svg(&self.sheet())
    }

    /// A page as wide as a column of a paper.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::pdf(&self.sheet())
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// Fails if the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        png::png(&self.sheet())
    }
}

/// A number for readers: few digits, and short numbers unrounded.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.')
        } else {
            digits
        };
        return format!("{digits}e{power}");
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}
