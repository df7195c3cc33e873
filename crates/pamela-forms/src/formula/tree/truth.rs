//! Prints conditions.

use super::{Builder, compare};
use crate::expr::{Arena, Function};
use crate::formula::law::ParameterFacts;
use crate::formula::names::IndexNames;
use crate::formula::view::{self, Truth, View, view};
use crate::syntax::Part;
use crate::syntax::rewrite::node;
use crate::syntax::tree::{Expr, ExprKind};
use crate::with_stack;

/// Prints a condition for a reader, with chains of comparisons that the parser does not accept.
pub(in crate::formula) fn print_truth(
    arena: &Arena,
    truth: &Truth,
    names: IndexNames,
    known: &ParameterFacts,
) -> String {
    let mut builder = Builder {
        arena,
        names,
        known,
    };
    let (text, trees) = match *truth {
        Truth::Between {
            lower,
            above,
            of,
            below,
            upper,
        } => {
            let trees = [lower, of, upper].map(|side| builder.tree(side));
            let [lower, of, upper] = trees.each_ref().map(Part::Side);
            let text = format!("{lower:#} {above} {of:#} {below} {upper:#}");
            (text, Vec::from(trees))
        }
        _ => {
            let tree = builder.truth(truth);
            let text = match truth {
                Truth::Atom(_) => format!("{:#}", Part::Operand(&tree)),
                _ => format!("{tree:#}"),
            };
            (text, vec![tree])
        }
    };
    trees.into_iter().for_each(Expr::dismantle);
    text
}

impl Builder<'_> {
    pub(super) fn truth(&mut self, truth: &Truth) -> Expr {
        with_stack(|| match truth {
            Truth::Relation(sign, a, b) => compare(*sign, self.tree(*a), self.tree(*b)),
            Truth::Atom(id) => self.tree(*id),
            Truth::Not(inner) => node(ExprKind::Not(Box::new(self.truth(inner)))),
            Truth::Between { .. } | Truth::And(_) => {
                let mut list = Vec::new();
                self.conjuncts(truth, &mut list);
                node(ExprKind::And(list))
            }
            Truth::Or(list) => {
                let list = list.iter().map(|truth| self.truth(truth));
                node(ExprKind::Or(list.collect()))
            }
        })
    }

    /// Flattens nested conjunctions into a list.
    fn conjuncts(&mut self, truth: &Truth, list: &mut Vec<Expr>) {
        match *truth {
            Truth::Between {
                lower,
                above,
                of,
                below,
                upper,
            } => {
                list.push(compare(above, self.tree(lower), self.tree(of)));
                list.push(compare(below, self.tree(of), self.tree(upper)));
            }
            Truth::And(ref parts) => {
                for part in view::intervals(self.arena, parts) {
                    with_stack(|| self.conjuncts(&part, list));
                }
            }
            _ => list.push(self.truth(truth)),
        }
    }
}

/// True if the language recognises a condition as a truth value by its form.
pub(super) fn is_plainly_true_or_false(arena: &Arena, truth: &Truth) -> bool {
    match truth {
        Truth::Relation(..) | Truth::Between { .. } => true,
        Truth::Atom(id) => matches!(view(arena, *id), View::Apply(Function::Integer, _)),
        Truth::Not(inner) => is_plainly_true_or_false(arena, inner),
        Truth::And(list) | Truth::Or(list) => {
            list.iter().all(|t| is_plainly_true_or_false(arena, t))
        }
    }
}
