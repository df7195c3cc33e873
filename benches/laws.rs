//! What laws cost: fits, quantiles, order statistics.

use divan::{Bencher, black_box};
use pamela::eval::{Bindings, Limits, Value, evaluate_by};
use pamela::formula::Formula;
use pamela::law::{Carrier, Cumulants, Gld, Grid, Named, order};
use pamela::{Model, Options};

fn main() {
    divan::main();
}

/// A right-skewed pair, a nearly symmetric one, one far out, and the boundary.
const PAIRS: [(f64, f64); 4] = [(1.0, 4.5), (0.1, 2.9), (3.0, 40.0), (2.0, 9.0)];

#[divan::bench(args = PAIRS)]
fn fit_gld(bencher: Bencher, (skewness, kurtosis): (f64, f64)) {
    let target = Cumulants::from_moments(1.0, 1.0, skewness, kurtosis);
    bencher.bench(|| Gld::fit(black_box(&target)));
}

fn named(name: &str, parameters: &[f64]) -> Grid {
    Grid::of(&Named::new(name, parameters).expect("parameters are right"))
}

#[divan::bench]
fn grid_of_an_exponential() -> Grid {
    named("exponential", &[1.0])
}

#[divan::bench]
fn grid_of_a_gamma() -> Grid {
    named("gamma", &[3.5, 1.0])
}

/// The machine repair model with exponential times: the largest of P sums of N, and the demand of all.
#[divan::bench]
fn grid_machine_repair(bencher: Bencher) {
    let (think, service) = (named("exponential", &[10.0]), named("exponential", &[0.1]));
    bencher.bench(|| {
        let (clients, visits) = (black_box(100.0), black_box(1000.0));
        let cycle = Grid::sum(&[&think, &service]);
        let path = cycle.repeated(visits).largest(clients);
        Grid::largest_of(&[&path, &service.repeated(clients * visits)])
    });
}

/// Ten operations in a row, as in sorting by regular sampling.
#[divan::bench]
fn grid_ten_operations(bencher: Bencher) {
    let work = named("gamma", &[3.5, 1.0]);
    bencher.bench(|| {
        let n = black_box(64.0);
        let local = work.repeated(n).largest(n);
        let exchange = work.scaled(0.1).repeated(n * n).largest(n);
        let merge = work.scaled(2.0).shifted(1.0).repeated(n / 2.0).largest(n);
        let phases = Grid::sum(&[&local, &exchange, &merge]);
        Grid::largest_of(&[&phases, &local])
    });
}

#[divan::bench(args = [2.0, 64.0, 1024.0, 1e6])]
fn grid_repeated(bencher: Bencher, n: f64) {
    let one = named("exponential", &[1.0]);
    bencher.bench(|| one.repeated(black_box(n)));
}

#[divan::bench]
fn grid_largest(bencher: Bencher) {
    let one = named("exponential", &[1.0]);
    bencher.bench(|| one.largest(black_box(1e6)));
}

#[divan::bench]
fn grid_kth(bencher: Bencher) {
    let one = named("exponential", &[1.0]);
    bencher.bench(|| one.kth(black_box(50.0), 100.0));
}

#[divan::bench]
fn grid_largest_of_two(bencher: Bencher) {
    let (one, other) = (named("exponential", &[1.0]), named("gamma", &[3.5, 0.5]));
    bencher.bench(|| Grid::largest_of(&[black_box(&one), &other]));
}

#[divan::bench(args = [64.0, 1e6, 1e12])]
fn largest_of_gld(bencher: Bencher, n: f64) {
    let law = Gld::fit(&Cumulants::from_moments(1.0, 1.0, 1.0, 4.5));
    bencher.bench(|| law.map(|law| order::largest(&law, black_box(n))));
}

#[divan::bench]
fn largest_of_two_gld(bencher: Bencher) {
    let fit = |skewness| Gld::fit(&Cumulants::from_moments(1.0, 1.0, skewness, 4.5));
    let laws = fit(1.0).zip(fit(0.2));
    bencher.bench(|| {
        laws.as_ref()
            .map(|(x, y)| order::largest_of(&[black_box(x), y]))
    });
}

/// `T_main` of a model of the papers, with the point at which it is evaluated.
fn time_of(model: &str, values: [(&str, i64); 2]) -> (Formula, Bindings) {
    let path = format!("{}/corpus/papers/{model}.pam", env!("CARGO_MANIFEST_DIR"));
    let simplified = Model::from_file(&path)
        .and_then(|model| model.simplify(&Options::default()))
        .expect("a model of the corpus closes");
    let time = simplified
        .equation("T_main")
        .expect("it has a process main");
    let bindings = values.map(|(name, value)| (name.to_string(), Value::from(value)));
    (time.formula.clone(), bindings.into())
}

fn evaluate(bencher: Bencher, (formula, bindings): (Formula, Bindings), carrier: Carrier) {
    let limits = Limits::default();
    bencher.bench_local(|| {
        evaluate_by(
            formula.arena(),
            formula.root(),
            black_box(&bindings),
            limits,
            carrier,
        )
    });
}

const CARRIERS: [Carrier; 2] = [Carrier::Grid, Carrier::Gld];

/// Carriers with numbers of processors and of iterations: where an evaluation takes longest, and many.
fn points(points: &[(i64, i64)]) -> Vec<(Carrier, i64, i64)> {
    let carried = |carrier| points.iter().map(move |&(p, n)| (carrier, p, n));
    CARRIERS.into_iter().flat_map(carried).collect()
}

#[divan::bench(args = points(&[(10, 20), (2, 4096), (8, 256), (1000, 1_000_000), (1_000_000, 1_000_000_000)]))]
fn evaluate_machine_repair(bencher: Bencher, (carrier, p, n): (Carrier, i64, i64)) {
    let at = [("P", p), ("N", n)];
    evaluate(bencher, time_of("mrm_stochastic", at), carrier);
}

#[divan::bench(args = points(&[(2, 4), (3, 9), (12, 24), (4, 64), (16, 4096), (100, 1_000_000_000), (1_000_000, 1_000_000_000)]))]
fn evaluate_sorting(bencher: Bencher, (carrier, p, n): (Carrier, i64, i64)) {
    let at = [("P", p), ("N", n)];
    evaluate(bencher, time_of("psrs_stochastic", at), carrier);
}

/// The sum, the largest or the smallest of so many different laws.
#[divan::bench(
    args = ["exponential(i)", "uniform(0, i)", "erlang(3, i)", "lognormal(0, 1 / 2 + i / 20000)"],
    consts = [0, 1, 2],
    sample_count = 3,
    sample_size = 1,
)]
fn ten_thousand_laws<const OPERATOR: usize>(bencher: Bencher, law: &str) {
    let operator = ["sum", "max", "min"][OPERATOR];
    let text = format!("numeric T = {operator} (i = 1, 10000) {{ {law} }}");
    let simplified = Model::parse(&text)
        .and_then(|model| model.simplify(&Options::default()))
        .expect("it is a model");
    let formula = &simplified.equation("T").expect("it defines T").formula;
    evaluate(
        bencher,
        (formula.clone(), Bindings::new()),
        Carrier::default(),
    );
}
