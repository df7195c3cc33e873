//! Resources that are asked for while others are held: in which order, and whether processes may wait for each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::walk::{Part, parts_of_process, with_stack};
use super::warnings::warning;
use super::{MAX_DIAGNOSTICS, Model};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    AddOp, Equation, Expr, ExprKind, MulOp, Name, Process, ProcessKind, Type, Value as Definition,
};

/// Calls with different arguments that are looked at. Of more, every array counts as asked for while any other is held.
const MOST_CALLS: usize = 20_000;

/// Of each array, those that processes ask for while they hold one of its elements, directly or through others.
#[derive(Clone, Debug, Default)]
pub struct Holding {
    inside: BTreeMap<String, BTreeSet<String>>,
    /// What is held in a circle.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Holding {
    /// The arrays that may be asked for while an element of `array` is held, or while one of these is, and so on.
    pub fn inside(&self, array: &str) -> impl Iterator<Item = &str> {
        let inside = self.inside.get(array);
        inside.into_iter().flatten().map(String::as_str)
    }

    /// Whether an element of `array` may be asked for while one of it is held, also through others.
    pub fn is_in_circle(&self, array: &str) -> bool {
        self.inside
            .get(array)
            .is_some_and(|all| all.contains(array))
    }
}

/// What is held and asked for in the model, or what can never go on.
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
        edges: BTreeMap::new(),
        ordered: BTreeSet::new(),
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

/// A whole number of each symbol, and a number: an index as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Linear {
    terms: BTreeMap<String, i64>,
    constant: i64,
}

impl Linear {
    fn symbol(name: String) -> Linear {
        Linear {
            terms: BTreeMap::from([(name, 1)]),
            constant: 0,
        }
    }

    fn plus(&self, other: &Linear, times: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(times)?)?;
        for (name, count) in &other.terms {
            let known = sum.terms.entry(name.clone()).or_default();
            *known = known.checked_add(count.checked_mul(times)?)?;
        }
        sum.terms.retain(|_, count| *count != 0);
        Some(sum)
    }

    fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// An element of an array, asked for at a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Request {
    array: String,
    index: Option<Linear>,
    /// Whether the array has one server.
    single: bool,
    place: (u32, u32, u32),
}

/// What an argument stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Known {
    Number(Option<Linear>),
    Resource(Option<Request>),
    Process(usize, Vec<Known>),
}

type Scope<'m> = Vec<(&'m str, Known)>;

/// An array, and an element of it where its index is a number.
type Node = (String, Option<i64>);

struct Search<'m> {
    model: &'m Model,
    /// What the calls ask for.
    known: HashMap<(usize, Vec<Known>), BTreeSet<Request>>,
    /// Where the second is asked for while the first is held.
    edges: BTreeMap<Node, BTreeMap<Node, Span>>,
    /// Arrays of which a later element is asked for while an earlier one is held.
    ordered: BTreeSet<String>,
    errors: Vec<Diagnostic>,
    depth: usize,
}

impl<'m> Search<'m> {
    fn called(&mut self, position: usize, arguments: &[Known]) -> BTreeSet<Request> {
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
                if let Known::Process(position, arguments) = self.named(name, arguments, scope) {
                    asked.extend(self.called(position, &arguments));
                }
            }
            _ => parts_of_process(process, &mut |part, index| {
                let Part::Process(part) = part else { return };
                let symbol = |name: &str| format!("{name}@{}#{}", part.span.start, self.depth);
                let bound = index.map(|name| (name, symbol(name)));
                let is_bound = bound.is_some();
                scope.extend(bound.map(|(n, s)| (n, Known::Number(Some(Linear::symbol(s))))));
                self.process(part, scope, asked);
                if is_bound {
                    scope.pop();
                }
            }),
        });
    }

    /// Takes note of what is asked for while a resource is held.
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
                    self.ordered.insert(held.array.clone());
                }
                _ => {
                    let edges = self.edges.entry(node(held)).or_default();
                    edges.entry(node(request)).or_insert(span);
                }
            }
        }
    }

    /// What a name with arguments stands for.
    fn named(&self, name: &'m Name, arguments: &'m [Expr], scope: &Scope<'m>) -> Known {
        self.meaning(&name.text, name.span, arguments, scope)
    }

    fn meaning(
        &self,
        name: &'m str,
        place: Span,
        arguments: &'m [Expr],
        scope: &Scope<'m>,
    ) -> Known {
        if let Some((_, known)) = scope.iter().rev().find(|(local, _)| *local == name) {
            return match known {
                // It is asked for where it is named.
                Known::Resource(Some(request)) => Known::Resource(Some(Request {
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
            return Known::Resource(Some(Request {
                array: name.to_string(),
                index,
                single: self.is_single(name, arguments),
                place: (place.file, place.start, place.end),
            }));
        }
        let Some(position) = self.model.position(name) else {
            return Known::Number(None);
        };
        let equation = &self.model.equations()[position];
        match (&equation.value, equation.kind) {
            (_, Type::Process) => Known::Process(position, given()),
            (Some(Definition::Resource(value)), _) => {
                let arguments: Vec<Known> = given();
                let inner = bound(equation, &arguments);
                let request = with_stack(|| self.resource(value, &inner));
                Known::Resource(request.map(|request| Request {
                    place: (place.file, place.start, place.end),
                    ..request
                }))
            }
            (_, Type::Resource) => Known::Resource(None),
            _ if arguments.is_empty() => Known::Number(Some(Linear::symbol(name.to_string()))),
            _ => Known::Number(None),
        }
    }

    fn argument(&self, expr: &'m Expr, scope: &Scope<'m>) -> Known {
        match &expr.kind {
            ExprKind::Name(name) => self.meaning(name, expr.span, &[], scope),
            ExprKind::Call(name, arguments) => self.named(name, arguments, scope),
            _ => Known::Number(self.linear(expr, scope)),
        }
    }

    fn resource(&self, expr: &'m Expr, scope: &Scope<'m>) -> Option<Request> {
        match self.argument(expr, scope) {
            Known::Resource(request) => request,
            _ => None,
        }
    }

    /// Whether an element of an array has one server whatever the parameters are.
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
            ExprKind::Number(value) => Some(Linear {
                constant: value.to_i64()?,
                ..Linear::default()
            }),
            ExprKind::Name(name) => match self.meaning(name, expr.span, &[], scope) {
                Known::Number(known) => known,
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

    fn finish(mut self) -> Holding {
        let mut inside: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (held, asked) in &self.edges {
            let arrays = asked.keys().map(|(array, _)| array.clone());
            inside.entry(held.0.clone()).or_default().extend(arrays);
        }
        for array in &self.ordered {
            inside
                .entry(array.clone())
                .or_default()
                .insert(array.clone());
        }
        if self.known.len() >= MOST_CALLS {
            let resources = self.model.equations().iter();
            let resources = resources.filter(|e| self.model.is_resource_array(&e.name.text));
            let mut all: BTreeSet<String> = resources.map(|e| e.name.text.clone()).collect();
            all.insert(super::FCFS.to_string());
            inside = all.iter().map(|a| (a.clone(), all.clone())).collect();
        }
        self.break_orders();
        Holding {
            inside: closed(inside),
            warnings: self.circles(),
        }
    }

    /// An array whose elements are taken upwards in one place and otherwise in another has no order.
    fn break_orders(&mut self) {
        for array in &self.ordered {
            let own = self.edges.iter().filter(|(held, _)| held.0 == *array);
            let other = own
                .flat_map(|((_, from), asked)| asked.iter().map(move |(to, span)| (from, to, span)))
                .find(|(from, (asked, to), _)| asked == array && to <= *from);
            let Some(span) = other.map(|(_, _, span)| *span) else {
                continue;
            };
            let any = (array.clone(), None);
            let edges = self.edges.entry(any.clone()).or_default();
            edges.entry(any).or_insert(span);
        }
    }

    /// A warning for each shortest circle through a resource, of those that share none.
    fn circles(&self) -> Vec<Diagnostic> {
        let mut warned: BTreeSet<Node> = BTreeSet::new();
        let mut warnings = Vec::new();
        for start in self.edges.keys() {
            let Some(circle) = self.circle(start) else {
                continue;
            };
            if circle.iter().any(|(node, _)| warned.contains(node)) {
                continue;
            }
            warned.extend(circle.iter().map(|(node, _)| node.clone()));
            let mut names: Vec<String> = vec![shown(start)];
            names.extend(circle.iter().map(|(node, _)| shown(node)));
            let message = format!("resources are held in a circle: {}", names.join(", "));
            let mut labels = circle.iter().zip(&names).map(|((node, span), held)| {
                let label = format!("{} is asked for while {held} is held", shown(node));
                (*span, label)
            });
            let Some((span, label)) = labels.next() else {
                continue;
            };
            let first = warning(message, span, label);
            let all = labels.fold(first, |all, (span, label)| all.also(span, label));
            warnings.push(all.hint(
                "processes may wait for each other without end: take resources in one order, elements of an array by \
                 rising indices",
            ));
        }
        warnings
    }

    /// The shortest way from a node back to it, each step with where it is taken.
    fn circle(&self, start: &Node) -> Option<Vec<(Node, Span)>> {
        let mut from: BTreeMap<Node, (Node, Span)> = BTreeMap::new();
        let mut front = vec![start.clone()];
        while !front.is_empty() {
            let mut next = Vec::new();
            for node in front {
                let own = self
                    .edges
                    .iter()
                    .filter(|(held, _)| may_be_one(held, &node));
                for (to, span) in own.flat_map(|(_, asked)| asked) {
                    if may_be_one(to, start) {
                        let mut way = vec![(to.clone(), *span)];
                        let mut at = &node;
                        while let Some((before, span)) = from.get(at) {
                            way.push((at.clone(), *span));
                            at = before;
                        }
                        way.reverse();
                        return Some(way);
                    }
                    if !from.contains_key(to) {
                        from.insert(to.clone(), (node.clone(), *span));
                        next.push(to.clone());
                    }
                }
            }
            front = next;
        }
        None
    }
}

fn bound<'m>(equation: &'m Equation, arguments: &[Known]) -> Scope<'m> {
    let names = equation.formals.iter().map(|f| f.text.as_str());
    names.zip(arguments.iter().cloned()).collect()
}

fn node(request: &Request) -> Node {
    let index = request.index.as_ref().and_then(Linear::as_number);
    (request.array.clone(), index)
}

fn may_be_one(a: &Node, b: &Node) -> bool {
    a.0 == b.0 && (a.1 == b.1 || a.1.is_none() || b.1.is_none())
}

fn shown((array, index): &Node) -> String {
    match index {
        Some(0) => format!("`{array}`"),
        Some(index) => format!("`{array}({index})`"),
        None => format!("an element of `{array}`"),
    }
}

fn span((file, start, end): (u32, u32, u32)) -> Span {
    Span { file, start, end }
}

fn taken_twice(held: &Request, inner: Span) -> Diagnostic {
    let message = format!("`{}` is asked for while it is held", held.array);
    Diagnostic::error(message, inner, "waits without end: it has one server")
        .also(span(held.place), "held from here")
        .hint("move this out of the braces of the first `use`, or give the resource more servers")
}

/// With what is inside of what is inside, and so on.
fn closed(mut inside: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let mut grown = false;
        for array in inside.keys().cloned().collect::<Vec<String>>() {
            let known = inside.get(&array).cloned().unwrap_or_default();
            let further = known.iter().filter_map(|inner| inside.get(inner)).flatten();
            let all: BTreeSet<String> = known.iter().chain(further).cloned().collect();
            grown |= all.len() > known.len();
            inside.insert(array, all);
        }
        if !grown {
            return inside;
        }
    }
}
