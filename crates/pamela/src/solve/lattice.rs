//! The points at which a condition is decided: whole numbers, or doubles.
//!
//! A piece of an answer is a cell of consecutive points. For whole numbers the cells are the answer. For real parameters
//! each boundary lies between two neighbouring doubles, or at one.

use crate::ring::Rational;

/// The positive points, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    /// Whole numbers; an index is the number itself.
    Whole,
    /// Doubles; an index is the bits of the double, which are in the order of positive doubles.
    Real,
}

/// Consecutive points; both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub first: i64,
    pub last: i64,
}

impl Cell {
    pub fn at(index: i64) -> Cell {
        Cell {
            first: index,
            last: index,
        }
    }

    /// Number of points.
    pub fn len(self) -> u64 {
        self.last.abs_diff(self.first).saturating_add(1)
    }
}

/// Consecutive cells with a value each.
pub type Pieces<T> = Vec<(Cell, T)>;

impl Lattice {
    /// All positive points. The last one stands for every larger number; the first double for every smaller one.
    pub fn whole(self) -> Cell {
        match self {
            Lattice::Whole => Cell {
                first: 1,
                last: 1 << 62,
            },
            Lattice::Real => Cell {
                first: 1e-300_f64.to_bits().cast_signed(),
                last: 1e300_f64.to_bits().cast_signed(),
            },
        }
    }

    /// True if the cell is not bounded above.
    pub fn is_unbounded(self, cell: Cell) -> bool {
        cell.last == self.whole().last
    }

    /// True for a cell of one number. The outermost points stand for more.
    pub fn is_point(self, cell: Cell) -> bool {
        cell.first == cell.last && !self.is_unbounded(cell) && !self.reaches_zero(cell)
    }

    /// The index of 1.
    pub fn one(self) -> i64 {
        match self {
            Lattice::Whole => 1,
            Lattice::Real => 1f64.to_bits().cast_signed(),
        }
    }

    /// True if the cell reaches down to 0.
    pub fn reaches_zero(self, cell: Cell) -> bool {
        self == Lattice::Real && cell.first == self.whole().first
    }

    /// Joins neighbouring cells with equal values. Between doubles there are other numbers, so that cuts are kept.
    pub fn joined<T: PartialEq>(self, pieces: Pieces<T>) -> Pieces<T> {
        match self {
            Lattice::Whole => joined(pieces),
            Lattice::Real => pieces,
        }
    }

    /// The number with an index.
    pub fn value(self, index: i64) -> Rational {
        match self {
            Lattice::Whole => Rational::from(index),
            Lattice::Real => Rational::from_f64(self.double(index)).unwrap_or_default(),
        }
    }

    /// The double nearest to the number with an index.
    pub fn double(self, index: i64) -> f64 {
        match self {
            Lattice::Whole => index as f64,
            Lattice::Real => f64::from_bits(index.cast_unsigned()),
        }
    }
}

/// Joins neighbouring cells with equal values.
pub fn joined<T: PartialEq>(pieces: Pieces<T>) -> Pieces<T> {
    let mut all: Pieces<T> = Vec::with_capacity(pieces.len());
    for (cell, value) in pieces {
        match all.last_mut() {
            Some((last, own)) if *own == value => last.last = cell.last,
            _ => all.push((cell, value)),
        }
    }
    all
}

/// Combines the values of two divisions of the same cell.
pub fn overlaid<A: Clone, B: Clone, C>(
    left: &[(Cell, A)],
    right: &[(Cell, B)],
    combine: impl Fn(&A, &B) -> C,
) -> Pieces<C> {
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(left.len().max(right.len()));
    while let (Some((a, x)), Some((b, y))) = (left.get(i), right.get(j)) {
        let cell = Cell {
            first: a.first.max(b.first),
            last: a.last.min(b.last),
        };
        if cell.first <= cell.last {
            all.push((cell, combine(x, y)));
        }
        i += usize::from(a.last <= b.last);
        j += usize::from(b.last <= a.last);
    }
    all
}
