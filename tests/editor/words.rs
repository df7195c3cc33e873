//! The table of predefined names.

use std::collections::BTreeSet;

use pamela::diagnostic::{Code, Severity};
use pamela::pipeline::Model;
use pamela::syntax::{NoFiles, is_reserved};
use pamela::words::{CONTEXTUAL, RESOURCES, Sort, WORDS};

#[test]
fn examples_of_predefined_names_are_right() {
    let head = "numeric parameter N : integer >= 4\nnumeric parameter P : integer >= 1\n\
                numeric parameter a : > 0\nnumeric parameter b : > 0\nprocess main = delay(P * a)\n";
    for word in WORDS.iter().chain(&RESOURCES) {
        let kind = if word.sort == Sort::Resource {
            "resource"
        } else {
            "numeric"
        };
        let text = format!("{head}{kind} example = {}\n", word.example);
        let draft = Model::draft("example.pam", &text, &NoFiles);
        let mut wrong = draft.diagnostics.iter();
        let wrong = wrong.find(|own| own.severity == Severity::Error);
        assert!(wrong.is_none(), "{}: {wrong:?}", word.example);
        assert!(word.example.starts_with(&format!("{}(", word.name)));
    }
}

#[test]
fn arguments_have_as_many_names_as_they_may_be() {
    for word in WORDS.iter().chain(&RESOURCES) {
        let is_open = *word.arguments.end() == usize::MAX;
        assert_eq!(word.formals.last() == Some(&".."), is_open, "{}", word.name);
        if !is_open {
            assert_eq!(word.formals.len(), *word.arguments.end(), "{}", word.name);
        }
        assert!(!is_reserved(word.name));
    }
    assert!(CONTEXTUAL.iter().all(|word| !is_reserved(word)));
}

#[test]
fn codes_have_slugs_of_their_own_that_the_documents_list() {
    let page = std::fs::read_to_string(super::root().join("docs/how-to/editors.md"));
    let page = page.expect("the page on editors");
    let slugs: BTreeSet<&str> = Code::ALL.iter().map(|(_, slug, _)| *slug).collect();
    assert_eq!(slugs.len(), Code::ALL.len());
    for (code, slug, says) in Code::ALL {
        assert_eq!(code.slug(), slug);
        assert!(
            page.contains(&format!("| `{slug}` | {says} |")),
            "| `{slug}` | {says} |"
        );
    }
}

/// The reference lists all predefined names from the table; `PAMELA_DOCS=overwrite` writes the list.
#[test]
fn the_reference_lists_all_predefined_names() {
    const BEGIN: &str = "<!-- begin of predefined names -->\n";
    const END: &str = "<!-- end of predefined names -->\n";
    let path = super::root().join("docs/reference/language.md");
    let page = std::fs::read_to_string(&path).expect("the reference");
    let (before, rest) = page.split_once(BEGIN).expect("the list begins");
    let (_, after) = rest.split_once(END).expect("the list ends");
    let row = |word: &pamela::words::Word| {
        let cell = |text: &str| text.replace('|', "\\|");
        format!(
            "| `{}` | {} | `{}` |\n",
            word.signature(),
            cell(word.says),
            cell(word.example)
        )
    };
    let mut all: Vec<_> = WORDS.iter().chain(&RESOURCES).collect();
    all.sort_by_key(|word| word.name);
    let rows: String = all.into_iter().map(row).collect();
    let table = format!("| name | is | example |\n|---|---|---|\n{rows}");
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var("PAMELA_DOCS").is_ok_and(|told| told == "overwrite") {
        std::fs::write(&path, &expected).expect("the page can be written");
    }
    let shown = std::fs::read_to_string(&path).expect("the reference");
    assert!(
        shown == expected,
        "the list of predefined names in docs/reference/language.md is out of date: PAMELA_DOCS=overwrite writes it"
    );
}
