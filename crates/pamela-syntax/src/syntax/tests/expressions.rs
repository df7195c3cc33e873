use super::{expression, shape};
use crate::ring::Rational;
use crate::syntax::parse_expression;
use crate::syntax::tree::{Expr, ExprKind, ReduceKind};

/// Whether two texts are the same expression.
fn same(left: &str, right: &str) {
    assert_eq!(
        shape(&expression(left)),
        shape(&expression(right)),
        "{left}   {right}"
    );
}

fn is_error(text: &str) {
    assert!(parse_expression("expression", text).is_err(), "{text}");
}

#[test]
fn products_bind_closer_than_sums() {
    same("a + b * c - d / e", "a + (b * c) - (d / e)");
}

#[test]
fn mod_and_div_bind_like_products_from_the_left() {
    same("a + b mod c div d * e", "a + (b mod c div d * e)");
    let ExprKind::Product(_, factors) = expression("b mod c div d").kind else {
        panic!()
    };
    assert_eq!(factors.len(), 2);
}

#[test]
fn words_that_begin_with_an_operator_are_names() {
    assert!(matches!(expression("modulus").kind, ExprKind::Name(_)));
    assert!(matches!(
        expression("a mod division").kind,
        ExprKind::Product(..)
    ));
    is_error("a modb");
}

#[test]
fn powers_bind_closer_than_a_minus_on_their_left() {
    same("-2^2", "-(2^2)");
    same("a * -b^c", "a * (-(b^c))");
}

#[test]
fn powers_associate_to_the_right() {
    same("a^b^c", "a^(b^c)");
    same("2^-3^2", "2^(-(3^2))");
}

#[test]
fn a_minus_binds_closer_than_a_product() {
    same("-a * b", "(-a) * b");
    same("- - a - -b", "(-(-a)) - (-b)");
}

#[test]
fn comparisons_bind_closer_than_and_which_binds_closer_than_or() {
    same("a || b && c < d + e", "a || (b && (c < (d + e)))");
    same("!a == b", "(!a) == b");
}

#[test]
fn a_bracketed_comparison_may_be_compared() {
    assert!(matches!(
        expression("(a < b) == (c < d)").kind,
        ExprKind::Compare(..)
    ));
    is_error("a < b < c");
    is_error("a == b != c");
}

#[test]
fn chains_are_flat() {
    let ExprKind::Sum(_, terms) = expression("a - b + c - d").kind else {
        panic!()
    };
    assert_eq!(terms.len(), 3);
    let ExprKind::Or(operands) = expression("a || b || c").kind else {
        panic!()
    };
    assert_eq!(operands.len(), 3);
}

#[test]
fn a_numeric_if_extends_as_far_as_it_can() {
    same(
        "1 + if (c) a + b else c * d + e",
        "1 + (if (c) (a + b) else (c * d + e))",
    );
    same(
        "if (c) a else if (d) b else e || f",
        "if (c) a else (if (d) b else (e || f))",
    );
    same(
        "if (c) if (d) x else y else z",
        "if (c) (if (d) x else y) else z",
    );
}

#[test]
fn braces_group_numbers() {
    same("{ a + b } * c", "(a + b) * c");
}

#[test]
fn a_reduction_without_braces_takes_one_operand() {
    same("sum (i = 1, N) x * 2", "(sum (i = 1, N) { x }) * 2");
    same(
        "sum (i = 1, N) max (j = 1, i) f(j)",
        "sum (i = 1, N) { max (j = 1, i) { f(j) } }",
    );
    same("sum (i = 1, N) (i + 1)", "sum (i = 1, N) { i + 1 }");
}

#[test]
fn the_power_of_a_reduction_needs_brackets() {
    is_error("sum (i = 1, N) i^2");
    is_error("sum (i = 1, N) (i)^2");
    assert!(matches!(
        expression("sum (i = 1, N) { i }^2").kind,
        ExprKind::Power(..)
    ));
    assert!(matches!(
        expression("2^sum (i = 1, N) { i }").kind,
        ExprKind::Power(..)
    ));
}

#[test]
fn max_is_a_reduction_where_an_index_follows_and_else_a_function() {
    assert!(matches!(
        expression("max (i = 1, N) { i }").kind,
        ExprKind::Reduce(_)
    ));
    assert!(matches!(
        expression("max(i == 1, N)").kind,
        ExprKind::Call(..)
    ));
    assert!(matches!(expression("max(v)").kind, ExprKind::Call(..)));
    assert!(matches!(expression("min (a, b)").kind, ExprKind::Call(..)));
}

#[test]
fn kth_has_a_rank() {
    let ExprKind::Reduce(reduction) = expression("kth (k + 1 of i = 1, N) { x(i) }").kind else {
        panic!()
    };
    assert_eq!(reduction.kind, ReduceKind::Kth);
    assert!(matches!(
        reduction.range.quorum.map(|rank| rank.kind),
        Some(ExprKind::Sum(..))
    ));
    is_error("kth (i = 1, N) { x }");
    is_error("sum (2 of i = 1, N) { x }");
}

#[test]
fn numbers_are_exact() {
    let number = |text: &str| match expression(text).kind {
        ExprKind::Number(value) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(Some(number("10.1")), Rational::new(101, 10));
    assert_eq!(Some(number("5e-3")), Rational::new(1, 200));
    assert_eq!(Some(number("2e+0")), Rational::new(2, 1));
    assert_eq!(Some(number("1.5E2")), Rational::new(150, 1));
}

#[test]
fn malformed_numbers_are_errors() {
    for text in [
        "2x", "1.2.3", "1.", ".5", "1e", "1e401", "1e-401", "0x10", "1_000",
    ] {
        is_error(text);
    }
}

#[test]
fn vectors_laws_and_texts_are_operands() {
    same("[1, 2, 3] * 4", "([1, 2, 3]) * 4");
    let ExprKind::Call(_, arguments) = expression("empirical(\"a b%.csv\", 2)").kind else {
        panic!()
    };
    assert!(matches!(&arguments[0].kind, ExprKind::Text(text) if text == "a b%.csv"));
}

#[test]
fn a_switch_has_weighted_arms() {
    let ExprKind::Switch(arms) = expression("switch { 1/4: a, 3/4: b + c }").kind else {
        panic!()
    };
    assert_eq!(arms.len(), 2);
}

#[test]
fn reserved_words_name_nothing() {
    for word in crate::words::RESERVED {
        is_error(word);
        is_error(&format!("{word}(1)"));
    }
}

/// The words that the grammar reserves are those that the lexer knows.
#[test]
fn grammar_and_lexer_reserve_the_same_words() {
    let grammar = include_str!("../grammar.pest");
    let rule = grammar
        .split_once("reserved = ")
        .and_then(|(_, rest)| rest.split_once("word_end"));
    let words: Vec<&str> = rule.map_or(Vec::new(), |(rule, _)| {
        rule.split('"').skip(1).step_by(2).collect()
    });
    assert_eq!(words, crate::words::RESERVED);
}

#[test]
fn an_expression_is_all_of_its_text() {
    for text in [
        "",
        "  % nothing",
        "a b",
        "a;",
        "1, 2",
        "numeric a = 1",
        "(a",
        "a)",
    ] {
        is_error(text);
    }
}

/// But that of a name in brackets is the name, which editors rename.
#[test]
fn a_place_covers_the_whole_operand() {
    let text = " f(a, b) + (a * b) - (c)";
    let Expr {
        span,
        kind: ExprKind::Sum(first, rest),
    } = expression(text)
    else {
        panic!()
    };
    let slice = |span: crate::diagnostic::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(span), "f(a, b) + (a * b) - (c)");
    assert_eq!(slice(first.span), "f(a, b)");
    assert_eq!(slice(rest[0].1.span), "(a * b)");
    assert_eq!(slice(rest[1].1.span), "c");
}
