//! Reads PAMELA+ text into an arena, as plainly as can be: for tests only.

use crate::expr::{Arena, ExprId, Function, Operation, ReduceKind, Relation, Symbol};
use crate::syntax::parse_expression;
use crate::syntax::tree::{self, AddOp, Expr, ExprKind, MulOp};

pub fn read(arena: &mut Arena, text: &str) -> ExprId {
    let (tree, _) =
        parse_expression("test", text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Reader {
        arena,
        indices: Vec::new(),
    }
    .expression(&tree)
}

struct Reader<'a> {
    arena: &'a mut Arena,
    indices: Vec<(String, Symbol)>,
}

impl Reader<'_> {
    /// One long function, because it is a table with an arm for each kind of expression.
    fn expression(&mut self, expr: &Expr) -> ExprId {
        match &expr.kind {
            ExprKind::Number(value) => self.arena.number(value.clone()),
            ExprKind::Name(name) => {
                let index = self.indices.iter().rev().find(|(other, _)| other == name);
                match index.map(|(_, symbol)| *symbol) {
                    Some(symbol) => self.arena.symbol(symbol),
                    None => self.arena.parameter(name),
                }
            }
            ExprKind::Call(name, arguments) => self.call(&name.text, arguments),
            ExprKind::Negate(inner) => {
                let inner = self.expression(inner);
                self.arena.negate(inner)
            }
            ExprKind::Not(inner) => {
                let inner = self.expression(inner);
                self.arena.not(inner)
            }
            ExprKind::Sum(first, rest) => {
                let mut terms = vec![self.expression(first)];
                for (operator, term) in rest {
                    let term = self.expression(term);
                    terms.push(match operator {
                        AddOp::Add => term,
                        AddOp::Subtract => self.arena.negate(term),
                    });
                }
                self.arena.add(&terms)
            }
            ExprKind::Product(first, rest) => {
                let mut product = self.expression(first);
                for (operator, factor) in rest {
                    let factor = self.expression(factor);
                    product = match operator {
                        MulOp::Multiply => self.arena.mul(&[product, factor]),
                        MulOp::Divide => self.arena.divide(product, factor),
                        MulOp::Modulo => self.arena.modulo(product, factor),
                        MulOp::FloorDivide => self.arena.floor_divide(product, factor),
                    };
                }
                product
            }
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.expression(base), self.expression(exponent));
                self.arena.pow(base, exponent)
            }
            ExprKind::Compare(relation, a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                self.compare(*relation, a, b)
            }
            ExprKind::And(list) => {
                let list = self.list(list);
                self.arena.mul(&list)
            }
            ExprKind::Or(list) => {
                let list: Vec<ExprId> = list
                    .iter()
                    .map(|operand| {
                        let operand = self.expression(operand);
                        self.arena.not(operand)
                    })
                    .collect();
                let none = self.arena.mul(&list);
                self.arena.not(none)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                let (then, otherwise) = (self.expression(then), self.expression(otherwise));
                self.arena.if_else(condition, then, otherwise)
            }
            ExprKind::Reduce(reduction) => self.reduction(reduction),
            ExprKind::Graph(_) => unreachable!("not read here"),
            ExprKind::Vector(list) => {
                let list = self.list(list);
                self.arena.vector(&list)
            }
            ExprKind::Switch(_) | ExprKind::Text(_) | ExprKind::Quantity(_) => {
                panic!("not in a closed form")
            }
        }
    }

    fn compare(&mut self, relation: tree::Relation, a: ExprId, b: ExprId) -> ExprId {
        match relation {
            tree::Relation::Less => self.arena.relate(Relation::Less, a, b),
            tree::Relation::LessEqual => self.arena.relate(Relation::LessEqual, a, b),
            tree::Relation::Greater => self.arena.relate(Relation::Less, b, a),
            tree::Relation::GreaterEqual => self.arena.relate(Relation::LessEqual, b, a),
            tree::Relation::Equal => self.arena.relate(Relation::Equal, a, b),
            tree::Relation::NotEqual => {
                let equal = self.arena.relate(Relation::Equal, a, b);
                self.arena.not(equal)
            }
        }
    }

    fn list(&mut self, list: &[Expr]) -> Vec<ExprId> {
        list.iter().map(|item| self.expression(item)).collect()
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> ExprId {
        if let ("unitvec", [array, index]) = (name, arguments) {
            let ExprKind::Name(array) = &array.kind else {
                panic!("an array is a name")
            };
            let (array, index) = (self.arena.named(array), self.expression(index));
            return self.arena.unit_vector(array, index);
        }
        let list = self.list(arguments);
        let function = match (name, &list[..]) {
            ("max", [vector]) => return self.arena.vector_max(*vector),
            ("max", _) => return self.arena.max(&list),
            ("min", _) => return self.arena.min(&list),
            ("unitvec", [index]) => {
                let array = self.arena.named("fcfs");
                return self.arena.unit_vector(array, *index);
            }
            ("H", [n, order]) => {
                let order = self.arena.as_number(*order).and_then(|k| k.to_i64());
                let order = Function::Harmonic(order.expect("an order is a number") as u32);
                return self.arena.apply(order, *n);
            }
            _ if let Some(operation) = Operation::named(name) => {
                return self.arena.operate(operation, &list);
            }
            ("log2", [x]) => {
                let two = self.arena.number(2);
                return self.arena.log_to(*x, two);
            }
            ("log", [x, base]) => return self.arena.log_to(*x, *base),
            ("ln", [x]) => return self.arena.apply(Function::Log, *x),
            ("root", [x, order]) => return self.arena.root(*x, *order),
            ("cbrt", [x]) => {
                let three = self.arena.number(3);
                return self.arena.root(*x, three);
            }
            _ => Function::named(name).unwrap_or_else(|| panic!("no function {name}")),
        };
        self.arena.apply(function, list[0])
    }

    fn reduction(&mut self, reduction: &tree::Reduction) -> ExprId {
        let range = &reduction.range;
        let (lower, upper) = (self.expression(&range.lower), self.expression(&range.upper));
        let kind = match reduction.kind {
            tree::ReduceKind::Sum => ReduceKind::Sum,
            tree::ReduceKind::Product => ReduceKind::Product,
            tree::ReduceKind::Max => ReduceKind::Max,
            tree::ReduceKind::Min => ReduceKind::Min,
            tree::ReduceKind::Kth => {
                let quorum = range.quorum.as_ref().map(|quorum| self.expression(quorum));
                ReduceKind::Kth(quorum.unwrap_or(lower))
            }
        };
        let index = self.arena.fresh_index();
        self.indices.push((range.index.text.clone(), index));
        let body = self.expression(&reduction.body);
        self.indices.pop();
        self.arena.reduce(kind, index, lower, upper, body)
    }
}
