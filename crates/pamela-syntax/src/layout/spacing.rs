//! Spaces between the tokens of a line.

use super::roles::{Role, Roles};
use crate::syntax::{Token, TokenKind, is_reserved};

/// True if a space precedes the token at a position, which is not the first of its line.
pub(super) fn is_spaced(text: &str, tokens: &[Token], roles: &Roles, position: usize) -> bool {
    let Some(before) = position.checked_sub(1) else {
        return false;
    };
    let (left, right) = (tokens[before], tokens[position]);
    let is_written = left.end < right.start;
    match (left.text(text), right.text(text)) {
        _ if roles.at(before) == Role::Prefix => false,
        ("^", _) | (_, "^") => false,
        _ if roles.at(before) == Role::Unit && roles.at(position) == Role::Unit => {
            // The bracket that opens a unit follows a space.
            right.kind == TokenKind::Open
        }
        ("(" | "[", _) | (_, ")" | "]" | ",") | ("{", "}") => false,
        (_, ";") => is_written,
        _ if roles.at(position) == Role::CaseColon => false,
        _ if [before, position]
            .map(|at| roles.at(at))
            .contains(&Role::Fraction) =>
        {
            false
        }
        (word, "(") => match roles.at(position) {
            Role::AfterWord => true,
            Role::LabelRanges => is_written,
            // The rate of an open process, or the arguments of a process of this name.
            _ if word == "open" => is_written,
            _ if left.kind == TokenKind::Word && is_reserved(word) => {
                !matches!(word, "delay" | "use")
            }
            _ => left.kind != TokenKind::Word,
        },
        _ => true,
    }
}
