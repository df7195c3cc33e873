//! Batches of inputs whose ranges are known, against exact evaluation: the same bits, errors within their bounds.

use proptest::prelude::*;

use super::random::{PARAMETERS, scalar};
use super::{Bindings, read};
use crate::eval::certified::{Batch, CertifiedDouble, Engine, InputRange, Program, Scratch, pairs};
use crate::eval::{EvalError, Limits, Number, Value, decimal, evaluate};
use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

/// Values of a parameter at all points, of so many decimals.
#[derive(Clone, Debug)]
struct Input {
    values: Vec<f64>,
    decimals: u32,
    constant: bool,
}

impl Input {
    fn new(values: Vec<f64>, decimals: u32) -> Input {
        Input {
            values,
            decimals,
            constant: false,
        }
    }

    fn range(&self) -> Option<InputRange> {
        if self.constant {
            InputRange::of_number(&decimal(self.values[0])?)
        } else {
            InputRange::of_decimals(&self.values, self.decimals)
        }
    }
}

fn program(arena: &mut Arena, text: &str) -> Option<(Program, ExprId)> {
    let root = read(arena, text);
    let mut compiler = Program::compiler(arena, &PARAMETERS);
    compiler.add(root).ok()?;
    Some((compiler.finish(), root))
}

/// Does something with inputs as batches.
fn with_batches<R>(inputs: &[Input], of: impl FnOnce((&[Batch], &[Option<InputRange>])) -> R) -> R {
    let pairs: Vec<[Vec<f64>; 2]> = inputs
        .iter()
        .map(|input| {
            let near = input.values.iter().map(|&x| CertifiedDouble::of_decimal(x));
            let (low, error) = near.map(|near| (near.low, near.error)).unzip();
            [low, error]
        })
        .collect();
    let batches = inputs.iter().zip(&pairs).map(|(input, [low, error])| {
        let near = CertifiedDouble::of_decimal(input.values[0]);
        match (input.constant, input.decimals) {
            (true, _) => Batch::Constant(near),
            (false, 0) => Batch::Exact(&input.values),
            _ => Batch::Pairs {
                high: &input.values,
                low,
                error,
            },
        }
    });
    let batches: Vec<Batch> = batches.collect();
    let ranges: Vec<Option<InputRange>> = inputs.iter().map(Input::range).collect();
    of((&batches, &ranges))
}

/// The values of a program by the ranges of its inputs; whether none of them may be unknown.
fn values(program: &Program, inputs: &[Input], scratch: &mut Scratch) -> (Vec<f64>, bool) {
    let mut found = vec![0.0; inputs[0].values.len()];
    let length = found.len();
    let computed = with_batches(inputs, |both| {
        program.evaluate_in(both, length, scratch, &mut [&mut found])
    });
    let is_certain = computed.is_some_and(|computed| computed.is_certain);
    if let Some(Some(value)) = computed.map(|computed| computed.known[0]) {
        found.fill(value);
    }
    (found, is_certain)
}

fn exact(arena: &Arena, root: ExprId, inputs: &[Input], lane: usize) -> Result<Value, EvalError> {
    let number = |input: &Input| Value::from(decimal(input.values[lane]).expect("it is finite"));
    let named = PARAMETERS.iter().zip(inputs);
    let bindings: Bindings = named
        .map(|(name, input)| (name.to_string(), number(input)))
        .collect();
    evaluate(arena, root, &bindings, Limits { steps: 20_000 })
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let input = (
        0usize..6,
        0u32..4,
        prop::collection::vec(0u32..1_000_000, 8),
        any::<bool>(),
    )
        .prop_map(|(size, decimals, draws, negative)| {
            let most = [1.0, 3.0, 100.0, 1e6, 1e9, 1e14][size];
            let value = |draw: &u32| {
                let whole = (f64::from(*draw) / 1e6 * most).round();
                let value = whole / 10f64.powi(decimals as i32);
                if negative { -value } else { value }
            };
            Input::new(draws.iter().map(value).collect(), decimals)
        });
    let constant = (0usize..6).prop_map(|place| Input {
        values: vec![[0.0, 1.0, 0.1, 10.25, -3.5, 1e12][place]; 8],
        decimals: 2,
        constant: true,
    });
    prop::collection::vec(prop_oneof![3 => input, 1 => constant], PARAMETERS.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn values_are_exact_where_ranges_are_known(
        text in scalar(3, 0, false), batches in prop::collection::vec(inputs(), 1..4)
    ) {
        let mut arena = Arena::new();
        let Some((program, root)) = program(&mut arena, &text) else {
            return Ok(());
        };
        let mut scratch = program.scratch();
        let mut other = program.scratch();
        other.use_engine(Engine::Machine);
        for inputs in batches {
            let (found, by_fractions) = values(&program, &inputs, &mut scratch);
            let (same, _) = values(&program, &inputs, &mut other);
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&found), bits(&same), "by machine code: {} at {:?}", text, inputs);
            for (lane, &value) in found.iter().enumerate() {
                match exact(&arena, root, &inputs, lane) {
                    Ok(Value::Scalar(exact)) => {
                        let unknown = value.is_nan() && !by_fractions;
                        prop_assert!(unknown || value.to_bits() == exact.to_f64().to_bits(),
                            "{value} instead of {} for {text} at {inputs:?}", exact.to_f64());
                    }
                    Err(EvalError::Undefined(_)) => prop_assert!(value.is_nan(), "{value} for {text}"),
                    _ => {}
                }
            }
        }
    }
}

/// What sweeps are made of goes this way, over all of their sizes.
#[test]
fn usual_formulas_are_fractions() {
    let whole = |most: f64| {
        Input::new(
            vec![1.0, 2.0, most / 3.0, most]
                .into_iter()
                .map(f64::floor)
                .collect(),
            0,
        )
    };
    let tenth = Input {
        values: vec![0.1; 4],
        decimals: 1,
        constant: true,
    };
    let constant = Input {
        values: vec![10.0; 4],
        decimals: 0,
        constant: true,
    };
    for text in [
        "N * max(t + x_1, P * x_1)",
        "max(N * (t + x_1), P * N * x_1) + t * P^2 / (1 + N * x_1) + (N - P) * (t - x_1) * 0.5",
        "ceil(N / P) * t + (N mod P) * x_1",
        "if (N < 100 * P) N / P + t else N * x_1",
    ] {
        let mut arena = Arena::new();
        let (program, root) = program(&mut arena, text).expect("it compiles");
        let inputs = [whole(1e5), whole(500.0), constant.clone(), tenth.clone()];
        let mut scratch = program.scratch();
        let (found, by_fractions) = values(&program, &inputs, &mut scratch);
        assert!(by_fractions, "{text}");
        for (lane, value) in found.iter().enumerate() {
            let exact = exact(&arena, root, &inputs, lane).expect("a value");
            let Value::Scalar(exact) = exact else {
                panic!("{text}")
            };
            assert_eq!(
                value.to_bits(),
                exact.to_f64().to_bits(),
                "{text} in {lane}"
            );
        }
    }
}

/// Numbers with all digits of a double, and some that are far apart.
fn long_inputs() -> impl Strategy<Value = Vec<Input>> {
    let value = (any::<u64>(), -30i32..30).prop_map(|(bits, exponent)| {
        (1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64) * 2f64.powi(exponent)
    });
    let input = prop::collection::vec(value, 8).prop_map(|values| Input::new(values, 99));
    let constant = (any::<u64>(), -9i32..9).prop_map(|(bits, exponent)| Input {
        values: vec![(1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64) * 2f64.powi(exponent); 8],
        decimals: 99,
        constant: true,
    });
    prop::collection::vec(prop_oneof![3 => input, 1 => constant], PARAMETERS.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    /// By pairs, on both engines.
    #[test]
    fn values_of_many_digits_are_exact_or_unknown(
        text in scalar(4, 0, false), batches in prop::collection::vec(long_inputs(), 1..3)
    ) {
        let mut arena = Arena::new();
        let Some((program, root)) = program(&mut arena, &text) else {
            return Ok(());
        };
        for engine in [Engine::Tiles, Engine::Machine] {
            let mut scratch = program.scratch();
            scratch.use_engine(engine);
            for inputs in &batches {
                let (found, _) = values(&program, inputs, &mut scratch);
                for (lane, &value) in found.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                    if let Ok(Value::Scalar(exact)) = exact(&arena, root, inputs, lane) {
                        prop_assert!(value.to_bits() == exact.to_f64().to_bits(),
                            "{value} instead of {} for {text} at {inputs:?} in {lane}", exact.to_f64());
                    }
                }
            }
        }
    }
}

/// Numbers of few digits and of many, of both signs, whole ones among them.
fn mixed_inputs() -> impl Strategy<Value = Vec<Input>> {
    (inputs(), long_inputs(), any::<u8>()).prop_map(|(few, many, choice)| {
        let both = few.into_iter().zip(many).enumerate();
        let one = both.map(|(k, (few, many))| if choice >> k & 1 == 0 { few } else { many });
        one.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    /// Whatever was computed, what it is off by is within its bound.
    #[test]
    fn errors_are_within_their_bounds(text in scalar(4, 0, false), inputs in mixed_inputs()) {
        let mut arena = Arena::new();
        let Some((program, root)) = program(&mut arena, &text) else {
            return Ok(());
        };
        let length = inputs[0].values.len();
        let Some(found) = with_batches(&inputs, |both| pairs(&program, both, length)) else {
            return Ok(());
        };
        let number = |x: f64| Rational::from_f64(x).expect("it is finite");
        for lane in 0..length {
            let [high, low, error, sure] = found.each_ref().map(|column| column[lane]);
            if sure == 0.0 || !(high.is_finite() && low.is_finite() && error.is_finite()) {
                continue;
            }
            if let Ok(Value::Scalar(Number::Exact(exact))) = exact(&arena, root, &inputs, lane) {
                let off = &(&number(high) + &number(low)) - &exact;
                prop_assert!(off.abs() <= number(error), "{} is off by {} and not {error} for {text} at {inputs:?}",
                    exact.to_f64(), off.to_f64());
            }
        }
    }
}

/// What users write is nearly always known, where no two numbers happen to be equal.
#[test]
fn usual_formulas_are_known() {
    let mut bits = 1u64;
    let mut number = |_: usize| {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64) * 2f64.powi((bits % 40) as i32 - 20)
    };
    for text in [
        "N * max(t + x_1, P * x_1)",
        "max(N * (t + x_1), P * N * x_1) + t * P^2 / (1 + N * x_1)",
        "t * N / P + x_1 / (N + P) + max(N / t, P / x_1, t / x_1) + 1/3",
        "if (N < 100 * P) N / P + t else N * x_1",
        "max(0, N - P) * t + min(N, P) * x_1 / (N + x_1) + (N - P)^2 / t",
        "abs(N - P) * t + floor(N / (1 + P)) * x_1",
    ] {
        let mut arena = Arena::new();
        let (program, root) = program(&mut arena, text).expect("it compiles");
        let mut scratch = program.scratch();
        let mut unknown = 0;
        for _ in 0..40 {
            let inputs: Vec<Input> = (0..4)
                .map(|_| Input::new((0..8).map(&mut number).collect(), 99))
                .collect();
            let (found, _) = values(&program, &inputs, &mut scratch);
            assert!(scratch.has_program(), "{text}");
            for (lane, value) in found.iter().enumerate() {
                unknown += usize::from(value.is_nan());
                let Ok(Value::Scalar(exact)) = exact(&arena, root, &inputs, lane) else {
                    panic!("it has a value");
                };
                assert!(value.is_nan() || value.to_bits() == exact.to_f64().to_bits());
            }
        }
        assert!(unknown < 2, "{unknown} of 320 are unknown: {text}");
    }
}

/// At the ends of what doubles hold it is one more that decides.
#[test]
fn numbers_that_are_too_large_go_another_way() {
    for (text, most, expected) in [
        ("N * P", 67_108_864.0, true),
        ("N * P", 94_906_266.0, false),
        ("N * 8 + P", 2f64.powi(49), true),
        ("N * 16 + P", 2f64.powi(49), false),
        ("1 / (N - 1)", 10.0, false),
        ("N mod (P - 1)", 10.0, false),
        ("N / P + P / N", 67_108_863.0, true),
        ("N / P + P / N", 67_108_865.0, false),
    ] {
        let mut arena = Arena::new();
        let (program, root) = program(&mut arena, text).expect("it compiles");
        let input = Input::new(vec![1.0, most.floor() - 1.0, most.floor()], 0);
        let inputs = vec![input; 4];
        let (found, by_fractions) = values(&program, &inputs, &mut program.scratch());
        assert_eq!(by_fractions, expected, "{text} up to {most}");
        for (lane, value) in found.iter().enumerate() {
            if let Ok(Value::Scalar(exact)) = exact(&arena, root, &inputs, lane) {
                assert!(
                    value.is_nan() && !expected || *value == exact.to_f64(),
                    "{text} in {lane}"
                );
            }
        }
    }
}

/// A slow axis is the same in each batch, and another number in the next; short axes come again and again.
#[test]
fn programs_are_made_anew_where_ranges_are_left() {
    let mut arena = Arena::new();
    let (program, root) = program(&mut arena, "N * t / P + x_1").expect("it compiles");
    let mut scratch = program.scratch();
    for round in 1..40 {
        let constant = |value: f64, decimals| Input {
            values: vec![value; 3],
            decimals,
            constant: true,
        };
        let start = f64::from(round) * 1000.0;
        let inputs = [
            Input::new(vec![start, start + 1.0, start + 2.0], 0),
            constant(f64::from(round), 0),
            constant(0.25 * f64::from(round % 5), 2),
            constant(7.0, 0),
        ];
        let (found, by_fractions) = values(&program, &inputs, &mut scratch);
        assert!(by_fractions);
        for (lane, value) in found.iter().enumerate() {
            let Ok(Value::Scalar(exact)) = exact(&arena, root, &inputs, lane) else {
                panic!("it has a value");
            };
            assert_eq!(*value, exact.to_f64());
        }
    }
    assert!(scratch.lowerings() < 20, "{}", scratch.lowerings());
}

/// Constants of one sweep after another: their common denominator may make numerators too large to be whole doubles.
#[test]
fn constants_that_change_stay_exact() {
    let mut arena = Arena::new();
    let (program, root) = program(&mut arena, "N * 7 + P").expect("it compiles");
    let mut bits = 1u64;
    let mut draw = |most: u64| {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (bits >> 16) % most
    };
    for round in 0..2000 {
        let mut scratch = program.scratch();
        scratch.use_engine([Engine::Tiles, Engine::Machine][round % 2]);
        for _ in 0..3 {
            // Decimal numbers of 15 or 16 digits whose fractions are often smaller, and such of few digits.
            let value = match draw(4) {
                0 => draw(1000) as f64 / [2.0, 5.0, 10.0, 64.0][draw(4) as usize],
                _ => {
                    let numerator = draw(1 << 47) << draw(7);
                    format!("{numerator}e-{}", 15 + draw(2))
                        .parse()
                        .expect("it is a number")
                }
            };
            let constant = |value: f64| Input {
                values: vec![value],
                decimals: 99,
                constant: true,
            };
            let inputs = [
                constant(value),
                Input::new(vec![1.0], 99),
                constant(0.5),
                constant(0.5),
            ];
            let (found, by_fractions) = values(&program, &inputs, &mut scratch);
            let Ok(Value::Scalar(exact)) = exact(&arena, root, &inputs, 0) else {
                panic!("it has a value");
            };
            let is_unknown = found[0].is_nan() && !by_fractions;
            assert!(
                is_unknown || found[0] == exact.to_f64(),
                "{} at {value}",
                found[0]
            );
        }
    }
}
