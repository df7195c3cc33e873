//! Files with their included files, and their instances.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::walk;
use crate::syntax::tree::{Equation, Expr, Import, Item, Type};

/// A file with a scope of its own: the model, or an imported file.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) file: String,
    pub(super) items: Vec<Item>,
    by_name: HashMap<String, usize>,
    /// Positions of records and tables.
    declared: HashMap<String, usize>,
    /// Positions of assumptions, with those of the equations that they mention.
    pub(super) assumptions: Vec<(usize, Vec<usize>)>,
}

impl Unit {
    pub(super) fn new(file: String, items: Vec<Item>) -> Unit {
        let (mut by_name, mut declared) = (HashMap::new(), HashMap::new());
        for (position, item) in items.iter().enumerate() {
            let (known, name) = match item {
                Item::Equation(equation) => (&mut by_name, &equation.name),
                Item::Later(later) => (&mut by_name, &later.name),
                Item::Record(record) => (&mut declared, &record.name),
                Item::Table(table) => (&mut declared, &table.name),
                Item::Assume(_) | Item::Assert(_) | Item::Import(_) | Item::Unit(_) => continue,
            };
            known.entry(name.text.clone()).or_insert(position);
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
            declared,
        }
    }

    /// The position of the equation with this name, if it has been parsed.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        let found = self.by_name.get(name).copied();
        found.filter(|&position| matches!(self.items[position], Item::Equation(_)))
    }

    /// True if an equation with this name exists and has not been parsed.
    pub(super) fn is_later(&self, name: &str) -> bool {
        let found = self.by_name.get(name);
        found.is_some_and(|&position| matches!(self.items[position], Item::Later(_)))
    }

    /// The position of the record or table with this name.
    pub(super) fn declared(&self, name: &str) -> Option<usize> {
        self.declared.get(name).copied()
    }

    /// Names of its records and tables.
    pub(super) fn declared_names(&self) -> impl Iterator<Item = &str> {
        let names = self.declared.keys().map(String::as_str);
        names.filter(|name| !name.starts_with('_'))
    }

    /// The equation at a position that [`Unit::position`] returned.
    pub(super) fn equation(&self, position: usize) -> &Equation {
        match &self.items[position] {
            Item::Equation(equation) => equation,
            _ => unreachable!("only equations have names"),
        }
    }

    /// Names of its equations.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let equations = self.items.iter().filter_map(|item| match item {
            Item::Equation(equation) => Some(equation.name.text.as_str()),
            Item::Later(later) => Some(later.name.text.as_str()),
            _ => None,
        });
        equations.filter(|name| !name.starts_with('_'))
    }

    /// Names of its equations of one kind.
    pub(super) fn names_of(&self, kind: Type) -> impl Iterator<Item = &str> {
        let equations = self.items.iter().filter_map(move |item| match item {
            Item::Equation(own) => (own.kind == kind).then_some(own.name.text.as_str()),
            Item::Later(own) => (own.kind == kind).then_some(own.name.text.as_str()),
            _ => None,
        });
        equations.filter(|name| !name.starts_with('_'))
    }

    /// Names that `with` may set.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = self.items.iter().filter_map(|item| match item {
            Item::Equation(own) => {
                let is_number = own.kind == Type::Numeric && own.formals.is_empty();
                is_number.then_some(own.name.text.as_str())
            }
            Item::Later(own) => {
                let is_number = own.kind == Type::Numeric && !own.takes_arguments;
                is_number.then_some(own.name.text.as_str())
            }
            _ => None,
        });
        numbers.filter(|name| !name.starts_with('_'))
    }

    pub(super) fn imports(&self) -> impl Iterator<Item = &Import> {
        self.items.iter().filter_map(|item| match item {
            Item::Import(import) => Some(import),
            _ => None,
        })
    }

    /// Finds names that are defined twice; includes equations if `equations`.
    pub(super) fn duplicates(&self, equations: bool) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for (position, item) in self.items.iter().enumerate() {
            let (name, own) = match item {
                Item::Equation(equation) => (&equation.name, true),
                Item::Record(record) => (&record.name, false),
                Item::Table(table) => (&table.name, false),
                Item::Assume(_)
                | Item::Assert(_)
                | Item::Import(_)
                | Item::Unit(_)
                | Item::Later(_) => continue,
            };
            let first = [self.position(&name.text), self.declared(&name.text)];
            let first = first.into_iter().flatten().min();
            let Some(earlier) = first.filter(|&first| first != position) else {
                continue;
            };
            let (earlier, is_equation) = match &self.items[earlier] {
                Item::Equation(equation) => (equation.name.span, true),
                Item::Record(record) => (record.name.span, false),
                Item::Table(table) => (table.name.span, false),
                Item::Assume(_)
                | Item::Assert(_)
                | Item::Import(_)
                | Item::Unit(_)
                | Item::Later(_) => continue,
            };
            if !equations && own && is_equation {
                continue;
            }
            let message = format!("`{}` is defined twice", name.text);
            diagnostics.push(
                Diagnostic::error(message, name.span, "defined again here")
                    .code(Code::NameDuplicate)
                    .also(earlier, "first defined here")
                    .hint("rename or remove one of the two"),
            );
        }
        diagnostics
    }
}

/// An equation of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Target {
    pub(super) instance: usize,
    /// Index among the items of its unit.
    pub(super) item: usize,
    /// 0, or the number of a field from 1 for a parameter that is a row.
    pub(super) field: usize,
}

impl Target {
    pub(super) fn new(instance: usize, item: usize) -> Target {
        Target {
            instance,
            item,
            field: 0,
        }
    }

    /// A field of a parameter that is a row, counted from 0.
    pub(super) fn of_field(self, number: usize) -> Target {
        Target {
            field: number + 1,
            ..self
        }
    }
}

/// An imported file: one instance without `with`, and one for each `with`.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    /// Prefix of its equations; empty for the model itself.
    pub(super) prefix: String,
    pub(super) unit: usize,
    /// Names of its imports, with their locations.
    pub(super) under: HashMap<String, (usize, Span)>,
    /// Single names that it imports.
    pub(super) single: HashMap<String, (Target, Span)>,
    /// Single records and tables that it imports, each an item of an instance.
    pub(super) single_declared: HashMap<String, (usize, usize)>,
    /// Values of its parameters by position, each from the importing instance.
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
