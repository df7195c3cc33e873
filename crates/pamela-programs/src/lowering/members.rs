//! Members of structures during the walk: sizes such as `m->rows` are parameters of the model by their paths.

use std::collections::BTreeSet;

use super::assigned::varies;
use super::number::Number;
use super::objects::{Content, Write, spelled, words};
use super::value::Value;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// The path of the object that an expression names: `grid`, `*m@0:17.rows`.
    pub fn object(&self, expression: &Expression) -> Option<String> {
        match &expression.kind {
            ExpressionKind::Name(name) => self.values.get(name)?.object.clone(),
            ExpressionKind::Field { of, name, arrow } => {
                let object = if *arrow {
                    self.pointee(of)?
                } else {
                    self.object(of)?
                };
                Some(format!("{object}.{name}"))
            }
            ExpressionKind::Unary(operator, inner) if operator == "*" => self.pointee(inner),
            ExpressionKind::Index(array, index) => match &index.kind {
                ExpressionKind::Number(index) => {
                    let array = self.pointee(array)?;
                    match index.as_str() {
                        "0" => Some(array),
                        index => Some(format!("{array}[{index}]")),
                    }
                }
                _ => None,
            },
            ExpressionKind::Cast(_, inner) => self.object(inner),
            _ => None,
        }
    }

    /// The object that an expression is the address of.
    pub fn pointee(&self, expression: &Expression) -> Option<String> {
        match &expression.kind {
            ExpressionKind::Name(name) => self.values.get(name)?.object.clone(),
            ExpressionKind::Unary(operator, inner) if operator == "&" => {
                // A number has no members, but it is one place.
                let number = || Some(format!("{}@{}:0", inner.name()?, self.function));
                self.object(inner).or_else(number)
            }
            ExpressionKind::Cast(_, inner) => self.pointee(inner),
            // The object that a member points to: another one once that member is written.
            ExpressionKind::Field { .. } => {
                let path = self.object(expression)?;
                match self.values.objects.get(&path) {
                    Content::Parameter(since) if since.is_empty() => Some(format!("{path}>")),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The object of a pointer after an assignment: that of the value, or a new object if the pointer is assigned
    /// once.
    pub fn object_given(&mut self, name: &str, value: &Expression, span: Span) -> Option<String> {
        if self.whole.is_addressed(self.function, name) {
            return None;
        }
        match self.pointee(value) {
            Some(object) => Some(object),
            None => match &value.kind {
                ExpressionKind::Call(..) => {
                    let last = self.returned_object.take();
                    last.flatten().or_else(|| self.new_object(name, span))
                }
                ExpressionKind::Cast(_, inner) => self.object_given(name, inner, span),
                _ => self.new_object(name, span),
            },
        }
    }

    /// The object that a structure is a copy of: a variable, or what the function that was just called returns.
    fn structure_given(&mut self, value: &Expression) -> Option<String> {
        match &value.kind {
            ExpressionKind::Call(..) => {
                let returned = self.returned_object.take().flatten();
                returned.filter(|object| self.values.objects.holds(object))
            }
            _ => self.object(value),
        }
    }

    /// The object of a pointer that is set once.
    pub fn new_object(&self, name: &str, span: Span) -> Option<String> {
        self.once
            .then(|| format!("*{name}@{}:{}", self.function, span.start))
    }

    /// The kind of a write to a member at this place.
    pub fn write(&self, span: Span) -> Write {
        if self.once {
            Write::Once(span.start)
        } else {
            Write::Unknown
        }
    }

    /// The value of `m->rows`.
    pub fn member(&mut self, expression: &Expression) -> Value {
        let Some(name) = expression.member() else {
            return Value::unknown();
        };
        let kind = self.whole.members.get(name).map(|member| member.kind);
        let unknown = Value::of_kind(kind.unwrap_or(Kind::INT), None);
        if !self.is_size(expression) {
            return unknown;
        }
        let Some(path) = self.object(expression) else {
            return unknown;
        };
        match self.values.objects.get(&path) {
            Content::Value(number) => Value { number, ..unknown },
            Content::Parameter(_) => {
                let start = expression.span.start;
                let name = spelled(&path);
                let site = self.whole.site_of_value(self.function, start, &name);
                let text = self.whole.snippet(self.function, expression.span);
                let number = self.parameter_of(&path, expression.span, &text, site);
                Value { number, ..unknown }
            }
        }
    }

    /// Assigns a value to a member.
    pub fn store_member(&mut self, place: &Expression, value: Value, span: Span) {
        let Some(name) = place.member().map(String::from) else {
            return;
        };
        let write = self.write(span);
        let Some(path) = self.object(place) else {
            self.values.objects.write_member(&name, &write);
            return;
        };
        let kind = self
            .whole
            .members
            .get(name.as_str())
            .map(|member| member.kind);
        let is_number = matches!(kind, None | Some(Kind::Integer { .. }));
        let outside = value.outside;
        let number = self.converted(value, kind.unwrap_or(Kind::INT)).number;
        let number = number.filter(|_| is_number).or_else(|| {
            (self.once && is_number).then(|| {
                let text = self.whole.snippet(self.function, place.span);
                let name = spelled(&path);
                let site = self.whole.site_of_value(self.function, span.start, &name);
                let path_since = format!("{path} {}", span.start);
                let number = self.path_parameter(site, &path_since, &name, span, &text);
                if !outside {
                    self.tell_value(&number, &text, span);
                }
                number
            })
        });
        self.values.objects.set(&path, &name, number, &write);
    }

    /// Makes the value of a member that one of two branches wrote a parameter, or unknown.
    pub fn forget_member(&mut self, path: &str, span: Span) {
        let number = self.once.then(|| {
            let name = spelled(path);
            let path = format!("{path} {}", span.start);
            let number = self.path_parameter(None, &path, &name, span, &name);
            self.tell_value(&number, &name, span);
            number
        });
        self.values.objects.store(path, number);
    }

    /// Assigns a value to a pointer or to a whole structure.
    pub fn point(&mut self, place: &Expression, value: &Expression, span: Span) {
        let Some(name) = place.name() else { return };
        let Some(binding) = self.values.get(name) else {
            return;
        };
        if binding.kind != Kind::Other {
            return;
        }
        if binding.is_pointer {
            let object = self.object_given(name, value, span);
            if let Some(binding) = self.values.get_mut(name) {
                binding.object = object;
            }
        } else if let Some(object) = binding.object.clone() {
            let write = self.write(span);
            let from = self.structure_given(value);
            let copied = from.map(|from| (self.members_of(name, &from, span), from));
            self.values.objects.write_object(&object, &write);
            if let Some((copied, from)) = copied.filter(|(_, from)| *from != object) {
                self.store_members(&object, &from, copied);
            }
        }
    }

    /// A structure passed by value: its members initially equal those of the argument.
    pub fn copied(&mut self, formal: &Variable, from: Option<&str>) -> String {
        let object = format!("{}@{}:{}", formal.name, self.function, formal.span.start);
        let write = self.write(formal.span);
        let copied = from.map(|from| (from, self.members_of(&formal.name, from, formal.span)));
        self.values.objects.initialize(&object, &write);
        if let Some((from, copied)) = copied {
            self.store_members(&object, from, copied);
        }
        object
    }

    /// The initial sizes of an object that the function uses in a copy of it, by their paths in it.
    fn members_of(&mut self, copy: &str, from: &str, span: Span) -> Vec<(String, Number)> {
        let used = self.members_used(copy).into_iter();
        let number = |path: String| {
            // The copy may have other values where it is used.
            let original = format!("{from}{path}");
            let text = words(&original).join(".");
            let number = self.parameter_of(&original, span, &text, None)?;
            Some((path, number))
        };
        used.filter_map(number).collect()
    }

    fn store_members(&mut self, object: &str, from: &str, copied: Vec<(String, Number)>) {
        for (path, number) in copied {
            let path = format!("{object}{path}");
            self.values.objects.store(&path, Some(number));
        }
        self.values.objects.copy(from, object);
    }

    /// The sizes in a structure that the function uses, by their paths in it.
    fn members_used(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        let function = self.whole.functions[self.function].function;
        function.body.walk_expressions(&mut |expression| {
            if self.is_size(expression)
                && let Some(path) = path_in(expression, name)
            {
                found.push(path);
            }
        });
        found
    }

    /// True if a member is a whole number of which writes are known.
    fn is_size(&self, expression: &Expression) -> bool {
        expression.member().is_some_and(|name| {
            let kind = self.whole.members.get(name).map(|member| member.kind);
            matches!(kind, None | Some(Kind::Integer { .. })) && !self.whole.is_kept(name)
        })
    }

    /// The parameter for the value at a path.
    fn parameter_of(
        &mut self,
        path: &str,
        span: Span,
        text: &str,
        site: Option<String>,
    ) -> Option<Number> {
        let Content::Parameter(since) = self.values.objects.get(path) else {
            return None;
        };
        let path_since = format!("{path}{since}");
        Some(self.path_parameter(site, &path_since, &spelled(path), span, text))
    }

    /// A variable of a function that is not a number.
    pub fn declare_other(&mut self, variable: &Variable, span: Span) {
        let name = &variable.name;
        let object = if variable.is_pointer {
            let value = variable.value.as_ref();
            value.and_then(|value| self.object_given(name, value, span))
        } else if variable.is_static {
            Some(format!("{name}@{}:{}", self.function, variable.span.start))
        } else {
            let value = variable.value.as_ref();
            let from = value.and_then(|value| self.structure_given(value));
            let object = self.copied(variable, from.as_deref());
            if value.is_none() {
                self.values.objects.declare(&object);
            }
            Some(object)
        };
        self.values.declare_object(variable, object);
        self.point_anew(name);
    }

    fn path_parameter(
        &mut self,
        site: Option<String>,
        path: &str,
        name: &str,
        span: Span,
        text: &str,
    ) -> Number {
        // Objects of functions are told apart by their paths, whatever function asks.
        let function = self.asking.replace(path.to_string());
        let number = self.value_at(site, name, span, &format!("value of {text}"));
        self.asking = function;
        number
    }

    /// Explains that an iteration count is not known because it depends on a member written at a place that the walk
    /// cannot follow.
    pub fn explain_members(
        &mut self,
        condition: &Expression,
        changed: &BTreeSet<String>,
    ) -> Option<Problem> {
        let mut found: Vec<&Expression> = Vec::new();
        condition.walk(&mut |part| {
            let is_kept = |name| {
                let binding = self.values.get(name);
                binding.is_some_and(|b| matches!(b.kind, Kind::Integer { .. }))
                    && (self.whole.is_addressed(self.function, name)
                        || self.whole.is_volatile(name))
            };
            let is_size = |name| {
                let member = self.whole.members.get(name);
                matches!(member.map(|m| m.kind), None | Some(Kind::Integer { .. }))
            };
            if part.member().is_some_and(is_size) || part.name().is_some_and(is_kept) {
                found.push(part);
            }
        });
        let is_unknown = |walker: &mut Self, part: &Expression| {
            let number = match part.name() {
                Some(name) => walker.values.get(name).and_then(|b| b.value.clone()),
                None => walker.member(part).number,
            };
            number.is_none() || varies(part, changed)
        };
        let part = found.into_iter().find(|part| is_unknown(self, part))?;
        let text = self.whole.snippet(self.function, part.span);
        let problem = Problem::new(format!(
            "`{text}` may change: the iteration count of the loop is a parameter"
        ))
        .at(self.place(part.span))
        .hint("copy it to a variable in front of the loop, or state the count: #pragma pamela trips(n)");
        Some(problem)
    }
}

/// The path of a member of a structure that this variable is: `.inner.n`.
fn path_in(expression: &Expression, variable: &str) -> Option<String> {
    match &expression.kind {
        ExpressionKind::Name(name) => (name == variable).then(String::new),
        ExpressionKind::Field {
            of,
            name,
            arrow: false,
        } => Some(format!("{}.{name}", path_in(of, variable)?)),
        _ => None,
    }
}
