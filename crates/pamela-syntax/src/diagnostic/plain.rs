//! Text of unknown origin inside a line of another language.

/// Puts a text on one line, for a comment or a string of any language.
///
/// Every character that some language treats as a line end becomes a blank: line feed, carriage
/// return, vertical tab, form feed, next line, U+2028 and U+2029. Characters that change the
/// display order, other control characters, noncharacters, and private-use characters beyond the
/// basic plane become `?`.
///
/// Callers handle whatever closes a comment or a string in one particular language.
pub fn one_line(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        _ if c.is_control() || reorders(c) || has_no_glyph(c) => '?',
        _ => c,
    };
    text.chars().map(shown).collect()
}

/// Marks of the bidirectional algorithm.
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn has_no_glyph(c: char) -> bool {
    let last = u32::from(c) & 0xffff;
    last >= 0xfffe || matches!(c, '\u{feff}' | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..)
}

#[cfg(test)]
mod tests {
    use super::one_line;

    /// The characters are those of the Unicode standard: line breaks of UAX #14 (BK, CR, LF, NL), and the explicit
    /// formatting characters of UAX #9.
    #[test]
    fn no_character_ends_a_line_or_turns_it_around() {
        let breaks = [
            '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
        ];
        for c in breaks {
            assert_eq!(one_line(&format!("a{c}b")), "a b", "{c:?}");
        }
        let marks = [
            '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}',
            '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
        ];
        for c in marks
            .into_iter()
            .chain(['\0', '\u{1b}', '\u{7f}', '\u{ffff}', '\u{f0000}'])
        {
            assert_eq!(one_line(&format!("a{c}b")), "a?b", "{c:?}");
        }
    }

    #[test]
    fn words_stay() {
        for text in ["", "é → 日本 \u{5d0} 👩\u{200d}💻", "a */ b \\ c % d"] {
            assert_eq!(one_line(text), text);
        }
    }
}
