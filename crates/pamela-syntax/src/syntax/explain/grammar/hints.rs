//! Advice for common slips.

use super::{File, Stop};
use crate::syntax::build::Rule;
use crate::syntax::items::ItemKind;
use crate::syntax::lexer::{Token, TokenKind, is_reserved};
use crate::words;

const LOOP: &str =
    "a loop is `seq (i = a, b) { .. }`, or `par (i = a, b) { .. }` where its steps run at once";
const USE: &str =
    "a use takes a resource, and a time or a process: `use(disk, t)`, `use(disk) { .. }`";

const SERVERS: &str = "several servers are written `resource pool = servers(4)`, a resource for each `i` is `resource pool(i)`";

const RANGES: &str = "put the ranges of a task in one pair of brackets, with `;` between them: `label (i = a, b; j = c, d): process`";

/// Advice for a common slip. One table, because the first line that fits is taken.
pub(super) fn hint(file: File<'_>, kind: ItemKind, stop: &Stop) -> Option<String> {
    let text = |token: Option<Token>| token.map_or("", |token| token.text(file.text));
    let (previous, found, next) = (text(stop.previous), text(stop.found), text(stop.next));
    let is_word = stop
        .found
        .is_some_and(|token| token.kind == TokenKind::Word);
    let number = |token: Option<Token>| token.is_some_and(|t| t.kind == TokenKind::Number);
    let is_name = |token: Option<Token>| token.is_some_and(|t| t.kind == TokenKind::Word);
    // A bound as it is written behind a colon.
    let is_bare = stop.opener.is_none();
    let fixed = match found {
        _ if stop.opener.is_some_and(|opener| file.begins_loop(opener)) => LOOP,
        _ if stop.expects(&[Rule::named])
            && stop.opener.is_some()
            && !stop.expects_expression() =>
        {
            "arguments with names come last: `f(1, y = 2)`"
        }
        ":" | "," if kind == ItemKind::Expression => {
            "give one value here; `pamela sweep`, `plot` and `optimise --over` take several: `1:64`, `1,2,4`"
        }
        _ if kind == ItemKind::Numeric && is_word && is_nearly(previous, "parameter") => {
            return Some(format!("did you mean `numeric parameter {found}`?"));
        }
        "integer" | "law" | ">=" | "<=" | ">" | "<"
            if stop.expects(&[Rule::facts, Rule::colon]) && is_bare =>
        {
            "facts of a parameter follow a colon: `numeric parameter N : integer >= 1`"
        }
        "," if text(stop.opener) == "(" && stop.expects(&[Rule::semicolon]) => RANGES,
        "(" if previous == ")" && stop.expects(&[Rule::colon]) => RANGES,
        _ if stop.opener.is_some() && found != ")" && stop.expects(&[Rule::after_word]) => {
            "tasks are written `label (i = a, b): process after other(i - 1)`, with `;` between them"
        }
        "where" if stop.expects_operator() => {
            "a value for other parameters is `at(time(main), P, 1)`"
        }
        "assert" if next == "(" => {
            "`assert` is a name in this model; begin a claim with another sign than `(`, or rename it"
        }
        "," if matches!(kind, ItemKind::Assert | ItemKind::LoneAssertion) => {
            "conditions are joined by `&&`, and each `assert` makes one claim"
        }
        _ if kind == ItemKind::Resource && previous == ":" => SERVERS,
        "{" if kind == ItemKind::Process && stop.expects(&[Rule::equals]) => {
            return Some(format!(
                "the body of a process follows a `=`: `process {previous} = {{ .. }}`"
            ));
        }
        "(" if stop.expects(&[Rule::unit_part]) => {
            "units are divided by one after the other: `[GB/s/node]`"
        }
        _ if is_word && stop.expects(&[Rule::integer_fact]) && next == "(" => {
            "facts are `integer`, `law` and bounds; a law is a value: `numeric X = exponential(3)`"
        }
        "and" if stop.expects_operator() => "the logical and is `&&`",
        "or" if stop.expects_operator() => "the logical or is `||`",
        _ if previous == "not" && stop.expects_operator() => "the logical not is `!c`",
        "mod" | "div" if stop.expects_expression() => {
            "a remainder is written `a mod b`, a quotient rounded down `a div b`"
        }
        "else" if stop.expects_expression() => "the last case of a `switch` is `1: e`",
        ":" if stop.expects(&[Rule::of_word]) => "a rank is written `(k of i = a, b)`",
        ":" if kind == ItemKind::Numeric && stop.opener.is_none() && stop.expects_operator() => {
            "facts of a parameter come before its value: `numeric parameter n : integer >= 1 = 8`"
        }
        _ if kind == ItemKind::Resource && (number(stop.found) || found == "[") => SERVERS,
        "to" | "upto" | "downto" | "until" if stop.expects(&[Rule::comma]) => {
            "a range is written `(i = a, b)`"
        }
        "," if stop
            .opener
            .is_some_and(|opener| file.word_before(opener) == "use") =>
        {
            USE
        }
        "where" | "with" if stop.expects(&[Rule::process_operator]) => {
            "define a name in its own equation: `numeric x = 3`"
        }
        _ if stop.expects(&[Rule::process_operator])
            && begins_process(file, stop.found)
            && stop
                .previous
                .is_some_and(|closer| file.ends_head_of_loop(closer)) =>
        {
            LOOP
        }
        _ if is_word
            && stop.expects(&[Rule::integer_fact])
            && (found.eq_ignore_ascii_case("integer") || is_nearly(found, "integer")) =>
        {
            "did you mean `integer`?"
        }
        "int" | "whole" | "natural" if stop.expects(&[Rule::integer_fact]) => {
            "a whole number is `: integer`, one that is not negative `: integer >= 0`"
        }
        _ if stop.expects(&[Rule::integer_fact])
            && (number(stop.found) || is_word && matches!(next, "<" | "<=" | ">" | ">=")) =>
        {
            "bounds follow each other without the name: `: >= 1 <= 5`"
        }
        _ if stop.lacks_end_of_range(file) => {
            return Some(format!(
                "a range is written `(i = a, b)`, with a `,` between `{previous}` and `{found}`; a product has a `*`"
            ));
        }
        _ if is_word
            && !is_reserved(found)
            && number(stop.previous)
            && stop.expects_operator()
            && stop.on_one_line(file) =>
        {
            return Some(format!(
                "a product needs its operator: `{previous} * {found}`; a unit stands in brackets: `{previous} [{found}]`"
            ));
        }
        _ if is_word && stop.opener.is_some() && next != "=" && file.is_function(previous) => {
            return Some(format!(
                "arguments are put in brackets: `{previous}({found})`"
            ));
        }
        _ if previous == ")"
            && stop.expects(&[Rule::lbrace])
            && !stop.expects_process()
            && !stop.expects_expression() =>
        {
            USE
        }
        "" if previous == ")" && stop.expects_expression() => {
            "the body follows the range: `sum (i = a, b) { e }`"
        }
        ";" if stop.opener.is_none() && next.is_empty() => {
            "remove the `;`: an equation ends where the next one begins"
        }
        ";" if matches!(
            kind,
            ItemKind::Numeric | ItemKind::Assume | ItemKind::Assert | ItemKind::LoneAssertion
        ) =>
        {
            "`;` joins processes only"
        }
        "}" if previous == "{" => "a process that does nothing is `delay(0)`",
        "}" | ")" if previous == ";" => "remove the `;`",
        _ if previous == "if" && found != "(" => "a condition is put in brackets: `if (c)`",
        _ if stop.expects(&[Rule::of_word]) && found == "," => "a range is written `(i = a, b)`",
        "," if (previous == ")" || stop.opener.is_none())
            && !stop.expects(&[Rule::process_operator]) =>
        {
            "a `,` separates arguments within brackets; a parameter is a separate equation, and its facts follow each \
             other without commas"
        }
        "=" if previous == ":" => "an equation has a single `=`",
        "=" if stop.expects_operator() => "equality is written `==`",
        "==" if stop.expects(&[Rule::equals]) => "an equation or a range has a single `=`",
        "<>" if stop.expects_operator() => "unequal is written `!=`; `<>` joins processes",
        _ if kind == ItemKind::Include && is_word => {
            return Some(format!(
                "the name of a file is put in double quotes: `include \"{found}\"`"
            ));
        }
        _ if matches!(previous, "delay" | "use") && found != "(" => {
            "arguments are put in brackets: `delay(t)`, `use(r, t)`, `use(r) { .. }`"
        }
        _ if matches!(previous, "seq" | "par" | "any" | "sum" | "prod" | "kth") && found != "(" => {
            "a range is put in brackets: `seq (i = a, b) { .. }`"
        }
        ":" if stop.expects(&[Rule::comma]) => "a range is written `(i = a, b)`",
        "+" | "-" | "*" | "," | "&&" if stop.expects(&[Rule::process_operator]) => {
            "processes are joined by `;` one after the other, by `||` at once"
        }
        "*" if previous == "*" => "a power is written `^`",
        "/" if previous == "/" => {
            "a comment begins with `%`; a quotient rounded down is written `a div b`"
        }
        "*" if previous == "/" => "a comment begins with `%` and ends with the line",
        "+" if stop.expects_expression() => "there is no unary `+`",
        "" if previous == ";" => "remove the `;`: an equation ends where the next one begins",
        "of" if previous != "(" => "only `kth` and `any` take a rank: `kth (k of i = a, b) { e }`",
        "delay" | "use" | "seq" | "par" | "any" if stop.expects_expression() => {
            "this is a process, which belongs in a `process` equation"
        }
        "(" if stop.expects_process() => "processes are grouped by braces",
        _ if is_reserved(found)
            && stop.expects(&[Rule::name, Rule::path])
            && !stop.expects_process() =>
        {
            return Some(format!(
                "reserved words cannot be names: {}",
                words::RESERVED.join(" ")
            ));
        }
        _ if stop
            .found
            .is_some_and(|token| token.kind == TokenKind::Number)
            && stop.expects_process() =>
        {
            "a process that takes time `t` is `delay(t)`"
        }
        _ if stop.expects(&[Rule::else_word]) && !stop.expects(&[Rule::process_operator]) => {
            "a numeric `if` has both branches: `if (c) a else b`"
        }
        _ if stop.expects(&[Rule::process_operator]) && begins_process(file, stop.found) => {
            match found {
                _ if next == "=" => {
                    "an equation begins with its type: `numeric`, `process` or `resource`"
                }
                "{" if previous == ")" => {
                    "put a `;` between processes; hold a resource with `use(r) { .. }`"
                }
                _ => "put a `;` between processes",
            }
        }
        _ if is_word && stop.opener.is_none() && next == "=" => {
            "an equation begins with its type: `numeric`, `process` or `resource`"
        }
        "!" if stop.expects_operator() => "a factorial is written `fact(n)`, unequal `!=`",
        "if" if stop.expects_operator() => "a choice is written `if (c) a else b`",
        "[" if stop.expects_operator() && is_name(stop.previous) => {
            return Some(format!(
                "arguments are put in round brackets: `{previous}(..)`"
            ));
        }
        "(" if stop.expects_operator() && (previous == ")" || number(stop.previous)) => {
            "a product needs its operator: `2 * (x + 1)`"
        }
        _ if previous == "in" && text(stop.opener) == "(" && kind == ItemKind::Numeric => {
            "a range is written `(i = a, b)`"
        }
        _ if previous == "return" => {
            "the value of a function is its expression: `numeric f(x) = x + 1`"
        }
        _ if number(stop.found) && file.is_function(previous) => {
            return Some(format!(
                "arguments are put in brackets: `{previous}({found})`"
            ));
        }
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// True if a word was meant to be this one, and has at most two letters wrong, left out or too many.
fn is_nearly(word: &str, meant: &str) -> bool {
    let same = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    let together = same(word, meant) + same(&reversed(word), &reversed(meant));
    word != meant && word.len().abs_diff(meant.len()) <= 2 && together + 2 >= meant.len()
        || matches!(word, "param" | "params")
}

fn begins_process(file: File<'_>, token: Option<Token>) -> bool {
    token.is_some_and(|token| match token.kind {
        TokenKind::Word => !matches!(token.text(file.text), "else" | "of" | "mod" | "div"),
        TokenKind::Open => token.text(file.text) == "{",
        _ => false,
    })
}
