//! The share of the time in each function, from the output of `perf report`, `perf script` and `gprof`.
//!
//! The time of a function excludes its callees. Functions that a compiler split off (`f._omp_fn.0`, `f.cold`) belong
//! to it. Functions outside the program count by library.

use crate::lowering::Sampled;
use crate::problem::Problem;
use crate::source::Unit;

/// Whose text it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Report,
    Script,
    Gprof,
}

/// Time in a symbol.
struct Row<'t> {
    symbol: &'t str,
    shared_object: Option<&'t str>,
    time: f64,
}

/// Lines in which a text must show its form.
const FIRST: usize = 60;

fn form(text: &str) -> Option<Form> {
    let mut lines = text.lines().take(FIRST);
    lines.find_map(|line| match line.trim_start() {
        start if start.starts_with("Flat profile:") => Some(Form::Gprof),
        start if start.starts_with('#') && start.contains("Overhead") => Some(Form::Report),
        start if start.starts_with('#') && start.contains("Children") => Some(Form::Report),
        start if start.starts_with(['{', '[']) => None,
        _ => sample(line).map(|_| Form::Script),
    })
}

/// True if a text begins as such a one does.
pub fn is_one(text: &str) -> bool {
    form(text).is_some()
}

/// The shares of the functions of a program in a text.
///
/// # Errors
/// Fails if the text has none of these formats, or contains no time.
pub fn read(units: &[Unit], name: &str, text: &str) -> Result<Sampled, Problem> {
    let (by, rows) = match form(text) {
        Some(Form::Report) => ("perf report", report(text)),
        Some(Form::Script) => ("perf script", script(text)),
        Some(Form::Gprof) => ("gprof", flat(text)),
        None => {
            return Err(
                Problem::new(format!("`{name}` is not a text of perf or gprof"))
                    .hint("print it with perf report --stdio, perf script or gprof -b"),
            );
        }
    };
    let all: f64 = rows.iter().map(|row| row.time).sum();
    if !(all.is_finite() && all > 0.0) {
        return Err(
            Problem::new(format!("`{name}` has no time in any function"))
                .hint("the program must run for some seconds, so that it is sampled often enough"),
        );
    }
    let functions = units.iter().flat_map(|unit| &unit.program.functions);
    let names: Vec<&str> = functions.map(|function| function.name.as_str()).collect();
    let mut found = Sampled {
        by: by.to_string(),
        ..Sampled::default()
    };
    for row in rows.iter().filter(|row| row.time > 0.0) {
        let own = row.symbol.split('.').next().unwrap_or(row.symbol);
        let (shares, key) = if names.contains(&own) {
            (&mut found.functions, own)
        } else {
            (
                &mut found.elsewhere,
                row.shared_object.unwrap_or(row.symbol),
            )
        };
        *shares.entry(key.to_string()).or_insert(0.0) += row.time / all;
    }
    if found.functions.is_empty() {
        return Err(Problem::new(format!(
            "`{name}` names no function of the program"
        )));
    }
    let shares = found
        .functions
        .values_mut()
        .chain(found.elsewhere.values_mut());
    // Samples do not tell more digits.
    shares.for_each(|share| *share = (*share * 1e4).round() / 1e4);
    Ok(found)
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `    12.10%  matmul  libc.so.6  [.] memset`; with `--children` the second share is that of the function itself.
fn report(text: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        let mut share = None;
        while let Some(next) = words.peek().and_then(|word| word.strip_suffix('%')) {
            let Ok(value) = next.parse::<f64>() else {
                break;
            };
            share = Some(value);
            words.next();
        }
        let Some(time) = share else { continue };
        let mark = ["[.] ", "[k] "]
            .into_iter()
            .find(|mark| line.contains(mark));
        let parts = match mark {
            Some(mark) => line.split_once(mark),
            None => line.trim_end().rsplit_once(char::is_whitespace),
        };
        let (before, symbol) = parts.unwrap_or(("", line));
        let symbol = symbol.split_whitespace().next().unwrap_or_default();
        rows.push(Row {
            symbol,
            shared_object: before
                .split_whitespace()
                .last()
                .filter(|word| !word.ends_with('%'))
                .map(base),
            time,
        });
    }
    rows
}

/// The weight of a sample, and the rest of its line: `matmul 71 123.456: 250000 cycles: 55d0 f+0x3 (/a)`.
fn sample(line: &str) -> Option<(f64, &str)> {
    let is_time = |word: &str| {
        let time = word.strip_suffix(':')?;
        let (seconds, part) = time.split_once('.')?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (is_number(seconds) && is_number(part)).then_some(())
    };
    let mut rest = line;
    loop {
        let (word, behind) = rest.trim_start().split_once(char::is_whitespace)?;
        rest = behind;
        if is_time(word).is_some() {
            break;
        }
    }
    let words = rest.trim_start();
    let (first, behind) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match first.parse::<f64>() {
        Ok(period) if period >= 0.0 => {
            let behind = behind.trim_start();
            let (event, leaf) = behind
                .split_once(char::is_whitespace)
                .unwrap_or((behind, ""));
            event.ends_with(':').then_some((period, leaf))
        }
        _ => first.ends_with(':').then_some((1.0, behind)),
    }
}

/// One line for each sample, or one with a line for each call around it, innermost first.
fn script(text: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut pending = None;
    for line in text.lines() {
        if let Some((time, leaf)) = sample(line) {
            pending = None;
            match frame(leaf) {
                Some((symbol, shared_object)) => rows.push(Row {
                    symbol,
                    shared_object,
                    time,
                }),
                None => pending = Some(time),
            }
        } else if let (Some(time), Some((symbol, shared_object))) = (pending, frame(line)) {
            rows.push(Row {
                symbol,
                shared_object,
                time,
            });
            pending = None;
        }
    }
    rows
}

/// `55d0 f+0x3 (/a/b)`
fn frame(text: &str) -> Option<(&str, Option<&str>)> {
    let mut words = text.split_whitespace();
    words.next()?;
    let symbol = words.next()?;
    let symbol = symbol.rsplit_once("+0x").map_or(symbol, |(name, _)| name);
    let shared_object = text
        .rsplit_once('(')
        .and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    Some((symbol, shared_object.map(base)))
}

/// The flat profile: share, seconds up to here, seconds, and the name at the end.
fn flat(text: &str) -> Vec<Row<'_>> {
    let behind = text
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("Flat profile:"));
    let rows = behind.skip_while(|line| !line.contains("seconds   seconds"));
    let rows = rows.skip(1).take_while(|line| !line.trim().is_empty());
    let row = |line: &'_ str| -> Option<(f64, usize)> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let time = words.get(2)?.parse().ok()?;
        let name = words
            .get(3..)?
            .iter()
            .position(|word| word.parse::<f64>().is_err())?;
        Some((time, name + 3))
    };
    rows.filter_map(|line| {
        let (time, place) = row(line)?;
        let symbol = line.split_whitespace().nth(place)?;
        Some(Row {
            symbol,
            shared_object: None,
            time,
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source;

    const PROGRAM: &str =
        "int multiply(int n) { return n; }\nint main(void) { return multiply(1); }\n";

    fn shares(text: &str) -> Sampled {
        let unit = source::parse("a.c", PROGRAM.to_string()).expect("it is read");
        assert!(is_one(text), "{text}");
        read(&[unit], "text", text).expect("it has shares")
    }

    #[test]
    fn a_report_of_perf_has_shares_by_function_and_library() {
        let text = "# Samples: 3K of event 'cycles'\n#\n# Overhead  Command  Shared Object  Symbol\n# ....\n#\n\
            \x20   50.00%  a  libgomp.so.1  [.] 0x01f622\n    25.00%  a  a  [.] multiply._omp_fn.0\n\
            \x20   15.00%  a  a  [.] multiply\n    10.00%  a  [kernel.kallsyms]  [k] clear_page\n";
        let found = shares(text);
        assert_eq!(found.by, "perf report");
        assert_eq!(found.functions, [("multiply".to_string(), 0.4)].into());
        assert_eq!(found.elsewhere["libgomp.so.1"], 0.5);
        assert_eq!(found.elsewhere["[kernel.kallsyms]"], 0.1);
        let text = "# Children      Self  Command  Shared Object  Symbol\n#\n\
            \x20   90.00%    20.00%  a  a  [.] main\n            |\n            |--70.00%--multiply\n\n\
            \x20   80.00%    80.00%  a  a  [.] multiply\n            |\n            ---main\n";
        let found = shares(text);
        assert_eq!(found.functions["main"], 0.2);
        assert_eq!(found.functions["multiply"], 0.8);
    }

    #[test]
    fn samples_of_perf_count_by_their_period_and_innermost_function() {
        let text = "a 12 3.250000:     3000 cycles:u:      55d0 multiply+0x3b (/tmp/a)\n\
            a b 12/13 3.260000:     1000 cycles:u:      7f00 memset+0x1 (/lib/libc.so.6)\n";
        let found = shares(text);
        assert_eq!(found.functions["multiply"], 0.75);
        assert_eq!(found.elsewhere["libc.so.6"], 0.25);
        let text = "a 12 3.250000:     250000 cycles: \n\t    55d0 multiply+0x3b (/tmp/a)\n\t    55e0 main+0x20 (/tmp/a)\n\n\
            a 12 3.350000:     250000 cycles: \n\t    55e0 main+0x20 (/tmp/a)\n\n";
        let found = shares(text);
        assert_eq!(found.functions["multiply"], 0.5);
        assert_eq!(found.functions["main"], 0.5);
    }

    #[test]
    fn a_flat_profile_of_gprof_has_names_with_and_without_calls() {
        let text = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n\
            \x20 %   cumulative   self              self     total           \n\
            \x20time   seconds   seconds    calls  us/call  us/call  name    \n\
            \x2075.00      0.30     0.30      300  1000.00  1000.00  multiply\n\
            \x2025.00      0.40     0.10                             main\n\
            \x20 0.00      0.40     0.00      300     0.00     0.00  other\n\n\
            \t\t\tCall graph\n\n[1]    100.0    0.05    0.00     300         clear [1]\n";
        let found = shares(text);
        assert_eq!(found.functions["multiply"], 0.75);
        assert_eq!(found.functions["main"], 0.25);
        assert!(found.elsewhere.is_empty());
    }

    #[test]
    fn what_is_no_such_text_is_told() {
        let unit = || vec![source::parse("a.c", PROGRAM.to_string()).expect("it is read")];
        for text in ["", "{}", "n,time\n1,2\n", "some 12 words: of text\n"] {
            assert!(!is_one(text), "{text}");
            assert!(read(&unit(), "a", text).is_err());
        }
        let none = "Flat profile:\n\n time   seconds   seconds    calls  name\n\n";
        let error = read(&unit(), "a", none).expect_err("no time").to_string();
        assert!(error.contains("no time"), "{error}");
        let other = "# Overhead  Command  Shared Object  Symbol\n  50.00%  a  a  [.] other\n";
        let error = read(&unit(), "a", other).expect_err("others").to_string();
        assert!(error.contains("no function of the program"), "{error}");
    }
}
