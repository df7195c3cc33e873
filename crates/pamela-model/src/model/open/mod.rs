//! Open processes: `process site = open (rate) A`.
//!
//! `A` begins as a Poisson process of the rate, for ever. Its stationary time is the time of `A` without contention, where a
//! wait precedes each visit to a resource. So an open process becomes a process of delays, and its waits become equations.

mod build;
mod closed;
mod inline;
mod kinds;
mod measures;
mod parts;
mod visits;
mod waits;

use super::predefined::WAIT;
use super::walk::calls;
use super::{Model, Part};
use crate::diagnostic::Diagnostic;
use crate::syntax::NoFiles;
use crate::syntax::rewrite::label;
use crate::syntax::tree::{
    Composition, Equation, Expr, Item, ParameterFact, Process, ProcessKind, Replication, Type,
    Value as Definition,
};
pub use closed::MANY_CYCLES;
use inline::{Checked, Writer};
pub use parts::{Basis, Open};
pub(super) use parts::{Replaced, Wait};
use parts::{Unused, made, place_at};
use visits::{Flow, Walk};
use waits::Station;

/// Replaces open processes by processes of delays, and returns them.
///
/// # Errors
/// Fails with all errors found.
pub(super) fn replace(items: &mut Vec<Item>) -> Result<Replaced, Vec<Diagnostic>> {
    let equation = |item: &Item| match item {
        Item::Equation(equation) => Some(equation.clone()),
        _ => None,
    };
    if !is_needed(items) {
        return Ok(Replaced::default());
    }
    let equations: Vec<Equation> = items.iter().filter_map(equation).collect();
    let mut unused = Unused::new(&equations);
    let (mut all, mut diagnostics, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for item in items.iter_mut() {
        let Item::Equation(equation) = item else {
            continue;
        };
        let Some(rate) = equation.arrivals().cloned() else {
            continue;
        };
        match opened(equation, &rate, &equations, &mut unused) {
            Ok((open, delays, further)) => {
                equation.value = Some(Definition::Process(delays));
                let place = equation.name.span;
                place_at(equation, place);
                all.push(open);
                made.extend(further.into_iter().map(Item::Equation));
            }
            Err(wrong) => diagnostics.push(*wrong),
        }
        let is_rate = |fact: &ParameterFact| matches!(fact, ParameterFact::Arrivals(_));
        equation.facts.retain(|fact| !is_rate(fact));
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let closed = measures::replace(items, &all, &equations, &mut unused)?;
    let count = made.len() + closed.len();
    items.extend(made);
    let mut waits: Vec<Wait> = all.iter().flat_map(|open| open.waits.clone()).collect();
    for (equation, wait) in closed {
        waits.push(wait);
        items.push(Item::Equation(equation));
    }
    Ok(Replaced {
        open: all,
        waits,
        made: count,
    })
}

/// True if there are open processes, or a wait is asked for.
fn is_needed(items: &[Item]) -> bool {
    items.iter().any(|item| {
        let Item::Equation(equation) = item else {
            return false;
        };
        let mut asks = equation.arrivals().is_some();
        let part = match &equation.value {
            Some(Definition::Numeric(value) | Definition::Resource(value)) => Part::Expr(value),
            Some(Definition::Process(process)) => Part::Process(process),
            None => return asks,
        };
        calls(part, &mut |name, _| asks |= name.text == WAIT);
        asks
    })
}

/// A model in which the requests of an open process arrive, each by an exponential time after the one before.
#[derive(Debug)]
pub struct Arriving {
    pub model: Model,
    /// Name of the process of all requests.
    pub process: String,
    /// Name of the resource at which they begin.
    pub door: String,
}

impl Model {
    /// The model with a number of requests of an open process. They queue at a door, which admits one at a time.
    ///
    /// # Errors
    /// Fails if that model does not check.
    pub fn arriving(&self, open: &Open, requests: u64) -> crate::diagnostic::Result<Arriving> {
        let mut unused = Unused::new(&self.equations);
        let (process, door) = (
            unused.name(&["run", &open.name]),
            unused.name(&["door", &open.name]),
        );
        let mut model = self.clone();
        let span = self.lookup(&open.name).map(|equation| equation.name.span);
        let span = span.unwrap_or_default();
        let gap = build::over(build::number(1), build::name(&open.rate));
        let process_of = |kind| Process {
            kind,
            span,
            label: None,
        };
        let enter = process_of(ProcessKind::Use(
            build::name(&door),
            build::call("exponential", vec![gap]),
        ));
        let request = process_of(ProcessKind::Call(label(&open.request), Vec::new()));
        let requests = build::number(i64::try_from(requests).unwrap_or(i64::MAX));
        let all = process_of(ProcessKind::Replicate(Box::new(Replication {
            kind: Composition::Parallel,
            range: build::up_to("i", requests),
            body: build::sequence(vec![enter, request]),
        })));
        model.equations.push(made(
            Type::Process,
            &process,
            &[],
            Definition::Process(all),
            span,
        ));
        let mut entrance = made(
            Type::Resource,
            &door,
            &[],
            Definition::Numeric(build::number(0)),
            span,
        );
        entrance.value = None;
        model.equations.push(entrance);
        model.analyse(&NoFiles, |_, _| Vec::new())?;
        Ok(Arriving {
            model,
            process,
            door,
        })
    }
}

/// The open process of an equation, its delays, and further equations.
fn opened(
    equation: &Equation,
    rate: &Expr,
    equations: &[Equation],
    unused: &mut Unused,
) -> Checked<(Open, Process, Vec<Equation>)> {
    let (name, span) = (&equation.name.text, equation.name.span);
    if !equation.formals.is_empty() {
        let message = format!("the open process `{name}` has arguments");
        return Err(Box::new(
            Diagnostic::error(message, span, "defined here")
                .hint("use parameters of the model in their place"),
        ));
    }
    let Some(Definition::Process(body)) = &equation.value else {
        return Err(Box::new(Diagnostic::error(
            "an open process needs a process",
            span,
            "defined here",
        )));
    };
    let mut writer = Writer::new(equations);
    let written = writer.written_out(body)?;
    let open_rate = unused.name(&["rate", name]);
    let mut walk = Walk::new(&writer, build::name(&open_rate));
    walk.process(&written, Flow::default())?;
    let stations = waits::stations(name, &walk, unused);
    for station in &stations {
        station.check(span)?;
    }
    let basis = stations.iter().map(|station| station.basis);
    let own = Basis {
        stationary: true,
        ..Basis::default()
    };
    let basis = basis.fold(own, Basis::and);
    let mut delays = written;
    with_waits(&mut delays, &stations, &writer);
    let open = Open {
        name: name.clone(),
        request: unused.name(&["request", name]),
        demand: unused.name(&["demand", name]),
        rate: open_rate.clone(),
        basis,
        waits: stations.iter().map(Station::named).collect(),
    };
    let mut further = vec![
        made(
            Type::Numeric,
            &open_rate,
            &[],
            Definition::Numeric(rate.clone()),
            span,
        ),
        made(
            Type::Numeric,
            &open.demand,
            &[],
            Definition::Numeric(walk.demand()),
            span,
        ),
        made(
            Type::Process,
            &open.request,
            &[],
            Definition::Process(body.clone()),
            span,
        ),
    ];
    for station in &stations {
        for (name, formals, value) in station.equations(&walk) {
            let value = Definition::Numeric(value);
            further.push(made(Type::Numeric, &name, &formals, value, span));
        }
    }
    Ok((open, delays, further))
}

/// Replaces each visit by its wait and its service. Where visits repeat, times are means: nothing else is known.
fn with_waits(process: &mut Process, stations: &[Station], writer: &Writer<'_>) {
    let visit = match &process.kind {
        ProcessKind::Use(resource, time) => Some((resource.clone(), time.clone())),
        ProcessKind::Hold(resource, body) => {
            writer.held_time(body).map(|time| (resource.clone(), time))
        }
        _ => None,
    };
    let Some((resource, time)) = visit else {
        crate::syntax::tree::parts_of_process_mut(process, &mut |part, _| {
            if let crate::syntax::tree::PartMut::Process(part) = part {
                crate::model::with_stack(|| with_waits(part, stations, writer));
            }
        });
        return;
    };
    let Some(element) = writer.element(&resource) else {
        return;
    };
    let Some(station) = stations.iter().find(|own| own.array == element.array) else {
        return;
    };
    let place = process.span;
    let parts = match station.sojourn_at(&element.index) {
        Some(sojourn) => vec![sojourn],
        None => vec![station.wait_at(&element.index), time],
    };
    let delay = |mut time: Expr| {
        time.span = place;
        build::delay(time)
    };
    let label = process.label.take();
    *process = match parts.len() {
        1 => build::delay(parts.into_iter().next().unwrap_or(build::number(0))),
        _ => build::sequence(parts.into_iter().map(delay).collect()),
    };
    process.span = place;
    process.label = label;
}
