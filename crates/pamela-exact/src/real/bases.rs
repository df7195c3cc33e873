//! Integers as products of powers of smaller ones, so that equal roots and logarithms have equal
//! forms.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// All smaller primes are found.
const TRIED: u32 = 4096;

/// Of longer integers, only the smallest prime factors are found.
const MAX_BITS: u64 = 8_192;

/// Primes below this are found in integers of any length.
const ALWAYS_TRIED: u32 = 32;

/// Factors `n > 0` into bases above 1 with their powers: primes as far as they are found.
///
/// The remaining factor without small primes is one base: the least number that it is a power of.
pub(super) fn split(n: &BigUint) -> BTreeMap<BigUint, u64> {
    let mut bases = BTreeMap::new();
    let twos = n.trailing_zeros().unwrap_or(0);
    if twos > 0 {
        bases.insert(BigUint::from(2u32), twos);
    }
    let mut rest = n >> twos;
    let short = rest.bits() <= MAX_BITS;
    rest = by_trial(rest, if short { TRIED } else { ALWAYS_TRIED }, &mut bases);
    if !rest.is_one() {
        let (base, power) = if rest.bits() <= MAX_BITS {
            least_root(rest)
        } else {
            (rest, 1)
        };
        *bases.entry(base).or_insert(0) += power;
    }
    bases
}

/// Bases of a positive rational with their powers, those of the denominator negative.
pub(super) fn factors(value: &BigRational) -> Vec<(BigUint, BigInt)> {
    let above = split(value.numer().magnitude()).into_iter();
    let below = split(value.denom().magnitude()).into_iter();
    let above = above.map(|(base, power)| (base, BigInt::from(power)));
    above
        .chain(below.map(|(base, power)| (base, -BigInt::from(power))))
        .collect()
}

/// The least base that a positive rational is a power of, above 1 unless that is 1, with the power.
pub(super) fn perfect_power(value: &BigRational) -> (BigRational, BigInt) {
    let factors = factors(value);
    let mut power = factors
        .iter()
        .fold(BigInt::zero(), |gcd, (_, power)| gcd.gcd(power));
    if power.is_zero() {
        return (value.clone(), BigInt::one());
    }
    if value < &BigRational::one() {
        power = -power;
    }
    let mut base = BigRational::one();
    for (factor, own) in factors {
        // The base is a root of the value, so that this is small.
        let own = (own / &power).to_i32().unwrap_or(0);
        base *= BigRational::from_integer(factor.into()).pow(own);
    }
    (base, power)
}

fn by_trial(mut rest: BigUint, below: u32, bases: &mut BTreeMap<BigUint, u64>) -> BigUint {
    if let Some(small) = rest.to_u64() {
        return by_trial_of_word(small, bases).into();
    }
    for prime in odd_candidates().take_while(|prime| *prime < below) {
        let mut power = 0;
        // Many factors at once, while there are many.
        let times = u32::MAX.ilog(prime);
        for (divisor, times) in [(prime.pow(times), times), (prime, 1)] {
            while (&rest % divisor).is_zero() {
                rest /= divisor;
                power += u64::from(times);
            }
        }
        if power > 0 {
            bases.insert(prime.into(), power);
        }
        if let Some(small) = rest.to_u64() {
            return by_trial_of_word(small, bases).into();
        }
    }
    rest
}

fn by_trial_of_word(mut rest: u64, bases: &mut BTreeMap<BigUint, u64>) -> u64 {
    for prime in odd_candidates().map(u64::from) {
        if prime * prime > rest {
            break;
        }
        let mut power = 0;
        while rest.is_multiple_of(prime) {
            rest /= prime;
            power += 1;
        }
        if power > 0 {
            *bases.entry(prime.into()).or_insert(0) += power;
        }
    }
    rest
}

/// The odd numbers: those that are not prime divide nothing that their factors have left.
fn odd_candidates() -> impl Iterator<Item = u32> {
    (3..TRIED).step_by(2)
}

/// `n = base^power` with the greatest power; `n` has no small factor.
fn least_root(n: BigUint) -> (BigUint, u64) {
    let (mut base, mut power) = (n, 1);
    // A base that has no factor below the bound has at least its length.
    let smallest = u64::from(TRIED.ilog2());
    let mut order = 2u32;
    while u64::from(order) * smallest <= base.bits() {
        let root = base.nth_root(order);
        if root.pow(order) == base {
            (base, power) = (root, power * u64::from(order));
        } else {
            order += 1;
        }
    }
    (base, power)
}

/// True if `base` may have a factor in common with another one.
pub(super) fn may_split(base: &BigUint) -> bool {
    base.bits() > 2 * u64::from(TRIED.ilog2())
}
