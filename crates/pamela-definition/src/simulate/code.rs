//! Processes as instructions that frames run.
//!
//! A block is what one frame runs: the whole process, a branch of a parallel section, or the body
//! of a called process. Sequential parts are one list of instructions. Loop counters are in
//! numbered slots of the frame.

mod compile;

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::syntax::tree::{Composition, Expr, Graph, Name, Process, Range};

pub use compile::compile;

/// The first instruction of a block.
pub type Entry = u32;

/// Index of an expression in [`Code::expressions`].
pub type Id = u32;

pub enum Instruction {
    Delay(Id),
    /// Resource and time.
    Use(Id, Id),
    /// Takes a server of a resource, which the frame holds until its release.
    Hold(Id),
    /// Returns the server that was taken last.
    Release,
    /// Jumps to `exit` if there is no iteration.
    Loop {
        range: u32,
        slot: usize,
        step: Option<usize>,
        exit: Entry,
    },
    /// Jumps back to `start` while iterations are left.
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
    /// Starts a branch for each index, and waits for all or for the quorum.
    ForkEach {
        kind: Composition,
        range: u32,
        branch: Entry,
    },
    /// Starts the tasks of a graph, each after its predecessors, and waits for all.
    Graph {
        graph: u32,
    },
    /// Continues, or jumps to `otherwise`.
    If {
        condition: Id,
        otherwise: Entry,
    },
    /// Jumps to the instruction of one case.
    Switch {
        choice: u32,
    },
    Jump(Entry),
    Call {
        call: u32,
    },
    /// Starts measuring a named process, in two slots.
    Enter {
        slot: usize,
    },
    /// Ends measuring a named process.
    Leave {
        slot: usize,
        process: u32,
    },
    /// Ends the block.
    End,
}

/// An expression with its scope.
pub struct Place<'m> {
    pub expr: &'m Expr,
    pub scope: u32,
    /// True if it uses neither an index nor an argument.
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

/// A graph with the block of each family; its names are the arguments of a frame.
pub struct Tasks<'m> {
    pub graph: &'m Graph<Process>,
    pub entries: Vec<Entry>,
    pub span: Span,
    pub scope: u32,
}

/// The names that an instruction sees, innermost first.
#[derive(Clone, Copy)]
pub enum Scope<'m> {
    Nothing,
    /// Arguments of the frame.
    Arguments,
    /// The names of the frame's parent.
    Outer(u32),
    /// The index of the frame, for a branch.
    Index(&'m str, u32),
    /// A loop counter.
    Slot(&'m str, usize, u32),
}

/// A loop whose cycle is measured.
pub struct Cycle<'m> {
    /// The named process that contains it.
    pub process: &'m str,
    pub span: Span,
}

/// A process of a model, ready to run.
#[derive(Default)]
pub struct Code<'m> {
    pub instructions: Vec<Instruction>,
    pub expressions: Vec<Place<'m>>,
    pub ranges: Vec<Bounds<'m>>,
    pub choices: Vec<Cases<'m>>,
    pub calls: Vec<Call<'m>>,
    pub graphs: Vec<Tasks<'m>>,
    pub scopes: Vec<Scope<'m>>,
    /// Names of the measured processes; the first one is run.
    pub processes: Vec<&'m str>,
    pub cycles: Vec<Cycle<'m>>,
    /// The process of the requests of an open process, and how many of the first are not measured.
    pub measured: Option<(u32, u64)>,
    /// Blocks of called processes, by the address of the process.
    blocks: HashMap<usize, Entry>,
}

impl Code<'_> {
    /// The block of a called process.
    pub fn block(&self, process: &Process) -> Option<Entry> {
        self.blocks.get(&address(process)).copied()
    }
}

/// Identifies a process of a model.
fn address(process: &Process) -> usize {
    std::ptr::from_ref(process).addr()
}
