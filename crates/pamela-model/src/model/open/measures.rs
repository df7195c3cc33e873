//! Functions of open processes in equations: `delta(site)`, `wait(site, r)` and the like.

use super::inline::Writer;
use super::parts::{Open, Unused, Wait, made};
use super::{build, closed};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::predefined::{self, Measure, WAIT};
use crate::model::{not_supported, with_stack};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Item, PartMut, Process, ProcessKind, Type, Value as Definition,
    parts_of_expr_mut, parts_of_process_mut,
};

/// Replaces the functions of open processes in all items, and returns the equations of waits of other processes.
///
/// # Errors
/// Fails if an open process stands elsewhere.
pub(super) fn replace(
    items: &mut [Item],
    open: &[Open],
    equations: &[Equation],
    unused: &mut Unused,
) -> Result<Vec<(Equation, Wait)>, Vec<Diagnostic>> {
    let mut replacing = Replacing {
        open,
        equations,
        unused,
        waits: !equations.iter().any(|own| own.name.text == WAIT),
        closed: Vec::new(),
        diagnostics: Vec::new(),
    };
    for item in items {
        match item {
            Item::Equation(equation) => replacing.equation(equation),
            Item::Assume(relations) => relations.iter_mut().for_each(|e| replacing.expr(e)),
            Item::Assert(assertion) => {
                replacing.expr(&mut assertion.claim);
                assertion.when.iter_mut().for_each(|e| replacing.expr(e));
            }
            _ => {}
        }
    }
    if replacing.diagnostics.is_empty() {
        Ok(replacing.closed)
    } else {
        Err(replacing.diagnostics)
    }
}

struct Replacing<'o> {
    open: &'o [Open],
    equations: &'o [Equation],
    unused: &'o mut Unused,
    /// True if `wait` is the predefined function.
    waits: bool,
    /// Equations of waits of processes that are not open.
    closed: Vec<(Equation, Wait)>,
    diagnostics: Vec<Diagnostic>,
}

impl Replacing<'_> {
    fn equation(&mut self, equation: &mut Equation) {
        match &mut equation.value {
            Some(Definition::Numeric(value)) => self.expr(value),
            Some(Definition::Process(process)) => self.process(process),
            Some(Definition::Resource(value)) => self.expr(value),
            None => {}
        }
    }

    fn named(&self, expr: &Expr) -> Option<&Open> {
        match &expr.kind {
            ExprKind::Name(name) => self.open.iter().find(|own| own.name == *name),
            _ => None,
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        with_stack(|| self.expr_here(expr));
    }

    fn expr_here(&mut self, expr: &mut Expr) {
        if let Some(open) = self.named(expr) {
            let message = format!("the open process `{}` stands here", open.name);
            let hint = "an open process stands in `T`, `phi`, `delta`, `omega` and `wait` alone";
            let error = Diagnostic::error(message, expr.span, "not a process of one run");
            return self.diagnostics.push(error.hint(hint));
        }
        if let ExprKind::Call(name, arguments) = &mut expr.kind
            && let [process, others @ ..] = arguments.as_mut_slice()
        {
            let measure = predefined::measure(&name.text).filter(|_| others.is_empty());
            let open = self.named(process).cloned();
            match (measure, open) {
                (Some(measure), Some(open)) => {
                    if let Some(value) = self.measured(measure, &open, expr) {
                        expr.kind = value.kind;
                    }
                    return;
                }
                (None, open) if self.waits && name.text == WAIT => {
                    if let [resource] = others {
                        let (process, resource) = (process.clone(), resource.clone());
                        return match open {
                            Some(open) => self.waited(&open, resource, expr),
                            None => self.waited_in_loop(&process, &resource, expr),
                        };
                    }
                    return;
                }
                _ => {}
            }
            // The mean is known where the law is not.
            if name.text == "E" && others.is_empty() && self.is_time(process) {
                return;
            }
        }
        parts_of_expr_mut(expr, &mut |part, _| {
            if let PartMut::Expr(part) = part {
                self.expr(part);
            }
        });
    }

    /// True for `T(site)`.
    fn is_time(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call(name, arguments) => {
                let measure = predefined::measure(&name.text);
                let open = arguments.first().and_then(|process| self.named(process));
                matches!(measure, Some(Measure::Time | Measure::Execution)) && open.is_some()
            }
            _ => false,
        }
    }

    fn measured(&mut self, measure: Measure, open: &Open, expr: &Expr) -> Option<Expr> {
        let demand = || build::name(&open.demand);
        match measure {
            Measure::Time | Measure::Execution if open.basis.repeated => {
                self.only_mean(open, expr.span);
                None
            }
            Measure::Time | Measure::Execution => None,
            Measure::Path => Some(build::call("phi", vec![build::name(&open.request)])),
            Measure::Demand => Some(demand()),
            Measure::LargestDemand => Some(build::call("max", vec![demand()])),
            Measure::Least | Measure::Most => {
                let what = "a bound of the time of an open process";
                self.diagnostics.push(not_supported(what, expr.span).hint(
                    "`E(phi(..))` is a lower bound of its mean; an open process has no upper one",
                ));
                None
            }
        }
    }

    fn only_mean(&mut self, open: &Open, span: Span) {
        let message = format!(
            "the law of the time of `{}`, which visits a resource more than once",
            open.name
        );
        let error = not_supported(&message, span).hint(format!(
            "only its mean is known: `E(T({}))`; `pamela simulate` gives quantiles",
            open.name
        ));
        self.diagnostics.push(error);
    }

    /// `wait(site, r)`
    fn waited(&mut self, open: &Open, resource: Expr, expr: &mut Expr) {
        let (array, index) = match resource.kind {
            ExprKind::Name(array) => (array, None),
            ExprKind::Call(array, indices) => (array.text, indices.into_iter().next()),
            _ => (String::new(), None),
        };
        let Some(wait) = open.waits.iter().find(|own| own.array == array) else {
            let message = format!("`{}` does not visit this resource", open.name);
            let arrays: Vec<String> = open
                .waits
                .iter()
                .map(|own| format!("`{}`", own.array))
                .collect();
            let arrays: Vec<&str> = arrays.iter().map(String::as_str).collect();
            let hint = if arrays.is_empty() {
                "it visits no resource".to_owned()
            } else {
                format!("it visits {}", crate::diagnostic::listed(&arrays))
            };
            let error = Diagnostic::error(message, expr.span, "expected a resource that it visits");
            return self.diagnostics.push(error.hint(hint));
        };
        expr.kind = if wait.indexed {
            build::call(&wait.equation, vec![index.unwrap_or(build::number(0))]).kind
        } else {
            build::name(&wait.equation).kind
        };
    }

    /// `wait(main, r)` of a closed loop, as an equation of its own.
    fn waited_in_loop(&mut self, process: &Expr, resource: &Expr, expr: &mut Expr) {
        let ExprKind::Name(name) = &process.kind else {
            return;
        };
        let own = self.equations.iter().find(|own| own.name.text == *name);
        let Some(own) = own.filter(|own| own.kind == Type::Process) else {
            return;
        };
        let mut writer = Writer::new(self.equations);
        match closed::wait(own, resource, &mut writer, expr.span) {
            Ok((value, basis)) => {
                let array = match &resource.kind {
                    ExprKind::Name(array) => array.as_str(),
                    ExprKind::Call(array, _) => array.text.as_str(),
                    _ => "resource",
                };
                let name = self.unused.name(&["wait", name, array]);
                let is_run = value.is_none();
                let value = Definition::Numeric(value.unwrap_or(build::number(0)));
                let mut equation = made(Type::Numeric, &name, &[], value, expr.span);
                if is_run {
                    (equation.parameter, equation.value) = (true, None);
                }
                let wait = Wait {
                    array: String::new(),
                    equation: name.clone(),
                    indexed: false,
                    basis,
                    stable: None,
                    run: is_run.then(|| (own.name.text.clone(), resource.clone())),
                };
                self.closed.push((equation, wait));
                expr.kind = build::name(&name).kind;
            }
            Err(wrong) => self.diagnostics.push(*wrong),
        }
    }

    fn process(&mut self, process: &mut Process) {
        if let ProcessKind::Call(name, _) = &process.kind
            && let Some(open) = self.open.iter().find(|own| own.name == name.text)
        {
            let message = format!("the open process `{}` in another process", open.name);
            let error = Diagnostic::error(message, name.span, "it goes on for ever")
                .hint("call the process that it begins");
            return self.diagnostics.push(error);
        }
        parts_of_process_mut(process, &mut |part, _| {
            with_stack(|| match part {
                PartMut::Expr(e) => self.expr(e),
                PartMut::Process(p) => self.process(p),
            });
        });
    }
}
