//! Instructions: the actions of a frame until it waits.

use super::values::Indices;
use super::{Halt, Machine};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{Choice, Decision};
use crate::simulate::chance::{mix, uniform};
use crate::simulate::code::Instruction;
use crate::simulate::frames::State;
use crate::simulate::time::Time;
use crate::syntax::tree::Composition;

/// The share of the iterations of a loop before and after which no cycle is measured.
const CYCLE_FROM: f64 = 0.1;
const CYCLE_TO: f64 = 0.7;

/// Slots after the counter of a loop: its last index, its first index and its mark.
const LAST: usize = 1;
const FIRST: usize = 2;
const MARK: usize = 3;

impl<'m, T: Time> Machine<'_, 'm, T> {
    /// Runs a frame until it waits or ends.
    ///
    /// One long function, because it is a table with an arm for each instruction.
    pub(super) fn resume(&mut self, mut frame: u32) -> Result<(), Halt> {
        let code = self.code;
        loop {
            let position = self.frames[frame].position;
            match &code.instructions[position as usize] {
                Instruction::Delay(time) => {
                    let time = self.time(frame, *time)?;
                    if let Some(trace) = &mut self.trace {
                        trace.waits(frame, self.now.to_f64() / self.clock.rate());
                    }
                    return self.schedule(frame, State::Delayed, time);
                }
                Instruction::Use(resource, _) | Instruction::Hold(resource) => {
                    let resource = self.resource(frame, *resource)?;
                    if let Some(trace) = &mut self.trace {
                        trace.waits(frame, self.now.to_f64() / self.clock.rate());
                    }
                    self.come(frame, resource);
                    return Ok(());
                }
                Instruction::Release => {
                    self.frames[frame].position += 1;
                    let Some(resource) = self.frames[frame].held.pop() else {
                        continue;
                    };
                    self.count_event()?;
                    if let Some(granted) = self.release(resource, frame)? {
                        self.run_next([granted, frame].into_iter());
                        return Ok(());
                    }
                }
                Instruction::Loop {
                    range,
                    slot,
                    step,
                    exit,
                } => {
                    let indices = self.indices(frame, *range)?;
                    self.frames[frame].position = match indices.count {
                        0 => *exit,
                        _ => {
                            self.begin_loop(frame, *slot, *step, indices);
                            position + 1
                        }
                    };
                }
                Instruction::Next {
                    slot,
                    step,
                    start,
                    cycle,
                } => {
                    self.count_turn()?;
                    let step = step.map_or(1, |step| self.frames[frame].slots[step]);
                    if let Some(cycle) = cycle {
                        self.measure_cycle(frame, *slot, step, *cycle);
                    }
                    let frame = &mut self.frames[frame];
                    let slots = &mut frame.slots;
                    frame.position = if slots[*slot] == slots[slot + LAST] {
                        position + 1
                    } else {
                        slots[*slot] += step;
                        *start
                    };
                }
                Instruction::Fork { kind, branches } => {
                    let joins = match kind {
                        Composition::Any => 1,
                        _ => branches.len() as u32,
                    };
                    let stream = self.draw(frame);
                    for (index, branch) in branches.iter().enumerate() {
                        self.branch(*branch, frame, index as i64, stream)?;
                    }
                    self.ready.rotate_right(branches.len());
                    self.frames[frame].state = State::Joins(joins);
                    return Ok(());
                }
                Instruction::ForkEach {
                    kind,
                    range,
                    branch,
                } => {
                    if self.fork_each(frame, *kind, *range, *branch)? {
                        return Ok(());
                    }
                    self.frames[frame].position += 1;
                }
                Instruction::Graph { graph } => {
                    if self.begin_graph(frame, *graph)? {
                        return Ok(());
                    }
                    self.frames[frame].position += 1;
                }
                Instruction::If {
                    condition,
                    otherwise,
                } => {
                    let holds = match self.decision(frame, *condition)? {
                        Decision::Truth(holds) => holds,
                        Decision::Trial(probability) => self.trial(frame, &[probability]) == 0,
                    };
                    self.frames[frame].position = if holds { position + 1 } else { *otherwise };
                }
                Instruction::Switch { choice } => {
                    let case = match self.choice(frame, *choice)? {
                        Choice::Case(case) => case,
                        Choice::Weights(weights) => self.trial(frame, &weights),
                    };
                    let targets = &code.choices[*choice as usize].targets;
                    self.frames[frame].position = targets[case.min(targets.len() - 1)];
                }
                Instruction::Jump(target) => self.frames[frame].position = *target,
                Instruction::Call { call } => {
                    let callee = self.call(frame, *call)?;
                    self.frames[frame].state = State::Joins(1);
                    frame = callee;
                }
                Instruction::Enter { slot } => {
                    let [high, low] = self.now.to_slots();
                    self.set(frame, *slot, high);
                    self.set(frame, slot + 1, low);
                    self.frames[frame].position += 1;
                }
                Instruction::Leave { slot, process } => {
                    let slots = &self.frames[frame].slots;
                    let began = T::of_slots([slots[*slot], slots[slot + 1]]);
                    let time = self.now.since(began);
                    if self.is_measured(*process, time) {
                        let executions = &mut self.executions[*process as usize];
                        executions.count += 1;
                        executions.time = executions.time.plus(time)?;
                    }
                    self.frames[frame].position += 1;
                }
                Instruction::End => match self.end(frame)? {
                    Some(parent) => frame = parent,
                    None => return Ok(()),
                },
            }
        }
    }

    /// False for the first requests of an open process. The times of others are kept.
    fn is_measured(&mut self, process: u32, time: T) -> bool {
        let Some(measuring) = self.measuring.as_mut().filter(|own| own.process == process) else {
            return true;
        };
        measuring.left += 1;
        if measuring.left > measuring.skipped {
            measuring.times.push(time.to_f64());
            return true;
        }
        if measuring.left == measuring.skipped {
            let now = self.now;
            measuring.from = now;
            for servers in &mut self.servers {
                servers.measure(now);
            }
            measuring.before = self
                .servers
                .iter()
                .map(|servers| servers.measured)
                .collect();
        }
        false
    }

    fn set(&mut self, frame: u32, slot: usize, value: i64) {
        let slots = &mut self.frames[frame].slots;
        if slots.len() <= slot {
            slots.resize(slot + 1, 0);
        }
        slots[slot] = value;
    }

    fn begin_loop(&mut self, frame: u32, slot: usize, step: Option<usize>, indices: Indices) {
        self.set(frame, slot, indices.first);
        self.set(frame, slot + LAST, indices.at(indices.count - 1));
        if !self.code.cycles.is_empty() {
            self.set(frame, slot + FIRST, indices.first);
            self.set(frame, slot + MARK, 0);
        }
        if let Some(step) = step {
            self.set(frame, step, indices.step);
        }
    }

    /// An iteration ends: between the first and the last that count lies the mean cycle.
    fn measure_cycle(&mut self, frame: u32, slot: usize, step: i64, cycle: u32) {
        let slots = &mut self.frames[frame].slots;
        let (counter, last, first) = (slots[slot], slots[slot + LAST], slots[slot + FIRST]);
        let iterations = |index: i64| index.abs_diff(first) / step.unsigned_abs() + 1;
        let (done, all) = (iterations(counter), iterations(last) as f64);
        let from = (all * CYCLE_FROM).ceil() as u64;
        let to = (all * CYCLE_TO).floor() as u64;
        let now = self.now.to_f64() / self.clock.rate();
        if done == from {
            slots[slot + MARK] = now.to_bits() as i64;
        } else if done == to && to > from {
            let began = f64::from_bits(slots[slot + MARK] as u64);
            let (sum, count) = &mut self.cycles[cycle as usize];
            *sum += (now - began) / (to - from) as f64;
            *count += 1;
        }
    }

    fn branch(&mut self, entry: u32, parent: u32, index: i64, stream: u64) -> Result<(), Halt> {
        self.count_turn()?;
        let child = self.start(entry, parent, index, mix(stream, index as u64))?;
        self.make_ready(child);
        Ok(())
    }

    /// Starts the branches; whether there is one to wait for.
    fn fork_each(
        &mut self,
        frame: u32,
        kind: Composition,
        range: u32,
        branch: u32,
    ) -> Result<bool, Halt> {
        let indices = self.indices(frame, range)?;
        let branches = indices.count;
        if branches == 0 {
            return Ok(false);
        }
        let joins = match kind {
            Composition::Any => self.quorum(frame, range, branches)?,
            _ => branches,
        };
        if branches > self.frames.room() {
            return Err(self.too_many(frame));
        }
        self.expect(branches as usize);
        let stream = self.draw(frame);
        self.frames[frame].state = State::Joins(joins as u32);
        for position in 0..branches {
            self.branch(branch, frame, indices.at(position), stream)?;
        }
        // The branches of a section within another come up before the rest of that: in the order of the text.
        self.ready.rotate_right(branches as usize);
        Ok(true)
    }

    /// The position that a random number falls on, of parts with these sizes; the number of parts, if behind all.
    fn trial(&mut self, frame: u32, weights: &[f64]) -> usize {
        self.random = true;
        self.trials = true;
        let mut rest = uniform(self.draw(frame));
        for (position, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return position;
            }
            rest -= weight;
        }
        weights.len()
    }

    fn call(&mut self, frame: u32, call: u32) -> Result<u32, Halt> {
        let code = self.code;
        let call = &code.calls[call as usize];
        let names = self.names(frame, call.scope);
        let (process, names) = self.evaluator.called(call.name, call.arguments, &names)?;
        let Some(entry) = code.block(process) else {
            let message = format!("`{}` cannot be called here", call.name.text);
            return Err(Diagnostic::error(message, call.name.span, "called here").into());
        };
        let stream = self.draw(frame);
        let callee = self.start(entry, frame, 0, stream)?;
        self.frames[callee].arguments = Some(names);
        Ok(callee)
    }

    /// A frame ends; its parent, if that goes on.
    fn end(&mut self, frame: u32) -> Result<Option<u32>, Halt> {
        let (parent, index) = (self.frames[frame].parent, self.frames[frame].index);
        self.frames.end(frame);
        if parent == super::NONE {
            return Ok(None);
        }
        let State::Joins(joins) = &mut self.frames[parent].state else {
            return Ok(None);
        };
        *joins -= 1;
        let joins = *joins;
        let started = self.task_ended(parent, index)?;
        if joins > 0 {
            self.run_next(started.into_iter());
            return Ok(None);
        }
        self.forget_graph(parent);
        let granted = self.stop_branches(parent)?;
        self.frames[parent].state = State::Ready;
        self.frames[parent].position += 1;
        if granted.is_empty() {
            return Ok(Some(parent));
        }
        self.run_next(granted.into_iter().chain([parent]));
        Ok(None)
    }

    /// Location of the frame in the source.
    pub(super) fn place_of(&self, frame: u32) -> Span {
        let code = self.code;
        if frame == super::NONE {
            return Span::default();
        }
        match &code.instructions[self.frames[frame].position as usize] {
            Instruction::Loop { range, .. } | Instruction::ForkEach { range, .. } => {
                code.ranges[*range as usize].range.index.span
            }
            Instruction::Delay(time) | Instruction::Use(_, time) => {
                code.expressions[*time as usize].expr.span
            }
            Instruction::Hold(resource) => code.expressions[*resource as usize].expr.span,
            Instruction::Call { call } => code.calls[*call as usize].name.span,
            Instruction::Graph { graph } => code.graphs[*graph as usize].span,
            _ => Span::default(),
        }
    }
}
