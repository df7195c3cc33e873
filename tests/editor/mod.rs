//! What editors use: drafts of models that are wrong, layout, the language server.

mod assistants;
mod client;
mod drafts;
mod edits;
mod grammar;
mod layout;
mod server;
mod settings;
mod trees;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The models in these directories, in alphabetical order.
fn models(directories: &[&str]) -> Vec<(PathBuf, String)> {
    let mut pending: Vec<PathBuf> = directories.iter().map(|own| root().join(own)).collect();
    let mut found = Vec::new();
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|own| own == "pam") {
                let text = fs::read_to_string(&path).expect("a model");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// Thirty files of the corpus, spread over all of it.
fn thirty() -> Vec<(PathBuf, String)> {
    let all = models(&["corpus"]);
    let step = all.len() / 30;
    all.into_iter().step_by(step).take(30).collect()
}

/// Each of these cases, or without `PAMELA_ALL` one in `few`.
fn share<T>(cases: impl Iterator<Item = T>, few: usize) -> impl Iterator<Item = T> {
    let is_all = std::env::var_os("PAMELA_ALL").is_some_and(|own| !own.is_empty());
    cases.step_by(if is_all { 1 } else { few })
}
