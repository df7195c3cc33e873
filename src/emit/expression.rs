//! Expressions in the notation of another language.

use std::collections::HashMap;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;

use super::reserved::Names;
use crate::expr::{Arena, ExprId, Function, Node, Relation, Sort, SymbolKind};
use crate::ring::Rational;

/// Why there is no text.
#[derive(Clone, Debug)]
pub(crate) enum Refused {
    Open,
    Law,
    Vector,
    Arguments,
    Function(&'static str, &'static str),
    Name(String),
    Mention(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Open => f.write_str("is not closed, reductions are left in it"),
            Refused::Law => f.write_str(
                "is a law; of laws there are the moments that are closed, and `pamela eval` has the rest",
            ),
            Refused::Vector => f.write_str("has a vector whose components are not written out"),
            Refused::Arguments => f.write_str("has arguments, or calls an equation that has some"),
            Refused::Function(function, language) => {
                write!(f, "takes `{function}`, which {language} does not have")
            }
            Refused::Name(name) => write!(f, "depends on `{name}`, which is no number"),
            Refused::Mention(name) => write!(f, "depends on `{name}`, which is left out"),
        }
    }
}

pub(crate) type Written = Result<String, Refused>;

/// The parameters of another equation.
pub(crate) type Call<'a> = &'a dyn Fn(&str) -> Option<Vec<String>>;

/// A divisor that is a number other than zero, or any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divisor {
    Number,
    Any,
}

/// How a language writes operators. Operands are texts that stand alone in any place.
pub(crate) trait Notation {
    fn number(&self, value: &Rational) -> String;

    fn call(&self, names: &Names, name: &str, parameters: &[String]) -> String;

    /// Coefficients stay fractions, since they are exact.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether operands are written more than once, so that they have to be short.
    fn repeats_operands(&self) -> bool {
        false
    }

    fn sum(&self, added: &[String], subtracted: &[String]) -> String {
        let mut text = match added {
            [] => format!("-{}", subtracted[0]),
            _ => added.join(" + "),
        };
        for term in &subtracted[usize::from(added.is_empty())..] {
            text.push_str(" - ");
            text.push_str(term);
        }
        format!("({text})")
    }

    fn product(&self, factors: &[String]) -> String {
        format!("({})", factors.join(" * "))
    }

    fn quotient(&self, above: &str, below: &str, divisor: Divisor) -> String;

    /// `base ^ exponent`; `known` where the exponent is a number.
    fn power(&self, base: &str, exponent: &str, known: Option<&Rational>) -> String;

    fn extreme(&self, largest: bool, operands: &[String]) -> String;

    fn modulo(&self, a: &str, b: &str) -> String;

    fn common_divisor(&self, a: &str, b: &str) -> Written;

    /// 1 where it holds, 0 where it does not, no number where an operand is none.
    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String;

    /// Whether it holds.
    fn relation(&self, relation: Relation, a: &str, b: &str) -> String;

    /// Whether a number is 1.
    fn holds(&self, truth: &str) -> String;

    fn both(&self, truths: &[String]) -> String;

    /// The condition is 0 or 1.
    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String;

    fn apply(&self, function: Function, operand: &str) -> Written;
}

/// Longer parts get names of their own.
const MOST_NODES: u32 = 40;
/// A double holds every whole number up to this one.
const EXACT: i64 = 1 << 53;
/// Stack kept free, and grown by, at a recursion over an expression.
const RED_ZONE: usize = 64 * 1024;
const STACK: usize = 4 * 1024 * 1024;

pub(crate) struct Writer<'a> {
    notation: &'a dyn Notation,
    arena: &'a Arena,
    names: &'a Names,
    call: Call<'a>,
    /// What the names of parts begin with.
    prefix: String,
    /// How often each expression is asked for.
    uses: HashMap<ExprId, usize>,
    known: HashMap<ExprId, String>,
    /// How many nodes are in the text of each expression.
    sizes: HashMap<ExprId, u32>,
    parts: Vec<(String, String)>,
}

impl<'a> Writer<'a> {
    pub fn new(
        notation: &'a dyn Notation,
        arena: &'a Arena,
        names: &'a Names,
        call: Call<'a>,
        prefix: String,
        roots: &[ExprId],
    ) -> Writer<'a> {
        let mut uses: HashMap<ExprId, usize> = HashMap::new();
        let mut pending = roots.to_vec();
        while let Some(id) = pending.pop() {
            let count = uses.entry(id).or_default();
            *count += 1;
            if *count == 1 {
                pending.extend(arena.operands(id));
            }
        }
        Writer {
            notation,
            arena,
            names,
            call,
            prefix,
            uses,
            known: HashMap::new(),
            sizes: HashMap::new(),
            parts: Vec::new(),
        }
    }

    /// The parts that were named, each before those that use it.
    pub fn finish(self) -> Vec<(String, String)> {
        self.parts
    }

    /// The value of a scalar: a name, where it is used several times.
    pub fn number(&mut self, id: ExprId) -> Written {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let text = stacker::maybe_grow(RED_ZONE, STACK, || self.expression(id))?;
        let operands = self.arena.operands(id);
        let sizes = operands
            .iter()
            .map(|o| self.sizes.get(o).copied().unwrap_or(1));
        let size = sizes.fold(1u32, u32::saturating_add);
        let leaf = matches!(self.arena.node(id), Node::Number(_) | Node::Symbol(_));
        let often = self.uses.get(&id).is_some_and(|&uses| uses > 1);
        let named = !leaf && (often || size > MOST_NODES);
        let text = if named { self.name(text) } else { text };
        self.sizes.insert(id, if named { 1 } else { size });
        self.known.insert(id, text.clone());
        Ok(text)
    }

    fn name(&mut self, text: String) -> String {
        let name = format!("{}{}", self.prefix, self.parts.len() + 1);
        self.parts.push((name.clone(), text));
        name
    }

    /// A sum of products.
    pub fn terms(&mut self, terms: &[Vec<ExprId>]) -> Written {
        let written = terms.iter().map(|factors| match factors.as_slice() {
            [only] => self.number(*only),
            factors => self.product(factors),
        });
        let written = written.collect::<Result<Vec<String>, Refused>>()?;
        Ok(match written.as_slice() {
            [] => self.notation.number(&Rational::from(0)),
            [only] => only.clone(),
            several => self.notation.sum(several, &[]),
        })
    }

    /// Whether a scalar that is 0 or 1 is 1.
    pub fn truth(&mut self, id: ExprId) -> Written {
        let notation = self.notation;
        match self.arena.node(id) {
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                Ok(notation.relation(*relation, &a, &b))
            }
            Node::Mul(list) if list.iter().all(|&f| self.is_truth(f)) => {
                let truths: Result<Vec<String>, Refused> =
                    list.iter().map(|&f| self.truth(f)).collect();
                Ok(notation.both(&truths?))
            }
            _ => Ok(notation.holds(&self.number(id)?)),
        }
    }

    fn is_truth(&self, id: ExprId) -> bool {
        let node = self.arena.node(id);
        matches!(node, Node::Compare(..) | Node::Apply(Function::Integer, _))
    }

    fn all(&mut self, list: &[ExprId]) -> Result<Vec<String>, Refused> {
        list.iter().map(|&id| self.operand(id)).collect()
    }

    /// As an operand of what may write it more than once.
    fn operand(&mut self, id: ExprId) -> Written {
        let text = self.number(id)?;
        let leaf = matches!(self.arena.node(id), Node::Number(_) | Node::Symbol(_));
        if leaf || !self.notation.repeats_operands() || self.is_part(&text) {
            return Ok(text);
        }
        let name = self.name(text);
        self.known.insert(id, name.clone());
        Ok(name)
    }

    fn is_part(&self, text: &str) -> bool {
        self.parts.iter().any(|(name, _)| name == text)
    }

    fn expression(&mut self, id: ExprId) -> Written {
        let (arena, notation) = (self.arena, self.notation);
        match arena.sort(id) {
            Sort::Scalar => {}
            Sort::Law => return Err(Refused::Law),
            Sort::Vector => return Err(Refused::Vector),
        }
        match arena.node(id) {
            Node::Number(value) => Ok(notation.number(value)),
            Node::Symbol(symbol) => self.symbol(arena.symbol_kind(*symbol)),
            Node::Add(list) => self.sum(list),
            Node::Mul(list) => self.product(list),
            Node::Max(list) => Ok(notation.extreme(true, &self.all(list)?)),
            Node::Min(list) => Ok(notation.extreme(false, &self.all(list)?)),
            Node::Pow(base, exponent) => match arena.as_number(*exponent) {
                Some(power) if power.is_negative() => self.product(&[id]),
                Some(power) => {
                    let power = power.clone();
                    self.power(*base, &power)
                }
                None => {
                    let (base, exponent) = (self.operand(*base)?, self.operand(*exponent)?);
                    Ok(notation.power(&base, &exponent, None))
                }
            },
            Node::Mod(a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                Ok(notation.modulo(&a, &b))
            }
            Node::CommonDivisor([a, b]) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                notation.common_divisor(&a, &b)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                Ok(notation.bracket(*relation, &a, &b))
            }
            Node::Apply(function, operand) => {
                let operand = self.operand(*operand)?;
                notation.apply(*function, &operand)
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.operand(*condition)?;
                let (then, otherwise) = (self.number(*then)?, self.number(*otherwise)?);
                Ok(notation.choose(&condition, &then, &otherwise))
            }
            Node::Reduce(_) | Node::VectorMax(_) => Err(Refused::Open),
            Node::Vector(_) | Node::UnitVector(..) => Err(Refused::Vector),
            Node::Call(..) => Err(Refused::Arguments),
            Node::Law(..) | Node::Cumulant(..) => Err(Refused::Law),
        }
    }

    fn symbol(&self, kind: &SymbolKind) -> Written {
        let mention = |name: &str| {
            let parameters = (self.call)(name).ok_or_else(|| Refused::Name(name.to_string()))?;
            Ok(self.notation.call(self.names, name, &parameters))
        };
        match kind {
            SymbolKind::Named(name) => Ok(self.names.of(name)),
            SymbolKind::Definition(defined) => mention(&defined.name),
            // Its value is not a number where there is none.
            SymbolKind::HasValue(defined) => {
                let value = mention(&defined.name)?;
                Ok(self.notation.bracket(Relation::Equal, &value, &value))
            }
            SymbolKind::Samples(_) => Err(Refused::Law),
            SymbolKind::Index { .. } | SymbolKind::Fresh(_) => Err(Refused::Open),
        }
    }

    /// Over the common denominator of the coefficients, so that a sum of whole numbers is rounded once.
    fn sum(&mut self, list: &[ExprId]) -> Written {
        let common = match self.notation.is_exact() {
            true => BigInt::from(1),
            false => self.common_denominator(list),
        };
        let scale = Rational::from(common.clone());
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        for &term in list {
            let (coefficient, factors) = self.split(term);
            let coefficient = &coefficient * &scale;
            let size = coefficient.abs();
            let text = match factors.as_slice() {
                [] => self.notation.number(&size),
                [only] if size.is_one() && *only == term => self.number(term)?,
                factors => self.product_of(&size, factors)?,
            };
            match coefficient.is_negative() {
                true => subtracted.push(text),
                false => added.push(text),
            }
        }
        let sum = self.notation.sum(&added, &subtracted);
        Ok(match scale.is_one() {
            true => sum,
            false => {
                let below = self.notation.number(&scale);
                self.notation.quotient(&sum, &below, Divisor::Number)
            }
        })
    }

    /// 1 where the sum times it would have coefficients that doubles do not hold.
    fn common_denominator(&self, list: &[ExprId]) -> BigInt {
        let coefficients: Vec<Rational> = list.iter().map(|&term| self.split(term).0).collect();
        let common = coefficients
            .iter()
            .fold(BigInt::from(1), |all, c| all.lcm(&c.denominator()));
        let scale = Rational::from(common.clone());
        let fits = coefficients.iter().all(|c| {
            let scaled = (c * &scale).to_i64();
            scaled.is_some_and(|n| n.abs() <= EXACT)
        });
        if fits { common } else { BigInt::from(1) }
    }

    /// The number in front of a term, and the rest.
    fn split(&self, term: ExprId) -> (Rational, Vec<ExprId>) {
        match self.arena.node(term) {
            Node::Number(value) => (value.clone(), Vec::new()),
            Node::Mul(factors) => {
                let numbers = factors.iter().filter_map(|&f| self.arena.as_number(f));
                let rest = factors
                    .iter()
                    .filter(|&&f| self.arena.as_number(f).is_none());
                let one = Rational::from(1);
                let rest: Vec<ExprId> = rest.copied().collect();
                (numbers.fold(one, |all, number| &all * number), rest)
            }
            _ => (Rational::from(1), vec![term]),
        }
    }

    fn product(&mut self, list: &[ExprId]) -> Written {
        let numbers = list.iter().filter_map(|&f| self.arena.as_number(f));
        let coefficient = numbers.fold(Rational::from(1), |all, number| &all * number);
        let rest = list.iter().filter(|&&f| self.arena.as_number(f).is_none());
        let rest: Vec<ExprId> = rest.copied().collect();
        self.product_of(&coefficient, &rest)
    }

    /// Numerator over denominator, so that a quotient of whole numbers is rounded once.
    fn product_of(&mut self, coefficient: &Rational, factors: &[ExprId]) -> Written {
        let notation = self.notation;
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut divisor = Divisor::Number;
        let [top, bottom] =
            [coefficient.numerator(), coefficient.denominator()].map(Rational::from);
        if !top.is_one() || factors.is_empty() {
            above.push(notation.number(&top));
        }
        if !bottom.is_one() {
            below.push(notation.number(&bottom));
        }
        for &factor in factors {
            match *self.arena.node(factor) {
                Node::Pow(base, exponent) => match self.arena.as_number(exponent) {
                    Some(power) if power.is_negative() => {
                        let power = power.abs();
                        below.push(self.power(base, &power)?);
                        divisor = Divisor::Any;
                    }
                    _ => above.push(self.number(factor)?),
                },
                _ => above.push(self.number(factor)?),
            }
        }
        let text = |list: &[String]| match list {
            [] => notation.number(&Rational::from(1)),
            [only] => only.clone(),
            _ => notation.product(list),
        };
        Ok(match below.is_empty() {
            true => text(&above),
            false => notation.quotient(&text(&above), &text(&below), divisor),
        })
    }

    /// A power by a positive number.
    fn power(&mut self, base: ExprId, power: &Rational) -> Written {
        if power.is_one() {
            return self.number(base);
        }
        let text = self.operand(base)?;
        let exponent = self.notation.number(power);
        Ok(self.notation.power(&text, &exponent, Some(power)))
    }
}
