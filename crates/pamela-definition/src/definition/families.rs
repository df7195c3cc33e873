//! Cumulants and draws of the predefined laws.

use num_rational::BigRational;
use rand::RngExt;
use rand_distr::{self as random, Distribution};
use rand_pcg::Pcg64;

use super::fraction::Fraction;
use num_traits::{FromPrimitive, Num};

use super::cumulants::Cumulants;
use super::laws::{Law, LawName};
use super::number::{Fault, Number};
use crate::real::Real;
use crate::special;

/// The cumulants of a law, exact where they are rational functions of exact arguments.
///
/// # Errors
/// Fails if a cumulant is not finite.
pub(super) fn cumulants_of(law: &Law) -> Result<Cumulants, Fault> {
    if let Some(value) = law.constant() {
        return Ok(Cumulants::constant(value?));
    }
    if let (LawName::Moments, [mean, variance, skewness, kurtosis]) =
        (law.family, law.arguments.as_slice())
    {
        let excess = kurtosis.subtract(&Number::from(3))?;
        return Ok(Cumulants {
            mean: mean.clone(),
            variance: variance.clone(),
            third: skewness.multiply(&variance.multiply(&variance.sqrt()?)?)?,
            fourth: excess.multiply(&variance.multiply(variance)?)?,
        });
    }
    if let (LawName::Pareto, [shape, scale]) = (law.family, law.arguments.as_slice()) {
        return pareto(shape, scale);
    }
    let exact: Option<Vec<BigRational>> = law
        .arguments
        .iter()
        .map(|a| a.as_exact().map(Fraction::to_big))
        .collect();
    if let Some(cumulants) = exact.and_then(|arguments| rational(law.family, &arguments)) {
        return Ok(Cumulants::new(cumulants.map(Number::from)));
    }
    let arguments: Vec<f64> = law.arguments.iter().map(Number::to_f64).collect();
    let cumulants =
        rational(law.family, &arguments).or_else(|| transcendental(law.family, &arguments));
    match cumulants {
        Some(cumulants) if cumulants.iter().all(|c| c.is_finite()) => Ok(Cumulants::new(
            cumulants.map(|x| Number::Real(Real::rounded(x))),
        )),
        _ => Err("the cumulants of this law are not finite numbers".to_owned()),
    }
}

/// Cumulants of the laws for which they are rational functions of the arguments.
fn rational<T: Num + Clone + FromPrimitive>(family: LawName, arguments: &[T]) -> Option<[T; 4]> {
    let n = |k: i32| T::from_i32(k).unwrap_or_else(T::zero);
    let power = |x: &T, k: usize| num_traits::pow(x.clone(), k);
    // `shape` stages of mean `scale` each.
    let gamma = |shape: T, scale: &T| {
        [
            shape.clone() * scale.clone(),
            shape.clone() * power(scale, 2),
            n(2) * shape.clone() * power(scale, 3),
            n(6) * shape * power(scale, 4),
        ]
    };
    let bernoulli = |p: &T| {
        let spread = p.clone() * (T::one() - p.clone());
        [
            p.clone(),
            spread.clone(),
            spread.clone() * (T::one() - n(2) * p.clone()),
            spread.clone() * (T::one() - n(6) * spread),
        ]
    };
    Some(match (family, arguments) {
        (LawName::Exponential, [mean]) => gamma(T::one(), mean),
        (LawName::Erlang, [stages, mean]) => {
            gamma(stages.clone(), &(mean.clone() / stages.clone()))
        }
        (LawName::Gamma, [shape, scale]) => gamma(shape.clone(), scale),
        (LawName::Normal, [mean, deviation]) => {
            [mean.clone(), power(deviation, 2), T::zero(), T::zero()]
        }
        (LawName::Uniform, [lower, upper]) => {
            let width = upper.clone() - lower.clone();
            [
                (lower.clone() + upper.clone()) / n(2),
                power(&width, 2) / n(12),
                T::zero(),
                T::zero() - power(&width, 4) / n(120),
            ]
        }
        (LawName::Bernoulli, [p]) => bernoulli(p),
        (LawName::Binomial, [trials, p]) => bernoulli(p).map(|c| trials.clone() * c),
        (LawName::Poisson, [mean]) => [(); 4].map(|()| mean.clone()),
        (LawName::Geometric, [p]) => {
            let q = T::one() - p.clone();
            [
                T::one() / p.clone(),
                q.clone() / power(p, 2),
                q.clone() * (T::one() + q.clone()) / power(p, 3),
                q.clone() * (T::one() + n(4) * q.clone() + power(&q, 2)) / power(p, 4),
            ]
        }
        (LawName::Beta, [a, b]) => beta(a, b),
        _ => return None,
    })
}

/// From the order of the shape on, what is missing.
fn pareto(shape: &Number, scale: &Number) -> Result<Cumulants, Fault> {
    let n = |k: i64| Number::from(k);
    let exists = |order: i64| Ok::<bool, Fault>(shape.compare(&n(order))?.is_gt());
    // E[X^r] = s / (s - r) of the scale 1.
    let raw = |order: i64| shape.divide(&shape.subtract(&n(order))?);
    let mut cumulants = [(); 4].map(|()| Cumulants::missing());
    let product = |factors: &[&Number]| {
        let mut factors = factors.iter();
        factors.try_fold(Number::one(), |product, factor| product.multiply(factor))
    };
    if exists(1)? {
        cumulants[0] = raw(1)?;
    }
    if exists(2)? {
        let m = &raw(1)?;
        cumulants[1] = raw(2)?.subtract(&product(&[m, m])?)?;
    }
    if exists(3)? {
        let (m, m2) = (&raw(1)?, &raw(2)?);
        let rest = product(&[
            m,
            &product(&[&n(2), m, m])?.subtract(&product(&[&n(3), m2])?)?,
        ])?;
        cumulants[2] = raw(3)?.add(&rest)?;
    }
    if exists(4)? {
        let (m, m2, m3) = (&raw(1)?, &raw(2)?, &raw(3)?);
        let terms = [
            product(&[&n(-4), m, m3])?,
            product(&[&n(-3), m2, m2])?,
            product(&[&n(12), m, m, m2])?,
            product(&[&n(-6), m, m, m, m])?,
        ];
        let sum = terms.iter().try_fold(raw(4)?, |sum, term| sum.add(term));
        cumulants[3] = sum?;
    }
    Cumulants::new(cumulants).scaled(scale)
}

fn beta<T: Num + Clone + FromPrimitive>(a: &T, b: &T) -> [T; 4] {
    let n = |k: i32| T::from_i32(k).unwrap_or_else(T::zero);
    let s = a.clone() + b.clone();
    let ab = a.clone() * b.clone();
    let difference = b.clone() - a.clone();
    let variance = ab.clone() / (s.clone() * s.clone() * (s.clone() + n(1)));
    // Kur - 3 = 6 ((a-b)^2 (s+1) - ab (s+2)) / (ab (s+2) (s+3))
    let excess = n(6)
        * (difference.clone() * difference.clone() * (s.clone() + n(1))
            - ab.clone() * (s.clone() + n(2)))
        / (ab * (s.clone() + n(2)) * (s.clone() + n(3)));
    [
        a.clone() / s.clone(),
        variance.clone(),
        n(2) * variance.clone() * difference / (s.clone() * (s + n(2))),
        excess * variance.clone() * variance,
    ]
}

/// Cumulants of the other laws, from their raw moments.
fn transcendental(family: LawName, arguments: &[f64]) -> Option<[f64; 4]> {
    match (family, arguments) {
        (LawName::Weibull, &[shape, scale]) => {
            let raw = [1.0, 2.0, 3.0, 4.0]
                .map(|r: f64| scale.powf(r) * special::ln_gamma(1.0 + r / shape).exp());
            Some(from_raw(raw))
        }
        (LawName::Rayleigh, &[scale]) => {
            let mean = scale * (std::f64::consts::PI / 2.0).sqrt();
            let square = scale * scale;
            Some(from_raw([
                mean,
                2.0 * square,
                3.0 * square * mean,
                8.0 * square * square,
            ]))
        }
        (LawName::Lognormal, &[mu, sigma]) => {
            // With w = exp(sigma^2), exact differences of powers of which expm1 keeps digits.
            let s2 = sigma * sigma;
            let (w, v) = (s2.exp(), s2.exp_m1());
            let mean = (mu + s2 / 2.0).exp();
            let variance = v * mean * mean;
            let excess = w.powi(4) + 2.0 * w.powi(3) + 3.0 * w.powi(2) - 6.0;
            Some([
                mean,
                variance,
                (w + 2.0) * v * v * mean.powi(3),
                excess * variance * variance,
            ])
        }
        _ => None,
    }
}

fn from_raw([m1, m2, m3, m4]: [f64; 4]) -> [f64; 4] {
    let variance = m2 - m1 * m1;
    let third = m3 - 3.0 * m1 * m2 + 2.0 * m1.powi(3);
    let central = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1.powi(4);
    [m1, variance, third, central - 3.0 * variance * variance]
}

/// A draw of a law.
///
/// # Errors
/// Fails for a law given by moments, and for one whose draws leave the range of doubles.
pub(super) fn sample(
    family: LawName,
    arguments: &[f64],
    generator: &mut Pcg64,
) -> Result<f64, Fault> {
    let value = match (family, arguments) {
        (LawName::Exponential, &[mean]) => random::Exp1.map(|x: f64| mean * x).sample(generator),
        (LawName::Normal, &[mean, deviation]) => random::StandardNormal
            .map(|x: f64| mean + deviation * x)
            .sample(generator),
        (LawName::Uniform, &[lower, upper]) => lower + (upper - lower) * generator.random::<f64>(),
        (LawName::Erlang, &[stages, mean]) => {
            checked(random::Gamma::new(stages, mean / stages))?.sample(generator)
        }
        (LawName::Gamma, &[shape, scale]) => {
            checked(random::Gamma::new(shape, scale))?.sample(generator)
        }
        (LawName::Weibull, &[shape, scale]) => {
            checked(random::Weibull::new(scale, shape))?.sample(generator)
        }
        (LawName::Lognormal, &[mu, sigma]) => {
            checked(random::LogNormal::new(mu, sigma))?.sample(generator)
        }
        (LawName::Bernoulli, &[p]) => f64::from(u8::from(generator.random::<f64>() < p)),
        (LawName::Binomial, &[n, p]) => {
            checked(random::Binomial::new(n as u64, p))?.sample(generator) as f64
        }
        (LawName::Poisson, &[mean]) => checked(random::Poisson::new(mean))?.sample(generator),
        // Trials, where the library counts the failures before the success.
        (LawName::Geometric, &[p]) => {
            1.0 + checked(random::Geometric::new(p))?.sample(generator) as f64
        }
        // 1 less a number below 1 is above 0.
        (LawName::Pareto, &[shape, scale]) => {
            scale * (1.0 - generator.random::<f64>()).powf(-1.0 / shape)
        }
        (LawName::Rayleigh, &[scale]) => {
            scale * (-2.0 * (1.0 - generator.random::<f64>()).ln()).sqrt()
        }
        (LawName::Beta, &[a, b]) => checked(random::Beta::new(a, b))?.sample(generator),
        _ => {
            return Err(
                "a law given by moments has no draws, only its cumulants are known".to_owned(),
            );
        }
    };
    Ok(value)
}

fn checked<T>(law: Result<T, impl std::fmt::Display>) -> Result<T, Fault> {
    law.map_err(|error| format!("this law cannot be simulated: {error}"))
}
