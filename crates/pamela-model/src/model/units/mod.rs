//! Units: their meaning, and the dimensions that follow.
//!
//! A base unit is a positive symbol of the algebra with value 1. For example, `5 [us]` is `1/200000` times the symbol
//! of `s`; it cancels in quotients of quantities. Parameters carry no unit: unification finds their dimensions,
//! beside the sorts. This happens only in models that write a unit somewhere; others have no dimensions.

mod dimension;
mod errors;
mod expressions;
mod infer;
mod notes;
mod processes;
mod table;
mod visit;

use std::collections::HashMap;
use std::sync::Arc;

use super::Model;
use crate::diagnostic::Diagnostic;
use crate::ring::Rational;
use crate::syntax::tree::{self, DeclaredUnit, Equation, Expr, ExprKind, Item, Quantity, Unit};
pub use dimension::Dimension;
use table::UnitTable;
pub use table::{BINARY, PREFIXES};
use visit::Place;

/// The units of a model, and the dimensions of its equations.
#[derive(Clone, Debug, Default)]
pub struct Units {
    known: UnitTable,
    /// Declarations of the model and its libraries, as written.
    declared: Vec<DeclaredUnit>,
    /// True if anything has a unit.
    used: bool,
    dimensions: Arc<HashMap<String, Dimension>>,
    time: Dimension,
}

impl Units {
    /// Looks up the names of all units in a model.
    ///
    /// # Errors
    /// Fails if a unit is undeclared, or declared twice.
    pub(super) fn of(model: &mut tree::Model) -> Result<Units, Vec<Diagnostic>> {
        let mut units = Units::default();
        let mut diagnostics = Vec::new();
        let libraries = model.libraries.iter().flat_map(|library| &library.items);
        let declared = libraries.chain(&model.items).filter_map(|item| match item {
            Item::Unit(unit) => Some(unit.clone()),
            _ => None,
        });
        for unit in declared {
            match units.known.declare(&unit) {
                Ok(()) => units.declare(unit),
                Err(error) => diagnostics.push(*error),
            }
        }
        let libraries = model.libraries.iter_mut();
        let libraries = libraries.flat_map(|library| &mut library.items);
        for item in libraries.chain(&mut model.items) {
            diagnostics.extend(units.look_up_item(item).err().unwrap_or_default());
        }
        if diagnostics.is_empty() {
            Ok(units)
        } else {
            Err(diagnostics)
        }
    }

    fn declare(&mut self, unit: DeclaredUnit) {
        let mut known = self.declared.iter();
        if !known.any(|own| own.name.text == unit.name.text) {
            self.declared.push(unit);
        }
    }

    fn resolve_at(&self, place: Place<'_>) -> Result<(), Box<Diagnostic>> {
        let unit = match place {
            Place::Unit(unit) => unit,
            Place::Quantity(quantity) => &mut quantity.unit,
        };
        unit.meaning = Some(Arc::new(self.known.meaning(unit)?));
        Ok(())
    }

    /// Looks up the names of units in an expression from outside.
    ///
    /// # Errors
    /// Fails if a unit is undeclared.
    pub fn look_up(&mut self, value: &mut Expr) -> Result<(), Vec<Diagnostic>> {
        self.look_up_all(|visit| visit::of_expr(value, visit))
    }

    /// Looks up the names of units in a library item that is parsed later.
    ///
    /// # Errors
    /// Fails if a unit is undeclared.
    pub(super) fn look_up_item(&mut self, item: &mut Item) -> Result<(), Vec<Diagnostic>> {
        self.look_up_all(|visit| visit::of_item(item, visit))
    }

    fn look_up_all(
        &mut self,
        places: impl FnOnce(&mut dyn FnMut(Place<'_>)),
    ) -> Result<(), Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let mut used = false;
        places(&mut |place| {
            used = true;
            if let Err(error) = self.resolve_at(place) {
                diagnostics.push(*error);
            }
        });
        self.used |= used;
        if diagnostics.is_empty() {
            Ok(())
        } else {
            Err(diagnostics)
        }
    }

    /// Units that the model and its libraries declare.
    pub fn declared(&self) -> &[DeclaredUnit] {
        &self.declared
    }

    /// True if anything in the model has a unit.
    pub fn is_used(&self) -> bool {
        self.used
    }

    /// The dimension of an equation without arguments.
    pub fn dimension(&self, name: &str) -> Option<&Dimension> {
        self.dimensions.get(name)
    }

    /// The dimension of times.
    pub fn time(&self) -> &Dimension {
        &self.time
    }
}

/// Adds the declared unit of an equation to a bare number.
pub(super) fn in_declared_unit(equation: &Equation, value: Expr) -> Expr {
    match equation.unit() {
        Some(unit) => in_unit(unit, value),
        None => value,
    }
}

/// Adds a unit to a constant without one.
pub(super) fn in_unit(unit: &Unit, value: Expr) -> Expr {
    if unit.parts.is_empty() {
        return value;
    }
    let span = value.span;
    let quantity = |number: Rational| {
        ExprKind::Quantity(Box::new(Quantity {
            number,
            unit: unit.clone(),
        }))
    };
    match &value.kind {
        ExprKind::Number(number) => Expr {
            kind: quantity(number.clone()),
            span,
        },
        _ if visit::is_bare(&value) => {
            let one = Expr {
                kind: quantity(Rational::ONE),
                span,
            };
            let factors = vec![(tree::MulOp::Multiply, one)];
            Expr {
                kind: ExprKind::Product(Box::new(value), factors),
                span,
            }
        }
        _ => value,
    }
}

impl Model {
    /// The units of the model.
    pub fn units(&self) -> &Units {
        &self.units
    }
}

/// Finds the dimensions of all equations; returns the errors.
pub(super) fn check(model: &mut Model, order: &[usize]) -> Vec<Diagnostic> {
    if !model.units.used {
        return Vec::new();
    }
    let found = infer::of_model(model, order);
    model.units.time = found.time;
    model.units.dimensions = Arc::new(found.dimensions);
    found.diagnostics
}
