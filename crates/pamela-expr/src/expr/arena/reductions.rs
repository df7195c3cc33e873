//! Reductions and vectors.

use super::{Arena, ExprId, Node, ReduceKind, Reduction, Symbol, SymbolKind};
use crate::expr::LawKind;

/// No expression is nested so deep.
const ABOVE_ALL_BINDERS: u32 = 1 << 24;

impl Arena {
    /// Closes a binder over `index`, which must be free in `body` only.
    ///
    /// The index is fresh, or belongs to a binder that was taken apart.
    pub fn reduce(
        &mut self,
        kind: ReduceKind,
        index: Symbol,
        lower: ExprId,
        upper: ExprId,
        body: ExprId,
    ) -> ExprId {
        let mut height = self.height(body);
        let named = |arena: &mut Arena, height| {
            arena.intern_symbol(SymbolKind::Index {
                height,
                lower,
                upper,
            })
        };
        let mut canonical = named(self, height);
        // A body that grew may have reached the height of a binder around it, whose index it mentions.
        while canonical != index && self.mentions(body, canonical) {
            height += ABOVE_ALL_BINDERS;
            canonical = named(self, height);
        }
        let body = if canonical == index {
            body
        } else {
            let replacement = self.symbol(canonical);
            self.substitute(body, index, replacement)
        };
        self.intern(Node::Reduce(Reduction {
            kind,
            index: canonical,
            lower,
            upper,
            body,
        }))
    }

    pub fn vector(&mut self, components: &[ExprId]) -> ExprId {
        self.intern(Node::Vector(components.into()))
    }

    pub fn unit_vector(&mut self, array: Symbol, index: ExprId) -> ExprId {
        self.intern(Node::UnitVector(array, index))
    }

    /// The largest component of a vector that has a component for each resource; nonnegative.
    pub fn vector_max(&mut self, vector: ExprId) -> ExprId {
        match self.node(vector) {
            Node::Vector(components) if self.is_random(vector) => {
                let components = components.clone();
                self.law(LawKind::Max, &components)
            }
            _ if self.is_random(vector) => self.law(LawKind::VectorMax, &[vector]),
            Node::Vector(components) if components.is_empty() => self.number(0),
            // Demands that cancel leave no vector.
            Node::Number(value) if value.is_zero() => self.number(0),
            Node::Vector(components) => {
                let mut components = components.to_vec();
                components.push(self.number(0));
                self.max(&components)
            }
            _ => self.intern(Node::VectorMax(vector)),
        }
    }
}
