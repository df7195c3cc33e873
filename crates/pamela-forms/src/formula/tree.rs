//! Prints expressions in the language, so that they read back with the same meaning.

mod choice;
mod graphs;
mod laws;
mod truth;

use choice::Chosen;
use truth::is_plainly_true_or_false;
pub(super) use truth::print_truth;

use super::law::ParameterFacts;
use super::literal::quantity;
use super::names::IndexNames;
use super::term::OwnedTerm;
use super::view::{self, Exponent, Factor, Product, View, is_list, is_predefined, product, view};
use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Reduction, Sort, Symbol, base_of};
use crate::model::predefined;
use crate::ring::Rational;
use crate::syntax::rewrite::{label, name, node};
use crate::syntax::tree::{self, AddOp, Expr, ExprKind, MulOp, Name, Range, Relation, UnitPart};
use crate::with_stack;

/// The text of `id`.
pub(super) fn print(
    arena: &Arena,
    id: ExprId,
    names: IndexNames,
    known: &ParameterFacts,
) -> String {
    let mut builder = Builder {
        arena,
        names,
        known,
    };
    let tree = builder.tree(id);
    let text = format!("{tree:#}");
    tree.dismantle();
    text
}

struct Builder<'a> {
    arena: &'a Arena,
    names: IndexNames,
    known: &'a ParameterFacts,
}

impl Builder<'_> {
    fn tree(&mut self, id: ExprId) -> Expr {
        with_stack(|| self.tree_of_view(&view(self.arena, id)))
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    fn tree_of_view(&mut self, view: &View) -> Expr {
        match view {
            View::Number(value) => number((*value).clone()),
            View::Name(symbol) => match self.arena.symbol_name(*symbol).and_then(base_of) {
                Some(base) => one_of_unit(base),
                None => name(self.names.name(self.arena, *symbol)),
            },
            View::Sum(terms) => {
                let read = |t: &view::Term| product(self.arena, &t.coefficient, t.factors);
                self.sum(&terms.iter().map(read).collect::<Vec<_>>())
            }
            View::Product(product) => match Chosen::of(self.arena, product) {
                Some(chosen) => self.chosen(&chosen),
                None => self.signed(product),
            },
            View::Power(base, exponent) => power(self.tree(*base), self.tree(*exponent)),
            View::Max(list) => self.call("max", list),
            View::Min(list) => self.call("min", list),
            View::Apply(function, operand) => self.apply(*function, *operand),
            View::LogTo(operand, base) => self.log_to(*operand, *base),
            View::FloorDivide(quotient) => self.floor_divide(quotient),
            View::Modulo(a, b) => binary(self.tree(*a), MulOp::Modulo, self.tree(*b)),
            View::Truth(truth) => self.truth(truth),
            View::If(condition, then, otherwise) => self.if_else(*condition, *then, *otherwise),
            View::Reduce(reduction) => self.reduction(reduction),
            View::Graph(graph, families) => self.graph(*graph, families),
            View::Dense(components) => self.dense(components),
            View::UnitVector(array, index) => self.unit_vector(*array, *index),
            // A list reads back with its own components only.
            View::VectorMax(vector) if is_list(self.arena, *vector) => {
                call("max", vec![number(0), self.call("max", &[*vector])])
            }
            View::VectorMax(vector) => self.call("max", &[*vector]),
            View::LawSum(parts) => self.law_sum(parts),
            View::Copies(count, law) => self.copies(count, *law),
            View::Demand(count, law, vector) => self.demand(count, *law, *vector),
            View::Scale(factor, law) => times(vec![self.tree(*factor), self.tree(*law)]),
            View::LawProduct(list) => times(self.trees(list)),
            View::Samples(samples) => laws::samples(samples),
            View::Call(name, arguments) => self.call(name, arguments),
            View::Quantile(operands) => self.call(predefined::QUANTILE, operands),
            View::Probability(sign, law, t) => {
                let sides = [self.tree(*law), self.tree(*t)].map(Box::new);
                let [law, t] = sides;
                call(
                    predefined::PROBABILITY,
                    vec![node(ExprKind::Compare(*sign, law, t))],
                )
            }
            View::Equation(symbol, arguments) => {
                let name = self.names.name(self.arena, *symbol).to_owned();
                self.call(&name, arguments)
            }
            View::RandomSum(count, law) => self.repeated(*law, |builder| builder.tree(*count)),
            View::Choice(condition, then, otherwise) => choice(
                self.tree(*condition),
                self.tree(*then),
                self.tree(*otherwise),
            ),
        }
    }

    fn trees(&mut self, list: &[ExprId]) -> Vec<Expr> {
        list.iter().map(|&id| self.tree(id)).collect()
    }

    fn call(&mut self, name: &str, arguments: &[ExprId]) -> Expr {
        call(name, self.trees(arguments))
    }

    fn apply(&mut self, function: Function, operand: ExprId) -> Expr {
        let mut arguments = vec![self.tree(operand)];
        if let Function::Harmonic(order) = function
            && order != 1
        {
            arguments.push(number(i64::from(order)));
        }
        call(function.name(), arguments)
    }

    fn unit_vector(&mut self, array: Symbol, index: ExprId) -> Expr {
        let mut arguments = Vec::new();
        if !is_predefined(self.arena, array) {
            arguments.push(name(self.names.name(self.arena, array)));
        }
        arguments.push(self.tree(index));
        call("unitvec", arguments)
    }

    fn sum(&mut self, terms: &[Product]) -> Expr {
        let Some((first, rest)) = terms.split_first() else {
            return number(0);
        };
        let first = self.signed(first);
        let rest = rest.iter().map(|term| {
            if term.negative {
                (AddOp::Subtract, self.product(term))
            } else {
                (AddOp::Add, self.product(term))
            }
        });
        sum(first, rest.collect())
    }

    /// A product with its sign.
    fn signed(&mut self, term: &Product) -> Expr {
        let size = self.product(term);
        if term.negative { negated(size) } else { size }
    }

    /// The magnitude of a product.
    fn product(&mut self, term: &Product) -> Expr {
        let whole = term.divisor.is_one() && term.divisors.is_empty();
        if let ([factor], true, true) = (&term.factors[..], whole, term.multiplier.is_one())
            && matches!(factor.exponent, Exponent::One)
        {
            return self.tree(factor.base);
        }
        let mut factors = self.factors(&term.multiplier, &term.factors).into_iter();
        let first = factors.next().unwrap_or_else(|| number(1));
        let mut rest: Vec<_> = factors.map(|factor| (MulOp::Multiply, factor)).collect();
        if !whole {
            let divisor = times(self.factors(&term.divisor, &term.divisors));
            rest.push((MulOp::Divide, divisor));
        }
        chain(first, rest)
    }

    fn factors(&mut self, multiplier: &Rational, factors: &[Factor]) -> Vec<Expr> {
        let alone = factors.is_empty() || !multiplier.is_one();
        let multiplier = alone.then(|| number(multiplier.clone()));
        let factors = factors.iter().map(|factor| self.factor(factor));
        multiplier.into_iter().chain(factors).collect()
    }

    fn factor(&mut self, factor: &Factor) -> Expr {
        // A list would be hard to see among the factors.
        if let Node::UnitVector(array, index) = *self.arena.node(factor.base) {
            return self.unit_vector(array, index);
        }
        match &factor.exponent {
            Exponent::One => self.tree(factor.base),
            Exponent::Number(exponent) => power(self.tree(factor.base), number(exponent.clone())),
            Exponent::Of(exponent) => power(self.tree(factor.base), self.tree(*exponent)),
            Exponent::Literal(literal) => node(ExprKind::Quantity(literal.clone())),
            Exponent::LogTo(base, exponent) => {
                let operand = factor.logarithm(self.arena).map(|(operand, ..)| operand);
                let logarithm = self.log_to(operand.unwrap_or(factor.base), *base);
                if exponent.is_one() {
                    logarithm
                } else {
                    power(logarithm, number(exponent.clone()))
                }
            }
        }
    }

    fn log_to(&mut self, operand: ExprId, base: ExprId) -> Expr {
        match self.arena.as_number(base) {
            Some(base) if *base == Rational::from(2) => self.call("log2", &[operand]),
            _ => self.call("log", &[operand, base]),
        }
    }

    /// `numerator div denominator`
    fn floor_divide(&mut self, quotient: &Product) -> Expr {
        let numerator = times(self.factors(&quotient.multiplier, &quotient.factors));
        let numerator = if quotient.negative {
            negated(numerator)
        } else {
            numerator
        };
        let denominator = times(self.factors(&quotient.divisor, &quotient.divisors));
        binary(numerator, MulOp::FloorDivide, denominator)
    }

    fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Expr {
        let condition = self.condition(condition);
        let branches = [then, otherwise];
        let vector = branches.map(|branch| self.arena.sort(branch) == Sort::Vector);
        let [then, otherwise] = branches.map(|branch| self.branch(branch, vector != [false; 2]));
        choice(condition, then, otherwise)
    }

    /// The condition that chooses between two branches.
    fn condition(&mut self, condition: ExprId) -> Expr {
        let tree = self.tree(condition);
        match view::truth(self.arena, condition) {
            Some(truth) if is_plainly_true_or_false(self.arena, &truth) => tree,
            // Anything else would read as a probability, and both branches be evaluated.
            _ => compare(Relation::Equal, tree, number(1)),
        }
    }

    /// One branch of a conditional; the arena writes the zero vector as the number 0.
    fn branch(&mut self, id: ExprId, vector: bool) -> Expr {
        if vector && self.arena.as_number(id).is_some() {
            no_components()
        } else {
            self.tree(id)
        }
    }

    fn reduction(&mut self, reduction: &Reduction) -> Expr {
        let kind = match reduction.kind {
            ReduceKind::Product => tree::ReduceKind::Product,
            ReduceKind::Max | ReduceKind::LawMax => tree::ReduceKind::Max,
            ReduceKind::Min | ReduceKind::LawMin => tree::ReduceKind::Min,
            ReduceKind::Kth(_) | ReduceKind::LawKth(_) => tree::ReduceKind::Kth,
            // `Each` stands in graphs only, which have ranges of their own.
            ReduceKind::Sum | ReduceKind::Each => tree::ReduceKind::Sum,
        };
        let quorum = reduction.kind.quorum().map(|quorum| self.tree(quorum));
        let range = Range {
            quorum,
            ..self.enter(reduction)
        };
        let body = self.tree(reduction.body);
        self.names.leave();
        reduce(kind, range, body)
    }

    /// The range of a reduction, and the scope of its index, outside which the bounds stand.
    fn enter(&mut self, reduction: &Reduction) -> Range {
        let (lower, upper) = (self.tree(reduction.lower), self.tree(reduction.upper));
        let index = label(&self.names.enter(reduction.index));
        range(index, lower, upper)
    }

    fn dense(&mut self, components: &[Vec<OwnedTerm>]) -> Expr {
        if components.is_empty() {
            // There is no empty list in the language.
            return no_components();
        }
        let components = components.iter().map(|terms| self.component(terms));
        node(ExprKind::Vector(components.collect()))
    }

    fn component(&mut self, terms: &[OwnedTerm]) -> Expr {
        match terms {
            [term] if term.coefficient.is_one() && term.factors.len() == 1 => {
                self.tree(term.factors[0])
            }
            _ => {
                let products = terms.iter().map(|t| view::product_of(self.arena, t));
                self.sum(&products.collect::<Vec<_>>())
            }
        }
    }
}

fn number(value: impl Into<Rational>) -> Expr {
    node(ExprKind::Number(value.into()))
}

fn one_of_unit(base: &str) -> Expr {
    let part = UnitPart {
        name: label(base),
        power: 1,
    };
    node(ExprKind::Quantity(Box::new(quantity(
        Rational::ONE,
        vec![part],
    ))))
}

fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    node(ExprKind::Call(label(name), arguments))
}

/// The list of a vector without components: one that is 0 changes nothing.
fn no_components() -> Expr {
    node(ExprKind::Vector(vec![number(0)]))
}

/// A minus binds tighter than multiplication, so that it is that of the first factor.
fn negated(size: Expr) -> Expr {
    let negate = |expr: Expr| node(ExprKind::Negate(Box::new(expr)));
    match size.kind {
        ExprKind::Product(first, rest) if rest.iter().all(|(sign, _)| is_field(*sign)) => {
            chain(negate(*first), rest)
        }
        _ => negate(size),
    }
}

fn is_field(sign: MulOp) -> bool {
    matches!(sign, MulOp::Multiply | MulOp::Divide)
}

fn sum(first: Expr, rest: Vec<(AddOp, Expr)>) -> Expr {
    if rest.is_empty() {
        first
    } else {
        node(ExprKind::Sum(Box::new(first), rest))
    }
}

fn chain(first: Expr, rest: Vec<(MulOp, Expr)>) -> Expr {
    if rest.is_empty() {
        first
    } else {
        node(ExprKind::Product(Box::new(first), rest))
    }
}

fn binary(left: Expr, sign: MulOp, right: Expr) -> Expr {
    chain(left, vec![(sign, right)])
}

fn times(factors: Vec<Expr>) -> Expr {
    let mut factors = factors.into_iter();
    let first = factors.next().unwrap_or_else(|| number(1));
    chain(first, factors.map(|f| (MulOp::Multiply, f)).collect())
}

fn power(base: Expr, exponent: Expr) -> Expr {
    node(ExprKind::Power(Box::new(base), Box::new(exponent)))
}

fn compare(relation: Relation, left: Expr, right: Expr) -> Expr {
    node(ExprKind::Compare(relation, Box::new(left), Box::new(right)))
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
    node(ExprKind::If(condition, then, otherwise))
}

fn range(index: Name, lower: Expr, upper: Expr) -> Range {
    Range {
        quorum: None,
        index,
        lower,
        upper,
        step: None,
    }
}

fn reduce(kind: tree::ReduceKind, range: Range, body: Expr) -> Expr {
    node(ExprKind::Reduce(Box::new(tree::Reduction {
        kind,
        range,
        body,
    })))
}
