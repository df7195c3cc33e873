//! Lists of values for structures, `struct size s = { n, m }`, as assignments to the members one by one.

use std::collections::HashMap;

use tree_sitter::Node;

use super::{DEEPEST, Reader, children, span};
use crate::source::declarations::is_array;
use crate::source::tree::*;

/// The members of the structures that a text defines, by `struct NAME` and by the names that stand for them; none where a
/// text has two of one name.
pub type Layouts = HashMap<String, Option<Vec<Field>>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    name: String,
    holds: Holds,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Holds {
    Value,
    Array,
    /// A structure of this type.
    Structure(String),
    /// A union, or a structure whose type has no name.
    Other,
}

impl Reader<'_> {
    /// Reads the definitions below a node.
    pub fn layouts(&mut self, node: Node, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        for child in children(node) {
            self.layouts(child, depth + 1);
        }
        match node.kind() {
            "struct_specifier" => {
                if let (Some(name), Some(members)) = (self.structure(node), self.layout(node)) {
                    self.keep(name, members);
                }
            }
            "type_definition" => {
                let Some(specifier) = node.child_by_field_name("type") else {
                    return;
                };
                let named = self.structure(specifier);
                let known = named.and_then(|name| self.layouts.get(&name).cloned().flatten());
                let Some(members) = known.or_else(|| self.layout(specifier)) else {
                    return;
                };
                let mut cursor = node.walk();
                let names = node.children_by_field_name("declarator", &mut cursor);
                for name in names.filter(|name| name.kind() == "type_identifier") {
                    self.keep(self.source(name).to_string(), members.clone());
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, name: String, members: Vec<Field>) {
        let known = self.layouts.entry(name).or_insert(Some(members.clone()));
        if known.as_ref().is_some_and(|known| *known != members) {
            *known = None;
        }
    }

    /// The name of a structure's type.
    fn structure(&self, specifier: Node) -> Option<String> {
        match specifier.kind() {
            "struct_specifier" => {
                let name = specifier.child_by_field_name("name")?;
                Some(format!("struct {}", self.source(name)))
            }
            "type_identifier" => Some(self.source(specifier).to_string()),
            _ => None,
        }
    }

    /// The members of a definition, unless it has some without a name.
    fn layout(&self, specifier: Node) -> Option<Vec<Field>> {
        let body = Some(specifier).filter(|node| node.kind() == "struct_specifier");
        let mut members = Vec::new();
        for field in children(body?.child_by_field_name("body")?) {
            if field.kind() != "field_declaration" {
                return None;
            }
            let mut cursor = field.walk();
            let declarators: Vec<Node> = field
                .children_by_field_name("declarator", &mut cursor)
                .collect();
            if declarators.is_empty() {
                return None;
            }
            let specifier = field.child_by_field_name("type")?;
            for declarator in declarators {
                let (name, _) = self.declared(declarator, Kind::Other)?;
                let holds = match declarator.kind() {
                    _ if is_array(declarator) => Holds::Array,
                    "field_identifier" => self.holds(specifier),
                    _ => Holds::Value,
                };
                members.push(Field { name, holds });
            }
        }
        Some(members)
    }

    /// What a type says of a member that is neither a pointer nor an array.
    fn holds(&self, specifier: Node) -> Holds {
        let named = self.types.get(self.source(specifier).trim());
        let is_value = named.is_some_and(|own| own.kind != Kind::Other || own.is_pointer);
        match (specifier.kind(), self.structure(specifier)) {
            ("type_identifier", _) if is_value => Holds::Value,
            (_, Some(structure)) => Holds::Structure(structure),
            ("struct_specifier" | "union_specifier", None) => Holds::Other,
            _ => Holds::Value,
        }
    }

    /// The variables of a statement, and the values of structures as assignments behind them.
    pub fn declarations(&mut self, node: Node, variables: Vec<Variable>) -> Vec<Statement> {
        let mut list = Vec::new();
        let mut together = Vec::new();
        for mut variable in variables {
            let assigned = self.values_of(node, &variable);
            if assigned.is_some() {
                variable.value = None;
            }
            together.push(variable);
            if let Some(assigned) = assigned {
                let declared = StatementKind::Declaration(std::mem::take(&mut together));
                list.push(statement(declared, span(node)));
                list.extend(assigned);
            }
        }
        if !together.is_empty() || list.is_empty() {
            let declared = StatementKind::Declaration(together);
            list.push(statement(declared, span(node)));
        }
        list
    }

    /// The assignments that give a variable of a declaration its list of values.
    fn values_of(&mut self, node: Node, variable: &Variable) -> Option<Vec<Statement>> {
        // The first part of a `for` is one statement.
        let is_alone = node
            .parent()
            .is_none_or(|outer| outer.kind() != "for_statement");
        let is_own = variable.kind == Kind::Other
            && variable.element.is_none()
            && !(variable.is_pointer || variable.is_static || variable.is_extern);
        let specifier = node
            .child_by_field_name("type")
            .filter(|_| is_alone && is_own)?;
        let structure = self.structure(specifier)?;
        let mut cursor = node.walk();
        let mut declarators = node.children_by_field_name("declarator", &mut cursor);
        let own = declarators.find(|own| own.start_byte() == variable.span.start)?;
        let value = own.child_by_field_name("value")?;
        self.assigned(&name(variable), &structure, value, span(node))
    }

    /// `return (struct size) { n, m };`
    pub fn returned(&mut self, value: Node) -> Option<StatementKind> {
        let structure = self.literal(value)?;
        // No variable of a program has a blank in its name.
        let variable = Variable::plain("returned structure".into(), Kind::Other, span(value));
        let target = name(&variable);
        let assigned = self.assigned(&target, &structure, value, span(value))?;
        let declared = StatementKind::Declaration(vec![variable]);
        let mut list = vec![statement(declared, span(value))];
        list.extend(assigned);
        list.push(statement(StatementKind::Return(Some(target)), span(value)));
        Some(StatementKind::Block(list))
    }

    /// `s = (struct size) { n, m };`, where no value can depend on what `s` was.
    pub fn replaced(&mut self, node: Node, depth: usize) -> Option<StatementKind> {
        let is_plain = node.kind() == "assignment_expression"
            && node
                .child_by_field_name("operator")
                .is_some_and(|own| self.source(own) == "=");
        let value = Some(node)
            .filter(|_| is_plain)?
            .child_by_field_name("right")?;
        let structure = self.literal(value)?;
        let place = node.child_by_field_name("left")?;
        if place.kind() != "identifier" || reads_places(value, 0) {
            return None;
        }
        let target = self.expression(place, depth);
        let assigned = self.assigned(&target, &structure, value, span(node))?;
        Some(StatementKind::Block(assigned))
    }

    /// The type of `(struct size) { n, m }`.
    fn literal(&self, node: Node) -> Option<String> {
        let is_literal = node.kind() == "compound_literal_expression";
        let described = Some(node)
            .filter(|_| is_literal)?
            .child_by_field_name("type")?;
        if described.child_by_field_name("declarator").is_some() {
            return None;
        }
        self.structure(described.child_by_field_name("type")?)
    }

    fn assigned(
        &mut self,
        target: &Expression,
        structure: &str,
        value: Node,
        whole: Span,
    ) -> Option<Vec<Statement>> {
        let list = match self.literal(value) {
            Some(_) => value.child_by_field_name("value")?,
            None => value,
        };
        let mut found = Vec::new();
        self.assign(target, structure, Some(list), 0, &mut found)?;
        let found = found.into_iter();
        Some(
            found
                .map(|assignment| statement(StatementKind::Expression(assignment), whole))
                .collect(),
        )
    }

    /// Assigns the values of a list to the members of a structure, and 0 to the others, as C does. `None` where a value may
    /// belong to a member of a member.
    fn assign(
        &mut self,
        target: &Expression,
        structure: &str,
        list: Option<Node>,
        depth: usize,
        found: &mut Vec<Expression>,
    ) -> Option<()> {
        let members = self.layouts.get(structure).cloned().flatten();
        let members = members.filter(|_| depth < DEEPEST)?;
        let given = match list {
            Some(list) => self.given(&members, list)?,
            None => vec![None; members.len()],
        };
        for (member, value) in members.iter().zip(given) {
            let at = value.or(list).map_or(target.span, span);
            let place = Expression {
                kind: ExpressionKind::Field {
                    of: Box::new(target.clone()),
                    name: member.name.clone(),
                    arrow: false,
                },
                span: at,
            };
            if let Holds::Structure(inner) = &member.holds {
                self.assign(&place, inner, value, depth + 1, found)?;
                continue;
            }
            let value = value.map(|value| self.expression(value, depth));
            let kind = if member.holds == Holds::Value {
                let value = value.unwrap_or(Expression {
                    kind: ExpressionKind::Number("0".into()),
                    span: at,
                });
                ExpressionKind::Assign("=".into(), Box::new(place), Box::new(value))
            } else {
                // A value that is not known gives none to members, but its calls count.
                let Some(value) = value else { continue };
                value.kind
            };
            found.push(Expression { kind, span: at });
        }
        Some(())
    }

    /// The values that a list has for each member.
    fn given<'n>(&self, members: &[Field], list: Node<'n>) -> Option<Vec<Option<Node<'n>>>> {
        if list.kind() != "initializer_list" || list.has_error() {
            return None;
        }
        let mut given = vec![None; members.len()];
        let parts = children(list);
        // `{ 0 }` is the same for any structure.
        if let [only] = &parts[..]
            && self.source(*only) == "0"
        {
            return Some(given);
        }
        let mut next = 0;
        for part in parts {
            let (at, value) = if part.kind() == "initializer_pair" {
                let mut cursor = part.walk();
                let mut path = part.children_by_field_name("designator", &mut cursor);
                let (first, more) = (path.next()?, path.next());
                let name = children(first).first().map(|name| self.source(*name));
                let name = name.filter(|_| first.kind() == "field_designator" && more.is_none())?;
                let at = members.iter().position(|member| member.name == name)?;
                (at, part.child_by_field_name("value")?)
            } else {
                (next, part)
            };
            let member = members.get(at)?;
            let is_whole = match (value.kind(), &member.holds) {
                (_, Holds::Value) | ("initializer_list", _) => true,
                ("string_literal", Holds::Array) => true,
                // It may be the value of the first member or element in there.
                _ => false,
            };
            if !is_whole {
                return None;
            }
            given[at] = Some(value);
            next = at + 1;
        }
        Some(given)
    }
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement {
        kind,
        pragmas: Vec::new(),
        span,
    }
}

fn name(variable: &Variable) -> Expression {
    Expression {
        kind: ExpressionKind::Name(variable.name.clone()),
        span: variable.span,
    }
}

/// True if something in a value may read a member, by name or through a pointer.
fn reads_places(node: Node, depth: usize) -> bool {
    let reads = [
        "field_expression",
        "call_expression",
        "pointer_expression",
        "subscript_expression",
    ];
    depth > DEEPEST
        || reads.contains(&node.kind())
        || children(node)
            .into_iter()
            .any(|child| reads_places(child, depth + 1))
}
