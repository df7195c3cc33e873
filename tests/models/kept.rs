//! What is kept stays a name in forms, which have the values of those with everything written out.

use pamela::compiled::Point;
use pamela::document;
use pamela::pipeline::{Keep, Model, Options};
use pamela::ring::Rational;

use crate::selection::selected;

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

/// What is printed has the values of the model, whose functions are written out there.
fn assert_same_values(model: &Model, text: &str) {
    let again = Model::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let own = model
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
            assert_eq!(other, Some(&equation.value), "{}\n{text}", equation.name);
        }
    }
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
        assert_same_values(&model(), &text);
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

/// Random tables for `steps` and `linear`.
struct Tables(u64);

impl Tables {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Heights over places that grow from 0 on: in order, or mostly not.
    fn heights(&mut self, in_order: bool) -> Vec<u64> {
        let count = 2 + self.below(5);
        let mut heights: Vec<u64> = (0..count).map(|_| 1 + self.below(9)).collect();
        if in_order {
            heights.sort_unstable();
        }
        heights
    }

    /// `steps(argument, 0: 2, 3: 5, ..)`
    fn text(&mut self, heights: &[u64], argument: &str) -> String {
        let form = ["steps", "linear"][self.below(2) as usize];
        let mut place = 0;
        let points = heights.iter().map(|height| {
            let point = format!("{place}: {height}");
            place += 1 + self.below(7);
            point
        });
        let points: Vec<String> = points.collect();
        format!("{form}({argument}, {})", points.join(", "))
    }
}

#[test]
fn what_is_declared_to_move_one_way_does() {
    let mut random = Tables(7);
    let (mut right, mut wrong) = (0, 0);
    for number in 0..120 {
        let in_order = number % 3 == 0;
        let mut heights = random.heights(in_order);
        let falls = random.below(2) == 0;
        if falls && in_order {
            heights.reverse();
        }
        let argument = ["g", "2 * g", "g / 4", "max(g, 0)"][random.below(4) as usize];
        let table = random.text(&heights, argument);
        let word = if falls { "decreasing" } else { "increasing" };
        let moves = |pair: &[u64]| {
            if falls {
                pair[0] >= pair[1]
            } else {
                pair[0] <= pair[1]
            }
        };
        let is_so = heights.windows(2).all(moves);
        let text = format!("numeric kept f(g) : {word} = {table}\nnumeric y = f(3)");
        let model = Model::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let keep = Keep::Named(Vec::new());
        let options = Options {
            keep,
            ..Options::default()
        };
        let told = [model.check(), model.simplify(&options).map(drop)];
        for told in told {
            assert_eq!(told.is_ok(), is_so, "{text}\n{told:?}");
            if let Err(error) = told {
                let expected = format!("`f` is declared `{word}`, and ");
                assert!(error.to_string().contains(&expected), "{error}");
            }
        }
        (right, wrong) = (right + usize::from(is_so), wrong + usize::from(!is_so));
    }
    assert!(right >= 40 && wrong >= 40);
}

#[test]
fn what_moves_one_way_is_compared_by_its_arguments() {
    for seed in selected(0..8) {
        let mut random = Tables(11 + seed);
        let heights = random.heights(true);
        let (rising, mut falling) = (random.text(&heights, "g"), random.heights(true));
        falling.reverse();
        let falling = random.text(&falling, "max(g, 0)");
        let text = format!(
            "numeric parameter P : integer >= 1
            numeric parameter x : >= 0
            numeric kept up(g) : increasing = {rising}
            numeric kept down(g) : decreasing = {falling}
            numeric kept both(a, b) : >= 0 increasing(a) decreasing(b) = (max(a, 0) + 2) / (max(b, 0) + 1)
            numeric last = max (i = 0, P) {{ up(i) }}
            numeric first = max (i = 0, P) {{ down(i) + both(3, i) }}
            numeric least = min (i = 1, P) {{ up(2 * i) - down(i) }}
            numeric greater = max(up(x), up(x + P), up(P))
            numeric less = min(down(P), down(x + P))
            numeric holds = if (both(x, P) <= both(x + 1, P)) x else 7
            process main = par (i = 1, P) {{ delay(both(i, P - i)) }}"
        );
        let model = Model::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let printed = printed(&model, Keep::Named(Vec::new()));
        for expected in [
            "numeric last = up(P)",
            "numeric first = both(3, 0) + down(0)",
            "numeric least = up(2) - down(1)",
            "numeric greater = up(P + x)",
            "numeric less = down(P + x)",
            "numeric holds = x",
            "numeric T_main = both(P, 0)",
        ] {
            assert!(printed.contains(expected), "{expected}\n{printed}");
        }
        assert_same_values(&model, &printed);
    }
}
