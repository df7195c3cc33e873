//! `pamela simplify`

use std::io::IsTerminal;

use super::arguments::{Emit, Simplify};
use super::estimates::Contention;
use super::{Outcome, Subject, output, read_subject, rule_base, values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::document;
use crate::emit::{Language, emit};
use crate::pipeline::{Options, Simplified};
use crate::timing::{Moment, Origin};

pub fn run(arguments: &Simplify) -> Result<Outcome, Error> {
    let compiles = arguments.emit == Emit::Compiled;
    let options = Options {
        strict: arguments.strict,
        all: arguments.all || compiles,
        bounds: arguments.bounds || arguments.contention == Some(Contention::Estimate),
        times: true,
        contention: arguments.contention.map(Into::into),
        effort: arguments.effort,
        progress: output::progress(),
        regimes: arguments.regimes || compiles,
        sensitivity: arguments.sensitivity.clone(),
        expand: arguments.expand.clone(),
        explain: arguments.explain,
        most_moments: (!compiles).then(|| moments(arguments)),
        enclose: matches!(arguments.emit, Emit::Pamela | Emit::Latex | Emit::Json),
        ..Options::default()
    };
    if compiles && arguments.contention.is_some() {
        let message = "a compiled model has no estimates: `eval --contention` and `compare` make them at points";
        return Err(Error::new(message.to_string()));
    }
    let compiled = compile(arguments, &options);
    output::end_progress();
    let compiled = compiled?;
    let (model, simplified) = (compiled.model()?, compiled.simplified());
    let mut refused = Vec::new();
    let mut code = |language: Language| {
        let emitted = emit(language, &compiled)?;
        refused = emitted.refused;
        Ok::<String, Error>(emitted.text)
    };
    let text = match arguments.emit {
        Emit::Pamela => document::pamela(model, simplified),
        Emit::Latex => document::latex(model, simplified),
        Emit::Json => output::json_text(&document::data(model, simplified))?,
        Emit::Compiled => compiled.save()?,
        Emit::Mathml => document::mathml(model, simplified)?,
        Emit::C => code(Language::C)?,
        Emit::Rust => code(Language::Rust)?,
        Emit::Python => code(Language::Python)?,
        Emit::Numpy => code(Language::NumPy)?,
        Emit::Julia => code(Language::Julia)?,
        Emit::Javascript => code(Language::JavaScript)?,
        Emit::Sql => code(Language::Sql)?,
        Emit::Sympy => code(Language::SymPy)?,
    };
    match &arguments.output {
        Some(path) => output::file(path, text.trim_end_matches('\n'))?,
        None => output::line(text.trim_end_matches('\n'))?,
    }
    report_open(simplified);
    note_moments(arguments, simplified);
    if simplified.equations.is_empty() && simplified.failures.is_empty() {
        output::note(
            "note: the model has no process and no numeric equation but its parameters: there is nothing to simplify",
        );
    }
    output::failures(&simplified.failures);
    for (name, reason) in &refused {
        output::note(&format!("note: `{name}` is left out: it {reason}"));
    }
    let whole = simplified.is_closed() && refused.is_empty();
    Ok(match (simplified.failures.is_empty(), whole) {
        (false, _) => Outcome::Wrong,
        (true, true) => Outcome::Done,
        (true, false) => Outcome::Incomplete,
    })
}

/// How many moments of laws are wanted: somebody at a terminal mostly asks for mean and variance.
fn moments(arguments: &Simplify) -> usize {
    let is_read = arguments.output.is_none() && std::io::stdout().is_terminal();
    let default = match is_read && matches!(arguments.emit, Emit::Pamela | Emit::Latex) {
        true => 2,
        false => 4,
    };
    arguments.moments.map_or(default, usize::from)
}

/// Says which moments a terminal is spared.
fn note_moments(arguments: &Simplify, simplified: &Simplified) {
    let own = simplified.equations.iter();
    let mut laws = own.filter(|e| {
        matches!(
            e.origin,
            Origin::Moment {
                moment: Moment::Variance,
                ..
            }
        )
    });
    if arguments.moments.is_none() && moments(arguments) < 4 && laws.next().is_some() {
        output::note("note: `--moments 4` adds skewness and kurtosis");
    }
}

/// The closed forms of the subject: those that were compiled, where no other ones are asked for.
fn compile(arguments: &Simplify, options: &Options) -> Result<Compiled, Error> {
    let subject = read_subject(&arguments.input)?;
    let values = values::given(&arguments.values, &subject.names())?;
    let others = options.strict
        || options.explain
        || options.bounds
        || options.contention.is_some()
        || !options.sensitivity.is_empty()
        || !options.expand.is_empty();
    let mut model = match subject {
        Subject::Model(model) => *model,
        Subject::Compiled(compiled)
            if values.is_empty() && !others && arguments.rules.rules.is_none() =>
        {
            return compiled.restricted(options);
        }
        Subject::Compiled(compiled) => compiled.model()?.clone(),
    };
    for (name, value) in values {
        model.define(&name, &value)?;
    }
    model.compile_with(rule_base(&arguments.rules)?, options)
}

fn report_open(simplified: &Simplified) {
    for equation in &simplified.equations {
        let open = equation.formula.open_reductions();
        if open > 0 {
            let plural = if open == 1 { "" } else { "s" };
            output::note(&format!(
                "note: `{}` is not closed: {open} reduction{plural} left",
                equation.name
            ));
        }
        if let Some(cut) = equation.cut_short() {
            output::note(&format!("note: `{}` {cut}", equation.name));
        }
    }
}
