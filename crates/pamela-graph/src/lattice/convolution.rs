//! Convolutions: directly where one of the two is short, else by Fourier's transform.
//!
//! Rounding errors of the transform are relative to the largest mass. If small probabilities of large values must
//! keep their digits, since maxima of many tasks make them likely, both laws are first tilted by `e^(tilt k)`.

use std::cell::RefCell;
use std::sync::Arc;

use rustfft::num_complex::Complex64;
use rustfft::{Fft, FftPlanner};

/// Products of lengths up to which the direct way is the faster.
const DIRECT: usize = 250_000;

/// Masses that keep all their digits.
#[derive(Clone, Copy, Debug)]
pub enum Digits {
    /// Masses that are not much smaller than the largest.
    Likely,
    /// Masses of large values down to about 1e-25.
    Great,
    /// All masses, however small: no transform is used.
    All,
}

/// `sum over i + j = k of a[i] * b[j]`; all values are nonnegative.
pub fn convolved(a: &[f64], b: &[f64], digits: Digits) -> Vec<f64> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return Vec::new();
    }
    let is_short = long.len() * short.len() <= DIRECT;
    match digits {
        Digits::Likely | Digits::Great if !is_short => by_transform(long, short, digits),
        _ => directly(long, short),
    }
}

/// Values of the shorter operand that are combined at once, which saves most reading and writing of sums.
const AT_ONCE: usize = 4;

#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn directly(long: &[f64], short: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; long.len() + short.len() - 1];
    let (blocks, rest) = short.as_chunks::<AT_ONCE>();
    for (block, factors) in blocks.iter().enumerate() {
        let place = block * AT_ONCE;
        let inner = long.len().saturating_sub(AT_ONCE - 1);
        // Sums in which all of these values take part; then the sums at both ends.
        let into = &mut sums[place + AT_ONCE - 1..][..inner];
        for (sum, x) in into.iter_mut().zip(long.windows(AT_ONCE)) {
            *sum += factors[0] * x[3] + factors[1] * x[2] + factors[2] * x[1] + factors[3] * x[0];
        }
        for (shift, factor) in factors.iter().enumerate() {
            let first = AT_ONCE - 1 - shift;
            let ends = (0..first.min(long.len()))
                .chain((long.len() - shift.min(long.len())).max(first)..long.len());
            ends.for_each(|k| sums[place + shift + k] += factor * long[k]);
        }
    }
    let place = short.len() - rest.len();
    for (place, &factor) in (place..).zip(rest) {
        let into = &mut sums[place..place + long.len()];
        let pairs = into.iter_mut().zip(long);
        pairs.for_each(|(sum, x)| *sum += factor * x);
    }
    sums
}

/// Transforms of one length.
struct Plans {
    length: usize,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

thread_local! {
    static PLANS: RefCell<Vec<Plans>> = const { RefCell::new(Vec::new()) };
}

fn plans(length: usize) -> (Arc<dyn Fft<f64>>, Arc<dyn Fft<f64>>) {
    PLANS.with_borrow_mut(|plans| {
        if let Some(known) = plans.iter().find(|plan| plan.length == length) {
            return (known.forward.clone(), known.inverse.clone());
        }
        let mut planner = FftPlanner::new();
        let (forward, inverse) = (
            planner.plan_fft_forward(length),
            planner.plan_fft_inverse(length),
        );
        plans.push(Plans {
            length,
            forward: forward.clone(),
            inverse: inverse.clone(),
        });
        (forward, inverse)
    })
}

/// The logarithm of the factor by which what is rounded of the least values may rise.
const FALL: f64 = 14.0;

/// Maximum ratio of tilted masses to the largest mass.
const RISE: f64 = 10.0;

/// The position of the largest mass, and the greatest tilt at which no other mass rises above it by more than a
/// factor.
fn tilt(mass: &[f64]) -> (usize, f64) {
    const CHUNK: usize = 8;
    let largest = |masses: &[f64]| masses.iter().copied().fold(0.0, f64::max);
    let most = largest(mass);
    let mode = mass.iter().position(|&mass| mass == most).unwrap_or(0);
    let mut least = f64::INFINITY;
    for (chunk, masses) in mass[mode + 1..].chunks(CHUNK).enumerate() {
        let here = largest(masses);
        if here > 0.0 {
            least = least.min((RISE * most / here).ln() / ((chunk + 1) * CHUNK) as f64);
        }
    }
    (mode, least)
}

/// `e^(tilt (k - mode))`, by products.
fn powers(tilt: f64, mode: usize, count: usize) -> impl Iterator<Item = f64> {
    let base = tilt.exp();
    let mut power = (-tilt * mode as f64).exp();
    (0..count).map(move |_| {
        let here = power;
        power *= base;
        here
    })
}

/// Both are transformed at once, as real and imaginary part.
fn by_transform(a: &[f64], b: &[f64], digits: Digits) -> Vec<f64> {
    let count = a.len() + b.len() - 1;
    let length = count.next_power_of_two();
    let (forward, inverse) = plans(length);
    let ((mode_a, of_a), (mode_b, of_b)) = (tilt(a), tilt(b));
    let tilt = match digits {
        Digits::Likely | Digits::All => 0.0,
        // Probabilities of about e^-600 are lost, and rounding errors of the least values must not grow too much.
        Digits::Great => {
            let most = f64::min(600.0 / count as f64, FALL / (mode_a + mode_b).max(1) as f64);
            of_a.min(of_b).min(most)
        }
    };
    let mut both = vec![Complex64::ZERO; length];
    let tilted = |mass: &[f64], mode: usize| -> Vec<f64> {
        mass.iter()
            .zip(powers(tilt, mode, mass.len()))
            .map(|(x, power)| x * power)
            .collect()
    };
    both.iter_mut()
        .zip(tilted(a, mode_a))
        .for_each(|(z, x)| z.re = x);
    both.iter_mut()
        .zip(tilted(b, mode_b))
        .for_each(|(z, x)| z.im = x);
    forward.process(&mut both);
    let product = |k: usize| {
        let (here, there) = (both[k], both[(length - k) % length].conj());
        // (here + there) / 2 is of a, (here - there) / 2i of b.
        let difference = here * here - there * there;
        Complex64::new(difference.im, -difference.re) * 0.25
    };
    let mut products: Vec<Complex64> = (0..length).map(product).collect();
    inverse.process(&mut products);
    let scale = 1.0 / length as f64;
    let fall = powers(-tilt, mode_a + mode_b, count);
    let sums = products
        .iter()
        .zip(fall)
        .map(|(z, fall)| z.re * scale * fall);
    sums.map(|sum| sum.max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways are the sums of their definition.
    #[test]
    fn both_ways_give_the_sums_of_products() {
        let law = |count: usize, seed: u64| -> Vec<f64> {
            let value = |k: usize| ((k as u64 + 1) * seed % 97) as f64 / 97.0;
            (0..count).map(value).collect()
        };
        for (a, b) in [
            (1, 1),
            (2, 5),
            (3, 3),
            (4, 2),
            (7, 4),
            (9, 8),
            (50, 6),
            (64, 63),
            (200, 11),
        ] {
            let (a, b) = (law(a, 31), law(b, 57));
            let (long, short) = if a.len() >= b.len() {
                (&a, &b)
            } else {
                (&b, &a)
            };
            let found = [
                directly(long, short),
                by_transform(long, short, Digits::Likely),
            ];
            for k in 0..a.len() + b.len() - 1 {
                let pairs = (0..=k).filter(|&i| i < a.len() && k - i < b.len());
                let exact: f64 = pairs.map(|i| a[i] * b[k - i]).sum();
                for sums in &found {
                    assert!(
                        (sums[k] - exact).abs() < 1e-12 * exact.max(1.0),
                        "{} {} {k}",
                        a.len(),
                        b.len()
                    );
                }
            }
        }
    }
}
