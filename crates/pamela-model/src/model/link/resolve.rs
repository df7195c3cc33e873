//! Resolves names in a file to names in the flat model.

use super::calls::Called;
use super::records::{Local, Scope};
use super::unit::Target;
use super::{Linker, ROOT, points};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::predefined::{self, FCFS, SERVERS, nearest};
use crate::model::walk::{PartMut, parts_of_expr_mut, parts_of_process_mut, with_stack};
use crate::syntax::tree::{Expr, ExprKind, NAMED, Name, POINT, Process, ProcessKind, Type};

impl Linker {
    /// Resolves the names in an expression of an instance; `locals` are its formals and indices.
    pub(super) fn expr(&mut self, instance: usize, expr: &mut Expr, locals: &mut Vec<Local>) {
        if let ExprKind::Call(sign, parts) = &mut expr.kind
            && sign.text == NAMED
        {
            self.diagnostics.push(
                Diagnostic::error(
                    "an argument cannot have a name here",
                    sign.span,
                    "named here",
                )
                .hint("arguments have names in calls of equations; equality is written `==`")
                .code(Code::ArgumentNamed),
            );
            if let Some(value) = parts.pop() {
                *expr = value;
            }
        }
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Call(sign, _) if sign.text == POINT => {
                let error =
                    Diagnostic::error("a point `x: y` is not allowed here", span, "a point");
                let hint = "points are arguments of `steps(x, 0: 0.1, 1e9: 0.6)` and of `linear`";
                self.diagnostics.push(error.hint(hint));
            }
            ExprKind::Name(name) => match self.name(instance, name, span, locals) {
                Ok(Some(kind)) => *expr = kind,
                Ok(None) => {}
                Err(error) => self.diagnostics.push(*error),
            },
            ExprKind::Call(name, arguments) => {
                if self.tells_record(instance, &name.text, span, locals) {
                    return;
                }
                if self.calls_equation(instance, name, arguments, locals) {
                    return;
                }
                if !points::are_given(&name.text, arguments) {
                    return self.arguments(instance, &name.text, arguments, locals);
                }
                match self.through_points(instance, &name.text, arguments, span) {
                    Ok(mut written) => {
                        self.expr(instance, &mut written, locals);
                        *expr = written;
                    }
                    Err(error) => self.tell(*error),
                }
            }
            ExprKind::Reduce(reduction) if reduction.range.rows().is_some() => {
                match self.over_rows(instance, reduction, span, locals) {
                    Ok(written) => *expr = written,
                    Err(error) => self.tell(*error),
                }
            }
            _ => parts_of_expr_mut(expr, &mut |part, indices| {
                self.part(instance, part, indices, locals);
            }),
        }
    }

    /// Replaces a name by the definition that it refers to, if necessary.
    fn name(
        &mut self,
        instance: usize,
        name: &mut String,
        span: Span,
        locals: &mut Vec<Local>,
    ) -> Result<Option<Expr>, Box<Diagnostic>> {
        let scope = Scope { instance, locals };
        if let Some(found) = self.field_path(scope, name, span) {
            return found.map(Some);
        }
        if let Some(fields) = self.fields_of_record(scope, name) {
            return Err(Box::new(record_as_number(name, span, &fields)));
        }
        if let Some(target) = self.find(instance, name, span, false, locals) {
            *name = if self.fills_all(target) {
                let called = Called {
                    name,
                    given: Vec::new(),
                    span,
                };
                self.call(instance, target, called, locals).0
            } else {
                self.reach(target)
            };
        }
        Ok(None)
    }

    /// True if a call in place of a number builds a record; reports it.
    fn tells_record(&mut self, instance: usize, name: &str, span: Span, locals: &[Local]) -> bool {
        let scope = Scope { instance, locals };
        let fields = self.fields_of_built(scope, name);
        if let Some(fields) = &fields {
            let shown = format!("{name}(..)");
            self.diagnostics
                .push(record_as_number(&shown, span, fields));
        }
        fields.is_some()
    }

    /// True if a call is one of an equation, which it then names, with all its arguments.
    fn calls_equation(
        &mut self,
        instance: usize,
        name: &mut Name,
        arguments: &mut Vec<Expr>,
        locals: &mut Vec<Local>,
    ) -> bool {
        let Some(target) = self.find(instance, &name.text, name.span, true, locals) else {
            return false;
        };
        let called = Called {
            name: &name.text,
            given: std::mem::take(arguments),
            span: name.span,
        };
        (name.text, *arguments) = self.call(instance, target, called, locals);
        true
    }

    /// Checks arguments of something that is not an equation.
    fn arguments(
        &mut self,
        instance: usize,
        callee: &str,
        arguments: &mut [Expr],
        locals: &mut Vec<Local>,
    ) {
        for argument in arguments.iter_mut() {
            with_stack(|| self.expr(instance, value_of(argument), locals));
        }
        self.without_names(callee, arguments);
    }

    pub(super) fn process(
        &mut self,
        instance: usize,
        process: &mut Process,
        locals: &mut Vec<Local>,
    ) {
        let span = process.span;
        match &mut process.kind {
            ProcessKind::Call(name, arguments) => {
                if !self.calls_equation(instance, name, arguments, locals) {
                    self.arguments(instance, &name.text, arguments, locals);
                }
            }
            ProcessKind::Replicate(replication) if replication.range.rows().is_some() => {
                match self.process_over_rows(instance, replication, span, locals) {
                    Ok(written) => *process = written,
                    Err(error) => self.tell(*error),
                }
            }
            _ => parts_of_process_mut(process, &mut |part, indices| {
                self.part(instance, part, indices, locals);
            }),
        }
    }

    fn part(
        &mut self,
        instance: usize,
        part: PartMut<'_>,
        indices: &[String],
        locals: &mut Vec<Local>,
    ) {
        let outer = locals.len();
        locals.extend(indices.iter().cloned().map(Local::Plain));
        with_stack(|| match part {
            PartMut::Expr(e) => self.expr(instance, e, locals),
            PartMut::Process(p) => self.process(instance, p, locals),
        });
        locals.truncate(outer);
    }

    /// Reports names of arguments if the callee has none.
    fn without_names(&mut self, callee: &str, arguments: &mut [Expr]) {
        for argument in arguments {
            if let ExprKind::Call(sign, parts) = &mut argument.kind
                && sign.text == NAMED
            {
                let message = format!("the arguments of `{callee}` have no names");
                let error =
                    Diagnostic::error(message, sign.span, "named here").code(Code::ArgumentNamed);
                let hint = "arguments have names in calls of equations; equality is written `==`";
                self.diagnostics.push(error.hint(hint));
                if let Some(value) = parts.pop() {
                    *argument = value;
                }
            }
        }
    }

    /// The equation that a name means, unless it is local, predefined or unknown; what is unknown to a library is an
    /// error.
    fn find(
        &mut self,
        instance: usize,
        name: &str,
        span: Span,
        called: bool,
        locals: &[Local],
    ) -> Option<Target> {
        if name.contains('.') {
            return match self.find_path(instance, name, span) {
                Ok(target) => Some(target),
                Err(error) => {
                    self.diagnostics.push(*error);
                    None
                }
            };
        }
        if locals.iter().any(|local| local.name() == name) {
            return None;
        }
        let unit = &self.units[self.instances[instance].unit];
        let own = unit.position(name).map(|item| Target::new(instance, item));
        let found = own.or_else(|| self.single(instance, name));
        let found = found.filter(|&target| {
            // A parameter does not hide the function of its name, since it cannot be called.
            let equation = self.equation(target);
            let callable = equation.kind == Type::Process || !equation.formals.is_empty();
            !called || callable || !predefined::is_special(name)
        });
        let predefined = [FCFS, SERVERS].contains(&name)
            || predefined::function(name).is_some()
            || predefined::law(name).is_some();
        if found.is_none() && !predefined && instance != ROOT {
            let unit = &self.units[self.instances[instance].unit];
            let error = Diagnostic::error(format!("`{name}` is not defined"), span, "used here");
            let error = match nearest(name, unit.names()) {
                Some(near) => error.suggest(span, near),
                None => error.hint(
                    "an imported file sees only its own names: pass values as arguments or parameters",
                ),
            };
            let error = error.code(Code::NameUnbound);
            self.diagnostics.push(error);
        }
        found
    }
}

/// The error for a record in the place of a number.
fn record_as_number(name: &str, span: Span, fields: &[String]) -> Diagnostic {
    let message = format!("expected a number, found the record `{name}`");
    let error = Diagnostic::error(message, span, "a record").code(Code::Record);
    match fields.first() {
        Some(field) => error.hint(format!(
            "a field of it is written `{name}.{field}`; it has {}",
            fields.join(", ")
        )),
        None => error,
    }
}

/// An argument without its name.
fn value_of(argument: &mut Expr) -> &mut Expr {
    let named = matches!(&argument.kind, ExprKind::Call(sign, parts) if sign.text == NAMED && parts.len() == 2);
    if !named {
        return argument;
    }
    match &mut argument.kind {
        ExprKind::Call(_, parts) => &mut parts[1],
        _ => unreachable!("it is a call"),
    }
}
