//! Patterns: one side of a rule, matched against a term and instantiated.
//!
//! `*`, `+`, `max` and `min` match up to order and association: one operand against the rest. Where a
//! guard says that an operand does not mention an index, it takes everything that does not.

use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Relation, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::language::Reducer;
use super::terms::{Terms, expr_of};

/// The position of a variable in a rule.
pub type Variable = usize;

#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Number(Rational),
    Variable(Variable),
    Add(Box<[Pattern; 2]>),
    Mul(Box<[Pattern; 2]>),
    Max(Box<[Pattern; 2]>),
    Min(Box<[Pattern; 2]>),
    Pow(Box<[Pattern; 2]>),
    Mod(Box<[Pattern; 2]>),
    Compare(Relation, Box<[Pattern; 2]>),
    Apply(Function, Box<Pattern>),
    If(Box<[Pattern; 3]>),
    Reduce(Box<ReducePattern>),
    VectorMax(Box<Pattern>),
    /// `at(e, i, x)`: `e` with `x` in place of the index `i`. Only on the right.
    At(Box<[Pattern; 2]>, Variable),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReducePattern {
    pub reducer: Reducer,
    pub quorum: Option<Pattern>,
    pub index: Variable,
    pub lower: Pattern,
    pub upper: Pattern,
    pub body: Pattern,
}

/// What the variables stand for; an index variable stands for its symbol as a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding(Vec<Option<ExprId>>);

/// `first` does not mention the index `second` (`i notin c`).
pub type Independence = (Variable, Variable);

impl Binding {
    pub fn new(variables: usize) -> Binding {
        Binding(vec![None; variables])
    }

    pub fn get(&self, variable: Variable) -> Option<ExprId> {
        self.0.get(variable).copied().flatten()
    }

    fn bind(&self, variable: Variable, value: ExprId) -> Option<Binding> {
        match self.get(variable) {
            Some(known) if known == value => Some(self.clone()),
            Some(_) => None,
            None => {
                let mut next = self.clone();
                next.0[variable] = Some(value);
                Some(next)
            }
        }
    }

    /// The index that a variable stands for.
    pub fn symbol(&self, arena: &Arena, variable: Variable) -> Option<Symbol> {
        match arena.node(self.get(variable)?) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}

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
            (Pattern::Reduce(pattern), Node::Reduce(r)) => {
                if super::language::reducer(r.kind) != pattern.reducer {
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

impl Pattern {
    /// The term that the pattern stands for; `None` where a variable is unbound.
    pub fn instantiate(&self, terms: &mut Terms, binding: &Binding) -> Option<ExprId> {
        let pair = |pair: &[Pattern; 2], terms: &mut Terms| {
            Some((
                pair[0].instantiate(terms, binding)?,
                pair[1].instantiate(terms, binding)?,
            ))
        };
        Some(match self {
            Pattern::Number(value) => terms.arena.number(value.clone()),
            Pattern::Variable(v) => binding.get(*v)?,
            Pattern::Add(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.add(&[a, b])
            }
            Pattern::Mul(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.mul(&[a, b])
            }
            Pattern::Max(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.max(&[a, b])
            }
            Pattern::Min(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.min(&[a, b])
            }
            Pattern::Pow(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.pow(a, b)
            }
            Pattern::Mod(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.modulo(a, b)
            }
            Pattern::Compare(relation, parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.relate(*relation, a, b)
            }
            Pattern::Apply(function, operand) => {
                let operand = operand.instantiate(terms, binding)?;
                terms.arena.apply(*function, operand)
            }
            Pattern::If(parts) => {
                let condition = parts[0].instantiate(terms, binding)?;
                let then = parts[1].instantiate(terms, binding)?;
                let otherwise = parts[2].instantiate(terms, binding)?;
                terms.arena.if_else(condition, then, otherwise)
            }
            Pattern::VectorMax(operand) => {
                let operand = operand.instantiate(terms, binding)?;
                terms.arena.vector_max(operand)
            }
            Pattern::At(parts, index) => {
                let (body, value) = pair(parts, terms)?;
                let index = binding.symbol(&terms.arena, *index)?;
                terms.arena.substitute(body, index, value)
            }
            Pattern::Reduce(reduce) => reduce.instantiate(terms, binding)?,
        })
    }
}

impl ReducePattern {
    fn instantiate(&self, terms: &mut Terms, binding: &Binding) -> Option<ExprId> {
        let lower = self.lower.instantiate(terms, binding)?;
        let upper = self.upper.instantiate(terms, binding)?;
        let body = self.body.instantiate(terms, binding)?;
        let index = binding.symbol(&terms.arena, self.index)?;
        let kind = match (self.reducer, &self.quorum) {
            (Reducer::Kth, Some(quorum)) => ReduceKind::Kth(quorum.instantiate(terms, binding)?),
            (Reducer::LawKth, Some(quorum)) => {
                ReduceKind::LawKth(quorum.instantiate(terms, binding)?)
            }
            (Reducer::LawMax, _) => ReduceKind::LawMax,
            (Reducer::LawMin, _) => ReduceKind::LawMin,
            (Reducer::Product, _) => ReduceKind::Product,
            (Reducer::Max, _) => ReduceKind::Max,
            (Reducer::Min, _) => ReduceKind::Min,
            _ => ReduceKind::Sum,
        };
        Some(terms.arena.reduce(kind, index, lower, upper, body))
    }
}
