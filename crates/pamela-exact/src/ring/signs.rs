//! Known signs: of atoms, inferred from facts, and of whole polynomials term by term.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fact::{Fact, Relation};
use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Number of passes over the facts: a chain such as `1 <= i <= N <= M` needs one pass per link.
const MAX_PASSES: usize = 6;

/// The atoms of which a monomial has a positive power, as a set that may have others, too.
pub(super) fn multiplied(monomial: &Monomial) -> u64 {
    let powers = monomial.powers().iter();
    let positive = powers.filter(|&&(_, exponent)| exponent > 0);
    positive.fold(0, |set, &(atom, _)| set | bit(atom))
}

fn bit(atom: Atom) -> u64 {
    1 << (atom.0 % u64::BITS)
}

/// Each flag is knowledge; none set means nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sign {
    pub nonnegative: bool,
    pub nonpositive: bool,
    pub nonzero: bool,
}

impl Sign {
    pub fn of(value: &Rational) -> Sign {
        Sign {
            nonnegative: !value.is_negative(),
            nonpositive: !value.is_positive(),
            nonzero: !value.is_zero(),
        }
    }

    /// The sign of a left-hand side that stands in the relation to 0.
    fn in_relation(relation: Relation) -> Sign {
        Sign {
            nonnegative: true,
            nonpositive: relation == Relation::Zero,
            nonzero: relation == Relation::Positive,
        }
    }

    pub fn times(self, other: Sign) -> Sign {
        Sign {
            nonnegative: (self.nonnegative && other.nonnegative)
                || (self.nonpositive && other.nonpositive),
            nonpositive: (self.nonnegative && other.nonpositive)
                || (self.nonpositive && other.nonnegative),
            nonzero: self.nonzero && other.nonzero,
        }
    }

    fn plus(self, other: Sign) -> Sign {
        let nonnegative = self.nonnegative && other.nonnegative;
        let nonpositive = self.nonpositive && other.nonpositive;
        Sign {
            nonnegative,
            nonpositive,
            nonzero: (nonnegative || nonpositive) && (self.nonzero || other.nonzero),
        }
    }

    fn negated(self) -> Sign {
        Sign {
            nonnegative: self.nonpositive,
            nonpositive: self.nonnegative,
            nonzero: self.nonzero,
        }
    }

    fn and(self, other: Sign) -> Sign {
        Sign {
            nonnegative: self.nonnegative || other.nonnegative,
            nonpositive: self.nonpositive || other.nonpositive,
            nonzero: self.nonzero || other.nonzero,
        }
    }

    /// The sign of a power that is defined: a base with a negative exponent is not 0.
    fn power(self, exponent: i32) -> Sign {
        let base = Sign {
            nonzero: self.nonzero || exponent < 0,
            ..self
        };
        if exponent % 2 == 0 {
            Sign {
                nonnegative: true,
                nonpositive: false,
                nonzero: base.nonzero,
            }
        } else {
            base
        }
    }
}

/// A fact `coefficient * atom + rest`, stands in its relation to 0`, solved for one of its atoms:
/// neither part mentions it.
pub(super) struct Bound {
    pub atom: Atom,
    pub coefficient: Polynomial,
    pub rest: Polynomial,
}

/// Every way to read a fact as a bound of an atom, that is, where it is linear in the atom.
pub(super) fn bounds_of(fact: &Fact) -> Rc<[Bound]> {
    let exponents = fact.polynomial.exponents().into_iter();
    let linear = exponents.filter(|&(_, (least, greatest))| least >= 0 && greatest == 1);
    let bounds = linear.map(|(atom, _)| {
        let (coefficient, rest) = fact.polynomial.split_by(atom);
        Bound {
            atom,
            coefficient,
            rest,
        }
    });
    bounds.collect()
}

/// The same of several facts.
pub(super) fn bounds(facts: &[Fact]) -> Vec<Rc<[Bound]>> {
    facts.iter().map(bounds_of).collect()
}

/// The known signs of atoms.
#[derive(Clone, Default)]
pub(super) struct Signs {
    known: FxHashMap<Atom, Sign>,
    /// Number of terms examined to infer the signs.
    pub work: u64,
}

impl Signs {
    /// What the bounds say of signs, found by going through them until nothing new is learnt.
    pub fn infer(relations: &[Relation], bounds: &[Rc<[Bound]>]) -> Signs {
        let mut signs = Signs::default();
        let terms_read = |bound: &Bound| bound.coefficient.len() + bound.rest.len();
        let terms = bounds.iter().flat_map(|of| of.iter()).map(terms_read);
        let terms = terms.sum::<usize>() as u64;
        for _ in 0..MAX_PASSES {
            let mut learnt = false;
            signs.work += terms;
            let of_facts = relations.iter().zip(bounds);
            for (&relation, bound) in of_facts.flat_map(|(r, of)| of.iter().map(move |b| (r, b))) {
                // atom = (fact - rest) / coefficient
                let fact = Sign::in_relation(relation);
                let divisor = signs.of_polynomial(&bound.coefficient);
                if !divisor.nonzero {
                    continue;
                }
                let rest = signs.of_polynomial(&bound.rest).negated();
                learnt |= signs.learn(bound.atom, fact.plus(rest).times(divisor));
            }
            if !learnt {
                break;
            }
        }
        signs
    }

    /// True if this was not known before.
    pub fn learn(&mut self, atom: Atom, sign: Sign) -> bool {
        let known = self.known.entry(atom).or_default();
        let both = known.and(sign);
        let news = both != *known;
        *known = both;
        news
    }

    pub fn of_atom(&self, atom: Atom) -> Sign {
        self.known.get(&atom).copied().unwrap_or_default()
    }

    pub fn of_monomial(&self, monomial: &Monomial) -> Sign {
        let powers = monomial.powers().iter();
        powers.fold(Sign::of(&Rational::ONE), |sign, (atom, exponent)| {
            sign.times(self.of_atom(*atom).power(*exponent))
        })
    }

    /// The sign of a quotient; `None` if it is not known to be defined.
    pub fn of_quotient(&self, dividend: &Monomial, divisor: &Monomial) -> Option<Sign> {
        let mut sign = Sign::of(&Rational::ONE);
        dividend.merge(divisor, |atom, own, other| {
            let exponent = own.checked_sub(other)?;
            let base = self.of_atom(atom);
            if exponent < 0 && !base.nonzero {
                return None;
            }
            if exponent != 0 {
                sign = sign.times(base.power(exponent));
            }
            Some(())
        })?;
        Some(sign)
    }

    pub fn of_term(&self, monomial: &Monomial, coefficient: &Rational) -> Sign {
        self.of_monomial(monomial).times(Sign::of(coefficient))
    }

    /// The sign is known if all terms agree.
    pub fn of_polynomial(&self, polynomial: &Polynomial) -> Sign {
        let mut sum = Sign::of(&Rational::ZERO);
        for (monomial, coefficient) in polynomial.terms() {
            sum = sum.plus(self.of_term(monomial, coefficient));
            // Further terms do not determine a sum of unknown sign.
            if !(sum.nonnegative || sum.nonpositive) {
                return Sign::default();
            }
        }
        sum
    }

    /// The atoms in the divisor that may be 0, as a set that may contain further atoms. A dividend needs a power of
    /// each of them, or the quotient may be undefined.
    pub fn wanted(&self, divisor: &Monomial) -> u64 {
        let powers = divisor.powers().iter();
        let wanted =
            powers.filter(|&&(atom, exponent)| exponent > 0 && !self.of_atom(atom).nonzero);
        wanted.fold(0, |set, &(atom, _)| set | bit(atom))
    }
}
