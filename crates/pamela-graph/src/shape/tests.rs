use super::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

mod trees;

/// Up to so many tasks in a random order, some precedences, and times.
pub fn random(seed: u64, most: u32) -> (Graph, Vec<f64>) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let tasks = rng.random_range(1..=most);
    let mut names: Vec<u32> = (0..tasks).collect();
    (1..tasks).for_each(|k| names.swap(k as usize, rng.random_range(0..=k) as usize));
    let density = rng.random_range(0.05..0.6);
    let pairs = (0..tasks).flat_map(|v| (0..v).map(move |u| (u, v)));
    let pairs: Vec<(u32, u32)> = pairs
        .filter(|_| rng.random_bool(density))
        .map(|(u, v)| (names[u as usize], names[v as usize]))
        .collect();
    let weights = (0..tasks).map(|_| rng.random_range(0.1..2.0)).collect();
    (Graph::new(tasks as usize, &pairs).unwrap(), weights)
}

/// Which tasks come before which, at whatever distance.
fn closure(graph: &Graph) -> Vec<Vec<bool>> {
    let tasks = graph.tasks();
    let mut before = vec![vec![false; tasks]; tasks];
    for &task in graph.order() {
        for &u in graph.before(task) {
            before[task as usize][u as usize] = true;
            (0..tasks).for_each(|w| before[task as usize][w] |= before[u as usize][w]);
        }
    }
    before
}

#[test]
fn tasks_stand_in_an_order_in_which_they_can_be_done() {
    for seed in 0..100 {
        let (graph, _) = random(seed, 30);
        let place = |task: u32| graph.order().iter().position(|&t| t == task).unwrap();
        for task in 0..graph.tasks() as u32 {
            assert!(graph.before(task).iter().all(|&u| place(u) < place(task)));
            assert!(
                graph
                    .before(task)
                    .iter()
                    .all(|&u| graph.after(u).contains(&task))
            );
        }
    }
}

#[test]
fn precedences_that_stand_twice_count_once() {
    let graph = Graph::new(3, &[(0, 2), (1, 2), (0, 2)]).unwrap();
    assert_eq!(
        (graph.precedences(), graph.before(2), graph.after(0)),
        (2, &[0, 1][..], &[2][..])
    );
    assert_eq!(Graph::new(0, &[]).unwrap().tasks(), 0);
}

#[test]
fn faults_are_named() {
    let fault = |tasks, pairs: &[_]| Graph::new(tasks, pairs).unwrap_err();
    assert_eq!(fault(2, &[(0, 2)]), Fault::Unknown { task: 2, tasks: 2 });
    assert_eq!(fault(MAX_TASKS + 1, &[]), Fault::Tasks(MAX_TASKS + 1));
    assert_eq!(fault(1, &[(0, 0)]), Fault::Cycle(vec![0]));
    assert_eq!(
        fault(0, &[(0, 0)]).to_string(),
        "a precedence names the task 0, but the last of the 0 tasks is -1"
    );
    let round: Vec<(u32, u32)> = (0..100).map(|k| (k, (k + 1) % 100)).collect();
    let text = fault(100, &round).to_string();
    assert!(
        text.contains("0 before 1") && text.contains("(89 more)") && text.contains("99 before 0;"),
        "{text}"
    );
}

/// The shortest cycle is that of all closed walks, by the least power of the adjacency with a diagonal entry.
#[test]
fn the_cycle_that_is_named_is_the_shortest() {
    let mut rng = Pcg64::seed_from_u64(5);
    for _ in 0..300 {
        let tasks = rng.random_range(2..14_u32);
        let count = rng.random_range(1..3 * tasks);
        let end = |rng: &mut Pcg64| rng.random_range(0..tasks);
        let pairs: Vec<(u32, u32)> = (0..count).map(|_| (end(&mut rng), end(&mut rng))).collect();
        let n = tasks as usize;
        let mut walks = vec![vec![false; n]; n];
        (0..n).for_each(|k| walks[k][k] = true);
        let shortest = (1..=n).find(|_| {
            let mut next = vec![vec![false; n]; n];
            for &(u, v) in &pairs {
                (0..n).for_each(|k| next[k][v as usize] |= walks[k][u as usize]);
            }
            walks = next;
            (0..n).any(|k| walks[k][k])
        });
        match (Graph::new(n, &pairs), shortest) {
            (Ok(_), None) => {}
            (Err(Fault::Cycle(round)), Some(length)) => {
                assert_eq!(round.len(), length);
                let next = round.iter().cycle().skip(1);
                assert!(
                    round
                        .iter()
                        .zip(next)
                        .all(|(&u, &v)| pairs.contains(&(u, v)))
                );
            }
            (result, length) => panic!("{result:?} where the shortest cycle has {length:?}"),
        }
    }
}

#[test]
fn what_follows_is_left_out_and_nothing_else() {
    for seed in 0..300 {
        let (graph, _) = random(seed, 90);
        let before = closure(&graph);
        let by_search = graph.reduced().unwrap();
        let by_bit_sets = reduction::by_bit_sets(&graph).unwrap();
        for task in 0..graph.tasks() as u32 {
            let follows = |u: u32| {
                graph
                    .before(task)
                    .iter()
                    .any(|&w| before[w as usize][u as usize])
            };
            let needed: Vec<u32> = graph
                .before(task)
                .iter()
                .copied()
                .filter(|&u| !follows(u))
                .collect();
            assert_eq!(by_search.before(task), needed);
            assert_eq!(by_bit_sets.of(task), needed);
        }
        assert_eq!(closure(&by_search), before);
    }
}

/// Without a dominator, no way is left to what it dominates.
#[test]
fn dominators_are_what_all_ways_go_through() {
    for seed in 0..200 {
        let (graph, _) = random(seed, 25);
        let dominators = graph.dominators();
        for task in 0..graph.tasks() as u32 {
            let all: Vec<u32> = (0..graph.tasks() as u32)
                .filter(|&d| d != task && dominates(&graph, d, task))
                .collect();
            let mut chain: Vec<u32> = Vec::new();
            let mut next = dominators.of_task(task);
            while let Some(d) = next {
                chain.push(d);
                next = dominators.of_task(d);
            }
            chain.sort_unstable();
            assert_eq!(chain, all);
        }
    }
}

fn dominates(graph: &Graph, d: u32, task: u32) -> bool {
    let mut reached = vec![false; graph.tasks()];
    for &v in graph.order() {
        let before = graph.before(v);
        reached[v as usize] =
            v != d && (before.is_empty() || before.iter().any(|&u| reached[u as usize]));
    }
    !reached[task as usize]
}
