//! Builds processes.

use super::parts::Parts;
use super::{Built, Rule, range};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Composition, Process, ProcessKind, Replication};

impl Parts<'_> {
    /// Builds the process from its parts: a list of units and operators, or one unit.
    pub(super) fn process(mut self) -> Built<Process> {
        let span = self.span();
        let kind = match self.rule() {
            Rule::process => return self.composition(),
            Rule::block => return self.take()?.process(),
            Rule::delay => ProcessKind::Delay(self.take()?.expression()?),
            Rule::use_resource => self.use_resource()?,
            Rule::replication => self.replication()?,
            Rule::if_process => self.conditional()?,
            Rule::process_switch => self.arms()?,
            Rule::graph => ProcessKind::Graph(Box::new(self.graph(Parts::process)?)),
            _ => self.call()?,
        };
        Ok(Process {
            kind,
            span,
            label: None,
        })
    }

    /// The next process with its label; the innermost label counts.
    fn labelled(&mut self) -> Built<Process> {
        let mut process = self.take()?.process()?;
        if let Some(mut label) = self.take_if(Rule::label) {
            let name = label.take()?.name();
            process.label.get_or_insert(Box::new(name));
        }
        Ok(process)
    }

    /// `a || b ; c <> d ...`: groups a flat list, `;` loosest.
    fn composition(&mut self) -> Built<Process> {
        let mut steps = Vec::new();
        let mut section = Section::new(self.labelled()?);
        while let Some(operator) = self.next() {
            let unit = self.labelled()?;
            match operator.text() {
                ";" => steps.push(std::mem::replace(&mut section, Section::new(unit)).finish()),
                "||" => section.join(Composition::Parallel, operator.span(), unit)?,
                _ => section.join(Composition::Any, operator.span(), unit)?,
            }
        }
        let last = section.finish();
        if steps.is_empty() {
            return Ok(last);
        }
        steps.push(last);
        Ok(joined(steps, ProcessKind::Sequence))
    }

    fn use_resource(&mut self) -> Built<ProcessKind> {
        let resource = self.take()?.expression()?;
        if let Some(body) = self.take_if(Rule::block) {
            return Ok(ProcessKind::Hold(resource, Box::new(body.process()?)));
        }
        Ok(ProcessKind::Use(resource, self.take()?.expression()?))
    }

    fn replication(&mut self) -> Built<ProcessKind> {
        let word = self.take()?;
        let (kind, ranked) = match word.text() {
            "seq" => (Composition::Sequence, Some(false)),
            "par" => (Composition::Parallel, Some(false)),
            _ => (Composition::Any, None),
        };
        let range = range(self.take()?, word.text(), ranked)?;
        let body = self.labelled()?;
        Ok(ProcessKind::Replicate(Box::new(Replication {
            kind,
            range,
            body,
        })))
    }

    fn conditional(&mut self) -> Built<ProcessKind> {
        let condition = self.take()?.take()?.expression()?;
        let then = Box::new(self.labelled()?);
        let otherwise = if self.is_done() {
            None
        } else {
            Some(Box::new(self.labelled()?))
        };
        Ok(ProcessKind::If(condition, then, otherwise))
    }

    fn arms(&mut self) -> Built<ProcessKind> {
        let mut arms = Vec::new();
        while let Some(mut arm) = self.next() {
            arms.push((arm.take()?.expression()?, arm.take()?.process()?));
        }
        Ok(ProcessKind::Switch(arms))
    }

    fn call(&mut self) -> Built<ProcessKind> {
        let name = self.take()?.name();
        let arguments = match self.take_if(Rule::arguments) {
            Some(arguments) => arguments.expressions()?,
            None => Vec::new(),
        };
        Ok(ProcessKind::Call(name, arguments))
    }
}

/// Processes joined by `||` only, or by `<>` only.
struct Section {
    processes: Vec<Process>,
    /// The operator that joins them, with its first location.
    operator: Option<(Composition, Span)>,
}

impl Section {
    fn new(first: Process) -> Section {
        Section {
            processes: vec![first],
            operator: None,
        }
    }

    fn join(&mut self, kind: Composition, span: Span, process: Process) -> Built<()> {
        let (first, place) = *self.operator.get_or_insert((kind, span));
        if first != kind {
            return Err(Diagnostic::error(
                "`||` and `<>` are mixed",
                span,
                "which of them binds closer?",
            )
            .also(place, "the other one")
            .hint("put braces around one of them: `{ a || b } <> c` or `a || { b <> c }`")
            .into());
        }
        self.processes.push(process);
        Ok(())
    }

    fn finish(mut self) -> Process {
        match self.operator {
            Some((Composition::Any, _)) => joined(self.processes, ProcessKind::Any),
            Some(_) => joined(self.processes, ProcessKind::Parallel),
            None => self.processes.swap_remove(0),
        }
    }
}

/// One process of several, over the whole of their text; at least one.
fn joined(processes: Vec<Process>, kind: fn(Vec<Process>) -> ProcessKind) -> Process {
    let first = processes
        .first()
        .map_or(Span::default(), |process| process.span);
    let last = processes.last().map_or(first, |process| process.span);
    Process {
        kind: kind(processes),
        span: first.to(last),
        label: None,
    }
}
