//! Chooses names for indices, which have none of their own.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::expr::{Arena, ExprId, LawKind, Node, Symbol, SymbolKind};

const LETTERS: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

/// Names of the indices in scope. None equals a parameter, an array or an enclosing index.
#[derive(Clone)]
pub(super) struct IndexNames {
    taken: BTreeSet<String>,
    scope: Vec<(Option<Symbol>, String)>,
}

impl IndexNames {
    /// Prepares names for printing `roots` together.
    pub fn new(arena: &Arena, roots: &[ExprId]) -> IndexNames {
        IndexNames {
            taken: used_names(arena, roots),
            scope: Vec::new(),
        }
    }

    /// Opens the scope of an index and returns its name.
    pub fn enter(&mut self, index: Symbol) -> String {
        self.enter_scope(Some(index))
    }

    /// Opens the scope of an index that is not used.
    pub fn enter_unnamed(&mut self) -> String {
        self.enter_scope(None)
    }

    fn enter_scope(&mut self, index: Option<Symbol>) -> String {
        let mut round = 0_u32;
        let name = 'found: loop {
            for letter in LETTERS {
                let name = match round {
                    0 => letter.to_string(),
                    _ => format!("{letter}{round}"),
                };
                let enclosing = self.scope.iter().any(|(_, other)| *other == name);
                if !enclosing && !self.taken.contains(&name) {
                    break 'found name;
                }
            }
            round += 1;
        };
        self.scope.push((index, name.clone()));
        name
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.scope.pop();
    }

    /// The name of a parameter, an array, or an index in scope.
    pub fn name<'a>(&'a self, arena: &'a Arena, symbol: Symbol) -> &'a str {
        match arena.symbol_kind(symbol) {
            SymbolKind::Named(name) => name,
            SymbolKind::Definition(defined) => &defined.name,
            _ => {
                let inner = self
                    .scope
                    .iter()
                    .rev()
                    .find(|(index, _)| *index == Some(symbol));
                inner.map_or("unbound", |(_, name)| name)
            }
        }
    }
}

/// Names of the parameters and arrays in `roots`.
pub(super) fn used_names(arena: &Arena, roots: &[ExprId]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for id in reachable(arena, roots) {
        if let Node::Symbol(symbol)
        | Node::UnitVector(symbol, _)
        | Node::Call(symbol, _)
        | Node::Law(LawKind::Parameter(symbol), _) = arena.node(id)
        {
            names.extend(arena.symbol_name(*symbol).map(str::to_owned));
        }
    }
    names
}

/// All expressions in `roots`, each once, operands first.
pub(super) fn reachable(arena: &Arena, roots: &[ExprId]) -> Vec<ExprId> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut pending: Vec<(ExprId, bool)> = roots.iter().rev().map(|&r| (r, false)).collect();
    while let Some((id, finished)) = pending.pop() {
        if finished {
            order.push(id);
        } else if seen.insert(id) {
            pending.push((id, true));
            pending.extend(arena.operands(id).iter().rev().map(|&o| (o, false)));
        }
    }
    order
}
