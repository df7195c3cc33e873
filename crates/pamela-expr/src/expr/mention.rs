//! Equations that stand by name: mentions of them, and calls.

use std::sync::Arc;

use super::{Arena, Defined, ExprId, LawKind, Node, Sort, Symbol, SymbolKind};

impl Arena {
    /// The value of an equation by its name: of a law one fresh copy wherever it stands.
    pub fn reference(&mut self, defined: &Arc<Defined>) -> ExprId {
        let symbol = self.intern_symbol(SymbolKind::Definition(defined.clone()));
        match defined.sort {
            Sort::Law => self.law(LawKind::Parameter(symbol), &[]),
            _ => self.symbol(symbol),
        }
    }

    /// The value of an equation for these arguments, which are scalars.
    pub fn call(&mut self, function: Symbol, arguments: &[ExprId]) -> ExprId {
        self.intern(Node::Call(function, arguments.into()))
    }

    /// The symbol of an equation that has arguments.
    pub fn function(&mut self, defined: &Arc<Defined>) -> Symbol {
        self.intern_symbol(SymbolKind::Definition(defined.clone()))
    }

    /// The mention of the equation `name`, where there is one.
    pub fn mention_of(&mut self, name: &str) -> Option<ExprId> {
        let defined = self.mentions.get(name)?.clone();
        Some(self.reference(&defined))
    }

    /// Whether any expression mentions the equation `name`.
    pub fn mention_exists(&self, name: &str) -> bool {
        self.mentions.contains_key(name)
    }

    /// The equation that `id` is a mention of.
    pub fn as_reference(&self, id: ExprId) -> Option<&Arc<Defined>> {
        match self.node(id) {
            Node::Symbol(symbol) | Node::Law(LawKind::Parameter(symbol), _) => {
                self.defined(*symbol)
            }
            _ => None,
        }
    }

    /// The equation that a symbol stands for.
    pub fn defined(&self, symbol: Symbol) -> Option<&Arc<Defined>> {
        match self.symbol_kind(symbol) {
            SymbolKind::Definition(defined) => Some(defined),
            _ => None,
        }
    }

    /// The truth value that the equation behind a mention has a value; `None` where it always has.
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

    /// Whether it says that an equation has a value.
    pub fn is_has_value(&self, id: ExprId) -> bool {
        let (Node::Symbol(symbol) | Node::Call(symbol, _)) = self.node(id) else {
            return false;
        };
        matches!(self.symbol_kind(*symbol), SymbolKind::HasValue(_))
    }

    /// The equations that `id` mentions, in the order in which they were first met.
    pub fn mentioned(&self, id: ExprId) -> impl Iterator<Item = &Arc<Defined>> {
        self.free(id)
            .iter()
            .filter_map(|&symbol| self.defined(symbol))
    }
}
