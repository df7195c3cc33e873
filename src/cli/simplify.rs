//! `pamela simplify`

use super::shared::{Input, RuleOptions, Values};
use crate::effort::Effort;
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;

use super::estimates::Contention;
use super::{Outcome, Subject, output, read_subject, rule_base, values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::document;
use crate::emit::{Language, emit};
use crate::pipeline::{Keep, Options, Simplified};
use crate::timing::{Moment, Origin};

pub const EXAMPLES: &str = "\
Examples:
  pamela simplify model.pam                  closed forms, as a model again
  pamela simplify model.pam --all            critical path, demand and bottleneck too
  pamela simplify model.pam --only T_main    this and what it mentions
  pamela simplify model.pam --bounds         what contention makes of it, from below and above
  pamela simplify model.pam -D P=16          for 16 processors
  pamela simplify model.pam --explain        how each closed form is derived
  pamela simplify model.pam --regimes        where it saturates, and by what
  pamela simplify model.pam --sensitivity P,N
  pamela simplify model.pam --moments 2      of what is random, mean and variance
  pamela simplify model.pam --emit latex     for a paper
  pamela simplify model.pam --emit json      for a program
  pamela simplify model.pam --emit c         a function, and one of its conditions
  pamela simplify model.pam --emit compiled -o model.pamc
                                             closed forms once, for `eval` and `sweep`";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub values: Values,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Also phi_L (critical path), delta_L (demand) and omega_L (bottleneck) of each process L
    #[arg(long)]
    pub all: bool,
    /// Also bounds of the time of each process L on both sides, L_L and U_L; with --all, U2_L and U1_L
    #[arg(long)]
    pub bounds: bool,
    /// Only these equations: names such as T_main, delta_main or those of the model
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Also an estimate of the time with contention, which is no bound: cycle_L and mva_L, or estimate_L
    #[arg(long, value_enum)]
    pub contention: Option<Contention>,
    /// Write these equations out wherever others mention them by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub expand: Vec<String>,
    /// These stay names in the forms of others, as what is declared `kept` does; `all` is everything that has a name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Assume nothing that the model does not state; keep cases instead
    #[arg(long)]
    pub strict: bool,
    /// Also how each closed form is derived, step by step
    #[arg(long)]
    pub explain: bool,
    /// Also which operand of a max, and which resource, decides where, and where they cross
    #[arg(long)]
    pub regimes: bool,
    /// Also what each label has of the times of processes: its part, what it would save, takes alone, and hides
    #[arg(long)]
    pub by_label: bool,
    /// Also the derivative and the elasticity of each scalar by these parameters
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub sensitivity: Vec<String>,
    /// Of laws only so many moments: 2 are mean and variance, 4 also skewness and kurtosis [default: 2 on a terminal, 4
    /// in files and pipes]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub moments: Option<u8>,
    /// How much work may be done before it stops: low is a sixteenth, high sixteen times as much
    #[arg(long, value_enum, default_value_t = Effort::Normal)]
    pub effort: Effort,
    /// The notation of the result
    #[arg(long, value_enum, default_value_t = Emit::Pamela)]
    pub emit: Emit,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A model of numeric equations, which can be read back
    Pamela,
    /// One displayed equation each
    Latex,
    /// Formulas, conditions and statistics
    Json,
    /// Presentation MathML, one displayed equation each
    Mathml,
    /// Functions of C, with their conditions as second functions
    C,
    /// The same in Rust
    Rust,
    /// The same in Python, for floats
    Python,
    /// The same in Python, for arrays of NumPy
    Numpy,
    /// The same in Julia
    Julia,
    /// The same in JavaScript
    Javascript,
    /// A query that adds columns to a table `points`
    Sql,
    /// Exact expressions of SymPy
    Sympy,
    /// All closed forms in a file that every command takes in place of the model
    Compiled,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let compiles = arguments.emit == Emit::Compiled;
    let options = Options {
        strict: arguments.strict,
        all: arguments.all || compiles,
        bounds: arguments.bounds || arguments.contention == Some(Contention::Estimate),
        times: true,
        contention: arguments.contention.map(Into::into),
        only: arguments.only.clone(),
        effort: arguments.effort,
        progress: output::progress(),
        regimes: arguments.regimes || compiles,
        sensitivity: arguments.sensitivity.clone(),
        expand: arguments.expand.clone(),
        keep: keep(arguments),
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
    output::failures(&simplified.refuted);
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

/// Which names stay: none in code, whose functions take numbers alone.
fn keep(arguments: &Arguments) -> Keep {
    let is_read = matches!(
        arguments.emit,
        Emit::Pamela | Emit::Latex | Emit::Json | Emit::Mathml
    );
    match is_read {
        true if arguments.keep.iter().any(|name| name == "all") => Keep::All,
        true => Keep::Named(arguments.keep.clone()),
        false => Keep::Nothing,
    }
}

/// How many moments of laws are wanted: somebody at a terminal mostly asks for mean and variance.
fn moments(arguments: &Arguments) -> usize {
    let is_read = arguments.output.is_none() && std::io::stdout().is_terminal();
    let default = match is_read && matches!(arguments.emit, Emit::Pamela | Emit::Latex) {
        true => 2,
        false => 4,
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

/// The closed forms of the subject: those that were compiled, where no other ones are asked for.
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
