//! Points at which a program runs.

use std::collections::BTreeMap;

use super::{MOST_RUNS, Plan};
use crate::lowering::Described;
use crate::lowering::part::ParameterKind;
use crate::problem::Problem;

pub type Values = BTreeMap<String, f64>;

/// More threads or ranks are refused.
const MOST: f64 = 4096.0;

/// The parameters with the number of threads or ranks of a program.
#[derive(Default)]
pub struct Counts {
    pub threads: Option<String>,
    pub ranks: Option<String>,
}

impl Counts {
    pub fn of(parameters: &[Described]) -> Counts {
        let named = |kind| {
            let mut of_kind = parameters.iter().filter(|p| p.kind == kind);
            of_kind.next().map(|p| p.name.clone())
        };
        Counts {
            threads: named(ParameterKind::Threads),
            ranks: named(ParameterKind::Ranks),
        }
    }

    fn are(&self, name: &str) -> Option<&'static str> {
        let is = |own: &Option<String>| own.as_deref() == Some(name);
        match (is(&self.threads), is(&self.ranks)) {
            (true, _) => Some("threads"),
            (_, true) => Some("ranks"),
            _ => None,
        }
    }
}

/// All values of all axes.
pub fn points(plan: &Plan, counts: &Counts) -> Result<Vec<Values>, Problem> {
    if let (Some(ranks), true) = (&counts.ranks, plan.run.is_empty()) {
        return Err(Problem::new(format!(
            "the program has ranks, `{ranks}`, but no command starts them"
        ))
        .hint(format!(
            "start it with --run 'mpirun -n {{{ranks}}}' with --points {ranks}=1,2"
        )));
    }
    let words = || plan.arguments.iter().chain(&plan.run);
    let is_used = |name: &str| words().any(|word| word.contains(&format!("{{{name}}}")));
    let mut points = vec![Values::new()];
    for (name, values) in &plan.axes {
        let is_thread_count = counts.threads.as_ref() == Some(name);
        if !is_used(name) && !is_thread_count {
            return Err(not_used(name, counts));
        }
        let is_count = |value: &f64| *value >= 1.0 && value.fract() == 0.0 && *value <= MOST;
        if let (Some(what), false) = (counts.are(name), values.iter().all(is_count)) {
            return Err(Problem::new(format!(
                "`{name}` is a number of {what}, from 1 to {MOST}"
            )));
        }
        if points[0].contains_key(name) {
            return Err(Problem::new(format!("`{name}` is given twice")));
        }
        let with = |point: &Values, value: &f64| {
            let mut point = point.clone();
            point.insert(name.clone(), *value);
            point
        };
        let all = points
            .iter()
            .flat_map(|point| values.iter().map(move |value| (point, value)));
        points = all.map(|(point, value)| with(point, value)).collect();
        if points.len() > MOST_RUNS {
            break;
        }
    }
    if plan.seeds > 1 && !is_used("seed") {
        return Err(Problem::new("the program takes no seed")
            .hint("use {seed} in the arguments after `--`, or omit --seeds"));
    }
    let runs = points
        .len()
        .saturating_mul(plan.runs.saturating_add(plan.seeds as usize));
    if runs > MOST_RUNS || points.is_empty() {
        return Err(Problem::new(format!(
            "{runs} runs: expected at least one and at most {MOST_RUNS}"
        )));
    }
    if let Some(brace) = words().find_map(|word| left_open(word, plan)) {
        return Err(Problem::new(format!("no value of `{{{brace}}}`"))
            .hint(format!("set it with --points {brace}=100,200")));
    }
    Ok(points)
}

fn not_used(name: &str, counts: &Counts) -> Problem {
    let threads = counts.threads.as_ref();
    let threads = threads.map(|t| format!("; the number of threads is `{t}`"));
    let ranks = counts.ranks.as_ref();
    let ranks = ranks.map(|r| format!("; the number of ranks is `{r}`, set by --run"));
    Problem::new(format!("`{name}` is not an argument of the program")).hint(format!(
        "use it in the arguments after `--`, as {{{name}}}{}{}",
        threads.unwrap_or_default(),
        ranks.unwrap_or_default()
    ))
}

/// A word with values in place of the names in braces.
pub fn filled(word: &str, point: &Values, seed: u64) -> String {
    let mut text = word.replace("{seed}", &seed.to_string());
    for (name, value) in point {
        text = text.replace(&format!("{{{name}}}"), &value.to_string());
    }
    text
}

/// A name in braces that no axis gives.
fn left_open(word: &str, plan: &Plan) -> Option<String> {
    let names = word
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let known = |name: &str| name == "seed" || plan.axes.iter().any(|(axis, _)| axis == name);
    let mut names = names.map(|(name, _)| name).filter(is_name);
    names.find(|name| !known(name)).map(str::to_string)
}
