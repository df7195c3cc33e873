//! Laurent monomials: products of powers of atoms.

use std::cmp::Ordering;
use std::fmt;

use smallvec::SmallVec;

/// An opaque indeterminate; callers decide what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub u32);

/// A product of powers of different atoms, in ascending order of atoms, no exponent 0.
///
/// Ordered lexicographically by exponents, the first atom being the most significant. The order
/// is total and multiplication by a monomial keeps it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Monomial(SmallVec<[(Atom, i32); 4]>);

impl Monomial {
    /// The empty product, 1.
    pub fn one() -> Monomial {
        Monomial::default()
    }

    /// `atom ^ exponent`
    pub fn power(atom: Atom, exponent: i32) -> Monomial {
        let mut powers = SmallVec::new();
        if exponent != 0 {
            powers.push((atom, exponent));
        }
        Monomial(powers)
    }

    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// Atoms in ascending order with their nonzero exponents.
    pub fn powers(&self) -> &[(Atom, i32)] {
        &self.0
    }

    /// The exponent of an atom; 0 if it does not occur.
    pub fn exponent(&self, atom: Atom) -> i32 {
        self.0
            .iter()
            .find(|(other, _)| *other == atom)
            .map_or(0, |(_, exponent)| *exponent)
    }

    /// The product; `None` when an exponent overflows.
    pub fn checked_mul(&self, other: &Monomial) -> Option<Monomial> {
        self.combine(other, i32::checked_add)
    }

    /// The quotient, which always exists among Laurent monomials; `None` when an exponent
    /// overflows.
    pub fn checked_div(&self, other: &Monomial) -> Option<Monomial> {
        self.combine(other, i32::checked_sub)
    }

    /// `self ^ exponent`; `None` when an exponent overflows.
    pub fn checked_pow(&self, exponent: i32) -> Option<Monomial> {
        if exponent == 0 {
            return Some(Monomial::one());
        }
        let power = |(atom, e): &(Atom, i32)| Some((*atom, e.checked_mul(exponent)?));
        self.0
            .iter()
            .map(power)
            .collect::<Option<_>>()
            .map(Monomial)
    }

    /// The monomial without its power of `atom`.
    pub fn without(&self, atom: Atom) -> Monomial {
        let mut powers = self.0.clone();
        powers.retain(|(other, _)| *other != atom);
        Monomial(powers)
    }

    /// Merges the powers, `operation` joining the exponents of each atom (0 where it is absent).
    pub(super) fn combine(
        &self,
        other: &Monomial,
        operation: impl Fn(i32, i32) -> Option<i32>,
    ) -> Option<Monomial> {
        let mut powers = SmallVec::new();
        self.merge(other, |atom, a, b| {
            let exponent = operation(a, b)?;
            if exponent != 0 {
                powers.push((atom, exponent));
            }
            Some(())
        })?;
        Some(Monomial(powers))
    }

    /// Hands on each atom with its exponents in both (0 where it is absent), in order, for as long as that is not `None`.
    pub(super) fn merge(
        &self,
        other: &Monomial,
        mut take: impl FnMut(Atom, i32, i32) -> Option<()>,
    ) -> Option<()> {
        let (left, right) = (self.0.as_slice(), other.0.as_slice());
        let (mut own, mut others) = (0, 0);
        loop {
            let (atom, a, b) = match (left.get(own), right.get(others)) {
                (None, None) => return Some(()),
                (Some(&(x, a)), Some(&(y, b))) if x == y => (x, a, b),
                (Some(&(x, a)), Some(&(y, _))) if x < y => (x, a, 0),
                (Some(&(x, a)), None) => (x, a, 0),
                (_, Some(&(y, b))) => (y, 0, b),
            };
            // No power is 0.
            own += usize::from(a != 0);
            others += usize::from(b != 0);
            take(atom, a, b)?;
        }
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        let mut pairs = self.0.iter().zip(&other.0);
        match pairs.find(|(left, right)| left != right) {
            Some(((x, a), (y, b))) => match x.cmp(y) {
                Ordering::Equal => a.cmp(b),
                Ordering::Less => a.cmp(&0),
                Ordering::Greater => 0.cmp(b),
            },
            // One is a prefix of the other: the next power decides.
            None => match (self.0.get(other.0.len()), other.0.get(self.0.len())) {
                (Some((_, a)), _) => a.cmp(&0),
                (_, Some((_, b))) => 0.cmp(b),
                (None, None) => Ordering::Equal,
            },
        }
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `x0^2*x3^-1`, where `x3` is `Atom(3)`.
impl fmt::Debug for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one() {
            return f.write_str("1");
        }
        for (position, (atom, exponent)) in self.0.iter().enumerate() {
            let times = if position == 0 { "" } else { "*" };
            match exponent {
                1 => write!(f, "{times}x{}", atom.0)?,
                _ => write!(f, "{times}x{}^{exponent}", atom.0)?,
            }
        }
        Ok(())
    }
}
