//! Tasks on a sheet: in layers by predecessors, or as bars over time.

use crate::font;
use crate::layout::{EDGE, FAINT, LIGHT, SIZE, SMALL, WIDTH, colour, heading, text};
use crate::sheet::{Anchor, Colour, Item, Sheet};
use crate::ticks::{Extent, Tick};
use crate::{Arrangement, Scale, TaskGraph};

const LINE: f64 = 16.0;
/// Font sizes of names; the larger one is used if it fits.
const NAMES: [f64; 2] = [9.0, 7.0];
/// Between bars of one row.
const GAP: f64 = 0.8;
/// Height of a row of tasks.
const TALL: f64 = 18.0;
const LOW: f64 = 5.0;
/// Height of all rows, if rows can be low enough.
const HEIGHT: f64 = 420.0;
/// So few tasks are told apart by their names; of more, each family has a lane.
const FEW: usize = 40;
const MOST_LANES: usize = 12;
/// What is on no longest path, and what is on each.
const SELDOM: Colour = [0xdd, 0xe6, 0xee];
const ALWAYS: Colour = [0xd5, 0x5e, 0x00];

/// Bounds of a task: left, top, right and bottom.
type Box = [f64; 4];

pub(crate) fn sheet(graph: &TaskGraph) -> Sheet {
    let mut items = Vec::new();
    let y = heading(&mut items, &graph.title, SIZE, EDGE);
    let top = heading(&mut items, &graph.label, SMALL, y) + 4.0;
    let rows = graph.rows();
    let count = rows.iter().map(|row| row + 1).max().unwrap_or(1);
    let height = (HEIGHT / count as f64).clamp(LOW, TALL);
    let bottom = top + height * count as f64;
    let boxes: Vec<Box> = match graph.arrangement {
        Arrangement::Layers => in_layers(graph, &rows, top, height),
        Arrangement::Time => over_time(graph, &rows, top, height),
    };
    if graph.arrangement == Arrangement::Layers {
        lines(&mut items, graph, &boxes);
    }
    for (task, own) in graph.tasks.iter().zip(&boxes) {
        let [left, top, right, bottom] = *own;
        items.push(Item::Area {
            points: vec![(left, bottom), (right, bottom), (right, top), (left, top)],
            colour: mixed(task.criticality),
            opacity: 1.0,
        });
        let fits = |size: &f64| {
            font::width(&task.name, *size) <= right - left - 3.0 && bottom - top >= size + 2.0
        };
        if let Some(size) = NAMES.into_iter().find(fits) {
            let at = ((left + right) / 2.0, (top + bottom) / 2.0 + 0.35 * size);
            items.push(Item::Text(text(&task.name, at, Anchor::Middle, size)));
        } else if let Some(lines) = two_lines(task, *own) {
            items.extend(lines);
        }
    }
    lanes(&mut items, graph, &boxes);
    let mut y = bottom + 4.0;
    if graph.arrangement == Arrangement::Time {
        y = time_axis(&mut items, graph, bottom) + 4.0;
    }
    y = legend(&mut items, y);
    Sheet {
        width: WIDTH,
        height: y + EDGE,
        items,
    }
}

/// The name of a task, with its indices below its family, where they fit.
fn two_lines(task: &crate::Task, [left, top, right, bottom]: Box) -> Option<[Item; 2]> {
    let (size, middle) = (NAMES[1], (top + bottom) / 2.0);
    let indices = task.name.strip_prefix(&task.family)?;
    let fits = |line: &str| font::width(line, size) <= right - left - 2.0;
    let has_room = bottom - top >= 2.0 * size + 1.0 && !indices.is_empty();
    let line = |words: &str, y: f64| {
        let at = ((left + right) / 2.0, y);
        Item::Text(text(words, at, Anchor::Middle, size))
    };
    let lines = [
        (task.family.as_str(), middle - 1.0),
        (indices, middle + size - 1.0),
    ];
    (has_room && fits(&task.family) && fits(indices))
        .then(|| lines.map(|(words, y)| line(words, y)))
}

/// The names of lanes, with lines between them.
fn lanes(items: &mut Vec<Item>, graph: &TaskGraph, boxes: &[Box]) {
    let mut end = f64::NEG_INFINITY;
    for family in graph.lanes().into_iter().flatten() {
        let own = graph.tasks.iter().zip(boxes);
        let own: Vec<&Box> = own
            .filter(|(task, _)| task.family == family)
            .map(|(_, own)| own)
            .collect();
        let top = own.iter().fold(f64::INFINITY, |top, own| top.min(own[1]));
        let bottom = own.iter().fold(top, |bottom, own| bottom.max(own[3]));
        if end.is_finite() {
            items.push(Item::Line {
                points: vec![(EDGE, top - 0.5), (WIDTH - EDGE, top - 0.5)],
                colour: LIGHT,
                width: 0.5,
                dashes: &[],
            });
        }
        end = bottom;
        let at = (
            EDGE,
            ((top + bottom) / 2.0).max(top + SMALL / 2.0) + 0.35 * SMALL,
        );
        items.push(Item::Text(text(family, at, Anchor::Start, SMALL)));
    }
}

/// From what is on no longest path to what is on each.
fn mixed(share: f64) -> Colour {
    let share = share.clamp(0.0, 1.0);
    let part = |k: usize| {
        let (from, to) = (f64::from(SELDOM[k]), f64::from(ALWAYS[k]));
        (from + (to - from) * share).round() as u8
    };
    [part(0), part(1), part(2)]
}

fn in_layers(graph: &TaskGraph, rows: &[usize], top: f64, height: f64) -> Vec<Box> {
    let layers = graph.layers();
    let count = layers.iter().map(|layer| layer + 1).max().unwrap_or(1) as f64;
    let step = (WIDTH - 2.0 * EDGE) / count;
    let place = |(&layer, &row): (&usize, &usize)| {
        let (left, top) = (EDGE + layer as f64 * step, top + row as f64 * height);
        [left, top + 1.0, left + 0.72 * step, top + height - 1.0]
    };
    layers.iter().zip(rows).map(place).collect()
}

fn extent(graph: &TaskGraph) -> Extent {
    let ends = graph.tasks.iter().map(|task| task.to);
    Extent::of_places(&[0.0, ends.fold(0.0, f64::max)], Scale::Linear, 0.0)
}

fn over_time(graph: &TaskGraph, rows: &[usize], top: f64, height: f64) -> Vec<Box> {
    let extent = extent(graph);
    let left = graph.left();
    let at = |time: f64| left + extent.place(time) * (WIDTH - left - EDGE - 24.0);
    let place = |(task, &row): (&crate::Task, &usize)| {
        let top = top + row as f64 * height;
        let (from, to) = (at(task.from), at(task.to));
        [
            from,
            top + 0.5,
            f64::max(to - GAP, from + GAP / 2.0),
            top + height - 0.5,
        ]
    };
    graph.tasks.iter().zip(rows).map(place).collect()
}

/// The precedences, those of the critical path in front.
fn lines(items: &mut Vec<Item>, graph: &TaskGraph, boxes: &[Box]) {
    for critical in [false, true] {
        for &(before, task) in &graph.precedences {
            let (Some(from), Some(to)) = (boxes.get(before), boxes.get(task)) else {
                continue;
            };
            let is_critical = graph.is_on_path(before, task);
            if is_critical == critical {
                items.push(Item::Line {
                    points: vec![
                        (from[2], (from[1] + from[3]) / 2.0),
                        (to[0], (to[1] + to[3]) / 2.0),
                    ],
                    colour: if critical { colour(1) } else { LIGHT },
                    width: if critical { 1.6 } else { 0.5 },
                    dashes: &[],
                });
            }
        }
    }
}

/// Numbers below the bars; where it ends.
fn time_axis(items: &mut Vec<Item>, graph: &TaskGraph, bottom: f64) -> f64 {
    let extent = extent(graph);
    let left = graph.left();
    let width = WIDTH - left - EDGE - 24.0;
    let fits = |ticks: &[Tick]| {
        let half = |tick: &Tick| font::width(&tick.label, SMALL) / 2.0 + 4.0;
        ticks.windows(2).all(|pair| {
            let apart = (extent.place(pair[1].at) - extent.place(pair[0].at)) * width;
            apart >= half(&pair[0]) + half(&pair[1])
        })
    };
    for (number, tick) in extent.ticks(&fits).iter().enumerate() {
        let at = left + extent.place(tick.at) * width;
        items.push(Item::Line {
            points: vec![(at, bottom), (at, bottom + 3.0)],
            colour: FAINT,
            width: 0.8,
            dashes: &[],
        });
        let (anchor, place) = match number {
            0 => (Anchor::Start, (at, bottom + 3.0 + SMALL)),
            _ => (Anchor::Middle, (at, bottom + 3.0 + SMALL)),
        };
        items.push(Item::Text(text(&tick.label, place, anchor, SMALL)));
    }
    bottom + 3.0 + LINE
}

/// Adds the legend of the colours; returns its end.
fn legend(items: &mut Vec<Item>, top: f64) -> f64 {
    const STEPS: usize = 16;
    const WIDE: f64 = 60.0;
    let words = "on a longest path: never";
    let at = top + 0.8 * SMALL;
    items.push(Item::Text(text(words, (EDGE, at), Anchor::Start, SMALL)));
    let from = EDGE + font::width(words, SMALL) + 6.0;
    for step in 0..STEPS {
        let place = |k: usize| from + WIDE * k as f64 / STEPS as f64;
        let (left, right) = (place(step), place(step + 1));
        items.push(Item::Area {
            points: vec![
                (left, top + 10.0),
                (right, top + 10.0),
                (right, top + 2.0),
                (left, top + 2.0),
            ],
            colour: mixed((step as f64 + 0.5) / STEPS as f64),
            opacity: 1.0,
        });
    }
    let end = (from + WIDE + 6.0, at);
    items.push(Item::Text(text("always", end, Anchor::Start, SMALL)));
    top + LINE
}

impl TaskGraph {
    /// The layer of each task: the largest number of precedences on a path to it.
    pub(crate) fn layers(&self) -> Vec<usize> {
        let mut layers = vec![0; self.tasks.len()];
        let mut order: Vec<usize> = (0..self.tasks.len()).collect();
        order.sort_by(|&a, &b| {
            let times = |task: usize| (self.tasks[task].from, self.tasks[task].to);
            times(a)
                .partial_cmp(&times(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        // Tasks without a time may begin at once: until nothing moves.
        for _ in 0..self.tasks.len() {
            let mut moved = false;
            for &task in &order {
                let before = self.precedences.iter().filter(|pair| pair.1 == task);
                let least = before.map(|pair| layers[pair.0] + 1).max().unwrap_or(0);
                moved |= least != layers[task];
                layers[task] = least;
            }
            if !moved {
                break;
            }
        }
        layers
    }

    /// The row of each task: within its layer near what it waits for, or where the row is free at its time.
    pub(crate) fn rows(&self) -> Vec<usize> {
        match self.arrangement {
            Arrangement::Layers => self.rows_in_layers(),
            Arrangement::Time => self.rows_over_time(),
        }
    }

    fn rows_in_layers(&self) -> Vec<usize> {
        let layers = self.layers();
        let mut rows = vec![0; self.tasks.len()];
        for layer in 0..=layers.iter().copied().max().unwrap_or(0) {
            let own = (0..self.tasks.len()).filter(|&task| layers[task] == layer);
            let mut own: Vec<(f64, usize)> = own
                .map(|task| {
                    let before = self.precedences.iter().filter(|pair| pair.1 == task);
                    let places: Vec<f64> = before.map(|pair| rows[pair.0] as f64).collect();
                    let mean = places.iter().sum::<f64>() / places.len().max(1) as f64;
                    (mean, task)
                })
                .collect();
            own.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (row, (_, task)) in own.into_iter().enumerate() {
                rows[task] = row;
            }
        }
        rows
    }

    fn rows_over_time(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tasks.len()).collect();
        order.sort_by(|&a, &b| {
            let from = |task: usize| self.tasks[task].from;
            from(a).total_cmp(&from(b)).then(a.cmp(&b))
        });
        let mut rows = vec![0; self.tasks.len()];
        let mut place = |family: Option<&str>, first: usize| {
            let mut free: Vec<f64> = Vec::new();
            let is_own = |task: &&usize| family.is_none_or(|f| self.tasks[**task].family == f);
            for &task in order.iter().filter(is_own) {
                let own = &self.tasks[task];
                let row = free.iter().position(|&until| until <= own.from);
                rows[task] = first + row.unwrap_or(free.len());
                match row {
                    Some(row) => free[row] = own.to,
                    None => free.push(own.to),
                }
            }
            free.len()
        };
        let lanes = self.lanes();
        // A lane is as high as its name.
        let all: usize = lanes.iter().map(|lane| place(*lane, 0)).sum();
        let least = (all as f64 * SMALL / HEIGHT).ceil() as usize;
        let mut first = 0;
        for lane in lanes {
            first += place(lane, first).max(least);
        }
        rows
    }

    /// The families of tasks that have a lane each, where there are many tasks; else one lane without a name.
    fn lanes(&self) -> Vec<Option<&str>> {
        let mut families: Vec<Option<&str>> = Vec::new();
        for task in &self.tasks {
            let own = Some(task.family.as_str());
            if !families.contains(&own) {
                families.push(own);
            }
            if families.len() > MOST_LANES {
                return vec![None];
            }
        }
        let is_many = self.tasks.len() > FEW && families.len() > 1;
        if is_many && self.arrangement == Arrangement::Time {
            families
        } else {
            vec![None]
        }
    }

    /// Where bars over time begin, right of the names of lanes.
    fn left(&self) -> f64 {
        let names = self.lanes().into_iter().flatten();
        let widths = names.map(|name| font::width(name, SMALL) + 6.0);
        EDGE + widths.fold(0.0, f64::max).min(WIDTH / 3.0)
    }

    /// Whether a precedence is one of the critical path.
    pub(crate) fn is_on_path(&self, before: usize, task: usize) -> bool {
        self.path.windows(2).any(|pair| pair == [before, task])
    }

    /// A line for each task: its name, and when it runs; `#` on the critical path.
    pub(crate) fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let cut = |text: &String| text.chars().take(columns).collect::<String>();
        let mut lines = vec![cut(&self.title), cut(&self.label)];
        let end = self.tasks.iter().map(|task| task.to).fold(0.0, f64::max);
        let names = self.tasks.iter().map(|task| task.name.chars().count());
        let wide = names.max().unwrap_or(0).min(columns / 3);
        let room = columns.saturating_sub(wide + 1).max(8);
        let at = |time: f64| {
            if end > 0.0 {
                (time / end * (room - 1) as f64).round() as usize
            } else {
                0
            }
        };
        let shown = rows.saturating_sub(4).max(4);
        for (number, task) in self.tasks.iter().enumerate().take(shown) {
            let sign = if self.path.contains(&number) {
                '#'
            } else {
                '-'
            };
            let (from, to) = (at(task.from), at(task.to).max(at(task.from) + 1));
            let bar: String = std::iter::repeat_n(sign, to - from).collect();
            let name: String = task.name.chars().take(wide).collect();
            lines.push(format!("{name:wide$} {}{bar}", " ".repeat(from)));
        }
        if self.tasks.len() > shown {
            lines.push(format!("({} more tasks)", self.tasks.len() - shown));
        }
        lines.push(format!("0 to {}; # critical", crate::short(end)));
        lines
    }
}
