//! Requests and services.

use super::{Halt, Machine};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{Fraction, Number};
use crate::simulate::code::{Id, Instruction};
use crate::simulate::frames::{State, Stopped};
use crate::simulate::servers::{Servers, Waiting};
use crate::simulate::time::Time;

/// Number of the resource that an expression always denotes.
pub type ResourceNumber = u32;

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
        self.latest_request = Some(self.now);
        let ticket = self.frames[frame].ticket;
        let waiting = Waiting { frame, ticket };
        if self.servers[resource as usize].request(self.now, waiting) {
            return match self.serve(resource, frame)? {
                Some(holder) => self.resume(holder),
                None => Ok(()),
            };
        }
        self.frames[frame].state = State::Queues(resource);
        self.trace_queue(resource);
        Ok(())
    }

    /// A server takes a request; the frame, if it goes on while it holds the server.
    fn serve(&mut self, resource: u32, frame: u32) -> Result<Option<u32>, Halt> {
        let position = self.frames[frame].position;
        let instruction = &self.code.instructions[position as usize];
        let time = match instruction {
            Instruction::Use(_, time) => Some(self.time(frame, *time)?),
            _ => None,
        };
        if let Some(trace) = &mut self.trace {
            trace.served(frame, resource, self.now.to_f64() / self.clock.rate());
        }
        if let Some(time) = time {
            self.schedule(frame, State::Served(resource), time)?;
            return Ok(None);
        }
        let holder = &mut self.frames[frame];
        holder.held.push(resource);
        holder.position += 1;
        holder.state = State::Ready;
        Ok(Some(frame))
    }

    /// A server has done with a frame, or the frame leaves it; the next frame, if it goes on while it holds the server.
    pub(super) fn release(&mut self, resource: u32, frame: u32) -> Result<Option<u32>, Halt> {
        if let Some(trace) = &mut self.trace {
            trace.left(frame, resource, self.now.to_f64() / self.clock.rate());
        }
        let frames = &self.frames;
        let servers = &mut self.servers[resource as usize];
        let next = servers.release(self.now, |w| frames.waits(w.frame, w.ticket));
        let Some(next) = next else {
            return Ok(None);
        };
        self.trace_queue(resource);
        self.serve(resource, next.frame)
    }

    fn trace_queue(&mut self, resource: u32) {
        if let Some(trace) = &mut self.trace {
            let length = self.servers[resource as usize].length();
            trace.queue(resource, length, self.now.to_f64() / self.clock.rate());
        }
    }

    /// Stops the remaining branches of a section that has ended, so they leave their servers and queues. Returns the
    /// frames that get a released server.
    pub(super) fn stop_branches(&mut self, frame: u32) -> Result<Vec<u32>, Halt> {
        let mut stopped = std::mem::take(&mut self.stopped);
        self.frames.stop_children(frame, &mut stopped);
        // Some requests came at this time; in another order, the section might not have ended now.
        let has_begun = self.latest_request == Some(self.now);
        let goes_on = |state: State| match state {
            State::Ready | State::Requests(_) => true,
            State::Delayed | State::Served(_) => self.latest_instant == Some(self.now),
            _ => false,
        };
        self.cut_short |= has_begun && stopped.iter().any(|one| goes_on(one.state));
        let mut left = Vec::new();
        for Stopped { frame, state, held } in stopped.drain(..) {
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
                State::Joins(_) => self.forget_graph(frame),
                State::Ready | State::Requests(_) | State::Free => {}
            }
            left.extend(held.into_iter().rev().map(|resource| (resource, frame)));
            match state {
                State::Served(resource) => left.push((resource, frame)),
                _ => {
                    if let Some(trace) = &mut self.trace {
                        trace.stopped(frame, self.now.to_f64() / self.clock.rate());
                    }
                }
            }
        }
        self.stopped = stopped;
        // Servers are granted only after all stopped branches have left the queues.
        let mut granted = Vec::new();
        for (resource, frame) in left {
            granted.extend(self.release(resource, frame)?);
        }
        Ok(granted)
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
