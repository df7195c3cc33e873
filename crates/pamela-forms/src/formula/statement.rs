//! Prints a rewrite rule as LaTeX: its two sides and its clauses.
//!
//! The LaTeX comes from the syntax tree of the rule. Names of builtins, such as `antidifference`,
//! are printed as text.

mod graphs;

use super::latex::{Level, base_name, latex_quantity, name, number, sign_text};
use crate::diagnostic::one_line;
use crate::expr::{Function, Operation};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, Guard, MulOp, ReduceKind, Reduction, Rule, SPREAD,
};
use graphs::graph_of;

/// Prints the rule as one `align*` block: left, right, and a row for each clause.
pub fn rule_latex(rule: &Rule) -> String {
    let mut rows = vec![
        format!("& {}", text(&rule.left, Level::Or)),
        format!("& \\qquad = {}", text(&rule.right, Level::Or)),
    ];
    let mut clause = |word: &str, items: Vec<String>| {
        if !items.is_empty() {
            let items = items.join(",\\; ");
            rows.push(format!("& \\qquad \\text{{{word} }} {items}"));
        }
    };
    let guards = |guards: &[Guard]| guards.iter().map(guard).collect();
    clause(
        "for laws",
        rule.laws.iter().map(|law| name(&law.text)).collect(),
    );
    let bindings = rule.lets.iter().map(|binding| {
        let results = list(&binding.results);
        format!(
            "\\left({results}\\right) = {}",
            text(&binding.value, Level::Or)
        )
    });
    clause("with", bindings.collect());
    clause("when", guards(&rule.when));
    clause("assuming", guards(&rule.assume));
    for kept in &rule.kept {
        let mut items: Vec<String> = guards(&kept.guards);
        if let Some(last) = items.last_mut() {
            last.push_str(&format!("\\;\\text{{({})}}", escaped(&kept.reason)));
        }
        clause("kept", items);
    }
    let examples = rule.examples.iter().map(|e| text(e, Level::Or));
    clause("such as", examples.collect());
    format!(
        "\\begin{{align*}}\n{}\n\\end{{align*}}",
        rows.join(" \\\\\n")
    )
}

/// Text-mode forms of characters for which a backslash is not enough.
const TEXT_COMMANDS: [(char, &str); 3] = [
    ('\\', "\\textbackslash{}"),
    ('^', "\\textasciicircum{}"),
    ('~', "\\textasciitilde{}"),
];

/// Escapes words for text mode, where some characters have a meaning.
pub fn escaped(words: &str) -> String {
    let escape = |c: char| match c {
        '`' => "'".to_string(),
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
        _ => {
            let command = TEXT_COMMANDS.iter().find(|(own, _)| *own == c);
            command.map_or(c.to_string(), |(_, command)| (*command).to_string())
        }
    };
    one_line(words).chars().map(escape).collect()
}

/// Undoes [`escaped`], for readers of plain text.
pub fn unescaped(text: &str) -> String {
    let (mut words, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        words.push_str(before);
        let is_here = |command: &str| after.starts_with(&command[1..]);
        let command = TEXT_COMMANDS.iter().find(|(_, command)| is_here(command));
        let (c, length) = match command {
            Some((c, command)) => (Some(*c), command.len() - 1),
            None => {
                let next = after.chars().next();
                (next, next.map_or(0, char::len_utf8))
            }
        };
        words.extend(c);
        rest = &after[length..];
    }
    words.push_str(rest);
    words
}

fn guard(guard: &Guard) -> String {
    match guard {
        Guard::NotIn(index, expr) => {
            let inside = text(expr, Level::Primary);
            format!("{} \\notin {inside}", name(&index.text))
        }
        Guard::Holds(expr) => truth(expr),
    }
}

/// Prints a condition as a LaTeX statement, without the Iverson bracket of its value.
pub fn truth(expr: &Expr) -> String {
    let joined = |list: &[Expr], sign: &str| list.iter().map(truth).collect::<Vec<_>>().join(sign);
    match &expr.kind {
        ExprKind::Compare(relation, a, b) => {
            let (a, b) = (text(a, Level::Remainder), text(b, Level::Remainder));
            format!("{a}{}{b}", sign_text(*relation))
        }
        ExprKind::Call(function, operands) => match (function.text.as_str(), &operands[..]) {
            ("integer", [x]) => format!("{} \\in \\mathbb{{Z}}", text(x, Level::Remainder)),
            ("defined", [x]) => format!("{} \\text{{ is defined}}", text(x, Level::Sum)),
            _ => text(expr, Level::Or),
        },
        ExprKind::Not(inner) => format!("\\lnot \\left({}\\right)", truth(inner)),
        ExprKind::And(list) => joined(list, " \\land "),
        ExprKind::Or(list) => format!("\\left({}\\right)", joined(list, " \\lor ")),
        _ => text(expr, Level::Or),
    }
}

/// An expression where what holds together less tightly than `place` is enclosed.
fn text(expr: &Expr, place: Level) -> String {
    let (text, level) = written(expr);
    if level < place {
        format!("\\left({text}\\right)")
    } else {
        text
    }
}

fn list(operands: &[Expr]) -> String {
    let texts = operands.iter().map(|operand| text(operand, Level::Or));
    texts.collect::<Vec<_>>().join(", ")
}

fn written(expr: &Expr) -> (String, Level) {
    match &expr.kind {
        ExprKind::Number(value) => (
            number(value),
            if value.is_negative() {
                Level::Sum
            } else {
                Level::Primary
            },
        ),
        ExprKind::Quantity(quantity) => (latex_quantity(quantity), Level::Primary),
        ExprKind::Name(variable) => (name(variable), Level::Primary),
        ExprKind::Text(words) => (format!("\\text{{{}}}", escaped(words)), Level::Primary),
        ExprKind::Call(function, operands) => call(&function.text, operands),
        ExprKind::Negate(operand) => (format!("-{}", text(operand, Level::Product)), Level::Sum),
        ExprKind::Sum(first, rest) => (sum(first, rest), Level::Sum),
        ExprKind::Product(first, rest) => product(first, rest),
        ExprKind::Power(base, exponent) => {
            let (base, exponent) = (text(base, Level::Primary), text(exponent, Level::Or));
            (format!("{base}^{{{exponent}}}"), Level::Power)
        }
        ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) => {
            bracket(expr)
        }
        ExprKind::If(condition, then, otherwise) => {
            let mut arms = vec![(condition.as_ref(), then.as_ref())];
            let mut last = otherwise;
            while let ExprKind::If(condition, then, otherwise) = &last.kind {
                arms.push((condition, then));
                last = otherwise;
            }
            let last = format!("{} & \\text{{otherwise}}", text(last, Level::Or));
            cases("if", &arms, Some(last))
        }
        ExprKind::Switch(arms) => {
            let arms: Vec<(&Expr, &Expr)> = arms.iter().map(|(c, e)| (c, e)).collect();
            cases("with share", &arms, None)
        }
        ExprKind::Reduce(reduction) => (reduce(reduction), Level::Product),
        ExprKind::Graph(graph) => (graph_of(graph), Level::Primary),
        ExprKind::Vector(components) => (
            format!("\\left[{}\\right]", list(components)),
            Level::Primary,
        ),
    }
}

/// 1 where the condition holds, else 0.
fn bracket(condition: &Expr) -> (String, Level) {
    let text = format!("\\left[{}\\right]", truth(condition));
    (text, Level::Primary)
}

fn cases(word: &str, arms: &[(&Expr, &Expr)], last: Option<String>) -> (String, Level) {
    let arm = |&(condition, value): &(&Expr, &Expr)| {
        let value = text(value, Level::Or);
        format!("{value} & \\text{{{word} }} {}", truth(condition))
    };
    let rows: Vec<String> = arms.iter().map(arm).chain(last).collect();
    let text = format!("\\begin{{cases}} {} \\end{{cases}}", rows.join(" \\\\ "));
    (text, Level::Power)
}

fn sum(first: &Expr, rest: &[(AddOp, Expr)]) -> String {
    let mut out = text(first, Level::Sum);
    for (operator, term) in rest {
        out.push_str(match operator {
            AddOp::Add => " + ",
            AddOp::Subtract => " - ",
        });
        out.push_str(&text(term, Level::Product));
    }
    out
}

/// From left to right; what a division has on its left is its numerator.
fn product(first: &Expr, rest: &[(MulOp, Expr)]) -> (String, Level) {
    let (mut out, mut level) = written(first);
    // A product of factors goes on; a sum sign or a remainder would take in the next one.
    let mut goes_on = level >= Level::Power;
    for (operator, factor) in rest {
        let enclosed = match operator {
            MulOp::Multiply => !goes_on,
            MulOp::Modulo => level < Level::Power,
            MulOp::Divide | MulOp::FloorDivide => false,
        };
        if enclosed {
            out = format!("\\left({out}\\right)");
        }
        let (tight, bare) = (text(factor, Level::Power), text(factor, Level::Or));
        (out, level) = match operator {
            MulOp::Multiply => (format!("{out} \\cdot {tight}"), Level::Product),
            MulOp::Modulo => (format!("{out} \\bmod {tight}"), Level::Remainder),
            MulOp::Divide => (format!("\\frac{{{out}}}{{{bare}}}"), Level::Power),
            MulOp::FloorDivide => (
                format!("\\left\\lfloor \\frac{{{out}}}{{{bare}}} \\right\\rfloor"),
                Level::Primary,
            ),
        };
        goes_on = *operator != MulOp::Modulo;
    }
    (out, level)
}

fn reduce(reduction: &Reduction) -> String {
    let range = &reduction.range;
    let index = name(&range.index.text);
    let (lower, upper) = (text(&range.lower, Level::Or), text(&range.upper, Level::Or));
    let below = format!("{lower} \\le {index} \\le {upper}");
    let sign = match reduction.kind {
        ReduceKind::Sum => format!("\\sum_{{{index}={lower}}}^{{{upper}}}"),
        ReduceKind::Product => format!("\\prod_{{{index}={lower}}}^{{{upper}}}"),
        ReduceKind::Max => format!("\\max_{{{below}}}"),
        ReduceKind::Min => format!("\\min_{{{below}}}"),
        ReduceKind::Kth => {
            let quorum = range.quorum.as_ref().map(|k| text(k, Level::Or));
            let quorum = quorum.unwrap_or_default();
            format!("\\operatorname{{kth}}^{{{quorum}}}_{{{below}}}")
        }
    };
    format!("{sign} {}", text(&reduction.body, Level::Product))
}

fn logarithm(operand: &Expr, base: &str) -> String {
    format!(
        "\\log_{{{base}}}\\left({}\\right)",
        text(operand, Level::Or)
    )
}

fn call(function: &str, operands: &[Expr]) -> (String, Level) {
    let of = |sign: &str| format!("{sign}\\left({}\\right)", list(operands));
    let around = |open: &str, close: &str| format!("{open}{}{close}", list(operands));
    let text = match (function, operands) {
        ("max" | "min", _) => of(&format!("\\{function}")),
        ("ln", [_]) => of("\\ln"),
        ("log2", [x]) => logarithm(x, "2"),
        ("log", [x, base]) => logarithm(x, &text(base, Level::Or)),
        ("cbrt", _) => around("\\sqrt[3]{", "}"),
        ("root", [x, n]) => {
            format!("\\sqrt[{}]{{{}}}", text(n, Level::Or), text(x, Level::Or))
        }
        ("binom", [n, k]) => {
            format!(
                "\\binom{{{}}}{{{}}}",
                text(n, Level::Or),
                text(k, Level::Or)
            )
        }
        ("integer", [x]) => {
            let inside = text(x, Level::Remainder);
            format!("\\left[{inside} \\in \\mathbb{{Z}}\\right]")
        }
        (SPREAD, [e]) => format!("{}, \\ldots", text(e, Level::Or)),
        ("total", _) => of("\\sum"),
        ("product", _) => of("\\prod"),
        ("K", [order, law]) => {
            let (order, law) = (text(order, Level::Or), text(law, Level::Or));
            format!("\\operatorname{{K}}_{{{order}}}\\left({law}\\right)")
        }
        ("unitvec", [k]) => format!("\\mathbf{{e}}_{{{}}}", text(k, Level::Or)),
        ("H", [n]) => return (format!("H_{{{}}}", text(n, Level::Or)), Level::Power),
        ("H", [n, order]) => {
            let (n, order) = (text(n, Level::Or), text(order, Level::Or));
            return (
                format!("H_{{{n}}}^{{\\left({order}\\right)}}"),
                Level::Power,
            );
        }
        ("fact", [n]) => return (format!("{}!", text(n, Level::Primary)), Level::Power),
        ("at", [f, index, value]) => {
            let (f, index) = (text(f, Level::Product), text(index, Level::Or));
            let place = format!("{index}={}", text(value, Level::Or));
            return (format!("\\left. {f} \\right|_{{{place}}}"), Level::Power);
        }
        (name, [_]) if let Some(known) = Function::named(name) => {
            let [open, close] = known.row().latex;
            around(open, close)
        }
        (name, _) if let Some(known) = Operation::named(name) => of(known.row().latex),
        // A function that a variable stands for; `E` is the mean.
        _ if function.len() == 1 && function != "E" => of(function),
        _ => of(&format!("\\operatorname{{{}}}", escaped(function))),
    };
    (text, Level::Primary)
}
