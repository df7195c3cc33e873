//! Matches patterns against terms, in all ways.
//!
//! `gcd` matches up to order, and `*`, `+`, `max` and `min` up to order and association: one operand against the
//! rest, or each against one operand and a list of all others. If a guard says that an operand does not mention an
//! index, that operand takes all factors or terms that do not.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::{Binding, Fold, Independence, Item, Pattern, ReducePattern, Value, Variable};
use crate::algebra::language::reducer;
use crate::algebra::terms::{Terms, expr_of};

/// Matches the patterns of one rule.
pub struct Matcher<'a, S> {
    /// Owner of the terms.
    pub scope: &'a mut S,
    pub independent: &'a [Independence],
}

/// Goals that remain to be matched, from left to right.
#[derive(Clone, Copy)]
struct Goals<'g> {
    goal: Goal<'g>,
    next: Option<&'g Goals<'g>>,
}

#[derive(Clone, Copy)]
enum Goal<'g> {
    Term(&'g Pattern, ExprId),
    /// Matches the operands in any order.
    Operands(&'g [Item], &'g [ExprId]),
}

impl<'g> Goals<'g> {
    fn of(pattern: &'g Pattern, term: ExprId, next: Option<&'g Goals<'g>>) -> Goals<'g> {
        Goals {
            goal: Goal::Term(pattern, term),
            next,
        }
    }
}

/// Is told of a match, and says whether more are wanted.
type Visit<'v, S> = &'v mut dyn FnMut(&mut S, &Binding) -> bool;

impl<S: AsMut<Terms>> Matcher<'_, S> {
    /// All matches of `pattern` with `term`.
    pub fn matches(&mut self, pattern: &Pattern, term: ExprId, variables: usize) -> Vec<Binding> {
        let mut found = Vec::new();
        self.each(pattern, term, variables, &mut |_, binding| {
            found.push(binding.clone());
            true
        });
        found
    }

    /// Calls `visit` with each match of `pattern` and `term`, until it returns an end.
    pub fn each(&mut self, pattern: &Pattern, term: ExprId, variables: usize, visit: Visit<'_, S>) {
        let goals = Goals::of(pattern, term, None);
        self.solve(Some(&goals), &mut Binding::new(variables), visit);
    }

    /// All bindings in which each item matches the value at its position, given the existing binding.
    pub fn received(
        &mut self,
        items: &[Item],
        values: &[Value],
        binding: &Binding,
    ) -> Vec<Binding> {
        let mut found = Vec::new();
        self.values(
            items,
            values,
            None,
            &mut binding.clone(),
            &mut |_, binding| {
                found.push(binding.clone());
                true
            },
        );
        found
    }

    fn values(
        &mut self,
        items: &[Item],
        values: &[Value],
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        let ([items @ .., item], [values @ .., value]) = (items, values) else {
            return items.len() != values.len() || self.solve(next, binding, visit);
        };
        let goal = match (item, value) {
            (Item::One(pattern), Value::Term(term)) => Goal::Term(pattern, *term),
            (Item::Each(..), Value::List(list)) => Goal::Operands(std::slice::from_ref(item), list),
            _ => return true,
        };
        self.values(items, values, Some(&Goals { goal, next }), binding, visit)
    }

    /// All patterns, each against its operand; those of a symmetric operation, which has two, in both orders.
    fn in_orders(
        &mut self,
        list: &[Pattern],
        symmetric: bool,
        operands: &[ExprId],
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        if !self.all(list, operands, next, binding, &mut *visit) {
            return false;
        }
        let [a, b] = *operands else { return true };
        !symmetric || self.all(list, &[b, a], next, binding, visit)
    }

    /// Meets all goals in every way; whether more is wanted.
    fn solve(&mut self, goals: Option<&Goals>, binding: &mut Binding, visit: Visit<'_, S>) -> bool {
        let Some(&Goals { goal, next }) = goals else {
            return visit(self.scope, binding);
        };
        let (pattern, term) = match goal {
            Goal::Term(pattern, term) => (pattern, term),
            Goal::Operands(items, operands) => {
                return self.choose(items, operands, next, binding, visit);
            }
        };
        let terms = self.scope.as_mut();
        match (pattern, terms.arena.node(term)) {
            (Pattern::Variable(v), _) => self.bind(*v, Value::Term(term), next, binding, visit),
            (Pattern::Number(value), Node::Number(found)) if value == found => {
                self.solve(next, binding, visit)
            }
            (Pattern::Add(pair), _) => {
                let splits = self.sums(pair, term, binding);
                self.splits(pair, splits, next, binding, visit)
            }
            (Pattern::Mul(pair), _) => {
                let splits = self.products(pair, term, binding);
                self.splits(pair, splits, next, binding, visit)
            }
            (Pattern::Max(pair), Node::Max(list)) | (Pattern::Min(pair), Node::Min(list)) => {
                let list = list.to_vec();
                self.among(pair, term, &list, next, binding, visit)
            }
            (Pattern::Pow(pair), &Node::Pow(a, b)) | (Pattern::Mod(pair), &Node::Mod(a, b)) => {
                self.all(&pair[..], &[a, b], next, binding, visit)
            }
            (Pattern::Operate(own, list), Node::Operate(found, operands)) if own == found => {
                let (symmetric, operands) = (own.row().is_symmetric, operands.clone());
                self.in_orders(list, symmetric, &operands, next, binding, visit)
            }
            (Pattern::Compare(own, pair), &Node::Compare(found, a, b)) if *own == found => {
                self.all(&pair[..], &[a, b], next, binding, visit)
            }
            (Pattern::Apply(function, operand), &Node::Apply(found, a)) if *function == found => {
                self.all(std::slice::from_ref(&**operand), &[a], next, binding, visit)
            }
            (Pattern::If(parts), &Node::If(a, b, c)) => {
                self.all(&parts[..], &[a, b, c], next, binding, visit)
            }
            (Pattern::VectorMax(operand), &Node::VectorMax(a))
            | (Pattern::UnitVector(operand), &Node::UnitVector(_, a)) => {
                self.all(std::slice::from_ref(&**operand), &[a], next, binding, visit)
            }
            (Pattern::Cumulant(pair), &Node::Cumulant(order, law)) => {
                let order = terms.arena.number(i64::from(order));
                self.all(&pair[..], &[order, law], next, binding, visit)
            }
            (Pattern::Quantile(pair), &Node::Quantile(law, q)) => {
                self.all(&pair[..], &[law, q], next, binding, visit)
            }
            (Pattern::Probability(parts), &Node::Probability(side, law, t)) => {
                let side = terms.arena.number(side.number());
                self.all(&parts[..], &[side, law, t], next, binding, visit)
            }
            (Pattern::Law(kind, operands), Node::Law(found, list))
                if kind == found && operands.len() == list.len() =>
            {
                let list = list.to_vec();
                self.all(operands, &list, next, binding, visit)
            }
            (Pattern::Fold(fold, items), node) => match operands_of(*fold, node) {
                Some(operands) if operands.len() <= MOST_OPERANDS => {
                    self.choose(items, &operands, next, binding, visit)
                }
                _ => true,
            },
            (Pattern::Reduce(pattern), Node::Reduce(_)) => {
                self.reduction(pattern, term, next, binding, visit)
            }
            _ => true,
        }
    }

    /// Goes on with the variable bound, unless it stands for something else.
    fn bind(
        &mut self,
        variable: Variable,
        value: Value,
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        match binding.value(variable) {
            Some(known) => *known != value || self.solve(next, binding, visit),
            None => {
                binding.0[variable] = Some(value);
                let more = self.solve(next, binding, visit);
                binding.0[variable] = None;
                more
            }
        }
    }

    /// Each pattern against the operand at its place.
    fn all(
        &mut self,
        patterns: &[Pattern],
        operands: &[ExprId],
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        let ([patterns @ .., pattern], [operands @ .., operand]) = (patterns, operands) else {
            return self.solve(next, binding, visit);
        };
        let goals = Goals::of(pattern, *operand, next);
        self.all(patterns, operands, Some(&goals), binding, visit)
    }

    fn reduction(
        &mut self,
        pattern: &ReducePattern,
        term: ExprId,
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        let arena = &mut self.scope.as_mut().arena;
        let Node::Reduce(r) = *arena.node(term) else {
            return true;
        };
        if reducer(r.kind) != pattern.reducer {
            return true;
        }
        let index = arena.symbol(r.index);
        let body = Goals::of(&pattern.body, r.body, next);
        let upper = Goals::of(&pattern.upper, r.upper, Some(&body));
        let lower = Goals::of(&pattern.lower, r.lower, Some(&upper));
        let quorum = match (&pattern.quorum, r.kind.quorum()) {
            (Some(quorum), Some(k)) => Goals::of(quorum, k, Some(&lower)),
            _ => lower,
        };
        self.bind(
            pattern.index,
            Value::Term(index),
            Some(&quorum),
            binding,
            visit,
        )
    }

    /// An operand for each item in every way, and all that are left for the list.
    fn choose(
        &mut self,
        items: &[Item],
        operands: &[ExprId],
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        match items {
            [] => !operands.is_empty() || self.solve(next, binding, visit),
            [Item::Each(Pattern::Variable(variable), _)] => {
                let rest = Value::list(operands.iter().copied());
                self.bind(*variable, rest, next, binding, visit)
            }
            [Item::One(first), others @ ..] => (0..operands.len()).all(|position| {
                let mut left = operands.to_vec();
                let chosen = left.remove(position);
                let goal = Goal::Operands(others, &left);
                let others = Goals { goal, next };
                self.solve(
                    Some(&Goals::of(first, chosen, Some(&others))),
                    binding,
                    visit,
                )
            }),
            _ => true,
        }
    }

    /// The index that the variable `pattern` is independent of, if a guard says so.
    fn independent_of(&mut self, pattern: &Pattern, binding: &Binding) -> Option<Symbol> {
        let Pattern::Variable(v) = pattern else {
            return None;
        };
        let (_, index) = self.independent.iter().find(|(c, _)| c == v)?;
        binding.symbol(&self.scope.as_mut().arena, *index)
    }

    /// A product in two parts, in every way that counts.
    fn products(
        &mut self,
        pair: &[Pattern; 2],
        term: ExprId,
        binding: &Binding,
    ) -> Vec<(Polynomial, Polynomial)> {
        let polynomial = self.scope.as_mut().polynomial(term);
        match self.independent_of(&pair[0], binding) {
            Some(index) => self.split_factor(&polynomial, index).into_iter().collect(),
            None => factors(&polynomial),
        }
    }

    /// A sum in two parts, in every way that counts.
    fn sums(
        &mut self,
        pair: &[Pattern; 2],
        term: ExprId,
        binding: &Binding,
    ) -> Vec<(Polynomial, Polynomial)> {
        let polynomial = self.scope.as_mut().polynomial(term);
        match self.independent_of(&pair[0], binding) {
            Some(index) => self.split_terms(&polynomial, index).into_iter().collect(),
            None => single_terms(&polynomial),
        }
    }

    fn splits(
        &mut self,
        pair: &[Pattern; 2],
        splits: Vec<(Polynomial, Polynomial)>,
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        splits.into_iter().all(|(first, second)| {
            let terms = self.scope.as_mut();
            let operands = [terms.expression(&first), terms.expression(&second)];
            self.all(&pair[..], &operands, next, binding, visit)
        })
    }

    /// The largest factor that is free of `index`, and its cofactor; not for the factor 1.
    fn split_factor(&mut self, p: &Polynomial, index: Symbol) -> Option<(Polynomial, Polynomial)> {
        let mut free = Monomial::one();
        let (signs, common) = match p.as_term() {
            Some((monomial, coefficient)) => (coefficient.clone(), monomial.clone()),
            None => (p.content().abs(), p.monomial_content()),
        };
        for &(atom, exponent) in common.powers() {
            if !self.scope.as_mut().arena.mentions(expr_of(atom), index) {
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
        let arena = &mut self.scope.as_mut().arena;
        let free = |monomial: &Monomial| {
            let mut powers = monomial.powers().iter();
            powers.all(|&(atom, _)| !arena.mentions(expr_of(atom), index))
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

    /// One operand of a maximum or minimum against that of all others.
    fn among(
        &mut self,
        pair: &[Pattern; 2],
        term: ExprId,
        list: &[ExprId],
        next: Option<&Goals>,
        binding: &mut Binding,
        visit: Visit<'_, S>,
    ) -> bool {
        (0..list.len()).all(|position| {
            let mut others = list.to_vec();
            let chosen = others.remove(position);
            let arena = &mut self.scope.as_mut().arena;
            let rest = match arena.node(term) {
                Node::Max(_) => arena.max(&others),
                _ => arena.min(&others),
            };
            self.all(&pair[..], &[chosen, rest], next, binding, visit)
        })
    }
}

/// The operands of a node whose operator is the fold.
fn operands_of(fold: Fold, node: &Node) -> Option<Vec<ExprId>> {
    match (fold, node) {
        (Fold::Max, Node::Max(list)) | (Fold::Min, Node::Min(list)) => Some(list.to_vec()),
        (Fold::Sum, Node::Add(list)) | (Fold::Product, Node::Mul(list)) => Some(list.to_vec()),
        (Fold::Law(kind), Node::Law(found, list)) if kind == *found => Some(list.to_vec()),
        _ => None,
    }
}

/// Each factor of a product as the first operand, with the rest as the second; and the reverse
/// of nothing: `1 * p`.
fn factors(p: &Polynomial) -> Vec<(Polynomial, Polynomial)> {
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
