//! Processes in the form of the language.

use super::number::*;
use super::part::Range;

/// A process of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Process {
    Delay(Number),
    Use(Resource, Number),
    Sequence(Vec<Process>),
    /// At once.
    Both(Vec<Process>),
    Seq(Range, Box<Process>),
    Par(Range, Box<Process>),
    If(Condition, Box<Process>, Box<Process>),
    Switch(Vec<(Condition, Process)>),
    Call(usize, Vec<Number>),
    /// A graph.
    Pipeline(Box<Chain>),
}

/// Work of ranks: each piece follows the same piece of the previous rank and the previous piece of the same rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The range of the ranks first.
    pub ranges: Vec<Range>,
    pub work: Process,
    /// The message to the next rank, sent by all ranks but the last.
    pub message: Process,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// A thread in a cyclic distribution of iterations.
    Thread(Number),
    /// A processor that owns data.
    Processor(Number),
    /// The link to a rank.
    Link(Number),
    /// Any thread of a pool of this size.
    Pool(Number),
    Lock(String),
    /// A resource of this kind for each rank.
    OfRank(Box<Resource>, Number),
}

impl Resource {
    /// Name of the array if a number distinguishes its elements.
    pub fn family(&self) -> Option<&'static str> {
        match self {
            Resource::Thread(_) => Some("thread"),
            Resource::Processor(_) => Some("cpu"),
            Resource::Link(_) => Some("link"),
            Resource::Pool(_) | Resource::Lock(_) | Resource::OfRank(..) => None,
        }
    }
}

impl Resource {
    fn with(&self, number: &dyn Fn(&Number) -> Option<Number>) -> Option<Resource> {
        Some(match self {
            Resource::Thread(n) => Resource::Thread(number(n)?),
            Resource::Processor(n) => Resource::Processor(number(n)?),
            Resource::Link(n) => Resource::Link(number(n)?),
            Resource::Pool(n) => Resource::Pool(number(n)?),
            Resource::Lock(name) => Resource::Lock(name.clone()),
            Resource::OfRank(own, rank) => {
                Resource::OfRank(Box::new(own.with(number)?), number(rank)?)
            }
        })
    }

    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Resource::Thread(number)
            | Resource::Processor(number)
            | Resource::Link(number)
            | Resource::Pool(number) => number.symbols(visit),
            Resource::Lock(_) => {}
            Resource::OfRank(own, rank) => {
                own.symbols(visit);
                rank.symbols(visit);
            }
        }
    }
}

impl Process {
    pub fn is_nothing(&self) -> bool {
        match self {
            Process::Sequence(list) | Process::Both(list) => list.iter().all(Process::is_nothing),
            Process::Delay(time) => time.as_constant() == Some(0),
            _ => false,
        }
    }

    /// An empty process if both branches are empty.
    pub fn choice(condition: Condition, then: Process, otherwise: Process) -> Process {
        match condition {
            Condition::Constant(true) => then,
            Condition::Constant(false) => otherwise,
            _ if then == otherwise => then,
            _ if then.is_nothing() => {
                Process::If(condition.negated(), Box::new(otherwise), Box::new(then))
            }
            _ => Process::If(condition, Box::new(then), Box::new(otherwise)),
        }
    }

    /// The process with other numbers and conditions; nothing where one of them becomes too long.
    fn rewritten(
        &self,
        number: &dyn Fn(&Number) -> Option<Number>,
        condition: &dyn Fn(&Condition) -> Option<Condition>,
    ) -> Option<Process> {
        let inner = |process: &Process| process.rewritten(number, condition);
        let all = |list: &[Process]| list.iter().map(inner).collect::<Option<Vec<Process>>>();
        let range = |range: &Range| {
            Some(Range {
                index: range.index,
                first: number(&range.first)?,
                last: number(&range.last)?,
                step: number(&range.step)?,
            })
        };
        let resource = |resource: &Resource| resource.with(number);
        Some(match self {
            Process::Delay(time) => Process::Delay(number(time)?),
            Process::Use(r, time) => Process::Use(resource(r)?, number(time)?),
            Process::Sequence(list) => {
                let mut list = all(list)?;
                list.retain(|process| !process.is_nothing());
                sequence(list)
            }
            Process::Both(list) => {
                let mut list = all(list)?;
                list.retain(|process| !process.is_nothing());
                Process::Both(list)
            }
            Process::Seq(r, body) => Process::Seq(range(r)?, Box::new(inner(body)?)),
            Process::Par(r, body) => Process::Par(range(r)?, Box::new(inner(body)?)),
            Process::If(c, then, otherwise) => {
                Process::choice(condition(c)?, inner(then)?, inner(otherwise)?)
            }
            Process::Switch(cases) => {
                let cases = cases.iter().map(|(c, p)| Some((condition(c)?, inner(p)?)));
                Process::Switch(cases.collect::<Option<Vec<_>>>()?)
            }
            Process::Call(instance, arguments) => {
                let arguments: Option<Vec<Number>> = arguments.iter().map(number).collect();
                Process::Call(*instance, arguments?)
            }
            Process::Pipeline(chain) => Process::Pipeline(Box::new(Chain {
                ranges: chain
                    .ranges
                    .iter()
                    .map(range)
                    .collect::<Option<Vec<Range>>>()?,
                work: inner(&chain.work)?,
                message: inner(&chain.message)?,
            })),
        })
    }

    /// The process with a value in place of a symbol.
    pub fn with(&self, symbol: Symbol, value: &Number) -> Option<Process> {
        self.rewritten(&|n| n.with(symbol, value), &|c| c.with(symbol, value))
    }

    pub fn map_conditions(&self, map: &dyn Fn(&Condition) -> Condition) -> Process {
        let found = self.rewritten(&|n| Some(n.clone()), &|c| Some(map(c)));
        found.unwrap_or_else(|| self.clone())
    }

    /// Calls `visit` with each condition in it.
    pub fn conditions(&self, visit: &mut dyn FnMut(&Condition)) {
        match self {
            Process::Delay(_) | Process::Use(..) | Process::Call(..) => {}
            Process::Sequence(list) | Process::Both(list) => {
                list.iter().for_each(|process| process.conditions(visit));
            }
            Process::Seq(_, body) | Process::Par(_, body) => body.conditions(visit),
            Process::Pipeline(chain) => chain.work.conditions(visit),
            Process::If(condition, then, otherwise) => {
                visit(condition);
                then.conditions(visit);
                otherwise.conditions(visit);
            }
            Process::Switch(cases) => {
                for (condition, process) in cases {
                    visit(condition);
                    process.conditions(visit);
                }
            }
        }
    }
}

/// The work of the first thread if no other thread does more and nobody waits: its share of iterations is rounded up.
/// `None` if the threads differ otherwise.
pub fn busiest(work: &Process, thread: Symbol, threads: &Number) -> Option<Process> {
    let inner = |process: &Process| busiest(process, thread, threads);
    let all = |list: &[Process]| list.iter().map(inner).collect::<Option<Vec<Process>>>();
    let plain = |number: &Number| (!number.mentions(thread)).then(|| number.clone());
    Some(match work {
        Process::Delay(time) => Process::Delay(plain(time)?),
        Process::Use(..) | Process::Par(..) | Process::Pipeline(_) => return None,
        Process::Sequence(list) => Process::Sequence(all(list)?),
        Process::Both(list) => Process::Both(all(list)?),
        Process::Seq(range, body) => {
            let last = match range.last.as_atom() {
                Some(Atom::Function("ceil", share)) if range.last.mentions(thread) => {
                    let zero = Number::constant(0);
                    let of_first = share.first()?.with(thread, &zero)?;
                    let is_share =
                        matches!(of_first.as_atom(), Some(Atom::Quotient(_, by)) if by == threads);
                    is_share.then(|| Number::atom(Atom::Function("ceil", vec![of_first])))?
                }
                _ => plain(&range.last)?,
            };
            let range = Range {
                index: range.index,
                first: plain(&range.first)?,
                last,
                step: plain(&range.step)?,
            };
            Process::Seq(range, Box::new(inner(body)?))
        }
        // For work that only the first thread does, no other thread does more.
        Process::If(condition, then, otherwise)
            if condition.is_of_first(thread) == Some(true) && otherwise.is_nothing() =>
        {
            inner(then)?
        }
        Process::If(condition, then, otherwise) => {
            let mut mentioned = false;
            condition.symbols(&mut |symbol| mentioned |= symbol == thread);
            if mentioned {
                return None;
            } else {
                Process::If(
                    condition.clone(),
                    Box::new(inner(then)?),
                    Box::new(inner(otherwise)?),
                )
            }
        }
        Process::Switch(cases) => {
            let mut mentioned = false;
            cases
                .iter()
                .for_each(|(c, _)| c.symbols(&mut |symbol| mentioned |= symbol == thread));
            let cases: Option<Vec<_>> = cases
                .iter()
                .map(|(c, p)| Some((c.clone(), inner(p)?)))
                .collect();
            Process::Switch(cases.filter(|_| !mentioned)?)
        }
        Process::Call(instance, arguments) => {
            let arguments: Option<Vec<Number>> = arguments.iter().map(plain).collect();
            Process::Call(*instance, arguments?)
        }
    })
}

/// A process whose delays all hold a resource.
pub fn held(process: Process, resource: &Resource) -> Process {
    let inner = |process: Box<Process>| Box::new(held(*process, resource));
    match process {
        Process::Delay(time) => Process::Use(resource.clone(), time),
        Process::Sequence(list) => sequence(list.into_iter().map(|p| held(p, resource)).collect()),
        Process::Both(list) => Process::Both(list.into_iter().map(|p| held(p, resource)).collect()),
        Process::Seq(range, body) => Process::Seq(range, inner(body)),
        Process::Par(range, body) => Process::Par(range, inner(body)),
        Process::If(c, then, otherwise) => Process::If(c, inner(then), inner(otherwise)),
        Process::Switch(cases) => Process::Switch(
            cases
                .into_iter()
                .map(|(c, p)| (c, held(p, resource)))
                .collect(),
        ),
        other @ (Process::Use(..) | Process::Call(..) | Process::Pipeline(_)) => other,
    }
}

/// Processes in sequence; neighbours that hold the same resource are merged.
pub fn sequence(list: Vec<Process>) -> Process {
    let mut row: Vec<Process> = Vec::new();
    for process in list {
        let parts = match process {
            Process::Sequence(inner) => inner,
            other => vec![other],
        };
        for part in parts {
            let joined = match (row.last(), &part) {
                (Some(Process::Use(a, x)), Process::Use(b, y)) if a == b => x.plus(y),
                (Some(Process::Delay(x)), Process::Delay(y)) => x.plus(y),
                _ => None,
            };
            match (joined, &part) {
                (Some(time), Process::Delay(_)) => {
                    row.pop();
                    row.push(Process::Delay(time));
                }
                (Some(time), Process::Use(resource, _)) => {
                    row.pop();
                    row.push(Process::Use(resource.clone(), time));
                }
                _ => row.push(part),
            }
        }
    }
    match row.len() {
        1 => row.remove(0),
        _ => Process::Sequence(row),
    }
}

/// The instances that a process calls, in the order of the calls.
pub fn calls(process: &Process) -> Vec<usize> {
    let mut found = Vec::new();
    walk(process, &mut |process| {
        if let Process::Call(instance, _) = process
            && !found.contains(instance)
        {
            found.push(*instance);
        }
    });
    found
}

/// A process of the model: its instance, none for the main one, and its formals.
pub type Equation = (Option<usize>, Vec<Symbol>, Process);

pub fn inner(process: &Process) -> Vec<&Process> {
    match process {
        Process::Delay(_) | Process::Use(..) | Process::Call(..) => Vec::new(),
        Process::Sequence(list) | Process::Both(list) => list.iter().collect(),
        Process::Seq(_, body) | Process::Par(_, body) => vec![body],
        Process::Pipeline(chain) => vec![&chain.work, &chain.message],
        Process::If(_, then, otherwise) => vec![then, otherwise],
        Process::Switch(cases) => cases.iter().map(|(_, process)| process).collect(),
    }
}

pub fn walk<'a>(process: &'a Process, visit: &mut dyn FnMut(&'a Process)) {
    visit(process);
    inner(process)
        .into_iter()
        .for_each(|part| walk(part, visit));
}

/// Visits the symbols in a process, without those of the processes that it calls.
pub fn symbols(process: &Process, visit: &mut dyn FnMut(Symbol)) {
    walk(process, &mut |process| match process {
        Process::Delay(time) => time.symbols(visit),
        Process::Use(resource, time) => {
            resource.symbols(visit);
            time.symbols(visit);
        }
        Process::Seq(range, _) | Process::Par(range, _) => range.symbols(visit),
        Process::Pipeline(chain) => chain.ranges.iter().for_each(|range| range.symbols(visit)),
        Process::If(condition, _, _) => condition.symbols(visit),
        Process::Switch(cases) => cases.iter().for_each(|(c, _)| c.symbols(visit)),
        Process::Call(_, arguments) => arguments.iter().for_each(|a| a.symbols(visit)),
        Process::Sequence(_) | Process::Both(_) => {}
    });
}
