//! Longest paths of graphs of tasks.

use crate::eval::{Bindings, Limits, Value, evaluate};
use crate::expr::{Arena, ExprId, GraphPart, LawKind, LawName, ReduceKind};

/// An `n x n` wavefront, whose cell in column `i` and row `j` takes `weight(i, j)`.
fn wavefront(
    arena: &mut Arena,
    n: i64,
    weight: impl Fn(&mut Arena, ExprId, ExprId) -> ExprId,
) -> ExprId {
    let indices = [arena.fresh_index(), arena.fresh_index()];
    let [i, j] = indices.map(|index| arena.symbol(index));
    let [one, minus, last] = [1, -1, n].map(|value| arena.number(value));
    let before = [i, j].map(|index| arena.add(&[index, minus]));
    let weight = weight(arena, i, j);
    let after = [[before[0], j], [i, before[1]]]
        .map(|[i, j]| arena.graph(GraphPart::After(0), &[one, i, j]));
    let mut part = arena.graph(GraphPart::Task, &[weight, after[0], after[1]]);
    for index in [indices[1], indices[0]] {
        part = arena.reduce(ReduceKind::Each, index, one, last, part);
    }
    arena.graph(GraphPart::LongestPath(None), &[part])
}

#[test]
fn a_longest_path_is_that_of_a_table_filled_cell_by_cell() {
    for n in 0..12_i64 {
        let mut arena = Arena::new();
        let path = wavefront(&mut arena, n, |arena, i, j| {
            let seven = arena.number(7);
            let product = arena.mul(&[i, i, j]);
            arena.modulo(product, seven)
        });
        let mut ends = vec![vec![0; n as usize + 1]; n as usize + 1];
        for i in 1..=n as usize {
            for j in 1..=n as usize {
                ends[i][j] = ends[i - 1][j].max(ends[i][j - 1]) + (i * i * j) as i64 % 7;
            }
        }
        let value = evaluate(&arena, path, &Bindings::new(), Limits::default());
        let expected = crate::ring::Rational::from(ends[n as usize][n as usize]);
        assert_eq!(value, Ok(expected.into()), "{n}");
    }
}

/// Of exponential cells of mean 1, by a determinant of exact integrals; many standard errors of the samples are allowed.
#[test]
fn a_random_path_has_the_moments_of_its_law() {
    for (n, mean, deviation) in [
        (2, 3.5, 1.802_775_6),
        (3, 313.0 / 48.0, 2.348_074_7),
        (5, 13.155_549_1, 3.104_304_9),
    ] {
        let mut arena = Arena::new();
        let path = wavefront(&mut arena, n, |arena, _, _| {
            let one = arena.number(1);
            match LawName::find("exponential") {
                Some(name) => arena.law(LawKind::Named(name), &[one]),
                None => one,
            }
        });
        let value = evaluate(&arena, path, &Bindings::new(), Limits::default());
        let Ok(Value::Law(law)) = value else {
            panic!("{value:?}");
        };
        let cumulants = law.cumulants();
        assert!(
            (cumulants.mean / mean - 1.0).abs() < 0.01,
            "{n}: {}",
            cumulants.mean
        );
        let spread = cumulants.variance.sqrt() / deviation;
        assert!((spread - 1.0).abs() < 0.03, "{n}: {spread}");
        let again = evaluate(&arena, path, &Bindings::new(), Limits::default());
        assert_eq!(again, Ok(Value::Law(law)));
    }
}

#[test]
fn tasks_in_a_round_have_no_longest_path() {
    let mut arena = Arena::new();
    let one = arena.number(1);
    let after = [1, 0].map(|family| arena.graph(GraphPart::After(family), &[one]));
    let tasks = after.map(|after| arena.graph(GraphPart::Task, &[one, after]));
    let path = arena.graph(GraphPart::LongestPath(None), &tasks);
    assert!(evaluate(&arena, path, &Bindings::new(), Limits::default()).is_err());
}
