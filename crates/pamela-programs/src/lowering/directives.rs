//! Pragmas: OpenMP directives, and directives of the user for this program.

mod atomics;
mod loops;

use loops::{ending, listed, reductions};

use super::assigned::assigned_in;
use super::number::*;
use super::part::*;
use super::shape::Shape;
use super::state::Values;
use super::walker::{Flow, List, Role, Runner, Walker};
use crate::problem::Problem;
use crate::source::tree::*;
use crate::source::{self, Family, Pragma};

/// Directives and clauses that are refused, with the reason.
const REFUSED: [(&str, &str); 12] = [
    ("cancel", "iterations that are left out are not modelled"),
    ("distribute", "leagues of teams are not modelled"),
    ("scan", "scans are not modelled"),
    ("tile", "loops that the compiler tiles are not modelled"),
    ("dispatch", "calls of variants are not modelled"),
    (
        "metadirective",
        "directives that depend on the context are not modelled",
    ),
    ("interop", "work on a device is not modelled"),
    ("target", "work on a device is not modelled"),
    ("teams", "leagues of teams are not modelled"),
    ("ordered", "ordered iterations are not modelled"),
    ("depend", "dependences between tasks are not modelled"),
    ("taskgroup", "groups of tasks are not modelled"),
];

/// Directives that leave the time of one thread as it is, or whose effect is part of the time of the statement behind them.
const WITHOUT_EFFECT: [&str; 19] = [
    "section",
    "taskwait",
    "taskyield",
    "flush",
    "threadprivate",
    "declare",
    "requires",
    "simd",
    "cancellation",
    "scope",
    "allocate",
    "assume",
    "assumes",
    "nothing",
    "error",
    "unroll",
    "end",
    "begin",
    "depobj",
];

/// Clauses that change which thread does what, with the directives that they stand at and the reason.
const CLAUSES: [(&str, &[&str], &str); 5] = [
    (
        "if",
        &["parallel", "task", "taskloop"],
        "the condition of the clause `if` is left out: threads share the work always",
    ),
    (
        "final",
        &["task", "taskloop"],
        "the clause `final` is left out: each task is a separate task",
    ),
    (
        "grainsize",
        &["taskloop"],
        "the clause `grainsize` is left out: each iteration is a task",
    ),
    (
        "num_tasks",
        &["taskloop"],
        "the clause `num_tasks` is left out: each iteration is a task",
    ),
    (
        "copyprivate",
        &["single"],
        "handing values of `copyprivate` to the other threads takes no time here",
    ),
];

/// A pragma with its statement, and the place of the pragmas behind it.
struct Site<'a> {
    statement: &'a Statement,
    pragma: &'a Pragma,
    rest: usize,
}

impl Walker<'_> {
    /// A statement with the remaining pragmas.
    pub fn directed(
        &mut self,
        statement: &Statement,
        from: usize,
        list: &mut List,
    ) -> Result<Flow, Problem> {
        for (place, pragma) in statement.pragmas.iter().enumerate().skip(from) {
            let site = Site {
                statement,
                pragma,
                rest: place + 1,
            };
            let found = match pragma.family {
                Family::Pamela => self.stated(&site, list)?,
                Family::OpenMp => self.openmp(&site, list)?,
                Family::Moving => self.moving(&site, list),
                Family::Unknown => {
                    self.note_unknown(pragma);
                    None
                }
            };
            if let Some(flow) = found {
                return Ok(flow);
            }
        }
        self.plain(statement, list)
    }

    /// `#pragma pamela ..`
    fn stated(&mut self, site: &Site, list: &mut List) -> Result<Option<Flow>, Problem> {
        let Site {
            statement, pragma, ..
        } = *site;
        let Some(first) = pragma.words.first() else {
            return Ok(None);
        };
        match first.name.as_str() {
            "cost" => list.parts.push(Part::Cost(self.written(pragma, "cost")?)),
            "message" => list
                .parts
                .push(Part::Message(self.written(pragma, "message")?)),
            "map" => {
                list.parts.push(self.mapped(statement, pragma)?);
                return Ok(Some(Flow::Next));
            }
            "on" => {
                let owner = self.written(pragma, "on")?;
                let part = self.apart(site)?;
                list.parts.push(Part::Owned(owner, Box::new(part)));
                return Ok(Some(Flow::Next));
            }
            "allreduce" => {
                if pragma.argument("allreduce").map(str::trim) != Some("ring") {
                    let problem = Problem::new("`allreduce` needs the name of an algorithm");
                    let hint = "expected #pragma pamela allreduce(ring); without it, ranks double";
                    return Err(problem.at(pragma.place.clone()).hint(hint));
                }
                let before = std::mem::replace(&mut self.in_ring, true);
                let flow = self.directed(statement, site.rest, list);
                self.in_ring = before;
                return flow.map(Some);
            }
            "ignore" => {}
            "region" => {
                let part = self.apart(site)?;
                self.region = Some(part.clone());
                list.parts.push(part);
                return Ok(Some(Flow::Next));
            }
            "param" | "trips" | "prob" | "depends" => return Ok(None),
            "shared" => {
                return Err(Problem::new("`shared` is not supported yet").at(pragma.place.clone()));
            }
            other => {
                return Err(
                    Problem::new(format!("`#pragma pamela {other}` is not known"))
                        .at(pragma.place.clone())
                        .hint("expected region, param, trips, prob, cost, map, on, message, allreduce, depends, or ignore"),
                );
            }
        }
        let names: Vec<String> = assigned_in(self, std::iter::once(statement))
            .into_iter()
            .collect();
        self.forget(&names, statement.span);
        Ok(Some(Flow::Next))
    }

    /// `#pragma omp ..`
    fn openmp(&mut self, site: &Site, list: &mut List) -> Result<Option<Flow>, Problem> {
        let Site {
            statement, pragma, ..
        } = *site;
        if let Some((_, reason)) = REFUSED.iter().find(|(word, _)| pragma.has(word)) {
            return Ok(Some(self.refused(statement, pragma, reason, list)));
        }
        let first = pragma.words.first().map_or("", |word| word.name.as_str());
        for (clause, directives, reason) in CLAUSES {
            if pragma.words.iter().skip(1).any(|word| word.name == clause)
                && directives.iter().any(|name| pragma.has(name))
            {
                self.unsure(Problem::new(reason).at(pragma.place.clone()));
            }
        }
        self.orphaned(first, pragma);
        match first {
            "parallel" if self.team.is_some() => {
                let reason = "a team inside of a team is not modelled";
                return Ok(Some(self.refused(statement, pragma, reason, list)));
            }
            "parallel" => self.parallel(site, list)?,
            _ if self.team.is_none() && first != "critical" && first != "atomic" => {
                self.unknown_directive(first, pragma);
                return Ok(None);
            }
            "for" | "loop" => {
                let part = self.shared_loop(statement, pragma)?;
                list.parts.push(part);
            }
            "taskloop" => {
                let part = self.task_loop(statement, pragma)?;
                list.parts.push(part);
            }
            "taskwait" => list.parts.push(Part::TaskWait),
            "sections" => {
                let part = self.sections(statement, pragma)?;
                list.parts.push(part);
            }
            "single" => {
                let part = self.apart_by(Runner::Any, site)?;
                list.parts
                    .push(Part::Single(Box::new(part), ending(pragma)));
            }
            "master" | "masked" => {
                let part = if pragma.has("taskloop") {
                    self.task_loop(statement, pragma)?
                } else {
                    self.apart_by(self.master(pragma), site)?
                };
                list.parts.push(self.by_master(part));
            }
            "atomic" => {
                let part = self.one_by_one(site)?;
                list.parts.push(self.atomic(statement, pragma, part));
            }
            "critical" => {
                let name = pragma
                    .argument("critical")
                    .unwrap_or(first)
                    .trim()
                    .to_string();
                let part = self.one_by_one(site)?;
                list.parts.push(Part::Critical(name, Box::new(part)));
            }
            "task" => {
                let part = self.apart_by(Runner::Any, site)?;
                list.parts.push(Part::Task(Box::new(part)));
            }
            "barrier" => list.parts.push(Part::Barrier),
            _ => {
                self.unknown_directive(first, pragma);
                return Ok(None);
            }
        }
        Ok(Some(Flow::Next))
    }

    fn unknown_directive(&mut self, first: &str, pragma: &Pragma) {
        const KNOWN: [&str; 12] = [
            "for", "taskloop", "loop", "sections", "single", "master", "masked", "critical",
            "atomic", "task", "barrier", "parallel",
        ];
        if !WITHOUT_EFFECT.contains(&first) && !KNOWN.contains(&first) {
            let problem = Problem::new(format!("`omp {first}` is not known: it is ignored"));
            self.unsure(problem.at(pragma.place.clone()));
        }
    }

    /// Work that is shared, in a function that is modelled by itself.
    fn orphaned(&mut self, first: &str, pragma: &Pragma) {
        let shares = [
            "for", "loop", "sections", "single", "taskloop", "task", "critical",
        ];
        let own = self.stack.first().copied();
        let name = own.map(|entry| self.whole.functions[entry].function.name.as_str());
        if self.team.is_none() && shares.contains(&first) && name != Some("main") {
            let problem = Problem::new(format!(
                "there is no team of threads to share `omp {first}`: one thread does the work"
            ));
            let problem = problem.at(pragma.place.clone());
            self.unsure(problem.hint("choose the function with `omp parallel` as `entry`"));
        }
    }

    /// An unknown pragma, which compilers ignore.
    pub fn note_unknown(&mut self, pragma: &Pragma) {
        let name = pragma.words.first().map_or("", |word| word.name.as_str());
        let place = &pragma.place;
        self.note(&format!(
            "{place}: `#pragma {name}` is not known, and ignored as by a compiler"
        ));
    }

    /// `#pragma acc parallel loop`: work for a device, or for threads that are not those of OpenMP.
    fn moving(&mut self, site: &Site, list: &mut List) -> Option<Flow> {
        /// They move data or wait; the statement behind them is not theirs.
        const ALONE: [&str; 10] = [
            "enter", "exit", "update", "wait", "routine", "declare", "cache", "init", "shutdown",
            "set",
        ];
        let Site {
            statement, pragma, ..
        } = *site;
        let name = |at: usize| pragma.words.get(at).map_or("", |word| word.name.as_str());
        let (family, first) = (name(0), name(1));
        let reason = match family {
            "acc" => format!("`acc {first}` belongs to OpenACC: work on a device is not modelled"),
            _ => format!("`{family} {first}` gives work to others, which is not modelled"),
        };
        if ALONE.contains(&first) {
            let problem = Problem::new(reason).at(pragma.place.clone());
            let span = Span {
                start: pragma.start,
                end: pragma.start + 1,
            };
            let hint =
                "put the work into one function with #pragma pamela cost(a * n) in front of it";
            let part = self.opaque(span, problem.hint(hint));
            list.parts.push(part);
            return None;
        }
        Some(self.refused(statement, pragma, &reason, list))
    }

    fn refused(
        &mut self,
        statement: &Statement,
        pragma: &Pragma,
        reason: &str,
        list: &mut List,
    ) -> Flow {
        let problem = Problem::new(reason)
            .at(pragma.place.clone())
            .hint("give its cost: #pragma pamela cost(a * n)");
        let part = self.opaque(statement.span, problem);
        list.parts.push(part);
        let names: Vec<String> = assigned_in(self, std::iter::once(statement))
            .into_iter()
            .collect();
        self.forget(&names, statement.span);
        Flow::Next
    }

    /// A statement as a list of its own.
    fn apart(&mut self, site: &Site) -> Result<Part, Problem> {
        let mut inner = List::default();
        let before = self.values.clone();
        self.once(false, |walker| {
            walker.directed(site.statement, site.rest, &mut inner)
        })?;
        self.forget(&before.differing(&self.values), site.statement.span);
        Ok(Part::sequence(inner.parts))
    }

    /// Walks a statement that other threads run.
    fn apart_by(&mut self, runner: Runner, site: &Site) -> Result<Part, Problem> {
        self.run_by(runner, site.statement, |walker| walker.apart(site))
    }

    /// Walks a statement that threads run one after the other. Values that it assigns are not known afterwards, since
    /// other threads may have run it before.
    fn one_by_one(&mut self, site: &Site) -> Result<Part, Problem> {
        let part = self.apart(site)?;
        if self.team.is_some() {
            let names = assigned_in(self, std::iter::once(site.statement));
            self.forget_all(&names.into_iter().collect::<Vec<String>>());
        }
        Ok(part)
    }

    fn parallel(&mut self, site: &Site, list: &mut List) -> Result<(), Problem> {
        let Site {
            statement,
            pragma,
            rest,
        } = *site;
        let threads = match self.clause(pragma, "num_threads")? {
            Some(threads) => threads,
            None => self.default_threads(),
        };
        let thread = self.symbol("p", Role::Index);
        let is_loop = pragma.has("for") || pragma.has("loop");
        let sums = match Shape::of(statement).filter(|_| is_loop) {
            Some(shape) => self.shared_sums(&shape, statement, pragma)?,
            None => Vec::new(),
        };
        let before = self.values.clone();
        self.make_private(pragma);
        self.team = Some((threads.clone(), thread));
        let facts = self.facts.clone();
        self.facts.least.insert(thread, 0);
        let last = threads
            .plus_constant(-1)
            .and_then(|last| last.minus(&Number::symbol(thread)));
        self.facts.known.extend(last);
        let is_combined = |word: &str| pragma.has(word);
        let is_master = is_combined("master") || is_combined("masked");
        let body = self.once(false, |walker| {
            if is_loop {
                walker.shared_loop(statement, pragma)
            } else if is_combined("sections") {
                walker.sections(statement, pragma)
            } else {
                let body = if is_combined("taskloop") {
                    walker.task_loop(statement, pragma)?
                } else {
                    let mut inner = List::default();
                    let runner = if is_master {
                        walker.master(pragma)
                    } else {
                        Runner::Each
                    };
                    walker.run_by(runner, statement, |walker| {
                        walker.directed(statement, rest, &mut inner)
                    })?;
                    Part::sequence(inner.parts)
                };
                Ok(if is_master {
                    walker.by_master(body)
                } else {
                    body
                })
            }
        });
        self.team = None;
        let least = std::mem::replace(&mut self.facts, facts).least;
        self.facts.least.extend(least);
        self.forget(&before.differing(&self.values), statement.span);
        self.keep_own(&before, pragma);
        let body = body?;
        if let Part::Shared(shared) = &body {
            self.add_up(sums, &shared.range);
        }
        list.parts.push(Part::Parallel(Box::new(Team {
            threads,
            thread,
            body,
            reductions: if is_loop { 0 } else { reductions(pragma) },
        })));
        Ok(())
    }

    /// Variables that are each thread's own have no value yet.
    fn make_private(&mut self, pragma: &Pragma) {
        for (_, name) in listed(pragma, &["private", "lastprivate", "reduction"]) {
            self.set(name, None);
        }
    }

    /// Behind a construct, variables of which each thread had its own hold what they held before.
    fn keep_own(&mut self, before: &Values, pragma: &Pragma) {
        for (_, name) in listed(pragma, &["private", "firstprivate"]) {
            if let Some(binding) = before.get(name) {
                self.set(name, binding.value.clone());
            }
        }
    }

    /// The value of a clause that holds an expression of C.
    fn clause(&mut self, pragma: &Pragma, name: &str) -> Result<Option<Number>, Problem> {
        let Some(expression) = pragma.argument(name).and_then(source::expression) else {
            return Ok(None);
        };
        let value = self.value(&expression)?;
        self.pending.clear();
        Ok(value.number.filter(|_| !value.real))
    }
}
