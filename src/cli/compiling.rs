//! Compiles a model for commands over several points, with the given values that are not parameters.

use super::shared::RuleOptions;
use super::sweep_values::SweepInputs;
use super::{Subject, output, rule_base};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::pipeline::Options;
use crate::ring::Rational;

/// Also sets the rows of row parameters; given fields come after them.
fn with_rows(subject: Subject, given: &mut SweepInputs) -> Result<Subject, Error> {
    let definitions = std::mem::take(&mut given.definitions).into_iter();
    let (rows, others): (Vec<_>, Vec<_>) =
        definitions.partition(|(name, _)| subject.rows(name).is_some());
    given.definitions = others;
    if rows.is_empty() {
        return Ok(subject);
    }
    let mut model = match subject {
        Subject::Compiled(compiled) => Box::new(compiled.model()?.clone()),
        Subject::Model(model) => model,
    };
    for (name, value) in rows {
        model.define(&name, &value)?;
    }
    Ok(Subject::Model(model))
}

/// The compiled model, and the values of its parameters.
pub fn compile(
    subject: Subject,
    mut given: SweepInputs,
    options: &Options,
    rules: &RuleOptions,
) -> Result<(Compiled, SweepInputs), Error> {
    let names = subject.names();
    for (name, place) in &given.places {
        names.require(name, place)?;
    }
    given.rename(|name| names.own(name));
    let subject = with_rows(subject, &mut given)?;
    let parameters = subject.scalar_parameters();
    // Values of other names than parameters are set before closed forms are found.
    let constants = std::mem::take(&mut given.constants).into_iter();
    let (constants, others): (Vec<_>, Vec<(String, Rational)>) =
        constants.partition(|(name, _)| parameters.contains(name));
    given.constants = constants;
    let mut model = match subject {
        Subject::Compiled(compiled)
            if given.definitions.is_empty()
                && others.is_empty()
                && rules.rules.is_none()
                && !compiled.lacks_bounds(options) =>
        {
            let compiled = compiled.restricted(options)?;
            output::caveats(compiled.simplified());
            return Ok((compiled, given));
        }
        Subject::Compiled(compiled) => compiled.model()?.clone(),
        Subject::Model(model) => *model,
    };
    for (name, value) in &others {
        model.define_number(name, value)?;
    }
    for (name, value) in &given.definitions {
        model.define(name, value)?;
    }
    let compiled = model.compile_with(rule_base(rules)?, options)?;
    output::missing(&compiled.simplified().failures);
    output::missing(&compiled.simplified().refuted);
    output::caveats(compiled.simplified());
    Ok((compiled, given))
}
