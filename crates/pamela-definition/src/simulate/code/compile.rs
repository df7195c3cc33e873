//! Compiles processes into instructions.

use std::collections::HashSet;

use super::{
    Bounds, Call, Cases, Code, Cycle, Entry, Id, Instruction, Place, Scope, Tasks, address,
};
use crate::diagnostic::Span;
use crate::model::{Model, Part, parts_of_expr, with_stack};
use crate::syntax::tree::{
    Composition, Equation, Expr, ExprKind, Graph, Name, Process, ProcessKind, Range, Replication,
    Type, Value,
};

/// Beyond this many instructions, processes without arguments are called instead of being copied to their uses.
const MAX_COPIED: usize = 1 << 14;

/// Counter and last index, and the step if it is not 1; where cycles are measured also the first index, and the time of a mark.
const SLOTS_OF_LOOP: usize = 2;
const SLOTS_OF_CYCLE: usize = 4;
/// The time at which a named process began.
const SLOTS_OF_PROCESS: usize = 2;

/// Compiles `process`, an equation without arguments; `cycles` adds instructions that measure
/// loops.
pub fn compile<'m>(model: &'m Model, process: &'m Equation, cycles: bool) -> Code<'m> {
    let mut compiler = Compiler {
        model,
        cycles,
        code: Code::default(),
        waiting: Vec::new(),
        called: HashSet::new(),
    };
    compiler.code.scopes.push(Scope::Nothing);
    compiler.code.scopes.push(Scope::Arguments);
    compiler.code.processes.push(&process.name.text);
    if let Some(Value::Process(body)) = &process.value {
        let place = Inside {
            scope: NOTHING,
            locals: Vec::new(),
            slot: 0,
            process: &process.name.text,
        };
        compiler.process(body, &place);
        compiler.emit(Instruction::End);
    }
    while let Some(block) = compiler.waiting.pop() {
        compiler.block(block);
    }
    compiler.code
}

const NOTHING: u32 = 0;
const ARGUMENTS: u32 = 1;

/// A block that is not written yet.
enum Block<'m> {
    /// A branch of the fork at this instruction: instruction, and index of the branch.
    Branch(usize, usize, &'m Process, Inside<'m>),
    Called(&'m Equation),
    /// A task of a graph's family.
    Task(usize, usize, &'m Process, Inside<'m>),
}

/// Position of a process in a block.
#[derive(Clone)]
struct Inside<'m> {
    scope: u32,
    locals: Vec<&'m str>,
    /// The first free slot.
    slot: usize,
    /// The named process.
    process: &'m str,
}

struct Compiler<'m> {
    model: &'m Model,
    cycles: bool,
    code: Code<'m>,
    waiting: Vec<Block<'m>>,
    called: HashSet<usize>,
}

impl<'m> Compiler<'m> {
    fn here(&self) -> Entry {
        self.code.instructions.len() as Entry
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.code.instructions.push(instruction);
        self.code.instructions.len() - 1
    }

    fn block(&mut self, block: Block<'m>) {
        let entry = self.here();
        match block {
            Block::Branch(fork, position, body, place) => {
                match &mut self.code.instructions[fork] {
                    Instruction::Fork { branches, .. } => branches[position] = entry,
                    Instruction::ForkEach { branch, .. } => *branch = entry,
                    _ => {}
                }
                self.process(body, &place);
            }
            Block::Task(graph, family, body, place) => {
                self.code.graphs[graph].entries[family] = entry;
                self.process(body, &place);
            }
            Block::Called(equation) => {
                let Some(Value::Process(body)) = &equation.value else {
                    return;
                };
                self.code.blocks.insert(address(body), entry);
                let place = Inside {
                    scope: ARGUMENTS,
                    locals: equation.formals.iter().map(|f| f.text.as_str()).collect(),
                    slot: 0,
                    process: &equation.name.text,
                };
                self.named(equation, body, &place);
            }
        }
        self.emit(Instruction::End);
    }

    /// A named process, whose time is measured.
    fn named(&mut self, equation: &'m Equation, body: &'m Process, place: &Inside<'m>) {
        let name = equation.name.text.as_str();
        let known = self.code.processes.iter().position(|p| *p == name);
        let process = known.unwrap_or_else(|| {
            self.code.processes.push(name);
            self.code.processes.len() - 1
        });
        self.emit(Instruction::Enter { slot: place.slot });
        let inner = Inside {
            slot: place.slot + SLOTS_OF_PROCESS,
            ..place.clone()
        };
        self.process(body, &inner);
        self.emit(Instruction::Leave {
            slot: place.slot,
            process: process as u32,
        });
    }

    fn process(&mut self, process: &'m Process, place: &Inside<'m>) {
        with_stack(|| match &process.kind {
            ProcessKind::Delay(time) => {
                let time = self.expression(time, place);
                self.emit(Instruction::Delay(time));
            }
            ProcessKind::Use(resource, time) => {
                let resource = self.expression(resource, place);
                let time = self.expression(time, place);
                self.emit(Instruction::Use(resource, time));
            }
            ProcessKind::Hold(resource, body) => {
                let resource = self.expression(resource, place);
                self.emit(Instruction::Hold(resource));
                self.process(body, place);
                self.emit(Instruction::Release);
            }
            ProcessKind::Sequence(parts) => parts.iter().for_each(|p| self.process(p, place)),
            ProcessKind::Parallel(parts) => self.fork(Composition::Parallel, parts, place),
            ProcessKind::Any(parts) => self.fork(Composition::Any, parts, place),
            ProcessKind::Replicate(replication) => self.replicate(replication, place),
            ProcessKind::Graph(graph) => self.graph(graph, process.span, place),
            ProcessKind::If(condition, a, b) => self.branch(condition, a, b.as_deref(), place),
            ProcessKind::Switch(cases) => self.switch(process, cases, place),
            ProcessKind::Call(name, arguments) => self.call(name, arguments, place),
        });
    }

    fn fork(&mut self, kind: Composition, parts: &'m [Process], place: &Inside<'m>) {
        let fork = self.emit(Instruction::Fork {
            kind,
            branches: vec![0; parts.len()],
        });
        let scope = self.scope(Scope::Outer(place.scope));
        for (position, part) in parts.iter().enumerate() {
            let inner = Inside {
                scope,
                slot: 0,
                ..place.clone()
            };
            self.waiting
                .push(Block::Branch(fork, position, part, inner));
        }
    }

    /// The names that a task sees are the arguments of its frame: those around the graph, and its own indices.
    fn graph(&mut self, graph: &'m Graph<Process>, span: Span, place: &Inside<'m>) {
        let number = self.code.graphs.len();
        self.code.graphs.push(Tasks {
            graph,
            entries: vec![0; graph.families.len()],
            span,
            scope: place.scope,
        });
        self.emit(Instruction::Graph {
            graph: number as u32,
        });
        for (family, tasks) in graph.families.iter().enumerate() {
            let mut inner = Inside {
                scope: ARGUMENTS,
                slot: 0,
                ..place.clone()
            };
            let indices = tasks.ranges.iter().map(|range| &range.index);
            let time = graph.recorded.iter().map(|recorded| &recorded.time);
            let names = indices.chain(time).map(|name| name.text.as_str());
            inner.locals.extend(names);
            self.waiting
                .push(Block::Task(number, family, &tasks.task, inner));
        }
    }

    fn replicate(&mut self, replication: &'m Replication, place: &Inside<'m>) {
        let range = self.range(&replication.range, place);
        let index = replication.range.index.text.as_str();
        let mut inner = place.clone();
        inner.locals.push(index);
        if replication.kind != Composition::Sequence {
            let fork = self.emit(Instruction::ForkEach {
                kind: replication.kind,
                range,
                branch: 0,
            });
            let outer = self.scope(Scope::Outer(place.scope));
            inner.scope = self.scope(Scope::Index(index, outer));
            inner.slot = 0;
            self.waiting
                .push(Block::Branch(fork, 0, &replication.body, inner));
            return;
        }
        let (slot, exit) = (place.slot, 0);
        inner.slot += if self.cycles {
            SLOTS_OF_CYCLE
        } else {
            SLOTS_OF_LOOP
        };
        let step = replication.range.step.as_ref().map(|_| inner.slot);
        inner.slot += usize::from(step.is_some());
        let head = self.emit(Instruction::Loop {
            range,
            slot,
            step,
            exit,
        });
        let start = self.here();
        inner.scope = self.scope(Scope::Slot(index, slot, place.scope));
        let cycle = self.cycles.then(|| {
            self.code.cycles.push(Cycle {
                process: place.process,
                span: replication.range.index.span,
            });
            self.code.cycles.len() as u32 - 1
        });
        self.process(&replication.body, &inner);
        self.emit(Instruction::Next {
            slot,
            step,
            start,
            cycle,
        });
        let exit = self.here();
        self.go_to(head, exit);
    }

    /// Sets where an instruction goes to.
    fn go_to(&mut self, instruction: usize, target: Entry) {
        match &mut self.code.instructions[instruction] {
            Instruction::Loop { exit, .. } => *exit = target,
            Instruction::If { otherwise, .. } => *otherwise = target,
            Instruction::Jump(entry) => *entry = target,
            _ => {}
        }
    }

    fn branch(
        &mut self,
        condition: &'m Expr,
        a: &'m Process,
        b: Option<&'m Process>,
        place: &Inside<'m>,
    ) {
        let condition = self.expression(condition, place);
        let otherwise = 0;
        let head = self.emit(Instruction::If {
            condition,
            otherwise,
        });
        self.process(a, place);
        let Some(b) = b else {
            let end = self.here();
            return self.go_to(head, end);
        };
        let jump = self.emit(Instruction::Jump(0));
        let start = self.here();
        self.go_to(head, start);
        self.process(b, place);
        let end = self.here();
        self.go_to(jump, end);
    }

    fn switch(&mut self, process: &'m Process, cases: &'m [(Expr, Process)], place: &Inside<'m>) {
        let choice = self.code.choices.len();
        let conditions: Vec<&Expr> = cases.iter().map(|(condition, _)| condition).collect();
        self.code.choices.push(Cases {
            global: conditions.iter().all(|c| is_global(c, &place.locals)),
            conditions,
            targets: Vec::new(),
            span: process.span,
            scope: place.scope,
        });
        self.emit(Instruction::Switch {
            choice: choice as u32,
        });
        let mut jumps = Vec::new();
        for (_, case) in cases {
            let target = self.here();
            self.code.choices[choice].targets.push(target);
            self.process(case, place);
            jumps.push(self.emit(Instruction::Jump(0)));
        }
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.go_to(jump, end));
    }

    fn call(&mut self, name: &'m Name, arguments: &'m [Expr], place: &Inside<'m>) {
        let global = !place.locals.contains(&name.text.as_str());
        let callee = self.model.lookup(&name.text).filter(|_| global);
        if let Some(equation) = callee
            && let Some(Value::Process(body)) = &equation.value
            && equation.formals.is_empty()
            && self.code.instructions.len() < MAX_COPIED
        {
            let inner = Inside {
                scope: NOTHING,
                locals: Vec::new(),
                slot: place.slot,
                process: &equation.name.text,
            };
            return self.named(equation, body, &inner);
        }
        if let Some(equation) = callee {
            self.need(equation);
        }
        arguments.iter().for_each(|a| self.need_processes_in(a));
        let call = self.code.calls.len() as u32;
        self.code.calls.push(Call {
            name,
            arguments,
            scope: place.scope,
        });
        self.emit(Instruction::Call { call });
    }

    /// A process needs a block of its own.
    fn need(&mut self, equation: &'m Equation) {
        if let (Type::Process, Some(Value::Process(body))) = (equation.kind, &equation.value)
            && self.called.insert(address(body))
        {
            self.waiting.push(Block::Called(equation));
        }
    }

    /// Also processes passed as arguments.
    fn need_processes_in(&mut self, argument: &'m Expr) {
        if let ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) = &argument.kind
            && let Some(equation) = self.model.lookup(name)
        {
            self.need(equation);
        }
        parts_of_expr(argument, &mut |part, _| {
            if let Part::Expr(e) = part {
                with_stack(|| self.need_processes_in(e));
            }
        });
    }

    fn range(&mut self, range: &'m Range, place: &Inside<'m>) -> u32 {
        let bounds = Bounds {
            range,
            lower: self.expression(&range.lower, place),
            upper: self.expression(&range.upper, place),
            step: range.step.as_ref().map(|step| self.expression(step, place)),
            quorum: range.quorum.as_ref().map(|k| self.expression(k, place)),
        };
        self.code.ranges.push(bounds);
        self.code.ranges.len() as u32 - 1
    }

    fn expression(&mut self, expr: &'m Expr, place: &Inside<'m>) -> Id {
        self.code.expressions.push(Place {
            expr,
            scope: place.scope,
            global: is_global(expr, &place.locals),
        });
        self.code.expressions.len() as Id - 1
    }

    fn scope(&mut self, scope: Scope<'m>) -> u32 {
        self.code.scopes.push(scope);
        self.code.scopes.len() as u32 - 1
    }
}

/// True if an expression mentions no name in `locals`.
fn is_global(expr: &Expr, locals: &[&str]) -> bool {
    let named = match &expr.kind {
        ExprKind::Name(name) => Some(name.as_str()),
        ExprKind::Call(name, _) => Some(name.text.as_str()),
        _ => None,
    };
    if locals.is_empty() {
        return true;
    }
    let mut global = named.is_none_or(|name| !locals.contains(&name));
    parts_of_expr(expr, &mut |part, _| {
        if let Part::Expr(e) = part {
            global = global && with_stack(|| is_global(e, locals));
        }
    });
    global
}
