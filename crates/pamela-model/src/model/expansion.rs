//! Sizes of equations with every name expanded.

use super::Model;
use super::walk::{Part, parts_of_expr, parts_of_process, parts_of_range, with_stack};
use crate::syntax::tree::{Expr, ExprKind, MulOp, Process, ProcessKind, Range, Type, Value};

/// Size of an equation with everything that it mentions: the number of nodes as a tree
/// (saturating).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expansion {
    /// Size without the arguments.
    pub(super) size: u64,
    /// Number of uses of each formal.
    pub(super) uses: Vec<u64>,
}

impl Expansion {
    fn of_nodes(count: u64, formals: usize) -> Expansion {
        Expansion {
            size: count,
            uses: vec![0; formals],
        }
    }

    /// Adds a multiple of another count.
    fn add(&mut self, other: &Expansion, times: u64) {
        let scaled = |count: u64| count.saturating_mul(times);
        self.size = self.size.saturating_add(scaled(other.size));
        for (own, further) in self.uses.iter_mut().zip(&other.uses) {
            *own = own.saturating_add(scaled(*further));
        }
    }
}

/// Sizes of all equations; `order` lists each after those that it mentions.
pub(super) fn of_equations(model: &Model, order: &[usize]) -> Vec<Expansion> {
    let mut known = vec![Expansion::default(); model.equations.len()];
    for &position in order {
        let equation = &model.equations[position];
        let formals = equation.formals.len();
        let mut scope: Scope = equation
            .formals
            .iter()
            .map(|f| f.text.as_str())
            .zip((0..).map(Some))
            .collect();
        let root = match &equation.value {
            // A parameter is a symbol, whatever its default.
            _ if equation.parameter && equation.kind == Type::Numeric => None,
            Some(Value::Numeric(e) | Value::Resource(e)) => Some(Part::Expr(e)),
            Some(Value::Process(p)) => Some(Part::Process(p)),
            None => None,
        };
        let search = Search {
            model,
            known: &known,
            formals,
        };
        known[position] = root.map_or(Expansion::of_nodes(1, formals), |root| {
            search.part(root, &mut scope)
        });
    }
    known
}

/// The names in scope, innermost last; a formal with its number.
type Scope<'m> = Vec<(&'m str, Option<usize>)>;

struct Search<'m, 'k> {
    model: &'m Model,
    known: &'k [Expansion],
    formals: usize,
}

impl<'m> Search<'m, '_> {
    fn part(&self, part: Part<'m>, scope: &mut Scope<'m>) -> Expansion {
        let mentioned = match &part {
            Part::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => Some((name.as_str(), &[][..])),
            Part::Expr(Expr {
                kind: ExprKind::Call(name, arguments),
                ..
            })
            | Part::Process(Process {
                kind: ProcessKind::Call(name, arguments),
                ..
            }) => Some((name.text.as_str(), arguments.as_slice())),
            _ => None,
        };
        let mention = mentioned.and_then(|(name, arguments)| self.mention(name, arguments, scope));
        if let Some(expansion) = mention {
            return expansion;
        }
        let mut all = Expansion::of_nodes(1, self.formals);
        let mut copies = copies(&part).into_iter();
        let mut include = |inner: Part<'m>, indices: &[&'m str]| {
            let outer = scope.len();
            scope.extend(indices.iter().map(|&index| (index, None)));
            let inner = with_stack(|| self.part(inner, scope));
            all.add(&inner, copies.next().unwrap_or(1));
            scope.truncate(outer);
        };
        match part {
            Part::Expr(e) => parts_of_expr(e, &mut include),
            Part::Process(p) => parts_of_process(p, &mut include),
        }
        all
    }

    /// Meaning of a name; `None` for a function or law of the language.
    fn mention(
        &self,
        name: &str,
        arguments: &'m [Expr],
        scope: &mut Scope<'m>,
    ) -> Option<Expansion> {
        if let Some((_, formal)) = scope.iter().rev().find(|(local, _)| *local == name) {
            let mut own = Expansion::of_nodes(1, self.formals);
            if let Some(formal) = *formal {
                own.size = 0;
                own.uses[formal] = 1;
            }
            return Some(own);
        }
        let position = match arguments {
            [] => self.model.position(name),
            _ => self.model.callee(name),
        };
        let callee = &self.known[position?];
        let mut whole = Expansion::of_nodes(callee.size.max(1), self.formals);
        for (argument, &uses) in arguments.iter().zip(&callee.uses) {
            let argument = with_stack(|| self.part(Part::Expr(argument), scope));
            whole.add(&argument, uses);
        }
        Some(whole)
    }
}

/// Number of times that each part of a part is written, in order; 1 by default.
///
/// A power is a product of copies of its base. A condition chooses one branch, and its negation the other. A divisor
/// of one term also divides the terms added to it, over a common denominator. The sum of a loop contains powers of
/// its bounds, at least squares.
fn copies(part: &Part) -> Vec<u64> {
    match part {
        Part::Expr(Expr {
            kind: ExprKind::If(..),
            ..
        })
        | Part::Process(Process {
            kind: ProcessKind::If(..),
            ..
        }) => vec![2],
        Part::Expr(Expr {
            kind: ExprKind::Power(_, exponent),
            ..
        }) => match &exponent.kind {
            ExprKind::Number(power) => {
                let power = power.to_i64().map_or(1, i64::unsigned_abs);
                vec![power.max(1)]
            }
            _ => Vec::new(),
        },
        Part::Expr(Expr {
            kind: ExprKind::Product(_, rest),
            ..
        }) => {
            let divides = |op: &MulOp| *op != MulOp::Multiply;
            let of_rest = rest.iter().map(|(op, _)| 1 + u64::from(divides(op)));
            std::iter::once(1).chain(of_rest).collect()
        }
        Part::Expr(Expr {
            kind: ExprKind::Reduce(reduction),
            ..
        }) => copies_of_bounds(&reduction.range),
        Part::Process(Process {
            kind: ProcessKind::Replicate(replication),
            ..
        }) => copies_of_bounds(&replication.range),
        // The time of the process inside is a demand as well.
        Part::Process(Process {
            kind: ProcessKind::Hold(..),
            ..
        }) => vec![1, 2],
        _ => Vec::new(),
    }
}

fn copies_of_bounds(range: &Range) -> Vec<u64> {
    let mut copies = Vec::new();
    parts_of_range(range, &mut |_| copies.push(2));
    copies
}
