//! The LaTeX of every closed form, condition and derivation of the corpus, and of every rule, compiles.
//!
//! With KaTeX in its strict mode, where `tests/latex/install-katex` has installed it, and with pdflatex
//! where that is installed. Elsewhere a test says that it was skipped.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pamela::formula::rule_latex;

use super::support::corpus::{CorpusModel, corpus};
use crate::selection::{SHARE, selected};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What `pamela simplify --all --explain --emit latex` prints.
fn printed(model: &CorpusModel) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["simplify", "--all", "--explain", "--emit", "latex"])
        .arg(&model.path)
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("LaTeX is text")
}

/// The displays of a text: each `\[ ... \]` without its delimiters, each `align*` with them.
fn displays(text: &str) -> Vec<String> {
    let mut displays = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let inline = line.strip_prefix("\\[ ");
        if let Some(display) = inline.and_then(|line| line.strip_suffix(" \\]")) {
            displays.push(display.to_string());
        } else if line == "\\begin{align*}" {
            block = Some(line.to_string());
        } else if let Some(block) = &mut block {
            block.push('\n');
            block.push_str(line);
        } else {
            panic!("neither a display nor part of one: {line}");
        }
        if line == "\\end{align*}" {
            displays.extend(block.take());
        }
    }
    displays
}

#[test]
fn katex_takes_every_formula_and_every_derivation() {
    let Some(katex) = katex() else {
        println!("skipped: no KaTeX; `tests/latex/install-katex` installs it");
        return;
    };
    let mut formulas = Vec::new();
    for model in selected(corpus()) {
        for latex in displays(&printed(&model)) {
            formulas.push(serde_json::json!({ "place": model.name, "latex": latex }));
        }
    }
    let least = 500 / SHARE as usize;
    assert!(formulas.len() > least, "only {} displays", formulas.len());
    let rejected = typeset(&katex, &serde_json::Value::from(formulas).to_string());
    assert!(rejected.is_empty(), "{rejected}");
}

#[test]
fn katex_takes_every_rule() {
    let Some(katex) = katex() else {
        println!("skipped: no KaTeX; `tests/latex/install-katex` installs it");
        return;
    };
    let base = pamela::rules::standard().expect("the library's rules compile");
    let statements = base.rules().iter().map(
        |rule| serde_json::json!({ "place": rule.source, "latex": rule_latex(rule.written()) }),
    );
    let statements: Vec<serde_json::Value> = statements.collect();
    assert!(statements.len() > 90, "only {} rules", statements.len());
    let rejected = typeset(&katex, &serde_json::Value::from(statements).to_string());
    assert!(rejected.is_empty(), "{rejected}");
}

#[test]
fn katex_rejects_what_is_not_latex() {
    let Some(katex) = katex() else {
        println!("skipped: no KaTeX; `tests/latex/install-katex` installs it");
        return;
    };
    let rejected = typeset(&katex, r#"[{"place": "here", "latex": "x^2^3"}]"#);
    assert!(rejected.starts_with("here: "), "{rejected}");
}

/// The directory that KaTeX is installed in, if node is there to run it.
fn katex() -> Option<PathBuf> {
    let home = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let directory = home("PAMELA_KATEX").or_else(|| {
        let cache = home("XDG_CACHE_HOME").or_else(|| Some(home("HOME")?.join(".cache")))?;
        Some(cache.join("pamela/katex"))
    })?;
    let node = Command::new("node").arg("--version").output();
    let installed = directory.join("node_modules/katex").is_dir();
    (installed && node.is_ok_and(|output| output.status.success())).then_some(directory)
}

/// What KaTeX says against the formulas, a line each.
fn typeset(katex: &Path, formulas: &str) -> String {
    let mut node = Command::new("node")
        .arg(root().join("tests/latex/typeset.js"))
        .arg(katex)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut input = node.stdin.take().expect("its input is piped");
    input.write_all(formulas.as_bytes()).expect("node reads");
    drop(input);
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "node failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn pdflatex_takes_every_formula_and_every_derivation() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("skipped: no pdflatex; Debian has it in texlive-latex-base");
        return;
    }
    let mut text = String::from(
        "\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n\\allowdisplaybreaks\n\\begin{document}\n",
    );
    for model in corpus() {
        text.push_str(&format!("% {}\n{}\n", model.name, printed(&model)));
    }
    let base = pamela::rules::standard().expect("the library's rules compile");
    for rule in base.rules() {
        text.push_str(&format!(
            "% {}\n{}\n",
            rule.name,
            rule_latex(rule.written())
        ));
    }
    text.push_str("\\end{document}\n");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pdflatex");
    fs::create_dir_all(&directory).expect("a directory for the document");
    fs::write(directory.join("corpus.tex"), text).expect("the document can be written");
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "corpus.tex"])
        .current_dir(&directory)
        .output()
        .expect("pdflatex runs");
    let log = String::from_utf8_lossy(&output.stdout);
    let error = log.find("\n!").map_or("", |start| &log[start..]);
    assert!(output.status.success(), "{error}");
}
