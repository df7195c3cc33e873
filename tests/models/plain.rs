//! Nothing is left to do in what is printed: no `max(0, x)` of what is not negative, no factor above and below a bar,
//! no condition that follows from the facts and the others, no minus before what only turns one around.
//!
//! `PAMELA_PLAIN=400 cargo test --release --test all models::plain` looks at so many random models.

use std::collections::BTreeSet;

use pamela::formula::Notation;
use pamela::syntax::FileLoader;
use pamela::syntax::parse_expression;
use pamela::syntax::tree::{AddOp, Expr, ExprKind, MulOp};
use pamela::{Options, SimplifiedEquation};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::{number_from, selected};

use super::readable::{parts, random_model};
use super::support::corpus::corpus;

const FEW: u64 = 30;

fn simplified(name: &str, text: &str) -> Vec<SimplifiedEquation> {
    let model = pamela::Model::read(name, text, &FileLoader);
    let simplified = model.map(|model| model.simplify(&Options::default()));
    match simplified {
        Ok(Ok(simplified)) => simplified.equations,
        // Such as what is undefined everywhere.
        _ => Vec::new(),
    }
}

/// The lines that say what is known of parameters.
fn declarations(text: &str) -> String {
    let starts = ["numeric parameter", "assume", "include"];
    let told = |line: &&str| starts.iter().any(|start| line.starts_with(start));
    text.lines().filter(told).collect::<Vec<_>>().join("\n")
}

/// True if a truth value is 1 wherever the declarations allow, as far as can be proved.
fn holds(name: &str, declarations: &str, truth: &str) -> bool {
    let text = format!("{declarations}\nnumeric probe = if ({truth}) 1 else 0\n");
    let equations = simplified(name, &text);
    let probe = equations.iter().find(|e| e.name == "probe");
    probe
        .is_some_and(|probe| probe.formula.conditions().is_empty() && probe.formula.pamela() == "1")
}

fn names(expr: &Expr, into: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) = &expr.kind {
        into.insert(name.clone());
    }
    parts(expr).into_iter().for_each(|part| names(part, into));
}

/// `x` of each `max(0, x)` over parameters alone.
fn kept_above_zero(expr: &Expr, parameters: &BTreeSet<String>, found: &mut Vec<String>) {
    if let ExprKind::Call(name, list) = &expr.kind
        && name.text == "max"
        && let [zero, other] = &list[..]
        && zero.to_string() == "0"
    {
        let mut own = BTreeSet::new();
        names(other, &mut own);
        if own.is_subset(parameters) {
            found.push(other.to_string());
        }
    }
    let below = parts(expr).into_iter();
    below.for_each(|part| kept_above_zero(part, parameters, found));
}

/// True if factors are multiplied and divided by alone, without remainders and whole quotients.
fn is_quotient(rest: &[(MulOp, Expr)]) -> bool {
    rest.iter()
        .all(|(op, _)| matches!(op, MulOp::Multiply | MulOp::Divide))
}

/// The factors above and below the bar, powers by their bases.
fn factors(expr: &Expr, above: &mut Vec<String>, below: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Product(first, rest) if is_quotient(rest) => {
            factors(first, above, below);
            for (operator, factor) in rest {
                match operator {
                    MulOp::Multiply => factors(factor, above, below),
                    _ => factors(factor, below, above),
                }
            }
        }
        ExprKind::Power(base, exponent) if exponent.to_string().parse::<u32>().is_ok() => {
            above.push(base.to_string());
        }
        ExprKind::Number(_) => {}
        _ => above.push(expr.to_string()),
    }
}

/// A factor of a numerator and its denominator.
fn common_factor(expr: &Expr) -> Option<String> {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    if let ExprKind::Product(_, rest) = &expr.kind
        && is_quotient(rest)
    {
        factors(expr, &mut above, &mut below);
    }
    let own = above.into_iter().find(|factor| below.contains(factor));
    own.or_else(|| parts(expr).into_iter().find_map(common_factor))
}

/// `- t * min(0, h - 1)`
fn double_minus(expr: &Expr) -> Option<String> {
    let negative = |part: &Expr| match &part.kind {
        ExprKind::Sum(_, rest) => rest.iter().any(|(op, _)| *op == AddOp::Subtract),
        ExprKind::Negate(_) => true,
        ExprKind::Number(value) => value.is_zero(),
        _ => false,
    };
    let turns = |part: &Expr| match &part.kind {
        ExprKind::Call(name, list) => name.text == "min" && list.iter().all(negative),
        _ => false,
    };
    let subtracted = |part: &Expr| match &part.kind {
        ExprKind::Product(first, rest) => {
            let others = rest.iter().filter(|(op, _)| *op == MulOp::Multiply);
            turns(first) || others.into_iter().any(|(_, factor)| turns(factor))
        }
        _ => turns(part),
    };
    let own = match &expr.kind {
        ExprKind::Negate(inner) => subtracted(inner),
        ExprKind::Sum(_, rest) => rest
            .iter()
            .any(|(op, term)| *op == AddOp::Subtract && subtracted(term)),
        _ => false,
    };
    if own {
        Some(expr.to_string())
    } else {
        parts(expr).into_iter().find_map(double_minus)
    }
}

/// What a reader would still do in the results of a model, and how many of its expressions and conditions were looked at.
fn left_to_do(name: &str, text: &str) -> (usize, Vec<String>) {
    let told = declarations(text);
    let (mut looked, mut left) = (0, Vec::new());
    for equation in simplified(name, text) {
        let text = equation.formula.text(Notation::Pamela, &equation.name);
        let parameters = equation.formula.parameters();
        let mut say =
            |what: &str, of: String| left.push(format!("{}: {what}: {of}", equation.name));
        for printed in text
            .definitions
            .iter()
            .map(|(_, text)| text)
            .chain([&text.expression])
        {
            let (tree, _) =
                parse_expression("printed", printed).expect("what is printed reads back");
            looked += 1;
            if let Some(factor) = common_factor(&tree) {
                say("above and below", factor);
            }
            if let Some(minus) = double_minus(&tree) {
                say("two signs", minus);
            }
            let (mut found, mut told) = (Vec::new(), told.clone());
            kept_above_zero(&tree, &parameters, &mut found);
            for condition in &text.conditions {
                told.push_str(&format!("\nassume {condition}"));
            }
            for operand in found {
                if holds(name, &told, &format!("{operand} >= 0")) {
                    say("not below 0", operand);
                }
            }
        }
        for (position, condition) in text.conditions.iter().enumerate() {
            looked += 1;
            let mut told = told.clone();
            let others = text
                .conditions
                .iter()
                .enumerate()
                .filter(|&(k, _)| k != position);
            for (_, other) in others {
                told.push_str(&format!("\nassume {other}"));
            }
            if holds(name, &told, condition) {
                say("follows", condition.clone());
            }
        }
    }
    (looked, left)
}

/// Of these something is left to do, such as a condition that another one implies. They leave this list when it is done.
const UNFINISHED: [&str; 2] = ["issues/pareto", "algebra/law_probabilities"];

#[test]
fn nothing_is_left_to_do_in_the_results_of_the_corpus() {
    let mut wrong = Vec::new();
    for model in selected(corpus()) {
        let (_, left) = left_to_do(model.file(), &model.text);
        if UNFINISHED.contains(&model.name.as_str()) {
            assert!(!left.is_empty(), "{} is finished", model.name);
            continue;
        }
        wrong.extend(
            left.into_iter()
                .map(|what| format!("{}: {what}", model.name)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_to_do_in_the_results_of_random_models() {
    let mut all = 0;
    for seed in 0..number_from("PAMELA_PLAIN", FEW) {
        let model = random_model(seed);
        let (looked, left) = left_to_do("random.pam", &model);
        assert!(left.is_empty(), "{}\n{model}", left.join("\n"));
        all += looked;
    }
    assert!(all > 30, "only {all} expressions");
}

/// Terms over facts that make them at least 0.
const NOT_NEGATIVE: [&str; 30] = [
    "c",
    "d",
    "Q",
    "n",
    "ceil(log2(Q))",
    "floor(log2(Q))",
    "log2(Q)",
    "n div Q",
    "n div 2",
    "n mod Q",
    "ceil(n / Q)",
    "sqrt(n)",
    "ceil(sqrt(n))",
    "floor(sqrt(Q))",
    "gcd(n, Q)",
    "binom(n, 2)",
    "H(n)",
    "fact(n)",
    "2^n",
    "abs(c - d)",
    "max(0, n - 3)",
    "min(c, n)",
    "ceil(c)",
    "floor(c / Q)",
    "exp(-c)",
    "log(1 + c)",
    "lgamma(n + 2)",
    "c^2",
    "n^(1/3)",
    "ceil(log(Q, 3))",
];

#[test]
fn sums_of_products_of_what_is_not_negative_have_a_sign() {
    for sign in [">= 0", "> 0"] {
        let told = format!(
            "numeric parameter Q : integer >= 1\nnumeric parameter n : integer >= 0\n\
             numeric parameter c : {sign}\nnumeric parameter d : {sign}\n"
        );
        let mut random = Pcg64::seed_from_u64(7);
        for _ in 0..number_from("PAMELA_PLAIN", FEW) {
            let mut product = || {
                let count = random.random_range(1..=2);
                let factors = (0..count).map(|_| *NOT_NEGATIVE.choose(&mut random).expect("terms"));
                factors.collect::<Vec<_>>().join(" * ")
            };
            let sum = format!("{} + {}", product(), product());
            let model = format!("{told}numeric f = max(0, {sum})\n");
            let equations = simplified("signs.pam", &model);
            let printed = equations[0].formula.pamela();
            let plain = format!("{told}numeric f = {sum}\n");
            let plain = simplified("signs.pam", &plain)[0].formula.pamela();
            assert_eq!(printed, plain, "{model}");
        }
    }
}
