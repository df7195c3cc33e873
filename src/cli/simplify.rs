//! `pamela simplify`

use super::shared::{ADVANCED, Input, RuleOptions, Values};
use crate::effort::Effort;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::LazyLock;

use super::assertions::{self, Assertions};
use super::estimates::Contention;
use super::{Outcome, Subject, output, progress, read_subject, rule_base, values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::document;
use crate::emit::{Language, emit};
use crate::formula::json;
use crate::pipeline::{Keep, Options, Simplified};
use crate::timing::{Moment, Origin};

pub const EXAMPLES: &str = "\
Examples:
  pamela simplify corpus/papers/mrm.pam                    closed form of the time
  pamela simplify corpus/papers/mrm.pam --bounds -D P=16   bounds under contention, for P = 16
  pamela simplify corpus/papers/mrm.pam --emit latex       formulas for a paper";

pub const NOTES: &str = "\
`--emit compiled -o FILE` saves the closed forms. Every command reads FILE in place of the model.";

/// The heading of options that add results.
const ANALYSIS: &str = "Analysis";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub values: Values,
    /// Add critical path phi_L, demand delta_L, bottleneck omega_L
    #[arg(long)]
    pub all: bool,
    /// Add bounds L_L and U_L of times; with --all also U1_L and U2_L
    #[arg(long)]
    pub bounds: bool,
    /// Print only these equations, for example time_main
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Show the derivation of each closed form, step by step
    #[arg(long)]
    pub explain: bool,
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t = Emit::Pamela,
        hide_possible_values = true,
        help = formats()
    )]
    pub emit: Emit,
    #[command(flatten)]
    pub assertions: Assertions,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show which operand of a max or resource dominates where
    #[arg(long, help_heading = ANALYSIS)]
    pub regimes: bool,
    /// Add derivatives and elasticities for these parameters
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = ANALYSIS)]
    pub sensitivity: Vec<String>,
    /// Collect sums by these parameters: `tf * (..) + tm * (..)`
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = ANALYSIS)]
    pub collect: Vec<String>,
    /// Add an estimate of the time under contention (not a bound)
    #[arg(
        long, value_enum, value_name = "mva|estimate", hide_possible_values = true, help_heading = ANALYSIS
    )]
    pub contention: Option<Contention>,
    /// Split the time of each process by the labels of its parts
    #[arg(long, help_heading = ANALYSIS)]
    pub by_label: bool,
    /// Number of moments, 1 to 4 [default: 2 on a terminal, else 4]
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=4), help_heading = ANALYSIS
    )]
    pub moments: Option<u8>,
    /// Write out these equations where others mention them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = ADVANCED)]
    pub expand: Vec<String>,
    /// Keep these names in other formulas; `all` keeps every name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = ADVANCED)]
    pub keep: Vec<String>,
    /// Make no assumptions beyond the model; keep cases instead
    #[arg(long, help_heading = ADVANCED)]
    pub strict: bool,
    /// Work limit: low (1/16), normal or high (16 times)
    #[arg(
        long, value_enum, value_name = "EFFORT", default_value_t = Effort::Normal, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub effort: Effort,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rules: RuleOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    Pamela,
    Latex,
    Json,
    Mathml,
    Code(Language),
    Compiled,
}

impl ValueEnum for Emit {
    fn value_variants<'a>() -> &'a [Emit] {
        static ALL: LazyLock<Vec<Emit>> = LazyLock::new(|| {
            let mut all = vec![Emit::Pamela, Emit::Latex, Emit::Json, Emit::Mathml];
            all.extend(Language::ALL.map(Emit::Code));
            all.push(Emit::Compiled);
            all
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, about) = match self {
            Emit::Pamela => ("pamela", "A model of numeric equations"),
            Emit::Latex => ("latex", "A displayed equation for each closed form"),
            Emit::Json => ("json", "Formulas, conditions and statistics"),
            Emit::Mathml => (
                "mathml",
                "Presentation MathML, a displayed equation for each closed form",
            ),
            Emit::Code(language) => (language.key(), language.about()),
            Emit::Compiled => (
                "compiled",
                "All closed forms, in a file that every command reads as a model",
            ),
        };
        Some(PossibleValue::new(name).help(about))
    }
}

/// Formats in a line, which takes less room in the help than a line for each.
fn formats() -> String {
    let all = Emit::value_variants()
        .iter()
        .filter_map(Emit::to_possible_value);
    let names: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
    format!("Format: {}", names.join(", "))
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let compiles = arguments.emit == Emit::Compiled;
    let options = options(arguments);
    if compiles && arguments.contention.is_some() {
        let message =
            "a compiled model has no estimates: use `eval --contention` or `compare` at points";
        return Err(Error::new(message.to_string()));
    }
    let compiled = compile(arguments, &options);
    progress::end_of_equations();
    let compiled = compiled?;
    let (model, simplified) = (compiled.model()?, compiled.simplified());
    let judged = arguments.assertions.judged(model, arguments.effort)?;
    let mut refused = Vec::new();
    let mut code = |language: Language| {
        let emitted = emit(language, &compiled)?;
        refused = emitted.refused;
        Ok::<String, Error>(emitted.text)
    };
    let text = match arguments.emit {
        Emit::Pamela => {
            if judged.is_empty() {
                document::pamela(model, simplified)
            } else {
                [
                    document::pamela(model, simplified),
                    document::assertions(model, simplified, &judged),
                ]
                .join("\n\n")
            }
        }
        Emit::Latex => document::latex(model, simplified),
        Emit::Json => output::json_text(&json::SimplifiedModel {
            assertions: document::assertion_data(&judged),
            ..document::data(model, simplified)
        })?,
        Emit::Compiled => compiled.save()?,
        Emit::Mathml => document::mathml(model, simplified)?,
        Emit::Code(language) => code(language)?,
    };
    match &arguments.output {
        Some(path) => output::file(path, text.trim_end_matches('\n'))?,
        None => output::line(text.trim_end_matches('\n'))?,
    }
    report_open(simplified);
    note_moments(arguments, simplified);
    if simplified.equations.is_empty() && simplified.failures.is_empty() {
        output::note(
            "note: nothing to simplify: the model has no process and no numeric equation other than parameters",
        );
    }
    output::failures(&simplified.failures);
    output::failures(&simplified.refuted);
    for (name, reason) in &refused {
        output::note(&format!("note: `{name}` is left out: it {reason}"));
    }
    if !matches!(arguments.emit, Emit::Pamela | Emit::Json) {
        assertions::note(&judged);
    }
    let whole = simplified.is_closed() && refused.is_empty();
    let outcome = match (simplified.failures.is_empty(), whole) {
        (false, _) => Outcome::Wrong,
        (true, true) => Outcome::Done,
        (true, false) => Outcome::Incomplete,
    };
    Ok(outcome.max(assertions::outcome(&judged)))
}

/// The options of simplification that the arguments ask for.
fn options(arguments: &Arguments) -> Options {
    let compiles = arguments.emit == Emit::Compiled;
    Options {
        strict: arguments.strict,
        all: arguments.all || compiles,
        bounds: arguments.bounds || arguments.contention == Some(Contention::Estimate),
        times: true,
        contention: arguments.contention.map(Into::into),
        only: arguments.only.clone(),
        effort: arguments.effort,
        progress: progress::of_equations(),
        regimes: arguments.regimes || compiles,
        sensitivity: arguments.sensitivity.clone(),
        collect: arguments.collect.clone(),
        expand: arguments.expand.clone(),
        keep: keep(arguments),
        explain: arguments.explain,
        most_moments: (!compiles).then(|| moments(arguments)),
        enclose: matches!(arguments.emit, Emit::Pamela | Emit::Latex | Emit::Json),
        ..Options::default()
    }
}

/// Kept names: none in emitted code, whose functions take only numbers.
fn keep(arguments: &Arguments) -> Keep {
    let is_read = matches!(
        arguments.emit,
        Emit::Pamela | Emit::Latex | Emit::Json | Emit::Mathml
    );
    if !is_read {
        Keep::Nothing
    } else if arguments.keep.iter().any(|name| name == "all") {
        Keep::All
    } else {
        Keep::Named(arguments.keep.clone())
    }
}

/// Number of moments of laws: on a terminal, mean and variance usually suffice.
fn moments(arguments: &Arguments) -> usize {
    let is_read = arguments.output.is_none() && std::io::stdout().is_terminal();
    let default = if is_read && matches!(arguments.emit, Emit::Pamela | Emit::Latex) {
        2
    } else {
        4
    };
    arguments.moments.map_or(default, usize::from)
}

/// Says which moments a terminal is spared.
fn note_moments(arguments: &Arguments, simplified: &Simplified) {
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

/// The closed forms of the subject; those of a compiled model are reused if the options allow it.
fn compile(arguments: &Arguments, options: &Options) -> Result<Compiled, Error> {
    let mut subject = read_subject(&arguments.input)?;
    subject.reach(&arguments.only);
    if arguments.by_label {
        subject = subject.with_labels()?;
    }
    let values = values::given(&arguments.values, &subject.names())?;
    let others = options.strict
        || options.explain
        || options.bounds
        || options.contention.is_some()
        || !options.sensitivity.is_empty()
        || !options.collect.is_empty()
        || !options.expand.is_empty()
        || !arguments.keep.is_empty();
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
