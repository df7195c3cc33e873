//! Dots and signs in the cells of a terminal, with their colours.

use super::Ink;

/// Cyan, red, green, magenta, yellow, blue; then the bright ones.
const PALETTE: [u8; 12] = [36, 31, 32, 35, 33, 34, 96, 91, 92, 95, 93, 94];
/// Signs of curves without colours.
const LETTERS: [char; 12] = ['*', 'o', '+', 'x', '#', '@', 'a', 'b', 'c', 'd', 'e', 'f'];

/// Contents of a cell of the canvas.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Two by four dots.
    dots: u8,
    sign: Option<char>,
    colour: Option<u8>,
}

/// A picture in cells of a terminal.
pub struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
    /// Curves are signs in place of dots.
    signs: bool,
}

impl Canvas {
    /// Empty cells.
    pub fn new(width: usize, height: usize, signs: bool) -> Canvas {
        Canvas {
            width,
            height,
            cells: vec![Cell::default(); width * height],
            signs,
        }
    }

    fn dots(&self) -> (f64, f64) {
        if self.signs {
            (self.width as f64, self.height as f64)
        } else {
            (2.0 * self.width as f64, 4.0 * self.height as f64)
        }
    }

    /// A dot at fractions of the width and of the height, from below.
    pub fn dot(&mut self, x: f64, y: f64, sign: char, colour: Option<u8>) {
        let (wide, high) = self.dots();
        let column = (x * (wide - 1.0)).round().clamp(0.0, wide - 1.0) as usize;
        let row = ((1.0 - y) * (high - 1.0)).round().clamp(0.0, high - 1.0) as usize;
        let (across, down) = if self.signs { (1, 1) } else { (2, 4) };
        let cell = &mut self.cells[row / down * self.width + column / across];
        if self.signs {
            cell.sign = Some(sign)
        } else {
            cell.dots |= [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][column % 2][row % 4]
        }
        cell.colour = colour;
    }

    /// A line of dots, of which `every` gives the spacing.
    pub fn line(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        every: usize,
        sign: char,
        colour: Option<u8>,
    ) {
        let (wide, high) = self.dots();
        let steps = ((to.0 - from.0).abs() * wide).max((to.1 - from.1).abs() * high);
        let steps = steps.ceil().clamp(1.0, 4000.0) as usize;
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let (x, y) = (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            );
            // By its place, so that parts of a dotted line go on.
            if ((x * wide).round() as usize).is_multiple_of(every) {
                self.dot(x, y, sign, colour);
            }
        }
    }

    /// Puts a single character over the dots.
    pub fn put(&mut self, x: f64, y: f64, sign: char, colour: Option<u8>) {
        let column = (x * (self.width as f64 - 1.0))
            .round()
            .clamp(0.0, self.width as f64 - 1.0);
        let row = ((1.0 - y) * (self.height as f64 - 1.0)).round();
        let row = row.clamp(0.0, self.height as f64 - 1.0) as usize;
        let cell = &mut self.cells[row * self.width + column as usize];
        (cell.sign, cell.colour) = (Some(sign), colour);
    }

    /// Behind all else.
    pub fn behind(&mut self, x: f64, sign: char) {
        let column = (x * (self.width as f64 - 1.0))
            .round()
            .clamp(0.0, self.width as f64 - 1.0);
        for row in 0..self.height {
            let cell = &mut self.cells[row * self.width + column as usize];
            if cell.sign.is_none() && cell.dots == 0 {
                cell.sign = Some(sign);
            }
        }
    }

    pub fn row(&self, row: usize, ink: Ink) -> String {
        let cells = &self.cells[row * self.width..(row + 1) * self.width];
        let mut text = String::new();
        for run in cells.chunk_by(|a, b| a.colour == b.colour) {
            let signs = run.iter().map(|cell| match (cell.sign, cell.dots) {
                (Some(sign), _) => sign,
                (None, 0) => ' ',
                (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
            });
            text.push_str(&coloured(&signs.collect::<String>(), run[0].colour, ink));
        }
        text
    }
}

pub fn coloured(text: &str, colour: Option<u8>, ink: Ink) -> String {
    match (colour, ink) {
        (Some(colour), Ink::Colours) => format!("\x1b[{colour}m{text}\x1b[39m"),
        _ => text.to_string(),
    }
}

pub fn colour(position: usize) -> Option<u8> {
    Some(PALETTE[position % PALETTE.len()])
}

pub fn letter(position: usize) -> char {
    LETTERS[position % LETTERS.len()]
}
