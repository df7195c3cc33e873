//! Times that are laws, beside simulated means and variances.

use pamela::simulate::{self, Replications, Watch, simulate};
use pamela::timing::Origin;
use pamela::{Model, Options};

const POOLS: &str = "
    numeric parameter n : integer >= 1
    numeric parameter c : integer >= 1
    resource pool = servers(c)
    resource other = servers(2)
";

/// Sections of exponential tasks, by themselves, one after the other, beside each other, chosen.
const PROCESSES: [&str; 5] = [
    "par (i = 1, n) use(pool, exponential(2))",
    "{ par (i = 1, n) use(pool, 3 * exponential(1)) } ; delay(4) ; use(pool, exponential(1))",
    "{ par (i = 1, n) use(pool, exponential(2)) } || { par (i = 1, 5) use(other, exponential(3)) }",
    "seq (k = 1, 3) { par (i = 1, n) use(pool, exponential(k)) }",
    "{ if (n > c) par (i = 1, n) use(pool, exponential(1)) else delay(2) } ; delay(uniform(0, 1))",
];

#[test]
fn laws_of_times_are_those_of_simulated_runs() {
    for process in PROCESSES {
        for (n, c) in [(1, 1), (3, 5), (7, 2), (12, 4), (5, 5)] {
            let mut model =
                Model::parse(&format!("{POOLS}process main = {process}")).expect("a model");
            model.define("n", &n.to_string()).expect("a value");
            model.define("c", &c.to_string()).expect("a value");
            let [mean, variance] = law(&model);
            let options = simulate::Options {
                replications: Replications::Exactly(4_000),
                ..simulate::Options::default()
            };
            let report = simulate(model.checked(), &options, &Watch::default()).expect("runs");
            let main = &report.processes[0];
            let place = format!("{process} at n = {n}, c = {c}");
            let error = (variance / 4_000.0).sqrt();
            assert!(
                (main.mean - mean).abs() < 4.5 * error,
                "{place}: mean {mean}, simulated {}",
                main.mean
            );
            // The variance of a variance, of laws that are not much longer-tailed than the exponential one.
            let deviation = main.deviation.expect("several runs");
            let ratio = deviation * deviation / variance;
            assert!((0.8..1.25).contains(&ratio), "{place}: variance by {ratio}");
        }
    }
}

/// The mean and the variance of the time of `main`.
fn law(model: &Model) -> [f64; 2] {
    let options = Options {
        times: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("rules");
    let evaluated = model.evaluate(&[], rules, &options).expect("values");
    let own = Origin::Execution("main".to_string());
    let time = evaluated.equations.iter().find(|e| e.origin == own);
    let time = time.expect("a time of a run");
    let law = time.law.as_ref().expect("a law");
    [law.cumulants.mean, law.cumulants.variance]
}
