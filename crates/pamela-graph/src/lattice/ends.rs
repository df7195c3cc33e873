//! Laws on the ends of cells.

use super::convolution::{Digits, convolved};
use super::profile::Profile;
use super::{Calculus, Grid};

/// Less than this, together, is moved to the next end in the direction of the order.
const RARE: f64 = 1e-13;

/// Large times with less than this total probability count as lying beyond the last cell, unless many tasks make one
/// of them likely: sums of short laws take less time.
pub(crate) const FAR: f64 = 1e-25;

/// The end of a cell that receives its mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Both ends, with the mean unchanged: upper bounds of means.
    Split,
    /// The upper end: upper bounds of quantiles.
    Upper,
    /// The lower end: lower bounds of quantiles.
    Lower,
}

/// Sums and maxima on a grid, in one order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub grid: Grid,
    pub order: Order,
    /// Large times with less than this total probability count as lying beyond the last cell; at most [`FAR`].
    pub far: f64,
}

/// A law on the ends of cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The number of the first end with mass.
    pub first: usize,
    /// The masses from the first cell on.
    pub mass: Vec<f64>,
    /// For the order `Split`: the mean to be added.
    pub excess: f64,
    /// For the order `Upper`: the probability beyond the last cell.
    pub missing: f64,
}

impl Cells {
    /// The mean of the mass on the cells, in cells.
    pub fn mean(&self) -> f64 {
        let terms = (self.first..)
            .zip(&self.mass)
            .map(|(end, mass)| end as f64 * mass);
        terms.sum()
    }

    /// For the order `Split`: an upper bound of the mean.
    pub fn mean_from(&self, grid: Grid) -> f64 {
        self.mean() * grid.width + self.excess
    }

    /// One past the last end with mass.
    fn end(&self) -> usize {
        self.first + self.mass.len()
    }
}

impl Ends {
    /// Removes mass beyond the last cell, and negligible mass. Large times are kept even if they are rare: maxima of
    /// many tasks make them likely.
    fn settled(&self, mut law: Cells) -> Cells {
        let most = self.grid.cells + 1;
        let kept = most.saturating_sub(law.first).max(1);
        self.cut_end(&mut law, kept);
        let most_rare = law.mass.len() - 1;
        let rare = |masses: &mut dyn Iterator<Item = &f64>, least: f64| {
            let mut rest = 0.0;
            let count = masses.take_while(|&&mass| {
                rest += mass;
                rest <= least
            });
            count.count().min(most_rare)
        };
        let least = match self.order {
            Order::Lower => RARE,
            Order::Split | Order::Upper => self.far,
        };
        let kept = law.mass.len() - rare(&mut law.mass.iter().rev(), least);
        self.cut_end(&mut law, kept);
        if self.order != Order::Lower {
            let most_rare = law.mass.len() - 1;
            let count = rare(&mut law.mass.iter(), RARE).min(most_rare);
            let gone: f64 = law.mass.drain(..count).sum();
            law.mass[0] += gone;
            law.first += count;
        }
        // Rounding losses would grow with each maximum.
        let scale = (1.0 - law.missing) / law.mass.iter().sum::<f64>();
        if scale.is_finite() {
            law.mass.iter_mut().for_each(|mass| *mass *= scale);
        }
        law
    }

    /// Keeps this many ends; the mass beyond them moves as the order requires.
    fn cut_end(&self, law: &mut Cells, kept: usize) {
        if kept >= law.mass.len() {
            return;
        }
        let gone: Vec<f64> = law.mass.drain(kept..).collect();
        let total: f64 = gone.iter().sum();
        match self.order {
            Order::Upper => law.missing += total,
            Order::Lower => law.mass[kept - 1] += total,
            Order::Split => {
                let distance = |(k, mass): (usize, &f64)| (k + 1) as f64 * mass;
                law.excess += self.grid.width * gone.iter().enumerate().map(distance).sum::<f64>();
                law.mass[kept - 1] += total;
            }
        }
    }
}

impl Calculus for Ends {
    type Law = Cells;

    fn zero(&self) -> Cells {
        Cells {
            first: 0,
            mass: vec![1.0],
            excess: 0.0,
            missing: 0.0,
        }
    }

    fn task(&self, profile: &Profile) -> Cells {
        let Profile {
            first,
            tails,
            areas,
            beyond,
        } = profile;
        let width = self.grid.width;
        let last = tails[tails.len() - 1];
        let (mut mass, mut excess, mut missing) = (Vec::with_capacity(tails.len()), 0.0, 0.0);
        match self.order {
            Order::Split => {
                // Second differences of the integrated tail.
                let mut before = 1.0;
                for area in areas {
                    mass.push(before - area / width);
                    before = area / width;
                }
                mass.push(before);
                excess = *beyond;
            }
            Order::Upper => {
                mass.push(1.0 - tails[0]);
                mass.extend(tails.windows(2).map(|pair| pair[0] - pair[1]));
                missing = last;
            }
            Order::Lower => {
                mass.push(1.0 - tails[0]);
                mass.extend(tails.windows(2).map(|pair| pair[0] - pair[1]));
                // Moves all mass down by one end, except the mass at the first end.
                let at_first = mass.remove(0);
                if mass.is_empty() {
                    mass.push(at_first + last)
                } else {
                    mass[0] += at_first;
                    mass.push(last);
                }
            }
        }
        mass.iter_mut().for_each(|mass| *mass = mass.max(0.0));
        self.settled(Cells {
            first: *first,
            mass,
            excess,
            missing,
        })
    }

    fn sum(&self, a: &Cells, b: &Cells) -> Cells {
        let digits = match self.order {
            Order::Lower => Digits::Likely,
            Order::Split | Order::Upper if self.far < FAR => Digits::All,
            Order::Split | Order::Upper => Digits::Great,
        };
        self.settled(Cells {
            first: a.first + b.first,
            mass: convolved(&a.mass, &b.mass, digits),
            excess: a.excess + b.excess,
            missing: either(a.missing, b.missing),
        })
    }

    fn larger(&self, a: &Cells, b: &Cells) -> Cells {
        let first = a.first.max(b.first);
        let last = a.end().max(b.end());
        let before = |law: &Cells| -> f64 {
            let count = first.saturating_sub(law.first).min(law.mass.len());
            law.mass[..count].iter().sum()
        };
        let (mut of_a, mut of_b) = (before(a), before(b));
        let mut mass = Vec::with_capacity(last - first);
        let [in_a, in_b] = [a, b].map(|law| {
            let rest = law.mass.get(first - law.first..);
            rest.unwrap_or_default()
        });
        let both = in_a.len().min(in_b.len());
        for (in_a, in_b) in in_a.iter().zip(in_b) {
            // The increment of the product, computed without a difference of numbers near 1.
            mass.push(in_a * (of_b + in_b) + of_a * in_b);
            of_a += in_a;
            of_b += in_b;
        }
        mass.extend(in_a[both..].iter().map(|in_a| in_a * of_b));
        mass.extend(in_b[both..].iter().map(|in_b| of_a * in_b));
        self.settled(Cells {
            first,
            mass,
            excess: a.excess + b.excess,
            missing: either(a.missing, b.missing),
        })
    }
}

/// The probability that one of two happens.
fn either(p: f64, q: f64) -> f64 {
    p + q - p * q
}
