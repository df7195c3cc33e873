//! Lists of compiler commands (`compile_commands.json`), as CMake, Meson and Bear write them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::preprocess::{Compiler, words};
use crate::problem::Problem;

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Options whose value is a path.
const PATHS: [&str; 5] = ["-I", "-isystem", "-iquote", "-include", "-imacros"];

/// The C files of a list, each with the compiler that reads it.
///
/// # Errors
/// Fails if the list cannot be read, has no C files, or an entry has no command.
pub fn read(list: &Path) -> Result<Vec<(PathBuf, Compiler)>, Problem> {
    let name = list.display();
    let wrong = |message: String| Problem::new(format!("`{name}`: {message}"));
    let text = std::fs::read_to_string(list).map_err(|error| wrong(error.to_string()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        wrong(error.to_string()).hint("expected a list of compiler commands, as `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes")
    })?;
    let around = list.parent().unwrap_or(Path::new(""));
    let mut files: Vec<(PathBuf, Compiler)> = Vec::new();
    for entry in entries {
        if entry
            .file
            .extension()
            .is_none_or(|extension| extension != "c")
        {
            continue;
        }
        let command = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => words(&command)?,
            (None, None) => Vec::new(),
        };
        let directory = around.join(&entry.directory);
        let compiler = compiler(&command, &directory, &entry.file);
        let compiler =
            compiler.ok_or_else(|| wrong(format!("`{}` has no command", entry.file.display())))?;
        files.push((directory.join(&entry.file), compiler));
    }
    if files.is_empty() {
        Err(wrong("it has no C files".to_string()))
    } else {
        Ok(files)
    }
}

/// The options of a command that matter to the preprocessor, with paths from anywhere.
fn compiler(command: &[String], directory: &Path, file: &Path) -> Option<Compiler> {
    let (program, rest) = command.split_first()?;
    let from = |path: &str| directory.join(path).to_string_lossy().into_owned();
    let mut options = Vec::new();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let attached = PATHS
            .iter()
            .find_map(|option| Some((option, word.strip_prefix(option)?)));
        match (word.as_str(), attached) {
            ("-c" | "-S" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP", _) => {}
            ("-o" | "-MF" | "-MT" | "-MQ", _) => {
                rest.next();
            }
            (_, Some((option, ""))) => options.extend(
                rest.next()
                    .map(|path| [(*option).to_string(), from(path)])
                    .into_iter()
                    .flatten(),
            ),
            (_, Some((option, path))) => options.extend([(*option).to_string(), from(path)]),
            (word, None)
                if Path::new(word) == file || directory.join(word) == directory.join(file) => {}
            (word, None) => options.push(word.to_string()),
        }
    }
    Some(Compiler {
        program: program.clone(),
        options,
        only_reads: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_keep_what_the_preprocessor_needs() {
        let command =
            words("gcc -Iinclude -I ../a -DN=3 -O2 -MD -MF x.d -o x.o -c src/x.c").expect("words");
        let found =
            compiler(&command, Path::new("/build"), Path::new("src/x.c")).expect("a compiler");
        assert_eq!(found.program, "gcc");
        assert_eq!(
            found.options,
            ["-I", "/build/include", "-I", "/build/../a", "-DN=3", "-O2"]
        );
        assert!(compiler(&[], Path::new("/build"), Path::new("x.c")).is_none());
    }
}
