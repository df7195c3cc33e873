//! Layout of a picture: lines, areas, dots and texts on a sheet. Files of all formats are written from it.

use crate::font;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// A laid-out picture. The origin is its upper left corner.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub width: f64,
    pub height: f64,
    /// Items from the back to the front.
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub enum Item {
    Line {
        points: Vec<(f64, f64)>,
        colour: Colour,
        width: f64,
        /// Lengths of dashes and gaps in turn; none for a solid line.
        dashes: &'static [f64],
    },
    /// A polygon.
    Area {
        points: Vec<(f64, f64)>,
        colour: Colour,
        opacity: f64,
    },
    Dot {
        at: (f64, f64),
        radius: f64,
        colour: Colour,
    },
    Text(Text),
}

/// A line of text.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    /// Anchor on the baseline: the start, the middle or the end of the text.
    pub at: (f64, f64),
    pub anchor: Anchor,
    pub size: f64,
    pub colour: Colour,
    /// The left and the right edge of the named part of the picture.
    pub within: Option<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Text {
    /// Left end of the text.
    pub(crate) fn start(&self) -> f64 {
        let width = font::width(&self.text, self.size);
        match self.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - width / 2.0,
            Anchor::End => self.at.0 - width,
        }
    }

    /// Left, top, right and bottom of the text.
    pub fn bounds(&self) -> [f64; 4] {
        let (left, baseline) = (self.start(), self.at.1);
        let right = left + font::width(&self.text, self.size);
        [
            left,
            baseline - 0.75 * self.size,
            right,
            baseline + 0.22 * self.size,
        ]
    }
}

impl Sheet {
    /// Texts that overlap, leave the sheet or leave the region that they name, each with a description.
    pub fn collisions(&self) -> Vec<String> {
        let texts = self.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            _ => None,
        });
        let texts: Vec<&Text> = texts.collect();
        let mut wrong = Vec::new();
        for (position, text) in texts.iter().enumerate() {
            let [left, top, right, bottom] = text.bounds();
            if left < 0.0 || top < 0.0 || right > self.width || bottom > self.height {
                wrong.push(format!("`{}` leaves the sheet", text.text));
            }
            if text
                .within
                .is_some_and(|(from, to)| left < from || right > to)
            {
                wrong.push(format!("`{}` leaves its region", text.text));
            }
            for other in &texts[position + 1..] {
                let [from, above, to, below] = other.bounds();
                if left < to && from < right && top < below && above < bottom {
                    wrong.push(format!("`{}` covers `{}`", text.text, other.text));
                }
            }
        }
        wrong
    }
}
