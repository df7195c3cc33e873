//! The intermediate representation between C and the language: what a program does.

use serde::Serialize;

use super::message::{Collective, Transfer, World};
use super::number::{Condition, Number, Symbol};

/// A part of a program, reduced to the code that affects its time.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Parts in sequence; empty if there are none.
    Sequence(Vec<Part>),
    /// Straight code: takes the time of a block.
    Block(usize),
    /// A time given by the user, or the parameter of an opaque part.
    Cost(Number),
    Loop(Box<Range>, Box<Part>),
    If(Condition, Box<Part>, Box<Part>),
    /// The first case whose condition holds.
    Switch(Vec<(Condition, Part)>),
    /// An instance of a function.
    Call(usize, Vec<Number>),
    /// A team of threads.
    Parallel(Box<Team>),
    /// The iterations of a loop, shared among the threads of a team.
    Shared(Box<Shared>),
    /// Sections, each run by one thread.
    Sections(Vec<Part>, Ending),
    /// Work of one thread of the team.
    Single(Box<Part>, Ending),
    /// Work of the first thread only; the other threads do not wait for it.
    Master(Box<Part>),
    Critical(String, Box<Part>),
    Barrier,
    /// A task for any thread of the team.
    Task(Box<Part>),
    /// Waits for the tasks that the thread created.
    TaskWait,
    /// A loop of a data-parallel program.
    Mapped(Box<Mapped>),
    /// Work on the processor with this number.
    Owned(Number, Box<Part>),
    /// This many words between processors.
    Message(Number),
    /// Messages of a rank.
    Transfer(Box<Transfer>),
    /// Waits for the nonblocking messages.
    Wait,
    /// All ranks together.
    Collective(Box<Collective>),
    /// Ranks that work one after the other.
    Pipeline(Box<Pipeline>),
    /// A function calls itself.
    Again(Vec<Option<Number>>),
}

/// `first, first + step, ..` up to `last`, inclusive.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    pub index: Symbol,
    pub first: Number,
    pub last: Number,
    pub step: Number,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    pub threads: Number,
    /// The index of a thread, from 0.
    pub thread: Symbol,
    pub body: Part,
    pub reductions: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Its step is 1.
    pub range: Range,
    pub schedule: Schedule,
    pub body: Part,
    pub reductions: usize,
    pub ending: Ending,
}

/// Parallel iterations, each on the processor that owns its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapped {
    /// Its step is 1.
    pub range: Range,
    /// The number of the processor as a function of the index; `None` if parts of the body have owners of their own.
    pub owner: Option<Number>,
    pub body: Part,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// Blocks of neighbours, of almost equal size.
    Static,
    /// Chunks in turn.
    Chunked(Number),
    /// Chunks for the next free thread.
    Dynamic(Number),
    Guided,
}

/// Synchronisation of the threads at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Barrier,
    NoWait,
}

/// In each iteration, a rank starts its work when the previous rank's message arrives, then sends to the next rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The loops that each rank goes through, outermost first.
    pub ranges: Vec<Range>,
    pub work: Part,
    pub message: Transfer,
}

/// At least and at most so many iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct Trips {
    pub least: Number,
    pub most: Number,
}

impl Trips {
    /// The number of iterations, if both bounds are the same.
    pub fn exact(&self) -> Option<&Number> {
        (self.least == self.most).then_some(&self.least)
    }
}

/// Bounds of a parameter, as expressions of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    pub least: String,
    pub most: String,
}

/// A parameter of the model and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub symbol: Symbol,
    pub kind: ParameterKind,
    pub facts: Declared,
    pub place: Option<crate::problem::Place>,
    /// `time of one run of the loop's body`
    pub what: String,
    /// A value in the program itself.
    pub default: Option<String>,
    /// `scan/if1`, if a profile can give the value.
    pub site: Option<String>,
}

/// What is declared of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Declared {
    /// A random variable.
    Law,
    /// A number with facts, `integer >= 0`, or without any.
    #[serde(untagged)]
    Number(String),
}

impl<T: Into<String>> From<T> for Declared {
    fn from(facts: T) -> Declared {
        Declared::Number(facts.into())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// A size or another value of the program.
    Value,
    /// The number of threads.
    Threads,
    /// The number of ranks.
    Ranks,
    Time,
    /// The probability of a condition.
    Share,
    /// The number of iterations of a loop.
    Trips,
    /// The time of a part that was not understood.
    Opaque,
}

/// A function of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    pub name: Symbol,
    /// The formals that the parts use.
    pub formals: Vec<Symbol>,
    pub body: Part,
    /// Origin of the parameter, and a comment.
    pub place: Option<crate::problem::Place>,
    pub comment: String,
    /// The team of threads that calls the function.
    pub team: Option<(Number, Symbol)>,
}

impl Part {
    pub fn nothing() -> Part {
        Part::Sequence(Vec::new())
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Part::Sequence(parts) if parts.is_empty())
    }

    /// Parts in sequence, without empty ones.
    pub fn sequence(parts: Vec<Part>) -> Part {
        let mut list = Vec::new();
        for part in parts {
            match part {
                Part::Sequence(inner) => list.extend(inner),
                other => list.push(other),
            }
        }
        match list.len() {
            1 => list.remove(0),
            _ => Part::Sequence(list),
        }
    }

    /// An empty part if both branches are empty.
    pub fn choice(condition: Condition, then: Part, otherwise: Part) -> Part {
        match condition {
            Condition::Constant(true) => then,
            Condition::Constant(false) => otherwise,
            _ if then.is_nothing() && otherwise.is_nothing() => then,
            Condition::Share(_) => Part::If(condition, Box::new(then), Box::new(otherwise)),
            _ if then.is_nothing() => {
                Part::If(condition.negated(), Box::new(otherwise), Box::new(then))
            }
            _ => Part::If(condition, Box::new(then), Box::new(otherwise)),
        }
    }

    /// A loop; empty if its body is empty.
    pub fn repeated(range: Range, body: Part) -> Part {
        if body.is_nothing() {
            body
        } else {
            Part::Loop(Box::new(range), Box::new(body))
        }
    }

    pub fn inner(&self) -> Vec<&Part> {
        match self {
            Part::Sequence(parts) | Part::Sections(parts, _) => parts.iter().collect(),
            Part::Block(_)
            | Part::Cost(_)
            | Part::Call(..)
            | Part::Barrier
            | Part::TaskWait
            | Part::Message(_)
            | Part::Transfer(_)
            | Part::Wait
            | Part::Again(_)
            | Part::Collective(_) => Vec::new(),
            Part::Loop(_, body)
            | Part::Single(body, _)
            | Part::Master(body)
            | Part::Critical(_, body)
            | Part::Owned(_, body)
            | Part::Task(body) => vec![body],
            Part::If(_, then, otherwise) => vec![then, otherwise],
            Part::Switch(cases) => cases.iter().map(|(_, part)| part).collect(),
            Part::Parallel(team) => vec![&team.body],
            Part::Shared(shared) => vec![&shared.body],
            Part::Mapped(mapped) => vec![&mapped.body],
            Part::Pipeline(pipeline) => vec![&pipeline.work],
        }
    }

    /// Calls `visit` with this part and all inside of it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Part)) {
        visit(self);
        self.inner().into_iter().for_each(|part| part.walk(visit));
    }

    /// Calls `visit` with each symbol in the part, including bound ones.
    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        self.walk(&mut |part| match part {
            Part::Cost(number) | Part::Message(number) => number.symbols(visit),
            Part::Transfer(transfer) => transfer.symbols(visit),
            Part::Pipeline(pipeline) => {
                pipeline
                    .ranges
                    .iter()
                    .for_each(|range| range.symbols(visit));
                pipeline.message.symbols(visit);
            }
            Part::Collective(collective) => {
                let numbers = collective.arguments();
                numbers.iter().for_each(|number| number.symbols(visit));
            }
            Part::Again(arguments) => arguments.iter().flatten().for_each(|a| a.symbols(visit)),
            Part::Mapped(mapped) => {
                mapped.range.symbols(visit);
                mapped.owner.iter().for_each(|owner| owner.symbols(visit));
            }
            Part::Owned(owner, _) => owner.symbols(visit),
            Part::Loop(range, _) => range.symbols(visit),
            Part::If(condition, _, _) => condition.symbols(visit),
            Part::Switch(cases) => cases.iter().for_each(|(c, _)| c.symbols(visit)),
            Part::Call(_, arguments) => arguments.iter().for_each(|a| a.symbols(visit)),
            Part::Parallel(team) => team.threads.symbols(visit),
            Part::Shared(shared) => {
                shared.range.symbols(visit);
                if let Schedule::Chunked(chunk) | Schedule::Dynamic(chunk) = &shared.schedule {
                    chunk.symbols(visit);
                }
            }
            _ => {}
        });
    }

    /// True if threads do it, or wait for each other in it.
    pub fn shares_work(&self) -> bool {
        let mut found = false;
        self.walk(&mut |part| {
            found |= matches!(
                part,
                Part::Parallel(_)
                    | Part::Shared(_)
                    | Part::Sections(..)
                    | Part::Critical(..)
                    | Part::Task(_)
            );
        });
        found
    }

    pub fn mentions(&self, symbol: Symbol) -> bool {
        let mut found = false;
        self.symbols(&mut |other| found |= other == symbol);
        found
    }
}

impl Range {
    /// All ranks.
    pub fn of_ranks(world: &World) -> Range {
        Range {
            index: world.rank,
            first: Number::constant(0),
            last: world.ranks.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        }
    }

    /// All threads of a team.
    pub fn of_threads(thread: Symbol, threads: &Number) -> Range {
        Range {
            index: thread,
            first: Number::constant(0),
            last: threads.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        }
    }

    /// The iterations of thread p in a block distribution in which the first blocks may have one more iteration. The
    /// step is 1.
    pub fn block(&self, p: &Number, threads: &Number) -> Option<Range> {
        let count = self.last.minus(&self.first)?.plus_constant(1)?;
        let (each, rest) = (count.div(threads), count.modulo(threads));
        let begin = |p: &Number| {
            let before = p.times(&each)?.plus(&p.smaller(&rest))?;
            self.first.plus(&before)
        };
        Some(Range {
            first: begin(p)?,
            last: begin(&p.plus_constant(1)?)?.plus_constant(-1)?,
            ..self.clone()
        })
    }

    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        self.first.symbols(visit);
        self.last.symbols(visit);
        self.step.symbols(visit);
    }

    /// The number of iterations. A step that is not a number is known to be positive, or negative if all its terms
    /// are negative.
    pub fn count(&self) -> Option<Number> {
        if self.step == Number::default() {
            return None;
        }
        let (way, step) = if self.step.terms().any(|(_, coefficient)| coefficient > 0) {
            (self.last.minus(&self.first)?, self.step.clone())
        } else {
            (self.first.minus(&self.last)?, self.step.scaled(-1)?)
        };
        Some(way.plus(&step)?.div(&step).larger(&Number::constant(0)))
    }
}

impl Part {
    /// The part with a value in place of a symbol; a number that would become too long stays unchanged.
    pub fn with(&self, symbol: Symbol, value: &Number) -> Part {
        let number = |n: &Number| n.with(symbol, value).unwrap_or_else(|| n.clone());
        let condition = |c: &Condition| c.with(symbol, value).unwrap_or_else(|| c.clone());
        let range = |range: &Range| Range {
            index: range.index,
            first: number(&range.first),
            last: number(&range.last),
            step: number(&range.step),
        };
        let boxed = |part: &Part| Box::new(part.with(symbol, value));
        let all = |parts: &[Part]| parts.iter().map(|part| part.with(symbol, value)).collect();
        match self {
            Part::Block(_) | Part::Barrier | Part::TaskWait | Part::Wait => self.clone(),
            Part::Sequence(parts) => Part::Sequence(all(parts)),
            Part::Cost(cost) => Part::Cost(number(cost)),
            Part::Loop(r, body) => Part::Loop(Box::new(range(r)), boxed(body)),
            Part::If(c, then, otherwise) => Part::choice(
                condition(c),
                then.with(symbol, value),
                otherwise.with(symbol, value),
            ),
            Part::Switch(cases) => {
                let cases = cases
                    .iter()
                    .map(|(c, part)| (condition(c), part.with(symbol, value)));
                Part::Switch(cases.collect())
            }
            Part::Call(instance, arguments) => {
                Part::Call(*instance, arguments.iter().map(number).collect())
            }
            Part::Parallel(team) => Part::Parallel(Box::new(Team {
                threads: number(&team.threads),
                body: team.body.with(symbol, value),
                ..**team
            })),
            Part::Shared(shared) => Part::Shared(Box::new(Shared {
                range: range(&shared.range),
                schedule: match &shared.schedule {
                    Schedule::Chunked(chunk) => Schedule::Chunked(number(chunk)),
                    Schedule::Dynamic(chunk) => Schedule::Dynamic(number(chunk)),
                    other => other.clone(),
                },
                body: shared.body.with(symbol, value),
                ..**shared
            })),
            Part::Sections(parts, ending) => Part::Sections(all(parts), *ending),
            Part::Single(body, ending) => Part::Single(boxed(body), *ending),
            Part::Master(body) => Part::Master(boxed(body)),
            Part::Critical(name, body) => Part::Critical(name.clone(), boxed(body)),
            Part::Task(body) => Part::Task(boxed(body)),
            Part::Message(words) => Part::Message(number(words)),
            Part::Pipeline(pipeline) => Part::Pipeline(Box::new(Pipeline {
                ranges: pipeline.ranges.iter().map(range).collect(),
                work: pipeline.work.with(symbol, value),
                message: pipeline.message.map(&number),
            })),
            Part::Again(arguments) => {
                let arguments = arguments.iter().map(|a| a.as_ref().map(number));
                Part::Again(arguments.collect())
            }
            Part::Transfer(transfer) => Part::Transfer(Box::new(transfer.map(&number))),
            Part::Collective(collective) => Part::Collective(Box::new(Collective {
                words: number(&collective.words),
                among: collective.among.as_ref().map(number),
                ..(**collective).clone()
            })),
            Part::Mapped(mapped) => Part::Mapped(Box::new(Mapped {
                range: range(&mapped.range),
                owner: mapped.owner.as_ref().map(number),
                body: mapped.body.with(symbol, value),
            })),
            Part::Owned(owner, body) => Part::Owned(number(owner), boxed(body)),
        }
    }
}
