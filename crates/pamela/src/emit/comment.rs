//! Comments: the only place where words of a model get into emitted code.

use super::Language;
use crate::diagnostic::one_line;

/// A line that is a comment, with its end.
///
/// Words may come from anyone: none of them ends the line, the comment, or the element of a page that the code stands in.
pub(super) fn comment(language: Language, words: &str) -> String {
    let words = one_line(words);
    let words = words.replace("</", "< /").replace("<!", "< !");
    match language {
        Language::C => {
            let words = words.replace("*/", "* /").replace("/*", "/ *");
            format!("/* {words} */\n")
        }
        Language::Rust | Language::JavaScript => format!("// {words}\n"),
        Language::Sql => format!("-- {words}\n"),
        Language::Python | Language::NumPy | Language::Julia | Language::SymPy => {
            format!("# {words}\n")
        }
    }
}
