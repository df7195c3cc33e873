//! Within a room no file imports, by whatever way, a file that imports it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{files_below, is_test, root};

/// Every directory of sources, with the path that names it in code.
fn rooms() -> Vec<(String, String)> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates can be read");
    let sources = crates.map(|entry| entry.expect("a crate").path().join("src"));
    let mut rooms = Vec::new();
    for source in sources.chain([root().join("src")]) {
        for entry in fs::read_dir(&source).expect("the sources can be read") {
            let path = entry.expect("an entry of the sources").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name != "tests" && name != "bin" {
                let inside = path.strip_prefix(root()).expect("it lies below the root");
                rooms.push((inside.display().to_string(), format!("crate::{name}")));
            }
        }
    }
    rooms.sort();
    rooms
}

type Module = Vec<String>;

/// The modules of a room, each a path below it, with the text of its file without comments.
fn modules(room: &Path) -> BTreeMap<Module, String> {
    let mut modules = BTreeMap::new();
    for file in files_below(room) {
        if is_test(&file) || file.ends_with("tests.rs") {
            continue;
        }
        let inside = file.strip_prefix(room).expect("the file lies in the room");
        let inside = inside.with_extension("");
        let parts = inside
            .iter()
            .map(|part| part.to_string_lossy().into_owned());
        let module = parts.filter(|part| part != "mod").collect();
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let code = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        modules.insert(module, code.collect::<Vec<_>>().join("\n"));
    }
    modules
}

/// The paths of a use tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let steps = |text: &str| -> Vec<String> {
        let text = text.split(" as ").next().unwrap_or_default();
        let steps = text.split("::").map(|step| step.trim().to_string());
        steps.filter(|step| !step.is_empty()).collect()
    };
    let Some(open) = tree.find('{') else {
        return vec![steps(tree)];
    };
    let close = tree.rfind('}').filter(|close| *close > open);
    let close = close.unwrap_or(tree.len());
    let (head, mut depth, mut member, mut found) =
        (steps(&tree[..open]), 0, String::new(), Vec::new());
    for letter in tree[open + 1..close].chars().chain([',']) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if letter != ',' || depth > 0 {
            member.push(letter);
            continue;
        }
        for path in paths(member.trim())
            .into_iter()
            .filter(|path| !path.is_empty())
        {
            found.push([head.clone(), path].concat());
        }
        member.clear();
    }
    found
}

/// All paths that a file names from where it stands: those it uses, and others that begin with `super` or `crate`.
fn named(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("use ") {
        let whole = code[..start]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if let (true, Some(end)) = (whole, code[start..].find(';')) {
            found.extend(paths(&code[start + 4..start + end]));
        }
    }
    for root in ["super::", "crate::"] {
        for (start, _) in code.match_indices(root) {
            let rest = code[start..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            found.extend(rest.take(1).map(|path| paths(path).concat()));
        }
    }
    found
}

/// The module of the room that a path leads to, seen from `here`; none where it leads out of the room.
fn target(
    modules: &BTreeMap<Module, String>,
    room: &str,
    here: &Module,
    path: &[String],
) -> Option<Module> {
    let room: Vec<&str> = room.split("::").collect();
    let full = match path.first().map(String::as_str) {
        Some("crate") => path
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .strip_prefix(&room[..])?
            .iter()
            .map(ToString::to_string)
            .collect(),
        Some("super") => {
            let ups = path.iter().take_while(|step| *step == "super").count();
            let kept = here.len().checked_sub(ups)?;
            [&here[..kept], &path[ups..]].concat()
        }
        Some("self") => [here.as_slice(), &path[1..]].concat(),
        _ => [here.as_slice(), path].concat(),
    };
    let prefixes = (0..=full.len()).rev().map(|length| full[..length].to_vec());
    prefixes
        .into_iter()
        .find(|module| modules.contains_key(module))
}

/// The modules that each imports; one that is inside of it is part of it.
fn imports(modules: &BTreeMap<Module, String>, room: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let of = |(here, code): (&Module, &String)| {
        let targets = named(code)
            .into_iter()
            .filter_map(|path| target(modules, room, here, &path));
        (
            here.clone(),
            targets.filter(|there| !there.starts_with(here)).collect(),
        )
    };
    modules.iter().map(of).collect()
}

/// The modules that are left when those that import none of the others are taken away, again and again: each lies on
/// a circle, or leads to one.
fn circles(mut imports: BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<Module, BTreeSet<Module>> {
    loop {
        let present: BTreeSet<Module> = imports.keys().cloned().collect();
        for targets in imports.values_mut() {
            targets.retain(|there| present.contains(there));
        }
        let before = imports.len();
        imports.retain(|_, targets| !targets.is_empty());
        if imports.len() == before {
            return imports;
        }
    }
}

#[test]
fn the_files_of_a_room_stand_in_an_order() {
    let rooms = rooms();
    assert!(rooms.len() > 30, "only {} rooms were found", rooms.len());
    for (directory, room) in rooms {
        let modules = modules(&root().join(&directory));
        let left = circles(imports(&modules, &room));
        assert!(
            left.is_empty(),
            "files of {directory} that import each other: {left:#?}"
        );
    }
}

#[test]
fn circles_are_found_through_groups_parents_and_reexports() {
    let files = [
        ("a", "use super::b::{c, D};"),
        ("b", "use crate::room::e::F;"),
        ("e", "fn f() { super::a::g(); } // super::b"),
        ("h", "use super::a; use std::fmt;"),
        ("i", "use crate::other::h;"),
    ];
    let modules = files
        .map(|(name, code)| {
            (
                vec![name.to_string()],
                code.split("//").next().unwrap().to_string(),
            )
        })
        .into();
    let left = circles(imports(&modules, "crate::room"));
    let names: Vec<String> = left.into_keys().flatten().collect();
    assert_eq!(names, ["a", "b", "e", "h"]);
}
