//! Formulas over ranks, sizes and loop counters, with their values and their text in C.

use super::atoms::{Atom, Guard, Names, RANK, RANKS};
use super::events::NOBODY;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `(constant + a * atom + ..) / divisor`
    Linear {
        constant: i64,
        terms: Vec<(i64, Atom)>,
        divisor: i64,
    },
    /// The rest by the number of ranks.
    Around(Box<Formula>),
    /// The rank with other bits.
    Flipped(Box<Formula>),
    If(Guard, Box<Formula>, Box<Formula>),
}

impl Formula {
    pub fn constant(constant: i64) -> Formula {
        Formula::Linear {
            constant,
            terms: Vec::new(),
            divisor: 1,
        }
    }

    pub fn at(&self, values: &[i64]) -> Option<i64> {
        match self {
            Formula::Linear {
                constant,
                terms,
                divisor,
            } => {
                let mut sum = i128::from(*constant);
                for (factor, atom) in terms {
                    sum += i128::from(*factor) * i128::from(atom.at(values)?);
                }
                let divisor = i128::from(*divisor);
                let exact = sum % divisor == 0;
                exact.then(|| i64::try_from(sum / divisor).ok()).flatten()
            }
            Formula::Around(inner) => Some(inner.at(values)?.rem_euclid(values[RANKS])),
            Formula::Flipped(inner) => Some(inner.at(values)? ^ values[RANK]),
            Formula::If(guard, yes, no) if guard.holds(values) => yes.at(values),
            Formula::If(_, _, no) => no.at(values),
        }
    }

    /// The rank at this distance in one direction or the other, before it is taken by the number of ranks; never below 0.
    pub fn beyond(self, direction: i64) -> Option<Formula> {
        let Formula::Linear {
            constant,
            terms,
            divisor: 1,
        } = self
        else {
            return None;
        };
        let mut all = vec![(1, Atom::One(RANK))];
        all.extend((direction < 0).then_some((1, Atom::One(RANKS))));
        let turned = terms
            .into_iter()
            .map(|(factor, atom)| (direction * factor, atom));
        all.extend(turned);
        Some(Formula::Linear {
            constant: direction * constant,
            terms: all,
            divisor: 1,
        })
    }

    pub fn pieces(&self) -> usize {
        match self {
            Formula::If(_, yes, no) => yes.pieces() + no.pieces(),
            _ => 1,
        }
    }

    /// Text in C.
    pub fn text(&self, names: &Names) -> String {
        match self {
            Formula::Linear {
                constant, terms, ..
            } if terms.is_empty() && *constant == NOBODY => "MPI_PROC_NULL".to_string(),
            Formula::Linear {
                constant,
                terms,
                divisor,
            } => linear_text(*constant, terms, *divisor, names),
            Formula::Around(inner) => format!("({}) % {}", inner.text(names), names.0[RANKS]),
            Formula::Flipped(inner) => format!("({} ^ ({}))", names.0[RANK], inner.text(names)),
            Formula::If(guard, yes, no) => format!(
                "({} ? {} : {})",
                guard.text(names),
                yes.text(names),
                no.text(names)
            ),
        }
    }
}

fn linear_text(constant: i64, terms: &[(i64, Atom)], divisor: i64, names: &Names) -> String {
    let mut text = String::new();
    for (factor, atom) in terms {
        let sign = match (text.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let factor = match factor.unsigned_abs() {
            1 => String::new(),
            other => format!("{other} * "),
        };
        text.push_str(&format!("{sign}{factor}{}", atom.text(names)));
    }
    match constant {
        _ if text.is_empty() => text = constant.to_string(),
        0 => {}
        1.. => text.push_str(&format!(" + {constant}")),
        _ => text.push_str(&format!(" - {}", constant.unsigned_abs())),
    }
    match divisor {
        1 => text,
        _ => format!("(({text}) / {divisor})"),
    }
}
