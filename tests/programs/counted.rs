//! Counts of a model beside those of the program: one statement stands on each line, counters are put in front of assignments,
//! and the program is compiled and run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::lines::{by_lines, conditions, counted_lines, relations, words};
pub use super::runs::has_compiler;
use super::runs::{built, instrumented, run};
use super::{directory, pamela};

/// Points at which a program is run of which something is told.
const MOST_POINTS_OF_TOLD: usize = 8;

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
    /// All of it or bounds on both sides of it, with notes; right at so many points.
    Bounded(usize),
    /// An error says why there is no model.
    Refused,
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
    /// Sizes by their names, with their places among the arguments.
    sizes: Vec<(String, Option<usize>)>,
    /// Parameters that notes tell of.
    told: Vec<String>,
    /// Shares, and times of what is not understood.
    uncounted: Vec<String>,
    /// Numbers of iterations that are not derived, with their bounds.
    bounds: Vec<(String, [String; 2])>,
    is_told: bool,
}

/// None where an error says why there is no model.
///
/// One long function, because each part of the output is read once.
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
    let place = |parameter: &Value| {
        let what = text(&parameter["what"]);
        let is_it = |known: &&str| {
            let words = ["argument", "value of the global"].map(|word| format!("{word} {known}"));
            *known == text(&parameter["name"]) || words.contains(&what)
        };
        case.arguments.iter().position(is_it)
    };
    let free = ["value", "share", "trips"].into_iter().flat_map(kind);
    let free = free.map(|p| (text(&p["name"]), place(p)));
    let (told, sizes): (Vec<_>, Vec<_>) = free.partition(|(name, _)| told.contains(name));
    let is_silent =
        |(name, place): &&(String, Option<usize>)| place.is_none() && !name.starts_with("sizeof_");
    if let Some((name, _)) = sizes.iter().find(is_silent) {
        return Err(format!("`{name}` is a parameter without a note"));
    }
    let bounded = parameters.iter().filter_map(|p| {
        let bound = |side: &str| p["bounds"][side].as_str().map(str::to_string);
        Some((text(&p["name"]), [bound("least")?, bound("most")?]))
    });
    Ok(Some(Modelled {
        bounds: bounded.collect(),
        uncounted: ["share", "opaque", "time"]
            .into_iter()
            .flat_map(kind)
            .map(|p| text(&p["name"]))
            .collect(),
        model: text(&json["model"]),
        counts,
        blocks: blocks.collect(),
        sizes,
        told: told.into_iter().map(|(name, _)| name).collect(),
        is_told,
    }))
}

impl Modelled {
    fn declares(&self, name: &str) -> bool {
        self.counts.contains(&format!("numeric parameter {name} "))
    }

    fn equation(&self, name: &str) -> Option<&str> {
        let lines = self.counts.lines();
        let own = lines.filter_map(|line| line.strip_prefix("numeric ")?.strip_prefix(name));
        let mut own = own.filter(|rest| rest.starts_with([' ', '(']));
        own.find_map(|rest| rest.split_once(" = "))
            .map(|(_, value)| value)
    }

    /// True if the count of a block has an equation in which nothing stands that is told.
    fn is_determined(&self, time: &str) -> bool {
        self.rests_on(time, &|_| false)
    }

    /// True if the count of a block has bounds on both sides. Those of a value say nothing where a condition asks for it.
    fn is_bounded(&self, time: &str) -> bool {
        let is_bounded = |name: &str| self.bounds.iter().any(|(own, _)| own == name);
        let own = self.equation(&format!("count_{time}"));
        let mut asked = own.into_iter().flat_map(conditions).flat_map(words);
        let is_asked = asked.any(is_bounded);
        !is_asked && self.rests_on(time, &is_bounded)
    }

    /// True if the count of a block has an equation in which nothing stands that is told, beside these.
    fn rests_on(&self, time: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
        let mut open = vec![format!("count_{time}")];
        let mut seen: Vec<String> = Vec::new();
        if self.equation(&open[0]).is_none() {
            return false;
        }
        while let Some(name) = open.pop() {
            if self.told.contains(&name) && !is_allowed(&name) {
                return false;
            }
            let value = self.equation(&name).unwrap_or_default();
            // A bound may rest on a value that has none.
            let own = self.bounds.iter().filter(|(own, _)| *own == name);
            let own = own.flat_map(|(_, bounds)| bounds.iter().flat_map(|bound| words(bound)));
            let all = words(value).chain(own).map(String::from);
            open.extend(all.filter(|word| !seen.contains(word)));
            seen.push(name);
        }
        true
    }
}

/// The counts of a model, and parameters that stand in none of them.
fn declarations(model: &Modelled) -> String {
    // Bounds are looked at one by one; any value may stand for what they bound.
    let is_bounded = |line: &str| {
        let name = line.strip_prefix("numeric parameter ");
        let name = name.and_then(|rest| rest.split_whitespace().next());
        let bounds = &model.bounds;
        name.filter(|name| bounds.iter().any(|(own, _)| own == name))
            .map(str::to_string)
    };
    let lines = model.counts.lines().map(|line| match is_bounded(line) {
        Some(name) => format!("numeric parameter {name} : integer\n"),
        None => format!("{line}\n"),
    });
    let mut begin: String = lines.collect();
    // What is assumed may be of parameters that stand in no count.
    let sizes = model.sizes.iter().map(|(name, _)| name);
    let bounded = model.bounds.iter().map(|(name, _)| name);
    let undeclared: BTreeSet<&String> = sizes
        .chain(bounded)
        .filter(|name| !model.declares(name))
        .collect();
    for name in undeclared {
        begin.push_str(&format!("numeric parameter {name} : integer\n"));
    }
    begin
}

/// The counts of all blocks at all points that need no stated value, and whether the assumptions hold there.
fn values(case: &Case, model: &Modelled, at: &Path) -> Result<BTreeMap<String, String>, String> {
    let declared = |name: &str| model.declares(name);
    let begin = declarations(model);
    let given = |point: Option<&Vec<i64>>| {
        let sizes = model.sizes.iter().map(|(name, place)| {
            let value = point.zip(*place).map_or(1, |(point, place)| point[place]);
            format!("{name}={value}")
        });
        let is_given =
            |name: &&String| declared(name) || model.bounds.iter().any(|(own, _)| own == *name);
        let told = model.told.iter().filter(is_given);
        sizes
            .chain(told.map(|name| format!("{name}=1")))
            .collect::<Vec<String>>()
    };
    let evaluated = |text: String, given: Vec<String>| {
        fs::write(at.join("all.pam"), &text).expect("a model");
        let mut words = vec!["eval", "--emit", "pamela", "all.pam"];
        given.iter().for_each(|given| words.extend(["-D", given]));
        let (output, errors, status) = pamela(&words, at);
        if status != Some(0) {
            return Err(format!("eval {given:?}: {errors}\n{text}"));
        }
        let values = output
            .lines()
            .filter_map(|line| line.strip_prefix("numeric ")?.split_once(" = "));
        let values = values.map(|(name, value)| (name.to_string(), value.to_string()));
        Ok(values.collect::<BTreeMap<String, String>>())
    };
    // Loops without statements have no counts.
    if equations(model, 0, "").is_empty() {
        return Ok(BTreeMap::new());
    }
    let all = (0..case.points.len()).map(|number| {
        let sizes = model.sizes.iter().filter_map(|(name, place)| {
            Some(format!(", {name}, {}", case.points[number][(*place)?]))
        });
        equations(model, number, &sizes.collect::<String>())
    });
    if let Ok(values) = evaluated(begin.clone() + &all.collect::<String>(), given(None)) {
        return Ok(values);
    }
    // One point is evaluated where another has no value.
    let mut values = BTreeMap::new();
    for (number, point) in case.points.iter().enumerate() {
        // Where an assumption fails, the model has no values.
        let holds = assumptions(model, number, "");
        if !holds.is_empty() {
            let declared = begin
                .lines()
                .filter(|line| line.starts_with("numeric parameter "));
            let declared: String = declared.map(|line| format!("{line}\n")).collect();
            let holds = evaluated(declared + &holds, given(Some(point)))?;
            if holds.values().any(|holds| holds == "0") {
                values.extend(holds);
                continue;
            }
        }
        let text = begin.clone() + &equations(model, number, "");
        // Where the program does not end either, there need be no value.
        values.extend(evaluated(text, given(Some(point))).unwrap_or_default());
    }
    Ok(values)
}

/// What is compared at a point, where these are replaced.
fn equations(model: &Modelled, number: usize, replaced: &str) -> String {
    let mut text = String::new();
    for (k, block) in model.blocks.iter().enumerate() {
        if model.is_determined(&block.time) {
            let count = at_point(&format!("count_{} + 0", block.time), replaced);
            text.push_str(&format!("numeric b{k}_{number} = {count}\n"));
        } else if model.is_bounded(&block.time) {
            for (name, sides) in SIDES {
                let count = format!("count_{} + 0", block.time);
                let bounded = within_bounds(&count, model, sides);
                text.push_str(&format!(
                    "numeric {name}{k}_{number} = {}\n",
                    at_point(&bounded, replaced)
                ));
            }
        }
    }
    let ordered = model.bounds.iter().map(|(_, bounds)| {
        let [least, most] = [0, 1].map(|side| within_bounds(&bounds[side], model, [side; 2]));
        at_point(&format!("(({least}) <= ({most}))"), replaced)
    });
    let ordered = ordered.fold("1".to_owned(), |all, own| format!("{all} * {own}"));
    if !model.bounds.is_empty() {
        text.push_str(&format!("numeric ordered_{number} = {ordered}\n"));
    }
    text + &assumptions(model, number, replaced)
}

/// The sides from which counts are compared: which bound of a value in a count is taken, and which bounds of the values in that
/// bound. A bound may fall where a value in it rises.
const SIDES: [(&str, [usize; 2]); 4] = [
    ("least", [0, 0]),
    ("most", [1, 1]),
    ("low", [0, 1]),
    ("high", [1, 0]),
];

/// An expression where all that is bounded is at one of its bounds, which may rest on others.
fn within_bounds(expression: &str, model: &Modelled, sides: [usize; 2]) -> String {
    (0..=model.bounds.len()).fold(expression.to_owned(), |own, level| {
        let side = sides[level.min(1)];
        let pairs = model.bounds.iter();
        let pairs = pairs.map(|(own, bounds)| format!(", {own}, {}", bounds[side]));
        at_point(&own, &pairs.collect::<String>())
    })
}

/// Whether each assumption of the model holds at a point.
fn assumptions(model: &Modelled, number: usize, replaced: &str) -> String {
    let mut text = String::new();
    let assumed = model
        .model
        .lines()
        .filter_map(|line| line.strip_prefix("assume "));
    // A value that has to be stated is compared with nothing.
    let is_known =
        |relation: &&str| !words(relation).any(|word| model.told.iter().any(|own| own == word));
    let relations = assumed.flat_map(relations).filter(is_known).enumerate();
    for (k, relation) in relations {
        let holds = at_point(&format!("if ({relation}) 1 else 0"), replaced);
        text.push_str(&format!("numeric holds{k}_{number} = {holds}\n"));
    }
    text
}

/// An expression where these are replaced: `, n, 3`.
fn at_point(expression: &str, replaced: &str) -> String {
    if replaced.is_empty() {
        expression.to_string()
    } else {
        format!("at({expression}{replaced})")
    }
}

/// Compares what a model says of a line at a point with what was counted.
///
/// # Errors
/// What the model says, where it is another count.
fn compared_at(
    line: usize,
    count: i64,
    model: &Modelled,
    values: &BTreeMap<String, String>,
    number: usize,
) -> Result<(), Option<i64>> {
    let own = model.blocks.iter().enumerate();
    let own = own.filter(|(_, block)| block.lines.contains(&line));
    let own: Vec<(usize, &Block)> = own.collect();
    // What cases of a `switch` fall through to is in a block of each; a call may be walked with several states.
    let value =
        |(k, _): &(usize, &Block)| values.get(&format!("b{k}_{number}"))?.parse::<i64>().ok();
    let found: Option<i64> = own.iter().map(value).sum();
    // The counts rise with the numbers of iterations, and fall with the values from which loops begin.
    let side = |side: &str, k: usize| {
        values
            .get(&format!("{side}{k}_{number}"))?
            .parse::<i64>()
            .ok()
    };
    if let [(k, block)] = own[..]
        && !model.is_determined(&block.time)
        && let Some(least) = side("least", k)
        && let Some(most) = side("most", k)
    {
        // Bounds in the wrong order are wrong, whatever the count is.
        let is_ordered = values
            .get(&format!("ordered_{number}"))
            .is_none_or(|own| own != "0");
        let (low, high) = if is_ordered {
            let others = ["low", "high"].into_iter().filter_map(|own| side(own, k));
            let all: Vec<i64> = others.chain([least, most]).collect();
            let low = all.iter().min().copied().unwrap_or(least);
            (low, all.into_iter().max().unwrap_or(most))
        } else {
            (least, most)
        };
        if !(low..=high).contains(&count) {
            return Err(Some(if count < low { low } else { high }));
        }
    }
    let is_open = own
        .iter()
        .any(|(_, block)| !model.is_determined(&block.time));
    let is_absent = own.is_empty() && model.is_told;
    if found == Some(count) || is_open && model.is_told || is_absent {
        Ok(())
    } else {
        Err(found)
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
    let built = built(&at);
    // What is in none of the files cannot be run.
    if !built.status.success() && model.is_told {
        return Ok(Outcome::Told(0));
    }
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(format!("does not compile: {said}"));
    }
    let values = values(case, &model, &at)?;
    let mut compared = 0;
    // Those that are told often run on and on.
    let most = if model.is_told {
        MOST_POINTS_OF_TOLD
    } else {
        case.points.len()
    };
    for (number, point) in case.points.iter().enumerate().take(most) {
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
            if let Err(found) = compared_at(*line, count, &model, &values, number) {
                let statement = text.lines().nth(line - 1).unwrap_or_default();
                return Err(format!(
                    "line {line}, `{statement}`, runs {count} times at {:?} = {point:?}, not {found:?}\n{}\n{text}",
                    case.arguments, model.model
                ));
            }
        }
    }
    // A share is from 0 to 1, and a time is no count.
    let is_bounded = model.told.iter().all(|name| {
        let is_uncounted = model.uncounted.contains(name);
        is_uncounted || model.bounds.iter().any(|(own, _)| own == name)
    });
    Ok(if !model.is_told {
        Outcome::Counted(compared)
    } else if is_bounded {
        Outcome::Bounded(compared)
    } else {
        Outcome::Told(compared)
    })
}
