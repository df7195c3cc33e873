//! Requests and services.

use super::super::code::{Id, Instruction};
use super::super::frames::State;
use super::super::servers::{Servers, Waiting};
use super::super::time::Time;
use super::{Halt, Machine};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{Fraction, Number};

/// The resource that an expression always is.
pub type Known = u32;

impl<'m, T: Time> Machine<'_, 'm, T> {
    /// The number of the resource that an expression stands for.
    pub(super) fn resource(&mut self, frame: u32, expression: Id) -> Result<u32, Halt> {
        if let Some(known) = self.known[expression as usize] {
            return Ok(known);
        }
        let place = &self.code.expressions[expression as usize];
        let names = self.names(frame, place.scope);
        let element = self.evaluator.element(place.expr, &names)?;
        let servers = count(&element.multiplicity, place.expr.span)?;
        let key = (element.array, element.index);
        let number = match self.names.get(&key) {
            Some(number) => *number,
            None => {
                let number = self.servers.len() as u32;
                if let Some(trace) = &mut self.trace {
                    trace.resource(number, &format!("{}({})", key.0, key.1));
                }
                self.names.insert(key, number);
                self.servers.push(Servers::new(servers));
                number
            }
        };
        let before = self.servers[number as usize].count();
        if before != servers {
            let message = format!(
                "a resource of {servers} servers, which has {before} elsewhere in the model"
            );
            let diagnostic = Diagnostic::error(message, place.expr.span, "used here");
            let hint = "resources of one array with the same index are the same";
            return Err(diagnostic.hint(hint).into());
        }
        if place.global {
            self.known[expression as usize] = Some(number);
        }
        Ok(number)
    }

    /// A request reaches the resource.
    pub(super) fn arrive(&mut self, frame: u32) -> Result<(), Halt> {
        let State::Requests(resource) = self.frames[frame].state else {
            return Ok(());
        };
        let ticket = self.frames[frame].ticket;
        let waiting = Waiting { frame, ticket };
        if self.servers[resource as usize].request(self.now, waiting) {
            return self.serve(resource, frame);
        }
        self.frames[frame].state = State::Queues(resource);
        self.trace_queue(resource);
        Ok(())
    }

    /// A server takes a request.
    fn serve(&mut self, resource: u32, frame: u32) -> Result<(), Halt> {
        let position = self.frames[frame].position;
        let Instruction::Use(_, time) = &self.code.instructions[position as usize] else {
            return Ok(());
        };
        let time = self.time(frame, *time)?;
        if let Some(trace) = &mut self.trace {
            trace.served(frame, resource, self.now.to_f64() / self.clock.rate());
        }
        self.schedule(frame, State::Served(resource), time)
    }

    /// A server has done with a frame, or the frame leaves it.
    pub(super) fn release(&mut self, resource: u32, frame: u32) -> Result<(), Halt> {
        if let Some(trace) = &mut self.trace {
            trace.left(frame, resource, self.now.to_f64() / self.clock.rate());
        }
        let frames = &self.frames;
        let servers = &mut self.servers[resource as usize];
        let next = servers.release(self.now, |w| frames.waits(w.frame, w.ticket));
        if let Some(next) = next {
            self.trace_queue(resource);
            self.serve(resource, next.frame)?;
        }
        Ok(())
    }

    fn trace_queue(&mut self, resource: u32) {
        if let Some(trace) = &mut self.trace {
            let length = self.servers[resource as usize].length();
            trace.queue(resource, length, self.now.to_f64() / self.clock.rate());
        }
    }

    /// The branches that are left of a section that has ended are stopped, and leave their servers and queues.
    pub(super) fn stop_branches(&mut self, frame: u32) -> Result<(), Halt> {
        let mut stopped = std::mem::take(&mut self.stopped);
        self.frames.stop_children(frame, &mut stopped);
        let mut served = Vec::new();
        for (frame, state) in stopped.drain(..) {
            let frames = &self.frames;
            match state {
                State::Delayed | State::Served(_) => {
                    self.agenda.stop(|e| frames.waits(e.frame, e.ticket));
                }
                State::Queues(resource) => {
                    let servers = &mut self.servers[resource as usize];
                    servers.leave(self.now, |w| frames.waits(w.frame, w.ticket));
                    self.trace_queue(resource);
                }
                State::Ready | State::Requests(_) | State::Joins(_) | State::Free => {}
            }
            match state {
                State::Served(resource) => served.push((resource, frame)),
                _ => {
                    if let Some(trace) = &mut self.trace {
                        trace.stopped(frame, self.now.to_f64() / self.clock.rate());
                    }
                }
            }
        }
        self.stopped = stopped;
        // Only now, when none of them waits in a queue.
        for (resource, frame) in served {
            self.release(resource, frame)?;
        }
        Ok(())
    }
}

/// A number of servers.
fn count(multiplicity: &Number, span: Span) -> Result<u64, Diagnostic> {
    let servers = multiplicity.as_exact().and_then(Fraction::to_u64);
    let servers = servers.filter(|servers| *servers > 0);
    servers.ok_or_else(|| {
        let message = format!("a resource of {multiplicity} servers cannot be simulated");
        Diagnostic::error(message, span, "expected a whole number from 1")
    })
}
