//! The law of samples in a file column, with exact moments.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::Empirical;
use super::shortest::Decimal;

/// The law of a file column: all samples are equally likely.
///
/// A sample is exactly the shortest decimal that reads back as its double. This is the number in the file, if it has
/// at most 15 digits. Two laws are equal if file and column are.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Sampled {
    file: String,
    identity: String,
    column: usize,
    law: Arc<Empirical>,
    cumulants: [BigRational; 4],
}

/// Samples as they are written to a file.
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    file: String,
    identity: String,
    column: usize,
    values: Vec<f64>,
}

impl From<Sampled> for Saved {
    fn from(sampled: Sampled) -> Saved {
        Saved {
            values: sampled.law.samples().to_vec(),
            file: sampled.file,
            identity: sampled.identity,
            column: sampled.column,
        }
    }
}

impl TryFrom<Saved> for Sampled {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Sampled, String> {
        Sampled::new(saved.file, saved.identity, saved.column, saved.values)
    }
}

impl PartialEq for Sampled {
    fn eq(&self, other: &Sampled) -> bool {
        (&self.identity, self.column) == (&other.identity, other.column)
    }
}

impl Eq for Sampled {}

impl Hash for Sampled {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.identity, self.column).hash(state);
    }
}

impl Sampled {
    /// Creates the law of the values in column `column` of a file.
    ///
    /// `file` is the name in the model; `identity` is common to all names of the file.
    ///
    /// # Errors
    /// Fails like [`Empirical::new`].
    pub fn new(
        file: String,
        identity: String,
        column: usize,
        values: Vec<f64>,
    ) -> Result<Sampled, String> {
        let law = Empirical::new(values)?;
        Ok(Sampled {
            file,
            identity,
            column,
            cumulants: cumulants(law.samples()),
            law: Arc::new(law),
        })
    }

    /// Orders by the properties that a model shows, then by the others.
    pub fn compare(&self, other: &Sampled) -> Ordering {
        let key = |s: &Sampled| (s.file.clone(), s.column, s.identity.clone());
        key(self).cmp(&key(other))
    }

    /// Name of the file in the model.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Number of the column, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The law in doubles.
    pub fn law(&self) -> &Arc<Empirical> {
        &self.law
    }

    /// Mean, variance, third and fourth cumulants.
    pub fn cumulants(&self) -> &[BigRational; 4] {
        &self.cumulants
    }

    /// The least and the greatest sample.
    pub fn ends(&self) -> [BigRational; 2] {
        let samples = self.law.samples();
        [samples[0], samples[samples.len() - 1]].map(exact)
    }

    /// Every value with its number of samples, in increasing order; `None` for more than `limit`
    /// values.
    pub fn values(&self, limit: usize) -> Option<Vec<(BigRational, usize)>> {
        let groups = || self.law.samples().chunk_by(|a, b| a == b);
        let few = groups().take(limit + 1).count() <= limit;
        few.then(|| {
            groups()
                .map(|equal| (exact(equal[0]), equal.len()))
                .collect()
        })
    }

    /// The sample at an index from 0, in increasing order.
    pub fn sample(&self, position: usize) -> BigRational {
        exact(self.law.samples()[position])
    }

    /// True if all samples are whole numbers.
    pub fn are_whole(&self) -> bool {
        self.law.samples().iter().all(|x| x.fract() == 0.0)
    }

    /// Number of samples; at least one.
    pub fn count(&self) -> usize {
        self.law.samples().len()
    }
}

/// `mantissa * 10 ^ exponent`: the shortest decimal of a double; 0 if there is none.
fn decimal(x: f64) -> (BigInt, i32) {
    let Some(decimal) = Decimal::of(x) else {
        return (BigInt::default(), 0);
    };
    let size = BigInt::from(decimal.mantissa);
    let mantissa = if decimal.negative { -size } else { size };
    (mantissa, decimal.exponent)
}

fn exact(x: f64) -> BigRational {
    let (mantissa, exponent) = decimal(x);
    BigRational::from_integer(mantissa) * power_of_ten(exponent)
}

fn power_of_ten(exponent: i32) -> BigRational {
    BigRational::from_integer(10.into()).pow(exponent)
}

/// By sums of powers of whole multiples of one unit, which no rounding touches.
fn cumulants(samples: &[f64]) -> [BigRational; 4] {
    let groups: Vec<(BigInt, i32, usize)> = samples
        .chunk_by(|a, b| a == b)
        .map(|equal| {
            let (mantissa, exponent) = decimal(equal[0]);
            (mantissa, exponent, equal.len())
        })
        .collect();
    let unit = groups.iter().map(|(_, exponent, _)| *exponent).min();
    let unit = unit.unwrap_or(0);
    let mut sums: [BigInt; 4] = Default::default();
    for (mantissa, exponent, count) in groups {
        let x = mantissa * BigInt::from(10).pow((exponent - unit).unsigned_abs());
        let mut power = BigInt::from(count);
        for sum in &mut sums {
            power *= &x;
            *sum += &power;
        }
    }
    let n = BigInt::from(samples.len());
    let raw = sums.map(|sum| BigRational::new(sum, n.clone()));
    let mut unit_power = BigRational::from_integer(1.into());
    from_raw_moments(raw).map(|cumulant| {
        unit_power *= power_of_ten(unit);
        cumulant * &unit_power
    })
}

fn from_raw_moments([m1, m2, m3, m4]: [BigRational; 4]) -> [BigRational; 4] {
    let n = |k: i64| BigRational::from_integer(k.into());
    let square = &m1 * &m1;
    let second = &m2 - &square;
    let third = &m3 - n(3) * &m1 * &m2 + n(2) * &square * &m1;
    let fourth =
        m4 - n(4) * &m1 * m3 - n(3) * &m2 * &m2 + n(12) * &square * m2 - n(6) * &square * &square;
    [m1, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(values: &[f64]) -> Sampled {
        Sampled::new("a.csv".into(), "/a.csv".into(), 1, values.to_vec()).unwrap()
    }

    fn fraction(text: &str) -> BigRational {
        text.parse().unwrap()
    }

    #[test]
    fn moments_are_exact() {
        // 3, 5, 5, 8 about 21/4: squares 81 + 1 + 1 + 121 of 16, cubes -729 - 1 - 1 + 1331 of 64,
        // fourth powers 6561 + 1 + 1 + 14641 of 256.
        let expected = ["21/4", "51/16", "75/32", "-1251/128"].map(fraction);
        assert_eq!(sampled(&[8.0, 5.0, 3.0, 5.0]).cumulants(), &expected);
        // A thousandth of each, beside numbers that doubles do not have.
        let scaled = sampled(&[0.008, 0.005, 0.003, 0.005]);
        let mut scale = fraction("1");
        for (found, expected) in scaled.cumulants().iter().zip(expected) {
            scale *= fraction("1/1000");
            assert_eq!(*found, expected * &scale);
        }
    }

    #[test]
    fn samples_are_the_numbers_that_are_written() {
        let law = sampled(&[0.1, -1e-5, 12345.678, 3e22, 0.1]);
        let values = [
            "-1/100000",
            "1/10",
            "12345678/1000",
            "30000000000000000000000",
        ];
        let counts = [1, 2, 1, 1];
        let expected: Vec<_> = values.into_iter().map(fraction).zip(counts).collect();
        assert_eq!(law.values(4), Some(expected));
        assert_eq!(law.values(3), None);
        assert_eq!(law.ends(), [fraction(values[0]), fraction(values[3])]);
        assert_eq!(law.sample(2), fraction("1/10"));
    }

    #[test]
    fn doubles_of_all_sizes_have_moments() {
        let law = sampled(&[f64::MAX, f64::MIN_POSITIVE, -f64::MAX, 5e-324]);
        // Both ends cancel in the mean.
        let mean = (exact(f64::MIN_POSITIVE) + exact(5e-324)) / fraction("4");
        assert_eq!(law.cumulants()[0], mean);
    }
}
