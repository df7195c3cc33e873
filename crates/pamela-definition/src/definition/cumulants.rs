//! Exact cumulants of distributions with finitely many values, and of predefined laws.

use num_rational::BigRational;

use super::fraction::Fraction;
use num_traits::{FromPrimitive, Num};

use super::number::{Fault, Number};
use crate::law::Sampled;
use crate::real::Real;

/// Mean, variance, third and fourth cumulant of a random variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Cumulants {
    pub mean: Number,
    pub variance: Number,
    pub third: Number,
    pub fourth: Number,
}

impl Cumulants {
    pub(super) fn new([mean, variance, third, fourth]: [Number; 4]) -> Cumulants {
        Cumulants {
            mean,
            variance,
            third,
            fourth,
        }
    }

    pub(super) fn of_samples(samples: &Sampled) -> Cumulants {
        Cumulants::new(samples.cumulants().clone().map(Number::from))
    }

    /// Stands for a cumulant that does not exist.
    pub(super) fn missing() -> Number {
        Number::Real(Real::double(f64::INFINITY))
    }

    /// True if a moment of this name does not exist.
    pub(super) fn misses(&self, operator: &str) -> bool {
        let all = [&self.mean, &self.variance, &self.third, &self.fourth];
        let order = match operator {
            "E" => 1,
            "Var" => 2,
            "Skw" | "K3" => 3,
            _ => 4,
        };
        !all[..order].iter().all(|x| is_finite(x))
    }

    /// `K3 / Var^1.5`; 0 for a constant.
    ///
    /// # Errors
    /// Fails if a number is too long or too large.
    pub fn skewness(&self) -> Result<Number, String> {
        if self.third.is_zero() {
            return Ok(Number::zero());
        }
        self.third
            .divide(&self.variance.multiply(&self.variance.sqrt()?)?)
    }

    /// `3 + K4 / Var^2`; 3 for a constant.
    ///
    /// # Errors
    /// Fails if a number is too long or too large.
    pub fn kurtosis(&self) -> Result<Number, String> {
        let normal = Number::from(3);
        if self.variance.is_zero() {
            return Ok(normal);
        }
        let square = self.variance.multiply(&self.variance)?;
        normal.add(&self.fourth.divide(&square)?)
    }

    /// Cumulants of the sum of independent variables.
    pub(super) fn plus(&self, other: &Cumulants) -> Result<Cumulants, Fault> {
        Ok(Cumulants {
            mean: existing(&self.mean, &other.mean, Number::add)?,
            variance: existing(&self.variance, &other.variance, Number::add)?,
            third: existing(&self.third, &other.third, Number::add)?,
            fourth: existing(&self.fourth, &other.fourth, Number::add)?,
        })
    }

    /// Cumulants of `factor * X`.
    pub(super) fn scaled(&self, factor: &Number) -> Result<Cumulants, Fault> {
        let power = |k: i64| factor.power(&Number::from(k));
        Ok(Cumulants {
            mean: existing(&self.mean, factor, Number::multiply)?,
            variance: existing(&self.variance, &power(2)?, Number::multiply)?,
            third: existing(&self.third, &power(3)?, Number::multiply)?,
            fourth: existing(&self.fourth, &power(4)?, Number::multiply)?,
        })
    }

    /// Cumulants of a share, or of the sum of `n` independent copies.
    pub(super) fn repeated(&self, n: &Number) -> Result<Cumulants, Fault> {
        Ok(Cumulants {
            mean: existing(&self.mean, n, Number::multiply)?,
            variance: existing(&self.variance, n, Number::multiply)?,
            third: existing(&self.third, n, Number::multiply)?,
            fourth: existing(&self.fourth, n, Number::multiply)?,
        })
    }

    /// Cumulants of the sum of a random number of independent copies: `E[exp(sS)] = E[exp(sX)]^N`, expanded to the
    /// fourth order.
    pub(super) fn of_copies(number: &Cumulants, copy: &Cumulants) -> Result<Cumulants, Fault> {
        let (m, k2, k3) = (&copy.mean, &copy.variance, &copy.third);
        let (n1, n2, n3, n4) = (
            &number.mean,
            &number.variance,
            &number.third,
            &number.fourth,
        );
        let shares = copy.repeated(n1)?;
        Ok(Cumulants {
            mean: shares.mean.clone(),
            variance: shares.variance.add(&term(1, &[n2, m, m])?)?,
            third: shares
                .third
                .add(&term(3, &[n2, m, k2])?)?
                .add(&term(1, &[n3, m, m, m])?)?,
            fourth: shares
                .fourth
                .add(&term(4, &[n2, m, k3])?)?
                .add(&term(3, &[n2, k2, k2])?)?
                .add(&term(6, &[n3, m, m, k2])?)?
                .add(&term(1, &[n4, m, m, m, m])?)?,
        })
    }

    /// Cumulants of the product of independent variables: their raw moments multiply.
    pub(super) fn times(&self, other: &Cumulants) -> Result<Cumulants, Fault> {
        let ([a1, a2, a3, a4], [b1, b2, b3, b4]) = (self.raw_moments()?, other.raw_moments()?);
        Cumulants::of_raw_moments(&[
            a1.multiply(&b1)?,
            a2.multiply(&b2)?,
            a3.multiply(&b3)?,
            a4.multiply(&b4)?,
        ])
    }

    /// From `E[X], E[X^2], E[X^3], E[X^4]`.
    pub(super) fn of_raw_moments([m1, m2, m3, m4]: &[Number; 4]) -> Result<Cumulants, Fault> {
        Ok(Cumulants {
            mean: m1.clone(),
            variance: m2.add(&term(-1, &[m1, m1])?)?,
            third: m3
                .add(&term(-3, &[m1, m2])?)?
                .add(&term(2, &[m1, m1, m1])?)?,
            fourth: m4
                .add(&term(-4, &[m1, m3])?)?
                .add(&term(-3, &[m2, m2])?)?
                .add(&term(12, &[m1, m1, m2])?)?
                .add(&term(-6, &[m1, m1, m1, m1])?)?,
        })
    }

    /// Like [`Cumulants::of_raw_moments`], if only the first moments exist.
    pub(super) fn of_raw_moments_that_exist(moments: &[Number; 4]) -> Result<Cumulants, Fault> {
        let present = moments.iter().take_while(|moment| is_finite(moment));
        let present = present.count();
        let mut filled = moments.clone();
        for moment in &mut filled[present..] {
            *moment = Number::zero();
        }
        let all = Cumulants::of_raw_moments(&filled)?;
        let mut cumulants = [all.mean, all.variance, all.third, all.fourth];
        for missing in &mut cumulants[present..] {
            *missing = Cumulants::missing();
        }
        Ok(Cumulants::new(cumulants))
    }

    /// `E[X], E[X^2], E[X^3], E[X^4]`.
    pub(super) fn raw_moments(&self) -> Result<[Number; 4], Fault> {
        let (m, k2, k3, k4) = (&self.mean, &self.variance, &self.third, &self.fourth);
        Ok([
            m.clone(),
            k2.add(&term(1, &[m, m])?)?,
            k3.add(&term(3, &[m, k2])?)?.add(&term(1, &[m, m, m])?)?,
            k4.add(&term(4, &[m, k3])?)?
                .add(&term(3, &[k2, k2])?)?
                .add(&term(6, &[m, m, k2])?)?
                .add(&term(1, &[m, m, m, m])?)?,
        ])
    }

    /// Cumulants of a choice between `a` and `b` by a condition with cumulants `p` (`errata`, *Conditional
    /// composition*).
    pub(super) fn product_form(
        p: &Cumulants,
        a: &Cumulants,
        b: &Cumulants,
    ) -> Result<Cumulants, Fault> {
        let shares = a
            .repeated(&p.mean)?
            .plus(&b.repeated(&p.mean.complement()?)?)?;
        let d = a.plus(&b.repeated(&Number::from(-1))?)?;
        let (d1, d2, d3) = (&d.mean, &d.variance, &d.third);
        Ok(Cumulants {
            mean: shares.mean.clone(),
            variance: shares.variance.add(&term(1, &[&p.variance, d1, d1])?)?,
            third: shares
                .third
                .add(&term(3, &[&p.variance, d1, d2])?)?
                .add(&term(1, &[&p.third, d1, d1, d1])?)?,
            fourth: shares
                .fourth
                .add(&term(4, &[&p.variance, d1, d3])?)?
                .add(&term(3, &[&p.variance, d2, d2])?)?
                .add(&term(6, &[&p.third, d1, d1, d2])?)?
                .add(&term(1, &[&p.fourth, d1, d1, d1, d1])?)?,
        })
    }

    /// Cumulants of a mixture: one of independent copies is chosen with its probability.
    pub(super) fn mixture(parts: &[(Number, Cumulants)]) -> Cumulants {
        let numbers = |part: &(Number, Cumulants)| {
            let (weight, c) = part;
            [weight, &c.mean, &c.variance, &c.third, &c.fourth].map(Number::clone)
        };
        let rows: Vec<[Number; 5]> = parts.iter().map(numbers).collect();
        let exact: Option<Vec<[BigRational; 5]>> = rows.iter().map(all_exact).collect();
        match exact {
            Some(rows) => Cumulants::new(of_mixture(&rows).map(Number::from)),
            None => {
                let rows: Vec<[f64; 5]> = rows
                    .iter()
                    .map(|row| row.each_ref().map(Number::to_f64))
                    .collect();
                Cumulants::new(of_mixture(&rows).map(rounded))
            }
        }
    }

    /// Cumulants of the residual at a random time: `E(R^r) = E(X^(r+1))/((r+1)*E(X))`. The fourth needs a fifth moment, which
    /// is known of constants alone.
    pub(super) fn residual(&self) -> Result<Cumulants, Fault> {
        let [m1, m2, m3, m4] = self.raw_moments()?;
        if m1.is_zero() {
            return Ok(Cumulants::constant(m1));
        }
        let share =
            |moment: &Number, order: i64| moment.divide(&m1.multiply(&Number::from(order + 1))?);
        let fourth = if self.variance.is_zero() {
            term(1, &[&m4])?.divide(&Number::from(5))?
        } else {
            Cumulants::missing()
        };
        let moments = [share(&m2, 1)?, share(&m3, 2)?, share(&m4, 3)?, fourth];
        Cumulants::of_raw_moments_that_exist(&moments)
    }

    /// Cumulants of a constant.
    pub(super) fn constant(value: Number) -> Cumulants {
        Cumulants {
            mean: value,
            variance: Number::zero(),
            third: Number::zero(),
            fourth: Number::zero(),
        }
    }
}

/// A result of floating-point arithmetic, with an error in its last digits.
fn rounded(value: f64) -> Number {
    Number::Real(Real::rounded(value))
}

/// Applies an operation to two numbers if both exist.
fn existing(
    a: &Number,
    b: &Number,
    of: fn(&Number, &Number) -> Result<Number, Fault>,
) -> Result<Number, Fault> {
    if [a, b].iter().all(|x| is_finite(x)) {
        of(a, b)
    } else {
        Ok(Cumulants::missing())
    }
}

fn is_finite(x: &Number) -> bool {
    !matches!(x, Number::Real(x) if !x.value.is_finite())
}

fn all_exact(row: &[Number; 5]) -> Option<[BigRational; 5]> {
    let exact: Option<Vec<BigRational>> = row
        .iter()
        .map(|x| x.as_exact().map(Fraction::to_big))
        .collect();
    exact?.try_into().ok()
}

/// Cumulants of a mixture, from rows of a weight and four cumulants.
fn of_mixture<T: Num + Clone + FromPrimitive>(rows: &[[T; 5]]) -> [T; 4] {
    let n = |k: i32| T::from_i32(k).unwrap_or_else(T::zero);
    let mean = rows
        .iter()
        .fold(T::zero(), |sum, [w, m, ..]| sum + w.clone() * m.clone());
    let [mut second, mut third, mut fourth] = [T::zero(), T::zero(), T::zero()];
    for [w, m, k2, k3, k4] in rows {
        // Central moments about the mean of the whole.
        let d = m.clone() - mean.clone();
        let d2 = d.clone() * d.clone();
        let m2 = k2.clone() + d2.clone();
        let m3 = k3.clone() + n(3) * d.clone() * k2.clone() + d2.clone() * d.clone();
        let m4 = k4.clone()
            + n(3) * k2.clone() * k2.clone()
            + n(4) * d * k3.clone()
            + n(6) * d2.clone() * k2.clone()
            + d2.clone() * d2;
        second = second + w.clone() * m2;
        third = third + w.clone() * m3;
        fourth = fourth + w.clone() * m4;
    }
    let fourth = fourth - n(3) * second.clone() * second.clone();
    [mean, second, third, fourth]
}

/// `k` times the product of the factors.
fn term(k: i64, factors: &[&Number]) -> Result<Number, Fault> {
    factors
        .iter()
        .try_fold(Number::from(k), |product, factor| product.multiply(factor))
}
