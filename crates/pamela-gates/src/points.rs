//! Points at which instances are evaluated: the degenerate grid, random ones, and landmarks.

use std::collections::BTreeMap;

use num_rational::BigRational;

use super::instance::Parameter;
use super::landmarks::Landmarks;
use super::random::Random;

/// A value for every parameter of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub values: BTreeMap<String, BigRational>,
    /// True if the point is on the degenerate grid.
    pub degenerate: bool,
    /// True if the point is a landmark, at which an evaluator may give up.
    pub far: bool,
    /// Maximum number of extra evaluation steps.
    pub steps: u64,
}

/// Bounds, indices and moduli of the grid: empty ranges, one iteration and P = 1 come up.
const INTEGERS: &[(i64, i64)] = &[
    (0, 1),
    (1, 1),
    (2, 1),
    (-1, 1),
    (3, 1),
    (-2, 1),
    (4, 1),
    (-3, 1),
];
/// Other numbers of the grid.
const SCALARS: &[(i64, i64)] = &[(1, 1), (0, 1), (-1, 1), (2, 1), (1, 2)];
/// Fractions among random points.
const FRACTIONS: &[(i64, i64)] = &[
    (1, 2),
    (-1, 2),
    (3, 2),
    (5, 2),
    (-3, 2),
    (1, 3),
    (2, 3),
    (7, 3),
    (-7, 4),
    (7, 2),
];
/// With exact powers, whose logarithms and roots are whole.
const LARGER: &[(i64, i64)] = &[(5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (16, 1), (-5, 1)];

/// For small parameters: this many of the integers, and these fractions.
const SMALL: usize = 5;
const SMALL_FRACTIONS: &[(i64, i64)] = &[(1, 2), (-1, 2), (3, 2), (1, 3), (2, 3)];

fn grid(parameter: &Parameter) -> &'static [(i64, i64)] {
    match (parameter.integral, parameter.small) {
        (true, true) => &INTEGERS[..SMALL],
        (true, false) => INTEGERS,
        (false, _) => SCALARS,
    }
}

fn fractions(parameter: &Parameter) -> &'static [(i64, i64)] {
    if parameter.small {
        SMALL_FRACTIONS
    } else {
        FRACTIONS
    }
}

/// Points for the parameters of an instance: up to `count` points of the grid (all if it has no more), equally many
/// random ones, and some landmarks of the rule.
pub fn points(
    parameters: &[Parameter],
    count: usize,
    landmarks: &Landmarks,
    random: &mut Random,
) -> Vec<Point> {
    let size = parameters.iter().try_fold(1usize, |size, parameter| {
        size.checked_mul(grid(parameter).len())
    });
    let mut found = Vec::new();
    match size.filter(|&size| size <= count) {
        Some(size) => {
            for number in 0..size {
                let mut rest = number;
                found.push(point(parameters, true, |parameter| {
                    let values = grid(parameter);
                    let value = values[rest % values.len()];
                    rest /= values.len();
                    value
                }));
            }
        }
        None => {
            for _ in 0..count {
                found.push(point(parameters, true, |parameter| {
                    *random.pick(grid(parameter))
                }));
            }
        }
    }
    let integral: Vec<usize> = (0..parameters.len())
        .filter(|&number| parameters[number].integral)
        .collect();
    for number in 0..count {
        // Most leave the grid in one parameter alone: so guards fail one at a time.
        let alone = (number % 3 != 0 && !integral.is_empty()).then(|| *random.pick(&integral));
        let mut place = 0;
        found.push(point(parameters, false, |parameter| {
            place += 1;
            match alone {
                Some(chosen) if chosen + 1 != place => *random.pick(grid(parameter)),
                Some(_) => *random.pick(fractions(parameter)),
                None => sample(parameter, random),
            }
        }));
    }
    if !parameters.is_empty() {
        let small = &mut |parameter: &Parameter, random: &mut Random| {
            value_of(*random.pick(grid(parameter)))
        };
        for _ in 0..landmarks.count(count) {
            let (values, steps) = landmarks.point(parameters, random, small);
            let names = parameters.iter().map(|parameter| parameter.name.clone());
            found.push(Point {
                values: names.zip(values).collect(),
                degenerate: false,
                far: true,
                steps,
            });
        }
    }
    found
}

fn value_of((numerator, denominator): (i64, i64)) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn point(
    parameters: &[Parameter],
    degenerate: bool,
    mut value: impl FnMut(&Parameter) -> (i64, i64),
) -> Point {
    let values = parameters.iter().map(|parameter| {
        let value = value_of(value(parameter));
        (parameter.name.clone(), value)
    });
    Point {
        values: values.collect(),
        degenerate,
        far: false,
        steps: 0,
    }
}

fn sample(parameter: &Parameter, random: &mut Random) -> (i64, i64) {
    let list = match random.below(8) {
        0 if !parameter.small => LARGER,
        1 | 2 => fractions(parameter),
        3 | 4 if !parameter.integral => fractions(parameter),
        5 if !parameter.integral => SCALARS,
        _ if parameter.small => &INTEGERS[..SMALL],
        _ => INTEGERS,
    };
    *random.pick(list)
}
