//! Exponentials of many numbers at once.

/// `e^x` for each number, to some units in the last place; 0 below -708, infinite above 709.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn exp_all(numbers: &mut [f64]) {
    for x in numbers {
        *x = exp(*x);
    }
}

/// Adding it to a number below 2^51 leaves no bits for a fraction.
const INTEGERS: f64 = 1.5 * (1_u64 << 52) as f64;

/// The logarithm of 2 with trailing zeros, and the remainder.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// `1 / k!` from `k = 13` down to 2.
const TERMS: [f64; 12] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
];

/// A power of 2 times the series of the remainder: no branch, so vectors of numbers use it.
#[inline(always)]
fn exp(x: f64) -> f64 {
    let rounded = x * std::f64::consts::LOG2_E + INTEGERS;
    let n = rounded - INTEGERS;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    let mut series = TERMS[0];
    for term in &TERMS[1..] {
        series = series * r + term;
    }
    // The last bits of the rounded number are those of the whole number.
    let power = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    let e = (1.0 + (r + r * r * series)) * power;
    match x {
        x if x < -708.0 => 0.0,
        x if x > 709.0 => f64::INFINITY,
        _ => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_those_of_single_numbers() {
        let mut numbers: Vec<f64> = (-70_799..70_900).map(|i| 0.01 * f64::from(i)).collect();
        numbers.extend([0.0, -0.0, 1e-300, -1e-17, 0.346_573, -0.346_574]);
        let expected: Vec<f64> = numbers.iter().map(|x| x.exp()).collect();
        exp_all(&mut numbers);
        for (found, expected) in numbers.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn beyond_the_range_they_are_0_or_infinite_and_no_number_stays_none() {
        let mut numbers = [
            f64::NEG_INFINITY,
            -1e300,
            -709.0,
            710.0,
            1e300,
            f64::INFINITY,
            f64::NAN,
        ];
        exp_all(&mut numbers);
        assert_eq!(numbers[..3], [0.0; 3]);
        assert_eq!(numbers[3..6], [f64::INFINITY; 3]);
        assert!(numbers[6].is_nan());
    }
}
