//! The shortest cycle among tasks that cannot be ordered.

use std::collections::VecDeque;

use super::links::Links;

/// Maximum number of precedences followed in search of a shorter cycle.
const STEPS: usize = 1 << 26;

/// The shortest cycle, each task before the next. On ties, the cycle of the first task. `ordered` are the tasks that
/// have an order; the others have none.
pub fn shortest(before: &Links, after: &Links, ordered: &[u32]) -> Vec<u32> {
    let tasks = before.len();
    let mut open = vec![true; tasks];
    ordered.iter().for_each(|&task| open[task as usize] = false);
    trim(&mut open, before, after);
    let mut best: Vec<u32> = Vec::new();
    let mut steps = STEPS;
    let mut seen = vec![(u32::MAX, 0_u32); tasks];
    for start in 0..tasks as u32 {
        if !open[start as usize] {
            continue;
        }
        let limit = if best.is_empty() {
            usize::MAX
        } else {
            best.len() - 1
        };
        if limit == 0 || (steps == 0 && !best.is_empty()) {
            break;
        }
        if let Some(round) = round_of(start, limit, after, &open, &mut seen, &mut steps) {
            best = round;
        }
        // Cycles from this task are known, so later rounds skip it.
        open[start as usize] = false;
    }
    best
}

/// Tasks from which no cycle is reached are closed.
fn trim(open: &mut [bool], before: &Links, after: &Links) {
    let waiting = |task: u32, open: &[bool]| {
        after
            .of(task)
            .iter()
            .filter(|&&next| open[next as usize])
            .count()
    };
    let mut left: Vec<usize> = (0..open.len() as u32)
        .map(|task| waiting(task, open))
        .collect();
    let mut closed: Vec<u32> = (0..open.len() as u32)
        .filter(|&task| open[task as usize] && left[task as usize] == 0)
        .collect();
    while let Some(task) = closed.pop() {
        open[task as usize] = false;
        for &previous in before.of(task) {
            left[previous as usize] -= 1;
            if open[previous as usize] && left[previous as usize] == 0 {
                closed.push(previous);
            }
        }
    }
}

/// The shortest cycle through `start`, of at most `limit` tasks, breadth first. `seen` has for each task the start of
/// the search that has met it, and the task before it.
fn round_of(
    start: u32,
    limit: usize,
    after: &Links,
    open: &[bool],
    seen: &mut [(u32, u32)],
    steps: &mut usize,
) -> Option<Vec<u32>> {
    let mut queue = VecDeque::from([(start, 1)]);
    while let Some((task, length)) = queue.pop_front() {
        if length > limit {
            return None;
        }
        for &next in after.of(task).iter().filter(|&&next| open[next as usize]) {
            if next == start {
                return Some(way_back(start, task, seen));
            }
            // The first search goes on to its end: there is a cycle to be named.
            if *steps == 0 && limit != usize::MAX {
                return None;
            }
            *steps = steps.saturating_sub(1);
            if seen[next as usize].0 != start {
                seen[next as usize] = (start, task);
                queue.push_back((next, length + 1));
            }
        }
    }
    None
}

fn way_back(start: u32, last: u32, seen: &[(u32, u32)]) -> Vec<u32> {
    let mut round = vec![last];
    let mut task = last;
    while task != start {
        task = seen[task as usize].1;
        round.push(task);
    }
    round.reverse();
    round
}
