//! The moments of the laws of the language: closed forms against the cumulants of their quantile functions.

use pamela::eval::{Bindings, Value};
use pamela::law::{Cumulants, Distribution, Named};
use pamela::ring::Rational;
use pamela::{Model, Options};

/// A name, the number of arguments, and points at which they are tried.
type Entry = (&'static str, usize, &'static [[(i64, i64); 2]]);

/// Laws over `a` and `b`, with their values at some points.
const LAWS: &[Entry] = &[
    ("exponential", 1, &[[(3, 2), (0, 1)], [(1, 10), (0, 1)]]),
    ("normal", 2, &[[(-2, 1), (3, 1)], [(5, 1), (0, 1)]]),
    ("uniform", 2, &[[(-1, 1), (3, 1)], [(1, 3), (1, 2)]]),
    ("erlang", 2, &[[(4, 1), (3, 1)], [(1, 1), (2, 1)]]),
    ("gamma", 2, &[[(1, 2), (3, 1)], [(7, 3), (2, 5)]]),
    ("weibull", 2, &[[(4, 5), (3, 1)], [(3, 1), (2, 1)]]),
    ("lognormal", 2, &[[(1, 2), (1, 4)], [(-1, 1), (1, 2)]]),
    ("bernoulli", 1, &[[(1, 3), (0, 1)], [(1, 1), (0, 1)]]),
    ("binomial", 2, &[[(5, 1), (1, 4)], [(0, 1), (1, 2)]]),
    ("poisson", 1, &[[(7, 2), (0, 1)], [(0, 1), (0, 1)]]),
    ("geometric", 1, &[[(1, 4), (0, 1)], [(1, 1), (0, 1)]]),
    ("beta", 2, &[[(1, 2), (3, 1)], [(2, 1), (2, 1)]]),
    ("pareto", 2, &[[(9, 2), (3, 1)], [(7, 1), (1, 3)]]),
];

#[test]
fn moments_of_named_laws_are_their_cumulants() {
    for (name, arity, points) in LAWS {
        let closed = closed_forms(name, *arity);
        for point in *points {
            let numbers = point.map(|(n, d)| n as f64 / d as f64);
            let law = Named::new(name, &numbers[..*arity]).expect("the point is in its domain");
            let Cumulants {
                mean,
                variance,
                third,
                fourth,
            } = law.cumulants();
            let spread = variance.sqrt();
            for (order, expected) in [mean, variance, third, fourth].into_iter().enumerate() {
                let value = at(&closed, order, *point);
                let scale = expected.abs().max(spread.powi(order as i32 + 1));
                assert!(
                    (value - expected).abs() <= 1e-9 * scale,
                    "cumulant {} of {name} at {numbers:?} is {expected}, the closed form {value}",
                    order + 1
                );
            }
        }
    }
}

/// The four cumulants of a law over parameters.
fn closed_forms(name: &str, arity: usize) -> pamela::Simplified {
    let law = format!("{name}({})", ["a", "b"][..arity].join(", "));
    let moments = ["E", "Var", "K3", "K4"].iter().enumerate();
    let equations = moments.map(|(n, moment)| format!("numeric f{n} = {moment}({law})\n"));
    let text = format!(
        "numeric parameter a\nnumeric parameter b\n{}",
        equations.collect::<String>()
    );
    let model = Model::parse(&text).expect("the model is right");
    model.simplify(&Options::default()).expect("it simplifies")
}

fn at(closed: &pamela::Simplified, order: usize, point: [(i64, i64); 2]) -> f64 {
    let value = |(n, d): (i64, i64)| Value::from(Rational::from(n) / Rational::from(d));
    let bindings: Bindings = [("a", point[0]), ("b", point[1])]
        .into_iter()
        .map(|(name, pair)| (name.to_string(), value(pair)))
        .collect();
    let equation = closed.equation(&format!("f{order}")).expect("it is there");
    assert!(
        !equation.formula.pamela().contains("K4("),
        "no moment is left"
    );
    match equation.formula.evaluate(&bindings) {
        Ok(Value::Scalar(number)) => number.to_f64(),
        other => panic!("not a number: {other:?}"),
    }
}
