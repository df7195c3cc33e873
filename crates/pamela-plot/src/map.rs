//! Heat maps on a sheet.

use crate::font;
use crate::layout::{EDGE, FAINT, SIZE, SMALL, TEXT, WIDTH, heading, text};
use crate::sheet::{Anchor, Colour, Item, Sheet, Text};
use crate::ticks::{Extent, Tick, plain};
use crate::{HeatMap, Scale};

const HEIGHT: f64 = 230.0;
const LINE: f64 = 16.0;
const BAR: f64 = 14.0;
/// Of the colour bar.
const STEPS: usize = 64;
const MISSING: Colour = [0xdd, 0xdd, 0xdd];
/// Viridis at equal distances.
const COLOURS: [Colour; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

impl HeatMap {
    pub(crate) fn extent(&self) -> Extent {
        let values: Vec<f64> = self.values.iter().flatten().copied().collect();
        let shown = values.iter().filter(|v| Extent::shows(Scale::Linear, **v));
        let scale = Scale::of_values(shown.copied());
        Extent::of_places(&values, scale, 0.0)
    }
}

/// One of so many colours, so that equal neighbours can be drawn as one.
fn colour(place: f64) -> Colour {
    let place = (place.clamp(0.0, 1.0) * 255.0).round() / 255.0 * (COLOURS.len() - 1) as f64;
    let below = (place.floor() as usize).min(COLOURS.len() - 2);
    let share = place - below as f64;
    let mixed = |part: usize| {
        let (from, to) = (COLOURS[below][part], COLOURS[below + 1][part]);
        (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

pub(crate) fn sheet(map: &HeatMap) -> Sheet {
    let extent = map.extent();
    let mut items = Vec::new();
    let y = heading(&mut items, &map.title, SIZE, EDGE);
    let y = heading(&mut items, &map.label, SMALL, y);
    let top = heading(&mut items, &format!("up: {}", map.y), SMALL, y) + 2.0;
    let bottom = top + HEIGHT;
    let bar = bar_ticks(&extent);
    let bar_labels = bar.iter().map(|t| font::width(&t.label, SMALL));
    let bar_width = BAR + 6.0 + bar_labels.fold(0.0, f64::max);
    let rows: Vec<String> = map.rows.iter().map(|v| plain(*v)).collect();
    let widest = rows.iter().map(|label| font::width(label, SMALL));
    let left = EDGE + widest.fold(0.0, f64::max).min(WIDTH / 4.0) + 6.0;
    let right = WIDTH - EDGE - bar_width - 24.0;
    let cell = (
        (right - left) / map.columns.len().max(1) as f64,
        HEIGHT / map.rows.len().max(1) as f64,
    );
    let mut missing = false;
    for (number, row) in map.values.iter().enumerate() {
        let (low, high) = (
            bottom - number as f64 * cell.1,
            bottom - (number + 1) as f64 * cell.1,
        );
        let colours = row.iter().map(|v| match Extent::shows(extent.scale, *v) {
            true => colour(extent.place(*v)),
            false => MISSING,
        });
        let colours: Vec<Colour> = colours.collect();
        missing |= colours.contains(&MISSING);
        let mut start = 0;
        for run in colours.chunk_by(|a, b| a == b) {
            let (from, to) = (
                left + start as f64 * cell.0,
                left + (start + run.len()) as f64 * cell.0,
            );
            items.push(area(from, to, low, high, run[0]));
            start += run.len();
        }
    }
    labels(&mut items, map, &rows, (left, right, bottom), cell);
    let from = right + 18.0;
    for step in 0..STEPS {
        let at = |k: usize| bottom - HEIGHT * k as f64 / STEPS as f64;
        let shown = colour((step as f64 + 0.5) / STEPS as f64);
        items.push(area(from, from + BAR, at(step), at(step + 1), shown));
    }
    for tick in bar {
        let at = bottom - extent.place(tick.at) * HEIGHT;
        items.push(line((from + BAR, at), (from + BAR + 3.0, at)));
        let place = (from + BAR + 5.0, at + 0.35 * SMALL);
        items.push(Item::Text(text(&tick.label, place, Anchor::Start, SMALL)));
    }
    let mut y = bottom + 9.0 + LINE;
    let middle = (left + right) / 2.0;
    for line in font::wrapped(&map.x, SMALL, right - left) {
        items.push(Item::Text(text(
            &line,
            (middle, y + 0.8 * SMALL),
            Anchor::Middle,
            SMALL,
        )));
        y += LINE;
    }
    if missing {
        items.push(area(left, left + 16.0, y + 4.0, y + 12.0, MISSING));
        let place = (left + 22.0, y + 0.8 * SMALL + 2.0);
        items.push(Item::Text(text("no value", place, Anchor::Start, SMALL)));
        y += LINE;
    }
    Sheet {
        width: WIDTH,
        height: y + EDGE,
        items,
    }
}

fn area(from: f64, to: f64, low: f64, high: f64, colour: Colour) -> Item {
    Item::Area {
        points: vec![(from, low), (to, low), (to, high), (from, high)],
        colour,
        opacity: 1.0,
    }
}

fn line(from: (f64, f64), to: (f64, f64)) -> Item {
    Item::Line {
        points: vec![from, to],
        colour: FAINT,
        width: 0.8,
        dashes: &[],
    }
}

fn bar_ticks(extent: &Extent) -> Vec<Tick> {
    extent.ticks(&|ticks| {
        let places: Vec<f64> = ticks.iter().map(|t| extent.place(t.at) * HEIGHT).collect();
        places
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= 1.7 * SMALL)
            && ticks
                .iter()
                .all(|t| font::width(&t.label, SMALL) < WIDTH / 4.0)
    })
}

/// The values of rows and columns, as many as have room.
fn labels(
    items: &mut Vec<Item>,
    map: &HeatMap,
    rows: &[String],
    edges: (f64, f64, f64),
    cell: (f64, f64),
) {
    let (left, right, bottom) = edges;
    let step = (1.5 * SMALL / cell.1).ceil().max(1.0) as usize;
    for (number, label) in rows.iter().enumerate().step_by(step) {
        let at = bottom - (number as f64 + 0.5) * cell.1;
        let fits = font::width(label, SMALL) <= left - EDGE - 5.0;
        let shown = if fits {
            label.clone()
        } else {
            crate::short(map.rows[number])
        };
        items.push(Item::Text(Text {
            colour: TEXT,
            ..text(&shown, (left - 5.0, at + 0.35 * SMALL), Anchor::End, SMALL)
        }));
    }
    let columns: Vec<String> = map.columns.iter().map(|v| plain(*v)).collect();
    let widest = columns.iter().map(|label| font::width(label, SMALL));
    let widest = widest.fold(0.0, f64::max) + 10.0;
    let step = (widest / cell.0).ceil().max(1.0) as usize;
    for (number, label) in columns.iter().enumerate().step_by(step) {
        let at = left + (number as f64 + 0.5) * cell.0;
        let half = font::width(label, SMALL) / 2.0;
        // The colour bar has numbers beyond the right end.
        if at + half > right + 40.0 || at - half < 2.0 {
            continue;
        }
        items.push(line((at, bottom), (at, bottom + 4.0)));
        let place = (at, bottom + 8.0 + 0.8 * SMALL);
        items.push(Item::Text(text(label, place, Anchor::Middle, SMALL)));
    }
}
