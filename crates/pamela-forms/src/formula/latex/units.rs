//! Prints quantities with upright units.

use super::number;
use crate::syntax::tree::{Quantity, Unit};

/// A number with its upright unit.
pub(super) fn quantity(number: &str, unit: &str) -> String {
    format!("{number}\\,{}", upright(unit))
}

/// A quantity of a model, with its unit.
pub(in crate::formula) fn latex_quantity(written: &Quantity) -> String {
    let unit = written.unit.to_string();
    quantity(&number(&written.number), unit.trim_matches(['[', ']']))
}

/// A unit as it is declared.
pub fn latex_unit(unit: &Unit) -> String {
    upright(unit.to_string().trim_matches(['[', ']']))
}

/// A unit without its brackets.
fn upright(unit: &str) -> String {
    let mut text = String::new();
    let mut letters = unit.chars().peekable();
    let mut before = '/';
    while let Some(letter) = letters.next() {
        let begins = matches!(before, '/' | '*');
        let more = letters.peek().is_some_and(char::is_ascii_alphabetic);
        match letter {
            'u' if begins && more => text.push_str("}\\mu\\mathrm{"),
            '*' => text.push_str("\\,"),
            '^' => {
                text.push_str("}^{");
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    text.push(digit);
                }
                text.push_str("}\\mathrm{");
            }
            letter => text.push(letter),
        }
        before = letter;
    }
    format!("\\mathrm{{{text}}}").replace("\\mathrm{}", "")
}
