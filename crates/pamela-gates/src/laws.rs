//! Evaluates expressions about laws by the definition: prints them as model text and parses that.

use crate::expr::{Arena, ExprId, Node, SymbolKind};
use crate::formula::Formula;
use crate::syntax::parse_expression;
use crate::syntax::tree::{Expr, ExprKind};

use super::instance::Parameter;
use super::points::Point;
use super::random::Random;
use super::value::{Definition, Outcome, formula_value};

/// An expression of an arena, to be evaluated at many points.
///
/// The evaluator of formulas approximates laws, so those are left to the definition.
pub struct Evaluable<'a> {
    arena: &'a Arena,
    id: ExprId,
    /// The text of a rule about laws; `None` inside if the printed text cannot be read.
    text: Option<Option<Expr>>,
}

impl<'a> Evaluable<'a> {
    pub fn new(arena: &'a Arena, id: ExprId, parameters: &[Parameter]) -> Evaluable<'a> {
        let text = speaks_of_laws(arena, id).then(|| {
            let text = printed(arena, id, parameters);
            parse_expression("what a rule made", &text)
                .ok()
                .map(|(expr, _)| expr)
        });
        Evaluable { arena, id, text }
    }

    pub fn value(&self, point: &Point) -> Outcome {
        match &self.text {
            None => formula_value(self.arena, self.id, point),
            Some(Some(text)) => Definition::at(point).patient().value(text),
            Some(None) => Outcome::Undefined,
        }
    }
}

/// The text of an expression with its integer parameters.
pub fn printed(arena: &Arena, id: ExprId, parameters: &[Parameter]) -> String {
    let is_whole = |name: &str| parameters.iter().any(|p| p.integral && p.name == name);
    let free = arena.free(id).iter().copied();
    let whole: Vec<_> = free
        .filter(|&symbol| match arena.symbol_kind(symbol) {
            SymbolKind::Named(name) => is_whole(name),
            _ => false,
        })
        .collect();
    let formula = Formula::new(arena.clone().into(), id, Vec::new());
    formula.knowing(&whole, &[]).pamela()
}

/// The moment operators: a statement about one holds for all, with the factors of its order.
const MOMENTS: &[&str] = &["E", "Var", "K3", "K4"];

/// Replaces the moment on a left side by one of any order.
pub fn any_order(mut left: Expr, random: &mut Random) -> Expr {
    if let ExprKind::Call(operator, _) = &mut left.kind
        && MOMENTS.contains(&operator.text.as_str())
    {
        operator.text = random.pick(MOMENTS).to_string();
    }
    left
}

/// True if a law stands anywhere in an expression.
fn speaks_of_laws(arena: &Arena, id: ExprId) -> bool {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        let node = arena.node(id);
        let is_number = matches!(
            node,
            Node::Cumulant(..) | Node::Quantile(..) | Node::Probability(..)
        );
        if is_number || arena.is_law(id) || matches!(node, Node::Law(..)) {
            return true;
        }
        pending.extend(arena.operands(id));
    }
    false
}
