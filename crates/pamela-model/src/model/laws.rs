//! Predefined laws: names, domains of arguments, and outcomes if these are few.

use super::fraction::Fraction;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use pamela_law::Argument;
pub use pamela_law::{Domain, LawName};

use super::number::{Fault, Number};

/// The largest `n` of a `binomial(n, p)` whose outcomes are listed.
const MAX_TRIALS: u64 = 1000;
/// And its longest probabilities, in bits: a thousand of them take some seconds.
const MAX_BITS: u64 = 1 << 14;

/// A predefined law with arguments in their domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    pub family: LawName,
    pub arguments: Vec<Number>,
}

/// An argument, or a pair of arguments, outside of the domain.
pub struct Misuse {
    /// Index of the argument.
    pub argument: usize,
    pub message: Fault,
}

/// True if a number is in a domain.
fn holds(domain: Domain, x: &Number) -> bool {
    let sign = x.order(&Number::zero());
    match domain {
        Domain::Any => true,
        Domain::Positive => sign.is_gt(),
        Domain::NotNegative => sign.is_ge(),
        Domain::Probability => sign.is_ge() && x.order(&Number::one()).is_le(),
        Domain::Chance => sign.is_gt() && x.order(&Number::one()).is_le(),
        Domain::Count => sign.is_ge() && x.is_integer() == Ok(true),
        Domain::Stages => sign.is_gt() && x.is_integer() == Ok(true),
    }
}

/// The domains of the arguments of the law `name`, in order; empty for other names.
pub fn domains(name: &str) -> impl Iterator<Item = Domain> {
    let arguments = LawName::find(name).map_or([].as_slice(), |law| law.row().arguments);
    arguments.iter().map(|argument| argument.domain)
}

/// Finds an argument of the law `name` outside of its domain: its index and the reason.
///
/// Unknown arguments are accepted.
pub fn misuse(name: &str, arguments: &[Option<Fraction>]) -> Option<(usize, String)> {
    if let ("truncated", [_, Some(lower), Some(upper)]) = (name, arguments) {
        let message = || format!("the bounds of `truncated` are reversed: {lower} to {upper}");
        return (upper < lower).then(|| (2, message()));
    }
    let known: Vec<Option<Number>> = arguments.iter().map(|a| Some(a.clone()?.into())).collect();
    let family = LawName::find(name)?;
    let formals = family.row().arguments;
    let mut each = known.iter().zip(formals).enumerate();
    let found = each.find_map(|(position, (x, own))| outside(name, position, x.as_ref()?, own));
    // Moments that were measured may be those of no law, by little; what asks for a law of them says so.
    let together = || {
        if family == LawName::Moments {
            return None;
        }
        let arguments: Option<Vec<Number>> = known.iter().cloned().collect();
        let law = Law {
            family,
            arguments: arguments.filter(|all| all.len() == formals.len())?,
        };
        law.together().err()
    };
    let misuse = found.or_else(together)?;
    Some((misuse.argument, misuse.message))
}

fn outside(name: &str, position: usize, x: &Number, own: &Argument) -> Option<Misuse> {
    (!holds(own.domain, x)).then(|| Misuse {
        argument: position,
        message: format!(
            "{} of `{name}` is {x}, expected {}",
            own.says,
            own.domain.words()
        ),
    })
}

impl Law {
    /// The law `name(arguments)`; `None` for unknown names or another number of arguments.
    pub fn new(name: &str, arguments: Vec<Number>) -> Option<Result<Law, Misuse>> {
        let family = LawName::find(name)?;
        let formals = family.row().arguments;
        if formals.len() != arguments.len() {
            return None;
        }
        for (position, (x, own)) in arguments.iter().zip(formals).enumerate() {
            if let Some(misuse) = outside(name, position, x, own) {
                return Some(Err(misuse));
            }
        }
        let law = Law { family, arguments };
        Some(law.together().map(|()| law))
    }

    /// Checks arguments against each other.
    fn together(&self) -> Result<(), Misuse> {
        match (self.family, self.arguments.as_slice()) {
            (LawName::Uniform, [lower, upper]) if lower.order(upper).is_gt() => Err(Misuse {
                argument: 1,
                message: format!("the upper end of `uniform` is {upper}, below the lower, {lower}"),
            }),
            // With a little room, since both may be rounded: a Bernoulli law lies on the bound.
            (LawName::Moments, [_, variance, skewness, kurtosis])
                if !variance.is_zero()
                    && kurtosis.to_f64() < (1.0 + skewness.to_f64().powi(2)) * (1.0 - 1e-9) =>
            {
                Err(Misuse {
                    argument: 3,
                    message: format!(
                        "no law has skewness {skewness} and kurtosis {kurtosis}: \
                         the kurtosis is at least 1 more than the square of the skewness"
                    ),
                })
            }
            _ => Ok(()),
        }
    }

    /// The value, if the law is constant.
    pub fn constant(&self) -> Option<Result<Number, Fault>> {
        match (self.family, self.arguments.as_slice()) {
            (LawName::Deterministic, [value]) => Some(Ok(value.clone())),
            (LawName::Moments, [value, spread, ..]) | (LawName::Normal, [value, spread])
                if spread.is_zero() =>
            {
                Some(Ok(value.clone()))
            }
            (LawName::Uniform, [lower, upper]) if lower == upper => Some(Ok(lower.clone())),
            (LawName::Lognormal, [mu, sigma]) if sigma.is_zero() => Some(mu.exp()),
            (LawName::Poisson, [mean]) if mean.is_zero() => Some(Ok(Number::zero())),
            (LawName::Geometric, [p]) if p.is_one() => Some(Ok(Number::one())),
            _ => None,
        }
    }

    /// Every value with its probability, if they are few.
    ///
    /// # Errors
    /// Fails if there are too many values, or if a probability is only known approximately.
    pub fn outcomes(&self) -> Result<Vec<(Number, Fraction)>, Fault> {
        if let Some(value) = self.constant() {
            return Ok(vec![(value?, Fraction::one())]);
        }
        match (self.family, self.arguments.as_slice()) {
            (LawName::Bernoulli, [p]) => binomial(1, exact(p)?),
            (LawName::Binomial, [n, p]) => match n.as_exact().and_then(Fraction::to_u64) {
                Some(n) if n <= MAX_TRIALS => binomial(n, exact(p)?),
                _ => Err(format!(
                    "a `binomial` law of more than {MAX_TRIALS} trials has too many values"
                )),
            },
            (LawName::Moments, _) => {
                Err("only the cumulants of a law given by moments are known".to_owned())
            }
            _ => Err("a law with infinitely many values".to_owned()),
        }
    }
}

/// Requires an exact probability.
pub fn exact(p: &Number) -> Result<&Fraction, Fault> {
    p.as_exact()
        .ok_or_else(|| format!("the probability {p} is only known approximately"))
}

fn binomial(n: u64, p: &Fraction) -> Result<Vec<(Number, Fraction)>, Fault> {
    let all = p.denom();
    if n.max(1) * all.bits() > MAX_BITS {
        return Err(format!(
            "the probabilities of a `binomial` law have more than {MAX_BITS} bits"
        ));
    }
    let (success, failure) = (p.numer(), &all - p.numer());
    let whole = num_traits::pow(all, n as usize);
    let mut choose = BigInt::one();
    let mut outcomes = Vec::new();
    for k in 0..=n {
        let ways = num_traits::pow(success.clone(), k as usize)
            * num_traits::pow(failure.clone(), (n - k) as usize)
            * &choose;
        if !ways.is_zero() {
            let probability = Fraction::from(BigRational::new(ways, whole.clone()));
            outcomes.push((Number::from(Fraction::from(BigInt::from(k))), probability));
        }
        choose = choose * (n - k) / (k + 1);
    }
    Ok(outcomes)
}
