//! Renders diagnostics as text like rustc.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Severity, Sources, Span};

/// Lines longer than this are shown as a window around the place, in bytes.
const MAX_LINE: usize = 240;
/// Number of characters of a long line shown before the location.
const BEFORE: usize = 80;
/// Places further apart than this, in bytes, are shown as separate excerpts.
const MAX_EXCERPT: usize = 8192;
/// Replaces omitted parts of a long line.
const CUT: &str = "... ";

/// Renders a diagnostic with its source lines, without a final newline.
pub(super) fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Warning => Level::WARNING,
        Severity::Error | Severity::Unsupported => Level::ERROR,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    for excerpt in excerpts(diagnostic, sources) {
        group = excerpt.add_to(group);
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.with_name("hint").message(hint.as_str()));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    // The renderer announces an excerpt without naming its file below the header that a window of a long line has of its
    // own, and leaves room for an excerpt where there is none.
    let idle = if diagnostic.labels.is_empty() {
        "|"
    } else {
        ":::"
    };
    text.lines()
        .filter(|line| visible(line).trim() != idle)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A line without the codes of its colours.
fn visible(line: &str) -> String {
    let mut visible = String::new();
    let mut pieces = line.split('\u{1b}');
    visible.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        visible.push_str(piece.split_once('m').map_or("", |(_, rest)| rest));
    }
    visible
}

/// Whole lines of one file, or a window of one line, with the places marked in it.
struct Excerpt<'a> {
    path: &'a str,
    /// Number of the first line, from 1.
    line: usize,
    /// Column of the first mark, from 1, if `text` does not consist of whole lines.
    column: Option<usize>,
    text: String,
    /// Byte ranges of `text`, a flag for the main location, and the label.
    marks: Vec<(std::ops::Range<usize>, bool, &'a str)>,
}

impl<'a> Excerpt<'a> {
    fn add_to(self, group: Group<'a>) -> Group<'a> {
        let mut snippet = Snippet::source(self.text).line_start(self.line);
        for (range, main, label) in self.marks {
            let kind = if main {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            snippet = snippet.annotation(kind.span(range).label(label));
        }
        match self.column {
            None => group.element(snippet.path(self.path)),
            Some(column) => {
                let origin = Origin::path(self.path).line(self.line).char_column(column);
                group.element(origin).element(snippet)
            }
        }
    }
}

/// A label and the line that it begins in.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: u32,
    main: bool,
    label: &'a str,
    /// Byte range within the line.
    start: usize,
    end: usize,
    line_start: usize,
    line_end: usize,
}

impl Place<'_> {
    fn is_long(&self) -> bool {
        self.line_end - self.line_start > MAX_LINE
    }
}

fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let mut excerpts = Vec::new();
    let mut rest: Vec<Place<'a>> = diagnostic
        .labels
        .iter()
        .enumerate()
        .filter_map(|(index, (span, label))| place(sources, *span, label, index == 0))
        .collect();
    while let Some(&first) = rest.first() {
        let (together, apart) = rest.iter().partition(|place| {
            let from = place.line_start.min(first.line_start);
            let to = place.line_end.max(first.line_end);
            let near = to - from <= MAX_EXCERPT && !first.is_long() && !place.is_long();
            place.file == first.file && near
        });
        rest = apart;
        let together: Vec<Place<'a>> = together;
        if together.is_empty() {
            rest.remove(0);
        }
        if let Some(source) = sources.0.get(first.file as usize) {
            let excerpt = if together.is_empty() {
                window(&source.name, &source.text, first)
            } else {
                whole_lines(&source.name, &source.text, &together)
            };
            excerpts.push(excerpt);
        }
    }
    excerpts
}

/// The location where `span` begins; a span of several lines is cut at the end of its first line.
fn place<'a>(sources: &Sources, span: Span, label: &'a str, main: bool) -> Option<Place<'a>> {
    let text = sources.0.get(span.file as usize)?.text.as_str();
    let start = boundary(text, span.start as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..]
        .find('\n')
        .map_or(text.len(), |length| start + length);
    let end = boundary(text, (span.end as usize).min(line_end)).max(start);
    Some(Place {
        file: span.file,
        main,
        label,
        start,
        end,
        line_start,
        line_end,
    })
}

fn line_number(text: &str, position: usize) -> usize {
    1 + text.as_bytes()[..position]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
}

fn whole_lines<'a>(path: &'a str, text: &str, places: &[Place<'a>]) -> Excerpt<'a> {
    let from = places
        .iter()
        .map(|place| place.line_start)
        .min()
        .unwrap_or(0);
    let to = places
        .iter()
        .map(|place| place.line_end)
        .max()
        .unwrap_or(text.len());
    let mark = |place: &Place<'a>| {
        (
            place.start - from..place.end - from,
            place.main,
            place.label,
        )
    };
    Excerpt {
        path,
        line: line_number(text, from),
        column: None,
        text: text[from..to].to_owned(),
        marks: places.iter().map(mark).collect(),
    }
}

/// The part of a long line around one place.
fn window<'a>(path: &'a str, text: &str, place: Place<'a>) -> Excerpt<'a> {
    let from = boundary(
        text,
        place.start.saturating_sub(BEFORE).max(place.line_start),
    );
    let to = boundary(text, (from + MAX_LINE).min(place.line_end));
    let lead = if from > place.line_start { CUT } else { "" };
    let tail = if to < place.line_end {
        CUT.trim_end()
    } else {
        ""
    };
    let shift = |position: usize| position.min(to) - from + lead.len();
    Excerpt {
        path,
        line: line_number(text, place.line_start),
        column: Some(1 + text[place.line_start..place.start].chars().count()),
        text: format!("{lead}{}{tail}", &text[from..to]),
        marks: vec![(
            shift(place.start)..shift(place.end),
            place.main,
            place.label,
        )],
    }
}

/// The last character boundary of `text` at or before `position`.
fn boundary(text: &str, position: usize) -> usize {
    let inside = position.min(text.len());
    (0..=inside)
        .rev()
        .find(|&place| text.is_char_boundary(place))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Diagnostic, SourceFile, Sources, Span};

    fn sources(text: &str) -> Sources {
        Sources(vec![SourceFile {
            name: "model.pam".to_owned(),
            text: text.to_owned(),
        }])
    }

    fn span(start: u32, end: u32) -> Span {
        Span {
            file: 0,
            start,
            end,
        }
    }

    /// `text` without the escape sequences that set colours.
    fn uncolored(text: &str) -> String {
        let mut pieces = text.split('\u{1b}');
        let first = pieces.next().unwrap_or_default().to_owned();
        let visible = pieces.map(|piece| piece.split_once('m').map_or("", |(_, rest)| rest));
        visible.fold(first, |text, piece| text + piece)
    }

    #[test]
    fn color_changes_no_character() {
        let long = "x + ".repeat(1000);
        let sources = sources(&format!("short\n{long}\nlast"));
        for place in [span(0, 5), span(2000, 2001), span(4007, 4011)] {
            let diagnostic = Diagnostic::error("wrong", place, "here")
                .also(span(3, 4), "there")
                .hint("do");
            let colored = diagnostic.render(&sources, true);
            assert!(colored.contains('\u{1b}'));
            assert_eq!(uncolored(&colored), diagnostic.render(&sources, false));
        }
    }

    #[test]
    fn a_warning_says_so() {
        let mut diagnostic = Diagnostic::error("odd", span(0, 1), "here");
        diagnostic.severity = super::Severity::Warning;
        assert!(
            diagnostic
                .render(&sources("x"), false)
                .starts_with("warning: odd")
        );
    }

    #[test]
    fn places_outside_of_the_text_are_shown_at_its_end() {
        let diagnostic = Diagnostic::error("wrong", span(90, 100), "here");
        assert!(
            diagnostic
                .render(&sources("é\n"), false)
                .contains("model.pam:2:1")
        );
    }

    #[test]
    fn a_place_may_begin_within_a_character() {
        let diagnostic = Diagnostic::error("wrong", span(1, 2), "here");
        assert!(
            diagnostic
                .render(&sources("éé"), false)
                .contains("model.pam:1:1")
        );
    }

    #[test]
    fn places_of_unknown_files_are_left_out() {
        let place = Span {
            file: 7,
            start: 0,
            end: 1,
        };
        let text = Diagnostic::error("wrong", place, "here").render(&sources("x"), false);
        assert_eq!(text, "error: wrong");
    }
}
