//! Random expressions as text, and random values for their parameters.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

pub const PARAMETERS: [&str; 4] = ["N", "P", "t", "x_1"];

fn leaf(indices: usize) -> BoxedStrategy<String> {
    let parameter = (0..PARAMETERS.len()).prop_map(|p| PARAMETERS[p].to_string());
    let number = prop_oneof![
        (0..5).prop_map(|n: i32| n.to_string()),
        Just("0.5".to_string()),
        Just("10.1".to_string()),
        Just("(1/3)".to_string()),
        Just("(-2)".to_string()),
    ];
    if indices == 0 {
        prop_oneof![3 => parameter, 2 => number].boxed()
    } else {
        let index = (0..indices).prop_map(|depth| format!("q{depth}"));
        prop_oneof![3 => parameter, 2 => number, 3 => index].boxed()
    }
}

fn condition(depth: u32, indices: usize) -> BoxedStrategy<String> {
    let relation = prop_oneof![
        Just("<"),
        Just("<="),
        Just("=="),
        Just(">"),
        Just(">="),
        Just("!=")
    ];
    let compare = (
        scalar(depth, indices, false),
        relation,
        scalar(depth, indices, false),
    )
        .prop_map(|(a, relation, b)| format!("(({a}) {relation} ({b}))"));
    let integer = scalar(depth, indices, false).prop_map(|a| format!("integer({a})"));
    let simple = prop_oneof![4 => compare, 1 => integer].boxed();
    prop_oneof![
        4 => simple.clone(),
        1 => (simple.clone(), simple.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
        1 => (simple.clone(), simple.clone()).prop_map(|(a, b)| format!("({a} || {b})")),
        1 => simple.prop_map(|a| format!("(!{a})")),
    ]
    .boxed()
}

/// A scalar expression of limited depth, with `indices` enclosing indices; with reductions if
/// `open`.
pub fn scalar(depth: u32, indices: usize, open: bool) -> BoxedStrategy<String> {
    if depth == 0 {
        return leaf(indices);
    }
    let inner = scalar(depth - 1, indices, open);
    let pair = (inner.clone(), inner.clone());
    let operator = prop_oneof![
        4 => Just("+"), 3 => Just("-"), 4 => Just("*"), 2 => Just("/"), 1 => Just("mod"), 1 => Just("div")
    ];
    let binary = (inner.clone(), operator, inner.clone())
        .prop_map(|(a, operator, b)| format!("(({a}) {operator} ({b}))"));
    let function = prop_oneof![Just("floor"), Just("ceil"), Just("abs")];
    let applied = (function, inner.clone()).prop_map(|(f, a)| format!("{f}({a})"));
    let power = (inner.clone(), -2..4).prop_map(|(a, n)| format!("({a})^({n})"));
    let extremum = (prop_oneof![Just("max"), Just("min")], pair.clone())
        .prop_map(|(f, (a, b))| format!("{f}({a}, {b})"));
    let choice = (condition(depth - 1, indices), pair)
        .prop_map(|(c, (a, b))| format!("(if ({c}) {a} else {b})"));
    let bracket =
        (condition(depth - 1, indices), inner.clone()).prop_map(|(c, a)| format!("({c} * ({a}))"));
    let closed = prop_oneof![
        8 => binary, 1 => applied, 1 => power, 1 => extremum, 1 => choice, 1 => bracket,
        1 => leaf(indices)
    ];
    if !open {
        return closed.boxed();
    }
    let kind = prop_oneof![3 => Just("sum"), 1 => Just("prod"), 1 => Just("max"), 1 => Just("min")];
    let body = scalar(depth - 1, indices + 1, open);
    let reduction = (kind, -1..2, leaf(indices), body)
        .prop_map(move |(kind, a, b, body)| format!("{kind} (q{indices} = {a}, {b}) {{ {body} }}"));
    prop_oneof![6 => closed, 1 => reduction].boxed()
}

/// Small values, many of them degenerate.
pub fn values() -> impl Strategy<Value = Vec<&'static str>> {
    let value = prop_oneof![
        Just("0"),
        Just("1"),
        Just("2"),
        Just("3"),
        Just("7"),
        Just("-1"),
        Just("-3"),
        Just("1/2"),
        Just("5/3"),
        Just("-4/3")
    ];
    proptest::collection::vec(value, PARAMETERS.len())
}
