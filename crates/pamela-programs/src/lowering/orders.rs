//! The sizes that calls of functions of the library grow with.

use super::library::Order;
use super::number::{Atom, Number};
use super::value::Value;
use super::walker::Walker;
use crate::source::tree::*;

impl Walker<'_> {
    /// The size that a call's time grows with: none where it rests on data.
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
            let number = match walker.facts.nonnegative(&least) {
                true => number.clone(),
                false => number.larger(&Number::constant(1)),
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
        let key = format!("length {text} {}", call.span.start);
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
        Some(number)
    }
}
