//! From text to closed form, inside the process: `cargo bench --bench pipeline`

#[allow(dead_code, reason = "each bench measures some of them")]
mod models;

use std::collections::HashMap;
use std::fmt::Write;

use divan::{Bencher, black_box};

const MRM: &str = include_str!("../corpus/papers/mrm.pam");
const PSRS: &str = include_str!("../corpus/papers/psrs.pam");

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn parse_and_simplify(text: &str) -> pamela::Simplified {
    simplified(text, &pamela::Options::default())
}

fn simplified(text: &str, options: &pamela::Options) -> pamela::Simplified {
    let model = pamela::Model::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let simplified = model.simplify(options);
    simplified.unwrap_or_else(|error| panic!("{error}"))
}

#[divan::bench]
fn machine_repair_model(bencher: Bencher) {
    bencher.bench(|| parse_and_simplify(black_box(MRM)));
}

#[divan::bench]
fn parallel_sorting_by_regular_sampling(bencher: Bencher) {
    bencher.bench(|| parse_and_simplify(black_box(PSRS)));
}

/// The time of each process, and its bounds by windows and by FCFS on both sides.
#[divan::bench(args = ["MRM", "PSRS"])]
fn time_and_bounds(bencher: Bencher, model: &str) {
    let text = if model == "MRM" { MRM } else { PSRS };
    let options = pamela::Options {
        bounds: true,
        ..Default::default()
    };
    bencher.bench(|| simplified(black_box(text), &options));
}

#[divan::bench(args = [2, 4, 6])]
fn triangular_nest(bencher: Bencher, depth: usize) {
    let text = nest_of_loops(depth);
    bencher.bench(|| parse_and_simplify(black_box(&text)));
}

#[divan::bench(args = [100, 1_000], sample_count = 10)]
fn different_phases(bencher: Bencher, count: usize) {
    let text = models::phases(count);
    bencher.bench(|| parse_and_simplify(black_box(&text)));
}

/// A model that asks 5 of the equations of a library, which has so many: what the others cost is the difference.
#[divan::bench(args = [5, 1_000])]
fn import_of_a_library(bencher: Bencher, count: usize) {
    let equation = |k: usize| format!("numeric f{k}(x, y = p) = x * y + {k}\n");
    let parameter = "numeric parameter p : >= 0\n".to_owned();
    let library: String = [parameter]
        .into_iter()
        .chain((1..count).map(equation))
        .collect();
    let files = HashMap::from([("large.pam".to_owned(), library)]);
    let text = "import \"large\"
        numeric t = large.f1(2, 3) + large.f2(1, y = 2) + large.f3(4) + large.f4(5)";
    bencher.bench(|| {
        let model = pamela::Model::read("model.pam", black_box(text), &files);
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        model.simplify(&pamela::Options::default())
    });
}

/// A nest of `depth` triangular loops around a polynomial body.
fn nest_of_loops(depth: usize) -> String {
    let mut text = String::from("numeric parameter N : integer >= 0\nnumeric nest = ");
    for level in 1..=depth {
        let upper = if level == 1 {
            "N".to_string()
        } else {
            format!("i{}", level - 1)
        };
        write!(text, "sum (i{level} = 1, {upper}) {{ ").expect("a string takes every text");
    }
    write!(text, "i1 * i{depth}").expect("a string takes every text");
    text.push_str(&" }".repeat(depth));
    text.push('\n');
    text
}
