//! Sums of powers of an index and of a floored quotient, by Euclid's algorithm.
//!
//! With `f(i) = floor((a*i + b) / m)`, whole quotients of a and b by m are taken out of f, which
//! leaves it below the index. Then `f(i)^q` is `1^q - 0^q + 2^q - 1^q + ..` up to f(i), and f
//! reaches k from the index `floor((m*k + m - b - 1) / a) + 1` on. This is a sum of the same kind
//! over k, with a and m exchanged.

use num_bigint::BigInt;
use num_integer::{Integer, binomial};
use num_traits::{One, Zero};

use super::rational::Rational;

/// Limit on the sum of the powers of the index and of the quotient.
const MOST_POWERS: usize = 6;
/// Longer numbers take too many steps.
const LONGEST: u64 = 1_000;
/// All denominators of sums of powers up to [`MOST_POWERS`] divide this.
const DENOMINATOR: i64 = 420;

/// `sums[p][q]` is that of `i^p * f(i)^q`.
type Sums = Vec<Vec<BigInt>>;

/// One step of Euclid's algorithm.
struct Step {
    /// Number of indices, from 0.
    count: BigInt,
    /// Whole quotients of a and b by m.
    slope: BigInt,
    offset: BigInt,
    /// The remaining quotient at the last index.
    last: BigInt,
}

impl Rational {
    /// The sum of `i^p * floor((a*i + b) / m)^q` for `i = 0, .., n - 1`, of `[n, m, a, b, p, q]`.
    ///
    /// All must be whole, n, p and q at least 0, m at least 1. Returns `None` for others, for very
    /// long ones, and if p and q add up to more than 6.
    pub fn floor_sum(operands: [&Rational; 6]) -> Option<Rational> {
        let short = |x: &&Rational| x.is_integer() && x.bits() <= LONGEST;
        if !operands.iter().all(short) {
            return None;
        }
        let [n, m, a, b, p, q] = operands;
        let power = |x: &Rational| usize::try_from(x.to_i64()?).ok();
        let (p, q) = (power(p)?, power(q)?);
        if n.is_negative() || !m.is_positive() || p.checked_add(q)? > MOST_POWERS {
            return None;
        }
        let whole = [n, m, a, b].map(Rational::numerator);
        Some(Rational::from(sum(whole, p, q)))
    }
}

fn sum(numbers: [BigInt; 4], p: usize, q: usize) -> BigInt {
    let steps = steps(numbers);
    let powers = power_sums(p + q);
    let none: Sums = vec![vec![BigInt::zero(); p + q + 1]; p + q + 1];
    let all = steps
        .iter()
        .rev()
        .fold(none, |inner, step| step.sums(&inner, &powers));
    all[p][q].clone()
}

fn steps([mut count, mut m, mut a, mut b]: [BigInt; 4]) -> Vec<Step> {
    let mut steps = Vec::new();
    while !count.is_zero() {
        let (slope, a_left) = a.div_mod_floor(&m);
        let (offset, b_left) = b.div_mod_floor(&m);
        let furthest: BigInt = &a_left * (&count - 1) + &b_left;
        let last = furthest.div_floor(&m);
        let next_b = &m - b_left + &a_left - 1;
        steps.push(Step {
            count,
            slope,
            offset,
            last: last.clone(),
        });
        (count, a, b) = (last, m, next_b);
        m = a_left;
    }
    steps
}

/// The coefficients of `1^p + .. + (n-1)^p` in n, [`DENOMINATOR`] times, for each p up to the most: by
/// `n^(p+1) = sum (k = 0, p) binom(p+1, k) * (1^k + .. + (n-1)^k)`.
fn power_sums(most: usize) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = Vec::new();
    for p in 0..=most {
        let mut own = vec![0; p + 2];
        own[p + 1] = DENOMINATOR;
        for (k, lower) in found.iter().enumerate() {
            for (exponent, coefficient) in lower.iter().enumerate() {
                own[exponent] -= binomial(p as i64 + 1, k as i64) * coefficient;
            }
        }
        own.iter_mut().for_each(|c| *c /= p as i64 + 1);
        found.push(own);
    }
    found
}

impl Step {
    /// The sums of all powers, by those over the values k of the quotient that is left: there k is the index.
    fn sums(&self, inner: &Sums, powers: &[Vec<i64>]) -> Sums {
        let left = self.left(inner, powers);
        let most = powers.len() - 1;
        let slopes = powers_of(&self.slope, most);
        let offsets = powers_of(&self.offset, most);
        let mut sums = vec![vec![BigInt::zero(); most + 1]; most + 1];
        for (p, of_power) in sums.iter_mut().enumerate() {
            for (q, sum) in of_power.iter_mut().enumerate().take(most - p + 1) {
                for of_index in 0..=q {
                    let parts = left[p + of_index].iter().enumerate();
                    for (of_left, part) in parts.take(q - of_index + 1) {
                        let of_offset = q - of_index - of_left;
                        let ways = binomial(q, of_index) * binomial(q - of_index, of_left);
                        *sum += part * &slopes[of_index] * &offsets[of_offset] * ways;
                    }
                }
            }
        }
        sums
    }

    /// The same sums for the remaining quotient.
    fn left(&self, inner: &Sums, powers: &[Vec<i64>]) -> Sums {
        let most = powers.len() - 1;
        let counts = powers_of(&self.count, most + 1);
        let lasts = powers_of(&self.last, most);
        let mut left = vec![vec![BigInt::zero(); most + 1]; most + 1];
        for p in 0..=most {
            let all: BigInt = powers[p].iter().zip(&counts).map(|(c, n)| n * c).sum();
            left[p][0] = &all / DENOMINATOR;
            for q in 1..=most - p {
                let mut sum = &all * &lasts[q];
                for (below, of_level) in inner.iter().enumerate().take(q) {
                    let ways = binomial(q, below);
                    for (exponent, coefficient) in powers[p].iter().enumerate().skip(1) {
                        sum -= &of_level[exponent] * *coefficient * ways;
                    }
                }
                left[p][q] = sum / DENOMINATOR;
            }
        }
        left
    }
}

/// The powers 0, 1, .. up to `most`.
fn powers_of(base: &BigInt, most: usize) -> Vec<BigInt> {
    let next = |power: &BigInt| Some(power * base);
    std::iter::successors(Some(BigInt::one()), next)
        .take(most + 1)
        .collect()
}
