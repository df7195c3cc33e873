//! A plain evaluator of lowered expressions, to compare with the definition.

use std::collections::{BTreeMap, HashMap};

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::expr::{
    Arena, ExprId, Function, Node, Operation, ReduceKind, Reduction, Relation, Symbol,
};

type Components = BTreeMap<(String, BigRational), BigRational>;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Scalar(BigRational),
    /// The named components.
    Vector(Components),
}

/// Values of symbols; `None` is an undefined or irrational value.
pub(super) struct Point<'a> {
    pub(super) arena: &'a Arena,
    pub(super) symbols: HashMap<Symbol, BigRational>,
}

impl Point<'_> {
    fn scalar(&mut self, id: ExprId) -> Option<BigRational> {
        match self.value(id)? {
            Value::Scalar(value) => Some(value),
            Value::Vector(_) => None,
        }
    }

    fn scalars(&mut self, ids: &[ExprId]) -> Option<Vec<BigRational>> {
        ids.iter().map(|id| self.scalar(*id)).collect()
    }

    fn name(&self, symbol: Symbol) -> String {
        format!("{:?}", self.arena.symbol_kind(symbol))
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    pub(super) fn value(&mut self, id: ExprId) -> Option<Value> {
        let arena = self.arena;
        let scalar = match arena.node(id) {
            Node::Number(value) => value.to_big(),
            Node::Symbol(symbol) => self.symbols.get(symbol)?.clone(),
            Node::Add(terms) => return self.sum(terms),
            Node::Mul(factors) => return self.product(factors),
            Node::Pow(base, exponent) => {
                let (base, exponent) = (self.scalar(*base)?, self.scalar(*exponent)?);
                let exponent = exponent.is_integer().then(|| exponent.to_i32())??;
                if base.is_zero() && exponent < 0 {
                    return None;
                }
                if exponent == 0 {
                    BigRational::one()
                } else {
                    base.pow(exponent)
                }
            }
            Node::Max(operands) => self.scalars(operands)?.into_iter().max()?,
            Node::Min(operands) => self.scalars(operands)?.into_iter().min()?,
            Node::Apply(function, operand) => {
                let x = self.scalar(*operand)?;
                match function {
                    Function::Floor => x.floor(),
                    Function::Ceil => x.ceil(),
                    Function::Abs => x.abs(),
                    Function::Integer => {
                        BigRational::from_integer(i64::from(x.is_integer()).into())
                    }
                    _ => return None,
                }
            }
            Node::Mod(a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                if !b.is_positive() {
                    return None;
                }
                &a - &b * (&a / &b).floor()
            }
            Node::Operate(Operation::CommonDivisor, pair) => {
                let (mut a, mut b) = (self.scalar(pair[0])?.abs(), self.scalar(pair[1])?.abs());
                if !a.is_integer() || !b.is_integer() {
                    return None;
                }
                while !b.is_zero() {
                    (a, b) = (b.clone(), &a % &b);
                }
                a
            }
            // No model of these tests has one.
            Node::Operate(..) | Node::Quantile(..) | Node::Probability(..) => return None,
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                let holds = match relation {
                    Relation::Less => a < b,
                    Relation::LessEqual => a <= b,
                    Relation::Equal => a == b,
                };
                BigRational::from_integer(i64::from(holds).into())
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.scalar(*condition)?;
                return self.value(if condition.is_zero() {
                    *otherwise
                } else {
                    *then
                });
            }
            Node::Reduce(reduction) => return self.reduction(reduction),
            Node::Vector(components) => {
                let components = self.scalars(components)?.into_iter().enumerate();
                let array = format!("{:?}", crate::expr::SymbolKind::Named("fcfs".to_owned()));
                let keyed = components
                    .map(|(k, x)| ((array.clone(), BigRational::from_integer(k.into())), x));
                return Some(Value::Vector(keyed.collect()));
            }
            Node::UnitVector(array, index) => {
                let (array, index) = (self.name(*array), self.scalar(*index)?);
                let mut components = Components::new();
                let mut initial = BigRational::zero();
                while index.is_integer() && initial < index {
                    components.insert((array.clone(), initial.clone()), BigRational::zero());
                    initial += BigRational::one();
                }
                components.insert((array, index), BigRational::one());
                return Some(Value::Vector(components));
            }
            // Laws have no single value.
            Node::Law(..) | Node::Cumulant(..) | Node::Call(..) | Node::Graph(..) => return None,
            Node::VectorMax(vector) => match self.value(*vector)? {
                Value::Vector(components) => components
                    .into_values()
                    .max()
                    .unwrap_or_else(BigRational::zero),
                Value::Scalar(_) => return None,
            },
        };
        Some(Value::Scalar(scalar))
    }

    fn sum(&mut self, terms: &[ExprId]) -> Option<Value> {
        let mut values = terms.iter();
        let first = self.value(*values.next()?)?;
        values.try_fold(first, |sum, term| add(sum, self.value(*term)?))
    }

    fn product(&mut self, factors: &[ExprId]) -> Option<Value> {
        let mut scale = BigRational::one();
        let mut vector = None;
        for factor in factors {
            match self.value(*factor)? {
                Value::Scalar(x) => scale *= x,
                Value::Vector(components) => vector = Some(components),
            }
        }
        Some(match vector {
            None => Value::Scalar(scale),
            Some(components) => {
                let scaled = components.into_iter().map(|(key, x)| (key, x * &scale));
                Value::Vector(scaled.collect())
            }
        })
    }

    fn reduction(&mut self, reduction: &Reduction) -> Option<Value> {
        let (mut index, upper) = (self.scalar(reduction.lower)?, self.scalar(reduction.upper)?);
        let mut values = Vec::new();
        let outer = self.symbols.get(&reduction.index).cloned();
        while index <= upper {
            self.symbols.insert(reduction.index, index.clone());
            values.push(self.value(reduction.body)?);
            index += BigRational::one();
        }
        match outer {
            Some(outer) => self.symbols.insert(reduction.index, outer),
            None => self.symbols.remove(&reduction.index),
        };
        if values.is_empty() {
            return Some(match (reduction.kind, self.arena.sort(reduction.body)) {
                (ReduceKind::Product, _) => Value::Scalar(BigRational::one()),
                (_, crate::expr::Sort::Vector) => Value::Vector(Components::new()),
                _ => Value::Scalar(BigRational::zero()),
            });
        }
        if reduction.kind == ReduceKind::Sum {
            return values.into_iter().map(Some).reduce(|a, b| add(a?, b?))?;
        }
        let mut scalars: Vec<BigRational> = values
            .into_iter()
            .map(|value| match value {
                Value::Scalar(x) => Some(x),
                Value::Vector(_) => None,
            })
            .collect::<Option<_>>()?;
        scalars.sort();
        Some(Value::Scalar(match reduction.kind {
            ReduceKind::Product => scalars.into_iter().product(),
            ReduceKind::Max => scalars.pop()?,
            ReduceKind::Kth(quorum) => scalars
                .get(self.scalar(quorum)?.to_usize()?.checked_sub(1)?)?
                .clone(),
            ReduceKind::Min | ReduceKind::Sum => scalars.swap_remove(0),
            ReduceKind::LawMax | ReduceKind::LawMin | ReduceKind::LawKth(_) | ReduceKind::Each => {
                return None;
            }
        }))
    }
}

fn add(a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => Some(Value::Scalar(a + b)),
        (Value::Vector(mut a), Value::Vector(b)) => {
            for (key, x) in b {
                *a.entry(key).or_insert_with(BigRational::zero) += x;
            }
            Some(Value::Vector(a))
        }
        _ => None,
    }
}
