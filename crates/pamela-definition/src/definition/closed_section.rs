//! Closed sections: `par (P) seq (N) { stations }` with equal branches, a queueing network with `P`
//! clients.

use super::evaluate::{Evaluator, Limits, at};
use super::number::Number;
use super::scope::{Local, Scope, bind};
use super::walk::{Part, parts_of_expr, parts_of_process, with_stack};
use super::{Cumulants, Model};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Composition, Expr, ExprKind, Process, ProcessKind, Replication};

/// Each of `clients` processes passes `cycles` times through all stations.
#[derive(Clone, Debug)]
pub struct ClosedSection {
    pub clients: u64,
    pub cycles: u64,
    /// Mean time of a cycle outside of the stations.
    pub think: f64,
    /// Variance of this time.
    pub think_variance: f64,
    pub stations: Vec<Station>,
    /// Resources held in a cycle, each with a section of its own.
    pub held: Vec<Held>,
    /// True if any time is random.
    pub random: bool,
}

/// A resource that a client holds while it passes once through the stations inside.
#[derive(Clone, Debug)]
pub struct Held {
    pub name: String,
    pub servers: u64,
    pub inside: ClosedSection,
}

/// A station: a resource with its visits.
#[derive(Clone, Debug)]
pub struct Station {
    pub name: String,
    pub servers: u64,
    /// Number of visits in a cycle.
    pub visits: f64,
    /// Mean service time.
    pub service: f64,
    /// Second moment of the service time.
    square: f64,
    /// True if all services have one exponential law.
    pub exponential: bool,
}

impl Station {
    /// Mean time of a cycle at the station, without waiting.
    pub fn demand(&self) -> f64 {
        self.visits * self.service
    }

    /// Squared coefficient of variation of a service; 1 for an exponential one.
    pub fn variability(&self) -> f64 {
        if self.service > 0.0 {
            self.square / (self.service * self.service) - 1.0
        } else {
            1.0
        }
    }
}

/// The form of process that mean value analysis requires.
pub const CLOSED_SECTION: &str = "mean value analysis needs `par (p = 1, P) seq (i = 1, N) { .. }` with `delay` and \
 `use` one after the other";

const USED_TWICE: &str =
    "a resource is held, or used while another is held, and used elsewhere in a cycle";

/// Reads a process without arguments as a closed section.
///
/// # Errors
/// Fails if the process has another form (the error shows the difference), or if a parameter has no
/// value.
pub fn closed_section(model: &Model, process: &str) -> Result<ClosedSection, Diagnostic> {
    let none = Default::default();
    let mut evaluator = Evaluator::new(model, &none, Limits::default());
    let Some(position) = evaluator.position_of_process(process) else {
        let message = format!("`{process}` is not a process");
        return Err(Diagnostic::error(message, Span::default(), "asked for"));
    };
    let body = evaluator.process_at(position)?;
    evaluator.section(body, &None)
}

/// The name of a resource, with its index, as runs and sections have it.
///
/// # Errors
/// Fails if the index has no value.
pub fn element(model: &Model, resource: &Expr) -> Result<String, Diagnostic> {
    let none = Default::default();
    let mut evaluator = Evaluator::new(model, &none, Limits::default());
    let found = evaluator.resource(resource, &None)?;
    Ok(format!("{}({})", found.array, found.index))
}

fn differs(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        format!("mean value analysis does not apply: {what}"),
        span,
        "here",
    )
    .hint(CLOSED_SECTION)
}

impl<'m> Evaluator<'m> {
    /// The process that names stand for.
    fn resolved(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<(&'m Process, Scope<'m>), Diagnostic> {
        match &process.kind {
            ProcessKind::Call(name, arguments) => with_stack(|| {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                self.resolved(process, &inner)
            }),
            _ => Ok((process, scope.clone())),
        }
    }

    fn section(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<ClosedSection, Diagnostic> {
        let (process, scope) = self.resolved(process, scope)?;
        let clients = replication(process, Composition::Parallel)
            .ok_or_else(|| differs("this is not a `par` with a range", process.span))?;
        let (number, inner) = self.count(clients, &scope)?;
        let (process, inner) = self.resolved(&clients.body, &inner)?;
        let cycles = replication(process, Composition::Sequence)
            .ok_or_else(|| differs("the branches are not a `seq` with a range", process.span))?;
        let (times, inner) = self.count(cycles, &inner)?;
        let mut section = ClosedSection::of(number, times);
        self.stations(&cycles.body, &inner, &mut section)?;
        Ok(section)
    }

    /// Number of copies, which must be alike, and the scope of one copy.
    fn count(
        &mut self,
        replication: &'m Replication,
        scope: &Scope<'m>,
    ) -> Result<(u64, Scope<'m>), Diagnostic> {
        let range = &replication.range;
        let index = range.index.text.as_str();
        if let Some(span) = mentioned(Part::Process(&replication.body), index) {
            let what = format!("the branches depend on `{index}`, so no two of them are alike");
            return Err(differs(&what, span));
        }
        let (lower, upper) = (
            self.fixed(&range.lower, scope)?,
            self.fixed(&range.upper, scope)?,
        );
        let stride = self.stride(range, scope)?;
        let place = range.lower.span.to(range.upper.span);
        let last = at(
            upper.subtract(&lower).and_then(|all| all.divide(&stride)),
            place,
        )?;
        let count = at(last.floor(), place)?.to_f64() + 1.0;
        if !(1.0..=1e15).contains(&count) {
            return Err(differs("there is no iteration, or no end of them", place));
        }
        // The index is not looked at.
        Ok((count as u64, bind(index, Local::Index(lower), scope)))
    }

    fn stations(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        section: &mut ClosedSection,
    ) -> Result<(), Diagnostic> {
        with_stack(|| match &process.kind {
            ProcessKind::Sequence(parts) => parts
                .iter()
                .try_for_each(|part| self.stations(part, scope, section)),
            ProcessKind::Call(..) => {
                let (process, inner) = self.resolved(process, scope)?;
                self.stations(process, &inner, section)
            }
            ProcessKind::Delay(time) => {
                let time = self.moments_of(time, scope, section)?;
                section.think += time.mean.to_f64();
                section.think_variance += time.variance.to_f64();
                Ok(())
            }
            ProcessKind::Use(resource, time) => self.station(resource, time, scope, section),
            ProcessKind::Hold(resource, body) => self.held(resource, body, scope, section),
            _ => Err(differs(
                "a cycle must be `delay`s and `use`s one after the other",
                process.span,
            )),
        })
    }

    fn held(
        &mut self,
        resource: &'m Expr,
        body: &'m Process,
        scope: &Scope<'m>,
        section: &mut ClosedSection,
    ) -> Result<(), Diagnostic> {
        let span = resource.span;
        let mut inside = ClosedSection::of(section.clients, section.cycles);
        self.stations(body, scope, &mut inside)?;
        let resource = self.resource(resource, scope)?;
        let servers = whole_servers(&resource.multiplicity, span)?;
        section.random |= inside.random;
        section.held.push(Held {
            name: format!("{}({})", resource.array, resource.index),
            servers,
            inside,
        });
        let mut names = Vec::new();
        section.names(&mut names);
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(differs(USED_TWICE, span));
        }
        Ok(())
    }

    fn station(
        &mut self,
        resource: &'m Expr,
        time: &'m Expr,
        scope: &Scope<'m>,
        section: &mut ClosedSection,
    ) -> Result<(), Diagnostic> {
        let span = resource.span;
        let resource = self.resource(resource, scope)?;
        let time = self.moments_of(time, scope, section)?;
        let servers = whole_servers(&resource.multiplicity, span)?;
        let (mean, variance) = (time.mean.to_f64(), time.variance.to_f64());
        let square = variance + mean * mean;
        let of_order = |cumulant: &Number, factor: f64, order: i32| {
            (cumulant.to_f64() - factor * mean.powi(order)).abs() <= 1e-9 * mean.powi(order)
        };
        let exponential = of_order(&time.variance, 1.0, 2)
            && of_order(&time.third, 2.0, 3)
            && of_order(&time.fourth, 6.0, 4);
        let name = format!("{}({})", resource.array, resource.index);
        let mut held = Vec::new();
        section.held.iter().for_each(|one| {
            held.push(one.name.as_str());
            one.inside.names(&mut held);
        });
        if held.contains(&name.as_str()) {
            return Err(differs(USED_TWICE, span));
        }
        match section
            .stations
            .iter_mut()
            .find(|station| station.name == name)
        {
            Some(known) => {
                let visits = known.visits + 1.0;
                known.exponential &= exponential && known.service == mean;
                known.service += (mean - known.service) / visits;
                known.square += (square - known.square) / visits;
                known.visits = visits;
            }
            None => section.stations.push(Station {
                name,
                servers,
                visits: 1.0,
                service: mean,
                square,
                exponential,
            }),
        }
        Ok(())
    }

    /// The moments of a time, which is not negative on average.
    fn moments_of(
        &mut self,
        time: &'m Expr,
        scope: &Scope<'m>,
        section: &mut ClosedSection,
    ) -> Result<Cumulants, Diagnostic> {
        self.restart();
        let cumulants = self.cumulants(time, scope)?;
        section.random |= !cumulants.variance.is_zero();
        let (mean, variance) = (cumulants.mean.to_f64(), cumulants.variance.to_f64());
        if !mean.is_finite() || !variance.is_finite() {
            return Err(differs("a time has no mean or no variance", time.span));
        }
        if cumulants.mean.order(&Number::zero()).is_lt() {
            return Err(differs("a time is negative", time.span));
        }
        Ok(cumulants)
    }
}

impl ClosedSection {
    fn of(clients: u64, cycles: u64) -> ClosedSection {
        ClosedSection {
            clients,
            cycles,
            think: 0.0,
            think_variance: 0.0,
            stations: Vec::new(),
            held: Vec::new(),
            random: false,
        }
    }

    /// Names of all resources, including those inside held sections.
    fn names<'s>(&'s self, names: &mut Vec<&'s str>) {
        names.extend(self.stations.iter().map(|station| station.name.as_str()));
        for held in &self.held {
            names.push(&held.name);
            held.inside.names(names);
        }
    }
}

fn whole_servers(multiplicity: &Number, span: Span) -> Result<u64, Diagnostic> {
    let servers = multiplicity.to_f64();
    if servers.fract() == 0.0 && (1.0..=1e9).contains(&servers) {
        Ok(servers as u64)
    } else {
        Err(differs(
            "the number of servers of a resource is not a whole number",
            span,
        ))
    }
}

fn replication(process: &Process, kind: Composition) -> Option<&Replication> {
    match &process.kind {
        ProcessKind::Replicate(replication) if replication.kind == kind => Some(replication),
        _ => None,
    }
}

/// Location of a mention of a name, bound or not.
fn mentioned(part: Part<'_>, name: &str) -> Option<Span> {
    if let Part::Expr(Expr {
        kind: ExprKind::Name(own),
        span,
    }) = part
        && own == name
    {
        return Some(*span);
    }
    let mut found = None;
    let mut look = |inner: Part<'_>, _: &[&str]| {
        found = found.or_else(|| with_stack(|| mentioned(inner, name)));
    };
    match part {
        Part::Expr(expr) => parts_of_expr(expr, &mut look),
        Part::Process(process) => parts_of_process(process, &mut look),
    }
    found
}
