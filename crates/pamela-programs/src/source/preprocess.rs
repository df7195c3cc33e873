//! The user's compiler as a preprocessor.

use std::path::Path;
use std::process::{Command, Stdio};

use super::headers::Headers;
use crate::problem::Problem;

/// Advice for programs with MPI that cannot be compiled.
pub const MPI_HINT: &str = "use --cc 'mpicc -O2' for MPI programs; install MPI for example with `apt-get install libopenmpi-dev`";

/// A compiler with its options, `gcc -O2 -fopenmp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    pub program: String,
    pub options: Vec<String>,
    /// Nothing is compiled: substitute headers come before installed ones, so libraries need not be installed.
    pub only_reads: bool,
}

impl Compiler {
    /// Reads a command line.
    ///
    /// # Errors
    /// Fails for an empty command, or if a quote is not closed.
    pub fn read(text: &str) -> Result<Compiler, Problem> {
        match words(text).unwrap_or_default().split_first() {
            Some((program, options)) => Ok(Compiler {
                program: program.clone(),
                options: options.to_vec(),
                only_reads: false,
            }),
            None => Err(Problem::new(format!(
                "`{text}` is not a compiler: expected a command with its options, for example `gcc -O2 -fopenmp`"
            ))),
        }
    }

    /// This compiler, for files that are only read.
    pub fn reader(&self) -> Compiler {
        Compiler {
            only_reads: true,
            ..self.clone()
        }
    }
}

/// The words of a command line; quotes keep blanks.
///
/// # Errors
/// Fails if a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, Problem> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(quote) => Err(Problem::new(format!("`{text}` has no closing {quote}"))),
    }
}

impl Default for Compiler {
    /// The system's, with OpenMP.
    fn default() -> Compiler {
        Compiler {
            program: "cc".to_string(),
            options: vec!["-O2".to_string(), "-fopenmp".to_string()],
            only_reads: false,
        }
    }
}

/// The preprocessed text, and the values of the macros that are kept as parameters.
pub fn preprocess(
    file: &Path,
    compiler: &Compiler,
    parameters: &[String],
) -> Result<(String, Vec<(String, String)>), Problem> {
    if parameters.is_empty() {
        return Ok((run(compiler, &["-E"], file, None)?, Vec::new()));
    }
    // Includes and conditions first, with macros left as they are: so their names can be kept.
    let options = ["-E", "-fdirectives-only"];
    let text = run(compiler, &options, file, None).map_err(|problem| {
        problem.hint("--param needs a compiler with -fdirectives-only, such as gcc")
    })?;
    let (kept, defaults) = keep_names(&text, parameters);
    if let Some(name) = decides(file, parameters) {
        return Err(Problem::new(format!(
            "`{name}` cannot be a parameter: an `#if` of `{}` uses its value",
            file.display()
        )));
    }
    let options = ["-E", "-undef", "-x", "c"];
    Ok((run(compiler, &options, file, Some(&kept))?, defaults))
}

/// Runs the compiler as a preprocessor of a file, or of a text in its place.
fn run(
    compiler: &Compiler,
    options: &[&str],
    file: &Path,
    text: Option<&str>,
) -> Result<String, Problem> {
    let headers = if compiler.only_reads {
        Headers::new()
    } else {
        None
    };
    let mut command = Command::new(&compiler.program);
    command.args(headers.iter().map(Headers::option));
    command.args(&compiler.options).args(options);
    match text {
        Some(_) => command.arg("-").stdin(Stdio::piped()),
        // A name that begins with `-` is that of a file all the same.
        None => if file.to_string_lossy().starts_with('-') {
            command.arg(Path::new(".").join(file))
        } else {
            command.arg(file)
        }
        .stdin(Stdio::null()),
    };
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let cannot = |error: std::io::Error| {
        Problem::new(format!("cannot run `{}`: {error}", compiler.program)).hint(
            if compiler.program.contains("mpicc") {
                MPI_HINT
            } else {
                "choose a C compiler with --cc"
            },
        )
    };
    let mut child = command.spawn().map_err(cannot)?;
    let input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        if let (Some(mut input), Some(text)) = (input, text) {
            // A compiler that ends early says itself what is wrong.
            scope.spawn(move || std::io::Write::write_all(&mut input, text.as_bytes()));
        }
        child.wait_with_output()
    });
    let output = output.map_err(cannot)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| line.contains("error"));
        let first = first.or(said.lines().next()).unwrap_or("without a message");
        return Err(Problem::new(format!(
            "`{}` cannot preprocess `{}`: {}",
            compiler.program,
            file.display(),
            first.trim()
        )));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Problem::new(format!("`{}` is not UTF-8 text", file.display())))
}

/// The text with `#define N 100` said as `#define N N` for each parameter; and the values it had.
fn keep_names(text: &str, parameters: &[String]) -> (String, Vec<(String, String)>) {
    let mut kept = String::with_capacity(text.len());
    let mut defaults = Vec::new();
    let mut builtin = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with("# ") {
            // The compiler knows its own macros, and complains of a second definition.
            builtin = line.contains("\"<");
        }
        let defined = line.trim_start().strip_prefix('#').map(str::trim_start);
        let defined = defined.and_then(|rest| rest.strip_prefix("define"));
        match defined.map(str::trim) {
            Some(_) if builtin => kept.push('\n'),
            Some(rest) => {
                let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                let (name, value) = rest.split_at(end.unwrap_or(rest.len()));
                if parameters.iter().any(|parameter| parameter == name) {
                    kept.push_str(&format!("#define {name} {name}\n"));
                    defaults.push((name.to_string(), value.trim().to_string()));
                } else {
                    kept.push_str(line)
                }
            }
            None => kept.push_str(line),
        }
    }
    (kept, defaults)
}

/// A parameter that an `#if` of the file compares.
fn decides<'a>(file: &Path, parameters: &'a [String]) -> Option<&'a String> {
    let text = std::fs::read_to_string(file).ok()?;
    let conditions = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("if").or(rest.strip_prefix("elif"))?;
        (!rest.starts_with("def") && !rest.starts_with("ndef")).then_some(rest)
    });
    let words: Vec<&str> = conditions
        .flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .collect();
    parameters
        .iter()
        .find(|name| words.contains(&name.as_str()))
}
