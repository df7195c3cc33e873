//! Shapes of open reductions: their structure as rules see it, without names, numbers and index-free terms.

use std::collections::BTreeSet;

use crate::expr::{
    Arena, ExprId, Function, GraphPart, LawKind, Node, ReduceKind, Relation, Symbol,
};

/// Stands for an index-free term.
const CONSTANT: &str = "c";
/// Names of the indices, the outermost first.
const NAMES: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

/// The shapes of the innermost open reductions of a result, without repetitions: they must close before the
/// reductions around them.
pub fn innermost(arena: &Arena, root: ExprId) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(arena, root, &mut found);
    found
}

/// True if anything at or below `id` is open.
fn collect(arena: &Arena, id: ExprId, found: &mut BTreeSet<String>) -> bool {
    let mut inner = false;
    for operand in arena.operands(id) {
        inner |= collect(arena, operand, found);
    }
    let open = match arena.node(id) {
        Node::VectorMax(_) | Node::Law(LawKind::VectorMax, _) => true,
        Node::Graph(GraphPart::LongestPath(_), _) => true,
        // A sum of vectors is what the largest component is taken of.
        Node::Reduce(r) => r.kind != ReduceKind::Each && !is_vector(arena, r.body),
        _ => false,
    };
    if open && !inner {
        let mut writer = Writer {
            arena,
            indices: Vec::new(),
        };
        found.insert(writer.shape(id));
    }
    open || inner
}

fn is_vector(arena: &Arena, id: ExprId) -> bool {
    arena.sort(id) == crate::expr::Sort::Vector
}

struct Writer<'a> {
    arena: &'a Arena,
    /// The indices in scope, the outermost first.
    indices: Vec<Symbol>,
}

impl Writer<'_> {
    fn moves(&self, id: ExprId) -> bool {
        let mut indices = self.indices.iter();
        indices.any(|&index| self.arena.mentions(id, index))
    }

    fn shape(&mut self, id: ExprId) -> String {
        let arena = self.arena;
        let stays = !self.moves(id);
        match arena.node(id) {
            Node::Reduce(r) => self.reduction(r.kind, r.index, [r.lower, r.upper], r.body),
            Node::VectorMax(vector) => format!("max({})", self.shape(*vector)),
            Node::UnitVector(_, position) => format!("at {}", self.shape(*position)),
            Node::Graph(..) => "graph".to_string(),
            _ if stays && !is_vector(arena, id) => CONSTANT.to_string(),
            Node::Symbol(symbol) => {
                let place = self.indices.iter().position(|index| index == symbol);
                let name = place.and_then(|place| NAMES.get(place));
                name.unwrap_or(&CONSTANT).to_string()
            }
            Node::Add(list) => self.joined(list, " + ", true),
            Node::Mul(list) => self.joined(list, " * ", false),
            Node::Max(list) => format!("max({})", self.joined(list, ", ", true)),
            Node::Min(list) => format!("min({})", self.joined(list, ", ", true)),
            Node::Pow(base, exponent) => match arena.as_number(*exponent) {
                Some(number) => format!("({})^{number}", self.shape(*base)),
                None => format!("({})^({})", self.shape(*base), self.shape(*exponent)),
            },
            Node::Apply(function, operand) => {
                let name = format!("{function:?}").to_lowercase();
                match function {
                    Function::Floor => format!("floor({})", self.shape(*operand)),
                    _ => format!("{name}({})", self.shape(*operand)),
                }
            }
            Node::Mod(x, modulus) => format!("{} mod {}", self.shape(*x), self.shape(*modulus)),
            Node::Compare(relation, left, right) => {
                let sign = if *relation == Relation::Equal {
                    "=="
                } else {
                    "<"
                };
                let sides = self.joined(&[*left, *right], &format!(" {sign} "), true);
                format!("({sides})")
            }
            Node::If(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|&part| self.shape(part));
                format!("if {condition} {yes} else {no}")
            }
            _ => {
                let operands = arena.operands(id);
                format!("f({})", self.joined(&operands, ", ", true))
            }
        }
    }

    /// The shapes of operands, each once and in order; of a sum what stays counts, of a product it does not.
    fn joined(&mut self, list: &[ExprId], sign: &str, with_constants: bool) -> String {
        let mut shapes: BTreeSet<String> = list.iter().map(|&part| self.shape(part)).collect();
        if sign == " + " || !with_constants {
            shapes.remove(CONSTANT);
        }
        if shapes.is_empty() {
            return CONSTANT.to_string();
        }
        let parts: Vec<String> = shapes
            .into_iter()
            .map(|part| {
                if sign == " * " && part.contains(" + ") && !part.ends_with(')') {
                    format!("({part})")
                } else {
                    part
                }
            })
            .collect();
        parts.join(sign)
    }

    fn reduction(
        &mut self,
        kind: ReduceKind,
        index: Symbol,
        bounds: [ExprId; 2],
        body: ExprId,
    ) -> String {
        let moved: BTreeSet<String> = bounds.map(|bound| self.shape(bound)).into();
        let moved: Vec<String> = moved
            .into_iter()
            .filter(|bound| bound != CONSTANT)
            .collect();
        self.indices.push(index);
        let name = NAMES.get(self.indices.len() - 1).unwrap_or(&"z");
        let body = self.shape(body);
        self.indices.pop();
        let kind = match kind {
            ReduceKind::Sum => "sum",
            ReduceKind::Product => "prod",
            ReduceKind::Max => "max",
            ReduceKind::Min => "min",
            ReduceKind::Kth(_) => "kth",
            _ => "of laws",
        };
        if moved.is_empty() {
            format!("{kind} ({name}) {{ {body} }}")
        } else {
            format!("{kind} ({name} to {}) {{ {body} }}", moved.join(", "))
        }
    }
}
