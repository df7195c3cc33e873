//! Functions that rules may use: code with a declared signature, and text.

use std::sync::Arc;

use super::compiler::Compiler;
use super::{Compiled, fail};
use crate::algebra::functions;
use crate::algebra::rule::{Code, Function, Signature, Statement, ready};
use crate::syntax::rewrite::{any_part, map_operands, substitute};
use crate::syntax::tree::{self, Expr, ExprKind, Guard, Relation, SPREAD};

/// The function that a text declares, beside those that are known.
pub(super) fn declare(
    known: &[Arc<Function>],
    source: &str,
    text: tree::Function,
) -> Compiled<Function> {
    if known.iter().any(|function| function.name == text.name.text) {
        let message = format!("duplicate function `{}`", text.name.text);
        let hint = "rename it: functions of all files share their names";
        return fail(
            message,
            text.name.span,
            "a function of this name exists already",
            hint,
        );
    }
    for name in text.formals.iter().chain(&text.results) {
        if formal(name).is_none() {
            let hint = "write `fn f(x, ..r) -> (y, ..s)`";
            return fail(
                "not a name".into(),
                name.span,
                "a name, or `..` and a name",
                hint,
            );
        }
    }
    let body = match &text.value {
        Some(_) => None,
        None => Some(code(known, &text)?),
    };
    Ok(Function {
        name: text.name.text.clone(),
        source: source.to_string(),
        doc: text.doc.clone(),
        text: ready(text),
        body,
    })
}

/// The name that a formal or result declares, and whether it is a list.
fn formal(expr: &Expr) -> Option<(&str, bool)> {
    match &expr.kind {
        ExprKind::Name(name) => Some((name, false)),
        ExprKind::Call(sign, inner) if sign.text == SPREAD => match &inner[0].kind {
            ExprKind::Name(name) => Some((name, true)),
            _ => None,
        },
        _ => None,
    }
}

fn code(known: &[Arc<Function>], text: &tree::Function) -> Compiled<Code> {
    let Some(run) = functions::find(&text.name.text) else {
        let message = format!("no function named `{}`", text.name.text);
        let hint = "define it: `fn f(x) = e \"what it says\"`";
        return fail(message, text.name.span, "unknown code", hint);
    };
    let mut compiler = Compiler::new(known, &[]);
    compiler.found(&text.formals)?;
    compiler.found(&text.results)?;
    let variables = text.formals.len() + text.results.len();
    let mut ensures = Vec::new();
    for statement in &text.ensures {
        let (left, right) = match &statement.kind {
            ExprKind::Compare(Relation::Equal, a, b) => (a.as_ref(), Some(b.as_ref())),
            _ => (statement, None),
        };
        compiler.single.clear();
        compiler.elementwise = true;
        let left = compiler.pattern(left)?;
        let right = right.map(|right| compiler.pattern(right)).transpose()?;
        compiler.elementwise = false;
        ensures.push(Statement {
            text: format!("{}: {statement}", text.name),
            left,
            right,
            lists: compiler.single.clone(),
            variables,
        });
    }
    let lists = |names: &[Expr]| {
        let names = names.iter().filter_map(formal);
        names.map(|(_, list)| list).collect()
    };
    let signature = Signature {
        formals: lists(&text.formals),
        results: lists(&text.results),
        ensures,
    };
    Ok(Code { run, signature })
}

/// The rule with functions that are text put in wherever they are called; `None` where none is.
pub(super) fn expanded(functions: &[Arc<Function>], rule: &tree::Rule) -> Option<tree::Rule> {
    let is_text = |name: &str| {
        let mut texts = functions.iter().filter(|function| function.body.is_none());
        texts.any(|function| function.name == name)
    };
    let calls_text =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Call(name, _) if is_text(&name.text));
    let kept = rule.kept.iter().flat_map(|kept| &kept.guards);
    let guards = rule.when.iter().chain(&rule.assume).chain(kept);
    let guards = guards.filter_map(|guard| match guard {
        Guard::Holds(expr) => Some(expr),
        Guard::NotIn(..) => None,
    });
    let lets = rule.lets.iter().map(|binding| &binding.value);
    let mut parts = [&rule.left, &rule.right]
        .into_iter()
        .chain(guards)
        .chain(lets);
    if !parts.any(|part| any_part(part, &calls_text)) {
        return None;
    }
    let expand = |expr: &Expr| expand(functions, expr);
    let guards = |list: &[Guard]| -> Vec<Guard> {
        let list = list.iter().map(|guard| match guard {
            Guard::Holds(expr) => Guard::Holds(expand(expr)),
            Guard::NotIn(index, expr) => Guard::NotIn(index.clone(), expr.clone()),
        });
        list.collect()
    };
    let mut result = rule.clone();
    result.left = expand(&rule.left);
    result.right = expand(&rule.right);
    result.when = guards(&rule.when);
    result.assume = guards(&rule.assume);
    for (kept, written) in result.kept.iter_mut().zip(&rule.kept) {
        kept.guards = guards(&written.guards);
    }
    for (binding, written) in result.lets.iter_mut().zip(&rule.lets) {
        binding.value = expand(&written.value);
    }
    Some(result)
}

fn expand(functions: &[Arc<Function>], expr: &Expr) -> Expr {
    let mut inner = map_operands(expr, &mut |operand| expand(functions, operand));
    inner.span = expr.span;
    let ExprKind::Call(name, operands) = &inner.kind else {
        return inner;
    };
    let found = functions.iter().find(|function| function.name == name.text);
    let Some((function, value)) = found.and_then(|f| Some((f, f.text.value.as_ref()?))) else {
        return inner;
    };
    if function.text.formals.len() != operands.len() {
        return inner;
    }
    // Functions may use those before them.
    let value = expand(functions_before(functions, &function.name), value);
    let formals: Vec<&str> = function
        .text
        .formals
        .iter()
        .filter_map(|f| Some(formal(f)?.0))
        .collect();
    let place = |name: &str| formals.iter().position(|formal| *formal == name);
    let mut result = substitute(&value, &|name| Some(operands.get(place(name)?)?.clone()));
    result.span = expr.span;
    result
}

fn functions_before<'a>(functions: &'a [Arc<Function>], name: &str) -> &'a [Arc<Function>] {
    let end = functions.iter().position(|function| function.name == name);
    &functions[..end.unwrap_or(0)]
}
