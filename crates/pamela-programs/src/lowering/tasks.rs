//! OpenMP tasks: one thread creates them, any thread of the team runs them.

use super::meeting::{has_tasks, inlined, written_out};
use super::number::Number;
use super::part::Part;
use super::process::{Process, Resource, sequence};
use super::translate::Translator;

impl Translator<'_, '_> {
    /// The work of one thread of a team, with the tasks that it creates, directly or through calls.
    pub fn with_all_tasks(&mut self, part: &Part, threads: &Number) -> Process {
        let is_too_long = written_out(part, &self.instances).is_none();
        if is_too_long && has_tasks(part, &self.instances) {
            self.task_of_its_own(part)
        } else {
            self.with_tasks(part, threads, false)
        }
    }

    /// The work of one thread, with tasks that any thread may run: a loop that creates tasks creates them at once. A
    /// task inside another one holds a thread of the pool.
    fn with_tasks(&mut self, part: &Part, threads: &Number, inside: bool) -> Process {
        let pool = self.owned(Resource::Pool(threads.clone()));
        if !has_tasks(part, &self.instances) {
            return if inside {
                self.on(&pool, part)
            } else {
                self.plain(part)
            };
        }
        match part {
            Part::Sequence(parts) => {
                let parts = parts.split(|part| *part == Part::TaskWait);
                sequence(
                    parts
                        .map(|parts| self.beside(parts, threads, inside))
                        .collect(),
                )
            }
            Part::Loop(range, body) => {
                let body = self.with_tasks(body, threads, inside);
                Process::Par((**range).clone(), Box::new(body))
            }
            Part::If(condition, then, otherwise) => Process::If(
                condition.clone(),
                Box::new(self.with_tasks(then, threads, inside)),
                Box::new(self.with_tasks(otherwise, threads, inside)),
            ),
            Part::Task(body) => {
                let cost = self
                    .walker
                    .machine_time("t_task", "making and starting a task");
                let body = self.with_tasks(body, threads, true);
                self.resources.insert(pool.clone());
                sequence(vec![Process::Use(pool, cost), body])
            }
            Part::Call(..) => {
                let body = inlined(part, &self.instances, 1);
                self.with_tasks(&body, threads, inside)
            }
            other => self.plain(other),
        }
    }

    /// Parts until the next `taskwait`: the code after a task runs beside it.
    fn beside(&mut self, parts: &[Part], threads: &Number, inside: bool) -> Process {
        let mut behind: Vec<Process> = Vec::new();
        for part in parts.iter().rev() {
            let process = self.with_tasks(part, threads, inside);
            if behind.is_empty() || !has_tasks(part, &self.instances) {
                behind.insert(0, process);
                continue;
            }
            let mut at_once = vec![process];
            match (behind.pop(), behind.is_empty()) {
                (Some(Process::Both(list)), true) => at_once.extend(list),
                (last, _) => {
                    behind.extend(last);
                    at_once.push(sequence(behind));
                }
            }
            behind = vec![Process::Both(at_once)];
        }
        sequence(behind)
    }

    /// A task that every thread of a team creates for itself.
    pub fn task_of_its_own(&mut self, body: &Part) -> Process {
        self.note(
            "a task created outside `single` or `master` is done by the thread that creates it",
        );
        self.plain(body)
    }
}
