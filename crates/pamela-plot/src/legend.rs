//! The legend: entries in rows across the sheet.

use crate::Figure;
use crate::font;
use crate::layout::{
    BAND_EDGE, FAINT, LIGHT, SMALL, TEXT, colour, dashes, edge_dashes, measured_colour, shade,
};
use crate::scene::Key;
use crate::sheet::{Anchor, Item, Text};

const KEY: f64 = 22.0;
const GAP: f64 = 14.0;
const ROW: f64 = 15.0;

/// Entries below `top`, between `left` and `right`; and where they end.
pub(crate) fn place(
    figure: &Figure,
    entries: &[(Key, String)],
    edges: (f64, f64),
    top: f64,
) -> (Vec<Item>, f64) {
    let (left, right) = edges;
    let mut items = Vec::new();
    let (mut x, mut y) = (left, top);
    for (key, text) in entries {
        let key_width = if *key == Key::None { 0.0 } else { KEY };
        let lines = font::wrapped(text, SMALL, right - left - key_width);
        let widths = lines.iter().map(|line| font::width(line, SMALL));
        let width = key_width + widths.fold(0.0, f64::max);
        if x > left && x + width > right {
            (x, y) = (left, y + ROW);
        }
        items.extend(symbol(figure, *key, x, y + ROW / 2.0));
        for (number, line) in lines.iter().enumerate() {
            y += if number > 0 { ROW } else { 0.0 };
            items.push(Item::Text(Text {
                text: line.clone(),
                at: (x + key_width, y + ROW / 2.0 + 0.35 * SMALL),
                anchor: Anchor::Start,
                size: SMALL,
                colour: TEXT,
                within: None,
            }));
        }
        x += width + GAP;
        if lines.len() > 1 {
            (x, y) = (left, y + ROW);
        }
    }
    let end = if x > left { y + ROW } else { y };
    (items, end)
}

fn symbol(figure: &Figure, key: Key, x: f64, y: f64) -> Vec<Item> {
    let (from, to) = (x, x + KEY - 5.0);
    let line = |colour, width, dashes| Item::Line {
        points: vec![(from, y), (to, y)],
        colour,
        width,
        dashes,
    };
    let area = |colour, opacity| Item::Area {
        points: vec![
            (from, y - 4.0),
            (to, y - 4.0),
            (to, y + 4.0),
            (from, y + 4.0),
        ],
        colour,
        opacity,
    };
    match key {
        Key::Curve(position) => vec![line(colour(position), 1.6, dashes(position))],
        Key::Ideal => vec![line(LIGHT, 1.0, &[1.0, 2.0])],
        Key::Band(curve, position) => {
            let ink = colour(curve);
            let edge = |y| Item::Line {
                points: vec![(from, y), (to, y)],
                colour: ink,
                width: BAND_EDGE,
                dashes: edge_dashes(figure, position),
            };
            vec![area(ink, 0.2), edge(y - 4.0), edge(y + 4.0)]
        }
        Key::Measured(position) => vec![Item::Dot {
            at: ((from + to) / 2.0, y),
            radius: 2.6,
            colour: measured_colour(figure, position),
        }],
        Key::Mark => vec![line(FAINT, 0.8, &[2.5, 2.5])],
        Key::Region(position) => vec![area(shade(position), 1.0)],
        Key::None => Vec::new(),
    }
}
