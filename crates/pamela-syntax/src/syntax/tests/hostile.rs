//! No text makes the reader panic, hang or run out of stack. The sizes are small enough for debug
//! builds; what matters is that they lie far beyond every limit.

use super::errors;
use crate::syntax::{NoFiles, parse_expression, parse_model};

const MANY: usize = 200_000;

#[test]
fn endless_nesting_is_an_error_with_a_place() {
    for piece in [
        "(",
        "-",
        "!",
        "if (a) ",
        "2^",
        "[",
        "{",
        "f(",
        "sum (i=1,2) ",
        "max (i=1,2) {",
        "if (a) b else ",
        "switch {",
        "-2^",
    ] {
        let text = format!("numeric x = {}", piece.repeat(MANY));
        let message = errors(&text);
        assert!(message.contains("model.pam:1:"), "{piece}: {message}");
        assert!(message.len() < 2000, "{piece}: {}", message.len());
        assert!(
            parse_expression("expression", &piece.repeat(MANY)).is_err(),
            "{piece}"
        );
    }
    for piece in [
        "{",
        "seq (i=1,2) ",
        "par (i=1,2) {",
        "if (a) ",
        "if (a) b else ",
        "any (2 of i=1,2) ",
        "switch { 1: ",
        "delay(",
    ] {
        let message = errors(&format!("process x = {}", piece.repeat(MANY)));
        assert!(message.contains("model.pam:1:"), "{piece}: {message}");
    }
}

#[test]
fn closing_brackets_without_end_are_an_error() {
    for piece in [")", "]", "}", ");", "})"] {
        assert!(errors(&format!("process x = {}", piece.repeat(MANY))).contains("closes nothing"));
    }
}

#[test]
fn long_flat_chains_are_read() {
    for piece in [
        "a+",
        "a*",
        "a&&",
        "a||",
        "f(a)-",
        "(a)+",
        "{a} mod ",
        "a<",
        "-a-",
        "a^b*",
        "sum(i=1,2) i +",
    ] {
        let text = format!("numeric x = {}a", piece.repeat(20_000));
        let parsed = parse_model("model.pam", &text, &NoFiles);
        assert_eq!(parsed.is_ok(), piece != "a<", "{piece}");
    }
    for piece in [
        "a;",
        "a||",
        "a<>",
        "{a};",
        "seq(i=1,2) a;",
        "if (c) a else b ||",
        "if (c) a ;",
    ] {
        let text = format!("process x = {}a", piece.repeat(20_000));
        assert!(parse_model("model.pam", &text, &NoFiles).is_ok(), "{piece}");
    }
    let arguments = format!("numeric x = f({}a)", "a,".repeat(20_000));
    assert!(parse_model("model.pam", &arguments, &NoFiles).is_ok());
}

/// Each pair of brackets once more doubles the time of a parser that reads alternatives again.
#[test]
fn deep_nesting_takes_no_time() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("f(", ")"),
        ("max(a, ", ")"),
        ("max (i = 1, ", ") { i }"),
        ("sum (i = 1, 2) {", "}"),
        ("kth (", " of i = 1, 2) { i }"),
        ("if (", ") a else b"),
    ] {
        let text = format!("{}x{}", open.repeat(100), close.repeat(100));
        assert!(parse_expression("expression", &text).is_ok(), "{open}");
    }
    for (open, close) in [
        ("{", "}"),
        ("seq (i = 1, 2) {", "}"),
        ("if (c) {", "} else a"),
        ("switch { 1: ", "}"),
        ("a ; { b || {", "} }"),
    ] {
        let text = format!("process x = {}x{}", open.repeat(100), close.repeat(100));
        assert!(parse_model("model.pam", &text, &NoFiles).is_ok(), "{open}");
    }
}

#[test]
fn errors_are_limited_in_number() {
    let text = "numeric x = \n".repeat(MANY);
    let Err(error) = parse_model("model.pam", &text, &NoFiles) else {
        panic!()
    };
    assert_eq!(error.diagnostics.len(), 50);
}

#[test]
fn the_error_in_a_long_line_shows_its_place_only() {
    let text = format!("process x = {} b", "a ; ".repeat(MANY) + "a");
    insta::assert_snapshot!(errors(&text));
}

#[test]
fn random_bytes_are_an_error() {
    let mut state = 1_u64;
    let mut byte = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..2000).map(|_| byte()).collect();
        let text = String::from_utf8_lossy(&bytes);
        let message = errors(&format!("numeric x = {text}"));
        assert!(!message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn numbers_cost_no_more_than_their_text() {
    assert!(parse_expression("expression", "1e999999999999").is_err());
    assert!(parse_expression("expression", &"9".repeat(MANY)).is_err());
}

#[test]
fn an_equation_beyond_the_limit_is_an_error() {
    let long = format!("numeric x = {}a", " ".repeat(17 << 20));
    assert!(errors(&long).contains("more than 16 MiB"));
    let dense = format!("numeric x = {}a", "a+".repeat(1_600_000));
    assert!(errors(&dense).contains("more than 3000000 words and signs"));
}

#[test]
fn texts_without_end_are_errors() {
    assert!(errors("include \"abc\nnumeric a = 1").contains("closing quote"));
    assert!(errors(&format!("numeric x = f(\"{}", "a".repeat(MANY))).len() < 2000);
}
