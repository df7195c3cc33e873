use std::collections::HashMap;

use crate::diagnostic::Result;
use crate::syntax::tree::{Item, Model};
use crate::syntax::{FileLoader, Loader, NoFiles, parse_model};

fn files(files: &[(&str, &str)]) -> HashMap<String, String> {
    files
        .iter()
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

fn read(loader: &dyn Loader, name: &str, text: &str) -> Result<Model> {
    parse_model(name, text, loader).map(|(model, _)| model)
}

fn names(model: &Model) -> Vec<&str> {
    fn name(item: &Item) -> Option<&str> {
        match item {
            Item::Equation(equation) => Some(equation.name.text.as_str()),
            _ => None,
        }
    }
    model.items.iter().filter_map(name).collect()
}

#[test]
fn an_included_file_stands_in_place_of_its_first_include() {
    let loader = files(&[
        ("b", "numeric b = 1"),
        ("c", "include \"b\" numeric c = 2 include \"b\""),
    ]);
    let model = read(
        &loader,
        "a",
        "numeric a = 0 include \"c\" numeric d = 3 include \"b\"",
    );
    assert_eq!(
        model
            .map(|model| names(&model).join(" "))
            .unwrap_or_default(),
        "a b c d"
    );
}

#[test]
fn places_name_the_file_that_they_are_in() {
    let loader = files(&[("b", "numeric b = 1")]);
    let Ok((model, sources)) = parse_model("a", "include \"b\"\nnumeric a = 0", &loader) else {
        panic!()
    };
    let place = |item: &Item| match item {
        Item::Equation(equation) => sources.0[equation.span.file as usize].name.clone(),
        _ => String::new(),
    };
    assert_eq!(
        model.items.iter().map(place).collect::<Vec<_>>(),
        ["b", "a"]
    );
}

#[test]
fn a_cycle_is_an_error_that_names_its_places() {
    let loader = files(&[("a", ""), ("b", "\ninclude \"c\""), ("c", "include \"a\"")]);
    let Err(error) = read(&loader, "a", "numeric x = 1\ninclude \"b\"") else {
        panic!()
    };
    insta::assert_snapshot!(error);
}

#[test]
fn a_file_that_includes_itself_is_a_cycle() {
    let Err(error) = read(&files(&[("a", "")]), "a", "include \"a\"") else {
        panic!()
    };
    assert!(error.to_string().contains("includes itself"), "{error}");
}

#[test]
fn errors_of_all_files_are_reported() {
    let loader = files(&[("b", "numeric b = ")]);
    let Err(error) = read(
        &loader,
        "a",
        "include \"b\"\nnumeric a = \ninclude \"none\"",
    ) else {
        panic!()
    };
    insta::assert_snapshot!(error);
}

#[test]
fn a_model_without_files_refuses_to_include() {
    let Err(error) = read(&NoFiles, "a", "include \"b\"") else {
        panic!()
    };
    assert!(error.to_string().contains("read from text"), "{error}");
}

#[test]
fn a_long_chain_of_files_is_refused() {
    let chain: Vec<(String, String)> = (0..200)
        .map(|n| (format!("{n}"), format!("include \"{}\"", n + 1)))
        .collect();
    let loader: HashMap<String, String> = chain.into_iter().collect();
    let Err(error) = read(&loader, "start", "include \"0\"") else {
        panic!()
    };
    assert!(error.to_string().contains("more than 64 files"), "{error}");
}

#[test]
fn a_path_is_relative_to_the_including_file() {
    let directory = std::env::temp_dir().join(format!("pamela-inclusions-{}", std::process::id()));
    let inner = directory.join("inner");
    let written = std::fs::create_dir_all(&inner)
        .and_then(|()| {
            std::fs::write(
                inner.join("b.pam"),
                "include \"c.pam\" include \"../inner/c.pam\"",
            )
        })
        .and_then(|()| std::fs::write(inner.join("c.pam"), "numeric c = 1"))
        .and_then(|()| std::fs::write(inner.join("latin.pam"), b"numeric c = 1\n% caf\xe9"));
    assert!(written.is_ok());
    let name = directory.join("a.pam").to_string_lossy().into_owned();
    let model = read(&FileLoader, &name, "include \"inner/b.pam\"");
    let latin = read(&FileLoader, &name, "include \"inner/latin.pam\"");
    let folder = read(&FileLoader, &name, "include \"inner\"");
    let missing = read(&FileLoader, &name, "include \"none.pam\"");
    assert!(std::fs::remove_dir_all(&directory).is_ok());
    assert_eq!(
        model
            .map(|model| names(&model).join(" "))
            .unwrap_or_default(),
        "c"
    );
    let message = |result: Result<Model>| {
        result
            .err()
            .map(|error| error.diagnostics[0].message.clone())
    };
    let expected = "cannot include \"inner/latin.pam\": it is not UTF-8 text (see line 2)";
    assert_eq!(message(latin).as_deref(), Some(expected));
    assert_eq!(
        message(folder).as_deref(),
        Some("cannot include \"inner\": it is not a regular file")
    );
    assert_eq!(
        message(missing).as_deref(),
        Some("cannot include \"none.pam\": no such file")
    );
}
