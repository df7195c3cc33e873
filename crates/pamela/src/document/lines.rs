//! Breaks long equations into lines.

/// Longer lines are broken into lines of at most this many characters, if possible.
const LONGEST: usize = 200;
const BROKEN: usize = 110;

/// Beginning of continuation lines.
const INDENTATION: &str = "    ";

/// Between the parts of an expression; a line ends before the first ones, and behind a comma.
const OPERATORS: [&str; 12] = [
    " + ", " - ", " * ", " / ", " mod ", " div ", " && ", " || ", " else ", " == ", " <= ", " >= ",
];

/// Breaks lines of equations that are too long; comments stay unchanged.
pub(super) fn broken_all(text: &str) -> String {
    let lines = text.lines().map(|line| {
        if line.starts_with("numeric ") {
            broken(line)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

fn broken(line: &str) -> String {
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let places = places(line);
    let (mut text, mut from) = (String::new(), 0);
    loop {
        let room = if from == 0 {
            BROKEN
        } else {
            BROKEN - INDENTATION.len()
        };
        let rest = &line[from..];
        let fits =
            |(at, _): &&(usize, usize)| *at > from && line[from..*at].chars().count() <= room;
        let within = places.iter().filter(fits);
        // The line breaks where it splits the fewest brackets.
        let best = within.min_by_key(|(at, depth)| (*depth, usize::MAX - at));
        let beyond = || places.iter().find(|(at, _)| *at > from);
        let place = best.or_else(beyond).filter(|_| rest.chars().count() > room);
        let end = place.map_or(line.len(), |(at, _)| *at);
        if from > 0 {
            text.push('\n');
            text.push_str(INDENTATION);
        }
        text.push_str(line[from..end].trim());
        if end == line.len() {
            return text;
        }
        from = end;
    }
}

/// Positions where a line may break, with the bracket depth.
fn places(line: &str) -> Vec<(usize, usize)> {
    let (mut depth, mut quoted, mut places) = (0usize, false, Vec::new());
    for (at, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ' ' if line[..at].ends_with(',') || begins_with_operator(&line[at..]) => {
                places.push((at, depth));
            }
            _ => {}
        }
    }
    places
}

fn begins_with_operator(text: &str) -> bool {
    OPERATORS.iter().any(|operator| text.starts_with(operator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_little_is_torn_apart() {
        let term =
            |number: usize| format!("rate_{number} * (alpha_{number} + beta_{number} * max(x, y))");
        let terms: Vec<String> = (1..=9).map(term).collect();
        let line = format!("numeric kept all = {}", terms.join(" + "));
        let broken = broken_all(&line);
        assert!(broken.lines().count() > 1);
        for part in broken.lines() {
            assert!(part.chars().count() <= BROKEN, "{part}");
            assert_eq!(
                part.matches('(').count(),
                part.matches(')').count(),
                "{part}"
            );
        }
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&broken), words(&line));
        assert_eq!(broken_all(&broken), broken);
    }

    #[test]
    fn texts_and_short_lines_stay() {
        let quoted = format!("numeric x = empirical(\"{}\")", "a + b ".repeat(60));
        assert_eq!(broken_all(&quoted), quoted);
        let short = format!("numeric x = {}1", "1 + ".repeat(40));
        assert_eq!(broken_all(&short), short);
        let comment = format!("% {}", "word + ".repeat(60));
        assert_eq!(broken_all(comment.trim()), comment.trim());
    }
}
