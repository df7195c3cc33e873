//! Symbolic derivatives.

use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Relation, Symbol};
use crate::with_stack;

/// A derivative, and the conditions under which it is valid.
pub struct Derivative {
    pub expr: ExprId,
    /// Conditions that the point is not a kink of a `max`, `min` or `abs`, nor a jump of a rounding or a bracket.
    pub requires: Vec<ExprId>,
}

/// The derivative of a scalar by a symbol.
///
/// # Errors
/// Fails with a description of the part that has no derivative in the language.
pub fn derivative(arena: &mut Arena, id: ExprId, symbol: Symbol) -> Result<Derivative, String> {
    if let Some(mentioned) = arena.mentioned(id).next() {
        return Err(format!(
            "it mentions `{}`, whose derivative is not known here",
            mentioned.name
        ));
    }
    let mut differentiation = Differentiation {
        arena,
        symbol,
        requires: Vec::new(),
    };
    let expr = differentiation.of(id)?;
    Ok(Derivative {
        expr,
        requires: differentiation.requires,
    })
}

struct Differentiation<'a> {
    arena: &'a mut Arena,
    symbol: Symbol,
    requires: Vec<ExprId>,
}

impl Differentiation<'_> {
    fn of(&mut self, id: ExprId) -> Result<ExprId, String> {
        if !self.arena.mentions(id, self.symbol) {
            return Ok(self.arena.number(0));
        }
        with_stack(|| self.of_node(id))
    }

    fn of_node(&mut self, id: ExprId) -> Result<ExprId, String> {
        let node = self.arena.node(id).clone();
        match node {
            Node::Symbol(_) => Ok(self.arena.number(1)),
            Node::Number(_) => Ok(self.arena.number(0)),
            Node::Add(list) => {
                let list = self.each(&list)?;
                Ok(self.arena.add(&list))
            }
            Node::Mul(list) => self.of_product(&list),
            Node::Pow(base, exponent) => self.of_power(base, exponent),
            Node::Max(list) => self.of_extreme(&list, |a, b| (b, a)),
            Node::Min(list) => self.of_extreme(&list, |a, b| (a, b)),
            Node::Apply(function, operand) => self.of_function(function, operand),
            Node::Mod(a, modulus) => {
                let (inner, growth) = (self.of(a)?, self.of(modulus)?);
                self.away_from_jumps(a, modulus);
                let quotient = self.arena.floor_divide(a, modulus);
                let drop = self.arena.mul(&[growth, quotient]);
                Ok(self.arena.subtract(inner, drop))
            }
            Node::Compare(_, left, right) => {
                self.away_from(left, right);
                Ok(self.arena.number(0))
            }
            Node::If(condition, then, otherwise) => self.of_cases(condition, then, otherwise),
            Node::Reduce(r)
                if r.kind == ReduceKind::Sum
                    && !self.arena.mentions(r.lower, self.symbol)
                    && !self.arena.mentions(r.upper, self.symbol) =>
            {
                let known = self.requires.len();
                let body = self.of(r.body)?;
                if self.requires.len() > known {
                    return Err("it has an open sum with kinks or jumps".into());
                }
                Ok(self.arena.reduce(r.kind, r.index, r.lower, r.upper, body))
            }
            Node::Reduce(_) => Err("it has an open reduction that depends on the parameter".into()),
            Node::Graph(..) => Err("it has an open graph of tasks that depends on it".into()),
            Node::Operate(operation, _) => Err(format!("`{}` has no slope", operation.row().name)),
            // Mentions of equations were rejected earlier.
            Node::Call(..) => Err("it calls an equation by name".into()),
            Node::Cumulant(..) => {
                Err("it has the moments of a law that depends on the parameter".into())
            }
            Node::Quantile(..) => {
                Err("it has a quantile without a formula that depends on the parameter".into())
            }
            Node::Probability(..) => {
                Err("it has a probability without a formula that depends on the parameter".into())
            }
            Node::Vector(_) | Node::UnitVector(..) | Node::VectorMax(_) | Node::Law(..) => {
                Err("only scalars have a derivative".into())
            }
        }
    }

    /// Requires `left != right`.
    fn away_from(&mut self, left: ExprId, right: ExprId) {
        let equal = self.arena.relate(Relation::Equal, left, right);
        let unequal = self.arena.not(equal);
        self.requires.push(unequal);
    }

    /// Requires that `a / b` is not whole.
    fn away_from_jumps(&mut self, a: ExprId, b: ExprId) {
        let quotient = self.arena.divide(a, b);
        let whole = self.arena.apply(Function::Integer, quotient);
        let broken = self.arena.not(whole);
        self.requires.push(broken);
    }

    fn each(&mut self, list: &[ExprId]) -> Result<Vec<ExprId>, String> {
        list.iter().map(|&part| self.of(part)).collect()
    }

    fn of_product(&mut self, factors: &[ExprId]) -> Result<ExprId, String> {
        let mut sum = Vec::new();
        for position in 0..factors.len() {
            let mut product = factors.to_vec();
            product[position] = self.of(factors[position])?;
            sum.push(self.arena.mul(&product));
        }
        Ok(self.arena.add(&sum))
    }

    fn of_power(&mut self, base: ExprId, exponent: ExprId) -> Result<ExprId, String> {
        let mut sum = Vec::new();
        if self.arena.mentions(base, self.symbol) {
            let inner = self.of(base)?;
            let one = self.arena.number(1);
            let lower = self.arena.subtract(exponent, one);
            let power = self.arena.pow(base, lower);
            sum.push(self.arena.mul(&[exponent, power, inner]));
        }
        if self.arena.mentions(exponent, self.symbol) {
            let inner = self.of(exponent)?;
            let power = self.arena.pow(base, exponent);
            let log = self.arena.apply(Function::Log, base);
            sum.push(self.arena.mul(&[power, log, inner]));
        }
        Ok(self.arena.add(&sum))
    }

    /// The derivative of the operand that is the largest or smallest; `order` puts two operands such that
    /// the first of them decides where they ascend.
    fn of_extreme(
        &mut self,
        operands: &[ExprId],
        order: fn(ExprId, ExprId) -> (ExprId, ExprId),
    ) -> Result<ExprId, String> {
        let derivatives = self.each(operands)?;
        let mut result = *derivatives.last().ok_or("it has no operands")?;
        for position in (0..operands.len() - 1).rev() {
            let mut conditions = Vec::new();
            for other in position + 1..operands.len() {
                if derivatives[other] != derivatives[position] {
                    self.away_from(operands[position], operands[other]);
                }
                let (lower, upper) = order(operands[position], operands[other]);
                conditions.push(self.arena.relate(Relation::LessEqual, lower, upper));
            }
            let decides = self.arena.mul(&conditions);
            result = self.arena.if_else(decides, derivatives[position], result);
        }
        Ok(result)
    }

    /// A condition changes at isolated points; one that holds at isolated points is not looked into.
    fn of_cases(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Result<ExprId, String> {
        let moving = self.arena.mentions(condition, self.symbol);
        if !moving {
            let (then, otherwise) = (self.of(then)?, self.of(otherwise)?);
            return Ok(self.arena.if_else(condition, then, otherwise));
        }
        match *self.arena.node(condition) {
            Node::Compare(relation, left, right) => {
                self.away_from(left, right);
                if relation == Relation::Equal {
                    return self.of(otherwise);
                }
                let (then, otherwise) = (self.of(then)?, self.of(otherwise)?);
                Ok(self.arena.if_else(condition, then, otherwise))
            }
            _ => Err("a condition depends on the parameter".into()),
        }
    }

    fn of_function(&mut self, function: Function, operand: ExprId) -> Result<ExprId, String> {
        let inner = self.of(operand)?;
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        match function {
            Function::Floor | Function::Ceil | Function::Integer => {
                self.away_from_jumps(operand, one);
                Ok(zero)
            }
            Function::Abs => {
                self.away_from(operand, zero);
                let opposite = self.arena.negate(inner);
                let positive = self.arena.relate(Relation::LessEqual, zero, operand);
                Ok(self.arena.if_else(positive, inner, opposite))
            }
            Function::Sqrt => {
                let root = self.arena.apply(Function::Sqrt, operand);
                let two = self.arena.number(2);
                let divisor = self.arena.mul(&[two, root]);
                Ok(self.arena.divide(inner, divisor))
            }
            Function::Log => Ok(self.arena.divide(inner, operand)),
            Function::Exp => {
                let power = self.arena.apply(Function::Exp, operand);
                Ok(self.arena.mul(&[power, inner]))
            }
            _ => Err(format!(
                "the language has no name for the derivative of `{}`",
                function.name()
            )),
        }
    }
}
