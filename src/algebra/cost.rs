//! What extraction minimises, in this order: open reductions by nesting, undecided cases, choices
//! (`max`, `min`, brackets), weighted operations, digits. Ties are decided by the structure of the terms.

use crate::expr::{ExprId, Function, LawKind, Node, ReduceKind, Reduction, Sort};

use super::terms::{Terms, expr_of};

/// Lexicographic; smaller is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// The deepest nest of open reductions.
    pub depth: u32,
    /// How many reductions are open; of the branches of a conditional, in the worse one.
    pub open: u32,
    /// Conditionals that stay as cases.
    pub cases: u32,
    /// Operands of `max` and `min`, absolute values and brackets: what a reader must decide.
    pub choices: u32,
    /// Operations as a tree, each with its weight.
    pub operations: u64,
    /// Bits of the numbers. Where `t` equals `t / 2`, being 0, smaller and smaller multiples of what `t`
    /// equals would each be better than the one before.
    pub digits: u64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost {
            depth: self.depth.max(other.depth),
            open: self.open.saturating_add(other.open),
            cases: self.cases.saturating_add(other.cases),
            choices: self.choices.saturating_add(other.choices),
            operations: self.operations.saturating_add(other.operations),
            digits: self.digits.saturating_add(other.digits),
        }
    }
}

const RED_ZONE: usize = 64 * 1024;
const STACK: usize = 2 * 1024 * 1024;

impl Terms {
    /// The cost of evaluating `id`; memoised.
    pub fn cost(&mut self, id: ExprId) -> Cost {
        let index = id.index() as usize;
        if let Some(Some(known)) = self.costs.get(index) {
            return *known;
        }
        let cost = stacker::maybe_grow(RED_ZONE, STACK, || self.derive_cost(id));
        if self.costs.len() <= index {
            self.costs.resize(self.arena.len().max(index + 1), None);
        }
        self.costs[index] = Some(cost);
        cost
    }

    /// Whether it is made of numbers, symbols, sums, products and powers alone.
    pub fn is_elementary(&mut self, id: ExprId) -> bool {
        let atoms = self.polynomial(id).atoms();
        atoms
            .into_iter()
            .map(expr_of)
            .all(|atom| match *self.arena.node(atom) {
                Node::Symbol(_) => true,
                Node::Pow(base, exponent) => {
                    self.is_elementary(base) && self.is_elementary(exponent)
                }
                _ => false,
            })
    }

    fn derive_cost(&mut self, id: ExprId) -> Cost {
        let operands = self.arena.operands(id);
        let inner = operands.iter().fold(Cost::default(), |sum, &operand| {
            sum.plus(self.cost(operand))
        });
        let node = &self.arena.node(id).clone();
        let mut cost = inner;
        cost.operations = cost.operations.saturating_add(weight(node, operands.len()));
        // Of equal terms, the one whose whole parts have left the rounding: loops can use them there.
        if let Node::Apply(Function::Floor | Function::Ceil, operand) = *node {
            let inside = self.polynomial(operand).len().saturating_sub(1) as u64;
            cost.operations = cost.operations.saturating_add(inside);
        }
        // An exponent that has left a logarithm can cancel.
        if let Node::Apply(Function::Log, operand) = *node
            && let Node::Pow(..) = self.arena.node(operand)
        {
            cost.operations = cost.operations.saturating_add(3);
        }
        // A factor that has left an order statistic can leave its moments, too.
        if let Node::Reduce(r) = *node
            && let Node::Law(LawKind::Scale, _) = self.arena.node(r.body)
        {
            cost.operations = cost.operations.saturating_add(1);
        }
        match node {
            Node::Number(value) => cost.digits = value.bits(),
            Node::If(condition, then, otherwise) => {
                cost.cases = cost.cases.saturating_add(1);
                let condition = self.cost(*condition).open;
                let branches = self.cost(*then).open.max(self.cost(*otherwise).open);
                cost.open = condition.saturating_add(branches);
            }
            // To decide once is better than once in each iteration.
            Node::Reduce(_) => cost.cases = cost.cases.saturating_mul(2),
            Node::Max(list) | Node::Min(list) => {
                cost.choices = cost.choices.saturating_add(list.len() as u32 - 1)
            }
            Node::Compare(..) | Node::Apply(Function::Abs, _) => {
                cost.choices = cost.choices.saturating_add(1)
            }
            _ => {}
        }
        if self.is_open(id) {
            cost.open += 1;
            cost.depth += 1;
        }
        cost
    }

    /// A reduction that loops when it is evaluated.
    ///
    /// A vector sum over the positions of its index is not: a demand per resource is a comprehension
    /// by nature. One whose positions do not depend on the index is.
    fn is_open(&mut self, id: ExprId) -> bool {
        match *self.arena.node(id) {
            Node::Reduce(r) if self.arena.sort(id) == Sort::Vector && r.kind == ReduceKind::Sum => {
                let body = self.polynomial(r.body);
                let vectors = body
                    .atoms()
                    .into_iter()
                    .map(expr_of)
                    .filter(|&v| self.arena.sort(v) == Sort::Vector);
                vectors
                    .into_iter()
                    .any(|vector| !self.arena.mentions(vector, r.index))
            }
            // Of copies, which all have the same law, any number is looked at at once.
            Node::Reduce(Reduction {
                kind: ReduceKind::LawMax | ReduceKind::LawMin | ReduceKind::LawKth(_),
                index,
                body,
                ..
            }) => self.arena.mentions(body, index),
            Node::Reduce(_) | Node::VectorMax(_) | Node::Law(LawKind::VectorMax, _) => true,
            // Nothing is known of the moments of a parameter, or of an order statistic.
            Node::Cumulant(_, law) => match *self.arena.node(law) {
                Node::Law(kind, _) => !matches!(
                    kind,
                    LawKind::Parameter(_)
                        | LawKind::Max
                        | LawKind::Min
                        | LawKind::VectorMax
                        | LawKind::Truncated
                ),
                Node::Reduce(r) => r.kind == ReduceKind::Sum,
                _ => true,
            },
            _ => false,
        }
    }
}

fn weight(node: &Node, operands: usize) -> u64 {
    let further = operands.saturating_sub(1) as u64;
    match node {
        Node::Number(_) => 0,
        Node::Symbol(_) => 1,
        Node::Add(_) => 4 * further,
        Node::Mul(_) => 5 * further,
        Node::Pow(..) => 8,
        Node::Max(_) | Node::Min(_) => 6 * further,
        Node::Apply(..) => 6,
        Node::Mod(..) => 8,
        Node::Compare(..) => 4,
        Node::If(..) => 10,
        Node::Reduce(_) | Node::VectorMax(_) => 100,
        Node::Vector(_) | Node::UnitVector(..) => 2,
        // Of a choice between laws more is known than of their product.
        Node::Law(LawKind::Product, _) => 40 * further,
        Node::Law(..) => 6 * operands as u64,
        Node::Call(..) => 10,
        Node::Cumulant(..) => 50,
    }
}
