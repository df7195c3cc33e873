//! Points at which all facts hold, used to refute claims before a proof is tried.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Node, Symbol, SymbolKind};
use crate::ring::{Polynomial, Rational};

use crate::algebra::terms::{Terms, expr_of};
use crate::with_stack;

/// Number of points wanted, and of points tried.
pub const WANTED: usize = 12;
const TRIED: u64 = 240;
/// The seed of the point at which every parameter is 1, as most facts allow.
const ALL_ONE: u64 = u64::MAX;

/// Values tried for parameters.
const VALUES: [(i64, i64); 18] = [
    (1, 1),
    (2, 1),
    (3, 1),
    (4, 1),
    (12, 1),
    (24, 1),
    (0, 1),
    (5, 1),
    (1, 2),
    (8, 1),
    (-1, 1),
    (7, 1),
    (48, 1),
    (100, 1),
    (1, 3),
    (-3, 1),
    (5_040, 1),
    (1_000_000, 1),
];

/// A value for every parameter; an index has a value in its range.
#[derive(Clone, Debug)]
pub struct Witness {
    seed: u64,
    choices: Choices,
    /// Parameters whose values are being tried.
    tried: FxHashMap<Symbol, Rational>,
    /// Cached values of expressions other than numbers and parameters, which are cheap to evaluate.
    values: FxHashMap<ExprId, Option<Rational>>,
}

/// The values that a parameter may take by the facts that speak of it alone.
type Choices = Rc<FxHashMap<Symbol, Rc<[Rational]>>>;

/// Points at which all of `known` hold, the same for the same facts in every process.
pub fn find(terms: &Terms, known: &[ExprId]) -> Vec<Witness> {
    let key = terms.points.key(&terms.arena, known);
    let choices = choices(terms, known);
    let seeds = terms.points.found(key);
    if let Some(seeds) = seeds {
        let point = |&seed: &u64| Witness::new(seed, choices.clone());
        return seeds.iter().map(point).collect();
    }
    let points: Vec<Witness> = points_among(terms, known, choices).take(WANTED).collect();
    let seeds = points.iter().map(|point| point.seed).collect();
    terms.points.keep(key, seeds);
    points
}

/// Like [`find`], with a limit on the number of points.
pub fn some(terms: &Terms, known: &[ExprId], most: usize) -> Vec<Witness> {
    points(terms, known).take(most).collect()
}

/// True if there is a point at which all of `known` hold, among those that are tried.
pub fn exists(terms: &Terms, known: &[ExprId]) -> bool {
    Witness::of_ones().satisfies(terms, known) || points(terms, known).next().is_some()
}

fn points(terms: &Terms, known: &[ExprId]) -> impl Iterator<Item = Witness> {
    points_among(terms, known, choices(terms, known))
}

fn points_among(
    terms: &Terms,
    known: &[ExprId],
    choices: Choices,
) -> impl Iterator<Item = Witness> {
    (0..TRIED)
        .map(move |seed| Witness::new(seed, choices.clone()))
        .filter_map(|mut witness| witness.satisfies(terms, known).then_some(witness))
}

/// For each parameter that a fact speaks of alone, the values for which such facts hold.
fn choices(terms: &Terms, known: &[ExprId]) -> Choices {
    let mut alone: FxHashMap<Symbol, Vec<ExprId>> = FxHashMap::default();
    for &fact in known {
        if let [symbol] = *terms.arena.free(fact) {
            alone.entry(symbol).or_default().push(fact);
        }
    }
    let allowed = |(symbol, facts): (Symbol, Vec<ExprId>)| {
        let key = terms.points.key(&terms.arena, &facts);
        let known = terms.points.allowed(key);
        if let Some(known) = known {
            return (symbol, known);
        }
        let mut point = Witness::new(0, Rc::default());
        let fits = |value: &Rational| {
            point.set(symbol, value.clone());
            point.satisfies(terms, &facts)
        };
        let values: Rc<[Rational]> = all_values().filter(fits).collect();
        terms.points.keep_allowed(key, values.clone());
        (symbol, values)
    };
    Rc::new(alone.into_iter().map(allowed).collect())
}

fn all_values() -> impl Iterator<Item = Rational> {
    VALUES
        .iter()
        .filter_map(|&(numerator, denominator)| Rational::new(numerator, denominator))
}

impl Witness {
    fn new(seed: u64, choices: Choices) -> Witness {
        Witness {
            seed,
            choices,
            tried: FxHashMap::default(),
            values: FxHashMap::default(),
        }
    }

    /// The point at which every parameter is 1.
    pub(super) fn of_ones() -> Witness {
        Witness::new(ALL_ONE, Rc::default())
    }

    /// Moves to another value of a parameter.
    pub(super) fn set(&mut self, symbol: Symbol, value: Rational) {
        self.values.clear();
        self.tried.insert(symbol, value);
    }

    pub(super) fn satisfies(&mut self, terms: &Terms, facts: &[ExprId]) -> bool {
        facts
            .iter()
            .all(|&fact| self.value(terms, fact).is_some_and(|value| value.is_one()))
    }

    /// The value of a polynomial; `None` where it is undefined or not computed.
    pub fn evaluate(&mut self, terms: &Terms, p: &Polynomial) -> Option<Rational> {
        let mut sum = Rational::ZERO;
        for (monomial, coefficient) in p.terms() {
            let mut product = coefficient.clone();
            for &(atom, exponent) in monomial.powers() {
                if super::is_whole_atom(atom) {
                    return None;
                }
                let value = self.value(terms, expr_of(atom))?;
                product *= &value.pow(i64::from(exponent))?;
            }
            sum += &product;
        }
        is_small(&sum).then_some(sum)
    }

    pub fn value(&mut self, terms: &Terms, id: ExprId) -> Option<Rational> {
        match terms.arena.node(id) {
            Node::Number(value) => return Some(value.clone()).filter(is_small),
            Node::Symbol(symbol) if terms.arena.range(*symbol).is_none() => {
                return self.symbol(terms, *symbol);
            }
            _ => {}
        }
        if let Some(known) = self.values.get(&id) {
            return known.clone();
        }
        let value = with_stack(|| self.compute(terms, id));
        let value = value.filter(is_small);
        self.values.insert(id, value.clone());
        value
    }

    fn compute(&mut self, terms: &Terms, id: ExprId) -> Option<Rational> {
        match terms.arena.node(id) {
            Node::Number(value) => Some(value.clone()),
            Node::Symbol(symbol) => self.symbol(terms, *symbol),
            Node::Add(list) => list
                .iter()
                .map(|&part| self.value(terms, part))
                .sum::<Option<Rational>>(),
            Node::Mul(list) => list
                .iter()
                .map(|&part| self.value(terms, part))
                .product::<Option<Rational>>(),
            Node::Max(list) => self.extremum(terms, list, true),
            Node::Min(list) => self.extremum(terms, list, false),
            Node::Pow(base, exponent) => {
                let (base, exponent) = (self.value(terms, *base)?, self.value(terms, *exponent)?);
                let exponent = exponent.is_integer().then(|| exponent.to_i64())??;
                (exponent.abs() < 200).then(|| base.pow(exponent))?
            }
            Node::Mod(left, modulus) => {
                let (left, modulus) = (self.value(terms, *left)?, self.value(terms, *modulus)?);
                if !modulus.is_positive() {
                    return None;
                }
                let whole = left.checked_div(&modulus)?.floor();
                Some(&left - &(&modulus * &whole))
            }
            Node::Operate(operation, operands) => {
                let numbers = operands.iter().map(|&operand| self.value(terms, operand));
                let numbers: Vec<Rational> = numbers.collect::<Option<_>>()?;
                operation.exact(&numbers.iter().collect::<Vec<_>>())
            }
            Node::Compare(relation, left, right) => {
                let (left, right) = (self.value(terms, *left)?, self.value(terms, *right)?);
                let holds = relation.holds(left.cmp(&right));
                Some(Rational::from(i64::from(holds)))
            }
            Node::If(condition, then, otherwise) => {
                let branch = if self.value(terms, *condition)?.is_zero() {
                    *otherwise
                } else {
                    *then
                };
                self.value(terms, branch)
            }
            Node::Apply(function, operand) => {
                let value = self.value(terms, *operand)?;
                function.exact(&value)
            }
            Node::Reduce(_)
            | Node::Vector(_)
            | Node::UnitVector(..)
            | Node::VectorMax(_)
            | Node::Law(..)
            | Node::Call(..)
            | Node::Graph(..)
            | Node::Cumulant(..)
            | Node::Quantile(..)
            | Node::Probability(..) => None,
        }
    }

    fn extremum(&mut self, terms: &Terms, list: &[ExprId], largest: bool) -> Option<Rational> {
        let values = list
            .iter()
            .map(|&part| self.value(terms, part))
            .collect::<Option<Vec<_>>>()?;
        if largest {
            values.into_iter().max()
        } else {
            values.into_iter().min()
        }
    }

    fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> Option<Rational> {
        match terms.arena.symbol_kind(symbol) {
            SymbolKind::Named(_) | SymbolKind::Definition(_)
                if self.tried.contains_key(&symbol) =>
            {
                self.tried.get(&symbol).cloned()
            }
            SymbolKind::Named(_) | SymbolKind::Definition(_) if self.seed == ALL_ONE => {
                Some(Rational::ONE)
            }
            kind @ (SymbolKind::Named(_) | SymbolKind::Definition(_)) => {
                match self.choices.get(&symbol) {
                    Some(allowed) if allowed.is_empty() => None,
                    Some(allowed) => Some(
                        allowed[self.choice(salt(kind), allowed.len() as u64) as usize].clone(),
                    ),
                    None => {
                        let place = self.choice(salt(kind), VALUES.len() as u64) as usize;
                        let (numerator, denominator) = VALUES[place];
                        Rational::new(numerator, denominator)
                    }
                }
            }
            SymbolKind::Index {
                height,
                lower,
                upper,
            } => {
                let (height, lower, upper) = (*height, *lower, *upper);
                let (lower, upper) = (self.value(terms, lower)?, self.value(terms, upper)?);
                let steps = (&upper - &lower)
                    .floor()
                    .to_i64()
                    .filter(|&steps| steps >= 0)?;
                let step = self.choice(u64::from(height) + 977, steps as u64 + 1);
                Some(&lower + &Rational::from(step as i64))
            }
            SymbolKind::HasValue(_) => Some(Rational::ONE),
            SymbolKind::Fresh(_) | SymbolKind::Samples(_) => None,
        }
    }

    /// A number below `below`, the same for the same seed and salt.
    fn choice(&self, salt: u64, below: u64) -> u64 {
        let mixed = self
            .seed
            .wrapping_add(1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ salt.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 32)) % below
    }
}

/// Numbers that have grown are not worth their price here.
fn is_small(value: &Rational) -> bool {
    value.bits() < 2_000
}

fn salt(kind: &SymbolKind) -> u64 {
    match kind {
        SymbolKind::Named(name) => name_hash(name),
        SymbolKind::Definition(defined) => name_hash(&defined.name),
        _ => 0,
    }
}

/// FNV-1a
fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
