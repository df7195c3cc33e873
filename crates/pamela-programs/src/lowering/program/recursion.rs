//! Functions that call themselves, and functions that call MPI.

use super::WholeProgram;
use crate::lowering::mpi::is_of_messages;
use crate::source::tree::ExpressionKind;

impl WholeProgram<'_> {
    /// True if a function calls itself in its own text.
    pub fn calls_itself(&self, function: usize) -> bool {
        let mut found = false;
        let name = &self.functions[function].function.name;
        let body = &self.functions[function].function.body;
        body.walk_expressions(&mut |expression| {
            if let ExpressionKind::Call(callee, _) = &expression.kind {
                found |= callee.name() == Some(name);
            }
        });
        found
    }

    /// True if a function is called by one that it calls.
    pub fn is_recursive_by_others(&self, function: usize) -> bool {
        let others = self.calls[function]
            .iter()
            .filter(|callee| **callee != function);
        others
            .into_iter()
            .any(|callee| self.calls[*callee].contains(&function))
    }

    /// True if a function calls itself, directly or by others.
    pub fn is_recursive(&self, function: usize) -> bool {
        self.calls[function].contains(&function)
    }

    /// True if a function calls MPI, directly or through calls.
    pub fn sends_messages(&self, function: usize) -> bool {
        let is_outside = |name: &str| !self.by_name.contains_key(name);
        let mut used = self.uses[function].iter();
        used.any(|name| is_of_messages(name) && is_outside(name))
    }
}
