//! Compiler extensions that do not affect what a program does, and that the parser does not always understand.

use super::implicit::{Token, tokens};

/// Words that are removed together with their parenthesised argument.
const WITH_GROUP: [&str; 4] = ["__attribute__", "__attribute", "__declspec", "_Alignas"];
/// These alone.
const ALONE: [&str; 4] = ["__extension__", "_Complex", "__complex__", "_Imaginary"];
/// Words that name a type by their parenthesised argument, which is removed.
const TYPES: [&str; 3] = ["typeof", "__typeof__", "__typeof"];

/// Words that may precede the name of a variable.
const TYPES_OF_NUMBERS: [&str; 9] = [
    "int", "long", "short", "char", "unsigned", "signed", "_Bool", "double", "float",
];

/// Suffixes of imaginary numbers.
const IMAGINARY: [&str; 6] = ["i", "iF", "if", "iL", "il", "fi"];

/// True if a group in parentheses behind this word belongs to it.
pub fn is_followed_by_group(word: &str) -> bool {
    WITH_GROUP.contains(&word) || TYPES.contains(&word)
}

/// The text with these words replaced by equally many spaces.
pub fn without(code: String) -> String {
    let code = with_truths_as_names(code);
    let found: Vec<(usize, usize)> = places(&tokens(&code));
    if found.is_empty() {
        return code;
    }
    let (mut result, mut done) = (String::with_capacity(code.len()), 0);
    for (start, end) in found {
        result.push_str(&code[done..start]);
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        result.extend(code[start..end].bytes().map(blank));
        done = end;
    }
    result.push_str(&code[done..]);
    result
}

/// `true` and `false` are constants for the parser, but names before C23: where they are declared, they get another letter.
fn with_truths_as_names(mut code: String) -> String {
    for (name, other) in [("true", "tru_"), ("false", "fals_")] {
        let tokens = tokens(&code);
        if !is_declared(&tokens, name) {
            continue;
        }
        let own = tokens.iter().filter(|token| token.text == name);
        let places: Vec<usize> = own.map(|token| token.start).collect();
        for start in places {
            code.replace_range(start..start + name.len(), other);
        }
    }
    code
}

/// True if a name is given a value, stands behind a type, or among the constants of an enumeration.
fn is_declared(tokens: &[Token], name: &str) -> bool {
    let mut is_in_enumeration = false;
    tokens.windows(3).any(|next| {
        let [first, second, third] = [next[0].text, next[1].text, next[2].text];
        is_in_enumeration |= first == "enum" && (second == "{" || third == "{");
        is_in_enumeration &= second != "}";
        let is_given = first == name && second == "=" && third != "=";
        is_given || second == name && (is_in_enumeration || TYPES_OF_NUMBERS.contains(&first))
    })
}

/// First and last byte of the removed text, in order.
fn places(tokens: &[Token]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let end = token.start + token.text.len();
        at += 1;
        if ALONE.contains(&token.text) {
            found.push((token.start, end));
            continue;
        }
        // `1.0iF`, as the macro I says it.
        let suffix = token.text.trim_start_matches(|c: char| c.is_ascii_digit());
        if suffix.len() < token.text.len() && IMAGINARY.contains(&suffix) {
            found.push((end - suffix.len(), end));
            continue;
        }
        let is_type = TYPES.contains(&token.text);
        if !is_type && !WITH_GROUP.contains(&token.text) {
            continue;
        }
        // A group that does not end is left to the parser.
        if let Some((behind, last)) = group(tokens, at) {
            found.push((if is_type { end } else { token.start }, last));
            at = behind;
        }
    }
    found
}

/// The place behind the parenthesis that closes the one here, and its byte.
fn group(tokens: &[Token], from: usize) -> Option<(usize, usize)> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > from).then_some((at + 1, token.start + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn what_says_nothing_becomes_spaces() {
        let unclosed = "__attribute__((x) y;";
        for (code, wanted) in [
            ("double _Complex x;", "double x;"),
            (
                "int a[2] __attribute__((aligned(8))) = {1};",
                "int a[2] = {1};",
            ),
            ("__typeof__(x + (y)) z = 1;", "__typeof__ z = 1;"),
            ("s = \"__attribute__((x))\";", "s = \"__attribute__((x))\";"),
            (unclosed, unclosed),
            ("__attribute__ y;", "__attribute__ y;"),
            ("z = __extension__ 1.0iF * 2 + x1i;", "z = 1.0 * 2 + x1i;"),
            ("int true = 1; f(true);", "int tru_ = 1; f(tru_);"),
            ("enum { false, true };", "enum { fals_, tru_ };"),
            (
                "a[2] = {true, x == true}; g(a, false);",
                "a[2] = {true, x == true}; g(a, false);",
            ),
        ] {
            let found = without(code.to_string());
            assert_eq!(found.len(), code.len());
            let words: Vec<&str> = found.split_whitespace().collect();
            assert_eq!(words.join(" "), wanted);
        }
    }
}
