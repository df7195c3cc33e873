//! Canonical forms: quotients of sums of rational multiples of products of powers of a few atoms.
//!
//! Equal forms are equal numbers. The converse holds for roots of rationals, whose different products are
//! linearly independent, and for sums of logarithms of rationals; elsewhere balls tell numbers apart.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::ball::Ball;
use super::bases;
use super::sum::{self, add_term, as_constant, bits, constant, is_unit, ratio, scaled, unit};

/// Forms of more parts are given up.
const MAX_WEIGHT: u32 = 256;

/// Forms with longer coefficients are given up.
const MAX_COEFFICIENT_BITS: u64 = 65_536;

/// Sums are not multiplied out to a higher power.
const MAX_EXPANDED_POWER: u64 = 16;

/// An expression without simpler parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// An integer above 1, to a power between 0 and 1.
    Base(BigUint),
    /// The logarithm of such an integer.
    Log(BigUint),
    /// The exponential of a product of atoms, or of a quotient of sums.
    Exp(Arc<Form>),
    /// A positive sum, to a power between 0 and 1.
    Sum(Arc<Form>),
    /// The logarithm of a positive sum.
    LogOf(Arc<Form>),
    /// The logarithm of the gamma function of an integer above 2.
    LogGamma(BigUint),
}

pub(super) type Monomial = sum::Monomial<Atom>;
pub(super) type Sum = sum::Sum<Atom>;

/// A quotient of sums; the divisor is 1, or a sum of several terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) numerator: Sum,
    pub(super) denominator: Sum,
    weight: u32,
}

impl Atom {
    fn weight(&self) -> u32 {
        match self {
            Atom::Base(_) | Atom::Log(_) | Atom::LogGamma(_) => 1,
            Atom::Exp(form) | Atom::Sum(form) | Atom::LogOf(form) => form.weight + 1,
        }
    }

    pub(super) fn is_positive(&self) -> bool {
        !matches!(self, Atom::LogOf(_))
    }

    fn ball(&self, bits: u64) -> Option<Ball> {
        match self {
            Atom::Base(n) => Some(Ball::integer(n.clone().into())),
            Atom::Log(n) => Ball::integer(n.clone().into()).log(bits),
            Atom::Exp(form) => form.ball(bits)?.exp(bits),
            Atom::Sum(form) => form.ball(bits),
            Atom::LogOf(form) => form.ball(bits)?.log(bits),
            Atom::LogGamma(n) => Ball::log_gamma(&n.clone().into(), bits),
        }
    }
}

impl Form {
    pub(super) fn rational(value: BigRational) -> Option<Form> {
        Form::quotient(constant(value), unit())
    }

    pub(super) fn as_rational(&self) -> Option<BigRational> {
        if self.is_whole() {
            as_constant(&self.numerator)
        } else {
            None
        }
    }

    /// The logarithm of a positive rational.
    pub(super) fn log_of(value: &BigRational) -> Option<Form> {
        let one = BigRational::one;
        let logs = rational_factors(value)
            .map(|(base, power)| (Monomial::from([(Atom::Log(base), one())]), power));
        Form::quotient(logs.collect(), unit())
    }

    /// The logarithm of the gamma function of an integer above 2.
    pub(super) fn log_gamma(n: BigUint) -> Option<Form> {
        Form::atom(Atom::LogGamma(n))
    }

    /// The power of a positive rational.
    pub(super) fn power_of(value: &BigRational, exponent: &BigRational) -> Option<Form> {
        let bases = rational_factors(value).map(|(b, power)| (Atom::Base(b), power * exponent));
        Form::product(BigRational::one(), bases)
    }

    pub(super) fn of_sum(sum: &Sum) -> Option<Form> {
        Form::quotient(sum.clone(), unit())
    }

    /// True if the divisor is 1.
    pub(super) fn is_whole(&self) -> bool {
        is_unit(&self.denominator)
    }

    /// True for the number 0.
    pub(super) fn is_zero(&self) -> bool {
        self.numerator.is_empty()
    }

    fn atom(atom: Atom) -> Option<Form> {
        Form::product(BigRational::one(), [(atom, BigRational::one())])
    }

    /// The canonical form of a quotient; `None` where it is too large, or the divisor is 0.
    fn quotient(numerator: Sum, denominator: Sum) -> Option<Form> {
        // Most forms are sums, which are as they should be.
        let (numerator, denominator) = if is_unit(&denominator) {
            (numerator, denominator)
        } else {
            match ratio(&numerator, &denominator) {
                Some(ratio) => (constant(ratio), unit()),
                None if numerator.is_empty() => (numerator, unit()),
                None => {
                    let leading = denominator.first_key_value()?.1.recip();
                    (scaled(&numerator, &leading), scaled(&denominator, &leading))
                }
            }
        };
        let term = |(monomial, _): (&Monomial, _)| {
            let atoms = monomial.keys().map(Atom::weight);
            atoms.fold(1, u32::saturating_add)
        };
        let parts = numerator.iter().chain(&denominator);
        let weight = parts.map(term).fold(0, u32::saturating_add);
        let short = |sum: &Sum| sum.values().all(|c| bits(c) <= MAX_COEFFICIENT_BITS);
        let fits = weight <= MAX_WEIGHT && short(&numerator) && short(&denominator);
        let form = Form {
            numerator,
            denominator,
            weight,
        };
        if !fits {
            return None;
        }
        if form.denominator.len() == 1 && !form.is_whole() {
            let (monomial, _) = form.denominator.first_key_value()?;
            let inverse = monomial.iter().map(|(a, e)| (a.clone(), -e));
            let inverse = Form::product(BigRational::one(), inverse)?;
            Form::quotient(form.numerator, unit())?.multiply(&inverse)
        } else {
            Some(form)
        }
    }

    /// `coefficient` times powers of atoms, in any order and as often as they come.
    fn product(
        mut coefficient: BigRational,
        factors: impl IntoIterator<Item = (Atom, BigRational)>,
    ) -> Option<Form> {
        let mut monomial = Monomial::new();
        for (atom, exponent) in factors {
            *monomial.entry(atom).or_insert_with(BigRational::zero) += exponent;
        }
        split_bases(&mut monomial);
        let mut whole: Vec<(Arc<Form>, BigInt)> = Vec::new();
        for (atom, exponent) in &mut monomial {
            let floor = exponent.floor();
            match atom {
                Atom::Base(base) => {
                    coefficient *= short_power(base, floor.numer())?;
                    *exponent -= floor;
                }
                Atom::Sum(form) if !floor.is_zero() => {
                    whole.push((form.clone(), floor.to_integer()));
                    *exponent -= floor;
                }
                _ => {}
            }
        }
        monomial.retain(|_, exponent| !exponent.is_zero());
        let sum = if coefficient.is_zero() {
            Sum::new()
        } else {
            Sum::from([(monomial, coefficient)])
        };
        let mut form = Form::quotient(sum, unit())?;
        for (factor, power) in whole {
            form = form.multiply(&factor.integer_power(&power)?)?;
        }
        Some(form)
    }

    pub(super) fn add(&self, other: &Form) -> Option<Form> {
        if self.denominator == other.denominator {
            let mut sum = self.numerator.clone();
            for (monomial, coefficient) in &other.numerator {
                add_term(&mut sum, monomial.clone(), coefficient.clone());
            }
            return Form::quotient(sum, self.denominator.clone());
        }
        let over = |form: &Form, by: &Sum| {
            let by = Form::of_sum(by)?;
            Form::of_sum(&form.numerator)?.multiply(&by)
        };
        let sum = over(self, &other.denominator)?.add(&over(other, &self.denominator)?)?;
        let divisor =
            Form::of_sum(&self.denominator)?.multiply(&Form::of_sum(&other.denominator)?)?;
        sum.divide(&divisor)
    }

    pub(super) fn negate(&self) -> Form {
        Form {
            numerator: scaled(&self.numerator, &-BigRational::one()),
            ..self.clone()
        }
    }

    pub(super) fn multiply(&self, other: &Form) -> Option<Form> {
        let terms = |a: &Sum, b: &Sum| a.len().saturating_mul(b.len()) as u64;
        let most = u64::from(MAX_WEIGHT) * 4;
        if terms(&self.numerator, &other.numerator) > most
            || terms(&self.denominator, &other.denominator) > most
        {
            return None;
        }
        let numerator = multiply_sums(&self.numerator, &other.numerator)?;
        if self.is_whole() && other.is_whole() {
            return Some(numerator);
        }
        numerator.divide(&multiply_sums(&self.denominator, &other.denominator)?)
    }

    /// `None` for a division by 0, too.
    pub(super) fn divide(&self, divisor: &Form) -> Option<Form> {
        if divisor.numerator.is_empty() {
            return None;
        }
        if self.is_whole() && divisor.is_whole() {
            return Form::quotient(self.numerator.clone(), divisor.numerator.clone());
        }
        let above = multiply_sums(&self.numerator, &divisor.denominator)?;
        above.divide(&multiply_sums(&self.denominator, &divisor.numerator)?)
    }

    fn integer_power(&self, power: &BigInt) -> Option<Form> {
        let size = power
            .magnitude()
            .to_u64()
            .filter(|n| *n <= MAX_EXPANDED_POWER)?;
        let mut result = Form::rational(BigRational::one())?;
        for _ in 0..size {
            result = result.multiply(self)?;
        }
        if power.is_negative() {
            Form::rational(BigRational::one())?.divide(&result)
        } else {
            Some(result)
        }
    }

    /// The only term, if all its atoms are positive.
    fn as_positive_term(&self) -> Option<(&Monomial, &BigRational)> {
        let single = self.numerator.len() == 1 && self.is_whole();
        let (monomial, coefficient) = self.numerator.first_key_value().filter(|_| single)?;
        let positive = coefficient.is_positive() && monomial.keys().all(Atom::is_positive);
        positive.then_some((monomial, coefficient))
    }

    /// Numerator and denominator, both positive; of a positive number.
    fn positive_parts(&self) -> Option<(Form, Form)> {
        let numerator = Form::of_sum(&self.numerator)?;
        let denominator = Form::of_sum(&self.denominator)?;
        Some(if denominator.sign()?.is_gt() {
            (numerator, denominator)
        } else {
            (numerator.negate(), denominator.negate())
        })
    }

    /// A positive sum as a rational factor and a sum whose coefficients are whole and have no common divisor.
    fn content(&self) -> Option<(BigRational, Form)> {
        let coefficients = self.numerator.values();
        let numerator = coefficients
            .clone()
            .fold(BigInt::zero(), |gcd, c| gcd.gcd(c.numer()));
        let denominator = coefficients.fold(BigInt::one(), |lcm, c| lcm.lcm(c.denom()));
        let content = BigRational::new(numerator, denominator);
        let primitive = Form::quotient(scaled(&self.numerator, &content.recip()), unit())?;
        Some((content, primitive))
    }

    /// A power of a positive number; of any number, if the exponent is whole.
    pub(super) fn power(&self, exponent: &BigRational) -> Option<Form> {
        if let Some((monomial, coefficient)) = self.as_positive_term() {
            let atoms = monomial.iter().map(|(a, e)| (a.clone(), e * exponent));
            let atoms = Form::product(BigRational::one(), atoms)?;
            return atoms.multiply(&Form::power_of(coefficient, exponent)?);
        }
        if exponent.is_integer() {
            let negative = self.negate();
            return match negative.as_positive_term() {
                Some(_) if exponent.numer().is_even() => negative.power(exponent),
                Some(_) => Some(negative.power(exponent)?.negate()),
                None => self.integer_power(exponent.numer()),
            };
        }
        if !self.is_whole() {
            let (above, below) = self.positive_parts()?;
            return above.power(exponent)?.divide(&below.power(exponent)?);
        }
        let (content, sum) = self.content()?;
        let root = Form::product(
            BigRational::one(),
            [(Atom::Sum(Arc::new(sum)), exponent.clone())],
        )?;
        Form::power_of(&content, exponent)?.multiply(&root)
    }

    /// The natural logarithm of a positive number.
    pub(super) fn log(&self) -> Option<Form> {
        if let Some((monomial, coefficient)) = self.as_positive_term() {
            let mut sum = Form::log_of(coefficient)?;
            for (atom, exponent) in monomial {
                let log = match atom {
                    Atom::Base(base) => Form::atom(Atom::Log(base.clone()))?,
                    Atom::Exp(form) => (**form).clone(),
                    Atom::Sum(form) => Form::atom(Atom::LogOf(form.clone()))?,
                    other => Form::atom(Atom::LogOf(Arc::new(Form::atom(other.clone())?)))?,
                };
                sum = sum.add(&log.multiply(&Form::rational(exponent.clone())?)?)?;
            }
            return Some(sum);
        }
        if !self.is_whole() {
            let (above, below) = self.positive_parts()?;
            return above.log()?.add(&below.log()?.negate());
        }
        let (content, sum) = self.content()?;
        let log = Form::atom(Atom::LogOf(Arc::new(sum)))?;
        Form::log_of(&content)?.add(&log)
    }

    pub(super) fn exp(&self) -> Option<Form> {
        if !self.is_whole() {
            return Form::atom(Atom::Exp(Arc::new(self.clone())));
        }
        let mut product = Form::rational(BigRational::one())?;
        for (monomial, coefficient) in &self.numerator {
            let log = match (monomial.len(), monomial.first_key_value()) {
                (1, Some((Atom::Log(base), e))) if e.is_one() => {
                    Form::rational(BigRational::from_integer(base.clone().into()))
                }
                (1, Some((Atom::LogOf(form), e))) if e.is_one() => Some((**form).clone()),
                _ => {
                    let one = BigRational::one();
                    let form = Form::quotient(Sum::from([(monomial.clone(), one)]), unit())?;
                    Form::atom(Atom::Exp(Arc::new(form)))
                }
            };
            product = product.multiply(&log?.power(coefficient)?)?;
        }
        Some(product)
    }

    /// A ball that holds the number; `None` where these bits do not suffice for one.
    pub(super) fn ball(&self, bits: u64) -> Option<Ball> {
        let numerator = ball_of_sum(&self.numerator, bits)?;
        if self.is_whole() {
            Some(numerator)
        } else {
            numerator.divide(&ball_of_sum(&self.denominator, bits)?, bits)
        }
    }
}

fn ball_of_sum(sum: &Sum, bits: u64) -> Option<Ball> {
    let mut result = Ball::integer(BigInt::zero());
    for (monomial, coefficient) in sum {
        let mut term = Ball::rational(coefficient, bits)?;
        for (atom, exponent) in monomial {
            let mut factor = atom.ball(bits)?;
            if !exponent.is_one() {
                factor = if exponent.is_integer() && !atom.is_positive() {
                    factor.integer_power(exponent.numer().to_i64()?, bits)?
                } else {
                    factor.power(exponent, bits)?
                };
            }
            term = term.multiply(&factor, bits)?;
        }
        result = result.add(&term, bits)?;
    }
    Some(result)
}

fn multiply_sums(a: &Sum, b: &Sum) -> Option<Form> {
    let mut plain = Sum::new();
    let mut others: Vec<Form> = Vec::new();
    for (m, x) in a {
        for (n, y) in b {
            if m.is_empty() || n.is_empty() {
                let other = if m.is_empty() { n } else { m };
                add_term(&mut plain, other.clone(), x * y);
                continue;
            }
            let factors = m.iter().chain(n).map(|(a, e)| (a.clone(), e.clone()));
            let product = Form::product(x * y, factors)?;
            if product.is_whole() {
                for (monomial, coefficient) in product.numerator {
                    add_term(&mut plain, monomial, coefficient);
                }
            } else {
                others.push(product);
            }
        }
    }
    let plain = Form::quotient(plain, unit())?;
    others.iter().try_fold(plain, |sum, other| sum.add(other))
}

/// Bases of a positive rational with their powers.
fn rational_factors(value: &BigRational) -> impl Iterator<Item = (BigUint, BigRational)> {
    let factors = bases::factors(value).into_iter();
    factors.map(|(base, power)| (base, BigRational::from_integer(power)))
}

/// `base^power`, if that is short.
fn short_power(base: &BigUint, power: &BigInt) -> Option<BigRational> {
    let size = power.magnitude().to_u32()?;
    if base.bits().saturating_mul(size.into()) > MAX_COEFFICIENT_BITS {
        return None;
    }
    let value = BigRational::from_integer(base.pow(size).into());
    Some(if power.is_negative() {
        value.recip()
    } else {
        value
    })
}

/// Bases that have a common divisor become products of bases that have none.
fn split_bases(monomial: &mut Monomial) {
    while let Some((a, b, shared)) = pair_with_common_divisor(monomial) {
        let mut powers = Vec::new();
        for base in [a, b] {
            let rest = &base / &shared;
            let power = monomial.remove(&Atom::Base(base)).unwrap_or_default();
            powers.push((rest, power.clone()));
            powers.push((shared.clone(), power));
        }
        for (base, power) in powers.into_iter().filter(|(base, _)| !base.is_one()) {
            for (base, times) in bases::split(&base) {
                let times = BigRational::from_integer(times.into());
                *monomial
                    .entry(Atom::Base(base))
                    .or_insert_with(BigRational::zero) += times * &power;
            }
        }
    }
}

fn pair_with_common_divisor(monomial: &Monomial) -> Option<(BigUint, BigUint, BigUint)> {
    let bases = monomial.keys().filter_map(|atom| match atom {
        Atom::Base(base) if bases::may_split(base) => Some(base),
        _ => None,
    });
    let bases: Vec<&BigUint> = bases.collect();
    for (position, a) in bases.iter().enumerate() {
        for b in &bases[position + 1..] {
            let shared = a.gcd(b);
            if !shared.is_one() {
                return Some(((*a).clone(), (*b).clone(), shared));
            }
        }
    }
    None
}
