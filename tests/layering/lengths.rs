//! Files and functions are short enough to read in one sitting.

use std::fs;

use super::{files_below, root};

const MOST_LINES_OF_A_FILE: usize = 500;
const MOST_LINES_OF_A_FUNCTION: usize = 80;
/// A longer function says so above it, with the reason.
const REASONS: [&str; 2] = ["One long function, because", "One table, because"];

/// The functions of a formatted file that are too long and give no reason, with the line that they begin in.
fn long_functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let words: Vec<&str> = code.split(' ').collect();
        let Some(place) = words.iter().position(|word| *word == "fn") else {
            continue;
        };
        let is_head = words[..place]
            .iter()
            .all(|word| word.starts_with("pub") || ["const", "unsafe", "async"].contains(word));
        let end = format!("{}}}", &line[..line.len() - code.len()]);
        let body = lines[first..].iter().position(|line| *line == end);
        if !is_head
            || code.ends_with('}')
            || code.ends_with(';')
            || body < Some(MOST_LINES_OF_A_FUNCTION)
        {
            continue;
        }
        let above = lines[..first].iter().rev();
        let mut above = above.take_while(|line| {
            let line = line.trim_start();
            line.starts_with("//")
                || line.starts_with('#')
                || line.starts_with(')')
                || line.starts_with('"')
        });
        if !above.any(|line| REASONS.iter().any(|reason| line.contains(reason))) {
            found.push((words[place + 1].to_string(), first + 1));
        }
    }
    found
}

#[test]
fn files_and_functions_are_short_or_say_why_not() {
    let mut faults = Vec::new();
    for directory in ["benches", "crates", "src", "tests"] {
        for file in files_below(&root().join(directory)) {
            let name = file.strip_prefix(root()).expect("it lies below the root");
            let text = fs::read_to_string(&file).expect("a source file can be read");
            let lines = text.lines().count();
            if lines > MOST_LINES_OF_A_FILE {
                faults.push(format!("{}: {lines} lines", name.display()));
            }
            for (function, line) in long_functions(&text) {
                faults.push(format!("{}:{line}: {function} is too long", name.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn long_functions_are_found_unless_they_give_a_reason() {
    let body = "    let x = 1;\n".repeat(MOST_LINES_OF_A_FUNCTION);
    let long = format!("    pub(super) fn long(&self) {{\n{body}    }}\n");
    assert_eq!(long_functions(&long), [("long(&self)".to_string(), 1)]);
    let with_reason =
        format!("    /// One long function, because it is a table.\n    #[inline]\n{long}");
    assert_eq!(long_functions(&with_reason), []);
    let short = format!("fn short() {{\n}}\n{body}}}\nfn declared();\n");
    assert_eq!(long_functions(&short), []);
}
