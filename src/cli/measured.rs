//! Shared by `calibrate` and `compare --measured`: a table of measured times, and the model at its points.

mod target;

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use pamela_programs::Problem;
use pamela_programs::calibrate::Bound;
use pamela_programs::measured::{Reading as TableReading, Table};
use pamela_programs::profile::{Profile, base};

use super::{output, read_file};
use crate::algebra::RuleBase;
use crate::compiled::{Column, Columns, Compiled, Input, Plan, decimal};
use crate::diagnostic::Error;
use crate::eval::certified::LANES;
use crate::pipeline::{Model, Options};
use crate::syntax::tree::{Equation, ParameterFact, Relation};
use crate::timing::Origin;
pub use target::Target;
use target::{needed, time_names};

/// Values of a parameter at the points of a table.
pub enum ParameterValues {
    Everywhere(f64),
    At(Vec<f64>),
}

/// The time of a process, compiled, at the points of a table.
pub struct Predictor {
    /// The time alone.
    pub compiled: Compiled,
    plan: Plan,
    columns: Vec<(String, Vec<f64>)>,
    /// Whole parameters of which the table has means, such as numbers of iterations.
    means: Vec<usize>,
    points: usize,
    /// The bounds of parameters, by their names.
    bounds: Vec<(String, [Bound; 2])>,
    /// Parameters on which the time does not depend, which have no value: any will do.
    unused: Vec<(String, f64)>,
}

/// More means between whole numbers are refused: the time is taken at all combinations of their neighbours.
const MOST_MEANS: usize = 8;

/// A time, and the name of its regime.
type TimeAndRegime = (f64, Option<String>);

// Source of a table of measured times. (A doc comment would also appear in the help of the command.)
#[derive(Clone, Debug, Default, Args)]
pub struct Reading {
    /// Use the rows of this region
    #[arg(long, value_name = "NAME")]
    pub region: Option<String>,
    /// Rename parameters and regions: p=P,main->sort=sort
    #[arg(long, value_name = "OLD=NEW", value_delimiter = ',', value_parser = parse_name)]
    pub map: Vec<(String, String)>,
}

fn parse_name(text: &str) -> Result<(String, String), String> {
    let (old, new) = text
        .rsplit_once('=')
        .ok_or_else(|| "expected OLD=NEW, for example p=P".to_string())?;
    if old.trim().is_empty() || new.trim().is_empty() {
        Err("expected OLD=NEW, for example p=P".to_string())
    } else {
        Ok((old.trim().to_string(), new.trim().to_string()))
    }
}

/// A table from a file, or from the profiles of a directory, for a model; `labels` name columns of texts.
pub fn table(
    file: &str,
    reading: &Reading,
    model: &Model,
    target: &Target,
    labels: &[String],
) -> Result<Table, Error> {
    if Path::new(file).is_dir() {
        let profile = base::read(Path::new(file)).and_then(|profile| profile.table());
        return profile.map_err(told);
    }
    let text = match file {
        "-" => super::standard_input()?,
        file => read_file(Path::new(file))?,
    };
    // A profile tells what was counted, too.
    if Profile::is_one(&text) {
        Profile::read(file, &text)
            .and_then(|profile| profile.table())
            .map_err(told)
    } else {
        table_of(file, &text, reading, model, target, labels)
    }
}

/// A table from a text.
pub fn table_of(
    file: &str,
    text: &str,
    reading: &Reading,
    model: &Model,
    target: &Target,
    labels: &[String],
) -> Result<Table, Error> {
    let parameters: Vec<String> = model.scalar_parameters().map(ToOwned::to_owned).collect();
    let table = Table::read(
        file,
        text,
        &TableReading {
            region: reading.region.as_deref(),
            names: &reading.map,
            times: &time_names(model, target),
            labels,
            parameters: Some(&parameters),
        },
    );
    table.map_err(told)
}

/// Notes on the columns and the rows of a table that are not looked at.
pub fn left_aside(table: &Table) -> Vec<String> {
    let mut notes = Vec::new();
    if !table.ignored.is_empty() {
        notes.push(format!(
            "the columns `{}` of the table are not parameters of the model and are ignored",
            table.ignored.join("`, `")
        ));
    }
    match table.incomplete {
        0 => {}
        1 => notes.push("1 row lacks a value and is left out".to_owned()),
        count => notes.push(format!("{count} rows lack a value and are left out")),
    }
    notes
}

pub fn told(problem: Problem) -> Error {
    Error::new(problem.to_string())
}

impl Predictor {
    /// Gives the model these values, and compiles the time of the process.
    pub fn new(
        mut model: Model,
        values: &[(String, String)],
        target: &Target,
        table: &Table,
        rules: RuleBase,
    ) -> Result<Predictor, Error> {
        for (name, value) in values {
            model.define(name, value)?;
        }
        let columns = columns(&model, table)?;
        let whole = integers(&model);
        let parameters = model.checked().parameters();
        let bounds = parameters.map(|own| (own.name.text.clone(), bounds(&model, own)));
        let bounds: Vec<(String, [Bound; 2])> = bounds.collect();
        let is_mean = |(name, values): &(String, Vec<f64>)| {
            whole.contains(name) && values.iter().any(|value| value.fract() != 0.0)
        };
        let means: Vec<usize> = if table.counted {
            (0..columns.len())
                .filter(|at| is_mean(&columns[*at]))
                .collect()
        } else {
            Vec::new()
        };
        if means.len() > MOST_MEANS {
            return Err(Error::new(format!(
                "the table has {} mean numbers of iterations, but at most {MOST_MEANS} are supported; set some with -D",
                means.len()
            )));
        }
        let needed = needed(&model, target);
        let is_unused = |(name, _): &&(String, [Bound; 2])| !needed.contains(name);
        let unused = bounds.iter().filter(is_unused);
        let unused = unused
            .map(|(name, bounds)| (name.clone(), any_value(bounds)))
            .collect();
        let options = Options {
            exact_times: true,
            regimes: true,
            without_moments: true,
            only: match target {
                Target::Equation(name) => vec![name.clone()],
                Target::Process(_) => Vec::new(),
            },
            ..Options::default()
        };
        let compiled = model.compile_with(rules, &options)?;
        let named = |origin: Origin| {
            let mut equations = compiled.equations().iter().filter(|e| !e.auxiliary);
            equations
                .find(|e| e.origin == origin)
                .map(|e| e.name.clone())
        };
        // Measured values are times; without a theorem, the estimate is compared with them.
        let time = match target {
            Target::Process(process) => named(Origin::Execution(process.clone()))
                .or_else(|| named(Origin::Time(process.clone()))),
            Target::Equation(name) => Some(name.clone()),
        };
        let only = Options {
            only: time.into_iter().collect(),
            ..options
        };
        let compiled = compiled.restricted(&only)?;
        output::caveats(compiled.simplified());
        Ok(Predictor {
            plan: compiled.plan(&[])?,
            compiled,
            columns,
            means,
            points: table.points.len(),
            bounds,
            unused,
        })
    }

    /// The equation that was measured.
    pub fn equation(&self) -> Option<String> {
        let mut equations = self.compiled.equations().iter();
        let own = equations.find(|equation| !equation.auxiliary);
        own.map(|equation| equation.name.clone())
    }

    /// The parameters that have no value yet, and on which the time depends.
    pub fn free(&self) -> Vec<String> {
        let is_free = |name: &&String| {
            self.plan.default(name).is_none()
                && !self.columns.iter().any(|(own, _)| own == *name)
                && !self.unused.iter().any(|(own, _)| own == *name)
        };
        self.plan
            .parameters()
            .iter()
            .filter(is_free)
            .cloned()
            .collect()
    }

    /// The least and the greatest value of a fitted parameter.
    pub fn bounds(&self, name: &str) -> [Bound; 2] {
        let own = self.bounds.iter().find(|(own, _)| own == name);
        own.map_or_else(Bound::of_times, |(_, bounds)| bounds.clone())
    }

    /// The time at all points, and what the regimes there are called; `given` are values of parameters. Between whole
    /// numbers of iterations it is interpolated.
    pub fn at(&self, given: &[(&str, ParameterValues)]) -> Result<Vec<TimeAndRegime>, Problem> {
        let mut total = vec![(0.0, None); self.points];
        for corner in 0..1_usize << self.means.len() {
            let mut columns = self.columns.clone();
            let mut weights = vec![1.0; self.points];
            for (place, at) in self.means.iter().enumerate() {
                let is_above = (corner >> place) & 1 == 1;
                for (value, weight) in columns[*at].1.iter_mut().zip(&mut weights) {
                    let above = value.fract();
                    *weight *= if is_above { above } else { 1.0 - above };
                    *value = value.floor() + f64::from(u8::from(is_above && above > 0.0));
                }
            }
            let found = self.with(&columns, given)?;
            for ((sum, weight), (time, regime)) in total.iter_mut().zip(&weights).zip(found) {
                if *weight > 0.0 {
                    sum.0 += weight * time;
                    sum.1 = regime;
                }
            }
        }
        Ok(total)
    }

    /// The points at which the time has no closed form, with the steps that it takes there.
    pub fn loops(&self, given: &[(&str, ParameterValues)]) -> Result<Vec<(String, u64)>, Problem> {
        let mut loops = Vec::new();
        let mut found = 0;
        self.each(&self.columns, given, &mut |part| {
            let steps = part.steps.iter();
            loops.extend(steps.map(|(lane, steps)| (self.place(found + lane), *steps)));
            found += part.regimes.len();
            Ok(())
        })?;
        Ok(loops)
    }

    /// Like `at`, with these columns.
    fn with(
        &self,
        columns: &[(String, Vec<f64>)],
        given: &[(&str, ParameterValues)],
    ) -> Result<Vec<TimeAndRegime>, Problem> {
        let mut found = Vec::with_capacity(self.points);
        self.each(columns, given, &mut |part| self.append(&mut found, part))?;
        Ok(found)
    }

    /// The values at all points, batch by batch.
    fn each(
        &self,
        columns: &[(String, Vec<f64>)],
        given: &[(&str, ParameterValues)],
        take: &mut dyn FnMut(Columns) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let column = |values: &Vec<f64>| Arc::new(Column::new(values.clone()));
        let own = columns
            .iter()
            .map(|(name, values)| (name.as_str(), column(values)));
        let mut columns: Vec<(&str, Arc<Column>)> = own.collect();
        let mut fixed: Vec<(&str, Input)> = Vec::new();
        for (name, given) in given {
            match given {
                ParameterValues::At(values) => columns.push((name, column(values))),
                ParameterValues::Everywhere(value) => {
                    let value = decimal(*value)
                        .ok_or_else(|| Problem::new(format!("`{name}` is not a number")))?;
                    fixed.push((name, Input::Constant(value)));
                }
            }
        }
        for (name, value) in &self.unused {
            let is_given = given.iter().any(|(own, _)| own == name)
                || columns.iter().any(|(own, _)| own == name)
                || self.plan.default(name).is_some();
            if let (false, Some(value)) = (is_given, decimal(*value)) {
                fixed.push((name, Input::Constant(value)));
            }
        }
        let mut workspace = self.plan.workspace();
        for start in (0..self.points).step_by(LANES) {
            let columns = columns.iter();
            let columns = columns.map(|(name, c)| (*name, Input::Column(c.clone(), start)));
            let inputs: Vec<(&str, Input)> = columns.chain(fixed.iter().cloned()).collect();
            let inputs = self
                .plan
                .inputs(&inputs)
                .map_err(|error| Problem::new(error.first_message()))?;
            let part = self
                .plan
                .run(&inputs, LANES.min(self.points - start), &mut workspace);
            take(part)?;
        }
        Ok(())
    }

    /// `P = 1, n = 100`
    fn place(&self, point: usize) -> String {
        let values = self.columns.iter();
        let values = values.map(|(name, column)| format!("{name} = {}", column[point]));
        values.collect::<Vec<String>>().join(", ")
    }

    fn append(&self, found: &mut Vec<TimeAndRegime>, part: Columns) -> Result<(), Problem> {
        let labels: Vec<&str> = self.plan.regimes().collect();
        let values = &part.equations[0].values;
        for (lane, value) in values.iter().enumerate() {
            if !value.is_finite() {
                let note = part.notes.iter().find(|(own, _)| *own == lane);
                let note = note.map_or("it is not a number", |(_, note)| note);
                return Err(Problem::new(format!(
                    "the model has no time at {}: {note}",
                    self.place(found.len())
                )));
            }
            let regime = part.regimes[lane].map(|regime| labels[regime].to_string());
            found.push((*value, regime));
        }
        Ok(())
    }
}

/// A value within bounds, whole if they are.
fn any_value([least, most]: &[Bound; 2]) -> f64 {
    let above = least.value + 1.0;
    if above < most.value {
        return above;
    }
    if least.is_strict || most.is_strict {
        return 0.5 * (least.value + most.value);
    }
    least.value
}

fn columns(model: &Model, table: &Table) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let known: Vec<&str> = model.scalar_parameters().collect();
    let mut columns = Vec::new();
    for (place, name) in table.parameters.iter().enumerate() {
        if !known.contains(&name.as_str()) && table.counted {
            output::note(&format!(
                "note: `{name}` of the profile is not a parameter of the model"
            ));
            continue;
        }
        if !known.contains(&name.as_str()) {
            return Err(Error::new(format!(
                "the column `{name}` of the table is not a parameter of the model; its parameters are `{}`",
                known.join("`, `")
            )));
        }
        // As on the command line, a number has the declared unit of its parameter.
        let shown = model.shown_number(name);
        let base = |value: f64| shown.as_ref().map_or(value, |shown| shown.base(value));
        let values = table.points.iter().map(|point| base(point.values[place]));
        columns.push((name.clone(), values.collect()));
    }
    Ok(columns)
}

/// The parameters that are whole numbers.
fn integers(model: &Model) -> Vec<String> {
    let is_whole = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
    let parameters = model.checked().parameters();
    let whole = parameters.filter(|equation| equation.facts.iter().any(is_whole));
    whole.map(|equation| equation.name.text.clone()).collect()
}

/// The declared bounds of a parameter that are numbers; a fitted value is at least 0.
fn bounds(model: &Model, parameter: &Equation) -> [Bound; 2] {
    let [mut least, mut most] = Bound::of_times();
    for fact in &parameter.facts {
        let ParameterFact::Bound(relation, bound) = fact else {
            continue;
        };
        let Some(value) = model.checked().constant(bound) else {
            continue;
        };
        let own = Bound {
            value: value.to_f64(),
            is_strict: matches!(relation, Relation::Greater | Relation::Less),
            text: fact.to_string(),
        };
        let is_upper = matches!(relation, Relation::Less | Relation::LessEqual);
        let is_closer = |old: &Bound| {
            if is_upper {
                own.value < old.value
            } else {
                own.value > old.value
            }
        };
        let old = if is_upper { &mut most } else { &mut least };
        if is_closer(old) || own.value == old.value && own.is_strict {
            *old = own;
        }
    }
    [least, most]
}

/// The parameters that may be times: any number that is not below 0.
pub fn times(model: &Model) -> Vec<String> {
    let parameters = model.checked().parameters();
    let units = model.checked().units();
    let is_time = |equation: &&Equation| {
        let dimension = units.dimension(&equation.name.text);
        let bounded = |fact: &ParameterFact| match fact {
            ParameterFact::Bound(relation, _) => {
                matches!(relation, Relation::LessEqual | Relation::Less)
            }
            ParameterFact::Integer(_)
            | ParameterFact::Law(_)
            | ParameterFact::Row(_)
            | ParameterFact::Monotone(_) => true,
            ParameterFact::Unknown(_) | ParameterFact::Arrivals(_) => false,
            ParameterFact::Unit(_) => dimension != Some(units.time()),
        };
        !equation.facts.iter().any(bounded)
    };
    parameters
        .filter(is_time)
        .map(|equation| equation.name.text.clone())
        .collect()
}
