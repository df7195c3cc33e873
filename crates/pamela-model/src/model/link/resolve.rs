//! Names in a file to names in the flat model.

use super::unit::Target;
use super::{Linker, ROOT};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::predefined::{self, FCFS, SERVERS, nearest};
use crate::model::walk::{PartMut, parts_of_expr_mut, parts_of_process_mut, with_stack};
use crate::syntax::tree::{Expr, ExprKind, NAMED, Process, ProcessKind, Type};

impl Linker {
    /// Resolves the names in an expression of an instance; `locals` are its formals and indices.
    pub(super) fn expr(&mut self, instance: usize, expr: &mut Expr, locals: &mut Vec<String>) {
        if let ExprKind::Call(sign, parts) = &mut expr.kind
            && sign.text == NAMED
        {
            self.diagnostics.push(
                Diagnostic::error(
                    "an argument with a name, in a place without",
                    sign.span,
                    "named here",
                )
                .hint("arguments have names in calls of equations; equality is written `==`"),
            );
            if let Some(value) = parts.pop() {
                *expr = value;
            }
        }
        parts_of_call(&mut expr.kind, &mut |value| {
            with_stack(|| self.expr(instance, value, locals));
        });
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if let Some(target) = self.find(instance, name, span, false, locals) {
                    *name = match self.fills_all(target) {
                        true => self.filler_of(target, Vec::new(), span).0,
                        false => self.reach(target),
                    };
                }
            }
            ExprKind::Call(name, arguments) => {
                match self.find(instance, &name.text, name.span, true, locals) {
                    Some(target) => {
                        let arguments_given = std::mem::take(arguments);
                        (name.text, *arguments) =
                            self.filler_of(target, arguments_given, name.span);
                    }
                    None => self.without_names(&name.text, arguments),
                }
            }
            _ => parts_of_expr_mut(expr, &mut |part, indices| {
                self.part(instance, part, indices, locals);
            }),
        }
    }

    pub(super) fn process(
        &mut self,
        instance: usize,
        process: &mut Process,
        locals: &mut Vec<String>,
    ) {
        let ProcessKind::Call(name, arguments) = &mut process.kind else {
            return parts_of_process_mut(process, &mut |part, indices| {
                self.part(instance, part, indices, locals);
            });
        };
        for argument in arguments.iter_mut() {
            with_stack(|| self.expr(instance, value_of(argument), locals));
        }
        match self.find(instance, &name.text, name.span, true, locals) {
            Some(target) => {
                let given = std::mem::take(arguments);
                (name.text, *arguments) = self.filler_of(target, given, name.span);
            }
            None => self.without_names(&name.text, arguments),
        }
    }

    fn part(
        &mut self,
        instance: usize,
        part: PartMut<'_>,
        indices: &[String],
        locals: &mut Vec<String>,
    ) {
        let outer = locals.len();
        locals.extend_from_slice(indices);
        with_stack(|| match part {
            PartMut::Expr(e) => self.expr(instance, e, locals),
            PartMut::Process(p) => self.process(instance, p, locals),
        });
        locals.truncate(outer);
    }

    /// Names of arguments where what is called has none.
    fn without_names(&mut self, callee: &str, arguments: &mut [Expr]) {
        for argument in arguments {
            if let ExprKind::Call(sign, parts) = &mut argument.kind
                && sign.text == NAMED
            {
                let message = format!("the arguments of `{callee}` have no names");
                let error = Diagnostic::error(message, sign.span, "named here");
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
        locals: &[String],
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
        if locals.iter().any(|local| local == name) {
            return None;
        }
        let unit = &self.units[self.instances[instance].unit];
        let own = unit.position(name).map(|item| Target { instance, item });
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
            let error = error.hint(match nearest(name, unit.names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "an imported file sees its own names alone: what it needs is an argument or a parameter"
                        .to_owned()
                }
            });
            self.diagnostics.push(error);
        }
        found
    }
}

/// Visits the arguments of a call, without their names.
fn parts_of_call(kind: &mut ExprKind, visit: &mut dyn FnMut(&mut Expr)) {
    if let ExprKind::Call(_, arguments) = kind {
        arguments.iter_mut().for_each(|a| visit(value_of(a)));
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
