//! What is declared of kept functions, looked at where their values are likely to leave it.

use std::collections::{BTreeMap, BTreeSet};

use super::Model;
use crate::diagnostic::Diagnostic;
use crate::model::{Dimension, Evaluator, Limits, Part, parts_of_expr, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{Equation, Expr, ExprKind, ParameterFact};

/// Values of arguments beside the constants of a function.
const TRIED: [(i64, i64); 10] = [
    (0, 1),
    (1, 1000),
    (1, 2),
    (1, 1),
    (2, 1),
    (3, 1),
    (10, 1),
    (1_000, 1),
    (1_000_000, 1),
    (1_000_000_000_000, 1),
];
/// No more constants of one function are tried.
const MOST_CONSTANTS: usize = 200;

impl Model {
    /// Kept functions whose values are not as they are declared: at the places of `steps` and `linear` in them, between
    /// which nothing is larger or smaller, and at some others.
    pub(super) fn broken_declarations(&self) -> Vec<Diagnostic> {
        let equations = self.checked.equations().iter();
        equations
            .filter_map(|equation| self.broken(equation))
            .collect()
    }

    fn broken(&self, equation: &Equation) -> Option<Diagnostic> {
        let bounded = |fact: &ParameterFact| matches!(fact, ParameterFact::Bound(..));
        if !equation.facts.iter().any(bounded) {
            return None;
        }
        let body = self.checked.as_written(equation)?;
        let mut places: BTreeSet<Rational> = TRIED
            .iter()
            .filter_map(|&(a, b)| Rational::new(a, b))
            .collect();
        constants(body, &mut places);
        let text = self.alone(equation, body);
        for place in places {
            let arguments: Vec<String> = equation
                .formals
                .iter()
                .map(|formal| self.argument(equation, &formal.text, &place))
                .collect();
            let call = format!("{}({})", equation.name.text, arguments.join(", "));
            let probe = format!("{text}\nnumeric probe_ = {call}\n");
            // Where it has no value nothing is declared of it.
            let Ok(model) = Model::parse(&probe) else {
                continue;
            };
            let given = BTreeMap::new();
            let mut evaluator = Evaluator::new(model.checked(), &given, Limits::default());
            if let Err(error) = evaluator.equation("probe_")
                && error.labels.len() == 2
                && error.message.contains("declared")
            {
                let label = format!("as at {call}");
                return Some(Diagnostic::error(error.message, equation.name.span, label));
            }
        }
        None
    }

    /// The function in a model of its own.
    fn alone(&self, equation: &Equation, body: &Expr) -> String {
        let units = self.checked.units().declared().iter();
        let units: String = units.map(|unit| format!("{unit}\n")).collect();
        let value = Some(crate::syntax::tree::Value::Numeric(body.clone()));
        let own = Equation {
            value,
            ..equation.clone()
        };
        format!("{units}{own}")
    }

    /// An argument of so many base units.
    fn argument(&self, equation: &Equation, formal: &str, value: &Rational) -> String {
        let mut units = equation.formal_units.iter();
        let unit = units.find(|(name, _)| name == formal);
        let dimension = unit.and_then(|(_, unit)| unit.meaning.as_deref().map(Dimension::from));
        match dimension.filter(|dimension| !dimension.is_none()) {
            Some(dimension) => format!("{value} * 1 [{dimension}]"),
            None => value.to_string(),
        }
    }
}

/// The numbers that are written in an expression.
fn constants(expr: &Expr, found: &mut BTreeSet<Rational>) {
    if found.len() > MOST_CONSTANTS {
        return;
    }
    match &expr.kind {
        ExprKind::Number(value) => drop(found.insert(value.clone())),
        ExprKind::Quantity(quantity) => drop(found.insert(quantity.value())),
        _ => parts_of_expr(expr, &mut |part, _| {
            if let Part::Expr(part) = part {
                with_stack(|| constants(part, found));
            }
        }),
    }
}
