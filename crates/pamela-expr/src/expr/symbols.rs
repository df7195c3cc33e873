//! Symbols and their meaning.

use super::{Arena, ExprId, Node, Symbol, SymbolKind};

/// The base unit whose symbol has this name.
pub fn base_of(name: &str) -> Option<&str> {
    name.strip_prefix('[')?.strip_suffix(']')
}

impl Arena {
    /// The parameter or array called `name`.
    pub fn named(&mut self, name: &str) -> Symbol {
        self.intern_symbol(SymbolKind::Named(name.to_string()))
    }

    /// The symbol of a base unit, with value 1; no parameter has its name.
    pub fn unit(&mut self, base: &str) -> ExprId {
        let symbol = self.named(&format!("[{base}]"));
        self.symbol(symbol)
    }

    /// The base unit that an expression is, if it is one.
    pub fn as_unit(&self, id: ExprId) -> Option<&str> {
        match self.node(id) {
            Node::Symbol(symbol) => base_of(self.symbol_name(*symbol)?),
            _ => None,
        }
    }

    /// Creates an index for a new binder: build the body with it, then call [`Arena::reduce`].
    pub fn fresh_index(&mut self) -> Symbol {
        self.fresh += 1;
        self.intern_symbol(SymbolKind::Fresh(self.fresh))
    }

    /// A new index, as an expression.
    pub fn fresh_index_term(&mut self) -> ExprId {
        let index = self.fresh_index();
        self.symbol(index)
    }

    /// True if a symbol belongs to this arena.
    pub fn has_symbol(&self, symbol: Symbol) -> bool {
        (symbol.0 as usize) < self.symbols.len()
    }

    pub fn symbol_kind(&self, symbol: Symbol) -> &SymbolKind {
        &self.symbols[symbol.0 as usize]
    }

    /// The user's name of a parameter, an array, or an equation.
    pub fn symbol_name(&self, symbol: Symbol) -> Option<&str> {
        match self.symbol_kind(symbol) {
            SymbolKind::Named(name) => Some(name),
            SymbolKind::Definition(defined) => Some(&defined.name),
            _ => None,
        }
    }

    /// The range of an index, or `None` for a parameter.
    pub fn range(&self, symbol: Symbol) -> Option<(ExprId, ExprId)> {
        match *self.symbol_kind(symbol) {
            SymbolKind::Index { lower, upper, .. } => Some((lower, upper)),
            _ => None,
        }
    }

    pub(super) fn intern_symbol(&mut self, kind: SymbolKind) -> Symbol {
        if let Some(&symbol) = self.symbol_ids.get(&kind) {
            return symbol;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        if let SymbolKind::Definition(defined) = &kind {
            self.mentions.insert(defined.name.clone(), defined.clone());
        }
        self.symbols.push(kind.clone());
        self.symbol_ids.insert(kind, symbol);
        symbol
    }
}
