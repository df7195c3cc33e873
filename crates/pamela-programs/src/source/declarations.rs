//! Declarations: names, kinds of numbers, constants of enumerations.

use tree_sitter::Node;

use super::convert::{DEEPEST, Reader, children, span};
use super::tree::*;
use super::types::{self, Type};

impl Reader<'_> {
    /// The name and the formal parameters in a declarator of a function.
    pub fn signature(&mut self, mut declarator: Node) -> Option<(String, Vec<Variable>)> {
        for _ in 0..DEEPEST {
            if declarator.kind() == "function_declarator" {
                let inner = declarator.child_by_field_name("declarator")?;
                let parameters = declarator.child_by_field_name("parameters")?;
                let (name, _) = self.declared(inner, Kind::Other)?;
                let formals = children(parameters)
                    .into_iter()
                    .filter_map(|formal| self.formal(formal))
                    .collect();
                return Some((name, formals));
            }
            declarator = declarator.child_by_field_name("declarator").or_else(|| {
                children(declarator)
                    .into_iter()
                    .find(|child| child.kind().ends_with("declarator"))
            })?;
        }
        None
    }

    /// A formal without a name keeps its place.
    fn formal(&mut self, node: Node) -> Option<Variable> {
        if node.kind() == "identifier" {
            return Some(self.formal_of_old(node));
        }
        if node.kind() != "parameter_declaration" {
            return None;
        }
        let kind = self.kind(node);
        let declarator = node.child_by_field_name("declarator");
        let declared = declarator.and_then(|declarator| self.declared(declarator, kind));
        let (name, kind) = declared.unwrap_or((String::new(), Kind::Other));
        Some(Variable {
            base: self.kind(node),
            is_pointer: declarator.is_some_and(is_pointer) || self.is_pointer_type(node),
            is_volatile: self.has_qualifier(node, "volatile"),
            ..Variable::plain(name, kind, span(node))
        })
    }

    /// A formal whose type is declared behind the list, as in `f(n) long n; { .. }`; an `int` where it is not.
    fn formal_of_old(&mut self, node: Node) -> Variable {
        let name = self.source(node).to_string();
        let outer = std::iter::successors(node.parent(), |node| node.parent());
        let definition = outer
            .into_iter()
            .find(|node| node.kind() == "function_definition");
        let behind = definition.map(children).unwrap_or_default().into_iter();
        let declared: Vec<Variable> = behind
            .filter(|child| child.kind() == "declaration")
            .flat_map(|declaration| self.declaration(declaration, 0))
            .collect();
        let own = declared.into_iter().find(|variable| variable.name == name);
        own.unwrap_or(Variable::plain(name, Kind::INT, span(node)))
    }

    /// The name in a declarator and its kind: arrays and pointers are not numbers.
    pub fn declared(&self, mut node: Node, mut kind: Kind) -> Option<(String, Kind)> {
        for _ in 0..DEEPEST {
            match node.kind() {
                "identifier" | "field_identifier" => {
                    return Some((self.source(node).to_string(), kind));
                }
                "pointer_declarator" | "array_declarator" | "function_declarator" => {
                    kind = Kind::Other;
                }
                _ => {}
            }
            node = node.child_by_field_name("declarator").or_else(|| {
                children(node).into_iter().find(|child| {
                    child.kind().ends_with("declarator") || child.kind() == "identifier"
                })
            })?;
        }
        None
    }

    /// The kind of number that a declaration or a type in parentheses names.
    pub fn kind(&self, node: Node) -> Kind {
        let Some(specifier) = node.child_by_field_name("type") else {
            return Kind::Other;
        };
        // The types of their members do not describe the structure.
        if matches!(specifier.kind(), "struct_specifier" | "union_specifier") {
            return Kind::Other;
        }
        if specifier.kind() == "enum_specifier" {
            return Kind::INT;
        }
        let words: Vec<&str> = self.source(specifier).split_whitespace().collect();
        types::of_words(&words, &self.types).kind
    }

    /// True if a declaration has this word: `static`, `const`.
    fn has_qualifier(&self, node: Node, word: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| {
            matches!(child.kind(), "storage_class_specifier" | "type_qualifier")
                && self.source(child) == word
        })
    }

    /// `typedef struct matrix *matrix; matrix m;`
    pub fn is_pointer_type(&self, node: Node) -> bool {
        let named = node.child_by_field_name("type");
        let named = named.and_then(|named| self.types.get(self.source(named).trim()));
        named.is_some_and(|named| named.is_pointer)
    }

    /// `sizeof(double)`: those of plain numbers are the same on all machines of 64 bits.
    pub fn size(&self, node: Node) -> ExpressionKind {
        let text: Vec<&str> = self.source(node).split_whitespace().collect();
        let described = node.child_by_field_name("type");
        let value = node.child_by_field_name("value");
        let bytes = match (described, value.and_then(|value| self.type_in(value))) {
            (_, Some(named)) => named.bytes,
            (None, None) => None,
            (Some(described), None) if described.child_by_field_name("declarator").is_some() => {
                Some(8).filter(|_| self.source(described).contains('*'))
            }
            (Some(described), None) => {
                described.child_by_field_name("type").and_then(|specifier| {
                    let words: Vec<&str> = self.source(specifier).split_whitespace().collect();
                    types::of_words(&words, &self.types).bytes
                })
            }
        };
        ExpressionKind::Size(text.join(" "), bytes)
    }

    /// The type named in parentheses, if the parser takes it for a variable.
    pub fn type_in(&self, node: Node) -> Option<Type> {
        let inner = *children(node)
            .first()
            .filter(|_| node.kind() == "parenthesized_expression")?;
        let name = Some(inner).filter(|inner| inner.kind() == "identifier")?;
        let name = Some(self.source(name)).filter(|name| !self.hidden_types.contains(*name))?;
        self.types.get(name).copied()
    }

    pub fn declaration(&mut self, node: Node, depth: usize) -> Vec<Variable> {
        let element = self.kind(node);
        let kind = element;
        let (is_static, is_extern) = (
            self.has_qualifier(node, "static"),
            self.has_qualifier(node, "extern"),
        );
        let (is_volatile, is_constant) = (
            self.has_qualifier(node, "volatile"),
            self.has_qualifier(node, "const"),
        );
        let mut cursor = node.walk();
        let declarators: Vec<Node> = node
            .children_by_field_name("declarator", &mut cursor)
            .collect();
        let mut variables = Vec::new();
        for declarator in declarators {
            let value = declarator.child_by_field_name("value");
            if is_prototype(declarator) {
                continue;
            }
            if let Some((name, kind)) = self.declared(declarator, kind) {
                variables.push(Variable {
                    name,
                    kind,
                    element: is_array(declarator).then_some(element),
                    value: value.map(|value| self.expression(value, depth)),
                    base: element,
                    is_pointer: is_pointer(declarator) || self.is_pointer_type(node),
                    is_static,
                    is_extern,
                    is_volatile,
                    is_constant,
                    span: span(declarator),
                });
            }
        }
        variables
    }

    /// The members of the structures in a declaration.
    pub fn members(&mut self, node: Node, depth: usize) {
        if depth > 16 {
            return;
        }
        for child in children(node) {
            if !matches!(
                child.kind(),
                "struct_specifier"
                    | "union_specifier"
                    | "field_declaration_list"
                    | "field_declaration"
            ) {
                continue;
            }
            if child.kind() == "field_declaration" {
                self.member(child, node.parent().map_or("", |n| n.kind()));
            }
            self.members(child, depth + 1);
        }
        // A structure whose declaration stands by itself.
        if depth == 0 && node.kind() == "field_declaration_list" {
            self.members(node, 1);
        }
    }

    fn member(&mut self, node: Node, inside: &str) {
        let base = self.kind(node);
        let mut cursor = node.walk();
        let declarators: Vec<Node> = node
            .children_by_field_name("declarator", &mut cursor)
            .collect();
        for declarator in declarators {
            let Some((name, kind)) = self.declared(declarator, base) else {
                continue;
            };
            // A member of a union has no value of its own.
            let kind = if inside == "union_specifier" {
                Kind::Other
            } else {
                self.of_bits(kind, declarator)
            };
            let member = Member { kind, base };
            let known = self.all_members.get(&name).copied();
            let member = known.map_or(member, |known| known.or(member));
            self.all_members.insert(name, member);
        }
    }

    /// The kind of a member that may be given some bits, `int n : 3`. One bit would be taken for a truth value.
    fn of_bits(&self, kind: Kind, declarator: Node) -> Kind {
        let next = declarator.next_named_sibling();
        let Some(clause) = next.filter(|next| next.kind() == "bitfield_clause") else {
            return kind;
        };
        let bits = self.source(clause).trim_start_matches(':').trim();
        match (kind, bits.parse::<u8>()) {
            (Kind::Integer { signed, .. }, Ok(bits)) if bits > 1 => Kind::Integer { signed, bits },
            _ => Kind::Other,
        }
    }

    /// `enum { A, B = 4 }`, anywhere in a declaration.
    pub fn enumeration(&mut self, node: Node) {
        let mut found = vec![node];
        if let Some(specifier) = node.child_by_field_name("type") {
            found.push(specifier);
        }
        for list in found
            .into_iter()
            .flat_map(children)
            .filter(|n| n.kind() == "enumerator_list")
        {
            let mut previous: Option<(String, i64)> = None;
            for enumerator in children(list) {
                let Some(name) = enumerator.child_by_field_name("name") else {
                    continue;
                };
                let at = span(enumerator);
                let name = self.source(name).to_string();
                let value = match enumerator.child_by_field_name("value") {
                    Some(value) => {
                        previous = Some((name.clone(), 0));
                        self.expression(value, 0)
                    }
                    None => {
                        let value = after(&previous, at);
                        previous = previous
                            .map_or(Some((name.clone(), 0)), |(first, by)| Some((first, by + 1)));
                        value
                    }
                };
                self.enumerations.push((name, value));
            }
        }
    }
}

/// True if a `*` stands in a declarator.
fn is_pointer(declarator: Node) -> bool {
    let mut next = Some(declarator);
    for _ in 0..DEEPEST {
        let Some(node) = next else { return false };
        if node.kind().ends_with("pointer_declarator") {
            return true;
        }
        next = node.child_by_field_name("declarator");
    }
    false
}

/// `int a[3]`, not `int *a[3]`.
pub fn is_array(declarator: Node) -> bool {
    let inner = match declarator.kind() {
        "init_declarator" => declarator.child_by_field_name("declarator"),
        _ => Some(declarator),
    };
    let array = inner.filter(|inner| inner.kind() == "array_declarator");
    array
        .and_then(|array| array.child_by_field_name("declarator"))
        .is_some_and(|name| name.kind() == "identifier")
}

/// `int f(int)`, not `int (*f)(int)`.
fn is_prototype(declarator: Node) -> bool {
    let mut node = declarator;
    for _ in 0..DEEPEST {
        match node.kind() {
            "function_declarator" => {
                let inner = node.child_by_field_name("declarator");
                return inner.is_some_and(|inner| inner.kind() == "identifier");
            }
            "pointer_declarator" => {}
            _ => return false,
        }
        match node.child_by_field_name("declarator") {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

/// The value of a constant after another one: 0 where it is the first.
fn after(previous: &Option<(String, i64)>, span: Span) -> Expression {
    let number = |value: i64| Expression {
        kind: ExpressionKind::Number(value.to_string()),
        span,
    };
    let Some((first, by)) = previous else {
        return number(0);
    };
    let first = Expression {
        kind: ExpressionKind::Name(first.clone()),
        span,
    };
    Expression {
        kind: ExpressionKind::Binary("+".to_string(), Box::new(first), Box::new(number(by + 1))),
        span,
    }
}
