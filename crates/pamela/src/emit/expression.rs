//! Writes expressions in the notation of another language.

use std::collections::HashMap;

use super::bound::Bound;
use super::notation::{Call, Notation, Obstacle, Translation};
use super::reserved::Names;
use crate::expr::{Arena, ExprId, Function, Node, Relation, Sort, SymbolKind};
use crate::ring::Rational;
use crate::with_stack;

/// Longer parts get names of their own.
const MOST_NODES: u32 = 40;
/// Doubles hold every whole number up to this one.
pub(super) const EXACT: i64 = 1 << 53;
/// Roots of higher orders are written as powers.
pub(super) const MOST_ORDER: i64 = 50;

pub(crate) struct Writer<'a> {
    pub(super) notation: &'a dyn Notation,
    pub(super) arena: &'a Arena,
    names: &'a Names,
    call: Call<'a>,
    /// Parameters that are declared whole.
    pub(super) whole: Vec<String>,
    pub(super) bounds: HashMap<ExprId, Bound>,
    /// Prefix of the names of shared parts.
    prefix: String,
    /// Number of uses of each expression.
    uses: HashMap<ExprId, usize>,
    known: HashMap<ExprId, String>,
    /// Number of nodes in the text of each expression.
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
            whole: Vec::new(),
            bounds: HashMap::new(),
            prefix,
            uses,
            known: HashMap::new(),
            sizes: HashMap::new(),
            parts: Vec::new(),
        }
    }

    /// The shared parts with their names, each before the parts that use it.
    pub fn finish(self) -> Vec<(String, String)> {
        self.parts
    }

    /// The value of a scalar; a name if it is used several times or is long.
    pub fn number(&mut self, id: ExprId) -> Translation {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let text = with_stack(|| self.expression(id))?;
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

    pub(super) fn with_room<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        with_stack(|| step(self))
    }

    /// A text that may be written more than once: a number or a name.
    pub(super) fn short(&mut self, text: String) -> String {
        let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '"');
        let number = text.parse::<f64>().is_ok();
        if number || text.chars().all(letter) {
            text
        } else {
            let known = self.parts.iter().find(|(_, own)| *own == text);
            match known {
                Some((name, _)) => name.clone(),
                None => self.name(text),
            }
        }
    }

    pub(super) fn short_number(&mut self, id: ExprId) -> Translation {
        let text = self.number(id)?;
        let text = self.short(text);
        self.known.insert(id, text.clone());
        Ok(text)
    }

    fn name(&mut self, text: String) -> String {
        let name = format!("{}{}", self.prefix, self.parts.len() + 1);
        self.parts.push((name.clone(), text));
        name
    }

    /// A sum of products.
    pub fn terms(&mut self, terms: &[Vec<ExprId>]) -> Translation {
        let written = terms.iter().map(|factors| match factors.as_slice() {
            [only] => self.number(*only),
            factors => self.product(factors),
        });
        let written = written.collect::<Result<Vec<String>, Obstacle>>()?;
        Ok(match written.as_slice() {
            [] => self.notation.number(&Rational::from(0)),
            [only] => only.clone(),
            several => self.notation.sum(several, &[]),
        })
    }

    /// A condition that is true where a scalar of 0 or 1 equals 1.
    pub fn truth(&mut self, id: ExprId) -> Translation {
        let notation = self.notation;
        match self.arena.node(id) {
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                Ok(notation.relation(*relation, &a, &b))
            }
            Node::Mul(list) if list.iter().all(|&f| self.is_truth(f)) => {
                let truths: Result<Vec<String>, Obstacle> =
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

    fn all(&mut self, list: &[ExprId]) -> Result<Vec<String>, Obstacle> {
        list.iter().map(|&id| self.operand(id)).collect()
    }

    /// Like [`Writer::number`], as an operand that may be written more than once.
    pub(super) fn operand(&mut self, id: ExprId) -> Translation {
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

    fn expression(&mut self, id: ExprId) -> Translation {
        let (arena, notation) = (self.arena, self.notation);
        match arena.sort(id) {
            Sort::Scalar => {}
            Sort::Law => return Err(Obstacle::Law),
            Sort::Vector => return Err(Obstacle::Vector),
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
            Node::Operate(operation, list) => match operation.row().helper {
                Some(helper) => notation.operate(operation.row().name, helper, &self.all(list)?),
                None => Err(Obstacle::Function(
                    operation.row().name,
                    notation.language(),
                )),
            },
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
            Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(..) => Err(Obstacle::Open),
            Node::Vector(_) | Node::UnitVector(..) => Err(Obstacle::Vector),
            Node::Call(..) => Err(Obstacle::Arguments),
            Node::Law(..) | Node::Cumulant(..) => Err(Obstacle::Law),
            Node::Quantile(..) => Err(Obstacle::Function("quantile", notation.language())),
            Node::Probability(..) => Err(Obstacle::Function("prob", notation.language())),
        }
    }

    fn symbol(&self, kind: &SymbolKind) -> Translation {
        let mention = |name: &str| {
            let parameters = (self.call)(name).ok_or_else(|| Obstacle::Name(name.to_string()))?;
            Ok(self.notation.call(self.names, name, &parameters))
        };
        match kind {
            SymbolKind::Named(name) => Ok(self.notation.name(&self.names.of(name))),
            SymbolKind::Definition(defined) => mention(&defined.name),
            // An undefined value is NaN.
            SymbolKind::HasValue(defined) => {
                let value = mention(&defined.name)?;
                Ok(self.notation.bracket(Relation::Equal, &value, &value))
            }
            SymbolKind::Samples(_) => Err(Obstacle::Law),
            SymbolKind::Index { .. } | SymbolKind::Fresh(_) => Err(Obstacle::Open),
        }
    }
}
