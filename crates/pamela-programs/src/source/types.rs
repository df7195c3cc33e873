//! Names of types in the text, including system headers: a type name in parentheses is a cast.

use std::collections::HashMap;

use super::extensions::is_followed_by_group;
use super::implicit::{Token, tokens};
use super::tree::Kind;

/// Type that a name or a few words stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: Kind,
    pub is_pointer: bool,
    /// `sizeof`, on machines of 64 bits.
    pub bytes: Option<i64>,
}

pub type Types = HashMap<String, Type>;

const OTHER: Type = Type {
    kind: Kind::Other,
    is_pointer: false,
    bytes: None,
};

/// The types of all `typedef`s in a preprocessed text.
pub fn declared(text: &str) -> Types {
    let tokens = tokens(text);
    let mut types = Types::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.text == "typedef" {
            let end = end_of_declaration(&tokens, at);
            declare(&tokens[at..end], &mut types);
            at = end;
        }
    }
    types
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn depth_after(depth: usize, text: &str) -> usize {
    match text {
        "(" | "[" | "{" => depth + 1,
        ")" | "]" | "}" => depth.saturating_sub(1),
        _ => depth,
    }
}

fn end_of_declaration(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        depth = depth_after(depth, token.text);
        if depth == 0 && token.text == ";" {
            return at;
        }
    }
    tokens.len()
}

/// The names of one `typedef`: `unsigned long word, *words`.
fn declare(tokens: &[Token], types: &mut Types) {
    let mut base: Option<Type> = None;
    for piece in pieces(tokens) {
        let mut words = Vec::new();
        let (mut depth, mut is_pointer, mut is_other) = (0, false, false);
        let mut inner = None;
        let mut skipped = false;
        for (at, token) in piece.iter().enumerate() {
            let before = depth;
            depth = depth_after(depth, token.text);
            // `(*name)(int)`
            if before > 0 && at > 0 && piece[at - 1].text == "*" && is_word(token.text) {
                inner.get_or_insert(token.text);
            }
            match token.text {
                "(" if before == 0 && skipped => skipped = false,
                "(" | "[" if before == 0 => is_other = true,
                "*" if before == 0 => is_pointer = true,
                word if before == 0 && is_followed_by_group(word) => skipped = true,
                word if before == 0 && is_word(word) => words.push(word),
                _ => {}
            }
        }
        let last = words.pop();
        let own = *base.get_or_insert_with(|| of_words(&words, types));
        let is_function = is_other && inner.is_some() && !words.is_empty() | base.is_some();
        let name = match (is_function, inner, last) {
            (true, Some(inner), _) if types.get(inner).is_none() => inner,
            (_, _, Some(last)) => last,
            _ => continue,
        };
        let found = Type {
            kind: if is_pointer || is_other {
                Kind::Other
            } else {
                own.kind
            },
            is_pointer: is_pointer || own.is_pointer && !is_other,
            bytes: match (is_other, is_pointer) {
                (true, _) => None,
                (false, true) => Some(8),
                (false, false) => own.bytes,
            },
        };
        types.insert(name.to_string(), found);
    }
}

/// The declarators, the first with the type in front of it.
fn pieces<'t>(tokens: &'t [Token<'t>]) -> Vec<&'t [Token<'t>]> {
    let mut depth = 0;
    tokens
        .split(|token| {
            depth = depth_after(depth, token.text);
            depth == 0 && token.text == ","
        })
        .collect()
}

/// The type named by words: `unsigned long int`, `size_t`, or a name that is declared.
pub fn of_words(words: &[&str], types: &Types) -> Type {
    let is = |word: &str| words.contains(&word);
    let real = |bytes| Type {
        kind: Kind::Real,
        is_pointer: false,
        bytes: Some(bytes),
    };
    let integer = |signed, bits: u8| Type {
        kind: Kind::Integer { signed, bits },
        is_pointer: false,
        bytes: Some(i64::from(bits.div_ceil(8))),
    };
    if is("struct") || is("union") || is("void") {
        return OTHER;
    }
    if is("enum") {
        return integer(true, 32);
    }
    if is("__float128") || is("_Float128") || is("double") && is("long") {
        return real(16);
    }
    if is("double") || is("_Float64") || is("_Float32x") {
        return real(8);
    }
    if is("float") || is("_Float32") {
        return real(4);
    }
    if let Some(known) = words.iter().find_map(|word| types.get(*word)) {
        return *known;
    }
    if let Some(fixed) = words.iter().find_map(|word| of_header(word)) {
        return integer(fixed.0, fixed.1);
    }
    let signed = !is("unsigned");
    if is("_Bool") || is("bool") {
        return integer(false, 1);
    }
    let bits = if is("char") {
        8
    } else if is("short") {
        16
    } else if is("long") || is("__int128") {
        64
    } else if is("int") || is("unsigned") || is("signed") {
        32
    } else {
        return of_name(words.first().copied().unwrap_or_default());
    };
    integer(signed, bits)
}

/// Types of headers by their own names, where the text has no header.
fn of_header(word: &str) -> Option<(bool, u8)> {
    let bits = match word.trim_start_matches('u') {
        "int8_t" => 8,
        "int16_t" => 16,
        "int32_t" => 32,
        "int64_t" | "intptr_t" | "intmax_t" => 64,
        _ => match word {
            "size_t" => return Some((false, 64)),
            "ssize_t" | "ptrdiff_t" | "off_t" => return Some((true, 64)),
            _ => return None,
        },
    };
    Some((!word.starts_with('u'), bits))
}

/// A name that nothing declares: that of a whole number, where nothing in it says something else.
fn of_name(name: &str) -> Type {
    let lower = name.to_lowercase();
    let is_real = ["real", "float", "double", "data_type"]
        .iter()
        .any(|part| lower.contains(part));
    let kind = if is_real {
        Kind::Real
    } else {
        Kind::Integer {
            signed: !lower.starts_with('u'),
            bits: 32,
        }
    };
    Type {
        kind,
        is_pointer: false,
        bytes: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_found_wherever_they_stand() {
        let types = declared(
            "typedef unsigned long word, *words; typedef word twice; typedef struct { int typ; } pair;\n\
             typedef int (*compare)(const void *, const void *); typedef double row[3];\n\
             typedef float quad __attribute__((vector_size(16)));\n\
             void f(void) { typedef short inner; } enum e { A }; typedef enum e choice; typedef _Bool flag;",
        );
        let kind = |name: &str| types.get(name).map(|found| found.kind);
        let integer = |signed, bits| Some(Kind::Integer { signed, bits });
        assert_eq!(kind("word"), integer(false, 64));
        assert_eq!(kind("twice"), integer(false, 64));
        assert_eq!(kind("inner"), integer(true, 16));
        assert_eq!(kind("choice"), integer(true, 32));
        assert_eq!(kind("flag"), integer(false, 1));
        assert_eq!(kind("quad"), Some(Kind::Real));
        for other in ["words", "pair", "compare", "row"] {
            assert_eq!(kind(other), Some(Kind::Other), "{other}");
        }
        assert!(types["words"].is_pointer && !types["word"].is_pointer);
        assert_eq!((types.len(), kind("typ"), kind("A")), (10, None, None));
    }
}
