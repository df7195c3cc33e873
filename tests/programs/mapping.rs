//! Data-parallel codes from C with pragmas: their times are those of the models of the same codes that were made by hand.

use std::fs;
use std::path::Path;

use super::{directory, pamela};

/// The value of an equation of a model.
fn value(model: &str, definitions: &[String], name: &str, directory: &Path) -> f64 {
    let mut arguments = vec!["eval", "--emit", "pamela", "--only", name, model];
    for definition in definitions {
        arguments.extend(["-D", definition]);
    }
    let (text, errors, _) = pamela(&arguments, directory);
    let start = format!("numeric {name} = ");
    let line = text.lines().find_map(|line| line.strip_prefix(&start));
    let line = line.unwrap_or_else(|| panic!("{model}: no {name}: {text}{errors}"));
    line.parse().expect("a number")
}

/// A function of the case, the model of the corpus, and what a piece of code of each takes: `t_load` is 2, `t_flop` 3,
/// `t_store` 5.
struct Code {
    file: &'static str,
    entry: &'static str,
    corpus: &'static str,
    times: &'static [(&'static str, i64)],
    /// True if blocks are as wide as this says, or columns are dealt out in turn.
    is_block: bool,
}

const CODES: [Code; 6] = [
    Code {
        file: "data_parallel",
        entry: "matmul",
        corpus: "matmul",
        // A load and two operations; a store.
        times: &[("t_matmul_1", 8), ("t_matmul_2", 5)],
        is_block: true,
    },
    Code {
        file: "data_parallel",
        entry: "adi",
        corpus: "adi_horizontal",
        times: &[("t_adi_1", 13)],
        is_block: true,
    },
    Code {
        file: "data_parallel",
        entry: "gauss",
        corpus: "gauss_cyclic",
        times: &[("t_gauss_1", 13)],
        is_block: false,
    },
    Code {
        file: "mappings",
        entry: "adi_pipelined",
        corpus: "adi_vertical",
        times: &[("t_adi_pipelined_1", 13)],
        is_block: true,
    },
    Code {
        file: "mappings",
        entry: "adi_columns",
        corpus: "adi_vertical_columns",
        times: &[("t_adi_columns_1", 13)],
        is_block: true,
    },
    Code {
        file: "mappings",
        entry: "gauss_block",
        corpus: "gauss_block",
        times: &[("t_gauss_block_1", 13)],
        is_block: true,
    },
];

#[test]
fn data_parallel_codes_take_what_their_models_say() {
    let directory = directory("mapping");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for code in &CODES {
        let source = root.join(format!("cases/data_parallel/{}.c", code.file));
        let source = source.to_string_lossy();
        let (text, errors, status) = pamela(&["model", &source, "--entry", code.entry], &directory);
        assert_eq!(status, Some(0), "{errors}");
        let file = format!("{}.pam", code.entry);
        fs::write(directory.join(&file), &text).expect("a model");
        let by_hand = root.join(format!("corpus/codes/{}.pam", code.corpus));
        let by_hand = by_hand.to_string_lossy();
        for (n, p, block) in [(12, 4, 3), (13, 4, 4), (7, 3, 9), (20, 1, 20), (5, 8, 1)] {
            let own = [format!("n={n}"), "t_startup=100".into(), "t_word=7".into()];
            let mut own = own.to_vec();
            let size = if code.is_block {
                format!("block={block}")
            } else {
                format!("p={p}")
            };
            own.push(size);
            own.extend(
                code.times
                    .iter()
                    .map(|(name, time)| format!("{name}={time}")),
            );
            own.retain(|given| {
                let name = given.split('=').next().unwrap_or_default();
                text.contains(&format!("numeric parameter {name} "))
            });
            let mut others: Vec<String> = [
                "t_load=2",
                "t_flop=3",
                "t_store=5",
                "t_startup=100",
                "t_word=7",
            ]
            .map(String::from)
            .to_vec();
            others.push(format!("N={n}"));
            if code.is_block {
                others.extend([format!("B={block}"), format!("P={}", n)])
            } else {
                others.push(format!("P={p}"))
            }
            let found = value(&file, &own, "T_main", &directory);
            let wanted = value(&by_hand, &others, "T_main", &directory);
            assert_eq!(
                found, wanted,
                "{} at n = {n}, p = {p}, block = {block}\n{text}",
                code.entry
            );
        }
    }
}
