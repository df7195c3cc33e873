//! Potentials: maxima and minima of affine forms of the indices of a family.

use crate::algebra::families::affine::Affine;
use crate::algebra::families::region::Region;

/// Comparisons that need more cases are not looked at.
const MOST_CASES: usize = 64;

/// Direction of a potential: time up to the end of a task, or time from its beginning on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// A maximum of minima of affine forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Potential {
    pub parts: Vec<Vec<Affine>>,
}

impl Potential {
    pub fn greatest(forms: Vec<Affine>) -> Potential {
        Potential {
            parts: forms.into_iter().map(|form| vec![form]).collect(),
        }
    }

    pub fn least(forms: Vec<Affine>) -> Potential {
        Potential { parts: vec![forms] }
    }

    pub fn map(&self, map: impl Fn(&Affine) -> Affine) -> Potential {
        let part = |part: &Vec<Affine>| part.iter().map(&map).collect();
        Potential {
            parts: self.parts.iter().map(part).collect(),
        }
    }

    /// True if this potential is proved to be at most another one.
    pub fn is_at_most(&self, region: &Region, other: &Potential) -> bool {
        let cases: usize = other.parts.iter().map(Vec::len).product();
        if cases > MOST_CASES {
            return false;
        }
        self.parts.iter().all(|part| {
            (0..cases).all(|case| {
                let mut rest = case;
                let chosen = other.parts.iter().map(|list| {
                    let place = rest % list.len();
                    rest /= list.len();
                    &list[place]
                });
                let above = chosen
                    .flat_map(|low| part.iter().map(move |high| high.plus(low, -1).shifted(-1)));
                region.excludes(&above.collect::<Vec<Affine>>())
            })
        })
    }
}

impl From<Affine> for Potential {
    fn from(form: Affine) -> Potential {
        Potential::greatest(vec![form])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one in the middle of three is the greatest of leasts and the least of greatests.
    #[test]
    fn potentials_are_compared_where_no_form_alone_decides() {
        let (x, y, z) = (0, 1, 2);
        let v = Affine::variable;
        let region = Region::new([v(z).with(x, -1)]);
        // x <= z, so that max(x, min(y, z)) = min(z, max(x, y)).
        let median = Potential {
            parts: vec![vec![v(x)], vec![v(y), v(z)]],
        };
        let other = Potential {
            parts: vec![vec![v(x), v(z)], vec![v(y), v(z)]],
        };
        assert!(median.is_at_most(&region, &other) && other.is_at_most(&region, &median));
        assert!(median.is_at_most(&region, &v(z).into()));
        assert!(!median.is_at_most(&region, &v(y).into()));
        // Neither x nor -x is nonnegative everywhere, but at each point one of them is.
        let size = Potential::greatest(vec![v(x), v(x).scaled(-1)]);
        assert!(Potential::from(Affine::constant(0)).is_at_most(&Region::default(), &size));
        assert!(!Potential::from(Affine::constant(1)).is_at_most(&Region::default(), &size));
    }
}
