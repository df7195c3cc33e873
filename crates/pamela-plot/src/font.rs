//! The font of pictures: widths and outlines. Superscripts are smaller, raised digits of the line, because few fonts
//! have all superscripts.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId};

/// Arimo, which has the widths of Arial and Helvetica.
pub(crate) const FILE: &[u8] = include_bytes!("../assets/Arimo.ttf");
/// Font families requested from viewers of SVG files.
pub(crate) const FAMILY: &str = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";
/// Size of superscripts relative to the line, and their height relative to its size.
pub(crate) const RAISED: (f64, f64) = (0.7, 0.38);

#[expect(clippy::expect_used, reason = "the font is part of the program")]
pub(crate) static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(FILE, 0).expect("the font that is part of this program"));

/// A character where it stands.
pub(crate) struct Glyph {
    pub id: GlyphId,
    pub character: char,
    /// Offset from the start of a text of size 1.
    pub offset: f64,
    pub raised: bool,
}

/// `2¹⁰` as runs on the line and above it: `2` and, raised, `10`.
pub(crate) fn runs(text: &str) -> Vec<(String, bool)> {
    let mut runs: Vec<(String, bool)> = Vec::new();
    for character in text.chars() {
        let (character, raised) = match lowered(character) {
            Some(lowered) => (lowered, true),
            None => (character, false),
        };
        match runs.last_mut() {
            Some((run, own)) if *own == raised => run.push(character),
            _ => runs.push((character.to_string(), raised)),
        }
    }
    runs
}

pub(crate) fn lowered(character: char) -> Option<char> {
    let digits = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().zip("0123456789−".chars());
    let mut digits = digits.filter(|(raised, _)| *raised == character);
    digits.next().map(|(_, digit)| digit)
}

/// The most common characters; a picture needs their widths thousands of times.
static COMMON: LazyLock<Vec<(GlyphId, f64)>> =
    LazyLock::new(|| ('\0'..'\u{460}').map(looked_up).collect());

/// A character's glyph, and how far the next one is, for a text of size 1.
fn glyph(character: char) -> (GlyphId, f64) {
    let known = COMMON.get(character as usize).copied();
    known.unwrap_or_else(|| looked_up(character))
}

fn looked_up(character: char) -> (GlyphId, f64) {
    let id = FACE.glyph_index(character).unwrap_or(GlyphId(0));
    let advance = f64::from(FACE.glyph_hor_advance(id).unwrap_or(0));
    (id, advance / f64::from(FACE.units_per_em()))
}

/// The glyphs of a text and its width, for size 1. A character that the font lacks becomes an empty box.
pub(crate) fn glyphs(text: &str) -> (Vec<Glyph>, f64) {
    let mut glyphs = Vec::new();
    let mut offset = 0.0;
    for (run, raised) in runs(text) {
        let size = if raised { RAISED.0 } else { 1.0 };
        for character in run.chars() {
            let (id, advance) = glyph(character);
            glyphs.push(Glyph {
                id,
                character,
                offset,
                raised,
            });
            offset += size * advance;
        }
    }
    (glyphs, offset)
}

pub(crate) fn width(text: &str, size: f64) -> f64 {
    glyphs(text).1 * size
}

/// Words between which a line may end: `P = 8` is one.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if word == "=" || last.ends_with(" =") => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_string()),
        }
    }
    words
}

/// Lines of at most this width, cut at blanks, and within words that are too long.
pub(crate) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in unbroken(text) {
        let longer = if line.is_empty() {
            word.clone()
        } else {
            format!("{line} {word}")
        };
        if width(&longer, size) <= most {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            line.push(character);
            if width(&line, size) > most && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, character.to_string()));
            }
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}
