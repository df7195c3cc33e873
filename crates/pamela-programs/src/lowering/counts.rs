//! Counts of block executions, by all threads and ranks together, and of messages, as equations.

use std::collections::BTreeMap;

use super::meeting::{inlined, is_of_all};
use super::message::{Kind, Transfer, Way, World};
use super::number::*;
use super::part::*;
use super::writer::Writer;

/// The counted thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Block(usize),
    /// Messages between two ranks, and their words.
    Messages(Way),
    Words(Way),
    /// Calls of a collective operation, also among some ranks, and their words.
    Calls(Kind),
    WordsOf(Kind),
}

/// The number of runs of the blocks in a part, and of its messages: text of the language.
type Counts = BTreeMap<What, Vec<String>>;

/// Equations `numeric count_..`, one for each block, and one with arguments for each function that is called.
pub fn counts(writer: &mut Writer, body: &Part, called: &[usize]) -> String {
    let world = writer.walker.world.clone();
    if let Some(world) = &world {
        writer.names.bind(&writer.walker.names, world.rank, &[]);
    }
    name_indices(writer, body, &mut Vec::new());
    for at in called {
        let instance = writer.walker.instances[*at].clone();
        name_indices(writer, &instance.body, &mut instance.formals.clone());
    }
    let writer = &*writer;
    let mut text = String::new();
    let mut names = BTreeMap::new();
    // Callees come first in the list of instances.
    for at in called
        .iter()
        .copied()
        .collect::<std::collections::BTreeSet<usize>>()
    {
        let instance = &writer.walker.instances[at];
        let formals: Vec<String> = instance
            .formals
            .iter()
            .map(|formal| writer.names.of(*formal))
            .collect();
        let formals = if formals.is_empty() {
            String::new()
        } else {
            format!("({})", formals.join(", "))
        };
        let found = counted(
            writer,
            &instance.body,
            &names,
            instance.team.as_ref(),
            false,
        );
        for (block, terms) in found {
            let function = writer.names.of(instance.name);
            let counted = name_of(writer, block);
            let name = writer.names.free(&format!("{counted}_in_{function}"));
            text.push_str(&format!("numeric {name}{formals} = {}\n", sum(&terms)));
            names.insert((at, block), name);
        }
    }
    for (block, terms) in counted(writer, body, &names, None, true) {
        let name = writer.names.free(&name_of(writer, block));
        text.push_str(&format!("numeric {name} = {}\n", sum(&terms)));
    }
    if text.is_empty() {
        text
    } else {
        format!("\n% how often each block runs, by all threads together\n{text}")
    }
}

/// Spells the indices that the processes do not have.
fn name_indices(writer: &mut Writer, part: &Part, around: &mut Vec<Symbol>) {
    let index = match part {
        Part::Loop(range, _) => Some(range.index),
        Part::Shared(shared) => Some(shared.range.index),
        Part::Mapped(mapped) => Some(mapped.range.index),
        Part::Parallel(team) => Some(team.thread),
        _ => None,
    };
    if let Some(index) = index {
        writer.names.bind(&writer.walker.names, index, around);
        around.push(index);
    }
    for inner in part.inner() {
        name_indices(writer, inner, around);
    }
    if index.is_some() {
        around.pop();
    }
}

fn name_of(writer: &Writer, what: What) -> String {
    match what {
        What::Block(block) => {
            let name = writer.names.of(writer.walker.blocks[block].symbol);
            format!("count_{name}")
        }
        What::Messages(Way::Sends) => "messages_sent".to_string(),
        What::Messages(Way::Receives) => "messages_received".to_string(),
        What::Words(Way::Sends) => "words_sent".to_string(),
        What::Words(Way::Receives) => "words_received".to_string(),
        What::Calls(kind) => format!("calls_of_{}", kind.name()),
        What::WordsOf(kind) => format!("words_of_{}", kind.name()),
    }
}

fn sum(terms: &[String]) -> String {
    terms.join(" + ")
}

fn counted(
    writer: &Writer,
    part: &Part,
    names: &BTreeMap<(usize, What), String>,
    team: Option<&(Number, Symbol)>,
    is_main: bool,
) -> Counts {
    let counter = Counter { writer, names };
    if let Some(world) = writer.walker.world.clone()
        && (is_main || is_of_all(part, &writer.walker.instances))
    {
        return counter.by_ranks(part, &world);
    }
    match team {
        // A function of one thread is called by each of them.
        Some((threads, thread)) if writer.is_of_team(part) => {
            counter.by_team(part, threads, *thread)
        }
        _ => counter.by_one(part),
    }
}

struct Counter<'a, 'b, 'c> {
    writer: &'a Writer<'b, 'c>,
    names: &'a BTreeMap<(usize, What), String>,
}

impl Counter<'_, '_, '_> {
    /// Executions of each block by one thread.
    fn by_one(&self, part: &Part) -> Counts {
        match part {
            Part::Block(block) => BTreeMap::from([(What::Block(*block), vec!["1".to_string()])]),
            Part::Cost(_)
            | Part::Barrier
            | Part::TaskWait
            | Part::Message(_)
            | Part::Wait
            | Part::Again(_) => Counts::new(),
            Part::Transfer(transfer) => self.sent(transfer),
            Part::Pipeline(pipeline) => self.by_one(&pipeline.work),
            Part::Collective(collective) => {
                let calls = (What::Calls(collective.kind), vec!["1".to_string()]);
                let words = self.writer.factor(&collective.words);
                if collective.kind == Kind::Barrier {
                    Counts::from([calls])
                } else {
                    Counts::from([calls, (What::WordsOf(collective.kind), vec![words])])
                }
            }

            Part::Sequence(parts) | Part::Sections(parts, _) => {
                added(parts.iter().map(|part| self.by_one(part)))
            }
            Part::Loop(range, body) => self.looped(range, body, self.by_one(body)),
            Part::Shared(shared) => self.repeated(&shared.range, self.by_one(&shared.body)),
            Part::Mapped(mapped) => self.repeated(&mapped.range, self.by_one(&mapped.body)),
            Part::If(condition, then, otherwise) => {
                self.chosen(condition, self.by_one(then), self.by_one(otherwise))
            }
            Part::Switch(cases) => self.switched(cases),
            Part::Call(instance, arguments) => self.called(*instance, arguments),
            Part::Parallel(team) => self.by_team(&team.body, &team.threads, team.thread),
            Part::Single(body, _)
            | Part::Master(body)
            | Part::Critical(_, body)
            | Part::Owned(_, body)
            | Part::Task(body) => self.by_one(body),
        }
    }

    fn sent(&self, transfer: &Transfer) -> Counts {
        let ends = transfer.ends.iter().map(|end| {
            let words = self.writer.factor(&end.words);
            Counts::from([
                (What::Messages(end.way), vec!["1".to_string()]),
                (What::Words(end.way), vec![words]),
            ])
        });
        added(ends)
    }

    /// Executions of each block by all ranks together.
    fn by_ranks(&self, part: &Part, world: &World) -> Counts {
        let by_ranks = |part: &Part| self.by_ranks(part, world);
        let meets = is_of_all(part, &self.writer.walker.instances);
        match part {
            Part::Sequence(parts) if meets => added(parts.iter().map(by_ranks)),
            Part::Loop(range, body) if meets && !self.is_of_rank(|v| range.symbols(v), world) => {
                self.looped(range, body, by_ranks(body))
            }
            Part::If(condition, then, otherwise)
                if meets && !self.is_of_rank(|v| condition.symbols(v), world) =>
            {
                self.chosen(condition, by_ranks(then), by_ranks(otherwise))
            }
            Part::Call(instance, arguments) if meets => self.called(*instance, arguments),
            part => self.repeated(&Range::of_ranks(world), self.by_one(part)),
        }
    }

    fn is_of_rank(&self, symbols: impl FnOnce(&mut dyn FnMut(Symbol)), world: &World) -> bool {
        let mut found = false;
        symbols(&mut |symbol| found |= symbol == world.rank);
        found
    }

    /// Executions of each block by a team.
    fn by_team(&self, part: &Part, threads: &Number, thread: Symbol) -> Counts {
        let by_team = |part: &Part| self.by_team(part, threads, thread);
        match part {
            Part::Master(body) => self.by_one(body),
            part if !self.writer.is_of_team(part) => {
                self.repeated(&Range::of_threads(thread, threads), self.by_one(part))
            }
            Part::Sequence(parts) => added(parts.iter().map(by_team)),
            Part::Loop(range, body) => self.looped(range, body, by_team(body)),
            Part::If(condition, then, otherwise) => {
                self.chosen(condition, by_team(then), by_team(otherwise))
            }
            Part::Shared(shared) if shared.body.mentions(thread) => {
                self.by_owner(shared, threads, thread)
            }
            Part::Call(_, arguments) if arguments.iter().any(|a| a.mentions(thread)) => {
                by_team(&inlined(part, &self.writer.walker.instances, 1))
            }
            other => self.by_one(other),
        }
    }

    /// Executions of each block by a team, in a loop whose iterations depend on the thread that executes them.
    fn by_owner(&self, shared: &Shared, threads: &Number, thread: Symbol) -> Counts {
        let Shared { range, body, .. } = shared;
        match &shared.schedule {
            Schedule::Chunked(chunk) => {
                let gone = Number::symbol(range.index).minus(&range.first);
                let turn = gone.unwrap_or_default().div(chunk).modulo(threads);
                self.repeated(range, self.by_one(&body.with(thread, &turn)))
            }
            _ => {
                let own = range.block(&Number::symbol(thread), threads);
                let own = self.repeated(&own.unwrap_or(range.clone()), self.by_one(body));
                self.repeated(&Range::of_threads(thread, threads), own)
            }
        }
    }

    /// A loop: a mean number of iterations, which need not be whole, is a factor.
    fn looped(&self, range: &Range, body: &Part, counts: Counts) -> Counts {
        let fractions = &self.writer.walker.fractions;
        let is_fraction = range
            .last
            .as_symbol()
            .is_some_and(|own| fractions.contains(&own));
        if is_fraction && !body.mentions(range.index) {
            let times = self.writer.factor(&range.last);
            mapped(counts, &|term| format!("{times} * ({term})"))
        } else {
            self.repeated(range, counts)
        }
    }

    fn repeated(&self, range: &Range, counts: Counts) -> Counts {
        let around = |term: String| format!("sum ({}) {{ {term} }}", self.writer.range(range));
        mapped(counts, &around)
    }

    fn chosen(&self, condition: &Condition, then: Counts, otherwise: Counts) -> Counts {
        let condition = self.writer.condition(condition);
        let then = mapped(then, &|term| format!("(if ({condition}) {term} else 0)"));
        let otherwise = mapped(otherwise, &|term| {
            format!("(if ({condition}) 0 else {term})")
        });
        added([then, otherwise].into_iter())
    }

    fn switched(&self, cases: &[(Condition, Part)]) -> Counts {
        let all: Vec<Counts> = cases.iter().map(|(_, part)| self.by_one(part)).collect();
        let mut result = Counts::new();
        for block in all.iter().flat_map(BTreeMap::keys) {
            let cases: Vec<String> = cases
                .iter()
                .zip(&all)
                .map(|((condition, _), counts)| {
                    let count = counts
                        .get(block)
                        .map_or("0".to_string(), |terms| sum(terms));
                    format!("{}: {count}", self.writer.condition(condition))
                })
                .collect();
            result.insert(*block, vec![format!("switch {{ {} }}", cases.join(", "))]);
        }
        result
    }

    fn called(&self, instance: usize, arguments: &[Number]) -> Counts {
        let arguments: Vec<String> = arguments.iter().map(|a| self.writer.number(a)).collect();
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        let names = self.names.iter().filter(|((at, _), _)| *at == instance);
        names
            .map(|((_, block), name)| (*block, vec![format!("{name}{arguments}")]))
            .collect()
    }
}

fn mapped(counts: Counts, map: &dyn Fn(String) -> String) -> Counts {
    counts
        .into_iter()
        .map(|(block, terms)| (block, vec![map(sum(&terms))]))
        .collect()
}

fn added(parts: impl Iterator<Item = Counts>) -> Counts {
    let mut all = Counts::new();
    for counts in parts {
        for (block, terms) in counts {
            all.entry(block).or_default().extend(terms);
        }
    }
    all
}
