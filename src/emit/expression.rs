//! Expressions in the notation of another language.

use std::collections::HashMap;
use std::fmt;

use super::Language;
use crate::expr::{Arena, ExprId, Node, Relation, Sort};
use crate::ring::Rational;

/// Why there is no text.
#[derive(Clone, Debug)]
pub(crate) enum Refused {
    Open,
    Law,
    Vector,
    Function(&'static str),
    Name(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Open => f.write_str("it is not closed, reductions are left in it"),
            Refused::Law => f.write_str("it depends on a law without closed moments"),
            Refused::Vector => f.write_str("a vector is in it"),
            Refused::Function(name) => write!(f, "that has no function `{name}`"),
            Refused::Name(name) => write!(f, "it depends on `{name}`, which is no number"),
        }
    }
}

/// Longer parts get names of their own.
const MOST_NODES: u32 = 60;

pub(crate) struct Writer<'a> {
    language: Language,
    arena: &'a Arena,
    call: &'a dyn Fn(&str) -> Option<String>,
    parameters: &'a [String],
    /// How often each expression is asked for.
    uses: HashMap<ExprId, usize>,
    known: HashMap<ExprId, String>,
    /// How many nodes are in the text of each expression.
    sizes: HashMap<ExprId, u32>,
    pub parts: Vec<(String, String)>,
}

type Written = Result<String, Refused>;

impl<'a> Writer<'a> {
    pub fn new(
        language: Language,
        arena: &'a Arena,
        roots: &[ExprId],
        call: &'a dyn Fn(&str) -> Option<String>,
        parameters: &'a [String],
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
            language,
            arena,
            call,
            parameters,
            uses,
            known: HashMap::new(),
            sizes: HashMap::new(),
            parts: Vec::new(),
        }
    }

    /// The text of an expression: a name, where it is one of several uses.
    pub fn write(&mut self, id: ExprId) -> Written {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let text = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expression(id))?;
        let operands = self.arena.operands(id);
        let size = operands
            .iter()
            .map(|o| self.sizes.get(o).copied().unwrap_or(1));
        let size = size.fold(1u32, u32::saturating_add);
        let leaf = matches!(self.arena.node(id), Node::Number(_) | Node::Symbol(_));
        let often = self.uses.get(&id).is_some_and(|&uses| uses > 1);
        let named = !leaf && (often || size > MOST_NODES);
        let text = match named {
            true => {
                let mut name = format!("part{}", self.parts.len() + 1);
                while self.parameters.contains(&name) {
                    name.push('_');
                }
                self.parts.push((name.clone(), text));
                name
            }
            false => text,
        };
        self.sizes.insert(id, if named { 1 } else { size });
        self.known.insert(id, text.clone());
        Ok(text)
    }

    fn all(&mut self, list: &[ExprId]) -> Result<Vec<String>, Refused> {
        list.iter().map(|&id| self.write(id)).collect()
    }

    fn expression(&mut self, id: ExprId) -> Written {
        let (arena, language) = (self.arena, self.language);
        if arena.sort(id) != Sort::Scalar {
            return Err(match arena.sort(id) {
                Sort::Law => Refused::Law,
                _ => Refused::Vector,
            });
        }
        match arena.node(id) {
            Node::Number(value) => Ok(language.number(value)),
            Node::Symbol(symbol) => {
                let name = arena.symbol_name(*symbol).ok_or(Refused::Open)?;
                if self.parameters.iter().any(|own| own == name) {
                    return Ok(language.identifier(name));
                }
                (self.call)(name).ok_or_else(|| Refused::Name(name.to_owned()))
            }
            Node::Add(list) => self.sum(list),
            Node::Mul(list) => self.product(list),
            Node::Max(list) => Ok(language.extreme(true, &self.all(list)?)),
            Node::Min(list) => Ok(language.extreme(false, &self.all(list)?)),
            Node::Pow(base, exponent) => self.power(*base, *exponent),
            Node::Mod(a, b) => Ok(language.modulo(&self.write(*a)?, &self.write(*b)?)),
            Node::Compare(relation, a, b) => {
                let relation = match relation {
                    Relation::Less => "<",
                    Relation::LessEqual => "<=",
                    Relation::Equal => "==",
                };
                Ok(language.compare(relation, &self.write(*a)?, &self.write(*b)?))
            }
            Node::Apply(function, operand) => {
                let operand = self.write(*operand)?;
                language.apply(*function, &operand)
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.write(*condition)?;
                let (then, otherwise) = (self.write(*then)?, self.write(*otherwise)?);
                Ok(language.choose(&condition, &then, &otherwise))
            }
            Node::Reduce(_) | Node::VectorMax(_) => Err(Refused::Open),
            Node::Vector(_) | Node::UnitVector(..) => Err(Refused::Vector),
            Node::Call(symbol, _) => {
                let name = arena.symbol_name(*symbol).unwrap_or_default();
                Err(Refused::Name(name.to_owned()))
            }
            Node::Law(..) | Node::Cumulant(..) => Err(Refused::Law),
        }
    }

    /// Terms with coefficient -1 are subtracted.
    fn sum(&mut self, list: &[ExprId]) -> Written {
        let minus_one = Rational::from(-1);
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        for &term in list {
            match self.arena.node(term) {
                Node::Mul(factors) if self.arena.as_number(factors[0]) == Some(&minus_one) => {
                    let rest = factors[1..].to_vec();
                    subtracted.push(self.product(&rest)?);
                }
                _ => added.push(self.write(term)?),
            }
        }
        let mut text = match added.is_empty() {
            true => self.language.number(&Rational::from(0)),
            false => added.join(" + "),
        };
        for term in subtracted {
            text.push_str(" - ");
            text.push_str(&term);
        }
        Ok(format!("({text})"))
    }

    /// Numerator over denominator, so that a quotient is rounded once.
    fn product(&mut self, list: &[ExprId]) -> Written {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for &factor in list {
            match *self.arena.node(factor) {
                Node::Number(ref value) if !value.is_integer() => {
                    let parts = [value.numerator(), value.denominator()].map(Rational::from);
                    if !parts[0].is_one() {
                        above.push(self.language.number(&parts[0]));
                    }
                    below.push(self.language.number(&parts[1]));
                }
                Node::Pow(base, exponent) => match self.arena.as_number(exponent) {
                    Some(power) if power.is_integer() && power.is_negative() => {
                        let power = Rational::from(-1) * power;
                        let base = self.write(base)?;
                        below.push(match power.is_one() {
                            true => base,
                            false => self.language.power(&base, &power),
                        });
                    }
                    _ => above.push(self.write(factor)?),
                },
                _ => above.push(self.write(factor)?),
            }
        }
        let one = || self.language.number(&Rational::from(1));
        let above = match above.is_empty() {
            true => one(),
            false => above.join(" * "),
        };
        Ok(match below.as_slice() {
            [] => format!("({above})"),
            [only] => format!("({above} / {only})"),
            _ => format!("({above} / ({}))", below.join(" * ")),
        })
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) -> Written {
        let text = self.write(base)?;
        match self.arena.as_number(exponent) {
            Some(power) => {
                let power = power.clone();
                Ok(self.language.power(&text, &power))
            }
            None => {
                let exponent = self.write(exponent)?;
                Ok(self.language.power_of(&text, &exponent))
            }
        }
    }
}
