//! Expressions.

use tree_sitter::Node;

use super::{DEEPEST, Reader, children, collect, span};
use crate::source::buffers::by_value;
use crate::source::tree::*;
use crate::source::types::Type;

impl<'a> Reader<'a> {
    pub fn expression(&mut self, node: Node, depth: usize) -> Expression {
        let kind = if depth < DEEPEST {
            self.expression_kind(node, depth + 1)
        } else {
            self.not_understood(node);
            ExpressionKind::Other(Vec::new())
        };
        Expression {
            kind,
            span: span(node),
        }
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    fn expression_kind(&mut self, node: Node, depth: usize) -> ExpressionKind {
        use ExpressionKind::*;
        if node.is_error() || node.is_missing() {
            self.not_understood(node);
            return Other(Vec::new());
        }
        self.look_for_errors(node);
        let operator = node.child_by_field_name("operator");
        let operator = operator
            .map(|o| self.source(o).to_string())
            .unwrap_or_default();
        if let Some(cast) = self.cast_of_name(node, &operator, depth) {
            return cast;
        }
        let mut part = |name: &str| self.expression_field(node, name, depth).map(Box::new);
        let kind = match node.kind() {
            "number_literal" | "char_literal" | "true" | "false" => {
                Some(Number(self.source(node).to_string()))
            }
            "identifier" => Some(Name(self.source(node).to_string())),
            "parenthesized_expression" | "extension_expression" => {
                let inner = children(node).first().copied();
                return match inner {
                    Some(inner) if inner.kind() == "compound_statement" => {
                        self.statement_expression(inner, depth)
                    }
                    Some(inner) => self.expression(inner, depth).kind,
                    None => Other(Vec::new()),
                };
            }
            "call_expression" => {
                let function = part("function");
                let list = node
                    .child_by_field_name("arguments")
                    .map(children)
                    .unwrap_or_default();
                let mut arguments: Vec<Expression> = list
                    .into_iter()
                    .map(|a| self.expression(a, depth))
                    .collect();
                function.map(|function| {
                    by_value(&function, &mut arguments);
                    Call(function, arguments)
                })
            }
            "unary_expression" | "pointer_expression" => {
                part("argument").map(|inner| Unary(operator, inner))
            }
            "update_expression" => part("argument").map(|place| Update {
                by: if operator == "++" { 1 } else { -1 },
                after: place.span.start == node.start_byte(),
                place,
            }),
            "binary_expression" => match (part("left"), part("right")) {
                (Some(a), Some(b)) => Some(Binary(operator, a, b)),
                _ => None,
            },
            "assignment_expression" => match (part("left"), part("right")) {
                (Some(a), Some(b)) => Some(Assign(operator, a, b)),
                _ => None,
            },
            "conditional_expression" => {
                let parts = (part("condition"), part("consequence"), part("alternative"));
                match parts {
                    (Some(c), Some(a), Some(b)) => Some(Conditional(c, a, b)),
                    _ => None,
                }
            }
            "subscript_expression" => match (part("argument"), part("index")) {
                (Some(a), Some(b)) => Some(Index(a, b)),
                _ => None,
            },
            "field_expression" => {
                let name = node.child_by_field_name("field");
                let name = name.map(|name| self.source(name).to_string());
                let arrow = operator == "->";
                self.expression_field(node, "argument", depth)
                    .map(|of| Field {
                        of: Box::new(of),
                        name: name.unwrap_or_default(),
                        arrow,
                    })
            }
            "comma_expression" => match (part("left"), part("right")) {
                (Some(a), Some(b)) => Some(Comma(a, b)),
                _ => None,
            },
            "cast_expression" => self.cast(node, depth),
            "sizeof_expression" => Some(self.size(node)),
            "gnu_asm_expression" => Some(self.assembly(node, depth)),
            "alignof_expression" | "offsetof_expression" => Some(Other(Vec::new())),
            _ => None,
        };
        kind.unwrap_or_else(|| self.other(node, depth))
    }

    /// The expressions among the parts of a node of any kind.
    fn other(&mut self, node: Node, depth: usize) -> ExpressionKind {
        let parts = children(node).into_iter().filter(|part| {
            let kind = part.kind();
            // The elements of an array keep their places.
            node.kind() == "initializer_list"
                || kind.ends_with("expression")
                || matches!(kind, "identifier" | "initializer_list" | "initializer_pair")
        });
        let parts = parts.collect::<Vec<_>>();
        ExpressionKind::Other(
            parts
                .into_iter()
                .map(|p| self.expression(p, depth))
                .collect(),
        )
    }

    fn cast(&mut self, node: Node, depth: usize) -> Option<ExpressionKind> {
        let described = node.child_by_field_name("type")?;
        let kind = match described.child_by_field_name("declarator") {
            Some(_) => Kind::Other,
            None => self.kind(described),
        };
        let inner = self.expression_field(node, "value", depth)?;
        Some(ExpressionKind::Cast(kind, Box::new(inner)))
    }

    /// A cast whose type is a name, which the parser takes for a call, `(T)(x)`, or for the first operand of a sign, `(T) -x`.
    fn cast_of_name(&mut self, node: Node, sign: &str, depth: usize) -> Option<ExpressionKind> {
        if node.kind() == "call_expression" {
            let named = self.type_in(node.child_by_field_name("function")?)?;
            let given = children(node.child_by_field_name("arguments")?);
            let mut given = given.into_iter().map(|inner| self.expression(inner, depth));
            let first = given.next()?;
            let last = given.fold(first, |a, b| Expression {
                span: b.span,
                kind: ExpressionKind::Comma(Box::new(a), Box::new(b)),
            });
            return Some(ExpressionKind::Cast(named.kind, Box::new(last)));
        }
        let is_sign = node.kind() == "binary_expression" && ["-", "+", "*", "&"].contains(&sign);
        let (left, right) = (
            node.child_by_field_name("left").filter(|_| is_sign)?,
            node.child_by_field_name("right")?,
        );
        if let Some(named) = self.type_in(left) {
            return Some(self.signed_cast(named, sign, right, depth).kind);
        }
        // `a + (T) -x` is read as `(a + (T)) - x`.
        if left.kind() != "binary_expression" {
            return None;
        }
        let named = self.type_in(left.child_by_field_name("right")?)?;
        let operator = left.child_by_field_name("operator")?;
        let operator = self.source(operator).to_string();
        let first = self.expression_field(left, "left", depth)?;
        let second = self.signed_cast(named, sign, right, depth);
        Some(ExpressionKind::Binary(
            operator,
            Box::new(first),
            Box::new(second),
        ))
    }

    /// `(T) -x`; of a product, the sign and the cast belong to the first factor.
    fn signed_cast(&mut self, named: Type, sign: &str, node: Node, depth: usize) -> Expression {
        let first = node.child_by_field_name("left");
        if let (Some(first), "binary_expression", true) = (first, node.kind(), depth < DEEPEST)
            && let Some(operator) = node.child_by_field_name("operator")
            && let Some(second) = self.expression_field(node, "right", depth)
        {
            let operator = self.source(operator).to_string();
            let first = self.signed_cast(named, sign, first, depth + 1);
            return Expression {
                kind: ExpressionKind::Binary(operator, Box::new(first), Box::new(second)),
                span: span(node),
            };
        }
        let inner = self.expression(node, depth);
        let span = inner.span;
        let signed = Expression {
            kind: ExpressionKind::Unary(sign.to_string(), Box::new(inner)),
            span,
        };
        Expression {
            kind: ExpressionKind::Cast(named.kind, Box::new(signed)),
            span,
        }
    }

    /// Inline assembly is a call of `asm`, which may write its outputs. An empty text only prevents the compiler from
    /// moving code.
    fn assembly(&mut self, node: Node, depth: usize) -> ExpressionKind {
        let code = node.child_by_field_name("assembly_code");
        let code = code.map_or("", |code| self.source(code));
        if code.chars().all(|c| c == '"' || c.is_whitespace()) {
            return ExpressionKind::Other(Vec::new());
        }
        let mut arguments = Vec::new();
        for (operands, is_output) in [("output_operands", true), ("input_operands", false)] {
            let list = node.child_by_field_name(operands).map(children);
            for operand in list.unwrap_or_default() {
                let Some(value) = self.expression_field(operand, "value", depth) else {
                    continue;
                };
                let span = value.span;
                let kind = if is_output {
                    ExpressionKind::Unary("&".to_string(), Box::new(value))
                } else {
                    value.kind
                };
                arguments.push(Expression { kind, span });
            }
        }
        let function = Expression {
            kind: ExpressionKind::Name("asm".to_string()),
            span: span(node),
        };
        ExpressionKind::Call(Box::new(function), arguments)
    }

    /// `({ int x = a; x; })`: the expressions in it, of which none has a known value.
    fn statement_expression(&mut self, node: Node, depth: usize) -> ExpressionKind {
        let statement = self.statement(node, depth);
        let mut parts = Vec::new();
        collect(&statement, &mut parts);
        ExpressionKind::Other(parts)
    }
}
