//! Checks declarations: what may be defined, only once, and with which facts.

use std::collections::HashMap;

use super::names::{Names, ONE_INDEX, type_word};
use super::{FCFS, PREFIXES, Target, predefined};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Equation, Monotone, Name, ParameterFact, Type};

/// Arguments of one equation; what looks them up goes through them one by one.
const MAX_FORMALS: usize = 255;

/// Finds equations with too many arguments.
pub(super) fn excessive(equations: &[Equation]) -> Vec<Diagnostic> {
    let excessive = equations.iter().filter(|e| e.formals.len() > MAX_FORMALS);
    excessive
        .map(|e| {
            let message = format!("`{}` has more than {MAX_FORMALS} arguments", e.name.text);
            Diagnostic::error(message, e.name.span, "defined here").hint("use fewer arguments")
        })
        .collect()
}

/// Finds names that are defined twice or may not be defined.
pub(super) fn duplicates(equations: &[Equation]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut first: HashMap<&str, &Equation> = HashMap::new();
    for equation in equations {
        let name = &equation.name;
        let restates_fcfs =
            name.text == FCFS && equation.kind == Type::Resource && equation.value.is_none();
        if predefined::is_reserved(&name.text) || (name.text == FCFS && !restates_fcfs) {
            diagnostics.push(
                Diagnostic::error(
                    format!("`{}` is predefined", name.text),
                    name.span,
                    "cannot be defined again",
                )
                .hint("choose another name")
                .code(Code::NamePredefined),
            );
        }
        match first.get(name.text.as_str()) {
            Some(earlier) => diagnostics.push(
                Diagnostic::error(
                    format!("`{}` is defined twice", name.text),
                    name.span,
                    "defined again here",
                )
                .also(earlier.name.span, "first defined here")
                .hint("rename or remove one of the two")
                .code(Code::NameDuplicate),
            ),
            None => {
                first.insert(&name.text, equation);
            }
        }
        for (position, formal) in equation.formals.iter().enumerate() {
            if let Some(earlier) = equation.formals[..position]
                .iter()
                .find(|f| f.text == formal.text)
            {
                diagnostics.push(
                    Diagnostic::error(
                        format!("two arguments are named `{}`", formal.text),
                        formal.span,
                        "again here",
                    )
                    .also(earlier.span, "first here")
                    .code(Code::NameDuplicate),
                );
            }
        }
    }
    diagnostics.extend(
        equations
            .iter()
            .filter_map(|equation| clash_with_result(equation, &first)),
    );
    diagnostics
}

/// A numeric equation `T_main` beside a process `main`, whose time has the same name.
fn clash_with_result(
    equation: &Equation,
    by_name: &HashMap<&str, &Equation>,
) -> Option<Diagnostic> {
    let name = &equation.name;
    let process = PREFIXES
        .iter()
        .filter_map(|prefix| name.text.strip_prefix(prefix))
        .filter_map(|rest| by_name.get(rest))
        .find(|other| other.kind == Type::Process && other.formals.is_empty())?;
    Some(
        Diagnostic::error(
            format!("`{}` is the name of a result", name.text),
            name.span,
            "defined here",
        )
        .also(
            process.name.span,
            format!("this process defines `{}`", name.text),
        )
        .hint("choose another name")
        .code(Code::NameOfResult),
    )
}

const MORE_THAN_ONE_INDEX: &str = "has more than one index";

impl<'m> Names<'m> {
    /// Checks the declaration itself and its facts.
    pub(super) fn declaration(&mut self, equation: &'m Equation) {
        let name = &equation.name;
        let problem = match (equation.kind, &equation.value) {
            (Type::Numeric | Type::Process, None) if !equation.parameter => Some((
                "has no value",
                "write `= ...`, or `parameter` before the name",
            )),
            (Type::Numeric, None) if !equation.formals.is_empty() => Some((
                "is a parameter with arguments",
                "a numeric parameter is a single unknown: remove its arguments",
            )),
            (Type::Process, None) => Some((
                "is an unknown process",
                "process parameters are not supported yet: give it a value",
            )),
            (Type::Resource, Some(_))
                if equation.formals.len() > 1 && self.model().servers(equation).is_some() =>
            {
                Some((MORE_THAN_ONE_INDEX, ONE_INDEX))
            }
            (Type::Resource, None) if equation.formals.len() > 1 => {
                Some((MORE_THAN_ONE_INDEX, ONE_INDEX))
            }
            _ => None,
        };
        if let Some((what, hint)) = problem {
            let message = format!("{} `{}` {what}", type_word(equation.kind), name.text);
            self.diagnostics.push(
                Diagnostic::error(message, name.span, "declared here")
                    .hint(hint)
                    .code(Code::Declaration),
            );
        }
        let takes_none = equation.formals.is_empty() || equation.kept;
        let may_have_facts = equation.kind == Type::Numeric && takes_none;
        for fact in &equation.facts {
            let span = match fact {
                ParameterFact::Integer(span) | ParameterFact::Law(span) => *span,
                ParameterFact::Row(name) => name.span,
                // For a number, its dimension, which is not a bound.
                ParameterFact::Unit(_) if equation.kind == Type::Numeric => continue,
                ParameterFact::Unit(unit) => unit.span,
                ParameterFact::Monotone(own) => {
                    self.monotone(equation, own);
                    continue;
                }
                ParameterFact::Bound(_, e) => {
                    self.numeric(e);
                    e.span
                }
                // It has been replaced, or an error says why not.
                ParameterFact::Arrivals(_) => continue,
                ParameterFact::Unknown(law) => {
                    self.numeric(law);
                    law.span
                }
            };
            if !may_have_facts {
                self.diagnostics.push(
                    Diagnostic::error(
                        "only a numeric parameter or a `kept` equation can be bounded",
                        span,
                        "stated here",
                    )
                    .also(name.span, format!("`{}` is not one", name.text))
                    .code(Code::FactMisplaced),
                );
            }
        }
    }

    /// Reports errors in the declared monotonicity of an equation.
    fn monotone(&mut self, equation: &'m Equation, own: &'m Monotone) {
        let name = &equation.name;
        if equation.kind != Type::Numeric || !equation.kept || equation.formals.is_empty() {
            let message = format!("only a function that is kept can be `{own}`");
            let error = Diagnostic::error(message, own.span, "stated here")
                .also(name.span, format!("`{}` is not one", name.text))
                .hint("write `numeric kept f(x) : increasing = ..`")
                .code(Code::FactMisplaced);
            return self.diagnostics.push(error);
        }
        for formal in &own.formals {
            let declared = equation.formals.iter();
            let mut declared = declared.filter(|other| other.text == formal.text);
            if let Some(declared) = declared.next() {
                self.record(formal.span, Target::Formal(declared.span));
            } else {
                let message = format!("`{}` has no argument `{}`", name.text, formal.text);
                let error =
                    Diagnostic::error(message, formal.span, "named here").code(Code::NameUnbound);
                self.diagnostics
                    .push(error.also(name.span, "declared here"));
            }
        }
        let earlier = |formal: &'m Name| {
            let is_earlier = |other: &&Monotone| {
                other.span.start < own.span.start && other.speaks_of(&formal.text)
            };
            let mut others = equation.facts.iter().filter_map(|fact| match fact {
                ParameterFact::Monotone(other) => Some(other),
                _ => None,
            });
            Some((formal.text.as_str(), others.find(is_earlier)?.span))
        };
        let mut own_formals = equation.formals.iter().filter(|f| own.speaks_of(&f.text));
        if let Some((formal, first)) = own_formals.find_map(earlier) {
            let message = format!(
                "the direction of `{}` in `{formal}` is declared twice",
                name.text
            );
            let error = Diagnostic::error(message, own.span, "again here")
                .also(first, "first here")
                .hint("name the arguments: `increasing(x) decreasing(y)`")
                .code(Code::NameDuplicate);
            self.diagnostics.push(error);
        }
    }
}
