//! The models of small programs that use what there is to translate; each has been read line by line.

use std::path::Path;

use pamela_programs::source;
use pamela_programs::{Options, model};

fn modelled(name: &str, counts: bool) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let text = std::fs::read_to_string(directory.join(name)).expect("the program is there");
    let unit = source::parse(name, text).expect("the program can be read");
    let options = Options {
        counts,
        ..Options::default()
    };
    let model = model(&[unit], &options).expect("the program has a model");
    let opaque = model.opaque.iter().map(|part| {
        let place = part
            .place
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let hint = part.hint.as_deref().unwrap_or_default();
        format!(
            "% not understood: {}, {place}: {}; {hint}\n",
            part.name, part.reason
        )
    });
    model.model + &opaque.collect::<String>()
}

#[test]
fn serial_loops_and_branches() {
    insta::assert_snapshot!(modelled("serial.c", false));
}

#[test]
fn constructs_of_openmp() {
    insta::assert_snapshot!(modelled("threads.c", false));
}

#[test]
fn counts_under_openmp() {
    insta::assert_snapshot!(modelled("threads.c", true));
}

#[test]
fn calls_and_globals() {
    insta::assert_snapshot!(modelled("calls.c", false));
}

#[test]
fn what_the_user_says_by_pragmas() {
    insta::assert_snapshot!(modelled("pragmas.c", false));
}
