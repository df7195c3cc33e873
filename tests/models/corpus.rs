//! Every model of the corpus: its closed forms against the definition, against what was derived by hand,
//! and against their snapshots.

use std::path::Path;

use pamela::Options;
use pamela::eval::Value;

use crate::selection::{is_selected, selected};

use super::support::corpus::{CorpusModel, corpus, deterministic};
use super::support::points::points;
use super::support::{
    Closed, closed_forms, compare, definition, is_true, lowered, read, same, shown, shown_point,
    simplified,
};

const POINTS: usize = 24;
/// Of the closed forms of distributions, which have many degenerate cases.
const POINTS_OF_DISTRIBUTIONS: usize = 300;
/// Of what was derived by hand for them, which few changes of the program touch.
const POINTS_BY_HAND: usize = 100;

/// `most` for a model of distributions.
fn number_of_points(model: &CorpusModel, most: usize) -> usize {
    if model.name.starts_with("distributions/") {
        most
    } else {
        POINTS
    }
}

#[test]
fn closed_forms_derived_by_hand_agree_with_the_definition() {
    let mut wrong = Vec::new();
    for model in corpus() {
        wrong.extend(disagreements_of_hand(&model));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where what the comments of a model claim differs from the definition.
fn disagreements_of_hand(model: &CorpusModel) -> Vec<String> {
    let by_hand = model.by_hand();
    let mut text = model.text.clone();
    for part in &by_hand.lets {
        text.push_str(&format!("\nnumeric {part}"));
    }
    for (number, (_, expression)) in by_hand.closed.iter().enumerate() {
        text.push_str(&format!("\nnumeric by_hand_{number} = {expression}"));
    }
    text.push_str(&format!(
        "\nnumeric domain_by_hand = {}\n",
        by_hand.domain.as_deref().unwrap_or("1 == 1")
    ));
    let checked = read(model.file(), &text);
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (number, point) in (0..).zip(points(&checked, number_of_points(model, POINTS_BY_HAND))) {
        // Of a narrow domain all points are tried until one is inside.
        if compared > 0 && !is_selected(number) {
            continue;
        }
        let inside = definition(&checked, "domain_by_hand", &point);
        if !inside.is_ok_and(|inside| is_true(&inside)) {
            continue;
        }
        for (number, (name, expression)) in by_hand.closed.iter().enumerate() {
            let Ok(expected) = definition(&checked, name, &point) else {
                continue;
            };
            compared += 1;
            match definition(&checked, &format!("by_hand_{number}"), &point) {
                Ok(value) if same(&value, &expected) => {}
                other => wrong.push(format!(
                    "{}: {name} is {}, but {expression} is {} at {}",
                    model.name,
                    shown(&Ok(expected)),
                    shown(&other),
                    shown_point(&point)
                )),
            }
        }
    }
    if compared == 0 && !by_hand.closed.is_empty() {
        wrong.push(format!("{}: no point at which to compare", model.name));
    }
    wrong
}

#[test]
fn closed_forms_equal_the_definition_where_their_conditions_hold() {
    let mut wrong = Vec::new();
    for model in deterministic() {
        let points = number_of_points(&model, POINTS_OF_DISTRIBUTIONS);
        wrong.extend(faults(&model, &simplified(&model), points));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn times_equal_the_definition_before_simplification() {
    let mut wrong = Vec::new();
    for model in deterministic() {
        let lowered = lowered(model.file(), &model.text).expect("a model of the corpus has a time");
        wrong.extend(faults(&model, &lowered, POINTS));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where equations differ from the definition, and which of them were compared at no point at all.
///
/// At the selected points; what cannot be compared there, at all of them.
fn faults(model: &CorpusModel, equations: &[Closed], most: usize) -> Vec<String> {
    let checked = read(model.file(), &model.text);
    let points = points(&checked, most);
    let few = selected(points.iter().cloned());
    let mut comparison = compare(model.file(), &model.text, equations, &few);
    let missed: Vec<Closed> = equations
        .iter()
        .filter(|equation| !comparison.compared.contains(&equation.name))
        .cloned()
        .collect();
    if !missed.is_empty() {
        let other = compare(model.file(), &model.text, &missed, &points);
        comparison.wrong.extend(other.wrong);
        comparison.compared.extend(other.compared);
    }
    let missed = missed
        .iter()
        .filter(|equation| !comparison.compared.contains(&equation.name))
        .map(|equation| format!("{}: {} was compared nowhere", model.name, equation.name));
    comparison.wrong.into_iter().chain(missed).collect()
}

#[test]
fn no_reduction_is_left_open_but_where_a_model_says_why() {
    let mut open = Vec::new();
    for model in corpus() {
        if model.open().is_some() {
            let left = simplified(&model).iter().any(|c| c.open_reductions > 0);
            assert!(left, "{} closes; leave its `% open` out", model.name);
            continue;
        }
        // Of a distribution it is the time that closes; what its parts are without contention may not.
        let stated: Vec<String> = if model.name.starts_with("distributions/") {
            model
                .by_hand()
                .closed
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        } else {
            Vec::new()
        };
        let forms = simplified(&model);
        let left = forms
            .iter()
            .filter(|closed| closed.open_reductions > 0)
            .filter(|closed| stated.is_empty() || stated.contains(&closed.name));
        open.extend(
            left.map(|closed| format!("{}: {} = {}", model.name, closed.name, closed.formula)),
        );
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn closed_forms_are_as_reviewed() {
    insta::glob!("../../corpus", "*/*.pam", |path| {
        let file = path
            .strip_prefix(env!("CARGO_MANIFEST_DIR"))
            .unwrap_or(path);
        let text = std::fs::read_to_string(path).expect("a model of the corpus can be read");
        let model = CorpusModel {
            name: file.display().to_string(),
            path: path.to_path_buf(),
            text,
        };
        let mut settings = insta::Settings::clone_current();
        settings.set_omit_expression(true);
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!(rendered(&simplified(&model))));
    });
}

/// One equation per line, each with the conditions that it needs.
fn rendered(closed: &[Closed]) -> String {
    let mut text = String::new();
    for closed in closed {
        text.push_str(&format!("{} = {}\n", closed.name, closed.formula));
        if !closed.conditions.is_empty() {
            text.push_str(&format!(
                "    % valid for {}\n",
                closed.conditions.join(", ")
            ));
        }
    }
    text
}

#[test]
fn the_machine_repair_model_has_the_times_of_the_thesis() {
    let model = pamela::Model::from_file(&format!(
        "{}/corpus/papers/mrm_numbers.pam",
        env!("CARGO_MANIFEST_DIR")
    ))
    .expect("the model reads");
    let options = Options {
        all: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("the rules are rules");
    let evaluated = model
        .evaluate(&[], rules, &options)
        .expect("the parameters have values");
    let expected = [
        ("T_main", "100000000"),
        ("phi_main", "10100000"),
        ("omega_main", "100000000"),
    ];
    for (name, value) in expected {
        let equation = evaluated.equations.iter().find(|e| e.name == name);
        let found = match equation.map(|e| &e.value) {
            Some(Value::Scalar(number)) => number.as_exact().map(ToString::to_string),
            _ => None,
        };
        assert_eq!(found.as_deref(), Some(value), "{name}");
    }
}

#[test]
fn closed_forms_do_not_depend_on_the_order_of_equations() {
    for model in selected(corpus()) {
        let mut items = items(&model.text);
        items.reverse();
        let reversed =
            closed_forms(model.file(), &items.join("\n")).expect("the reversed model is a model");
        for closed in simplified(&model).iter() {
            let other = reversed
                .iter()
                .find(|other| other.name == closed.name)
                .expect("the same equations");
            assert_eq!(
                (&closed.formula, &closed.conditions),
                (&other.formula, &other.conditions),
                "{}: {}",
                model.name,
                closed.name
            );
        }
    }
}

/// The items of a model of the corpus, where each begins at the start of a line.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('%')) {
        let starts_item = [
            "numeric ",
            "process ",
            "resource ",
            "assume ",
            "include ",
            "import ",
        ]
        .iter()
        .any(|word| line.starts_with(word));
        match items.last_mut() {
            Some(item) if !starts_item => {
                item.push('\n');
                item.push_str(line);
            }
            _ => items.push(line.to_string()),
        }
    }
    items
}

#[test]
fn every_model_says_in_its_first_line_what_it_shows() {
    for model in corpus() {
        let first = model.text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("% ") && first.len() > 12,
            "{} starts with {first:?}",
            model.name
        );
    }
}

#[test]
fn the_corpus_is_where_the_tests_look_for_it() {
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus/papers/mrm.pam")
            .is_file()
    );
    assert!(corpus().len() > 100);
}
