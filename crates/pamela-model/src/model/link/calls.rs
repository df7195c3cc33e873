//! Calls with named arguments, and with fewer than there are.

use super::Linker;
use super::unit::Target;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Item, NAMED, Name, Process, ProcessKind, Type, Value,
};

impl Linker {
    /// Whether an equation has a default for every argument, so that its name alone is a call.
    pub(super) fn fills_all(&self, target: Target) -> bool {
        let equation = self.equation(target);
        !equation.formals.is_empty() && equation.defaults.len() == equation.formals.len()
    }

    /// What a call goes by: the name of an equation, and its arguments in order.
    pub(super) fn filler_of(
        &mut self,
        target: Target,
        given: Vec<Expr>,
        span: Span,
    ) -> (String, Vec<Expr>) {
        let equation = self.equation(target);
        let plain = !given.iter().any(is_named);
        // Wrong numbers of arguments are told with the types of all.
        if plain && (equation.defaults.is_empty() || given.len() >= equation.formals.len()) {
            return (self.reach(target), given);
        }
        let slots = match slots(equation, given, span) {
            Ok(slots) => slots,
            Err(error) => {
                self.diagnostics.push(*error);
                return (self.reach(target), Vec::new());
            }
        };
        let numbered = slots.iter().enumerate();
        let omitted = numbered.filter(|(_, slot)| slot.is_none());
        let omitted: Vec<usize> = omitted.map(|(position, _)| position).collect();
        let name = self.filler(target, &omitted);
        (name, slots.into_iter().flatten().collect())
    }

    /// The name of the equation that calls another one with the defaults of these arguments.
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
        let mut default = equation.defaults[*first - without_default].clone();
        let mut earlier: Vec<String> = (equation.formals[..*first].iter())
            .map(|formal| formal.text.clone())
            .collect();
        self.expr(target.instance, &mut default, &mut earlier);
        let kept = |position: &usize| !others.contains(position);
        let arguments = (0..equation.formals.len()).filter(kept);
        let arguments = arguments.map(|position| match position == *first {
            true => default.clone(),
            false => argument(&equation.formals[position]),
        });
        let arguments = arguments.collect();
        let formals = (0..equation.formals.len()).filter(|p| !omitted.contains(p));
        let formals = formals.map(|position| equation.formals[position].clone());
        let formals = formals.collect();
        let filling = filling(&equation, name.clone(), formals, callee, arguments);
        let last = Target {
            item: usize::MAX,
            ..target
        };
        self.made.push((last, Item::Equation(filling)));
        name
    }
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

/// What each formal is given, if anything: first those without names, in order.
fn slots(
    equation: &Equation,
    given: Vec<Expr>,
    span: Span,
) -> Result<Vec<Option<Expr>>, Box<Diagnostic>> {
    let callee = &equation.name.text;
    let formals = &equation.formals;
    let wrong = |message: String, span, label: &str| {
        let names: Vec<&str> = formals.iter().map(|f| f.text.as_str()).collect();
        let hint = format!("the arguments of `{callee}` are {}", names.join(", "));
        let error = Diagnostic::error(message, span, label);
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
                    let message = "an argument without a name, after one with a name";
                    return wrong(message.to_owned(), place, "which one is this?");
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
