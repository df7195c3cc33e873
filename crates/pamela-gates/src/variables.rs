//! Kinds of the variables of a rule, from their positions on its left side.

use crate::expr::{Condition, Domain, Function, LawName, Operation};
use crate::syntax::tree::{Expr, ExprKind, GraphPart, Guard, MulOp, Rule, SPREAD};
use crate::words;

/// The kind of expressions that may replace a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Scalar,
    /// A bound, a modulus, an exponent, a position: mostly an integer.
    Integer,
    /// A whole exponent: a number if it mentions no index.
    Order,
    /// A comparison.
    Truth,
    /// The order of a cumulant.
    Cumulant,
    Vector,
    Law,
    /// A law of nonnegative whole numbers.
    Count,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// True for a list of such terms.
    pub list: bool,
    /// The indices that the term may mention, outermost first.
    pub scope: Vec<String>,
}

/// A name with arguments on the left of a builtin: any expression in the arguments.
#[derive(Clone, Debug)]
pub struct Schema {
    pub name: String,
    pub arity: usize,
    /// True if its first argument is a truth value.
    pub of_truth: bool,
    pub scope: Vec<String>,
}

/// An index with its range.
#[derive(Clone, Debug)]
pub struct Index {
    pub name: String,
    pub lower: Expr,
    pub upper: Expr,
}

#[derive(Clone, Debug, Default)]
pub struct Variables {
    pub list: Vec<Variable>,
    pub schemas: Vec<Schema>,
    /// Outermost first.
    pub indices: Vec<Index>,
    /// A range of named laws is among them, of which many are enumerated.
    orders_laws: bool,
}

/// Functions that rules know beside those of the language.
const OF_RULES: [&str; 5] = ["defined", "K", "product", "total", SPREAD];

fn is_known(function: &str) -> bool {
    words::find(function).is_some() || OF_RULES.contains(&function)
}

/// The variables of a rule whose left side has the `kind` scalar or vector.
pub fn variables(rule: &Rule, kind: Kind) -> Variables {
    let mut found = Variables::default();
    for term in [&rule.left].into_iter().chain(&rule.examples) {
        found.visit(term, kind, &[]);
    }
    let kept = rule.kept.iter().flat_map(|kept| &kept.guards);
    let guards = rule.when.iter().chain(&rule.assume).chain(kept);
    for guard in guards {
        match guard {
            Guard::NotIn(index, expr) => found.exclude(&index.text, expr),
            Guard::Holds(expr) => found.note_integer(expr),
        }
    }
    for variable in &mut found.list {
        if rule.truths.iter().any(|truth| truth.text == variable.name) {
            variable.kind = Kind::Truth;
        }
        if rule.laws.iter().any(|law| law.text == variable.name) {
            variable.kind = match variable.kind {
                Kind::Integer => Kind::Count,
                _ => Kind::Law,
            };
        }
    }
    found
}

impl Variables {
    /// True if some variable is a law, or if laws are inside a range.
    pub fn speak_of_laws(&self) -> bool {
        let stands_for_law = |v: &Variable| matches!(v.kind, Kind::Law | Kind::Count);
        self.orders_laws || self.list.iter().any(stands_for_law)
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        self.list.iter().find(|variable| variable.name == name)
    }

    fn is_vector(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        self.variable(name)
            .is_some_and(|variable| variable.kind == Kind::Vector)
    }

    fn exclude(&mut self, index: &str, expr: &Expr) {
        let ExprKind::Name(name) = &expr.kind else {
            return;
        };
        for variable in self.list.iter_mut().filter(|v| v.name == *name) {
            variable.scope.retain(|known| known != index);
        }
    }

    fn note_integer(&mut self, guard: &Expr) {
        let ExprKind::Call(function, operands) = &guard.kind else {
            return;
        };
        let [operand] = &operands[..] else { return };
        let ExprKind::Name(name) = &operand.kind else {
            return;
        };
        if function.text == "integer" {
            let named = |v: &&mut Variable| v.name == *name && v.kind == Kind::Scalar;
            for variable in self.list.iter_mut().filter(named) {
                variable.kind = Kind::Integer;
            }
        }
    }

    fn note(&mut self, name: &str, kind: Kind, scope: &[String]) {
        if scope.iter().any(|index| index == name) {
            return;
        }
        match self.list.iter_mut().find(|variable| variable.name == name) {
            Some(known) => {
                known.kind = known.kind.max(kind);
                known.scope.retain(|index| scope.contains(index));
            }
            None => self.list.push(Variable {
                name: name.to_string(),
                kind,
                list: false,
                scope: scope.to_vec(),
            }),
        }
    }

    fn visit(&mut self, expr: &Expr, kind: Kind, scope: &[String]) {
        use ExprKind as E;
        match &expr.kind {
            E::Name(name) => self.note(name, kind, scope),
            E::Number(_) | E::Quantity(_) | E::Text(_) => {}
            E::Negate(e) => self.visit(e, kind, scope),
            E::Not(e) => self.visit(e, Kind::Truth, scope),
            E::Sum(first, rest) => {
                self.visit(first, kind, scope);
                rest.iter().for_each(|(_, e)| self.visit(e, kind, scope));
            }
            E::Product(first, rest) => self.product(first, rest, kind, scope),
            E::Power(base, exponent) => {
                self.visit(base, Kind::Scalar, scope);
                let kind = match exponent.kind {
                    E::Name(_) => Kind::Order,
                    _ => Kind::Integer,
                };
                self.visit(exponent, kind, scope);
            }
            E::Compare(_, a, b) => {
                self.visit(a, Kind::Scalar, scope);
                self.visit(b, Kind::Scalar, scope);
            }
            E::And(list) | E::Or(list) => {
                list.iter().for_each(|e| self.visit(e, Kind::Truth, scope));
            }
            E::If(condition, a, b) => {
                self.visit(condition, Kind::Truth, scope);
                self.visit(a, kind, scope);
                self.visit(b, kind, scope);
            }
            E::Switch(_) => {}
            E::Vector(list) => list.iter().for_each(|e| self.visit(e, Kind::Scalar, scope)),
            E::Reduce(reduction) => {
                let range = &reduction.range;
                let bounds = [&range.lower, &range.upper]
                    .into_iter()
                    .chain(&range.quorum);
                bounds.for_each(|bound| self.visit(bound, Kind::Integer, scope));
                let index = &range.index.text;
                // Examples have the ranges of the left side, which comes first.
                if !self.indices.iter().any(|known| known.name == *index) {
                    self.indices.push(Index {
                        name: index.clone(),
                        lower: range.lower.clone(),
                        upper: range.upper.clone(),
                    });
                }
                let named = |name: &str| LawName::find(name).is_some();
                let body = &reduction.body.kind;
                self.orders_laws |= matches!(body, E::Call(name, _) if named(&name.text));
                let mut inner = scope.to_vec();
                inner.push(range.index.text.clone());
                self.visit(&reduction.body, kind, &inner);
            }
            E::Graph(graph) => graph.parts(&mut |part, indices| {
                let inner = indices.iter().map(|index| (*index).to_owned());
                let inner: Vec<String> = scope.iter().cloned().chain(inner).collect();
                match part {
                    GraphPart::Expr(e) => self.visit(e, Kind::Integer, &inner),
                    GraphPart::Task(task) => self.visit(task, Kind::Scalar, &inner),
                }
            }),
            E::Call(function, operands) => self.call(&function.text, operands, kind, scope),
        }
    }

    fn product(&mut self, first: &Expr, rest: &[(MulOp, Expr)], kind: Kind, scope: &[String]) {
        let factors: Vec<&Expr> = [first]
            .into_iter()
            .chain(rest.iter().map(|(_, e)| e))
            .collect();
        // In a product that is a vector, one factor is a vector: the one with the form of a vector, else the last.
        let vector = (kind == Kind::Vector).then(|| {
            let by_form = factors.iter().position(|factor| has_unit_vector(factor));
            by_form.unwrap_or(factors.len() - 1)
        });
        for (position, factor) in factors.into_iter().enumerate() {
            let rounds =
                position > 0 && matches!(rest[position - 1].0, MulOp::Modulo | MulOp::FloorDivide);
            let kind = match vector {
                Some(chosen) if chosen == position => Kind::Vector,
                _ if rounds => Kind::Integer,
                _ => Kind::Scalar,
            };
            self.visit(factor, kind, scope);
        }
    }

    fn call(&mut self, function: &str, operands: &[Expr], kind: Kind, scope: &[String]) {
        match (function, operands) {
            (SPREAD, [list]) => {
                self.visit(list, kind, scope);
                if let ExprKind::Name(name) = &list.kind {
                    let named = |variable: &&mut Variable| variable.name == *name;
                    self.list
                        .iter_mut()
                        .filter(named)
                        .for_each(|v| v.list = true);
                }
            }
            ("K", [order, law]) => {
                self.visit(order, Kind::Cumulant, scope);
                self.visit(law, Kind::Scalar, scope);
            }
            ("prob", [side, law, bound]) => {
                self.visit(side, Kind::Cumulant, scope);
                self.visit(law, Kind::Scalar, scope);
                self.visit(bound, Kind::Scalar, scope);
            }
            ("max" | "min", [only]) if is_spread(only) => self.visit(only, kind, scope),
            ("max" | "min", [vector]) => self.visit(vector, Kind::Vector, scope),
            ("unitvec", [.., position]) => self.visit(position, Kind::Integer, scope),
            ("binomial", [n, p]) => {
                self.visit(n, Kind::Integer, scope);
                self.visit(p, Kind::Scalar, scope);
            }
            (name, operands) if let Some(operation) = Operation::named(name) => {
                for (place, operand) in operands.iter().enumerate() {
                    let is_whole = operation.row().domain.contains(&Condition::Whole(place));
                    let kind = if is_whole {
                        Kind::Integer
                    } else {
                        Kind::Scalar
                    };
                    self.visit(operand, kind, scope);
                }
            }
            (name, [n])
                if Function::named(name).is_some_and(|f| f.row().domain == Domain::Counts) =>
            {
                self.visit(n, Kind::Integer, scope)
            }
            ("H", [n, order]) => {
                self.visit(n, Kind::Integer, scope);
                self.visit(order, Kind::Order, scope);
            }
            _ => {
                let kind = if function == "max" || function == "min" {
                    kind
                } else {
                    Kind::Scalar
                };
                operands
                    .iter()
                    .for_each(|operand| self.visit(operand, kind, scope));
            }
        }
        if !is_known(function) && !self.schemas.iter().any(|s| s.name == function) {
            self.schemas.push(Schema {
                name: function.to_string(),
                arity: operands.len(),
                of_truth: operands
                    .first()
                    .is_some_and(|e| matches!(e.kind, ExprKind::Compare(..))),
                scope: scope.to_vec(),
            });
        }
    }

    /// True if an expression is complete: every name and function in it is bound on the left, and no term stands
    /// outside the range of an index that it may mention.
    pub fn is_plain(&self, expr: &Expr, bound: &[String]) -> bool {
        use ExprKind as E;
        match &expr.kind {
            E::Name(name) => match self.variable(name) {
                Some(variable) => variable.scope.iter().all(|index| bound.contains(index)),
                None => bound.contains(name),
            },
            // Statements about vectors are given in words.
            E::Compare(_, a, b) if self.is_vector(a) || self.is_vector(b) => false,
            E::Call(function, operands) => {
                let schema = self.schemas.iter().find(|s| s.name == function.text);
                let known =
                    is_known(&function.text) || schema.is_some_and(|s| s.arity == operands.len());
                if let ("at", [body, index, value]) = (function.text.as_str(), &operands[..]) {
                    let mut inner = bound.to_vec();
                    if let E::Name(index) = &index.kind {
                        inner.push(index.clone());
                    }
                    return self.is_plain(body, &inner) && self.is_plain(value, bound);
                }
                let scoped = schema.is_none_or(|s| s.scope.iter().all(|i| bound.contains(i)));
                known && scoped && operands.iter().all(|operand| self.is_plain(operand, bound))
            }
            E::Reduce(reduction) => {
                let range = &reduction.range;
                let mut inner = bound.to_vec();
                inner.push(range.index.text.clone());
                let bounds = [&range.lower, &range.upper]
                    .into_iter()
                    .chain(&range.quorum);
                bounds.into_iter().all(|e| self.is_plain(e, bound))
                    && self.is_plain(&reduction.body, &inner)
            }
            E::Graph(graph) => {
                let mut plain = true;
                graph.parts(&mut |part, indices| {
                    let inner = indices.iter().map(|index| (*index).to_owned());
                    let inner: Vec<String> = bound.iter().cloned().chain(inner).collect();
                    let (GraphPart::Expr(part) | GraphPart::Task(part)) = part;
                    plain &= self.is_plain(part, &inner);
                });
                plain
            }
            _ => {
                let mut plain = true;
                crate::syntax::rewrite::map_operands(expr, &mut |operand| {
                    plain &= self.is_plain(operand, bound);
                    operand.clone()
                });
                plain
            }
        }
    }
}

/// True if an operand is a list.
pub fn is_spread(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(name, _) if name.text == SPREAD)
}

fn has_unit_vector(expr: &Expr) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Call(name, _) if name.text == "unitvec")
        || matches!(&expr.kind, ExprKind::Vector(_));
    crate::syntax::rewrite::map_operands(expr, &mut |operand| {
        found |= has_unit_vector(operand);
        operand.clone()
    });
    found
}
