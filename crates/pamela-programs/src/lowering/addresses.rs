//! Addresses of array elements: a number of elements after the last unknown target of a pointer. No address occurs in
//! a model; the difference of two may, as the bound of a loop.

use super::number::{Number, Symbol};
use super::value::Value;
use super::walker::{Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// Lets an array or a pointer point to a new object.
    pub fn point_anew(&mut self, name: &str) {
        let address = self.symbol(name, Role::Address);
        self.set_address(name, Number::symbol(address));
    }

    /// Sets the address in a pointer.
    fn set_address(&mut self, name: &str, address: Number) {
        let is_kept = !self.whole.is_addressed(self.function, name);
        let is_local = self.values.is_local(name);
        if let Some(binding) = self.values.get_mut(name) {
            let is_pointer = binding.kind == Kind::Other;
            binding.address = (is_kept && is_local && is_pointer).then_some(address);
        }
    }

    pub fn is_address(&self, name: &str) -> bool {
        let binding = self.values.get(name);
        binding.is_some_and(|binding| binding.address.is_some())
    }

    /// The address in an expression, without its side effects.
    pub fn address(&mut self, expression: &Expression) -> Result<Option<Number>, Problem> {
        Ok(match &expression.kind {
            ExpressionKind::Name(name) => {
                let binding = self.values.get(name);
                binding.and_then(|binding| binding.address.clone())
            }
            ExpressionKind::Binary(operator, a, b) if operator == "+" || operator == "-" => {
                let sign = if operator == "+" { 1 } else { -1 };
                match self.address(a)? {
                    Some(start) => self.behind(&start, b, sign)?,
                    None if sign == 1 => match self.address(b)? {
                        Some(start) => self.behind(&start, a, 1)?,
                        None => None,
                    },
                    None => None,
                }
            }
            ExpressionKind::Unary(operator, inner) if operator == "&" => match &inner.kind {
                ExpressionKind::Index(array, index) => match self.address(array)? {
                    Some(start) => self.behind(&start, index, 1)?,
                    None => None,
                },
                _ => None,
            },
            _ => None,
        })
    }

    /// The address that an assignment stores.
    pub fn address_given(
        &mut self,
        operator: &str,
        place: &Expression,
        given: &Expression,
    ) -> Result<Option<Number>, Problem> {
        let sign = match operator {
            "=" => {
                let binding = place.name().and_then(|name| self.values.get(name));
                let base = binding.map(|binding| binding.base);
                return base.map_or(Ok(None), |base| self.address_for(base, given));
            }
            "+=" => 1,
            "-=" => -1,
            _ => return Ok(None),
        };
        match self.address(place)? {
            Some(start) => self.behind(&start, given, sign),
            None => Ok(None),
        }
    }

    /// Stores an address, if it is known.
    pub fn assign_address(&mut self, name: Option<&str>, address: Option<Number>) {
        if let (Some(name), Some(address)) = (name, address) {
            self.set_address(name, address);
        }
    }

    /// The address assigned to a pointer, if both have elements of one kind.
    pub fn address_for(
        &mut self,
        base: Kind,
        given: &Expression,
    ) -> Result<Option<Number>, Problem> {
        let mut is_other = false;
        given.walk(&mut |part| {
            let binding = part.name().and_then(|name| self.values.get(name));
            is_other |= binding.is_some_and(|b| b.address.is_some() && b.base != base);
        });
        if is_other {
            Ok(None)
        } else {
            self.address(given)
        }
    }

    /// The address a number of elements after another one.
    fn behind(
        &mut self,
        start: &Number,
        by: &Expression,
        sign: i64,
    ) -> Result<Option<Number>, Problem> {
        let pending = std::mem::take(&mut self.pending);
        let by = self.value(by);
        self.pending = pending;
        let by = by?;
        let by = by.number.filter(|_| !by.real);
        Ok(by.and_then(|by| start.plus(&by.scaled(sign)?)))
    }

    /// Number of elements between two addresses of one array.
    pub fn distance(&mut self, a: &Expression, b: &Expression) -> Result<Value, Problem> {
        let (Some(a), Some(b)) = (self.address(a)?, self.address(b)?) else {
            return Ok(Value::unknown());
        };
        let distance = a.minus(&b).filter(|number| !self.mentions_address(number));
        Ok(Value::integer(distance))
    }

    /// The change of a variable by an expression: of its number, or of its address.
    pub fn measured_by(
        &mut self,
        name: &str,
        expression: &Expression,
    ) -> Result<Option<Number>, Problem> {
        if self.is_address(name) {
            self.address(expression)
        } else {
            Ok(self.value(expression)?.number)
        }
    }

    pub fn mentions_address(&self, number: &Number) -> bool {
        let mut found = false;
        let is_address = |symbol: Symbol| self.names[symbol.0 as usize].role == Role::Address;
        number.symbols(&mut |symbol| found |= is_address(symbol));
        found
    }

    /// The number or the address in a variable.
    pub fn now(&self, name: &str) -> Option<Number> {
        let binding = self.values.get(name)?;
        binding.address.clone().or_else(|| binding.value.clone())
    }

    /// Gives a counting variable its next value or address.
    pub fn count_on(&mut self, name: &str, next: Option<Number>) {
        let is_address = self.is_address(name);
        match (is_address, next) {
            (true, Some(next)) => {
                self.set(name, None);
                self.set_address(name, next);
            }
            (_, next) => self.set(name, next),
        }
    }
}
