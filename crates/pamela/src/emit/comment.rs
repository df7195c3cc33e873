//! Comments: the only way for words of a model into emitted code.

use super::Language;
use crate::diagnostic::one_line;

/// Writes `words` as a comment line, with its end of line.
///
/// The words may come from anyone. They cannot end the line, the comment, or the page element that
/// contains the code.
pub(super) fn comment(language: Language, words: &str) -> String {
    let words = one_line(words);
    let words = words.replace("</", "< /").replace("<!", "< !");
    let [before, after] = language.row().comment;
    let words = if after.is_empty() {
        words
    } else {
        words.replace("*/", "* /").replace("/*", "/ *")
    };
    format!("{before}{words}{after}\n")
}
