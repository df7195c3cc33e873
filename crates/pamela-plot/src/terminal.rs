//! Text for terminals. Curves have colours of the palette, which users choose to be legible. Everything else has the
//! colour of the text, so it is visible on dark and on light backgrounds.

mod canvas;

use crate::font;
use crate::scene::{Key, Scene};
use crate::ticks::{Extent, Tick, plain};
use crate::{Figure, HeatMap, Picture};
use canvas::{Canvas, colour, coloured, letter};

/// Capabilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Braille dots in the colours of the palette.
    Colours,
    /// Braille dots; with several curves, a letter for each.
    Plain,
    /// ASCII alone.
    Ascii,
}

const LEAST: (usize, usize) = (30, 12);
/// Longer numbers of a heat map are rounded.
const LONGEST: usize = 9;
/// From little to much.
const SHADES: [char; 9] = ['.', ':', '-', '=', '+', 'x', '*', '#', '@'];

impl Picture {
    /// Lines of text for this many columns and rows.
    pub fn terminal(&self, columns: usize, rows: usize, ink: Ink) -> String {
        let columns = columns.max(LEAST.0);
        let lines = match self {
            Picture::Figure(figure) => of_figure(figure, columns, rows, ink),
            Picture::Panels(figures) => {
                let each = rows / figures.len().max(1);
                let parts = figures
                    .iter()
                    .map(|figure| of_figure(figure, columns, each, ink));
                parts.collect::<Vec<_>>().join(&String::new())
            }
            Picture::HeatMap(map) => of_map(map, columns, rows, ink),
            Picture::Tasks(graph) => graph.lines(columns, rows),
        };
        let lines = lines.into_iter().map(|line| match ink {
            Ink::Ascii => ascii(&line),
            _ => line,
        });
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_string()).collect();
        lines.join("\n")
    }
}

/// A text as the terminal can show it.
fn said(text: &str, ink: Ink) -> String {
    match ink {
        Ink::Ascii => ascii(text),
        _ => text.to_string(),
    }
}

/// The line in ASCII.
fn ascii(line: &str) -> String {
    let mut text = String::new();
    let mut high = false;
    for character in line.chars() {
        let lowered = font::lowered(character);
        if lowered.is_some() && !high {
            text.push('^');
        }
        high = lowered.is_some();
        text.push(match lowered.unwrap_or(character) {
            '−' => '-',
            '×' => '*',
            '│' | '┤' | '┊' | '▏' => '|',
            '─' => '-',
            '└' | '┴' => '+',
            '•' => 'M',
            '┄' => '.',
            c if c.is_ascii() => c,
            _ => '?',
        });
    }
    text
}

/// Wraps words into lines of at most this many columns.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                let characters: Vec<char> = word.chars().collect();
                lines.extend(
                    characters
                        .chunks(columns)
                        .map(|part| part.iter().collect::<String>()),
                );
            }
        }
    }
    lines
}

fn of_figure(figure: &Figure, columns: usize, rows: usize, ink: Ink) -> Vec<String> {
    let scene = Scene::of(figure);
    let several = figure.curves.len() > 1 || !figure.measured.is_empty();
    let signs = ink == Ink::Ascii || (ink == Ink::Plain && several);
    let said = |text: &str| said(text, ink);
    let mut lines = wrapped(&said(&figure.title), columns);
    lines.extend(wrapped(&said(&figure.y.label), columns));
    // Six columns and more are left to the picture, whatever the numbers.
    let up_of = |height: usize| {
        scene.y.ticks(&|ticks: &[Tick]| {
            let row = |t: &Tick| ((1.0 - scene.y.place(t.at)) * (height as f64 - 1.0)).round();
            let rows: Vec<f64> = ticks.iter().map(row).collect();
            rows.windows(2).all(|pair| pair[0] - pair[1] >= 2.0)
                && ticks
                    .iter()
                    .all(|t| said(&t.label).chars().count() + 12 <= columns)
        })
    };
    let guess = up_of(rows.saturating_sub(10).max(6));
    let wide = |ticks: &[Tick]| {
        ticks
            .iter()
            .map(|t| said(&t.label).chars().count())
            .max()
            .unwrap_or(0)
    };
    let margin = wide(&guess) + 1;
    let width = columns - margin - 1;
    let fits = |name: &str, from: f64, to: f64| {
        let room = (scene.x.place(to) - scene.x.place(from)) * width as f64;
        name.chars().count() as f64 + 2.0 <= room
    };
    let (names, named) = scene.region_names(&fits);
    let legend = legend(&[scene.entries(), named].concat(), columns, ink, signs);
    let strip = usize::from(!names.is_empty());
    let others = lines.len() + strip + 3 + legend.len();
    let height = rows.saturating_sub(others).max(LEAST.1 - 6);
    let up = up_of(height);
    let margin = wide(&up) + 1;
    let width = columns - margin - 1;
    let mut canvas = Canvas::new(width, height, signs);
    data(&mut canvas, &scene);
    for position in scene.marks() {
        canvas.behind(scene.x.place(figure.marks[position].at), '┊');
    }
    if strip > 0 {
        let line = strip_of(&scene, &names, width);
        lines.push(format!("{}{}", " ".repeat(margin), line));
    }
    for row in 0..height {
        let at = |t: &&Tick| {
            ((1.0 - scene.y.place(t.at)) * (height as f64 - 1.0)).round() as usize == row
        };
        let tick = up.iter().find(at);
        let label = tick.map_or(String::new(), |t| said(&t.label));
        let edge = if tick.is_some() { '┤' } else { '│' };
        let blank = " ".repeat(margin - 1 - label.chars().count());
        lines.push(format!("{blank}{label} {edge}{}", canvas.row(row, ink)));
    }
    lines.extend(across(&scene.x, margin, width, ink));
    let blank = (width.saturating_sub(figure.x.label.chars().count())) / 2;
    lines.extend(
        wrapped(&figure.x.label, width)
            .iter()
            .map(|line| format!("{}{line}", " ".repeat(margin + blank))),
    );
    lines.extend(legend);
    lines
}

/// The names of the regions in a line, each between its ends.
fn strip_of(scene: &Scene, names: &[Option<String>], width: usize) -> String {
    let mut line = vec![' '; width];
    let column = |x: f64| (scene.x.place(x) * (width as f64 - 1.0)).round() as usize;
    for (name, &(_, from, to)) in names.iter().zip(&scene.regions) {
        let (from, to) = (column(from), column(to));
        line[from] = '│';
        let name: Vec<char> = name.iter().flat_map(|name| name.chars()).collect();
        let start = from + 1 + (to - from).saturating_sub(name.len() + 1) / 2;
        for (at, character) in name.into_iter().enumerate() {
            if start + at < width {
                line[start + at] = character;
            }
        }
    }
    String::from_iter(line)
}

/// The horizontal axis and its numbers.
fn across(x: &Extent, margin: usize, width: usize, ink: Ink) -> [String; 2] {
    let said = |text: &str| said(text, ink);
    let column = |t: &Tick| (x.place(t.at) * (width as f64 - 1.0)).round() as usize + margin + 1;
    let start = |t: &Tick| {
        let long = said(&t.label).chars().count();
        let last = (margin + width + 1).saturating_sub(long);
        column(t).saturating_sub(long / 2).min(last)
    };
    let end = |t: &Tick| start(t) + said(&t.label).chars().count();
    let ticks = x.ticks(&|ticks| {
        ticks
            .windows(2)
            .all(|pair| end(&pair[0]) + 2 <= start(&pair[1]))
            && ticks.iter().all(|t| end(t) <= margin + width + 1)
    });
    let mut axis: Vec<char> = " ".repeat(margin).chars().collect();
    axis.push('└');
    axis.extend(std::iter::repeat_n('─', width));
    let mut numbers = String::new();
    for tick in &ticks {
        axis[column(tick)] = '┴';
        let blank = start(tick).saturating_sub(numbers.chars().count());
        numbers = format!("{numbers}{}{}", " ".repeat(blank), said(&tick.label));
    }
    [axis.into_iter().collect(), numbers]
}

fn data(canvas: &mut Canvas, scene: &Scene) {
    let at = |x: f64, y: f64| (scene.x.place(x), scene.y.place(y));
    for band in &scene.figure.bands {
        for part in scene.band(&band.points) {
            for pair in part.windows(2) {
                let ink = colour(band.curve);
                canvas.line(
                    at(pair[0].0, pair[0].1),
                    at(pair[1].0, pair[1].1),
                    3,
                    '.',
                    ink,
                );
                canvas.line(
                    at(pair[0].0, pair[0].2),
                    at(pair[1].0, pair[1].2),
                    3,
                    '.',
                    ink,
                );
            }
        }
    }
    for (position, curve) in scene.figure.curves.iter().enumerate() {
        let (ink, sign, every) = if curve.ideal {
            (None, '.', 2)
        } else {
            (colour(position), letter(position), 1)
        };
        for part in scene.unbroken(&curve.points) {
            if let [(x, y)] = part {
                let (x, y) = at(*x, *y);
                canvas.dot(x, y, sign, ink);
            }
            for pair in part.windows(2) {
                canvas.line(
                    at(pair[0].0, pair[0].1),
                    at(pair[1].0, pair[1].1),
                    every,
                    sign,
                    ink,
                );
            }
        }
    }
    for (position, measured) in scene.figure.measured.iter().enumerate() {
        for &(x, y, _) in measured.points.iter().filter(|p| scene.shows(p.0, p.1)) {
            let (x, y) = at(x, y);
            canvas.put(x, y, '•', measured_colour(scene.figure, position));
        }
    }
}

fn measured_colour(figure: &Figure, position: usize) -> Option<u8> {
    match figure.measured[position].curve {
        Some(curve) if figure.curves.len() > 1 => colour(curve),
        _ => None,
    }
}

fn legend(entries: &[(Key, String)], columns: usize, ink: Ink, signs: bool) -> Vec<String> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (key, text) in entries {
        let (sign, paint) = match *key {
            Key::Curve(position) if signs => (letter(position).to_string().repeat(3), None),
            Key::Curve(position) => ("⠤⠤⠤".to_string(), colour(position)),
            Key::Ideal if signs => ("...".to_string(), None),
            Key::Ideal => ("⠄⠄⠄".to_string(), None),
            Key::Band(position, _) if signs => ("...".to_string(), colour(position)),
            Key::Band(position, _) => ("⠄⠄⠄".to_string(), colour(position)),
            Key::Measured(_) => (" • ".to_string(), None),
            Key::Mark => (" ┊ ".to_string(), None),
            Key::Region(_) => ("│ │".to_string(), None),
            Key::None => (String::new(), None),
        };
        for (number, line) in wrapped(&said(text, ink), columns.saturating_sub(6).max(10))
            .into_iter()
            .enumerate()
        {
            let width = 4 + line.chars().count();
            let sign = if number == 0 { sign.as_str() } else { "" };
            let blank = " ".repeat(3 - sign.chars().count());
            let entry = format!("{}{blank} {line}", coloured(sign, paint, ink));
            match lines.last_mut() {
                Some((used, row)) if number == 0 && *used + 3 + width <= columns => {
                    row.push_str("   ");
                    row.push_str(&entry);
                    *used += 3 + width;
                }
                _ => lines.push((width, entry)),
            }
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Signs from little to much.
fn of_map(map: &HeatMap, columns: usize, rows: usize, ink: Ink) -> Vec<String> {
    let said = |text: &str| said(text, ink);
    let label = |value: f64| match plain(value) {
        text if text.chars().count() <= LONGEST => said(&text),
        _ => crate::short(value),
    };
    let extent = map.extent();
    let mut lines = wrapped(&said(&map.title), columns);
    lines.extend(wrapped(&said(&map.label), columns));
    lines.extend(wrapped(&said(&format!("up: {}", map.y)), columns));
    let labels: Vec<String> = map.rows.iter().map(|v| label(*v)).collect();
    let margin = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let (width, height) = (
        columns
            .saturating_sub(margin + 2)
            .clamp(1, 400)
            .min(map.columns.len() * 4),
        rows.saturating_sub(lines.len() + 4)
            .max(6)
            .min(map.rows.len()),
    );
    let (across, up) = (map.columns.len(), map.rows.len());
    for row in (0..height).rev() {
        let at = row * up / height;
        let cell = |column: usize| {
            let value = map.values[at][column * across / width];
            if Extent::shows(extent.scale, value) {
                let share = extent.place(value) * SHADES.len() as f64;
                SHADES[(share as usize).min(SHADES.len() - 1)]
            } else {
                ' '
            }
        };
        let label = &labels[at];
        let blank = " ".repeat(margin - label.chars().count());
        lines.push(format!(
            "{blank}{label} │{}",
            (0..width).map(cell).collect::<String>()
        ));
    }
    lines.push(format!("{} └{}", " ".repeat(margin), "─".repeat(width)));
    let (first, last) = (label(map.columns[0]), label(map.columns[across - 1]));
    let used = first.chars().count() + last.chars().count();
    let name = if used < width {
        let blank = " ".repeat(width - used);
        lines.push(format!("{}{first}{blank}{last}", " ".repeat(margin + 2)));
        format!("across: {}", map.x)
    } else {
        format!("across: {} from {first} to {last}", map.x)
    };
    lines.extend(wrapped(&said(&name), columns));
    let (least, most) = (crate::short(extent.low), crate::short(extent.high));
    lines.push(format!(
        "{least} {} {most}",
        SHADES.iter().collect::<String>()
    ));
    lines
}
