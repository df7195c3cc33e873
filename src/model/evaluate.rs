//! The definitional evaluator: values by the definitions of the language, exactly, by looping.
//!
//! It is what every closed form is tested against, so it shares no code with the algebra and does not go
//! through the equations that processes are compiled to: it reads processes themselves.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::number::{Fault, Number};
use super::processes::Timing;
use super::value::{Value, Vector};
use super::walk::with_stack;
use super::{FCFS, Model, PREFIXES, Sort, Sorts, not_supported, predefined};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    AddOp, Equation, Expr, ExprKind, MulOp, Name, ParameterFact, Range, ReduceKind, Reduction, Relation, Type,
    Value as Definition,
};

/// What an evaluation may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Visits of a node or an iteration, for one equation.
    pub steps: u64,
}

impl Default for Limits {
    /// Some ten seconds.
    fn default() -> Limits {
        Limits { steps: 20_000_000 }
    }
}

/// Evaluates the equations of one model, with given values for its parameters.
///
/// All errors are the model's (or the values'): an unbound parameter, a quotient of zero, a law (not
/// supported yet), too many steps. They point into the model's sources.
pub struct Evaluator<'m> {
    pub(super) model: &'m Model,
    bindings: &'m BTreeMap<String, Value>,
    limits: Limits,
    steps: u64,
    numbers: HashMap<usize, Value>,
    pub(super) timings: HashMap<usize, Timing>,
    sorts: Sorts<'m>,
}

/// An argument, evaluated where it is first needed.
pub(super) struct Argument<'m> {
    pub(super) expr: &'m Expr,
    pub(super) scope: Scope<'m>,
    value: RefCell<Option<Value>>,
}

/// What a name that is not the model's stands for.
#[derive(Clone)]
pub(super) enum Local<'m> {
    Index(Number),
    Argument(Rc<Argument<'m>>),
}

/// The names in scope, innermost first.
pub(super) type Scope<'m> = Option<Rc<Frame<'m>>>;

pub(super) struct Frame<'m> {
    name: &'m str,
    local: Local<'m>,
    outer: Scope<'m>,
}

pub(super) fn find<'s, 'm>(scope: &'s Scope<'m>, name: &str) -> Option<&'s Local<'m>> {
    let mut frame = scope.as_ref();
    while let Some(inner) = frame {
        if inner.name == name {
            return Some(&inner.local);
        }
        frame = inner.outer.as_ref();
    }
    None
}

pub(super) fn bind<'m>(name: &'m str, local: Local<'m>, outer: &Scope<'m>) -> Scope<'m> {
    Some(Rc::new(Frame { name, local, outer: outer.clone() }))
}

/// The value of a condition: of its form, a truth value or a probability.
pub(super) enum Condition {
    Truth(bool),
    Weight(Number),
}

pub(super) fn at<T>(result: Result<T, Fault>, span: Span) -> Result<T, Diagnostic> {
    result.map_err(|fault| Diagnostic::error(fault, span, "in the value of this"))
}

impl<'m> Evaluator<'m> {
    /// An evaluator of `model` with values for its parameters by name.
    ///
    /// A value takes the place of whatever the model says of the name; a parameter without one takes its
    /// default.
    pub fn new(model: &'m Model, bindings: &'m BTreeMap<String, Value>, limits: Limits) -> Evaluator<'m> {
        Evaluator {
            model,
            bindings,
            limits,
            steps: 0,
            numbers: HashMap::new(),
            timings: HashMap::new(),
            sorts: Sorts::new(model),
        }
    }

    /// The value of a numeric equation without arguments, or of a result such as `T_main`.
    pub fn equation(&mut self, name: &str) -> Result<Value, Diagnostic> {
        self.steps = 0;
        if let Some(position) = self.model.position(name)
            && self.model.equations()[position].kind == Type::Numeric
        {
            return self.global(position, self.model.equations()[position].name.span);
        }
        for prefix in PREFIXES {
            if let Some(process) = name.strip_prefix(prefix)
                && self.model.lookup(process).is_some_and(|e| e.kind == Type::Process)
            {
                let timing = self.process(process)?;
                return Ok(match prefix {
                    "T_" => timing.time.into(),
                    "phi_" => timing.phi.into(),
                    "omega_" => timing.omega.into(),
                    _ => Value::Vector(timing.delta),
                });
            }
        }
        Err(Diagnostic::error(format!("`{name}` is not a numeric equation"), Span::default(), "asked for"))
    }

    /// The four values of a process without arguments.
    pub fn process(&mut self, name: &str) -> Result<Timing, Diagnostic> {
        self.steps = 0;
        match self.model.position(name) {
            Some(position) if self.model.equations()[position].kind == Type::Process => self.timing(position),
            _ => Err(Diagnostic::error(format!("`{name}` is not a process"), Span::default(), "asked for")),
        }
    }

    /// The value of an expression over the model's names and the bound ones.
    pub fn evaluate_expression(&mut self, expr: &'m Expr) -> Result<Value, Diagnostic> {
        self.steps = 0;
        self.expr(expr, &None)
    }

    /// What is declared of parameters, or assumed, and does not hold with these values.
    ///
    /// # Errors
    /// A fact that has no value.
    pub fn broken_facts(&mut self) -> Result<Vec<Diagnostic>, Diagnostic> {
        let model = self.model;
        let mut broken = Vec::new();
        for (position, equation) in model.equations().iter().enumerate().filter(|(_, e)| !e.facts.is_empty()) {
            for fact in &equation.facts {
                if let Some(diagnostic) = self.broken_fact(position, equation, fact)? {
                    broken.push(diagnostic);
                }
            }
        }
        for relation in model.assumptions() {
            self.steps = 0;
            if self.scalar(relation, &None)?.is_zero() {
                broken.push(Diagnostic::error("an assumption does not hold", relation.span, "false here"));
            }
        }
        Ok(broken)
    }

    fn broken_fact(
        &mut self,
        position: usize,
        equation: &'m Equation,
        fact: &'m ParameterFact,
    ) -> Result<Option<Diagnostic>, Diagnostic> {
        self.steps = 0;
        let span = equation.name.span;
        let Value::Scalar(value) = self.global(position, span)? else { return Ok(None) };
        let (holds, span) = match fact {
            ParameterFact::Integer(span) => (value.is_integer(), *span),
            ParameterFact::AtLeast(e) => (value.compare(&self.scalar(e, &None)?) != Ordering::Less, e.span),
            ParameterFact::AtMost(e) => (value.compare(&self.scalar(e, &None)?) != Ordering::Greater, e.span),
            ParameterFact::Law(_) => (true, span),
        };
        let message = format!("`{}` is {value}, against what is declared of it", equation.name.text);
        Ok((!holds).then(|| Diagnostic::error(message, span, "does not hold")))
    }

    pub(super) fn step(&mut self, span: Span, cost: u64) -> Result<(), Diagnostic> {
        self.steps = self.steps.saturating_add(cost);
        if self.steps <= self.limits.steps {
            return Ok(());
        }
        let message = format!("the evaluation takes more than {} steps", self.limits.steps);
        Err(Diagnostic::error(message, span, "stopped here")
            .hint("the definition is evaluated by looping: take smaller values, or raise the limit of steps"))
    }

    /// The value of the numeric equation at `position`, which has no arguments; `span` is where it is used.
    fn global(&mut self, position: usize, span: Span) -> Result<Value, Diagnostic> {
        let model = self.model;
        let equation = &model.equations()[position];
        let name = &equation.name;
        if let Some(value) = self.bindings.get(&name.text) {
            return Ok(value.clone());
        }
        if let Some(value) = self.numbers.get(&position) {
            return Ok(value.clone());
        }
        if let Some(ParameterFact::Law(law)) = equation.facts.iter().find(|f| matches!(f, ParameterFact::Law(_))) {
            return Err(not_supported("a parameter that is a law", span).also(*law, "declared here"));
        }
        let Some(Definition::Numeric(value)) = &equation.value else {
            return Err(Diagnostic::error(format!("`{}` has no value", name.text), span, "needed here")
                .also(name.span, "declared here")
                .hint(format!("give it one with `-D {}=...`", name.text)));
        };
        if !equation.formals.is_empty() {
            return Err(Diagnostic::error(format!("`{}` needs arguments", name.text), span, "used without"));
        }
        let value = self.expr(value, &None)?;
        self.numbers.insert(position, value.clone());
        Ok(value)
    }

    /// The scope of a call: its formals bound to the arguments as they are in the scope of the caller.
    pub(super) fn call_scope(&self, equation: &'m Equation, arguments: &'m [Expr], scope: &Scope<'m>) -> Scope<'m> {
        let mut inner = None;
        for (formal, expr) in equation.formals.iter().zip(arguments) {
            let passed_on = match &expr.kind {
                ExprKind::Name(name) => find(scope, name).cloned(),
                _ => None,
            };
            let local = passed_on.unwrap_or_else(|| {
                Local::Argument(Rc::new(Argument { expr, scope: scope.clone(), value: RefCell::new(None) }))
            });
            inner = bind(&formal.text, local, &inner);
        }
        inner
    }

    fn name(&mut self, name: &str, span: Span, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        match find(scope, name) {
            Some(Local::Index(index)) => Ok(index.clone().into()),
            Some(Local::Argument(argument)) => {
                if let Some(value) = argument.value.borrow().as_ref() {
                    return Ok(value.clone());
                }
                let argument = argument.clone();
                let value = self.expr(argument.expr, &argument.scope)?;
                *argument.value.borrow_mut() = Some(value.clone());
                Ok(value)
            }
            None => match self.model.position(name) {
                Some(position) => self.global(position, span),
                None => self.bindings.get(name).cloned().ok_or_else(|| {
                    Diagnostic::error(format!("`{name}` is not defined"), span, "needed here")
                }),
            },
        }
    }

    /// Whether `expr` is a truth value by its form, see [`Model::is_truth_value`].
    fn is_truth_value(&self, expr: &Expr, scope: &Scope<'m>) -> bool {
        self.model.is_truth_value(expr, &|name| match find(scope, name) {
            Some(Local::Index(_)) => Some(false),
            Some(Local::Argument(argument)) => Some(with_stack(|| self.is_truth_value(argument.expr, &argument.scope))),
            None => self.bindings.contains_key(name).then_some(false),
        })
    }

    pub(super) fn condition(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Condition, Diagnostic> {
        let value = self.scalar(expr, scope)?;
        Ok(if self.is_truth_value(expr, scope) { Condition::Truth(!value.is_zero()) } else { Condition::Weight(value) })
    }

    /// The conditions of a `switch`: the position of the first true one, or all weights.
    pub(super) fn switch(
        &mut self,
        conditions: &[&'m Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Result<usize, Vec<Number>>, Diagnostic> {
        if conditions.iter().all(|c| self.is_truth_value(c, scope)) {
            for (position, condition) in conditions.iter().enumerate() {
                if !self.scalar(condition, scope)?.is_zero() {
                    return Ok(Ok(position));
                }
            }
            return Err(Diagnostic::error("no case of the `switch` holds", span, "all conditions are false")
                .hint("add a last case with the condition 1"));
        }
        let mut weights = Vec::new();
        let mut total = Number::zero();
        for condition in conditions {
            let weight = self.scalar(condition, scope)?;
            total = at(total.add(&weight), span)?;
            weights.push(weight);
        }
        if !total.is_one() {
            let message = format!("the probabilities of the `switch` add up to {total}");
            return Err(Diagnostic::error(message, span, "they must add up to 1"));
        }
        Ok(Err(weights))
    }

    pub(super) fn scalar(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Number, Diagnostic> {
        match self.expr(expr, scope)? {
            Value::Scalar(number) => Ok(number),
            Value::Vector(_) => Err(Diagnostic::error("expected a scalar, found a vector", expr.span, "this is a vector")),
        }
    }

    pub(super) fn expr(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        self.step(expr.span, 1)?;
        let value = with_stack(|| self.expr_here(expr, scope))?;
        if let Value::Scalar(number) = &value {
            self.step(expr.span, number.cost())?;
        }
        Ok(value)
    }

    fn expr_here(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(value.to_big().into()),
            ExprKind::Text(_) => Err(Diagnostic::error("a text has no value", expr.span, "found here")),
            ExprKind::Name(name) => self.name(name, expr.span, scope),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span, scope),
            ExprKind::Negate(e) => {
                let value = self.expr(e, scope)?;
                self.map(&value, expr.span, |x| Ok(x.negate()))
            }
            ExprKind::Not(e) => Ok(at(self.scalar(e, scope)?.complement(), expr.span)?.into()),
            ExprKind::Sum(first, rest) => {
                let mut sum = self.expr(first, scope)?;
                for (op, term) in rest {
                    let mut term_value = self.expr(term, scope)?;
                    if *op == AddOp::Subtract {
                        term_value = self.map(&term_value, term.span, |x| Ok(x.negate()))?;
                    }
                    sum = self.add(sum, term_value, expr.span)?;
                }
                Ok(sum)
            }
            ExprKind::Product(first, rest) => {
                let mut product = self.expr(first, scope)?;
                for (op, factor) in rest {
                    let factor_value = self.expr(factor, scope)?;
                    product = self.factor(*op, product, factor_value, first.span.to(factor.span))?;
                }
                Ok(product)
            }
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.scalar(base, scope)?, self.scalar(exponent, scope)?);
                Ok(at(base.power(&exponent), expr.span)?.into())
            }
            ExprKind::Compare(relation, l, r) => {
                let order = self.scalar(l, scope)?.compare(&self.scalar(r, scope)?);
                Ok(truth(holds(*relation, order)))
            }
            ExprKind::And(parts) => self.connective(parts, false, expr.span, scope),
            ExprKind::Or(parts) => self.connective(parts, true, expr.span, scope),
            ExprKind::If(condition, a, b) => match self.condition(condition, scope)? {
                Condition::Truth(true) => self.expr(a, scope),
                Condition::Truth(false) => self.expr(b, scope),
                Condition::Weight(weight) => {
                    let rest = at(weight.complement(), condition.span)?;
                    self.weighted(&[(weight, a), (rest, b)], expr.span, scope)
                }
            },
            ExprKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(c, _)| c).collect();
                match self.switch(&conditions, expr.span, scope)? {
                    Ok(chosen) => self.expr(&cases[chosen].1, scope),
                    Err(weights) => {
                        let parts: Vec<_> = weights.into_iter().zip(cases.iter().map(|(_, e)| e)).collect();
                        self.weighted(&parts, expr.span, scope)
                    }
                }
            }
            ExprKind::Reduce(reduction) => self.reduce(reduction, expr.span, scope),
            ExprKind::Vector(elements) => {
                let elements: Result<_, _> = elements.iter().map(|e| self.scalar(e, scope)).collect();
                Ok(Value::Vector(Vector::from_elements(elements?)))
            }
        }
    }

    /// `a && b` is `a*b`, `a || b` is `a + b - a*b`; of truth values, only as many as are needed.
    fn connective(&mut self, parts: &'m [Expr], or: bool, span: Span, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        let lazy = parts.iter().all(|e| self.is_truth_value(e, scope));
        let mut result = if or { Number::zero() } else { Number::one() };
        for part in parts {
            if lazy && result.is_zero() != or {
                break;
            }
            let value = self.scalar(part, scope)?;
            let product = at(result.multiply(&value), span)?;
            result = if or { at(result.add(&value).and_then(|sum| sum.subtract(&product)), span)? } else { product };
        }
        Ok(result.into())
    }

    fn weighted(&mut self, parts: &[(Number, &'m Expr)], span: Span, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        let mut sum: Option<Value> = None;
        for (weight, e) in parts {
            let value = self.expr(e, scope)?;
            let value = self.map(&value, span, |x| x.multiply(weight))?;
            sum = Some(match sum {
                Some(sum) => self.add(sum, value, span)?,
                None => value,
            });
        }
        Ok(sum.unwrap_or_else(|| Number::zero().into()))
    }

    /// The indices of a range: `lower, lower + 1, ...` while they are at most `upper`.
    pub(super) fn indices(&mut self, range: &'m Range, scope: &Scope<'m>) -> Result<Indices, Diagnostic> {
        let next = self.scalar(&range.lower, scope)?;
        let upper = self.scalar(&range.upper, scope)?;
        Ok(Indices { next, upper, span: range.index.span })
    }

    /// The next index and the scope in which it is bound.
    pub(super) fn advance(
        &mut self,
        indices: &mut Indices,
        range: &'m Range,
        scope: &Scope<'m>,
    ) -> Result<Option<Scope<'m>>, Diagnostic> {
        self.step(indices.span, 1)?;
        if indices.next.compare(&indices.upper) == Ordering::Greater {
            return Ok(None);
        }
        let after = at(indices.next.add(&Number::one()), indices.span)?;
        let index = std::mem::replace(&mut indices.next, after);
        Ok(Some(bind(&range.index.text, Local::Index(index), scope)))
    }

    fn reduce(&mut self, reduction: &'m Reduction, span: Span, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        let range = &reduction.range;
        if reduction.kind == ReduceKind::Kth {
            return self.kth(reduction, scope);
        }
        let mut indices = self.indices(range, scope)?;
        let mut result: Option<Value> = None;
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            let value = self.expr(&reduction.body, &inner)?;
            result = Some(match (result, reduction.kind) {
                (None, _) => value,
                (Some(result), ReduceKind::Sum) => self.add(result, value, span)?,
                (Some(result), ReduceKind::Product) => self.factor(MulOp::Multiply, result, value, span)?,
                (Some(result), kind) => self.extreme(kind == ReduceKind::Max, &result, &value, span)?,
            });
        }
        Ok(match result {
            Some(result) => result,
            None if reduction.kind == ReduceKind::Product => Number::one().into(),
            None if self.sort(&reduction.body, &range.index.text, scope) == Sort::Vector => {
                Value::Vector(Vector::default())
            }
            None => Number::zero().into(),
        })
    }

    fn kth(&mut self, reduction: &'m Reduction, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        let range = &reduction.range;
        let mut indices = self.indices(range, scope)?;
        let mut values = Vec::new();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            values.push(self.scalar(&reduction.body, &inner)?);
        }
        Ok(self.quorum(range, values, scope)?.into())
    }

    /// The k-th smallest value, where k is the quorum of the range (the smallest, if it has none).
    pub(super) fn quorum(
        &mut self,
        range: &'m Range,
        mut values: Vec<Number>,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        if values.is_empty() {
            return Ok(Number::zero());
        }
        values.sort_by(Number::compare);
        let Some(quorum) = &range.quorum else { return Ok(values.swap_remove(0)) };
        let k = self.scalar(quorum, scope)?;
        let position = (1..).zip(&values).find(|(n, _)| k == Number::from(*n));
        position.map(|(_, value)| value.clone()).ok_or_else(|| {
            let message = format!("the quorum is {k}, not one of 1, ..., {}", values.len());
            Diagnostic::error(message, quorum.span, "must be an integer between 1 and the number of iterations")
        })
    }

    /// The sort of the body of a reduction over `index`, which an empty sum of vectors needs.
    fn sort(&mut self, body: &'m Expr, index: &'m str, scope: &Scope<'m>) -> Sort {
        let mut names = self.sorts_in_scope(scope);
        names.push((index, Sort::Scalar));
        self.sorts.of(body, names)
    }

    fn sorts_in_scope(&mut self, scope: &Scope<'m>) -> Vec<(&'m str, Sort)> {
        let bindings = self.bindings;
        let mut names: Vec<(&'m str, Sort)> = Vec::new();
        let mut frame = scope.as_ref();
        while let Some(inner) = frame {
            let sort = match &inner.local {
                Local::Index(_) => Sort::Scalar,
                Local::Argument(argument) => with_stack(|| {
                    let outer = self.sorts_in_scope(&argument.scope);
                    self.sorts.of(argument.expr, outer)
                }),
            };
            names.push((inner.name, sort));
            frame = inner.outer.as_ref();
        }
        names.extend(bindings.iter().map(|(name, value)| (name.as_str(), value.sort())));
        names.reverse();
        names
    }

    fn call(&mut self, name: &'m Name, arguments: &'m [Expr], span: Span, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        if let Some(position) = self.model.position(&name.text) {
            let model = self.model;
            let equation = &model.equations()[position];
            if let (Type::Numeric, Some(Definition::Numeric(value))) = (equation.kind, &equation.value) {
                let inner = self.call_scope(equation, arguments, scope);
                return self.expr(value, &inner);
            }
        }
        if predefined::law(&name.text).is_some() {
            return Err(not_supported(&format!("the law `{}`", name.text), name.span));
        }
        if name.text == "unitvec" {
            return self.unit_vector(arguments, scope);
        }
        let values: Result<Vec<Value>, _> = arguments.iter().map(|a| self.expr(a, scope)).collect();
        self.function(name, values?, span)
    }

    fn unit_vector(&mut self, arguments: &'m [Expr], scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        let (array, index) = match arguments {
            [Expr { kind: ExprKind::Name(array), .. }, index] => (array.as_str(), index),
            [.., index] => (FCFS, index),
            [] => return Ok(Value::Vector(Vector::default())),
        };
        Ok(Value::Vector(Vector::unit(array, self.index(index, scope)?)))
    }

    /// An index of an array, which must be exact.
    pub(super) fn index(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<num_rational::BigRational, Diagnostic> {
        match self.scalar(expr, scope)? {
            Number::Exact(index) => Ok(index),
            Number::Real(_) => Err(Diagnostic::error("an index has no exact value", expr.span, "only known approximately")
                .hint("round it with `floor` or `ceil`")),
        }
    }

    fn function(&mut self, name: &'m Name, values: Vec<Value>, span: Span) -> Result<Value, Diagnostic> {
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return Err(Diagnostic::error(format!("`{}` needs an argument", name.text), span, "none given"));
        };
        let largest = name.text == "max";
        if largest || name.text == "min" {
            return match (values.len(), first) {
                (0, Value::Vector(vector)) => Ok(vector.extreme(if largest { Number::max } else { Number::min }).into()),
                (_, first) => values.try_fold(first, |a, b| self.extreme(largest, &a, &b, span)),
            };
        }
        match name.text.as_str() {
            "floor" => self.map(&first, span, Number::floor),
            "ceil" => self.map(&first, span, Number::ceil),
            "abs" => self.map(&first, span, |x| Ok(x.abs())),
            "sqrt" => self.map(&first, span, Number::sqrt),
            "log" => self.map(&first, span, Number::log),
            "exp" => self.map(&first, span, Number::exp),
            "integer" => self.map(&first, span, |x| Ok(if x.is_integer() { Number::one() } else { Number::zero() })),
            _ => Err(Diagnostic::error(format!("`{}` is not defined", name.text), name.span, "not a function")),
        }
    }
}

/// A range as it runs.
pub(super) struct Indices {
    next: Number,
    upper: Number,
    span: Span,
}

fn truth(value: bool) -> Value {
    i64::from(value).into()
}

fn holds(relation: Relation, order: Ordering) -> bool {
    match relation {
        Relation::Less => order.is_lt(),
        Relation::LessEqual => order.is_le(),
        Relation::Greater => order.is_gt(),
        Relation::GreaterEqual => order.is_ge(),
        Relation::Equal => order.is_eq(),
        Relation::NotEqual => order.is_ne(),
    }
}
