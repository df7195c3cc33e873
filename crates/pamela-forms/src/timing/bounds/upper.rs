//! Upper bounds: a process may wait for whatever runs in parallel with it.

use std::rc::Rc;

use super::graphs::Tasks;
use super::sections::Section;
use super::sides::{Bounds, Context, Idle, Known, Place, Remarks, Upper, Use};
use super::uses::{Others, Together};
use super::{Lowered, Side, joined};
use crate::timing::notes::Note;
use crate::timing::numeric::Cases;
use crate::timing::scope::Lowering;

use crate::expr::{ExprId, ReduceKind};
use crate::model::with_stack;
use crate::syntax::tree::{Composition, Expr, Graph, Process, ProcessKind, Replication};

/// In sections with more written-out branches, not all pairs of branches are compared.
const MOST_BRANCHES: usize = 64;

/// The branches of a section: how its end follows from theirs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    WithLast,
    WithFirst,
}

impl Side for Upper {
    fn of(lowering: &mut Lowering<'_, '_>, process: &Process) -> Lowered<Upper> {
        with_stack(|| lowering.upper(process))
    }

    fn known(bounds: &mut Bounds) -> &mut Known<Upper> {
        &mut bounds.upper
    }
}

impl Lowering<'_, '_> {
    /// The bound by total work: the last task's chain runs, or waits while others work.
    pub(super) fn total(&mut self, upper: &Upper) -> ExprId {
        let (path, work) = (self.mean(upper.path), self.mean(upper.work));
        self.add(&[path, work])
    }

    fn upper(&mut self, process: &Process) -> Lowered<Upper> {
        match &process.kind {
            ProcessKind::Delay(time) => {
                let time = self.numeric(time)?;
                let zero = self.arena.number(0);
                Ok(self.upper_of_one(time, time, zero, None))
            }
            ProcessKind::Use(resource, time) => self.upper_of_use(resource, time),
            ProcessKind::Hold(resource, body)
                if self.is_undisturbed() && self.is_asked_for_again(resource, body)? =>
            {
                self.crowded_section(|inner| inner.upper_of_hold(resource, body))
            }
            ProcessKind::Hold(resource, body) => self.upper_of_hold(resource, body),
            ProcessKind::Sequence(parts) => {
                let parts: Vec<Upper> = parts
                    .iter()
                    .map(|part| Upper::of(self, part))
                    .collect::<Lowered<_>>()?;
                Ok(self.upper_of_sequence(&parts))
            }
            ProcessKind::Replicate(replication) if replication.kind == Composition::Sequence => {
                self.upper_of_loop(replication)
            }
            ProcessKind::Parallel(_) | ProcessKind::Any(_) | ProcessKind::Replicate(_)
                if self.is_undisturbed() =>
            {
                self.outermost_section(process)
            }
            ProcessKind::Parallel(parts) => self.upper_of_branches(parts, Ends::WithLast),
            ProcessKind::Any(parts) => self.upper_of_branches(parts, Ends::WithFirst),
            ProcessKind::Replicate(replication) => self.upper_of_copies(replication),
            ProcessKind::Graph(graph) => self.upper_of_graph(graph),
            ProcessKind::If(condition, a, b) => {
                let cases = self.condition(condition)?;
                let branches = [Some(&**a), b.as_deref()];
                let uppers = self.branches(&cases, &branches, |inner, branch| match branch {
                    Some(process) => Upper::of(inner, process),
                    None => {
                        let zero = inner.arena.number(0);
                        Ok(inner.upper_of_one(zero, zero, zero, None))
                    }
                })?;
                self.upper_of_choice(&cases, &uppers)
            }
            ProcessKind::Switch(cases) => {
                let conditions = self.conditions(cases.iter().map(|(c, _)| c), process.span)?;
                let branches: Vec<&Process> = cases.iter().map(|(_, p)| p).collect();
                let uppers =
                    self.branches(&conditions, &branches, |inner, p| Upper::of(inner, p))?;
                self.upper_of_choice(&conditions, &uppers)
            }
            ProcessKind::Call(name, arguments) => self.side_called(name, arguments),
        }
    }

    /// At each moment the chain of the task that ended last runs, or waits while other tasks work at the resource.
    fn upper_of_graph(&mut self, graph: &Graph<Process>) -> Lowered<Upper> {
        let tasks: Tasks<Upper> = self.tasks_of(graph)?;
        let path = self.longest(&tasks, |upper| upper.path);
        let outside = self.longest(&tasks, |upper| upper.outside);
        let work = self.total_of_tasks(&tasks, |upper| upper.work)?;
        let remarks = joined(tasks.sides().map(|upper| &upper.remarks));
        let random = tasks.sides().any(|upper| upper.random);
        let all = self.add(&[path, work]);
        let most = self.mean(all);
        let uses = if random || self.is_undisturbed() {
            [].into()
        } else {
            self.uses_of_tasks(&tasks, |upper| &upper.uses)
        };
        Ok(Upper {
            path,
            outside,
            work,
            fcfs: most,
            unordered: most,
            uses,
            random,
            remarks,
        })
    }

    fn upper_of_one(
        &mut self,
        time: ExprId,
        path: ExprId,
        work: ExprId,
        own: Option<Use>,
    ) -> Upper {
        let random = self.is_law(time);
        let mean = self.mean(time);
        let counted = own.filter(|_| !random && !self.is_undisturbed());
        Upper {
            path,
            outside: time,
            work,
            fcfs: mean,
            unordered: mean,
            uses: counted.into_iter().collect(),
            random,
            remarks: random.then_some(Note::BoundOfMean).into_iter().collect(),
        }
    }

    fn upper_of_use(&mut self, resource: &Expr, time: &Expr) -> Lowered<Upper> {
        let resource = self.resource(resource)?;
        let time = self.numeric(time)?;
        let servers = self.servers_at_work(&resource);
        let share = self.arena.reciprocal(servers);
        let rest = self.arena.not(share);
        let (work, path) = (self.arena.scale(share, time), self.arena.scale(rest, time));
        let one = self.arena.number(1);
        let own = Use {
            array: resource.array,
            place: Some(Place {
                index: resource.index,
                over: None,
            }),
            servers,
            work,
            visits: one,
            together: work,
            number: one,
        };
        Ok(Upper {
            outside: self.outside_of(resource.multiplicity, time),
            ..self.upper_of_one(time, path, work, Some(own))
        })
    }

    fn upper_of_sequence(&mut self, parts: &[Upper]) -> Upper {
        let remarks = joined(parts.iter().map(|part| &part.remarks));
        let lists: Vec<Rc<[Use]>> = parts.iter().map(|part| part.uses.clone()).collect();
        let shared = self.shared(&lists);
        Upper {
            path: self.sum_of_parts(parts, |part| part.path),
            outside: self.sum_of_parts(parts, |part| part.outside),
            work: self.sum_of_parts(parts, |part| part.work),
            fcfs: self.sum_of_parts(parts, |part| part.fcfs),
            unordered: self.sum_of_parts(parts, |part| part.unordered),
            uses: self.uses_of_all(&shared, Together::Sequence),
            random: parts.iter().any(|part| part.random),
            remarks,
        }
    }

    fn sum_of_parts(&mut self, parts: &[Upper], of: impl Fn(&Upper) -> ExprId) -> ExprId {
        let all: Vec<ExprId> = parts.iter().map(of).collect();
        self.add(&all)
    }

    fn upper_of_loop(&mut self, replication: &Replication) -> Lowered<Upper> {
        let range = &replication.range;
        let binder = self.binder(range)?;
        let body: Upper = self.side_of_body(range, binder, &replication.body)?;
        let drawn = self.is_law(binder.upper) || self.is_law(binder.lower);
        let path = self.reduced(ReduceKind::Sum, binder, body.path, range)?;
        let outside = self.reduced(ReduceKind::Sum, binder, body.outside, range)?;
        let work = self.reduced(ReduceKind::Sum, binder, body.work, range)?;
        let fcfs = self.reduced(ReduceKind::Sum, binder, body.fcfs, range)?;
        let unordered = self.reduced(ReduceKind::Sum, binder, body.unordered, range)?;
        let random = body.random || drawn;
        let mut remarks = body.remarks;
        remarks.extend(drawn.then_some(Note::BoundOfMean));
        let uses = if random {
            [].into()
        } else {
            self.uses_of_copies(&body.uses, binder, Together::Sequence)
        };
        Ok(Upper {
            path,
            outside,
            work,
            fcfs: self.mean(fcfs),
            unordered: self.mean(unordered),
            uses,
            random,
            remarks,
        })
    }

    /// A section that nothing runs beside.
    fn outermost_section(&mut self, process: &Process) -> Lowered<Upper> {
        let section = self.undisturbed_section(process)?;
        let apart = match (&process.kind, &section) {
            (ProcessKind::Parallel(parts), Section::Components(components)) => {
                Some(self.upper_of_components(parts, components)?)
            }
            (ProcessKind::Replicate(replication), Section::Apart)
                if replication.kind == Composition::Parallel =>
            {
                Some(self.in_context(Context::Apart, |inner| inner.upper_of_copies(replication))?)
            }
            _ => None,
        };
        // The mean of the longest is not the longest mean.
        let mut upper = match apart.filter(|upper| !upper.random) {
            Some(upper) => upper,
            None => self.crowded_section(|inner| inner.upper(process))?,
        };
        match section {
            Section::Known(time) => upper.fcfs = self.mean(time),
            Section::Together(Some(most)) if !upper.random => {
                upper.fcfs = self.arena.min(&[upper.fcfs, most]);
            }
            _ => {}
        }
        upper.uses = [].into();
        Ok(upper)
    }

    /// Branches that share nothing with others do not wait for them.
    fn upper_of_components(
        &mut self,
        parts: &[Process],
        components: &[Vec<usize>],
    ) -> Lowered<Upper> {
        let mut all = Vec::new();
        for component in components {
            let branches: Vec<Process> = component.iter().map(|&k| parts[k].clone()).collect();
            all.push(match &branches[..] {
                [one] => self.in_context(Context::Apart, |inner| Upper::of(inner, one))?,
                _ => self
                    .crowded_section(|inner| inner.upper_of_branches(&branches, Ends::WithLast))?,
            });
        }
        self.upper_of_all(&all, Ends::WithLast)
    }

    /// In the outermost section, nobody waits at a resource with a server for everyone who may be there.
    fn crowded_section(&mut self, lower: impl Fn(&mut Self) -> Lowered<Upper>) -> Lowered<Upper> {
        let mut upper = self.in_context(Context::Within([].into()), &lower)?;
        if upper.random {
            let bound = self.total(&upper);
            (upper.fcfs, upper.unordered) = (bound, bound);
        } else {
            let idle = self.idle(&upper.uses);
            if !idle.is_empty() {
                let several = idle.iter().any(Idle::is_several);
                upper = self.in_context(Context::Within(idle), &lower)?;
                upper.remarks.extend(several.then_some(Note::ElementsAsOne));
            }
        }
        upper.uses = [].into();
        Ok(upper)
    }

    fn upper_of_branches(&mut self, parts: &[Process], ends: Ends) -> Lowered<Upper> {
        let parts: Vec<Upper> = parts
            .iter()
            .map(|part| Upper::of(self, part))
            .collect::<Lowered<_>>()?;
        self.upper_of_all(&parts, ends)
    }

    fn upper_of_all(&mut self, parts: &[Upper], ends: Ends) -> Lowered<Upper> {
        let last = ends == Ends::WithLast;
        let mut remarks = joined(parts.iter().map(|part| &part.remarks));
        let paths: Vec<ExprId> = parts.iter().map(|part| part.path).collect();
        let path = self.extreme(last, &paths);
        let outside: Vec<ExprId> = parts.iter().map(|part| part.outside).collect();
        let outside = self.extreme(last, &outside);
        let work = self.sum_of_parts(parts, |part| part.work);
        if parts.iter().any(|part| part.random) {
            return Ok(self.random_upper([path, outside, work], remarks));
        }
        let lists: Vec<Rc<[Use]>> = parts.iter().map(|part| part.uses.clone()).collect();
        let shared = self.shared(&lists);
        let uses = self.uses_of_all(&shared, Together::Parallel);
        let (mut fcfs, mut unordered) = (Vec::new(), Vec::new());
        let many = parts.len() > MOST_BRANCHES;
        for (position, part) in parts.iter().enumerate() {
            let (mut ordered, mut any) = (vec![part.fcfs], vec![part.unordered]);
            let inside = self.inside_of(&part.uses);
            for resource in shared.iter().filter(|_| !many) {
                let Some(any_use) =
                    resource[position].or(resource.iter().flatten().next().copied())
                else {
                    continue;
                };
                let through_holders = inside.contains(&any_use.array);
                if resource[position].is_none() && !through_holders {
                    continue;
                }
                let others = resource
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != position);
                let others: Vec<Use> = others.filter_map(|(_, other)| *other).collect();
                let work: Vec<ExprId> = others.iter().map(|u| u.work).collect();
                let together: Vec<ExprId> = others.iter().map(|u| u.together).collect();
                let (work, together) = (self.add(&work), self.add(&together));
                // The number of simultaneous requests at resources that holders wait for is not known.
                let (first, second) = if through_holders {
                    let all = self.waiting_for_holders(&any_use, work, &mut remarks);
                    (all, all)
                } else {
                    self.waiting(&any_use, work, together, &mut remarks)
                };
                ordered.push(first);
                any.push(second);
            }
            fcfs.push(self.add(&ordered));
            unordered.push(self.add(&any));
        }
        let mut fcfs = self.extreme(last, &fcfs);
        let mut unordered = self.extreme(last, &unordered);
        if many {
            remarks.insert(Note::ManyBranches);
            let all: Vec<ExprId> = uses.iter().map(|u| u.work).collect();
            let all = self.add(&all);
            (fcfs, unordered) = (self.add(&[fcfs, all]), self.add(&[unordered, all]));
        }
        Ok(Upper {
            path,
            outside,
            work,
            fcfs,
            unordered,
            uses,
            random: false,
            remarks,
        })
    }

    fn random_upper(&mut self, [path, outside, work]: [ExprId; 3], remarks: Remarks) -> Upper {
        let zero = self.arena.number(0);
        Upper {
            path,
            outside,
            work,
            fcfs: zero,
            unordered: zero,
            uses: [].into(),
            random: true,
            remarks,
        }
    }

    fn upper_of_copies(&mut self, replication: &Replication) -> Lowered<Upper> {
        let range = &replication.range;
        let kind = match replication.kind {
            Composition::Any => self.quorum(range)?,
            _ => ReduceKind::Max,
        };
        let binder = self.binder(range)?;
        self.ask_of_quorum(kind, range, binder)?;
        let body: Upper = self.side_of_body(range, binder, &replication.body)?;
        let path = self.reduced(kind, binder, body.path, range)?;
        let outside = self.reduced(kind, binder, body.outside, range)?;
        let work = self.reduced(ReduceKind::Sum, binder, body.work, range)?;
        let mut remarks = body.remarks;
        if body.random {
            return Ok(self.random_upper([path, outside, work], remarks));
        }
        let (mut fcfs, mut unordered) = (vec![body.fcfs], vec![body.unordered]);
        let inside = self.inside_of(&body.uses);
        for (own, others) in self.uses_of_one_copy(&body.uses, binder.index) {
            let through_holders = inside.contains(&own.array);
            let alone = others == Others::None;
            if alone && !through_holders {
                continue;
            }
            remarks.extend(alone.then_some(Note::ElementsAsOne));
            let element = if through_holders {
                None
            } else {
                own.place.filter(|_| others == Others::SameElement)
            };
            let all = self.wanted_by_all(&own, element, binder, own.work, range)?;
            let negative = self.negated(own.work);
            let others = self.add(&[all, negative]);
            let (first, second) = if through_holders {
                let all = self.waiting_for_holders(&own, others, &mut remarks);
                (all, all)
            } else {
                let all = self.wanted_by_all(&own, element, binder, own.together, range)?;
                let less = self.negated(own.together);
                let together = self.add(&[all, less]);
                self.waiting(&own, others, together, &mut remarks)
            };
            fcfs.push(first);
            unordered.push(second);
        }
        let (fcfs, unordered) = (self.add(&fcfs), self.add(&unordered));
        let uses = self.uses_of_copies(&body.uses, binder, Together::Parallel);
        Ok(Upper {
            path,
            outside,
            work,
            fcfs: self.reduced(kind, binder, fcfs, range)?,
            unordered: self.reduced(kind, binder, unordered, range)?,
            uses,
            random: false,
            remarks,
        })
    }

    /// In a parallel section, a random choice is its longest branch; elsewhere the mean is that of the means.
    fn upper_of_choice(&mut self, cases: &Cases, parts: &[Upper]) -> Lowered<Upper> {
        let mut remarks = joined(parts.iter().map(|part| &part.remarks));
        let top = self.bounds.context == Context::Top;
        let weights = matches!(cases, Cases::Weights(_));
        let drawn = !weights && !matches!(cases, Cases::Truths(_));
        remarks.extend(drawn.then_some(Note::BoundOfMean));
        // A share of a law is known only by its moments.
        let shares = weights || matches!(cases, Cases::Random(_));
        let longest = shares && !top;
        if shares {
            remarks.insert(if top {
                Note::WeighedMean
            } else {
                Note::LongestBranch
            });
        }
        let chosen = |inner: &mut Self, of: fn(&Upper) -> ExprId| -> Lowered<ExprId> {
            let all: Vec<ExprId> = parts.iter().map(of).collect();
            if longest {
                Ok(inner.extreme(true, &all))
            } else {
                inner.choice(cases, &all)
            }
        };
        let (path, work) = (chosen(self, |p| p.path)?, chosen(self, |p| p.work)?);
        let outside = chosen(self, |p| p.outside)?;
        let (fcfs, unordered) = (chosen(self, |p| p.fcfs)?, chosen(self, |p| p.unordered)?);
        let random = drawn || parts.iter().any(|part| part.random);
        let uses = if random || top {
            [].into()
        } else {
            let lists: Vec<Rc<[Use]>> = parts.iter().map(|part| part.uses.clone()).collect();
            let shared = self.shared(&lists);
            self.uses_of_choice(cases, &shared)?
        };
        Ok(Upper {
            path,
            outside,
            work,
            fcfs: self.mean(fcfs),
            unordered: self.mean(unordered),
            uses,
            random,
            remarks,
        })
    }
}
