//! Names, types and arities: every name is bound, and every equation is used according to its type.

mod calls;
mod graphs;
mod replaced;
mod unbound;

use self::replaced::Replacing;
use super::uses::{Target, Use};
use super::{FCFS, Model};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::walk::with_stack;
use crate::syntax::tree::{
    Assertion, Equation, Expr, ExprKind, Name, Process, ProcessKind, Range, Type,
    Value as Definition,
};

/// Checks names, types and arities in all equations, facts and assumptions.
///
/// `order` lists each equation after those that it mentions, so the types of their arguments are
/// known.
///
/// With `record`, also returns the uses of names.
pub(super) fn check(model: &Model, order: &[usize], record: bool) -> (Vec<Diagnostic>, Vec<Use>) {
    let mut names = Names {
        model,
        formal_types: vec![Vec::new(); model.equations.len()],
        diagnostics: Vec::new(),
        formals: &[],
        uses: Vec::new(),
        indices: Vec::new(),
        left: Vec::new(),
        replacing: Replacing::new(model),
        recorded: record.then(Vec::new),
    };
    for &position in order {
        let equation = &model.equations[position];
        names.equation(equation);
        names.replacing.finish(position, equation.formals.len());
        names.formal_types[position] = names.uses.iter().map(|u| u.map(|(kind, _)| kind)).collect();
    }
    names.formals = &[];
    names.uses.clear();
    for relation in &model.assumptions {
        names.numeric(relation);
        if !super::assertions::is_relation(relation) {
            names.diagnostics.push(
                Diagnostic::error(
                    "an assumption must be a relation",
                    relation.span,
                    "this is a number",
                )
                .hint("write for example `assume N >= P, integer(N / P)`")
                .code(Code::AssumptionNotRelation),
            );
        }
    }
    let asserted = model.assertions.iter().flat_map(Assertion::parts);
    asserted.for_each(|part| names.numeric(part));
    let diagnostics = super::with_code(names.diagnostics, Code::Replacement);
    (diagnostics, names.recorded.unwrap_or_default())
}

fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Numeric => "a number",
        Type::Process => "a process",
        Type::Resource => "a resource",
    }
}

pub(super) const ONE_INDEX: &str = "an array of resources has one index: number its elements, as in `link(x * Q + y)` \
                                    for `y` below `Q`; servers are given by `= servers(m)`";

pub(super) fn plural(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// Meaning of a name at its use.
enum Meaning {
    Index,
    Formal(usize),
    Equation(usize),
    Unbound,
}

pub(super) struct Names<'m> {
    model: &'m Model,
    /// For each checked equation, the type that each of its formals is used as, if any.
    formal_types: Vec<Vec<Option<Type>>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Formals of the current equation; the next field has their first uses.
    formals: &'m [Name],
    uses: Vec<Option<(Type, Span)>>,
    /// Indices in scope, outermost first.
    indices: Vec<&'m Name>,
    /// Indices of this equation that are no longer in scope.
    left: Vec<&'m str>,
    replacing: Replacing,
    /// The uses of names, if they are wanted.
    recorded: Option<Vec<Use>>,
}

impl<'m> Names<'m> {
    fn equation(&mut self, equation: &'m Equation) {
        self.formals = &equation.formals;
        self.left.clear();
        self.record(equation.name.span, Target::Equation(equation.name.span));
        for formal in &equation.formals {
            self.record(formal.span, Target::Formal(formal.span));
        }
        self.uses = vec![None; equation.formals.len()];
        self.declaration(equation);
        match &equation.value {
            Some(Definition::Numeric(value)) => self.numeric(value),
            Some(Definition::Process(process)) => self.process(process),
            Some(Definition::Resource(value)) => match self.model.servers(equation) {
                Some(servers) => self.numeric(servers),
                None => self.resource(value),
            },
            None => {}
        }
    }

    pub(super) fn model(&self) -> &'m Model {
        self.model
    }

    /// Keeps what a name at a place is bound to.
    pub(super) fn record(&mut self, span: Span, target: Target) {
        if let Some(recorded) = &mut self.recorded {
            recorded.push(Use { span, target });
        }
    }

    /// Puts an index in scope.
    fn enter(&mut self, index: &'m Name) {
        self.record(index.span, Target::Index(index.span));
        self.indices.push(index);
    }

    /// Takes the indices after the first `outer` ones out of scope.
    fn leave(&mut self, outer: usize) {
        let left = self.indices.drain(outer..);
        self.left.extend(left.map(|index| index.text.as_str()));
    }

    fn is_index(&self, name: &str) -> bool {
        self.indices.iter().any(|index| index.text == name)
    }

    /// What a name is bound to.
    pub(super) fn bound_to(&self, name: &str) -> Option<Target> {
        if let Some(index) = self.indices.iter().rfind(|index| index.text == name) {
            return Some(Target::Index(index.span));
        }
        match self.meaning(name) {
            Meaning::Formal(formal) => Some(Target::Formal(self.formals[formal].span)),
            Meaning::Equation(position) => {
                let name = &self.model.equations[position].name;
                Some(Target::Equation(name.span))
            }
            Meaning::Index | Meaning::Unbound => None,
        }
    }

    fn meaning(&self, name: &str) -> Meaning {
        if self.is_index(name) {
            return Meaning::Index;
        }
        if let Some(formal) = self.formals.iter().position(|f| f.text == name) {
            return Meaning::Formal(formal);
        }
        self.model
            .position(name)
            .map_or(Meaning::Unbound, Meaning::Equation)
    }

    fn wrong_type(&mut self, name: &str, span: Span, expected: Type, found: Type, defined: Span) {
        let message = format!(
            "expected {}, found {} `{name}`",
            type_name(expected),
            type_name(found)
        );
        let label = format!("expected {}", type_name(expected));
        let place = format!("`{name}` is {}", type_name(found));
        let error = Diagnostic::error(message, span, label)
            .also(defined, place)
            .code(Code::TypeMismatch);
        self.diagnostics.push(match (expected, found) {
            (Type::Numeric, Type::Process) => error.hint(format!("its time is `T({name})`")),
            (Type::Process, Type::Numeric) => {
                error.hint("the process that takes a time `t` is `delay(t)`")
            }
            _ => error,
        });
    }

    /// A name with or without arguments in a place where `expected` is needed.
    fn reference(&mut self, name: &'m str, span: Span, arguments: &'m [Expr], expected: Type) {
        if self.recorded.is_some()
            && let Some(target) = self.bound_to(name)
        {
            self.record(span, target);
        }
        match self.meaning(name) {
            Meaning::Index => {
                if expected != Type::Numeric {
                    let message =
                        format!("expected {}, found the index `{name}`", type_name(expected));
                    self.diagnostics.push(
                        Diagnostic::error(message, span, "an index is a number")
                            .code(Code::TypeMismatch),
                    );
                }
                self.no_arguments(name, span, arguments);
            }
            Meaning::Formal(formal) => {
                self.replacing.used(formal);
                self.use_formal(formal, span, expected);
                self.no_arguments(name, span, arguments);
            }
            Meaning::Equation(position) => self.use_equation(position, span, arguments, expected),
            Meaning::Unbound => self.unbound(name, span, !arguments.is_empty(), expected),
        }
    }

    fn no_arguments(&mut self, name: &str, span: Span, arguments: &'m [Expr]) {
        if !arguments.is_empty() {
            self.diagnostics.push(
                Diagnostic::error(format!("`{name}` takes no arguments"), span, "called here")
                    .hint("only an equation that is defined with arguments can be called")
                    .code(Code::ArgumentCount),
            );
        }
    }

    fn use_formal(&mut self, formal: usize, span: Span, expected: Type) {
        let name = &self.formals[formal];
        match self.uses[formal] {
            None => self.uses[formal] = Some((expected, span)),
            Some((kind, earlier)) if kind != expected => self.diagnostics.push(
                Diagnostic::error(
                    format!(
                        "`{}` is used as {} and as {}",
                        name.text,
                        type_name(kind),
                        type_name(expected)
                    ),
                    span,
                    format!("used as {} here", type_name(expected)),
                )
                .also(earlier, format!("used as {} here", type_name(kind)))
                .code(Code::TypeMismatch),
            ),
            Some(_) => {}
        }
    }

    fn use_equation(&mut self, position: usize, span: Span, arguments: &'m [Expr], expected: Type) {
        let model = self.model;
        let equation = &model.equations[position];
        let name = equation.name.text.as_str();
        if equation.kind != expected {
            self.wrong_type(name, span, expected, equation.kind, equation.name.span);
            return;
        }
        if model.is_resource_array(name) {
            let written = equation.value.is_none();
            let places = equation.formals.len().min(1) * (1 + usize::from(written));
            self.use_array(name, span, arguments, places);
            return;
        }
        let arity = equation.formals.len();
        if arity != arguments.len() {
            let message = format!(
                "`{name}` takes {}, found {}",
                plural(arity),
                arguments.len()
            );
            self.diagnostics.push(
                Diagnostic::error(message, span, format!("expected {}", plural(arity)))
                    .also(equation.name.span, "defined here")
                    .code(Code::ArgumentCount),
            );
        }
        let types = self.formal_types[position].clone();
        for (argument, expected) in arguments
            .iter()
            .zip(types.into_iter().chain(std::iter::repeat(None)))
        {
            self.argument(argument, expected);
        }
        self.arguments_that_keep_their_values(position, arguments);
    }

    /// An element `array(index)` or `array(index, multiplicity)`; a resource declared without arguments
    /// is an array of one. At most `places` arguments are taken.
    fn use_array(&mut self, name: &'m str, span: Span, arguments: &'m [Expr], places: usize) {
        let indexed = places > 0;
        if !(places.min(1)..=places).contains(&arguments.len()) {
            let expected = match places {
                0 => "no arguments",
                1 => "an index",
                _ => "an index, and a multiplicity if it is not 1",
            };
            self.diagnostics.push(
                Diagnostic::error(
                    format!("`{name}` takes {expected}"),
                    span,
                    format!("found {}", plural(arguments.len())),
                )
                .hint(format!(
                    "write for example `{name}{}`",
                    if indexed { "(0)" } else { "" }
                ))
                .code(Code::ArgumentCount),
            );
        }
        if let [index, servers] = arguments
            && let Some(other) = self.index_of_one_alone(servers, index)
        {
            let message = format!(
                "the number of servers of `{name}` depends on `{other}`, but its index does not"
            );
            let label = "the second argument is the number of servers";
            self.diagnostics.push(
                Diagnostic::error(message, servers.span, label)
                    .hint(ONE_INDEX)
                    .code(Code::Declaration),
            );
        }
        arguments.iter().for_each(|a| self.numeric(a));
    }

    /// An index in scope that `expr` mentions, and `other` does not.
    fn index_of_one_alone(&self, expr: &'m Expr, other: &'m Expr) -> Option<&'m str> {
        let (mentioned, known) = (names_in(expr), names_in(other));
        let mut alone = mentioned.into_iter().filter(|name| !known.contains(name));
        alone.find(|name| self.is_index(name))
    }

    /// An argument of a call; `expected` is unknown where the called equation makes no use of it.
    fn argument(&mut self, argument: &'m Expr, expected: Option<Type>) {
        let expected = expected.or_else(|| match &argument.kind {
            ExprKind::Name(name) => self.type_of_name(name),
            ExprKind::Call(name, _) => self.type_of_name(&name.text),
            _ => Some(Type::Numeric),
        });
        match expected {
            Some(Type::Numeric) => self.numeric(argument),
            Some(Type::Resource) => self.resource(argument),
            Some(Type::Process) => self.process_argument(argument),
            None => {}
        }
    }

    fn type_of_name(&self, name: &str) -> Option<Type> {
        match self.meaning(name) {
            Meaning::Index | Meaning::Unbound => Some(Type::Numeric),
            Meaning::Formal(_) => None,
            Meaning::Equation(position) => Some(self.model.equations[position].kind),
        }
    }

    pub(super) fn process_argument(&mut self, argument: &'m Expr) {
        match &argument.kind {
            ExprKind::Name(name) => self.reference(name, argument.span, &[], Type::Process),
            ExprKind::Call(name, arguments) => {
                self.reference(&name.text, name.span, arguments, Type::Process)
            }
            _ => self.diagnostics.push(
                Diagnostic::error(
                    "expected a process, found a number",
                    argument.span,
                    "expected a process",
                )
                .hint("give the process a name and pass the name")
                .code(Code::TypeMismatch),
            ),
        }
    }

    fn resource(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.reference(name, expr.span, &[], Type::Resource),
            ExprKind::Call(name, arguments) if name.text == FCFS => {
                self.record(name.span, Target::Predefined);
                self.use_array(FCFS, name.span, arguments, 2)
            }
            ExprKind::Call(name, arguments) => {
                self.reference(&name.text, name.span, arguments, Type::Resource)
            }
            _ => self.diagnostics.push(
                Diagnostic::error(
                    "expected a resource, found a number",
                    expr.span,
                    "expected a resource",
                )
                .hint("write for example `fcfs(0, 1)`, or the name of a resource")
                .code(Code::TypeMismatch),
            ),
        }
    }

    fn range(&mut self, range: &'m Range) {
        range
            .quorum
            .iter()
            .chain([&range.lower, &range.upper])
            .chain(&range.step)
            .for_each(|e| self.numeric(e));
    }

    pub(super) fn numeric(&mut self, expr: &'m Expr) {
        with_stack(|| match &expr.kind {
            ExprKind::Name(name) => self.reference(name, expr.span, &[], Type::Numeric),
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Text(_) => self.diagnostics.push(
                Diagnostic::error(
                    "expected a number, found a text",
                    expr.span,
                    "expected a number",
                )
                .hint("a text is only the file name of `empirical(\"file.csv\", column)`")
                .code(Code::TypeMismatch),
            ),
            ExprKind::Reduce(reduction) => {
                self.range(&reduction.range);
                let outer = self.indices.len();
                self.enter(&reduction.range.index);
                self.numeric(&reduction.body);
                self.leave(outer);
            }
            ExprKind::Graph(graph) => self.graph(graph, Names::numeric),
            _ => super::walk::parts_of_expr(expr, &mut |part, _| {
                if let super::walk::Part::Expr(e) = part {
                    self.numeric(e);
                }
            }),
        });
    }

    fn process(&mut self, process: &'m Process) {
        with_stack(|| match &process.kind {
            ProcessKind::Use(resource, time) => {
                self.resource(resource);
                self.numeric(time);
            }
            ProcessKind::Hold(resource, body) => {
                self.resource(resource);
                self.process(body);
            }
            ProcessKind::Replicate(replication) => {
                self.range(&replication.range);
                let outer = self.indices.len();
                self.enter(&replication.range.index);
                self.process(&replication.body);
                self.leave(outer);
            }
            ProcessKind::Graph(graph) => self.graph(graph, Names::process),
            ProcessKind::Call(name, arguments) => {
                self.reference(&name.text, name.span, arguments, Type::Process)
            }
            _ => super::walk::parts_of_process(process, &mut |part, _| match part {
                super::walk::Part::Expr(e) => self.numeric(e),
                super::walk::Part::Process(p) => self.process(p),
            }),
        });
    }
}

/// The names without arguments that an expression mentions.
fn names_in(expr: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if let ExprKind::Name(name) = &expr.kind {
            names.push(name.as_str());
        }
        super::walk::parts_of_expr(expr, &mut |part, _| {
            if let super::walk::Part::Expr(part) = part {
                pending.push(part);
            }
        });
    }
    names
}

pub(super) fn type_word(kind: Type) -> &'static str {
    match kind {
        Type::Numeric => "numeric",
        Type::Process => "process",
        Type::Resource => "resource",
    }
}
