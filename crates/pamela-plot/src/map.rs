//! Heat maps on a sheet.

use crate::font;
use crate::layout::{EDGE, FAINT, SIZE, SMALL, TEXT, WIDTH, heading, text};
use crate::sheet::{Anchor, Colour, Item, Sheet, Text};
use crate::ticks::{Extent, Tick, plain};
use crate::{HeatMap, Scale};

const HEIGHT: f64 = 230.0;
const LINE: f64 = 16.0;
const BAR: f64 = 14.0;
/// Number of steps of the colour bar.
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

/// Rounds to a fixed number of colours, so equal neighbours can be drawn as one.
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
    let top = names(&mut items, map, y) + 2.0;
    let bottom = top + HEIGHT;
    let bar = bar_ticks(&extent);
    let bar_labels = bar.iter().map(|t| font::width(&t.label, SMALL));
    let bar_width = BAR + 6.0 + bar_labels.fold(0.0, f64::max);
    let height = HEIGHT / map.rows.len().max(1) as f64;
    let rows = cell_ticks(&map.rows, &|ticks| {
        let room = |pair: &[Tick]| (pair[1].at - pair[0].at) * height >= 1.5 * SMALL;
        ticks.windows(2).all(room)
    });
    let widest = rows.iter().map(|tick| font::width(&tick.label, SMALL));
    let left = EDGE + widest.fold(0.0, f64::max).min(WIDTH / 4.0) + 6.0;
    let right = WIDTH - EDGE - bar_width - 24.0;
    let cell = ((right - left) / map.columns.len().max(1) as f64, height);
    let mut missing = false;
    for (number, row) in map.values.iter().enumerate() {
        let (low, high) = (
            bottom - number as f64 * cell.1,
            bottom - (number + 1) as f64 * cell.1,
        );
        let colours = row.iter().map(|v| {
            if Extent::shows(extent.scale, *v) {
                colour(extent.place(*v))
            } else {
                MISSING
            }
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

/// Names of the upward axis, on the left, and of the colours, above their bar. Returns where both end.
fn names(items: &mut Vec<Item>, map: &HeatMap, top: f64) -> f64 {
    let up = format!("up: {}", map.y);
    let room = WIDTH - 2.0 * EDGE - font::width(&map.label, SMALL);
    let y = heading(items, &up, SMALL, top);
    // A name that is too long for its place has a line of its own.
    let line = if font::width(&up, SMALL) + 20.0 <= room {
        top
    } else {
        y
    };
    if room < 0.0 {
        return heading(items, &map.label, SMALL, y);
    }
    let at = (WIDTH - EDGE, line + 0.8 * SMALL);
    items.push(Item::Text(text(&map.label, at, Anchor::End, SMALL)));
    y.max(line + LINE)
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

/// Ticks at the middles of cells: all of them if there is room, else round values if the cells are evenly spaced,
/// else some of them.
fn cell_ticks(values: &[f64], fits: &dyn Fn(&[Tick]) -> bool) -> Vec<Tick> {
    let label = |value: f64| match plain(value) {
        long if font::width(&long, SMALL) > WIDTH / 4.0 => crate::short(value),
        label => label,
    };
    let every = |step: usize| -> Vec<Tick> {
        let cells = values.iter().enumerate().step_by(step);
        let tick = |(cell, value): (usize, &f64)| Tick {
            at: cell as f64 + 0.5,
            label: label(*value),
        };
        cells.map(tick).collect()
    };
    let all = every(1);
    if fits(&all) {
        return all;
    }
    if let Some(scale) = spacing(values) {
        let extent = Extent::of_places(values, scale, 0.0);
        let on_cells = |ticks: &[Tick]| -> Vec<Tick> {
            let cells = (values.len() - 1) as f64;
            let tick = |tick: &Tick| Tick {
                at: 0.5 + cells * extent.place(tick.at),
                label: tick.label.clone(),
            };
            ticks.iter().map(tick).collect()
        };
        let round = on_cells(&extent.ticks(&|ticks| fits(&on_cells(ticks))));
        if round.len() > 1 {
            return round;
        }
    }
    let mut fewer = (2..=values.len()).map(every);
    fewer.find(|ticks| fits(ticks)).unwrap_or_default()
}

/// The scale on which values rise in equal steps.
fn spacing(values: &[f64]) -> Option<Scale> {
    let is_even = |on: fn(f64) -> f64| {
        let places: Vec<f64> = values.iter().map(|value| on(*value)).collect();
        let wide = places.last()? - places.first()?;
        let step = wide / (places.len() - 1) as f64;
        let off = |pair: &[f64]| (pair[1] - pair[0] - step).abs();
        (step > 0.0 && places.windows(2).all(|pair| off(pair) <= 1e-6 * step)).then_some(())
    };
    if is_even(|value| value).is_some() {
        return Some(Scale::Linear);
    }
    let are_positive = values.iter().all(|value| *value > 0.0);
    (are_positive && is_even(f64::ln).is_some()).then_some(Scale::Log)
}

/// The values of rows and columns.
fn labels(
    items: &mut Vec<Item>,
    map: &HeatMap,
    rows: &[Tick],
    edges: (f64, f64, f64),
    cell: (f64, f64),
) {
    let (left, right, bottom) = edges;
    for tick in rows {
        let at = bottom - tick.at * cell.1;
        items.push(Item::Text(Text {
            colour: TEXT,
            ..text(
                &tick.label,
                (left - 5.0, at + 0.35 * SMALL),
                Anchor::End,
                SMALL,
            )
        }));
    }
    let half = |tick: &Tick| font::width(&tick.label, SMALL) / 2.0;
    let columns = cell_ticks(&map.columns, &|ticks| {
        let room = |pair: &[Tick]| {
            (pair[1].at - pair[0].at) * cell.0 >= half(&pair[0]) + half(&pair[1]) + 10.0
        };
        ticks.windows(2).all(room)
    });
    for tick in columns {
        let (at, half) = (left + tick.at * cell.0, half(&tick));
        // The colour bar has numbers beyond the right end.
        if at + half > right + 40.0 || at - half < 2.0 {
            continue;
        }
        items.push(line((at, bottom), (at, bottom + 4.0)));
        let place = (at, bottom + 8.0 + 0.8 * SMALL);
        items.push(Item::Text(text(&tick.label, place, Anchor::Middle, SMALL)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels if this many cells fit.
    fn labels(values: &[f64], room: usize) -> Vec<String> {
        let ticks = cell_ticks(values, &|ticks| ticks.len() <= room);
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn cells_have_round_numbers_where_not_all_have_room() {
        let steps: Vec<f64> = (0..40).map(|k| 1.0 + 5.0 * f64::from(k)).collect();
        assert_eq!(labels(&steps, 5), ["50", "100", "150"]);
        let powers: Vec<f64> = (0..11).map(|k| f64::from(1 << k)).collect();
        assert_eq!(labels(&powers, 4), ["1", "8", "64", "512"]);
        assert_eq!(labels(&powers, 11).len(), 11);
        // Values that are not evenly spaced are labelled themselves.
        assert_eq!(labels(&[1.0, 3.0, 4.0, 9.0], 2), ["1", "4"]);
    }

    #[test]
    fn round_numbers_stand_where_they_would_be_among_the_cells() {
        let values: Vec<f64> = (0..10).map(|k| 1.0 + 2.0 * f64::from(k)).collect();
        let ticks = cell_ticks(&values, &|ticks| ticks.len() <= 3);
        // 10 is in the middle between 9 and 11, the cells 4 and 5.
        let ten = ticks.iter().find(|tick| tick.label == "10").map(|t| t.at);
        assert_eq!(ten, Some(5.0));
    }
}
