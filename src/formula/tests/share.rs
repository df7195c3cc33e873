use std::rc::Rc;

use super::read;
use crate::expr::Arena;
use crate::formula::{Formula, Notation};

/// Many powers of one large base.
fn large() -> Formula {
    let base = "max(a + b * c, floor(a / d) + min(b, c, d), e * f - 1)";
    let powers: Vec<String> = (2..60).map(|k| format!("{k} * {base}^{k}")).collect();
    let mut arena = Arena::new();
    let root = read(&mut arena, &powers.join(" + "));
    Formula::new(Rc::new(arena), root, Vec::new())
}

#[test]
fn a_large_formula_names_what_it_would_repeat() {
    let text = large().text(Notation::Pamela, "T");
    let [(name, definition)] = &text.definitions[..] else {
        panic!("{:?}", text.definitions)
    };
    assert_eq!(name, "T_1");
    assert_eq!(
        definition,
        "max(a div d + min(b, c, d), b * c + a, e * f - 1)"
    );
    assert!(
        text.expression.starts_with("59 * T_1^59 + 58 * T_1^58"),
        "{}",
        text.expression
    );
    let latex = large().text(Notation::Latex, "T");
    assert!(
        latex.expression.starts_with("59\\,T_{1}^{59}"),
        "{}",
        latex.expression
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
fn a_small_formula_is_written_in_one_piece() {
    let small = super::formula("floor(a + b) * floor(a + b) + floor(a + b)");
    assert!(small.text(Notation::Pamela, "T").definitions.is_empty());
}
