//! Equations that others mention by name: their closed forms, and facts about their values.
//!
//! Each equation is closed once, after the equations that it mentions. A small closed form replaces its name. A
//! larger one keeps the name as an atom; a few facts about it are proved by induction over the mentions.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node, Symbol};
use crate::with_stack;

/// The equations that are closed already, by name.
#[derive(Default)]
pub struct Definitions(pub(super) FxHashMap<String, Rc<Definition>>);

/// An equation that is closed.
pub struct Definition {
    /// The parameters for its arguments.
    pub formals: Vec<String>,
    /// The closed form, if it replaces the name, in the source arena.
    pub form: Option<ExprId>,
    /// Truth values of the source arena that hold for the name.
    pub facts: Vec<ExprId>,
}

impl Definitions {
    pub fn write_out(
        &self,
        arena: &mut Arena,
        id: ExprId,
        done: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        if arena.mentioned(id).next().is_none() {
            return id;
        }
        if let Some(&known) = done.get(&id) {
            return known;
        }
        let mapped = with_stack(|| {
            arena.map_operands(id, &mut |arena, operand| {
                self.write_out(arena, operand, done)
            })
        });
        let written = self.in_place_of(arena, mapped).unwrap_or(mapped);
        done.insert(id, written);
        written
    }

    /// The small closed form that replaces a mention.
    fn in_place_of(&self, arena: &mut Arena, id: ExprId) -> Option<ExprId> {
        let Node::Call(function, arguments) = arena.node(id) else {
            let name = &arena.as_reference(id)?.name;
            return self.0.get(name)?.form;
        };
        let definition = self.0.get(&arena.defined(*function)?.name)?;
        let arguments = arguments.clone();
        let formals: Vec<Symbol> = definition
            .formals
            .iter()
            .map(|name| arena.named(name))
            .collect();
        let argument = |arena: &mut Arena, id: ExprId| match arena.node(id) {
            Node::Symbol(symbol) => {
                let number = formals.iter().position(|formal| formal == symbol);
                Some(number.map_or(id, |number| arguments[number]))
            }
            _ => None,
        };
        Some(arena.replace(definition.form?, &argument))
    }
}
