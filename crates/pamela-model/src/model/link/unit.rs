//! Files, each with those that it includes, and their instances.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::model::walk;
use crate::syntax::tree::{Equation, Expr, Import, Item, Type};

/// A file with a scope of its own: the model, or one that is imported.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) file: String,
    pub(super) items: Vec<Item>,
    by_name: HashMap<String, usize>,
    /// The positions of assumptions, with those of the equations that they mention.
    pub(super) assumptions: Vec<(usize, Vec<usize>)>,
}

impl Unit {
    pub(super) fn new(file: String, items: Vec<Item>) -> Unit {
        let mut by_name = HashMap::new();
        for (position, item) in items.iter().enumerate() {
            if let Item::Equation(equation) = item {
                let name = equation.name.text.clone();
                by_name.entry(name).or_insert(position);
            }
        }
        let assumptions = items.iter().enumerate();
        let assumptions = assumptions.filter_map(|(position, item)| match item {
            Item::Assume(relations) => Some((position, mentioned(relations, &by_name))),
            _ => None,
        });
        Unit {
            assumptions: assumptions.collect(),
            file,
            items,
            by_name,
        }
    }

    /// The position of the equation of this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The equation at a position that [`Unit::position`] has given.
    pub(super) fn equation(&self, position: usize) -> &Equation {
        match &self.items[position] {
            Item::Equation(equation) => equation,
            _ => unreachable!("only equations have names"),
        }
    }

    /// The names of its equations.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let equations = self.items.iter().filter_map(|item| match item {
            Item::Equation(equation) => Some(equation.name.text.as_str()),
            _ => None,
        });
        equations.filter(|name| !name.starts_with('_'))
    }

    /// The names of what `with` may give a value.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.names().filter(|name| {
            let equation = self.position(name).map(|position| self.equation(position));
            equation.is_some_and(|e| e.kind == Type::Numeric && e.formals.is_empty())
        })
    }

    pub(super) fn imports(&self) -> impl Iterator<Item = &Import> {
        self.items.iter().filter_map(|item| match item {
            Item::Import(import) => Some(import),
            _ => None,
        })
    }

    /// Names that are defined twice.
    pub(super) fn duplicates(&self) -> Vec<Diagnostic> {
        let numbered = self.items.iter().enumerate();
        let again = numbered.filter_map(|(position, item)| match item {
            Item::Equation(equation) => {
                let first = self.position(&equation.name.text)?;
                let earlier = &self.equation(first).name;
                let name = &equation.name;
                (first != position).then(|| {
                    let message = format!("`{}` is defined twice", name.text);
                    Diagnostic::error(message, name.span, "defined again here")
                        .also(earlier.span, "first defined here")
                        .hint("rename or remove one of the two")
                })
            }
            _ => None,
        });
        again.collect()
    }
}

/// An equation of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Target {
    pub(super) instance: usize,
    /// Among the items of its unit.
    pub(super) item: usize,
}

/// A file as it is imported: once without `with`, and once by each `with`.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// Of its equations, the model itself without one.
    pub(super) prefix: String,
    pub(super) unit: usize,
    /// What its imports are called in it, with the place of each.
    pub(super) under: HashMap<String, (usize, Span)>,
    /// The single names that it imports.
    pub(super) single: HashMap<String, (Target, Span)>,
    /// Values of its parameters, by their positions, each from the instance that imports it.
    pub(super) given: HashMap<usize, (usize, Expr)>,
}

fn mentioned(relations: &[Expr], by_name: &HashMap<String, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for relation in relations {
        walk::free_names_of(relation, &[], &mut |name, _| {
            found.extend(by_name.get(name).copied());
        });
    }
    found
}
