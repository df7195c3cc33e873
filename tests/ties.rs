//! The order of requests of one time: what is called exact, no order contradicts.

use pamela::Model;
use pamela::simulate::{
    Arbitration, ORDERS, Options, Replications, Watch, execution_time, simulate,
};
use pamela_lab::study::contention::{Generated, generated, generated_with_holding};

/// The time in a drawn order.
fn drawn(model: &Model, seed: u64) -> String {
    let options = Options {
        arbitration: Arbitration::Seeded,
        replications: Replications::Exactly(1),
        seed,
        ..Options::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default()).expect("runs");
    report.processes[0].fraction.clone().expect("a fraction")
}

/// `PAMELA_MODELS=5000` tries more models.
#[test]
fn what_is_exact_takes_the_same_time_in_every_order() {
    let count: u64 = std::env::var("PAMELA_MODELS").map_or(120, |n| n.parse().expect("a number"));
    let (mut exact, mut differ) = (0, 0);
    for seed in 0..count {
        let Generated { text, values } = match seed % 2 {
            0 => generated(seed),
            _ => generated_with_holding(seed),
        };
        let mut model = Model::parse(&text).expect("a model");
        for (name, value) in &values {
            model.define(name, value).expect("a value");
        }
        let found = execution_time(model.checked(), "main", &Default::default(), 200_000);
        let Ok(found) = found else { continue };
        assert_eq!(found.orders, if found.is_contended { ORDERS } else { 1 });
        let time = found.in_text_order.exact.as_ref().expect("exact");
        assert!(
            found.least.exact.as_ref() <= Some(time) && Some(time) <= found.greatest.exact.as_ref()
        );
        if !found.is_contended {
            exact += 1;
            for order in 1..=10 {
                assert_eq!(drawn(&model, order), time.to_string(), "{text}");
            }
        }
        differ += usize::from(found.least != found.greatest);
    }
    println!("{exact} exact, {differ} differ by the order, of {count}");
    assert!(
        exact * 10 > count && differ * 50 > count as usize,
        "{exact} {differ}"
    );
}
