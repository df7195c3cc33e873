//! Checks `at(e, P, v, ...)`: what may be replaced, and that arguments do not depend on it.
//!
//! An argument keeps the value that it was given, even inside an `at`. Plain substitution would give it the value
//! inside the `at`. To exclude a difference, no call may have an argument that depends on a name that is replaced
//! around it. A process is passed by name and means whatever the name means where it is used.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::{Meaning, Names};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::walk::free_names_of;
use crate::model::{Model, order};
use crate::syntax::tree::{Expr, ExprKind, Name, Type};

/// Names that are replaced, with their scopes.
pub(super) struct Replacing {
    /// Positions of the equations that are replaced here.
    here: Vec<usize>,
    /// For the current equation, the names replaced around each of its formals.
    around: HashMap<usize, BTreeSet<usize>>,
    /// For the checked equations, the names replaced around each formal.
    of_equations: Vec<Vec<BTreeSet<usize>>>,
    /// Equations that depend on a replaced one.
    dependent: HashMap<usize, Rc<HashSet<usize>>>,
}

impl Replacing {
    pub(super) fn new(model: &Model) -> Replacing {
        Replacing {
            here: Vec::new(),
            around: HashMap::new(),
            of_equations: vec![Vec::new(); model.equations.len()],
            dependent: HashMap::new(),
        }
    }

    /// Finishes the equation at `position`.
    pub(super) fn finish(&mut self, position: usize, arity: usize) {
        let mut around = std::mem::take(&mut self.around);
        let formals = 0..arity;
        self.of_equations[position] = if around.is_empty() {
            Vec::new()
        } else {
            formals
                .map(|k| around.remove(&k).unwrap_or_default())
                .collect()
        };
    }

    /// Records a use of a formal of the current equation.
    pub(super) fn used(&mut self, formal: usize) {
        if !self.here.is_empty() {
            self.around.entry(formal).or_default().extend(&self.here);
        }
    }

    /// The equations that come to the one at `position` by names; a parameter does not look at its default.
    fn dependent(&mut self, model: &Model, position: usize) -> Rc<HashSet<usize>> {
        let found = self.dependent.entry(position).or_insert_with(|| {
            let mut dependents: HashMap<usize, Vec<usize>> = HashMap::new();
            for (user, equation) in model.equations.iter().enumerate() {
                let mentioned = order::mentions(model, equation).into_iter();
                for (used, _) in mentioned.filter(|_| !equation.parameter) {
                    dependents.entry(used).or_default().push(user);
                }
            }
            let (mut found, mut open) = (HashSet::from([position]), vec![position]);
            while let Some(next) = open.pop() {
                let users = dependents.get(&next).into_iter().flatten();
                open.extend(users.filter(|&&user| found.insert(user)));
            }
            found.into()
        });
        found.clone()
    }
}

impl<'m> Names<'m> {
    /// Checks `at(e, P, v, ...)`, whose number of arguments is right.
    pub(super) fn replacements(&mut self, call: &'m Name, arguments: &'m [Expr]) {
        let Some((of, pairs)) = arguments.split_first() else {
            return;
        };
        if pairs.len() >= 2 && !pairs.len().is_multiple_of(2) {
            let message = "`at` takes an expression, then names with their values";
            let label = format!("found {} arguments", arguments.len());
            let error = Diagnostic::error(message, call.span, label).code(Code::Replacement);
            self.diagnostics
                .push(error.hint("write for example `at(T(main), P, 1)`"));
        }
        let outer = self.replacing.here.len();
        let mut targets: Vec<usize> = Vec::new();
        for pair in pairs.chunks(2) {
            if let Some(target) = self.target(&pair[0]) {
                if targets.contains(&target) {
                    let message = "a name is replaced twice";
                    let error = Diagnostic::error(message, pair[0].span, "again here")
                        .code(Code::Replacement);
                    self.diagnostics.push(error);
                }
                targets.push(target);
            }
            pair[1..].iter().for_each(|value| self.numeric(value));
        }
        self.replacing.here.extend(targets);
        self.numeric(of);
        self.replacing.here.truncate(outer);
    }

    /// The equation whose name is replaced: numeric, without arguments.
    fn target(&mut self, expr: &'m Expr) -> Option<usize> {
        let ExprKind::Name(name) = &expr.kind else {
            let message = "expected a name that `at` replaces";
            let error = Diagnostic::error(message, expr.span, "not a name").code(Code::Replacement);
            let hint = "write for example `at(T(main), P, 1)`";
            self.diagnostics.push(error.hint(hint));
            return None;
        };
        match self.meaning(name) {
            Meaning::Equation(position) => {
                self.numeric(expr);
                let equation = &self.model.equations[position];
                (equation.kind == Type::Numeric && equation.formals.is_empty()).then_some(position)
            }
            Meaning::Unbound => {
                self.numeric(expr);
                None
            }
            Meaning::Index | Meaning::Formal(_) => {
                let message = format!("`at` cannot replace `{name}`");
                let label = "this is an argument or an index";
                self.diagnostics
                    .push(Diagnostic::error(message, expr.span, label).code(Code::Replacement).hint(
                    "only a parameter, or another numeric equation without arguments, is replaced",
                ));
                None
            }
        }
    }

    /// Checks that arguments do not depend on names that the called equation replaces around their
    /// formals.
    pub(super) fn arguments_that_keep_their_values(
        &mut self,
        position: usize,
        arguments: &'m [Expr],
    ) {
        let around = self.replacing.of_equations[position].clone();
        for (k, targets) in around.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            if let Some(argument) = arguments.get(k) {
                let process = self.formal_types[position][k] == Some(Type::Process);
                self.keeps_its_value(argument, targets, process);
            }
        }
    }

    fn keeps_its_value(&mut self, argument: &'m Expr, targets: &BTreeSet<usize>, process: bool) {
        match &argument.kind {
            ExprKind::Name(name) if process => {
                if let Meaning::Formal(formal) = self.meaning(name) {
                    self.replacing
                        .around
                        .entry(formal)
                        .or_default()
                        .extend(targets);
                }
            }
            ExprKind::Call(_, arguments) if process => {
                for argument in arguments {
                    self.keeps_its_value(argument, targets, false);
                }
            }
            _ => {
                let bound: Vec<&str> = self.indices.iter().map(|i| i.text.as_str()).collect();
                let mut mentioned = Vec::new();
                free_names_of(argument, &bound, &mut |name, _| mentioned.push(name));
                mentioned
                    .into_iter()
                    .for_each(|name| self.does_not_change(name, argument, targets));
            }
        }
    }

    /// A name that `argument` mentions.
    fn does_not_change(&mut self, name: &str, argument: &Expr, targets: &BTreeSet<usize>) {
        let position = match self.meaning(name) {
            Meaning::Formal(formal) => {
                return self
                    .replacing
                    .around
                    .entry(formal)
                    .or_default()
                    .extend(targets);
            }
            Meaning::Equation(position) => position,
            Meaning::Index | Meaning::Unbound => return,
        };
        let model = self.model;
        let changed =
            |&&target: &&usize| self.replacing.dependent(model, target).contains(&position);
        if let Some(&target) = targets.iter().find(changed) {
            let replaced = &model.equations[target].name.text;
            let message = format!("an argument that depends on `{replaced}`, which `at` replaces");
            let label = "its value is ambiguous here";
            let hint =
                "pass a process by its name, or write the `at` where the argument is written";
            let error = Diagnostic::error(message, argument.span, label)
                .code(Code::Replacement)
                .hint(hint);
            if !self.diagnostics.contains(&error) {
                self.diagnostics.push(error);
            }
        }
    }
}
