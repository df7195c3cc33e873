//! The law at the end of a plan.

use std::sync::Arc;

use super::plan::Plan;
use crate::lattice::Calculus;

/// Partial law of a node that other nodes still wait for.
struct NodeLaw<L> {
    /// The time from the end of its anchor to its own.
    block: Arc<L>,
    /// The time from the end of another node, which was asked for last.
    longer: Option<(Option<u32>, Arc<L>)>,
}

/// The law of the time from the beginning to the end of a plan, of nodes with these laws.
pub(super) fn evaluate<C: Calculus>(
    plan: &Plan,
    calculus: &C,
    law: impl Fn(u32) -> C::Law,
) -> C::Law {
    let sink = plan.before.len() as u32 - 1;
    let mut known: Vec<Option<NodeLaw<C::Law>>> = plan.before.iter().map(|_| None).collect();
    let mut last_use = uses(plan);
    for (step, &node) in plan.order.iter().enumerate() {
        let anchor = plan.anchors[node as usize];
        let mut largest: Option<Arc<C::Law>> = None;
        for &before in &plan.before[node as usize] {
            let Some(time) = since(anchor, before, &plan.anchors, calculus, &mut known) else {
                continue;
            };
            largest = Some(match largest {
                None => time,
                Some(other) => Arc::new(calculus.larger(&other, &time)),
            });
        }
        let block = match (largest, node == sink) {
            (Some(start), true) => start,
            (None, true) => Arc::new(calculus.zero()),
            (Some(start), false) => Arc::new(calculus.sum(&start, &law(node))),
            (None, false) => Arc::new(law(node)),
        };
        known[node as usize] = Some(NodeLaw {
            block,
            longer: None,
        });
        for gone in std::mem::take(&mut last_use[step]) {
            if gone != sink {
                known[gone as usize] = None;
            }
        }
    }
    // A chain of anchors leads from the beginning to the end.
    let whole = since(None, sink, &plan.anchors, calculus, &mut known);
    whole.map_or_else(|| calculus.zero(), |law| law.as_ref().clone())
}

/// The time from the end of an anchor to that of a task below it; none where they are the same.
fn since<C: Calculus>(
    anchor: Option<u32>,
    task: u32,
    anchors: &[Option<u32>],
    calculus: &C,
    known: &mut [Option<NodeLaw<C::Law>>],
) -> Option<Arc<C::Law>> {
    let (mut chain, mut next) = (Vec::new(), task);
    let mut time = None;
    while Some(next) != anchor {
        let here = known[next as usize].as_ref()?;
        if let Some((_, law)) = here.longer.as_ref().filter(|(from, _)| *from == anchor) {
            time = Some(law.clone());
            break;
        }
        chain.push(next);
        match anchors[next as usize] {
            Some(above) => next = above,
            None => break,
        }
    }
    for &link in chain.iter().rev() {
        let here = known[link as usize].as_mut()?;
        time = Some(match time {
            None => here.block.clone(),
            Some(before) => {
                let law = Arc::new(calculus.sum(&before, &here.block));
                here.longer = Some((anchor, law.clone()));
                law
            }
        });
    }
    time
}

/// For each step of a plan, the nodes that are not asked for after it.
fn uses(plan: &Plan) -> Vec<Vec<u32>> {
    let end = plan.order.len() - 1;
    let mut last = vec![0; plan.before.len()];
    for (step, &node) in plan.order.iter().enumerate() {
        last[node as usize] = last[node as usize].max(step);
        plan.before[node as usize]
            .iter()
            .for_each(|&before| last[before as usize] = step);
    }
    // The chain of the end is asked for after the last step.
    last[plan.before.len() - 1] = end + 1;
    // A node is asked for with all that hang from it.
    for &node in plan.order.iter().rev() {
        if let Some(anchor) = plan.anchors[node as usize] {
            last[anchor as usize] = last[anchor as usize].max(last[node as usize]);
        }
    }
    let mut gone = vec![Vec::new(); plan.order.len()];
    for &node in &plan.order {
        if let Some(step) = gone.get_mut(last[node as usize]) {
            step.push(node);
        }
    }
    gone
}
