//! Counts of a model beside those of the program: one statement stands on each line, counters are put in front of assignments,
//! and the program is compiled and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{directory, pamela};

/// Statements that a run may count before it is given up.
const MOST_STEPS: u64 = 3_000_000;

/// A program, what is modelled of it, and where it is run.
pub struct Case<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// A function of whole numbers; none for `main`.
    pub entry: Option<&'a str>,
    /// The names of its arguments, as the model has them.
    pub arguments: &'a [&'a str],
    pub points: Vec<Vec<i64>>,
    /// What is on standard input.
    pub input: &'a str,
}

/// What the model says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it, at so many points that end.
    Counted(usize),
    /// Some of it, with notes; the rest is right at so many points.
    Told(usize),
    /// An error says why there is no model.
    Refused,
}

/// Whether there is a C compiler; says aloud where there is none.
pub fn has_compiler() -> bool {
    let found = Command::new("cc")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("not run: there is no C compiler `cc`");
    }
    found
}

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
        let end = match rest[at..].starts_with("//") {
            true => rest[at..].find('\n'),
            false => rest[at..].find("*/").map(|end| end + 2),
        };
        kept.push(' ');
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    kept + rest
}

/// Whether a line is an assignment, or prints something: the models have a time for it.
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
fn counted_lines(text: &str) -> Vec<usize> {
    let mut depth = 0_i64;
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let inside = depth > 0;
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        inside && is_counted(line)
    });
    lines.map(|(at, _)| at + 1).collect()
}

/// The program with counters, and beside it what prints them.
fn instrumented(case: &Case, text: &str, lines: &[usize]) -> (String, String) {
    let counted = text
        .lines()
        .enumerate()
        .map(|(at, line)| match lines.contains(&(at + 1)) {
            true => format!("pamela_step({}), {line}\n", at + 1),
            false => format!("{line}\n"),
        });
    let program = "int pamela_step(int);\n".to_string() + &counted.collect::<String>();
    let size = text.lines().count() + 2;
    let mut driver = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nstatic long count[{size}], steps;\n\
         int pamela_step(int line) {{ count[line]++; if (++steps > {MOST_STEPS}) _exit(9); return 0; }}\n\
         static void show(void) {{ for (int k = 0; k < {size}; k++) if (count[k]) fprintf(stderr, \"%d %ld\\n\", k, count[k]); }}\n\
         __attribute__((constructor)) static void begin(void) {{ atexit(show); alarm(2); }}\n"
    );
    if let Some(entry) = case.entry {
        let given: Vec<String> = (1..=case.arguments.len())
            .map(|at| format!("atol(argv[{at}])"))
            .collect();
        driver.push_str(&format!(
            "long {entry}();\nint main(int argc, char **argv) {{ {entry}({}); return 0; }}\n",
            given.join(", ")
        ));
    }
    (program, driver)
}

/// What a run counts, by lines; none where it does not end.
fn run(binary: &Path, point: &[i64], input: &Path) -> Option<BTreeMap<usize, i64>> {
    let output = Command::new(binary)
        .args(point.iter().map(ToString::to_string))
        .stdin(fs::File::open(input).expect("what is read"))
        .output()
        .expect("the program runs");
    // A program may return what it likes.
    output.status.code().filter(|code| *code != 9)?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Some(
        pairs
            .filter_map(|(line, count)| Some((line.parse().ok()?, count.parse().ok()?)))
            .collect(),
    )
}

/// A block of straight code: its time, and the lines of its statements.
struct Block {
    time: String,
    lines: Vec<usize>,
}

/// The model of a program, with its parameters.
struct Modelled {
    model: String,
    counts: String,
    blocks: Vec<Block>,
    /// Sizes by their names, and what is told.
    sizes: Vec<String>,
    told: Vec<String>,
}

/// None where an error says why there is no model.
fn modelled(case: &Case, at: &Path) -> Result<Option<Modelled>, String> {
    let mut command = vec!["model".to_string(), "program.c".to_string()];
    match case.entry {
        Some(entry) => command.extend(["--entry".to_string(), entry.to_string()]),
        None => {
            for (k, name) in case.arguments.iter().enumerate() {
                command.extend(["--param".to_string(), format!("{name}=argv[{}]", k + 1)]);
            }
        }
    }
    let with = |more: &[&str]| {
        let words: Vec<&str> = command
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        pamela(&words, at)
    };
    let (json, errors, status) = with(&["--json"]);
    match status {
        Some(0) => {}
        Some(3) if errors.contains("note: ") && errors.contains("program.c:") => {}
        Some(1) if errors.contains("program.c:") && !errors.contains("internal error") => {
            return Ok(None);
        }
        _ => return Err(format!("{status:?} {errors}")),
    }
    let is_told = status == Some(3);
    let (_, errors, status) = with(&["--counts", "-o", "counts.pam"]);
    if status.is_none_or(|status| ![0, 3].contains(&status)) {
        return Err(format!("--counts: {errors}"));
    }
    let json: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let counts = fs::read_to_string(at.join("counts.pam")).expect("the counts");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let parameters = json["parameters"].as_array().expect("parameters");
    let kind = |kind: &'static str| parameters.iter().filter(move |p| p["kind"] == kind);
    let blocks = kind("time").map(|p| {
        let lines = p["lines"].as_array().into_iter().flatten();
        let lines = lines.filter_map(Value::as_u64).map(|line| line as usize);
        Block {
            time: text(&p["name"]),
            lines: lines.collect(),
        }
    });
    let opaque = json["opaque"].as_array().expect("what is told");
    let told: Vec<String> = opaque.iter().map(|part| text(&part["name"])).collect();
    let free = ["value", "share", "trips"]
        .into_iter()
        .flat_map(kind)
        .map(|p| text(&p["name"]));
    let (told, sizes): (Vec<String>, Vec<String>) = free.partition(|name| told.contains(name));
    let silent = sizes
        .iter()
        .find(|name| !case.arguments.contains(&name.as_str()));
    if let Some(name) = silent {
        return Err(format!("`{name}` is a parameter without a note"));
    }
    Ok(Some(Modelled {
        model: text(&json["model"]),
        counts,
        blocks: blocks.collect(),
        sizes,
        told: if is_told { told } else { Vec::new() },
    }))
}

impl Modelled {
    fn equation(&self, name: &str) -> Option<&str> {
        let lines = self.counts.lines();
        let own = lines.filter_map(|line| line.strip_prefix("numeric ")?.strip_prefix(name));
        let mut own = own.filter(|rest| rest.starts_with([' ', '(']));
        own.find_map(|rest| rest.split_once(" = "))
            .map(|(_, value)| value)
    }

    /// Whether the count of a block has an equation in which nothing stands that is told.
    fn is_determined(&self, time: &str) -> bool {
        let mut open = vec![format!("count_{time}")];
        let mut seen: Vec<String> = Vec::new();
        if self.equation(&open[0]).is_none() {
            return false;
        }
        while let Some(name) = open.pop() {
            if self.told.contains(&name) {
                return false;
            }
            let value = self.equation(&name).unwrap_or_default();
            let words = value
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .map(String::from);
            open.extend(words.filter(|word| !seen.contains(word)));
            seen.push(name);
        }
        true
    }
}

/// The values of all blocks at all points that rest on nothing told, and whether what is assumed holds.
fn values(case: &Case, model: &Modelled, at: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut text: String = model
        .counts
        .lines()
        .map(|line| format!("{line}\n"))
        .collect();
    let declared = |name: &str| model.counts.contains(&format!("numeric parameter {name} "));
    // What is assumed may be of parameters that stand in no count.
    for name in model.sizes.iter().filter(|name| !declared(name)) {
        text.push_str(&format!("numeric parameter {name} : integer\n"));
    }
    let assumed = model
        .model
        .lines()
        .filter_map(|line| line.strip_prefix("assume "));
    let assumed: Vec<&str> = assumed.collect();
    for (number, point) in case.points.iter().enumerate() {
        let given = |name: &str| {
            let at = case.arguments.iter().position(|known| *known == name)?;
            Some(format!(", {name}, {}", point[at]))
        };
        let sizes: String = model.sizes.iter().filter_map(|name| given(name)).collect();
        for (k, block) in model.blocks.iter().enumerate() {
            if model.is_determined(&block.time) {
                let count = at_point(&format!("count_{} + 0", block.time), &sizes);
                text.push_str(&format!("numeric b{k}_{number} = {count}\n"));
            }
        }
        for (k, relations) in assumed.iter().enumerate() {
            for (j, relation) in relations.split(", ").enumerate() {
                let holds = at_point(&format!("if ({relation}) 1 else 0"), &sizes);
                text.push_str(&format!("numeric holds{k}_{j}_{number} = {holds}\n"));
            }
        }
    }
    fs::write(at.join("all.pam"), &text).expect("a model");
    let mut words = vec!["eval".to_string(), "all.pam".to_string()];
    for name in model
        .sizes
        .iter()
        .chain(model.told.iter().filter(|name| declared(name)))
    {
        words.extend(["-D".to_string(), format!("{name}=1")]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (output, errors, status) = pamela(&words, at);
    if status != Some(0) {
        return Err(format!("eval: {errors}\n{text}"));
    }
    let values = output
        .lines()
        .filter_map(|line| line.strip_prefix("numeric ")?.split_once(" = "));
    Ok(values
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect())
}

/// An expression where these are replaced: `, n, 3`.
fn at_point(expression: &str, replaced: &str) -> String {
    match replaced.is_empty() {
        true => expression.to_string(),
        false => format!("at({expression}{replaced})"),
    }
}

/// Compares a model with its program.
///
/// # Errors
/// What is wrong: an invalid model, a parameter that nothing tells, a count that is another one.
pub fn check(case: &Case) -> Result<Outcome, String> {
    let at = directory(&format!("counted/{}", case.name));
    let text = by_lines(case.text);
    fs::write(at.join("program.c"), &text).expect("a program");
    fs::write(at.join("input"), case.input).expect("what is read");
    let Some(model) = modelled(case, &at)? else {
        return Ok(Outcome::Refused);
    };
    let lines = counted_lines(&text);
    let (program, driver) = instrumented(case, &text, &lines);
    fs::write(at.join("counted.c"), program).expect("a program");
    fs::write(at.join("driver.c"), driver).expect("a program");
    let built = Command::new("cc")
        .args([
            "-O1",
            "-w",
            "-std=gnu17",
            "-o",
            "counted",
            "counted.c",
            "driver.c",
            "-lm",
        ])
        .current_dir(&at)
        .output()
        .expect("there is a C compiler");
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(format!("does not compile: {said}"));
    }
    let values = values(case, &model, &at)?;
    let mut compared = 0;
    for (number, point) in case.points.iter().enumerate() {
        let assumed = values
            .iter()
            .filter(|(name, _)| name.starts_with("holds") && name.ends_with(&format!("_{number}")));
        if assumed.into_iter().any(|(_, value)| value != "1") {
            continue;
        }
        let Some(counts) = run(&at.join("counted"), point, &at.join("input")) else {
            continue;
        };
        compared += 1;
        for line in &lines {
            let count = counts.get(line).copied().unwrap_or(0);
            let own = model.blocks.iter().enumerate();
            let own = own.filter(|(_, block)| block.lines.contains(line));
            let own: Vec<(usize, &Block)> = own.collect();
            // What cases of a `switch` fall through to is in a block of each; a call may be walked with several states.
            let value = |(k, _): &(usize, &Block)| {
                values.get(&format!("b{k}_{number}"))?.parse::<i64>().ok()
            };
            let found: Option<i64> = own.iter().map(value).sum();
            let is_open = own
                .iter()
                .any(|(_, block)| !model.is_determined(&block.time));
            let is_absent = own.is_empty() && !model.told.is_empty();
            if !(found == Some(count) || is_open && !model.told.is_empty() || is_absent) {
                let statement = text.lines().nth(line - 1).unwrap_or_default();
                return Err(format!(
                    "line {line}, `{statement}`, runs {count} times at {:?} = {point:?}, not {found:?}\n{}\n{text}",
                    case.arguments, model.model
                ));
            }
        }
    }
    Ok(match model.told.is_empty() {
        true => Outcome::Counted(compared),
        false => Outcome::Told(compared),
    })
}
