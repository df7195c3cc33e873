//! Transitive reduction: the precedences that do not follow from others.

use super::Graph;
use super::links::Links;

/// Steps of the search per task and precedence, which graphs whose precedences span few levels never need.
const STEPS_EACH: usize = 64;

/// Words of bit sets that are united: a second or two.
const MAX_WORDS: usize = 1 << 31;

/// Tasks whose descendants are found together, in words of 64.
const WORDS: usize = 8;

/// The transitive reduction: predecessors that do not follow from others. `None` if it takes too many steps.
pub fn reduced(graph: &Graph) -> Option<Links> {
    by_search(graph).or_else(|| by_bit_sets(graph))
}

/// Searches from each predecessor backwards, down to the first predecessor in order.
fn by_search(graph: &Graph) -> Option<Links> {
    let tasks = graph.tasks();
    let depth = depths(graph);
    let mut steps = STEPS_EACH * (tasks + graph.precedences() + 1);
    // The last task whose search visited each task.
    let mut met = vec![u32::MAX; tasks];
    let mut kept: Vec<Vec<u32>> = Vec::with_capacity(tasks);
    let mut stack: Vec<u32> = Vec::new();
    for task in 0..tasks as u32 {
        let before = graph.before(task);
        let first = before.iter().map(|&u| depth[u as usize]).min().unwrap_or(0);
        let expanded = |u: u32| depth[u as usize] > first;
        stack.extend(before.iter().filter(|&&u| expanded(u)));
        while let Some(u) = stack.pop() {
            for &w in graph.before(u) {
                steps = steps.checked_sub(1)?;
                if depth[w as usize] >= first && met[w as usize] != task {
                    met[w as usize] = task;
                    if expanded(w) {
                        stack.push(w);
                    }
                }
            }
        }
        let needed = before.iter().copied().filter(|&u| met[u as usize] != task);
        kept.push(needed.collect());
    }
    Some(Links::of_lists(kept.iter().map(Vec::as_slice)))
}

/// The number of tasks on the longest way to each.
fn depths(graph: &Graph) -> Vec<u32> {
    let mut depth = vec![0; graph.tasks()];
    for &task in graph.order() {
        let before = graph.before(task).iter().map(|&u| depth[u as usize] + 1);
        depth[task as usize] = before.max().unwrap_or(0);
    }
    depth
}

/// For some hundred tasks at a time, all that comes after them.
pub(super) fn by_bit_sets(graph: &Graph) -> Option<Links> {
    let tasks = graph.tasks();
    if graph.precedences().checked_mul(tasks / 64 + 1)? > MAX_WORDS {
        return None;
    }
    // For each precedence, in the order of the successors: true if it follows from others.
    let mut starts = vec![0; tasks + 1];
    for task in 0..tasks {
        starts[task + 1] = starts[task] + graph.before(task as u32).len();
    }
    let mut follows = vec![false; graph.precedences()];
    let mut ancestors = vec![[0_u64; WORDS]; tasks];
    for chunk in graph.order().chunks(64 * WORDS) {
        ancestors.fill([0; WORDS]);
        let mut place = vec![None; tasks];
        chunk
            .iter()
            .enumerate()
            .for_each(|(bit, &task)| place[task as usize] = Some(bit));
        for &task in graph.order() {
            let mut far = [0; WORDS];
            for &u in graph.before(task) {
                (0..WORDS).for_each(|k| far[k] |= ancestors[u as usize][k]);
            }
            for (index, &u) in graph.before(task).iter().enumerate() {
                if let Some(bit) = place[u as usize] {
                    follows[starts[task as usize] + index] = far[bit / 64] >> (bit % 64) & 1 == 1;
                    // Bits of others in the list are looked at in `far` as it was before.
                    ancestors[task as usize][bit / 64] |= 1 << (bit % 64);
                }
            }
            (0..WORDS).for_each(|k| ancestors[task as usize][k] |= far[k]);
        }
    }
    let kept: Vec<Vec<u32>> = (0..tasks)
        .map(|task| {
            let before = graph
                .before(task as u32)
                .iter()
                .zip(&follows[starts[task]..]);
            before
                .filter(|(_, follows)| !**follows)
                .map(|(&u, _)| u)
                .collect()
        })
        .collect();
    Some(Links::of_lists(kept.iter().map(Vec::as_slice)))
}
