//! The operators that a term must have for a rule to match it.

use crate::algebra::functions;
use crate::algebra::pattern::{Item, Pattern};
use crate::algebra::rule::{Let, PatternRule, Source};
use crate::expr::{Contents, Function};

/// The operators that a rule takes apart: those of its left side, and those without which its functions find nothing.
pub(super) fn needs(rule: &PatternRule) -> Contents {
    let mut needed = of_pattern(&rule.left);
    // Operators of the text itself need not be in the term.
    let mut written = Contents::NOTHING;
    for Let { value, .. } in &rule.lets {
        match value {
            Source::Term(pattern) => written = written.with(of_pattern(pattern)),
            Source::Call(function, arguments) => {
                let arguments = arguments.iter().map(of_item);
                written = arguments.fold(written, Contents::with);
                let own = functions::needs(&function.name);
                if !written.meets(own) {
                    needed = needed.with(own);
                }
            }
        }
    }
    needed
}

fn of_pattern(pattern: &Pattern) -> Contents {
    let all = |list: &[Pattern]| {
        let list = list.iter().map(of_pattern);
        list.fold(Contents::NOTHING, Contents::with)
    };
    let items = |list: &[Item]| {
        let list = list.iter().map(of_item);
        list.fold(Contents::NOTHING, Contents::with)
    };
    match pattern {
        Pattern::Number(_) | Pattern::Variable(_) => Contents::NOTHING,
        Pattern::Add(pair)
        | Pattern::Mul(pair)
        | Pattern::Pow(pair)
        | Pattern::Cumulant(pair)
        | Pattern::Quantile(pair)
        | Pattern::At(pair, _) => all(&pair[..]),
        Pattern::Max(pair) | Pattern::Min(pair) => all(&pair[..]).with(Contents::EXTREME),
        Pattern::Mod(pair) => all(&pair[..]).with(Contents::REMAINDER),
        Pattern::Compare(_, pair) => all(&pair[..]).with(Contents::COMPARISON),
        Pattern::Operate(_, list) => all(list),
        Pattern::Probability(list) => all(&list[..]),
        Pattern::Apply(Function::Floor, operand) => of_pattern(operand).with(Contents::FLOOR),
        Pattern::Apply(Function::Ceil, operand) => of_pattern(operand).with(Contents::CEILING),
        Pattern::Apply(_, operand) | Pattern::VectorMax(operand) | Pattern::UnitVector(operand) => {
            of_pattern(operand)
        }
        Pattern::If(list) => all(&list[..]).with(Contents::CONDITIONAL),
        Pattern::Reduce(r) => {
            let parts = [&r.lower, &r.upper, &r.body].into_iter().chain(&r.quorum);
            parts
                .map(of_pattern)
                .fold(Contents::NOTHING, Contents::with)
        }
        Pattern::Fold(_, list) => items(list),
        Pattern::Law(_, list) => all(list),
    }
}

/// A list may be empty.
fn of_item(item: &Item) -> Contents {
    match item {
        Item::One(pattern) => of_pattern(pattern),
        Item::Each(..) => Contents::NOTHING,
    }
}
