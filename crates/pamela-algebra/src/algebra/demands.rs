//! Laws in demands that are assumed to be times: their form does not show that they are never negative.

use std::collections::HashMap;

use crate::expr::{Arena, ExprId, LawKind, LawName, Node, ReduceKind};
use crate::with_stack;

/// The laws of `expr` whose largest demand is right only if they are never negative, each once: parameters, `normal`
/// and `moments`. A law that changes with an index is replaced by the smallest over its range.
pub fn taken_for_times(arena: &mut Arena, expr: ExprId) -> Vec<ExprId> {
    Search::new(arena).below(expr, false)
}

/// True if `law` contains a law whose form does not show that it is never negative.
pub fn is_taken_for_time(arena: &mut Arena, law: ExprId) -> bool {
    !Search::new(arena).below(law, true).is_empty()
}

struct Search<'a> {
    arena: &'a mut Arena,
    /// Results for subexpressions, by whether they are part of a demand.
    known: HashMap<(ExprId, bool), Vec<ExprId>>,
}

impl<'a> Search<'a> {
    fn new(arena: &'a mut Arena) -> Search<'a> {
        Search {
            arena,
            known: HashMap::new(),
        }
    }

    fn below(&mut self, expr: ExprId, demanded: bool) -> Vec<ExprId> {
        if !self.arena.is_random(expr) {
            return Vec::new();
        }
        if let Some(found) = self.known.get(&(expr, demanded)) {
            return found.clone();
        }
        let found = with_stack(|| self.of_node(expr, demanded));
        self.known.insert((expr, demanded), found.clone());
        found
    }

    fn of_node(&mut self, expr: ExprId, demanded: bool) -> Vec<ExprId> {
        match *self.arena.node(expr) {
            Node::Law(LawKind::Parameter(_), _)
            | Node::Law(LawKind::Named(LawName::Normal | LawName::Moments), _) => {
                if demanded {
                    vec![expr]
                } else {
                    Vec::new()
                }
            }
            Node::Reduce(r) => {
                let found = self.below(r.body, demanded);
                let least = |law| {
                    if self.arena.mentions(law, r.index) {
                        let kind = ReduceKind::LawMin;
                        self.arena.reduce(kind, r.index, r.lower, r.upper, law)
                    } else {
                        law
                    }
                };
                found.into_iter().map(least).collect()
            }
            Node::Law(LawKind::Truncated, ref list) => {
                let least = self.arena.as_number(list[1]);
                let tells = least.is_some_and(|least| !least.is_negative());
                self.of_operands(expr, demanded && !tells)
            }
            Node::Law(kind, _) => {
                let demanded = demanded || kind == LawKind::VectorMax;
                self.of_operands(expr, demanded)
            }
            _ => self.of_operands(expr, demanded),
        }
    }

    fn of_operands(&mut self, expr: ExprId, demanded: bool) -> Vec<ExprId> {
        let mut found: Vec<ExprId> = Vec::new();
        for operand in self.arena.operands(expr) {
            for law in self.below(operand, demanded) {
                if !found.contains(&law) {
                    found.push(law);
                }
            }
        }
        found
    }
}
