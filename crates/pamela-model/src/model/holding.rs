//! Resources that are requested while others are held: their order, and possible deadlocks.

mod circles;
mod linear;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use self::circles::{HoldGraph, Node};
use self::linear::Linear;
use super::walk::{Part, parts_of_process, with_stack};
use super::{MAX_DIAGNOSTICS, Model};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    AddOp, Equation, Expr, ExprKind, MulOp, Name, Process, ProcessKind, Type, Value as Definition,
};

/// Maximum number of calls with different arguments that are examined. Beyond it, every array counts as requested
/// while any other is held.
const MOST_CALLS: usize = 20_000;

/// For each array, the arrays that may be requested, directly or not, while one of its elements is
/// held.
#[derive(Clone, Debug, Default)]
pub struct Holding {
    inside: BTreeMap<String, BTreeSet<String>>,
    /// Warnings about circles.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Holding {
    /// The arrays that may be requested, directly or not, while an element of `array` is held.
    pub fn inside(&self, array: &str) -> impl Iterator<Item = &str> {
        let inside = self.inside.get(array);
        inside.into_iter().flatten().map(String::as_str)
    }

    /// True if an element of `array` may be requested, directly or not, while one is held.
    pub fn is_in_circle(&self, array: &str) -> bool {
        self.inside
            .get(array)
            .is_some_and(|all| all.contains(array))
    }
}

/// Analyses what the model holds and requests.
///
/// # Errors
/// Fails for a process that can never continue.
pub(super) fn of_model(model: &Model) -> Result<Holding, Vec<Diagnostic>> {
    let bodies = model.equations().iter().filter_map(|e| match &e.value {
        Some(Definition::Process(process)) => Some(process),
        _ => None,
    });
    if !bodies.clone().any(holds) {
        return Ok(Holding::default());
    }
    let mut search = Search {
        model,
        known: HashMap::new(),
        taken: HoldGraph::default(),
        errors: Vec::new(),
        depth: 0,
    };
    for (position, equation) in model.equations().iter().enumerate() {
        if equation.kind == Type::Process && equation.formals.is_empty() {
            search.called(position, &[]);
        }
    }
    search.errors.truncate(MAX_DIAGNOSTICS);
    if !search.errors.is_empty() {
        return Err(search.errors);
    }
    Ok(search.finish())
}

fn holds(process: &Process) -> bool {
    let mut found = matches!(process.kind, ProcessKind::Hold(..));
    parts_of_process(process, &mut |part, _| {
        if let (Part::Process(part), false) = (part, found) {
            found = with_stack(|| holds(part));
        }
    });
    found
}

/// An element of an array, asked for at a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Request {
    array: String,
    index: Option<Linear>,
    /// True if the array has one server.
    single: bool,
    place: (u32, u32, u32),
}

/// Meaning of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ArgumentValue {
    Number(Option<Linear>),
    Resource(Option<Request>),
    Process(usize, Vec<ArgumentValue>),
}

type Scope<'m> = Vec<(&'m str, ArgumentValue)>;

struct Search<'m> {
    model: &'m Model,
    /// Requests of calls, cached.
    known: HashMap<(usize, Vec<ArgumentValue>), BTreeSet<Request>>,
    taken: HoldGraph,
    errors: Vec<Diagnostic>,
    depth: usize,
}

impl<'m> Search<'m> {
    fn called(&mut self, position: usize, arguments: &[ArgumentValue]) -> BTreeSet<Request> {
        let key = (position, arguments.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let model = self.model;
        let equation = &model.equations()[position];
        let Some(Definition::Process(body)) = &equation.value else {
            return BTreeSet::new();
        };
        if self.known.len() >= MOST_CALLS {
            return BTreeSet::new();
        }
        self.depth += 1;
        let mut scope = bound(equation, arguments);
        let mut asked = BTreeSet::new();
        self.process(body, &mut scope, &mut asked);
        self.depth -= 1;
        self.known.insert(key, asked.clone());
        asked
    }

    fn process(
        &mut self,
        process: &'m Process,
        scope: &mut Scope<'m>,
        asked: &mut BTreeSet<Request>,
    ) {
        with_stack(|| match &process.kind {
            ProcessKind::Use(resource, _) => asked.extend(self.resource(resource, scope)),
            ProcessKind::Hold(resource, body) => {
                let mut inside = BTreeSet::new();
                self.process(body, scope, &mut inside);
                if let Some(held) = self.resource(resource, scope) {
                    self.held(&held, &inside);
                    asked.insert(held);
                }
                asked.extend(inside);
            }
            ProcessKind::Call(name, arguments) => {
                if let ArgumentValue::Process(position, arguments) =
                    self.named(name, arguments, scope)
                {
                    asked.extend(self.called(position, &arguments));
                }
            }
            _ => parts_of_process(process, &mut |part, indices| {
                let Part::Process(part) = part else { return };
                let symbol = |name: &str| format!("{name}@{}#{}", part.span.start, self.depth);
                let bound = indices.iter().map(|&name| (name, symbol(name)));
                let outer = scope.len();
                scope.extend(
                    bound.map(|(n, s)| (n, ArgumentValue::Number(Some(Linear::symbol(s))))),
                );
                self.process(part, scope, asked);
                scope.truncate(outer);
            }),
        });
    }

    /// Records the requests made while a resource is held.
    fn held(&mut self, held: &Request, inside: &BTreeSet<Request>) {
        for request in inside {
            let span = span(request.place);
            let apart = match (&held.index, &request.index) {
                _ if held.array != request.array => None,
                (Some(outer), Some(inner)) => inner.plus(outer, -1).and_then(|d| d.as_number()),
                _ => None,
            };
            let symbolic = [held, request]
                .iter()
                .any(|r| r.index.as_ref().and_then(Linear::as_number).is_none());
            match apart {
                Some(0) if held.single => self.errors.push(taken_twice(held, span)),
                Some(1..) if symbolic => {
                    self.taken.upwards.insert(held.array.clone());
                }
                _ => {
                    self.taken.insert(node(held), node(request), span);
                }
            }
        }
    }

    /// Meaning of a name with arguments.
    fn named(&self, name: &'m Name, arguments: &'m [Expr], scope: &Scope<'m>) -> ArgumentValue {
        self.meaning(&name.text, name.span, arguments, scope)
    }

    fn meaning(
        &self,
        name: &'m str,
        place: Span,
        arguments: &'m [Expr],
        scope: &Scope<'m>,
    ) -> ArgumentValue {
        if let Some((_, known)) = scope.iter().rev().find(|(local, _)| *local == name) {
            return match known {
                // It is asked for where it is named.
                ArgumentValue::Resource(Some(request)) => ArgumentValue::Resource(Some(Request {
                    place: (place.file, place.start, place.end),
                    ..request.clone()
                })),
                known => known.clone(),
            };
        }
        let given = || arguments.iter().map(|a| self.argument(a, scope)).collect();
        if self.model.is_resource_array(name) {
            let index = match arguments.first() {
                Some(index) => self.linear(index, scope),
                None => Some(Linear::default()),
            };
            return ArgumentValue::Resource(Some(Request {
                array: name.to_string(),
                index,
                single: self.is_single(name, arguments),
                place: (place.file, place.start, place.end),
            }));
        }
        let Some(position) = self.model.position(name) else {
            return ArgumentValue::Number(None);
        };
        let equation = &self.model.equations()[position];
        match (&equation.value, equation.kind) {
            (_, Type::Process) => ArgumentValue::Process(position, given()),
            (Some(Definition::Resource(value)), _) => {
                let arguments: Vec<ArgumentValue> = given();
                let inner = bound(equation, &arguments);
                let request = with_stack(|| self.resource(value, &inner));
                ArgumentValue::Resource(request.map(|request| Request {
                    place: (place.file, place.start, place.end),
                    ..request
                }))
            }
            (_, Type::Resource) => ArgumentValue::Resource(None),
            _ if arguments.is_empty() => {
                ArgumentValue::Number(Some(Linear::symbol(name.to_string())))
            }
            _ => ArgumentValue::Number(None),
        }
    }

    fn argument(&self, expr: &'m Expr, scope: &Scope<'m>) -> ArgumentValue {
        match &expr.kind {
            ExprKind::Name(name) => self.meaning(name, expr.span, &[], scope),
            ExprKind::Call(name, arguments) => self.named(name, arguments, scope),
            _ => ArgumentValue::Number(self.linear(expr, scope)),
        }
    }

    fn resource(&self, expr: &'m Expr, scope: &Scope<'m>) -> Option<Request> {
        match self.argument(expr, scope) {
            ArgumentValue::Resource(request) => request,
            _ => None,
        }
    }

    /// True if an element of an array has one server whatever the parameters are.
    fn is_single(&self, array: &str, arguments: &[Expr]) -> bool {
        let is_one = |servers: &Expr| match &servers.kind {
            ExprKind::Number(value) => value.to_i64() == Some(1),
            _ => false,
        };
        let declared = self.model.lookup(array).and_then(|e| self.model.servers(e));
        arguments.get(1).or(declared).is_none_or(is_one)
    }

    fn linear(&self, expr: &'m Expr, scope: &Scope<'m>) -> Option<Linear> {
        with_stack(|| match &expr.kind {
            ExprKind::Number(value) => Some(Linear::number(value.to_i64()?)),
            ExprKind::Name(name) => match self.meaning(name, expr.span, &[], scope) {
                ArgumentValue::Number(known) => known,
                _ => None,
            },
            ExprKind::Negate(e) => Linear::default().plus(&self.linear(e, scope)?, -1),
            ExprKind::Sum(first, rest) => {
                let mut sum = self.linear(first, scope)?;
                for (operator, e) in rest {
                    let times = if *operator == AddOp::Add { 1 } else { -1 };
                    sum = sum.plus(&self.linear(e, scope)?, times)?;
                }
                Some(sum)
            }
            ExprKind::Product(first, rest) => {
                let mut product = self.linear(first, scope)?;
                for (operator, e) in rest {
                    let factor = self.linear(e, scope)?;
                    let (times, of) = match (product.as_number(), factor.as_number()) {
                        _ if *operator != MulOp::Multiply => return None,
                        (_, Some(times)) => (times, &product),
                        (Some(times), _) => (times, &factor),
                        _ => return None,
                    };
                    product = Linear::default().plus(of, times)?;
                }
                Some(product)
            }
            _ => None,
        })
    }

    fn finish(self) -> Holding {
        let mut inside = self.taken.inside();
        if self.known.len() >= MOST_CALLS {
            let resources = self.model.equations().iter();
            let resources = resources.filter(|e| self.model.is_resource_array(&e.name.text));
            let mut all: BTreeSet<String> = resources.map(|e| e.name.text.clone()).collect();
            all.insert(super::FCFS.to_string());
            inside = all.iter().map(|a| (a.clone(), all.clone())).collect();
        }
        Holding {
            inside,
            warnings: self.taken.circles(),
        }
    }
}

fn bound<'m>(equation: &'m Equation, arguments: &[ArgumentValue]) -> Scope<'m> {
    let names = equation.formals.iter().map(|f| f.text.as_str());
    names.zip(arguments.iter().cloned()).collect()
}

fn node(request: &Request) -> Node {
    let index = request.index.as_ref().and_then(Linear::as_number);
    (request.array.clone(), index)
}

fn span((file, start, end): (u32, u32, u32)) -> Span {
    Span { file, start, end }
}

fn taken_twice(held: &Request, inner: Span) -> Diagnostic {
    let message = format!("`{}` is requested while it is held", held.array);
    Diagnostic::error(message, inner, "waits forever: it has one server")
        .also(span(held.place), "held from here")
        .hint("move this out of the braces of the first `use`, or give the resource more servers")
}
