//! Infers the dimensions of a model, equation by equation; an equation with arguments has one for
//! each call.

use std::collections::HashMap;

use super::dimension::{Dimension, System, Term};
use super::table::{CYCLE, SECOND};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::Model;
use crate::syntax::tree::{Assertion, Equation, Expr, ParameterFact, Type, Unit, Value};

/// The dimensions of a model.
pub(super) struct Dimensions {
    pub(super) dimensions: HashMap<String, Dimension>,
    pub(super) time: Dimension,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The dimension of an equation as a function of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Scheme {
    pub(super) formals: Vec<Term>,
    pub(super) result: Term,
    /// Unknowns from here on are fresh in each call.
    pub(super) first: usize,
}

pub(super) struct Inference<'m> {
    pub(super) model: &'m Model,
    pub(super) system: System,
    pub(super) schemes: Vec<Option<Scheme>>,
    pub(super) time: Term,
    /// Arguments and indices in scope, innermost last.
    pub(super) scope: Vec<(&'m str, Term)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

pub(super) fn of_model(model: &Model, order: &[usize]) -> Dimensions {
    let mut system = System::default();
    let time = system.fresh();
    let mut inference = Inference {
        model,
        system,
        schemes: vec![None; model.equations.len()],
        time,
        scope: Vec::new(),
        diagnostics: Vec::new(),
    };
    for (position, equation) in model.equations.iter().enumerate() {
        if equation.kind == Type::Numeric && equation.formals.is_empty() {
            inference.declare(position, equation);
        }
    }
    for &position in order {
        inference.equation(position);
    }
    for relation in &model.assumptions {
        inference.number(relation, "an assumption");
    }
    for part in model.assertions().iter().flat_map(Assertion::parts) {
        inference.number(part, "an assertion");
    }
    inference.bounds();
    inference.finish()
}

impl<'m> Inference<'m> {
    /// The declared dimension of an equation without arguments.
    fn declare(&mut self, position: usize, equation: &Equation) {
        let counts = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
        let scale = equation.unit().and_then(|unit| unit.meaning.as_ref());
        let multiple = scale.is_some_and(|meaning| !meaning.scale.is_one());
        if multiple && equation.facts.iter().any(counts) {
            let name = &equation.name;
            let message = format!(
                "`{}` is declared `integer` in a multiple of a base unit",
                name.text
            );
            let hint = "use a base unit, such as `[B]`, `[FLOP]` or a declared `[token]`";
            let error = Diagnostic::error(message, name.span, "declared here");
            self.diagnostics.push(error.hint(hint));
        }
        let result = match equation.unit() {
            Some(unit) => of_unit(unit),
            None if equation.facts.iter().any(counts) => Term::default(),
            None => self.system.fresh(),
        };
        self.schemes[position] = Some(Scheme {
            formals: Vec::new(),
            result,
            first: usize::MAX,
        });
    }

    fn equation(&mut self, position: usize) {
        let equation = &self.model.equations[position];
        let first = self.system.count();
        let units = &equation.formal_units;
        let unit_of = |name: &str| units.iter().find(|(own, _)| own == name);
        let mut formals = Vec::new();
        self.scope.clear();
        for formal in &equation.formals {
            let term = match unit_of(&formal.text) {
                Some((_, unit)) => of_unit(unit),
                None => self.system.fresh(),
            };
            formals.push(term.clone());
            self.scope.push((&formal.text, term));
        }
        let found = match &equation.value {
            Some(Value::Numeric(value)) => Some((self.expr(value), value)),
            Some(Value::Process(process)) => {
                self.process(process);
                None
            }
            Some(Value::Resource(resource)) => {
                self.resource_value(resource);
                None
            }
            None => None,
        };
        self.scope.clear();
        let declared = self.schemes[position]
            .as_ref()
            .map(|scheme| scheme.result.clone())
            .or_else(|| equation.unit().map(of_unit));
        let result = match (found, declared) {
            (Some((found, value)), Some(declared)) => {
                self.as_declared(equation, &declared, value, &found);
                declared
            }
            (Some((found, _)), None) => found,
            (None, Some(declared)) => declared,
            (None, None) => self.time.clone(),
        };
        let is_function = !equation.formals.is_empty();
        self.schemes[position] = Some(Scheme {
            formals,
            result,
            first: if is_function { first } else { usize::MAX },
        });
    }

    fn as_declared(&mut self, equation: &Equation, declared: &Term, value: &'m Expr, found: &Term) {
        if self.system.unify(declared, found, value.span) {
            return;
        }
        let name = &equation.name;
        let [declared, own] = [declared, found].map(|term| self.text(term));
        let message = format!("`{}` is {declared}, but its value is {own}", name.text);
        let place = equation.unit().map_or(name.span, |unit| unit.span);
        let label = self.label(value, found);
        let error = Diagnostic::error(message, value.span, label);
        let error = error.also(place, format!("{declared}, as declared"));
        let is_number = self.system.resolve(found) == Term::default();
        self.diagnostics.push(match equation.unit() {
            Some(unit) if is_number => error.hint(format!("write `{value} {unit}`")),
            _ => error,
        });
    }

    /// Bounds have the unit of the bounded parameter.
    fn bounds(&mut self) {
        for (position, equation) in self.model.equations.iter().enumerate() {
            for fact in &equation.facts {
                let (bound, what) = match fact {
                    ParameterFact::Bound(_, bound) => (bound, "its bound"),
                    ParameterFact::Unknown(law) => (&**law, "its law"),
                    _ => continue,
                };
                let found = self.expr(bound);
                let Some(own) = self.schemes[position].as_ref().map(|s| s.result.clone()) else {
                    continue;
                };
                if !self.system.unify(&own, &found, bound.span) {
                    let name = &equation.name;
                    let [declared, bounded] = [&own, &found].map(|term| self.text(term));
                    let message = format!("`{}` is {declared}, but {what} is {bounded}", name.text);
                    let error = Diagnostic::error(message, bound.span, self.label(bound, &found));
                    let place = equation.unit().map_or(name.span, |unit| unit.span);
                    self.diagnostics
                        .push(error.also(place, format!("{declared} here")));
                }
            }
        }
    }

    /// Requires the dimension of times.
    pub(super) fn as_time(&mut self, expr: &'m Expr, what: &str) {
        let found = self.expr(expr);
        let resolved = self.system.resolve(&found);
        let known = resolved.known();
        let may_be = [SECOND, CYCLE].map(Dimension::base);
        let fits = !resolved.is_known() || may_be.contains(&known);
        if fits && self.system.unify(&self.time.clone(), &found, expr.span) {
            return;
        }
        let own = self.text(&found);
        let times = self.text(&self.time.clone());
        let expected = match times.as_str() {
            "[1]" => "[s] or [cycle]",
            times => times,
        };
        let message = format!("{what} is {own}, but times are {expected}");
        let error = Diagnostic::error(message, expr.span, self.label(expr, &found));
        self.diagnostics.push(if known.is_none() {
            error.hint(format!("give it a unit: `{expr} [s]`"))
        } else {
            error
        });
    }

    fn finish(mut self) -> Dimensions {
        if !self.system.resolve(&self.time).is_known() {
            let second = Term::of(&Dimension::base(SECOND));
            let time = self.time.clone();
            self.system.unify(&time, &second, Span::default());
        }
        let schemes = self.model.equations.iter().zip(&self.schemes);
        let plain = schemes.filter(|(equation, _)| equation.formals.is_empty());
        let dimensions = plain.filter_map(|(equation, scheme)| {
            let term = self.system.resolve(&scheme.as_ref()?.result);
            Some((equation.name.text.clone(), term.known()))
        });
        Dimensions {
            dimensions: dimensions.collect(),
            time: self.system.resolve(&self.time).known(),
            diagnostics: self.diagnostics,
        }
    }
}

/// The dimension of a unit.
pub(super) fn of_unit(unit: &Unit) -> Term {
    match &unit.meaning {
        Some(meaning) => Term::of(&Dimension::from(&**meaning)),
        None => Term::default(),
    }
}
