//! What is kept stays a name in forms, which have the values of those with everything written out.

use pamela::compiled::Point;
use pamela::document;
use pamela::pipeline::{Keep, Model, Options};
use pamela::ring::Rational;

const TEXT: &str = "
    numeric parameter P : integer >= 1
    numeric parameter x : >= 0
    numeric kept share(g) : > 0 <= 1 = steps(g, 0: 0.1, 3: 0.6, 40: 0.9)
    numeric kept cost(a, b) : >= 0 = max(a, b)^2
    numeric once = P * (P + 1) / 2
    numeric rate = x / share(x + P) + share(0) * once
    process main = seq (i = 1, P) { delay(cost(x, 2) + max(share(x), 0)) ; delay(once) }
    process other = main ; delay(x)
";

fn model() -> Model {
    Model::parse(TEXT).unwrap_or_else(|error| panic!("{error}"))
}

fn printed(model: &Model, keep: Keep) -> String {
    let options = Options {
        keep,
        ..Options::default()
    };
    let simplified = model.simplify(&options);
    document::pamela(model, &simplified.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn names_stay_and_stand_above() {
    let text = printed(&model(), Keep::Named(Vec::new()));
    for expected in [
        "numeric kept share(g) : > 0 <= 1 = steps(g, 0: 0.1, 3: 0.6, 40: 0.9)",
        "numeric kept cost(a, b) : >= 0 = max(a, b)^2",
        "x / share(P + x)",
        // It is declared to be above 0.
        "share(x)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("max(0, share"), "{text}");
    assert!(
        text.find("kept share") < text.find("numeric rate"),
        "{text}"
    );
}

#[test]
fn what_is_printed_reads_back_and_has_the_same_values() {
    let named = Keep::Named(vec!["once".to_owned()]);
    for keep in [Keep::Nothing, Keep::Named(Vec::new()), named, Keep::All] {
        let text = printed(&model(), keep.clone());
        let again = Model::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let own = model()
            .compile(&Options::default())
            .expect("it has closed forms");
        let options = Options {
            keep: Keep::Named(Vec::new()),
            ..Options::default()
        };
        let kept = again
            .compile(&options)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (p, numerator) in [(1, 0), (2, 1), (5, 7), (40, 90)] {
            let x = Rational::new(numerator, 2).expect("2 is not 0");
            let point = || Point::default().with("P", p).with("x", x.clone());
            let values = own.at(point()).unwrap_or_else(|error| panic!("{error}"));
            let others = kept.at(point()).unwrap_or_else(|error| panic!("{error}"));
            for equation in &values.equations {
                let other = others.equations.iter().find(|e| e.name == equation.name);
                let other = other.map(|other| &other.value);
                assert_eq!(
                    other,
                    Some(&equation.value),
                    "{} {keep:?}\n{text}",
                    equation.name
                );
            }
        }
    }
}

#[test]
fn what_is_declared_is_looked_at() {
    let wrong =
        Model::parse("numeric kept f(g) : <= 0.8 = linear(g, 0: 0.1, 7: 0.9)\nnumeric y = f(3)");
    let error = wrong
        .expect("it reads")
        .check()
        .expect_err("it is above at 7");
    assert!(error.to_string().contains("declared `<= 0.8`"), "{error}");
    assert!(model().check().is_ok());
}

#[test]
fn a_name_that_is_not_there_is_told() {
    let options = Options {
        keep: Keep::Named(vec!["onse".to_owned()]),
        ..Options::default()
    };
    let error = model().simplify(&options).expect_err("there is none");
    assert!(
        error.to_string().contains("did you mean `once`?"),
        "{error}"
    );
}
