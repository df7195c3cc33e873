//! Drafts say what `check` says, also of models that are wrong.

use pamela::diagnostic::{Diagnostic, Severity};
use pamela::pipeline::{Draft, Model};
use pamela::syntax::{FileLoader, ItemCache, tokens};

use super::{share, thirty};

/// What `pamela check` finds: the errors of reading, or else those of the checked model; warnings.
fn checked(name: &str, text: &str) -> (Vec<Diagnostic>, Option<Vec<Diagnostic>>) {
    match Model::read(name, text, &FileLoader) {
        Err(error) => (error.diagnostics, None),
        Ok(model) => {
            let errors = model
                .check()
                .err()
                .map_or_else(Vec::new, |error| error.diagnostics);
            (errors, Some(model.checked().warnings()))
        }
    }
}

/// Compares the draft of a text with `check`.
fn compare(name: &str, text: &str) -> usize {
    let draft = Model::draft(name, text, &FileLoader);
    let (errors, warnings) = checked(name, text);
    match warnings {
        // All of what is found in a model that can be read, and nothing else.
        Some(warnings) => {
            assert_eq!(draft.diagnostics, [errors, warnings].concat(), "{text}");
        }
        None => {
            for error in &errors {
                let mut all = draft.diagnostics.iter();
                assert!(
                    all.any(|own| own == error),
                    "{error:?} is missing in {text}"
                );
            }
            let mut own = draft.diagnostics.iter();
            assert!(own.any(|own| own.severity == Severity::Error));
        }
    }
    for own in &draft.diagnostics {
        assert_ne!(own.code.slug(), "other", "{own:?}");
    }
    usize::from(!draft.diagnostics.is_empty())
}

#[test]
fn every_prefix_of_a_model_has_the_errors_of_check() {
    let mut wrong = 0;
    for (path, text) in thirty() {
        let name = path.to_string_lossy();
        let ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end));
        for end in share(ends, 40) {
            wrong += compare(&name, &text[..end]);
        }
    }
    assert!(wrong > 100, "only {wrong} prefixes are wrong");
}

#[test]
fn every_model_without_one_token_has_the_errors_of_check() {
    let mut wrong = 0;
    for (path, text) in thirty() {
        let name = path.to_string_lossy();
        for token in share(tokens(&text), 12) {
            let shorter = [&text[..token.start], &text[token.end..]].concat();
            wrong += compare(&name, &shorter);
        }
    }
    assert!(wrong > 50, "only {wrong} models are wrong");
}

/// The codes of the diagnostics of a text.
fn codes(text: &str) -> Vec<&'static str> {
    let draft = Model::draft("model.pam", text, &FileLoader);
    draft
        .diagnostics
        .iter()
        .map(|own| own.code.slug())
        .collect()
}

#[test]
fn what_mentions_a_broken_item_is_no_error() {
    // `f` cannot be read. `g` and `main` use it in a number, a call and a process.
    let text = "numeric f(x) = x +\nnumeric g = f(2) * zz\nprocess main = seq (i = 1, g) f(i) ; delay(q)\nnumeric h = T(main)";
    assert_eq!(codes(text), ["syntax", "name-unbound", "name-unbound"]);
    // Without it, these are errors.
    let without = text.split_once('\n').expect("two lines").1;
    assert_eq!(codes(without).len(), 4);
}

#[test]
fn an_equation_that_is_wrong_takes_only_its_users_along() {
    let text = "numeric parameter n\nprocess a = delay([1, 2])\nnumeric b = T(a) * n\nnumeric c = n + 1\nprocess main = delay(c)";
    let draft = Model::draft("model.pam", text, &FileLoader);
    let kept = draft.model.checked().equations().iter();
    let kept: Vec<&str> = kept.map(|own| own.name.text.as_str()).collect();
    assert_eq!(kept, ["n", "c", "main"]);
    assert_eq!(codes(text), ["sort"]);
    // The names of all are known.
    let defined = draft
        .uses
        .iter()
        .filter(|own| own.target.definition() == Some(own.span));
    assert_eq!(defined.count(), 5);
}

#[test]
fn a_wrong_item_hides_no_error_of_units_or_facts_elsewhere() {
    let text = "numeric parameter a : [s]\nnumeric parameter b : [B]\nnumeric bad = a + b\nnumeric broken = (";
    assert_eq!(codes(text), ["unit", "bracket-unclosed"]);
}

/// Equations that are not parsed again have the places of the new text.
#[test]
fn a_draft_after_a_change_is_that_of_a_new_text() {
    let mut cache = ItemCache::default();
    for (path, text) in thirty() {
        let name = path.to_string_lossy();
        let (first, second) = text.split_at(text.find("\nnumeric").map_or(0, |end| end + 1));
        let versions = [
            text.clone(),
            format!("% a \u{1d4af}\n\n{text}"),
            format!("{first}numeric fresh = 1 +\n{second}"),
            format!("{text}\nnumeric fresh = unbound_name\n{second}"),
            second.to_owned(),
            text.clone(),
        ];
        for text in &versions {
            let mut again = Model::draft_again(&name, text, &FileLoader, &mut cache);
            again.diagnostics.splice(0..0, again.further_errors());
            let new = Model::draft(&name, text, &FileLoader);
            assert_eq!(again.diagnostics, new.diagnostics, "{text}");
            assert_eq!(again.uses, new.uses, "{text}");
            let equations = |draft: &Draft| format!("{:?}", draft.model.checked().equations());
            assert_eq!(equations(&again), equations(&new), "{text}");
        }
    }
}
