//! SVG.

use std::fmt::Write;

use crate::font;
use crate::sheet::{Anchor, Colour, Item, Sheet, Text};

/// Size of the picture in a browser relative to its units.
const ZOOM: f64 = 1.5;

pub(crate) fn svg(sheet: &Sheet) -> String {
    let (width, height) = (number(sheet.width), number(sheet.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        number(sheet.width * ZOOM),
        number(sheet.height * ZOOM),
        font::FAMILY
    );
    for item in &sheet.items {
        svg.push_str(&element(item));
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn element(item: &Item) -> String {
    match item {
        Item::Line {
            points,
            colour,
            width,
            dashes,
        } => {
            let dashes: Vec<String> = dashes.iter().map(|d| number(*d)).collect();
            let dashes = if dashes.is_empty() {
                String::new()
            } else {
                format!(" stroke-dasharray=\"{}\"", dashes.join(" "))
            };
            format!(
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
                path(points),
                hex(*colour),
                number(*width)
            )
        }
        Item::Area {
            points,
            colour,
            opacity,
        } => {
            let opacity = if *opacity < 1.0 {
                format!(" fill-opacity=\"{}\"", number(*opacity))
            } else {
                " shape-rendering=\"crispEdges\"".to_string()
            };
            format!(
                "<path d=\"{}Z\" fill=\"{}\"{opacity}/>",
                path(points),
                hex(*colour)
            )
        }
        Item::Dot { at, radius, colour } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            number(at.0),
            number(at.1),
            number(*radius),
            hex(*colour)
        ),
        Item::Text(text) => words(text),
    }
}

fn words(text: &Text) -> String {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let mut inner = String::new();
    let mut high = false;
    for (run, raised) in font::runs(&text.text) {
        let run = escaped(&run);
        let rise = number(font::RAISED.1 * text.size);
        let _ = match (raised, high) {
            (true, _) => write!(
                inner,
                "<tspan dy=\"-{rise}\" font-size=\"{}\">{run}</tspan>",
                number(font::RAISED.0 * text.size)
            ),
            (false, true) => write!(inner, "<tspan dy=\"{rise}\">{run}</tspan>"),
            (false, false) => write!(inner, "{run}"),
        };
        high = raised;
    }
    // The layout used the widths of this font; a viewer with another font adjusts its text to them.
    let length = match font::glyphs(&text.text).1 * text.size {
        0.0 => String::new(),
        width => format!(
            " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
            number(width)
        ),
    };
    format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{length} xml:space=\"preserve\">{inner}</text>",
        number(text.at.0),
        number(text.at.1),
        number(text.size),
        hex(text.colour)
    )
}

/// Characters that XML does not allow are left out.
fn escaped(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (position, (x, y)) in points.iter().enumerate() {
        let step = if position == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{step}{} {}", number(*x), number(*y));
    }
    path
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_string(),
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The widths of T, i, m, e and 2 in the metrics of Helvetica that Adobe published are 611, 222, 833, 556 and 556
    /// thousandths; a raised 2 is smaller.
    #[test]
    fn texts_keep_their_widths_in_other_fonts() {
        let text = |text: &str, anchor| {
            words(&Text {
                at: (1.0, 2.0),
                text: text.to_string(),
                size: 10.0,
                colour: [0; 3],
                within: None,
                anchor,
            })
        };
        let length = " textLength=\"22.22\" lengthAdjust=\"spacingAndGlyphs\"";
        for anchor in [Anchor::Start, Anchor::Middle, Anchor::End] {
            let found = text("Time", anchor);
            assert!(found.contains(length), "{found}");
        }
        let raised = text("Time²", Anchor::Start);
        assert!(raised.contains(" textLength=\"26.11\""), "{raised}");
        assert!(!text("", Anchor::Start).contains("textLength"));
    }
}
