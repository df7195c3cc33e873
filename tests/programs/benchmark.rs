//! The C programs of a public benchmark of complexity analysis (Complexity_C_Integer of TermCOMP/TPDB, of which nothing is kept
//! here): no model is invalid, no unknown count is silent, and what is counted is what the programs do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::counted::{Case, Outcome, check, has_compiler};
use super::lines::by_lines;

fn programs(at: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(at).expect("a directory");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

/// The last function of a program, which no other one calls, and its arguments.
fn entry(text: &str) -> Option<(String, Vec<String>)> {
    let (mut depth, mut found) = (0_i64, None);
    let mut begin = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' if depth == 0 => {
                let head = &text[begin..at];
                let open = head.find('(')?;
                let name = head[..open]
                    .split_whitespace()
                    .last()?
                    .trim_start_matches('*');
                let close = head.rfind(')')?;
                let formals = head[open + 1..close].split(',');
                let words =
                    formals.map(|formal| formal.split_whitespace().last().unwrap_or_default());
                let words = words.filter(|word| !word.is_empty() && *word != "void");
                found = Some((name.to_string(), words.map(String::from).collect()));
                depth += 1;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (letter == ';' || letter == '}') {
            begin = at + letter.len_utf8();
        }
    }
    found
}

/// Small values, of which many are 0, 1 or equal.
fn points(arguments: usize) -> Vec<Vec<i64>> {
    const VALUES: [i64; 7] = [0, 1, 3, 3, 8, 21, 2];
    (0..12)
        .map(|row| {
            (0..arguments)
                .map(|k| VALUES[(row * (2 * k + 1) + k * k) % 7])
                .collect()
        })
        .collect()
}

/// `PAMELA_TPDB=DIR` reads the programs of a directory.
#[test]
fn programs_of_the_benchmark_are_counted_or_told() {
    let Ok(at) = env::var("PAMELA_TPDB") else {
        return eprintln!("not run: PAMELA_TPDB names no directory");
    };
    if !has_compiler() {
        return;
    }
    let mut files = Vec::new();
    programs(Path::new(&at), &mut files);
    assert!(!files.is_empty(), "{at} has no programs");
    let (mut counted, mut run, mut bounded, mut told, mut refused) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let text = String::from_utf8_lossy(&fs::read(file).expect("a program")).into_owned();
        let lines = by_lines(&text);
        let Some((entry, arguments)) = entry(&lines) else {
            wrong.push(format!("{}: no function", file.display()));
            continue;
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let is_main = entry == "main";
        let case = Case {
            name: &format!("tpdb{number}"),
            text: &text,
            entry: (!is_main).then_some(&entry),
            arguments: if is_main { &[] } else { &arguments },
            points: points(arguments.len()),
            input: "",
        };
        match check(&case) {
            Ok(Outcome::Counted(points)) => {
                counted += 1;
                run += usize::from(points > 0);
            }
            Ok(Outcome::Bounded(_)) => bounded += 1,
            Ok(Outcome::Told(_)) => told += 1,
            Ok(Outcome::Refused) => refused += 1,
            Err(error) => wrong.push(format!("{}: {error}", file.display())),
        }
    }
    eprintln!(
        "{} programs: {counted} counted ({run} of them run), {bounded} with bounds on both sides, {told} told, {refused} refused",
        files.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    // The set as published has this many. Of them, ten loops that never end once they begin are not counted.
    if files.len() == 553 {
        assert!(counted >= 250 && counted + bounded >= 400);
    }
}

/// Lines of a model without its parameters, notes and empty lines.
fn body_lines(model: &str) -> usize {
    let lines = model.lines().map(str::trim);
    let is_body = |line: &&str| {
        !line.is_empty() && !line.starts_with('%') && !line.starts_with("numeric parameter ")
    };
    lines.filter(is_body).count()
}

/// `PAMELA_POLYBENCH=DIR` models the kernels of PolyBench/C 4.2 in a directory, of which nothing is kept here: all are counted,
/// and nine of ten have at most 25 lines.
#[test]
fn models_of_kernels_are_short() {
    let Ok(at) = env::var("PAMELA_POLYBENCH") else {
        return eprintln!("not run: PAMELA_POLYBENCH names no directory");
    };
    let at = Path::new(&at);
    let mut files = Vec::new();
    programs(at, &mut files);
    let (mut all, mut long) = (0, Vec::new());
    for file in files {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .replace('-', "_");
        let entry = format!("kernel_{name}");
        let text = fs::read_to_string(&file).unwrap_or_default();
        if !text.contains(&format!("{entry}(")) {
            continue;
        }
        all += 1;
        let beside = file.parent().expect("a directory").display();
        let compiler = format!("cc -O2 -I{} -I{beside}", at.join("utilities").display());
        let (model, errors, status) = super::pamela(
            &[
                "model",
                &file.to_string_lossy(),
                "--entry",
                &entry,
                "--cc",
                &compiler,
            ],
            at,
        );
        assert_eq!(status, Some(0), "{name}: {errors}");
        let lines = body_lines(&model);
        if lines > 25 {
            long.push(format!("{name}: {lines}"));
        }
    }
    eprintln!(
        "{all} kernels, {} above 25 lines: {}",
        long.len(),
        long.join(", ")
    );
    assert!(all >= 30 && 10 * long.len() <= all);
}

/// `PAMELA_APPS=FILE` models whole programs, of which nothing is kept here: each line of the file has the arguments of
/// `pamela model`, separated by tabs. Each model has at most 150 lines, within 5 seconds of an optimised program.
#[test]
fn models_of_whole_programs_are_short() {
    let Ok(list) = env::var("PAMELA_APPS") else {
        return eprintln!("not run: PAMELA_APPS names no list of programs");
    };
    let list = fs::read_to_string(list).expect("a list");
    let mut long = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty()) {
        let arguments: Vec<&str> = std::iter::once("model").chain(line.split('\t')).collect();
        let begin = std::time::Instant::now();
        let (model, errors, status) = super::pamela(&arguments, Path::new("."));
        assert!(matches!(status, Some(0 | 3)), "{line}: {errors}");
        let lines = body_lines(&model);
        eprintln!("{lines} lines in {:?}: {}", begin.elapsed(), arguments[1]);
        if lines > 150 {
            long.push(format!("{}: {lines}", arguments[1]));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
