//! Orders the instances of a graph, or finds the shortest cycle.

use super::{Evaluated, Instance};
use crate::definition::evaluate::Evaluator;
use crate::diagnostic::{Diagnostic, Span};

/// Steps of the search for a shorter round; one round is known without.
const MOST_STEPS: usize = 1 << 24;
/// Maximum number of tasks of a cycle that are named.
const SHOWN: usize = 12;

impl<'m> Evaluator<'m> {
    /// All instances, each after those that it waits for.
    pub(super) fn order<T>(
        &mut self,
        tasks: &[Instance<'m, T>],
        before: &[Vec<u32>],
        span: Span,
    ) -> Evaluated<Vec<u32>> {
        let mut after = vec![Vec::new(); tasks.len()];
        let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
        for (task, waits) in before.iter().enumerate() {
            waits
                .iter()
                .for_each(|&u| after[u as usize].push(task as u32));
        }
        let mut order: Vec<u32> = Vec::with_capacity(tasks.len());
        order.extend((0..tasks.len() as u32).filter(|&task| missing[task as usize] == 0));
        let mut next = 0;
        while let Some(&task) = order.get(next) {
            next += 1;
            for &waiting in &after[task as usize] {
                missing[waiting as usize] -= 1;
                if missing[waiting as usize] == 0 {
                    order.push(waiting);
                }
            }
        }
        if order.len() == tasks.len() {
            return Ok(order);
        }
        let round = shortest_round(before, &missing);
        let message = format!(
            "tasks wait for each other in a cycle, so none can begin: {}",
            shown(&round, tasks)
        );
        let place = round
            .first()
            .map_or(span, |&task| tasks[task as usize].family.label.span);
        Err(Diagnostic::error(message, place, "waits for itself")
            .hint("remove one of these precedences, or exclude it by `if (..)`"))
    }
}

/// The shortest round among tasks that are missing something; each comes before the next, and the last before the first.
fn shortest_round(before: &[Vec<u32>], missing: &[usize]) -> Vec<u32> {
    let mut best: Vec<u32> = Vec::new();
    let mut steps = 0;
    let stuck = (0..before.len() as u32).filter(|&task| missing[task as usize] > 0);
    let mut towards = vec![u32::MAX; before.len()];
    for start in stuck {
        if steps > MOST_STEPS && !best.is_empty() {
            break;
        }
        let mut reached = vec![start];
        let mut next = 0;
        let mut last = None;
        while last.is_none()
            && let Some(&task) = reached.get(next)
        {
            next += 1;
            for &u in &before[task as usize] {
                steps += 1;
                if u == start {
                    last = Some(task);
                    break;
                }
                if missing[u as usize] > 0 && towards[u as usize] == u32::MAX {
                    towards[u as usize] = task;
                    reached.push(u);
                }
            }
        }
        // The search went against the precedences, so that the way back is in their direction.
        if let Some(mut task) = last {
            let mut round = vec![task];
            while task != start {
                task = towards[task as usize];
                round.push(task);
            }
            if best.is_empty() || round.len() < best.len() {
                best = round;
            }
        }
        for task in reached {
            towards[task as usize] = u32::MAX;
        }
        if best.len() == 1 {
            break;
        }
    }
    best
}

/// `a before b before a`; of a long round, both ends.
fn shown<T>(round: &[u32], tasks: &[Instance<'_, T>]) -> String {
    let name = |&task: &u32| format!("`{}`", tasks[task as usize].name());
    let mut names: Vec<String> = round.iter().chain(round.first()).map(name).collect();
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.splice(SHOWN - 2..names.len() - 2, [format!("({more} more)")]);
    }
    names.join(" before ")
}
