//! PNG.

use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use crate::font;
use crate::sheet::{Colour, Item, Sheet, Text};

/// Pixels for a unit: a column of a paper, 85 mm, at 400 dots per inch.
const FINE: f32 = 3.0;

pub(crate) fn png(sheet: &Sheet) -> Result<Vec<u8>, String> {
    let pixels = |length: f64| (length as f32 * FINE).ceil() as u32;
    let map = Pixmap::new(pixels(sheet.width), pixels(sheet.height));
    let mut map = map.ok_or("the picture is too large")?;
    map.fill(Color::WHITE);
    for item in &sheet.items {
        draw(&mut map, item);
    }
    map.encode_png().map_err(|error| error.to_string())
}

fn draw(map: &mut Pixmap, item: &Item) {
    let scale = Transform::from_scale(FINE, FINE);
    match item {
        Item::Line {
            points,
            colour,
            width,
            dashes,
        } => {
            let dashes: Vec<f32> = dashes.iter().map(|d| *d as f32).collect();
            let stroke = Stroke {
                width: *width as f32,
                line_join: LineJoin::Round,
                dash: StrokeDash::new(dashes, 0.0),
                ..Stroke::default()
            };
            if let Some(path) = polygon(points, false) {
                map.stroke_path(&path, &paint(*colour, 1.0), &stroke, scale, None);
            }
        }
        Item::Area {
            points,
            colour,
            opacity,
        } => {
            let mut paint = paint(*colour, *opacity);
            // Neighbours that are opaque leave no seam.
            paint.anti_alias = *opacity < 1.0;
            if let Some(path) = polygon(points, true) {
                map.fill_path(&path, &paint, FillRule::Winding, scale, None);
            }
        }
        Item::Dot { at, radius, colour } => {
            let circle = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32);
            if let Some(path) = circle {
                map.fill_path(&path, &paint(*colour, 1.0), FillRule::Winding, scale, None);
            }
        }
        Item::Text(text) => {
            if let Some(path) = outline(text) {
                map.fill_path(
                    &path,
                    &paint(text.colour, 1.0),
                    FillRule::Winding,
                    scale,
                    None,
                );
            }
        }
    }
}

fn paint([red, green, blue]: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    let alpha = (opacity * 255.0).round() as u8;
    paint.set_color_rgba8(red, green, blue, alpha);
    paint
}

fn polygon(points: &[(f64, f64)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut points = points.iter().map(|&(x, y)| (x as f32, y as f32));
    let (x, y) = points.next()?;
    path.move_to(x, y);
    points.for_each(|(x, y)| path.line_to(x, y));
    if closed {
        path.close();
    }
    path.finish()
}

/// The outlines of the characters.
fn outline(text: &Text) -> Option<Path> {
    let unit = f64::from(font::FACE.units_per_em());
    let mut pen = Pen {
        path: PathBuilder::new(),
        origin: (0.0, 0.0),
        scale: 1.0,
    };
    let start = text.start();
    for glyph in font::glyphs(&text.text).0 {
        let (size, rise) = if glyph.raised {
            font::RAISED
        } else {
            (1.0, 0.0)
        };
        pen.origin = (
            (start + glyph.offset * text.size) as f32,
            (text.at.1 - rise * text.size) as f32,
        );
        pen.scale = (size * text.size / unit) as f32;
        font::FACE.outline_glyph(glyph.id, &mut pen);
    }
    pen.path.finish()
}

struct Pen {
    path: PathBuilder,
    origin: (f32, f32),
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.scale,
            self.origin.1 - y * self.scale,
        )
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
