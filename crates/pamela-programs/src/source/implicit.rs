//! Functions without a return type, as in programs before C99: inserts the type `int`.

/// Tokens between the name of a function and its body: no function has more formals.
const MOST_BEHIND: usize = 1000;

/// The text with `int` before each function definition without a type.
pub fn typed(text: String) -> String {
    let places = untyped(&tokens(&text));
    if places.is_empty() {
        return text;
    }
    let (mut result, mut done) = (String::with_capacity(text.len() + 4 * places.len()), 0);
    for place in places {
        result.push_str(&text[done..place]);
        result.push_str("int ");
        done = place;
    }
    result.push_str(&text[done..]);
    result
}

/// A token of a preprocessed text, with its first byte.
pub struct Token<'t> {
    pub text: &'t str,
    pub start: usize,
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Tokens of a text, without lines that begin with `#`. Strings and characters are one token each.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut begins_line) = (0, true);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if begins_line => {
                at = line_end(bytes, at);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            byte if is_part(byte) => {
                while at < bytes.len() && is_part(bytes[at]) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        begins_line = false;
        // An escape at the end may lead into a letter of several bytes.
        while !text.is_char_boundary(at) {
            at += 1;
        }
        tokens.push(Token {
            text: &text[start..at],
            start,
        });
    }
    tokens
}

/// The end of a line, with those that a backslash adds to it.
fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && (bytes[at] != b'\n' || bytes[at - 1] == b'\\') {
        at += 1;
    }
    at
}

/// Start of function names without a type before them.
fn untyped(tokens: &[Token]) -> Vec<usize> {
    let mut places = Vec::new();
    let (mut at, mut begins) = (0, true);
    while at < tokens.len() {
        let token = &tokens[at];
        if begins && is_definition(&tokens[at..]) {
            places.push(token.start);
        }
        begins = false;
        at = match token.text {
            "{" => {
                // Behind the body of a function comes another definition; behind that of a structure, a name.
                begins = at > 0 && [")", ";"].contains(&tokens[at - 1].text);
                closing(tokens, at, "{", "}")
            }
            "(" => closing(tokens, at, "(", ")"),
            ";" => {
                begins = true;
                at
            }
            _ => at,
        } + 1;
    }
    places
}

/// The closing token that matches an opening one; the last token if there is none.
fn closing(tokens: &[Token], open: usize, opens: &str, closes: &str) -> usize {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        if token.text == opens {
            depth += 1;
        } else if token.text == closes {
            depth -= 1;
            if depth == 0 {
                return place;
            }
        }
    }
    tokens.len() - 1
}

/// `name ( .. ) {`, or declarations of the formals in front of the brace.
fn is_definition(tokens: &[Token]) -> bool {
    let [name, open, ..] = tokens else {
        return false;
    };
    let is_name = name
        .text
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !name.text.starts_with("__")
        && !["if", "while", "for", "switch", "return"].contains(&name.text);
    if !is_name || open.text != "(" {
        return false;
    }
    let close = closing(tokens, 1, "(", ")");
    let behind = &tokens[close + 1..];
    let behind = &behind[..behind.len().min(MOST_BEHIND)];
    let Some(brace) = behind.iter().position(|token| token.text == "{") else {
        return false;
    };
    brace == 0 || behind[brace - 1].text == ";" && !behind[0].text.starts_with([';', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str) -> String {
        typed(text.to_string())
    }

    #[test]
    fn functions_without_a_type_get_one() {
        for (text, wanted) in [
            (
                "main(argc, argv) int argc; char **argv; { f(1); }",
                "int main(argc, argv) int argc; char **argv; { f(1); }",
            ),
            (
                "int x;\nmain() { }\ntwo(a) { if (a) { } }",
                "int x;\nint main() { }\nint two(a) { if (a) { } }",
            ),
            (
                "# 1 \"a.c\"\nmain() { char c = '{'; }\nf() {}",
                "# 1 \"a.c\"\nint main() { char c = '{'; }\nint f() {}",
            ),
        ] {
            assert_eq!(after(text), wanted);
        }
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for text in [
            "int main(void) { f(); { g(); } }",
            "static double f(x) double x; { return x; }",
            "f(a); int b; struct s { int c; };",
            "__attribute__((noinline)) int f(int a) { }",
            "_Static_assert(1, \"{\"); struct s { int (*f)(int); } t;",
            "struct s { int a; } f(void) { }",
            "unsigned long f(void) { } ; extern int g(int), h(int);",
            "\"",
            "'\\",
            "main(",
            "f() int",
            "}}}(((",
            "é(){",
            "#define\\",
        ] {
            assert_eq!(after(text), text);
        }
    }
}
