use super::*;
use crate::families;
use crate::shape::tests::random;

/// The longest of all paths that begin with a task, by enumeration.
fn by_enumeration(graph: &Graph, weights: &[f64], task: u32) -> f64 {
    let after = graph
        .after(task)
        .iter()
        .map(|&next| by_enumeration(graph, weights, next));
    weights[task as usize] + after.fold(0.0, f64::max)
}

#[test]
fn the_longest_path_is_that_of_enumeration() {
    for seed in 0..200 {
        let (graph, weights) = random(seed, 12);
        let paths = Paths::new(&graph, &weights);
        let tasks = 0..graph.tasks() as u32;
        let all = tasks
            .clone()
            .map(|task| by_enumeration(&graph, &weights, task));
        assert!((paths.length() - all.fold(0.0, f64::max)).abs() < 1e-12);
        for task in tasks {
            let tail = by_enumeration(&graph, &weights, task) - weights[task as usize];
            assert!((paths.tails()[task as usize] - tail).abs() < 1e-12);
        }
        let longest = paths.longest(&graph);
        let sum: f64 = longest.iter().map(|&task| weights[task as usize]).sum();
        assert!((sum - paths.length()).abs() < 1e-12);
        assert!(
            longest
                .windows(2)
                .all(|pair| graph.before(pair[1]).contains(&pair[0]))
        );
        let critical = paths.critical();
        assert!(longest.iter().all(|task| critical.contains(task)));
    }
}

#[test]
fn what_is_late_by_its_slack_is_critical() {
    for seed in 0..100 {
        let (graph, weights) = random(seed, 20);
        let paths = Paths::new(&graph, &weights);
        for task in 0..graph.tasks() as u32 {
            let mut longer = weights.to_vec();
            longer[task as usize] += paths.slack(task);
            assert!((Paths::new(&graph, &longer).length() - paths.length()).abs() < 1e-9);
            longer[task as usize] += 1.0;
            assert!((Paths::new(&graph, &longer).length() - paths.length() - 1.0).abs() < 1e-9);
        }
    }
}

/// The closed forms that are known of regular families.
#[test]
fn regular_families_have_their_closed_forms() {
    let length = |family: families::Family, times: &[f64]| {
        Paths::new(&family.graph, &family.of_kinds(times)).length()
    };
    for (m, n) in [(1, 1), (3, 5), (20, 20)] {
        let family = families::wavefront(m, n).unwrap();
        assert_eq!(length(family, &[2.5]), 2.5 * f64::from(m + n - 1));
    }
    for [p, t, s, g] in [
        [1.0, 2.0, 3.0, 4.0],
        [4.0, 1.0, 1.0, 9.0],
        [0.0, 1.0, 0.0, 2.0],
    ] {
        for k in 2..9 {
            let form = 2.0 * p + t + s + f64::from(k - 2) * f64::max(p + t + s, t + g);
            assert_eq!(length(families::cholesky(k).unwrap(), &[p, t, s, g]), form);
            let form = f64::from(k) * p + f64::from(k - 1) * (t + g);
            assert_eq!(length(families::lu(k).unwrap(), &[p, t, g]), form);
            let form = 30.0 * f64::from(k) - 34.0;
            assert_eq!(
                length(families::qr(k).unwrap(), &[4.0, 6.0, 6.0, 12.0]),
                form
            );
        }
    }
    let count = |family: families::Family| family.graph.tasks();
    let (cholesky, lu, qr) = (families::cholesky(7), families::lu(7), families::qr(7));
    assert_eq!(
        [cholesky, lu, qr].map(|family| count(family.unwrap())),
        [84, 140, 140]
    );
    assert!(
        families::cholesky(u32::MAX).is_err() && families::wavefront(u32::MAX, u32::MAX).is_err()
    );
    assert_eq!(length(families::stencil(9, 7).unwrap(), &[2.0]), 14.0);
    assert_eq!(
        families::stencil(9, 7).unwrap().graph.precedences(),
        6 * (9 * 3 - 2)
    );
}
