//! Sizes with which the time of library calls grows.

use super::library::{Order, writes};
use super::number::{Atom, Number};
use super::value::Value;
use super::walker::Walker;
use crate::source::tree::*;

impl Walker<'_> {
    /// The size with which a call's time grows; `None` if it depends on data.
    pub fn order_of(
        &mut self,
        order: Order,
        expression: &Expression,
        values: &[Value],
    ) -> Option<Number> {
        let whole = |place: usize| {
            let value = values.get(place)?;
            value.number.clone().filter(|_| !value.real)
        };
        let logarithm = |walker: &Self, number: &Number| {
            let least = number.plus_constant(-1)?;
            let number = if walker.facts.nonnegative(&least) {
                number.clone()
            } else {
                number.larger(&Number::constant(1))
            };
            Some(Number::atom(Atom::Function("log2", vec![number])))
        };
        match order {
            Order::Constant => None,
            Order::Product(places, _) => places
                .iter()
                .try_fold(Number::constant(1), |product, place| {
                    product.times(&whole(*place)?)
                }),
            Order::Sorting(place) => {
                let number = whole(place)?;
                number.times(&logarithm(self, &number)?)
            }
            Order::Searching(place) => logarithm(self, &whole(place)?),
            Order::Length(place) => self.length(expression, place),
        }
    }

    /// The length of a string: a parameter, as the iterations of a loop over its letters would be.
    fn length(&mut self, call: &Expression, place: usize) -> Option<Number> {
        let ExpressionKind::Call(_, arguments) = &call.kind else {
            return None;
        };
        let text = self
            .whole
            .snippet(self.function, arguments.get(place)?.span);
        if text.starts_with('"') {
            return Some(Number::constant(text.len().saturating_sub(2) as i64));
        }
        // Two calls mean the same string only where nothing writes it.
        let argument = arguments.get(place)?;
        let site = if root(argument).is_some_and(|name| self.is_only_read(name, depth(argument))) {
            self.function.to_string()
        } else {
            format!("at {}", call.span.start)
        };
        let key = format!("length {text} {site}");
        let asking = self.asking.replace(key);
        let words: String = text
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let number = self.value_parameter(
            &format!("length_{words}"),
            call.span,
            &format!("mean length of the string {text}"),
        );
        self.asking = asking;
        self.of_types.extend(number.as_symbol());
        Some(number)
    }

    /// True if a string comes from outside and the current function neither writes it, or its variable, nor passes it
    /// to a function that may. Its letters lie one level deeper than `level`.
    fn is_only_read(&self, name: &str, level: usize) -> bool {
        let function = self.whole.functions[self.function].function;
        let mut is_kept = function.formals.iter().any(|formal| formal.name == name);
        let is_it = |place: &Expression| root(place) == Some(name);
        let is_letter = |value: &Expression| depth(value) > level;
        let mut look = |part: &Expression| {
            is_kept &= match &part.kind {
                ExpressionKind::Assign(_, place, value) => {
                    !is_it(place) && (!is_it(value) || is_letter(value))
                }
                ExpressionKind::Update { place, .. } => !is_it(place),
                ExpressionKind::Unary(operator, inner) => operator != "&" || !is_it(inner),
                ExpressionKind::Call(function, arguments) => {
                    let reads = function.name().is_some_and(|name| !writes(name));
                    let is_handed = |argument: &Expression| is_it(argument) && !is_letter(argument);
                    reads || !arguments.iter().any(is_handed)
                }
                _ => true,
            };
        };
        function.body.walk_expressions(&mut look);
        function.body.walk(&mut |statement| {
            if let StatementKind::Declaration(variables) = &statement.kind {
                let mut values = variables
                    .iter()
                    .filter_map(|variable| variable.value.as_ref());
                is_kept &= !values.any(|value| is_it(value) && !is_letter(value));
            }
        });
        is_kept
    }
}

/// Number of dereferences in an expression.
fn depth(place: &Expression) -> usize {
    match &place.kind {
        ExpressionKind::Index(inner, _) => 1 + depth(inner),
        ExpressionKind::Unary(operator, inner) if operator == "*" => 1 + depth(inner),
        ExpressionKind::Cast(_, inner) | ExpressionKind::Binary(_, inner, _) => depth(inner),
        _ => 0,
    }
}

/// The variable in which a string is found: `argv` of `argv[1]`.
fn root(place: &Expression) -> Option<&str> {
    match &place.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Unary(_, inner)
        | ExpressionKind::Cast(_, inner)
        | ExpressionKind::Index(inner, _)
        | ExpressionKind::Binary(_, inner, _)
        | ExpressionKind::Field { of: inner, .. } => root(inner),
        _ => None,
    }
}
