//! Open processes: `process site = open (rate) A`.
//!
//! `A` begins as a Poisson process of the rate, for ever. Its stationary time is the time of `A` without contention, where a
//! wait precedes each visit to a resource. So an open process becomes a process of delays, and its waits become equations.

mod build;
mod closed;
mod inline;
mod kinds;
mod measures;
mod visits;
mod waits;

use super::predefined::WAIT;
use super::walk::calls;
use super::{Model, Part};
use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::NoFiles;
use crate::syntax::rewrite::label;
use crate::syntax::tree::{
    Composition, Equation, Expr, Item, ParameterFact, Process, ProcessKind, Replication, Type,
    Value as Definition, spans_of_equation_mut,
};
use inline::{Checked, Writer};
use visits::{Flow, Walk};
use waits::Station;

/// What the time of an open process rests on, beside Poisson arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// Requests arrive by a Poisson process.
    pub stationary: bool,
    /// The wait for several servers with services that are not exponential is approximated.
    pub several_servers: bool,
    /// Arrivals at a later station are approximated by two moments.
    pub flows: bool,
    /// Waits of parallel branches are taken as independent.
    pub in_parallel: bool,
    /// Waits are taken as independent where requests overtake each other.
    pub overtaking: bool,
    /// A run visits a resource more than once; only the mean of its time is known.
    pub repeated: bool,
    /// The residual of a service is fitted to two moments.
    pub fitted: bool,
    /// Waits of clients in a closed loop are stationary.
    pub cyclic: bool,
}

impl Basis {
    /// What two times together rest on.
    pub fn and(self, other: Basis) -> Basis {
        Basis {
            stationary: self.stationary || other.stationary,
            several_servers: self.several_servers || other.several_servers,
            flows: self.flows || other.flows,
            in_parallel: self.in_parallel || other.in_parallel,
            overtaking: self.overtaking || other.overtaking,
            repeated: self.repeated || other.repeated,
            fitted: self.fitted || other.fitted,
            cyclic: self.cyclic || other.cyclic,
        }
    }

    /// True if nothing is approximated.
    pub fn is_exact(self) -> bool {
        let others = Basis {
            stationary: false,
            ..self
        };
        others == Basis::default()
    }
}

/// The wait of a visit, as an equation.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    array: String,
    /// Name of the equation; it takes the index of an element if it is `indexed`.
    pub(super) equation: String,
    indexed: bool,
    pub(super) basis: Basis,
    /// Name of the equation that is 1 where its utilisation is below 1.
    pub(super) stable: Option<String>,
}

/// What replaced the open processes and the waits of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Replaced {
    pub(super) open: Vec<Open>,
    pub(super) waits: Vec<Wait>,
}

/// An open process.
#[derive(Clone, Debug)]
pub struct Open {
    pub name: String,
    /// Name of the process that one request runs, with its visits to resources.
    pub request: String,
    /// Name of the equation of the rate.
    rate: String,
    /// Name of the equation of the utilisations.
    pub demand: String,
    pub basis: Basis,
    waits: Vec<Wait>,
}

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
    items.extend(made);
    let mut waits: Vec<Wait> = all.iter().flat_map(|open| open.waits.clone()).collect();
    for (equation, basis) in closed {
        waits.push(Wait {
            array: String::new(),
            equation: equation.name.text.clone(),
            indexed: false,
            basis,
            stable: None,
        });
        items.push(Item::Equation(equation));
    }
    Ok(Replaced { open: all, waits })
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

impl Open {
    /// Names of the equations that are 1 where utilisations are below 1.
    pub fn stable(&self) -> impl Iterator<Item = &str> {
        self.waits.iter().filter_map(|wait| wait.stable.as_deref())
    }
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
    /// The model with so many requests of an open process. They queue at a door, which lets one in after the other.
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

/// Names that no equation has.
pub(super) struct Unused(HashSet<String>);

impl Unused {
    fn new(equations: &[Equation]) -> Unused {
        Unused(equations.iter().map(|own| own.name.text.clone()).collect())
    }

    /// `wait_site_disk`, or a longer name.
    pub(super) fn name(&mut self, parts: &[&str]) -> String {
        let mut name = parts.join("_").replace('.', "_");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
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
    with_waits(&mut delays, &stations, &writer, basis);
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

/// An equation of the model that is no result.
fn made(kind: Type, name: &str, formals: &[String], value: Definition, span: Span) -> Equation {
    let mut name = label(name);
    name.span = span;
    let mut equation = Equation {
        kind,
        parameter: false,
        kept: false,
        name,
        formals: formals.iter().map(|formal| label(formal)).collect(),
        defaults: Vec::new(),
        formal_units: Box::default(),
        facts: Vec::new(),
        value: Some(value),
        comment: None,
        auxiliary: true,
        span,
    };
    place_at(&mut equation, span);
    equation
}

/// Gives a place to the parts that have none.
fn place_at(equation: &mut Equation, place: Span) {
    spans_of_equation_mut(equation, &mut |span| {
        if *span == Span::default() {
            *span = place;
        }
    });
}

/// Replaces each visit by its wait and its service. Where visits repeat, times are means: nothing else is known.
fn with_waits(process: &mut Process, stations: &[Station], writer: &Writer<'_>, basis: Basis) {
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
                crate::model::with_stack(|| with_waits(part, stations, writer, basis));
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
