//! Closed forms as functions of other languages, with their conditions as second functions.

mod expression;
mod language;

use std::collections::BTreeSet;

pub use language::Language;

use crate::diagnostic::Result;
use crate::expr::{Arena, ExprId, Sort};
use crate::pipeline::{Simplified, SimplifiedEquation, plain_error};
use expression::{Refused, Writer};

/// The source of a file that defines, for each equation that is a number, a function of its value and one that says
/// whether its conditions hold. Both take the parameters that the equation depends on, in the order of `parameters`.
///
/// # Errors
/// An equation that this language has no form for, with the reason; no equation that is a number.
pub fn emit(language: Language, simplified: &Simplified, parameters: &[String]) -> Result<String> {
    let numbers = simplified
        .equations
        .iter()
        .filter(|e| e.sort == Sort::Scalar);
    let equations: Vec<&SimplifiedEquation> = numbers.filter(|e| e.formals.is_empty()).collect();
    if equations.is_empty() {
        return Err(plain_error(refusal_without_numbers(simplified)));
    }
    let mut parts = Vec::new();
    for equation in &equations {
        let signature = Signature::of(equation, &equations, parameters);
        let formula = &equation.formula;
        let refuse = |refused: Refused| {
            plain_error(format!(
                "`{}` cannot be written in {}: {refused}",
                equation.name,
                language.name()
            ))
        };
        let value = body(
            language,
            formula.arena(),
            &[formula.root()],
            &equations,
            parameters,
        );
        let value = value.map_err(refuse)?;
        let conditions = body(
            language,
            formula.arena(),
            formula.conditions(),
            &equations,
            parameters,
        );
        let mut conditions = conditions.map_err(refuse)?;
        let others = formula.rests_on().iter();
        conditions.results.extend(others.filter_map(|name| {
            let other = equations.iter().find(|e| e.name == *name)?;
            let own = Signature::of(other, &equations, parameters);
            Some(language.call(&format!("{name}_valid"), &own.parameters))
        }));
        parts.push(language.functions(&signature, &value, &conditions, formula.approximations()));
    }
    Ok(language.file(&parts))
}

/// Why there is nothing to write.
fn refusal_without_numbers(simplified: &Simplified) -> String {
    let law = simplified.equations.iter().find(|e| e.sort == Sort::Law);
    match law {
        Some(law) => format!(
            "`{}` is a law whose moments have no closed form, and no other equation is a number; `pamela eval` has its \
             values",
            law.name
        ),
        None => "no equation is a number".to_string(),
    }
}

/// The name and the parameters of a function.
pub(crate) struct Signature {
    pub name: String,
    pub parameters: Vec<String>,
}

impl Signature {
    /// Of an equation with those that it mentions, directly or not.
    fn of(
        equation: &SimplifiedEquation,
        all: &[&SimplifiedEquation],
        parameters: &[String],
    ) -> Signature {
        let mut pending = vec![equation];
        let (mut seen, mut free) = (BTreeSet::new(), BTreeSet::new());
        while let Some(next) = pending.pop() {
            if !seen.insert(next.name.clone()) {
                continue;
            }
            free.extend(next.formula.parameters());
            let mentions = next.formula.mentions();
            pending.extend(all.iter().copied().filter(|e| mentions.contains(&e.name)));
        }
        let own = parameters.iter().filter(|name| free.contains(*name));
        Signature {
            name: equation.name.clone(),
            parameters: own.cloned().collect(),
        }
    }
}

/// Statements that name shared parts, then expressions over them.
pub(crate) struct Body {
    pub parts: Vec<(String, String)>,
    pub results: Vec<String>,
}

fn body(
    language: Language,
    arena: &Arena,
    roots: &[ExprId],
    all: &[&SimplifiedEquation],
    parameters: &[String],
) -> std::result::Result<Body, Refused> {
    let call = |name: &str| {
        let equation = all.iter().find(|e| e.name == name)?;
        let own = Signature::of(equation, all, parameters);
        Some(language.call(name, &own.parameters))
    };
    let mut writer = Writer::new(language, arena, roots, &call, parameters);
    let results = roots.iter().map(|&root| writer.write(root));
    let results = results.collect::<std::result::Result<Vec<String>, Refused>>()?;
    Ok(Body {
        parts: writer.parts,
        results,
    })
}
