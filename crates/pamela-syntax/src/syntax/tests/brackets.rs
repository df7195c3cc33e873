//! Brackets that nothing but the reader needs.

use super::expression;

#[test]
fn some_brackets_are_printed_for_the_reader() {
    for (text, printed) in [
        ("a^b^-c", "a^(b^-c)"),
        ("a^-2", "a^-2"),
        ("-a * -b", "-a * (-b)"),
        ("-a mod b", "-a mod b"),
        ("a^2 div b", "a^2 div b"),
        ("!a * b", "(!a) * b"),
        ("x / 5 [us] * 2 [s]", "x / (5 [us]) * 2 [s]"),
        (
            "if (a) if (b) c else d else if (e) f else g",
            "if (a) (if (b) c else d) else if (e) f else g",
        ),
        ("1e20 + 3e-4", "100000000000000000000 + 0.0003"),
    ] {
        assert_eq!(expression(text).to_string(), printed);
        assert_eq!(expression(printed).to_string(), printed);
    }
}

#[test]
fn formulas_have_more_brackets_and_shorter_numbers() {
    for text in [
        "a^(b^(-c)) + b^-2",
        "(-a) mod b - (-b) div c",
        "sum (i = 2^(-a), b) { if (2^(-i) < c) f(2^(-i)) else [2^(-i)] }",
        "kth (2^(-a) of i = 1, b, 2^(-c)) { switch { 2^(-a): x } }",
        "graph { a (i = 1, 2^(-n)): 2^(-i) after a(2^(-i)) for (j = 2^(-i), n) if (2^(-j) > 0) }",
    ] {
        assert_eq!(format!("{:#}", expression(text)), text);
    }
    for (text, printed) in [
        ("1e30 + 3e-20", "10^30 + 3/10^20"),
        ("-4e30 * a + b^4e30", "-4 * 10^30 * a + b^(4 * 10^30)"),
        ("a / 4e30 * 4e30", "a / (4 * 10^30) * (4 * 10^30)"),
        ("a^-4e30 mod 1e30", "a^(-4 * 10^30) mod 10^30"),
    ] {
        assert_eq!(format!("{:#}", expression(text)), printed);
    }
}
