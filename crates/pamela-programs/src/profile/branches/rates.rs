//! Variances of counts in windows of trials, and of alternating runs.

use super::{CHANCE, FEW};
use crate::profile::record::Site;

/// The width of windows, their number, and v.
pub type Curve = Vec<(f64, f64, f64)>;

pub fn curve(site: &Site, p: f64) -> Curve {
    let windows = site.windows.iter().enumerate();
    windows
        .map(|(k, [number, sum, squares])| {
            let (m, n) = ((1_u64 << k) as f64, *number as f64);
            let total = *squares as f64 - 2.0 * m * p * *sum as f64 + n * (m * p) * (m * p);
            (m, n, total.max(0.0) / (n * m))
        })
        .filter(|(_, n, _)| *n >= FEW)
        .collect()
}

/// True if v equals that of independent trials at all widths, up to chance.
pub fn is_flat(curve: &Curve, p: f64) -> bool {
    let q = 1.0 - p;
    curve.iter().all(|(m, n, v)| {
        let kurtosis = 3.0 + (1.0 - 6.0 * p * q) / (m * p * q);
        (v / (p * q) - 1.0).abs() <= CHANCE * ((kurtosis - 1.0).max(0.0) / n).sqrt() + 1e-9
    })
}

/// True if v comes to this value, within 10 % and chance, over the last three octaves.
pub fn is_level(curve: &Curve, rate: f64) -> bool {
    let last = &curve[curve.len().saturating_sub(3)..];
    last.len() == 3
        && last
            .iter()
            .all(|(_, n, v)| (v / rate - 1.0).abs() <= 0.1 + CHANCE * (2.0 / n).sqrt())
}

/// The share, and the second to fourth cumulants of the taken trials, per trial: the series of theta(s), where
/// `E exp(s U - theta(s) (U + D)) = 1`.
pub fn rates(site: &Site) -> Option<[f64; 4]> {
    let (first, sums) = site.cycles.split_first()?;
    let n = *first as f64;
    if n < FEW || sums.len() < 14 {
        return None;
    }
    // E(U^a D^b), of which the sums of each degree stand in the order of b.
    let e = |a: usize, b: usize| {
        let degree = a + b;
        let start = (1..degree).map(|d| d + 1).sum::<usize>();
        if degree == 0 {
            1.0
        } else {
            sums[start + b] as f64 / n
        }
    };
    let p = e(1, 0) / (e(1, 0) + e(0, 1));
    let q = 1.0 - p;
    // X = U - p (U + D) = q U - p D, C = U + D: E(X^r C^s) by the binomial theorem.
    let mixed = |r: usize, s: usize| {
        let mut total = 0.0;
        for i in 0..=r {
            for j in 0..=s {
                let factor =
                    binomial(r, i) * binomial(s, j) * q.powi((r - i) as i32) * (-p).powi(i as i32);
                total += factor * e(r - i + s - j, i + j);
            }
        }
        total
    };
    let cycle = e(1, 0) + e(0, 1);
    let k2 = mixed(2, 0) / cycle;
    let k3 = (mixed(3, 0) - 3.0 * k2 * mixed(1, 1)) / cycle;
    let k4 = (mixed(4, 0) - 6.0 * k2 * mixed(2, 1) + 3.0 * k2 * k2 * mixed(0, 2)
        - 4.0 * k3 * mixed(1, 1))
        / cycle;
    (k2 > 0.0).then_some([p, k2, k3, k4])
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}
