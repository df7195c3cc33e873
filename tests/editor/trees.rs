//! The grammar for tree-sitter reads what the compiler reads, as the compiler does.

use std::collections::BTreeSet;

use pamela::syntax::{FileLoader, parse_model, tokens};
use pamela::words::{CONTEXTUAL, RESERVED, RESOURCES, Sort, WORDS};
use tree_sitter::{Node, Parser, Query, StreamingIterator, Tree};

use super::{models, share, thirty};

/// The directories with models.
const MODELS: [&str; 6] = ["corpus", "std", "studies", "cases", "src", "tests"];

fn tree(text: &str) -> Tree {
    let mut parser = Parser::new();
    let language = tree_sitter_pamela::LANGUAGE.into();
    parser.set_language(&language).expect("a known version");
    parser.parse(text, None).expect("a tree")
}

/// A model as the compiler prints it, if it has no errors.
fn printed(name: &str, text: &str) -> Option<String> {
    let (model, _) = parse_model(name, text, &FileLoader).ok()?;
    Some(model.to_string())
}

#[test]
fn models_that_the_compiler_reads_have_no_error() {
    let mut read = 0;
    for (path, text) in models(&MODELS) {
        if printed(&path.to_string_lossy(), &text).is_some() {
            read += 1;
            assert!(!tree(&text).root_node().has_error(), "{}", path.display());
        }
    }
    assert!(read > 600, "only {read} models");
}

#[test]
fn models_without_one_token_have_no_error_where_the_compiler_finds_none() {
    let (mut right, mut wrong, mut refused) = (0, 0, 0);
    for (path, text) in thirty() {
        for token in share(tokens(&text), 3) {
            let shorter = [&text[..token.start], " ", &text[token.end..]].concat();
            let has_error = tree(&shorter).root_node().has_error();
            if printed(&path.to_string_lossy(), &shorter).is_some() {
                right += 1;
                assert!(!has_error, "{shorter}");
            } else {
                wrong += 1;
                refused += usize::from(has_error);
            }
        }
    }
    assert!(right > 50 && wrong > 500, "{right} right, {wrong} wrong");
    // The compiler refuses a few more, such as comparisons of comparisons.
    assert!(refused * 10 > wrong * 9, "{refused} of {wrong}");
}

/// How tightly the operator of a node binds, if it has two operands and chains to the left.
fn chain(node: Node, text: &str) -> Option<usize> {
    let operator = node.child_by_field_name("operator")?;
    let chains: [&[&str]; 4] = [&["||"], &["&&"], &["+", "-"], &["*", "/", "mod", "div"]];
    let is_own = |signs: &&[&str]| signs.contains(&&text[operator.byte_range()]);
    chains
        .iter()
        .position(is_own)
        .filter(|_| node.kind() == "binary")
}

/// Adds the places of the brackets that show how operators are grouped, but for the first operand of a chain.
fn brackets(node: Node, text: &str, places: &mut Vec<(usize, char)>) {
    let is_first = node.parent().is_some_and(|parent| {
        parent.child_by_field_name("left") == Some(node)
            && chain(node, text).is_some()
            && chain(node, text) == chain(parent, text)
    });
    let is_grouped = ["binary", "prefix", "conditional"].contains(&node.kind()) && !is_first;
    if is_grouped {
        places.push((node.start_byte(), '('));
    }
    for child in node.children(&mut node.walk()) {
        brackets(child, text, places);
    }
    if is_grouped {
        places.push((node.end_byte(), ')'));
    }
}

#[test]
fn operators_are_grouped_as_the_compiler_groups_them() {
    let mut grouped = 0;
    let own = "numeric f(a, b) = -a^2 - 2^-b^a * 3 mod b - a - b + if (a < b && !a == b || b > a - 1) a else b + 2 * -a / b\n";
    let own = std::iter::once(("own.pam".into(), own.to_owned()));
    for (path, text) in share(models(&["corpus"]).into_iter(), 3).chain(own) {
        let name = path.to_string_lossy();
        let Some(expected) = printed(&name, &text) else {
            continue;
        };
        let mut places = Vec::new();
        brackets(tree(&text).root_node(), &text, &mut places);
        let mut bracketed = String::new();
        let mut end = 0;
        for (place, bracket) in places {
            bracketed.push_str(&text[end..place]);
            bracketed.push(bracket);
            end = place;
            grouped += 1;
        }
        bracketed.push_str(&text[end..]);
        assert_eq!(printed(&name, &bracketed), Some(expected), "{bracketed}");
    }
    assert!(grouped > 1000, "only {grouped} brackets");
}

/// The words of a rule's strings in the grammar as JSON.
fn words(rule: &serde_json::Value, found: &mut BTreeSet<String>) {
    if rule["type"] == "STRING" {
        let word = rule["value"].as_str().expect("a text");
        if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            found.insert(word.to_owned());
        }
    }
    let inner = rule["members"].as_array().into_iter().flatten();
    inner.chain([&rule["content"]]).for_each(|own| {
        if !own.is_null() {
            words(own, found);
        }
    });
}

#[test]
fn the_words_are_those_of_the_language() {
    let path = super::root().join("editors/tree-sitter-pamela/src/grammar.json");
    let text = std::fs::read_to_string(path).expect("the grammar");
    let grammar: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut found = BTreeSet::new();
    for rule in grammar["rules"].as_object().expect("rules").values() {
        words(rule, &mut found);
    }
    let declared = RESERVED.iter().chain(&CONTEXTUAL);
    assert_eq!(found, declared.map(|&own| own.to_owned()).collect());
}

#[test]
fn the_colours_are_those_of_the_predefined_names() {
    let query = Query::new(
        &tree_sitter_pamela::LANGUAGE.into(),
        tree_sitter_pamela::HIGHLIGHTS,
    )
    .expect("a query of this grammar");
    for word in WORDS.iter().chain(&RESOURCES) {
        let text = format!("numeric f = {}(1)\n", word.name);
        let tree = tree(&text);
        let mut cursor = tree_sitter::QueryCursor::new();
        let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
        let mut colours = Vec::new();
        while let Some(found) = matches.next() {
            let captures = found.captures().iter();
            let name = captures.filter(|own| own.node.byte_range() == (12..12 + word.name.len()));
            colours.extend(name.map(|own| query.capture_names()[own.index as usize]));
        }
        let expected = if word.sort == Sort::Law {
            "type.builtin"
        } else {
            "function.builtin"
        };
        assert_eq!(colours.last(), Some(&expected), "{text}");
    }
}
