//! Processes as instructions, which frames run.
//!
//! A block is what one frame runs: the whole, a branch of a parallel section, the body of a called process. What is
//! sequential in it is one run of instructions; its loop counters stand in numbered slots of the frame.

mod compile;

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::syntax::tree::{Composition, Expr, Graph, Name, Process, Range};

pub use compile::compile;

/// The first instruction of a block.
pub type Entry = u32;

/// The position of an expression in [`Code::expressions`].
pub type Id = u32;

pub enum Instruction {
    Delay(Id),
    /// A resource and a time.
    Use(Id, Id),
    /// Takes a server of a resource, which the frame has until its release.
    Hold(Id),
    /// Gives back the server that was taken last.
    Release,
    /// Goes to `exit` where there is no iteration.
    Loop {
        range: u32,
        slot: usize,
        step: Option<usize>,
        exit: Entry,
    },
    /// Goes back to `start` while there are iterations left.
    Next {
        slot: usize,
        step: Option<usize>,
        start: Entry,
        cycle: Option<u32>,
    },
    /// Starts branches, and waits for all or for one.
    Fork {
        kind: Composition,
        branches: Vec<Entry>,
    },
    /// Starts a branch for each index, and waits for all or for as many as the quorum.
    ForkEach {
        kind: Composition,
        range: u32,
        branch: Entry,
    },
    /// Starts the tasks of a graph, each when those that it waits for have ended, and waits for all.
    Graph {
        graph: u32,
    },
    /// Goes on, or to `otherwise`.
    If {
        condition: Id,
        otherwise: Entry,
    },
    /// Goes to the instruction of one of the cases.
    Switch {
        choice: u32,
    },
    Jump(Entry),
    Call {
        call: u32,
    },
    /// A named process begins, whose time is kept in two slots.
    Enter {
        slot: usize,
    },
    /// A named process ends.
    Leave {
        slot: usize,
        process: u32,
    },
    /// The block ends.
    End,
}

/// An expression where it stands.
pub struct Place<'m> {
    pub expr: &'m Expr,
    pub scope: u32,
    /// Whether it holds neither an index nor an argument.
    pub global: bool,
}

pub struct Bounds<'m> {
    pub range: &'m Range,
    pub lower: Id,
    pub upper: Id,
    pub step: Option<Id>,
    pub quorum: Option<Id>,
}

pub struct Cases<'m> {
    pub conditions: Vec<&'m Expr>,
    pub targets: Vec<Entry>,
    pub span: Span,
    pub scope: u32,
    pub global: bool,
}

pub struct Call<'m> {
    pub name: &'m Name,
    pub arguments: &'m [Expr],
    pub scope: u32,
}

/// A graph with the block of each of its families, whose names are the arguments of a frame.
pub struct Tasks<'m> {
    pub graph: &'m Graph<Process>,
    pub entries: Vec<Entry>,
    pub span: Span,
    pub scope: u32,
}

/// What an instruction sees, innermost first.
#[derive(Clone, Copy)]
pub enum Scope<'m> {
    Nothing,
    /// The arguments that the frame was called with.
    Arguments,
    /// What the parent of the frame sees.
    Outer(u32),
    /// The index of the frame, which is that of a branch.
    Index(&'m str, u32),
    /// The counter of a loop.
    Slot(&'m str, usize, u32),
}

/// A loop whose cycle is measured.
pub struct Cycle<'m> {
    /// The named process that it stands in.
    pub process: &'m str,
    pub span: Span,
}

/// A model's process, ready to be run.
#[derive(Default)]
pub struct Code<'m> {
    pub instructions: Vec<Instruction>,
    pub expressions: Vec<Place<'m>>,
    pub ranges: Vec<Bounds<'m>>,
    pub choices: Vec<Cases<'m>>,
    pub calls: Vec<Call<'m>>,
    pub graphs: Vec<Tasks<'m>>,
    pub scopes: Vec<Scope<'m>>,
    /// The names of the processes whose times are measured; the first is that which is run.
    pub processes: Vec<&'m str>,
    pub cycles: Vec<Cycle<'m>>,
    /// Blocks of called processes, by the address of the process.
    blocks: HashMap<usize, Entry>,
}

impl Code<'_> {
    /// The block of a process that is called.
    pub fn block(&self, process: &Process) -> Option<Entry> {
        self.blocks.get(&address(process)).copied()
    }
}

/// What tells one process of a model from the others.
fn address(process: &Process) -> usize {
    std::ptr::from_ref(process).addr()
}
