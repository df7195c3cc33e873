//! Units: what they mean, and the slips that are told.

use super::{check, model};

/// The first line of each error of a text.
fn errors(text: &str) -> Vec<String> {
    match check(text) {
        Ok(_) => Vec::new(),
        Err(error) => error
            .diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect(),
    }
}

/// The dimension of `x` in a text.
fn dimension(text: &str) -> String {
    let model = model(text);
    let found = model.units().dimension("x").expect("it has one");
    found.to_string()
}

#[test]
fn dimensions_follow_from_use() {
    for (text, expected) in [
        ("numeric x = 5 [us] * 3", "s"),
        ("numeric x = 5 [GB/s] / (3 [Hz])", "B"),
        ("numeric x = (2 [s])^3 / 4 [s]", "s^2"),
        ("numeric x = sqrt(4 [s^2])", "s"),
        ("numeric x = 5 [W] * 1 [h]", "J"),
        ("numeric x = 5 [bit] + 0", "B"),
        ("numeric parameter x numeric y = x + 1 [ms]", "s"),
        ("numeric parameter x process p = delay(x + 0 [s])", "s"),
        (
            "numeric parameter x numeric y = sum (i = 1, 3) { i * x } / (1 [B/s]) + 1 [s]",
            "B",
        ),
        (
            "numeric f(a, b) = a / b numeric x = f(1 [B], 2 [s]) + f(1 [B^2], 1 [B * s])",
            "B/s",
        ),
        ("numeric x = 1 [s] * E(2 * lognormal(0, 1))", "s"),
        ("numeric x = Var(exponential(2 [ms]))", "s^2"),
        (
            "unit [token] unit [page] = 4 [token] numeric x = 3 [kpage] / 1 [token]",
            "?",
        ),
        (
            "unit [token] unit [page] = 4 [token] numeric x = 3 [page] + 1 [ktoken]",
            "token",
        ),
        ("numeric x = 7 [B] div 2 [B]", "1"),
        ("numeric x = 7 [B] mod 2 [B]", "B"),
        ("process p = delay(1 [cycle]) numeric x = T(p)", "cycle"),
    ] {
        match expected {
            // Multiples take no prefix.
            "?" => assert_eq!(errors(text), ["no unit named `kpage`"]),
            _ => assert_eq!(dimension(text), expected, "{text}"),
        }
    }
}

#[test]
fn slips_are_told() {
    for (text, expected) in [
        (
            "numeric x = 1 [s] + 1 [B]",
            "a time and a number of bytes are added",
        ),
        (
            "numeric x = max(1 [s], 2)",
            "a time and a number without a unit are compared",
        ),
        (
            "numeric x = if (1 [s] < 1 [B/s]) 1 else 2",
            "a time and a bandwidth are compared",
        ),
        (
            "numeric x : [s] = 1 [B]",
            "`x` is [s], but its value is [B]",
        ),
        (
            "numeric parameter x : [s] >= 1",
            "`x` is [s], but its bound is [1]",
        ),
        (
            "process p = delay(5) ; delay(1 [s])",
            "the time of a `delay` is [1], but times are [s] or [cycle]",
        ),
        (
            "process p = delay(1 [s]) ; delay(1 [cycle])",
            "the time of a `delay` is [cycle], but times are [s]",
        ),
        (
            "numeric x = sum (i = 1, 64 [B]) i",
            "a bound of a range has the unit [B]",
        ),
        (
            "numeric x = exp(1 [s])",
            "an argument of `exp` has the unit [s]",
        ),
        ("numeric x = 2^(1 [s])", "an exponent has the unit [s]"),
        (
            "numeric f(t : [s]) = t numeric x = f(1 [B])",
            "an argument of `f` is [B], expected [s]",
        ),
        (
            "numeric parameter x : [us] integer",
            "`x` is declared `integer` in a multiple of a base unit",
        ),
        ("numeric x = 1 [sec]", "no unit named `sec`"),
        ("numeric x = 1 [KiFLOP]", "no unit named `KiFLOP`"),
        (
            "unit [s] = 2 [B] numeric x = 1 [s]",
            "`s` is already a different unit",
        ),
        ("unit [x] = 0 [B]", "the unit `x` is 0"),
        (
            "unit [a] = 10 [Es^12] unit [b] = 1 [a^12]",
            "`a` to this power is too large a unit",
        ),
        (
            "record r { a : [B] } table t : r { one: 2 [s] }",
            "row `one` of `t`: `a` is [s], but declared [B]",
        ),
    ] {
        assert_eq!(
            errors(text).first().map(String::as_str),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn libraries_may_declare_the_same_unit() {
    assert_eq!(
        errors("unit [token] unit [token] numeric x = 1 [token]"),
        Vec::<String>::new()
    );
}

#[test]
fn names_in_brackets_are_units_alone() {
    let text =
        "numeric parameter s : [s] numeric B = s / 1 [B] numeric unit = 2 numeric kept = unit * B";
    assert_eq!(errors(text), Vec::<String>::new());
}

#[test]
fn only_what_is_kept_is_bounded() {
    let text = "numeric f(x) : > 0 = x";
    assert_eq!(
        errors(text),
        ["only a numeric parameter or a `kept` equation can be bounded"]
    );
    assert_eq!(errors("numeric kept f(x) : > 0 = x"), Vec::<String>::new());
}
