//! Longest paths of random tasks: by samples, the same at all points.

use std::collections::HashMap;
use std::sync::Arc;

use pamela_graph::{Fault, Graph, Samples, Time, Times, sample};

use super::{Result, undefined, wrap};
use crate::eval::exact::Evaluator;
use crate::eval::value::Value;
use crate::expr::ExprId;
use crate::law::{Distribution, Law};

/// The key of the samples, so that points of a sweep differ by their parameters alone.
const SEED: u64 = 1;
/// A law takes some thousand times as long as a number.
const STEPS_OF_A_LAW: u64 = 1_000;

impl Evaluator<'_> {
    /// The law of the longest path of families of random tasks.
    pub(super) fn sampled_path(&mut self, families: &[ExprId]) -> Result<Value> {
        let (mut laws, mut times) = (Vec::new(), Vec::new());
        // Tasks whose times name no index share a law.
        let mut known: HashMap<ExprId, Time> = HashMap::new();
        let before = self.tasks(families, &mut |this, weight| {
            if let Some(time) = known.get(&weight) {
                times.push(*time);
                return Ok(());
            }
            this.charge_steps(STEPS_OF_A_LAW)?;
            let law = this.law(weight)?;
            let time = this.time_of(&law, &mut laws)?;
            let mut free = this.arena.free(weight).iter();
            if !free.any(|&symbol| this.arena.range(symbol).is_some()) {
                known.insert(weight, time);
            }
            times.push(time);
            Ok(())
        })?;
        let precedences: Vec<(u32, u32)> = (0..)
            .zip(&before)
            .flat_map(|(task, waits)| waits.iter().map(move |&u| (u, task)))
            .collect();
        let graph = Graph::new(times.len(), &precedences).map_err(|fault| match fault {
            Fault::Cycle(_) => {
                undefined("tasks of a graph that wait for each other in a round".into())
            }
            fault => undefined(fault.to_string()),
        })?;
        if times.is_empty() {
            return Ok(wrap(Law::constant(0.0)));
        }
        let wrong = |error: pamela_graph::Error| undefined(error.to_string());
        let times = Times::new(laws, times).map_err(wrong)?;
        let estimate = sample(&graph, &times, SEED, Samples::Auto).map_err(wrong)?;
        Ok(wrap(self.calculus().estimated(&Arc::new(estimate.law))))
    }

    fn time_of(&self, law: &Law, laws: &mut Vec<Arc<dyn Distribution>>) -> Result<Time> {
        if let Some(value) = law.as_constant() {
            return Ok(Time::constant(value));
        }
        let (distribution, _) = law.distribution(self.carrier).map_err(undefined)?;
        laws.push(distribution);
        Ok(Time::scaled(laws.len() as u32 - 1, 1.0))
    }
}
