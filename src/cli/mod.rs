//! The command line: a thin reader of the library.
//!
//! Results go to standard output, diagnostics to standard error. The exit code is 0 for success, 1 for an error in
//! the model or its data, 2 for an error in the command line, and 3 for an incomplete result.

mod arguments;
mod assertions;
#[cfg(feature = "programs")]
pub mod calibrate;
#[cfg(feature = "programs")]
mod callpaths;
mod check;
#[cfg(feature = "tools")]
mod columns;
#[cfg(feature = "tools")]
mod compare;
#[cfg(feature = "tools")]
mod compiling;
#[cfg(feature = "tools")]
mod diff;
mod estimates;
mod evaluate;
mod examples;
#[cfg(feature = "tools")]
mod fit;
mod fit_file;
mod fmt;
#[cfg(feature = "editor")]
mod lsp;
#[cfg(feature = "programs")]
mod machine;
#[cfg(feature = "programs")]
mod machine_mpi;
#[cfg(feature = "editor")]
mod mcp;
#[cfg(feature = "programs")]
pub mod measured;
#[cfg(feature = "tools")]
mod merge;
#[cfg(feature = "programs")]
mod model;
mod near;
mod new;
#[cfg(feature = "tools")]
mod notes;
#[cfg(feature = "tools")]
mod optimise;
pub mod output;
#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "programs")]
mod profile;
pub mod progress;
#[cfg(feature = "tools")]
mod report;
mod rows;
#[cfg(feature = "tools")]
mod rules;
pub mod shared;
#[cfg(feature = "tools")]
mod shell;
mod simplify;
#[cfg(feature = "tools")]
mod simulate;
mod slips;
#[cfg(feature = "tools")]
mod solve;
mod study;
#[cfg(feature = "tools")]
mod subject;
#[cfg(feature = "tools")]
mod sweep;
#[cfg(feature = "tools")]
mod sweep_values;
mod uncertain;
mod units;
mod values;
mod version;

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "tools")]
use clap::CommandFactory;
use clap::Parser;

use crate::algebra::RuleBase;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, listed};
use crate::pipeline::{Model, unknown_name};
use crate::syntax::tree::{Equation, Type};
use crate::syntax::{FileLoader, LibraryLoader, Loader, NoFiles};
use crate::timing::Origin;
use arguments::{Arguments, Command};
#[cfg(feature = "programs")]
pub use calibrate::{Measured, Wish, leave_out_interrupted};
#[cfg(feature = "programs")]
pub use measured::{Reading, Target, left_aside, table_of};
#[cfg(feature = "tools")]
pub use report::thin_out as thin_out_sliders;
use shared::{Input, RuleOptions};
pub use uncertain::predict;

/// Expressions may be nested deeply; the main thread's stack is for small programs. Less is taken where the address
/// space is limited: the stack grows where it has to.
const STACKS: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];
/// Longer texts on standard input are refused, as the files of a model are.
const MAX_INPUT: u64 = 64 << 20;

/// Outcome of a command without an error; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The result is complete.
    Done,
    /// Open reductions are left.
    Incomplete,
    /// A check found errors, which the output states.
    Wrong,
    /// Another program ran the command and returned this exit code.
    Exit(u8),
}

/// Runs the command that the arguments say, the first of which is the name of the program; returns the exit code.
pub fn main(arguments: impl Iterator<Item = OsString>) -> u8 {
    let given: Vec<OsString> = arguments.collect();
    if version::asks_for_build(&given) {
        // A reader that has left is no error.
        let _ = output::line(&version::build());
        return 0;
    }
    if let Some(arguments) = study::asked_for_help(&given) {
        return run_with_stack(move || study::run(&arguments));
    }
    #[cfg_attr(not(feature = "tools"), expect(unused_mut))]
    let mut arguments = Arguments::try_parse_from(&given).unwrap_or_else(|mut error| {
        slips::advise(&mut error, &given);
        error.exit()
    });
    #[cfg(feature = "tools")]
    if let Command::Sweep(sweep) = &mut arguments.command {
        sweep.given = given;
    }
    run_with_stack(move || run(&arguments.command))
}

/// Runs a command on a thread with a large stack, prints its error, and returns the exit code.
pub fn run_with_stack(command: impl Fn() -> Result<Outcome, Error> + Send + Sync + 'static) -> u8 {
    let command = Arc::new(command);
    let start = |stack: usize| {
        let command = command.clone();
        let thread = std::thread::Builder::new().stack_size(stack);
        thread.spawn(move || {
            let color = std::io::stderr().is_terminal();
            command().map_err(|error| output::error(error, color))
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
        Ok(Ok(Outcome::Exit(code))) => code,
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
        #[cfg(feature = "tools")]
        Command::Completions(arguments) => shell::completions(arguments, Arguments::command()),
        #[cfg(feature = "tools")]
        Command::Man(arguments) => shell::man(arguments, Arguments::command()),
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Simplify(arguments) => simplify::run(arguments),
        Command::Eval(arguments) => evaluate::run(arguments),
        #[cfg(feature = "tools")]
        Command::Sweep(arguments) => sweep::run(arguments),
        #[cfg(feature = "tools")]
        Command::Merge(arguments) => merge::run(arguments),
        #[cfg(feature = "editor")]
        Command::Lsp(arguments) => lsp::run(arguments),
        #[cfg(feature = "editor")]
        Command::Mcp(arguments) => mcp::run(arguments),
        #[cfg(feature = "plot")]
        Command::Plot(arguments) => plot::run(arguments),
        #[cfg(feature = "tools")]
        Command::Optimise(arguments) => optimise::run(arguments),
        #[cfg(feature = "tools")]
        Command::Solve(arguments) => solve::run(arguments),
        #[cfg(feature = "tools")]
        Command::Report(arguments) => report::run(arguments),
        #[cfg(feature = "tools")]
        Command::Simulate(arguments) => simulate::run(arguments),
        #[cfg(feature = "tools")]
        Command::Compare(arguments) => compare::run(arguments),
        #[cfg(feature = "tools")]
        Command::Diff(arguments) => diff::run(arguments),
        #[cfg(feature = "tools")]
        Command::Fit(arguments) => fit::run(arguments),
        #[cfg(feature = "programs")]
        Command::Model(arguments) => model::run(arguments),
        #[cfg(feature = "programs")]
        Command::Profile(arguments) => profile::run(arguments),
        #[cfg(feature = "programs")]
        Command::Machine(arguments) => machine::run(arguments),
        #[cfg(feature = "programs")]
        Command::Calibrate(arguments) => calibrate::run(arguments),
        #[cfg(feature = "tools")]
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

    /// The model with equations for the time of each label.
    fn with_labels(self) -> Result<Subject, Error> {
        let labelled = match &self {
            Subject::Model(model) => model.with_labels()?,
            Subject::Compiled(compiled) => compiled.model()?.with_labels()?,
        };
        Ok(Subject::Model(Box::new(labelled)))
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
        if name.contains('.') {
            self.own_conditions(&[name.to_owned()]).concat()
        } else {
            name.to_owned()
        }
    }

    /// Brings what `--only` names by paths into the model.
    fn reach(&mut self, only: &[String]) {
        only.iter().for_each(|name| drop(self.reached(name)));
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
    if let Some(text) = &input.text {
        let model = Model::read("model", text, &NoFiles)?;
        return Ok(Subject::Model(Box::new(model)));
    }
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
pub fn read_file(path: &Path) -> Result<String, Error> {
    let text = FileLoader.read(&path.to_string_lossy());
    text.map_err(|reason| {
        let error = Error::new(format!("cannot read `{}`: {reason}", path.display()));
        match near::file(path).filter(|_| !path.exists()) {
            Some(near) => error.hint(format!("did you mean `{}`?", near.display())),
            None => error,
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
