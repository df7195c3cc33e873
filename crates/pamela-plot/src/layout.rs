//! Figures on a sheet, one below the other. Their text is legible in a column of a paper, 85 mm wide.

use crate::font;
use crate::legend;
use crate::scene::Scene;
use crate::sheet::{Anchor, Colour, Item, Sheet, Text};
use crate::ticks::Tick;
use crate::{Curve, Figure};

pub(crate) const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 220.0;
/// Height of one of several panels.
const LOW: f64 = 150.0;
pub(crate) const EDGE: f64 = 8.0;
pub(crate) const SIZE: f64 = 13.0;
pub(crate) const SMALL: f64 = 12.0;
const LINE: f64 = 16.0;
/// For the names of regions, above the curves.
const STRIP: f64 = 18.0;

pub(crate) const TEXT: Colour = [0x22, 0x22, 0x22];
pub(crate) const FAINT: Colour = [0x55, 0x55, 0x55];
pub(crate) const LIGHT: Colour = [0x88, 0x88, 0x88];
const GRID: Colour = [0xe4, 0xe4, 0xe4];
/// Okabe and Ito, the lightest left out.
const COLOURS: [Colour; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x00, 0x00, 0x00],
];
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[1.8, 2.2], &[7.0, 2.5, 1.8, 2.5]];
/// Regions in turn.
const SHADES: [Colour; 2] = [[0xf6, 0xf6, 0xf6], [0xe9, 0xe9, 0xe9]];
/// Permitted error of a line.
const FLAT: f64 = 0.1;
/// More points are not merged into one line.
const MOST_MERGED: usize = 200;

pub(crate) fn colour(position: usize) -> Colour {
    COLOURS[position % COLOURS.len()]
}

pub(crate) fn dashes(position: usize) -> &'static [f64] {
    DASHES[position % DASHES.len()]
}

pub(crate) fn shade(position: usize) -> Colour {
    SHADES[position % SHADES.len()]
}

/// Colour of measured points: the colour of their curve, or a separate one.
pub(crate) fn measured_colour(figure: &Figure, position: usize) -> Colour {
    let own = figure.curves.iter().filter(|c| !c.ideal).count() + position;
    match figure.measured[position].curve {
        Some(curve) if figure.curves.len() > 1 => colour(curve),
        _ => colour(own),
    }
}

pub(crate) fn text(text: &str, at: (f64, f64), anchor: Anchor, size: f64) -> Text {
    Text {
        text: text.to_string(),
        at,
        anchor,
        size,
        colour: TEXT,
        within: None,
    }
}

/// Lines of text from `top`, and where they end.
pub(crate) fn heading(items: &mut Vec<Item>, words: &str, size: f64, top: f64) -> f64 {
    let mut y = top;
    for line in font::wrapped(words, size, WIDTH - 2.0 * EDGE) {
        let at = (EDGE, y + 0.8 * size);
        items.push(Item::Text(text(&line, at, Anchor::Start, size)));
        y += LINE;
    }
    y
}

/// Position of a figure on the sheet.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Top of the curves, below the names of regions.
    high: f64,
}

pub(crate) fn sheet(figures: &[Figure]) -> Sheet {
    let height = if figures.len() > 1 { LOW } else { HEIGHT };
    let scenes: Vec<Scene> = figures.iter().map(Scene::of).collect();
    let up: Vec<Vec<Tick>> = scenes.iter().map(|scene| up_ticks(scene, height)).collect();
    let labels = up
        .iter()
        .flatten()
        .map(|tick| font::width(&tick.label, SMALL));
    let left = EDGE + labels.fold(0.0, f64::max) + 6.0;
    let mut sheet = Sheet {
        width: WIDTH,
        height: 0.0,
        items: Vec::new(),
    };
    let mut y = EDGE;
    for (scene, up) in scenes.iter().zip(&up) {
        y = heading(&mut sheet.items, &scene.figure.title, SIZE, y);
        y = heading(&mut sheet.items, &scene.figure.y.label, SMALL, y) + 2.0;
        let strip = if scene.regions.is_empty() { 0.0 } else { STRIP };
        // The last number of the horizontal axis stands at its end.
        let right = WIDTH - EDGE - 24.0;
        let frame = Frame {
            left,
            right,
            top: y,
            bottom: y + height,
            high: y + strip,
        };
        let named = draw(&mut sheet.items, scene, up, &frame);
        y = frame.bottom + 9.0 + LINE;
        let at = ((frame.left + frame.right) / 2.0, y + 0.5 * SIZE);
        let label = &scene.figure.x.label;
        let lines = font::wrapped(label, SMALL, frame.right - frame.left);
        for (number, line) in lines.iter().enumerate() {
            let at = (at.0, at.1 + number as f64 * LINE);
            sheet
                .items
                .push(Item::Text(text(line, at, Anchor::Middle, SMALL)));
        }
        y += lines.len() as f64 * LINE;
        let entries = [scene.entries(), named].concat();
        let edges = (left.min(60.0), WIDTH - EDGE);
        let (legend, end) = legend::place(scene.figure, &entries, edges, y);
        sheet.items.extend(legend);
        y = end + EDGE;
    }
    sheet.height = y;
    sheet
}

/// Ticks far enough apart not to touch.
fn up_ticks(scene: &Scene, height: f64) -> Vec<Tick> {
    let high = height - if scene.regions.is_empty() { 0.0 } else { STRIP };
    scene.y.ticks(&|ticks| {
        let places: Vec<f64> = ticks.iter().map(|t| scene.y.place(t.at) * high).collect();
        places
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= 1.7 * SMALL)
            && ticks
                .iter()
                .all(|t| font::width(&t.label, SMALL) < WIDTH / 3.0)
    })
}

fn across_ticks(scene: &Scene, frame: &Frame) -> Vec<Tick> {
    let wide = frame.right - frame.left;
    scene.x.ticks(&|ticks| {
        let ends = ticks.iter().map(|tick| {
            let at = frame.left + scene.x.place(tick.at) * wide;
            let half = font::width(&tick.label, SMALL) / 2.0;
            (at - half, at + half)
        });
        let ends: Vec<(f64, f64)> = ends.collect();
        let apart = ends.windows(2).all(|pair| pair[1].0 - pair[0].1 >= 10.0);
        apart && ends.iter().all(|end| end.0 >= 2.0 && end.1 <= WIDTH - 2.0)
    })
}

/// Draws a figure into its frame. Returns what is left to the legend of the names of regions.
fn draw(
    items: &mut Vec<Item>,
    scene: &Scene,
    up: &[Tick],
    frame: &Frame,
) -> Vec<(crate::scene::Key, String)> {
    let x = |value: f64| frame.left + scene.x.place(value) * (frame.right - frame.left);
    let y = |value: f64| frame.bottom - scene.y.place(value) * (frame.bottom - frame.high);
    let line = |points: Vec<(f64, f64)>, colour, width, dashes| Item::Line {
        points,
        colour,
        width,
        dashes,
    };
    for &(position, from, to) in &scene.regions {
        let (from, to) = (x(from), x(to));
        items.push(Item::Area {
            points: vec![
                (from, frame.top),
                (to, frame.top),
                (to, frame.bottom),
                (from, frame.bottom),
            ],
            colour: shade(position),
            opacity: 1.0,
        });
    }
    for tick in up {
        let at = y(tick.at);
        let across = vec![(frame.left, at), (frame.right, at)];
        items.push(line(across, GRID, 0.6, &[]));
        let place = (frame.left - 5.0, at + 0.35 * SMALL);
        items.push(Item::Text(text(&tick.label, place, Anchor::End, SMALL)));
    }
    for tick in across_ticks(scene, frame) {
        let at = x(tick.at);
        let down = vec![(at, frame.bottom), (at, frame.bottom + 4.0)];
        items.push(line(down, FAINT, 0.8, &[]));
        let place = (at, frame.bottom + 8.0 + 0.8 * SMALL);
        items.push(Item::Text(text(&tick.label, place, Anchor::Middle, SMALL)));
    }
    let ends = vec![
        (frame.left, frame.top),
        (frame.left, frame.bottom),
        (frame.right, frame.bottom),
    ];
    items.push(line(ends, FAINT, 0.8, &[]));
    for position in scene.marks() {
        let at = x(scene.figure.marks[position].at);
        let down = vec![(at, frame.high), (at, frame.bottom)];
        items.push(line(down, FAINT, 0.8, &[2.5, 2.5]));
    }
    data(items, scene, &x, &y);
    let fits = |name: &str, from: f64, to: f64| font::width(name, SMALL) + 4.0 <= x(to) - x(from);
    let (names, legend) = scene.region_names(&fits);
    for (name, &(_, from, to)) in names.into_iter().zip(&scene.regions) {
        let Some(name) = name else { continue };
        let place = (
            (x(from) + x(to)) / 2.0,
            frame.top + STRIP / 2.0 + 0.35 * SMALL,
        );
        items.push(Item::Text(Text {
            colour: FAINT,
            within: Some((x(from), x(to))),
            ..text(&name, place, Anchor::Middle, SMALL)
        }));
    }
    legend
}

/// How wide the edge of a band is.
pub(crate) const BAND_EDGE: f64 = 0.6;

/// The dashes of the edges of a band, which tell the bands of one curve apart.
pub(crate) fn edge_dashes(figure: &Figure, position: usize) -> &'static [f64] {
    let (before, own) = figure.bands.split_at(position);
    let same = |band: &&crate::Band| own.first().is_some_and(|own| own.curve == band.curve);
    dashes(before.iter().filter(same).count())
}

/// Bands, curves and points.
fn data(items: &mut Vec<Item>, scene: &Scene, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    for (position, band) in scene.figure.bands.iter().enumerate() {
        for part in scene.band(&band.points) {
            let below: Vec<(f64, f64)> = part.iter().map(|p| (x(p.0), y(p.1))).collect();
            let above: Vec<(f64, f64)> = part.iter().rev().map(|p| (x(p.0), y(p.2))).collect();
            // Where both ends are the same, the area has none: faint edges keep it in sight.
            if part.len() > 1 {
                items.extend([&below, &above].map(|edge| Item::Line {
                    points: simplified(edge),
                    colour: colour(band.curve),
                    width: BAND_EDGE,
                    dashes: edge_dashes(scene.figure, position),
                }));
            }
            items.push(Item::Area {
                points: [below, above].concat(),
                colour: colour(band.curve),
                opacity: 0.2,
            });
        }
    }
    for (position, curve) in scene.figure.curves.iter().enumerate() {
        let (ink, width, dashes) = style(position, curve);
        for part in scene.unbroken(&curve.points) {
            let points: Vec<(f64, f64)> = part.iter().map(|p| (x(p.0), y(p.1))).collect();
            items.push(match points.as_slice() {
                [at] => Item::Dot {
                    at: *at,
                    radius: 1.8,
                    colour: ink,
                },
                _ => Item::Line {
                    points: simplified(&points),
                    colour: ink,
                    width,
                    dashes,
                },
            });
        }
    }
    for (position, measured) in scene.figure.measured.iter().enumerate() {
        let colour = measured_colour(scene.figure, position);
        for &(place, value, error) in &measured.points {
            if !scene.shows(place, value) {
                continue;
            }
            let at = x(place);
            let error = error.unwrap_or(0.0);
            // An error bar that a logarithmic axis has no place for ends at the axis.
            let low = if scene.shows(place, value - error) {
                value - error
            } else {
                scene.y.low
            };
            if error > 0.0 && scene.shows(place, value + error) {
                let (low, high) = (y(low), y(value + error));
                for points in [
                    vec![(at, low), (at, high)],
                    vec![(at - 3.0, low), (at + 3.0, low)],
                    vec![(at - 3.0, high), (at + 3.0, high)],
                ] {
                    items.push(Item::Line {
                        points,
                        colour,
                        width: 1.0,
                        dashes: &[],
                    });
                }
            }
            items.push(Item::Dot {
                at: (at, y(value)),
                radius: 2.6,
                colour,
            });
        }
    }
}

fn style(position: usize, curve: &Curve) -> (Colour, f64, &'static [f64]) {
    if curve.ideal {
        (LIGHT, 1.0, &[1.0, 2.0])
    } else {
        (colour(position), 1.6, dashes(position))
    }
}

/// Without points that the line between others goes through anyway, so that files are small.
fn simplified(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = vec![points[0]];
    let mut start = 0;
    for end in 1..points.len() {
        let (a, b) = (points[start], points[end]);
        let off =
            |p: &(f64, f64)| (a.1 + (b.1 - a.1) * (p.0 - a.0) / (b.0 - a.0) - p.1).abs() > FLAT;
        if end > start + MOST_MERGED || points[start + 1..end].iter().any(off) {
            start = end - 1;
            kept.push(points[start]);
        }
    }
    kept.extend((points.len() > 1).then(|| points[points.len() - 1]));
    kept
}
