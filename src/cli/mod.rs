//! The command line: a thin reader of the library.
//!
//! Results go to standard output, diagnostics to standard error. The exit code is 0 for success, 1 for an error in
//! the model or its data, 2 for an error in the command line, and 3 for an incomplete result.

mod arguments;
mod assertions;
#[cfg(feature = "programs")]
mod calibrate;
mod check;
mod columns;
mod compare;
mod compiling;
mod diff;
mod estimates;
mod evaluate;
mod examples;
mod fit;
mod fit_file;
#[cfg(feature = "programs")]
mod machine;
#[cfg(feature = "programs")]
mod machine_mpi;
#[cfg(feature = "programs")]
mod measured;
mod merge;
#[cfg(feature = "programs")]
mod model;
mod new;
mod notes;
mod optimise;
mod output;
#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "programs")]
mod profile;
mod progress;
mod report;
mod rows;
mod rules;
mod shared;
mod shell;
mod simplify;
mod simulate;
mod slips;
mod solve;
mod study;
#[cfg(feature = "plot")]
mod study_pictures;
#[cfg(feature = "programs")]
mod study_programs;
mod sweep;
mod sweep_values;
mod uncertain;
mod units;
mod values;

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

use clap::{CommandFactory, Parser};

use crate::algebra::RuleBase;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, listed};
use crate::model::Rows;
use crate::pipeline::{Model, Shown, unknown_name};
use crate::syntax::tree::{Equation, ParameterFact, Type};
use crate::syntax::{FileLoader, LibraryLoader, Loader};
use crate::timing::Origin;
use arguments::{Arguments, Command};
#[cfg(feature = "programs")]
pub use calibrate::{Measured, Wish, leave_out_interrupted};
#[cfg(feature = "programs")]
pub use measured::{Reading, Target, left_aside, table_of};
pub use report::{page as report_page, thin_out as thin_out_sliders};
use shared::{Input, RuleOptions};
pub use uncertain::predict;

/// Expressions may be nested deeply; the main thread's stack is for small programs. Less is taken where the address
/// space is limited: the stack grows where it has to.
const STACKS: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];
/// Longer texts on standard input are refused, as the files of a model are.
const MAX_INPUT: u64 = 64 << 20;

/// Outcome of a command without an error; the last is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Done,
    /// Open reductions are left.
    Incomplete,
    /// A check found errors, which the output states.
    Wrong,
}

/// True for `pamela --version --verbose`, in either order.
fn asks_for_build(given: &[OsString]) -> bool {
    let words: Vec<&str> = given
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .collect();
    let is_version = |word: &&str| ["--version", "-V"].contains(word);
    words.len() == 2 && words.contains(&"--verbose") && words.iter().any(is_version)
}

/// Version and features of the program, for error reports.
fn build() -> String {
    let features = [
        (cfg!(feature = "plot"), "plot"),
        (cfg!(feature = "programs"), "programs"),
        (cfg!(feature = "columns"), "columns"),
    ];
    let features = features.iter().filter(|(is_there, _)| *is_there);
    let features: Vec<&str> = features.map(|(_, name)| *name).collect();
    let profile = match cfg!(debug_assertions) {
        true => "with debug assertions",
        false => "optimised",
    };
    format!(
        "pamela {}\nsystem: {}-{}\nbuild: {profile}\nfeatures: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        crate::diagnostic::listed(&features),
    )
}

/// Runs the command that the arguments say, the first of which is the name of the program; returns the exit code.
pub fn main(arguments: impl Iterator<Item = OsString>) -> u8 {
    let given: Vec<OsString> = arguments.collect();
    if asks_for_build(&given) {
        // A reader that has left is no error.
        let _ = output::line(&build());
        return 0;
    }
    let mut arguments = Arguments::try_parse_from(&given).unwrap_or_else(|mut error| {
        slips::advise(&mut error, &given);
        error.exit()
    });
    if let Command::Sweep(sweep) = &mut arguments.command {
        sweep.given = given;
    }
    let arguments = Arc::new(arguments);
    let start = |stack: usize| {
        let arguments = arguments.clone();
        let thread = std::thread::Builder::new().stack_size(stack);
        thread.spawn(move || {
            let color = std::io::stderr().is_terminal();
            run(&arguments.command).map_err(|error| output::error(error, color))
        })
    };
    let Some(running) = STACKS.iter().find_map(|&stack| start(stack).ok()) else {
        output::note("error: cannot start: not enough memory for a thread");
        return 1;
    };
    match running.join() {
        Ok(Ok(Outcome::Done)) => 0,
        Ok(Ok(Outcome::Incomplete)) => 3,
        Ok(Ok(Outcome::Wrong)) => 1,
        Ok(Err(message)) => {
            output::note(message.trim_end());
            1
        }
        // The panic has been reported on standard error.
        Err(_) => 1,
    }
}

fn run(command: &Command) -> Result<Outcome, Error> {
    match command {
        Command::New(arguments) => new::run(arguments),
        Command::Examples(arguments) => examples::run(arguments),
        Command::Completions(arguments) => shell::completions(arguments, Arguments::command()),
        Command::Man(arguments) => shell::man(arguments, Arguments::command()),
        Command::Check(arguments) => check::run(arguments),
        Command::Simplify(arguments) => simplify::run(arguments),
        Command::Eval(arguments) => evaluate::run(arguments),
        Command::Sweep(arguments) => sweep::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        #[cfg(feature = "plot")]
        Command::Plot(arguments) => plot::run(arguments),
        Command::Optimise(arguments) => optimise::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        #[cfg(feature = "programs")]
        Command::Model(arguments) => model::run(arguments),
        #[cfg(feature = "programs")]
        Command::Profile(arguments) => profile::run(arguments),
        #[cfg(feature = "programs")]
        Command::Machine(arguments) => machine::run(arguments),
        #[cfg(feature = "programs")]
        Command::Calibrate(arguments) => calibrate::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Study(arguments) => study::run(arguments),
    }
}

/// Input of a command.
enum Subject {
    Model(Box<Model>),
    Compiled(Compiled),
}

impl Subject {
    fn names(&self) -> Names {
        match self {
            Subject::Model(model) => Names::of(model),
            Subject::Compiled(compiled) => {
                let parameters = compiled.parameters().iter().map(|p| p.name.clone());
                let own = compiled.equations().iter();
                let own = own.filter(|e| e.origin == Origin::Equation);
                Names {
                    parameters: parameters.collect(),
                    equations: own.map(|e| e.name.clone()).collect(),
                    model: None,
                }
            }
        }
    }

    /// The rows that a parameter can be, if it is declared as a row of a table.
    fn rows(&self, name: &str) -> Option<Rows> {
        match self {
            Subject::Model(model) => model.rows(name),
            Subject::Compiled(compiled) => compiled.model().ok()?.rows(name),
        }
    }

    /// The model with equations for the time of each label.
    fn with_labels(self) -> Result<Subject, Error> {
        let labelled = match &self {
            Subject::Model(model) => model.with_labels()?,
            Subject::Compiled(compiled) => compiled.model()?.with_labels()?,
        };
        Ok(Subject::Model(Box::new(labelled)))
    }

    /// The unit in which a number is given.
    fn shown_number(&self, name: &str) -> Option<Shown> {
        match self {
            Subject::Model(model) => model.shown_number(&model.own_name(name)),
            Subject::Compiled(compiled) => compiled.shown(name).cloned(),
        }
    }

    /// The declarations of units that the model has, as a text.
    fn declared_units(&self) -> String {
        let model = match self {
            Subject::Model(model) => model,
            Subject::Compiled(compiled) => match compiled.model() {
                Ok(model) => model,
                Err(_) => return String::new(),
            },
        };
        let declared = model.checked().units().declared().iter();
        declared.map(|unit| format!("{unit}\n")).collect()
    }

    /// Conditions with the names that closed forms use in place of paths.
    fn own_conditions(&mut self, conditions: &[String]) -> Vec<String> {
        let own = |condition: &String| match self {
            Subject::Model(model) => model.own_condition(condition),
            Subject::Compiled(compiled) => match compiled.model() {
                Ok(model) => model.clone().own_condition(condition),
                Err(_) => condition.clone(),
            },
        };
        conditions.iter().map(own).collect()
    }

    /// The name of `name` in closed forms. A path becomes part of the model.
    fn reached(&mut self, name: &str) -> String {
        match name.contains('.') {
            true => self.own_conditions(&[name.to_owned()]).concat(),
            false => name.to_owned(),
        }
    }

    /// Brings what `--only` names by paths into the model.
    fn reach(&mut self, only: &[String]) {
        only.iter().for_each(|name| drop(self.reached(name)));
    }

    /// True for the name of a parameter.
    fn is_parameter(&self, name: &str) -> bool {
        match self {
            Subject::Model(model) => {
                let own = model.own_name(name);
                let mut parameters = model.checked().parameters();
                parameters.any(|parameter| parameter.name.text == own)
            }
            Subject::Compiled(compiled) => {
                let mut parameters = compiled.parameters().iter();
                parameters.any(|parameter| parameter.name == name)
            }
        }
    }

    /// True if a parameter stands for a number that need not be whole.
    fn is_real(&self, name: &str) -> bool {
        let own = match self {
            Subject::Model(model) => model.own_name(name),
            Subject::Compiled(_) => name.to_owned(),
        };
        let is_whole = match self {
            Subject::Model(model) => {
                let mut parameters = model.checked().parameters();
                let parameter = parameters.find(|equation| equation.name.text == own);
                let whole = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
                parameter.is_some_and(|equation| equation.facts.iter().any(whole))
            }
            Subject::Compiled(compiled) => {
                let mut parameters = compiled.parameters().iter();
                parameters.any(|parameter| parameter.name == own && parameter.whole)
            }
        };
        !is_whole && self.rows(name).is_none() && self.scalar_parameters().contains(&own)
    }

    /// The names of the parameters that stand for numbers.
    fn scalar_parameters(&self) -> Vec<String> {
        match self {
            Subject::Model(model) => model.scalar_parameters().map(str::to_owned).collect(),
            Subject::Compiled(compiled) => {
                let scalar = compiled.parameters().iter().filter(|p| !p.law);
                scalar.map(|p| p.name.clone()).collect()
            }
        }
    }
}

/// The names that can be given values.
struct Names {
    parameters: Vec<String>,
    /// Numeric equations without arguments.
    equations: Vec<String>,
    /// The model with imported files, which has names for theirs.
    model: Option<Box<Model>>,
}

impl Names {
    fn of(model: &Model) -> Names {
        let own = model.checked().equations().iter();
        let own = own.filter(|e| e.kind == Type::Numeric && e.formals.is_empty());
        let (parameters, equations): (Vec<_>, Vec<_>) = own.partition(|e| e.parameter);
        let names = |of: Vec<&Equation>| of.iter().map(|e| e.name.text.clone()).collect();
        Names {
            parameters: names(parameters),
            equations: names(equations),
            model: model.checked().is_linked().then(|| Box::new(model.clone())),
        }
    }

    /// The name that the model uses for `name`.
    fn own(&self, name: &str) -> String {
        let linked = self.model.as_ref().map(|model| model.own_name(name));
        linked.unwrap_or_else(|| name.to_owned())
    }

    /// True if it is a parameter that is declared as a row of a table.
    fn is_row(&self, name: &str) -> bool {
        let rows = self.model.as_ref().and_then(|model| model.rows(name));
        rows.is_some()
    }

    /// True for a row, a parameter or an equation of the model.
    fn has(&self, name: &str) -> bool {
        let own = self.own(name);
        let mut all = self.parameters.iter().chain(&self.equations);
        self.is_row(name) || all.any(|known| *known == own)
    }

    /// # Errors
    /// Fails unless `name`, given at `place`, is a row, a parameter or an equation of the model.
    fn require(&self, name: &str, place: &str) -> Result<(), Error> {
        if self.has(name) {
            return Ok(());
        }
        let name = &self.own(name);
        let parameters: Vec<&str> = self.parameters.iter().map(String::as_str).collect();
        let message = format!(
            "{place}: cannot set `{name}`: the model has no such parameter or numeric equation; its parameters are {}",
            listed(&parameters)
        );
        let all = self.parameters.iter().chain(&self.equations);
        let all: Vec<&str> = all.map(String::as_str).collect();
        Err(unknown_name(message, name, &all))
    }
}

/// Reads the model of the command line, without the values given to it; prints warnings about legal but probably
/// unintended constructs.
fn read_model(input: &Input) -> Result<Model, Error> {
    match read_subject(input)? {
        Subject::Model(model) => Ok(*model),
        Subject::Compiled(compiled) => compiled.model().cloned(),
    }
}

/// Like `read_model`, also for compiled models.
fn read_subject(input: &Input) -> Result<Subject, Error> {
    let (name, text) = match input.file.as_str() {
        "-" => ("standard input", standard_input()?),
        file => (file, read_file(Path::new(file))?),
    };
    if Compiled::is_saved(&text) {
        return Compiled::load(name, &text).map(Subject::Compiled);
    }
    let loader = LibraryLoader {
        directories: input.library.clone(),
    };
    let model = Model::read(name, &text, &loader)?;
    let checked = model.checked();
    if checked.equations().is_empty() {
        let hint =
            "a model has a process or a numeric equation, for example `process main = delay(1)`";
        return Err(Error::new(format!("{name} is empty: it has no equation")).hint(hint));
    }
    for warning in checked.warnings() {
        let color = std::io::stderr().is_terminal();
        output::note(warning.render(checked.sources(), color).trim_end());
    }
    Ok(Subject::Model(Box::new(model)))
}

/// All of a file, which is no longer than a model may be.
fn read_file(path: &Path) -> Result<String, Error> {
    let text = FileLoader.read(&path.to_string_lossy());
    text.map_err(|reason| {
        let error = Error::new(format!("cannot read `{}`: {reason}", path.display()));
        let model = path.with_extension("pam");
        match path.extension().is_none() && model.is_file() {
            true => error.hint(format!("did you mean `{}`?", model.display())),
            false => error,
        }
    })
}

/// All of standard input.
fn standard_input() -> Result<String, Error> {
    let cannot_read = |reason: String| Error::new(format!("cannot read standard input: {reason}"));
    let mut text = String::new();
    std::io::stdin()
        .take(MAX_INPUT + 1)
        .read_to_string(&mut text)
        .map_err(|error| cannot_read(error.to_string()))?;
    if text.len() as u64 > MAX_INPUT {
        return Err(cannot_read("it is longer than 64 MB".to_string()));
    }
    Ok(text)
}

/// The library's rules, and those of the directory given.
fn rule_base(options: &RuleOptions) -> Result<RuleBase, Error> {
    let mut base = crate::rules::standard()?;
    let Some(directory) = &options.rules else {
        return Ok(base);
    };
    let cannot_read = |error: std::io::Error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "no such directory".to_owned(),
            std::io::ErrorKind::NotADirectory => "it is not a directory".to_owned(),
            _ => error.to_string(),
        };
        let message = format!("cannot read rules in `{}`: {reason}", directory.display());
        Error::new(message).hint("`--rules` takes a directory with files named *.rules")
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(cannot_read)? {
        let path = entry.map_err(cannot_read)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "rules")
        {
            files.push(path);
        }
    }
    if files.is_empty() {
        let message = format!(
            "no rules in `{}`: no file in it ends in .rules",
            directory.display()
        );
        return Err(Error::new(message));
    }
    // The order of a directory is not that of the rules.
    files.sort();
    for path in files {
        let text = read_file(&path)?;
        let family = path.file_stem().unwrap_or_default().to_string_lossy();
        base.add(&family, &path.to_string_lossy(), &text)?;
    }
    Ok(base)
}
