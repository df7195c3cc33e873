//! Deadlocks: the run has not ended, and nothing can continue.

use super::{Arbitration, Halt, Machine};
use crate::diagnostic::{Diagnostic, Span};
use crate::simulate::code::Instruction;
use crate::simulate::time::Time;

/// Waiting processes that are shown.
const MOST_SHOWN: usize = 8;

impl<T: Time> Machine<'_, '_, T> {
    /// An error where processes wait for each other in a circle, and nothing else is left to happen.
    pub(super) fn find_deadlock(&self) -> Result<(), Halt> {
        let waiting = self.frames.in_queues();
        let Some(circle) = self.circle(&waiting) else {
            return Ok(());
        };
        let time = self.now.to_f64() / self.clock.rate();
        let order = match self.options.arbitration {
            Arbitration::Source => "",
            Arbitration::Seeded => ", in a random order of simultaneous requests",
        };
        let count = circle.len();
        let message = match count {
            1 => format!("deadlock at the time {time}{order}: a process waits for itself"),
            _ => {
                format!("deadlock at the time {time}{order}: {count} processes wait for each other")
            }
        };
        let mut diagnostic = Diagnostic::error(message, Span::default(), "");
        diagnostic.labels = circle
            .iter()
            .take(MOST_SHOWN)
            .map(|&(frame, resource)| (self.place_of_request(frame), self.wait(frame, resource)))
            .collect();
        let hint = "take resources in one order wherever one is taken while another is held";
        Err(diagnostic.hint(hint).into())
    }

    /// Frames of which each waits for a resource that the next one holds, the last for one of the first.
    fn circle(&self, waiting: &[(u32, u32)]) -> Option<Vec<(u32, u32)>> {
        let mut path: Vec<usize> = vec![0];
        let mut held: Vec<Option<Vec<u32>>> = vec![None; waiting.len()];
        loop {
            let (_, wanted) = waiting.get(*path.last()?)?;
            let holder = (0..waiting.len()).find(|&other| {
                let (frame, _) = waiting[other];
                let own = held[other].get_or_insert_with(|| self.frames.held_around(frame));
                own.contains(wanted)
            })?;
            if let Some(begin) = path.iter().position(|&earlier| earlier == holder) {
                return Some(path[begin..].iter().map(|&at| waiting[at]).collect());
            }
            path.push(holder);
        }
    }

    fn wait(&self, frame: u32, resource: u32) -> String {
        let mut held = self.frames.held_around(frame);
        held.dedup();
        let names = held
            .into_iter()
            .map(|one| format!("`{}`", self.name_of(one)));
        let held: Vec<String> = names.collect();
        format!(
            "waits for `{}`, holds {}",
            self.name_of(resource),
            held.join(", ")
        )
    }

    fn name_of(&self, resource: u32) -> String {
        let mut names = self.names.iter();
        let found = names.find(|(_, number)| **number == resource);
        found.map_or(String::new(), |((array, index), _)| {
            format!("{array}({index})")
        })
    }

    /// Location of the request that a frame waits for.
    fn place_of_request(&self, frame: u32) -> Span {
        let position = self.frames[frame].position;
        match &self.code.instructions[position as usize] {
            Instruction::Use(resource, _) | Instruction::Hold(resource) => {
                self.code.expressions[*resource as usize].expr.span
            }
            _ => self.place_of(frame),
        }
    }
}
