//! SVG, PNG and terminals.

use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::{BandPlot, ColorMap, Heatmap, LinePlot, LineStyle, ScatterPlot};
use kuva::render::annotations::{ReferenceLine, ShadedRegion, TextAnnotation};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};

use crate::{Curve, Figure, HeatMap, Picture, Scale, short};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;

/// Okabe and Ito, the lightest left out.
const COLOURS: [&str; 7] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
];
const DASHES: [LineStyle; 4] = [
    LineStyle::Solid,
    LineStyle::Dashed,
    LineStyle::Dotted,
    LineStyle::DashDot,
];
/// The same behind the curves.
const LIGHT: [&str; 7] = [
    "#CCE3F0", "#F7DFCC", "#CCECE3", "#F5E4ED", "#FAECCC", "#DDF0FB", "#CCCCCC",
];
/// A line may be off by this share of the height.
const FLAT: f64 = 5e-4;
/// More points are not merged into one line.
const MOST_MERGED: usize = 200;
const IDEAL: &str = "#888888";
/// Regions in turn.
const SHADES: [(&str, f64); 2] = [("#888888", 0.06), ("#888888", 0.16)];

impl Picture {
    /// A file of vector graphics, whose text is set in a font of the reader.
    pub fn svg(&self) -> String {
        SvgBackend::new().render_scene(&self.scene(false))
    }

    /// The bytes of a PNG file, twice as fine as the SVG.
    ///
    /// # Errors
    /// What the encoder says.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        kuva::PngBackend::new().render_scene(&self.scene(false))
    }

    /// Lines of text with braille dots and colours, for so many columns and rows.
    pub fn terminal(&self, columns: usize, rows: usize) -> String {
        kuva::TerminalBackend::new(columns, rows).render_scene(&self.scene(true))
    }

    fn scene(&self, terminal: bool) -> Scene {
        let (plots, layout) = match self {
            Picture::Figure(figure) => figure.parts(terminal),
            Picture::HeatMap(map) => map.parts(),
        };
        render_multiple(plots, layout)
    }
}

fn colour(position: usize) -> &'static str {
    COLOURS[position % COLOURS.len()]
}

fn dash(position: usize) -> LineStyle {
    DASHES[position % DASHES.len()].clone()
}

fn ticks() -> TickFormat {
    TickFormat::Custom(std::sync::Arc::new(short))
}

impl Figure {
    pub(crate) fn x_scale(&self) -> Scale {
        let places = self
            .curves
            .iter()
            .filter(|c| !c.ideal)
            .flat_map(|c| c.points.iter().map(|p| p.0));
        let measured = self
            .measured
            .iter()
            .flat_map(|m| m.points.iter().map(|p| p.0));
        let all = places.chain(measured);
        self.x.scale.unwrap_or_else(|| Scale::of_places(all))
    }

    pub(crate) fn y_scale(&self) -> Scale {
        let all = self.values().chain(
            self.measured
                .iter()
                .flat_map(|m| m.points.iter().map(|p| p.1)),
        );
        self.y.scale.unwrap_or_else(|| Scale::of_values(all))
    }

    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let curves = self
            .curves
            .iter()
            .filter(|c| !c.ideal)
            .flat_map(|c| c.points.iter().map(|p| p.1));
        let bands = self
            .bands
            .iter()
            .flat_map(|b| b.points.iter().flat_map(|p| [p.1, p.2]));
        curves.chain(bands)
    }

    fn parts(&self, terminal: bool) -> (Vec<Plot>, Layout) {
        let (log_x, log_y) = (self.x_scale() == Scale::Log, self.y_scale() == Scale::Log);
        let shown = |x: f64, y: f64| {
            x.is_finite() && y.is_finite() && (!log_x || x > 0.0) && (!log_y || y > 0.0)
        };
        let mut plots: Vec<Plot> = Vec::new();
        let mut legend = Vec::new();
        let bands = if terminal { &[] } else { self.bands.as_slice() };
        for band in bands {
            let points = band
                .points
                .iter()
                .filter(|p| shown(p.0, p.1) && shown(p.0, p.2));
            let points: Vec<(f64, f64, f64)> = points.copied().collect();
            let band_of = BandPlot::new(
                points.iter().map(|p| p.0),
                points.iter().map(|p| p.1),
                points.iter().map(|p| p.2),
            );
            plots.push(
                band_of
                    .with_color(colour(band.curve))
                    .with_opacity(0.2)
                    .into(),
            );
        }
        for (position, curve) in self.curves.iter().enumerate() {
            let (colour, style) = match curve.ideal {
                true => (IDEAL, LineStyle::Dotted),
                false => (colour(position), dash(position)),
            };
            let width = if curve.ideal { 1.0 } else { 2.0 };
            for part in unbroken(curve, &shown) {
                let part = self.simplified(part, log_x, log_y);
                let line = LinePlot::new()
                    .with_data(part)
                    .with_color(colour)
                    .with_stroke_width(width);
                plots.push(line.with_line_style(style.clone()).into());
            }
            let own = LinePlot::new().with_line_style(style);
            legend.push(entry(
                &curve.name,
                colour,
                LegendShape::Line,
                own.line_style.dasharray(),
            ));
        }
        for band in bands {
            legend.push(entry(
                &band.name,
                LIGHT[band.curve % LIGHT.len()],
                LegendShape::Rect,
                None,
            ));
        }
        for (position, measured) in self.measured.iter().enumerate() {
            let colour = colour(self.curves.len() + position);
            let points: Vec<_> = measured.points.iter().filter(|p| shown(p.0, p.1)).collect();
            let mut scatter = ScatterPlot::new()
                .with_data(points.iter().map(|p| (p.0, p.1)))
                .with_color(colour)
                .with_size(4.0);
            if points.iter().any(|p| p.2.is_some()) {
                scatter = scatter.with_y_err(points.iter().map(|p| p.2.unwrap_or(0.0)));
            }
            plots.push(scatter.into());
            legend.push(entry(&measured.name, colour, LegendShape::Circle, None));
        }
        let dashes = Some("3 3".to_string());
        let marks = self.marks.iter();
        legend.extend(marks.map(|m| entry(&m.label, "#444444", LegendShape::Line, dashes.clone())));
        let layout = self.layout(&plots, log_x, log_y, terminal);
        let layout = match legend.len() > 1 {
            true => layout
                .with_legend_entries(legend)
                .with_legend_position(LegendPosition::OutsideRightTop)
                .with_legend_box(false),
            false => layout,
        };
        (plots, layout)
    }

    /// The least and the greatest value that is drawn.
    fn extent(&self, log_y: bool) -> (f64, f64) {
        let measured = self
            .measured
            .iter()
            .flat_map(|m| m.points.iter().map(|p| p.1 + p.2.unwrap_or(0.0)));
        let ideal = self
            .curves
            .iter()
            .filter(|c| c.ideal)
            .flat_map(|c| c.points.iter().map(|p| p.1));
        let all = self.values().chain(measured).chain(ideal);
        let shown = all.filter(|y| y.is_finite() && (!log_y || *y > 0.0));
        shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        })
    }

    /// Without points that the line between others goes through anyway, so that dashes are seen.
    fn simplified(&self, points: Vec<(f64, f64)>, log_x: bool, log_y: bool) -> Vec<(f64, f64)> {
        let (low, high) = self.extent(log_y);
        let on = |value: f64, log: bool| if log { value.ln() } else { value };
        let tall = (on(high, log_y) - on(low, log_y))
            .abs()
            .max(f64::MIN_POSITIVE);
        let place = |p: &(f64, f64)| (on(p.0, log_x), on(p.1, log_y) / tall);
        let mut kept: Vec<(f64, f64)> = Vec::with_capacity(points.len());
        let mut start = 0;
        for end in 1..points.len() {
            let (a, b) = (place(&points[start]), place(&points[end]));
            let off = |p: &(f64, f64)| {
                let (x, y) = place(p);
                (a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0) - y).abs() > FLAT
            };
            if end > start + MOST_MERGED || points[start + 1..end].iter().any(off) {
                kept.push(points[start]);
                start = end - 1;
            }
        }
        kept.extend(points.get(start));
        if start + 1 < points.len() {
            kept.extend(points.last());
        }
        kept
    }

    fn layout(&self, plots: &[Plot], log_x: bool, log_y: bool, terminal: bool) -> Layout {
        let mut layout = Layout::auto_from_plots(plots)
            .with_width(WIDTH)
            .with_height(HEIGHT)
            .with_title(self.title.clone())
            .with_title_size(14)
            .with_x_label(self.x.label.clone())
            .with_y_label(self.y.label.clone())
            .with_tick_format(ticks());
        if log_x {
            layout = layout.with_log_x();
        }
        if log_y {
            layout = layout.with_log_y();
        }
        let measured = self
            .measured
            .iter()
            .flat_map(|m| m.points.iter().map(|p| p.0));
        let places = self
            .curves
            .iter()
            .flat_map(|c| c.points.iter().map(|p| p.0));
        let places: Vec<f64> = places
            .chain(measured)
            .filter(|x| x.is_finite() && (!log_x || *x > 0.0))
            .collect();
        let least = places.iter().copied().fold(f64::INFINITY, f64::min);
        let most = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Measured points at an end are drawn whole.
        let margin = if self.measured.is_empty() { 0.0 } else { 0.02 };
        let (start, end) = match log_x {
            true => (
                least * (least / most).powf(margin),
                most * (most / least).powf(margin),
            ),
            false => (
                least - margin * (most - least),
                most + margin * (most - least),
            ),
        };
        if least < most {
            layout = layout.with_x_axis_min(start).with_x_axis_max(end);
        }
        let regions = if terminal {
            &[]
        } else {
            self.regions.as_slice()
        };
        let (lowest, highest) = self.extent(log_y);
        // A line of names fits above the curves.
        let above = |share: f64| match log_y {
            true => highest * (highest / lowest).powf(share),
            false => highest + (highest - lowest.min(0.0)) * share,
        };
        if !regions.is_empty() && lowest < highest {
            layout = layout.with_y_axis_max(above(0.12));
        }
        for (position, region) in regions.iter().enumerate() {
            let (from, to) = (region.from.max(least), region.to.min(most));
            if from >= to || (log_x && from <= 0.0) {
                continue;
            }
            let (shade, opacity) = SHADES[position % SHADES.len()];
            let shaded = ShadedRegion::vertical(from, to)
                .with_color(shade)
                .with_opacity(opacity);
            layout = layout.with_shaded_region(shaded);
            let middle = if log_x {
                (from * to).sqrt()
            } else {
                (from + to) / 2.0
            };
            let name = TextAnnotation::new(region.name.clone(), middle, above(0.05));
            layout = layout.with_annotation(name.with_color("#444444").with_font_size(10));
        }
        for mark in self.marks.iter().filter(|m| m.at >= least && m.at <= most) {
            let line = ReferenceLine::vertical(mark.at)
                .with_color("#444444")
                .with_dasharray("3 3");
            layout = layout.with_reference_line(line);
        }
        layout
    }
}

fn entry(name: &str, colour: &str, shape: LegendShape, dasharray: Option<String>) -> LegendEntry {
    LegendEntry {
        label: name.to_string(),
        color: colour.to_string(),
        shape,
        dasharray,
    }
}

/// The parts of a curve between points that are not shown.
fn unbroken(curve: &Curve, shown: &dyn Fn(f64, f64) -> bool) -> Vec<Vec<(f64, f64)>> {
    let parts = curve.points.split(|&(x, y)| !shown(x, y));
    parts
        .filter(|part| !part.is_empty())
        .map(<[(f64, f64)]>::to_vec)
        .collect()
}

impl HeatMap {
    fn parts(&self) -> (Vec<Plot>, Layout) {
        let finite = self.values.iter().flatten().filter(|x| x.is_finite());
        let log = Scale::of_values(finite.copied()) == Scale::Log;
        let shown = |x: &f64| if log { x.log10() } else { *x };
        let values = self
            .values
            .iter()
            .map(|row| row.iter().map(shown).collect::<Vec<f64>>());
        let label = match log {
            true => format!("{}: log10 {}", self.title, self.label),
            false => format!("{}: {}", self.title, self.label),
        };
        let (rows, columns) = (some_names(&self.rows), some_names(&self.columns));
        let map = Heatmap::new()
            .with_data(values.collect::<Vec<_>>())
            .with_labels(rows.clone(), columns.clone())
            .with_color_map(ColorMap::Viridis);
        let plots: Vec<Plot> = vec![map.into()];
        let layout = Layout::auto_from_plots(&plots)
            .with_width(WIDTH)
            .with_height(HEIGHT)
            .with_title(label)
            .with_title_size(14)
            .with_x_label(self.x.clone())
            .with_y_label(self.y.clone())
            .with_x_categories(columns)
            .with_y_categories(rows);
        (plots, layout)
    }
}

/// Names of at most a dozen, evenly; the others are empty.
fn some_names(values: &[f64]) -> Vec<String> {
    let step = values.len().div_ceil(12).max(1);
    let named = values.iter().enumerate();
    let name = |(k, x): (usize, &f64)| match k % step {
        0 => short(*x),
        _ => String::new(),
    };
    named.map(name).collect()
}
