//! Four moments in symbols of laws that are cut off, beside the integral of their densities.

use std::collections::BTreeMap;

use pamela::eval::{Number, Value};
use pamela::ring::Rational;
use pamela::{Model, Options};

/// A density between two values, and values with a probability of their own.
struct Density {
    of: Box<dyn Fn(f64) -> f64>,
    from: f64,
    to: f64,
    atoms: Vec<(f64, f64)>,
}

impl Density {
    fn new(of: impl Fn(f64) -> f64 + 'static, from: f64, to: f64) -> Density {
        Density {
            of: Box::new(of),
            from,
            to,
            atoms: Vec::new(),
        }
    }

    fn with(mut self, value: f64, probability: f64) -> Density {
        self.atoms.push((value, probability));
        self
    }

    /// The mean of a function, by Simpson's rule; of laws that are not normalised, times their mass.
    fn integral(&self, f: impl Fn(f64) -> f64) -> f64 {
        const STEPS: usize = 200_000;
        let step = (self.to - self.from) / STEPS as f64;
        let value = |i: usize| {
            let x = self.from + step * i as f64;
            let weight = match i {
                0 | STEPS => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * (self.of)(x) * f(x)
        };
        let continuous: f64 = (0..=STEPS).map(value).sum::<f64>() * step / 3.0;
        let atoms: f64 = self.atoms.iter().map(|&(x, p)| p * f(x)).sum();
        continuous + atoms
    }

    /// Mean, variance, skewness and kurtosis.
    fn moments(&self) -> [f64; 4] {
        let mass = self.integral(|_| 1.0);
        let mean = self.integral(|x| x) / mass;
        let central = |k| self.integral(|x| (x - mean).powi(k)) / mass;
        let variance = central(2);
        let deviation = variance.sqrt();
        [
            mean,
            variance,
            central(3) / deviation.powi(3),
            central(4) / deviation.powi(4),
        ]
    }
}

fn exponential(m: f64) -> impl Fn(f64) -> f64 {
    move |x| (-x / m).exp() / m
}

fn pareto(shape: f64) -> impl Fn(f64) -> f64 {
    move |x| x.powf(-shape - 1.0)
}

/// A law in symbols, the facts of its parameters, and their values with the density there.
type Case<'t> = (&'t str, &'t str, Vec<([i64; 3], Density)>);

/// Bounds whose order with the law's own is known, and bounds where it is not, so that a choice is left.
fn cases() -> Vec<Case<'static>> {
    let between = |a: f64, b: f64| Density::new(exponential(1.5), a.max(0.0), b);
    let tail = |a: f64, b: f64| Density::new(pareto(5.0), a.max(1.0), b);
    let capped = |c: f64, m: f64| Density::new(exponential(m), 0.0, c).with(c, (-c / m).exp());
    let raised = |c: f64, m: f64| {
        Density::new(exponential(m), c, c + 60.0 * m).with(c, 1.0 - (-c / m).exp())
    };
    vec![
        (
            "truncated(exponential(m / 2), a, b)",
            "a : >= 0",
            vec![
                ([1, 4, 3], between(1.0, 4.0)),
                ([0, 2, 3], between(0.0, 2.0)),
            ],
        ),
        (
            "truncated(exponential(m / 2), a, b)",
            "a",
            vec![
                ([1, 4, 3], between(1.0, 4.0)),
                ([-1, 2, 3], between(-1.0, 2.0)),
            ],
        ),
        (
            "truncated(pareto(5, 1), a, b) * m / 3",
            "a",
            vec![([2, 6, 3], tail(2.0, 6.0)), ([-2, 3, 3], tail(-2.0, 3.0))],
        ),
        (
            "min(b, exponential(m)) * (a + 1)",
            "a : >= 0",
            vec![([0, 2, 3], capped(2.0, 3.0)), ([0, 5, 1], capped(5.0, 1.0))],
        ),
        (
            "max(b, exponential(m)) * (a + 1)",
            "a : >= 0",
            vec![([0, 2, 3], raised(2.0, 3.0)), ([0, 5, 1], raised(5.0, 1.0))],
        ),
    ]
}

#[test]
fn moments_in_symbols_of_laws_that_are_cut_off_are_integrals_of_their_densities() {
    for (law, first, points) in cases() {
        let text = format!(
            "numeric parameter {first}\nnumeric parameter b : > 0\nnumeric parameter m : > 0\nnumeric X = {law}\n"
        );
        let simplified = Model::parse(&text)
            .and_then(|model| model.simplify(&Options::default()))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        for (values, density) in points {
            let bindings: BTreeMap<String, Value> = ["a", "b", "m"]
                .into_iter()
                .zip(values)
                .map(|(name, value)| (name.to_owned(), Value::from(Rational::from(value))))
                .collect();
            for (prefix, expected) in ["E", "Var", "Skw", "Kur"]
                .into_iter()
                .zip(density.moments())
            {
                let equation = simplified.equation(&format!("{prefix}_X"));
                let equation = equation.unwrap_or_else(|| panic!("{law}: no {prefix}_X"));
                let found = match equation.formula.evaluate(&bindings) {
                    Ok(Value::Scalar(number)) => Number::to_f64(&number),
                    other => panic!("{law} {prefix}_X is {other:?}"),
                };
                assert!(
                    (found - expected).abs() <= 1e-7 * expected.abs().max(1.0),
                    "{text}{prefix}_X at {values:?} is {found}, by integration {expected}"
                );
            }
        }
    }
}
