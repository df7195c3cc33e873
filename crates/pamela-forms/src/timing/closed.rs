//! Reads a process as a closed section `par (p = 1, P) seq (i = 1, N) { .. }` of `delay` and `use`, in symbols.

use super::argument::{Argument, Binder, not_a};
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, Symbol};
use crate::model::{CLOSED_SECTION, with_stack};
use crate::syntax::tree::{
    Composition, Expr, Name, Process, ProcessKind, Range, Type, Value as Definition,
};

type Lowered<T> = Result<T, Diagnostic>;

/// A process read as a closed section.
pub(super) struct Closed {
    /// Numbers of branches and of cycles of each, which may be below 1.
    pub clients: ExprId,
    pub cycles: ExprId,
    /// Times of a cycle outside of all stations.
    pub think: Vec<ExprId>,
    pub stations: Vec<Visited>,
    /// Indices of clients and cycles; nothing may depend on them.
    indices: Vec<(Symbol, String)>,
    /// Where the number of clients stands.
    pub span: Span,
}

/// A resource with its services in a cycle.
pub(super) struct Visited {
    pub array: Symbol,
    pub index: ExprId,
    pub servers: ExprId,
    pub services: Vec<(ExprId, Span)>,
    pub span: Span,
}

/// The expected part of a closed section.
#[derive(Clone, Copy)]
enum Stage {
    Clients,
    Cycles,
    Stations,
}

pub(super) fn differs(what: &str, span: Span) -> Diagnostic {
    let message = format!("mean value analysis in symbols does not apply: {what}");
    Diagnostic::error(message, span, "here").hint(CLOSED_SECTION)
}

impl Lowering<'_, '_> {
    /// Reads a process as a closed section.
    pub(super) fn closed_section(&mut self, process: &Process) -> Lowered<Closed> {
        let one = self.arena.number(1);
        let mut closed = Closed {
            clients: one,
            cycles: one,
            think: Vec::new(),
            stations: Vec::new(),
            indices: Vec::new(),
            span: process.span,
        };
        self.look_at(process, Stage::Clients, &mut closed)?;
        Ok(closed)
    }

    fn look_at(&mut self, process: &Process, stage: Stage, closed: &mut Closed) -> Lowered<()> {
        let span = process.span;
        with_stack(|| match (stage, &process.kind) {
            (_, ProcessKind::Call(name, arguments)) => {
                self.look_at_called(name, arguments, stage, closed)
            }
            (Stage::Clients, ProcessKind::Replicate(section))
                if section.kind == Composition::Parallel =>
            {
                let (binder, count) = self.iterations(&section.range, closed)?;
                closed.clients = count;
                closed.span = section.range.upper.span;
                self.under_binder(&section.range.index.text, binder, |inner| {
                    inner.look_at(&section.body, Stage::Cycles, closed)
                })
            }
            (Stage::Cycles, ProcessKind::Replicate(section))
                if section.kind == Composition::Sequence =>
            {
                let (binder, count) = self.iterations(&section.range, closed)?;
                closed.cycles = count;
                self.under_binder(&section.range.index.text, binder, |inner| {
                    inner.look_at(&section.body, Stage::Stations, closed)
                })
            }
            (Stage::Stations, ProcessKind::Sequence(parts)) => parts
                .iter()
                .try_for_each(|part| self.look_at(part, stage, closed)),
            (Stage::Stations, ProcessKind::Delay(time)) => {
                let time_of_cycle = self.numeric(time)?;
                self.alike(time_of_cycle, time.span, closed)?;
                closed.think.push(time_of_cycle);
                Ok(())
            }
            (Stage::Stations, ProcessKind::Use(resource, time)) => {
                self.look_at_use(resource, time, closed)
            }
            (Stage::Clients, _) => Err(differs("this is not a `par` with a range", span)),
            (Stage::Cycles, _) => Err(differs("the branches are not a `seq` with a range", span)),
            (Stage::Stations, _) => {
                let what = "a cycle must be `delay`s and `use`s one after the other";
                Err(differs(what, span))
            }
        })
    }

    fn look_at_called(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        stage: Stage,
        closed: &mut Closed,
    ) -> Lowered<()> {
        let (position, arguments) = match self.local(&name.text).cloned() {
            Some(Argument::Process(position, arguments)) => (position, arguments),
            Some(_) => return Err(not_a("process", name.span)),
            None => {
                let position = self.model.position(&name.text);
                let position = position.ok_or_else(|| not_a("process", name.span))?;
                (position, self.arguments(arguments)?)
            }
        };
        self.count_instance(&arguments, name.span)?;
        let model = self.model;
        let equation = &model.equations()[position];
        match &equation.value {
            Some(Definition::Process(body)) if equation.kind == Type::Process => {
                self.in_equation(equation, &arguments, |inner| {
                    inner.look_at(body, stage, closed)
                })
            }
            _ => Err(not_a("process", name.span)),
        }
    }

    /// A range with how many iterations it has, which may be fewer than none.
    fn iterations(&mut self, range: &Range, closed: &mut Closed) -> Lowered<(Binder, ExprId)> {
        let binder = self.binder(range)?;
        for bound in [binder.lower, binder.upper] {
            self.alike(bound, range.lower.span.to(range.upper.span), closed)?;
            if self.is_law(bound) {
                return Err(differs("a bound is random", range.upper.span));
            }
        }
        let index = range.index.text.clone();
        closed.indices.push((binder.index, index));
        let one = self.arena.number(1);
        let last = self.arena.subtract(binder.upper, binder.lower);
        let last = self.arena.apply(Function::Floor, last);
        Ok((binder, self.arena.add(&[last, one])))
    }

    /// All clients and cycles do the same.
    fn alike(&self, expr: ExprId, span: Span, closed: &Closed) -> Lowered<()> {
        let mut indices = closed.indices.iter();
        match indices.find(|(index, _)| self.arena.mentions(expr, *index)) {
            Some((_, name)) => {
                let what = format!("this depends on `{name}`, so no two of them are alike");
                Err(differs(&what, span))
            }
            None => Ok(()),
        }
    }

    fn look_at_use(&mut self, resource: &Expr, time: &Expr, closed: &mut Closed) -> Lowered<()> {
        let span = resource.span;
        let resource = self.resource(resource)?;
        let law = self.numeric(time)?;
        for part in [resource.index, resource.multiplicity, law] {
            self.alike(part, time.span, closed)?;
        }
        let same = |s: &&mut Visited| s.array == resource.array && s.index == resource.index;
        match closed.stations.iter_mut().find(same) {
            Some(known) => known.services.push((law, time.span)),
            None => closed.stations.push(Visited {
                array: resource.array,
                index: resource.index,
                servers: resource.multiplicity,
                services: vec![(law, time.span)],
                span,
            }),
        }
        Ok(())
    }
}
