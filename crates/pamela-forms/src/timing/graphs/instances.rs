//! Graphs whose instances are known numerically.

use std::collections::HashMap;

use pamela_graph::{Fault, Node, Tree};

use super::{Lowered, TaskCost, as_number};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ExprId;
use crate::ring::Rational;
use crate::syntax::tree::{Graph, Range, Reference};
use crate::timing::cost::Cost;
use crate::timing::scope::Lowering;

/// Graphs with more tasks are not expanded.
const MOST_TASKS: usize = 500;
/// Graphs with more precedences are not expanded.
const MOST_PRECEDENCES: usize = 20_000;

/// Reason why the instances of a graph are not expanded.
enum Stop {
    Unknown,
    Error(Diagnostic),
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Stop {
        Stop::Error(diagnostic)
    }
}

type Attempt<T> = Result<T, Stop>;

/// Callback for each combination of indices.
type Visit<'v, 'm, 'a> = &'v mut dyn FnMut(&mut Lowering<'m, 'a>, &[Rational]) -> Attempt<()>;

/// The instances of a graph.
#[derive(Default)]
struct Instances {
    costs: Vec<Cost>,
    /// Number of each instance, by family and indices.
    numbers: HashMap<(usize, Vec<Rational>), u32>,
    /// For each family, its first instance and their count.
    families: Vec<(u32, u32)>,
    precedences: Vec<(u32, u32)>,
}

impl<'m, 'a> Lowering<'m, 'a> {
    /// The cost of a series-parallel graph with known instances.
    pub(super) fn series_parallel<'t, T>(
        &mut self,
        graph: &'t Graph<T>,
        span: Span,
        of_task: TaskCost<'t, T>,
    ) -> Lowered<Option<Cost>> {
        if !graph
            .families
            .iter()
            .all(|family| self.may_be_known(&family.ranges))
        {
            return Ok(None);
        }
        let collected = self.collecting(|inner| match inner.instances(graph, of_task) {
            Ok(instances) => Ok(Some(instances)),
            Err(Stop::Unknown) => Ok(None),
            Err(Stop::Error(diagnostic)) => Err(diagnostic),
        });
        let (Some(instances), provisos) = collected? else {
            return Ok(None);
        };
        let plain = pamela_graph::Graph::new(instances.costs.len(), &instances.precedences);
        let plain = match plain {
            Ok(plain) => plain,
            // The evaluation names the tasks.
            Err(Fault::Cycle(_)) => return Err(round(span)),
            Err(_) => return Ok(None),
        };
        let Ok(tree) = pamela_graph::series_parallel(&plain) else {
            return Ok(None);
        };
        self.adopt(&provisos);
        self.cost_of_tree(&tree, &instances.costs).map(Some)
    }

    /// True if the first bounds are numbers.
    fn may_be_known(&mut self, ranges: &[Range]) -> bool {
        let Some(range) = ranges.first() else {
            return true;
        };
        let bounds = self.collecting(|inner| {
            let bounds = [inner.numeric(&range.lower)?, inner.numeric(&range.upper)?];
            Ok(bounds
                .iter()
                .all(|&bound| as_number(inner, bound).is_some()))
        });
        bounds.is_ok_and(|(known, _)| known)
    }

    pub(super) fn cost_of_tree(&mut self, tree: &Tree, costs: &[Cost]) -> Lowered<Cost> {
        let whole = tree.fold(|node, parts: &[&Cost]| {
            let parts: Vec<Cost> = parts.iter().map(|part| **part).collect();
            match node {
                Node::Task(task) => costs[*task as usize],
                Node::Series(_) => self.path_of(&parts, None),
                Node::Parallel(_) => self.path_of(&parts, Some(true)),
            }
        });
        let whole = match whole {
            Some(whole) => whole,
            None => self.nothing(),
        };
        self.cost_of_graph(whole.phi, whole.time, whole.delta, whole.notes)
    }

    /// The cost of parts in sequence or in parallel, without the effect of the demand on the time.
    fn path_of(&mut self, parts: &[Cost], largest: Option<bool>) -> Cost {
        let whole = match largest {
            None => self.sequence(parts),
            Some(_) => self.parallel(parts),
        };
        let times: Vec<ExprId> = parts.iter().map(|part| part.time).collect();
        let time = match largest {
            None => self.add(&times),
            Some(largest) => self.extreme(largest, &times),
        };
        Cost { time, ..whole }
    }

    fn instances<'t, T>(
        &mut self,
        graph: &'t Graph<T>,
        of_task: TaskCost<'t, T>,
    ) -> Attempt<Instances> {
        let mut all = Instances::default();
        for (number, family) in graph.families.iter().enumerate() {
            let first = all.costs.len() as u32;
            self.each_known(&family.ranges, &mut Vec::new(), &mut |inner, indices| {
                if all.costs.len() == MOST_TASKS {
                    return Err(Stop::Unknown);
                }
                let place = all.costs.len() as u32;
                all.numbers.insert((number, indices.to_vec()), place);
                all.costs.push(of_task(inner, &family.task)?);
                Ok(())
            })?;
            all.families.push((first, all.costs.len() as u32 - first));
        }
        let mut task = 0;
        for family in &graph.families {
            self.each_known(&family.ranges, &mut Vec::new(), &mut |inner, _| {
                for reference in &family.after {
                    inner.known_reference(graph, reference, task, &mut all)?;
                }
                task += 1;
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn known_reference<T>(
        &mut self,
        graph: &Graph<T>,
        reference: &Reference,
        task: u32,
        all: &mut Instances,
    ) -> Attempt<()> {
        let mut labels = graph.families.iter().map(|family| &family.label.text);
        let Some(family) = labels.position(|label| *label == reference.label.text) else {
            return Err(Stop::Unknown);
        };
        self.each_known(&reference.ranges, &mut Vec::new(), &mut |inner, _| {
            let condition = inner.precedence_condition(reference)?;
            match as_number(inner, condition) {
                Some(holds) if holds.is_zero() => return Ok(()),
                Some(_) => {}
                None => return Err(Stop::Unknown),
            }
            let mut indices = Vec::new();
            for argument in reference.arguments.iter().flatten() {
                let argument = inner.numeric(argument)?;
                indices.push(as_number(inner, argument).ok_or(Stop::Unknown)?);
            }
            match reference.arguments {
                Some(_) => {
                    let before = all.numbers.get(&(family, indices));
                    all.precedences.extend(before.map(|&before| (before, task)));
                }
                None => {
                    let (first, count) = all.families[family];
                    let every = (first..first + count).map(|before| (before, task));
                    all.precedences.extend(every);
                }
            }
            if all.precedences.len() > MOST_PRECEDENCES {
                Err(Stop::Unknown)
            } else {
                Ok(())
            }
        })
    }

    /// Visits each combination of indices, where all bounds are numbers.
    fn each_known(
        &mut self,
        ranges: &[Range],
        indices: &mut Vec<Rational>,
        visit: Visit<'_, 'm, 'a>,
    ) -> Attempt<()> {
        let Some((range, rest)) = ranges.split_first() else {
            return visit(self, indices);
        };
        let (lower, upper) = (self.numeric(&range.lower)?, self.numeric(&range.upper)?);
        let bounds = as_number(self, lower).zip(as_number(self, upper));
        let (mut index, last) = bounds.ok_or(Stop::Unknown)?;
        let mut steps = 0;
        while index <= last {
            steps += 1;
            if steps > MOST_PRECEDENCES {
                return Err(Stop::Unknown);
            }
            let value = self.arena.number(index.clone());
            indices.push(index.clone());
            self.under_index(&range.index.text, value, |inner| {
                inner.each_known(rest, indices, visit)
            })?;
            indices.pop();
            index += &Rational::ONE;
        }
        Ok(())
    }
}

fn round(span: Span) -> Diagnostic {
    let message = "tasks of this graph wait for each other in a cycle, so none can begin";
    Diagnostic::error(message, span, "in this graph")
        .hint("`pamela simulate` names the shortest cycle; remove one of its precedences")
}
