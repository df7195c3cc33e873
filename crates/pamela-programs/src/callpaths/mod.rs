//! Models from measured call trees: the tree is the structure of the model, and the growth of the time of each region with the
//! parameters of the runs is fitted.

mod caliper;
pub mod growth;
mod print;

use std::collections::BTreeMap;

use crate::measured;
use crate::problem::Problem;

/// More regions are refused.
const MOST_REGIONS: usize = 2_000;
/// More parameters are refused.
const MOST_PARAMETERS: usize = 6;
/// A region with a smaller share of the time in all runs belongs to the one around it.
const LEAST_SHARE: f64 = 0.01;

/// Options for a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// Regions below this depth belong to those around them.
    pub depth: usize,
    /// True if the time of a region contains that of the regions inside of it.
    pub inclusive: bool,
    /// Parameters to use; those that differ between runs if there are none.
    pub parameters: Vec<String>,
}

/// Measured runs of regions.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    parameters: Vec<String>,
    runs: Vec<Run>,
}

/// One region in one run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Names from the outermost region inwards.
    pub path: Vec<String>,
    pub values: Vec<f64>,
    /// Seconds.
    pub time: f64,
    pub visits: Option<f64>,
}

/// A model of measured call trees.
#[derive(Clone, Debug)]
pub struct Model {
    pub text: String,
    pub notes: Vec<String>,
}

/// A region with its measurements, one for each point, and the regions inside of it.
#[derive(Debug, Default)]
struct Region {
    name: String,
    times: Vec<f64>,
    visits: Vec<f64>,
    inside: Vec<Region>,
}

/// Makes a model of the files of one program: each has a name and its text.
///
/// # Errors
/// Fails for a format that is not known, for no times, or for too many regions.
pub fn model(files: &[(String, String)], options: &Options) -> Result<Model, Problem> {
    let mut notes = Vec::new();
    let paths = read(files, options, &mut notes)?;
    let (points, runs) = by_point(&paths);
    let mut root = tree(&paths, &points, &runs)?;
    if options.inclusive {
        root.inside.iter_mut().for_each(Region::take_inner);
    }
    root.inside
        .iter_mut()
        .for_each(|region| region.fold_below(options.depth.saturating_sub(1)));
    let total: Vec<f64> = (0..points.len()).map(|at| root.total(at)).collect();
    if total.iter().all(|time| *time <= 0.0) {
        return Err(Problem::new(format!(
            "`{}` has no times above 0",
            files[0].0
        )));
    }
    let mut folded = 0;
    root.fold_small(&total, &mut folded);
    if folded > 0 {
        notes.push(format!(
            "{folded} regions with less than {:.0} % of the time belong to the regions around them",
            100.0 * LEAST_SHARE
        ));
    }
    Ok(print::model(&paths.parameters, &points, &root, notes))
}

fn read(
    files: &[(String, String)],
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<Paths, Problem> {
    let mut all: Vec<(BTreeMap<String, f64>, Run)> = Vec::new();
    for (file, text) in files {
        let value = serde_json::from_str(text).ok().filter(caliper::is_one);
        let paths = match value {
            Some(value) => caliper::read(file, &value)?,
            None => of_table(file, text, notes)?,
        };
        let named = of_name(file);
        for run in paths.runs {
            let own = paths
                .parameters
                .iter()
                .cloned()
                .zip(run.values.iter().copied());
            let values = own.chain(named.iter().cloned()).collect();
            all.push((values, run));
        }
    }
    let Some((first, _)) = all.first() else {
        return Err(Problem::new(format!(
            "`{}` has no measured regions",
            files[0].0
        )));
    };
    let varies = |name: &String| {
        let known = all.iter().all(|(values, _)| values.contains_key(name));
        known && all.iter().any(|(values, _)| values[name] != first[name])
    };
    let parameters: Vec<String> = if options.parameters.is_empty() {
        first.keys().filter(|name| varies(name)).cloned().collect()
    } else {
        options.parameters.clone()
    };
    if parameters.len() > MOST_PARAMETERS {
        let message = format!(
            "the runs differ in {} parameters, at most {MOST_PARAMETERS} are fitted",
            parameters.len()
        );
        let known = parameters.join("`, `");
        return Err(
            Problem::new(message).hint(format!("choose some with --param: there are `{known}`"))
        );
    }
    let mut runs = Vec::new();
    for (values, run) in &all {
        let value = |name: &String| {
            values.get(name).copied().ok_or_else(|| {
                let known: Vec<&str> = values.keys().map(String::as_str).collect();
                Problem::new(format!("the measurements have no parameter `{name}`"))
                    .hint(format!("they have `{}`", known.join("`, `")))
            })
        };
        let values = parameters
            .iter()
            .map(value)
            .collect::<Result<Vec<f64>, Problem>>()?;
        runs.push(Run {
            values,
            ..run.clone()
        });
    }
    Ok(Paths { parameters, runs })
}

/// The values in the name of a file, as Extra-P writes them: `solve.p8.n100.json`.
fn of_name(file: &str) -> Vec<(String, f64)> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let value = |part: &str| {
        let digits = part
            .find(|letter: char| letter.is_ascii_digit())
            .filter(|at| *at > 0)?;
        let (name, number) = part.split_at(digits);
        let is_name = name
            .chars()
            .all(|letter| letter.is_ascii_alphabetic() || letter == '_');
        let number = number.replace(',', ".").parse().ok()?;
        // `r1` numbers repeated runs.
        (is_name && name != "r").then(|| (name.to_string(), number))
    };
    name.split('.').filter_map(value).collect()
}

fn of_table(file: &str, text: &str, notes: &mut Vec<String>) -> Result<Paths, Problem> {
    let measured = measured::regions(file, text)?;
    let has = |name: &str| measured.rows.iter().any(|row| row.metric == name);
    let metrics: Vec<&str> = measured
        .rows
        .iter()
        .map(|row| row.metric.as_str())
        .collect();
    let time = if has("time") {
        "time"
    } else {
        // The only metric is taken for seconds.
        match metrics.first() {
            Some(first) if metrics.iter().all(|own| own == first) => {
                notes.push(format!(
                    "the metric `{first}` of `{file}` is taken for seconds"
                ));
                first
            }
            _ => {
                let mut names: Vec<&str> = metrics.clone();
                names.sort_unstable();
                names.dedup();
                return Err(Problem::new(format!("`{file}` has no metric `time`"))
                    .hint(format!("it has `{}`", names.join("`, `"))));
            }
        }
    };
    let mut paths = Paths {
        parameters: measured.parameters,
        runs: Vec::new(),
    };
    let visits: Vec<_> = measured
        .rows
        .iter()
        .filter(|row| ["visits", "count", "calls"].contains(&row.metric.as_str()))
        .collect();
    for row in measured.rows.iter().filter(|row| row.metric == time) {
        let same = visits
            .iter()
            .find(|own| own.region == row.region && own.values == row.values);
        let path = if row.region.is_empty() {
            vec!["program".to_string()]
        } else {
            row.region
                .split("->")
                .map(|part| part.trim().to_string())
                .collect()
        };
        paths.runs.push(Run {
            path,
            values: row.values.clone(),
            time: row.time,
            visits: same.map(|own| own.time),
        });
    }
    Ok(paths)
}

/// Times and numbers of visits of a region at a point.
type Measured = (Vec<f64>, Vec<f64>);

/// Measurements of each region, by its path, at each point, by its index.
type Measurements = BTreeMap<(Vec<String>, usize), Measured>;

/// The points, and the measurements of each region at each of them.
fn by_point(paths: &Paths) -> (Vec<Vec<f64>>, Measurements) {
    let mut points: Vec<Vec<f64>> = Vec::new();
    let mut runs: Measurements = BTreeMap::new();
    let mut places: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    for run in &paths.runs {
        let key = run
            .values
            .iter()
            .map(|value| (value + 0.0).to_bits())
            .collect();
        let at = *places.entry(key).or_insert_with(|| {
            points.push(run.values.clone());
            points.len() - 1
        });
        let own = runs.entry((run.path.clone(), at)).or_default();
        own.0.push(run.time);
        own.1.extend(run.visits);
    }
    (points, runs)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        count => 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]),
    }
}

/// The tree of the regions, in the order in which they were measured.
fn tree(paths: &Paths, points: &[Vec<f64>], runs: &Measurements) -> Result<Region, Problem> {
    let mut root = Region::new("", points.len());
    let mut seen = std::collections::BTreeSet::new();
    for run in &paths.runs {
        if !seen.insert(&run.path) {
            continue;
        }
        if seen.len() > MOST_REGIONS {
            return Err(Problem::new(format!(
                "there are more than {MOST_REGIONS} regions"
            )));
        }
        let region = run
            .path
            .iter()
            .fold(&mut root, |around, name| around.region(name, points.len()));
        for at in 0..points.len() {
            if let Some((times, visits)) = runs.get(&(run.path.clone(), at)) {
                region.times[at] = median(times);
                region.visits[at] = median(visits);
            }
        }
    }
    Ok(root)
}

impl Region {
    fn new(name: &str, points: usize) -> Region {
        Region {
            name: name.to_string(),
            times: vec![0.0; points],
            visits: vec![0.0; points],
            inside: Vec::new(),
        }
    }

    /// The region of this name inside.
    fn region(&mut self, name: &str, points: usize) -> &mut Region {
        let at = self
            .inside
            .iter()
            .position(|own| own.name == name)
            .unwrap_or_else(|| {
                self.inside.push(Region::new(name, points));
                self.inside.len() - 1
            });
        &mut self.inside[at]
    }

    fn total(&self, at: usize) -> f64 {
        self.times[at]
            + self
                .inside
                .iter()
                .map(|region| region.total(at))
                .sum::<f64>()
    }

    /// Takes the time of what is inside from the time of the region.
    fn take_inner(&mut self) {
        for at in 0..self.times.len() {
            let inner: f64 = self.inside.iter().map(|region| region.times[at]).sum();
            self.times[at] = (self.times[at] - inner).max(0.0);
        }
        self.inside.iter_mut().for_each(Region::take_inner);
    }

    fn absorb(&mut self, other: &Region) {
        for at in 0..self.times.len() {
            self.times[at] += other.total(at);
        }
    }

    /// Takes in all that is more than `depth` levels inside.
    fn fold_below(&mut self, depth: usize) {
        if depth == 0 {
            for region in std::mem::take(&mut self.inside) {
                self.absorb(&region);
            }
        }
        self.inside
            .iter_mut()
            .for_each(|region| region.fold_below(depth.saturating_sub(1)));
    }

    /// Takes in what is never long.
    fn fold_small(&mut self, total: &[f64], folded: &mut usize) {
        let is_outermost = self.name.is_empty();
        for region in std::mem::take(&mut self.inside) {
            let is_small = (0..total.len()).all(|at| region.total(at) < LEAST_SHARE * total[at]);
            if is_small && !is_outermost {
                self.absorb(&region);
                *folded += region.count();
            } else {
                self.inside.push(region)
            }
        }
        self.inside
            .iter_mut()
            .for_each(|region| region.fold_small(total, folded));
    }

    fn count(&self) -> usize {
        1 + self.inside.iter().map(Region::count).sum::<usize>()
    }
}
