//! Random laws with their parts: sums and extremes of mixtures of single values and densities, at parameters where an
//! integral changes its form. A seed always gives the same law.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A law that is not composed of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basic {
    Value(f64),
    Exponential { mean: f64 },
    Uniform { lower: f64, upper: f64 },
    Erlang { stages: u32, mean: f64 },
    Weibull { shape: f64, scale: f64 },
    Normal { mean: f64, deviation: f64 },
    Pareto { shape: f64, scale: f64 },
    Geometric { p: f64 },
}

/// A basic law, possibly truncated, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    pub weight: f64,
    pub law: Basic,
    pub bounds: Option<[f64; 2]>,
}

/// The largest or smallest of several sums of copies of a mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeLaw {
    /// The law as model text.
    pub text: String,
    pub parts: Vec<Part>,
    pub copies: u32,
    pub largest: bool,
    pub sums: u64,
}

/// The law of a seed.
pub fn law(seed: u64) -> MadeLaw {
    let mut random = Pcg64::seed_from_u64(seed);
    let weights: &[f64] = one_of(
        &mut random,
        &[
            &[1.0],
            &[0.0, 1.0],
            &[0.5, 0.5],
            &[0.9, 0.1],
            &[0.25, 0.75],
            &[0.01, 0.99],
        ],
    );
    let mut parts: Vec<Part> = Vec::new();
    for &weight in weights {
        // Equal parts are one law, however they are written.
        let part = match parts.last() {
            Some(before) if one_of(&mut random, &[true, false, false, false]) => *before,
            _ => part(&mut random),
        };
        parts.push(Part { weight, ..part });
    }
    let copies = one_of(&mut random, &[1, 1, 2]);
    let sums = one_of(&mut random, &[1, 1, 2, 100, 10_000, 1_000_000]);
    let largest = copies == 1 && one_of(&mut random, &[true, false]);
    let mixture = match parts.as_slice() {
        [single] => written(single),
        parts => {
            let parts = parts
                .iter()
                .map(|part| format!("{}, {}", part.weight, written(part)));
            format!("mixture({})", parts.collect::<Vec<_>>().join(", "))
        }
    };
    let of = if largest { "max" } else { "min" };
    let text = format!("{of} (i = 1, {sums}) {{ sum (j = 1, {copies}) {{ {mixture} }} }}");
    MadeLaw {
        text,
        parts,
        copies,
        largest,
        sums,
    }
}

fn one_of<T: Copy>(random: &mut Pcg64, list: &[T]) -> T {
    list[random.random_range(0..list.len())]
}

fn part(random: &mut Pcg64) -> Part {
    let scale = one_of(random, &[1.0, 1.0, 0.5, 2.0, 10.0]);
    let place = one_of(random, &[0.0, 0.0, 1.0, 1.0, -1.0, 3.0, 500.0]);
    let stages = one_of(random, &[1, 1, 2, 3]);
    let law = match random.random_range(0..10) {
        0 | 1 => Basic::Value(place),
        2 => Basic::Exponential { mean: scale },
        3 => {
            let upper = place + one_of(random, &[0.0, 1.0, scale]);
            if upper == place {
                Basic::Value(place)
            } else {
                Basic::Uniform {
                    lower: place,
                    upper,
                }
            }
        }
        4 => Basic::Erlang {
            stages,
            mean: scale,
        },
        5 => Basic::Weibull {
            shape: one_of(random, &[1.0, 0.5, 2.0, 3.0]),
            scale,
        },
        6 => Basic::Normal {
            mean: place,
            deviation: scale,
        },
        7 => Basic::Geometric {
            p: one_of(random, &[1.0, 0.5, 0.5, 0.125]),
        },
        _ => Basic::Pareto {
            shape: one_of(random, &[1.0, 2.0, 3.0, 4.0, 0.5, 2.5]),
            scale,
        },
    };
    let above = one_of(random, &[1.0, 0.25, 2.0, 9.0, 99.0]);
    let lower = one_of(random, &[0.0, scale, scale, 1.0, scale + 1.0]);
    let bounds = match law {
        // Without bounds, it has no moments to compare.
        Basic::Pareto { .. } => Some([lower, lower.max(scale) + above]),
        Basic::Exponential { .. } | Basic::Normal { .. } if one_of(random, &[true, false]) => {
            let lower = if place.abs() < 5.0 { lower } else { place };
            matches!(law, Basic::Normal { .. })
                .then_some([lower, lower + above])
                .or(Some([scale.min(lower), scale + above]))
        }
        _ => None,
    };
    Part {
        weight: 1.0,
        law,
        bounds,
    }
}

fn written(part: &Part) -> String {
    let law = match part.law {
        Basic::Value(value) => value.to_string(),
        Basic::Exponential { mean } => format!("exponential({mean})"),
        Basic::Uniform { lower, upper } => format!("uniform({lower}, {upper})"),
        Basic::Erlang { stages, mean } => format!("erlang({stages}, {mean})"),
        Basic::Weibull { shape, scale } => format!("weibull({shape}, {scale})"),
        Basic::Normal { mean, deviation } => format!("normal({mean}, {deviation})"),
        Basic::Pareto { shape, scale } => format!("pareto({shape}, {scale})"),
        Basic::Geometric { p } => format!("geometric({p})"),
    };
    match part.bounds {
        Some([lower, upper]) => format!("truncated({law}, {lower}, {upper})"),
        None => law,
    }
}
