//! Every rule passes its gates, and rules that are wrong do not.

mod mutants;
mod named_laws;

use std::collections::BTreeSet;

use pamela::algebra::{Rule, RuleBase};
use pamela_gates::{Effort, Options, Report, check};

use crate::selection::{is_full, selected};

const OPTIONS: Options = Options {
    seed: 1,
    corpus: None,
};

/// The report on the rules of one file, beside the library's.
fn report_on(name: &str, text: &str) -> Report {
    let mut base = pamela::rules::standard().expect("the library's rules compile");
    base.add(name, name, text)
        .expect("the rules of the test compile");
    let of_test = |rule: &Rule| (rule.family == name).then_some(Effort::SMALL);
    check(&base, of_test, &OPTIONS, &|_| {}).expect("no corpus is read")
}

/// Why the only rule of a file does not pass.
fn failures(name: &str, text: &str) -> String {
    let report = report_on(name, text);
    assert_eq!(report.rules.len(), 1);
    report.rules[0].failures.join("\n")
}

/// The selected ones, and those of the files that `PAMELA_FAMILIES` names.
#[test]
fn every_rule_of_the_library_passes() {
    let base = pamela::rules::standard().expect("the library's rules compile");
    let families = std::env::var("PAMELA_FAMILIES").unwrap_or_default();
    let families: Vec<&str> = families.split(',').filter(|f| !f.is_empty()).collect();
    let chosen: BTreeSet<&str> = selected(base.rules().iter().map(|r| r.name.as_str()))
        .into_iter()
        .collect();
    let effort = |rule: &Rule| {
        let is_named = families.iter().any(|f| *f == "all" || *f == rule.family);
        (is_named || chosen.contains(&*rule.name)).then_some(Effort::FULL)
    };
    // Which models use which rules takes as long as a fifth of the rules.
    let options = Options {
        corpus: (!families.is_empty() || is_full()).then(|| "corpus".into()),
        ..OPTIONS
    };
    let report = check(&base, effort, &options, &|_| {}).expect("the corpus can be read");
    assert!(report.rules.len() >= chosen.len() && !chosen.is_empty());
    let failing = report.rules.iter().filter(|rule| !rule.passes());
    let failing: Vec<String> = failing.map(|rule| rule.to_string()).collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

#[test]
fn the_rules_that_are_saved_are_those_of_the_files() {
    let wanted = pamela::rules::saved().expect("the library's rules compile");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/compiled.bin");
    let saved = std::fs::read(file).expect("the file can be read");
    assert!(
        saved == wanted,
        "`rules/compiled.bin` is not the form of these rules: `cargo run -- rules compile` writes it"
    );
}

/// A build with changed rules writes what the next build includes.
#[test]
fn the_command_writes_the_compiled_rules() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled.bin");
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["rules", "compile", "--output"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    assert!(program.status.success(), "{program:?}");
    assert_eq!(
        std::fs::read(&file).expect("the file is written"),
        pamela::rules::saved().expect("the library's rules compile")
    );
}

#[test]
fn a_forgotten_clamp_is_caught_at_an_empty_range() {
    let why = failures("forgotten", include_str!("forgotten_clamp.rules"));
    assert!(
        why.contains("not equal (as written): sum (i = a, b)"),
        "{why}"
    );
}

#[test]
fn a_missing_sign_guard_is_caught_at_a_negative_factor() {
    let why = failures("missing", include_str!("missing_sign.rules"));
    assert!(
        why.contains("not equal (as written): max (i = a, b)"),
        "{why}"
    );
}

#[test]
fn a_guard_that_says_nothing_new_is_caught() {
    let why = failures("idle", include_str!("idle_guard.rules"));
    assert_eq!(
        why,
        "guard `x >= -1` is not needed: it follows from the others wherever left is defined"
    );
}

#[test]
fn without_any_one_of_its_guards_a_rule_is_caught() {
    let text = |guards: &str| {
        format!(
            "rule mutant \"A mutant.\"\n  kth (k of i = a, b) {{ c }} => c\n  when i notin c\n  assume {guards}"
        )
    };
    let whole = "1 <= k, k <= b - a + 1";
    assert_eq!(failures("whole", &text(whole)), "");
    for guard in ["1 <= k", "k <= b - a + 1"] {
        let why = failures("mutant", &text(guard));
        assert!(
            why.contains("not equal (as written): kth"),
            "{guard}: {why}"
        );
    }
}

/// Why a rule of the library about laws does not pass once its text lacks the guard at `place`.
fn failures_without(name: &str, place: usize) -> String {
    let mut base = pamela::rules::standard().expect("the library's rules compile");
    let rule = base.find(name).expect("the rule is there");
    let mut mutant = rule.written().clone();
    mutant.assume.remove(place);
    base.retain(|rule| rule.name != name);
    base.add("mutant", "mutant", &mutant.to_string())
        .expect("it compiles without the guard");
    let of_test = |rule: &Rule| (rule.family == "mutant").then_some(Effort::FULL);
    let report = check(&base, of_test, &OPTIONS, &|_| {}).expect("no corpus is read");
    report.rules[0].failures.join("\n")
}

#[test]
fn without_its_guard_a_rule_about_laws_is_caught() {
    let guards = [("order-shift", 0), ("order-smallest-pareto", 0)];
    for (name, place) in selected(guards) {
        let why = failures_without(name, place);
        assert!(why.contains("not equal (as "), "{name}: {why}");
    }
}

#[test]
fn a_function_that_does_not_keep_what_it_ensures_is_caught() {
    let text = "fn whole(x) -> (n, y) \"Wrong.\" ensures x == n - y\n\
        rule shift \"A rule.\" floor(x) => n + floor(y) let (n, y) = whole(x) when integer(n)\n\
        example floor(x + n)";
    let mut base = RuleBase::default();
    base.add("wrong", "wrong", text).expect("it compiles");
    let report =
        check(&base, |_| Some(Effort::SMALL), &OPTIONS, &|_| {}).expect("no corpus is read");
    let why = report.rules[0].failures.join("\n");
    assert!(why.contains("violates what it ensures: whole"), "{why}");
}

#[test]
fn a_guard_on_what_functions_found_is_judged() {
    let text = "rule idle \"A rule.\"\n  floor(x) => n + floor(y)\n  let (n, y) = whole(x)\n  \
        when integer(n)\n  assume y < floor(y) + 1\n  example floor(x + n)";
    let why = failures("idle", text);
    assert!(
        why.contains("guard `y < floor(y) + 1` is not needed"),
        "{why}"
    );
}

#[test]
fn the_example_of_a_function_that_is_text_passes() {
    let text = include_str!("../../rules/README.md");
    let lines = text.lines().skip_while(|line| !line.contains("fn odd(n)"));
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
    let rules: Vec<&str> = lines.collect();
    let report = report_on("halves", &rules.join("\n"));
    assert_eq!(report.rules.len(), 1);
    assert!(report.rules[0].passes(), "{}", report.rules[0]);
}

#[test]
fn a_guard_that_is_kept_must_not_be_needed() {
    let text = "rule kept \"A rule.\"\n  abs(x) => x\n  kept x >= 0 \"it looks good\"";
    let why = failures("kept", text);
    assert!(
        why.contains("not equal (as written): abs(x)") || why.contains("not only kept"),
        "{why}"
    );
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = || {
        let text = "rule largest-itself \"A rule.\"\n  max (i = a, b) { i } => b\n  assume a <= b, integer(b - a)";
        serde_json::to_string(&report_on("same", text)).expect("a report is JSON")
    };
    assert_eq!(report(), report());
}
