//! Elements of small arrays that are distinguished by number: extents of a grid, neighbours.

use super::assigned::varies;
use super::number::Number;
use super::part::Part;
use super::shape::Shape;
use super::walker::{List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// Elements that an initialiser sets: behind its values they are 0.
const MOST_ELEMENTS: usize = 16;
/// Iterations that are written out where messages go to elements of an array.
const MOST_WRITTEN_OUT: usize = 16;
/// Constants that are made of others.
const DEEPEST: usize = 16;

impl Walker<'_> {
    /// The variable or the element that an expression names, if its index is known.
    pub fn known_place(&self, expression: &Expression) -> Option<String> {
        let ExpressionKind::Index(array, index) = &expression.kind else {
            return expression.place();
        };
        let number = self.plain_number(index, DEEPEST)?.as_constant()?;
        Some(format!("{}[{number}]", array.name()?))
    }

    /// The value of an expression without calls and assignments, if it is known without a walk.
    pub fn known_number(&self, expression: &Expression) -> Option<Number> {
        self.plain_number(expression, DEEPEST)
    }

    /// The value of an expression without calls and assignments.
    fn plain_number(&self, expression: &Expression, depth: usize) -> Option<Number> {
        let inner = |part: &Expression| self.plain_number(part, depth.checked_sub(1)?);
        match &expression.kind {
            ExpressionKind::Number(text) => super::literals::literal(text).number,
            ExpressionKind::Name(name) => match self.values.get(name) {
                Some(binding) if binding.kind != Kind::Real => binding.value.clone(),
                Some(_) => None,
                None => match self.whole.constants.get(name.as_str()) {
                    Some(constant) => inner(constant),
                    None => super::mpi::constant(name).map(Number::constant),
                },
            },
            ExpressionKind::Unary(operator, a) if operator == "-" => inner(a)?.scaled(-1),
            ExpressionKind::Binary(operator, a, b) => match operator.as_str() {
                "+" => inner(a)?.plus(&inner(b)?),
                "-" => inner(a)?.minus(&inner(b)?),
                "*" => inner(a)?.times(&inner(b)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// `int dims[2] = {0, 0};`
    pub fn initial_elements(&mut self, variable: &Variable) {
        let (Some(kind), Some(value)) = (variable.element, &variable.value) else {
            return;
        };
        let ExpressionKind::Other(parts) = &value.kind else {
            return;
        };
        let is_number = matches!(kind, Kind::Integer { .. });
        if !is_number
            || !variable.is_constant
                && (variable.is_static || self.whole.array_is_kept(self.function, &variable.name))
        {
            return;
        }
        let numbers: Option<Vec<Number>> = parts
            .iter()
            .take(MOST_ELEMENTS)
            .map(|part| self.plain_number(part, DEEPEST))
            .collect();
        let Some(mut numbers) = numbers else { return };
        numbers.resize(MOST_ELEMENTS, Number::default());
        for (k, number) in numbers.into_iter().enumerate() {
            let element = format!("{}[{k}]", variable.name);
            self.values.add_element(&variable.name, &element, kind);
            self.set(&element, Some(number));
        }
    }

    /// Unrolls a loop over a few array elements that receive messages or are sizes; returns false for any other loop.
    pub fn written_out(&mut self, shape: &Shape, list: &mut List) -> Result<bool, Problem> {
        let picks = self.world.is_some() && picks_partners(shape.body) || self.picks_sizes(shape);
        if !shape.tests_first || !picks {
            return Ok(false);
        }
        let Some(induction) = self.induction(shape)? else {
            return Ok(false);
        };
        let count = induction
            .range
            .count()
            .and_then(|count| count.as_constant());
        let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
            return Ok(false);
        };
        if count > MOST_WRITTEN_OUT {
            return Ok(false);
        }
        self.loops += 1;
        self.around.push(None);
        let mut result = Ok(());
        for _ in 0..count {
            let mut inner = List::default();
            result = self
                .list(std::slice::from_ref(shape.body), &mut inner)
                .map(|_| ());
            if let (Ok(()), Some(update)) = (&result, shape.update) {
                result = self.value(update).map(|_| ());
            }
            inner.parts.append(&mut self.pending);
            list.parts.push(Part::sequence(inner.parts));
            if result.is_err() {
                break;
            }
        }
        self.around.pop();
        self.loops -= 1;
        result.map(|()| true)
    }

    /// True if a condition in a loop's body asks for an element that the number of the iteration chooses. Elements that only
    /// a run tells are alike.
    fn picks_sizes(&self, shape: &Shape) -> bool {
        let changed = self.changed(shape);
        let is_told = |element: &String| {
            let value = self.values.get(element).and_then(|own| own.value.as_ref());
            let symbol = value.and_then(Number::as_symbol);
            symbol.is_some_and(|symbol| self.opaque.iter().any(|told| told.name == Some(symbol)))
        };
        let is_chosen = |part: &Expression| match &part.kind {
            ExpressionKind::Index(array, index) => {
                let is_table = array
                    .name()
                    .map(|name| self.values.elements(name))
                    .is_some_and(|own| {
                        own.iter().all(|e| !changed.contains(e)) && !own.iter().all(is_told)
                    });
                is_table && varies(index, &changed)
            }
            _ => false,
        };
        let mut found = false;
        shape.body.walk(&mut |statement| {
            if let StatementKind::If { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. } = statement.kind
            {
                for expression in statement.expressions() {
                    expression.walk(&mut |part| found |= is_chosen(part));
                }
            }
        });
        found
    }

    /// `a ^ b` for a power of two b: flips this bit of a.
    pub fn with_bit_turned(&self, a: &Number, b: &Number) -> Option<Number> {
        let bit = a.div(b).modulo(&Number::constant(2));
        let turned = b.times(&bit)?.scaled(2)?;
        a.plus(b)?.minus(&turned)
    }
}

/// True if an expression is a number, or a list of numbers.
pub fn is_constant(expression: &Expression) -> bool {
    let is_number = |part: &&Expression| matches!(part.kind, ExpressionKind::Number(_));
    match &expression.kind {
        ExpressionKind::Other(parts) => parts.iter().all(|part| is_number(&part)),
        _ => expression.parts().is_empty(),
    }
}

/// True if a loop's body sends to, or receives from, elements of arrays.
fn picks_partners(body: &Statement) -> bool {
    let mut found = false;
    body.walk_expressions(&mut |expression| {
        if let ExpressionKind::Call(function, arguments) = &expression.kind
            && function.name().is_some_and(super::mpi::is_of_messages)
        {
            let is_element = |a: &Expression| match &a.kind {
                ExpressionKind::Unary(operator, inner) if operator == "&" => {
                    inner.array().is_some()
                }
                kind => matches!(kind, ExpressionKind::Index(..)),
            };
            // The first argument is what is sent, the last a request or a status.
            let last = arguments.len().saturating_sub(1);
            found |= arguments.iter().take(last).skip(1).any(is_element);
        }
    });
    found
}
