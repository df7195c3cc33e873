//! `empirical` of files, by hand.

use std::collections::HashMap;

use super::*;
use crate::syntax::FileLoader;

fn files() -> HashMap<String, String> {
    let file = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
    [
        ("s.csv", "task,time\n1,5\n2,3\n3,8\n4,5\n"),
        ("bare.csv", "-0.5\r\n0.5\r\n"),
        ("same.csv", "7\n7\n"),
        ("words.csv", "x\n1\nabc\n"),
        ("infinite.csv", "1\ninf\n"),
        ("short.csv", "a,b\n1,2\n3\n"),
        ("header.csv", "a\n"),
        ("empty.csv", ""),
        ("include.pam", "numeric Y = empirical(\"s.csv\", 2)"),
    ]
    .map(file)
    .into()
}

fn check_with_files(text: &str) -> Result<Model, Error> {
    let (tree, sources) = parse_model("test.pam", text, &files())?;
    Model::check(tree, sources, &files())
}

fn read<T>(text: &str, read: impl FnOnce(&mut Evaluator) -> T) -> T {
    let model = check_with_files(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let bindings = BTreeMap::new();
    read(&mut Evaluator::new(
        &model,
        &bindings,
        Limits { steps: 1_000_000 },
    ))
}

fn distribution(expression: &str) -> String {
    let text = format!("numeric x = {expression}");
    let distribution = read(&text, |evaluator| evaluator.distribution("x"));
    let outcomes = distribution.expect("it is enumerated").outcomes;
    let texts = outcomes.iter().map(|(value, p)| format!("{value}: {p}"));
    texts.collect::<Vec<_>>().join(", ")
}

#[test]
fn samples_of_a_file_are_drawn_as_those_that_are_written() {
    let written = "empirical(3, 5, 5, 8)";
    for file in [
        "empirical(\"s.csv\", 2)",
        "empirical(\"s.csv\", \"time\")",
        "empirical(\"s.csv\", \"2\")",
    ] {
        assert_eq!(distribution(file), "3: 1/4, 5: 1/2, 8: 1/4");
        for expression in [
            "X + X",
            "2 * X - 1",
            "max(X, X, X)",
            "X * X",
            "if (X < 6) X else 0",
        ] {
            let of = |law: &str| distribution(&expression.replace('X', law));
            assert_eq!(of(file), of(written), "{expression} of {file}");
        }
    }
    assert_eq!(
        distribution("empirical(\"bare.csv\")"),
        "-1/2: 1/2, 1/2: 1/2"
    );
    assert_eq!(distribution("empirical(\"same.csv\", 1)"), "7: 1");
}

#[test]
fn cumulants_of_what_is_too_much_to_be_enumerated_add_up() {
    let of = |expression: &str| -> Vec<Value> {
        let operators = ["E", "Var", "K3", "K4"].iter();
        let text = |operator: &&str| format!("numeric x = {operator}({expression})");
        let value = |text: String| read(&text, |evaluator| evaluator.equation("x"));
        operators
            .map(|o| value(text(o)).expect("it is known"))
            .collect()
    };
    // 4^1000 sequences of draws.
    let many = of("sum (i = 1, 1000) { empirical(\"s.csv\", 2) }");
    let expected = ["5250", "6375/2", "9375/4", "-156375/16"];
    assert_eq!(many, expected.map(scalar));
}

#[test]
fn draws_are_samples_and_each_comes_as_often() {
    let text = "numeric x = empirical(\"s.csv\", 2)";
    let draws = read(text, |evaluator| evaluator.sample("x", 4000, 1)).expect("draws");
    for (value, expected) in [(3.0, 1000.0), (5.0, 2000.0), (8.0, 1000.0)] {
        let count = draws.iter().filter(|&&x| x == value).count() as f64;
        assert!((count - expected).abs() < 120.0, "{value}: {count}");
    }
    assert!(draws.iter().all(|x| [3.0, 5.0, 8.0].contains(x)));
}

#[test]
fn facts_are_held_against_the_least_and_the_greatest_sample() {
    let broken = |facts: &str, law: &str| {
        let text = format!("numeric parameter X {facts} = {law}");
        let broken = read(&text, |evaluator| evaluator.broken_facts());
        broken.expect("the facts have values").len()
    };
    // Of 8 alone, a sum of two, and the same scaled are enumerated.
    for (facts, count) in [
        (": law integer >= 3 <= 8", 0),
        (": law >= 4", 1),
        (": law <= 7", 1),
    ] {
        assert_eq!(broken(facts, "empirical(\"s.csv\", 2)"), count, "{facts}");
    }
    assert_eq!(broken(": law integer >= 0", "empirical(\"bare.csv\")"), 2);
}

#[test]
fn a_file_is_read_once_and_equal_columns_are_one_law() {
    let model = check_with_files(
        "include \"include.pam\" numeric X = empirical(\"s.csv\", \"time\") numeric Z = empirical(\"s.csv\", 1)",
    )
    .expect("it is a model");
    let laws: Vec<_> = model.all_samples().collect();
    let same = |law: &&&std::sync::Arc<crate::law::Sampled>| law.column() == 2;
    let times: Vec<_> = laws.iter().filter(same).collect();
    assert_eq!((laws.len(), times.len()), (3, 2));
    assert!(std::sync::Arc::ptr_eq(times[0], times[1]));
}

#[test]
fn a_value_from_outside_may_name_a_file() {
    let mut model = check_with_files("numeric parameter X : law numeric x = E(X)").expect("is one");
    let text = "empirical(\"s.csv\", 2)";
    let (value, sources) = crate::syntax::parse_expression("-D X", text).expect("parses");
    let error = model.define("X", value.clone(), &sources, &NoFiles);
    let message = error.expect_err("no files").diagnostics[0].message.clone();
    assert_eq!(
        message,
        "cannot read `s.csv`: this model is read from text and cannot read files"
    );
    model
        .define("X", value, &sources, &files())
        .expect("defined");
    let bindings = BTreeMap::new();
    let mut evaluator = Evaluator::new(&model, &bindings, Limits { steps: 1_000_000 });
    assert_eq!(evaluator.equation("x"), Ok(scalar("21/4")));
}

/// The message, and the text that it points at.
fn refused(law: &str) -> (String, String) {
    let text = format!("numeric X = {law}");
    let error = check_with_files(&text).expect_err(law);
    let (span, _) = error.diagnostics[0].labels[0];
    let place = text[span.start as usize..span.end as usize].to_owned();
    (error.diagnostics[0].message.clone(), place)
}

#[test]
fn what_is_wrong_with_a_file_is_said_at_its_place() {
    for (law, message, place) in [
        (
            "empirical(\"no.csv\", 2)",
            "cannot read `no.csv`: no such file",
            "\"no.csv\"",
        ),
        (
            "empirical(\"s.csv\", 3)",
            "`s.csv`: no column `3`; its columns are task, time",
            "3",
        ),
        (
            "empirical(\"s.csv\")",
            "`s.csv`: its columns are task, time: choose one by name or number",
            "\"s.csv\"",
        ),
        (
            "empirical(\"s.csv\", \"tim\")",
            "`s.csv`: no column `tim`; its columns are task, time",
            "\"tim\"",
        ),
        (
            "empirical(\"bare.csv\", 2)",
            "`bare.csv`: no column `2`; its columns are 1 to 1",
            "2",
        ),
        (
            "empirical(\"words.csv\")",
            "`words.csv`: line 3, column `x`: `abc` is not a finite number",
            "\"words.csv\"",
        ),
        (
            "empirical(\"infinite.csv\", 1)",
            "`infinite.csv`: line 2, column `1`: `inf` is not a finite number",
            "1",
        ),
        (
            "empirical(\"short.csv\", \"b\")",
            "`short.csv`: line 3: there is 1 field, but the first line has 2: every row must have as \
             many, and a field with `,` in it must be quoted",
            "\"b\"",
        ),
        (
            "empirical(\"header.csv\")",
            "`header.csv`: there are no samples",
            "\"header.csv\"",
        ),
        (
            "empirical(\"empty.csv\")",
            "`empty.csv`: there are no samples",
            "\"empty.csv\"",
        ),
    ] {
        assert_eq!(
            refused(law),
            (message.to_owned(), place.to_owned()),
            "{law}"
        );
    }
}

#[test]
fn what_is_wrong_with_arguments_is_said_at_their_place() {
    for (law, message, place) in [
        (
            "empirical(\"s.csv\", 0)",
            "a column must be a number from 1, or a name",
            "0",
        ),
        (
            "empirical(\"s.csv\", 1 + 1)",
            "a column must be a number from 1, or a name",
            "1 + 1",
        ),
        (
            "empirical(\"s.csv\", 1, 2)",
            "`empirical` takes a file and one column of it",
            "2",
        ),
        (
            "empirical(3, \"s.csv\")",
            "expected a number, found a text",
            "\"s.csv\"",
        ),
    ] {
        assert_eq!(
            refused(law),
            (message.to_owned(), place.to_owned()),
            "{law}"
        );
    }
}

#[test]
fn what_is_no_regular_file_is_not_opened() {
    let directory = env!("CARGO_MANIFEST_DIR");
    for file in [directory, "/dev/zero"] {
        let text = format!("numeric X = empirical(\"{file}\")");
        let (tree, sources) = parse_model("test.pam", &text, &FileLoader).expect("parses");
        let error = Model::check(tree, sources, &FileLoader).expect_err("no file");
        let expected = format!("cannot read `{file}`: it is not a regular file");
        assert_eq!(error.diagnostics[0].message, expected);
    }
}

#[test]
fn too_many_samples_are_refused() {
    let column = "1\n".repeat(1_000_001);
    let loader: HashMap<String, String> = [("a.csv", "b.csv")]
        .into_iter()
        .flat_map(|(a, b)| {
            [
                (a.to_owned(), column.clone()),
                (b.to_owned(), column.clone()),
            ]
        })
        .collect();
    let check = |text: &str| {
        let (tree, sources) = parse_model("test.pam", text, &loader).expect("parses");
        Model::check(tree, sources, &loader)
    };
    let one = "numeric X = empirical(\"a.csv\") numeric Y = empirical(\"a.csv\", 1)";
    assert!(check(one).is_ok());
    let error = check("numeric X = empirical(\"a.csv\") numeric Y = empirical(\"b.csv\")");
    let message = &error.expect_err("too many").diagnostics[0].message;
    assert_eq!(
        message,
        "`b.csv`: too many samples: a model has at most 2000000"
    );
}
