//! How long it takes to find and prove the closed forms of the regular graphs of the corpus, each as its whole model.

use std::fs;
use std::path::Path;
use std::thread;

use pamela::syntax::FileLoader;
use pamela::{Model, Options};

fn main() {
    divan::main();
}

/// The models of `corpus/graphs`, by name.
fn names() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/graphs");
    let entries = fs::read_dir(directory).expect("the corpus is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let models = paths.filter(|path| path.extension().is_some_and(|ending| ending == "pam"));
    let mut names: Vec<String> = models
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

#[divan::bench(args = names(), sample_count = 10)]
fn closed(bencher: divan::Bencher, name: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/graphs");
    let path = directory.join(format!("{name}.pam"));
    let text = fs::read_to_string(&path).expect("a model of the corpus can be read");
    let model = Model::read(&path.to_string_lossy(), &text, &FileLoader).expect("it is a model");
    let rules = pamela::rules::standard().expect("the rules are right");
    let options = Options {
        without_moments: true,
        ..Options::default()
    };
    // A thread remembers what it has proved.
    let close = || model.simplify_with(rules.clone(), &options);
    bencher.bench(|| thread::scope(|scope| scope.spawn(close).join()));
}
