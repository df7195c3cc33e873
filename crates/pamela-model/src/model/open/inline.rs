//! Writes out the calls in the process of an open one, so that each visit to a resource stands in it.

use std::collections::{HashMap, HashSet};

use super::build;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::predefined::{FCFS, SERVERS};
use crate::model::{not_supported, with_stack};
use crate::syntax::rewrite::{any_part, node, substitute};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Name, Process, ProcessKind, Range, Replication, Type,
    Value as Definition,
};

/// Parts of a process with its calls written out.
const MOST_PARTS: usize = 10_000;
/// Calls within calls; of more, the model is recursive, which another check reports.
const MOST_CALLS: usize = 200;

pub(super) type Checked<T> = Result<T, Box<Diagnostic>>;

/// What names stand for in a process: arguments and indices, innermost last.
type Scope = Vec<(String, Expr)>;

/// An element of an array of resources.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub array: String,
    pub index: Expr,
    pub servers: Expr,
}

pub(super) struct Writer<'e> {
    pub equations: HashMap<&'e str, &'e Equation>,
    parts: usize,
    calls: usize,
    /// Names of the indices of loops; each has one of its own.
    indices: HashSet<String>,
}

impl<'e> Writer<'e> {
    pub(super) fn new(equations: &'e [Equation]) -> Writer<'e> {
        Writer {
            equations: equations
                .iter()
                .map(|e| (e.name.text.as_str(), e))
                .collect(),
            parts: 0,
            calls: 0,
            indices: HashSet::new(),
        }
    }

    /// The process with its calls written out; its indices have new names.
    pub(super) fn written_out(&mut self, process: &Process) -> Checked<Process> {
        self.process(process, &Scope::new())
    }

    /// True if an expression mentions the index of a loop of a process that is written out.
    pub(super) fn mentions_index(&self, expr: &Expr) -> bool {
        any_part(
            expr,
            &|part| matches!(&part.kind, ExprKind::Name(name) if self.indices.contains(name)),
        )
    }

    fn process(&mut self, process: &Process, scope: &Scope) -> Checked<Process> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            let message = format!("an open process has more than {MOST_PARTS} parts");
            return Err(Box::new(
                Diagnostic::error(message, process.span, "with its calls written out")
                    .hint("use fewer calls, or loops in their place"),
            ));
        }
        let kind = with_stack(|| self.parts_of(process, scope))?;
        Ok(Process {
            kind,
            span: process.span,
            label: process.label.clone(),
        })
    }

    fn parts_of(&mut self, process: &Process, scope: &Scope) -> Checked<ProcessKind> {
        use ProcessKind as P;
        let value = |e: &Expr| value(e, scope);
        Ok(match &process.kind {
            P::Delay(time) => P::Delay(value(time)),
            P::Use(resource, time) => P::Use(value(resource), value(time)),
            P::Hold(resource, body) => {
                P::Hold(value(resource), Box::new(self.process(body, scope)?))
            }
            P::Sequence(parts) => P::Sequence(self.processes(parts, scope)?),
            P::Parallel(parts) => P::Parallel(self.processes(parts, scope)?),
            P::Any(parts) => P::Any(self.processes(parts, scope)?),
            P::If(condition, a, b) => P::If(
                value(condition),
                Box::new(self.process(a, scope)?),
                match b {
                    Some(b) => Some(Box::new(self.process(b, scope)?)),
                    None => None,
                },
            ),
            P::Switch(cases) => {
                let mut written = Vec::new();
                for (condition, case) in cases {
                    written.push((value(condition), self.process(case, scope)?));
                }
                P::Switch(written)
            }
            P::Replicate(replication) => {
                let range = &replication.range;
                let index = format!("{}.{}", range.index.text, self.indices.len() + 1);
                self.indices.insert(index.clone());
                let mut inner = scope.clone();
                inner.push((range.index.text.clone(), build::name(&index)));
                P::Replicate(Box::new(Replication {
                    kind: replication.kind,
                    range: Range {
                        quorum: range.quorum.as_ref().map(value),
                        index: Name {
                            text: index,
                            span: range.index.span,
                        },
                        lower: value(&range.lower),
                        upper: value(&range.upper),
                        step: range.step.as_ref().map(value),
                    },
                    body: self.process(&replication.body, &inner)?,
                }))
            }
            P::Graph(_) => {
                let what = "a graph in an open process";
                return Err(Box::new(
                    not_supported(what, process.span).hint("write it by `;` and `||`"),
                ));
            }
            P::Call(name, arguments) => {
                return Ok(self.called(name, arguments, process.span, scope)?.kind);
            }
        })
    }

    fn processes(&mut self, parts: &[Process], scope: &Scope) -> Checked<Vec<Process>> {
        parts.iter().map(|part| self.process(part, scope)).collect()
    }

    fn called(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
        scope: &Scope,
    ) -> Checked<Process> {
        // A process that was passed as an argument.
        let passed = scope.iter().rev().find(|(own, _)| *own == name.text);
        let (callee, given): (String, Vec<Expr>) = match passed.map(|(_, own)| &own.kind) {
            Some(ExprKind::Name(other)) => (other.clone(), Vec::new()),
            Some(ExprKind::Call(other, given)) => (other.text.clone(), given.clone()),
            Some(_) | None => {
                let given = arguments.iter().map(|e| value(e, scope));
                (name.text.clone(), given.collect())
            }
        };
        let equation = self.equations.get(callee.as_str()).copied();
        let is_process = |e: &&Equation| e.formals.len() == given.len() && e.arrivals().is_none();
        let Some((equation, Some(Definition::Process(body)))) =
            equation.filter(is_process).map(|e| (e, &e.value))
        else {
            // Another check says what is wrong.
            return Ok(Process {
                kind: ProcessKind::Call(name.clone(), arguments.to_vec()),
                span,
                label: None,
            });
        };
        self.calls += 1;
        if self.calls > MOST_CALLS {
            let message = format!("more than {MOST_CALLS} calls within calls in an open process");
            return Err(Box::new(Diagnostic::error(
                message,
                span,
                "called here once more",
            )));
        }
        let formals = equation.formals.iter().map(|formal| formal.text.clone());
        let written = self.process(body, &formals.zip(given).collect());
        self.calls -= 1;
        written
    }

    /// The element that a resource stands for, with a number of servers without names; `None` if another check finds something wrong.
    pub(super) fn element(&self, resource: &Expr) -> Option<Element> {
        let mut element = self.element_of(resource)?;
        element.servers = self.resolved(&element.servers).clone();
        Some(element)
    }

    fn element_of(&self, resource: &Expr) -> Option<Element> {
        let mut resource = resource.clone();
        for _ in 0..MOST_CALLS {
            let (name, arguments) = match &resource.kind {
                ExprKind::Name(name) => (name.as_str(), [].as_slice()),
                ExprKind::Call(name, arguments) => (name.text.as_str(), arguments.as_slice()),
                _ => return None,
            };
            let index = arguments.first().cloned().unwrap_or(build::number(0));
            let array = |servers: Expr| Element {
                array: name.to_owned(),
                index,
                servers,
            };
            let Some(equation) = self.equations.get(name) else {
                let servers = arguments.get(1).cloned().unwrap_or(build::number(1));
                return (name == FCFS).then(|| array(servers));
            };
            let formals = equation.formals.iter().map(|f| f.text.clone());
            let scope: Scope = formals.zip(arguments.iter().cloned()).collect();
            match &equation.value {
                _ if equation.kind != Type::Resource => return None,
                None => return Some(array(build::number(1))),
                Some(Definition::Resource(Expr {
                    kind: ExprKind::Call(own, servers),
                    ..
                })) if own.text == SERVERS && !self.equations.contains_key(SERVERS) => {
                    return Some(array(value(servers.first()?, &scope)));
                }
                Some(Definition::Resource(other)) => resource = value(other, &scope),
                Some(_) => return None,
            }
        }
        None
    }

    /// The value of a numeric equation without arguments that is no parameter, through all names.
    pub(super) fn resolved<'x>(&'x self, expr: &'x Expr) -> &'x Expr {
        let mut expr = expr;
        for _ in 0..MOST_CALLS {
            let ExprKind::Name(name) = &expr.kind else {
                return expr;
            };
            match self.equations.get(name.as_str()) {
                Some(Equation {
                    parameter: false,
                    formals,
                    value: Some(Definition::Numeric(value)),
                    ..
                }) if formals.is_empty() => expr = value,
                _ => return expr,
            }
        }
        expr
    }
}

/// An expression in which names of a scope have their values.
pub(super) fn value(expr: &Expr, scope: &Scope) -> Expr {
    let of = |name: &str| scope.iter().rev().find(|(own, _)| own == name);
    let written = substitute(expr, &|name| of(name).map(|(_, value)| value.clone()));
    // A resource or a function that was passed as an argument.
    let renamed = match &written.kind {
        ExprKind::Call(name, arguments) => of(&name.text).map(|(_, own)| (own, arguments)),
        _ => None,
    };
    match renamed {
        Some((
            Expr {
                kind: ExprKind::Name(other),
                ..
            },
            arguments,
        )) => Expr {
            span: expr.span,
            ..node(ExprKind::Call(
                Name {
                    text: other.clone(),
                    span: expr.span,
                },
                arguments.clone(),
            ))
        },
        _ => Expr {
            span: expr.span,
            ..written
        },
    }
}
