//! Typeset formulas for web pages.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::event::{Content, Event};
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

use crate::diagnostic::{Error, Result};
use crate::formula::words_of_latex;

/// The marker of the printer for names of several letters.
const WORD: &str = "\\mathit{";

/// Characters without a meaning: each stands for a word while the formula is typeset.
const PLACES: std::ops::RangeInclusive<char> = '\u{f0000}'..='\u{ffffd}';

/// Converts a LaTeX formula, as the printer writes it, to a `<math>` element.
///
/// `display` chooses a displayed formula instead of an inline one.
///
/// # Errors
/// Fails if the LaTeX contains a construct that the converter does not know.
pub fn mathml(latex: &str, display: bool) -> Result<String> {
    let wrong = |reason: String| Error::new(format!("cannot typeset `{latex}`: {reason}"));
    let storage = Storage::new();
    let (letters, words) = words_as_letters(latex);
    let events: std::result::Result<Vec<_>, _> = Parser::new(&letters, &storage).collect();
    let events = events.map_err(|reason| wrong(reason.to_string()))?;
    let config = RenderConfig {
        display_mode: if display {
            DisplayMode::Block
        } else {
            DisplayMode::Inline
        },
        ..RenderConfig::default()
    };
    let mut text = String::new();
    // The parser leaves the commands of text mode as they are.
    let prose: Vec<Option<String>> = events
        .iter()
        .map(|event| match event {
            Event::Content(Content::Text(text)) => Some(words_of_latex(text)),
            _ => None,
        })
        .collect();
    let items = events.into_iter().zip(&prose).map(|(event, prose)| {
        let prose = prose.as_deref().map(Content::Text).map(Event::Content);
        Ok::<_, pulldown_latex::ParserError>(prose.unwrap_or(event))
    });
    push_mathml(&mut text, items, config).map_err(|reason| wrong(reason.to_string()))?;
    // XML is stricter than HTML.
    let text = text.replace("&nbsp;", "\u{a0}");
    let text = text.replace("<mo><</mo>", "<mo>&lt;</mo>");
    Ok(letters_as_words(&text, &words))
}

/// Each `\mathit{word}` as one character, since the parser would take it apart, so that `P ts` reads as a product of
/// three; with the words in the order of their characters.
fn words_as_letters(latex: &str) -> (String, Vec<String>) {
    let mut pieces = latex.split(WORD);
    let mut text = pieces.next().unwrap_or_default().to_string();
    let mut words: Vec<String> = Vec::new();
    for piece in pieces {
        let (word, rest) = match end_of_word(piece) {
            Some(end) => (piece[..end].replace("\\_", "_"), &piece[end + 1..]),
            None => (String::new(), piece),
        };
        let known = words.iter().position(|known| *known == word);
        let place = PLACES.clone().nth(known.unwrap_or(words.len()));
        match place.filter(|_| !word.is_empty()) {
            None => {
                text.push_str(WORD);
                text.push_str(piece);
            }
            Some(place) => {
                if known.is_none() {
                    words.push(word);
                }
                text.push(place);
                text.push_str(rest);
            }
        }
    }
    (text, words)
}

/// Position of the closing brace of a word. Names contain no braces.
fn end_of_word(piece: &str) -> Option<usize> {
    let end = piece.find('}')?;
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\\';
    piece[..end].chars().all(letters).then_some(end)
}

fn letters_as_words(text: &str, words: &[String]) -> String {
    let start = u32::from(*PLACES.start());
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        let place = u32::from(c).checked_sub(start);
        match place.and_then(|place| words.get(place as usize)) {
            Some(word) => all.push_str(word),
            None => all.push(c),
        }
    }
    all
}
