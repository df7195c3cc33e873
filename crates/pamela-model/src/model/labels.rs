//! Times by label: multiplies the durations of each label by a factor of its own.
//!
//! Every time is homogeneous of degree 1 in its durations. By Euler's theorem it is the sum of its
//! derivatives by these factors, at factors of 1.

use std::collections::{HashMap, VecDeque};

use super::Model;
use super::walk::{PartMut, parts_of_process_mut, with_stack};
use crate::diagnostic::{Result, Span};
use crate::ring::Rational;
use crate::syntax::NoFiles;
use crate::syntax::tree::{
    Equation, Expr, ExprKind, MulOp, Name, ParameterFact, Process, ProcessKind, Relation, Type,
    Value as Definition,
};

/// Label of everything without a label.
pub const REST: &str = "rest";

/// A model in which each label has a factor: its factors and processes.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// Each label with the parameter that multiplies its times, in the order of the text; the rest
    /// is last.
    pub factors: Vec<(String, String)>,
    /// Each process that is a result, with its copy that has the factors.
    pub processes: Vec<(String, String)>,
}

impl Labels {
    /// True if this is one of the factors.
    pub fn is_factor(&self, name: &str) -> bool {
        self.factors.iter().any(|(_, factor)| factor == name)
    }

    /// The process of which this is the copy with factors.
    pub fn original(&self, process: &str) -> Option<&str> {
        let mut processes = self.processes.iter();
        let found = processes.find(|(_, copy)| copy == process)?;
        Some(&found.0)
    }
}

impl Model {
    /// The factors of labels; empty unless the model has them.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The model with a factor for each label, and processes that use them; `None` if nothing has a
    /// label.
    ///
    /// # Errors
    /// Fails if that model does not check.
    pub fn with_labels(&self) -> Result<Option<Model>> {
        let mut names = Vec::new();
        for equation in &self.equations {
            if let Some(Definition::Process(process)) = &equation.value {
                labels_in(process, &mut names);
            }
        }
        if names.is_empty() {
            return Ok(None);
        }
        names.retain(|name| name != REST);
        names.push(REST.to_owned());
        let mut changed = self.clone();
        let mut writing = Writing {
            model: self,
            factors: Vec::new(),
            copies: HashMap::new(),
            pending: VecDeque::new(),
            taken: self.equations.iter().map(|e| e.name.text.clone()).collect(),
        };
        for name in &names {
            let factor = writing.unused(format!("share_{name}"));
            changed.equations.push(factor_called(&factor));
            writing.factors.push(factor);
        }
        let mut processes = Vec::new();
        for (position, equation) in self.equations.iter().enumerate() {
            let is_result = equation.formals.is_empty() && !equation.auxiliary;
            if equation.kind == Type::Process && is_result {
                let copy = writing.copy(position, names.len() - 1);
                processes.push((equation.name.text.clone(), copy));
            }
        }
        while let Some((position, label, name)) = writing.pending.pop_front() {
            let equation = writing.equation(position, label, name, &names);
            changed.equations.push(equation);
        }
        changed.labels = Labels {
            factors: names.into_iter().zip(writing.factors).collect(),
            processes,
        };
        changed.analyse(&NoFiles, |_, _| Vec::new())?;
        Ok(Some(changed))
    }
}

/// The labels of a process, each once, in the order of the text.
fn labels_in(process: &Process, found: &mut Vec<String>) {
    if let Some(label) = &process.label
        && !found.contains(&label.text)
    {
        found.push(label.text.clone());
    }
    super::walk::parts_of_process(process, &mut |part, _| {
        if let super::walk::Part::Process(part) = part {
            with_stack(|| labels_in(part, found));
        }
    });
}

/// `numeric parameter name : >= 0 = 1`
fn factor_called(name: &str) -> Equation {
    let span = Span::default();
    let number = |value: i64| Expr {
        kind: ExprKind::Number(Rational::from(value)),
        span,
    };
    Equation {
        kind: Type::Numeric,
        parameter: true,
        kept: false,
        name: Name {
            text: name.to_owned(),
            span,
        },
        formals: Vec::new(),
        defaults: Vec::new(),
        formal_units: Box::default(),
        facts: vec![ParameterFact::Bound(Relation::GreaterEqual, number(0))],
        value: Some(Definition::Numeric(number(1))),
        comment: None,
        auxiliary: true,
        span,
    }
}

/// Copies of processes with the factors in them.
struct Writing<'m> {
    model: &'m Model,
    factors: Vec<String>,
    /// Name of the copy of an equation for a given label of unlabelled parts.
    copies: HashMap<(usize, usize), String>,
    pending: VecDeque<(usize, usize, String)>,
    taken: std::collections::HashSet<String>,
}

impl Writing<'_> {
    fn unused(&mut self, mut name: String) -> String {
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }

    fn copy(&mut self, position: usize, label: usize) -> String {
        if let Some(known) = self.copies.get(&(position, label)) {
            return known.clone();
        }
        let own = &self.model.equations[position].name.text;
        let name = self.unused(format!("{own}_by_label"));
        self.copies.insert((position, label), name.clone());
        self.pending.push_back((position, label, name.clone()));
        name
    }

    fn equation(
        &mut self,
        position: usize,
        label: usize,
        name: String,
        labels: &[String],
    ) -> Equation {
        let mut equation = self.model.equations[position].clone();
        equation.name.text = name;
        equation.auxiliary = true;
        let formals = equation.formals.clone();
        let is_formal = |name: &str| formals.iter().any(|formal| formal.text == name);
        if let Some(Definition::Process(process)) = &mut equation.value {
            self.process(process, label, labels, &is_formal);
        }
        equation
    }

    fn process(
        &mut self,
        process: &mut Process,
        outer: usize,
        labels: &[String],
        is_formal: &dyn Fn(&str) -> bool,
    ) {
        let own = process.label.take();
        let own = own.and_then(|own| labels.iter().position(|name| *name == own.text));
        let label = own.unwrap_or(outer);
        match &mut process.kind {
            ProcessKind::Delay(time) | ProcessKind::Use(_, time) => {
                return scale(time, &self.factors[label]);
            }
            ProcessKind::Call(name, arguments) => {
                if let Some(copy) = self.copy_of(&name.text, label, is_formal) {
                    name.text = copy;
                }
                for argument in arguments {
                    self.argument(argument, label, is_formal);
                }
                return;
            }
            _ => {}
        }
        parts_of_process_mut(process, &mut |part, _| {
            if let PartMut::Process(part) = part {
                with_stack(|| self.process(part, label, labels, is_formal));
            }
        });
    }

    /// The copy of a process of the model.
    fn copy_of(
        &mut self,
        name: &str,
        label: usize,
        is_formal: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let position = self.model.position(name).filter(|_| !is_formal(name))?;
        let is_process = self.model.equations[position].kind == Type::Process;
        is_process.then(|| self.copy(position, label))
    }

    /// An argument may be a process.
    fn argument(&mut self, argument: &mut Expr, label: usize, is_formal: &dyn Fn(&str) -> bool) {
        match &mut argument.kind {
            ExprKind::Name(name) => {
                if let Some(copy) = self.copy_of(name, label, is_formal) {
                    *name = copy;
                }
            }
            ExprKind::Call(name, arguments) => {
                if let Some(copy) = self.copy_of(&name.text, label, is_formal) {
                    name.text = copy;
                    for argument in arguments {
                        self.argument(argument, label, is_formal);
                    }
                }
            }
            _ => {}
        }
    }
}

/// A time times a factor.
fn scale(time: &mut Expr, factor: &str) {
    let span = time.span;
    let own = std::mem::replace(
        time,
        Expr {
            kind: ExprKind::Name(factor.to_owned()),
            span,
        },
    );
    let factor = std::mem::replace(&mut time.kind, ExprKind::Vector(Vec::new()));
    let factor = Expr { kind: factor, span };
    time.kind = ExprKind::Product(Box::new(own), vec![(MulOp::Multiply, factor)]);
}
