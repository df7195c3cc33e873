//! Proofs by cases: a number with a choice, a minimum or a maximum in it is at least 0 where it is in each case.

use super::number::*;
use super::state::Facts;

/// Choices that a proof goes through at once.
const DEEPEST: usize = 4;

/// A value of a choice, and the facts where it has this value.
struct Case {
    known: Vec<Number>,
    value: Number,
}

impl Facts {
    /// Like `nonnegative`, also where only cases show it.
    pub fn nonnegative_by_cases(&self, number: &Number) -> bool {
        self.by_cases(number, DEEPEST)
    }

    /// True if a number is proved to be below 0, also by cases.
    pub fn is_negative(&self, number: &Number) -> bool {
        let below = number
            .scaled(-1)
            .and_then(|number| number.plus_constant(-1));
        below.is_some_and(|below| self.nonnegative_by_cases(&below))
    }

    fn by_cases(&self, number: &Number, depth: usize) -> bool {
        if self.nonnegative(number) {
            return true;
        }
        let Some((atom, cases)) = (depth > 0).then(|| number.cases()).flatten() else {
            return false;
        };
        cases.into_iter().all(|case| {
            let Some(own) = number.with_atom(&atom, &case.value) else {
                return false;
            };
            let mut facts = self.clone();
            facts.known.extend(case.known);
            // A case that cannot be is none.
            facts.by_cases(&own, depth - 1) || facts.nonnegative(&Number::constant(-1))
        })
    }
}

impl Number {
    /// The first choice in a number, with its cases.
    fn cases(&self) -> Option<(Atom, Vec<Case>)> {
        let atoms = self.terms().flat_map(|(monomial, _)| monomial);
        let mut found = atoms.filter_map(|(atom, _)| {
            let case = |known: Vec<Number>, value: &Number| Case {
                known,
                value: value.clone(),
            };
            let above = |a: &Number, b: &Number| a.minus(b).into_iter().collect();
            let cases = match atom {
                Atom::Min(a, b) => vec![case(above(b, a), a), case(above(a, b), b)],
                Atom::Max(a, b) => vec![case(above(a, b), a), case(above(b, a), b)],
                Atom::If(condition, a, b) => {
                    let otherwise = (**condition).clone().negated();
                    vec![case(condition.says(), a), case(otherwise.says(), b)]
                }
                _ => return None,
            };
            Some((atom.clone(), cases))
        });
        found.next()
    }

    /// The number with a value in the place of an atom, where this is a factor of its terms.
    fn with_atom(&self, atom: &Atom, value: &Number) -> Option<Number> {
        self.terms()
            .try_fold(Number::default(), |sum, (monomial, coefficient)| {
                let mut factors = monomial.iter();
                let term =
                    factors.try_fold(Number::constant(coefficient), |term, (own, power)| {
                        let factor = if own == atom {
                            value.clone()
                        } else {
                            Number::atom(own.clone())
                        };
                        (0..*power).try_fold(term, |term, _| term.times(&factor))
                    })?;
                sum.plus(&term)
            })
    }
}

impl Condition {
    /// Numbers that are at least 0 where a condition holds.
    fn says(&self) -> Vec<Number> {
        let less = |a: &Number, b: &Number, by: i64| {
            // Between real numbers there are others.
            let by = by * i64::from(!a.is_real() && !b.is_real());
            b.minus(a).and_then(|d| d.plus_constant(-by))
        };
        match self {
            Condition::Compare(Comparison::Less, a, b) => less(a, b, 1).into_iter().collect(),
            Condition::Compare(Comparison::LessEqual, a, b) => less(a, b, 0).into_iter().collect(),
            Condition::Compare(Comparison::Equal, a, b) => {
                less(a, b, 0).into_iter().chain(less(b, a, 0)).collect()
            }
            Condition::And(a, b) => [a.says(), b.says()].concat(),
            _ => Vec::new(),
        }
    }
}
