//! PAMELA for tree-sitter: the language, and the queries that colour it.

use tree_sitter_language::LanguageFn;

#[expect(unsafe_code, reason = "a function of C")]
unsafe extern "C" {
    fn tree_sitter_pamela() -> *const ();
}

/// The language, for `Parser::set_language`.
// SAFETY: the function is the one that tree-sitter makes.
#[expect(unsafe_code, reason = "a function of C")]
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_pamela) };

/// The query that editors colour models by.
pub const HIGHLIGHTS: &str = include_str!("queries/highlights.scm");
