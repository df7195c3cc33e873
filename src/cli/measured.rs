//! What `calibrate` and `compare --measured` share: a table of measured times, and the model at its points.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pamela_programs::Problem;
use pamela_programs::calibrate::ranges;
use pamela_programs::compare::{Comparison, Row, compare as compared};
use pamela_programs::measured::Table;
use pamela_programs::profile::Profile;

use super::{Outcome, arguments, compare, output, read_file, read_model, rule_base, values};
use crate::algebra::RuleBase;
use crate::compiled::{Column, Columns, Input, Plan, decimal};
use crate::diagnostic::Error;
use crate::estimate::process_of;
use crate::eval::certified::LANES;
use crate::pipeline::{Model, Options, plain_error};
use crate::syntax::tree::{Equation, ParameterFact, Relation};

/// What `compare` is given for it.
#[derive(Debug, Args)]
pub struct Measured {
    /// Compare with the measured times of this table, in CSV
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["replications", "confidence", "seed", "max_events"])]
    pub measured: Option<String>,
    /// With --measured: read values from a JSON object or a TOML file of `name = value` lines; -D wins
    #[arg(long, value_name = "FILE", requires = "measured")]
    pub params: Option<PathBuf>,
    /// With --measured: take the rows of this region
    #[arg(long, value_name = "NAME", requires = "measured")]
    pub region: Option<String>,
}

/// The time of a process, compiled, at the points of a table.
pub struct Predictor {
    plan: Plan,
    columns: Vec<(String, Arc<Column>)>,
    points: usize,
}

/// A table from a file.
pub fn table(file: &str, region: Option<&str>) -> Result<Table, Error> {
    let text = match file {
        "-" => super::standard_input()?,
        file => read_file(std::path::Path::new(file))?,
    };
    // A profile tells what was counted, too.
    match text.trim_start().starts_with('{') {
        true => Profile::read(file, &text)
            .and_then(|profile| profile.table())
            .map_err(told),
        false => Table::read(file, &text, region).map_err(told),
    }
}

pub fn told(problem: Problem) -> Error {
    plain_error(problem.to_string())
}

impl Predictor {
    /// Gives the model these values, and compiles the time of the process.
    pub fn new(
        mut model: Model,
        values: &[(String, String)],
        process: Option<&str>,
        table: &Table,
        rules: RuleBase,
    ) -> Result<Predictor, Error> {
        for (name, value) in values {
            if table.parameters.contains(name) {
                return Err(plain_error(format!(
                    "`{name}` is given, and is a column of the table"
                )));
            }
            model.define(name, value)?;
        }
        let columns = columns(&model, table)?;
        let process = process_of(&model, process)?;
        let options = Options {
            only: vec![format!("T_{process}")],
            regimes: true,
            without_moments: true,
            ..Options::default()
        };
        let plan = model.compile_with(rules, &options)?.plan(&[])?;
        Ok(Predictor {
            plan,
            columns,
            points: table.points.len(),
        })
    }

    /// The parameters of the model that have no value yet.
    pub fn free(&self) -> Vec<String> {
        let is_free = |name: &&String| {
            self.plan.default(name).is_none() && !self.columns.iter().any(|(own, _)| own == *name)
        };
        self.plan
            .parameters()
            .iter()
            .filter(is_free)
            .cloned()
            .collect()
    }

    /// The time at all points, and what the regimes there are called; `given` are values of parameters.
    pub fn at(&self, given: &[(&str, f64)]) -> Result<Vec<(f64, Option<String>)>, Problem> {
        let constant = |(name, value): &(&str, f64)| match decimal(*value) {
            Some(value) => Ok((name.to_string(), Input::Constant(value))),
            None => Err(Problem::new(format!("`{name}` is no number"))),
        };
        let fixed: Vec<(String, Input)> = given.iter().map(constant).collect::<Result<_, _>>()?;
        let mut scratch = self.plan.scratch();
        let mut found = Vec::with_capacity(self.points);
        for start in (0..self.points).step_by(LANES) {
            let columns = self.columns.iter();
            let columns = columns.map(|(name, c)| (name.as_str(), Input::Column(c.clone(), start)));
            let fixed = fixed
                .iter()
                .map(|(name, input)| (name.as_str(), input.clone()));
            let inputs: Vec<(&str, Input)> = columns.chain(fixed).collect();
            let inputs = self
                .plan
                .inputs(&inputs)
                .map_err(|e| Problem::new(e.to_string().trim_start_matches("error: ")))?;
            let part = self
                .plan
                .run(&inputs, LANES.min(self.points - start), &mut scratch);
            self.append(&mut found, part)?;
        }
        Ok(found)
    }

    fn append(&self, found: &mut Vec<(f64, Option<String>)>, part: Columns) -> Result<(), Problem> {
        let labels: Vec<&str> = self.plan.regimes().collect();
        let values = &part.equations[0].values;
        for (lane, value) in values.iter().enumerate() {
            if !value.is_finite() {
                let note = part.notes.iter().find(|(own, _)| *own == lane);
                let note = note.map_or("it is no number", |(_, note)| note);
                let values = self.columns.iter();
                let values =
                    values.map(|(name, c)| format!("{name} = {}", c.values()[found.len()]));
                let values: Vec<String> = values.collect();
                return Err(Problem::new(format!(
                    "the model has no time at {}: {note}",
                    values.join(", ")
                )));
            }
            let regime = part.regimes[lane].map(|regime| labels[regime].to_string());
            found.push((*value, regime));
        }
        Ok(())
    }
}

fn columns(model: &Model, table: &Table) -> Result<Vec<(String, Arc<Column>)>, Error> {
    let known: Vec<&str> = model.scalar_parameters().collect();
    let mut columns = Vec::new();
    for (place, name) in table.parameters.iter().enumerate() {
        if !known.contains(&name.as_str()) && table.counted {
            output::note(&format!(
                "note: `{name}` of the profile is no parameter of the model"
            ));
            continue;
        }
        if !known.contains(&name.as_str()) {
            return Err(plain_error(format!(
                "the column `{name}` of the table is no parameter of the model: there are `{}`",
                known.join("`, `")
            )));
        }
        let values = table
            .points
            .iter()
            .map(|point| point.values[place])
            .collect();
        columns.push((name.clone(), Arc::new(Column::new(values))));
    }
    Ok(columns)
}

/// `pamela compare --measured`
pub fn compare(arguments: &compare::Arguments, file: &str) -> Result<Outcome, Error> {
    let given = &arguments.measured;
    let table = table(file, given.region.as_deref())?;
    let (calibrated, calibration) = match &given.params {
        Some(path) => (
            ranges(&read_file(path)?),
            path.to_string_lossy().into_owned(),
        ),
        None => (Vec::new(), String::new()),
    };
    let values = values::given(&arguments::Values {
        define: arguments.define.clone(),
        params: given.params.clone(),
    })?;
    let model = read_model(&arguments.input)?;
    let rules = rule_base(&arguments.rules)?;
    let predictor = Predictor::new(model, &values, arguments.process.as_deref(), &table, rules)?;
    let lacking = predictor.free();
    if !lacking.is_empty() {
        return Err(plain_error(format!(
            "no value of `{}`: give it by -D, by --params or as a column of the table",
            lacking.join("`, `")
        )));
    }
    let (predicted, regimes): (Vec<f64>, Vec<_>) =
        predictor.at(&[]).map_err(told)?.into_iter().unzip();
    let found = compared(&table, &predicted, &regimes, &calibrated);
    if arguments.json {
        output::json(&found)?;
        return Ok(Outcome::Done);
    }
    print(&found, &table)?;
    if !calibration.is_empty() && calibrated.is_empty() {
        output::note(&format!(
            "note: `{calibration}` does not say for which parameters it was calibrated"
        ));
    }
    Ok(Outcome::Done)
}

/// A table in CSV; its last line is a comment.
fn print(found: &Comparison, table: &Table) -> Result<(), Error> {
    const COLUMNS: [&str; 8] = [
        "runs",
        "measured",
        "low",
        "high",
        "predicted",
        "error",
        "regime",
        "outside",
    ];
    let names = table.parameters.iter().map(String::as_str);
    output::line(&names.chain(COLUMNS).collect::<Vec<_>>().join(","))?;
    // More digits than measured times have.
    let short = |value: f64| match format!("{value:.4e}").parse::<f64>() {
        Ok(value) => value.to_string(),
        Err(_) => value.to_string(),
    };
    let line = |row: &Row| {
        let values = row.values.iter().map(f64::to_string);
        let numbers = [row.measured, row.low, row.high, row.predicted].map(short);
        let own = [row.runs.to_string()].into_iter().chain(numbers);
        let regime = row
            .regime
            .clone()
            .unwrap_or_default()
            .replace(['"', ','], " ");
        let last = [format!("{:.2}", row.error), regime, row.outside.join(" ")];
        values.chain(own).chain(last).collect::<Vec<_>>().join(",")
    };
    for row in &found.rows {
        output::line(&line(row))?;
    }
    output::line(&format!(
        "# {}",
        found.summary(&table.parameters[..table.sizes])
    ))
}

/// The parameters that may be times: any number that is not below 0.
pub fn times(model: &Model) -> Vec<String> {
    let parameters = model.checked().parameters();
    let is_time = |equation: &&Equation| {
        let bounded = |fact: &ParameterFact| match fact {
            ParameterFact::Bound(relation, _) => {
                matches!(relation, Relation::LessEqual | Relation::Less)
            }
            ParameterFact::Integer(_) | ParameterFact::Law(_) => true,
        };
        !equation.facts.iter().any(bounded)
    };
    parameters
        .filter(is_time)
        .map(|equation| equation.name.text.clone())
        .collect()
}
