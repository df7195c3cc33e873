//! Laws of a generator beside integrals of their cdfs, which are written here from the definitions.
//!
//! `PAMELA_MADE_LAWS=2000 cargo test --release --test all models::made_laws` tries so many; `PAMELA_SEED` begins elsewhere.

mod reference;

use pamela::eval::Value;
use pamela::syntax::FileLoader;
use pamela::{Model, Options};
use pamela_lab::models::laws::{Basic, MadeLaw, Part, law};

use reference::{Piece, Reference};

/// How many are tried where nothing is said.
const FEW: u64 = 30;

/// What is wrong of a quantile.
fn quantile_fault(
    made: &MadeLaw,
    reference: &Reference,
    scale: f64,
    (p, found): (f64, f64),
) -> Option<String> {
    let whole = reference
        .pieces
        .iter()
        .all(|piece| matches!(piece, Piece::Value(_, x) if x.fract() == 0.0));
    if whole && found.fract() != 0.0 {
        return Some(format!(
            "the quantile {p} is {found}, but all values are whole"
        ));
    }
    let aside = 1e-4 * scale;
    let [after, _] = reference.extreme(made, found + aside, false);
    let [before, _] = reference.extreme(made, found - aside, true);
    if after < p - 1e-5 || before > p + 1e-5 {
        return Some(format!(
            "the quantile {p} is {found}, but the cdf is {before} before it and {after} after it"
        ));
    }
    // On a flat part of the cdf, the least value counts.
    let far = 1e-2 * scale;
    let [earlier, rest] = reference.extreme(made, found - far, false);
    if earlier >= p && rest < (1.0 - p) * (1.0 - 1e-12) {
        return Some(format!(
            "the quantile {p} is {found}, but {} has it, too",
            found - far
        ));
    }
    None
}

/// What differs between the law of a seed and its definition.
fn fault(made: &MadeLaw) -> Option<String> {
    let text = format!(
        "numeric X = {0}\nnumeric m = E({0})\nnumeric v = Var({0})\n",
        made.text
    );
    let rules = pamela::rules::standard().expect("the rules are rules");
    let model = match Model::read("made.pam", &text, &FileLoader) {
        Ok(model) => model,
        Err(error) => return Some(format!("{error}")),
    };
    let evaluated = match model.evaluate(&[], rules, &Options::default()) {
        Ok(evaluated) => evaluated,
        Err(error) => return Some(format!("{error}")),
    };
    let reference = Reference::new(made);
    let [mean, variance] = reference.moments(made);
    let deviation = variance.max(0.0).sqrt();
    let scale = deviation + 1e-6 * mean.abs() + 1e-12;
    let wrong = |name: &str, found: f64, expected: f64| {
        Some(format!(
            "{name} is {found}, but {expected} by its definition"
        ))
    };
    let near = |found: f64, expected: f64, error: f64| (found - expected).abs() <= error;
    for equation in &evaluated.equations {
        let number = match &equation.value {
            Value::Scalar(number) => Some(number.to_f64()),
            _ => None,
        };
        let law = equation.law.as_ref().map(|law| law.cumulants);
        let (own_mean, own_variance) = match (equation.name.as_str(), number, law) {
            ("m", Some(found), _) => (Some(found), None),
            ("v", Some(found), _) => (None, Some(found)),
            ("X", Some(found), _) => (Some(found), Some(0.0)),
            ("X", _, Some(law)) => (Some(law.mean), Some(law.variance)),
            _ => (None, None),
        };
        if let Some(found) = own_mean.filter(|found| !near(*found, mean, 2e-4 * scale)) {
            return wrong(&format!("the mean of {}", equation.name), found, mean);
        }
        if let Some(found) =
            own_variance.filter(|found| !near(*found, variance, 1e-3 * scale * scale))
        {
            return wrong(
                &format!("the variance of {}", equation.name),
                found,
                variance,
            );
        }
        let quantiles = equation.law.iter().flat_map(|law| &law.quantiles);
        for &(p, found) in quantiles {
            if let Some(fault) = quantile_fault(made, &reference, scale, (p, found)) {
                return Some(fault);
            }
        }
    }
    None
}

#[test]
fn laws_are_those_of_their_definitions() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().expect("a number"))
    };
    let (first, count) = (
        number("PAMELA_SEED").unwrap_or(0),
        number("PAMELA_MADE_LAWS").unwrap_or(FEW),
    );
    let mut faults = Vec::new();
    for seed in first..first + count {
        let made = law(seed);
        faults.extend(fault(&made).map(|fault| format!("{seed}: {}\n    {fault}", made.text)));
    }
    assert!(
        faults.is_empty(),
        "{} of {count} laws differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn part(weight: f64, law: Basic) -> Part {
    Part {
        weight,
        law,
        bounds: None,
    }
}

/// Beside a part that lies far above, or has a long tail, the other part of a mixture is as fine as alone.
#[test]
fn extremes_and_sums_of_mixtures_with_a_far_part() {
    let exponential = |mean: f64| part(0.5, Basic::Exponential { mean });
    for distance in [15.0, 25.0, 500.0] {
        let deviation = 1.0;
        let far = Basic::Normal {
            mean: distance,
            deviation,
        };
        let smallest = MadeLaw {
            text: format!(
                "min (i = 1, 1000000) {{ mixture(0.5, exponential(1), 0.5, normal({distance}, 1)) }}"
            ),
            parts: vec![exponential(1.0), part(0.5, far)],
            copies: 1,
            largest: false,
            sums: 1_000_000,
        };
        assert_eq!(fault(&smallest), None);
    }
    let narrow = Basic::Weibull {
        shape: 3.0,
        scale: 0.5,
    };
    let smaller = MadeLaw {
        text: String::from(
            "min (i = 1, 2) { sum (j = 1, 2) { mixture(0.01, exponential(10), 0.99, weibull(3, 0.5)) } }",
        ),
        parts: vec![
            part(0.01, Basic::Exponential { mean: 10.0 }),
            part(0.99, narrow),
        ],
        copies: 2,
        largest: false,
        sums: 2,
    };
    assert_eq!(fault(&smaller), None);
}

/// `P(X <= x)` of a sum of two is 4/9 of that of an Erlang law below 1/2. The means are integrals of the survival function by
/// mpmath with 20 digits.
#[test]
fn extremes_of_many_sums_of_values_beside_a_density() {
    for (sums, expected) in [(10_000, 0.189_316_468), (1_000_000, 0.018_814_724)] {
        let smallest = MadeLaw {
            text: format!(
                "min (i = 1, {sums}) {{ sum (j = 1, 2) {{ mixture(1/3, 0.5, 2/3, exponential(10)) }} }}"
            ),
            parts: vec![
                part(1.0 / 3.0, Basic::Value(0.5)),
                part(2.0 / 3.0, Basic::Exponential { mean: 10.0 }),
            ],
            copies: 2,
            largest: false,
            sums,
        };
        assert_eq!(fault(&smallest), None);
        let [mean, _] = Reference::new(&smallest).moments(&smallest);
        assert!((mean - expected).abs() < 1e-8, "{mean}");
    }
}
