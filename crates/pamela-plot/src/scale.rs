//! Selection of the scale of an axis.

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Log,
}

impl Scale {
    /// Scale for drawn positions: logarithmic if most of them would lie near the origin, or if each is a constant
    /// multiple of the previous one.
    pub fn of_places(values: impl Iterator<Item = f64>) -> Scale {
        let mut places: Vec<f64> = values.filter(|x| x.is_finite()).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        if is_geometric(&places) {
            Scale::Log
        } else {
            Scale::by(places.into_iter(), 20.0, 0.2)
        }
    }

    /// Scale for values: logarithmic if they differ by orders of magnitude and most are small.
    pub fn of_values(values: impl Iterator<Item = f64>) -> Scale {
        Scale::by(values, 100.0, 0.25)
    }

    /// Logarithmic where all are positive, differ by this ratio, and half of them are below this share of the largest.
    fn by(values: impl Iterator<Item = f64>, ratio: f64, share: f64) -> Scale {
        let mut values: Vec<f64> = values.filter(|x| x.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else {
            return Scale::Linear;
        };
        let middle = values[values.len() / 2];
        if least > 0.0 && most / least >= ratio && middle <= share * most {
            Scale::Log
        } else {
            Scale::Linear
        }
    }
}

/// Fewer places are as well read on a linear axis.
const FEWEST_POWERS: usize = 4;

/// True if each of several positive places is the same multiple of the one before, of 1.5 or more.
fn is_geometric(places: &[f64]) -> bool {
    let [first, second, ..] = *places else {
        return false;
    };
    let ratio = second / first;
    let same = |pair: &[f64]| (pair[1] / pair[0] / ratio - 1.0).abs() < 1e-9;
    places.len() >= FEWEST_POWERS && first > 0.0 && ratio >= 1.5 && places.windows(2).all(same)
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn powers_are_logarithmic_and_ranges_are_not() {
        let powers = (0..10).map(|k| f64::from(1 << k));
        assert_eq!(Scale::of_places(powers), Scale::Log);
        assert_eq!(
            Scale::of_places([16.0, 4.0, 8.0, 64.0, 32.0].into_iter()),
            Scale::Log
        );
        assert_eq!(
            Scale::of_places([1.0, 2.0, 3.0, 4.0].into_iter()),
            Scale::Linear
        );
        assert_eq!(Scale::of_places((1..=1000).map(f64::from)), Scale::Linear);
        assert_eq!(
            Scale::of_places([0.0, 1.0, 100.0].into_iter()),
            Scale::Linear
        );
        assert_eq!(Scale::of_places([f64::NAN].into_iter()), Scale::Linear);
        assert_eq!(Scale::of_values([1.0, 10.0, 1e4].into_iter()), Scale::Log);
    }
}
