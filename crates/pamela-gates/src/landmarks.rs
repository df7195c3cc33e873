//! Points at which a rule may be wrong beyond small numbers: constants in the rule and their neighbours, their
//! multiples, and large numbers.

use std::cell::Cell;

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::syntax::rewrite::map_operands;
use crate::syntax::tree::{Expr, ExprKind, Guard, Rule};

use super::instance::Parameter;
use super::random::Random;
use super::variables::Variables;

/// Numbers that no rule has to mention, prime or beside a power of 2: what holds of small numbers may end before them.
const FAR: &[i64] = &[
    17,
    101,
    1_009,
    65_537,
    1_000_003,
    (1 << 31) + 11,
    1_000_000_000_039,
];
/// Large numbers for values that take one step for each whole number up to them.
const NOT_SO_FAR: &[i64] = &[12, 17, 30];
/// Offsets from a landmark.
const BESIDE: &[i64] = &[0, 0, 0, 1, 1, -1, -1, 2, -2, 3];
/// The grid has what is as small as this.
const SMALL: i64 = 3;
/// One point in this many is a landmark, for rules that mention a large number and for others.
const SHARE: usize = 2;
const SHARE_OF_PLAIN: usize = 12;
/// Number of steps for each index of a range up to a landmark.
const STEPS_OF_AN_INDEX: u64 = 16;
/// Number of points of a rule with the longest ranges.
const LONG_RANGES: usize = 8;
const LONG: i64 = 1_000;
const LONGEST: i64 = 2_000_000;

/// The functions whose values have as many digits as their operands are large.
const LONG_VALUES: &[&str] = &["fact", "binom", "H", "exp", "lgamma", "gcd"];

/// The landmarks of one rule.
pub struct Landmarks {
    /// Landmarks of the rule that the grid lacks.
    own: Vec<BigRational>,
    /// True if whole numbers are how often something is done.
    counts: bool,
    /// It speaks of laws, which are enumerated.
    laws: bool,
    long_ranges: Cell<usize>,
}

impl Landmarks {
    pub fn of(rule: &Rule, variables: &Variables) -> Landmarks {
        let mut found = Landmarks {
            own: Vec::new(),
            counts: !variables.indices.is_empty(),
            laws: variables.speak_of_laws(),
            long_ranges: Cell::new(LONG_RANGES),
        };
        let kept = rule.kept.iter().flat_map(|kept| &kept.guards);
        let guards = rule.when.iter().chain(&rule.assume).chain(kept);
        let guards = guards.filter_map(|guard| match guard {
            Guard::Holds(expr) => Some(expr),
            Guard::NotIn(..) => None,
        });
        let sides = [&rule.left, &rule.right].into_iter().chain(&rule.examples);
        let lets = rule.lets.iter().map(|own| &own.value);
        for expr in sides.chain(lets).chain(guards) {
            found.visit(expr);
        }
        found.own.sort();
        found.own.dedup();
        found
    }

    fn visit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(number) => {
                let number = BigRational::from(number);
                if number.abs() > whole(SMALL) || !number.is_integer() {
                    self.own.push(number.abs());
                }
            }
            ExprKind::Call(name, _) => self.counts |= LONG_VALUES.contains(&name.text.as_str()),
            ExprKind::Power(_, exponent) => {
                self.counts |= !matches!(exponent.kind, ExprKind::Number(_));
            }
            _ => {}
        }
        map_operands(expr, &mut |operand| {
            self.visit(operand);
            operand.clone()
        });
    }

    /// Number of landmark points added to `count` others.
    pub fn count(&self, count: usize) -> usize {
        let large = self.own.iter().any(|number| *number > whole(2 * SMALL));
        match (large, self.laws) {
            (true, _) => count.div_ceil(SHARE),
            (false, true) => 0,
            (false, false) => count.div_ceil(SHARE_OF_PLAIN),
        }
    }

    /// Values for the parameters of an instance, and the number of extra evaluation steps that they need. `small` has
    /// values of the grid.
    pub fn point(
        &self,
        parameters: &[Parameter],
        random: &mut Random,
        small: &mut dyn FnMut(&Parameter, &mut Random) -> BigRational,
    ) -> (Vec<BigRational>, u64) {
        let base = self.landmark(true, random);
        let alone = random.below(parameters.len());
        let way = random.below(4);
        let mut steps = 0;
        let mut values: Vec<BigRational> = Vec::new();
        for (place, parameter) in parameters.iter().enumerate() {
            let counts = parameter.integral && self.counts || parameter.small;
            let value = match way {
                // One at a landmark, and the others where they are easily told apart.
                0 | 1 if place != alone => small(parameter, random),
                0 | 1 if counts => match self.long_range(&base) {
                    Some(more) => {
                        steps = more;
                        self.beside(&base, parameter, random)
                    }
                    None => self.not_so_far(parameter, random),
                },
                // Ranges between what is near to each other are short.
                _ if counts => self.beside(&base, parameter, random),
                0 | 1 => self.far(&base, parameter, random),
                // In a relation to one before it.
                2 if random.chance(1, 2) && !values.is_empty() => {
                    let before = random.pick(&values).clone();
                    let landmark = self.landmark(false, random);
                    let value = match random.below(4) {
                        0 => before + landmark,
                        1 => before - landmark,
                        2 => before * landmark,
                        _ => before,
                    };
                    self.beside(&value, parameter, random)
                }
                _ => {
                    let landmark = self.landmark(false, random);
                    self.far(&landmark, parameter, random)
                }
            };
            values.push(value);
        }
        (values, steps)
    }

    /// A number of the rule's own, or a far one; one that all of a point are `near` is not as far where it counts something.
    fn landmark(&self, near: bool, random: &mut Random) -> BigRational {
        let own = !self.own.is_empty() && (self.laws || random.chance(3, 4));
        if own {
            random.pick(&self.own).clone()
        } else if near && self.counts {
            whole(*random.pick(NOT_SO_FAR))
        } else {
            whole(*random.pick(FAR))
        }
    }

    /// At a multiple, a part, the inverse or the negative of a landmark, or beside one of them.
    fn far(
        &self,
        landmark: &BigRational,
        parameter: &Parameter,
        random: &mut Random,
    ) -> BigRational {
        let value = match random.below(12) {
            0 => landmark * whole(2),
            1 => landmark * whole(3 + random.below(7) as i64),
            2 => landmark * whole(1 + random.below(1_000_000) as i64),
            3 => landmark * self.landmark(false, random),
            4 => -landmark,
            5 if !parameter.integral && !landmark.is_zero() => return landmark.recip(),
            5 | 6 => landmark / whole(2 + random.below(2) as i64),
            _ => landmark.clone(),
        };
        self.beside(&value, parameter, random)
    }

    fn beside(
        &self,
        value: &BigRational,
        parameter: &Parameter,
        random: &mut Random,
    ) -> BigRational {
        let beside = *random.pick(BESIDE);
        match random.below(8) {
            0 => value + BigRational::new(beside.into(), (2 + random.below(2) as i64).into()),
            1 | 2 if !parameter.integral => value + whole(beside),
            _ => value.round() + whole(beside),
        }
    }

    fn not_so_far(&self, parameter: &Parameter, random: &mut Random) -> BigRational {
        if self.laws {
            whole(random.below(SMALL as usize) as i64)
        } else {
            self.beside(&whole(*random.pick(NOT_SO_FAR)), parameter, random)
        }
    }

    /// The steps that ranges up to a landmark take: few points have long ones.
    fn long_range(&self, landmark: &BigRational) -> Option<u64> {
        let length = landmark.to_integer().to_i64().filter(|&n| n <= LONGEST)?;
        if length > LONG {
            let left = self.long_ranges.get().checked_sub(1)?;
            self.long_ranges.set(left);
        }
        Some(STEPS_OF_AN_INDEX * length.unsigned_abs())
    }
}

fn whole(number: i64) -> BigRational {
    BigRational::from_integer(number.into())
}
