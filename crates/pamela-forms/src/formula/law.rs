//! Reads copies of laws: as a sum over the copies, or as a share.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::term::{OwnedTerm, term};
use crate::expr::{Arena, ExprId, Node, Sort, Symbol, SymbolKind};
use crate::ring::Rational;

/// Splits a product `id` into the number of copies and the law, if it has this form.
pub(super) fn copies(arena: &Arena, id: ExprId) -> Option<(OwnedTerm, ExprId)> {
    if !arena.is_law(id) || !matches!(arena.node(id), Node::Mul(_)) {
        return None;
    }
    let mut count = term(arena, id);
    let place = count.factors.iter().position(|&f| arena.is_law(f))?;
    let law = count.factors.remove(place);
    Some((count, law))
}

/// Splits a demand `id` into the number of copies, the law and the vector of positions, if it has
/// this form.
pub(super) fn demand(arena: &Arena, id: ExprId) -> Option<(OwnedTerm, ExprId, ExprId)> {
    if arena.sort(id) != Sort::Vector || !matches!(arena.node(id), Node::Mul(_)) {
        return None;
    }
    let mut count = term(arena, id);
    let place = count.factors.iter().position(|&f| arena.is_law(f))?;
    let law = count.factors.remove(place);
    let is_vector = |&f: &ExprId| arena.sort(f) == Sort::Vector;
    let place = count.factors.iter().position(is_vector)?;
    let vector = count.factors.remove(place);
    Some((count, law, vector))
}

/// Facts about the parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct ParameterFacts {
    /// Parameters that are whole numbers.
    pub whole: Vec<Symbol>,
    /// Conditions that hold.
    pub facts: Vec<ExprId>,
}

impl ParameterFacts {
    /// Copies the facts from `source` into `arena`, keeping those whose symbols `arena` has.
    pub fn copied(&self, source: &Arena, arena: &mut Arena) -> ParameterFacts {
        let mut copied = FxHashMap::default();
        let mut facts = Vec::with_capacity(self.facts.len());
        for &fact in &self.facts {
            facts.push(arena.import(source, fact, &mut copied));
        }
        let names = self.whole.iter().map(|&s| source.symbol_kind(s));
        let whole = names.filter_map(|kind| match kind {
            SymbolKind::Named(name) => Some(arena.named(name)),
            _ => None,
        });
        ParameterFacts {
            whole: whole.collect(),
            facts,
        }
    }
}

/// Values at which parameters are tried: as many of the first ones as `MOST_POINTS` allows. The large value is
/// divisible by cubes of small numbers, as facts often require.
const TRIED: [i64; 8] = [1, 2, 0, 3, 27_000, 4, 5, 6];
const MOST_POINTS: usize = 4_096;

/// True if a number of copies is whole wherever its parameters are.
///
/// A polynomial is whole if it is whole at all points up to its degree. Other forms are guessed;
/// only the printed form depends on the guess. A share of `n` copies is the sum of `n` shares. A
/// number that exceeds 1 somewhere is not a share.
pub(super) fn is_whole(arena: &Arena, count: &OwnedTerm, known: &ParameterFacts) -> bool {
    if count.factors.is_empty() {
        return count.coefficient.is_integer() && !count.coefficient.is_negative();
    }
    let mut symbols: Vec<Symbol> = count
        .factors
        .iter()
        .flat_map(|&f| arena.free(f).iter().copied())
        .collect();
    symbols.sort_unstable();
    symbols.dedup();
    let whole = |s: &Symbol| known.whole.contains(s) || arena.range(*s).is_some();
    let all_whole = symbols.iter().all(whole);
    let fits = |tried: &usize| {
        let points = tried.checked_pow(symbols.len() as u32);
        points.is_some_and(|points| points <= MOST_POINTS)
    };
    let Some(tried) = (2..=TRIED.len()).rev().find(fits) else {
        return false;
    };
    let mut points: Vec<BTreeMap<Symbol, Rational>> = vec![BTreeMap::new()];
    for &symbol in &symbols {
        let with = |point: &BTreeMap<Symbol, Rational>| {
            let mut all = Vec::new();
            for &value in &TRIED[..tried] {
                let mut point = point.clone();
                point.insert(symbol, Rational::from(value));
                all.push(point);
            }
            all
        };
        points = points.iter().flat_map(with).collect();
    }
    let possible = |point: &&BTreeMap<Symbol, Rational>| {
        let mut facts = known
            .facts
            .iter()
            .filter_map(|&fact| value(arena, fact, point));
        facts.all(|fact| !fact.is_zero())
    };
    let copies = |point: &BTreeMap<Symbol, Rational>| {
        let factors = count.factors.iter().map(|&f| value(arena, f, point));
        let product: Option<Rational> = factors.product();
        Some(&product? * &count.coefficient)
    };
    let counts: Vec<Rational> = points.iter().filter(possible).filter_map(copies).collect();
    // More than one is no share.
    let whole = all_whole && counts.iter().all(Rational::is_integer);
    whole || counts.iter().any(|count| *count > Rational::ONE)
}

/// The value at a point; `None` where it is undefined or not a matter of arithmetic.
fn value(arena: &Arena, id: ExprId, point: &BTreeMap<Symbol, Rational>) -> Option<Rational> {
    let of = |&part: &ExprId| value(arena, part, point);
    match arena.node(id) {
        Node::Number(value) => Some(value.clone()),
        Node::Symbol(symbol) => point.get(symbol).cloned(),
        Node::Add(list) => list.iter().map(of).sum(),
        Node::Mul(list) => list.iter().map(of).product(),
        Node::Max(list) => list
            .iter()
            .map(of)
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .max(),
        Node::Min(list) => list
            .iter()
            .map(of)
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .min(),
        Node::Pow(base, exponent) => of(base)?.pow(of(exponent)?.to_i64()?),
        Node::Apply(function, operand) => function.exact(&of(operand)?),
        Node::Compare(relation, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let holds = relation.holds(a.cmp(&b));
            Some(Rational::from(i64::from(holds)))
        }
        _ => None,
    }
}
