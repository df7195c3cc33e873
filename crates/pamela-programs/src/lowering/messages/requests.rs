//! Persistent requests: a message is prepared once, and sent or received at each start.

use super::calls::{Called, Group};
use crate::lowering::mpi::{Call, FIRST_REQUEST, MessageArguments};
use crate::lowering::number::{Atom, Number};
use crate::lowering::part::Part;
use crate::lowering::walker::Walker;
use crate::source::tree::*;

impl Walker<'_> {
    /// A message that is sent or received at each start of its request, the last argument.
    pub fn prepare(
        &mut self,
        called: &Called,
        sent: Option<MessageArguments>,
        received: Option<MessageArguments>,
    ) {
        const COMMUNICATOR: usize = 5;
        let group = called.group(COMMUNICATOR);
        if !matches!(group, Group::All | Group::Some(_)) {
            return self.elsewhere(called, group);
        }
        let part = self.transfer(called, sent, received, true, group);
        let number = i64::try_from(self.prepared.len());
        if let (Ok(number), Some(request)) = (number, called.arguments.last()) {
            self.prepared.push(part);
            let number = Number::constant(FIRST_REQUEST.saturating_add(number));
            self.give(request, number, called.span);
        }
    }

    pub fn start(&mut self, called: &Called, call: Call) {
        let requests = if call == Call::StartAll {
            self.elements_at(called, 1)
        } else {
            self.request_of(called).map(|request| vec![request])
        };
        let part = |request: &Number| self.prepared_by(request);
        let parts = requests.and_then(|list| list.iter().map(part).collect::<Option<Vec<Part>>>());
        match parts {
            Some(parts) => self.pending.extend(parts),
            None => {
                let reason = format!("the message that `MPI_{}` starts is not known", called.name);
                self.not_modelled(called, reason);
            }
        }
    }

    /// The message of a request, which ranks may have prepared in branches.
    fn prepared_by(&self, request: &Number) -> Option<Part> {
        if let Some(Atom::If(condition, a, b)) = request.as_atom() {
            let [a, b] = [self.prepared_by(a)?, self.prepared_by(b)?];
            return Some(Part::choice((**condition).clone(), a, b));
        }
        let place = request.as_constant()?.checked_sub(FIRST_REQUEST)?;
        self.prepared.get(usize::try_from(place).ok()?).cloned()
    }

    /// The number of the request whose address a call is given.
    fn request_of(&self, called: &Called) -> Option<Number> {
        let ExpressionKind::Unary(operator, inner) = &called.arguments.first()?.kind else {
            return None;
        };
        let place = self.known_place(inner).filter(|_| operator == "&")?;
        self.values.get(&place)?.value.clone()
    }
}
