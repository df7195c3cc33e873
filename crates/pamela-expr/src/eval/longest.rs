//! Longest paths of graphs whose tasks take exact times.

use num_bigint::BigInt;
use num_integer::Integer;

use crate::ring::Rational;

/// The time at which the last task ends; 0 without tasks.
///
/// `order` lists each task after its predecessors.
pub fn longest_path<'b>(
    weights: &[Rational],
    order: &[u32],
    before: impl Fn(u32) -> &'b [u32],
) -> Rational {
    // Most times have few different denominators.
    if let Some((parts, unit)) = parts_of_a_unit(weights) {
        let sum = longest(order, before, 0, |begin, task| begin + parts[task]);
        return &Rational::from(BigInt::from(sum)) * &unit;
    }
    let add = |begin: &Rational, task: usize| begin + &weights[task];
    longest(order, before, Rational::ZERO, add)
}

/// Weights as whole multiples of a number that divides all of them, where the sums of any of them are small.
fn parts_of_a_unit(weights: &[Rational]) -> Option<(Vec<i128>, Rational)> {
    let mut denominator: i64 = 1;
    for weight in weights {
        let own = i64::try_from(&weight.denominator()).ok()?;
        if denominator % own != 0 {
            denominator = (denominator / denominator.gcd(&own)).checked_mul(own)?;
        }
    }
    let unit = Rational::new(1, denominator)?;
    let part = |weight: &Rational| {
        let parts = weight * &Rational::from(denominator);
        parts.to_i64().map(i128::from)
    };
    let parts = weights.iter().map(part);
    Some((parts.collect::<Option<Vec<i128>>>()?, unit))
}

/// The latest end of a task that no other waits for.
fn longest<'b, T: Clone + Ord>(
    order: &[u32],
    before: impl Fn(u32) -> &'b [u32],
    zero: T,
    end: impl Fn(&T, usize) -> T,
) -> T {
    let mut ends = vec![zero.clone(); order.len()];
    let mut is_last = vec![true; order.len()];
    for &task in order {
        let waits = before(task);
        waits.iter().for_each(|&u| is_last[u as usize] = false);
        let begin = waits.iter().map(|&u| &ends[u as usize]).max();
        let begin = begin.unwrap_or(&zero);
        ends[task as usize] = end(begin, task as usize);
    }
    let last = ends.into_iter().zip(is_last);
    let last = last.filter_map(|(end, is_last)| is_last.then_some(end));
    last.max().unwrap_or(zero)
}
