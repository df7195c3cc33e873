//! A preprocessed and parsed program, with its pragmas.

mod buffers;
mod convert;
pub mod database;
mod declarations;
mod extensions;
mod headers;
mod implicit;
mod pragma;
mod preprocess;
mod text;
pub mod tree;
mod types;

use std::path::Path;

use crate::problem::Problem;
pub use pragma::{Family, Pragma};
pub use preprocess::{Compiler, MPI_HINT, words};
pub use text::Text;
use tree::Program;

/// A parsed file of a program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Preprocessed text, with the origin of its lines.
    pub text: Text,
    pub program: Program,
}

/// Preprocesses a file by the user's compiler and parses it. `parameters` are macros whose names are kept.
///
/// # Errors
/// Fails if the compiler cannot be started or rejects the file, or if a macro of `parameters` is not defined or
/// decides an `#if`.
pub fn read(file: &Path, compiler: &Compiler, parameters: &[String]) -> Result<Unit, Problem> {
    let name = file.to_string_lossy().into_owned();
    let (output, defaults) = preprocess::preprocess(file, compiler, parameters)?;
    let mut unit = parse(&name, output)?;
    unit.program.defaults = defaults;
    Ok(unit)
}

/// Parses preprocessed text; `name` is the file unless a line marker says otherwise.
///
/// # Errors
/// Fails if the text is too long.
pub fn parse(name: &str, preprocessed: String) -> Result<Unit, Problem> {
    let text = Text::new(name, implicit::typed(preprocessed))?;
    let program = convert::program(&text)?;
    Ok(Unit { text, program })
}

/// An expression of C, as in a clause of a pragma; `None` for any other text.
pub fn expression(text: &str) -> Option<tree::Expression> {
    let function = format!("void clause(void) {{ ({text}); }}");
    let unit = parse("clause", function).ok()?;
    let function = unit.program.functions.into_iter().next()?;
    let tree::StatementKind::Block(list) = function.body.kind else {
        return None;
    };
    match list.into_iter().next()?.kind {
        tree::StatementKind::Expression(expression)
            if function.broken.is_none() && !text.is_empty() =>
        {
            Some(expression)
        }
        _ => None,
    }
}
