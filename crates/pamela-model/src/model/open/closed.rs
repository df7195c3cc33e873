//! `wait(main, r)` of a process that is not open.
//!
//! `P` clients that think and then visit one server, `N` times each, have it in symbols. Of other processes it is a number
//! without a value, a parameter, which an evaluation takes from runs or from mean value analysis.

use std::collections::HashSet;

use super::build::{self, call, minus, number, over, sum, times};
use super::inline::{Checked, Element, Writer};
use super::kinds::Kind;
use super::parts::Basis;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::not_supported;
use crate::ring::Rational;
use crate::syntax::rewrite::is_same;
use crate::syntax::tree::Value as Definition;
use crate::syntax::tree::{Composition, Equation, Expr, Process, ProcessKind, Range};

/// Clients that are all alike: each thinks and visits resources in every cycle.
struct Loop {
    clients: Expr,
    cycles: Expr,
    think: Vec<Expr>,
    /// Resources and services.
    visits: Vec<(Expr, Expr)>,
}

/// Of fewer cycles, a stationary wait is not the mean.
pub const MANY_CYCLES: u64 = 100;

/// The mean wait of a visit, and what it rests on; no value where runs tell it.
pub(super) fn wait(
    process: &Equation,
    resource: &Expr,
    writer: &mut Writer<'_>,
    span: Span,
) -> Checked<(Option<Expr>, Basis)> {
    let Some(Definition::Process(body)) = process
        .value
        .as_ref()
        .filter(|_| process.formals.is_empty())
    else {
        let what = "the wait of a process with arguments";
        return Err(Box::new(
            not_supported(what, span).hint("define a process without arguments that calls it"),
        ));
    };
    let by_runs = Basis {
        by_runs: true,
        ..Basis::default()
    };
    let written = writer.written_out(body)?;
    let Some(found) = clients(&written, writer) else {
        return Ok((None, by_runs));
    };
    let fixed = |time: &Expr| writer.kind(time) != Kind::Law;
    let is_fixed = found.think.iter().all(fixed) && found.visits.iter().all(|(_, s)| fixed(s));
    // At a pool, or where paths cross, the order of simultaneous requests may change who waits.
    let basis = if is_fixed && is_line(&found, writer) {
        Basis::default()
    } else {
        by_runs
    };
    let [(own, service)] = found.visits.as_slice() else {
        return Ok((None, basis));
    };
    let (Some(own), Some(asked)) = (writer.element(own), writer.element(resource)) else {
        return Ok((None, basis));
    };
    let same = own.array == asked.array && is_same(&own.index, &asked.index);
    if !same {
        let message = format!("`{}` does not visit this resource", process.name.text);
        let error = Diagnostic::error(message, span, "expected a resource that it visits");
        return Err(Box::new(error.hint(format!("it visits `{}`", own.array))));
    }
    if !is_single(&own) {
        return Ok((None, basis));
    }
    Ok(match at_one_server(&found, service, writer) {
        Some((value, basis)) => (Some(value), basis),
        None => (None, basis),
    })
}

/// True if each cycle visits different arrays of resources of one server.
fn is_line(found: &Loop, writer: &Writer<'_>) -> bool {
    let mut arrays = HashSet::new();
    let mut elements = found.visits.iter().map(|(own, _)| writer.element(own));
    elements.all(|own| own.is_some_and(|own| is_single(&own) && arrays.insert(own.array)))
}

fn is_single(element: &Element) -> bool {
    build::as_number(&element.servers).is_some_and(|servers| servers.is_one())
}

/// The mean wait at a single server; `None` where it is not known in symbols.
///
/// With fixed times it is exact by theorem `line`: client p is done at the larger of `N*C + (p-1)*S` and `C + ((N-1)*P +
/// p-1)*S`, where a cycle without waiting takes `C`. Where all clients come at one time and then without a pause, each waits
/// for the services of all others, whatever their law. With exponential services it is stationary: the server is idle with
/// the probability `erlangB(P, Z/S)`, whatever the law of the think time `Z`.
fn at_one_server(found: &Loop, service: &Expr, writer: &Writer<'_>) -> Option<(Expr, Basis)> {
    // A fixed time is its own mean, and none may be missing.
    let mean = |time: &Expr| match writer.kind(time) {
        Kind::Law => build::mean(time),
        _ => time.clone(),
    };
    let think = sum(found.think.iter().map(mean).collect());
    let (clients, cycles) = (found.clients.clone(), found.cycles.clone());
    let is =
        |expr: &Expr, value: i64| build::as_number(expr).is_some_and(|own| *own == value.into());
    let is_fixed = |time: &Expr| writer.kind(time) != Kind::Law;
    let comes_together = is(&think, 0) || is(&cycles, 1);
    if found.think.iter().all(is_fixed) && (is_fixed(service) || comes_together) {
        let service = mean(service);
        let cycle = sum(vec![think, service.clone()]);
        let first = over(
            times(minus(clients.clone(), number(1)), service.clone()),
            times(number(2), cycles.clone()),
        );
        let behind = minus(times(clients.clone(), service), cycle);
        let behind = times(minus(cycles.clone(), number(1)), behind);
        let later = over(call("max", vec![number(0), behind]), cycles);
        // Without clients there is no visit, and no mean.
        let all = times(clients.clone(), sum(vec![first, later]));
        return Some((over(all, clients), Basis::default()));
    }
    let is_short = |own: &Rational| *own < Rational::from(MANY_CYCLES as i64);
    if build::as_number(writer.resolved(&cycles)).is_some_and(is_short) {
        return None;
    }
    let service = writer.exponential_mean(service)?;
    let work = times(clients.clone(), service.clone());
    let basis = Basis {
        cyclic: true,
        ..Basis::default()
    };
    let idle = call(
        "erlangB",
        vec![clients, over(think.clone(), service.clone())],
    );
    let response = over(work, minus(number(1), idle));
    Some((minus(minus(response, think), service), basis))
}

/// Loops of clients that are all alike.
fn clients(process: &Process, writer: &Writer<'_>) -> Option<Loop> {
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
    let (mut think, mut visits) = (Vec::new(), Vec::new());
    for step in steps {
        match &step.kind {
            ProcessKind::Delay(time) => think.push(time.clone()),
            ProcessKind::Use(resource, time) => visits.push((resource.clone(), time.clone())),
            _ => return None,
        }
    }
    let alike = |expr: &Expr| !writer.mentions_index(expr);
    let of_visits = visits
        .iter()
        .flat_map(|(resource, service)| [resource, service]);
    let is_alike = think.iter().chain(of_visits).all(alike);
    let is_number = writer.kind(&clients) != Kind::Law && writer.kind(&cycles) != Kind::Law;
    (is_alike && is_number).then_some(Loop {
        clients,
        cycles,
        think,
        visits,
    })
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
