//! Fields that an equation uses of its arguments, directly or through calls.

use std::sync::Arc;

use super::Linker;
use super::forms::named;
use super::records::Local;
use super::unit::Target;
use crate::diagnostic::Span;
use crate::model::walk::{self, Part, with_stack};
use crate::syntax::tree::{Equation, Expr, ExprKind, Name, ProcessKind, Type, Value};

/// For each argument of an equation, the fields that are used, with the location of the first use.
pub(super) type Fields = Arc<Vec<Vec<Name>>>;

impl Linker {
    pub(super) fn fields_asked(&mut self, target: Target) -> Fields {
        if let Some(known) = self.fields.get(&target) {
            return known.clone();
        }
        let units = self.units.clone();
        let unit = &units[self.instances[target.instance].unit];
        let equation = unit.equation(target.item);
        let mut asked = FieldUses {
            instance: target.instance,
            equation,
            found: vec![Vec::new(); equation.formals.len()],
            bound: Vec::new(),
        };
        // A definition that refers to itself is reported elsewhere.
        self.fields.insert(target, Arc::new(asked.found.clone()));
        if !equation.formals.is_empty() {
            for default in &equation.defaults {
                self.ask(&mut asked, Part::Expr(default));
            }
            match &equation.value {
                Some(Value::Numeric(value) | Value::Resource(value)) => {
                    self.ask(&mut asked, Part::Expr(value));
                }
                Some(Value::Process(process)) => self.ask(&mut asked, Part::Process(process)),
                None => {}
            }
        }
        let fields = Arc::new(asked.found);
        self.fields.insert(target, fields.clone());
        fields
    }

    fn ask<'e>(&mut self, asked: &mut FieldUses<'e>, part: Part<'e>) {
        match &part {
            Part::Expr(e) => match &e.kind {
                ExprKind::Name(path) => asked.path(path, e.span),
                ExprKind::Call(name, arguments) => self.ask_call(asked, &name.text, arguments),
                _ => {}
            },
            Part::Process(p) => {
                if let ProcessKind::Call(name, arguments) = &p.kind {
                    self.ask_call(asked, &name.text, arguments);
                }
            }
        }
        let mut inner = |part: Part<'e>, indices: &[&'e str]| {
            let outer = asked.bound.len();
            asked.bound.extend(indices);
            with_stack(|| self.ask(asked, part));
            asked.bound.truncate(outer);
        };
        match part {
            Part::Expr(e) => walk::parts_of_expr(e, &mut inner),
            Part::Process(p) => walk::parts_of_process(p, &mut inner),
        }
    }

    /// A call that passes arguments on.
    fn ask_call(&mut self, asked: &mut FieldUses<'_>, callee: &str, arguments: &[Expr]) {
        let passes = |argument: &Expr| !asked.formals_in(value_of(argument)).is_empty();
        if !arguments.iter().any(passes) || asked.is_bound(callee) {
            return;
        }
        let Some(target) = self.callee(asked.instance, callee) else {
            return;
        };
        let fields = with_stack(|| self.fields_asked(target));
        let formals = &self.equation(target).formals;
        for (number, argument) in arguments.iter().enumerate() {
            let position = match named(argument) {
                Some((name, _)) => formals.iter().position(|formal| formal.text == name),
                None => Some(number),
            };
            let Some(wanted) = position.and_then(|position| fields.get(position)) else {
                continue;
            };
            for formal in asked.formals_in(value_of(argument)) {
                wanted.iter().for_each(|field| asked.add(formal, field));
            }
        }
    }

    /// The equation that is called, without a word about what is wrong.
    fn callee(&self, instance: usize, name: &str) -> Option<Target> {
        if name.contains('.') {
            return self.find_path(instance, name, Span::default()).ok();
        }
        let unit = &self.units[self.instances[instance].unit];
        let own = unit.position(name).map(|item| Target::new(instance, item));
        own.or_else(|| self.single(instance, name))
    }

    /// The arguments of an equation, where a record becomes one argument for each field.
    pub(super) fn flat_formals(&mut self, equation: &Equation, fields: &Fields) -> Vec<Vec<Name>> {
        let pairs = equation.formals.iter().zip(fields.iter());
        pairs
            .map(|(formal, wanted)| {
                if wanted.is_empty() {
                    vec![formal.clone()]
                } else {
                    let own = wanted.iter().map(|field| Name {
                        text: self.formal_field(&formal.text, &field.text),
                        span: formal.span,
                    });
                    own.collect()
                }
            })
            .collect()
    }

    /// The arguments of an equation as its value sees them.
    pub(super) fn locals_of(&mut self, target: Target) -> Vec<Local> {
        let fields = self.fields_asked(target);
        let formals = self.equation(target).formals.iter().zip(fields.iter());
        let local = |(formal, wanted): (&Name, &Vec<Name>)| {
            if wanted.is_empty() {
                Local::Plain(formal.text.clone())
            } else {
                Local::Record(formal.text.clone())
            }
        };
        formals.map(local).collect()
    }
}

/// The fields that one equation asks for.
struct FieldUses<'e> {
    instance: usize,
    equation: &'e Equation,
    found: Vec<Vec<Name>>,
    /// Indices bound around the current location.
    bound: Vec<&'e str>,
}

impl FieldUses<'_> {
    fn is_bound(&self, name: &str) -> bool {
        let formals = &self.equation.formals;
        self.bound.contains(&name) || formals.iter().any(|f| f.text == name)
    }

    fn formal(&self, name: &str) -> Option<usize> {
        if self.bound.contains(&name) || self.equation.kind == Type::Resource {
            return None;
        }
        let formals = &self.equation.formals;
        formals.iter().position(|formal| formal.text == name)
    }

    fn path(&mut self, path: &str, span: Span) {
        if let Some((record, field)) = path.split_once('.')
            && let Some(formal) = self.formal(record)
        {
            let name = Name {
                text: field.to_owned(),
                span,
            };
            self.add(formal, &name);
        }
    }

    fn add(&mut self, formal: usize, field: &Name) {
        let known = &mut self.found[formal];
        if !known.iter().any(|own| own.text == field.text) {
            known.push(field.clone());
        }
    }

    /// The arguments of the equation that an expression may stand for.
    fn formals_in(&self, value: &Expr) -> Vec<usize> {
        with_stack(|| match &value.kind {
            ExprKind::Name(name) => self.formal(name).into_iter().collect(),
            ExprKind::If(_, then, otherwise) => {
                let mut found = self.formals_in(then);
                found.extend(self.formals_in(otherwise));
                found
            }
            ExprKind::Switch(cases) => {
                let found = cases.iter().flat_map(|(_, e)| self.formals_in(e));
                found.collect()
            }
            _ => Vec::new(),
        })
    }
}

fn value_of(argument: &Expr) -> &Expr {
    named(argument).map_or(argument, |(_, value)| value)
}
