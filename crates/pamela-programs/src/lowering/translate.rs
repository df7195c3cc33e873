//! Translates parts into processes: threads, barriers and locks become constructs of the language.

use super::meeting::{DEEPEST, has_tasks, inlined, is_of_all};
use super::message::Network;
use super::number::*;
use super::part::*;
use super::process::{Process, Resource, busiest, held, sequence};
use super::walker::Walker;

/// Translates the parts of a walked program into processes, and collects the declarations of the model.
pub struct Translator<'a, 'b> {
    pub walker: &'a mut Walker<'b>,
    pub resources: std::collections::BTreeSet<Resource>,
    /// Numbers assumed to divide: their remainders are 0.
    pub whole: Vec<(Number, Number)>,
    pub notes: Vec<String>,
    pub instances: Vec<Instance>,
}

/// The work of the threads of a team between two barriers.
#[derive(Default)]
pub struct Phases {
    pub done: Vec<Process>,
    pub thread: Vec<Process>,
}

impl<'a, 'b> Translator<'a, 'b> {
    pub fn new(walker: &'a mut Walker<'b>) -> Translator<'a, 'b> {
        let instances = walker.instances.clone();
        Translator {
            walker,
            resources: Default::default(),
            whole: Vec::new(),
            notes: Vec::new(),
            instances,
        }
    }

    /// The process of a part; for a work-sharing function at the top level, the process of the team.
    pub fn process(&mut self, part: &Part, team: Option<&(Number, Symbol)>) -> Process {
        let world = self.walker.world.clone();
        if let Some(world) = world.filter(|_| is_of_all(part, &self.instances)) {
            return self.of_all(part, &world);
        }
        match team {
            Some((threads, thread)) if self.is_of_team(part) => self.inside(part, threads, *thread),
            _ => self.plain(part),
        }
    }

    /// The work of one thread.
    pub fn plain(&mut self, part: &Part) -> Process {
        match part {
            Part::Sequence(parts) if self.has_waits(parts) => self.with_waits(parts),
            Part::Sequence(parts) => sequence(parts.iter().map(|part| self.plain(part)).collect()),
            Part::Block(block) => Process::Delay(Number::symbol(self.walker.blocks[*block].symbol)),
            Part::Cost(cost) => Process::Delay(cost.clone()),
            Part::Loop(range, body) => Process::Seq((**range).clone(), Box::new(self.plain(body))),
            Part::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.plain(then), self.plain(otherwise));
                if then == otherwise {
                    // Two messages that take the same time.
                    then
                } else {
                    Process::If(condition.clone(), Box::new(then), Box::new(otherwise))
                }
            }
            Part::Switch(cases) => Process::Switch(
                cases
                    .iter()
                    .map(|(c, part)| (c.clone(), self.plain(part)))
                    .collect(),
            ),
            Part::Call(instance, arguments) => Process::Call(*instance, arguments.clone()),
            Part::Parallel(team) => self.team(team),
            Part::Critical(name, body) => {
                let lock = self.owned(Resource::Lock(format!("lock_{name}")));
                let cost = self.walker.machine_time("t_lock", "taking a lock");
                let body = self.on(&lock, body);
                self.resources.insert(lock.clone());
                sequence(vec![Process::Use(lock, cost), body])
            }
            // Outside of a team, by the one thread that there is.
            Part::Shared(shared) => {
                Process::Seq(shared.range.clone(), Box::new(self.plain(&shared.body)))
            }
            Part::Sections(parts, _) => {
                sequence(parts.iter().map(|part| self.plain(part)).collect())
            }
            Part::Single(body, _) | Part::Master(body) => self.plain(body),
            Part::Task(body) => self.task_of_its_own(body),
            Part::Barrier | Part::TaskWait => sequence(Vec::new()),
            Part::Mapped(mapped) => {
                let body = match &mapped.owner {
                    Some(owner) => self.on(&Resource::Processor(owner.clone()), &mapped.body),
                    None => self.plain(&mapped.body),
                };
                Process::Par(mapped.range.clone(), Box::new(body))
            }
            Part::Owned(owner, body) => self.on(&Resource::Processor(owner.clone()), body),
            Part::Message(words) => self.message(words),
            Part::Transfer(transfer) => self.transfer(transfer),
            Part::Wait | Part::Again(_) => sequence(Vec::new()),
            Part::Pipeline(pipeline) => self.pipeline(pipeline),
            Part::Collective(collective) => {
                Process::Call(collective.instance, collective.arguments())
            }
        }
    }

    /// A part that holds a resource for its whole time, with its calls expanded.
    pub fn on(&mut self, resource: &Resource, part: &Part) -> Process {
        let inlined = self.inlined(part, DEEPEST);
        let process = self.plain(&inlined);
        self.resources.insert(resource.clone());
        held(process, resource)
    }

    pub fn inlined(&self, part: &Part, depth: usize) -> Part {
        inlined(part, &self.instances, depth)
    }

    /// Sends this many words through the network, which transfers one message at a time.
    fn message(&mut self, words: &Number) -> Process {
        let start = self
            .walker
            .machine_time("t_startup", "setting up a message");
        let word = self.walker.machine_time("t_word", "sending one word");
        let time = words.times(&word).and_then(|time| start.plus(&time));
        let network = Resource::Lock("network".to_string());
        self.resources.insert(network.clone());
        Process::Use(network, time.unwrap_or(start))
    }

    fn is_of_team(&self, part: &Part) -> bool {
        is_of_team(part, &self.instances)
    }

    fn team(&mut self, team: &Team) -> Process {
        let fork = self
            .walker
            .machine_time("t_fork", "starting a team of threads");
        let mut phases = Phases::default();
        phases.done.push(Process::Delay(fork));
        self.phase(&team.body, &team.threads, team.thread, &mut phases);
        self.combine(team.reductions, &mut phases);
        self.flush(&team.threads, team.thread, &mut phases);
        if !self.ends_with_barrier(&phases) {
            let barrier = self.barrier();
            phases.done.push(barrier);
        }
        sequence(phases.done)
    }

    fn barrier(&mut self) -> Process {
        Process::Delay(
            self.walker
                .machine_time("t_barrier", "waiting of the threads for each other"),
        )
    }

    fn ends_with_barrier(&mut self, phases: &Phases) -> bool {
        let barrier = self.barrier();
        phases.thread.is_empty() && phases.done.last() == Some(&barrier)
    }

    /// Emits the accumulated work of the threads, each on its own.
    pub fn flush(&mut self, threads: &Number, thread: Symbol, phases: &mut Phases) {
        let work = sequence(std::mem::take(&mut phases.thread));
        if work == Process::Sequence(Vec::new()) {
            return;
        }
        let work = if self.takes_locks(&work) {
            work
        } else {
            busiest(&work, thread, threads).unwrap_or(work)
        };
        let range = Range::of_threads(thread, threads);
        phases.done.push(Process::Par(range, Box::new(work)));
    }

    /// True if a function that a process calls waits for others.
    fn takes_locks(&self, process: &Process) -> bool {
        match process {
            Process::Delay(_) => false,
            Process::Use(..) | Process::Par(..) | Process::Pipeline(_) => true,
            Process::Sequence(list) | Process::Both(list) => {
                list.iter().any(|process| self.takes_locks(process))
            }
            Process::Seq(_, body) => self.takes_locks(body),
            Process::If(_, then, otherwise) => {
                self.takes_locks(then) || self.takes_locks(otherwise)
            }
            Process::Switch(cases) => cases.iter().any(|(_, process)| self.takes_locks(process)),
            Process::Call(instance, _) => {
                let body = self.inlined(&self.instances[*instance].body, DEEPEST);
                let mut found = false;
                let is_free = self.walker.network == Network::Free;
                body.walk(&mut |part| {
                    found |= match part {
                        Part::Critical(..) => true,
                        Part::Transfer(_) => !is_free,
                        _ => false,
                    };
                });
                found
            }
        }
    }

    fn end(&mut self, ending: Ending, threads: &Number, thread: Symbol, phases: &mut Phases) {
        if ending == Ending::Barrier {
            self.flush(threads, thread, phases);
            let barrier = self.barrier();
            phases.done.push(barrier);
        }
    }

    /// Each thread adds its part of a reduction.
    fn combine(&mut self, reductions: usize, phases: &mut Phases) {
        if reductions == 0 {
            return;
        }
        let cost = self
            .walker
            .machine_time("t_combine", "adding a thread's part of a reduction");
        let cost = cost
            .scaled(i64::try_from(reductions).unwrap_or(1))
            .unwrap_or(cost);
        let lock = self.owned(Resource::Lock("lock_reduction".to_string()));
        self.resources.insert(lock.clone());
        phases.thread.push(Process::Use(lock, cost));
    }

    /// Adds a part to the work of the threads.
    ///
    /// One long function, because it is a table with an arm for each kind of part.
    fn phase(&mut self, part: &Part, threads: &Number, thread: Symbol, phases: &mut Phases) {
        if !self.is_of_team(part) {
            let process = self.plain(part);
            phases.thread.push(process);
            return;
        }
        match part {
            Part::Sequence(parts) => {
                for part in parts {
                    self.phase(part, threads, thread, phases);
                }
            }
            Part::Shared(shared) => {
                self.shared(shared, threads, thread, phases);
                self.combine(shared.reductions, phases);
                self.end(shared.ending, threads, thread, phases);
            }
            Part::Barrier => self.end(Ending::Barrier, threads, thread, phases),
            Part::Single(body, ending) => {
                self.flush(threads, thread, phases);
                let process = self.with_all_tasks(body, threads);
                phases.done.push(process);
                self.end(*ending, threads, thread, phases);
            }
            Part::Master(body) if has_tasks(body, &self.instances) => {
                self.flush(threads, thread, phases);
                let process = self.with_all_tasks(body, threads);
                phases.done.push(process);
            }
            Part::Sections(parts, ending) => {
                self.flush(threads, thread, phases);
                let pool = self.owned(Resource::Pool(threads.clone()));
                let sections = parts.iter().map(|part| self.on(&pool, part)).collect();
                phases.done.push(Process::Both(sections));
                self.end(*ending, threads, thread, phases);
            }
            Part::Loop(range, body) => {
                let mut inner = Phases::default();
                self.phase(body, threads, thread, &mut inner);
                if inner.done.is_empty() {
                    // Nobody waits in it: each thread goes through all iterations by itself.
                    let body = sequence(inner.thread);
                    phases
                        .thread
                        .push(Process::Seq((**range).clone(), Box::new(body)));
                    return;
                }
                self.flush(threads, thread, &mut inner);
                self.flush(threads, thread, phases);
                let body = sequence(inner.done);
                phases
                    .done
                    .push(Process::Seq((**range).clone(), Box::new(body)));
            }
            Part::If(condition, then, otherwise) => {
                self.flush(threads, thread, phases);
                let then = self.inside(then, threads, thread);
                let otherwise = self.inside(otherwise, threads, thread);
                phases.done.push(Process::If(
                    condition.clone(),
                    Box::new(then),
                    Box::new(otherwise),
                ));
            }
            // Shared work is described for all threads together, not for one.
            Part::Call(_, arguments) if arguments.iter().any(|a| a.mentions(thread)) => {
                let body = self.inlined(part, 1);
                self.phase(&body, threads, thread, phases);
            }
            Part::Call(instance, arguments) => {
                self.flush(threads, thread, phases);
                phases
                    .done
                    .push(Process::Call(*instance, arguments.clone()));
            }
            other => {
                let process = self.plain(other);
                phases.thread.push(process);
            }
        }
    }

    /// The phases of a part of the team's program, as one process.
    fn inside(&mut self, part: &Part, threads: &Number, thread: Symbol) -> Process {
        let mut phases = Phases::default();
        self.phase(part, threads, thread, &mut phases);
        self.flush(threads, thread, &mut phases);
        sequence(phases.done)
    }
}

/// True if a team runs a part together, not each thread separately.
pub fn is_of_team(part: &Part, instances: &[Instance]) -> bool {
    let mut found = false;
    part.walk(&mut |part| {
        found |= match part {
            Part::Shared(_) | Part::Sections(..) | Part::Single(..) | Part::Barrier => true,
            Part::Master(body) => has_tasks(body, instances),
            Part::Call(instance, _) => is_of_team(&instances[*instance].body, instances),
            _ => false,
        };
    });
    found && !matches!(part, Part::Parallel(_))
}
