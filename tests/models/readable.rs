//! What is printed can be read: no text is long, none tests a condition twice on a path, and all of it reads back.
//!
//! `PAMELA_READABLE=400 cargo test --release --test all models::readable` looks at so many random models.

use std::collections::BTreeSet;

use pamela::formula::{Notation, Text};
use pamela::syntax::tree::{Expr, ExprKind, GraphPart};
use pamela::syntax::{FileLoader, parse_expression};
use pamela::{Options, SimplifiedEquation};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::selection::number_from;

use super::support::corpus::corpus;
use super::support::points::points;
use super::support::{definition, read, same, shown};
use pamela_lab::models::grower::Grower;
use pamela_lab::models::tree::Spelling;

const FEW: u64 = 30;
const BUDGETS: [usize; 3] = [5, 9, 14];
const POINTS: usize = 6;
/// No expression has more operations, and few have as many as the second.
const MOST_OPERATIONS: usize = 150;
const MANY_OPERATIONS: usize = 60;

pub fn random_model(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(40_000 + seed);
    let budget = BUDGETS[seed as usize % BUDGETS.len()];
    let mut grower = Grower {
        random: &mut random,
        budget,
    };
    grower.model().text(Spelling {
        index: "i",
        swapped: false,
    })
}

fn simplified(name: &str, text: &str) -> Vec<SimplifiedEquation> {
    let options = Options {
        all: true,
        ..Options::default()
    };
    let model = pamela::Model::read(name, text, &FileLoader).expect("a model");
    match model.simplify(&options) {
        Ok(simplified) => simplified.equations,
        // Such as what is undefined everywhere.
        Err(_) => Vec::new(),
    }
}

fn expressions(text: &Text) -> Vec<&str> {
    let named = text.definitions.iter().map(|(_, text)| text);
    let all = named.chain([&text.expression]).chain(&text.conditions);
    all.map(String::as_str).collect()
}

fn parsed(text: &str) -> Expr {
    let (tree, _) = parse_expression("printed", text).unwrap_or_else(|e| panic!("{text}: {e}"));
    tree
}

pub fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Name(_) | ExprKind::Text(_) => {
            Vec::new()
        }
        ExprKind::Negate(inner) | ExprKind::Not(inner) => vec![inner],
        ExprKind::Sum(first, rest) => {
            let rest = rest.iter().map(|(_, term)| term);
            std::iter::once(first.as_ref()).chain(rest).collect()
        }
        ExprKind::Product(first, rest) => {
            let rest = rest.iter().map(|(_, factor)| factor);
            std::iter::once(first.as_ref()).chain(rest).collect()
        }
        ExprKind::Power(a, b) | ExprKind::Compare(_, a, b) => vec![a, b],
        ExprKind::If(a, b, c) => vec![a, b, c],
        ExprKind::Switch(arms) => arms.iter().flat_map(|(c, e)| [c, e]).collect(),
        ExprKind::Reduce(r) => {
            let quorum = r.range.quorum.iter();
            quorum
                .chain([&r.range.lower, &r.range.upper, &r.body])
                .collect()
        }
        ExprKind::Graph(graph) => {
            let mut all = Vec::new();
            graph.parts(&mut |part, _| match part {
                GraphPart::Expr(part) | GraphPart::Task(part) => all.push(part),
            });
            all
        }
        ExprKind::Call(_, list)
        | ExprKind::And(list)
        | ExprKind::Or(list)
        | ExprKind::Vector(list) => list.iter().collect(),
    }
}

/// Calls `see` with each part of an expression and the conditions on the way to it.
fn walk(expr: &Expr, path: &mut Vec<String>, see: &mut impl FnMut(&Expr, &[String])) {
    see(expr, path);
    match &expr.kind {
        ExprKind::If(condition, then, otherwise) => {
            walk(condition, path, see);
            for branch in [then, otherwise] {
                path.push(condition.to_string());
                walk(branch, path, see);
                path.pop();
            }
        }
        _ => parts(expr)
            .into_iter()
            .for_each(|part| walk(part, path, see)),
    }
}

fn operations(text: &str) -> usize {
    let mut count = 0;
    walk(&parsed(text), &mut Vec::new(), &mut |part, _| {
        count += match &part.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Negate(_) => 0,
            ExprKind::Sum(_, rest) => rest.len(),
            ExprKind::Product(_, rest) => rest.len(),
            ExprKind::And(list) | ExprKind::Or(list) => list.len() - 1,
            _ => 1,
        };
    });
    count
}

/// A condition that is tested although it has been.
fn tested_twice(text: &str) -> Option<String> {
    let mut twice = None;
    walk(&parsed(text), &mut Vec::new(), &mut |part, path| {
        if let ExprKind::If(condition, ..) = &part.kind {
            let condition = condition.to_string();
            if path.contains(&condition) {
                twice = Some(condition);
            }
        }
    });
    twice
}

#[test]
fn results_of_random_models_are_short_and_test_nothing_twice() {
    let (mut all, mut large) = (0, Vec::new());
    for seed in 0..number_from("PAMELA_READABLE", FEW) {
        let model = random_model(seed);
        for equation in simplified("random.pam", &model) {
            let text = equation.formula.text(Notation::Pamela, &equation.name);
            for expression in expressions(&text) {
                let count = operations(expression);
                assert!(
                    count <= MOST_OPERATIONS,
                    "{count} operations: {expression}\n{model}"
                );
                let twice = tested_twice(expression);
                assert_eq!(twice, None, "{expression}\n{model}");
                all += 1;
                if count >= MANY_OPERATIONS {
                    large.push(count);
                }
            }
        }
    }
    println!("{all} expressions, of them long: {large:?}");
    assert!(all > 60, "only {all} expressions");
    assert!(
        large.len() * 100 <= all,
        "{} of {all} are long",
        large.len()
    );
}

/// Names, as printed, and the whole in one piece have the same value.
fn differences(name: &str, model: &str) -> (usize, Vec<String>) {
    let checked = read(name, model);
    let (mut compared, mut wrong) = (0, Vec::new());
    for equation in simplified(name, model) {
        let text = equation.formula.text(Notation::Pamela, "part");
        if text.definitions.is_empty() {
            continue;
        }
        let mut lines = BTreeSet::new();
        for parameter in checked.parameters() {
            lines.insert(format!("numeric parameter {}", parameter.name.text));
        }
        let arrays = checked.equations().iter().map(|e| &e.name.text);
        for array in arrays.filter(|name| checked.is_resource_array(name)) {
            lines.insert(format!("resource parameter {array}(i)"));
        }
        for (name, part) in text.definitions.iter().chain(&text.references) {
            lines.insert(format!("numeric {name} = {part}"));
        }
        lines.insert(format!("numeric by_parts = {}", text.expression));
        lines.insert(format!(
            "numeric in_one_piece = {}",
            equation.formula.pamela()
        ));
        let lines = lines.into_iter().collect::<Vec<_>>().join("\n");
        let printed = read("printed", &lines);
        for point in points(&checked, POINTS) {
            let whole = definition(&printed, "in_one_piece", &point);
            let parts = definition(&printed, "by_parts", &point);
            match (&whole, &parts) {
                (Ok(whole), Ok(parts)) if same(whole, parts) => compared += 1,
                (Err(_), Err(_)) => {}
                _ => wrong.push(format!("{} and {}: {lines}", shown(&whole), shown(&parts))),
            }
        }
    }
    (compared, wrong)
}

#[test]
fn what_is_printed_by_parts_has_the_value_of_the_whole() {
    let mut compared = 0;
    let random = (0..number_from("PAMELA_READABLE", FEW)).map(random_model);
    let models = random.map(|text| ("random.pam".to_string(), text));
    let written = corpus()
        .into_iter()
        .filter(|m| m.name.starts_with("codes/"));
    let written = written.map(|model| (model.file().to_string(), model.text.clone()));
    for (name, text) in models.chain(written) {
        let (points, wrong) = differences(&name, &text);
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
        compared += points;
    }
    println!("{compared} points");
    assert!(compared >= 20, "only {compared} points");
}

#[test]
fn a_remainder_of_zero_is_zero() {
    let text = "numeric parameter N : integer >= 1\n\
                numeric parameter P : integer >= 1\n\
                numeric parameter t : >= 0\n\
                numeric parameter u : >= 0\n\
                process main = seq (k = 0, N - 1) par (i = k, N - 1) par (j = k, N - 1) \
                use(fcfs((i + j) mod P, 1), t * i + u)";
    let options = Options {
        times: true,
        ..Options::default()
    };
    let model = pamela::Model::parse(text).expect("a model");
    let simplified = model.simplify(&options).expect("it simplifies");
    let time = simplified.equation("time_main").expect("its time is exact");
    let formula = &time.formula;
    assert_eq!(formula.open_reductions(), 0);
    assert!(!formula.pamela().contains("(0 mod"), "{}", formula.pamela());
    assert!(formula.operations() <= 50, "{}", formula.operations());
}
