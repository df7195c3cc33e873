//! The values of expressions, as far as they follow from sizes and indices; their assignments and calls.

mod conditions;
mod conversions;

use super::literals::literal;
use super::mpi;
use super::number::{self, *};
use super::objects::Write;
use super::part::*;
use super::value::Value;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

/// Constants of an enumeration that are made of each other.
const DEEPEST_CONSTANT: usize = 64;

impl Walker<'_> {
    /// Evaluates an expression, with its assignments; calls in it are added to `pending`.
    ///
    /// One long function, because it is a table with an arm for each kind of expression.
    pub fn value(&mut self, expression: &Expression) -> Result<Value, Problem> {
        use ExpressionKind::*;
        self.step()?;
        Ok(match &expression.kind {
            Number(text) => literal(text),
            Name(name) => self.named(name)?,
            Call(function, arguments) => self.called(expression, function, arguments)?,
            Unary(operator, inner) => self.unary(operator, inner)?,
            Update { by, after, place } => {
                let before = self.value(place)?;
                let next = before
                    .number
                    .as_ref()
                    .and_then(|n| n.plus_constant(i64::from(*by)));
                let next = if before.wraps {
                    next.and_then(|next| self.wrapped(next))
                } else {
                    next
                };
                let address = self.address(place)?;
                self.assign(place, Value::integer(next.clone()), expression.span);
                let address = address.and_then(|address| address.plus_constant(i64::from(*by)));
                self.assign_address(place.name(), address);
                if *after { before } else { Value::integer(next) }
            }
            Binary(operator, ..) if operator == "&&" || operator == "||" => {
                let condition = self.condition(expression)?;
                Value::integer(condition.map(truth))
            }
            Binary(operator, a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                if operator == "-" && x.number.is_none() && y.number.is_none() {
                    self.distance(a, b)?
                } else {
                    self.binary(operator, x, y)
                }
            }
            Assign(operator, place, given) => {
                self.returned_object = None;
                let value = self.value(given)?;
                let address = self.address_given(operator, place, given)?;
                // The target is evaluated once, for its value or for its side effects.
                let value = match operator.strip_suffix('=') {
                    Some("") | None => {
                        if place.place().is_none() {
                            for part in place.parts() {
                                self.value(part)?;
                            }
                        }
                        value
                    }
                    Some(operator) => {
                        let before = self.value(place)?;
                        self.binary(operator, before, value)
                    }
                };
                self.assign(place, value.clone(), expression.span);
                self.assign_address(place.name(), address);
                if operator == "=" {
                    self.point(place, given, expression.span);
                }
                value
            }
            Conditional(condition, a, b) => {
                let condition = self.condition(condition)?;
                self.chosen(expression.span, condition, a, b)?
            }
            Cast(kind, inner) => {
                let value = self.value(inner)?;
                self.converted(value, *kind)
            }
            Comma(a, b) => {
                self.value(a)?;
                self.value(b)?
            }
            Index(array, _) if self.known_place(expression).is_some() => {
                self.element(array, expression)?
            }
            Field { of, .. } => {
                self.value(of)?;
                self.member(expression)
            }
            Size(text, bytes) => {
                let number = match bytes {
                    Some(bytes) => number::Number::constant(*bytes),
                    None => self.bytes_of(text, expression.span),
                };
                Value {
                    wraps: true,
                    ..Value::integer(Some(number))
                }
            }
            Index(..) | Other(_) => {
                for part in expression.parts() {
                    self.value(part)?;
                }
                Value::unknown()
            }
        })
    }

    /// `size[0]`: an element of an array that is known by its number.
    fn element(&mut self, array: &Expression, expression: &Expression) -> Result<Value, Problem> {
        let place = self.known_place(expression);
        let binding = place.and_then(|place| self.values.get(&place)).cloned();
        match binding {
            Some(binding) => Ok(Value::of_kind(binding.kind, binding.value)),
            None => {
                self.value(array)?;
                Ok(Value::unknown())
            }
        }
    }

    fn named(&mut self, name: &str) -> Result<Value, Problem> {
        if let Some(binding) = self.values.get(name) {
            return Ok(Value::of_kind(binding.kind, binding.value.clone()));
        }
        let whole = self.whole;
        if let Some(constant) = whole.constants.get(name) {
            // A constant that mentions itself has no value.
            self.constants += 1;
            let value = if self.constants <= DEEPEST_CONSTANT {
                self.value(constant)
            } else {
                Ok(Value::unknown())
            };
            self.constants -= 1;
            return value;
        }
        if self.world.is_some()
            && let Some(constant) = mpi::constant(name)
        {
            return Ok(Value::integer(Some(Number::constant(constant))));
        }
        let known = self.by_site.get(&(format!("macro {name}"), 0));
        Ok(Value::integer(
            known.map(|symbol| super::number::Number::symbol(*symbol)),
        ))
    }

    fn unary(&mut self, operator: &str, inner: &Expression) -> Result<Value, Problem> {
        let value = self.value(inner)?;
        Ok(match operator {
            "-" => {
                let number = value.number.and_then(|n| n.scaled(-1));
                let number = if value.wraps {
                    number.and_then(|number| self.wrapped(number))
                } else {
                    number
                };
                Value { number, ..value }
            }
            "+" => value,
            "!" => {
                let zero = Number::constant(0);
                let is_zero = |n| truth(Condition::compare(Comparison::Equal, n, zero));
                Value::integer(value.number.map(is_zero))
            }
            _ => Value::unknown(),
        })
    }

    /// A value of which one of two is taken; what only one of them assigns is not known.
    fn chosen(
        &mut self,
        span: Span,
        condition: Option<Condition>,
        a: &Expression,
        b: &Expression,
    ) -> Result<Value, Problem> {
        if let Some(Condition::Constant(decided)) = condition {
            return self.value(if decided { a } else { b });
        }
        let before = self.values.clone();
        let pending = std::mem::take(&mut self.pending);
        let then = self.value(a)?;
        let calls = std::mem::take(&mut self.pending);
        let after = std::mem::replace(&mut self.values, before);
        let otherwise = self.value(b)?;
        let others = std::mem::replace(&mut self.pending, pending);
        self.forget(&after.differing(&self.values), span);
        if !calls.is_empty() || !others.is_empty() {
            let condition = match &condition {
                Some(condition) => condition.clone(),
                None => self.share(span),
            };
            let part = Part::choice(condition, Part::sequence(calls), Part::sequence(others));
            self.pending.push(part);
        }
        let real = then.real || otherwise.real;
        let wraps = then.wraps || otherwise.wraps;
        let is_given = |value: &Value| value.outside || value.number.is_some();
        let outside = is_given(&then) && is_given(&otherwise);
        let number = match (condition, then.number, otherwise.number) {
            (Some(condition), Some(then), Some(otherwise)) => {
                Some(Number::choose(condition, then, otherwise))
            }
            _ => None,
        };
        let outside = outside && number.is_none();
        Ok(Value {
            number,
            real,
            wraps,
            outside,
        })
    }

    fn binary(&mut self, operator: &str, a: Value, b: Value) -> Value {
        let real = a.real || b.real;
        let compares = matches!(operator, "<" | ">" | "<=" | ">=" | "==" | "!=");
        if compares {
            let condition = self.comparison(operator, &a, &b);
            return Value::integer(condition.map(truth));
        }
        let shifts = matches!(operator, "<<" | ">>");
        let wraps = !real && (a.wraps || b.wraps && !shifts);
        let is_given = |value: &Value| value.outside || value.number.is_some();
        let outside = is_given(&a) && is_given(&b);
        let (Some(x), Some(y)) = (a.number, b.number) else {
            return Value {
                number: None,
                real: real && operator != "%",
                wraps,
                outside,
            };
        };
        let number = match operator {
            "+" => x.plus(&y),
            "-" => x.minus(&y),
            "*" => x.times(&y),
            "/" if real => Some(Number::atom(Atom::Quotient(x, y))),
            "/" => self.quotient(&x, &y),
            "%" => self.remainder(&x, &y),
            "<<" => y
                .as_constant()
                .filter(|bits| (0..62).contains(bits))
                .map_or_else(
                    || x.times(&Number::atom(Atom::Power(Number::constant(2), y.clone()))),
                    |bits| x.scaled(1 << bits),
                ),
            ">>" => y
                .as_constant()
                .filter(|bits| (0..62).contains(bits))
                .map(|bits| x.div(&Number::constant(1 << bits))),
            // A number less its bits below a power of two, and those bits.
            "&" => y
                .as_constant()
                .filter(|mask| *mask >= 0 && (mask + 1).count_ones() == 1)
                .map(|mask| x.modulo(&Number::constant(mask + 1))),
            "^" if is_power_of_two(&y) => self.with_bit_turned(&x, &y),
            "^" if is_power_of_two(&x) => self.with_bit_turned(&y, &x),
            _ => None,
        };
        let number = if wraps {
            number.and_then(|number| self.wrapped(number))
        } else {
            number
        };
        Value {
            number,
            real,
            wraps,
            outside: false,
        }
    }

    /// C rounds towards 0.
    fn quotient(&mut self, x: &Number, y: &Number) -> Option<Number> {
        if let (Some(x), Some(y)) = (x.as_constant(), y.as_constant()) {
            return x.checked_div(y).map(Number::constant);
        }
        self.assume_positive(y)?;
        if self.facts.nonnegative(x) {
            return Some(x.div(y));
        }
        let zero = Number::constant(0);
        let is_negative = Condition::compare(Comparison::Less, x.clone(), zero);
        let negative = x.scaled(-1)?.div(y).scaled(-1)?;
        Some(Number::choose(is_negative, negative, x.div(y)))
    }

    fn remainder(&mut self, x: &Number, y: &Number) -> Option<Number> {
        if let (Some(x), Some(y)) = (x.as_constant(), y.as_constant()) {
            return x.checked_rem(y).map(Number::constant);
        }
        self.assume_positive(y)?;
        if self.facts.nonnegative(x) {
            return Some(x.modulo(y));
        }
        let zero = Number::constant(0);
        let is_negative = Condition::compare(Comparison::Less, x.clone(), zero);
        let negative = x.scaled(-1)?.modulo(y).scaled(-1)?;
        Some(Number::choose(is_negative, negative, x.modulo(y)))
    }

    /// Ensures that a divisor is positive: by the facts, or by an assumption of the model about its parameters.
    /// `None` if neither is possible.
    pub fn assume_positive(&mut self, divisor: &Number) -> Option<()> {
        self.assume_nonnegative(&divisor.plus_constant(-1)?)
    }

    /// Assigns a value to a variable. An unknown value becomes a parameter if it is assigned only once.
    pub fn assign(&mut self, place: &Expression, value: Value, span: Span) {
        if place.member().is_some() {
            return self.store_member(place, value, span);
        }
        if self.whole.holds_members(self.function, place) {
            let write = self.write(span);
            self.values.objects.write_member("", &write);
        }
        let Some(name) = self.known_place(place) else {
            if let Some(array) = place.array() {
                self.forget(&self.values.elements(array), span);
            }
            return;
        };
        if let Some(array) = place.array() {
            if self.whole.array_is_kept(self.function, array) {
                return self.forget(&self.values.elements(array), span);
            }
            if let Some(kind) = self.values.element(array) {
                self.values.add_element(array, &name, kind);
            }
        }
        let Some(kind) = self.values.get(&name).map(|binding| binding.kind) else {
            return;
        };
        let number = self.stored(&name, kind, value, span);
        self.set(&name, number);
    }

    /// The value of a variable after an assignment.
    pub fn stored(&mut self, name: &str, kind: Kind, value: Value, span: Span) -> Option<Number> {
        if kind == Kind::Other || self.whole.is_addressed(self.function, name) {
            return None;
        }
        if self.whole.is_volatile(name) && kind != Kind::Real {
            return self.given(name, span, true);
        }
        if kind == Kind::Real {
            return value.number;
        }
        let outside = value.outside;
        let converted = self.converted(value, kind).number;
        converted.or_else(|| self.given(name, span, outside))
    }

    /// The parameter for an unknown value that the program uses only once. A note names it unless it comes from
    /// outside.
    pub fn given(&mut self, name: &str, span: Span, outside: bool) -> Option<Number> {
        let is_kept = !self.whole.is_addressed(self.function, name);
        (self.once && is_kept).then(|| self.value_of(name, span, outside))
    }

    /// The parameter for the value of a variable from this place on.
    pub fn value_of(&mut self, name: &str, span: Span, outside: bool) -> Number {
        let site = self.whole.site_of_value(self.function, span.start, name);
        let kind = self.values.get(name).map(|binding| binding.kind);
        let has_sign = matches!(kind, Some(Kind::Integer { signed: true, .. }));
        let begins = self.may_be_negative;
        self.may_be_negative = has_sign && (!outside || begins);
        let number = self.value_at(site, name, span, &format!("value of {name}"));
        self.may_be_negative = begins;
        if !outside {
            self.tell_value(&number, name, span);
        }
        number
    }

    /// Makes the values of the given variables unknown.
    pub fn forget(&mut self, names: &[String], span: Span) {
        self.forget_for(names, span, false);
    }

    /// Like `forget`, for values that may come from outside.
    pub fn forget_for(&mut self, names: &[String], span: Span, outside: bool) {
        let write = self.write(span);
        for name in names {
            if let Some(path) = name.strip_prefix("->=") {
                let path = path.to_string();
                self.forget_member(&path, span);
                continue;
            }
            if name.starts_with("->") {
                self.values.objects.forget(name, &write);
                continue;
            }
            let object = self.new_object(name, span);
            let is_kept = self.whole.is_addressed(self.function, name);
            let is_integer = self
                .values
                .get(name)
                .is_some_and(|binding| matches!(binding.kind, Kind::Integer { .. }));
            let value = is_integer
                .then(|| self.given(name, span, outside))
                .flatten();
            if let Some(binding) = self.values.get_mut(name) {
                binding.value = value;
                binding.is_unset = false;
                if binding.is_pointer {
                    binding.object = object.filter(|_| !is_kept);
                    self.point_anew(name);
                }
            }
        }
    }

    /// A value that differs between iterations is unknown in all of them.
    pub fn forget_all(&mut self, names: &[String]) {
        for name in names {
            if name.starts_with("->") {
                self.values.objects.forget(name, &Write::Unknown);
            }
            self.set(name, None);
        }
    }

    /// The size of a structure is a parameter.
    fn bytes_of(&mut self, text: &str, span: Span) -> number::Number {
        let asking = self.asking.replace(text.to_string());
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let number = self.value_parameter(&words.join("_"), span, text);
        self.of_types.extend(number.as_symbol());
        self.asking = asking;
        number
    }
}

fn is_power_of_two(number: &Number) -> bool {
    match (number.as_constant(), number.as_atom()) {
        (Some(constant), _) => constant > 0 && constant & (constant - 1) == 0,
        (None, Some(Atom::Power(base, _))) => base.as_constant() == Some(2),
        _ => false,
    }
}

/// 1 where a condition holds, else 0.
pub(super) fn truth(condition: Condition) -> Number {
    Number::choose(condition, Number::constant(1), Number::constant(0))
}
