//! Declarations of variables, with their initial values.

use super::number::Number;
use super::statements::is_plain_call;
use super::value::Value;
use super::walker::{List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    pub fn declaration(
        &mut self,
        variables: &[Variable],
        statement: &Statement,
        list: &mut List,
    ) -> Result<(), Problem> {
        for variable in variables {
            self.returned_object = None;
            let value = match &variable.value {
                Some(expression) => self.value(expression)?,
                None => Value::unknown(),
            };
            let mut address = None;
            if let Some(expression) = &variable.value {
                address = self.address_for(variable.base, expression)?;
                self.calls_of(list);
                // Sizes and indices that are made of others are not counted.
                let is_code = value.number.is_none() && !is_plain_call(self, expression);
                if is_code && !super::elements::is_constant(expression) {
                    self.straight(list, statement.span, statement.span.start);
                }
            }
            match variable.kind {
                Kind::Other => {
                    self.declare_other(variable, statement.span);
                    let address = address.filter(|_| !variable.is_static);
                    self.assign_address(Some(&variable.name), address);
                }
                kind => {
                    self.values.declare(&variable.name, kind, None);
                    self.leave_unset(variable);
                }
            }
            if let Some(kind) = variable.element {
                self.values
                    .declare(&format!("{}[]", variable.name), kind, None);
                self.initial_elements(variable);
            }
            if variable.value.is_some() && !variable.is_static {
                let number = self.stored(&variable.name, variable.kind, value, statement.span);
                self.set_number(&variable.name, number);
            } else if let Kind::Integer { .. } = variable.kind
                && (variable.is_static || variable.is_volatile || variable.is_extern)
            {
                let number = self.kept_from_before(variable, value, statement.span);
                self.set_number(&variable.name, number);
            }
        }
        Ok(())
    }

    /// Notes that a variable of a function has no value yet; one whose address is kept may get a value anywhere.
    fn leave_unset(&mut self, variable: &Variable) {
        let is_own = !variable.is_static && !variable.is_extern && !variable.is_volatile;
        let is_unset = is_own
            && variable.value.is_none()
            && !self.whole.is_addressed(self.function, &variable.name);
        if let Some(binding) = self.values.get_mut(&variable.name) {
            binding.is_unset = is_unset;
        }
    }

    fn set_number(&mut self, name: &str, number: Option<Number>) {
        if let Some(binding) = self.values.get_mut(name) {
            binding.value = number;
            binding.is_unset = false;
        }
    }

    /// The value of a static variable: its initial value if nothing else is ever stored in it.
    fn kept_from_before(
        &mut self,
        variable: &Variable,
        value: Value,
        span: Span,
    ) -> Option<Number> {
        let name = &variable.name;
        if self.whole.is_addressed(self.function, name) {
            return None;
        }
        let is_written = self.whole.writes(self.function, name);
        let first = value.number.filter(|_| !value.real);
        if first.is_some() && !variable.is_volatile && (variable.is_constant || !is_written) {
            return first;
        }
        // The second call may find another value.
        let outside = !is_written || variable.is_volatile || variable.is_extern;
        (self.once || !is_written).then(|| self.value_of(name, span, outside))
    }
}
