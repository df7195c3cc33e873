//! Typeset formulas for pages.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

use crate::diagnostic::Result;
use crate::pipeline::plain_error;

/// A LaTeX formula, as the printer writes it, as a `<math>` element: a display, or one in a line.
///
/// # Errors
/// What it cannot read.
pub fn mathml(latex: &str, display: bool) -> Result<String> {
    let wrong = |reason: String| plain_error(format!("cannot typeset `{latex}`: {reason}"));
    let storage = Storage::new();
    let events: std::result::Result<Vec<_>, _> = Parser::new(latex, &storage).collect();
    let events = events.map_err(|reason| wrong(reason.to_string()))?;
    let config = RenderConfig {
        display_mode: match display {
            true => DisplayMode::Block,
            false => DisplayMode::Inline,
        },
        ..RenderConfig::default()
    };
    let mut text = String::new();
    let items = events.into_iter().map(Ok::<_, pulldown_latex::ParserError>);
    push_mathml(&mut text, items, config).map_err(|reason| wrong(reason.to_string()))?;
    // XML is stricter than HTML.
    let text = text.replace("&nbsp;", "\u{a0}");
    Ok(text.replace("<mo><</mo>", "<mo>&lt;</mo>"))
}
