//! How long a keystroke takes in a model of 10,000 lines: `cargo bench --bench keystrokes`
//!
//! Each iteration changes one equation in the middle, and finds all errors and uses of names. Further errors, which editors
//! look for while the user rests, have a benchmark of their own.

use divan::Bencher;
use pamela::pipeline::Model;
use pamela::syntax::{ItemCache, NoFiles};

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// A model of phases, each with a time and a process of three lines; one time is `changed`.
fn model(lines: usize, changed: usize) -> String {
    let mut text = String::from("numeric parameter n : integer >= 1\nnumeric parameter t : >= 0\n");
    let phases = lines / 4;
    for phase in 0..phases {
        let time = if phase == phases / 2 { changed } else { phase };
        text.push_str(&format!(
            "numeric t{phase} = {time} * t + n   % time of a phase\n\
             process p{phase} = seq (i = 1, n) {{\n    delay(t{phase} + i)\n}}\n"
        ));
    }
    text
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn keystroke(bencher: Bencher, lines: usize) {
    let mut cache = ItemCache::default();
    let mut changed = 0;
    bencher
        .with_inputs(|| {
            changed += 1;
            model(lines, 1_000_000 + changed)
        })
        .bench_local_values(|text| Model::draft_again("model.pam", &text, &NoFiles, &mut cache));
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn further_errors(bencher: Bencher, lines: usize) {
    let draft = Model::draft_again(
        "model.pam",
        &model(lines, 1),
        &NoFiles,
        &mut ItemCache::default(),
    );
    bencher.bench_local(|| draft.further_errors());
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn first_reading(bencher: Bencher, lines: usize) {
    let text = model(lines, 1);
    bencher.bench_local(|| Model::draft("model.pam", &text, &NoFiles));
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn layout(bencher: Bencher, lines: usize) {
    let text = model(lines, 1);
    bencher.bench_local(|| pamela::layout::format(&text));
}
