//! Converts the concrete tree of the parser to [`tree`](super::tree), with pragmas at their statements.

mod expressions;
mod structures;

use std::collections::{BTreeMap, HashSet};

use tree_sitter::{Node, Parser};

use super::Text;
use super::pragma::Pragma;
use super::tree::*;
use super::types::{self, Types};
use crate::problem::Problem;
use structures::Layouts;

/// Maximum nesting of programs; deeper code is not understood.
pub const DEEPEST: usize = 200;

/// Parses the code of a text.
pub fn program(text: &Text) -> Result<Program, Problem> {
    let mut parser = Parser::new();
    let cannot = |_| Problem::new("the parser of C does not fit this program");
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .map_err(cannot)?;
    let tree = parser
        .parse(&text.code, None)
        .ok_or_else(|| Problem::new("the parser of C gave up"))?;
    let mut reader = Reader {
        text,
        pragmas: attach(text),
        broken: None,
        enumerations: Vec::new(),
        types: types::declared(&text.full),
        hidden_types: HashSet::new(),
        all_members: BTreeMap::new(),
        layouts: Layouts::new(),
    };
    reader.layouts(tree.root_node(), 0);
    let mut program = Program::default();
    reader.items(tree.root_node(), &mut program, 0);
    program.constants = std::mem::take(&mut reader.enumerations);
    program.members = std::mem::take(&mut reader.all_members);
    program.pragmas = reader
        .pragmas
        .into_iter()
        .map(|(_, pragma)| pragma)
        .collect();
    Ok(program)
}

/// Each pragma with the byte at which the code after it begins, in order.
fn attach(text: &Text) -> Vec<(usize, Pragma)> {
    let code = text.code.as_bytes();
    let next = |pragma: &Pragma| {
        let blanks = code[pragma.start..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        pragma.start + blanks.count()
    };
    let pragmas = text.pragmas.iter();
    pragmas
        .map(|pragma| (next(pragma), pragma.clone()))
        .collect()
}

pub struct Reader<'a> {
    text: &'a Text,
    /// Pragmas that do not belong to a statement yet.
    pragmas: Vec<(usize, Pragma)>,
    /// The first node of the function being read that is not understood.
    broken: Option<Span>,
    pub enumerations: Vec<(String, Expression)>,
    /// Types defined by the program and by headers.
    pub types: Types,
    /// Type names that the function being read uses for variables.
    pub hidden_types: HashSet<String>,
    pub all_members: BTreeMap<String, Member>,
    layouts: Layouts,
}

pub fn span(node: Node) -> Span {
    Span {
        start: node.start_byte(),
        end: node.end_byte(),
    }
}

pub fn children(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .collect()
}

impl<'a> Reader<'a> {
    pub fn source(&self, node: Node) -> &'a str {
        self.text.code.get(node.byte_range()).unwrap_or_default()
    }

    fn not_understood(&mut self, node: Node) {
        self.broken.get_or_insert(span(node));
    }

    /// Takes the pragmas in front of the code that begins at this byte.
    fn pragmas_at(&mut self, start: usize) -> Vec<Pragma> {
        let first = self.pragmas.partition_point(|(at, _)| *at < start);
        let after = self.pragmas.partition_point(|(at, _)| *at <= start);
        self.pragmas
            .drain(first..after)
            .map(|(_, pragma)| pragma)
            .collect()
    }

    /// Functions, globals and enumerations, also in `extern "C" { }` and behind errors.
    fn items(&mut self, node: Node, program: &mut Program, depth: usize) {
        if depth > 8 {
            return;
        }
        for item in children(node) {
            match item.kind() {
                "function_definition" => program.functions.extend(self.function(item)),
                "declaration" => {
                    self.enumeration(item);
                    self.members(item, 0);
                    let variables = self.declaration(item, 0);
                    program.globals.extend(variables);
                }
                "type_definition" => {
                    self.enumeration(item);
                    self.members(item, 0);
                }
                "struct_specifier" | "union_specifier" => self.members(item, 0),
                "enum_specifier" => self.enumeration(item),
                "linkage_specification" | "declaration_list" | "ERROR" => {
                    self.items(item, program, depth + 1);
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, node: Node) -> Option<Function> {
        let declarator = node.child_by_field_name("declarator")?;
        let (name, formals) = self.signature(declarator)?;
        self.broken = None;
        self.hidden_types.clear();
        self.hide_types(node, 0);
        let pragmas = self.pragmas_at(node.start_byte());
        let body = self.statement(node.child_by_field_name("body")?, 0);
        let place = self.text.place(node.start_byte(), node.end_byte());
        let broken = self.broken.take();
        let is_pointer = declarator.kind() == "pointer_declarator" || self.is_pointer_type(node);
        let kind = if is_pointer {
            Kind::Other
        } else {
            self.kind(node)
        };
        Some(Function {
            name,
            kind,
            formals,
            body,
            pragmas,
            span: span(node),
            place,
            broken: broken.map(|span| self.text.place(span.start, span.end)),
        })
    }

    /// Names of types that are those of variables inside of a node.
    fn hide_types(&mut self, node: Node, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        let is_declared = matches!(
            node.kind(),
            "declaration"
                | "parameter_declaration"
                | "init_declarator"
                | "pointer_declarator"
                | "array_declarator"
        );
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let name = self.source(declarator);
            if is_declared && declarator.kind() == "identifier" && self.types.contains_key(name) {
                self.hidden_types.insert(name.to_string());
            }
        }
        for child in children(node) {
            self.hide_types(child, depth + 1);
        }
    }

    fn statement(&mut self, node: Node, depth: usize) -> Statement {
        let mut list = self.statements(node, depth);
        match (list.pop(), list.is_empty()) {
            (Some(statement), true) => statement,
            (last, _) => {
                list.extend(last);
                Statement {
                    kind: StatementKind::Block(list),
                    pragmas: Vec::new(),
                    span: span(node),
                }
            }
        }
    }

    /// A statement; pragmas that stand alone come first, as statements of their own.
    fn statements(&mut self, node: Node, depth: usize) -> Vec<Statement> {
        let pragmas = self.pragmas_at(node.start_byte());
        let statement = |kind, pragmas| Statement {
            kind,
            pragmas,
            span: span(node),
        };
        let kind = if depth < DEEPEST {
            self.statement_kind(node, depth + 1)
        } else {
            self.not_understood(node);
            StatementKind::Broken
        };
        let (alone, own): (Vec<Pragma>, Vec<Pragma>) =
            pragmas.into_iter().partition(Pragma::is_alone);
        let mut list: Vec<Statement> = alone
            .into_iter()
            .map(|pragma| statement(StatementKind::Empty, vec![pragma]))
            .collect();
        match kind {
            StatementKind::Declaration(variables) => {
                let mut declared = self.declarations(node, variables);
                if let Some(first) = declared.first_mut() {
                    first.pragmas = own;
                }
                list.extend(declared);
            }
            kind => list.push(statement(kind, own)),
        }
        list
    }

    /// The statement in a field; none is the empty one.
    fn field(&mut self, node: Node, name: &str, depth: usize) -> Box<Statement> {
        let inner = node.child_by_field_name(name);
        Box::new(match inner {
            Some(inner) => self.statement(inner, depth),
            None => Statement {
                kind: StatementKind::Empty,
                pragmas: Vec::new(),
                span: span(node),
            },
        })
    }

    fn expression_field(&mut self, node: Node, name: &str, depth: usize) -> Option<Expression> {
        let inner = node.child_by_field_name(name)?;
        Some(self.expression(inner, depth))
    }

    /// One long function, because it is a table with an arm for each kind of statement.
    fn statement_kind(&mut self, node: Node, depth: usize) -> StatementKind {
        if node.is_error() || node.is_missing() {
            self.not_understood(node);
            return StatementKind::Broken;
        }
        self.look_for_errors(node);
        match node.kind() {
            "compound_statement" => StatementKind::Block(self.block(node, depth)),
            "expression_statement" => match children(node).first() {
                Some(inner) => self
                    .replaced(*inner, depth)
                    .unwrap_or_else(|| StatementKind::Expression(self.expression(*inner, depth))),
                None => StatementKind::Empty,
            },
            "declaration" => {
                self.enumeration(node);
                self.members(node, 0);
                StatementKind::Declaration(self.declaration(node, depth))
            }
            "if_statement" => {
                let Some(condition) = self.expression_field(node, "condition", depth) else {
                    return StatementKind::Broken;
                };
                let then = self.field(node, "consequence", depth);
                let alternative = node.child_by_field_name("alternative");
                let otherwise = alternative.and_then(|clause| children(clause).first().copied());
                let otherwise = otherwise.map(|inner| Box::new(self.statement(inner, depth)));
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            "for_statement" => self.for_loop(node, depth),
            "while_statement" | "do_statement" => {
                let condition = self.expression_field(node, "condition", depth);
                let body = self.field(node, "body", depth);
                match (condition, node.kind()) {
                    (Some(condition), "while_statement") => {
                        StatementKind::While { condition, body }
                    }
                    (Some(condition), _) => StatementKind::DoWhile { body, condition },
                    (None, _) => StatementKind::Broken,
                }
            }
            "switch_statement" => self.switch(node, depth),
            "break_statement" => StatementKind::Break,
            "continue_statement" => StatementKind::Continue,
            "return_statement" => {
                let value = children(node).first().copied();
                let structure = value.and_then(|value| self.returned(value));
                structure.unwrap_or_else(|| {
                    StatementKind::Return(value.map(|value| self.expression(value, depth)))
                })
            }
            "goto_statement" => match node.child_by_field_name("label") {
                Some(label) => StatementKind::Goto(self.source(label).to_string()),
                None => StatementKind::Broken,
            },
            "labeled_statement" => {
                let label = node
                    .child_by_field_name("label")
                    .map(|l| self.source(l).to_string());
                let mut list = vec![Statement {
                    kind: StatementKind::Label(label.unwrap_or_default()),
                    pragmas: Vec::new(),
                    span: span(node),
                }];
                for inner in children(node).into_iter().skip(1) {
                    list.push(self.statement(inner, depth));
                }
                StatementKind::Block(list)
            }
            "attributed_statement" | "else_clause" => match children(node).last() {
                Some(inner) => self.statement(*inner, depth).kind,
                None => StatementKind::Empty,
            },
            "type_definition" => {
                self.enumeration(node);
                self.members(node, 0);
                StatementKind::Empty
            }
            "struct_specifier"
            | "enum_specifier"
            | "union_specifier"
            | "function_definition"
            | ";" => {
                self.members(node, 0);
                self.enumeration(node);
                StatementKind::Empty
            }
            // An expression where a statement is expected, as in the first part of a `for`.
            kind if kind.ends_with("expression") || kind == "identifier" => {
                StatementKind::Expression(self.expression(node, depth))
            }
            _ => {
                self.not_understood(node);
                StatementKind::Broken
            }
        }
    }

    /// Marks the function where a direct child is an error: the rest is looked at when it is reached.
    fn look_for_errors(&mut self, node: Node) {
        if !node.has_error() {
            return;
        }
        let mut cursor = node.walk();
        let found = node
            .children(&mut cursor)
            .find(|child| child.is_error() || child.is_missing());
        if let Some(child) = found {
            self.not_understood(child);
        }
    }

    /// The statements of a block; pragmas in front of its end are the last.
    fn block(&mut self, node: Node, depth: usize) -> Vec<Statement> {
        let mut list = Vec::new();
        for inner in children(node) {
            list.extend(self.statements(inner, depth));
        }
        let end = node.end_byte().saturating_sub(1);
        let rest = self.pragmas_at(end);
        list.extend(rest.into_iter().map(|pragma| Statement {
            kind: StatementKind::Empty,
            pragmas: vec![pragma],
            span: Span { start: end, end },
        }));
        list
    }

    fn for_loop(&mut self, node: Node, depth: usize) -> StatementKind {
        let first = self.field(node, "initializer", depth);
        let condition = self.expression_field(node, "condition", depth);
        let update = self.expression_field(node, "update", depth);
        let body = self.field(node, "body", depth);
        StatementKind::For {
            first,
            condition,
            update,
            body,
        }
    }

    fn switch(&mut self, node: Node, depth: usize) -> StatementKind {
        let value = self.expression_field(node, "condition", depth);
        let body = node.child_by_field_name("body");
        let (Some(value), Some(body)) = (value, body) else {
            return StatementKind::Broken;
        };
        let mut cases: Vec<Case> = Vec::new();
        for inner in children(body) {
            if inner.kind() != "case_statement" {
                // Statements before the first case are never reached.
                let statement = self.statement(inner, depth);
                if let Some(case) = cases.last_mut() {
                    case.body.push(statement);
                }
                continue;
            }
            self.look_for_errors(inner);
            let value = inner.child_by_field_name("value");
            let mut list = Vec::new();
            for statement in children(inner) {
                if Some(statement) != value {
                    list.extend(self.statements(statement, depth));
                }
            }
            cases.push(Case {
                value: value.map(|value| self.expression(value, depth)),
                body: list,
            });
        }
        StatementKind::Switch { value, cases }
    }
}

fn collect(statement: &Statement, parts: &mut Vec<Expression>) {
    parts.extend(statement.expressions().into_iter().cloned());
    for inner in statement.inner() {
        collect(inner, parts);
    }
}
