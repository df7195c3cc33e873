//! Standing of process times, from the standings of their parts.

use std::rc::Rc;

use super::{Judged, Lowered, Sign};
use crate::model::{Measure, Part, with_stack};
use crate::syntax::tree::{Expr, Name, Process, ProcessKind, Value as Definition};
use crate::timing::argument::{Argument, not_a};
use crate::timing::scope::Lowering;
use crate::timing::standing::Standing;

impl Lowering<'_, '_> {
    pub(super) fn judge_measure(&mut self, measure: Measure, process: &Expr) -> Lowered<Judged> {
        let Argument::Process(position, arguments) = self.argument(process)? else {
            return Err(not_a("process", process.span));
        };
        let parts = self.judge_process_at(position, &arguments)?;
        let own = match measure {
            Measure::Execution => {
                let proof = self.proof_of_time(position, &arguments, process.span)?;
                let parts = if proof.applications.is_empty() {
                    parts
                } else {
                    // Another time of a part may make requests come in another order.
                    parts.through_any()
                };
                Standing::Exact(proof).join(parts)
            }
            Measure::Least => Standing::Lower.join(parts),
            Measure::Most => Standing::Upper.join(parts),
            Measure::Time | Measure::Path | Measure::Demand | Measure::LargestDemand => {
                let cost = self.process_equation(position, &arguments, process.span)?;
                let random = self.is_law(cost.time);
                let mut notes = cost.notes;
                notes.contention &= !self.judge.without_waiting;
                let own = match measure {
                    Measure::Time => notes.of_time(random),
                    Measure::Path => Standing::exact(),
                    _ => notes.of_demand(),
                };
                own.join(parts)
            }
        };
        Ok(Judged {
            standing: own,
            sign: Sign::Positive,
        })
    }

    /// Standing of the parts of a process.
    ///
    /// The time increases with the times of its parts. Loops and choices may change it either way.
    pub(super) fn judge_process_at(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
    ) -> Lowered<Standing> {
        let model = self.model;
        let equation = &model.equations()[position];
        let depends = self.judge.reaching.contains(&position) || !self.judge.scope.is_empty();
        let Some(Definition::Process(process)) = equation.value.as_ref().filter(|_| depends) else {
            return Ok(Standing::exact());
        };
        self.looked(equation.name.span)?;
        self.in_equation(equation, arguments, |inner| inner.judge_process(process))
    }

    fn judge_process(&mut self, process: &Process) -> Lowered<Standing> {
        if !self.rests_on_times(Part::Process(process)) {
            return Ok(Standing::exact());
        }
        with_stack(|| match &process.kind {
            ProcessKind::Delay(time) => Ok(self.judge(time)?.standing),
            ProcessKind::Use(resource, time) => {
                let resource = self.judge_index(resource)?;
                Ok(resource.join(self.judge(time)?.standing))
            }
            ProcessKind::Hold(resource, body) => {
                let resource = self.judge_index(resource)?;
                Ok(resource.join(self.judge_process(body)?))
            }
            ProcessKind::Sequence(parts)
            | ProcessKind::Parallel(parts)
            | ProcessKind::Any(parts) => {
                let mut all = Standing::exact();
                for part in parts {
                    all = all.join(self.judge_process(part)?);
                }
                Ok(all)
            }
            ProcessKind::Replicate(replication) => {
                let range = &replication.range;
                let around = self.judge_range(range)?.through_any();
                let binder = self.binder(range)?;
                let body = self.under_binder(&range.index.text, binder, |inner| {
                    inner.judge_process(&replication.body)
                })?;
                Ok(around.join(body))
            }
            ProcessKind::If(condition, a, b) => {
                let mut all = self.judge(condition)?.standing.through_any();
                for branch in [Some(&**a), b.as_deref()].into_iter().flatten() {
                    all = all.join(self.judge_process(branch)?);
                }
                Ok(all)
            }
            ProcessKind::Switch(cases) => {
                let mut all = Standing::exact();
                for (condition, branch) in cases {
                    all = all.join(self.judge(condition)?.standing.through_any());
                    all = all.join(self.judge_process(branch)?);
                }
                Ok(all)
            }
            ProcessKind::Call(name, arguments) => self.judge_process_called(name, arguments),
            ProcessKind::Graph(_) => Ok(Standing::Unknown),
        })
    }

    /// The standing of which resource is visited, and of its number of servers.
    fn judge_index(&mut self, resource: &Expr) -> Lowered<Standing> {
        if self.rests_on_times(Part::Expr(resource)) {
            Ok(Standing::Unknown)
        } else {
            Ok(Standing::exact())
        }
    }

    fn judge_process_called(&mut self, name: &Name, arguments: &[Expr]) -> Lowered<Standing> {
        let (position, inexact, values) = match self.local(&name.text).cloned() {
            Some(Argument::Process(position, arguments)) => (position, Vec::new(), arguments),
            Some(_) => return Err(not_a("process", name.span)),
            None => {
                let position = self.model.position(&name.text);
                let position = position.ok_or_else(|| not_a("process", name.span))?;
                let inexact = self.inexact_arguments(position, arguments)?;
                (position, inexact, self.arguments(arguments)?)
            }
        };
        let outer = std::mem::replace(&mut self.judge.scope, inexact);
        let judged = self.judge_process_at(position, &values);
        self.judge.scope = outer;
        judged
    }
}
