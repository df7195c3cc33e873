//! Files of functions.

use super::comment::comment;
use super::languages::{Functions, Language};
use super::reserved::Names;
use super::{Body, Facts, Function};
use crate::compiled::Parameter;

pub(super) fn file(
    language: Language,
    functions: &[Function],
    facts: Option<&(Facts, Body)>,
    names: &Names,
    all: &[&Parameter],
) -> String {
    let notation = language.notation();
    let how = &language.row().functions;
    let mut text = String::new();
    let truth = |name: &str, parameters: &[String], body: &Body| {
        let holds = Body {
            parts: body.parts.clone(),
            results: vec![notation.both(&body.results)],
        };
        definition(how, name, parameters, &holds, Shape::Truth)
    };
    for function in functions {
        let parameters = names.all(&function.parameters);
        text.push_str(&notes(language, &function.notes));
        let shape = Shape::of(&function.value);
        let name = names.of(&function.name);
        text.push_str(&definition(how, &name, &parameters, &function.value, shape));
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
    for helper in helpers(how.prelude, &text) {
        head.push_str(&helper);
        head.push_str("\n\n");
    }
    let both = |f: &Function| [names.of(&f.name), names.holds(&f.name)];
    let called: Vec<String> = functions.iter().flat_map(both).collect();
    text.push_str(&how.end.replace("{all}", &called.join(", ")));
    let whole = format!("{head}{}\n", text.trim_end());
    match how.widest {
        Some(widest) => whole.lines().map(|line| continued(line, widest)).collect(),
        None => whole,
    }
}

/// A line of code, broken behind spaces where it is too long.
fn continued(line: &str, widest: usize) -> String {
    let is_comment = line.trim_start().starts_with('!');
    let (mut written, mut rest) = (String::new(), line);
    while !is_comment && rest.chars().count() > widest {
        let place = rest[..widest].rfind(' ').filter(|place| *place > 8);
        let (before, after) = rest.split_at(place.map_or(widest, |place| place + 1));
        written.push_str(&format!("{before}&\n        &"));
        rest = after;
    }
    format!("{written}{rest}\n")
}

/// Return type of a function.
#[derive(Clone, Copy)]
enum Shape {
    Number,
    Truth,
    Numbers,
}

impl Shape {
    fn of(body: &Body) -> Shape {
        match body.results.len() {
            1 => Shape::Number,
            _ => Shape::Numbers,
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
    let how = &language.row().functions;
    let mut text = how.head.to_string();
    for (name, other) in names.renamed() {
        text.push_str(&comment(language, &format!("`{name}` is called `{other}`")));
    }
    for meaning in meanings {
        text.push_str(&comment(language, meaning));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + how.begin
}

/// The functions of the prelude that a text calls, directly or not, in the order of the prelude.
fn helpers(prelude: &str, text: &str) -> Vec<String> {
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
fn definition(
    how: &Functions,
    name: &str,
    parameters: &[String],
    body: &Body,
    shape: Shape,
) -> String {
    let results: Vec<&str> = body.results.iter().map(|text| bare(text)).collect();
    let length = results.len().to_string();
    let place = match shape {
        Shape::Number => 0,
        Shape::Truth => 1,
        Shape::Numbers => 2,
    };
    let mut taken: Vec<String> = parameters
        .iter()
        .map(|p| how.parameter.replace("{p}", p))
        .collect();
    if matches!(shape, Shape::Numbers) {
        taken.extend(how.results_parameter.map(str::to_owned));
    }
    let taken = if taken.is_empty() {
        how.no_parameters.to_string()
    } else {
        taken.join(", ")
    };
    let each_parameter = parameters
        .iter()
        .map(|p| how.each_parameter.replace("{p}", p));
    let each_part = body
        .parts
        .iter()
        .map(|(name, _)| how.each_part.replace("{name}", name));
    let opening = how
        .opening
        .replace("{each_parameter}", &each_parameter.collect::<String>())
        .replace("{each_part}", &each_part.collect::<String>())
        .replace("{kind}", how.kinds[place])
        .replace("{parameters}", &taken)
        .replace("{length}", &length)
        .replace("{name}", name);
    let part = |(name, text): &(String, String)| {
        how.part
            .replace("{name}", name)
            .replace("{value}", bare(text))
    };
    let each_result = (0..).zip(&results).map(|(k, value): (usize, _)| {
        how.each_result
            .replace("{k}", &k.to_string())
            .replace("{value}", value)
    });
    let returned = how.results[place]
        .replace("{each_result}", &each_result.collect::<String>())
        .replace("{list}", &results.join(", "));
    let parts: String = body.parts.iter().map(part).collect();
    format!("{opening}{parts}{returned}{}", how.closing)
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
