//! The declared guards of a rule, and their values in an instance.

use crate::syntax::tree::{Expr, ExprKind, Guard, Range, ReduceKind, Reduction, Rule};

use super::instance::Instance;
use super::points::Point;
use super::value::Definition;
use super::variables::{Index, Variables};
use crate::algebra::Form;
use crate::syntax::rewrite::{label, node, substitute};

/// Indices of this range stand for all values where a guard says `defined(e)`.
const INDICES: (i64, i64) = (-3, 4);

/// A declared guard.
pub struct Declared<'a> {
    pub guard: &'a Guard,
    /// The guard must be proved before the rule is applied.
    pub proved: bool,
    /// True if equality needs the guard, that is, if it is not `kept`.
    pub needed: bool,
    /// The guard can be evaluated and contains no words.
    pub plain: bool,
}

/// All guards of a rule in their order.
pub fn declared<'a>(rule: &'a Rule, variables: &Variables) -> Vec<Declared<'a>> {
    let indices: Vec<String> = variables.indices.iter().map(|i| i.name.clone()).collect();
    let plain = |guard: &Guard| match guard {
        Guard::NotIn(..) => true,
        Guard::Holds(expr) => variables.is_plain(expr, &indices),
    };
    let declare = |proved: bool, needed: bool| {
        move |guard: &'a Guard| Declared {
            guard,
            proved,
            needed,
            plain: plain(guard),
        }
    };
    let when = rule.when.iter().map(declare(true, true));
    let assume = rule.assume.iter().map(declare(false, true));
    let kept = rule.kept.iter().flat_map(|kept| &kept.guards);
    when.chain(assume)
        .chain(kept.map(declare(false, false)))
        .collect()
}

/// A guard in one instance.
pub enum Condition {
    /// The same value at all points.
    Fixed(bool),
    Tested(Expr),
}

impl Condition {
    /// A guard of the instance; a guard about an index must hold over its whole range.
    pub fn of(
        guard: &Guard,
        variables: &Variables,
        instance: &Instance,
        points: &[Point],
    ) -> Condition {
        let Guard::Holds(expr) = guard else {
            return Condition::Fixed(true);
        };
        if asks_for_form(expr) {
            return Condition::Fixed(true);
        }
        if let Some(operand) = definedness(expr) {
            let mut term = instance.apply(operand);
            for index in &variables.indices {
                let [lower, upper] =
                    [INDICES.0, INDICES.1].map(|n| node(ExprKind::Number(n.into())));
                term = over(ReduceKind::Sum, index, lower, upper, term);
            }
            let defined = |point: &Point| Definition::at(point).value(&term).is_defined();
            return Condition::Fixed(points.iter().all(defined));
        }
        let mut condition = instance.apply(expr);
        for index in variables.indices.iter().rev() {
            let (lower, upper) = (instance.apply(&index.lower), instance.apply(&index.upper));
            condition = over(ReduceKind::Product, index, lower, upper, condition);
        }
        Condition::Tested(condition)
    }

    pub fn holds(&self, definition: &Definition) -> bool {
        match self {
            Condition::Fixed(holds) => *holds,
            Condition::Tested(expr) => definition.value(expr).holds(),
        }
    }
}

/// True if a guard is about the form of terms: no value fails it.
fn asks_for_form(guard: &Expr) -> bool {
    match &guard.kind {
        ExprKind::Not(inner) => asks_for_form(inner),
        ExprKind::Call(name, operands) => Form::named(&name.text, operands.len()).is_some(),
        _ => false,
    }
}

/// `e` of `defined(e)`.
pub fn definedness(guard: &Expr) -> Option<&Expr> {
    match &guard.kind {
        ExprKind::Call(function, operands) if function.text == "defined" => operands.first(),
        _ => None,
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
            step: None,
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
