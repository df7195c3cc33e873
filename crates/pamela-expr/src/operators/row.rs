//! What a row says of an operator.

use crate::number::{EvalError, Number};
use crate::ring::Rational;

/// The properties of a function. `exact` and `value` take the order first, which is 1 except for harmonic numbers.
pub struct Row {
    /// Its name in the language.
    pub name: &'static str,
    pub domain: Domain,
    /// The value at a number, if it is exact, defined and short.
    pub exact: fn(u32, &Rational) -> Option<Rational>,
    /// The value at a number.
    ///
    /// # Errors
    /// Fails outside of the domain, for results that are too long and for steps that are too close to decide.
    pub value: fn(u32, &Number) -> Result<Number, EvalError>,
    pub sign: Sign,
    /// What LaTeX has before and after the operand.
    pub latex: [&'static str; 2],
    /// The name of the function in SymPy.
    pub sympy: &'static str,
    /// The name of the function in SQL, if it has one.
    pub sql: Option<&'static str>,
    pub code: Code,
    pub rounding: Rounding,
}

/// The function of emitted code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// One of its own name, of the target language or of its prelude.
    Own,
    /// One of preludes, by its name.
    Helper(&'static str),
    /// Code cannot be emitted.
    None,
}

/// The numbers for which a function is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    All,
    NotNegative,
    Positive,
    /// Whole and not negative.
    Counts,
}

impl Domain {
    /// True if the number is one of them.
    pub fn has(self, x: &Rational) -> bool {
        match self {
            Domain::All => true,
            Domain::NotNegative => !x.is_negative(),
            Domain::Positive => x.is_positive(),
            Domain::Counts => x.is_integer() && !x.is_negative(),
        }
    }
}

/// How well the sign of a value is known that was computed in doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Sure,
    /// As well as that of the operand.
    OfOperand,
    Unsure,
}

/// The error of a value that was computed in doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rounding {
    /// None: it is exact.
    None,
    /// That of the operand.
    OfOperand,
    /// That of a root, which is exact where it is whole.
    OfRoot,
    /// Some digits; none at one operand, or up to it.
    Digits {
        exact_at: f64,
        upto: bool,
        long: bool,
    },
    /// Some digits, but whole numbers that doubles hold are exact.
    Whole,
}

/// The value of operands, with a count of steps.
pub type Valued = fn(&[Number]) -> Result<(Number, u64), EvalError>;

/// The properties of an operation. Places of operands count from 0.
pub struct OperationRow {
    /// Its name in the language.
    pub name: &'static str,
    pub operands: usize,
    /// What the last operands are where they are left out.
    pub defaults: &'static [i64],
    /// True if the order of the operands does not matter.
    pub is_symmetric: bool,
    /// The conditions under which it is defined.
    pub domain: &'static [Condition],
    /// True if its values are whole.
    pub is_whole: bool,
    /// The operands that make a value not negative if they are not negative themselves; none if no operands do.
    pub not_negative_with: Option<&'static [usize]>,
    /// The value of exact operands in its domain, if it is short.
    pub exact: fn(&[&Rational]) -> Option<Rational>,
    /// The value of any operands, with a count of steps.
    ///
    /// # Errors
    /// Fails outside of the domain, and for results that are too long.
    pub value: Valued,
    /// The weight of one operation beside others: an addition has 4.
    pub weight: u64,
    /// The choices that a reader has to follow: a maximum of two has 1.
    pub choices: u32,
    /// How LaTeX writes the name.
    pub latex: &'static str,
    /// The helper of emitted code, if languages have one.
    pub helper: Option<&'static str>,
}

/// A condition on operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Whole(usize),
    NotNegative(usize),
    Positive(usize),
    /// The sum of two is at most a number.
    AtMost([usize; 2], i64),
}

impl Condition {
    /// True if the operands meet it.
    pub fn holds(self, operands: &[&Rational]) -> bool {
        match self {
            Condition::Whole(place) => operands[place].is_integer(),
            Condition::NotNegative(place) => !operands[place].is_negative(),
            Condition::Positive(place) => operands[place].is_positive(),
            Condition::AtMost([a, b], most) => operands[a] + operands[b] <= Rational::from(most),
        }
    }
}
