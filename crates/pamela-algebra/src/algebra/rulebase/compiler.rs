//! The terms and guards of a rule as patterns.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Compiled, fail, reducer, spreads};
use crate::algebra::language::Reducer;
use crate::algebra::pattern::{Fold, Independence, Item, Pattern, ReducePattern, Variable};
use crate::algebra::rule::{Form, Function as Declared, Guard, Let, Source};
use crate::expr::{Function, Operation, Relation};
use crate::ring::Rational;
use crate::syntax::tree::{self, order_of_harmonic};

pub(super) struct Compiler<'a> {
    functions: &'a [Arc<Declared>],
    variables: HashMap<String, Variable>,
    /// The variables that stand for lists, and those that stand for indices.
    lists: Vec<Variable>,
    indices: Vec<Variable>,
    pub(super) laws: Vec<tree::Name>,
    /// On a left side a new name is a new variable; elsewhere it is an error.
    pub(super) binding: bool,
    /// A list stands for its elements, one by one.
    pub(super) elementwise: bool,
    /// The lists that do so.
    pub(super) single: Vec<Variable>,
    /// Indices that only the right side has.
    pub(super) fresh: Vec<Variable>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(functions: &'a [Arc<Declared>], laws: &[tree::Name]) -> Compiler<'a> {
        Compiler {
            functions,
            variables: HashMap::new(),
            lists: Vec::new(),
            indices: Vec::new(),
            laws: laws.to_vec(),
            binding: false,
            elementwise: false,
            single: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// Number of variables.
    pub(super) fn count(&self) -> usize {
        self.variables.len()
    }

    /// `let (y, ..s) = f(x)`, or any other expression on the right.
    pub(super) fn binding(&mut self, binding: &tree::Let) -> Compiled<Let> {
        let value = match &binding.value.kind {
            tree::ExprKind::Call(name, arguments) => {
                let known = |f: &&Arc<Declared>| f.name == name.text && f.body.is_some();
                match self.functions.iter().find(known) {
                    Some(function) => Source::Call(function.clone(), self.items(arguments)?),
                    None => Source::Term(self.pattern(&binding.value)?),
                }
            }
            _ => Source::Term(self.pattern(&binding.value)?),
        };
        let results = self.found(&binding.results)?;
        Ok(Let { results, value })
    }

    /// Variables bound to the arguments or results of a function, which may be indices.
    pub(super) fn found(&mut self, names: &[tree::Expr]) -> Compiled<Vec<Item>> {
        self.binding = true;
        let items = self.items(names);
        self.binding = false;
        for item in items.iter().flatten() {
            if let Item::One(Pattern::Variable(variable)) = item {
                self.indices.push(*variable);
            }
        }
        items
    }

    /// Operands, of which some may be lists.
    pub(super) fn items(&mut self, operands: &[tree::Expr]) -> Compiled<Vec<Item>> {
        operands.iter().map(|operand| self.item(operand)).collect()
    }

    pub(super) fn item(&mut self, operand: &tree::Expr) -> Compiled<Item> {
        let tree::ExprKind::Call(sign, inner) = &operand.kind else {
            return Ok(Item::One(self.pattern(operand)?));
        };
        if sign.text != tree::SPREAD {
            return Ok(Item::One(self.pattern(operand)?));
        }
        if self.binding {
            let tree::ExprKind::Name(name) = &inner[0].kind else {
                let hint = "write `..` and a name where a list is taken apart";
                return fail("not a name".into(), inner[0].span, "found this", hint);
            };
            let variable = self.variable(name, inner[0].span)?;
            self.lists.push(variable);
            return Ok(Item::Each(
                Pattern::Variable(variable),
                Box::new([variable]),
            ));
        }
        let outer = (self.elementwise, std::mem::take(&mut self.single));
        self.elementwise = true;
        let pattern = self.pattern(&inner[0]);
        let lists = std::mem::replace(&mut self.single, outer.1);
        self.elementwise = outer.0;
        if lists.is_empty() {
            let hint = "`..e` stands for e with each element of the lists in it";
            return fail("no list in it".into(), operand.span, "found this", hint);
        }
        Ok(Item::Each(pattern?, lists.into()))
    }

    fn named(&mut self, name: &str, span: crate::diagnostic::Span) -> Compiled<Variable> {
        let variable = self.variable(name, span)?;
        if self.lists.contains(&variable) {
            if !self.elementwise {
                let hint = "write `..x` where its elements are meant";
                return fail(format!("`{name}` is a list"), span, "not one term", hint);
            }
            if !self.single.contains(&variable) {
                self.single.push(variable);
            }
        }
        Ok(variable)
    }

    fn variable(&mut self, name: &str, span: crate::diagnostic::Span) -> Compiled<Variable> {
        if let Some(&known) = self.variables.get(name) {
            return Ok(known);
        }
        if !self.binding {
            let hint = "every variable of the right side and the guards must occur on the left or in a `let`";
            return fail(
                format!("`{name}` is not bound"),
                span,
                "not on the left side",
                hint,
            );
        }
        let variable = self.variables.len();
        self.variables.insert(name.to_string(), variable);
        Ok(variable)
    }

    pub(super) fn guards(
        &mut self,
        list: &[tree::Guard],
        independent: &mut Vec<Independence>,
    ) -> Compiled<Vec<Guard>> {
        let mut guards = Vec::new();
        for guard in list {
            match guard {
                tree::Guard::NotIn(index, expression) => {
                    let index = self.variable(&index.text, index.span)?;
                    let Pattern::Variable(free) = self.pattern(expression)? else {
                        let hint = "name the part by a variable of the left side";
                        return fail(
                            "`notin` takes a variable".into(),
                            expression.span,
                            "found this",
                            hint,
                        );
                    };
                    independent.push((free, index));
                }
                tree::Guard::Holds(expression) => guards.push(self.guard(expression)?),
            }
        }
        Ok(guards)
    }

    fn guard(&mut self, expression: &tree::Expr) -> Compiled<Guard> {
        match &expression.kind {
            tree::ExprKind::Call(name, arguments)
                if name.text == "defined" && arguments.len() == 1 =>
            {
                Ok(Guard::Defined(self.pattern(&arguments[0])?))
            }
            tree::ExprKind::Call(name, arguments)
                if Form::named(&name.text, arguments.len()).is_some() =>
            {
                let form = Form::named(&name.text, arguments.len());
                let operands = arguments.iter().map(|operand| self.pattern(operand));
                let operands = operands.collect::<Compiled<Vec<_>>>()?;
                Ok(
                    form.map_or(Guard::Holds(Pattern::Number(Rational::ZERO)), |form| {
                        Guard::Form(form, operands)
                    }),
                )
            }
            tree::ExprKind::Not(inner) => match self.guard(inner)? {
                Guard::Form(form, operands) => Ok(Guard::Not(form, operands)),
                _ => Ok(Guard::Holds(self.pattern(expression)?)),
            },
            tree::ExprKind::Call(name, _) if name.text != "integer" => {
                let hint = "a guard is a relation, `integer(e)`, `defined(e)`, `i notin e`, or asks for a form: \
                 `closed(e)`, `contains(e, x)`, `assumable(g)`, `proved(g)`, `parameters(e)`";
                fail(
                    format!("unknown predicate `{}`", name.text),
                    name.span,
                    "not a predicate",
                    hint,
                )
            }
            _ => {
                self.single.clear();
                self.elementwise = true;
                let pattern = self.pattern(expression);
                self.elementwise = false;
                let lists = std::mem::take(&mut self.single);
                Ok(if lists.is_empty() {
                    Guard::Holds(pattern?)
                } else {
                    Guard::Each(Item::Each(pattern?, lists.into()))
                })
            }
        }
    }

    fn pair(&mut self, a: &tree::Expr, b: &tree::Expr) -> Compiled<Box<[Pattern; 2]>> {
        Ok(Box::new([self.pattern(a)?, self.pattern(b)?]))
    }

    pub(super) fn pattern(&mut self, expression: &tree::Expr) -> Compiled<Pattern> {
        use tree::ExprKind as E;
        if let Some(pattern) = self.law(expression)? {
            return Ok(pattern);
        }
        Ok(match &expression.kind {
            E::Number(value) => Pattern::Number(value.clone()),
            E::Name(name) => Pattern::Variable(self.named(name, expression.span)?),
            E::Negate(operand) => negate(self.pattern(operand)?),
            E::Not(operand) => complement(self.pattern(operand)?),
            E::Sum(first, rest) => {
                let mut sum = self.pattern(first)?;
                for (op, term) in rest {
                    let term = self.pattern(term)?;
                    let term = if *op == tree::AddOp::Add {
                        term
                    } else {
                        negate(term)
                    };
                    sum = Pattern::Add(Box::new([sum, term]));
                }
                sum
            }
            E::Product(first, rest) => {
                let mut product = self.pattern(first)?;
                for (op, factor) in rest {
                    let factor = self.pattern(factor)?;
                    product = multiply(*op, product, factor);
                }
                product
            }
            E::Power(base, exponent) => Pattern::Pow(self.pair(base, exponent)?),
            E::Compare(relation, a, b) => self.comparison(*relation, a, b)?,
            E::And(list) => {
                let mut parts = list
                    .iter()
                    .map(|part| self.pattern(part))
                    .collect::<Compiled<Vec<_>>>()?;
                let first = parts.remove(0);
                parts
                    .into_iter()
                    .fold(first, |all, part| Pattern::Mul(Box::new([all, part])))
            }
            E::If(c, a, b) => Pattern::If(Box::new([
                self.pattern(c)?,
                self.pattern(a)?,
                self.pattern(b)?,
            ])),
            E::Reduce(reduction) => Pattern::Reduce(Box::new(self.reduction(reduction)?)),
            E::Call(name, arguments) => self.call(name, arguments, expression)?,
            E::Or(_) | E::Switch(_) | E::Vector(_) | E::Text(_) | E::Quantity(_) | E::Graph(_) => {
                let hint = "rules are written with numbers, variables, operators, functions and reductions";
                return fail(
                    "not supported in a rule".into(),
                    expression.span,
                    "found this",
                    hint,
                );
            }
        })
    }

    fn reduction(&mut self, reduction: &tree::Reduction) -> Compiled<ReducePattern> {
        let range = &reduction.range;
        if let Some(step) = &range.step {
            let hint = "rules see a range with a step as a range with step 1";
            let message = "a range with a step is not supported in a rule".into();
            return fail(message, step.span, "found this", hint);
        }
        let index = self.index(&range.index)?;
        let quorum = range
            .quorum
            .as_ref()
            .map(|quorum| self.pattern(quorum))
            .transpose()?;
        Ok(ReducePattern {
            reducer: match (reducer(reduction.kind), self.is_law(&reduction.body)) {
                (Reducer::Max, true) => Reducer::LawMax,
                (Reducer::Min, true) => Reducer::LawMin,
                (Reducer::Kth, true) => Reducer::LawKth,
                (reducer, _) => reducer,
            },
            quorum,
            index,
            lower: self.pattern(&range.lower)?,
            upper: self.pattern(&range.upper)?,
            body: self.pattern(&reduction.body)?,
        })
    }

    /// The index of a reduction; on a right side it may be a new one.
    fn index(&mut self, name: &tree::Name) -> Compiled<Variable> {
        match self.variables.get(&name.text) {
            Some(known) if self.indices.contains(known) => Ok(*known),
            Some(_) => {
                let hint = "rename the index";
                let message = format!("`{}` is not an index", name.text);
                fail(message, name.span, "stands for a term", hint)
            }
            None => {
                let variable = self.variables.len();
                self.variables.insert(name.text.clone(), variable);
                self.indices.push(variable);
                if !self.binding {
                    self.fresh.push(variable);
                }
                Ok(variable)
            }
        }
    }

    fn comparison(
        &mut self,
        relation: tree::Relation,
        a: &tree::Expr,
        b: &tree::Expr,
    ) -> Compiled<Pattern> {
        use tree::Relation as R;
        Ok(match relation {
            R::Less => Pattern::Compare(Relation::Less, self.pair(a, b)?),
            R::LessEqual => Pattern::Compare(Relation::LessEqual, self.pair(a, b)?),
            R::Greater => Pattern::Compare(Relation::Less, self.pair(b, a)?),
            R::GreaterEqual => Pattern::Compare(Relation::LessEqual, self.pair(b, a)?),
            R::Equal => Pattern::Compare(Relation::Equal, self.pair(a, b)?),
            R::NotEqual => complement(Pattern::Compare(Relation::Equal, self.pair(a, b)?)),
        })
    }

    fn call(
        &mut self,
        name: &tree::Name,
        arguments: &[tree::Expr],
        whole: &tree::Expr,
    ) -> Compiled<Pattern> {
        let function = Function::named(&name.text);
        let fold = match name.text.as_str() {
            "total" => Some(Fold::Sum),
            "product" => Some(Fold::Product),
            "max" => Some(Fold::Max),
            "min" => Some(Fold::Min),
            _ => None,
        };
        if let Some(fold) = fold.filter(|_| spreads(arguments) || arguments.len() > 2) {
            return Ok(Pattern::Fold(fold, self.items(arguments)?.into()));
        }
        if let Some(operation) = Operation::named(&name.text)
            && operation.row().operands == arguments.len()
        {
            let operands = arguments.iter().map(|argument| self.pattern(argument));
            let operands: Compiled<Vec<Pattern>> = operands.collect();
            return Ok(Pattern::Operate(operation, operands?.into()));
        }
        Ok(match (function, name.text.as_str(), arguments) {
            (Some(Function::Harmonic(_)), _, [operand, order]) => {
                let Some(order) = order_of_harmonic(order) else {
                    return fail(
                        "the order of a harmonic number must be a whole number".into(),
                        order.span,
                        "not such a number",
                        "write for example `H(n, 2)`",
                    );
                };
                Pattern::Apply(Function::Harmonic(order), Box::new(self.pattern(operand)?))
            }
            (Some(function), _, [operand]) => {
                Pattern::Apply(function, Box::new(self.pattern(operand)?))
            }
            (_, "ln", [operand]) => Pattern::Apply(Function::Log, Box::new(self.pattern(operand)?)),
            (_, "log2", [operand]) => {
                let log = Pattern::Apply(Function::Log, Box::new(self.pattern(operand)?));
                let two = Pattern::Number(Rational::from(2));
                let of_two = Pattern::Apply(Function::Log, Box::new(two));
                multiply(tree::MulOp::Divide, log, of_two)
            }
            (_, "max", [vector]) => Pattern::VectorMax(Box::new(self.pattern(vector)?)),
            (_, "max", [a, b]) => Pattern::Max(self.pair(a, b)?),
            (_, "min", [a, b]) => Pattern::Min(self.pair(a, b)?),
            (_, "unitvec", [position]) => Pattern::UnitVector(Box::new(self.pattern(position)?)),
            (_, "at", [body, index, value]) => {
                let index = match self.pattern(index)? {
                    Pattern::Variable(v) => v,
                    _ => {
                        return fail(
                            "`at` takes an index".into(),
                            index.span,
                            "not an index",
                            "write `at(e, i, x)`",
                        );
                    }
                };
                Pattern::At(self.pair(body, value)?, index)
            }
            _ => {
                let hint = "available are max, min, floor, ceil, abs, sqrt, log, log2, ln, exp, integer, H, fact, lgamma, gcd, floorsum and at(e, i, x)";
                return fail(
                    format!("unknown function `{}`", name.text),
                    whole.span,
                    "not known in a rule",
                    hint,
                );
            }
        })
    }
}

fn negate(operand: Pattern) -> Pattern {
    match operand {
        Pattern::Number(value) => Pattern::Number(-&value),
        other => Pattern::Mul(Box::new([Pattern::Number(Rational::from(-1)), other])),
    }
}

fn complement(operand: Pattern) -> Pattern {
    Pattern::Add(Box::new([Pattern::Number(Rational::ONE), negate(operand)]))
}

fn multiply(op: tree::MulOp, left: Pattern, right: Pattern) -> Pattern {
    let quotient = |left, right| {
        let inverse = Pattern::Pow(Box::new([right, Pattern::Number(Rational::from(-1))]));
        Pattern::Mul(Box::new([left, inverse]))
    };
    match op {
        tree::MulOp::Multiply => Pattern::Mul(Box::new([left, right])),
        tree::MulOp::Divide => quotient(left, right),
        tree::MulOp::Modulo => Pattern::Mod(Box::new([left, right])),
        tree::MulOp::FloorDivide => {
            Pattern::Apply(Function::Floor, Box::new(quotient(left, right)))
        }
    }
}
