//! Random models of laws of few values: `PAMELA_MODELS=2000 cargo test --release --test all models::discrete`.
//!
//! Moments, cdf and quantiles are those of the exact enumeration by the definition; an offset that is added to all
//! values only moves them. `PAMELA_SEED` begins with another model, `PAMELA_SHOW=1` prints each.

use num_traits::{One, Zero};
use pamela::eval::Value;
use pamela::law::{Carrier, Cumulants, Law, Probability};
use pamela::model::{Evaluator, Fraction, Limits};
use pamela::{Model, Options};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::number_from;

use super::support::read;

/// How many models are tried where nothing else is asked for.
const FEW: u64 = 150;

/// Sequences of outcomes of one model, at most.
const RUNS: f64 = 600.0;

/// What enumeration and evaluation may differ by: relatively in probabilities, in moments beside the deviation.
const NEAR: f64 = 1e-9;

/// A law in the language, with the number of sequences of outcomes that it has.
struct Term {
    text: String,
    runs: f64,
}

struct Generator {
    random: Pcg64,
}

impl Generator {
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.random_range(0..list.len())]
    }

    fn chance(&mut self) -> &'static str {
        self.pick(&["1/2", "1/3", "1/4", "9/10", "2/7", "1/27", "3/4"])
    }

    fn number(&mut self) -> &'static str {
        self.pick(&[
            "0", "1", "2", "3", "-2", "1/2", "5", "2/3", "-5/3", "7/4", "10",
        ])
    }

    fn leaf(&mut self) -> Term {
        let p = self.chance();
        let [a, b, c] = [(); 3].map(|()| self.number());
        let (text, runs) = match self.random.random_range(0..6) {
            0 => (format!("bernoulli({p})"), 2.0),
            1 => (format!("binomial(3, {p})"), 4.0),
            2 => (format!("empirical({a}, {b}, {c}, {a})"), 4.0),
            3 => (format!("mixture(1/6, {a}, 1/3, {b}, 1/2, {c})"), 3.0),
            _ => (format!("mixture({p}, {a}, 1 - {p}, {b})"), 2.0),
        };
        Term { text, runs }
    }

    fn term(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf();
        }
        let a = self.term(depth - 1);
        let x = &a.text;
        let n = self.random.random_range(2..=3_i32);
        let copies = a.runs.powi(n);
        let (text, runs) = match self.random.random_range(0..17) {
            0..=7 => {
                let b = self.term(depth - 1);
                let (y, both) = (&b.text, a.runs * b.runs);
                let (p, c) = (self.chance(), self.number());
                match self.random.random_range(0..8) {
                    0 => (format!("({x} + {y})"), both),
                    1 => (format!("({x} + ({c}) * ({y}))"), both),
                    2 => (format!("({x}) * ({y})"), both),
                    3 => (format!("max({x}, {y})"), both),
                    4 => (format!("min({x}, {y})"), both),
                    5 => (format!("max({x}, {y}, {c})"), both),
                    6 => (format!("mixture({p}, {x}, 1 - {p}, {y})"), a.runs + b.runs),
                    _ => (
                        format!("(if (bernoulli({p})) {x} else {y})"),
                        a.runs + b.runs,
                    ),
                }
            }
            8 => (format!("(max (i = 1, {n}) {{ {x} }})"), copies),
            9 => (format!("(min (i = 1, {n}) {{ {x} }})"), copies),
            10 => {
                let k = self.random.random_range(1..=n);
                (format!("(kth ({k} of i = 1, {n}) {{ {x} }})"), copies)
            }
            11 => {
                let k = self.random.random_range(1..=n);
                (format!("(kth ({k} of i = 1, {n}) {{ {x} + i/2 }})"), copies)
            }
            12 => (format!("(sum (i = 1, {n}) {{ {x} }})"), copies),
            13 => {
                let p = self.chance();
                let runs = 1.0 + a.runs + a.runs * a.runs;
                (format!("(sum (i = 1, binomial(2, {p})) {{ {x} }})"), runs)
            }
            14 => {
                let (c, d) = (self.number(), self.number());
                (format!("(({c}) * ({x}) + ({d}))"), a.runs)
            }
            15 => (
                format!(
                    "truncated({x} + 1/3, -100, {})",
                    self.pick(&["90", "5/2", "7/3"])
                ),
                a.runs,
            ),
            _ => {
                let far = self.pick(&["10^6", "10^9", "10^12"]);
                (format!("(max({x} + {far}, 2 + {far}) - {far})"), a.runs)
            }
        };
        if runs <= RUNS { Term { text, runs } } else { a }
    }
}

/// What is found in an evaluated model: the law of X, or its only value.
fn evaluated(text: &str) -> Result<Law, String> {
    let model = Model::parse(text).map_err(|error| format!("{error}"))?;
    let rules = pamela::rules::standard().expect("the rules are rules");
    let options = Options {
        without_moments: true,
        ..Options::default()
    };
    let evaluated = model.evaluate(&[], rules, &options);
    let evaluated = evaluated.map_err(|error| format!("{error}"))?;
    let found = evaluated.equations.into_iter().find(|e| e.name == "X");
    match found.ok_or("no X")?.value {
        Value::Law(law) => Ok(*law),
        Value::Scalar(number) => Ok(Law::constant(number.to_f64())),
        Value::Vector(_) => Err("a vector".to_string()),
    }
}

/// The largest difference, relative to what it may be measured by.
fn worst_moment(found: Cumulants, exact: Cumulants) -> f64 {
    let deviation = exact.deviation();
    let off = |a: f64, b: f64, scale: f64| (a - b).abs() / scale.max(f64::MIN_POSITIVE);
    let mean = off(found.mean, exact.mean, deviation.max(exact.mean.abs()));
    if deviation == 0.0 {
        return mean;
    }
    let orders = [
        (found.variance, exact.variance, 2),
        (found.third, exact.third, 3),
        (found.fourth, exact.fourth, 4),
    ];
    // The fourth of a law with great values that are rare is far greater than that of its deviation.
    let scale = |own: f64, r| own.abs().max(deviation.powi(r));
    let higher = orders.map(|(a, b, r)| off(a, b, scale(b, r)));
    higher.into_iter().fold(mean, f64::max)
}

/// Probabilities that quantiles are compared at; the cdf hits many of them.
const ASKED: [(i64, i64); 12] = [
    (1, 1000),
    (1, 27),
    (1, 10),
    (1, 4),
    (1, 3),
    (1, 2),
    (2, 3),
    (3, 4),
    (9, 10),
    (26, 27),
    (99, 100),
    (999, 1000),
];

/// `None` where the definition takes too long, or there is no value; else how far moments and cdf are off.
fn compare(text: &str) -> Result<Option<[f64; 2]>, String> {
    let checked = read("random.pam", text);
    let bindings = Default::default();
    let mut evaluator = Evaluator::new(&checked, &bindings, Limits { steps: 4_000_000 });
    let exact = match evaluator.distribution("X") {
        Ok(exact) => exact,
        Err(why) => {
            let undefined = why.message.contains("has no values");
            let agrees = !undefined || evaluated(text).is_err();
            return agrees.then_some(None).ok_or(why.message);
        }
    };
    let law = evaluated(text)?;
    let (found, _) = law.distribution(Carrier::Grid)?;
    let all = exact.cumulants();
    let [mean, variance, third, fourth] =
        [&all.mean, &all.variance, &all.third, &all.fourth].map(|c| c.to_f64());
    let exact_cumulants = Cumulants {
        mean,
        variance,
        third,
        fourth,
    };
    let moments = worst_moment(law.cumulants(), exact_cumulants);
    let values: Vec<f64> = exact.outcomes.iter().map(|(x, _)| x.to_f64()).collect();
    let scale = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (mut below, mut cdf) = (Fraction::zero(), 0.0_f64);
    for (x, (_, p)) in values.iter().zip(&exact.outcomes) {
        below += p;
        // Just above the value, which rounding may have moved.
        let at = found.cdf(x + 1e-11 * scale);
        let (lower, upper) = (below.to_f64(), (Fraction::one() - &below).to_f64());
        cdf = cdf.max((at.below - lower).abs());
        cdf = cdf.max((at.above - upper).abs());
    }
    for (n, d) in ASKED {
        let p = Fraction::new(n, d);
        let mut sum = Fraction::zero();
        let reached = exact.outcomes.iter().position(|(_, mass)| {
            sum += mass;
            sum >= p
        });
        let expected = values[reached.unwrap_or(values.len() - 1)];
        let asked = Probability {
            below: n as f64 / d as f64,
            above: (d - n) as f64 / d as f64,
        };
        let quantile = found.quantile(asked);
        if (quantile - expected).abs() > 1e-12 * scale {
            return Err(format!(
                "the quantile at {n}/{d} is {expected}, not {quantile}"
            ));
        }
    }
    Ok(Some([moments, cdf]))
}

#[test]
fn laws_of_few_values_are_what_enumeration_gives() {
    let count = number_from("PAMELA_MODELS", FEW);
    let first = number_from("PAMELA_SEED", 1);
    let show = number_from("PAMELA_SHOW", 0) == 1;
    let (mut compared, mut worst) = (0, [0.0_f64; 2]);
    for seed in first..first + count {
        let mut generator = Generator {
            random: Pcg64::seed_from_u64(seed),
        };
        let depth = generator.random.random_range(1..=4);
        let text = format!("numeric X = {}", generator.term(depth).text);
        if show {
            println!("{seed}: {text}");
        }
        let off = compare(&text).unwrap_or_else(|reason| panic!("seed {seed}: {reason}\n{text}"));
        let Some([moments, cdf]) = off else { continue };
        compared += 1;
        worst = [worst[0].max(moments), worst[1].max(cdf)];
        assert!(
            moments <= NEAR && cdf <= NEAR,
            "seed {seed}: moments are off by {moments:e}, the cdf by {cdf:e}\n{text}"
        );
    }
    println!(
        "{compared} of {count} laws: moments {:e}, cdf {:e}",
        worst[0], worst[1]
    );
    assert!(
        compared * 10 >= count * 9,
        "only {compared} of {count} were compared"
    );
}

/// A law that is truncated where it never lies leaves the whole undefined, also where it counts for nothing.
#[test]
fn a_law_that_never_lies_between_the_bounds_has_no_value() {
    let models = [
        ("1 + 0 * truncated(empirical(0, 10) + {x}, 3, 5)", "0", "4"),
        (
            "0 * truncated(binomial(4, 1/2), {x} - 1/2, {x} - 1/4)",
            "2",
            "1/2",
        ),
        (
            "max(9, truncated(max(bernoulli(1/2), {x}), 1/2, 3/4))",
            "2",
            "3/4",
        ),
        (
            "(if (bernoulli(1/2)) 1 else 1) + 0 * truncated(mixture(1/2, 1, 1/2, {x}), 2, 3)",
            "4",
            "3",
        ),
    ];
    for (law, nowhere, somewhere) in models {
        let text = |x: &str| {
            let (number, model) = (
                format!("numeric X = {}", law.replace("{x}", x)),
                law.replace("{x}", "x"),
            );
            [
                number,
                format!("numeric parameter x = {x}\nnumeric X = {model}"),
            ]
        };
        for text in text(nowhere) {
            assert!(evaluated(&text).is_err(), "{text}");
            assert_eq!(compare(&text), Ok(None), "{text}");
        }
        for text in text(somewhere) {
            assert!(
                matches!(compare(&text), Ok(Some([a, b])) if a < NEAR && b < NEAR),
                "{text}"
            );
        }
    }
}

/// Of laws beside a great number: variance, third cumulant and spread of quantiles are those without it.
#[test]
fn a_spread_keeps_its_digits_beside_an_offset() {
    let laws = [
        "max({F} + exponential(1), {F} + exponential(1))",
        "max({F} + exponential(1), {F})",
        "max(uniform({F}, {F} + 1), uniform({F}, {F} + 1))",
        "kth (2 of i = 1, 4) { {F} + exponential(i) }",
        "min({F} + erlang(2, 3), {F} + 1 + exponential(2), {F} + 3)",
        "mixture(1/3, {F} + exponential(1), 2/3, {F} + uniform(1, 2))",
        "(max(normal({F}, 1), normal({F} + 1, 2)) + uniform(0, 1))",
        "max(moments({F}, 1, 1, 5), moments({F}, 2, 1, 5))",
        "2 * max({F}/2 + exponential(1), {F}/2 + uniform(0, 2))",
        "max(empirical({F} + 1, {F} + 2, {F} + 4), {F} + bernoulli(1/3))",
        "truncated({F} + exponential(1), {F} + 1/2, {F} + 3)",
    ];
    for law in laws {
        let near = evaluated(&format!("numeric X = {}", law.replace("{F}", "0")));
        let near = near.unwrap_or_else(|error| panic!("{law}: {error}"));
        for far in ["10^6", "10^9", "10^12"] {
            let text = law.replace("{F}", far);
            let found = evaluated(&format!("numeric X = {text}"));
            let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
            let (a, b) = (found.cumulants(), near.cumulants());
            let off = (a.deviation() - b.deviation()).abs() / b.deviation();
            assert!(off <= 1e-9, "{text}: {} {}", a.deviation(), b.deviation());
            assert!(
                (a.third - b.third).abs() <= 1e-8 * b.deviation().powi(3),
                "{text}"
            );
            // What is left when the offset is taken off again has its quantiles.
            let back = evaluated(&format!("numeric X = {text} - {far}")).expect("as before");
            let quantile = |law: &Law, p: f64| {
                let (law, _) = law.distribution(Carrier::Grid).expect("it has a law");
                law.quantile(Probability::below(p))
            };
            for p in [0.01, 0.1, 0.5, 0.9, 0.99] {
                let off = (quantile(&back, p) - quantile(&near, p)).abs();
                // Grids have their quantiles to some 1e-8 of the scale, whatever the offset.
                assert!(off <= 1e-9 * b.deviation(), "{text} at {p}: {off:e}");
            }
        }
    }
}
