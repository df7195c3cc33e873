//! Largest, smallest and mixtures of different laws against closed forms.

use super::laws::{Exponential, Uniform};
use super::*;

fn exponential(mean: f64) -> Grid {
    Grid::of(&Exponential).scaled(mean)
}

/// Raw moments `E[X^r]` of a variable to its cumulants.
fn raw(moment: impl Fn(i32) -> f64) -> Cumulants {
    Cumulants::from_raw_moments([moment(1), moment(2), moment(3), moment(4)])
}

fn factorial(r: i32) -> f64 {
    (1..=r).map(f64::from).product()
}

#[test]
fn the_largest_of_two_exponentials_is_their_sum_less_the_smallest() {
    for other in [0.1, 1.0, 3.0, 100.0] {
        let largest = Grid::largest_of(&[&exponential(1.0), &exponential(other)]);
        let exact = raw(|r| {
            let both = 1.0 / (1.0 + 1.0 / other);
            factorial(r) * (1.0 + other.powi(r) - both.powi(r))
        });
        agree(largest.cumulants(), exact, 1e-6);
    }
}

#[test]
fn the_smallest_of_exponentials_adds_their_rates() {
    let laws = [exponential(1.0), exponential(0.5), exponential(20.0)];
    let smallest = Grid::smallest_of(&laws.iter().collect::<Vec<_>>());
    agree(
        smallest.cumulants(),
        Exponential.cumulants().scaled(1.0 / 3.05),
        1e-6,
    );
}

#[test]
fn the_largest_of_copies_is_the_largest_of_their_number() {
    for law in [Grid::of(&Uniform), exponential(2.0).shifted(5.0)] {
        let three = Grid::largest_of(&[&law, &law, &law]);
        agree(three.cumulants(), law.largest(3.0).cumulants(), 1e-6);
        let four = Grid::smallest_of(&[&law, &law, &law, &law]);
        agree(four.cumulants(), law.smallest(4.0).cumulants(), 1e-6);
    }
}

#[test]
fn what_is_at_least_a_constant_has_an_atom_there() {
    // max(X, c) = c + the excess of X over c, which is an exponential with probability e^-c.
    for c in [0.2, 1.0, 5.0] {
        let largest = Grid::largest_of(&[&exponential(1.0), &Grid::constant(c)]);
        let exact = raw(|r| (-c).exp() * factorial(r)).shifted(c);
        agree(largest.cumulants(), exact, 1e-6);
        assert!((largest.cdf(c).above - (-c).exp()).abs() < 1e-7);
        assert_eq!(largest.support().lower, c);
        // The largest of 10 of these is max(c, the largest of 10).
        let ten = Grid::largest_of(&[&exponential(1.0).largest(10.0), &Grid::constant(c)]);
        agree(largest.largest(10.0).cumulants(), ten.cumulants(), 1e-6);
    }
}

#[test]
fn what_lies_below_all_others_leaves_the_largest_alone() {
    let low = Grid::of(&Uniform);
    let high = exponential(1.0).shifted(2.0);
    let largest = Grid::largest_of(&[&low, &high]);
    agree(largest.cumulants(), high.cumulants(), 1e-6);
}

#[test]
fn supports_that_overlap_are_split_where_one_begins() {
    // max(U, 1/2 + U): uniform on [0, 1] and on [1/2, 3/2].
    let one = Grid::of(&Uniform);
    let largest = Grid::largest_of(&[&one, &one.shifted(0.5)]);
    // Density 2x - 1/2 on [1/2, 1], 1 on [1, 3/2].
    let exact = raw(|r| {
        let up = |x: f64| {
            2.0 * x.powi(r + 2) / f64::from(r + 2) - 0.5 * x.powi(r + 1) / f64::from(r + 1)
        };
        up(1.0) - up(0.5) + (1.5_f64.powi(r + 1) - 1.0) / f64::from(r + 1)
    });
    agree(largest.cumulants(), exact, 1e-6);
}

#[test]
fn a_mixture_integrates_to_the_mixture_of_cumulants() {
    let (a, b) = (exponential(1.0), Grid::of(&Uniform).shifted(10.0));
    for w in [0.5, 0.01, 1e-4] {
        let mixed = Grid::mixture(&[(1.0 - w, &a), (w, &b), (0.0, &Grid::constant(99.0))]);
        let integrated = crate::grid::integral::cumulants(&mixed.pieces);
        agree(integrated, mixed.cumulants(), 1e-6);
    }
    let atoms = Grid::mixture(&[(0.25, &Grid::constant(0.0)), (0.75, &a)]);
    assert!((atoms.cdf(0.0).below - 0.25).abs() < 1e-12);
    agree(
        crate::grid::integral::cumulants(&atoms.pieces),
        atoms.cumulants(),
        1e-6,
    );
}
