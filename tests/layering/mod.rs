//! The rooms of a crate stand in one order, which ARCHITECTURE.md states in a line; the compiler keeps that of crates.

mod files;
mod lengths;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate with its rooms from the ground up, read from the lines of ARCHITECTURE.md such as
/// `pamela-exact: real < ring`.
fn orders() -> Vec<(String, Vec<String>)> {
    let text =
        fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let line = |line: &str| {
        let (name, rooms) = line.strip_prefix("    pamela")?.split_once(": ")?;
        let rooms = rooms.split('<').map(|room| room.trim().to_string());
        Some((format!("pamela{name}"), rooms.collect()))
    };
    let orders: Vec<_> = text.lines().filter_map(line).collect();
    assert!(
        orders.len() > 3,
        "ARCHITECTURE.md states the order of the rooms"
    );
    orders
}

/// The sources of a crate.
fn sources(name: &str) -> PathBuf {
    root().join("crates").join(name).join("src")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below `directory`.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory of src can be read") {
        let path = entry.expect("an entry of src can be read").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The room that a file below `sources` belongs to: its directory or its own name; none for `lib.rs`.
fn room(sources: &Path, file: &Path) -> Option<String> {
    let inside = file
        .strip_prefix(sources)
        .expect("the file lies in the sources");
    let first = inside.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then(|| name.to_string())
}

/// Unit tests may look up: what they check of a room often takes a model to begin with.
fn is_test(file: &Path) -> bool {
    file.strip_prefix(root())
        .is_ok_and(|inside| inside.components().any(|part| part.as_os_str() == "tests"))
}

/// The rooms that a text names as `crate::room` or in `crate::{room, ...}`, with comments left out.
fn rooms_named(text: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut named = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => named.extend(heads_of_group(group)),
            None => named.extend(leading_word(rest)),
        }
    }
    named
}

/// The first words of the members of `a::b, c::{d, e}, f}`.
fn heads_of_group(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut heads = Vec::new();
    let mut member_start = 0;
    for (position, letter) in group.char_indices() {
        let ends_member = depth == 0 && (letter == ',' || letter == '}');
        if ends_member {
            heads.extend(leading_word(group[member_start..position].trim_start()));
            member_start = position + 1;
        }
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
    heads
}

fn leading_word(text: &str) -> Option<String> {
    let word: String = text
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let is_module = word.chars().next().is_some_and(char::is_lowercase);
    is_module.then_some(word)
}

/// What the rooms of a crate import against their order.
fn wrong_imports(name: &str, order: &[String]) -> Vec<String> {
    let height = |room: &str| order.iter().position(|listed| listed == room);
    let mut wrong = Vec::new();
    for file in files_below(&sources(name)) {
        let Some(room) = room(&sources(name), &file) else {
            continue;
        };
        if is_test(&file) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file can be read");
        for named in rooms_named(&text) {
            let (Some(here), Some(there)) = (height(&room), height(&named)) else {
                continue;
            };
            if there > here {
                wrong.push(format!("{}: {room} imports {named}", file.display()));
            }
        }
    }
    wrong
}

/// A file that nothing names would be compiled by nobody.
#[test]
fn every_file_of_tests_is_a_module_of_the_one_program() {
    let main = fs::read_to_string(root().join("tests/main.rs")).expect("the root can be read");
    for entry in fs::read_dir(root().join("tests")).expect("the tests can be read") {
        let path = entry.expect("an entry of the tests can be read").path();
        let is_module = path.extension().is_some_and(|extension| extension == "rs")
            || path.join("mod.rs").is_file();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        assert!(
            !is_module || name == "main" || main.contains(&format!("mod {name};")),
            "tests/main.rs does not name `{name}`"
        );
    }
}

#[test]
fn a_room_imports_only_from_rooms_below_it() {
    let orders = orders();
    let wrong = orders
        .iter()
        .map(|(name, order)| wrong_imports(name, order));
    let wrong: Vec<String> = wrong.flatten().collect();
    assert!(
        wrong.is_empty(),
        "imports against the order of ARCHITECTURE.md:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_room_has_its_place_in_the_order() {
    for (name, order) in orders() {
        let listed: BTreeSet<String> = order.into_iter().collect();
        let files = files_below(&sources(&name));
        let rooms = files.iter().filter_map(|file| room(&sources(&name), file));
        assert_eq!(rooms.collect::<BTreeSet<_>>(), listed, "{name}");
    }
}

#[test]
fn rooms_are_found_in_groups_and_paths() {
    let text = "use crate::{ring::{Rational, Polynomial}, expr}; // crate::cli\nfn f() -> crate::syntax::tree::Expr {}";
    let expected: BTreeSet<String> = ["ring", "expr", "syntax"].map(String::from).into();
    assert_eq!(rooms_named(text), expected);
}
