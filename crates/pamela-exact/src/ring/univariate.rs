//! Polynomials in one variable with rational coefficients: division and rational roots.

use super::modular::{PRIME, residue_of};
use super::rational::Rational;

/// Roots are looked for among numerators of at most this size.
const MAX_ROOT: i64 = 10_000;

/// Coefficients from that of `x^0` up; the last one is not 0, and the zero polynomial has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Univariate(Vec<Rational>);

impl Univariate {
    /// The polynomial with these coefficients, from that of `x^0` up.
    pub fn new(mut coefficients: Vec<Rational>) -> Univariate {
        while coefficients.last().is_some_and(Rational::is_zero) {
            coefficients.pop();
        }
        Univariate(coefficients)
    }

    pub fn zero() -> Univariate {
        Univariate(Vec::new())
    }

    pub fn one() -> Univariate {
        Univariate::constant(Rational::ONE)
    }

    pub fn constant(value: Rational) -> Univariate {
        Univariate::new(vec![value])
    }

    /// `slope * x + offset`
    pub fn linear(slope: Rational, offset: Rational) -> Univariate {
        Univariate::new(vec![offset, slope])
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        self.0.len().checked_sub(1)
    }

    /// Coefficients from that of `x^0` up.
    pub fn coefficients(&self) -> &[Rational] {
        &self.0
    }

    /// The coefficient of `x^power`.
    pub fn coefficient(&self, power: usize) -> Rational {
        self.0.get(power).cloned().unwrap_or_default()
    }

    /// The coefficient of the highest power; 0 for the zero polynomial.
    pub fn leading(&self) -> Rational {
        self.0.last().cloned().unwrap_or_default()
    }

    pub fn plus(&self, other: &Univariate) -> Univariate {
        let length = self.0.len().max(other.0.len());
        let sum = |power| self.coefficient(power) + other.coefficient(power);
        Univariate::new((0..length).map(sum).collect())
    }

    pub fn minus(&self, other: &Univariate) -> Univariate {
        self.plus(&other.scale(&Rational::from(-1)))
    }

    pub fn scale(&self, factor: &Rational) -> Univariate {
        Univariate::new(self.0.iter().map(|own| own * factor).collect())
    }

    pub fn times(&self, other: &Univariate) -> Univariate {
        let mut product = vec![Rational::ZERO; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Univariate::new(product)
    }

    pub fn pow(&self, exponent: u32) -> Univariate {
        (0..exponent).fold(Univariate::one(), |power, _| power.times(self))
    }

    /// Quotient and remainder, of a lower degree than the divisor; `None` for a zero divisor.
    pub fn divide(&self, divisor: &Univariate) -> Option<(Univariate, Univariate)> {
        let degree = divisor.degree()?;
        let inverse = divisor.leading().recip()?;
        let mut remainder = self.0.clone();
        let mut quotient = vec![Rational::ZERO; remainder.len().saturating_sub(degree)];
        for power in (0..quotient.len()).rev() {
            let factor = &remainder[power + degree] * &inverse;
            for (offset, coefficient) in divisor.0.iter().enumerate() {
                remainder[power + offset] -= &factor * coefficient;
            }
            quotient[power] = factor;
        }
        Some((Univariate::new(quotient), Univariate::new(remainder)))
    }

    /// `self / divisor` where the remainder is 0.
    pub fn divide_exact(&self, divisor: &Univariate) -> Option<Univariate> {
        let (quotient, remainder) = self.divide(divisor)?;
        remainder.is_zero().then_some(quotient)
    }

    /// The polynomial divided by its leading coefficient; the zero polynomial stays.
    pub fn monic(&self) -> Univariate {
        match self.leading().recip() {
            Some(inverse) => self.scale(&inverse),
            None => self.clone(),
        }
    }

    /// `p(x + distance)` (Horner).
    pub fn shift(&self, distance: &Rational) -> Univariate {
        let moved = Univariate::linear(Rational::ONE, distance.clone());
        let step = |sum: Univariate, coefficient: &Rational| {
            let constant = Univariate::constant(coefficient.clone());
            sum.times(&moved).plus(&constant)
        };
        self.0.iter().rev().fold(Univariate::zero(), step)
    }

    /// The value at a number.
    pub fn evaluate(&self, x: &Rational) -> Rational {
        let step = |sum: Rational, coefficient: &Rational| sum * x + coefficient;
        self.0.iter().rev().fold(Rational::ZERO, step)
    }

    /// The rational roots with their multiplicities, ascending; those whose numerator, over the
    /// common denominator of the coefficients' leading one, is above 10,000 are not found. Empty
    /// for the zero polynomial.
    pub fn rational_roots(&self) -> Vec<(Rational, u32)> {
        let Some(scale) = self.integral_scale() else {
            return Vec::new();
        };
        // With y = scale * x the polynomial is monic with integer coefficients.
        let mut roots = Vec::new();
        let mut rest = self.monic();
        for y in self.integer_candidates(&scale) {
            let Some(root) = Rational::from(y).checked_div(&scale) else {
                continue;
            };
            let factor = Univariate::linear(Rational::ONE, -&root);
            let mut multiplicity = 0;
            while let Some(quotient) = rest.divide_exact(&factor) {
                (rest, multiplicity) = (quotient, multiplicity + 1);
            }
            if multiplicity > 0 {
                roots.push((root, multiplicity));
            }
        }
        roots
    }

    /// An integer whose product with every rational root is an integer: the leading coefficient
    /// over the integers. `None` for a constant.
    fn integral_scale(&self) -> Option<Rational> {
        self.degree().filter(|&degree| degree > 0)?;
        let content = Rational::common_measure(self.0.iter());
        Some(self.leading().checked_div(&content)?.abs())
    }

    /// The integers `y`, within the limit, for which `y / scale` is a root modulo a prime.
    fn integer_candidates(&self, scale: &Rational) -> Vec<i64> {
        let leading = self.leading();
        let relative = |c: &Rational| c.checked_div(&leading).unwrap_or_default().abs();
        let largest = self.0.iter().map(relative).max().unwrap_or_default();
        // Cauchy's bound of all roots.
        let bound = (largest + Rational::ONE) * scale;
        let bound = bound.floor().to_i64().unwrap_or(MAX_ROOT).min(MAX_ROOT);
        let residues: Option<Vec<u64>> = self.0.iter().map(residue_of).collect();
        let inverse = scale.recip().as_ref().and_then(residue_of);
        let (Some(residues), Some(inverse)) = (residues, inverse) else {
            return (-bound..=bound).collect();
        };
        let vanishes = |&y: &i64| {
            let x = u128::from(y.rem_euclid(PRIME as i64) as u64) * u128::from(inverse);
            let x = x % u128::from(PRIME);
            let step = |sum: u128, &c: &u64| (sum * x + u128::from(c)) % u128::from(PRIME);
            residues.iter().rev().fold(0, step) == 0
        };
        (-bound..=bound).filter(vanishes).collect()
    }

    /// The polynomial of the lowest degree through points of different abscissas (Newton).
    pub fn through(points: &[(Rational, Rational)]) -> Univariate {
        let mut sum = Univariate::zero();
        let mut basis = Univariate::one();
        for (x, y) in points {
            let missing = y - sum.evaluate(x);
            let slope = missing.checked_div(&basis.evaluate(x)).unwrap_or_default();
            sum = sum.plus(&basis.scale(&slope));
            basis = basis.times(&Univariate::linear(Rational::ONE, -x));
        }
        sum
    }
}
