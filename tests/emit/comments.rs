//! Words of a model in emitted code and documents: whatever they are, they stay in their comments.

use std::process::Command;

use pamela::diagnostic::one_line;

use super::{file, installed, pamela, run};

/// What would be executed, were it not in a comment; each language has a form of it that is harmless to others.
const PAYLOAD: &str = "PAYLOAD";

/// What ends a line, a comment, a string or an element somewhere, or changes the order of what is read.
const ENDS: [&str; 24] = [
    "\r",
    "\u{b}",
    "\u{c}",
    "\0",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2066}",
    "\u{2069}",
    "\u{200f}",
    "\u{1b}[2K",
    "\u{7f}",
    "*/",
    "**//",
    "/*",
    "\\",
    "??/",
    "#=",
    "=#",
    "</script>",
    "<!--",
    "-->",
    "\"\"\"",
];

const LANGUAGES: [(&str, &str); 9] = [
    ("c", "c"),
    ("rust", "rs"),
    ("python", "py"),
    ("numpy", "py"),
    ("julia", "jl"),
    ("javascript", "js"),
    ("fortran", "f90"),
    ("sql", "sql"),
    ("sympy", "py"),
];

/// A model whose comments try each of the ends, followed by code that writes the payload.
fn model() -> String {
    let mut text = String::new();
    for (number, end) in ENDS.iter().enumerate() {
        let code = format!("print(\"{PAYLOAD}\") ; console.log(\"{PAYLOAD}\") ; {PAYLOAD}() {end}");
        text.push_str(&format!(
            "numeric parameter p{number} : integer >= 1   % words {end}{code}\n"
        ));
    }
    let all: Vec<String> = (0..ENDS.len()).map(|number| format!("p{number}")).collect();
    text.push_str(&format!("numeric f = {} + 1\n", all.join(" + ")));
    text
}

fn printed(path: &str, language: &str) -> String {
    let output = pamela(&["simplify", path, "--emit", language]);
    assert!(output.status.success(), "{language}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text without its comments: those of C to their first end, others to the end of their lines.
fn without_comments(language: &str, text: &str) -> String {
    if language == "c" {
        let mut pieces = text.split("/*");
        let first = pieces.next().unwrap_or_default().to_string();
        let rest = pieces.map(|piece| piece.split_once("*/").map_or("", |(_, rest)| rest));
        return rest.fold(first, |all, piece| all + piece);
    }
    let sign = match language {
        "rust" | "javascript" => "//",
        "sql" => "--",
        "fortran" => "!",
        "pamela" => "%",
        _ => "#",
    };
    // What any of the languages takes for the end of a line.
    let lines = text.split([
        '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ]);
    let code = lines.map(|line| line.split_once(sign).map_or(line, |(code, _)| code));
    code.collect::<Vec<&str>>().join("\n")
}

#[test]
fn comments_cannot_end_their_line() {
    let path = file("comments.pam", &model());
    let path = path.to_str().expect("a plain path");
    for (language, _) in LANGUAGES.into_iter().chain([("pamela", "pam")]) {
        let text = printed(path, language);
        assert!(
            text.matches(PAYLOAD).count() >= ENDS.len(),
            "{language}: words are missing"
        );
        let code = without_comments(language, &text);
        assert!(!code.contains(PAYLOAD), "{language}:\n{code}");
        assert!(
            !text.contains("</script") || language == "pamela",
            "{language}"
        );
        for line in text.split('\n') {
            assert_eq!(line, one_line(line), "{language}");
        }
    }
}

/// With what is installed, the files run as far as to tell that nothing of the comments does.
#[test]
fn comments_are_not_executed() {
    let path = file("comments_run.pam", &model());
    let path = path.to_str().expect("a plain path");
    for (language, ending) in LANGUAGES {
        let source = file(
            &format!("comments_{language}.{ending}"),
            &printed(path, language),
        );
        let program = match language {
            "c" => "cc",
            "rust" => "rustc",
            "python" | "numpy" | "sympy" => "python3",
            "javascript" => "node",
            "julia" => "julia",
            "fortran" => "gfortran",
            _ => continue,
        };
        let package = match language {
            "numpy" | "sympy" => vec!["-c".to_string(), format!("import {language}")],
            _ => vec!["--version".to_string()],
        };
        let package: Vec<&str> = package.iter().map(String::as_str).collect();
        if !installed(program, &package) {
            continue;
        }
        let object = source.with_extension("out");
        let mut command = Command::new(program);
        match language {
            "c" => command
                .args(["-Werror=comment", "-c", "-o"])
                .arg(object)
                .arg(&source),
            "fortran" => command
                .args(["-fsyntax-only", "-J"])
                .arg(std::env::temp_dir())
                .arg(&source),
            "rust" => command
                .args(["--crate-type", "lib", "--emit", "metadata", "-o"])
                .arg(object)
                .arg(&source),
            _ => command.arg(&source),
        };
        assert_eq!(run(&mut command), "", "{language}");
    }
}

/// A name of a file is quoted in notes and in typeset formulas; so are those in pages.
#[test]
fn documents_hold_no_markup_of_a_model() {
    let samples = file("a<img src=x onerror=alert(1)>&.csv", "t\n1\n2\n5\n");
    let name = samples.file_name().expect("a name").to_string_lossy();
    let words = ENDS.join("<script>alert(1)</script>");
    let words = words.replace('\n', " ");
    let text = format!(
        "numeric parameter n : integer >= 1 = 3   % {words}\n\
         numeric X = empirical(\"{name}\", \"t\")\n\
         numeric Y = max(X, 3)\n\
         process main = par (i = 1, 3) delay(Y + n)\n"
    );
    let path = file("documents.pam", &text);
    let path = path.to_str().expect("a plain path");
    let page = file("documents.html", "");
    let page_path = page.to_str().expect("a plain path");
    let output = pamela(&["report", path, "-D", "n=1:9", "-o", page_path]);
    assert!(output.status.success(), "{output:?}");
    let html = std::fs::read_to_string(&page).expect("a page");
    for (kind, text) in [("mathml", printed(path, "mathml")), ("page", html)] {
        assert!(!text.contains("<img"), "{kind}");
        assert!(!text.contains("<script>alert"), "{kind}");
        // The data of a page are JSON, whose strings may hold anything.
        let without_data = text
            .lines()
            .filter(|line| !line.contains("application/json"));
        for line in without_data {
            assert_eq!(line.replace('\t', " "), one_line(line), "{kind}");
        }
    }
    let latex = printed(path, "latex");
    for line in latex.split('\n') {
        assert_eq!(line, one_line(line));
        assert!(line.is_empty() || line.starts_with("\\["), "{line}");
        assert!(!line.contains(" %"), "{line}");
    }
}
