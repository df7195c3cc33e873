//! The same model gives the same bytes.

use std::path::Path;
use std::process::{Command, Output};

use crate::selection::is_selected;

const RUNS: usize = 20;

fn simplify(model: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["simplify", "--all", model])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("the binary runs")
}

#[test]
fn twenty_runs_print_the_same_bytes() {
    let models = [
        "corpus/papers/mrm.pam",
        "corpus/papers/psrs.pam",
        "corpus/codes/gauss_cyclic.pam",
    ];
    let numbered = (0..).zip(models);
    for (_, model) in numbered.filter(|(number, _)| is_selected(*number)) {
        let first = simplify(model);
        assert!(
            !first.stdout.is_empty(),
            "{model}: {}",
            String::from_utf8_lossy(&first.stderr)
        );
        for _ in 1..RUNS {
            assert_eq!(simplify(model).stdout, first.stdout, "{model}");
        }
    }
}
