use std::sync::Arc;

use super::read;
use crate::expr::Arena;
use crate::formula::{Formula, NameTable, Notation};

/// Many powers of one large base.
fn large() -> Formula {
    let base = "max(a + b * c, floor(a / d) + min(b, c, d), e * f - 1)";
    let powers: Vec<String> = (2..60).map(|k| format!("{k} * {base}^{k}")).collect();
    let mut arena = Arena::new();
    let root = read(&mut arena, &powers.join(" + "));
    Formula::new(Arc::new(arena), root, Vec::new())
}

#[test]
fn a_large_formula_names_what_it_would_repeat_and_is_cut() {
    let text = large().text(Notation::Pamela, "T");
    let [base, piece, ..] = &text.definitions[..] else {
        panic!("{:?}", text.definitions)
    };
    let expected = "max(a div d + min(b, c, d), b * c + a, e * f - 1)";
    assert_eq!(*base, ("T_1".to_string(), expected.to_string()));
    assert!(
        piece.1.starts_with("59 * T_1^59 + 58 * T_1^58"),
        "{piece:?}"
    );
    assert_eq!(text.expression, "T_2 + T_3 + T_4 + T_5 + T_6");
    let latex = large().text(Notation::Latex, "T");
    assert!(
        latex.definitions[1].1.starts_with("59\\,T_{1}^{59}"),
        "{latex:?}"
    );
}

#[test]
fn definitions_and_formula_have_the_value_of_the_whole() {
    use crate::eval::{Limits, evaluate};
    let formula = large();
    let text = formula.text(Notation::Pamela, "T");
    let mut point: crate::eval::Bindings = ["a", "b", "c", "d", "e", "f"]
        .iter()
        .zip(2_i64..)
        .map(|(name, value)| (name.to_string(), value.into()))
        .collect();
    let expected = formula.evaluate(&point);
    let mut arena = Arena::new();
    for (name, definition) in &text.definitions {
        let id = read(&mut arena, definition);
        let value = evaluate(&arena, id, &point, Limits::default()).expect("defined");
        point.insert(name.clone(), value);
    }
    let id = read(&mut arena, &text.expression);
    assert_eq!(evaluate(&arena, id, &point, Limits::default()), expected);
}

#[test]
fn parts_that_are_small_or_rare_are_written_out() {
    let definitions = |text: &str| super::formula(text).text(Notation::Pamela, "T").definitions;
    let twice = definitions("floor(a + b / 2) * (a + b / 2)");
    assert!(twice.is_empty(), "{twice:?}");
    let small = definitions("floor(a + b) * floor(a + b) + floor(a + b)");
    assert!(small.is_empty(), "{small:?}");
    let thrice = definitions("max(a div b + c, 2) + log(a div b + c) + (a div b + c)^(1/2)");
    assert_eq!(thrice, [("T_1".to_string(), "c + a div b".to_string())]);
}

#[test]
fn a_name_that_is_given_is_taken() {
    let mut arena = Arena::new();
    let root = read(
        &mut arena,
        "max(a div b + c, 2) + log(a div b + c) + (a div b + c)^(1/2)",
    );
    let part = read(&mut arena, "a div b + c");
    let given = NameTable {
        named: [(part, "width".to_string())].into_iter().collect(),
        ..NameTable::default()
    };
    let formula = Formula::new(Arc::new(arena), root, Vec::new()).beside(Arc::new(given));
    let text = formula.text(Notation::Pamela, "T");
    assert_eq!(text.expression, "log(width) + max(2, width) + width^0.5");
    let reference = ("width".to_string(), "c + a div b".to_string());
    assert_eq!(
        (text.definitions, text.references),
        (Vec::new(), vec![reference])
    );
}

#[test]
fn a_new_name_is_not_that_of_anything_else() {
    let mut arena = Arena::new();
    let root = read(
        &mut arena,
        "max(a div b + T_1, 2) + log(a div b + T_1) + (a div b + T_1)^(1/2)",
    );
    let given = NameTable {
        taken: ["T_2".to_string()].into(),
        ..NameTable::default()
    };
    let formula = Formula::new(Arc::new(arena), root, Vec::new()).beside(Arc::new(given));
    assert_eq!(
        formula.text(Notation::Pamela, "T").expression,
        "log(T_3) + max(2, T_3) + T_3^0.5"
    );
}

/// `x := f(x, x)`, so often.
fn chain(step: &str, levels: usize) -> Formula {
    let mut arena = Arena::new();
    let (start, x) = (read(&mut arena, "x0"), read(&mut arena, "x"));
    let step = read(&mut arena, step);
    let symbol = arena.free(x)[0];
    let root = (0..levels).fold(start, |root, _| arena.substitute(step, symbol, root));
    Formula::new(Arc::new(arena), root, Vec::new())
}

#[test]
fn text_grows_with_the_different_parts_of_a_formula() {
    for step in [
        "max(min(2 * x, y + 1), x + 3)",
        "(x + 1) div 3 + x * y",
        "if (x > y) x + y else 2 * x",
        "x^2 + y",
        "(x < y) * x + (y < x) * (x + 1)",
    ] {
        let length = |levels| {
            let text = chain(step, levels).text(Notation::Pamela, "T");
            let lines = text.definitions.iter().map(|(_, text)| text.len());
            lines.sum::<usize>() + text.expression.len()
        };
        let (one, two) = (length(200), length(400));
        assert!(two < one * 5 / 2 && two < 60_000, "{step}: {one}, {two}");
    }
}

#[test]
fn a_long_sum_is_cut_into_pieces() {
    let terms: Vec<String> = (0..200).map(|k| format!("a{k} * b{k}")).collect();
    let text = super::formula(&terms.join(" + ")).text(Notation::Pamela, "T");
    let lines = text.definitions.iter().map(|(_, text)| text);
    for line in lines.chain([&text.expression]) {
        let operations = line.matches(" * ").count() + line.matches(" + ").count();
        assert!((1..=60).contains(&operations), "{operations} in {line}");
    }
    let places: usize = text
        .definitions
        .iter()
        .map(|(_, t)| t.matches("a1").count())
        .sum();
    assert_eq!(places, 111, "each term is written once");
}
