//! Gates 1 to 3 on a rule as it is written: both sides and all guards by the definition.

use std::cell::OnceCell;

use crate::algebra::Probe;
use crate::expr::ExprId;
use crate::syntax::tree::{Expr, ExprKind, Guard, Range, ReduceKind, Reduction, Rule};

use super::Effort;
use super::evidence::{Evidence, Sample};
use super::instance::Instance;
use super::lowering::lower;
use super::points::{Point, points};
use super::random::Random;
use super::rewrite::{label, node, substitute};
use super::value::{Definition, formula_value};
use super::variables::{Index, Variables};

/// Indices of this range stand for all values where a guard says `defined(e)`.
const INDICES: (i64, i64) = (-3, 4);

/// A rule whose text can be evaluated.
pub struct Written<'a> {
    rule: &'a Rule,
    variables: &'a Variables,
    guards: Vec<&'a Guard>,
}

impl<'a> Written<'a> {
    /// `None` where the text says something in words.
    pub fn new(rule: &'a Rule, variables: &'a Variables) -> Option<Written<'a>> {
        let guards: Vec<&Guard> = rule.when.iter().chain(&rule.assume).collect();
        let indices: Vec<String> = variables.indices.iter().map(|i| i.name.clone()).collect();
        let plain = |guard: &&Guard| match guard {
            Guard::NotIn(..) => true,
            Guard::Holds(expr) => variables.is_plain(expr, &indices),
        };
        let evaluable = variables.is_plain(&rule.right, &[]) && guards.iter().all(plain);
        (evaluable || !rule.builtin).then_some(Written {
            rule,
            variables,
            guards,
        })
    }

    /// Samples the rule.
    pub fn check(&self, effort: Effort, random: &mut Random) -> Evidence {
        let mut evidence = Evidence::of_guards(self.guards.iter().map(|guard| guard.to_string()));
        for _ in 0..effort.instances {
            let instance = Instance::random(self.variables, None, random);
            let points = points(&instance.parameters, effort.points, random);
            self.sample(&instance, &points, None, &mut evidence);
        }
        for (number, guard) in self.guards.iter().enumerate() {
            let Guard::NotIn(index, expr) = guard else {
                continue;
            };
            let ExprKind::Name(variable) = &expr.kind else {
                continue;
            };
            for _ in 0..effort.instances.div_ceil(4) {
                let forbidden = Some((variable.as_str(), index.text.as_str()));
                let instance = Instance::random(self.variables, forbidden, random);
                let points = points(&instance.parameters, effort.points / 4, random);
                self.sample(&instance, &points, Some(number), &mut evidence);
            }
        }
        evidence
    }

    /// One instance at many points; the guard number `broken` fails by its form.
    fn sample(
        &self,
        instance: &Instance,
        points: &[Point],
        broken: Option<usize>,
        evidence: &mut Evidence,
    ) {
        let (left, right) = (
            instance.apply(&self.rule.left),
            instance.apply(&self.rule.right),
        );
        let guards: Vec<Condition> = self
            .guards
            .iter()
            .enumerate()
            .map(|(number, guard)| self.condition(guard, instance, points, broken == Some(number)))
            .collect();
        let automatic = OnceCell::new();
        for point in points {
            let definition = Definition::at(point);
            let left_value = definition.value(&left);
            let holds: Vec<bool> = guards
                .iter()
                .map(|guard| guard.holds(&definition))
                .collect();
            let sample = Sample {
                point,
                left: &left_value,
                guards: &holds,
            };
            evidence.record(
                &sample,
                || definition.value(&right),
                // An index that escapes is nothing that definedness would find.
                || {
                    broken.is_some()
                        || automatic
                            .get_or_init(|| Automatic::of(instance, &left, &right))
                            .hold(point)
                },
                || (left.to_string(), right.to_string()),
            );
        }
    }

    fn condition(
        &self,
        guard: &Guard,
        instance: &Instance,
        points: &[Point],
        broken: bool,
    ) -> Condition {
        let expr = match guard {
            Guard::NotIn(..) => return Condition::Fixed(!broken),
            Guard::Holds(expr) => expr,
        };
        if let ExprKind::Call(function, operands) = &expr.kind
            && let ("defined", [operand]) = (function.text.as_str(), &operands[..])
        {
            let mut term = instance.apply(operand);
            for index in &self.variables.indices {
                let [lower, upper] =
                    [INDICES.0, INDICES.1].map(|n| node(ExprKind::Number(n.into())));
                term = over(ReduceKind::Sum, index, lower, upper, term);
            }
            return Condition::Fixed(
                points
                    .iter()
                    .all(|point| Definition::at(point).value(&term).is_defined()),
            );
        }
        let mut condition = instance.apply(expr);
        for index in self.variables.indices.iter().rev().filter(|_| true) {
            let (lower, upper) = (instance.apply(&index.lower), instance.apply(&index.upper));
            condition = over(ReduceKind::Product, index, lower, upper, condition);
        }
        Condition::Tested(condition)
    }
}

/// A guard in an instance.
enum Condition {
    Fixed(bool),
    Tested(Expr),
}

impl Condition {
    fn holds(&self, definition: &Definition) -> bool {
        match self {
            Condition::Fixed(holds) => *holds,
            Condition::Tested(expr) => definition.value(expr).holds(),
        }
    }
}

/// `body`, or its reduction over the index if it mentions it.
fn over(kind: ReduceKind, index: &Index, lower: Expr, upper: Expr, body: Expr) -> Expr {
    if !mentions(&body, &index.name) {
        return body;
    }
    node(ExprKind::Reduce(Box::new(Reduction {
        kind,
        range: Range {
            quorum: None,
            index: label(&index.name),
            lower,
            upper,
        },
        body,
    })))
}

fn mentions(expr: &Expr, name: &str) -> bool {
    let found = std::cell::Cell::new(false);
    substitute(expr, &|known| {
        found.set(found.get() || known == name);
        None
    });
    found.get()
}

/// The guards that the definedness of a right side asks for.
struct Automatic(Option<(Probe, Vec<ExprId>)>);

impl Automatic {
    fn of(instance: &Instance, left: &Expr, right: &Expr) -> Automatic {
        let lowered = lower(&instance.parameters, &[left.clone(), right.clone()]);
        Automatic(lowered.map(|(arena, sides)| {
            let mut probe = Probe::new(arena, &[]);
            let guards = probe.automatic_guards(sides[0], sides[1]);
            (probe, guards)
        }))
    }

    fn hold(&self, point: &Point) -> bool {
        self.0.as_ref().is_none_or(|(probe, guards)| {
            guards
                .iter()
                .all(|&guard| formula_value(probe.arena(), guard, point).holds())
        })
    }
}
