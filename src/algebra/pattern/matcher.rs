//! Matching: the ways in which a pattern is a term.
//!
//! `gcd` matches up to order, `*`, `+`, `max` and `min` up to order and association: one operand against the rest, or each against one
//! and a list of all others. Where a guard says that an operand does not mention an index, it takes everything that
//! does not.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::language::reducer;
use super::super::terms::{Terms, expr_of};
use super::{Binding, Fold, Independence, Item, Pattern, Value};

/// Matches the patterns of one rule.
pub struct Matcher<'a> {
    pub terms: &'a mut Terms,
    pub independent: &'a [Independence],
}

impl Matcher<'_> {
    /// Every way in which `pattern` matches `term`, given what is bound already.
    pub fn matches(&mut self, pattern: &Pattern, term: ExprId, binding: &Binding) -> Vec<Binding> {
        let node = self.terms.arena.node(term).clone();
        match (pattern, node) {
            (Pattern::Variable(v), _) => binding.bind(*v, term).into_iter().collect(),
            (Pattern::Number(value), Node::Number(found)) if *value == found => {
                vec![binding.clone()]
            }
            (Pattern::Add(pair), _) => self.match_sum(pair, term, binding),
            (Pattern::Mul(pair), _) => self.match_product(pair, term, binding),
            (Pattern::Max(pair), Node::Max(list)) => self.match_among(pair, &list, true, binding),
            (Pattern::Min(pair), Node::Min(list)) => self.match_among(pair, &list, false, binding),
            (Pattern::Pow(pair), Node::Pow(a, b)) | (Pattern::Mod(pair), Node::Mod(a, b)) => {
                self.match_all(&pair[..], &[a, b], binding)
            }
            (Pattern::CommonDivisor(pair), Node::CommonDivisor([a, b])) => {
                let mut found = self.match_all(&pair[..], &[a, b], binding);
                found.extend(self.match_all(&pair[..], &[b, a], binding));
                found
            }
            (Pattern::Compare(relation, pair), Node::Compare(found, a, b))
                if *relation == found =>
            {
                self.match_all(&pair[..], &[a, b], binding)
            }
            (Pattern::Apply(function, operand), Node::Apply(found, a)) if *function == found => {
                self.matches(operand, a, binding)
            }
            (Pattern::If(parts), Node::If(a, b, c)) => {
                self.match_all(&parts[..], &[a, b, c], binding)
            }
            (Pattern::VectorMax(operand), Node::VectorMax(a)) => self.matches(operand, a, binding),
            (Pattern::UnitVector(position), Node::UnitVector(_, k)) => {
                self.matches(position, k, binding)
            }
            (Pattern::Cumulant(pair), Node::Cumulant(order, law)) => {
                let order = self.terms.arena.number(i64::from(order));
                self.match_all(&pair[..], &[order, law], binding)
            }
            (Pattern::Law(kind, operands), Node::Law(found, list)) if *kind == found => {
                match operands.len() == list.len() {
                    true => self.match_all(operands, &list, binding),
                    false => Vec::new(),
                }
            }
            (Pattern::Fold(..), _) => {
                let mut found = Vec::new();
                self.each(pattern, term, binding, &mut |_, binding| {
                    found.push(binding);
                    true
                });
                found
            }
            (Pattern::Reduce(pattern), Node::Reduce(r)) => {
                if reducer(r.kind) != pattern.reducer {
                    return Vec::new();
                }
                let index = self.terms.arena.symbol(r.index);
                let Some(binding) = binding.bind(pattern.index, index) else {
                    return Vec::new();
                };
                let binding = match (&pattern.quorum, r.kind.quorum()) {
                    (Some(quorum), Some(k)) => self.matches(quorum, k, &binding),
                    _ => vec![binding],
                };
                let parts = [&pattern.lower, &pattern.upper, &pattern.body];
                let operands = [r.lower, r.upper, r.body];
                binding
                    .iter()
                    .flat_map(|b| self.match_refs(&parts, &operands, b))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Tells `visit` the ways in which `pattern` matches `term`, one after the other, until it says that this is enough.
    pub fn each(
        &mut self,
        pattern: &Pattern,
        term: ExprId,
        binding: &Binding,
        visit: &mut dyn FnMut(&mut Terms, Binding) -> bool,
    ) {
        let Pattern::Fold(fold, items) = pattern else {
            for binding in self.matches(pattern, term, binding) {
                if !visit(self.terms, binding) {
                    return;
                }
            }
            return;
        };
        let Some(operands) = self.operands_of(*fold, term) else {
            return;
        };
        if operands.len() <= MOST_OPERANDS {
            self.choose(items, &operands, binding, visit);
        }
    }

    /// The operands of a term whose operator is the fold.
    fn operands_of(&self, fold: Fold, term: ExprId) -> Option<Vec<ExprId>> {
        match (fold, self.terms.arena.node(term)) {
            (Fold::Max, Node::Max(list)) | (Fold::Min, Node::Min(list)) => Some(list.to_vec()),
            (Fold::Sum, Node::Add(list)) | (Fold::Product, Node::Mul(list)) => Some(list.to_vec()),
            (Fold::Law(kind), Node::Law(found, list)) if kind == *found => Some(list.to_vec()),
            _ => None,
        }
    }

    /// An operand for each item in every way, and all that are left for the list; whether more is wanted.
    fn choose(
        &mut self,
        items: &[Item],
        operands: &[ExprId],
        binding: &Binding,
        visit: &mut dyn FnMut(&mut Terms, Binding) -> bool,
    ) -> bool {
        match items {
            [] if operands.is_empty() => visit(self.terms, binding.clone()),
            [Item::Each(Pattern::Variable(variable), _)] => {
                let rest = Value::list(operands.iter().copied());
                match binding.bind_value(*variable, rest) {
                    Some(binding) => visit(self.terms, binding),
                    None => true,
                }
            }
            [Item::One(first), others @ ..] => {
                for position in 0..operands.len() {
                    let mut left = operands.to_vec();
                    let chosen = left.remove(position);
                    for binding in self.matches(first, chosen, binding) {
                        if !self.choose(others, &left, &binding, visit) {
                            return false;
                        }
                    }
                }
                true
            }
            _ => true,
        }
    }

    fn match_all(
        &mut self,
        patterns: &[Pattern],
        operands: &[ExprId],
        binding: &Binding,
    ) -> Vec<Binding> {
        let refs: Vec<&Pattern> = patterns.iter().collect();
        self.match_refs(&refs, operands, binding)
    }

    fn match_refs(
        &mut self,
        patterns: &[&Pattern],
        operands: &[ExprId],
        binding: &Binding,
    ) -> Vec<Binding> {
        let mut bindings = vec![binding.clone()];
        for (pattern, &operand) in patterns.iter().zip(operands) {
            bindings = bindings
                .iter()
                .flat_map(|b| self.matches(pattern, operand, b))
                .collect();
        }
        bindings
    }

    /// The index that the variable `pattern` is independent of, if a guard says so.
    fn independent_of(&self, pattern: &Pattern, binding: &Binding) -> Option<Symbol> {
        let Pattern::Variable(v) = pattern else {
            return None;
        };
        let (_, index) = self.independent.iter().find(|(c, _)| c == v)?;
        binding.symbol(&self.terms.arena, *index)
    }

    fn match_product(
        &mut self,
        pair: &[Pattern; 2],
        term: ExprId,
        binding: &Binding,
    ) -> Vec<Binding> {
        let polynomial = self.terms.polynomial(term);
        let splits = match self.independent_of(&pair[0], binding) {
            Some(index) => self.split_factor(&polynomial, index).into_iter().collect(),
            None => self.factors(&polynomial),
        };
        self.match_splits(pair, splits, binding)
    }

    fn match_sum(&mut self, pair: &[Pattern; 2], term: ExprId, binding: &Binding) -> Vec<Binding> {
        let polynomial = self.terms.polynomial(term);
        let splits = match self.independent_of(&pair[0], binding) {
            Some(index) => self.split_terms(&polynomial, index).into_iter().collect(),
            None => single_terms(&polynomial),
        };
        self.match_splits(pair, splits, binding)
    }

    fn match_splits(
        &mut self,
        pair: &[Pattern; 2],
        splits: Vec<(Polynomial, Polynomial)>,
        binding: &Binding,
    ) -> Vec<Binding> {
        let mut found = Vec::new();
        for (first, second) in splits {
            let operands = [
                self.terms.expression(&first),
                self.terms.expression(&second),
            ];
            found.extend(self.match_all(&pair[..], &operands, binding));
        }
        found
    }

    /// The largest factor that is free of `index`, and what it multiplies; not for a factor 1.
    fn split_factor(&mut self, p: &Polynomial, index: Symbol) -> Option<(Polynomial, Polynomial)> {
        let mut free = Monomial::one();
        let (signs, common) = match p.as_term() {
            Some((monomial, coefficient)) => (coefficient.clone(), monomial.clone()),
            None => (p.content().abs(), p.monomial_content()),
        };
        for &(atom, exponent) in common.powers() {
            if !self.terms.arena.mentions(expr_of(atom), index) {
                free = free.checked_mul(&Monomial::power(atom, exponent))?;
            }
        }
        let rest = p.mul_term(&free.checked_pow(-1)?, &signs.recip()?)?;
        let factor = Polynomial::term(free, signs);
        if factor == Polynomial::one() {
            None
        } else {
            Some((factor, rest))
        }
    }

    /// The terms that are free of `index`, and the others; not where either has none.
    fn split_terms(&mut self, p: &Polynomial, index: Symbol) -> Option<(Polynomial, Polynomial)> {
        let free = |monomial: &Monomial| {
            monomial
                .powers()
                .iter()
                .all(|&(atom, _)| !self.terms.arena.mentions(expr_of(atom), index))
        };
        let (inside, outside): (Vec<_>, Vec<_>) = p
            .terms()
            .map(|(m, c)| (m.clone(), c.clone()))
            .partition(|(m, _)| free(m));
        if inside.is_empty() || outside.is_empty() {
            return None;
        }
        Some((
            Polynomial::from_terms(inside),
            Polynomial::from_terms(outside),
        ))
    }

    /// Each factor of a product as the first operand, with the rest as the second; and the reverse
    /// of nothing: `1 * p`.
    fn factors(&mut self, p: &Polynomial) -> Vec<(Polynomial, Polynomial)> {
        let mut splits = vec![(Polynomial::one(), p.clone())];
        let Some((monomial, coefficient)) = p.as_term() else {
            return splits;
        };
        if !coefficient.is_one() {
            let rest = Polynomial::term(monomial.clone(), Rational::ONE);
            splits.push((Polynomial::constant(coefficient.clone()), rest));
        }
        for &(atom, exponent) in monomial
            .powers()
            .iter()
            .filter(|&&(_, exponent)| exponent > 0)
        {
            let less = Monomial::power(atom, exponent - 1);
            if let Some(rest) = monomial.without(atom).checked_mul(&less) {
                splits.push((
                    Polynomial::term(rest, coefficient.clone()),
                    Polynomial::atom(atom),
                ));
            }
        }
        splits
    }

    fn match_among(
        &mut self,
        pair: &[Pattern; 2],
        list: &[ExprId],
        largest: bool,
        binding: &Binding,
    ) -> Vec<Binding> {
        let mut found = Vec::new();
        for (position, &chosen) in list.iter().enumerate() {
            let others: Vec<ExprId> = list
                .iter()
                .enumerate()
                .filter(|&(k, _)| k != position)
                .map(|(_, &o)| o)
                .collect();
            let arena = &mut self.terms.arena;
            let rest = if largest {
                arena.max(&others)
            } else {
                arena.min(&others)
            };
            found.extend(self.match_all(&pair[..], &[chosen, rest], binding));
        }
        found
    }
}

/// Each term of a sum with the rest; at most [`MOST_SINGLES`] terms are singled out.
fn single_terms(p: &Polynomial) -> Vec<(Polynomial, Polynomial)> {
    if p.len() < 2 || p.len() > MOST_SINGLES {
        return Vec::new();
    }
    let single = |(monomial, coefficient): (&Monomial, &Rational)| {
        let term = Polynomial::term(monomial.clone(), coefficient.clone());
        (term.clone(), p - &term)
    };
    p.terms().map(single).collect()
}

const MOST_SINGLES: usize = 12;

/// Operands of a longer list are not singled out.
const MOST_OPERANDS: usize = 48;
