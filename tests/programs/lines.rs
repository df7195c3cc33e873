//! Programs with a statement on each line, so that a line is run as often as its statement.

/// The text with a statement on each line, so that a line is run as often as its statement.
pub fn by_lines(text: &str) -> String {
    const HEADS: [&str; 4] = ["if", "while", "for", "switch"];
    let text = without_comments(text);
    let (mut lines, mut line) = (Vec::new(), String::new());
    let (mut depth, mut braces, mut head) = (0_usize, 0_usize, false);
    let mut letters = text.chars().peekable();
    let mut directive = false;
    while let Some(letter) = letters.next() {
        if letter == '#' && line.trim().is_empty() {
            directive = true;
        }
        if directive {
            if letter == '\n' && !line.ends_with('\\') {
                directive = false;
                lines.push(std::mem::take(&mut line));
            } else {
                line.push(letter);
            }
            continue;
        }
        line.push(if letter == '\n' { ' ' } else { letter });
        if letter == '"' || letter == '\'' {
            while let Some(next) = letters.next() {
                line.push(next);
                if next == '\\' {
                    line.extend(letters.next());
                } else if next == letter {
                    break;
                }
            }
        }
        let trimmed = line.trim();
        let is_list = braces > 0 || trimmed.ends_with("= {") || trimmed.ends_with("={");
        let starts = |word: &str| {
            let rest = trimmed.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let next_is_word = letters
            .peek()
            .is_some_and(|c| c.is_alphanumeric() || *c == '_');
        let ends = match letter {
            '(' => {
                head |= depth == 0 && HEADS.iter().any(|word| starts(word));
                depth += 1;
                false
            }
            ')' => {
                depth = depth.saturating_sub(1);
                depth == 0 && std::mem::take(&mut head)
            }
            '{' if is_list => {
                braces += 1;
                false
            }
            '}' if braces > 0 => {
                braces -= 1;
                false
            }
            ';' | '{' | '}' => depth == 0,
            ':' => {
                depth == 0
                    && (starts("case")
                        || starts("default")
                        || !trimmed.contains(' ') && !trimmed.contains('?'))
            }
            _ => ["else", "do"].contains(&trimmed) && !next_is_word,
        };
        if ends {
            lines.push(std::mem::take(&mut line).trim().to_string());
        }
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        kept.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("//") {
            rest[at..].find('\n')
        } else {
            rest[at..].find("*/").map(|end| end + 2)
        };
        kept.push(' ');
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    kept + rest
}

/// True if a line is an assignment, or prints something: the models have a time for it.
fn is_counted(line: &str) -> bool {
    let name = line.trim_start_matches(['*', '(']);
    let end = name
        .find(|c: char| !(c.is_alphanumeric() || "_[].>".contains(c)))
        .unwrap_or(0);
    let (name, rest) = name.split_at(end);
    let rest = rest.trim_start();
    let is_assigned = [
        "=", "+=", "-=", "*=", "/=", "++", "--", "<<=", ">>=", "&=", "|=",
    ]
    .iter()
    .any(|sign| rest.starts_with(sign) && !rest.starts_with("=="));
    let is_first = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    line.ends_with(';') && is_first && !line.contains("->") && (is_assigned || name == "printf")
}

/// Lines, from 1, that are counted.
pub fn counted_lines(text: &str) -> Vec<usize> {
    let mut depth = 0_i64;
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let inside = depth > 0;
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        inside && is_counted(line)
    });
    lines.map(|(at, _)| at + 1).collect()
}

/// The names in an expression, among other words.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// What stands between the brackets of `if (..)`.
pub fn conditions(expression: &str) -> Vec<&str> {
    let begins = expression.match_indices("if (");
    let inner = begins.map(|(at, begin)| {
        let rest = &expression[at + begin.len()..];
        let mut depth = 1;
        let end = rest.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        &rest[..end.unwrap_or(rest.len())]
    });
    inner.collect()
}

/// The relations of an assumption, which commas outside of brackets separate.
pub fn relations(line: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0_i64, 0, Vec::new());
    for (at, letter) in line.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&line[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&line[begin..]);
    found
}
