//! Symbolic whole numbers: polynomials over names, quotients, remainders, minima and others.

mod rounded;

use std::collections::BTreeMap;

/// A name of the model, spelled when the model is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// Indeterminates of a polynomial.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    Symbol(Symbol),
    /// A quotient, rounded down; the divisor is positive.
    Div(Number, Number),
    /// A remainder from 0 to the divisor less 1; the divisor is positive.
    Mod(Number, Number),
    Min(Number, Number),
    Max(Number, Number),
    If(Box<Condition>, Number, Number),
    /// A function of the language, such as `log2`.
    Function(&'static str, Vec<Number>),
    Power(Number, Number),
    /// A real quotient.
    Quotient(Number, Number),
    /// A literal with a fraction or an exponent.
    Real(String),
    /// An expression of the language that the user wrote, with the values of C variables in it.
    Written(Vec<Piece>),
}

/// A part of an expression that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    Text(String),
    Value(Number),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    Constant(bool),
    Compare(Comparison, Number, Number),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    /// The probability that it holds.
    Share(Number),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
}

/// A product of atoms with exponents.
type Monomial = Vec<(Atom, u32)>;

/// A polynomial with whole coefficients; equal polynomials are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    terms: BTreeMap<Monomial, i64>,
}

/// Larger polynomials are not multiplied out: their value counts as not known.
const MOST_TERMS: usize = 64;
/// Names in a short number.
const MOST_NAMES: usize = 24;

impl Number {
    pub fn constant(value: i64) -> Number {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Number { terms }
    }

    pub fn atom(atom: Atom) -> Number {
        Number {
            terms: BTreeMap::from([(vec![(atom, 1)], 1)]),
        }
    }

    pub fn symbol(symbol: Symbol) -> Number {
        Number::atom(Atom::Symbol(symbol))
    }

    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub fn as_symbol(&self) -> Option<Symbol> {
        match self.as_atom() {
            Some(Atom::Symbol(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// The terms with coefficients that a number divides.
    pub fn multiples_of(&self, divisor: i64) -> Number {
        let terms = self.terms.iter().filter(|(_, c)| *c % divisor == 0);
        Number {
            terms: terms.map(|(monomial, c)| (monomial.clone(), *c)).collect(),
        }
    }

    /// The terms that are added, and those that are subtracted, without the constant.
    pub fn sides(&self) -> (Number, Number) {
        let mut sides = (Number::default(), Number::default());
        for (monomial, c) in self.terms.iter().filter(|(own, _)| !own.is_empty()) {
            let side = if *c > 0 { &mut sides.0 } else { &mut sides.1 };
            side.terms.insert(monomial.clone(), c.saturating_abs());
        }
        sides
    }

    pub fn constant_part(&self) -> i64 {
        self.constant_term()
    }

    fn constant_term(&self) -> i64 {
        self.terms.get(&Vec::new()).copied().unwrap_or(0)
    }

    pub fn as_atom(&self) -> Option<&Atom> {
        let (monomial, coefficient) = self.terms.iter().next()?;
        match (&monomial[..], coefficient, self.terms.len()) {
            ([(atom, 1)], 1, 1) => Some(atom),
            _ => None,
        }
    }

    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, c)| (monomial, *c))
    }

    /// `None` if a coefficient does not fit 64 bits, or if the sum is too long.
    pub fn plus(&self, other: &Number) -> Option<Number> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            let entry = sum.terms.entry(monomial.clone()).or_insert(0);
            *entry = entry.checked_add(*coefficient)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    pub fn times(&self, other: &Number) -> Option<Number> {
        if self.terms.len() * other.terms.len() > MOST_TERMS {
            return None;
        }
        let mut product = Number::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let entry = product.terms.entry(merge(a, b)?).or_insert(0);
                *entry = entry.checked_add(x.checked_mul(*y)?)?;
            }
        }
        product.terms.retain(|_, coefficient| *coefficient != 0);
        Some(product)
    }

    pub fn scaled(&self, factor: i64) -> Option<Number> {
        self.times(&Number::constant(factor))
    }

    pub fn minus(&self, other: &Number) -> Option<Number> {
        self.plus(&other.scaled(-1)?)
    }

    pub fn plus_constant(&self, value: i64) -> Option<Number> {
        self.plus(&Number::constant(value))
    }

    /// The quotient, rounded down; `divisor` is positive.
    pub fn div(&self, divisor: &Number) -> Number {
        match (self.as_constant(), divisor.as_constant()) {
            (_, Some(1)) => self.clone(),
            (Some(a), Some(b)) if b > 0 => Number::constant(a.div_euclid(b)),
            (None, Some(b)) if b > 0 && self.terms.values().all(|c| c % b == 0) => Number {
                terms: self.terms.iter().map(|(m, c)| (m.clone(), c / b)).collect(),
            },
            _ => Number::atom(Atom::Div(self.clone(), divisor.clone())),
        }
    }

    /// `divisor` is above 0.
    pub fn modulo(&self, divisor: &Number) -> Number {
        match (self.as_constant(), divisor.as_constant()) {
            (_, Some(1)) => Number::default(),
            (Some(a), Some(b)) if b > 0 => Number::constant(a.rem_euclid(b)),
            _ => Number::atom(Atom::Mod(self.clone(), divisor.clone())),
        }
    }

    pub fn smaller(&self, other: &Number) -> Number {
        self.extreme(other, |difference| difference <= 0, Atom::Min)
    }

    pub fn larger(&self, other: &Number) -> Number {
        self.extreme(other, |difference| difference >= 0, Atom::Max)
    }

    fn extreme(
        &self,
        other: &Number,
        is_first: fn(i64) -> bool,
        atom: fn(Number, Number) -> Atom,
    ) -> Number {
        match self.minus(other).and_then(|d| d.as_constant()) {
            Some(difference) if is_first(difference) => self.clone(),
            Some(_) => other.clone(),
            None => Number::atom(atom(self.clone(), other.clone())),
        }
    }

    pub fn choose(condition: Condition, then: Number, otherwise: Number) -> Number {
        match condition {
            Condition::Constant(true) => then,
            Condition::Constant(false) => otherwise,
            _ if then == otherwise => then,
            // `a < b ? a : b`, as the macros say it.
            Condition::Compare(Comparison::Less | Comparison::LessEqual, a, b)
                if a == then && b == otherwise =>
            {
                then.smaller(&otherwise)
            }
            Condition::Compare(Comparison::Less | Comparison::LessEqual, a, b)
                if b == then && a == otherwise =>
            {
                then.larger(&otherwise)
            }
            condition => Number::atom(Atom::If(Box::new(condition), then, otherwise)),
        }
    }

    /// Calls `visit` with each symbol in it.
    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        for (atom, _) in self.terms.keys().flatten() {
            atom.symbols(visit);
        }
    }

    /// True for a number that people read.
    pub fn is_short(&self) -> bool {
        self.names() <= MOST_NAMES
    }

    /// How many names it has, each as often as it stands there.
    pub fn names(&self) -> usize {
        let mut names = 0;
        self.symbols(&mut |_| names += 1);
        names
    }

    pub fn mentions(&self, symbol: Symbol) -> bool {
        let mut found = false;
        self.symbols(&mut |other| found |= other == symbol);
        found
    }

    /// The number with a value in the place of a symbol.
    pub fn with(&self, symbol: Symbol, value: &Number) -> Option<Number> {
        if !self.mentions(symbol) {
            return Some(self.clone());
        }
        let mut sum = Number::default();
        for (monomial, coefficient) in &self.terms {
            let mut product = Number::constant(*coefficient);
            for (atom, exponent) in monomial {
                let factor = atom.with(symbol, value)?;
                for _ in 0..*exponent {
                    product = product.times(&factor)?;
                }
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }

    /// The coefficient of a symbol that occurs to the first power in one term and nowhere else.
    pub fn coefficient(&self, symbol: Symbol) -> Option<i64> {
        let single = vec![(Atom::Symbol(symbol), 1)];
        let rest = self.terms.keys().filter(|monomial| **monomial != single);
        let mut elsewhere = false;
        for (atom, _) in rest.flatten() {
            atom.symbols(&mut |other| elsewhere |= other == symbol);
        }
        (!elsewhere).then(|| self.terms.get(&single).copied().unwrap_or(0))
    }
}

fn merge(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut merged: BTreeMap<Atom, u32> = a.iter().cloned().collect();
    for (atom, exponent) in b {
        let entry = merged.entry(atom.clone()).or_insert(0);
        *entry = entry.checked_add(*exponent).filter(|e| *e <= 16)?;
    }
    Some(merged.into_iter().collect())
}

impl Atom {
    fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Atom::Symbol(symbol) => visit(*symbol),
            Atom::Div(a, b)
            | Atom::Mod(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Power(a, b)
            | Atom::Quotient(a, b) => {
                a.symbols(visit);
                b.symbols(visit);
            }
            Atom::If(condition, a, b) => {
                condition.symbols(visit);
                a.symbols(visit);
                b.symbols(visit);
            }
            Atom::Function(_, arguments) => arguments.iter().for_each(|a| a.symbols(visit)),
            Atom::Real(_) => {}
            Atom::Written(pieces) => {
                for piece in pieces {
                    if let Piece::Value(value) = piece {
                        value.symbols(visit);
                    }
                }
            }
        }
    }

    fn with(&self, symbol: Symbol, value: &Number) -> Option<Number> {
        let with = |number: &Number| number.with(symbol, value);
        Some(match self {
            Atom::Symbol(other) if *other == symbol => value.clone(),
            Atom::Symbol(_) | Atom::Real(_) => Number::atom(self.clone()),
            Atom::Div(a, b) => with(a)?.div(&with(b)?),
            Atom::Mod(a, b) => with(a)?.modulo(&with(b)?),
            Atom::Min(a, b) => with(a)?.smaller(&with(b)?),
            Atom::Max(a, b) => with(a)?.larger(&with(b)?),
            Atom::Power(a, b) => Number::atom(Atom::Power(with(a)?, with(b)?)),
            Atom::Quotient(a, b) => Number::atom(Atom::Quotient(with(a)?, with(b)?)),
            Atom::If(c, a, b) => Number::choose(c.with(symbol, value)?, with(a)?, with(b)?),
            Atom::Function(name, arguments) => {
                let arguments: Option<Vec<Number>> = arguments.iter().map(with).collect();
                Number::atom(Atom::Function(name, arguments?))
            }
            Atom::Written(pieces) => {
                let pieces: Option<Vec<Piece>> = pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => Some(Piece::Text(text.clone())),
                        Piece::Value(number) => Some(Piece::Value(with(number)?)),
                    })
                    .collect();
                Number::atom(Atom::Written(pieces?))
            }
        })
    }
}

impl Condition {
    /// A comparison, decided if the difference is a number.
    pub fn compare(comparison: Comparison, a: Number, b: Number) -> Condition {
        let difference = a.minus(&b).and_then(|difference| difference.as_constant());
        match difference {
            Some(difference) => Condition::Constant(match comparison {
                Comparison::Less => difference < 0,
                Comparison::LessEqual => difference <= 0,
                Comparison::Equal => difference == 0,
                Comparison::NotEqual => difference != 0,
            }),
            None => {
                // The constants of both sides on the side that is one.
                let by = if a.as_constant().is_some() {
                    b.constant_term()
                } else {
                    a.constant_term()
                };
                let is_apart = a.as_constant().is_some() || b.as_constant().is_some();
                match (a.plus_constant(-by), b.plus_constant(-by)) {
                    (Some(a), Some(b)) if is_apart => Condition::Compare(comparison, a, b),
                    _ => Condition::Compare(comparison, a, b),
                }
            }
        }
    }

    /// `Some(true)` if it holds for the first thread or rank only, `Some(false)` if it holds for all others, `None`
    /// otherwise.
    pub fn is_of_first(&self, index: Symbol) -> Option<bool> {
        let Condition::Compare(comparison, a, b) = self else {
            return None;
        };
        let is_index = |a: &Number| a.as_symbol() == Some(index);
        let is_pair = |a: &Number, b: &Number, bound| is_index(a) && b.as_constant() == Some(bound);
        match comparison {
            Comparison::Equal if is_pair(a, b, 0) || is_pair(b, a, 0) => Some(true),
            Comparison::NotEqual if is_pair(a, b, 0) || is_pair(b, a, 0) => Some(false),
            // None is below 0.
            Comparison::Less if is_pair(a, b, 1) => Some(true),
            Comparison::LessEqual if is_pair(a, b, 0) => Some(true),
            Comparison::Less if is_pair(b, a, 0) => Some(false),
            Comparison::LessEqual if is_pair(b, a, 1) => Some(false),
            _ => None,
        }
    }

    pub fn negated(self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Compare(Comparison::Less, a, b) => {
                Condition::Compare(Comparison::LessEqual, b, a)
            }
            Condition::Compare(Comparison::LessEqual, a, b) => {
                Condition::Compare(Comparison::Less, b, a)
            }
            Condition::Compare(Comparison::Equal, a, b) => {
                Condition::Compare(Comparison::NotEqual, a, b)
            }
            Condition::Compare(Comparison::NotEqual, a, b) => {
                Condition::Compare(Comparison::Equal, a, b)
            }
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Constant(true), c) | (c, Condition::Constant(true)) => c,
            (Condition::Constant(false), _) | (_, Condition::Constant(false)) => {
                Condition::Constant(false)
            }
            (a, b) => Condition::And(Box::new(a), Box::new(b)),
        }
    }

    pub fn or(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Constant(false), c) | (c, Condition::Constant(false)) => c,
            (Condition::Constant(true), _) | (_, Condition::Constant(true)) => {
                Condition::Constant(true)
            }
            (a, b) => Condition::Or(Box::new(a), Box::new(b)),
        }
    }

    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Compare(_, a, b) => {
                a.symbols(visit);
                b.symbols(visit);
            }
            Condition::Not(inner) => inner.symbols(visit),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.symbols(visit);
                b.symbols(visit);
            }
            Condition::Share(number) => number.symbols(visit),
        }
    }

    pub fn with(&self, symbol: Symbol, value: &Number) -> Option<Condition> {
        Some(match self {
            Condition::Constant(_) => self.clone(),
            Condition::Compare(comparison, a, b) => {
                Condition::compare(*comparison, a.with(symbol, value)?, b.with(symbol, value)?)
            }
            Condition::Not(inner) => inner.with(symbol, value)?.negated(),
            Condition::And(a, b) => a.with(symbol, value)?.and(b.with(symbol, value)?),
            Condition::Or(a, b) => a.with(symbol, value)?.or(b.with(symbol, value)?),
            Condition::Share(number) => Condition::Share(number.with(symbol, value)?),
        })
    }
}
