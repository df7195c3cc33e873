//! Points at which models are evaluated: random and degenerate ones that satisfy what a model declares.

use num_rational::BigRational;
use pamela::model::{Evaluator, Limits, Model};
use pamela::syntax::tree::{Equation, ParameterFact};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::Bindings;

/// How many points are tried for one that satisfies the model's facts.
const TRIES_PER_POINT: usize = 60;

/// Up to `count` points, the same ones in every run.
///
/// Integers are mostly small and often at the ends of ranges (0, 1, -1); other parameters are negative,
/// zero and fractional as well. Points that a fact or an assumption of the model excludes are left out.
pub fn points(model: &Model, count: usize) -> Vec<Bindings> {
    let mut random = Pcg64::seed_from_u64(0x7061_6d65_6c61);
    let mut found = Vec::new();
    for _ in 0..count * TRIES_PER_POINT {
        if found.len() == count {
            break;
        }
        let point: Bindings = model
            .parameters()
            .map(|parameter| {
                (
                    parameter.name.text.clone(),
                    sample(parameter, &mut random).into(),
                )
            })
            .collect();
        if satisfies(model, &point) && !found.contains(&point) {
            found.push(point);
        }
    }
    found
}

/// Points at which some parameters are at the ends of what is declared of them, and beside: 0, 1 and -1 in all
/// combinations of the first few parameters, where the others are larger.
pub fn ends(model: &Model) -> Vec<Bindings> {
    const VALUES: [i64; 4] = [0, 1, -1, 3];
    const MOST_PARAMETERS: u32 = 5;
    let names: Vec<_> = model.parameters().map(|p| p.name.text.clone()).collect();
    let varied = names.len().min(MOST_PARAMETERS as usize) as u32;
    let combinations = (0..VALUES.len().pow(varied)).map(|number| {
        let value = |position: usize| match u32::try_from(position) {
            Ok(digit) if digit < varied => VALUES[number / VALUES.len().pow(digit) % VALUES.len()],
            _ => 3,
        };
        let numbered = names.iter().enumerate();
        let point = numbered.map(|(position, name)| (name.clone(), whole(value(position)).into()));
        point.collect::<Bindings>()
    });
    combinations
        .filter(|point| satisfies(model, point))
        .collect()
}

fn sample(parameter: &Equation, random: &mut Pcg64) -> BigRational {
    let is_integer = parameter
        .facts
        .iter()
        .any(|fact| matches!(fact, ParameterFact::Integer(_)));
    // Undeclared parameters are loop bounds as often as workloads.
    if is_integer || random.random_bool(0.7) {
        return whole(match random.random_range(0..10) {
            0 => random.random_range(-3..=0),
            1..=3 => random.random_range(0..=2),
            4..=8 => random.random_range(1..=8),
            _ => random.random_range(6..=18),
        });
    }
    let denominator = random.random_range(2..=4);
    BigRational::new(random.random_range(-5i64..=11).into(), denominator.into())
}

fn whole(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// True if the facts and assumptions of the model hold at a point.
pub fn satisfies(model: &Model, point: &Bindings) -> bool {
    let mut evaluator = Evaluator::new(model, point, Limits { steps: 10_000 });
    evaluator
        .broken_facts()
        .is_ok_and(|broken| broken.is_empty())
}
