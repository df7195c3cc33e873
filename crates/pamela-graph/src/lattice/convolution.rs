//! Convolutions: directly where one of the two is short, else by Fourier's transform.

use std::cell::RefCell;
use std::sync::Arc;

use rustfft::num_complex::Complex64;
use rustfft::{Fft, FftPlanner};

/// Products of lengths up to which the direct way is the faster.
const DIRECT: usize = 40_000;

/// `sum over i + j = k of a[i] * b[j]`; nothing is below 0.
pub fn convolved(a: &[f64], b: &[f64]) -> Vec<f64> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return Vec::new();
    }
    match long.len() * short.len() <= DIRECT {
        true => directly(long, short),
        false => by_transform(long, short),
    }
}

fn directly(long: &[f64], short: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; long.len() + short.len() - 1];
    for (place, &factor) in short.iter().enumerate() {
        let into = &mut sums[place..place + long.len()];
        into.iter_mut()
            .zip(long)
            .for_each(|(sum, x)| *sum += factor * x);
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

/// Both are transformed at once, as real and imaginary part.
fn by_transform(a: &[f64], b: &[f64]) -> Vec<f64> {
    let count = a.len() + b.len() - 1;
    let length = count.next_power_of_two();
    let (forward, inverse) = plans(length);
    let mut both = vec![Complex64::ZERO; length];
    both.iter_mut().zip(a).for_each(|(z, x)| z.re = *x);
    both.iter_mut().zip(b).for_each(|(z, x)| z.im = *x);
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
    products[..count]
        .iter()
        .map(|z| f64::max(z.re * scale, 0.0))
        .collect()
}
