//! The census of what stays open: of random models and of the corpus, which reductions are left, by their shape, and
//! which results hold at fewer points than their definition.
//!
//! A rule that is to be written next closes one of the shapes that stand first.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::Serialize;

use super::ours::answer;
use super::points;
use super::shapes::innermost;
use super::verdict::Answer;
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::formula::{Formula, Notation};
use crate::gates;
use crate::models;
use crate::pipeline::{Model, Options, SimplifiedEquation};

/// A model that takes more seconds is named.
const SLOW: f64 = 1.0;
/// A result of more operations is.
const LONG: usize = 60;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Of each family of random models, so many.
    pub models: usize,
    /// The seed of the first.
    pub first: u64,
    /// Where models are that are looked at, too.
    pub corpus: Option<&'a Path>,
}

/// All that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Census {
    pub families: Vec<Family>,
    /// The commonest first.
    pub shapes: Vec<Group>,
    /// The conditions of narrowed results, the commonest first.
    pub narrowed: Vec<Group>,
}

/// The results of one kind of models.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Family {
    pub name: String,
    pub models: usize,
    pub results: usize,
    pub open: usize,
    /// Of the open ones, those with closed bounds on both sides.
    pub enclosed: usize,
    /// Conditions leave out points where the definition has a value.
    pub narrowed: usize,
    /// Models that took more than a second, the longest first.
    pub slow: Vec<Slow>,
    pub most_seconds: f64,
    /// Operations of results that are closed, the fewest first, with the text of the model.
    pub operations: Vec<(usize, String)>,
    /// Models that have no result, with the reason.
    pub refused: Vec<String>,
}

/// A model that takes long.
#[derive(Clone, Debug, Serialize)]
pub struct Slow {
    pub seconds: f64,
    pub model: String,
    pub text: String,
}

/// Models that have something in common.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub what: String,
    /// How many of each family.
    pub count: BTreeMap<String, usize>,
    /// The smallest of them.
    pub example: String,
    pub text: String,
}

/// A model that is looked at.
struct Asked {
    family: &'static str,
    name: String,
    text: Source,
}

enum Source {
    Text(String),
    File(String),
}

/// What was found of one result.
struct Found {
    seconds: f64,
    operations: usize,
    shapes: Vec<String>,
    enclosed: bool,
    narrowed: Option<String>,
}

/// Simplifies the models and counts.
///
/// # Errors
/// A corpus that cannot be read.
pub fn census(
    rules: &RuleBase,
    request: &Request,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Census, Error> {
    let asked = asked(request)?;
    let found = side_by_side(&asked, |asked| {
        progress(&asked.name);
        look(asked, rules)
    });
    let mut families: Vec<Family> = Vec::new();
    let (mut shapes, mut narrowed) = (Groups::default(), Groups::default());
    for (asked, found) in asked.iter().zip(found) {
        if families.last().is_none_or(|last| last.name != asked.family) {
            families.push(Family {
                name: asked.family.to_string(),
                ..Family::default()
            });
        }
        let Some(family) = families.last_mut() else {
            continue;
        };
        family.models += 1;
        match found {
            Err(error) => family.refused.push(format!("{}: {error}", asked.name)),
            Ok(results) => results
                .iter()
                .for_each(|result| family.count(asked, result, &mut shapes, &mut narrowed)),
        }
    }
    for family in &mut families {
        family.operations.sort_unstable();
        family.slow.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    }
    Ok(Census {
        families,
        shapes: shapes.sorted(),
        narrowed: narrowed.sorted(),
    })
}

/// The text of the model of a seed.
type Maker = fn(u64) -> String;

fn asked(request: &Request) -> Result<Vec<Asked>, Error> {
    let seeds = (request.first..).take(request.models);
    let of = |family, seed: u64, text| Asked {
        family,
        name: format!("{family} {seed}"),
        text: Source::Text(text),
    };
    let makers: [(&str, Maker); 3] = [
        ("processes", models::processes::model),
        ("distributions", models::distributions::model),
        ("graphs", models::graphs::families),
    ];
    let random = makers
        .iter()
        .flat_map(|&(family, model)| seeds.clone().map(move |seed| of(family, seed, model(seed))));
    let mut asked: Vec<Asked> = random.collect();
    let Some(corpus) = request.corpus else {
        return Ok(asked);
    };
    for path in gates::models(corpus)? {
        let shown = path.strip_prefix(corpus).unwrap_or(&path);
        asked.push(Asked {
            family: "corpus",
            name: shown.to_string_lossy().into_owned(),
            text: Source::File(path.to_string_lossy().into_owned()),
        });
    }
    Ok(asked)
}

/// What `look` finds of all, in their order.
fn side_by_side<T: Send>(asked: &[Asked], look: impl Fn(&Asked) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            match asked.get(number) {
                Some(asked) => found.push((number, look(asked))),
                None => return found,
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found: Vec<(usize, T)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let ended = running.into_iter().map(|thread| thread.join());
        ended
            .flat_map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    found.sort_by_key(|&(number, _)| number);
    found.into_iter().map(|(_, found)| found).collect()
}

fn look(asked: &Asked, rules: &RuleBase) -> Result<Vec<Found>, Error> {
    let model = match &asked.text {
        Source::Text(text) => Model::parse(text)?,
        Source::File(path) => Model::from_file(path)?,
    };
    let options = Options {
        enclose: true,
        ..Options::default()
    };
    let start = Instant::now();
    let simplified = model.simplify_with(rules.clone(), &options)?;
    let seconds = start.elapsed().as_secs_f64();
    let named = |name: String| simplified.equation(&name).is_some();
    let own = |equation: &&SimplifiedEquation| {
        let name = &equation.name;
        let bound = ["lower_", "upper_"].iter().any(|side| {
            name.strip_prefix(side)
                .is_some_and(|of| named(of.to_string()))
        });
        !equation.auxiliary && equation.formals.is_empty() && !bound
    };
    let results = simplified.equations.iter().filter(own);
    Ok(results
        .map(|equation| {
            let formula = &equation.formula;
            let open = formula.open_reductions() > 0;
            let shapes = match open {
                true => innermost(formula.arena(), formula.root()),
                false => Default::default(),
            };
            let sides = ["lower", "upper"];
            Found {
                seconds,
                operations: formula.operations(),
                shapes: shapes.into_iter().collect(),
                enclosed: open
                    && sides
                        .iter()
                        .all(|side| named(format!("{side}_{}", equation.name))),
                narrowed: narrowed(&model, &equation.name, formula),
            }
        })
        .collect())
}

/// The conditions of a result that leave out a point at which the definition has a value.
fn narrowed(model: &Model, name: &str, formula: &Formula) -> Option<String> {
    if formula.conditions().is_empty() {
        return None;
    }
    let points = points::points(model.checked(), name);
    let left_out = |point: &points::Point| matches!(answer(formula, point), Answer::Declined);
    let conditions = || formula.condition_texts(Notation::Pamela).join(", ");
    points.iter().any(left_out).then(conditions)
}

impl Family {
    fn count(&mut self, asked: &Asked, found: &Found, shapes: &mut Groups, narrowed: &mut Groups) {
        self.results += 1;
        self.most_seconds = self.most_seconds.max(found.seconds);
        let known = self
            .slow
            .last()
            .is_some_and(|slow| slow.model == asked.name);
        if found.seconds > SLOW && !known {
            self.slow.push(Slow {
                seconds: found.seconds,
                model: asked.name.clone(),
                text: asked.body(),
            });
        }
        match found.shapes.is_empty() {
            true => self.operations.push((found.operations, asked.told())),
            false => self.open += 1,
        }
        self.enclosed += usize::from(found.enclosed);
        self.narrowed += usize::from(found.narrowed.is_some());
        for shape in &found.shapes {
            shapes.add(shape, asked);
        }
        if let Some(conditions) = &found.narrowed {
            narrowed.add(conditions, asked);
        }
    }

    fn at(&self, share: f64) -> usize {
        let last = self.operations.len().saturating_sub(1) as f64;
        let place = (share * last).ceil() as usize;
        self.operations
            .get(place)
            .map_or(0, |(operations, _)| *operations)
    }
}

#[derive(Default)]
struct Groups(BTreeMap<String, Group>);

impl Groups {
    fn add(&mut self, what: &str, asked: &Asked) {
        let text = asked.body();
        let group = self.0.entry(what.to_string()).or_insert_with(|| Group {
            what: what.to_string(),
            count: BTreeMap::new(),
            example: asked.name.clone(),
            text: text.clone(),
        });
        *group.count.entry(asked.family.to_string()).or_default() += 1;
        if text.len() < group.text.len() {
            group.example = asked.name.clone();
            group.text = text;
        }
    }

    fn sorted(self) -> Vec<Group> {
        let mut groups: Vec<Group> = self.0.into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.total()));
        groups
    }
}

impl Group {
    fn total(&self) -> usize {
        self.count.values().sum()
    }
}

impl Asked {
    /// Its name, and the text below.
    fn told(&self) -> String {
        format!("{}:\n{}", self.name, self.body())
    }

    /// The text without comments and what is declared.
    fn body(&self) -> String {
        let text = match &self.text {
            Source::Text(text) => text.clone(),
            Source::File(path) => std::fs::read_to_string(path).unwrap_or_default(),
        };
        let told = |line: &&str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('%') && !line.contains(" parameter ")
        };
        text.lines().filter(told).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<14}{:>8}{:>9}{:>8}{:>8}{:>10}{:>10}{:>9}{:>14}",
            "",
            "models",
            "results",
            "open",
            "in %",
            "enclosed",
            "narrowed",
            "slowest",
            "operations"
        )?;
        for family in &self.families {
            let share = 100.0 * family.open as f64 / family.results.max(1) as f64;
            writeln!(
                f,
                "{:<14}{:>8}{:>9}{:>8}{share:>8.1}{:>10}{:>10}{:>8.2}s{:>14}",
                family.name,
                family.models,
                family.results,
                family.open,
                family.enclosed,
                family.narrowed,
                family.most_seconds,
                format!("{}, {}", family.at(0.99), family.at(1.0)),
            )?;
        }
        writeln!(
            f,
            "  (enclosed: open ones with closed bounds on both sides; narrowed: results whose conditions leave out a \
             point where the\n   definition has a value; operations: 99 % of what closes has so many or fewer, and the \
             most)"
        )?;
        for family in &self.families {
            for refused in &family.refused {
                writeln!(f, "refused: {refused}")?;
            }
            for slow in &family.slow {
                writeln!(
                    f,
                    "slow: {}, {:.1} s:\n{}",
                    slow.model, slow.seconds, slow.text
                )?;
            }
            let long = family.operations.iter().rev();
            for (operations, text) in long.take_while(|(operations, _)| *operations > LONG) {
                writeln!(f, "long, {operations} operations: {text}")?;
            }
        }
        writeln!(
            f,
            "\nwhat stays open, by the shape of what has to close first (c: what mentions no index)"
        )?;
        list(f, &self.shapes)?;
        writeln!(f, "\nnarrowed, by their conditions")?;
        list(f, &self.narrowed)
    }
}

fn list(f: &mut fmt::Formatter<'_>, groups: &[Group]) -> fmt::Result {
    for group in groups {
        let counts = group.count.iter();
        let counts: Vec<String> = counts
            .map(|(family, n)| format!("{n} of {family}"))
            .collect();
        writeln!(
            f,
            "\n{}\n    {}, as {}:",
            group.what,
            counts.join(", "),
            group.example
        )?;
        for line in group.text.lines() {
            writeln!(f, "      {line}")?;
        }
    }
    Ok(())
}
