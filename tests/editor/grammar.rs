//! The grammar that colours models in VS Code.

use std::collections::BTreeSet;

use pamela::words::{CONTEXTUAL, RESERVED, RESOURCES, Sort, WORDS};
use serde_json::Value;

fn grammar() -> Value {
    let path = super::root().join("editors/vscode/syntaxes/pamela.tmLanguage.json");
    let text = std::fs::read_to_string(path).expect("the grammar");
    serde_json::from_str(&text).expect("JSON")
}

/// The words of `\b(a|b)\b` in a rule of the grammar.
fn words_of(grammar: &Value, rule: &str) -> BTreeSet<String> {
    let pattern = grammar["repository"][rule]["match"]
        .as_str()
        .expect("a pattern");
    let (_, rest) = pattern.split_once('(').expect("a group");
    let (words, _) = rest.split_once(')').expect("a group");
    words.split('|').map(str::to_owned).collect()
}

fn owned<'w>(words: impl IntoIterator<Item = &'w str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_words_of_the_grammar_are_those_of_the_language() {
    let grammar = grammar();
    let declared = [
        "numeric",
        "process",
        "resource",
        "parameter",
        "assume",
        "include",
    ];
    let operators = ["mod", "div"];
    let control = RESERVED
        .into_iter()
        .filter(|word| !declared.contains(word) && !operators.contains(word));
    assert_eq!(words_of(&grammar, "declaration"), owned(declared));
    assert_eq!(words_of(&grammar, "operator-word"), owned(operators));
    assert_eq!(words_of(&grammar, "control"), owned(control));
    let others = CONTEXTUAL
        .into_iter()
        .filter(|word| !["max", "min"].contains(word));
    assert_eq!(words_of(&grammar, "contextual"), owned(others));
    let sorted = |is: fn(Sort) -> bool| {
        let words = WORDS
            .iter()
            .chain(&RESOURCES)
            .filter(move |word| is(word.sort));
        owned(words.map(|word| word.name))
    };
    assert_eq!(words_of(&grammar, "law"), sorted(|sort| sort == Sort::Law));
    let functions = sorted(|sort| !matches!(sort, Sort::Law));
    assert_eq!(words_of(&grammar, "function"), functions);
}

#[test]
fn every_rule_of_the_grammar_is_used() {
    let grammar = grammar();
    let text = grammar.to_string();
    let rules = grammar["repository"].as_object().expect("rules");
    for rule in rules.keys() {
        assert!(text.contains(&format!("\"#{rule}\"")), "{rule}");
    }
}
