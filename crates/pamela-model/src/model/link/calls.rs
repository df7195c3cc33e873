//! Calls with named arguments, or with omitted arguments.

use super::Linker;
use super::records::{FieldRequest, Local, Scope};
use super::unit::Target;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::names::plural;
use crate::model::walk::with_stack;
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Item, NAMED, Name, Process, ProcessKind, Type, Value,
};

impl Linker {
    /// True if an equation has a default for every argument, so that its name alone is a call.
    pub(super) fn fills_all(&self, target: Target) -> bool {
        let equation = self.equation(target);
        !equation.formals.is_empty() && equation.defaults.len() == equation.formals.len()
    }

    /// Resolves a call to the name of an equation and its arguments in order.
    pub(super) fn call(
        &mut self,
        instance: usize,
        target: Target,
        called: Called<'_>,
        locals: &mut Vec<Local>,
    ) -> (String, Vec<Expr>) {
        let Called { name, given, span } = called;
        let equation = self.equation(target);
        let (formals, defaults) = (equation.formals.len(), equation.defaults.len());
        let plain = !given.iter().any(is_named);
        let is_array = equation.kind == Type::Resource;
        let slots = if plain && (given.len() == formals || is_array) {
            Ok(given.into_iter().map(Some).collect())
        } else if plain && (given.len() > formals || given.len() + defaults < formals) {
            Err(Box::new(wrong_number(equation, name, given.len(), span)))
        } else {
            slots(equation, name, given, span)
        };
        let slots: Vec<Option<Expr>> = match slots {
            Ok(slots) => slots,
            Err(error) => {
                self.diagnostics.push(*error);
                return (self.reach(target), Vec::new());
            }
        };
        let numbered = slots.iter().enumerate();
        let omitted = numbered.filter(|(_, slot)| slot.is_none());
        let omitted: Vec<usize> = omitted.map(|(position, _)| position).collect();
        let own = self.filler(target, &omitted);
        let fields = self.fields_asked(target);
        let mut arguments = Vec::new();
        for (position, argument) in slots.into_iter().enumerate() {
            if let Some(argument) = argument {
                let wanted = fields.get(position).map_or(&[][..], Vec::as_slice);
                self.pass(instance, argument, wanted, locals, &mut arguments);
            }
        }
        (own, arguments)
    }

    /// Adds an argument, or of a record the fields that are asked for.
    fn pass(
        &mut self,
        instance: usize,
        mut argument: Expr,
        wanted: &[Name],
        locals: &mut Vec<Local>,
        arguments: &mut Vec<Expr>,
    ) {
        if wanted.is_empty() {
            with_stack(|| self.expr(instance, &mut argument, locals));
            return arguments.push(argument);
        }
        for field in wanted {
            let asked = FieldRequest {
                field: &field.text,
                place: argument.span,
            };
            match self.field(Scope { instance, locals }, &argument, asked, None) {
                Ok(value) => arguments.push(value),
                Err(error) => {
                    let label = format!("`{}` is used here", field.text);
                    self.diagnostics.push(error.also(field.span, label));
                }
            }
        }
    }

    /// The name of the equation that calls another one with the defaults of the given arguments.
    ///
    /// It fills in the first of them, which sees the arguments before it, and leaves the others to the next one.
    fn filler(&mut self, target: Target, omitted: &[usize]) -> String {
        let [first, others @ ..] = omitted else {
            return self.reach(target);
        };
        let key = (target, omitted.to_vec());
        if let Some(known) = self.fillers.get(&key) {
            return known.clone();
        }
        let callee = self.filler(target, others);
        let equation = self.equation(target).clone();
        let formal = &equation.formals[*first];
        let name = self.unused(format!("{callee}_default_{}", formal.text));
        self.fillers.insert(key, name.clone());
        let without_default = equation.formals.len() - equation.defaults.len();
        let default = equation.defaults[*first - without_default].clone();
        let fields = self.fields_asked(target);
        let mut earlier = self.locals_of(target);
        earlier.truncate(*first);
        let flat = self.flat_formals(&equation, &fields);
        let mut arguments = Vec::new();
        for (position, formals) in flat.iter().enumerate() {
            if position == *first {
                let wanted = &fields[position];
                let default = default.clone();
                self.pass(
                    target.instance,
                    default,
                    wanted,
                    &mut earlier,
                    &mut arguments,
                );
            } else if others.contains(&position) {
            } else {
                arguments.extend(formals.iter().map(argument))
            }
        }
        let numbered = flat.into_iter().enumerate();
        let formals = numbered.filter(|(position, _)| !omitted.contains(position));
        let formals = formals.flat_map(|(_, formals)| formals).collect();
        let filling = filling(&equation, name.clone(), formals, callee, arguments);
        let last = Target::new(target.instance, usize::MAX);
        self.made.push((last, Item::Equation(filling)));
        name
    }
}

/// A call as written.
pub(super) struct Called<'c> {
    pub(super) name: &'c str,
    pub(super) given: Vec<Expr>,
    pub(super) span: Span,
}

/// The error for a call with too few or too many arguments.
fn wrong_number(equation: &Equation, name: &str, found: usize, span: Span) -> Diagnostic {
    let most = equation.formals.len();
    let expected = match equation.defaults.len() {
        0 => plural(most),
        1 => format!("{} or {}", most - 1, plural(most)),
        defaults => format!("{} to {}", most - defaults, plural(most)),
    };
    let message = format!("`{name}` takes {expected}, found {found}");
    let error =
        Diagnostic::error(message, span, format!("expected {expected}")).code(Code::ArgumentCount);
    error.also(equation.name.span, "defined here")
}

/// `name(formals) = callee(arguments)`
fn filling(
    equation: &Equation,
    name: String,
    formals: Vec<Name>,
    callee: String,
    arguments: Vec<Expr>,
) -> Equation {
    let span = equation.name.span;
    let callee = Name { text: callee, span };
    let value = match equation.kind {
        Type::Process => Value::Process(Process {
            label: None,
            kind: ProcessKind::Call(callee, arguments),
            span,
        }),
        kind => {
            let call = Expr {
                kind: ExprKind::Call(callee, arguments),
                span,
            };
            match kind {
                Type::Resource => Value::Resource(call),
                _ => Value::Numeric(call),
            }
        }
    };
    Equation {
        name: Name { text: name, span },
        formals,
        defaults: Vec::new(),
        formal_units: Box::default(),
        kept: false,
        facts: Vec::new(),
        value: Some(value),
        comment: None,
        auxiliary: true,
        ..equation.clone()
    }
}

fn argument(formal: &Name) -> Expr {
    Expr {
        kind: ExprKind::Name(formal.text.clone()),
        span: formal.span,
    }
}

fn is_named(argument: &Expr) -> bool {
    matches!(&argument.kind, ExprKind::Call(sign, _) if sign.text == NAMED)
}

/// Assigns arguments to formals: first those without names, in order.
fn slots(
    equation: &Equation,
    callee: &str,
    given: Vec<Expr>,
    span: Span,
) -> Result<Vec<Option<Expr>>, Box<Diagnostic>> {
    let formals = &equation.formals;
    let wrong = |message: String, span, label: &str| {
        let names: Vec<&str> = formals.iter().map(|f| f.text.as_str()).collect();
        let hint = format!("the arguments of `{callee}` are {}", names.join(", "));
        let error = Diagnostic::error(message, span, label).code(Code::ArgumentCount);
        Err(Box::new(
            error.also(equation.name.span, "defined here").hint(hint),
        ))
    };
    let mut slots: Vec<Option<Expr>> = vec![None; formals.len()];
    let mut named = false;
    for (number, argument) in given.into_iter().enumerate() {
        let place = argument.span;
        let (position, value) = match argument.kind {
            ExprKind::Call(sign, mut parts) if sign.text == NAMED && parts.len() == 2 => {
                named = true;
                let value = parts.remove(1);
                let ExprKind::Name(name) = &parts[0].kind else {
                    continue;
                };
                let position = formals.iter().position(|formal| formal.text == *name);
                let Some(position) = position else {
                    return wrong(
                        format!("`{callee}` has no argument `{name}`"),
                        place,
                        "given here",
                    );
                };
                (position, value)
            }
            kind => {
                if named {
                    let message = "an argument without a name follows one with a name";
                    return wrong(message.to_owned(), place, "name this argument");
                }
                if number >= formals.len() {
                    return wrong(
                        format!("too many arguments for `{callee}`"),
                        place,
                        "one too many",
                    );
                }
                (number, Expr { kind, span: place })
            }
        };
        if slots[position].is_some() {
            let message = format!("`{}` is given twice", formals[position].text);
            return wrong(message, place, "given again here");
        }
        slots[position] = Some(value);
    }
    let without_default = formals.len() - equation.defaults.len();
    let missing = slots[..without_default].iter().position(Option::is_none);
    match missing {
        Some(position) => {
            let name = &formals[position].text;
            wrong(
                format!("`{callee}` is called without `{name}`"),
                span,
                "called here",
            )
        }
        None => Ok(slots),
    }
}
