//! Terms of formulas over whole numbers, and conditions: sizes, ranks and loop counters.

use std::fmt::Write;

/// Values of the variables, in the order of [`Names`].
pub type Values = Vec<i64>;

/// Index of the rank and of the number of ranks.
pub const RANK: usize = 0;
pub const RANKS: usize = 1;

/// The variables: `rank`, `P`, sizes, and the counters of the loops around from the outermost on.
#[derive(Clone, Debug)]
pub struct Names(pub Vec<String>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    One(usize),
    Product(usize, usize),
    Quotient(usize, usize),
    Rest(usize, usize),
    /// Quotient rounded up.
    Ceiling(usize, usize),
    /// Quotient of a product.
    Share(usize, usize, usize),
    /// Product of a number, or of the own part of it, with the own part of another: `a / P * (b / P)`.
    Rows(usize, usize),
    Block(usize, usize),
    /// A power of 2, for partners whose number has another bit.
    Bit(usize),
    /// 1 for ranks that have one more than others: `rank < n % P`.
    Larger(usize),
}

impl Atom {
    /// None where it is not defined.
    pub fn at(self, values: &[i64]) -> Option<i64> {
        let positive = |at: usize| Some(values[at]).filter(|value| *value > 0);
        match self {
            Atom::One(a) => Some(values[a]),
            Atom::Product(a, b) => values[a].checked_mul(values[b]),
            Atom::Quotient(a, b) => Some(values[a].div_euclid(positive(b)?)),
            Atom::Rest(a, b) => Some(values[a].rem_euclid(positive(b)?)),
            Atom::Ceiling(a, b) => Some((values[a] + values[b] - 1).div_euclid(positive(b)?)),
            Atom::Share(a, b, c) => {
                Some(values[a].checked_mul(values[b])?.div_euclid(positive(c)?))
            }
            Atom::Bit(a) => {
                let place = u32::try_from(values[a]).ok()?;
                1_i64.checked_shl(place).filter(|bit| *bit > 0)
            }
            Atom::Rows(a, b) => values[a].checked_mul(values[b].div_euclid(positive(RANKS)?)),
            Atom::Block(a, b) => {
                let ranks = positive(RANKS)?;
                values[a]
                    .div_euclid(ranks)
                    .checked_mul(values[b].div_euclid(ranks))
            }
            Atom::Larger(a) => Some(i64::from(
                values[RANK] < values[a].rem_euclid(positive(RANKS)?),
            )),
        }
    }

    /// All terms of so many variables, the simplest first; counters are those from `counters` on.
    pub fn all(count: usize, counters: usize) -> Vec<Atom> {
        let sizes = 2..counters;
        let mut all: Vec<Atom> = (0..count).map(Atom::One).collect();
        for a in sizes.clone() {
            all.extend([
                Atom::Quotient(a, RANKS),
                Atom::Ceiling(a, RANKS),
                Atom::Larger(a),
            ]);
        }
        for a in 0..count {
            all.extend((a..count).map(|b| Atom::Product(a, b)));
        }
        for a in 0..count {
            let others = (RANKS..counters).filter(|b| *b != a);
            for b in others {
                let is_listed = b == RANKS && sizes.contains(&a);
                all.extend((!is_listed).then_some(Atom::Quotient(a, b)));
                all.push(Atom::Rest(a, b));
            }
        }
        for a in sizes.clone() {
            all.extend(sizes.clone().map(|b| Atom::Rows(a, b)));
            all.extend(sizes.clone().filter(|b| *b >= a).map(|b| Atom::Block(a, b)));
            all.extend(
                sizes
                    .clone()
                    .filter(|b| *b >= a)
                    .map(|b| Atom::Share(a, b, RANKS)),
            );
        }
        all
    }

    pub fn text(self, names: &Names) -> String {
        let name = |at: usize| &names.0[at];
        match self {
            Atom::One(a) => name(a).clone(),
            Atom::Product(a, b) => format!("{} * {}", name(a), name(b)),
            Atom::Quotient(a, b) => format!("({} / {})", name(a), name(b)),
            Atom::Rest(a, b) => format!("({} % {})", name(a), name(b)),
            Atom::Ceiling(a, b) => format!("(({} + {} - 1) / {})", name(a), name(b), name(b)),
            Atom::Share(a, b, c) => format!("({} * {} / {})", name(a), name(b), name(c)),
            Atom::Bit(a) => format!("(1 << {})", name(a)),
            Atom::Rows(a, b) => format!("{} * ({} / {})", name(a), name(b), name(RANKS)),
            Atom::Block(a, b) => {
                let ranks = name(RANKS);
                format!("({} / {ranks}) * ({} / {ranks})", name(a), name(b))
            }
            Atom::Larger(a) => {
                format!("({} < {} % {} ? 1 : 0)", name(RANK), name(a), name(RANKS))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Unequal,
    Less,
    AtLeast,
}

/// Left side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    One(usize),
    /// Rest and quotient of a variable by a number.
    Rest(usize, i64),
    Quotient(usize, i64),
}

/// `side relation base - number`, where the base may be a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub side: Side,
    pub relation: Relation,
    pub base: Option<usize>,
    pub number: i64,
}

impl Comparison {
    pub fn holds(&self, values: &[i64]) -> bool {
        let left = match self.side {
            Side::One(a) => values[a],
            Side::Rest(a, by) => values[a].rem_euclid(by),
            Side::Quotient(a, by) => values[a].div_euclid(by),
        };
        let right = match self.base {
            Some(base) => values[base] - self.number,
            None => self.number,
        };
        match self.relation {
            Relation::Equal => left == right,
            Relation::Unequal => left != right,
            Relation::Less => left < right,
            Relation::AtLeast => left >= right,
        }
    }

    fn text(&self, names: &Names) -> String {
        let left = match self.side {
            Side::One(a) => names.0[a].clone(),
            Side::Rest(a, by) => format!("{} % {by}", names.0[a]),
            Side::Quotient(a, by) => format!("{} / {by}", names.0[a]),
        };
        let relation = match self.relation {
            Relation::Equal => "==",
            Relation::Unequal => "!=",
            Relation::Less => "<",
            Relation::AtLeast => ">=",
        };
        match self.base {
            Some(base) => format!("{left} {relation} {} - {}", names.0[base], self.number),
            None => format!("{left} {relation} {}", self.number),
        }
    }
}

/// A condition: one of several lists of comparisons holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard(pub Vec<Vec<Comparison>>);

impl Guard {
    pub fn holds(&self, values: &[i64]) -> bool {
        let all = |list: &Vec<Comparison>| list.iter().all(|own| own.holds(values));
        self.0.iter().any(all)
    }

    pub fn text(&self, names: &Names) -> String {
        let mut text = String::new();
        for list in &self.0 {
            let texts: Vec<String> = list.iter().map(|own| own.text(names)).collect();
            let list = texts.join(" && ");
            let between = if text.is_empty() { "" } else { " || " };
            let _ = if self.0.len() > 1 {
                write!(text, "{between}({list})")
            } else {
                write!(text, "{list}")
            };
        }
        text
    }
}
