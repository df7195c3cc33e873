//! `wait(main, r)` of a closed loop: `P` clients that think and then visit one server, `N` times each.

use super::build::{self, call, minus, number, over, sum, times};
use super::inline::{Checked, Writer};
use super::kinds::Kind;
use super::parts::Basis;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::not_supported;
use crate::syntax::rewrite::is_same;
use crate::syntax::tree::Value as Definition;
use crate::syntax::tree::{Composition, Equation, Expr, Process, ProcessKind, Range};

/// A loop of clients at one resource.
struct Loop {
    clients: Expr,
    cycles: Expr,
    think: Vec<Expr>,
    service: Expr,
}

/// The mean wait of a visit, and what it rests on.
///
/// With fixed times it is exact by theorem `line`: client p is done at the larger of `N*C + (p-1)*S` and `C + ((N-1)*P +
/// p-1)*S`, where a cycle without waiting takes `C`. With exponential services it is stationary: the server is idle with the
/// probability `erlangB(P, Z/S)`, whatever the law of the think time `Z`.
pub(super) fn wait(
    process: &Equation,
    resource: &Expr,
    writer: &mut Writer<'_>,
    span: Span,
) -> Checked<(Expr, Basis)> {
    let Some(Definition::Process(body)) = &process.value else {
        return Err(other_shape(span));
    };
    let written = writer.written_out(body)?;
    let found = clients(&written, writer).ok_or_else(|| other_shape(span))?;
    let (own, asked) = (writer.element(&found.1), writer.element(resource));
    let (Some(own), Some(asked)) = (own, asked) else {
        return Err(other_shape(span));
    };
    let same = own.array == asked.array && is_same(&own.index, &asked.index);
    if !same {
        let message = format!("`{}` does not visit this resource", process.name.text);
        let error = Diagnostic::error(message, span, "expected a resource that it visits");
        return Err(Box::new(error.hint(format!("it visits `{}`", own.array))));
    }
    if !build::as_number(&own.servers).is_some_and(|servers| servers.is_one()) {
        return Err(other_shape(span));
    }
    let found = found.0;
    let all = || found.think.iter().chain([&found.service]);
    let is_fixed = all().all(|time| writer.kind(time) != Kind::Law);
    let think = sum(found.think.clone());
    let (clients, cycles) = (found.clients, found.cycles);
    if is_fixed {
        let cycle = sum(vec![think, found.service.clone()]);
        let first = over(
            times(minus(clients.clone(), number(1)), found.service.clone()),
            times(number(2), cycles.clone()),
        );
        let behind = minus(times(clients, found.service), cycle);
        let behind = times(minus(cycles.clone(), number(1)), behind);
        let later = over(call("max", vec![number(0), behind]), cycles);
        return Ok((sum(vec![first, later]), Basis::default()));
    }
    let Some(service) = writer.exponential_mean(&found.service) else {
        return Err(other_shape(span));
    };
    // A fixed time is its own mean, and none may be missing.
    let means = found.think.iter().map(|time| match writer.kind(time) {
        Kind::Law => build::mean(time),
        _ => time.clone(),
    });
    let think = sum(means.collect());
    let work = times(clients.clone(), service.clone());
    let basis = Basis {
        cyclic: true,
        ..Basis::default()
    };
    let is_zero = build::as_number(&think).is_some_and(|think| think.is_zero());
    if is_zero {
        return Ok((minus(work, service), basis));
    }
    let idle = call(
        "erlangB",
        vec![clients, over(think.clone(), service.clone())],
    );
    let response = over(work, minus(number(1), idle));
    Ok((minus(minus(response, think), service), basis))
}

/// Loops of clients that are all alike, and the resource.
fn clients(process: &Process, writer: &Writer<'_>) -> Option<(Loop, Expr)> {
    let ProcessKind::Replicate(all) = &process.kind else {
        return None;
    };
    let clients = count(&all.range)?;
    if all.kind != Composition::Parallel {
        return None;
    }
    let (cycles, body) = match &all.body.kind {
        ProcessKind::Replicate(own) if own.kind == Composition::Sequence => {
            (count(&own.range)?, &own.body)
        }
        _ => (number(1), &all.body),
    };
    let steps = match &body.kind {
        ProcessKind::Sequence(steps) => steps.iter().collect(),
        _ => vec![body],
    };
    let (mut think, mut visit) = (Vec::new(), None);
    for step in steps {
        match &step.kind {
            ProcessKind::Delay(time) => think.push(time.clone()),
            ProcessKind::Use(resource, time) if visit.is_none() => {
                visit = Some((resource.clone(), time.clone()));
            }
            _ => return None,
        }
    }
    let (resource, service) = visit?;
    let alike = |expr: &Expr| !writer.mentions_index(expr);
    let is_alike = think.iter().chain([&service, &resource]).all(alike);
    let is_number = writer.kind(&clients) != Kind::Law && writer.kind(&cycles) != Kind::Law;
    let found = Loop {
        clients,
        cycles,
        think,
        service,
    };
    (is_alike && is_number).then_some((found, resource))
}

fn count(range: &Range) -> Option<Expr> {
    if range.step.is_some() || range.quorum.is_some() {
        return None;
    }
    let steps = minus(range.upper.clone(), range.lower.clone());
    let is_from_one = build::as_number(&range.lower).is_some_and(|lower| lower.is_one());
    Some(if is_from_one {
        range.upper.clone()
    } else {
        sum(vec![steps, number(1)])
    })
}

fn other_shape(span: Span) -> Box<Diagnostic> {
    Box::new(not_supported("the wait of this process", span).hint(
        "it is known of open processes, and of clients at one server, `par (p = 1, P) seq (i = 1, N) { delay(z) ; use(r, s) }`, \
         with fixed times or exponential services; `pamela simulate` measures it",
    ))
}
