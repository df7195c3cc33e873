//! Graphs of exponential tasks, by the sets of tasks that have ended.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};
use pamela_graph::Graph;

/// Mean and variance of the time of a graph of at most 64 tasks with these means.
pub fn moments(graph: &Graph, means: &[BigRational]) -> [BigRational; 2] {
    let rates: Vec<BigRational> = means.iter().map(|mean| mean.recip()).collect();
    let [mean, square] = from(0, graph, &rates, &mut HashMap::new());
    let variance = square - &mean * &mean;
    [mean, variance]
}

/// Mean and mean square of the time that is left.
fn from(
    ended: u64,
    graph: &Graph,
    rates: &[BigRational],
    known: &mut HashMap<u64, [BigRational; 2]>,
) -> [BigRational; 2] {
    if let Some(moments) = known.get(&ended) {
        return moments.clone();
    }
    let has_ended = |task: u32| ended >> task & 1 == 1;
    let tasks = (0..graph.tasks() as u32).filter(|&task| !has_ended(task));
    let running: Vec<u32> = tasks
        .filter(|&task| graph.before(task).iter().all(|&before| has_ended(before)))
        .collect();
    let moments = if running.is_empty() {
        [BigRational::zero(), BigRational::zero()]
    } else {
        let rate: BigRational = running.iter().map(|&task| &rates[task as usize]).sum();
        let wait = rate.recip();
        let two = BigRational::one() + BigRational::one();
        // The next to end is as likely as its rate says, whenever it ends.
        let (mut mean, mut square) = (wait.clone(), &two * &wait * &wait);
        for &task in &running {
            let share = &rates[task as usize] / &rate;
            let [later, later_square] = from(ended | 1 << task, graph, rates, known);
            mean += &share * &later;
            square += &share * (&two * &wait * later + later_square);
        }
        [mean, square]
    };
    known.insert(ended, moments.clone());
    moments
}
