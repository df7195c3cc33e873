//! How sequences go on: whether one falls below 0 or never does, and from where on its sign no longer changes.

use super::number::*;
use super::sequences::Sequence;
use super::state::Facts;

/// Doublings of one power beside another one, before it is above a polynomial.
const MOST_DOUBLINGS: u32 = 1_000;
/// Differences of differences of a sequence.
const DEEPEST: usize = 3;

impl Sequence {
    /// The terms from the one that grows most to the one that grows least, from the second iteration on; nothing where
    /// a base is negative.
    fn by_growth(&self) -> Option<Vec<(i64, u32, &Number)>> {
        let terms = self.terms.iter().rev();
        let terms = terms.filter(|((base, _), _)| *base != 0);
        let all: Vec<(i64, u32, &Number)> = terms
            .map(|((base, degree), value)| (*base, *degree, value))
            .collect();
        all.iter().all(|(base, ..)| *base > 0).then_some(all)
    }

    /// A number of iterations from which on the value is always above 0, always 0, or always below.
    ///
    /// Each term is then larger than all that grow less, even where its coefficient is 1 or -1: binomial(j, d) is j - d + 1
    /// over d times as large as binomial(j, d - 1), and a power that doubles beside another one every m iterations is above
    /// what any number has digits, and above any polynomial in j, after a multiple of m.
    pub fn settles(&self, facts: &Facts) -> Option<Limit> {
        let terms = self.by_growth()?;
        let own_size = |value: &Number| {
            let opposite = value.scaled(-1)?;
            Some(if facts.nonnegative(value) {
                value.clone()
            } else if facts.nonnegative(&opposite) {
                opposite
            } else {
                value.larger(&opposite)
            })
        };
        let mut others = terms.iter().skip(1).map(|(.., value)| own_size(value));
        let degree = terms
            .iter()
            .map(|(_, degree, _)| *degree)
            .max()
            .unwrap_or(0);
        let mut limit = Limit {
            size: others.try_fold(Number::default(), |sum, own| sum.plus(&own?))?,
            ..Limit::at(1.max(2 * i64::from(degree)))
        };
        // Behind a term that is not 0, it only matters that each is as large as those that grow less.
        let mut is_decided = false;
        for pair in terms.windows(2) {
            let [(base, degree, value), (below, other, _)] = pair else {
                continue;
            };
            let own = if base == below {
                // As large as the degree times the size and 2 more.
                let degree = i64::from(*degree);
                Limit {
                    sizes: degree,
                    ..Limit::at(2 * degree)
                }
            } else {
                doublings(*base, *below, *other)?
            };
            limit = limit.of_both(&if is_decided { own.of_one() } else { own });
            let is_above = value
                .plus_constant(-1)
                .is_some_and(|own| facts.nonnegative(&own));
            is_decided |= is_above || facts.is_negative(value);
        }
        Some(limit)
    }

    /// True if the value is below 0 from some iteration on, wherever these hold.
    pub fn falls(&self, facts: &Facts) -> bool {
        let Some(terms) = self.by_growth() else {
            return false;
        };
        for (.., value) in terms {
            let opposite = value.scaled(-1);
            if facts.is_negative(value) {
                return true;
            }
            if !opposite.is_some_and(|opposite| facts.nonnegative(&opposite)) {
                return false;
            }
        }
        false
    }

    /// True if the value is at least 0 in all iterations where it is in the first one, wherever these hold.
    pub fn rises(&self, facts: &Facts) -> bool {
        self.rises_by(facts, DEEPEST)
    }

    fn rises_by(&self, facts: &Facts, depth: usize) -> bool {
        if self.by_growth().is_none() {
            return false;
        }
        let has_first = self.terms.keys().any(|(base, _)| *base == 0);
        let terms = self.terms.iter();
        let mut terms = terms.filter(|((base, degree), _)| {
            // What stands for the first one matters only there.
            *base != 0 && (has_first || (*base, *degree) != (1, 0))
        });
        if terms.all(|(_, value)| facts.nonnegative(value)) {
            return true;
        }
        let more = self.difference();
        let more = more.filter(|more| {
            let first = more.at(&Number::default());
            depth > 0 && !has_first && first.is_some_and(|first| facts.nonnegative(&first))
        });
        more.is_some_and(|more| more.rises_by(facts, depth - 1))
    }

    /// What an iteration adds, but for the divisor.
    fn difference(&self) -> Option<Sequence> {
        let mut more = Sequence::constant(Number::default());
        for ((base, degree), value) in &self.terms {
            more.add((*base, *degree), &value.scaled(base - 1)?)?;
            if *degree > 0 {
                more.add((*base, degree - 1), &value.scaled(*base)?)?;
            }
        }
        Some(more)
    }
}

/// A number of iterations from which on `base^j` is above `size * below^j * binomial(j, degree)`, for a size from 0 on.
fn doublings(base: i64, below: i64, degree: u32) -> Option<Limit> {
    // So many iterations double base^j / below^j.
    let (mut own, mut other) = (i128::from(base), i128::from(below));
    let mut each = 1_i64;
    while own < other.checked_mul(2)? {
        own = own.checked_mul(i128::from(base))?;
        other = other.checked_mul(i128::from(below))?;
        each += 1;
    }
    // So many doublings as the size has digits, with one more because a logarithm is rounded.
    if degree == 0 {
        return Some(Limit {
            digits: each,
            ..Limit::at(2 * each)
        });
    }
    // Half of the doublings are for the size, and half for the polynomial: binomial(j, d) is at most j^d, and from three
    // doublings a degree on the doublings grow faster.
    let is_enough = |doublings: u32| {
        let logarithm = f64::from(degree) * (each as f64 * f64::from(doublings + 1)).log2();
        f64::from(doublings) / 2.0 >= logarithm + 0.01
    };
    let least = (3 * degree..MOST_DOUBLINGS).find(|doublings| is_enough(*doublings))?;
    Some(Limit {
        digits: 2 * each,
        ..Limit::at(each.checked_mul(i64::from(least) + 4)?)
    })
}

/// A number of iterations: the size so many times, the binary digits of the size so many times, and a number.
#[derive(Clone, Debug)]
pub struct Limit {
    /// At least 0.
    size: Number,
    sizes: i64,
    digits: i64,
    least: i64,
}

impl Limit {
    pub fn at(least: i64) -> Limit {
        Limit {
            size: Number::default(),
            sizes: 0,
            digits: 0,
            least,
        }
    }

    /// The one for a size of 1, which has one digit.
    fn of_one(&self) -> Limit {
        Limit::at(self.sizes + self.digits + self.least)
    }

    /// One that is not below either of two for the size of this one.
    fn of_both(self, other: &Limit) -> Limit {
        Limit {
            size: self.size,
            sizes: self.sizes.max(other.sizes),
            digits: self.digits.max(other.digits),
            least: self.least.max(other.least),
        }
    }

    /// One that is not below either of two.
    pub fn and(self, other: &Limit, facts: &Facts) -> Option<Limit> {
        let more = self.size.minus(&other.size)?;
        let size = if facts.nonnegative(&more) {
            self.size.clone()
        } else if facts.nonnegative(&more.scaled(-1)?) {
            other.size.clone()
        } else {
            self.size.plus(&other.size)?
        };
        Some(Limit {
            size,
            ..self.of_both(other)
        })
    }

    pub fn number(&self) -> Option<Number> {
        let above = self.size.plus_constant(1)?;
        let digits = match above.as_constant() {
            Some(above) => Number::constant(i64::from(above.checked_ilog2()?)),
            None => {
                let logarithm = Number::atom(Atom::Function("log2", vec![above]));
                Number::atom(Atom::Function("floor", vec![logarithm]))
            }
        };
        let sizes = self.size.scaled(self.sizes)?;
        sizes
            .plus(&digits.scaled(self.digits)?)?
            .plus_constant(self.least)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::lowering::changes::Form;
    use crate::lowering::sequences::solved;

    /// `x' = a x + b y + c`, `y' = d y + e`, from some values: the sign of x is always the same behind the limit.
    #[test]
    fn signs_do_not_change_behind_the_limit() {
        let mut compared = 0;
        for code in 0_usize..4_000 {
            let digit = |at: u32| [0, 1, 2, 3, 1, -1, -7, 5, 30][code * 7919 / 9_usize.pow(at) % 9];
            let [a, d] = [digit(0), digit(1)].map(|own: i64| own.abs() % 5);
            let [b, c, e] = [2, 3, 1].map(digit);
            let (mut x, mut y) = (digit(3) - digit(2), digit(1) - digit(0));
            let form = |x: i64, y: i64, rest: i64| {
                let all = [("x", x), ("y", y)].into_iter();
                let variables = all.filter(|(_, factor)| *factor != 0);
                Form {
                    variables: variables
                        .map(|(name, own)| (name.to_string(), own))
                        .collect(),
                    rest: Number::constant(rest),
                }
            };
            let next = [("x", form(a, b, c)), ("y", form(0, d, e))];
            let next = next.map(|(name, form)| (name.to_string(), form));
            let first = [("x", x), ("y", y)];
            let first = first.map(|(name, own)| (name.to_string(), Number::constant(own)));
            let found = solved(&BTreeMap::from(next), &BTreeMap::from(first));
            // What is given only once is no sum of powers.
            let Some(own) = found.get("x") else { continue };
            let limit = own.settles(&Facts::default());
            let limit = limit.and_then(|limit| limit.number()?.as_constant());
            let limit = limit.expect("a number");
            let mut signs = Vec::new();
            for j in 0..limit + 10 {
                if j >= limit {
                    signs.push(x.signum());
                }
                let next = || {
                    let more = b.checked_mul(y)?.checked_add(c)?;
                    let x = a.checked_mul(x)?.checked_add(more)?;
                    Some((x, d.checked_mul(y)?.checked_add(e)?))
                };
                let Some(after) = next() else { break };
                (x, y) = after;
            }
            compared += usize::from(signs.len() > 1);
            signs.dedup();
            assert!(
                signs.len() < 2,
                "{a} {b} {c} {d} {e}: {signs:?} from {limit}"
            );
        }
        assert!(compared > 1_000, "{compared} are compared");
    }
}
