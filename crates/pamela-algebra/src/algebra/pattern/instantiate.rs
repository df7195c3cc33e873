//! Instantiates patterns: makes the term for given values of the variables.

use crate::expr::{ExprId, Side, Symbol};
use crate::ring::Rational;

use super::{Binding, Fold, Item, Pattern, ReducePattern, Value, Variable};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

impl Pattern {
    /// The term that the pattern describes; `None` if a variable is unbound, or if the term divides by the number 0.
    ///
    /// One long function, because it is a table with an arm for each kind of pattern.
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
                let divides = |value: &Rational| value.is_negative();
                // 0 times what is undefined would be 0: no guard would be left of the divisor.
                if terms.arena.as_number(b).is_some_and(divides) {
                    let divisor = terms.canonical(a);
                    if terms
                        .arena
                        .as_number(divisor)
                        .is_some_and(Rational::is_zero)
                    {
                        return None;
                    }
                }
                terms.arena.pow(a, b)
            }
            Pattern::Mod(parts) => {
                let (a, b) = pair(parts, terms)?;
                terms.arena.modulo(a, b)
            }
            Pattern::Operate(operation, parts) => {
                let parts = parts.iter().map(|part| part.instantiate(terms, binding));
                let parts: Vec<ExprId> = parts.collect::<Option<_>>()?;
                terms.arena.operate(*operation, &parts)
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
                // Only one order of a cumulant is wanted.
                let condition = terms.canonical(condition);
                if let Some(value) = terms.arena.as_number(condition) {
                    let branch = if value.is_zero() { 2 } else { 1 };
                    return parts[branch].instantiate(terms, binding);
                }
                let then = parts[1].instantiate(terms, binding)?;
                let otherwise = parts[2].instantiate(terms, binding)?;
                terms.arena.if_else(condition, then, otherwise)
            }
            Pattern::VectorMax(operand) => {
                let operand = operand.instantiate(terms, binding)?;
                terms.arena.vector_max(operand)
            }
            Pattern::UnitVector(_) => return None,
            Pattern::Fold(fold, items) => {
                let operands = instantiate_items(items, terms, binding)?;
                match fold {
                    Fold::Sum => terms.arena.add(&operands),
                    Fold::Product => terms.arena.mul(&operands),
                    Fold::Max => terms.arena.max(&operands),
                    Fold::Min => terms.arena.min(&operands),
                    Fold::Law(kind) => terms.arena.law(*kind, &operands),
                }
            }
            Pattern::Law(kind, operands) => {
                let operands: Option<Vec<ExprId>> = operands
                    .iter()
                    .map(|operand| operand.instantiate(terms, binding))
                    .collect();
                terms.arena.law(*kind, &operands?)
            }
            Pattern::Cumulant(parts) => {
                let (order, law) = pair(parts, terms)?;
                let order = terms.arena.as_number(order)?.to_i64()?;
                terms.arena.cumulant(u8::try_from(order).ok()?, law)
            }
            Pattern::Quantile(parts) => {
                let (law, q) = pair(parts, terms)?;
                terms.arena.quantile(law, q)
            }
            Pattern::Probability(parts) => {
                let [side, law, t] = &**parts;
                let side = side.instantiate(terms, binding)?;
                let side = terms.canonical(side);
                let side = Side::numbered(terms.arena.as_number(side)?.to_i64()?)?;
                let law = law.instantiate(terms, binding)?;
                let t = t.instantiate(terms, binding)?;
                terms.arena.probability(side, law, t)
            }
            Pattern::At(parts, index) => {
                let (body, value) = pair(parts, terms)?;
                let index = binding.symbol(&terms.arena, *index)?;
                at(terms, body, index, value)
            }
            Pattern::Reduce(reduce) => reduce.instantiate(terms, binding)?,
        })
    }
}

/// `body` with `value` in place of the index; a polynomial in it is one afterwards.
fn at(terms: &mut Terms, body: ExprId, index: Symbol, value: ExprId) -> ExprId {
    let own = atom_of(terms.arena.symbol(index));
    let polynomial = terms.polynomial(body);
    let mut atoms = polynomial.atoms().into_iter();
    let foreign = atoms.any(|atom| atom != own && terms.mentions(expr_of(atom), index));
    if !foreign && polynomial.min_degree_in(own) >= 0 {
        let place = terms.polynomial(value);
        if let Some(result) = polynomial.substitute(own, &place, MAX_TERMS) {
            return terms.expression(&result);
        }
    }
    terms.arena.substitute(body, index, value)
}

/// The operands that some items describe.
pub fn instantiate_items(
    items: &[Item],
    terms: &mut Terms,
    binding: &Binding,
) -> Option<Vec<ExprId>> {
    let mut operands = Vec::new();
    for item in items {
        match item {
            Item::One(pattern) => operands.push(pattern.instantiate(terms, binding)?),
            Item::Each(pattern, lists) => {
                for place in 0..length(lists, binding)? {
                    let one = binding.with_elements(lists, place)?;
                    operands.push(pattern.instantiate(terms, &one)?);
                }
            }
        }
    }
    Some(operands)
}

/// Number of elements in the lists; `None` if they differ.
pub fn length(lists: &[Variable], binding: &Binding) -> Option<usize> {
    let mut lengths = lists.iter().map(|&list| match binding.value(list) {
        Some(Value::List(list)) => Some(list.len()),
        _ => None,
    });
    let first = lengths.next()??;
    lengths.all(|length| length == Some(first)).then_some(first)
}

impl Binding {
    /// Binds each list to one of its elements.
    pub fn with_elements(&self, lists: &[Variable], place: usize) -> Option<Binding> {
        let mut one = self.clone();
        for &list in lists {
            let element = *self.value(list)?.as_list()?.get(place)?;
            one.0[list] = Some(Value::Term(element));
        }
        Some(one)
    }
}

impl ReducePattern {
    fn instantiate(&self, terms: &mut Terms, binding: &Binding) -> Option<ExprId> {
        let lower = self.lower.instantiate(terms, binding)?;
        let upper = self.upper.instantiate(terms, binding)?;
        let body = self.body.instantiate(terms, binding)?;
        let index = binding.symbol(&terms.arena, self.index)?;
        let quorum = match &self.quorum {
            Some(quorum) => Some(quorum.instantiate(terms, binding)?),
            None => None,
        };
        let kind = self.reducer.kind(quorum);
        Some(terms.arena.reduce(kind, index, lower, upper, body))
    }
}
