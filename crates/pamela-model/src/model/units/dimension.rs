//! Dimensions: powers of base units, and linear equations over their exponents.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::diagnostic::Span;
use crate::ring::Rational;
use crate::syntax::tree::{Meaning, Name, Unit, UnitPart};

/// Nonzero powers of base units of a quantity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimension(BTreeMap<String, Rational>);

impl Dimension {
    /// The dimension of a base unit.
    pub fn base(name: &str) -> Dimension {
        Dimension(BTreeMap::from([(name.to_owned(), Rational::ONE)]))
    }

    /// True if dimensionless.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Base units with their powers.
    pub fn powers(&self) -> impl Iterator<Item = (&str, &Rational)> {
        self.0.iter().map(|(base, power)| (base.as_str(), power))
    }

    /// The unit in base units, as far as powers are whole.
    pub fn unit(&self, span: Span) -> Unit {
        let whole = |(base, power): (&String, &Rational)| {
            let power = i32::try_from(power.to_i64()?).ok()?;
            Some((base.clone(), power))
        };
        let bases: Vec<(String, i32)> = self.0.iter().filter_map(whole).collect();
        let part = |(base, power): &(String, i32)| UnitPart {
            name: Name {
                text: base.clone(),
                span,
            },
            power: *power,
        };
        let scale = Rational::ONE;
        Unit {
            parts: bases.iter().map(part).collect(),
            span,
            meaning: Some(Arc::new(Meaning { scale, bases })),
        }
    }

    /// The product with a power of another dimension.
    pub fn times(&self, other: &Dimension, power: &Rational) -> Dimension {
        let mut product = self.0.clone();
        for (base, own) in &other.0 {
            let sum = product.entry(base.clone()).or_default();
            *sum = sum.clone() + own.clone() * power.clone();
        }
        product.retain(|_, power| !power.is_zero());
        Dimension(product)
    }
}

impl From<&Meaning> for Dimension {
    fn from(meaning: &Meaning) -> Dimension {
        let powers = meaning.bases.iter();
        Dimension(
            powers
                .map(|(base, power)| (base.clone(), Rational::from(i64::from(*power))))
                .collect(),
        )
    }
}

/// `B/s`, without brackets; `1` of a number.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (above, below): (Vec<_>, Vec<_>) = self.powers().partition(|(_, p)| p.is_positive());
        let part = |(base, power): &(&str, &Rational)| match power.abs() {
            power if power.is_one() => (*base).to_owned(),
            power => format!("{base}^{power}"),
        };
        let join = |parts: &[(&str, &Rational)], sign: &str| {
            parts.iter().map(part).collect::<Vec<_>>().join(sign)
        };
        if above.is_empty() {
            f.write_str("1")?
        } else {
            f.write_str(&join(&above, "*"))?
        }
        if below.is_empty() {
            Ok(())
        } else {
            write!(f, "/{}", join(&below, "/"))
        }
    }
}

/// A base unit, or a dimension that is not known yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Base(String),
    Unknown(usize),
}

/// A product of powers of base units and of unknown dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Term(BTreeMap<Atom, Rational>);

impl Term {
    pub(super) fn of(dimension: &Dimension) -> Term {
        let powers = dimension.0.iter();
        Term(
            powers
                .map(|(base, power)| (Atom::Base(base.clone()), power.clone()))
                .collect(),
        )
    }

    /// The product with a power of another term.
    pub(super) fn times(mut self, other: &Term, power: &Rational) -> Term {
        for (atom, own) in &other.0 {
            let sum = self.0.entry(atom.clone()).or_default();
            *sum = sum.clone() + own.clone() * power.clone();
        }
        self.0.retain(|_, power| !power.is_zero());
        self
    }

    pub(super) fn power(&self, power: &Rational) -> Term {
        Term::default().times(self, power)
    }

    pub(super) fn unknowns(&self) -> impl Iterator<Item = usize> {
        self.0.keys().filter_map(|atom| match atom {
            Atom::Unknown(number) => Some(*number),
            Atom::Base(_) => None,
        })
    }

    /// The dimension if all unknowns are dimensionless.
    pub(super) fn known(&self) -> Dimension {
        let powers = self.0.iter().filter_map(|(atom, power)| match atom {
            Atom::Base(base) => Some((base.clone(), power.clone())),
            Atom::Unknown(_) => None,
        });
        Dimension(powers.collect())
    }

    pub(super) fn is_known(&self) -> bool {
        self.unknowns().next().is_none()
    }
}

/// Solved unknown dimensions: a linear system in triangular form.
#[derive(Debug, Default)]
pub(super) struct System {
    solved: HashMap<usize, Term>,
    /// Locations at which unknowns were solved.
    pub(super) causes: HashMap<usize, Span>,
    next: usize,
}

impl System {
    pub(super) fn fresh(&mut self) -> Term {
        self.next += 1;
        Term(BTreeMap::from([(
            Atom::Unknown(self.next - 1),
            Rational::ONE,
        )]))
    }

    /// Number of unknowns so far.
    pub(super) fn count(&self) -> usize {
        self.next
    }

    /// Replaces solved unknowns in a term.
    pub(super) fn resolve(&self, term: &Term) -> Term {
        let mut term = term.clone();
        // Each step is by an unknown that is later than those it brings.
        while let Some((unknown, value)) = term
            .unknowns()
            .filter_map(|unknown| Some((unknown, self.solved.get(&unknown)?)))
            .last()
        {
            let Some(power) = term.0.remove(&Atom::Unknown(unknown)) else {
                break;
            };
            term = term.times(value, &power);
        }
        term
    }

    /// Makes two terms equal, if possible; solves for the latest unknown.
    pub(super) fn unify(&mut self, a: &Term, b: &Term, place: Span) -> bool {
        let minus_one = Rational::from(-1);
        let mut rest = self.resolve(&a.clone().times(b, &minus_one));
        if rest.0.is_empty() {
            return true;
        }
        let Some(latest) = rest.unknowns().last() else {
            return false;
        };
        let power = rest.0.remove(&Atom::Unknown(latest)).unwrap_or_default();
        let Some(share) = power.recip() else {
            return false;
        };
        self.solved.insert(latest, rest.power(&(minus_one * share)));
        self.causes.insert(latest, place);
        true
    }

    /// Copies a term with fresh unknowns in place of those from `first` on.
    pub(super) fn copy(
        &mut self,
        term: &Term,
        first: usize,
        copies: &mut HashMap<usize, Term>,
    ) -> Term {
        let mut copy = Term::default();
        for (atom, power) in &self.resolve(term).0 {
            let own = match atom {
                Atom::Unknown(number) if *number >= first => {
                    let known = copies.get(number).cloned();
                    let own = known.unwrap_or_else(|| self.fresh());
                    copies.insert(*number, own.clone());
                    own
                }
                _ => Term(BTreeMap::from([(atom.clone(), Rational::ONE)])),
            };
            copy = copy.times(&own, power);
        }
        copy
    }
}
