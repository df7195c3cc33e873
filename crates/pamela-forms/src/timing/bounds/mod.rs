//! Lower and upper bounds of the time of a process with contention.
//!
//! They are lowered in the same scopes as `T`. Definitions and proofs are in
//! `docs/explanation/bounds.md`. For random times, both are bounds of the mean.

mod arrivals;
mod bursts;
mod chain;
mod elements;
mod exact;
mod graphs;
mod holds;
mod items;
mod knapsack;
mod lines;
mod lower;
mod places;
mod random;
mod sections;
pub(super) mod sides;
mod upper;
mod uses;
mod waiting;
mod windows;

use std::rc::Rc;

use super::argument::{Argument, Binder, Provisos, not_a};
use super::certificate::Proof;
use super::mention::LARGEST_WRITTEN_OUT;
use super::notes::Note;
use super::scope::Lowering;
use super::standing::{Method, Standing};
use super::{LoweredEquation, Origin};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ExprId;
use crate::model::Measure;
use crate::syntax::tree::{Name, Process, Range, Type, Value as Definition};
use sides::{Bounds, Context, Exact, Known, Lower, Remarks, Upper};

type Lowered<T> = Result<T, Diagnostic>;

/// The estimate lies one fifth of the way from the lower to the upper bound: `1 / ESTIMATE_PART`.
///
/// The fraction was fitted to simulations of random models.
pub const ESTIMATE_PART: i64 = 5;

/// Nodes of all processes together, as trees with every name written out, whose bounds are made.
const MOST_NODES: u64 = 200_000;

/// One side of the time of a process.
trait Side: Clone {
    fn of(lowering: &mut Lowering<'_, '_>, process: &Process) -> Lowered<Self>;

    fn known(bounds: &mut Bounds) -> &mut Known<Self>;
}

impl Lowering<'_, '_> {
    /// The bounds of the process at `position`, which has no arguments.
    ///
    /// They are `L`, `U` and the bounds for any order of service. With `between`, also the
    /// estimate.
    pub(super) fn bounds_at(
        &mut self,
        position: usize,
        name: &Name,
        between: bool,
    ) -> Lowered<Vec<LoweredEquation>> {
        if !self.count_bounds(position) {
            return Err(too_large(name));
        }
        let large = self.model.expansion(position) > LARGEST_WRITTEN_OUT;
        let by_name = std::mem::replace(&mut self.by_name, large);
        let lowered = self.collecting(|inner| {
            let upper = inner.side_of::<Upper>(position, &[].into(), name.span)?;
            let lower = inner.side_of::<Lower>(position, &[].into(), name.span)?;
            Ok((upper, lower))
        });
        self.by_name = by_name;
        let ((upper, lower), provisos) = lowered?;
        let least = self.at_least(&lower);
        let work = self.total(&upper);
        let gap = self.arena.subtract(upper.fcfs, least);
        let part = self.arena.number(ESTIMATE_PART);
        let part = self.arena.reciprocal(part);
        let gap = self.arena.mul(&[part, gap]);
        let section = between.then(|| self.single_server_at(position, name, least));
        let section = section.flatten();
        let estimate = (between && section.is_none()).then(|| {
            let remarks = upper.remarks.iter().cloned();
            let remarks = [Note::PointBetweenBounds].into_iter().chain(remarks);
            let expr = self.arena.add(&[least, gap]);
            (Origin::Between(name.text.clone()), expr, remarks.collect())
        });
        let all = [
            (Origin::Lower(name.text.clone()), least, lower.remarks),
            (
                Origin::Upper(name.text.clone()),
                upper.fcfs,
                upper.remarks.clone(),
            ),
            (
                Origin::UpperUnordered(name.text.clone()),
                upper.unordered,
                upper.remarks.clone(),
            ),
            (Origin::UpperByWork(name.text.clone()), work, upper.remarks),
        ];
        let parts = self.standing_of_parts(position);
        let own =
            all.into_iter()
                .chain(estimate)
                .map(|(origin, expr, remarks): (_, _, Remarks)| {
                    let own = match &origin {
                        Origin::Lower(_) => Standing::Lower,
                        Origin::Between(_) => Standing::Estimate(Method::PointBetweenBounds),
                        _ => Standing::Upper,
                    };
                    LoweredEquation {
                        standing: own.join(parts.clone()),
                        notes: remarks
                            .into_iter()
                            .chain(by_lower_bounds(&provisos))
                            .collect(),
                        ..self.derived_equation(origin, expr, &provisos, name)
                    }
                });
        Ok(own.chain(section.into_iter().flatten()).collect())
    }

    /// The exact time of the process at `position`, if it is known.
    pub(super) fn exact_at(
        &mut self,
        position: usize,
        name: &Name,
    ) -> Lowered<Option<LoweredEquation>> {
        if !self.count_bounds(position) {
            return Ok(None);
        }
        let large = self.model.expansion(position) > LARGEST_WRITTEN_OUT;
        let by_name = std::mem::replace(&mut self.by_name, large);
        let lowered =
            self.collecting(|inner| inner.side_of::<Exact>(position, &[].into(), name.span));
        self.by_name = by_name;
        let (exact, provisos) = lowered?;
        let parts = self.standing_of_parts(position);
        let parts = if exact.applications.is_empty() {
            parts
        } else {
            // Another time of a part may make requests come in another order.
            parts.through_any()
        };
        let own = exact.time.map(|time| LoweredEquation {
            standing: Standing::Exact(exact.proof()).join(parts),
            notes: by_lower_bounds(&provisos).into_iter().collect(),
            ..self.derived_equation(Origin::Execution(name.text.clone()), time, &provisos, name)
        });
        Ok(own)
    }

    /// `time(L)`, `L(P)` or `U(P)` of a process that nothing runs beside.
    ///
    /// # Errors
    /// Fails if no theorem gives a requested time.
    pub(super) fn undisturbed(
        &mut self,
        measure: Measure,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<ExprId> {
        let context = std::mem::replace(&mut self.bounds.context, Context::Top);
        let value = match measure {
            Measure::Most => {
                let upper = self.side_of::<Upper>(position, arguments, span);
                upper.map(|upper| upper.fcfs)
            }
            Measure::Least => {
                let lower = self.side_of::<Lower>(position, arguments, span);
                lower.map(|lower| self.at_least(&lower))
            }
            _ => {
                let exact = self.side_of::<Exact>(position, arguments, span);
                let name = &self.model.equations()[position].name.text;
                exact.and_then(|exact| exact.time.ok_or_else(|| unknown_time(name, span)))
            }
        };
        self.bounds.context = context;
        value
    }

    /// The proof of the exact time of a process that nothing runs beside.
    pub(super) fn proof_of_time(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<Proof> {
        let context = std::mem::replace(&mut self.bounds.context, Context::Top);
        let exact = self.side_of::<Exact>(position, arguments, span);
        self.bounds.context = context;
        Ok(exact?.proof())
    }

    /// Counts the bounds of a process; whether they are made.
    fn count_bounds(&mut self, position: usize) -> bool {
        let nodes = self.model.expansion(position);
        self.bounds.nodes = self.bounds.nodes.saturating_add(nodes);
        self.bounds.nodes <= MOST_NODES
    }

    /// An equation of a process that the model does not have.
    fn derived_equation(
        &self,
        origin: Origin,
        expr: ExprId,
        provisos: &Provisos,
        name: &Name,
    ) -> LoweredEquation {
        let own = self.result_name(&origin);
        self.own_equation(own, origin, expr, &provisos.conditions, name.span)
    }

    /// One side of the process equation at `position`, written out.
    fn side_of<S: Side>(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<S> {
        let key = (
            self.instance(position, arguments),
            self.bounds.context.clone(),
        );
        if let Some((side, provisos)) = S::known(&mut self.bounds).get(&key).cloned() {
            self.adopt(&provisos);
            return Ok(side);
        }
        self.count_instance(arguments, span)?;
        let model = self.model;
        let equation = &model.equations()[position];
        let Some(Definition::Process(process)) = &equation.value else {
            return Err(not_a("process", span));
        };
        let lowered = self.collecting(|inner| {
            inner.in_equation(equation, arguments, |inner| S::of(inner, process))
        })?;
        let side = lowered.0.clone();
        self.adopt(&lowered.1);
        S::known(&mut self.bounds).insert(key, lowered);
        Ok(side)
    }

    fn side_called<S: Side>(
        &mut self,
        name: &Name,
        arguments: &[crate::syntax::tree::Expr],
    ) -> Lowered<S> {
        match self.local(&name.text).cloned() {
            Some(Argument::Process(position, arguments)) => {
                self.side_of(position, &arguments, name.span)
            }
            Some(_) => Err(not_a("process", name.span)),
            None => {
                let position = self.model.position(&name.text);
                let process = |p: &usize| self.model.equations()[*p].kind == Type::Process;
                let Some(position) = position.filter(process) else {
                    return Err(not_a("process", name.span));
                };
                let arguments = self.arguments(arguments)?;
                self.side_of(position, &arguments, name.span)
            }
        }
    }

    /// One side of the body of a replication.
    fn side_of_body<S: Side>(
        &mut self,
        range: &Range,
        binder: Binder,
        body: &Process,
    ) -> Lowered<S> {
        self.bounds.binders.push(binder);
        let lowered = self.under_binder(&range.index.text, binder, |inner| S::of(inner, body));
        self.bounds.binders.pop();
        lowered
    }

    /// Lowers in another context.
    fn in_context<T>(
        &mut self,
        context: Context,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let outer = std::mem::replace(&mut self.bounds.context, context);
        let lowered = lower(self);
        self.bounds.context = outer;
        lowered
    }

    /// True if nothing runs beside that is waited for.
    fn is_undisturbed(&self) -> bool {
        !matches!(self.bounds.context, Context::Within(_))
    }

    /// The mean of a law; a scalar is its own.
    fn mean(&mut self, expr: ExprId) -> ExprId {
        self.arena.cumulant(1, expr)
    }
}

/// Bounds are written out: what others may wait for depends on where a process stands.
fn too_large(name: &Name) -> Diagnostic {
    let message = format!("no bounds of `{}`: the model is too large", name.text);
    let label = "with all names expanded, it and the equations before it have too many parts";
    Diagnostic::error(message, name.span, label)
        .hint("omit `--bounds` for its times, or use `pamela simulate`")
}

fn unknown_time(name: &str, span: Span) -> Diagnostic {
    let message = format!("the time of a run of `{name}` has no formula here");
    let label = "no theorem covers how its branches wait for each other";
    Diagnostic::error(message, span, label).hint(format!(
        "write `L({name})` or `U({name})` for bounds, or `T({name})`; use `pamela simulate`"
    ))
}

/// Remarks about parts apply to the whole.
fn joined<'r>(remarks: impl Iterator<Item = &'r Remarks>) -> Remarks {
    remarks.flatten().cloned().collect()
}

/// The note on a process whose times mention lower bounds of other times.
fn by_lower_bounds(provisos: &Provisos) -> Option<Note> {
    provisos.notes.contention.then_some(Note::ByLowerBounds)
}
