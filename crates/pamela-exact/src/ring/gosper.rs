//! Gosper's algorithm: sums of hypergeometric terms that are hypergeometric terms themselves.
//!
//! After M. Petkovšek, H. S. Wilf, D. Zeilberger, *A = B*, chapter 5.

use super::rational::Rational;
use super::univariate::Univariate;

/// Solutions of a higher degree are not looked for.
const MAX_DEGREE: usize = 64;

/// A quotient of polynomials in lowest terms, with a monic denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RationalFunction {
    pub numerator: Univariate,
    pub denominator: Univariate,
}

impl RationalFunction {
    /// The quotient in lowest terms; `None` for the denominator 0.
    pub fn new(numerator: Univariate, denominator: Univariate) -> Option<RationalFunction> {
        let divisor = numerator.gcd(&denominator);
        let (numerator, denominator) = (
            numerator.divide_exact(&divisor)?,
            denominator.divide_exact(&divisor)?,
        );
        let inverse = denominator.leading().recip()?;
        Some(RationalFunction {
            numerator: numerator.scale(&inverse),
            denominator: denominator.monic(),
        })
    }

    pub fn times(&self, other: &RationalFunction) -> Option<RationalFunction> {
        RationalFunction::new(
            self.numerator.times(&other.numerator),
            self.denominator.times(&other.denominator),
        )
    }

    /// `f(x + 1)`
    pub fn next(&self) -> RationalFunction {
        RationalFunction {
            numerator: self.numerator.shift(&Rational::ONE),
            denominator: self.denominator.shift(&Rational::ONE),
        }
    }
}

/// The certificate `R` for which `T(n) = R(n) t(n)` has `T(n + 1) - T(n) = t(n)`, for the terms `t`
/// of which `ratio` is `t(n + 1) / t(n)`.
///
/// Returns `None` if there is no such rational function, or beyond the limits of [`Univariate::dispersion`] and of
/// the degree 64. The result is verified: `R(n + 1) ratio(n) - R(n) = 1`.
pub fn gosper(ratio: &RationalFunction) -> Option<RationalFunction> {
    let (a, b, c) = normal_form(ratio)?;
    let before = b.shift(&Rational::from(-1));
    let x = polynomial_solution(&a, &before, &c)?;
    let certificate = RationalFunction::new(before.times(&x), c)?;
    certifies(&certificate, ratio).then_some(certificate)
}

/// True if `R(n + 1) ratio(n) - R(n) = 1`.
fn certifies(certificate: &RationalFunction, ratio: &RationalFunction) -> bool {
    let next = certificate.next();
    let numerator = next.numerator.times(&ratio.numerator);
    let denominator = next.denominator.times(&ratio.denominator);
    let left = numerator
        .times(&certificate.denominator)
        .minus(&certificate.numerator.times(&denominator));
    left == denominator.times(&certificate.denominator)
}

/// `a`, `b`, `c` with `ratio(n) = a(n) / b(n) * c(n + 1) / c(n)`, and `a(n)`, `b(n + h)` without
/// common roots for all integers `h >= 0`.
fn normal_form(ratio: &RationalFunction) -> Option<(Univariate, Univariate, Univariate)> {
    let scale = ratio.numerator.leading();
    let (mut a, mut b) = (ratio.numerator.monic(), ratio.denominator.monic());
    let mut c = Univariate::one();
    for h in a.dispersion(&b)? {
        let common = a.gcd(&b.shift(&Rational::from(h)));
        a = a.divide_exact(&common)?;
        b = b.divide_exact(&common.shift(&Rational::from(-h)))?;
        for j in 1..=h {
            c = c.times(&common.shift(&Rational::from(-j)));
            if c.degree()? > MAX_DEGREE {
                return None;
            }
        }
    }
    Some((a.scale(&scale), b, c))
}

/// The polynomial `x` with `a(n) x(n + 1) - b(n) x(n) = c(n)`.
fn polynomial_solution(a: &Univariate, b: &Univariate, c: &Univariate) -> Option<Univariate> {
    let degree = degree_bound(a, b, c)?;
    let rows = a.degree()?.max(b.degree()?) + degree + 1;
    // Column j holds the coefficients of a(n) (n + 1)^j - b(n) n^j; the last one those of c.
    let mut columns: Vec<Univariate> = (0..=degree)
        .map(|j| {
            let mut power = vec![Rational::ZERO; j];
            power.push(Rational::ONE);
            let power = Univariate::new(power);
            let moved = power.shift(&Rational::ONE);
            a.times(&moved).minus(&b.times(&power))
        })
        .collect();
    columns.push(c.clone());
    let matrix: Vec<Vec<Rational>> = (0..rows)
        .map(|row| {
            columns
                .iter()
                .map(|column| column.coefficient(row))
                .collect()
        })
        .collect();
    if c.degree()? >= rows {
        return None;
    }
    solve(matrix).map(Univariate::new)
}

/// No solution has a higher degree.
fn degree_bound(a: &Univariate, b: &Univariate, c: &Univariate) -> Option<usize> {
    let (k, of_c) = (a.degree()?.max(b.degree()?), c.degree()?);
    let bound = if a.degree() != b.degree() || a.leading() != b.leading() {
        of_c.checked_sub(k)
    } else {
        // The highest terms cancel.
        let usual = (of_c + 1).checked_sub(k);
        let second = |p: &Univariate| match k {
            0 => Rational::ZERO,
            _ => p.coefficient(k - 1),
        };
        let special = (second(b) - second(a)).checked_div(&a.leading())?;
        let special = special.to_i64().and_then(|d| usize::try_from(d).ok());
        usual.max(special)
    };
    bound.filter(|&degree| degree <= MAX_DEGREE)
}

/// A solution of the linear equations whose right sides are the last column (Gauss and Jordan);
/// what they leave free is 0. `None` where they contradict each other.
fn solve(mut matrix: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let unknowns = matrix.first()?.len() - 1;
    let mut pivots = Vec::new();
    for column in 0..unknowns {
        let done = pivots.len();
        let Some(row) = (done..matrix.len()).find(|&row| !matrix[row][column].is_zero()) else {
            continue;
        };
        matrix.swap(done, row);
        let inverse = matrix[done][column].recip()?;
        let pivot: Vec<Rational> = matrix[done].iter().map(|entry| entry * &inverse).collect();
        for (other, entries) in matrix.iter_mut().enumerate() {
            let factor = entries[column].clone();
            if other != done && !factor.is_zero() {
                for (entry, own) in entries.iter_mut().zip(&pivot) {
                    *entry -= &factor * own;
                }
            }
        }
        matrix[done] = pivot;
        pivots.push(column);
    }
    if matrix[pivots.len()..]
        .iter()
        .any(|row| !row[unknowns].is_zero())
    {
        return None;
    }
    let mut solution = vec![Rational::ZERO; unknowns];
    for (row, &column) in pivots.iter().enumerate() {
        solution[column] = matrix[row][unknowns].clone();
    }
    Some(solution)
}
