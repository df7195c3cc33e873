//! Spellings of symbols: each name has one meaning in a model.

use std::collections::{BTreeSet, HashMap};

use pamela_syntax::words::is_taken;

use super::number::Symbol;
use super::walker::Name;

/// Names that the model of a program gives to its own parts.
const OWN: [&str; 4] = ["main", "thread", "threads", "cpu"];

#[derive(Debug, Default)]
pub struct Names {
    given: HashMap<Symbol, String>,
    used: BTreeSet<String>,
}

impl Names {
    /// Gives these symbols distinct names, in this order.
    pub fn give(&mut self, names: &[Name], symbols: impl IntoIterator<Item = Symbol>) {
        for symbol in symbols {
            if self.given.contains_key(&symbol) {
                continue;
            }
            let hint = &names[symbol.0 as usize].hint;
            let spelled = self.free(hint);
            self.used.insert(spelled.clone());
            self.given.insert(symbol, spelled);
        }
    }

    /// An unused name similar to this one.
    pub fn free(&self, hint: &str) -> String {
        let mut name: String = hint
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        // `size[0]` is size_0.
        if hint.ends_with(']') {
            name.pop();
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'x');
        }
        let is_free =
            |name: &str| !is_taken(name) && !OWN.contains(&name) && !self.used.contains(name);
        if is_free(&name) {
            return name;
        }
        (2_usize..)
            .map(|number| format!("{name}_{number}"))
            .find(|name| is_free(name))
            .unwrap_or(name)
    }

    /// Indices may share a name unless one loop is inside the other.
    pub fn bind(&mut self, names: &[Name], symbol: Symbol, around: &[Symbol]) {
        if self.given.contains_key(&symbol) {
            return;
        }
        let hint = &names[symbol.0 as usize].hint;
        let inside: BTreeSet<&String> = around
            .iter()
            .filter_map(|symbol| self.given.get(symbol))
            .collect();
        let mut spelled = self.free(hint);
        let mut number = 2;
        while inside.contains(&spelled) {
            spelled = self.free(&format!("{hint}_{number}"));
            number += 1;
        }
        self.given.insert(symbol, spelled);
    }

    pub fn of(&self, symbol: Symbol) -> String {
        self.given
            .get(&symbol)
            .cloned()
            .unwrap_or_else(|| "unnamed".to_string())
    }
}
