//! Finds the visits to resources in one run of an open process, and how requests come to them.

use super::build::{self, minus, number, over, power, sum, times};
use super::inline::{Checked, Element, Writer};
use super::kinds::Kind;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{not_supported, with_stack};
use crate::syntax::tree::{Composition, Expr, Process, ProcessKind, Range, ReduceKind};

/// How often a part is reached.
#[derive(Clone, Debug)]
pub(super) enum Around {
    /// With this probability, or where this truth value is 1.
    Share(Expr),
    /// Once for each index of a range.
    Each(Box<Range>),
}

/// A visit to a resource as it is written.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub at: Element,
    pub service: Expr,
    pub span: Span,
    /// Outermost first.
    pub around: Vec<Around>,
    /// The choices around it, outermost first: which one, and which of its cases.
    pub path: Vec<(usize, usize)>,
    /// Squared variability of the times between arrivals; `None` if they are those of a Poisson process.
    pub arrivals: Option<Expr>,
    /// True if a branch in parallel visits resources too.
    pub beside: bool,
    /// True if a resource with several servers was visited before, but not first: requests overtake each other there.
    pub overtaken: bool,
}

/// The requests that leave a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    variability: Option<Expr>,
    stations: u32,
    overtaken: bool,
}

/// The visits of a process with its calls written out, and the process with each visit preceded by a wait.
pub(super) struct Walk<'w, 'e> {
    pub writer: &'w Writer<'e>,
    pub rate: Expr,
    pub visits: Vec<Visit>,
    around: Vec<Around>,
    path: Vec<(usize, usize)>,
    choices: usize,
    beside: bool,
}

impl<'w, 'e> Walk<'w, 'e> {
    pub(super) fn new(writer: &'w Writer<'e>, rate: Expr) -> Walk<'w, 'e> {
        Walk {
            writer,
            rate,
            visits: Vec::new(),
            around: Vec::new(),
            path: Vec::new(),
            choices: 0,
            beside: false,
        }
    }

    pub(super) fn process(&mut self, process: &Process, flow: Flow) -> Checked<Flow> {
        with_stack(|| self.process_here(process, flow))
    }

    /// One long function, because it is a table with an arm for each kind of process.
    fn process_here(&mut self, process: &Process, mut flow: Flow) -> Checked<Flow> {
        match &process.kind {
            ProcessKind::Delay(_) | ProcessKind::Call(..) | ProcessKind::Graph(_) => Ok(flow),
            ProcessKind::Use(resource, time) => {
                Ok(self.visit(resource, time.clone(), process.span, flow))
            }
            ProcessKind::Hold(resource, body) => {
                let Some(time) = self.writer.held_time(body) else {
                    let what = "a resource that is held while others are used, in an open process,";
                    return Err(simulated(what, process.span));
                };
                Ok(self.visit(resource, time, process.span, flow))
            }
            ProcessKind::Sequence(parts) => {
                for part in parts {
                    flow = self.process(part, flow)?;
                }
                Ok(flow)
            }
            ProcessKind::Parallel(parts) => {
                let using = parts.iter().filter(|part| uses(part)).count();
                let outer = self.beside;
                self.beside |= using > 1;
                let mut after = flow.clone();
                for part in parts {
                    let own = self.process(part, flow.clone())?;
                    if uses(part) {
                        after = own;
                    }
                }
                self.beside = outer;
                Ok(after)
            }
            ProcessKind::Any(_) if uses(process) => Err(raced(process.span)),
            ProcessKind::Any(_) => Ok(flow),
            ProcessKind::Replicate(own) if !uses(&own.body) => Ok(flow),
            ProcessKind::Replicate(own) => {
                if own.kind == Composition::Any {
                    return Err(raced(process.span));
                }
                let outer = self.beside;
                self.beside |= own.kind == Composition::Parallel;
                self.around.push(Around::Each(Box::new(own.range.clone())));
                let after = self.process(
                    &own.body,
                    Flow {
                        variability: None,
                        ..flow
                    },
                )?;
                self.around.pop();
                self.beside = outer;
                Ok(after)
            }
            ProcessKind::If(condition, a, b) => {
                self.drawn(&[condition], process.span)?;
                self.choices += 1;
                let own = self.choices;
                let share = build::mean(condition);
                let rest = minus(number(1), share.clone());
                let first = self.branch((own, 0), share.clone(), a, &flow)?;
                let second = match b {
                    Some(b) => self.branch((own, 1), rest.clone(), b, &flow)?,
                    None => thinned(&rest, &flow),
                };
                Ok(merged(vec![(share, first), (rest, second)]))
            }
            ProcessKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(condition, _)| condition).collect();
                self.drawn(&conditions, process.span)?;
                self.choices += 1;
                let own = self.choices;
                let mut left = number(1);
                let mut flows = Vec::new();
                for (position, (condition, case)) in cases.iter().enumerate() {
                    let chance = if position + 1 == cases.len() {
                        number(1)
                    } else {
                        build::mean(condition)
                    };
                    let share = times(left.clone(), chance.clone());
                    left = times(left, minus(number(1), chance));
                    let after = self.branch((own, position), share.clone(), case, &flow)?;
                    flows.push((share, after));
                }
                Ok(merged(flows))
            }
        }
    }

    fn branch(
        &mut self,
        case: (usize, usize),
        share: Expr,
        process: &Process,
        flow: &Flow,
    ) -> Checked<Flow> {
        let flow = thinned(&share, flow);
        self.around.push(Around::Share(share));
        self.path.push(case);
        let after = self.process(process, flow)?;
        self.path.pop();
        self.around.pop();
        Ok(after)
    }

    /// Conditions must be truth values, or be drawn.
    fn drawn(&self, conditions: &[&Expr], span: Span) -> Checked<()> {
        let share = |condition: &&&Expr| self.writer.kind(condition) == Kind::Number;
        match conditions.iter().find(share) {
            Some(condition) if condition.span != Span::default() => {
                Err(share_of_requests(condition.span))
            }
            Some(_) => Err(share_of_requests(span)),
            None => Ok(()),
        }
    }

    fn visit(&mut self, resource: &Expr, service: Expr, span: Span, flow: Flow) -> Flow {
        let Some(at) = self.writer.element(resource) else {
            return flow;
        };
        let in_loop = self
            .around
            .iter()
            .any(|own| matches!(own, Around::Each(..)));
        let several = !build::as_number(&at.servers).is_some_and(|c| c.is_one());
        // The departures of exponential servers are a Poisson process, too.
        let is_poisson =
            flow.variability.is_none() && self.writer.exponential_mean(&service).is_some();
        let left = if is_poisson || in_loop {
            None
        } else {
            Some(self.departures(&at, &service, &flow))
        };
        self.visits.push(Visit {
            at,
            service,
            span,
            around: self.around.clone(),
            path: self.path.clone(),
            arrivals: flow.variability,
            beside: self.beside,
            overtaken: flow.overtaken,
        });
        Flow {
            variability: left,
            stations: flow.stations + 1,
            overtaken: flow.overtaken || several && flow.stations > 0,
        }
    }

    /// Squared variability of departures, `1 + (1 - rho^2)*(ca - 1) + rho^2/sqrt(c)*(cs - 1)` (Whitt 1983).
    fn departures(&self, at: &Element, service: &Expr, flow: &Flow) -> Expr {
        let busy = over(
            times(
                self.rate.clone(),
                self.expected(&self.around, build::mean(service)),
            ),
            at.servers.clone(),
        );
        let busy = power(busy, 2);
        let arrivals = flow.variability.clone().unwrap_or(number(1));
        let by_arrivals = times(minus(number(1), busy.clone()), minus(arrivals, number(1)));
        let by_services = times(
            over(busy, build::call("sqrt", vec![at.servers.clone()])),
            minus(variability(service), number(1)),
        );
        sum(vec![number(1), by_arrivals, by_services])
    }

    /// The utilisations of all resources, as a vector.
    pub(super) fn demand(&self) -> Expr {
        let parts = self.visits.iter().map(|visit| {
            let at = &visit.at;
            let unit = build::call("unitvec", vec![build::name(&at.array), at.index.clone()]);
            let share = over(build::mean(&visit.service), at.servers.clone());
            self.expected(&visit.around, times(share, unit))
        });
        if self.visits.is_empty() {
            times(number(0), build::call("unitvec", vec![number(0)]))
        } else {
            times(self.rate.clone(), sum(parts.collect()))
        }
    }

    /// The sum of a value over the executions in one run.
    pub(super) fn expected(&self, around: &[Around], value: Expr) -> Expr {
        let inside = around.iter().rev();
        inside.fold(value, |value, own| match own {
            Around::Share(share) => times(share.clone(), value),
            Around::Each(range) if self.writer.kind(&range.upper) == Kind::Law => {
                let count = minus(build::mean(&range.upper), range.lower.clone());
                times(sum(vec![count, number(1)]), value)
            }
            Around::Each(range) => build::reduce(ReduceKind::Sum, (**range).clone(), value),
        })
    }
}

/// Squared coefficient of variation.
pub(super) fn variability(law: &Expr) -> Expr {
    over(
        build::call("Var", vec![law.clone()]),
        power(build::mean(law), 2),
    )
}

/// A share of a flow at random: `p*ca + 1 - p`.
fn thinned(share: &Expr, flow: &Flow) -> Flow {
    let thin = |own: &Expr| {
        let part = times(share.clone(), own.clone());
        sum(vec![part, minus(number(1), share.clone())])
    };
    Flow {
        variability: flow.variability.as_ref().map(thin),
        ..flow.clone()
    }
}

fn merged(flows: Vec<(Expr, Flow)>) -> Flow {
    let is_poisson = flows.iter().all(|(_, flow)| flow.variability.is_none());
    let variability = |(share, flow): &(Expr, Flow)| {
        times(share.clone(), flow.variability.clone().unwrap_or(number(1)))
    };
    let parts = || flows.iter().map(variability).collect();
    Flow {
        variability: (!is_poisson).then(|| sum(parts())),
        stations: flows
            .iter()
            .map(|(_, flow)| flow.stations)
            .max()
            .unwrap_or(0),
        overtaken: flows.iter().any(|(_, flow)| flow.overtaken),
    }
}

/// True if a process visits a resource.
pub(super) fn uses(process: &Process) -> bool {
    let mut found = matches!(process.kind, ProcessKind::Use(..) | ProcessKind::Hold(..));
    crate::model::walk::parts_of_process(process, &mut |part, _| {
        if let crate::model::Part::Process(part) = part {
            found |= with_stack(|| uses(part));
        }
    });
    found
}

fn simulated(what: &str, span: Span) -> Box<Diagnostic> {
    Box::new(not_supported(what, span).hint("`pamela simulate` runs it"))
}

fn raced(span: Span) -> Box<Diagnostic> {
    simulated("a resource in `<>` or `any` of an open process", span)
}

fn share_of_requests(span: Span) -> Box<Diagnostic> {
    let message = "a share as a condition in an open process";
    Box::new(
        Diagnostic::error(message, span, "neither drawn nor a truth value").hint(
            "each request draws its own: write `bernoulli(p)`; the last case of a `switch` is 1",
        ),
    )
}
