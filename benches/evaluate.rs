//! Points per second of a closed scalar formula of 14 operations, and elements per second of an open sum of irrational
//! numbers, on one core.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use pamela::eval::certified::{Batch, LANES, Program};
use pamela::eval::{Bindings, Evaluation, Limits};
use pamela::expr::{Arena, ExprId, Function, ReduceKind};
use pamela::formula::Formula;

const POINTS: usize = 1 << 20;
const PARAMETERS: [&str; 4] = ["N", "P", "tl", "ts"];

fn main() {
    divan::main();
}

/// `max(N * (tl + ts) + P, N * P * ts, tl * tl - 2 * ts) + N / P + min(tl, ts)`
fn formula() -> Formula {
    let mut arena = Arena::new();
    let [n, p, local, service] = PARAMETERS.map(|name| arena.parameter(name));
    let step = arena.add(&[local, service]);
    let path = arena.mul(&[n, step]);
    let path = arena.add(&[path, p]);
    let demand = arena.mul(&[n, p, service]);
    let two = arena.number(2);
    let (square, twice) = (arena.pow(local, two), arena.mul(&[two, service]));
    let difference = arena.subtract(square, twice);
    let largest = arena.max(&[path, demand, difference]);
    let (share, least) = (arena.divide(n, p), arena.min(&[local, service]));
    let root: ExprId = arena.add(&[largest, share, least]);
    Formula::new(Arc::new(arena), root, Vec::new())
}

#[divan::bench]
fn fourteen_operations(bencher: Bencher) {
    let formula = formula();
    assert_eq!(formula.operations(), 14);
    let mut compiler = Program::compiler(formula.arena(), &PARAMETERS);
    compiler.add(formula.root()).expect("closed and scalar");
    let program = compiler.finish();
    let mut scratch = program.scratch();
    let column = |scale: f64| -> Vec<f64> {
        let value = |k: usize| scale * (1 + k % 1000) as f64;
        (0..POINTS).map(value).collect()
    };
    let columns = [column(1e3), column(1.0), column(0.5), column(0.1)];
    let mut results = vec![0.0; POINTS];
    bencher.counter(ItemsCount::new(POINTS)).bench_local(|| {
        for first in (0..POINTS).step_by(LANES) {
            let range = first..first + LANES;
            let batches = columns.each_ref();
            let batches = batches.map(|values| Batch::Exact(&values[range.clone()]));
            program.evaluate(&batches, LANES, &mut scratch, &mut [&mut results[range]]);
        }
        results[POINTS - 1]
    });
}

/// The value of an open sum of `i * log(i)`, by its number of elements.
#[divan::bench(args = [1_000, 10_000, 100_000])]
fn irrational_sum(bencher: Bencher, elements: i64) {
    let mut arena = Arena::new();
    let index = arena.fresh_index();
    let (first, last, i) = (arena.number(1), arena.number(elements), arena.symbol(index));
    let log = arena.apply(Function::Log, i);
    let body = arena.mul(&[i, log]);
    let sum = arena.reduce(ReduceKind::Sum, index, first, last, body);
    let bindings = Bindings::default();
    bencher
        .counter(ItemsCount::new(elements as usize))
        .bench_local(|| {
            let mut evaluation = Evaluation::new(&arena, &bindings, Default::default());
            evaluation.value(sum, Limits::default()).expect("a value")
        });
}
