//! Checks declared facts of kept functions at points where violations are likely.

use std::collections::{BTreeMap, BTreeSet};

use super::Model;
use crate::diagnostic::{Cause, Diagnostic, Span};
use crate::model::{Dimension, Evaluator, Limits, Number, Part, Value, parts_of_expr, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{
    self, Direction, Equation, Expr, ExprKind, Monotone, ParameterFact, Relation,
};

/// Values of arguments beside the constants of a function.
const TRIED: [(i64, i64); 12] = [
    (0, 1),
    (1, 1000),
    (1, 2),
    (1, 1),
    (2, 1),
    (3, 1),
    (5, 1),
    (10, 1),
    (60, 1),
    (1_000, 1),
    (1_000_000, 1),
    (1_000_000_000_000, 1),
];
/// No more constants of one function are tried: `steps` and `linear` have at most 1,000 points.
const MOST_CONSTANTS: usize = 2_500;
/// For up to this many constants, their sums, differences, products and quotients are tried as well.
const FEW_CONSTANTS: usize = 16;
/// Values of the other arguments, and of parameters, while one argument moves.
const SETTINGS: usize = 6;
/// Steps of the evaluator for one call, and for all calls of one function.
const STEPS: u64 = 100_000;
const MOST_STEPS: u64 = 4_000_000;

impl Model {
    /// Finds kept functions whose values violate their declarations.
    ///
    /// Checks the points of `steps` and `linear` inside them, where extreme values occur, and some
    /// others.
    pub(super) fn broken_declarations(&self) -> Vec<Diagnostic> {
        let equations = self.checked.equations().iter();
        let functions = equations.filter(|own| own.kept && !own.formals.is_empty());
        functions
            .filter_map(|equation| self.broken(equation))
            .collect()
    }

    fn broken(&self, equation: &Equation) -> Option<Diagnostic> {
        let declared = |fact: &ParameterFact| {
            use ParameterFact::{Bound, Integer, Monotone};
            matches!(fact, Bound(..) | Integer(_) | Monotone(_))
        };
        let body = match &equation.value {
            Some(tree::Value::Numeric(body)) => body,
            _ => return None,
        };
        if !equation.facts.iter().any(declared) {
            return None;
        }
        let places = places(self.checked.as_written(equation).unwrap_or(body));
        let mut steps = 0;
        for setting in 0..SETTINGS {
            let given = self.values_of_parameters(setting);
            let mut evaluator = Evaluator::new(&self.checked, &given, Limits { steps: STEPS });
            // If a parameter contradicts its declaration, the point says nothing.
            if !matches!(evaluator.broken_facts().as_deref(), Ok([])) {
                continue;
            }
            for moving in 0..equation.formals.len() {
                let mut probe = Probe::new(equation, moving, setting);
                for place in &places {
                    let broken = probe.at(&self.checked, &given, place, &mut steps);
                    if broken.is_some() {
                        return broken;
                    }
                    if steps > MOST_STEPS {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// A value for each parameter that is a number and has none, within the bounds that are numbers.
    fn values_of_parameters(&self, setting: usize) -> BTreeMap<String, Value> {
        let is_law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
        let unknown = |own: &&Equation| own.value.is_none() && !own.facts.iter().any(is_law);
        let parameters = self.checked.parameters().filter(unknown);
        let value = |(number, own): (usize, &Equation)| {
            let allowed = tried().filter(|value| own.facts.iter().all(|fact| allows(fact, value)));
            let allowed: Vec<Rational> = allowed.collect();
            let chosen = allowed.get((setting * (number + 1) + number) % allowed.len().max(1))?;
            let chosen = Value::from(chosen.to_big());
            Some((own.name.text.clone(), chosen))
        };
        parameters.enumerate().filter_map(value).collect()
    }
}

/// Calls of a function of which one argument moves.
struct Probe<'e> {
    equation: &'e Equation,
    moving: usize,
    /// The other arguments.
    arguments: Vec<Rational>,
    /// The last point with a value, and that value.
    before: Option<(Rational, Number)>,
}

impl<'e> Probe<'e> {
    fn new(equation: &'e Equation, moving: usize, setting: usize) -> Probe<'e> {
        let place =
            |number: usize| tried().nth((3 + setting * (number + 2) + number) % TRIED.len());
        let arguments = (0..equation.formals.len()).filter_map(place).collect();
        Probe {
            equation,
            moving,
            arguments,
            before: None,
        }
    }

    /// Declared facts that fail at a place, or between the previous place and this one.
    fn at(
        &mut self,
        model: &crate::model::Model,
        given: &BTreeMap<String, Value>,
        place: &Rational,
        steps: &mut u64,
    ) -> Option<Diagnostic> {
        self.arguments[self.moving] = place.clone();
        let call = self.call();
        let mut evaluator = Evaluator::new(model, given, Limits { steps: STEPS });
        let value = evaluator.evaluate_expression(&call);
        *steps += evaluator.steps() + 1;
        let name = &self.equation.name;
        let value = match value {
            Ok(value) => value.as_scalar()?.clone(),
            Err(error) if error.cause == Cause::NotAsDeclared => {
                let label = format!("as at {}", self.shown());
                return Some(Diagnostic::error(error.message, name.span, label));
            }
            // If the function has no value, no declaration applies.
            Err(_) => return None,
        };
        let broken = self.turn(place, &value);
        self.before = Some((place.clone(), value));
        broken
    }

    /// A value that moves against what is declared.
    fn turn(&self, place: &Rational, value: &Number) -> Option<Diagnostic> {
        let (earlier, before) = self.before.as_ref()?;
        let formal = &self.equation.formals[self.moving].text;
        let declared = self.equation.facts.iter().find_map(|fact| match fact {
            ParameterFact::Monotone(own) if own.speaks_of(formal) => Some(own),
            _ => None,
        })?;
        let order = value.compare(before).ok()?;
        let turns = match declared.direction {
            Direction::Increasing => order.is_lt(),
            Direction::Decreasing => order.is_gt(),
        };
        turns.then(|| self.turned(declared, [(earlier, before), (place, value)]))
    }

    fn turned(&self, declared: &Monotone, pair: [(&Rational, &Number); 2]) -> Diagnostic {
        let name = &self.equation.name;
        let [(from, before), (to, after)] = pair.map(|(place, value)| {
            let mut there = self.arguments.clone();
            there[self.moving] = place.clone();
            (shown(self.equation, &there), value)
        });
        let message = format!(
            "`{}` is declared `{declared}`, and {before} at {from}, {after} at {to}",
            name.text
        );
        Diagnostic::error(message, name.span, "this function").also(declared.span, "declared here")
    }

    fn call(&self) -> Expr {
        let span = Span::default();
        let number = |value: &Rational| Expr {
            kind: ExprKind::Number(value.clone()),
            span,
        };
        let arguments = self.arguments.iter().map(number).collect();
        Expr {
            kind: ExprKind::Call(self.equation.name.clone(), arguments),
            span,
        }
    }

    fn shown(&self) -> String {
        shown(self.equation, &self.arguments)
    }
}

/// `f(0.5, 7 [s])`
fn shown(equation: &Equation, arguments: &[Rational]) -> String {
    let one = |(formal, value): (&tree::Name, &Rational)| {
        let mut units = equation.formal_units.iter();
        let unit = units.find(|(name, _)| *name == formal.text);
        let dimension = unit.and_then(|(_, unit)| unit.meaning.as_deref().map(Dimension::from));
        match dimension.filter(|dimension| !dimension.is_none()) {
            Some(dimension) => format!("{value} [{dimension}]"),
            None => value.to_string(),
        }
    };
    let arguments: Vec<String> = equation.formals.iter().zip(arguments).map(one).collect();
    format!("{}({})", equation.name.text, arguments.join(", "))
}

fn tried() -> impl Iterator<Item = Rational> {
    TRIED
        .iter()
        .filter_map(|&(numerator, denominator)| Rational::new(numerator, denominator))
}

/// True if a value is within a fact, as far as that is a number.
fn allows(fact: &ParameterFact, value: &Rational) -> bool {
    match fact {
        ParameterFact::Integer(_) => value.is_integer(),
        ParameterFact::Bound(relation, bound) => {
            let bound = match &bound.kind {
                ExprKind::Number(bound) => bound.clone(),
                ExprKind::Quantity(quantity) => quantity.value(),
                _ => return true,
            };
            match relation {
                Relation::Less => *value < bound,
                Relation::LessEqual => *value <= bound,
                Relation::Greater => *value > bound,
                _ => *value >= bound,
            }
        }
        _ => true,
    }
}

/// Places at which a function is tested, in order: its constants, their sums, differences, products and quotients,
/// and points between them.
fn places(body: &Expr) -> Vec<Rational> {
    let mut written = BTreeSet::new();
    constants(body, &mut written);
    let mut places: BTreeSet<Rational> = tried().chain(written.iter().cloned()).collect();
    if written.len() <= FEW_CONSTANTS {
        for a in &written {
            for b in &written {
                places.extend([a + b, a - b, a * b]);
                places.extend(a.checked_div(b));
            }
        }
        let ends: Vec<Rational> = places.iter().cloned().collect();
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        places.extend(ends.windows(2).map(|pair| &(&pair[0] + &pair[1]) * &half));
    }
    places.into_iter().collect()
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
