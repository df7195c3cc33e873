//! Files of functions.

use super::comment::comment;
use super::reserved::Names;
use super::{Body, Facts, Function, Language};
use crate::compiled::Parameter;

pub(super) fn file(
    language: Language,
    functions: &[Function],
    facts: Option<&(Facts, Body)>,
    names: &Names,
    all: &[&Parameter],
) -> String {
    let notation = language.notation();
    let mut text = String::new();
    let truth = |name: &str, parameters: &[String], body: &Body| {
        let holds = Body {
            parts: body.parts.clone(),
            results: vec![notation.both(&body.results)],
        };
        definition(language, name, parameters, &holds, &Shape::Truth)
    };
    for function in functions {
        let parameters = names.all(&function.parameters);
        text.push_str(&notes(language, &function.notes));
        let value = Shape::of(&function.value);
        let name = names.of(&function.name);
        text.push_str(&definition(
            language,
            &name,
            &parameters,
            &function.value,
            &value,
        ));
        let name = names.holds(&function.name);
        text.push('\n');
        text.push_str(&truth(&name, &parameters, &function.conditions));
        text.push('\n');
    }
    if let Some((facts, body)) = facts {
        text.push_str(&truth(&facts.function, &names.all(&facts.parameters), body));
        text.push('\n');
    }
    let mut head = head(language, names, &meanings(functions, names, all));
    for helper in helpers(language, &text) {
        head.push_str(&helper);
        head.push_str("\n\n");
    }
    if language == Language::JavaScript {
        text.push_str(&exports(functions, names));
    }
    format!("{head}{}\n", text.trim_end())
}

/// Return type of a function.
enum Shape {
    Number,
    Truth,
    /// This many numbers.
    Numbers(usize),
}

impl Shape {
    fn of(body: &Body) -> Shape {
        match body.results.len() {
            1 => Shape::Number,
            several => Shape::Numbers(several),
        }
    }
}

fn notes(language: Language, notes: &[String]) -> String {
    notes.iter().map(|note| comment(language, note)).collect()
}

/// The comment of each parameter in the model.
pub(super) fn meanings(functions: &[Function], names: &Names, all: &[&Parameter]) -> Vec<String> {
    let used = |name: &String| functions.iter().any(|f| f.parameters.contains(name));
    let used = all.iter().filter(|p| used(&p.name));
    let told = used.filter_map(|p| Some((names.of(&p.name), p.comment.as_ref()?)));
    told.map(|(name, comment)| format!("{name}: {comment}"))
        .collect()
}

fn head(language: Language, names: &Names, meanings: &[String]) -> String {
    let mut text = match language {
        Language::C => "#include <math.h>\n",
        Language::Rust => "#![allow(dead_code, non_snake_case, unused_parens, unused_variables)]\n",
        Language::Python => "import math\n",
        Language::NumPy => "import numpy as np\n",
        _ => "",
    }
    .to_string();
    for (name, other) in names.renamed() {
        text.push_str(&comment(language, &format!("`{name}` is called `{other}`")));
    }
    for meaning in meanings {
        text.push_str(&comment(language, meaning));
    }
    match text.is_empty() {
        true => text,
        false => text + "\n",
    }
}

/// The functions of the prelude that a text calls, directly or not, in the order of the prelude.
fn helpers(language: Language, text: &str) -> Vec<String> {
    let prelude = match language {
        Language::C => include_str!("preludes/c.txt"),
        Language::Rust => include_str!("preludes/rust.txt"),
        Language::Python => include_str!("preludes/python.txt"),
        Language::NumPy => include_str!("preludes/numpy.txt"),
        Language::Julia => include_str!("preludes/julia.txt"),
        _ => include_str!("preludes/javascript.txt"),
    };
    let all: Vec<&str> = prelude.trim_end().split("\n\n").collect();
    let mut used = vec![false; all.len()];
    loop {
        let kept = all.iter().zip(&used).filter(|(_, used)| **used);
        let known: Vec<&str> = kept.map(|(helper, _)| *helper).chain([text]).collect();
        let calls = |helper: &str| {
            let name = format!("{}(", name_of(helper));
            let others = known.iter().filter(|known| **known != helper);
            others.into_iter().any(|known| known.contains(&name))
        };
        let next: Vec<bool> = all.iter().map(|helper| calls(helper)).collect();
        if next == used {
            let kept = all.iter().zip(&used).filter(|(_, used)| **used);
            return kept.map(|(helper, _)| helper.to_string()).collect();
        }
        used = next;
    }
}

/// The first `pamela_..` of a text.
fn name_of(helper: &str) -> &str {
    let start = helper.find("pamela_").unwrap_or(0);
    let rest = &helper[start..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &rest[..end.unwrap_or(rest.len())]
}

/// The text of a function.
///
/// One long function, because it is a table with an arm for each language.
fn definition(
    language: Language,
    name: &str,
    parameters: &[String],
    body: &Body,
    shape: &Shape,
) -> String {
    let typed = |before: &str, after: &str| {
        let own = parameters.iter().map(|p| format!("{before}{p}{after}"));
        own.collect::<Vec<String>>()
    };
    let plain = parameters.join(", ");
    let results: Vec<&str> = body.results.iter().map(|text| bare(text)).collect();
    let listed = results.join(", ");
    let (head, before, after, end) = match language {
        Language::C => {
            let mut own = typed("double ", "");
            let (kind, result) = match shape {
                Shape::Number => ("double", format!("    return {listed};\n}}\n")),
                Shape::Truth => ("int", format!("    return {listed};\n}}\n")),
                Shape::Numbers(length) => {
                    own.push(format!("double result[{length}]"));
                    let numbered = results.iter().enumerate();
                    let set = numbered.map(|(k, value)| format!("    result[{k}] = {value};\n"));
                    ("void", format!("{}}}\n", set.collect::<String>()))
                }
            };
            let own = match own.is_empty() {
                true => "void".to_string(),
                false => own.join(", "),
            };
            let head = format!("{kind} {name}({own}) {{\n");
            (head, "    const double ", ";\n", result)
        }
        Language::Rust => {
            let (kind, result) = match shape {
                Shape::Number => ("f64".to_string(), listed),
                Shape::Truth => ("bool".to_string(), listed),
                Shape::Numbers(length) => (format!("[f64; {length}]"), format!("[{listed}]")),
            };
            let own = typed("", ": f64").join(", ");
            let head = format!("pub fn {name}({own}) -> {kind} {{\n");
            (head, "    let ", ";\n", format!("    {result}\n}}\n"))
        }
        Language::Python => {
            let result = tuple(listed, shape);
            (
                format!("def {name}({plain}):\n"),
                "    ",
                "\n",
                format!("    return {result}\n"),
            )
        }
        Language::NumPy => {
            let double = |p: &String| format!("    {p} = np.asarray({p}, dtype=float)\n");
            let doubles: String = parameters.iter().map(double).collect();
            let head = format!("@np.errstate(all=\"ignore\")\ndef {name}({plain}):\n{doubles}");
            (
                head,
                "    ",
                "\n",
                format!("    return {}\n", tuple(listed, shape)),
            )
        }
        Language::Julia => {
            let result = tuple(listed, shape);
            (
                format!("function {name}({plain})\n"),
                "    ",
                "\n",
                format!("    return {result}\nend\n"),
            )
        }
        _ => {
            let result = match shape {
                Shape::Numbers(_) => format!("[{listed}]"),
                _ => listed,
            };
            let head = format!("function {name}({plain}) {{\n");
            (
                head,
                "    const ",
                ";\n",
                format!("    return {result};\n}}\n"),
            )
        }
    };
    let parts = body.parts.iter();
    let parts: String = parts
        .map(|(name, text)| format!("{before}{name} = {}{after}", bare(text)))
        .collect();
    format!("{head}{parts}{end}")
}

/// Without parentheses around all of it.
fn bare(text: &str) -> &str {
    let Some(inside) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return text;
    };
    let mut depth = 0i64;
    let balanced = inside.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    });
    if balanced { inside } else { text }
}

fn tuple(listed: String, shape: &Shape) -> String {
    match shape {
        Shape::Numbers(_) => format!("({listed},)"),
        _ => listed,
    }
}

/// For Node; a page just takes the functions.
fn exports(functions: &[Function], names: &Names) -> String {
    let both = |f: &Function| [names.of(&f.name), names.holds(&f.name)];
    let all: Vec<String> = functions.iter().flat_map(both).collect();
    format!(
        "if (typeof module !== \"undefined\") module.exports = {{ {} }};\n",
        all.join(", ")
    )
}
