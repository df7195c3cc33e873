use super::*;
use crate::path::Paths;

/// A random nest of series and parallels, as precedences from the ends of one part to the beginnings of the next.
fn nest(
    rng: &mut Pcg64,
    depth: u32,
    tasks: &mut u32,
    pairs: &mut Vec<(u32, u32)>,
) -> (Vec<u32>, Vec<u32>) {
    if depth == 0 || rng.random_bool(0.2) {
        *tasks += 1;
        return (vec![*tasks - 1], vec![*tasks - 1]);
    }
    let in_series = rng.random_bool(0.5);
    let parts: Vec<_> = (0..rng.random_range(2..5))
        .map(|_| nest(rng, depth - 1, tasks, pairs))
        .collect();
    if !in_series {
        let (first, last): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        return (first.concat(), last.concat());
    }
    for pair in parts.windows(2) {
        for &u in &pair[0].1 {
            pairs.extend(pair[1].0.iter().map(|&v| (u, v)));
        }
    }
    (parts[0].0.clone(), parts[parts.len() - 1].1.clone())
}

fn length(tree: &Tree, weights: &[f64]) -> f64 {
    let value = |node: &Node, parts: &[&f64]| match node {
        Node::Task(task) => weights[*task as usize],
        Node::Series(_) => parts.iter().copied().sum(),
        Node::Parallel(_) => parts.iter().copied().copied().fold(0.0, f64::max),
    };
    tree.fold(value).unwrap()
}

#[test]
fn nests_of_series_and_parallels_are_found_with_redundant_precedences_or_without() {
    let mut rng = Pcg64::seed_from_u64(9);
    for _ in 0..300 {
        let (mut tasks, mut pairs) = (0, Vec::new());
        nest(&mut rng, 4, &mut tasks, &mut pairs);
        let graph = Graph::new(tasks as usize, &pairs).unwrap();
        let before = closure(&graph);
        let all = (0..tasks).flat_map(|v| (0..tasks).map(move |u| (u, v)));
        let more = all.filter(|&(u, v)| before[v as usize][u as usize] && rng.random_bool(0.3));
        pairs.extend(more.collect::<Vec<_>>());
        let graph = Graph::new(tasks as usize, &pairs).unwrap();
        let tree = series_parallel(&graph).unwrap();
        let weights: Vec<f64> = (0..tasks).map(|_| rng.random_range(0.0..1.0)).collect();
        assert!((length(&tree, &weights) - Paths::new(&graph, &weights).length()).abs() < 1e-12);
        let leaves = tree
            .nodes()
            .iter()
            .filter(|node| matches!(node, Node::Task(_)));
        assert_eq!(leaves.count(), tasks as usize);
    }
}

#[test]
fn a_core_has_the_longest_path_of_its_graph() {
    let mut cores = 0;
    for seed in 0..300 {
        let (graph, weights) = random(seed, 25);
        let whole = Paths::new(&graph, &weights).length();
        let left = match series_parallel(&graph) {
            Ok(tree) => length(&tree, &weights),
            Err(core) => {
                cores += 1;
                let weights: Vec<f64> = core
                    .parts
                    .iter()
                    .map(|part| length(part, &weights))
                    .collect();
                assert!(
                    series_parallel(&core.graph)
                        .is_err_and(|again| again.graph.tasks() == weights.len())
                );
                Paths::new(&core.graph, &weights).length()
            }
        };
        assert!((left - whole).abs() < 1e-12);
    }
    assert!(cores > 100);
}

#[test]
fn the_graph_n_is_its_own_core() {
    let graph = Graph::new(4, &[(0, 2), (0, 3), (1, 3)]).unwrap();
    let core = series_parallel(&graph).unwrap_err();
    assert_eq!(
        (
            core.graph.tasks(),
            core.graph.precedences(),
            core.is_partial
        ),
        (4, 3, false)
    );
}

#[test]
fn a_tree_is_as_flat_as_it_can_be() {
    // 0 before 1, 2 and 3, of which 2 and 3 are in series; 4 after all.
    let graph = Graph::new(5, &[(0, 1), (0, 2), (2, 3), (1, 4), (3, 4), (0, 4)]).unwrap();
    let tree = series_parallel(&graph).unwrap();
    let text = tree.fold(|node, parts: &[&String]| match node {
        Node::Task(task) => task.to_string(),
        Node::Series(_) => format!(
            "({})",
            parts
                .iter()
                .map(|s| s.as_str())
                .collect::<Vec<_>>()
                .join(";")
        ),
        Node::Parallel(_) => format!(
            "[{}]",
            parts
                .iter()
                .map(|s| s.as_str())
                .collect::<Vec<_>>()
                .join("|")
        ),
    });
    assert_eq!(text.unwrap(), "(0;[1|(2;3)];4)");
    assert_eq!(
        series_parallel(&Graph::new(0, &[]).unwrap())
            .unwrap()
            .nodes(),
        [Node::Series(vec![])]
    );
}

#[test]
fn a_nest_may_be_as_deep_as_it_likes() {
    // Task k is beside the path of all after it.
    let n = 100_000;
    let pairs: Vec<(u32, u32)> = (0..n)
        .flat_map(|k| [(2 * k, 2 * k + 1), (2 * k, 2 * k + 2)])
        .collect();
    let graph = Graph::new(2 * n as usize + 1, &pairs).unwrap();
    let tree = series_parallel(&graph).unwrap();
    assert_eq!(length(&tree, &vec![1.0; graph.tasks()]), f64::from(n + 1));
}
