use super::rules;

fn error(text: &str) -> String {
    let mut base = rules();
    match base.add("test", "test.rules", text) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_standard_rules_compile_and_have_a_sentence_each() {
    let base = rules();
    assert!(base.rules().len() > 50);
    for rule in base.rules() {
        assert!(rule.doc.ends_with('.'), "{} has no sentence", rule.name);
    }
}

#[test]
fn a_rule_that_names_what_is_not_on_its_left_is_refused_with_its_place() {
    let text = error("rule bad \"A rule.\" floor(x) => y");
    assert!(
        text.contains("`y` is not bound") && text.contains("test.rules:1:"),
        "{text}"
    );
}

#[test]
fn a_rule_knows_the_line_that_it_begins_in() {
    for rule in rules().rules() {
        let (file, line) = rule.source.split_once(':').unwrap();
        let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let line = text.lines().nth(line.parse::<usize>().unwrap() - 1);
        let begins = line.is_some_and(|l| l.contains(&format!(" {} \"", rule.name)));
        assert!(begins, "{} at {}", rule.name, rule.source);
    }
}

#[test]
fn a_second_rule_of_one_name_is_refused() {
    let text = error("rule sum-constant \"A rule.\" floor(x) => x when integer(x)");
    assert!(text.contains("duplicate rule `sum-constant`"), "{text}");
}

#[test]
fn an_unknown_predicate_is_refused() {
    let text = error("rule bad \"A rule.\" floor(x) => x when smooth(x)");
    assert!(text.contains("unknown predicate `smooth`"), "{text}");
}

#[test]
fn a_builtin_without_an_applier_is_refused() {
    let text = error("builtin bad \"A rule.\" floor(x) => x");
    assert!(text.contains("no builtin named `bad`"), "{text}");
}

#[test]
fn a_maximum_has_any_number_of_operands_on_either_side() {
    let text =
        "rule turned \"A rule.\" max(x, y, z) => max(floor(x), y, z, 0) when integer(x), y >= 0";
    assert_eq!(error(text), "");
}
