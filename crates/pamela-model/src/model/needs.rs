//! Arguments that an equation always needs, by its form.

use super::walk::with_stack;
use super::{Model, predefined};
use crate::syntax::tree::{
    Composition, Expr, ExprKind, Graph, Name, Process, ProcessKind, Range, Value as Definition,
};

/// Equations with more formals are not analysed.
pub const MOST_FORMALS: usize = 32;

/// Formals by their positions, as bits.
type Formals = u32;

/// Formals that an equation needs, whatever their values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Arguments needed for the demand of a process.
    pub demand: Formals,
    /// For the time of a process, and for a number.
    pub other: Formals,
}

/// Needs of all equations; `order` lists each after those that it mentions.
pub(super) fn of_equations(model: &Model, order: &[usize]) -> Vec<Needs> {
    let mut known = vec![Needs::default(); model.equations.len()];
    for &position in order {
        let equation = &model.equations[position];
        if equation.formals.len() > MOST_FORMALS {
            continue;
        }
        let formals: Vec<&str> = equation.formals.iter().map(|f| f.text.as_str()).collect();
        let of = |demand: bool| {
            let form = Form {
                model,
                known: &known,
                formals: &formals,
                demand,
            };
            match &equation.value {
                Some(Definition::Numeric(e)) => form.expr(e),
                Some(Definition::Process(p)) => form.process(p),
                _ => 0,
            }
        };
        known[position] = Needs {
            demand: of(true),
            other: of(false),
        };
    }
    known
}

/// Arguments that the form of a right-hand side needs.
struct Form<'a> {
    model: &'a Model,
    known: &'a [Needs],
    formals: &'a [&'a str],
    demand: bool,
}

impl Form<'_> {
    fn expr(&self, expr: &Expr) -> Formals {
        let all = |parts: &[Expr]| parts.iter().fold(0, |sum, part| sum | self.expr(part));
        with_stack(|| match &expr.kind {
            ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Text(_) => 0,
            ExprKind::Name(name) => self.formal(name),
            ExprKind::Call(name, arguments) => match self.model.callee(&name.text) {
                Some(_) => self.call(name, arguments, false),
                None if is_evaluated_first(&name.text) => all(arguments),
                None => 0,
            },
            ExprKind::Negate(e) | ExprKind::Not(e) => self.expr(e),
            ExprKind::Sum(first, rest) => rest
                .iter()
                .fold(self.expr(first), |sum, (_, e)| sum | self.expr(e)),
            ExprKind::Product(first, rest) => rest
                .iter()
                .fold(self.expr(first), |sum, (_, e)| sum | self.expr(e)),
            ExprKind::Power(l, r) | ExprKind::Compare(_, l, r) => self.expr(l) | self.expr(r),
            // The others may not be looked at.
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.first().map_or(0, |part| self.expr(part))
            }
            ExprKind::If(c, a, b) => self.expr(c) | self.expr(a) & self.expr(b),
            ExprKind::Switch(cases) => self.cases(cases, &|e| self.expr(e)),
            ExprKind::Reduce(reduction) => self.range(&reduction.range),
            ExprKind::Graph(graph) => self.graph(graph),
            ExprKind::Vector(parts) => all(parts),
        })
    }

    fn process(&self, process: &Process) -> Formals {
        let all = |parts: &[Process]| parts.iter().fold(0, |sum, part| sum | self.process(part));
        with_stack(|| match &process.kind {
            ProcessKind::Delay(_) if self.demand => 0,
            ProcessKind::Delay(time) | ProcessKind::Use(_, time) => self.expr(time),
            // Its demand also includes the time of the process inside.
            ProcessKind::Hold(_, body) => {
                let other = Form {
                    demand: false,
                    ..*self
                };
                self.process(body) | other.process(body)
            }
            ProcessKind::Any(_) if self.demand => 0,
            ProcessKind::Sequence(parts)
            | ProcessKind::Parallel(parts)
            | ProcessKind::Any(parts) => all(parts),
            ProcessKind::Replicate(r) if self.demand && r.kind == Composition::Any => 0,
            ProcessKind::Replicate(r) => self.range(&r.range),
            ProcessKind::Graph(graph) => self.graph(graph),
            ProcessKind::If(c, a, b) => {
                let otherwise = b.as_ref().map_or(0, |b| self.process(b));
                self.expr(c) | self.process(a) & otherwise
            }
            ProcessKind::Switch(cases) => self.cases(cases, &|p| self.process(p)),
            ProcessKind::Call(name, arguments) => self.call(name, arguments, self.demand),
        })
    }

    fn formal(&self, name: &str) -> Formals {
        let position = self.formals.iter().position(|formal| *formal == name);
        position.map_or(0, |position| 1 << position)
    }

    fn call(&self, name: &Name, arguments: &[Expr], demand: bool) -> Formals {
        // A formal may have the name of an equation.
        if self.formals.contains(&name.text.as_str()) {
            return 0;
        }
        let Some(position) = self.model.position(&name.text) else {
            return 0;
        };
        let needs = if demand {
            self.known[position].demand
        } else {
            self.known[position].other
        };
        let needed = arguments.iter().take(MOST_FORMALS).enumerate();
        needed
            .filter(|(number, _)| needs >> number & 1 == 1)
            .fold(0, |sum, (_, argument)| sum | self.expr(argument))
    }

    /// The arguments that the first condition and all alternatives need.
    fn cases<T>(&self, cases: &[(Expr, T)], of: &dyn Fn(&T) -> Formals) -> Formals {
        let first = cases
            .first()
            .map_or(0, |(condition, _)| self.expr(condition));
        let all = cases.iter().map(|(_, case)| of(case));
        first | all.reduce(|a, b| a & b).unwrap_or(0)
    }

    /// For each family, only the first bounds are considered.
    fn graph<T>(&self, graph: &Graph<T>) -> Formals {
        let ranges = graph
            .families
            .iter()
            .filter_map(|family| family.ranges.first());
        ranges.fold(0, |sum, range| sum | self.range(range))
    }

    /// The body may never be looked at.
    fn range(&self, range: &Range) -> Formals {
        self.expr(&range.lower) | self.expr(&range.upper)
    }
}

/// True if all arguments of a function of the language are evaluated; `unitvec` takes the name of an array.
fn is_evaluated_first(function: &str) -> bool {
    predefined::is_reserved(function) && function != "unitvec"
}
