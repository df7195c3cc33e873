//! Equations that appear by name: mentions and calls.

use std::sync::Arc;

use super::{Arena, Defined, ExprId, LawKind, Node, Sort, Symbol, SymbolKind};

impl Arena {
    /// Mentions an equation by name; each occurrence of a law is a fresh copy.
    pub fn reference(&mut self, defined: &Arc<Defined>) -> ExprId {
        let symbol = self.intern_symbol(SymbolKind::Definition(defined.clone()));
        match defined.sort {
            Sort::Law => self.law(LawKind::Parameter(symbol), &[]),
            _ => self.symbol(symbol),
        }
    }

    /// Calls an equation with scalar arguments.
    pub fn call(&mut self, function: Symbol, arguments: &[ExprId]) -> ExprId {
        self.intern(Node::Call(function, arguments.into()))
    }

    /// The symbol of an equation with arguments.
    pub fn function(&mut self, defined: &Arc<Defined>) -> Symbol {
        self.intern_symbol(SymbolKind::Definition(defined.clone()))
    }

    /// The mention of the equation `name`, if it exists.
    pub fn mention_of(&mut self, name: &str) -> Option<ExprId> {
        let defined = self.mentions.get(name)?.clone();
        Some(self.reference(&defined))
    }

    /// True if any expression mentions the equation `name`.
    pub fn mention_exists(&self, name: &str) -> bool {
        self.mentions.contains_key(name)
    }

    /// The equation that `id` mentions.
    pub fn as_reference(&self, id: ExprId) -> Option<&Arc<Defined>> {
        match self.node(id) {
            Node::Symbol(symbol) | Node::Law(LawKind::Parameter(symbol), _) => {
                self.defined(*symbol)
            }
            _ => None,
        }
    }

    /// The equation of a symbol.
    pub fn defined(&self, symbol: Symbol) -> Option<&Arc<Defined>> {
        match self.symbol_kind(symbol) {
            SymbolKind::Definition(defined) => Some(defined),
            _ => None,
        }
    }

    /// A truth value: the mentioned equation has a value. `None` if it always has one.
    pub fn has_value(&mut self, id: ExprId) -> Option<ExprId> {
        let (symbol, arguments) = match self.node(id) {
            Node::Symbol(symbol) | Node::Law(LawKind::Parameter(symbol), _) => (*symbol, None),
            Node::Call(symbol, arguments) => (*symbol, Some(arguments.clone())),
            _ => return None,
        };
        let defined = self.defined(symbol).filter(|d| !d.total)?.clone();
        let symbol = self.intern_symbol(SymbolKind::HasValue(defined));
        Some(match arguments {
            None => self.symbol(symbol),
            Some(arguments) => self.call(symbol, &arguments),
        })
    }

    /// True if the expression says that an equation has a value.
    pub fn is_has_value(&self, id: ExprId) -> bool {
        let (Node::Symbol(symbol) | Node::Call(symbol, _)) = self.node(id) else {
            return false;
        };
        matches!(self.symbol_kind(*symbol), SymbolKind::HasValue(_))
    }

    /// The equations that `id` mentions, in order of first occurrence.
    pub fn mentioned(&self, id: ExprId) -> impl Iterator<Item = &Arc<Defined>> {
        self.free(id)
            .iter()
            .filter_map(|&symbol| self.defined(symbol))
    }
}
