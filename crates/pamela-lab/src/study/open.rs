//! The census of open results among random models and the corpus: the remaining reductions by shape, and results that
//! hold at fewer points than their definition.
//!
//! The next rule should close one of the first shapes in the list.

use std::collections::BTreeMap;
use std::path::Path;

use super::shapes::innermost;
use super::side_by_side::side_by_side;
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::gates;
use crate::models;
use crate::pipeline::{Model, Options, SimplifiedEquation};

mod census;
mod clock;
mod compared;
mod domains;
mod results;

pub use census::{Census, Family, Far, Group, Slow};
pub use compared::{Comparisons, compare};

use clock::Clock;
use domains::{Bounds, bounds, narrowed};
use results::own_results;

/// A model that takes more seconds is named.
const SLOW: f64 = 1.0;

/// Request for a census.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Number of random models of each family.
    pub models: usize,
    /// The seed of the first.
    pub first: u64,
    /// Directory of further models.
    pub corpus: Option<&'a Path>,
}

/// A model that is looked at.
struct Subject {
    family: &'static str,
    name: String,
    text: Source,
}

enum Source {
    Text(String),
    File(String),
}

/// Findings about one result.
struct Finding {
    seconds: f64,
    operations: usize,
    shapes: Vec<String>,
    bounds: Option<Bounds>,
    narrowed: Option<String>,
}

/// Simplifies the models and counts.
///
/// # Errors
/// Fails for a corpus that cannot be read.
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

fn asked(request: &Request) -> Result<Vec<Subject>, Error> {
    let seeds = (request.first..).take(request.models);
    let of = |family, seed: u64, text| Subject {
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
    let mut asked: Vec<Subject> = random.collect();
    let Some(corpus) = request.corpus else {
        return Ok(asked);
    };
    for path in gates::models(corpus)? {
        let shown = path.strip_prefix(corpus).unwrap_or(&path);
        asked.push(Subject {
            family: "corpus",
            name: shown.to_string_lossy().into_owned(),
            text: Source::File(path.to_string_lossy().into_owned()),
        });
    }
    Ok(asked)
}

fn look(asked: &Subject, rules: &RuleBase) -> Result<Vec<Finding>, Error> {
    let model = asked.model()?;
    let options = Options {
        enclose: true,
        ..Options::default()
    };
    let clock = Clock::start();
    let simplified = model.simplify_with(rules.clone(), &options)?;
    let seconds = clock.seconds();
    let found = |equation: &SimplifiedEquation| {
        let formula = &equation.formula;
        let open = formula.open_reductions() > 0;
        let shapes = if open {
            innermost(formula.arena(), formula.root())
        } else {
            Default::default()
        };
        Finding {
            seconds,
            operations: formula.operations(),
            shapes: shapes.into_iter().collect(),
            bounds: open
                .then(|| bounds(&model, &simplified, &equation.name))
                .flatten(),
            narrowed: narrowed(&model, &equation.name, formula),
        }
    };
    Ok(own_results(&simplified).map(found).collect())
}

impl Family {
    fn count(
        &mut self,
        asked: &Subject,
        found: &Finding,
        shapes: &mut Groups,
        narrowed: &mut Groups,
    ) {
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
        if found.shapes.is_empty() {
            self.operations.push((found.operations, asked.told()))
        } else {
            self.open += 1
        }
        if let Some(bounds) = &found.bounds {
            self.enclosed += 1;
            self.near += usize::from(bounds.near);
            if !bounds.near {
                self.far.push(Far {
                    model: asked.name.clone(),
                    text: asked.body(),
                    shapes: found.shapes.clone(),
                    apart: bounds.apart,
                    bounds: bounds.texts.clone(),
                });
            }
            self.beyond.extend(
                bounds
                    .beyond
                    .iter()
                    .map(|point| format!("{} at {point}", asked.name)),
            );
        }
        self.narrowed += usize::from(found.narrowed.is_some());
        for shape in &found.shapes {
            shapes.add(shape, asked);
        }
        if let Some(conditions) = &found.narrowed {
            narrowed.add(conditions, asked);
        }
    }
}

#[derive(Default)]
struct Groups(BTreeMap<String, Group>);

impl Groups {
    fn add(&mut self, what: &str, asked: &Subject) {
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

impl Subject {
    fn model(&self) -> Result<Model, Error> {
        match &self.text {
            Source::Text(text) => Model::parse(text),
            Source::File(path) => Model::from_file(path),
        }
    }

    /// Its name, and the text below.
    fn told(&self) -> String {
        format!("{}:\n{}", self.name, self.body())
    }

    /// The text without comments and declarations.
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
