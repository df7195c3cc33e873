//! Translates programs of ranks into processes: all ranks run in parallel between collective calls.

use super::meeting::{DEEPEST, holds, is_of_all};
use super::message::{Network, Transfer, Way, World};
use super::number::{Condition, Number};
use super::part::*;
use super::process::{Chain, Process, Resource, sequence};
use super::split::all_at_once;
use super::translate::{Phases, Translator};
use crate::problem::Problem;

/// Maximum number of nonblocking messages before a wait that overlap with work between them.
const MOST_POSTS: usize = 64;

impl Translator<'_, '_> {
    /// The main process.
    pub fn entry(&mut self, body: &Part) -> Process {
        match self.walker.world.clone() {
            Some(world) => self.of_all(body, &world),
            None => self.process(body, None),
        }
    }

    /// A resource that each rank has separately.
    pub fn owned(&self, resource: Resource) -> Resource {
        match &self.walker.world {
            Some(world) => Resource::OfRank(Box::new(resource), Number::symbol(world.rank)),
            None => resource,
        }
    }

    /// The process of all ranks.
    pub fn of_all(&mut self, part: &Part, world: &World) -> Process {
        let mut phases = Phases::default();
        self.cut(part, world, &mut phases);
        self.meet(world, &mut phases);
        sequence(phases.done)
    }

    /// Emits the work of the ranks up to a common point, each rank on its own.
    fn meet(&mut self, world: &World, phases: &mut Phases) {
        let work = sequence(std::mem::take(&mut phases.thread));
        if !work.is_nothing() {
            phases.done.push(all_at_once(work, world));
        }
    }

    /// Cuts a part where all ranks meet.
    fn cut(&mut self, part: &Part, world: &World, phases: &mut Phases) {
        match part {
            part if !self.meets(part) => {
                let process = self.with_waits(std::slice::from_ref(part));
                phases.thread.push(process);
            }
            Part::Sequence(parts) => {
                let mut at = 0;
                while at < parts.len() {
                    let alone = parts[at..]
                        .iter()
                        .take_while(|part| !self.meets(part))
                        .count();
                    if alone > 0 {
                        let process = self.with_waits(&parts[at..at + alone]);
                        phases.thread.push(process);
                    }
                    at += alone;
                    if let Some(part) = parts.get(at) {
                        self.cut(part, world, phases);
                    }
                    at += 1;
                }
            }
            Part::Collective(collective) => {
                self.meet(world, phases);
                let call = Process::Call(collective.instance, collective.arguments());
                phases.done.push(if collective.words.mentions(world.rank) {
                    Process::Par(Range::of_ranks(world), Box::new(call))
                } else {
                    call
                });
            }
            Part::Pipeline(pipeline) => {
                self.meet(world, phases);
                let process = self.pipeline(pipeline);
                phases.done.push(process);
            }
            Part::Loop(range, body) if !is_of_rank(part, world) => {
                self.meet(world, phases);
                let body = self.of_all(body, world);
                phases
                    .done
                    .push(Process::Seq((**range).clone(), Box::new(body)));
            }
            Part::If(condition, then, otherwise) if is_of_rank(part, world) => {
                match self.merged(condition, then, otherwise) {
                    Some(merged) => self.cut(&merged, world, phases),
                    None => self.alone(part, phases),
                }
            }
            Part::If(condition, then, otherwise) => {
                if let Condition::Share(_) = condition {
                    self.unsure(part, "is assumed to hold for all ranks or for none");
                }
                self.meet(world, phases);
                let then = self.of_all(then, world);
                let otherwise = self.of_all(otherwise, world);
                let choice = Process::If(condition.clone(), Box::new(then), Box::new(otherwise));
                phases.done.push(choice);
            }
            Part::Switch(cases) if !is_of_rank(part, world) => {
                self.meet(world, phases);
                let cases = cases.iter();
                let cases = cases.map(|(c, part)| (c.clone(), self.of_all(part, world)));
                let cases = cases.collect();
                phases.done.push(Process::Switch(cases));
            }
            Part::Call(instance, arguments) if !is_of_rank(part, world) => {
                self.meet(world, phases);
                phases
                    .done
                    .push(Process::Call(*instance, arguments.clone()));
            }
            other => self.alone(other, phases),
        }
    }

    /// True if all ranks meet in a part.
    fn meets(&self, part: &Part) -> bool {
        is_of_all(part, &self.instances)
    }

    /// A part in which not all ranks do the same, although they meet in it.
    fn alone(&mut self, part: &Part, phases: &mut Phases) {
        self.unsure(
            part,
            "depends on the rank: its time is counted, but not the waiting of ranks for each other",
        );
        let process = self.with_waits(std::slice::from_ref(part));
        phases.thread.push(process);
    }

    /// Says something of the condition around a call that all ranks make.
    fn unsure(&mut self, part: &Part, what: &str) {
        let inlined = self.inlined(part, DEEPEST);
        let mut place = None;
        inlined.walk(&mut |part| {
            if let Part::Collective(collective) = part {
                place.get_or_insert(collective.place.clone());
            }
        });
        let mut problem = Problem::new(format!(
            "the condition or count of this call of all ranks {what}"
        ));
        problem.place = place;
        self.walker.unsure(problem);
    }

    /// Two ways on which all ranks meet alike are one, on which they differ in between.
    fn merged(&self, condition: &Condition, then: &Part, otherwise: &Part) -> Option<Part> {
        let (then, otherwise) = (items(then), items(otherwise));
        let split = |list: &[Part]| {
            let mut runs = vec![Vec::new()];
            let mut meetings = Vec::new();
            for part in list {
                if self.meets(part) {
                    meetings.push(part.clone());
                    runs.push(Vec::new());
                } else {
                    runs.last_mut()?.push(part.clone())
                }
            }
            Some((runs, meetings))
        };
        let ((runs, meetings), (others, other_meetings)) = (split(&then)?, split(&otherwise)?);
        let are_same = meetings.len() == other_meetings.len()
            && meetings
                .iter()
                .zip(&other_meetings)
                .all(|(a, b)| is_same(a, b));
        if !are_same {
            return None;
        }
        let mut parts = Vec::new();
        let mut meetings = meetings.into_iter();
        for (run, other) in runs.into_iter().zip(others) {
            let (run, other) = (Part::sequence(run), Part::sequence(other));
            parts.push(Part::choice(condition.clone(), run, other));
            parts.extend(meetings.next());
        }
        Some(Part::sequence(parts))
    }

    /// Parts in sequence. Nonblocking messages overlap with the work until the next wait.
    pub fn with_waits(&mut self, parts: &[Part]) -> Process {
        let mut row = Vec::new();
        let mut rest = parts;
        while !rest.is_empty() {
            let waits = |part: &Part| self.holds(part, &|part| matches!(part, Part::Wait));
            let place = rest.iter().position(waits).unwrap_or(rest.len());
            row.push(self.until_wait(&rest[..place], MOST_POSTS));
            row.extend(rest.get(place).map(|part| self.plain(part)));
            rest = rest.get(place + 1..).unwrap_or_default();
        }
        sequence(row)
    }

    /// Parts without a wait: the parts after a nonblocking message run beside it.
    fn until_wait(&mut self, parts: &[Part], most: usize) -> Process {
        let first = parts.iter().position(|part| self.posts(part));
        let (before, rest) = parts.split_at(first.unwrap_or(parts.len()));
        let count = rest.iter().take_while(|part| self.posts(part)).count();
        let (posted, behind) = rest.split_at(if most > 1 { count } else { rest.len() });
        let row = before.iter().chain(posted);
        let mut row: Vec<Process> = row.map(|part| self.plain(part)).collect();
        if !posted.is_empty() {
            let words = self.on_their_way(posted);
            let behind = Some(self.until_wait(behind, most.saturating_sub(1)))
                .filter(|work| !work.is_nothing());
            row.extend(both(words.into_iter().chain(behind).collect()));
        }
        sequence(row)
    }

    /// True if a row of parts has its waits among them.
    pub fn has_waits(&self, parts: &[Part]) -> bool {
        let waits = |part: &Part| self.holds(part, &|part| matches!(part, Part::Wait));
        parts.iter().any(waits)
    }

    fn posts(&self, part: &Part) -> bool {
        let is_posted = |part: &Part| match part {
            Part::Transfer(transfer) => transfer.at_once,
            _ => false,
        };
        self.holds(part, &is_posted)
    }

    /// True if a part, or a function that it calls, contains a part of this kind.
    fn holds(&self, part: &Part, is_one: &dyn Fn(&Part) -> bool) -> bool {
        holds(part, &self.instances, is_one)
    }

    /// The words of messages that were posted, all at once.
    fn on_their_way(&mut self, posted: &[Part]) -> Option<Process> {
        let list: Vec<Process> = posted
            .iter()
            .filter_map(|part| self.words_of(part))
            .collect();
        both(list)
    }

    fn words_of(&mut self, part: &Part) -> Option<Process> {
        match part {
            Part::Transfer(transfer) if transfer.at_once => {
                let word = self.walker.word();
                let time = transfer.words().times(&word)?;
                Some(self.through(transfer, time))
            }
            Part::Sequence(parts) => {
                let list = parts
                    .iter()
                    .filter_map(|part| self.words_of(part))
                    .collect();
                both(list)
            }
            Part::Loop(range, body) => {
                let body = self.words_of(body)?;
                Some(Process::Par((**range).clone(), Box::new(body)))
            }
            Part::If(condition, then, otherwise) => {
                let then = self.words_of(then);
                let otherwise = self.words_of(otherwise);
                if then.is_none() && otherwise.is_none() {
                    return None;
                }
                let or_nothing = |process: Option<Process>| {
                    Box::new(process.unwrap_or(Process::Sequence(Vec::new())))
                };
                Some(match then {
                    None => Process::If(
                        condition.clone().negated(),
                        or_nothing(otherwise),
                        or_nothing(None),
                    ),
                    then => Process::If(condition.clone(), or_nothing(then), or_nothing(otherwise)),
                })
            }
            Part::Call(..) => {
                let inlined = self.inlined(part, DEEPEST);
                match inlined {
                    Part::Call(..) => None,
                    inlined => self.words_of(&inlined),
                }
            }
            _ => None,
        }
    }

    /// The graph of a pipeline of ranks.
    pub fn pipeline(&mut self, pipeline: &Pipeline) -> Process {
        let work = self.plain(&pipeline.work);
        let message = self.transfer(&pipeline.message);
        let Some(world) = self.walker.world.clone() else {
            return work;
        };
        let mut ranges = vec![Range::of_ranks(&world)];
        ranges.extend(pipeline.ranges.iter().cloned());
        Process::Pipeline(Box::new(Chain {
            ranges,
            work,
            message,
        }))
    }

    /// The process of a call that sends or receives.
    pub fn transfer(&mut self, transfer: &Transfer) -> Process {
        let startup = self.walker.startup();
        if transfer.at_once {
            return Process::Delay(startup);
        }
        let word = self.walker.word();
        let time = transfer
            .words()
            .times(&word)
            .and_then(|sent| startup.plus(&sent));
        self.through(transfer, time.unwrap_or(startup))
    }

    /// A time that a message takes of the network, where it is sent.
    fn through(&mut self, transfer: &Transfer, time: Number) -> Process {
        let sends = transfer.ends.iter().any(|end| end.way == Way::Sends);
        let resource = match (self.walker.network, transfer.destination()) {
            (Network::Shared, _) if sends => Resource::Lock("network".to_string()),
            (Network::Links, Some(destination)) => Resource::Link(destination.clone()),
            _ => return Process::Delay(time),
        };
        self.resources.insert(resource.clone());
        Process::Use(resource, time)
    }
}

fn items(part: &Part) -> Vec<Part> {
    match part {
        Part::Sequence(parts) => parts.clone(),
        other => vec![other.clone()],
    }
}

/// True if all ranks meet in two parts in the same way.
fn is_same(a: &Part, b: &Part) -> bool {
    match (a, b) {
        (Part::Collective(a), Part::Collective(b)) => {
            a.instance == b.instance && a.words == b.words
        }
        (a, b) => a == b,
    }
}

/// At once; what takes no resource is as long together as alone.
fn both(found: Vec<Process>) -> Option<Process> {
    let mut list: Vec<Process> = Vec::new();
    for process in found {
        if !matches!(process, Process::Delay(_)) || !list.contains(&process) {
            list.push(process);
        }
    }
    match list.len() {
        0 | 1 => list.pop(),
        _ => Some(Process::Both(list)),
    }
}

/// True if a part itself, not what is inside of it, depends on the rank.
fn is_of_rank(part: &Part, world: &World) -> bool {
    let mut found = false;
    let mut visit = |symbol| found |= symbol == world.rank;
    match part {
        Part::Loop(range, _) => range.symbols(&mut visit),
        Part::If(condition, _, _) => condition.symbols(&mut visit),
        Part::Switch(cases) => cases.iter().for_each(|(c, _)| c.symbols(&mut visit)),
        Part::Call(_, arguments) => arguments.iter().for_each(|a| a.symbols(&mut visit)),
        _ => {}
    }
    found
}
