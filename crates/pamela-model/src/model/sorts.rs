//! Sorts: which numeric expressions are scalars, vectors or laws.

mod graphs;
mod processes;

use std::collections::{HashMap, HashSet};

use super::{Measure, Model, predefined, walk};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::walk::with_stack;
use crate::syntax::tree::{
    AddOp, Assertion, Equation, Expr, ExprKind, MulOp, Name, ParameterFact, Range, ReduceKind,
    Reduction, Relation, Type, Value as Definition,
};

/// Sort of a numeric value, as far as it is known before evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Sort of an argument of an equation that is checked separately.
    Unknown,
    Scalar,
    /// A vector of scalars or of laws.
    Vector,
    /// The distribution of a random variable.
    Law,
}

/// Instances of one equation that are told apart; hostile models could need exponentially many.
const MAX_INSTANCES: usize = 64;

/// Checks the sorts in all equations, facts and assumptions.
pub(super) fn check(model: &Model, order: &[usize]) -> Vec<Diagnostic> {
    let mut sorts = Sorts::new(model);
    for &position in order {
        let arity = model.equations[position].formals.len();
        sorts.instance(position, vec![Sort::Unknown; arity]);
    }
    for relation in &model.assumptions {
        sorts.scalar(relation, "an assumption");
    }
    for part in model.assertions.iter().flat_map(Assertion::parts) {
        sorts.scalar(part, "an assertion");
    }
    for equation in &model.equations {
        for fact in &equation.facts {
            match fact {
                ParameterFact::Bound(_, e) => sorts.scalar(e, "the bound of a parameter"),
                ParameterFact::Unknown(law) => sorts.law_of_unknown(law, equation),
                _ => {}
            }
        }
    }
    sorts.diagnostics
}

/// Infers sorts in a model. An equation with arguments has a sort for each combination of argument
/// sorts.
pub struct Sorts<'m> {
    model: &'m Model,
    memo: HashMap<(usize, Vec<Sort>), Sort>,
    instances: HashMap<usize, usize>,
    /// Arguments and indices in scope, innermost last.
    scope: Vec<(&'m str, Sort)>,
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(String, Span)>,
}

impl<'m> Sorts<'m> {
    /// Prepares an acyclic model.
    pub fn new(model: &'m Model) -> Sorts<'m> {
        Sorts {
            model,
            memo: HashMap::new(),
            instances: HashMap::new(),
            scope: Vec::new(),
            diagnostics: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// The sort of `expr`, with these names in scope.
    pub fn of(&mut self, expr: &'m Expr, scope: Vec<(&'m str, Sort)>) -> Sort {
        let outer = std::mem::replace(&mut self.scope, scope);
        let sort = self.expr(expr);
        self.scope = outer;
        sort
    }

    /// The sort of the equation at `position`, which has no arguments.
    pub fn of_equation(&mut self, position: usize) -> Sort {
        self.instance(position, Vec::new())
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic
            .labels
            .first()
            .map(|(span, _)| *span)
            .unwrap_or_default();
        if self.seen.insert((diagnostic.message.clone(), span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The sort of an equation with arguments of the given sorts; each error in it is reported once.
    fn instance(&mut self, position: usize, mut arguments: Vec<Sort>) -> Sort {
        let known = self.instances.get(&position).copied().unwrap_or(0);
        if known > MAX_INSTANCES && !self.memo.contains_key(&(position, arguments.clone())) {
            arguments.fill(Sort::Unknown);
        }
        if let Some(sort) = self.memo.get(&(position, arguments.clone())) {
            return *sort;
        }
        *self.instances.entry(position).or_insert(0) += 1;
        let equation = &self.model.equations[position];
        let scope = equation
            .formals
            .iter()
            .map(|f| f.text.as_str())
            .zip(arguments.iter().copied())
            .collect();
        let outer = std::mem::replace(&mut self.scope, scope);
        let mut sort = with_stack(|| match &equation.value {
            Some(Definition::Numeric(value)) => self.expr(value),
            Some(Definition::Process(process)) => self.process(process),
            Some(Definition::Resource(resource)) => {
                match self.model.servers(equation) {
                    Some(servers) => self.scalar(servers, "the multiplicity of a resource"),
                    None => self.resource(resource),
                }
                Sort::Unknown
            }
            None => Sort::Scalar,
        });
        self.scope = outer;
        if equation.kind == Type::Numeric && equation.parameter {
            if equation
                .facts
                .iter()
                .any(|f| matches!(f, ParameterFact::Law(_)))
            {
                sort = Sort::Law;
            } else if sort == Sort::Vector {
                self.report(
                    Diagnostic::error(
                        "a parameter cannot be a vector",
                        equation.name.span,
                        "this value is a vector",
                    )
                    .hint("remove `parameter`"),
                );
            }
        }
        self.memo.insert((position, arguments), sort);
        sort
    }

    /// Requires a scalar or a law.
    fn not_vector(&mut self, expr: &'m Expr, role: &str) -> Sort {
        let sort = self.expr(expr);
        if sort == Sort::Vector {
            self.report(
                Diagnostic::error(
                    format!("{role} cannot be a vector"),
                    expr.span,
                    "this is a vector",
                )
                .hint("`max(v)` is the largest component of a vector"),
            );
        }
        sort
    }

    /// Requires a scalar.
    /// What is known of an unknown number is a law.
    fn law_of_unknown(&mut self, law: &'m Expr, equation: &'m Equation) {
        let name = &equation.name;
        let is_law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
        if equation.facts.iter().any(is_law) {
            let message = format!("`{}` is an unknown number, and declared a law", name.text);
            let error = Diagnostic::error(message, name.span, "declared here");
            return self.report(error.hint("remove `law`"));
        }
        if self.not_vector(law, "the law of an unknown number") == Sort::Scalar {
            let message = format!(
                "`{}` is an unknown number, but given by a number",
                name.text
            );
            let error = Diagnostic::error(message, law.span, "this is no law");
            let hint = "write `numeric` for a known number, or a law such as `uniform(1, 3)`";
            self.report(error.hint(hint));
        }
    }

    fn scalar(&mut self, expr: &'m Expr, role: &str) {
        if self.not_vector(expr, role) == Sort::Law {
            self.report(Diagnostic::error(
                format!("{role} cannot be random"),
                expr.span,
                "this is a law",
            ));
        }
    }

    /// The sort of a choice or an elementwise maximum: the parts are all vectors, or none is.
    fn same(&mut self, parts: &[(Sort, Span)], what: &str) -> Sort {
        let vector = parts.iter().find(|(sort, _)| *sort == Sort::Vector);
        let scalar = parts
            .iter()
            .find(|(sort, _)| matches!(sort, Sort::Scalar | Sort::Law));
        if let (Some((_, vector)), Some((_, scalar))) = (vector, scalar) {
            self.report(
                Diagnostic::error(
                    format!("{what} of a vector and a scalar"),
                    *scalar,
                    "this is a scalar",
                )
                .also(*vector, "this is a vector")
                .hint("write the scalar as a vector, for example `0 * unitvec(0)`"),
            );
        }
        join(parts.iter().map(|(sort, _)| *sort))
    }

    fn range(&mut self, range: &'m Range) -> Sort {
        if let Some(quorum) = &range.quorum {
            self.scalar(quorum, "the number of a quorum");
        }
        if let Some(step) = &range.step {
            self.scalar(step, "the step of a range");
        }
        let lower = self.not_vector(&range.lower, "a bound");
        let upper = self.not_vector(&range.upper, "a bound");
        join([lower, upper])
    }

    fn expr(&mut self, expr: &'m Expr) -> Sort {
        with_stack(|| self.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &'m Expr) -> Sort {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Text(_) => Sort::Scalar,
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Negate(e) => self.expr(e),
            ExprKind::Not(e) => self.not_vector(e, "a condition"),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let sorts: Vec<Sort> = parts
                    .iter()
                    .map(|e| self.not_vector(e, "a condition"))
                    .collect();
                join(sorts)
            }
            ExprKind::Sum(first, rest) => {
                let mut sorts = vec![self.expr(first)];
                sorts.extend(
                    rest.iter()
                        .map(|(AddOp::Add | AddOp::Subtract, e)| self.expr(e)),
                );
                join(sorts)
            }
            ExprKind::Product(first, rest) => self.product(first, rest),
            ExprKind::Power(base, exponent) => {
                let exponent = self.not_vector(exponent, "an exponent");
                random_if(exponent, self.not_vector(base, "the base of a power"))
            }
            ExprKind::Compare(_, l, r) => {
                let l = self.not_vector(l, "a side of a comparison");
                let r = self.not_vector(r, "a side of a comparison");
                random_if(join([l, r]), Sort::Scalar)
            }
            ExprKind::If(condition, a, b) => {
                let random = self.not_vector(condition, "a condition");
                let parts = [(self.expr(a), a.span), (self.expr(b), b.span)];
                let sort = self.same(&parts, "a choice");
                random_if(random, sort)
            }
            ExprKind::Switch(cases) => {
                let conditions: Vec<Sort> = cases
                    .iter()
                    .map(|(c, _)| self.not_vector(c, "a condition"))
                    .collect();
                let parts: Vec<_> = cases.iter().map(|(_, e)| (self.expr(e), e.span)).collect();
                let sort = self.same(&parts, "a choice");
                random_if(join(conditions), sort)
            }
            ExprKind::Reduce(reduction) => self.reduction(reduction),
            ExprKind::Graph(graph) => self.graph(graph, |sorts, task| {
                sorts.not_vector(task, "a task of a graph")
            }),
            ExprKind::Vector(elements) => {
                for element in elements {
                    self.not_vector(element, "an element of a vector");
                }
                Sort::Vector
            }
        }
    }

    fn reduction(&mut self, reduction: &'m Reduction) -> Sort {
        let bounds = self.range(&reduction.range);
        self.scope.push((&reduction.range.index.text, Sort::Scalar));
        let body = match reduction.kind {
            ReduceKind::Sum | ReduceKind::Max | ReduceKind::Min => self.expr(&reduction.body),
            ReduceKind::Product => self.not_vector(&reduction.body, "the body of a product"),
            ReduceKind::Kth => self.not_vector(&reduction.body, "the body of `kth`"),
        };
        self.scope.pop();
        random_if(bounds, body)
    }

    fn product(&mut self, first: &'m Expr, rest: &'m [(MulOp, Expr)]) -> Sort {
        let mut sort = self.expr(first);
        for (op, factor) in rest {
            let (left_role, right_role) = match op {
                MulOp::Multiply => {
                    sort = join([sort, self.expr(factor)]);
                    continue;
                }
                MulOp::Divide => ("", "a divisor"),
                MulOp::Modulo => ("the left side of `mod`", "the right side of `mod`"),
                MulOp::FloorDivide => ("the left side of `div`", "the right side of `div`"),
            };
            if sort == Sort::Vector && *op != MulOp::Divide {
                self.report(Diagnostic::error(
                    format!("{left_role} cannot be a vector"),
                    first.span.to(factor.span),
                    "this is a vector",
                ));
            }
            let divisor = self.not_vector(factor, right_role);
            sort = random_if(divisor, sort);
        }
        sort
    }

    fn name(&mut self, name: &'m str) -> Sort {
        if let Some((_, sort)) = self.scope.iter().rev().find(|(local, _)| *local == name) {
            return *sort;
        }
        self.model.position(name).map_or(Sort::Unknown, |position| {
            self.instance(position, Vec::new())
        })
    }

    fn call(&mut self, name: &'m Name, arguments: &'m [Expr]) -> Sort {
        let local = self.scope.iter().any(|(local, _)| *local == name.text);
        if let Some(position) = self.model.callee(&name.text).filter(|_| !local) {
            let sorts = arguments.iter().map(|a| self.argument(a)).collect();
            return self.instance(position, sorts);
        }
        if let Some((measure, process)) = self.model.measure(name, arguments) {
            let sort = self.argument(process);
            return match measure {
                Measure::Demand => Sort::Vector,
                Measure::Time | Measure::Path | Measure::LargestDemand => sort,
                Measure::Execution | Measure::Least | Measure::Most => Sort::Scalar,
            };
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            for pair in arguments[1..].chunks(2) {
                pair.iter()
                    .for_each(|e| self.scalar(e, "what `at` replaces"));
            }
            return self.expr(replacements.of);
        }
        let role = format!("an argument of `{}`", name.text);
        if predefined::law(&name.text).is_some() {
            let is_law = |position: usize| match name.text.as_str() {
                "mixture" => position % 2 == 1,
                "truncated" | "residual" => position == 0,
                _ => false,
            };
            for (position, argument) in arguments.iter().enumerate() {
                if is_law(position) {
                    self.not_vector(argument, &role);
                } else {
                    self.scalar(argument, &role);
                }
            }
            return Sort::Law;
        }
        match (name.text.as_str(), arguments) {
            ("unitvec", [.., index]) => {
                self.scalar(index, "the index of a unit vector");
                Sort::Vector
            }
            ("integer", [argument]) => random_if(self.not_vector(argument, &role), Sort::Scalar),
            (predefined::QUANTILE, [law, q]) => {
                self.not_vector(law, &role);
                self.scalar(q, "the probability of a quantile");
                Sort::Scalar
            }
            (predefined::PROBABILITY, [comparison]) => {
                self.inequality(comparison);
                Sort::Scalar
            }
            (name, [law]) if predefined::is_moment(name) => {
                self.not_vector(law, &role);
                Sort::Scalar
            }
            ("max" | "min", [single]) => match self.expr(single) {
                Sort::Vector => Sort::Scalar,
                sort => sort,
            },
            ("max" | "min", several) => {
                let parts: Vec<_> = several.iter().map(|e| (self.expr(e), e.span)).collect();
                self.same(&parts, &format!("`{}`", name.text))
            }
            ("log2" | "cbrt", [x]) => self.not_vector(x, &role),
            ("H", [argument, _]) | (_, [argument]) => self.expr(argument),
            (_, [_, ..]) => {
                let sorts: Vec<Sort> = arguments
                    .iter()
                    .map(|e| self.not_vector(e, &role))
                    .collect();
                sorts.into_iter().rev().fold(Sort::Scalar, random_if)
            }
            _ => Sort::Unknown,
        }
    }

    /// Requires a comparison by `<`, `<=`, `>` or `>=`.
    fn inequality(&mut self, comparison: &'m Expr) {
        self.not_vector(comparison, "an argument of `prob`");
        let (message, hint) = match &comparison.kind {
            ExprKind::Compare(Relation::Equal | Relation::NotEqual, ..) => (
                "`prob` of an equality, expected `<`, `<=`, `>` or `>=`",
                "the probability of one value is `prob(X <= t) - prob(X < t)`",
            ),
            ExprKind::Compare(..) => return,
            _ => (
                "`prob` takes one comparison, for example `prob(X <= 2)`",
                "the probability of a range is `prob(X <= b) - prob(X < a)`",
            ),
        };
        let error = Diagnostic::error(message, comparison.span, "not such a comparison");
        self.report(error.hint(hint));
    }

    /// The sort of an argument. The sort of a process is that of its time; a resource has none.
    fn argument(&mut self, argument: &'m Expr) -> Sort {
        if let ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) = &argument.kind
            && !self.scope.iter().any(|(local, _)| local == name)
        {
            let kind = self.model.lookup(name).map(|e| e.kind);
            if kind == Some(Type::Process) {
                return match &argument.kind {
                    ExprKind::Call(name, arguments) => self.process_called(name, arguments),
                    _ => self.name(name),
                };
            }
            if kind == Some(Type::Resource) {
                walk::parts_of_expr(argument, &mut |part, _| {
                    if let walk::Part::Expr(e) = part {
                        self.argument(e);
                    }
                });
                return Sort::Unknown;
            }
            if *name == super::FCFS {
                self.resource(argument);
                return Sort::Unknown;
            }
        }
        self.expr(argument)
    }
}

/// The sort of an arithmetic combination.
fn join(sorts: impl IntoIterator<Item = Sort>) -> Sort {
    let rank = |sort: &Sort| match sort {
        Sort::Scalar => 0,
        Sort::Law => 1,
        Sort::Unknown => 2,
        Sort::Vector => 3,
    };
    sorts.into_iter().max_by_key(rank).unwrap_or(Sort::Scalar)
}

/// A random condition, bound or divisor makes a scalar random.
fn random_if(cause: Sort, sort: Sort) -> Sort {
    if cause == Sort::Law && sort == Sort::Scalar {
        Sort::Law
    } else {
        sort
    }
}
