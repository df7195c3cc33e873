//! Longest paths of random tasks: by samples (the same at all points), by normal laws, or by
//! bounds.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use pamela_graph::{Bounds, Estimate, Fault, Graph, Time, Times};
use pamela_graph::{bounds, normal, sample};

use super::{Result, undefined, wrap};
use crate::eval::exact::Evaluator;
use crate::eval::paths::{KnownPath, PathLaw, StandardErrors};
use crate::eval::value::Value;
use crate::expr::{ExprId, LawKind, Node};
use crate::law::{Distribution, Law, SHOWN_QUANTILES};

/// A law takes some thousand times as long as a number.
const STEPS_OF_A_LAW: u64 = 1_000;
/// Cells of a law that is to have few values.
const FEW_CELLS: usize = 1_024;

impl Evaluator<'_> {
    /// The law that stands for the longest path of families of random tasks.
    pub(super) fn law_of_path(&mut self, id: ExprId, families: &[ExprId]) -> Result<Value> {
        let wrong = |error: pamela_graph::Error| undefined(error.to_string());
        let paths = self.paths;
        let known = self
            .known_paths
            .get(&id)
            .and_then(|known| known.bounds.clone());
        if let (PathLaw::Lower | PathLaw::Upper, Some(known)) = (paths.law, known) {
            return law_of_bounds(&known, paths.law).map(wrap);
        }
        let Some((graph, times)) = self.random_graph(families)? else {
            return Ok(wrap(Law::constant(0.0)));
        };
        let mut found = KnownPath::default();
        let law = match paths.law {
            PathLaw::Samples => {
                let estimate = sample(&graph, &times, paths.seed, paths.samples).map_err(wrong)?;
                found.errors = Some(errors_of(&estimate));
                self.calculus().estimated(&Arc::new(estimate.law))
            }
            PathLaw::Normal => {
                let normal = normal(&graph, &times).map_err(wrong)?;
                let arguments = [normal.mean, normal.variance.sqrt()];
                self.calculus()
                    .named("normal", &arguments)
                    .map_err(undefined)?
            }
            PathLaw::Lower | PathLaw::Upper => {
                let bounds = bounds_of(&graph, &times).map_err(wrong)?;
                let law = law_of_bounds(&bounds, paths.law)?;
                found.bounds = Some(Rc::new(bounds));
                law
            }
        };
        if self.is_outermost(id) {
            self.known_paths.insert(id, found);
        }
        Ok(wrap(law))
    }

    /// The standard errors of a sum of sampled longest paths; unknown for other laws.
    pub(in crate::eval) fn standard_errors(&mut self, id: ExprId) -> Option<StandardErrors> {
        if let Some(known) = self.known_paths.get(&id) {
            return known.errors.clone();
        }
        let arena = self.arena;
        let Node::Add(terms) = arena.node(id) else {
            return None;
        };
        // All paths are drawn by the same keys: their errors may add up.
        let mut all: Option<StandardErrors> = None;
        let mut alone = true;
        for &term in terms.iter().filter(|&&term| arena.is_law(term)) {
            alone &= all.is_none();
            match (self.standard_errors(term), &mut all) {
                (Some(errors), Some(all)) => all.mean += errors.mean,
                (Some(errors), None) => all = Some(errors),
                (None, _) if self.has_path(term) => return None,
                (None, _) => alone = false,
            }
        }
        if let (Some(all), false) = (&mut all, alone) {
            all.quantiles.clear();
        }
        all
    }

    /// The graph of the tasks, and their times; none of no tasks.
    fn random_graph(&mut self, families: &[ExprId]) -> Result<Option<(Graph, Times)>> {
        let (mut known, mut times) = (KnownTimes::default(), Vec::new());
        let before = self.tasks(families, &mut |this, weight| {
            times.push(this.time_of(weight, &mut known)?);
            Ok(())
        })?;
        let graph = Graph::of_links(before).map_err(|fault| match fault {
            Fault::Cycle(_) => {
                undefined("tasks of a graph that wait for each other in a cycle".into())
            }
            fault => undefined(fault.to_string()),
        })?;
        if times.is_empty() {
            return Ok(None);
        }
        let times = Times::new(known.laws, times);
        let times = times.map_err(|error| undefined(error.to_string()))?;
        Ok(Some((graph, times)))
    }

    /// The time of a task. Times that differ only by factors or added constants share a law.
    fn time_of(&mut self, weight: ExprId, known: &mut KnownTimes) -> Result<Time> {
        if let Some(time) = known.times.get(&weight) {
            return Ok(*time);
        }
        let arena = self.arena;
        let time = match arena.node(weight) {
            Node::Law(LawKind::Scale, operands) => {
                let &[factor, law] = &operands[..] else {
                    return Err(undefined("a factor of no law".into()));
                };
                let factor = self.real(factor)?;
                let time = self.time_of(law, known)?;
                if factor >= 0.0 {
                    Time {
                        law: time.law,
                        factor: time.factor * factor,
                        shift: time.shift * factor,
                    }
                } else {
                    self.time_of_its_own(weight, known)?
                }
            }
            Node::Add(terms) => {
                let (laws, numbers): (Vec<ExprId>, Vec<ExprId>) =
                    terms.iter().partition(|&&term| arena.is_law(term));
                match laws[..] {
                    [law] => {
                        let mut time = self.time_of(law, known)?;
                        for number in numbers {
                            time.shift += self.real(number)?;
                        }
                        time
                    }
                    _ => self.time_of_its_own(weight, known)?,
                }
            }
            _ => self.time_of_its_own(weight, known)?,
        };
        let mut free = arena.free(weight).iter();
        if !free.any(|&symbol| arena.range(symbol).is_some()) {
            known.times.insert(weight, time);
        }
        Ok(time)
    }

    fn time_of_its_own(&mut self, weight: ExprId, known: &mut KnownTimes) -> Result<Time> {
        self.charge_steps(STEPS_OF_A_LAW)?;
        let law = self.law(weight)?;
        if let Some(value) = law.as_constant() {
            return Ok(Time::constant(value));
        }
        let (distribution, _) = law.distribution(self.carrier).map_err(undefined)?;
        known.laws.push(distribution);
        Ok(Time::scaled(known.laws.len() as u32 - 1, 1.0))
    }
}

/// Laws of tasks, and the times of tasks that name no index.
#[derive(Default)]
struct KnownTimes {
    laws: Vec<Arc<dyn Distribution>>,
    times: HashMap<ExprId, Time>,
}

fn errors_of(estimate: &Estimate) -> StandardErrors {
    let error = |&p: &f64| (p, estimate.quantile(p)[1]);
    StandardErrors {
        mean: estimate.mean_error,
        quantiles: SHOWN_QUANTILES.iter().map(error).collect(),
    }
}

/// Bounds whose laws have few enough values.
fn bounds_of(graph: &Graph, times: &Times) -> std::result::Result<Bounds, pamela_graph::Error> {
    let found = bounds(graph, times, &Default::default())?;
    if found.lower.discrete().is_some() && found.upper.discrete().is_some() {
        return Ok(found);
    }
    let options = pamela_graph::bounds::Options {
        cells: Some(FEW_CELLS),
    };
    bounds(graph, times, &options)
}

fn law_of_bounds(bounds: &Bounds, which: PathLaw) -> Result<Law> {
    let law = match which {
        PathLaw::Lower => &bounds.lower,
        _ => &bounds.upper,
    };
    let law = law.discrete();
    let law = law.ok_or_else(|| undefined("bounds of too many values".into()))?;
    Ok(Law::discrete(law))
}
