//! Order statistics: cumulants of the largest, the smallest and the k-th of several independent
//! variables.

use super::{Cumulants, Distribution, Probability};

mod copies;
mod counts;
mod different;
mod mirrored;
#[cfg(test)]
mod tests;

pub use counts::at_least;
use mirrored::Mirrored;

/// Cumulants of the largest of `n` independent copies; `n >= 1` need not be whole.
///
/// # Errors
///
/// Fails if `n` is below 1 or not finite.
pub fn largest(law: &dyn Distribution, n: f64) -> Result<Cumulants, String> {
    kth(law, n, n)
}

/// Cumulants of the smallest of `n` independent copies; `n >= 1` need not be whole.
///
/// # Errors
///
/// Fails if `n` is below 1 or not finite.
pub fn smallest(law: &dyn Distribution, n: f64) -> Result<Cumulants, String> {
    kth(law, 1.0, n)
}

/// Cumulants of the `k`-th smallest of `n` independent copies, `1 <= k <= n`.
///
/// If `k` or `n` is not whole, the law is that of `Q(B)` for a `Beta(k, n - k + 1)` variable `B`.
///
/// # Errors
///
/// Fails if `k` or `n` is outside of its domain.
pub fn kth(law: &dyn Distribution, k: f64, n: f64) -> Result<Cumulants, String> {
    if !(n >= 1.0 && n.is_finite()) {
        return Err(format!(
            "the number of copies is {n}, but must be a number from 1"
        ));
    }
    if !(k >= 1.0 && k <= n) {
        return Err(format!(
            "the {k}-th of {n} copies does not exist: the order goes from 1 to {n}"
        ));
    }
    if n == 1.0 {
        return Ok(law.cumulants());
    }
    Ok(copies::cumulants(law, k, n))
}

/// Cumulants of the largest of different independent variables.
///
/// # Errors
///
/// Fails if there are no laws.
pub fn largest_of(laws: &[&dyn Distribution]) -> Result<Cumulants, String> {
    match laws {
        [] => Err("the largest or smallest of no variables is undefined".to_string()),
        [law] => Ok(law.cumulants()),
        _ => Ok(different::largest(laws)),
    }
}

/// Cumulants of the smallest of different independent variables.
///
/// # Errors
///
/// Fails if there are no laws.
pub fn smallest_of(laws: &[&dyn Distribution]) -> Result<Cumulants, String> {
    let mirrored: Vec<Mirrored> = laws.iter().map(|law| Mirrored(*law)).collect();
    let mirrored: Vec<&dyn Distribution> = mirrored.iter().map(|law| law as _).collect();
    Ok(largest_of(&mirrored)?.scaled(-1.0))
}

/// Cumulants of the `k`-th smallest of different independent variables.
///
/// # Errors
///
/// Fails if `k` is not between 1 and the number of variables.
pub fn kth_of(laws: &[&dyn Distribution], k: usize) -> Result<Cumulants, String> {
    let n = laws.len();
    match k {
        0 => Err(format!(
            "the 0-th of {n} variables does not exist: the order begins with 1"
        )),
        1 => smallest_of(laws),
        _ if k == n => largest_of(laws),
        _ if k > n => Err(format!("the {k}-th of {n} variables does not exist")),
        _ => Ok(different::kth(laws, k)),
    }
}

/// Cumulants of a discrete law, from its values in increasing order with the cdf after each.
fn of_steps(steps: impl Iterator<Item = (f64, Probability)>) -> Cumulants {
    let mut before = Probability::below(0.0);
    let mut masses = Vec::new();
    for (x, here) in steps {
        // The difference of the smaller tails keeps its digits.
        let mass = if here.below <= 0.5 {
            here.below - before.below
        } else {
            before.above - here.above
        };
        if mass > 0.0 {
            masses.push((x, mass));
        }
        before = here;
    }
    central(|c, r| masses.iter().map(|(x, p)| p * (x - c).powi(r)).sum())
}

/// Cumulants from `E[(X - c)^r]` for r = 1 to 4, with a `c` that is some standard deviations from the mean at most.
fn about(c: f64, [m1, m2, m3, m4]: [f64; 4]) -> Cumulants {
    Cumulants::from_raw_moments([m1, m2, m3, m4]).shifted(c)
}

/// Cumulants by two passes, from `moment(c, r) = E[(X - c)^r]`.
fn central(moment: impl Fn(f64, i32) -> f64) -> Cumulants {
    let mean = moment(0.0, 1);
    // The second pass removes the rounding errors of the first.
    let shift = moment(mean, 1);
    let variance = moment(mean, 2) - shift * shift;
    let third = moment(mean, 3) - 3.0 * shift * variance;
    let fourth = moment(mean, 4) - 4.0 * shift * third;
    Cumulants::from_central_moments(mean + shift, [variance, third, fourth])
}
